"""Processes that play matches: they count for their parent, end with it, and one that dies is noticed."""

import os
import signal
import sys
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from multiprocessing import active_children, get_context
from threading import Thread

import pytest

from engine.lab.matches.workers import _Board, count_hands, say, worker_processes


def test_hands_are_counted_over_all_processes() -> None:
    before = set(active_children())
    with worker_processes(2) as workers:
        assert len(set(active_children()) - before) == 2
        list(workers.executor.map(count_hands, [3, 4, 5]))
        assert workers.hands() == 12
    assert set(active_children()) <= before
    count_hands(1)  # not in a worker: nobody asks
    assert workers.hands() == 12


def test_the_last_thing_said_is_heard() -> None:
    with worker_processes(1) as workers:
        assert workers.said() == b""
        for data in (b"a longer one", b"x" * 1_000_000, b"short"):
            workers.executor.submit(say, data).result()
            assert workers.said() == data
        workers.executor.submit(say, bytes(1 << 22)).result()  # too long
        assert workers.said() == b"short"
    say(b"not in a worker: nobody hears it")
    assert workers.said() == b"short"


def test_a_process_that_dies_while_it_speaks_keeps_nobody_waiting() -> None:
    board = _Board(get_context("spawn"))
    board.write(b"before")
    lock = board._length.get_lock()
    held = Thread(target=lock.acquire)  # by somebody who will not let it go
    held.start()
    held.join()
    assert board.read() == b""
    board.write(b"after")
    assert board.read() == b""


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
