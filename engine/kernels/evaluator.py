"""The strength of 5, 6 or 7 cards from two table look-ups; higher is better.

A *strength* is 1 (7-5-4-3-2 offsuit) to 7462 (royal flush): equal hands have equal strengths, and every number
between is some hand's.

How it works. Each card has a 64-bit *key*, and the key of a hand is the sum of its cards' keys and of `START_KEY`:

- The upper 48 bits are a random number that belongs to the card's rank. Their sum, modulo 2^48, stands for the
  ranks held. Of it, the top `ROW_BITS` select a row and the next `COLUMN_BITS` a column; the rows are pushed over
  one another until no two hands share a cell (a perfect hash by row displacement: Tarjan and Yao, 1979,
  "Storing a sparse table"), so `rank_strength[2 * row_offset[row] + column]` is the strength of a hand without
  flush. Rows begin at even cells, that 16 bits are enough for an offset.
- The lower 16 bits count the cards of each suit in one hexadecimal digit, from 3 on: five cards of a suit set
  the digit's top bit, and such a hand's strength is `flush_strength[ranks held in that suit]`. Of seven cards no
  flush can be beaten by quads or a full house made of the same cards, so nothing has to be compared.

The ranks in a suit come from the hand's *mask*, the sum of its cards' masks, bit `16 * suit + rank`.

So a caller who deals cards one by one, or keeps a board while hole cards change, adds keys and masks::

    card_key, card_mask, *strengths = tables
    strength_of_key(*strengths, START_KEY + board_key + hole_key, board_mask + hole_mask)

The number of cards, 5, 6 or 7, need not be given. Kernels take the arrays out of `EvaluatorTables` once, before
their loops: numba counts the references of an array that is taken out of a named tuple, at twice the cost of a
look-up. Called from Python a kernel answers with plain ints: make them `np.uint64` before they go into another.
"""

from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cache import cached_arrays
from engine.kernels.jit import kernel, register_warm_up

START_KEY = np.uint64(0x3333)
"""What the sum of a hand's keys starts from."""

STRENGTH_COUNT = 7462
ROW_BITS = 13
COLUMN_BITS = 14

# With this seed all 73,775 rank multisets of 5, 6 and 7 cards differ in the bits used; found by counting up from 0.
_RANK_KEY_SEED = 4

_FLUSH_BITS = np.uint64(0x8888)
# The flush bit of suit s is 2^(3 + 4s). Times this number it brings s to bits 62 and 63, 16s after the shift.
_SUIT_FACTOR = np.uint64(1 << 55 | 1 << 52 | 1 << 48 | 1 << 47)
_SUIT_SHIFT = np.uint64(58)
_SUIT_BITS = np.uint64(48)
_ROW_SHIFT = np.uint64(64 - ROW_BITS)
_COLUMN_SHIFT = np.uint64(64 - ROW_BITS - COLUMN_BITS)
_COLUMN_MASK = np.uint64((1 << COLUMN_BITS) - 1)
_SUIT_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)
_TWO = np.uint64(2)


class EvaluatorTables(NamedTuple):
    """The evaluator's read-only tables, 216 KB together; made by `tables()` and passed to kernels as one argument.

    Attributes
    ----------
    card_key : ndarray of uint64, shape (52,)
        What each card adds to a hand's key.
    card_mask : ndarray of uint64, shape (52,)
        Bit `16 * suit + rank` of each card.
    row_offset : ndarray of uint16, shape (2 ** ROW_BITS,)
        Half the place where each row of `rank_strength` begins.
    rank_strength : ndarray of int16
        Strength by cell; 0 in cells that no hand uses.
    flush_strength : ndarray of int16, shape (8192,)
        Strength by the set of ranks held in the flush suit; 0 where fewer than five.
    """

    card_key: NDArray[np.uint64]
    card_mask: NDArray[np.uint64]
    row_offset: NDArray[np.uint16]
    rank_strength: NDArray[np.int16]
    flush_strength: NDArray[np.int16]


@kernel
def flush_shift(flush: np.uint64) -> np.uint64:
    """Return 16 times the suit whose bit in a hand's key is set, `flush` being that bit alone."""
    return ((flush * _SUIT_FACTOR) >> _SUIT_SHIFT) & _SUIT_BITS


@kernel
def strength_without_flush(row_offset: NDArray[np.uint16], rank_strength: NDArray[np.int16], key: np.uint64) -> int:
    """Return the strength of the ranks of the 5, 6 or 7 cards whose keys were added up, flushes apart."""
    column = (key >> _COLUMN_SHIFT) & _COLUMN_MASK
    return rank_strength[column + _TWO * np.uint64(row_offset[key >> _ROW_SHIFT])]  # type: ignore[no-any-return]


