"""Ranges: a weight for each of the 1326 combos, in text and out, and the 13x13 view of one.

The text is a list of items, separated by commas, semicolons or spaces, in either case:

======================  =============================================================================
`AA` `AKs` `AKo`        a hand class; `AK` is suited and offsuit
`22+`                   this pair and all higher ones
`A2s+`, `T9s+`          the first rank stays, the second rises to just below it: `A2s+` is A2s to AKs, and
                        `T9s+` is T9s alone (some tools raise both ranks instead, to JTs, QJs, ...)
`QQ-88`                 pairs from one to the other, in either order
`A9s-A6s`               the same first rank, the second from one to the other
`T9s-65s`               the same gap, both ranks from one to the other
`AhKh`, `Ah Kh`         one combo; suits may be symbols
`15%`, `5%-10%`         the best hands, or those after the best 5% up to 10%; of the 1326 combos, in whole
                        classes, by equity against one random hand, or as many as the reader is given:
                        see `top_range`
`random`, `any two`     every combo; `any` and `100%` are the same
`AA:0.5`                any item with a weight from 0 to 1
`[50]AA,KK[/50]`        a weight in percent for all items between
======================  =============================================================================

Where items overlap, the later one decides. Empty text is the empty range. Lists of tools that write `:` for
something else are refused: only a number may follow it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr
from numpy.typing import NDArray

from engine.cards import (
    CLASS_COUNT,
    COMBO_CLASS,
    COMBO_COUNT,
    MOST_OPPONENTS,
    RANKS,
    Combo,
    HandClass,
    class_name,
    combo_of,
    combos_of_class,
    format_combo,
    is_whole,
    parse_cards,
    unblocked,
)
from engine.codec import Vector, frozen_vector
from engine.foreign_text import shortened


class RangeError(ValueError):
    """Weights that make no range; the message says why."""


class RangeTextError(RangeError):
    """Text that is no range: `length` characters are at fault from index `position` on."""

    def __init__(self, message: str, position: int, length: int = 1) -> None:
        super().__init__(message)
        self.position = position
        self.length = length


class Range(Struct, frozen=True, eq=False):
    """A weight for each combo: how often a player plays it this way, so AA and 72o may both have weight 1.

    Two ranges are equal if all their weights are.

    Attributes
    ----------
    weights : ndarray of float32, shape (1326,), read-only
        Numbers in [0, 1], by combo number (`engine.cards.combo_of`). Any array of numbers may be given; it is
        copied.

    Raises
    ------
    RangeError
        If there are not 1326 numbers, or one of them is no number from 0 to 1.

    Examples
    --------
    >>> parse_range("AA, KK:0.5").combo_count
    9.0
    """

    weights: Vector

    def __post_init__(self) -> None:
        values = np.asarray(self.weights)
        if values.shape != (COMBO_COUNT,):
            raise RangeError(f"A range has {COMBO_COUNT} weights, not an array of shape {values.shape}.")
        if values.dtype.kind not in "fiub":
            raise RangeError(f"A range has numbers as weights, not {values.dtype}.")
        is_good = (values >= 0) & (values <= 1)
        if not is_good.all():
            combo = int(np.argmin(is_good))
            raise RangeError(f"The weight {values[combo]} of {format_combo(combo)} is no number from 0 to 1.")
        # Adding 0 makes -0.0 into 0.0, so that equal ranges have equal bytes and so equal hashes.
        force_setattr(self, "weights", frozen_vector(values.astype(np.float32) + np.float32(0)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)  # that of Struct would compare identities

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    @property
    def combo_count(self) -> float:
        """The sum of all weights, 0 to 1326."""
        return float(self.weights.sum(dtype=np.float64))

    @property
    def fraction(self) -> float:
        """The part of all 1326 combos that the range holds, 0 to 1."""
        return self.combo_count / COMBO_COUNT

    @property
    def is_empty(self) -> bool:
        """Whether no combo has any weight."""
        return not self.weights.any()

    def without(self, dead: Iterable[int]) -> "Range":
        """Return the range with weight 0 for every combo that holds one of the dead cards."""
        return Range(self.weights * unblocked(dead))


class ClassCells(NamedTuple):
    """What each cell of the 13x13 grid shows of 1326 numbers, by hand class.

    Attributes
    ----------
    mean : ndarray of float32, shape (169,)
        Mean number of the class's unblocked combos; 0 if all are blocked. This is what a heatmap shows: the
        sum would let twelve offsuit combos outshine four suited ones.
    total : ndarray of float32, shape (169,)
        Sum of the numbers of its unblocked combos.
    unblocked : ndarray of uint8, shape (169,)
        How many of its 4, 6 or 12 combos hold no dead card.
    """

    mean: Vector
    total: Vector
    unblocked: NDArray[np.uint8]


def class_cells(weights: NDArray[Any], dead: Iterable[int] = ()) -> ClassCells:
    """Gather 1326 weights or probabilities into the 169 hand classes; blocked combos do not count.

    Raises
    ------
    RangeError
        If there are not 1326 numbers.

    Examples
    --------
    >>> cells = class_cells(parse_range("AKs").weights, parse_cards("Ks"))
    >>> int(cells.unblocked[1]), float(cells.total[1]), float(cells.mean[1])
    (3, 3.0, 1.0)
    """
    numbers = np.asarray(weights)
    if numbers.shape != (COMBO_COUNT,) or numbers.dtype.kind not in "fiub":
        raise RangeError(
            f"There are {COMBO_COUNT} numbers to gather, one for each combo, not {numbers.dtype} of shape "
            f"{numbers.shape}."
        )
    live = unblocked(dead)
    classes = COMBO_CLASS[live]
    counts = np.bincount(classes, minlength=CLASS_COUNT)
    totals = np.bincount(classes, weights=numbers[live], minlength=CLASS_COUNT)
    return ClassCells(
        mean=frozen_vector(totals / np.maximum(counts, 1)),
        total=frozen_vector(totals),
        unblocked=counts.astype(np.uint8),
    )


def top_range(fraction: float, opponents: int = 1) -> Range:
    """Return the best hand classes, whole ones, that hold at least this part, 0 to 1, of the 1326 combos.

    Best means: of highest equity before the flop against this many random hands (`engine.preflop.class_ranking`),
    exact against one, sampled against more.

    Raises
    ------
    RangeError
        If `fraction` is not from 0 to 1 or there are not 1 to 9 opponents.

    Examples
    --------
    >>> format_range(top_range(0.05)), format_range(top_range(0.05, opponents=6))
    ('77+,AJs+,AKo', 'TT+,ATs+,AKo,KJs+,QJs')
    """
    if not isinstance(fraction, int | float | np.number) or not 0 <= fraction <= 1:
        raise RangeError(f"The part {fraction} of all hands is not from 0 to 1.")
    ranks = _ranks_of_classes(_checked_opponents(opponents))
    # A class is in while the better ones hold too few; the margin keeps 100 * (6 / 1326) % at AA alone.
    return Range(frozen_vector(ranks[COMBO_CLASS] < fraction * COMBO_COUNT - 1e-9))


def _checked_opponents(opponents: int) -> int:
    if not is_whole(opponents) or not 1 <= opponents <= MOST_OPPONENTS:
        raise RangeError(f"Hands are ranked against 1 to {MOST_OPPONENTS} random hands, not {opponents!r}.")
    return int(opponents)


@cache
def _ranks_of_classes(opponents: int) -> NDArray[np.int64]:
    """How many combos stand before each class in the order of strength: shape (169,)."""
    from engine.preflop import class_ranking

    before = np.zeros(CLASS_COUNT, dtype=np.int64)
    count = 0
    for hand_class in class_ranking(opponents):
        before[hand_class] = count
        count += len(combos_of_class(HandClass(int(hand_class))))
    return before


# ---- reading -------------------------------------------------------------------------------------------

# Both cases are spelt out, since IGNORECASE also takes the Kelvin sign for a k and a long s for an s; and the
# digits and blanks are possessive (`++`), since a long run of them would otherwise be tried at every length.
_RANK = "(?:10|[2-9tjqkaTJQKA])"
_SUIT = "[cdhsCDHS♣♦♥♠]"
_DASH = r"\s*[-–]\s*"
_NUMBER = r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"

_SEPARATORS = re.compile(r"[\s,;]*")
_END_OF_WORD = re.compile(r"[\s,;\[]|\Z")
_OPENING = re.compile(rf"\[\s*+({_NUMBER})\s*+(?:%\s*+)?\]")
_CLOSING = re.compile(rf"\[\s*+/\s*+({_NUMBER})?\s*+(?:%\s*+)?\]")
_PERCENT = re.compile(rf"({_NUMBER})(?:%?{_DASH}({_NUMBER}))?%")
_EVERYTHING = re.compile(r"(?i:random|any(?:\s*two)?)\b")
_COMBO = re.compile(rf"{_RANK}{_SUIT}\s*{_RANK}{_SUIT}")
_SINGLE_CARD = re.compile(rf"{_RANK}{_SUIT}")
_CLASSES = re.compile(rf"({_RANK})({_RANK})([soSO]?)(?:(\+)|{_DASH}({_RANK})({_RANK})([soSO]?))?(?![^\s,;:\[])")
_WEIGHT = re.compile(rf"\s*:\s*({_NUMBER}(?![^\s,;\[]))?")
_WORD = re.compile(r"[^\s,;:\[]+|[:\[][^\s,;\[]*")
_LONGEST_SHOWN: Final = 40  # characters of a wrong word in a message
LONGEST_TEXT: Final = 50_000
"""Characters of a range; a weight of many digits for each of the 1326 combos takes 25,000."""


def parse_range(text: str, *, opponents: int = 1) -> Range:
    """Read a range from text; the module's docstring shows what may be written.

    `15%` takes the best hands by equity against so many random hands, 1 to 9.

    Raises
    ------
    RangeTextError
        If a part of the text is no item; it says which and where.
    RangeError
        If there are not 1 to 9 opponents.

    Examples
    --------
    >>> parse_range("22+, A2s+, KTo, AhKd:0.5").combo_count
    138.5
    """
    return _RangeReader(text, _checked_opponents(opponents)).read()


class _RangeReader:
    """Goes through the text from left to right, one item at a time."""

    def __init__(self, text: str, opponents: int) -> None:
        self._text = text
        self._opponents = opponents
        self._at = 0
        self._weights = np.zeros(COMBO_COUNT, dtype=np.float32)
        self._group: re.Match[str] | None = None
        self._items: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Any]], ...] = (
            (_PERCENT, self._combos_of_percent),
            (_EVERYTHING, lambda _: slice(None)),
            (_COMBO, self._combo),
            (_CLASSES, self._combos_of_classes),
        )

    def read(self) -> Range:
        if len(self._text) > LONGEST_TEXT:
            message = f"A range has {LONGEST_TEXT:,} characters at most, and this has {len(self._text):,}."
            raise RangeTextError(message, LONGEST_TEXT, len(self._text) - LONGEST_TEXT)
        while True:
            self._skip(_SEPARATORS)
            if self._at == len(self._text):
                break
            if not self._group_sign():
                self._item()
        if self._group is not None:
            raise self._error("The group {} is never closed.", self._group)
        return Range(self._weights)

    def _skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over what the pattern matches here, if anything."""
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _error(self, message: str, match: re.Match[str], group: int = 0) -> RangeTextError:
        start, end = match.span(group)
        return RangeTextError(message.format(f"'{_shown(match, group)}'"), start, end - start)

    def _group_sign(self) -> bool:
        opening = self._skip(_OPENING)
        if opening is not None:
            if self._group is not None:
                raise self._error("The group {} opens inside another one.", opening)
            if not 0 <= float(opening[1]) <= 100:
                raise self._error("The weight {} of a group is not from 0 to 100 percent.", opening, 1)
            self._group = opening
            return True
        closing = self._skip(_CLOSING)
        if closing is None:
            return False
        if self._group is None:
            raise self._error("{} closes a group that was never opened.", closing)
        if closing[1] is not None and float(closing[1]) != float(self._group[1]):
            raise self._error(f"{{}} closes the group '{_shown(self._group)}'.", closing)
        self._group = None
        return True

    def _item(self) -> None:
        start = self._at
        for pattern, combos_of in self._items:
            match = self._skip(pattern)
            if match is not None:
                combos = combos_of(match)
                self._weights[combos] = self._weight(match)
                break
        else:
            card = self._skip(_SINGLE_CARD)
            if card is not None and not self._word_goes_on():
                raise self._error("The card {} needs a second one beside it.", card)
            self._at = start
            raise self._unknown("is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%")
        if self._word_goes_on():
            raise self._unknown("has no comma or space before it")

    def _word_goes_on(self) -> bool:
        return _END_OF_WORD.match(self._text, self._at) is None

    def _unknown(self, what: str) -> RangeTextError:
        word = _WORD.match(self._text, self._at)
        assert word is not None
        return self._error(f"{{}} {what}.", word)

    def _weight(self, item: re.Match[str]) -> np.float32:
        match = self._skip(_WEIGHT)
        if match is None:
            return np.float32(1.0 if self._group is None else float(self._group[1]) / 100)
        if match[1] is None:
            raise RangeTextError(
                f"A number from 0 to 1, the weight, must follow the colon after '{_shown(item)}'.",
                match.start(),
                match.end() - match.start(),
            )
        if self._group is not None:
            raise self._error(f"The weight {{}} stands inside the group '{_shown(self._group)}'.", match, 1)
        weight = float(match[1])
        if weight > 1:
            raise self._error("The weight {} is more than 1; write 0.5 for a half.", match, 1)
        return np.float32(weight)

    def _combos_of_percent(self, match: re.Match[str]) -> NDArray[np.bool_]:
        bounds = sorted(float(bound) for bound in match.groups() if bound is not None)
        if bounds[-1] > 100:
            raise self._error("{} is more than all hands.", match)
        chosen = top_range(bounds[-1] / 100, self._opponents).weights > 0
        if len(bounds) == 2:
            chosen &= top_range(bounds[0] / 100, self._opponents).weights == 0
        return chosen

    def _combo(self, match: re.Match[str]) -> Combo:
        try:
            return _combo_written(match[0])
        except ValueError:  # the pattern leaves only one thing that can be wrong
            raise self._error("{} is the same card twice.", match) from None

    def _combos_of_classes(self, match: re.Match[str]) -> NDArray[np.bool_]:
        high, low = self._ranks(match, 1)
        suits = match[3].lower()
        if match[4] is not None:
            last = (12, 12) if high == low else (high, high - 1)
        elif match[5] is not None:
            if match[7].lower() != suits:
                raise self._error("The two ends of {} must both be suited, offsuit or neither.", match)
            last = self._ranks(match, 5)
        else:
            last = high, low
        steps = last[0] - high, last[1] - low
        if steps[0] != steps[1] and not (steps[0] == 0 and high != low and last[0] != last[1]):
            raise self._error("The ends of {} share neither a rank nor the gap between their ranks.", match)
        count = max(abs(step) for step in steps)
        directions = [(step > 0) - (step < 0) for step in steps]
        chosen = np.zeros(CLASS_COUNT, dtype=np.bool_)
        for i in range(count + 1):
            _mark_class(chosen, high + i * directions[0], low + i * directions[1], suits)
        return chosen[COMBO_CLASS]

    def _ranks(self, match: re.Match[str], group: int) -> tuple[int, int]:
        """Return the two ranks of the class that begins at this group of the match, the higher first."""
        ranks = [RANKS.index("T" if text == "10" else text.upper()) for text in match.group(group, group + 1)]
        if ranks[0] == ranks[1] and match[group + 2]:
            raise RangeTextError(
                f"A pair such as '{match[group]}{match[group + 1]}' is neither suited nor offsuit.",
                match.start(group + 2),
            )
        return max(ranks), min(ranks)


