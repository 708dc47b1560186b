"""The equity of hole cards before the flop against 1 to 9 random hands, by dealing; `engine.preflop` stores it."""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key
from engine.kernels.jit import kernel
from engine.kernels.rng import RandomState, random_below


@kernel
def draw_card(deck: NDArray[np.uint8], drawn: int, state: RandomState) -> int:
    """Move a random card of those from index `drawn` on to that index, and give it."""
    other = drawn + random_below(state, np.uint64(len(deck) - drawn))
    card = deck[other]
    deck[other] = deck[drawn]
    deck[drawn] = card
    return card  # type: ignore[no-any-return]


@kernel
def deal_against_random(
    tables: EvaluatorTables,
    deck: NDArray[np.uint8],
    deals: int,
    state: RandomState,
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Deal a board and opponents to given hole cards, again and again, and add up the shares of the pot won.

    One deal serves all numbers of opponents: the first q of them are q random hands.

    Parameters
    ----------
    tables : EvaluatorTables
    deck : ndarray of uint8, shape (52,)
        Every card once, the hole cards last; the order of the others changes.
    deals : int
        How many.
    state : ndarray of uint64, shape (4,)
        The random stream.
    sums, squares : ndarray of float64, shape (opponents,)
        To which the share won, 0-1 with ties split, against the first 1, 2, ... opponents is added, and its
        square.
    """
    card_key, card_mask, row_offset, rank_strength, flush_strength = tables
    hero_key = card_key[deck[50]] + card_key[deck[51]]
    hero_mask = card_mask[deck[50]] + card_mask[deck[51]]
    live = deck[:50]
    for _ in range(deals):
        board_key, board_mask = START_KEY, np.uint64(0)
        for i in range(5):
            card = draw_card(live, i, state)
            board_key += card_key[card]
            board_mask += card_mask[card]
        key, mask = board_key + hero_key, board_mask + hero_mask
        hero = strength_of_key(row_offset, rank_strength, flush_strength, key, mask)
        winners = 1
        for opponent in range(len(sums)):
            first = draw_card(live, 5 + 2 * opponent, state)
            second = draw_card(live, 6 + 2 * opponent, state)
            key = board_key + card_key[first] + card_key[second]
            mask = board_mask + card_mask[first] + card_mask[second]
            strength = strength_of_key(row_offset, rank_strength, flush_strength, key, mask)
            if strength > hero:
                break  # nothing is won from here on, and the cards of the others are not needed
            if strength == hero:
                winners += 1
            share = 1.0 / winners
            sums[opponent] += share
            squares[opponent] += share * share
