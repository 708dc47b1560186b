"""Lanes of work: who runs what, what is delivered, what a cancelled job keeps to itself.

The engine is played by small functions that block on events; no test sleeps or measures time.
"""

import gc
import logging
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from trainer import jobs as jobs_module
from trainer.jobs import DaemonExecutor, Jobs

LIMIT = 10.0  # seconds until a broken test gives up; never waited for when all is well


class Gate:
    """Engine work that reports when it has started and ends when told."""

    def __init__(self, result: object = "done") -> None:
        self.started = threading.Event()
        self.opened = threading.Event()
        self.result = result
        self.thread: threading.Thread | None = None

    def __call__(self) -> object:
        self.thread = threading.current_thread()
        self.started.set()
        assert self.opened.wait(LIMIT)
        return self.result


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    before = [thread for thread in threading.enumerate() if thread.name.startswith("soulread-")]
    made.shutdown(LIMIT)
    assert not [thread for thread in before if thread.is_alive()], "a lane outlived its shutdown"


def settle(jobs: Jobs, qtbot: QtBot, *lanes: str) -> None:
    """Wait until the lanes are empty and everything they sent was delivered."""
    qtbot.waitUntil(lambda: all(jobs.is_idle(lane) for lane in lanes))
    for lane in lanes:
        arrived: list[None] = []
        jobs.submit(lane, lambda: None, arrived.append)
        qtbot.waitUntil(lambda arrived=arrived: bool(arrived))  # type: ignore[misc]


def test_work_runs_in_the_lane_and_results_arrive_in_the_window(jobs: Jobs, qtbot: QtBot) -> None:
    seen: list[tuple[str, threading.Thread]] = []
    jobs.submit("odds", threading.current_thread, lambda t: seen.append((t.name, threading.current_thread())))
    assert seen == [], "nothing is delivered before the event loop runs"
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("soulread-odds", threading.main_thread())]


