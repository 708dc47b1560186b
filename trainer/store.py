"""Sessions, hands and traces in SQLite: every action is on the disk before it is shown.

The file is written in WAL mode with full synchronisation, each action in a transaction of its own, so neither
`kill -9` nor a power cut loses or halves anything that was on the screen. One running app owns the file: it keeps
SQLite's exclusive lock, which the system releases however the process ends, and a second app plays in memory.
"""

import logging
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QMutex, QMutexLocker

from engine.agents.agent import Trace
from engine.codec import StoredDataError, decode, encode
from engine.game.events import Action
from engine.game.observation import Observation
from trainer.settings import set_aside

_log = logging.getLogger(__name__)

SCHEMA_VERSION = 1
"""Raised with every change of `_SCHEMA`, together with a step in `_MIGRATIONS`."""

_APPLICATION_ID = 0x536F756C  # "Soul": the mark by which a database is known as ours
_CHECKED_BYTES = 64_000_000  # larger files are not read through at every start
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_SCHEMA = """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,          -- ISO 8601, local time
    config TEXT NOT NULL,           -- the game, JSON
    state TEXT NOT NULL,            -- the dealer between two hands, JSON
    result TEXT                     -- how it went, JSON; NULL while it can be resumed
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,            -- the dealer before the hand, JSON: with the actions it gives the whole hand
    observation TEXT,               -- the human's at the end, all public events included; NULL while it runs
    UNIQUE (session, number)
);
CREATE TABLE actions (
    hand INTEGER NOT NULL REFERENCES hands (id),
    position INTEGER NOT NULL,      -- 0, 1, 2 ... within the hand
    action TEXT NOT NULL,           -- JSON
    trace BLOB,                     -- why, zlib-compressed JSON; NULL for the human
    PRIMARY KEY (hand, position)
);
"""

_MIGRATIONS: dict[int, str] = {}
"""SQL that turns schema version n into n + 1."""


class StoreError(ValueError):
    """Something that cannot be stored or read back; the message is one sentence for the user."""


class StoredSession(Struct, frozen=True):
    """A session in the store.

    Attributes
    ----------
    session_id : int
    started : datetime
    config, state : bytes
        JSON of the game, and of the dealer between two hands.
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
        JSON of the dealer before it.
    actions : tuple of Action
        All actions taken, in order.
    observation : bytes
        JSON of the human's observation at its end; empty while it runs.
    """

    hand_id: int
    number: int
    state: bytes
    actions: tuple[Action, ...]
    observation: bytes

    @property
    def is_finished(self) -> bool:
        """Whether the hand was played to its end."""
        return bool(self.observation)

    def final_observation(self) -> Observation:
        """Read the human's observation at the end of a finished hand."""
        return decode(self.observation, Observation)


def pack_trace(trace: Trace) -> bytes:
    """Give the stored form of a trace; some milliseconds, so workers do it."""
    return zlib.compress(encode(trace), 1)


def unpack_trace(data: bytes) -> Trace:
    """Read a stored trace.

    Raises
    ------
    StoredDataError
        If the bytes are damaged.
    """
    try:
        return decode(zlib.decompress(data), Trace)
    except zlib.error as error:
        raise StoredDataError(f"The stored trace cannot be unpacked: {error}") from error


