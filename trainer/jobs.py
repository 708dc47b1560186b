"""The only threads of the app: engine work goes in, results come out in the window's thread.

A *lane* is one daemon thread that does its jobs in order. Work is a plain function that captured all it needs;
if it returns an iterator, every item is delivered as a snapshot (each a complete answer, the last one final), at
most about thirty a second, so a fast producer cannot flood the window. A callback gets a result or an error,
never silence, except that a cancelled job says nothing more.

Daemon threads rather than QThread or QThreadPool: leaving while a kernel runs aborts the first and hangs the
second. For the same reason the executor, to which the work of one lane can hand its parts, is no
`ThreadPoolExecutor`: that joins its threads when the process ends.

Python looks for cycles of objects that nobody needs any more in whatever thread happens to allocate. In a lane that
destroyed widgets and timers far from their own thread, and the app crashed. So while there are lanes, cycles are
looked for in the window's thread alone.
"""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.equity.checks import EquityError

P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger(__name__)

_SNAPSHOT_SECONDS = 1 / 30
_COLLECT_MS = 250
_NICENESS = 10
_SWITCH_SECONDS = 0.001


_ENDED = object()
"""Delivered last, when a job will deliver nothing more."""


class _Task:
    """What a lane sees of a job: the work, and nothing that belongs to the window.

    Whoever lets go of a QObject last destroys it, and that must not be a lane; so callbacks stay with `Jobs`.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.is_cancelled = False


class Job:
    """One piece of work on its way; cancel it, or forget it."""

    def __init__(self, task: _Task, forget: Callable[[_Task], object]) -> None:
        self._task = task
        self._forget = forget

    def cancel(self) -> None:
        """Deliver nothing more; running iterators stop at their next item."""
        self._task.is_cancelled = True
        self._forget(self._task)


class _Callbacks(NamedTuple):
    lane: str
    on_result: Callable[[Any], None]
    on_error: Callable[[Exception], None] | None


class Jobs(QObject):
    """Runs work on lanes and delivers in the thread this object lives in."""

    # one sentence about a job that raised and had no error callback; the traceback is in the log
    failed = Signal(str)
    _delivered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[str, _Lane] = {}
        self._callbacks: dict[_Task, _Callbacks] = {}
        self._executor = DaemonExecutor(os.cpu_count() or 1)
        # Painting takes the interpreter lock again after every call into Qt, and each time a lane may hold it.
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._delivered.connect(self._on_delivered, Qt.ConnectionType.QueuedConnection)
        gc.disable()
        collecting = QTimer(self, interval=_COLLECT_MS)
        collecting.timeout.connect(collect_cycles)
        collecting.start()

    @property
    def executor(self) -> Executor:
        """As many threads as there are cores, for work of a lane that can be split; made when first used."""
        return self._executor

    def submit(
        self,
        lane: str,
        work: Callable[[], Any],
        on_result: Callable[[Any], None],
        *,
        on_error: Callable[[Exception], None] | None = None,
        newest_wins: bool = False,
    ) -> Job:
        """Queue work on a lane, made when first named.

        Parameters
        ----------
        work : callable
            Called in the lane's thread; must neither touch nor hold a QObject that may go before the app does. May
            return an iterator of snapshots.
        on_result, on_error : callable
            Called in this object's thread with the result or each snapshot, or with the exception; without
            `on_error`, `failed` is emitted.
        newest_wins : bool
            Cancel every earlier job of the lane.
        """
        if lane not in self._lanes:
            self._lanes[lane] = _Lane(lane, self._delivered.emit)
        if newest_wins:
            self.cancel(lane)
        task = _Task(work)
        self._callbacks[task] = _Callbacks(lane, on_result, on_error)
        self._lanes[lane].put(task)
        return Job(task, self._forget)

    def cancel(self, lane: str) -> None:
        """Cancel every job of a lane, also one whose result is on its way back."""
        if lane in self._lanes:
            self._lanes[lane].cancel_all()
        for task in [task for task, callbacks in self._callbacks.items() if callbacks.lane == lane]:
            self._forget(task)

    def is_idle(self, lane: str) -> bool:
        """Return whether a lane has nothing queued, running or on its way back."""
        return (lane not in self._lanes or self._lanes[lane].is_idle()) and not any(
            callbacks.lane == lane for callbacks in self._callbacks.values()
        )

    def is_quiet(self, *, apart_from: str) -> bool:
        """Return whether all lanes but one have nothing queued, running or on its way back."""
        return all(self.is_idle(name) for name in self._lanes if name != apart_from)

    def shutdown(self, timeout_seconds: float = 1.0) -> None:
        """Cancel everything and wait, but only so long: daemon threads end with the process."""
        for lane in self._lanes.values():
            lane.stop()  # first, for it is no failure of a job that the executor does not go on
        self._executor.shutdown(wait=False, cancel_futures=True)
        for thread in [*(lane.thread for lane in self._lanes.values()), *self._executor.threads]:
            thread.join(timeout_seconds)
        self._lanes.clear()
        self._callbacks.clear()
        gc.enable()

    def _forget(self, task: _Task) -> None:
        self._callbacks.pop(task, None)

    def _on_delivered(self, delivery: tuple[_Task, Any, Exception | None]) -> None:
        task, result, error = delivery
        callbacks = self._callbacks.get(task)
        if result is _ENDED:
            self._forget(task)
        elif callbacks is None:
            return  # cancelled on the way
        elif error is None:
            callbacks.on_result(result)
        elif callbacks.on_error is not None:
            callbacks.on_error(error)
        else:
            self.failed.emit(f"Something went wrong in the engine: {error}")


def collect_cycles() -> None:
    """Look for cycles of unneeded objects as far as Python would by itself, in the calling thread."""
    due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due):
        gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))


class _Lane:
    """One daemon thread and its queue."""

    def __init__(self, name: str, deliver: Callable[[object], None]) -> None:
        self._queue: SimpleQueue[_Task | None] = SimpleQueue()
        self._deliver = deliver
        self._pending: list[_Task] = []
        self._lock = threading.Lock()
        self.thread = threading.Thread(target=self._run, name=f"soulread-{name}", daemon=True)
        self.thread.start()

    def put(self, task: _Task) -> None:
        with self._lock:
            self._pending.append(task)
        self._queue.put(task)

    def cancel_all(self) -> None:
        with self._lock:
            for task in self._pending:
                task.is_cancelled = True

    def is_idle(self) -> bool:
        with self._lock:
            return not self._pending

    def stop(self) -> None:
        self.cancel_all()
        self._queue.put(None)

    def _run(self) -> None:
        _give_way()
        while (task := self._queue.get()) is not None:
            if not task.is_cancelled:
                self._do(task)
            with self._lock:
                self._pending.remove(task)
            self._send(task, _ENDED, None)
            del task  # waiting for the next one must not keep alive what this one held

    def _do(self, task: _Task) -> None:
        try:
            result = task.work()
            if isinstance(result, Iterator):
                self._stream(task, result)
            else:
                self._send(task, result, None)
        except Exception as error:  # whatever engine work raises reaches the window as one sentence
            if task.is_cancelled:
                return
            if isinstance(error, EquityError):  # a question without an answer, which is no fault of the program
                _log.info("Refused: %s", error)
            else:
                _log.exception("A job failed")
            self._send(task, None, error)

    def _stream(self, task: _Task, snapshots: Iterator[Any]) -> None:
        last_sent = 0.0
        held: list[Any] = []
        for snapshot in snapshots:
            if task.is_cancelled:
                return
            held = [snapshot]
            if time.monotonic() - last_sent >= _SNAPSHOT_SECONDS:
                self._send(task, held.pop(), None)
                last_sent = time.monotonic()
        for snapshot in held:
            self._send(task, snapshot, None)

    def _send(self, task: _Task, result: Any, error: Exception | None) -> None:
        if task.is_cancelled:
            return
        try:
            self._deliver((task, result, error))
        except RuntimeError:  # the receiving QObject is gone: the app is closing
            task.is_cancelled = True


class DaemonExecutor(Executor):
    """A pool of daemon threads, started when first needed: the process ends without waiting for what they do."""

    def __init__(self, most_threads: int) -> None:
        self._most = most_threads
        self.threads: list[threading.Thread] = []  # those that have started
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_shut_down = False

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Queue a call. Raise RuntimeError after `shutdown`."""
        future: Future[R] = Future()
        with self._lock:
            if self._is_shut_down:
                raise RuntimeError("The executor takes no more work: it has been shut down.")
            self._queue.put((future, lambda: fn(*args, **kwargs)))
            if len(self.threads) < self._most:
                name = f"soulread-pool-{len(self.threads)}"
                self.threads.append(threading.Thread(target=self._run, name=name, daemon=True))
                self.threads[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; finish or cancel what is queued, and wait for it only if `wait`."""
        with self._lock:
            self._is_shut_down = True
            while cancel_futures:
                try:
                    queued = self._queue.get_nowait()
                except Empty:
                    break
                if queued is not None:
                    queued[0].cancel()
            for _ in self.threads:
                self._queue.put(None)
        if wait:
            for thread in self.threads:
                thread.join()

    def _run(self) -> None:
        _give_way()
        while (queued := self._queue.get()) is not None:
            future, call = queued
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as error:  # the waiting thread gets it, whatever it is
                    future.set_exception(error)
            del queued, future, call  # waiting for the next one must not keep alive what this one held


def _give_way() -> None:
    """Let the window's thread go first; of the systems we run on only Linux gives threads their own niceness.

    With nine bots thinking on two cores it takes about a quarter off the window's longest pauses.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            window = os.getpriority(os.PRIO_PROCESS, os.getpid())  # the first thread has the number of the process
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), window + _NICENESS)


def log_uncaught(logger: logging.Logger) -> None:
    """Send what nobody caught in any thread to a log, rather than to the terminal."""

    def hook(uncaught: threading.ExceptHookArgs) -> None:
        if uncaught.exc_value is not None:
            trace = (uncaught.exc_type, uncaught.exc_value, uncaught.exc_traceback)
            logger.critical("Not caught in a thread", exc_info=trace)

    threading.excepthook = hook
