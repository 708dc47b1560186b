"""A match recorded for keeping: every finished hand in PHH, with what our player saw and why it acted.

docs/join.md describes the file; a hand that was cut off is dropped when it is read, or opened to go on.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from engine.agents.played_hand import FIELD, PlayedHand, packed, played_hand
from engine.cards import HoleCards, format_cards
from engine.foreign_text import shortened
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
)
from engine.game.observation import Observation
from engine.game.phh import PhhFileError, fields_of, sections
from engine.settings_text import toml_value

_UNKNOWN: Final = "????"
_END: Final = b"'\n\n"
"""How every whole hand ends; within one there is no empty line."""

_log = logging.getLogger(__name__)


class RecordError(ValueError):
    """A file that cannot be written or is no record of ours; the message says why in one sentence."""


class Recorder:
    """Appends finished hands to a `.phhs` file, new or written by a recorder before.

    `RecordError` if the file cannot be written, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._number, end = _whole_hands(path)
            self._file = path.open("ab", buffering=0)
            if path.is_file():
                self._file.truncate(end)
        except OSError as error:
            raise RecordError(f"The file {path} cannot be written: {error.strerror or error}.") from error

    def append(self, hand: PlayedHand) -> None:
        """Write a hand; `RecordError` if it cannot be written, for instance because the disk is full."""
        self._number += 1
        text = f"[{self._number}]\n{phh_text(hand.observation)}{FIELD} = '{packed(hand)}'\n\n"
        left = text.encode()
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise RecordError(f"The file {self._path} cannot be written: {error.strerror or error}.") from error

    def close(self) -> None:
        """Make sure that all is on the disk, and close the file."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:  # a pipe, for instance
            _log.info("%s could not be synchronised: %s.", self._path, error.strerror or error)
        self._file.close()


def read_record(path: str | Path) -> Iterator[PlayedHand]:
    """Yield the hands of a record in their order; a last one that was cut off is left out.

    `RecordError` on the first step if the file cannot be read; later at a hand that is none of ours.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "match.phhs")
    ...     Recorder(path).close()
    ...     list(read_record(path))
    []
    """
    held: list[tuple[str, bytes]] = []
    try:
        for section in sections(Path(path)):
            if held:
                yield _read_hand(path, *held.pop())
            held.append(section)
    except PhhFileError as error:
        raise RecordError(str(error)) from error
    if held and held[0][1].endswith(_END):
        yield _read_hand(path, *held[0])


def phh_text(observation: Observation) -> str:
    """Write a finished hand as the fields of a PHH section, in lines of TOML, our own hole cards included.

    Forced posts are what was owed, or posted beyond the blinds. An ante for all is the big blind's, not trimmed.
    `ValueError` if the hand is not over.
    """
    started, ended = observation.events[0], observation.events[-1]
    if not isinstance(started, HandStarted) or not isinstance(ended, HandEnded):
        raise ValueError(f"Hand {observation.hand_number} is not over.")
    # PHH begins left of the button; heads-up that is the big blind, and the blinds are written the other way round.
    at = [start.seat for start in started.seats].index(started.button) + 1
    order = [*range(at, len(started.seats)), *range(at)]
    seats = [started.seats[place] for place in order]
    players = {start.seat: number for number, start in enumerate(seats, 1)}
    blinds = _blinds(observation.events, started, players)
    antes = [started.ante] * len(seats)
    for event in observation.events:
        if isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND_ANTE:
            antes[players[event.seat] - 1] = event.amount
    fields: dict[str, Any] = {
        "variant": "NT",
        "ante_trimming_status": len(set(antes)) == 1,
        "antes": antes[::-1] if len(seats) == 2 else antes,
        "blinds_or_straddles": blinds[::-1] if len(seats) == 2 else blinds,
        "min_bet": started.big_blind,
        "starting_stacks": [start.stack for start in seats],
        "actions": _actions(observation, players),
        "hand": started.hand_number,
        "players": [start.name for start in seats],
        "seats": [start.seat + 1 for start in seats],
        "finishing_stacks": [ended.stacks[place] for place in order],
    }
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in fields.items())


def _blinds(events: Sequence[PublicEvent], started: HandStarted, players: dict[Seat, int]) -> list[Chips]:
    """Return what each player owed, from the left of the button on: in PHH a short stack posts what it has."""
    owed = {PostKind.SMALL_BLIND: started.small_blind, PostKind.BIG_BLIND: started.big_blind}
    posted = [event for event in events if isinstance(event, Posted)]
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


def _actions(observation: Observation, players: dict[Seat, int]) -> list[str]:
    known: dict[Seat, HoleCards] = {view.seat: view.shown for view in observation.seats if view.shown}
    known[observation.seat] = observation.hole_cards
    actions = [
        f"d dh p{number} {format_cards(known[seat]) if seat in known else _UNKNOWN}"
        for seat, number in players.items()
    ]
    live = set(players)
    for event in observation.events:
        match event:
            case ActionTaken(seat=seat):
                actions.append(f"p{players[seat]} {_move(event)}")
                if event.action.kind is ActionKind.FOLD:
                    live.discard(seat)
            case BoardDealt(cards=cards):
                actions.append(f"d db {format_cards(cards)}")
            # A showdown is between two at least; cards shown otherwise stand where they were dealt.
            case HoleCardsShown(seat=seat, hole_cards=cards) if seat in live and len(live) > 1:
                actions.append(f"p{players[seat]} sm {format_cards(cards)}")
            case HoleCardsMucked(seat=seat) if seat in live and len(live) > 1:
                actions.append(f"p{players[seat]} sm")
    return actions


def _move(event: ActionTaken) -> str:
    if event.action.kind is ActionKind.FOLD:
        return "f"
    return f"cbr {event.action.raise_to}" if event.action.kind is ActionKind.RAISE else "cc"


def _read_hand(path: str | Path, name: str, text: bytes) -> PlayedHand:
    where = f"Hand {name} of {path}"
    try:
        fields_of(text)
        found = played_hand(text)
    except ValueError as error:
        raise RecordError(
            f"{where} is damaged: {shortened(' '.join(str(error).split()).rstrip('.'), 200)}."
        ) from error
    if found is None:
        raise RecordError(f"{where} was not recorded by us: it has no field {FIELD}.")
    return found


def _whole_hands(path: Path) -> tuple[int, int]:
    """Return how many whole hands a record has, and where the last one ends; 0 without a file."""
    if not path.is_file():
        return 0, 0
    number = end = at = headers = 0
    before = b""
    with path.open("rb") as file:
        for line in file:
            at += len(line)
            headers += line.startswith(b"[")
            if line == b"\n" and before.startswith(FIELD.encode()) and before.endswith(_END[:2]):
                number, end, headers = number + 1, at, 0
            before = line
    if headers > 1 or (at and not number):
        raise RecordError(f"The file {path} holds something else: name a new file, or a record to go on with.")
    return number, end
