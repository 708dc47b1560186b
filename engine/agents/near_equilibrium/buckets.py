"""The buckets of the small game: hands that its strategy takes for the same.

A hand is in a band of its equity against a random hand. On flop and turn those with a flush draw or an open-ended
straight draw that are no good hands yet have a bucket of their own.
"""

from bisect import bisect
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.fold.opponent_model import win_probabilities
from engine.cards import BOARD_SIZE, Card, HoleCards, Street, combo_of
from engine.preflop import equity_against_random
from engine.strength import Draw, draws

_CUTS = {
    Street.PREFLOP: (0.36, 0.40, 0.44, 0.48, 0.52, 0.56, 0.60, 0.64, 0.68, 0.74, 0.79, 0.81, 0.84),
    Street.FLOP: (0.33, 0.43, 0.53, 0.63, 0.73, 0.82, 0.90),
    Street.TURN: (0.25, 0.40, 0.52, 0.64, 0.75, 0.85, 0.93),
    Street.RIVER: (0.20, 0.40, 0.55, 0.68, 0.80, 0.89, 0.95, 0.98),
}
"""Equities at which one band ends and the next begins."""

_DRAW_BELOW = {Street.FLOP: 0.63, Street.TURN: 0.64}
"""Equities below which a strong draw is in the bucket of draws, the last one."""

_STRONG_DRAWS = {Draw.FLUSH, Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT}


class HandBucket(NamedTuple):
    """The bucket of a hand on a street, from 0 on, and the equity against a random hand that puts it there, 0-1."""

    number: int
    equity: float


def bucket_count(street: Street) -> int:
    """Return how many buckets a street has.

    >>> [bucket_count(street) for street in Street]
    [14, 9, 9, 9]
    """
    return len(_CUTS[street]) + 1 + (street in _DRAW_BELOW)


def preflop_buckets() -> NDArray[np.int64]:
    """Return the bucket of every combo before the flop: int64, shape (1326,)."""
    return np.searchsorted(_CUTS[Street.PREFLOP], equity_against_random(1), side="right")


def bucket_of(hole_cards: HoleCards, board: tuple[Card, ...]) -> HandBucket:
    """Return the bucket of a hand; about 1 ms for a new flop.

    >>> from engine.cards import parse_cards
    >>> [bucket_of(parse_cards(hand), ()).number for hand in ("AsAh", "KsKd", "AsKs", "7s2d")]
    [13, 12, 8, 0]
    >>> [bucket_of(parse_cards(hand), parse_cards("Qh7h2c")).number for hand in ("7s7d", "KsQs", "6h5h", "Jc9d")]
    [7, 6, 8, 1]
    """
    street = next(street for street, size in BOARD_SIZE.items() if size == len(board))
    equities = win_probabilities(tuple(sorted(board))) if board else equity_against_random(1)
    equity = float(equities[combo_of(*hole_cards)])
    if equity < _DRAW_BELOW.get(street, 0.0) and _STRONG_DRAWS.intersection(draws(hole_cards, board)):
        return HandBucket(bucket_count(street) - 1, equity)
    return HandBucket(bisect(_CUTS[street], equity), equity)


def middle_equities(street: Street) -> NDArray[np.float64]:
    """Return the equity in the middle of each bucket, 0-1: float64, shape (buckets,)."""
    ends = [0.0, *_CUTS[street], 1.0]
    middles = [(low + high) / 2 for low, high in pairwise(ends)]
    if street in _DRAW_BELOW:
        # Draws have about a third at least.
        middles.append((1 / 3 + _DRAW_BELOW[street]) / 2)
    return np.array(middles)


def bucket_text(street: Street, number: int) -> str:
    """Say which hands are in a bucket.

    >>> [bucket_text(Street.FLOP, number) for number in (0, 4, 7, 8)]
    ['less than 33% equity', '63-73% equity', '90% equity or more', 'a strong draw with less than 63% equity']
    """
    cuts = _CUTS[street]
    if number > len(cuts):
        return f"a strong draw with less than {_DRAW_BELOW[street]:.0%} equity"
    if number == 0:
        return f"less than {cuts[0]:.0%} equity"
    if number == len(cuts):
        return f"{cuts[-1]:.0%} equity or more"
    return f"{100 * cuts[number - 1]:.0f}-{cuts[number]:.0%} equity"
