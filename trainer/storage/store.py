"""Sessions, hands and traces in SQLite: every action is on the disk before it is shown.

The file is written in WAL mode with full synchronisation, each action in a transaction of its own, so neither
`kill -9` nor a power cut loses or halves anything that was on the screen. One running app owns the file: it keeps
SQLite's exclusive lock, which the system releases however the process ends, and a second app plays in memory.

Nothing in it gives a hidden card away while a hand is played: the session's seed and the traces of the running hand
are sealed (`trainer.storage.seal`), and hole cards are written when the hand has ended, the seed with the session.

A file that is damaged, when it is opened or later, is set aside, and what reads of it goes on in a new one.
"""

import logging
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, structs
from PySide6.QtCore import QMutex, QMutexLocker

from engine.agents.agent import Trace
from engine.agents.packed_traces import unpack_traces
from engine.cards import HoleCards
from engine.codec import StoredDataError, decode, encode, pack, unpack
from engine.game.events import Action, ActionTaken, GameKind, HandStarted, Seat
from engine.game.formats import HUMAN, GameConfig, SeatConfig
from engine.game.observation import Observation
from engine.play import DealerState, SeatRecord
from trainer.atomic_file import is_open_to_others, make_private_file, make_private_folder
from trainer.settings import set_aside
from trainer.storage.salvage import PAGE_BYTES, Row, rows
from trainer.storage.seal import Key, is_sealed, stored_key

_log = logging.getLogger(__name__)

T = TypeVar("T")

SCHEMA_VERSION = 2
"""Raised with every change of `_SCHEMA`, together with what `_Filling` makes of the rows of the one before."""

MEGABYTE = 1_000_000

_APPLICATION_ID = 0x536F756C  # "Soul": the mark by which a database is known as ours
_CHECKED_BYTES = 64 * MEGABYTE  # larger files are not read through at every start
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# What is wrong with the disk or its permissions rather than with the file.
_UNUSABLE = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SIDE_FILES = ("-wal", "-shm")
_INCREMENTAL_VACUUM = 2

_SCHEMA = """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,          -- ISO 8601, local time
    config TEXT NOT NULL,           -- the game, JSON; its seed is 0 while the session can be resumed
    seed BLOB,                      -- the seed, sealed; NULL when the session has ended
    state TEXT NOT NULL,            -- the dealer between two hands, JSON
    result TEXT                     -- how it went, JSON; NULL while it can be resumed
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,            -- the dealer before the hand, JSON; '' when it has ended
    hole_cards TEXT,                -- of every seat dealt in, JSON; NULL while it runs
    observation BLOB,               -- the person's at the end, packed, with all public events; NULL while it runs
    traces BLOB,                    -- why the bots acted as they did, packed; NULL while it runs
    UNIQUE (session, number)
);
CREATE TABLE actions (              -- of the running hand
    hand INTEGER NOT NULL REFERENCES hands (id),
    position INTEGER NOT NULL,      -- 0, 1, 2 ... within the hand
    action TEXT NOT NULL,           -- JSON
    trace BLOB,                     -- why, sealed; NULL for the person
    PRIMARY KEY (hand, position)
);
CREATE TABLE memories (             -- what was learned in a session, so that it needs not be played again
    session INTEGER NOT NULL REFERENCES sessions (id),
    part TEXT NOT NULL,             -- whose
    hand INTEGER NOT NULL,          -- number of the last hand in it
    memory BLOB NOT NULL,
    PRIMARY KEY (session, part)
);
"""


class StoreError(ValueError):
    """Something that cannot be stored or read back; the message is one sentence for the user."""


class StoredSession(Struct, frozen=True):
    """A session in the store.

    Attributes
    ----------
    session_id : int
    started : datetime
    config, state : bytes
        JSON of the game, its seed 0 while the session can be resumed, and of the dealer between two hands.
    hands : int
        Hands begun.
    is_finished : bool
    """

    session_id: int
    started: datetime
    config: bytes
    state: bytes
    hands: int
    is_finished: bool


