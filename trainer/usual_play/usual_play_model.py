"""What a chart shows: how often players get to a decision with each hand class, and what they do with it there."""

from functools import partial
from typing import Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.agents.value_reasons import rounded_parts
from engine.cards import (
    CLASS_COUNT,
    COMBO_CLASS,
    HandClass,
    Street,
    card_symbols,
    cards_of,
    class_name,
    class_of,
    combo_of,
    combos_of_class,
    unblocked,
)
from engine.game.events import ActionTaken, PublicEvent
from engine.game.history import HandState, decided_next
from engine.game.observation import HandView, Observation
from engine.ranges import format_range
from engine.training.usual_play import (
    MOST_SEATS,
    Facing,
    PreflopSpot,
    SpotError,
    UsualPlay,
    acting_order,
    depths,
    faced_at,
    preflop_events,
    spot_text,
    usual_play,
)
from trainer.jobs import Jobs
from trainer.reading.range_model import hand_points
from trainer.widgets.action_chart_model import RAISING, Share, kinds_in_use

LANE: Final = "charts"
NOBODY_ACTED: Final = "Nobody has acted at the table yet."
NOTE: Final = (
    "How players of recorded hands play, which is no solution of the game: Pluribus and professionals, or online "
    "players of small stakes; heads-up DeepStack and professionals. Before the flop shares are off by about one "
    "percentage point, behind a raise that was called by three."
)
_OF_SIX: Final = f"Recorded hands have {MOST_SEATS} players at most: with more this is a guess."

_LEAST = 1e-12
_HARDLY_EVER = 0.02  # of how often the likeliest hand gets here


class ChartView:
    """A decision, as `trainer.widgets.action_chart_model.ActionView` has it; `own` where it is the player's."""

    def __init__(self, play: UsualPlay, events: tuple[PublicEvent, ...], title: str, own: HandClass | None) -> None:
        hand = HandState.after(events[:-1])
        is_raised = hand.street is Street.PREFLOP or not play.can_check
        self.title, self.own = title, own
        self.note = _OF_SIX if len(hand.seats) > MOST_SEATS else ""
        self.names = ("Fold", "Check" if play.can_check else "Call", "Raise" if is_raised else "Bet")
        self.can_check = play.can_check
        self._play = play
        parts = rounded_parts([float(play.totals[kind]) for kind in self.kinds], 1)
        self.totals = tuple(
            Share(kind, self.names[kind], f"{part:.1f}%") for kind, part in zip(self.kinds, parts, strict=True)
        )
        self._live = unblocked(hand.board)
        live = np.bincount(COMBO_CLASS, self._live, CLASS_COUNT)
        sums = np.bincount(COMBO_CLASS, play.reach, CLASS_COUNT)
        self.is_blocked: NDArray[np.bool_] = live == 0
        reach = sums / np.maximum(live, 1)
        self.reach: NDArray[np.float64] = reach / reach.max()
        # The mean over the live combos of each class, by how often each gets here.
        weights = np.where(self._live, np.maximum(play.reach, _LEAST), 0)
        done = [np.bincount(COMBO_CLASS, weights * shares, CLASS_COUNT) for shares in play.shares.T]
        every = np.bincount(COMBO_CLASS, weights, CLASS_COUNT)
        self.shares: NDArray[np.float64] = np.stack(done, axis=1) / np.where(live, every, 1)[:, None]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of action that there are, as they stand beside each other."""
        return kinds_in_use(can_check=self.can_check)

    @property
    def text(self) -> str:
        """All of it as plain text."""
        ranges = (format_range(self._play.range_of(kind)) for kind in self.kinds)
        lines = (f"{one.name} {one.text}: {hands}".rstrip() for one, hands in zip(self.totals, ranges, strict=True))
        return "\n".join((self.title, *lines))

    def describe(self, cell: int) -> str:
        """Say what is done with a class."""
        if self.is_blocked[cell]:
            return f"{class_name(cell)}: on the board"
        rare = ", a hand that hardly ever gets here" if self.reach[cell] < _HARDLY_EVER else ""
        return f"{class_name(cell)}: {self._said(self.shares[cell])}{rare}"

    def combos(self, cell: int) -> tuple[str, ...]:
        """Return a line for each live combo of a class, where they differ."""
        live = [combo for combo in combos_of_class(HandClass(cell)) if self._live[combo]]
        shares = self._play.shares[live]
        if not live or np.ptp(shares, axis=0).max() < 0.005:
            return ()
        order = np.argsort(-shares[:, RAISING], kind="stable")
        return tuple(f"{card_symbols(cards_of(live[at]))}: {self._said(shares[at])}" for at in order)

    def _said(self, shares: NDArray[np.float64]) -> str:
        parts = rounded_parts([float(shares[kind]) for kind in self.kinds], 0)
        return ", ".join(
            f"{self.names[kind].lower()} {part:.0f}%" for kind, part in zip(self.kinds, parts, strict=True)
        )


class UsualPlayModel(QObject):
    """Holds what is asked about, a spot or a decision at the table, and works its chart out in a lane."""

    changed = Signal()  # `view` and `message` are others

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.spot = PreflopSpot(position="UTG")
        self.is_spot = True  # else a decision of a hand is shown
        self.is_at_table = False
        self.view: ChartView | None = None
        self.message = ""  # why there is no chart, one sentence

    @property
    def positions(self) -> tuple[str, ...]:
        """The positions of a table of so many, in the order in which they act."""
        return acting_order(self.spot.seats)

    @property
    def faced(self) -> tuple[str, ...]:
        """What there may be before the player, in words."""
        return tuple(spot_text(_facing(self.spot, faced)).partition(": ")[2] for faced in self._faced)

    @property
    def faced_at(self) -> int:
        """Which of `faced` it is."""
        return self._faced.index(_faced_of(self.spot))

    @property
    def _faced(self) -> tuple[tuple[Facing, str, str], ...]:
        return faced_at(self.spot.seats, self.spot.position)

    def ask(self, spot: PreflopSpot) -> None:
        """Ask about a spot; what does not fit a new table or position becomes the nearest that does."""
        names = acting_order(spot.seats)
        position = spot.position if spot.position in names else names[0]
        faced = faced_at(spot.seats, position)
        before = _faced_of(spot) if _faced_of(spot) in faced else faced[0]
        least, most = depths(spot.seats)
        stack = min(max(spot.stack_bb, least), most)
        self.spot = _facing(structs.replace(spot, position=position, stack_bb=stack), before)
        self.is_spot, self.is_at_table = True, False
        self._submit(partial(_chart_of_spot, self.spot))

    def choose_faced(self, index: int) -> None:
        """Ask about another of `faced`."""
        self.ask(_facing(self.spot, self._faced[index]))

    def ask_at_table(self, seen: HandView | None, *, in_big_blinds: bool) -> None:
        """Ask about the decision that the table is at; None where there is no hand."""
        self.is_spot, self.is_at_table = False, True
        self._ask_decision(seen, f"Hand {seen.hand_number}" if seen is not None else "", in_big_blinds)

    def ask_exercise(self, seen: Observation, *, in_big_blinds: bool) -> None:
        """Ask about the decision of an exercise."""
        self.is_spot, self.is_at_table = False, False
        self._ask_decision(seen, "Exercise", in_big_blinds)

    def _ask_decision(self, seen: HandView | None, of: str, in_big_blinds: bool) -> None:
        """Ask about the player's turn, or else the newest action of a hand as it is seen."""
        if seen is None or not (events := _decision(seen)):
            self._jobs.cancel(LANE)
            self.view, self.message = None, NOBODY_ACTED
            self.changed.emit()
        else:
            self._submit(partial(_chart_of_hand, seen, events, of, in_big_blinds=in_big_blinds))

    def _submit(self, work: partial[ChartView]) -> None:
        self._jobs.submit(LANE, work, self._on_chart, on_error=self._on_error, newest_wins=True)

    def _on_chart(self, view: ChartView) -> None:
        self.view, self.message = view, ""
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        if not isinstance(error, SpotError):
            raise error
        self.view, self.message = None, str(error)
        self.changed.emit()