def _shown(match: re.Match[str], group: int = 0) -> str:
    """Return what was matched as a message may quote it."""
    return shortened(match[group], _LONGEST_SHOWN)


@lru_cache(maxsize=COMBO_COUNT)
def _combo_written(text: str) -> Combo:
    return combo_of(*parse_cards(text))


def _mark_class(chosen: NDArray[np.bool_], high: int, low: int, suits: str) -> None:
    """Mark a pair, or the suited (`s`), offsuit (`o`) or both classes of two ranks."""
    row, column = 12 - high, 12 - low
    if suits != "o":
        chosen[13 * row + column] = True
    if suits != "s":
        chosen[13 * column + row] = True


# ---- writing -------------------------------------------------------------------------------------------


class _Item(NamedTuple):
    """Hands of one weight, as they are written without it."""

    text: str
    weight: float


def format_range(hands: Range, *, opponents: int | None = None) -> str:
    """Write a range as short text that reads back as the very same weights.

    Parameters
    ----------
    opponents : int, optional
        Write the best hands by this ranking as a percentage where that is shorter, `15%`; whoever reads it has to
        know the ranking. Without it no percentages are written.

    Returns
    -------
    str
        Items from the highest weight to the lowest; for each weight pairs, then other classes from aces down,
        then combos. A class whose combos have several weights comes with its commonest one, its other combos
        after it, since the later item decides; so do many hands of one weight with few exceptions. A weight has the
        fewest digits that name its float32 alone. Empty for the empty range.

    Raises
    ------
    RangeError
        If there are not 1 to 9 opponents.

    Examples
    --------
    >>> format_range(parse_range("AA KK QQ AKs AQs AKo AQo 76s:0.25 AhJh"))
    'QQ+,AQ+,AhJh,76s:0.25'
    """
    texts = [_written(hands.weights, 0.0)]
    values, counts = np.unique(hands.weights, return_counts=True)
    commonest = float(values[counts.argmax()])
    if commonest > 0 and counts.max() > COMBO_COUNT // 3:
        texts.append(_written(hands.weights, commonest))
    if opponents is not None:
        texts += _as_percentage(hands, _checked_opponents(opponents))
    return min(texts, key=len)


