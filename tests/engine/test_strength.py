import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cards import format_cards, parse_cards, relabel_suits
from engine.strength import (
    Category,
    Draw,
    StrengthError,
    best_five,
    category_of,
    describe,
    draws,
    strength,
)
from tests.reference.evaluator import order_of

hands = st.integers(5, 7).flatmap(
    lambda count: st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True)
)


@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_is_the_reference_order(count: int) -> None:
    rng = random.Random(count)
    dealt = [rng.sample(range(52), count) for _ in range(1500)]
    dealt += [rng.sample(range(0, 52, 4), count) for _ in range(100)]  # one suit: flushes and straight flushes
    dealt += [rng.sample(range(32, 52), count) for _ in range(300)]  # five ranks: full houses and quads
    ours = [strength(cards) for cards in dealt]
    theirs = [order_of(cards) for cards in dealt]
    order = sorted(range(len(dealt)), key=lambda i: theirs[i])
    for i, j in pairwise(order):
        assert (ours[i] < ours[j]) == (theirs[i] < theirs[j])
        assert category_of(ours[i]) == theirs[i][0]


@given(hands, st.permutations(range(4)), st.randoms())
def test_neither_order_nor_suit_names_matter(cards: list[int], suits: list[int], rng: random.Random) -> None:
    relabelled = list(relabel_suits(cards, suits))
    rng.shuffle(relabelled)
    assert strength(relabelled) == strength(cards)


@given(hands)
def test_best_five_are_the_hand(cards: list[int]) -> None:
    five = best_five(cards)
    assert len(set(five)) == 5
    assert set(five) <= set(cards)
    assert strength(five) == strength(cards)


def test_bounds_of_the_categories() -> None:
    # How many strengths each category has is combinatorics: C(13, 5) - 10 high cards, 13 C(12, 3) pairs, ...
    counts = np.bincount([category_of(number) for number in range(1, 7463)])
    assert list(counts) == [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]
    for number in (0, 7463):
        with pytest.raises(StrengthError, match=f"{number} is no strength"):
            category_of(number)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("7c 5d 4h 3s 2c", 1), ("Ac Kc Qc Jc Tc", 7462), ("5c 4c 3c 2c Ac", 7453), ("5d 4c 3c 2c Ac", 5854)],
)
def test_known_strengths(text: str, expected: int) -> None:
    # 7462 - 10 + 1 is the lowest straight flush; 1277 + 2860 + 858 + 858 + 1 the lowest straight.
    assert strength(parse_cards(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7c Kd 2s 7h Ks Ad 7s", "7s7h7cKsKd"),
        ("Ah 2c 3d 4s 5h Kd Kc", "5h4s3d2cAh"),
        ("Ah Kh 2h 3h 4h 5h 6s", "5h4h3h2hAh"),
        ("Kc Kd 7s 7h 2c 2d Ah", "KdKc7s7hAh"),
        ("9c 9d 9s 9h 2c 2d 3h", "9s9h9d9c3h"),
        ("Qs Js 9s 5s 2s 2d Qd", "QsJs9s5s2s"),
        ("Kc Kd Ks 7h 7c 7d 2c", "KsKdKc7h7d"),
    ],
)
def test_best_five_in_order_of_weight(text: str, expected: str) -> None:
    assert format_cards(best_five(parse_cards(text))) == expected


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ([0, 4, 8, 12], "5 to 7 cards, not 4"),
        (list(range(8)), "5 to 7 cards, not 8"),
        ([0, 4, 8, 12, 52], "52 is no card"),
        ([-1, 4, 8, 12, 16], "-1 is no card"),
        ([0, 4, 8, 12, 4], "3c stands there twice"),
    ],
)
def test_refuses_what_is_no_hand(cards: list[int], complaint: str) -> None:
    for function in (strength, best_five):
        with pytest.raises(StrengthError, match=complaint):
            function(cards)


