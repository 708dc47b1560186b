"""How sure a reader is, and how often it was right: diagrams of what was measured, and of this session's hands."""

from math import ceil
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.agents.calibration import TableTally
from trainer.reading.calibration_model import (
    EXPLANATION,
    CalibrationView,
    DiagramView,
    SourceView,
    calibration_view,
    session_view,
)
from trainer.theme import Theme, ThemeSource, open_at
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import make_bold

_LEAST_TOP = 0.2  # the axis reaches at least this share, so that diagrams of calibrated readers look alike
_SIZE = QSize(1040, 660)
_PAUSE_MILLISECONDS = 250
"""Between two updates, each of which takes two frames: bots at full speed may finish hands faster."""


class _Diagram:
    """A plot between its title and what it comes to, in a column of a grid."""

    def __init__(self, view: DiagramView) -> None:
        self.view = view
        self._top = 0.0
        self.title = QLabel(view.title)
        make_bold(self.title)
        self.words = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.words.setAccessibleName(view.title)
        self.plot: Any = None
        self._pieces: tuple[Any, Any, Any] | None = None

    def add_plot(self) -> Any:
        """Make the plot; pyqtgraph takes most of a second to import the first time."""
        import pyqtgraph

        from trainer.widgets.plots import new_plot

        plot = self.plot = new_plot(f"Calibration, {self.view.title.lower()}", 120)
        plot.setMouseEnabled(x=False, y=False)
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setXRange(0.4, 10.6, padding=0)
        plot.getAxis("bottom").setTicks([[(2.2, "likeliest"), (8.4, "least likely")]])
        for side in ("left", "bottom"):
            plot.getAxis(side).setStyle(tickLength=0)
        band = pyqtgraph.LinearRegionItem((0, 0), orientation="horizontal", movable=False)
        bars = pyqtgraph.BarGraphItem(x=[], height=[], width=0.78, pen=pyqtgraph.mkPen(None))
        errors = pyqtgraph.ErrorBarItem(x=np.empty(0), y=np.empty(0), height=np.empty(0), beam=0.25)
        for item in (band, bars, errors):
            plot.addItem(item)
        # Over the bars, or they would hide where the band is.
        band.setZValue(5)
        errors.setZValue(10)
        self._pieces = (band, bars, errors)
        return plot

    def show_view(self, view: DiagramView, top: float, theme: Theme) -> None:
        """Show figures, on an axis up to a share; with those that are shown nothing is painted."""
        self.words.setText(view.text)
        self.words.setAccessibleDescription(view.spoken)
        if self._pieces is None or (view, top) == (self.view, self._top):
            self.view = view
            return
        self.view = view
        self.plot.setAccessibleDescription(view.spoken)
        self.plot.setToolTip(view.spoken)
        if top != self._top:
            self._top = top
            self.plot.setYRange(0, 100 * top, padding=0)
            levels = range(0, int(100 * top) + 1, 5 if top < 0.3 else 20)
            self.plot.getAxis("left").setTicks([[(level, f"{level}%") for level in levels]])
        heights = 100 * np.array(view.deciles)
        places = np.arange(1, len(heights) + 1)
        band, bars, errors = self._pieces
        band.setRegion([100 * edge for edge in view.band])
        bars.setOpts(x=places, height=heights, brushes=self._brushes(theme))
        errors.setData(x=places, y=heights, height=np.full(len(heights), 200 * view.stderr))

    def colour(self, theme: Theme) -> None:
        """Take the theme's colours."""
        import pyqtgraph

        from trainer.widgets.plots import colour_plot

        if self._pieces is None:
            return
        band, bars, errors = self._pieces
        fill = QColor(theme.good)
        fill.setAlphaF(0.22)
        colour_plot(self.plot, theme)
        band.setBrush(fill)
        for line in band.lines:
            line.setPen(pyqtgraph.mkPen(theme.good, width=1))
        bars.setOpts(brushes=self._brushes(theme))
        errors.setData(pen=pyqtgraph.mkPen(theme.text, width=1))

    def _brushes(self, theme: Theme) -> list[QColor]:
        low, high = self.view.band
        return [QColor(theme.call if low <= share <= high else theme.raise_) for share in self.view.deciles]