def _written(weights: Vector, background: float) -> str:
    """Write the weights on top of all hands having one weight; 0 is written as nothing."""
    classes: dict[float, set[int]] = {}
    combos: dict[float, list[str]] = {}  # of classes that are not named themselves
    exceptions: list[tuple[float, str]] = []  # to classes that are
    for hand_class in range(CLASS_COUNT):
        members = combos_of_class(HandClass(hand_class))[::-1]
        values = weights[list(members)].tolist()
        base = values[0]
        if min(values) != max(values):
            base = _base(values, background)
            others = [(w, format_combo(combo)) for combo, w in zip(members, values, strict=True) if w != base]
            if base != background:
                exceptions += others
            else:
                for weight, text in others:
                    combos.setdefault(weight, []).append(text)
        if base != background:
            classes.setdefault(base, set()).add(hand_class)
    items = [_Item("random", background)] if background else []
    # Hands that a later item decides may be named by an earlier one, too, if that makes the text shorter.
    later: set[int] = set().union(*classes.values())
    for weight in sorted(classes.keys() | combos.keys(), reverse=True):
        chosen = classes.get(weight, set())
        later -= chosen
        items += [_Item(text, weight) for text in (_format_classes(chosen, chosen | later) if chosen else ())]
        items += [_Item(text, weight) for text in combos.get(weight, ())]
    items += [_Item(text, weight) for weight, text in sorted(exceptions, key=lambda pair: -pair[0])]
    return _joined(items)


