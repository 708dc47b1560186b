"""Cards, combos and hand classes: numbers inside, text outside.

- A *card* is `4 * rank + suit`, rank 0 (deuce) to 12 (ace), suits c d h s as 0 to 3.
- A *combo* is one of the 1326 pairs of hole cards, numbered `high * (high - 1) / 2 + low` by its two cards.
- A *hand class* is one of the 169 kinds of hole cards (`AA`, `AKs`, `AKo`), numbered `13 * row + column` as
  on the usual grid: aces first, pairs on the diagonal, suited above it, offsuit below.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from operator import index
from typing import Any, NewType, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.foreign_text import printable

Card = NewType("Card", int)
Combo = NewType("Combo", int)
HandClass = NewType("HandClass", int)
HoleCards = tuple[Card, Card]

A = TypeVar("A", bound=NDArray[Any])

CARD_COUNT = 52
COMBO_COUNT = 1326
CLASS_COUNT = 169
MOST_OPPONENTS = 9  # at a table of ten
RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

_SUIT_OF = {letter: i for i, letter in enumerate(SUITS)} | {sign: i for i, sign in enumerate(SUIT_SYMBOLS)}


class Street(IntEnum):
    """The four betting rounds."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


STREET_NAMES = {street: street.name.capitalize() for street in Street}
BOARD_SIZE = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}


class CardError(ValueError):
    """A number that is no card, combo, hand class, rank or suit."""


class CardTextError(ValueError):
    """Text that is no card, or names a card twice: `length` characters are at fault from index `position` on."""

    def __init__(self, message: str, position: int, length: int = 1) -> None:
        super().__init__(message)
        self.position = position
        self.length = length


def is_whole(number: object) -> bool:
    """Return whether a number is an int of Python or numpy; True and False are none."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check_sequence(values: object, what: str, error: type[ValueError]) -> None:
    """Raise such an error unless something has an order and a length, and is no text."""
    if type(values) in (tuple, list):
        return
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str):
        raise error(f"{what} come in a sequence such as a tuple, not as {values!r}.")


def check_card(value: int) -> Card:
    """Return the card that a number stands for.

    Raises
    ------
    CardError
        If it is no whole number from 0 to 51. All functions here that take cards raise it.

    Examples
    --------
    >>> check_card(52)
    Traceback (most recent call last):
    engine.cards.CardError: 52 is no card: cards are whole numbers from 0 to 51.
    """
    return Card(_checked(value, CARD_COUNT, "card"))


def _checked(value: int, count: int, what: str) -> int:
    try:
        number = index(value)  # takes numpy's whole numbers, and no float
    except TypeError:
        number = -1
    if not 0 <= number < count:
        kinds = f"{what}es" if what.endswith("s") else f"{what}s"
        raise CardError(f"{value} is no {what}: {kinds} are whole numbers from 0 to {count - 1}.")
    return number


def make_card(rank: int, suit: int) -> Card:
    """Return the card of a rank 0-12 and a suit 0-3; anything else is a `CardError`."""
    return Card(4 * _checked(rank, len(RANKS), "rank") + _checked(suit, len(SUITS), "suit"))


def rank_of(card: int) -> int:
    """Return the rank, 0 (deuce) to 12 (ace)."""
    return check_card(card) >> 2


def suit_of(card: int) -> int:
    """Return the suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return check_card(card) & 3


def format_card(card: int) -> str:
    """Write a card as two characters.

    >>> format_card(51)
    'As'
    """
    card = check_card(card)
    return RANKS[card >> 2] + SUITS[card & 3]


CARD_OF = {format_card(card): Card(card) for card in range(CARD_COUNT)}
"""Each card by its two characters, for texts that write it in no other way."""


def format_cards(cards: Iterable[int], separator: str = "") -> str:
    """Write cards one after another, in the order given."""
    return separator.join(format_card(card) for card in cards)


