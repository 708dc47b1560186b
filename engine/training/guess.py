"""A player's own reading: which moment of a hand is guessed about, and what a drawn range was worth.

Moments are drawn over all actions of others but folds, whether they showed their cards in the end or not: a moment
that is chosen because of a showdown would be one of strong hands.
"""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from msgspec import Struct

from engine.agents.calibration import FLOOR, CalibrationTally, JudgedPoint, judge
from engine.agents.fold.parameters import default_parameters
from engine.agents.reading import hand_kinds
from engine.cards import Card, HoleCards, combo_of, unblocked
from engine.codec import Vector, frozen_vector
from engine.game.events import ActionKind, ActionTaken, Seat
from engine.game.observation import Observation

UNSURE = 0.02
"""This part of every drawn range is spread over all hands, as nobody can be sure: it bounds what a miss costs."""

KINDS = ("strong", "medium", "weak", "drawing")
_KIND_OF = np.array([0, 0, 1, 2, 3])  # of `hand_kinds`, super-strong and strong being one


def meaning_of(kind: str, *, is_before_the_flop: bool = False) -> str:
    """Say which hands are of a kind, after "hands that"; before the flop none is drawing.

    >>> meaning_of("medium", is_before_the_flop=True)
    'are among the best 20%, but not the best 5%'
    """
    bounds = default_parameters().prediction
    if is_before_the_flop:
        most, more = 1 - bounds.preflop_strong, 1 - bounds.preflop_medium
        return {
            "strong": f"are among the best {most:.0%}",
            "medium": f"are among the best {more:.0%}, but not the best {most:.0%}",
            "weak": f"are not among the best {more:.0%}",
            "drawing": "wait for one more card: none before the flop",
        }[kind]
    return {
        "strong": f"have {bounds.strong:.0%} equity or more against any two cards",
        "medium": f"have {bounds.medium:.0%} to {bounds.strong:.0%} equity against any two cards, and are no draws",
        "weak": f"have less than {bounds.medium:.0%} equity against any two cards, and are no draws",
        "drawing": f"are four to a flush, open-ended, or have {bounds.draw_outs} outs or more, and are not strong",
    }[kind]


class RangeGuess(Struct, frozen=True):
    """One guess: the probability of the true hand 0-1, and its place 0-1 in the mass, by the player and a reader.

    `uniform` is the probability of the true hand if all hands were alike.
    """

    street: str
    you: JudgedPoint
    reader: JudgedPoint
    uniform: float

    @property
    def losses(self) -> tuple[float, float, float]:
        """What the player, the reader and who knows nothing lose, in nats: `-ln` of the true hand's probability."""
        return _nats(self.you.probability), _nats(self.reader.probability), _nats(self.uniform)


def _nats(probability: float) -> float:
    return -log(max(probability, FLOOR))


def moments_of(final: Observation, hole_cards: Mapping[Seat, HoleCards]) -> tuple[tuple[int, Seat], ...]:
    """Return the moments of a finished hand to guess about: how many events had happened, and about whom.

    `hole_cards` are of all who were dealt in; who is missing is left out.
    """
    return tuple(
        (count, event.seat)
        for count, event in enumerate(final.events, start=1)
        if isinstance(event, ActionTaken)
        and event.action.kind is not ActionKind.FOLD
        and event.seat != final.seat
        and event.seat in hole_cards
    )


def range_of_kinds(shares: Sequence[float], board: Sequence[Card], dead: Sequence[Card]) -> Vector:
    """Return the range in which each of `KINDS` has such a share, its hands being alike.

    Parameters
    ----------
    shares : sequence of float
        0 or more, on any scale; if none is more than 0 where there are such hands, all hands are alike.
    dead : sequence of Card
        Cards that no hand of the range has.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        Sums to 1.
    """
    kinds = _KIND_OF[hand_kinds(tuple(sorted(board)), default_parameters().prediction)]
    live = unblocked(dead)
    counts = np.bincount(kinds[live], minlength=len(KINDS))
    each = np.divide(shares, counts, out=np.zeros(len(KINDS)), where=counts > 0)
    weights = np.where(live, each[kinds], 0.0)
    if not weights.any():
        weights = live.astype(np.float64)
    return frozen_vector(weights / weights.sum())


def judged_guess(
    spot: Observation, drawn: Vector, read: Vector, hole_cards: HoleCards, ties: np.random.Generator
) -> RangeGuess:
    """Judge a range that was drawn, and the reader's, by the hand that was held.

    Parameters
    ----------
    spot : Observation
        The moment guessed about, as the player saw it.
    drawn, read : ndarray of float32, shape (1326,)
        Weights of all combos on any scale. Of an empty range, and of `UNSURE` of any other, all hands are alike.
    """
    dead = (*spot.board, *spot.hole_cards)
    live = unblocked(dead).astype(np.float64)
    even = live / live.sum()
    mass = drawn * live
    total = float(mass.sum())
    own = even if total <= 0 else (1 - UNSURE) * mass / total + UNSURE * even
    truth, tie = combo_of(*hole_cards), float(ties.random())
    return RangeGuess(
        spot.street.name.lower(),
        judge(frozen_vector(own), truth, dead, tie),
        judge(read, truth, dead, tie),
        float(even[truth]),
    )


def tally_of(guesses: Sequence[RangeGuess], *, is_reader: bool = False) -> CalibrationTally:
    """Return the calibration of the player's guesses, or of the reader's about the same hands, a guess a hand."""
    tally = CalibrationTally()
    for guess in guesses:
        tally = tally.add([guess.reader if is_reader else guess.you])
    return tally
