"""What a review says: the line after a hand, the summary of a session, its decisions and its leaks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.figures.mean import Mean
from engine.game.events import Action
from engine.game.observation import HandView, Observation
from engine.review.decision import Grade, ReviewedDecision
from engine.review.hands import HandReview, decisions_of
from engine.review.session import Leak, session_review
from engine.review.words import GRADES_BY, SETTLED, action_words, rate_words, share_words
from engine.words import counted
from trainer.history.log_model import card_sign
from trainer.reasoning.values_model import ValuesView, values_view
from trainer.review.session_reviewer import ReviewedHands
from trainer.session.amounts import Units

HEADINGS = (
    *(">Hand", "Street", "Place", "Cards", "Board", ">Pot, bb"),
    *("Facing", "You did", "Best", ">Cost, bb", "Grade"),
)
HEADING_TIPS = (
    "Number of the hand in its session",
    "The street",
    "Where you sat",
    "Your hole cards",
    "The board as it lay",
    "Big blinds in the middle before you acted",
    "What you were facing",
    "What you did",
    "What could be told to be best, by what you could see",
    "Big blinds that it cost, ± the standard error: of the deals, and what the model of play typically errs by",
    "By the share of the pot that it cost, clear of the noise of the deals, and none within the standard error",
)
LEAK_HEADINGS = ("Kind of decision", ">Times", ">Bad", ">Cost each, bb", ">bb per 100 hands")
LEAK_TIPS = (
    "What the decisions have in common",
    "How often you had such a decision",
    "How often something can be said against what you did",
    "Big blinds each cost; ±: 95% for all kinds looked at together",
    "What they cost per 100 hands",
)
ABOUT = (
    "Every decision is judged by what you could see: against the table as the learned reader knew it before the "
    "hand, everybody going on as players of recorded hands do, you in the way that wins most. What hardly anybody "
    "would do has to be worth clearly more, and in a tournament risk has a price. "
    f"Grades go {GRADES_BY}. ± holds the luck of the deals and what such a model was found to err by among players "
    "by rules; in the table of values it is of the deals alone."
)


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision in the list: number and review of its hand, and itself."""

    hand: int
    review: HandReview
    decision: ReviewedDecision

    @property
    def place(self) -> tuple[int, int]:
        """Its hand, and the events of that before it."""
        return self.hand, self.decision.event_count


@dataclass(frozen=True, slots=True)
class ReviewView:
    """What is shown of hands: a line each, all decisions, those that cost something or mattered most, and leaks."""

    found: ReviewedHands
    summary: tuple[tuple[str, str], ...] = ()
    rows: tuple[DecisionRow, ...] = ()
    bad: tuple[DecisionRow, ...] = ()
    key: tuple[DecisionRow, ...] = ()
    leaks: tuple[Leak, ...] = ()


def lesson_text(review: HandReview, *, in_big_blinds: bool) -> str:
    """Return the line about the one decision of a hand that mattered most; "" if there is no lesson."""
    lesson = review.lesson
    if lesson is None:
        return ""
    did, best = (_action(lesson, one, in_big_blinds) for one in (lesson.action, lesson.best))
    street = lesson.spot.street.name.capitalize()
    return f"Hand {review.name}. {street} {did}: {_cost(lesson)} bb ({lesson.grade.value}); better: {best}"


def review_view(found: ReviewedHands) -> ReviewView:
    """Return what the reviews of a session come to."""
    session = session_review(list(found.reviews.values()))
    rows = tuple(
        DecisionRow(number, review, one) for number, review in found.reviews.items() for one in review.decisions
    )
    bad = [row for row in rows if not row.decision.grade.is_good]
    grades = ", ".join(f"{count:,} {_named(grade, count)}" for grade, count in session.grades.items() if count)
    decisions = f"{counted(session.decisions, 'decision')} of yours"
    summary = [("Hands", f"{session.hands:,}, with {decisions}")]
    if found.skipped:
        reasons = Counter(found.skipped.values()).most_common()
        summary.append(("Not reviewed", "; ".join(f"{count:,} {reason}" for reason, count in reasons)))
    if session.accuracy is not None:
        clear = sum(row.decision.loss_bb for row in rows if row.decision.is_clear)
        lost = f"{_rate(session.loss)}; {clear:,.1f} bb of it where it is clear of noise"
        if session.loss.value <= 0:
            lost = "nothing that can be told"
        good = f"{session.good:,} of {session.decisions:,} best or fine"
        summary += [
            ("Accuracy", f"{session.accuracy:.0%} ({good})"),
            ("Grades", grades),
            ("Lost by decisions", lost),
            ("Won", _rate(session.net)),
            ("  all-in adjusted", f"{_rate(session.all_in_adjusted)}; by the cards that were shown"),
            (
                "  at last decisions",
                f"{_rate(session.at_last_decisions)}; {SETTLED}",
            ),
        ]
    return ReviewView(
        found,
        tuple(summary),
        rows,
        tuple(sorted(bad, key=lambda row: -row.decision.loss_bb)),
        tuple(row for moment in session.moments for row in bad if row.decision is moment.decision),
        session.leaks,
    )


