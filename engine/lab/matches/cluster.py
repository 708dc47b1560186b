"""Matches on an existing Dask cluster: the same tasks, and so the same results, as in processes of our own.

A worker that dies is no loss: the scheduler gives its tasks to another. Workers must have the same sources as this
process, or their players might play otherwise.
"""

import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, TypeVar

from engine.foreign_text import shortened
from engine.lab.matches import workers
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.workers import Workers

_ADDRESS = re.compile(r"dask://(?P<host>[^/\s:]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})")
_SECONDS_OF_CONNECTING: Final = 10
_SECONDS_OF_LEAVING: Final = 2

_T = TypeVar("_T")


class ClusterError(ValueError):
    """A cluster that cannot be played on; the message names it and says why."""


class ClusterLost(BrokenExecutor):
    """A cluster that cannot be played on any more; the message says why."""


def check_address(text: str) -> str:
    """Return the address of a scheduler as Dask has it, from `dask://HOST:PORT`.

    Raises
    ------
    ClusterError
        If it is none.

    Examples
    --------
    >>> check_address("dask://localhost:8786")
    'tcp://localhost:8786'
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise ClusterError(f"--executor takes dask://HOST:PORT, not '{shortened(text)}'.")
    return f"tcp://{found['host']}:{found['port']}"


@contextmanager
def cluster_workers(text: str) -> Iterator[Workers]:
    """Join a running cluster by its scheduler's address, `dask://HOST:PORT`, and leave it in the end.

    Raises
    ------
    ClusterError
        If the address is none, Dask is not installed or the scheduler does not answer.
    """
    address = check_address(text)
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("Playing on a Dask cluster needs dask: pip install 'soulread[dask]'.") from None
    for name in ("distributed", "distributed.client", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a scheduler that is gone is one sentence of ours
    try:
        client = Client(address, timeout=_SECONDS_OF_CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"No Dask scheduler answers at {text}.") from error
    try:
        yield Workers(_Cluster(client.get_executor(pure=False)), lambda: 0, lambda: None)
    finally:
        client.close(timeout=_SECONDS_OF_LEAVING)  # which forgets all that was not finished


def workers_of(address: str | None, count: int) -> AbstractContextManager[Workers]:
    """Return who plays: a cluster by its address, so many processes, or nobody where nothing is to be played."""
    return workers.worker_processes(count) if address is None or not count else cluster_workers(address)


class _Cluster(Executor):
    """Gives tasks to a cluster; what breaks there is a `ClusterLost`."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, task: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        ours: Future[_T] = Future()
        try:
            theirs = self._executor.submit(_with_same_sources, sources_of_play(), task, *args, **kwargs)
        except Exception as error:
            ours.set_exception(_lost(error))
            return ours
        theirs.add_done_callback(lambda done: _hand_over(done, ours))
        return ours


def _with_same_sources(sources: str, task: Callable[..., _T], *args: Any, **kwargs: Any) -> _T:
    """Do a task on a worker."""
    if (here := sources_of_play()) != sources:
        raise ClusterLost(f"A worker of the cluster has another version of Soulread ({here}, this is {sources}).")
    return task(*args, **kwargs)


def _hand_over(theirs: Future[_T], ours: Future[_T]) -> None:
    if theirs.cancelled():
        ours.set_exception(ClusterLost("The connection to the Dask scheduler is lost."))
    elif (error := theirs.exception()) is None:
        ours.set_result(theirs.result())
    else:
        ours.set_exception(_lost(error))


def _lost(error: BaseException) -> BaseException:
    """Return what a failure on the cluster is to us: an error of the task's own stays what it is."""
    if isinstance(error, ImportError):
        return ClusterLost(f"A worker of the cluster lacks something of Soulread: {shortened(str(error))}.")
    if type(error).__name__ == "KilledWorker":
        return ClusterLost("Workers of the cluster have died again and again over the same match.")
    if isinstance(error, OSError) or type(error).__module__.startswith(("distributed", "tornado")):
        return ClusterLost("The connection to the Dask scheduler is lost.")
    return error
