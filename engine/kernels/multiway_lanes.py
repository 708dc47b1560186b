"""The innermost loops of `engine.kernels.multiway`, over ranges and the sixteen lanes of a tile.

numba finds no vectors in loops over four suits, so kernels get these functions as LLVM code, from
`engine.kernels.multiway_code`. What stands here is what they do, and what plain Python runs. Importing this module
does not import numba.

All take one array of float32, `work`, and places in it; nothing is checked.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT
from engine.kernels.jit import IS_INTERPRETED

P = ParamSpec("P")
R = TypeVar("R")

Floats = NDArray[np.float32]
Integers = NDArray[Any]  # of int64
Single = float | np.floating[Any]  # float32 in kernels

CARDS = 64
"""Numbers by card: 52 and some that stay empty."""

BEFORE = 16
"""So many places before running sums by card stand those of all combos, by range."""

ONE_LANE, LANE_SHIFT = 4, 3
"""In the last field of an item: added if it is one combo, both cards of one suit; so far left stands the suit."""

PAIR_AT = np.array([[max(i, j) * (max(i, j) + 1) // 2 + min(i, j) for j in range(13)] for i in range(13)])
"""The number of a pair of ranks."""

PLACES = np.array(
    [16 * int(PAIR_AT[high >> 2, low >> 2]) + 4 * (high & 3) + (low & 3) for high, low in COMBO_CARDS.tolist()]
)
"""Where a combo stands in the tiles of one range."""

MIRRORED = np.array(
    [
        4 * (low & 3) + (high & 3) if high >> 2 == low >> 2 else 4 * (high & 3) + (low & 3)
        for high, low in COMBO_CARDS.tolist()
    ]
)
"""The lane that a combo stands in, or in which it also stands if it is a pair."""


class _Lanes:
    """A function that is plain Python here and LLVM code within kernels."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function

    @cached_property
    def _numba_type_(self) -> Any:
        """What numba asks for when a kernel calls it."""
        from engine.kernels.multiway_code import numba_type_of

        return numba_type_of(self.plain)


def _lanes(function: Callable[P, R]) -> Callable[P, R]:
    return function if IS_INTERPRETED else cast(Callable[P, R], _Lanes(function))


@_lanes
def clear(work: Floats, first: int, end: int) -> None:
    """Set all places from `first` to before `end` to 0."""
    work[first:end] = 0


@_lanes
def lay_range(
    work: Floats, ranges: NDArray[np.float64], first: int, tiles: int, step: int, alive: int, scale: np.float64
) -> None:
    """Lay the 1326 weights from `first` on into tiles, `step` numbers apart, each times `scale`, if it is alive."""
    weights = ranges.ravel()[first : first + COMBO_COUNT]
    for place, mirrored, (high, low), weight in zip(
        PLACES.tolist(), MIRRORED.tolist(), COMBO_CARDS.tolist(), weights, strict=True
    ):
        at = tiles + (place >> 4) * step
        work[[at + (place & 15), at + mirrored]] = scale * weight * work[alive + high] * work[alive + low]


@_lanes
def sum_tiles(
    work: Floats, count: int, tile: int, factors: int, high: int, low: int, step: int, mask: int, slot: int,
    share: Single, kept: int,
) -> None:  # fmt: skip
    """Sum each range's tile by row, column and overall (times `share`) into a slot, where the mask is 1.

    Each weight counts times the factors of its two cards; `step` is 0 where they are the same for all ranges.
    """
    for i in range(count):
        of_high, of_low = (work[at : at + 4] for at in (factors + step * i + high, factors + step * i + low))
        block = (
            work[tile + 16 * i : tile + 16 * i + 16] * work[mask : mask + 16] * np.outer(of_high, of_low).ravel()
        )
        work[kept + 16 * i : kept + 16 * i + 16] = block
        here = slot + 16 * i
        work[here : here + 4] = block.reshape(4, 4).sum(axis=1)
        work[here + 4 : here + 8] = block.reshape(4, 4).sum(axis=0)
        work[here + 8] = block.sum() * share


@_lanes
def add_weights(work: Floats, items: Integers, start: int, end: int, count: int, sums: int, share: Single) -> None:
    """Add a share of the slots of some items to the running sums."""
    for high, low, slot in items[start:end, :3]:
        for i in range(count):
            here, cards = slot + 16 * i, sums + CARDS * i
            # Both are read before one is written, for in a pair they are the same.
            of_high = work[cards + high : cards + high + 4] + share * work[here : here + 4]
            of_low = work[cards + low : cards + low + 4] + share * work[here + 4 : here + 8]
            work[cards + high : cards + high + 4] = of_high
            work[cards + low : cards + low + 4] = of_low
            work[sums - BEFORE + i] += share * work[here + 8]


