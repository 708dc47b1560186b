from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import phevaluator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import parse_cards, relabel_suits
from engine.checks import EquityError
from engine.final_strengths import final_categories, final_strengths
from engine.strength import Category, category_of, strength
from tests.reference.evaluator import order_of


def by_phevaluator(hole_cards, board, dead=()) -> dict[int, int]:
    known = [*hole_cards, *board]
    live = [card for card in range(52) if card not in {*known, *dead}]
    ends = combinations(live, 7 - len(known))
    return Counter(7463 - phevaluator.evaluate_cards(*known, *more) for more in ends)


def counted(counts) -> dict[int, int]:
    return {int(strength): int(counts[strength]) for strength in np.flatnonzero(counts)}


@st.composite
def questions(draw, board_sizes=(3, 4, 5)):
    size = draw(st.sampled_from(board_sizes))
    cards = draw(st.permutations(range(52)))
    dead = draw(st.integers(0, 12))
    return cards[:2], cards[2 : 2 + size], cards[10 : 10 + dead]


@given(questions())
@settings(max_examples=60, deadline=None)
def test_all_runouts_of_a_board_are_those_of_phevaluator(question) -> None:
    assert counted(final_strengths(*question)) == by_phevaluator(*question)


@pytest.mark.parametrize(
    ("hole_cards", "board"),
    [
        ("Ah Kh", "Qh Jh 2c"),  # four suited, and a royal flush to come
        ("Ah Kh", "Qh 3h 2h"),  # a flush already
        ("Ah Ac", "Qh Jh 2h"),  # three suited on the board
        ("Ah Ac", "As Ad 2h"),  # quads: no more of that rank can come
        ("2c 2d", "2h 2s 3c 3d"),
        ("5h 4h", "3h 2h Ah Kh"),  # six of a suit, a straight flush already
        ("9c 8c", "7c 6c 5c 4c 3c"),  # seven of a suit, nothing to come
        ("2c 3d", "As Ks Qs Js Ts"),  # the board plays
    ],
)
def test_rare_hands_are_those_of_phevaluator(hole_cards, board) -> None:
    question = parse_cards(hole_cards), parse_cards(board)
    assert counted(final_strengths(*question)) == by_phevaluator(*question)


def test_with_few_cards_left_before_the_flop() -> None:
    """Many dead cards leave a deck small enough for the rulebook, with every kind of hand in it."""
    hole_cards = parse_cards("Ah Kh")
    live = parse_cards("Qh Jh Th 9h As Ac Kd Ks 2c 2h")
    dead = [card for card in range(52) if card not in {*hole_cards, *live}]
    found = counted(final_strengths(hole_cards, (), dead))
    assert found == by_phevaluator(hole_cards, (), dead)
    assert sum(found.values()) == comb(10, 5)
    rulebook = Counter(order_of([*hole_cards, *more])[0] for more in combinations(live, 5))
    ends = final_categories(hole_cards, (), dead)
    assert ends == {category: rulebook.get(category, 0) for category in Category}
    assert ends[Category.STRAIGHT_FLUSH] > 0 < ends[Category.FULL_HOUSE]


def test_before_the_flop_every_combo_together_makes_every_hand() -> None:
    """Any seven cards hold C(7, 2) combos: over all hole cards, the published frequencies times 21.

    Brian Alspach, "7-card poker hands" (2001): the frequencies of the 133,784,560 seven-card hands.
    """
    published = {
        Category.HIGH_CARD: 23_294_460,
        Category.PAIR: 58_627_800,
        Category.TWO_PAIR: 31_433_400,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.STRAIGHT: 6_180_020,
        Category.FLUSH: 4_047_644,
        Category.FULL_HOUSE: 3_473_184,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.STRAIGHT_FLUSH: 41_584,
    }
    total: Counter[Category] = Counter()
    for high in range(13):
        for low in range(high + 1):
            kinds: list[tuple[tuple[int, int], int]]
            if high == low:
                kinds = [((4 * high, 4 * high + 1), 6)]
            else:
                kinds = [((4 * high, 4 * low), 4), ((4 * high, 4 * low + 1), 12)]
            for hole_cards, combos in kinds:
                for category, ways in final_categories(hole_cards).items():
                    total[category] += combos * ways
    assert total == {category: 21 * ways for category, ways in published.items()}


def test_a_pair_before_the_flop_by_combinatorics() -> None:
    """Quads: both other aces and any three cards, or four of another rank and any card."""
    ends = final_categories(parse_cards("Ah Ac"))
    assert sum(ends.values()) == comb(50, 5)
    aces, on_the_board = comb(48, 3), 12 * 46
    assert ends[Category.FOUR_OF_A_KIND] == aces + on_the_board
    assert ends[Category.HIGH_CARD] == 0
    in_hearts_or_clubs = 2 * (comb(12, 4) * 38 + comb(12, 5))
    in_spades_or_diamonds = 2 * comb(13, 5)
    assert ends[Category.FLUSH] + ends[Category.STRAIGHT_FLUSH] == in_hearts_or_clubs + in_spades_or_diamonds


@pytest.mark.parametrize("suits", list(permutations(range(4))))
def test_suit_names_do_not_matter(suits) -> None:
    hole_cards, board, dead = parse_cards("Ah 7h"), parse_cards("Kh 7c 2h"), parse_cards("Qh 9s 9d")
    relabelled = [relabel_suits(cards, suits) for cards in (hole_cards, board, dead)]
    assert (final_strengths(*relabelled) == final_strengths(hole_cards, board, dead)).all()
    assert (final_strengths(relabelled[0]) == final_strengths(hole_cards)).all()


@given(questions((5,)))
@settings(deadline=None)
def test_on_the_river_it_is_the_hand(question) -> None:
    hole_cards, board, _ = question
    value = strength([*hole_cards, *board])
    assert counted(final_strengths(*question)) == {value: 1}
    ends = final_categories(*question)
    assert ends == {category: int(category == category_of(value)) for category in Category}


def test_a_dead_card_takes_its_runouts() -> None:
    """Runouts without a card, and those with it, are all."""
    hole_cards, board, card = parse_cards("Ah Kh"), parse_cards("Qh Jh 2c"), parse_cards("Th")
    every = final_strengths(hole_cards, board)
    without = final_strengths(hole_cards, board, card)
    with_it = final_strengths(hole_cards, (*board, *card))
    assert (every == without + with_it).all()
    assert without[7462] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0],), "There are two hole cards, not 1."),
        (([0, 1, 2],), "There are two hole cards, not 3."),
        (([0, 1], [2, 3]), "A board has 0, 3, 4 or 5 cards, not 2."),
        (([0, 52],), "52 is no card"),
        (([0, -1],), "-1 is no card"),
        (([0, 1.5],), "1.5 is no card"),
        (([0, float("nan")],), "nan is no card"),
        (([0, "Ah"],), "Ah is no card"),
        (([7, 7],), "The card 3s is twice in the hole cards."),
        (([0, 1], [2, 3, 1]), "The card 2d is in the hole cards and in the board."),
        (([0, 1], [2, 3, 4], [4]), "The card 3c is in the board and in the dead cards."),
        (([0, 1], [], range(2, 48)), "With 46 dead cards 4 are left, but the board needs 5 more."),
    ],
)
def test_what_is_refused(arguments, message) -> None:
    for function in (final_strengths, final_categories):
        with pytest.raises(EquityError, match=message):
            function(*arguments)
