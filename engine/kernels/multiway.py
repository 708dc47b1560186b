"""Every combo at once against several weighted ranges, on all completions of a board.

The ranges lie in *tiles*: the 16 combos of a pair of ranks, `4 * suit of the higher rank + suit of the lower`; in
those of pairs such as 77 each combo stands twice. Everything is in one array, `work`: regions of tiles, of sums by
card (52, filled up to 64), of plain numbers. The innermost loops are in `engine.kernels.multiway_lanes`.

What is computed, and why, is told in `engine.multiway`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, card_mask
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.multiway_lanes import (
    BEFORE,
    CARDS,
    LANE_SHIFT,
    ONE_LANE,
    PAIR_AT,
    PLACES,
    Floats,
    Integers,
    add_mates,
    add_moving_products,
    add_products,
    add_weights,
    clear,
    find_factors,
    lay_range,
    sum_tiles,
)
from engine.kernels.multiway_shares import share_out, weigh_ranges
from engine.kernels.walks import walks_over

_ONE = np.uint64(1)
_PAIR_COUNT = 91
_FIRST_SUITED = 104  # in an order of `WalkOrders`: 91 to 103 are flushes of one card, from here on of two
_TIED = 256
_HIGH = np.array([high for high in range(13) for _ in range(high + 1)])
_LOW = np.array([low for high in range(13) for low in range(high + 1)])


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
NOTES = 4

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
_MUCH = 1e-4  # of all ranges together, left by a runout

# Fields of an item: the first cards of its ranks; its slot, its tile, its lanes, its place in the results and its
# factors in `work`; whether it is as strong as the item before
_HIGH_CARD, _LOW_CARD, _SLOT, _TILE, _MASK, _INTO, _FACTORS, _IS_TIED = range(8)
_ONE_CARD = 2  # added to the last if the item is part of a flush of one card; see also `ONE_LANE`
# Beside the items: which of them a runout touches; by level the last item + 1, and the row of `_NODE_START`; and
# that row by pair of ranks, for what has no flush
_TOUCHED, _LEVEL_END, _LEVEL_NODES, _PAIR_NODES = range(NOTES)


class _Regions(NamedTuple):
    """Where regions of `work` begin.

    Attributes
    ----------
    slots
        Sums of tiles, 16 numbers for every range: by row, by column, overall. 91 of whole tiles, then those of
        flushes and those that a runout touches. Before them, from 0 on, are 91 tiles of every range.
    sums
        Running sums of every range by card, and `BEFORE` them overall.
    tilt, odds, others
        By range and card: the factor of its weights; the odds that it holds the card, not knowing of the others;
        the chance that it does not.
    nobody, scale
        By card: the chance that no range holds it; what makes its factor one when all combos are in.
    alive, dead
        By card, 0 if it is known or in the runout and 1 otherwise; 1 if it is in the runout and 0 otherwise.
    masks
        `_LANE_MASKS`.
    below, last_top
        By range: the sum below a level. What all ranges weigh together there, when factors were last found.
    mates
        Running sums of every range, of combos of a rank and a card, by rank and card.
    shares
        By rank: one by the number of suits alive.
    factors
        32 numbers by pair of ranks, for what has no flush; by item, for flushes; and by pair, for all combos.
    spare
        For `find_factors`.
    block
        A tile of every range that nobody reads.
    won, dealt
        Results by tile.
    kept
        Sums of the parts of tiles that no runout touches, by flush suit, kind and pair of ranks.
    size
        Of all together.
    """

    slots: int
    sums: int
    tilt: int
    odds: int
    others: int
    nobody: int
    scale: int
    alive: int
    dead: int
    masks: int
    below: int
    last_top: int
    mates: int
    shares: int
    factors: int
    spare: int
    block: int
    won: int
    dealt: int
    kept: int
    size: int


def _regions(count: int) -> _Regions:
    """Give the regions for so many different ranges."""
    tiles, cards = 16 * _PAIR_COUNT, CARDS * count
    slots = tiles * count
    sums = slots + 16 * _SLOT_COUNT * count + BEFORE
    nobody = sums + 4 * cards
    masks = nobody + 4 * CARDS
    below = masks + len(_LANE_MASKS)
    mates = below + 16  # everything begins at a multiple of 16 places
    shares = mates + 13 * cards
    factors = shares + 16
    spare = factors + 32 * (_PAIR_COUNT + MOST_ITEMS)
    block = spare + CARDS + 16
    won = block + 16 * count
    return _Regions(
        slots, sums, sums + cards, sums + 2 * cards, sums + 3 * cards, nobody, nobody + CARDS, nobody + 2 * CARDS,
        nobody + 3 * CARDS, masks, below, below + count, mates, shares, factors, spare, block, won, won + tiles,
        won + 2 * tiles, won + 2 * tiles + 4 * _KINDS * slots,
    )  # fmt: skip


_regions_of = inlined(_regions)


@inlined
def _fill_slot(
    work: Floats, count: int, pair: int, slot: int, factors: int, step: int, mask: int, kept: int
) -> None:
    """Sum the tiles of a pair of ranks where the mask is 1, each weight times the factors of its cards."""
    high, low = _HIGH[pair], _LOW[pair]
    share = np.float32(0.5 if high == low else 1.0)  # every combo of a pair stands in its tile twice
    sum_tiles(work, count, 16 * count * pair, factors, 4 * high, 4 * low, step, mask, slot, share, kept)


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
    clear(work, 0, at.slots)
    for i in range(tilt, masks):
        work[i] = 1
    for i in range(at.spare, at.block):  # also for cards that are not there
        work[i] = 1
    for card in range(CARDS):
        work[at.dead + card] = 0
        if card < 52 and (known >> np.uint64(card)) & _ONE != 0:
            work[at.alive + card] = 0
    for i in range(count):
        lay_range(work, ranges, COMBO_COUNT * i, 16 * i, 16 * count, at.alive, scales[i])
    one, least = np.float32(1), np.float32(1e-6)
    for pair in range(_PAIR_COUNT):
        _place_item(items, pair, pair, at.slots + 16 * count * pair, masks, 0, count, 0)
    # Every step leaves a share of the way that grows with the players, always on the same side; so it goes further.
    further = np.float32(0)
    for i in range(count):
        further += np.float32(0.04) * times[i]
    further -= np.float32(0.04)
    is_last = False
    is_narrow = False
    for turn in range(iterations + 1):
        is_last |= turn == iterations
        clear(work, sums - BEFORE, tilt)
        for pair in range(_PAIR_COUNT):
            tile = 16 * count * pair
            _fill_slot(work, count, pair, at.slots + tile, tilt, CARDS, masks, tile if is_last else block)
        add_weights(work, items, 0, _PAIR_COUNT, count, sums, one)
        for card in range(52):
            work[nobody + card] = 1
            work[scale + card] = 1
        # A card that others hold with the odds o, each without knowing of it, leaves a range 1 / (1 + sum of o).
        for i in range(count):
            inverse, number, first = one / work[sums - BEFORE + i], np.float32(times[i]), CARDS * i
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
                    one / max(one, work[nobody + card] - work[odds + CARDS * i + card]),
                    tilt + CARDS * i + card,
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
def _place_item(
    items: Integers, item: int, pair: int, slot: int, mask: int, into: int, count: int, factors: int
) -> None:
    items[item, _HIGH_CARD] = 4 * _HIGH[pair]
    items[item, _LOW_CARD] = 4 * _LOW[pair]
    items[item, _SLOT] = slot
    items[item, _TILE] = 16 * count * pair
    items[item, _MASK] = mask
    items[item, _INTO] = into + 16 * pair
    items[item, _FACTORS] = factors
    items[item, _IS_TIED] = 0


@inlined
def _judge_level(
    work: Floats, items: Integers, times: Integers, start: int, end: int, is_found: bool, first: int, second: int,
    least: float, nodes: int, mated: int, size: int,
) -> tuple[int, int]:  # fmt: skip
    """Find what clashes make of a level of strength, and how many nodes its ties need.

    Where `is_found`, `nodes` is what was found. Gives the row of the nodes, and up to which item the sums by rank
    and card, which stay behind until they are needed, now go. The running sums stand in the middle of the level. A
    card of the runout counts as others of its rank do, so that the answer serves all runouts of the same ranks and
    flush.
    """
    count = len(times)
    at = _regions_of(count)
    top, spread, squares = 1.0, 0.0, 0.0
    is_possible = True
    for i in range(count):
        middle = np.float64(work[at.sums - BEFORE + i])
        half = middle - work[at.below + i]
        work[at.below + i] = middle + half
        is_possible = is_possible and bool(middle > 0)
        for _ in range(times[i]):
            top *= middle + half
    if not is_possible or top <= 1e-7 * least:
        return _IN_VAIN, mated
    if is_found and nodes != _IN_VAIN:
        return nodes, mated
    for i in range(count):
        middle, end_of_level = np.float64(work[at.sums - BEFORE + i]), np.float64(work[at.below + i])
        ratio = 2 * (end_of_level - middle) / middle
        spread += times[i] * ratio
        squares += times[i] * ratio * ratio
    # The error of the middle alone, of two nodes and of three, as a share of all deals
    error = top / least * spread * spread / 24
    nodes, curvature = 0, 1.0
    if error < 3e-5:
        curvature += (spread * spread - squares) / 24
    else:
        error *= spread * spread / 180
        nodes = 1 if error < 1e-5 else 2 if error * spread * spread / 466 < 1e-5 else 3
    own = np.float32(0.5 if start < _MOST_SLOTS else 1.0)
    if not is_found:
        # Flushes of one card, beside any other, are alike; and what hardly ever wins need not be so exact.
        fresh = 1 if items[start, _IS_TIED] & _ONE_CARD != 0 else end - start
        if top < 3e-3 * least and top < 2 * work[at.last_top]:
            fresh = 0
        else:
            work[at.last_top] = top
            before = min(start, size)
            add_mates(work, items, mated, before, count, at.mates, np.float32(1))
            mated = min(end, size)
            add_mates(work, items, before, mated, count, at.mates, np.float32(0.5))
        find_factors(
            work, items, times, start, end, count, at.sums, at.mates, at.shares, own, at.others, at.nobody,
            at.scale, at.spare, at.alive, at.dead, first & 60, second & 60, np.float32(curvature), fresh,
        )  # fmt: skip
        if mated == end:
            add_mates(work, items, start, end, count, at.mates, np.float32(0.5))
    return nodes, mated


@inlined
def _choose_runouts(runouts: int, counts: Integers) -> None:
    """Choose some of the runouts of two ranks, 4 * first suit + second suit, that stand for all of them.

    Each suit comes as often as among all, with either card. Sets how many runouts each one stands for.
    """
    for i in range(24):
        counts[i] = 0
    for i in range(16):
        counts[16 + (i >> 2)] += (runouts >> i) & 1
        counts[20 + (i & 3)] += (runouts >> i) & 1
    left = 0
    for shift in (1, 2, 3, 0):
        for first in range(4):
            second = (first + shift) & 3
            if (runouts >> (4 * first + second)) & 1 != 0:
                number = min(counts[16 + first], counts[20 + second])
                counts[4 * first + second] = number
                counts[16 + first] -= number
                counts[20 + second] -= number
    for i in range(16, 24):
        left += counts[i]
    if left > 0:
        for i in range(16):
            counts[i] = (runouts >> i) & 1


@inlined
def _list_items(
    work: Floats,
    walks: Integers,
    codes: NDArray[np.int16],
    number: int,
    count: int,
    items: Integers,
    notes: Integers,
    is_kept: NDArray[np.bool_],
) -> tuple[int, int]:
    """List what a walk goes through: tiles, or the part of them that has a flush or has none.

    Gives how many items there are, and how many of them a runout touches.
    """
    at = _regions_of(count)
    field, first_rank, second_rank = walks[number, 0], walks[number, 2], walks[number, 3]
    suit = max(walks[number, 1], 0)
    plain = _ALL_LANES if field == 0 else _NOT_BOTH if field < 5 else _NEITHER
    size = touched = 0
    for i in range(walks[number, 5]):
        code = int(codes[number, i]) & (_TIED - 1)
        is_one_card = _PAIR_COUNT <= code < _FIRST_SUITED
        for other in range(13 if is_one_card else 1):
            pair, kind = code, plain
            if is_one_card:
                rank = code - _PAIR_COUNT
                pair = PAIR_AT[rank, other]
                kind = _HIGH_ONLY if rank > other else _LOW_ONLY if rank < other else _EXACTLY_ONE
            elif code >= _FIRST_SUITED:
                pair, kind = code - _FIRST_SUITED, _BOTH
            mask = at.masks + 16 * (_KINDS * suit + kind)
            high, low = _HIGH[pair], _LOW[pair]
            slot = at.slots + 16 * count * pair
            is_touched = high in (first_rank, second_rank) or low in (first_rank, second_rank)
            if is_touched:
                slot = at.slots + 16 * count * (_PAIR_COUNT + size)
                notes[_TOUCHED, touched] = size
                touched += 1
            elif kind != _ALL_LANES:
                part = _PAIR_COUNT * (_KINDS * suit + kind) + pair
                slot = at.kept + 16 * count * part
                if not is_kept[part]:
                    is_kept[part] = True
                    _fill_slot(work, count, pair, slot, at.alive, 0, mask, at.block)
            factors = at.factors + 32 * (pair if kind == plain else _PAIR_COUNT + size)
            _place_item(items, size, pair, slot, mask, at.won, count, factors)
            items[size, _IS_TIED] = (codes[number, i] >= _TIED or other > 0) + _ONE_CARD * is_one_card
            if kind == _BOTH:
                items[size, _IS_TIED] += ONE_LANE + (suit << LANE_SHIFT)
            size += 1
    items[size, _IS_TIED] = 0
    return size, touched


@inlined
def _judge_runout(
    work: Floats, times: Integers, items: Integers, notes: Integers, size: int, first: int, second: int,
    are_plain_found: bool, are_all_found: bool, least: float,
) -> bool:  # fmt: skip
    """Go through the items and find what serves all runouts of a walk; gives whether there is any deal at all.

    Sets the ends of the levels, their nodes and the items' factors; but not those that were found for other
    flushes with the same ranks, of combos without flush, and beside all combos.
    """
    count = len(times)
    at = _regions_of(count)
    half = np.float32(0.5)
    for rank in range(13):
        suits = np.float32(0)
        for card in range(4 * rank, 4 * rank + 4):
            suits += work[at.alive + card]
        work[at.shares + rank] = np.float32(1) / max(suits, np.float32(1))
    clear(work, at.sums - BEFORE, at.tilt)
    clear(work, at.below, at.shares)
    level = end = mated = 0
    while True:
        start = end
        is_all = start == size
        is_found = are_all_found
        if is_all:
            start, end = _MOST_SLOTS, MOST_ITEMS
        else:
            is_found = are_plain_found and items[start, _FACTORS] < at.factors + 32 * _PAIR_COUNT
            end += 1
            while items[end, _IS_TIED] & 1 != 0:
                end += 1
        for part in range(2):
            if not is_all:
                add_weights(work, items, start, end, count, at.sums, half)
            if part == 0:
                notes[_LEVEL_END, level] = end
                nodes = 0 if is_all else notes[_PAIR_NODES, items[start, _TILE] // (16 * count)]
                notes[_LEVEL_NODES, level], mated = _judge_level(
                    work, items, times, start, end, is_found, first, second, least, nodes, mated, size
                )
        for item in range(start, end):
            if items[item, _FACTORS] < at.factors + 32 * _PAIR_COUNT:
                notes[_PAIR_NODES, items[item, _TILE] // (16 * count)] = notes[_LEVEL_NODES, level]
        if is_all:
            return bool(notes[_LEVEL_NODES, level] != _IN_VAIN)
        level += 1


@inlined
def _adopt_levels(work: Floats, items: Integers, notes: Integers, size: int, count: int) -> None:
    """Take what was found for the same ranks without flush, and for flushes what serves the weight of all deals.

    Nearly all combos are below a flush of two cards, so that clashes are there what they are among all.
    """
    at = _regions_of(count)
    level = end = 0
    while end < size:
        pair = items[end, _TILE] // (16 * count)
        nodes = 0
        if items[end, _FACTORS] < at.factors + 32 * _PAIR_COUNT:
            nodes = notes[_PAIR_NODES, pair]
        else:
            items[end, _FACTORS] = at.factors + 32 * (_PAIR_COUNT + _MOST_SLOTS + pair)
        end += 1
        while items[end, _IS_TIED] & 1 != 0:
            end += 1
        notes[_LEVEL_END, level], notes[_LEVEL_NODES, level] = end, nodes
        level += 1


@inlined
def _sweep_runout(
    work: Floats,
    times: Integers,
    items: Integers,
    notes: Integers,
    size: int,
    first: int,
    second: int,
    weight: float,
) -> None:
    """Add what combos win on one runout, and the weight of all deals."""
    count = len(times)
    at = _regions_of(count)
    sums, alive = at.sums, at.alive
    zero, one = np.float32(0), np.float32(1)
    clear(work, sums - BEFORE, at.tilt)
    level = end = 0
    while end < size:
        start, end, nodes = end, notes[_LEVEL_END, level], notes[_LEVEL_NODES, level]
        level += 1
        is_single = end == start + 1
        # As many levels as are gone through alike
        while end < size and notes[_LEVEL_NODES, level] == nodes:
            if nodes != _IN_VAIN and not (nodes == 0 and is_single and notes[_LEVEL_END, level] == end + 1):
                break
            end = notes[_LEVEL_END, level]
            level += 1
        done = zero
        if nodes != _IN_VAIN:
            last = _NODE_START[nodes + 1] - 1
            for node in range(_NODE_START[nodes], last + 1):
                position, scale = _NODES[node], np.float32(weight * _NODE_WEIGHTS[node])
                if is_single:
                    add_moving_products(
                        work, items, times, start, end, count, sums, alive, first, second, position, scale,
                        position, one if node == last else zero,
                    )  # fmt: skip
                    done = one
                else:
                    add_weights(work, items, start, end, count, sums, position - done)
                    add_products(work, items, times, start, end, count, sums, alive, first, second, position, scale)
                    done = position
        if done < one:
            add_weights(work, items, start, end, count, sums, one - done)
    add_products(
        work, items, times, _MOST_SLOTS, MOST_ITEMS, count, sums, alive, first, second, one, np.float32(weight)
    )


@kernel
def sweep_ranges(
    walks: Integers,
    codes: NDArray[np.int16],
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
    times : ndarray of int64, shape (n,)
    items, notes : ndarray of int64, shapes (`MOST_ITEMS`, 8) and (`NOTES`, `MOST_ITEMS`)
        Overwritten.
    work : ndarray of float32
        As `lay_out_ranges` leaves it.
    won, dealt : ndarray of float64, shape (1326,)
        Added to, on a common scale: what each combo wins, and the weight of all deals beside it. Of no meaning
        for blocked combos.
    """
    count = len(times)
    at = _regions_of(count)
    alive = at.alive
    counts = np.empty(24, dtype=np.int64)
    before = np.empty(32, dtype=np.float32)
    is_kept = np.zeros(4 * _KINDS * _PAIR_COUNT, dtype=np.bool_)
    for pair in range(_PAIR_COUNT):  # apart from all others, for the weight of all deals
        slot, factors = at.slots + 16 * count * pair, at.factors + 32 * (_PAIR_COUNT + _MOST_SLOTS + pair)
        _place_item(items, _MOST_SLOTS + pair, pair, slot, at.masks, at.dealt, count, factors)
    least = 1.0  # of what all ranges weigh together beside a combo, roughly
    for i in range(count):
        for _ in range(times[i]):
            least *= 0.8 * work[at.sums - BEFORE + i]
    clear(work, at.won, at.kept)
    found_field = -1
    are_all_found = walks.shape[0] < 0  # a false that is no literal, for which numba would compile once more
    for number in range(walks.shape[0]):
        field, first_rank, second_rank = walks[number, 0], walks[number, 2], walks[number, 3]
        if number == 0 or walks[number - 1, 2] != first_rank or walks[number - 1, 3] != second_rank:
            found_field = -1
            are_all_found = field < 0
        are_plain_found = found_field == 0 and 0 < field < 5  # flushes of two cards change little for others
        if not are_plain_found:
            found_field = field
            for pair in range(_PAIR_COUNT):
                work[at.factors + 32 * pair + 16] = 0
        size, touched = _list_items(work, walks, codes, number, count, items, notes, is_kept)
        _choose_runouts(walks[number, 4], counts)
        leader, most = 0, -1.0  # where most is left of the ranges, or not much less
        for i in range(16):
            left = 1.0
            for j in range(count):
                free = at.others + CARDS * j
                for _ in range(times[j]):
                    left *= work[free + 4 * first_rank + (i >> 2)] * work[free + 4 * second_rank + (i & 3)]
            if counts[i] > 0 and left > 1.01 * most:
                leader, most = i, left
        both = 16 * PAIR_AT[first_rank, second_rank] if second_rank < 13 else 0
        for i in range(16):
            before[i] = work[at.won + both + i]
            before[16 + i] = work[at.dealt + both + i]
        # One runout of sixteen need not be looked at so closely.
        is_rare = are_plain_found and 0 < field < 5 and are_all_found and second_rank < 13 and most > _MUCH
        is_rare &= walks[number, 4] & (walks[number, 4] - 1) == 0
        if is_rare:
            _adopt_levels(work, items, notes, size, count)
        is_possible = is_rare
        for turn in range(0 if is_rare else -1, 16):
            i = turn if turn >= 0 else leader
            if counts[i] == 0 or (turn >= 0 and not is_possible):
                continue
            first, second = 4 * first_rank + (i >> 2), 4 * second_rank + (i & 3)
            work[alive + first] = work[alive + second] = 0
            work[at.dead + first] = work[at.dead + second] = 1
            for j in range(touched):
                item = notes[_TOUCHED, j]
                pair = items[item, _TILE] // (16 * count)
                _fill_slot(work, count, pair, items[item, _SLOT], alive, 0, items[item, _MASK], at.block)
            if turn < 0:
                is_possible = _judge_runout(
                    work, times, items, notes, size, first, second, are_plain_found, are_all_found, least
                )
            else:
                weight = np.float64(work[at.nobody + first] * work[at.scale + first])
                weight *= counts[i] * work[at.nobody + second] * work[at.scale + second]
                _sweep_runout(work, times, items, notes, size, first & 3, second & 3, weight)
            work[alive + first] = work[alive + second] = 1
            work[at.dead + first] = work[at.dead + second] = 0
        are_all_found = are_all_found or is_possible
        # A combo of both ranks leaves other shares of the chosen runouts than of all.
        for lane in range(16 if second_rank < 13 and first_rank != second_rank else 0):
            of_all, of_chosen = 0, 0
            for i in range(16):
                if i >> 2 != lane & 3 and i & 3 != lane >> 2:
                    of_all += (walks[number, 4] >> i) & 1
                    of_chosen += counts[i]
            if 0 < of_chosen != of_all:
                for half in range(2):
                    place, old = (at.dealt if half == 1 else at.won) + both + lane, before[16 * half + lane]
                    work[place] = old + (work[place] - old) * of_all / of_chosen
        is_end = number + 1 == walks.shape[0]
        if is_end or walks[number + 1, 2] != first_rank:  # not so long that single precision would tell
            for combo in range(COMBO_COUNT):
                won[combo] += work[at.won + PLACES[combo]]
                dealt[combo] += work[at.dealt + PLACES[combo]]
            clear(work, at.won, at.kept)


