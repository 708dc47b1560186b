"""Guessing ranges: a moment of a stored hand, what the player draws there, and what that is worth."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import exp, sqrt

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.agents.calibration import DECILES, CalibrationTally
from engine.cards import Card, HoleCards, card_symbols
from engine.codec import StoredDataError, Vector, decode
from engine.game.events import ActionTaken, Seat
from engine.game.history import observation_at
from engine.game.observation import Observation
from engine.ranges import Range
from engine.training.guess import (
    KINDS,
    UNSURE,
    RangeGuess,
    judged_guess,
    meaning_of,
    moments_of,
    range_of_kinds,
    tally_of,
)
from engine.words import counted
from trainer.drills.schedule import now_utc
from trainer.drills.stored_hands import FinishedStoredHand, finished_hand, reader_before
from trainer.history.log_model import action_words, line_text
from trainer.jobs import Jobs
from trainer.reading.range_model import GridView, grid_of
from trainer.session.amounts import Units
from trainer.session.types import Stage as TableStage
from trainer.session.types import TableView
from trainer.storage.browse import HERE, HandFilter
from trainer.storage.store import Store

_log = logging.getLogger(__name__)

LANE = "guesses"
KIND = "range guess"
"""Of the records that guesses are stored as."""

GONE = "That hand is not stored any more, or damaged."
NO_HANDS = "There is no hand played here to guess about yet: play some first."
_TRIES = 50
_LATEST = 20
_FEW_GUESSES = 10
"""With fewer nothing is said of calibration."""

_FEW_HANDS = 10
"""Of fewer than these that a hand is one of a tenth is told."""

_KNOWN_HANDS = 40
"""Of the session, before the one asked about, that the reader has learned."""


class Stage(StrEnum):
    """What the window shows."""

    LOADING = "loading"
    ASKING = "asking"
    ANSWERED = "answered"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class GuessSpot:
    """A moment of a finished hand: what the player saw, about whom it is, what they held, and a reader's range."""

    observation: Observation
    seat: Seat
    hole_cards: HoleCards
    read: Vector

    @property
    def dead(self) -> tuple[Card, ...]:
        """Cards that they cannot hold."""
        return (*self.observation.board, *self.observation.hole_cards)


