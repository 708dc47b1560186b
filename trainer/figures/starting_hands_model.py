"""What the person did and won with each starting hand, beside folding it at once."""

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.cards import CLASS_COUNT, COMBO_CLASS, HandClass, class_name
from engine.figures.mean import Mean, rate_interval
from engine.figures.player_figures import Line, PlayerFigures, by_hand_class, figures_of
from engine.figures.report import classes_as_csv
from engine.words import counted
from trainer.charts.chart_values import MapCell, MapView
from trainer.figures.figure_tables import class_rows
from trainer.figures.hands import PlayerHands, Summary, mistakes_by
from trainer.history.played_hands_model import cell_text
from trainer.jobs import Jobs
from trainer.play.results_model import rate_text
from trainer.storage.browse import PlayedHand
from trainer.storage.store import Store
from trainer.widgets.tables_model import Cell

SUMMING, LISTING = "starting hands", "hands of a starting hand"
"""Lanes."""

MOST_LISTED: Final = 100
"""Hands of a class."""

LISTED: Final = ("Cards", "Position", "Board", ">Pot, bb", ">Net, bb", ">Hand")
_CELLS = 3, 2, 4, 6, 7, 1
"""The columns of hands played that stand in `LISTED`."""

_FULL = 100.0
"""Big blinds per 100 hands of the strongest colour."""

_SURE = 3.0
"""Standard errors from nothing at which a colour is no longer pale."""

_ONLY_YOURS = "By starting hand your own figures alone are shown."


class ByClass(NamedTuple):
    """What hands came to by hand class and in all; of each its number in the store, what it won, and its class."""

    figures: Mapping[HandClass, PlayerFigures]
    mistakes: Mapping[int, Mean]
    total: PlayerFigures
    hand_ids: NDArray[np.int64]
    net_bb: NDArray[np.float64]
    classes: NDArray[np.int64]


