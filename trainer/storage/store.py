"""Sessions, hands and traces in SQLite: every action is on the disk before it is shown.

Each action is written in a transaction of its own, so neither `kill -9` nor a power cut loses or halves anything
that was on the screen. Nothing in the file shows a hidden card while a hand is played: the session's seed and the
traces of the running hand are sealed (`trainer.storage.seal`), and hole cards are written when the hand has ended,
the seed with the session.
"""

import logging
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct, structs
from PySide6.QtCore import QMutexLocker

from engine.agents.agent import Trace
from engine.agents.packed_traces import unpack_traces
from engine.cards import HoleCards, format_cards
from engine.codec import StoredDataError, decode, encode, pack, unpack
from engine.fair_deals import CommittedHand, HandOpening, SessionProof, table_opening
from engine.game.events import Action, Seat
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from trainer.storage.browse import Browse
from trainer.storage.database import DatabaseFile
from trainer.storage.imports import ImportStore
from trainer.storage.notes import NoteStore
from trainer.storage.played import add_played
from trainer.storage.players import PlayerStore
from trainer.storage.records import RecordStore, ReviewStore
from trainer.storage.schema import SCHEMA_VERSION
from trainer.storage.seal import is_sealed
from trainer.storage.seat_hands import SeatHandStore
from trainer.storage.stored import StoredHand, StoredSession, StoreError, Venue, packed, stored_time

_log = logging.getLogger(__name__)

MEGABYTE = 1_000_000

_ProofRow = tuple[int, bytes, bytes | None, bytes | None, bytes | None]

_SessionRow = tuple[int, bytes, bytes, bytes, int, int, bytes | None]

_SESSIONS_AT_ONCE = 200
"""Read before others get their turn at the file: some 5 ms."""

_DELETED_AT_ONCE = 20
"""Sessions in one transaction."""

# The length of a blob is known without reading it.
_SESSION_SIZES = "SELECT id, 200 + length(config) + length(state) + coalesce(length(result), 0) FROM sessions"
_HAND_SIZES = (
    "SELECT id, session, 300 + length(state) + coalesce(length(hole_cards), 0) + coalesce(length(observation), 0)"
    " + coalesce(length(traces), 0) + coalesce(length(opening), 0) FROM hands WHERE id > ? ORDER BY id LIMIT 2000"
)
_OTHER_SIZES = (
    "SELECT session, sum(30 + length(action) + coalesce(length(trace), 0)) FROM actions"
    " JOIN hands ON hands.id = hand GROUP BY session",
    "SELECT session, sum(length(memory)) FROM memories GROUP BY session",
    "SELECT session, sum(length(review)) FROM reviews JOIN hands ON hands.id = hand GROUP BY session",
)