class Store:
    """The database, open; safe to call from any thread.

    Parameters
    ----------
    path : Path or None
        The file, made with its folder if need be; None keeps everything in memory.

    Attributes
    ----------
    notice : str
        One sentence if the file could not be used as it was, or "".
    is_kept : bool
        Whether what is stored outlives the process.
    why_not_stored : str
        One sentence as long as nothing is stored although it should be, otherwise "".
    """

    def __init__(self, path: Path | None) -> None:
        self.notice = ""
        self.why_not_stored = ""
        self.is_kept = path is not None
        self._mutex = QMutex()
        self._is_open = True
        self._database = self._open(path) if path is not None else _connect(None)

    def _open(self, path: Path) -> sqlite3.Connection:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _connect(path)
        except _NewerError as error:
            self.notice = f"{error} It is left as it is; this session is not stored."
        except sqlite3.DatabaseError as error:
            if _code(error) in _BUSY:
                self.notice = "Soulread is already running and owns the stored hands; this session is not stored."
            elif _code(error) in _DAMAGED or isinstance(error, _ForeignError):
                return self._replace(path, error)
            else:
                _log.warning("The database cannot be opened: %s", error)
                self.notice = f"The stored hands in {path} cannot be opened ({error}); this session is not stored."
        except OSError as error:
            self.notice = f"The folder {path.parent} cannot be used ({error}); this session is not stored."
        return self._in_memory()

    def _in_memory(self) -> sqlite3.Connection:
        """Keep nothing: the notice, which says why, stays true."""
        self.is_kept = False
        self.why_not_stored = self.notice
        return _connect(None)

    def _replace(self, path: Path, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """Set a damaged file aside together with its write-ahead log, and begin a new one."""
        _log.warning("The database is damaged: %s", error)
        try:
            aside = set_aside(path)
            for suffix in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
            database = _connect(path)
        except (OSError, sqlite3.DatabaseError) as failure:
            self.notice = f"The stored hands in {path} are damaged ({failure}); this session is not stored."
            return self._in_memory()
        self.notice = (
            f"The stored hands were damaged, so a new file was begun; the old one is kept as {aside.name}."
        )
        return database

    def close(self) -> None:
        """Close the file, which folds the write-ahead log into it; nothing can be stored afterwards.

        Waits for a call that another thread is in: SQLite must not be closed under it.
        """
        with QMutexLocker(self._mutex):
            self._is_open = False
            self._database.close()

    def add_session(self, started: datetime, config: Struct, state: Struct) -> int:
        """Store a new session and give its number.

        Raises
        ------
        StoreError
            From this and every method below: if the disk is full, the file gone or damaged.
        """
        with self._transaction() as database:
            row = database.execute(
                "INSERT INTO sessions (started, config, state) VALUES (?, ?, ?)",
                (started.isoformat(timespec="seconds"), encode(config).decode(), encode(state).decode()),
            )
            assert row.lastrowid is not None
            return row.lastrowid

    def save_state(self, session_id: int, state: Struct) -> None:
        """Store the dealer between two hands, as after a top-up."""
        with self._transaction() as database:
            database.execute("UPDATE sessions SET state = ? WHERE id = ?", (encode(state).decode(), session_id))

    def begin_hand(self, session_id: int, number: int, state: Struct) -> int:
        """Store that a hand begins from a dealer's state, and give the hand's number in the store."""
        with self._transaction() as database:
            row = database.execute(
                "INSERT INTO hands (session, number, state) VALUES (?, ?, ?)",
                (session_id, number, encode(state).decode()),
            )
            assert row.lastrowid is not None
            return row.lastrowid

    def add_action(self, hand_id: int, position: int, action: Action, packed_trace: bytes | None = None) -> None:
        """Store one action, with why it was taken; on the disk when this returns."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO actions VALUES (?, ?, ?, ?)",
                (hand_id, position, encode(action).decode(), packed_trace),
            )

    def finish_hand(self, hand_id: int, observation: Observation, state: Struct) -> None:
        """Store a hand's end and the dealer after it, both or neither."""
        with self._transaction() as database:
            database.execute(
                "UPDATE hands SET observation = ? WHERE id = ?", (encode(observation).decode(), hand_id)
            )
            database.execute(
                "UPDATE sessions SET state = ? WHERE id = (SELECT session FROM hands WHERE id = ?)",
                (encode(state).decode(), hand_id),
            )

    def finish_session(self, session_id: int, result: Struct) -> None:
        """Store a session's result; it is not offered for resuming any more."""
        with self._transaction() as database:
            database.execute("UPDATE sessions SET result = ? WHERE id = ?", (encode(result).decode(), session_id))

    def sessions(self) -> tuple[StoredSession, ...]:
        """Give all sessions, the newest first."""
        with self._reading() as database:
            rows = database.execute(
                "SELECT id, started, config, state, result IS NOT NULL,"
                " (SELECT count(*) FROM hands WHERE session = sessions.id) FROM sessions ORDER BY id DESC"
            ).fetchall()
            return tuple(
                StoredSession(
                    session_id=row[0],
                    started=datetime.fromisoformat(row[1]),
                    config=row[2].encode(),
                    state=row[3].encode(),
                    hands=row[5],
                    is_finished=bool(row[4]),
                )
                for row in rows
            )

    def hands(self, session_id: int) -> tuple[StoredHand, ...]:
        """Give a session's hands in order; only the last can be unfinished."""
        with self._reading() as database:
            actions: dict[int, list[Action]] = {}
            for hand_id, text in database.execute(
                "SELECT hand, action FROM actions JOIN hands ON hands.id = hand WHERE session = ?"
                " ORDER BY hand, position",
                (session_id,),
            ):
                actions.setdefault(hand_id, []).append(decode(text.encode(), Action))
            rows = database.execute(
                "SELECT id, number, state, observation FROM hands WHERE session = ? ORDER BY number", (session_id,)
            ).fetchall()
            return tuple(
                StoredHand(row[0], row[1], row[2].encode(), tuple(actions.get(row[0], ())), (row[3] or "").encode())
                for row in rows
            )

    def traces(self, hand_id: int) -> tuple[Trace, ...]:
        """Give the traces of a hand's bot decisions, in the order they were made."""
        with self._reading() as database:
            rows = database.execute(
                "SELECT trace FROM actions WHERE hand = ? AND trace IS NOT NULL ORDER BY position", (hand_id,)
            ).fetchall()
            return tuple(unpack_trace(row[0]) for row in rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with QMutexLocker(self._mutex):
            self._verify_open()
            try:
                with self._database as database:
                    yield database
            except sqlite3.Error as error:
                _log.exception("Storing failed")
                raise StoreError(f"This could not be stored: {error}.") from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with QMutexLocker(self._mutex):
            self._verify_open()
            try:
                yield self._database
            except (sqlite3.Error, StoredDataError) as error:
                _log.exception("Reading the store failed")
                raise StoreError(f"Stored hands could not be read: {error}.") from error

    def _verify_open(self) -> None:
        if not self._is_open:
            raise StoreError("The stored hands are closed already.")


class _ForeignError(sqlite3.DatabaseError):
    """A database, but not ours or not whole."""


class _NewerError(Exception):
    """A database of a later version of this app."""


def _code(error: sqlite3.DatabaseError) -> int:
    """Give SQLite's primary result code, the low byte of the extended one."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _connect(path: Path | None) -> sqlite3.Connection:
    """Open and check a database, or make an empty one with the current schema."""
    database = sqlite3.connect(path if path is not None else ":memory:", timeout=0, check_same_thread=False)
    try:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("BEGIN EXCLUSIVE")  # takes the lock, which locking_mode then never gives back
        database.rollback()
        _check(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _check(database: sqlite3.Connection, path: Path | None) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    is_empty = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if is_empty:
        database.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION_ID};"
            f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
        return
    if database.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID or version < 1:
        raise _ForeignError("it is no database of Soulread")
    if version > SCHEMA_VERSION:
        raise _NewerError(f"The stored hands were written by a newer Soulread (version {version} of their form).")
    for step in range(version, SCHEMA_VERSION):
        database.executescript(f"BEGIN; {_MIGRATIONS[step]} PRAGMA user_version = {step + 1}; COMMIT;")
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"sessions", "hands", "actions"} <= tables:
        raise _ForeignError("a table is missing")
    assert path is not None
    if path.stat().st_size <= _CHECKED_BYTES:
        answer = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if answer != "ok":
            raise _ForeignError(answer)
