"""The sequential test: its bounds, its ratio, and that it errs as rarely as it says."""

from math import log

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.lab.matches.counted.tally import MatchTally, WinRate
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.matches.report import as_table
from engine.lab.matches.results import MatchResult
from engine.lab.matches.sprt import LEAST_DECKS, LEAST_MATCHES, Holds, Outcome, Sprt
from tests.engine.lab.matches.test_report import RESULT


def result(mean: float, stderr: float, observations: int, matches: int = 1) -> MatchResult:
    first = replace(RESULT.styles[0], adjusted=WinRate(mean, stderr, observations))
    return replace(RESULT, styles=(first, RESULT.styles[1]), decks=observations, matches=matches)


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    # 400 means of observations that scatter by 50: log of exp(-(x - 10)^2 / 2 s^2) to exp(-x^2 / 2 s^2).
    outcome = Sprt(0.0, 10.0).outcome(result(7.0, 2.5, 400), is_over_matches=False)
    expected = (7.0**2 - (7.0 - 10.0) ** 2) / (2 * 2.5**2)
    assert outcome.log_ratio == pytest.approx(expected)
    assert outcome.holds == Holds.HIGH
    assert Sprt(0.0, 10.0).bounds == pytest.approx((-log(19), log(19)))
    assert Sprt(0.0, 10.0, 0.01, 0.1).bounds == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


@pytest.mark.parametrize(
    ("mean", "stderr", "holds"),
    [(7.0, 2.6, Holds.HIGH), (6.0, 2.6, None), (3.0, 2.6, Holds.LOW), (4.0, 2.6, None), (5.01, 0.0, Holds.HIGH)],
)
def test_what_is_decided(mean: float, stderr: float, holds: Holds | None) -> None:
    assert Sprt(0.0, 10.0).outcome(result(mean, stderr, 1000), is_over_matches=False).holds == holds


def test_two_styles_that_play_alike_are_never_told_apart_by_rounding() -> None:
    """Their duplicate decks all come to nothing, but for the last digits of the luck that is taken out."""
    test = Sprt(-5.0, 5.0)
    for mean, stderr in ((2.4e-16, 3.1e-16), (-2.4e-16, 3.1e-16), (0.0, 0.0)):
        for is_over_matches in (False, True):
            outcome = test.outcome(result(mean, stderr, 1000, 1000), is_over_matches=is_over_matches)
            assert (outcome.log_ratio, outcome.holds) == (None, None)
    words = as_table(result(0.0, 0.0, 1000), outcome=Outcome(test, 1000, is_over_matches=False))
    assert words.endswith("Sequential test: nothing can be concluded from 1,000 decks.")


def test_few_observations_decide_nothing() -> None:
    test = Sprt(0.0, 10.0)
    few = result(500.0, 1.0, LEAST_DECKS - 1)
    assert test.outcome(few, is_over_matches=False) == Outcome(test, LEAST_DECKS - 1, is_over_matches=False)
    assert test.outcome(result(500.0, 1.0, LEAST_DECKS), is_over_matches=False).holds == Holds.HIGH
    for matches, holds in ((LEAST_MATCHES - 1, None), (LEAST_MATCHES, Holds.HIGH)):
        assert test.outcome(result(500.0, 1.0, 10_000, matches), is_over_matches=True).holds == holds


@pytest.mark.parametrize(
    ("test", "sentence"),
    [
        (Sprt(5, 5), "takes two win rates, the lower one first, not 5 and 5"),
        (Sprt(0, float("inf")), "takes two win rates, the lower one first, not 0 and inf"),
        (Sprt(0, 5, alpha=0), "The error rate alpha of a sequential test is over 0 and under 0.5, not 0"),
        (Sprt(0, 5, beta=0.7), "The error rate beta of a sequential test is over 0 and under 0.5, not 0.7"),
    ],
)
def test_tests_that_make_no_sense_are_refused(test: Sprt, sentence: str) -> None:
    with pytest.raises(MatchError, match=sentence):
        test.verify(MatchPlan(("random", "nit"), 2))
    with pytest.raises(MatchError, match="is of two styles, not 3"):
        Sprt(0, 5).verify(MatchPlan(("random", "nit", "shover"), 3))


def chips(kind: str, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Draw what decks of two hands win, around 0: mostly a little, and now and then a stack."""
    if kind == "normal":
        return 1000 * rng.standard_normal(count)
    return rng.standard_normal(count) * np.where(rng.random(count) < 0.1, 3000, 300)


def decided(test: Sprt, won: NDArray[np.float64]) -> Holds | None:
    """Play a match of decks that win so many chips, until the test decides."""
    plan = MatchPlan(("random", "nit"), 2)
    tally = MatchTally(2, plan.game.big_blind)
    for count, chips_won in enumerate(won.tolist(), 1):
        tally.observations.current[:] = (chips_won, -chips_won), (chips_won, -chips_won), (2, 2)
        tally.observations.end()
        if count >= LEAST_DECKS and count % 20 == 0:
            now = replace(
                RESULT,
                styles=(replace(RESULT.styles[0], adjusted=tally.win_rate(1, {0: 1.0})), RESULT.styles[1]),
                decks=count,
            )
            if (found := test.outcome(now, is_over_matches=False).holds) is not None:
                return found
    return None


@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_errors_are_as_rare_as_asked_for(kind: str) -> None:
    # 100 chips are a big blind: 1 chip a hand is a win rate of 1. About 200 decks decide.
    test, runs, rng = Sprt(-60.0, 60.0, 0.1, 0.05), 200, np.random.default_rng(7)
    found = {
        rate: [decided(test, chips(kind, rng, 3000) + 2 * rate) for _ in range(runs)] for rate in (-60.0, 60.0)
    }
    wrong_high, wrong_low = (found[rate].count(holds) for rate, holds in ((-60.0, Holds.HIGH), (60.0, Holds.LOW)))
    # Three standard errors of the counts above what is asked for.
    assert wrong_high <= runs * 0.1 + 3 * (runs * 0.1 * 0.9) ** 0.5
    assert wrong_low <= runs * 0.05 + 3 * (runs * 0.05 * 0.95) ** 0.5
    assert wrong_high > 0
    assert found[-60.0].count(None) == found[60.0].count(None) == 0
