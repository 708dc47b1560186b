"""Opens the lab's window, and the hands that are chosen there."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.lab.window import LabWindow


class LabOpener(WindowOpener):
    """Owns the one window of the lab."""

    # PastSession, its PastHands, and which of them the panels are to show
    hand_opened = Signal(object, object, int)

    def __init__(self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self.window: LabWindow | None = None

    @Slot()
    def open(self) -> "LabWindow":
        """Bring the lab to the front."""
        from trainer.lab.window import LabWindow

        if self.window is None:
            self.window = LabWindow(self._theme, self._jobs, self._settings)
            self.window.hand_opened.connect(self.hand_opened)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("lab"))
        elif not self.window.isVisible():
            self.window.matches.setup.read_own()
        bring_up(self.window)
        return self.window
