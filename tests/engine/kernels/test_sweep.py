"""Every combo at once against counting one by one, with another program's evaluator."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, card_mask, combo_of, parse_cards, unblocked
from engine.kernels.evaluator import tables
from engine.kernels.sweep import sweep_boards
from tests.reference.equity import outcomes_by_loop, strength

RIVERS = ["Ks7d2h3c9s", "KsQsJs2h2d", "KsQsJs9s2d", "7c6c5c4c3c", "AsAhAdAcKs", "TsJsQsKsAs", "9h8h7h6d6c"]


@pytest.mark.parametrize("text", RIVERS)
def test_sweep_of_one_board_against_a_loop(text: str) -> None:
    board = parse_cards(text)
    live = np.flatnonzero(unblocked(board))
    weights = np.random.default_rng(7).random(COMBO_COUNT) * (np.arange(COMBO_COUNT) % 5 > 0)
    strengths = np.array([strength((*COMBO_CARDS[combo].tolist(), *board)) for combo in live])
    meets = (COMBO_MASK[live][:, None] & COMBO_MASK[live]) == 0
    won, tied = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    boards = np.array([board], dtype=np.uint8)
    sweep_boards(tables(), boards, np.uint64(0), weights, won, tied)
    beats = strengths[:, None] > strengths
    equals = strengths[:, None] == strengths
    assert won[live] == pytest.approx((beats & meets) @ weights[live], abs=1e-9)
    assert tied[live] == pytest.approx((equals & meets) @ weights[live], abs=1e-9)
    blocked = ~unblocked(board)
    assert not won[blocked].any()
    assert not tied[blocked].any()


@settings(max_examples=20)
@given(st.permutations(range(52)), st.integers(0, 3))
def test_sweep_of_many_boards_against_a_loop(cards: list[int], extra_dead: int) -> None:
    mine, theirs = cards[:2], cards[2:4]
    dead = cards[4 : 4 + extra_dead]
    flop, deck = cards[8:11], cards[11:19]
    boards = [(*flop, *runout) for runout in combinations(deck, 2)]
    weights = np.zeros(COMBO_COUNT)
    weights[combo_of(*theirs)] = 1
    won, tied = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    sweep_boards(tables(), np.array(boards, dtype=np.uint8), np.uint64(card_mask(dead)), weights, won, tied)
    expected = outcomes_by_loop([(mine[0], mine[1]), (theirs[0], theirs[1])], boards)
    combo = combo_of(*mine)
    assert (won[combo], tied[combo]) == (expected[1], expected[3])
    assert won[combo_of(*theirs)] == tied[combo_of(*theirs)] == 0
    assert all(won[combo] == 0 for combo in np.flatnonzero(~unblocked(dead)))
