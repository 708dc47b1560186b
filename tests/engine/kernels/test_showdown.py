"""The showdown kernels against counting one by one, with another program's evaluator."""

import os
import subprocess
import sys
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, card_mask, combo_of, parse_cards, unblocked
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.kernels.showdown import (
    IN_TURN,
    IN_TURN_OR_ANY,
    REJECTING,
    TOGETHER,
    DrawLists,
    count_preflop,
    fill_draw_lists,
    judge_deals,
    rank_lists,
    sample_deals,
    sweep_boards,
)
from tests.reference.equity import strength

NO_DEALS = np.zeros((0, 2), dtype=np.int16)


def outcomes_by_loop(hands: list[tuple[int, int]], boards: list[tuple[int, ...]]) -> NDArray[np.float64]:
    outcomes = np.zeros(1 << len(hands))
    for board in boards:
        strengths = [strength((*hand, *board)) for hand in hands]
        best = max(strengths)
        outcomes[sum(1 << i for i, value in enumerate(strengths) if value == best)] += 1
    return outcomes


@settings(max_examples=25)
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
    count_preflop(tables(), rank_lists(), deal, np.array([0.5]), np.uint64(card_mask(dead)), outcomes)
    assert np.array_equal(2 * outcomes, outcomes_by_loop(hands, list(combinations(deck, 5))))


def test_count_preflop_of_published_hands() -> None:
    # AhKh against QsQd, and the same with suits relabelled: wins, losses and ties of all 1,712,304 boards.
    for first, second in (("AhKh", "QsQd"), ("AcKc", "QhQd")):
        deal = np.array([[combo_of(*parse_cards(first)), combo_of(*parse_cards(second))]], dtype=np.int16)
        outcomes = np.zeros(4)
        count_preflop(tables(), rank_lists(), deal, np.ones(1), np.uint64(0), outcomes)
        assert outcomes.tolist() == [0, 787_966, 917_606, 6_732]


def test_count_preflop_adds_up_deals_by_weight() -> None:
    texts = [("AsKs", "7c7d", "5h4h"), ("2c2d", "AhKd", "9s9c")]
    deals = np.array([[combo_of(*parse_cards(hand)) for hand in row] for row in texts], dtype=np.int16)
    apart = np.zeros((2, 8))
    for row in range(2):
        count_preflop(tables(), rank_lists(), deals[row : row + 1], np.ones(1), np.uint64(0), apart[row])
    together = np.ones(8)
    count_preflop(tables(), rank_lists(), deals, np.array([2.0, 0.25]), np.uint64(0), together)
    assert np.array_equal(together, 1 + 2 * apart[0] + apart[1] / 4)
    assert apart.sum() == 2 * comb(46, 5)


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


@settings(max_examples=20)
@given(st.permutations(range(52)), st.integers(2, 6))
def test_judge_deals_against_a_loop(cards: list[int], players: int) -> None:
    hands = [(cards[2 * i], cards[2 * i + 1]) for i in range(players)]
    swapped = [*hands[1:], hands[0]]
    rest = cards[2 * players :]
    boards = [tuple(rest[i : i + 5]) for i in range(0, 30, 5)]
    blocked = [(hands[0][0], *rest[:4])]
    deals = np.array([[combo_of(*hand) for hand in row] for row in (hands, swapped)], dtype=np.int16)
    outcomes = np.zeros(1 << players)
    count = judge_deals(
        tables(),
        np.array(boards + blocked, dtype=np.uint8),
        deals,
        np.array([1.0, 0.5]),
        np.unique(deals),
        outcomes,
    )
    assert count == 2 * len(boards)
    expected = outcomes_by_loop(hands, boards) + outcomes_by_loop(swapped, boards) / 2
    assert np.array_equal(outcomes, expected)


