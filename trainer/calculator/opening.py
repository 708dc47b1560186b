"""Opens the odds calculator from anywhere, with what was asked about, and brings it to the front."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engine.agents.agent import Trace
from engine.game.observation import HandView
from trainer.calculator.opening_model import (
    NOBODY_LEFT,
    OddsOpening,
    SealedError,
    observation_of,
    opening_of_decision,
    opening_of_point,
    opening_of_range,
    shown_at,
)
from trainer.history.log_model import LogMoment
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.reading.range_model import RangeAsked
from trainer.session.looked_at import LookedAt
from trainer.session.types import PointRanges
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.calculator.window import OddsWindow


class OddsOpener(WindowOpener):
    """Owns the one calculator window."""

    refused = Signal(str)  # why there is nothing to open, one sentence

    def __init__(
        self,
        theme: ThemeSource,
        settings: SettingsFile,
        jobs: Jobs,
        library: RangeLibrary,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self._library = library
        self._looked_at: LookedAt | None = None
        self._awaited: tuple[LogMoment, HandView] | None = None
        self.window: OddsWindow | None = None

    def follow(self, looked_at: LookedAt) -> None:
        """Take the hand that questions are about, with whoever reads it and its secrets."""
        self._looked_at = looked_at
        looked_at.looked_up.connect(self._on_looked_up)
        looked_at.hand_changed.connect(self._on_hand_changed)

    def _on_hand_changed(self) -> None:
        self._awaited = None

    @Slot()
    def open(self) -> "OddsWindow":
        """Bring the calculator to the front as it is."""
        from trainer.calculator.window import OddsWindow

        if self.window is None:
            self.window = OddsWindow(self._theme, self._jobs, self._settings, self._library)
            self.window.ranges.editor.model.ranking_changed.connect(self._on_ranking_changed)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("odds"))
            self.window.set_four_colours(self._settings.settings.four_colours)
        bring_up(self.window)
        return self.window

    def _on_ranking_changed(self, opponents: int) -> None:
        self._settings.change(range_ranking=opponents)

    @Slot(object)
    def open_with(self, opening: OddsOpening | None) -> None:
        """Bring the calculator to the front with a question; refuse if there is none."""
        self._awaited = None
        if opening is None:
            self.refused.emit(NOBODY_LEFT)
            return
        unit = opening.big_blind if self._settings.settings.big_blinds else 1
        self.open().model.entry.set_question(
            opening.players,
            opening.board,
            names=opening.names,
            pot=None if opening.pot is None else opening.pot / unit,
            to_call=None if opening.to_call is None else opening.to_call / unit,
            folded=opening.folded,
        )

    @Slot(object)
    def open_range(self, asked: RangeAsked) -> None:
        self.open_with(opening_of_range(asked))

    @Slot(object)
    def open_point(self, point: PointRanges) -> None:
        """Ask about a point of the hand looked at."""
        looked_at = self._looked_at
        revealed = {}
        if looked_at is not None and looked_at.progress[0] == point.hand_number:
            revealed = looked_at.revealed()
        self.open_with(opening_of_point(point, revealed=revealed))

    @Slot(object)
    def open_decision(self, trace: Trace) -> None:
        """Ask about a bot's decision as the bot saw it, if the player may look into it."""
        try:
            opening = opening_of_decision(
                trace, self._looked_at.open_traces() if self._looked_at is not None else ()
            )
        except SealedError as error:
            self.refused.emit(str(error))
        else:
            self.open_with(opening)

    @Slot(object)
    def open_moment(self, moment: LogMoment) -> None:
        """Ask about a line of the log, once its moment has been read."""
        observation = observation_of(moment)
        if observation is None or self._looked_at is None:
            self.refused.emit("There is nothing to count odds of before the blinds are posted.")
            return
        self._awaited = moment, observation
        self._looked_at.look_up(observation)

    def _on_looked_up(self, point: PointRanges) -> None:
        if self._awaited is None:
            return
        moment, observation = self._awaited
        if observation.events == point.observation.events:  # else a later question is on its way
            self.open_with(opening_of_point(point, shown_at(moment)))

    def set_four_colours(self, is_on: bool) -> None:
        if self.window is not None:
            self.window.set_four_colours(is_on)
