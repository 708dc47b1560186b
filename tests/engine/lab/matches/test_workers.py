"""Processes that play matches: they count for their parent, end with it, and one that dies is noticed."""

import os
import signal
import sys
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from multiprocessing import active_children

import pytest

from engine.lab.matches.workers import count_hands, worker_processes


def test_hands_are_counted_over_all_processes() -> None:
    before = set(active_children())
    with worker_processes(2) as workers:
        assert len(set(active_children()) - before) == 2
        list(workers.executor.map(count_hands, [3, 4, 5]))
        assert workers.hands() == 12
    assert set(active_children()) <= before
    count_hands(1)  # not in a worker: nobody asks
    assert workers.hands() == 12


def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(BrokenExecutor), worker_processes(1) as workers:
        workers.executor.submit(partial(os._exit, 1)).result()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_work_that_never_ends_is_ended() -> None:
    before = set(active_children())

    def interrupted() -> None:
        with worker_processes(1) as workers:
            workers.executor.submit(os.getpid).result()
            futures.append(workers.executor.submit(signal.pause))
            raise KeyboardInterrupt

    futures: list[Future[None]] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert set(active_children()) <= before
    assert isinstance(futures[0].exception(), BrokenExecutor)
