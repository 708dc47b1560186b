"""Tables of figures as Qt shows them: in the theme's colours, sorted by a click on a heading."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from trainer.theme import ThemeSource
from trainer.widgets.figures_model import SORT_ROLE, Cell, Column, Index
from trainer.widgets.rows import RowsModel, show_in_rows


class FiguresModel(RowsModel):
    """Cells as a Qt table: text, tooltips, alignment, and `SORT_ROLE` to sort by."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        titles = [column.title for column in columns]
        super().__init__(titles, parent, [column.meaning for column in columns])
        self._titles = titles
        self.cells: tuple[tuple[Cell, ...], ...] = ()

    def show_cells(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show other rows."""
        self.cells = tuple(rows)
        self.show_rows([[cell.text for cell in row] for row in rows])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role == SORT_ROLE:
            return self.cells[index.row()][index.column()].key
        if index.isValid() and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if index.column() else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if index.isValid() and role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._titles[index.column()]}: {self.cells[index.row()][index.column()].text}"
        return super().data(index, role)


class ColouredFigures(FiguresModel):
    """Figures in the colours that their roles name."""

    def __init__(self, columns: Sequence[Column], theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(columns, parent)
        self._theme_source = theme

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and index.isValid():
            return QColor(getattr(self._theme_source.theme, self.cells[index.row()][index.column()].role))
        return super().data(index, role)


def sorted_view(model: FiguresModel, name: str, first_sort: int) -> QTableView:
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
