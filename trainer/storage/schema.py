"""The tables of the stored hands, and how a new file is filled with the rows of an earlier or a damaged one."""

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path

from msgspec import Raw, structs

from engine.agents.agent import renamed_style
from engine.atomic_file import make_private_file
from engine.codec import StoredDataError, decode, encode
from engine.game.events import Action, GameKind, HandStarted, Seat
from engine.game.formats import HUMAN, PERSON, GameConfig, SeatConfig
from engine.game.observation import HandView
from engine.session_state import DealerState, SeatRecord
from trainer.storage.played import PLAYED, add_played
from trainer.storage.salvage import PAGE_BYTES, Row
from trainer.storage.seal import Key, is_sealed
from trainer.storage.stored import LOST_TIME, StoredHand, Venue, packed

_log = logging.getLogger(__name__)

SCHEMA_VERSION = 6
"""Raised with every change of `_SCHEMA`, together with what `_Filling` makes of the rows of the one before."""

APPLICATION_ID = 0x536F756C
""""Soul": the mark by which a database is known as ours."""

LOST_NOTES = "note of a lost hand"
"""The kind of records that hold them, each a `HandNote`."""

_INCREMENTAL_VACUUM = 2
_SCHEMA_QUERY = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"

# Each table's rows differ from all others' in number or kind of their columns: by that alone are they told apart
# in a damaged file.
_SCHEMA = f"""
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,          -- ISO 8601, local time
    config TEXT NOT NULL,           -- the game, JSON; its seed is 0 while the session can be resumed
    seed BLOB,                      -- the seed, sealed; NULL when the session has ended
    state TEXT NOT NULL,            -- the dealer between two hands, JSON
    result TEXT,                    -- how it went, JSON; NULL while it can be resumed
    form INTEGER NOT NULL           -- the version of this schema whose names the game's styles have
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,            -- the dealer before the hand, JSON; '' when it has ended
    hole_cards TEXT,                -- of every seat dealt in, JSON; NULL while it runs
    observation BLOB,               -- the person's at the end, packed, with all public events; NULL while it runs
    traces BLOB,                    -- why the bots acted as they did, packed; NULL while it runs
    commitment TEXT,                -- to its deck, as it was shown before the hand; NULL of earlier versions
    opening BLOB,                   -- what that is the hash of, packed; NULL while it runs
    UNIQUE (session, number)
);
CREATE TABLE actions (              -- of the running hand
    hand INTEGER NOT NULL REFERENCES hands (id),
    position INTEGER NOT NULL,      -- 0, 1, 2 ... within the hand
    action TEXT NOT NULL,           -- JSON
    trace BLOB,                     -- why, sealed; NULL for the person
    PRIMARY KEY (hand, position)
);
CREATE TABLE memories (             -- what was learned in a session, so that it needs not be played again
    session INTEGER NOT NULL REFERENCES sessions (id),
    part TEXT NOT NULL,             -- whose
    hand INTEGER NOT NULL,          -- number of the last hand in it
    memory BLOB NOT NULL,
    PRIMARY KEY (session, part)
);
CREATE TABLE players (              -- what was learned of players over all sessions, from public events
    name TEXT NOT NULL,
    style TEXT NOT NULL,            -- registered name of a bot's, or 'human'
    choices INTEGER NOT NULL,       -- how many it was learned from
    met TEXT NOT NULL,              -- when the last session with them began, or when they were forgotten; ISO 8601
    model BLOB,                     -- what was learned; NULL of a player who was forgotten
    PRIMARY KEY (name, style)
);
CREATE TABLE notes (                -- what the person has written to hands
    hand INTEGER PRIMARY KEY REFERENCES hands (id),
    note TEXT NOT NULL,
    tags TEXT NOT NULL              -- JSON list
);
CREATE TABLE reviews (              -- of decisions of finished hands; can be made again
    stamp TEXT NOT NULL,            -- who has reviewed: reader, version, settings
    hand INTEGER NOT NULL REFERENCES hands (id),
    review BLOB NOT NULL,           -- packed
    PRIMARY KEY (hand, stamp)
);
CREATE TABLE records (              -- small things of the person's
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    made TEXT NOT NULL,             -- ISO 8601, local time
    value TEXT NOT NULL,            -- JSON
    PRIMARY KEY (kind, name)
);
{PLAYED}
CREATE TABLE seat_hands (           -- what each seat did and won in finished hands; can be counted again
    hand INTEGER PRIMARY KEY REFERENCES hands (id),
    people BLOB,                    -- who sat there, uint32; NULL if the session says it
    counted BLOB NOT NULL,          -- by `engine.figures.seat_hands`; empty where the hand is damaged
    seats INTEGER NOT NULL          -- in it
);
CREATE TABLE people (               -- of imported hands that are counted
    name TEXT NOT NULL UNIQUE,
    id INTEGER PRIMARY KEY
);
CREATE TABLE venues (               -- of sessions of imported hands
    session INTEGER PRIMARY KEY REFERENCES sessions (id),
    venue TEXT NOT NULL,            -- where they were played, JSON
    first TEXT NOT NULL,            -- when the first hand was played, ISO 8601, by the site's clock
    last TEXT NOT NULL
);
CREATE INDEX sessions_by_venue ON venues (venue);
CREATE TABLE imported (             -- what an imported hand has beside what one played here has
    hand INTEGER PRIMARY KEY REFERENCES hands (id),
    site TEXT NOT NULL,
    number TEXT NOT NULL,           -- the site's
    rake INTEGER NOT NULL,          -- chips
    table_name TEXT NOT NULL,       -- in tournaments, where it is none of the venue's
    remarks TEXT NOT NULL,          -- what the text tells and the hand cannot show, JSON list; '' for nothing
    UNIQUE (site, number)
);
"""


