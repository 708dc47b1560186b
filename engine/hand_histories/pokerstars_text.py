"""Hands written in the text of PokerStars, the one that most programs read.

It has no place for remarks other than a second board, for the site, or for how many chips make a unit. Buy-in and
level of a tournament are not known, so that the first is a freeroll's and the second always I; the clock is that of
the hand, though readers look for one of US Eastern time. Hole cards that are known and that the hand does not show
stand in the summary, as those of who has mucked or, where it came to no showdown, of who has shown.

Hole cards that lie open while an all-in is run out are told with the whole board, as PokerStars does.
Lines end as those of PokerStars do, many in a space: some readers find an action or an amount by what follows it.
"""

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.cards import Card, HoleCards, Street, format_cards, rank_of
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    GameKind,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    Seat,
    UncalledBetReturned,
    start_of,
)
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.told import SIGNS, board_in
from engine.strength import Category, best_five, category_of, strength

_NUMBER: Final = re.compile(r"[A-Z]{0,4}([0-9]{1,20})")
_TABLE_SIZES: Final = (2, 6, 9, 10)
_POSTS: Final = {
    PostKind.ANTE: "the ante",
    PostKind.SMALL_BLIND: "small blind",
    PostKind.BIG_BLIND: "big blind",
    PostKind.STRADDLE: "straddle",
    PostKind.BIG_BLIND_ANTE: "big blind ante",
}
_STREETS: Final = ("before Flop", "on the Flop", "on the Turn", "on the River")
_Ending = HoleCardsShown | HoleCardsMucked | PotAwarded
_RANKS: Final = (
    *("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight"),
    *("Nine", "Ten", "Jack", "Queen", "King", "Ace"),
)


def pokerstars_text(hand: ImportedHand) -> str:
    """Write a hand with the blank lines that follow it."""
    return "\n".join(_Writer(hand).lines()) + "\n\n\n"


def _digits(site: str, number: str) -> str:
    """Return the digits of a number of a site's, or others that belong to it alone where it is not written so."""
    found = _NUMBER.fullmatch(number)
    digest = hashlib.blake2b(f"{site} {number}".encode(), digest_size=6).digest()
    return found[1] if found else str(int.from_bytes(digest))


def _strength_in_words(hole_cards: HoleCards, board: tuple[Card, ...]) -> str:
    """Return what hole cards make of a board in the words of PokerStars, without kickers."""
    cards = hole_cards + board
    if board:
        category, ranks = category_of(strength(cards)), [rank_of(card) for card in best_five(cards)]
    else:
        ranks = sorted(map(rank_of, cards), reverse=True)
        category = Category.PAIR if ranks[0] == ranks[1] else Category.HIGH_CARD
    names, many = [_RANKS[rank] for rank in ranks], [_plural(rank) for rank in ranks]
    match category:
        case Category.HIGH_CARD:
            return f"high card {names[0]}"
        case Category.PAIR:
            return f"a pair of {many[0]}"
        case Category.TWO_PAIR:
            return f"two pair, {many[0]} and {many[2]}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {many[0]}"
        case Category.STRAIGHT:
            return f"a straight, {names[-1]} to {names[0]}"
        case Category.FLUSH:
            return f"a flush, {names[0]} high"
        case Category.FULL_HOUSE:
            return f"a full house, {many[0]} full of {many[3]}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {many[0]}"
        case Category.STRAIGHT_FLUSH:
            is_royal = names[-1] == "Ten"
            return "a Royal Flush" if is_royal else f"a straight flush, {names[-1]} to {names[0]}"


def _plural(rank: int) -> str:
    return _RANKS[rank] + ("es" if _RANKS[rank].endswith("x") else "s")


