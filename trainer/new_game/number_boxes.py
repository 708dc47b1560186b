"""Numbers and chips to type; what is typed stays until it is right, and is said to be wrong."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QShowEvent, QValidator
from PySide6.QtWidgets import QSpinBox

from engine.game.formats import GameConfigError
from trainer.session.amounts import AmountTextError, Units

MOST_CHIPS: Final = 10**9
ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NumberBox(QSpinBox):
    """A number to type; text that is none of its numbers stays, where Qt would put back the number before.

    `special` is what the least one is shown as, if not "".
    """

    _kind = "a whole number"

    def __init__(self, least: int, most: int, name: str, special: str = "") -> None:
        super().__init__()
        self.setRange(least, most)
        self.setSpecialValueText(special)
        self.setAccessibleName(name)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def setValue(self, value: int) -> None:
        """Show a number, or the nearest that there is; to Qt one of more than 32 bits would be an error."""
        super().setValue(min(max(value, self.minimum()), self.maximum()))

    def verify(self) -> None:
        """Raise GameConfigError if what is typed is none of its numbers."""
        if not self.hasAcceptableInput():
            least, most = self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
            typed = f", not '{self.cleanText()}'" if self.cleanText() else ""
            raise GameConfigError(f"{self.accessibleName()}: {self._kind} from {least} to {most}{typed}.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not self.hasAcceptableInput():
            event.ignore()  # the dialog says what is wrong
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.hasAcceptableInput():
            super().focusOutEvent(event)
        else:
            self.lineEdit().event(event)
            self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        if self.hasAcceptableInput():
            super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        if self.hasAcceptableInput():
            super().showEvent(event)


class ChipsBox(NumberBox):
    """Chips to type, written and read in the units chosen for the whole window."""

    _kind = "an amount"

    def __init__(self) -> None:
        self._units = Units(1)
        super().__init__(0, MOST_CHIPS, "")

    def set_units(self, units: Units) -> None:
        """Write the same chips in other units."""
        if units != self._units:
            self._units = units
            self.setSuffix(units.suffix)

    def textFromValue(self, value: int) -> str:
        return self._units.number(value)

    def valueFromText(self, text: str) -> int:
        try:
            return self._parse(text)
        except AmountTextError:
            return self.value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        try:
            is_amount = self._parse(text) <= self.maximum()
        except AmountTextError:
            is_amount = False
        return QValidator.State.Acceptable if is_amount else QValidator.State.Intermediate, text, position

    def _parse(self, text: str) -> int:
        return self.minimum() if text and text == self.specialValueText() else self._units.parse(text)


class StraddleBox(ChipsBox):
    """A straddle to type; a step goes over what is less than twice a big blind, which a single step is."""

    def __init__(self) -> None:
        super().__init__()
        self.setSpecialValueText("none")

    def stepBy(self, steps: int) -> None:
        super().stepBy(steps)
        least = 2 * self.singleStep()
        if 0 < self.value() < least:
            self.setValue(least if steps > 0 else 0)
