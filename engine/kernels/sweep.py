"""Every combo at once against a weighted range, on all completions of a board.

Hands without flush are compared by their *rank pair* (two ranks, 91 of them), whose order the ranks of the board
decide alone: `walk_orders` holds it for all 6188 of those, so nothing is sorted here. A *walk* goes through the
rank pairs from the weakest on with running totals of the weight below, overall and for each card; what shares a
card with a combo is taken out by inclusion and exclusion (Johanson, Waugh, Bowling and Zinkevich, 2011,
"Accelerating best response calculation in large extensive games", section 5). A combo is worth `2 * won + tied`:
the weight below, once before its ties are added and once after.

One walk does for all boards that have the same ranks and flushes, 290 to 360 on a flop instead of 1176. It has two
sets of running totals: of the range's plain weights, and of each weight times the number of those boards that the
combo leaves possible. The second is what combos are worth that hold no card of the boards, and the first says what
has to be taken back from those that do.

On boards with three or more cards of a suit, combos with a flush are not in their rank pair: they are inserted at
their own strength, between the rank pairs that a flush beats and those that beat it.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, card_mask
from engine.kernels.cache import cached_arrays
from engine.kernels.evaluator import STRENGTH_COUNT, strengths_of_ranks, tables
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.vector import add_product4, add_scaled4, dot4, set_scaled4

_ONE = np.uint64(1)
_PAIR_COUNT = 91
_FIRST_SUITED = 104  # in an order: 91 to 103 are flushes of one card, from here on of two
_TIED = 256  # in an order: as strong as the one before
_NOTHING = 13  # the rank of a card that is not dealt; its cards 52 to 55 weigh nothing
_RANKS = 14
_CARDS = 4 * _RANKS
_FIELD = _CARDS * _RANKS
_PAIRS = _RANKS * (_RANKS + 1) // 2
_LANES = 24
_SEEN = _CARDS + 4

_PAIR_LIST = [(high, low) for high in range(13) for low in range(high + 1)]
_HIGH_RANK = np.array([high for high, _ in _PAIR_LIST] + list(range(13)) + [high for high, _ in _PAIR_LIST])
_LOW_RANK = np.array([low for _, low in _PAIR_LIST] + [_NOTHING] * 13 + [low for _, low in _PAIR_LIST])
# The second rank of a pair such as 77 is no other rank, so that its cards are not counted twice.
_OTHER_RANK = np.where(_HIGH_RANK == _LOW_RANK, _NOTHING, _LOW_RANK)
_PAIR_AT = np.array([[max(i, j) * (max(i, j) + 1) // 2 + min(i, j) for j in range(_RANKS)] for i in range(_RANKS)])
# Row i has C(rank + i, i + 1): the sum over the sorted ranks of a board numbers it among the 6188.
_CHOOSE = np.array([[comb(rank + i, i + 1) for rank in range(_RANKS)] for i in range(5)])
_WORST_FLUSH = 0b101111  # 7-5-4-3-2
_WORST_STRAIGHT_FLUSH = STRENGTH_COUNT - 9


class WalkOrders(NamedTuple):
    """The order in which walks go through hands; 1.4 MB.

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
        The flushes from the weakest to the strongest: 91 + rank for one card (beside any other of another suit),
        104 + rank pair for two; 256 as above, where a flush on the board stands before the first; -1 at the end.
    below_straight_flush : ndarray of int16, shape (2288,)
        How many of them are no straight flush.
    """

    by_ranks: NDArray[np.int16]
    below_flush: NDArray[np.int16]
    flush_row: NDArray[np.int16]
    by_suited: NDArray[np.int16]
    below_straight_flush: NDArray[np.int16]


_orders: WalkOrders | None = None


def walk_orders() -> WalkOrders:
    """Give the orders: read from the cache folder, or computed (0.3 s) and kept there."""
    global _orders
    if _orders is None:
        _orders = WalkOrders(**cast(Any, cached_arrays("walk_orders", _compute_orders)))
    return _orders


def _compute_orders() -> dict[str, NDArray[np.generic]]:
    flush_strength = tables().flush_strength
    boards = np.array(list(combinations_with_replacement(range(13), 5)))
    number = _CHOOSE[np.arange(5), boards].sum(axis=1)
    ranks = np.empty((len(boards), _PAIR_COUNT, 7), dtype=np.int64)
    ranks[:, :, :5] = boards[:, None]
    ranks[:, :, 5:] = _PAIR_LIST
    strengths = strengths_of_ranks(ranks)  # 0 for more than four of a rank, which nobody ever holds
    by_strength = np.argsort(strengths, axis=1, kind="stable")
    in_order = np.take_along_axis(strengths, by_strength, axis=1)
    by_ranks = np.empty(in_order.shape, dtype=np.int16)
    by_ranks[number] = by_strength
    by_ranks[number, 1:] += np.where(in_order[:, 1:] == in_order[:, :-1], _TIED, 0).astype(np.int16)
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
        hands = [(1 << rank, _PAIR_COUNT + rank) for rank in left if len(held) > 3]
        hands += [(1 << i | 1 << j, _FIRST_SUITED + i * (i + 1) // 2 + j) for i in left for j in left if j < i]
        ranks, items = np.array(hands).T
        strengths = flush_strength[board | ranks]
        by_strength = np.argsort(strengths, kind="stable")
        in_order = strengths[by_strength]
        is_tied = np.diff(in_order, prepend=flush_strength[board]) == 0
        flush_row[board] = row
        by_suited[row, : len(hands)] = items[by_strength] + _TIED * is_tied
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
        field that the walk needs: 0 of all combos, 1 to 4 without those of two cards of suit 0 to 3, 5 to 8
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
def lay_out(
    known: np.uint64,
    weights: NDArray[np.float64],
    fields: int,
    pair_weight: NDArray[np.float64],
    lanes: NDArray[np.float64],
    by_card: NDArray[np.float64],
    by_pair: NDArray[np.float64],
) -> None:
    """Lay out weights for walks.

    Parameters
    ----------
    known : uint64
        Mask of the cards that nobody holds; combos with them do not count.
    weights : ndarray of float64, shape (1326,)
    fields : int
        Which fields are needed, as bits; always field 0.
    pair_weight : ndarray of float64, shape (9 * 56 * 56,)
        Becomes by field the weight of each combo by its two cards, in either order.
    lanes : ndarray of float64, shape (9 * 24,)
        Becomes, by field: 1 for each two suits whose combos are in it; 1 for the suits that beside the field's own
        suit are not; 1 for the other suits where one card of it is enough to be out.
    by_card, by_pair : ndarray of float64, shapes (9 * 784,) and (9 * 105,)
        Become each field's weights summed by card and other rank, and by rank pair.
    """
    combo = 0
    for high in range(52):
        for low in range(high):
            if ((known >> np.uint64(high)) | (known >> np.uint64(low))) & _ONE == 0:
                pair_weight[high * _CARDS + low] = weights[combo]
                pair_weight[low * _CARDS + high] = weights[combo]
            combo += 1
    for field in range(9):
        if (fields >> field) & 1 == 0:
            continue
        lane = _LANES * field
        suit = (field - 1) & 3
        for first in range(4):
            for second in range(4):
                held = (first == suit) + (second == suit)
                lanes[lane + 4 * first + second] = field == 0 or held == 0 or (held == 1 and field < 5)
            lanes[lane + 16 + first] = field > 4 or (field > 0 and first == suit)
            lanes[lane + 20 + first] = field > 4 and first != suit
        for card in range(52):
            rank = card >> 2
            mask = lane + 4 * (card & 3)
            for other in range(13):
                start = card * _CARDS + 4 * other
                at = field * _CARDS * _CARDS + start
                if field > 0:
                    add_product4(pair_weight, at, 1.0, pair_weight, start, lanes, mask)
                add_scaled4(by_card, field * _FIELD + 4 * (_RANKS * other + rank), 1.0, pair_weight, at)
        for rank in range(13):
            for other in range(rank + 1):
                share = 0.5 if other == rank else 1.0
                at = field * _FIELD + 4 * (_RANKS * rank + other)
                by_pair[_PAIRS * field + _PAIR_AT[rank, other]] = share * dot4(by_card, at, lanes, 0)


@kernel
def walk(
    orders: WalkOrders,
    board: NDArray[np.uint8],
    known: np.uint64,
    classes: NDArray[np.int64],
    at_tie: float,
    pair_weight: NDArray[np.float64],
    lanes: NDArray[np.float64],
    by_card: NDArray[np.float64],
    by_pair: NDArray[np.float64],
    pair_worth: NDArray[np.float64],
    card_worth: NDArray[np.float64],
    excess: NDArray[np.float64],
) -> None:
    """Add up what all combos are worth.

    Parameters
    ----------
    orders : WalkOrders
    board : ndarray of uint8, shape (3,), (4,) or (5,)
    known : uint64
    classes : ndarray of int64, shape (n, 7)
        Of `_classes`.
    at_tie : float
        What a tie is worth, a win being worth 2.
    pair_weight, lanes, by_card, by_pair : ndarray of float64
        As `lay_out` leaves them.
    pair_worth, card_worth, excess : ndarray of float64, shapes (105,), (784,) and (56 * 56,)
        Added to: what a combo is worth is `pair_worth` of its rank pair, less `card_worth` of each card with the
        other's rank, less `excess` of its two cards in both orders.
    """
    by_ranks, below_flush, flush_row = orders.by_ranks, orders.below_flush, orders.flush_row
    by_suited, below_straight_flush = orders.by_suited, orders.below_straight_flush
    missing = 5 - board.shape[0]
    # In each of these the plain weights come first, and then those of the class's field.
    weights = np.zeros(2 * _FIELD)
    weights_by_pair = np.zeros(2 * _PAIRS)
    running = np.zeros(2 * _CARDS)
    below = np.zeros(2)
    beside_flush = np.zeros(3 * _CARDS)
    seen = np.zeros(_PAIRS * _SEEN)  # plain running totals at the rank pairs with a rank that completes the board
    times = np.zeros(_CARDS)  # on how many of the class's boards each card is
    group_of = np.zeros(_PAIRS, dtype=np.int64)
    items = np.zeros(2 * _PAIR_COUNT, dtype=np.int64)
    firsts = np.zeros(16, dtype=np.int64)
    seconds = np.zeros(16, dtype=np.int64)
    ranks_held = np.zeros(_RANKS, dtype=np.int64)
    for number in range(classes.shape[0]):
        suit, suited_count, field = classes[number, 0], classes[number, 1], classes[number, 6]
        lane = _LANES * field
        pairs = _CARDS * _CARDS * field
        for i in range(_FIELD):
            weights[i] = by_card[_FIELD * field + i]
        for i in range(_PAIRS):
            weights_by_pair[i] = by_pair[_PAIRS * field + i]
        for choice in range(_RANKS * _RANKS):
            first_rank, second_rank = choice // _RANKS, choice % _RANKS
            if (first_rank == _NOTHING) != (missing == 0) or (second_rank == _NOTHING) != (missing < 2):
                continue
            if first_rank > second_rank:
                continue

            # 1. The boards of this class with these ranks.
            is_pair = missing == 2 and first_rank == second_rank
            mask = classes[number, 5 if is_pair else 4]
            boards = 0
            for i in range(16):
                first, second = 4 * first_rank + (i >> 2), 4 * second_rank + (i & 3)
                taken = (known >> np.uint64(first)) | (known >> np.uint64(second))
                if (mask >> i) & 1 != 0 and taken & _ONE == 0:
                    firsts[boards] = first
                    seconds[boards] = second
                    boards += 1
            if boards == 0:
                continue

            # 2. The field: each combo's weight times the boards it leaves possible.
            for i in range(_FIELD):
                weights[_FIELD + i] = boards * weights[i]
            for i in range(_PAIRS):
                weights_by_pair[_PAIRS + i] = boards * weights_by_pair[i]
            for i in range(_CARDS):
                times[i] = 0.0
            for i in range(boards):
                first, second = int(firsts[i]), int(seconds[i])
                times[first] += 1.0
                times[second] += 1.0
                # Below it is taken out with both of its cards.
                weight = pair_weight[pairs + first * _CARDS + second]
                weights[_FIELD + 4 * (_RANKS * first_rank + second_rank) + (first & 3)] += weight
                weights[_FIELD + 4 * (_RANKS * second_rank + first_rank) + (second & 3)] += weight
                weights_by_pair[_PAIRS + _PAIR_AT[first_rank, second_rank]] += weight
            for side in range(1 if is_pair else missing):
                rank = second_rank if side == 1 else first_rank
                for card in range(4 * rank, 4 * rank + 4):
                    if times[card] == 0.0:
                        continue
                    for other in range(13):
                        at = 4 * (_RANKS * rank + other) + (card & 3)
                        weight = times[card] * weights[at]
                        weights[_FIELD + at] -= weight
                        weights_by_pair[_PAIRS + _PAIR_AT[rank, other]] -= weight
                        at = _FIELD + 4 * (_RANKS * other + rank)
                        add_scaled4(weights, at, -times[card], pair_weight, pairs + card * _CARDS + 4 * other)

            # 3. What the walk goes through.
            for i in range(board.shape[0]):
                ranks_held[board[i] >> 2] += 1
            ranks_held[first_rank] += 1
            ranks_held[second_rank] += 1
            row = 0
            at = 0
            held = np.int64(0)
            for rank in range(_RANKS):
                while ranks_held[rank] > 0:
                    ranks_held[rank] -= 1
                    row += _CHOOSE[at, rank] if at < 5 else 0
                    at += 1
            for i in range(_PAIR_COUNT):
                items[i] = by_ranks[row, i]
            count = _PAIR_COUNT
            if suit >= 0:
                for i in range(board.shape[0]):
                    if board[i] & 3 == suit:
                        held |= 1 << np.int64(board[i] >> 2)
                held |= classes[number, 2] << first_rank | classes[number, 3] << second_rank
                row_of_suit = flush_row[held]
                weakest = int(below_flush[row])
                straight_flushes = int(below_straight_flush[row_of_suit])
                if suited_count == 5:
                    weakest = _PAIR_COUNT
                    for i in range(1, _PAIR_COUNT):
                        items[i] |= _TIED
                count = weakest
                at = 0
                for part in range(2):
                    while at < 45 and by_suited[row_of_suit, at] >= 0 and (part == 1 or at < straight_flushes):
                        items[count] = by_suited[row_of_suit, at]
                        count += 1
                        at += 1
                    for i in range(weakest if part == 0 else _PAIR_COUNT, _PAIR_COUNT):
                        items[count] = by_ranks[row, i]
                        count += 1
                for card in range(_CARDS):
                    is_other = lanes[lane + 20 + (card & 3)]
                    beside_flush[card] = is_other
                    beside_flush[_CARDS + card] = is_other * (boards - times[card])
                    beside_flush[2 * _CARDS + card] = is_other * times[card]

            # 4. The walk.
            completing = 1 << first_rank | 1 << second_rank
            for i in range(2 * _CARDS):
                running[i] = 0.0
            below[0] = 0.0
            below[1] = 0.0
            start = 0
            while start < count:
                end = start + 1
                while end < count and items[end] >= _TIED:
                    end += 1
                for step in range(3):
                    factor = at_tie if step == 0 else 2 - at_tie
                    for i in range(start, end):
                        item = items[i] & (_TIED - 1)
                        high, low, other = _HIGH_RANK[item], _LOW_RANK[item], _OTHER_RANK[item]
                        high_at, other_at = 4 * (_RANKS * high + low), 4 * (_RANKS * other + high)
                        high_card, low_card = 4 * high + suit, 4 * low + suit
                        at = high_card * _CARDS + low_card
                        if item < _PAIR_COUNT:
                            if step != 1:
                                for f in range(2):
                                    add_scaled4(
                                        running, _CARDS * f + 4 * high, factor, weights, _FIELD * f + high_at
                                    )
                                    add_scaled4(
                                        running, _CARDS * f + 4 * other, factor, weights, _FIELD * f + other_at
                                    )
                                    below[f] += factor * weights_by_pair[_PAIRS * f + item]
                                continue
                            group_of[item] = start
                            pair_worth[item] += below[1]
                            add_scaled4(card_worth, high_at, 1.0, running, _CARDS + 4 * high)
                            add_scaled4(card_worth, other_at, 1.0, running, _CARDS + 4 * other)
                            if (completing >> high | completing >> low) & 1 != 0:
                                for rank in range(_RANKS):
                                    set_scaled4(seen, _SEEN * item + 4 * rank, 1.0, running, 4 * rank)
                                seen[_SEEN * item + _CARDS] = below[0]
                            if suit >= 0:
                                # Not for combos that have a flush.
                                worth = below[1] - running[_CARDS + high_card]
                                at = high_card * _CARDS + 4 * low
                                add_scaled4(excess, at, worth, lanes, lane + 16)
                                add_product4(excess, at, -1.0, running, _CARDS + 4 * low, lanes, lane + 16)
                                worth = below[1] - running[_CARDS + 4 * other + suit]
                                at = (4 * other + suit) * _CARDS + 4 * high
                                add_scaled4(excess, at, worth, lanes, lane + 20)
                                add_product4(excess, at, -1.0, running, _CARDS + 4 * high, lanes, lane + 20)
                        elif item >= _FIRST_SUITED:
                            if step != 1:
                                for f in range(2):
                                    weight = (boards if f == 1 else 1.0) * factor * pair_weight[at]
                                    running[_CARDS * f + high_card] += weight
                                    running[_CARDS * f + low_card] += weight
                                    below[f] += weight
                            else:
                                excess[at] -= below[1] - running[_CARDS + high_card] - running[_CARDS + low_card]
                        elif step != 1:
                            for f in range(2):
                                for rank in range(13):
                                    at = high_card * _CARDS + 4 * rank
                                    mask = _CARDS * f + 4 * rank
                                    add_product4(running, mask, factor, pair_weight, at, beside_flush, mask)
                                    weight = factor * dot4(pair_weight, at, beside_flush, mask)
                                    running[_CARDS * f + high_card] += weight
                                    below[f] += weight
                        else:
                            for rank in range(13):
                                at = high_card * _CARDS + 4 * rank
                                worth = running[_CARDS + high_card] - below[1]
                                add_scaled4(excess, at, worth, beside_flush, 4 * rank)
                                add_product4(excess, at, 1.0, running, _CARDS + 4 * rank, beside_flush, 4 * rank)
                                # On boards with the combo's other card.
                                mask = 2 * _CARDS + 4 * rank
                                add_scaled4(excess, at, below[0] - running[high_card], beside_flush, mask)
                                add_product4(excess, at, -1.0, running, 4 * rank, beside_flush, mask)
                                add_product4(excess, at, at_tie, pair_weight, at, beside_flush, mask)
                start = end

            # 5. Combos with a card of a board: what the walk added to them for that board.
            for i in range(boards):
                for side in range(missing):
                    card, across = firsts[i], seconds[i]
                    if side == 1:
                        card, across = seconds[i], firsts[i]
                    mask = lane + 4 * (card & 3)
                    cross = group_of[_PAIR_AT[card >> 2, across >> 2]]
                    for other in range(13):
                        item = _PAIR_AT[card >> 2, other]
                        here, beyond = group_of[item], group_of[_PAIR_AT[across >> 2, other]]
                        at = _SEEN * item
                        worth = seen[at + _CARDS] - seen[at + card] - seen[at + across]
                        share = 2.0 if cross < here else at_tie if cross == here else 0.0
                        worth += share * pair_weight[pairs + card * _CARDS + across]
                        share = 2.0 if beyond < here else at_tie if beyond == here else 0.0
                        start = pairs + card * _CARDS + 4 * other
                        end = card * _CARDS + 4 * other
                        add_scaled4(excess, end, worth, lanes, mask)
                        add_product4(excess, end, -1.0, seen, at + 4 * other, lanes, mask)
                        add_scaled4(excess, end, at_tie, pair_weight, start)
                        start = pairs + across * _CARDS + 4 * other
                        add_product4(excess, end, share, pair_weight, start, lanes, mask)
                if missing == 2:
                    # Counted with both of its cards, each time as if the other one could still be held.
                    first, second = firsts[i], seconds[i]
                    at = _SEEN * _PAIR_AT[first_rank, second_rank]
                    worth = seen[at + _CARDS] - 2 * (seen[at + first] + seen[at + second])
                    worth += 3 * at_tie * pair_weight[pairs + first * _CARDS + second]
                    excess[first * _CARDS + second] -= worth * lanes[lane + 4 * (first & 3) + (second & 3)]


@kernel
def add_up(
    known: np.uint64,
    completions: float,
    at_tie: float,
    pair_weight: NDArray[np.float64],
    by_card: NDArray[np.float64],
    pair_worth: NDArray[np.float64],
    card_worth: NDArray[np.float64],
    excess: NDArray[np.float64],
    worth: NDArray[np.float64],
    beside: NDArray[np.float64],
) -> None:
    """Put together what each combo is worth, and the weight it can meet; a combo's own weight was in all of it."""
    card_total = np.zeros(52)
    card_met = np.zeros(52, dtype=np.int64)
    total = 0.0
    met = 0
    for card in range(52):
        for rank in range(13):
            card_total[card] += by_card[4 * (_RANKS * (card >> 2) + rank) + (card & 3)]
        for other in range(52):
            card_met[card] += np.int64(pair_weight[card * _CARDS + other] > 0.0)
        total += 0.5 * card_total[card]
        met += card_met[card]
    combo = 0
    for high in range(52):
        for low in range(high):
            if ((known >> np.uint64(high)) | (known >> np.uint64(low))) & _ONE == 0:
                weight = pair_weight[high * _CARDS + low]
                if met // 2 - card_met[high] - card_met[low] + np.int64(weight > 0.0) > 0:
                    beside[combo] = total - card_total[high] - card_total[low] + weight
                high_rank, low_rank = high >> 2, low >> 2
                worth[combo] = (
                    pair_worth[_PAIR_AT[high_rank, low_rank]]
                    - card_worth[4 * (_RANKS * high_rank + low_rank) + (high & 3)]
                    - card_worth[4 * (_RANKS * low_rank + high_rank) + (low & 3)]
                    + at_tie * completions * weight
                    - excess[high * _CARDS + low]
                    - excess[low * _CARDS + high]
                )
            combo += 1


