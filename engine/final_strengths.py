"""What hole cards end up as: how many run-outs give each strength, and each category, counted exactly."""

from collections.abc import Sequence
from functools import cache
from operator import index

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, format_card
from engine.checks import EquityError, check_sequence
from engine.strength import STRENGTH_COUNT, Category, category_of

_BOARD_CARDS = 5


def final_strengths(
    hole_cards: Sequence[int], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> NDArray[np.int64]:
    """Count how many run-outs end at each strength.

    Parameters
    ----------
    hole_cards : sequence of two Card
    board : sequence of 0, 3, 4 or 5 Card
    dead : sequence of Card
        Cards that cannot come, known or thought to be elsewhere.

    Returns
    -------
    ndarray of int64, shape (7463,)
        At index `s` the number of run-outs that give the strength `s`, as in `engine.strength`; 0 at index 0. A
        run-out is a set of cards, whatever their order: the sum is C(50, 5) before the flop, C(47, 2) on a flop,
        46 on a turn and 1 on a river, without dead cards.

    Raises
    ------
    EquityError
        If the numbers of cards are others, one is no card or stands twice, or so many are dead that too few are
        left for the board.

    Notes
    -----
    Exact; every run-out is judged by itself (`engine.kernels.enumeration`). Before the flop about 2 ms, on a
    board 0.1 ms.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> counts = final_strengths(parse_cards("Ah Kh"), parse_cards("Qh Jh 2c"))
    >>> int(counts.sum()), int(counts[7462])  # 46 of 1081 run-outs hold the ten of hearts
    (1081, 46)
    """
    from engine.kernels.enumeration import count_completions

    return count_completions(*_known_and_live(hole_cards, board, dead))


def final_categories(
    hole_cards: Sequence[int], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> dict[Category, int]:
    """Count how many run-outs end in each category, say with a flush.

    Parameters
    ----------
    hole_cards, board, dead
        As `final_strengths`.

    Returns
    -------
    dict of Category to int
        All nine, weakest first. Royal flushes are straight flushes.

    Raises
    ------
    EquityError
        As `final_strengths`.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> ends = final_categories(parse_cards("Ah Kh"), parse_cards("7h 2h Js"))
    >>> ends[Category.FLUSH], sum(ends.values())  # C(47, 2) - C(38, 2) run-outs bring a heart
    (378, 1081)
    """
    counts = final_strengths(hole_cards, board, dead)
    by_category = np.add.reduceat(counts, first_strengths())
    return {category: int(by_category[category]) for category in Category}


@cache
def first_strengths() -> tuple[int, ...]:
    """Give the lowest strength of each category."""
    categories = [category_of(strength) for strength in range(1, STRENGTH_COUNT + 1)]
    return tuple(1 + categories.index(category) for category in Category)


def _known_and_live(
    hole_cards: Sequence[int], board: Sequence[int], dead: Sequence[int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Check the cards; give those in the hand already and those that can come, in order."""
    for what, cards in (("Hole cards", hole_cards), ("Cards on the board", board), ("Dead cards", dead)):
        check_sequence(cards, what)
    if len(hole_cards) != 2:
        raise EquityError(f"There are two hole cards, not {len(hole_cards)}.")
    if len(board) not in (0, 3, 4, 5):
        raise EquityError(f"A board has 0, 3, 4 or 5 cards, not {len(board)}.")
    seen: dict[int, str] = {}
    for place, cards in (("the hole cards", hole_cards), ("the board", board), ("the dead cards", dead)):
        for value in cards:
            try:
                card = index(value)
            except TypeError:
                card = -1
            if not 0 <= card < CARD_COUNT:
                raise EquityError(f"{value} is no card: cards are whole numbers from 0 to {CARD_COUNT - 1}.")
            if card in seen:
                both = f"twice in {place}" if seen[card] == place else f"in {seen[card]} and in {place}"
                raise EquityError(f"The card {format_card(card)} is {both}.")
            seen[card] = place
    live = [card for card in range(CARD_COUNT) if card not in seen]
    missing = _BOARD_CARDS - len(board)
    if len(live) < missing:
        raise EquityError(f"With {len(dead)} dead cards {len(live)} are left, but the board needs {missing} more.")
    known = [*hole_cards, *board]
    return np.array(known, dtype=np.uint8), np.array(live, dtype=np.uint8)
