"""What an experiment of the ensemble paper is: policies that are evolved, matches, and what follows from them."""

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np

from engine.figures.mean import Mean, is_clear, mean_of
from engine.lab.evolution.run import Job
from engine.lab.experiments.ensemble.matches import Match, Played
from engine.lab.experiments.ensemble.sets import PolicySet
from engine.lab.experiments.experiment import Described, Outcome, Setting
from engine.words import listed

MBB: Final = 1000.0
"""Thousandths in a big blind, which the paper counts by."""


class EnsembleExperiment(Described, Protocol):
    """A figure or table of the ensemble paper, to be measured again: a module with these names.

    `TAKES_SETS` says whether it is of sets of policies.
    """

    TAKES_SETS: bool

    def jobs(self, setting: Setting, folder: Path) -> list[Job]:
        """Return what is evolved for it beside sets, also what is there already."""
        ...

    def matches(self, setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
        """Return the matches that it needs, each with the set that its agent is of."""
        ...

    def outcome(self, setting: Setting, measured: "Measured") -> Outcome:
        """Return what follows from all of it."""
        ...


class Measured(NamedTuple):
    """All that an experiment rests on: its folder, its sets, and its matches when they are finished."""

    folder: Path
    sets: Sequence[PolicySet]
    played: Mapping[Match, Played]


class OverSeeds(NamedTuple):
    """A mean over sets, with its standard error over them, and the one that the deals alone bring."""

    mean: Mean
    of_deals: float

    @property
    def stderr(self) -> float:
        """The standard error over sets; of who has none, or one, that of the deals."""
        return self.of_deals if self.mean.stderr is None else self.mean.stderr

    @property
    def is_sure(self) -> bool:
        """Whether it is clear of zero with 95%, over seeds by Student's t; never of one seed."""
        return is_clear(self.mean)


def over_seeds(of_sets: Sequence[Sequence[Mean]]) -> OverSeeds:
    """Return the mean over sets of the means over each one's matches, which are all of the same length.

    >>> over_seeds([[Mean(1.0, 0.3, 10), Mean(3.0, 0.4, 10)], [Mean(4.0, 0.0, 10), Mean(4.0, 0.0, 10)]])
    OverSeeds(mean=Mean(value=3.0, stderr=1.0, observations=2), of_deals=0.125)
    """
    means = [float(np.mean([one.value for one in of_set])) for of_set in of_sets]
    variances = [sum((one.stderr or 0.0) ** 2 for one in of_set) / len(of_set) ** 2 for of_set in of_sets]
    return OverSeeds(mean_of(means), sqrt(sum(variances)) / len(of_sets))


def sets_made_by(measured: Measured) -> str:
    """Say how an experiment's sets were evolved."""
    first, seeds = measured.sets[0], [str(one.seed) for one in measured.sets]
    of_base, of_exploiters = (one.origin.partition(": ")[2] for one in (first.base, first.exploiters["o1"]))
    return (
        f"The sets, of the seeds {listed(seeds)}, have {first.base.settings.weights:,} weights a policy and were "
        f"evolved by {of_base}, and the exploiters by {of_exploiters}."
    )
