"""The table of what a player does beside what is usual with the same hands, and the hands of one spot."""

from PySide6.QtCore import QItemSelection, QModelIndex, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HandClass
from trainer.figures.tendencies_model import COLUMNS, LISTED, LISTED_TIPS, TendenciesModel
from trainer.theme import ThemeSource
from trainer.widgets.action_grid import ActionGrid
from trainer.widgets.check_box import CheckBox
from trainer.widgets.layouts import side_by_side, tight
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel

_HINT = "Point at a hand, or walk with the arrow keys. A click or Enter lists its decisions."
_DECISIONS = 1  # page


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
        header.setStretchLastSection(True)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.grid = ActionGrid(theme)
        self.grid.setAccessibleName("What was done with each hand")
        self.detail = ColouredLabel(theme, "text_muted", _HINT, wraps=True)
        self.is_usual = CheckBox("What is &usual")
        self.is_usual.setToolTip("Fill the cells with what players usually do with these hands")
        self.about_listed = ColouredLabel(theme, "text_muted", wraps=True)
        self.all_hands = QPushButton("All &hands")
        self._listed = RowsModel(LISTED, self, LISTED_TIPS)
        self.decisions = make_table(self._listed, "Decisions of the spot", stretched=2)
        self.pages = Tabs(is_document=True)
        hands, decisions = QWidget(), QWidget()
        below = tight(QHBoxLayout(), self.detail, self.is_usual)
        below.setStretch(0, 1)
        tight(QVBoxLayout(hands), self.grid, below).setStretch(0, 1)
        above = tight(QHBoxLayout(), self.about_listed, self.all_hands)
        above.setStretch(0, 1)
        tight(QVBoxLayout(decisions), above, self.decisions).setStretch(1, 1)
        self.pages.addTab(hands, "Hands")
        self.pages.addTab(decisions, "Decisions")
        self._parts = side_by_side(self.table, self.pages, (770, 380))
        layout = tight(QVBoxLayout(self), self.headline, self._parts)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setStretch(1, 1)
        model.changed.connect(self._on_changed)
        model.listed_changed.connect(self._on_listed)
        theme.changed.connect(self._on_changed)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.decisions.activated.connect(self._on_activated)
        self.grid.cell_hovered.connect(self._on_cell)
        self.grid.cell_activated.connect(self._on_cell_activated)
        self.is_usual.toggled.connect(self._on_is_usual)
        self.all_hands.clicked.connect(lambda: self.model.choose_class(None))

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
        self._show_hands()

    def _on_chosen(self, selected: QItemSelection) -> None:
        if selected.indexes():
            self.model.choose(str(selected.indexes()[0].siblingAtColumn(0).data()))
            self._show_hands()

    def _show_hands(self) -> None:
        self.grid.show_view(self.model.view())
        self._on_cell(self.grid.current)

    def _on_is_usual(self, is_usual: bool) -> None:
        self.model.is_usual = is_usual
        self._show_hands()

    def _on_cell(self, cell: int | None) -> None:
        self.detail.setText(_HINT if cell is None else self.grid.describe(cell))

    def _on_cell_activated(self, cell: int) -> None:
        self.model.choose_class(HandClass(cell))
        self.pages.setCurrentIndex(_DECISIONS)
        self.decisions.setFocus()

    def _on_listed(self) -> None:
        self.about_listed.setText(self.model.about_listed())
        self.all_hands.setVisible(self.model.hand_class is not None)
        self._listed.show_rows([one.cells for one in self.model.listed])

    def _on_activated(self, index: QModelIndex) -> None:
        one = self.model.listed[index.row()]
        self.replay_requested.emit(one.session_id, one.number, one.event)
