"""Matches of styles as their page shows them: what is chosen, how far it has been played, and what it came to."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.lab.matches.plan import MatchError
from trainer.lab.matches.match_run import LabResult, MakeRun, MatchRun
from trainer.lab.matches.setup_model import LabSetup
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner, counted, time_text


class LabModel(QObject):
    """What the last run has come to stays until the next one begins.

    With a `file` every finished match is kept there, also when the app ends: `kept` is what they are matches of,
    and whoever chooses the same again can go on.
    """

    setup_changed = Signal()
    result_changed = Signal()
    progressed = Signal()  # how far it is, or what the lab is doing

    def __init__(
        self,
        owner: RunOwner,
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
        self._owner = owner
        self._make_run = make_run
        self._file = file
        self._run: MatchRun | None = None
        self._typing_problem = ""
        owner.looked.connect(self._look)

    @property
    def phase(self) -> Phase:
        """What has become of the matches."""
        return self._run.phase if self._run is not None else Phase.IDLE

    @property
    def problem(self) -> str:
        """Why the last run has ended by accident, or ""."""
        return self._run.problem if self._run is not None else ""

    @property
    def matches(self) -> int:
        """How many matches of the last run are finished."""
        return self._run.matches if self._run is not None else 0

    @property
    def is_running(self) -> bool:
        """Whether matches are being played."""
        return self.phase is Phase.RUNNING

    @property
    def can_start(self) -> bool:
        """Whether what is chosen can be played now."""
        return not self._owner.is_running and not self.refusal

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
        if self._file is None or self.kept is None or not self.can_start:
            return False
        done = self.matches if self.played == self.kept else 0
        return self.kept.plan == self.setup.plan and done < self.setup.matches and self._file.exists()

    def choose(self, setup: LabSetup, typing_problem: str = "") -> None:
        """Take what is to be played next, and what is wrong with what is typed, if anything."""
        if (setup, typing_problem) != (self.setup, self._typing_problem):
            self.setup, self._typing_problem = setup, typing_problem
            self.setup_changed.emit()

    def start(self) -> None:
        """Play what is chosen from the beginning, unless that cannot be or something is being played."""
        if self.can_start:
            self._begin(goes_on=False)

    def go_on(self) -> None:
        """Play the matches of what is chosen that are not kept, if there are any."""
        if self.can_go_on:
            self._begin(goes_on=True)

    def _begin(self, *, goes_on: bool) -> None:
        run = self._run = self._make_run(self.setup, self._file, goes_on=goes_on)
        self.played = self.kept = self.setup
        self.result = None
        self._owner.begin(run)
        self.result_changed.emit()

    def stop(self) -> None:
        """End the run soon; finished matches stay."""
        if self.is_running:
            self._owner.stop()

    def text(self) -> str:
        """Say how far the run is, or how it ended."""
        run = self._run
        if run is None:
            return "Nothing has been played yet."
        hands = run.hands if self.is_running else self.result.hands if self.result is not None else 0
        done = f"{counted(run.matches, run.setup.matches, 'match', 'matches')}, {hands:,} hands"
        if self.is_running:
            left = run.seconds_left
            return f"{done}, {time_text(left)} left" if left is not None else "Starting the processes …"
        if self.phase is Phase.FINISHED:
            return f"Finished: {done}."
        return self.problem or f"Stopped: {done}."

    def _look(self) -> None:
        """Take what the run has come to by now."""
        if self._run is not None and self._run.result is not self.result:
            self.result = self._run.result
            self.result_changed.emit()
        self.progressed.emit()
