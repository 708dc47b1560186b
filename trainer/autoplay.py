"""Runs without a player: hands that play themselves through the real window, and screenshots of it."""

import sys
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QApplication, QWidget

from engine.agents.agent import Decision
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from engine.words import counted
from trainer.jobs import Jobs
from trainer.session.dealer_jobs import LANE
from trainer.session.session import Session
from trainer.session.types import FinishedHand, SessionResult, Stage, TableView

_QUIET_MILLISECONDS = 50
_STALL_MILLISECONDS = 5_000


class _PlayedApp(Protocol):
    """What a run without a player needs of the app."""

    has_failed: bool

    @property
    def ready(self) -> SignalInstance: ...
    @property
    def failed(self) -> SignalInstance: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def session(self) -> Session | None: ...
    @property
    def window(self) -> QWidget: ...
    def begin(self, config: GameConfig) -> None: ...
    def notices(self) -> list[str]: ...


class Autoplay(QObject):
    """Plays the player's seat by a simple rule-based style and deals on, so many hands; then finishes.

    The style is `engine.agents.styles.AUTOPLAY_STYLE`. Its decisions depend on the seed and the observation alone,
    so the same seed gives the same session. Who runs out of chips buys in again.
    """

    finished = Signal(object)  # SessionResult

    def __init__(self, app: _PlayedApp, config: GameConfig, hands: int, pace_seconds: float = 0.0) -> None:
        super().__init__()
        self._app = app
        self._config = config
        self._hands = hands
        self._pace_seconds = pace_seconds
        self._played = 0

    def start(self) -> None:
        """Begin the session."""
        self._app.begin(self._config)
        session = self._app.session
        assert session is not None
        session.set_pace(self._pace_seconds)
        session.automatic.want(False)
        session.view_changed.connect(self._on_view)
        session.hand_finished.connect(self._on_hand_finished)
        session.session_finished.connect(self.finished)

    def _on_view(self, view: TableView) -> None:
        if view.stage == Stage.YOUR_TURN:
            observation, seed = view.own, self._config.seed
            self._app.jobs.submit(LANE, lambda: _decide(observation, seed), self._on_decided)

    def _on_decided(self, decision: Decision) -> None:
        assert self._app.session is not None
        self._app.session.act(decision.action)

    def _on_hand_finished(self, _hand: FinishedHand) -> None:
        self._played += 1
        QTimer.singleShot(0, self, self._go_on)

    def _go_on(self) -> None:
        session = self._app.session
        assert session is not None
        if session.stage == Stage.SESSION_OVER:
            return
        if self._played >= self._hands:
            session.finish()
            return
        results = session.results()
        if results is not None and results.stacks[session.hero] == 0:
            session.rebuy()
        session.deal()


def _decide(observation: Observation, seed: int) -> Decision:
    from engine.agents.styles import AUTOPLAY_STYLE, make_agent

    moment = [seed, observation.hand_number, len(observation.events)]
    words = np.random.SeedSequence(moment).generate_state(1, np.uint64)
    return make_agent(AUTOPLAY_STYLE).decide(observation, int(words[0] >> np.uint64(1)))


class AutoplayRun(QObject):
    """`--autoplay`: plays, waits for the last reading, takes the screenshot, prints the stacks, leaves."""

    def __init__(self, app: _PlayedApp, config: GameConfig, hands: int, screenshot: Path | None) -> None:
        super().__init__()
        self.code = 1  # exit code, once the event loop has ended
        self._app = app
        self._screenshot = screenshot
        self._result: SessionResult | None = None
        self._progress: tuple[int, int] | None = None
        self._autoplay = Autoplay(app, config, hands)
        self._autoplay.finished.connect(self._on_finished)
        self._quiet = QTimer(self, interval=_QUIET_MILLISECONDS)
        self._quiet.timeout.connect(self._on_quiet)
        self._watch = QTimer(self, interval=_STALL_MILLISECONDS)
        self._watch.timeout.connect(self._on_watch)
        app.ready.connect(self._on_ready)
        app.failed.connect(self._give_up)

    def _on_ready(self) -> None:
        for sentence in self._app.notices():
            _tell(sentence)
        self._autoplay.start()
        assert self._app.session is not None
        self._app.session.notice.connect(_tell)
        self._watch.start()

    def _on_watch(self) -> None:
        """Give up when nothing is being worked on and nothing has happened since the last look."""
        session = self._app.session
        progress = session.progress if session is not None and self._app.jobs.is_idle(LANE) else None
        if progress is not None and progress == self._progress:
            self._give_up("The session came to a halt.")
        self._progress = progress

    def _give_up(self, sentence: str) -> None:
        _tell(sentence)
        QApplication.quit()

    def _on_finished(self, result: SessionResult) -> None:
        self._watch.stop()
        self._result = result
        self._quiet.start()

    def _on_quiet(self) -> None:
        if self._app.session is not None and not self._app.session.readings.is_idle:
            return
        self._quiet.stop()
        self.code = self._report() if _save_screenshot(self._app, self._screenshot) else 1
        QApplication.quit()

    def _report(self) -> int:
        result = self._result
        assert result is not None
        for seat, stack in result.stacks.items():
            sys.stdout.write(f"seat {seat + 1:2d}  {result.names[seat]:24s} {stack:12d}\n")
        total, bought_in = sum(result.stacks.values()), sum(result.bought_in.values())
        sys.stdout.write(f"{counted(result.hands, 'hand')}; sum of stacks {total}, chips bought in {bought_in}\n")
        return 0 if total == bought_in and not self._app.has_failed else 1


class ScreenshotRun(QObject):
    """`--screenshot` alone: takes a screenshot of the window as it opens, and leaves."""

    def __init__(self, app: _PlayedApp, screenshot: Path) -> None:
        super().__init__()
        self.code = 1  # exit code, once the event loop has ended
        self._app = app
        self._screenshot = screenshot
        app.ready.connect(self._take)
        app.failed.connect(self._take)

    def _take(self) -> None:
        self.code = 0 if _save_screenshot(self._app, self._screenshot) else 1
        QApplication.quit()


def _save_screenshot(app: _PlayedApp, path: Path | None) -> bool:
    """Save a screenshot of the window, if a path is given, and return whether nothing went wrong."""
    if path is None or app.window.grab().save(str(path)):
        return True
    _tell(f"The picture {path} could not be saved; it needs an existing folder and a name such as play.png.")
    return False


def _tell(sentence: str) -> None:
    sys.stderr.write(f"soulread: {sentence}\n")
