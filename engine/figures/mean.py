"""Means with their standard errors, and between which limits the true value lies."""

from msgspec import Struct

NORMAL_95 = 1.959964
"""So many standard errors to each side hold 95% of a normal distribution."""

FEW_HANDS = 30
"""With fewer hands an interval of what is won per 100 is shown nowhere: it spans thousands of big blinds."""

_FEW_FREEDOM = 12.706, 4.303, 3.182, 2.776
"""Of 1 to 4 degrees of freedom, for which the series below is too short."""


class Mean(Struct, frozen=True):
    """A mean, and its standard error over so many observations; None with one."""

    value: float
    stderr: float | None
    observations: int


def mean_interval(mean: Mean) -> tuple[float, float] | None:
    """Return the 95% confidence interval of a mean, by Student's t; None of one observation.

    >>> [round(bound, 3) for bound in mean_interval(Mean(2.0, 0.5, 5))]
    [0.612, 3.388]
    """
    if mean.stderr is None:
        return None
    margin = _student_95(mean.observations - 1) * mean.stderr
    return mean.value - margin, mean.value + margin


def _student_95(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t (Abramowitz and Stegun, 26.7.5), right to a thousandth."""
    if freedom <= len(_FEW_FREEDOM):
        return _FEW_FREEDOM[freedom - 1]
    x = NORMAL_95
    terms = (x**3 + x) / 4, (5 * x**5 + 16 * x**3 + 3 * x) / 96, (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    return x + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
