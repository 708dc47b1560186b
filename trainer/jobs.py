"""The only threads of the app: engine work goes in, results come out in the window's thread.

A *lane* is one daemon thread that does its jobs in order. Work is a plain function that captured all it needs;
if it returns an iterator, every item is delivered as a snapshot (each a complete answer, the last one final), at
most about thirty a second, so a fast producer cannot flood the window. A callback gets a result or an error,
never silence, except that a cancelled job says nothing more.

Daemon threads rather than QThread or QThreadPool: leaving while a kernel runs aborts the first and hangs the
second.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

_log = logging.getLogger(__name__)

_SNAPSHOT_SECONDS = 1 / 30
_NICENESS = 10
_SWITCH_SECONDS = 0.001


def _ignore(_result: object) -> None:
    pass


class Job:
    """One piece of work on its way; cancel it, or forget it."""

    def __init__(
        self,
        work: Callable[[], Any],
        on_result: Callable[[Any], None],
        on_error: Callable[[Exception], None] | None,
    ) -> None:
        self.work = work
        self.on_result = on_result
        self.on_error = on_error
        self.is_cancelled = False

    def cancel(self) -> None:
        """Deliver nothing more; running iterators stop at their next item."""
        self.is_cancelled = True
        # The lane may keep this job a while longer, but must not be the one to let go of a window's object.
        self.on_result, self.on_error = _ignore, None


class Jobs(QObject):
    """Runs work on lanes and delivers in the thread this object lives in.

    Signals
    -------
    failed : str
        One sentence about a job that raised and had no error callback; the traceback is in the log.
    """

    failed = Signal(str)
    _delivered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[str, _Lane] = {}
        # Painting takes the interpreter lock again after every call into Qt, and each time a lane may hold it.
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._delivered.connect(self._on_delivered, Qt.ConnectionType.QueuedConnection)

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
        lane : str
        work : callable
            Called without arguments in the lane's thread; must not touch Qt. May return an iterator of snapshots.
        on_result : callable
            Called with the result, or with each snapshot, in this object's thread.
        on_error : callable, optional
            Called with the exception in this object's thread; without it `failed` is emitted.
        newest_wins : bool
            Cancel every earlier job of the lane.

        Returns
        -------
        Job
        """
        if lane not in self._lanes:
            self._lanes[lane] = _Lane(lane, self._delivered.emit)
        job = Job(work, on_result, on_error)
        self._lanes[lane].put(job, newest_wins)
        return job

    def cancel(self, lane: str) -> None:
        """Cancel every job of a lane."""
        if lane in self._lanes:
            self._lanes[lane].cancel_all()

    def is_idle(self, lane: str) -> bool:
        """Tell whether a lane has nothing queued or running."""
        return lane not in self._lanes or self._lanes[lane].is_idle()

    def shutdown(self, timeout_seconds: float = 1.0) -> None:
        """Cancel everything and wait, but not for longer than told: daemon threads end with the process."""
        for lane in self._lanes.values():
            lane.stop()
        for lane in self._lanes.values():
            lane.thread.join(timeout_seconds)
        self._lanes.clear()

    def _on_delivered(self, delivery: tuple[Job, Any, Exception | None]) -> None:
        job, result, error = delivery
        if job.is_cancelled:
            return
        if error is None:
            job.on_result(result)
        elif job.on_error is not None:
            job.on_error(error)
        else:
            self.failed.emit(f"Something went wrong in the engine: {error}")


class _Lane:
    """One daemon thread and its queue."""

    def __init__(self, name: str, deliver: Callable[[object], None]) -> None:
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._deliver = deliver
        self._pending: list[Job] = []
        self._lock = threading.Lock()
        self.thread = threading.Thread(target=self._run, name=f"soulread-{name}", daemon=True)
        self.thread.start()

    def put(self, job: Job, newest_wins: bool) -> None:
        with self._lock:
            if newest_wins:
                for earlier in self._pending:
                    earlier.cancel()
            self._pending.append(job)
        self._queue.put(job)

    def cancel_all(self) -> None:
        with self._lock:
            for job in self._pending:
                job.cancel()

    def is_idle(self) -> bool:
        with self._lock:
            return not self._pending

    def stop(self) -> None:
        self.cancel_all()
        self._queue.put(None)

    def _run(self) -> None:
        _give_way()
        while (job := self._queue.get()) is not None:
            if not job.is_cancelled:
                self._do(job)
            with self._lock:
                self._pending.remove(job)
            del job  # waiting for the next one must not keep alive what this one held

    def _do(self, job: Job) -> None:
        try:
            result = job.work()
            if isinstance(result, Iterator):
                self._stream(job, result)
            else:
                self._send(job, result, None)
        except Exception as error:  # whatever engine work raises reaches the window as one sentence
            _log.exception("A job failed")
            self._send(job, None, error)

    def _stream(self, job: Job, snapshots: Iterator[Any]) -> None:
        last_sent = 0.0
        held: list[Any] = []
        for snapshot in snapshots:
            if job.is_cancelled:
                return
            held = [snapshot]
            if time.monotonic() - last_sent >= _SNAPSHOT_SECONDS:
                self._send(job, held.pop(), None)
                last_sent = time.monotonic()
        for snapshot in held:
            self._send(job, snapshot, None)

    def _send(self, job: Job, result: Any, error: Exception | None) -> None:
        if job.is_cancelled:
            return
        try:
            self._deliver((job, result, error))
        except RuntimeError:  # the receiving QObject is gone: the app is closing
            job.cancel()


def _give_way() -> None:
    """Let the window's thread go first; of the systems we run on only Linux gives threads their own niceness.

    With nine bots thinking on two cores it takes about a quarter off the window's longest pauses.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def log_uncaught(logger: logging.Logger) -> None:
    """Send what nobody caught in any thread to a log, rather than to the terminal."""

    def hook(uncaught: threading.ExceptHookArgs) -> None:
        if uncaught.exc_value is not None:
            trace = (uncaught.exc_type, uncaught.exc_value, uncaught.exc_traceback)
            logger.critical("Not caught in a thread", exc_info=trace)

    threading.excepthook = hook
