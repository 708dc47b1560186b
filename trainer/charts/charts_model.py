"""The charts of the odds window: which one is on screen, and what the engine has to compute for it.

Only that chart is computed, in a lane of its own, so that it never delays the odds. Answers are kept until the next
question; until its new answer comes, a chart shows the last one, marked as out of date.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import msgspec
import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.cards import BOARD_SIZE, Card, Street, card_symbols
from engine.equity.board_hits import HitRow, board_hits
from engine.equity.category_odds import CategoryOdds, category_odds
from engine.equity.next_cards import NextCards, next_cards
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import RangeEquities, range_equities
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot, equity_by_street
from trainer.charts.chart_values import (
    BoardView,
    CategoriesView,
    Chart,
    ChartView,
    GraphView,
    HeatView,
    NextCardView,
    StreetsView,
    blockers_of,
)
from trainer.jobs import Job, Jobs

LANE = "odds-charts"
FAINT_MS = 120
"""A chart of the question before stays as it is for so long: most new ones are there by then."""

COMPUTING = "Computing …"
_NOTHING_ASKED = "Enter the hands or ranges of at least two players."


def every_hit(question: EquityQuestion) -> Iterator[Snapshot[tuple[tuple[HitRow, ...], ...]]]:
    """Yield how each player's range hits the board; rows without a combo are left out."""
    hits = tuple(
        tuple(hit for hit in board_hits(hands, question.board, _unseen(question, player)) if hit.combos > 0)
        for player, hands in enumerate(question.players)
    )
    yield Snapshot(hits, Method.EXACT, 0, 0.0, True, 1.0)


def _unseen(question: EquityQuestion, player: int) -> tuple[Card, ...]:
    return tuple(card for card in blockers_of(question, player) if card not in question.board)


@dataclass(frozen=True, slots=True)
class ChartEngine:
    """What computes: functions of a question that yield snapshots."""

    next_cards: Callable[[EquityQuestion], Iterator[Snapshot[NextCards]]]
    category_odds: Callable[[EquityQuestion], Iterator[Snapshot[tuple[CategoryOdds, ...]]]]
    hits: Callable[[EquityQuestion], Iterator[Snapshot[tuple[tuple[HitRow, ...], ...]]]]
    range_equities: Callable[[EquityQuestion], Iterator[Snapshot[RangeEquities]]]
    streets: Callable[[EquityQuestion], Iterator[Snapshot[tuple[EquitySnapshot, ...]]]]


_ENGINE = ChartEngine(next_cards, category_odds, every_hit, range_equities, equity_by_street)

_VIEWS = {view.chart: view for view in (NextCardView, CategoriesView, BoardView, GraphView, HeatView, StreetsView)}

