"""What evolved policies see of cards: how often a random hand has a straight or a flush, and pairs on the board."""

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT
from engine.kernels.bulk.tempers import is_straight_or_flush
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key
from engine.kernels.jit import kernel

Cards = NDArray[np.uint8]
Floats = NDArray[np.float32]


@kernel
def straight_or_flush(evaluator: EvaluatorTables, hole_cards: Cards, board: Cards) -> float:
    """Return how likely a random hand has a straight or a flush now, 0-1, on a board of three to five cards."""
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    key, mask, taken = START_KEY, np.uint64(0), np.uint64(0)
    for card in board:
        key += card_key[card]
        mask += card_mask[card]
        taken |= np.uint64(1) << np.uint64(card)
    for card in hole_cards:
        taken |= np.uint64(1) << np.uint64(card)
    count = found = 0
    for one in range(CARD_COUNT):
        if (taken >> np.uint64(one)) & np.uint64(1):
            continue
        one_key, one_mask = key + card_key[one], mask + card_mask[one]
        for other in range(one):
            if (taken >> np.uint64(other)) & np.uint64(1):
                continue
            strength = strength_of_key(
                evaluator.row_offset,
                evaluator.rank_strength,
                evaluator.flush_strength,
                one_key + card_key[other],
                one_mask + card_mask[other],
            )
            count += 1
            found += is_straight_or_flush(strength)
    return found / count


@kernel
def pairs_on(board: Cards) -> int:
    """Return how many ranks a board has twice or more often."""
    pairs = 0
    for rank in range(CARD_COUNT // 4):
        of_rank = 0
        for card in board:
            of_rank += card >> 2 == rank
        pairs += of_rank > 1
    return pairs


@kernel
def fill_chances(evaluator: EvaluatorTables, decks: Cards, chances: Floats) -> None:
    """Write `straight_or_flush` for flop, turn and river of two places into `chances`, shape (n, 3, 2).

    `decks` has shape (n, 9 or more): first cards of both places, second cards, and the board.
    """
    hole_cards = np.zeros(2, np.uint8)
    for deck in range(len(decks)):
        for place in range(2):
            hole_cards[0], hole_cards[1] = decks[deck, place], decks[deck, 2 + place]
            for street in range(3):
                board = decks[deck, 4 : 7 + street]
                chances[deck, street, place] = straight_or_flush(evaluator, hole_cards, board)
