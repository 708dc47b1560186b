"""Tables of figures: what stands in a cell, what it sorts by, and all of it as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt

SORT_ROLE = Qt.ItemDataRole.UserRole
"""Item data role of the number or text that a cell sorts by."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading and what it means."""

    title: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, what it sorts by, and the `Theme` field of its colour."""

    text: str
    key: float | str
    role: str = "text"


def table_text(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> str:
    """Write a table as plain text, its columns aligned, the first to the left."""
    lines = [[column.title for column in columns], *([cell.text for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return "".join(
        "  ".join(
            text.rjust(width) if i else text.ljust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        + "\n"
        for line in lines
    )
