"""The tabs of the calculator's charts."""

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QTabWidget

from trainer.charts.board_hit_table import BoardPanel
from trainer.charts.category_bars import CategoriesPanel
from trainer.charts.charts_model import ChartsModel
from trainer.charts.class_equity_grid import HeatmapPanel
from trainer.charts.equity_graph import GraphPanel
from trainer.charts.next_card_map import NextCardPanel
from trainer.charts.panel import ChartPanel
from trainer.charts.street_equities import StreetsPanel
from trainer.theme import ThemeSource, set_text_factor

_TITLE_SIZE = 0.92


class ChartTabs(QObject):
    """Adds a tab for each chart to `tabs`, the parent of this object."""

    def __init__(self, theme: ThemeSource, model: ChartsModel, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self.model = model
        self.next_card = NextCardPanel(theme, model)
        self.categories = CategoriesPanel(theme, model)
        self.board = BoardPanel(theme, model)
        self.graph = GraphPanel(theme, model)
        self.heatmap = HeatmapPanel(theme, model)
        self.streets = StreetsPanel(theme, model)
        self._fit_tabs(tabs)
        for panel in self.panels:
            tabs.addTab(panel, str(panel.chart))

    @property
    def panels(self) -> tuple[ChartPanel[Any], ...]:
        """All charts, in the order of their tabs."""
        return (self.next_card, self.categories, self.board, self.graph, self.heatmap, self.streets)

    def _fit_tabs(self, tabs: QTabWidget) -> None:
        """Show all titles at once, in slightly smaller letters, rather than some behind scroll buttons."""
        set_text_factor(tabs.tabBar(), _TITLE_SIZE, is_bold=False)
        tabs.setUsesScrollButtons(False)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)

    def stop(self) -> None:
        """Stop what is being computed and keep what is there."""
        self.model.stop()
