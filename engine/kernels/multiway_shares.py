"""Before and after `engine.kernels.multiway`: how much ranges weigh, and every combo's share of the pot."""

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK
from engine.kernels.jit import kernel
from engine.kernels.multiway_lanes import Floats, Integers

_ONE = np.uint64(1)
_MOST_PLAYERS = 9
_LEAST, _MOST = 1e-100, 1e100  # weights between can be added and divided by

_MOST_ATTEMPTS = 20_000
_KEPT_DEALS = 12
_FEW_COMBOS = 48
_STRIDE = 389
_SPREAD_OUT = np.arange(COMBO_COUNT) * _STRIDE % COMBO_COUNT  # neighbours seldom share a card


@kernel
def weigh_ranges(ranges: NDArray[np.float64], known: np.uint64, totals: NDArray[np.float64]) -> bool:
    """Sum what is not blocked of each range.

    Parameters
    ----------
    ranges : ndarray of float64, shape (n, 1326)
        Anything: nothing is known of it yet.
    known : uint64
        Mask of the cards that nobody holds.
    totals : ndarray of float64, shape (n,)
        Filled.

    Returns
    -------
    bool
        Whether each weight is 0 or more and below 1e100, and one of each range over 1e-100. If not, the totals
        mean nothing.
    """
    alive, by_card = np.empty(52), np.empty(52)
    for card in range(52):
        alive[card] = 1.0 - np.float64((known >> np.uint64(card)) & _ONE)
    is_plain = True
    for i in range(ranges.shape[0]):
        fit = over = 0
        for combo in range(COMBO_COUNT):
            fit += int((ranges[i, combo] >= 0.0) & (ranges[i, combo] < _MOST))
            over += int(ranges[i, combo] > _LEAST)
        is_plain &= fit == COMBO_COUNT and over > 0
        by_card[:] = 0.0
        first = 0
        for high in range(52):
            for low in range(high):
                by_card[low] += alive[high] * ranges[i, first + low]
            first += high
        total = 0.0
        for card in range(52):
            total += alive[card] * by_card[card]
        totals[i] = total
    return is_plain


@kernel
def share_out(
    ranges: NDArray[np.float64],
    scales: NDArray[np.float64],
    times: Integers,
    known: np.uint64,
    won: NDArray[np.float64],
    dealt: NDArray[np.float64],
    lists: NDArray[np.int16],
    equities: Floats,
) -> bool:
    """Give every combo its equity: 0 where it is blocked or the ranges cannot be dealt beside it.

    Parameters
    ----------
    ranges, scales, times, known
        As for `engine.kernels.multiway.lay_out_ranges`.
    won, dealt : ndarray of float64, shape (1326,)
        Of `engine.kernels.multiway.sweep_ranges`.
    lists : ndarray of int16, shape (n, 1326)
        Overwritten.
    equities : ndarray of float32, shape (1326,)
        Filled.

    Returns
    -------
    bool
        Whether the ranges can be dealt together at all.

    Notes
    -----
    A deal is looked for, first range by first range, that leaves a combo's cards alone; a deal that was found is
    tried for later combos. After 20,000 attempts there is taken to be one.
    """
    count = len(times)
    sizes = np.empty(count, dtype=np.int64)
    order = np.empty(_MOST_PLAYERS + 1, dtype=np.int64)
    places = np.empty(_MOST_PLAYERS + 1, dtype=np.int64)
    used = np.empty(_MOST_PLAYERS + 1, dtype=np.uint64)
    deals = np.empty(_KEPT_DEALS, dtype=np.uint64)
    most = _FEW_COMBOS
    players = found = 0
    one = -2
    while one < COMBO_COUNT:
        if one == -2:  # list each range's combos, at first only some
            players = 0
            for i in range(count):
                sizes[i] = 0
                for number in range(COMBO_COUNT):
                    combo = _SPREAD_OUT[number]
                    if ranges[i, combo] * scales[i] > 0 and COMBO_MASK[combo] & known == 0:
                        lists[i, sizes[i]] = combo
                        sizes[i] += 1
                        if sizes[i] == most:
                            break
                for _ in range(times[i]):
                    at = players
                    while at > 0 and sizes[order[at - 1]] > sizes[i]:
                        order[at] = order[at - 1]
                        at -= 1
                    order[at] = i
                    players += 1
            one = -1
        mask = np.uint64(0)
        if one >= 0:
            mask = COMBO_MASK[one]
            equities[one] = 0
            if mask & known != 0 or dealt[one] <= 0:
                one += 1
                continue
        deal, kept = 0, min(found, _KEPT_DEALS)
        while deal < kept and deals[deal] & mask != 0:
            deal += 1
        is_possible = deal < kept
        if not is_possible:
            player, attempts = 0, 0
            places[0] = 0
            used[0] = mask
            while 0 <= player < players and attempts < _MOST_ATTEMPTS:
                i = order[player]
                attempts += 1
                if places[player] == sizes[i]:
                    player -= 1
                    continue
                # Not always from the first combo on, so that the deals differ.
                held = COMBO_MASK[lists[i, (places[player] + _STRIDE * found) % sizes[i]]]
                places[player] += 1
                if held & used[player] == 0:
                    player += 1
                    used[player] = used[player - 1] | held
                    places[player] = 0
            is_possible = player >= 0
            if player == players:
                deals[found % _KEPT_DEALS] = used[players] & ~mask
                found += 1
            elif most < COMBO_COUNT:
                most = COMBO_COUNT
                one = -2
                continue
            elif not is_possible and one < 0:
                return False
        if is_possible and one >= 0:
            equities[one] = min(won[one] / dealt[one], 1.0)
        one += 1
    return True
