"""A match that is played alone tells how far it is, and comes to the same whether it does or not."""

import pytest
from msgspec.structs import replace

from engine.game.format_file import built_in
from engine.lab.matches import several
from engine.lab.matches.plan import LEAST_DECKS, MatchPlan
from engine.lab.matches.playing import match
from engine.lab.matches.results import MatchResult, TournamentResult
from engine.lab.matches.several import several_matches, several_tournaments, unfinished

PLANS = [
    MatchPlan(("random", "always-call", "nit"), 3, 60, 5),  # many hands at a time
    MatchPlan(("random", "adapter"), 2, 24, 7),  # hand by hand
]


@pytest.fixture(autouse=True)
def _everything_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "_SECONDS_OF_SAYING", 0.0)


def timeless(result: MatchResult) -> MatchResult:
    """Leave out what no two runs have in common."""
    styles = tuple(replace(style, decision_seconds=0.0) for style in result.styles)
    return replace(result, styles=styles)


@pytest.mark.parametrize("plan", PLANS)
def test_a_cash_game_alone_says_what_a_match_in_this_process_comes_to(plan: MatchPlan) -> None:
    said: list[bytes] = []
    *_, (whole, _) = several_matches(plan, 1, say=said.append)
    expected = {result.decks: timeless(result) for result in match(plan)}
    found = [unfinished(plan, one) for one in said]
    assert [one.hands for one in found] == [decks * plan.rotations for decks in expected if decks >= LEAST_DECKS]
    for one in (*found, whole):
        assert isinstance(one, MatchResult)
        assert timeless(one) == expected[one.decks]
    *_, (silent, _) = several_matches(plan, 1)
    assert timeless(silent) == replace(timeless(whole), curve=silent.curve)
    assert silent.curve[-1] == whole.curve[-1]


def test_tournaments_alone_are_told_one_by_one() -> None:
    game = replace(built_in("paper"), max_hands=40)
    plan = MatchPlan(("random", "shover", "nit"), 3, seed=2, game=game)
    said: list[bytes] = []
    *_, whole = several_tournaments(plan, 1, say=said.append)
    found = [unfinished(plan, one) for one in said]
    assert [one.tournaments for one in found if isinstance(one, TournamentResult)] == [1, 2, 3]
    assert found[-1] == whole
    first = found[0]
    assert isinstance(first, TournamentResult)
    assert sum(sum(style.places) for style in first.styles) == pytest.approx(3)
    *_, silent = several_tournaments(plan, 1)
    assert silent == whole


def test_several_matches_say_nothing() -> None:
    said: list[bytes] = []
    *_, (first, _) = several_matches(PLANS[0], 2, say=said.append)
    *_, (second, _) = several_matches(PLANS[0], 2)
    assert said == []
    assert timeless(first) == timeless(second)
