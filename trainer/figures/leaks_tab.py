"""Leaks over all reviewed hands, and the decisions of one, or those that cost most."""

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from trainer.figures.leaks_model import LISTED, LISTED_TIPS, LeaksModel
from trainer.review.review_model import LEAK_HEADINGS, LEAK_TIPS
from trainer.theme import ThemeSource
from trainer.widgets.layouts import side_by_side, tight
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.text_field import ColouredLabel

_NO_LEAKS = "No kind of decision costs clearly more than nothing yet; more reviewed hands tell more."


class LeaksTab(QWidget):
    """Shows what its model reads."""

    replay_requested = Signal(int, int, int)  # session in the store, number of the hand, events before the decision

    def __init__(self, theme: ThemeSource, model: LeaksModel) -> None:
        super().__init__()
        self.model = model
        self.headline = ColouredLabel(theme, "text", wraps=True)
        self.headline.setAccessibleName("How good the decisions were")
        self.no_leaks = ColouredLabel(theme, "text_muted", _NO_LEAKS, wraps=True)
        self._leaks = RowsModel(LEAK_HEADINGS, self, LEAK_TIPS)
        self.leaks = make_table(self._leaks, "Leaks", stretched=0)
        self.leaks.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.about_listed = ColouredLabel(theme, "text_muted", wraps=True)
        self.all_decisions = QPushButton("All &decisions")
        self._listed = RowsModel(LISTED, self, LISTED_TIPS)
        self.decisions = make_table(self._listed, "Decisions", stretched=LISTED.index("Board"))
        left, right = QWidget(), QWidget()
        tight(QVBoxLayout(left), self.no_leaks, self.leaks).setStretch(1, 1)
        above = tight(QHBoxLayout(), self.about_listed, self.all_decisions)
        above.setStretch(0, 1)
        tight(QVBoxLayout(right), above, self.decisions).setStretch(1, 1)
        self._parts = side_by_side(left, right, (560, 620))
        layout = tight(QVBoxLayout(self), self.headline, self._parts)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setStretch(1, 1)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        model.changed.connect(self._on_changed)
        self.leaks.selectionModel().selectionChanged.connect(self._on_chosen)
        self.all_decisions.clicked.connect(self._on_all)
        self.decisions.activated.connect(self._on_activated)
        self._on_changed()

    def _on_changed(self) -> None:
        model, leaks = self.model, self.model.leaks()
        self.headline.setText(model.headline())
        chosen = self.leaks.currentIndex().row() if model.leak else -1
        selection = self.leaks.selectionModel()
        selection.blockSignals(True)
        self._leaks.show_rows(leaks)
        if chosen >= 0:
            self.leaks.selectRow(chosen)
        selection.blockSignals(False)
        self._parts.setVisible(bool(leaks or model.listed))
        self.leaks.setVisible(bool(leaks))
        self.no_leaks.setVisible(not leaks)
        self.about_listed.setText(model.about_listed())
        self.all_decisions.setVisible(bool(model.leak))
        self._listed.show_rows(model.listed_cells())

    def _on_chosen(self, selected: QItemSelection) -> None:
        review = self.model.reviewed.review
        if selected.indexes() and review is not None:
            self.model.choose(review.leaks[selected.indexes()[0].row()].spot)

    def _on_all(self) -> None:
        self.leaks.clearSelection()
        self.model.choose(())

    def _on_activated(self, index: QModelIndex) -> None:
        one = self.model.listed[index.row()]
        self.replay_requested.emit(one.session_id, *one.row.place)
