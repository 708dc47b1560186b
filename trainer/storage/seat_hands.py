"""What each seat did and won in each finished hand, kept so that it is counted once."""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import HoleCards
from engine.codec import StoredDataError, decode
from engine.game.events import PublicEvent, Seat, start_of
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import Observation
from engine.game.rules import MAX_SEATS
from trainer.storage.database import DatabaseFile
from trainer.storage.played import combo_of_cards
from trainer.storage.stored import StoredHand

_PERSON = np.dtype("<u4")
"""A number of `people`, 0 for nobody."""

_HAND = "session, hands.number, observation, hole_cards"
"""What `_known` takes."""

_AT_ONCE = 2000
"""Hands read before others get their turn at the file: some 5 ms."""

_DAY_0 = 1721424.5
"""The Julian day on which the day before the first of the year 1 begins."""


class CountedHands(Struct, frozen=True):
    """All hands that are counted, in order, each of several seats.

    Attributes
    ----------
    hands, sessions, days : ndarray of int64, shape (hands,)
        Numbers in the store, and the day on which the hand ended, as `date.toordinal` numbers them.
    counts : ndarray of int64, shape (hands,)
        Seats of each hand.
    combos : ndarray of int64, shape (hands,)
        The person's hole cards, -1 of a hand that was watched.
    seats : ndarray of `engine.figures.seat_hands.SEAT_HAND`, shape (sum of counts,)
    people : ndarray of int64, shape (sum of counts,)
        Who sat there, by their number in `names`; -1 where the game of the session says it.
    names : tuple of str
        Of people of imported hands.
    """

    hands: NDArray[np.int64]
    sessions: NDArray[np.int64]
    days: NDArray[np.int64]
    counts: NDArray[np.int64]
    combos: NDArray[np.int64]
    seats: NDArray[np.void]
    people: NDArray[np.int64]
    names: tuple[str, ...]


class KnownHand(NamedTuple):
    """A finished hand: its session in the store, its number there, and the hole cards that are known by now."""

    session_id: int
    number: int
    events: tuple[PublicEvent, ...]
    hole_cards: dict[Seat, HoleCards]


class SeatHandStore:
    """Keeps them by hand, to be used from any thread. Every method raises StoreError if the file fails."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def missing(self) -> list[int]:
        """Return the numbers of finished hands that are not counted yet, the oldest first.

        Those that an earlier version counted in fewer bytes are among them.
        """
        from engine.figures.seat_hands import SEAT_HAND

        query = (
            "SELECT played.hand, seats IS NULL OR"
            f" (seats > 0 AND length(counted) <> seats * {SEAT_HAND.itemsize})"
            " FROM (SELECT hand FROM played WHERE hand > ? ORDER BY hand LIMIT ?)"
            " AS played LEFT JOIN seat_hands ON seat_hands.hand = played.hand ORDER BY played.hand"
        )
        found, some = list[int](), [(0, 0)]
        while some:
            values = (some[-1][0], _AT_ONCE)
            some = self._file.read(lambda database: database.execute(query, values).fetchall())  # noqa: B023
            found += [hand for hand, is_missing in some if is_missing]
        return found

    def count(self, hand_ids: Sequence[int]) -> None:
        """Count hands, at most some hundreds, and keep what comes of it."""
        places = ", ".join("?" * len(hand_ids))
        query = (
            f"SELECT id, imported.hand IS NOT NULL, {_HAND} FROM hands"
            f" LEFT JOIN imported ON imported.hand = id WHERE id IN ({places})"
        )
        found = self._file.read(lambda database: database.execute(query, tuple(hand_ids)).fetchall())
        counted = [_Counted.of(*row) for row in found]
        names = {(name,) for one in counted for name in one.names}

        def write(database: sqlite3.Connection) -> None:
            database.executemany("INSERT OR IGNORE INTO people (name) VALUES (?)", names)
            known = {
                name: database.execute("SELECT id FROM people WHERE name = ?", (name,)).fetchone()[0]
                for (name,) in names
            }
            # A hand may have been deleted meanwhile.
            statement = "INSERT OR REPLACE INTO seat_hands SELECT id, ?, ?, ? FROM hands WHERE id = ?"
            rows = []
            for one in counted:
                people = np.array([known[name] for name in one.names], _PERSON).tobytes() if one.names else None
                rows.append((people, one.seats, one.count, one.hand_id))
            database.executemany(statement, rows)

        self._file.write(write)

    def known(self, hand_ids: Sequence[int]) -> dict[int, KnownHand]:
        """Return hands by their numbers, at most some hundreds; those that are damaged are left out."""
        places = ", ".join("?" * len(hand_ids))
        query = f"SELECT id, {_HAND} FROM hands WHERE id IN ({places})"
        found = {}
        for hand_id, *stored in self._file.read(
            lambda database: database.execute(query, tuple(hand_ids)).fetchall()
        ):
            with suppress(StoredDataError, HistoryError, ValueError):
                found[hand_id] = _known(*stored)
        return found

    def all(self) -> CountedHands:
        """Return all that is counted; about 2 seconds for a million hands, during which others can use the file."""
        from engine.figures.seat_hands import SEAT_HAND  # not on the start path

        query = (
            f"SELECT hand, session, CAST(julianday(substr(ended, 1, 10)) - {_DAY_0} AS INTEGER),"
            " people, seat_hands.seats, cards, counted FROM seat_hands JOIN played USING (hand)"
            " WHERE hand > ? AND seat_hands.seats > 0 ORDER BY hand LIMIT ?"
        )
        parts = [_arrays([], SEAT_HAND)]
        some: list[_Row] = [(0, 0, None, None, 0, b"", b"")]
        while some:
            values = (some[-1][0], _AT_ONCE)
            some = self._file.read(lambda database: database.execute(query, values).fetchall())  # noqa: B023
            parts.append(_arrays(some, SEAT_HAND))
        names = self._file.read(lambda database: dict(database.execute("SELECT id, name FROM people")))
        hands, sessions, days, counts, combos, seats, people = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        places = np.full(max([*names, people.max(initial=0)]) + 1, -1, np.int64)
        places[list(names)] = np.arange(len(names))
        of_people = tuple(name.decode() for name in names.values())
        return CountedHands(hands, sessions, days, counts, combos, seats, places[people], of_people)


_Row = tuple[int, int, int | None, bytes | None, int, bytes, bytes]
"""Hand, session, day, people, seats, the person's hole cards, and what is counted of the seats."""


