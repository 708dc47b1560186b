"""The equities of a few known hands against a random one, on many complete boards."""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key
from engine.kernels.jit import kernel

_PAIRS = 1081  # of the 47 cards that are not on the board
_TWICE_OTHERS = 1980  # of the 45 cards left beside a hand, 990 pairs
_ONE = np.uint64(1)


@kernel
def river_hands(
    evaluator: EvaluatorTables, hands: NDArray[np.uint8], boards: NDArray[np.uint8], equities: NDArray[np.float32]
) -> None:
    """Fill `equities`, shape (n, hands), with what `combo_equities` gives each hand.

    Parameters
    ----------
    hands : ndarray of uint8, shape (n, hands, 2)
    boards : ndarray of uint8, shape (n, 5)
    """
    card_key, card_mask, row_offset, rank_strength, flush_strength = evaluator
    pairs, strengths = np.zeros(_PAIRS, np.uint64), np.zeros(_PAIRS, np.int16)
    live = np.zeros(47, np.uint8)
    for at in range(len(boards)):
        key, mask, used = START_KEY, np.uint64(0), np.uint64(0)
        for card in boards[at]:
            key += card_key[card]
            mask += card_mask[card]
            used |= _ONE << np.uint64(card)
        count = 0
        for card in range(52):
            if (used >> np.uint64(card)) & _ONE == np.uint64(0):
                live[count] = card
                count += 1
        pair = 0
        for high in range(1, count):
            one = live[high]
            one_key, one_mask, one_bit = key + card_key[one], mask + card_mask[one], _ONE << np.uint64(one)
            for low in range(high):
                other = live[low]
                strengths[pair] = strength_of_key(
                    row_offset,
                    rank_strength,
                    flush_strength,
                    one_key + card_key[other],
                    one_mask + card_mask[other],
                )
                pairs[pair] = one_bit | (_ONE << np.uint64(other))
                pair += 1
        for hand in range(hands.shape[1]):
            one, other = hands[at, hand]
            held = (_ONE << np.uint64(one)) | (_ONE << np.uint64(other))
            own = strength_of_key(
                row_offset,
                rank_strength,
                flush_strength,
                key + card_key[one] + card_key[other],
                mask + card_mask[one] + card_mask[other],
            )
            twice = 0
            for met in range(pair):
                if pairs[met] & held == np.uint64(0):
                    twice += int(own > strengths[met]) + int(own >= strengths[met])
            equities[at, hand] = twice / _TWICE_OTHERS
