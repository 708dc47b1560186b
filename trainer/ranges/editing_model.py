"""A range being edited: what can be done to it, with undo, and how it is put in words."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

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
from engine.ranges import ClassCells, Range, RangeTextError, best_bounds, format_range, parse_range, top_range
from engine.words import counted
from trainer.undo_model import Change, undo_stack_of

EMPTY: Final = Range(np.zeros(COMBO_COUNT, dtype=np.float32))
EVERYTHING: Final = Range(np.ones(COMBO_COUNT, dtype=np.float32))
ALL_SUITS: Final = frozenset(range(len(SUIT_SYMBOLS)))
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")

_LISTED = 3  # weights of one class that a description names


def with_weight(hands: Range, combos: Iterable[int], weight: float) -> Range:
    """Return the range with this weight for some combos."""
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
    """Return every combo the rest of its weight up to 1; no weight becomes full weight.

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
    """Return all combos of each hand class their mean weight.

    >>> from engine.ranges import format_range, parse_range
    >>> format_range(same_for_all_suits(parse_range("AhKh,QQ")))
    'QQ,AKs:0.25'
    """
    totals = np.bincount(COMBO_CLASS, weights=hands.weights)
    return Range((totals / np.bincount(COMBO_CLASS))[COMBO_CLASS].astype(np.float32))


def united(hands: Range, others: Range, weight: float) -> Range:
    """Return the combos that another range holds this weight."""
    return with_weight(hands, np.flatnonzero(others.weights), weight)


def best_between(low: float, high: float, opponents: int) -> Range:
    """Return the best hands up to one part of all combos, without the best up to another; see `top_range`.

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
    return f"{shown} combo{'' if shown == '1' else 's'} · {hands.fraction:.1%}{suffix}"


def _suited_name(combo: int) -> str:
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
    """Return all that a range holds of a hand class: `AKs: 3 combos, 1 blocked, weight 75%`, and how by suit.

    `live` marks the combos that are not blocked, bool of shape (1326,).
    """
    members = combos_of_class(HandClass(hand_class))
    combos = [combo for combo in members if live[combo]]
    blocked = f", {len(members) - len(combos)} blocked" if len(combos) < len(members) else ""
    text = f"{class_name(hand_class)}: {counted(len(combos), 'combo')}{blocked}"
    text += f", weight {percent_text(float(cells.mean[hand_class]))}"
    values = sorted(set(hands.weights[combos].tolist()), reverse=True)
    if len(values) < 2:
        return text
    parts = [
        f"{' '.join(_suited_name(combo) for combo in combos[::-1] if hands.weights[combo] == np.float32(value))} "
        f"{percent_text(value)}"
        for value in values[:_LISTED]
        if value
    ]
    return f"{text}; {', '.join(parts)}{', …' if len(values) > _LISTED else ''}"


def describe_combo(combo: int, weight: float, *, is_blocked: bool) -> str:
    """Say what a range holds of a combo: `A♥K♥: weight 50%, blocked`."""
    return f"{_suited_name(combo)}: weight {percent_text(weight)}{', blocked' if is_blocked else ''}"


class SuitCell(NamedTuple):
    """A combo's place in the 4x4 grid of its class: suit of its first card, and of its second."""

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


