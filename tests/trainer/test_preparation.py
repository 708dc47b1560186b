"""What is prepared in the background: when, in what order, and what the window says meanwhile."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.equity import matchups
from engine.kernels import cache
from trainer import preparation
from trainer.jobs import Jobs
from trainer.preparation import LANE, Preparation

LIMIT = 10.0


class Steps:
    """Work that records its steps, and waits for a gate before the last one."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.gate = threading.Event()

    def __call__(self) -> Iterator[str]:
        for name in ("first", "second"):
            yield name
            self.taken.append(name)
        yield "last"
        assert self.gate.wait(LIMIT)
        self.taken.append("last")


def test_what_takes_a_moment_is_said(jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "_QUIET_MILLISECONDS", 0)
    steps, said = Steps(), list[str]()
    work = Preparation(jobs, steps=steps)
    work.progressed.connect(said.append)
    work.start()
    qtbot.waitUntil(lambda: bool(said) and said[-1] == "last")
    with qtbot.waitSignal(work.finished):
        steps.gate.set()
    assert said[-1] == ""
    assert steps.taken == ["first", "second", "last"]


def test_what_is_done_at_once_is_not_mentioned(jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "_QUIET_MILLISECONDS", 3_600_000)
    steps, said = Steps(), list[str]()
    steps.gate.set()
    work = Preparation(jobs, steps=steps)
    work.progressed.connect(said.append)
    with qtbot.waitSignal(work.finished):
        work.start()
    assert said == []


def test_it_waits_while_others_work(jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "_RETRY_MILLISECONDS", 0)
    steps, busy, waited = Steps(), threading.Event(), list[object]()
    steps.gate.set()
    jobs.submit("odds", lambda: busy.wait(LIMIT), waited.append)
    work = Preparation(jobs, steps=steps)
    work.start()
    for _ in range(20):
        QApplication.processEvents()
    assert jobs.is_idle(LANE)
    assert steps.taken == []
    with qtbot.waitSignal(work.finished):
        busy.set()
    assert waited == [True]
    assert steps.taken == ["first", "second", "last"]


def test_stopped_it_takes_no_further_step(jobs: Jobs, qtbot: QtBot) -> None:
    steps = Steps()
    work = Preparation(jobs, steps=steps)
    work.start()
    qtbot.waitUntil(lambda: len(steps.taken) == 2)
    work.stop()
    steps.gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE))
    QApplication.processEvents()
    assert jobs.is_idle(LANE), "nothing was queued after the step that was running"


def test_a_failure_ends_it_without_a_word(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(preparation, "_QUIET_MILLISECONDS", 3_600_000)

    def failing() -> Iterator[str]:
        yield "first"
        raise MemoryError("no room")

    said: list[str] = []
    work = Preparation(jobs, steps=failing)
    work.progressed.connect(said.append)
    with qtbot.waitSignal(work.finished):
        work.start()
    assert said == []
    assert "no room" in caplog.text


def test_an_interrupted_table_leaves_nothing_behind(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(matchups, "_table", None)
    steps = preparation.preparation_steps()
    said = [next(text for text in steps if "table" in text) for _ in range(3)]
    steps.close()
    assert said[1] != said[2]
    assert not matchups.is_ready()
    assert not list(tmp_path.glob("matchups*.npz"))
    assert not list(tmp_path.glob("*.tmp"))


def test_the_table_and_the_later_kernels_are_prepared(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchups, "_table", None)
    said = list(preparation.preparation_steps())
    assert matchups.is_ready()
    assert any("later" in text for text in said)
