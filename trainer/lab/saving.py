"""What comes of the lab as files: asks where, writes, and says what was done."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QToolButton, QWidget

from engine.foreign_text import shortened
from trainer.atomic_file import write_whole

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
        self.ask(title, CSV, lambda name: self.write(text.encode(), name))

    def save_picture(self, picture: QPixmap, title: str) -> None:
        """Ask for a PNG, and write it."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        data = bytes(buffer.data().data())
        self.ask(title, PNG, lambda name: self.write(data, name))

    def ask(self, title: str, what: str, save: Callable[[str], None]) -> None:
        """Ask for the name of a file of a kind, such as `CSV`."""
        dialog = QFileDialog(self._window, title, str(self.folder), f"{what};;All files (*)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_ENDINGS[what])
        dialog.fileSelected.connect(save)
        dialog.open()