@pytest.mark.parametrize(
    ("hole_cards", "board", "complaint"),
    [
        ("As", "", "two hole cards, not 1"),
        ("As Ks Qs", "", "two hole cards, not 3"),
        ("As Ks", "2c 3c", "0, 3, 4 or 5 cards, not 2"),
        ("As Ks", "2c 3c As", "As stands there twice"),
    ],
)
def test_refuses_what_is_no_table(hole_cards: str, board: str, complaint: str) -> None:
    for function in (describe, draws):
        with pytest.raises(StrengthError, match=complaint):
            function(parse_cards(hole_cards), parse_cards(board))


@pytest.mark.parametrize(
    ("hole_cards", "board", "words"),
    [
        ("As Ks", "", "ace-king suited"),
        ("2d Th", "", "ten-deuce offsuit"),
        ("6d 6h", "", "pocket sixes"),
        ("Ah 9d", "Ks 7d 2h", "ace high"),
        ("Ah 7s", "Ks 7d 2h", "a pair of sevens, ace kicker"),
        ("6h 6s", "Ks 7d 2h 3s", "a pair of sixes, king kicker"),
        ("Kh 7s", "Kd 7c Ah 2s", "two pair, kings and sevens, ace kicker"),
        ("7h 7s", "Kd 7c Ah 2s", "a set of sevens, ace kicker"),
        ("Ah 7s", "Kd 7c 7h 2s", "trip sevens, ace kicker"),
        ("Ah Qs", "7d 7c 7h 2s", "three sevens, ace kicker"),
        ("9h 8s", "Td 7c 6h", "a straight, ten high"),
        ("Ah 2s", "3d 4c 5h Kd", "a straight, five high"),
        ("Ah 2h", "3h 9h Jh", "a flush, ace high"),
        ("Kh 7s", "Kd 7c Kc 2s", "a full house, kings full of sevens"),
        ("7h 7s", "7d 7c Kc 2s", "four sevens, king kicker"),
        ("9h 8h", "Th 7h 6h", "a straight flush, ten high"),
        ("Ah Kh", "Qh Jh Th 2c 2d", "a royal flush"),
        ("2h 3h", "As Ks Qd Jd Tc", "a straight, ace high, on the board"),
        ("Qh 3h", "As Ks Kd Ad Jc", "two pair, aces and kings, queen kicker"),
        ("2h 3h", "As Ks Kd Ad Jc", "two pair, aces and kings, jack kicker, on the board"),
    ],
)
def test_words(hole_cards: str, board: str, words: str) -> None:
    assert describe(parse_cards(hole_cards), parse_cards(board)) == words


@pytest.mark.parametrize(
    ("hole_cards", "other", "board", "words"),
    [
        ("7d 6h", "5c 3c", "9c 2h Kd 8c 9s", "a pair of nines, K-8-7 kicker"),
        ("7d 6h", "7c 5c", "9c 2h Kd 8c 9s", "a pair of nines, king kicker"),  # the same hand
        ("Ad 6h", "Kc 5c", "9c 2h Qd 8c 9s", "a pair of nines, ace kicker"),  # told apart by its first
        ("Ad Jh", "Ac Tc", "Kc 2h 8d 7c 5s", "A-K-J high"),
        ("Ad Jd", "Kd Td", "Qd 2d 8d 7c 5s", "a flush, ace high"),
        ("Kd Jd", "Kc Td", "Ad 2d 8d 7d 5s", "a flush, A-K high"),
        ("9d Jh", "9h Tc", "9c 9s Ad 7c 5s", "trip nines, A-J kicker"),
    ],
)
def test_words_tell_a_hand_apart_from_others(hole_cards: str, other: str, board: str, words: str) -> None:
    assert describe(parse_cards(hole_cards), parse_cards(board), [parse_cards(other)]) == words


@given(st.lists(st.integers(0, 51), min_size=9, max_size=9, unique=True), st.sampled_from([3, 4, 5]))
def test_hands_of_different_strength_have_different_words(cards: list[int], shown: int) -> None:
    board, pair = cards[4 : 4 + shown], (cards[:2], cards[2:4])
    first, second = (describe(hole_cards, board, pair) for hole_cards in pair)
    assert first != second or strength([*pair[0], *board]) == strength([*pair[1], *board])


