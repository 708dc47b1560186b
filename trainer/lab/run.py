"""What takes long in the lab: it is done in processes, and a lane waits for what that comes to."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager
from enum import StrEnum
from time import monotonic
from typing import ClassVar, Generic, Protocol, TypeVar

from engine.lab.matches.kept.match_file import MatchFileError
from engine.lab.matches.workers import Workers, worker_processes


class Setup(Protocol):
    """What is to be run."""

    @property
    def refusal(self) -> str:
        """Why it cannot be, in one sentence, or ""."""
        ...


S = TypeVar("S", bound=Setup)
R = TypeVar("R")

MakeWorkers = Callable[[int], AbstractContextManager[Workers]]

_NICENESS = 10
"""Of the processes: the window and the bots at the table go first."""


class Phase(StrEnum):
    """What is done in the lab."""

    IDLE = "idle"
    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"


class StoppedError(Exception):
    """Raised where a run is to end; its text is why, in one sentence, or empty if it was asked to."""


class Run(ABC, Generic[S, R]):
    """Something that takes long; `play` is for a lane, all else may be asked by the window meanwhile.

    Attributes
    ----------
    setup
        What is run.
    result
        Of what is finished, as soon as that is enough; another object whenever it has changed.
    phase : Phase
        What `RunOwner` makes of it.
    problem : str
        Why it has ended by accident, in one sentence, or "".
    note : str
        What else there is to say of it, in one sentence, or "".
    hands : int
        Played by now, those of unfinished matches too; none of those that were kept before.
    """

    died: ClassVar = "A process that played matches has died; the matches finished before are counted."
    """What is said if one does."""

    def __init__(self, setup: S, workers: MakeWorkers | None) -> None:
        self.setup = setup
        self.result: R | None = None
        self.phase = Phase.IDLE
        self.problem = ""
        self.note = ""
        self.hands = 0
        self._make_workers = workers or (lambda processes: worker_processes(processes, niceness=_NICENESS))
        self._started: float | None = None
        self._is_stopped = False

    @property
    @abstractmethod
    def share(self) -> float:
        """How much of it is done, 0-1."""

    @property
    @abstractmethod
    def share_before(self) -> float:
        """How much of it was done before it began."""

    @property
    @abstractmethod
    def is_whole(self) -> bool:
        """Whether all of it is done."""

    @abstractmethod
    def go(self) -> None:
        """Do it, and `look` at least every fifth of a second."""

    def stop(self) -> None:
        """End it within a fifth of a second; what is finished is kept."""
        self._is_stopped = True

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None before anything is known of that."""
        share, before = self.share, self.share_before
        if self._started is None or share <= before:
            return None
        return (monotonic() - self._started) * (1 - share) / (share - before)

    def play(self) -> str:
        """Go until all is done or stopped; return why it has ended by accident, in one sentence, or ""."""
        from engine.kernels.jit import warm_up

        warm_up()  # so that the processes find everything compiled
        try:
            self.go()
        except StoppedError as stopped:
            return str(stopped)
        except BrokenExecutor:
            return self.died
        except MatchFileError as error:
            return str(error)
        return ""

    def workers(self, processes: int) -> AbstractContextManager[Workers]:
        """Start processes; the time that is left is reckoned from now on."""
        self._started = monotonic()
        return self._make_workers(processes)

    def look(self, workers: Workers) -> None:
        """Count hands, and raise `StoppedError` if the run is to end."""
        self.hands = workers.hands()
        if self._is_stopped:
            raise StoppedError
