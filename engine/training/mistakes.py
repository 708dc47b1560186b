"""Exercises about decisions that a player once got wrong: the same spot again, with the same cards or with others.

Positions, actions so far, board and stacks are those of the hand. Other hole cards are drawn from what an average
player would have come there with, and of a few those are asked about whose best action leads as a question should.
Answers are judged as reviews judge decisions (`engine.review.decision`), by what was known of the table then.
"""

from collections.abc import Sequence
from itertools import islice
from math import inf

import numpy as np
from msgspec import Struct

from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread.values import values_of
from engine.cards import Street, card_symbols
from engine.game.events import Action, ActionKind, ActionTaken, GameKind, PublicEvent, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction
from engine.game.summary import at_position, positions
from engine.ranges import Range
from engine.review.decision import GRADE_BOUNDS, LEAST_POT_BB, Grade, ReviewedDecision, every_action_reviewed
from engine.strength import describe
from engine.training.exercise import RIGHT_POINTS, Choice, Drill, Exercise
from engine.training.odds import Amount
from engine.training.play import FEW_STEPS, action_text, listed, off_gap, points_for_loss, with_likely_hands

_SIZES, _SIZES_BEFORE_THE_FLOP = (1 / 3, 2 / 3, 1.0), (2 / 3, 1.0)
"""Bets and raises over the pot to choose from, besides what was done, what is best, and an all-in not far off."""

_ALL_IN_UP_TO_POTS = 2.0
_SAME_SIZE = 0.15
"""A size that differs by less from what was done is not offered besides it."""

_GAP_POTS = 0.1
"""By how much the best answer should lead the next one."""

_NO_POINTS_POTS = 0.25
"""With this the least loss that is an inaccuracy leaves `RIGHT_POINTS`."""

_NOTICEABLE_BB = 0.05

_DONE_BY_FEW = 0.05
"""What is done less often with such a hand is not taken to be better than was counted."""

_REVIEW_SEED = 0


class Mistake(Struct, frozen=True):
    """A decision that something can be said against: its name, what its hand is called, and what was seen then."""

    name: str
    title: str
    spot: Observation
    decision: ReviewedDecision


def again(mistake: Mistake, reader: LearnedReader, seed: int, amount: Amount, *, is_fresh: bool) -> Exercise:
    """Return the spot of a mistake as a question.

    Half a second to a second and a half.

    Parameters
    ----------
    reader : LearnedReader
        What it knows of the table is what was known before the hand.
    seed : int
        0 or more; the same arguments give the same exercise.
    amount : callable
        Writes chips of this hand for the player.
    is_fresh : bool
        Whether the player has other hole cards.
    """
    rng = np.random.default_rng(seed)
    done = mistake.decision
    spot = _with_other_cards(mistake.spot, reader, rng) if is_fresh else mistake.spot
    predictions = reader.read(spot)
    judged = every_action_reviewed(spot, done.action, predictions, reader, _REVIEW_SEED)
    best = min(judged, key=lambda one: (_lost_pots(one), -_usual(one)))
    offered = _offered(spot, judged, {done.action, best.action})
    texts = [action_text(one.action, spot, amount) for one in offered]
    choices = tuple(
        Choice(text, points_for_loss(_lost_pots(one), _NO_POINTS_POTS), max(one.loss_bb, 0.0), one.action)
        for text, one in zip(texts, offered, strict=True)
    )
    right = [choice.text for choice in choices if choice.points >= RIGHT_POINTS]
    lost = [
        f"{text[:1].lower()}{text[1:]} ({one.loss_bb:.1f} ± {one.stderr:.1f})"
        for text, one in zip(texts, offered, strict=True)
        if one.loss_bb >= _NOTICEABLE_BB
    ]
    bettor = next((event.seat for event in reversed(_raises(spot.events))), None)
    ordered = sorted(predictions, key=lambda one: one.seat != bettor)
    which = "The same spot with other cards." if is_fresh else "The very hand again."
    risk = ", and in a tournament risk has a price" if spot.kind is GameKind.TOURNAMENT else ""
    return Exercise(
        drill=Drill.MISTAKES,
        topic=mistake.name,
        level=0,
        observation=spot,
        question=f"{which} {_faced(spot, amount)} {_held(spot)} What do you do?",
        choices=choices,
        explanation=(
            f"{listed(right)}. Lost in big blinds: {'; '.join(lost) or 'nothing by any'}.",
            _then(mistake, amount),
            f"Played out on {best.values.samples:,} deals as in reviews, against the table as it was known before "
            f"the hand. What hardly anybody would do has to be worth clearly more to be better{risk}.",
        ),
        choice_scale=f"100 points less what is lost: {RIGHT_POINTS:.0f} at {GRADE_BOUNDS[Grade.INACCURACY]:.0%} of "
        f"the pot, none from {_NO_POINTS_POTS:.0%} on. Of an action that is not rare only what is clear counts.",
        ranges={one.seat: Range(one.posterior / one.posterior.max()) for one in ordered if one.updates},
        is_range_shown=False,
        title=mistake.title,
        values=best.values,
    )