def rows_of(kind: tuple[str, ...], rows: Sequence[DecisionRow]) -> tuple[DecisionRow, ...]:
    """Return the decisions of a kind, the costliest first."""
    found = [row for row in rows if kind in row.decision.spot.kinds]
    return tuple(sorted(found, key=lambda row: -row.decision.loss_bb))


def decision_cells(row: DecisionRow, *, in_big_blinds: bool) -> tuple[str, ...]:
    """Return the cells of a decision under `HEADINGS`."""
    decision, spot = row.decision, row.decision.spot
    return (
        str(row.hand),
        spot.street.name.lower(),
        spot.position,
        " ".join(map(card_sign, row.review.hole_cards)),
        " ".join(map(card_sign, row.review.board_at(decision))),
        f"{decision.pot_bb:,.1f}",
        spot.facing,
        _action(decision, decision.action, in_big_blinds),
        "" if decision.grade is Grade.BEST else _action(decision, decision.best, in_big_blinds),
        "none" if not decision.is_clear else f"{decision.loss_bb:.1f} ± {_error(decision)}",
        decision.grade.value,
    )


def decision_values(hand: HandView, decision: ReviewedDecision, *, in_big_blinds: bool) -> ValuesView | None:
    """Return the table of what every action was worth; None if the hand has no such decision."""
    for seen, action in decisions_of(hand) if isinstance(hand, Observation) else ():
        if len(seen.events) == decision.event_count and action == decision.action:
            units = Units.of(hand, in_big_blinds)
            return values_view(decision.values, seen, units, action, mark="what you did", own="you")
    return None


def decision_sentence(row: DecisionRow, *, in_big_blinds: bool) -> str:
    """Say in words what a decision cost, and by what it was judged."""
    decision, learned = row.decision, row.review.learned
    did, best = (_action(decision, one, in_big_blinds) for one in (decision.action, decision.best))
    if decision.grade is Grade.BEST:
        said = f"{did.capitalize()}: nothing else is clearly worth more."
    elif decision.grade is Grade.FINE:
        said = f"{did.capitalize()}: fine. {best.capitalize()} may be worth a little more ({_cost(decision)} bb)."
    else:
        share = f"{share_words(decision)} of the pot clear of noise"
        part = "all" if decision.risk_bb >= decision.loss_bb else f"{decision.risk_bb:.1f} bb"
        risk = f" ({part} of it the price of its risk)" if decision.risk_bb >= 0.05 else ""
        said = f"{did.capitalize()} cost {_cost(decision).lstrip('−')} bb{risk}, {share}: {decision.grade.value}."
        said += f" Better: {best}."
    known = f"{learned:,} hands of this table" if learned != 1 else "1 hand of this table"
    return f"{said} The reader knew {known} by then, and what earlier sessions have kept."


def _action(decision: ReviewedDecision, action: Action, in_big_blinds: bool) -> str:
    return action_words(decision, action, Units(decision.big_blind, in_big_blinds).text)


def _cost(decision: ReviewedDecision) -> str:
    cost = f"{max(decision.loss_bb, 0.0):.1f}"
    return f"{'−' if float(cost) else ''}{cost} ± {_error(decision)}"


def _error(decision: ReviewedDecision) -> str:
    return f"{decision.stderr:.1f}" if decision.stderr >= 0.05 else "<0.1"


def _named(grade: Grade, count: int) -> str:
    if grade.is_good or count == 1:
        return grade.value
    return "inaccuracies" if grade is Grade.INACCURACY else f"{grade.value}s"


def _rate(rate: Mean) -> str:
    return rate_words(rate).replace("-", "−")
