"""One player in the odds window: who, what they hold, and their odds as numbers and as a bar."""

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from trainer.calculator.card_fields import show_error
from trainer.calculator.field import OddsField
from trainer.calculator.input_model import describe_row
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import PlayerOdds
from trainer.ranges.paint_grid import RangePreview
from trainer.theme import ThemeSource
from trainer.widgets.painted import FittedToFont, Painted
from trainer.widgets.text_field import ColouredLabel, ShortenedLabel, WrappedMessage, make_bold, plain_tip

_STDERRS_SHOWN = 2.0
_NAME_DIGITS = 9
_TALL_LINES = 4.0


class _EquityBar(Painted):
    """One player's odds as a bar: wins solid, the part won by ties lighter, a whisker of two standard errors."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Equity bar")
        self._odds: PlayerOdds | None = None
        self._is_faint = False

    def show_odds(self, odds: PlayerOdds | None, *, is_faint: bool) -> None:
        """Show a player's odds, or an empty bar; faint while they are out of date."""
        self._odds, self._is_faint = odds, is_faint
        self.setAccessibleDescription("" if odds is None else f"equity {odds.equity}")
        self.update()

    def sizeHint(self) -> QSize:
        return self._in_lines(8, 1)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(4, 1)

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


def _size_columns(layout: QGridLayout, digit: int) -> None:
    """Size the columns of the lower line of a row, or of the line above all rows: what, four numbers, the bar."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(8)
    for column, digits in ((0, 6), (1, 7), (2, 6), (3, 8), (4, 7), (5, 7)):
        layout.setColumnMinimumWidth(column, digits * digit)
    layout.setColumnStretch(0, 5)
    layout.setColumnStretch(5, 2)


class OddsHead(FittedToFont):
    """The line above all rows: what the columns are."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 2)
        layout.setSpacing(8)
        self._place = QWidget()  # of the rows' previews
        self.set_preview_side(RangePreview(theme).sizeHint().width())
        layout.addWidget(self._place)
        columns = self._columns = QGridLayout()
        self._fit_to_font()
        layout.addLayout(columns, 1)
        for column, (text, tip) in enumerate(
            (
                (
                    "Range",
                    "A hand such as AhKh, or a range such as 22+, A2s+, KTs-K8s, 15%, AA:0.5, random",
                ),
                ("Win", "Share of deals won alone"),
                ("Tie", "Share of deals in which the pot is split"),
                ("Equity", "Share of the pot: wins, and the part won by ties"),
                ("Error", "Standard error of the equity: the truth lies within twice this 19 times out of 20"),
                ("0–100%", "Wins solid, the part won by ties lighter, whisker: two standard errors"),
            )
        ):
            label = ColouredLabel(theme, "text_muted", text)
            label.setToolTip(tip)
            label.setAlignment(Qt.AlignmentFlag.AlignRight if 1 <= column <= 4 else Qt.AlignmentFlag.AlignLeft)
            if column in (0, 5):
                label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            columns.addWidget(label, 0, column)

    def _fit_to_font(self) -> None:
        _size_columns(self._columns, self.fontMetrics().horizontalAdvance("0"))

    def set_preview_side(self, side: int) -> None:
        """Leave so much room, in pixels, above the previews of the ranges."""
        self._place.setFixedWidth(side)


