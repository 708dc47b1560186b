"""Windows that come to the front."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def bring_up(window: QWidget) -> None:
    """Show a window before all others, also one that was made small."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
