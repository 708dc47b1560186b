"""Every showdown of several ranges one by one, and what it adds up to by combo and by category."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, cards_of
from engine.strength import Category, category_of
from engine.strength import strength as strength_of
from tests.reference.equity import strength

Sums = NDArray[np.float64]


def showdowns(
    players: Sequence[Mapping[int, float]], board: Sequence[int], dead: Sequence[int] = ()
) -> Iterator[tuple[tuple[int, ...], float, tuple[int, ...]]]:
    """Give each deal without a clash with its weight, and each complete board for it."""
    for deal in product(*players):
        held = [card for combo in deal for card in cards_of(combo)]
        used = {*held, *board, *dead}
        weight = float(np.prod([weights[combo] for weights, combo in zip(players, deal, strict=True)]))
        if len(used) < len(held) + len(board) + len(dead) or weight == 0:
            continue
        deck = [card for card in range(CARD_COUNT) if card not in used]
        for runout in combinations(deck, 5 - len(board)):
            yield deal, weight, (*board, *runout)


def shares_by_combo(
    players: Sequence[Mapping[int, float]], board: Sequence[int], dead: Sequence[int] = ()
) -> tuple[Sums, Sums]:
    """Give every combo's joint probability and its share of the pot: shapes (players, 1326)."""
    dealt, won = np.zeros((2, len(players), COMBO_COUNT))
    for deal, weight, complete in showdowns(players, board, dead):
        values = np.array([strength((*cards_of(combo), *complete)) for combo in deal])
        best = values == values.max()
        for player, combo in enumerate(deal):
            dealt[player, combo] += weight
            won[player, combo] += weight * best[player] / best.sum()
    shares = np.divide(won, dealt, out=np.zeros_like(won), where=dealt > 0)
    return dealt / dealt.sum(axis=1, keepdims=True), shares


def shares_by_category(
    players: Sequence[Mapping[int, float]], board: Sequence[int], dead: Sequence[int] = ()
) -> tuple[Sums, Sums]:
    """Give the chance of each category, and the part of the pot won with it: shapes (players, 9)."""
    chances, wins = np.zeros((2, len(players), len(Category)))
    for deal, weight, complete in showdowns(players, board, dead):
        values = np.array([strength_of((*cards_of(combo), *complete)) for combo in deal])
        best = values == values.max()
        for player, value in enumerate(values):
            category = category_of(int(value))
            chances[player, category] += weight
            wins[player, category] += weight * best[player] / best.sum()
    total = chances.sum(axis=1, keepdims=True)
    return chances / total, wins / total
