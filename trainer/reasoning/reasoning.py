"""The reasoning panel: any bot decision as four stages, each sentence with the number it rests on."""

from collections.abc import Hashable, Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.agents.agent import Answers, Trace
from engine.agents.explain import Claim
from engine.game.events import Seat
from trainer.reading.range_detail import RangeDetail
from trainer.reading.range_grid import HeatLegend
from trainer.reading.range_model import OpponentRange
from trainer.reading.range_tiles import RangeTile, TileArea
from trainer.reasoning.policy_chart import PolicyChart
from trainer.reasoning.policy_model import PolicyTrack
from trainer.reasoning.reasoning_model import STAGES, DecisionView, Rows, decision_label, row_of
from trainer.reasoning.threshold_chart import ThresholdChart
from trainer.reasoning.value_table import ValueTable, fit_height, make_counts
from trainer.reasoning.values_model import ValuesView
from trainer.theme import ThemeSource
from trainer.widgets.cards import ASPECT, paint_card
from trainer.widgets.layouts import tight
from trainer.widgets.painted import Painted
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import make_bold, plain_tip

_SEALED = "The bots' decisions open here when the hand is over.\nWhile it runs they stay sealed: they show cards."
_WIDE = 800  # from this width on the list of decisions stands next to them
_LOW = 24  # below this height in rows the list of decisions takes a row less
_LEAST_LIST = 44
"""Lists scroll on a small screen, so that the chart is seen whole."""
_MOST_COUNTS = 6  # rows of the counts that are shown without scrolling
_DECISION = 3  # of the stages


class _CardStrip(Painted):
    """Hole cards, and after a gap the board."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme)
        self._own: tuple[int, ...] = ()
        self._board: tuple[int, ...] = ()
        self._four_colours = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_cards(self, own: tuple[int, ...], board: tuple[int, ...], spoken: str) -> None:
        """Show cards; `spoken` says them in words."""
        self._own, self._board = own, board
        self.setAccessibleName(spoken)
        self.setToolTip(plain_tip(spoken))
        self.updateGeometry()
        self.update()

    def set_four_colours(self, is_four: bool) -> None:
        self._four_colours = is_four
        self.update()

    def _card_width(self) -> float:
        return 1.45 * QFontMetricsF(self.font()).height()

    def sizeHint(self) -> QSize:
        width = self._card_width()
        cards = len(self._own) + len(self._board)
        return QSize(round(cards * (width + 2) + 10), round(width * ASPECT) + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        width, left = self._card_width(), 0.0
        for index, card in enumerate((*self._own, *self._board)):
            left += 8 if index == len(self._own) else 0
            rect = QRectF(left, 1, width, width * ASPECT)
            paint_card(painter, rect, card, self._theme.theme, four_colours=self._four_colours)
            left += width + 2
        painter.end()


class _Sentences(QListWidget):
    """Wrapped sentences, no higher than they all are."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        whole = self.contentsSize().height() + 2 * self.frameWidth()
        return QSize(super().sizeHint().width(), max(whole, _LEAST_LIST))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), _LEAST_LIST)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self.updateGeometry()  # they have been laid out: in another width they wrap elsewhere


