"""The odds calculator: up to ten hands or ranges, board and dead cards, and their odds as they come in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, Street, format_cards
from engine.ranges import Range
from trainer.jobs import Jobs
from trainer.range_library import RangeLibrary
from trainer.theme import ThemeSource
from trainer.viewmodels.odds import (
    BOARD_CARDS,
    CardField,
    FieldError,
    OddsViewModel,
    PlayerOdds,
    RunState,
    describe_row,
)
from trainer.widgets.card_picker import CardPicker, CardSlots
from trainer.widgets.range_editor import RangeEditor, RangePreview
from trainer.widgets.text_field import ColouredLabel, MarkedLineEdit, ShortenedLabel

_DEFAULT_SAMPLES = 1_000_000
_STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_STDERRS_SHOWN = 2.0
_FIELD_DIGITS = 64  # on a wide screen the bars are worth more than empty fields
_PROGRESS_STEPS = 1000


class EquityBar(QWidget):
    """One player's odds as a bar: wins solid, the part won by ties lighter, a whisker of two standard errors."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._odds: PlayerOdds | None = None
        self._is_faint = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Equity bar")
        theme.changed.connect(self._on_theme_changed)

    def show_odds(self, odds: PlayerOdds | None, *, is_faint: bool) -> None:
        """Show a player's odds, or an empty bar; faint while they are out of date."""
        self._odds, self._is_faint = odds, is_faint
        self.setAccessibleDescription("" if odds is None else f"equity {odds.equity}")
        self.update()

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(8 * line, round(1.1 * line))

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(4 * line, round(1.1 * line))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.fillRect(rect, QColor(theme.panel_raised))
        if self._odds is not None:
            painter.setOpacity(0.4 if self._is_faint else 1.0)
            width = rect.width()
            equity = self._odds.equity_share * width
            # Of a tie a player keeps a share only, so wins and ties do not add up to the equity.
            tied = min(max(self._odds.equity_share - self._odds.win_share, 0.0) * width, equity)
            painter.fillRect(QRectF(rect.x(), rect.y(), equity - tied, rect.height()), QColor(theme.heat[3]))
            painter.fillRect(QRectF(rect.x() + equity - tied, rect.y(), tied, rect.height()), QColor(theme.heat[2]))
            self._paint_whisker(painter, rect, equity)
        painter.setOpacity(1.0)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawRect(rect)
        middle = rect.x() + rect.width() / 2
        painter.setPen(QPen(QColor(theme.text_muted), 1, Qt.PenStyle.DotLine))
        painter.drawLine(round(middle), round(rect.top()), round(middle), round(rect.bottom()))

    def _paint_whisker(self, painter: QPainter, rect: QRectF, equity: float) -> None:
        assert self._odds is not None
        reach = _STDERRS_SHOWN * self._odds.stderr * rect.width()
        if reach <= 0:
            return
        painter.setPen(QPen(QColor(self._theme.theme.text), 1.6))
        left, right = max(equity - reach, 0) + rect.x(), min(equity + reach, rect.width()) + rect.x()
        middle, cap = rect.center().y(), 0.22 * rect.height()
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        for x in (left, right):
            painter.drawLine(round(x), round(middle - cap), round(x), round(middle + cap))


