"""Random deals of several ranges with random run-outs, judged.

Outcomes are those of `engine.kernels.showdown`, with the squares of the weights beside them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.rng import RandomState, new_stream, random_bits, random_float
from engine.kernels.showdown import winners_of

_ONE = np.uint64(1)


class DrawLists(NamedTuple):
    """Lists to draw from by weight, one after another in flat arrays: an entry is kept or replaced by another.

    Attributes
    ----------
    starts : ndarray of int64, shape (lists + 1,)
        Where each list begins, and the end.
    combos : ndarray of int16
        The combo of each entry, if an entry is a combo.
    weights : ndarray of float64
        Of each entry, more than 0.
    threshold : ndarray of float64
        The part of its draws that an entry keeps.
    other : ndarray of int64
        The entry, from its list's start, that has the rest.
    """

    starts: NDArray[np.int64]
    combos: NDArray[np.int16]
    weights: NDArray[np.float64]
    threshold: NDArray[np.float64]
    other: NDArray[np.int64]


@kernel
def fill_draw_lists(lists: DrawLists) -> None:
    """Compute `threshold` and `other` from `weights`, so that a draw takes constant time.

    The alias method (Vose, 1991, "A linear algorithm for generating random numbers with a given distribution",
    IEEE Transactions on Software Engineering 17).
    """
    starts, _, weights, threshold, other = lists
    stack = np.zeros(weights.shape[0], dtype=np.int64)
    for number in range(starts.shape[0] - 1):
        start, end = starts[number], starts[number + 1]
        count = end - start
        total = 0.0
        for i in range(start, end):
            total += weights[i]
        small = 0  # entries below the mean stand at the front of the stack, the others at its back
        large = count
        for i in range(count):
            threshold[start + i] = weights[start + i] / total * count
            other[start + i] = i
            if threshold[start + i] < 1.0:
                stack[small] = i
                small += 1
            else:
                large -= 1
                stack[large] = i
        while small > 0 and large < count:
            small -= 1
            poor, rich = stack[small], stack[large]
            other[start + poor] = rich
            threshold[start + rich] -= 1.0 - threshold[start + poor]
            if threshold[start + rich] < 1.0:
                large += 1
                stack[small] = rich
                small += 1
        # What is left over differs from 1 by rounding alone.
        for i in range(small):
            threshold[start + stack[i]] = 1.0
        for i in range(large, count):
            threshold[start + stack[i]] = 1.0


@inlined
def _draw(state: RandomState, lists: DrawLists, number: int) -> int:
    """Draw an entry of a list by weight; gives its index in the flat arrays."""
    start = lists.starts[number]
    place = random_float(state) * (lists.starts[number + 1] - start)
    entry = np.int64(place)
    if place - entry >= lists.threshold[start + entry]:
        entry = lists.other[start + entry]
    return start + entry  # type: ignore[no-any-return]


@inlined
def _draw_unblocked(state: RandomState, lists: DrawLists, number: int, used: np.uint64, free: float) -> int:
    """Draw by weight among the entries of a list that hold no used card, whose weights sum to `free` > 0."""
    place = random_float(state) * free
    chosen = -1
    for i in range(lists.starts[number], lists.starts[number + 1]):
        if COMBO_MASK[lists.combos[i]] & used == 0:
            chosen = i
            place -= lists.weights[i]
            if place < 0:
                break
    return chosen


@inlined
def _any_unblocked(state: RandomState, used: np.uint64) -> int:
    """Draw a combo at random among those that hold no used card."""
    combo = int(random_float(state) * COMBO_COUNT)
    while COMBO_MASK[combo] & used != 0:
        combo = int(random_float(state) * COMBO_COUNT)
    return combo


REJECTING = 0
TOGETHER = 1
IN_TURN = 2
IN_TURN_OR_ANY = 3


@kernel
def sample_deals(
    evaluator: EvaluatorTables,
    state: RandomState,
    board: NDArray[np.uint8],
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    players: int,
    max_deals: int,
    max_tries: int,
    outcomes: NDArray[np.float64],
) -> tuple[int, int]:
    """Deal hole cards from ranges and the rest of the board at random, and judge the showdown.

    Parameters
    ----------
    evaluator : EvaluatorTables
    state : RandomState
        Changed.
    board : ndarray of uint8, shape (n,)
        Known board cards.
    dead : uint64
        Mask of the known board cards and the dead cards.
    lists : DrawLists
        A list of combos per player, without dead cards. For `TOGETHER` one list of the rows of `together`.
    together : ndarray of int16, shape (m, n)
        For `TOGETHER`: deals without a clash.
    method : int
        How to draw several ranges that must not share a card.

        - `REJECTING`: each player from the own list, all anew when any two clash.
        - `TOGETHER`: whole deals.
        - `IN_TURN`: one player after another from what the others left. A deal then weighs the product of the
          parts of the ranges that were left, which makes up for the bias of drawing in turn; a deal that cannot
          be finished weighs nothing.
        - `IN_TURN_OR_ANY`: the same, all deals weighing 1, and a player with nothing left gets any two cards.
    players : int
        Those beyond the lists, or beyond the width of `together`, get any two of the cards that are left. As
        there are always equally many ways to deal them, that is the joint distribution too.
    max_deals, max_tries : int
        When to stop: after this many deals, or this many attempts to draw one.
    outcomes : ndarray of float64, shape (2 ** players, 2)
        The weights of the deals and their squares are added to it.

    Returns
    -------
    deals, tries : int
    """
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    starts, entries, weights, _, _ = lists
    listed = together.shape[1] if method == TOGETHER else starts.shape[0] - 1
    combos = np.zeros(players, dtype=np.int64)
    strengths = np.zeros(players, dtype=np.int32)
    known_key = START_KEY
    known_mask = np.uint64(0)
    for i in range(board.shape[0]):
        known_key += card_key[board[i]]
        known_mask += card_mask[board[i]]
    totals = np.zeros(players, dtype=np.float64)
    if method >= IN_TURN:
        for player in range(listed):
            for i in range(starts[player], starts[player + 1]):
                totals[player] += weights[i]
    bits = np.uint64(0)
    bits_left = 0
    deals = 0
    tries = 0
    while deals < max_deals and tries < max_tries:
        tries += 1
        used = dead
        weight = 1.0
        if method == REJECTING:
            for player in range(listed):
                combo = entries[_draw(state, lists, player)]
                if COMBO_MASK[combo] & used != 0:
                    weight = 0.0
                    break
                used |= COMBO_MASK[combo]
                combos[player] = combo
            if weight == 0.0:
                continue
        elif method == TOGETHER:
            row = _draw(state, lists, 0)
            for player in range(listed):
                combos[player] = together[row, player]
                used |= COMBO_MASK[combos[player]]
        else:
            for player in range(listed):
                free = 0.0
                for i in range(starts[player], starts[player + 1]):
                    if COMBO_MASK[entries[i]] & used == 0:
                        free += weights[i]
                if free > 0.0:
                    combos[player] = entries[_draw_unblocked(state, lists, player, used, free)]
                    if method == IN_TURN:
                        weight *= free / totals[player]
                elif method == IN_TURN:
                    weight = 0.0
                    break
                else:
                    combos[player] = _any_unblocked(state, used)
                used |= COMBO_MASK[combos[player]]
            if weight == 0.0:
                deals += 1
                continue
        deals += 1
        for player in range(listed, players):
            combos[player] = _any_unblocked(state, used)
            used |= COMBO_MASK[combos[player]]
        key = known_key
        mask = known_mask
        missing = 5 - board.shape[0]
        while missing > 0:
            if bits_left == 0:
                bits = random_bits(state)
                bits_left = 10
            card = bits & np.uint64(63)
            bits >>= np.uint64(6)
            bits_left -= 1
            if card >= np.uint64(52) or (used >> card) & _ONE != 0:
                continue
            used |= _ONE << card
            key += card_key[card]
            mask += card_mask[card]
            missing -= 1
        for player in range(players):
            high, low = COMBO_CARDS[combos[player], 0], COMBO_CARDS[combos[player], 1]
            strengths[player] = strength_of_key(
                evaluator,
                key + card_key[high] + card_key[low],
                mask + card_mask[high] + card_mask[low],
            )
        winners = winners_of(strengths, players)
        outcomes[winners, 0] += weight
        outcomes[winners, 1] += weight * weight
    return deals, tries


def _warm_up() -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board = np.array([8, 13, 18], dtype=np.uint8)
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2), np.ones(2), np.zeros(2, dtype=np.int64))
    fill_draw_lists(lists)
    sample_deals(tables(), new_stream(0), board, np.uint64(0), lists, deal, REJECTING, 2, 1, 1, np.zeros((4, 2)))


register_warm_up("random deals", _warm_up)
