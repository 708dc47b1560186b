"""Work shared out over executors: the same bits whoever does it, and an end to it when nobody wants it any more."""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import pytest

from engine.equity.checks import EquityError
from engine.equity.parallel import MOST_PENDING, check_executor, results_in_order, steps
from engine.equity.question import EquityQuestion
from engine.equity.snapshot import Method
from engine.equity.solve import EquitySnapshot, solve
from tests.reference.questions import R25, ask

LIMIT = 10.0  # seconds until a broken test gives up; never waited for when all is well


class Recorder(Executor):
    """Keeps what is submitted and does the newest first when a result is asked for."""

    def __init__(self) -> None:
        self.futures: list[Future[object]] = []
        self.tasks: list[Callable[[], object]] = []

    def submit(self, task, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        self.futures.append(future)
        self.tasks.append(partial(task, *args, **kwargs))
        if len(self.futures) == 6:
            for newest in reversed(range(6)):
                self.futures[newest].set_result(self.tasks[newest]())
        return future


def test_results_come_in_the_order_of_the_tasks_whatever_is_done_first() -> None:
    recorder = Recorder()
    done: list[int] = []

    def task(number: int) -> int:
        done.append(number)
        return number * number

    tasks = [partial(task, number) for number in range(6)]
    assert list(results_in_order(tasks, recorder)) == [0, 1, 4, 9, 16, 25]
    assert done == [5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize("count", [0, 1, 2, 3 * MOST_PENDING])
def test_every_task_is_done_once(count: int) -> None:
    tasks = [partial(divmod, number, 7) for number in range(count)]
    expected = [divmod(number, 7) for number in range(count)]
    assert list(results_in_order(iter(tasks))) == expected
    with ThreadPoolExecutor(3) as executor:
        assert list(results_in_order(iter(tasks), executor)) == expected


def test_without_an_executor_the_calling_thread_works_when_asked() -> None:
    seen: list[int] = []
    results = results_in_order([partial(seen.append, number) for number in range(3)])
    assert seen == []
    next(results)
    assert seen == [0]


def test_one_task_alone_stays_in_the_calling_thread() -> None:
    with ThreadPoolExecutor(1) as executor:
        [thread] = results_in_order([threading.current_thread], executor)
    assert thread is threading.current_thread()


def test_no_more_is_handed_over_than_can_soon_be_taken_back() -> None:
    opened = threading.Event()
    started = threading.Semaphore(0)
    begun: list[int] = []

    def task(number: int) -> int:
        begun.append(number)
        started.release()
        assert opened.wait(LIMIT)
        return number

    taken: list[int] = []

    def tasks() -> Iterator[Callable[[], int]]:
        for number in range(10 * MOST_PENDING):
            taken.append(number)
            yield (lambda: -1) if number == 0 else partial(task, number)

    with ThreadPoolExecutor(2) as executor:
        results = results_in_order(tasks(), executor)
        assert next(results) == -1
        for _ in range(2):
            assert started.acquire(timeout=LIMIT)
        results.close()  # type: ignore[attr-defined]
        opened.set()
    # The executor is shut down, so all that was not cancelled has been done: one task for each worker.
    assert sorted(begun) == [1, 2]
    assert len(taken) == MOST_PENDING


def test_an_error_comes_in_its_turn_and_cancels_the_rest() -> None:
    def fail() -> int:
        raise ZeroDivisionError("three")

    opened = threading.Event()
    done: list[int] = []

    def wait(number: int) -> int:
        assert opened.wait(LIMIT)
        done.append(number)
        return number

    tasks = [lambda: 1, lambda: 2, fail, partial(wait, 4), *(partial(wait, number) for number in range(5, 50))]
    with ThreadPoolExecutor(1) as executor:
        results = results_in_order(tasks, executor)
        assert [next(results), next(results)] == [1, 2]
        with pytest.raises(ZeroDivisionError, match="three"):
            next(results)
        opened.set()
    assert len(done) <= 1


def test_an_executor_that_is_shut_down_says_so() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(EquityError, match=r"^The executor takes no work, it has been shut down\.$"):
        list(results_in_order([int, int], executor))


def test_work_cancelled_by_a_shutdown_says_so() -> None:
    opened, started = threading.Event(), threading.Event()

    def wait() -> int:
        started.set()
        assert opened.wait(LIMIT)
        return 0

    executor = ThreadPoolExecutor(1)
    results = results_in_order([int, wait, wait, wait], executor)
    next(results)
    assert started.wait(LIMIT)
    executor.shutdown(wait=False, cancel_futures=True)
    opened.set()
    assert next(results) == 0
    with pytest.raises(EquityError, match=r"^The executor was shut down before the work was done\.$"):
        next(results)


def test_steps_add_in_order_and_say_how_far_they_are() -> None:
    added: list[int] = []
    assert list(steps([lambda: 5, lambda: 6, lambda: 7, lambda: 8], added.append, None)) == [0.25, 0.5, 0.75, 1]
    assert added == [5, 6, 7, 8]


@pytest.mark.parametrize("executor", [4, ThreadPoolExecutor, object()])
def test_only_executors_share_out_work(executor: object) -> None:
    with pytest.raises(EquityError, match=r"^Work is shared out by a concurrent\.futures\.Executor, not by "):
        check_executor(executor)
    with pytest.raises(EquityError, match="not by"):
        solve(ask("AA", "KK"), executor=executor)  # type: ignore[arg-type]


# ---- equity: the same answer whoever computes it

QUESTIONS = {
    "sampled": ask("AhKh", *[R25] * 5, samples=700_000),
    "listed": ask("AA", "AK,AQ", "KK", "KQ", "QQ,JJ", "TT", "TT", "AJ,KJ", samples=300_000),
    "in turn": ask(*["22+,A2s+"] * 9, samples=20_000),
    "three on a flop": ask("A8s+,A9o+:0.5,KT+", "66+:0.3,A2s+,KT+", "22+,A8+:0.7,KT+,QT+", board="Js7s2h"),
    "before the flop": ask("AhKh", "QQ+:0.3", "22:0.7,33-99,JTs,T9o"),
}


def answers(question: EquityQuestion, executor: Executor | None) -> list[EquitySnapshot]:
    return list(solve(question, seed=6, executor=executor))


@pytest.fixture(scope="module", params=QUESTIONS)
def question(request: pytest.FixtureRequest) -> EquityQuestion:
    return QUESTIONS[request.param]


@pytest.fixture(scope="module")
def inline(question: EquityQuestion) -> list[EquitySnapshot]:
    found = answers(question, None)
    assert len(found) > 1
    return found


def same(found: list[EquitySnapshot], expected: list[EquitySnapshot]) -> bool:
    """Whether every snapshot is the same to the last bit, times apart."""
    return [(s.value, s.count, s.progress, s.method, s.is_final) for s in found] == [
        (s.value, s.count, s.progress, s.method, s.is_final) for s in expected
    ]


@pytest.mark.every(4)
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_threads_change_nothing(question: EquityQuestion, inline: list[EquitySnapshot], workers: int) -> None:
    with ThreadPoolExecutor(workers) as executor:
        assert same(answers(question, executor), inline)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.mark.slow
def test_processes_change_nothing(
    question: EquityQuestion, inline: list[EquitySnapshot], processes: ProcessPoolExecutor
) -> None:
    assert same(answers(question, processes), inline)


@pytest.mark.parametrize("hands", [("AhKh", R25, R25), ("random", "AA", "22+,A2s+")])
def test_what_is_no_longer_wanted_is_cancelled(hands: tuple[str, ...]) -> None:
    recorder = HeldExecutor()
    snapshots = solve(ask(*hands, samples=10**9), executor=recorder)
    assert next(snapshots).method is Method.SAMPLED
    assert not recorder.futures  # the first chunk is the calling thread's own
    next(snapshots)
    assert 1 < len(recorder.futures) <= MOST_PENDING + 1
    snapshots.close()  # type: ignore[attr-defined]
    assert all(future.cancelled() for future in recorder.futures[1:])


class HeldExecutor(Executor):
    """Does the first task at once and leaves all others waiting."""

    def __init__(self) -> None:
        self.futures: list[Future[object]] = []

    def submit(self, task, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        if not self.futures:
            future.set_result(task(*args, **kwargs))
        self.futures.append(future)
        return future
