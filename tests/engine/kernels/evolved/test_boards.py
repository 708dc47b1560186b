"""What evolved policies see of cards, against every hand by itself."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARD_COUNT
from engine.kernels.evaluator import tables
from engine.kernels.evolved.boards import fill_chances, pairs_on, straight_or_flush
from tests.reference.evaluator import order_of

CARDS = st.lists(st.integers(0, CARD_COUNT - 1), min_size=9, max_size=9, unique=True)


@settings(max_examples=4)
@given(CARDS, st.integers(3, 5))
def test_the_chance_is_that_of_all_hands(cards: list[int], size: int) -> None:
    hole_cards, board = cards[:2], cards[2 : 2 + size]
    rest = [card for card in range(CARD_COUNT) if card not in hole_cards + board]
    hands = [order_of([*board, *two])[0] for two in combinations(rest, 2)]
    found = sum(category in (4, 5, 8) for category in hands)
    chance = straight_or_flush(tables(), np.array(hole_cards, np.uint8), np.array(board, np.uint8))
    assert chance == found / len(hands)


@given(CARDS)
def test_chances_are_filled_for_both_places_and_all_streets(cards: list[int]) -> None:
    deck = np.array([cards], np.uint8)
    chances = np.zeros((1, 3, 2), np.float32)
    fill_chances(tables(), deck, chances)
    for place in range(2):
        for street in range(3):
            own, board = deck[0, [place, 2 + place]], deck[0, 4 : 7 + street].copy()
            assert chances[0, street, place] == np.float32(straight_or_flush(tables(), own, board))


@given(CARDS)
def test_pairs_are_ranks_that_lie_twice_or_more_often(cards: list[int]) -> None:
    ranks = [card // 4 for card in cards[:5]]
    assert pairs_on(np.array(cards[:5], np.uint8)) == sum(ranks.count(rank) > 1 for rank in set(ranks))
