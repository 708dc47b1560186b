"""Processes that play matches for a command, one for each core.

They are started afresh (*spawn*), the same on every system and in a frozen program. Interrupts from the keyboard
are the parent's affair: whoever presses Ctrl+C wants one sentence, not one from each process. When the parent ends,
in whatever way, they end too.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from ctypes import c_char, c_int64
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.context import SpawnContext
from multiprocessing.sharedctypes import Synchronized
from threading import Thread
from typing import NamedTuple

from engine.commands import InputError

MOST_WORKERS = 61
"""As many as Windows can wait for."""

_MOST_SAID = 1 << 21
"""Bytes; what takes more is not said."""

_PATIENCE = 0.05
"""Seconds for the lock of what is said, which a worker that was killed may hold for ever."""

_counters: "list[Synchronized[int]]" = []
"""In a worker, where it counts for its parent; elsewhere empty."""

_boards: "list[_Board]" = []
"""In a worker, where it says something to its parent; elsewhere empty."""


class _Board:
    """Bytes that processes share; the newest take the place of those before."""

    def __init__(self, context: SpawnContext) -> None:
        self._length: Synchronized[int] = context.Value(c_int64, 0)
        self._room = context.RawArray(c_char, _MOST_SAID)

    def write(self, data: bytes) -> None:
        """Put up something, if there is room for it and nobody is reading."""
        lock = self._length.get_lock()
        if len(data) <= _MOST_SAID and lock.acquire(timeout=_PATIENCE):
            try:
                memoryview(self._room).cast("B")[: len(data)] = data
                self._length.value = len(data)
            finally:
                lock.release()

    def read(self) -> bytes:
        """Return what is there, b"" if that is nothing or is being written."""
        lock = self._length.get_lock()
        if not lock.acquire(timeout=_PATIENCE):
            return b""
        try:
            return bytes(memoryview(self._room).cast("B")[: self._length.value])
        finally:
            lock.release()


class Workers(NamedTuple):
    """Processes at work, and how many hands they have played so far."""

    executor: Executor | None
    hands: Callable[[], int]
    stop: Callable[[], object]
    """Ends what they are at; nothing more can be asked of them."""

    said: Callable[[], bytes] = bytes
    """What one of them has said last, by `say`; b"" if nothing, or just while it is said."""


def worker_count(asked: int | None) -> int:
    """Return how many processes a command starts: so many, or one for each core; `InputError` if it cannot."""
    count = min(os.cpu_count() or 1, MOST_WORKERS) if asked is None else asked
    if not 1 <= count <= MOST_WORKERS:
        raise InputError(f"There can be 1 to {MOST_WORKERS} workers, not {count:,}.")
    return count


@contextmanager
def worker_processes(count: int, *, niceness: int = 0) -> Iterator[Workers]:
    """Start up to `MOST_WORKERS` processes and end them in the end; at once if an exception ends it.

    Of none the `executor` is None. They are so much nicer to others than this process is, where the system knows of
    that.
    """
    if not count:
        yield Workers(None, lambda: 0, lambda: None)
        return
    context = get_context("spawn")
    played: Synchronized[int] = context.Value(c_int64, 0)
    board = _Board(context)
    before = set(active_children())
    executor = ProcessPoolExecutor(count, context, _begin, (played, board, niceness))

    def stop() -> None:
        # Without cancelling futures: of cancelled ones a broken pool of Python 3.11 complains.
        for process in set(active_children()) - before:
            process.terminate()

    try:
        with _interrupts_held():
            for _ in range(count):
                executor.submit(os.getpid)  # each starts one
        yield Workers(executor, lambda: played.value, stop, board.read)
    except BaseException:
        stop()
        raise
    finally:
        executor.shutdown()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let an interrupt wait; a process started meanwhile begins without hearing of any."""
    if sys.platform == "win32":  # which has no such thing
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def count_hands(hands: int) -> None:
    """Count hands played in a worker."""
    for counter in _counters:
        with counter.get_lock():
            counter.value += hands


def say(data: bytes) -> None:
    """Say something to the parent of a worker, in the place of what was said before; no more than 2 MB."""
    for board in _boards:
        board.write(data)


def _begin(played: "Synchronized[int]", board: _Board, niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and sys.platform != "win32":
        os.nice(niceness)
    _counters.append(played)
    _boards.append(board)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
