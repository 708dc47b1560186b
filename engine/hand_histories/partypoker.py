"""Hands in the text of PartyPoker: as its program kept them, as it mailed them, and as converters write them.

Amounts of raises are what was added. An uncalled bet is among what its player wins. Where the header has a buy-in
the posts tell the blinds. Early tournaments have no posts: the blinds of the level are owed by the two seats before
who acts first, and what is won has to agree.

pokerkit 0.7.7 reads none of 131 real hands of this kind, so this parser is ours.
"""

import re
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
    Show,
    Step,
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
    r"^[ \t\ufeff\0]*\*{5} Hand History [Ff]or Game ([0-9A-Za-z]{1,40}) \*{5}(?: \(([^()\n]{1,40})\))?",
    re.MULTILINE,
)
"""How the text of a hand begins."""

_SITES: Final = {"": "PartyPoker", "Party": "PartyPoker", "Poker Stars": "PokerStars", "Pacific": "888poker"}
_GAME = re.compile(r"Hold'?em|Omaha|Stud|Short Deck|Razz|Draw|Badugi")
_OTHER_GAMES: Final = (
    ("Omaha", "Omaha"),
    ("Stud", "stud"),
    ("Short Deck", "short-deck"),
    ("Double", "Double Hold'em"),
    ("Razz", "razz"),
    ("Draw", "draw"),
    ("Badugi", "badugi"),
)
_LIMIT = re.compile(r"\b(?:NL|PL|FL)\b")
_STAKES = re.compile(r"[^0-9]{0,3}([0-9][0-9.,']*)(?: ?/[^0-9]{0,3}([0-9][0-9.,']*))?")
_LEVEL = re.compile(
    r"(?:Blinds|Stakes)(?:-Antes)?\(([0-9.,' ]{1,20})/([0-9.,' ]{1,20})(?:\s{0,9}- ?([0-9.,' ]{1,20}))?"
)
_DATE = re.compile(
    rf"(?P<month>[A-Z][a-z]{{2}})[a-z]* (?P<day>[0-9]{{1,2}}),? {CLOCK}(?: [A-Z+0-9:]+)? +(?P<year>[0-9]{{4}})"
)
_CURRENCY = re.compile(r"\b(?:USD|EUR|GBP|CAD)\b|[$€£]")
_TOURNAMENT = re.compile(r"(?:Trny: ?|Tournament #)([0-9]{1,20})")
_TABLE = re.compile(r"Table (.*)\( ?(Real|Play) Money ?\)")
_BUTTON = re.compile(r"Seat ([0-9]{1,2}) is the button")
_SEAT = re.compile(r"[Ss]eat ([0-9]{1,2}): (.+?) ?\(([^()]*)\)(?: - .*)?$")
_POST = re.compile(r"posts ([a-z ]*[a-z])( \+ dead)? *[\[(]([^\])]*)")
_POSTS: Final = {
    "small blind": PostKind.SMALL_BLIND,
    "big blind": PostKind.BIG_BLIND,
    "ante": PostKind.ANTE,
    "ante of": PostKind.ANTE,
    "big blind ante": PostKind.BIG_BLIND_ANTE,
    "dead blind": PostKind.DEAD_BLIND,
    "straddle": PostKind.STRADDLE,
}
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_RAKE = re.compile(r"Rake: ([^ ]*[0-9])")
_BALANCE = re.compile(r"balance [^ ]+, (?:.*collected ([^ ]*[0-9]),)?")
_STRANGER = re.compile(
    r"([^:]+?) (?:folds|checks|(?:calls|bets|raises|completes|posts|shows|wins|is all-In)\b[^\[(]*[\[(0-9])"
)
_IDLE: Final = ("will be using", "did not respond", "has ", "finished in", "is sitting out", "sits out")
_BIG_BLINDS: Final = 100
_FEW_BIG_BLINDS: Final = 40
"""Big blinds that a buy-in has; the smaller one at tables for 20 of them at least."""


def told_hand(text: str) -> ToldHand:
    """Return what the text of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or cut off."""
    return _Hand(text).told()


