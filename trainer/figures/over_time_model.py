"""What a player did and won session by session, day by day or month by month, and whether mistakes become fewer."""

from datetime import date, timedelta
from enum import StrEnum
from functools import partial
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.figures.mean import NORMAL_95, mean_of
from engine.figures.player_figures import by_key
from trainer.figures.figure_tables import period_rows, session_text
from trainer.figures.hands import FiguresFilter, PlayerHands, Summary, mistakes_by
from trainer.jobs import Jobs
from trainer.play.results_model import rate_text
from trainer.storage.store import Store
from trainer.widgets.tables_model import Cell

SUMMING = "figures over time"
"""A lane."""

_LEAST_REVIEWED = 200
"""Hands that are compared, half with half."""


class Period(StrEnum):
    """What a row is of."""

    SESSION = "session"
    DAY = "day"
    MONTH = "month"


class OverTime(NamedTuple):
    """Rows of `PERIOD_COLUMNS`, the hands of each, and what is said of the mistakes in all of them."""

    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[FiguresFilter, ...]
    headline: str


class OverTimeModel(QObject):
    """Sums up the hands of a summary by period."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._own: PlayerHands | None = None
        self._store: Store | None = None
        self.period = Period.SESSION
        self.summed = _NOTHING

    def count(self, store: Store, summary: Summary) -> None:
        """Sum up the hands of a summary's player in the place of those before."""
        self._store, self._own = store, summary.own
        self._sum_up()

    def choose(self, period: Period) -> None:
        """Sum up by another period."""
        if period is not self.period:
            self.period = period
            self._sum_up()

    def _sum_up(self) -> None:
        if self._store is None or self._own is None:
            self._jobs.cancel(SUMMING)
            self._on_summed(_NOTHING)
            return
        self._jobs.submit(
            SUMMING,
            partial(_over_time, self._store, self._own, self.period),
            self._on_summed,
            on_error=self._on_error,
            newest_wins=True,
        )

    def _on_summed(self, summed: OverTime) -> None:
        self.summed = summed
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        self._on_summed(_NOTHING._replace(headline=str(error)))


_NOTHING = OverTime((), (), "")


def _over_time(store: Store, own: PlayerHands, period: Period) -> OverTime:
    lost, keys = own.lost(store), _keys(own, period)
    found = by_key(own.rows(), keys)
    when, spans = dict[int, Cell](), list[FiguresFilter]()
    for key in found:
        cell, span = _period(own, period, key)
        when[key] = cell
        spans.append(span)
    rows = period_rows(when, found, mistakes_by(lost, keys))
    return OverTime(rows, tuple(spans), _headline(lost) if own.are_the_persons else "")


def _keys(own: PlayerHands, period: Period) -> NDArray[np.int64]:
    """Return the number of each hand's session, day, or month since the year 0."""
    if period is Period.SESSION:
        return own.sessions()
    days = own.days()
    if period is Period.DAY:
        return days
    there, at = np.unique(days, return_inverse=True)
    each = [date.fromordinal(day) for day in there.tolist()]
    return np.array([12 * day.year + day.month - 1 for day in each], np.int64)[at]


def _period(own: PlayerHands, period: Period, key: int) -> tuple[Cell, FiguresFilter]:
    """Return how a period is written, and its hands."""
    if period is Period.SESSION:
        session = own.session(key)
        text = session_text(session.started, session.stakes)
        return Cell(text, session.started.isoformat()), FiguresFilter(session=key)
    if period is Period.DAY:
        day = date.fromordinal(key)
        return Cell(f"{day:%d %b %Y}", key), FiguresFilter(since=day, until=day)
    first, next_first = (date(month // 12, month % 12 + 1, 1) for month in (key, key + 1))
    return Cell(f"{first:%b %Y}", key), FiguresFilter(since=first, until=next_first - timedelta(days=1))


def _headline(lost: NDArray[np.float64]) -> str:
    """Say what mistakes cost in the older half of the reviewed hands, and in the newer."""
    reviewed = 100 * lost[~np.isnan(lost)]
    if len(reviewed) < _LEAST_REVIEWED:
        return f"Whether mistakes become fewer is told from {_LEAST_REVIEWED} reviewed hands on (Tools > Review)."
    older, newer = (mean_of(half) for half in np.array_split(reviewed, 2))
    change, error = newer.value - older.value, hypot(newer.stderr or 0.0, older.stderr or 0.0)
    low, high = (rate_text(change + side * NORMAL_95 * error) for side in (-1, 1))
    return (
        f"Mistakes cost {older.value:,.1f} bb/100 in the older half of {len(reviewed):,} reviewed hands and "
        f"{newer.value:,.1f} in the newer: {rate_text(change)} (95%: {low} to {high})."
    )
