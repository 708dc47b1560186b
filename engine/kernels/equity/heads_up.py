"""Two players before the flop: all 1,712,304 boards of a matchup, counted by ranks and by suit.

How it works. Call the ranks of the four hole cards a *rank matchup* (there are 4186, the players' order apart).
Without flushes the ranks decide alone, so each of the 6175 multisets of five board ranks is judged once and counted
as often as it can be dealt. What flushes change is then added suit by suit, for a board can have three cards of one
suit only. A suit's *correction* depends on the rank matchup and on which of the four hole cards are of that suit,
its *pattern* (of 16). So a matchup is its rank matchup's count and four corrections, and matchups of the same ranks
share all of them.

A correction goes through the sets of three, four or five ranks that the board can have in the suit. Of the rest of
the board, cards of other suits, only sums over all of it are needed: on how many the first player would have won or
tied without the flush, and on how many each has a full house or quads, since a player alone with a flush loses to
nothing else, and to nothing at all with a straight flush. Of seven cards nobody has a flush and a full house.
"""

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_PAIR
from engine.kernels.equity.preflop_boards import LEAST_FULL_HOUSE, LEAST_STRAIGHT_FLUSH, rank_lists, ways_of
from engine.kernels.evaluator import tables
from engine.kernels.jit import kernel, register_warm_up

# Four counts in one float64: each is at most C(39, 2) = 741, and their sum is a whole number below 2^53.
_FIELD_BITS = 13
_FIELD = (1 << _FIELD_BITS) - 1


@kernel
def _judge_ranks(
    own_strength: NDArray[np.int16],
    other_strength: NDArray[np.int16],
    slots: NDArray[np.uint8],
    ways: NDArray[np.int64],
    judged: NDArray[np.float64],
    board: NDArray[np.uint16],
    spread: NDArray[np.float64],
) -> tuple[np.int64, np.int64]:
    """Judge every multiset of five board ranks, flushes apart: on how many boards the first wins and ties.

    Fills `judged` with one field each for won, tied, first player full, second player full, and `spread` with the
    same by `RankLists.board`.
    """
    won, tied = np.int64(0), np.int64(0)
    for i in range(judged.shape[0]):
        own, other = own_strength[i], other_strength[i]
        win, tie = np.int64(own > other), np.int64(own == other)
        way = ways[slots[i, 0]] * ways[slots[i, 1]] * ways[slots[i, 2]] * ways[slots[i, 3]] * ways[slots[i, 4]]
        won += way * win
        tied += way * tie
        own_full, other_full = np.int64(own >= LEAST_FULL_HOUSE), np.int64(other >= LEAST_FULL_HOUSE)
        judged[i] = win | tie << _FIELD_BITS | own_full << 2 * _FIELD_BITS | other_full << 3 * _FIELD_BITS
    for i in range(spread.shape[0]):
        spread[i] = judged[board[i]]
    return won, tied