class _Hand(HandText):
    """The text of a hand, read line by line."""

    def __init__(self, text: str) -> None:
        found = HEADER.match(text)
        assert found is not None
        self._number = found[1]
        writer = found[2] or ""
        self._site = _SITES.get(writer, writer)
        self._text = text[found.end() :].replace("\0", "")
        self._head = self._text.partition("** Dealing")[0]
        self._lines = [" ".join(line.split()) for line in self._text.split("\n")]
        self._game = next((line for line in self._lines[:8] if _GAME.search(line)), "")
        tournament = _TOURNAMENT.search(self._head)
        self._is_tournament = tournament is not None or "Tourney" in self._game or "Buy-in" in self._game
        self._tournament = tournament[1] if tournament else ""
        super().__init__(1 if self._is_tournament else CENTS)
        self._small: Chips = 0
        self._big: Chips = 0
        self._ante: Chips = 0
        self._seats: dict[str, ToldSeat] = {}
        self._names: dict[str, str] = {}
        self._joined: set[str] = set()
        self._heroes: list[str] = []
        self._put: dict[str, Chips] = {}
        self._live: set[str] = set()
        self._is_rounded = False
        self._is_cut = False
        self._rake: Chips | None = None

    def told(self) -> ToldHand:
        """Read all lines."""
        self._read_game()
        lines = iter(self._lines)
        for line in lines:
            if line.startswith("** Summary"):
                break
            if line:
                self._read(line)
        for line in lines:
            self._read_summary(line)
        if self._is_cut and not any(isinstance(step, Collect) for step in self._steps):
            raise NotImportedError("It breaks off: the table was closed or the connection lost.")
        self._settle_stakes()
        table, button = _TABLE.search(self._head), _BUTTON.search(self._head)
        name = " ".join(table[1].split()) if table else ""
        if self._is_tournament and not self._tournament:
            self._tournament = name.partition(" ")[0]
        currency = _CURRENCY.search(self._game) or _CURRENCY.search(self._head)
        is_money = currency and not self._is_tournament and not (table and table[2] == "Play")
        return ToldHand(
            site=self._site,
            number=self._number,
            played=time_of(_DATE.search(self._game)),
            kind=GameKind.TOURNAMENT if self._is_tournament else GameKind.CASH,
            table=shortened(name),
            tournament=self._tournament,
            currency=CURRENCIES.get(currency[0], currency[0]) if currency and is_money else "",
            small_blind=self._small,
            big_blind=self._big,
            ante=self._ante,
            seats=tuple(sorted(self._seats.values(), key=lambda seat: seat.number)),
            button=int(button[1]) if button else 0,
            hero=self._heroes[0] if len(set(self._heroes)) == 1 else "",
            hole_cards=self._cards,
            steps=tuple(self._steps),
            rake=self._rake,
        )

    def _read_game(self) -> None:
        game = self._game
        verify_holdem(game, "Hold", _OTHER_GAMES)
        limit = _LIMIT.search(game)
        if limit is None or limit[0] != "NL":
            raise NotImportedError(f"It is {'pot' if limit and limit[0] == 'PL' else 'fixed'}-limit, not no-limit.")
        stakes = _STAKES.match(game)
        if stakes and stakes[2]:
            self._small, self._big = self._chips(stakes[1]), self._chips(stakes[2])
        for level in _LEVEL.finditer(self._head):  # where the level rises the body is right, not the header
            self._small, self._big = self._chips(level[1]), self._chips(level[2])
            self._ante = self._chips(level[3]) if level[3] else 0

    def _read(self, line: str) -> None:
        """Read a line before the summary."""
        if line.startswith("** "):
            self._read_section(line)
            return
        if line.endswith("has joined the table."):
            self._joined.add(line.removesuffix(" has joined the table."))
            return
        at = line.find(" ")
        while at > 0:  # names have spaces, and some begin like others
            if (name := self._names.get(line[:at])) is not None and self._is_deed(name, line[at + 1 :], line):
                return
            at = line.find(" ", at + 1)
        if line.startswith(("Seat ", "seat ")):
            self._read_seat(line)
        elif line.startswith("Dealt to "):
            self._read_dealt(line)
        elif line.startswith(("Table Closed", "Connection Lost")):
            self._is_cut = True
        elif self._steps and (stranger := _STRANGER.match(line)):
            raise NotImportedError(self._why_not(stranger[1]))

    def _why_not(self, stranger: str) -> str:
        if stranger in self._joined:
            return "A player joined during the hand, and their chips are not told."
        return f"{shortened(stranger)} plays and has no {'chips' if stranger in self._seats else 'seat'}."

    def _read_section(self, line: str) -> None:
        street = line[3:].removeprefix("Dealing ").partition(" ")[0]
        if street in ("Flop", "Turn", "River"):
            groups = _GROUP.findall(line)
            if not groups:
                raise NotImportedError(f"The {street.lower()} has no cards.")
            self._steps.append(Deal(cards_of(groups[-1])))
            self._is_rounded = False

    def _read_seat(self, line: str) -> None:
        found = _SEAT.match(line)
        if found is None or self._steps:
            return
        name = found[2]
        if "** Summary" in self._text:
            # Mailed hands may end a name at its first space; the summary has all of it.
            longer = re.search(rf"^{re.escape(name)} .+(?= balance )", self._text, re.MULTILINE)
            self._names[name] = longer[0] if longer else name
        seat = ToldSeat(int(found[1]), self._names.get(name, name), self._chips(found[3]))
        self._names[seat.name] = seat.name
        self._seats[seat.name] = seat

    def _read_dealt(self, line: str) -> None:
        name, _, cards = line[len("Dealt to ") :].rpartition(" [")
        if name in self._names and (pair := hole_cards_of(cards)) is not None:
            self._cards[self._names[name]] = pair
            self._heroes.append(self._names[name])

    def _is_deed(self, name: str, deed: str, line: str) -> bool:
        """Read what a player does, or tell that the name is longer."""
        word, _, rest = deed.partition(" ")
        if word in ("folds", "folds."):
            self._live.discard(name)
            self._steps.append(Act(name, ActionKind.FOLD))
        elif word in ("checks", "checks."):
            self._act(name, ActionKind.CHECK, 0)
        elif word == "calls":
            self._act(name, ActionKind.CALL, self._chips(rest))
        elif word in ("bets", "raises"):
            self._act(name, ActionKind.RAISE, self._chips(rest.partition(" to ")[0]))
        elif deed.startswith("is all-In"):
            if any(character.isdigit() for character in deed):
                self._act(name, None, self._chips(deed))
            else:
                self._round_all_in(name)
        elif word == "posts":
            self._read_post(name, deed, line)
        elif word == "wins":
            self._steps.append(Collect(name, self._chips(rest.partition(" from ")[0])))
        elif word == "shows" or deed.startswith(("doesn't show", "does not show")):
            self._read_shown(name, word == "shows", deed)
        elif not deed.startswith(_IDLE):
            if ("[" in deed or "(" in deed) and not any(
                other.startswith(line.removesuffix(deed)) for other in self._names
            ):
                raise not_understood(line)
            return False
        return True

    def _act(self, name: str, kind: ActionKind | None, amount: Chips) -> None:
        self._live.add(name)
        self._put[name] = self._put.get(name, 0) + amount
        if kind is ActionKind.CALL and self._is_rounded:
            amount = 0
        self._steps.append(Act(name, kind, amount=amount))

    def _round_all_in(self, name: str) -> None:
        """Make a bet that is said to be all-in all that the player has: mailed hands round it by a few chips."""
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Act) and last.player == name and last.kind is ActionKind.RAISE:
            left = self._seats[name].stack - self._put[name]
            self._put[name] += left
            self._steps[-1] = Act(name, ActionKind.RAISE, amount=last.amount + left)
            self._is_rounded = left != 0

    def _read_post(self, name: str, deed: str, line: str) -> None:
        found = _POST.match(deed)
        if found is None or found[1] not in _POSTS:
            raise not_understood(line)
        kind, amount = blind_kind(_POSTS[found[1]], self._steps), self._chips(found[3])
        if not self._seats[name].stack:
            raise NotImportedError(self._why_not(name))
        self._live.add(name)
        self._put[name] = self._put.get(name, 0) + amount
        posts = [step for step in self._steps if isinstance(step, Post)]
        if found[2]:
            owed = next((post.amount for post in posts if post.kind is PostKind.BIG_BLIND), 0)
            live = min(amount, self._big or owed or amount * 2 // 3)
            self._steps.append(Post(name, kind, live))
            kind, amount = PostKind.DEAD_BLIND, amount - live
        if amount:
            self._steps.append(Post(name, kind, amount))

    def _read_shown(self, name: str, is_shown: bool, deed: str) -> None:
        groups = _GROUP.findall(deed)
        pair = hole_cards_of(groups[0]) if groups else None
        if is_shown:
            if pair is not None:
                self._steps.append(Show(name, pair))
            return
        if pair is not None:
            self._cards[name] = pair
        if name in self._live:
            self._steps.append(Muck(name))

    def _read_summary(self, line: str) -> None:
        if found := _RAKE.search(line):
            self._rake = (self._rake or 0) + self._chips(found[1])
        name = self._names.get(line.partition(" balance ")[0], "")
        balance = _BALANCE.search(line)
        if not name or balance is None:
            return
        if balance[1]:
            self._steps.append(Collect(name, self._chips(balance[1])))
        groups = _GROUP.findall(line)
        if groups and (pair := hole_cards_of(groups[0])) is not None:
            self._cards[name] = pair

    def _settle_stakes(self) -> None:
        """Take the blinds from the posts if the header has a buy-in, and posts from the level if it has none."""
        posts = [step for step in self._steps if isinstance(step, Post)]
        blinds = {post.kind: post for post in reversed(posts)}
        small, big = blinds.get(PostKind.SMALL_BLIND), blinds.get(PostKind.BIG_BLIND)
        self._ante = max((post.amount for post in posts if post.kind is PostKind.ANTE), default=self._ante)
        if not self._big:
            if big is None:
                raise NotImportedError("It does not tell its blinds.")
            self._big = max(post.amount for post in posts if post.kind is PostKind.BIG_BLIND)
            if big.amount == self._seats[big.player].stack:
                self._big = max(self._big, self._buy_in())
            self._small = small.amount if small else self._big // 2
        elif self._is_tournament and small is None and big is None:
            self._post_level(has_antes=bool(posts))

    def _buy_in(self) -> Chips:
        """Return the big blind that follows from the buy-in in the header; 0 if there is none."""
        stakes = None if self._is_tournament else _STAKES.match(self._game)
        if stakes is None:
            return 0
        return self._chips(stakes[1]) // (_FEW_BIG_BLINDS if "20BB Min" in self._head else _BIG_BLINDS)

    def _post_level(self, *, has_antes: bool) -> None:
        """Post the antes and blinds of the level for those who owe them."""
        playing = {step.player for step in self._steps if not isinstance(step, Deal)} | self._cards.keys()
        seats = sorted(
            (seat for seat in self._seats.values() if seat.name in playing), key=lambda seat: seat.number
        )
        button = _BUTTON.search(self._head)
        number = int(button[1]) if button else 0
        order = [seat for seat in seats if seat.number > number] + [seat for seat in seats if seat.number <= number]
        first = next((step.player for step in self._steps if isinstance(step, Act)), "")
        usual = 2 if len(order) > 2 else len(order) - 1
        place = next((place for place, seat in enumerate(order) if seat.name == first), usual)
        owing = order[max(place - 2, 0) : place]
        if len(order) == 2:
            owing = [order[place], order[1 - place]]
        posted: list[Step] = []
        left = {seat.name: seat.stack for seat in order}
        if not has_antes and self._ante:
            posted += [Post(name, PostKind.ANTE, min(self._ante, stack)) for name, stack in left.items()]
            left = {name: stack - min(self._ante, stack) for name, stack in left.items()}
        levels = ((PostKind.SMALL_BLIND, self._small), (PostKind.BIG_BLIND, self._big))[-len(owing) :]
        for seat, (kind, amount) in zip(owing, levels, strict=False):
            if left[seat.name]:
                posted.append(Post(seat.name, kind, min(amount, left[seat.name])))
        at = next((at for at, step in enumerate(self._steps) if not isinstance(step, Post)), len(self._steps))
        self._steps[at:at] = posted
