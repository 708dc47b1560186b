"""Hands in the text of PokerStars, which others write, too: GGPoker, Full Tilt after 2016, Run It Once, converters.

pokerkit 0.7.7 has a parser; over real files it read 550 of 981 hands, some 200 a second, and compares nothing with
what was collected, so this one is ours.
"""

import re
from collections.abc import Iterator
from typing import Final

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
    blind_kind,
    board_remark,
    cards_of,
    hole_cards_of,
    not_understood,
    time_of,
    verify_holdem,
)

HEADER = re.compile(
    r"^[^\w\n]{0,8}(PokerStars|Full Tilt(?= (?:Rush )?Hand)|Run It Once Poker|POKERSTARS|PokerBros|PPPoker|"
    r"Poker(?= Hand #[A-Z]{2}[0-9]))"
    r"(?: [A-Za-z]+){0,3} #([A-Z]{0,4}[0-9]+)(?=[: ])",
    re.MULTILINE,
)
"""How the text of a hand begins."""

_GG, _GAME = "GGPoker", "Hold'em No Limit"
_SITES: Final = {"Run It Once Poker": "Run It Once", "POKERSTARS": "PokerStars", "Poker": _GG}
_CLUB = re.compile(r"(?<=: )\{[^{}]*\}")  # of a home game
_TOURNAMENT = re.compile(r"Tournament #([0-9]+)")
_BLIND = "[^()/]{0,20}[0-9][^()/]{0,20}"
_STAKES = re.compile(rf"\(({_BLIND})/({_BLIND})(?:/[^()]*)?\)")
_DATE = re.compile(rf"(?P<year>[0-9]{{4}})[/-](?P<month>[0-9]{{1,2}})[/-](?P<day>[0-9]{{1,2}})[ T-]+{CLOCK}")
_CURRENCY = re.compile(r"\b(USD|EUR|GBP|CAD|CNY|INR|SEK|RUB|AUD)\b")
_TABLE = re.compile(r"Table (?:ID )?'(.*)'")
_BUTTON = re.compile(r"Seat #([0-9]+) is the button")
_SEAT = re.compile(r"Seat ([0-9]+): (.+) \(([^()]*?) in chips")
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_TOLD_CARDS = re.compile(r"Seat ([0-9]+): .*(?:mucked|showed) \[([^\[\]]*)\]")
_TOTAL = re.compile(r"Total pot ([^|]*?)(?:\(|Main pot|\||$)")
_TAKEN = re.compile(r"\| *(?:Rake|Jackpot|Bingo|Fortune|Tax)s? ([^|]+)")
_CASHED_OUT = re.compile(r"(.+?):? (?:cashed out the hand for|Pays Cashout Risk|Receives Cashout) *\(?([^ |)]*)")
_SIDE_POT = re.compile(r"side pot(?:-([1-9]))?")
_OTHER_GAMES: Final = (
    ("omaha", "Omaha"),
    ("plo", "Omaha"),
    ("courchevel", "Courchevel"),
    ("stud", "stud"),
    ("razz", "razz"),
    ("draw", "draw"),
    ("badugi", "badugi"),
    ("2-7", "lowball"),
    ("lowball", "lowball"),
    ("6+", "short-deck"),
    ("shortdeck", "short-deck"),
    ("short deck", "short-deck"),
    ("split", "a split game"),
)
_POSTS: Final = {
    "small blind": PostKind.SMALL_BLIND,
    "big blind": PostKind.BIG_BLIND,
    "the ante": PostKind.ANTE,
    "ante": PostKind.ANTE,
    "straddle": PostKind.STRADDLE,
    "the straddle": PostKind.STRADDLE,
    "big blind ante": PostKind.BIG_BLIND_ANTE,
    "missed blind": PostKind.DEAD_BLIND,
    "dead": PostKind.DEAD_BLIND,
}
_POST = re.compile(r"posts (small & big blinds|[a-z ]*[a-z]):? ?\[?([^a-z\]]*[0-9])")
_BET: Final = ActionKind.RAISE
_CANCELLED: Final = "It was cancelled."
_IDLE: Final = (
    "sits out",
    "is sitting out",
    "doesn't show hand",
    "said",
    "is connected",
    "is disconnected",
    "Chooses to EV",
)


