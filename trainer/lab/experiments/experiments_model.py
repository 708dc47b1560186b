"""Experiments as their page shows them: what is chosen, how far it is, and what came of it."""

from pathlib import Path

from engine.lab.experiments.experiment import Outcome
from engine.lab.experiments.files import as_csv
from engine.words import counted
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.page_model import PageModel
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner, time_text


class ExperimentsModel(PageModel[ExperimentSetup, Outcome, ExperimentRun]):
    """The matches of a run stay in their folder for good."""

    def __init__(
        self, owner: RunOwner, setup: ExperimentSetup, *, usual_folder: Path, make_run: MakeExperimentRun
    ) -> None:
        super().__init__(owner, setup)
        self.usual_folder = usual_folder
        self._make_run = make_run

    @property
    def folder(self) -> Path:
        """Where matches are kept."""
        return Path(self.setup.folder) if self.setup.folder else self.usual_folder

    def _made(self) -> ExperimentRun:
        return self._make_run(self.setup, self.folder)

    def text(self) -> str:
        """Say how far the run is, or how it ended."""
        run = self._run
        if run is None:
            return "Nothing has been run yet."
        if self.is_running and run.step is None:
            return f"Playing hands to measure: {run.hands:,} …" if run.hands else "Starting the processes …"
        done = ""
        if run.step is not None:
            parts = run.step.parts
            one = parts.removesuffix("es" if parts == "matches" else "s")
            done = f"{run.step.done:,} of {counted(run.step.total, one, parts)}" if run.step.total else ""
        if self.is_running:
            left = run.seconds_left
            hands = f"{run.hands:,} hands" if run.hands else ""
            return ", ".join(filter(None, [done, hands, f"{time_text(left)} left" if left is not None else ""]))
        if self.phase is Phase.FINISHED:
            return f"Finished: {done}." if done else "Finished."
        goes_on = "; starting again goes on" if run.step is not None and run.setup.keeps else ""
        return self.problem or f"Stopped: {done or 'before anything was finished'}{goes_on}."

    def csv(self) -> str:
        """Return the numbers of the result as CSV, "" without one."""
        return as_csv(self.result.rows) if self.result is not None else ""
