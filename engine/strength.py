"""How strong cards are, as a number and in a player's words: category, kickers, draws.

Plain Python, so that a window may ask at any moment; `engine.kernels.evaluator` gives the same numbers for millions
of hands a second.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum, StrEnum
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, RANKS, Card, check_sequence, format_card, frozen, is_whole, rank_of, suit_of

STRENGTH_COUNT = 7462
"""Strengths are 1 (7-5-4-3-2 offsuit) to 7462 (royal flush), higher is better; ties are equal."""


class Category(IntEnum):
    """The nine kinds of five-card hands, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


class Draw(StrEnum):
    """What hole cards may become with one more card, in a player's words."""

    FLUSH = "flush draw"
    OPEN_ENDED = "open-ended straight draw"
    DOUBLE_GUTSHOT = "double gutshot"
    GUTSHOT = "gutshot"
    OVERCARDS = "two overcards"


class StrengthError(ValueError):
    """Cards that have no strength: too few, too many, or one twice."""


_Value = tuple[Category, tuple[int, ...]]  # the five ranks in order of weight, pairs before kickers

_WHEEL = (3, 2, 1, 0, 12)
_STRAIGHTS = (*(tuple(range(high, high - 5, -1)) for high in range(12, 3, -1)), _WHEEL)
STRAIGHT_MASKS = np.array([sum(1 << rank for rank in straight) for straight in _STRAIGHTS], dtype=np.int64)
"""The ten straights as sets of ranks, bit 0 the deuce; the wheel last."""

