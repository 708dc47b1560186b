"""Bases that are evolved to be compared: by other schedules, networks and numbers of breeding, each in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.figures.mean import Mean, is_clear, mean_of
from engine.lab.evolution.checkpoint import read_checkpoint
from engine.lab.evolution.run import Job, result
from engine.lab.evolution.settings import EvolutionSettings, evolved_by
from engine.lab.evolution.targets import BASE, BEST_SCHEDULE, Target
from engine.lab.experiments.ensemble.sets import SHORT, folder_of
from engine.lab.experiments.experiment import Setting, in_words
from engine.words import listed

OF_BASES: Final = EvolutionSettings(generations=100, pairs=100)
"""Of the runs that are compared: shorter than those that ship, for there are many."""

SEEDS: Final = (2026, 2027, 2028)
"""Of the runs that are repeated."""

LAST: Final = 10
"""Generations at the end over whose mean fitness the mean is taken, for that of one goes up and down."""


class BaseRun(NamedTuple):
    """What a base came to.

    Attributes
    ----------
    fitness : ndarray of float64, shape (generations,)
        Mean of the population, eq. 1, against the styles that the schedule has in each generation.
    won : float
        Big blinds that the best of the last generation wins per hand on fresh deals, mean over all eight styles.
    """

    fitness: NDArray[np.float64]
    won: float

    @property
    def last_fitness(self) -> float:
        """The mean over the last generations."""
        return float(self.fitness[-LAST:].mean())


def seeds_of_runs(setting: Setting) -> tuple[int, ...]:
    """Return the seeds of the runs that are repeated."""
    return SEEDS[:2] if setting.is_short else SEEDS


def settings_of_runs(setting: Setting) -> EvolutionSettings:
    """Return what the runs are evolved by where nothing else is compared."""
    return SHORT if setting.is_short else OF_BASES


def usual_job(setting: Setting, folder: Path, seed: int, schedule: int = BEST_SCHEDULE) -> Job:
    """Return the base by a schedule, which all experiments share."""
    where = folder_of(folder, f"base-{seed}", setting)
    return Job(Target(schedule=schedule), settings_of_runs(setting), seed, where)


def base_run(job: Job) -> BaseRun:
    """Return what a finished run came to; errors as of `result`."""
    tested, run = result(job), read_checkpoint(job.checkpoint, job.header)
    assert tested is not None
    assert run is not None
    return BaseRun(run.curve[:, 0], float(np.mean([one.mean for one in tested.course.won.values()])))


def fitness_of(runs: Sequence[BaseRun]) -> Mean:
    """Return mean fitness in the end, over runs that differ in their seeds alone."""
    return mean_of([run.last_fitness for run in runs])


def won_by(runs: Sequence[BaseRun]) -> Mean:
    """Return what the best win on fresh deals, over runs that differ in their seeds alone."""
    return mean_of([run.won for run in runs])


def gap_in_words(runs: Sequence[BaseRun], others: Sequence[BaseRun], other: str) -> str:
    """Say by how much more fitness runs end than others of the same seeds, and whether that is clear of zero."""
    gap = mean_of([ours.last_fitness - theirs.last_fitness for ours, theirs in zip(runs, others, strict=True)])
    return f"{in_words(gap, 3, '+')} over {other}{'' if is_clear(gap) else ', not clear of zero'}"


GAPS_ARE = "gaps seed by seed, clear of zero with 95% over seeds where nothing else is said"
"""Of such gaps."""


def made_by(settings: EvolutionSettings, seeds: Sequence[int]) -> str:
    """Say how runs of an experiment were made.

    >>> made_by(OF_BASES, (1, 2))
    'Evolved with the seeds 1 and 2 by 100 generations of 100, 200 hands for each evaluation, with 7,018 weights.'
    """
    named, how = listed([str(seed) for seed in seeds]), evolved_by(settings, BASE)
    return f"Evolved with the seeds {named} by {how}, with {settings.network.weights:,} weights."


def with_head(settings: EvolutionSettings, width: int) -> EvolutionSettings:
    """Return settings with hidden layers of another width in the output network."""
    head = (width,) * len(settings.network.head)
    return replace(settings, network=replace(settings.network, head=head))


def with_survival(settings: EvolutionSettings, survival: float) -> EvolutionSettings:
    """Return settings with another survival rate."""
    return replace(settings, breeding=replace(settings.breeding, survival=survival))
