"""The equity graph: each player's range from its best hand to its worst, and what equity stands there."""

from typing import Any

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from trainer.theme import Theme, ThemeSource
from trainer.viewmodels.odds_pictures import Picture, PicturesViewModel
from trainer.viewmodels.picture_views import GraphView
from trainer.widgets.picture_panel import PicturePanel, PictureTable, PlayerLegend
from trainer.widgets.text_field import ShortenedLabel

_FAINT = 0.4
_START = 50.0
_STEP, _LARGE_STEP = 1.0, 10.0


class EquityGraph(QWidget):
    """The lines and a crosshair, which follows the mouse and the arrow keys.

    Attributes
    ----------
    place : float
        Where the crosshair stands, in percent of the range.
    """

    def __init__(self, theme: ThemeSource, on_place: Any) -> None:
        super().__init__()
        self._theme = theme
        self._on_place = on_place
        self._view: GraphView | None = None
        self._is_faint = False
        self._plot: Any = None
        self._cross: Any = None
        self._lines: list[Any] = []
        self.place = _START
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(10 * self.fontMetrics().height())
        self.setAccessibleName("Equity graph: arrow keys move the crosshair")
        theme.changed.connect(self._on_theme_changed)
        QTimer.singleShot(0, self, self._add_plot)  # pyqtgraph takes most of a second to import the first time

    def _add_plot(self) -> None:
        import pyqtgraph

        plot = pyqtgraph.PlotWidget()
        plot.setAccessibleName("Equity by part of the range")
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.setLabel("bottom", "Share of the range, best hands first, %")
        plot.setLabel("left", "Equity, %")
        for side in ("left", "bottom"):
            plot.getAxis(side).enableAutoSIPrefix(False)
            plot.getAxis(side).setTicks([[(tick, str(tick)) for tick in range(0, 101, 20)]])
        plot.setXRange(0, 100, padding=0.04)
        plot.setYRange(0, 100, padding=0.03)
        plot.showGrid(x=True, y=True, alpha=0.2)
        self._cross = pyqtgraph.InfiniteLine(pos=self.place, angle=90)
        self._cross.setZValue(20)
        plot.addItem(self._cross)
        plot.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self._plot = plot
        self._layout.addWidget(plot)
        self._draw()

    def show_view(self, view: GraphView | None, *, is_faint: bool) -> None:
        """Show lines, or none; faint while they are out of date."""
        self._view, self._is_faint = view, is_faint
        self.setAccessibleDescription("" if view is None else view.text)
        self._draw()

    def _draw(self) -> None:
        if self._plot is None:
            return
        lines = self._view.lines if self._view is not None else ()
        while len(self._lines) > len(lines):
            self._plot.removeItem(self._lines.pop())
        while len(self._lines) < len(lines):
            self._lines.append(self._plot.plot([], [], antialias=True))
        for item, line in zip(self._lines, lines, strict=True):
            item.setData(line.places, line.equities)
        self._colour()

    def _colour(self) -> None:
        import pyqtgraph

        theme = self._theme.theme
        self._plot.setBackground(theme.panel)
        for player, item in enumerate(self._lines):
            pen = pyqtgraph.mkPen(theme.player_colour(player), width=2.5, style=theme.player_dash(player))
            item.setPen(pen)
            item.setOpacity(_FAINT if self._is_faint else 1.0)
        is_strong = self.hasFocus()
        self._cross.setPen(
            pyqtgraph.mkPen(theme.accent if is_strong else theme.text_muted, width=2 if is_strong else 1)
        )
        for side in ("left", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(pyqtgraph.mkPen(theme.border))
            axis.setTextPen(pyqtgraph.mkPen(theme.text))

    def move_to(self, place: float) -> None:
        """Put the crosshair at a place in percent of the range."""
        self.place = min(max(place, 0.0), 100.0)
        if self._cross is not None:
            self._cross.setPos(self.place)
        self._on_place()

    def _on_mouse_moved(self, position: QPointF) -> None:
        box = self._plot.getPlotItem().vb
        if box.sceneBoundingRect().contains(position):
            self.move_to(box.mapSceneToView(position).x())

    def _on_theme_changed(self, _theme: Theme) -> None:
        if self._plot is not None:
            self._colour()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._plot is not None:
            self._colour()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._plot is not None:
            self._colour()

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
        if event.key() not in places:
            super().keyPressEvent(event)
            return
        self.move_to(places[Qt.Key(event.key())])
        if QAccessible.isActive() and self._view is not None:
            told = ", ".join(" ".join(row) for row in self._view.rows(self.place))
            text = f"{self.place:.0f}% of the range: {told}"
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))


class GraphPanel(PicturePanel):
    """The graph, and below it what stands at the crosshair."""

    def __init__(self, theme: ThemeSource, model: PicturesViewModel) -> None:
        super().__init__(theme, model, Picture.GRAPH, has_players=False)
        self._view: GraphView | None = None
        self.legend = PlayerLegend(theme)
        self.readout = ShortenedLabel(theme)
        self.table = PictureTable(theme, ("Player", ">Equity", "Hand"), "What stands at the crosshair")
        self.graph = EquityGraph(theme, self._show_place)
        self.content.addWidget(self.legend)
        self.content.addWidget(self.graph, 1)
        self.content.addWidget(self.readout)
        self.content.addWidget(self.table)
        self.table.setMinimumHeight(self.table.height_of_rows(2))

    def refresh(self, *, is_faint: bool) -> str:
        self._view = view = self.model.graph()
        self.graph.show_view(view, is_faint=is_faint)
        if view is None:
            return ""
        self.legend.show_names(view.names, tuple(range(len(view.names))))
        self._show_place()
        return view.note

    def _show_place(self) -> None:
        place = self.graph.place
        self.readout.setText(f"At {place:.0f}% of each range, from its best hand")
        if self._view is not None:
            is_faint = self.model.status(self.picture).is_faint
            self.table.show_rows(self._view.rows(place), is_faint=is_faint)
