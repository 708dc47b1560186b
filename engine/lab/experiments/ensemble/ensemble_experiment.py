"""What an experiment of the ensemble paper is: policies that are evolved, matches, and what follows from them."""

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np

from engine.figures.mean import Mean
from engine.lab.evolution.run import Job
from engine.lab.experiments.ensemble.matches import Match, Played
from engine.lab.experiments.ensemble.sets import PolicySet
from engine.lab.experiments.experiment import Outcome, Setting, listed, mean_of

MBB: Final = 1000.0
"""Thousandths in a big blind, which the paper counts by."""

_QUANTILES: Final = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""Of Student's t, 97.5%, by the number of observations."""


class EnsembleExperiment(Protocol):
    """A figure or table of the ensemble paper, to be measured again: a module with these names.

    `TITLE` says in a line what is measured, `PAPER` in a sentence what the paper found; `TAKES_SETS` whether it is
    of sets of policies.
    """

    TITLE: str
    PAPER: str
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
    def is_sure(self) -> bool:
        """Whether it is clear of zero with 95%, over seeds."""
        return self.mean.stderr is not None and abs(self.mean.value) > self.reach

    @property
    def reach(self) -> float:
        """Half the width of the interval of 95% over seeds."""
        return _QUANTILES[self.mean.observations] * (self.mean.stderr or 0.0)


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
    base, seeds = measured.sets[0].base, [str(one.seed) for one in measured.sets]
    made = base.origin.partition(": ")[2]
    return (
        f"The sets, of the seeds {listed(seeds)}, were evolved by {made}, with {base.settings.weights:,} weights."
    )
