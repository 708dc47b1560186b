"""The dealer on its lane: one job at a time, and what may be asked of it between two jobs."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from engine.game.events import Action, Chips, Seat
from engine.game.formats import GameConfig
from engine.play import Dealer, DealerError
from trainer.jobs import Job, Jobs
from trainer.session.playing_on import TakenUpHand, take_up
from trainer.session.recorded_dealer import RecordedDealer, Step
from trainer.session.resuming import Restored, restore
from trainer.session.types import ChipSentence, SessionResult
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession

LANE = "bot"


class DealerJobs(QObject):
    """Moves a session on in the worker."""

    begun = Signal(object)  # RecordedDealer
    restored = Signal(object)  # Restored
    stepped = Signal(object)  # Step: its notices are for `tell`
    failed = Signal()  # a job came to nothing; its notice said why
    notice = Signal(object)  # str or ChipSentence
    storing_changed = Signal(str)  # `why_not_stored`, whenever it changes
    progressed = Signal(str)  # what takes a moment just now; "" when it is done

    def __init__(self, jobs: Jobs, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._table: RecordedDealer | None = None
        self._job: Job | None = None
        self._why_not_stored = store.file.why_not_stored

    @property
    def is_open(self) -> bool:
        """Whether there is a dealer."""
        return self._table is not None

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way, and the dealer not to be asked."""
        return self._job is not None

    @property
    def dealer(self) -> Dealer:
        """The dealer of an open session."""
        return self._opened().dealer

    @property
    def session_id(self) -> int | None:
        """Number of the session in the store; None if it is not stored."""
        return self._table.record.session_id if self._table is not None else None

    @property
    def hand_id(self) -> int | None:
        """Number in the store of the hand on the table; None if it is not stored."""
        return self._opened().record.hand_id

    @property
    def why_not_stored(self) -> str:
        """Why this session is not stored, in one sentence, or "" while it is or was never meant to be."""
        return self._store.file.why_not_stored or (self._table.record.why_not_stored if self._table else "")

    def begin(self, config: GameConfig, started: datetime, hero: Seat) -> None:
        """Open a new session."""
        store = self._store
        self._submit(lambda: RecordedDealer.begin(config, store, started, hero), self._on_begun)

    def restore(self, stored: StoredSession, hero: Seat, reader: str) -> None:
        """Go on with a stored session; `reader` is the name of the player's reader."""
        store = self._store
        self._submit(lambda: restore(stored, store, hero, reader), self._on_restoring)

    def take_up(self, hand: TakenUpHand, hero: Seat) -> None:
        """Play a finished hand on from one of its moments."""
        store = self._store
        self._submit(lambda: take_up(hand, store, hero), self._on_restoring)

    def deal(self) -> None:
        """Deal the next hand."""
        self._submit(self._opened().deal, self._on_step)

    def act(self, action: Action, seen: int) -> None:
        """Take the player's action; `seen` events of the hand are known already."""
        table = self._opened()
        self._submit(lambda: table.act(action, seen), self._on_step)

    def think(self, seen: int) -> None:
        """Let the bot whose turn it is act; `seen` events of the hand are known already."""
        table = self._opened()
        self._submit(lambda: table.think(seen), self._on_step)

    def when_free(self, call: Callable[[], None]) -> None:
        """Call back after what the lane is still at: until then the dealer is not this thread's to ask."""

        def on_free(_nothing: None) -> None:
            self._job = None
            call()

        self._submit(lambda: None, on_free)

    def cancel(self) -> None:
        """Wait for no answer any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    # Between two jobs

    def top_up(self, chips: Chips) -> None:
        """Buy chips for the player, and say so, or why not."""
        table = self._opened()
        try:
            notices = table.top_up(chips)
        except DealerError as error:
            self.notice.emit(str(error))
            return
        stack = table.dealer.stacks[table.hero]
        self.notice.emit(ChipSentence("You bought {0} and begin the next hand with {1}.", (chips, stack)))
        self.tell(notices)

    def set_salt(self, salt: str) -> None:
        """Let the player's salt, which is one, enter the next shuffle."""
        self.tell(self._opened().set_salt(salt))

    def finish(self, result: SessionResult) -> None:
        """Store the session's result."""
        self.tell(self._opened().finish(result))

    def tell(self, notices: Sequence[str]) -> None:
        """Pass on what happened while the game was moved on and stored."""
        for sentence in notices:
            self.notice.emit(sentence)
        if self.why_not_stored != self._why_not_stored:
            self._why_not_stored = self.why_not_stored
            self.storing_changed.emit(self._why_not_stored)

    # What comes back from the lane

    def _submit(self, work: Callable[[], object], on_result: Callable[..., None]) -> None:
        self._job = self._jobs.submit(LANE, work, on_result, on_error=self._on_error)

    def _on_begun(self, table: RecordedDealer) -> None:
        self._job, self._table = None, table
        self.begun.emit(table)

    def _on_restoring(self, news: str | Restored) -> None:
        if isinstance(news, str):
            self.progressed.emit(news)
            return
        self.progressed.emit("")
        self._job, self._table = None, news.table
        self.restored.emit(news)

    def _on_step(self, step: Step) -> None:
        self._job = None
        self.stepped.emit(step)

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.progressed.emit("")
        self.notice.emit(str(error))
        self.failed.emit()

    def _opened(self) -> RecordedDealer:
        assert self._table is not None
        return self._table
