"""How often somebody folds to a bet after the flop, by how often the model of play expects it and by its size.

The model has from people what is folded to on which board, to which size, after which actions, and tilts change
the odds in all spots of a kind alike (`engine.agents.learned.tilts`). How far one's folds follow the spot at all
differs between players, and costs most: bluffs are made where most folds are expected. So the odds of folding are a
factor times a power of those expected (Platt 1999, "Probabilistic outputs for support vector machines"). The factor
goes by the stack-to-pot ratio, for programs give large pots up less than people do, and is one for bets and one for
raises. It also goes by a power of the bet over the pot, for a power of the expected odds alone levels the price
with the rest: who takes ranges otherwise than expected still folds more to larger bets. And it goes by how strong
the own hand is. Opponents cannot see it, but bets are chosen by the folds expected: bluffs where the model expects
too many, bets for value where it expects too few (the optimizer's curse: Smith and Winkler 2006), and who reads the
bettor folds to what they hold. All is believed of each player, and learned from bets and raises that they alone
could answer.
"""

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np

from engine.agents.agent import Figure, Prediction
from engine.agents.learned.beliefs import Normal
from engine.agents.learned.combo_features import beaten_by
from engine.agents.learned.tilts import Numbers
from engine.cards import combo_of
from engine.game.events import Action
from engine.game.observation import Observation
from engine.game.sizing import pot_fraction

FACTOR, POWER = "folds to bets, factor on their odds", "folds to bets, power of their odds"
BY_SIZE = "folds to bets, power of the bet in pots"
"""Names of the figures by which they count in a decision."""

_LEAST_POWER = 0.1
_SURE = 0.005
"""Folds less probable, or more than the rest to 1, are left as they are and teach nothing."""

_MIDDLE_DEPTH, _DEPTHS = 6.0, (0.1, 50.0)
"""Pots behind where the factor is as believed, and at which least and most of them it no longer changes."""

_SIZES = 0.1, 20.0
"""The bets over the pot at which, least and most, the odds no longer change."""


class Folding(NamedTuple):
    """What the odds of folding to a bet are: a factor times powers of those that the model expects and its size."""

    factor: float = 1.0
    power: float = 1.0
    by_size: float = 0.0

    def of(self, expected: float, pots: float) -> float:
        """Return the probability of folding, 0-1, where the model expects one to a bet of so many pots.

        >>> Folding(1.0, 0.5).of(0.8, pots=1.5)
        0.6666666666666666
        """
        if not is_open(expected):
            return expected
        odds = self.factor * exp(self.power * log(expected / (1 - expected)) + self.by_size * _log_size(pots))
        return odds / (1 + odds)


def is_open(expected: float) -> bool:
    """Return whether both folding and going on are to be expected."""
    return _SURE < expected < 1 - _SURE


def folding_in(figures: Sequence[Figure]) -> Folding | None:
    """Return what counts in a decision, by the figures of its trace; None if all is as the model expects."""
    values = {figure.name: figure.value for figure in figures}
    found = Folding(values.get(FACTOR, 1.0), values.get(POWER, 1.0), values.get(BY_SIZE, 0.0))
    return None if found == Folding() else found


def can_answer_alone(observation: Observation) -> bool:
    """Return whether after the flop one opponent is left who has chips to answer a bet with."""
    opponents = observation.opponents
    return bool(observation.board) and len(opponents) == 1 and not opponents[0].is_all_in


def ahead_of(observation: Observation, predictions: Sequence[Prediction]) -> float:
    """Return what part of all that the only opponent may hold the own hand beats now, 0-1, ties half."""
    (prediction,) = predictions
    beaten = beaten_by(combo_of(*observation.hole_cards), observation.board)
    return float(beaten @ prediction.posterior / prediction.posterior.sum())


def folding_of(belief: Normal, observation: Observation, ahead: float) -> Folding:
    """Return what is believed of the only opponent's answer to a bet with a hand that is so far `ahead_of` them."""
    factor = exp(float(_spot(observation, ahead, 0.0, 1.0) @ belief.mean))
    return Folding(factor, max(float(belief.mean[1]), _LEAST_POWER), float(belief.mean[-1]))


def learn_answer(
    belief: Normal, observation: Observation, bet: Action, expected: float, *, ahead: float, did_fold: bool
) -> None:
    """Move a belief by what the only opponent did about a bet or raise, by Newton's step from its mean.

    Spiegelhalter and Lauritzen 1990, "Sequential updating of conditional probabilities on directed graphical
    structures".
    """
    spot = _spot(observation, ahead, log(expected / (1 - expected)), pots_of(observation, bet))
    folds = 1 / (1 + exp(-float(spot @ belief.mean)))
    belief.move(spot * (did_fold - folds), folds * (1 - folds) * np.outer(spot, spot))


def pots_of(observation: Observation, bet: Action) -> float:
    """Return how many pots a bet or raise is, as far as the deepest opponent can call it."""
    return pot_fraction(observation, min(bet.raise_to, observation.reach_of_opponents))


def _log_size(pots: float) -> float:
    return log(min(max(pots, _SIZES[0]), _SIZES[1]))


def _spot(observation: Observation, ahead: float, log_odds: float, pots: float) -> Numbers:
    """Return what the log-odds of folding go by: constant, those expected, depth, raise, own hand, size."""
    (other,) = observation.opponents
    behind = min(observation.me.stack, other.stack) / observation.pot
    depth = log(min(max(behind, _DEPTHS[0]), _DEPTHS[1]) / _MIDDLE_DEPTH)
    is_raise = observation.legal is not None and not observation.legal.can_check
    return np.array([1.0, log_odds, depth, float(is_raise), ahead - 0.5, _log_size(pots)])
