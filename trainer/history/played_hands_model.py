"""The finished hands of all sessions as a table whose rows are read only when they are seen, and its filters."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.cards import STREET_NAMES
from engine.game.summary import pot_type
from engine.ranges import Range, RangeTextError, parse_range
from engine.words import counted
from trainer.history.log_model import card_sign
from trainer.jobs import Jobs
from trainer.play.results_model import rate_text
from trainer.storage.browse import Found, HandFilter, Order, PlayedHand
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession, StoreError
from trainer.widgets.tables_model import ROOT, Column, HeadedModel, Index

LANE = "hands played"
_CHOICES_LANE = "hands played: choices"
_PAGE = 100
_MOST_PAGES = 40
_PAUSE_MILLISECONDS = 120

COLUMNS: tuple[tuple[Column, Order | None], ...] = (
    (Column("Played", "When the hand ended"), Order.PLAYED),
    (Column("Hand", "Its number in its session"), None),
    (Column("Place", "Your position; – in a hand that was watched"), Order.POSITION),
    (Column("Cards", "Your hole cards"), None),
    (Column("Board", "As far as it was dealt"), None),
    (Column("Pot type", "By the raises before the flop"), Order.RAISES),
    (Column("Pot", "Big blinds that were won"), Order.POT),
    (Column("Net", "Big blinds that you won or lost"), Order.NET),
    (Column("To", "How far it went, and whether you were in at the showdown"), None),
    (Column("Mistakes", "Big blinds that your mistakes cost, once the hand is reviewed"), Order.LOSS),
    (Column("Tags, note", "What you have written to it"), None),
)
RIGHT = (1, 6, 7, 9)
_NOBODYS = "–"


class PlayedHands(HeadedModel):
    """The hands found; `total` says how many and what was won in them."""

    found = Signal()
    # tuple of StoredSession and tuple of str: the sessions and tags that there are to choose from
    offered = Signal(object, object)
    failed = Signal(str)  # one sentence

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        columns = [column for column, _ in COLUMNS]
        super().__init__([one.title for one in columns], parent, [one.meaning for one in columns])
        self._jobs = jobs
        self._store: Store | None = None
        self._found = Found(np.zeros(0, np.int64), 0.0)
        self._read = 0
        self._pages: OrderedDict[int, tuple[PlayedHand | None, ...]] = OrderedDict()
        self._asked: set[int] = set()
        self.wanted = HandFilter()
        self.hole_cards: Range | None = None
        self._order, self._is_rising = Order.PLAYED, False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._find)

    def set_store(self, store: Store) -> None:
        """Take the store, and find its hands."""
        self._store = store
        self.refresh()

    def refresh(self) -> None:
        """Find the hands again, of which there may be more or others, with other notes and mistakes."""
        store = self._store
        if store is not None:
            self._jobs.submit(
                _CHOICES_LANE,
                lambda: (store.sessions(), store.notes.tags()),
                lambda found: self.offered.emit(*found),
                on_error=self._on_error,
                newest_wins=True,
            )
            self._find()

    def take_hole_cards(self, text: str) -> RangeTextError | None:
        """Want hole cards of a range alone, or any for ""; what cannot be read leaves those wanted before."""
        try:
            self.hole_cards = parse_range(text) if text.strip() else None
        except RangeTextError as error:
            return error
        return None

    def find(self, wanted: HandFilter) -> None:
        """Show the hands that a filter leaves, soon: more of it may be typed."""
        self.wanted = wanted
        self._pause.start()

    @property
    def total(self) -> str:
        """How many hands there are, and what was won in them."""
        if self._read:
            return f"Reading the hands: {self._read:,} …"
        count = len(self._found.hand_ids)
        if not count and self.wanted.least_loss > 0:
            return "No hand. What mistakes cost is known of hands that were reviewed (Tools > Review)."
        if not count:
            return "No hand."
        hands = counted(count, "hand")
        own = count - self._found.watched
        if not own:
            return f"{hands}, watched."
        watched = f" ({self._found.watched:,} watched)" if self._found.watched else ""
        each = f", {rate_text(100 * self._found.net / own)} bb per 100" if own >= 100 else ""
        return f"{hands}{watched}: {rate_text(self._found.net)} bb{each}"

    def hand(self, row: int) -> PlayedHand | None:
        """Return the hand of a row, read at once; None if it was deleted meanwhile."""
        if self._store is None or not 0 <= row < len(self._found.hand_ids):
            return None
        try:
            rows = self._store.browse.rows([int(self._found.hand_ids[row])])
        except StoreError as error:
            self.failed.emit(str(error))
            return None
        return rows[0] if rows else None

    # Qt's

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._found.hand_ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in RIGHT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            hand = self._seen(index.row())
            return None if hand is None else cell_text(hand, index.column())
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, as far as it can be sorted by."""
        by = COLUMNS[column][1]
        is_rising = order is Qt.SortOrder.AscendingOrder
        if by is not None and (by, is_rising) != (self._order, self._is_rising):
            self._order, self._is_rising = by, is_rising
            self._find()

    # What comes from the store

    def _find(self) -> None:
        store, wanted, order, is_rising = self._store, self.wanted, self._order, self._is_rising
        self._pause.stop()
        if store is not None:
            self._jobs.submit(
                LANE,
                lambda: _finding(store, wanted, order, is_rising=is_rising),
                self._on_found,
                on_error=self._on_error,
                newest_wins=True,
            )

    def _on_found(self, found: Found | int) -> None:
        if isinstance(found, int):
            self._read = found
            self.found.emit()
            return
        self._read = 0
        is_same = np.array_equal(found.hand_ids, self._found.hand_ids)
        if not is_same:
            self.beginResetModel()
        self._found = found
        self._pages.clear()
        self._asked.clear()
        if not is_same:
            self.endResetModel()
        elif count := self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(COLUMNS) - 1))
        self.found.emit()

    def row_of(self, hand_id: int) -> int | None:
        """Return where a hand is, by its number in the store; None if it is not there."""
        rows = np.flatnonzero(self._found.hand_ids == hand_id)
        return int(rows[0]) if len(rows) else None

    def hand_id(self, row: int) -> int | None:
        """Return the number in the store of the hand of a row; None if there is no such row."""
        return int(self._found.hand_ids[row]) if 0 <= row < len(self._found.hand_ids) else None

    def hand_ids(self) -> list[int]:
        """Return the numbers in the store of all hands found, in their order."""
        return [int(number) for number in self._found.hand_ids]

    def _seen(self, row: int) -> PlayedHand | None:
        """Return the hand of a row, or ask for its page."""
        page = row // _PAGE
        if page in self._pages:
            hands = self._pages[page]
            return hands[row % _PAGE]
        store = self._store
        if page not in self._asked and store is not None:
            self._asked.add(page)
            found = self._found
            ids = [int(one) for one in found.hand_ids[page * _PAGE : (page + 1) * _PAGE]]
            self._jobs.submit(
                LANE,
                lambda: store.browse.rows(ids),
                lambda rows: self._on_rows(found, page, ids, rows),
                on_error=self._on_error,
            )
        return None

    def _on_rows(self, found: Found, page: int, ids: list[int], rows: tuple[PlayedHand, ...]) -> None:
        if found is not self._found:
            return
        by_id = {hand.hand_id: hand for hand in rows}
        self._pages[page] = tuple(by_id.get(number) for number in ids)
        self._asked.discard(page)
        if len(self._pages) > _MOST_PAGES:
            self._pages.popitem(last=False)
        first = page * _PAGE
        self.dataChanged.emit(self.index(first, 0), self.index(first + len(ids) - 1, len(COLUMNS) - 1))

    def _on_error(self, error: Exception) -> None:
        self._read = 0
        self.failed.emit(str(error))


