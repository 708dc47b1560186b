"""Every combo at once against several weighted ranges, on all completions of a board.

The ranges lie in *tiles*: the 16 combos of a pair of ranks, `4 * suit of the higher rank + suit of the lower`; in
those of pairs such as 77 each combo stands twice. Everything is in one array, `work`: regions of tiles, of sums by
card (52, filled up to 64), of plain numbers. The innermost loops, over ranges and the 16 lanes of a tile, are
functions that numba gets as LLVM code from `engine.kernels.multiway_lanes`; what stands here is what they do.

What is computed, and why, is told in `engine.multiway`.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, card_mask
from engine.kernels.jit import IS_INTERPRETED, inlined, kernel, register_warm_up
from engine.kernels.walks import walks_over

P = ParamSpec("P")
R = TypeVar("R")

Floats = NDArray[np.float32]
Integers = NDArray[Any]  # of int64
Single = float | np.floating[Any]  # float32 in kernels

_ONE = np.uint64(1)
_PAIR_COUNT = 91
_CARDS = 64  # numbers by card: 52 and some that stay empty
_ALL = 56  # among them the sum of all combos, in running sums
_FIRST_SUITED = 104  # in an order of `WalkOrders`: 91 to 103 are flushes of one card, from here on of two
_TIED = 256
_HIGH = np.array([high for high in range(13) for _ in range(high + 1)])
_LOW = np.array([low for high in range(13) for low in range(high + 1)])
_PAIR_AT = np.array([[max(i, j) * (max(i, j) + 1) // 2 + min(i, j) for j in range(13)] for i in range(13)])


# ---- sixteen lanes --------------------------------------------------------------------------------------


class _Lanes:
    """A function that is plain Python here and LLVM code within kernels."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function

    @cached_property
    def _numba_type_(self) -> Any:
        """What numba asks for when a kernel calls it."""
        from engine.kernels.multiway_lanes import numba_type_of

        return numba_type_of(self.plain)


def _lanes(function: Callable[P, R]) -> Callable[P, R]:
    return function if IS_INTERPRETED else cast(Callable[P, R], _Lanes(function))


@_lanes
def _lay_range(
    work: Floats, ranges: NDArray[np.float64], first: int, tiles: int, step: int, alive: int, scale: np.float64
) -> None:
    """Lay the 1326 weights from `first` on into tiles, `step` numbers apart, each times `scale`, if it is alive."""
    weights = ranges.ravel()[first : first + COMBO_COUNT]
    for place, mirrored, (high, low), weight in zip(
        _PLACES.tolist(), _MIRRORED.tolist(), COMBO_CARDS.tolist(), weights, strict=True
    ):
        at = tiles + (place >> 4) * step
        work[[at + (place & 15), at + mirrored]] = scale * weight * work[alive + high] * work[alive + low]


