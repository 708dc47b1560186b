"""The odds as they come in: one question at a time, started at once, paused, stopped, and run on for longer.

Probabilities become percent only in view models.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from itertools import cycle
from time import perf_counter
from typing import Literal, Protocol

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from engine.equity.checks import EquityError
from engine.equity.question import EquityQuestion
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method
from engine.equity.solve import EquitySnapshot, pooled
from trainer.charts.charts_model import FAINT_MS
from trainer.jobs import Job, Jobs

LANES = ("odds", "odds too")
"""Taken in turn, so that a new question need not wait for what the one before is just doing."""


class Solve(Protocol):
    """Yields the snapshots of a question; runs in a worker."""

    def __call__(self, question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        """Yield one snapshot after another, the last one final."""


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """One player's line of the results: percent as text, and shares 0-1 for the bar.

    `error` is the standard error of the equity, or "exact"; `win_error` and `tie_error` are empty where exact.
    """

    win: str
    tie: str
    equity: str
    error: str
    win_share: float
    equity_share: float
    stderr: float
    win_error: str = ""
    tie_error: str = ""


class RunState(Enum):
    """How far the odds of the question on screen are."""

    NOTHING = auto()
    WAITING = auto()
    RUNNING = auto()
    PAUSED = auto()
    STOPPED = auto()
    FINISHED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way; `keys` are the rows of its players."""

    question: EquityQuestion
    seed: int
    keys: tuple[int, ...]


class _Snapshots:
    """The snapshots of a question, to be resumed in the same lane only; sampling adds to the result `before`."""

    def __init__(self, solve: Solve, asked: Asked, lane: str, before: EquitySnapshot | None = None) -> None:
        self.lane = lane
        self._begin = partial(solve, asked.question, seed=asked.seed)
        self._before = before
        self._rest: Iterator[EquitySnapshot] | None = None
        self._last: EquitySnapshot | None = None
        self._left = self._idle = 0.0

    def __call__(self) -> Iterator[EquitySnapshot]:
        if self._rest is None:
            self._rest = self._begin()
        elif self._last is not None:
            self._idle += perf_counter() - self._left
            self._left = perf_counter()
            yield self._last  # the one on its way when the run was left was not delivered
        for snapshot in self._rest:
            taken = replace(snapshot, seconds=snapshot.seconds - self._idle) if self._idle else snapshot
            self._last = taken if self._before is None else pooled(self._before, taken)
            self._left = perf_counter()
            yield self._last


