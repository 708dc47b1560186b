"""Which hands are counted: days, session, stakes, players at the table, a style among them."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QDateEdit, QHBoxLayout, QPushButton, QWidget

from engine.agents.styles import style_label
from engine.game.formats import HUMAN
from trainer.figures.figure_tables import session_text
from trainer.figures.hands import FiguresFilter, HandBook
from trainer.widgets.layouts import label_of, tight


class Filters(QWidget):
    """A row of choices, filled with what there is."""

    chosen = Signal(object)  # FiguresFilter

    def __init__(self) -> None:
        super().__init__()
        self.since, self.until = QDateEdit(), QDateEdit()
        self.session, self.stakes, self.players, self.style_at_table = (QComboBox() for _ in range(4))
        self.reset = QPushButton("&All hands")
        line = tight(QHBoxLayout(self))
        for text, name, widget in (
            ("&From", "First day", self.since),
            ("&to", "Last day", self.until),
            ("&Session", "Session", self.session),
            ("Sta&kes", "Stakes", self.stakes),
            ("P&layers", "Players dealt in", self.players),
            ("&With", "Style of a player at the table", self.style_at_table),
        ):
            widget.setAccessibleName(name)
            line.addWidget(label_of(widget, text))
            line.addWidget(widget)
            if isinstance(widget, QComboBox):
                widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                widget.setMinimumContentsLength(4 if widget is self.players else 8)
                widget.view().setMinimumWidth(22 * self.fontMetrics().height())
                widget.activated.connect(self._on_chosen)
            else:
                widget.setCalendarPopup(True)
                widget.setDisplayFormat("yyyy-MM-dd")
                widget.dateChanged.connect(self._on_chosen)
        line.addStretch(1)
        line.addWidget(self.reset)
        self.reset.clicked.connect(self.clear)
        self._days: tuple[date, date] | None = None

    def show_book(self, book: HandBook) -> None:
        """Offer what there is, and leave what was chosen where it still is; else say what is chosen now."""
        chosen, before, days = self.filter(), self._days, book.days()
        is_from_first = before is None or _day(self.since) <= before[0]
        is_to_last = before is None or _day(self.until) >= before[1]
        self._days = days
        if days is not None:
            for edit, is_end, day in ((self.since, is_from_first, days[0]), (self.until, is_to_last, days[1])):
                with QSignalBlocker(edit):
                    edit.setDateRange(QDate(*days[0].timetuple()[:3]), QDate(*days[1].timetuple()[:3]))
                    if is_end:
                        edit.setDate(QDate(*day.timetuple()[:3]))
        sessions = [
            (session_text(session.started, session.stakes), session.session_id) for session in book.sessions[::-1]
        ]
        _fill(self.session, "All", sessions)
        _fill(self.stakes, "All", [(one, one) for one in sorted({session.stakes for session in book.sessions})])
        _fill(self.players, "All", [(str(count), count) for count in book.dealt_in()])
        styles = sorted({player.style for player in book.players} - {HUMAN}, key=style_label)
        _fill(self.style_at_table, "Anybody", [(style_label(style), style) for style in styles])
        if self.filter() != chosen:
            self._on_chosen()

    def filter(self) -> FiguresFilter:
        """Return what is chosen."""
        since, until, days = _day(self.since), _day(self.until), self._days
        return FiguresFilter(
            since=since if days is not None and since > days[0] else None,
            until=until if days is not None and until < days[1] else None,
            session=self.session.currentData(),
            style=self.style_at_table.currentData() or "",
            players=self.players.currentData(),
            stakes=self.stakes.currentData() or "",
        )

    def choose_time(self, span: FiguresFilter) -> None:
        """Choose a session or days, and leave the rest as it is."""
        if span.session is not None:
            self.session.setCurrentIndex(self.session.findData(span.session))
        for edit, day in ((self.since, span.since), (self.until, span.until)):
            with QSignalBlocker(edit):
                if day is not None:
                    edit.setDate(QDate(day.year, day.month, day.day))
        self._on_chosen()

    def clear(self) -> None:
        """Leave nothing out."""
        for box in (self.session, self.stakes, self.players, self.style_at_table):
            box.setCurrentIndex(0)
        for edit, day in ((self.since, self.since.minimumDate()), (self.until, self.until.maximumDate())):
            with QSignalBlocker(edit):
                edit.setDate(day)
        self._on_chosen()

    def _on_chosen(self) -> None:
        self.chosen.emit(self.filter())


def _day(edit: QDateEdit) -> date:
    chosen = edit.date()
    return date(chosen.year(), chosen.month(), chosen.day())


def _fill(box: QComboBox, everything: str, items: Sequence[tuple[str, object]]) -> None:
    """Offer items after one for all, and leave chosen what was."""
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        box.addItem(everything, None)
        for text, value in items:
            box.addItem(text, value)
        box.setCurrentIndex(max(box.findData(chosen), 0) if chosen is not None else 0)
