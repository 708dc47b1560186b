"""What a review says: the line after a hand, the summary of a session, its decisions and its leaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.figures.mean import LEAST_HANDS, Mean, rate_interval
from engine.game.events import Action, ActionKind
from engine.game.observation import Observation
from engine.review.decision import GRADE_BOUNDS, Grade, ReviewedDecision
from engine.review.hands import HandReview, decisions_of
from engine.review.session import session_review
from trainer.reasoning.values_model import ValuesView, values_view
from trainer.session.amounts import Units

HEADINGS = (">Hand", "Street", "Place", "Facing", "You did", "Best", ">Cost, bb", "Grade")
HEADING_TIPS = (
    "Number of the hand in its session",
    "The street",
    "Where you sat",
    "What you were facing",
    "What you did",
    "What could be told to be best, by what you could see",
    "Big blinds that it cost, ± the standard error from the deals",
    "By the share of the pot that it cost, and only if clear of noise",
)
LEAK_HEADINGS = ("Kind of decision", ">Times", ">Bad", ">Cost each, bb", ">bb per 100 hands")
LEAK_TIPS = (
    "What the decisions have in common",
    "How often you had such a decision",
    "How often something can be said against what you did",
    "Big blinds each cost; ±: 95% for all kinds looked at together",
    "What they cost per 100 hands",
)
_BOUNDS = ", ".join(f"{grade.value} from {bound:.0%}" for grade, bound in GRADE_BOUNDS.items())
ABOUT = (
    "Every decision is judged by what you could see: against the table as the learned reader knew it before the "
    "hand, everybody going on as players of recorded hands do, you as an average one. What hardly anybody would do "
    f"has to be worth clearly more. Grades by the share of the pot lost, clear of noise: {_BOUNDS}. "
    "± is the error of the deals; how far such players are from yours is not in it, and costs are rather too low."
)


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision in the list: its hand, itself, and its cells."""

    hand: int
    decision: ReviewedDecision
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewView:
    """All that is shown of a session: a line each, decisions, those that mattered most, and leaks."""

    summary: tuple[tuple[str, str], ...]
    rows: tuple[DecisionRow, ...]
    key: tuple[DecisionRow, ...]
    leaks: tuple[tuple[str, ...], ...]


def lesson_text(review: HandReview) -> str:
    """Return the line about the one decision of a hand that mattered most; "" if there is no lesson.

    >>> lesson_text(HandReview(name="7", learned=0, net_bb=0, all_in_bb=0, settled_bb=0, decisions=()))
    ''
    """
    lesson = review.lesson
    if lesson is None:
        return ""
    did, best = action_text(lesson, lesson.action), action_text(lesson, lesson.best)
    street = lesson.spot.street.name.capitalize()
    return f"Hand {review.name}. {street} {did}: {_cost(lesson)} bb ({lesson.grade.value}); better: {best}"


def action_text(decision: ReviewedDecision, action: Action) -> str:
    """Write an action of a decision, with its size in big blinds."""
    if action.kind is not ActionKind.RAISE:
        return action.kind.value
    verb = "bet" if decision.spot.facing == "no bet" else "raise to"
    return f"{verb} {action.raise_to / decision.big_blind:.3g}"