class _SourcePage(QWidget):
    """One set of hands: what it is, and its diagrams in so many columns."""

    def __init__(self, theme: ThemeSource, view: SourceView, columns: int) -> None:
        super().__init__()
        self._theme = theme
        self._are_plots_drawn = False
        self._columns = columns
        self.about = QLabel(wordWrap=True)
        self.about.setAccessibleName("Hands measured")
        self.diagrams = [_Diagram(diagram) for diagram in view.diagrams]
        self._all = QWidget()
        self._grid = QGridLayout(self._all)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        for index, diagram in enumerate(self.diagrams):
            row, column = self._place(index)
            self._grid.addWidget(diagram.title, row, column)
            self._grid.addWidget(diagram.words, row + 2, column)
            self._grid.setColumnStretch(column, 1)
            self._grid.setRowStretch(row + 1, 1)
        whole = QVBoxLayout(self)
        whole.setSpacing(8)
        whole.addWidget(self.about)
        whole.addWidget(self._all, 1)
        whole.addStretch()
        self.show_view(view)

    def _place(self, index: int) -> tuple[int, int]:
        """Return the row of a diagram's title, above those of its plot and its words, and its column."""
        row, column = divmod(index, self._columns)
        return 3 * row, column

    def add_plots(self) -> None:
        """Draw the diagrams, unless that is done."""
        if not self._are_plots_drawn:
            self._are_plots_drawn = True
            for index, diagram in enumerate(self.diagrams):
                row, column = self._place(index)
                self._grid.addWidget(diagram.add_plot(), row + 1, column)
            self.show_view(self._view)
            self.colour()

    def show_view(self, view: SourceView) -> None:
        """Show other figures of the same set of hands."""
        self._view = view
        self.about.setText(view.text)
        self._all.setVisible(view.is_enough)
        highest = [max(diagram.deciles) + diagram.stderr for diagram in view.diagrams if diagram.deciles]
        top = 1.06 * ceil(20 * max([_LEAST_TOP, *highest])) / 20  # so that the axis seldom moves as hands end
        for diagram, figures in zip(self.diagrams, view.diagrams, strict=True):
            diagram.show_view(figures, top, self._theme.theme)

    def colour(self) -> None:
        """Take the theme's colours."""
        if self._are_plots_drawn:
            for diagram in self.diagrams:
                diagram.colour(self._theme.theme)


class CalibrationDialog(QDialog):
    """Shows how often a reader, by its registered name, was right, in this session and on each set of hands.

    The sets of tables of as many players as this one come first, and the first of them is open before the session
    has hands enough.
    """

    def __init__(
        self,
        theme: ThemeSource,
        reader: str,
        tally: TableTally | None = None,
        parent: QWidget | None = None,
        *,
        is_heads_up: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme_source = theme
        self.reader = reader
        self.view: CalibrationView = calibration_view(reader, is_heads_up=is_heads_up)
        session = session_view(tally)
        self.session_page = _SourcePage(theme, session, 3)
        self.pages = [_SourcePage(theme, source, len(source.diagrams)) for source in self.view.sources]
        self.tabs = Tabs()
        self.tabs.setAccessibleName("Sets of hands")
        self.tabs.addTab(self.session_page, session.title)
        for page, source in zip(self.pages, self.view.sources, strict=True):
            self.tabs.addTab(page, source.title)
        if self.pages and not session.is_enough:
            self.tabs.setCurrentWidget(self.pages[0])
        self.setWindowTitle(f"How sure is this? Reader: {self.view.reader}")
        self._lay_out()
        theme.changed.connect(self._on_theme_changed)
        open_at(self, _SIZE)
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._drawing.timeout.connect(self._on_page_shown)
        self._drawing.start()
        self.tabs.currentChanged.connect(self._drawing.start)
        self._tally: TableTally | None = None
        self._updating = QTimer(self, singleShot=True, interval=_PAUSE_MILLISECONDS)
        self._updating.timeout.connect(self._on_update_due)

    def _lay_out(self) -> None:
        explanation = QLabel(f"{self.view.problem} {EXPLANATION}".lstrip(), wordWrap=True)
        explanation.setAccessibleName("How to read this")
        close = QPushButton("Close", default=True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setSpacing(8)
        whole.addWidget(explanation)
        whole.addWidget(self.tabs, 1)
        whole.addLayout(buttons)

    def show_session(self, tally: TableTally | None) -> None:
        """Show, within a moment, what the reader made of the session by now."""
        self._tally = tally
        if not self._updating.isActive():
            self._updating.start()

    def _on_page_shown(self) -> None:
        page = self.tabs.currentWidget()
        assert isinstance(page, _SourcePage)
        page.add_plots()

    def _on_update_due(self) -> None:
        self.session_page.show_view(session_view(self._tally))

    def _on_theme_changed(self, _theme: Theme) -> None:
        for page in (self.session_page, *self.pages):
            page.colour()
