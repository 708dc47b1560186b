"""Rows and columns of widgets, and the labels in them."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QLayout, QSplitter, QWidget

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


def side_by_side(left: QWidget, right: QWidget, widths: tuple[int, int]) -> QSplitter:
    """Return two widgets with a handle between them, neither of which can be hidden by it."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.addWidget(left)
    splitter.addWidget(right)
    splitter.setSizes(widths)
    splitter.setChildrenCollapsible(False)
    return splitter


def label_of(field: QWidget, text: str) -> QLabel:
    """Return a label whose key, after the `&` of its text, leads to a field."""
    label = QLabel(text)
    label.setBuddy(field)
    return label
