"""Small things of the player's that outlive the process, and reviews of hands, which can be made again."""

import sqlite3
from collections.abc import Iterable, Mapping

from msgspec import Struct

from engine.codec import encode
from trainer.storage.database import DatabaseFile

_MOST_AT_ONCE = 500
"""Numbers in one statement; SQLite allows no end of them."""


class RecordStore:
    """Values by kind and name, such as drill cards and guesses, to be read and written from any thread.

    Every method raises StoreError if the file cannot be read or written.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def all(self, kind: str) -> dict[str, bytes]:
        """Return the JSON of each value of a kind by its name, in the order in which they were made."""
        query = "SELECT name, value FROM records WHERE kind = ? ORDER BY rowid"
        rows = self._file.read(lambda database: database.execute(query, (kind,)).fetchall())
        return {name.decode(): value for name, value in rows}

    def get(self, kind: str, name: str) -> bytes | None:
        """Return the JSON of a value; None if there is none."""
        query = "SELECT value FROM records WHERE kind = ? AND name = ?"
        row = self._file.read(lambda database: database.execute(query, (kind, name)).fetchone())
        return None if row is None else bytes(row[0])

    def put(self, kind: str, name: str, value: Struct) -> None:
        """Keep a value in the place of the one of its name; that keeps its place in the order."""
        self._file.insert(
            "INSERT INTO records VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%S', 'now', 'localtime'), ?)"
            " ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value",
            (kind, name, encode(value).decode()),
        )

    def delete(self, kind: str, name: str) -> None:
        """Forget a value."""
        self._file.insert("DELETE FROM records WHERE kind = ? AND name = ?", (kind, name))


class ReviewStore:
    """Reviews of hands by who made them, to be read and written from any thread.

    Every method raises StoreError if the file cannot be read or written.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def get(self, hand_ids: Iterable[int], stamp: str) -> dict[int, bytes]:
        """Return the reviews of these hands, by their numbers in the store, that were made under a stamp."""
        numbers = list(hand_ids)

        def read(database: sqlite3.Connection) -> dict[int, bytes]:
            found: dict[int, bytes] = {}
            for begin in range(0, len(numbers), _MOST_AT_ONCE):
                some = numbers[begin : begin + _MOST_AT_ONCE]
                places = ", ".join("?" * len(some))
                query = f"SELECT hand, review FROM reviews WHERE stamp = ? AND hand IN ({places})"
                found |= dict(database.execute(query, (stamp, *some)))
            return found

        return self._file.read(read)

    def put(self, stamp: str, reviews: Mapping[int, bytes]) -> None:
        """Keep reviews made under a stamp in the place of earlier ones of it."""
        rows = [(stamp, hand_id, review) for hand_id, review in reviews.items()]
        statement = "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)"
        self._file.write(lambda database: database.executemany(statement, rows))
