"""The notes and tags of hands: of stored ones until their session is deleted, of recorded ones for good."""

import sqlite3

from msgspec import Struct

from engine.codec import decode, encode
from trainer.storage.database import DatabaseFile
from trainer.storage.records import RecordStore

RECORDED_NOTES = "note of a recorded hand"
"""The kind of records that hold them, each a `HandNote` by the digest of its hand."""

NOTES_BY_TAG = "notes, json_each(iif(json_valid(tags), tags, '[]'))"
"""In SQL, each note once for each of its tags, `value`; without damaged ones."""

NoteKey = int | str
"""The number of a hand in the store, or of a recorded one its digest."""


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
        self._records = RecordStore(file)

    def note(self, key: NoteKey) -> HandNote:
        """Return what is written to a hand, nothing if nothing is; StoreError too if it is damaged."""
        if isinstance(key, str):
            value = self._records.get(RECORDED_NOTES, key)
            return self._file.read(lambda _: HandNote() if value is None else decode(value, HandNote))

        def read(database: sqlite3.Connection) -> HandNote:
            row = database.execute("SELECT note, tags FROM notes WHERE hand = ?", (key,)).fetchone()
            return HandNote() if row is None else HandNote(row[0].decode(), decode(row[1], tuple[str, ...]))

        return self._file.read(read)

    def set(self, key: NoteKey, note: HandNote) -> None:
        """Write to a finished or running hand, in the place of what was written."""
        if isinstance(key, str):
            if note == HandNote():
                self._records.delete(RECORDED_NOTES, key)
            else:
                self._records.put(RECORDED_NOTES, key, note)
            return

        def write(database: sqlite3.Connection) -> None:
            if note == HandNote():
                database.execute("DELETE FROM notes WHERE hand = ?", (key,))
                return
            row = (key, note.note, encode(note.tags).decode())
            database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", row)

        self._file.write(write)

    def tags(self, *, with_recorded: bool = False) -> tuple[str, ...]:
        """Return every tag that a stored hand has, or a recorded one too, in alphabetical order; none damaged."""
        query = f"SELECT value FROM {NOTES_BY_TAG}"
        if with_recorded:
            tags = "json_each(iif(json_valid(records.value), records.value, '{}'), '$.tags') AS tag"
            query += f" UNION SELECT tag.value FROM records, {tags} WHERE kind = '{RECORDED_NOTES}'"
        rows = self._file.read(lambda database: database.execute(f"SELECT DISTINCT * FROM ({query})").fetchall())
        return tuple(sorted((row[0].decode() for row in rows), key=str.casefold))
