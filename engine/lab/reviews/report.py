"""A review as a table for people and as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.figures.mean import Mean, rate_interval
from engine.game.events import Action, ActionKind
from engine.review.decision import GRADE_BOUNDS, ReviewedDecision
from engine.review.hands import HandReview
from engine.review.session import Leak, SessionReview

_MOST_LEAKS = 8


def as_json(hands: Sequence[HandReview], session: SessionReview) -> str:
    """Return a review as one JSON object: every decision, and what they come to."""
    whole = {
        "decisions": [_decision(hand.name, decision) for hand in hands for decision in hand.decisions],
        "hands": session.hands,
        "loss_bb_per_100": session.loss.value,
        "stderr": session.loss.stderr,
        "accuracy": session.accuracy,
        "grades": session.grades,
        "net": session.net,
        "all_in_adjusted": session.all_in_adjusted,
        "value_adjusted": session.value_adjusted,
        "key_moments": [
            {"hand": moment.hand, "street": moment.decision.spot.street.name.lower()} for moment in session.moments
        ],
        "leaks": session.leaks,
    }
    return msgspec.json.encode(whole).decode()


def _decision(hand: str, decision: ReviewedDecision) -> dict[str, Any]:
    return {
        "hand": hand,
        "street": decision.spot.street.name.lower(),
        "action": action_words(decision, decision.action),
        "values": [
            {
                "action": action_words(decision, one.action),
                "bb": one.value / decision.big_blind,
                "stderr": one.stderr / decision.big_blind,
            }
            for one in decision.values.actions
        ],
        "best": action_words(decision, decision.best),
        "loss_bb": decision.loss_bb,
        "stderr": decision.stderr,
        "grade": decision.grade,
        "pot_bb": decision.pot_bb,
        "position": decision.spot.position,
        "facing": decision.spot.facing,
        "pot_type": decision.spot.pot_type,
        "depth": decision.spot.depth,
    }


def action_words(decision: ReviewedDecision, action: Action) -> str:
    """Write an action with its size in big blinds: `raise to 2.5 bb`, `call`."""
    if action.kind is not ActionKind.RAISE:
        return action.kind.value
    verb = "bet" if decision.spot.facing == "no bet" else "raise to"
    return f"{verb} {round(action.raise_to / decision.big_blind, 2):g} bb"


def as_text(session: SessionReview, player: str) -> str:
    """Return a review as text for people."""
    parts = [
        "\n".join(
            [
                f"{player}: {_count(session.hands, 'hand')}, {_count(session.decisions, 'decision')}",
                "Judged by what they could see, against the table as the learned reader knew it before each hand, "
                "everybody going on as players of recorded hands do. ± is the error of the deals; how far such "
                "players are from these is not in it, and costs are rather too low.",
            ]
        )
    ]
    if session.accuracy is not None:
        parts.append(_summary(session))
    if session.moments:
        parts.append(_moments(session))
    if session.leaks:
        parts.append(_leaks(session.leaks))
    return "\n\n".join(parts)


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _summary(session: SessionReview) -> str:
    bounds = ", ".join(f"{grade.value} from {bound:.0%}" for grade, bound in GRADE_BOUNDS.items())
    counts = "  ".join(f"{grade.value} {count:,}" for grade, count in session.grades.items())
    return "\n".join(
        [
            f"Grades              {counts}",
            f"  by the share of the pot lost, clear of noise: {bounds}",
            f"Accuracy            {session.accuracy:.1%} (best or fine: {session.good:,} of {session.decisions:,})",
            f"Lost by decisions   {_mean(session.loss)}",
            f"Won                 {_mean(session.net)}",
            f"  all-in adjusted   {_mean(session.all_in_adjusted)}",
            f"  value-adjusted    {_mean(session.value_adjusted)}, each hand at what its last decision was worth",
        ]
    )


def _mean(mean: Mean) -> str:
    interval = rate_interval(mean)
    between = f" (95%: {interval[0]:.1f} to {interval[1]:.1f})" if interval is not None else ""
    return f"{mean.value:.1f} bb per 100 hands{between}"


def _moments(session: SessionReview) -> str:
    rows = [("Key moments", "street", "did", "best", "cost, bb", "of the pot", "")]
    for moment in session.moments:
        one = moment.decision
        rows.append(
            (
                moment.hand,
                one.spot.street.name.lower(),
                action_words(one, one.action),
                action_words(one, one.best),
                f"{one.loss_bb:.1f} ± {one.stderr:.1f}",
                f"{one.loss_bb / one.pot_bb:.0%}",
                one.grade.value,
            )
        )
    return _aligned(rows)


def _leaks(leaks: Sequence[Leak]) -> str:
    rows = [("Leaks", "decisions", "bad", "cost each, bb", "bb per 100 hands")]
    for leak in leaks[:_MOST_LEAKS]:
        rows.append(
            (
                ", ".join(leak.spot),
                f"{leak.decisions:,}",
                f"{leak.bad:,}",
                f"{leak.loss_bb:.2f} ± {leak.clear * leak.stderr:.2f}",
                f"{leak.bb_per_100:.1f}",
            )
        )
    return f"{_aligned(rows)}\n  ±: 95% for all kinds of decisions looked at together"


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
