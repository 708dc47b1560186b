"""Hands in the text of Full Tilt before 2016; after that it wrote as PokerStars does.

pokerkit 0.7.7 has a parser; over real files it read 36 of 144 hands, knows neither antes nor dead blinds, and
compares nothing with what was collected, so this one is ours.
"""

import re
from collections.abc import Iterator
from typing import Final

from engine.cards import Card
from engine.foreign_text import shortened
from engine.game.events import ActionKind, Chips, GameKind, PostKind
from engine.hand_histories.told import (
    CENTS,
    CLOCK,
    CURRENCIES,
    Act,
    Collect,
    Deal,
    HandText,
    Muck,
    NotImportedError,
    Post,
    Return,
    Show,
    ToldHand,
    ToldSeat,
    before_summary,
    board_remark,
    cards_of,
    chips_of,
    deed_of,
    hole_cards_of,
    not_understood,
    time_of,
)

HEADER = re.compile(
    r"^[^\w\n]{0,8}Full ?Tilt(?: ?Poker)?(?:\.[a-z]{2,3})? Game #([0-9]+)(?: \(partial\))?: ([^\n]*)", re.MULTILINE
)
"""How the text of a hand begins."""

_TOURNAMENT = re.compile(r".*\(([0-9]{5,})\), (?:Entry #[0-9]+, )?")
_GAME = re.compile(r" - ((?:\S+ )?C(?:ap|AP) )?(No Limit|Pot Limit|Limit|NL|PL|FL) (.+?) - ")
_STAKES = re.compile(r" - ([^ \w]?[0-9.,]+[KMB]?)/([^ \w]?[0-9.,]+[KMB]?)(?: Ante ([^ \w]?[0-9.,]+[KMB]?))? - ")
_UNITS: Final = {"K": 10**3, "M": 10**6, "B": 10**9}
_DATE = re.compile(rf" - {CLOCK} \w+ - (?P<year>[0-9]{{4}})/(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})")
_WORDED_DATE = re.compile(
    rf" - {CLOCK} \w+ - \w+, (?P<month>[A-Z][a-z]{{2}})\w* (?P<day>[0-9]{{1,2}}), (?P<year>[0-9]{{4}})"
)
_SEAT = re.compile(r"Seat ([0-9]{1,2}): (.+) \(([^()]*)\)(?:, is sitting out)?$")
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_SUMMARY_SEAT = re.compile(r"Seat ([0-9]{1,2}): ")
_TOLD_CARDS = re.compile(r" (?:mucked|showed) \[([^\[\]]*)\]")
_WON = re.compile(r" (?:collected|won) \(([^()]*)\)")
_POSTS: Final = {
    "the small blind of": PostKind.SMALL_BLIND,
    "the big blind of": PostKind.BIG_BLIND,
    "a dead small blind of": PostKind.DEAD_BLIND,
    "a dead big blind of": PostKind.DEAD_BLIND,
}
_DEEDS: Final = frozenset(
    ("folds", "checks", "calls", "bets", "raises", "posts", "antes", "shows", "mucks", "wins", "ties", "discards")
)
_ORDINALS: Final = {"2": "second", "3": "third"}


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        first, *self._lines = (line.strip() for line in text.split("\n"))
        found = HEADER.match(text)
        assert found is not None
        self._number, self._header = found[1], found[2]
        self._is_partial = "(partial)" in first
        tournament = _TOURNAMENT.match(self._header)
        self._tournament = tournament[1] if tournament else ""
        self._table = (
            self._header[tournament.end() if tournament else 0 :].partition(" - ")[0].removeprefix("Table ")
        )
        super().__init__(1 if tournament else CENTS)
        self._seats: dict[str, ToldSeat] = {}
        self._button = 0
        self._hero = ""
        self._board: tuple[Card, ...] = ()
        self._other_boards: dict[str, tuple[Card, ...]] = {}
        self._pot: Chips | None = None
        self._rake: Chips | None = None

    def told(self) -> ToldHand:
        """Read all lines."""
        small, big, ante, currency = self._read_header()
        lines = iter(self._lines)
        for line in before_summary(lines):
            self._read(line)
        self._read_summary(lines)
        if not self._button:
            raise NotImportedError("It does not tell who has the button.")
        return ToldHand(
            site="Full Tilt",
            number=self._number,
            played=time_of(_DATE.search(self._header) or _WORDED_DATE.search(self._header)),
            kind=GameKind.TOURNAMENT if self._tournament else GameKind.CASH,
            table=shortened(self._table),
            tournament=self._tournament,
            currency="" if self._tournament else currency,
            small_blind=small,
            big_blind=big,
            ante=ante,
            seats=tuple(sorted((s for s in self._seats.values() if s.stack), key=lambda seat: seat.number)),
            button=self._button,
            hero=self._hero,
            hole_cards=self._cards,
            steps=tuple(self._steps),
            pot=self._pot,
            rake=self._rake,
            board=self._board,
            remarks=tuple(board_remark(_ORDINALS[number], board) for number, board in self._other_boards.items()),
        )

    def _read_header(self) -> tuple[Chips, Chips, Chips, str]:
        """Return small blind, big blind, ante and currency."""
        game, stakes = _GAME.search(self._header), _STAKES.search(self._header)
        if game is None or stakes is None:
            raise NotImportedError("Its first line does not tell the game and its blinds.")
        if game[3] != "Hold'em":
            raise NotImportedError(f"It is {shortened(game[3])}, not hold'em.")
        if game[2] not in ("No Limit", "NL"):
            raise NotImportedError(f"It is {'pot' if game[2][0] == 'P' else 'fixed'}-limit, not no-limit.")
        if self._is_partial:
            raise NotImportedError("It tells only a part of the hand.")
        if game[1]:
            raise NotImportedError("Its bets are capped, which is not played here.")
        small, big, ante = (self._stake(part or "0") for part in stakes.groups())
        return small, big, ante, CURRENCIES.get(stakes[1][0], "")

    def _stake(self, text: str) -> Chips:
        """Return a blind in chips, such as 50K; `chips_of` bounds it."""
        return chips_of(str(self._chips(text) * _UNITS.get(text[-1], 1)), 1)

    def _read(self, line: str) -> None:
        """Read a line before the summary."""
        if line.startswith("*** "):
            self._read_section(line)
            return
        name, deed = deed_of(line, self._seats, _DEEDS)
        if name:
            self._read_deed(name, deed, line)
        elif line.startswith("Seat ") and not self._steps:
            found = _SEAT.match(line)
            if found is None:
                raise not_understood(line)
            if found[2] in self._seats:
                raise NotImportedError("Two players have the same name.")
            self._seats[found[2]] = ToldSeat(int(found[1]), found[2], self._chips(found[3]))
        elif line.startswith("The button is in seat #"):
            number = line[len("The button is in seat #") :]
            self._button = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
        elif line.startswith("Dealt to "):
            self._hero = self._read_own_cards(line, self._seats)
        elif line.startswith(("Uncalled bet of ", "Ante of ")) and " returned to " in line:
            amount, _, name = line.partition(" returned to ")
            if name not in self._seats:
                raise NotImportedError(f"{shortened(name)} plays and has no seat.")
            self._steps.append(Return(name, self._chips(amount)))
        elif line.startswith("Hand #") and "has been cancel" in line:
            raise NotImportedError("It was cancelled.")

    def _read_section(self, line: str) -> None:
        name, _, number = line[4:].partition(" ***")[0].partition(" ")
        if name not in ("FLOP", "TURN", "RIVER"):
            return
        groups = _GROUP.findall(line)
        if not groups:
            raise NotImportedError(f"The {name.lower()} has no cards.")
        if number in _ORDINALS:
            self._other_boards[number] = cards_of(" ".join(groups))
        else:
            self._steps.append(Deal(cards_of(groups[-1])))

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
            steps.append(Act(name, ActionKind.RAISE, total=self._chips(rest)))
        elif word == "raises":
            steps.append(Act(name, ActionKind.RAISE, total=self._chips(rest.removeprefix("to "))))
        elif word == "antes":
            steps.append(Post(name, PostKind.ANTE, self._chips(rest)))
        elif word == "posts":
            what, _, amount = rest.partition(", and is all in")[0].rpartition(" ")
            kind = _POSTS.get(what) if what else PostKind.BIG_BLIND
            if kind is None:
                raise not_understood(line)
            steps.append(Post(name, kind, self._chips(amount)))
        elif word == "shows":
            pair = hole_cards_of(rest.partition("]")[0]) if rest.startswith("[") else None
            if pair is not None:
                steps.append(Show(name, pair))
        elif word == "mucks":
            steps.append(Muck(name))
        elif word == "discards":
            raise NotImportedError("It is no hold'em.")
        else:
            steps.append(Collect(name, self._chips(rest.partition(" with ")[0].rpartition("(")[2])))

    def _read_summary(self, lines: Iterator[str]) -> None:
        names = {seat.number: seat.name for seat in self._seats.values()}
        is_won = any(isinstance(step, Collect) for step in self._steps)
        for line in lines:
            if line.startswith("Total pot "):
                pot, _, rake = line.partition(" | Rake ")
                self._pot, self._rake = self._chips(pot), self._chips(rake) if rake else None
            elif found := _SUMMARY_SEAT.match(line):
                name = names.get(int(found[1]), "")
                cards, won = _TOLD_CARDS.search(line), _WON.search(line)
                if name and cards and (pair := hole_cards_of(cards[1])) is not None:
                    self._cards.setdefault(name, pair)
                if name and won and not is_won:
                    self._steps.append(Collect(name, self._chips(won[1])))
            elif line.startswith("Board: ") and not self._board:
                self._board = cards_of(line[len("Board: ") :])
            elif line.startswith("Hand #") and "has been cancel" in line:
                raise NotImportedError("It was cancelled.")
