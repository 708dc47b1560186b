"""The player's notes and tags of hands, kept with them until their session is deleted."""

import sqlite3

from msgspec import Struct

from engine.codec import decode, encode
from trainer.storage.database import DatabaseFile


class HandNote(Struct, frozen=True):
    """What the player has written to a hand."""

    note: str = ""
    tags: tuple[str, ...] = ()


class NoteStore:
    """The notes, to be read and written from any thread.

    Every method raises StoreError if the file cannot be read or written.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def note(self, hand_id: int) -> HandNote:
        """Return what is written to a hand, by its number in the store; nothing if nothing is."""
        query = "SELECT note, tags FROM notes WHERE hand = ?"
        row = self._file.read(lambda database: database.execute(query, (hand_id,)).fetchone())
        return HandNote() if row is None else HandNote(row[0].decode(), decode(row[1], tuple[str, ...]))

    def set(self, hand_id: int, note: HandNote) -> None:
        """Write to a finished or running hand, in the place of what was written."""

        def write(database: sqlite3.Connection) -> None:
            if note == HandNote():
                database.execute("DELETE FROM notes WHERE hand = ?", (hand_id,))
                return
            row = (hand_id, note.note, encode(note.tags).decode())
            database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", row)

        self._file.write(write)

    def tags(self) -> tuple[str, ...]:
        """Return every tag that a hand has, in alphabetical order."""
        query = "SELECT DISTINCT value FROM notes, json_each(tags)"
        rows = self._file.read(lambda database: database.execute(query).fetchall())
        return tuple(sorted((row[0].decode() for row in rows), key=str.casefold))
