"""Hands in the text of 888poker, which its network wrote under other names, too: Cassava, Pacific, Lucky Ace.

Amounts of raises are what was added. An uncalled bet is not told: where all that was put in is collected it is
among that, else it went back. Numbers and cards follow the player's language, and a hand tells its language by the
letters of its cards alone; where they fit several the suits may be exchanged, which changes no result.

pokerkit 0.7.7 has no parser of such hands.
"""

import re
from typing import Final

from engine.cards import Card, HoleCards
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
    blind_kind,
    cards_of,
    hole_cards_of,
    not_understood,
    time_of,
    verify_holdem,
)

HEADER = re.compile(
    r"^[ \t\ufeff]*\*{4,5} (\w[\w.-]*)(?: [\w.-]+){0,3}? Hand History for Game ([0-9]{1,20}) \*{5}", re.MULTILINE
)
"""How the text of a hand begins."""

_SITE: Final = "888poker"
_OWN_NAMES: Final = ("888", "Cassava", "Pacific")
_GAME = re.compile(r"([^/]{1,40})/([^/]{1,40}) Blinds ((?:[A-Za-z]+ )?Limit) (.{1,60}?) - \*\*\*")
_OTHER_GAMES: Final = (
    ("Omaha", "Omaha"),
    ("Stud", "stud"),
    ("Draw", "draw"),
    ("Razz", "razz"),
    ("Badugi", "badugi"),
)
_DATE = re.compile(rf"(?P<day>[0-9]{{2}}) (?P<month>[0-9]{{2}}) (?P<year>[0-9]{{4}})[ -]+{CLOCK}")
_TOURNAMENT = re.compile(r"Tournament #([0-9]{1,20})")
_TABLE = re.compile(r"Table (#[0-9]{1,9})")
_BUTTON = re.compile(r"Seat ([0-9]{1,2}) is the button")
_SEAT = re.compile(r"Seat ([0-9]{1,2}): (.*) \(([^()]*)\)$")
_DEED = re.compile(
    r"(.*) (folds|checks|calls|bets|raises|posts (?:small blind|big blind|dead blind|(?:the )?ante|straddle)|"
    r"shows|mucks|collected)(?: \[([^\]]*)\])?(?: and is all[- ]in)?\.?$"
)
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_POSTS: Final = {
    "posts small blind": PostKind.SMALL_BLIND,
    "posts big blind": PostKind.BIG_BLIND,
    "posts ante": PostKind.ANTE,
    "posts the ante": PostKind.ANTE,
    "posts straddle": PostKind.STRADDLE,
}
_LIVE_POSTS: Final = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE)
_MOVES: Final = {
    "folds": ActionKind.FOLD,
    "checks": ActionKind.CHECK,
    "calls": ActionKind.CALL,
    "bets": ActionKind.RAISE,
    "raises": ActionKind.RAISE,
}
_STREETS: Final = ("flop", "turn", "river")

