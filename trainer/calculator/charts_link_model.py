"""Keeps the charts those of the question that the odds on screen answer."""

from PySide6.QtCore import QObject

from engine.ranges import Range
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import RunState
from trainer.charts.charts_model import COMPUTING, ChartsModel


class ChartsLink(QObject):
    """Hands the odds' question to the charts, and a range chosen in a chart to the odds."""

    def __init__(self, odds: OddsModel, charts: ChartsModel) -> None:
        super().__init__()
        self._odds = odds
        self._charts = charts
        self._was_busy = False
        odds.odds_changed.connect(self._on_changed)
        odds.input_changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        """Follow the odds: the charts begin when the first estimate of a question is there."""
        odds = self._odds
        if odds.run.state in (RunState.NOTHING, RunState.FAILED):
            self._charts.set_question(None, (), odds.run_text())
        elif odds.run.is_stale:
            self._charts.set_waiting()
        elif odds.answered is None:
            self._charts.set_question(None, (), COMPUTING if odds.run.is_busy else odds.run_text())
        else:
            rows = [odds.row_of(player) for player in range(len(odds.answered.players))]
            names = [
                f"Player {player + 1}" if row is None else odds.entered.name_of(row)
                for player, row in enumerate(rows)
            ]
            self._charts.set_question(odds.answered, names)
            if odds.run.state in (RunState.STOPPED, RunState.PAUSED):
                self._charts.stop()
            elif odds.run.state is RunState.RUNNING or self._was_busy:
                self._charts.resume()
        self._was_busy = odds.run.is_busy

    def take_range(self, player: int, hands: Range) -> None:
        """Leave a player the part of a range chosen in a chart, if that is still of the odds on screen."""
        row = self._odds.row_of(player)
        if row is not None and self._odds.answered == self._charts.question:
            self._odds.entry.set_player_range(row, hands)
