"""One known hand against up to three ranges on a flop, turn or river, over all cards to come.

Hands of opponents may not share a card. With `B_x` the weight of a range's combos that hold the card x, the pairs
of combos of two ranges that are disjoint weigh

    (sum B)(sum C) - sum_x B_x C_x + sum_d b_d c_d

by inclusion and exclusion: a clash is a card in common, and the same combo has two. For three ranges every pair may
clash, which adds the chains (one combo clashes with both others) and what clashes all around: a common card, or a
triangle xy, yz, zx, whose weight is the trace of the product of the three 52 x 52 matrices of weights. So nothing
has to be listed, and a range may hold all combos at no extra cost.

Who ties shares the pot: where no opponent is stronger and k are as strong as the hero, the hero gets 1 / (k + 1),
the integral of t^k over 0 to 1. So combos as strong get the weight t, and the integral of that polynomial in t,
whose degree is the number of opponents, is exact by Gauss and Legendre's two nodes (one for a single opponent).
"""

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.evaluator import EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.showdown import ITEM_STARTS, ITEMS

MOST_OPPONENTS = 3

_ONE = np.uint64(1)
_NO_FLUSH = np.uint64(0)
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)
_ROWS = CARD_COUNT + 1
_KINDS = 26  # of cards: 13 ranks outside a suit and 13 in it
_SIZES = np.array([1, 1, 2, 1, 2, 2, 3])  # of the subsets of three
# Two of three ranges, both together, the third, as subsets; and which range the third is.
_TWO_OF_THREE = np.array([(0, 1, 2, 3, 2), (0, 3, 4, 1, 1), (1, 3, 5, 0, 0)])
_NO_CARD = CARD_COUNT
_NODES = np.array([0.5, 0.5 - 0.5 / np.sqrt(3.0), 0.5 + 0.5 / np.sqrt(3.0)])  # one node, or the two others
_SURE = 1 << 20  # more than any strength


@inlined
def _share(strength: int, hero: int, tied: float) -> float:
    return 1.0 if strength < hero else tied if strength == hero else 0.0


@kernel
def _fill_shares(
    flush_strength: NDArray[np.int16],
    pair_strength: NDArray[np.int64],
    suit: int,
    suited: int,
    hero: int,
    tied: float,
    shares: NDArray[np.float64],
) -> None:
    """Tell by kind of card and other card what a combo counts: 1 if weaker than the hero, `tied` if equal, or 0.

    The second and third 26 rows of `shares` are squares and cubes.
    """
    rows = 13 if suit < 0 else _KINDS
    for row in range(rows):
        held = suited if row < 13 else suited | 1 << (row - 13)
        for other in range(13):
            plain = pair_strength[13 * (row if row < 13 else row - 13) + other]
            flush = np.int64(flush_strength[held]) if suit >= 0 else 0
            share = _share(max(plain, flush), hero, tied)
            for i in range(4):
                shares[row, 4 * other + i] = share
            if suit >= 0:
                flush = np.int64(flush_strength[held | 1 << other])
                shares[row, 4 * other + suit] = _share(max(plain, flush), hero, tied)
        for i in range(CARD_COUNT):
            share = shares[row, i]
            shares[_KINDS + row, i] = share * share
            shares[2 * _KINDS + row, i] = share * share * share


