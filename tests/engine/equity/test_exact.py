"""The choice between ways to count, and that they agree."""

from itertools import combinations

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, parse_cards, unblocked
from engine.equity.exact import Counting, _ClassCounting, _SweepCounting, plan_count
from engine.equity.joint import Sums
from engine.ranges import parse_range
from tests.reference.equity import joint_outcomes
from tests.reference.questions import R1, R2, R25


def live_weights(texts: tuple[str, ...], board: str, dead: str = "") -> Sums:
    weights = np.array([parse_range(text).weights for text in texts], dtype=np.float64)
    return weights * unblocked(parse_cards(board + dead))


def counted(counting: Counting) -> Sums:
    *_, progress = counting.steps()
    assert progress == 1
    return counting.outcomes


def plan(texts: tuple[str, ...], board: str, budget: float, dead: str = "") -> Counting | None:
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