class _StagePage(QWidget):
    """A stage: its evidence above, its sentences below, and more numbers that they rest on, if any, last."""

    claim_chosen = Signal(object)  # Claim

    def __init__(self, title: str, evidence: QWidget, more: QWidget | None = None) -> None:
        super().__init__()
        self._claims: tuple[Claim, ...] = ()
        self.sentences = _Sentences()
        self.sentences.setAccessibleName(f"Reasons: {title}")
        self.sentences.setToolTip("A sentence opens the number it rests on.")
        self.sentences.currentRowChanged.connect(self._on_row_changed)
        self.sentences.itemClicked.connect(self._on_clicked)
        self.heading = QLabel(title, wordWrap=True)
        # Nothing that scrolls wraps: Qt would give it the height it likes best, and scroll where it could shrink.
        rows = QWidget()
        inner = tight(QVBoxLayout(rows), spacing=4)
        inner.addWidget(evidence, 3 if more is None else 0)
        inner.addWidget(self.sentences, 2)
        if more is not None:
            inner.addWidget(more, 1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(rows)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(4, 4, 4, 4)
        whole.setSpacing(4)
        whole.addWidget(self.heading)
        whole.addWidget(scroll, 1)

    def show_claims(self, claims: tuple[Claim, ...]) -> None:
        self._claims = claims
        self.sentences.blockSignals(True)
        self.sentences.clear()
        for claim in claims:
            self.sentences.addItem(claim.text)
        self.sentences.blockSignals(False)

    def _on_row_changed(self, row: int) -> None:
        if 0 <= row < len(self._claims):
            self.claim_chosen.emit(self._claims[row])

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self._on_row_changed(self.sentences.row(item))


class _PredictionView(QWidget):
    """Every opponent's range as the bot reads it; one of them enlarged with its chain of updates."""

    odds_requested = Signal(object)  # RangeAsked
    all_odds_requested = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._ranges: tuple[OpponentRange, ...] = ()
        self._tiles: list[RangeTile] = []
        self.area = TileArea()
        self.detail = RangeDetail(theme)
        self.detail.closed.connect(self._on_closed)
        self.detail.odds_requested.connect(self.odds_requested)
        self.detail.all_odds_requested.connect(self.all_odds_requested)
        self.back_button = QToolButton()
        self.back_button.setText("← All opponents")
        self.back_button.setToolTip("Back to all opponents (Esc)")
        self.back_button.setAccessibleName("Back to all opponents")
        self.back_button.clicked.connect(self._on_closed)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._on_closed)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._legend = HeatLegend(theme)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.area)
        self._pages.addWidget(self.detail)
        whole = tight(QVBoxLayout(self), spacing=3)
        whole.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addLayout(self._pages, 1)
        whole.addWidget(self._legend)

    def show_ranges(self, ranges: tuple[OpponentRange, ...]) -> None:
        """Show ranges; a single one at once with its chain."""
        self._ranges = ranges
        while len(self._tiles) < len(ranges):
            tile = RangeTile(self._theme, self.area)
            tile.chosen.connect(self.open_seat)
            tile.odds_requested.connect(self.odds_requested)
            tile.all_odds_requested.connect(self.all_odds_requested)
            self._tiles.append(tile)
        for tile, opponent in zip(self._tiles, ranges, strict=False):
            tile.show_range(opponent)
            tile.show()
        for tile in self._tiles[len(ranges) :]:
            tile.hide()
        self.area.tiles = self._tiles[: len(ranges)]
        self.area.arrange()
        if len(ranges) == 1:
            self.open_seat(ranges[0].seat)
        else:
            self._on_closed()

    def open_seat(self, seat: Seat) -> None:
        opponent = next(opponent for opponent in self._ranges if opponent.seat == seat)
        self.detail.show_range(opponent, None)
        self._pages.setCurrentWidget(self.detail)
        self.back_button.setVisible(len(self._ranges) > 1)
        self._escape.setEnabled(len(self._ranges) > 1)
        self._legend.hide()

    def open_evidence(self, opponent: int, update: int | None, hand_class: int | None) -> None:
        """Open an opponent, one step of their chain, and a cell of the grid."""
        self.open_seat(self._ranges[opponent].seat)
        if update is not None:
            self.detail.chain_table.selectRow(update + 1)
        if hand_class is not None:
            self.detail.show_cell(hand_class)

    def _on_closed(self) -> None:
        if len(self._ranges) != 1:
            self._pages.setCurrentWidget(self.area)
            self.back_button.hide()
            self._escape.setEnabled(False)
            self._legend.show()


