"""What the true values of actions come to where they can be told otherwise."""

import numpy as np
import pytest

from engine.agents.styles import make_agent
from engine.cards import combo_of
from engine.equity.combos import combo_equities
from engine.game.events import CHECK, FOLD
from engine.game.rules import Betting, TableRules
from engine.lab.matches.compiled import compiled
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.reviews.truth import _Truth, summary, true_points
from tests.engine.agents.hands import deal, play, turn_of

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


def test_what_is_printed_is_of_all_points() -> None:
    plan = MatchPlan(("loose-aggressive", "always-call"), seats=2, hands=30, seed=3)
    points = list(true_points(plan, every=3, after=4, hands=100))
    assert len(points) >= 5
    assert summary(points).startswith(f"{len(points)} decisions")


def test_styles_that_are_not_compiled_are_refused() -> None:
    plan = MatchPlan(("fold", "always-call"), seats=2, hands=4, seed=3)
    with pytest.raises(MatchError, match="compiled"):
        next(true_points(plan, every=1, after=0, hands=2))
