"""The finished hands of all sessions, filtered and sorted by what each came to; a million stay quick."""

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import Card, HoleCards, Street, parse_cards
from engine.codec import StoredDataError, decode, encode
from engine.game.formats import GameConfig
from trainer.storage.database import DatabaseFile
from trainer.storage.notes import NOTES_BY_TAG, HandNote
from trainer.storage.stored import LOST_TIME

_log = logging.getLogger(__name__)

_COLUMNS = "hand, session, number, ended, cards, board, position, seats, raises, street, showdown, pot, net, loss"


class Order(StrEnum):
    """What hands are sorted by."""

    PLAYED = "hand"
    POSITION = "position"
    RAISES = "raises"
    POT = "pot"
    NET = "net"
    LOSS = "loss"


class HandFilter(Struct, frozen=True):
    """Which hands are wanted; a field left as it is leaves nothing out. Chips are in big blinds.

    Attributes
    ----------
    session : int or None
        Number of a session in the store.
    style : str
        Registered name of a style of which somebody sat at the table.
    since, until : date or None
        First and last day.
    position : str
        Of `engine.game.summary.POSITIONS`.
    raises : int or None
        Raises before the flop; 3 is for three or more.
    least_pot, least_loss : float
        Of the pot, and of what mistakes cost as far as it is known.
    has_won, was_at_showdown : bool or None
        Whether more was won than put in, or less; whether the player was in at the showdown.
    tag : str
        A tag that the hand has.
    has_note : bool
        Whether only hands with a note or a tag are wanted.
    """

    session: int | None = None
    style: str = ""
    since: date | None = None
    until: date | None = None
    position: str = ""
    raises: int | None = None
    least_pot: float = 0.0
    least_loss: float = 0.0
    has_won: bool | None = None
    was_at_showdown: bool | None = None
    tag: str = ""
    has_note: bool = False


class PlayedHand(Struct, frozen=True):
    """What a hand came to, as `engine.game.summary.HandSummary` says it; `loss` is None until it is reviewed."""

    hand_id: int
    session_id: int
    number: int
    ended: datetime
    cards: HoleCards
    board: tuple[Card, ...]
    position: str
    dealt_in: int
    raises: int
    street: Street
    was_at_showdown: bool
    pot: float
    net: float
    loss: float | None
    note: HandNote


class Found(Struct, frozen=True):
    """The hands that were wanted, in order, by their numbers in the store; `net` is the sum in big blinds."""

    hand_ids: NDArray[np.int64]
    net: float


class Browse:
    """Finds hands, from any thread. Every method raises StoreError if the file cannot be read or written."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file

    def find(self, wanted: HandFilter, order: Order = Order.PLAYED, *, is_rising: bool = False) -> Found:
        """Return the hands wanted, by default the newest first, otherwise the largest."""

        def read(database: sqlite3.Connection) -> Found:
            sessions = _sessions_with(database, wanted.style) if wanted.style else None
            query, values = query_of(wanted, order, is_rising=is_rising, sessions=sessions)
            found = np.fromiter(database.execute(query, values), np.dtype((np.float64, 2)))
            return Found(found[:, 0].astype(np.int64), float(found[:, 1].sum()))

        return self._file.read(read)

    def rows(self, hand_ids: Sequence[int]) -> tuple[PlayedHand, ...]:
        """Return what hands came to, at most some hundreds, in this order, without those not there or damaged."""
        places = ", ".join("?" * len(hand_ids))
        query = (
            f"SELECT {_COLUMNS}, coalesce(note, ''), coalesce(tags, '[]') FROM played"
            f" LEFT JOIN notes USING (hand) WHERE hand IN ({places})"
        )
        found = self._file.read(lambda database: database.execute(query, tuple(map(int, hand_ids))).fetchall())
        hands: dict[int, PlayedHand] = {}
        for row in found:
            try:
                hands[row[0]] = _played(row)
            except ValueError as error:
                _log.warning("What hand %s came to cannot be read: %s", row[0], error)
        return tuple(hands[number] for number in hand_ids if number in hands)

    def set_loss(self, hand_id: int, loss_bb: float | None) -> None:
        """Store what the player's mistakes in a hand cost them in big blinds, None for not known."""
        self._file.insert("UPDATE played SET loss = ? WHERE hand = ?", (loss_bb, hand_id))


