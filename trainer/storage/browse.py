"""The finished hands of all sessions, filtered and sorted by what each came to; a million stay quick."""

import logging
import sqlite3
from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import Card, Street, parse_cards
from engine.codec import decode, encode
from engine.ranges import Range
from trainer.storage.columns import BY_NAME, PlayedColumns, PlayedTable
from trainer.storage.database import DatabaseFile
from trainer.storage.notes import NOTES_BY_TAG, HandNote
from trainer.storage.played import RAISES
from trainer.storage.stored import stored_time

_log = logging.getLogger(__name__)

_DAY_SECONDS = 86_400
_COLUMNS = f"hand, session, number, ended, cards, board, position, {RAISES}, street, showdown, pot, net, loss"


HERE = "here"
"""In the place of a site: hands that were played at a table of this program."""


class Order(StrEnum):
    """What hands are sorted by."""

    PLAYED = "ended"
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
    site : str
        Where the hands were played, `HERE` or a site that they were imported from.
    since, until : date or None
        First and last day.
    position : str
        Of `engine.game.summary.POSITIONS`.
    raises : int or None
        Raises before the flop, or `engine.game.summary.WALK`; 3 is for three or more.
    hole_cards : Range or None
        Those of the player, with any weight but 0.
    least_pot, least_loss : float
        Of the pot, and of what mistakes cost as far as it is known.
    has_won, was_at_showdown : bool or None
        Whether more was won than put in, or less; whether the player was in at the showdown.
    is_watched : bool or None
        Whether the hands that were watched are wanted, or all others.
    tag : str
        A tag that the hand has.
    has_note : bool
        Whether only hands with a note or a tag are wanted.
    """

    session: int | None = None
    style: str = ""
    site: str = ""
    since: date | None = None
    until: date | None = None
    position: str = ""
    raises: int | None = None
    hole_cards: Range | None = None
    least_pot: float = 0.0
    least_loss: float = 0.0
    has_won: bool | None = None
    was_at_showdown: bool | None = None
    is_watched: bool | None = None
    tag: str = ""
    has_note: bool = False


class PlayedHand(Struct, frozen=True):
    """What a hand came to, as `engine.game.summary.HandSummary` says it; `loss` is None until it is reviewed.

    `cards` are the player's, none of a hand that was watched.
    """

    hand_id: int
    session_id: int
    number: int
    ended: datetime
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    position: str
    raises: int
    street: Street
    was_at_showdown: bool
    pot: float
    net: float
    loss: float | None
    note: HandNote


class Found(Struct, frozen=True):
    """The hands that were wanted, in order, by their numbers in the store; `net` is the sum in big blinds.

    `watched` is how many of them nobody played.
    """

    hand_ids: NDArray[np.int64]
    net: float
    watched: int = 0


class Browse:
    """Finds hands, from any thread. Every method raises StoreError if the file cannot be read or written."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        self.played = PlayedTable(file)

    def find(self, wanted: HandFilter, order: Order = Order.PLAYED, *, is_rising: bool = False) -> Found:
        """Return the hands wanted, by default those played last first, otherwise the largest.

        The first time all of them are read: `played.steps` says how far that is.
        """
        columns = self.played.now()
        chosen = self._chosen(columns, wanted)
        places = columns.rising(order.value)
        if chosen is not None:
            places = places[chosen[places]]
        if not is_rising:
            known = len(places) - np.count_nonzero(np.isnan(columns.loss[places])) if order is Order.LOSS else None
            places = np.concatenate([places[:known][::-1], places[len(places) if known is None else known :][::-1]])
        watched = int(np.count_nonzero(columns.is_watched[places]))
        return Found(columns.hand[places], float(columns.net[places].sum()), watched)

    def _chosen(self, columns: PlayedColumns, wanted: HandFilter) -> NDArray[np.bool_] | None:
        """Tell of each hand whether it is wanted; None if all are."""
        terms: list[NDArray[np.bool_]] = []
        if wanted.session is not None:
            terms.append(columns.session == wanted.session)
        if wanted.style:
            terms.append(np.isin(columns.session, self._file.read(lambda one: _sessions_with(one, wanted.style))))
        if wanted.site == HERE:
            terms.append(np.isin(columns.session, self._numbers("SELECT session FROM venues", ()), invert=True))
        elif wanted.site:
            query = "SELECT session FROM venues WHERE json_extract(venue, '$.site') = ?"
            terms.append(np.isin(columns.session, self._numbers(query, (wanted.site,))))
        if wanted.since is not None:
            terms.append(columns.ended >= _second(wanted.since))
        if wanted.until is not None:
            terms.append(columns.ended < _second(wanted.until) + _DAY_SECONDS)
        if wanted.position:
            terms.append(columns.position == BY_NAME.index(wanted.position))
        if wanted.raises is not None:
            terms.append(columns.raises >= 3 if wanted.raises >= 3 else columns.raises == wanted.raises)
        if wanted.hole_cards is not None:
            terms.append((columns.combo >= 0) & (wanted.hole_cards.weights[columns.combo] > 0))
        if wanted.least_pot > 0:
            terms.append(columns.pot >= wanted.least_pot)
        if wanted.least_loss > 0:
            terms.append(columns.loss >= wanted.least_loss)
        if wanted.has_won is not None:
            terms.append(columns.net > 0 if wanted.has_won else columns.net < 0)
        if wanted.was_at_showdown is not None:
            terms.append((columns.showdown == wanted.was_at_showdown) & ~columns.is_watched)
        if wanted.is_watched is not None:
            terms.append(columns.is_watched == wanted.is_watched)
        if wanted.tag:
            query = f"SELECT notes.hand FROM {NOTES_BY_TAG} WHERE value = ?"
            terms.append(np.isin(columns.hand, self._numbers(query, (wanted.tag,))))
        if wanted.has_note:
            terms.append(np.isin(columns.hand, self._numbers("SELECT hand FROM notes", ())))
        return np.logical_and.reduce(terms) if terms else None

    def _numbers(self, query: str, values: tuple[str, ...]) -> list[int]:
        return self._file.read(lambda database: [row[0] for row in database.execute(query, values)])

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

    def losses(self, hand_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what mistakes cost in each hand in big blinds, NaN where that is not known."""
        columns = self.played.now()
        found = np.full(len(hand_ids), np.nan)
        is_there = np.isin(hand_ids, columns.hand)
        found[is_there] = columns.loss[np.searchsorted(columns.hand, hand_ids[is_there])]
        return found

    def set_loss(self, hand_id: int, loss_bb: float | None) -> None:
        """Store what the player's mistakes in a hand cost them in big blinds, None for not known."""
        self._file.insert("UPDATE played SET loss = ? WHERE hand = ?", (loss_bb, hand_id))
        self.played.change([hand_id])


def _second(day: date) -> int:
    """Return when a day begins, as `PlayedColumns.ended` numbers it."""
    return (day - date(1970, 1, 1)).days * _DAY_SECONDS


def _sessions_with(database: sqlite3.Connection, style: str) -> list[int]:
    """Return the sessions at whose table somebody of a style sits."""
    # Within JSON no other text than a seat's field looks so: there a quotation mark has a backslash before it.
    field = f'"style":{encode(style).decode()}'
    return [row[0] for row in database.execute("SELECT id FROM sessions WHERE instr(config, ?) > 0", (field,))]


def _played(row: tuple[Any, ...]) -> PlayedHand:
    hand, session, number, ended, cards, board, position, raises, street, showdown, pot, net, loss = row[:13]
    note, tags = row[13:]
    own = parse_cards(cards.decode())
    if len(own) != 2 and (own or position):
        raise ValueError(f"{len(own)} hole cards")
    return PlayedHand(
        hand_id=hand,
        session_id=session,
        number=number,
        ended=stored_time(ended),
        cards=own,
        board=parse_cards(board.decode()),
        position=position.decode(),
        raises=raises,
        street=Street(street),
        was_at_showdown=bool(showdown),
        pot=pot,
        net=net,
        loss=loss,
        note=HandNote(note.decode(), decode(tags, tuple[str, ...])),
    )
