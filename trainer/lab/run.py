"""Matches on their way: they are played in processes, and a lane waits for what they come to."""

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import monotonic

from engine.lab.matches.kept.match_file import MatchFileError
from engine.lab.matches.kept.run_file import RunFile, open_run_file
from engine.lab.matches.results import MatchResult, TournamentResult
from engine.lab.matches.several import SeveralMatches, several_matches, several_tournaments
from engine.lab.matches.workers import Workers, count_hands, worker_processes
from trainer.lab.setup_model import LabSetup

LabResult = MatchResult | TournamentResult

_NICENESS = 10
"""Of the processes: the window and the bots at the table go first."""


class _StoppedError(Exception):
    """Raised where the run is to end."""


class MatchRun:
    """Plays what a setup says; `play` is for a lane, all else may be asked by the window meanwhile.

    Parameters
    ----------
    file : Path or None
        Keeps every finished match, so that another run can go on where this one ends.
    goes_on : bool
        Whether to go on with the matches of the file, rather than begin with none.

    Attributes
    ----------
    result : MatchResult, TournamentResult or None
        Of the matches that are finished.
    hands : int
        Played by now, those of unfinished matches too; none of those that the file had.
    """

    def __init__(
        self,
        setup: LabSetup,
        file: Path | None = None,
        *,
        goes_on: bool = False,
        workers: Callable[[int], AbstractContextManager[Workers]] | None = None,
    ) -> None:
        self.setup = setup
        self._file = file
        self._goes_on = goes_on
        self._kept = 0
        self.result: LabResult | None = None
        self.hands = 0
        self._workers = workers or (lambda count: worker_processes(count, niceness=_NICENESS))
        self._started: float | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End the run within a fifth of a second; finished matches are kept."""
        self._is_stopped = True

    @property
    def matches(self) -> int:
        """How many are finished."""
        return self.result.matches if self.result is not None else 0

    @property
    def share(self) -> float:
        """How much of it is done, 0-1: by hands, or by matches where nobody knows how many hands they take."""
        if self.setup.is_tournament:
            return self.matches / self.setup.matches
        plan = self.setup.plan
        hands = plan.decks * plan.rotations
        return min((self._kept * hands + self.hands) / (self.setup.matches * hands), 1.0)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None before anything is known of that."""
        share, before = self.share, self._kept / self.setup.matches
        if self._started is None or share <= before:
            return None
        return (monotonic() - self._started) * (1 - share) / (share - before)

    def play(self) -> str:
        """Play until all is done or stopped; return why it has ended by accident, in one sentence, or ""."""
        from engine.kernels.jit import warm_up

        warm_up()  # so that the processes find everything compiled
        try:
            with self._kept_matches() as file, self._workers(self.setup.processes) as workers:
                self._started = monotonic()
                for result in self._results(workers.executor, file, lambda: self._look(workers)):
                    self.result = result
                    self._look(workers)
        except _StoppedError:
            pass
        except BrokenExecutor:
            return "A process that played matches has died; the matches finished before are counted."
        except MatchFileError as error:
            return str(error)
        return ""

    @contextmanager
    def _kept_matches(self) -> Iterator[RunFile | None]:
        if self._file is None:
            yield None
            return
        if not self._goes_on:
            try:
                self._file.unlink(missing_ok=True)
            except OSError as error:
                raise MatchFileError(f"{self._file} cannot be written: {error.strerror or error}.") from error
        with open_run_file(self._file, self.setup.plan) as file:
            self._kept = sum(number in file for number in range(self.setup.matches))
            yield file

    def _look(self, workers: Workers) -> None:
        self.hands = workers.hands()
        if self._is_stopped:
            raise _StoppedError

    def _results(
        self, executor: Executor | None, file: RunFile | None, idle: Callable[[], None]
    ) -> Iterator[LabResult]:
        idle()
        play = several_tournaments if self.setup.is_tournament else several_matches
        plan, matches = self.setup.plan, self.setup.matches
        for result in play(plan, matches, executor=executor, note=count_hands, idle=idle, file=file):
            yield result.result if isinstance(result, SeveralMatches) else result