@kernel
def _three_together(
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
    kind: NDArray[np.int64],
    first: int,
    second: int,
    by_card: NDArray[np.float64],
    sums: NDArray[np.float64],
    matrices: NDArray[np.float64],
) -> float:
    """Weigh the disjoint triples of combos of three ranges; `first` and `second` are cards that nobody can hold.

    `weights` (in blocks of 53 rows), `by_card` and `sums` are by subset of the ranges, as bits, less one.
    """
    scratch = 7
    for player in range(3):
        subset = (1 << player) - 1
        for card in range(CARD_COUNT):
            for i in range(CARD_COUNT):
                factor = shares[kind[card], i]
                matrices[CARD_COUNT * player + card, i] = weights[_ROWS * subset + card, i] * factor
            if first < _NO_CARD:
                matrices[CARD_COUNT * player + card, first] = 0.0
            if second < _NO_CARD:
                matrices[CARD_COUNT * player + card, second] = 0.0
    stars, chains, triangles = 0.0, 0.0, 0.0
    for card in range(CARD_COUNT):
        if card in (first, second):
            continue
        stars += by_card[0, card] * by_card[1, card] * by_card[3, card]
        by_card[scratch] = 0.0
        for other in range(CARD_COUNT):
            factor = matrices[card, other]
            if factor != 0.0:
                for i in range(CARD_COUNT):
                    by_card[scratch, i] += factor * matrices[CARD_COUNT + other, i]
        for i in range(CARD_COUNT):
            triangles += by_card[scratch, i] * matrices[2 * CARD_COUNT + card, i]
    clashes, doubled = 0.0, 0.0
    for i in range(3):
        one, two, both, third = _TWO_OF_THREE[i, 0], _TWO_OF_THREE[i, 1], _TWO_OF_THREE[i, 2], _TWO_OF_THREE[i, 3]
        clash, double = 0.0, 0.0
        for card in range(CARD_COUNT):
            clash += by_card[one, card] * by_card[two, card]
            double += by_card[third, card] * by_card[both, card]
            factor = by_card[one, card]
            for other in range(CARD_COUNT):
                chains += factor * matrices[CARD_COUNT * _TWO_OF_THREE[i, 4] + card, other] * by_card[two, other]
        clashes += sums[third] * (clash - sums[both])
        doubled += double
    # All, without pairs that clash, with chains of two clashes, without what clashes all around.
    weight: float = sums[0] * sums[1] * sums[3]
    weight += 2 * stars + chains - clashes - 2 * doubled + 4 * sums[6] - triangles
    return weight


@kernel
def _together(
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
    kind: NDArray[np.int64],
    first: int,
    second: int,
    base: NDArray[np.float64],
    base_sums: NDArray[np.float64],
    by_card: NDArray[np.float64],
    sums: NDArray[np.float64],
    matrices: NDArray[np.float64],
) -> float:
    """Weigh the disjoint combos of one to three ranges without two cards to come.

    `base` and `base_sums` are the sums by card, and of all, that they are taken out of.
    """
    subsets = base_sums.shape[0]
    one, other = kind[first], kind[second]
    for subset in range(subsets):
        power = _KINDS * (_SIZES[subset] - 1)
        at = _ROWS * subset
        gone = base[subset, first] + base[subset, second]
        if second < _NO_CARD:
            gone -= weights[at + first, second] * shares[power + one, second]
        sums[subset] = base_sums[subset] - gone
        if subsets > 1:
            for i in range(CARD_COUNT):
                by_card[subset, i] = (
                    base[subset, i]
                    - weights[at + first, i] * shares[power + one, i]
                    - weights[at + second, i] * shares[power + other, i]
                )
            if first < _NO_CARD:
                by_card[subset, first] = 0.0
            if second < _NO_CARD:
                by_card[subset, second] = 0.0
    weight: float = sums[0]
    if subsets == 1:
        return weight
    if subsets == 3:
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for i in range(0, CARD_COUNT, 4):  # four sums, which the processor adds at once
            a += by_card[0, i] * by_card[1, i]
            b += by_card[0, i + 1] * by_card[1, i + 1]
            c += by_card[0, i + 2] * by_card[1, i + 2]
            d += by_card[0, i + 3] * by_card[1, i + 3]
        weight = sums[0] * sums[1] - (a + b + c + d) + sums[2]
        return weight
    return _three_together(weights, shares, kind, first, second, by_card, sums, matrices)