class OddsRow(QWidget):
    """One player: name, picture of the range, text, cards button, results, bar, remove button."""

    def __init__(self, theme: ThemeSource, model: OddsViewModel, index: int) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._shown: object = None
        self.index = index
        self.name = ShortenedLabel(theme)
        self.preview = RangePreview(theme)
        self.field = MarkedLineEdit(theme)
        self.pick = QToolButton()
        self.message = ShortenedLabel(theme, "text_muted")
        self.win, self.tie, self.equity, self.error = (ColouredLabel(theme) for _ in range(4))
        self.bar = EquityBar(theme)
        self.remove = QToolButton(autoRaise=True)
        self._build()
        self.field.textEdited.connect(self._on_text_edited)
        self.field.mark_changed.connect(self._show_message)
        self.remove.clicked.connect(self._on_remove)

    def _build(self) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 5, 0, 4)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(1)
        font = self.equity.font()
        font.setBold(True)
        self.equity.setFont(font)
        for column, widget in enumerate(
            (self.name, self.preview, self.field, self.pick, self.win, self.tie, self.equity, self.error, self.bar)
        ):
            is_tall = widget in (self.name, self.preview)
            layout.addWidget(widget, 0, column, 2 if is_tall else 1, 1)
        layout.addWidget(self.remove, 0, 9)
        layout.addWidget(self.message, 1, 2, 1, 8)
        size_columns(layout, self.fontMetrics().horizontalAdvance("0"))
        for label in (self.win, self.tie, self.equity, self.error):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.field.setMaximumWidth(_FIELD_DIGITS * self.fontMetrics().horizontalAdvance("0"))
        self.pick.setText("Cards")
        self.remove.setText("✕")
        self.field.setPlaceholderText("AhKh, 22+, A2s+, 15%, random …")

    def refresh(self) -> None:
        """Show what was entered."""
        model, row = self._model, self._model.rows[self.index]
        blockers = (*model.board.cards, *model.dead.cards)
        name = model.name_of(self.index)
        clash = model.clashes.get(self.index, "")
        self.remove.setEnabled(model.can_remove)
        seen = (row, blockers, name, clash)
        if seen == self._shown:
            return
        self._shown = seen
        self.name.setText(name)
        self.field.replace_text(row.text)
        self.preview.show_range(row.hands, blockers)
        show_error(self.field, row.error)
        self._show_message()
        for widget, text in (
            (self.field, f"{name}: hand or range"),
            (self.pick, f"{name}: choose two cards"),
            (self.preview, f"{name}: edit the range on a grid"),
            (self.remove, f"Remove {name}"),
            (self.bar, f"{name}: equity bar"),
        ):
            widget.setAccessibleName(text)
            if widget not in (self.field, self.bar):
                widget.setToolTip(text)

    def _show_message(self) -> None:
        row = self._model.rows[self.index]
        clash = self._model.clashes.get(self.index, "")
        if row.error is not None and self.field.is_marked:
            text, is_bad = row.error.message, True
        elif clash:
            text, is_bad = clash, True
        else:
            text, is_bad = describe_row(row, (*self._model.board.cards, *self._model.dead.cards)), False
        self.message.set_meaning("bad" if is_bad else "text_muted")
        self.message.setText(text)
        self.field.setAccessibleDescription(text)

    def refresh_odds(self) -> None:
        """Show the results."""
        odds, name = self._model.odds(self.index), self._model.name_of(self.index)
        is_faint = self._model.is_stale
        texts = ("–", "–", "–", "") if odds is None else (odds.win, odds.tie, odds.equity, odds.error)
        for label, text, what in zip(
            (self.win, self.tie, self.equity, self.error), texts, ("win", "tie", "equity", "error"), strict=True
        ):
            label.setText(text)
            label.setAccessibleName(f"{name}, {what}: {text}")
            label.set_meaning("text_muted" if is_faint or odds is None or label is self.error else "text")
        self.equity.setToolTip("" if odds is None else f"{odds.equity_share:.6f}")
        self.bar.show_odds(odds, is_faint=is_faint)

    def _on_text_edited(self, text: str) -> None:
        self._model.set_player_text(self.index, text)

    def _on_remove(self) -> None:
        self._model.remove_player(self.index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._theme.theme.border), 1))
        painter.drawLine(0, 0, self.width(), 0)


def size_columns(layout: QGridLayout, digit: int) -> None:
    """Give the columns of a row, or of the line above all rows, their widths in digits."""
    for column, digits in ((0, 9), (1, 6), (3, 8), (4, 8), (5, 8), (6, 9), (7, 8), (8, 12), (9, 4)):
        layout.setColumnMinimumWidth(column, digits * digit)
    layout.setColumnStretch(2, 3)
    layout.setColumnStretch(8, 2)


