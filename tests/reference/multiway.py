"""The equity of combos against several ranges, by listing deals one by one."""

from collections.abc import Sequence
from itertools import combinations, product
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


def equity_on_every_board(combo: int, board: Sequence[int], ranges: Sequence[NDArray[Any]]) -> float:
    """Give a combo's exact equity after the flop against small ranges, by all their deals on all boards."""
    live = unblocked((*board, *cards_of(combo)))
    deals = [(int(COMBO_MASK[combo]), 1.0, ())]
    for weights in ranges:
        held = [
            (each, int(COMBO_MASK[each]), float(weights[each])) for each in np.flatnonzero(weights * live).tolist()
        ]
        deals = [
            (used | mask, weight * more, (*deal, each))
            for used, weight, deal in deals
            for each, mask, more in held
            if not used & mask
        ]
    masks = np.array([used for used, _, _ in deals], dtype=np.uint64)
    weights, combos = np.array([weight for _, weight, _ in deals]), np.array([deal for _, _, deal in deals])
    met = np.unique(combos)
    place = np.searchsorted(met, combos)
    won = dealt = 0.0
    deck = [card for card in range(52) if card not in (*board, *cards_of(combo))]
    for runout in combinations(deck, 5 - len(board)):
        drawn = sum(1 << card for card in runout)
        strengths = np.array(
            [
                0 if int(COMBO_MASK[each]) & drawn else strength((*cards_of(each), *board, *runout))
                for each in met.tolist()
            ]
        )
        mine = strength((*cards_of(combo), *board, *runout))
        others = strengths[place]
        share = (others <= mine).all(axis=1) / (1 + (others == mine).sum(axis=1))
        is_dealt = masks & np.uint64(drawn) == 0
        won += float((weights * share)[is_dealt].sum())
        dealt += float(weights[is_dealt].sum())
    return won / dealt
