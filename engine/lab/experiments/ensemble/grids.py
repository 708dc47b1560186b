"""Figures 8 and 9 of the ensemble paper again: the base against the width of its output network, and survival."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.commands import aligned
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionSettings
from engine.lab.evolution.targets import BASE
from engine.lab.experiments.ensemble.base_runs import (
    GAPS_ARE,
    LAST,
    BaseRun,
    base_run,
    fitness_of,
    gap_in_words,
    made_by,
    seeds_of_runs,
    settings_of_runs,
    usual_job,
    with_head,
    with_survival,
    won_by,
)
from engine.lab.experiments.ensemble.ensemble_experiment import Measured
from engine.lab.experiments.ensemble.matches import Match
from engine.lab.experiments.ensemble.sets import PolicySet, folder_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words, listed
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture

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
        """Return the base with each value by each seed; all values by the first seed come first."""
        by_seed = zip(*self._jobs(setting, folder).values(), strict=True)
        return [job for jobs in by_seed for job in jobs]

    def matches(self, setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
        """Return no match: evolution tells it."""
        return []

    def outcome(self, setting: Setting, measured: Measured) -> Outcome:
        """Return mean fitness in the end, and what the best wins, by value."""
        runs = {value: list(map(base_run, jobs)) for value, jobs in self._jobs(setting, measured.folder).items()}
        made = made_by(settings_of_runs(setting), seeds_of_runs(setting))
        words = f"{self.PAPER} {self._sentence(runs)} {made}"
        return Outcome(tuple(self._rows(runs)), self._table(runs), words, self._picture(runs))

    def _jobs(self, setting: Setting, folder: Path) -> dict[float, list[Job]]:
        """Return by value the runs of each seed; those with the usual value are also others'."""
        return {
            value: [self._job(setting, folder, value, seed) for seed in seeds_of_runs(setting)]
            for value in (self.short_values if setting.is_short else self.values)
        }

    def _job(self, setting: Setting, folder: Path, value: float, seed: int) -> Job:
        usual = settings_of_runs(setting)
        if value == self.usual(usual):
            return usual_job(setting, folder, seed)
        where = folder_of(folder, f"grid-{seed}-{self.folder}-{value:g}", setting)
        return Job(BASE, self.changed(usual, value), seed, where)

    def _rows(self, runs: _Runs) -> list[Row]:
        rows = []
        for value, of_one in runs.items():
            for measure, mean in (
                (f"mean fitness of the last {LAST} generations", fitness_of(of_one)),
                ("big blinds a hand of the best against all eight on fresh deals", won_by(of_one)),
            ):
                words = f"{measure}, by {self.of}; count: seeds"
                rows.append(Row("a-base", "a-base", "", words, value, mean.value, mean.stderr, mean.observations))
        return rows

    def _table(self, runs: _Runs) -> str:
        rows = [[self.of, "last fitness", "the best, bb/hand"]]
        rows += [
            [f"{value:g}", in_words(fitness_of(of_one), 3), in_words(won_by(of_one), 2, "+")]
            for value, of_one in runs.items()
        ]
        return aligned(rows)

    def _sentence(self, runs: _Runs) -> str:
        """Compare the least value, the one from which the paper finds nothing to gain, and the most."""
        least, most = min(runs), max(runs)
        knee = min((value for value in runs if value >= self.paper_from), default=most)
        ends = fitness_of(runs[knee])
        gaps = [
            gap_in_words(runs[knee], runs[other], f"that with {other:g}")
            for other in (least, most)
            if other != knee
        ]
        return f"With {knee:g} it ends with {in_words(ends, 3)}: {listed(gaps)} ({GAPS_ARE})."

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
                        tuple(mean.value for mean in means),
                        f"{name}, ± over seeds",
                        colour,
                        marker=marker,
                        y_errors=tuple(map(error_of, means)),
                    ),
                    flat,
                ),
                across,
                Axis(up),
            )
            for name, means, colour, marker, up in (
                ("all policies", [*map(fitness_of, runs.values())], 0, Marker.DOT, _FITNESS),
                ("best policy", [*map(won_by, runs.values())], 1, Marker.SQUARE, "big blinds a hand, fresh deals"),
            )
        )
        return Picture((panels,), 11, 4.2)


_FITNESS = f"mean fitness of the last {LAST} generations"

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
