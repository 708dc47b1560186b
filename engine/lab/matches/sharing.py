"""Matches shared out over an executor, in the order in which they end."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

M = TypeVar("M")

_SECONDS_OF_WAITING = 0.2


def as_they_end(
    matches: Sequence[Callable[[], M]], executor: Executor | None, idle: Callable[[], object] | None = None
) -> Iterator[M]:
    """Play matches, one worker each; without an executor one after the other in the calling thread.

    Parameters
    ----------
    matches : sequence of callable
        Each plays a match and returns what came of it; an executor of processes pickles them.
    idle : callable, optional
        Called at least every fifth of a second while the executor is waited for.

    Raises
    ------
    concurrent.futures.BrokenExecutor
        If a worker dies, after all matches that have ended.
    """
    if executor is None:
        for play in matches:
            yield play()
        return
    ended: SimpleQueue[Future[M]] = SimpleQueue()
    broken: BrokenExecutor | None = None
    running = set()
    for play in matches:
        running.add(future := executor.submit(play))
        future.add_done_callback(ended.put)
    while running:
        while True:
            if idle is not None:
                idle()
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
