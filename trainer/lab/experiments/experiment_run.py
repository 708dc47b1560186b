"""An experiment on its way."""

from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Protocol

from engine.lab.experiments.experiment import Outcome, Step
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.records import RECORDS, open_record_file
from engine.lab.experiments.running import EXPERIMENTS, processes_of, steps, tasks_of
from engine.lab.matches.workers import NOBODY, count_hands
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.run import MakeWorkers, Run, StoppedError

_LEAST_SECONDS = 2.0
"""Between two outcomes, and ten times what the last one took: painting them holds up the window for tenths."""


class ExperimentRun(Run[ExperimentSetup, Outcome]):
    """Plays the matches of an experiment that a folder does not have yet.

    Its result is of what is finished of every line-up.
    """

    def __init__(self, setup: ExperimentSetup, folder: Path, *, workers: MakeWorkers | None = None) -> None:
        super().__init__(setup, workers)
        self._folder = folder
        self._step: Step | None = None
        self._before = 0.0
        self._due = 0.0

    @property
    def step(self) -> Step | None:
        """How far it is; None before it has begun."""
        return self._step

    @property
    def share(self) -> float:
        """How much of it is done, 0-1."""
        return self._step.done / max(self._step.total, 1) if self._step is not None else 0.0

    @property
    def share_before(self) -> float:
        return self._before

    @property
    def is_whole(self) -> bool:
        return self._step is not None and self._step.done == self._step.total

    def go(self) -> None:
        experiment, setting = EXPERIMENTS[self.setup.name], self.setup.setting
        try:
            with open_record_file(self._folder / RECORDS, tasks_of(experiment, setting)) as kept:
                count = processes_of(experiment, setting, kept, self.setup.processes)
                with self.workers(count) if count else nullcontext(NOBODY) as workers:

                    def idle() -> None:
                        self.look(workers)

                    try:
                        idle()
                        for step in steps(
                            experiment, setting, kept, executor=workers.executor, note=count_hands, idle=idle
                        ):
                            self._take(step)
                            idle()
                    except (StoppedError, BrokenExecutor):
                        self._show()
                        raise
        except FigureError as error:
            raise StoppedError(str(error)) from error

    def _take(self, step: Step) -> None:
        if self._step is None:
            self._before = step.done / max(step.total, 1)
        self._step = step
        if monotonic() >= self._due or step.done == step.total:
            self._show()

    def _show(self) -> None:
        """Make the outcome of what is there."""
        if self._step is not None and self._step.outcome is not None:
            started = monotonic()
            self.result = self._step.outcome()
            now = monotonic()
            self._due = now + max(_LEAST_SECONDS, 10 * (now - started))


class MakeExperimentRun(Protocol):
    """Makes a run of a setup, as `ExperimentRun` does."""

    def __call__(self, setup: ExperimentSetup, folder: Path) -> ExperimentRun:
        """Return a run that has not begun."""
        ...
