"""The table of what a player did and won over time."""

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from trainer.figures.figure_tables import PERIOD_COLUMNS
from trainer.figures.over_time_model import OverTimeModel, Period
from trainer.theme import ThemeSource
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.text_field import ColouredLabel

_NAMES = {Period.SESSION: "Session", Period.DAY: "Day", Period.MONTH: "Month"}


class OverTimeTab(QWidget):
    """Shows what its model sums up."""

    span_chosen = Signal(object)  # FiguresFilter

    def __init__(self, theme: ThemeSource, model: OverTimeModel) -> None:
        super().__init__()
        self.model = model
        self.headline = ColouredLabel(theme, "text", wraps=True)
        self.headline.setAccessibleName("Whether mistakes become fewer")
        self.period = QComboBox()
        for period, name in _NAMES.items():
            self.period.addItem(name, period)
        self.rows = ColouredFigures(PERIOD_COLUMNS, theme, self)
        self.table = sorted_view(self.rows, "Figures over time", 0)
        self.table.setToolTip("Enter or a double click shows these hands alone, here and in the other tabs")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        above = tight(QHBoxLayout(), label_of(self.period, "&By"), self.period, self.headline)
        above.setStretch(2, 1)
        layout = tight(QVBoxLayout(self), above, self.table)
        layout.setContentsMargins(0, 6, 0, 0)
        model.changed.connect(self._on_changed)
        theme.changed.connect(self._on_changed)
        self.period.activated.connect(lambda: model.choose(Period(self.period.currentData())))
        self.table.activated.connect(self._on_activated)

    def _on_changed(self) -> None:
        self.headline.setText(self.model.summed.headline)
        self.rows.show_cells(self.model.summed.rows)

    def _on_activated(self, index: QModelIndex) -> None:
        source = self.table.model().mapToSource(index)  # type: ignore[attr-defined]
        self.span_chosen.emit(self.model.summed.spans[source.row()])
