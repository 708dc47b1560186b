"""What the person won with each starting hand: a table, the map of all classes, and the hands of one."""

from PySide6.QtCore import QItemSelection, QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget

from engine.cards import HandClass, class_name
from trainer.charts.cell_map import CellMap, MapLegend
from trainer.figures.figure_tables import CLASS_COLUMNS
from trainer.figures.starting_hands_model import LISTED, StartingHandsModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import side_by_side, tight
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel

_SIDE = 13
_HINT = "Pale: it may be chance. Point at a hand, or walk with the arrow keys; a click or Enter lists its hands."
_HANDS = 1  # page


class StartingHandsTab(QWidget):
    """Shows what its model sums up."""

    replay_requested = Signal(int, int)  # session in the store, number of the hand

    def __init__(self, theme: ThemeSource, model: StartingHandsModel) -> None:
        super().__init__()
        self.model = model
        self.headline = ColouredLabel(theme, "text", wraps=True)
        self.headline.setAccessibleName("What starting hands win")
        self.classes = ColouredFigures(CLASS_COLUMNS, theme, self)
        self.table = sorted_view(self.classes, "Figures by starting hand", 0)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.map = CellMap(theme, "What each starting hand wins above folding", _SIDE)
        self.legend = MapLegend(theme)
        self.detail = ColouredLabel(theme, "text_muted", _HINT, wraps=True)
        self.about_listed = ColouredLabel(theme, "text_muted", wraps=True)
        self._listed = RowsModel(LISTED, self)
        self.hands = make_table(self._listed, "Hands of the starting hand", stretched=2)
        self.pages = Tabs(is_document=True)
        in_map, in_list = QWidget(), QWidget()
        tight(QVBoxLayout(in_map), self.map, self.legend, self.detail).setStretch(0, 1)
        tight(QVBoxLayout(in_list), self.about_listed, self.hands).setStretch(1, 1)
        self.pages.addTab(in_map, "Map")
        self.pages.addTab(in_list, "Hands")
        self._parts = side_by_side(self.table, self.pages, (720, 430))
        layout = tight(QVBoxLayout(self), self.headline, self._parts)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setStretch(1, 1)
        model.changed.connect(self._on_changed)
        model.listed_changed.connect(self._on_listed)
        theme.changed.connect(self._on_changed)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.table.activated.connect(lambda _index: self._show_hands())
        self.hands.activated.connect(self._on_activated)
        self.map.cell_hovered.connect(self._on_cell)
        self.map.cell_activated.connect(self._on_cell_activated)
        self._on_changed()

    def _on_changed(self) -> None:
        view = self.model.view()
        self.headline.setText(self.model.headline())
        selection = self.table.selectionModel()
        selection.blockSignals(True)
        self.classes.show_cells(self.model.rows())
        self._select_chosen()
        selection.blockSignals(False)
        if view is not None:
            self.map.show_cells(view.cells)
            self.legend.show_view(view)
        self._parts.setVisible(view is not None)
        self._on_cell(self.map.current)

    def _select_chosen(self) -> None:
        proxy = self.table.model()
        names = [proxy.index(row, 0).data() for row in range(proxy.rowCount())]
        if self.model.hand_class is not None and class_name(self.model.hand_class) in names:
            self.table.selectRow(names.index(class_name(self.model.hand_class)))

    def _on_chosen(self, selected: QItemSelection) -> None:
        if selected.indexes():
            source = self.table.model().mapToSource(selected.indexes()[0])  # type: ignore[attr-defined]
            summed = self.model.summed
            if summed is not None:
                self.model.choose(list(summed.figures)[source.row()])

    def _on_cell(self, cell: int | None) -> None:
        self.detail.setText(_HINT if cell is None else self.map.describe(cell))

    def _on_cell_activated(self, cell: int) -> None:
        self.model.choose(HandClass(cell))
        self._select_chosen()
        self._show_hands()

    def _show_hands(self) -> None:
        self.pages.setCurrentIndex(_HANDS)
        self.hands.setFocus()

    def _on_listed(self) -> None:
        self.about_listed.setText(self.model.about_listed())
        self._listed.show_rows(self.model.listed_cells())

    def _on_activated(self, index: QModelIndex) -> None:
        one = self.model.listed[index.row()]
        self.replay_requested.emit(one.session_id, one.number)
