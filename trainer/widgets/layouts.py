"""Rows and columns of widgets."""

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

B = TypeVar("B", bound=QBoxLayout)


def tight(layout: B, *parts: QWidget | QLayout, spacing: int | None = None) -> B:
    """Return a row or column without margins, with these parts in it, the spacing as usual if None."""
    layout.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)
    return layout
