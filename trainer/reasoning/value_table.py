"""The table of what every action is worth, with a bar and its error in each row."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QLineF, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from trainer.reasoning.values_model import (
    COUNT_HEADINGS,
    COUNT_TIPS,
    HEADING_TIPS,
    HEADINGS,
    VALUE_COLUMN,
    AnswerText,
    Bar,
    ValuesView,
)
from trainer.theme import Theme, ThemeSource
from trainer.widgets.rows import RowsModel, fit_rows, make_table
from trainer.widgets.tables_model import Index
from trainer.widgets.text_field import plain_tip, wrapped_height

READABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_CHOOSE_A_BET = AnswerText(*["Choose a bet or raise in the table to see what calls it."] * 2)
_NOTHING = AnswerText("", "")
_LEAST_BAR = 46
_SPACING = 3
_FEW_ROWS = 5
"""In sight at least where the answers are told in full."""

_WIDE = 38
"""Width in lines of text from which on actions are named with their chips, too."""


class _BarDelegate(QStyledItemDelegate):
    """Paints a bar from 0, its whisker, and the value at the right; what differs clearly from the best is paler.

    Where there is no room for its error as a number the whisker alone shows that.
    """

    def __init__(self, theme: ThemeSource, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bars: Sequence[Bar] = ()
        self._wide = self._narrow = 0.0

    def show_view(self, view: ValuesView, metrics: QFontMetricsF) -> None:
        self._bars = view.bars
        texts = [cells[VALUE_COLUMN] for cells in view.rows]
        self._wide = _width_of(texts, metrics)
        self._narrow = _width_of([_without_error(text) for text in texts], metrics)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        theme, rect = self._theme.theme, QRectF(option.rect)
        is_wide = rect.width() - self._wide >= _LEAST_BAR
        room = self._wide if is_wide else self._narrow
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_selected:
            painter.fillRect(option.rect, QColor(theme.accent))
        if index.data(Qt.ItemDataRole.FontRole) is not None:
            painter.setFont(index.data(Qt.ItemDataRole.FontRole))
        text = str(index.data()) if is_wide else _without_error(str(index.data()))
        painter.setPen(QColor(theme.accent_text if is_selected else theme.text))
        right = QRectF(rect.right() - room, rect.y(), room - 5, rect.height())
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        track = QRectF(rect.x() + 4, rect.y() + 3, rect.width() - room - 6, rect.height() - 6)
        if index.row() < len(self._bars) and track.width() > 0:
            self._paint_bar(painter, self._bars[index.row()], track, is_selected=is_selected)
        painter.restore()

    def _paint_bar(self, painter: QPainter, bar: Bar, track: QRectF, *, is_selected: bool) -> None:
        theme = self._theme.theme
        span = max(bar.most - bar.least, 1e-9)

        def at(chips: float) -> float:
            return track.x() + (min(max(chips, bar.least), bar.most) - bar.least) / span * track.width()

        zero, end, middle = at(0), at(bar.value), track.center().y()
        colour = QColor(theme.call if bar.value >= 0 else theme.raise_)
        colour.setAlphaF(0.35 if bar.is_clear else 0.75)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.border) if is_selected else colour)
        painter.drawRect(QRectF(min(zero, end), track.y() + 1, max(abs(end - zero), 1), track.height() - 2))
        ink = QColor(theme.accent_text if is_selected else theme.text)
        painter.setPen(QPen(ink, 1))
        painter.drawLine(QLineF(zero, track.y() - 3, zero, track.bottom() + 3))
        low, high = at(bar.value - bar.error), at(bar.value + bar.error)
        if bar.value + bar.error <= bar.least:
            return
        painter.setPen(QPen(ink, 1.5))
        painter.drawLine(QLineF(low, middle, high, middle))
        for x in (low, high):
            painter.drawLine(QLineF(x, middle - 3, x, middle + 3))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(round(self._narrow) + _LEAST_BAR, super().sizeHint(option, index).height())


def _without_error(text: str) -> str:
    return text.partition(" ±")[0]


def _width_of(texts: Sequence[str], metrics: QFontMetricsF) -> float:
    """Return the room that the widest of some texts takes, in bold too."""
    return max(map(metrics.horizontalAdvance, texts), default=0.0) * 1.1 + 10


class _Model(RowsModel):
    """Rows of which one, the action chosen, is bold."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(HEADINGS, parent, HEADING_TIPS)
        self.chosen: int | None = None
        self._short: tuple[str, ...] = ()
        self._is_short = False

    def set_short(self, is_short: bool) -> None:
        if is_short != self._is_short:
            self._is_short = is_short
            if self.rowCount():
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    def show_view(self, view: ValuesView) -> None:
        self.chosen, self._short = view.chosen, view.short
        self._take_headings(view.headings, HEADING_TIPS)
        self.show_rows(view.rows, tips=view.tips)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.FontRole and index.row() == self.chosen:
            font = QFont()
            font.setBold(True)
            return font
        if self._is_short and role == Qt.ItemDataRole.DisplayRole and index.column() == 0:
            return self._short[index.row()]
        return super().data(index, role)


