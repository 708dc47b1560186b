"""Finished matches made up for tests."""

from collections.abc import Callable

from engine.lab.experiments.experiment import Experiment, Setting
from engine.lab.experiments.records import CURVE_STEP, KINDS, STREETS, MatchRecord, PlayerRecord, Task

Made = Callable[[Task, str], tuple[float, int]]
"""Rank and chips of a player in a match."""


def player(rank: float, chips: int, hands: int = 600) -> PlayerRecord:
    actions = tuple(tuple(1 + kind for kind in range(len(KINDS))) for _ in STREETS)
    return PlayerRecord(rank, hands, chips, chips**2, (chips,) * (hands // CURVE_STEP), actions)


def made(experiment: Experiment, setting: Setting, make: Made) -> dict[Task, MatchRecord]:
    """Return a record of every match that an experiment needs."""
    return {
        task: MatchRecord(task, task.hands, tuple(player(*make(task, name), task.hands) for name in task.players))
        for task in experiment.tasks(setting)
    }
