"""What the text of a hand tells, line by line, before the rules have seen it; and how its words are read.

A module per kind of file makes `ToldHand`s. `engine.hand_histories.imported` plays them by the rules, which say
whose turn it is, what a call costs and what is in the pot, and refuses those whose chips do not add up.
"""

import re
from collections.abc import Container, Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Final

from msgspec import Struct

from engine.cards import CARD_OF, Card, HoleCards, format_cards
from engine.foreign_text import shortened
from engine.game.events import ActionKind, Chips, GameKind, PostKind

CENTS: Final = 100
"""Chips per unit of money in cash games, whose amounts have two decimals at most; in tournaments a chip is one."""

SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "INR": "₹"}
"""Signs of money by ISO code."""

CURRENCIES: Final = {sign: code for code, sign in SIGNS.items()}
"""ISO codes of money by its sign."""

MOST_CHIPS: Final = 10**13
"""Of an amount."""

CLOCK: Final = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
"""The clock of a pattern for `time_of`, which has the groups `year`, `month` and `day` too."""

RUN_AGAIN: Final = "It was run more than once"
"""How remarks on a hand with further boards begin."""

_FURTHER_BOARD = re.compile(rf"{RUN_AGAIN}; the (second|third) board was: ((?:[2-9TJQKA][cdhs] ?)+)\.")
_LONGEST_AMOUNT = 24
_AMOUNT = re.compile(r"[0-9][0-9.,'\u00a0\u202f ]*")
_GROUPING = str.maketrans("", "", "'\u00a0\u202f ")
_CARD = re.compile(r"(10|[2-9TJQKA])([CDHScdhs])", re.IGNORECASE)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class NotImportedError(ValueError):
    """Why a hand is not imported: another game, or text that is cut off or not understood; one sentence."""


def not_understood(line: str) -> NotImportedError:
    """Return the error for a line that may move chips or cards and is not understood."""
    return NotImportedError(f"The line '{shortened(line)}' is not understood.")


class RefusedError(NotImportedError):
    """Why what a hand tells cannot have been so: chips that do not add up, a turn that was another's."""


class ToldSeat(Struct, frozen=True):
    """A seat as the text numbers it, with the stack before the hand in chips; also of who was not dealt in."""

    number: int
    name: str
    stack: Chips


class Post(Struct, frozen=True):
    """A blind, ante or straddle.

    `PostKind.DEAD_BLIND` is what only goes into the pot; of a blind posted for the first hand at a table or for
    missed ones the live part is a `BIG_BLIND`, or a `SMALL_BLIND` where no more is posted.
    """

    player: str
    kind: PostKind
    amount: Chips


class Act(Struct, frozen=True):
    """A fold, check, call, or a bet or raise.

    Of a call `amount` is what was added, 0 where that is not told. Of a bet or raise `total` is what is then in
    front of the player on this street, or `amount` is what they added; the other is 0. Without a kind the player
    went all-in by adding `amount`, whatever that comes to.
    """

    player: str
    kind: ActionKind | None
    amount: Chips = 0
    total: Chips = 0


class Deal(Struct, frozen=True):
    """The new cards of the flop, turn or river."""

    cards: tuple[Card, ...]


class Show(Struct, frozen=True):
    """Hole cards turned up, both of them; a single card shown is left out."""

    player: str
    cards: HoleCards


class Muck(Struct, frozen=True):
    """Hole cards thrown away at a showdown."""

    player: str


class Return(Struct, frozen=True):
    """An uncalled bet that went back."""

    player: str
    amount: Chips


class Collect(Struct, frozen=True):
    """What a player got of a pot, rake taken: the main pot is 0, None which is not told."""

    player: str
    amount: Chips
    pot: int | None = None


Step = Post | Act | Deal | Show | Muck | Return | Collect
"""What happened, in the order of the text."""


