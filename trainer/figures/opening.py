"""Opens the window of figures."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.storage.store import Store
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.figures.window import FiguresWindow


class FiguresOpener(WindowOpener):
    """Owns the one window of figures; `store` has the hands, once it is open."""

    replay_requested = Signal(int, int, int)  # session in the store, number of the hand, events to begin after

    def __init__(self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self.store: Store | None = None
        self.window: FiguresWindow | None = None

    @Slot()
    def open(self) -> "FiguresWindow":
        """Bring the figures to the front, with all hands until now."""
        from trainer.figures.figures_model import FiguresModel
        from trainer.figures.window import FiguresWindow

        if self.window is None:
            self.window = FiguresWindow(self._theme, FiguresModel(self._jobs, self), self._settings)
            self.window.go_on.clicked.connect(self._count)
            for tab in (self.window.usual, self.window.leaks):
                tab.replay_requested.connect(self.replay_requested)
            self.window.starting_hands.replay_requested.connect(
                lambda session_id, number: self.replay_requested.emit(session_id, number, 0)
            )
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("results"))
        if not self.window.model.is_counting:
            self._count()
        bring_up(self.window)
        return self.window

    def _count(self) -> None:
        if self.window is not None and self.store is not None:
            self.window.model.count(self.store)
