"""The hand that the panels show: the one on the table, or an earlier one of any session.

Earlier hands are finished ones, as the person's seat saw them, so nothing hidden of the running hand is among them.
What is stored is read in a lane when it is asked for. Ranges and win rates are those that the panels had at the
time; where they are not kept any more, a reader that has learned the hands before and no later one reads them anew.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.agents.agent import Trace
from engine.cards import HoleCards
from engine.codec import StoredDataError, decode, encode
from engine.game.events import Seat
from engine.game.formats import GameConfig
from engine.game.history import HistoryError, observation_at, verify_finished
from engine.game.observation import Observation
from engine.play import Stream, stream_seed
from trainer.jobs import Job, Jobs
from trainer.session.readings import Readings, is_reading_point, is_run_out
from trainer.session.session import Session
from trainer.session.types import FinishedHand, PointRanges, PointReading, RunOutPoint, TableView
from trainer.storage.store import Store
from trainer.storage.stored import StoredHand, StoreError

T = TypeVar("T")

_LANE = "looking back"
_PAUSE_MILLISECONDS = 150
"""Before anything is computed: a person who goes through hands by key stops at one of them only."""

_KEPT = 2
"""Hands kept whole, with readings and traces: the one on the table and the one before it."""


@dataclass(frozen=True, slots=True)
class PastHand:
    """A finished hand.

    Attributes
    ----------
    number : int
    hand_id : int or None
        Its number in the store; None if it is not there.
    load : callable
        Gives the person's observation at its end; raises StoredDataError if what is stored is damaged.
    """

    number: int
    hand_id: int | None
    load: Callable[[], Observation]

    def read(self) -> Observation | None:
        """Give the person's observation at its end; None if what is stored is damaged."""
        try:
            observation = self.load()
            verify_finished(observation)
        except (StoredDataError, HistoryError):
            return None
        return observation


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session that can be chosen.

    Attributes
    ----------
    session_id : int or None
        Its number in the store; None for the one on the table.
    started : datetime
    config : GameConfig or None
        None if what is stored of it is damaged.
    hands : int
        Hands dealt.
    """

    session_id: int | None
    started: datetime
    config: GameConfig | None
    hands: int


class LookedAt(QObject):
    """Knows which hand the panels show, and gives them what they need of it.

    Parameters
    ----------
    jobs : Jobs

    Signals
    -------
    sessions_changed, hands_changed
        Which sessions there are to choose from, and which hands of the one chosen.
    hand_changed
        The panels show another hand: everything of it is to be shown anew.
    reading_changed : PointRanges
        A point of the earlier hand shown.
    run_out_changed : RunOutPoint
        A street of its all-in with open cards.
    learned : int
        How many hands the reader knows that reads it anew; `hands_to_learn` is how many there are.
    traces_changed
        The decisions of the earlier hand shown are known.
    looked_up : PointRanges
        Answers `look_up`.
    notice : str
        One sentence for the person.
    """

    sessions_changed = Signal()
    hands_changed = Signal()
    hand_changed = Signal()
    reading_changed = Signal(object)
    run_out_changed = Signal(object)
    learned = Signal(object)
    traces_changed = Signal()
    looked_up = Signal(object)
    notice = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store: Store | None = None
        self._session: Session | None = None
        self._session_id: int | None = None
        self._on_table: Observation | None = None
        self._played: dict[int, PastHand] = {}
        self._kept: dict[int, FinishedHand] = {}
        self._live: dict[int, dict[int, PointReading]] = {}
        self._live_run_outs: dict[int, dict[int, RunOutPoint]] = {}
        self._stored: tuple[PastSession, ...] = ()
        self._chosen: PastSession | None = None
        self._chosen_hands: tuple[PastHand, ...] = ()
        self._hand: PastHand | None = None
        self._final: Observation | None = None
        self._traces: tuple[Trace, ...] = ()
        self._points: dict[int, PointReading] = {}
        self._run_outs: dict[int, RunOutPoint] = {}
        self._reader = ""
        self._readings: Readings | None = None
        self._asked: Observation | None = None
        self._before = 0
        self._list_job: Job | None = None
        self._job: Job | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._prepare)

    # What there is

    def set_store(self, store: Store) -> None:
        """Take the store whose sessions can be chosen."""
        self._store = store
        self._read_sessions()

    def follow(self, session: Session) -> None:
        """Take a new session to the table; the panels follow it."""
        self._forget_hand()
        self._session, self._session_id, self._on_table = session, None, None
        self._played, self._kept, self._live, self._live_run_outs = {}, {}, {}, {}
        self._chosen, self._chosen_hands = None, ()
        session.view_changed.connect(self._on_view)
        session.reading_changed.connect(self._on_live_reading)
        session.run_out_changed.connect(self._on_live_run_out)
        session.looked_up.connect(self.looked_up)
        session.hand_finished.connect(self._on_hand_finished)
        self._read_sessions()
        self.hands_changed.emit()
        self.hand_changed.emit()

    @property
    def sessions(self) -> tuple[PastSession, ...]:
        """All sessions, the one on the table first, then the newest."""
        session = self._session
        if session is None or session.config is None or session.started is None:
            return self._stored
        here = PastSession(None, session.started, session.config, self._number)
        return (here, *(one for one in self._stored if one.session_id != self._session_id))

    @property
    def session_index(self) -> int:
        """Which of `sessions` the hands are of, -1 if there is none."""
        sessions = self.sessions
        if self._chosen in sessions:
            return sessions.index(self._chosen)
        return 0 if sessions and sessions[0].session_id is None else -1

    @property
    def hands(self) -> tuple[PastHand, ...]:
        """The finished hands of the session chosen, in order, without the one on the table."""
        if self._chosen is not None:
            return self._chosen_hands
        return tuple(hand for _, hand in sorted(self._played.items()) if hand.number < self._number)

    @property
    def hand_index(self) -> int:
        """Which of `hands` is shown; the place after them is the hand on the table."""
        return len(self.hands) if self._hand is None else self.hands.index(self._hand)

    @property
    def on_table(self) -> Observation | None:
        """What the person sees of the hand on the table; None before the first one."""
        return self._on_table

    @property
    def is_of_table(self) -> bool:
        """Whether the hands are of the session on the table."""
        return self._chosen is None

    # What the panels show

    @property
    def is_following(self) -> bool:
        """Whether the panels show the hand on the table."""
        return self._hand is None

    @property
    def observation(self) -> Observation | None:
        """The earlier hand shown, at its end; None while the panels follow the table."""
        return self._final

    @property
    def chosen(self) -> PastSession | None:
        """The session of the earlier hand shown; None if it is the one on the table."""
        return self._chosen

    @property
    def points(self) -> tuple[PointReading, ...]:
        """What is read of the hand shown, the newest point first."""
        known = self._points if self._final is not None else self._live.get(self._number, {})
        return tuple(known[count] for count in sorted(known, reverse=True))

    @property
    def run_outs(self) -> tuple[RunOutPoint, ...]:
        """The streets of an all-in with open cards of the hand shown."""
        return tuple(
            (self._run_outs if self._final is not None else self._live_run_outs.get(self._number, {})).values()
        )

    @property
    def _number(self) -> int:
        """Number of the hand on the table, 0 before the first one."""
        return self._on_table.hand_number if self._on_table is not None else 0

    @property
    def hands_to_learn(self) -> int:
        """How many hands the reader has to learn before it reads the hand shown."""
        return self._before

    def open_traces(self) -> tuple[Trace, ...]:
        """Give the traces that the person may look into, of the hand shown."""
        if self._final is not None:
            return self._traces
        return self._session.open_traces() if self._session is not None else ()

    @property
    def progress(self) -> tuple[int, int]:
        """Number of the hand on the table and its events so far; zeros while an earlier hand is shown."""
        return self._session.progress if self._session is not None and self.is_following else (0, 0)

    def revealed(self) -> dict[Seat, HoleCards]:
        """Give the cards that study mode opens of the hand shown, which are those on the table alone."""
        return self._session.revealed() if self._session is not None and self.is_following else {}

    # Intents

    @Slot()
    def go_earlier(self) -> None:
        """Show the hand before; one that is damaged is told and passed over."""
        hands = self.hands
        at = len(hands) if self._hand is None else hands.index(self._hand)
        while at > 0:
            at -= 1
            if self._show(hands[at]):
                return

    @Slot()
    def go_later(self) -> None:
        """Show the hand after; after the last finished one follow the table."""
        if self._hand is None:
            return
        hands = self.hands
        for hand in hands[hands.index(self._hand) + 1 :]:
            if self._show(hand):
                return
        if self.is_of_table:
            self.go_back()

    @Slot()
    def go_back(self) -> None:
        """Follow the table again."""
        if self._session is None or (self.is_following and self.is_of_table):
            return
        self._leave()

    def _leave(self) -> None:
        """Show no earlier hand, and choose no earlier session."""
        self._cancel_listing()
        self._forget_hand()
        if self._chosen is not None:
            self._chosen, self._chosen_hands = None, ()
            self.hands_changed.emit()
        self.hand_changed.emit()

    @Slot()
    def toggle(self) -> None:
        """Go to the hand before, or back to the table."""
        if self.is_following:
            self.go_earlier()
        else:
            self.go_back()

    @Slot(int)
    def look_at(self, index: int) -> None:
        """Show one of `hands`; the place after them is the hand on the table."""
        hands = self.hands
        if 0 <= index < len(hands):
            if not self._show(hands[index]):
                self.hand_changed.emit()  # what is shown stays, and so do the choosers
        else:
            self.go_back()

    @Slot(int)
    def choose_session(self, index: int) -> None:
        """Show the last finished hand of one of `sessions`, once its hands are read."""
        sessions = self.sessions
        if not 0 <= index < len(sessions):
            return
        chosen = sessions[index]
        if chosen.session_id is None:
            self.go_back()
        elif chosen != self._chosen:
            self._list(chosen.session_id, lambda hands: self._on_chosen(chosen, hands))

    @Slot(str)
    def set_reader(self, name: str) -> None:
        """Let another reader read, also the earlier hand shown."""
        self._reader = name
        self._live.clear()
        if self._final is not None:
            self._points.clear()
            self._stop_reading()
            self._pause.start()

    @Slot(object)
    def request(self, event_count: int) -> None:
        """Answer with a reading for a point of the hand shown."""
        if self._final is None:
            if self._session is not None:
                self._session.request_reading(event_count)
        elif event_count in self._points:
            self.reading_changed.emit(self._points[event_count])
        elif self._readings is not None:
            self._readings.request(observation_at(self._final, event_count))

    @Slot(object)
    def look_up(self, observation: Observation) -> None:
        """Answer with `looked_up` for a moment of the hand shown."""
        if self._final is None:
            if self._session is not None:
                self._session.look_up(observation)
            return
        known = self._points.get(len(observation.events))
        if known is not None:
            self.looked_up.emit(known)
        elif self._readings is not None:
            self._readings.look_up(observation)
        else:
            self._asked = observation
            self._pause.start()

    def stop(self) -> None:
        """Read nothing more."""
        self._cancel_listing()
        self._stop_reading()

    # Showing

    def _show(self, hand: PastHand) -> bool:
        """Show a finished hand, and tell whether that can be done."""
        final = hand.read()
        if final is None:
            self.notice.emit(f"Hand {hand.number} is damaged and cannot be read.")
            return False
        self._forget_hand()
        self._hand, self._final = hand, final
        kept = self._kept.get(hand.number) if self.is_of_table else None
        if kept is not None:
            self._traces = kept.traces
            self._points = dict(self._live.get(hand.number, {}))
            self._run_outs = dict(self._live_run_outs.get(hand.number, {}))
        else:
            self._read_traces(hand)
        self._pause.start()
        self.hand_changed.emit()
        return True

    def _forget_hand(self) -> None:
        self._stop_reading()
        self._hand = self._final = self._asked = None
        self._traces, self._points, self._run_outs = (), {}, {}

    def _read_traces(self, hand: PastHand) -> None:
        store, hand_id = self._store, hand.hand_id
        if store is not None and hand_id is not None:
            self._job = self._jobs.submit(
                _LANE, lambda: store.traces(hand_id), self._on_traces, on_error=self._on_traces_error
            )

    def _on_traces(self, traces: tuple[Trace, ...]) -> None:
        self._job = None
        self._traces = traces
        self.traces_changed.emit()

    def _on_traces_error(self, error: Exception) -> None:
        self._job = None
        self.notice.emit(f"The decisions of this hand cannot be read: {error}")

    # Reading an earlier hand anew

    def _prepare(self) -> None:
        """Begin to read the points that are not known."""
        final, points, run_outs = self._final, set(self._points), set(self._run_outs)
        assert final is not None

        def unread() -> list[Observation]:
            moments = [observation_at(final, count) for count in range(1, len(final.events) + 1)]
            return [
                at
                for at in moments
                if (is_reading_point(at) and len(at.events) not in points)
                or (is_run_out(at) and len(at.events) not in run_outs)
            ]

        self._job = self._jobs.submit(_LANE, unread, self._on_prepared, on_error=self._on_error)

    def _on_prepared(self, unread: list[Observation]) -> None:
        self._job = None
        if not unread and self._asked is None:
            return
        assert self._final is not None
        number = self._final.hand_number
        before = [hand for hand in self.hands if hand.number < number]
        session = self._chosen or self._session
        config = session.config if session is not None else None
        seed = stream_seed(config.seed, Stream.READER) if config is not None else 0
        readings = self._readings = Readings(self._jobs, seed, self, reader=self._reader, lane=_LANE)
        readings.reading_changed.connect(self._on_reading)
        readings.run_out_changed.connect(self._on_run_out)
        readings.looked_up.connect(self.looked_up)
        readings.learned.connect(self.learned)
        readings.failed.connect(self.notice)
        if self._asked is not None or any(map(is_reading_point, unread)):
            self._before = len(before)
            read = (hand.read() for hand in before)
            readings.learn(observation for observation in read if observation is not None)
        if self._asked is not None:
            readings.look_up(self._asked)
        readings.add(unread)

    def _on_reading(self, point: PointRanges) -> None:
        if isinstance(point, PointReading):
            self._points[point.event_count] = point
        self.reading_changed.emit(point)

    def _on_run_out(self, point: RunOutPoint) -> None:
        self._run_outs[point.event_count] = point
        self.run_out_changed.emit(point)

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.notice.emit(f"This hand cannot be read: {error}")

    def _stop_reading(self) -> None:
        self._pause.stop()
        self._before = 0
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._readings is not None:
            self._readings.stop()
            self._readings.deleteLater()
            self._readings = None

    # What comes from the session

    def _on_view(self, view: TableView) -> None:
        before, self._on_table = self._on_table, view.observation
        if self._session is not None:
            self._session_id = self._session.session_id or self._session_id  # also when storing fails later
        if before is None and view.observation.hand_number > 1:
            self._read_played()
        if before is None or before.hand_number != view.observation.hand_number:
            self.sessions_changed.emit()
            if self.is_of_table:
                self.hands_changed.emit()

    def _on_live_reading(self, point: PointRanges) -> None:
        if isinstance(point, PointReading):
            self._live.setdefault(point.hand_number, {})[point.event_count] = point
            _keep_newest(self._live)

    def _on_live_run_out(self, point: RunOutPoint) -> None:
        self._live_run_outs.setdefault(point.hand_number, {})[point.event_count] = point
        _keep_newest(self._live_run_outs)

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        number, data = hand.observation.hand_number, encode(hand.observation)
        self._played[number] = PastHand(number, hand.hand_id, lambda: decode(data, Observation))
        self._kept[number] = hand
        _keep_newest(self._kept)

    # What comes from the store

    def _read_sessions(self) -> None:
        store = self._store
        if store is not None:
            self._jobs.submit(_LANE, lambda: _sessions(store), self._on_sessions, on_error=self._on_store_error)

    def _on_sessions(self, sessions: tuple[PastSession, ...]) -> None:
        self._stored = sessions
        if self._chosen is not None and self._chosen.session_id not in {one.session_id for one in sessions}:
            self._leave()  # it has been deleted
        self.sessions_changed.emit()

    def _read_played(self) -> None:
        """Read the hands that were played before the session was resumed."""
        if self._session_id is not None:
            self._list(self._session_id, self._on_played)

    def _on_played(self, hands: tuple[PastHand, ...]) -> None:
        self._list_job = None
        self._played = {hand.number: hand for hand in hands} | self._played
        if self.is_of_table:
            self.hands_changed.emit()

    def _list(self, session_id: int, on_result: Callable[[tuple[PastHand, ...]], None]) -> None:
        store = self._store
        if store is None:
            return
        self._cancel_listing()
        self._list_job = self._jobs.submit(
            _LANE, lambda: _hands(store, session_id), on_result, on_error=self._on_store_error
        )

    def _cancel_listing(self) -> None:
        if self._list_job is not None:
            self._list_job.cancel()
            self._list_job = None

    def _on_chosen(self, chosen: PastSession, hands: tuple[PastHand, ...]) -> None:
        self._list_job = None
        if not hands:
            self.notice.emit("No hand of that session was played to its end.")
            self.sessions_changed.emit()  # the choosers go back to what is shown
            return
        self._chosen, self._chosen_hands = chosen, hands
        self.hands_changed.emit()
        self.sessions_changed.emit()
        self._forget_hand()
        for hand in reversed(hands):
            if self._show(hand):
                return
        self.go_back()

    def _on_store_error(self, error: Exception) -> None:
        self._list_job = None
        self.notice.emit(str(error))
        self.sessions_changed.emit()


def _keep_newest(by_number: dict[int, T]) -> None:
    for number in sorted(by_number)[:-_KEPT]:
        del by_number[number]


def _sessions(store: Store) -> tuple[PastSession, ...]:
    """Give the sessions with hands, the newest first."""
    return tuple(
        PastSession(stored.session_id, stored.started, _config(store, stored.session_id), stored.hands)
        for stored in store.sessions()
        if stored.hands
    )


def _config(store: Store, session_id: int) -> GameConfig | None:
    try:
        return store.config(session_id)
    except (StoreError, StoredDataError):  # damaged, or its key is lost
        return None


def _hands(store: Store, session_id: int) -> tuple[PastHand, ...]:
    """Give the finished hands of a session in order."""
    return tuple(_past(hand) for hand in store.hands(session_id) if hand.is_finished)


def _past(hand: StoredHand) -> PastHand:
    return PastHand(hand.number, hand.hand_id, hand.final_observation)
