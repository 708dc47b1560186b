"""The sessions and finished hands that can be looked at, as the player's seat saw them."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import overload

from PySide6.QtCore import QObject, Signal

from engine.agents.agent import KnownPlayers, Trace
from engine.cards import HoleCards
from engine.codec import StoredDataError, decode, pack, unpack
from engine.game.events import Seat
from engine.game.formats import GameConfig
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import HandView, Observation
from trainer.jobs import Job, Jobs
from trainer.session.record import known_at_start
from trainer.session.session import Session
from trainer.session.types import FinishedHand
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession, StoreError, Venue

LANE = "looking back"


@dataclass(frozen=True, slots=True)
class PastHand:
    """A finished hand; `load` and `traces` raise StoredDataError if they are damaged.

    `hand_id` is None if it is not stored, `traces` if they are with the store or the session, and `truth` reads the
    hole cards that are open whether they were shown or not. Recorded hands may be fixed-limit ones, and have a
    `digest`, by which they are known again.
    """

    number: int
    hand_id: int | None
    load: Callable[[], HandView]
    traces: Callable[[], tuple[Trace, ...]] | None = None
    truth: Callable[[], Mapping[Seat, HoleCards]] = field(default=dict, compare=False)
    is_no_limit: bool = True
    digest: str = ""

    def read(self) -> HandView | None:
        """Return what was seen of it at its end, by the player or who watched; None if it is damaged."""
        try:
            observation = self.load()
            verify_finished(observation)
        except (StoredDataError, HistoryError):
            return None
        return observation


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session that can be chosen: `session_id` is None on the table, `config` where what is stored is damaged.

    Of bots that played without a table, `match` names what they played, or of recorded hands the file, and there
    is no `session_id`; `venue` is where imported hands were played.
    """

    session_id: int | None
    started: datetime
    config: GameConfig | None
    hands: int
    match: str = ""
    is_file: bool = False
    venue: Venue | None = None

    @property
    def was_played_elsewhere(self) -> bool:
        """Whether others than the app's players sat at its table."""
        return self.is_file or self.venue is not None


def place_of(hands: Sequence[PastHand], number: int) -> int:
    """Return the place of the first hand that has this number or a later one, their count if there is none."""
    return bisect_left(hands, number, key=lambda hand: hand.number)


class _SessionHands(Sequence[PastHand]):
    """Hands of a session by rising number, each made when it is asked for: there may be many thousands of them."""

    def __init__(self, store: Store | None, stored: Iterable[tuple[int, int]] = ()) -> None:
        """Take hands of the store, by their number in the session and there."""
        pairs = list(stored)
        self._store = store
        self._numbers = array("q", [number for number, _ in pairs])
        self._ids = array("q", [hand_id for _, hand_id in pairs])  # 0 for one that is not stored
        self._unstored: dict[int, PastHand] = {}
        self._places = range(len(pairs))

    def put(self, number: int, hand: int | PastHand) -> None:
        """Take a hand by its number in the store, or as it is; a later one, or in the place of the last."""
        hand_id = 0 if isinstance(hand, PastHand) else hand
        if self._numbers and self._numbers[-1] == number:
            self._ids[-1] = hand_id
        else:
            self._numbers.append(number)
            self._ids.append(hand_id)
            self._places = range(len(self._ids))
        if isinstance(hand, PastHand):
            self._unstored[number] = hand

    def before(self, number: int) -> "_SessionHands":
        """Return those before a number, which stay the same when others are put."""
        found = copy(self)
        found._places = range(bisect_left(self._numbers, number))
        return found

    def after(self, number: int) -> Iterator[tuple[int, int | PastHand]]:
        """Yield what `put` took of those after a number."""
        for place in range(bisect_left(self._numbers, number + 1), len(self._ids)):
            later = self._numbers[place]
            yield later, self._ids[place] or self._unstored[later]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> PastHand: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[PastHand, ...]: ...
    def __getitem__(self, at: int | slice) -> PastHand | tuple[PastHand, ...]:
        if isinstance(at, slice):
            return tuple(self[place] for place in self._places[at])
        place = self._places[at]
        number, hand_id = self._numbers[place], self._ids[place]
        if self._store is None or not hand_id:
            return self._unstored[number]
        return PastHand(
            number,
            hand_id,
            _StoredFinal(self._store, hand_id, number),
            truth=partial(self._store.hole_cards, hand_id),
        )


