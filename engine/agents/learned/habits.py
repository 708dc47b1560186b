"""What is known of a player in a few numbers that can be put in words.

Each is a factor on the odds of one choice against another, as `engine.agents.learned.adaptation` has learned it, on
average over the situations in which there is that choice.
"""

from enum import StrEnum
from functools import cache
from math import exp, sqrt

import numpy as np
from msgspec import Struct

from engine.agents.agent import KnownPlayer
from engine.agents.learned.adaptation import belief_of
from engine.agents.learned.situations import ActionChoice
from engine.agents.learned.tilts import CONTEXTS, LEANINGS, STRONG, Numbers, design

_DEVIATIONS = 1.96  # of a normal belief to either side hold 95% of it


class Habit(StrEnum):
    """What a player may do more or less than most; its value is in plain words."""

    ENTERING = "goes on rather than folds before the flop"
    RAISING = "raises rather than calls before the flop"
    STAYING = "goes on rather than folds after the flop"
    BETTING = "bets rather than checks after the flop"


class HabitOdds(Struct, frozen=True):
    """A habit's odds over those of most players, and the bounds of the middle 95% of what is believed of it."""

    habit: Habit
    odds: float
    low: float
    high: float


class Leaning(Struct, frozen=True):
    """How strong the hands are with which a player does something, for how often they do it; 0 is as expected.

    Attributes
    ----------
    deed : str
        One of `LEANINGS`.
    strength, low, high : float
        Positive for better hands: 1 makes the odds of doing it e^2 times as high with the best one as with the
        worst, against what they would be; with the bounds of the middle 95% of what is believed.
    """

    deed: str
    strength: float
    low: float
    high: float


def leanings_of(player: KnownPlayer) -> tuple[Leaning, ...]:
    """Return a player's leanings in the order of `LEANINGS`.

    Raises
    ------
    StoredDataError
        If what is kept of them cannot be read.
    """
    belief, covariance = belief_of(player)
    mean, reach = belief[STRONG], _DEVIATIONS * np.sqrt(np.diag(covariance)[STRONG])
    columns = (mean.tolist(), (mean - reach).tolist(), (mean + reach).tolist())
    return tuple(Leaning(deed, *numbers) for deed, *numbers in zip(LEANINGS, *columns, strict=True))


def habits_of(player: KnownPlayer) -> tuple[HabitOdds, ...]:
    """Return a player's habits in the order of `Habit`.

    Raises
    ------
    StoredDataError
        If what is kept of them cannot be read.
    """
    mean, covariance = belief_of(player)
    found = []
    for habit in Habit:
        weights = _weights(habit)
        middle = float(weights @ mean)
        reach = _DEVIATIONS * sqrt(max(float(weights @ covariance @ weights), 0.0))
        found.append(HabitOdds(habit, exp(middle), exp(middle - reach), exp(middle + reach)))
    return tuple(found)


_BEFORE = ("unopened", "facing a raise", "facing a 3-bet cold")
_POSTFLOP = ("flop", "turn", "river")
_CHOICES = {
    Habit.ENTERING: (_BEFORE, ActionChoice.CALL, ActionChoice.FOLD),
    Habit.RAISING: (_BEFORE, ActionChoice.RAISE_MEDIUM, ActionChoice.CALL),
    Habit.STAYING: (
        (*(f"facing a bet on the {street}" for street in _POSTFLOP), "facing a bet after a checked street"),
        ActionChoice.CALL,
        ActionChoice.FOLD,
    ),
    Habit.BETTING: (
        (*(f"betting the {street}" for street in _POSTFLOP), "betting as the last raiser"),
        ActionChoice.RAISE_MEDIUM,
        ActionChoice.CHECK,
    ),
}
"""The contexts of a habit, what is chosen there, and in place of what."""


@cache
def _weights(habit: Habit) -> Numbers:
    """Return how much of each kind of tilt is in the log-odds of a habit."""
    contexts, chosen, other = _CHOICES[habit]
    rows = [design(CONTEXTS.index(context)) for context in contexts]
    return np.asarray(np.mean([row[chosen] - row[other] for row in rows], axis=0))
