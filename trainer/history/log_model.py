"""A hand in words: one line per event, in parts that carry their colour, and as plain text.

Colours are named by the `Theme` field they are found under, so nothing here knows a colour.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.cards import RANKS, STREET_NAMES, SUIT_SYMBOLS, Card, HoleCards, Street, rank_of, suit_of
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
    start_of,
)
from engine.game.history import HandState, moments
from engine.strength import describe
from trainer.session.amounts import Units

YOU = "You"
"""A player of this name is spoken to in the second person."""

ACTION_ROLES = {
    ActionKind.FOLD: "fold",
    ActionKind.CHECK: "check",
    ActionKind.CALL: "call",
    ActionKind.RAISE: "raise_",
}

_RANK_WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_WHOLE_BOARD = 5
_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


class LineKind(StrEnum):
    """What a line is, so that it can be set apart."""

    HAND = "hand"
    STREET = "street"
    POST = "post"
    ACTION = "action"
    SHOWDOWN = "showdown"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line: its text, the `Theme` field of its colour, and the card if it is one."""

    text: str
    role: str = "text"
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; `event_count` is how many events had happened with it."""

    kind: LineKind
    parts: tuple[Part, ...]
    event_count: int = 1

    @property
    def text(self) -> str:
        """The line as plain text."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class LogMoment:
    """A line of the log: the hand as far as the log has it, whose log it is, and where the line stands."""

    events: tuple[PublicEvent, ...]
    own: tuple[Seat, HoleCards] | None  # the reader's own; None of a watched hand
    event_count: int  # how many of the events had happened with this line


def card_sign(card: int) -> str:
    """Write a card with its suit's symbol, such as `K♠`."""
    return RANKS[rank_of(card)] + SUIT_SYMBOLS[suit_of(card)]


def cards_words(cards: Iterable[int]) -> str:
    """Say cards as they are spoken: `king of spades, two of hearts`."""
    return ", ".join(f"{_RANK_WORDS[rank_of(card)]} of {_SUIT_WORDS[suit_of(card)]}" for card in cards)


def action_words(event: ActionTaken, units: Units, *, is_you: bool = False) -> str:
    """Say what an action was: `folds`, `calls 40`, `bets 60`, `raises to 120, all-in`.

    With nothing to call after the flop a raise is a bet; before the flop the big blind is the bet, so its
    option is a raise.
    """
    s = "" if is_you else "s"
    kind = event.action.kind
    if kind is ActionKind.FOLD:
        return f"fold{s}"
    if kind is ActionKind.CHECK:
        return f"check{s}"
    if kind is ActionKind.CALL:
        words = f"call{s} {units.text(event.amount)}"
    elif event.to_call == 0 and event.street is not Street.PREFLOP:
        words = f"bet{s} {units.text(event.action.raise_to)}"
    else:
        words = f"raise{s} to {units.text(event.action.raise_to)}"
    return words + (", all-in" if event.is_all_in else "")


def log_lines(
    events: Sequence[PublicEvent], units: Units, *, own: tuple[Seat, HoleCards] | None = None
) -> tuple[LogLine, ...]:
    """Return a hand in words: two lines for the heading, one for the reader's `own` cards, one for each event."""
    return _Writer(events, units).lines(own)


def line_text(events: Sequence[PublicEvent], units: Units) -> str:
    """Tell a hand in a sentence per street, without folds, such as `Flop: you bet 60, Ada calls 60`."""
    names = {start.seat: start.name for start in start_of(events).seats}
    streets: dict[Street, list[str]] = {}
    for event in events:
        if isinstance(event, ActionTaken) and event.action.kind is not ActionKind.FOLD:
            is_you = names[event.seat] == YOU
            words = action_words(event, units, is_you=is_you)
            streets.setdefault(event.street, []).append(f"{'you' if is_you else names[event.seat]} {words}")
    return " ".join(f"{STREET_NAMES[street]}: {', '.join(deeds)}." for street, deeds in streets.items())


def log_text(lines: Iterable[LogLine]) -> str:
    """Return the log as plain text, a blank line before each street."""
    return "\n".join(("\n" if line.kind is LineKind.STREET else "") + line.text for line in lines) + "\n"


