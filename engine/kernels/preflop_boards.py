"""Every board of five cards for given hole cards, counted by ranks instead of one by one.

Outcomes are those of `engine.kernels.showdown`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_MASK
from engine.kernels.evaluator import EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.showdown import winners_of

_ONE = np.uint64(1)
_NO_FLUSH = np.uint64(0)
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)


class RankLists(NamedTuple):
    """Everything that boards before the flop can be made of, as lists that `count_preflop` goes through.

    A *slot* `13 * (n - 1) + rank` stands for n cards of a rank, slot 52 for nothing.

    Attributes
    ----------
    board_key : ndarray of uint64, shape (6175,)
        Rank key of every multiset of five ranks.
    board_slots : ndarray of uint8, shape (6175, 5)
        The slots it is made of.
    rest_key, rest_slots : ndarray of uint64 and uint8, shapes (105,) and (105, 2)
        The same for none, one (from index 1) and two (from index 14) ranks.
    suited_ranks : ndarray of int64, shape (2288,)
        Every set of three, four or five ranks, one bit each.
    suited_size : ndarray of int64, shape (2288,)
    suited_key : ndarray of uint64, shape (2288,)
    """

    board_key: NDArray[np.uint64]
    board_slots: NDArray[np.uint8]
    rest_key: NDArray[np.uint64]
    rest_slots: NDArray[np.uint8]
    suited_ranks: NDArray[np.int64]
    suited_size: NDArray[np.int64]
    suited_key: NDArray[np.uint64]


_REST_STARTS = np.array([0, 1, 14, 105])
_NOTHING = 52


@cache
def rank_lists() -> RankLists:
    """Give the lists for `count_preflop`, computed once (20 ms)."""
    rank_key = tables().card_key[::4] & _RANK_PART
    boards = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    rests = [ranks for count in range(3) for ranks in combinations_with_replacement(range(13), count)]
    suited = [ranks for count in (3, 4, 5) for ranks in combinations(range(13), count)]

    def keys(lists: Sequence[tuple[int, ...]]) -> NDArray[np.uint64]:
        return np.array([rank_key[list(ranks)].sum(dtype=np.uint64) for ranks in lists], dtype=np.uint64)

    def slots(lists: Sequence[tuple[int, ...]], width: int) -> NDArray[np.uint8]:
        rows = np.full((len(lists), width), _NOTHING, dtype=np.uint8)
        for row, ranks in zip(rows, lists, strict=True):
            row[: len(set(ranks))] = [13 * (ranks.count(rank) - 1) + rank for rank in sorted(set(ranks))]
        return rows

    return RankLists(
        board_key=keys(boards),
        board_slots=slots(boards, 5),
        rest_key=keys(rests),
        rest_slots=slots(rests, 2),
        suited_ranks=np.array([sum(1 << rank for rank in ranks) for ranks in suited], dtype=np.int64),
        suited_size=np.array([len(ranks) for ranks in suited], dtype=np.int64),
        suited_key=keys(suited),
    )


@inlined
def _fill_ways(left: NDArray[np.int64], ways: NDArray[np.int64]) -> None:
    """Count by slot the ways to take cards of which `left` are there by rank: C(left, 1) to C(left, 4)."""
    for rank in range(13):
        count = left[rank]
        ways[rank] = count
        ways[13 + rank] = count * (count - 1) // 2
        ways[26 + rank] = count * (count - 1) * (count - 2) // 6
        ways[39 + rank] = count // 4
    ways[_NOTHING] = 1


@kernel
def count_preflop(
    evaluator: EvaluatorTables,
    lists: RankLists,
    deals: NDArray[np.int16],
    weights: NDArray[np.float64],
    dead: np.uint64,
    outcomes: NDArray[np.float64],
) -> None:
    """Count all boards of five cards for each deal.

    Parameters
    ----------
    evaluator : EvaluatorTables
    lists : RankLists
    deals : ndarray of int16, shape (n, players)
        The players' combos; no two of a row share a card with each other or with `dead`.
    weights : ndarray of float64, shape (n,)
        What a board of this deal counts.
    dead : uint64
        Mask of dead cards.
    outcomes : ndarray of float64, shape (2 ** players,)
        Added to.

    Notes
    -----
    Without flushes the ranks decide alone, so it is enough to judge each of the 6175 multisets of five ranks and
    to count the boards that have it. The boards on which somebody has a flush are then judged again, by their
    ranks in the suit and those of the other cards; of seven cards a flush is never beaten by quads or a full
    house among the same cards.
    """
    # Taken out once: an array of a named tuple costs an atomic count of references at each use.
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    board_key, board_slots, rest_key, rest_slots, suited_ranks, suited_size, suited_key = lists
    players = deals.shape[1]
    hole_keys = np.zeros(players, dtype=np.uint64)
    flushes = np.zeros(players, dtype=np.int32)
    strengths = np.zeros(players, dtype=np.int32)
    suited = np.zeros((4, players), dtype=np.int64)
    left = np.zeros(13, dtype=np.int64)
    ways = np.zeros(53, dtype=np.int64)
    rest_ways = np.zeros(105, dtype=np.int64)
    counts = np.zeros(1 << players, dtype=np.int64)
    for row in range(deals.shape[0]):
        counts[:] = 0
        suited[:] = 0
        used = dead
        for player in range(players):
            used |= COMBO_MASK[deals[row, player]]
            hole_keys[player] = 0
            for i in range(2):
                card = np.int64(COMBO_CARDS[deals[row, player], i])
                hole_keys[player] += card_key[card] & _RANK_PART
                suited[card & 3, player] |= 1 << (card >> 2)
        for rank in range(13):
            left[rank] = 0
            for suit in range(4):
                left[rank] += 1 - np.int64((used >> np.uint64(4 * rank + suit)) & _ONE)

        _fill_ways(left, ways)
        for i in range(board_key.shape[0]):
            way = ways[board_slots[i, 0]] * ways[board_slots[i, 1]]
            way *= ways[board_slots[i, 2]] * ways[board_slots[i, 3]]
            way *= ways[board_slots[i, 4]]
            for player in range(players):
                key = board_key[i] + hole_keys[player]
                strengths[player] = strength_of_key(evaluator, key, _NO_FLUSH)
            counts[winners_of(strengths, players)] += way

        for suit in range(4):
            free = np.int64(0)
            most = 0
            for rank in range(13):
                is_free = 1 - np.int64((used >> np.uint64(4 * rank + suit)) & _ONE)
                free |= is_free << rank
                left[rank] -= is_free
            for player in range(players):
                held = suited[suit, player]
                most = max(most, 0 if held == 0 else 1 if held & (held - 1) == 0 else 2)
            _fill_ways(left, ways)
            for j in range(105):
                rest_ways[j] = ways[rest_slots[j, 0]] * ways[rest_slots[j, 1]]
            for i in range(suited_ranks.shape[0]):
                ranks = suited_ranks[i]
                missing = 5 - suited_size[i]
                if ranks & ~free != 0 or missing > most:
                    continue
                for player in range(players):
                    # 0 where the player has no five cards of the suit
                    flushes[player] = flush_strength[ranks | suited[suit, player]]
                for j in range(_REST_STARTS[missing], _REST_STARTS[missing + 1]):
                    if rest_ways[j] == 0:
                        continue
                    for player in range(players):
                        key = suited_key[i] + rest_key[j] + hole_keys[player]
                        strengths[player] = strength_of_key(evaluator, key, _NO_FLUSH)
                    counts[winners_of(strengths, players)] -= rest_ways[j]
                    for player in range(players):
                        strengths[player] = max(strengths[player], flushes[player])
                    counts[winners_of(strengths, players)] += rest_ways[j]
            for rank in range(13):
                left[rank] += (free >> rank) & 1
        for winners in range(counts.shape[0]):
            outcomes[winners] += weights[row] * counts[winners]


def _warm_up() -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    count_preflop(tables(), rank_lists(), deal, np.ones(1), np.uint64(0), np.zeros(4))


register_warm_up("boards before the flop", _warm_up, at_start=False)
