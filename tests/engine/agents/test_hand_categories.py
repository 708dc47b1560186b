import random
from collections import Counter

import numpy as np
import pytest

from engine.agents.hand_categories import HandCategory, hand_categories
from engine.cards import CARD_COUNT, COMBO_COUNT, Card, cards_of, combo_of, parse_cards, rank_of, unblocked
from engine.checks import EquityError
from engine.strength import Category, best_five, category_of, strength

TEN = 8


def slow_category(hole_cards: tuple[Card, ...], board: tuple[Card, ...]) -> HandCategory:
    """Judge one hand by its best five cards, read one by one."""
    if not board:
        is_big = max(map(rank_of, hole_cards)) >= TEN
        is_pair = rank_of(hole_cards[0]) == rank_of(hole_cards[1])
        return HandCategory(2 * is_pair + is_big)
    cards = (*hole_cards, *board)
    category = category_of(strength(cards))
    if category is Category.HIGH_CARD:
        return HandCategory(int(max(map(rank_of, hole_cards)) >= TEN))
    if category is Category.PAIR:
        ranks = Counter(map(rank_of, best_five(cards)))
        return HandCategory(2 + (ranks.most_common(1)[0][0] >= TEN))
    return HandCategory[category.name]


@pytest.mark.every(4)
@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_every_combo_is_in_the_category_of_its_best_five_cards(size: int) -> None:
    rng = random.Random(size)
    for _ in range(1 if size == 0 else 6):
        board = tuple(Card(card) for card in rng.sample(range(CARD_COUNT), size))
        found = hand_categories(board)
        live = unblocked(board)
        assert found.shape == (COMBO_COUNT,)
        assert (found[~live] == -1).all()
        for combo in np.flatnonzero(live).tolist():
            assert found[combo] == slow_category(cards_of(combo), board)


def test_before_the_flop_there_are_four() -> None:
    # Pairs: 5 big ranks and 8 small ones, 6 combos each. Small high cards: C(8, 2) pairs of ranks, 16 combos each.
    assert np.bincount(hand_categories(())).tolist() == [28 * 16, 1326 - 78 - 28 * 16, 48, 30]


@pytest.mark.parametrize(
    ("hole_cards", "board", "expected"),
    [
        ("Ah9d", "", HandCategory.BIG_HIGH_CARD),  # the paper's examples
        ("8h4d", "", HandCategory.SMALL_HIGH_CARD),
        ("KhKd", "", HandCategory.BIG_PAIR),
        ("5h5d", "", HandCategory.SMALL_PAIR),
        ("9h8h", "AcKd2s", HandCategory.SMALL_HIGH_CARD),  # the hole cards decide, not the board's ace
        ("Ah8h", "TcTd2s", HandCategory.BIG_PAIR),  # a pair on the board is everybody's
        ("Ah2h", "AcAd2s", HandCategory.FULL_HOUSE),
        ("Ah5h", "2h3h4h", HandCategory.STRAIGHT_FLUSH),
    ],
)  # fmt: skip
def test_examples(hole_cards: str, board: str, expected: HandCategory) -> None:
    assert hand_categories(parse_cards(board))[combo_of(*parse_cards(hole_cards))] == expected


def test_cards_that_are_no_board_are_refused() -> None:
    with pytest.raises(EquityError, match="A board has 0, 3, 4 or 5 cards, not 2"):
        hand_categories(parse_cards("AhKh"))
    with pytest.raises(EquityError, match="The card Ah is twice on the board"):
        hand_categories((Card(50), Card(50), Card(1)))