def show_error(field: MarkedLineEdit, error: FieldError | None) -> None:
    """Mark or unmark a field."""
    if error is None:
        field.unmark()
    else:
        field.mark(error.position, error.length)


class CardsPanel(QWidget):
    """The board or the dead cards: places or a count, the text, a picker, and a line for what is wrong."""

    def __init__(self, theme: ThemeSource, title: str, name: str, slot_count: int) -> None:
        super().__init__()
        self.title = title
        self.slots = CardSlots(theme, slot_count, name, 2.5) if slot_count else None
        self.field = MarkedLineEdit(theme)
        self.field.setAccessibleName(f"{name} as text")
        self.pick = QPushButton("Cards")
        self.pick.setAccessibleName(f"{name}: choose cards")
        self.buttons = QHBoxLayout()
        self.message = ShortenedLabel(theme, "bad")
        self._error: FieldError | None = None
        self._clash = ""
        label = QLabel(title)
        label.setBuddy(self.field)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(3)
        layout.setHorizontalSpacing(10)
        self.buttons.setSpacing(6)
        if self.slots is not None:
            layout.addWidget(self.slots, 0, 0, 2, 1)
        layout.addWidget(label, 0, 1)
        layout.addWidget(self.field, 0, 2)
        layout.addLayout(self.buttons, 1, 1, 1, 2)
        layout.addWidget(self.message, 2, 0, 1, 3)
        layout.setColumnStretch(2, 1)
        self.buttons.addWidget(self.pick)
        self.field.mark_changed.connect(self._show_message)

    def refresh(self, state: CardField, clash: str) -> None:
        """Show the cards and what is wrong with them."""
        self._error, self._clash = state.error, clash
        self.field.replace_text(state.text)
        if self.slots is not None:
            self.slots.show_cards(state.cards)
        show_error(self.field, state.error)
        self._show_message()

    def _show_message(self) -> None:
        is_shown = self._error is not None and self.field.is_marked
        text = self._error.message if is_shown and self._error is not None else self._clash
        self.message.setText(text)
        self.field.setAccessibleDescription(text)


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
        Odds run in its lane "odds".
    model : OddsViewModel, optional
        By default one of its own.
    library : RangeLibrary, optional
        Named ranges, by default none but those that come with the app.
    ranking : int
        Whose order the range editor's best hands are of: see `RangeEditor`.

    Attributes
    ----------
    panels : QTabWidget
        What is shown beside the players, a tab each; hidden while it has none.
    """

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        model: OddsViewModel | None = None,
        *,
        library: RangeLibrary | None = None,
        ranking: int = 1,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Odds calculator")
        self._theme = theme
        self.model = model or OddsViewModel(jobs)
        self.rows: list[OddsRow] = []
        self.picker = CardPicker(theme, self)
        self.editor = RangeEditor(theme, self, library, ranking)
        self._edited_key = -1
        self._pick: _Pick | None = None
        self.board = CardsPanel(theme, "&Board", "Board", BOARD_CARDS)
        self.dead = CardsPanel(theme, "&Dead", "Dead cards", 0)
        self.add = QPushButton("&Add player")
        self.run = QPushButton("&Run")
        self.method = QComboBox()
        self.samples = QSpinBox(minimum=1_000, maximum=1_000_000_000, value=_DEFAULT_SAMPLES)
        self.progress = QProgressBar()
        self.result = ColouredLabel(theme)
        self._rows_layout = QVBoxLayout()
        self.panels = QTabWidget(documentMode=True)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self._build()
        self._build_panels()
        self.panels.setVisible(self.panels.count() > 0)
        self._connect()
        self._on_input_changed()
        self._on_odds_changed()
        self.resize(self.minimumSize().expandedTo(QSize(980, 620)))
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
    ) -> None:
        """Replace everything entered, for instance by a position at the table; see the view model."""
        self.editor.close()
        self.model.set_question(players, board, dead, names, pot=pot, to_call=to_call, bet=bet)

    def set_four_colours(self, is_on: bool) -> None:
        """Choose the deck."""
        self.picker.set_four_colours(is_on)
        if self.board.slots is not None:
            self.board.slots.set_four_colours(is_on)

    # ---- parts

    def _build_panels(self) -> None:
        """Add the tabs."""

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 10, 12, 10)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panels)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        whole.addWidget(self.splitter)
        self.panels.setAccessibleName("Pictures and figures")
        cards = QHBoxLayout()
        cards.setSpacing(24)
        self.board.buttons.addWidget(self._menu_button("Random", "Board: deal at random", self.model.deal_board))
        self.board.buttons.addWidget(self._menu_button("Clear", "Board: take back", self.model.clear_board))
        self.board.buttons.addStretch(1)
        self.dead.buttons.addStretch(1)
        self.board.field.setPlaceholderText("such as Ks 7d 2h")
        self.dead.field.setPlaceholderText("cards out of play")
        cards.addWidget(self.board, 3)
        cards.addWidget(self.dead, 2)
        layout.addLayout(cards)
        layout.addLayout(self._build_rows(), 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.result)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _PROGRESS_STEPS)
        self.progress.setFixedHeight(5)
        self.progress.setAccessibleName("Progress of the run")
        layout.addLayout(self._build_controls())
        self.result.setWordWrap(True)
        font = self.result.font()
        font.setPointSizeF(1.15 * font.pointSizeF())
        self.result.setFont(font)
        self.result.setAccessibleName("Result")
        self.setMinimumSize(900, 560)

    def _build_rows(self) -> QVBoxLayout:
        whole = QVBoxLayout()
        whole.setSpacing(0)
        self._head = QWidget()
        head = QGridLayout(self._head)
        head.setContentsMargins(0, 0, 0, 2)
        head.setHorizontalSpacing(8)
        size_columns(head, self.fontMetrics().horizontalAdvance("0"))
        right = Qt.AlignmentFlag.AlignRight
        for column in (0, 1, 3, 9):  # a column without a widget would lose its spacing
            head.addWidget(QWidget(), 0, column)
        for column, text, tip in (
            (2, "Hand or range", "A hand such as AhKh, or a range such as 22+, A2s+, KTs-K8s, 15%, AA:0.5, random"),
            (4, "Win", "Share of deals won alone"),
            (5, "Tie", "Share of deals in which the pot is split"),
            (6, "Equity", "Share of the pot: wins, and the part won by ties"),
            (7, "Error", "Standard error of the equity: the truth lies within twice this 19 times out of 20"),
            (8, "Equity 0 to 100%", "Wins solid, the part won by ties lighter, whisker: two standard errors"),
        ):
            label = ColouredLabel(self._theme, "text_muted", text)
            label.setToolTip(tip)
            label.setAlignment(right if 4 <= column <= 7 else Qt.AlignmentFlag.AlignLeft)
            if column == 2:  # as wide as the fields below it
                label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
                label.setMaximumWidth(_FIELD_DIGITS * self.fontMetrics().horizontalAdvance("0"))
            head.addWidget(label, 0, column)
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
        self.copy = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy.setText("&Copy")
        menu = QMenu(self.copy)
        menu.addAction("As text", QKeySequence("Ctrl+Shift+C"), self._on_copy_text)
        menu.addAction("As Markdown", QKeySequence("Ctrl+Shift+M"), self._on_copy_markdown)
        self.copy.setMenu(menu)
        self.copy.setAccessibleName("Copy the results")
        self.clear = QPushButton("Clear all")
        for button in (self.copy, self.clear, self.run):
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
        self.model.input_changed.connect(self._on_input_changed)
        self.model.odds_changed.connect(self._on_odds_changed)
        self.board.field.textEdited.connect(self.model.set_board_text)
        self.dead.field.textEdited.connect(self.model.set_dead_text)
        self.board.pick.clicked.connect(self._on_pick_board)
        self.dead.pick.clicked.connect(self._on_pick_dead)
        if self.board.slots is not None:
            self.board.slots.slot_clicked.connect(self._on_pick_board_slot)
        self.picker.cards_changed.connect(self._on_picked)
        self.editor.range_changed.connect(self._on_range_edited)
        self.add.clicked.connect(self._on_add)
        self.run.clicked.connect(self._on_run)
        self.clear.clicked.connect(self._on_clear)
        self.method.currentIndexChanged.connect(self._on_method)
        self.samples.valueChanged.connect(self._on_method)
        self.samples.setEnabled(False)
        QShortcut(QKeySequence("F5"), self, self.model.start)
        QShortcut(QKeySequence("Esc"), self, self.model.stop)
        QShortcut(QKeySequence("Ctrl+N"), self, self._on_add)

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
        clashes = model.clashes
        self.board.refresh(model.board, clashes.get("board", ""))
        self.dead.refresh(model.dead, clashes.get("dead", ""))
        for row in self.rows:
            row.refresh()
        self.add.setEnabled(model.can_add)
        if self.editor.isVisible() and self._edited_index() is None:
            self.editor.close()

    def _add_row(self) -> None:
        row = OddsRow(self._theme, self.model, len(self.rows))
        row.pick.clicked.connect(lambda: self._on_pick_hand(row))
        row.preview.clicked.connect(lambda: self._on_edit_range(row))
        self.rows.append(row)
        self._rows_layout.addWidget(row)

    def _on_odds_changed(self) -> None:
        model = self.model
        for row in self.rows:
            row.refresh_odds()
        has_odds = any(model.odds(index) is not None for index in range(len(model.rows)))
        is_wrong = model.state in (RunState.NOTHING, RunState.FAILED)
        is_partial = model.state is RunState.STOPPED
        self.result.setText(model.run_text())
        self.result.set_meaning(
            "bad" if model.state is RunState.FAILED else "warning" if is_partial or is_wrong else "text"
        )
        self.progress.setValue(round(_PROGRESS_STEPS * model.progress))
        self.run.setText("&Cancel" if model.is_busy else "&Run")
        self.run.setToolTip("Stop and keep what is there (Esc)" if model.is_busy else "Compute again (F5)")
        self.run.setEnabled(model.is_busy or model.state is not RunState.NOTHING)
        self.copy.setEnabled(has_odds)

    # ---- what the user does

    def _on_run(self) -> None:
        if self.model.is_busy:
            self.model.stop()
        else:
            self.model.start()

    def _on_clear(self) -> None:
        self.set_question(())
        self.rows[0].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_add(self) -> None:
        if self.model.can_add:
            self.model.add_player()
            self.rows[-1].field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.players.ensureWidgetVisible(self.rows[-1])

    def _on_method(self) -> None:
        choice = self.method.currentIndex()
        self.samples.setEnabled(choice == 2)
        self.model.set_method(is_exact=choice == 1, samples=self.samples.value() if choice == 2 else None)

    def _on_copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.model.as_text())

    def _on_copy_markdown(self) -> None:
        QGuiApplication.clipboard().setText(self.model.as_markdown())

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
        dead = (*self.model.board.cards, *self.model.dead.cards)
        self.editor.open_for(f"Range of {self.model.name_of(row.index)}", state.hands, dead)

    def _edited_index(self) -> int | None:
        keys = [row.key for row in self.model.rows]
        return keys.index(self._edited_key) if self._edited_key in keys else None

    def _on_range_edited(self, hands: Range) -> None:
        index = self._edited_index()
        if index is not None:
            self.model.set_player_range(index, hands)

    # ---- Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.stop()
        self.editor.close()
        super().closeEvent(event)


def _street_text(what: str, street: Street) -> str:
    name = street.name.lower()
    if what == "Random":
        return f"Up to the {name} ({BOARD_SIZE[street]} cards)"
    return {"flop": "All", "turn": "Turn and river", "river": "River"}[name]
