"""The order in which hands stand at showdown on the completions of a board, and which completions share it.

Hands without flush are compared by their *rank pair* (two ranks, 91 of them), whose order the ranks of the board
decide alone: `showdown_orders` holds it for all 6188 of those, so nothing is sorted here. On boards with three or
more cards of a suit, combos with a flush are not in their rank pair: they are inserted at their own strength,
between the rank pairs that a flush beats and those that beat it.

One *pass* over the hands does for all boards of the same ranks and flushes, 290 to 360 on a flop instead of 1176.
"""

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import PAIR_COUNT
from engine.kernels.cache import cached_arrays
from engine.kernels.evaluator import STRENGTH_COUNT, strengths_of_ranks, tables
from engine.kernels.jit import kernel

_ONE = np.uint64(1)
FIRST_SUITED = 104  # in an order: 91 to 103 are flushes of one card, from here on of two
TIED = 256  # in an order: as strong as the one before
NO_RANK = 13  # the rank of a card that is not dealt; its cards 52 to 55 weigh nothing
RANKS = 14  # the last for a card that is not there
CARDS = 4 * RANKS

_PAIR_LIST = [(high, low) for high in range(13) for low in range(high + 1)]
HIGH_RANK = np.array([high for high, _ in _PAIR_LIST] + list(range(13)) + [high for high, _ in _PAIR_LIST])
LOW_RANK = np.array([low for _, low in _PAIR_LIST] + [NO_RANK] * 13 + [low for _, low in _PAIR_LIST])
# Row i has C(rank + i, i + 1): the sum over the sorted ranks of a board numbers it among the 6188.
_CHOOSE = np.array([[comb(rank + i, i + 1) for rank in range(RANKS)] for i in range(5)])
_WORST_FLUSH = 0b101111  # 7-5-4-3-2
_WORST_STRAIGHT_FLUSH = STRENGTH_COUNT - 9


class ShowdownOrders(NamedTuple):
    """Rank pairs and flushes from the weakest to the strongest; 1.4 MB.

    Attributes
    ----------
    by_ranks : ndarray of int16, shape (6188, 91)
        By a board's ranks the rank pairs `high * (high + 1) / 2 + low` from the weakest to the strongest, flushes
        apart; 256 is added to those as strong as the one before.
    below_flush : ndarray of int16, shape (6188,)
        How many of them any flush beats.
    flush_row : ndarray of int16, shape (8192,)
        By the set of ranks that a board has in a suit, three to five, the row of the others.
    by_suited : ndarray of int16, shape (2288, 45)
        The flushes from the weakest to the strongest: 91 + rank for one card (with any other of another suit),
        104 + rank pair for two; 256 as above, where a flush on the board stands before the first; -1 at the end.
    below_straight_flush : ndarray of int16, shape (2288,)
        How many of them are no straight flush.
    """

    by_ranks: NDArray[np.int16]
    below_flush: NDArray[np.int16]
    flush_row: NDArray[np.int16]
    by_suited: NDArray[np.int16]
    below_straight_flush: NDArray[np.int16]


_orders: ShowdownOrders | None = None


def showdown_orders() -> ShowdownOrders:
    """Return the orders: read from the cache folder, or computed (0.3 s) and kept there."""
    global _orders
    if _orders is None:
        _orders = ShowdownOrders(**cast(Any, cached_arrays("showdown_orders", _compute_orders)))
    return _orders


def _compute_orders() -> dict[str, NDArray[np.generic]]:
    flush_strength = tables().flush_strength
    boards = np.array(list(combinations_with_replacement(range(13), 5)))
    number = _CHOOSE[np.arange(5), boards].sum(axis=1)
    ranks = np.empty((len(boards), PAIR_COUNT, 7), dtype=np.int64)
    ranks[:, :, :5] = boards[:, None]
    ranks[:, :, 5:] = _PAIR_LIST
    strengths = strengths_of_ranks(ranks)  # 0 for more than four of a rank, which nobody ever holds
    by_strength = np.argsort(strengths, axis=1, kind="stable")
    in_order = np.take_along_axis(strengths, by_strength, axis=1)
    by_ranks = np.empty(in_order.shape, dtype=np.int16)
    by_ranks[number] = by_strength
    by_ranks[number, 1:] += np.where(in_order[:, 1:] == in_order[:, :-1], TIED, 0).astype(np.int16)
    below_flush = np.empty(len(boards), dtype=np.int16)
    below_flush[number] = (strengths < flush_strength[_WORST_FLUSH]).sum(axis=1)
    return {"by_ranks": by_ranks, "below_flush": below_flush} | _compute_flush_orders(flush_strength)


