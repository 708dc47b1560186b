"""Questions about equity as the tests write them, and the ranges of the published answers."""

from collections.abc import Sequence

import numpy as np

from engine.cards import COMBO_COUNT, cards_of, combo_of, parse_cards, relabel_suits, unblocked
from engine.codec import frozen_vector
from engine.equity.joint import Sums
from engine.equity.question import EquityQuestion
from engine.equity.solve import EquitySnapshot, solve
from engine.ranges import Range, parse_range

R1 = "22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+"
R2 = "AA,KK,QQ,JJ,TT,AKs,AKo,AQs"
R25 = "22+,A2s+,K6s+,Q8s+,J8s+,T8s+,A8o+,KTo+,QTo+,JTo"


def ask(*hands: str, board: str = "", dead: str = "", samples: int | None = None) -> EquityQuestion:
    return EquityQuestion(
        tuple(parse_range(hand) for hand in hands), parse_cards(board), parse_cards(dead), samples
    )


def final(question: EquityQuestion, seed: int = 0) -> EquitySnapshot:
    *_, last = solve(question, seed=seed)
    return last


def weights_by_combo(hands: Range) -> dict[int, float]:
    return {int(combo): float(hands.weights[combo]) for combo in np.flatnonzero(hands.weights)}


def live_of(*hands: str, board: str = "") -> Sums:
    known = unblocked(parse_cards(board))
    return np.array([parse_range(text).weights * known for text in hands], dtype=np.float64)


def renamed(combo: int, permutation: Sequence[int]) -> int:
    return combo_of(*relabel_suits(cards_of(combo), permutation))


def relabelled(hands: Range, permutation: Sequence[int]) -> Range:
    weights = np.zeros(COMBO_COUNT)
    for combo, weight in weights_by_combo(hands).items():
        weights[renamed(combo, permutation)] = weight
    return Range(frozen_vector(weights))