def _base(values: Sequence[float], background: float) -> float:
    """Choose what weight a class of several weights is written with before its exceptions."""
    counts = Counter(values)

    def length(base: float) -> int:
        # A combo takes four letters and a comma, a class about as many; weights cost the same either way.
        return 5 * (len(values) - counts[base]) + (4 if base != background else 0)

    return min(sorted(counts.keys() | {background}, reverse=True), key=length)


def _joined(items: Sequence[_Item]) -> str:
    """Put items and weights together, neighbours of one weight as a group if that is shorter."""
    parts = []
    for weight, group in groupby(items, key=lambda item: item.weight):
        texts = [item.text for item in group]
        suffix = "" if weight == 1 else ":" + _format_weight(weight)
        part = ",".join(text + suffix for text in texts)
        if suffix and len(texts) > 1:
            percent = _format_percent(weight)
            part = min(part, f"[{percent}]{','.join(texts)}[/{percent}]", key=len)
        parts.append(part)
    return ",".join(parts)


def _as_percentage(hands: Range, opponents: int) -> list[str]:
    """Write hands that follow one another in a ranking with the fewest digits that name them."""
    bounds = best_bounds(hands, opponents=opponents)
    if bounds is None:
        return []
    low, high = bounds
    text = f"{low:g}%-{high:g}%" if low else f"{high:g}%"
    weight = float(hands.weights.max())
    text += "" if weight == 1 else ":" + _format_weight(weight)
    return [text] if parse_range(text, opponents=opponents) == hands else []


