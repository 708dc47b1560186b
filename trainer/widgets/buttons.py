"""Buttons of dialogs."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton


def dialog_button(text: str, act: Callable[[], object], tip: str = "") -> QPushButton:
    """Return a button that Enter presses while it has the focus, and from nowhere else."""
    button = QPushButton(text, autoDefault=False)
    button.setToolTip(tip)
    button.clicked.connect(lambda _checked=False: act())
    return button
