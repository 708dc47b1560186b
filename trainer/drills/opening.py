"""Opens the window of the drills."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.drills.guess_window import GuessWindow
    from trainer.drills.window import DrillsWindow
    from trainer.storage.store import Store

_SEED_BITS = 64


class DrillsOpener(QObject):
    """Owns the window of the drills and that of guesses; `store` keeps what was practised, once it is there."""

    odds_requested = Signal(object)  # OddsOpening
    review_requested = Signal()  # the drills have no mistakes yet

    def __init__(self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self.store: Store | None = None
        self.window: DrillsWindow | None = None
        self.guesses: GuessWindow | None = None

    @Slot()
    def open(self) -> "DrillsWindow":
        """Bring the drills to the front."""
        from secrets import randbits

        from trainer.drills.drills_model import DrillsModel
        from trainer.drills.mistakes import StoredMistakes
        from trainer.drills.window import DrillsWindow

        if self.window is None:
            records, mistakes = (
                (None, None) if self.store is None else (self.store.records, StoredMistakes(self.store))
            )
            model = DrillsModel(self._jobs, randbits(_SEED_BITS), records=records, mistakes=mistakes)
            self.window = DrillsWindow(self._theme, model, self._settings)
            self.window.set_units(self._settings.settings.big_blinds)
            self.window.odds_requested.connect(self.odds_requested)
            self.window.review_requested.connect(self.review_requested)
        _bring_up(self.window)
        return self.window

    def open_at(self, hand_id: int, event_count: int) -> None:
        """Practise one mistake: a decision after so many events of a stored hand."""
        self.open().model.start_at(hand_id, event_count)

    @Slot()
    def open_guesses(self) -> "GuessWindow":
        """Bring the guesses of ranges to the front, and ask the first."""
        from secrets import randbits

        from trainer.drills.guess_model import GuessModel
        from trainer.drills.guess_window import GuessWindow

        if self.guesses is None:
            model = GuessModel(self._jobs, randbits(_SEED_BITS), self.store)
            self.guesses = GuessWindow(self._theme, model)
            self.guesses.spot.table.set_units(self._settings.settings.big_blinds)
            self.guesses.spot.table.set_four_colours(self._settings.settings.four_colours)
        _bring_up(self.guesses)
        self.guesses.begin()
        return self.guesses

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        if self.window is not None:
            self.window.set_units(in_big_blinds)
        if self.guesses is not None:
            self.guesses.spot.table.set_units(in_big_blinds)

    def set_four_colours(self, is_on: bool) -> None:
        """Use the four-colour deck, or the usual one."""
        if self.window is not None:
            self.window.page.spot.table.set_four_colours(is_on)
        if self.guesses is not None:
            self.guesses.spot.table.set_four_colours(is_on)

    def close(self) -> None:
        """End the set, and close the window."""
        if self.window is not None:
            self.window.close()
        if self.guesses is not None:
            self.guesses.close()


def _bring_up(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