@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.sampled_from([0, 3, 4, 5]))
def test_words_are_found_for_every_table(cards: list[int], shown: int) -> None:
    words = describe(cards[:2], cards[2 : 2 + shown])
    assert words == words.strip()
    if shown:
        category = category_of(strength(cards[: 2 + shown]))
        said = {"straight flush": 8, "royal": 8, "four ": 7, "full house": 6, "a flush": 5, "a straight,": 4}
        strongest = max((number for key, number in said.items() if words.startswith((key, f"a {key}"))), default=0)
        assert strongest == (category if category >= Category.STRAIGHT else 0)


@pytest.mark.parametrize(
    ("hole_cards", "board", "expected"),
    [
        ("Ah Kh", "", []),
        ("Ah Kh", "Qh 7h 2c", [Draw.FLUSH, Draw.OVERCARDS]),
        ("Ah 3c", "Qh 7h 2h", [Draw.FLUSH]),
        ("Kc 9c", "Qh 7h 2h 5h", []),  # four hearts, but none of them is ours
        ("Jh Tc", "9d 8c 2h", [Draw.OPEN_ENDED, Draw.OVERCARDS]),
        ("Jh Tc", "9d 7c 2h", [Draw.GUTSHOT, Draw.OVERCARDS]),
        ("Jh 9c", "Td 7c Kh", [Draw.DOUBLE_GUTSHOT]),  # an eight or a queen
        ("4h 5c", "2d 3c Kh", [Draw.OPEN_ENDED]),  # an ace or a six
        ("Ah 2c", "3d 4c Kh", [Draw.GUTSHOT]),  # a five only
        ("Ah Kc", "Qd Jc 2h", [Draw.GUTSHOT, Draw.OVERCARDS]),  # a ten only
        ("2h 2c", "Td 9c 8h 7s", []),  # the straight would be the board's and a jack
        ("6h 2c", "Td 9c 8h 7s", []),  # made
        ("Kh Kc", "Td 9c 2h", []),  # an overpair, no overcards
        ("Jh Tc", "9d 8c 2h 3s 4s", []),  # the river has passed
        ("9h 8h", "Th 7h 6c", [Draw.FLUSH]),  # a straight already
        ("Ah Ac", "Ad Kh Ks Qh", []),  # a full house
        ("Ah Kh", "Qh Jh 2c 3d", [Draw.FLUSH, Draw.GUTSHOT, Draw.OVERCARDS]),
    ],
)
def test_draws(hole_cards: str, board: str, expected: list[Draw]) -> None:
    assert list(draws(parse_cards(hole_cards), parse_cards(board))) == expected


@given(st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True), st.sampled_from([3, 4]))
@example(list(parse_cards("3c 3h 4h 7h 5h 3d")), 4)  # a six makes the board's straight, the six of hearts more
@example(list(parse_cards("2c 3h 4h 7h 5h 3c")), 4)  # an ace makes ours
def test_draws_are_the_cards_that_make_them(cards: list[int], shown: int) -> None:
    hole_cards, board = cards[:2], cards[2 : 2 + shown]
    found = draws(hole_cards, board)
    known = [*hole_cards, *board]
    category = order_of(known)[0]
    rest = [card for card in range(52) if card not in known]

    def makes(card: int, wanted: set[int]) -> bool:
        """Whether a card brings a hand of the category that is better than the board alone with it."""
        made = order_of([*known, card])
        return made[0] in wanted and (len(board) < 4 or made > order_of([*board, card]))

    flush_cards = sum(makes(card, {5, 8}) for card in rest)
    # A straight flush alone does not count: where the board has the straight, only the flush draw is our own. Every
    # rank that makes a straight does so in some suit that makes no flush.
    straight_ranks = {card // 4 for card in rest if category < 4 and makes(card, {4})}
    assert (Draw.FLUSH in found) == (flush_cards >= 4 and category < 5)
    straight_draws = set(found) & {Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT, Draw.GUTSHOT}
    assert len(straight_draws) == (len(straight_ranks) > 0)
    assert (Draw.GUTSHOT in found) == (len(straight_ranks) == 1)
