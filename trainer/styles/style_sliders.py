"""The numbers of a style as sliders, each with the exact number next to it and its unit."""

from typing import Final, NamedTuple

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QSlider, QWidget

from engine.agents.style_file import NUMBERS

_TENTHS = 10  # steps of a slider in one unit


class Number(NamedTuple):
    """A number of a style: its label, its unit, what one press of an arrow key changes, and what it is."""

    label: str
    suffix: str
    step: float
    help: str


BEFORE_THE_FLOP: Final = {
    "early": Number("Plays &early", " %", 1, "Best hands that it plays in early position when nobody has raised"),
    "middle": Number("Plays in the middle", " %", 1, "The same in middle position"),
    "late": Number("Plays late", " %", 1, "The same one before the button and on it"),
    "blinds": Number("Plays in the blinds", " %", 1, "The same in the blinds"),
    "raises": Number("Raises, of these", " %", 1, "The best of these come in with a raise, the rest limp"),
    "open_size": Number("Raises to", " bb", 0.5, "Size of such a raise in big blinds, one more for each limper"),
    "calls_raises": Number("Calls raises with", " %", 1, "Best hands that it calls a raise with"),
    "three_bets": Number("3-bets", " %", 0.5, "Best hands that it raises a raise again with"),
    "calls_three_bets": Number("Calls 3-bets with", " %", 0.5, "Best hands that it calls two raises or more with"),
    "stacks_off": Number(
        "Stacks off with",
        " %",
        0.5,
        "Best hands that it raises a big part of its stack with; others that it would raise call",
    ),
}
AFTER_THE_FLOP: Final = {
    "aggression": Number("A&ggression", "", 1, "0: hardly ever bets or raises; 100: with anything fair"),
    "calls_down": Number("Calls down", "", 1, "0: gives up all but the best; 100: calls with nearly anything"),
    "bluffs": Number("Bluffs", " %", 1, "How often it bets nothing; against two half as often: 200% is always"),
    "bets_draws": Number("Bets draws", " %", 1, "How often it bets a draw; against two half as often"),
    "bet_size": Number("Bets, of the pot", " %", 1, "Usual bet; very strong hands bet half as much again"),
}


class _Exact(QDoubleSpinBox):
    """A number with at most one decimal, which is written only where there is one."""

    def __init__(self) -> None:
        super().__init__(decimals=1)
        self.setLocale(QLocale.c())
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def textFromValue(self, value: float) -> str:
        return f"{value:g}"


class NumberRow(QWidget):
    """A slider and the exact number next to it, in step."""

    changed = Signal(float)

    def __init__(self, field: str, number: Number) -> None:
        super().__init__()
        bounds = NUMBERS[field]
        name = number.label.replace("&", "")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(round(bounds.least * _TENTHS), round(bounds.most * _TENTHS))
        self.slider.setSingleStep(round(number.step * _TENTHS))
        self.slider.setPageStep(round(10 * number.step * _TENTHS))
        self.slider.setAccessibleName(name)
        self.slider.setMinimumWidth(12 * self.fontMetrics().averageCharWidth())
        self.exact = _Exact()
        self.exact.setRange(bounds.least, bounds.most)
        self.exact.setSingleStep(number.step)
        self.exact.setSuffix(number.suffix)
        self.exact.setAccessibleName(f"{name}, exactly")
        self.exact.setMinimumWidth(self.exact.fontMetrics().horizontalAdvance("100.0 %") + 4 * _TENTHS)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.exact)
        for widget in (self.slider, self.exact):
            widget.setToolTip(f"{number.help} ({bounds.unit})")
            widget.setAccessibleDescription(f"{number.help} ({bounds.unit})")
        self.slider.valueChanged.connect(lambda tenths: self.changed.emit(tenths / _TENTHS))
        self.exact.valueChanged.connect(self.changed)

    def show_number(self, value: float) -> None:
        """Show a number without saying so; what is typed stays as it is while it says the same."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.exact):
            self.slider.setValue(round(value * _TENTHS))
            if self.exact.value() != value:
                self.exact.setValue(value)