class ToldHand(Struct, frozen=True, kw_only=True):
    """A hand of no-limit hold'em as its text tells it.

    Attributes
    ----------
    site : str
        Who wrote it, as players call them.
    number : str
        As the site writes it; with the site the name by which a hand is known again.
    played : datetime or None
        By the first clock in the text, without a time zone.
    kind : GameKind
    table, tournament : str
        Names or numbers; no tournament in cash games.
    currency : str
        ISO code of the money, "" for play money and the chips of a tournament.
    scale : int or None
        Chips per unit of what the text counts in; None for `CENTS` in cash games, 1 in tournaments.
    small_blind, big_blind, ante : int
        The stakes in chips; an ante that the big blind posts for all is told by its `Post` alone.
    splash : int
        What the site has put into the pot.
    seats : tuple of ToldSeat
        In rising order.
    button : int
        Number of the seat with the button, which may be empty.
    hero : str
        Whose hand it is, "" where nobody's cards are told as their own.
    hole_cards : dict of str to two Card
        Those known otherwise than by `Show`: the hero's, and what a text tells of others.
    steps : tuple of Step
    pot, rake : int or None
        What the text says: all that was put in and not returned; what was taken of it.
    board : tuple of Card
        All of it, where a summary tells it; streets without a `Deal` are dealt from it.
    remarks : tuple of str
        What the text tells and the hand cannot show, a sentence each: a second board, a cash-out.
    """

    site: str
    number: str
    played: datetime | None
    kind: GameKind
    table: str
    tournament: str = ""
    currency: str = ""
    scale: int | None = None
    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    splash: Chips = 0
    seats: tuple[ToldSeat, ...]
    button: int
    hero: str = ""
    hole_cards: dict[str, HoleCards]
    steps: tuple[Step, ...]
    pot: Chips | None = None
    rake: Chips | None = None
    board: tuple[Card, ...] = ()
    remarks: tuple[str, ...] = ()


def verify_holdem(game: str, word: str, others: Iterable[tuple[str, str]]) -> None:
    """Raise `NotImportedError` if a game is not called by the word for hold'em, or by that of another game."""
    for sign, name in others:
        if sign in game:
            raise NotImportedError(f"It is {name}, not hold'em.")
    if word not in game:
        raise NotImportedError("It does not say that it is hold'em.")


