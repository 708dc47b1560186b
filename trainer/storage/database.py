"""The file of the stored hands: opened, checked, and set aside where it is damaged, so that the rest goes on.

It is written in WAL mode with full synchronisation. One running app owns it: it keeps SQLite's exclusive lock,
which the system releases however the process ends, and a second app plays in memory. A file that is damaged, when
it is opened or later, is set aside, and what reads of it goes on in a new one.
"""

import logging
import os.path
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QMutex, QMutexLocker, QThread

from engine.atomic_file import is_open_to_others, make_private_folder
from engine.codec import StoredDataError
from engine.words import counted
from trainer.settings import set_aside
from trainer.storage.backup import SIDE_FILES, prepare, take_restored, to_be_restored, write_copy
from trainer.storage.salvage import PAGE_BYTES, Row, rows
from trainer.storage.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    expected_tables,
    in_memory,
    refill,
    rows_of,
    tables_of,
)
from trainer.storage.seal import Key, stored_key
from trainer.storage.stored import StoreError

_log = logging.getLogger(__name__)

T = TypeVar("T")

_VACUUMED_PAGES = 500
"""Given back to the disk before others get their turn at the file: 2 MB."""
_TURN_MICROSECONDS = 300
_TOLD_ROWS = 500
_QUICKLY_READ = 4_000_000
_CHECKED_BYTES = 64_000_000  # larger files are not read through at every start
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


