"""Matches of styles on their way."""

from pathlib import Path
from time import monotonic
from typing import Protocol

from engine.lab.matches.kept.run_file import open_run_file
from engine.lab.matches.results import MatchResult, TournamentResult
from engine.lab.matches.several import SeveralMatches, several_matches, several_tournaments, unfinished
from engine.lab.matches.sharing import Sharing
from engine.lab.matches.workers import Workers, count_hands, say
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.lab.run import MakeWorkers, Run

LabResult = MatchResult | TournamentResult


class MatchRun(Run[MatchesSetup, LabResult]):
    """Plays what a setup says; its result is of the finished matches, of one alone also while it is played.

    Parameters
    ----------
    file : Path or None
        Keeps every finished match, so that another run can go on where this one ends.
    goes_on : bool
        Whether to go on with the matches of the file, rather than begin with none.

    Attributes
    ----------
    matches : int
        How many are finished.
    """

    def __init__(
        self,
        setup: MatchesSetup,
        file: Path,
        *,
        goes_on: bool,
        workers: MakeWorkers | None = None,
    ) -> None:
        super().__init__(setup, workers)
        self._file = file
        self._goes_on = goes_on
        self._kept = 0
        self._before = 0.0
        self._said = b""
        self.matches = 0

    @property
    def is_whole(self) -> bool:
        return self.matches == self.setup.matches

    @property
    def share(self) -> float:
        """How much of it is done, 0-1: by hands, or by matches where nobody knows how many hands they take."""
        if self.setup.is_tournament:
            return self.matches / self.setup.matches
        plan = self.setup.plan
        hands = plan.decks * plan.rotations
        return min((self._kept * hands + self.hands) / (self.setup.matches * hands), 1.0)

    @property
    def share_before(self) -> float:
        return self._before

    def look(self, workers: Workers) -> None:
        is_first = not self.hands
        super().look(workers)
        if is_first and self.hands:  # what came before, such as starting the processes, tells nothing of the pace
            self._started, self._before = monotonic(), self.share

    def go(self) -> None:
        play = several_tournaments if self.setup.is_tournament else several_matches
        plan, matches = self.setup.plan, self.setup.matches
        with (
            open_run_file(self._file, plan, is_anew=not self._goes_on) as file,
            self.workers(self.setup.processes) as workers,
        ):
            self._kept = sum(number in file for number in range(matches))

            def idle() -> None:
                self.look(workers)
                if not self.matches and (said := workers.said()) and said != self._said:
                    self._said = said
                    self.result = unfinished(plan, said)

            idle()
            sharing = Sharing(workers.executor, count_hands, idle)
            for played in play(plan, matches, sharing=sharing, file=file, say=say):
                result = played.result if isinstance(played, SeveralMatches) else played
                self.result, self.matches = result, result.matches
                idle()


class MakeRun(Protocol):
    """Makes a run of a setup, as `MatchRun` does."""

    def __call__(self, setup: MatchesSetup, file: Path, *, goes_on: bool) -> MatchRun:
        """Return a run that has not begun."""
        ...