class OddsRow(FittedToFont):
    """One player in two lines, and a third for what is wrong; `library_requested` is to load or keep a range."""

    library_requested = Signal()

    def __init__(self, theme: ThemeSource, model: OddsModel, index: int) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._shown: object = None
        self._dialog: QInputDialog | None = None
        self.index = index
        self.name = ShortenedLabel(theme)
        self.preview = RangePreview(theme)
        self.field = OddsField(theme, model.entry.undo_stack)
        self.pick = QToolButton()
        self.more = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        self.remove = QToolButton(autoRaise=True)
        self.what = ShortenedLabel(theme, "text_muted")
        self.message = WrappedMessage(theme)
        self.win, self.tie, self.equity, self.error = (ColouredLabel(theme) for _ in range(4))
        self.bar = _EquityBar(theme)
        self._build()
        self.field.textEdited.connect(self._on_text_edited)
        self.field.editingFinished.connect(model.entry.end_step)
        self.field.mark_changed.connect(self._show_message)
        self.remove.clicked.connect(self._on_remove)
        self.menu.aboutToShow.connect(self._fill_menu)

    def _build(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 5, 0, 4)
        layout.setSpacing(8)
        layout.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignTop)
        lines = QVBoxLayout()
        lines.setSpacing(2)
        layout.addLayout(lines, 1)
        layout.setAlignment(lines, Qt.AlignmentFlag.AlignVCenter)
        upper = QHBoxLayout()
        upper.setSpacing(6)
        self.name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for widget, stretch in ((self.name, 0), (self.field, 1), (self.pick, 0), (self.more, 0), (self.remove, 0)):
            upper.addWidget(widget, stretch)
        lower = self._lower = QGridLayout()
        self._fit_to_font()
        for column, label in enumerate((self.what, self.win, self.tie, self.equity, self.error, self.bar)):
            lower.addWidget(label, 0, column)
        lines.addLayout(upper)
        lines.addLayout(lower)
        lines.addWidget(self.message)
        make_bold(self.equity)
        for number in (self.win, self.tie, self.equity, self.error):
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pick.setText("Cards")
        self.more.setText("More")
        self.more.setMenu(self.menu)
        self.remove.setText("✕")
        self.field.setPlaceholderText("AhKh, 22+, A2s+, 15%, random …")

    def _fit_to_font(self) -> None:
        digit = self.fontMetrics().horizontalAdvance("0")
        self.name.setFixedWidth(_NAME_DIGITS * digit)
        self.field.setMinimumWidth(12 * digit)
        _size_columns(self._lower, digit)

    @property
    def tab_order(self) -> list[QWidget]:
        return [self.field, self.preview, self.pick, self.more, self.remove]

    def set_preview_side(self, side: int) -> None:
        """Take another size of preview, in pixels; next to a tall one the words get their own line."""
        self.preview.set_side(side)
        is_tall = side >= _TALL_LINES * self.fontMetrics().height()
        self._lower.addWidget(self.what, int(is_tall), 0, 1, self._lower.columnCount() if is_tall else 1)

    def refresh(self) -> None:
        model, row = self._model, self._model.entered.rows[self.index]
        blockers = model.entered.blockers
        name = model.entered.name_of(self.index)
        clash = model.clashes.get(self.index, "")
        self.remove.setEnabled(model.entry.can_remove)
        seen = (row, blockers, name, clash)
        if seen == self._shown:
            return
        self._shown = seen
        self.name.setText(name)
        self.field.replace_text(row.text)
        self.preview.show_range(row.hands, () if row.is_folded else blockers)
        show_error(self.field, row.error)
        self.what.setText(describe_row(row, blockers))
        self._show_message()
        for widget, text in (
            (self.field, f"{name}: hand or range"),
            (self.pick, f"{name}: choose two cards"),
            (self.preview, f"{name}: edit the range on a grid"),
            (self.more, f"{name}: random hand, library, fold, move, duplicate"),
            (self.remove, f"Remove {name}"),
            (self.bar, f"{name}: equity bar"),
        ):
            widget.setAccessibleName(text)
            if widget not in (self.field, self.bar):
                widget.setToolTip(plain_tip(text))

    def _show_message(self) -> None:
        row = self._model.entered.rows[self.index]
        clash = self._model.clashes.get(self.index, "")
        is_marked = row.error is not None and self.field.is_marked
        text = row.error.message if is_marked and row.error is not None else clash
        self.message.setText(text)
        self.field.setAccessibleDescription(text or self.what.text())

    def refresh_odds(self) -> None:
        """Show the results."""
        odds, name = self._model.odds(self.index), self._model.entered.name_of(self.index)
        is_faint = self._model.run.is_faint
        texts = ("–", "–", "–", "") if odds is None else (odds.win, odds.tie, odds.equity, odds.error)
        for label, text, what in zip(
            (self.win, self.tie, self.equity, self.error), texts, ("win", "tie", "equity", "error"), strict=True
        ):
            label.setText(text)
            label.setAccessibleName(f"{name}, {what}: {text}")
            label.set_meaning("text_muted" if is_faint or odds is None or label is self.error else "text")
        self.equity.setToolTip("" if odds is None else f"{odds.equity_share:.6f}")
        self.win.setToolTip("" if odds is None else odds.win_error)
        self.tie.setToolTip("" if odds is None else odds.tie_error)
        self.bar.show_odds(odds, is_faint=is_faint)

    def _fill_menu(self) -> None:
        """List what can be done with the player as it is now."""
        model, index = self._model, self.index
        row = model.entered.rows[index]
        self.menu.clear()
        for text, is_on, act in (
            ("&Random hand", True, partial(model.entry.deal_hand, index)),
            (
                "Bring &back" if row.is_folded else "&Fold: the cards are dead",
                bool(row.hole_cards),
                partial(model.entry.set_folded, index, is_folded=not row.is_folded),
            ),
            ("&Library of ranges …\tCtrl+L", True, self.library_requested.emit),
            ("&Name …", True, self._on_name),
            ("Move &up", index > 0, partial(model.entry.move_player, index, index - 1)),
            ("Move &down", index < len(model.entered.rows) - 1, partial(model.entry.move_player, index, index + 1)),
            (
                "Du&plicate",
                model.entry.can_add and not row.hole_cards,
                partial(model.entry.duplicate_player, index),
            ),
        ):
            self.menu.addAction(text, act).setEnabled(is_on)

    def _on_name(self) -> None:
        self._dialog = QInputDialog(self)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.setWindowTitle(self._model.entered.name_of(self.index))
        self._dialog.setLabelText("Name")
        self._dialog.setTextValue(self._model.entered.rows[self.index].name)
        self._dialog.textValueSelected.connect(partial(self._on_named, self._model.entered.rows[self.index].key))
        self._dialog.open()

    def _on_named(self, key: int, name: str) -> None:
        index = self._model.entered.index_of(key)
        if index is not None:  # else another question has come from the table meanwhile
            self._model.entry.set_name(index, name)

    def _on_text_edited(self, text: str) -> None:
        self._model.entry.set_player_text(self.index, text)

    def _on_remove(self) -> None:
        self._model.entry.remove_player(self.index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._theme.theme.border), 1))
        painter.drawLine(0, 0, self.width(), 0)
