"""Threads in the place of processes, which take seconds to start."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from engine.lab.matches.workers import Workers


@contextmanager
def threads(count: int) -> Iterator[Workers]:
    """Stand for `worker_processes`."""
    with ThreadPoolExecutor(count or 1) as executor:
        yield Workers(
            executor if count else None, lambda: 0, lambda: executor.shutdown(wait=False, cancel_futures=True)
        )
