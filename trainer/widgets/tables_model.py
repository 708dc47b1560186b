"""Tables: their headings; of figures what stands in a cell, what it sorts by, and all of it as text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

ROOT: Final = QModelIndex()
"""Where a model has no index yet, as Qt leaves it out."""

Index: TypeAlias = QModelIndex | QPersistentModelIndex
"""Of whatever a model is asked about."""

_INDENT = "\u2002"

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


NO_FIGURE: Final = Cell("–", -math.inf, "text_muted")
"""Where there is none; it sorts below all others."""


class HeadedModel(QAbstractTableModel):
    """A table with headings; one that begins with `>` has its column right-aligned."""

    def __init__(
        self, headings: Sequence[str], parent: QObject | None = None, heading_tips: Sequence[str] = ()
    ) -> None:
        super().__init__(parent)
        self._take_headings(headings, heading_tips)

    def _take_headings(self, headings: Sequence[str], tips: Sequence[str] = ()) -> None:
        self._heading_tips = tuple(tips)
        self._headings = tuple(heading.removeprefix(">") for heading in headings)
        self._is_right = tuple(heading.startswith(">") for heading in headings)
        # What stands right of right-aligned numbers would touch them.
        self._is_indented = tuple(
            not right and before for right, before in zip(self._is_right, (False, *self._is_right), strict=False)
        )

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{_INDENT if self._is_indented[section] else ''}{self._headings[section]}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._heading_tips[section] if section < len(self._heading_tips) else None
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_right[section]:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


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
