"""Intervals of means: as wide as few observations make them, and none of what is won in a few hands."""

from statistics import NormalDist

import pytest

from engine.figures.mean import LEAST_HANDS, Mean, mean_interval, rate_interval, student


@pytest.mark.parametrize(
    ("freedom", "quantile"),  # of 99.9%: Abramowitz and Stegun, table 26.10 at A = 0.998
    [(30, 3.385), (60, 3.232), (120, 3.160)],
)
def test_far_quantiles_are_those_of_students_t(freedom: int, quantile: float) -> None:
    assert student(NormalDist().inv_cdf(0.999), freedom) == pytest.approx(quantile, abs=0.002)


def test_what_is_won_in_a_few_hands_has_no_interval() -> None:
    assert rate_interval(Mean(5.0, 80.0, LEAST_HANDS - 1)) is None
    assert rate_interval(Mean(5.0, 0.0, LEAST_HANDS)) is None
    assert rate_interval(Mean(5.0, 80.0, LEAST_HANDS)) == mean_interval(Mean(5.0, 80.0, LEAST_HANDS))
