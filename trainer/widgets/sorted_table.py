"""Tables of figures as Qt shows them: in the theme's colours, sorted by a click on a heading."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from trainer.theme import ThemeSource
from trainer.widgets.rows import RowsModel, show_in_rows
from trainer.widgets.tables_model import SORT_ROLE, Cell, Column, Index


class ColouredFigures(RowsModel):
    """Cells as a Qt table, in the colours that their roles name; `SORT_ROLE` is what they sort by."""

    def __init__(self, columns: Sequence[Column], theme: ThemeSource, parent: QWidget | None) -> None:
        self._titles = [column.title for column in columns]
        super().__init__(self._titles, parent, [column.meaning for column in columns])
        self._theme_source = theme
        self.cells: tuple[tuple[Cell, ...], ...] = ()

    def show_cells(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show other rows."""
        self.cells = tuple(rows)
        self.show_rows([[cell.text for cell in row] for row in rows])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self.cells[index.row()][index.column()]
        if role == SORT_ROLE:
            return cell.key
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(getattr(self._theme_source.theme, cell.role))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if index.column() else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._titles[index.column()]}: {cell.text}"
        return super().data(index, role)


def sorted_view(model: ColouredFigures, name: str, first_sort: int) -> QTableView:
    """Return a table that sorts by a click on its headings, highest first at the beginning."""
    proxy = QSortFilterProxyModel(model)
    proxy.setSourceModel(model)
    proxy.setSortRole(SORT_ROLE)
    view = QTableView()
    show_in_rows(view, proxy, name)
    view.setSortingEnabled(True)
    view.sortByColumn(first_sort, Qt.SortOrder.DescendingOrder)
    view.setAlternatingRowColors(True)
    view.setShowGrid(False)
    header = view.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 9)
    return view
