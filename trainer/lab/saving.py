"""What comes of the lab as files: asks where, writes, and says what was done."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from engine.atomic_file import write_whole
from engine.foreign_text import shortened
from trainer.lab.figure_view import FigureView
from trainer.widgets.file_dialogs import ask_to_save

CSV, PNG, SVG = "CSV files (*.csv)", "PNG pictures (*.png)", "SVG pictures (*.svg)"

_ENDINGS = {CSV: "csv", PNG: "png", SVG: "svg"}


class Saving(QObject):
    """The button *Export*; `said` reports what was done or why not, in a sentence, and whether it is good."""

    said = Signal(str, bool)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.folder = Path.home()
        self.button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setText("E&xport")
        self.button.setToolTip("Save tables and charts as files")
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def refresh(self) -> None:
        """Enable what there is."""
        raise NotImplementedError

    def save_numbers(self) -> None:
        """Ask where to, and write the numbers, if there are any."""
        raise NotImplementedError

    def write(self, data: bytes, name: str) -> None:
        """Write a file, or say why that cannot be done."""
        path = Path(name)
        try:
            write_whole(path, data)
        except OSError as error:
            self.said.emit(f"{shortened(path.name)} cannot be written: {error.strerror or error}.", False)
            return
        self.folder = path.parent
        self.said.emit(f"Saved as {shortened(path.name)}.", True)

    def save_text(self, text: str, title: str) -> None:
        """Ask for a file of CSV, and write it."""
        self._ask(title, CSV, lambda name: self.write(text.encode(), name))

    def save_picture(self, picture: QPixmap, title: str) -> None:
        """Ask for a PNG, and write it."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        data = bytes(buffer.data().data())
        self._ask(title, PNG, lambda name: self.write(data, name))

    def save_svg(self, picture: bytes, title: str) -> None:
        """Ask for an SVG, and write it."""
        self._ask(title, SVG, lambda name: self.write(picture, name))

    def _ask(self, title: str, what: str, save: Callable[[str], None]) -> None:
        """Ask for the name of a file of a kind, such as `CSV`."""
        ask_to_save(self._window, title, self.folder, f"{what};;All files (*)", save, ending=_ENDINGS[what])


class Table(NamedTuple):
    """Numbers to be saved: what the menu and the dialog call them, and what writes them as CSV."""

    action: str
    title: str
    csv: Callable[[], str]


class FigureExport(Saving):
    """Writes tables as CSV, of which the first has the key, and a figure as it is on the screen."""

    def __init__(self, window: QWidget, figure: FigureView, tables: Sequence[Table]) -> None:
        super().__init__(window)
        self._figure = figure
        menu = QMenu(self.button)
        self.rows = [menu.addAction(f"{table.action} as CSV…", self._saver(table)) for table in tables]
        self.rows[0].setText(f"{self.rows[0].text()}\tCtrl+S")
        menu.addSeparator()
        self.as_png = menu.addAction("Figure as PN&G…", self._on_png)
        self.as_svg = menu.addAction("Figure as S&VG…", self._on_svg)
        self.button.setMenu(menu)
        self.refresh()

    def refresh(self) -> None:
        has_figure = not self._figure.is_empty
        self.button.setEnabled(has_figure)
        for action in (*self.rows, self.as_png, self.as_svg):
            action.setEnabled(has_figure)

    def save_numbers(self) -> None:
        if self.rows[0].isEnabled():
            self.rows[0].trigger()

    def _saver(self, table: Table) -> Callable[[], None]:
        return lambda: self.save_text(table.csv(), table.title)

    def _on_png(self) -> None:
        self.save_picture(self._figure.pixmap(), "Save the figure")

    def _on_svg(self) -> None:
        self.save_svg(self._figure.svg(), "Save the figure")