class _Writer:
    """Writes one hand's events as lines."""

    def __init__(self, events: Sequence[PublicEvent], units: Units) -> None:
        self._events = events
        self._units = units
        self._names: dict[Seat, str] = {}
        self._turned_up: set[Seat] = set()  # before the board was whole, so that what came of it was not told then
        self._has_side_pots = any(isinstance(event, PotAwarded) and event.pot > 0 for event in events)

    def lines(self, own: tuple[Seat, HoleCards] | None) -> tuple[LogLine, ...]:
        if not self._events:
            return ()
        started = start_of(self._events)
        lines = self._started(started, own)
        for count, (event, hand) in enumerate(moments(self._events), start=2):
            lines.append(replace(self._line(event, hand), event_count=count))
        return tuple(lines)

    def _started(self, event: HandStarted, own: tuple[Seat, HoleCards] | None) -> list[LogLine]:
        self._names = {start.seat: start.name for start in event.seats}
        game = "cash game" if event.kind is GameKind.CASH else "tournament"
        blinds = f"blinds {self._units.blinds(event.small_blind, event.big_blind)}"
        ante = f", ante {self._units.text(event.ante)}" if event.ante else ""
        ante += f", {self._units.text(event.splash)} from the house" if event.splash else ""
        limits = ", raises to twice the bet" if event.raises_to_twice else ""
        raises = "1 raise" if event.max_raises == 1 else f"{event.max_raises} raises"
        limits += f", at most {raises} a street" if event.max_raises else ""
        button = "you" if self._is_you(event.button) else self._names[event.button]
        stakes = f"{game}, {blinds}{ante}{limits}; {button} on the button"
        lines = [
            LogLine(LineKind.HAND, (Part(f"Hand {event.hand_number}"),)),
            LogLine(LineKind.POST, (Part(stakes, "text_muted"),)),
        ]
        if own is not None and own[0] in self._names:
            lines.append(LogLine(LineKind.POST, (*self._subject(own[0], "hold"), *_card_parts(own[1]))))
        return lines

    def _line(self, event: PublicEvent, hand: HandState) -> LogLine:
        if isinstance(event, ActionTaken):
            words = action_words(event, self._units, is_you=self._is_you(event.seat))
            parts = (Part(f"{self._names[event.seat]} "), Part(words, ACTION_ROLES[event.action.kind]))
            return LogLine(LineKind.ACTION, parts)
        if isinstance(event, BoardDealt):
            pot = Part(f"   pot {self._units.text(hand.pot)}", "text_muted")
            street = Part(f"{STREET_NAMES[event.street]}  ")
            return LogLine(LineKind.STREET, (street, *_card_parts(event.cards), pot))
        if isinstance(event, UncalledBetReturned):
            returned = Part(f"back {self._units.text(event.amount)}, uncalled")
            return LogLine(LineKind.RESULT, (*self._subject(event.seat, "take"), returned))
        return self._posted_or_showdown(event, hand)

    def _posted_or_showdown(self, event: PublicEvent, hand: HandState) -> LogLine:
        if isinstance(event, HoleCardsShown):
            made = describe(event.hole_cards, hand.board, _shown(hand)) if hand.board else ""
            if len(hand.board) < _WHOLE_BOARD:
                self._turned_up.add(event.seat)
            parts = (*self._subject(event.seat, "show"), *_card_parts(event.hole_cards))
            return LogLine(LineKind.SHOWDOWN, (*parts, Part(f": {made}")) if made else parts)
        if isinstance(event, HoleCardsMucked):
            return LogLine(LineKind.SHOWDOWN, (*self._subject(event.seat, "muck"), Part("without showing")))
        if isinstance(event, PotAwarded):
            pot = "the main pot" if event.pot == 0 else f"side pot {event.pot}"
            share = f", {pot}" if self._has_side_pots else ""
            words = Part(f"{self._units.text(event.amount)}{share}", "good")
            parts = (*self._subject(event.seat, "win"), words)
            shown = hand.seats[event.seat].shown
            if shown is not None and event.seat in self._turned_up and len(hand.board) == _WHOLE_BOARD:
                comma = "," if share else ""
                parts = (*parts, Part(f"{comma} with {describe(shown, hand.board, _shown(hand))}"))
            return LogLine(LineKind.RESULT, parts)
        if isinstance(event, HandEnded):
            return self._ended(event, hand)
        assert not isinstance(event, HandStarted | ActionTaken | BoardDealt | UncalledBetReturned)
        all_in = ", all-in" if event.is_all_in else ""
        posted = f"the {event.kind.value}, {self._units.text(event.amount)}{all_in}"
        return LogLine(LineKind.POST, (*self._subject(event.seat, "post"), Part(posted, "text_muted")))

    def _ended(self, event: HandEnded, hand: HandState) -> LogLine:
        """Tell who won and lost: you first, then by size, since a line of many is cut where there is no room."""
        seats = zip(hand.started.seats, event.stacks, strict=True)
        nets = [(start, after - start.stack) for start, after in seats if after != start.stack]
        nets.sort(key=lambda one: (not self._is_you(one[0].seat), -abs(one[1])))
        parts = [Part("Result: ")]
        for start, net in nets:
            separator = "" if len(parts) == 1 else ", "
            parts.append(Part(f"{separator}{start.name} "))
            parts.append(Part(self._units.signed(net), "good" if net > 0 else "bad"))
        if not nets:
            parts.append(Part("nobody won or lost chips"))
        return LogLine(LineKind.RESULT, tuple(parts))

    def _is_you(self, seat: Seat) -> bool:
        return self._names[seat] == YOU

    def _subject(self, seat: Seat, verb: str) -> tuple[Part, ...]:
        return (Part(f"{self._names[seat]} {verb}{'' if self._is_you(seat) else 's'} "),)


def _shown(hand: HandState) -> list[HoleCards]:
    return [seat.shown for seat in hand.seats.values() if seat.shown is not None]


def _card_parts(cards: Sequence[Card]) -> list[Part]:
    parts = []
    for index, card in enumerate(cards):
        if index:
            parts.append(Part(" "))
        parts.append(Part(card_sign(card), card=card))
    return parts