def in_memory() -> sqlite3.Connection:
    """Open an empty database that nothing outlives."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.text_factory = bytes
    database.execute("PRAGMA foreign_keys = ON")
    database.executescript(_SCHEMA)
    return database


def tables_of(database: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return all that makes up the form of a database, as SQLite keeps it."""
    return database.execute(_SCHEMA_QUERY).fetchall()


@cache
def expected_tables() -> list[tuple[object, ...]]:
    """Return what `tables_of` returns for a file of today's form."""
    with closing(in_memory()) as database:
        return tables_of(database)


def refill(new: Path, key: Key, found: Iterable[Row]) -> tuple[int, int]:
    """Make a new database of these rows, and return how many hands of how many sessions it holds."""
    new.unlink(missing_ok=True)
    make_private_file(new)
    database = sqlite3.connect(new)
    try:
        database.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        database.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL_VACUUM}")
        database.execute("PRAGMA journal_mode = MEMORY")  # if this fails, the file is thrown away
        database.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
        with database:
            saved = _Filling(database, key).fill(found)
    except BaseException:
        database.close()
        new.unlink(missing_ok=True)
        raise
    database.close()
    return saved


def rows_of(database: sqlite3.Connection) -> Iterator[Row]:
    """Yield all rows of a sound file."""
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in tables:
        table = name.decode()
        for values in database.execute(f"SELECT rowid, * FROM {table}"):
            yield Row(values[0], values[1:])


