"""Equities of known hands against a random one on many boards at a time."""

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.codec import Vector
from engine.equity.combos import combo_equities
from engine.kernels.equity.river_hands import river_hands
from engine.kernels.evaluator import tables

_FLOPS, _TURNS = 1_755, 16_432
"""How many there are of them but for their suits."""

_SUITS = np.array(list(permutations(range(4))), np.uint8)


def hand_equities(hands: NDArray[np.uint8], boards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the equity of hands on boards, as `combo_equities` does.

    Parameters
    ----------
    hands : ndarray of uint8, shape (n, hands, 2)
        Several on each board.
    boards : ndarray of uint8, shape (n, 3), (n, 4) or (n, 5)

    Returns
    -------
    ndarray of float64, shape (n, hands)
        About 2 us a hand where the board is kept or complete. Otherwise it is counted, 1 ms for a flop and 0.1 ms
        for a turn, and kept for all boards that differ in suits alone: at most 96 MB.
    """
    if boards.shape[1] == 5:
        on_rivers = np.zeros(hands.shape[:2], np.float32)
        river_hands(tables(), hands, boards, on_rivers)
        return on_rivers.astype(np.float64)
    # Of all ways to name the suits the one that makes the board the first in order.
    named = np.sort(4 * (boards >> 2) + _SUITS[:, boards & 3], axis=2)
    numbers = named.astype(np.int64) @ (52 ** np.arange(boards.shape[1])[::-1])
    best = numbers.argmin(axis=0)
    rows = np.arange(len(boards))
    suits = np.take_along_axis(
        _SUITS[best][:, None, :], (hands & 3).reshape(len(hands), 1, 2 * hands.shape[1]), axis=2
    )
    cards = np.sort(4 * (hands >> 2) + suits.reshape(hands.shape), axis=2).astype(np.int64)
    combos = cards[:, :, 1] * (cards[:, :, 1] - 1) // 2 + cards[:, :, 0]
    equities = np.zeros(combos.shape)
    for row, board in enumerate(named[best, rows].tolist()):
        equities[row] = _on_board(tuple(map(Card, board)))[combos[row]]
    return equities


@lru_cache(maxsize=_FLOPS + _TURNS)
def _on_board(board: tuple[Card, ...]) -> Vector:
    return combo_equities(board)
