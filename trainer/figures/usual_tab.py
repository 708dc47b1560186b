"""The table of what a player does beside what is usual with the same hands, and the decisions of one spot."""

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSplitter, QVBoxLayout, QWidget

from trainer.figures.tendencies_model import COLUMNS, LISTED, LISTED_TIPS, TendenciesModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.text_field import ColouredLabel

_OF_SPOT = "The least usual first; Enter or a double click replays one."


class UsualTab(QWidget):
    """Shows what its model counts."""

    replay_requested = Signal(int, int, int)  # session in the store, number of the hand, events before the decision

    def __init__(self, theme: ThemeSource, model: TendenciesModel) -> None:
        super().__init__()
        self.model = model
        self.headline = ColouredLabel(theme, "text", wraps=True)
        self.headline.setAccessibleName("The clearest difference")
        self.spots = ColouredFigures(COLUMNS, theme, self)
        self.table = sorted_view(self.spots, "What the player does beside what is usual", 0)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.of_spot = ColouredLabel(theme, "text_muted", _OF_SPOT, wraps=True)
        self._listed = RowsModel(LISTED, self, LISTED_TIPS)
        self.decisions = make_table(self._listed, "Decisions of the spot", stretched=2)
        self._parts = QSplitter(Qt.Orientation.Horizontal)
        right = QWidget()
        tight(QVBoxLayout(right), self.of_spot, self.decisions).setStretch(1, 1)
        self._parts.addWidget(self.table)
        self._parts.addWidget(right)
        self._parts.setSizes([720, 380])
        self._parts.setChildrenCollapsible(False)
        layout = tight(QVBoxLayout(self), self.headline, self._parts)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setStretch(1, 1)
        model.changed.connect(self._on_changed)
        model.listed_changed.connect(self._on_listed)
        theme.changed.connect(self._on_changed)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.decisions.activated.connect(self._on_activated)

    def _on_changed(self) -> None:
        self.headline.setText(self.model.headline())
        selection = self.table.selectionModel()
        selection.blockSignals(True)
        self.spots.show_cells(self.model.rows())
        proxy = self.table.model()
        spots = [proxy.index(row, 0).data() for row in range(proxy.rowCount())]
        if self.model.spot in spots:
            self.table.selectRow(spots.index(self.model.spot))
        selection.blockSignals(False)
        self._parts.setVisible(bool(spots))

    def _on_chosen(self, selected: QItemSelection) -> None:
        if selected.indexes():
            self.model.choose(str(selected.indexes()[0].siblingAtColumn(0).data()))

    def _on_listed(self) -> None:
        self._listed.show_rows([one.cells for one in self.model.listed])

    def _on_activated(self, index: QModelIndex) -> None:
        one = self.model.listed[index.row()]
        self.replay_requested.emit(one.session_id, one.number, one.event)
