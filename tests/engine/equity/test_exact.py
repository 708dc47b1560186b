"""Exact counts against every deal and board one by one, whichever way is taken."""

from itertools import combinations

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, COMBO_MASK, parse_cards, unblocked
from engine.equity import exact as preflop_counting
from engine.equity.exact import (
    ExactCount,
    _ClassCounting,
    _HeadsUpCounting,
    _HeadsUpLookup,
    _plan_preflop,
    _PreflopCounting,
    _SweepCounting,
    plan_count,
)
from engine.equity.joint import Sums, joint_deals
from engine.equity.matchups import BOARDS, heads_up_table
from engine.ranges import parse_range
from tests.reference.equity import joint_outcomes
from tests.reference.questions import R1, R2, R25


def live_weights(texts: tuple[str, ...], board: str, dead: str = "") -> Sums:
    weights = np.array([parse_range(text).weights for text in texts], dtype=np.float64)
    return weights * unblocked(parse_cards(board + dead))


def counted(counting: ExactCount) -> Sums:
    *_, progress = counting.steps()
    assert progress == 1
    return counting.outcomes


def plan(texts: tuple[str, ...], board: str, budget: float, dead: str = "") -> ExactCount | None:
    return plan_count(live_weights(texts, board, dead), parse_cards(board), parse_cards(dead), budget)


def test_three_ranges_are_counted_by_classes_within_a_budget() -> None:
    counting = plan(("AsKs", "QQ+", "22+"), "Js7s2h", 0.01)
    assert isinstance(counting, _ClassCounting)
    outcomes = counted(counting)
    assert counting.showdowns == outcomes.sum() == 639_324
    assert plan(("AsKs", "QQ+", "22+"), "Js7s2h", 1e-5) is None
    assert plan((R1, R1, R2), "Js7s2h", 1.0) is not None
    assert plan((R25, R25, R25), "Js7s2h", 0.1) is None
    assert plan(("random",) * 4, "Js7s2h", 120) is None


@pytest.mark.parametrize(
    ("texts", "board", "way"),
    [
        (("AsKs", "QhQc"), "Js7s2h", _ClassCounting),
        (("AsKs", "random"), "Js7s2h", _ClassCounting),
        ((R25, "random"), "Js7s2h", _SweepCounting),
        (("random", "random"), "Js7s2h2c3h", _SweepCounting),
    ],
)
def test_two_players_are_always_counted(texts: tuple[str, ...], board: str, way: type) -> None:
    assert isinstance(plan(texts, board, 0.0), way)


@pytest.mark.parametrize("board", ["Js7s2h", "Js7s2h2c", "Js7s2s2c3s"])
@pytest.mark.parametrize("texts", [("AsKs:0.5,QJs", R25), (R1, "random:0.25")])
def test_both_ways_agree_for_two_players(texts: tuple[str, ...], board: str) -> None:
    live, cards, dead = live_weights(texts, board, "4c5d"), parse_cards(board), parse_cards("4c5d")
    by_class, by_sweep = _ClassCounting(live, cards, dead, 1.0), _SweepCounting(live, cards, dead)
    assert counted(by_class) == pytest.approx(counted(by_sweep), rel=1e-12, abs=1e-9)
    assert by_class.showdowns == by_sweep.showdowns


def test_tasks_add_up_to_the_whole() -> None:
    live, board = live_weights((R2, "QQ+,AK:0.5", "TT+,AQ"), "Js7d2h"), parse_cards("Js7d2h")
    whole, parts = (_ClassCounting(live, board, (), seconds) for seconds in (0.001, 0.1))
    assert len(whole.tasks()) == 1
    assert len(parts.tasks()) > 4
    assert np.array_equal(counted(whole), counted(parts))  # sums of multiples of 1/8
    assert whole.showdowns == parts.showdowns > 0