def _finding(store: Store, wanted: HandFilter, order: Order, *, is_rising: bool) -> Iterator[Found | int]:
    """Yield how many hands are read, as long as they are, and then those found."""
    yield from store.browse.played.steps()
    yield store.browse.find(wanted, order, is_rising=is_rising)


def cell_text(hand: PlayedHand, column: int) -> str:
    """Write what stands in a column of a hand."""
    match column:
        case 0:
            return f"{hand.ended:%d %b %Y, %H:%M}"
        case 1:
            return f"{hand.number:,}"
        case 2:
            return hand.position or _NOBODYS
        case 3:
            return " ".join(map(card_sign, hand.cards)) or _NOBODYS
        case 4:
            return " ".join(map(card_sign, hand.board))
        case 5:
            return pot_type(hand.raises).capitalize()
        case 6:
            return f"{hand.pot:,.1f}"
        case 7:
            return rate_text(hand.net) if hand.cards else _NOBODYS
        case 8:
            return "Showdown" if hand.was_at_showdown else STREET_NAMES[hand.street]
        case 9:
            if not hand.cards:
                return _NOBODYS
            return "" if hand.loss is None else f"{hand.loss:,.1f}"
    tags = ", ".join(hand.note.tags)
    return " · ".join(filter(None, (tags, hand.note.note)))


def session_choice(session: StoredSession) -> str:
    """Write a session as one to choose."""
    hands = counted(session.hands, "hand")
    where = f" {session.venue.title}," if session.venue is not None else ""
    return f"{session.started:%d %b %Y, %H:%M},{where} {hands}"
