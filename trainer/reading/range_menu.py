"""The menu of a range: ask the odds calculator about it, or copy it as text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from engine.cards import class_name
from trainer.reading.range_model import OpponentRange, RangeAsked


class RangeMenu(QMenu):
    """What can be done with a range as it is shown, after `step` (None: the last)."""

    odds_requested = Signal(object)  # RangeAsked
    all_odds_requested = Signal()

    def __init__(self, opponent: OpponentRange, step: int | None, hand_class: int | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._opponent, self._step = opponent, step
        name = opponent.name.replace("&", "&&")
        self._add_odds(f"&Odds against {name}'s range", None)
        if hand_class is not None:
            self._add_odds(f"Odds against {name}'s &{class_name(hand_class)}", hand_class)
        self.addAction("Odds against &all", self.all_odds_requested.emit)
        self.addSeparator()
        self.addAction("&Copy range as text", self._on_copy)

    def _add_odds(self, text: str, hand_class: int | None) -> None:
        asked = RangeAsked(self._opponent, self._step, hand_class)
        self.addAction(text, lambda: self.odds_requested.emit(asked)).setEnabled(asked.has_odds)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(RangeAsked(self._opponent, self._step).text)
