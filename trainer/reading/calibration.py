"""How sure a reader is, and how often it was right: one diagram per street, from what was measured."""

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
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from trainer.reading.calibration_model import (
    BAND,
    EXPLANATION,
    CalibrationView,
    SourceView,
    StreetView,
    calibration_view,
)
from trainer.theme import Theme, ThemeSource, open_at
from trainer.widgets.text_field import make_bold

_LEAST_TOP = 0.2  # the axis reaches at least this share, so that diagrams of calibrated readers look alike


class _SourcePage(QWidget):
    """One set of hands: its four diagrams, and below each what it comes to."""

    def __init__(self, theme: ThemeSource, view: SourceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self.plots: list[Any] = []
        self._pieces: list[tuple[Any, Any, Any]] = []
        about = QLabel(f"{view.description}. {view.verdict}", wordWrap=True)
        about.setAccessibleName("Hands measured")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        for column, street in enumerate(view.streets):
            title = QLabel(street.title)
            make_bold(title)
            words = QLabel(street.text, wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
            words.setAccessibleName(street.title)
            words.setAccessibleDescription(street.spoken)
            self._grid.addWidget(title, 0, column)
            self._grid.addWidget(words, 2, column)
            self._grid.setColumnStretch(column, 1)
        self._grid.setRowStretch(1, 1)
        self._grid.setRowMinimumHeight(1, 210)
        whole = QVBoxLayout(self)
        whole.setSpacing(8)
        whole.addWidget(about)
        whole.addLayout(self._grid, 1)

    def add_plots(self) -> None:
        """Draw the diagrams; pyqtgraph takes most of a second to import the first time."""
        top = max([_LEAST_TOP, *(share for street in self._view.streets for share in street.deciles)]) * 1.06
        for column, street in enumerate(self._view.streets):
            self._add_plot(column, street, top)
        self.colour()

    def _add_plot(self, column: int, street: StreetView, top: float) -> None:
        import pyqtgraph

        plot = pyqtgraph.PlotWidget()
        plot.setAccessibleName(f"Calibration, {street.title.lower()}")
        plot.setAccessibleDescription(street.spoken)
        plot.setToolTip(street.spoken)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setXRange(0.4, 10.6, padding=0)
        plot.setYRange(0, 100 * top, padding=0)
        plot.getAxis("bottom").setTicks([[(2.2, "likeliest"), (8.4, "least likely")]])
        for side in ("left", "bottom"):
            plot.getAxis(side).setStyle(tickLength=0)
        plot.getAxis("left").enableAutoSIPrefix(False)
        step = 5 if top < 0.3 else 20
        plot.getAxis("left").setTicks([[(level, f"{level}%") for level in range(0, int(100 * top) + 1, step)]])
        heights = 100 * np.array(street.deciles)
        places = np.arange(1, len(heights) + 1)
        band = pyqtgraph.LinearRegionItem([100 * edge for edge in BAND], orientation="horizontal", movable=False)
        bars = pyqtgraph.BarGraphItem(x=places, height=heights, width=0.78)
        spread = np.full(len(heights), 200 * street.stderr)
        errors = pyqtgraph.ErrorBarItem(x=places, y=heights, height=spread, beam=0.25)
        for item in (band, bars, errors):
            plot.addItem(item)
        # Over the bars, or they would hide where the band is.
        band.setZValue(5)
        errors.setZValue(10)
        self.plots.append(plot)
        self._pieces.append((band, bars, errors))
        self._grid.addWidget(plot, 1, column)

    def colour(self) -> None:
        """Take the theme's colours."""
        import pyqtgraph

        theme = self._theme.theme
        fill = QColor(theme.good)
        fill.setAlphaF(0.22)
        for plot, (band, bars, errors), street in zip(self.plots, self._pieces, self._view.streets, strict=True):
            plot.setBackground(theme.panel)
            band.setBrush(fill)
            for line in band.lines:
                line.setPen(pyqtgraph.mkPen(theme.good, width=1))
            is_true = [BAND[0] <= share <= BAND[1] for share in street.deciles]
            bars.setOpts(
                brushes=[QColor(theme.call if one else theme.raise_) for one in is_true],
                pen=pyqtgraph.mkPen(None),
            )
            errors.setData(pen=pyqtgraph.mkPen(theme.text, width=1))
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pyqtgraph.mkPen(theme.border))
                axis.setTextPen(pyqtgraph.mkPen(theme.text))


class CalibrationDialog(QDialog):
    """Shows how often a reader, by its registered name, was right, per set of hands and street."""

    def __init__(self, theme: ThemeSource, reader: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme_source = theme
        self.view: CalibrationView = calibration_view(reader)
        self.pages: list[_SourcePage] = []
        self._are_plots_drawn = False
        self.setWindowTitle(f"How sure is this? Reader: {self.view.reader}")
        self._build()
        theme.changed.connect(self._on_theme_changed)
        open_at(self, QSize(1000, 480 if self.view.sources else 160))
        QTimer.singleShot(0, self, self._add_plots)

    def _build(self) -> None:
        text = EXPLANATION if self.view.sources else self.view.problem
        explanation = QLabel(text, wordWrap=True)
        explanation.setAccessibleName("How to read this")
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setSpacing(8)
        whole.addWidget(explanation)
        if self.view.sources:
            tabs = QTabWidget()
            tabs.setAccessibleName("Sets of hands")
            for source in self.view.sources:
                page = _SourcePage(self._theme_source, source)
                self.pages.append(page)
                tabs.addTab(page, source.title)
            whole.addWidget(tabs, 1)
        else:
            whole.addStretch(1)
        whole.addLayout(buttons)

    def _add_plots(self) -> None:
        for page in self.pages:
            page.add_plots()
        self._are_plots_drawn = True

    def _on_theme_changed(self, _theme: Theme) -> None:
        if self._are_plots_drawn:
            for page in self.pages:
                page.colour()
