"""All kinds of exercises by name, made from a seed."""

from collections.abc import Callable
from typing import Final

import numpy as np

from engine.agents.learned.reader import LearnedReader
from engine.training import odds, play
from engine.training.exercise import LEVELS, TOPICS, Drill, Exercise
from engine.training.odds import Amount

_COUNTED: Final[dict[Drill, Callable[[str, int, np.random.Generator, Amount], Exercise]]] = {
    Drill.POT_ODDS: odds.pot_odds,
    Drill.OUTS: odds.outs,
    Drill.EQUITY: odds.equity,
    Drill.AHEAD: odds.ahead,
}
_READ: Final[dict[Drill, Callable[[str, int, np.random.Generator, Amount, LearnedReader], Exercise]]] = {
    Drill.PREFLOP: play.preflop,
    Drill.KINDS: play.kinds,
    Drill.BLUFF_CATCHING: play.bluff_catching,
}


class ExerciseError(ValueError):
    """A drill, topic or level that there is not."""


def make_exercise(drill: Drill, topic: str, level: int, seed: int, *, amount: Amount) -> Exercise:
    """Return an exercise; the same arguments give the same one.

    Some milliseconds, before the flop about a second: there every answer is played out.

    Parameters
    ----------
    topic : str
        One of `TOPICS[drill]`.
    level : int
        1, the easiest, to `LEVELS`.
    seed : int
        0 or more.
    amount : callable
        Writes chips for the player; a big blind is `spots.BIG_BLIND`.

    Raises
    ------
    ExerciseError
        If there is no such topic or level.
    """
    if topic not in TOPICS[drill] or not 1 <= level <= LEVELS:
        raise ExerciseError(f"There is no exercise '{topic}' of level {level} among {drill.value}.")
    rng = np.random.default_rng([seed, list(Drill).index(drill), TOPICS[drill].index(topic), level])
    if drill in _COUNTED:
        return _COUNTED[drill](topic, level, rng, amount)
    return _READ[drill](topic, level, rng, amount, LearnedReader(adapts=False))