_Key = tuple[str, Card | None]  # which function of the engine, and after which card
_NEXT_CARDS = NextCardView.source
V = TypeVar("V", bound=ChartView)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the engine said, and to which question."""

    question: EquityQuestion
    result: Snapshot[Any]


@dataclass(frozen=True, slots=True)
class ChartStatus:
    """What is said about a chart: `message` in its place, `note` below it; `is_faint` if long out of date."""

    message: str
    note: str
    is_faint: bool


class ChartsModel(QObject):
    """Holds the question, the chart on screen and the player it shows, and has it computed.

    `chosen` is None until a player is chosen, see `player_of`; `given` is the turn card whose rivers a flop shows.
    """

    changed = Signal(object)  # Chart
    players_changed = Signal()

    def __init__(self, jobs: Jobs, engine: ChartEngine | None = None) -> None:
        super().__init__()
        self._jobs = jobs
        self._engine = engine or _ENGINE
        self.names: tuple[str, ...] = ()
        self.chosen: int | None = None
        self.given: Card | None = None
        self.shown: Chart | None = None
        self._question: EquityQuestion | None = None
        self._reason = _NOTHING_ASKED
        self._is_waiting = False
        self._is_stopped = False
        self._answers: dict[_Key, _Answer] = {}
        self._earlier: dict[str, _Answer] = {}
        self._failures: dict[_Key, str] = {}
        self._running: _Key | None = None
        self._job: Job | None = None
        self._fresh = QTimer(self, singleShot=True, interval=FAINT_MS)
        self._fresh.timeout.connect(self._emit_all)

    # ---- what is asked

    @property
    def question(self) -> EquityQuestion | None:
        """What the charts are of."""
        return self._question

    def set_question(self, question: EquityQuestion | None, names: Sequence[str], reason: str = "") -> None:
        """Show charts of another question; without one, the reason in their place."""
        is_same = question is self._question or (question is not None and question == self._question)
        if (
            is_same
            and tuple(names) == self.names
            and not self._is_waiting
            and (reason or _NOTHING_ASKED) == self._reason
        ):
            return
        self._reason = reason or _NOTHING_ASKED
        before = self._shown_players()
        if not is_same:
            self._replace_question(question)
        self._is_waiting = False
        if tuple(names) != self.names:
            self.names = tuple(names)
            if self.chosen is not None and self.chosen >= len(names):
                self.chosen = None
            self.players_changed.emit()
        elif self._shown_players() != before:
            self.players_changed.emit()
        self._start()
        self._emit_all()

    def _shown_players(self) -> tuple[int, ...]:
        return tuple(map(self.player_of, Chart))

    def _replace_question(self, question: EquityQuestion | None) -> None:
        before = self._question
        self._cancel()
        if not self._is_waiting:
            self._fresh.start()
        self._earlier |= {
            source: answer
            for (source, given), answer in self._answers.items()
            if given == self.given or source != _NEXT_CARDS
        }
        if question is None or before is None or len(question.players) != len(before.players):
            self._earlier.clear()
        if question is None or before is None or not self._is_still_open(question, before):
            if self.given is not None:
                self._earlier.pop(_NEXT_CARDS, None)
            self.given = None
        self._answers.clear()
        self._failures.clear()
        self._question = question
        self._is_stopped = False

    def _is_still_open(self, question: EquityQuestion, before: EquityQuestion) -> bool:
        blocked = blockers_of(question, len(question.players))
        return question.board == before.board and self.given not in blocked

    def set_waiting(self) -> None:
        """Mark all charts as out of date: another question is about to come."""
        if not self._is_waiting and self._question is not None:
            self._is_waiting = True
            self._fresh.start()
            self._cancel()
            self._emit_all()

    def set_shown(self, chart: Chart | None) -> None:
        """Compute the chart on screen, or none."""
        if chart is not self.shown:
            self.shown = chart
            self._is_stopped = False
            self._start()

    def choose_player(self, player: int) -> None:
        """Show another player's charts."""
        if player != self.chosen and 0 <= player < len(self.names):
            self.chosen = player
            self.players_changed.emit()
            self._emit_all()

    def open_card(self, card: Card) -> None:
        """On a flop: show the river cards after this turn card."""
        if (
            self._question is not None
            and len(self._question.board) == BOARD_SIZE[Street.FLOP]
            and self.given is None
        ):
            answer = self._answers.get((_NEXT_CARDS, None))
            if answer is not None and card in answer.result.value.cards:
                self._open(card)

    def close_card(self) -> None:
        """Go back to the turn cards."""
        if self.given is not None:
            self._open(None)

    def _open(self, card: Card | None) -> None:
        self.given = card
        self._earlier.pop(_NEXT_CARDS, None)
        self._is_stopped = False
        self._start()
        self.changed.emit(Chart.NEXT_CARD)

    @property
    def trail(self) -> tuple[str, ...]:
        """The way to the map shown, such as `Flop`, `Turn 9♥`."""
        if self._question is None or len(self._question.board) not in (3, 4):
            return ()
        first = "Flop" if len(self._question.board) == BOARD_SIZE[Street.FLOP] else "Turn"
        return (first,) if self.given is None else (first, f"Turn {card_symbols([self.given])}")

    @property
    def can_open(self) -> bool:
        """Whether a card of the map can be followed to the next street."""
        return (
            self._question is not None
            and len(self._question.board) == BOARD_SIZE[Street.FLOP]
            and self.given is None
        )

    # ---- computing

    def stop(self) -> None:
        """Stop computing and keep what is there."""
        if self._job is not None:
            self._cancel()
            self._is_stopped = True
            self._emit_all()

    def resume(self) -> None:
        """Go on after `stop`."""
        if self._is_stopped:
            self._is_stopped = False
            self._start()
            self._emit_all()

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = self._running = None

    def _start(self) -> None:
        key = None if self.shown is None else self._key(self.shown)
        if key == self._running and key is not None:
            return
        self._cancel()
        question = self._question
        if question is None or key is None or self._is_waiting or self._is_stopped or self._problem(key):
            return
        answer = self._answers.get(key)
        if key in self._failures or (answer is not None and answer.result.is_final):
            return
        if key[1] is not None:
            question = msgspec.structs.replace(question, board=(*question.board, key[1]))
        self._running = key
        self._job = self._jobs.submit(
            LANE,
            partial(getattr(self._engine, key[0]), question),
            partial(self._on_result, key, question),
            on_error=partial(self._on_error, key),
            newest_wins=True,
        )

    def _on_result(self, key: _Key, question: EquityQuestion, result: Snapshot[Any]) -> None:
        before = self._answers.get(key)
        if result.is_final:
            self._job = self._running = None
        if before is None or result.progress >= before.result.progress:  # begun again, it has to catch up first
            self._answers[key] = _Answer(question, result)
            self._earlier.pop(key[0], None)
            self._emit(key[0])

    def _on_error(self, key: _Key, error: Exception) -> None:
        self._job = self._running = None
        is_ours = isinstance(error, ValueError)
        self._failures[key] = str(error) if is_ours else f"Something went wrong in the engine: {error}"
        self._earlier.pop(key[0], None)
        self._emit(key[0])

    def _emit(self, source: str) -> None:
        for chart, view in _VIEWS.items():
            if view.source == source:
                self.changed.emit(chart)

    def _emit_all(self) -> None:
        for chart in Chart:
            self.changed.emit(chart)

    # ---- what is shown

    def _key(self, chart: Chart) -> _Key:
        return _VIEWS[chart].source, self.given if chart is Chart.NEXT_CARD else None

    def _problem(self, key: _Key) -> str:
        """Say why a chart cannot be computed at all."""
        if self._question is None:
            return self._reason
        if key[0] == _NEXT_CARDS and len(self._question.board) not in (3, 4):
            is_early = len(self._question.board) == 0
            return (
                "The map shows the next card on a flop or a turn."
                if is_early
                else "All five board cards are dealt."
            )
        return ""

    def status(self, chart: Chart) -> ChartStatus:
        """Say what there is to say about a chart."""
        key = self._key(chart)
        problem = self._problem(key) or self._failures.get(key, "")
        answer = self._answers.get(key)
        if problem:
            return ChartStatus(problem, "", False)
        if answer is None:
            is_there = key[0] in self._earlier
            text = "Stopped before the first result." if self._is_stopped else COMPUTING
            return ChartStatus("" if is_there else text, text if is_there else "", not self._fresh.isActive())
        is_old = self._is_waiting and not self._fresh.isActive()
        if answer.result.is_final:
            return ChartStatus("", "", is_old)
        done = f"{answer.result.progress:.0%}"
        return ChartStatus("", f"stopped at {done}, F5 goes on" if self._is_stopped else f"{done} done", is_old)

    def player_of(self, chart: Chart) -> int:
        """Return whose chart is shown: the one chosen, else the first, on a grid the first with several combos."""
        question = self._question
        if self.chosen is not None or question is None or not _VIEWS[chart].is_grid:
            return self.chosen or 0
        several = (at for at, hands in enumerate(question.players) if np.count_nonzero(hands.weights) > 1)
        return next(several, 0)

    def view(self, kind: type[V]) -> V | None:
        """Return what a chart shows, if there is an answer: to this question, or until then to the one before."""
        key = self._key(kind.chart)
        if self._problem(key) or key in self._failures:
            return None
        answer = self._answers.get(key) or self._earlier.get(key[0])
        if answer is None:
            return None
        player = min(self.player_of(kind.chart), len(answer.question.players) - 1)
        return kind(answer.question, self.names, player, answer.result)