def _arrays(rows: Sequence[_Row], kind: "np.dtype[np.void]") -> tuple[NDArray[Any], ...]:
    """Return sound rows as `CountedHands` has them; people are numbers of the table, 0 for nobody."""
    nobody = [bytes(count * _PERSON.itemsize) for count in range(MAX_SEATS + 1)]
    sound = [
        (hand, session, day, count, combo_of_cards(cards), seats, nobody[count] if people is None else people)
        for hand, session, day, people, count, cards, seats in rows
        if day is not None and 0 < count <= MAX_SEATS and len(seats) == count * kind.itemsize
    ]
    sound = [row for row in sound if len(row[6]) == row[3] * _PERSON.itemsize]
    return (
        *(np.array([row[at] for row in sound], np.int64) for at in range(5)),
        np.frombuffer(b"".join([row[5] for row in sound]), kind),
        np.frombuffer(b"".join([row[6] for row in sound]), _PERSON).astype(np.int64),
    )


class _Counted(Struct, frozen=True):
    """A hand counted: nothing of one that is damaged; names only of an imported one."""

    hand_id: int
    seats: bytes = b""
    count: int = 0
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, hand_id: int, is_imported: int, *stored: Any) -> "_Counted":
        from engine.figures.seat_hands import seat_hands

        try:
            known = _known(*stored)
            started = start_of(known.events).seats
            cards = [known.hole_cards.get(start.seat) for start in started]
            names = tuple(start.name for start in started) if is_imported else ()
            return cls(hand_id, seat_hands(known.events, cards).tobytes(), len(cards), names)
        except (StoredDataError, HistoryError, ValueError):
            return cls(hand_id)


def _known(session_id: int, number: int, observation: bytes | None, hole_cards: bytes | None) -> KnownHand:
    """Return a hand as it is stored; one of three errors if it is damaged."""
    final = StoredHand(0, number, b"", (), observation or b"", {}).final_view()
    verify_finished(final)
    known = {view.seat: view.shown for view in final.seats if view.shown is not None}
    if isinstance(final, Observation):
        known[final.seat] = final.hole_cards
    if hole_cards is not None:
        known |= decode(hole_cards, dict[Seat, HoleCards])
    dealt = [*final.board, *(card for pair in known.values() for card in pair)]
    if len(set(dealt)) < len(dealt):
        raise StoredDataError("A card was dealt twice.")
    return KnownHand(session_id, number, final.events, known)
