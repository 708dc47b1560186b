"""The charts of the odds window: their tabs, and what connects them to the question on screen."""

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QTabWidget

from engine.ranges import Range
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import RunState
from trainer.charts.board_hit_table import BoardPanel
from trainer.charts.category_bars import FinalHandsPanel
from trainer.charts.charts_model import COMPUTING, ChartsModel
from trainer.charts.class_equity_grid import HeatmapPanel
from trainer.charts.equity_graph import GraphPanel
from trainer.charts.next_card_map import NextCardPanel
from trainer.charts.panel import ChartPanel
from trainer.charts.street_equities import StreetsPanel
from trainer.theme import ThemeSource, set_text_factor

_TITLE_SIZE = 0.92


class ChartTabs(QObject):
    """Adds a tab for each chart, and keeps the charts those of the question that the odds on screen answer.

    Parameters
    ----------
    theme : ThemeSource
    odds : OddsModel
        The window's: what is asked, and what gets a range chosen in a chart.
    model : ChartsModel
    tabs : QTabWidget
        Gets the tabs, and is the parent of this object.
    """

    def __init__(self, theme: ThemeSource, odds: OddsModel, model: ChartsModel, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self._odds = odds
        self._was_busy = False
        self.model = model
        self.next_card = NextCardPanel(theme, model)
        self.final_hands = FinalHandsPanel(theme, model)
        self.board = BoardPanel(theme, model)
        self.graph = GraphPanel(theme, model)
        self.heatmap = HeatmapPanel(theme, model)
        self.streets = StreetsPanel(theme, model)
        self._fit_tabs(tabs)
        for panel in self.panels:
            tabs.addTab(panel, str(panel.chart))
        self.board.range_chosen.connect(self._on_range_chosen)
        odds.odds_changed.connect(self._on_odds_changed)
        odds.input_changed.connect(self._on_odds_changed)

    @property
    def panels(self) -> tuple[ChartPanel[Any], ...]:
        """All charts, in the order of their tabs."""
        return (self.next_card, self.final_hands, self.board, self.graph, self.heatmap, self.streets)

    def _fit_tabs(self, tabs: QTabWidget) -> None:
        """Show all titles at once, in slightly smaller letters, rather than some behind scroll buttons."""
        set_text_factor(tabs.tabBar(), _TITLE_SIZE, is_bold=False)
        tabs.setUsesScrollButtons(False)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)

    def stop(self) -> None:
        """Stop what is being computed and keep what is there."""
        self.model.stop()

    def _on_odds_changed(self) -> None:
        """Follow the odds: the charts begin when the first estimate of a question is there."""
        odds = self._odds
        if odds.run.state in (RunState.NOTHING, RunState.FAILED):
            self.model.set_question(None, (), odds.run_text())
        elif odds.run.is_stale:
            self.model.set_waiting()
        elif odds.answered is None:
            self.model.set_question(None, (), COMPUTING if odds.run.is_busy else odds.run_text())
        else:
            rows = [odds.row_of(player) for player in range(len(odds.answered.players))]
            names = [
                f"Player {player + 1}" if row is None else odds.entered.name_of(row)
                for player, row in enumerate(rows)
            ]
            self.model.set_question(odds.answered, names)
            if odds.run.state in (RunState.STOPPED, RunState.PAUSED):
                self.model.stop()
            elif odds.run.state is RunState.RUNNING or self._was_busy:
                self.model.resume()
        self._was_busy = odds.run.is_busy

    def _on_range_chosen(self, player: int, hands: Range) -> None:
        row = self._odds.row_of(player)
        if row is not None and self._odds.answered == self.model.question:
            self._odds.entry.set_player_range(row, hands)
