"""What the true values of actions come to where they can be told otherwise."""

import numpy as np
import pytest

from engine.agents.styles import make_agent
from engine.cards import combo_of
from engine.equity.combos import combo_equities
from engine.game.events import CALL, CHECK, FOLD, Action
from engine.game.rules import Betting, TableRules
from engine.lab.matches.compiled import compiled
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.reviews.truth import TruePoint, _Truth, as_text, main, true_points, truth_of
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.review.decisions import decided

pytestmark = pytest.mark.slow

HANDS = 4000


@pytest.mark.parametrize("board", ["KhQd9s5c2h", "7c7d7hKsKd", "AhKhQhJhTh"])
def test_with_who_does_the_same_with_every_hand_a_check_on_the_river_is_worth_its_equity(board: str) -> None:
    seen = turn_of(play(deal([10_000] * 2, board=board), "300 c | x x | x x | x"))
    styles = compiled([make_agent("always-call")] * 2, Betting(TableRules(50, 100), [10_000] * 2, 1))
    assert styles is not None
    values = _Truth(seen, np.array([0, 1]), styles, 5).values((CHECK, FOLD), HANDS)
    equity = combo_equities(seen.board)[combo_of(*seen.hole_cards)]
    error = values[0].std() / HANDS**0.5
    assert values[0].mean() == pytest.approx(equity * seen.pot, abs=4 * error + 1e-9)
    assert not values[1].any()


def test_points_are_of_every_so_many_decisions_with_all_actions() -> None:
    plan = MatchPlan(("loose-aggressive", "always-call"), seats=2, hands=30, seed=3)
    points = list(true_points(plan, every=3, after=4, hands=100))
    assert len(points) >= 5
    for point in points:
        assert {point.decision.action, point.decision.best} <= set(point.actions)
        assert all(len(half) == len(point.actions) for half in point.halves)
    assert len(list(true_points(plan, every=6, after=4, hands=2))) == len(points) // 2


def point(loss: float, lead: float, error: float, best: Action = CALL) -> TruePoint:
    decision = decided(loss, error, action=FOLD, best=best, deals_stderr=0.0)
    return TruePoint(decision=decision, actions=(FOLD, CALL), halves=((0.0, lead), (0.0, lead)), stderr=0.0)


def test_what_is_predicted_is_held_against_the_truth_of_the_same_two_actions() -> None:
    points = [point(3.0, 4.0, 1.5), point(2.0, -1.0, 1.0), point(8.0, 5.0, 2.0), point(0.0, 0.0, 0.0, FOLD)]
    truth = truth_of(points)
    assert (truth.decisions, truth.advised, truth.flagged, truth.better) == (4, 3, 3, 2)
    assert (truth.predicted, truth.true) == (pytest.approx(13 / 3), pytest.approx(8 / 3))
    assert truth.apart == pytest.approx(5 / 3)
    assert (truth.within_one, truth.within_two) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    # The best of one half is taken from the other: 4, nothing, 5, and nothing again.
    assert truth.best == pytest.approx(9 / 4)
    assert "truly better in 2, by +2.7 ± 1.9" in as_text(truth)


def test_too_few_decisions_are_refused() -> None:
    with pytest.raises(MatchError, match="1 decisions with 1 mistakes are too few"):
        truth_of([point(3.0, 4.0, 1.0)])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nobody", "o1"], "nobody"),
        (["fold", "o1"], "compiled"),
        (["o1", "o2", "--hands", "4", "--every", "9", "--after", "0"], "few"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(
    words: list[str], reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["truth", *words])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert reason in capsys.readouterr().err.splitlines()[-1]


def test_styles_that_are_not_compiled_are_refused() -> None:
    plan = MatchPlan(("fold", "always-call"), seats=2, hands=4, seed=3)
    with pytest.raises(MatchError, match="compiled"):
        next(true_points(plan, every=1, after=0, hands=2))
