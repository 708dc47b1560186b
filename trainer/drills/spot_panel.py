"""A spot as a table with its cards, board, pot and stacks, and beside it a range and what every action is worth."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from trainer.drills.exercise_model import RangeView
from trainer.play.table import TableWidget
from trainer.reading.range_grid import RangeGrid
from trainer.reasoning.value_table import ValueTable
from trainer.session.types import TableView
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight

_TABLE_SHARE, _RANGE_SHARE = 5, 4
_LEAST_ROWS = 4


class SpotPanel(QWidget):
    """Shows a spot; nothing in it can be clicked."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.table = TableWidget(theme)
        self.table.set_animated(False)
        self.table.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.name = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.grid = RangeGrid(theme)
        self.grid.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.grid.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.range = QWidget()
        column = tight(QVBoxLayout(self.range))
        column.addStretch(1)
        column.addWidget(self.name)
        column.addWidget(self.grid, 8)
        column.addStretch(1)
        self.values = ValueTable(theme, least_rows=_LEAST_ROWS)
        beside = QVBoxLayout()
        beside.addWidget(self.range, 1)
        beside.addWidget(self.values)
        self._whole = tight(QHBoxLayout(self))
        self._whole.addWidget(self.table, _TABLE_SHARE)
        self._whole.addLayout(beside)
        self.range.hide()
        self.values.hide()

    def show_spot(self, view: TableView, *, is_alone: bool = True) -> None:
        """Show a table, which has all the room if nothing will come beside it."""
        self._whole.setStretch(1, 0 if is_alone else _RANGE_SHARE)
        self.table.show_view(view)
        self.range.hide()
        self.values.hide()

    def show_range(self, view: RangeView) -> None:
        """Show a range beside the table."""
        self.name.setText(view.title)
        self.grid.show_grid(view.grid)
        self.grid.setAccessibleName(view.title)
        self.range.show()
