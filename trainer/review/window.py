"""The window of the review: how a session went, its decisions, what each action was worth, and leaks."""

from time import monotonic

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from engine.review.decision import ReviewedDecision
from engine.review.hands import HandReview
from engine.review.words import leak_cells
from trainer.first_steps.glossary import TermsButton
from trainer.history.past_hands_model import session_line
from trainer.reasoning.value_table import ValueTable, height_of_rows
from trainer.review.review_model import (
    ABOUT,
    HEADING_TIPS,
    HEADINGS,
    LEAK_HEADINGS,
    LEAK_TIPS,
    DecisionRow,
    ReviewView,
    decision_cells,
    decision_sentence,
    decision_values,
    rows_of,
)
from trainer.review.reviews import Reviews
from trainer.review.session_reviewer import ReviewedHands
from trainer.session.past_hands import PastHand
from trainer.theme import ThemeSource, open_at
from trainer.widgets.buttons import dialog_button
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel, make_bold

_USUAL_SIZE = QSize(1060, 760)
_LISTS = "Key moments", "All that cost something", "All decisions"
_BAD, _OF_LEAK = 1, 3
_MEASURED_ROWS = 100
_FEW_ROWS, _UNLIMITED = 3, 16777215
"""How many rows columns are fitted to: a thousand, as Qt has it, hold the window up."""

_NO_LEAKS = "No kind of decision costs clearly more than nothing yet; more hands tell more."


