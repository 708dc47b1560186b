"""Hints, when the player asks for one: for the decision at hand, and for no other."""

from PySide6.QtCore import QObject, Slot

from trainer.play.hint import HintPanel
from trainer.play.hint_model import HintView, hint_view
from trainer.session.session import Session
from trainer.session.types import HintPoint, Stage, TableView
from trainer.window.window_model import WindowModel


class Hints(QObject):
    """Asks the player's reader for a hint and shows it until the player has acted or closes it."""

    def __init__(self, panel: HintPanel, model: WindowModel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._model = panel, model
        self._asked: tuple[int, int] | None = None
        self._point: HintPoint | None = None
        panel.closed.connect(self.close)

    def follow(self, session: Session) -> None:
        """Take a new session."""
        self.close()
        session.readings.hint_changed.connect(self._on_hint)

    @Slot()
    def toggle(self) -> None:
        """Ask for a hint for the decision at hand, or close the one shown."""
        session, view = self._model.session, self._model.view
        if self._asked is not None:
            self.close()
        elif session is not None and view is not None and view.stage is Stage.YOUR_TURN:
            self._asked = _decision(view)
            self._panel.show_hint(HintView("Working out what every action is worth…"), is_done=False)
            session.readings.request_hint(view.observation)

    @Slot()
    def close(self) -> bool:
        """Show no hint; return whether there was one."""
        was_open = self._asked is not None
        self._asked = self._point = None
        self._panel.hide()
        if was_open and self._model.session is not None:
            self._model.session.readings.cancel_hint()
        return was_open

    def show_view(self, view: TableView) -> None:
        """Close the hint when its decision is over."""
        if self._asked is not None and (view.stage is not Stage.YOUR_TURN or _decision(view) != self._asked):
            self.close()

    def show_units(self) -> None:
        """Write the hint in the units chosen now."""
        if self._point is not None:
            self._on_hint(self._point)

    def _on_hint(self, point: HintPoint) -> None:
        if self._asked == (point.observation.hand_number, len(point.observation.events)):
            self._point = point
            view = hint_view(point, in_big_blinds=self._model.in_big_blinds)
            self._panel.show_hint(view, is_done=point.is_done)


def _decision(view: TableView) -> tuple[int, int]:
    return view.observation.hand_number, len(view.observation.events)