def card_symbols(cards: Iterable[int], separator: str = "") -> str:
    """Write cards one after another with the symbols of their suits.

    >>> card_symbols([51, 45], " ")
    'A♠ K♦'
    """
    return separator.join(format_card(card)[0] + SUIT_SYMBOLS[card & 3] for card in cards)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards such as `AhKh`, `ah kh`, `10h, K♥`.

    Parameters
    ----------
    text : str
        Ranks 2-9, T or 10, J Q K A and suits c d h s or their symbols, in either case; spaces, commas,
        bars and slashes between cards are skipped.

    Raises
    ------
    CardTextError
        If a part is no card or a card stands twice; the message names it and `position` says where.

    Examples
    --------
    >>> parse_cards("Ks 7d 2h")
    (47, 21, 2)
    """
    cards: list[Card] = []
    at = 0
    while at < len(text):
        if _separates(text[at]):
            at += 1
            continue
        rank_length = 2 if text.startswith("10", at) else 1
        rank = RANKS.find("T" if rank_length == 2 else text[at].upper())
        suit_at = at + rank_length
        has_suit = suit_at < len(text) and not _separates(text[suit_at])
        shown = printable(text[at : suit_at + has_suit])
        if rank < 0:
            raise CardTextError(f"'{shown}' is no card: '{shown[0]}' is no rank (2-9 T J Q K A).", at)
        if not has_suit:
            raise CardTextError(f"'{shown}' is no card: its suit (c d h s) is missing.", at, rank_length)
        suit = _SUIT_OF.get(text[suit_at].lower(), -1)
        if suit < 0:
            raise CardTextError(f"'{shown}' is no card: '{shown[-1]}' is no suit (c d h s).", suit_at)
        card = make_card(rank, suit)
        if card in cards:
            raise CardTextError(f"The card {format_card(card)} stands there twice.", at, rank_length + 1)
        cards.append(card)
        at = suit_at + 1
    return tuple(cards)


def _separates(sign: str) -> bool:
    return sign.isspace() or sign in ",|/"


def combo_of(first: int, second: int) -> Combo:
    """Return the number of the combo of two different cards, in either order.

    Raises
    ------
    CardError
        If one is no card, or both are the same.
    """
    first, second = check_card(first), check_card(second)
    if first == second:
        raise CardError(f"A combo needs two different cards, not {format_card(first)} twice.")
    low, high = (first, second) if first < second else (second, first)
    return Combo(high * (high - 1) // 2 + low)


def cards_of(combo: int) -> HoleCards:
    """Return the two cards of a combo, the higher number first; a `CardError` if it is none.

    >>> format_cards(cards_of(1325))
    'AsAh'
    """
    high, low = _COMBO_TUPLES[_checked(combo, COMBO_COUNT, "combo")]
    return Card(high), Card(low)


@lru_cache(maxsize=COMBO_COUNT)
def format_combo(combo: int) -> str:
    """Write a combo with its higher card first, such as `AhKd`."""
    return format_cards(cards_of(combo))


def class_of(combo: int) -> HandClass:
    """Return the hand class 0-168 of a combo; a `CardError` if it is none."""
    return HandClass(int(COMBO_CLASS[_checked(combo, COMBO_COUNT, "combo")]))


def class_name(hand_class: int) -> str:
    """Write a hand class; a `CardError` if it is none.

    >>> class_name(0), class_name(1), class_name(13)
    ('AA', 'AKs', 'AKo')
    """
    row, column = divmod(_checked(hand_class, CLASS_COUNT, "hand class"), 13)
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def combos_of_class(hand_class: int) -> tuple[Combo, ...]:
    """Return the 4, 6 or 12 combos of a hand class, in rising order; a `CardError` if it is none."""
    return _combos_by_class()[_checked(hand_class, CLASS_COUNT, "hand class")]


@cache
def _combos_by_class() -> tuple[tuple[Combo, ...], ...]:
    by_class: list[list[Combo]] = [[] for _ in range(CLASS_COUNT)]
    for combo, hand_class in enumerate(COMBO_CLASS.tolist()):
        by_class[hand_class].append(Combo(combo))
    return tuple(tuple(combos) for combos in by_class)


def card_mask(cards: Iterable[int]) -> int:
    """Return a 52-bit set with bit `card` set for each card."""
    mask = 0
    for card in cards:
        mask |= 1 << check_card(card)
    return mask


def unblocked(cards: Iterable[int]) -> NDArray[np.bool_]:
    """Return which combos hold none of the given cards: ndarray of bool, shape (1326,)."""
    live: NDArray[np.bool_] = (COMBO_MASK & np.uint64(card_mask(cards))) == 0
    return live


def relabel_suits(cards: Sequence[int], permutation: Sequence[int]) -> tuple[Card, ...]:
    """Return the cards with suit `s` replaced by `permutation[s]`.

    Raises
    ------
    CardError
        If one is no card, or the permutation does not have each suit 0-3 once.
    """
    if sorted(permutation) != list(range(len(SUITS))):
        raise CardError(f"{list(permutation)} is no permutation of the suits 0, 1, 2 and 3.")
    return tuple(make_card(rank_of(card), permutation[suit_of(card)]) for card in cards)


def frozen(values: A) -> A:
    """Return an array that can only be read from now on."""
    values.setflags(write=False)
    return values


_COMBO_TUPLES = [(high, low) for high in range(CARD_COUNT) for low in range(high)]
_HIGH, _LOW = (np.array(cards, dtype=np.int64) for cards in zip(*_COMBO_TUPLES, strict=True))
_ROWS, _COLUMNS = 12 - (_HIGH >> 2), 12 - (_LOW >> 2)

COMBO_CARDS: NDArray[np.uint8] = frozen(np.array(_COMBO_TUPLES, dtype=np.uint8))
"""The two cards of each combo, the higher first: uint8, shape (1326, 2)."""

COMBO_MASK: NDArray[np.uint64] = frozen(
    (np.uint64(1) << _HIGH.astype(np.uint64)) | (np.uint64(1) << _LOW.astype(np.uint64))
)
"""The card mask of each combo: uint64, shape (1326,)."""

PAIR_COUNT = 91
"""Pairs of ranks, `high * (high + 1) / 2 + low`: without a flush all combos of one are equally strong."""

COMBO_PAIR: NDArray[np.uint8] = frozen(((_HIGH >> 2) * ((_HIGH >> 2) + 1) // 2 + (_LOW >> 2)).astype(np.uint8))
"""The pair of ranks of each combo: uint8, shape (1326,)."""

COMBO_CLASS: NDArray[np.uint8] = frozen(
    np.where((_HIGH & 3) == (_LOW & 3), 13 * _ROWS + _COLUMNS, 13 * _COLUMNS + _ROWS).astype(np.uint8)
)
"""The hand class of each combo: uint8, shape (1326,)."""