class DatabaseFile:
    """The database, open; safe to use from any thread.

    Without a path everything is kept in memory. The key, by default in a file next to it, seals what is hidden.
    While it is opened `tell` is called with the rows read so far of a file of an earlier version or a damaged one.
    """

    def __init__(
        self, path: Path | None, key_path: Path | None = None, tell: Callable[[int], object] | None = None
    ) -> None:
        self._tell = tell
        self.notice = ""  # one sentence if the file could not be used as it was, or ""
        self.why_not_stored = ""  # one sentence as long as nothing is stored although it should be, otherwise ""
        self.is_kept = path is not None  # whether what is stored outlives the process
        # how often the file was found damaged while it was in use; `notice` then is of the last time
        self.repairs = 0
        self.key = Key(b"in memory")
        self._path = path
        self._mutex = QMutex()
        self._is_open = True
        if path is None:
            self._database = in_memory()
        else:
            self._database = self._open(path, key_path or path.with_suffix(".key"))
        self._tell = None

    @property
    def size(self) -> int:
        """Bytes of the file, as they are once the write-ahead log is folded in."""
        pages: int = self.read(lambda database: database.execute("PRAGMA page_count").fetchone()[0])
        return pages * PAGE_BYTES

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query finds. Raise StoreError if the file cannot be read, or is closed."""
        return self._do(work, "Stored hands could not be read")

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Change the database in one transaction, on the disk when this returns; raise StoreError if it cannot."""

        def transact(database: sqlite3.Connection) -> T:
            with database:
                return work(database)

        return self._do(transact, "This could not be stored")

    def insert(self, statement: str, values: tuple[object, ...]) -> int:
        """Do one statement in a transaction of its own; return the number of the row if it inserts one."""
        return self.write(lambda database: database.execute(statement, values).lastrowid or 0)

    def shrink(self) -> None:
        """Give the pages of deleted rows back to the disk."""
        # As a script: by `execute` a single page would be given back.
        script = f"PRAGMA incremental_vacuum({_VACUUMED_PAGES});"
        before, left = 0, -1
        while left != before:
            before = left
            left = self.read(
                lambda database: database.executescript(script).execute("PRAGMA freelist_count").fetchone()[0]
            )
        self.read(lambda database: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    def backup(self, target: Path) -> None:
        """Copy the file as it is into one file, in steps between which others use it.

        Raise StoreError if nothing is stored, or the copy cannot be written.
        """
        self._require_path(target)
        with QMutexLocker(self._mutex):
            if not self._is_open:
                raise StoreError("The stored hands are closed already.")
            database = self._database

            def give_way() -> None:
                self._mutex.unlock()
                QThread.usleep(_TURN_MICROSECONDS)  # or this thread takes it again before another has woken up
                self._mutex.lock()
                if not self._is_open or self._database is not database:
                    raise StoreError("The stored hands were closed or mended while they were copied.")

            try:
                write_copy(database, target, give_way)
            except OSError as error:
                raise StoreError(f"{target} cannot be written: {error.strerror or error}.") from error
            except sqlite3.Error as error:
                raise StoreError(f"{target} cannot be written: {error}.") from error

    def prepare_restore(self, backup: Path) -> tuple[int, int]:
        """Check a backup and put it in the place of the file when that is opened next; return hands and sessions.

        Raise StoreError, with nothing changed, if it is no backup, damaged or of a newer version.
        """
        return prepare(backup, self._require_path(backup), self.key)

    def _require_path(self, other: Path) -> Path:
        """Return where the file is; raise StoreError if nothing is stored, or that is the other."""
        if self._path is None or not self.is_kept:
            raise StoreError("Nothing is stored just now.")
        if os.path.exists(other) and other.samefile(self._path):
            raise StoreError(f"{other} holds the stored hands themselves.")
        return self._path

    def close(self) -> None:
        """Close the file, which folds the write-ahead log into it; nothing can be stored afterwards.

        Waits for a call that another thread is in: SQLite must not be closed under it.
        """
        with QMutexLocker(self._mutex):
            self._is_open = False
            self._database.close()

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

    def _open(self, path: Path, key_path: Path) -> sqlite3.Connection:
        try:
            for folder in {path.parent, key_path.parent}:
                make_private_folder(folder)
            is_open = is_open_to_others(key_path)
            self.key = stored_key(key_path)
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
                self.key.open(seed)
        except StoredDataError:
            return False
        return True

    def _add_notice(self, sentence: str) -> None:
        self.notice = f"{self.notice} {sentence}".lstrip()

    def _give_up(self) -> sqlite3.Connection:
        """Keep nothing: the notice, which says why, stays true."""
        self.is_kept = False
        self.why_not_stored = self.notice
        return in_memory()

    def _opened(self, path: Path) -> sqlite3.Connection:
        """Open the file, made, restored, brought up to date or saved from damage as need be."""
        try:
            if to_be_restored(path).exists():
                _require_unused(path)
                self._add_notice(take_restored(path))
            if not path.exists():
                _begin(path, self.key)
            try:
                return _connect(path)
            except _OlderError as error:
                self._bring_up_to_date(path, error.database)
                return _connect(path)
        except (_NewerError, _BusyError):
            raise
        except (sqlite3.Error, UnicodeDecodeError, ValueError) as error:
            # Of a damaged file SQLite may say anything, even what is no text.
            if _code(error) in _UNUSABLE and _has_sound_header(path):
                raise
            return self._replace(path, error)

    def _bring_up_to_date(self, path: Path, old: sqlite3.Connection) -> None:
        """Put a file of today's schema in the place of an earlier version's, which may have secrets in the open."""
        new = _new_file(path)
        with closing(old):
            refill(new, self.key, self._told(rows_of(old)))
        for suffix in SIDE_FILES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        new.replace(path)

    def _told(self, found: Iterator[Row]) -> Iterator[Row]:
        """Yield rows, and now and then tell how many they are by then."""
        for number, row in enumerate(found, start=1):
            yield row
            if self._tell is not None and number % _TOLD_ROWS == 0:
                self._tell(number)

    def _replace(self, path: Path, error: Exception) -> sqlite3.Connection:
        """Set a damaged file aside together with its write-ahead log, and go on with what reads of it."""
        _log.warning("The database is damaged: %s", error)
        new = _new_file(path)
        saved = refill(new, self.key, self._told(rows(path)))
        aside = set_aside(path)
        for suffix in SIDE_FILES:
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


def takes_long_to_open(path: Path) -> bool:
    """Whether a file is of an earlier version and so large that bringing it up to date takes more than a second."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
        size = path.stat().st_size
    except OSError:
        return False
    is_ours = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return is_ours and 0 < int.from_bytes(head[60:64], "big") < SCHEMA_VERSION and size > _QUICKLY_READ


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
    """Return SQLite's primary result code, the low byte of the extended one."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: Exception) -> bool:
    return isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGED


def _saved_words(saved: tuple[int, int]) -> str:
    hands, sessions = saved
    if not hands:
        return "no hand of them could be read, so a new file was begun"
    return f"{counted(hands, 'hand')} of {counted(sessions, 'session')} could be read and are in a new file"


def _new_file(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _connect(path: Path) -> sqlite3.Connection:
    """Open and check a file of the current schema."""
    if not _has_sound_header(path):
        raise _ForeignError("it does not begin as a database does")
    for suffix in ("", *SIDE_FILES):
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


def _require_unused(path: Path) -> None:
    """Raise _BusyError if another process owns a file, whatever is wrong with it otherwise."""
    if not path.exists():
        return
    try:
        _connect(path).close()
    except _OlderError as error:
        error.database.close()
    except (sqlite3.Error, UnicodeDecodeError, ValueError, _NewerError) as error:
        _log.info("What is set aside could not be opened: %s", error)


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
    if tables_of(database) != expected_tables():
        if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID or version < 1:
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


def _begin(path: Path, key: Key) -> None:
    """Make an empty file, in one go; one that another process made meanwhile stays."""
    new = _new_file(path)
    refill(new, key, [])
    if path.exists():
        new.unlink()
    else:
        new.rename(path)
