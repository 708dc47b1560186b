"""Matches on their way: they are played in processes, and a lane waits for what they come to."""

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import AbstractContextManager
from time import monotonic

from engine.lab.matches.results import MatchResult, TournamentResult
from engine.lab.matches.several import several_matches, several_tournaments
from engine.lab.matches.workers import Workers, count_hands, worker_processes
from trainer.lab.setup_model import LabSetup

LabResult = MatchResult | TournamentResult

_NICENESS = 10
"""Of the processes: the window and the bots at the table go first."""


class _StoppedError(Exception):
    """Raised where the run is to end."""


class MatchRun:
    """Plays what a setup says; `play` is for a lane, all else may be asked by the window meanwhile.

    Attributes
    ----------
    result : MatchResult, TournamentResult or None
        Of the matches that are finished.
    hands : int
        Played so far, those of unfinished matches too.
    """

    def __init__(
        self, setup: LabSetup, workers: Callable[[int], AbstractContextManager[Workers]] | None = None
    ) -> None:
        self.setup = setup
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
        return min(self.hands / (self.setup.matches * plan.decks * plan.rotations), 1.0)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None before anything is known of that."""
        share = self.share
        if self._started is None or not share:
            return None
        return (monotonic() - self._started) * (1 / share - 1)

    def play(self) -> str:
        """Play until all is done or stopped; return why it has ended by accident, in one sentence, or ""."""
        from engine.kernels.jit import warm_up

        warm_up()  # so that the processes find everything compiled
        try:
            with self._workers(self.setup.processes) as workers:
                self._started = monotonic()
                for result in self._results(workers.executor, lambda: self._look(workers)):
                    self.result = result
                    self._look(workers)
        except _StoppedError:
            pass
        except BrokenExecutor:
            return "A process that played matches has died; the matches finished before are counted."
        return ""

    def _look(self, workers: Workers) -> None:
        self.hands = workers.hands()
        if self._is_stopped:
            raise _StoppedError

    def _results(self, executor: Executor | None, idle: Callable[[], None]) -> Iterator[LabResult]:
        idle()
        plan, matches = self.setup.plan, self.setup.matches
        if self.setup.is_tournament:
            yield from several_tournaments(plan, matches, executor=executor, note=count_hands, idle=idle)
        else:
            for several in several_matches(plan, matches, executor=executor, note=count_hands, idle=idle):
                yield several.result
