"""Hands written in the text of PokerStars, the one that most programs read.

It has no place for remarks other than a second board, for the site, or for how many chips make a unit. Buy-in and
level of a tournament are not known, so that the first is a freeroll's and the second always I; the clock is that of
the hand, though readers look for one of US Eastern time. Hole cards that are known and
that the hand does not show stand in the summary, as those of who has mucked.
"""

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.cards import Card, HoleCards, Street, format_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    GameKind,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    Seat,
    UncalledBetReturned,
)
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.told import SIGNS, board_in
from engine.strength import describe

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


def pokerstars_text(hand: ImportedHand) -> str:
    """Write a hand with the blank lines that follow it."""
    return "\n".join(_Writer(hand).lines()) + "\n\n\n"


def _digits(site: str, number: str) -> str:
    """Return the digits of a number of a site's, or others that belong to it alone where it is not written so."""
    found = _NUMBER.fullmatch(number)
    digest = hashlib.blake2b(f"{site} {number}".encode(), digest_size=6).digest()
    return found[1] if found else str(int.from_bytes(digest))


class _Writer:
    """One hand on its way into text."""

    def __init__(self, hand: ImportedHand) -> None:
        started = hand.record.events[0]
        assert isinstance(started, HandStarted)
        self._hand, self._started = hand, started
        self._is_tournament = started.kind is GameKind.TOURNAMENT
        self._sign = "" if self._is_tournament else SIGNS.get(hand.currency, "")
        self._names = {start.seat: start.name for start in started.seats}
        self._board: tuple[Card, ...] = ()
        self._bet: Chips = 0
        self._last_street: dict[Seat, Street] = {}
        self._shown: dict[Seat, HoleCards] = {}
        self._mucked: set[Seat] = set()
        self._won: dict[Seat, Chips] = {}
        self._hero = None if hand.is_watched else hand.hero
        self._pots = {event.pot for event in hand.record.events if isinstance(event, PotAwarded)}

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        events = self._hand.record.events
        posts = [event for event in events if isinstance(event, Posted)]
        yield from self._header()
        yield from self._posts(posts)
        if self._started.splash:
            yield f"STP added: {self._money(self._started.splash)}"
        yield "*** HOLE CARDS ***"
        yield from self._dealt()
        self._bet = max((post.amount for post in posts if not post.kind.is_ante), default=0)
        if posts and self._bet:
            self._bet = max(self._bet, self._started.big_blind)
        is_at_showdown = False
        for event in events:
            match event:
                case ActionTaken():
                    yield self._act(event)
                case BoardDealt():
                    yield self._deal(event)
                case UncalledBetReturned(seat, amount):
                    yield f"Uncalled bet ({self._money(amount)}) returned to {self._names[seat]}"
                case HoleCardsShown() | HoleCardsMucked() | PotAwarded():
                    if not is_at_showdown and len(self._last_street) + 1 < len(self._names):
                        yield "*** SHOW DOWN ***"
                    is_at_showdown = True
                    yield self._end(event)
        yield from self._summary()

    def _money(self, chips: Chips) -> str:
        whole, rest = divmod(chips, self._hand.scale)
        return f"{self._sign}{chips / self._hand.scale:.2f}" if rest else f"{self._sign}{whole}"

    def _header(self) -> Iterator[str]:
        hand, started = self._hand, self._started
        small, big = self._money(started.small_blind), self._money(started.big_blind)
        clock = f"{hand.played:%Y/%m/%d %H:%M:%S} ET" if hand.played is not None else ""
        when = f" - {clock} [{clock}]" if clock else ""
        game = f"Tournament #{_digits(hand.site, hand.tournament)}, Freeroll  " if self._is_tournament else ""
        level = "- Level I " if self._is_tournament else ""
        currency = f" {hand.currency}" if hand.currency and not self._is_tournament else ""
        stakes = f"{level}({small}/{big}{currency})"
        yield f"PokerStars Hand #{_digits(hand.site, hand.number)}: {game}Hold'em No Limit {stakes}{when}"
        size = next(size for size in _TABLE_SIZES if size >= len(self._names))
        is_play = not self._is_tournament and not hand.currency
        table = hand.table or hand.tournament or hand.site
        # A table's button is numbered as its seats are.
        button = f"Seat #{started.button + 1} is the button"
        yield f"Table '{table}' {size}-max {'(Play Money) ' * is_play}{button}"
        for start in started.seats:
            yield f"Seat {start.seat + 1}: {start.name} ({self._money(start.stack)} in chips)"

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
            return f"{name}: folds"
        if kind is ActionKind.CHECK:
            return f"{name}: checks"
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

    def _end(self, event: HoleCardsShown | HoleCardsMucked | PotAwarded) -> str:
        name = self._names[event.seat]
        if isinstance(event, HoleCardsShown):
            self._shown[event.seat] = event.hole_cards
            cards = format_cards(event.hole_cards, " ")
            return f"{name}: shows [{cards}] ({describe(event.hole_cards, self._board)})"
        if isinstance(event, HoleCardsMucked):
            self._mucked.add(event.seat)
            return f"{name}: mucks hand"
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
        yield f"Total pot {self._money(pot)} | Rake {self._money(self._hand.rake)}"
        if self._board:
            yield f"Board [{format_cards(self._board, ' ')}]"
        for remark in self._hand.remarks:
            if board := board_in(remark):
                yield f"{board[0].upper()} Board [{format_cards(board[1], ' ')}]"
        blinds = {
            event.seat: f" ({_POSTS[event.kind]})"
            for event in self._hand.record.events
            if isinstance(event, Posted) and event.kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND)
        }
        blinds[self._started.button] = " (button)"
        for seat, name in self._names.items():
            yield f"Seat {seat + 1}: {name}{blinds.get(seat, '')} {self._result(seat)}"

    def _result(self, seat: Seat) -> str:
        won, known = self._won.get(seat), self._hand.record.hole_cards.get(seat)
        if seat in self._shown:
            said = f"showed [{format_cards(self._shown[seat], ' ')}] and"
            what = f" with {describe(self._shown[seat], self._board)}"
            return f"{said} won ({self._money(won)}){what}" if won else f"{said} lost{what}"
        told = "" if known is None or seat == self._hero else f"mucked [{format_cards(known, ' ')}]"
        if seat in self._last_street:
            return f"folded {_STREETS[self._last_street[seat]]}{', ' * bool(told)}{told}"
        if won:
            return f"collected ({self._money(won)}){', ' * bool(told)}{told}"
        return told or "mucked"
