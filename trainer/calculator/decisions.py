"""The decision tab of the odds calculator: pot, call and bet, what they ask of a hand, and its outs."""

from functools import partial
from textwrap import fill

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.agents.value_reasons import capital
from trainer.calculator.decisions_model import (
    AMOUNTS,
    BET_PRESETS,
    MEANINGS,
    Amount,
    DecisionsModel,
    EquityNeeded,
    FigureRow,
    OutCard,
    OutsView,
    Verdict,
    outs_meaning,
)
from trainer.theme import ThemeSource, set_text_factor
from trainer.widgets.cards import ASPECT, paint_card
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.painted import Painted
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.text_field import ColouredLabel, MarkedLineEdit, make_bold

_STDERRS_SHOWN = 2.0
_LABELS: dict[Amount, tuple[str, str]] = {
    "pot": ("In t&he pot", "In the pot"),
    "to_call": ("Callin&g costs", "Calling costs"),
    "bet": ("Bet or ra&ise", "Bet or raise"),
}


class _NeededBar(Painted):
    """A player's equity as a bar, with a mark where a call needs it to be."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Equity against what a call needs")
        self._needed: EquityNeeded | None = None
        self._verdict = Verdict.UNKNOWN
        self._is_faint = False

    def show_needed(self, needed: EquityNeeded | None, verdict: Verdict, *, is_faint: bool) -> None:
        """Show the equity and what is needed, or nothing; faint while the equity is out of date."""
        self._needed, self._verdict, self._is_faint = needed, verdict, is_faint
        self.setAccessibleDescription("" if needed is None else needed.text)
        self.setToolTip("" if needed is None else capital(needed.text))
        self.update()

    def sizeHint(self) -> QSize:
        return self._in_lines(16, 2.4)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(8, 2.4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, line = self._theme.theme, float(self.fontMetrics().height())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0.5, 0.5, self.width() - 1, 1.1 * line)
        painter.fillRect(box, QColor(theme.panel_raised))
        if self._needed is not None:
            if self._needed.equity is not None:
                self._paint_equity(painter, box, self._needed.equity, self._needed.stderr)
            self._paint_required(painter, box, self._needed.required)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)

    def _paint_equity(self, painter: QPainter, box: QRectF, equity: float, stderr: float) -> None:
        theme = self._theme.theme
        painter.setOpacity(0.4 if self._is_faint else 1.0)
        painter.fillRect(QRectF(box.x(), box.y(), equity * box.width(), box.height()), QColor(theme.heat[3]))
        reach = _STDERRS_SHOWN * stderr * box.width()
        if reach > 0:
            middle, at = box.center().y(), box.x() + equity * box.width()
            left, right = max(at - reach, box.left()), min(at + reach, box.right())
            painter.setPen(QPen(QColor(theme.text), 1.6))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        painter.setOpacity(1.0)

    def _paint_required(self, painter: QPainter, box: QRectF, required: float) -> None:
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        at = box.x() + required * box.width()
        colour = QColor(getattr(theme, self._verdict.value))
        painter.setPen(QPen(QColor(theme.panel), 4))
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))
        size = 0.28 * metrics.height()
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        tip = QPointF(at, box.bottom() + 1)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-size, 1.4 * size), tip + QPointF(size, 1.4 * size)]))
        text = f"needs {required:.1%}"
        width = metrics.horizontalAdvance(text) + 2
        left = at + 2 * size if at + 2 * size + width <= self.width() else at - 2 * size - width
        painter.setPen(QColor(theme.text_muted))
        place = QRectF(left, box.bottom() + 1, width, metrics.height() + 2)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)


class _OutCards(Painted):
    """The outs as small cards, in as many lines as they need; those known to lie elsewhere are faint."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme)
        self._outs: tuple[OutCard, ...] = ()
        self._four_colours = False
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Cards that are outs")
        self.hide()

    def show_outs(self, outs: tuple[OutCard, ...], spoken: str) -> None:
        """Show cards; `spoken` names them."""
        self.setAccessibleDescription(spoken)
        if outs != self._outs:
            self._outs = outs
            self.setVisible(bool(outs))
            self.updateGeometry()
            self.update()

    def set_four_colours(self, is_on: bool) -> None:
        self._four_colours = is_on
        self.update()

    def _card(self) -> tuple[float, float]:
        """Return width and height of a card with the space after it."""
        width = 1.5 * self.fontMetrics().height()
        return width + 3, width * ASPECT + 3

    def rect_of(self, number: int) -> QRectF:
        width, height = self._card()
        in_line = max(int(self.width() // width), 1)
        line, column = divmod(number, in_line)
        return QRectF(column * width, line * height, width - 3, height - 3)

    def heightForWidth(self, width: int) -> int:
        across, down = self._card()
        lines = -(-len(self._outs) // max(int(width // across), 1))
        return round(lines * down)

    def sizeHint(self) -> QSize:
        return QSize(round(9 * self._card()[0]), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(4 * self._card()[0]), round(self._card()[1]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, out in enumerate(self._outs):
            paint_card(
                painter,
                self.rect_of(number),
                out.card,
                self._theme.theme,
                four_colours=self._four_colours,
                is_dimmed=bool(out.holder),
            )

    def tip_at(self, position: QPoint) -> str:
        for number, out in enumerate(self._outs):
            if out.holder and self.rect_of(number).contains(QPointF(position)):
                return f"Cannot come: it is {out.holder}"
        return ""


class FigureTable(QWidget):
    """A heading and figures in rows, as high as they need; hidden while there are none."""

    def __init__(self, theme: ThemeSource, title: str, headings: tuple[str, ...], stretched: int) -> None:
        super().__init__()
        self.heading = QLabel(title)
        make_bold(self.heading)
        self.model = RowsModel(headings, self)
        self.table = make_table(self.model, title, stretched)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if not any(heading.strip(">") for heading in headings):
            self.table.horizontalHeader().hide()
        self.meaning = ColouredLabel(theme, "text_muted")
        self.meaning.setWordWrap(True)
        self.meaning.setAccessibleName(f"{title}: what the figure means")
        self.meaning.hide()
        self._tips: tuple[str, ...] = ()
        self.body = QVBoxLayout()
        self.body.setSpacing(3)
        tight(QVBoxLayout(self), self.heading, self.body, self.table, self.meaning, spacing=3)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_chosen)

    def show_rows(self, rows: tuple[tuple[str, ...], ...], tips: tuple[str, ...]) -> None:
        """Show figures, keeping the row that is chosen."""
        chosen = self.table.currentIndex().row()
        self._tips = tips
        self.model.show_rows(rows, tips=tips)
        header = self.table.horizontalHeader()
        top = 0 if header.isHidden() else header.sizeHint().height()
        self.table.setFixedHeight(top + len(rows) * self.table.verticalHeader().defaultSectionSize() + 2)
        self.table.setVisible(bool(rows))
        if 0 <= chosen < len(rows):
            self.table.selectRow(chosen)
        self._show_meaning(chosen)

    def _show_meaning(self, row: int) -> None:
        text = self._tips[row] if 0 <= row < len(self._tips) else ""
        self.meaning.setText(text)
        self.meaning.setVisible(bool(text))

    def _on_row_chosen(self) -> None:
        self._show_meaning(self.table.currentIndex().row())


class _AmountRow:
    """The parts of one amount: label, field, and a line that says what it means or what is wrong with it."""

    def __init__(self, theme: ThemeSource, amount: Amount) -> None:
        text, name = _LABELS[amount]
        self.amount = amount
        self.label = QLabel(text)
        self.field = MarkedLineEdit(theme)
        self.field.setAccessibleName(f"{name}, amount")
        self.field.setPlaceholderText("amount")
        self.field.setMinimumWidth(9 * self.field.fontMetrics().horizontalAdvance("0"))
        self.label.setBuddy(self.field)
        self.line = ColouredLabel(theme, "text_muted", MEANINGS[amount])
        self.line.setWordWrap(True)
        self.line.setAccessibleName(f"{name}: what it means")
        self.field.mark_changed.connect(self._show_line)
        self._message = ""
        self._show_line()

    def refresh(self, model: DecisionsModel) -> None:
        error = model.error_of(self.amount)
        self._message = "" if error is None else error.message
        self.field.replace_text(model.fields[self.amount].text)
        if error is None:
            self.field.unmark()
        else:
            self.field.mark(error.position, error.length)
        self._show_line()

    def _show_line(self) -> None:
        is_wrong = self.field.is_marked and bool(self._message)
        text = self._message if is_wrong else MEANINGS[self.amount]
        self.line.set_meaning("bad" if is_wrong else "text_muted")
        self.line.setText(text)
        self.field.setAccessibleDescription(text)
        self.field.setToolTip(MEANINGS[self.amount])


class DecisionPanel(QScrollArea):
    """Pot, call and bet of one player of the question, what they ask of their hand, and their outs."""

    def __init__(self, theme: ThemeSource, model: DecisionsModel) -> None:
        super().__init__()
        self._theme = theme
        self.model = model
        self.player = QComboBox()
        self.amounts = {amount: _AmountRow(theme, amount) for amount in AMOUNTS}
        self.presets: list[QPushButton] = []
        self.hint = ColouredLabel(theme, "text_muted")
        self.verdict = ColouredLabel(theme)
        self.bar = _NeededBar(theme)
        self.call = FigureTable(theme, "Call", ("", ">", ""), 2)
        self.bet = FigureTable(theme, "Bet or raise", ("", ">", ""), 2)
        self.outs = FigureTable(theme, "Outs", ("Outs come", ">Exactly", ">By the rule of 2 and 4"), 0)
        self.out_cards = _OutCards(theme)
        self.outs_line = ColouredLabel(theme)
        self._build()
        self._connect()
        self._refresh()

    def set_four_colours(self, is_on: bool) -> None:
        self.out_cards.set_four_colours(is_on)

    def _build(self) -> None:
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(6, 8, 6, 6)
        layout.setSpacing(round(0.7 * self.fontMetrics().height()))
        layout.addLayout(self._build_inputs())
        self.hint.setWordWrap(True)
        layout.addWidget(self.hint)
        self.verdict.setWordWrap(True)
        self.verdict.setAccessibleName("Verdict on the call")
        set_text_factor(self.verdict, 1.15)
        self.call.body.addWidget(self.verdict)
        self.call.body.addWidget(self.bar)
        self.outs_line.setWordWrap(True)
        self.outs.body.addWidget(self.outs_line)
        self.outs.body.addWidget(self.out_cards)
        for section in (self.call, self.bet, self.outs):
            layout.addWidget(section)
        layout.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _build_inputs(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        label = label_of(self.player, "&Whose decision")
        self.player.setAccessibleName("Whose decision it is")
        self.player.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.player.setMinimumContentsLength(8)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.player, 0, 1, 1, 2)
        for row, amount in enumerate(self.amounts.values(), start=1):
            grid.addWidget(amount.label, row, 0)
            grid.addWidget(amount.field, row, 1)
            grid.addWidget(amount.line, row, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for text, fraction in BET_PRESETS:
            button = QPushButton(text)
            named = "the pot" if fraction == 1 else f"{text} of the pot" if fraction < 1 else "twice the pot"
            button.setAccessibleName(f"Bet {named}")
            button.setToolTip(f"Bet {named}; with something to call, raise by that share of the pot after the call")
            button.setMinimumWidth(round(2.6 * self.fontMetrics().height()))
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            button.clicked.connect(partial(self._on_preset, fraction))
            self.presets.append(button)
            buttons.addWidget(button)
        buttons.addStretch(1)
        grid.addLayout(buttons, len(self.amounts) + 1, 1, 1, 2)
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(2, 5)
        return grid

    def _connect(self) -> None:
        self.model.changed.connect(self._refresh)
        self.player.activated.connect(self._on_player)
        for amount, row in self.amounts.items():
            row.field.textEdited.connect(partial(self.model.set_text, amount))

    # ---- what the model says

    def _refresh(self) -> None:
        model = self.model
        self._refresh_players()
        for row in self.amounts.values():
            row.refresh(model)
        for button in self.presets:
            button.setEnabled(model.can_preset)
        hint = model.hint()
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self._refresh_call()
        self._show_figures(self.bet, model.bet())
        self._refresh_outs(model.outs())

    def _refresh_players(self) -> None:
        players, chosen = self.model.players, self.model.chosen
        shown = tuple((self.player.itemData(i), self.player.itemText(i)) for i in range(self.player.count()))
        if players != shown:
            self.player.clear()
            for key, name in players:
                self.player.addItem(name, key)
        self.player.setEnabled(bool(players))
        self.player.setCurrentIndex(self.model.chosen_place if chosen is not None else -1)

    def _refresh_call(self) -> None:
        view = self.model.call()
        if view is not None:
            self.verdict.setText(view.sentence)
            self.verdict.set_meaning(view.verdict.value)
            self.bar.show_needed(view.needed, view.verdict, is_faint=self.model.is_faint)
        self._show_figures(self.call, () if view is None else view.rows)

    def _show_figures(self, section: FigureTable, rows: tuple[FigureRow, ...]) -> None:
        section.setVisible(bool(rows))
        if rows:
            texts = tuple((row.name, row.value, row.how) for row in rows)
            section.show_rows(texts, tuple(f"{row.name}: {row.meaning}. Here {row.how}" for row in rows))

    def _refresh_outs(self, view: OutsView) -> None:
        self.outs.setVisible(bool(view.sentence))
        self.outs_line.setText(view.sentence)
        self.outs_line.set_meaning("text" if view.cards else "text_muted")
        self.outs_line.setToolTip(fill(outs_meaning(), 84))
        self.out_cards.show_outs(view.cards, self.model.spoken_outs())
        self.outs.show_rows(view.rows, view.tips)

    # ---- what the user does

    def _on_player(self, place: int) -> None:
        self.model.choose(self.player.itemData(place))

    def _on_preset(self, fraction: float) -> None:
        self.model.preset(fraction)
