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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS
from engine.kernels.evaluator import tables
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.preflop_boards import LEAST_FULL_HOUSE, LEAST_STRAIGHT_FLUSH, RankLists, fill_ways, rank_lists

# Four counts in one float64: each is at most C(39, 2) = 741, and their sum is a whole number below 2^53.
_FIELD_BITS = 13
_FIELD = (1 << _FIELD_BITS) - 1


class _Work(NamedTuple):
    """Work space.

    Attributes
    ----------
    judged : ndarray of float64, shape (6175,)
        What `_judge_ranks` finds, by multiset of board ranks.
    spread : ndarray of float64, shape (36608,)
        The same by `RankLists.board`.
    sums : ndarray of float64, shape (1287,)
    left, ways : ndarray of int64, shapes (13,) and (53,)
    found : ndarray of int64, shape (34,)
        By how much more the first player wins and ties for flushes, by pattern, and last how much without.
    """

    judged: NDArray[np.float64]
    spread: NDArray[np.float64]
    sums: NDArray[np.float64]
    left: NDArray[np.int64]
    ways: NDArray[np.int64]
    found: NDArray[np.int64]


def _new_work() -> _Work:
    judged, spread, sums = (np.zeros(size) for size in (6175, 36608, 1287))
    left, ways, found = (np.zeros(size, dtype=np.int64) for size in (13, 53, 34))
    return _Work(judged, spread, sums, left, ways, found)


@kernel
def _judge_ranks(lists: RankLists, hole_ranks: np.int64, work: _Work) -> None:
    """Judge every multiset of five board ranks for given ranks of hole cards, flushes apart.

    Fills `judged` with one field each for won, tied, first player full, second player full.
    """
    slots = lists.board_slots
    left, ways, judged, found = work.left, work.ways, work.judged, work.found
    for rank in range(13):
        left[rank] = 4
    for i in range(4):
        left[(hole_ranks >> 4 * i) & 15] -= 1
    fill_ways(left, ways)
    high, low = hole_ranks & 15, (hole_ranks >> 4) & 15
    own_strength = lists.pair_strength[high * (high + 1) // 2 + low]
    high, low = (hole_ranks >> 8) & 15, (hole_ranks >> 12) & 15
    other_strength = lists.pair_strength[high * (high + 1) // 2 + low]
    won, tied = np.int64(0), np.int64(0)
    for i in range(judged.shape[0]):
        own, other = own_strength[i], other_strength[i]
        win, tie = np.int64(own > other), np.int64(own == other)
        way = ways[slots[i, 0]] * ways[slots[i, 1]] * ways[slots[i, 2]] * ways[slots[i, 3]] * ways[slots[i, 4]]
        won += way * win
        tied += way * tie
        own_full, other_full = np.int64(own >= LEAST_FULL_HOUSE), np.int64(other >= LEAST_FULL_HOUSE)
        judged[i] = win | tie << _FIELD_BITS | own_full << 2 * _FIELD_BITS | other_full << 3 * _FIELD_BITS
    found[32] = won
    found[33] = tied


@kernel
def _correct_suit(
    flush_strength: NDArray[np.int16],
    suited_ranks: NDArray[np.uint16],
    hole_ranks: np.int64,
    pattern: np.int64,
    work: _Work,
) -> None:
    """Find by how much more the first player wins and ties for flushes in one suit.

    Bit i of `pattern` says whether the i-th hole card is of the suit.
    """
    left, sums, spread, found = work.left, work.sums, work.spread, work.found
    own_ranks, other_ranks = np.uint64(0), np.uint64(0)
    own_count, other_count = 0, 0
    for rank in range(13):
        left[rank] = 3
    for i in range(4):
        held_rank = (hole_ranks >> 4 * i) & 15
        if (pattern >> i) & 1 == 0:
            left[held_rank] -= 1
        elif i < 2:
            own_ranks |= np.uint64(1) << np.uint64(held_rank)
            own_count += 1
        else:
            other_ranks |= np.uint64(1) << np.uint64(held_rank)
            other_count += 1
    held = own_ranks | other_ranks
    unsuited = 35 + own_count + other_count
    most = own_count if own_count > other_count else other_count
    won, tied = np.int64(0), np.int64(0)
    place, first_set, sets, boards = 0, 0, 286, unsuited * (unsuited - 1) // 2
    for size in range(3, 6):
        for i in range(sets):
            sums[i] = 0.0
        # One way for no rest, ranks a for a rest of one card, a and b for one of two.
        for a in range(13 if size < 5 else 1):
            for b in range(a, 13 if size < 4 else a + 1):
                way = 1 if size == 5 else left[a] if size == 4 else left[a] * left[b]
                if size == 3 and b == a:
                    way = left[a] * (left[a] - 1) // 2
                if size + most >= 5 and way > 0:
                    factor, row = np.float64(way), spread[place : place + sets]
                    for i in range(sets):
                        sums[i] += factor * row[i]
                place += sets
        # Where one player alone has a flush, full houses of the other are taken from what that gains.
        side = np.int64(size + own_count >= 5) - np.int64(size + other_count >= 5)
        shift = (2 if side < 0 else 3) * _FIELD_BITS
        all_suited = suited_ranks[first_set : first_set + sets]
        for i in range(sets if size + most >= 5 else 0):
            suited = all_suited[i]
            if suited & held == np.uint64(0):
                total = np.int64(sums[i])
                own, other = flush_strength[suited | own_ranks], flush_strength[suited | other_ranks]
                full = ((total >> shift) & _FIELD) * side if max(own, other) < LEAST_STRAIGHT_FLUSH else 0
                won += (boards if own > other else 0) - (total & _FIELD) - full
                tied += (boards if own == other else 0) - ((total >> _FIELD_BITS) & _FIELD)
        first_set += sets
        sets, boards = (715, unsuited) if size == 3 else (1287, 1)
    found[2 * pattern] = won
    found[2 * pattern + 1] = tied


@kernel
def _count_matchups(
    flush_strength: NDArray[np.int16],
    lists: RankLists,
    deals: NDArray[np.int16],
    work: _Work,
    counts: NDArray[np.int64],
) -> None:
    suited_ranks, board = lists.suited_ranks, lists.board
    judged, spread, found = work.judged, work.spread, work.found
    known, last = np.int64(0), np.int64(-1)
    for row in range(deals.shape[0]):
        matchup, suits = np.int64(0), np.int64(0)
        for i in range(4):
            card = np.int64(COMBO_CARDS[deals[row, i >> 1], i & 1])
            matchup |= (card >> 2) << 4 * i
            suits |= (card & 3) << 4 * i
        if matchup != last:
            last, known = matchup, np.int64(0)
            _judge_ranks(lists, matchup, work)
            for i in range(board.shape[0]):
                spread[i] = judged[board[i]]
        won, tied = found[32], found[33]
        for suit in range(4):
            pattern = np.int64(0)
            for i in range(4):
                if (suits >> 4 * i) & 15 == suit:
                    pattern |= 1 << i
            if (known >> pattern) & 1 == 0:
                known |= 1 << pattern
                _correct_suit(flush_strength, suited_ranks, matchup, pattern, work)
            won += found[2 * pattern]
            tied += found[2 * pattern + 1]
        counts[row, 0], counts[row, 1] = won, tied


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
    counts = np.zeros((len(deals), 2), dtype=np.int64)
    _count_matchups(tables().flush_strength, rank_lists(), deals, _new_work(), counts)
    return counts


def _warm_up() -> None:
    count_matchups(np.array([[1325, 0]], dtype=np.int16))


register_warm_up("matchups before the flop", _warm_up, at_start=False)
