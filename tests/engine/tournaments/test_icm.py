import json
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import calculate_icm

from engine.tournaments.icm import IcmError, prize_shares, prize_table

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
    (_, first), (second, _) = prize_table((700, 300), prizes).break_even
    assert (first, second) == pytest.approx((0.5, 0.5))


def test_nothing_hangs_on_equal_prizes() -> None:
    assert prize_table((700, 300), (50, 50)).break_even == ((None, None), (None, None))


def test_the_bubble_of_a_satellite() -> None:
    """Of three equal stacks for two seats each has two thirds of one, and one for sure after winning."""
    row = prize_table((30, 30, 30), (1, 1)).break_even[1]
    assert row == pytest.approx((2 / 3, None, 2 / 3))


@given(STACKS.filter(lambda stacks: len(stacks) > 2))
def test_a_risk_premium_is_never_negative(stacks: list[int]) -> None:
    for one, row in enumerate(prize_table(stacks, (50, 30, 20)).break_even):
        for other, needed in enumerate(row):
            assert (needed is None) == (one == other)
            assert needed is None or 0.5 - 1e-9 <= needed < 1


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=5), st.data())
def test_who_goes_in_at_the_break_even_equity_is_worth_as_much_as_before(
    stacks: list[int], data: st.DataObject
) -> None:
    """By pokerkit's model: who is out has the prize of the place after all others."""
    one, other = data.draw(st.permutations(range(len(stacks))))[:2]
    prizes = (60, 40)
    needed, stake = prize_table(stacks, prizes).break_even[one][other], min(stacks[one], stacks[other])
    assert needed is not None
    mean = 0.0
    for chance, change in ((needed, stake), (1 - needed, -stake)):
        after = list(stacks)
        after[one] += change
        after[other] -= change
        left = [stack for stack in after if stack]
        worth = dict(zip([seat for seat, stack in enumerate(after) if stack], _listed(prizes, left), strict=True))
        mean += chance * worth.get(one, prizes[len(left)] if len(left) < len(prizes) else 0)
    assert mean == pytest.approx(_listed(prizes, stacks)[one])


def _listed(prizes: tuple[int, ...], stacks: list[int]) -> tuple[float, ...]:
    return calculate_icm(prizes[: len(stacks)], stacks)


@pytest.mark.parametrize(
    ("stacks", "prizes", "said"),
    [
        ((50,), (1,), "2 to 10 players with chips, not 1"),
        ((1,) * 11, (1,), "not 11"),
        ((50, 0), (1,), "not 0 (player 2)"),
        ((50, float("nan")), (1,), "not nan (player 2)"),
        ((50, 1e13), (1,), "(player 2)"),
        ((50, 50), (), "no prize"),
        ((50, 50), (3, 2, 1), "3 prizes for 2 players"),
        ((50, 50), (0, 0), "the first above 0"),
        ((50, 50), (1, -1), "from 0"),
        ((50, 50), (1, float("nan")), "from 0"),
        ((50, 50), (1, 2), "Place 1 wins 1 and place 2 more, 2."),
    ],
)
def test_what_is_no_tournament_is_refused(stacks: tuple[float, ...], prizes: tuple[float, ...], said: str) -> None:
    with pytest.raises(IcmError, match=re.escape(said)):
        prize_table(stacks, prizes)


def test_the_command_prints_a_table_and_json(printed: Callable[..., str]) -> None:
    lines = printed("icm", "50", "30", "20", "--prizes", "70", "30").splitlines()
    assert lines[1].split() == ["1", "50", "50.0%", "45.18", "45.2%"]
    assert lines[5].split() == ["All-in", "with", "1", "2", "3"]
    assert lines[6].split()[0:2] == ["1", "-"]
    found = json.loads(printed("icm", "50", "30", "20", "--prizes", "70", "30", "--json"))
    assert found["worth"] == pytest.approx(calculate_icm((70, 30), (50, 30, 20)))
    assert found["break_even"][0][0] is None


def test_the_command_refuses_in_one_sentence(refused: Callable[..., str]) -> None:
    assert refused("icm", "50", "30", "--prizes", "30", "70") == "Place 1 wins 30 and place 2 more, 70.\n"
