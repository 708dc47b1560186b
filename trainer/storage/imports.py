"""Hands of other sites and programs, kept as finished sessions beside those played here.

A session is one of the player's at one place: at a table for some stakes without a pause of hours, or in a
tournament. Its hands are numbered as they came in, within one call by when they were played, and by the site's own
number none is kept twice. Hands that are nobody's own are kept as watched, in sessions of their own, until they are
found to be a player's. People change their seats during it, so its game names for each seat who was seen there
first; who played a hand is told by the hand itself.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, structs
from PySide6.QtCore import QMutex, QMutexLocker

from engine.codec import decode, encode
from engine.game.events import Chips, HandStarted, start_of, with_start
from engine.game.formats import PERSON, GameConfig, SeatConfig
from engine.game.history import HistoryError
from engine.game.observation import HandView
from engine.game.phh import SkippedHand, hand_digest
from engine.game.rules import MAX_SEATS
from engine.session_state import DealerState, SeatRecord
from trainer.storage.columns import PlayedTable
from trainer.storage.database import DatabaseFile
from trainer.storage.played import came_to, insert_played
from trainer.storage.schema import SCHEMA_VERSION, empty_seat, game_of
from trainer.storage.stored import Venue, packed, stored_time

if TYPE_CHECKING:
    from engine.hand_histories.imported import ImportedHand

_PAUSE = timedelta(hours=6)
"""Between two hands at a table of a cash game that belong to one session."""

_MOST_AT_ONCE = 500
"""Numbers in one statement."""


class ImportCounts(Struct, frozen=True):
    """What came of hands that were to be stored.

    Attributes
    ----------
    new, known : int
        Hands that were not stored before, and those that were and stay as they are.
    refused : tuple of SkippedHand
        Those that cannot be stored, each with the reason.
    watched : int
        How many of the new ones are nobody's own.
    turned : int
        Hands that were stored as watched, and are a player's now.
    """

    new: int
    known: int
    refused: tuple[SkippedHand, ...] = ()
    watched: int = 0
    turned: int = 0


class ImportedDetails(Struct, frozen=True):
    """What an imported hand has beside what one played here has; `rake` is in chips, `table` a name or number."""

    venue: Venue
    number: str
    table: str
    rake: Chips
    remarks: tuple[str, ...]


class _Watched(NamedTuple):
    """A stored hand that is nobody's own."""

    hand_id: int
    ended: datetime


class ImportStore:
    """Keeps imported hands, to be used from any thread. Every method raises StoreError if the file fails."""

    def __init__(self, file: DatabaseFile, played: PlayedTable) -> None:
        self._file = file
        self._played = played
        # Held while sessions are gone on with, so that none is deleted or gone on with by another thread meanwhile.
        self.mutex = QMutex()

    def known(self, site: str, numbers: Iterable[str]) -> dict[str, "_Watched | None"]:
        """Return which numbers of a site are those of stored hands, and of watched ones what can be made theirs."""
        wanted, found = list(numbers), dict[str, _Watched | None]()
        for begin in range(0, len(wanted), _MOST_AT_ONCE):
            some = wanted[begin : begin + _MOST_AT_ONCE]
            query = (
                "SELECT imported.number, hand, ended, cards = '' FROM imported LEFT JOIN played USING (hand)"
                f" WHERE site = ? AND imported.number IN ({', '.join('?' * len(some))})"
            )
            rows = self._file.read(lambda database: database.execute(query, (site, *some)).fetchall())  # noqa: B023
            for number, hand, ended, is_watched in rows:
                found[number.decode()] = _Watched(hand, stored_time(ended)) if is_watched else None
        return found

    def details(self, hand_ids: Sequence[int]) -> dict[int, ImportedDetails]:
        """Return what is kept of hands, at most some hundreds, by their numbers in the store; of those imported."""
        query = (
            "SELECT hand, venue, imported.number, table_name, rake, remarks FROM imported"
            " JOIN hands ON hands.id = hand JOIN venues USING (session)"
            f" WHERE hand IN ({', '.join('?' * len(hand_ids))})"
        )

        def read(database: sqlite3.Connection) -> dict[int, ImportedDetails]:
            found = {}
            for hand, text, number, table, rake, remarks in database.execute(query, tuple(hand_ids)):
                venue = decode(text, Venue)
                said = decode(remarks, tuple[str, ...]) if remarks else ()
                found[hand] = ImportedDetails(venue, number.decode(), table.decode() or venue.table, rake, said)
            return found

        return self._file.read(read)

    def add(self, hands: Sequence["ImportedHand"]) -> ImportCounts:
        """Store hands, at most some hundreds, that are not stored yet: all of them or none.

        A hand without a clock counts as played now. One that is stored as watched becomes a player's where it is
        told as theirs, with the notes that it has.
        """
        now = datetime.now()
        with QMutexLocker(self.mutex):
            wanted = self._wanted(hands)
            refused, taken, sittings = list[SkippedHand](), list[_TakenHand](), _Sittings(self._file)
            timed = [
                (hand.played or (now if stored is None else stored.ended), name, hand, stored)
                for name, (hand, stored) in wanted.items()
            ]
            for played, (site, number), hand, stored in sorted(timed, key=itemgetter(0)):
                try:
                    one = _taken(hand, number, sittings, played)
                    taken.append(one if stored is None else replace(one, stored=stored.hand_id))
                except (HistoryError, ValueError) as error:
                    refused.append(SkippedHand(f"{site} {number}", str(error)))
            if taken:
                self._played.change(self._file.write(lambda database: _insert(database, taken)))
        new = [one for one in taken if one.stored is None]
        return ImportCounts(
            len(new),
            len(hands) - len(wanted),
            tuple(refused),
            watched=sum(not one.came_to[0] for one in new),
            turned=len(taken) - len(new),
        )

    def _wanted(
        self, hands: Iterable["ImportedHand"]
    ) -> dict[tuple[str, str], tuple["ImportedHand", "_Watched | None"]]:
        """Return by site and number, each once, hands that are not stored, and a player's stored as watched."""
        named: dict[tuple[str, str], ImportedHand] = {}
        for hand in hands:
            name = hand.site, hand.number or hand_digest(hand.record).hex()
            if name not in named or (named[name].is_watched and not hand.is_watched):
                named[name] = hand
        wanted: dict[tuple[str, str], tuple[ImportedHand, _Watched | None]] = {}
        for site in {site for site, _ in named}:
            known = self.known(site, [number for of_site, number in named if of_site == site])
            for name, hand in named.items():
                stored = known.get(name[1])
                if name[0] == site and (name[1] not in known or (stored is not None and not hand.is_watched)):
                    wanted[name] = hand, stored
        return wanted