def query_of(
    wanted: HandFilter, order: Order, *, is_rising: bool, sessions: Sequence[int] | None
) -> tuple[str, tuple[object, ...]]:
    """Return the SQL that finds hands and what each has won, and its values; `sessions` are those of its style."""
    terms: list[tuple[str, tuple[object, ...]]] = []
    if wanted.session is not None:
        terms.append(("session = ?", (wanted.session,)))
    if sessions is not None:
        terms.append(("session IN (SELECT value FROM json_each(?))", (encode(tuple(sessions)).decode(),)))
    if wanted.since is not None:
        terms.append(("ended >= ?", (wanted.since.isoformat(),)))
    if wanted.until is not None:
        terms.append(("ended < ?", ((wanted.until + timedelta(days=1)).isoformat(),)))
    if wanted.position:
        terms.append(("position = ?", (wanted.position,)))
    if wanted.raises is not None:
        terms.append((f"raises {'>=' if wanted.raises >= 3 else '='} ?", (wanted.raises,)))
    if wanted.least_pot > 0:
        terms.append(("pot >= ?", (wanted.least_pot,)))
    if wanted.least_loss > 0:
        terms.append(("loss >= ?", (wanted.least_loss,)))
    if wanted.has_won is not None:
        terms.append(("net > 0" if wanted.has_won else "net < 0", ()))
    if wanted.was_at_showdown is not None:
        terms.append(("showdown = ?", (int(wanted.was_at_showdown),)))
    if wanted.tag:
        terms.append(
            (
                f"hand IN (SELECT notes.hand FROM {NOTES_BY_TAG} WHERE value = ?)",
                (wanted.tag,),
            )
        )
    if wanted.has_note:
        terms.append(("hand IN (SELECT hand FROM notes)", ()))
    where = f" WHERE {' AND '.join(term for term, _ in terms)}" if terms else ""
    direction = "" if is_rising else " DESC"
    # A filter's index is better than the order's: so few are left to be sorted.
    sign = "+" if terms else ""
    then = "" if order is Order.PLAYED else f", hand{direction}"
    last = " NULLS LAST" if order is Order.LOSS and is_rising else ""
    query = f"SELECT hand, net FROM played{where} ORDER BY {sign}{order.value}{direction}{last}{then}"
    return query, tuple(value for _, values in terms for value in values)


def _sessions_with(database: sqlite3.Connection, style: str) -> list[int]:
    """Return the sessions at whose table somebody of a style sits."""
    found = []
    for number, config in database.execute("SELECT id, config FROM sessions"):
        with suppress(StoredDataError):
            if any(seat.style == style for seat in decode(config, GameConfig).seats):
                found.append(number)
    return found


def _played(row: tuple[Any, ...]) -> PlayedHand:
    hand, session, number, ended, cards, board, position, seats, raises, street, showdown, pot, net, loss = row[:14]
    note, tags = row[14:]
    try:
        when = datetime.fromisoformat(ended.decode())
    except ValueError:
        when = LOST_TIME
    first, second = parse_cards(cards.decode())
    return PlayedHand(
        hand_id=hand,
        session_id=session,
        number=number,
        ended=when,
        cards=(first, second),
        board=parse_cards(board.decode()),
        position=position.decode(),
        dealt_in=seats,
        raises=raises,
        street=Street(street),
        was_at_showdown=bool(showdown),
        pot=pot,
        net=net,
        loss=loss,
        note=HandNote(note.decode(), decode(tags, tuple[str, ...])),
    )
