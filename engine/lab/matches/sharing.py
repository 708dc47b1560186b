"""Matches shared out over an executor, in the order in which they end."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple, TypeVar

M = TypeVar("M")

_SECONDS_OF_WAITING = 0.2


class Sharing(NamedTuple):
    """Who plays, and who hears of it meanwhile.

    Attributes
    ----------
    executor : concurrent.futures.Executor or None
        Shares the matches out, one worker each; the result is the same for any number of workers. Without one
        they are played one after the other in the calling thread.
    note : callable or None
        Called with the number of further hands now and then, where they are played: an executor of processes
        pickles it.
    idle : callable or None
        Called at least every fifth of a second while the executor is waited for.
    """

    executor: Executor | None = None
    note: Callable[[int], object] | None = None
    idle: Callable[[], object] | None = None

    def result(self, future: Future[M]) -> M:
        """Wait for what a worker does."""
        while True:
            if self.idle is not None:
                self.idle()
            with suppress(TimeoutError):
                return future.result(timeout=_SECONDS_OF_WAITING)


ALONE: Final = Sharing()
"""The calling thread, of which nobody hears."""


def as_they_end(matches: Sequence[Callable[[], M]], sharing: Sharing) -> Iterator[M]:
    """Play matches.

    Parameters
    ----------
    matches : sequence of callable
        Each plays a match and returns what came of it; an executor of processes pickles them.

    Raises
    ------
    concurrent.futures.BrokenExecutor
        If a worker dies, after all matches that have ended.
    """
    if sharing.executor is None:
        for play in matches:
            yield play()
        return
    ended: SimpleQueue[Future[M]] = SimpleQueue()
    broken: BrokenExecutor | None = None
    running = set()
    for play in matches:
        running.add(future := sharing.executor.submit(play))
        future.add_done_callback(ended.put)
    while running:
        while True:
            if sharing.idle is not None:
                sharing.idle()
            with suppress(Empty):
                future = ended.get(timeout=_SECONDS_OF_WAITING)
                break
        running.remove(future)
        if future.cancelled():
            broken = broken or BrokenExecutor("A match was cancelled.")
        elif isinstance(error := future.exception(), BrokenExecutor):
            broken = error
        else:
            yield future.result()
    if broken is not None:
        raise broken
