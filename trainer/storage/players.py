"""What was learned of players over all sessions: one model per player and style, of a bounded number of players.

A bot's name may be another style's in another session, so a player is a name with a style. Nothing of hidden cards
is in a model: it is learned from the public events of finished hands. A session begins with what is kept of its
players and keeps what it has learned after every hand; of two models of a player that of more choices is kept,
whichever agent or session has learned it. Who is forgotten stays so for sessions begun before: they know the player
still, and what they learn of them is not kept.
"""

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from engine.agents.agent import KnownPlayer, KnownPlayers
from engine.game.formats import SeatConfig
from trainer.storage.database import DatabaseFile
from trainer.storage.stored import LOST_TIME

_log = logging.getLogger(__name__)

MOST_PLAYERS = 200
"""So many are kept; those met longest ago go first."""

_DROP_OLDEST = (
    "DELETE FROM players WHERE rowid NOT IN (SELECT rowid FROM players ORDER BY met DESC, rowid DESC LIMIT ?)"
)


class StoredPlayer(Struct, frozen=True):
    """A player who is kept; `met` is when the last session with them began."""

    seat: SeatConfig
    met: datetime
    known: KnownPlayer


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
        from engine.agents.learned.adaptation import is_readable

        found = {player.seat: player.known for player in self.all() if player.seat in seats}
        unreadable = [seat for seat, known in found.items() if not is_readable(known)]
        if unreadable:
            _log.info("What another version has learned of %d players is dropped.", len(unreadable))
            keys = [(seat.name, seat.style) for seat in unreadable]
            delete = "DELETE FROM players WHERE name = ? AND style = ?"
            self._file.write(lambda database: database.executemany(delete, keys))
        return {seat.name: known for seat, known in found.items() if seat not in unreadable}

    def keep(self, seats: Sequence[SeatConfig], players: KnownPlayers, started: datetime) -> None:
        """Keep what a session that began then has learned of the players of its table."""
        if not self.is_on or not players:
            return
        found = [(seat, players[seat.name]) for seat in seats if seat.name in players]

        def write(database: sqlite3.Connection) -> None:
            for seat, player in found:
                key = (seat.name, seat.style)
                query = "SELECT choices, met, model IS NULL FROM players WHERE name = ? AND style = ?"
                choices, met, is_forgotten = database.execute(query, key).fetchone() or (0, b"", False)
                is_later = started.isoformat() > met.decode()
                if is_later if is_forgotten else player.choices > choices:
                    row = (*key, player.choices, started.isoformat() if is_later else met.decode(), player.model)
                    database.execute("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?)", row)
            database.execute(_DROP_OLDEST, (MOST_PLAYERS,))

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


def _stored_player(row: tuple[bytes, bytes, int, bytes, bytes]) -> StoredPlayer:
    name, style, choices, met, model = row
    try:
        when = datetime.fromisoformat(met.decode())
    except ValueError:
        when = LOST_TIME
    return StoredPlayer(SeatConfig(name.decode(), style.decode()), when, KnownPlayer(choices, model))
