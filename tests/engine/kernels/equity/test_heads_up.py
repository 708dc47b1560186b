"""Matchups before the flop against the general count, and against counting one by one."""

from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import combo_of, parse_cards, relabel_suits
from engine.kernels.equity.heads_up import count_matchups
from engine.kernels.equity.preflop_boards import count_preflop, rank_lists
from engine.kernels.evaluator import tables
from tests.reference.equity import strength

Deal = tuple[tuple[int, int], tuple[int, int]]


def combos(deals: list[Deal]) -> np.ndarray:
    return np.array([[combo_of(*hand) for hand in deal] for deal in deals], dtype=np.int16)


def deal_of(text: str) -> Deal:
    a, b, c, d = parse_cards(text)
    return (a, b), (c, d)


def in_general(deal: Deal) -> list[int]:
    outcomes = np.zeros(4)
    count_preflop(tables().flush_strength, rank_lists(), combos([deal]), np.ones(1), np.uint64(0), outcomes)
    _, won, _, tied = outcomes.tolist()
    return [won, tied]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Two hands; often of few ranks and suits, where pairs, shared suits and straight flushes are."""
    low = draw(st.integers(0, 9))
    high = draw(st.integers(low + 3, 12))
    suits = draw(st.sampled_from([(0, 1, 2, 3), (0, 1), (2,), (1, 3), (0, 1, 2)]))
    pool = [card for card in range(52) if low <= card >> 2 <= high and card & 3 in suits]
    a, b, c, d = draw(st.permutations(pool))[:4]
    return (a, b), (c, d)


@given(st.lists(deals(), min_size=1, max_size=3))
def test_as_the_general_count(chosen: list[Deal]) -> None:
    assert count_matchups(combos(chosen)).tolist() == [in_general(deal) for deal in chosen]


@given(deals())
def test_suits_order_and_players_do_not_matter(deal: Deal) -> None:
    (a, b), (c, d) = deal
    won, tied = count_matchups(combos([deal]))[0].tolist()
    same = [
        ((w, x), (y, z))
        for permutation in permutations(range(4))
        for w, x, y, z in [relabel_suits((a, b, c, d), permutation), relabel_suits((b, a, d, c), permutation)]
    ]
    assert count_matchups(combos(same)).tolist() == [[won, tied]] * 48
    other = count_matchups(combos([(second, first) for first, second in same]))
    assert other.tolist() == [[comb(48, 5) - won - tied, tied]] * 48


def test_neighbours_share_only_what_is_theirs() -> None:
    # The same ranks in all ways of sharing suits, then other ranks, then the first again.
    texts = [
        "AhKhQsJs",
        "AhKhQhJh",
        "AhKsQsJh",
        "AhKsQdJc",
        "AhKhQhJs",
        "KhAhQhJs",
        "2h2s3h3s",
        "2h2s3h3d",
        "AhKhQsJs",
    ]
    chosen = [deal_of(text) for text in texts]
    alone = [count_matchups(combos([deal]))[0].tolist() for deal in chosen]
    assert count_matchups(combos(chosen)).tolist() == alone
    assert alone[0] == alone[-1] != alone[1]


def test_published_hand() -> None:
    assert count_matchups(combos([deal_of("AhKhQsQd")])).tolist() == [[787_966, 6_732]]


# As every odds calculator prints them, by how many suits the pairs share.
@pytest.mark.parametrize(
    ("text", "equity"),
    [("AsAhKsKh", 0.8264), ("AsAhKsKd", 0.8195), ("AcAdKsKh", 0.8126), ("AsAhAdAc", 0.5)],
)
def test_published_equities(text: str, equity: float) -> None:
    won, tied = count_matchups(combos([deal_of(text)]))[0].tolist()
    assert (won + tied / 2) / comb(48, 5) == pytest.approx(equity, abs=0.00006)


def test_boards_drawn_at_random_and_judged_by_another_program() -> None:
    rng = np.random.default_rng(3)
    for text in ("8h7h8s6s", "AhQhAsKs", "5c4c5d3d"):
        first, second = deal_of(text)
        deck = [card for card in range(52) if card not in (*first, *second)]
        boards = [rng.choice(deck, 5, replace=False) for _ in range(5_000)]
        own, other = (np.array([strength((*hand, *board)) for board in boards]) for hand in (first, second))
        sampled = np.array([(own > other).mean(), (own == other).mean()])
        counted = count_matchups(combos([(first, second)]))[0] / comb(48, 5)
        assert (np.abs(sampled - counted) < 4 * np.sqrt(counted * (1 - counted) / len(boards))).all()