class StoredHand(Struct, frozen=True):
    """A hand in the store.

    Attributes
    ----------
    hand_id, number : int
    state : bytes
        JSON of the dealer before it; empty when it has ended.
    taken : tuple of Action
        All actions of a running hand, in order, up to a damaged one; those of one that has ended are among its
        events.
    observation : bytes
        The person's observation at its end, packed; empty while it runs.
    hole_cards : dict of int to HoleCards
        Of every seat dealt in; empty while it runs, if damaged, and of hands that an earlier version has stored.
    """

    hand_id: int
    number: int
    state: bytes
    taken: tuple[Action, ...]
    observation: bytes
    hole_cards: dict[Seat, HoleCards]

    @property
    def is_finished(self) -> bool:
        """Whether the hand was played to its end."""
        return bool(self.observation)

    def final_observation(self) -> Observation:
        """Read the person's observation at the end of a finished hand; some tenths of a millisecond.

        Raises
        ------
        StoredDataError
            If it is damaged.
        """
        if self.observation[:1] == b"{":  # of an earlier version
            return decode(self.observation, Observation)
        return unpack(self.observation, Observation)

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions taken, in order."""
        if not self.is_finished:
            return self.taken
        events = self.final_observation().events
        return tuple(event.action for event in events if isinstance(event, ActionTaken))


class Store:
    """The database, open; safe to call from any thread.

    Parameters
    ----------
    path : Path or None
        The file, made with its folder if need be; None keeps everything in memory.
    key_path : Path, optional
        The file of the key that seals what is hidden; by default beside the database.

    Attributes
    ----------
    notice : str
        One sentence if the file could not be used as it was, or "".
    is_kept : bool
        Whether what is stored outlives the process.
    why_not_stored : str
        One sentence as long as nothing is stored although it should be, otherwise "".
    limit : int or None
        From so many bytes on no more traces should be stored.
    repairs : int
        How often the file was found damaged while it was in use; `notice` then is of the last time.
    """

    def __init__(self, path: Path | None, key_path: Path | None = None) -> None:
        self.notice = ""
        self.why_not_stored = ""
        self.is_kept = path is not None
        self.limit: int | None = None
        self.repairs = 0
        self._path = path
        self._key = Key(b"in memory")
        self._mutex = QMutex()
        self._is_open = True
        if path is None:
            self._database = _in_memory()
        else:
            self._database = self._open(path, key_path or path.with_suffix(".key"))

    def _open(self, path: Path, key_path: Path) -> sqlite3.Connection:
        try:
            for folder in {path.parent, key_path.parent}:
                make_private_folder(folder)
            is_open = is_open_to_others(key_path)
            self._key = stored_key(key_path)
            if is_open and not is_open_to_others(key_path):
                self.notice = "Others could read the key of the stored hands until now."
            if path.is_dir():
                raise OSError("it is a folder")
            database = self._opened(path)
        except _NewerError as error:
            self.notice = f"{error} It is left as it is; this session is not stored."
        except _BusyError:
            self.notice = "Soulread is already running and owns the stored hands; this session is not stored."
        except (OSError, sqlite3.Error) as error:
            _log.warning("The database cannot be used: %s", error)
            self.notice = f"The stored hands in {path} cannot be used ({error}); this session is not stored."
        else:
            if not self._opens_all(database):
                self._add_notice(
                    "Stored sessions were sealed with a key that is not there any more: they cannot be resumed."
                )
            return database
        return self._give_up()

    def _opens_all(self, database: sqlite3.Connection) -> bool:
        """Whether the key is that by which the seeds are sealed."""
        try:
            for (seed,) in database.execute("SELECT seed FROM sessions WHERE seed IS NOT NULL"):
                self._key.open(seed)
        except StoredDataError:
            return False
        return True

    def _add_notice(self, sentence: str) -> None:
        self.notice = f"{self.notice} {sentence}".lstrip()

    def _give_up(self) -> sqlite3.Connection:
        """Keep nothing: the notice, which says why, stays true."""
        self.is_kept = False
        self.why_not_stored = self.notice
        return _in_memory()

    def _opened(self, path: Path) -> sqlite3.Connection:
        """Open the file, made, brought up to date or saved from damage as need be."""
        try:
            if not path.exists():
                _begin(path, self._key)
            try:
                return _connect(path)
            except _OlderError as error:
                _bring_up_to_date(path, self._key, error.database)
                return _connect(path)
        except (_NewerError, _BusyError):
            raise
        except (sqlite3.Error, UnicodeDecodeError, ValueError) as error:
            # Of a damaged file SQLite may say anything, even what is no text.
            if _code(error) in _UNUSABLE and _has_sound_header(path):
                raise
            return self._replace(path, error)

    def _replace(self, path: Path, error: Exception) -> sqlite3.Connection:
        """Set a damaged file aside together with its write-ahead log, and go on with what reads of it."""
        _log.warning("The database is damaged: %s", error)
        new = _beside(path)
        saved = _fill_anew(new, self._key, rows(path))
        aside = set_aside(path)
        for suffix in _SIDE_FILES:
            with suppress(FileNotFoundError):
                side = path.with_name(path.name + suffix)
                side.rename(aside.with_name(aside.name + suffix))
        new.rename(path)
        words = _saved_words(saved)
        self._add_notice(f"The stored hands were damaged: {words}; the old file is kept as {aside.name}.")
        return _connect(path)

    def _mend(self, error: Exception) -> None:
        """Do the same with a file whose damage shows while it is in use."""
        assert self._path is not None
        with suppress(sqlite3.Error):
            self._database.close()
        self.repairs += 1
        self.notice = ""  # said already
        try:
            self._database = self._replace(self._path, error)
        except (OSError, sqlite3.Error) as failure:
            self.notice = f"The stored hands are damaged ({failure}); from here on nothing is stored."
            self._database = self._give_up()

    def close(self) -> None:
        """Close the file, which folds the write-ahead log into it; nothing can be stored afterwards.

        Waits for a call that another thread is in: SQLite must not be closed under it.
        """
        with QMutexLocker(self._mutex):
            self._is_open = False
            self._database.close()

    # Writing

    def add_session(self, started: datetime, config: GameConfig, state: Struct) -> int:
        """Store a new session and give its number.

        Raises
        ------
        StoreError
            From this and every method below: if the disk is full, the file gone or damaged.
        """
        hidden = encode(structs.replace(config, seed=0)).decode()
        values = (
            started.isoformat(timespec="seconds"),
            hidden,
            self._key.seal(str(config.seed).encode()),
            encode(state).decode(),
        )
        return self._insert("INSERT INTO sessions (started, config, seed, state) VALUES (?, ?, ?, ?)", values)

    def save_state(self, session_id: int, state: Struct) -> None:
        """Store the dealer between two hands, as after a top-up."""
        values = (encode(state).decode(), session_id)
        self._insert("UPDATE sessions SET state = ? WHERE id = ?", values)

    def begin_hand(self, session_id: int, number: int, state: Struct) -> int:
        """Store that a hand begins from a dealer's state, and give the hand's number in the store."""
        values = (session_id, number, encode(state).decode())
        return self._insert("INSERT INTO hands (session, number, state) VALUES (?, ?, ?)", values)

    def add_action(self, hand_id: int, position: int, action: Action, packed_trace: bytes | None = None) -> None:
        """Store one action, with why it was taken, sealed, and none after it; on the disk when this returns.

        Parameters
        ----------
        hand_id, position : int
        action : Action
        packed_trace : bytes, optional
            By `pack_traces`, of this one.
        """
        sealed = self._key.seal(packed_trace) if packed_trace is not None else None
        values = (hand_id, position, encode(action).decode(), sealed)

        def write(database: sqlite3.Connection) -> None:
            # Damaged ones may stand there, before which the hand was resumed.
            database.execute("DELETE FROM actions WHERE hand = ? AND position >= ?", values[:2])
            database.execute("INSERT INTO actions VALUES (?, ?, ?, ?)", values)

        self._write(write)

    def finish_hand(
        self,
        hand_id: int,
        observation: Observation,
        state: Struct,
        hole_cards: Mapping[Seat, HoleCards],
        packed_traces: bytes | None = None,
    ) -> None:
        """Store a hand's end, open from now on, and the dealer after it, both or neither.

        Parameters
        ----------
        hand_id : int
        observation : Observation
            The person's.
        state : Struct
            The dealer after it.
        hole_cards : mapping of int to HoleCards
            Of every seat dealt in.
        packed_traces : bytes, optional
            By `pack_traces`, of all its decisions.
        """
        ended = (pack(observation), encode(dict(hole_cards)).decode(), packed_traces, hand_id)

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "UPDATE hands SET observation = ?, hole_cards = ?, traces = ?, state = '' WHERE id = ?", ended
            )
            database.execute("DELETE FROM actions WHERE hand = ?", (hand_id,))
            database.execute(
                "UPDATE sessions SET state = ? WHERE id = (SELECT session FROM hands WHERE id = ?)",
                (encode(state).decode(), hand_id),
            )

        self._write(write)

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

        self._write(write)

    def save_memory(self, session_id: int, part: str, hand: int, memory: bytes) -> None:
        """Store what was learned in a session up to a hand, in the place of what was stored of this part before."""
        values = (session_id, part, hand, memory)
        self._insert("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?)", values)

    def delete_sessions(self, session_ids: Iterable[int]) -> None:
        """Delete sessions with all their hands, for good; the file shrinks by what they took."""
        numbers = [(number,) for number in session_ids]

        def write(database: sqlite3.Connection) -> None:
            hands = "(SELECT id FROM hands WHERE session = ?)"
            database.executemany(f"DELETE FROM actions WHERE hand IN {hands}", numbers)
            for table in ("hands", "memories"):
                database.executemany(f"DELETE FROM {table} WHERE session = ?", numbers)
            database.executemany("DELETE FROM sessions WHERE id = ?", numbers)

        self._write(write)
        self._read(_give_back)

    # Reading

    def sessions(self) -> tuple[StoredSession, ...]:
        """Give all sessions, the newest first."""
        found = self._read(
            lambda database: database.execute(
                "SELECT id, started, config, state, (SELECT count(*) FROM hands WHERE session = sessions.id),"
                " result IS NOT NULL FROM sessions ORDER BY id DESC"
            ).fetchall()
        )
        return tuple(map(_stored_session, found))

    def sizes(self) -> dict[int, int]:
        """Give each session's share of the file in bytes, by its number; reads the beginning of every row."""

        def read(database: sqlite3.Connection) -> Counter[int]:
            sizes: Counter[int] = Counter()
            for query in _SIZES:
                for session, size in database.execute(query):
                    sizes[session] += size
            return sizes

        sizes = self._read(read)
        whole = sum(sizes.values())
        return {session: round(self.size * size / whole) for session, size in sizes.items()}

    def config(self, session_id: int) -> GameConfig:
        """Give the game of a session, with its seed.

        Raises
        ------
        StoreError
            If there is no such session.
        StoredDataError
            If it is damaged, or its seed was sealed with a key that is lost.
        """
        row = self._read(
            lambda database: database.execute(
                "SELECT config, seed FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
        )
        if row is None:
            raise StoreError("That session is not stored any more.")
        return self._unsealed(*row)

    def _unsealed(self, config: bytes, seed: bytes | None) -> GameConfig:
        game = decode(config, GameConfig)
        return game if seed is None else structs.replace(game, seed=int(self._key.open(seed)))

    def hands(self, session_id: int, after: int = 0) -> tuple[StoredHand, ...]:
        """Give a session's hands in order, those after the hand of a number; only the last can be unfinished."""

        def read(database: sqlite3.Connection) -> tuple[StoredHand, ...]:
            found = database.execute(
                "SELECT id, number, state, observation, hole_cards FROM hands"
                " WHERE session = ? AND number > ? ORDER BY number",
                (session_id, after),
            ).fetchall()
            return tuple(_stored_hand(database, row) for row in found)

        return self._read(read)

    def traces(self, hand_id: int) -> tuple[Trace, ...]:
        """Give the traces of a hand's bot decisions, in the order they were made."""

        def read(database: sqlite3.Connection) -> tuple[Trace, ...]:
            found = database.execute("SELECT traces FROM hands WHERE id = ?", (hand_id,)).fetchone()
            if found is not None and found[0] is not None:
                return unpack_traces(found[0])
            query = "SELECT trace FROM actions WHERE hand = ? AND trace IS NOT NULL ORDER BY position"
            return tuple(self._trace(row[0]) for row in database.execute(query, (hand_id,)))

        return self._read(read)

    def _trace(self, data: bytes) -> Trace:
        """Read the trace of a single action."""
        opened = self._key.open(data) if is_sealed(data) else data
        try:
            (trace,) = unpack_traces(opened)
        except StoredDataError:
            return _trace_of_version_1(opened)
        return trace

    def memory(self, session_id: int, part: str) -> tuple[int, bytes] | None:
        """Give what was learned in a session and the number of the last hand in it, None if nothing is stored."""
        found: tuple[int, bytes] | None = self._read(
            lambda database: database.execute(
                "SELECT hand, memory FROM memories WHERE session = ? AND part = ?", (session_id, part)
            ).fetchone()
        )
        return found

    @property
    def size(self) -> int:
        """Bytes of the file, as they are once the write-ahead log is folded in."""
        pages: int = self._read(lambda database: database.execute("PRAGMA page_count").fetchone()[0])
        return pages * PAGE_BYTES

    @property
    def is_full(self) -> bool:
        """Whether the file has reached the user's limit."""
        return self.is_kept and self.limit is not None and self.size >= self.limit

    # Inside

    def _insert(self, statement: str, values: tuple[object, ...]) -> int:
        """Do one statement in a transaction of its own; give the number of the row if it inserts one."""
        return self._write(lambda database: database.execute(statement, values).lastrowid or 0)

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def transact(database: sqlite3.Connection) -> T:
            with database:
                return work(database)

        return self._do(transact, "This could not be stored")

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self._do(work, "Stored hands could not be read")

    def _do(self, work: Callable[[sqlite3.Connection], T], failure: str) -> T:
        """Use the database; where that shows damage, mend it and try once more."""
        with QMutexLocker(self._mutex):
            if not self._is_open:
                raise StoreError("The stored hands are closed already.")
            try:
                try:
                    return work(self._database)
                except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                    if not self.is_kept or not _is_damage(error):
                        raise
                    self._mend(error)
                    return work(self._database)
            except (sqlite3.Error, StoredDataError, UnicodeDecodeError) as error:
                _log.warning("%s: %s", failure, error)
                raise StoreError(f"{failure}: {error}.") from error


class _ForeignError(sqlite3.DatabaseError):
    """A database, but not ours or not whole."""


class _NewerError(Exception):
    """A database of a later version of this app."""


class _BusyError(Exception):
    """A database that another process owns."""


class _OlderError(Exception):
    """A database of an earlier version of this app, open."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database


def _code(error: Exception) -> int:
    """Give SQLite's primary result code, the low byte of the extended one."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: Exception) -> bool:
    return isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGED


def _saved_words(saved: tuple[int, int]) -> str:
    hands, sessions = saved
    if not hands:
        return "no hand of them could be read, so a new file was begun"
    return (
        f"{hands:,} hand{'s' * (hands != 1)} of {sessions:,} session{'s' * (sessions != 1)} "
        "could be read and are in a new file"
    )


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".new")


