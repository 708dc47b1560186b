"""Experiments as their page shows them: what is chosen, how far it is, and what came of it."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.lab.experiments.experiment import Outcome
from engine.lab.experiments.files import as_csv
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner, counted, time_text


class ExperimentsModel(QObject):
    """What the last run has come to stays until the next one begins; its matches stay in their folder for good."""

    setup_changed = Signal()
    outcome_changed = Signal()
    progressed = Signal()  # how far it is, or what the lab is doing

    def __init__(
        self,
        owner: RunOwner,
        setup: ExperimentSetup | None = None,
        *,
        usual_folder: Path,
        make_run: MakeExperimentRun = ExperimentRun,
    ) -> None:
        super().__init__()
        self.setup = setup or ExperimentSetup()
        self.usual_folder = usual_folder
        self.outcome: Outcome | None = None
        self._owner = owner
        self._make_run = make_run
        self._run: ExperimentRun | None = None
        self._typing_problem = ""
        owner.looked.connect(self._look)

    @property
    def folder(self) -> Path:
        """Where matches are kept."""
        return Path(self.setup.folder) if self.setup.folder else self.usual_folder

    @property
    def shown(self) -> ExperimentSetup | None:
        """What `outcome` is of."""
        return self._run.setup if self._run is not None else None

    @property
    def phase(self) -> Phase:
        """What has become of the run."""
        return self._run.phase if self._run is not None else Phase.IDLE

    @property
    def problem(self) -> str:
        """Why the last run has ended by accident, or ""."""
        return self._run.problem if self._run is not None else ""

    @property
    def is_running(self) -> bool:
        """Whether an experiment is on its way."""
        return self.phase is Phase.RUNNING

    @property
    def refusal(self) -> str:
        """Why what is chosen cannot be run, in one sentence, or ""."""
        return self._typing_problem or self.setup.refusal

    @property
    def can_start(self) -> bool:
        """Whether what is chosen can be run now."""
        return not self._owner.is_running and not self.refusal

    @property
    def can_go_on(self) -> bool:
        """Starting goes on with all that is kept; there is no other way to."""
        return False

    @property
    def share(self) -> float:
        """How much of the run is done, 0-1."""
        return self._run.share if self._run is not None else 0.0

    def choose(self, setup: ExperimentSetup, typing_problem: str = "") -> None:
        """Take what is to be run next, and what is wrong with what is typed, if anything."""
        if (setup, typing_problem) != (self.setup, self._typing_problem):
            self.setup, self._typing_problem = setup, typing_problem
            self.setup_changed.emit()

    def start(self) -> None:
        """Run what is chosen, unless that cannot be or something is on its way."""
        if self.can_start:
            self._run = self._make_run(self.setup, self.folder)
            self.outcome = None
            self._owner.begin(self._run)
            self.outcome_changed.emit()

    def go_on(self) -> None:
        """Do as `start`."""
        self.start()

    def stop(self) -> None:
        """End the run soon; finished matches stay."""
        if self.is_running:
            self._owner.stop()

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
            done = counted(run.step.done, run.step.total, parts.removesuffix("es"), parts)
        if self.is_running:
            left = run.seconds_left
            return f"{done}, {run.hands:,} hands" + (f", {time_text(left)} left" if left is not None else "")
        if self.phase is Phase.FINISHED:
            return f"Finished: {done}."
        goes_on = "; starting again goes on" if run.step is not None and run.step.parts == "matches" else ""
        return self.problem or f"Stopped: {done or 'before anything was finished'}{goes_on}."

    def csv(self) -> str:
        """Return the numbers of the outcome as CSV, "" without one."""
        return as_csv(self.outcome.rows) if self.outcome is not None else ""

    def _look(self) -> None:
        """Take what the run has come to by now."""
        if self._run is not None and self._run.outcome is not self.outcome:
            self.outcome = self._run.outcome
            self.outcome_changed.emit()
        self.progressed.emit()
