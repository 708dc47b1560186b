"""Streets: everybody's equity before the flop and on each street dealt since."""

from itertools import pairwise

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from trainer.charts.chart_values import StreetsView
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel, ChartTable, PlayerLegend
from trainer.theme import Theme, ThemeSource
from trainer.widgets.painted import Painted

_FAINT = 0.4
_DOT = 4.0


class _StreetChart(Painted):
    """A line per player over the streets."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Equity by street", fills=True)
        self._view: StreetsView | None = None
        self._is_faint = False

    def show_view(self, view: StreetsView, *, is_faint: bool) -> None:
        """Show lines; faint while they are out of date."""
        self._view, self._is_faint = view, is_faint
        self.setAccessibleDescription(view.text)
        self.update()

    def sizeHint(self) -> QSize:
        return self._in_lines(24, 14)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(12, 8)

    def _space(self) -> QRectF:
        metrics = QFontMetricsF(self.font())
        left = metrics.horizontalAdvance("100%") + 6
        return QRectF(left, 6, self.width() - left - 6, self.height() - 2 * metrics.height() - 20)

    def point(self, street: int, equity: float) -> QPointF:
        """Return where an equity 0-1 on a street is painted."""
        assert self._view is not None
        space = self._space()
        part = (street + 0.5) / len(self._view.streets)
        return QPointF(space.x() + part * space.width(), space.bottom() - equity * space.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme.theme
        self._paint_axes(painter, theme, self._view)
        painter.setOpacity(_FAINT if self._is_faint else 1.0)
        for player, equities in enumerate(self._view.equities):
            points = [self.point(street, equity) for street, equity in enumerate(equities)]
            pen = QPen(theme.player_colour(player), 2.5)
            pen.setStyle(theme.player_dash(player))
            painter.setPen(pen)
            for before, after in pairwise(points):
                painter.drawLine(before, after)
            painter.setPen(QPen(theme.player_colour(player), 1))
            painter.setBrush(theme.player_colour(player))
            for point in points:
                painter.drawEllipse(point, _DOT, _DOT)
        painter.end()

    def _paint_axes(self, painter: QPainter, theme: Theme, view: StreetsView) -> None:
        space, line = self._space(), QFontMetricsF(self.font()).height()
        for quarter in range(5):
            at = space.bottom() - quarter / 4 * space.height()
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawLine(QPointF(space.left(), at), QPointF(space.right(), at))
            painter.setPen(QColor(theme.text_muted))
            box = QRectF(0, at - line / 2, space.left() - 6, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{25 * quarter}%")
        width = space.width() / len(view.streets)
        for street, (name, cards) in enumerate(zip(view.streets, view.cards, strict=True)):
            box = QRectF(space.left() + street * width, space.bottom() + 8, width, line)
            painter.setPen(QColor(theme.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
            painter.setPen(QColor(theme.text_muted))
            painter.drawText(box.translated(0, line), Qt.AlignmentFlag.AlignCenter, cards)

    def tip_at(self, position: QPoint) -> str:
        if self._view is None:
            return ""
        space, streets = self._space(), self._view.streets
        street = int((position.x() - space.left()) / space.width() * len(streets))
        if not 0 <= street < len(streets):
            return ""
        return "\n".join([streets[street], *(f"{row[0]}: {row[1 + street]}" for row in self._view.rows)])


class StreetsPanel(ChartPanel[StreetsView]):
    """The chart, and its table."""

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, StreetsView, has_players=False)
        self.legend = PlayerLegend(theme)
        self.lines = _StreetChart(theme)
        self.table = ChartTable(theme, ("Player",), "Equity on each street")
        self.content.addWidget(self.legend)
        self.content.addWidget(self.lines, 1)
        self.content.addWidget(self.table)
        self.table.setMinimumHeight(self.table.height_of_rows(2))

    def refresh(self, view: StreetsView, *, is_faint: bool) -> None:
        self.lines.show_view(view, is_faint=is_faint)
        self.legend.show_names(view.names, tuple(range(len(view.names))))
        headings = ("Player", *(f">{street}" for street in view.streets))
        self.table.show_rows(view.rows, is_faint=is_faint, headings=headings)