def draw_lists(*ranges: dict[int, float]) -> DrawLists:
    weights = np.array([weight for hands in ranges for weight in hands.values()])
    lists = DrawLists(
        starts=np.cumsum([0, *map(len, ranges)]),
        combos=np.array([combo for hands in ranges for combo in hands], dtype=np.int16),
        weights=weights,
        threshold=np.zeros(len(weights)),
        other=np.zeros(len(weights), dtype=np.int64),
    )
    fill_draw_lists(lists)
    return lists


@given(st.lists(st.lists(st.floats(1e-6, 1), min_size=1, max_size=40), min_size=1, max_size=3))
def test_draw_lists_have_the_chances_of_their_weights(ranges: list[list[float]]) -> None:
    lists = draw_lists(*(dict(enumerate(weights)) for weights in ranges))
    for number, weights in enumerate(ranges):
        part = slice(lists.starts[number], lists.starts[number + 1])
        threshold, other = lists.threshold[part], lists.other[part]
        assert ((threshold >= 0) & (threshold <= 1 + 1e-12)).all()
        chance = threshold.copy()
        np.add.at(chance, other, 1 - threshold)
        expected = np.array(weights) / np.sum(weights) * len(weights)
        assert chance == pytest.approx(expected, rel=1e-6, abs=1e-9)


# Three ranges that clash often, on a river: every deal's outcome and weight can be listed.
BOARD = parse_cards("Ks7d2h3c9s")
RANGES: list[dict[int, float]] = [
    {combo_of(*parse_cards(hand)): weight for hand, weight in hands}
    for hands in (
        [("AhQd", 1.0), ("KhTh", 0.5), ("8h8d", 0.25)],
        [("AhQc", 1.0), ("KdTc", 0.5), ("KhQh", 0.75)],
        [("AcQh", 0.5), ("AdKc", 1.0), ("KcTs", 0.5), ("AdQd", 0.125)],
    )
]


def joint_deals() -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    deals, weights = [], []
    for a, b, c in ((a, b, c) for a in RANGES[0] for b in RANGES[1] for c in RANGES[2]):
        if len({card for combo in (a, b, c) for card in COMBO_CARDS[combo].tolist()}) == 6:
            deals.append((a, b, c))
            weights.append(RANGES[0][a] * RANGES[1][b] * RANGES[2][c])
    return np.array(deals, dtype=np.int16), np.array(weights)


def sampled(method: int, deals: int, seed: int = 0) -> tuple[NDArray[np.float64], int, int]:
    joint, weights = joint_deals()
    lists = draw_lists(dict(enumerate(weights))) if method == TOGETHER else draw_lists(*RANGES)
    outcomes = np.zeros((8, 2))
    board = np.array(BOARD, dtype=np.uint8)
    done, tries = sample_deals(
        tables(),
        new_stream(seed),
        board,
        np.uint64(card_mask(BOARD)),
        lists,
        joint,
        method,
        3,
        deals,
        10**9,
        outcomes,
    )
    return outcomes, done, tries


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
def test_every_method_samples_the_joint_distribution(method: int) -> None:
    joint, weights = joint_deals()
    exact = np.zeros(8)
    judge_deals(tables(), np.array([BOARD], dtype=np.uint8), joint, weights, np.unique(joint), exact)
    exact /= exact.sum()
    outcomes, deals, tries = sampled(method, 200_000)
    assert deals == 200_000
    assert tries > deals if method == REJECTING else tries == deals
    total = outcomes[:, 0].sum()
    share = outcomes[:, 0] / total
    # Each outcome is a ratio of sums of weights; its variance by the delta method.
    squares = outcomes[:, 1].sum()
    variance = (outcomes[:, 1] * (1 - share) ** 2 + (squares - outcomes[:, 1]) * share**2) / total**2
    assert (np.abs(share - exact) <= 4 * np.sqrt(variance) + 1e-12).all()
    assert np.count_nonzero(exact) >= 5


