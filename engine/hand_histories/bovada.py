"""Hands in the text of Bovada, Bodog and Ignition, one network.

It names nobody: each player but the hero is called by their place in that hand, so nobody can be followed from one
hand to the next. In return it tells the hole cards of all. The blinds of a cash game are told by the posts alone.
"""

import re
from collections.abc import Iterator
from itertools import groupby
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
    cards_of,
    hole_cards_of,
    not_understood,
    time_of,
    verify_holdem,
)

SITES: Final = ("Bodog", "Bovada", "Ignition")
"""Who names nobody but the hero."""

HERO: Final = "Hero"
"""The name given to the player whose text it is."""

HEADER = re.compile(
    rf"^[^\w\n]{{0,8}}({'|'.join(SITES)})(?:[. ]?\w+)? Hand #(C?[0-9]+):? +([^\n]*)",
    re.MULTILINE,
)
"""How the text of a hand begins."""

_TOURNAMENT = re.compile(r"Tournament #(\S+)")
_TABLE = re.compile(r"TBL#([^\s,]+)|(Zone Poker) ID#([0-9]+)")
_STAKES = re.compile(r"\(([0-9][0-9.,]*)/([0-9][0-9.,]*)\)")
_DATE = re.compile(rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}}) {CLOCK}")
_SEAT = re.compile(r"Seat ?\+?([0-9]{1,6}): *(.*?) *\(([^()]*) in chips\)")
_OTHER_GAMES: Final = {"OMAHA": "Omaha", "CARD": "stud", "STUD": "stud", "RAZZ": "razz", "DRAW": "draw"}
_SMALL_BLINDS: Final = {5: 2, 25: 10}
"""The small blinds, in cents, of the tables where it is not half of the big one."""

