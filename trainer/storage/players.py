"""What was learned of players over all sessions: one model per player and style, of a bounded number of players.

A bot's name may be another style's in another session, so a player is a name with a style. Nothing of hidden cards
is in a model: it is learned from the public events of finished hands. A session begins with what is kept of its
players and keeps what it has learned after every hand. The learned reader's model and the counts of the paper's are
kept each by itself: of two, that of more choices, whichever agent or session has learned it. Who is forgotten stays
so for sessions begun before: they know the player still, and what they learn of them is not kept.

Players of files have a row each by name alone, of the style `FROM_FILES`, with the digests of the hands in it. At a
table they are whoever has that name.
"""

import logging
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from engine.agents.agent import KnownPlayer, KnownPlayers, Taught
from engine.codec import StoredDataError, pack, unpack
from engine.game.formats import SeatConfig
from trainer.storage.database import DatabaseFile
from trainer.storage.stored import LOST_TIME

_log = logging.getLogger(__name__)

MOST_PLAYERS = 200
"""So many are kept of sessions, and as many of files; those met longest ago, or of fewest choices, go first."""

FROM_FILES = ""
"""The style of who is known from files, where nobody says how they came to play so."""

_DROP_OLDEST = (
    "DELETE FROM players WHERE style != '' AND rowid NOT IN"
    f" (SELECT rowid FROM players WHERE style != '' ORDER BY met DESC, rowid DESC LIMIT {MOST_PLAYERS})",
    "DELETE FROM players WHERE style = '' AND rowid NOT IN"
    f" (SELECT rowid FROM players WHERE style = '' ORDER BY choices DESC, rowid LIMIT {MOST_PLAYERS})",
)
_Row = tuple[int, bytes, bytes | None]
_READ = "SELECT choices, met, model FROM players WHERE name = ? AND style = ?"
_WRITE = "INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?)"


class StoredPlayer(Struct, frozen=True):
    """A player who is kept; `met` is when the last session with them began."""

    seat: SeatConfig
    met: datetime
    known: KnownPlayer


class Learned(Struct, frozen=True):
    """What hands played before have taught of a player, and when the last of them was met or learned."""

    taught: Taught
    met: datetime


class Change(Struct, frozen=True):
    """A player's row as it was, None if there was none, and as it is now."""

    seat: SeatConfig
    before: _Row | None
    after: _Row