def _compute_flush_orders(flush_strength: NDArray[np.int16]) -> dict[str, NDArray[np.generic]]:
    suited_sets = [held for count in (3, 4, 5) for held in combinations(range(13), count)]
    flush_row = np.zeros(1 << 13, dtype=np.int16)
    by_suited = np.full((len(suited_sets), 45), -1, dtype=np.int16)
    below_straight_flush = np.zeros(len(suited_sets), dtype=np.int16)
    for row, held in enumerate(suited_sets):
        board = sum(1 << rank for rank in held)
        left = [rank for rank in range(13) if rank not in held]
        hands = [(1 << rank, PAIR_COUNT + rank) for rank in left if len(held) > 3]
        hands += [(1 << i | 1 << j, FIRST_SUITED + i * (i + 1) // 2 + j) for i in left for j in left if j < i]
        ranks, items = np.array(hands).T
        strengths = flush_strength[board | ranks]
        by_strength = np.argsort(strengths, kind="stable")
        in_order = strengths[by_strength]
        is_tied = np.diff(in_order, prepend=flush_strength[board]) == 0
        flush_row[board] = row
        by_suited[row, : len(hands)] = items[by_strength] + TIED * is_tied
        below_straight_flush[row] = (in_order < _WORST_STRAIGHT_FLUSH).sum()
    return {"flush_row": flush_row, "by_suited": by_suited, "below_straight_flush": below_straight_flush}


@lru_cache(maxsize=256)
def _classes(in_suit: tuple[int, ...], missing: int) -> NDArray[np.int64]:
    """Sort the suits of the cards that complete a board, given how many of each it has, by the flushes they make.

    Returns
    -------
    ndarray of int64, shape (n, 7)
        The suit of the flush or -1, its cards on the board, whether the first and the second card are of it, the
        cards' suits as bits `4 * first + second`, the same for two cards of one rank (first > second), and the
        field that the pass needs: 0 of all combos, 1 to 4 without those of two cards of suit 0 to 3, 5 to 8
        without those of one.
    """
    classes: dict[tuple[int, int, bool, bool], list[int]] = {}
    for first in range(4 if missing > 0 else 1):
        for second in range(4 if missing > 1 else 1):
            key = (-1, 0, False, False)
            for suit in range(4):
                has_first, has_second = missing > 0 and first == suit, missing > 1 and second == suit
                if in_suit[suit] + has_first + has_second >= 3:
                    key = (suit, in_suit[suit] + has_first + has_second, has_first, has_second)
            classes.setdefault(key, [0, 0])[0] |= 1 << (4 * first + second)
            if missing > 1 and first > second:
                # Which of two cards of a rank has the suit is all the same.
                key = (key[0], key[1], key[2] or key[3], False)
                classes.setdefault(key, [0, 0])[1] |= 1 << (4 * first + second)
    rows = [(*key, *masks, 0 if key[0] < 0 else 1 + key[0] + 4 * (key[1] > 3)) for key, masks in classes.items()]
    return np.array(sorted(rows, key=lambda row: row[-1]), dtype=np.int64)


@kernel
def list_passes(
    orders: ShowdownOrders,
    board: NDArray[np.uint8],
    known: np.uint64,
    classes: NDArray[np.int64],
    passes: NDArray[np.int64],
    items: NDArray[np.int16],
) -> int:
    """List the passes that do for all completions of a board, and the hands of each in order.

    Parameters
    ----------
    orders : ShowdownOrders
    board : ndarray of uint8, shape (3,), (4,) or (5,)
    known : uint64
        Mask of the board's cards and of those that cannot come.
    classes : ndarray of int64, shape (n, 7)
        Of `_classes`.
    passes : ndarray of int64, shape (n, 6)
        Filled, by pass: field; suit of the flushes or -1; the two ranks that complete the boards; which suits of
        these do, as bits `4 * first + second`; number of items.
    items : ndarray of int16, shape (n, 136)
        Filled, by pass: rank pairs and flushes as in `orders`.

    Returns
    -------
    int
        The number of passes.
    """
    by_ranks, below_flush, flush_row = orders.by_ranks, orders.below_flush, orders.flush_row
    by_suited, below_straight_flush = orders.by_suited, orders.below_straight_flush
    missing = 5 - board.shape[0]
    ranks_held = np.zeros(RANKS, dtype=np.int64)
    suited = np.zeros(5, dtype=np.int64)  # ranks as bits; the last is for no suit
    for i in range(board.shape[0]):
        ranks_held[board[i] >> 2] += 1
        suited[board[i] & 3] |= 1 << np.int64(board[i] >> 2)
    pass_count = 0
    for choice in range(RANKS * RANKS):
        first_rank, second_rank = choice // RANKS, choice % RANKS
        if (first_rank == NO_RANK) != (missing == 0) or (second_rank == NO_RANK) != (missing < 2):
            continue
        if first_rank > second_rank:
            continue
        ranks_held[first_rank] += 1
        ranks_held[second_rank] += 1
        row = 0
        at = 0
        for rank in range(13):
            for _ in range(ranks_held[rank]):
                row += _CHOOSE[at, rank] if at < 5 else 0
                at += 1
        ranks_held[first_rank] -= 1
        ranks_held[second_rank] -= 1
        for number in range(classes.shape[0]):
            boards = classes[number, 5 if missing == 2 and first_rank == second_rank else 4]
            for i in range(16):
                first, second = np.uint64(4 * first_rank + (i >> 2)), np.uint64(4 * second_rank + (i & 3))
                if ((known >> first) | (known >> second)) & _ONE != 0:
                    boards &= ~(1 << i)
            if boards == 0:
                continue
            count = 0
            weakest = PAIR_COUNT  # of the rank pairs that beat flushes
            suit = classes[number, 0]
            row_of_suit = 0
            if suit >= 0:
                weakest = int(below_flush[row])
                held = suited[suit] | classes[number, 2] << first_rank | classes[number, 3] << second_rank
                row_of_suit = int(flush_row[held])
            is_flush = classes[number, 1] == 5
            if is_flush:
                weakest = PAIR_COUNT
            straight_flushes = below_straight_flush[row_of_suit]
            at = 0
            for i in range(PAIR_COUNT + 1):
                # Flushes stand before the rank pairs that beat them, straight flushes at the end.
                while suit >= 0 and i >= weakest and at < 45 and by_suited[row_of_suit, at] >= 0:
                    if i < PAIR_COUNT and at >= straight_flushes:
                        break
                    items[pass_count, count] = by_suited[row_of_suit, at]
                    count += 1
                    at += 1
                if i < PAIR_COUNT:
                    item = by_ranks[row, i]
                    items[pass_count, count] = item | TIED if is_flush and i > 0 else item
                    count += 1
            passes[pass_count, 0] = classes[number, 6]
            passes[pass_count, 1] = suit
            passes[pass_count, 2] = first_rank
            passes[pass_count, 3] = second_rank
            passes[pass_count, 4] = boards
            passes[pass_count, 5] = count
            pass_count += 1
    return pass_count


@lru_cache(maxsize=64)
def passes_over(board: tuple[int, ...], known: int) -> tuple[NDArray[np.int64], NDArray[np.int16], int]:
    """Return the passes over a board, their hands in order (up to 100 KB) and the fields they need."""
    missing = 5 - len(board)
    suits = [card & 3 for card in board]
    classes = _classes(tuple(suits.count(suit) for suit in range(4)), missing)
    most = len(classes) * (1, 13, 91)[missing]
    passes, items = np.empty((most, 6), dtype=np.int64), np.empty((most, 136), dtype=np.int16)
    count = list_passes(
        showdown_orders(), np.array(board, dtype=np.uint8), np.uint64(known), classes, passes, items
    )
    passes, items = passes[:count], items[:count].copy()
    fields = 1
    for field in set(passes[:, 0].tolist()):
        fields |= 1 << field
    passes.setflags(write=False)
    items.setflags(write=False)
    return passes, items, fields


@lru_cache(maxsize=512)
def river_order(board: tuple[int, ...]) -> tuple[NDArray[np.int16], int]:
    """Return the hands of a complete board in order, and the suit of its flushes or -1."""
    suits = [card & 3 for card in board]
    classes = _classes(tuple(suits.count(suit) for suit in range(4)), 0)
    passes, items = np.empty((1, 6), dtype=np.int64), np.empty((1, 136), dtype=np.int16)
    list_passes(showdown_orders(), np.array(board, dtype=np.uint8), np.uint64(0), classes, passes, items)
    in_order = items[0, : passes[0, 5]]
    in_order.setflags(write=False)
    return in_order, int(passes[0, 1])