@dataclass(slots=True)
class _Sitting:
    """A session that hands are added to; `session_id` is None until it is stored."""

    session_id: int | None
    venue: Venue
    first: datetime
    last: datetime
    game: GameConfig
    hands: int = 0

    def can_have(self, played: datetime) -> bool:
        return bool(self.venue.tournament) or max(self.first - played, played - self.last) <= _PAUSE

    def seat(self, started: HandStarted) -> None:
        """Name the seats at which nobody was seen before."""
        seats = list(self.game.seats)
        seats += [SeatConfig(empty_seat(at), PERSON) for at in range(len(seats), started.seats[-1].seat + 1)]
        names = {seat.name.strip() for seat in seats}
        for start in started.seats:
            if seats[start.seat].name == empty_seat(start.seat) and start.name.strip() not in {"", *names}:
                seats[start.seat] = SeatConfig(start.name, PERSON)
                names.add(start.name.strip())
        if tuple(seats) != self.game.seats:
            self.game = structs.replace(self.game, seats=tuple(seats))


class _Sittings:
    """The sessions at the venues of some hands, as they are stored and as they begin."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        self._by_venue: dict[Venue, list[_Sitting]] = {}

    def of(self, final: HandView, venue: Venue, played: datetime) -> _Sitting:
        """Return the session of a hand; ValueError if there can be no such game."""
        if venue not in self._by_venue:
            self._by_venue[venue] = self._stored(venue)
        sittings = self._by_venue[venue]
        found = next((one for one in reversed(sittings) if one.can_have(played)), None)
        if found is None:
            game_and_state = game_of(final, 0, PERSON)
            assert game_and_state is not None
            game = game_and_state[0]
            game.verify()
            found = _Sitting(None, venue, played, played, game)
            sittings.append(found)
        return found

    def _stored(self, venue: Venue) -> list[_Sitting]:
        query = (
            "SELECT session, first, last, config, (SELECT max(number) FROM hands WHERE session = sessions.id)"
            " FROM venues JOIN sessions ON sessions.id = session WHERE venue = ? ORDER BY first"
        )

        def read(database: sqlite3.Connection) -> list[_Sitting]:
            found = []
            for number, first, last, config, hands in database.execute(query, (encode(venue).decode(),)):
                began, ended = datetime.fromisoformat(first.decode()), datetime.fromisoformat(last.decode())
                found.append(_Sitting(number, venue, began, ended, decode(config, GameConfig), hands or 0))
            return found

        return self._file.read(read)


@dataclass(frozen=True, slots=True)
class _TakenHand:
    """A hand ready to be stored; `own` and `came_to` are columns of its rows.

    `stored` is its number in the store where it was watched so far.
    """

    sitting: _Sitting
    number: int
    ended: str
    own: tuple[str, bytes]
    came_to: tuple[object, ...]
    imported: tuple[str, str, Chips, str, str]
    stored: int | None = None


def _taken(hand: "ImportedHand", number: str, sittings: _Sittings, played: datetime) -> _TakenHand:
    """Give a hand its place in a session; HistoryError or ValueError if it cannot be stored, in a sentence."""
    final = hand.final
    started = start_of(final.events)
    if started.seats[-1].seat >= MAX_SEATS:
        raise ValueError(f"A seat has the number {started.seats[-1].seat + 1}, and {MAX_SEATS} is the last one.")
    row = came_to(final)
    sitting = sittings.of(final, _venue(hand, final, started), played)
    sitting.seat(started)
    sitting.hands += 1
    sitting.first, sitting.last = min(sitting.first, played), max(sitting.last, played)
    events = with_start(final.events, hand_number=sitting.hands)
    final = structs.replace(final, hand_number=sitting.hands, events=events)
    remarks = encode(hand.remarks).decode() if hand.remarks else ""
    table = hand.table if hand.tournament else ""
    return _TakenHand(
        sitting,
        sitting.hands,
        played.isoformat(timespec="seconds"),
        (encode(hand.record.hole_cards).decode(), packed(final)),
        row,
        (hand.site, number, hand.rake, table, remarks),
    )


def _venue(hand: "ImportedHand", final: HandView, started: HandStarted) -> Venue:
    where = Venue(
        site=hand.site,
        hero="" if final.viewer is None else final.view(final.viewer).name,
        tournament=hand.tournament,
        currency=hand.currency,
        scale=hand.scale,
    )
    if hand.tournament:
        return where
    return structs.replace(
        where,
        table=hand.table,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
    )


def _insert(database: sqlite3.Connection, taken: Sequence[_TakenHand]) -> list[int]:
    """Store hands and return their numbers."""
    sittings = {id(hand.sitting): hand.sitting for hand in taken}
    sessions = {key: _keep(database, sitting) for key, sitting in sittings.items()}
    (last,) = database.execute("SELECT coalesce(max(id), 0) FROM hands").fetchone()
    ids = count(last + 1)
    numbered = [
        ((next(ids) if hand.stored is None else hand.stored, sessions[id(hand.sitting)], hand.number), hand)
        for hand in taken
    ]
    database.executemany(
        "INSERT INTO hands (id, session, number, state, hole_cards, observation) VALUES (?, ?, ?, '', ?, ?)",
        [(*key, *hand.own) for key, hand in numbered if hand.stored is None],
    )
    _turn(database, [(*key[1:], *hand.own, hand.stored) for key, hand in numbered if hand.stored is not None])
    insert_played(database, [(*key, hand.ended, *hand.came_to) for key, hand in numbered])
    rows = [(key[0], *hand.imported) for key, hand in numbered]
    database.executemany("INSERT OR REPLACE INTO imported VALUES (?, ?, ?, ?, ?, ?)", rows)
    return [key[0] for key, _ in numbered]


def _turn(database: sqlite3.Connection, rows: Sequence[tuple[int, int, str, bytes, int]]) -> None:
    """Take hands that were watched into sessions of a player's, and delete those that are left without any."""
    left = set[int]()
    for row in rows:
        (session,) = database.execute("SELECT session FROM hands WHERE id = ?", row[-1:]).fetchone()
        left.add(session)
        statement = "UPDATE hands SET session = ?, number = ?, hole_cards = ?, observation = ? WHERE id = ?"
        database.execute(statement, row)
        database.execute("DELETE FROM seat_hands WHERE hand = ?", row[-1:])  # counted again
    for session in left:
        if database.execute("SELECT 1 FROM hands WHERE session = ? LIMIT 1", (session,)).fetchone() is None:
            for table in ("memories", "venues"):
                database.execute(f"DELETE FROM {table} WHERE session = ?", (session,))
            database.execute("DELETE FROM sessions WHERE id = ?", (session,))


def _keep(database: sqlite3.Connection, sitting: _Sitting) -> int:
    """Store a session as it is after the hands that are added to it, and return its number."""
    game, stack, session_id = sitting.game, sitting.game.starting_stack, sitting.session_id
    state = DealerState(sitting.hands, (SeatRecord(stack, stack),) * len(game.seats))
    first, last = (when.isoformat(timespec="seconds") for when in (sitting.first, sitting.last))
    values = (first, encode(game).decode(), encode(state).decode())
    if session_id is None:
        statement = "INSERT INTO sessions (started, config, state, result, form) VALUES (?, ?, ?, '{}', ?)"
        session_id = database.execute(statement, (*values, SCHEMA_VERSION)).lastrowid
        assert session_id is not None
    else:
        statement = "UPDATE sessions SET started = ?, config = ?, state = ? WHERE id = ?"
        database.execute(statement, (*values, session_id))
    row = (session_id, encode(sitting.venue).decode(), first, last)
    database.execute("INSERT OR REPLACE INTO venues VALUES (?, ?, ?, ?)", row)
    return session_id
