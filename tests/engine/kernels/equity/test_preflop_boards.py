"""Boards before the flop against counting one by one, with another program's evaluator."""

from itertools import combinations
from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import card_mask, combo_of, parse_cards
from engine.kernels.equity.preflop_boards import count_preflop, rank_lists
from engine.kernels.evaluator import tables
from tests.reference.equity import outcomes_by_loop


@given(st.data())
def test_count_preflop_with_few_cards_left(data: st.DataObject) -> None:
    # With most cards dead the boards can be counted one by one; whole suits left make flushes common.
    players = data.draw(st.integers(2, 5), "players")
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (1,), (0, 3), (2, 0, 1)]), "suits")
    pool = [card for card in range(52) if card & 3 in suits]
    spare = [card for card in range(52) if card & 3 not in suits]
    size = 2 * players + 9
    cards = data.draw(st.permutations(pool), "cards")[:size]
    cards += data.draw(st.permutations(spare), "more cards")[: size - len(cards)] if spare else []
    hands = [(cards[2 * i], cards[2 * i + 1]) for i in range(players)]
    deck = cards[2 * players :]
    dead = set(range(52)) - set(cards)
    outcomes = np.zeros(1 << players)
    deal = np.array([[combo_of(*hand) for hand in hands]], dtype=np.int16)
    count_preflop(
        tables().flush_strength, rank_lists(), deal, np.array([0.5]), np.uint64(card_mask(dead)), outcomes
    )
    assert np.array_equal(2 * outcomes, outcomes_by_loop(hands, list(combinations(deck, 5))))


def test_count_preflop_of_published_hands() -> None:
    # AhKh against QsQd, and the same with suits relabelled: wins, losses and ties of all 1,712,304 boards.
    for first, second in (("AhKh", "QsQd"), ("AcKc", "QhQd")):
        deal = np.array([[combo_of(*parse_cards(first)), combo_of(*parse_cards(second))]], dtype=np.int16)
        outcomes = np.zeros(4)
        count_preflop(tables().flush_strength, rank_lists(), deal, np.ones(1), np.uint64(0), outcomes)
        assert outcomes.tolist() == [0, 787_966, 917_606, 6_732]


def test_count_preflop_adds_up_deals_by_weight() -> None:
    texts = [("AsKs", "7c7d", "5h4h"), ("2c2d", "AhKd", "9s9c")]
    deals = np.array([[combo_of(*parse_cards(hand)) for hand in row] for row in texts], dtype=np.int16)
    apart = np.zeros((2, 8))
    for row in range(2):
        count_preflop(
            tables().flush_strength, rank_lists(), deals[row : row + 1], np.ones(1), np.uint64(0), apart[row]
        )
    together = np.ones(8)
    count_preflop(tables().flush_strength, rank_lists(), deals, np.array([2.0, 0.25]), np.uint64(0), together)
    assert np.array_equal(together, 1 + 2 * apart[0] + apart[1] / 4)
    assert apart.sum() == 2 * comb(46, 5)