def sweep_range(
    board: Sequence[int], dead: Sequence[int], weights: NDArray[np.float64], at_tie: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find what every combo wins against one weighted range, over all completions of a board.

    Parameters
    ----------
    board : sequence of int
        3, 4 or 5 cards.
    dead : sequence of int
        Other cards that nobody can hold.
    weights : ndarray of float64, shape (1326,)
        Of the range that every combo meets. Blocked combos do not count.
    at_tie : float
        What a tie is worth: 1 where a win is worth 2, or 0 to leave ties out.

    Returns
    -------
    worth : ndarray of float64, shape (1326,)
        The sum, over completions and the range's combos, of their weight times 2 where a combo wins or `at_tie`
        where it ties; 0 where it is blocked.
    beside : ndarray of float64, shape (1326,)
        The weight of the range's combos that share no card with a combo; exactly 0 where there are none.

    Notes
    -----
    Sums and differences of weights throughout: whole numbers give whole numbers, exactly below 2^53. Otherwise an
    error of `worth`, per completion, stays below 1e-11 of the largest weight.
    """
    missing = 5 - len(board)
    known = np.uint64(card_mask((*board, *dead)))
    suits = [card & 3 for card in board]
    classes = _classes(tuple(suits.count(suit) for suit in range(4)), missing)
    fields = 1
    for field in classes[:, -1].tolist():
        fields |= 1 << field
    count = fields.bit_length()
    pair_weight, excess = np.zeros(count * _CARDS * _CARDS), np.zeros(_CARDS * _CARDS)
    lanes, by_card, by_pair = np.zeros(count * _LANES), np.zeros(count * _FIELD), np.zeros(count * _PAIRS)
    pair_worth, card_worth = np.zeros(_PAIRS), np.zeros(_FIELD)
    worth, beside = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    lay_out(known, weights, fields, pair_weight, lanes, by_card, by_pair)
    walk(
        walk_orders(),
        np.array(board, dtype=np.uint8),
        known,
        classes,
        at_tie,
        pair_weight,
        lanes,
        by_card,
        by_pair,
        pair_worth,
        card_worth,
        excess,
    )
    completions = float(comb(CARD_COUNT - len(board) - len(dead) - 2, missing))
    add_up(known, completions, at_tie, pair_weight, by_card, pair_worth, card_worth, excess, worth, beside)
    return worth, beside


def _warm_up() -> None:
    sweep_range((8, 13, 18, 23), (), np.ones(COMBO_COUNT), 1.0)


register_warm_up("every combo at once", _warm_up)
