"""A picture of an experiment on the screen, in the theme's colours."""

from html import escape
from math import log10
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPixmap
from PySide6.QtWidgets import (
    QGraphicsRectItem,
    QGraphicsSceneResizeEvent,
    QGraphicsTextItem,
    QGraphicsWidget,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.lab.experiments.picture import (
    Axis,
    Bars,
    Cells,
    Colour,
    Curve,
    Level,
    Mark,
    Marker,
    Named,
    Panel,
    Picture,
    Stroke,
    Zone,
    legend_of,
)
from trainer.theme import Theme, ThemeSource, ink_on
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel

_STROKES = {
    Stroke.NONE: Qt.PenStyle.NoPen,
    Stroke.SOLID: Qt.PenStyle.SolidLine,
    Stroke.DASHED: Qt.PenStyle.DashLine,
    Stroke.DOTTED: Qt.PenStyle.DotLine,
}
_MARKERS = {
    Marker.NONE: None,
    Marker.DOT: "o",
    Marker.SQUARE: "s",
    Marker.DIAMOND: "d",
    Marker.TRIANGLE: "t1",
    Marker.STAR: "star",
}
_SIGNS = {Marker.DOT: "●", Marker.SQUARE: "■", Marker.DIAMOND: "◆", Marker.TRIANGLE: "▲", Marker.STAR: "★"}
_LINE_SIGNS = {
    Qt.PenStyle.NoPen: "",
    Qt.PenStyle.SolidLine: "─",
    Qt.PenStyle.DashLine: "╌",
    Qt.PenStyle.DotLine: "┈",
}

_BAND, _ZONE, _GRID = 0.15, 0.12, 0.2
"""How strongly these cover what is below."""

_LONG, _SMALL = 6, 7
"""Names across of more letters are written small, of so many points, in two lines."""

_BAR = 0.72
_DOT = 7
_BEAM = 0.12
"""Height of a bar, pixels of a marker, and the ends of an error where places are whole numbers."""


class FigureView(QWidget):
    """A picture, or a sentence in its place; the plots are made when first shown.

    pyqtgraph takes most of a second to import, so no window opens with it.
    """

    def __init__(self, theme: ThemeSource, empty: str) -> None:
        super().__init__()
        self._theme = theme
        self._picture: Picture | None = None
        self.plots: Any = None  # the widget of the plots, once there is a picture
        self._shape: object = None
        self._above: _Caption | None = None
        self._plots: list[tuple[_Caption, Any]] = []
        self.message = ColouredLabel(theme, "text_muted", empty, wraps=True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.message)
        tight(QVBoxLayout(self), self._pages)
        theme.changed.connect(self._on_theme_changed)

    @property
    def is_empty(self) -> bool:
        """Whether a sentence stands in the place of the picture."""
        return self._picture is None

    def say(self, sentence: str) -> None:
        """Show a sentence in the place of the picture."""
        self._picture = None
        self.message.setText(sentence)
        self._pages.setCurrentIndex(0)

    def show_picture(self, picture: Picture, words: str) -> None:
        """Show a picture, with what it says in words for those who cannot see it."""
        if self.plots is None:
            import pyqtgraph

            self.plots = pyqtgraph.GraphicsLayoutWidget()
            self.plots.setAccessibleName("Figure")
            self.plots.setMinimumHeight(160)
            self._pages.addWidget(self.plots)
        self.plots.setAccessibleDescription(words)
        if picture != self._picture:
            self._picture = picture
            self._draw(self._theme.theme, picture)
        self._pages.setCurrentIndex(1)

    def pixmap(self) -> QPixmap:
        """Return the picture as it is on the screen."""
        grabbed: QPixmap = self.plots.grab()
        return grabbed

    def svg(self) -> bytes:
        """Return the picture as SVG."""
        from trainer.widgets.plots import svg_of

        return svg_of(self.plots, self._theme.theme)

    def _on_theme_changed(self, theme: Theme) -> None:
        if self._picture is not None:
            self._draw(theme, self._picture)

    def _draw(self, theme: Theme, picture: Picture) -> None:
        """Paint the picture, in the plots that are there if it has the same ones as that before."""
        if (shape := _shape(picture)) != self._shape:
            self._shape = shape
            self._lay_out(picture)
        self.plots.setBackground(theme.panel)
        if self._above is not None:
            self._above.say(_legend(theme, picture.lines[0][0]))
        panels = [panel for line in picture.lines for panel in line]
        for panel, (caption, plot) in zip(panels, self._plots, strict=True):
            has_legend = panel.has_legend and not picture.has_shared_legend
            caption.say(_words_above(theme, panel, has_legend=has_legend))
            plot.clear()
            _draw_panel(plot, theme, panel)

    def _lay_out(self, picture: Picture) -> None:
        """Make the plots of a picture, each below its caption, which takes most of the time that painting takes."""
        layout = self.plots
        layout.clear()
        grid = layout.ci.layout
        for column in range(grid.columnCount()):  # those of another picture
            grid.setColumnStretchFactor(column, 0)
        for row in range(grid.rowCount()):
            grid.setRowStretchFactor(row, 0)
        self._above, self._plots, first = None, [], 0
        if picture.has_shared_legend:
            self._above, first = _Caption(), 1
            layout.addItem(self._above, 0, 0, colspan=len(picture.lines[0]))
        for line, panels in enumerate(picture.lines):
            row = first + 2 * line
            grid.setRowStretchFactor(row + 1, round(10 * picture.weights[line]) if picture.weights else 10)
            for column, panel in enumerate(panels):
                grid.setColumnStretchFactor(column, round(10 * panel.weight))
                caption = _Caption()
                layout.addItem(caption, row, column)
                self._plots.append((caption, layout.addPlot(row + 1, column)))


def _shape(picture: Picture) -> object:
    """Return what pictures have in common that can be painted in the same plots."""

    def of_axis(axis: Axis) -> object:
        has_limits = axis.low is not None and axis.high is not None
        return bool(axis.label), bool(axis.ticks), axis.is_log, axis.is_reversed, has_limits

    def of_panel(panel: Panel) -> object:
        return of_axis(panel.across), of_axis(panel.up), panel.weight, [type(mark) for mark in panel.marks]

    lines = [[of_panel(panel) for panel in line] for line in picture.lines]
    return lines, picture.weights, picture.has_shared_legend


class _Caption(QGraphicsWidget):
    """Words in the middle, in as many lines as they need, so that they ask for no width."""

    def __init__(self) -> None:
        super().__init__()
        self._text = QGraphicsTextItem(self)
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setPreferredHeight(0)

    def say(self, words: str) -> None:
        """Show other words."""
        if words != self._words:
            self._words = words
            self._text.setHtml(f'<div style="text-align: center">{words}</div>')
            self._fit(self.size().width())

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(event.newSize().width())

    def _fit(self, width: float) -> None:
        self._text.setTextWidth(width)
        self.setPreferredHeight(self._text.boundingRect().height() if self._words else 0)


def _words_above(theme: Theme, panel: Panel, *, has_legend: bool) -> str:
    """Return what stands above a panel, "" if that is nothing."""
    parts = []
    if panel.title:
        parts.append(f'<span style="color: {theme.text}; font-size: 9pt">{escape(panel.title)}</span>')
    if has_legend and legend_of(panel):
        parts.append(_legend(theme, panel))
    return "<br>".join(parts)


def _draw_panel(plot: Any, theme: Theme, panel: Panel) -> None:
    is_table = any(isinstance(mark, Bars | Cells) for mark in panel.marks)
    plot.setMenuEnabled(False)
    plot.hideButtons()
    plot.setMouseEnabled(x=not is_table, y=not is_table)
    if not is_table:
        plot.showGrid(x=True, y=True, alpha=_GRID)
    for mark in panel.marks:
        _draw_mark(plot, theme, mark, panel)
    _set_axis(plot, theme, panel.across, "bottom")
    _set_axis(plot, theme, panel.up, "left")


def _set_axis(plot: Any, theme: Theme, axis: Axis, side: str) -> None:
    from trainer.widgets.plots import colour_axis

    drawn = plot.getAxis(side)
    drawn.enableAutoSIPrefix(False)
    colour_axis(drawn, theme)
    if axis.ticks:
        is_named = side == "bottom" and any(len(name) > _LONG for _, name in axis.ticks)
        drawn.setTicks([[(_at(axis, value), _wrapped(name) if is_named else name) for value, name in axis.ticks]])
        if is_named:
            small = drawn.font()
            small.setPointSizeF(_SMALL)
            height = 2 * QFontMetricsF(small).height()  # of two lines, of which the axis itself would cut a part
            room = {"autoExpandTextSpace": False, "tickTextHeight": round(height)}
            drawn.setStyle(tickFont=small, hideOverlappingLabels=False, **room)
    if axis.label:
        plot.setLabel(side, escape(axis.label), color=theme.text)
    if axis.is_reversed:
        plot.invertY(True)
    limits = [_at(axis, value) for value in (axis.low, axis.high) if value is not None]
    if len(limits) == 2:
        (plot.setXRange if side == "bottom" else plot.setYRange)(*limits, padding=0)
    elif axis.is_reversed:
        plot.setYRange(-0.6, len(axis.ticks) - 0.4, padding=0)


def _draw_mark(plot: Any, theme: Theme, mark: Mark, panel: Panel) -> None:
    import pyqtgraph

    if isinstance(mark, Cells):
        _draw_cells(plot, theme, mark)
    elif isinstance(mark, Bars):
        _draw_bars(plot, theme, mark)
    elif isinstance(mark, Zone):
        colour = _colour(theme, mark.colour)
        colour.setAlphaF(_ZONE)
        region = pyqtgraph.LinearRegionItem(
            (mark.low, mark.high), "horizontal", brush=colour, pen=pyqtgraph.mkPen(None), movable=False
        )
        plot.addItem(region)
    elif isinstance(mark, Level):
        axis = panel.across if mark.is_upright else panel.up
        pen = _pen(theme, mark.colour, mark.stroke, 1.2)
        plot.addItem(pyqtgraph.InfiniteLine(_at(axis, mark.at), 90 if mark.is_upright else 0, pen=pen))
    else:
        _draw_curve(plot, theme, mark, panel)


def _draw_curve(plot: Any, theme: Theme, curve: Curve, panel: Panel) -> None:
    import numpy as np
    import pyqtgraph

    x = np.array([_at(panel.across, value) for value in curve.x])
    y = np.array([_at(panel.up, value) for value in curve.y])
    colour = _colour(theme, curve.colour)
    if curve.band:
        fill = QColor(colour)
        fill.setAlphaF(_BAND)
        edges = []
        for sign in (-1, 1):
            edge = [_at(panel.up, value + sign * error) for value, error in zip(curve.y, curve.band, strict=True)]
            edges.append(pyqtgraph.PlotCurveItem(x, np.array(edge)))
        plot.addItem(pyqtgraph.FillBetweenItem(*edges, brush=fill))
    for errors, values, axis, ends in (
        (curve.y_errors, curve.y, panel.up, ("bottom", "top")),
        (curve.x_errors, curve.x, panel.across, ("left", "right")),
    ):
        if errors:
            reach = {
                end: np.array(
                    [abs(_at(axis, v + sign * e) - _at(axis, v)) for v, e in zip(values, errors, strict=True)]
                )
                for end, sign in zip(ends, (-1, 1), strict=True)
            }
            plot.addItem(pyqtgraph.ErrorBarItem(x=x, y=y, pen=pyqtgraph.mkPen(colour, width=1.2), **reach))
    plot.addItem(_line(theme, curve, x, y))


def _line(theme: Theme, curve: Curve, x: Any, y: Any) -> Any:
    import pyqtgraph

    colour = _colour(theme, curve.colour)
    return pyqtgraph.PlotDataItem(
        x,
        y,
        pen=_pen(theme, curve.colour, curve.stroke, curve.width),
        symbol=_MARKERS[curve.marker],
        symbolSize=_DOT if curve.marker is not Marker.DIAMOND else 2 * _DOT,
        symbolBrush=colour,
        symbolPen=pyqtgraph.mkPen(colour),
    )


def _draw_bars(plot: Any, theme: Theme, bars: Bars) -> None:
    import numpy as np
    import pyqtgraph

    widths, places = np.array(bars.widths), np.arange(len(bars.widths))
    starts = np.array(bars.starts) if bars.starts else np.zeros(len(widths))
    plot.addItem(
        pyqtgraph.BarGraphItem(
            x0=starts,
            y=places,
            width=widths,
            height=_BAR,
            brushes=[_colour(theme, colour) for colour in bars.colours],
            pen=pyqtgraph.mkPen(theme.panel),
        )
    )
    if bars.errors:
        errors = np.array(bars.errors)
        pen = pyqtgraph.mkPen(theme.text, width=1)
        ends = starts + widths
        plot.addItem(pyqtgraph.ErrorBarItem(x=ends, y=places, left=errors, right=errors, beam=2 * _BEAM, pen=pen))


def _draw_cells(plot: Any, theme: Theme, cells: Cells) -> None:
    import pyqtgraph

    for row, line in enumerate(cells.shares):
        for column, share in enumerate(line):
            if share is None:
                continue
            colour = theme.balance_colour(2 * share - 1)
            cell = QGraphicsRectItem(column - 0.49, row - 0.49, 0.98, 0.98)
            cell.setPen(pyqtgraph.mkPen(None))
            cell.setBrush(colour)
            plot.addItem(cell)
            words = pyqtgraph.TextItem(
                html=_cell_words(cells.words[row][column], ink_on(colour)), anchor=(0.5, 0.5)
            )
            words.setPos(column, row)
            plot.addItem(words)
    plot.setXRange(-0.5, len(cells.shares[0]) - 0.5, padding=0)


def _cell_words(words: str, ink: QColor) -> str:
    lines = "<br>".join(map(escape, words.split("\n")))
    return f'<div style="text-align: center; font-size: 7pt; color: {ink.name()}">{lines}</div>'


def _legend(theme: Theme, panel: Panel) -> str:
    """Return the legend of a panel: a sign in its colour before each name."""
    parts = []
    for name, mark in legend_of(panel):
        assert not isinstance(mark, Cells)
        colour = mark.colours[0] if isinstance(mark, Bars) else mark.colour
        sign = f'<span style="color: {_colour(theme, colour).name()}">{_sign(theme, mark)}</span>'
        parts.append(f"{sign}&nbsp;{escape(name).replace(' ', '&nbsp;')}")
    return f'<span style="color: {theme.text}; font-size: 8pt">{"&nbsp;&nbsp; ".join(parts)}</span>'


def _sign(theme: Theme, mark: Mark) -> str:
    """Return a letter that looks as what is to be named in a legend."""
    if isinstance(mark, Curve | Level):
        line = _LINE_SIGNS[_style(theme, mark.colour, mark.stroke)]
        return line + _SIGNS[mark.marker] + line if isinstance(mark, Curve) and mark.marker else 2 * line
    return "■"


def _pen(theme: Theme, colour: Colour, stroke: Stroke, width: float) -> Any:
    import pyqtgraph

    style = _style(theme, colour, stroke)
    return None if stroke is Stroke.NONE else pyqtgraph.mkPen(_colour(theme, colour), width=width, style=style)


def _style(theme: Theme, colour: Colour, stroke: Stroke) -> Qt.PenStyle:
    """Return how a line is drawn: the second of a colour is dashed."""
    if isinstance(colour, Named) or stroke is not Stroke.SOLID:
        return _STROKES[stroke]
    return theme.player_dash(colour)


def _colour(theme: Theme, colour: Colour) -> QColor:
    if not isinstance(colour, Named):
        return theme.player_colour(colour)
    named = {
        Named.PAPER: theme.text,
        Named.GREY: theme.text_muted,
        Named.FOLD: theme.fold,
        Named.CHECK: theme.check,
        Named.CALL: theme.call,
        Named.RAISE: theme.raise_,
    }
    return QColor(named[colour])


def _at(axis: Axis, value: float) -> float:
    """Return where a value stands."""
    return log10(max(value, 1e-9)) if axis.is_log else value


def _wrapped(name: str) -> str:
    """Write a name of several words in two lines."""
    *first, last = name.replace("-", "-\0").replace(" ", " \0").split("\0")
    return "".join(first).rstrip() + "\n" + last if first else name
