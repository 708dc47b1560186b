"""One known hand against up to three ranges on a flop, turn or river, over all cards to come.

Hands of opponents may not share a card. With `B_x` the weight of a range's combos that hold the card x, the pairs
of combos of two ranges that are disjoint weigh

    (sum B)(sum C) - sum_x B_x C_x + sum_d b_d c_d

by inclusion and exclusion: a clash is a card in common, and the same combo has two. For three ranges every pair may
clash, which adds the chains (one combo clashes with both others) and what clashes all around: a common card, or a
triangle xy, yz, zx, whose weight is the trace of the product of the three 52 x 52 matrices of weights. So nothing
has to be listed, and a range may hold all combos at no extra cost.

Who ties shares the pot: where no opponent is stronger and k are as strong as the hero, the hero gets 1 / (k + 1).
Against three that is done by giving combos as strong as the hero's the weight t: 1 / (k + 1) is the integral of t^k
over 0 to 1, and that of a polynomial in t up to the third degree is exact by Gauss and Legendre's two nodes.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT
from engine.kernels.equity.showdown import ITEM_STARTS, ITEMS
from engine.kernels.evaluator import EvaluatorTables, strength_without_flush, tables
from engine.kernels.jit import kernel, register_warm_up

Sums = NDArray[np.float64]
Marks = NDArray[np.int64]

_MOST_RANGES = 3
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)

# The 47 cards at most that are not known are numbered again: rows of 48 numbers are what the processor takes best.
_CARDS = 48
_NO_CARD = 47  # stands for known cards, and where no card is to come
_WHOLE = 48  # the column for the sum of all cards
_KINDS = 26  # of cards: 13 ranks outside a suit and 13 in it
_SIZES = np.array([1, 1, 2, 1, 2, 2, 3])  # of the subsets of three
_NODES = np.array([0.5 - 0.5 / np.sqrt(3.0), 0.5 + 0.5 / np.sqrt(3.0)])
_SURE = 1 << 20  # more than any strength

# Two of three ranges, both together and the third one as subsets, and the three as players.
_TWO_OF_THREE = np.array([(0, 1, 2, 3, 0, 1, 2), (1, 3, 5, 0, 1, 2, 0), (3, 0, 4, 1, 2, 0, 1)])

# Where sums by card are kept, by subset: of combos weaker than the hero's, as strong, and both at a node.
_BELOW, _TIED, _AT_NODE = 0, 8, 16


class _Hand(NamedTuple):
    """What is known of a question.

    Attributes
    ----------
    number_of : ndarray of int64, shape (56,)
        By card its number among those that are not known, or 47.
    held : ndarray of int64, shape (4, 4)
        By suit the ranks on the board, those in the hand, and how many the board has; last the pair of hole ranks.
    rank_key : ndarray of uint64, shape (15,)
        What a card of a rank adds to a key, nothing for no rank; last the board's key.
    boards : ndarray of int64, shape (5, items)
        Of `_list_boards`.
    """

    number_of: NDArray[np.int64]
    held: NDArray[np.int64]
    rank_key: NDArray[np.uint64]
    boards: Marks


class _Work(NamedTuple):
    """Work space.

    Attributes
    ----------
    rows : ndarray of float64, shape (subsets * 26, 48)
        By subset of the ranges the weights of all cards of a kind with another card.
    kind : ndarray of int64, shape (48,)
        Each card's kind.
    pair_strength : ndarray of int64, shape (169,)
    by_kind, shares : ndarray of float64, shapes (52, 26) and (52, 49)
        Of `_fill_shares`.
    base : ndarray of float64, shape (16, 49)
        The sums by card before cards to come are taken out, of weaker combos and from row 8 on of those as strong.
    by_card, sums : ndarray of float64, shapes (24, 48) and (24,)
        The sums without the cards to come.
    scratch : ndarray of float64, shape (48,)
    triangles : ndarray of float64, shape (2, 49)
        Of `_fill_triangles`.
    """

    rows: Sums
    kind: NDArray[np.int64]
    pair_strength: NDArray[np.int64]
    by_kind: Sums
    shares: Sums
    base: Sums
    by_card: Sums
    sums: Sums
    scratch: Sums
    triangles: Sums


def _new_work(subsets: int) -> _Work:
    return _Work(
        rows=np.zeros((subsets * _KINDS, _CARDS)),
        kind=np.zeros(_CARDS, dtype=np.int64),
        pair_strength=np.zeros(169, dtype=np.int64),
        by_kind=np.zeros((2 * _KINDS, _KINDS)),
        shares=np.zeros((2 * _KINDS, _CARDS + 1)),
        base=np.zeros((2 * 8, _CARDS + 1)),
        by_card=np.zeros((3 * 8, _CARDS)),
        sums=np.zeros(3 * 8),
        scratch=np.zeros(_CARDS),
        triangles=np.zeros((2, _CARDS + 1)),
    )


@kernel
def _fill_shares(flush_strength: NDArray[np.int16], kinds: int, suited: int, hero: int, work: _Work) -> None:
    """Find by kind of card and other card if combos are weaker than the hero's, and from row 26 on if as strong.

    The last column says if any of the row are. With 13 kinds there are no flushes.
    """
    pair_strength, kind, by_kind, shares = work.pair_strength, work.kind, work.by_kind, work.shares
    flush = np.int64(0)
    for row in range(kinds):
        rank, held = row, suited
        if row >= 13:
            rank, held = row - 13, suited | 1 << (row - 13)
        if kinds > 13:
            flush = np.int64(flush_strength[held])
        weaker, equal = np.int64(0), np.int64(0)
        for other in range(13):
            strength = max(pair_strength[13 * rank + other], flush)
            below, tied = np.int64(strength < hero), np.int64(strength == hero)
            by_kind[row, other] = below
            by_kind[_KINDS + row, other] = tied
            weaker += below
            equal += tied
        for other in range(kinds - 13):
            strength = max(pair_strength[13 * rank + other], np.int64(flush_strength[held | 1 << other]))
            below, tied = np.int64(strength < hero), np.int64(strength == hero)
            by_kind[row, 13 + other] = below
            by_kind[_KINDS + row, 13 + other] = tied
            weaker += below
            equal += tied
        for at, number in ((row, weaker), (_KINDS + row, equal)):
            if number > 0 or shares[at, _WHOLE] > 0:  # or it is nothing and was nothing
                for i in range(_CARDS):
                    shares[at, i] = by_kind[at, kind[i]]
            shares[at, _WHOLE] = number


@kernel
def _form(left: Sums, left_row: int, matrix: Sums, start: int, right: Sums, right_row: int, scratch: Sums) -> float:
    """Return the product of a row, of 48 rows of a matrix from `start` on, and of another row as a column."""
    scratch[:] = 0.0
    for row in range(0, _CARDS, 4):
        a, b, c, d = left[left_row, row], left[left_row, row + 1], left[left_row, row + 2], left[left_row, row + 3]
        if a == 0.0 and b == 0.0 and c == 0.0 and d == 0.0:
            continue
        at = start + row
        for i in range(_CARDS):
            two = a * matrix[at, i] + b * matrix[at + 1, i]
            scratch[i] += two + (c * matrix[at + 2, i] + d * matrix[at + 3, i])
    total = 0.0
    for i in range(_CARDS):
        total += scratch[i] * right[right_row, i]
    return total


@kernel
def _fill_triangles(weights: Sums, work: _Work, matrices: Sums) -> None:
    """Weigh the triangles of three ranges at both nodes, before cards to come are taken out.

    Fills the weights by two cards, by node and player, and the last column of `triangles`; its others are unknown.
    """
    shares, kind, triangles, scratch = work.shares, work.kind, work.triangles, work.scratch
    triangles[:] = -1.0
    for node in range(2):
        start = 3 * _CARDS * node
        for player in range(3):
            for card in range(_CARDS):
                row, source = start + _CARDS * player + card, _CARDS * ((1 << player) - 1) + card
                for i in range(_CARDS):
                    share = shares[kind[card], i] + _NODES[node] * shares[_KINDS + kind[card], i]
                    matrices[row, i] = weights[source, i] * share
        total = 0.0
        for card in range(_CARDS):
            row = start + card
            total += _form(matrices, row, matrices, start + _CARDS, matrices, row + 2 * _CARDS, scratch)
        triangles[node, _WHOLE] = total


@kernel
def _three_together(node: int, first: int, second: int, work: _Work, matrices: Sums) -> float:
    """Weigh the disjoint triples of combos of three ranges at a node, from the sums without the cards to come."""
    by_card, sums, triangles, scratch = work.by_card, work.sums, work.triangles, work.scratch
    start = 3 * _CARDS * node
    for subset in range(7):
        factor = _NODES[node] ** _SIZES[subset]
        sums[_AT_NODE + subset] = sums[_BELOW + subset] + factor * sums[_TIED + subset]
        for i in range(_CARDS):
            both = by_card[_BELOW + subset, i] + factor * by_card[_TIED + subset, i]
            by_card[_AT_NODE + subset, i] = both
    weight: float = sums[_AT_NODE] * sums[_AT_NODE + 1] * sums[_AT_NODE + 3] + 4 * sums[_AT_NODE + 6]
    for card in range(_CARDS):
        weight += 2 * by_card[_AT_NODE, card] * by_card[_AT_NODE + 1, card] * by_card[_AT_NODE + 3, card]
    # Triangles without those that hold the first card, without those that hold the second, with those of both.
    weight -= triangles[node, _WHOLE]
    for place in range(3):
        one, two = _AT_NODE + _TWO_OF_THREE[place, 0], _AT_NODE + _TWO_OF_THREE[place, 1]
        both, third = _AT_NODE + _TWO_OF_THREE[place, 2], _AT_NODE + _TWO_OF_THREE[place, 3]
        clash, doubled = 0.0, 0.0
        for i in range(_CARDS):
            clash += by_card[one, i] * by_card[two, i]
            doubled += by_card[third, i] * by_card[both, i]
        weight -= sums[third] * (clash - sums[both]) + 2 * doubled
        x, y = start + _CARDS * _TWO_OF_THREE[place, 4], start + _CARDS * _TWO_OF_THREE[place, 5]
        z = start + _CARDS * _TWO_OF_THREE[place, 6]
        weight += _form(by_card, one, matrices, z, by_card, two, scratch)
        if second < _NO_CARD:
            for i in range(_CARDS):
                weight -= matrices[x + first, second] * matrices[y + second, i] * matrices[z + first, i]
                weight -= matrices[x + first, second] * matrices[y + first, i] * matrices[z + second, i]
    for turn in range(2):
        card = second if turn else first
        if triangles[node, card] < 0.0:
            through = 0.0
            for place in range(3):
                x, y = _TWO_OF_THREE[place, 4], _TWO_OF_THREE[place, 5]
                z = start + _CARDS * _TWO_OF_THREE[place, 6]
                row, block = start + _CARDS * x + card, start + _CARDS * y
                through += _form(matrices, row, matrices, block, matrices, z + card, scratch)
            triangles[node, card] = through
        weight += triangles[node, card]
    return weight


@kernel
def _together(weights: Sums, first: int, second: int, work: _Work, matrices: Sums | None) -> float:
    """Weigh the disjoint combos of one to three ranges by the hero's share, without two cards to come.

    `work.base` holds the sums by card, and in the last column of all, that the cards to come are taken out of.
    Without `matrices` there are one or two ranges.
    """
    kind, shares, base, by_card = work.kind, work.shares, work.base, work.by_card
    sums, scratch = work.sums, work.scratch
    subsets = weights.shape[0] // _CARDS
    one, other = kind[first], kind[second]
    for part in range(2):
        kinds = _KINDS * part
        for subset in range(subsets):
            at, row = _CARDS * subset, 8 * part + subset
            gone = base[row, first] + base[row, second]
            gone -= weights[at + first, second] * shares[kinds + one, second]
            sums[row] = base[row, _WHOLE] - gone
            if subset + 1 < subsets:
                for i in range(_CARDS):
                    held = weights[at + first, i] * shares[kinds + one, i]
                    held += weights[at + second, i] * shares[kinds + other, i]
                    by_card[row, i] = base[row, i] - held
                by_card[row, first] = 0.0
                by_card[row, second] = 0.0
    weight: float = 0.0
    if matrices is not None:
        for node in range(2):
            weight += _three_together(node, first, second, work, matrices) / 2
    elif subsets == 1:
        weight = sums[_BELOW] + sums[_TIED] / 2
    else:
        below, mixed, tied = 0.0, 0.0, 0.0
        for i in range(_CARDS):
            scratch[i] = by_card[_BELOW, i] * by_card[_BELOW + 1, i] + by_card[_TIED, i] * by_card[_TIED + 1, i] / 3
            scratch[i] += by_card[_BELOW, i] * by_card[_TIED + 1, i] / 2
            scratch[i] += by_card[_TIED, i] * by_card[_BELOW + 1, i] / 2
        for i in range(0, _CARDS, 4):  # sums that the processor adds at once
            below += scratch[i] + scratch[i + 1]
            mixed += scratch[i + 2]
            tied += scratch[i + 3]
        weight = sums[_BELOW] * sums[_BELOW + 1] + sums[_BELOW + 2] - (below + mixed + tied)
        weight += (sums[_BELOW] * sums[_TIED + 1] + sums[_TIED] * sums[_BELOW + 1]) / 2
        weight += (sums[_TIED] * sums[_TIED + 1] + sums[_TIED + 2]) / 3
    return weight


@kernel
def _list_boards(number_of: NDArray[np.int64], shown: NDArray[np.int64], missing: int, boards: Marks) -> None:
    """List the cards to come by suit of the flushes and item: bit `4 * first suit + second suit` of `boards`.

    These are the single cards of the item, in all suits that are meant; no card takes the place of what is not.
    First come the boards on which no flush is possible, then by suit those on which it is.
    """
    for turn in range(5):
        suit = turn - 1
        for item in range(ITEM_STARTS[missing], ITEM_STARTS[missing + 1]):
            more, x, y, r, s = ITEMS[item, 0], ITEMS[item, 1], ITEMS[item, 2], ITEMS[item, 3], ITEMS[item, 4]
            if (suit < 0 and more > 0) or (suit >= 0 and shown[suit] + more < 3):
                continue
            first_rank = x if more > 0 else r
            second_rank = y if more > 1 else r if more > 0 else s
            for suits in range(16 if missing > 1 else 4 * missing):
                first_suit, second_suit = (suits >> 2, suits & 3) if missing > 1 else (suits, -1)
                if (first_suit == suit) != (more > 0) or number_of[4 * first_rank + first_suit] == _NO_CARD:
                    continue
                if missing > 1:
                    if (second_suit == suit) != (more > 1) or number_of[4 * second_rank + second_suit] == _NO_CARD:
                        continue
                    if more == 0 and first_rank == second_rank and first_suit >= second_suit:
                        continue
                most = 0
                for i in range(4):
                    most = max(most, shown[i] + np.int64(first_suit == i) + np.int64(second_suit == i))
                if suit >= 0 or most < 3:
                    boards[turn, item] |= 1 << (4 * first_suit + max(second_suit, 0))
        if missing == 0 and (shown[suit] >= 3 if suit >= 0 else max(shown) < 3):
            boards[turn, ITEM_STARTS[0]] = 1


@kernel
def _lay_out(number_of: NDArray[np.int64], ranges: Sums, weights: Sums) -> None:
    """Multiply the weights of each subset of the ranges, by two cards."""
    for combo in range(COMBO_COUNT):
        one, other = number_of[COMBO_CARDS[combo, 0]], number_of[COMBO_CARDS[combo, 1]]
        if one != _NO_CARD and other != _NO_CARD:
            for subset in range(weights.shape[0] // _CARDS):
                product = 1.0
                for player in range(ranges.shape[0]):
                    if (subset + 1) >> player & 1:
                        product *= ranges[player, combo]
                weights[_CARDS * subset + one, other] = product
                weights[_CARDS * subset + other, one] = product


@kernel
def _share(
    evaluator: EvaluatorTables,
    hand: _Hand,
    is_sure: bool,
    weights: Sums,
    work: _Work,
    matrices: Sums | None,
    by_next: Sums,
) -> float:
    """Add up the hero's share over all boards; `matrices` is work space for three ranges, shape (288, 48).

    To `by_next`, shape (48,), the share on each board is added at the numbers of its cards to come.
    """
    row_offset, rank_strength = evaluator.row_offset, evaluator.rank_strength
    flush_strength = evaluator.flush_strength
    number_of, held, rank_key, boards = hand.number_of, hand.held, hand.rank_key, hand.boards
    rows, kind, pair_strength = work.rows, work.kind, work.pair_strength
    shares, base = work.shares, work.base
    subsets = weights.shape[0] // _CARDS
    total = 0.0
    for turn in range(5):
        if not boards[turn].any():
            continue
        suit = turn - 1
        kinds = 13 if suit < 0 else _KINDS
        rows[:] = 0.0
        for card in range(CARD_COUNT):
            number = number_of[card]
            if number != _NO_CARD:
                kind[number] = (card >> 2) + (13 if card & 3 == suit else 0)
                for subset in range(subsets):
                    for i in range(_CARDS):
                        rows[_KINDS * subset + kind[number], i] += weights[_CARDS * subset + number, i]
        for item in range(boards.shape[1]):
            if boards[turn, item] == 0:
                continue
            more, x, y, r, s = ITEMS[item, 0], ITEMS[item, 1], ITEMS[item, 2], ITEMS[item, 3], ITEMS[item, 4]
            key = rank_key[14] + rank_key[x] + rank_key[y] + rank_key[r] + rank_key[s]
            for high in range(13):
                for low in range(high + 1):
                    full = key + rank_key[high] + rank_key[low]
                    strength = np.int64(strength_without_flush(row_offset, rank_strength, full))
                    pair_strength[13 * high + low] = pair_strength[13 * low + high] = strength
            ranks = 0
            hero = pair_strength[held[3, 0]]
            if suit >= 0:
                ranks = held[0, suit] | ((1 << x | 1 << y) & 0x1FFF)
                hero = max(hero, np.int64(flush_strength[ranks | held[1, suit]]))
            _fill_shares(flush_strength, kinds, ranks, _SURE if is_sure else hero, work)
            base[:] = 0.0
            for at in range(16):
                part, subset, whole = at >> 3, at & 7, 0.0
                if subset >= subsets:
                    continue
                for row in range(kinds):
                    if shares[_KINDS * part + row, _WHOLE] != 0.0:
                        for i in range(_CARDS):
                            base[at, i] += rows[_KINDS * subset + row, i] * shares[_KINDS * part + row, i]
                for i in range(_CARDS):
                    whole += base[at, i]
                base[at, _WHOLE] = whole / 2
            if matrices is not None:
                _fill_triangles(weights, work, matrices)
            first_rank = x if more > 0 else r
            second_rank = y if more > 1 else r if more > 0 else s
            for suits in range(16):
                if (boards[turn, item] >> suits) & 1:
                    one, other = number_of[4 * first_rank + (suits >> 2)], number_of[4 * second_rank + (suits & 3)]
                    share = _together(weights, one, other, work, matrices)
                    total += share
                    by_next[one] += share
                    by_next[other] += share
    return total


@lru_cache(maxsize=8)  # a question comes with several sets of weights
def _hand_of(own: tuple[int, ...], public: tuple[int, ...], missing: int) -> _Hand:
    """Put together what is known of a question."""
    number_of, number = np.full(4 * 14, _NO_CARD), 0
    for card in range(CARD_COUNT):
        if card not in own and card not in public:
            number_of[card] = number
            number += 1
    held = np.zeros((4, 4), dtype=np.int64)
    for card in public:
        held[0, card & 3] |= 1 << (card >> 2)
        held[2, card & 3] += 1
    for card in own:
        held[1, card & 3] |= 1 << (card >> 2)
    held[3, 0] = 13 * (own[0] >> 2) + (own[1] >> 2)
    rank_key = np.zeros(15, dtype=np.uint64)  # nothing for no rank, and last the board's
    rank_key[:13] = tables().card_key[:CARD_COUNT:4] & _RANK_PART
    rank_key[14] = rank_key[[card >> 2 for card in public]].sum()
    boards = np.zeros((5, ITEM_STARTS[missing + 1]), dtype=np.int64)
    _list_boards(number_of, held[2], missing, boards)
    return _Hand(number_of, held, rank_key, boards)


def share_of_hero(
    evaluator: EvaluatorTables,
    hole_cards: NDArray[np.uint8],
    board: NDArray[np.uint8],
    ranges: Sums,
    *,
    is_sure: bool = False,
) -> tuple[float, Sums]:
    """Return a hand's share of the pot against up to three ranges, added up over all deals and all cards to come.

    Parameters
    ----------
    evaluator : EvaluatorTables
    hole_cards : ndarray of uint8, shape (2,)
    board : ndarray of uint8, shape (3,), (4,) or (5,)
    ranges : ndarray of float64, shape (opponents, 1326)
        Weights of 1 to 3 opponents. Combos with a card of the hand or the board do not count.
    is_sure : bool
        Whether the hand wins now, and nothing is to come: then this is the weight of all deals.

    Returns
    -------
    share : float
        A deal counts the product of its weights, as often as there are cards to come. It is exact but for rounding
        errors of 1e-16 of the product of all weights.
    by_card : ndarray of float64, shape (52,)
        The same added up over the boards on which a card is to come: 0 for cards that cannot, and for all with
        nothing to come.

    Notes
    -----
    Which combos are weaker depends on the ranks to come, and on flush boards also on which of them are in the suit.
    It is found once for all cards to come that are alike in this, with sums by card; the single cards to come are
    then taken out of the sums.
    """
    missing = 0 if is_sure else 5 - len(board)
    hand = _hand_of(tuple(hole_cards.tolist()), tuple(board.tolist()), missing)
    subsets = (1 << len(ranges)) - 1
    weights = np.zeros((_CARDS * subsets, _CARDS))
    _lay_out(hand.number_of, ranges, weights)
    matrices = np.zeros((6 * _CARDS, _CARDS)) if len(ranges) == _MOST_RANGES else None
    by_next = np.zeros(_CARDS)
    share = _share(evaluator, hand, is_sure, weights, _new_work(subsets), matrices, by_next)
    by_next[_NO_CARD] = 0.0
    return share, by_next[hand.number_of[:CARD_COUNT]]


def _warm_up(opponents: int) -> None:
    hole_cards, board = np.array([51, 50], dtype=np.uint8), np.array([8, 13, 18, 23, 28], dtype=np.uint8)
    share_of_hero(tables(), hole_cards, board, np.ones((opponents, COMBO_COUNT)))


register_warm_up("a hand against ranges", lambda: _warm_up(1), at_start=False, is_soon=True)
register_warm_up("a hand against three ranges", lambda: _warm_up(_MOST_RANGES), at_start=False)
