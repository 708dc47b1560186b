"""A review as a table for people and as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.cards import format_cards
from engine.commands import aligned
from engine.game.events import Action
from engine.game.phh import SkippedCount
from engine.review.decision import ReviewedDecision
from engine.review.hands import HandReview
from engine.review.session import Leak, SessionReview
from engine.review.words import GRADES_BY, SETTLED, action_words, leak_cells, rate_words, share_words
from engine.words import counted

_MOST_LEAKS = 8


def as_json(hands: Sequence[HandReview], session: SessionReview, skipped: Sequence[SkippedCount]) -> str:
    """Return a review as one JSON object: every decision, what they come to, and what was skipped of the file."""
    whole = {
        "decisions": [_decision(hand, decision) for hand in hands for decision in hand.decisions],
        "hands": session.hands,
        "loss_bb_per_100": session.loss.value,
        "stderr": session.loss.stderr,
        "accuracy": session.accuracy,
        "grades": session.grades,
        "net": session.net,
        "all_in_adjusted": session.all_in_adjusted,
        "at_last_decisions": session.at_last_decisions,
        "key_moments": [
            {"hand": moment.hand, "street": moment.decision.spot.street.name.lower()} for moment in session.moments
        ],
        "leaks": session.leaks,
        "skipped": skipped,
    }
    return msgspec.json.encode(whole).decode()


def _decision(hand: HandReview, decision: ReviewedDecision) -> dict[str, Any]:
    return {
        "hand": hand.name,
        "hole_cards": format_cards(hand.hole_cards),
        "board": format_cards(hand.board_at(decision)),
        "street": decision.spot.street.name.lower(),
        "action": _words(decision, decision.action),
        "values": [
            {
                "action": _words(decision, one.action),
                "bb": one.value / decision.big_blind,
                "stderr": decision.error_of(one),
            }
            for one in decision.values.actions
        ],
        "best": _words(decision, decision.best),
        "loss_bb": decision.loss_bb,
        "stderr": decision.stderr,
        "grade": decision.grade,
        "share": decision.share,
        "pot_bb": decision.pot_bb,
        "position": decision.spot.position,
        "facing": decision.spot.facing,
        "pot_type": decision.spot.pot_type,
        "depth": decision.spot.depth,
    }


def _words(decision: ReviewedDecision, action: Action) -> str:
    return action_words(decision, action, lambda chips: _in_big_blinds(chips / decision.big_blind))


def _in_big_blinds(amount: float) -> str:
    return f"{amount:,.2f}".rstrip("0").rstrip(".") + " bb"


def as_text(hands: Sequence[HandReview], session: SessionReview, player: str) -> str:
    """Return a review as text for people."""
    parts = [
        "\n".join(
            [
                f"{player}: {counted(session.hands, 'hand')}, {counted(session.decisions, 'decision')}",
                "Judged by what they could see, against the table as the learned reader knew it before each hand, "
                "everybody going on as players of recorded hands do. ± holds the luck of the deals and what such a "
                "model was found to err by among players by rules.",
            ]
        )
    ]
    if session.accuracy is not None:
        parts.append(_summary(session))
    if session.moments:
        parts.append(_moments(hands, session))
    if session.leaks:
        parts.append(_leaks(session.leaks))
    return "\n\n".join(parts)


def _summary(session: SessionReview) -> str:
    counts = "  ".join(f"{grade.value} {count:,}" for grade, count in session.grades.items())
    good = f"best or fine: {session.good:,} of {session.decisions:,}"
    return "\n".join(
        [
            f"Grades               {counts}",
            f"  {GRADES_BY}",
            f"Accuracy             {session.accuracy:.1%} ({good})",
            f"Lost by decisions    {rate_words(session.loss)}",
            f"Won                  {rate_words(session.net)}",
            f"  all-in adjusted    {rate_words(session.all_in_adjusted)}",
            f"  at last decisions  {rate_words(session.at_last_decisions)}; {SETTLED}",
        ]
    )


def _moments(hands: Sequence[HandReview], session: SessionReview) -> str:
    headings = "Key moments", "street", "place", "cards", "board", "facing", "did", "best", "grade"
    rows = [(*headings, "pot, bb", "cost, bb", "of the pot, clear")]
    for moment in session.moments:
        one = moment.decision
        hand = next(hand for hand in hands if any(one is other for other in hand.decisions))
        rows.append(
            (
                moment.hand,
                one.spot.street.name.lower(),
                one.spot.position,
                format_cards(hand.hole_cards),
                format_cards(hand.board_at(one)),
                one.spot.facing,
                _words(one, one.action),
                _words(one, one.best),
                one.grade.value,
                f"{one.pot_bb:,.1f}",
                f"{one.loss_bb:.1f} ± {one.stderr:.1f}",
                share_words(one),
            )
        )
    return aligned(rows, left=len(headings))


def _leaks(leaks: Sequence[Leak]) -> str:
    headings = "Leaks", "decisions", "bad", "cost each, bb", "bb per 100 hands"
    rows = [headings, *map(leak_cells, leaks[:_MOST_LEAKS])]
    more = f"\n  and {len(leaks) - _MOST_LEAKS:,} more" if len(leaks) > _MOST_LEAKS else ""
    return f"{aligned(rows)}{more}\n  ±: 95% for all kinds of decisions looked at together"
