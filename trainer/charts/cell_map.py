"""A map of coloured cells with a name and a number each: next cards, or the classes of a range."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)

from trainer.charts.chart_values import MapCell, MapView
from trainer.theme import Theme, ThemeSource, ink_on, mixed
from trainer.widgets.cells import NavigableCells
from trainer.widgets.painted import Painted

_UNBOUNDED = 16_777_215  # Qt's QWIDGETSIZE_MAX, which PySide6 does not have
_LEAST_STRENGTH = 0.3  # colour that is left to a cell of the smallest weight
_FAINT = 0.4
_SMALLEST_POINTS = 5.0


class CellMap(NavigableCells):
    """Coloured cells in rows, at most `tallest` widths high; turned, columns become rows for want of width."""

    def __init__(
        self, theme: ThemeSource, name: str, columns: int, tallest: float = 1.0, *, can_turn: bool = False
    ) -> None:
        super().__init__(theme)
        self._columns = columns
        self._tallest = tallest
        self._can_turn = can_turn
        self._cells: tuple[MapCell, ...] = ()
        self._is_faint = False
        self.setAccessibleName(name)

    def show_cells(self, cells: Sequence[MapCell], *, is_faint: bool = False) -> None:
        """Show cells row by row; faint while they are out of date."""
        is_new = tuple(cells) != self._cells
        self._cells, self._is_faint = tuple(cells), is_faint
        self._focused = min(self._focused, max(len(self._cells) - 1, 0))
        if is_new:
            self.setAccessibleDescription(self.describe(self._focused))
            self._leave_room()
        self.update()

    def describe(self, cell: int) -> str:
        return self._cells[cell].text if cell < len(self._cells) else ""

    @property
    def is_turned(self) -> bool:
        """Whether columns stand as rows."""
        return self._can_turn and self.width() / self._columns < self._narrowest()

    def _narrowest(self) -> float:
        return QFontMetricsF(self._font(), self).horizontalAdvance("100") + 4

    def _shape(self) -> tuple[int, int]:
        rows = max(-(-len(self._cells) // self._columns), 1)
        return (self._columns, rows) if self.is_turned else (rows, self._columns)

    def _place_of(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self._columns)
        return (column, row) if self.is_turned else (row, column)

    def _cell_of(self, row: int, column: int) -> int | None:
        rows, columns = self._shape()
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        cell = column * self._columns + row if self.is_turned else row * self._columns + column
        return cell if cell < len(self._cells) else None

    def _first_cell(self) -> QRectF:
        """Return where the first cell is, in whole device pixels."""
        ratio = self.devicePixelRatioF()
        rows, columns = self._shape()
        width = max(int(self.width() * ratio / columns), 1)
        height = max(int(self.height() * ratio / rows), 1)
        if not self.is_turned:
            height = min(height, int(self._tallest * width) or 1)
            if self._tallest == 1:
                width = height
        left = round((self.width() * ratio - columns * width) / 2)
        top = 0 if self._can_turn else round((self.height() * ratio - rows * height) / 2)
        return QRectF(left / ratio, top / ratio, width / ratio, height / ratio)

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(0.92 * font.pointSizeF())
        font.setStretch(QFont.Stretch.SemiCondensed)
        return font

    # ---- painting

    def _font_of_names(self, width: float) -> QFont:
        """Return the font in which names fit into cells of this width, where they stand alone."""
        font = self._font()
        needed = QFontMetricsF(font, self).horizontalAdvance("QTo") + 3
        font.setPointSizeF(max(font.pointSizeF() * min(width / needed, 1.0), _SMALLEST_POINTS))
        return font

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        are_names_alone = not any(cell.number for cell in self._cells)
        painter.setFont(self._font_of_names(self._first_cell().width()) if are_names_alone else self._font())
        painter.setOpacity(_FAINT if self._is_faint else 1.0)
        theme = self._theme.theme
        for index, cell in enumerate(self._cells):
            self._paint_cell(painter, theme, self.cell_rect(index), cell)
        painter.setOpacity(1.0)
        if self._cells:
            self._paint_outlines(painter, gap=1)
        painter.end()

    def _paint_cell(self, painter: QPainter, theme: Theme, rect: QRectF, cell: MapCell) -> None:
        inner = rect.adjusted(0, 0, -1, -1)
        if cell.level is None:
            painter.fillRect(inner, QColor(theme.heat_blocked))
            if cell.is_blocked:
                painter.fillRect(inner, QBrush(QColor(theme.border), Qt.BrushStyle.BDiagPattern))
            ink = QColor(theme.text_muted)
        else:
            strength = _LEAST_STRENGTH + (1 - _LEAST_STRENGTH) * min(max(cell.weight, 0.0), 1.0)
            fill = mixed(QColor(theme.panel), theme.balance_colour(cell.level), strength)
            painter.fillRect(inner, fill)
            ink = ink_on(fill)
        painter.setPen(ink)
        self._paint_texts(painter, inner, cell)

    def _paint_texts(self, painter: QPainter, rect: QRectF, cell: MapCell) -> None:
        metrics = QFontMetricsF(painter.font(), self)
        room, centre = rect.width() - 1, Qt.AlignmentFlag.AlignCenter
        wide = QRectF(rect.x() - 4, rect.y(), rect.width() + 8, rect.height())
        fits_title = metrics.horizontalAdvance("10♥" if self._can_turn else "QTo") <= room + 2
        number = cell.number if metrics.horizontalAdvance("100.0") <= room else cell.short
        lines = [cell.title, number]
        if cell.error and metrics.horizontalAdvance(f"{number} {cell.error}") <= room:
            number = lines[1] = f"{number} {cell.error}"
        elif cell.error and 3 * metrics.ascent() + 4 <= rect.height():
            lines.append(cell.error)
        one_line = f"{cell.title}  {cell.number}"
        if not number or metrics.horizontalAdvance(number) > room + 2:
            if fits_title:
                painter.drawText(wide, centre, cell.title)
        elif fits_title and 2 * metrics.ascent() + 3 <= rect.height():
            step = min(metrics.height(), rect.height() / len(lines))
            top = rect.center().y() - step * len(lines) / 2
            for at, line in enumerate(lines):
                painter.drawText(QRectF(wide.x(), top + at * step, wide.width(), step), centre, line)
        elif metrics.horizontalAdvance(one_line) <= room:
            painter.drawText(wide, centre, one_line)
        else:
            painter.drawText(wide, centre, number)

    # ---- Qt

    def sizeHint(self) -> QSize:
        return self._in_lines(24, 12)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(12, 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._hovered = None
        super().resizeEvent(event)
        self._leave_room()

    def _leave_room(self) -> None:
        rows, columns = self._shape()
        # What the cells cannot use is for the widgets below.
        tallest = _UNBOUNDED if self.is_turned else math.ceil(self._tallest * rows * self.width() / columns)
        self.setMaximumHeight(max(tallest, self.minimumSizeHint().height()))


class MapLegend(Painted):
    """What the colours of a map mean, in one line: worse on the left, better on the right."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Legend")
        self._texts = ("", "", "")

    def show_view(self, view: MapView) -> None:
        self._texts = low, middle, high = view.legend
        self.setAccessibleDescription(f"Orange: worse, to {low}. Between them: {middle}. Blue: better, to {high}.")
        self.setToolTip(self.accessibleDescription())
        self.update()

    def sizeHint(self) -> QSize:
        return self._in_lines(16, 1.9)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(8, 1.9)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._texts[1]:
            return
        theme = self._theme.theme
        painter = QPainter(self)
        line = QFontMetricsF(self.font()).height()
        bar = QRectF(0.5, 0.5, self.width() - 1, 0.6 * line)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for index, colour in enumerate(theme.balance):
            gradient.setColorAt(index / (len(theme.balance) - 1), QColor(colour))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(gradient)
        painter.drawRect(bar)
        painter.setPen(QColor(theme.text_muted))
        below = QRectF(0, bar.bottom() + 1, self.width(), line)
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        for side, text in zip(sides, self._texts, strict=True):
            painter.drawText(below, side | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
