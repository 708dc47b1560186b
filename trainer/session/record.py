"""A session's record in the store, and what is said when it cannot be written."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from engine.agents.agent import KnownPlayer, KnownPlayers, Trace
from engine.agents.packed_traces import pack_traces
from engine.cards import HoleCards
from engine.codec import StoredDataError, pack, unpack
from engine.fair_deals import HandOpening
from engine.game.events import Action, Seat
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from engine.session_state import DealerState
from trainer.session.types import SessionResult
from trainer.storage.store import MEGABYTE, Store
from trainer.storage.stored import StoredHand, StoreError

_log = logging.getLogger(__name__)

_TABLE = "table"
"""The part of the stored memories that is the agents' and the figures of the hands."""
_KNOWN = "known"
"""The part that was known of the players when the session began."""
_TALLIES = "tallies"
"""The part that is how often the player's readers were right."""


def _reader_part(name: str) -> str:
    return f"reader {name}"


class SessionRecord:
    """Writes a session as it is played; when that fails once, says so and writes no more.

    `state` is the dealer's before the next hand; `session_id` is None while the session is not stored. `known` is
    what was known of the players when the session began.
    """

    def __init__(
        self,
        store: Store,
        config: GameConfig,
        started: datetime,
        state: DealerState,
        known: KnownPlayers,
        session_id: int | None = None,
    ) -> None:
        self.known = known
        self._store = store
        self._repairs = store.file.repairs
        self._config = config
        self._started = started
        self._state = state
        self._session_id = session_id
        self._hand_id: int | None = None
        self._actions = 0
        self._notices: list[str] = []
        self._failure = ""
        self._fullness = ""

    @property
    def session_id(self) -> int | None:
        """Number of the session in the store; None if it is not stored, or not any more."""
        return self._session_id

    @property
    def hand_id(self) -> int | None:
        """Number in the store of the hand on the table; None if it is not stored."""
        return self._hand_id if self._session_id is not None else None

    @property
    def why_not_stored(self) -> str:
        """One sentence from when storing has failed on, or while only a part is stored; otherwise ""."""
        return self._failure or self._fullness

    def say(self, sentence: str) -> None:
        """Add to what `take_notices` returns."""
        self._notices.append(sentence)

    def take_notices(self) -> tuple[str, ...]:
        """Return the sentences for the player since the last call."""
        notices, self._notices = tuple(self._notices), []
        return notices

    # Written

    def open(self) -> None:
        """Store the session, if that can be done."""
        self._keep(self._add_session, is_new=True)

    def begin_hand(self, state: DealerState, commitment: str) -> None:
        """Store that a hand begins, and what the dealer is bound by."""
        self._state, self._hand_id, self._actions = state, None, 0

        def write() -> None:
            assert self._session_id is not None
            self._hand_id = self._store.begin_hand(self._session_id, state.hands_dealt + 1, state, commitment)

        self._keep(write)

    def resume_hand(self, hand: StoredHand) -> None:
        """Go on after the actions stored of a hand."""
        self._hand_id, self._actions = hand.hand_id, len(hand.taken)

    def add_action(self, action: Action, trace: Trace | None) -> None:
        """Store an action, with why it was taken."""
        position, hand_id = self._actions, self._hand_id
        self._actions += 1
        if hand_id is not None:
            packed = pack_traces((trace,)) if trace is not None and not self._has_no_room() else None
            self._keep(lambda: self._store.add_action(hand_id, position, action, packed))

    def finish_hand(
        self,
        final: Observation,
        state: DealerState,
        hole_cards: Mapping[Seat, HoleCards],
        traces: Sequence[Trace],
        opening: HandOpening | None,
    ) -> None:
        """Store that the hand has ended, what its commitment has hidden, and how the session stands after it."""
        packed, hand_id, now = None if self._has_no_room() else pack_traces(traces), self._hand_id, datetime.now()
        if hand_id is None:
            self.save_state(state)
        else:
            self._state = state
            self._keep(lambda: self._store.finish_hand(hand_id, final, state, hole_cards, packed, now, opening))

    def save_state(self, state: DealerState) -> None:
        """Store the dealer between two hands."""
        self._state = state
        self._keep_of_session(lambda session_id: self._store.save_state(session_id, state))

    def save_table_memory(self, hand: int, memory: bytes) -> None:
        """Store what the agents have learned up to a hand."""
        self._keep_of_session(lambda session_id: self._store.save_memory(session_id, _TABLE, hand, memory))

    def finish(self, result: SessionResult) -> None:
        """Store the session's result."""
        self._keep_of_session(lambda session_id: self._store.finish_session(session_id, result))

    def save_reader_memory(self, name: str, hand: int, memory: bytes) -> None:
        """Store what a reader of the player's has learned up to a hand; may be called from any lane."""
        self._save_of_reader(_reader_part(name), hand, memory)

    def save_tallies(self, hand: int, tallies: bytes) -> None:
        """Store how often the player's readers were right up to a hand; may be called from any lane."""
        self._save_of_reader(_TALLIES, hand, tallies)

    def save_players(self, players: KnownPlayers) -> None:
        """Keep what was learned of the players for later sessions; may be called from any lane."""
        if self._session_id is not None:
            try:
                self._store.players.keep(self._config.seats, players, self._started)
            except StoreError as error:  # the next action that cannot be stored tells
                _log.warning("What was learned of the players is not kept: %s", error)

    # Read

    def past_hands(self) -> Iterator[Observation]:
        """Yield the player's final observation of every stored hand; from any lane. Raise StoreError."""
        for hand in self._store.hands(self._session_id) if self._session_id is not None else ():
            if (final := final_of(hand)) is not None:
                yield final

    # Inside

    def _save_of_reader(self, part: str, hand: int, memory: bytes) -> None:
        session_id = self._session_id
        if session_id is not None:
            try:
                self._store.save_memory(session_id, part, hand, memory)
            except StoreError as error:  # the next action that cannot be stored tells
                _log.warning("What belongs to a reader is not stored: %s", error)

    def _add_session(self) -> None:
        self._session_id = self._store.add_session(self._started, self._config, self._state)
        if self.known:
            self._store.save_memory(self._session_id, _KNOWN, 0, pack(self.known))

    def _has_no_room(self) -> bool:
        """Whether traces are not stored, since the user's limit is reached; that is said once."""
        if self._session_id is None:
            return False
        try:
            is_full = self._store.is_full
        except StoreError:  # the next write tells
            return False
        if is_full and not self._fullness:
            assert self._store.limit is not None
            megabytes = self._store.limit / MEGABYTE
            self._fullness = (
                f"The stored hands take the {megabytes:,.0f} MB that they may (Game > Stored hands), "
                "so why the bots act is not stored any more; the hands are."
            )
            self._notices.append(self._fullness)
        elif not is_full:
            self._fullness = ""
        return is_full

    def _keep_of_session(self, write: Callable[[int], None]) -> None:
        session_id = self._session_id
        if session_id is not None:
            self._keep(lambda: write(session_id))

    def _keep(self, write: Callable[[], None], *, is_new: bool = False) -> None:
        """Store something; when that fails once, say so and play on without storing."""
        if self._session_id is None and not is_new:
            return
        file = self._store.file
        try:
            try:
                write()
            except StoreError:
                if file.repairs == self._repairs or not file.is_kept:
                    raise
                # What was saved of a damaged file is without this session: it is stored again from the next hand.
                self._hand_id = None
                self._add_session()
        except StoreError as error:
            self._session_id = None
            self._failure = f"{error} Play goes on, but is not stored any more."
            self._notices.append(self._failure)
        if file.repairs != self._repairs:
            self._repairs = file.repairs
            self._notices.append(file.notice)


def stored_memories(store: Store, session_id: int, reader: str) -> tuple[tuple[int, bytes] | None, ...]:
    """Return what the agents and then the player's reader had learned, each behind the number of the last hand."""
    return store.memory(session_id, _TABLE), store.memory(session_id, _reader_part(reader))


def stored_tallies(store: Store, session_id: int) -> bytes | None:
    """Return how often the player's readers were right, as `save_tallies` stored it; None if it did not."""
    found = store.memory(session_id, _TALLIES)
    return found[1] if found is not None else None


def known_at_start(store: Store, session_id: int) -> KnownPlayers:
    """Return what was known of the players when a session began, nothing if that is damaged; raise StoreError."""
    found = store.memory(session_id, _KNOWN)
    try:
        return unpack(found[1], dict[str, KnownPlayer]) if found is not None else {}
    except StoredDataError as error:
        _log.warning("What a session knew of its players is left out: %s", error)
        return {}


def final_of(hand: StoredHand) -> Observation | None:
    """Return the player's observation at a hand's end, None if it has not ended or is damaged."""
    try:
        return hand.final_observation() if hand.is_finished else None
    except StoredDataError as error:
        _log.warning("Hand %s cannot be read: %s", hand.number, error)
        return None