@kernel
def strength_of_key(
    row_offset: NDArray[np.uint16],
    rank_strength: NDArray[np.int16],
    flush_strength: NDArray[np.int16],
    key: np.uint64,
    mask: np.uint64,
) -> int:
    """Return the strength of the 5, 6 or 7 cards whose keys and masks were added up (see the module)."""
    flush = key & _FLUSH_BITS
    if flush == np.uint64(0):
        # Not by calling `strength_without_flush`: arrays handed on twice are counted again.
        column = (key >> _COLUMN_SHIFT) & _COLUMN_MASK
        return rank_strength[column + _TWO * np.uint64(row_offset[key >> _ROW_SHIFT])]  # type: ignore[no-any-return]
    return flush_strength[(mask >> flush_shift(flush)) & _SUIT_RANKS]  # type: ignore[no-any-return]


@kernel
def strengths_of(tables: EvaluatorTables, hands: NDArray[np.uint8], out: NDArray[np.int16]) -> None:
    """Fill `out`, shape (n,), with the strengths of `hands`, C-ordered and of shape (n, 5), (n, 6) or (n, 7)."""
    card_key, card_mask, row_offset, rank_strength, flush_strength = tables
    cards = hands.reshape(hands.size)
    # Unsigned, as an index that might be negative costs more; and two hands at a time are a fifth faster.
    hand_count, count = np.uint64(hands.shape[0]), np.uint64(hands.shape[1])
    for i in range(np.uint64(0), hand_count, _TWO):
        last = min(i + _ONE, hand_count - _ONE)
        at, start, last_start = np.uint64(i), count * i, count * last
        key, last_key = START_KEY, START_KEY
        for j in range(count):
            key += card_key[cards[start + j]]
            last_key += card_key[cards[last_start + j]]
        for _ in range(_TWO):
            flush = key & _FLUSH_BITS
            if flush == np.uint64(0):
                out[at] = strength_without_flush(row_offset, rank_strength, key)
            else:  # one hand in 33; only then are the masks needed
                mask = np.uint64(0)
                for j in range(start, start + count):
                    mask += card_mask[cards[j]]
                out[at] = flush_strength[(mask >> flush_shift(flush)) & _SUIT_RANKS]
            key, at, start = last_key, last, last_start


_tables: EvaluatorTables | None = None


def tables() -> EvaluatorTables:
    """Return the evaluator's tables: read from the cache folder, or computed (0.3 s) and kept there.

    Examples
    --------
    >>> royal_flush, found = np.array([[48, 44, 40, 36, 32]], dtype=np.uint8), np.zeros(1, dtype=np.int16)
    >>> strengths_of(tables(), royal_flush, found)
    >>> found.tolist()
    [7462]
    """
    global _tables
    if _tables is None:
        arrays = cached_arrays("evaluator", _compute_tables)
        _tables = EvaluatorTables(**cast(Any, arrays))
    return _tables


def rank_multisets(count: int) -> NDArray[np.int64]:
    """Return every multiset of `count` ranks, none more than four times, as rows in rising order.

    Examples
    --------
    >>> len(rank_multisets(7))
    49205
    """
    rows = np.array(list(combinations_with_replacement(range(13), count)), dtype=np.int64)
    possible: NDArray[np.bool_] = (rows[:, 4:] != rows[:, :-4]).all(axis=1)
    return rows[possible]


