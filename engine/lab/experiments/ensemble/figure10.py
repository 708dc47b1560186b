"""Figure 10 of the ensemble paper again: the base evolved by four schedules."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.commands import aligned
from engine.figures.mean import Mean
from engine.lab.evolution.run import Job
from engine.lab.evolution.targets import BEST_SCHEDULE, SCHEDULES
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
    won_by,
)
from engine.lab.experiments.ensemble.ensemble_experiment import Measured
from engine.lab.experiments.ensemble.matches import Match
from engine.lab.experiments.ensemble.sets import PolicySet
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words
from engine.lab.experiments.picture import Axis, Curve, Marker, Named, Panel, Picture, Stroke, named
from engine.words import listed

TITLE = "Figure 10: the base evolved by four schedules"
PAPER_FITNESS = {1: 0.121, 2: 0.331, 3: 0.33, 4: 0.665}
"""Mean fitness in the end; that of schedule 3 is about that of schedule 2."""
PAPER = "In the paper schedule 4 ends with a mean fitness of 0.665, the others with 0.121, 0.331 and about 0.33."
TAKES_SETS = False

_WORDS = {
    1: "all eight",
    2: "o1 to o4, then o5 to o8",
    3: "o1 to o4, then all",
    4: "o1 to o4, o5 to o8, all",
}

_Means = dict[int, Mean]
_Runs = dict[int, list[BaseRun]]
"""By schedule, one for each seed."""


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return the base by each schedule with each seed."""
    return [usual_job(setting, folder, seed, schedule) for seed in seeds_of_runs(setting) for schedule in SCHEDULES]


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return no match: evolution tells it."""
    return []


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return the mean fitness of each generation, and what the best of the last one win, by schedule."""
    seeds = seeds_of_runs(setting)
    runs: _Runs = {
        schedule: [base_run(usual_job(setting, measured.folder, seed, schedule)) for seed in seeds]
        for schedule in SCHEDULES
    }
    fitness = {schedule: fitness_of(of_one) for schedule, of_one in runs.items()}
    won = {schedule: won_by(of_one) for schedule, of_one in runs.items()}
    words = f"{PAPER} {_sentences(runs, fitness, won)} {made_by(settings_of_runs(setting), seeds)}"
    return Outcome(tuple(_rows(runs, fitness, won)), _table(fitness, won), words, _picture(runs, fitness))


def _rows(runs: _Runs, fitness: _Means, won: _Means) -> list[Row]:
    rows = []
    for schedule, of_one in runs.items():
        name = f"schedule {schedule}"
        curves = np.array([run.fitness for run in of_one])
        errors = curves.std(axis=0, ddof=1) / len(curves) ** 0.5
        rows += [
            Row("a-base", name, "", "mean fitness; count: seeds", at, float(value), float(error), len(curves))
            for at, (value, error) in enumerate(zip(curves.mean(axis=0), errors, strict=True), 1)
        ]
        end, tested = fitness[schedule], won[schedule]
        measure = f"mean fitness of the last {LAST} generations; count: seeds"
        paper = PAPER_FITNESS[schedule]
        rows.append(Row.of("a-base", name, "", measure, None, end, paper))
        measure = "big blinds a hand of the best against all eight on fresh deals; count: seeds"
        rows.append(Row.of("a-base", name, "", measure, None, tested))
    return rows


def _table(fitness: _Means, won: _Means) -> str:
    rows = [["schedule", "last fitness", "the paper", "the best, bb/hand"]]
    for schedule, of_one in fitness.items():
        paper = f"{PAPER_FITNESS[schedule]:.3f}"
        rows.append(
            [
                f"{schedule} {_WORDS[schedule]}",
                in_words(of_one, 3),
                paper,
                in_words(won[schedule], 2, "+"),
            ]
        )
    return aligned(rows)


def _sentences(runs: _Runs, fitness: _Means, won: _Means) -> str:
    order = sorted(fitness, key=lambda schedule: -fitness[schedule].value)
    by_won = sorted(won, key=lambda schedule: -won[schedule].value)
    best = (
        "is the first of four, as in the paper"
        if order[0] == BEST_SCHEDULE
        else f"is number {order.index(BEST_SCHEDULE) + 1} of 4"
    )
    gaps = [
        gap_in_words(runs[BEST_SCHEDULE], runs[other], f"schedule {other}")
        for other in order
        if other != BEST_SCHEDULE
    ]
    ranked = listed([f"{schedule} ({in_words(won[schedule], 2, '+')})" for schedule in by_won])
    return (
        f"Schedule {BEST_SCHEDULE} ends with {in_words(fitness[BEST_SCHEDULE], 3)} and {best}: {listed(gaps)} "
        f"({GAPS_ARE}). Fitness is against the styles of the last stage, for schedule 2 o5 to o8 alone. Against "
        f"all eight on fresh deals the best policies win, in big blinds a hand, by schedule {ranked}."
    )


def _picture(runs: _Runs, fitness: _Means) -> Picture:
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
        tuple(one.value for one in fitness.values()),
        "ours",
        stroke=Stroke.NONE,
        y_errors=tuple(error_of(one) for one in fitness.values()),
    )
    paper = Curve(at, tuple(PAPER_FITNESS.values()), "the paper", Named.PAPER, Stroke.NONE, Marker.DIAMOND)
    ends = Panel(
        (ours, paper),
        Axis("schedule", named([str(schedule) for schedule in fitness]), low=-0.5, high=len(fitness) - 0.5),
        Axis(f"mean fitness of the last {LAST} generations"),
        weight=0.6,
    )
    return Picture(((Panel(tuple(curves), Axis("generation"), Axis("mean fitness")), ends),), 11, 4.4)
