"""What betting on later streets brings against a single opponent beyond what rollouts say, learned of each.

Rollouts let the player go on by a rule, where they will in truth choose the best action again; and the other one
goes on as a model says. By how much that is wrong differs with every opponent, and is seen: in the chips that
decisions won against those that were predicted. It is a number of big blinds whatever the pot, as often as there
is betting on a later street, more with better hands and more rounds of betting to come, and less with stacks too
short for it.

Measured on 14,606 decisions against fifteen styles: hands that win less than a quarter at a showdown brought 1.6
big blinds more than predicted, even ones 3.3, those that win more than three quarters 4.7. By cells of style,
street and action the mean of chi-square is 4.0 without any of it, 2.6 by a constant, 2.4 with a number for each
street learned of each style, 2.0 with one for all streets, and 1.6 with that by the part won at a showdown. All of
that is heads-up; at tables of more it counts after the flop, where one opponent is left.

With the same for all rounds, checks of the turn that end the street brought 0.52 +- 0.19 of what was counted, those
of the flop 0.83 +- 0.17, and checks that leave the other one to open 1.28 +- 0.21 and 1.63 +- 0.14 (sixteen runs of
600 hands). By the root of the rounds the log-loss falls by 15 nats there, by 23 with `_NO_PLAY` and `_ALL_PLAY` as
they are, in place of 4 and 12 pots, and by 8 in twelve runs on decks not looked at.
"""

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from engine.agents.agent import Figure, Trace
from engine.cards import Street
from engine.codec import StoredDataError
from engine.game.events import CALL, Action, ActionKind, ActionTaken, end_of
from engine.game.observation import Observation

LATER_PLAY = "big blinds by later betting"
"""Name of the figure by which it counts in a decision."""

OF_STRANGERS = 2.0
"""Big blinds that are expected of a stranger, with even chances at a showdown and `_ROUNDS` of betting to come."""

_ROUNDS = 2
"""Rounds of betting to come where all of it counts; else by the root of how many there are."""

_SPREAD = 2.5
"""Standard deviation between players, in big blinds."""

_NOISE, _NOISY_POT = 25.0, 5.0
"""Standard deviation in big blinds of what a decision wins, in a pot of so many or less; it grows with the root."""

_NO_PLAY, _ALL_PLAY = 2.0, 8.0
"""Pots behind up to which there is nothing to play for later, and from which on there is all."""


class _Belief(Struct, frozen=True):
    """A normal belief, and how many decisions moved it."""

    mean: float = OF_STRANGERS
    certainty: float = 1 / _SPREAD**2
    decisions: int = 0

    def moved(self, share: float, missing: float, noise: float) -> "_Belief":
        """Return it after a decision that won so much more than predicted, of which a share of the mean is part."""
        certainty = self.certainty + share**2 / noise**2
        mean = (self.mean * self.certainty + share * missing / noise**2) / certainty
        return _Belief(mean, certainty, self.decisions + 1)


Beliefs = dict[str, _Belief]
"""By the names of opponents."""


class LaterPlay:
    """What is believed of each opponent met alone; a `StoredDataError` where that cannot be believed."""

    def __init__(self, beliefs: Beliefs | None = None) -> None:
        self.beliefs = beliefs or {}
        if not all(0 < one.certainty < 1e6 and abs(one.mean) < 1e6 for one in self.beliefs.values()):
            raise StoredDataError("What is stored of later play can be nobody's.")

    def of(self, observation: Observation) -> Figure | None:
        """Return the big blinds that count in the values of a decision; None where there is nothing to play for."""
        if not depth_of_play(observation):
            return None
        belief = self.beliefs.get(observation.opponents[0].name, _Belief())
        return Figure(LATER_PLAY, belief.mean, OF_STRANGERS, float(belief.decisions))

    def learn(self, final: Observation, traces: Sequence[Trace]) -> None:
        """Compare what the decisions of a finished hand won with what was predicted without later play.

        Limps are left out, as they were where all of this was measured.
        """
        stack = end_of(final.events).stacks[[view.seat for view in final.seats].index(final.seat)]
        for trace in traces:
            then, counted = trace.observation, _counted(trace)
            value = trace.values.of(trace.action) if trace.values is not None else None
            if counted is None or value is None or _is_fold_or_limp(trace):
                continue
            rounds = rounds_to_come(then, trace.action)
            share = depth_of_play(then) * part_of_play(rounds, value.later, value.called_equity)
            if not share:
                continue
            won = stack - then.me.stack
            missing = (won - value.value) / then.big_blind + share * counted.value
            noise = _NOISE * max(then.pot / then.big_blind / _NOISY_POT, 1) ** 0.5
            name = then.opponents[0].name
            self.beliefs[name] = self.beliefs.get(name, _Belief()).moved(share, missing, noise)


def part_of_play(rounds: int, later: float, called_equity: float | None) -> float:
    """Return what part of later play an action has: by rounds of betting to come, how often, and what is won."""
    return sqrt(rounds / _ROUNDS) * 2 * later * called_equity if called_equity is not None else 0.0


def rounds_to_come(observation: Observation, action: Action) -> int:
    """Return the rounds of betting after an action: later streets, and this one if it is the other's turn to open.

    That is after a check, or a limp, where the only opponent has not acted on this street.
    """
    is_passive = action.kind in (ActionKind.CHECK, ActionKind.CALL)
    (other,) = observation.opponents
    has_acted = any(
        isinstance(event, ActionTaken) and event.street == observation.street and event.seat == other.seat
        for event in observation.events
    )
    return Street.RIVER - observation.street + (is_passive and not has_acted)


def depth_of_play(observation: Observation) -> float:
    """Return how much there is to play for later, 0-1: by the stacks behind, against one opponent before the river.

    At tables of more before the flop none: what seeing it is worth there, `values` has.
    """
    is_early = observation.street is Street.PREFLOP and len(observation.seats) > 2
    if len(observation.opponents) > 1 or is_early or observation.street is Street.RIVER:
        return 0.0
    (other,) = observation.opponents
    pots = min(observation.me.stack, other.stack) / observation.pot
    return min(max((pots - _NO_PLAY) / (_ALL_PLAY - _NO_PLAY), 0.0), 1.0)


def _counted(trace: Trace) -> Figure | None:
    return next((figure for figure in trace.figures if figure.name == LATER_PLAY), None)


def _is_fold_or_limp(trace: Trace) -> bool:
    is_raised = any(
        isinstance(event, ActionTaken) and event.action.kind is ActionKind.RAISE
        for event in trace.observation.events
    )
    is_limp = trace.action == CALL and trace.observation.street is Street.PREFLOP and not is_raised
    return is_limp or trace.action.kind is ActionKind.FOLD