def site_of(text: str) -> str:
    """Return who wrote the text of a hand."""
    found = HEADER.search(text)
    return _SITES.get(found[1], found[1]) if found is not None else "PokerStars"


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        found = HEADER.match(text)
        assert found is not None
        self._header = _CLUB.sub("", lines[0], count=1)
        self._site = site_of(lines[0])
        self._number = found[2]
        tournament = _TOURNAMENT.search(self._header)
        self._tournament = tournament[1] if tournament else ""
        super().__init__(1 if tournament else CENTS)
        self._lines = [line.strip() for line in lines[1:]]
        self._seats: list[ToldSeat] = []
        self._names: dict[str, str] = {}
        self._table, self._button = "", 0
        self._heroes: list[str] = []
        self._remarks: list[str] = []
        self._small: Chips
        self._big: Chips
        self._splash: Chips = 0

    def told(self) -> ToldHand:
        """Read all lines."""
        self._read_game()
        lines = iter(self._lines)
        for line in before_summary(lines):
            self._read(line)
        pot, rake = self._read_summary(lines)
        return ToldHand(
            site=self._site,
            number=self._number,
            played=time_of(_DATE.search(self._header)),
            kind=GameKind.TOURNAMENT if self._tournament else GameKind.CASH,
            table=self._table,
            tournament=self._tournament,
            currency="" if self._tournament else self._currency(),
            small_blind=self._small,
            big_blind=self._big,
            ante=self._highest_ante(),
            splash=self._splash,
            seats=tuple(self._seats),
            button=self._button,
            hero=self._heroes[0] if len(set(self._heroes)) == 1 else "",
            hole_cards=self._cards,
            steps=tuple(self._steps),
            pot=pot,
            rake=rake,
            remarks=tuple(self._remarks),
        )

    def _read_game(self) -> None:
        header = self._header
        at_level = max(header.find(" - Level"), 0)
        stakes = _STAKES.search(header, at_level)
        # As in Mixed NLH/PLO (Hold'em No Limit, $1/$2 USD), where the mixture is not what is played.
        game = (header[: stakes.end()] if stakes else header).lower().replace("nlh/plo", "")
        if self._site == _GG and header[:at_level].rstrip().endswith(_GAME):
            game = _GAME.lower()  # however the tournament is called, such as Explosion
        verify_holdem(game, "hold", _OTHER_GAMES)
        if "no limit" not in game or "pre-flop" in game:
            is_pot = "pot limit" in game
            raise NotImportedError(f"It is {'pot' if is_pot else 'fixed'}-limit, not no-limit.")
        if stakes is None:
            raise NotImportedError("It does not tell its blinds.")
        if " cap" in game:
            raise NotImportedError("Its bets are capped, which is not played here.")
        self._small, self._big = self._chips(stakes[1]), self._chips(stakes[2])

    def _currency(self) -> str:
        named = _CURRENCY.search(self._header)
        return named[1] if named else next((code for sign, code in CURRENCIES.items() if sign in self._header), "")

    def _read(self, line: str) -> None:
        """Read a line before the summary."""
        if line.startswith("*** "):
            self._read_section(line)
            return
        at = line.find(": ")
        while at > 0:
            if line[:at] in self._names:
                self._read_deed(line[:at], line[at + 2 :], line)
                return
            at = line.find(": ", at + 1)
        if line.startswith("Seat "):
            self._read_seat(line)
        elif line.startswith("Dealt to "):
            self._read_dealt(line)
        elif line.startswith("Uncalled bet"):
            amount, _, name = line.partition(" returned to ")
            self._steps.append(Return(self._known(name), self._chips(amount)))
        elif " collected " in line:
            self._read_collected(line)
        elif line.startswith("Table "):
            table, button = _TABLE.search(line), _BUTTON.search(line)
            self._table = shortened(table[1]) if table else ""
            self._button = int(button[1]) if button and len(button[1]) < 4 else 0
        elif line.startswith("Hand cancelled"):
            raise NotImportedError(_CANCELLED)
        elif line.startswith(("STP added: ", "Cash Drop to Pot : total ")):
            self._splash += self._chips(line.rpartition(" ")[2])
        elif found := _CASHED_OUT.match(line):
            self._remarks.append(_cashed_out(found))
        elif " shows [" in line:
            self._read_shown(line)

    def _read_section(self, line: str) -> None:
        name = line[4:].partition(" ***")[0].removeprefix("FIRST ")
        if name in ("FLOP", "TURN", "RIVER"):
            groups = _GROUP.findall(line)
            if not groups:
                raise NotImportedError(f"The {name.lower()} has no cards.")
            self._steps.append(Deal(cards_of(groups[-1])))

    def _read_seat(self, line: str) -> None:
        found = _SEAT.match(line)
        if found is not None and not self._steps:
            seat = ToldSeat(int(found[1][:3]), found[2], self._chips(found[3]))
            self._names[seat.name] = seat.name
            # Without chips nobody is dealt in.
            self._seats += [seat] * (seat.stack > 0)

    def _read_dealt(self, line: str) -> None:
        name, _, cards = line[len("Dealt to ") :].rpartition(" [")
        if name not in self._names:
            return
        pair = hole_cards_of(cards)
        if pair is None:
            raise NotImportedError("A player is dealt a single card, so it is not hold'em.")
        self._cards[name] = pair
        self._heroes.append(name)

    def _read_collected(self, line: str) -> None:
        name, _, rest = line.partition(" collected ")
        while name not in self._names and " collected " in rest:
            more, _, rest = rest.partition(" collected ")
            name = f"{name} collected {more}"
        if name in self._names:
            amount, _, pot = rest.partition(" from ")
            self._steps.append(Collect(name, self._chips(amount), _pot_number(pot)))

    def _read_shown(self, line: str) -> None:
        """Read hole cards shown as Run It Once writes it."""
        name, _, rest = line.partition(" shows [")
        if name in self._names and (pair := hole_cards_of(rest.partition("]")[0])) is not None:
            self._steps.append(Show(name, pair))

    def _read_deed(self, name: str, deed: str, line: str) -> None:
        """Read what a player does."""
        word, _, rest = deed.partition(" ")
        if word == "folds":
            self._steps.append(Act(name, ActionKind.FOLD))
        elif word == "checks":
            self._steps.append(Act(name, ActionKind.CHECK))
        elif word == "calls":
            self._steps.append(Act(name, ActionKind.CALL, amount=self._chips(rest)))
        elif word == "bets":
            self._steps.append(Act(name, _BET, total=self._chips(rest)))
        elif word == "raises" and (to := rest.rpartition("to ")[2]):
            self._steps.append(Act(name, _BET, total=self._chips(to)))
        elif deed.startswith("Bet & Muck "):  # a bet on the river that folds to any answer
            amount = deed.removeprefix("Bet & Muck ")
            self._steps.append(Muck(name) if amount == "folds" else Act(name, _BET, total=self._chips(amount)))
        elif word == "straddle":
            self._steps.append(Post(name, PostKind.STRADDLE, self._chips(rest)))
        elif word == "posts":
            self._read_post(name, deed, line)
        elif word == "shows" or word == "mucks":
            pair = hole_cards_of(rest.partition("]")[0]) if rest.startswith("[") else None
            if pair is not None and word == "shows":
                self._steps.append(Show(name, pair))
            elif word == "mucks":
                self._steps.append(Muck(name))
        elif word in ("discards", "stands", "brings"):
            raise NotImportedError("It is no hold'em.")
        elif found := _CASHED_OUT.match(line):
            self._remarks.append(_cashed_out(found))
        elif not deed.startswith(_IDLE):
            raise not_understood(line)

    def _read_post(self, name: str, deed: str, line: str) -> None:
        found = _POST.match(deed)
        if found is None:
            raise not_understood(line)
        amount = self._chips(found[2])
        if found[1] == "small & big blinds":
            live = min(self._big, amount)
            self._steps.append(Post(name, PostKind.BIG_BLIND, live))
            if amount > live:
                self._steps.append(Post(name, PostKind.DEAD_BLIND, amount - live))
            return
        if found[1] not in _POSTS:
            raise not_understood(line)
        self._steps.append(Post(name, blind_kind(_POSTS[found[1]], self._steps), amount))

    def _read_summary(self, lines: Iterator[str]) -> tuple[Chips | None, Chips | None]:
        """Read the lines after the hand; return the pot and what was taken of it."""
        pot = rake = None
        numbers = {seat.number: seat.name for seat in self._seats}
        for line in lines:
            if line.startswith("Total pot"):
                total = _TOTAL.match(line)
                pot = self._chips(total[1]) if total else None
                taken = _TAKEN.findall(line)
                rake = sum(map(self._chips, taken)) if taken else None
            elif line.startswith(("SECOND Board", "THIRD Board")):
                which, groups = line.partition(" ")[0].lower(), _GROUP.findall(line)
                self._remarks.append(board_remark(which, cards_of(groups[0] if groups else "")))
            elif found := _TOLD_CARDS.match(line):
                name, pair = numbers.get(int(found[1][:3])), hole_cards_of(found[2])
                if name is not None and pair is not None:
                    self._cards.setdefault(name, pair)
            elif line.startswith("Hand cancelled"):
                raise NotImportedError(_CANCELLED)
        return pot, rake

    def _known(self, name: str) -> str:
        if name not in self._names:
            raise NotImportedError(f"{shortened(name)} plays and has no seat.")
        return name


def _pot_number(name: str) -> int | None:
    """Return the number of a pot by its name, None where there is but one."""
    if name.startswith("main pot"):
        return 0
    found = _SIDE_POT.match(name)
    return int(found[1] or 1) if found else None


def _cashed_out(found: re.Match[str]) -> str:
    what = {"Pays": "insured the pot and paid", "Receives": "was insured and got"}
    verb = next((words for word, words in what.items() if f" {word} " in found[0]), "cashed out for")
    return f"{shortened(found[1])} {verb} {shortened(found[2])} apart from the pot."
