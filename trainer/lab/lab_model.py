"""The lab as its window shows it: what is chosen, how far it has been played, and what it came to."""

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from engine.lab.matches.plan import MatchError
from trainer.jobs import Jobs
from trainer.lab.run import LabResult, MatchRun
from trainer.lab.setup_model import LabSetup

LANE = "lab"

_LOOK_MILLISECONDS = 200
"""Between two looks at how far the run is."""


class MakeRun(Protocol):
    """Makes a run of a setup, as `MatchRun` does."""

    def __call__(self, setup: LabSetup, file: Path | None, *, goes_on: bool) -> MatchRun:
        """Return a run that has not begun."""
        ...


class Phase(StrEnum):
    """What the lab is doing."""

    IDLE = "idle"
    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"


class LabModel(QObject):
    """One run at a time; what it has come to stays until the next one begins.

    With a `file` every finished match is kept there, also when the app ends: `kept` is what they are matches of,
    and whoever chooses the same again can go on.
    """

    setup_changed = Signal()
    result_changed = Signal()
    progressed = Signal()  # how far it is, or what the lab is doing

    def __init__(
        self,
        jobs: Jobs,
        setup: LabSetup | None = None,
        *,
        file: Path | None = None,
        kept: LabSetup | None = None,
        make_run: MakeRun = MatchRun,
    ) -> None:
        super().__init__()
        self.setup = setup or LabSetup()
        self.kept = kept
        self.played: LabSetup | None = None  # what `result` is of
        self.result: LabResult | None = None
        self.phase = Phase.IDLE
        self.problem = ""  # why the last run has ended by accident
        self._jobs = jobs
        self._make_run = make_run
        self._file = file
        self._run: MatchRun | None = None
        self._typing_problem = ""
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look)

    @property
    def is_running(self) -> bool:
        """Whether matches are being played."""
        return self.phase is Phase.RUNNING

    @property
    def refusal(self) -> str:
        """Why what is chosen cannot be played, in one sentence, or ""."""
        if self._typing_problem:
            return self._typing_problem
        try:
            self.setup.verify()
        except MatchError as error:
            return str(error)
        return ""

    @property
    def share(self) -> float:
        """How much of the run is done, 0-1."""
        return self._run.share if self._run is not None else 0.0

    @property
    def can_go_on(self) -> bool:
        """Whether matches of what is chosen are kept, and more of them are to be played."""
        if self._file is None or self.kept is None or self.is_running or self.refusal:
            return False
        done = self.result.matches if self.result is not None and self.played == self.kept else 0
        return self.kept.plan == self.setup.plan and done < self.setup.matches and self._file.exists()

    def choose(self, setup: LabSetup, typing_problem: str = "") -> None:
        """Take what is to be played next, and what is wrong with what is typed, if anything."""
        if (setup, typing_problem) != (self.setup, self._typing_problem):
            self.setup, self._typing_problem = setup, typing_problem
            self.setup_changed.emit()

    def start(self) -> None:
        """Play what is chosen from the beginning, unless that cannot be or something is being played."""
        if not self.is_running and not self.refusal:
            self._begin(goes_on=False)

    def go_on(self) -> None:
        """Play the matches of what is chosen that are not kept, if there are any."""
        if self.can_go_on:
            self._begin(goes_on=True)

    def _begin(self, *, goes_on: bool) -> None:
        run = self._run = self._make_run(self.setup, self._file, goes_on=goes_on)
        self.played = self.kept = self.setup
        self.result, self.problem, self.phase = None, "", Phase.RUNNING
        self._jobs.submit(LANE, run.play, self._end, on_error=self._on_error)
        self._timer.start()
        self.result_changed.emit()
        self.progressed.emit()

    def stop(self) -> None:
        """End the run soon; finished matches stay."""
        if self._run is not None:
            self._run.stop()

    def text(self) -> str:
        """Say how far the run is, or how it ended."""
        run = self._run
        if run is None:
            return "Nothing has been played yet."
        hands = run.hands if self.is_running else self.result.hands if self.result is not None else 0
        done = f"{_counted(run.matches, run.setup.matches, 'match', 'matches')}, {hands:,} hands"
        if self.is_running:
            left = run.seconds_left
            return f"{done}, {time_text(left)} left" if left is not None else "Starting the processes …"
        if self.phase is Phase.FINISHED:
            return f"Finished: {done}."
        return self.problem or f"Stopped: {done}."

    def _look(self) -> None:
        """Take what the run has come to by now."""
        assert self._run is not None
        if self._run.result is not self.result:
            self.result = self._run.result
            self.result_changed.emit()
        self.progressed.emit()

    def _on_error(self, error: Exception) -> None:
        self._end(f"The matches cannot be played on: {error}")

    def _end(self, problem: str) -> None:
        assert self._run is not None
        self._timer.stop()
        self.problem = problem
        is_whole = self._run.matches == self._run.setup.matches
        self.phase = Phase.FINISHED if is_whole and not problem else Phase.STOPPED
        self._look()


def time_text(seconds: float) -> str:
    """Write how long something takes.

    >>> time_text(7.2), time_text(100), time_text(5000)
    ('7 s', '1 min 40 s', '1 h 23 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _counted(count: int, all_of: int, one: str, many: str) -> str:
    return f"{count:,} of {all_of:,} {one if all_of == 1 else many}"
