"""Means with their standard errors, and between which limits the true value lies."""

from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

NORMAL_95 = 1.959964
"""So many standard errors to each side hold 95% of a normal distribution."""

LEAST_HANDS = 30
"""With fewer hands an interval of what is won per 100 is shown nowhere: it spans thousands of big blinds."""

_FEW_FREEDOM = 12.706, 4.303, 3.182, 2.776
"""Of 1 to 4 degrees of freedom, for which the series below is too short."""


class Mean(Struct, frozen=True):
    """A mean, and its standard error over so many observations; None with one."""

    value: float
    stderr: float | None
    observations: int


def mean_of(values: ArrayLike) -> Mean:
    """Return the mean of independent observations, one or more, with its standard error.

    >>> mean_of([1, 3])
    Mean(value=2.0, stderr=1.0, observations=2)
    """
    array = np.asarray(values, dtype=np.float64)
    count = len(array)
    return Mean(float(array.mean()), float(array.std(ddof=1)) / sqrt(count) if count > 1 else None, count)


def no_surer(mean: Mean, least: float) -> Mean:
    """Return a mean with no less than such a standard error, if it has one: a few may be alike by chance."""
    return mean if mean.stderr is None else replace(mean, stderr=max(mean.stderr, least))


def mean_interval(mean: Mean) -> tuple[float, float] | None:
    """Return the 95% confidence interval of a mean, by Student's t; None of one observation.

    >>> [round(bound, 3) for bound in mean_interval(Mean(2.0, 0.5, 5))]
    [0.612, 3.388]
    """
    if mean.stderr is None:
        return None
    freedom = mean.observations - 1
    is_table = freedom <= len(_FEW_FREEDOM)
    margin = (_FEW_FREEDOM[freedom - 1] if is_table else student(NORMAL_95, freedom)) * mean.stderr
    return mean.value - margin, mean.value + margin


def is_clear(mean: Mean) -> bool:
    """Tell whether a mean is clear of zero with 95%, by Student's t; that of one observation never is.

    >>> is_clear(Mean(0.5, 0.1, 3)), is_clear(Mean(0.4, 0.1, 3)), is_clear(Mean(9.0, None, 1))
    (True, False, False)
    """
    interval = mean_interval(mean)
    return interval is not None and not interval[0] <= 0 <= interval[1]


def rate_interval(rate: Mean) -> tuple[float, float] | None:
    """Return the 95% confidence interval of what is won per 100 hands; None of less than `LEAST_HANDS`.

    None too where all hands came to the same.
    """
    return mean_interval(rate) if rate.stderr and rate.observations >= LEAST_HANDS else None


def student(normal: float, freedom: int) -> float:
    """Return the quantile of Student's t that is as far out as one of a normal distribution.

    By Abramowitz and Stegun, 26.7.5: right to a hundredth for 30 degrees of freedom and 4 standard deviations.

    >>> round(student(NORMAL_95, 30), 3)
    2.042
    """
    x = normal
    terms = (x**3 + x) / 4, (5 * x**5 + 16 * x**3 + 3 * x) / 96, (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    return x + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
