"""A slider over the points of a hand, with the streets written where they begin."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QStylePainter

from engine.cards import STREET_NAMES
from trainer.reading.range_model import HandPoint
from trainer.theme import ThemeSource


class PointSlider(QSlider):
    """A slider over the points of a hand, with the streets written where they begin."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._streets: tuple[tuple[int, str], ...] = ()
        self._count = 0
        self.setPageStep(1)
        self.setSingleStep(1)
        self.setAccessibleName("Points of the hand")
        self._fit_height()

    def _fit_height(self) -> None:
        self.setMinimumHeight(2 * round(QFontMetricsF(self.font()).height()) + 3)

    def show_points(self, points: tuple[HandPoint, ...]) -> None:
        """Take the points of a hand."""
        first: dict[str, int] = {}
        for index, point in enumerate(points):
            first.setdefault(STREET_NAMES[point.street], index)
        self._streets = tuple((index, name) for name, index in first.items())
        self._count = len(points)
        self.setMaximum(max(len(points) - 1, 0))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetricsF(self.font())
        length = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
        span = self.width() - length
        painter.setPen(QColor(self._theme.theme.text_muted))
        free = -1.0
        places = [
            length / 2 + QStyle.sliderPositionFromValue(self.minimum(), max(self.maximum(), 1), index, span)
            for index in range(self._count)
        ]
        for at in places:  # a mark for each point, a line where a street begins
            painter.drawPoint(QPointF(at, self.height() - metrics.height() - 2))
        for index, name in self._streets:
            at = places[index]
            painter.drawLine(QPointF(at, 2), QPointF(at, self.height() - metrics.height() - 1))
            width = metrics.horizontalAdvance(name)
            left = min(max(at - 4, 0), self.width() - width)
            if left > free:
                painter.drawText(QPointF(left, self.height() - metrics.descent()), name)
                free = left + width + 4
        painter.end()
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        option.subControls = QStyle.SubControl.SC_SliderGroove | QStyle.SubControl.SC_SliderHandle
        option.rect = self.rect().adjusted(0, 0, 0, -round(metrics.height()))
        styled = QStylePainter(self)
        styled.drawComplexControl(QStyle.ComplexControl.CC_Slider, option)
        styled.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_height()