@kernel
def share_of_hero(
    evaluator: EvaluatorTables,
    hole_cards: NDArray[np.uint8],
    board: NDArray[np.uint8],
    missing: int,
    is_sure: bool,
    ranges: NDArray[np.float64],
) -> float:
    """Give a hand's share of the pot against ranges, added up over all deals of them and all cards to come.

    Parameters
    ----------
    evaluator : EvaluatorTables
    hole_cards : ndarray of uint8, shape (2,)
    board : ndarray of uint8, shape (3,), (4,) or (5,)
    missing : int
        How many cards are to come, 0 to 2.
    is_sure : bool
        Whether the hand wins whatever comes: then, with nothing to come, this is the weight of all deals.
    ranges : ndarray of float64, shape (opponents, 1326)
        Weights of 1 to 3 opponents. Combos with a card of the hand or the board do not count.

    Returns
    -------
    float
        A deal counts the product of its weights, as often as there are cards to come. It is exact but for rounding
        errors of 1e-16 of the product of all weights.

    Notes
    -----
    Which combos are weaker depends on the ranks to come, and on flush boards also on which of them are in the suit.
    It is found once for all cards to come that are alike in this, with sums by card; the single cards to come are
    then taken out of the sums.
    """
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    players = ranges.shape[0]
    subsets = (1 << players) - 1
    known = np.uint64(0)
    board_key = np.uint64(0)
    suited = np.zeros(4, dtype=np.int64)
    hero_suited = np.zeros(4, dtype=np.int64)
    shown = np.zeros(4, dtype=np.int64)
    for i in range(board.shape[0]):
        public = np.int64(board[i])
        known |= _ONE << np.uint64(public)
        board_key += card_key[public] & _RANK_PART
        suited[public & 3] |= 1 << (public >> 2)
        shown[public & 3] += 1
    for i in range(2):
        own = np.int64(hole_cards[i])
        known |= _ONE << np.uint64(own)
        hero_suited[own & 3] |= 1 << (own >> 2)

    # By subset of the opponents: the products of their weights, by two cards, and a row of nothing for no card.
    weights = np.zeros((_ROWS * subsets, CARD_COUNT), dtype=np.float64)
    for combo in range(COMBO_COUNT):
        if COMBO_MASK[combo] & known == 0:
            one, other = np.int64(COMBO_CARDS[combo, 0]), np.int64(COMBO_CARDS[combo, 1])
            for subset in range(subsets):
                product = 1.0
                for player in range(players):
                    if (subset + 1) >> player & 1:
                        product *= ranges[player, combo]
                weights[_ROWS * subset + one, other] = product
                weights[_ROWS * subset + other, one] = product

    rows = np.zeros((subsets * _KINDS, CARD_COUNT), dtype=np.float64)
    kind = np.zeros(CARD_COUNT + 1, dtype=np.int64)
    pair_strength = np.zeros(169, dtype=np.int64)
    shares = np.zeros((2, 3 * _KINDS, CARD_COUNT), dtype=np.float64)
    base = np.zeros((2, subsets, CARD_COUNT + 1), dtype=np.float64)
    base_sums = np.zeros((2, subsets), dtype=np.float64)
    by_card = np.zeros((8, CARD_COUNT), dtype=np.float64)
    sums = np.zeros(7, dtype=np.float64)
    matrices = np.zeros((3 * CARD_COUNT, CARD_COUNT), dtype=np.float64)
    rank_key = np.zeros(14, dtype=np.uint64)  # nothing for no rank
    for rank in range(13):
        rank_key[rank] = card_key[4 * rank] & _RANK_PART
    nodes = 1 if players == 1 else 2
    total = 0.0
    for turn in range(5):
        # First boards on which no flush is possible, then by suit those on which it is.
        suit = turn - 1
        if suit >= 0 and shown[suit] + missing < 3:
            continue
        row_count = 13 if suit < 0 else _KINDS
        rows[:] = 0.0
        for card in range(CARD_COUNT):
            kind[card] = (card >> 2) + (13 if card & 3 == suit else 0)
            for subset in range(subsets):
                for i in range(CARD_COUNT):
                    rows[_KINDS * subset + kind[card], i] += weights[_ROWS * subset + card, i]
        for item in range(ITEM_STARTS[missing], ITEM_STARTS[missing + 1]):
            more, x, y, r, s = ITEMS[item, 0], ITEMS[item, 1], ITEMS[item, 2], ITEMS[item, 3], ITEMS[item, 4]
            if (suit < 0 and more > 0) or (suit >= 0 and shown[suit] + more < 3):
                continue
            first_rank = x if more > 0 else r
            second_rank = y if more > 1 else r if more > 0 else s
            is_new = True
            for suits in range(16):
                # The single cards to come, in all suits that are meant; no card takes the place of what is not.
                first_suit, second_suit = suits >> 2, suits & 3
                first = 4 * first_rank + first_suit if missing > 0 else _NO_CARD
                second = 4 * second_rank + second_suit if missing > 1 else _NO_CARD
                if missing > 0:
                    if (first_suit == suit) != (more > 0) or (known >> np.uint64(first)) & _ONE != 0:
                        continue
                elif first_suit > 0:
                    continue
                if missing > 1:
                    if (second_suit == suit) != (more > 1) or (known >> np.uint64(second)) & _ONE != 0:
                        continue
                    if more == 0 and first_rank == second_rank and first_suit >= second_suit:
                        continue
                elif second_suit > 0:
                    continue
                if suit < 0:
                    most = 0
                    for i in range(4):
                        count = shown[i] + np.int64(missing > 0 and first_suit == i)
                        most = max(most, count + np.int64(missing > 1 and second_suit == i))
                    if most >= 3:
                        continue
                if is_new:
                    is_new = False
                    key = board_key + rank_key[x] + rank_key[y] + rank_key[r] + rank_key[s]
                    for high in range(13):
                        for low in range(high + 1):
                            hand = key + rank_key[high] + rank_key[low]
                            strength = np.int64(strength_of_key(evaluator, hand, _NO_FLUSH))
                            pair_strength[13 * high + low] = strength
                            pair_strength[13 * low + high] = strength
                    ranks = 0
                    hero = pair_strength[13 * np.int64(hole_cards[0] >> 2) + np.int64(hole_cards[1] >> 2)]
                    if suit >= 0:
                        ranks = suited[suit] | ((1 << x | 1 << y) & 0x1FFF)
                        hero = max(hero, np.int64(flush_strength[ranks | hero_suited[suit]]))
                    hero = _SURE if is_sure else hero
                    for node in range(nodes):
                        tied = _NODES[node + nodes - 1]
                        _fill_shares(flush_strength, pair_strength, suit, ranks, hero, tied, shares[node])
                        for subset in range(subsets):
                            power = _KINDS * (_SIZES[subset] - 1)
                            base[node, subset] = 0.0
                            for row in range(row_count):
                                for i in range(CARD_COUNT):
                                    weight = rows[_KINDS * subset + row, i]
                                    base[node, subset, i] += weight * shares[node, power + row, i]
                            whole = 0.0
                            for i in range(CARD_COUNT):
                                whole += base[node, subset, i]
                            base_sums[node, subset] = whole / 2
                for node in range(nodes):
                    total += (
                        _together(
                            weights,
                            shares[node],
                            kind,
                            first,
                            second,
                            base[node],
                            base_sums[node],
                            by_card,
                            sums,
                            matrices,
                        )
                        / nodes
                    )
    return total


def _warm_up() -> None:
    hole_cards, board = np.array([51, 50], dtype=np.uint8), np.array([8, 13, 18, 23, 28], dtype=np.uint8)
    share_of_hero(tables(), hole_cards, board, 0, False, np.ones((1, COMBO_COUNT)))


register_warm_up("a hand against ranges", _warm_up)
