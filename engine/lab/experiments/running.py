"""The experiments by name, and how they are run: their matches played and kept, and what follows written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from msgspec.structs import replace

from engine.agents.styles import seats_problem
from engine.game.formats import MAX_SEED
from engine.lab.experiments.contestants import make_contestant
from engine.lab.experiments.ensemble.ensemble_run import ENSEMBLE_EXPERIMENTS, opened_ensemble
from engine.lab.experiments.experiment import Described, Experiment, Setting, Step
from engine.lab.experiments.figures import figure4, figure5, figure8, figure9, figure10, figure11, figure12, table3
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.records import RECORDS, MatchRecord, RecordFile, Task, open_record_file, play
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end

EXPERIMENTS: Final[dict[str, Experiment]] = {
    "fig4": figure4, "fig5": figure5, "fig8": figure8, "table3": table3,
    "fig9": figure9, "fig10": figure10, "fig11": figure11, "fig12": figure12,
}  # fmt: skip
"""Those of the FOLD paper, by the name that the command line takes."""

ALL_EXPERIMENTS: Final[dict[str, Described]] = {**EXPERIMENTS, **ENSEMBLE_EXPERIMENTS}
"""Those of both papers."""

LEAST_MATCHES, MOST_MATCHES = 2, 10_000


class Running(Protocol):
    """An experiment in its folder, whose matches nobody else writes meanwhile; by `opened`."""

    def processes(self, most: int) -> int:
        """Return how many processes it can use, no more than `most`."""
        ...

    def finished(self) -> str:
        """Say how much of it is kept; "" for one that keeps nothing."""
        ...

    def steps(self, sharing: Sharing = ALONE) -> Iterator[Step]:
        """Run it, as `FoldRun.steps` does or `EnsembleRun.steps`."""
        ...


class FoldRun:
    """One of the FOLD paper's, as `Running`.

    Raises
    ------
    FigureError, UnknownStyleError, UnknownReaderError
        As of `tasks_of`.
    """

    def __init__(self, experiment: Experiment, setting: Setting, kept: RecordFile) -> None:
        self._experiment, self._setting, self._kept = experiment, setting, kept
        self._tasks = tasks_of(experiment, setting)

    def processes(self, most: int) -> int:
        """Return how many processes it can use, no more than `most`; figure 4 measures times, and so uses one."""
        return 1 if self._experiment is figure4 else min(most, sum(task not in self._kept for task in self._tasks))

    def finished(self) -> str:
        """Say how many matches are kept; "" for an experiment without any."""
        count = len(self._tasks)
        return f"{sum(task in self._kept for task in self._tasks):,} of {count:,} matches" if count else ""

    def steps(self, sharing: Sharing = ALONE) -> Iterator[Step]:
        """Play the matches that are not kept yet, each kept as soon as it is finished.

        Parameters
        ----------
        sharing : Sharing
            Who plays; it notes hands one by one.

        Returns
        -------
        iterator of Step
            One to begin with and one after each part, in whatever order they end, with the outcome of as many
            matches as are finished of every line-up, if there are enough; the last is of all.

        Raises
        ------
        concurrent.futures.BrokenExecutor
            If a worker dies, after all matches that were finished.
        MatchFileError
            If a match cannot be kept.
        """
        experiment, tasks, kept = self._experiment, self._tasks, self._kept
        if experiment is figure4:
            yield from figure4.steps(self._setting, sharing)
            return
        missing: dict[int, set[Task]] = {}
        for task in tasks:
            missing.setdefault(task.number, set()).update([] if task in kept else [task])
        done, whole = sum(task in kept for task in tasks), 0
        for record in chain([None], finished(tasks, kept, sharing)):
            if record is not None:
                done += 1
                missing[record.task.number].remove(record.task)
            while whole in missing and not missing[whole]:
                whole += 1
            part = replace(self._setting, matches=whole)
            outcome = partial(experiment.outcome, part, kept) if whole >= LEAST_MATCHES else None
            yield Step(done, len(tasks), outcome)


@contextmanager
def opened(name: str, setting: Setting, folder: Path) -> Iterator[Running]:
    """Open a folder for an experiment by its name.

    Raises
    ------
    FigureError, UnknownStyleError, UnknownReaderError
        As of `tasks_of`.
    MatchFileError
        As of `open_record_file`.
    """
    if name in ENSEMBLE_EXPERIMENTS:
        with opened_ensemble(ENSEMBLE_EXPERIMENTS[name], setting, folder) as run:
            yield run
        return
    experiment = EXPERIMENTS[name]
    with open_record_file(folder / RECORDS, tasks_of(experiment, setting)) as kept:
        yield FoldRun(experiment, setting, kept)


def tasks_of(experiment: Experiment, setting: Setting) -> list[Task]:
    """Return the matches that an experiment needs, none twice.

    Raises
    ------
    FigureError
        If it cannot be run like that.
    UnknownStyleError, UnknownReaderError
        If an agent has no such name.
    """
    if setting.matches is not None and not LEAST_MATCHES <= setting.matches <= MOST_MATCHES:
        raise FigureError(
            f"An experiment has 2 to {MOST_MATCHES:,} matches of each line-up, not {setting.matches:,}."
        )
    if not 0 <= setting.seed <= MAX_SEED:
        raise FigureError(f"The seed must be from 0 to {MAX_SEED}, not {setting.seed}.")
    for at, agent in enumerate(setting.agents):
        if agent in setting.agents[:at]:
            raise FigureError(f"The agent '{agent}' is named twice.")
        make_contestant(agent)
    tasks = list(dict.fromkeys(experiment.tasks(setting)))
    for players in dict.fromkeys(task.players for task in tasks):
        if problem := seats_problem(players, len(players)):
            raise FigureError(problem)
    return tasks


def finished(tasks: Sequence[Task], kept: RecordFile, sharing: Sharing = ALONE) -> Iterator[MatchRecord]:
    """Play the matches that are not kept yet, and keep each as soon as it is finished, in whatever order that is.

    Raises
    ------
    concurrent.futures.BrokenExecutor
        If a worker dies, after all matches that were finished.
    MatchFileError
        If a match cannot be kept.
    """
    missing = [partial(play, task, sharing.note) for task in tasks if task not in kept]
    for record in as_they_end(missing, sharing):
        kept.add(record)
        yield record
