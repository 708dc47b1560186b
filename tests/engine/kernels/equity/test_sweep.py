"""Every combo at once against every two combos on every board, with another program's evaluator."""

from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_CARDS,
    COMBO_COUNT,
    combo_of,
    parse_cards,
    relabel_suits,
    unblocked,
)
from engine.kernels.equity.river import river_equities
from engine.kernels.equity.showdown_order import showdown_orders
from engine.kernels.equity.sweep import sweep_equities, sweep_range
from tests.reference.equity import strength
from tests.reference.sweep import won_and_tied

RIVERS = ["Ks7d2h3c9s", "KsQsJs2h2d", "KsQsJs9s2d", "7c6c5c4c3c", "AsAhAdAcKs", "TsJsQsKsAs", "9h8h7h6d6c"]
RIVERS += ["KsKdKh2s2d", "5s4s3s2sAd", "AcQc9c8c2c", "8d8s8hJdTd", "Jd9d8d7dKs"]
TURNS = ["Ks7d2h3c", "KsQsJs2h", "9h8h7h6h", "KdKs7d7s", "AsAhAdAc", "5d6d7s8s"]
FLOPS = ["Ks7d2h", "Ts9s4d", "Jh8h5h", "QcQd3c", "6h6s6d", "9s8s7s"]


def small_integers(seed: int) -> NDArray[np.float64]:
    """Weights 0 to 8, of which all sums are exact."""
    return np.random.default_rng(seed).integers(0, 9, COMBO_COUNT).astype(np.float64)


def check_exactly(board: tuple[int, ...], dead: tuple[int, ...], seed: int, observers: int = COMBO_COUNT) -> None:
    weights = small_integers(seed)
    observed = np.random.default_rng(seed).permutation(COMBO_COUNT)[:observers]
    won, tied = won_and_tied(board, dead, weights, observed)
    assert np.array_equal(sweep_range(board, dead, weights, 1.0)[0][observed], 2 * won + tied)
    assert np.array_equal(sweep_range(board, dead, weights, 0.0)[0][observed], 2 * won)


@pytest.mark.every(5)
@pytest.mark.parametrize("text", RIVERS)
@pytest.mark.parametrize("dead", ["", "4h 5c 2s"])
def test_rivers(text: str, dead: str) -> None:
    board = parse_cards(text)
    check_exactly(board, tuple(card for card in parse_cards(dead) if card not in board), 7)


@given(st.permutations(range(CARD_COUNT)), st.integers(0, 4), st.integers(0, 43), st.integers(0, 2**32))
def test_any_river(cards: list[int], suit: int, dead_count: int, seed: int) -> None:
    if suit < 4:
        cards = sorted(cards, key=lambda card: card & 3 != suit)  # 13 of a suit come first: all have a flush
        swaps = seed % 3
        cards[:swaps], cards[20 : 20 + swaps] = cards[20 : 20 + swaps], cards[:swaps]
    check_exactly(tuple(cards[:5]), tuple(cards[5 : 5 + dead_count]), seed, 60)


@pytest.mark.every(5)
@pytest.mark.parametrize("text", RIVERS)
@pytest.mark.parametrize("size", [1, 2, 30, 100, 101, 102, 103])
def test_few_combos_on_a_river(text: str, size: int) -> None:
    board = parse_cards(text)
    rng = np.random.default_rng(size)
    live = np.flatnonzero(unblocked(board))
    # All hold one of two cards: beside these nothing can be dealt, though no sum of thirds is exactly 0.
    pair = COMBO_CARDS[live[-1]]
    around = live[np.isin(COMBO_CARDS[live], pair).any(axis=1)]
    for chosen in (rng.choice(live, size), rng.choice(around, size)):
        weights = np.zeros(COMBO_COUNT)
        weights[chosen] = rng.random(size) / 3
        worth, beside = sweep_range(board, (), weights, 1.0)
        won, tied = won_and_tied(board, (), weights, live)
        assert worth[live] == pytest.approx(2 * won + tied, abs=1e-13)
        shares = (COMBO_CARDS[:, :, None, None] == COMBO_CARDS[np.unique(chosen)].T[None, None]).any(axis=(1, 2))
        met = (~shares & unblocked(board)[:, None]) @ weights[np.unique(chosen)]
        assert np.array_equal(beside > 0, met > 0)
        assert beside == pytest.approx(met, abs=1e-13)
        assert not worth[beside == 0].any()
        expected = np.divide(worth, 2 * beside, out=np.zeros(COMBO_COUNT), where=beside > 0)
        assert sweep_equities(board, (), weights) == pytest.approx(np.clip(expected, 0, 1), abs=1e-7)


