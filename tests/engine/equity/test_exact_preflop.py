"""Exact counts before the flop: with the table of matchups, without it, and deal by deal all say the same."""

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, COMBO_MASK, parse_cards
from engine.equity import exact_preflop as preflop_counting
from engine.equity.exact_preflop import HeadsUpCounting, HeadsUpLookup, PreflopCounting, plan_preflop
from engine.equity.heads_up import BOARDS, heads_up_table
from engine.equity.joint import joint_deals
from engine.ranges import parse_range
from tests.reference.questions import R1, R2


def live(*texts: str) -> np.ndarray:
    return np.array([parse_range(text).weights for text in texts], dtype=np.float64)


@pytest.fixture
def without_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflop_counting, "is_ready", lambda: False)


def answer(counting: HeadsUpLookup | HeadsUpCounting | PreflopCounting | None) -> tuple[list[float], int]:
    assert counting is not None
    done = list(counting.steps())
    assert done[-1] == 1
    return counting.outcomes.tolist(), counting.showdowns


# Won, lost and tied by the first player.
ANSWERS = [
    (("AhKh", "QsQd"), [0, 787_966, 917_606, 6_732]),
    (("AhKh", R1), [0, 180_038_370, 113_800_298, 19_512_964]),
    ((R2, R1), [0, 10_443_662_268, 5_355_940_136, 511_805_500]),
]


@pytest.mark.parametrize(("ranges", "outcomes"), ANSWERS)
def test_published_answers_from_the_table(ranges: tuple[str, str], outcomes: list[int]) -> None:
    heads_up_table()
    counting = plan_preflop(live(*ranges), (), 1.0)
    assert isinstance(counting, HeadsUpLookup)
    assert answer(counting) == (outcomes, sum(outcomes))


@pytest.mark.usefixtures("without_table")
@pytest.mark.parametrize(("ranges", "outcomes"), ANSWERS)
def test_published_answers_without_the_table(ranges: tuple[str, str], outcomes: list[int]) -> None:
    counting = plan_preflop(live(*ranges), (), 1.0)
    assert isinstance(counting, HeadsUpCounting)
    assert answer(counting) == (outcomes, sum(outcomes))


def test_deal_by_deal_it_is_the_same() -> None:
    rng = np.random.default_rng(8)
    weights = live("AsKs,QQ,T9s,2c2d", "AhKd,JJ,A5s,7s2d,T9s") * rng.random((2, COMBO_COUNT))
    joint = joint_deals(weights, 10_000)
    assert joint is not None
    general, showdowns = answer(PreflopCounting(*joint, ()))
    assert showdowns == len(joint[0]) * BOARDS
    for counting in (HeadsUpLookup(weights, heads_up_table()), HeadsUpCounting(weights)):
        outcomes, count = answer(counting)
        assert outcomes == pytest.approx(general, rel=1e-13)
        assert count == showdowns


def test_showdowns_are_those_of_all_deals_without_a_clash() -> None:
    weights = live("AA,AsKs,22", "AA,AsKs,A2s")
    first, second = (np.flatnonzero(each) for each in weights)
    pairs = np.count_nonzero((COMBO_MASK[first][:, None] & COMBO_MASK[second]) == 0)
    assert HeadsUpCounting(weights).showdowns == pairs * BOARDS


@pytest.mark.usefixtures("without_table")
def test_steps_are_cut_between_ranks_and_cost_what_they_are_planned_for() -> None:
    wide = plan_preflop(live("random", "random"), (), 1.0)
    assert isinstance(wide, HeadsUpCounting)
    tasks = wide.tasks()
    deals = np.concatenate([task.args[0] for task in tasks])  # type: ignore[attr-defined]
    assert deals.shape == (47_008, 2)
    assert len(tasks) > 20
    assert plan_preflop(live("random", "random"), (), 0.01) is None


def test_with_dead_cards_deals_are_counted() -> None:
    dead = parse_cards("2c")
    counting = plan_preflop(live("AhKh", "QsQd"), dead, 1.0)
    assert isinstance(counting, PreflopCounting)
    outcomes, showdowns = answer(counting)
    assert sum(outcomes) == showdowns == 1_533_939  # C(47, 5)
    assert plan_preflop(live("random", "random"), dead, 1.0) is None
    three = plan_preflop(live("AhKh", "QsQd", "7c7d"), (), 1.0)
    assert isinstance(three, PreflopCounting)
