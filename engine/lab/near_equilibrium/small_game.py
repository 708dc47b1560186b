"""The cards of the small game: deals of real hands, of which only the buckets are kept, and who wins by them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.near_equilibrium.betting_tree import End
from engine.agents.near_equilibrium.buckets import bucket_count, bucket_of, preflop_buckets
from engine.cards import BOARD_SIZE, CARD_COUNT, Card, Street
from engine.equity.matchups import heads_up_table
from engine.strength import strength

HANDS_PER_BOARD = 10
"""Pairs of hands dealt on each board: most of the time goes into equities, which all hands on a board share."""

_EVEN_DEALS = 20
"""Deals of an even result that every pair of buckets begins with, so that a rare one is not all or nothing."""


class Deals(NamedTuple):
    """Deals to both players.

    Attributes
    ----------
    buckets : ndarray of uint8, shape (n, 4, 2)
        By street and player, small blind first.
    shares : ndarray of float32, shape (n,)
        What the small blind's hand wins of the pot on the river: 1, 1/2 or 0.
    """

    buckets: NDArray[np.uint8]
    shares: NDArray[np.float32]


def deal(count: int, seed: int) -> Deals:
    """Return so many deals, rounded up to whole boards; about half a millisecond each."""
    random = np.random.default_rng(seed)
    boards = -(-count // HANDS_PER_BOARD)
    buckets = np.empty((boards * HANDS_PER_BOARD, len(Street), 2), np.uint8)
    shares = np.empty(len(buckets), np.float32)
    for row in range(0, len(buckets), HANDS_PER_BOARD):
        deck = [Card(card) for card in random.permutation(CARD_COUNT).tolist()]
        board = tuple(deck[:5])
        for at in range(row, row + HANDS_PER_BOARD):
            cards = [deck[5 + place] for place in random.permutation(CARD_COUNT - 5)[:4].tolist()]
            hands = (cards[0], cards[1]), (cards[2], cards[3])
            for street, size in BOARD_SIZE.items():
                buckets[at, street] = [bucket_of(hand, board[:size]).number for hand in hands]
            first, second = (strength((*hand, *board)) for hand in hands)
            shares[at] = 0.5 * (1 + (first > second) - (first < second))
    return Deals(buckets, shares)


Odds = tuple[NDArray[np.float64], ...]
"""For each street, what a hand of one bucket (row) wins of the pot at a showdown with another (column), 0-1."""


def showdown_odds(deals: Deals) -> Odds:
    """Return what buckets win if all cards to come are dealt at once: exact before the flop, else counted."""
    return _preflop_odds(), *(_counted_odds(deals, street) for street in (Street.FLOP, Street.TURN, Street.RIVER))


def _preflop_odds() -> NDArray[np.float64]:
    """Return what buckets win on average over their combos that share no card."""
    equities = heads_up_table().equities()
    is_of = np.eye(bucket_count(Street.PREFLOP))[preflop_buckets()]
    totals = is_of.T @ equities @ is_of
    # An equity of 0 is that of two combos that share a card: no hand loses to another on every board.
    odds: NDArray[np.float64] = totals / (is_of.T @ (equities > 0).astype(np.float64) @ is_of)
    return odds


def _counted_odds(deals: Deals, street: Street) -> NDArray[np.float64]:
    count = bucket_count(street)
    first, second = deals.buckets[:, street].T.astype(np.int64)
    shares = deals.shares.astype(np.float64)
    size = count * count
    # Each deal counts for both players, so that the odds of a pair and of its mirror sum to 1.
    won = np.bincount(first * count + second, shares, size) + np.bincount(second * count + first, 1 - shares, size)
    met = np.bincount(first * count + second, minlength=size) + np.bincount(second * count + first, minlength=size)
    odds: NDArray[np.float64] = ((won + _EVEN_DEALS / 2) / (met + _EVEN_DEALS)).reshape(count, count)
    return odds


def winnings(end: End, share: float) -> float:
    """Return what the small blind wins at the end of a hand, in chips, if a showdown gives them a share of the pot.

    >>> from engine.agents.near_equilibrium.betting_tree import End
    >>> winnings(End((300, 300), None, Street.RIVER), 1.0), winnings(End((50, 100), 0, Street.PREFLOP), 0.5)
    (300.0, -50.0)
    """
    if end.folder is not None:
        return float(-end.committed[0] if end.folder == 0 else end.committed[1])
    return (2 * share - 1) * min(end.committed)
