"""What all plots share; imported where one is made, since pyqtgraph takes most of a second."""

from typing import Any

import pyqtgraph
from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView

from trainer.theme import Theme


class HandAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis below a plot that marks whole hands, however few are in sight."""

    def __init__(self) -> None:
        super().__init__("bottom")

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        spacings: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        return [(spacing, offset) for spacing, offset in spacings if spacing >= 1] or [(1.0, 0.0)]


def new_plot(name: str, least_height: int, *, of_hands: bool = False) -> Any:
    """Return a plot without menu and buttons, over hands if so asked; `name` is for screen readers."""
    plot = pyqtgraph.PlotWidget(axisItems={"bottom": HandAxis()} if of_hands else None)
    plot.setAccessibleName(name)
    plot.setMenuEnabled(False)
    plot.hideButtons()
    plot.setMinimumHeight(least_height)
    for side in ("left", "bottom"):
        plot.getAxis(side).enableAutoSIPrefix(False)
    return plot


def colour_plot(plot: Any, theme: Theme) -> None:
    """Paint a plot's ground and axes in the theme's colours."""
    plot.setBackground(theme.panel)
    for side in ("left", "bottom"):
        colour_axis(plot.getAxis(side), theme)


def colour_axis(axis: Any, theme: Theme) -> None:
    """Paint an axis in the theme's colours."""
    axis.setPen(pyqtgraph.mkPen(theme.border))
    axis.setTextPen(pyqtgraph.mkPen(theme.text))


def svg_of(view: QGraphicsView, theme: Theme) -> bytes:
    """Return what a view of plots shows as SVG."""
    size, buffer, generator = view.size(), QBuffer(), QSvgGenerator()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setResolution(view.logicalDpiX())  # or what is recorded, such as axes, would be scaled
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle("Soulread")
    painter = QPainter(generator)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(theme.panel))
    view.render(painter)
    painter.end()
    return bytes(buffer.data().data())
