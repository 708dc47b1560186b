"""What the true values of actions come to where they can be told otherwise."""

import pytest

from engine.game.events import FOLD
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.reviews.truth import summary, true_points

pytestmark = pytest.mark.slow


def test_against_who_always_calls_a_fold_is_worth_nothing_and_halves_agree() -> None:
    plan = MatchPlan(("loose-aggressive", "always-call"), seats=2, hands=30, seed=3)
    points = list(true_points(plan, every=3, after=4, hands=400))
    assert len(points) >= 5
    for point in points:
        values = [dict(zip(point.actions, half, strict=True)) for half in point.halves]
        assert all(half.get(FOLD, 0.0) == 0.0 for half in values)
        assert abs(sum(values[0].values()) - sum(values[1].values())) < 100 * len(point.actions)
    assert summary(points).startswith(f"{len(points)} decisions")


def test_styles_that_are_not_compiled_are_refused() -> None:
    plan = MatchPlan(("fold", "always-call"), seats=2, hands=4, seed=3)
    with pytest.raises(MatchError, match="compiled"):
        next(true_points(plan, every=1, after=0, hands=2))
