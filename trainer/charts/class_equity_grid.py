"""The heatmap: each hand class's equity on its 13x13 grid, for one player."""

from trainer.charts.cell_map import CellMap, MapLegend
from trainer.charts.chart_values import HeatView
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel
from trainer.theme import ThemeSource
from trainer.widgets.text_field import ShortenedLabel

_SIDE = 13
_HINT = "Faint: held rarely; point at a class, or walk with the arrow keys"


class HeatmapPanel(ChartPanel[HeatView]):
    """The grid, what its colours mean, and a line about the class pointed at."""

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, HeatView, has_players=True)
        self.map = CellMap(theme, "Equity of each hand class", _SIDE)
        self.legend = MapLegend(theme)
        self.detail = ShortenedLabel(theme)
        self.top.addStretch(1)
        self.content.addWidget(self.map, 1)
        self.content.addWidget(self.legend)
        self.content.addWidget(self.detail)
        self.content.addStretch()
        self.map.cell_hovered.connect(self._on_cell_hovered)

    def refresh(self, view: HeatView, *, is_faint: bool) -> None:
        self.map.show_cells(view.map.cells, is_faint=is_faint)
        self.legend.show_view(view.map)
        self._on_cell_hovered(self.map.current)

    def _on_cell_hovered(self, cell: int | None) -> None:
        cells = self.view.map.cells if self.view is not None else ()
        self.detail.setText(_HINT if cell is None or cell >= len(cells) else cells[cell].text)
