"""Hands written for other programs: as PHH, Open Hand History or text of PokerStars, or as rows of a table."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from engine.cards import format_cards
from engine.foreign_text import cell_text
from engine.game.events import BoardDealt, Chips, PotAwarded, start_of
from engine.game.observation import Observation
from engine.game.summary import summary_of
from engine.hand_histories import open_hand_history
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.phh_file import phh_section
from engine.hand_histories.pokerstars_text import pokerstars_text

COLUMNS: Final = (
    *("date", "site", "number", "table", "tournament", "stakes", "currency", "hero", "position", "cards", "board"),
    *("pot", "rake", "net", "net_bb"),
)
"""Of the table: amounts are in units of the currency or of tournament chips, `net_bb` is in big blinds."""


def exported(hands: Iterable[ImportedHand], form: str) -> Iterator[str]:
    """Yield the text of hands in one of `FORMS`, piece by piece: a piece for each, of a table first its head."""
    yield from _FORMS[form](hands)


def _phh(hands: Iterable[ImportedHand]) -> Iterator[str]:
    return (phh_section(hand, number) for number, hand in enumerate(hands, 1))


def _ohh(hands: Iterable[ImportedHand]) -> Iterator[str]:
    return (f"{open_hand_history.written(hand)}\n\n" for hand in hands)


def _pokerstars(hands: Iterable[ImportedHand]) -> Iterator[str]:
    return map(pokerstars_text, hands)


def _csv(hands: Iterable[ImportedHand]) -> Iterator[str]:
    yield _line(COLUMNS)
    yield from (_line(_row(hand)) for hand in hands)


def _line(cells: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _row(hand: ImportedHand) -> list[str]:
    """Return the cells of a hand; what is the hero's is empty where there is none whose cards are known."""
    events = hand.record.events
    started, final = start_of(events), hand.final
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    won = sum(event.amount for event in events if isinstance(event, PotAwarded))
    own = ["", "", ""]
    net = ["", ""]
    if isinstance(final, Observation):
        summary = summary_of(final)
        own = [cell_text(final.me.name), summary.position, format_cards(final.hole_cards, " ")]
        net = [_amount(round(summary.net * started.big_blind), hand.scale), f"{summary.net:.2f}"]
    ante = f" ({_amount(started.ante, hand.scale)})" if started.ante else ""
    return [
        f"{hand.played:%Y-%m-%d %H:%M:%S}" if hand.played is not None else "",
        *map(cell_text, (hand.site, hand.number, hand.table, hand.tournament)),
        f"{_amount(started.small_blind, hand.scale)}/{_amount(started.big_blind, hand.scale)}{ante}",
        hand.currency,
        *own,
        format_cards(board, " "),
        _amount(won + hand.rake, hand.scale),
        _amount(hand.rake, hand.scale),
        *net,
    ]


def _amount(chips: Chips, scale: int) -> str:
    """Return an amount in units, with decimals only where it has some."""
    return str(chips // scale) if chips % scale == 0 else f"{chips / scale:.2f}"


_FORMS: Final[dict[str, Callable[[Iterable[ImportedHand]], Iterator[str]]]] = {
    "phh": _phh,
    "ohh": _ohh,
    "pokerstars": _pokerstars,
    "csv": _csv,
}

FORMS: Final = {"phh": ".phhs", "ohh": ".ohh", "pokerstars": ".txt", "csv": ".csv"}
"""What can be written, with how names of such files end."""

BY_ENDING: Final = {ending: form for form, ending in FORMS.items()} | {".phh": "phh", ".json": "ohh"}
"""What a file is written as whose name ends so."""