class _Filling:
    """Takes rows of whatever table and version in, and leaves out what makes no sense; seals what was open."""

    def __init__(self, database: sqlite3.Connection, key: Key) -> None:
        self._database = database
        self._key = key
        self._ended_and_loss: list[tuple[str, float | None, int]] = []

    def fill(self, found: Iterable[Row]) -> tuple[int, int]:
        """Take rows in, in any order, and return how many hands of how many sessions that makes."""
        for row in found:
            try:
                self._take(row.number, row.values)
            except (StoredDataError, ValueError, sqlite3.IntegrityError) as error:
                _log.info("A stored row is left out: %s", error)
        database = self._database
        self._make_lost_sessions()
        database.execute("DELETE FROM memories WHERE session NOT IN (SELECT id FROM sessions)")
        database.execute(
            "DELETE FROM actions WHERE hand NOT IN (SELECT id FROM hands) OR hand IN"
            " (SELECT id FROM hands WHERE observation IS NOT NULL AND (traces IS NOT NULL OR trace IS NULL))"
        )
        for table in ("reviews", "imported"):
            database.execute(f"DELETE FROM {table} WHERE hand NOT IN (SELECT id FROM hands)")
        database.execute("DELETE FROM venues WHERE session NOT IN (SELECT id FROM sessions)")
        self._keep_lost_notes()
        database.execute("UPDATE played SET ended = (SELECT started FROM sessions WHERE id = session)")
        database.executemany("UPDATE played SET ended = ?, loss = ? WHERE hand = ?", self._ended_and_loss)
        found_hands, found_sessions = database.execute(
            "SELECT count(*), count(DISTINCT session) FROM hands"
        ).fetchone()
        return found_hands, found_sessions

    def _take(self, number: int, values: tuple[object, ...]) -> None:
        match values:
            case [_, bytes() as started, bytes() as config, bytes() as state, (None | bytes()) as result]:
                self._take_session(number, started, _with_styles_renamed(config), None, state, result)
            case [_, bytes() as started, bytes() as config, (None | bytes()) as seed, bytes() as state,
                  (None | bytes()) as result]:  # fmt: skip
                self._take_session(number, started, _with_styles_renamed(config), seed, state, result)
            case [_, bytes() as started, bytes() as config, (None | bytes()) as seed, bytes() as state,
                  (None | bytes()) as result, int()]:  # fmt: skip
                self._take_session(number, started, decode(config, GameConfig), seed, state, result)
            case [_, int() as session, int() as hand, bytes() as state, (None | bytes()) as observation]:
                self._take_hand(number, session, hand, state, (None, observation, None, None, None))
            case [_, int() as session, int() as hand, bytes() as state, (None | bytes()) as cards,
                  (None | bytes()) as observation, (None | bytes()) as traces]:  # fmt: skip
                self._take_hand(number, session, hand, state, (cards, observation, traces, None, None))
            case [_, int() as session, int() as hand, bytes() as state, (None | bytes()) as cards,
                  (None | bytes()) as observation, (None | bytes()) as traces, (None | bytes()) as commitment,
                  (None | bytes()) as opening]:  # fmt: skip
                self._take_hand(number, session, hand, state, (cards, observation, traces, commitment, opening))
            case [int() as hand, int() as position, bytes() as action, (None | bytes()) as trace]:
                self._take_action(hand, position, action, trace)
            case [int() as session, bytes() as part, int() as hand, bytes() as memory]:
                row = (session, part.decode(), hand, memory)
                self._database.execute("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?)", row)
            case [bytes() as name, bytes() as style, int() as choices, bytes() as met, (None | bytes()) as model]:
                datetime.fromisoformat(met.decode())
                player = (name.decode(), style.decode(), choices, met.decode(), model)
                self._database.execute("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?)", player)
            case [None | int(), bytes() as note, bytes() as tags]:
                kept = encode(decode(tags, tuple[str, ...])).decode()
                self._database.execute(
                    "INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (number, note.decode(), kept)
                )
            case [bytes() as stamp, int() as hand, bytes() as review]:
                review_row = (stamp.decode(), hand, review)
                self._database.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", review_row)
            case [bytes() as kind, bytes() as name, bytes() as made, bytes() as value]:
                decode(value, Raw)
                record = (kind.decode(), name.decode(), made.decode(), value.decode())
                self._database.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", record)
            case [None | int(), bytes() as venue, bytes() as first, bytes() as last]:
                self._take_venue(number, venue, first, last)
            case [None | int(), bytes() as site, bytes() as name, int() as rake, bytes() as table,
                  bytes() as remarks]:  # fmt: skip
                self._take_imported(number, (site, name, table, remarks), rake)
            case [_, int(), int(), bytes() as ended, bytes(), bytes(), bytes(), int(), int(), int(), int(),
                  int() | float(), int() | float(), (None | int() | float()) as loss]:  # fmt: skip
                datetime.fromisoformat(ended.decode())
                self._ended_and_loss.append((ended.decode(), loss, number))

    def _take_session(
        self,
        number: int,
        started: bytes,
        game: GameConfig,
        seed: bytes | None,
        state: bytes,
        result: bytes | None,
    ) -> None:
        datetime.fromisoformat(started.decode())
        game.verify()
        if result is None and seed is None:  # an earlier version left the seed of a session open
            seed = self._key.seal(str(game.seed).encode())
        shown = game if seed is None else structs.replace(game, seed=0)
        kept = encode(decode(state, DealerState)).decode()
        ended = result and result.decode()
        row = (number, started.decode(), encode(shown).decode(), seed, kept, ended, SCHEMA_VERSION)
        self._database.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _take_hand(
        self,
        number: int,
        session: int,
        hand: int,
        state: bytes,
        rest: tuple[bytes | None, bytes | None, bytes | None, bytes | None, bytes | None],
    ) -> None:
        cards, observation, traces, commitment, opening = rest
        if observation is None:
            decode(state, DealerState)
        else:
            final = StoredHand(number, hand, state, (), observation, {}).final_view()
            observation = packed(final)
            add_played(self._database, (number, session, hand), "", final)
        kept = encode(decode(state, DealerState)).decode() if state else ""  # without the seed of earlier versions
        texts = cards and cards.decode(), commitment and commitment.decode()
        row = (number, session, hand, kept, texts[0], observation, traces, texts[1], opening)
        self._database.execute("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _take_action(self, hand: int, position: int, action: bytes, trace: bytes | None) -> None:
        decode(action, Action)
        if trace is not None and not is_sealed(trace):
            trace = self._key.seal(trace)
        row = (hand, position, action.decode(), trace)
        self._database.execute("INSERT OR REPLACE INTO actions VALUES (?, ?, ?, ?)", row)

    def _take_venue(self, number: int, venue: bytes, first: bytes, last: bytes) -> None:
        kept = encode(decode(venue, Venue)).decode()
        for when in (first, last):
            datetime.fromisoformat(when.decode())
        row = (number, kept, first.decode(), last.decode())
        self._database.execute("INSERT OR REPLACE INTO venues VALUES (?, ?, ?, ?)", row)

    def _take_imported(self, number: int, texts: tuple[bytes, bytes, bytes, bytes], rake: int) -> None:
        site, name, table, remarks = (text.decode() for text in texts)
        if remarks:
            decode(texts[3], tuple[str, ...])
        row = (number, site, name, rake, table, remarks)
        self._database.execute("INSERT OR REPLACE INTO imported VALUES (?, ?, ?, ?, ?, ?)", row)

    def _keep_lost_notes(self) -> None:
        """Keep what the person has written to hands that are lost, where no other hand takes it for its own."""
        lost = "FROM notes WHERE hand NOT IN (SELECT id FROM hands)"
        self._database.execute(
            f"INSERT OR IGNORE INTO records SELECT '{LOST_NOTES}', CAST(hand AS TEXT), '{LOST_TIME.isoformat()}',"
            f" json_object('note', note, 'tags', json(tags)) {lost}"
        )
        self._database.execute(f"DELETE {lost}")

    def _make_lost_sessions(self) -> None:
        """Give hands whose session is lost one that has ended, as the first of them was played."""
        self._database.execute(
            "DELETE FROM hands WHERE observation IS NULL AND session NOT IN (SELECT id FROM sessions)"
        )
        lost = self._database.execute(
            "SELECT session, max(number) FROM hands WHERE session NOT IN (SELECT id FROM sessions) GROUP BY session"
        ).fetchall()
        for session, hands in lost:
            query = (
                "SELECT observation, imported.hand IS NOT NULL FROM hands LEFT JOIN imported ON imported.hand = id"
                " WHERE session = ?"
            )
            rows = self._database.execute(query, (session,)).fetchall()
            finals = (StoredHand(0, 0, b"", (), row[0], {}).final_view() for row in rows)
            games = (game_of(final, hands, PERSON if rows[0][1] else "random") for final in finals)
            game_and_state = next((one for one in games if one is not None), None)
            if game_and_state is None:  # nothing of them can be looked at either
                self._database.execute("DELETE FROM hands WHERE session = ?", (session,))
                continue
            config, state = game_and_state
            began, game, left = LOST_TIME.isoformat(), encode(config).decode(), encode(state).decode()
            row = (session, began, game, None, left, "{}", SCHEMA_VERSION)
            self._database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _with_styles_renamed(config: bytes) -> GameConfig:
    """Read a game of version 1 or 2."""
    game = decode(config, GameConfig)
    seats = tuple(SeatConfig(seat.name, renamed_style(seat.style)) for seat in game.seats)
    return structs.replace(game, seats=seats)


def game_of(final: HandView, hands: int, others: str) -> tuple[GameConfig, DealerState] | None:
    """Return a game that a hand can have been played in, and its dealer after so many hands; None if it is no hand.

    `others` is the style of all but who saw the hand so, if it is not one that was watched.
    """
    started = final.events[0] if final.events else None
    if not isinstance(started, HandStarted) or not started.seats:
        return None
    names = {start.seat: start.name for start in started.seats}
    seats = tuple(
        SeatConfig(names.get(seat, empty_seat(seat)), HUMAN if seat == final.viewer else others)
        for seat in range(max(names) + 1)
    )
    stack = max(final.big_blind + final.ante, *(start.stack for start in started.seats))
    config = GameConfig(
        kind=GameKind(final.kind),
        seats=seats,
        starting_stack=stack,
        small_blind=final.small_blind,
        big_blind=final.big_blind,
        ante=final.ante,
    )
    return config, DealerState(hands, (SeatRecord(stack, stack),) * len(seats))


def empty_seat(seat: Seat) -> str:
    """Return what a seat goes by at which nobody was seen."""
    return f"Seat {seat + 1}"