class RangeEditing(QObject):
    """A range as weights, as text and as the best x percent of all hands, all three in step.

    `error` leaves the range as it was. `low` and `high` are percent of all hands, 0 and its part for another range.
    The best hands are the best against `ranking` random hands, 1 to 9; the brush paints a weight 0-1 on `suits`.
    """

    changed = Signal()
    range_changed = Signal(object)  # Range
    ranking_changed = Signal(int)

    def __init__(self, ranking: int = 1) -> None:
        super().__init__()
        self.hands = EMPTY
        self.dead: tuple[Card, ...] = ()
        self.text = ""
        self.error: RangeTextError | None = None
        self.low = self.high = 0.0
        self.ranking = ranking
        self.brush = 1.0
        self.suits = ALL_SUITS
        self.undo_stack = undo_stack_of(self)
        self._before_stroke: Range | None = None
        self._is_typing = self._is_sliding = False

    @property
    def best(self) -> Range:
        """The best hands from `low` to `high`."""
        return best_between(self.low / 100, self.high / 100, self.ranking)

    def open(self, hands: Range, dead: Sequence[Card]) -> None:
        """Begin with a range, forgetting the steps of the one before."""
        self.undo_stack.clear()
        self.hands, self.dead = hands, tuple(dead)
        self._follow()

    def apply(self, hands: Range) -> None:
        """Put a range in force; the undo stack's way in."""
        if hands != self.hands:
            self.follow_range(hands)
            self.range_changed.emit(hands)

    def follow_range(self, hands: Range) -> None:
        """Take what became of the range elsewhere; no step, and not emitted as a change of the range."""
        self.hands = hands
        self._follow()

    def follow_ranking(self, ranking: int) -> None:
        """Take a ranking chosen elsewhere; the range stays."""
        if ranking != self.ranking:
            self.ranking = ranking
            self._follow()

    def _follow(self) -> None:
        """Write the range out, unless it was typed, and as best hands, unless it was slid."""
        if not self._is_typing:
            self.text, self.error = format_range(self.hands), None
        if not self._is_sliding and self.best != self.hands:
            self._set_best(0.0, 100 * self.hands.fraction)
            bounds = best_bounds(self.hands, opponents=self.ranking)
            if bounds is not None and self.best != self.hands:
                self._set_best(*bounds)
        self.changed.emit()

    def _set_best(self, low: float, high: float) -> None:
        self.low, self.high = round(low, 1), round(high, 1)

    def change(self, text: str, after: Range, key: Hashable = None) -> None:
        """Make a change as a step of its own, or as a part of the one before with the same key."""
        if after != self.hands:
            self.undo_stack.push(Change(self, text, self.hands, after, key))

    # ---- painting

    def paint(self, hands: Range) -> None:
        """Take the range after one more cell of a stroke; the whole stroke is one step."""
        if self._before_stroke is None:
            self._before_stroke = self.hands
        self.apply(hands)

    def end_stroke(self) -> None:
        """Make what was painted a step."""
        before, self._before_stroke = self._before_stroke, None
        if before is not None and before != self.hands:
            self.undo_stack.push(Change(self, "paint", before, self.hands))

    def set_brush(self, weight: float) -> None:
        """Paint with another weight, 0-1."""
        self.brush = weight
        self.changed.emit()

    def set_suits(self, suits: Iterable[int]) -> None:
        """Paint only combos of these suits, or of all if there are none: such a brush would paint nothing."""
        self.suits = frozenset(suits) or ALL_SUITS
        self.changed.emit()

    # ---- text and best hands

    def type(self, text: str) -> None:
        """Take what was typed; what cannot be read leaves the range as it was."""
        self.text = text
        try:
            hands = parse_range(text, opponents=self.ranking)
        except RangeTextError as error:
            self.error = error
        else:
            self.error = None
            self._change_as_typed("type", hands, "type")
        self.changed.emit()

    def _change_as_typed(self, text: str, hands: Range, key: Hashable = None) -> None:
        """Take what the text says, leaving the text as it is."""
        self._is_typing = True
        self.change(text, hands, key)
        self._is_typing = False

    def slide_low(self, percent: float) -> None:
        """Take the best hands from so many percent of all."""
        self._slide(percent, max(self.high, percent))

    def slide_high(self, percent: float) -> None:
        """Take the best hands up to so many percent of all."""
        self._slide(min(self.low, percent), percent)

    def _slide(self, low: float, high: float) -> None:
        self._set_best(low, high)
        self._take_best("best hands", "slide")
        self.changed.emit()

    def _take_best(self, text: str, key: Hashable = None) -> None:
        self._is_sliding = True
        self.change(text, self.best, key)
        self._is_sliding = False

    def choose_ranking(self, ranking: int) -> None:
        """Order hands otherwise: best hands, and percentages in the text, become those of the new order."""
        if ranking == self.ranking:
            return
        before, is_best = self.ranking, self.best == self.hands
        self.ranking = ranking
        try:
            is_as_typed = parse_range(self.text, opponents=before) == self.hands
            typed = parse_range(self.text, opponents=ranking)
        except RangeTextError:
            is_as_typed, typed = False, self.hands
        self.ranking_changed.emit(ranking)  # first, so that who gets the range knows how to read its text
        if is_as_typed and typed != self.hands:
            self._change_as_typed("another order", typed)
        elif is_best:
            self._take_best("another order")
        self.changed.emit()

    # ---- the whole range

    def add(self, text: str) -> None:
        """Add the hands of a text with the brush's weight and suits."""
        self.change("add hands", united(self.hands, only_suits(parse_range(text), self.suits), self.brush))

    def change_all(self, text: str, change: Callable[[Range], Range]) -> None:
        """Change the whole range by a function."""
        self.change(text, change(self.hands))

    def remove_blocked(self) -> None:
        """Take out the combos that hold a dead card."""
        self.change("remove blocked combos", self.hands.without(self.dead))

    def keep_suits(self) -> None:
        """Take out the combos of other suits than the brush's."""
        self.change("keep suits", only_suits(self.hands, self.suits))
