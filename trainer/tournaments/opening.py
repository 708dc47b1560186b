"""Opens the windows of prizes and of short stacks, with those of the running tournament."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from engine.game.observation import HandView
from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.session.types import TableView
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.tournaments.prizes_model import Entered
    from trainer.tournaments.prizes_window import PrizesWindow
    from trainer.tournaments.push_window import PushWindow


class PrizesOpener(WindowOpener):
    """Owns the one window of prizes."""

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
        from trainer.tournaments.prizes_model import PrizesModel
        from trainer.tournaments.prizes_window import PrizesWindow

        if self.window is None:
            self.window = PrizesWindow(self._theme, PrizesModel(self._jobs, self))
            self.window.table_requested.connect(self._take_table)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("results"))
        if self.window.model.is_empty and (entered := self._at_table()) is not None:
            self.window.show_entered(entered)
        bring_up(self.window)
        return self.window

    def _take_table(self) -> None:
        assert self.window is not None
        entered = self._at_table()
        if entered is None:
            self.window.message.setText("No tournament with prizes is being played at the table.")
        else:
            self.window.show_entered(entered)

    def _at_table(self) -> "Entered | None":
        """Return the stacks and prizes of the running tournament, if there is one with prizes."""
        from trainer.tournaments.prizes_model import entered_of

        result = self._session.results() if self._session is not None else None
        if self._session is None or self._session.config is None or result is None:
            return None
        return entered_of(self._session.config, result.stacks)


class PushOpener(WindowOpener):
    """Owns the one window of short stacks."""

    def __init__(self, theme: ThemeSource, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._jobs = jobs
        self._seen: HandView | None = None
        self.window: PushWindow | None = None

    def follow(self, session: Session) -> None:
        """Take the session at the table in the place of the one before."""
        self._seen = None
        session.view_changed.connect(self._on_view)

    def _on_view(self, view: TableView) -> None:
        self._seen = view.observation

    @Slot()
    def open(self) -> "PushWindow":
        """Bring the window to the front as it is."""
        from trainer.tournaments.push_model import PushModel
        from trainer.tournaments.push_window import PushWindow

        if self.window is None:
            self.window = PushWindow(self._theme, PushModel(self._jobs, self))
            self.window.table_requested.connect(self._take_table)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("results"))
        bring_up(self.window)
        return self.window

    def _take_table(self) -> None:
        assert self.window is not None
        self.window.model.take_table(self._seen)
        self.window.show_table()