def _faced_of(spot: PreflopSpot) -> tuple[Facing, str, str]:
    return spot.facing, spot.other, spot.caller


def _facing(spot: PreflopSpot, faced: tuple[Facing, str, str]) -> PreflopSpot:
    """Return the spot with something else before the player."""
    facing, other, caller = faced
    return structs.replace(spot, facing=facing, other=other, caller=caller)


def _decision(seen: HandView) -> tuple[PublicEvent, ...]:
    """Return the events up to the decision that is meant, with an action; () without any."""
    if isinstance(seen, Observation) and seen.legal is not None:
        return decided_next(seen)
    last = max((at for at, event in enumerate(seen.events) if isinstance(event, ActionTaken)), default=-1)
    return seen.events[: last + 1]


def _chart_of_spot(spot: PreflopSpot) -> ChartView:
    events = preflop_events(spot)
    return ChartView(usual_play(events), events, spot_text(spot), None)


def _chart_of_hand(seen: HandView, events: tuple[PublicEvent, ...], of: str, *, in_big_blinds: bool) -> ChartView:
    taken = events[-1]
    assert isinstance(taken, ActionTaken)
    if len(events) > len(seen.events):
        on = "before the flop" if seen.street is Street.PREFLOP else f"on the {seen.street.name.lower()}"
        title = f"your decision {on}"
    else:
        title = next(point.label for point in hand_points(seen, in_big_blinds) if point.event_count == len(events))
        title = title[0].lower() + title[1:]
    is_own = isinstance(seen, Observation) and taken.seat == seen.seat
    own = class_of(combo_of(*seen.own_cards)) if is_own else None
    return ChartView(usual_play(events), events, f"{of}, {title}", own)