def best_bounds(hands: Range, *, opponents: int = 1) -> tuple[float, float] | None:
    """Return from what percent of all hands to what percent a range has the best ones.

    Parameters
    ----------
    opponents : int
        Best against so many random hands, 1 to 9.

    Returns
    -------
    tuple of float, or None
        The bounds with the fewest digits that name the hands, 0 to 100; None of a range of fewer than two hand
        classes, of several weights, or without a hand that the ranking has between two of its own.

    Examples
    --------
    >>> best_bounds(parse_range("5%-10%")), best_bounds(parse_range("AA,QQ"))
    ((5.0, 10.0), None)
    """
    chosen = hands.weights > 0
    if not chosen.any() or np.ptp(hands.weights[chosen]) > 0:
        return None
    ranks = _ranks_of_classes(opponents)[COMBO_CLASS]
    first, last = int(ranks[chosen].min()), int(ranks[chosen].max())
    if first == last or np.any((ranks >= first) & (ranks <= last) & ~chosen):
        return None
    low = _percent_between(int(ranks[ranks < first].max()), first) if first else 0.0
    return low, _percent_between(last, int(np.count_nonzero(chosen)) + first)


def _percent_between(above: int, to: int) -> float:
    """Return a percentage of 1326 that is more than one number of combos and at most another, of few digits."""
    decimals = 0
    while (units := 100 * above * 10**decimals // COMBO_COUNT + 1) * COMBO_COUNT > 100 * to * 10**decimals:
        decimals += 1
    return float(units / 10**decimals)


def _format_weight(weight: float) -> str:
    """Write the fewest digits that read back as this float32."""
    short = str(np.float32(weight)).removesuffix(".0")
    # Reading goes through float64, and rounding twice might miss a float32 that float64 digits cannot.
    return short if np.float32(float(short)) == np.float32(weight) else repr(weight)


def _format_percent(weight: float) -> str:
    """Write the fewest digits that, as percent, read back as this float32."""
    texts = (
        np.format_float_positional(100 * weight, digits, fractional=False, trim="-") for digits in range(1, 17)
    )
    return next((text for text in texts if np.float32(float(text) / 100) == np.float32(weight)), repr(100 * weight))


def _format_classes(required: set[int], allowed: set[int]) -> list[str]:
    """Write hand classes of one weight in groups, which may hold the other allowed ones."""
    if len(required) == CLASS_COUNT:
        return ["random"]
    if len(required) == 1:  # no run is made of one; in a read range nearly every class has a weight of its own
        return [class_name(HandClass(next(iter(required))))]
    pairs = _runs(*({row for row in range(13) if 14 * row in classes} for classes in (required, allowed)), top=0)
    items = [_format_run([(row, row) for row in run], "") for run in pairs]
    for row in sorted({min(divmod(hand_class, 13)) for hand_class in required}):
        items += _format_row(row, required, allowed)
    return _with_diagonals(items)


def _format_row(row: int, required: set[int], allowed: set[int]) -> list[str]:
    """Write the suited and offsuit classes of one first rank, those of both together if that is shorter."""
    suited, suited_allowed, offsuit, offsuit_allowed = (
        {
            column
            for column in range(row + 1, 13)
            if (13 * row + column if is_suited else 13 * column + row) in classes
        }
        for is_suited in (True, False)
        for classes in (required, allowed)
    )

    def named(columns: set[int], allowed_columns: set[int], suits: str) -> list[str]:
        runs = _runs(columns, allowed_columns, top=row + 1)
        return [_format_run([(row, column) for column in run], suits) for run in runs]

    apart = named(suited, suited_allowed, "s") + named(offsuit, offsuit_allowed, "o")
    both = suited & offsuit
    if not both:
        return apart
    together = named(both, suited_allowed & offsuit_allowed, "")
    together += named(suited - both, suited - both, "s") + named(offsuit - both, offsuit - both, "o")
    return min(together, apart, key=lambda texts: sum(len(text) + 1 for text in texts))


def _runs(required: set[int], allowed: set[int], *, top: int) -> list[list[int]]:
    """Cover numbers by runs of allowed ones, from required to required, or from the top if more than one."""
    runs: list[list[int]] = []
    for number in sorted(required):
        if runs and allowed.issuperset(range(runs[-1][-1], number)):
            runs[-1] = [*range(runs[-1][0], number + 1)]
        else:
            runs.append([number])
    if runs and len(runs[0]) > 1 and allowed.issuperset(range(top, runs[0][0])):
        runs[0] = [*range(top, runs[0][-1] + 1)]
    return runs


def _format_run(run: Sequence[tuple[int, int]], suits: str) -> str:
    """Write neighbouring pairs or classes of one first rank, as rows and columns of the grid, as one item."""
    names = [_cell_name(row, column, suits) for row, column in run]
    if len(names) == 1:
        return names[0]
    row, column = run[0]
    is_from_top = column == (0 if row == column else row + 1)
    return f"{names[-1]}+" if is_from_top else f"{names[0]}-{names[-1]}"


def _cell_name(row: int, column: int, suits: str) -> str:
    return RANKS[12 - row] + RANKS[12 - column] + suits


def _with_diagonals(items: Sequence[str]) -> list[str]:
    """Join single classes one below the other, such as T9s, 98s, 87s, as T9s-87s where there are three or more."""
    left = dict.fromkeys(items)
    for first in items:
        run = [first]
        while first in left and (below := _one_rank_below(run[-1])) in left:
            run.append(below)
        if len(run) > 2:
            joined = f"{run[0]}-{run[-1]}"
            left = {joined if item == first else item: None for item in left if item == first or item not in run}
    return list(left)


def _one_rank_below(item: str) -> str:
    """Name the class a rank below a class of two ranks; nothing for other items and where there is none."""
    if "+" in item or "-" in item or item[0] == item[1] or "2" in item:
        return ""
    return "".join(RANKS[RANKS.index(rank) - 1] for rank in item[:2]) + item[2:]
