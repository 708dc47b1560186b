"""How the session went, or has gone so far: per seat, as a HUD, and the player's own curve."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.game.events import Seat
from engine.game.statistics import PlayerStatistics
from trainer.play.results_model import (
    HUD_COLUMNS,
    hud_rows,
    result_columns,
    result_rows,
    summary_text,
)
from trainer.session.amounts import Units
from trainer.session.types import SessionResult
from trainer.theme import Theme, ThemeSource, open_at, set_text_factor
from trainer.widgets.check_box import CheckBox
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.tables_model import table_text
from trainer.widgets.tabs import Tabs

_USUAL_SIZE = QSize(1000, 660)


class ResultsDialog(QDialog):
    """Shows a `SessionResult` with statistics; a seat without them has its bb/100 by the session's hands."""

    units_chosen = Signal(bool)  # big blinds were chosen here, or chips, for the whole window

    def __init__(
        self,
        theme: ThemeSource,
        result: SessionResult,
        statistics: Mapping[Seat, PlayerStatistics] | None = None,
        *,
        big_blinds: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._result = result
        self._statistics = dict(statistics or {})
        self._plot: Any = None
        self._curve: Any = None
        self._results = ColouredFigures(result_columns(result), theme, self)
        self._hud = ColouredFigures(HUD_COLUMNS, theme, self)
        self.setWindowTitle("Session")
        self._build(big_blinds)
        self._show_figures()
        open_at(self, _USUAL_SIZE)
        QTimer.singleShot(0, self, self._add_plot)  # pyqtgraph takes most of a second to import the first time

    @property
    def text(self) -> str:
        """All figures as plain text."""
        units = self._units()
        parts = [
            f"{self._result.reason}\n{summary_text(self._result, units)}\n".lstrip(),
            table_text(result_columns(self._result), self._results.cells),
            table_text(HUD_COLUMNS, self._hud.cells),
        ]
        return "\n".join(parts)

    def copy(self) -> None:
        """Put all figures on the clipboard, as plain text."""
        QGuiApplication.clipboard().setText(self.text)

    def _build(self, big_blinds: bool) -> None:
        self._reason = QLabel(self._result.reason, textFormat=Qt.TextFormat.PlainText)
        self._reason.setWordWrap(True)
        self._reason.setVisible(bool(self._result.reason))
        set_text_factor(self._reason, 1.25)
        self._summary = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._summary.setAccessibleName("Summary")
        tabs = Tabs()
        tabs.setAccessibleName("Figures")
        tabs.addTab(sorted_view(self._results, "Results per player", 1), "Result")
        tabs.addTab(sorted_view(self._hud, "Statistics per player, with counts", 1), "Statistics")
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(tabs)
        self._in_big_blinds = CheckBox("Big blinds")
        self._in_big_blinds.setChecked(big_blinds)
        self._in_big_blinds.setShortcut("U")
        self._in_big_blinds.toggled.connect(self._on_units)
        self._whole = QPushButton("Whole session")
        self._whole.setToolTip("Show the whole curve again after zooming")
        self._whole.setEnabled(False)
        self._whole.clicked.connect(self._on_whole)
        copy = QPushButton("Copy")
        copy.setToolTip("Copy all figures as text")
        copy.setAccessibleName("Copy all figures as text")
        copy.clicked.connect(self.copy)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        for widget in (self._in_big_blinds, self._whole):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        for button in (copy, close):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(self._reason)
        layout.addWidget(self._summary)
        layout.addWidget(self._splitter, 1)
        layout.addLayout(buttons)
        close.setFocus()  # so that Space closes, too

    def _units(self) -> Units:
        return Units(self._result.big_blind, self._in_big_blinds.isChecked())

    def _show_figures(self) -> None:
        units = self._units()
        self._summary.setText(summary_text(self._result, units))
        self._results.show_cells(result_rows(self._result, self._statistics, units))
        self._hud.show_cells(hud_rows(self._result.names, self._statistics))
        self._show_curve()

    def _add_plot(self) -> None:
        import pyqtgraph

        from trainer.widgets.plots import new_plot

        self._plot = new_plot("Your net after each hand", 170, of_hands=True)
        self._plot.setLabel("bottom", "Hand")
        self._plot.showGrid(x=True, y=True, alpha=0.2)
        self._zero = pyqtgraph.InfiniteLine(pos=0, angle=0)
        self._plot.addItem(self._zero)
        self._curve = self._plot.plot([], [])
        self._splitter.addWidget(self._plot)
        self._splitter.setSizes([310, 260])
        self._whole.setEnabled(True)
        self._colour_plot()
        self._show_curve()

    def _show_curve(self) -> None:
        if self._plot is None:
            return
        units = self._units()
        scale = self._result.big_blind if units.in_big_blinds else 1
        nets = [net / scale for net in (0, *self._result.hero_net)]
        self._curve.setData(list(range(len(nets))), nets)
        self._plot.setLabel("left", "Your net, bb" if units.in_big_blinds else "Your net, chips")
        self._plot.setAccessibleDescription(summary_text(self._result, units))
        self._plot.autoRange()

    def _colour_plot(self) -> None:
        import pyqtgraph

        from trainer.widgets.plots import colour_plot

        theme = self._theme_source.theme
        colour_plot(self._plot, theme)
        self._curve.setPen(pyqtgraph.mkPen(theme.good, width=2))
        self._zero.setPen(pyqtgraph.mkPen(theme.text_muted, width=1, style=Qt.PenStyle.DashLine))

    def _on_units(self, is_checked: bool) -> None:
        self._show_figures()
        self.units_chosen.emit(is_checked)

    def _on_whole(self) -> None:
        self._plot.autoRange()

    def _on_theme_changed(self, _theme: Theme) -> None:
        if self._plot is not None:
            self._colour_plot()
        self._show_figures()
