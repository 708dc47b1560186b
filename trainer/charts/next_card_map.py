"""The next card: what each card that may come does to everybody's equity, as a map of 13 ranks by four suits."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton

from engine.cards import Card
from trainer.charts.cell_map import CellMap, MapLegend
from trainer.charts.chart_values import CARD_ORDER, NextCardView
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel, ChartTable
from trainer.theme import ThemeSource
from trainer.widgets.text_field import ShortenedLabel

_RANKS = 13
_HINT = "Point at a card, or walk with the arrow keys"


class NextCardPanel(ChartPanel[NextCardView]):
    """The map, and below it everybody's equity with the card pointed at.

    On a flop a click on a turn card shows the river cards after it.
    """

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, NextCardView, has_players=True)
        self.back = QToolButton(autoRaise=True)
        self.trail = ShortenedLabel(theme)
        self.map = CellMap(theme, "Next card", _RANKS, tallest=1.7, can_turn=True)
        self.legend = MapLegend(theme)
        self.detail = ShortenedLabel(theme)
        self.table = ChartTable(theme, ("Player", ">Now", ">Then", ">Change"), "Equity with the card")
        self.back.setAccessibleName("Back to the turn cards")
        self.back.setToolTip("Back to the turn cards (Backspace)")
        self.back.clicked.connect(model.close_card)
        self.top.addSpacing(self.fontMetrics().height())
        self.top.addWidget(self.back)
        self.top.addWidget(self.trail, 1)
        self.content.addWidget(self.map, 3)
        self.content.addWidget(self.legend)
        self.content.addWidget(self.detail)
        self.content.addWidget(self.table, 2)
        self.table.setMinimumHeight(self.table.height_of_rows(2))
        self.map.cell_hovered.connect(self._on_cell_hovered)
        self.map.cell_activated.connect(self._on_cell_activated)
        QShortcut(
            QKeySequence(Qt.Key.Key_Backspace),
            self.map,
            model.close_card,
            context=Qt.ShortcutContext.WidgetShortcut,
        )

    def refresh(self, view: NextCardView, *, is_faint: bool) -> None:
        self._show_trail()
        self.map.show_cells(view.map.cells, is_faint=is_faint)
        self.legend.show_view(view.map)
        self._on_cell_hovered(self.map.current)

    def _show_trail(self) -> None:
        trail = self.model.trail
        is_deep = len(trail) > 1
        self.back.setText(f"‹ {trail[0]}" if is_deep else "")
        self.back.setVisible(is_deep)
        if is_deep:
            text = f"{trail[1]}: river cards"
        elif self.model.can_open:
            text = "Turn cards: click one for its river cards"
        else:
            text = "River cards" if trail else ""
        self.trail.setText(text)

    def _on_cell_hovered(self, cell: int | None) -> None:
        if self.view is None:
            return
        cells = self.view.map.cells
        card = None if cell is None or cells[cell].level is None else CARD_ORDER[cell]
        self.table.show_rows(self.view.rows(card), is_faint=self.is_faint)
        # Before the colon is the card and its chance; the equities stand in the table.
        self.detail.setText(_HINT if cell is None else cells[cell].text.partition(":")[0])

    def _on_cell_activated(self, cell: int) -> None:
        card: Card = CARD_ORDER[cell]
        self.model.open_card(card)
