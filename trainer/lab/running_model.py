"""The one run of the lab, from its beginning to its end."""

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from trainer.jobs import Jobs
from trainer.lab.run import Phase, Run

LANE = "lab"

_LOOK_MILLISECONDS = 200
"""Between two looks at how far the run is."""


class RunOwner(QObject):
    """One run at a time, of whichever page; the last one stays until the next begins."""

    looked = Signal()  # it has begun, gone on or ended

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.run: Run[Any, Any] | None = None
        self._jobs = jobs
        self._timer = QTimer(self, interval=_LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.looked)

    @property
    def is_running(self) -> bool:
        """Whether anything is on its way."""
        return self.run is not None and self.run.phase is Phase.RUNNING

    def begin(self, run: Run[Any, Any]) -> None:
        """Let a run go; nothing else may be on its way."""
        assert not self.is_running
        self.run = run
        run.phase = Phase.RUNNING
        self._jobs.submit(LANE, run.play, self._end, on_error=self._on_error)
        self._timer.start()
        self.looked.emit()

    def stop(self) -> None:
        """End the run soon; what is finished stays."""
        if self.run is not None:
            self.run.stop()

    def _on_error(self, error: Exception) -> None:
        self._end(f"This cannot go on: {error}")

    def _end(self, problem: str) -> None:
        assert self.run is not None
        self._timer.stop()
        self.run.problem = problem
        self.run.phase = Phase.FINISHED if self.run.is_whole and not problem else Phase.STOPPED
        self.looked.emit()


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
