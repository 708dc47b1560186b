"""A match of two styles that stops once it is decided which of two win rates the first one has.

The sequential probability ratio test (Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical
Statistics 16, 1945): the logarithm of the likelihood ratio of HIGH to LOW is followed until it leaves the interval
from `ln(beta / (1 - alpha))` to `ln((1 - beta) / alpha)`. By how much observations scatter is not known beforehand,
so the ratio is the generalized one, each likelihood at its best variance (Li, Liu and Ying, "Generalized sequential
probability ratio test for separate families of hypotheses", Sequential Analysis 33, 2014). Of means that are nearly
normal it is `(HIGH - LOW) (mean - (HIGH + LOW) / 2) / stderr ** 2`.

An observation is what the standard error is over: a deck of one match, a match of several. The hands of a match
hang together by what is learned, so of one match the test holds as if nothing were. With few observations their
scatter is hardly known, and with skewed ones means are not normal: nothing is concluded from less than
`LEAST_DECKS` or `LEAST_MATCHES`, nor of two styles that play alike, whose decks all come to nothing.
"""

from enum import StrEnum
from math import copysign, inf, log

from msgspec import Struct

from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.matches.results import MatchResult

LEAST_DECKS = 100
LEAST_MATCHES = 30
"""Fewer than decks: a match is the sum of many hands, and so nearer to normal."""

_NOTHING = 1e-6
"""Big blinds per 100 hands: a rate and its error below it are those of observations that come to nothing."""

_MOST_BB = 100_000


class Holds(StrEnum):
    """Which of the two win rates it is."""

    LOW = "low"
    HIGH = "high"


class Sprt(Struct, frozen=True):
    """A test of two win rates of the first of two styles against the second.

    Attributes
    ----------
    low, high : float
        Big blinds won per 100 hands, the luck of the board taken out.
    alpha, beta : float
        How often HIGH may be found where LOW is true, and LOW where HIGH is; 0 to 0.5, both excluded.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the logarithm of the likelihood ratio has to leave to decide for LOW and for HIGH."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verify(self, plan: MatchPlan) -> None:
        """Raise `MatchError` if there is no such test of this match."""
        if len(plan.styles) != 2:
            raise MatchError(f"A sequential test is of two styles, not {len(plan.styles)}.")
        if not -_MOST_BB <= self.low < self.high <= _MOST_BB:
            raise MatchError(
                f"A sequential test takes two win rates, the lower one first, not {self.low:g} and {self.high:g}."
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise MatchError(
                    f"The error rate {name} of a sequential test is over 0 and under 0.5, not {rate:g}."
                )

    def outcome(self, result: MatchResult, *, is_over_matches: bool) -> "Outcome":
        """Return what is decided so far; `is_over_matches` where a match is an observation, else a deck is."""
        rate = result.styles[0].adjusted
        observations = result.matches if is_over_matches else result.decks
        least = LEAST_MATCHES if is_over_matches else LEAST_DECKS
        if observations < least or max(abs(rate.bb_per_100), rate.stderr) < _NOTHING:
            return Outcome(self, observations, is_over_matches)
        above = rate.bb_per_100 - (self.low + self.high) / 2
        ratio = (self.high - self.low) * above / rate.stderr**2 if rate.stderr else copysign(inf, above)
        lower, upper = self.bounds
        holds = Holds.HIGH if ratio >= upper else Holds.LOW if ratio <= lower else None
        return Outcome(self, observations, is_over_matches, ratio, holds)


class Outcome(Struct, frozen=True):
    """How far a test has come.

    Attributes
    ----------
    log_ratio : float or None
        Logarithm of the likelihood ratio of HIGH to LOW; None with too few observations, or if all come to nothing.
    holds : Holds or None
        None while it is not decided.
    """

    test: Sprt
    observations: int
    is_over_matches: bool
    log_ratio: float | None = None
    holds: Holds | None = None