@_lanes
def _sum_tiles(
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
def _add_weights(work: Floats, items: Integers, start: int, end: int, count: int, sums: int, share: Single) -> None:
    """Add a share of the slots of some items to the running sums."""
    for high, low, slot in items[start:end, :3]:
        for i in range(count):
            here, cards = slot + 16 * i, sums + _CARDS * i
            # Both are read before one is written, for in a pair they are the same.
            of_high = work[cards + high : cards + high + 4] + share * work[here : here + 4]
            of_low = work[cards + low : cards + low + 4] + share * work[here + 4 : here + 8]
            work[cards + high : cards + high + 4] = of_high
            work[cards + low : cards + low + 4] = of_low
            work[cards + _ALL] += share * work[here + 8]


@_lanes
def _add_products(
    work: Floats, items: Integers, times: Integers, start: int, end: int, count: int, sums: int, factors: int,
    alive: int, own: Single, scale: Single,
) -> None:  # fmt: skip
    """Add, to the tiles of some items, the product over ranges of the weight that the running sums leave a combo.

    A combo's own weight, of which the share `own` is in the sums, is taken out twice with its cards.
    """
    for item in range(start, end):
        high, low, _, tile, mask, into = items[item, :6]
        of_high, of_low = (
            work[factors + card : factors + card + 4] * work[alive + card : alive + card + 4]
            for card in (high, low)
        )
        product = scale * np.outer(of_high, of_low).ravel() * work[mask : mask + 16]
        for i in range(count):
            cards = sums + _CARDS * i
            held = np.add.outer(work[cards + high : cards + high + 4], work[cards + low : cards + low + 4]).ravel()
            left = work[cards + _ALL] - held + own * work[tile + 16 * i : tile + 16 * i + 16]
            product = product * left ** times[i]
        work[into : into + 16] += product


@_lanes
def _add_moving_products(
    work: Floats, items: Integers, times: Integers, start: int, end: int, count: int, sums: int, factors: int,
    alive: int, own: Single, scale: Single, ahead: Single, share: Single,
) -> None:  # fmt: skip
    """Do that with the running sums moved a share `ahead` of an item's slot on; then move them by `share`."""
    for item in range(start, end):
        _add_weights(work, items, item, item + 1, count, sums, ahead)
        _add_products(work, items, times, item, item + 1, count, sums, factors, alive, own, scale)
        _add_weights(work, items, item, item + 1, count, sums, share - ahead)


@_lanes
def _card_factors(
    work: Floats, times: Integers, count: int, sums: int, inverse: int, others: int, nobody: int, scale: int,
    factors: int, inverses: int,
) -> None:  # fmt: skip
    """Give, for each card, the chance that no two ranges hold it relative to what it is with all their combos."""
    none, some = np.ones(_CARDS), np.zeros(_CARDS)
    for i in range(count):
        cards = slice(_CARDS * i, _CARDS * (i + 1))
        held = np.minimum(work[sums:][cards] * work[inverse + i], 1)
        for _ in range(times[i]):
            some = some * (1 - held) + none * work[others:][cards] * held
            none = none * (1 - held)
    value = (work[nobody : nobody + _CARDS] * none + some) * work[scale : scale + _CARDS]
    work[factors : factors + _CARDS] = np.maximum(value, 1e-6)
    work[inverses : inverses + _CARDS] = 1 / work[factors : factors + _CARDS]


# ---- where everything lies ------------------------------------------------------------------------------

# Which combos of a tile, by the flush suit: all, not both cards in it, both, neither, the higher card's rank only,
# the lower's only, exactly one.
_ALL_LANES, _NOT_BOTH, _BOTH, _NEITHER, _HIGH_ONLY, _LOW_ONLY, _EXACTLY_ONE = range(7)
_KINDS = 7


def _lane_masks() -> Floats:
    """Give the lanes of each kind by flush suit: 4 * 7 * 16 zeros and ones."""
    masks = np.zeros((4, _KINDS, 4, 4), dtype=np.float32)
    for suit in range(4):
        high, low = np.meshgrid(np.arange(4) == suit, np.arange(4) == suit, indexing="ij")
        masks[suit] = (high | True, ~(high & low), high & low, ~(high | low), high & ~low, ~high & low, high ^ low)
    return masks.ravel()


_LANE_MASKS = _lane_masks()

# 91 tiles of what has no flush, or of what has the board's; 169 of flushes of one card and 45 of two; and 91 that
# stand for the end
_MOST_SLOTS = _PAIR_COUNT + 169 + 45
MOST_ITEMS = _MOST_SLOTS + _PAIR_COUNT
_SLOT_COUNT = _PAIR_COUNT + _MOST_SLOTS

# Where a combo stands in the tiles of one range, and the lane that it also has if it is a pair
_PLACES = np.array(
    [16 * int(_PAIR_AT[high >> 2, low >> 2]) + 4 * (high & 3) + (low & 3) for high, low in COMBO_CARDS.tolist()]
)
_MIRRORED = np.array(
    [
        4 * (low & 3) + (high & 3) if high >> 2 == low >> 2 else 4 * (high & 3) + (low & 3)
        for high, low in COMBO_CARDS.tolist()
    ]
)

# Gauss-Legendre on [0, 1] with 1, 2, 3 and 5 nodes; 5 are exact for up to 9 opponents.
_NODE_START = np.array([0, 1, 3, 6, 11])
_NODES, _NODE_WEIGHTS = (
    np.concatenate(parts).astype(np.float32)
    for parts in zip(
        *(((x + 1) / 2, weight / 2) for x, weight in map(np.polynomial.legendre.leggauss, (1, 2, 3, 5))),
        strict=True,
    )
)
_IN_VAIN = -1
_HALF = np.float32(0.49)
_MOST_PLAYERS = 9

_MOST_ATTEMPTS = 20_000
_KEPT_DEALS = 12
_FEW_COMBOS = 48
_STRIDE = 389
_SPREAD_OUT = np.arange(COMBO_COUNT) * _STRIDE % COMBO_COUNT  # neighbours seldom share a card

# Fields of an item: the first cards of its ranks, its slot, its tile, its lanes and its place in the results in
# `work`; whether it is as strong as the item before
_HIGH_CARD, _LOW_CARD, _SLOT, _TILE, _MASK, _INTO, _IS_TIED = range(7)
# Beside the items: which of them a runout touches; by level the last item + 1, and the row of `_NODE_START`
_TOUCHED, _LEVEL_END, _LEVEL_NODES = range(3)


class _Regions(NamedTuple):
    """Where regions of `work` begin.

    Attributes
    ----------
    tiles
        91 tiles of every range.
    slots
        Sums of tiles, 16 numbers for every range: by row, by column, overall. 91 of whole tiles, then those of
        flushes and those that a runout touches.
    sums
        Running sums of every range, by card, and at `_ALL` overall.
    tilt, odds, others
        By range and card: the factor of its weights; the odds that it holds the card, not knowing of the others;
        the chance that it does not.
    nobody, scale
        By card: the chance that no range holds it; what makes its factor one when all combos are in.
    alive
        By card, 0 in the runout and 1 otherwise.
    masks
        `_LANE_MASKS`.
    inverse, below
        By range: 1 / the running sum; the sum below a level.
    factors
        By card.
    level_scale, level_inverse
        By level of strength: the product of the factors, and the inverse of each.
    block
        A tile of every range that nobody reads.
    won, dealt
        Results by tile.
    size
        Of all together.
    """

    tiles: int
    slots: int
    sums: int
    tilt: int
    odds: int
    others: int
    nobody: int
    scale: int
    alive: int
    masks: int
    inverse: int
    below: int
    factors: int
    level_scale: int
    level_inverse: int
    block: int
    won: int
    dealt: int
    size: int


def _regions(count: int) -> _Regions:
    """Give the regions for so many different ranges."""
    tiles, cards, levels = 16 * _PAIR_COUNT, _CARDS * count, MOST_ITEMS
    slots = tiles * count
    sums = slots + 16 * _SLOT_COUNT * count
    nobody = sums + 4 * cards
    masks = nobody + 3 * _CARDS
    inverse = masks + len(_LANE_MASKS)
    factors = inverse + 2 * count
    level_inverse = factors + _CARDS + levels
    block = level_inverse + _CARDS * levels
    won = block + 16 * count
    return _Regions(
        0, slots, sums, sums + cards, sums + 2 * cards, sums + 3 * cards, nobody, nobody + _CARDS,
        nobody + 2 * _CARDS, masks, inverse, inverse + count, factors, factors + _CARDS, level_inverse, block,
        won, won + tiles, won + 2 * tiles,
    )  # fmt: skip


_regions_of = inlined(_regions)


@inlined
def _fill_slot(
    work: Floats, count: int, pair: int, slot: int, factors: int, step: int, mask: int, kept: int
) -> None:
    """Sum the tiles of a pair of ranks where the mask is 1, each weight times the factors of its cards."""
    high, low = _HIGH[pair], _LOW[pair]
    share = np.float32(0.5 if high == low else 1.0)  # every combo of a pair stands in its tile twice
    _sum_tiles(work, count, 16 * count * pair, factors, 4 * high, 4 * low, step, mask, slot, share, kept)


@kernel
def lay_out_ranges(
    ranges: NDArray[np.float64],
    scales: NDArray[np.float64],
    times: Integers,
    known: np.uint64,
    iterations: int,
    items: Integers,
    work: Floats,
) -> bool:
    """Lay out ranges in tiles, each weight times factors that give the range its marginals in the joint deal.

    Parameters
    ----------
    ranges : ndarray of float64, shape (n, 1326)
        Different ranges; the weights of blocked combos do not count.
    scales : ndarray of float64, shape (n,)
        What makes each weigh one.
    times : ndarray of int64, shape (n,)
        How many opponents have each of them.
    known : uint64
        Mask of the board and the other cards that nobody holds.
    iterations : int
        Of belief propagation, at most.
    items : ndarray of int64, shape (`MOST_ITEMS`, 8)
        Overwritten.
    work : ndarray of float32
        As large as `_regions` says.

    Returns
    -------
    bool
        Whether a card is in half of a range, so that there may be combos which leave next to nothing of it.
    """
    count = len(times)
    at = _regions_of(count)
    tilt, odds, others, sums = at.tilt, at.odds, at.others, at.sums
    nobody, scale, masks, block = at.nobody, at.scale, at.masks, at.block
    for i in range(len(_LANE_MASKS)):
        work[masks + i] = _LANE_MASKS[i]
    for i in range(16 * _PAIR_COUNT * count):
        work[i] = 0
    for i in range(tilt, masks):
        work[i] = 1
    for card in range(52):
        if (known >> np.uint64(card)) & _ONE != 0:
            work[at.alive + card] = 0
    for i in range(count):
        _lay_range(work, ranges, COMBO_COUNT * i, 16 * i, 16 * count, at.alive, scales[i])
    for card in range(52):
        work[at.alive + card] = 1
    one, least = np.float32(1), np.float32(1e-6)
    for pair in range(_PAIR_COUNT):
        _place_item(items, pair, pair, at.slots + 16 * count * pair, masks, at.dealt, count)
    # Every step leaves a share of the way that grows with the players, always on the same side; so it goes further.
    further = np.float32(0)
    for i in range(count):
        further += np.float32(0.04) * times[i]
    further -= np.float32(0.04)
    is_last = False
    is_narrow = False
    for turn in range(iterations + 1):
        is_last |= turn == iterations
        for i in range(sums, tilt):
            work[i] = 0
        for pair in range(_PAIR_COUNT):
            tile = 16 * count * pair
            _fill_slot(work, count, pair, at.slots + tile, tilt, _CARDS, masks, tile if is_last else block)
        _add_weights(work, items, 0, _PAIR_COUNT, count, sums, one)
        for card in range(52):
            work[nobody + card] = 1
            work[scale + card] = 1
        # A card that others hold with the odds o, each without knowing of it, leaves a range 1 / (1 + sum of o).
        for i in range(count):
            inverse, number, first = one / work[sums + _CARDS * i + _ALL], np.float32(times[i]), _CARDS * i
            for card in range(52):
                held = work[sums + first + card] * inverse
                free = max(one - held, least)
                odd = held / (work[tilt + first + card] * free)
                is_narrow |= bool(turn == 0 and held > _HALF)
                work[others + first + card] = free
                work[odds + first + card] = odd
                work[nobody + card] += number * odd
            for _ in range(times[i]):
                for card in range(52):
                    work[scale + card] *= work[others + first + card]
        if is_last:
            break
        change = np.float32(0)
        for i in range(count):
            for card in range(52):
                new, old = (
                    one / max(one, work[nobody + card] - work[odds + _CARDS * i + card]),
                    tilt + _CARDS * i + card,
                )
                new = min(new + further * new * (new - work[old]) / work[old], one)
                change = max(change, abs(new - work[old]))
                work[old] = new
        is_last = bool(change < np.float32(0.01))
    for card in range(52):
        work[nobody + card] = one / work[nobody + card]
        work[scale + card] = one / max(work[scale + card], np.float32(1e-30))
    return is_narrow


@inlined
def _place_item(items: Integers, item: int, pair: int, slot: int, mask: int, into: int, count: int) -> None:
    items[item, _HIGH_CARD] = 4 * _HIGH[pair]
    items[item, _LOW_CARD] = 4 * _LOW[pair]
    items[item, _SLOT] = slot
    items[item, _TILE] = 16 * count * pair
    items[item, _MASK] = mask
    items[item, _INTO] = into + 16 * pair


@inlined
def _judge_level(
    work: Floats, times: Integers, count: int, level: int, crowding: float, first: int, second: int, least: float
) -> int:
    """Find what clashes make of a level of strength, and how many nodes its ties need; gives the row of these.

    The running sums stand in the middle of the level. A card of the runout counts as others of its rank do, so that
    the answer serves all runouts of the same ranks and flush.
    """
    at = _regions_of(count)
    factors, inverses = at.factors, at.level_inverse + _CARDS * level
    top, spread, squares = 1.0, 0.0, 0.0
    is_possible = True
    for i in range(count):
        middle = np.float64(work[at.sums + _CARDS * i + _ALL])
        half = middle - work[at.below + i]
        work[at.below + i] = middle + half
        if middle <= 0:
            is_possible = False
            continue
        work[at.inverse + i] = crowding / middle
        ratio = 2 * half / middle
        for _ in range(times[i]):
            top *= middle + half
        spread += times[i] * ratio
        squares += times[i] * ratio * ratio
    if not is_possible or top <= 1e-7 * least:
        return _IN_VAIN
    _card_factors(work, times, count, at.sums, at.inverse, at.others, at.nobody, at.scale, factors, inverses)
    for card in (first, second):
        total, number = np.float32(0), 0
        for other in range(card & 60, (card & 60) + 4):
            if other != first and other != second:
                total += work[factors + other]
                number += 1
        work[factors + card] = total / number
        work[inverses + card] = number / total
    product = 1.0
    for card in range(factors, factors + 52, 4):  # four at a time, for each product waits for the one before
        product *= (work[card] * work[card + 1]) * (work[card + 2] * work[card + 3])
    # The error of the middle alone, of two nodes and of three, as a share of all deals
    error = top / least * spread * spread / 24
    nodes = 0
    if error < 3e-5:
        product *= 1 + (spread * spread - squares) / 24
    else:
        error *= spread * spread / 180
        nodes = 1 if error < 1e-5 else 2 if error * spread * spread / 466 < 1e-5 else 3
    work[at.level_scale + level] = product
    return nodes


@kernel
def sweep_ranges(
    walks: Integers,
    codes: NDArray[np.int16],
    unknown: int,
    times: Integers,
    items: Integers,
    notes: Integers,
    work: Floats,
    won: NDArray[np.float64],
    dealt: NDArray[np.float64],
) -> None:
    """Go through the combos of all completions of a board from the weakest on, with running sums of all ranges.

    Parameters
    ----------
    walks, codes : ndarray of int64, shape (w, 6), and of int16, shape (w, 136)
        What `engine.kernels.walks.list_walks` lists: which runouts have the same order of combos, and the order.
    unknown : int
        How many cards neither the board has at the end nor anybody is known to hold.
    times : ndarray of int64, shape (n,)
    items, notes : ndarray of int64, shapes (`MOST_ITEMS`, 8) and (3, `MOST_ITEMS`)
        Overwritten.
    work : ndarray of float32
        As `lay_out_ranges` leaves it.
    won, dealt : ndarray of float64, shape (1326,)
        Added to, on a common scale: what each combo wins, and the weight of all deals beside it. Of no meaning
        for blocked combos.
    """
    count = len(times)
    at = _regions_of(count)
    sums, alive, masks, level_inverse = at.sums, at.alive, at.masks, at.level_inverse
    zero, one = np.float32(0), np.float32(1)
    least = 1.0  # of what all ranges weigh together beside a combo, roughly
    for i in range(count):
        for _ in range(times[i]):
            least *= 0.8 * work[sums + _CARDS * i + _ALL]
    for i in range(at.won, at.size):
        work[i] = 0
    for number in range(walks.shape[0]):
        field, first_rank, second_rank = walks[number, 0], walks[number, 2], walks[number, 3]
        suit = max(walks[number, 1], 0)
        plain = _ALL_LANES if field == 0 else _NOT_BOTH if field < 5 else _NEITHER

        # 1. What is gone through: tiles, or the part of them that has a flush or has none.
        size = touched = 0
        for i in range(walks[number, 5]):
            code = int(codes[number, i]) & (_TIED - 1)
            is_one_card = _PAIR_COUNT <= code < _FIRST_SUITED
            for other in range(13 if is_one_card else 1):
                pair, kind = code, plain
                if is_one_card:
                    rank = code - _PAIR_COUNT
                    pair = _PAIR_AT[rank, other]
                    kind = _HIGH_ONLY if rank > other else _LOW_ONLY if rank < other else _EXACTLY_ONE
                elif code >= _FIRST_SUITED:
                    pair, kind = code - _FIRST_SUITED, _BOTH
                mask = masks + 16 * (_KINDS * suit + kind)
                high, low = _HIGH[pair], _LOW[pair]
                slot = at.slots + 16 * count * pair
                is_touched = high in (first_rank, second_rank) or low in (first_rank, second_rank)
                if is_touched or kind != _ALL_LANES:
                    slot = at.slots + 16 * count * (_PAIR_COUNT + size)
                if is_touched:
                    notes[_TOUCHED, touched] = size
                    touched += 1
                elif kind != _ALL_LANES:
                    _fill_slot(work, count, pair, slot, alive, 0, mask, at.block)
                _place_item(items, size, pair, slot, mask, at.won, count)
                items[size, _IS_TIED] = codes[number, i] >= _TIED or other > 0
                size += 1
        for pair in range(_PAIR_COUNT):  # after all others, for the weight of all deals
            _place_item(items, size + pair, pair, 0, masks, at.dealt, count)
        items[size, _IS_TIED] = 0

        is_judged = False
        for i in range(16):
            if (walks[number, 4] >> i) & 1 == 0:
                continue
            first, second = 4 * first_rank + (i >> 2), 4 * second_rank + (i & 3)
            work[alive + first] = 0
            work[alive + second] = 0
            for j in range(touched):
                item = notes[_TOUCHED, j]
                pair = items[item, _TILE] // (16 * count)
                _fill_slot(work, count, pair, items[item, _SLOT], alive, 0, items[item, _MASK], at.block)
            weight = np.float64(work[at.nobody + first] * work[at.scale + first])
            weight *= work[at.nobody + second] * work[at.scale + second]

            # 2. The first runout goes first through what serves all of them; then, as the others, the products.
            if not is_judged:
                is_judged = True
                for j in range(sums, at.tilt):
                    work[j] = 0
                for j in range(count):
                    work[at.below + j] = 0
                level = 0
                end = 0
                while True:
                    start = end
                    if start < size:
                        end += 1
                        while items[end, _IS_TIED] != 0:
                            end += 1
                    _add_weights(work, items, start, end, count, sums, np.float32(0.5))
                    notes[_LEVEL_END, level] = end
                    notes[_LEVEL_NODES, level] = _judge_level(
                        work, times, count, level, unknown / (unknown - 2), first, second, least
                    )
                    if start == size:
                        break
                    _add_weights(work, items, start, end, count, sums, np.float32(0.5))
                    level += 1
            for j in range(sums, at.tilt):
                work[j] = 0
            level = 0
            end = 0
            while True:
                start, end = end, notes[_LEVEL_END, level]
                nodes = notes[_LEVEL_NODES, level]
                factors = level_inverse + _CARDS * level
                scale = weight * work[at.level_scale + level] * work[factors + first] * work[factors + second]
                if start == size:
                    _add_products(
                        work, items, times, size, size + _PAIR_COUNT, count, sums, factors, alive, one,
                        np.float32(scale),
                    )  # fmt: skip
                    break
                level += 1
                if nodes == _IN_VAIN:
                    _add_weights(work, items, start, end, count, sums, one)
                    continue
                is_single = end == start + 1
                done = zero
                for node in range(_NODE_START[nodes], _NODE_START[nodes + 1]):
                    position, part = _NODES[node], np.float32(scale * _NODE_WEIGHTS[node])
                    if is_single:
                        share = one if node + 1 == _NODE_START[nodes + 1] else zero
                        _add_moving_products(
                            work, items, times, start, end, count, sums, factors, alive, position, part,
                            position, share,
                        )  # fmt: skip
                    else:
                        _add_weights(work, items, start, end, count, sums, position - done)
                        done = position
                        _add_products(work, items, times, start, end, count, sums, factors, alive, position, part)
                if not is_single:
                    _add_weights(work, items, start, end, count, sums, one - done)
            work[alive + first] = 1
            work[alive + second] = 1
        is_end = number + 1 == walks.shape[0]
        if is_end or walks[number + 1, 2] != first_rank or walks[number + 1, 3] != second_rank:
            for combo in range(COMBO_COUNT):
                won[combo] += work[at.won + _PLACES[combo]]
                dealt[combo] += work[at.dealt + _PLACES[combo]]
            for i in range(at.won, at.size):
                work[i] = 0


@kernel
def share_out(
    ranges: NDArray[np.float64],
    scales: NDArray[np.float64],
    times: Integers,
    known: np.uint64,
    won: NDArray[np.float64],
    dealt: NDArray[np.float64],
    lists: NDArray[np.int16],
    equities: Floats,
) -> bool:
    """Give every combo its equity: 0 where it is blocked or the ranges cannot be dealt beside it.

    Parameters
    ----------
    ranges, scales, times, known
        As for `lay_out_ranges`.
    won, dealt : ndarray of float64, shape (1326,)
        Of `sweep_ranges`.
    lists : ndarray of int16, shape (n, 1326)
        Overwritten.
    equities : ndarray of float32, shape (1326,)
        Filled.

    Returns
    -------
    bool
        Whether the ranges can be dealt together at all.

    Notes
    -----
    A deal is looked for, first range by first range, that leaves a combo's cards alone; a deal that was found is
    tried for later combos. After 20,000 attempts there is taken to be one.
    """
    count = len(times)
    sizes = np.empty(count, dtype=np.int64)
    order = np.empty(_MOST_PLAYERS + 1, dtype=np.int64)
    places = np.empty(_MOST_PLAYERS + 1, dtype=np.int64)
    used = np.empty(_MOST_PLAYERS + 1, dtype=np.uint64)
    deals = np.empty(_KEPT_DEALS, dtype=np.uint64)
    most = _FEW_COMBOS
    players = found = 0
    one = -2
    while one < COMBO_COUNT:
        if one == -2:  # list each range's combos, at first only some
            players = 0
            for i in range(count):
                sizes[i] = 0
                for number in range(COMBO_COUNT):
                    combo = _SPREAD_OUT[number]
                    if ranges[i, combo] * scales[i] > 0 and COMBO_MASK[combo] & known == 0:
                        lists[i, sizes[i]] = combo
                        sizes[i] += 1
                        if sizes[i] == most:
                            break
                for _ in range(times[i]):
                    at = players
                    while at > 0 and sizes[order[at - 1]] > sizes[i]:
                        order[at] = order[at - 1]
                        at -= 1
                    order[at] = i
                    players += 1
            one = -1
        mask = np.uint64(0)
        if one >= 0:
            mask = COMBO_MASK[one]
            equities[one] = 0
            if mask & known != 0 or dealt[one] <= 0:
                one += 1
                continue
        deal, kept = 0, min(found, _KEPT_DEALS)
        while deal < kept and deals[deal] & mask != 0:
            deal += 1
        is_possible = deal < kept
        if not is_possible:
            player, attempts = 0, 0
            places[0] = 0
            used[0] = mask
            while 0 <= player < players and attempts < _MOST_ATTEMPTS:
                i = order[player]
                attempts += 1
                if places[player] == sizes[i]:
                    player -= 1
                    continue
                # Not always from the first combo on, so that the deals differ.
                held = COMBO_MASK[lists[i, (places[player] + _STRIDE * found) % sizes[i]]]
                places[player] += 1
                if held & used[player] == 0:
                    player += 1
                    used[player] = used[player - 1] | held
                    places[player] = 0
            is_possible = player >= 0
            if player == players:
                deals[found % _KEPT_DEALS] = used[players] & ~mask
                found += 1
            elif most < COMBO_COUNT:
                most = COMBO_COUNT
                one = -2
                continue
            elif not is_possible and one < 0:
                return False
        if is_possible and one >= 0:
            equities[one] = min(won[one] / dealt[one], 1.0)
        one += 1
    return True


def sweep_together(
    board: Sequence[int],
    dead: Sequence[int],
    ranges: NDArray[np.float64],
    scales: NDArray[np.float64],
    times: Integers,
) -> tuple[Floats | None, bool]:
    """Give the equity of every combo against several ranges.

    Parameters
    ----------
    board : sequence of int
        3, 4 or 5 cards.
    dead : sequence of int
        Other cards that nobody can hold.
    ranges : ndarray of float64, shape (n, 1326)
        Different ranges; the weights of blocked combos do not count.
    scales : ndarray of float64, shape (n,)
        What makes each weigh one.
    times : ndarray of int64, shape (n,)
        How many opponents have each of them.

    Returns
    -------
    equities : ndarray of float32, shape (1326,), or None
        0 where a combo is blocked or the ranges cannot be dealt beside it. None if they cannot be dealt together.
    is_narrow : bool
        Whether a card is in half of a range. Else no combo takes more than 98 % of one; where one leaves only the
        share s of a range, single precision makes for a relative error of about 1e-6 / s.
    """
    count = len(times)
    work = np.empty(_regions(count).size, dtype=np.float32)
    items, notes = np.empty((MOST_ITEMS, 8), dtype=np.int64), np.empty((3, MOST_ITEMS), dtype=np.int64)
    won, dealt = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    equities = np.empty(COMBO_COUNT, dtype=np.float32)
    known = np.uint64(card_mask((*board, *dead)))
    walks, codes, _ = walks_over(tuple(sorted(board)), int(known))
    is_narrow = lay_out_ranges(ranges, scales, times, known, _ITERATIONS, items, work)
    unknown = CARD_COUNT - 5 - len(dead)
    sweep_ranges(walks, codes, unknown, times, items, notes, work, won, dealt)
    lists = np.empty((count, COMBO_COUNT), dtype=np.int16)
    is_possible = share_out(ranges, scales, times, known, won, dealt, lists, equities)
    return (equities if is_possible else None), is_narrow


_ITERATIONS = 8


def _warm_up() -> None:
    sweep_together((8, 13, 18, 23, 28), (), np.ones((1, COMBO_COUNT)), np.full(1, 1e-3), np.array([2]))


register_warm_up("every combo against several ranges", _warm_up, at_start=False)
