"""Windows that come to the front, and what owns one that is made when it is first opened."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget


def bring_up(window: QWidget) -> None:
    """Show a window before all others, also one that was made small."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


class WindowOpener(QObject):
    """Owns one window, None until it is opened; a subclass makes it."""

    terms_requested = Signal(str)  # the terms of the panel of this name are to be explained

    window: QWidget | None

    def close(self) -> None:
        """Close the window, which ends what it does."""
        if self.window is not None:
            self.window.close()
