"""Hints, when the player asks for one: for the decision at hand, and for no other."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.game.events import Chips
from trainer.play.hint import HintPanel
from trainer.play.hint_model import HintView, hint_view
from trainer.session.session import Session
from trainer.session.types import HintPoint, Stage, TableView
from trainer.window.window_model import WindowModel

_PAUSE_MILLISECONDS = 300
"""After the last change of the amount set, before a hint takes it in."""


class Hints(QObject):
    """Asks the player's reader for a hint and shows it until the player has acted or closes it.

    The amount that the player has set is among the actions compared, and its row is selected.
    """

    shown = Signal(bool)

    def __init__(self, panel: HintPanel, model: WindowModel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._model = panel, model
        self._asked: tuple[int, int] | None = None
        self._point: HintPoint | None = None
        self._amount: Chips | None = None  # set for the decision at hand
        self._to_select: Chips | None = None  # whose row is to be selected as soon as there is one
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._on_pause_over)
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
            self.shown.emit(True)
            self._to_select = self._amount
            session.readings.request_hint(view.own, self._amount)

    @Slot(object)
    def set_amount(self, amount: Chips | None) -> None:
        """Take the amount that the player has set, None for none; a hint that is shown follows after a pause."""
        self._amount = self._to_select = amount
        if amount is not None and self._asked is not None:
            self._pause.start()
        else:
            self._pause.stop()

    def _on_pause_over(self) -> None:
        """Select the row of the amount set; where there is none, ask for it."""
        session, view = self._model.session, self._model.view
        if self._asked is None or self._to_select is None or session is None or view is None:
            return
        if not self._select():
            session.readings.request_hint(view.own, self._to_select)

    def _select(self) -> bool:
        """Select the row of the amount to be selected; return whether there is one."""
        values = self._point.values if self._point is not None else None
        totals = [one.action.raise_to for one in values.actions] if values is not None else []
        if self._to_select not in totals:
            return False
        self._panel.values.mark(totals.index(self._to_select))
        self._to_select = None
        return True

    @Slot()
    def close(self) -> bool:
        """Show no hint; return whether there was one."""
        was_open = self._asked is not None
        self._asked = self._point = self._to_select = None
        self._pause.stop()
        self._panel.values.mark(None)
        self._panel.hide()
        self.shown.emit(False)
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
            if not self._pause.isActive():
                self._select()


def _decision(view: TableView) -> tuple[int, int]:
    return view.observation.hand_number, len(view.observation.events)