def strengths_of_ranks(ranks: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return the strengths of hands without flush by their ranks alone.

    Parameters
    ----------
    ranks : ndarray of int64, shape (..., count)
        5, 6 or 7 ranks in the last axis, in any order.

    Returns
    -------
    ndarray of int16, shape (...)
        0 where a rank stands more than four times.

    Examples
    --------
    >>> strengths_of_ranks(np.array([[0, 1, 2, 3, 5], [9, 9, 9, 9, 9]])).tolist()
    [1, 0]
    """
    evaluator = tables()
    rank_key = evaluator.card_key[::4] - np.uint64(1)  # without the digit of the first suit
    sums = rank_key[ranks].sum(axis=-1, dtype=np.uint64)
    cells = 2 * evaluator.row_offset[sums >> _ROW_SHIFT].astype(np.int64)
    cells += ((sums >> _COLUMN_SHIFT) & _COLUMN_MASK).astype(np.int64)
    in_order = np.sort(ranks, axis=-1)
    is_possible = (in_order[..., 4:] != in_order[..., :-4]).all(axis=-1)
    return np.where(is_possible, evaluator.rank_strength[np.where(is_possible, cells, 0)], np.int16(0))


def _compute_tables() -> dict[str, NDArray[np.generic]]:
    """Compute the arrays of `EvaluatorTables` by name."""
    random = np.random.Generator(np.random.PCG64(_RANK_KEY_SEED))
    rank_key = random.integers(0, 1 << 48, 13, dtype=np.uint64) << np.uint64(16)
    cards = np.arange(52, dtype=np.uint64)
    ranks, suits = cards >> np.uint64(2), cards & np.uint64(3)

    five = rank_multisets(5)
    flushes = np.array(list(combinations(range(13), 5)))
    # Every five-card hand is one of the 6175 rank multisets or, when suited, of the 1287 rank sets.
    orders = np.concatenate([_five_card_order(five, False), _five_card_order(flushes, True)])
    strengths = np.empty(STRENGTH_COUNT, dtype=np.int16)
    strengths[np.argsort(orders)] = np.arange(1, STRENGTH_COUNT + 1)

    sums, values = _rank_strengths(five, strengths[: len(five)], rank_key)
    row_offset, rank_strength = _displace_rows(sums, values)
    return {
        "card_key": rank_key[ranks] + (np.uint64(1) << (np.uint64(4) * suits)),
        "card_mask": np.uint64(1) << (np.uint64(16) * suits + ranks),
        "row_offset": row_offset,
        "rank_strength": rank_strength,
        "flush_strength": _flush_strengths(flushes, strengths[len(five) :]),
    }


def _five_card_order(hands: NDArray[np.int64], is_flush: bool) -> NDArray[np.int64]:
    """Return numbers that order five-card hands, rows of ranks, as the rules of poker do."""
    held = (hands[:, :, None] == np.arange(13)).sum(axis=1)  # how many of each rank
    times = np.take_along_axis(held, hands, axis=1)
    # Ranks by how often they are held, then by height: pairs before kickers.
    ranks = -np.sort(-(16 * times + hands), axis=1) % 16
    pattern = -np.sort(-times, axis=1)
    wheel = (np.sort(hands, axis=1) == [0, 1, 2, 3, 12]).all(axis=1)
    run = (pattern[:, 0] == 1) & (ranks[:, 0] - ranks[:, 4] == 4)
    ranks[wheel] = [3, 2, 1, 0, 0]  # five high: the ace counts as one
    straight = wheel | run
    category = np.select(
        [straight & is_flush, pattern[:, 0] == 4, (pattern[:, 0] == 3) & (pattern[:, 3] == 2)],
        [8, 7, 6],
        np.select(
            [np.full(len(hands), is_flush), straight, pattern[:, 0] == 3, pattern[:, 2] == 2, pattern[:, 0] == 2],
            [5, 4, 3, 2, 1],
            0,
        ),
    )
    weights = 16 ** np.arange(4, -1, -1)
    order: NDArray[np.int64] = (category << 20) + ranks @ weights
    return order


def _rank_strengths(
    five: NDArray[np.int64], strengths: NDArray[np.int16], rank_key: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
    """Return the key sum and strength, flushes apart, of all multisets of 5, 6 and 7 ranks.

    Of more than five cards the best hand counts that leaves one of them out.
    """
    all_sums = [rank_key[five].sum(axis=1, dtype=np.uint64)]
    all_values = [strengths]
    for count in (6, 7):
        hands = rank_multisets(count)
        sums = rank_key[hands].sum(axis=1, dtype=np.uint64)
        order = np.argsort(all_sums[-1])
        smaller, values = all_sums[-1][order], all_values[-1][order]
        best = np.zeros(len(hands), dtype=np.int16)
        for left_out in range(count):
            at = np.searchsorted(smaller, sums - rank_key[hands[:, left_out]])
            np.maximum(best, values[at], out=best)
        all_sums.append(sums)
        all_values.append(best)
    return np.concatenate(all_sums), np.concatenate(all_values)


def _displace_rows(
    sums: NDArray[np.uint64], values: NDArray[np.int16]
) -> tuple[NDArray[np.uint16], NDArray[np.int16]]:
    """Lay the rows over one another, the fullest first, each at the first even offset where it fits."""
    order = np.argsort(sums)
    sums, values = sums[order], values[order]
    columns = ((sums >> _COLUMN_SHIFT) & _COLUMN_MASK).astype(np.int64)
    rows, starts, sizes = np.unique(sums >> _ROW_SHIFT, return_index=True, return_counts=True)
    row_offset = np.zeros(1 << ROW_BITS, dtype=np.uint16)
    taken = 0  # a bit per cell; Python's own big integers shift thousands of cells at once
    even = int("01" * len(sums), 2)
    cells = np.empty(len(sums), dtype=np.int64)
    for i in np.argsort(-sizes, kind="stable"):
        members = slice(starts[i], starts[i] + sizes[i])
        row = columns[members].tolist()
        blocked = 0
        for column in row:
            blocked |= taken >> column
        free = even & ~blocked
        offset = (free & -free).bit_length() - 1
        for column in row:
            taken |= 1 << (column + offset)
        row_offset[rows[i]] = offset // 2
        cells[members] = columns[members] + offset
    # Rows no hand uses keep offset 0; even from there every column is inside the table.
    rank_strength = np.zeros(max(int(cells.max()) + 1, 1 << COLUMN_BITS), dtype=np.int16)
    rank_strength[cells] = values
    return row_offset, rank_strength


def _flush_strengths(flushes: NDArray[np.int64], strengths: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the strength of the best flush in every set of ranks."""
    best = np.zeros(1 << 13, dtype=np.int16)
    best[(1 << flushes).sum(axis=1)] = strengths
    sets = np.arange(1 << 13)
    for _ in range(2):  # six and then seven cards of a suit
        for rank in range(13):
            np.maximum(best, np.where(sets >> rank & 1, best[sets & ~(1 << rank)], 0), out=best)
    return best


register_warm_up("hand evaluator", tables)