def test_weights_that_a_river_refuses() -> None:
    board, weights = parse_cards("AcQc9c8c2d"), small_integers(3)
    assert np.array_equal(river_equities(board, (), weights), sweep_equities(board, (), weights))
    for combo in (0, 700, 1325):
        for bad in (np.nan, np.inf, -np.inf, -1e-9, 1e100):
            changed = weights.copy()
            changed[combo] = bad
            assert river_equities(board, (), changed) is None
    assert river_equities(board, (), np.zeros(COMBO_COUNT)) is None
    assert river_equities(board, (), np.full(COMBO_COUNT, 1e-100)) is None


@pytest.mark.every(3)
@pytest.mark.parametrize("text", TURNS)
def test_turns(text: str) -> None:
    check_exactly(parse_cards(text), parse_cards("4h 6c"), 8, 200)


@pytest.mark.slow
@pytest.mark.parametrize("text", FLOPS)
def test_flops(text: str) -> None:
    check_exactly(parse_cards(text), parse_cards("Tc"), 9, 40)


@pytest.mark.parametrize("text", FLOPS)
@pytest.mark.parametrize("at_tie", [0.0, 1.0])
def test_a_flop_is_half_of_all_its_turns(text: str, at_tie: float) -> None:
    flop, dead, weights = parse_cards(text), parse_cards("2c"), small_integers(10)
    turns = [card for card in range(CARD_COUNT) if card not in flop and card not in dead]
    by_turn = sum(sweep_range((*flop, card), dead, weights, at_tie)[0] for card in turns)
    assert np.array_equal(2 * sweep_range(flop, dead, weights, at_tie)[0], by_turn)


@given(st.permutations(range(CARD_COUNT)), st.integers(3, 4), st.integers(0, 40))
def test_a_board_is_all_its_next_boards(cards: list[int], size: int, dead_count: int) -> None:
    board, dead = cards[:size], cards[size : size + dead_count]
    weights = small_integers(cards[-1])
    worth, beside = sweep_range(board, dead, weights, 1.0)
    following = [sweep_range([*board, card], dead, weights, 1.0)[0] for card in cards[size + dead_count :]]
    assert np.array_equal((5 - size) * worth, np.sum(following, axis=0))
    live = unblocked((*board, *dead))
    assert not worth[~live].any()
    assert not beside[~live].any()


@pytest.mark.every(4)
@pytest.mark.parametrize("text", ["Ks7d2h", "Ts9s4d", "QcQd3c5c", "Jh8h5h", *RIVERS])
def test_suits_have_no_order(text: str) -> None:
    board, dead, weights = parse_cards(text), parse_cards("4d"), small_integers(11)
    worth = sweep_range(board, dead, weights, 1.0)[0]
    for permutation in permutations(range(4)):
        moved = np.array([combo_of(*relabel_suits(cards, permutation)) for cards in COMBO_CARDS.tolist()])
        relabelled = np.empty(COMBO_COUNT)
        relabelled[moved] = weights
        theirs = sweep_range(relabel_suits(board, permutation), relabel_suits(dead, permutation), relabelled, 1.0)
        assert np.array_equal(theirs[0][moved], worth)


def test_the_range_of_one_combo() -> None:
    board, weights = parse_cards("Ks7d2h3c9s"), np.zeros(COMBO_COUNT)
    weights[combo_of(*parse_cards("KhQh"))] = 3
    worth, beside = sweep_range(board, (), weights, 1.0)
    rivals = [["KhQh", 0, 0], ["KhJs", 0, 0], ["KcQc", 3, 3], ["KcJc", 0, 3], ["AsAd", 6, 3], ["7c7s", 6, 3]]
    for text, expected, met in rivals:
        combo = combo_of(*parse_cards(str(text)))
        assert (worth[combo], beside[combo]) == (expected, met)


