"""What combos win against a range the slow and obvious way: every two combos on every board."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, unblocked
from tests.reference.equity import strength


def won_and_tied(
    board: Sequence[int], dead: Sequence[int], weights: NDArray[np.float64], observers: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the weight that some combos beat and tie, summed over all completions; phevaluator judges."""
    won, tied = np.zeros((2, len(observers)))
    deck = [card for card in range(CARD_COUNT) if card not in board and card not in dead]
    for runout in combinations(deck, 5 - len(board)):
        full = (*board, *runout)
        is_live = unblocked((*full, *dead))
        live = np.flatnonzero(is_live)
        strengths = np.zeros(COMBO_COUNT)
        strengths[live] = [strength((*cards, *full)) for cards in COMBO_CARDS[live].tolist()]
        meets = ((COMBO_MASK[observers][:, None] & COMBO_MASK) == 0) & is_live[observers][:, None] & is_live
        won += (meets & (strengths[observers][:, None] > strengths)) @ weights
        tied += (meets & (strengths[observers][:, None] == strengths)) @ weights
    return won, tied