_CARD = re.compile(r"(?<=[\[ ])(10|Kn|[^\W_])([a-z]|[A-Z][a-z]{2,6})(?=,| ?\])")
_ENGLISH: Final = {"c": "c", "d": "d", "h": "h", "s": "s"}
_ENGLISH_RANKS: Final = frozenset(("10", *"23456789TJQKA"))
_WORDS: Final = {"Kreuz": "c", "Karo": "d", "Herz": "h", "Pik": "s"}
_SPANISH: Final = {"t": "c", "d": "d", "c": "h", "p": "s", "D": "T"}  # tréboles ... diez
_PORTUGUESE: Final = {"p": "c", "o": "d", "c": "h", "e": "s", "D": "T"}
_ITALIAN: Final = {"f": "c", "q": "d", "c": "h", "p": "s"}
# Heer, vrouw, boer; knekt, dam, ess; король, дама, валет, туз, as Windows-1252 shows them too.
_RANKS: Final = dict(zip("HVBDERКДВТÊÄÂÒ", "KQJQAKKQJAKQJA", strict=True)) | {"Kn": "J", "10": "T"}


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        found = HEADER.match(text)
        assert found is not None
        self._site = _SITE if found[1].startswith(_OWN_NAMES) else found[1]
        self._number = found[2]
        self._lines = [line.rstrip() for line in text[found.end() :].split("\n")[1:]]
        self._letters = _letters_of(_CARD.findall(text))
        self._tournament = ""
        self._table = ""
        self._is_play = False
        super().__init__(CENTS)
        self._button = 0
        self._seats: dict[str, ToldSeat] = {}
        self._hero = ""
        self._live: dict[str, Chips] = {}
        self._dead: Chips = 0
        self._collected: Chips = 0

    def told(self) -> ToldHand:
        """Read all lines."""
        game_line = next((line for line in self._lines[:4] if " Blinds " in line), "")
        game = _GAME.match(game_line)
        if game is None:
            raise NotImportedError("It does not tell its game and blinds.")
        self._verify_game(game)
        self._read_place(
            next((line for line in self._lines[:6] if line.startswith(("Table ", "Tournament #"))), "")
        )
        self._scale = 1 if self._tournament else CENTS
        is_over = False
        for line in self._lines:
            if line.startswith("** "):
                is_over = is_over or line.startswith("** Summary")
                self._read_section(line)
            elif line:
                self._read(line)
        if not is_over:
            raise NotImportedError("It breaks off before its summary.")
        if not any(isinstance(step, Post) and step.kind in _LIVE_POSTS for step in self._steps):
            raise NotImportedError("Nobody posts a blind.")
        self._return_uncalled()
        money = next((code for sign, code in CURRENCIES.items() if sign in game_line), "")
        return ToldHand(
            site=self._site,
            number=self._number,
            played=time_of(_DATE.search(game_line)),
            kind=GameKind.TOURNAMENT if self._tournament else GameKind.CASH,
            table=self._table,
            tournament=self._tournament,
            currency="" if self._tournament or self._is_play else money,
            small_blind=self._blind(PostKind.SMALL_BLIND, game[1]),
            big_blind=self._blind(PostKind.BIG_BLIND, game[2]),
            ante=self._highest_ante(),
            seats=tuple(sorted(self._seats.values(), key=lambda seat: seat.number)),
            button=self._button,
            hero=self._hero,
            hole_cards=self._cards,
            steps=tuple(self._steps),
        )

    def _read_place(self, line: str) -> None:
        place, _, money = line.rpartition(" (")
        self._is_play = not money.startswith("Real")
        tournament, table = _TOURNAMENT.match(line), _TABLE.search(line)
        if tournament is not None:
            self._tournament = tournament[1]
            self._table = table[1] if table else ""
        else:
            self._table = shortened(place.removeprefix("Table "))

    def _verify_game(self, game: re.Match[str]) -> None:
        limit = game[3]
        verify_holdem(game[4], "Hold", _OTHER_GAMES)
        if limit != "No Limit":
            raise NotImportedError(f"It is {'pot' if limit == 'Pot Limit' else 'fixed'}-limit, not no-limit.")

    def _blind(self, kind: PostKind, told: str) -> Chips:
        """Return a blind as it was posted, since the header may be a level ahead; as told if nobody had enough."""
        paid = dict.fromkeys(self._seats, 0)
        for step in self._steps:
            if isinstance(step, Post):
                paid[step.player] += step.amount
        amounts = (
            step.amount
            for step in self._steps
            if isinstance(step, Post) and step.kind is kind and paid[step.player] < self._seats[step.player].stack
        )
        return max(amounts, default=self._chips(told))

    def _read_section(self, line: str) -> None:
        street = line.removeprefix("** Dealing ").partition(" ")[0]
        if street in _STREETS:
            groups = _GROUP.findall(line)
            if not groups:
                raise NotImportedError(f"The {street} has no cards.")
            self._steps.append(Deal(self._cards_of(groups[-1])))

    def _read(self, line: str) -> None:
        found = _DEED.match(line)
        if found is not None:
            if found[1] not in self._seats:
                raise NotImportedError(f"{shortened(found[1])} plays and has no seat.")
            self._read_deed(found[1], found[2], found[3] or "")
        elif line.startswith("Seat "):
            self._read_seat(line)
        elif line.startswith("Dealt to "):
            self._read_dealt(line)
        elif "[" in line:
            raise not_understood(line)

    def _read_seat(self, line: str) -> None:
        button, seat = _BUTTON.match(line), _SEAT.match(line)
        if button is not None:
            self._button = int(button[1])
        elif seat is not None and not self._steps:
            if not seat[2].strip():
                raise NotImportedError("Its players have no names.")
            self._seats[seat[2]] = ToldSeat(int(seat[1]), seat[2], self._chips(seat[3]))

    def _read_dealt(self, line: str) -> None:
        name, _, cards = line[len("Dealt to ") :].rpartition(" [")
        if name in self._seats and (pair := self._pair(cards.rstrip(" ]"))) is not None:
            self._hero = name
            self._cards[name] = pair

    def _read_deed(self, name: str, deed: str, rest: str) -> None:
        """Read what a player does."""
        if deed in _MOVES:
            amount = self._chips(rest) if rest else 0
            self._live[name] = self._live.get(name, 0) + amount
            self._steps.append(Act(name, _MOVES[deed], amount=amount))
        elif deed.startswith("posts"):
            self._read_post(name, deed, rest)
        elif deed == "collected":
            amount = self._chips(rest)
            self._collected += amount
            self._steps.append(Collect(name, amount))
        else:
            pair = self._pair(rest)
            if deed == "mucks":
                self._steps.append(Muck(name))
                if pair is not None:
                    self._cards[name] = pair
            elif pair is not None:
                self._steps.append(Show(name, pair))

    def _read_post(self, name: str, deed: str, rest: str) -> None:
        if self._steps and isinstance(self._steps[-1], Act):
            # Who folds before the last blind is posted, and has posted none, is dealt no cards.
            posting = {step.player for step in self._steps if isinstance(step, Post)}
            self._steps = [step for step in self._steps if not isinstance(step, Act) or step.player in posting]
        if deed == "posts dead blind":
            dead, _, live = rest.partition("+")
            posts = [
                (PostKind.BIG_BLIND, self._chips(live) if live else 0),
                (PostKind.DEAD_BLIND, self._chips(dead)),
            ]
        else:
            posts = [(_POSTS[deed], self._chips(rest))]
        for kind, amount in posts:
            kind = blind_kind(kind, self._steps)
            if kind in _LIVE_POSTS:
                self._live[name] = self._live.get(name, 0) + amount
            else:
                self._dead += amount
            if amount:
                self._steps.append(Post(name, kind, amount))

    def _return_uncalled(self) -> None:
        """Return what nobody called, unless all chips are collected."""
        who = max(self._live, key=self._live.__getitem__)
        uncalled = self._live[who] - max((chips for name, chips in self._live.items() if name != who), default=0)
        if uncalled and self._collected < sum(self._live.values()) + self._dead:
            self._steps.append(Return(who, uncalled))

    def _pair(self, group: str) -> HoleCards | None:
        return hole_cards_of(self._in_english(group))

    def _cards_of(self, group: str) -> tuple[Card, ...]:
        return cards_of(self._in_english(group))

    def _in_english(self, group: str) -> str:
        letters = self._letters
        if letters is None:
            return group
        return _CARD.sub(lambda card: "".join(letters.get(part, part) for part in card.groups()), f"[{group}]")


def _letters_of(cards: list[tuple[str, str]]) -> dict[str, str] | None:
    """Return the English letters of ranks and suits, going by all cards of a hand; None if they are English."""
    suits = {suit for _, suit in cards}
    if suits <= _ENGLISH.keys() and all(rank in _ENGLISH_RANKS for rank, _ in cards):
        return None
    letters = suits - _WORDS.keys()
    known = (_ENGLISH, _SPANISH, _PORTUGUESE, _ITALIAN)
    return _RANKS | _WORDS | next((language for language in known if letters <= language.keys()), _ENGLISH)
