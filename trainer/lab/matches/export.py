"""Results of matches as files: tables as CSV, charts as PNG."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from trainer.lab.matches.charts import CurvesChart, PlacesChart
from trainer.lab.matches.charts_model import curves_csv, places_csv
from trainer.lab.matches.match_run import LabResult
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.matches.results_model import table_csv
from trainer.lab.saving import Saving


class LabExport(Saving):
    """Writes what is shown of a model and in two charts."""

    def __init__(self, window: QWidget, model: MatchesModel, curves: CurvesChart, places: PlacesChart) -> None:
        super().__init__(window)
        self._model = model
        self._curves, self._places = curves, places
        menu = QMenu(self.button)
        self.table = menu.addAction("Results as &CSV…\tCtrl+S", self.save_numbers)
        self.curve_rows = menu.addAction("C&urves as CSV…", self._on_curves)
        self.place_rows = menu.addAction("P&laces as CSV…", self._on_places)
        menu.addSeparator()
        self.curve_picture = menu.addAction("Curves as PN&G…", self._on_curve_picture)
        self.place_picture = menu.addAction("Places as PNG…", self._on_place_picture)
        self.button.setMenu(menu)
        model.result_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        has_result = self._model.result is not None
        for action in (self.table, self.curve_rows):
            action.setEnabled(has_result)
        self.button.setEnabled(has_result)
        self.place_rows.setEnabled(has_result and bool(self._rows(places_csv)))
        self.curve_picture.setEnabled(not self._curves.is_empty)
        self.place_picture.setEnabled(not self._places.is_empty)

    def _rows(self, write: Callable[[LabResult], str]) -> str:
        return write(self._model.result) if self._model.result is not None else ""

    def save_numbers(self) -> None:
        if self.table.isEnabled():
            self.save_text(self._rows(table_csv), "Save the results")

    def _on_curves(self) -> None:
        self.save_text(self._rows(curves_csv), "Save the curves")

    def _on_places(self) -> None:
        self.save_text(self._rows(places_csv), "Save the places")

    def _on_curve_picture(self) -> None:
        self.save_picture(self._curves.picture(), "Save the chart")

    def _on_place_picture(self) -> None:
        self.save_picture(self._places.picture(), "Save the chart")