class PlayerStore:
    """The players kept, to be read and written from any thread; while `is_on` is false no session does either.

    Every method raises StoreError if the file cannot be read or written.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        self.is_on = True

    def known(self, seats: Sequence[SeatConfig]) -> dict[str, KnownPlayer]:
        """Return what is kept of the players of a table, by name; what another version has learned is dropped."""
        if not self.is_on:
            return {}
        from engine.agents.learned.adaptation import readable

        wanted = {*seats, *(SeatConfig(seat.name, FROM_FILES) for seat in seats)}
        stored = {player.seat: player.known for player in self.all() if player.seat in wanted}
        found = {seat: readable(known) for seat, known in stored.items()}
        changed = {seat: known for seat, known in found.items() if known != stored[seat]}
        if changed:
            _log.info("What another version has learned of %d players is dropped.", len(changed))
            # Of files all goes: the digests are of all that was learned.
            changed = {seat: None if seat.style == FROM_FILES else known for seat, known in changed.items()}
            found |= changed
            keys = [(seat.name, seat.style) for seat, known in changed.items() if known is None]
            delete = "DELETE FROM players WHERE name = ? AND style = ?"
            rows = [
                (known.choices, _packed(known), seat.name, seat.style)
                for seat, known in changed.items()
                if known is not None
            ]
            update = "UPDATE players SET choices = ?, model = ? WHERE name = ? AND style = ?"

            def write(database: sqlite3.Connection) -> None:
                database.executemany(delete, keys)
                database.executemany(update, rows)

            self._file.write(write)
        known_players: dict[str, KnownPlayer] = {}
        for seat, known in found.items():
            if known is not None:
                before = known_players.get(seat.name)
                known_players[seat.name] = known if before is None else before.with_more(known)
        return known_players

    def taught(self) -> dict[str, Taught]:
        """Return what files have taught of players, by name, as far as this version can read it."""
        from engine.agents.learned.adaptation import readable

        query = "SELECT name, choices, model FROM players WHERE style = '' AND model IS NOT NULL"
        rows = self._file.read(lambda database: database.execute(query).fetchall())
        found = {name.decode(): _taught(choices, model) for name, choices, model in rows}
        return {name: taught for name, taught in found.items() if readable(taught.known) == taught.known}

    def learn(self, players: Mapping[SeatConfig, Learned]) -> tuple[Change, ...]:
        """Keep what was learned of players from hands played before, and return whom it has changed.

        Of a player of sessions, whose hands were all counted again, that of more choices is kept; of one of files
        what has come of it. Who was forgotten is known again.
        """
        changes: list[Change] = []

        def write(database: sqlite3.Connection) -> None:
            for seat, learned in players.items():
                row = database.execute(_READ, (seat.name, seat.style)).fetchone()
                new = _row_with(row, seat, learned)
                if new is not None:
                    changes.append(Change(seat, row, new))
                    database.execute(_WRITE, (seat.name, seat.style, *_texts(new)))
            for drop in _DROP_OLDEST:
                database.execute(drop)

        self._file.write(write)
        return tuple(changes)

    def undo(self, changes: Sequence[Change]) -> int:
        """Take changes back but of players of whom more was learned since; return of how many players."""
        undone: list[SeatConfig] = []

        def write(database: sqlite3.Connection) -> None:
            for seat, before, after in ((one.seat, one.before, one.after) for one in changes):
                key = (seat.name, seat.style)
                if database.execute(_READ, key).fetchone() != after:
                    continue
                undone.append(seat)
                if before is None:
                    database.execute("DELETE FROM players WHERE name = ? AND style = ?", key)
                else:
                    database.execute(_WRITE, (*key, *_texts(before)))

        self._file.write(write)
        return len(undone)

    def keep(self, seats: Sequence[SeatConfig], players: KnownPlayers, started: datetime) -> None:
        """Keep what a session that began then has learned of the players of its table."""
        if not self.is_on or not players:
            return
        found = [(seat, players[seat.name]) for seat in seats if seat.name in players]

        def write(database: sqlite3.Connection) -> None:
            for seat, player in found:
                key = (seat.name, seat.style)
                choices, met, model = database.execute(_READ, key).fetchone() or (0, b"", b"")
                is_later = started.isoformat() > met.decode()
                before = _NOBODY if model is None else _known_player(choices, model)
                after = before.with_more(player)
                if is_later if model is None else after != before:
                    row = (*key, after.choices, started.isoformat() if is_later else met.decode(), _packed(after))
                    database.execute(_WRITE, row)
            for drop in _DROP_OLDEST:
                database.execute(drop)

        self._file.write(write)

    def all(self) -> tuple[StoredPlayer, ...]:
        """Return everybody who is kept, those met last first."""
        query = "SELECT * FROM players WHERE model IS NOT NULL ORDER BY met DESC, rowid DESC"
        return self._file.read(lambda database: tuple(map(_stored_player, database.execute(query))))

    def forget(self, seats: Iterable[SeatConfig], now: datetime) -> None:
        """Forget players, also what sessions begun until now have learned of them and will learn."""
        rows = [(now.isoformat(), seat.name, seat.style) for seat in seats]
        statement = "UPDATE players SET choices = 0, met = ?, model = NULL WHERE name = ? AND style = ?"
        self._file.write(lambda database: database.executemany(statement, rows))


_NOBODY = KnownPlayer(0, b"")


def _row_with(row: _Row | None, seat: SeatConfig, learned: Learned) -> _Row | None:
    """Return a player's row with what was learned; None if it stays as it is."""
    choices, met, model = row or (0, b"", None)
    taught, when = learned.taught, learned.met.isoformat().encode()
    if seat.style != FROM_FILES and model is not None:
        before = _known_player(choices, model)
        taught = Taught(before.with_more(taught.known))
        if taught.known == before:
            return None
        when = max(when, met)
    return (taught.known.choices, when, _packed(taught.known, taught.hands))


def _texts(row: _Row) -> tuple[int, str, bytes | None]:
    choices, met, model = row
    return choices, met.decode(), model


class _Models(Struct, frozen=True):
    """The stored form of what two readers have learned, and of which hands of files.

    A row of the learned one's model alone has just that.
    """

    learned: bytes
    counted: int
    counts: bytes
    hands: bytes = b""


def _packed(player: KnownPlayer, hands: bytes = b"") -> bytes:
    if not player.counts and not hands:
        return player.model
    return pack(_Models(player.model, player.counted, player.counts, hands))


def _known_player(choices: int, stored: bytes) -> KnownPlayer:
    return _taught(choices, stored).known


def _taught(choices: int, stored: bytes) -> Taught:
    try:
        models = unpack(stored, _Models)
    except StoredDataError:
        return Taught(KnownPlayer(choices, stored))
    return Taught(KnownPlayer(choices, models.learned, models.counted, models.counts), models.hands)


def _stored_player(row: tuple[bytes, bytes, int, bytes, bytes]) -> StoredPlayer:
    name, style, choices, met, model = row
    try:
        when = datetime.fromisoformat(met.decode())
    except ValueError:
        when = LOST_TIME
    return StoredPlayer(SeatConfig(name.decode(), style.decode()), when, _known_player(choices, model))