class ReviewWindow(QWidget):
    """The review of the session that the log lists; non-modal."""

    hand_requested = Signal(int)  # the number of a hand that the panels are to show
    replay_requested = Signal(int, int)  # that number, and the events before the step to begin at
    drill_requested = Signal(object, int)  # the hand's number in the store, and the events before a mistake in it

    def __init__(self, theme: ThemeSource, reviews: Reviews) -> None:
        super().__init__()
        self._reviews = reviews
        self._view = ReviewView(ReviewedHands((), {}, {}))
        self._rows: tuple[DecisionRow, ...] = ()
        self._wanted: tuple[int, int] | None = None  # the place of the decision to be chosen
        self._leak: tuple[str, ...] = ()  # the kind of decisions that were asked for
        self._cells: dict[tuple[int, int], tuple[str, ...]] = {}  # of decisions by their places
        self._texts: list[tuple[str, ...]] = []  # of the rows that are shown
        self._shown: tuple[PastHand, DecisionRow, bool] | None = None  # whose values, in big blinds or not
        self._begun = 0.0, 0  # when the first of the hands asked for were shown, and how many were reviewed then
        self._in_big_blinds = False
        self._is_stopped = False
        self.summary = QGridLayout()
        self.summary.setColumnStretch(1, 1)
        self._summary: list[QLabel] = []
        self.about = ColouredLabel(theme, "text_muted", ABOUT, wraps=True)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Hands reviewed")
        self.stop_button = dialog_button("&Stop", self._on_stop)
        self.again_button = dialog_button("&Review again", self.begin)
        self.note = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.which = QComboBox()
        self.which.addItems(_LISTS)
        self.which.setAccessibleName("Which decisions")
        self.which.currentIndexChanged.connect(self._show_rows)
        self._model = RowsModel(HEADINGS, self, HEADING_TIPS)
        self.table = make_table(self._model, "Decisions", stretched=HEADINGS.index("Board"))
        self.table.horizontalHeader().setResizeContentsPrecision(_MEASURED_ROWS)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.table.activated.connect(self._on_replay)
        self.sentence = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        make_bold(self.sentence)
        self.sentence.setAccessibleName("What the decision cost")
        self.values = ValueTable(theme, least_rows=4)
        self.values.table.setAccessibleName("What every action was worth to you")
        self.hand_button = dialog_button("S&how in the panels", self._on_hand)
        self.replay_button = dialog_button(
            "Re&play from here", self._on_replay, "Replay the hand on the table from this decision (Enter)"
        )
        self.drill_button = dialog_button(
            "&Drill this mistake",
            self._on_drill,
            "Ask about this very spot again, then with other cards; of a stored hand",
        )
        self._leaks = RowsModel(LEAK_HEADINGS, self, LEAK_TIPS)
        self.leaks = make_table(self._leaks, "Leaks", stretched=0)
        self.leaks.activated.connect(self._on_leak)
        self.of_leaks = ColouredLabel(theme, "text_muted", "Enter or a double click lists the decisions of a leak.")
        self.no_leaks = ColouredLabel(theme, "text_muted", _NO_LEAKS)
        self.setWindowTitle("Review")
        self.terms = TermsButton(self)
        self.tabs = Tabs()
        self.tabs.setCornerWidget(self.terms)
        self._build()
        reviews.changed.connect(self._on_changed)
        reviews.listed_changed.connect(self._on_listed_changed)
        reviews.hand_added.connect(self._on_hand_added)
        reviews.failed.connect(self._on_failed)
        open_at(self, _USUAL_SIZE)

    def _build(self) -> None:
        decisions, leaks = QWidget(), QWidget()
        above = QHBoxLayout()
        above.addWidget(self.which)
        above.addStretch(1)
        for button in (self.drill_button, self.replay_button, self.hand_button):
            above.addWidget(button)
        layout = QVBoxLayout(decisions)
        layout.addLayout(above)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.sentence)
        layout.addWidget(self.values, 2)
        of_leaks = QVBoxLayout(leaks)
        of_leaks.addWidget(self.no_leaks, 0, Qt.AlignmentFlag.AlignTop)
        of_leaks.addWidget(self.leaks, 1)
        of_leaks.addWidget(self.of_leaks)
        self.tabs.addTab(decisions, "Decisions")
        self.tabs.addTab(leaks, "Leaks")
        working = QHBoxLayout()
        working.addWidget(self.progress, 1)
        working.addWidget(self.note, 1)
        working.addStretch()
        for button in (self.stop_button, self.again_button):
            working.addWidget(button)
        whole = QVBoxLayout(self)
        whole.addLayout(self.summary)
        whole.addWidget(self.about)
        whole.addLayout(working)
        whole.addWidget(self.tabs, 1)

    def begin(self) -> None:
        """Review the session that is listed now."""
        hands = self._reviews.hands
        self._wanted = None
        self._is_stopped = False
        self._cells.clear()
        self._take(ReviewView(ReviewedHands(hands, {}, {})))
        self._say("" if hands else "There is no finished hand to review yet.")
        if hands:
            self._request()
        self._show_working()

    def _request(self) -> None:
        self._begun = monotonic(), len(self._view.found.hands)
        self._reviews.request()

    def choose(self, review: HandReview, decision: ReviewedDecision) -> None:
        """Choose a decision, as soon as it is reviewed."""
        self._wanted = int(review.name), decision.event_count
        self.which.setCurrentIndex(_BAD)
        self._show_rows()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        self._cells.clear()
        self._show_rows()

    def _on_listed_changed(self) -> None:
        if self.isVisible():
            self.begin()

    def _on_changed(self, view: ReviewView) -> None:
        if len(view.found.reviews) < self._begun[1]:  # the first that is shown
            self._begun = monotonic(), len(view.found.reviews)
        self._take(view)
        self._go_on()
        self._show_working()

    def _on_hand_added(self) -> None:
        self._go_on()
        self._show_working()

    def _go_on(self) -> None:
        """Review the hands that have come since."""
        is_due = len(self._reviews.hands) > len(self._view.found.hands)
        if is_due and self.isVisible() and not self._is_stopped and not self._reviews.is_working:
            self._say("")
            self._request()

    def _on_failed(self, sentence: str) -> None:
        self._is_stopped = True
        self._say(sentence)
        self._show_working()

    def _on_stop(self) -> None:
        self._reviews.stop()
        self._is_stopped = True
        self._say("Stopped; what is reviewed is kept.")
        self._show_working()

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _show_working(self) -> None:
        is_working = self._reviews.is_working
        self.progress.setVisible(is_working)
        self.stop_button.setVisible(is_working)
        self.again_button.setVisible(not is_working)

    @property
    def _writes_big_blinds(self) -> bool:
        """Whether amounts are big blinds, which money is, too: a list of decisions tells no currency."""
        session = self._reviews.session
        is_money = session is not None and session.venue is not None and bool(session.venue.currency)
        return self._in_big_blinds or is_money

    def _take(self, view: ReviewView) -> None:
        before, self._view, found, session = self._view, view, view.found, self._reviews.session
        name = session_line(session, in_big_blinds=self._in_big_blinds) if session is not None else ""
        self.setWindowTitle(f"Review: {name}" if name else "Review")
        self.progress.setRange(0, max(found.count, 1))
        self.progress.setValue(len(found.reviews))
        self.progress.setFormat(f"{len(found.reviews):,} of {found.count:,} hands{self._time_left()}")
        self._show_summary()
        self._show_rows()
        if view.leaks != before.leaks:
            self._leaks.show_rows([leak_cells(leak) for leak in view.leaks])
        for widget in (self.leaks, self.of_leaks):
            widget.setVisible(bool(view.leaks))
        self.no_leaks.setVisible(not view.leaks)
        self.tabs.setTabText(1, f"Leaks ({len(view.leaks)})")

    def _time_left(self) -> str:
        """Say how long the rest will take, by the hands reviewed since the first were shown."""
        done, count = len(self._view.found.reviews), self._view.found.count
        begun, before = self._begun
        if done <= before or done == count or not self._reviews.is_working:
            return ""
        return f", {(monotonic() - begun) / (done - before) * (count - done):,.0f} s left"

    def _show_summary(self) -> None:
        texts = [text for line in self._view.summary for text in line]
        if len(texts) != len(self._summary):
            for label in self._summary:
                self.summary.removeWidget(label)
                label.deleteLater()
            self._summary = [QLabel(textFormat=Qt.TextFormat.PlainText) for _ in texts]
            for at, label in enumerate(self._summary):
                self.summary.addWidget(label, *divmod(at, 2))
        for label, text in zip(self._summary, texts, strict=True):
            label.setText(text)

    def _show_rows(self) -> None:
        view, chosen = self._view, self._chosen()
        wanted = self._wanted or (chosen.place if chosen is not None else None)
        self._rows = (view.key, view.bad, view.rows, rows_of(self._leak, view.rows))[self.which.currentIndex()]
        places = [row.place for row in self._rows]
        for place, row in zip(places, self._rows, strict=True):
            if place not in self._cells:
                self._cells[place] = decision_cells(row, in_big_blinds=self._writes_big_blinds)
        texts = [self._cells[place] for place in places]
        if texts != self._texts:
            self._texts = texts
            self._model.show_rows(texts)
            # What few rows leave is for what every action was worth.
            room = height_of_rows(self.table, max(len(texts), _FEW_ROWS))
            self.table.setMaximumHeight(room if texts else _UNLIMITED)
        if wanted in places:
            self.table.selectRow(places.index(wanted))
            self._wanted = None
        elif places:
            self.table.selectRow(0)
        self._on_chosen()

    def _chosen(self) -> DecisionRow | None:
        rows = self.table.selectionModel().selectedRows()
        return self._rows[rows[0].row()] if rows and rows[0].row() < len(self._rows) else None

    def _on_chosen(self) -> None:
        row, found = self._chosen(), self._view.found
        for button in (self.replay_button, self.hand_button):
            button.setEnabled(row is not None)
        self.drill_button.setEnabled(self._mistake() is not None)
        if row is None:
            self._shown = None
            self.values.hide()
            is_clean = bool(found.reviews) and found.is_done
            self.sentence.setText("No decision can be told to have cost anything." if is_clean else "")
            return
        hand = self._hand_of(row)
        if (hand, row, self._in_big_blinds) == self._shown:
            return
        self._shown = hand, row, self._in_big_blinds
        self.sentence.setText(decision_sentence(row, in_big_blinds=self._writes_big_blinds))
        final, units = hand.read(), self._writes_big_blinds
        values = decision_values(final, row.decision, in_big_blinds=units) if final is not None else None
        if values is not None:
            self.values.show_view(values)
        self.values.setVisible(values is not None)

    def _on_leak(self, index: QModelIndex) -> None:
        """List the decisions of a leak, the costliest first."""
        self._leak = self._view.leaks[index.row()].spot
        if self.which.count() == _OF_LEAK:
            self.which.addItem("")
        self.which.setItemText(_OF_LEAK, f"Leak: {', '.join(self._leak)}")
        self.which.setCurrentIndex(_OF_LEAK)
        self._show_rows()
        self.tabs.setCurrentIndex(0)
        self.table.setFocus()

    def _on_hand(self) -> None:
        row = self._chosen()
        if row is not None:
            self.hand_requested.emit(row.hand)

    def _on_replay(self) -> None:
        row = self._chosen()
        if row is not None:
            self.replay_requested.emit(*row.place)

    def _hand_of(self, row: DecisionRow) -> PastHand:
        return next(hand for hand in self._view.found.hands if hand.number == row.hand)

    def _mistake(self) -> tuple[int, int] | None:
        """Return the hand's number in the store and the events before the decision chosen, if it is a mistake."""
        row = self._chosen()
        if row is None or row.decision.grade.is_good or (hand_id := self._hand_of(row).hand_id) is None:
            return None
        return hand_id, row.decision.event_count

    def _on_drill(self) -> None:
        if (mistake := self._mistake()) is not None:
            self.drill_requested.emit(*mistake)

    # Qt's own

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._reviews.stop()
        self._show_working()
        super().closeEvent(event)
