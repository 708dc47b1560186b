"""Bases that are evolved to be compared: by other schedules, networks and numbers of breeding, each in a folder."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.figures.mean import Mean
from engine.lab.evolution.checkpoint import read_checkpoint
from engine.lab.evolution.run import Job, result
from engine.lab.evolution.settings import EvolutionSettings, evolved_by
from engine.lab.experiments.ensemble.sets import SEEDS
from engine.lab.experiments.experiment import Setting

OF_SCHEDULES: Final = EvolutionSettings(generations=100, pairs=100)
OF_GRIDS: Final = EvolutionSettings(generations=60, pairs=60, retest_pairs=1000)
"""Of the runs that are compared: shorter than those that ship, for there are many."""

LAST: Final = 10
"""Generations at the end over whose mean fitness the mean is taken, for that of one goes up and down."""


class BaseRun(NamedTuple):
    """What a base came to.

    Attributes
    ----------
    fitness : ndarray of float64, shape (generations,)
        Mean of the population, eq. 1, against the styles that the schedule has in each generation.
    tested : Mean
        Big blinds that the best of the last generation wins per hand on fresh deals, mean over all eight styles.
    """

    fitness: NDArray[np.float64]
    tested: Mean

    @property
    def last_fitness(self) -> float:
        """The mean over the last generations."""
        return float(self.fitness[-LAST:].mean())


def seeds_of_runs(setting: Setting) -> tuple[int, ...]:
    """Return the seeds of the runs that are repeated."""
    return SEEDS[:2] if setting.is_short else SEEDS


def base_run(job: Job) -> BaseRun:
    """Return what a finished run came to; errors as of `result`."""
    tested, run = result(job), read_checkpoint(job.checkpoint, job.header)
    assert tested is not None
    assert run is not None
    # Each style's deals are the same, so their errors may hang together: as if they were one.
    won = tested.course.won.values()
    error = float(np.mean([one.stderr for one in won]))
    mean = Mean(float(np.mean([one.mean for one in won])), error, job.settings.retest_pairs * len(won))
    return BaseRun(run.curve[:, 0], mean)


def made_by(settings: EvolutionSettings, seeds: Sequence[int]) -> str:
    """Say how runs of an experiment were made.

    >>> made_by(OF_SCHEDULES, (1, 2))
    'Evolved with the seeds 1 and 2 by 100 generations of 100, 200 hands for each evaluation, with 7,018 weights.'
    """
    words = " and ".join(filter(None, [", ".join(map(str, seeds[:-1])), str(seeds[-1])]))
    which = "seed" if len(seeds) == 1 else "seeds"
    return f"Evolved with the {which} {words} by {evolved_by(settings)}, with {settings.network.weights:,} weights."


def with_head(settings: EvolutionSettings, width: int) -> EvolutionSettings:
    """Return settings with hidden layers of another width in the output network."""
    head = (width,) * len(settings.network.head)
    return replace(settings, network=replace(settings.network, head=head))


def with_survival(settings: EvolutionSettings, survival: float) -> EvolutionSettings:
    """Return settings with another survival rate."""
    return replace(settings, breeding=replace(settings.breeding, survival=survival))