class Store:
    """What is stored, to be written and read from any thread; from `limit` bytes on no more traces should be."""

    def __init__(
        self, path: Path | None, key_path: Path | None = None, tell: Callable[[int], object] | None = None
    ) -> None:
        self.file = DatabaseFile(path, key_path, tell)
        self.players = PlayerStore(self.file)
        self.browse = Browse(self.file)
        self.notes = NoteStore(self.file)
        self.reviews = ReviewStore(self.file)
        self.records = RecordStore(self.file)
        self.seat_hands = SeatHandStore(self.file)
        self.imports = ImportStore(self.file, self.browse.played)
        self.limit: int | None = None

    def close(self) -> None:
        """Close the file; nothing can be stored afterwards."""
        self.file.close()

    # Writing

    def add_session(self, started: datetime, config: GameConfig, state: Struct) -> int:
        """Store a new session and return its number.

        Raise StoreError from this and every method below: if the disk is full, the file gone or damaged.
        """
        hidden = encode(structs.replace(config, seed=0)).decode()
        values = (
            started.isoformat(timespec="seconds"),
            hidden,
            self.file.key.seal(str(config.seed).encode()),
            encode(state).decode(),
            SCHEMA_VERSION,
        )
        return self.file.insert(
            "INSERT INTO sessions (started, config, seed, state, form) VALUES (?, ?, ?, ?, ?)", values
        )

    def save_state(self, session_id: int, state: Struct) -> None:
        """Store the dealer between two hands, as after a top-up."""
        values = (encode(state).decode(), session_id)
        self.file.insert("UPDATE sessions SET state = ? WHERE id = ?", values)

    def begin_hand(self, session_id: int, number: int, state: Struct, commitment: str = "") -> int:
        """Store that a hand begins from a dealer's state, and return the hand's number in the store.

        `commitment` is the dealer's to the deck, which the player has been shown.
        """
        values = (session_id, number, encode(state).decode(), commitment or None)
        return self.file.insert(
            "INSERT INTO hands (session, number, state, commitment) VALUES (?, ?, ?, ?)", values
        )

    def add_action(self, hand_id: int, position: int, action: Action, packed_trace: bytes | None = None) -> None:
        """Store one action, with why it was taken, sealed, and none after it; on the disk when this returns.

        `packed_trace` is by `pack_traces`, of this action alone.
        """
        sealed = self.file.key.seal(packed_trace) if packed_trace is not None else None
        values = (hand_id, position, encode(action).decode(), sealed)

        def write(database: sqlite3.Connection) -> None:
            # Damaged ones may stand there, before which the hand was resumed.
            database.execute("DELETE FROM actions WHERE hand = ? AND position >= ?", values[:2])
            database.execute("INSERT INTO actions VALUES (?, ?, ?, ?)", values)

        self.file.write(write)

    def finish_hand(
        self,
        hand_id: int,
        observation: Observation,
        state: Struct,
        hole_cards: Mapping[Seat, HoleCards],
        packed_traces: bytes | None = None,
        ended: datetime | None = None,
        opening: HandOpening | None = None,
    ) -> None:
        """Store a hand's end, open from now on, and the dealer after it, both or neither.

        `hole_cards` are of every seat dealt in, `packed_traces` by `pack_traces` of all decisions of the hand;
        `ended` is when, by default when the session began; `opening` is of the commitment, if there was one.
        """
        cards, opened = encode(dict(hole_cards)).decode(), pack(opening) if opening is not None else None
        row = (packed(observation), cards, packed_traces, opened, hand_id)

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "UPDATE hands SET state = '', observation = ?, hole_cards = ?, traces = ?, opening = ?"
                " WHERE id = ?",
                row,
            )
            database.execute("DELETE FROM actions WHERE hand = ?", (hand_id,))
            query = (
                "SELECT session, number, started FROM hands, sessions WHERE hands.id = ? AND sessions.id = session"
            )
            for session, number, started in database.execute(query, (hand_id,)).fetchall():
                when = started.decode() if ended is None else ended.isoformat(timespec="seconds")
                add_played(database, (hand_id, session, number), when, observation)
            database.execute(
                "UPDATE sessions SET state = ? WHERE id = (SELECT session FROM hands WHERE id = ?)",
                (encode(state).decode(), hand_id),
            )

        self.file.write(write)
        self.browse.played.change([hand_id])

    def finish_session(self, session_id: int, result: Struct) -> None:
        """Store a session's result and its seed; it is not offered for resuming any more."""

        def write(database: sqlite3.Connection) -> None:
            row = database.execute("SELECT config, seed FROM sessions WHERE id = ?", (session_id,)).fetchone()
            if row is None:
                return
            config, seed = row
            with suppress(StoredDataError):  # sealed with a key that is lost: it stays so
                config, seed = encode(self._unsealed(config, seed)), None
            database.execute(
                "UPDATE sessions SET result = ?, config = ?, seed = ? WHERE id = ?",
                (encode(result).decode(), config.decode(), seed, session_id),
            )

        self.file.write(write)

    def save_memory(self, session_id: int, part: str, hand: int, memory: bytes) -> None:
        """Store what was learned in a session up to a hand, in the place of what was stored of this part before."""
        values = (session_id, part, hand, memory)
        self.file.insert("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?)", values)

    def delete_sessions(self, session_ids: Iterable[int]) -> None:
        """Delete sessions with all their hands, for good, some at a time; the file shrinks by what they took."""
        numbers = list(session_ids)
        for begin in range(0, len(numbers), _DELETED_AT_ONCE):
            some = numbers[begin : begin + _DELETED_AT_ONCE]
            with QMutexLocker(self.imports.mutex):
                hands = self.file.write(partial(_delete_sessions, some))
            self.browse.played.change(hands)
        self.file.shrink()

    # Reading

    def sessions(self) -> tuple[StoredSession, ...]:
        """Return all sessions, the newest first."""
        query = (
            "SELECT id, started, config, state, (SELECT count(*) FROM hands WHERE session = sessions.id),"
            " result IS NOT NULL, venue FROM sessions LEFT JOIN venues ON venues.session = id"
            f" WHERE id > ? ORDER BY id LIMIT {_SESSIONS_AT_ONCE}"
        )
        found: list[_SessionRow] = []
        some: list[_SessionRow] = [(0, b"", b"", b"", 0, 0, None)]
        while some:  # in steps between which others use the file
            after = some[-1][:1]
            some = self.file.read(lambda database: database.execute(query, after).fetchall())  # noqa: B023
            found += some
        sessions = map(_stored_session, found)
        return tuple(sorted(sessions, key=lambda one: (one.started, one.session_id), reverse=True))

    def resumable(self) -> StoredSession | None:
        """Return the newest session with hands that can be gone on with; None if there is none."""
        found = self.file.read(
            lambda database: database.execute(
                "SELECT id, started, config, state,"
                " (SELECT count(*) FROM hands WHERE session = sessions.id) AS held, 0, NULL FROM sessions"
                " WHERE result IS NULL AND held > 0 ORDER BY started DESC, id DESC LIMIT 1"
            ).fetchone()
        )
        return None if found is None else _stored_session(found)

    def sizes(self) -> dict[int, int]:
        """Return each session's share of the file in bytes, by its number; reads the beginning of every row."""
        sizes: Counter[int] = Counter()
        for query in (_SESSION_SIZES, *_OTHER_SIZES):
            for session, size in self.file.read(lambda database: database.execute(query).fetchall()):  # noqa: B023
                sizes[session] += size
        hands = [(0, 0, 0)]
        while hands:  # in steps between which others use the file
            after = hands[-1][:1]
            hands = self.file.read(lambda database: database.execute(_HAND_SIZES, after).fetchall())  # noqa: B023
            for _, session, size in hands:
                sizes[session] += size
        whole, size_of_file = sum(sizes.values()), self.file.size
        return {session: round(size_of_file * size / whole) for session, size in sizes.items()}

    def config(self, session_id: int) -> GameConfig:
        """Return the game of a session, with its seed.

        Raise StoreError if there is none, StoredDataError if it is damaged or the key of its seed is lost.
        """
        row = self.file.read(
            lambda database: database.execute(
                "SELECT config, seed FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
        )
        if row is None:
            raise StoreError("That session is not stored any more.")
        return self._unsealed(*row)

    def _unsealed(self, config: bytes, seed: bytes | None) -> GameConfig:
        game = decode(config, GameConfig)
        return game if seed is None else structs.replace(game, seed=int(self.file.key.open(seed)))

    def hands(self, session_id: int, after: int = 0) -> tuple[StoredHand, ...]:
        """Return a session's hands in order, those after the hand of a number; only the last can be unfinished."""

        def read(database: sqlite3.Connection) -> tuple[StoredHand, ...]:
            found = database.execute(
                "SELECT id, number, state, observation, hole_cards FROM hands"
                " WHERE session = ? AND number > ? ORDER BY number",
                (session_id, after),
            ).fetchall()
            return tuple(_stored_hand(database, row) for row in found)

        return self.file.read(read)

    def finished_hands(self, session_id: int) -> list[tuple[int, int]]:
        """Return the hands of a session that have ended, in order, by their numbers in it and in the store."""
        query = "SELECT number, id FROM hands WHERE session = ? AND observation IS NOT NULL ORDER BY number"
        return self.file.read(lambda database: database.execute(query, (session_id,)).fetchall())

    def hand(self, hand_id: int) -> StoredHand | None:
        """Return one hand by its number in the store; None if it is not there."""

        def read(database: sqlite3.Connection) -> StoredHand | None:
            query = "SELECT id, number, state, observation, hole_cards FROM hands WHERE id = ?"
            row = database.execute(query, (hand_id,)).fetchone()
            return None if row is None else _stored_hand(database, row)

        return self.file.read(read)

    def proof(self, session_id: int) -> SessionProof:
        """Return the proof that a session's finished hands were dealt fairly; without its seed while it can go on.

        Damaged hands are left out. Raise StoreError if there is no such session or it was dealt elsewhere,
        StoredDataError if its game is damaged or the key of its seed is lost.
        """

        def read(
            database: sqlite3.Connection,
        ) -> tuple[tuple[bytes, bytes, bytes | None, bytes | None] | None, list[_ProofRow]]:
            session = (
                "SELECT started, config, seed, venue FROM sessions LEFT JOIN venues ON venues.session = id"
                " WHERE id = ?"
            )
            hands = (
                "SELECT number, observation, hole_cards, commitment, opening FROM hands"
                " WHERE session = ? AND observation IS NOT NULL ORDER BY number"
            )
            of_session = (session_id,)
            return database.execute(session, of_session).fetchone(), database.execute(hands, of_session).fetchall()

        session, hands = self.file.read(read)
        if session is None:
            raise StoreError("That session is not stored.")
        started, config, seed, venue = session
        if venue is not None:
            raise StoreError("The hands of that session were dealt elsewhere, so there is nothing to be proved.")
        opening = table_opening(self._unsealed(config, seed).seed)
        return SessionProof(
            started=started.decode(),
            commitment=opening.commitment,
            opening=opening if seed is None else None,
            hands=tuple(found for row in hands if (found := _committed_hand(row)) is not None),
        )

    def hole_cards(self, hand_id: int) -> dict[Seat, HoleCards]:
        """Return every seat's hole cards of a hand that has ended; none where an earlier version has stored it."""
        query = "SELECT hole_cards FROM hands WHERE id = ? AND hole_cards IS NOT NULL"
        row = self.file.read(lambda database: database.execute(query, (hand_id,)).fetchone())
        return decode(row[0], dict[Seat, HoleCards]) if row is not None else {}

    def traces(self, hand_id: int) -> tuple[Trace, ...]:
        """Return the traces of a hand's bot decisions, in the order they were made."""

        def read(database: sqlite3.Connection) -> tuple[Trace, ...]:
            found = database.execute("SELECT traces FROM hands WHERE id = ?", (hand_id,)).fetchone()
            if found is not None and found[0] is not None:
                return unpack_traces(found[0])
            query = "SELECT trace FROM actions WHERE hand = ? AND trace IS NOT NULL ORDER BY position"
            return tuple(self._trace(row[0]) for row in database.execute(query, (hand_id,)))

        return self.file.read(read)

    def _trace(self, data: bytes) -> Trace:
        """Read the trace of a single action."""
        opened = self.file.key.open(data) if is_sealed(data) else data
        try:
            (trace,) = unpack_traces(opened)
        except StoredDataError:
            return _trace_of_version_1(opened)
        return trace

    def memory(self, session_id: int, part: str) -> tuple[int, bytes] | None:
        """Return what was learned in a session and the number of the last hand in it, None if nothing is stored."""
        found: tuple[int, bytes] | None = self.file.read(
            lambda database: database.execute(
                "SELECT hand, memory FROM memories WHERE session = ? AND part = ?", (session_id, part)
            ).fetchone()
        )
        return found

    @property
    def is_full(self) -> bool:
        """Whether the file has reached the user's limit."""
        return self.file.is_kept and self.limit is not None and self.file.size >= self.limit


def _delete_sessions(session_ids: Sequence[int], database: sqlite3.Connection) -> list[int]:
    """Delete sessions, and return the numbers of their hands."""
    deleted = list[int]()
    for session_id in session_ids:
        values = (session_id,)
        deleted += [row[0] for row in database.execute("SELECT id FROM hands WHERE session = ?", values)]
        for table in ("actions", "notes", "reviews", "played", "seat_hands", "imported"):
            database.execute(f"DELETE FROM {table} WHERE hand IN (SELECT id FROM hands WHERE session = ?)", values)
        for table in ("hands", "memories", "venues"):
            database.execute(f"DELETE FROM {table} WHERE session = ?", values)
        database.execute("DELETE FROM sessions WHERE id = ?", values)
    return deleted


def _stored_session(row: _SessionRow) -> StoredSession:
    session_id, text, config, state, hands, is_finished, where = row
    venue: Venue | None = None
    try:
        venue = decode(where, Venue) if where is not None else None
    except StoredDataError as error:
        _log.warning("Where session %s was played cannot be read: %s", session_id, error)
    return StoredSession(session_id, stored_time(text), config, state, hands, bool(is_finished), venue)


def _stored_hand(
    database: sqlite3.Connection, row: tuple[int, int, bytes, bytes | None, bytes | None]
) -> StoredHand:
    hand_id, number, state, observation, hole_cards = row
    taken: tuple[Action, ...] = ()
    if observation is None:
        taken = tuple(_sound_actions(database, hand_id))
    cards: dict[Seat, HoleCards] = {}
    try:
        cards = decode(hole_cards, dict[Seat, HoleCards]) if hole_cards is not None else {}
    except StoredDataError as error:
        _log.warning("The hole cards of hand %s cannot be read: %s", number, error)
    return StoredHand(hand_id, number, state, taken, observation or b"", cards)


def _committed_hand(row: _ProofRow) -> CommittedHand | None:
    number, observation, cards, commitment, opening = row
    try:
        final = StoredHand(0, number, b"", (), observation, {}).final_view()
        hole_cards = decode(cards, dict[Seat, HoleCards]) if cards is not None else {}
        opened = unpack(opening, HandOpening) if opening is not None else None
    except StoredDataError as error:
        _log.warning("The proof of hand %s cannot be read: %s", number, error)
        return None
    return CommittedHand(
        hand_number=number,
        commitment=commitment.decode() if commitment is not None else "",
        opening=opened,
        button=final.button,
        hole_cards={seat: format_cards(pair) for seat, pair in hole_cards.items()},
        board=format_cards(final.board),
    )


def _sound_actions(database: sqlite3.Connection, hand_id: int) -> Iterator[Action]:
    """Return the actions of a running hand, up to one that is damaged or missing."""
    query = "SELECT position, action FROM actions WHERE hand = ? ORDER BY position"
    for expected, (position, action) in enumerate(database.execute(query, (hand_id,))):
        try:
            if position != expected:
                raise StoredDataError(f"action {expected} is missing.")
            yield decode(action, Action)
        except StoredDataError as error:
            _log.warning("A running hand goes on before a damaged action: %s", error)
            return


def _trace_of_version_1(data: bytes) -> Trace:
    """Read zlib-compressed JSON."""
    try:
        return decode(zlib.decompress(data), Trace)
    except zlib.error as error:
        raise StoredDataError(f"The stored trace cannot be unpacked: {error}") from error
