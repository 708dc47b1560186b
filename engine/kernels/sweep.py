"""Every combo at once against a weighted range, on given boards."""

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.evaluator import EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up

_ONE = np.uint64(1)
_NO_FLUSH = np.uint64(0)
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)


def _combos_by_rank_pair() -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Give the combos by their pair of ranks, and where each pair `high * (high + 1) / 2 + low` begins."""
    high, low = COMBO_CARDS[:, 0].astype(np.int64) >> 2, COMBO_CARDS[:, 1].astype(np.int64) >> 2
    pair = high * (high + 1) // 2 + low
    starts = np.searchsorted(np.sort(pair), np.arange(_PAIR_COUNT + 1))
    return np.argsort(pair, kind="stable").astype(np.int16), starts.astype(np.int64)


_PAIR_COUNT = 91
_PAIR_COMBOS, _PAIR_STARTS = _combos_by_rank_pair()


@inlined
def _sort_pairs(
    evaluator: EvaluatorTables,
    board_key: np.uint64,
    order: NDArray[np.int64],
    pair_strength: NDArray[np.int32],
) -> None:
    """Order the 91 pairs of ranks by their strength on a board, flushes apart; both outputs have shape (91,)."""
    pair = 0
    for high in range(13):
        for low in range(high + 1):
            key = board_key + evaluator.card_key[4 * high] + evaluator.card_key[4 * low]
            strength = np.int32(strength_of_key(evaluator, key & _RANK_PART, _NO_FLUSH))
            at = pair
            while at > 0 and pair_strength[at - 1] > strength:
                pair_strength[at] = pair_strength[at - 1]
                order[at] = order[at - 1]
                at -= 1
            pair_strength[at] = strength
            order[at] = pair
            pair += 1


@inlined
def _sort_flushes(
    combos: NDArray[np.int16],
    strengths: NDArray[np.int32],
    count: int,
    spare_combos: NDArray[np.int16],
    spare_strengths: NDArray[np.int32],
    bins: NDArray[np.int64],
) -> None:
    """Sort the first `count` combos by strength: a radix sort by the lower 7 and then the upper 6 bits."""
    for turn in range(2):
        shift = 7 * turn
        bins[:] = 0
        for i in range(count):
            bins[((strengths[i] >> shift) & 127) + 1] += 1
        for i in range(1, 128):
            bins[i] += bins[i - 1]
        for i in range(count):
            digit = (strengths[i] >> shift) & 127
            spare_combos[bins[digit]] = combos[i]
            spare_strengths[bins[digit]] = strengths[i]
            bins[digit] += 1
        for i in range(count):
            combos[i] = spare_combos[i]
            strengths[i] = spare_strengths[i]


@kernel
def sweep_boards(
    evaluator: EvaluatorTables,
    boards: NDArray[np.uint8],
    dead: np.uint64,
    weights: NDArray[np.float64],
    won: NDArray[np.float64],
    tied: NDArray[np.float64],
) -> None:
    """Find what every combo wins against one weighted range on each board.

    Parameters
    ----------
    evaluator : EvaluatorTables
    boards : ndarray of uint8, shape (n, 5)
        Complete boards; fastest when boards of the same ranks follow one another.
    dead : uint64
        Mask of cards that neither side can hold.
    weights : ndarray of float64, shape (1326,)
        Of the range that every combo meets.
    won, tied : ndarray of float64, shape (1326,)
        The weight of the opponent's combos that a combo beats or ties, summed over boards, is added to them.

    Notes
    -----
    Per board all combos are put in order of strength and gone through once with running totals of the weight
    below, overall and for each card; what shares a card with a combo is taken out by inclusion and exclusion.
    Sorting costs little, for hands without flush are ordered by their 91 pairs of ranks, once per board ranks.
    """
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    pair_order = np.zeros(_PAIR_COUNT, dtype=np.int64)
    pair_strength = np.zeros(_PAIR_COUNT, dtype=np.int32)
    combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    flush_combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    flush_strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    spare_combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    spare_strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    bins = np.zeros(129, dtype=np.int64)
    below_by_card = np.zeros(52, dtype=np.float64)
    beaten = np.zeros(COMBO_COUNT, dtype=np.float64)
    last_key = _NO_FLUSH
    for row in range(boards.shape[0]):
        used = dead
        board_key = np.uint64(0)
        in_suit = np.int64(0)  # cards of each suit, a byte each
        for i in range(5):
            card = np.int64(boards[row, i])
            used |= _ONE << np.uint64(card)
            board_key += card_key[card] & _RANK_PART
            in_suit += 1 << (8 * (card & 3))
        if row == 0 or board_key != last_key:
            last_key = board_key
            _sort_pairs(evaluator, board_key, pair_order, pair_strength)
        flush_suit = -1
        flush_ranks = np.int64(0)
        flush_missing = 5
        for suit in range(4):
            held = (in_suit >> (8 * suit)) & 255
            if held >= 3:
                flush_suit = suit
                flush_missing = int(5 - held)
        if flush_suit >= 0:
            for i in range(5):
                card = np.int64(boards[row, i])
                if card & 3 == flush_suit:
                    flush_ranks |= 1 << (card >> 2)

        plain = 0
        flush = 0
        for i in range(_PAIR_COUNT):
            pair = pair_order[i]
            for at in range(_PAIR_STARTS[pair], _PAIR_STARTS[pair + 1]):
                combo = _PAIR_COMBOS[at]
                if COMBO_MASK[combo] & used != 0:
                    continue
                if flush_suit >= 0:
                    high, low = np.int64(COMBO_CARDS[combo, 0]), np.int64(COMBO_CARDS[combo, 1])
                    first, second = high & 3 == flush_suit, low & 3 == flush_suit
                    if first + second >= flush_missing:
                        ranks = flush_ranks
                        if first:
                            ranks |= 1 << (high >> 2)
                        if second:
                            ranks |= 1 << (low >> 2)
                        flush_combos[flush] = combo
                        flush_strengths[flush] = flush_strength[ranks]
                        flush += 1
                        continue
                combos[plain] = combo
                strengths[plain] = pair_strength[i]
                plain += 1
        count = plain + flush
        if flush > 0:
            _sort_flushes(flush_combos, flush_strengths, flush, spare_combos, spare_strengths, bins)
            # Merged from the strongest down, so that the plain ones can stay where they are until they move.
            at = count - 1
            plain -= 1
            flush -= 1
            while flush >= 0:
                if plain >= 0 and strengths[plain] > flush_strengths[flush]:
                    combos[at] = combos[plain]
                    strengths[at] = strengths[plain]
                    plain -= 1
                else:
                    combos[at] = flush_combos[flush]
                    strengths[at] = flush_strengths[flush]
                    flush -= 1
                at -= 1

        below = 0.0
        below_by_card[:] = 0
        start = 0
        while start < count:
            end = start
            while end < count and strengths[end] == strengths[start]:
                combo = combos[end]
                high, low = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
                beaten[end] = below - below_by_card[high] - below_by_card[low]
                end += 1
            for i in range(start, end):
                weight = weights[combos[i]]
                below += weight
                below_by_card[COMBO_CARDS[combos[i], 0]] += weight
                below_by_card[COMBO_CARDS[combos[i], 1]] += weight
            for i in range(start, end):
                combo = combos[i]
                high, low = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
                # The combo itself is in both cards' sums, so it has been taken out twice.
                not_beating = below - below_by_card[high] - below_by_card[low] + weights[combo]
                won[combo] += beaten[i]
                tied[combo] += not_beating - beaten[i]
            start = end


def _warm_up() -> None:
    board = np.array([[8, 13, 18, 23, 28]], dtype=np.uint8)
    sweep_boards(tables(), board, np.uint64(0), np.ones(COMBO_COUNT), np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT))


register_warm_up("every combo at once", _warm_up)
