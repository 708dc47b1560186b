"""The equity graph: each player's range from its best hand to its worst, and what equity stands there."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)

from trainer.charts.chart_values import GraphView
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel, ChartTable, PlayerLegend
from trainer.theme import Theme, ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.painted import Painted
from trainer.widgets.text_field import ShortenedLabel

_FAINT = 0.4
_BAND = 0.25  # how strongly a band has its line's colour
_START = 50.0
_STEP, _LARGE_STEP = 1.0, 10.0
_TICKS = (0, 20, 40, 60, 80, 100)
_AXIS = "Share of the range, best hands first"


class _EquityGraph(Painted):
    """The lines and a crosshair at `place` percent, which follows the mouse and the arrow keys.

    Painted by itself: nobody zooms it, and pyqtgraph takes most of a second to import.
    """

    place_changed = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Equity graph: arrow keys move the crosshair", fills=True)
        self._view: GraphView | None = None
        self._is_faint = False
        self._layer: QPixmap | None = None
        self.place = _START
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_view(self, view: GraphView, *, is_faint: bool) -> None:
        """Show lines; faint while they are out of date."""
        self._view, self._is_faint, self._layer = view, is_faint, None
        self.setAccessibleDescription(view.text)
        self.update()

    def move_to(self, place: float) -> None:
        """Put the crosshair at a place in percent of the range."""
        self.place = min(max(place, 0.0), 100.0)
        self.place_changed.emit()
        self.update()

    def point(self, place: float, equity: float) -> QPointF:
        """Return where a percentage of the range and an equity in percent are painted."""
        space = self._space()
        return QPointF(space.x() + place / 100 * space.width(), space.bottom() - equity / 100 * space.height())

    def _space(self) -> QRectF:
        metrics = QFontMetricsF(self.font())
        left, half = metrics.horizontalAdvance("100%") + 8, metrics.horizontalAdvance("100%") / 2
        below = 2 * metrics.height() + 10
        return QRectF(left, metrics.height() / 2 + 2, self.width() - left - half - 2, self.height() - below - 8)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._layer = None
        self.update()

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, ratio = self._theme.theme, self.devicePixelRatioF()
        if self._layer is None or self._layer.size() != self.size() * ratio:
            self._layer = self._paint_lines(theme, ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._layer)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_focus = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent if has_focus else theme.text), 2.0 if has_focus else 1.0))
        painter.drawLine(self.point(self.place, 0), self.point(self.place, 100))
        painter.end()

    def _paint_lines(self, theme: Theme, ratio: float) -> QPixmap:
        """Paint all but the crosshair once: ten lines take 20 ms, too long for every move of the mouse."""
        layer = QPixmap(self.size() * ratio)
        layer.setDevicePixelRatio(ratio)
        layer.fill(Qt.GlobalColor.transparent)
        painter = QPainter(layer)
        painter.setFont(self.font())
        self._paint_axes(painter, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lines = self._view.lines if self._view is not None else ()
        opacity = _FAINT if self._is_faint else 1.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(_BAND * opacity)
        for player, line in enumerate(lines):
            if line.band is not None:
                lower, upper = line.band
                painter.setBrush(theme.player_colour(player))
                painter.drawPolygon(
                    QPolygonF([*self._points(line.places, upper), *self._points(line.places, lower)[::-1]])
                )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setOpacity(opacity)
        for player, line in enumerate(lines):
            pen = QPen(theme.player_colour(player), 2.2)
            pen.setStyle(theme.player_dash(player))
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(self._points(line.places, line.equities)))
        painter.end()
        return layer

    def _points(self, places: NDArray[np.float64], equities: NDArray[np.float64]) -> list[QPointF]:
        return [self.point(*each) for each in zip(places.tolist(), equities.tolist(), strict=True)]

    def _paint_axes(self, painter: QPainter, theme: Theme) -> None:
        space, line = self._space(), QFontMetricsF(self.font()).height()
        painter.fillRect(space, QColor(theme.panel))
        for tick in _TICKS:
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawLine(self.point(0, tick), self.point(100, tick))
            painter.drawLine(self.point(tick, 0), self.point(tick, 100))
            painter.setPen(QColor(theme.text_muted))
            left = QRectF(0, self.point(0, tick).y() - line / 2, space.left() - 6, line)
            painter.drawText(left, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{tick}%")
            below = QRectF(self.point(tick, 0).x() - 3 * line, space.bottom() + 3, 6 * line, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, f"{tick}%")
        title = QRectF(space.left(), space.bottom() + line + 5, space.width(), line + 2)
        painter.setPen(QColor(theme.text))
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, _AXIS)

    # ---- mouse and keys

    def sizeHint(self) -> QSize:
        return self._in_lines(24, 16)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(12, 10)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        space = self._space()
        if space.contains(event.position()):
            self.move_to(100 * (event.position().x() - space.x()) / space.width())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_large = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = _LARGE_STEP if is_large else _STEP
        places = {
            Qt.Key.Key_Left: self.place - step,
            Qt.Key.Key_Right: self.place + step,
            Qt.Key.Key_PageUp: self.place - _LARGE_STEP,
            Qt.Key.Key_PageDown: self.place + _LARGE_STEP,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: 100.0,
        }
        if event.key() not in places or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
            return
        self.move_to(places[Qt.Key(event.key())])
        if self._view is not None:
            words = ", ".join(" ".join(row) for row in self._view.rows(self.place))
            announce(self, f"{self.place:.0f}% of the range: {words}")


class GraphPanel(ChartPanel[GraphView]):
    """The graph, and below it what stands at the crosshair."""

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, GraphView, has_players=False)
        self.legend = PlayerLegend(theme)
        self.graph = _EquityGraph(theme)
        self.readout = ShortenedLabel(theme)
        self.table = ChartTable(theme, ("Player", ">Equity", "Hand"), "What stands at the crosshair")
        self.content.addWidget(self.legend)
        self.content.addWidget(self.graph, 1)
        self.content.addWidget(self.readout)
        self.content.addWidget(self.table)
        self.table.setMinimumHeight(self.table.height_of_rows(2))
        self.graph.place_changed.connect(self._show_place)

    def refresh(self, view: GraphView, *, is_faint: bool) -> None:
        self.graph.show_view(view, is_faint=is_faint)
        self.legend.show_names(view.names, tuple(range(len(view.names))), view.remark)
        self._show_place()

    def _show_place(self) -> None:
        place = self.graph.place
        self.readout.setText(f"At {place:.0f}% of each range, from its best hand")
        if self.view is not None:
            self.table.show_rows(self.view.rows(place), is_faint=self.is_faint, headings=self.view.headings)