class GuessModel(QObject):
    """Asks about moments that are drawn, and keeps what guesses were worth; `seed` decides which are asked."""

    changed = Signal()

    def __init__(self, jobs: Jobs, seed: int, store: Store | None) -> None:
        super().__init__()
        self.stage = Stage.EMPTY
        self.spot: GuessSpot | None = None
        self.guess: RangeGuess | None = None
        self.problem = NO_HANDS
        self.in_big_blinds = True
        self._jobs, self._store = jobs, store
        self._rng = np.random.default_rng(seed)
        self._guesses: list[RangeGuess] = []
        if store is not None:
            jobs.submit(LANE, partial(_stored_guesses, store), self._on_stored)

    def _on_stored(self, guesses: list[RangeGuess]) -> None:
        self._guesses = [*guesses, *self._guesses]
        self.changed.emit()

    def ask(self) -> None:
        """Ask about another moment."""
        if self._store is None:
            return
        self._request(partial(_drawn, self._store, int(self._rng.integers(1 << 53))), NO_HANDS)

    def ask_about(self, hand_id: int, event_count: int, seat: Seat) -> None:
        """Ask about one moment of a stored hand: what a seat that acted last may hold."""
        if self._store is None:
            return
        self._request(partial(_chosen, self._store, hand_id, event_count, seat), GONE)

    def _request(self, work: Callable[[], GuessSpot | None], without: str) -> None:
        self.stage, self.problem = Stage.LOADING, without
        self._jobs.submit(LANE, work, self._on_drawn, on_error=self._on_failed)
        self.changed.emit()

    def _on_drawn(self, spot: GuessSpot | None) -> None:
        self.spot, self.guess = spot, None
        self.stage = Stage.EMPTY if spot is None else Stage.ASKING
        self.changed.emit()

    def _on_failed(self, error: Exception) -> None:
        self.stage, self.problem = Stage.EMPTY, f"No moment could be drawn: {error}"
        self.changed.emit()

    def take_range(self, drawn: Range) -> None:
        """Take a range that was painted."""
        spot = self.spot
        if self.stage is not Stage.ASKING or spot is None:
            return
        ties = np.random.default_rng(int(self._rng.integers(1 << 53)))
        self.guess = judged_guess(spot.observation, drawn.weights, spot.read, spot.hole_cards, ties)
        self._guesses.append(self.guess)
        self.stage = Stage.ANSWERED
        if self._store is not None:
            put = partial(self._store.records.put, KIND, now_utc().isoformat(), self.guess)
            self._jobs.submit(LANE, put, _pass)
        self.changed.emit()

    def take_kinds(self, shares: Sequence[float]) -> None:
        """Take a range by how much of it is strong, medium, weak and drawing."""
        if (found := self.range_of_kinds(shares)) is not None:
            self.take_range(found)

    def range_of_kinds(self, shares: Sequence[float]) -> Range | None:
        """Return the range that such shares stand for; None without a question."""
        if self.spot is None:
            return None
        weights = range_of_kinds(shares, self.spot.observation.board, self.spot.dead)
        return Range(weights / weights.max())

    # ---- what is shown

    @property
    def table(self) -> TableView | None:
        """The table at the moment asked about."""
        if self.spot is None:
            return None
        return TableView(TableStage.SHOWING, self.spot.observation, None, {}, ())

    @property
    def question(self) -> str:
        """Whose range is asked for, after what they did."""
        if self.stage is Stage.LOADING:
            return "A moment of your hands is being drawn…"
        if self.spot is None or self.stage is Stage.EMPTY:
            return self.problem
        seen, event = self.spot.observation, self.spot.observation.events[-1]
        assert isinstance(event, ActionTaken)
        name = seen.view(self.spot.seat).name
        return f"{name} {action_words(event, Units.of(seen, self.in_big_blinds))}. What may {name} hold?"

    @property
    def line(self) -> str:
        """What was done up to the moment asked about."""
        if self.spot is None or self.stage not in (Stage.ASKING, Stage.ANSWERED):
            return ""
        seen = self.spot.observation
        return line_text(seen.events, Units.of(seen, self.in_big_blinds))

    @property
    def meanings(self) -> tuple[str, ...]:
        """What hands of each of `KINDS` are on the board asked about."""
        is_before = self.spot is None or not self.spot.observation.board
        return tuple(f"Hands that {meaning_of(kind, is_before_the_flop=is_before)}" for kind in KINDS)

    @property
    def verdict(self) -> str:
        """What the guess was worth, in a sentence for each who guessed."""
        if self.guess is None or self.spot is None:
            return ""
        you, reader, uniform = self.guess.losses
        name = self.spot.observation.view(self.spot.seat).name
        best = "you" if you < min(reader, uniform) else "the reader" if reader < uniform else "knowing nothing"
        return (
            f"{name} held {card_symbols(self.spot.hole_cards)}. Your range has it {_one_in(you)}, the reader's "
            f"{_one_in(reader)}, all hands alike {_one_in(uniform)}. Best here: {best}."
        )

    @property
    def about(self) -> str:
        """What these numbers are."""
        return (
            "What counts is how likely a range makes the hand that was held: 1 in as few as may be, at best that "
            "hand alone. One guess says little; of many it is the geometric mean. "
            f"Of your range {UNSURE:.0%} is spread over all hands, so that no miss costs everything. "
            "The reader knew what earlier sessions have kept, and the hands of the session before it, the last "
            f"{_KNOWN_HANDS} at most."
        )

    @property
    def read_grid(self) -> GridView | None:
        """What the reader made of it, once it was answered."""
        if self.spot is None or self.stage is not Stage.ANSWERED:
            return None
        return grid_of(self.spot.read, self.spot.dead, self.spot.observation.hole_cards)

    @property
    def trend(self) -> str:
        """How the guesses have gone: means with their errors, the latest beside the earlier, and calibration."""
        if not self._guesses:
            return ""
        you, reader = tally_of(self._guesses), tally_of(self._guesses, is_reader=True)
        count = len(self._guesses)
        lines = [
            f"{counted(count, 'guess', 'guesses')}: your ranges have the hand held {_mean(you)}, the reader's "
            f"{_mean(reader)}, all hands alike {_one_in(float(np.mean([one.losses[2] for one in self._guesses])))}."
        ]
        latest, earlier = self._guesses[-_LATEST:], self._guesses[:-_LATEST]
        if earlier:
            lines.append(f"The last {len(latest)}: {_mean(tally_of(latest))}, before {_mean(tally_of(earlier))}.")
        deciles = you.calibration.deciles
        if deciles is not None and count >= _FEW_GUESSES:
            half = sum(deciles[: DECILES // 2])
            lines.append(
                f"In the likelier half of your ranges lay {half:.0%} ± {sqrt(0.25 / count):.0%} of the true hands; "
                "50% would be just right, less is overconfidence."
            )
        return "\n".join(lines)


def _one_in(loss: float, stderr: float | None = None) -> str:
    """Write the probability whose -ln is lost, as of how many hands that are alike it is one."""
    worth = exp(loss)
    digits = 0 if worth >= _FEW_HANDS else 1
    return f"1 in {worth:,.{digits}f}" + ("" if stderr is None else f" ± {worth * stderr:,.{digits}f}")


def _mean(tally: CalibrationTally) -> str:
    found = tally.calibration
    assert found.log_loss is not None
    return _one_in(found.log_loss, found.stderr)


def _pass(_nothing: object) -> None:
    """Have it stored, and go on."""


def _stored_guesses(store: Store) -> list[RangeGuess]:
    """Return the guesses in the order in which they were made, without those that are damaged."""
    guesses = []
    for data in store.records.all(KIND).values():
        try:
            guesses.append(decode(data, RangeGuess))
        except StoredDataError as error:
            _log.warning("A guess is left out: %s", error)
    return guesses


def _drawn(store: Store, seed: int) -> GuessSpot | None:
    """Draw a moment of a hand played here, each hand alike, then each moment; None if there is none. In a lane."""
    rng = np.random.default_rng(seed)
    # Of hands from elsewhere mostly those cards are known that were shown, and those are strong.
    numbers = store.browse.find(HandFilter(site=HERE)).hand_ids
    for _ in range(_TRIES if len(numbers) else 0):
        hand = finished_hand(store, int(numbers[int(rng.integers(len(numbers)))]))
        if hand is not None and (moments := moments_of(hand.final, hand.hole_cards)):
            return _spot_of(store, hand, *moments[int(rng.integers(len(moments)))])
    return None


def _chosen(store: Store, hand_id: int, event_count: int, seat: Seat) -> GuessSpot | None:
    """Return a moment of a hand; None if the hand is gone. In a lane."""
    hand = finished_hand(store, hand_id)
    return _spot_of(store, hand, event_count, seat) if hand is not None and seat in hand.hole_cards else None


def _spot_of(store: Store, hand: FinishedStoredHand, event_count: int, seat: Seat) -> GuessSpot:
    spot = observation_at(hand.final, event_count)
    reader = reader_before(store, hand.row, _KNOWN_HANDS)
    read = next(one.posterior for one in reader.read(spot) if one.seat == seat)
    return GuessSpot(spot, seat, hand.hole_cards[seat], read)
