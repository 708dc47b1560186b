"""Figure 10 of the ensemble paper again: the base evolved by four schedules."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.commands import aligned
from engine.figures.mean import Mean
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionSettings
from engine.lab.evolution.targets import SCHEDULES, Target
from engine.lab.experiments.ensemble.base_runs import (
    LAST,
    OF_SCHEDULES,
    BaseRun,
    base_run,
    made_by,
    seeds_of_runs,
)
from engine.lab.experiments.ensemble.ensemble_experiment import Measured, OverSeeds, over_seeds
from engine.lab.experiments.ensemble.matches import Match
from engine.lab.experiments.ensemble.sets import SHORT, PolicySet, folder_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words, listed
from engine.lab.experiments.picture import Axis, Curve, Marker, Named, Panel, Picture, Stroke, named

TITLE = "Figure 10: the base evolved by four schedules"
PAPER_FITNESS = {1: 0.121, 2: 0.331, 3: 0.33, 4: 0.665}
"""Mean fitness in the end; that of schedule 3 is about that of schedule 2."""
PAPER = "In the paper schedule 4 ends with a mean fitness of 0.665, the others with 0.121, 0.331 and about 0.33."
TAKES_SETS = False

_BEST = 4
_WORDS = {
    1: "all eight",
    2: "o1 to o4, then o5 to o8",
    3: "o1 to o4, then all",
    4: "o1 to o4, o5 to o8, all",
}

_Runs = dict[int, list[BaseRun]]
"""By schedule, one for each seed."""


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return the base by each schedule with each seed."""
    return [_job(setting, folder, seed, schedule) for seed in seeds_of_runs(setting) for schedule in SCHEDULES]


def _job(setting: Setting, folder: Path, seed: int, schedule: int) -> Job:
    return Job(Target(schedule=schedule), _settings(setting), seed, folder_of(folder, f"base-{seed}", setting))


def _settings(setting: Setting) -> EvolutionSettings:
    return SHORT if setting.is_short else OF_SCHEDULES


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return no match: evolution tells it."""
    return []


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return the mean fitness of each generation, and what the best of the last one win, by schedule."""
    seeds = seeds_of_runs(setting)
    runs: _Runs = {
        schedule: [base_run(_job(setting, measured.folder, seed, schedule)) for seed in seeds]
        for schedule in SCHEDULES
    }
    fitness = {schedule: over_seeds([[_last(run)] for run in of_one]) for schedule, of_one in runs.items()}
    won = {schedule: over_seeds([[run.tested] for run in of_one]) for schedule, of_one in runs.items()}
    words = f"{PAPER} {_sentences(runs, fitness, won)} {made_by(_settings(setting), seeds)}"
    return Outcome(tuple(_rows(runs, fitness, won)), _table(fitness, won), words, _picture(runs, fitness))


def _last(run: BaseRun) -> Mean:
    return Mean(run.last_fitness, None, LAST)


def _rows(runs: _Runs, fitness: dict[int, OverSeeds], won: dict[int, OverSeeds]) -> list[Row]:
    rows = []
    for schedule, of_one in runs.items():
        name = f"schedule {schedule}"
        curves = np.array([run.fitness for run in of_one])
        errors = curves.std(axis=0, ddof=1) / len(curves) ** 0.5
        rows += [
            Row("a-base", name, "", "mean fitness; count: seeds", at, float(value), float(error), len(curves))
            for at, (value, error) in enumerate(zip(curves.mean(axis=0), errors, strict=True), 1)
        ]
        end, tested = fitness[schedule].mean, won[schedule].mean
        measure = f"mean fitness of the last {LAST} generations; count: seeds"
        paper = PAPER_FITNESS[schedule]
        rows.append(Row("a-base", name, "", measure, None, end.value, end.stderr, end.observations, paper))
        measure = "big blinds a hand of the best against all eight on fresh deals; count: seeds"
        rows.append(Row("a-base", name, "", measure, None, tested.value, tested.stderr, tested.observations))
    return rows


def _table(fitness: dict[int, OverSeeds], won: dict[int, OverSeeds]) -> str:
    rows = [["schedule", "last fitness", "the paper", "the best, bb/hand"]]
    for schedule, of_one in fitness.items():
        paper = f"{PAPER_FITNESS[schedule]:.3f}"
        rows.append(
            [
                f"{schedule} {_WORDS[schedule]}",
                in_words(of_one.mean, 3),
                paper,
                in_words(won[schedule].mean, 2, "+"),
            ]
        )
    return aligned(rows)


def _sentences(runs: _Runs, fitness: dict[int, OverSeeds], won: dict[int, OverSeeds]) -> str:
    order = sorted(fitness, key=lambda schedule: -fitness[schedule].mean.value)
    by_won = sorted(won, key=lambda schedule: -won[schedule].mean.value)
    best = (
        "is the best of four, as in the paper" if order[0] == _BEST else f"is number {order.index(_BEST) + 1} of 4"
    )
    parts = [f"Schedule {_BEST} ends with {in_words(fitness[_BEST].mean, 3)} and {best}"]
    for other in order:
        if other != _BEST:
            gap = over_seeds(
                [
                    [Mean(ours.last_fitness - theirs.last_fitness, None, LAST)]
                    for ours, theirs in zip(runs[_BEST], runs[other], strict=True)
                ]
            )
            sure = "" if gap.is_sure else ", not clear of zero"
            parts.append(f"{in_words(gap.mean, 3, '+')} over schedule {other}{sure}")
    ranked = listed([f"{schedule} ({in_words(won[schedule].mean, 2, '+')})" for schedule in by_won])
    return (
        f"{parts[0]}: {listed(parts[1:])} (gaps seed by seed, clear of zero with 95% over seeds where nothing "
        f"else is said). Fitness is against the styles of the last stage, for schedule 2 o5 to o8 alone. Against "
        f"all eight on fresh deals the best policies win, in big blinds a hand, by schedule {ranked}."
    )


def _picture(runs: _Runs, fitness: dict[int, OverSeeds]) -> Picture:
    curves = []
    for schedule, of_one in runs.items():
        found = np.array([run.fitness for run in of_one])
        errors = found.std(axis=0, ddof=1) / len(found) ** 0.5
        curves.append(
            Curve(
                tuple(map(float, range(1, found.shape[1] + 1))),
                tuple(found.mean(axis=0).tolist()),
                f"{schedule}: {_WORDS[schedule]}",
                schedule - 1,
                marker=Marker.NONE,
                band=tuple(errors.tolist()),
            )
        )
    at = tuple(map(float, range(len(fitness))))
    ours = Curve(
        at,
        tuple(one.mean.value for one in fitness.values()),
        "ours",
        stroke=Stroke.NONE,
        y_errors=tuple(error_of(one.mean) for one in fitness.values()),
    )
    paper = Curve(at, tuple(PAPER_FITNESS.values()), "the paper", Named.PAPER, Stroke.NONE, Marker.DIAMOND)
    ends = Panel(
        (ours, paper),
        Axis("schedule", named([str(schedule) for schedule in fitness]), low=-0.5, high=len(fitness) - 0.5),
        Axis(f"mean fitness of the last {LAST} generations"),
        weight=0.6,
    )
    return Picture(((Panel(tuple(curves), Axis("generation"), Axis("mean fitness")), ends),), 11, 4.4)