class _DecisionList(QListWidget):
    """The decisions of a hand; the one that is open stays in sight at any height."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (opened := self.currentItem()) is not None:
            self.scrollToItem(opened)


class ReasoningPanel(QWidget):
    """Opens the decisions of the bots, of the finished hand or in study mode of the running one."""

    study_requested = Signal(bool)
    odds_requested = Signal(object)  # Trace
    range_odds_requested = Signal(object)  # RangeAsked
    answers_requested = Signal(object)  # Trace: `show_answers` is to be called with what opponents would have done

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._answers: tuple[Trace | None, tuple[Answers, ...]] = (None, ())
        self._traces: tuple[Trace, ...] = ()
        self._unopened: int | None = None
        self._names: Mapping[Seat, str] = {}
        self._in_big_blinds = False
        self._view: DecisionView | None = None
        self._make_head()
        self._make_stages()
        self._lay_out()
        self.clear()

    def _make_head(self) -> None:
        self.study_button = QToolButton()
        self.study_button.setText("Study the running hand (shows cards)")
        self.study_button.setCheckable(True)
        self.study_button.setAccessibleName("Study mode")
        self.study_button.setToolTip(
            "Opens decisions while the hand is being played. Their traces show the bots' cards: "
            "you play with knowledge that nobody at a table has."
        )
        self.study_button.toggled.connect(self.study_requested)
        self.decisions = _DecisionList()
        self.decisions.setAccessibleName("Decisions of the hand")
        self.decisions.currentRowChanged.connect(self._on_decision_chosen)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._title.setAccessibleName("Decision")
        make_bold(self._title)
        self.cards = _CardStrip(self._theme)
        self.odds_button = QToolButton()
        self.odds_button.setText("Odds…")
        self.odds_button.setAutoRaise(True)
        self.odds_button.setAccessibleName("Open in the odds calculator")
        self.odds_button.setToolTip(
            "Open this decision in the odds calculator, as the player saw it (Ctrl+Shift+O)"
        )
        self.odds_button.clicked.connect(self.ask_odds)
        self._conclusion = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._conclusion.setAccessibleName("Why")

    def _make_stages(self) -> None:
        self._actions = RowsModel(("Street", "Who", "Action", ">Size/pot", "From", ">In"), self)
        self.actions_table = make_table(self._actions, STAGES[0][1], 2)
        self._figures = RowsModel(("Of", "Number", ">Value", ">A stranger's", ">Seen"), self)
        self.figures_table = make_table(self._figures, STAGES[1][1], 1)
        self.prediction = _PredictionView(self._theme)
        self.prediction.odds_requested.connect(self.range_odds_requested)
        self.prediction.all_odds_requested.connect(self.ask_odds)
        self.chart = ThresholdChart(self._theme)
        self.values = ValueTable(self._theme)
        self.policy = PolicyChart(self._theme)
        self._track = PolicyTrack()
        self._session: Hashable = None
        self._numbers = RowsModel(("Number", ">Value", "How"), self)
        self.numbers_table = make_table(self._numbers, STAGES[_DECISION][1], 2)
        self.numbers_table.setMinimumHeight(_LEAST_LIST)
        decision = QWidget()
        tight(QVBoxLayout(decision), self.chart, self.values, self.policy, spacing=4)
        self._counts, self.counts_table = make_counts(self)
        more = QWidget()
        below = tight(QVBoxLayout(more), self.counts_table, spacing=4)
        below.addWidget(self.numbers_table, 1)
        self.stages = Tabs()
        self.stages.setAccessibleName("Stages of the decision")
        self.stages.setDocumentMode(True)
        evidence: tuple[QWidget, ...] = (self.actions_table, self.figures_table, self.prediction, decision)
        self.pages: list[_StagePage] = []
        for index, (short, full, purpose) in enumerate(STAGES):
            page = _StagePage(full, evidence[index], more if index == _DECISION else None)
            page.heading.setToolTip(purpose)
            page.claim_chosen.connect(self._on_claim_chosen)
            self.pages.append(page)
            self.stages.addTab(page, short)
            self.stages.setTabToolTip(index, full)
        self.stages.setCurrentIndex(_DECISION)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        titles = tight(QVBoxLayout(), self._title, self._conclusion, spacing=2)
        head.addLayout(titles, 1)
        head.addWidget(self.odds_button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.cards, 0, Qt.AlignmentFlag.AlignTop)
        self._open = QWidget()
        opened = tight(QVBoxLayout(self._open), head, spacing=4)
        opened.addWidget(self.stages, 1)
        self._empty = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._whole = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._whole.setSpacing(4)
        self._whole.addWidget(self.decisions)
        self._whole.addWidget(self._open, 1)
        self._whole.addWidget(self._empty, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(6, 4, 6, 4)
        outer.setSpacing(4)
        outer.addLayout(self._whole, 1)
        outer.addWidget(self.study_button, 0, Qt.AlignmentFlag.AlignLeft)

    # Setters

    def begin_session(self) -> None:
        """Take another session to the table."""
        self._track.begin()

    def track_hand(self, traces: tuple[Trace, ...]) -> None:
        """Take decisions of hands that have ended on the table into the graph of distances, shown or not."""
        self._track.add(traces)

    def show_traces(self, traces: tuple[Trace, ...], names: Mapping[Seat, str], session: Hashable = None) -> None:
        """Show the decisions of a hand; the one opened stays open, a new last one is followed.

        `session` tells another session than that on the table from all others.
        """
        if len(traces) == len(self._traces) and all(a is b for a, b in zip(traces, self._traces, strict=True)):
            return
        row = self.decisions.currentRow()
        kept = self._traces[row] if 0 <= row < len(self._traces) - 1 else None
        self._traces, self._names, self._session = traces, names, session
        self._track.add(traces, session)
        self.decisions.blockSignals(True)
        self.decisions.clear()
        for trace in traces:
            self.decisions.addItem(decision_label(trace, names, self._in_big_blinds))
        self.decisions.blockSignals(False)
        if not traces:
            self.clear()
            return
        position = next((index for index, trace in enumerate(traces) if trace is kept), len(traces) - 1)
        self._set_open(True)
        if self.isVisible():
            self.decisions.setCurrentRow(position)
        else:
            self._unopened = position  # in a hidden tab it would only cost the window a frame

    def go_to(self, event_count: int) -> None:
        """Open the last decision that was made within so many events of the hand."""
        made = [row for row, trace in enumerate(self._traces) if len(trace.observation.events) < event_count]
        row = made[-1] if made else 0
        if self.isVisible():
            self.decisions.setCurrentRow(row)
        elif self._traces:
            self._unopened = row

    @Slot()
    def ask_odds(self) -> bool:
        """Ask for the odds of the decision opened, as its player saw them; return whether there is one."""
        row = self.decisions.currentRow()
        is_open = 0 <= row < len(self._traces)
        if is_open:
            self.odds_requested.emit(self._traces[row])
        return is_open

    def set_study(self, is_on: bool) -> None:
        """Follow study mode when it is switched elsewhere."""
        self.study_button.setChecked(is_on)

    def set_units(self, big_blinds: bool) -> None:
        self._in_big_blinds = big_blinds
        for row, trace in enumerate(self._traces):
            self.decisions.item(row).setText(decision_label(trace, self._names, big_blinds))
        if self._view is not None:
            self._on_decision_chosen(self.decisions.currentRow())

    def set_four_colours(self, is_four: bool) -> None:
        self.cards.set_four_colours(is_four)

    def clear(self, why: str = _SEALED) -> None:
        """Show that no decision can be opened now, and why."""
        self._traces = ()
        self._unopened = None
        self._view = None
        self._answers = (None, ())
        self.decisions.clear()
        self._empty.setText(why)
        self._set_open(False)

    def _set_open(self, is_open: bool) -> None:
        self._open.setVisible(is_open)
        self.decisions.setVisible(is_open)
        self._empty.setVisible(not is_open)

    # Showing

    def _on_decision_chosen(self, row: int) -> None:
        if 0 <= row < len(self._traces):
            trace = self._traces[row]
            if self._answers[0] is not trace:
                self._answers = (trace, ())
                self.values.mark(None)
                if trace.values is not None:
                    self.answers_requested.emit(trace)
            self._show(DecisionView(trace, self._names, self._in_big_blinds))

    def show_answers(self, trace: Trace, answers: tuple[Answers, ...]) -> None:
        """Show what opponents would have done about each action of a decision, if that is the one opened."""
        if self._view is not None and self._answers[0] is trace:
            self._answers = (trace, answers)
            self.values.show_view(self._view.values(answers))

    def _show(self, view: DecisionView) -> None:
        self._view = view
        self._title.setText(view.title)
        self._title.setToolTip(plain_tip(view.spoken))
        self._conclusion.setText(view.conclusion)
        self.cards.show_cards(view.hole_cards, view.board, view.spoken)
        self._actions.show_rows(view.actions().rows)
        figures = view.figures().rows
        self._figures.show_rows(figures, tips=[row[1] for row in figures])
        if view.has_reading:
            self.prediction.show_ranges(view.opponents())
        self._numbers.show_rows(view.numbers().rows)
        self.chart.show_view(view.thresholds())
        self._show_values(view.values(self._answers[1]))
        self.policy.show_view(
            view.policy(), self._track.view(self._traces[self.decisions.currentRow()], self._session)
        )
        for index, page in enumerate(self.pages):
            page.show_claims(view.claims_of(index + 1))
            self.stages.setTabEnabled(index, index == _DECISION or view.has_reading)
        self.pages[_DECISION].heading.setText(view.decision_title)
        if not view.has_reading:
            self.stages.setCurrentIndex(_DECISION)

    def _show_values(self, values: ValuesView | None) -> None:
        self.values.show_view(values)
        counts = values.counts if values is not None else ()
        self.counts_table.setVisible(bool(counts))
        self._counts.show_rows(counts)
        fit_height(self.counts_table, min(len(counts), _MOST_COUNTS))

    def _on_claim_chosen(self, claim: Claim) -> None:
        if self._view is None:
            return
        self.stages.setCurrentIndex(claim.stage - 1)
        if claim.stage == 1:
            _select(self.actions_table, self._view.actions(), claim.evidence)
        elif claim.stage == 2:
            _select(self.figures_table, self._view.figures(), claim.evidence)
        elif claim.stage == 3:
            place = self._view.place_of(claim.evidence)
            self.prediction.open_evidence(*place)
        else:
            _select(self.numbers_table, self._view.numbers(), claim.evidence)
            thresholds = self._view.thresholds()
            paths = [step.path for step in thresholds.steps] if thresholds else []
            self.chart.mark(row_of(paths, claim.evidence))
            self.policy.mark(claim.evidence)
            if (values := self._view.values()) is not None:
                self.values.mark(row_of(values.paths, claim.evidence))
                _select(self.counts_table, Rows(values.counts, values.count_paths), claim.evidence)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._unopened is not None:
            self.decisions.setCurrentRow(self._unopened)
            self._unopened = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _WIDE
        direction = QBoxLayout.Direction
        self._whole.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        line = round(QFontMetricsF(self.font()).height()) + 4
        unlimited = 16777215
        least = 3 if self.height() < _LOW * line else 4
        self.decisions.setMinimumHeight((least - 1) * line)
        self.decisions.setMaximumHeight(unlimited if is_wide else max(least * line, self.height() // 6))
        self.decisions.setMaximumWidth(max(230, self.width() // 4) if is_wide else unlimited)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 320)

    def sizeHint(self) -> QSize:
        return QSize(500, 650)


def _select(table: QTableView, rows: Rows, evidence: str) -> None:
    """Select the row that holds a piece of evidence, or none."""
    row = rows.row_of(evidence)
    if row is None:
        table.clearSelection()
    else:
        table.selectRow(row)
        table.scrollTo(table.model().index(row, 0))