class StartingHandsModel(QObject):
    """Sums up the hands of a summary by starting hand, and lists those of one."""

    changed = Signal()
    listed_changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store: Store | None = None
        self.summed: ByClass | None = None
        self.hand_class: HandClass | None = None  # whose hands are listed
        self.listed: tuple[PlayedHand, ...] = ()  # what lost most first
        self.why_not = ""

    def count(self, store: Store, summary: Summary) -> None:
        """Sum up the hands of a summary's player in the place of those before."""
        self._store, self.why_not = store, ""
        combos = summary.own.combos() if summary.own is not None else None
        if summary.own is None or combos is None:
            self._jobs.cancel(SUMMING)
            self.why_not = _ONLY_YOURS if summary.player is not None else ""
            self._on_summed(None)
            return
        self._jobs.submit(
            SUMMING,
            partial(_by_class, store, summary.own, combos),
            self._on_summed,
            on_error=self._on_error,
            newest_wins=True,
        )

    def choose(self, hand_class: HandClass) -> None:
        """List the hands of another class."""
        if hand_class != self.hand_class:
            self.hand_class = hand_class
            self._list()

    def headline(self) -> str:
        """Say what is won above folding, and with which hand less than by that."""
        if self.summed is None:
            return self.why_not
        rate = self.summed.total.rates.get(Line.ABOVE_FOLDING)
        if rate is None:
            return "Of some all-ins the hole cards are not known, and so not what they won above folding."
        limits = rate_interval(rate)
        between = "" if limits is None else f" (95%: {rate_text(limits[0])} to {rate_text(limits[1])})"
        words = f"{rate_text(rate.value)} bb/100 above folding every hand{between}."
        lost = {one: cost.value * cost.observations / 100 for one, cost in self.summed.mistakes.items()}
        if not any(lost.values()):
            return words
        worst = max(lost, key=lost.__getitem__)
        mistakes = self.summed.mistakes
        reviewed = sum(cost.observations for cost in mistakes.values())
        return (
            f"{words} Mistakes cost {sum(lost.values()):,.1f} bb in {counted(reviewed, 'reviewed hand')}, "
            f"most with {class_name(worst)}: {lost[worst]:,.1f} in {mistakes[worst].observations:,}."
        )

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return a row of `CLASS_COLUMNS` for each class that was dealt."""
        return class_rows(self.summed.figures, self.summed.mistakes) if self.summed is not None else ()

    def view(self) -> MapView | None:
        """Return the map of what each class wins above folding; None if there is nothing to show."""
        if self.summed is None:
            return None
        cells = tuple(_map_cell(HandClass(at), self.summed.figures.get(HandClass(at))) for at in range(CLASS_COUNT))
        return MapView(cells, (f"−{_FULL:.0f} bb/100", "as by folding", f"+{_FULL:.0f} bb/100"))

    def csv(self) -> str:
        """Return all of it as CSV; "" without hands."""
        return classes_as_csv(self.summed.figures) if self.summed is not None else ""

    def about_listed(self) -> str:
        """Say what is listed."""
        if self.hand_class is None:
            return "Choose a starting hand to see its hands."
        most = " of those that lost most" if self._count_of_class() > MOST_LISTED else ""
        return f"{class_name(self.hand_class)}, {counted(len(self.listed), 'hand')}{most}; Enter replays one."

    def listed_cells(self) -> list[tuple[str, ...]]:
        """Return a row of `LISTED` for each hand."""
        return [tuple(cell_text(hand, column) for column in _CELLS) for hand in self.listed]

    def _count_of_class(self) -> int:
        figures = self.summed.figures if self.summed is not None else {}
        one = figures.get(self.hand_class) if self.hand_class is not None else None
        return one.counts.hands if one is not None else 0

    def _on_summed(self, summed: ByClass | None) -> None:
        self.summed = summed
        self._list()
        self.changed.emit()

    def _list(self) -> None:
        summed, store, hand_class = self.summed, self._store, self.hand_class
        if summed is None or store is None or hand_class is None:
            self._jobs.cancel(LISTING)
            self._on_listed(())
            return
        own = np.flatnonzero(summed.classes == hand_class)
        worst = own[np.argsort(summed.net_bb[own], kind="stable")][:MOST_LISTED]
        ids = summed.hand_ids[worst].tolist()
        self._jobs.submit(
            LISTING, lambda: store.browse.rows(ids), self._on_listed, on_error=self._on_error, newest_wins=True
        )

    def _on_listed(self, listed: tuple[PlayedHand, ...]) -> None:
        self.listed = listed
        self.listed_changed.emit()

    def _on_error(self, error: Exception) -> None:
        self.summed, self.why_not = None, str(error)
        self.changed.emit()


def _by_class(store: Store, own: PlayerHands, combos: NDArray[np.int64]) -> ByClass:
    rows = own.rows()
    classes = np.where(combos >= 0, COMBO_CLASS[combos].astype(np.int64), -1)
    found, mistakes = by_hand_class(rows, classes), mistakes_by(own.lost(store), classes)
    return ByClass(found, mistakes, figures_of(rows), own.hand_ids(), rows["net_bb"], classes)


def _map_cell(hand_class: HandClass, figures: PlayerFigures | None) -> MapCell:
    name = class_name(hand_class)
    rate = figures.rates.get(Line.ABOVE_FOLDING) if figures is not None else None
    if figures is None or rate is None:
        return MapCell(name, "", "", None, f"{name}: not dealt" if figures is None else f"{name}: not known")
    counts = figures.counts
    limits = rate_interval(rate)
    between = "" if limits is None else f" (95%: {rate_text(limits[0])} to {rate_text(limits[1])})"
    played = "" if counts.vpip.value is None else f", played {counts.vpip.value:.0%}"
    text = f"{name}, {counted(counts.hands, 'hand')}{played}: {rate_text(rate.value)} bb/100 above folding{between}"
    level = max(-1.0, min(rate.value / _FULL, 1.0))
    off = abs(rate.value) / rate.stderr if rate.stderr else 0.0 if not rate.value else 1.0
    return MapCell(name, "", "", level, text, min(off / _SURE, 1.0))