class ValueTable(QWidget):
    """Shows the actions of a `ValuesView`, a row each, and below what opponents do about one of them.

    That is the bet or raise that is selected, or the one marked while none is. Where there is no room for all, it
    is told in short and the rows scroll, down to the least; then it is not told.
    """

    def __init__(self, theme: ThemeSource, *, least_rows: int | None = None) -> None:
        super().__init__()
        self._least_rows = least_rows
        theme.changed.connect(self._on_theme_changed)
        self._model = _Model(self)
        self.table = make_table(self._model, "What every action is worth", VALUE_COLUMN)
        self.table.setParent(self)
        self._bars = _BarDelegate(theme, self.table)
        self.table.setItemDelegateForColumn(VALUE_COLUMN, self._bars)
        self.table.horizontalHeader().setMinimumSectionSize(24)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.answers = QLabel(self, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.answers.setAccessibleName("What opponents do about it")
        self.answers.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.answers.setTextInteractionFlags(READABLE)
        self._answers: tuple[AnswerText, ...] = ()
        self._said = _NOTHING
        self.table.selectionModel().selectionChanged.connect(self._show_answers)

    def show_view(self, view: ValuesView | None) -> None:
        """Show a table, or none."""
        self.setVisible(view is not None)
        if view is None:
            return
        row, is_selected = self.table.currentIndex().row(), self.table.selectionModel().hasSelection()
        self._bars.show_view(view, QFontMetricsF(self.table.font()))
        self._model.show_view(view)
        self._answers = view.answers
        if is_selected and row < len(view.rows):
            self.table.selectRow(row)
        elif view.chosen is not None:
            self.table.scrollTo(self._model.index(view.chosen, 0))
        fit_rows(self.table)
        self._show_answers()

    def mark(self, row: int | None) -> None:
        """Select a row, or none."""
        if row is None:
            self.table.clearSelection()
        else:
            self.table.selectRow(row)

    def height_for(self, width: int, *, least: bool = False) -> int:
        """Return how high it is with everything, or with the least rows and the answers in short."""
        rows = self._height_of_rows(self._least_rows if least else None)
        return rows + self._height_of(self._in_short(width) if least else self._said.whole, width)

    def _show_answers(self) -> None:
        selected = self.table.selectionModel().selectedRows()
        row = selected[0].row() if selected else self._model.chosen
        said = self._answers[row] if row is not None and row < len(self._answers) else _NOTHING
        is_muted = not said.whole and any(one.whole for one in self._answers)
        self._said = _CHOOSE_A_BET if is_muted else said
        role = QPalette.ColorRole.PlaceholderText if is_muted else QPalette.ColorRole.Text
        self.answers.setForegroundRole(role)
        self._fit()

    def _fit(self) -> None:
        """Ask for the height that is needed, and share out what there is."""
        rows = self._height_of_rows(self._least_rows)
        self.table.setMinimumHeight(rows)
        self.setMinimumHeight(self.height_for(self.width()) if self._least_rows is None else rows)
        self._share_out()
        self.updateGeometry()

    def _share_out(self) -> None:
        """Give the table and the answers the room that there is."""
        width, whole = self.width(), self._said.whole
        shown = whole
        if self._least_rows is not None:
            tries = ((whole, _FEW_ROWS), (self._in_short(width), self._least_rows))
            fitting = (
                text
                for text, least in tries
                if self._height_of_rows(least) + self._height_of(text, width) <= self.height()
            )
            shown = next(fitting, "")
        below = self._height_of(shown, width)
        above = min(self._height_of_rows(), max(self.height() - below, 0))
        self.table.setGeometry(0, 0, width, above)
        self.answers.setGeometry(0, above + _SPACING, width, below - _SPACING)
        self.answers.setText(shown)
        self.answers.setVisible(bool(shown))
        self.answers.setAccessibleDescription("" if shown == whole else whole)
        self.answers.setToolTip("" if shown == whole else plain_tip(whole))

    def _in_short(self, width: int) -> str:
        """Return the gist of the answers, or all if that is no higher."""
        return min(self._said.whole, f"{self._said.gist} …", key=lambda text: self._height_of(text, width))

    def _height_of(self, text: str, width: int) -> int:
        return wrapped_height(self.answers, text, width) + _SPACING if text else 0

    def _height_of_rows(self, most: int | None = None) -> int:
        """Return how high the table is with all rows in sight, or with at most so many."""
        rows = self._model.rowCount()
        return height_of_rows(self.table, rows if most is None else min(rows, most))

    def _on_theme_changed(self, _theme: Theme) -> None:
        self.table.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self.table.sizeHint().width(), self.height_for(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.table.minimumSizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._model.set_short(self.width() < _WIDE * self.fontMetrics().height())
        if event.size().width() != event.oldSize().width():
            self._fit()
        else:
            self._share_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()


def make_counts(parent: QWidget) -> tuple[RowsModel, QTableView]:
    """Return the table of what is counted of the opponents, and its model."""
    model = RowsModel(COUNT_HEADINGS, parent, COUNT_TIPS)
    return model, make_table(model, "Counted of the opponents", 1)


def fit_height(table: QTableView, rows: int) -> None:
    """Make a table as high as so many rows."""
    table.setSizeAdjustPolicy(QAbstractScrollArea.SizeAdjustPolicy.AdjustToContents)
    table.setFixedHeight(height_of_rows(table, rows))


def height_of_rows(table: QTableView, rows: int) -> int:
    """Return how high a table is with so many rows in sight."""
    frame = 2 * table.frameWidth() + 2
    header = table.horizontalHeader().sizeHint().height()
    return rows * table.verticalHeader().defaultSectionSize() + header + frame
