"""Spots with ranges of a few combos, and what rollouts make of them."""

from collections.abc import Mapping

import numpy as np

from engine.agents.agent import Prediction, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.posterior import uniform_prior
from engine.agents.soulread import values
from engine.agents.soulread.later_play import OF_STRANGERS
from engine.game.events import Seat
from engine.game.observation import Observation
from engine.ranges import parse_range


def predicted(observation: Observation, ranges: Mapping[Seat, str]) -> tuple[Prediction, ...]:
    """Return predictions that say these ranges of the opponents."""
    prior = uniform_prior(observation)
    found = []
    for seat, text in ranges.items():
        weights = np.where(prior > 0, parse_range(text).weights, 0).astype(np.float32)
        found.append(Prediction(seat, "test", prior, (), weights / weights.sum()))
    return tuple(found)


def valued(
    observation: Observation,
    predictions: tuple[Prediction, ...],
    deals: int,
    seed: int = 1,
    reader: LearnedReader | None = None,
    later_play: float = OF_STRANGERS,
) -> Values:
    """Return the values after so many deals; an unadapted reader's by default."""
    reader = reader or LearnedReader(adapts=False)
    for found in values.values_of(observation, predictions, reader, seed, later_play=later_play):
        if found.samples >= deals:
            return found
    raise AssertionError("The values have no end.")
