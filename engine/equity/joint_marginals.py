"""How likely each combo is when several ranges are dealt together: cards that one player holds, no other does.

`live` is each player's weights without what can never be dealt: float64, shape (players, 1326).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.equity.exact import weight_beside
from engine.equity.joint import Sums

_HIGH, _LOW = COMBO_CARDS.T.astype(np.int64)
_ROUNDED: Final = 1e-9  # of all weight: what is less is added up anew, as differences are off by 1e-16 of it


def joint_weights(live: Sums) -> Sums:
    """Give the probability of every combo of every player, all players being dealt cards together.

    Parameters
    ----------
    live : ndarray of float64, shape (players, 1326)
        At most three of the players hold more than one combo.

    Returns
    -------
    ndarray of float64, shape (players, 1326)
        Rows that sum to 1.

    Notes
    -----
    Exact: the disjoint pairs of combos of two ranges are counted by inclusion and exclusion, as in
    `engine.kernels.hero`. Two players take 0.1 ms, three 4 ms.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> from engine.ranges import parse_range
    >>> ace_king, aces = parse_range("AsKs").weights, parse_range("AA,QQ").weights
    >>> mine, theirs = joint_weights(np.array([ace_king, aces], dtype=np.float64))
    >>> round(float(theirs[combo_of(*parse_cards("AhAd"))]), 4)  # one of three pairs of aces and six of queens
    0.1111
    """
    weights = live / live.max(axis=1, keepdims=True)
    is_known = np.count_nonzero(weights, axis=1) == 1
    taken = np.bitwise_or.reduce(COMBO_MASK[weights[is_known].argmax(axis=1)], initial=np.uint64(0))
    ranges = weights[~is_known] * ((COMBO_MASK & taken) == 0)
    found = [row * _weight_left(np.delete(ranges, i, axis=0), row > 0) for i, row in enumerate(ranges)]
    weights[~is_known] = np.reshape(found, ranges.shape)
    shares: Sums = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _weight_left(others: Sums, held: NDArray[np.bool_]) -> Sums:
    """Give for every held combo the weight of the deals of up to two other ranges that leave it its cards."""
    if len(others) == 0:
        return np.ones(COMBO_COUNT)
    left = weight_beside(others[0])
    most = others[0].sum()
    if len(others) == 2:
        second = weight_beside(others[1])
        most *= others[1].sum()
        # All pairs, less those that share a card, plus those that share both, which were taken twice.
        sharing = np.einsum("ij,ij->i", _by_card_beside(others[0]), _by_card_beside(others[1]))
        left = left * second - sharing + weight_beside(others[0] * others[1])
    for combo in np.flatnonzero(held & (left < _ROUNDED * most)):
        left[combo] = _added_up(others, COMBO_MASK[combo])
    return left


def _added_up(others: Sums, mask: np.uint64) -> float:
    """Give the weight of the deals of one or two ranges that leave some cards, with nothing subtracted."""
    rows = [np.flatnonzero(row * ((COMBO_MASK & mask) == 0)) for row in others]
    if len(others) == 1:
        return float(others[0][rows[0]].sum())
    is_free = (COMBO_MASK[rows[0]][:, None] & COMBO_MASK[rows[1]]) == 0
    return float(others[0][rows[0]] @ np.where(is_free, others[1][rows[1]], 0).sum(axis=1))


def _by_card_beside(weights: Sums) -> Sums:
    """Give for every combo and card the weight of a range's combos with that card but none of the combo's."""
    pairs = np.zeros((CARD_COUNT, CARD_COUNT))
    pairs[_HIGH, _LOW] = pairs[_LOW, _HIGH] = weights
    beside: Sums = pairs.sum(axis=0) - pairs[_HIGH] - pairs[_LOW]
    rows = np.arange(COMBO_COUNT)
    beside[rows, _HIGH] = beside[rows, _LOW] = 0
    return beside
