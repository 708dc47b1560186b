"""A person without a mind, for sessions in tests: checks, calls what is cheap, folds the rest, deals on."""

import os
import signal
import sys
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from engine.game.events import CALL, CHECK, FOLD, Action, ActionTaken, PublicEvent
from engine.game.format_file import cash_game
from engine.game.formats import GameConfig, SeatConfig
from engine.game.observation import Observation
from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.session.types import FinishedHand, SessionResult, Stage, TableView
from trainer.storage.store import Store

STARTED = datetime(2024, 5, 17, 20, 15)


def table(*styles: str, seed: int = 11) -> GameConfig:
    """A cash game with the person at seat 1 and bots of the given styles around."""
    bots = [SeatConfig(f"Bot {at}", style) for at, style in enumerate(styles)]
    return cash_game((bots[0], SeatConfig("You", "human"), *bots[1:]), seed=seed)


KILLED_GAME = table("fold", "loose-aggressive", "calling station", seed=5)


def answer(observation: Observation) -> Action:
    legal = observation.legal
    assert legal is not None
    if legal.can_check:
        return CHECK
    return CALL if legal.call_amount <= observation.me.stack // 10 else FOLD


class EventsShown(QObject):
    """Every public event of a session, in order, when a view first shows it."""

    event_shown = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._known = (0, 0)
        session.view_changed.connect(self._on_view)

    def _on_view(self, view: TableView) -> None:
        number, events = view.observation.hand_number, view.observation.events
        known = self._known[1] if self._known[0] == number else 0
        self._known = (number, len(events))
        for event in events[known:]:
            self.event_shown.emit(event)


class Player(QObject):
    """Plays a session's seat; `on_turn` may do something else first and tell by True that it did."""

    done = Signal()

    def __init__(self, session: Session, hands: int) -> None:
        super().__init__()
        self.session = session
        self.hands: list[FinishedHand] = []
        self.views: list[TableView] = []
        self.events: list[PublicEvent] = []
        self.notices: list[str] = []
        self.results: list[SessionResult] = []
        self.turns = 0
        self.kill_at_turn: int | None = None
        self._wanted = hands
        EventsShown(session).event_shown.connect(self.events.append)
        session.view_changed.connect(self._on_view)
        session.notice.connect(self.notices.append)
        session.hand_finished.connect(self._on_hand)
        session.session_finished.connect(self.results.append)

    def _on_view(self, view: TableView) -> None:
        self.views.append(view)
        if view.stage == Stage.YOUR_TURN:
            self.turns += 1
            if self.turns == self.kill_at_turn:
                os.kill(os.getpid(), signal.SIGKILL)
            self.session.act(answer(view.observation))

    def _on_hand(self, hand: FinishedHand) -> None:
        self.hands.append(hand)
        QTimer.singleShot(0, self, self._go_on)

    def _go_on(self) -> None:
        if len(self.hands) < self._wanted and self.session.stage != Stage.SESSION_OVER:
            self.session.deal()
        else:
            self.done.emit()


def tell(session: Session, event: PublicEvent) -> None:
    """Write an action down as soon as it is shown."""
    if isinstance(event, ActionTaken):
        sys.stdout.write(f"{session.progress[0]} {event.action.kind}\n")
        sys.stdout.flush()


def overwrite(store: Store, path: Path) -> None:
    """Lose all that a store's file has, while the store has it open."""
    store.file.read(lambda database: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
    with path.open("r+b") as file:
        file.write(b"\xa5" * path.stat().st_size)
    store.file.read(lambda database: database.execute("PRAGMA shrink_memory").fetchall())


if __name__ == "__main__":  # plays until it kills itself at the given turn
    application = QCoreApplication([])
    session = Session(Jobs(), Store(Path(sys.argv[1])))
    if "tell" in sys.argv:
        EventsShown(session).event_shown.connect(lambda event: tell(session, event))
    player = Player(session, 100)
    player.kill_at_turn = int(sys.argv[2])
    session.begin(KILLED_GAME, STARTED)
    QTimer.singleShot(100_000, application.quit)
    application.exec()
