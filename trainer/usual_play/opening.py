"""Opens the window of charts, and takes it to the decision that the panels show."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from engine.game.observation import HandView, Observation
from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.usual_play.window import UsualPlayWindow


class ChartsOpener(WindowOpener):
    """Owns the one window of charts; `moment` gives what the panels show of a hand."""

    def __init__(
        self,
        theme: ThemeSource,
        settings: SettingsFile,
        jobs: Jobs,
        moment: Callable[[], HandView | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self._moment = moment
        self.window: UsualPlayWindow | None = None

    @Slot()
    def open(self) -> "UsualPlayWindow":
        """Bring the window to the front as it is."""
        from trainer.usual_play.usual_play_model import UsualPlayModel
        from trainer.usual_play.window import UsualPlayWindow

        if self.window is None:
            self.window = UsualPlayWindow(self._theme, UsualPlayModel(self._jobs, self))
            self.window.table_requested.connect(self._take_moment)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("ranges"))
        bring_up(self.window)
        return self.window

    @Slot()
    def open_at_table(self) -> None:
        """Bring the window to the front with the decision that the panels show."""
        self.open()
        self._take_moment()

    @Slot(object)
    def open_exercise(self, seen: Observation) -> None:
        """Bring the window to the front with the decision of an exercise."""
        self.open().model.ask_exercise(seen, in_big_blinds=self._settings.settings.big_blinds)

    @Slot()
    def follow(self) -> None:
        """Show the decision that the panels have come to, if the window shows those of the table."""
        if self.window is not None and self.window.isVisible() and self.window.model.is_at_table:
            self._take_moment()

    def _take_moment(self) -> None:
        assert self.window is not None
        self.window.model.ask_at_table(self._moment(), in_big_blinds=self._settings.settings.big_blinds)