# Opening


def _in_memory() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.text_factory = bytes
    database.execute("PRAGMA foreign_keys = ON")
    database.executescript(_SCHEMA)
    return database


def _connect(path: Path) -> sqlite3.Connection:
    """Open and check a file of the current schema."""
    if not _has_sound_header(path):
        raise _ForeignError("it does not begin as a database does")
    for suffix in ("", *_SIDE_FILES):
        with suppress(OSError):
            path.with_name(path.name + suffix).chmod(0o600)
    database = sqlite3.connect(path, timeout=0, check_same_thread=False)
    try:
        database.text_factory = bytes  # damaged text is no text
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("BEGIN EXCLUSIVE")  # takes the lock, which locking_mode then never gives back
        database.rollback()
        _check(database, path)
    except _OlderError:
        raise
    except sqlite3.DatabaseError as error:
        database.close()
        if _code(error) in _BUSY:
            raise _BusyError from error
        raise
    except BaseException:
        database.close()
        raise
    return database


def _has_sound_header(path: Path) -> bool:
    """Whether a file begins as ours do, so that SQLite takes it neither for empty nor for another's."""
    try:
        if path.stat().st_size % PAGE_BYTES:
            return False
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return True  # it is the disk that fails, and SQLite says how
    fixed = (
        b"SQLite format 3\0" + PAGE_BYTES.to_bytes(2, "big"),
        bytes((0, 64, 32, 32)),
        (4).to_bytes(4, "big"),
        (1).to_bytes(4, "big"),
    )
    found = (head[:18], head[20:24], head[44:48], head[56:60])
    return found == fixed and {head[18], head[19]} <= {1, 2} and not any(head[72:92])


