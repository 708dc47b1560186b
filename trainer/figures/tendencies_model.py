"""What a player does in each kind of spot beside what is usual with the same hands, over their newest hands."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.figures.report import USUAL_NOTE, clearest_words, tendency_cells
from engine.figures.tendencies import DECISION, KINDS, SPOTS, Tendency, decisions_of, tendencies
from engine.game.formats import PERSON
from engine.words import counted
from trainer.figures.hands import Summary
from trainer.jobs import Jobs
from trainer.storage.store import Store
from trainer.widgets.tables_model import Cell, Column

LANE: Final = "tendencies"

MOST_HANDS: Final = 5000
"""The newest; some 2 milliseconds each."""

_AT_A_TIME = 100
_USUAL = Column("usual", " ".join(USUAL_NOTE.split()))
COLUMNS: Final = (
    Column("Spot", "A c-bet is one by who bet or raised last on the street before"),
    Column("Decisions", "How often the player had to decide there"),
    *(
        column
        for kind in KINDS
        for column in (Column(kind.capitalize(), f"How often the player did: {kind}"), _USUAL)
    ),
)

_OTHERS = "Other people's cards are known where they showed them, so their folds are missing: no figures of them."


class Counting(NamedTuple):
    """What so many of a player's newest hands come to."""

    found: tuple[Tendency, ...]
    hands: int
    of: int


class TendenciesModel(QObject):
    """Counts for the player of a summary, newest hands first, while somebody looks."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.counting = Counting((), 0, 0)
        self.why_not = ""

    def count(self, store: Store, summary: Summary) -> None:
        """Count the hands of a summary's player in the place of those before."""
        self.counting, self.why_not = Counting((), 0, 0), ""
        if summary.player is not None and summary.player.style == PERSON:
            self._jobs.cancel(LANE)
            self.why_not = _OTHERS
        else:
            self._jobs.submit(
                LANE, partial(_steps, store, summary), self._on_counted, on_error=self._on_error, newest_wins=True
            )
        self.changed.emit()

    def stop(self) -> None:
        """Count no further."""
        self._jobs.cancel(LANE)

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return a row of `COLUMNS` for each spot that there was."""
        return tuple(_row(one) for one in self.counting.found)

    def headline(self) -> str:
        """Say what is the least likely chance, and of how many hands."""
        found, hands, of = self.counting
        if self.why_not or not of:
            return self.why_not
        if hands < min(of, MOST_HANDS):
            return f"Counting the newest {counted(min(of, MOST_HANDS), 'hand')}: {hands:,}."
        newest = f" The newest {hands:,} of {counted(of, 'hand')}." if hands < of else ""
        return f"{clearest_words(found)}{newest}"

    def _on_counted(self, counting: Counting) -> None:
        self.counting = counting
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        self.why_not = str(error)
        self.changed.emit()


def _steps(store: Store, summary: Summary) -> Iterator[Counting]:
    """Count the newest hands first, and yield what those so far come to; StoreError if the file fails."""
    if summary.hand_ids is None or summary.rows is None:
        yield Counting((), 0, 0)
        return
    ids = summary.hand_ids()[::-1]
    seats = summary.rows()["seat"][::-1]
    parts, newest = [np.empty(0, DECISION)], min(len(ids), MOST_HANDS)
    for begin in range(0, newest, _AT_A_TIME):
        end = min(begin + _AT_A_TIME, newest)
        known = store.seat_hands.known(ids[begin:end].tolist())
        for hand_id, number in zip(ids[begin:end].tolist(), seats[begin:end].tolist(), strict=True):
            hand, seat = known.get(hand_id), number
            if hand is not None and seat in hand.hole_cards:
                parts.append(decisions_of(hand.events, {seat: hand.hole_cards[seat]})[seat])
        parts = [np.concatenate(parts)]
        yield Counting(tendencies(parts[0]), end, len(ids))


def _row(one: Tendency) -> tuple[Cell, ...]:
    cells = [Cell(one.spot, -SPOTS.index(one.spot)), Cell(f"{one.decisions:,}", one.decisions)]
    for kind in range(len(KINDS)):
        share, usual = tendency_cells(one, kind)
        is_there = one.done[kind] or one.usual[kind]
        colour = "accent" if one.is_clear(kind) else "text"
        cells += [
            Cell(share, one.done[kind] / one.decisions if is_there else -math.inf, colour),
            Cell(usual, one.usual[kind] if is_there else -math.inf, "text_muted"),
        ]
    return tuple(cells)
