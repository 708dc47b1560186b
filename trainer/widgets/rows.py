"""Rows of text as a Qt table model and its table: every small table of the panels."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QFontMetricsF, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from trainer.widgets.tables_model import ROOT, HeadedModel, Index
from trainer.widgets.text_field import plain_tip


@cache
def _nothing() -> QPixmap:
    """Return a picture of nothing; as a decoration it moves a text by a little more than its margins."""
    picture = QPixmap(1, 1)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


class RowsModel(HeadedModel):
    """Texts in rows."""

    _rows: tuple[tuple[str, ...], ...] = ()
    _muted: frozenset[int] = frozenset()
    _tips: tuple[str, ...] = ()

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

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_right[index.column()]:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DecorationRole and self._is_indented[index.column()]:
            return _nothing()
        tips = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole)
        if role in tips and index.row() < len(self._tips):
            tip = self._tips[index.row()]
            return plain_tip(tip) if role == Qt.ItemDataRole.ToolTipRole else tip
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags if index.row() in self._muted else flags | Qt.ItemFlag.ItemIsEnabled


def make_table(model: RowsModel, name: str, stretched: int) -> QTableView:
    """Return a compact read-only table of a model; `stretched` is the column that takes the spare width."""
    table = QTableView()
    show_in_rows(table, model, name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
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


def show_in_rows(table: QTableView, model: QAbstractItemModel, name: str) -> None:
    """Show a model in a table whose rows are chosen as a whole and bear no numbers, and which Tab leaves."""
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()


def fit_rows(table: QTableView) -> None:
    """Make a table's rows as high as its text."""
    table.verticalHeader().setDefaultSectionSize(round(QFontMetricsF(table.font()).height()) + 5)
