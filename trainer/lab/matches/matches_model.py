"""Matches of styles as their page shows them: what is chosen, how far it has been played, and what it came to."""

from pathlib import Path

from engine.words import counted
from trainer.lab.matches.match_run import LabResult, MakeRun, MatchRun
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.lab.page_model import PageModel
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner, time_text


class MatchesModel(PageModel[MatchesSetup, LabResult, MatchRun]):
    """Matches that are started begin with none.

    Every finished match is kept in `file`, also when the app ends: `kept` is what they are matches of,
    and whoever chooses the same again can go on.
    """

    def __init__(
        self,
        owner: RunOwner,
        setup: MatchesSetup,
        *,
        file: Path,
        kept: MatchesSetup | None = None,
        make_run: MakeRun,
    ) -> None:
        super().__init__(owner, setup)
        self.kept = kept
        self._make_run = make_run
        self._file = file

    @property
    def matches(self) -> int:
        """How many matches of the last run are finished."""
        return self._run.matches if self._run is not None else 0

    @property
    def can_go_on(self) -> bool:
        """Whether matches of what is chosen are kept, and more of them are to be played."""
        if self.kept is None or not self.can_start:
            return False
        done = self.matches if self.played == self.kept else 0
        return self.kept.plan == self.setup.plan and done < self.setup.matches and self._file.exists()

    def go_on(self) -> None:
        """Play the matches of what is chosen that are not kept, if there are any."""
        if self.can_go_on:
            self._begin(self._made(goes_on=True))

    def _made(self, *, goes_on: bool = False) -> MatchRun:
        return self._make_run(self.setup, self._file, goes_on=goes_on)

    def _begin(self, run: MatchRun) -> None:
        self.kept = self.setup
        super()._begin(run)

    def text(self) -> str:
        """Say how far the run is, or how it ended."""
        run = self._run
        if run is None:
            return "Nothing has been played yet."
        hands = run.hands if self.is_running else self.result.hands if self.result is not None else 0
        done = f"{run.matches:,} of {counted(run.setup.matches, 'match', 'matches')}, {hands:,} hands"
        if self.is_running:
            left = run.seconds_left
            return (
                done + (f", {time_text(left)} left" if left is not None else "")
                if hands
                else "Starting the processes …"
            )
        if self.phase is Phase.FINISHED:
            return f"Finished: {done}."
        return self.problem or f"Stopped: {done}."
