"""What was learned of players over all sessions: one model per player and style, of a bounded number of players.

A bot's name may be another style's in another session, so a player is a name with a style. Nothing of hidden cards
is in a model: it is learned from the public events of finished hands. A session begins with what is kept of its
players and keeps what it has learned after every hand. The learned reader's model and the counts of the paper's are
kept each by itself: of two, that of more choices, whichever agent or session has learned it. Who is forgotten stays
so for sessions begun before: they know the player still, and what they learn of them is not kept.
"""

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from engine.agents.agent import KnownPlayer, KnownPlayers
from engine.codec import StoredDataError, pack, unpack
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
        from engine.agents.learned.adaptation import readable

        stored = {player.seat: player.known for player in self.all() if player.seat in seats}
        found = {seat: readable(known) for seat, known in stored.items()}
        changed = {seat: known for seat, known in found.items() if known != stored[seat]}
        if changed:
            _log.info("What another version has learned of %d players is dropped.", len(changed))
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
        return {seat.name: known for seat, known in found.items() if known is not None}

    def keep(self, seats: Sequence[SeatConfig], players: KnownPlayers, started: datetime) -> None:
        """Keep what a session that began then has learned of the players of its table."""
        if not self.is_on or not players:
            return
        found = [(seat, players[seat.name]) for seat in seats if seat.name in players]

        def write(database: sqlite3.Connection) -> None:
            for seat, player in found:
                key = (seat.name, seat.style)
                query = "SELECT choices, met, model FROM players WHERE name = ? AND style = ?"
                choices, met, model = database.execute(query, key).fetchone() or (0, b"", b"")
                is_later = started.isoformat() > met.decode()
                before = _NOBODY if model is None else _known_player(choices, model)
                after = before.with_more(player)
                if is_later if model is None else after != before:
                    row = (*key, after.choices, started.isoformat() if is_later else met.decode(), _packed(after))
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


_NOBODY = KnownPlayer(0, b"")


class _Models(Struct, frozen=True):
    """The stored form of what two readers have learned; a row of the learned one's model alone has just that."""

    learned: bytes
    counted: int
    counts: bytes


def _packed(player: KnownPlayer) -> bytes:
    return pack(_Models(player.model, player.counted, player.counts)) if player.counts else player.model


def _known_player(choices: int, stored: bytes) -> KnownPlayer:
    try:
        models = unpack(stored, _Models)
    except StoredDataError:
        return KnownPlayer(choices, stored)
    return KnownPlayer(choices, models.learned, models.counted, models.counts)


def _stored_player(row: tuple[bytes, bytes, int, bytes, bytes]) -> StoredPlayer:
    name, style, choices, met, model = row
    try:
        when = datetime.fromisoformat(met.decode())
    except ValueError:
        when = LOST_TIME
    return StoredPlayer(SeatConfig(name.decode(), style.decode()), when, _known_player(choices, model))
