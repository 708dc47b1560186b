"""Several ranges dealt together, no card to two players: all deals, and how likely each combo is.

`live` is each player's weights without what can never be dealt: float64, shape (players, 1326).
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK

Sums: TypeAlias = NDArray[np.float64]

MOST_JOINT_DEALS: Final = 2_000_000  # deals listed one by one: 100 MB at most
_MOST_PAIRINGS = 4_000_000  # combinations tested for a clash at once

_HIGH, _LOW = COMBO_CARDS.T.astype(np.int64)
_ROUNDED: Final = 1e-9  # of all weight: what is less is added up again, as differences are off by 1e-16 of it


def joint_deals(live: Sums, most: int) -> tuple[NDArray[np.int16], Sums] | None:
    """List all deals without a clash, shape (n, players), and their weights; None if there are too many."""
    deals = np.zeros((1, 0), dtype=np.int16)
    weights = np.ones(1)
    used = np.zeros(1, dtype=np.uint64)
    for player in live:
        combos = np.flatnonzero(player)
        # A card dealt before is in at most 51 of the combos, so at least so many deals have no clash.
        at_least = len(deals) * (len(combos) - 51 * 2 * deals.shape[1])
        if at_least > most or len(deals) * len(combos) > _MOST_PAIRINGS:
            return None
        rows, columns = np.nonzero((used[:, None] & COMBO_MASK[combos]) == 0)
        if len(rows) > most:
            return None
        combos = combos[columns]
        deals = np.column_stack([deals[rows], combos.astype(np.int16)])
        weights = weights[rows] * player[combos]
        used = used[rows] | COMBO_MASK[combos]
    return deals, weights


def unblocked_weight(weights: Sums) -> Sums:
    """Return for every combo the weight of a range's combos that share no card with it: shape (1326,)."""
    high, low = COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]
    by_card = np.bincount(high, weights, CARD_COUNT) + np.bincount(low, weights, CARD_COUNT)
    left: Sums = weights.sum() - by_card[high] - by_card[low] + weights
    return left


def joint_marginals(live: Sums) -> Sums:
    """Return the probability of every combo of every player, all players being dealt cards together.

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
    `engine.kernels.equity.hero`. Two players take 0.1 ms, three 4 ms.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> from engine.ranges import parse_range
    >>> ace_king, aces = parse_range("AsKs").weights, parse_range("AA,QQ").weights
    >>> mine, theirs = joint_marginals(np.array([ace_king, aces], dtype=np.float64))
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
    """Return for every held combo the weight of the deals of up to two other ranges that leave it its cards."""
    if len(others) == 0:
        return np.ones(COMBO_COUNT)
    left = unblocked_weight(others[0])
    most = others[0].sum()
    if len(others) == 2:
        second = unblocked_weight(others[1])
        most *= others[1].sum()
        # All pairs, less those that share a card, plus those that share both, which were taken twice.
        sharing = np.einsum("ij,ij->i", _unblocked_by_card(others[0]), _unblocked_by_card(others[1]))
        left = left * second - sharing + unblocked_weight(others[0] * others[1])
    for combo in np.flatnonzero(held & (left < _ROUNDED * most)):
        left[combo] = _added_up(others, COMBO_MASK[combo])
    return left


def _added_up(others: Sums, mask: np.uint64) -> float:
    """Return the weight of the deals of one or two ranges that leave some cards, with nothing subtracted."""
    rows = [np.flatnonzero(row * ((COMBO_MASK & mask) == 0)) for row in others]
    if len(others) == 1:
        return float(others[0][rows[0]].sum())
    is_free = (COMBO_MASK[rows[0]][:, None] & COMBO_MASK[rows[1]]) == 0
    return float(others[0][rows[0]] @ np.where(is_free, others[1][rows[1]], 0).sum(axis=1))


def _unblocked_by_card(weights: Sums) -> Sums:
    """Return for every combo and card the weight of a range's combos with that card but none of the combo's."""
    pairs = np.zeros((CARD_COUNT, CARD_COUNT))
    pairs[_HIGH, _LOW] = pairs[_LOW, _HIGH] = weights
    left: Sums = pairs.sum(axis=0) - pairs[_HIGH] - pairs[_LOW]
    rows = np.arange(COMBO_COUNT)
    left[rows, _HIGH] = left[rows, _LOW] = 0
    return left
