"""Results as files: tables as CSV, charts as PNG."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QPixmap
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from engine.foreign_text import shortened
from trainer.atomic_file import write_whole
from trainer.lab.charts import LabChart
from trainer.lab.charts_model import curves_csv, places_csv
from trainer.lab.lab_model import LabModel
from trainer.lab.results_model import table_csv
from trainer.lab.run import LabResult

_CSV, _PNG = "CSV files (*.csv)", "PNG pictures (*.png)"


class LabExport(QObject):
    """The button *Export*, and what it writes; `said` reports what was done or why not, in a sentence."""

    said = Signal(str, bool)

    def __init__(self, window: QWidget, model: LabModel, curves: LabChart, places: LabChart) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._curves, self._places = curves, places
        self.folder = Path.home()
        self.button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setText("E&xport")
        self.button.setToolTip("Save tables and charts as files")
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(self.button)
        self.table = menu.addAction("Results as &CSV …", QKeySequence("Ctrl+S"), self._on_table)
        self.curve_rows = menu.addAction("C&urves as CSV …", self._on_curves)
        self.place_rows = menu.addAction("P&laces as CSV …", self._on_places)
        menu.addSeparator()
        self.curve_picture = menu.addAction("Curves as PN&G …", self._on_curve_picture)
        self.place_picture = menu.addAction("Places as PNG …", self._on_place_picture)
        self.button.setMenu(menu)
        window.addAction(self.table)
        model.result_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Enable what there is."""
        has_result = self._model.result is not None
        for action in (self.table, self.curve_rows):
            action.setEnabled(has_result)
        self.button.setEnabled(has_result)
        self.place_rows.setEnabled(has_result and bool(self._rows(places_csv)))
        self.curve_picture.setEnabled(not self._curves.is_empty)
        self.place_picture.setEnabled(not self._places.is_empty)

    def save_text(self, text: str, name: str) -> None:
        """Write a text to a file, or say why that cannot be done."""
        self._write(text.encode(), name)

    def save_picture(self, picture: QPixmap, name: str) -> None:
        """Write a picture as PNG, or say why that cannot be done."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        self._write(bytes(buffer.data().data()), name)

    def _write(self, data: bytes, name: str) -> None:
        path = Path(name)
        try:
            write_whole(path, data)
        except OSError as error:
            self.said.emit(f"{shortened(path.name)} cannot be written: {error.strerror or error}.", False)
            return
        self.folder = path.parent
        self.said.emit(f"Saved as {shortened(path.name)}.", True)

    def _rows(self, write: Callable[[LabResult], str]) -> str:
        return write(self._model.result) if self._model.result is not None else ""

    def _on_table(self) -> None:
        text = self._rows(table_csv)
        self._ask("Save the results", _CSV, lambda name: self.save_text(text, name))

    def _on_curves(self) -> None:
        text = self._rows(curves_csv)
        self._ask("Save the curves", _CSV, lambda name: self.save_text(text, name))

    def _on_places(self) -> None:
        text = self._rows(places_csv)
        self._ask("Save the places", _CSV, lambda name: self.save_text(text, name))

    def _on_curve_picture(self) -> None:
        picture = self._curves.picture()
        self._ask("Save the chart", _PNG, lambda name: self.save_picture(picture, name))

    def _on_place_picture(self) -> None:
        picture = self._places.picture()
        self._ask("Save the chart", _PNG, lambda name: self.save_picture(picture, name))

    def _ask(self, title: str, what: str, save: Callable[[str], None]) -> None:
        dialog = QFileDialog(self._window, title, str(self.folder), f"{what};;All files (*)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv" if what == _CSV else "png")
        dialog.fileSelected.connect(save)
        dialog.open()