class _Writer:
    """One hand on its way into text."""

    def __init__(self, hand: ImportedHand) -> None:
        started = start_of(hand.record.events)
        self._hand, self._started = hand, started
        self._is_tournament = started.kind is GameKind.TOURNAMENT
        self._sign = "" if self._is_tournament else SIGNS.get(hand.currency, "")
        self._names = {start.seat: start.name for start in started.seats}
        self._board: tuple[Card, ...] = ()
        self._bet: Chips = 0
        self._last_street: dict[Seat, Street] = {}
        self._shown: dict[Seat, HoleCards] = {}
        self._in_pot: set[Seat] = set()
        self._won: dict[Seat, Chips] = {}
        self._hero = None if hand.is_watched else hand.hero
        self._pots: dict[int, Chips] = {}
        for event in hand.record.events:
            if isinstance(event, PotAwarded):
                self._pots[event.pot] = self._pots.get(event.pot, 0) + event.amount

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        # What comes at the end stands behind the whole board.
        events = sorted(self._hand.record.events, key=lambda event: isinstance(event, _Ending))
        posts = [event for event in events if isinstance(event, Posted)]
        yield from self._header()
        yield from self._posts(posts)
        if self._started.splash:
            yield f"STP added: {self._money(self._started.splash)}"
        yield "*** HOLE CARDS ***"
        yield from self._dealt()
        self._bet = max((post.amount for post in posts if not post.kind.is_ante), default=0)
        self._in_pot = {post.seat for post in posts if not post.kind.is_ante}
        if posts and self._bet:
            self._bet = max(self._bet, self._started.big_blind)
        is_at_end = False
        for event in events:
            match event:
                case ActionTaken():
                    yield self._act(event)
                case BoardDealt():
                    yield self._deal(event)
                case UncalledBetReturned(seat, amount):
                    yield f"Uncalled bet ({self._money(amount)}) returned to {self._names[seat]}"
                case HoleCardsShown() | HoleCardsMucked() | PotAwarded():
                    if not is_at_end and self._is_showdown:
                        yield "*** SHOW DOWN ***"
                    is_at_end = True
                    yield self._end(event)
        if not self._is_showdown and not self._shown.keys() & self._won:
            yield from (f"{self._names[seat]}: doesn't show hand " for seat in self._won)
        yield from self._summary()

    @property
    def _is_showdown(self) -> bool:
        return len(self._last_street) + 1 < len(self._names)

    def _money(self, chips: Chips) -> str:
        whole, rest = divmod(chips, self._hand.scale)
        return f"{self._sign}{chips / self._hand.scale:.2f}" if rest else f"{self._sign}{whole}"

    def _header(self) -> Iterator[str]:
        hand, started = self._hand, self._started
        small, big = self._money(started.small_blind), self._money(started.big_blind)
        clock = f"{hand.played:%Y/%m/%d %H:%M:%S} ET" if hand.played is not None else ""
        when = f" - {clock} [{clock}]" if clock else ""
        # Two spaces stand before the name of the game, but for that of a tournament with a buy-in.
        tournament = f" Tournament #{_digits(hand.site, hand.tournament)}, Freeroll" * self._is_tournament
        level = "- Level I " if self._is_tournament else ""
        currency = f" {hand.currency}" if hand.currency and not self._is_tournament else ""
        stakes = f"{level}({small}/{big}{currency})"
        yield f"PokerStars Hand #{_digits(hand.site, hand.number)}:{tournament}  Hold'em No Limit {stakes}{when}"
        size = next(size for size in _TABLE_SIZES if size >= len(self._names))
        is_play = not self._is_tournament and not hand.currency
        table = self._table()
        # A table's button is numbered as its seats are.
        button = f"Seat #{started.button + 1} is the button"
        yield f"Table '{table}' {size}-max {'(Play Money) ' * is_play}{button}"
        for start in started.seats:
            yield f"Seat {start.seat + 1}: {start.name} ({self._money(start.stack)} in chips) "

    def _table(self) -> str:
        """Return the name of the table; in a tournament the numbers of both."""
        hand = self._hand
        if not self._is_tournament:
            return hand.table or hand.site
        numbers = re.findall("[0-9]{1,9}", hand.table)
        return f"{_digits(hand.site, hand.tournament)} {numbers[-1] if numbers else 1}"

    def _posts(self, posts: list[Posted]) -> Iterator[str]:
        is_small_posted = is_told = False
        for post, after in pairwise((*posts, None)):
            assert post is not None
            name, all_in = self._names[post.seat], " and is all-in" * post.is_all_in
            if is_told:
                is_told = False
                continue
            if post.kind is PostKind.DEAD_BLIND:
                what = "small blind" if is_small_posted else "dead"
                yield f"{name}: posts {what} {self._money(post.amount)}{all_in}"
                continue
            is_told = (
                after is not None
                and after.seat == post.seat
                and after.kind is PostKind.DEAD_BLIND
                and post.kind is PostKind.BIG_BLIND
                and post.amount == self._started.big_blind
            )
            if is_told and after is not None:
                both = self._money(post.amount + after.amount)
                yield f"{name}: posts small & big blinds {both}{' and is all-in' * after.is_all_in}"
                continue
            yield f"{name}: posts {_POSTS[post.kind]} {self._money(post.amount)}{all_in}"
            is_small_posted |= post.kind is PostKind.SMALL_BLIND

    def _dealt(self) -> Iterator[str]:
        """Yield the hero's hole cards, unless the hand was watched."""
        if self._hero is not None:
            cards = format_cards(self._hand.record.hole_cards[self._hero], " ")
            yield f"Dealt to {self._names[self._hero]} [{cards}]"

    def _act(self, event: ActionTaken) -> str:
        name, kind = self._names[event.seat], event.action.kind
        all_in = " and is all-in" * event.is_all_in
        if kind is ActionKind.FOLD:
            self._last_street[event.seat] = event.street
            return f"{name}: folds "
        if kind is ActionKind.CHECK:
            return f"{name}: checks "
        self._in_pot.add(event.seat)
        if kind is ActionKind.CALL:
            return f"{name}: calls {self._money(event.amount)}{all_in}"
        before, self._bet = self._bet, event.action.raise_to
        if not before:
            return f"{name}: bets {self._money(self._bet)}{all_in}"
        return f"{name}: raises {self._money(self._bet - before)} to {self._money(self._bet)}{all_in}"

    def _deal(self, event: BoardDealt) -> str:
        before, self._board, self._bet = self._board, self._board + event.cards, 0
        known = f"[{format_cards(before, ' ')}] " if before else ""
        return f"*** {event.street.name} *** {known}[{format_cards(event.cards, ' ')}]"

    def _end(self, event: _Ending) -> str:
        name = self._names[event.seat]
        if isinstance(event, HoleCardsShown):
            self._shown[event.seat] = event.hole_cards
            cards = format_cards(event.hole_cards, " ")
            return f"{name}: shows [{cards}] ({_strength_in_words(event.hole_cards, self._board)})"
        if isinstance(event, HoleCardsMucked):
            return f"{name}: mucks hand "
        self._won[event.seat] = self._won.get(event.seat, 0) + event.amount
        return f"{name} collected {self._money(event.amount)} from {self._pot_name(event.pot)}"

    def _pot_name(self, pot: int) -> str:
        last = max(self._pots)
        if not last:
            return "pot"
        return "main pot" if not pot else "side pot" if last == 1 else f"side pot-{pot}"

    def _summary(self) -> Iterator[str]:
        yield "*** SUMMARY ***"
        pot = sum(self._won.values()) + self._hand.rake
        parts = [
            f"{self._pot_name(number).capitalize()} {self._money(chips)}."
            for number, chips in sorted(self._pots.items())
        ]
        each = f" {' '.join(parts)}" if parts[1:] else ""
        yield f"Total pot {self._money(pot)}{each} | Rake {self._money(self._hand.rake)} "
        if self._board:
            yield f"Board [{format_cards(self._board, ' ')}]"
        for remark in self._hand.remarks:
            if board := board_in(remark):
                yield f"{board[0].upper()} Board [{format_cards(board[1], ' ')}]"
        posts = [event for event in self._hand.record.events if isinstance(event, Posted)]
        # Of several who post one the first owes it; the others have come back.
        small, big = (
            next((post.seat for post in posts if post.kind is kind), None)
            for kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND)
        )
        positions = {"button": self._started.button, "small blind": small, "big blind": big}
        for seat, name in self._names.items():
            at = "".join(f" ({position})" for position, whose in positions.items() if whose == seat)
            yield f"Seat {seat + 1}: {name}{at} {self._result(seat)}"

    def _result(self, seat: Seat) -> str:
        won, known = self._won.get(seat, 0), self._hand.record.hole_cards.get(seat)
        shown = self._shown.get(seat) or (known if won else None)
        if self._is_showdown and shown and seat not in self._last_street:
            what = f" with {_strength_in_words(shown, self._board)}"
            said = f"showed [{format_cards(shown, ' ')}] and"
            return f"{said} won ({self._money(won)}){what}" if won else f"{said} lost{what}"
        cards = f"[{format_cards(known, ' ')}]" if known else ""
        is_told = seat in self._shown or seat == self._hero
        showed = f"showed {cards} and " if known and not is_told else ""
        if seat in self._last_street:
            street = self._last_street[seat]
            is_idle = street is Street.PREFLOP and seat not in self._in_pot
            return f"{showed}folded {_STREETS[street]}" + " (didn't bet)" * is_idle
        if won or not self._is_showdown:
            return f"{showed}collected ({self._money(won)})"
        return f"mucked {cards}".rstrip()
