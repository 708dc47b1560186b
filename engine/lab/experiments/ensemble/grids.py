"""Figures 8 and 9 of the ensemble paper again: the base against the width of its output network, and survival."""

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.commands import aligned
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionSettings
from engine.lab.evolution.targets import BASE
from engine.lab.experiments.ensemble.base_runs import (
    LAST,
    OF_GRIDS,
    BaseRun,
    base_run,
    made_by,
    seeds_of_runs,
    with_head,
    with_survival,
)
from engine.lab.experiments.ensemble.ensemble_experiment import Measured
from engine.lab.experiments.ensemble.matches import Match
from engine.lab.experiments.ensemble.sets import SHORT, PolicySet, folder_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, in_words, mean_of
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture, Stroke


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
    usual : callable
        Returns the value that settings have.
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
    usual: Callable[[EvolutionSettings], float]
    paper_from: float
    TAKES_SETS: bool = False

    def jobs(self, setting: Setting, folder: Path) -> list[Job]:
        """Return the base with each value, and with the usual one for the other seeds, too."""
        return [*self._jobs(setting, folder).values(), *self._others(setting, folder)]

    def matches(self, setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
        """Return no match: evolution tells it."""
        return []

    def outcome(self, setting: Setting, measured: Measured) -> Outcome:
        """Return mean fitness in the end, and what the best wins, by value."""
        runs = {value: base_run(job) for value, job in self._jobs(setting, measured.folder).items()}
        usual = _settings(setting)
        seeds = seeds_of_runs(setting)
        repeated = [runs[self.usual(usual)], *map(base_run, self._others(setting, measured.folder))]
        spread = _spread([run.last_fitness for run in repeated])
        words = f"{self.PAPER} {self._sentence(runs, spread, len(seeds))} {made_by(usual, seeds[:1])}"
        return Outcome(tuple(self._rows(runs, repeated)), self._table(runs), words, self._picture(runs, spread))

    def _jobs(self, setting: Setting, folder: Path) -> dict[float, Job]:
        usual, seed = _settings(setting), seeds_of_runs(setting)[0]
        found = {}
        for value in self.short_values if setting.is_short else self.values:
            name = f"grid-{seed}" if value == self.usual(usual) else f"grid-{seed}-{self.folder}-{value:g}"
            found[value] = Job(BASE, self.changed(usual, value), seed, folder_of(folder, name, setting))
        return found

    def _others(self, setting: Setting, folder: Path) -> list[Job]:
        return [
            Job(BASE, _settings(setting), seed, folder_of(folder, f"grid-{seed}", setting))
            for seed in seeds_of_runs(setting)[1:]
        ]

    def _rows(self, runs: dict[float, BaseRun], repeated: list[BaseRun]) -> list[Row]:
        rows = []
        for value, run in runs.items():
            measure = f"mean fitness of the last {LAST} generations, by {self.of}; count: seeds"
            rows.append(Row("a-base", "a-base", "", measure, value, run.last_fitness, None, 1))
            won = run.tested
            measure = f"big blinds a hand of the best against all eight on fresh deals, by {self.of}; count: hands"
            rows.append(Row("a-base", "a-base", "", measure, value, won.value, won.stderr, 2 * won.observations))
        others = mean_of([run.last_fitness for run in repeated])
        measure = f"mean fitness of the last {LAST} generations, usual settings; count: seeds"
        rows.append(Row("a-base", "a-base", "", measure, None, others.value, others.stderr, others.observations))
        return rows

    def _table(self, runs: dict[float, BaseRun]) -> str:
        rows = [[self.of, "last fitness", "the best, bb/hand"]]
        rows += [
            [f"{value:g}", f"{run.last_fitness:.3f}", in_words(run.tested, 2, "+")] for value, run in runs.items()
        ]
        return aligned(rows)

    def _sentence(self, runs: dict[float, BaseRun], spread: float, seeds: int) -> str:
        best = max(runs, key=lambda value: runs[value].last_fitness)
        worst = min(runs, key=lambda value: runs[value].last_fitness)
        apart = runs[best].last_fitness - runs[worst].last_fitness
        told = "more than" if apart > 2 * 2**0.5 * spread else "no more than"
        return (
            f"With one seed each, fitness is highest with {best:g} ({runs[best].last_fitness:.3f}) and lowest with "
            f"{worst:g} ({runs[worst].last_fitness:.3f}). Runs of the usual settings with {seeds} seeds differ by "
            f"{spread:.3f} (standard deviation), so that these two are {told} chance apart."
        )

    def _picture(self, runs: dict[float, BaseRun], spread: float) -> Picture:
        at = tuple(map(float, runs))
        ticks = tuple((value, f"{value:g}") for value in at)
        is_log = max(at) > 1
        flat = Level(
            self.paper_from, f"the paper: flat from about {self.paper_from:g} on", Named.PAPER, is_upright=True
        )
        fitness = Panel(
            (
                Curve(
                    at,
                    tuple(run.last_fitness for run in runs.values()),
                    "one seed; band: as seeds differ",
                    band=(spread,) * len(at),
                ),
                flat,
            ),
            Axis(self.of, ticks, is_log=is_log),
            Axis(f"mean fitness of the last {LAST} generations"),
        )
        won = Curve(
            at,
            tuple(run.tested.value for run in runs.values()),
            "best of the last generation",
            1,
            Stroke.SOLID,
            Marker.SQUARE,
            y_errors=tuple(run.tested.stderr or 0.0 for run in runs.values()),
        )
        return Picture(
            (
                (
                    fitness,
                    Panel((won, flat), Axis(self.of, ticks, is_log=is_log), Axis("big blinds a hand, fresh deals")),
                ),
            ),
            11,
            4.2,
        )


def _settings(setting: Setting) -> EvolutionSettings:
    return SHORT if setting.is_short else OF_GRIDS


def _spread(values: Sequence[float]) -> float:
    """Return the standard deviation of runs that differ in their seeds alone."""
    mean = mean_of(values)
    return (mean.stderr or 0.0) * sqrt(len(values))


FIGURE_8: Final = Grid(
    "Figure 8: mean fitness of the base against the neurons of its output network",
    "In the paper mean fitness rises with the hidden neurons of the output network until about 300, then is flat.",
    "neurons in a hidden layer",
    "head",
    (8, 16, 32, 64, 128),
    (3, 6),
    lambda settings, value: with_head(settings, int(value)),
    lambda settings: settings.network.head[0],
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
    lambda settings: float(settings.breeding.survival),
    0.25,
)
