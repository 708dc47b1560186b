"""What a review says, the same for the command and the window."""

from collections.abc import Callable
from math import floor, isnan

from engine.agents.value_reasons import CLEAR
from engine.figures.mean import LEAST_HANDS, Mean, rate_interval
from engine.game.events import Action, ActionKind, Chips
from engine.review.decision import GRADE_BOUNDS, LEAST_POT_BB, ReviewedDecision
from engine.review.session import Leak

GRADES_BY = (
    f"by the share of the pot lost, clear of the noise of the deals, pots of less counting as {LEAST_POT_BB:g} bb: "
    f"{', '.join(f'{grade.value} from {bound:.0%}' for grade, bound in GRADE_BOUNDS.items())} and {CLEAR:g} times ±"
)

SETTLED = "each hand at what its last decision was worth"
"""What `HandReview.settled_bb` is, which is called *at last decisions*."""


def action_words(decision: ReviewedDecision, action: Action, amount: Callable[[Chips], str]) -> str:
    """Write an action of a decision, its size by `amount`: `call`, `raise to 2.5 bb`."""
    if action.kind is not ActionKind.RAISE:
        return action.kind.value
    verb = "bet" if decision.spot.facing == "no bet" else "raise to"
    return f"{verb} {amount(action.raise_to)}"


def share_words(decision: ReviewedDecision) -> str:
    """Write by which share of the pot a decision is graded, rounded down as grades are."""
    return f"{floor(100 * decision.share)}%"


def rate_words(rate: Mean) -> str:
    """Write big blinds per 100 hands with their interval, or of few hands the sum.

    >>> rate_words(Mean(-3.0, 2.0, 1000)), rate_words(Mean(50.0, None, 1))
    ('-3.0 bb per 100 hands (95%: -6.9 to 0.9)', '0.5 bb, in too few hands for a rate')
    """
    if isnan(rate.value):
        return "not known: not all cards of an all-in were shown"
    if rate.observations < LEAST_HANDS:
        return f"{_number(rate.value * rate.observations / 100)} bb, in too few hands for a rate"
    interval = rate_interval(rate)
    between = f" (95%: {_number(interval[0])} to {_number(interval[1])})" if interval is not None else ""
    return f"{_number(rate.value)} bb per 100 hands{between}"


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}"  # no -0.0


def leak_cells(leak: Leak) -> tuple[str, ...]:
    """Return what the decisions of a leak have in common, how many and how many bad, and what they cost."""
    return (
        ", ".join(leak.spot),
        f"{leak.decisions:,}",
        f"{leak.bad:,}",
        f"{leak.loss_bb:.2f} ± {leak.clear * leak.stderr:.2f}",
        f"{leak.bb_per_100:.1f}",
    )