@_lanes
def add_products(
    work: Floats, items: Integers, times: Integers, start: int, end: int, count: int, sums: int, alive: int,
    first: int, second: int, own: Single, scale: Single,
) -> None:  # fmt: skip
    """Add, to the tiles of some items, the product over ranges of the weight that the running sums leave a combo.

    A combo's own weight, of which the share `own` is in the sums, is taken out twice with its cards. Clashes are
    corrected with the item's factors, but not for the combo's cards and those of a runout, of suits `first` and
    `second`.
    """
    for item in range(start, end):
        high, low, _, tile, mask, into, factors = items[item, :7]
        of_high, of_low = (
            work[factors + place : factors + place + 4] * work[alive + card : alive + card + 4]
            for card, place in ((high, 0), (low, 4))
        )
        factor = scale * work[factors + 16] * work[factors + 8 + first] * work[factors + 12 + second]
        product = factor * np.outer(of_high, of_low).ravel() * work[mask : mask + 16]
        for i in range(count):
            cards = sums + CARDS * i
            held = np.add.outer(work[cards + high : cards + high + 4], work[cards + low : cards + low + 4]).ravel()
            left = work[sums - BEFORE + i] - held + own * work[tile + 16 * i : tile + 16 * i + 16]
            product = product * left ** times[i]
        work[into : into + 16] += product


@_lanes
def add_moving_products(
    work: Floats, items: Integers, times: Integers, start: int, end: int, count: int, sums: int, alive: int,
    first: int, second: int, own: Single, scale: Single, ahead: Single, share: Single,
) -> None:  # fmt: skip
    """Do that with the running sums moved a share `ahead` of an item's slot on; then move them by `share`."""
    for item in range(start, end):
        add_weights(work, items, item, item + 1, count, sums, ahead)
        add_products(work, items, times, item, item + 1, count, sums, alive, first, second, own, scale)
        add_weights(work, items, item, item + 1, count, sums, share - ahead)


@_lanes
def add_mates(work: Floats, items: Integers, start: int, end: int, count: int, mates: int, share: Single) -> None:
    """Add a share of the slots of some items to the running sums by rank and card that a combo holds.

    A pair's card goes with the other three of its rank, where a card of another rank goes with four: so 4 / 3.
    """
    for high, low, slot in items[start:end, :3]:
        part = share * 4 / 3 if high == low else share
        for i in range(count):
            here, cards = slot + 16 * i, mates + 13 * CARDS * i
            of_high, of_low = cards + 16 * low + high, cards + 16 * high + low
            rows = work[of_high : of_high + 4] + part * work[here : here + 4]
            columns = work[of_low : of_low + 4] + part * work[here + 4 : here + 8]
            work[of_high : of_high + 4] = rows
            work[of_low : of_low + 4] = columns


@_lanes
def find_factors(
    work: Floats, items: Integers, times: Integers, start: int, end: int, count: int, sums: int, mates: int,
    shares: int, own: Single, others: int, nobody: int, scale: int, spare: int, alive: int, dead: int, first: int,
    second: int, factor: Single, fresh: int,
) -> None:  # fmt: skip
    """Find what clashes between the running sums' weights do beside a combo of each of some items.

    Only for as many as are to be `fresh`; the others are taken to be as the last one that was.

    By card it is the chance that no two ranges hold it, relative to that with all their combos. Kept, by item: the
    inverses for the four cards of its two ranks and for the four from `first` and from `second` on, and the
    product times `factor`. Cards that are dead, in a runout, count as those of their rank that are alive. What
    combos of an item take out of the sums is averaged over suits, `shares` being one by the number of them.
    """
    for item in range(start, end):
        high, low, slot, _, _, _, factors = items[item, :7]
        if item < start + fresh:
            of_high, of_low = work[shares + high // 4], work[shares + low // 4]
            none, some = np.ones(CARD_COUNT), np.zeros(CARD_COUNT)
            for i in range(count):
                cards, mate = work[sums + CARDS * i :][:CARD_COUNT], mates + 13 * CARDS * i
                left = (
                    work[sums - BEFORE + i]
                    - of_high * cards[high : high + 4].sum()
                    - of_low * cards[low : low + 4].sum()
                )
                left += own * of_high * of_low * (16 / 6 if high == low else 1) * work[slot + 16 * i + 8]
                for rank, part in ((high, of_high), (low, of_low)):
                    cards = cards - part * work[mate + 16 * rank :][:CARD_COUNT]
                held = np.clip(cards / max(left, 1e-4 * work[sums - BEFORE + i]), 0, 1)
                for _ in range(times[i]):
                    some = some * (1 - held) + none * work[others + CARDS * i :][:CARD_COUNT] * held
                    none = none * (1 - held)
            value = np.maximum((work[nobody:][:CARD_COUNT] * none + some) * work[scale:][:CARD_COUNT], 1e-6)
            work[spare : spare + CARD_COUNT] = value
            work[spare + CARDS] = value.prod()
        product = work[spare + CARDS] * factor
        for place, card in ((0, high), (4, low), (8, first), (12, second)):
            inverses = 1 / work[spare + card : spare + card + 4]
            if place >= 8 and first >= 52:  # on a river no card is missing
                inverses[:] = 1
            elif place >= 8:
                is_alive, is_dead = (
                    work[alive + card : alive + card + 4] > 0,
                    work[dead + card : dead + card + 4] > 0,
                )
                mean = inverses[is_alive].mean() if is_alive.any() else 1.0
                if place == 8 or first != second:
                    product *= (inverses[is_dead] / mean).prod()
                inverses[is_dead] = mean
            work[factors + place : factors + place + 4] = inverses
        work[factors + 16] = product