def test_every_player_can_be_the_widest() -> None:
    texts, board = ("AsKs", "QhQd,JdJc", "9s8s:0.5,7c7d,3c3d:0.25"), "Js7s2h3h"
    players = [{int(c): float(w[c]) for c in np.flatnonzero(w)} for w in live_weights(texts, board)]
    for chosen in (*combinations(range(3), 2), (0, 1, 2), (2, 1, 0), (1, 2, 0)):
        expected, _ = joint_outcomes([players[i] for i in chosen], parse_cards(board))
        live = live_weights(tuple(texts[i] for i in chosen), board)
        assert np.array_equal(counted(_ClassCounting(live, parse_cards(board), (), 1.0)), expected)


def test_nothing_to_deal_counts_nothing() -> None:
    live = np.zeros((2, COMBO_COUNT))
    live[0, 0] = 1
    counting = _ClassCounting(live, parse_cards("Js7s2h"), (), 0.001)
    assert not counted(counting).any()
    assert counting.showdowns == 0


def live(*texts: str) -> np.ndarray:
    return np.array([parse_range(text).weights for text in texts], dtype=np.float64)


@pytest.fixture
def without_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflop_counting, "is_ready", lambda: False)


def answer(counting: _HeadsUpLookup | _HeadsUpCounting | _PreflopCounting | None) -> tuple[list[float], int]:
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
    counting = _plan_preflop(live(*ranges), (), 1.0)
    assert isinstance(counting, _HeadsUpLookup)
    assert answer(counting) == (outcomes, sum(outcomes))


@pytest.mark.usefixtures("without_table")
@pytest.mark.parametrize(("ranges", "outcomes"), ANSWERS)
def test_published_answers_without_the_table(ranges: tuple[str, str], outcomes: list[int]) -> None:
    counting = _plan_preflop(live(*ranges), (), 1.0)
    assert isinstance(counting, _HeadsUpCounting)
    assert answer(counting) == (outcomes, sum(outcomes))


def test_deal_by_deal_it_is_the_same() -> None:
    rng = np.random.default_rng(8)
    weights = live("AsKs,QQ,T9s,2c2d", "AhKd,JJ,A5s,7s2d,T9s") * rng.random((2, COMBO_COUNT))
    joint = joint_deals(weights, 10_000)
    assert joint is not None
    general, showdowns = answer(_PreflopCounting(*joint, ()))
    assert showdowns == len(joint[0]) * BOARDS
    for counting in (_HeadsUpLookup(weights, heads_up_table()), _HeadsUpCounting(weights)):
        outcomes, count = answer(counting)
        assert outcomes == pytest.approx(general, rel=1e-13)
        assert count == showdowns


def test_showdowns_are_those_of_all_deals_without_a_clash() -> None:
    weights = live("AA,AsKs,22", "AA,AsKs,A2s")
    first, second = (np.flatnonzero(each) for each in weights)
    pairs = np.count_nonzero((COMBO_MASK[first][:, None] & COMBO_MASK[second]) == 0)
    assert _HeadsUpCounting(weights).showdowns == pairs * BOARDS


@pytest.mark.usefixtures("without_table")
def test_steps_are_cut_between_ranks_and_cost_what_they_are_planned_for() -> None:
    wide = _plan_preflop(live("random", "random"), (), 1.0)
    assert isinstance(wide, _HeadsUpCounting)
    tasks = wide.tasks()
    deals = np.concatenate([task.args[0] for task in tasks])  # type: ignore[attr-defined]
    assert deals.shape == (47_008, 2)
    assert len(tasks) > 20
    assert _plan_preflop(live("random", "random"), (), 0.01) is None


def test_with_dead_cards_deals_are_counted() -> None:
    dead = parse_cards("2c")
    counting = _plan_preflop(live("AhKh", "QsQd"), dead, 1.0)
    assert isinstance(counting, _PreflopCounting)
    outcomes, showdowns = answer(counting)
    assert sum(outcomes) == showdowns == 1_533_939  # C(47, 5)
    assert _plan_preflop(live("random", "random"), dead, 1.0) is None
    three = _plan_preflop(live("AhKh", "QsQd", "7c7d"), (), 1.0)
    assert isinstance(three, _PreflopCounting)