def _check(database: sqlite3.Connection, path: Path) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    schema = database.execute(_SCHEMA_QUERY).fetchall()
    if schema != _expected_schema():
        if database.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID or version < 1:
            raise _ForeignError("it is no database of Soulread")
        if version > SCHEMA_VERSION:
            raise _NewerError(
                f"The stored hands were written by a newer Soulread (version {version} of their form)."
            )
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if version == SCHEMA_VERSION or not {b"sessions", b"hands", b"actions"} <= tables:
            raise _ForeignError("its tables are not as they should be")
        _check_pages(database, path)
        raise _OlderError(database)
    if version != SCHEMA_VERSION:
        raise _ForeignError(f"its version is {version}, and its tables are of another")
    _check_pages(database, path)


def _check_pages(database: sqlite3.Connection, path: Path) -> None:
    if path.stat().st_size <= _CHECKED_BYTES:
        answer = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if answer != b"ok":
            raise _ForeignError(answer.decode(errors="replace"))
        if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise _ForeignError("a row belongs to another one that is not there")


# The length of a blob is known without reading it.
_SIZES = (
    "SELECT id, 200 + length(config) + length(state) + coalesce(length(result), 0) FROM sessions",
    "SELECT session, sum(100 + length(state) + coalesce(length(hole_cards), 0) + coalesce(length(observation), 0)"
    " + coalesce(length(traces), 0)) FROM hands GROUP BY session",
    "SELECT session, sum(30 + length(action) + coalesce(length(trace), 0)) FROM actions"
    " JOIN hands ON hands.id = hand GROUP BY session",
    "SELECT session, sum(length(memory)) FROM memories GROUP BY session",
)

