"""The experiments by name, and how they are run: their matches played and kept, and what follows written."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Final

from engine.game.formats import MAX_SEED
from engine.lab.experiments.contestants import make_contestant
from engine.lab.experiments.experiment import Experiment, Setting
from engine.lab.experiments.figures import figure4, figure5, figure8, figure9, figure10, figure11, figure12, table3
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.records import MatchRecord, RecordFile, Task, play
from engine.lab.matches.sharing import as_they_end

EXPERIMENTS: Final[dict[str, Experiment]] = {
    "fig4": figure4, "fig5": figure5, "fig8": figure8, "table3": table3,
    "fig9": figure9, "fig10": figure10, "fig11": figure11, "fig12": figure12,
}  # fmt: skip
"""By the name that the command line takes."""

MOST_MATCHES = 10_000


def tasks_of(experiment: Experiment, setting: Setting) -> list[Task]:
    """Return the matches that an experiment needs, none twice.

    Raises
    ------
    FigureError
        If it cannot be run like that.
    UnknownStyleError, UnknownReaderError
        If an agent has no such name.
    """
    if setting.matches is not None and not 2 <= setting.matches <= MOST_MATCHES:
        raise FigureError(
            f"An experiment has 2 to {MOST_MATCHES:,} matches of each line-up, not {setting.matches:,}."
        )
    if not 0 <= setting.seed <= MAX_SEED:
        raise FigureError(f"The seed must be from 0 to {MAX_SEED}, not {setting.seed}.")
    for at, agent in enumerate(setting.agents):
        if agent in setting.agents[:at]:
            raise FigureError(f"The agent '{agent}' is named twice.")
        make_contestant(agent)
    return list(dict.fromkeys(experiment.tasks(setting)))


def finished(
    tasks: Sequence[Task],
    kept: RecordFile,
    *,
    executor: Executor | None = None,
    note: Callable[[int], object] | None = None,
    idle: Callable[[], object] | None = None,
) -> Iterator[MatchRecord]:
    """Play the matches that are not kept yet, and keep each as soon as it is finished, in whatever order that is.

    Parameters
    ----------
    executor, note, idle
        As of `engine.lab.matches.several.several_tournaments`.

    Raises
    ------
    concurrent.futures.BrokenExecutor
        If a worker dies, after all matches that were finished.
    MatchFileError
        If a match cannot be kept.
    """
    missing = [partial(play, task, note) for task in tasks if task not in kept]
    for record in as_they_end(missing, executor, idle):
        kept.add(record)
        yield record
