"""An experiment on its way."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from time import monotonic
from typing import ClassVar

from engine.agents.style_file import StyleFileError
from engine.lab.evolution.settings import EvolutionError
from engine.lab.experiments.experiment import Outcome, Step
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.running import opened
from engine.lab.matches.sharing import Sharing
from engine.lab.matches.workers import count_hands
from engine.resources import ResourceError
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.run import MakeWorkers, Run, StoppedError

_LEAST_SECONDS = 2.0
"""Between two outcomes, and ten times what the last one took: painting them holds up the window for tenths."""


class ExperimentRun(Run[ExperimentSetup, Outcome]):
    """Evolves the policies and plays the matches of an experiment that a folder does not have yet.

    Its result is of what is finished of every line-up; of the ensemble paper's of all.
    """

    died: ClassVar = "A process that played has died; all that was finished before is kept."

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
        if self._step is None or not self._step.total:
            return float(self.is_whole)
        return self._step.done / self._step.total

    @property
    def share_before(self) -> float:
        return self._before

    @property
    def is_whole(self) -> bool:
        # After its last generation an experiment has no outcome yet.
        step = self._step
        return step is not None and step.done == step.total and step.outcome is not None

    def go(self) -> None:
        try:
            with (
                opened(self.setup.name, self.setup.setting, self._folder) as running,
                self.workers(running.processes(self.setup.processes)) as workers,
            ):

                def idle() -> None:
                    self.look(workers)

                try:
                    idle()
                    for step in running.steps(Sharing(workers.executor, count_hands, idle)):
                        self._take(step)
                        idle()
                except (StoppedError, BrokenExecutor):
                    self._show()
                    raise
        except (FigureError, EvolutionError, StyleFileError, ResourceError) as error:
            raise StoppedError(str(error)) from error

    def _take(self, step: Step) -> None:
        if self._step is None or self._step.parts != step.parts:
            self._before = step.done / max(step.total, 1)
            self._started = monotonic()
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


MakeExperimentRun = Callable[[ExperimentSetup, Path], ExperimentRun]
"""Makes a run that has not begun."""