def review_view(reviews: Mapping[int, HandReview]) -> ReviewView:
    """Return what the reviews of a session come to."""
    session = session_review(list(reviews.values()))
    rows = tuple(_row(number, decision) for number, review in reviews.items() for decision in review.decisions)
    key = [(int(moment.hand), moment.decision) for moment in session.moments]
    grades = ", ".join(f"{count:,} {_named(grade, count)}" for grade, count in session.grades.items() if count)
    summary = [("Hands", f"{session.hands:,}, with {session.decisions:,} decisions of yours")]
    if session.accuracy is not None:
        lost = _mean_text(session.loss) if session.loss.value > 0 else "nothing that can be told"
        good = f"{session.good:,} of {session.decisions:,} best or fine"
        summary += [
            ("Accuracy", f"{session.accuracy:.0%} ({good})"),
            ("Grades", grades),
            ("Lost by decisions", lost),
            ("Won", _mean_text(session.net)),
            ("  all-in adjusted", _mean_text(session.all_in_adjusted)),
            ("  at what last decisions were worth", _mean_text(session.value_adjusted)),
        ]
    leaks = tuple(
        (
            ", ".join(leak.spot),
            f"{leak.decisions:,}",
            f"{leak.bad:,}",
            f"{leak.loss_bb:.2f} ± {leak.clear * leak.stderr:.2f}",
            f"{leak.bb_per_100:.1f}",
        )
        for leak in session.leaks
    )
    return ReviewView(tuple(summary), rows, tuple(_row(*one) for one in key), leaks)


def bad_rows(rows: Sequence[DecisionRow]) -> tuple[DecisionRow, ...]:
    """Return the decisions that something can be said against, the costliest first."""
    bad = [row for row in rows if not row.decision.grade.is_good]
    return tuple(sorted(bad, key=lambda row: -row.decision.loss_bb))


def decision_values(hand: Observation, decision: ReviewedDecision, *, in_big_blinds: bool) -> ValuesView | None:
    """Return the table of what every action was worth; None if the hand has no such decision."""
    for seen, action in decisions_of(hand):
        if len(seen.events) == decision.event_count and action == decision.action:
            units = Units(seen.big_blind, in_big_blinds)
            return values_view(decision.values, seen, units, action, mark="what you did", own="you")
    return None


def decision_sentence(decision: ReviewedDecision, learned: int) -> str:
    """Say in words what a decision cost, and by what it was judged."""
    did, best = action_text(decision, decision.action), action_text(decision, decision.best)
    if decision.grade is Grade.BEST:
        said = f"{did.capitalize()}: nothing else is clearly worth more."
    elif decision.grade is Grade.FINE:
        said = f"{did.capitalize()}: fine. {best.capitalize()} may be worth a little more ({_cost(decision)} bb)."
    else:
        share = f"{decision.loss_bb / decision.pot_bb:.0%} of the pot"
        said = f"{did.capitalize()} cost {_cost(decision).lstrip('−')} bb, {share}: {decision.grade.value}."
        said += f" Better: {best}."
    known = f"{learned:,} hands of this table" if learned != 1 else "1 hand of this table"
    return f"{said} The reader knew {known} by then, and what earlier sessions have kept."


def _row(hand: int, decision: ReviewedDecision) -> DecisionRow:
    spot = decision.spot
    texts = (
        str(hand),
        spot.street.name.lower(),
        spot.position,
        spot.facing,
        action_text(decision, decision.action),
        "" if decision.grade is Grade.BEST else action_text(decision, decision.best),
        "none" if not decision.is_clear else f"{decision.loss_bb:.1f} ± {_error(decision)}",
        decision.grade.value,
    )
    return DecisionRow(hand, decision, texts)


def _cost(decision: ReviewedDecision) -> str:
    return f"−{max(decision.loss_bb, 0.0):.1f} ± {_error(decision)}"


def _error(decision: ReviewedDecision) -> str:
    return f"{decision.stderr:.1f}" if decision.stderr >= 0.05 else "<0.1"


def _named(grade: Grade, count: int) -> str:
    if grade.is_good or count == 1:
        return grade.value
    return "inaccuracies" if grade is Grade.INACCURACY else f"{grade.value}s"


def _mean_text(mean: Mean) -> str:
    if mean.observations < LEAST_HANDS:
        return f"{mean.value * mean.observations / 100:.1f} bb, in too few hands for a rate".replace("-", "−")
    interval = rate_interval(mean)
    value = f"{mean.value:.1f} bb per 100 hands".replace("-", "−")
    if interval is None:
        return value
    low, high = (f"{bound:.1f}".replace("-", "−") for bound in interval)
    return f"{value} (95%: {low} to {high})"
