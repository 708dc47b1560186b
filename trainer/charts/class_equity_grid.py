"""The heatmap: each hand class's equity on its 13x13 grid, for one player."""

from trainer.charts.cell_map import CellMap, MapLegend
from trainer.charts.chart_values import HeatView
from trainer.charts.charts_model import Chart, ChartsModel
from trainer.charts.panel import ChartPanel
from trainer.theme import ThemeSource
from trainer.widgets.text_field import ShortenedLabel

_SIDE = 13
_HINT = "Faint: held rarely; point at a class, or walk with the arrow keys"


class HeatmapPanel(ChartPanel):
    """The grid, what its colours mean, and a line about the class pointed at."""

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, Chart.HEATMAP, has_players=True)
        self._view: HeatView | None = None
        self.map = CellMap(theme, "Equity of each hand class", _SIDE)
        self.legend = MapLegend(theme)
        self.detail = ShortenedLabel(theme)
        self.top.addStretch(1)
        self.content.addWidget(self.map, 1)
        self.content.addWidget(self.legend)
        self.content.addWidget(self.detail)
        self.content.addStretch()
        self.map.cell_hovered.connect(self._on_cell_hovered)

    def refresh(self, *, is_faint: bool) -> str:
        self._view = view = self.model.heatmap()
        self.map.show_cells(view.map.cells if view is not None else (), is_faint=is_faint)
        self.legend.show_view(view.map if view is not None else None)
        self._on_cell_hovered(self.map.current)
        return view.note if view is not None else ""

    def _on_cell_hovered(self, cell: int | None) -> None:
        cells = self._view.map.cells if self._view is not None else ()
        self.detail.setText(_HINT if cell is None or cell >= len(cells) else cells[cell].text)
