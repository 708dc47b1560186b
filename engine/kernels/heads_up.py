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

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS
from engine.kernels.evaluator import EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import kernel, register_warm_up

_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)
_NO_FLUSH = np.uint64(0)

_LEAST_FULL_HOUSE = 7462 - 10 - 156 - 156 + 1
_LEAST_STRAIGHT_FLUSH = 7462 - 10 + 1

# Four counts in one float64: each is at most C(39, 2) = 741, and their sum is a whole number below 2^53.
_FIELD_BITS = 13
_FIELD = (1 << _FIELD_BITS) - 1


class BoardLists(NamedTuple):
    """All boards with three to five cards of a suit, as lists that `count_matchups` goes through.

    Attributes
    ----------
    rank_key : ndarray of uint64, shape (13,)
        Of a card of each rank, its suit apart.
    suited_ranks : ndarray of int16, shape (2288,)
        Every set of three, four and five ranks, one bit each.
    board : ndarray of int16, shape (36608,)
        For three, four and then five suited cards, for each rest, for each set of suited ranks: the number of the
        multiset of all five ranks, in rising order.
    """

    rank_key: NDArray[np.uint64]
    suited_ranks: NDArray[np.int16]
    board: NDArray[np.int16]


@cache
def board_lists() -> BoardLists:
    """Give the lists for `count_matchups`, computed once."""
    number: dict[tuple[int, ...], int] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:
            number[ranks] = len(number)
    suited = [list(combinations(range(13), size)) for size in (3, 4, 5)]
    boards = [
        number[tuple(sorted(ranks + rest))]
        for missing, sets in zip((2, 1, 0), suited, strict=True)
        for rest in combinations_with_replacement(range(13), missing)
        for ranks in sets
    ]
    sets = [sum(1 << rank for rank in ranks) for sets in suited for ranks in sets]
    rank_key = tables().card_key[::4] & _RANK_PART
    return BoardLists(rank_key, np.array(sets, dtype=np.int16), np.array(boards, dtype=np.int16))


@kernel
def _judge_ranks(
    evaluator: EvaluatorTables,
    rank_key: NDArray[np.uint64],
    hole_ranks: np.int64,
    ways: NDArray[np.int64],
    judged: NDArray[np.float64],
    found: NDArray[np.int64],
) -> None:
    """Judge every multiset of five board ranks for given ranks of hole cards.

    Fills `judged`, shape (6175,), with one field each for won, tied, first player full, second player full, and
    adds to `found`, shape (2,), on how many boards the first player wins and ties, flushes apart. `ways`, shape
    (52,), is work space: [13 * (n - 1) + rank] are the ways to take n cards of a rank.
    """
    first, second = np.uint64(0), np.uint64(0)
    for rank in range(13):
        left = 4
        for i in range(4):
            if (hole_ranks >> 4 * i) & 15 == rank:
                left -= 1
                if i < 2:
                    first += rank_key[rank]
                else:
                    second += rank_key[rank]
        ways[rank] = left
        ways[13 + rank] = left * (left - 1) // 2
        ways[26 + rank] = left * (left - 1) * (left - 2) // 6
        ways[39 + rank] = left // 4
    won, tied = np.int64(0), np.int64(0)
    board = 0
    for a in range(13):
        for b in range(a, 13):
            ab_way, ab_run = (1, 13) if b == a else (ways[a], 0)
            for c in range(b, 13):
                abc_way, abc_run = (ab_way, ab_run + 13) if c == b else (ab_way * ways[ab_run + b], 0)
                for d in range(c, 13):
                    # The ways of the ranks before d, and how often d is there already, times 13.
                    way, run = (abc_way, abc_run + 13) if d == c else (abc_way * ways[abc_run + c], 0)
                    four = rank_key[a] + rank_key[b] + rank_key[c] + rank_key[d]
                    other = way * ways[run + d]
                    start = d + 1 if run == 39 else d
                    for e in range(start, 13):
                        count = other * ways[e] if e > d else way * ways[run + 13 + d]
                        key = four + rank_key[e]
                        own = strength_of_key(evaluator, (key + first) & _RANK_PART, _NO_FLUSH)
                        others = strength_of_key(evaluator, (key + second) & _RANK_PART, _NO_FLUSH)
                        win, tie = np.int64(own > others), np.int64(own == others)
                        won += win * count
                        tied += tie * count
                        full = np.int64(own >= _LEAST_FULL_HOUSE)
                        others_full = np.int64(others >= _LEAST_FULL_HOUSE)
                        judged[board] = (
                            win | tie << _FIELD_BITS | full << 2 * _FIELD_BITS | others_full << 3 * _FIELD_BITS
                        )
                        board += 1
    found[0] += won
    found[1] += tied


