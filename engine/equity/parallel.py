"""Long work in short tasks that an executor may share out; the answer is the same however that is done.

What is counted or sampled at length is cut into *tasks*: calls of top-level functions with arrays and numbers, so
that they can be sent to another process or machine. How the work is cut depends on the question alone, a task that
draws at random has a stream of its own (`engine.kernels.rng.new_stream(seed, chunk)`), and results are added up in
the order of the tasks. So neither the number of workers nor the order in which they finish changes a bit of it.

The engine starts no thread. Who wants several cores hands in a `concurrent.futures.Executor`: of threads (kernels
release the interpreter lock), of processes, or of another package's machines.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from itertools import chain, islice
from typing import Final, TypeAlias, TypeVar

from engine.equity.checks import EquityError

Result = TypeVar("Result")

Task: TypeAlias = Callable[[], Result]
"""A piece of work of 10 to 20 ms: a `functools.partial` of a top-level function, arrays and numbers."""

MOST_PENDING: Final = 128
"""Tasks handed to an executor and not yet taken back: enough for so many workers, and soon cancelled."""


def check_executor(executor: object) -> None:
    """Raise an `EquityError` unless it is a `concurrent.futures.Executor` or None."""
    if executor is not None and not isinstance(executor, Executor):
        raise EquityError(f"Work is shared out by a concurrent.futures.Executor, not by {executor!r}.")


def results_in_order(tasks: Iterable[Task[Result]], executor: Executor | None = None) -> Iterator[Result]:
    """Do tasks, taken as they are needed, and return their results in the order of the tasks.

    An executor works at most `MOST_PENDING` ahead; one of processes needs tasks that can be pickled. Without one,
    or with a single task, each is done in the calling thread when its result is asked for. Closing the iterator
    cancels what has not begun.

    Raises
    ------
    EquityError
        If the executor has been shut down.
    Exception
        Whatever a task raises, in its turn; the tasks after it are cancelled.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from functools import partial
    >>> with ThreadPoolExecutor(2) as executor:
    ...     list(results_in_order([partial(pow, 2, i) for i in range(5)], executor))
    [1, 2, 4, 8, 16]
    """
    waiting = iter(tasks)
    first = list(islice(waiting, 2))
    if executor is None or len(first) < 2:
        for task in chain(first, waiting):
            yield task()
        return
    pending: deque[Future[Result]] = deque()
    waiting = chain(first, waiting)
    try:
        while True:
            pending.extend(_submit(executor, task) for task in islice(waiting, MOST_PENDING - len(pending)))
            if not pending:
                return
            yield _result(pending.popleft())
    finally:
        for future in pending:
            future.cancel()


def steps(
    tasks: Sequence[Task[Result]], add: Callable[[Result], None], executor: Executor | None
) -> Iterator[float]:
    """Do tasks and add up their results, in the order of the tasks; returns the part done, 0 to 1, after each."""
    for done, result in enumerate(results_in_order(tasks, executor), 1):
        add(result)
        yield done / len(tasks)


def _submit(executor: Executor, task: Task[Result]) -> Future[Result]:
    try:
        return executor.submit(task)
    except BrokenExecutor:
        raise
    except RuntimeError as error:  # what every executor of the standard library says after its shutdown
        raise EquityError("The executor takes no work, it has been shut down.") from error


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except CancelledError as error:
        raise EquityError("The executor was shut down before the work was done.") from error
