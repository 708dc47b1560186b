"""Questions about equity as the tests write them, and the ranges of the published answers."""

import numpy as np

from engine.cards import parse_cards
from engine.equity import EquityQuestion, EquitySnapshot, solve
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
