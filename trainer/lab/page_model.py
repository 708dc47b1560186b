"""What the pages of the lab have in common: what is chosen, its run, and what that has come to."""

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from trainer.lab.run import Phase, R, Run, S
from trainer.lab.running_model import RunOwner

T = TypeVar("T", bound=Run[Any, Any])


class PageModel(QObject, Generic[S, R, T]):
    """A setup, the last run of one, and its result, which stays until the next run begins."""

    setup_changed = Signal()
    result_changed = Signal()
    progressed = Signal()  # how far it is, or what the lab is doing

    def __init__(self, owner: RunOwner, setup: S) -> None:
        super().__init__()
        self.setup = setup
        self.result: R | None = None
        self._owner = owner
        self._run: T | None = None
        self._typing_problem = ""
        owner.looked.connect(self._look)

    @property
    def played(self) -> S | None:
        """What `result` is of."""
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
    def note(self) -> str:
        """What else there is to say of the last run, in one sentence, or ""."""
        return self._run.note if self._run is not None else ""

    @property
    def is_running(self) -> bool:
        """Whether the run of this page is on its way."""
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
        """Whether there is something to go on with that starting does not go on with."""
        return False

    @property
    def share(self) -> float:
        """How much of the run is done, 0-1."""
        return self._run.share if self._run is not None else 0.0

    def choose(self, setup: S, typing_problem: str = "") -> None:
        """Take what is to be run next, and what is wrong with what is typed, if anything."""
        if (setup, typing_problem) != (self.setup, self._typing_problem):
            self.setup, self._typing_problem = setup, typing_problem
            self.setup_changed.emit()

    def start(self) -> None:
        """Run what is chosen, unless that cannot be or something is on its way."""
        if self.can_start:
            self._begin(self._made())

    def go_on(self) -> None:
        """Go on with what is kept; where starting does so, start."""
        self.start()

    def stop(self) -> None:
        """End the run soon; what is finished stays."""
        if self.is_running:
            self._owner.stop()

    def text(self) -> str:
        """Say how far the run is, or how it ended."""
        raise NotImplementedError

    def _made(self) -> T:
        """Return a run of the setup that has not begun."""
        raise NotImplementedError

    def _begin(self, run: T) -> None:
        self._run = run
        self.result = None
        self._owner.begin(run)
        self.result_changed.emit()

    def _look(self) -> None:
        """Take what the run has come to by now."""
        if self._run is not None and self._run.result is not self.result:
            self.result = self._run.result
            self.result_changed.emit()
        self.progressed.emit()
