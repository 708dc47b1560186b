"""Copies of the stored hands in one file, and a copy checked before it takes their place.

What is to be restored is put beside the database, checked and of today's form; it takes its place when the database
is opened next, so nothing in use changes under anybody. What was stored before is set aside, never deleted.
"""

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from engine.atomic_file import make_private_file
from engine.foreign_text import shortened
from trainer.settings import set_aside
from trainer.storage.schema import APPLICATION_ID, SCHEMA_VERSION, expected_tables, refill, rows_of, tables_of
from trainer.storage.seal import Key
from trainer.storage.stored import StoreError

_log = logging.getLogger(__name__)

SIDE_FILES = ("-wal", "-shm")
_PAGES_AT_ONCE = 500
"""Copied before others get their turn at the file: 2 MB."""


def write_copy(database: sqlite3.Connection, target: Path, give_way: Callable[[], object]) -> None:
    """Copy a database as it is into one file, for this user alone; `give_way` is called between steps.

    Raise OSError or sqlite3.Error if it cannot be written; what was there before stays then.
    """
    new = target.with_name(f".{target.name}-{os.getpid()}")
    try:
        make_private_file(new)
        with closing(sqlite3.connect(new)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # it is thrown away if it is not whole
            database.backup(copy, pages=_PAGES_AT_ONCE, progress=lambda *_: give_way())
            copy.execute("PRAGMA journal_mode = DELETE")
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(target)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def to_be_restored(path: Path) -> Path:
    """Return where the file is that takes the place of a database when that is opened next."""
    return path.with_name(path.name + ".restored")


def prepare(backup: Path, path: Path, key: Key) -> tuple[int, int]:
    """Put a checked copy of a backup where the database is restored from; return its hands and sessions.

    Raise StoreError with one sentence if it is no backup, damaged, of a newer version, or cannot be copied.
    """
    name = shortened(backup.name)
    new = path.with_name(path.name + ".checked")
    try:
        if not backup.is_file():
            raise StoreError(f"There is no file {name}.")
        if path.exists() and backup.samefile(path):
            raise StoreError(f"{name} holds the stored hands themselves.")
        with _copied(backup, new) as copy, closing(_checked(copy, name)) as database:
            counted = database.execute("SELECT count(*), count(DISTINCT session) FROM hands").fetchone()
            if tables_of(database) != expected_tables():
                refilled = copy.with_name(copy.name + ".new")
                counted = refill(refilled, key, rows_of(database))
                database.close()
                refilled.replace(copy)
            database.close()
            copy.replace(to_be_restored(path))
    except OSError as error:
        raise StoreError(f"{name} cannot be restored: {error.strerror or error}.") from error
    except (sqlite3.Error, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{name} is damaged and is not restored: {shortened(str(error))}.") from error
    hands, sessions = counted
    return int(hands), int(sessions)


@contextmanager
def _copied(backup: Path, new: Path) -> Iterator[Path]:
    """Copy a file, with what SQLite has written beside it; whatever is left of that in the end is removed."""
    try:
        make_private_file(new)
        shutil.copyfile(backup, new)
        with suppress(FileNotFoundError):
            shutil.copyfile(backup.with_name(backup.name + "-wal"), new.with_name(new.name + "-wal"))
        yield new
    finally:
        for suffix in ("", *SIDE_FILES):
            with suppress(OSError):
                new.with_name(new.name + suffix).unlink(missing_ok=True)


def _checked(copy: Path, name: str) -> sqlite3.Connection:
    """Open a copy that is ours, of no newer version, and sound in every page."""
    with copy.open("rb") as file:
        head = file.read(100)
    version = int.from_bytes(head[60:64], "big")
    if not head.startswith(b"SQLite format 3\0") or head[68:72] != APPLICATION_ID.to_bytes(4, "big") or not version:
        raise StoreError(f"{name} is no backup of Soulread's stored hands.")
    if version > SCHEMA_VERSION:
        raise StoreError(f"{name} was written by a newer Soulread (version {version} of its form).")
    database = sqlite3.connect(copy)
    try:
        database.text_factory = bytes
        database.execute("PRAGMA journal_mode = DELETE")
        answer = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if answer != b"ok":
            raise StoreError(
                f"{name} is damaged and is not restored: {shortened(answer.decode(errors='replace'))}."
            )
        if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(f"{name} is damaged and is not restored: a row belongs to one that is not there.")
        if version == SCHEMA_VERSION and tables_of(database) != expected_tables():
            raise StoreError(f"{name} is damaged and is not restored: its tables are not as they should be.")
    except BaseException:
        database.close()
        raise
    return database


def take_restored(path: Path) -> str:
    """Put what is to be restored in the place of a database that nobody has open, and say so in a sentence."""
    kept = ""
    if path.exists():
        aside = set_aside(path, "before-restore")
        for suffix in SIDE_FILES:
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
        kept = f"; those stored before are kept as {aside.name}"
    for suffix in SIDE_FILES:  # left there where this was broken off
        with suppress(FileNotFoundError):
            set_aside(path.with_name(path.name + suffix), "before-restore")
    to_be_restored(path).rename(path)
    _log.info("The database is restored%s", kept)
    return f"The stored hands are those of the backup now{kept}."
