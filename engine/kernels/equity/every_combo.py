"""Every combo of a range at once, judged against the same deals of the other players.

A deal is what the others hold and a complete board. It tells of every combo that shares no card with it, and all
of a player's 1326 combos cost about as much as judging forty deals for one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import nth_set_bit
from engine.kernels.evaluator import EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import kernel, register_warm_up

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_MOMENTS = 6


class Hands(NamedTuple):
    """A range, its combos in the order of their groups, and those in the order of theirs.

    Attributes
    ----------
    masks : ndarray of uint64, shape (n,)
        The combos' cards.
    keys, flush_masks : ndarray of uint64, shape (n,)
        What they add to the key and the mask of `engine.kernels.evaluator`.
    weights : ndarray of float64, shape (n,)
    group : ndarray of int64, shape (n,)
        Each combo's group, rising from 0.
    class_of_group : ndarray of int64, shape (groups,)
        Each group's class, rising from 0.
    """

    masks: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    flush_masks: NDArray[np.uint64]
    weights: NDArray[np.float64]
    group: NDArray[np.int64]
    class_of_group: NDArray[np.int64]


class Deals(NamedTuple):
    """What the others hold, and complete boards; `[i]` is the i-th.

    Attributes
    ----------
    used : ndarray of uint64, shape (n,)
        All cards that are taken: mask of board, holdings and dead cards.
    keys, runouts : ndarray of uint64, shape (n,)
        Key of the whole board, and mask of its cards beyond those that all deals share.
    best : ndarray of int16, shape (n,)
        The best strength among the others.
    ties : ndarray of int64, shape (n,)
        How many of them have it.
    weights : ndarray of float64, shape (n,)
    """

    used: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    runouts: NDArray[np.uint64]
    best: NDArray[np.int16]
    ties: NDArray[np.int64]
    weights: NDArray[np.float64]


def judge_hands(
    evaluator: EvaluatorTables, hands: Hands, known: np.uint64, flush_mask: np.uint64, deals: Deals
) -> NDArray[np.float64]:
    """Judge every combo against deals, and add up by groups, by classes and over all.

    Parameters
    ----------
    evaluator : EvaluatorTables
    hands : Hands
    known : uint64
        Mask of the board cards that all deals share.
    flush_mask : uint64
        The same as the evaluator's mask.
    deals : Deals

    Returns
    -------
    ndarray of float64, shape (6, groups + classes + 1)
        With `x` the weight of a deal times that of those of the combos which it leaves, and `y` the same times
        their share of the pot, the sums over the deals of x, x * x, y, x * y, y * y, and x times the x of all
        combos together.
    """
    groups, classes = len(hands.class_of_group), int(hands.class_of_group[-1]) + 1
    sums = np.zeros((_MOMENTS, groups + classes + 1))
    work = np.zeros((4, max(groups + classes + 1, len(hands.masks))))
    _judge(evaluator, hands, known, flush_mask, deals, np.zeros(len(hands.masks), dtype=np.int32), work, sums)
    return sums


@kernel
def _judge(
    evaluator: EvaluatorTables,
    hands: Hands,
    known: np.uint64,
    flush_mask: np.uint64,
    deals: Deals,
    strengths: NDArray[np.int32],
    work: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    card_mask, row_offset, rank_strength = evaluator.card_mask, evaluator.row_offset, evaluator.rank_strength
    flush_strength, keys, flush_masks = evaluator.flush_strength, hands.keys, hands.flush_masks
    masks, weights, group, class_of_group = hands.masks, hands.weights, hands.group, hands.class_of_group
    count, groups, whole = masks.shape[0], class_of_group.shape[0], sums.shape[1] - 1
    held, won, left, taken = work[0], work[1], work[2], work[3]
    for i in range(deals.used.shape[0]):
        if i == 0 or deals.runouts[i] != deals.runouts[i - 1]:
            board, suited, cards = known | deals.runouts[i], flush_mask, deals.runouts[i]
            while cards != _NOTHING:
                suited += card_mask[nth_set_bit(cards, _NOTHING)]
                cards &= cards - _ONE
            for c in range(count):
                if masks[c] & board == _NOTHING:
                    key, mask = deals.keys[i] + keys[c], suited + flush_masks[c]
                    strengths[c] = strength_of_key(row_offset, rank_strength, flush_strength, key, mask)
        for at in range(whole + 1):
            held[at] = won[at] = 0.0
        used, best, weight = deals.used[i], np.int32(deals.best[i]), deals.weights[i]
        split = 1.0 / (deals.ties[i] + 1)
        for c in range(count):
            mine = weights[c] * weight if masks[c] & used == _NOTHING else 0.0
            left[c] = mine
            taken[c] = (mine if strengths[c] > best else 0.0) + (split * mine if strengths[c] == best else 0.0)
        for c in range(count):
            held[group[c]] += left[c]
            won[group[c]] += taken[c]
        for at in range(groups):
            place = groups + class_of_group[at]
            held[place] += held[at]
            won[place] += won[at]
        for at in range(groups, whole):
            held[whole] += held[at]
            won[whole] += won[at]
        total = held[whole]
        for at in range(whole + 1):
            x, y = held[at], won[at]
            sums[0, at] += x
            sums[1, at] += x * x
            sums[2, at] += y
            sums[3, at] += x * y
            sums[4, at] += y * y
            sums[5, at] += x * total


def _warm_up() -> None:
    none, one = np.zeros(1, dtype=np.uint64), np.ones(1, dtype=np.int64)
    hands = Hands(none, none, none, np.ones(1), one - 1, one - 1)
    deals = Deals(none, none, none, np.ones(1, dtype=np.int16), one, np.ones(1))
    judge_hands(tables(), hands, _NOTHING, _NOTHING, deals)


register_warm_up("every combo against the same deals", _warm_up, at_start=False)
