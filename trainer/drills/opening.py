"""Opens the window of the drills."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.drills.drills_model import Records
    from trainer.drills.window import DrillsWindow

_SEED_BITS = 64


class DrillsOpener(QObject):
    """Owns the one window of the drills; `records` keeps what was practised, once there is a store."""

    odds_requested = Signal(object)  # OddsOpening

    def __init__(self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self.records: Records | None = None
        self.window: DrillsWindow | None = None

    @Slot()
    def open(self) -> "DrillsWindow":
        """Bring the drills to the front."""
        from secrets import randbits

        from trainer.drills.drills_model import DrillsModel
        from trainer.drills.window import DrillsWindow

        if self.window is None:
            model = DrillsModel(self._jobs, randbits(_SEED_BITS), records=self.records)
            self.window = DrillsWindow(self._theme, model, self._settings)
            self.window.set_units(self._settings.settings.big_blinds)
            self.window.odds_requested.connect(self.odds_requested)
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMinimized)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        return self.window

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        if self.window is not None:
            self.window.set_units(in_big_blinds)

    def set_four_colours(self, is_on: bool) -> None:
        """Use the four-colour deck, or the usual one."""
        if self.window is not None:
            self.window.page.spot.table.set_four_colours(is_on)

    def close(self) -> None:
        """End the set, and close the window."""
        if self.window is not None:
            self.window.close()
