"""What is asked about something of the player's own: its name, and whether it is to be deleted."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from engine.foreign_text import printable


def ask_name(parent: QWidget, title: str, what: str, name: str, on_named: Callable[[str], object]) -> None:
    """Ask for a name, such as that of a format, and go on with it; does not wait."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(f"Name of your {what}:")
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda text: on_named(printable(text).strip()))
    dialog.open()


def ask_to_delete(
    parent: QWidget, what: str, name: str, path: Path, stays: str, on_delete: Callable[[], object]
) -> None:
    """Ask whether a file is to be deleted, saying what stays; does not wait."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(f"Delete {what}")
    box.setText(f"Delete your {what} '{name}'?")
    box.setInformativeText(f"Its file {path} is deleted. {stays}")
    delete = box.addButton("&Delete it", QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton("&Keep it", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    delete.clicked.connect(lambda _checked=False: on_delete())
    box.open()