_SCHEMA_QUERY = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


@cache
def _expected_schema() -> list[tuple[object, ...]]:
    database = _in_memory()
    try:
        return database.execute(_SCHEMA_QUERY).fetchall()
    finally:
        database.close()


def _give_back(database: sqlite3.Connection) -> None:
    """Let the file shrink by its free pages."""
    # As a script: by `execute` a single page would be given back.
    database.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")


def _stored_session(row: tuple[int, bytes, bytes, bytes, int, int]) -> StoredSession:
    session_id, text, config, state, hands, is_finished = row
    try:
        started = datetime.fromisoformat(text.decode())
    except ValueError:
        started = _LOST_TIME
    return StoredSession(session_id, started, config, state, hands, bool(is_finished))


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


def _sound_actions(database: sqlite3.Connection, hand_id: int) -> Iterator[Action]:
    """Give the actions of a running hand, up to one that is damaged or missing."""
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


# Filling a new file with the rows of another


def _begin(path: Path, key: Key) -> None:
    """Make an empty file, in one go; one that another process made meanwhile stays."""
    new = _beside(path)
    _fill_anew(new, key, [])
    if path.exists():
        new.unlink()
    else:
        new.rename(path)


def _bring_up_to_date(path: Path, key: Key, old: sqlite3.Connection) -> None:
    """Put a file of today's schema in the place of an earlier version's, which has secrets in the open."""
    new = _beside(path)
    with closing(old):
        _fill_anew(new, key, _rows_of(old))
    for suffix in _SIDE_FILES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    new.replace(path)


