"""The charts of the lab: what each style had won by then, and how often it took which place."""

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from trainer.charts.panel import PlayerLegend
from trainer.lab.matches.charts_model import CurvesView, PlacesView
from trainer.theme import Theme, ThemeSource
from trainer.widgets.check_box import CheckBox
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel

V = TypeVar("V", CurvesView, PlacesView)

_BAND = 0.13  # how strongly an interval has its line's colour
_BARS = 0.8  # how much of the room of a place its bars take
_FILLS = {
    Qt.PenStyle.SolidLine: Qt.BrushStyle.SolidPattern,
    Qt.PenStyle.DashLine: Qt.BrushStyle.BDiagPattern,
}
"""Of bars, by the lines of the same player."""


class LabChart(QWidget, Generic[V]):
    """A plot below the legend of the styles, or a sentence in its place; `plot` is made when first shown.

    pyqtgraph takes most of a second to import, so no window opens with it.
    """

    def __init__(self, theme: ThemeSource, name: str, empty: str) -> None:
        super().__init__()
        self._theme = theme
        self._view: V | None = None
        self.plot: Any = None
        self.legend = PlayerLegend(theme)
        self.message = ColouredLabel(theme, "text_muted", empty, wraps=True)
        self.top = QHBoxLayout()
        self._name = name
        self._pages = QStackedWidget()
        self._page = QWidget()
        self._build()
        theme.changed.connect(self._on_theme_changed)

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(6, 6, 6, 6)
        layout = tight(QVBoxLayout(self._page))
        self.top.addWidget(self.legend, 1)
        layout.addLayout(self.top)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(self.message)
        self._pages.addWidget(self._page)
        whole.addWidget(self._pages)

    @property
    def is_empty(self) -> bool:
        """Whether a sentence stands in the place of the chart."""
        return self._pages.currentIndex() == 0

    def picture(self) -> QPixmap:
        """Return the chart with its legend, as it is on the screen."""
        return self._page.grab()

    def say(self, sentence: str) -> None:
        """Show a sentence in the place of the chart."""
        self.message.setText(sentence)
        self._pages.setCurrentIndex(0)

    def _open(self) -> None:
        """Show the chart, and make it first if it is not there yet."""
        if self.plot is None:
            from trainer.widgets.plots import new_plot

            self.plot = new_plot(self._name, 120)
            self.plot.showGrid(x=True, y=True, alpha=0.2)
            layout = self._page.layout()
            assert layout is not None
            layout.addWidget(self.plot)
        self._pages.setCurrentIndex(1)

    def show_view(self, view: V) -> None:
        """Show what is to be drawn."""
        self._view = view
        self._open()
        self._draw(self._theme.theme)

    def _draw(self, theme: Theme) -> None:
        raise NotImplementedError

    def _on_theme_changed(self, theme: Theme) -> None:
        if self.plot is not None:
            self._draw(theme)


class _Curve(NamedTuple):
    """A style's pieces of the plot: the edges of its band, which are not painted, the band and the line."""

    low: Any
    high: Any
    band: Any
    line: Any


class CurvesChart(LabChart[CurvesView]):
    """What each style had won after so many hands, with the interval as a band."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, "Chip curves", "Curves begin with the first match that is finished.")
        self._zero: Any = None
        self._curves: list[_Curve] = []
        self.adjusted = CheckBox("&Without the luck of the board")
        self.adjusted.setChecked(True)
        self.adjusted.setToolTip("The luck of the board and of all-ins taken out, which changes no mean")
        self.top.addWidget(self.adjusted, 0, Qt.AlignmentFlag.AlignTop)

    def _draw(self, theme: Theme) -> None:
        import pyqtgraph

        from trainer.widgets.plots import colour_plot

        view, plot = self._view, self.plot
        if view is None:
            return
        colour_plot(plot, theme)
        if len(self._curves) != len(view.lines):
            self._make_curves(len(view.lines))
        self._zero.setPen(pyqtgraph.mkPen(theme.text_muted, width=1, style=Qt.PenStyle.DashLine))
        for player, (line, curve) in enumerate(zip(view.lines, self._curves, strict=True)):
            fill = theme.player_colour(player)
            fill.setAlphaF(_BAND)
            curve.low.setData(line.hands, line.low)
            curve.high.setData(line.hands, line.high)
            curve.band.setBrush(fill)
            curve.line.setData(line.hands, line.won)
            curve.line.setPen(
                pyqtgraph.mkPen(theme.player_colour(player), width=2, style=theme.player_dash(player))
            )
        plot.setLabel("bottom", view.across, color=theme.text)
        plot.setLabel("left", view.up, color=theme.text)
        plot.setAccessibleDescription(view.words)
        plot.setToolTip(view.words)
        self.legend.show_names(tuple(line.name for line in view.lines), tuple(range(len(view.lines))))

    def _make_curves(self, count: int) -> None:
        """Make so many curves without points, over the bands of all."""
        import pyqtgraph

        self.plot.clear()
        self._zero = pyqtgraph.InfiniteLine(pos=0, angle=0)
        self.plot.addItem(self._zero)
        self._curves = []
        for _ in range(count):
            low, high, line = (pyqtgraph.PlotDataItem() for _ in range(3))
            self._curves.append(_Curve(low, high, pyqtgraph.FillBetweenItem(low, high), line))
            self.plot.addItem(self._curves[-1].band)
        for curve in self._curves:
            self.plot.addItem(curve.line)


class PlacesChart(LabChart[PlacesView]):
    """How often each style took each place, as bars that stand side by side."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, "Places taken", "Places are of tournaments; in a cash game nobody is ranked.")

    def _draw(self, theme: Theme) -> None:
        import pyqtgraph

        from trainer.widgets.plots import colour_plot

        view, plot = self._view, self.plot
        if view is None:
            return
        colour_plot(plot, theme)
        plot.clear()
        plot.setMouseEnabled(x=False, y=False)
        width = _BARS / len(view.names)
        for player, shares in enumerate(view.shares):
            places = np.arange(1, len(shares) + 1) + (player - (len(view.names) - 1) / 2) * width
            plot.addItem(
                pyqtgraph.BarGraphItem(
                    x=places,
                    height=100 * np.array(shares),
                    width=0.9 * width,
                    brush=QBrush(theme.player_colour(player), _FILLS[theme.player_dash(player)]),
                    pen=pyqtgraph.mkPen(theme.panel),
                )
            )
        places_of_all = len(view.shares[0])
        plot.getAxis("bottom").setTicks([[(place, str(place)) for place in range(1, places_of_all + 1)]])
        plot.setXRange(0.5, places_of_all + 0.5, padding=0)
        plot.setYRange(0, 100 * max(max(shares) for shares in view.shares) or 100, padding=0.05)
        plot.setLabel("bottom", "Place", color=theme.text)
        plot.setLabel("left", "Share of its players, %", color=theme.text)
        plot.setAccessibleDescription(view.words)
        plot.setToolTip(view.words)
        self.legend.show_names(view.names, tuple(range(len(view.names))))
