"""The odds calculator: up to ten hands or ranges, board and dead cards, and their odds as they come in."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, Street, format_cards
from engine.checks import EquityError
from engine.foreign_text import printable
from engine.ranges import Range
from trainer.calculator.card_fields import CardsPanel
from trainer.calculator.card_picker import CardPicker
from trainer.calculator.decisions import DecisionPanel
from trainer.calculator.decisions_model import DecisionsModel
from trainer.calculator.exchange import OddsExchange
from trainer.calculator.field import UndoElsewhere, redo_keys, undo_keys
from trainer.calculator.input_model import BOARD_CARDS
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.player_row import OddsHead, OddsRow
from trainer.calculator.run_model import RunState
from trainer.charts.charts_model import ChartsModel
from trainer.charts.tabs import ChartTabs
from trainer.jobs import Jobs
from trainer.ranges.editing_model import EMPTY
from trainer.ranges.editor import RangeEditor
from trainer.ranges.library import RangeLibrary
from trainer.ranges.library_window import RangeLibraryDialog
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, open_at, set_text_factor
from trainer.widgets.text_field import ColouredLabel

_log = logging.getLogger(__name__)

_DEFAULT_SAMPLES = 1_000_000
_STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_PROGRESS_STEPS = 1000
_USUAL_SIZE = QSize(1240, 660)
_PANEL_WIDTH = 480
_LARGEST_PREVIEW = 8  # lines of text
_LEAST_SIZE = QSize(480, 300)  # what does not fit scrolls


@dataclass(frozen=True, slots=True)
class _Pick:
    """What the open card picker is choosing for, and what to do with a choice."""

    title: str
    cards: tuple[Card, ...]
    capacity: int
    besides: str | int
    take: Callable[[tuple[Card, ...]], None]


class OddsWindow(QWidget):
    """The calculator's window; non-modal, everything in it works by keyboard too.

    Parameters
    ----------
    theme : ThemeSource
    jobs : Jobs
        Run the odds, in the lanes of `OddsRun`.
    model : OddsModel, optional
        By default one of its own.
    library : RangeLibrary, optional
        Named ranges, by default none but those that come with the app.
    ranking : int
        Whose order best hands and percentages are of, without a model: see `RangeEditor`.
    settings : SettingsFile, optional
        Remembers the window's size and the last question; without one nothing is remembered.

    Attributes
    ----------
    panels : QTabWidget
        What is shown beside the players, a tab each.
    """

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        model: OddsModel | None = None,
        *,
        library: RangeLibrary | None = None,
        ranking: int = 1,
        settings: SettingsFile | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Odds calculator")
        self.setAcceptDrops(True)
        self._theme = theme
        self._jobs = jobs
        self._is_divided = False
        self._settings = settings
        self.model = model or OddsModel(jobs, ranking=ranking)
        self.rows: list[OddsRow] = []
        self.picker = CardPicker(theme, self)
        library = library or RangeLibrary()
        self.editor = RangeEditor(theme, self, library, self.model.ranking)
        self.library = RangeLibraryDialog(theme, library, self)
        self._library_key = -1
        self._edited_key = -1
        self._is_following = False
        self._tab_order: list[QWidget] = []
        self._pick: _Pick | None = None
        self.exchange = OddsExchange(self, self.model)
        stack = self.model.undo_stack
        self.board = CardsPanel(theme, stack, "&Board", "Board", BOARD_CARDS)
        self.dead = CardsPanel(theme, stack, "&Dead", "Dead cards", 0)
        self.add = QPushButton("&Add player")
        self.run = QPushButton("&Run")
        self.pause = QPushButton("&Pause")
        self.method = QComboBox()
        self.samples = QSpinBox(minimum=2, maximum=1_000_000_000, value=_DEFAULT_SAMPLES)
        self.progress = QProgressBar()
        self.result = ColouredLabel(theme)
        self.notice = ColouredLabel(theme, "bad")
        self._rows_layout = QVBoxLayout()
        self.panels = QTabWidget(documentMode=True)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._build()
        self.decision = DecisionPanel(theme, DecisionsModel(self.model, jobs))
        self._build_panels()
        self._connect()
        self._on_input_changed()
        self._on_odds_changed()
        self._restore()
        self.rows[0].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_question(
        self,
        players: Sequence[str | Range],
        board: Sequence[Card] | str = (),
        dead: Sequence[Card] | str = (),
        names: Sequence[str] = (),
        *,
        pot: float | None = None,
        to_call: float | None = None,
        bet: float | None = None,
        folded: Sequence[int] = (),
    ) -> None:
        """Replace everything entered, for instance by a position at the table; see the view model."""
        self.editor.close()
        self.library.close()
        self.model.set_question(players, board, dead, names, pot=pot, to_call=to_call, bet=bet, folded=folded)

    def set_four_colours(self, is_on: bool) -> None:
        """Choose the deck."""
        self.picker.set_four_colours(is_on)
        if self.board.slots is not None:
            self.board.slots.set_four_colours(is_on)
        self.decision.set_four_colours(is_on)

    # ---- parts

    def _build_panels(self) -> None:
        """Add the tabs."""
        self.charts = ChartTabs(self._theme, self.model, ChartsModel(self._jobs), self.panels)
        self.panels.addTab(self.decision, "Decision")

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer.addWidget(scroll)
        content = QWidget()
        scroll.setWidget(content)
        whole = QVBoxLayout(content)
        whole.setContentsMargins(8, 8, 8, 10)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panels)
        self.splitter.setCollapsible(0, False)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setHandleWidth(8)
        whole.addWidget(self.splitter)
        self.panels.setAccessibleName("Pictures and figures")
        layout.addLayout(self._build_tools())
        layout.addWidget(self.notice)
        layout.addLayout(self._build_cards())
        layout.addLayout(self._build_rows(), 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.result)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _PROGRESS_STEPS)
        self.progress.setAccessibleName("Progress of the run")
        layout.addLayout(self._build_controls())
        self.result.setWordWrap(True)
        set_text_factor(self.result, 1.15, is_bold=False)
        self.result.setAccessibleName("Result")
        self.notice.setWordWrap(True)
        self.notice.setAccessibleName("Message")
        self.notice.hide()
        self.setMinimumSize(_LEAST_SIZE)
        self._fit_heights()

    def _fit_heights(self) -> None:
        line = self.fontMetrics().height()
        self.progress.setFixedHeight(max(4, line // 3))
        self.players.setMinimumHeight(8 * line)

    def _build_tools(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(6)
        stack = self.model.undo_stack
        self.undo, self.redo = QToolButton(), QToolButton()
        for button, text, act in ((self.undo, "&Undo", stack.undo), (self.redo, "R&edo", stack.redo)):
            button.setText(text)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setEnabled(False)
            button.clicked.connect(act)
            line.addWidget(button)
        self.clear = QToolButton()
        self.clear.setText("Clear all")
        self.clear.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        line.addSpacing(10)
        for button in (self.exchange.open, self.exchange.save, self.exchange.paste, self.exchange.copy):
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(self.clear)
        return line

    def _build_cards(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(14)
        self.board.add_button(self._menu_button("Random", "Board: deal at random", self.model.deal_board))
        self.board.add_button(self._menu_button("Clear", "Board: take back", self.model.clear_board))
        self.board.buttons.addStretch(1)
        self.dead.buttons.addStretch(1)
        self.board.field.setPlaceholderText("such as Ks 7d 2h")
        self.dead.field.setPlaceholderText("out of play")
        line.addWidget(self.board, 3)
        line.addWidget(self.dead, 2)
        return line

    def _build_rows(self) -> QVBoxLayout:
        whole = QVBoxLayout()
        whole.setSpacing(0)
        self._head = OddsHead(self._theme)
        whole.addWidget(self._head)
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        self._rows_layout.setSpacing(0)
        inner.addLayout(self._rows_layout)
        inner.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addStretch(1)
        self.players = QScrollArea(widgetResizable=True)
        self.players.setFrameShape(QFrame.Shape.NoFrame)
        self.players.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.players.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.players.setWidget(content)
        self.players.verticalScrollBar().rangeChanged.connect(self._on_scroll_range)
        whole.addWidget(self.players, 1)
        return whole

    def _build_controls(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.method.addItems(["Automatic", "Exact", "Sampled"])
        for text, widget in (("&Method", self.method), ("Dea&ls", self.samples)):
            label = QLabel(text)
            label.setBuddy(widget)
            line.addWidget(label)
            line.addWidget(widget)
        self.method.setAccessibleName("Method: automatic, exact or sampled")
        self.samples.setAccessibleName("Number of deals to sample")
        self.samples.setSingleStep(100_000)
        self.samples.setGroupSeparatorShown(True)
        self.samples.setKeyboardTracking(False)
        line.addStretch(1)
        for button in (self.pause, self.run):
            line.addWidget(button)
        return line

    def _menu_button(self, text: str, name: str, act: Callable[[Street], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(name)
        menu = QMenu(button)
        for street in _STREETS:
            menu.addAction(_street_text(text, street), partial(act, street))
        button.setMenu(menu)
        return button

    def _connect(self) -> None:
        model = self.model
        model.input_changed.connect(self._on_input_changed)
        model.odds_changed.connect(self._on_odds_changed)
        self.board.field.textEdited.connect(model.set_board_text)
        self.dead.field.textEdited.connect(model.set_dead_text)
        for panel in (self.board, self.dead):
            panel.field.editingFinished.connect(model.end_step)
            panel.field.question_pasted.connect(self.exchange.take_line)
        self.board.pick.clicked.connect(self._on_pick_board)
        self.dead.pick.clicked.connect(self._on_pick_dead)
        if self.board.slots is not None:
            self.board.slots.slot_clicked.connect(self._on_pick_board_slot)
        self.picker.cards_changed.connect(self._on_picked)
        self.picker.closed.connect(model.end_step)
        self.editor.range_changed.connect(self._on_range_edited)
        self.library.range_chosen.connect(self._on_range_loaded)
        self.editor.ranking_changed.connect(self._on_ranking)
        self.editor.finished.connect(self._on_range_done)
        self.exchange.said.connect(self._on_said)
        self.exchange.taken.connect(self.editor.close)
        self.exchange.taken.connect(self.library.close)
        self.add.clicked.connect(self._on_add)
        self.run.clicked.connect(self._on_run)
        self.pause.clicked.connect(self._on_pause)
        self.clear.clicked.connect(self._on_clear)
        self.method.currentIndexChanged.connect(self._on_method)
        self.samples.valueChanged.connect(self._on_method)
        QShortcut(QKeySequence("F5"), self, model.start)
        QShortcut(QKeySequence("F6"), self, self._on_pause)
        QShortcut(QKeySequence("Esc"), self, self._on_escape)
        QShortcut(QKeySequence("Ctrl+N"), self, self._on_add)
        QShortcut(QKeySequence("Ctrl+L"), self, self._on_library_key)
        self._connect_undo()

    def _connect_undo(self) -> None:
        stack = self.model.undo_stack
        stack.canUndoChanged.connect(self.undo.setEnabled)
        stack.canRedoChanged.connect(self.redo.setEnabled)
        stack.undoTextChanged.connect(self._on_undo_text)
        stack.redoTextChanged.connect(self._on_redo_text)
        for keys, act in ((undo_keys(), stack.undo), (redo_keys(), stack.redo)):
            for key in keys:
                QShortcut(key, self, act)
        self._undo_filter = UndoElsewhere(self)
        for part in (self.panels, self.samples):
            for field in (*part.findChildren(QLineEdit), *part.findChildren(QAbstractSpinBox)):
                field.installEventFilter(self._undo_filter)
        self.samples.installEventFilter(self._undo_filter)
        self._on_undo_text("")
        self._on_redo_text("")

    def _restore(self) -> None:
        """Take up what was remembered: the size, and the last question as a step that can be undone."""
        open_at(self, _USUAL_SIZE)
        if self._settings is None:
            return
        remembered = self._settings.settings
        self.restoreGeometry(remembered.odds_geometry)
        self._is_divided = self.splitter.restoreState(remembered.odds_state)
        if remembered.odds_question:
            try:
                self.model.take_line(remembered.odds_question)
            except EquityError as error:
                _log.warning("The last question cannot be read: %s", error)

    # ---- what the model says

    def _on_input_changed(self) -> None:
        model = self.model
        while len(self.rows) > len(model.rows):
            gone = self.rows.pop()
            self._rows_layout.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.rows) < len(model.rows):
            self._add_row()
        self._order_tabs()
        clashes = model.clashes
        self.board.refresh(model.board, clashes.get("board", ""))
        self.dead.refresh(model.dead, clashes.get("dead", ""))
        for row in self.rows:
            row.refresh()
        self.add.setEnabled(model.can_add)
        self._show_method()
        self._on_said("", True)
        self.exchange.refresh()
        self._keep_editor_in_step()
        self._keep_library_in_step()
        self._fit_previews()

    def _keep_library_in_step(self) -> None:
        """Let the library save the range as it is now; close it if the row is gone."""
        if self.library.isVisible():
            index = self._index_of(self._library_key)
            if index is None:
                self.library.close()
            else:
                self.library.set_range(self.model.rows[index].hands)

    def _fit_previews(self) -> None:
        """Let the pictures of the ranges use the height that few players leave."""
        line = self.fontMetrics().height()
        usual, spare = 3.0 * line, self.players.viewport().height() - 2.2 * line
        side = min(max(spare / len(self.rows) - 0.7 * line, usual), _LARGEST_PREVIEW * line, self.width() / 9)
        whole = 13 * max(int(side - 4) // 13, 1) + 4  # each cell as large as the others, within the frame
        self._head.set_preview_side(whole)
        for row in self.rows:
            row.set_preview_side(whole)

    def _order_tabs(self) -> None:
        """Let Tab go through the window as it is read: cards, players, method, run, panels."""
        order: list[QWidget] = [self.clear, *self.board.tab_order, *self.dead.tab_order]
        for row in self.rows:
            order += row.tab_order
        order += [self.add, self.method, self.samples, self.pause, self.run]
        if order == self._tab_order:
            return
        self._tab_order = order
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def _keep_editor_in_step(self) -> None:
        """Show in the range editor what became of its range by typing or undoing; close it if the row is gone."""
        self.editor.show_ranking(self.model.ranking)
        if not self.editor.isVisible():
            return
        index = self._edited_index()
        if index is None:
            self.editor.close()
            return
        hands = self.model.rows[index].hands or EMPTY
        if hands != self.editor.hands:
            self._is_following = True
            self.editor.apply(hands)
            self._is_following = False

    def _show_method(self) -> None:
        entered = self.model.entered
        with QSignalBlocker(self.method), QSignalBlocker(self.samples):
            self.method.setCurrentIndex(1 if entered.is_exact else 0 if entered.samples is None else 2)
            if entered.samples is not None:
                self.samples.setValue(min(entered.samples, self.samples.maximum()))
        self.samples.setEnabled(entered.samples is not None)

    def _add_row(self) -> None:
        row = OddsRow(self._theme, self.model, len(self.rows))
        row.pick.clicked.connect(lambda: self._on_pick_hand(row))
        row.preview.clicked.connect(lambda: self._on_edit_range(row))
        row.library_requested.connect(lambda: self._on_library(row))
        row.field.question_pasted.connect(self.exchange.take_line)
        row.field.left.connect(lambda step: self._on_field_left(row, step))
        self.rows.append(row)
        self._rows_layout.addWidget(row)

    def _on_odds_changed(self) -> None:
        model = self.model
        for row in self.rows:
            row.refresh_odds()
        is_wrong = model.state in (RunState.NOTHING, RunState.FAILED)
        is_partial = model.state in (RunState.STOPPED, RunState.PAUSED)
        self.result.setText(model.run_text())
        self.result.set_meaning(
            "bad" if model.state is RunState.FAILED else "warning" if is_partial or is_wrong else "text"
        )
        self.progress.setValue(round(_PROGRESS_STEPS * model.progress))
        self.run.setText("&Cancel" if model.is_busy else "&Run")
        self.run.setToolTip("Stop and keep what is there (Esc)" if model.is_busy else "Compute again (F5)")
        self.run.setEnabled(model.is_busy or model.state is not RunState.NOTHING)
        self.pause.setText("Run o&n" if model.can_run_on else "&Pause")
        self.pause.setToolTip(self._pause_tip())
        self.pause.setEnabled(model.is_busy or model.can_run_on)
        self.exchange.refresh()

    def _pause_tip(self) -> str:
        model = self.model
        if not model.can_run_on:
            return "Leave the run where it is (F6)"
        is_done = model.state is RunState.FINISHED
        return "Sample as many deals again (F6)" if is_done else "Go on where it was left (F6)"

    def _on_undo_text(self, text: str) -> None:
        _tell_step(self.undo, f"Undo {text}".strip(), "Ctrl+Z")

    def _on_redo_text(self, text: str) -> None:
        _tell_step(self.redo, f"Redo {text}".strip(), "Ctrl+Y")

    def _on_said(self, text: str, is_good: bool) -> None:
        self.notice.set_meaning("text_muted" if is_good else "bad")
        self.notice.setText(printable(text))
        self.notice.setVisible(bool(text))

    # ---- what the user does

    def _on_run(self) -> None:
        if self.model.is_busy:
            self.model.stop()
        else:
            self.model.start()

    def _on_escape(self) -> None:
        self.model.stop()
        self.charts.stop()

    def _on_pause(self) -> None:
        if self.model.is_busy:
            self.model.pause()
        else:
            self.model.run_on()

    def _on_clear(self) -> None:
        self.set_question(())
        self.rows[0].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_add(self) -> None:
        if self.model.can_add:
            self.model.add_player()
            self.rows[-1].field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.players.ensureWidgetVisible(self.rows[-1])

    def _on_field_left(self, row: OddsRow, step: int) -> None:
        index = min(max(row.index + step, 0), len(self.rows) - 1)
        self.rows[index].field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.players.ensureWidgetVisible(self.rows[index])

    def _on_method(self) -> None:
        choice = self.method.currentIndex()
        self.model.set_method(is_exact=choice == 1, samples=self.samples.value() if choice == 2 else None)

    def _on_scroll_range(self, _least: int, most: int) -> None:
        bar = self.players.verticalScrollBar().sizeHint().width() if most > 0 else 0
        self._head.setContentsMargins(0, 0, bar, 0)

    def _on_pick_board(self) -> None:
        self._open_picker(self._board_pick(), self.board.pick)

    def _on_pick_board_slot(self, number: int) -> None:
        self._open_picker(self._board_pick(), self.board, number)

    def _board_pick(self) -> _Pick:
        return _Pick("Board", self.model.board.cards, BOARD_CARDS, "board", self._take_board)

    def _on_pick_dead(self) -> None:
        pick = _Pick("Dead cards", self.model.dead.cards, CARD_COUNT, "dead", self._take_dead)
        self._open_picker(pick, self.dead.pick)

    def _on_pick_hand(self, row: OddsRow) -> None:
        hole_cards = self.model.rows[row.index].hole_cards
        name = self.model.name_of(row.index)
        self._open_picker(
            _Pick(name, hole_cards, 2, row.index, lambda cards: self._take_hand(row, cards)), row.pick
        )

    def _open_picker(self, pick: _Pick, below: QWidget, place: int | None = None) -> None:
        self._pick = pick
        self.model.end_step()
        used = self.model.used_cards(besides=pick.besides)
        self.picker.open_for(pick.title, pick.cards, pick.capacity, used, below, place)

    def _on_picked(self, cards: tuple[Card, ...]) -> None:
        if self._pick is not None:
            self._pick.take(cards)

    def _take_board(self, cards: tuple[Card, ...]) -> None:
        self.model.set_board_text(format_cards(cards, " "))

    def _take_dead(self, cards: tuple[Card, ...]) -> None:
        self.model.set_dead_text(format_cards(cards, " "))

    def _take_hand(self, row: OddsRow, cards: tuple[Card, ...]) -> None:
        if len(cards) != 1:  # half a hand is no hand yet
            self.model.set_player_text(row.index, format_cards(cards))

    def _on_edit_range(self, row: OddsRow) -> None:
        state = self.model.rows[row.index]
        self._edited_key = state.key
        self.model.end_step()
        self.editor.open_for(f"Range of {self.model.name_of(row.index)}", state.hands, self.model.entered.blockers)

    def _on_library_key(self) -> None:
        """Open the library for the row that has the focus, else for the first one."""
        focus = self.focusWidget()
        here = [row for row in self.rows if focus is not None and row.isAncestorOf(focus)]
        self._on_library((here or self.rows)[0])

    def _on_library(self, row: OddsRow) -> None:
        state = self.model.rows[row.index]
        self._library_key = state.key
        self.model.end_step()
        self.library.setWindowTitle(f"Range library: {self.model.name_of(row.index)}")
        self.library.open_for(state.hands)

    def _on_range_loaded(self, hands: Range) -> None:
        index = self._index_of(self._library_key)
        if index is not None:
            self.model.set_player_range(index, hands)
            self.model.end_step()
            self.activateWindow()
            self.rows[index].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _edited_index(self) -> int | None:
        return self._index_of(self._edited_key)

    def _index_of(self, key: int) -> int | None:
        keys = [row.key for row in self.model.rows]
        return keys.index(key) if key in keys else None

    def _on_range_edited(self, hands: Range) -> None:
        index = self._edited_index()
        if index is not None and not self._is_following:
            self.model.set_player_range(index, hands, self.editor.field.text())

    def _on_ranking(self, ranking: int) -> None:
        self.model.set_ranking(ranking)

    def _on_range_done(self) -> None:
        self.model.end_step()

    # ---- Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.exchange.can_take(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.exchange.take_dropped(event.mimeData())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_previews()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_divided:  # only now are the parts as wide as they will be
            self._is_divided = True
            beside = max(2 * self.width() // 5, _PANEL_WIDTH)
            self.splitter.setSizes([self.width() - beside, beside])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and hasattr(self, "players"):
            self._fit_heights()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.stop()
        self.charts.stop()
        self.editor.close()
        self.library.close()
        if self._settings is not None:
            self._settings.change(
                odds_geometry=self.saveGeometry().data(),
                odds_state=self.splitter.saveState().data(),
                odds_question=self.model.line(),
                range_ranking=self.model.ranking,
            )
        super().closeEvent(event)


def _tell_step(button: QToolButton, said: str, key: str) -> None:
    button.setAccessibleName(said)
    button.setToolTip(f"{said} ({key})")


def _street_text(what: str, street: Street) -> str:
    name = street.name.lower()
    if what == "Random":
        return f"Up to the {name} ({BOARD_SIZE[street]} cards)"
    return {"flop": "All", "turn": "Turn and river", "river": "River"}[name]
