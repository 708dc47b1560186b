"""Finished hands written in the Poker Hand History format (PHH), of which `engine.game.phh` tells."""

from collections.abc import Mapping, Sequence
from datetime import time
from typing import Any, Final

from engine.cards import HoleCards, format_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
    start_of,
)
from engine.game.observation import Observation
from engine.settings_text import toml_value

_UNKNOWN: Final = "????"


def phh_text(observation: Observation) -> str:
    """Write a finished hand as the fields of a PHH section, in lines of TOML, our own hole cards included.

    Forced posts are what was owed, or posted beyond the blinds. An ante for all is the big blind's, not trimmed.
    `ValueError` if the hand is not over.
    """
    known: dict[Seat, HoleCards] = {view.seat: view.shown for view in observation.seats if view.shown}
    known[observation.seat] = observation.hole_cards
    return phh_lines(PhhWriter(observation.events, known).fields())


def phh_lines(fields: Mapping[str, Any]) -> str:
    """Write fields in lines of TOML."""
    return "".join(
        f"{name} = {value.isoformat() if isinstance(value, time) else toml_value(value)}\n"
        for name, value in fields.items()
    )


def phh_players(events: Sequence[PublicEvent]) -> dict[Seat, int]:
    """Return the number of each seat in PHH, which begins left of the button, in the order of these numbers."""
    started = _started(events)
    at = [start.seat for start in started.seats].index(started.button) + 1
    order = (*started.seats[at:], *started.seats[:at])
    return {start.seat: number for number, start in enumerate(order, 1)}


def _started(events: Sequence[PublicEvent]) -> HandStarted:
    started = start_of(events)
    return started


class PhhWriter:
    """One hand on its way into PHH; amounts are chips divided by `scale`."""

    def __init__(
        self,
        events: Sequence[PublicEvent],
        known: Mapping[Seat, HoleCards],
        scale: int = 1,
        *,
        shows_all: bool = False,
    ) -> None:
        self._events, self._known, self._scale, self._shows_all = events, known, scale, shows_all
        self._started = _started(events)
        self.players = phh_players(events)
        self.shown: list[str] = []
        """Who turned up or threw away hole cards at no showdown, after so many actions."""

    def fields(self) -> dict[str, Any]:
        """Return what PHH has a field for."""
        started, ended, players = self._started, self._events[-1], self.players
        if not isinstance(ended, HandEnded):
            raise ValueError(f"Hand {started.hand_number} is not over.")
        # Heads-up PHH begins with the big blind, and the blinds are written the other way round.
        places = {start.seat: place for place, start in enumerate(started.seats)}
        seats = [started.seats[places[seat]] for seat in players]
        blinds, antes = self._blinds(), [started.ante] * len(seats)
        for event in self._events:
            if isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND_ANTE:
                antes[players[event.seat] - 1] = event.amount
            elif isinstance(event, Posted) and event.kind is PostKind.DEAD_BLIND:
                antes[players[event.seat] - 1] += event.amount
        return {
            "variant": "NT",
            "ante_trimming_status": len(set(antes)) == 1,
            "antes": self._amounts(antes[::-1] if len(seats) == 2 else antes),
            "blinds_or_straddles": self._amounts(blinds[::-1] if len(seats) == 2 else blinds),
            "min_bet": self.amount(started.big_blind),
            "starting_stacks": self._amounts([start.stack for start in seats]),
            "actions": self._actions(),
            "hand": started.hand_number,
            "players": [start.name for start in seats],
            "seats": [start.seat + 1 for start in seats],
            "finishing_stacks": self._amounts([ended.stacks[places[seat]] for seat in players]),
        }

    def amount(self, chips: Chips) -> int | float:
        """Return an amount as it is written."""
        whole, rest = divmod(chips, self._scale)
        return chips / self._scale if rest else whole

    def _amounts(self, chips: Sequence[Chips]) -> list[int | float]:
        return [self.amount(amount) for amount in chips]

    def _blinds(self) -> list[Chips]:
        """Return what each player owed, from the left of the button on: in PHH a short stack posts what it has."""
        started, players = self._started, self.players
        owed = {PostKind.SMALL_BLIND: started.small_blind, PostKind.BIG_BLIND: started.big_blind}
        posted = [event for event in self._events if isinstance(event, Posted)]
        blinds = [0] * len(players)
        for event in posted:
            if not event.kind.is_ante:
                is_short = event.is_all_in and event.kind in owed
                blinds[players[event.seat] - 1] = owed[event.kind] if is_short else event.amount
        # Whose whole stack was the ante posts no blind, and owes it all the same.
        broke = {players[event.seat] - 1 for event in posted if event.kind is PostKind.ANTE and event.is_all_in}
        kinds = {event.kind for event in posted}
        for place, kind in zip((1, 0) if len(players) == 2 else (0, 1), owed, strict=True):
            if kind not in kinds and place in broke:
                blinds[place] = owed[kind]
        return blinds

    def _actions(self) -> list[str]:
        players, known = self.players, self._known
        actions = [
            f"d dh p{number} {format_cards(known[seat]) if seat in known else _UNKNOWN}"
            for seat, number in players.items()
        ]
        live = set(players)
        for event in self._events:
            match event:
                case ActionTaken(seat=seat):
                    actions.append(f"p{players[seat]} {self._move(event)}")
                    if event.action.kind is ActionKind.FOLD:
                        live.discard(seat)
                case BoardDealt(cards=cards):
                    actions.append(f"d db {format_cards(cards)}")
                case HoleCardsShown(seat=seat) | HoleCardsMucked(seat=seat):
                    pair = format_cards(event.hole_cards) if isinstance(event, HoleCardsShown) else ""
                    # A showdown is between two at least; cards shown otherwise stand where they were dealt.
                    if self._shows_all or (seat in live and len(live) > 1):
                        actions.append(f"p{players[seat]} sm {pair}".rstrip())
                    else:
                        self.shown.append(f"p{players[seat]} {pair or '-'} {len(actions)}")
        return actions

    def _move(self, event: ActionTaken) -> str:
        if event.action.kind is ActionKind.FOLD:
            return "f"
        return f"cbr {self.amount(event.action.raise_to)}" if event.action.kind is ActionKind.RAISE else "cc"
