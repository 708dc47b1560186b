"""The equity of every combo against several ranges on a river, by listing deals one by one."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, cards_of, unblocked
from tests.reference.equity import strength

Floats = NDArray[np.float64]


def strengths_on(board: Sequence[int]) -> NDArray[np.int64]:
    """Give phevaluator's strength of every combo; 0, above all others, for blocked ones."""
    live = np.flatnonzero(unblocked(board))
    strengths = np.zeros(COMBO_COUNT, dtype=np.int64)
    strengths[live] = [strength((*cards_of(combo), *board)) for combo in live.tolist()]
    return strengths


def equities_by_deal(board: Sequence[int], ranges: Sequence[NDArray[Any]]) -> tuple[Floats, Floats]:
    """Give every combo's equity, and the weight of all deals beside it, by all deals of small ranges."""
    strengths, live = strengths_on(board), unblocked(board)
    won, dealt = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    for deal in product(*(np.flatnonzero(weights * live).tolist() for weights in ranges)):
        used = np.bitwise_or.reduce(COMBO_MASK[list(deal)])
        if int(used).bit_count() < 2 * len(deal):
            continue
        weight = float(np.prod([weights[combo] for weights, combo in zip(ranges, deal, strict=True)]))
        best = max(strengths[combo] for combo in deal)
        ties = sum(strengths[combo] == best for combo in deal)
        share = np.where(strengths > best, 1.0, np.where(strengths == best, 1 / (1 + ties), 0.0))
        beside = live & (COMBO_MASK & used == 0)
        won += weight * share * beside
        dealt += weight * beside
    return np.divide(won, dealt, out=np.zeros(COMBO_COUNT), where=dealt > 0), dealt


def equities_against_two(
    board: Sequence[int], first: NDArray[Any], second: NDArray[Any], combos: Sequence[int]
) -> Floats:
    """Give the exact equity of some combos against two ranges, whatever they hold, by all pairs of their combos."""
    strengths, live = strengths_on(board), unblocked(board)
    equities = []
    for combo in combos:
        beside = np.flatnonzero(live & (COMBO_MASK & COMBO_MASK[combo] == 0))
        one, other = first[beside].astype(np.float64), second[beside].astype(np.float64)
        is_dealt = (COMBO_MASK[beside][:, None] & COMBO_MASK[beside]) == 0
        loses, ties = strengths[beside] > strengths[combo], strengths[beside] == strengths[combo]
        share = 1 / (1.0 + ties[:, None] + ties) * ~loses[:, None] * ~loses
        weights = one[:, None] * other * is_dealt
        equities.append((weights * share).sum() / weights.sum())
    return np.array(equities)