class PastHands(QObject):
    """Lists the sessions, and the hands of the one chosen; `chosen` is None for the session on the table."""

    sessions_changed = Signal()  # what there is to choose from
    hands_changed = Signal()
    session_chosen = Signal()  # the hands of the session chosen are listed
    session_lost = Signal()  # the session chosen has been deleted
    resumed = Signal(object)  # the hands that the session on the table had before it was resumed
    notice = Signal(str)  # one sentence for the player

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: Store | None = None
        self.session: Session | None = None
        self.on_table: Observation | None = None
        self.chosen: PastSession | None = None
        self._jobs = jobs
        self._session_id: int | None = None
        self._played = _SessionHands(None)
        self._chosen_hands: Sequence[PastHand] = ()
        self._stored: tuple[PastSession, ...] = ()
        self._match: tuple[PastSession, Sequence[PastHand]] | None = None
        self._job: Job | None = None  # what was asked for
        self._played_job: Job | None = None  # the hands that the session on the table had before it was resumed

    def set_store(self, store: Store) -> None:
        """Take the store whose sessions can be chosen, or look again for what there is in it."""
        self.store = store
        self._read_sessions()

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self.cancel()
        if self._played_job is not None:
            self._played_job.cancel()
            self._played_job = None
        self.session, self._session_id, self.on_table = session, None, None
        self._played, self.chosen, self._chosen_hands = _SessionHands(self.store), None, ()
        self._read_sessions()
        self.hands_changed.emit()

    @property
    def sessions(self) -> tuple[PastSession, ...]:
        """All sessions, the one on the table first, then the match looked into last, then the newest."""
        session = self.session
        match = (self._match[0],) if self._match is not None else ()
        if session is None or session.config is None or session.started is None:
            return (*match, *self._stored)
        here = PastSession(None, session.started, session.config, self._number)
        return (here, *match, *(one for one in self._stored if one.session_id != self._session_id))

    @property
    def session_index(self) -> int:
        """Which of `sessions` the hands are of, -1 if there is none."""
        sessions = self.sessions
        if self.chosen in sessions:
            return sessions.index(self.chosen)
        is_on_table = bool(sessions) and sessions[0].session_id is None and not sessions[0].match
        return 0 if is_on_table else -1

    @property
    def hands(self) -> Sequence[PastHand]:
        """The finished hands of the session chosen, in order, without the one on the table."""
        return self._chosen_hands if self.chosen is not None else self._played.before(self._number)

    @property
    def finished(self) -> Sequence[PastHand]:
        """The finished hands of the session chosen, in order, the one on the table too if it has ended."""
        return self._chosen_hands if self.chosen is not None else self._played.before(self._number + 1)

    @property
    def ended_on_table(self) -> PastHand | None:
        """The hand on the table if it has ended; None too while an earlier session is chosen."""
        return self.finished[-1] if self.chosen is None and len(self.finished) > len(self.hands) else None

    @property
    def _number(self) -> int:
        """Number of the hand on the table, 0 before the first one."""
        return self.on_table.hand_number if self.on_table is not None else 0

    def show_on_table(self, observation: Observation) -> None:
        """Take what the player sees of the hand on the table."""
        before, self.on_table = self.on_table, observation
        if self.session is not None:
            self._session_id = self.session.table.session_id or self._session_id  # also when storing fails later
        if before is None and observation.hand_number > 1 and self._session_id is not None:
            self._list_played(self._session_id)
        if before is None or before.hand_number != observation.hand_number:
            self.sessions_changed.emit()
            if self.chosen is None:
                self.hands_changed.emit()

    def add(self, hand: FinishedHand) -> None:
        """Take a hand that was played at the table."""
        number, hand_id = hand.observation.hand_number, hand.hand_id
        if hand_id is None:
            load = partial(unpack, pack(hand.observation), Observation)
            self._played.put(number, PastHand(number, None, load))
        else:
            self._played.put(number, hand_id)

    def known_at_start(self) -> Callable[[], KnownPlayers]:
        """Return what reads, in a lane, what was known of the players when the session chosen began."""
        if self.chosen is not None and self.chosen.match:
            return dict
        store, session_id = self.store, self.chosen.session_id if self.chosen is not None else None
        if store is not None and session_id is not None:
            return lambda: known_at_start(store, session_id)
        known = self.session.known if self.session is not None else {}
        return lambda: known

    def choose_match(self, match: PastSession, hands: Sequence[PastHand]) -> None:
        """List the hands of a match, which takes the place of the one before."""
        self.cancel()
        self._match = match, hands
        self.chosen, self._chosen_hands = match, hands
        self.hands_changed.emit()
        self.sessions_changed.emit()

    def open(self, session_id: int) -> None:
        """List the hands of a session of the store, also of the one on the table."""
        if session_id == self._session_id:
            self.choose_table()
            self.session_chosen.emit()
            return
        chosen = next((one for one in self._stored if one.session_id == session_id), None)
        if chosen is None and self.store is not None:  # another has come, from an import
            store = self.store
            self._jobs.submit(
                LANE, lambda: _sessions(store), partial(self._on_sessions_for, session_id), on_error=self._on_error
            )
        elif chosen is not None and chosen == self.chosen:
            self.session_chosen.emit()
        elif chosen is not None:
            self.choose(chosen)

    def choose(self, chosen: PastSession) -> None:
        """List the hands of an earlier session, read in a lane, or those of the match."""
        if chosen.match:
            assert self._match is not None
            self.choose_match(*self._match)
            self.session_chosen.emit()
            return
        assert chosen.session_id is not None
        self._list(chosen.session_id, lambda hands: self._on_chosen(chosen, hands))

    def choose_table(self) -> None:
        """List the hands of the session on the table."""
        self.cancel()
        if self.chosen is not None:
            self.chosen, self._chosen_hands = None, ()
            self.hands_changed.emit()

    def forget_match(self) -> None:
        """List the match no more, nor its hands."""
        self._match = None
        self.choose_table()
        self.sessions_changed.emit()

    def cancel(self) -> None:
        """List nothing that was asked for."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    # What comes from the store

    def _read_sessions(self) -> None:
        store = self.store
        if store is not None:
            self._jobs.submit(LANE, lambda: _sessions(store), self._on_sessions, on_error=self._on_error)

    def _on_sessions(self, sessions: tuple[PastSession, ...]) -> None:
        self._stored = sessions
        stored = {one.session_id for one in sessions}
        if self.chosen is not None and not self.chosen.match and self.chosen.session_id not in stored:
            self.session_lost.emit()
        self.sessions_changed.emit()

    def _on_sessions_for(self, wanted: int, sessions: tuple[PastSession, ...]) -> None:
        self._on_sessions(sessions)
        if any(one.session_id == wanted for one in sessions):
            self.open(wanted)
        else:
            self.notice.emit("That session is not stored any more.")

    def _list(self, session_id: int, on_result: Callable[[_SessionHands], None]) -> None:
        store = self.store
        if store is not None:
            self.cancel()
            self._job = self._jobs.submit(
                LANE, lambda: _hands(store, session_id), on_result, on_error=self._on_error
            )

    def _list_played(self, session_id: int) -> None:
        """List the hands before the session on the table was resumed, whatever else is chosen meanwhile."""
        store = self.store
        if store is not None:
            self._played_job = self._jobs.submit(
                LANE, lambda: _hands(store, session_id), self._on_played, on_error=self._on_played_error
            )

    def _on_played(self, hands: _SessionHands) -> None:
        self._played_job = None
        self.resumed.emit(hands[:])
        for number, hand in self._played.after(hands[-1].number if hands else 0):
            hands.put(number, hand)
        self._played = hands
        if self.chosen is None:
            self.hands_changed.emit()

    def _on_played_error(self, error: Exception) -> None:
        self._played_job = None
        self.notice.emit(str(error))

    def _on_chosen(self, chosen: PastSession, hands: Sequence[PastHand]) -> None:
        self._job = None
        if not hands:
            self.notice.emit("No hand of that session was played to its end.")
            self.sessions_changed.emit()  # the choosers go back to what is shown
            return
        self.chosen, self._chosen_hands = chosen, hands
        self.hands_changed.emit()
        self.sessions_changed.emit()
        self.session_chosen.emit()

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.notice.emit(str(error))
        self.sessions_changed.emit()


def _sessions(store: Store) -> tuple[PastSession, ...]:
    """Return the sessions with hands, the newest first."""
    return tuple(
        PastSession(stored.session_id, stored.started, _config(store, stored), stored.hands, venue=stored.venue)
        for stored in store.sessions()
        if stored.hands
    )


def _config(store: Store, stored: StoredSession) -> GameConfig | None:
    try:
        return decode(stored.config, GameConfig) if stored.is_finished else store.config(stored.session_id)
    except (StoreError, StoredDataError):  # damaged, or its key is lost
        return None


def _hands(store: Store, session_id: int) -> _SessionHands:
    """Return the finished hands of a session in order."""
    return _SessionHands(store, store.finished_hands(session_id))


@dataclass(frozen=True, slots=True)
class _StoredFinal:
    """Reads what was seen at the end of a stored hand; StoredDataError if that cannot be read."""

    store: Store
    hand_id: int
    number: int

    def __call__(self) -> HandView:
        try:
            hand = self.store.hand(self.hand_id)
        except StoreError as error:
            raise StoredDataError(str(error)) from error
        # In the place of a file that was lost another counts its hands from 1 again.
        if hand is None or not hand.is_finished or hand.number != self.number:
            raise StoredDataError("That hand is not stored any more.")
        return hand.final_view()
