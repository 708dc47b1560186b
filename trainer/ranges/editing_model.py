"""What a range editor does to a range, as functions, and how it puts the result in words. No Qt."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_COUNT,
    SUIT_SYMBOLS,
    Card,
    Combo,
    HandClass,
    class_name,
    combos_of_class,
    format_combo,
    suit_of,
    unblocked,
)
from engine.ranges import ClassCells, Range, top_range

EMPTY: Final = Range(np.zeros(COMBO_COUNT, dtype=np.float32))
EVERYTHING: Final = Range(np.ones(COMBO_COUNT, dtype=np.float32))
ALL_SUITS: Final = frozenset(range(len(SUIT_SYMBOLS)))
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")

_LISTED = 3  # weights of one class that a description names


def with_weight(hands: Range, combos: Iterable[int], weight: float) -> Range:
    """Give the range with this weight for some combos."""
    chosen = list(combos)
    if not chosen:
        return hands
    weights = hands.weights.copy()
    weights[chosen] = weight
    return Range(weights)


def stepped(hands: Range, combos: Iterable[int], steps: int, step: float) -> Range:
    """Move the weights of some combos up or down to a multiple of `step`, within 0 and 1.

    >>> from engine.ranges import format_range, parse_range
    >>> format_range(stepped(parse_range("AA:0.33"), combos_of_class(HandClass(0)), 1, 0.05))
    'AA:0.35'
    """
    chosen = list(combos)
    if not chosen or not steps:
        return hands
    weights = hands.weights.copy()
    marks = weights[chosen].astype(np.float64) / step
    # A weight that is a multiple but for its rounding to float32 moves by a whole step.
    base = np.floor(marks + 1e-4) if steps > 0 else np.ceil(marks - 1e-4)
    weights[chosen] = np.clip((base + steps) * step, 0, 1)
    return Range(weights)


def in_suits(combos: Iterable[int], suits: Iterable[int]) -> tuple[Combo, ...]:
    """Keep the combos whose both cards are of the given suits."""
    chosen = set(suits)
    return tuple(
        Combo(combo) for combo in combos if all(suit_of(int(card)) in chosen for card in COMBO_CARDS[combo])
    )


def only_suits(hands: Range, suits: Iterable[int]) -> Range:
    """Take out all combos with a card of another suit.

    >>> from engine.ranges import format_range, parse_range
    >>> format_range(only_suits(parse_range("AKs,QQ"), (2, 3)))
    'AsKs,AhKh,QsQh'
    """
    chosen = np.isin(COMBO_CARDS & 3, list(suits)).all(axis=1)
    return Range(np.where(chosen, hands.weights, np.float32(0)))


def inverted(hands: Range) -> Range:
    """Give every combo the rest of its weight up to 1; no weight becomes full weight.

    >>> from engine.ranges import format_range, parse_range
    >>> format_range(inverted(parse_range("random:0.3")))
    'random:0.7'
    """
    # Rounded, since 1 less the float32 nearest to 0.3 is not the one nearest to 0.7.
    return Range(np.round(1 - hands.weights.astype(np.float64), 6).astype(np.float32))


def scaled_up(hands: Range) -> Range:
    """Scale all weights so that the largest is 1; the empty range stays empty."""
    largest = float(hands.weights.max())
    return hands if largest in (0.0, 1.0) else Range(np.minimum(hands.weights / np.float32(largest), np.float32(1)))


def same_for_all_suits(hands: Range) -> Range:
    """Give all combos of each hand class their mean weight.

    >>> from engine.ranges import format_range, parse_range
    >>> format_range(same_for_all_suits(parse_range("AhKh,QQ")))
    'QQ,AKs:0.25'
    """
    totals = np.bincount(COMBO_CLASS, weights=hands.weights)
    return Range((totals / np.bincount(COMBO_CLASS))[COMBO_CLASS].astype(np.float32))


def united(hands: Range, others: Range, weight: float) -> Range:
    """Give the combos that another range holds this weight."""
    return with_weight(hands, np.flatnonzero(others.weights), weight)


def best_between(low: float, high: float, opponents: int) -> Range:
    """Give the best hands up to one part of all combos, without the best up to another; see `top_range`.

    >>> from engine.ranges import parse_range
    >>> best_between(0.05, 0.1, 1) == parse_range("5%-10%")
    True
    """
    inside = top_range(max(low, high), opponents).weights > top_range(min(low, high), opponents).weights
    return Range(inside.astype(np.float32))


def count_text(hands: Range, dead: Sequence[Card] = ()) -> str:
    """Say how many combos a range has and what part of all: `26 combos · 2.0%`, `· 3 blocked` at the end."""
    combos = hands.combo_count
    shown = f"{combos:,.0f}" if abs(combos - round(combos)) < 1e-6 else f"{combos:,.1f}"
    blocked = int(np.count_nonzero(hands.weights[~unblocked(dead)])) if dead else 0
    suffix = f" · {blocked:,} blocked" if blocked else ""
    return f"{shown} combo{'' if shown == '1' else 's'} · {100 * hands.fraction:.1f}%{suffix}"


def suited_name(combo: int) -> str:
    """Write a combo with symbols for its suits: `A♥K♥`."""
    text = format_combo(combo)
    return "".join(SUIT_SYMBOLS["cdhs".index(letter)] if letter in "cdhs" else letter for letter in text)


def percent_text(weight: float) -> str:
    """Write a weight as percent, short but never as 0 or 100 where it is not."""
    percent = 100 * float(weight)
    for decimals in (0, 1, 2):
        text = f"{percent:.{decimals}f}"
        if float(text) not in (0.0, 100.0) or float(text) == percent:
            return f"{text.rstrip('0').rstrip('.') if decimals else text}%"
    return "under 0.01%" if percent < 50 else "over 99.99%"


def describe_class(hand_class: int, hands: Range, cells: ClassCells, live: NDArray[np.bool_]) -> str:
    """Say all that a range holds of a hand class: `AKs: 3 combos, 1 blocked, weight 75%`, and how by suit.

    Parameters
    ----------
    hand_class : int
    hands : Range
    cells : ClassCells
        Of the range's weights.
    live : ndarray of bool, shape (1326,)
        Which combos are not blocked.
    """
    members = combos_of_class(HandClass(hand_class))
    combos = [combo for combo in members if live[combo]]
    blocked = f", {len(members) - len(combos)} blocked" if len(combos) < len(members) else ""
    text = f"{class_name(hand_class)}: {len(combos)} combo{'' if len(combos) == 1 else 's'}{blocked}"
    text += f", weight {percent_text(float(cells.mean[hand_class]))}"
    values = sorted(set(hands.weights[combos].tolist()), reverse=True)
    if len(values) < 2:
        return text
    parts = [
        f"{' '.join(suited_name(combo) for combo in combos[::-1] if hands.weights[combo] == np.float32(value))} "
        f"{percent_text(value)}"
        for value in values[:_LISTED]
        if value
    ]
    return f"{text}; {', '.join(parts)}{', …' if len(values) > _LISTED else ''}"


def describe_combo(combo: int, weight: float, *, is_blocked: bool) -> str:
    """Say what a range holds of a combo: `A♥K♥: weight 50%, blocked`."""
    return f"{suited_name(combo)}: weight {percent_text(weight)}{', blocked' if is_blocked else ''}"


class SuitCell(NamedTuple):
    """A combo's place in the 4x4 picture of its class: suit of its first card, and of its second."""

    row: int
    column: int
    combo: Combo


def suit_cells(hand_class: int) -> tuple[SuitCell, ...]:
    """Place the combos of a class by the suits of their cards, spades first; pairs in the upper half.

    >>> [format_combo(cell.combo) for cell in suit_cells(1)]
    ['AsKs', 'AhKh', 'AdKd', 'AcKc']
    """
    cells = []
    for combo in combos_of_class(HandClass(hand_class)):
        first, second = (int(card) for card in COMBO_CARDS[combo])  # the higher card first
        cells.append(SuitCell(3 - suit_of(first), 3 - suit_of(second), combo))
    return tuple(sorted(cells))
