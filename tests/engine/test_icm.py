from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import calculate_icm

from engine.icm import break_even_equity, prize_shares

STACKS = st.lists(st.integers(1, 10**6), min_size=2, max_size=6)
PRIZES = st.lists(st.integers(1, 10**4), min_size=1, max_size=6)


@given(STACKS, PRIZES)
def test_shares_are_those_of_all_orders_listed(stacks: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(stacks)]
    assert prize_shares(stacks, prizes) == pytest.approx(calculate_icm(prizes, stacks))


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=10).filter(any), PRIZES)
def test_all_prizes_are_shared_out(stacks: list[int], prizes: list[int]) -> None:
    assert sum(prize_shares(stacks, prizes)) == pytest.approx(sum(prizes[: len(stacks)]))


def test_who_goes_out_has_the_last_place() -> None:
    """Of four players one has all chips after two are out: the next is sure, the two others share the last."""
    assert prize_shares((0, 60, 40, 0), (50, 30, 12, 8)) == pytest.approx((10, 42, 38, 10))
    assert prize_shares((100, 0), (70, 30)) == (70, 30)


def test_the_winner_taking_all_makes_prizes_of_chips() -> None:
    assert prize_shares((5, 3, 2), (100,)) == pytest.approx((50, 30, 20))


@pytest.mark.parametrize("prizes", [(100,), (70, 30)])
def test_two_players_may_go_in_with_half_of_the_pot(prizes: Sequence[int]) -> None:
    """Two have the lower prize for sure and play for the rest, chip by chip, unless there is none."""
    assert break_even_equity((700, 300), prizes, 0, 1) == pytest.approx(0.5)
    assert break_even_equity((700, 300), prizes, 1, 0) == pytest.approx(0.5)


def test_nothing_hangs_on_equal_prizes() -> None:
    assert break_even_equity((700, 300), (50, 50), 0, 1) is None


def test_the_bubble_of_a_satellite() -> None:
    """Of three equal stacks for two seats each has two thirds of one, and one for sure after winning."""
    assert break_even_equity((30, 30, 30), (1, 1), 0, 1) == pytest.approx(2 / 3)


@given(STACKS.filter(lambda stacks: len(stacks) > 2))
def test_a_risk_premium_is_never_negative(stacks: list[int]) -> None:
    needed = break_even_equity(stacks, (50, 30, 20), 0, 1)
    assert needed is not None
    assert 0.5 - 1e-9 <= needed < 1