def test_a_lane_keeps_the_order_in_one_thread(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[tuple[int, int]] = []
    for number in range(5):
        jobs.submit("bots", lambda n=number: (n, threading.get_ident()), results.append)
    qtbot.waitUntil(lambda: len(results) == 5)
    assert [number for number, _ in results] == list(range(5))
    assert len({thread for _, thread in results}) == 1


def test_lanes_do_not_wait_for_each_other(jobs: Jobs, qtbot: QtBot) -> None:
    slow, results = Gate("slow"), list[object]()
    jobs.submit("bots", slow, results.append)
    assert slow.started.wait(LIMIT)
    jobs.submit("odds", lambda: "quick", results.append)
    qtbot.waitUntil(lambda: results == ["quick"])
    assert not jobs.is_idle("bots")
    slow.opened.set()
    qtbot.waitUntil(lambda: results == ["quick", "slow"])
    assert slow.thread is not None
    assert slow.thread.name == "soulread-bots"


def test_an_unknown_lane_is_idle_and_can_be_cancelled(jobs: Jobs) -> None:
    assert jobs.is_idle("nobody")
    jobs.cancel("nobody")
    assert jobs.is_idle("nobody")


def test_idle_only_after_the_running_job(jobs: Jobs, qtbot: QtBot) -> None:
    gate, results = Gate(), list[object]()
    jobs.submit("odds", gate, results.append)
    assert gate.started.wait(LIMIT)
    assert not jobs.is_idle("odds")
    gate.opened.set()
    qtbot.waitUntil(lambda: jobs.is_idle("odds"))
    assert results == ["done"]


def test_a_result_on_its_way_is_not_idle(jobs: Jobs, qtbot: QtBot) -> None:
    """A busy window has not taken it yet; who watches for a standstill must not take that for one."""
    first, results = Gate("first"), list[object]()
    jobs.submit("odds", first, results.append)
    first.opened.set()
    while not jobs._lanes["odds"].is_idle():
        pass  # the window does nothing meanwhile
    assert results == []
    assert not jobs.is_idle("odds")
    assert not jobs.is_quiet(apart_from="bot")
    qtbot.waitUntil(lambda: jobs.is_idle("odds"))
    assert results == ["first"]


def test_the_newest_wins_over_running_and_waiting_jobs(jobs: Jobs, qtbot: QtBot) -> None:
    running, waited, results = Gate("running"), list[str](), list[object]()
    jobs.submit("odds", running, results.append)
    assert running.started.wait(LIMIT)
    jobs.submit("odds", lambda: waited.append("ran"), results.append)
    jobs.submit("odds", lambda: "newest", results.append, newest_wins=True)
    running.opened.set()
    qtbot.waitUntil(lambda: bool(results))
    settle(jobs, qtbot, "odds")
    assert results == ["newest"]
    assert waited == [], "a job cancelled while waiting is never started"


def test_the_newest_wins_in_its_own_lane_only(jobs: Jobs, qtbot: QtBot) -> None:
    bot, results = Gate("bot"), list[object]()
    jobs.submit("bots", bot, results.append)
    assert bot.started.wait(LIMIT)
    jobs.submit("odds", lambda: "odds", results.append, newest_wins=True)
    bot.opened.set()
    qtbot.waitUntil(lambda: sorted(map(str, results)) == ["bot", "odds"])


def test_a_cancelled_job_says_nothing_even_when_its_result_is_under_way(jobs: Jobs, qtbot: QtBot) -> None:
    results, posted = list[object](), threading.Event()
    job = jobs.submit("odds", lambda: "late", results.append)
    jobs.submit("odds", posted.set, lambda _: None)
    assert posted.wait(LIMIT), "the lane sent the first result before it began the second job"
    job.cancel()
    settle(jobs, qtbot, "odds")
    assert results == []


@pytest.mark.parametrize("is_newer", [True, False])
def test_a_cancelled_lane_says_nothing_even_when_a_result_is_under_way(
    jobs: Jobs, qtbot: QtBot, *, is_newer: bool
) -> None:
    results, posted = list[object](), threading.Event()
    jobs.submit("odds", lambda: "late", results.append)
    jobs.submit("odds", posted.set, lambda _: None)
    assert posted.wait(LIMIT), "the lane sent the first result before it began the second job"
    if is_newer:
        jobs.submit("odds", lambda: "new", results.append, newest_wins=True)
    else:
        jobs.cancel("odds")
    settle(jobs, qtbot, "odds")
    assert results == (["new"] if is_newer else [])


def test_cancelling_a_lane_stops_an_endless_iterator(jobs: Jobs, qtbot: QtBot) -> None:
    ended = threading.Event()

    def endless() -> Iterator[int]:
        try:
            number = 0
            while True:
                number += 1
                yield number
        finally:
            ended.set()

    results: list[int] = []
    jobs.submit("odds", endless, results.append)
    qtbot.waitUntil(lambda: bool(results))
    jobs.cancel("odds")
    assert ended.wait(LIMIT), "the iterator is closed, so the engine can let go of what it holds"
    kept = list(results)
    settle(jobs, qtbot, "odds")
    assert results == kept
    assert kept == sorted(kept)


def test_snapshots_are_thinned_out_by_the_clock_but_the_last_always_arrives(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(jobs_module.time, "monotonic", lambda: clock[0])

    def snapshots() -> Iterator[int]:
        for number in range(100):
            clock[0] += 0.01  # a hundred snapshots in a second of the lane's own time
            yield number

    results: list[int] = []
    jobs.submit("odds", snapshots, results.append)
    qtbot.waitUntil(lambda: 99 in results)
    assert results[0] == 0, "the first snapshot is shown at once"
    assert results[-1] == 99
    assert results == sorted(set(results))
    # 1/30 s is passed at every fourth step of 10 ms: 25 snapshots, and the last one.
    assert len(results) == 26


def test_a_last_snapshot_that_was_sent_is_not_sent_again(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(jobs_module.time, "monotonic", lambda: clock[0])

    def slow_snapshots() -> Iterator[int]:
        for number in range(3):
            clock[0] += 1.0
            yield number

    results: list[int] = []
    jobs.submit("odds", slow_snapshots, results.append)
    qtbot.waitUntil(lambda: 2 in results)
    settle(jobs, qtbot, "odds")
    assert results == [0, 1, 2]


def test_an_iterator_without_items_delivers_nothing(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[object] = []
    jobs.submit("odds", lambda: iter(()), results.append)
    settle(jobs, qtbot, "odds")
    assert results == []


def broken() -> object:
    raise ValueError("A deck has 52 cards, not 53.")


def broken_after_one() -> Iterator[int]:
    yield 1
    raise ValueError("The second snapshot failed.")


@pytest.mark.parametrize(
    ("work", "before", "message"),
    [(broken, [], "53"), (broken_after_one, [1], "second snapshot")],
    ids=["function", "iterator"],
)
def test_errors_reach_their_own_callback_in_the_window(
    jobs: Jobs,
    qtbot: QtBot,
    caplog: pytest.LogCaptureFixture,
    work: Callable[[], object],
    before: list[int],
    message: str,
) -> None:
    results: list[object] = []
    errors: list[tuple[Exception, threading.Thread]] = []
    failures: list[str] = []
    jobs.failed.connect(failures.append)
    with caplog.at_level(logging.ERROR, "trainer.jobs"):
        jobs.submit("odds", work, results.append, on_error=lambda e: errors.append((e, threading.current_thread())))
        qtbot.waitUntil(lambda: bool(errors))
    error, thread = errors[0]
    assert isinstance(error, ValueError)
    assert message in str(error)
    assert thread is threading.main_thread()
    assert results == before
    assert failures == []
    assert caplog.records[0].exc_info, "the traceback is in the log"


def test_an_error_nobody_asked_for_is_one_sentence(
    jobs: Jobs, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    with qtbot.waitSignal(jobs.failed) as failed, caplog.at_level(logging.ERROR, "trainer.jobs"):
        jobs.submit("odds", broken, print)
    assert failed.args == ["Something went wrong in the engine: A deck has 52 cards, not 53."]


def test_a_lane_goes_on_after_an_error(jobs: Jobs, qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    results: list[object] = []
    with caplog.at_level(logging.ERROR, "trainer.jobs"):
        jobs.submit("odds", broken, results.append, on_error=lambda _: None)
        jobs.submit("odds", lambda: "next", results.append)
        qtbot.waitUntil(lambda: results == ["next"])


def test_shutdown_does_not_wait_for_a_job_that_will_not_stop(qapp: QApplication, qtbot: QtBot) -> None:
    jobs, gate, results = Jobs(), Gate(), list[object]()
    jobs.submit("bots", gate, results.append)
    assert gate.started.wait(LIMIT)
    jobs.shutdown(0.0)
    assert gate.thread is not None
    assert gate.thread.is_alive(), "shutdown gave up on it"
    assert gate.thread.daemon, "so it cannot keep the process alive"
    gate.opened.set()
    gate.thread.join(LIMIT)
    assert not gate.thread.is_alive(), "and it ends by itself when its job does"
    qapp.processEvents()
    assert results == []


def test_shutdown_drops_what_is_waiting(qapp: QApplication) -> None:
    jobs, gate, ran = Jobs(), Gate(), list[str]()
    jobs.submit("bots", gate, ran.append)
    assert gate.started.wait(LIMIT)
    jobs.submit("bots", lambda: ran.append("ran"), lambda _: ran.append("delivered"))
    jobs.shutdown(0.0)
    gate.opened.set()
    assert gate.thread is not None
    gate.thread.join(LIMIT)
    qapp.processEvents()
    assert ran == []


def test_results_for_a_window_that_is_gone_are_dropped(qapp: QApplication) -> None:
    jobs, gate, went_on = Jobs(), Gate(), threading.Event()
    results: list[object] = []
    jobs.submit("odds", gate, results.append)
    assert gate.started.wait(LIMIT)
    jobs.submit("odds", went_on.set, print)
    shiboken6.delete(jobs)
    gate.opened.set()
    assert went_on.wait(LIMIT), "the lane survived"
    qapp.processEvents()
    assert results == []
    jobs.shutdown(LIMIT)


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no niceness of their own")
def test_lanes_let_the_window_go_first(jobs: Jobs, qtbot: QtBot) -> None:
    found: list[int] = []
    jobs.submit("bots", niceness, found.append)
    qtbot.waitUntil(lambda: bool(found))
    # A thread inherits the niceness of the one that starts it, and a lane starts those of the executor.
    jobs.submit("bots", lambda: jobs.executor.submit(niceness).result(LIMIT), found.append)
    qtbot.waitUntil(lambda: len(found) == 2)
    assert found[0] > niceness()
    assert found[1] == found[0]


def test_what_nobody_caught_in_a_thread_goes_to_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    jobs_module.log_uncaught(logging.getLogger("test"))
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join(LIMIT)
    assert "Not caught in a thread" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_waiting_lane_keeps_nothing_alive(jobs: Jobs, qtbot: QtBot) -> None:
    class Held:
        def __call__(self, _result: object = None) -> None:
            pass

    held = Held()
    gone = weakref.ref(held)
    jobs.submit("bots", lambda: None, held)
    settle(jobs, qtbot, "bots")
    del held
    qtbot.waitUntil(lambda: gone() is None)


def test_a_cancelled_job_lets_go_of_its_callback_at_once(jobs: Jobs) -> None:
    gate = Gate()

    class Held:
        def __call__(self, _result: object) -> None:
            pass

    held = Held()
    gone = weakref.ref(held)
    job = jobs.submit("bots", gate, held)
    assert gate.started.wait(LIMIT)
    del held
    assert gone() is not None
    job.cancel()
    assert gone() is None, "not when the lane is done with it: that would be in another thread"
    gate.opened.set()


def test_work_of_a_lane_can_be_split_over_the_executor(jobs: Jobs, qtbot: QtBot) -> None:
    results: list[list[int]] = []
    jobs.submit("odds", lambda: list(jobs.executor.map(abs, [-1, 2, -3])), results.append)
    qtbot.waitUntil(lambda: bool(results))
    assert results == [[1, 2, 3]]


def test_the_executors_threads_are_few_daemons_that_give_way() -> None:
    pool = DaemonExecutor(2)
    gates = [Gate(number) for number in range(3)]
    futures = [pool.submit(gate) for gate in gates]
    assert all(gate.started.wait(LIMIT) for gate in gates[:2])
    assert not gates[2].started.is_set()
    for gate in gates:
        gate.opened.set()
    assert [future.result(LIMIT) for future in futures] == [0, 1, 2]
    threads = {gate.thread for gate in gates}
    assert len(threads) == 2
    assert all(thread is not None and thread.daemon for thread in threads)
    if sys.platform == "linux":
        assert pool.submit(niceness).result(LIMIT) > niceness()
    pool.shutdown()
    assert not any(thread is not None and thread.is_alive() for thread in threads)


def test_an_error_in_the_executor_reaches_who_waits_for_it() -> None:
    pool = DaemonExecutor(1)
    future: Future[float] = pool.submit(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        future.result(LIMIT)
    assert pool.submit(int, "7").result(LIMIT) == 7
    pool.shutdown()


def test_a_shut_down_executor_cancels_what_waits_and_takes_nothing_more() -> None:
    pool = DaemonExecutor(1)
    running, waiting = Gate("first"), Gate("second")
    first, second = pool.submit(running), pool.submit(waiting)
    assert running.started.wait(LIMIT)
    pool.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(CancelledError):
        second.result(LIMIT)
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(int)
    running.opened.set()
    assert first.result(LIMIT) == "first"
    pool.shutdown()
    assert not waiting.started.is_set()


def test_shutdown_wakes_a_lane_that_waits_for_the_executor(
    qapp: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Jobs()
    gates = [Gate() for _ in range(1 + (os.cpu_count() or 1))]
    jobs.submit("odds", lambda: list(jobs.executor.map(lambda gate: gate(), gates)), print)
    assert all(gate.started.wait(LIMIT) for gate in gates[:-1])
    lane = next(thread for thread in threading.enumerate() if thread.name == "soulread-odds")
    jobs.shutdown(0.0)
    for gate in gates:
        gate.opened.set()
    lane.join(LIMIT)
    assert not lane.is_alive()
    assert not gates[-1].started.is_set()
    assert not caplog.records, "a job that was cancelled has not failed"


class Cycle:
    """Holds itself, and tells in which thread it goes."""

    def __init__(self, gone_in: list[threading.Thread]) -> None:
        self.me = self
        self.gone_in = gone_in

    def __del__(self) -> None:
        self.gone_in.append(threading.current_thread())


def test_cycles_are_looked_for_in_the_windows_thread_alone(jobs: Jobs, qtbot: QtBot) -> None:
    gone_in: list[threading.Thread] = []
    Cycle(gone_in)

    def allocate() -> list[list[int]]:
        """As much as would make Python look for cycles many times over."""
        return [[number] for number in range(100 * gc.get_threshold()[0])]

    arrived: list[list[list[int]]] = []
    jobs.submit("bots", allocate, arrived.append)
    qtbot.waitUntil(lambda: bool(arrived))
    assert gone_in in ([], [threading.main_thread()])
    qtbot.waitUntil(lambda: bool(gone_in), timeout=int(1000 * LIMIT))
    assert gone_in == [threading.main_thread()]


def test_python_looks_for_cycles_by_itself_again_after_a_shutdown(qapp: QApplication) -> None:
    made = Jobs()
    assert not gc.isenabled()
    made.shutdown(LIMIT)
    assert gc.isenabled()
