"""Threads in the place of processes, which take seconds to start."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from engine.lab.matches.workers import Workers


@contextmanager
def threads(count: int) -> Iterator[Workers]:
    """Stand for `worker_processes`."""
    with ThreadPoolExecutor(count) as executor:
        yield Workers(executor, lambda: 0, lambda: executor.shutdown(wait=False, cancel_futures=True))
