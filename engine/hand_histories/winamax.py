"""Hands in the text of Winamax.

It returns no uncalled bet: its winner collects that, too, and the total pot counts it and not the rake. So that
total is left alone, and the rules settle the rest from what is collected.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from engine.foreign_text import shortened
from engine.game.events import ActionKind, Chips, GameKind, PostKind
from engine.hand_histories.told import (
    CENTS,
    CLOCK,
    Act,
    Collect,
    Deal,
    HandText,
    Muck,
    NotImportedError,
    Post,
    Show,
    ToldHand,
    ToldSeat,
    before_summary,
    cards_of,
    deed_of,
    hole_cards_of,
    not_understood,
    player_before,
    time_of,
)

HEADER = re.compile(r"^[^\w\n]{0,8}Winamax Poker - (?=[^\n]*HandId: #)", re.MULTILINE)
"""How the text of a hand begins."""

_NUMBER = re.compile(r"HandId: #([0-9][0-9-]*) - ([^()]*)\(([^()]*)\)")
_DATE = re.compile(rf" - (?P<year>[0-9]{{4}})/(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}}) {CLOCK}")
_TABLE = re.compile(r"Table: '(.*)' ([^']*)$")
_TOURNAMENT = re.compile(r"\(([0-9]+)\)#")
_BUTTON = re.compile(r"Seat #?([0-9]{1,9}) is the button")
_SEAT = re.compile(r"Seat ([0-9]{1,2}): (.+) \(([^(),]*)(?:, [^()]*)?\)$")
_SUMMARY_CARDS = re.compile(r"Seat ([0-9]{1,2}): .*(?:mucked|showed) \[([^\[\]]*)\]")
_DENIED = re.compile(r" (?:deny|denies) ")
_LIMIT = re.compile(r"(?:no|pot|fixed) limit", re.IGNORECASE)
_LIMITS: Final = {"pot limit": "pot-limit", "fixed limit": "fixed-limit"}
_DEEDS: Final = frozenset(("folds", "checks", "calls", "bets", "raises", "posts", "shows", "mucks", "collected"))


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        self._header, *self._lines = (line.strip() for line in text.split("\n"))
        self._is_tournament = "Winamax Poker - Tournament" in self._header
        super().__init__(1 if self._is_tournament else CENTS)
        self._table, self._tournament, self._currency, self._button = "", "", "", 0
        self._seats: dict[str, ToldSeat] = {}
        self._hero = ""
        self._missed: dict[str, Chips] = {}
        self._missed_big: set[str] = set()
        self._big: Chips = 0
        self._rake: Chips | None = None

    def told(self) -> ToldHand:
        """Read all lines."""
        number, played, small, self._big, ante = self._read_header()
        lines = iter(self._lines)
        for line in before_summary(lines):
            self._read(line)
        self._read_summary(lines)
        return ToldHand(
            site="Winamax",
            number=number,
            played=played,
            kind=GameKind.TOURNAMENT if self._is_tournament else GameKind.CASH,
            table=self._table,
            tournament=self._tournament,
            currency=self._currency,
            small_blind=small,
            big_blind=self._big,
            ante=ante,
            seats=tuple(sorted((s for s in self._seats.values() if s.stack), key=lambda seat: seat.number)),
            button=self._button,
            hero=self._hero,
            hole_cards=self._cards,
            steps=tuple(self._steps),
            rake=self._rake,
        )

    def _read_header(self) -> tuple[str, datetime | None, Chips, Chips, Chips]:
        """Return number, time, small blind, big blind and ante."""
        found = _NUMBER.search(self._header)
        if found is None:
            raise NotImportedError("Its first line is cut off.")
        game = found[2].strip().lower()
        if not game.startswith("holdem"):
            name = _LIMIT.sub("", found[2]).strip()
            raise NotImportedError(f"It is {shortened(name)}, not hold'em.")
        if "no limit" not in game:
            limit = next((name for words, name in _LIMITS.items() if words in game), "another limit")
            raise NotImportedError(f"It is {limit}, not no-limit.")
        stakes = [self._chips(part) for part in found[3].split("/")]
        if len(stakes) not in (2, 3):
            raise NotImportedError("It does not tell its blinds.")
        ante = stakes.pop(0) if len(stakes) == 3 else 0
        return found[1], time_of(_DATE.match(self._header, found.end())), stakes[0], stakes[1], ante

    def _read(self, line: str) -> None:
        """Read a line before the summary."""
        if line.startswith("*** "):
            name, _, cards = line[4:].partition(" ***")
            if name == "PRE-FLOP":
                self._steps += self._missed_blinds()
            elif name in ("FLOP", "TURN", "RIVER"):
                self._steps.append(Deal(cards_of(cards.rpartition("[")[2])))
            return
        name, deed = deed_of(line, self._seats, _DEEDS)
        if name:
            self._read_deed(name, deed, line)
        elif line.startswith("Seat ") and not self._steps:
            self._read_seat(line)
        elif line.startswith("Dealt to "):
            self._hero = self._read_own_cards(line, self._seats)
        elif line.startswith("Table: "):
            self._read_table(line)
        elif line.startswith(("Hold-up to Pot:", "Escape to Pot:")):
            raise NotImportedError("The site added money to the pot, which is not played here.")
        elif _DENIED.search(line) is None and any(
            sign.isdigit() for sign in line.removeprefix(player_before(line, self._seats))
        ):
            raise not_understood(line)

    def _read_table(self, line: str) -> None:
        found, button = _TABLE.match(line), _BUTTON.search(line)
        if found is None or button is None:
            raise NotImportedError("It does not tell who has the button.")
        self._table, self._button = shortened(found[1]), int(button[1])
        if self._is_tournament:
            numbers = _TOURNAMENT.findall(found[1])
            self._tournament = numbers[-1] if numbers else shortened(found[1])
        elif "real money" in found[2]:
            self._currency = "EUR"

    def _read_seat(self, line: str) -> None:
        found = _SEAT.match(line)
        if found is None:
            raise not_understood(line)
        if found[2] in self._seats:
            raise NotImportedError("Two players have the same name.")
        stack = self._chips(found[3]) if found[3] else 0
        self._seats[found[2]] = ToldSeat(int(found[1]), found[2], stack)

    def _read_deed(self, name: str, deed: str, line: str) -> None:
        """Read what a player does."""
        word, _, rest = deed.partition(" ")
        steps = self._steps
        if word == "folds":
            steps.append(Act(name, ActionKind.FOLD))
        elif word == "checks":
            steps.append(Act(name, ActionKind.CHECK))
        elif word == "calls":
            steps.append(Act(name, ActionKind.CALL, amount=self._chips(rest)))
        elif word == "bets":
            # Before the flop a raise may be written as a bet, of what was added.
            steps.append(Act(name, ActionKind.RAISE, amount=self._chips(rest)))
        elif word == "raises":
            steps.append(Act(name, ActionKind.RAISE, total=self._chips(rest.partition(" to ")[2])))
        elif word == "collected":
            steps.append(Collect(name, self._chips(rest.partition(" from ")[0])))
        elif word == "posts":
            self._read_post(name, rest, line)
        elif word == "shows" and (pair := hole_cards_of(rest[rest.find("[") : rest.find("]") + 1])) is not None:
            steps.append(Show(name, pair))
        elif word == "mucks":
            steps.append(Muck(name))

    def _read_post(self, name: str, rest: str, line: str) -> None:
        if rest.endswith(" out of position"):
            amount = self._chips(rest)
            self._missed[name] = self._missed.get(name, 0) + amount
            if "big blind" in rest:
                self._missed_big.add(name)
        elif rest.startswith("ante "):
            self._steps.append(Post(name, PostKind.ANTE, self._chips(rest)))
        elif rest.startswith("small blind "):
            self._steps.append(Post(name, PostKind.SMALL_BLIND, self._chips(rest)))
        elif rest.startswith("big blind "):
            self._steps.append(Post(name, PostKind.BIG_BLIND, self._chips(rest)))
        else:
            raise not_understood(line)

    def _missed_blinds(self) -> Iterator[Post]:
        """Yield the posts of who comes back: a missed big blind is live, a small one dead."""
        for name, amount in self._missed.items():
            live = min(amount, self._big) if name in self._missed_big else 0
            if live:
                yield Post(name, PostKind.BIG_BLIND, live)
            if amount > live:
                yield Post(name, PostKind.DEAD_BLIND, amount - live)

    def _read_summary(self, lines: Iterator[str]) -> None:
        numbers = {seat.number: seat.name for seat in self._seats.values()}
        for line in lines:
            if line.startswith("Total pot "):
                rake = line.partition(" | ")[2]
                if rake.startswith("Rake "):
                    self._rake = self._chips(rake)
                elif rake == "No rake":
                    self._rake = 0
            elif found := _SUMMARY_CARDS.match(line):
                name, pair = numbers.get(int(found[1])), hole_cards_of(found[2])
                if name is not None and pair is not None:
                    self._cards.setdefault(name, pair)
