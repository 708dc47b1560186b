"""What each finished hand came to, in a row of its own, so that a million hands are filtered without reading them.

All of it follows from the hand but when it ended and what its review found. Of a hand that was watched there are no
cards and no position, and nothing is won.
"""

import logging
import sqlite3
from collections.abc import Iterable
from functools import lru_cache

from engine.cards import CARD_COUNT, combo_of, format_card, parse_cards
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import HandView
from engine.game.summary import WALK, summary_of

_log = logging.getLogger(__name__)

PLAYED = """
CREATE TABLE played (               -- what each finished hand came to; all but `ended` and `loss` follows from it
    hand INTEGER PRIMARY KEY REFERENCES hands (id),
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    ended TEXT NOT NULL,            -- ISO 8601, local time; of hands of earlier versions when their session began
    cards TEXT NOT NULL,            -- the person's, as AhKh
    board TEXT NOT NULL,
    position TEXT NOT NULL,         -- the person's, as CO
    seats INTEGER NOT NULL,         -- dealt in
    raises INTEGER NOT NULL,        -- before the flop
    street INTEGER NOT NULL,        -- the last one dealt, 0 to 3
    showdown INTEGER NOT NULL,      -- whether the person was in at the showdown
    pot REAL NOT NULL,              -- big blinds
    net REAL NOT NULL,              -- big blinds
    loss REAL                       -- big blinds lost by mistakes; NULL until it is reviewed
);
"""

RAISES = f"CASE WHEN raises = 0 AND street = 0 THEN {WALK} ELSE raises END AS raises"
"""The raises before the flop, `WALK` where there were none and no flop: who had limped would have seen one."""


def add_played(database: sqlite3.Connection, hand: tuple[int, int, int], ended: str, final: HandView) -> None:
    """Insert what a hand came to, `hand` being its number in the store, its session and its number there.

    Of events that are no whole hand nothing is inserted: nobody can look at it either.
    """
    try:
        insert_played(database, [(*hand, ended, *came_to(final))])
    except (HistoryError, ValueError) as error:
        _log.info("Hand %s is not listed: %s", hand[0], error)


def came_to(final: HandView) -> tuple[object, ...]:
    """Return the columns from `cards` to `net`; HistoryError or ValueError if the events are no whole hand."""
    verify_finished(final)
    summary = summary_of(final)
    return (
        "".join(map(format_card, final.own_cards)),
        "".join(map(format_card, final.board)),
        summary.position,
        summary.dealt_in,
        summary.raises,
        int(summary.street),
        int(summary.went_to_showdown),
        summary.pot,
        summary.net,
    )


@lru_cache(maxsize=CARD_COUNT**2)
def combo_of_cards(cards: bytes) -> int:
    """Return the combo of the column `cards`, -1 where there are none or they are damaged."""
    try:
        first, second = parse_cards(cards.decode())
        return combo_of(first, second)
    except ValueError:
        return -1


def insert_played(database: sqlite3.Connection, rows: Iterable[tuple[object, ...]]) -> None:
    """Insert rows of all columns but `loss`."""
    database.executemany(f"INSERT OR REPLACE INTO played VALUES ({', '.join('?' * 13)}, NULL)", rows)
