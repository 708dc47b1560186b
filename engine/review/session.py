"""What reviewed hands come to: accuracy, what mistakes cost, the moments that mattered, and leaks by spot.

Losses are summed as they were measured, also those within noise and below 0: picking the clear ones would make the
sum too large. Errors come from how hands differ from each other, each hand one observation.

A *leak* is a kind of decision that costs clearly more than nothing, and no less per decision than all decisions of
the player do, in `LEAST_HANDS` hands or more. Since many kinds are looked at, each has to be clear by as many
standard errors as make it unlikely (5% for all together; Bonferroni, Student's t) that one which costs nothing is
among them.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from msgspec import Struct

from engine.figures.mean import LEAST_HANDS, Mean, student
from engine.review.decision import Grade, ReviewedDecision
from engine.review.hands import HandReview

_MOMENTS = 5
_UNSURE = 0.05


class Moment(Struct, frozen=True):
    """A decision, and the name of its hand."""

    hand: str
    decision: ReviewedDecision


class Leak(Struct, frozen=True):
    """A kind of decision that costs clearly more than nothing.

    Attributes
    ----------
    spot : tuple of str
        What the decisions have in common, in words.
    decisions, bad : int
        How many there were, and to how many something can be said against.
    loss_bb, stderr : float
        Per decision, in big blinds.
    bb_per_100 : float
        What they cost per 100 hands.
    clear : float
        Standard errors that make an interval which holds for all kinds looked at together, 95%.
    """

    spot: tuple[str, ...]
    decisions: int
    bad: int
    loss_bb: float
    stderr: float
    bb_per_100: float
    clear: float


class SessionReview(Struct, frozen=True, kw_only=True):
    """What hands of one player come to; means are of big blinds per 100 hands.

    Attributes
    ----------
    grades : dict of Grade to int
        How many decisions of each, the best first.
    loss : Mean
        What decisions cost.
    net, all_in_adjusted, at_last_decisions : Mean
        What was won, and the same by `HandReview.all_in_bb` and `HandReview.settled_bb`.
    moments : tuple of Moment
        Those that mattered most and that something can be said against, at most five, the costliest first.
    leaks : tuple of Leak
        Those that cost most per 100 hands first.
    """

    hands: int
    decisions: int
    grades: dict[Grade, int]
    loss: Mean
    net: Mean
    all_in_adjusted: Mean
    at_last_decisions: Mean
    moments: tuple[Moment, ...]
    leaks: tuple[Leak, ...]

    @property
    def good(self) -> int:
        """Decisions that nothing can be said against."""
        return sum(count for grade, count in self.grades.items() if grade.is_good)

    @property
    def accuracy(self) -> float | None:
        """Share of decisions that nothing can be said against, 0-1; None without any."""
        return self.good / self.decisions if self.decisions else None


def session_review(hands: Sequence[HandReview]) -> SessionReview:
    """Return what reviewed hands come to."""
    moments = [Moment(hand.name, decision) for hand in hands for decision in hand.decisions]
    bad = [moment for moment in moments if not moment.decision.grade.is_good]
    counts = Counter(moment.decision.grade for moment in moments)
    return SessionReview(
        hands=len(hands),
        decisions=len(moments),
        grades={grade: counts[grade] for grade in Grade},
        loss=_mean([hand.loss_bb for hand in hands]),
        net=_mean([hand.net_bb for hand in hands]),
        all_in_adjusted=_mean([hand.all_in_bb for hand in hands]),
        at_last_decisions=_mean([hand.settled_bb for hand in hands]),
        moments=tuple(sorted(bad, key=lambda moment: -moment.decision.loss_bb)[:_MOMENTS]),
        leaks=_leaks(hands),
    )


def _mean(values: Sequence[float]) -> Mean:
    """Return the mean per 100 hands."""
    count = max(len(values), 1)
    mean, stderr = sum(values) / count, None
    if count > 1:
        stderr = 100 * sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return Mean(100 * mean, stderr, len(values))


def _leaks(hands: Sequence[HandReview]) -> tuple[Leak, ...]:
    """Return the kinds of decisions that cost clearly more than nothing and no less than others."""
    of_kind: defaultdict[tuple[str, ...], dict[int, list[ReviewedDecision]]] = defaultdict(dict)
    for number, hand in enumerate(hands):
        for decision in hand.decisions:
            for kind in decision.spot.kinds:
                of_kind[kind].setdefault(number, []).append(decision)
    looked_at = {
        kind: list(decisions.values()) for kind, decisions in of_kind.items() if len(decisions) >= LEAST_HANDS
    }
    normal = NormalDist().inv_cdf(1 - _UNSURE / (2 * len(looked_at))) if looked_at else 0.0
    usual = sum(hand.loss_bb for hand in hands) / max(sum(len(hand.decisions) for hand in hands), 1)
    leaks: dict[tuple[int, float], Leak] = {}
    for kind, by_hand in looked_at.items():
        leak = _leak(kind, by_hand, len(hands), student(normal, len(by_hand) - 1))
        if leak.loss_bb > leak.clear * leak.stderr and leak.loss_bb >= usual:
            # The same decisions by another name are one leak.
            leaks.setdefault((leak.decisions, leak.loss_bb), leak)
    return tuple(sorted(leaks.values(), key=lambda leak: -leak.bb_per_100))


def _leak(kind: tuple[str, ...], by_hand: Sequence[Sequence[ReviewedDecision]], hands: int, clear: float) -> Leak:
    """Return what decisions of a kind cost; the error is that of a ratio of sums over hands."""
    counts = [len(decisions) for decisions in by_hand]
    losses = [sum(decision.loss_bb for decision in decisions) for decisions in by_hand]
    count, loss = sum(counts), sum(losses)
    squares = sum((one - loss / count * number) ** 2 for one, number in zip(losses, counts, strict=True))
    return Leak(
        spot=kind,
        decisions=count,
        bad=sum(not decision.grade.is_good for decisions in by_hand for decision in decisions),
        loss_bb=loss / count,
        stderr=sqrt(squares * len(by_hand) / (len(by_hand) - 1)) / count,
        bb_per_100=100 * loss / hands,
        clear=clear,
    )
