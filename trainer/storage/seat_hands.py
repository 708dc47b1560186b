"""What each seat did and won in each finished hand, kept so that it is counted once."""

import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import HoleCards
from engine.codec import StoredDataError, decode
from engine.game.events import HandStarted, Seat
from engine.game.history import HistoryError, verify_finished
from trainer.storage.database import DatabaseFile
from trainer.storage.stored import StoredHand

_DAY_0 = 1721424.5
"""The Julian day on which the day before the first of the year 1 begins."""


class CountedHands(Struct, frozen=True):
    """All hands that are counted, in order, each of several seats.

    Attributes
    ----------
    sessions, days : ndarray of int64, shape (hands,)
        Number of the session in the store, and the day on which the hand ended, as `date.toordinal` numbers them.
    counts : ndarray of int64, shape (hands,)
        Seats of each hand.
    seats : ndarray of `engine.figures.seat_hands.SEAT_HAND`, shape (sum of counts,)
    """

    sessions: NDArray[np.int64]
    days: NDArray[np.int64]
    counts: NDArray[np.int64]
    seats: NDArray[np.void]


class SeatHandStore:
    """Keeps them by hand, to be used from any thread. Every method raises StoreError if the file fails."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def missing(self) -> list[int]:
        """Return the numbers of finished hands that are not counted yet, the oldest first."""
        query = "SELECT hand FROM played WHERE hand NOT IN (SELECT hand FROM seat_hands) ORDER BY hand"
        return self._file.read(lambda database: [row[0] for row in database.execute(query)])

    def count(self, hand_ids: Sequence[int]) -> None:
        """Count hands, at most some hundreds, and keep what comes of it."""
        places = ", ".join("?" * len(hand_ids))
        query = f"SELECT id, number, observation, hole_cards FROM hands WHERE id IN ({places})"
        found = self._file.read(lambda database: database.execute(query, tuple(hand_ids)).fetchall())
        rows = [(row[0], _counted(*row)) for row in found]

        def write(database: sqlite3.Connection) -> None:
            # A hand may have been deleted meanwhile.
            statement = "INSERT OR REPLACE INTO seat_hands SELECT id, ? FROM hands WHERE id = ?"
            database.executemany(statement, [(seats, hand) for hand, seats in rows])

        self._file.write(write)

    def all(self) -> CountedHands:
        """Return all that is counted; about 2 seconds for a million hands."""
        from engine.figures.seat_hands import SEAT_HAND  # not on the start path

        def read(database: sqlite3.Connection) -> CountedHands:
            query = (
                f"SELECT session, CAST(julianday(substr(ended, 1, 10)) - {_DAY_0} AS INTEGER), counted"
                " FROM seat_hands JOIN played USING (hand) WHERE counted != x'' ORDER BY hand"
            )
            sessions, days, counts, seats = list[int](), list[int](), list[int](), bytearray()
            for session, day, blob in database.execute(query):
                if day is None or len(blob) % SEAT_HAND.itemsize:
                    continue
                sessions.append(session)
                days.append(day)
                counts.append(len(blob) // SEAT_HAND.itemsize)
                seats += blob
            return CountedHands(
                np.array(sessions, np.int64),
                np.array(days, np.int64),
                np.array(counts, np.int64),
                np.frombuffer(bytes(seats), SEAT_HAND),
            )

        return self._file.read(read)


def _counted(hand_id: int, number: int, observation: bytes | None, hole_cards: bytes | None) -> bytes:
    """Count a hand; return nothing of one that is damaged."""
    from engine.figures.seat_hands import seat_hands

    try:
        final = StoredHand(hand_id, number, b"", (), observation or b"", {}).final_observation()
        verify_finished(final)
        open_cards: Mapping[Seat, HoleCards] = {}
        if hole_cards is not None:
            open_cards = decode(hole_cards, dict[Seat, HoleCards])
        started = final.events[0]
        assert isinstance(started, HandStarted)
        known = {view.seat: view.shown for view in final.seats} | {final.seat: final.hole_cards} | dict(open_cards)
        cards = [known[start.seat] for start in started.seats]
        dealt = [*final.board, *(card for pair in cards if pair is not None for card in pair)]
        return seat_hands(final.events, cards).tobytes() if len(set(dealt)) == len(dealt) else b""
    except (StoredDataError, HistoryError, ValueError):
        return b""
