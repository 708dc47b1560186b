"""The window of all hands played: filters in a row, and a table from which any hand is opened."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, QEvent, QModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDateEdit,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from engine.agents.styles import STYLES, style_label
from engine.foreign_text import shortened
from engine.game.summary import POSITIONS, WALK, pot_type
from engine.ranges import RangeTextError
from trainer.exporting.export_bar import ExportBar
from trainer.history.played_hands_model import PlayedHands, session_choice
from trainer.jobs import Jobs
from trainer.storage.browse import HERE, HandFilter
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession
from trainer.theme import ThemeSource, room_on_screen
from trainer.widgets.buttons import dialog_button
from trainer.widgets.rows import show_in_rows
from trainer.widgets.text_field import MarkedLineEdit, ShortenedLabel

_WIDTHS = (10, 3.5, 4, 4, 9, 5, 4.5, 5, 5.5, 5.5, 14)
"""Of the columns in lines of text."""

_WITH_NOTE = 1
"""Place of the choice among the tags."""

_NO_DATE = QDate(2000, 1, 1)


class _DayField(QDateEdit):
    """A day, or any: numbers typed and the calendar then begin at today, since Qt leaves out what is typed."""

    def __init__(self, name: str) -> None:
        super().__init__(_NO_DATE)
        self.setMinimumDate(_NO_DATE)
        self.setSpecialValueText(f"{name} any day")
        self.setDisplayFormat(f"'{name}' dd MMM yyyy")
        self.setCalendarPopup(True)
        self.setAccessibleName(f"{name} which day")
        self.setToolTip(f"{name} which day")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.date() == _NO_DATE and event.text().isdecimal():
            self.setDate(QDate.currentDate())
            self.setSelectedSection(QDateEdit.Section.DaySection)
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.date() == _NO_DATE:
            today = QDate.currentDate()
            self.calendarWidget().setCurrentPage(today.year(), today.month())


class PlayedHandsWindow(QWidget):
    """Lists the finished hands of all sessions; Enter or a double click opens one."""

    hand_opened = Signal(int, int)  # number of the session in the store, and of the hand in it

    def __init__(self, theme: ThemeSource, jobs: Jobs) -> None:
        super().__init__()
        self.setWindowTitle("Hands played")
        self.model = PlayedHands(jobs, self)
        self._error: RangeTextError | None = None  # of the hole cards
        self.session = self._choice("Session", ("All sessions", None))
        self.site = self._choice("Where they were played", ("Any site", ""), ("Played here", HERE))
        self.whose = self._choice(
            "Whose they are", ("Yours and watched", None), ("Yours", False), ("Watched", True)
        )
        self.opponent = self._choice("Style at the table", ("Any style", ""))
        for name in STYLES:
            self.opponent.addItem(style_label(name), name)
        self.since, self.until = self._day("From"), self._day("To")
        self.position = self._choice("Position", ("Any position", ""), *((name, name) for name in POSITIONS))
        self.raises = self._choice(
            "Pot type",
            ("Any pot", None),
            (f"{pot_type(WALK).capitalize()}s", WALK),
            *((f"{pot_type(raises).capitalize()} pots", raises) for raises in range(3)),
            ("4-bet pots and more", 3),
        )
        self.hole_cards = self._hole_cards(theme)
        self.pot = self._number("Least pot", "Pot from ")
        self.loss = self._number("Least cost of mistakes", "Mistakes from ")
        self.result = self._choice("Result", ("Won or lost", None), ("Won", True), ("Lost", False))
        self.showdown = self._choice(
            "Showdown", ("Any end", None), ("Went to showdown", True), ("No showdown", False)
        )
        self.tag = self._choice("Tag", ("Any tag", ""), ("With a note or tag", ""))
        self.clear = dialog_button("&All hands", self._on_clear, "Leave nothing out")
        self.open = dialog_button(
            "&Open", self.open_current, "Replay the hand on the table, with all panels (Enter)"
        )
        self.total = ShortenedLabel(theme, "text_muted")
        self.total.setAccessibleName("Hands found")
        self.view = QTableView()
        self.export = ExportBar(jobs, self.model.hand_ids, self._chosen)
        self._lay_out()
        self._current: int | None = None  # number in the store of the hand that is chosen
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._on_sorted)
        self.model.found.connect(self._on_found)
        self.model.offered.connect(self._offer)
        self.model.failed.connect(self.total.setText)

    def set_store(self, store: Store) -> None:
        """List what is stored now."""
        self.model.set_store(store)
        self.export.set_store(store)
        self.view.setFocus()

    def open_current(self) -> None:
        """Open the hand that is chosen, or else the first one."""
        index = self.view.currentIndex()
        self._open_row(index if index.isValid() else self.model.index(0, 0))

    # Made

    def _choice(self, name: str, *choices: tuple[str, object]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        for text, value in choices:
            box.addItem(text, value)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.currentIndexChanged.connect(self._on_filter)
        return box

    def _day(self, name: str) -> QDateEdit:
        field = _DayField(name)
        field.dateChanged.connect(self._on_filter)
        return field

    def _number(self, name: str, prefix: str) -> QDoubleSpinBox:
        box = QDoubleSpinBox(decimals=1, maximum=100_000, singleStep=5)
        box.setAccessibleName(f"{name} in big blinds")
        box.setToolTip(f"{name} in big blinds")
        box.setPrefix(prefix)
        box.setSuffix(" bb")
        box.valueChanged.connect(self._on_filter)
        return box

    def _hole_cards(self, theme: ThemeSource) -> MarkedLineEdit:
        field = MarkedLineEdit(theme)
        field.setAccessibleName("Your hole cards")
        field.setToolTip("Your hole cards, as a range: TT+, AQs+, KJ")
        field.setPlaceholderText("Any hole cards")
        field.setClearButtonEnabled(True)
        field.textChanged.connect(self._on_hole_cards)
        field.mark_changed.connect(self._on_found)
        return field

    def _lay_out(self) -> None:
        rows = (
            (self.whose, self.site, self.session, self.opponent, self.since, self.until),
            (self.hole_cards, self.position, self.raises, self.pot),
            (self.result, self.showdown, self.loss, self.tag, self.clear),
        )
        whole = QVBoxLayout(self)
        for widgets in rows:
            line = QHBoxLayout()
            for widget in widgets:
                line.addWidget(widget)
            line.addStretch(1)
            whole.addLayout(line)
        view = self.view
        show_in_rows(view, self.model, "Hands played")
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setAlternatingRowColors(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        line_height = view.fontMetrics().height()
        view.verticalHeader().setDefaultSectionSize(line_height + 7)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        for column, lines in enumerate(_WIDTHS):
            header.resizeSection(column, round(lines * line_height))
        header.setStretchLastSection(True)
        header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        view.setSortingEnabled(True)
        view.activated.connect(self._open_row)
        whole.addWidget(view, 1)
        whole.addWidget(self.export.message)
        below = QHBoxLayout()
        below.addWidget(self.total, 1)
        below.addWidget(QLabel("Enter or a double click opens a hand."))
        below.addWidget(self.export)
        below.addWidget(self.open)
        whole.addLayout(below)
        size = QSize(round(sum(_WIDTHS) * line_height) + 60, 620)
        self.resize(size.boundedTo(room_on_screen(self)))

    def _chosen(self) -> list[int]:
        """Return the hands of the rows that are selected, from the top down, by their numbers in the store."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [number for row in rows if (number := self.model.hand_id(row)) is not None]

    # What is wanted

    def wanted(self) -> HandFilter:
        """Return what the filters leave."""
        return HandFilter(
            session=self.session.currentData(),
            style=self.opponent.currentData(),
            site=self.site.currentData(),
            since=_day_of(self.since),
            until=_day_of(self.until),
            position=self.position.currentData(),
            raises=self.raises.currentData(),
            hole_cards=self.model.hole_cards,
            least_pot=self.pot.value(),
            least_loss=self.loss.value(),
            has_won=self.result.currentData(),
            was_at_showdown=self.showdown.currentData(),
            is_watched=self.whose.currentData(),
            tag=self.tag.currentData(),
            has_note=self.tag.currentIndex() == _WITH_NOTE,
        )

    def _on_hole_cards(self, text: str) -> None:
        self._error = self.model.take_hole_cards(text)
        if self._error is None:
            self.hole_cards.unmark()
            self._on_filter()
        else:
            self.hole_cards.mark(self._error.position, self._error.length)

    def _on_filter(self, *_: object) -> None:
        self.model.find(self.wanted())

    def _on_clear(self) -> None:
        fields = (
            *(
                self.whose,
                self.site,
                self.session,
                self.opponent,
                self.position,
                self.raises,
                self.result,
                self.showdown,
                self.tag,
            ),
            *(self.since, self.until, self.pot, self.loss),
        )
        self.hole_cards.clear()
        for field in fields:
            with QSignalBlocker(field):
                if isinstance(field, QComboBox):
                    field.setCurrentIndex(0)
                elif isinstance(field, QDateEdit):
                    field.setDate(_NO_DATE)
                else:
                    field.setValue(0)
        self._on_filter()

    def _offer(self, sessions: Sequence[StoredSession], tags: Sequence[str]) -> None:
        """Offer the sessions and tags that there are; what was chosen stays as long as it is among them."""
        before = self.wanted()
        offered: list[tuple[str, object]] = [(session_choice(one), one.session_id) for one in sessions if one.hands]
        sites = sorted({one.venue.site for one in sessions if one.hands and one.venue is not None})
        for box, fixed, choices in (
            (self.site, 2, [(shortened(site), site) for site in sites]),
            (self.session, 1, offered),
            (self.tag, 2, [(tag, tag) for tag in tags]),
        ):
            index, chosen = box.currentIndex(), box.currentData()
            with QSignalBlocker(box):
                while box.count() > fixed:
                    box.removeItem(fixed)
                for text, value in choices:
                    box.addItem(text, value)
                box.setCurrentIndex(index if index < fixed else max(box.findData(chosen), 0))
        if self.wanted() != before:
            self._on_filter()

    def _on_found(self) -> None:
        is_wrong = self._error is not None and self.hole_cards.is_marked
        self.total.setText(str(self._error) if is_wrong else self.model.total)
        has_hands = self.model.rowCount() > 0
        self.open.setEnabled(has_hands)
        if has_hands and not self.view.currentIndex().isValid():
            row = self.model.row_of(self._current) if self._current is not None else None
            self.view.setCurrentIndex(self.model.index(row or 0, 0))

    def _on_sorted(self) -> None:
        """Show the first hand of the new order, which is what it was asked for."""
        self._current = None

    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self._current = self.model.hand_id(index.row())

    def _open_row(self, index: QModelIndex) -> None:
        hand = self.model.hand(index.row()) if index.isValid() else None
        if hand is not None:
            self.hand_opened.emit(hand.session_id, hand.number)

    # Qt's own

    def changeEvent(self, event: QEvent) -> None:
        """Find the hands again when the player comes back: more were played, reviewed or written to meanwhile."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.model.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _day_of(field: QDateEdit) -> date | None:
    day = field.date()
    return None if day == _NO_DATE else date(day.year(), day.month(), day.day())