_MOST_SEATS: Final = 10
_POSTS: Final = {
    "ante chip": PostKind.ANTE,
    "ante/small blind": PostKind.SMALL_BLIND,
    "small blind": PostKind.SMALL_BLIND,
    "big blind/bring in": PostKind.BIG_BLIND,
    "big blind": PostKind.BIG_BLIND,
}
_IDLE: Final = (
    *("set dealer", "draw for dealer", "table", "seat", "sit", "stand", "leave", "enter", "re-join", "rejoin"),
    *("ranking", "prize", "bounty"),
)
_DEED = re.compile(
    r"([a-z/_& -]*[a-z])(?: ?\([a-z -]*\))?(?: ([^a-z\[]*[0-9])(?: to ([^a-z\[]*[0-9]))?)?", re.IGNORECASE
)


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        # Some texts have lines several times over.
        self._lines = [line for line, _ in groupby(line.strip() for line in text.split("\n")[1:])]
        found = HEADER.match(text)
        assert found is not None
        self._site, self._number, self._header = found[1], found[2], found[3]
        tournament = _TOURNAMENT.search(self._header)
        self._tournament = tournament[1] if tournament else ""
        super().__init__(1 if tournament else CENTS)
        self._money = ""
        self._names: dict[str, str] = {}
        self._seats: list[ToldSeat] = []
        self._has_antes = " : Ante chip " in text
        self._are_cards_dealt = False
        self._board: tuple[Card, ...] = ()
        self._pot: Chips | None = None
        self._rake: Chips | None = None

    def told(self) -> ToldHand:
        """Read all lines."""
        self._verify_game()
        lines = iter(self._lines)
        for line in before_summary(lines):
            self._read(line)
        self._read_summary(lines)
        if HERO not in self._cards:  # and others are no people, whose hand it could be
            raise NotImportedError("Nobody marked [ME] was dealt in.")
        small, big = self._blinds()
        seats = self._ring()
        table = _TABLE.search(self._header)
        return ToldHand(
            site=self._site,
            number=self._number,
            played=time_of(_DATE.search(self._header)),
            kind=GameKind.TOURNAMENT if self._tournament else GameKind.CASH,
            table=" ".join(part for part in table.groups() if part) if table else "",
            tournament=shortened(self._tournament),
            currency="" if self._tournament else self._money,
            small_blind=small,
            big_blind=big,
            ante=self._highest_ante(),
            seats=seats,
            button=self._button({seat.name: seat.number for seat in seats}),
            hero=HERO,
            hole_cards=self._cards,
            steps=tuple(self._steps),
            pot=self._pot,
            rake=self._rake,
            board=self._board,
        )

    def _verify_game(self) -> None:
        game = self._header.partition(" - ")[0].upper()
        verify_holdem(game, "HOLDEM", _OTHER_GAMES.items())
        for limit in ("fixed", "pot"):
            if f"{limit.upper()} LIMIT" in game:
                raise NotImportedError(f"It is {limit}-limit, not no-limit.")
        # Tournaments of hold'em without a limit may name their speed in its place.
        if "NO LIMIT" not in game and not self._tournament:
            raise NotImportedError("It does not say that it is no-limit.")

    def _read(self, line: str) -> None:
        """Read a line before the summary."""
        if line.startswith("*** "):
            name, _, cards = line[4:].partition(" ***")
            if name in ("FLOP", "TURN", "RIVER"):
                self._steps.append(Deal(cards_of(cards.rpartition("[")[2])))
            elif name == "HOLE CARDS":
                self._are_cards_dealt = True
            return
        label, colon, deed = line.partition(" : ")
        if colon:
            label = label.removesuffix("[ME]").rstrip()
            self._read_deed(self._names.get(label, label), deed, line)
        elif line.startswith("Seat"):
            self._read_seat(line)
        elif line.startswith("Card to the table ["):
            self._steps.append(Deal(cards_of(line[len("Card to the table ") :])))

    def _read_seat(self, line: str) -> None:
        found = _SEAT.match(line)
        if found is None or self._steps:
            return
        label, amount = found[2], found[3]
        name = label.removesuffix("[ME]").rstrip()
        if not name:
            return
        if name in self._names:
            raise NotImportedError("Two players have the same place.")
        self._names[name] = HERO if label.endswith("[ME]") else name
        self._seats.append(ToldSeat(int(found[1]), self._names[name], self._chips(amount)))
        self._money = CURRENCIES.get(amount[0], "")

    def _read_deed(self, name: str, deed: str, line: str) -> None:
        """Read what a player does."""
        steps, words = self._steps, deed.lower()
        if words.startswith("card dealt"):
            pair = hole_cards_of(deed[deed.find("[") :])
            if pair is None:
                raise NotImportedError("A player is dealt a single card, so it is not hold'em.")
            self._cards[name] = pair
        elif words.startswith("fold"):
            steps.append(Act(name, ActionKind.FOLD))
        elif words.startswith("check"):
            steps.append(Act(name, ActionKind.CHECK))
        elif words.startswith("showdown"):
            if name in self._cards:
                steps.append(Show(name, self._cards[name]))
        elif words.startswith(("mucks", "does not show")):
            steps.append(Muck(name))
        elif (found := _DEED.match(deed)) and found[2] is not None:
            self._read_amount(name, found[1].lower(), self._chips(found[3] or found[2]), line)
        elif any(sign.isdigit() for sign in deed) and not words.startswith(_IDLE):
            raise not_understood(line)

    def _read_amount(self, name: str, word: str, amount: Chips, line: str) -> None:
        """Read what a player does with chips; a raise is told by what is then in front of them."""
        steps = self._steps
        if word in ("call", "calls"):
            steps.append(Act(name, ActionKind.CALL, amount=amount))
        elif word.startswith(("raise", "bet")) or (word == "all-in" and " to " in line):
            steps.append(Act(name, ActionKind.RAISE, total=amount))
        elif word == "all-in" and not self._are_cards_dealt:
            steps.append(Post(name, self._all_in_post(name), amount))
        elif word == "all-in":
            steps.append(Act(name, None, amount=amount))
        elif word == "posts chip":
            _, big = self._blinds()
            steps.append(Post(name, PostKind.BIG_BLIND if amount >= big else PostKind.SMALL_BLIND, amount))
        elif word == "posts dead chip":
            _, big = self._blinds()
            live = big if amount >= big else 0
            steps += [Post(name, PostKind.BIG_BLIND, live)] * (live > 0)
            steps += [Post(name, PostKind.DEAD_BLIND, amount - live)] * (amount > live)
        elif word in _POSTS:
            steps.append(Post(name, _POSTS[word], amount))
        elif word == "return uncalled portion of bet":
            steps.append(Return(name, amount))
        elif word in ("hand result", "hand result-side pot"):
            steps.append(Collect(name, amount))
        elif not word.startswith(_IDLE):
            raise not_understood(line)

    def _all_in_post(self, name: str) -> PostKind:
        """Return what a player posts who is all-in by it."""
        if self._has_antes and not any(isinstance(step, Post) and step.player == name for step in self._steps):
            return PostKind.ANTE
        label = next((label for label, known in self._names.items() if known == name), "")
        return PostKind.BIG_BLIND if label == "Big Blind" else PostKind.SMALL_BLIND

    def _blinds(self) -> tuple[Chips, Chips]:
        """Return small and big blind: as posted by who had more, or else by the other and by the first line."""
        stakes = _STAKES.search(self._header)
        small, big = (self._chips(stakes[1]), self._chips(stakes[2])) if stakes else (0, 0)
        stacks = {seat.name: seat.stack for seat in self._seats}
        posts = [step for step in self._steps if isinstance(step, Post)]
        for post in reversed(posts):
            if post.amount < stacks.get(post.player, 0) - sum(
                other.amount for other in posts if other.player == post.player and other is not post
            ):
                small = post.amount if post.kind is PostKind.SMALL_BLIND else small
                big = post.amount if post.kind is PostKind.BIG_BLIND else big
        if not big:
            big = next((whole for whole, part in _SMALL_BLINDS.items() if part == small), 2 * small)
        if not big:
            raise NotImportedError("It does not tell its blinds.")
        return small or _SMALL_BLINDS.get(big, big // 2), big

    def _ring(self) -> tuple[ToldSeat, ...]:
        """Return the seats, which stand in the order of the table, and count them where their numbers do not."""
        numbers = [seat.number for seat in self._seats]
        if numbers != sorted(numbers) or max(numbers, default=0) > _MOST_SEATS:
            numbers = list(range(1, len(numbers) + 1))
        return tuple(
            ToldSeat(number, seat.name, seat.stack)
            for number, seat in zip(numbers, self._seats, strict=True)
            if seat.stack
        )

    def _button(self, numbers: dict[str, int]) -> int:
        """Return the seat of the dealer; if that is empty, the one before the blinds."""
        for label, before in (("Dealer", 0), ("Small Blind", 1), ("Big Blind", 1)):
            if (number := numbers.get(self._names.get(label, ""))) is not None:
                return number - before
        raise NotImportedError("It does not tell who has the button.")

    def _read_summary(self, lines: Iterator[str]) -> None:
        for line in lines:
            if line.startswith("Total Pot(") and self._pot is None:
                pot, _, rake = line.partition("|")
                self._pot = self._chips(pot)
                self._rake = self._chips(rake) if rake else None
            elif line.startswith("Board [") and not self._board:
                self._board = cards_of(line[len("Board ") :])