def test_drawing_in_turn_unweighted_is_another_distribution() -> None:
    # The bias that the other methods avoid: far outside ten standard errors of a difference, 0.016.
    exact = sampled(TOGETHER, 200_000)[0][:, 0] / 200_000
    biased = sampled(IN_TURN_OR_ANY, 200_000)[0][:, 0] / 200_000
    assert np.abs(exact - biased).max() > 0.016


def test_sampling_stops_after_so_many_tries() -> None:
    both = {combo_of(*parse_cards("AsAh")): 1.0}
    outcomes = np.zeros((4, 2))
    no_board = np.zeros(0, dtype=np.uint8)
    lists = draw_lists(both, both)
    args = (tables(), new_stream(0), no_board, np.uint64(0), lists, NO_DEALS)
    assert sample_deals(*args, REJECTING, 2, 10, 1000, outcomes) == (0, 1000)
    assert sample_deals(*args, IN_TURN, 2, 10, 1000, outcomes) == (10, 10)
    assert not outcomes.any()
    assert sample_deals(*args, IN_TURN_OR_ANY, 2, 10, 1000, outcomes) == (10, 10)
    assert outcomes[:, 0].sum() == 10


def test_sampled_boards_are_uniform_over_the_cards_left() -> None:
    board = parse_cards("Ah9h7c2d")
    mine, theirs = parse_cards("KhQh"), parse_cards("AsAd")
    lists = draw_lists({combo_of(*mine): 1.0}, {combo_of(*theirs): 1.0})
    outcomes = np.zeros((4, 2))
    deals = 400_000
    sample_deals(
        tables(),
        new_stream(3),
        np.array(board, dtype=np.uint8),
        np.uint64(card_mask(board)),
        lists,
        NO_DEALS,
        REJECTING,
        2,
        deals,
        deals,
        outcomes,
    )
    hearts = [card for card in range(52) if card & 3 == 2 and card not in (*board, *mine)]
    # A heart that pairs the board gives three aces a full house.
    chance = sum(card >> 2 not in {other >> 2 for other in board} for card in hearts) / 44
    error = np.sqrt(chance * (1 - chance) / deals)
    assert abs(outcomes[1, 0] / deals - chance) < 4 * error


SMALL_RUN = """
import numpy as np
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.kernels.showdown import *
np.seterr(over="ignore")
board = np.array([[47, 21, 2, 4, 31], [47, 43, 39, 4, 35]], dtype=np.uint8)
deals = np.array([[1325, 1000], [1300, 900]], dtype=np.int16)
weights = np.arange(1326) / 1326
won, tied, judged, dealt = np.zeros(1326), np.zeros(1326), np.zeros(4), np.zeros((4, 2))
sweep_boards(tables(), board, np.uint64(1), weights, won, tied)
judge_deals(tables(), board, deals, np.array([1.0, 0.5]), np.unique(deals), judged)
lists = DrawLists(np.array([0, 40, 80]), np.arange(80, dtype=np.int16), np.arange(1, 81) / 80,
                  np.zeros(80), np.zeros(80, dtype=np.int64))
fill_draw_lists(lists)
for method in (REJECTING, IN_TURN, IN_TURN_OR_ANY):
    sample_deals(tables(), new_stream(1), board[0, :3], np.uint64(1 << 47 | 1 << 21 | 1 << 2), lists,
                 np.zeros((0, 2), dtype=np.int16), method, 2, 20, 20, dealt)
print(repr([float(sum(array.ravel() * np.arange(1, array.size + 1))) for array in (won, tied, judged, dealt)]))
"""


def test_compiled_and_interpreted_kernels_agree() -> None:
    def run(disable_jit: str) -> list[float]:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit}
        done = subprocess.run(
            [sys.executable, "-c", SMALL_RUN], env=environment, capture_output=True, text=True, check=True
        )
        return [float(number) for number in done.stdout.strip("[]\n ").split(",")]

    compiled = run("0")
    assert compiled == pytest.approx(run("1"), rel=1e-12)
    assert all(compiled)
