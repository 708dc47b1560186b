"""A player of the solved strategy: finds the hand in the small game, and draws what that does there.

A bet of more than the pot counts as the pot or as all-in (`step_for_size`); which is drawn from the hand's number,
so that it stays the same through the hand. A smaller one counts as the pot, and what folds to that folds less often
by how much cheaper it is: a bluff of either size then just breaks even. Where no sequence of the small game fits,
as when chips are left that it has all-in, the place most like it does (`nearest_place`).
"""

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from engine.agents.evolved.agent import CHOSEN, DRAWN
from engine.agents.fold.decide import NotToActError
from engine.agents.near_equilibrium.betting_tree import (
    COMMITTED,
    End,
    Place,
    Step,
    betting_tree,
    nearest_place,
    step_for_size,
)
from engine.agents.near_equilibrium.buckets import bucket_of
from engine.agents.near_equilibrium.strategy import Strategy, shipped_strategy
from engine.agents.rule_based.ruling import RulePlayer, Ruling, figure_of
from engine.game.events import CALL, CHECK, FOLD, Action, ActionKind, ActionTaken, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

STYLE = "near-equilibrium"

STEP_NAMES = {
    Step.FOLD: "odds of folding",
    Step.CALL: "odds of checking or calling",
    Step.POT: "odds of raising 1 pot",
    Step.ALL_IN: "odds of going all-in",
}
"""Names of the figures of the steps, which sum to 1."""

PLACE, BUCKET, EQUITY = "place in the betting tree", "bucket of the hand", "equity against a random hand"
"""Names of the figures of where the hand is in the small game, and of what it is taken for there, from 1 on."""

FOLDS_KEPT = "part of folds kept"
"""Name of the figure of the factor on the odds of folding, 1 unless a call is cheaper than in the small game."""

SOLVED_RULE, NEAREST_RULE = "near_equilibrium", "near_equilibrium_nearest"
"""The rules of decisions: where the betting has a sequence in the small game, and where only one like it has."""


class NearEquilibriumAgent(RulePlayer):
    """Plays the strategy heads-up; it learns nothing."""

    style = STYLE

    def __init__(self, strategy: Strategy | None = None) -> None:
        self._strategy = strategy

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        if observation.legal is None:
            raise NotToActError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
        seen, rule = seen_place(observation), SOLVED_RULE
        if seen is None:
            seen, rule = SeenPlace(_most_like(observation), True), NEAREST_RULE
        place, bucket = seen.place, bucket_of(observation.hole_cards, observation.board)
        strategy = self._strategy if self._strategy is not None else shipped_strategy()
        chances = dict(zip(place.steps, strategy[place.number][bucket.number].tolist(), strict=True))
        kept = _folds_kept(observation, place) if seen.is_upper_bound else 1.0
        if Step.FOLD in chances:
            chances[Step.CALL] += (1 - kept) * chances[Step.FOLD]
            chances[Step.FOLD] *= kept
        drawn = float(np.random.default_rng([seed, 2]).random())
        passed = zip(chances, accumulate(chances.values()), strict=True)
        step = next((one for one, total in passed if drawn < total), Step.CALL)
        figures = (
            *(figure_of(name, chances.get(one, 0.0)) for one, name in STEP_NAMES.items()),
            figure_of(PLACE, place.number),
            figure_of(BUCKET, bucket.number + 1),
            figure_of(EQUITY, bucket.equity),
            figure_of(FOLDS_KEPT, kept),
            figure_of(DRAWN, drawn),
            figure_of(CHOSEN, chances[step]),
        )
        return rule, action_of(step, observation), figures


class SeenPlace(NamedTuple):
    """Where a hand is in the small game, and whether the last bet there is at least the actual one."""

    place: Place
    is_upper_bound: bool


def seen_place(observation: Observation) -> SeenPlace | None:
    """Return where a seat that is to act is in the small game; None if no sequence of steps leads there."""
    place: Place | End = betting_tree()[0]
    is_upper_bound = True
    for event in observation.events:
        if not isinstance(event, ActionTaken):
            continue
        if isinstance(place, End) or not _fits(place, event.street, event.seat, observation.button):
            return None
        step = _PASSIVE.get(event.action.kind)
        if step is None:
            size = (event.action.raise_to - event.bet - event.to_call) / (event.pot + event.to_call)
            public = [observation.hand_number, event.pot, event.action.raise_to]
            step = step_for_size(place, size, float(np.random.default_rng(public).random()))
            is_upper_bound = size <= place.size_of(place.raises()[0]) if place.raises() else False
        if step not in place.steps:
            return None
        place = place.steps[step]
    legal = observation.legal
    if isinstance(place, End) or not _fits(place, observation.street, observation.seat, observation.button):
        return None
    if legal is None or (place.to_call > 0) != (legal.call_amount > 0):
        return None
    return SeenPlace(place, is_upper_bound)


_PASSIVE = {ActionKind.FOLD: Step.FOLD, ActionKind.CHECK: Step.CALL, ActionKind.CALL: Step.CALL}


def _fits(place: Place, street: int, seat: int, button: int) -> bool:
    """Tell whether it is the same player's turn on the same street."""
    return place.street == street and place.player == (seat != button)


def _most_like(observation: Observation) -> Place:
    """Return the place most like a decision, by the price of a call and the share of the stacks in the pot."""
    assert observation.legal is not None
    call, pot = observation.legal.call_amount, observation.pot
    whole = min(view.stack + view.committed for view in observation.seats)
    share = min(max(view.committed for view in observation.seats) / whole, 1.0)
    player = int(observation.seat != observation.button)
    return nearest_place(observation.street, player, share, call / (pot + call), is_facing=call > 0)


def _folds_kept(observation: Observation, place: Place) -> float:
    """Return how much less often a hand folds than at a place because a call is cheaper, 0-1.

    A bluff of x pots breaks even if x / (1 + x) of hands fold, which is a call over the pot before it.
    """
    assert observation.legal is not None
    if not place.to_call:
        return 1.0
    return min(1.0, observation.legal.call_amount / observation.pot / (place.to_call / sum(place.committed)))


def action_of(step: Step, observation: Observation) -> Action:
    """Return the legal action that a step stands for; a raise of most of the effective stack goes all-in."""
    legal = observation.legal
    assert legal is not None
    if step is Step.FOLD and not legal.can_check:
        return FOLD
    if step <= Step.CALL or not legal.can_raise:
        return CHECK if legal.can_check else CALL
    if step is Step.ALL_IN:
        return raise_to(legal.max_raise_to)
    total = raise_to_for_pot_fraction(observation, 1.0)
    me = observation.me
    reach = min([me.stack + me.bet, *(view.stack + view.bet for view in observation.opponents)])
    return raise_to(legal.max_raise_to if total >= COMMITTED * reach else total)
