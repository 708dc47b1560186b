"""The table of what a player does beside what is usual with the same hands."""

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget

from trainer.figures.tendencies_model import COLUMNS, TendenciesModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.text_field import ColouredLabel


class UsualTab(QWidget):
    """Shows what its model counts."""

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
        tight(QVBoxLayout(self), self.headline, self.table).setContentsMargins(0, 6, 0, 0)
        model.changed.connect(self._on_changed)
        theme.changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        self.headline.setText(self.model.headline())
        self.spots.show_cells(self.model.rows())
        self.table.setVisible(bool(self.spots.cells))
