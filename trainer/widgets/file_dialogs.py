"""Asks for a file or a folder, and goes on with its name; none of these waits."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_to_open(
    parent: QWidget, title: str, folder: Path | str, filters: str, on_chosen: Callable[[str], object]
) -> None:
    """Ask for a file that is there."""
    dialog = _dialog(parent, title, folder, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()


def ask_to_save(
    parent: QWidget,
    title: str,
    folder: Path | str,
    filters: str,
    on_chosen: Callable[[str], object],
    *,
    ending: str = "",
    name: str = "",
) -> QFileDialog:
    """Ask where to write; a name without an ending gets that one, and `name` is offered."""
    dialog = _dialog(parent, title, folder, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(ending)
    dialog.selectFile(name)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()
    return dialog


def ask_for_folder(parent: QWidget, title: str, folder: Path | str, on_chosen: Callable[[str], object]) -> None:
    """Ask for a folder that is there."""
    dialog = _dialog(parent, title, folder, "")
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()


def _dialog(parent: QWidget, title: str, folder: Path | str, filters: str) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(folder), filters)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog
