"""What hole cards make of a board, compiled, against the rule-based players' own view of it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agents.rule_based.holdings import Holding, holding_of, is_draw
from engine.cards import Card
from engine.kernels.bulk import tempers as bulk_tempers
from engine.kernels.evaluator import tables

CARDS = st.lists(st.integers(0, 51).map(Card), min_size=5, max_size=7, unique=True)
FEW_RANKS = st.lists(st.integers(0, 19).map(Card), min_size=5, max_size=7, unique=True)
ONE_SUIT = st.lists(st.integers(0, 25).map(lambda card: Card(2 * card)), min_size=5, max_size=7, unique=True)


@settings(max_examples=400)
@given(st.one_of(CARDS, FEW_RANKS, ONE_SUIT))
def test_holdings_are_those_of_the_ordinary_players(cards: list[Card]) -> None:
    held = np.array(cards + [0] * (7 - len(cards)), np.uint8)
    hand = bulk_tempers.Hand(held, len(cards), 0.0, 0.0)
    hole_cards, board = (cards[0], cards[1]), tuple(cards[2:])
    assert bulk_tempers.holding(hand, tables()) == holding_of(hole_cards, board)
    assert (bulk_tempers.draw(hand, tables()) == Holding.STRONG) == is_draw(hole_cards, board)
