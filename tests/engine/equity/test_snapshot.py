"""The driver of all calculations: what is known after each step, and the end."""

from collections.abc import Callable

import pytest

from engine.equity.checks import EquityError
from engine.equity.snapshot import Known, Method, Snapshot, Steps, snapshots


class Work:
    """Counts to a number, one a step."""

    def __init__(self, end: int, begins_at: int = 1) -> None:
        self.count, self.end, self.begins_at = 0, end, begins_at
        self.is_closed = False

    def steps(self) -> Steps:
        try:
            while self.count < self.end:
                self.count += 1
                yield self.count / self.end
        finally:
            self.is_closed = True

    def known(self) -> Known[int] | None:
        return Known(10 * self.count, Method.SAMPLED, self.count) if self.count >= self.begins_at else None


def exactly(value: int) -> Callable[[], Known[int]]:
    return lambda: Known(value, Method.EXACT, 7)


def told(answers: list[Snapshot[int]]) -> list[tuple[object, ...]]:
    return [(each.value, each.method, each.count, each.is_final, each.progress) for each in answers]


def test_each_step_tells_what_is_known_and_the_last_is_final() -> None:
    work = Work(4, begins_at=2)
    found = list(snapshots(work.steps(), work.known, work.known))
    assert told(found) == [
        (20, Method.SAMPLED, 2, False, 0.5),
        (30, Method.SAMPLED, 3, False, 0.75),
        (40, Method.SAMPLED, 4, True, 1.0),
    ]
    assert [each.seconds for each in found] == sorted(each.seconds for each in found)


def test_a_preview_is_told_until_the_end() -> None:
    work = Work(2)
    found = list(snapshots(work.steps(), exactly(5), lambda: Known(4, Method.SAMPLED, 1)))
    assert told(found) == [(4, Method.SAMPLED, 1, False, 0.5), (5, Method.EXACT, 7, True, 1.0)]


def test_without_anything_known_the_end_comes_alone() -> None:
    assert told(list(snapshots(Work(3).steps(), exactly(5)))) == [(5, Method.EXACT, 7, True, 1.0)]


def test_nothing_is_done_before_the_first_snapshot_is_asked_for_and_nothing_after_the_last() -> None:
    work = Work(4)
    answers = snapshots(work.steps(), work.known, work.known)
    assert work.count == 0
    next(answers)
    answers.close()
    assert (work.count, work.is_closed) == (1, True)


def test_work_that_finds_nothing_is_an_error() -> None:
    work = Work(2, begins_at=3)
    with pytest.raises(EquityError, match="No way was found"):
        list(snapshots(work.steps(), work.known, work.known))