@pytest.mark.parametrize("text", ["Ks7d2h", "Ts9s4d2d", "7c6c5c4c3c", "Ks7d2h3c9s", "KsQsJs9s2d"])
def test_an_empty_range_gives_zeros(text: str) -> None:
    board = parse_cards(text)
    blocked = ~unblocked(board)
    for weights in (np.zeros(COMBO_COUNT), np.where(blocked, 0.7, 0.0)):
        for values in sweep_range(board, (), weights, 1.0):
            assert not values.any()


@pytest.mark.parametrize("text", ["Ks7d2h", "Ts9s4d", "Jh8h5h", "Ks7d2h3c", "9h8h7h6h", *RIVERS])
def test_the_error_is_small_beside_the_largest_weight(text: str) -> None:
    board = parse_cards(text)
    exponents = np.random.default_rng(12).integers(-40, 1, COMBO_COUNT)
    # The same weights as integers, of which all sums are exact: 20 bits each, in two parts.
    parts = [small_integers(13) * 2.0**exponents, np.where(exponents > -20, small_integers(13) * 2.0**exponents, 0)]
    worth, beside = sweep_range(board, (), parts[0], 1.0)
    large, large_beside = sweep_range(board, (), parts[1], 1.0)
    small, small_beside = sweep_range(board, (), (parts[0] - parts[1]) * 2.0**40, 1.0)
    completions = {3: 990, 4: 44, 5: 1}[len(board)]
    assert np.abs(worth - large - small * 2.0**-40).max() < 1e-11 * completions * parts[0].max()
    assert np.abs(beside - large_beside - small_beside * 2.0**-40).max() < 1e-11 * parts[0].max()


def test_orders_of_rank_pairs_are_the_evaluators() -> None:
    orders = showdown_orders()
    pairs = np.array([(high, low) for high in range(13) for low in range(high + 1)])
    boards = list(combinations_with_replacement(range(13), 5))
    flush = strength(parse_cards("7c5c4c3c2c"))
    for board in boards[::7]:
        number = sum(comb(rank + i, i + 1) for i, rank in enumerate(board))
        ranks = np.sort(np.concatenate([np.broadcast_to(board, (91, 5)), pairs], axis=1))
        possible = (ranks[:, 4:] != ranks[:, :-4]).all(axis=1)
        # Suits in turn: no two cards are the same and no three of a suit.
        hands = 4 * ranks + np.arange(7) % 4
        strengths = np.array(
            [strength(hand) if ok else 0 for hand, ok in zip(hands.tolist(), possible, strict=True)]
        )
        items = orders.by_ranks[number]
        order = items & 255
        assert sorted(order) == list(range(91))
        # Rank pairs that nobody can hold may stand anywhere.
        group, in_order = np.cumsum(items < 256)[possible[order]], strengths[order][possible[order]]
        assert np.array_equal(np.diff(group) > 0, np.diff(in_order) > 0)
        assert (np.diff(in_order) >= 0).all()
        beaten = order[: orders.below_flush[number]]
        assert (strengths[beaten][possible[beaten]] < flush).all()
        assert (strengths[np.setdiff1d(np.flatnonzero(possible), beaten)] > flush).all()


def test_orders_of_flushes_are_the_evaluators() -> None:
    orders = showdown_orders()
    pairs = [(high, low) for high in range(13) for low in range(high + 1)]
    boards = [ranks for count in (3, 4, 5) for ranks in combinations(range(13), count)]
    straight_flush = strength(parse_cards("5c4c3c2cAc"))
    for board in boards[::5]:
        row = orders.flush_row[sum(1 << rank for rank in board)]
        items = [item for item in orders.by_suited[row].tolist() if item >= 0]
        hands = [pairs[(item & 255) - 104] if item & 255 >= 104 else ((item & 255) - 91,) for item in items]
        left = [rank for rank in range(13) if rank not in board]
        singles = [(rank,) for rank in left if len(board) > 3]
        assert sorted(hands) == sorted([*singles, *((j, i) for i, j in combinations(left, 2))])
        strengths = [strength([4 * rank for rank in (*board, *hand)]) for hand in hands]
        assert strengths == sorted(strengths)
        before = [strength([4 * rank for rank in board]) if len(board) == 5 else None, *strengths]
        assert [item >= 256 for item in items] == [x == y for x, y in pairwise(before)]
        assert orders.below_straight_flush[row] == sum(value < straight_flush for value in strengths)
