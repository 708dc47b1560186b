"""Rows of text as a Qt table model and its table: every small table of the panels."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from trainer.widgets.text_field import plain_tip

_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class RowsModel(QAbstractTableModel):
    """Texts in rows under fixed headings; a heading that begins with `>` has its column right-aligned."""

    def __init__(
        self, headings: Sequence[str], parent: QObject | None = None, heading_tips: Sequence[str] = ()
    ) -> None:
        super().__init__(parent)
        self._take_headings(headings, heading_tips)
        self._rows: tuple[tuple[str, ...], ...] = ()
        self._muted: frozenset[int] = frozenset()
        self._tips: tuple[str, ...] = ()

    def _take_headings(self, headings: Sequence[str], tips: Sequence[str] = ()) -> None:
        self._heading_tips = tuple(tips)
        self._headings = tuple(heading.removeprefix(">") for heading in headings)
        self._is_right = tuple(heading.startswith(">") for heading in headings)

    def show_rows(
        self,
        rows: Sequence[Sequence[str]],
        *,
        muted: Sequence[int] = (),
        tips: Sequence[str] = (),
        headings: Sequence[str] | None = None,
    ) -> None:
        """Replace all rows; `muted` are the indices of those greyed, `tips` their tool tips.

        Other `headings` replace those there and their tips. Raises ValueError if a row does not fit the headings.
        """
        columns = len(self._headings if headings is None else headings)
        for row in rows:
            if len(row) != columns:
                raise ValueError(f"A row has {len(row)} texts for {columns} columns: {tuple(row)}.")
        self.beginResetModel()
        if headings is not None:
            self._take_headings(headings)
        self._rows = tuple(tuple(row) for row in rows)
        self._muted = frozenset(muted)
        self._tips = tuple(tips)
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._headings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_right[index.column()]:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        tips = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole)
        if role in tips and index.row() < len(self._tips):
            tip = self._tips[index.row()]
            return plain_tip(tip) if role == Qt.ItemDataRole.ToolTipRole else tip
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags if index.row() in self._muted else flags | Qt.ItemFlag.ItemIsEnabled

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._heading_tips[section] if section < len(self._heading_tips) else None
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_right[section]:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


def make_table(model: RowsModel, name: str, stretched: int) -> QTableView:
    """Return a compact read-only table of a model; `stretched` is the column that takes the spare width."""
    table = QTableView()
    table.setModel(model)
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setMinimumSectionSize(12)
    fit_rows(table)
    header = table.horizontalHeader()
    header.setAccessibleName(f"Headings: {name}")
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
    return table


def fit_rows(table: QTableView) -> None:
    """Make a table's rows as high as its text."""
    table.verticalHeader().setDefaultSectionSize(round(QFontMetricsF(table.font()).height()) + 5)
