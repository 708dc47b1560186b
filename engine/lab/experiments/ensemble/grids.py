"""Figures 8 and 9 of the ensemble paper again: the base against the width of its output network, and survival."""

from collections.abc import Callable, Sequence
from math import hypot, sqrt
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from engine.commands import aligned
from engine.figures.mean import Mean, is_clear
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionSettings
from engine.lab.evolution.targets import BASE
from engine.lab.experiments.ensemble.base_runs import (
    LAST,
    BaseRun,
    base_run,
    made_by,
    seeds_of_runs,
    settings_of_runs,
    usual_job,
    with_head,
    with_survival,
)
from engine.lab.experiments.ensemble.ensemble_experiment import Measured
from engine.lab.experiments.ensemble.matches import Match
from engine.lab.experiments.ensemble.sets import PolicySet, folder_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture
from engine.words import listed

_RUNS: Final = 2
"""With each value but the usual one, each of another seed."""

_Runs = dict[float, list[BaseRun]]
"""By value, one for each seed."""


class Grid(Struct):
    """A grid search: the base evolved with values of one number, as `EnsembleExperiment` has it.

    Attributes
    ----------
    of : str
        What the number is.
    folder : str
        What a run's folder is called by it.
    values, short_values : tuple of float
    changed : callable
        Returns settings with a value of it.
    paper_from : float
        From where on the paper finds nothing to gain.
    """

    TITLE: str
    PAPER: str
    of: str
    folder: str
    values: tuple[float, ...]
    short_values: tuple[float, ...]
    changed: Callable[[EvolutionSettings, float], EvolutionSettings]
    paper_from: float
    TAKES_SETS: bool = False

    def jobs(self, setting: Setting, folder: Path) -> list[Job]:
        """Return the base with each value by each seed; all values by the first seed come first."""
        jobs = [job for of_one in self._jobs(setting, folder).values() for job in of_one]
        return sorted(jobs, key=lambda job: job.seed)

    def matches(self, setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
        """Return no match: evolution tells it."""
        return []

    def outcome(self, setting: Setting, measured: Measured) -> Outcome:
        """Return mean fitness in the end, and what the best wins, by value."""
        runs = {value: list(map(base_run, jobs)) for value, jobs in self._jobs(setting, measured.folder).items()}
        made = made_by(settings_of_runs(setting), seeds_of_runs(setting))
        words = f"{self.PAPER} {self._sentence(runs)} {made.removesuffix('.')} by the usual settings."
        return Outcome(tuple(self._rows(runs)), self._table(runs), words, self._picture(runs))

    def _jobs(self, setting: Setting, folder: Path) -> dict[float, list[Job]]:
        """Return by value the runs of each seed; those with the usual value are also other figures', so more."""
        usual, seeds = settings_of_runs(setting), seeds_of_runs(setting)
        found = {}
        for value in self.short_values if setting.is_short else self.values:
            changed, name = self.changed(usual, value), f"{self.folder}-{value:g}"
            found[value] = [
                Job(BASE, changed, seed, folder_of(folder, f"grid-{seed}-{name}", setting))
                for seed in seeds[:_RUNS]
            ]
            if changed == usual:
                found[value] = [usual_job(setting, folder, seed) for seed in seeds]
        return found

    def _rows(self, runs: _Runs) -> list[Row]:
        rows = []
        for measure, means in (
            (f"mean fitness of the last {LAST} generations", _fitness(runs)),
            ("big blinds a hand of the best against all eight on fresh deals", _won(runs)),
        ):
            words = f"{measure}, by {self.of}; error by how seeds differ at all values; count: seeds"
            rows += [Row.of("a-base", "a-base", "", words, value, mean) for value, mean in means.items()]
        return rows

    def _table(self, runs: _Runs) -> str:
        fitness, won = _fitness(runs), _won(runs)
        rows = [[self.of, "last fitness", "the best, bb/hand", "seeds"]]
        rows += [
            [f"{value:g}", in_words(fitness[value], 3), in_words(won[value], 2, "+"), f"{len(of_one)}"]
            for value, of_one in runs.items()
        ]
        return aligned(rows)

    def _sentence(self, runs: _Runs) -> str:
        """Compare the least value, the one from which the paper finds nothing to gain, and the most."""
        least, most = min(runs), max(runs)
        knee = min((value for value in runs if value >= self.paper_from), default=most)
        ends = _fitness(runs)
        gaps = []
        for other in (least, most):
            if other != knee:
                gap = _gap(ends[knee], ends[other], _freedom(runs))
                sure = "" if is_clear(gap) else ", not clear of zero"
                gaps.append(f"{in_words(gap, 3, '+')} over that with {other:g}{sure}")
        return (
            f"With {knee:g} it ends with {in_words(ends[knee], 3)}: {listed(gaps)} (clear of zero with 95% where "
            f"nothing else is said, by Student's t with {_freedom(runs)} degrees of freedom; errors are by how "
            "seeds differ at all values)."
        )

    def _picture(self, runs: _Runs) -> Picture:
        at = tuple(map(float, runs))
        across = Axis(self.of, tuple((value, f"{value:g}") for value in at), is_log=max(at) > 1)
        flat = Level(
            self.paper_from, f"the paper: flat from about {self.paper_from:g} on", Named.PAPER, is_upright=True
        )
        panels = tuple(
            Panel(
                (
                    Curve(
                        at,
                        tuple(mean.value for mean in means.values()),
                        f"{name}, ± over seeds",
                        colour,
                        marker=marker,
                        y_errors=tuple(map(error_of, means.values())),
                    ),
                    flat,
                ),
                across,
                Axis(up),
            )
            for name, means, colour, marker, up in (
                ("all policies", _fitness(runs), 0, Marker.DOT, f"mean fitness of the last {LAST} generations"),
                ("best policy", _won(runs), 1, Marker.SQUARE, "big blinds a hand, fresh deals"),
            )
        )
        return Picture((panels,), 11, 4.2)


def _fitness(runs: _Runs) -> dict[float, Mean]:
    """Return mean fitness in the end, by value."""
    return _means({value: [run.last_fitness for run in of_one] for value, of_one in runs.items()})


def _won(runs: _Runs) -> dict[float, Mean]:
    """Return what the best win on fresh deals, by value."""
    return _means({value: [run.won for run in of_one] for value, of_one in runs.items()})


def _means(found: dict[float, list[float]]) -> dict[float, Mean]:
    """Return means with errors by how seeds differ at all values: there are too few at each for one of its own."""
    squares = sum(float(np.var(values)) * len(values) for values in found.values())
    spread = sqrt(squares / sum(len(values) - 1 for values in found.values()))
    return {
        value: Mean(float(np.mean(values)), spread / sqrt(len(values)), len(values))
        for value, values in found.items()
    }


def _freedom(runs: _Runs) -> int:
    return sum(len(of_one) - 1 for of_one in runs.values())


def _gap(one: Mean, other: Mean, freedom: int) -> Mean:
    """Return a difference, with as many observations as its error has degrees of freedom, and one."""
    return Mean(one.value - other.value, hypot(error_of(one), error_of(other)), freedom + 1)


FIGURE_8: Final = Grid(
    "Figure 8: mean fitness of the base against the neurons of its output network",
    "In the paper mean fitness rises with the hidden neurons of the output network until about 300, then is flat.",
    "neurons in a hidden layer",
    "head",
    (8, 16, 32, 64, 128),
    (3, 6),
    lambda settings, value: with_head(settings, int(value)),
    300,
)

FIGURE_9: Final = Grid(
    "Figure 9: mean fitness of the base against the survival rate",
    "In the paper mean fitness is flat from a survival rate of about 0.25 on.",
    "survival rate",
    "survival",
    (0.05, 0.1, 0.25, 0.5, 0.75),
    (0.25, 0.5),
    with_survival,
    0.25,
)