def _fill_anew(new: Path, key: Key, found: Iterable[Row]) -> tuple[int, int]:
    """Make a database beside, and give how many hands of how many sessions it holds."""
    new.unlink(missing_ok=True)
    make_private_file(new)
    database = sqlite3.connect(new)
    try:
        database.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        database.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL_VACUUM}")
        database.execute("PRAGMA journal_mode = MEMORY")  # if this fails, the file is thrown away
        database.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION_ID};"
            f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
        with database:
            saved = _Filling(database, key).fill(found)
    except BaseException:
        database.close()
        new.unlink(missing_ok=True)
        raise
    database.close()
    return saved


def _rows_of(database: sqlite3.Connection) -> Iterator[Row]:
    """Give all rows of a sound file."""
    for table in ("sessions", "hands", "actions"):
        for values in database.execute(f"SELECT rowid, * FROM {table}"):
            yield Row(values[0], values[1:])


class _Filling:
    """Takes rows of whatever table and version in, and leaves out what makes no sense.

    Parameters
    ----------
    database : sqlite3.Connection
        With empty tables, in a transaction.
    key : Key
        Seals what an earlier version left open.
    """

    def __init__(self, database: sqlite3.Connection, key: Key) -> None:
        self._database = database
        self._key = key

    def fill(self, found: Iterable[Row]) -> tuple[int, int]:
        """Take rows in, in any order, and give how many hands of how many sessions that makes."""
        for row in found:
            try:
                self._take(row.number, row.values)
            except (StoredDataError, ValueError, sqlite3.IntegrityError) as error:
                _log.info("A stored row is left out: %s", error)
        database = self._database
        self._make_lost_sessions()
        database.execute("DELETE FROM memories WHERE session NOT IN (SELECT id FROM sessions)")
        database.execute(
            "DELETE FROM actions WHERE hand NOT IN (SELECT id FROM hands) OR hand IN"
            " (SELECT id FROM hands WHERE observation IS NOT NULL AND (traces IS NOT NULL OR trace IS NULL))"
        )
        found_hands, found_sessions = database.execute(
            "SELECT count(*), count(DISTINCT session) FROM hands"
        ).fetchone()
        return found_hands, found_sessions

    def _take(self, number: int, values: tuple[object, ...]) -> None:
        match values:
            case [_, bytes() as started, bytes() as config, bytes() as state, (None | bytes()) as result]:
                self._take_session(number, started, config, None, state, result)
            case [_, bytes() as started, bytes() as config, (None | bytes()) as seed, bytes() as state,
                  (None | bytes()) as result]:  # fmt: skip
                self._take_session(number, started, config, seed, state, result)
            case [_, int() as session, int() as hand, bytes() as state, (None | bytes()) as observation]:
                self._take_hand(number, session, hand, state, (None, observation, None))
            case [_, int() as session, int() as hand, bytes() as state, (None | bytes()) as cards,
                  (None | bytes()) as observation, (None | bytes()) as traces]:  # fmt: skip
                self._take_hand(number, session, hand, state, (cards, observation, traces))
            case [int() as hand, int() as position, bytes() as action, (None | bytes()) as trace]:
                self._take_action(hand, position, action, trace)
            case [int() as session, bytes() as part, int() as hand, bytes() as memory]:
                row = (session, part.decode(), hand, memory)
                self._database.execute("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?)", row)

    def _take_session(
        self, number: int, started: bytes, config: bytes, seed: bytes | None, state: bytes, result: bytes | None
    ) -> None:
        datetime.fromisoformat(started.decode())
        game = decode(config, GameConfig)
        game.verify()
        if result is None and seed is None:  # an earlier version left the seed of a session open
            seed = self._key.seal(str(game.seed).encode())
        shown = game if seed is None else structs.replace(game, seed=0)
        kept = encode(decode(state, DealerState)).decode()
        row = (number, started.decode(), encode(shown).decode(), seed, kept, result and result.decode())
        self._database.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)", row)

    def _take_hand(
        self,
        number: int,
        session: int,
        hand: int,
        state: bytes,
        rest: tuple[bytes | None, bytes | None, bytes | None],
    ) -> None:
        cards, observation, traces = rest
        if observation is None:
            decode(state, DealerState)
        else:
            StoredHand(number, hand, state, (), observation, {}).final_observation()
        kept = encode(decode(state, DealerState)).decode() if state else ""  # without the seed of earlier versions
        row = (number, session, hand, kept, cards and cards.decode(), observation, traces)
        self._database.execute("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _take_action(self, hand: int, position: int, action: bytes, trace: bytes | None) -> None:
        decode(action, Action)
        if trace is not None and not is_sealed(trace):
            trace = self._key.seal(trace)
        row = (hand, position, action.decode(), trace)
        self._database.execute("INSERT OR REPLACE INTO actions VALUES (?, ?, ?, ?)", row)

    def _make_lost_sessions(self) -> None:
        """Give hands whose session is lost one that has ended, by what the first of them tells of it."""
        self._database.execute(
            "DELETE FROM hands WHERE observation IS NULL AND session NOT IN (SELECT id FROM sessions)"
        )
        lost = self._database.execute(
            "SELECT session, max(number), min(observation) FROM hands"
            " WHERE session NOT IN (SELECT id FROM sessions) GROUP BY session"
        ).fetchall()
        for session, hands, observation in lost:
            final = StoredHand(0, 0, b"", (), observation, {}).final_observation()
            config, state = _told_by(final, hands)
            row = (session, _LOST_TIME.isoformat(), encode(config).decode(), None, encode(state).decode(), "{}")
            self._database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", row)


_LOST_TIME = datetime(1970, 1, 1)
"""When a session began that does not tell any more."""


def _told_by(final: Observation, hands: int) -> tuple[GameConfig, DealerState]:
    """Give the game as one of its hands tells of it."""
    started = final.events[0]
    if not isinstance(started, HandStarted):
        raise StoredDataError("The events of a stored hand do not begin with its start.")
    names = {start.seat: start.name for start in started.seats}
    seats = tuple(
        SeatConfig(names.get(seat, f"Seat {seat + 1}"), HUMAN if seat == final.seat else "random")
        for seat in range(max(names) + 1)
    )
    stack = max(start.stack for start in started.seats)
    config = GameConfig(
        kind=GameKind(final.kind),
        seats=seats,
        starting_stack=stack,
        small_blind=final.small_blind,
        big_blind=final.big_blind,
        ante=final.ante,
    )
    return config, DealerState(hands, (SeatRecord(stack, stack),) * len(seats))
