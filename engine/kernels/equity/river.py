"""Every combo at once against a weighted range on a complete board, in one pass.

As `engine.kernels.equity.sweep`, with one set of running totals and nothing to take back.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, PAIR_COUNT, card_mask
from engine.kernels.equity.showdown_order import CARDS, HIGH_RANK, LOW_RANK, NO_RANK, TIED, river_order
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.vector import add_scaled4, set_difference4, sum_square4

# Where the row of each card by the lower ones begins, if rows go to the end of the card's rank.
_ROW_AT = np.array([4 * (rank + 1) * (2 * rank + suit) for rank in range(13) for suit in range(4)])
_ROWS = int(_ROW_AT[-1]) + 52
_PLACE = np.array([[_ROW_AT[max(i, j)] + min(i, j) for j in range(52)] for i in range(52)], dtype=np.int16)
# Unsigned places: numba lets signed ones count from the end, and the compiler gives up on vectors.
_ZERO, _POSSIBLE, _LIVE = np.uint64(0), np.uint64(CARDS), np.uint64(2 * CARDS)
_WON, _UNBLOCKED = np.uint64(_ROWS), np.uint64(COMBO_COUNT)
_MOST, _LEAST = 1e100, 1e-100


@kernel
def sweep_river(
    items: NDArray[np.int16],
    suit: int,
    known: int,
    weights: NDArray[np.float64],
    at_tie: float,
    sums: NDArray[np.float64],
    equities: NDArray[np.float32],
) -> bool:
    """Find what every combo wins on a complete board, in one pass.

    Parameters
    ----------
    items : ndarray of int16
        The board's hands in showdown order, as `list_passes` lists them.
    suit : int
        Of the flushes that can be held, or -1.
    known : int
        Mask of the cards that nobody holds.
    weights : ndarray of float64, shape (1326,)
    at_tie : float
    sums : ndarray of float64, shape (2652,)
        Filled: `won` and then `unblocked`, as `sweep_range` returns them.
    equities : ndarray of float32, shape (1326,)
        Filled: see `sweep_equities`.

    Returns
    -------
    bool
        Whether each weight is 0 to 1e100 and one over 1e-100. If not, sums may overflow: the rest means nothing.
    """
    # What is read together is in one array: between more the compiler would not look for overlaps, and
    # so not use vectors. By card: running totals; 1 where it can be held; how many combos of the range it is in.
    cards = np.zeros(3 * CARDS)
    for card in range(52):
        cards[CARDS + card] = 1 - ((known >> card) & 1)
    # Each card by the lower ones, in rows to the end of its rank: the last one to four are no combos, and weigh 0.
    # First the weights, then the combos' values; the same of those that have a flush.
    held, flushes = np.zeros(2 * _ROWS), np.empty(2 * _ROWS)
    fit = 0
    over = 0
    combo = _ZERO
    for high in range(52):
        row = np.uint64(_ROW_AT[high])
        possible = cards[CARDS + high]
        count = 0
        for low in range(high):
            lower = np.uint64(low)
            weight = weights[combo + lower]
            fit += int((weight >= 0.0) & (weight < _MOST))
            over += int(weight > _LEAST)
            weight *= possible * cards[_POSSIBLE + lower]
            held[row + lower] = weight
            cards[_LIVE + lower] += 1.0 if weight > 0.0 else 0.0
            count += int(weight > 0.0)
        cards[2 * CARDS + high] = count
        combo += np.uint64(high)
    by_pair = np.empty(8 * PAIR_COUNT)  # weights of each rank pair by high and by low card
    below = 0.0
    # Combos with a flush are taken out of their rank pairs before the pass, and put back after it.
    for phase in range(1 if suit < 0 else 0, 2 if suit < 0 else 3):
        start = 0
        while start < items.size:
            end = start + 1
            while end < items.size and items[end] >= TIED:
                end += 1
            # Of all that tie, all are added before and after the value of each is read.
            for step in range(3 if phase == 1 else 1):
                factor = at_tie if step == 0 else 2 - at_tie
                for i in range(start, end):
                    item = int(items[i] & (TIED - 1))
                    high, low = HIGH_RANK[item], LOW_RANK[item]
                    if item < PAIR_COUNT:
                        if phase != 1:
                            continue
                        first = _ROW_AT[4 * high] + 4 * low
                        width = 4 * high + 4
                        at = 8 * item
                        if step == 1:
                            for each in range(4):
                                number = below - cards[4 * high + each]
                                set_difference4(held, _ROWS + first, number, cards, 4 * low, at_tie, held, first)
                                first += width
                            continue
                        if step == 0:
                            sum_square4(by_pair, at, held, first, width)
                        add_scaled4(cards, 4 * high, factor, by_pair, at)
                        add_scaled4(cards, 4 * low, factor, by_pair, at + 4)
                        below += factor * (by_pair[at] + by_pair[at + 1] + by_pair[at + 2] + by_pair[at + 3])
                        continue
                    card, lowest = 4 * high + suit, 4 * low + suit
                    last = lowest + 1
                    is_single = low == NO_RANK
                    if is_single:
                        lowest, last = 0, 52
                    added = 0.0
                    for other in range(lowest, last):
                        if is_single and other & 3 == suit:
                            continue
                        at = _PLACE[card, other]
                        if phase == 0:
                            flushes[at] = held[at]
                            held[at] = 0.0
                        elif phase == 2:
                            held[at] = flushes[at]
                            held[_ROWS + at] = flushes[_ROWS + at]
                        elif step == 1:
                            flushes[_ROWS + at] = below - cards[card] - cards[other] + at_tie * flushes[at]
                        else:
                            weight = factor * flushes[at]
                            cards[other] += weight
                            added += weight
                    cards[card] += added
                    below += added
            start = end

    # All weights were added twice. Whether there are any is counted: sums leave errors of rounding.
    all_live = 0.0
    for card in range(52):
        all_live += 0.5 * cards[2 * CARDS + card]
    combo = _ZERO
    for high in range(52):
        row = np.uint64(_ROW_AT[high])
        possible = cards[CARDS + high]
        left, left_live = below - cards[high], all_live - cards[2 * CARDS + high]
        for low in range(high):
            lower = np.uint64(low)
            weight = held[row + lower]
            met = left - cards[lower] + 2 * weight
            met_live = left_live - cards[_LIVE + lower] + (1.0 if weight > 0.0 else 0.0)
            met_live *= possible * cards[_POSSIBLE + lower]
            is_met = (met_live > 0.0) & (met > 0.0)
            value = held[_WON + row + lower]
            share = np.divide(value, met)
            sums[combo + lower] = value if is_met else 0.0
            sums[_UNBLOCKED + combo + lower] = 0.5 * met if is_met else 0.0
            equities[combo + lower] = min(max(share, 0.0), 1.0) if is_met else 0.0
        combo += np.uint64(high)
    return fit == COMBO_COUNT and over > 0


def river_equities(
    board: Sequence[int], dead: Sequence[int], weights: NDArray[np.float64]
) -> NDArray[np.float32] | None:
    """Return what `sweep_equities` does on a complete board, for weights of which nothing is known.

    Returns
    -------
    ndarray of float32, shape (1326,), or None
        None if a weight is negative, no number or 1e100 or more, or all are 1e-100 or less.
    """
    items, suit = river_order(tuple(board))
    sums, equities = np.empty(2 * COMBO_COUNT), np.empty(COMBO_COUNT, dtype=np.float32)
    known = int(card_mask((*board, *dead)))
    is_plain = sweep_river(items, suit, known, weights, 1.0, sums, equities)
    return equities if is_plain else None


def _warm_up() -> None:
    river_equities((8, 13, 18, 23, 0), (), np.ones(COMBO_COUNT))


register_warm_up("every combo on a river", _warm_up, at_start=False, is_soon=True)
