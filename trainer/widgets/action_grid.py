"""A 13x13 grid of what is done with every hand: raised on the left of a cell, called, folded on the right."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen

from engine.cards import class_name
from trainer.theme import Theme, ThemeSource, ink_on, mixed
from trainer.widgets.action_chart_model import GridView
from trainer.widgets.cells import NavigableCells

_SIDE = 13
_FOLDED = 0.45
"""Of the colour of folds that is seen, so that what is played stands out."""

_LEAST_REACH = 0.01


def action_colours(theme: Theme, *, can_check: bool) -> tuple[QColor, QColor, QColor]:
    """Return the colours of folding, checking or calling, and betting or raising."""
    fold = mixed(QColor(theme.panel), QColor(theme.fold), _FOLDED)
    return fold, QColor(theme.check if can_check else theme.call), QColor(theme.raise_)


class ActionGrid(NavigableCells):
    """Shows one chart; its cells are hand classes, filled as high as their hands get here often."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme)
        self._view: GridView | None = None
        self.setAccessibleName("Chart")

    def show_view(self, view: GridView | None) -> None:
        """Show a chart, or an empty grid."""
        self._view = view
        self._announce_focused()
        self.update()

    def describe(self, cell: int) -> str:
        return self._view.describe(cell) if self._view is not None else class_name(cell)

    def _shape(self) -> tuple[int, int]:
        return _SIDE, _SIDE

    def _first_cell(self) -> QRectF:
        ratio = self.devicePixelRatioF()
        cell = max(int(min(self.width(), self.height()) * ratio) // _SIDE, 1) / ratio
        left, top = ((extent - _SIDE * cell) / 2 for extent in (self.width(), self.height()))
        return QRectF(round(left * ratio) / ratio, round(top * ratio) / ratio, cell, cell)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._fitting_font())
        for cell in range(_SIDE * _SIDE):
            self._paint_cell(painter, cell)
        if self._view is not None and self._view.own is not None:
            theme, ring = self._theme.theme, self.cell_rect(self._view.own).adjusted(2, 2, -3, -3)
            for colour, width in ((theme.panel, 5), (theme.text, 2)):  # seen on every colour
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRect(ring)
        self._paint_outlines(painter, gap=1)
        painter.end()

    def _fitting_font(self) -> QFont:
        """Return the largest font in which the names fit into the cells."""
        cell = self._first_cell().width()
        font = QFont(self.font())
        font.setStretch(QFont.Stretch.SemiCondensed)
        points = font.pointSizeF()
        needed = QFontMetricsF(font, self).horizontalAdvance("QTo")
        font.setPointSizeF(max(min(points * 0.72 * cell / needed, 1.6 * points), 5.0))
        return font

    def _paint_cell(self, painter: QPainter, cell: int) -> None:
        theme, view = self._theme.theme, self._view
        inner = self.cell_rect(cell).adjusted(0, 0, -1, -1)
        painter.fillRect(inner, QColor(theme.heat_blocked))
        areas = [(inner, QColor(theme.text_muted))]
        if view is not None and not view.is_blocked[cell] and view.reach[cell] >= _LEAST_REACH:
            height = max(round(inner.height() * float(view.reach[cell])), 1)
            left, top = inner.left(), inner.bottom() - height
            for kind in view.kinds:
                width = inner.width() * float(view.shares[cell, kind])
                colour = action_colours(theme, can_check=view.can_check)[kind]
                area = QRectF(left, top, width, height)
                painter.fillRect(area, colour)
                areas.append((area, ink_on(colour)))
                left += width
        # The name is written once for each colour that it lies on.
        for area, ink in areas:
            painter.setClipRect(area)
            painter.setPen(ink)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, class_name(cell))
        painter.setClipping(False)

    def sizeHint(self) -> QSize:
        return self._in_lines(34, 34)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(20, 20)