def _lost_pots(judged: ReviewedDecision) -> float:
    """Return what an answer is taken to lose, in pots: of what players do no more than is clear, as in a review."""
    doubt = judged.stderr if _usual(judged) >= _DONE_BY_FEW else 0.0
    blamed = 0.0 if judged.grade.is_good else judged.share
    return max((judged.loss_bb - doubt) / max(judged.pot_bb, LEAST_POT_BB), blamed)


def _usual(judged: ReviewedDecision) -> float:
    found = judged.values.of(judged.action)
    return found.usual if found is not None else 0.0


def _with_other_cards(spot: Observation, reader: LearnedReader, rng: np.random.Generator) -> Observation:
    """Return the spot with other hole cards, for which the decision is neither clear at once nor of no account."""
    spots = with_likely_hands(spot, rng)
    seed = int(rng.integers(1 << 62))

    def off(one: Observation) -> float:
        *_, values = islice(values_of(one, reader.read(one), reader, seed, gives_up=False), FEW_STEPS)
        # Two sizes of a bet are hardly ever far apart: the question is whether to fold, go on or raise.
        kinds = [[one for one in values.actions if one.action.kind is kind] for kind in ActionKind]
        best = [max(of, key=lambda one: one.counted) for of in kinds if of]
        wanted = _GAP_POTS * max(spot.pot, LEAST_POT_BB * spot.big_blind)
        return off_gap(values, best, wanted, 1.0) if len(best) > 1 else inf

    return min(spots, key=off)


def _offered(
    spot: Observation, judged: Sequence[ReviewedDecision], needed: set[Action]
) -> tuple[ReviewedDecision, ...]:
    """Return what can be chosen: not every size that was tried, but what was done and what is best always."""
    legal, me = spot.legal, spot.me
    assert legal is not None
    sizes = _SIZES if spot.board else _SIZES_BEFORE_THE_FLOP
    totals = {raise_to_for_pot_fraction(spot, share) for share in sizes} if legal.can_raise else set()
    most = me.stack + me.bet
    if legal.max_raise_to == most and most - me.bet <= _ALL_IN_UP_TO_POTS * (spot.pot + legal.call_amount):
        totals.add(most)
    near = [one.raise_to for one in needed if one.kind is ActionKind.RAISE]
    wanted = {
        raise_to(total)
        for total in totals
        if total == most or all(abs(total - other) > _SAME_SIZE * other for other in near)
    }
    return tuple(one for one in judged if one.action.kind is not ActionKind.RAISE or one.action in wanted | needed)


# ---- in words -----------------------------------------------------------------------------------------------


def _faced(spot: Observation, amount: Amount) -> str:
    """Say what the player faces."""
    done = [event for event in spot.events if isinstance(event, ActionTaken) and event.street is spot.street]
    is_before, raises = spot.street is Street.PREFLOP, _raises(done)
    after = done[done.index(raises[-1]) + 1 :] if raises else done
    callers = [spot.view(event.seat).name for event in after if event.action.kind is ActionKind.CALL]
    called = f"{' and '.join(callers)} call{'s' * (len(callers) == 1)}"
    if not raises:
        if callers:
            return f"{called} the big blind."
        return f"It is {'folded' if is_before else 'checked'} to you." if done else "You are first to act."
    last = raises[-1]
    total = amount(last.action.raise_to)
    if is_before:
        said = f"{('raises', '3-bets', '4-bets', '5-bets')[min(len(raises), 4) - 1]} to {total}"
    elif len(raises) == 1:
        said = f"bets {total} into {amount(last.pot)}"
    else:
        said = f"raises to {total}"
    all_in, rest = ", all-in" * last.is_all_in, f", and {called}" * bool(callers)
    return f"{spot.view(last.seat).name} {said}{all_in}{rest}."


def _raises(events: Sequence[PublicEvent]) -> list[ActionTaken]:
    return [event for event in events if isinstance(event, ActionTaken) and event.action.kind is ActionKind.RAISE]


def _held(spot: Observation) -> str:
    """Say where the player sits, and what they have."""
    place = positions(spot.events)[spot.seat]
    what = describe(spot.hole_cards, spot.board) if spot.board else card_symbols(spot.hole_cards)
    return f"You are {at_position(place)} and have {what}."


def _then(mistake: Mistake, amount: Amount) -> str:
    """Say what the player did at the table, and what that cost."""
    done, spot = mistake.decision, mistake.spot
    match done.action.kind:
        case ActionKind.RAISE:
            did = "bet" if spot.legal is not None and spot.legal.can_check and spot.board else "raised to"
            did = f"{did} {amount(done.action.raise_to)}"
        case ActionKind.FOLD:
            did = "folded"
        case kind:
            did = f"{kind.value}ed"
    article = "an" if done.grade is Grade.INACCURACY else "a"
    return (
        f"At the table you had {card_symbols(spot.hole_cards)} and {did}, which cost {done.loss_bb:.1f} ± "
        f"{done.stderr:.1f} bb: {article} {done.grade.value}."
    )