class OddsRun(QObject):
    """Runs one question at a time; a new one replaces the one before at once.

    `failure` is one sentence and `at_fault` its rows. `answered` is what the snapshot answers; `is_faint` says
    that it has been out of date for so long that it should look it.
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, solve: Solve) -> None:
        super().__init__()
        self._jobs = jobs
        self._solve = solve
        self.state = RunState.NOTHING
        self.failure = ""
        self.at_fault: tuple[int, ...] = ()
        self.snapshot: EquitySnapshot | None = None
        self.answered: Asked | None = None
        self.is_faint = False
        self._asked: Asked | None = None
        self._snapshots: _Snapshots | None = None
        self._runs = 0
        self._lanes = cycle(LANES)
        self._job: Job | None = None
        self._faint = QTimer(self, singleShot=True, interval=FAINT_MS)
        self._faint.timeout.connect(self._on_faint)

    @property
    def is_busy(self) -> bool:
        """Whether a run is about to start or going on."""
        return self.state in (RunState.WAITING, RunState.RUNNING)

    @property
    def is_stale(self) -> bool:
        """Whether the results shown still answer the question before the last change."""
        return self.snapshot is not None and self.answered is not self._asked

    @property
    def can_run_on(self) -> bool:
        """Whether there is more to find: the rest of a run that was left, or more deals of a sampled one."""
        if self.state is RunState.PAUSED:
            return True
        is_sampled = self.snapshot is not None and self.snapshot.method is Method.SAMPLED
        return self.state is RunState.FINISHED and is_sampled

    def ask(self, asked: Asked | None) -> None:
        """Put a question, or none; nothing happens if it is the one that was put last."""
        if asked is not None and asked == self._asked:
            return
        self._asked = asked
        if asked is not None:
            self.start()
            return
        self._leave()
        self.snapshot, self._snapshots, self.state = None, None, RunState.NOTHING
        self.changed.emit()

    def start(self) -> None:
        """Compute the question from the beginning."""
        if self._asked is None:
            return
        self._runs = 0
        self._submit(_Snapshots(self._solve, self._asked, next(self._lanes)))

    def pause(self) -> None:
        """Leave the run where it is."""
        if self.is_busy:
            self._end(RunState.PAUSED)

    def stop(self) -> None:
        """Give the run up; what is there stays, as a part of the answer."""
        if self.is_busy or self.state is RunState.PAUSED:
            self._snapshots = None
            self._end(RunState.STOPPED)

    def run_on(self) -> None:
        """Go on where the run was left; after its end, sample as many deals again."""
        if not self.can_run_on:
            return
        if self.state is RunState.FINISHED:
            asked, before = self._asked, self.snapshot
            assert asked is not None
            assert before is not None
            self._runs += 1
            question = replace(asked.question, samples=max(before.count, 2), is_exact=False)
            more = Asked(question, asked.seed + self._runs, asked.keys)
            self._snapshots = _Snapshots(self._solve, more, next(self._lanes), before)
        assert self._snapshots is not None
        self._submit(self._snapshots)

    def start_or_stop(self) -> None:
        """Give up a run that is going on, or else compute from the beginning."""
        (self.stop if self.is_busy else self.start)()

    def pause_or_go_on(self) -> None:
        """Leave a run that is going on, or else go on."""
        (self.pause if self.is_busy else self.run_on)()

    def _submit(self, snapshots: _Snapshots) -> None:
        self._leave()
        self._snapshots = snapshots
        self.failure, self.at_fault = "", ()
        self.state = RunState.WAITING
        asked = self._asked
        assert asked is not None
        self._job = self._jobs.submit(
            snapshots.lane, snapshots, partial(self._on_snapshot, asked), on_error=self._on_error, newest_wins=True
        )
        if self.is_stale:
            self._faint.start()
        self.changed.emit()

    def _end(self, state: RunState) -> None:
        if self.is_stale:
            self.snapshot = None
        self._leave()
        self.state = state
        self.changed.emit()

    def _leave(self) -> None:
        self._faint.stop()
        self.is_faint = False
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_faint(self) -> None:
        self.is_faint = True
        self.changed.emit()

    def _on_snapshot(self, asked: Asked, snapshot: EquitySnapshot) -> None:
        self._faint.stop()
        self.is_faint = False
        self.answered, self.snapshot = asked, snapshot
        self.state = RunState.FINISHED if snapshot.is_final else RunState.RUNNING
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        self._leave()
        self.snapshot, self._snapshots = None, None
        self.state = RunState.FAILED
        is_ours = isinstance(error, ValueError)
        self.failure = str(error) if is_ours else f"Something went wrong in the engine: {error}"
        if isinstance(error, EquityError) and self._asked is not None:
            self.at_fault = tuple(self._asked.keys[player] for player in error.players)
        self.changed.emit()


# ---- in words -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunControls:
    """What the buttons of a run say and whether they can be pressed, and the colour of its line of text."""

    run: str
    run_tip: str
    can_run: bool
    pause: str
    pause_tip: str
    can_pause: bool
    meaning: Literal["text", "warning", "bad"]


def run_controls(run: OddsRun) -> RunControls:
    """Say what can be done with a run."""
    is_busy, state = run.is_busy, run.state
    pause_tip = "Leave the run where it is (F6)"
    if run.can_run_on:
        is_done = state is RunState.FINISHED
        pause_tip = "Sample as many deals again (F6)" if is_done else "Go on where it was left (F6)"
    is_whole = state in (RunState.WAITING, RunState.RUNNING, RunState.FINISHED)
    return RunControls(
        run="&Cancel" if is_busy else "&Run",
        run_tip="Stop and keep what is there (Esc)" if is_busy else "Compute again (F5)",
        can_run=is_busy or state is not RunState.NOTHING,
        pause="Run o&n" if run.can_run_on else "&Pause",
        pause_tip=pause_tip,
        can_pause=is_busy or run.can_run_on,
        meaning="bad" if state is RunState.FAILED else "text" if is_whole else "warning",
    )


def format_odds(player: PlayerEquity, method: Method) -> PlayerOdds:
    """Write one player's shares 0-1 as percent, with the digits that the standard error leaves any meaning."""
    win, tie, equity, stderr = player.win, player.tie, player.equity, player.stderr
    digits = 3 if method is not Method.EXACT and 100 * stderr < 0.005 else 2
    errors = (f"±{max(100 * error, 0.001):.{digits}f}%" for error in (stderr, player.win_stderr, player.tie_stderr))
    shown, *others = ("exact", "", "") if method is Method.EXACT else errors
    texts = (f"{100 * share:.{digits}f}%" for share in (win, tie, equity))
    return PlayerOdds(next(texts), next(texts), next(texts), shown, win, equity, stderr, *others)


def format_run(snapshot: EquitySnapshot, state: RunState) -> str:
    """Write the method, the number of deals, the time and the speed in one line."""
    deals = f"{snapshot.count:,} deals"
    if snapshot.method is Method.EXACT:  # deals that differ by their suits alone are counted as one: no speed
        whole = "the one deal" if snapshot.count == 1 else f"all {deals}"
        return f"Exact: {whole} in {_seconds(snapshot.seconds)}"
    speed = f", {_speed(snapshot.count / snapshot.seconds)}" if snapshot.seconds > 0 else ""
    took = f"{_seconds(snapshot.seconds)}{speed}"
    if state is RunState.FINISHED:
        return f"Sampled: {deals} in {took}"
    done = f"{deals} sampled, {snapshot.progress:.0%} of the work done, {took}"
    begin = {RunState.STOPPED: "Partial, stopped by you", RunState.PAUSED: "Paused"}
    return f"{begin.get(state, 'So far')}: {done}"


def _seconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.01 else f"{seconds:.2f} s"


def _speed(per_second: float) -> str:
    for size, word in ((1e6, " million"), (1e3, " thousand")):
        if per_second >= size:
            return f"{per_second / size:.1f}{word} per second"
    return f"{per_second:.0f} per second"