@kernel
def _correct_suit(
    evaluator: EvaluatorTables,
    suited_ranks: NDArray[np.int16],
    hole_ranks: np.int64,
    pattern: np.int64,
    spread: NDArray[np.float64],
    ways: NDArray[np.int64],
    sums: NDArray[np.float64],
    found: NDArray[np.int64],
) -> None:
    """Add to `found` by how much more the first player wins and ties for flushes in one suit.

    Bit i of `pattern` tells whether the i-th hole card is of the suit, `spread`, shape (36608,), is what
    `_judge_ranks` found, by `BoardLists.board`. `ways`, shape (13,), and `sums`, shape (1287,), are work space.
    """
    flush_strength = evaluator.flush_strength
    own_ranks, other_ranks = np.int64(0), np.int64(0)
    own_count, other_count = 0, 0
    for rank in range(13):
        ways[rank] = 3
    for i in range(4):
        held_rank = (hole_ranks >> 4 * i) & 15
        if (pattern >> i) & 1 == 0:
            ways[held_rank] -= 1
        elif i < 2:
            own_ranks |= np.int64(1) << held_rank
            own_count += 1
        else:
            other_ranks |= np.int64(1) << held_rank
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
                way = 1 if size == 5 else ways[a] if size == 4 else ways[a] * ways[b]
                if size == 3 and b == a:
                    way = ways[a] * (ways[a] - 1) // 2
                if size + most >= 5 and way > 0:
                    factor, row = np.float64(way), spread[place : place + sets]
                    for i in range(sets):
                        sums[i] += factor * row[i]
                place += sets
        is_own, is_other = size + own_count >= 5, size + other_count >= 5
        for i in range(sets if size + most >= 5 else 0):
            suited = np.int64(suited_ranks[first_set + i])
            if suited & held != 0:
                continue
            total = np.int64(sums[i])
            own, other = flush_strength[suited | own_ranks], flush_strength[suited | other_ranks]
            won -= total & _FIELD
            tied -= (total >> _FIELD_BITS) & _FIELD
            if is_own and is_other:
                won += boards if own > other else 0
                tied += boards if own == other else 0
            elif is_own:
                won += boards
                if own < _LEAST_STRAIGHT_FLUSH:
                    won -= total >> 3 * _FIELD_BITS
            elif other < _LEAST_STRAIGHT_FLUSH:
                won += (total >> 2 * _FIELD_BITS) & _FIELD
        first_set += sets
        sets, boards = (715, unsuited) if size == 3 else (1287, 1)
    found[0] += won
    found[1] += tied


@kernel
def _count_matchups(
    evaluator: EvaluatorTables,
    lists: BoardLists,
    deals: NDArray[np.int16],
    judged: NDArray[np.float64],
    spread: NDArray[np.float64],
    sums: NDArray[np.float64],
    work: NDArray[np.int64],
    found: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    rank_key, suited_ranks, board = lists.rank_key, lists.suited_ranks, lists.board
    known, last = np.int64(0), np.int64(-1)
    for row in range(deals.shape[0]):
        matchup, suits = np.int64(0), np.int64(0)
        for i in range(4):
            card = np.int64(COMBO_CARDS[deals[row, i >> 1], i & 1])
            matchup |= (card >> 2) << 4 * i
            suits |= (card & 3) << 4 * i
        if matchup != last:
            last, known = matchup, np.int64(0)
            for i in range(34):
                found[i] = 0
            _judge_ranks(evaluator, rank_key, matchup, work, judged, found[32:])
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
                _correct_suit(evaluator, suited_ranks, matchup, pattern, spread, work, sums, found[2 * pattern :])
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
    work, found = np.zeros(52, dtype=np.int64), np.zeros(34, dtype=np.int64)
    _count_matchups(
        tables(), board_lists(), deals, np.zeros(6175), np.zeros(36608), np.zeros(1287), work, found, counts
    )
    return counts


def _warm_up() -> None:
    count_matchups(np.array([[1325, 0]], dtype=np.int16))


register_warm_up("matchups before the flop", _warm_up, at_start=False)
