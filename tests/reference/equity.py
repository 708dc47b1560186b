"""Equity the slow and obvious way: every deal and every board one by one, judged by phevaluator."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from engine.cards import CARD_COUNT, cards_of


class Counted(NamedTuple):
    """Per player shares of all showdowns, and how many there were and their weight."""

    win: NDArray[np.float64]
    tie: NDArray[np.float64]
    equity: NDArray[np.float64]
    showdowns: int
    weight: float


def strength(cards: Sequence[int]) -> int:
    """Higher is better; phevaluator numbers cards as we do, and its own scale is 1 for the best."""
    return -evaluate_cards(*map(int, cards))


def counted(players: Sequence[Mapping[int, float]], board: Sequence[int] = (), dead: Sequence[int] = ()) -> Counted:
    """Count everything. Players are weights by combo."""
    win, tie, equity = np.zeros((3, len(players)))
    showdowns, total = 0, 0.0
    for deal in product(*players):
        held = [card for combo in deal for card in cards_of(combo)]
        used = {*held, *board, *dead}
        if len(used) < len(held) + len(board) + len(dead):
            continue
        weight = float(np.prod([weights[combo] for weights, combo in zip(players, deal, strict=True)]))
        if weight == 0:
            continue
        deck = [card for card in range(CARD_COUNT) if card not in used]
        for runout in combinations(deck, 5 - len(board)):
            strengths = np.array([strength((*cards_of(combo), *board, *runout)) for combo in deal])
            best = strengths == strengths.max()
            (win if best.sum() == 1 else tie)[best] += weight
            equity[best] += weight / best.sum()
            showdowns += 1
            total += weight
    return Counted(win / total, tie / total, equity / total, showdowns, total)


def joint_outcomes(
    players: Sequence[Mapping[int, float]], board: Sequence[int], dead: Sequence[int] = ()
) -> tuple[NDArray[np.float64], int]:
    """Count by winners, player 0 being bit 0, the weight of all showdowns; and the deals of positive weight."""
    outcomes = np.zeros(1 << len(players))
    deals = 0
    for deal in product(*players):
        held = [card for combo in deal for card in cards_of(combo)]
        used = {*held, *board, *dead}
        weight = float(np.prod([weights[combo] for weights, combo in zip(players, deal, strict=True)]))
        if len(used) < len(held) + len(board) + len(dead) or weight == 0:
            continue
        deals += 1
        deck = [card for card in range(CARD_COUNT) if card not in used]
        boards = [(*board, *runout) for runout in combinations(deck, 5 - len(board))]
        outcomes += weight * outcomes_by_loop([cards_of(combo) for combo in deal], boards)
    return outcomes, deals


def outcomes_by_loop(hands: Sequence[tuple[int, int]], boards: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
    """Count by winners, player 0 being bit 0, what happens on each board."""
    outcomes = np.zeros(1 << len(hands))
    for board in boards:
        strengths = [strength((*hand, *board)) for hand in hands]
        best = max(strengths)
        outcomes[sum(1 << i for i, value in enumerate(strengths) if value == best)] += 1
    return outcomes