def before_summary(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines until the summary, without empty ones; `NotImportedError` if there is no summary."""
    for line in lines:
        if line.startswith("*** SUMMARY"):
            return
        if line:
            yield line
    raise NotImportedError("It breaks off before its summary.")


class HandText:
    """What reading the text of a hand line by line keeps, whoever wrote it: hole cards by player, and the steps."""

    def __init__(self, scale: int) -> None:
        self._scale = scale
        self._cards: dict[str, HoleCards] = {}
        self._steps: list[Step] = []

    def _chips(self, text: str) -> Chips:
        return chips_of(text, self._scale)

    def _highest_ante(self) -> Chips:
        antes = (step.amount for step in self._steps if isinstance(step, Post) and step.kind is PostKind.ANTE)
        return max(antes, default=0)

    def _read_own_cards(self, line: str, names: Container[str]) -> str:
        """Read `Dealt to NAME [Ah Kd]`, and return the name; `NotImportedError` if it is none of these."""
        name, _, cards = line[len("Dealt to ") :].rpartition(" [")
        pair = hole_cards_of(cards)
        if name not in names or pair is None:
            raise not_understood(line)
        self._cards[name] = pair
        return name


def chips_of(text: str, scale: int) -> Chips:
    """Return an amount in chips, whatever signs of money stand around it and group its digits.

    A single point or comma before three digits groups them, unless a zero stands before it.

    Raises
    ------
    NotImportedError
        If there is no number, or one that is no whole number of chips or beyond all measure.

    Examples
    --------
    >>> [chips_of(text, CENTS) for text in ("$0.05", "1.234,50 EUR", "$1,234", "0,02 $", "12 345")]
    [5, 123450, 123400, 2, 1234500]
    """
    found = _AMOUNT.search(text) if len(text) <= 4 * _LONGEST_AMOUNT else None
    if found is None or len(found[0]) > _LONGEST_AMOUNT:
        raise NotImportedError(f"'{shortened(text)}' is no amount.")
    number = found[0].translate(_GROUPING).rstrip(".,")
    decimal = _decimal_sign(number)
    whole, _, part = number.rpartition(decimal) if decimal else (number, "", "")
    whole = whole.replace(".", "").replace(",", "")
    part = part.rstrip("0")
    places = len(str(scale)) - 1
    if len(part) > places:
        raise NotImportedError(f"'{shortened(text)}' is no whole number of the smallest coin.")
    chips = int(whole or "0") * scale + int(part.ljust(places, "0") or "0")
    if chips > MOST_CHIPS:
        raise NotImportedError(f"'{shortened(text)}' is beyond all measure.")
    return chips


def _decimal_sign(number: str) -> str:
    """Return the sign before the decimals of a number, "" if it has none."""
    point, comma = number.rfind("."), number.rfind(",")
    last = max(point, comma)
    if last < 0:
        return ""
    sign = number[last]
    if point >= 0 and comma >= 0:
        return sign
    is_group = len(number) - last == 4 and number.lstrip("0")[:1] not in (".", ",")
    return "" if number.count(sign) > 1 or is_group else sign


def time_of(found: re.Match[str] | None) -> datetime | None:
    """Return the time that a pattern with `CLOCK` has found, None if none; months have digits or three letters."""
    if found is None:
        return None
    month = found["month"]
    try:
        number = _MONTHS.index(month) + 1 if month.isalpha() else int(month)
        day, hour, minute, second = (int(found[part] or 0) for part in ("day", "hour", "minute", "second"))
        return datetime(int(found["year"]), number, day, hour, minute, second)
    except ValueError:
        return None


def cards_of(text: str) -> tuple[Card, ...]:
    """Return the cards that stand in a text, such as `[Ah Kd]`, `10s, 9s` or `AhKd`.

    `NotImportedError` if there is anything else between them.

    >>> cards_of("[10h 2c]") == cards_of("Th, 2C")
    True
    """
    cards = tuple(CARD_OF[rank.upper().replace("10", "T") + suit.lower()] for rank, suit in _CARD.findall(text))
    if set(_CARD.sub("", text)) - set("[](), \t"):
        raise NotImportedError(f"'{shortened(text)}' are no cards.")
    return cards


def hole_cards_of(text: str) -> HoleCards | None:
    """Return two hole cards, the higher first; None if fewer are told. `NotImportedError` if these are more."""
    cards = cards_of(text.replace("XX", "").replace("??", ""))
    if len(cards) > 2:
        raise NotImportedError(f"It has {len(cards)} hole cards, so it is not hold'em.")
    if len(cards) < 2:
        return None
    first, second = cards
    return (first, second) if first > second else (second, first)


def blind_kind(kind: PostKind, steps: Iterable[Step]) -> PostKind:
    """Return what a blind is after the posts before it: one small blind is owed, another was missed and is dead."""
    is_second = kind is PostKind.SMALL_BLIND and any(isinstance(step, Post) and step.kind is kind for step in steps)
    return PostKind.DEAD_BLIND if is_second else kind


def board_remark(number: str, cards: Iterable[Card]) -> str:
    """Say what a further board of a hand was, `number` being "second" or "third"; without cards only that it was.

    >>> board_remark("second", cards_of("Ks 9d"))
    'It was run more than once; the second board was: Ks 9d.'
    """
    board = format_cards(cards, " ")
    return f"{RUN_AGAIN}; the {number} board was: {board}." if board else f"{RUN_AGAIN}."


def board_in(remark: str) -> tuple[str, tuple[Card, ...]] | None:
    """Return the number and the cards of the board that a remark tells by `board_remark`; None if it tells none."""
    found = _FURTHER_BOARD.fullmatch(remark)
    return (found[1], cards_of(found[2])) if found is not None else None


def player_before(line: str, names: Iterable[str]) -> str:
    """Return whose name a line begins with, before a space; the longest where several do, "" for nobody.

    >>> player_before("Ann bets 5", ["Ann", "Ann bets"])
    'Ann bets'
    """
    return max((name for name in names if line.startswith(name + " ")), key=len, default="")


def deed_of(line: str, names: Container[str], words: Container[str]) -> tuple[str, str]:
    """Return whose name a line begins with and the rest of it, where that begins with one of the words.

    Two empty strings if there is none; the longest name where several would do.

    >>> deed_of("Ann folds calls 5", ["Ann", "Ann folds"], ["calls", "folds"])
    ('Ann folds', 'calls 5')
    """
    found, at = 0, line.find(" ")
    while at > 0:
        if line[:at] in names and line[at + 1 :].partition(" ")[0] in words:
            found = at
        at = line.find(" ", at + 1)
    return (line[:found], line[found + 1 :]) if found else ("", "")


def split_at(header: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield the texts of hands, each from its header to the next; what stands before the first is none."""
    for begin, end in pairwise([*(found.start() for found in header.finditer(text)), len(text)]):
        yield text[begin:end]
