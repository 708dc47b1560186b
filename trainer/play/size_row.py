"""Where the size of a bet is set: shares of the pot, a slider, a field to type in."""

from functools import partial

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider

from trainer.play.action_bar_model import ActionBarModel
from trainer.play.action_button import ActionButton
from trainer.session.amounts import AmountTextError, Units
from trainer.theme import ThemeSource
from trainer.widgets.text_field import MarkedLineEdit

PRESET_KEYS = tuple(f"Alt+{number}" for number in range(1, 6))

_MOST_STEPS = 2**31 - 1
"""The largest number of a slider."""


class SizeRow(QHBoxLayout):
    """Shows the amount set and passes on every other; a layout, so that it takes no room of its own."""

    preset_chosen = Signal(object)  # which of `Offer.presets`
    slid = Signal(object)  # int: the amount under the slider
    typed = Signal(str)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.presets = [ActionButton(theme, "") for _ in PRESET_KEYS]
        for index, (button, key) in enumerate(zip(self.presets, PRESET_KEYS, strict=True)):
            button.clicked.connect(partial(self._on_preset, index))
            button.set_hint(key, str(index + 1))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Bet size")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.setMinimumWidth(90)
        self.slider.valueChanged.connect(self._on_slid)
        self._most, self._chips_each = 0, 1  # of the slider: its last amount, and chips of each of its steps
        self.field = AmountField(theme)
        self.field.setAccessibleName("Bet or raise to")
        self.field.setToolTip("Type an amount; Enter or the button bets it, Esc takes it back")
        self.field.textEdited.connect(self.typed)
        modifier = QLabel("Alt+")
        modifier.setToolTip("With Alt a digit sets a share of the pot; digits alone are an amount")
        self.setSpacing(5)
        self.addWidget(modifier)
        for button in self.presets:
            self.addWidget(button, 2)
        self.addSpacing(6)
        self.addWidget(self.slider, 7)
        self.addWidget(self.field, 3)

    def show_offer(self, model: ActionBarModel) -> None:
        """Say which sizes there are."""
        offer = model.offer
        for button, preset in zip(self.presets, offer.presets, strict=True):
            button.setText(preset.sign)
            button.setEnabled(offer.decision is not None and preset.amount is not None)
            amount = "not legal now" if preset.amount is None else offer.units.text(preset.amount)
            button.setToolTip(f"{preset.name}: {amount} ({button.key})")
            button.setAccessibleName(f"{preset.name}: {amount}")

    def show_amount(self, model: ActionBarModel) -> None:
        """Show the amount set, and mark one that was typed and is refused."""
        offer, can_raise = model.offer, model.can_raise
        self._most = max(offer.least, offer.most)
        self._chips_each = each = self._most // _MOST_STEPS + 1
        with QSignalBlocker(self.slider):
            self.slider.setRange(offer.least // each, self._most // each)
            self.slider.setSingleStep(min(max(offer.big_step // each, 1), _MOST_STEPS))
            self.slider.setPageStep(min(max(4 * offer.big_step // each, 1), _MOST_STEPS))
            self.slider.setValue(min(model.amount, self._most) // each)
        self.slider.setEnabled(can_raise and offer.most > offer.least)
        self.slider.setAccessibleDescription(offer.units.text(model.amount))
        self.field.setEnabled(can_raise)
        if model.refusal:
            self.field.mark(0, 0)
        else:
            self.field.unmark()
            self.field.show_amount(model.amount if can_raise else None, offer.units)
        for button, preset in zip(self.presets, offer.presets, strict=True):
            button.set_chosen(preset.amount == model.amount and not model.refusal)

    def _on_preset(self, index: int, _checked: bool = False) -> None:
        self.preset_chosen.emit(index)

    def _on_slid(self, value: int) -> None:
        self.slid.emit(self._most if value == self.slider.maximum() else value * self._chips_each)


class AmountField(MarkedLineEdit):
    """Where an amount is typed, in the chosen units; letters are left to the window's shortcuts."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme)
        self._shown: tuple[int | None, Units] | None = None
        self._is_entered = False
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(96)
        self.setMaxLength(24)

    def show_amount(self, amount: int | None, units: Units) -> None:
        """Write an amount, unless the text typed says the same already; a dash without one."""
        try:
            is_typed = self.hasFocus() and amount is not None and units.parse(self.text()) == amount
        except AmountTextError:
            is_typed = False
        if not is_typed or (self._shown is not None and self._shown[1] != units):
            self.replace_text("–" if amount is None else units.text(amount))
        self._shown = (amount, units)

    def begin(self, text: str) -> None:
        """Take the focus and the first characters of an amount in the place of the old one."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()
        self.insert(text)
        self.textEdited.emit(self.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_entered = event.reason() is Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the old amount at the click that leads here, as Tab does, so that typing replaces it."""
        super().mouseReleaseEvent(event)
        if self._is_entered and not self.hasSelectedText():
            self.selectAll()
        self._is_entered = False

    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.text().isalpha()
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
        ):
            event.ignore()
            return False
        return super().event(event)