@kernel
def _correct_suits(
    flush_strength: NDArray[np.int16],
    suited_ranks: NDArray[np.uint16],
    spread: NDArray[np.float64],
    held: NDArray[np.int64],
    rest_ways: NDArray[np.uint8],
    sums: NDArray[np.float64],
    found: NDArray[np.int64],
) -> None:
    """Find by how much more the first player wins and ties for flushes in one suit, for each pattern of it.

    `held` are both players' ranks in the suit as bits, and how many they are.
    """
    for row in range(held.shape[0]):
        own_ranks, other_ranks, own_count, other_count = held[row, 0], held[row, 1], held[row, 2], held[row, 3]
        unsuited, most = 35 + own_count + other_count, max(own_count, other_count)
        won, tied = np.int64(0), np.int64(0)
        place, first_set, sets, boards = 0, 0, 286, unsuited * (unsuited - 1) // 2
        for size in range(3, 6):
            for i in range(sets):
                sums[i] = 0.0
            first_rest, rests = (14, 91) if size == 3 else (1, 13) if size == 4 else (0, 1)
            for j in range(first_rest, first_rest + rests):
                way = rest_ways[row, j]
                if size + most >= 5 and way > 0:
                    factor, at_rest = np.float64(way), spread[place : place + sets]
                    for i in range(sets):
                        sums[i] += factor * at_rest[i]
                place += sets
            # Where one player alone has a flush, full houses of the other are taken from what that gains.
            side = np.int64(size + own_count >= 5) - np.int64(size + other_count >= 5)
            shift = (2 if side < 0 else 3) * _FIELD_BITS
            for i in range(sets if size + most >= 5 else 0):
                suited = np.int64(suited_ranks[first_set + i])
                if suited & (own_ranks | other_ranks) == 0:
                    total = np.int64(sums[i])
                    own, other = flush_strength[suited | own_ranks], flush_strength[suited | other_ranks]
                    full = ((total >> shift) & _FIELD) * side if max(own, other) < LEAST_STRAIGHT_FLUSH else 0
                    won += (boards if own > other else 0) - (total & _FIELD) - full
                    tied += (boards if own == other else 0) - ((total >> _FIELD_BITS) & _FIELD)
            first_set += sets
            sets, boards = (715, unsuited) if size == 3 else (1287, 1)
        found[row, 0], found[row, 1] = won, tied


def count_matchups(deals: NDArray[np.int16]) -> NDArray[np.int64]:
    """Count all boards of five cards for matchups of two players.

    Parameters
    ----------
    deals : ndarray of int16, shape (n, 2)
        The players' combos, without a card in common. Neighbours of the same ranks share most of the work.

    Returns
    -------
    ndarray of int64, shape (n, 2)
        On how many of the 1,712,304 boards the first player wins and ties.
    """
    flush_strength, lists = tables().flush_strength, rank_lists()
    cards, pairs = COMBO_CARDS[deals].reshape(-1, 4).astype(np.int64), COMBO_PAIR[deals]
    is_first = np.append(True, (pairs[1:] != pairs[:-1]).any(axis=1))  # of its ranks
    firsts = np.flatnonzero(is_first)
    of_rank = cards[:, :, None] >> 2 == np.arange(13)
    in_suit = (cards[:, None] & 3) == np.arange(4)[:, None]
    keys = 16 * (np.cumsum(is_first) - 1)[:, None] + in_suit @ (1 << np.arange(4))
    tasks, at, task_of = np.unique(keys, return_index=True, return_inverse=True)
    is_suited, task_ranks = in_suit.reshape(-1, 4)[at], of_rank[at // 4]
    left = 3 - (~is_suited[:, None]).astype(np.int8) @ task_ranks.astype(np.int8)
    rest_ways = lists.rest_ways(left[:, 0])
    bits = np.where(is_suited, 1 << (cards[at // 4] >> 2), 0).reshape(-1, 2, 2).sum(axis=2)
    held = np.hstack([bits, is_suited.reshape(-1, 2, 2).sum(axis=2)])
    ways = ways_of(4 - of_rank[firsts].sum(axis=1))
    starts = np.searchsorted(tasks, 16 * np.arange(len(firsts) + 1))
    found, counts = np.empty((len(tasks), 2), dtype=np.int64), np.empty((len(firsts), 2), dtype=np.int64)
    judged, spread, sums = (np.empty(size) for size in (6175, 36608, 1287))
    for i, (own, other) in enumerate(pairs[firsts]):
        strengths = lists.pair_strength[own], lists.pair_strength[other]
        counts[i] = _judge_ranks(*strengths, lists.board_slots, ways[i], judged, lists.board, spread)
        rows = slice(starts[i], starts[i + 1])
        _correct_suits(flush_strength, lists.suited_ranks, spread, held[rows], rest_ways[rows], sums, found[rows])
    counted: NDArray[np.int64] = counts[np.cumsum(is_first) - 1]
    for tasks_of_suit in task_of.reshape(-1, 4).T:
        counted += found[tasks_of_suit]
    return counted


def _warm_up() -> None:
    count_matchups(np.array([[1325, 0]], dtype=np.int16))


register_warm_up("matchups before the flop", _warm_up, at_start=False)
