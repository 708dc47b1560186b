"""The paper's categories of hands, by which its predictions are judged (Li et al. 2017, sec. 5, fig. 7).

Four before the flop, eleven on a board. Big is a ten or higher: of the pair's rank, or, with nothing, of the
higher hole card's.
"""

from enum import IntEnum
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, Card, unblocked
from engine.checks import check_cards
from engine.strength import STRENGTH_COUNT, category_of

_TEN = 8
_KICKERS = 220  # sets of three kickers beside a pair: C(12, 3)


class HandCategory(IntEnum):
    """A kind of hand, weakest first; before the flop only the first four occur."""

    SMALL_HIGH_CARD = 0
    BIG_HIGH_CARD = 1
    SMALL_PAIR = 2
    BIG_PAIR = 3
    TWO_PAIR = 4
    THREE_OF_A_KIND = 5
    STRAIGHT = 6
    FLUSH = 7
    FULL_HOUSE = 8
    FOUR_OF_A_KIND = 9
    STRAIGHT_FLUSH = 10


def hand_categories(board: tuple[Card, ...]) -> NDArray[np.int8]:
    """Give the category of every combo.

    Parameters
    ----------
    board : tuple of Card
        0, 3, 4 or 5 cards.

    Returns
    -------
    ndarray of int8, shape (1326,), read-only
        A `HandCategory` each, -1 for combos that the board blocks. The last 64 boards are kept. A new one takes
        about 0.1 ms.

    Raises
    ------
    EquityError
        If the number of cards is another, one is no card or stands twice.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> found = hand_categories(parse_cards("Ts Td 4c"))
    >>> HandCategory(found[combo_of(*parse_cards("Ah 2h"))]).name
    'BIG_PAIR'
    """
    check_cards(board, ())
    return _categories(tuple(sorted(board)))


@lru_cache(maxsize=64)
def _categories(board: tuple[Card, ...]) -> NDArray[np.int8]:
    ranks = COMBO_CARDS >> 2
    categories = np.full(COMBO_COUNT, -1, np.int8)
    if not board:
        is_big = ranks[:, 0] >= _TEN  # the higher card stands first
        categories[:] = is_big + 2 * (ranks[:, 0] == ranks[:, 1])
    else:
        from engine.kernels.evaluator import strengths_of, tables

        live = unblocked(board)
        hands = np.empty((int(live.sum()), 2 + len(board)), np.uint8)
        hands[:, :2], hands[:, 2:] = COMBO_CARDS[live], np.array(board, np.uint8)
        strengths = np.empty(len(hands), np.int16)
        strengths_of(tables(), hands, strengths)
        found = _of_strengths()[strengths]
        is_high_card = found == HandCategory.SMALL_HIGH_CARD
        found = found + (is_high_card & (ranks[live, 0] >= _TEN)).astype(np.int8)
        categories[live] = found
    categories.setflags(write=False)
    return categories


@cache
def _of_strengths() -> NDArray[np.int8]:
    """Give the category by strength; every high card is small, since the hole cards decide."""
    plain = np.array([-1, *(category_of(strength) for strength in range(1, STRENGTH_COUNT + 1))])
    first_pair = int(np.argmax(plain == 1))
    rank = (np.arange(STRENGTH_COUNT + 1) - first_pair) // _KICKERS
    categories: NDArray[np.int8] = np.where(
        plain <= 0,
        HandCategory.SMALL_HIGH_CARD,
        np.where(plain == 1, HandCategory.SMALL_PAIR + (rank >= _TEN), plain + 2),
    ).astype(np.int8)
    return categories