def work_for(count: int) -> Floats:
    """Give room to work in for so many different ranges; no tile lies across two lines of the cache."""
    size = _regions(count).size
    work = np.empty(size + 16, dtype=np.float32)
    first = -(work.ctypes.data // work.itemsize) % 16
    return work[first : first + size]


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
    work = work_for(count)
    items, notes = np.empty((MOST_ITEMS, 8), dtype=np.int64), np.empty((NOTES, MOST_ITEMS), dtype=np.int64)
    won, dealt = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    equities = np.empty(COMBO_COUNT, dtype=np.float32)
    known = np.uint64(card_mask((*board, *dead)))
    walks, codes, _ = walks_over(tuple(sorted(board)), int(known))
    is_narrow = lay_out_ranges(ranges, scales, times, known, _ITERATIONS, items, work)
    sweep_ranges(walks, codes, times, items, notes, work, won, dealt)
    lists = np.empty((count, COMBO_COUNT), dtype=np.int16)
    is_possible = share_out(ranges, scales, times, known, won, dealt, lists, equities)
    return (equities if is_possible else None), is_narrow


_ITERATIONS = 8


def _warm_up() -> None:
    weigh_ranges(np.ones((1, COMBO_COUNT)), np.uint64(0), np.empty(1))
    sweep_together((8, 13, 18, 23, 28), (), np.ones((1, COMBO_COUNT)), np.full(1, 1e-3), np.array([2]))


register_warm_up("every combo against several ranges", _warm_up, at_start=False)
