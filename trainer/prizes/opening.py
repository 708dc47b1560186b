"""Opens the window of prizes, with those of the running tournament."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.theme import ThemeSource
from trainer.widgets.front import bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.prizes.prizes_model import Entered
    from trainer.prizes.window import PrizesWindow


class PrizesOpener(QObject):
    """Owns the one window of prizes."""

    terms_requested = Signal(str)  # the terms of the panel of this name are to be explained

    def __init__(self, theme: ThemeSource, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._jobs = jobs
        self._session: Session | None = None
        self.window: PrizesWindow | None = None

    def follow(self, session: Session) -> None:
        """Take the session at the table in the place of the one before."""
        self._session = session

    @Slot()
    def open(self) -> "PrizesWindow":
        """Bring the window to the front; where nothing is entered, with the running tournament."""
        from trainer.prizes.prizes_model import PrizesModel
        from trainer.prizes.window import PrizesWindow

        if self.window is None:
            self.window = PrizesWindow(self._theme, PrizesModel(self._jobs, self))
            self.window.table_requested.connect(self._take_table)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("results"))
        if self.window.model.is_empty and (entered := self._at_table()) is not None:
            self.window.show_entered(entered)
        bring_up(self.window)
        return self.window

    def close(self) -> None:
        """Close the window."""
        if self.window is not None:
            self.window.close()

    def _take_table(self) -> None:
        assert self.window is not None
        entered = self._at_table()
        if entered is None:
            self.window.message.setText("No tournament with prizes is being played at the table.")
        else:
            self.window.show_entered(entered)

    def _at_table(self) -> "Entered | None":
        """Return the stacks and prizes of the running tournament, if there is one with prizes."""
        from trainer.prizes.prizes_model import entered_of

        result = self._session.results() if self._session is not None else None
        if self._session is None or self._session.config is None or result is None:
            return None
        return entered_of(self._session.config, result.stacks)
