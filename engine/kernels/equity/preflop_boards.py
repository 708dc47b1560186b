"""Every board of five cards for given hole cards, counted by ranks instead of one by one.

Outcomes are those of `engine.kernels.equity.showdown`.
"""

from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_MASK, COMBO_PAIR, PAIR_COUNT
from engine.kernels.cache import cached_arrays
from engine.kernels.evaluator import rank_multisets, strengths_of_ranks, tables
from engine.kernels.jit import kernel, register_warm_up

_ONE = np.uint64(1)

# A board without flushes in one number: the set of winners and, above it, the set of who has a full house or quads.
_FULL_SHIFT = 16
_WINNERS = (1 << _FULL_SHIFT) - 1

NOTHING = 52
"""The slot of no card."""

LEAST_FULL_HOUSE = 7462 - 10 - 156 - 156 + 1
LEAST_STRAIGHT_FLUSH = 7462 - 10 + 1
"""The strengths of 2-2-2-3-3 and of a straight flush to the five."""


class RankLists(NamedTuple):
    """Everything that boards before the flop can be made of, as lists that kernels go through.

    A *slot* `13 * (n - 1) + rank` stands for n cards of a rank, slot 52 for nothing. A board's *number* is that of
    its ranks among the 6175 multisets of five, in rising order. A board that has three to five cards of a suit is a
    *set* of ranks in the suit and a *rest* of other ranks.

    Attributes
    ----------
    pair_strength : ndarray of int16, shape (91, 6175)
        By the ranks of two hole cards, `high * (high + 1) / 2 + low`, and the number of a board: the strength,
        flushes apart; 0 where a rank stands more than four times.
    board_slots : ndarray of uint8, shape (6175, 5)
        The slots that each board is made of.
    suited_ranks : ndarray of uint16, shape (2288,)
        Every set of three, four (from index 286) and five (from index 1001) ranks, one bit each.
    rest_slots : ndarray of uint8, shape (105, 2)
        The slots of no rest, of rests of one rank (from index 1) and of two (from index 14).
    board : ndarray of uint16, shape (36608,)
        For sets of three, four (from index 26026) and five (from index 35321) ranks, for each rest, for each set:
        the board's number.
    """

    pair_strength: NDArray[np.int16]
    board_slots: NDArray[np.uint8]
    suited_ranks: NDArray[np.uint16]
    rest_slots: NDArray[np.uint8]
    board: NDArray[np.uint16]

    def rest_ways(self, left: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
        """Count the ways to take each rest, shape (..., 105), of 0 to 3 cards of each rank, shape (..., 13)."""
        ways, (first, second) = ways_of(left).astype(np.uint8), self.rest_slots.T
        return ways[..., first] * ways[..., second]


_lists: RankLists | None = None


def rank_lists() -> RankLists:
    """Return the lists, 1.3 MB: read from the cache folder, or computed (0.2 s) and kept there."""
    global _lists
    if _lists is None:
        _lists = RankLists(**cast(Any, cached_arrays("rank_lists", _compute_lists)))
    return _lists


def _compute_lists() -> dict[str, NDArray[np.generic]]:
    """Compute the arrays of `RankLists` by name."""
    boards = rank_multisets(5)
    hands = np.empty((PAIR_COUNT, len(boards), 7), dtype=np.int64)
    hands[..., :2] = np.array([(high, low) for high in range(13) for low in range(high + 1)])[:, None]
    hands[..., 2:] = boards
    powers = 13 ** np.arange(4, -1, -1)
    sets, numbers = [], []
    for size in (3, 4, 5):
        suited = np.array(list(combinations(range(13), size)))
        rests = np.array(list(combinations_with_replacement(range(13), 5 - size)), dtype=np.int64)
        shape = (len(rests), len(suited))
        in_suit = np.broadcast_to(suited, (*shape, size))
        others = np.broadcast_to(rests[:, None], (*shape, 5 - size))
        ranks = np.sort(np.dstack([in_suit, others]))
        numbers.append(np.searchsorted(boards @ powers, (ranks @ powers).ravel()))
        sets.append((1 << suited).sum(axis=1))
    all_rests = [list(ranks) for count in range(3) for ranks in combinations_with_replacement(range(13), count)]
    return {
        "pair_strength": strengths_of_ranks(hands),
        "board_slots": _slots(boards.tolist(), 5),
        "suited_ranks": np.concatenate(sets).astype(np.uint16),
        "rest_slots": _slots(all_rests, 2),
        "board": np.concatenate(numbers).astype(np.uint16),
    }


def _slots(lists: list[list[int]], width: int) -> NDArray[np.uint8]:
    """Return the slots that lists of ranks are made of."""
    rows = np.full((len(lists), width), NOTHING, dtype=np.uint8)
    for row, ranks in zip(rows, lists, strict=True):
        row[: len(set(ranks))] = [13 * (ranks.count(rank) - 1) + rank for rank in sorted(set(ranks))]
    return rows


def ways_of(left: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Count by slot the ways to take so many cards of a rank.

    Parameters
    ----------
    left : ndarray of int, shape (..., 13)
        How many cards of each rank are there.

    Returns
    -------
    ndarray of int64, shape (..., 53)
    """
    one = left.astype(np.int64)
    two = one * (one - 1) // 2
    nothing = np.ones_like(one[..., :1])
    return np.concatenate([one, two, two * (one - 2) // 3, one // 4, nothing], axis=-1)


@kernel
def _joined(winners: np.int64, best: np.int64, strength: np.int64, player: int) -> np.int64:
    """Return the winners after one more player, whose strength may beat the best so far."""
    return (np.int64(0) if strength > best else winners) | np.int64(strength >= best) << player


class _Deals(NamedTuple):
    """Hole cards, one row per deal, and what they leave for the board.

    Attributes
    ----------
    pairs : ndarray of uint8, shape (n, players)
        Numbers of the ranks of each player's cards.
    suited : ndarray of int64, shape (n, 4, players)
        By suit, the ranks that a player holds in it, as bits.
    free : ndarray of int64, shape (n, 4)
        By suit, the ranks that are left in it, as bits.
    ways : ndarray of int64, shape (n, 53)
        Of the cards left.
    rest_ways : ndarray of uint8, shape (n, 4, 105)
        By suit, of the cards left in the other suits.
    """

    pairs: NDArray[np.uint8]
    suited: NDArray[np.int64]
    free: NDArray[np.int64]
    ways: NDArray[np.int64]
    rest_ways: NDArray[np.uint8]


def count_preflop(
    flush_strength: NDArray[np.int16],
    lists: RankLists,
    deals: NDArray[np.int16],
    weights: NDArray[np.float64],
    dead: np.uint64,
    outcomes: NDArray[np.float64],
) -> None:
    """Count all boards of five cards for each deal.

    Parameters
    ----------
    flush_strength : ndarray of int16, shape (8192,)
        Of the evaluator's tables.
    lists : RankLists
    deals : ndarray of int16, shape (n, players)
        The players' combos; no two of a row share a card with each other or with `dead`. A row takes 2 kB.
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
    cards = COMBO_CARDS[deals].astype(np.int64)
    suited = np.where(cards[:, None] & 3 == np.arange(4)[:, None, None], 1 << (cards[:, None] >> 2), 0).sum(axis=-1)
    used = np.bitwise_or.reduce(COMBO_MASK[deals], axis=1) | dead
    is_free = used[:, None, None] >> np.arange(52, dtype=np.uint64).reshape(13, 4).T & _ONE == 0  # by suit and rank
    left = is_free.sum(axis=1)
    free = is_free @ (1 << np.arange(13))
    rest_ways = lists.rest_ways(left[:, None] - is_free)
    _count(
        flush_strength, lists, _Deals(COMBO_PAIR[deals], suited, free, ways_of(left), rest_ways), weights, outcomes
    )


@kernel
def _count(
    flush_strength: NDArray[np.int16],
    lists: RankLists,
    deals: _Deals,
    weights: NDArray[np.float64],
    outcomes: NDArray[np.float64],
) -> None:
    """Add all boards of each deal to the outcomes."""
    # Taken out once: an array of a named tuple costs an atomic count of references at each use.
    pair_strength, board_slots, suited_ranks, _, board = lists
    all_pairs, suited, all_free, all_ways, rest_ways = deals
    players = all_pairs.shape[1]
    flushes = np.zeros(players, dtype=np.int64)
    counts = np.zeros(1 << players, dtype=np.int64)
    judged = np.zeros(board_slots.shape[0], dtype=np.int64)
    for row in range(all_pairs.shape[0]):
        for i in range(counts.shape[0]):
            counts[i] = 0
        pairs, ways = all_pairs[row], all_ways[row]
        for i in range(board_slots.shape[0]):
            way = ways[board_slots[i, 0]] * ways[board_slots[i, 1]]
            way *= ways[board_slots[i, 2]] * ways[board_slots[i, 3]]
            way *= ways[board_slots[i, 4]]
            full, winners, best = np.int64(0), np.int64(0), np.int64(0)
            for player in range(players):
                strength = np.int64(pair_strength[pairs[player], i])
                full |= np.int64(strength >= LEAST_FULL_HOUSE) << player
                winners = _joined(winners, best, strength, player)
                best = max(best, strength)
            judged[i] = winners | full << _FULL_SHIFT
            counts[winners] += way

        for suit in range(4):
            free, held = all_free[row, suit], suited[row, suit]
            most = 0
            for player in range(players):
                most = max(most, 0 if held[player] == 0 else 1 if held[player] & (held[player] - 1) == 0 else 2)
            first_set, sets, first_place = 0, 286, 0
            for missing in range(2, -1, -1):
                first_rest = 14 if missing == 2 else 1 if missing == 1 else 0
                rests = 91 if missing == 2 else 13 if missing == 1 else 1
                for i in range(sets if missing <= most else 0):
                    ranks = np.int64(suited_ranks[first_set + i])
                    if ranks & ~free != 0:
                        continue
                    beaten = np.int64(0)  # by whose full house or quads these flushes are
                    flush_winners, best_flush = np.int64(0), np.int64(1)
                    for player in range(players):
                        # 0 where the player has no five cards of the suit
                        flush = np.int64(flush_strength[ranks | held[player]])
                        flushes[player] = flush
                        beaten |= np.int64(flush == 0) << (_FULL_SHIFT + player)
                        flush_winners = _joined(flush_winners, best_flush, flush, player)
                        best_flush = max(best_flush, flush)
                    if best_flush >= LEAST_STRAIGHT_FLUSH:
                        beaten = np.int64(0)
                    unbeaten = np.int64(0)
                    for j in range(rests):
                        way = np.int64(rest_ways[row, suit, first_rest + j])
                        number = board[first_place + j * sets + i]
                        before = np.int64(judged[number])
                        counts[before & _WINNERS] -= way
                        if before & beaten == 0:
                            unbeaten += way
                        else:
                            winners, best = np.int64(0), np.int64(0)
                            for player in range(players):
                                strength = max(np.int64(pair_strength[pairs[player], number]), flushes[player])
                                winners = _joined(winners, best, strength, player)
                                best = max(best, strength)
                            counts[winners] += way
                    counts[flush_winners] += unbeaten
                first_set += sets
                first_place += rests * sets
                sets = 715 if missing == 2 else 1287
        for i in range(counts.shape[0]):
            outcomes[i] += weights[row] * counts[i]


def _warm_up() -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    count_preflop(tables().flush_strength, rank_lists(), deal, np.ones(1), np.uint64(0), np.zeros(4))


register_warm_up("boards before the flop", _warm_up, at_start=False)