_NAMES = (
    *("deuce", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)


def strength(cards: Sequence[int]) -> int:
    """Return the strength of the best five of 5, 6 or 7 cards.

    Returns
    -------
    int
        1 to 7462, higher is better; equal for hands that split the pot.

    Raises
    ------
    StrengthError
        If there are fewer than 5 or more than 7 cards, or one is no card or stands twice.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> strength(parse_cards("As Ks Qs Js Ts 2c 2d"))
    7462
    """
    _check(cards, 5)
    return _strength_of_values()[_value_of(cards)]


def category_of(strength: int) -> Category:
    """Return the category of a strength.

    Raises
    ------
    StrengthError
        If it is not from 1 to 7462.

    Examples
    --------
    >>> category_of(1).name, category_of(7462).name
    ('HIGH_CARD', 'STRAIGHT_FLUSH')
    """
    if not is_whole(strength) or not 1 <= strength <= STRENGTH_COUNT:
        raise StrengthError(f"{strength} is no strength: they are 1 to {STRENGTH_COUNT}.")
    return Category(bisect_left(_last_of_categories(), strength))


@cache
def categories() -> NDArray[np.int64]:
    """Return the category of every strength, int64 of shape (7463,), read-only; 0, no hand, is a high card."""
    return frozen(np.searchsorted(_last_of_categories(), np.arange(STRENGTH_COUNT + 1)))


def best_five(cards: Sequence[int]) -> tuple[Card, ...]:
    """Return the five of 5, 6 or 7 cards that make the hand, pairs before kickers and high before low.

    Raises
    ------
    StrengthError
        As `strength`.

    Examples
    --------
    >>> from engine.cards import format_cards, parse_cards
    >>> format_cards(best_five(parse_cards("7c Kd 2s 7h Ks Ad 7s")))
    '7s7h7cKsKd'
    """
    _check(cards, 5)
    category, ranks = _value_of(cards)
    left = sorted(cards, reverse=True)
    if category in (Category.FLUSH, Category.STRAIGHT_FLUSH):
        suit = _flush_suit(cards)
        left = [card for card in left if suit_of(card) == suit]
    chosen = []
    for rank in ranks:
        card = next(card for card in left if rank_of(card) == rank)
        left.remove(card)
        chosen.append(Card(card))
    return tuple(chosen)


def describe(hole_cards: Sequence[int], board: Sequence[int] = (), others: Iterable[Sequence[int]] = ()) -> str:
    """Return what 2 hole cards make of a board of 0, 3, 4 or 5 cards, in a player's words.

    Beside `others`, hole cards shown on this board, as many ranks are named as tell it apart from theirs.

    Raises
    ------
    StrengthError
        If the numbers of cards are others, or one is no card or stands twice.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> describe(parse_cards("Kh 7s"), parse_cards("Kd 7c Ah 2s"))
    'two pair, kings and sevens, ace kicker'
    >>> describe(parse_cards("7d 6h"), parse_cards("9c 2h Kd 8c 9s"), [parse_cards("5c 3c")])
    'a pair of nines, K-8-7 kicker'
    """
    _check_table(hole_cards, board)
    if not board:
        high, low = sorted((rank_of(card) for card in hole_cards), reverse=True)
        if high == low:
            return f"pocket {_plural(high)}"
        suited = "suited" if suit_of(hole_cards[0]) == suit_of(hole_cards[1]) else "offsuit"
        return f"{_NAMES[high]}-{_NAMES[low]} {suited}"
    value = _value_of([*hole_cards, *board])
    depth = 0
    for other in others:
        theirs = _value_of([*other, *board])
        if theirs != value and _words(theirs, other) == _words(value, hole_cards):
            first = next(at for at, (own, one) in enumerate(zip(value[1], theirs[1], strict=True)) if own != one)
            depth = max(depth, first + 1)
    words = _words(value, hole_cards, depth)
    plays_the_board = len(board) == 5 and _value_of(board) == value
    return f"{words}, on the board" if plays_the_board else words


def draws(hole_cards: Sequence[int], board: Sequence[int]) -> tuple[Draw, ...]:
    """Return what hole cards may still become on a flop or a turn.

    Parameters
    ----------
    hole_cards : sequence of two Card
    board : sequence of 0, 3, 4 or 5 Card

    Returns
    -------
    tuple of Draw
        None before the flop and on the river, and none that would not improve the hand. A flush or straight draw
        counts only if a hole card is part of it. Four cards in a row that can grow at one end only (A-2-3-4,
        J-Q-K-A) are a gutshot: four cards make them, not eight. Two overcards are both higher than the board.

    Raises
    ------
    StrengthError
        As `describe`.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> [draw.value for draw in draws(parse_cards("Jh Th"), parse_cards("9h 8c 2h"))]
    ['flush draw', 'open-ended straight draw', 'two overcards']
    """
    _check_table(hole_cards, board)
    if len(board) not in (3, 4):
        return ()
    category, _ = _value_of([*hole_cards, *board])
    found = []
    if category < Category.FLUSH and _has_flush_draw(hole_cards, board):
        found.append(Draw.FLUSH)
    if category < Category.STRAIGHT:
        straight_draw = _straight_draw(hole_cards, board)
        found += [straight_draw] if straight_draw is not None else []
        low, high = sorted(rank_of(card) for card in hole_cards)
        if max(rank_of(card) for card in board) < low < high:
            found.append(Draw.OVERCARDS)
    return tuple(found)


def _check(cards: Sequence[int], fewest: int) -> None:
    check_sequence(cards, "Cards", StrengthError)
    if not fewest <= len(cards) <= 7:
        raise StrengthError(f"A strength needs {fewest} to 7 cards, not {len(cards)}.")
    for i, card in enumerate(cards):
        if not is_whole(card) or not 0 <= card < CARD_COUNT:
            raise StrengthError(f"{card} is no card: cards are whole numbers from 0 to {CARD_COUNT - 1}.")
        if card in cards[:i]:
            raise StrengthError(f"The card {format_card(card)} stands there twice.")


def _check_table(hole_cards: Sequence[int], board: Sequence[int]) -> None:
    check_sequence(hole_cards, "Cards", StrengthError)
    check_sequence(board, "Cards", StrengthError)
    if len(hole_cards) != 2:
        raise StrengthError(f"There are two hole cards, not {len(hole_cards)}.")
    if len(board) not in (0, 3, 4, 5):
        raise StrengthError(f"A board has 0, 3, 4 or 5 cards, not {len(board)}.")
    _check([*hole_cards, *board], 2)


def _flush_suit(cards: Sequence[int]) -> int | None:
    suits = [suit_of(card) for card in cards]
    return next((suit for suit in range(4) if suits.count(suit) >= 5), None)


def _straight(ranks: set[int]) -> tuple[int, ...] | None:
    """Return the highest straight that a set of ranks holds."""
    return next((straight for straight in _STRAIGHTS if ranks.issuperset(straight)), None)


def _value_of(cards: Sequence[int]) -> _Value:
    """Return category and ranks of the best five of 5 to 7 cards; values compare as hands do."""
    suit = _flush_suit(cards)
    if suit is not None:
        suited = sorted((rank_of(card) for card in cards if suit_of(card) == suit), reverse=True)
        straight = _straight(set(suited))
        if straight is not None:
            return Category.STRAIGHT_FLUSH, straight
        return Category.FLUSH, tuple(suited[:5])  # quads and full houses leave no room for a flush in seven cards

    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    times = {rank: ranks.count(rank) for rank in ranks}
    by_weight = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    first = by_weight[0]
    if times[first] == 4:
        return Category.FOUR_OF_A_KIND, _fill([first] * 4, ranks)
    pair = next((rank for rank in by_weight[1:] if times[rank] >= 2), None)
    if times[first] == 3 and pair is not None:
        return Category.FULL_HOUSE, (first, first, first, pair, pair)
    straight = _straight(set(ranks))
    if straight is not None:
        return Category.STRAIGHT, straight
    if times[first] == 3:
        return Category.THREE_OF_A_KIND, _fill([first] * 3, ranks)
    if pair is not None:
        return Category.TWO_PAIR, _fill([first, first, pair, pair], ranks)
    if times[first] == 2:
        return Category.PAIR, _fill([first] * 2, ranks)
    return Category.HIGH_CARD, tuple(ranks[:5])


def _fill(made: list[int], ranks: list[int]) -> tuple[int, ...]:
    """Add the highest other ranks as kickers."""
    kickers = [rank for rank in ranks if rank not in made]
    return tuple(made + kickers[: 5 - len(made)])


def _all_values() -> Iterator[_Value]:
    """Return the 7462 values in no order."""
    for ranks in combinations(range(12, -1, -1), 5):
        if set(ranks) not in map(set, _STRAIGHTS):
            yield Category.HIGH_CARD, ranks
            yield Category.FLUSH, ranks
    for straight in _STRAIGHTS:
        yield Category.STRAIGHT, straight
        yield Category.STRAIGHT_FLUSH, straight
    for rank in range(13):
        others = [other for other in range(12, -1, -1) if other != rank]
        yield from ((Category.PAIR, (rank, rank, *kickers)) for kickers in combinations(others, 3))
        yield from ((Category.THREE_OF_A_KIND, (rank,) * 3 + kickers) for kickers in combinations(others, 2))
    for first, second in permutations(range(13), 2):
        yield Category.FULL_HOUSE, (first,) * 3 + (second,) * 2
        yield Category.FOUR_OF_A_KIND, (first,) * 4 + (second,)
    for high, low in combinations(range(12, -1, -1), 2):
        kickers_left = set(range(13)) - {high, low}
        yield from ((Category.TWO_PAIR, (high, high, low, low, kicker)) for kicker in kickers_left)


@cache
def _strength_of_values() -> dict[_Value, int]:
    return {value: number for number, value in enumerate(sorted(_all_values()), start=1)}


@cache
def _last_of_categories() -> tuple[int, ...]:
    """Return the highest strength of each category."""
    last = {category: number for (category, _), number in _strength_of_values().items()}
    return tuple(last[category] for category in Category)


def _plural(rank: int) -> str:
    return _NAMES[rank] + ("es" if _NAMES[rank].endswith("x") else "s")


def _words(value: _Value, hole_cards: Sequence[int], depth: int = 0) -> str:
    """Name a hand, and so many of its ranks where its first kicker or its height alone would not do."""
    category, ranks = value
    first, last = _NAMES[ranks[0]], _NAMES[ranks[-1]]
    many = _plural(ranks[0])
    match category:
        case Category.HIGH_CARD:
            return f"{_ranks(ranks[:depth]) or first} high"
        case Category.PAIR:
            return f"a pair of {many}, {_ranks(ranks[2:depth]) or _NAMES[ranks[2]]} kicker"
        case Category.TWO_PAIR:
            return f"two pair, {many} and {_plural(ranks[2])}, {last} kicker"
        case Category.THREE_OF_A_KIND:
            held = [rank_of(card) for card in hole_cards].count(ranks[0])
            name = {2: f"a set of {many}", 1: f"trip {many}", 0: f"three {many}"}[held]
            return f"{name}, {_ranks(ranks[3:depth]) or _NAMES[ranks[3]]} kicker"
        case Category.STRAIGHT:
            return f"a straight, {first} high"
        case Category.FLUSH:
            return f"a flush, {_ranks(ranks[:depth]) or first} high"
        case Category.FULL_HOUSE:
            return f"a full house, {many} full of {_plural(ranks[3])}"
        case Category.FOUR_OF_A_KIND:
            return f"four {many}, {last} kicker"
        case Category.STRAIGHT_FLUSH:
            return "a royal flush" if ranks[0] == 12 else f"a straight flush, {first} high"


def _ranks(ranks: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _has_flush_draw(hole_cards: Sequence[int], board: Sequence[int]) -> bool:
    suits = [suit_of(card) for card in (*hole_cards, *board)]
    return any(suits.count(suit_of(card)) == 4 for card in hole_cards)


def _straight_draw(hole_cards: Sequence[int], board: Sequence[int]) -> Draw | None:
    """Name the straight draw by the ranks that would make a straight of which a hole card is part."""
    on_board = {rank_of(card) for card in board}
    held = on_board | {rank_of(card) for card in hole_cards}
    made = {rank: _straight(held | {rank}) for rank in set(range(13)) - held}
    makers = {rank for rank, straight in made.items() if straight and not {*straight} <= on_board | {rank}}
    if not makers:
        return None
    if len(makers) == 1:
        return Draw.GUTSHOT
    # The lower end of 2-3-4-5 is the ace.
    is_open = any((high - 5) % 13 in makers and held.issuperset(range(high - 4, high)) for high in makers)
    return Draw.OPEN_ENDED if is_open else Draw.DOUBLE_GUTSHOT
