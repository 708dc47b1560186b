"""What a player had won hand by hand: five lines with a legend that hides them, and a readout under the pointer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.figures.player_figures import Line
from trainer.figures.figures_model import LINE_MEANINGS, LINE_NAMES, point_text
from trainer.figures.hands import HandLines
from trainer.theme import Theme, ThemeSource
from trainer.widgets.check_box import CheckBox
from trainer.widgets.text_field import ShortenedLabel

_DASHES = {
    Line.NET: Qt.PenStyle.SolidLine,
    Line.ALL_IN: Qt.PenStyle.DashLine,
    Line.VALUE: Qt.PenStyle.DashDotLine,
    Line.SHOWDOWN: Qt.PenStyle.SolidLine,
    Line.NON_SHOWDOWN: Qt.PenStyle.SolidLine,
}
_SIGNS = {Qt.PenStyle.SolidLine: "━", Qt.PenStyle.DashLine: "╍", Qt.PenStyle.DashDotLine: "┅"}
_HINT = "Point at the graph, or press Left and Right, to read the lines; drag and wheel to zoom."


class FiguresGraph(QWidget):
    """The lines of a player; `plot` is made when first shown, since pyqtgraph takes most of a second to import."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._lines: HandLines | None = None
        self._at = 0
        self._curves: dict[Line, Any] = {}
        self._zero: Any = None
        self._cursor: Any = None
        self._legend: Any = None
        self.plot: Any = None
        self.boxes = {line: CheckBox(name) for line, name in LINE_NAMES.items()}
        self.readout = ShortenedLabel(theme, "text_muted")
        self.readout.setAccessibleName("Values under the pointer")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("What was won hand by hand")
        legend = QHBoxLayout()
        for line, box in self.boxes.items():
            box.setChecked(True)
            box.setToolTip(LINE_MEANINGS[line])
            box.toggled.connect(self._on_toggled)
            legend.addWidget(box)
        legend.addStretch(1)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(6, 6, 6, 6)
        self._layout.addLayout(legend)
        self._layout.addWidget(self.readout, 0, Qt.AlignmentFlag.AlignBottom)
        theme.changed.connect(self._on_theme_changed)

    def show_lines(self, lines: HandLines | None) -> None:
        """Show the lines of a player; without any, none."""
        self._lines = lines
        self._at = len(lines.hands) - 1 if lines is not None else 0
        if self.plot is None and lines is not None:
            self._make()
        if self.plot is not None:
            self._draw(self._theme.theme)
            self.plot.autoRange()

    def picture(self) -> QPixmap:
        """Return the graph with its legend."""
        with self._to_be_saved():
            grabbed: QPixmap = self.plot.grab()
        return grabbed

    def svg(self) -> bytes:
        """Return the same as SVG."""
        from trainer.widgets.plots import svg_of

        with self._to_be_saved():
            return svg_of(self.plot, self._theme.theme)

    @contextmanager
    def _to_be_saved(self) -> Iterator[None]:
        """Show the legend, and not where the pointer is."""
        self._legend.setVisible(True)
        self._cursor.setVisible(False)
        yield
        self._legend.setVisible(False)
        self._cursor.setVisible(True)

    def _make(self) -> None:
        import pyqtgraph

        from trainer.widgets.plots import new_plot

        self.plot = new_plot("Graph", 120, of_hands=True)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        self._legend = self.plot.addLegend(offset=(10, 10))
        self._zero = pyqtgraph.InfiniteLine(pos=0, angle=0)
        self._cursor = pyqtgraph.InfiniteLine(angle=90)
        self.plot.addItem(self._zero)
        for line in reversed(LINE_NAMES):
            self._curves[line] = self.plot.plot([], [])
        for line, name in LINE_NAMES.items():
            self._legend.addItem(self._curves[line], name)
        self._legend.setVisible(False)  # the boxes above are it on the screen
        self.plot.addItem(self._cursor, ignoreBounds=True)
        self.plot.scene().sigMouseMoved.connect(self._on_pointed)
        self._layout.insertWidget(1, self.plot, 1)

    def _draw(self, theme: Theme) -> None:
        import pyqtgraph

        from trainer.widgets.plots import colour_plot

        colour_plot(self.plot, theme)
        for side, label in (("left", "Big blinds won"), ("bottom", "Hands")):
            self.plot.setLabel(side, label, color=theme.text)
        self._zero.setPen(pyqtgraph.mkPen(theme.text_muted, width=1, style=Qt.PenStyle.DashLine))
        self._cursor.setPen(pyqtgraph.mkPen(theme.text_muted, width=1))
        for _, label in self._legend.items:
            label.setText(label.text, color=theme.text)
        colours = _colours(theme)
        for line, curve in self._curves.items():
            pen = pyqtgraph.mkPen(colours[line], width=2.5 if line is Line.NET else 1.6, style=_DASHES[line])
            curve.setPen(pen)
            is_there = self._lines is not None and line in self._lines.won
            box = self.boxes[line]
            box.setEnabled(is_there)
            box.setText(f"{_SIGNS[_DASHES[line]]} {LINE_NAMES[line]}")
            box.setStyleSheet(f"QCheckBox {{ color: {colours[line] if is_there else theme.text_muted}; }}")
            box.setToolTip(
                LINE_MEANINGS[line] if is_there else "Not for these hands: of some the hole cards are not known"
            )
            if self._lines is not None and is_there:
                curve.setData(self._lines.hands, self._lines.won[line])
            else:
                curve.setData([], [])
            curve.setVisible(is_there and box.isChecked())
        self._show_point()

    def _show_point(self) -> None:
        if self._lines is None:
            self.readout.clear()
            return
        words = point_text(self._lines, self._at)
        self.readout.setText(words)
        self.plot.setToolTip(_HINT)
        self.plot.setAccessibleDescription(words)
        self._cursor.setPos(float(self._lines.hands[self._at]))

    def _on_pointed(self, place: QPointF) -> None:
        import numpy as np

        box = self.plot.getPlotItem().vb
        if self._lines is not None and box.sceneBoundingRect().contains(place):
            hand = box.mapSceneToView(place).x()
            self._at = int(np.abs(self._lines.hands - hand).argmin())
            self._show_point()

    def _on_toggled(self) -> None:
        if self.plot is not None:
            self._draw(self._theme.theme)

    def _on_theme_changed(self, theme: Theme) -> None:
        if self.plot is not None:
            self._draw(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -(10**9), Qt.Key.Key_End: 10**9}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._lines is None:
            super().keyPressEvent(event)
            return
        self._at = min(max(self._at + step, 0), len(self._lines.hands) - 1)
        self._show_point()


def _colours(theme: Theme) -> dict[Line, str]:
    """Return the colours that trackers have made usual: net green, all-ins orange, showdown blue, others red."""
    blue, orange, green, pink, _ = theme.players
    return {
        Line.NET: green,
        Line.ALL_IN: orange,
        Line.VALUE: pink,
        Line.SHOWDOWN: blue,
        Line.NON_SHOWDOWN: theme.bad,
    }
