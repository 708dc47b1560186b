"""Counting showdowns exactly: which way is cheapest for a question, what it would cost, and its steps.

The callers have checked the cards; `live` is always each player's weights without what can never be dealt:
float64, shape (players, 1326).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, card_mask, relabel_suits

Sums = NDArray[np.float64]

# The cost estimates that decide, in seconds, measured on one core of a 2.6 GHz EPYC (rounded up).
_PREFLOP_COST = 3e-4  # per player of a deal before the flop: all 1,712,304 boards (two players)
_STRENGTH_COST = 8e-9  # per combo and board
_SHOWDOWN_COST = 2e-9  # per player, deal and board

MOST_JOINT_DEALS = 2_000_000  # deals listed one by one: 100 MB at most
_MOST_PAIRINGS = 4_000_000  # combinations tested for a clash at once
_STEP_SECONDS = 0.012


class Counting(Protocol):
    """An exact count that has been planned but not carried out.

    Attributes
    ----------
    seconds : float
        Its estimated cost.
    outcomes : ndarray of float64, shape (2 ** players,)
        After the last step: the weight of the showdowns that exactly this set of players won, player 0 being bit 0.
    showdowns : int
        After the last step: how many of positive weight there were.
    """

    seconds: float
    outcomes: Sums
    showdowns: int

    def steps(self) -> Iterator[float]:
        """Count, about 12 ms a step; gives the part done, 0 to 1."""


def plan_count(live: Sums, board: Sequence[int], dead: Sequence[int], budget: float) -> Counting | None:
    """Find the way to count exactly within a budget in seconds, if there is one.

    Two players on a flop, turn or river: a sweep of all combos, whatever it costs (about 15 ms). More players:
    every deal on every board. Before the flop: all boards for every deal that differs by more than a relabelling
    of suits.
    """
    players = len(live)
    if board and players == 2:
        return _SweepCounting(live, board, dead)
    most = MOST_JOINT_DEALS
    if not board:
        # One deal stands for at most 24 relabelled ones.
        most = min(most, int(24 * budget / (players * _PREFLOP_COST)))
    joint = joint_deals(live, most)
    if joint is None:
        return None
    counting: Counting = _BoardCounting(*joint, board, dead) if board else _PreflopCounting(*joint, dead)
    return counting if counting.seconds <= budget else None


def joint_deals(live: Sums, most: int) -> tuple[NDArray[np.int16], Sums] | None:
    """List all deals without a clash, shape (n, players), and their weights; None if there are too many."""
    deals = np.zeros((1, 0), dtype=np.int16)
    weights = np.ones(1)
    used = np.zeros(1, dtype=np.uint64)
    for player in live:
        combos = np.flatnonzero(player)
        if len(deals) * len(combos) > _MOST_PAIRINGS:
            return None
        rows, columns = np.nonzero((used[:, None] & COMBO_MASK[combos]) == 0)
        if len(rows) > most:
            return None
        combos = combos[columns]
        deals = np.column_stack([deals[rows], combos.astype(np.int16)])
        weights = weights[rows] * player[combos]
        used = used[rows] | COMBO_MASK[combos]
    return deals, weights


def all_boards(board: Sequence[int], dead: Sequence[int]) -> NDArray[np.uint8]:
    """Complete a flop, turn or river in all ways: shape (n, 5); those of the same ranks follow one another."""
    deck = np.array([card for card in range(CARD_COUNT) if card not in board and card not in dead])
    missing = 5 - len(board)
    if missing == 2:
        first, second = np.triu_indices(len(deck), 1)
        runouts = np.column_stack([deck[first], deck[second]])
        runouts = runouts[np.argsort((runouts[:, 0] >> 2) * 13 + (runouts[:, 1] >> 2), kind="stable")]
    else:
        runouts = deck[:, None] if missing else np.zeros((1, 0), dtype=np.int64)
    known = np.tile(np.array(board, dtype=np.int64), (len(runouts), 1))
    return np.hstack([known, runouts]).astype(np.uint8)


class _SweepCounting:
    """Two players on a flop, turn or river: every combo of one against the range of the other."""

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int]) -> None:
        self._live = live
        self._boards = all_boards(board, dead)
        self._dead = np.uint64(card_mask((*board, *dead)))
        self.seconds = len(self._boards) * COMBO_COUNT * _STRENGTH_COST
        # Of the boards, those that hold none of the four hole cards.
        self._runouts = comb(CARD_COUNT - len(board) - len(dead) - 4, 5 - len(board))
        self.outcomes = np.zeros(4)
        self.showdowns = 0

    def steps(self) -> Iterator[float]:
        from engine.kernels.evaluator import tables
        from engine.kernels.sweep import sweep_boards

        mine, theirs = self._live
        won, tied = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
        step = max(1, int(len(self._boards) * _STEP_SECONDS / self.seconds))
        for start in range(0, len(self._boards), step):
            boards = self._boards[start : start + step]
            sweep_boards(tables(), boards, self._dead, theirs, won, tied)
            yield min(1.0, (start + step) / len(self._boards))
        win, tie = mine @ won, mine @ tied
        total = self._runouts * (mine @ weight_beside(theirs))
        self.outcomes[1:] = np.maximum([win, total - win - tie, tie], 0)
        pairs = (mine > 0).astype(np.float64) @ weight_beside((theirs > 0).astype(np.float64))
        self.showdowns = self._runouts * round(pairs)


def weight_beside(weights: Sums) -> Sums:
    """Give for every combo the weight of a range's combos that share no card with it: shape (1326,)."""
    high, low = COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]
    by_card = np.bincount(high, weights, CARD_COUNT) + np.bincount(low, weights, CARD_COUNT)
    beside: Sums = weights.sum() - by_card[high] - by_card[low] + weights
    return beside


class _BoardCounting:
    """Three or more players on a flop, turn or river: every deal on every board."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, board: Sequence[int], dead: Sequence[int]) -> None:
        self._deals, self._weights = deals, weights
        self._combos = np.unique(deals)
        self._boards = all_boards(board, dead)
        per_board = len(self._combos) * _STRENGTH_COST + deals.size * _SHOWDOWN_COST
        self.seconds = len(self._boards) * per_board
        self.outcomes = np.zeros(1 << deals.shape[1])
        self.showdowns = 0

    def steps(self) -> Iterator[float]:
        from engine.kernels.evaluator import tables
        from engine.kernels.showdown import judge_deals

        step = max(1, int(len(self._boards) * _STEP_SECONDS / self.seconds))
        for start in range(0, len(self._boards), step):
            boards = self._boards[start : start + step]
            self.showdowns += judge_deals(tables(), boards, self._deals, self._weights, self._combos, self.outcomes)
            yield min(1.0, (start + step) / len(self._boards))


class _PreflopCounting:
    """Any players before the flop: all boards for every deal that differs by more than its suits' names."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]) -> None:
        players = deals.shape[1]
        self.showdowns = len(deals) * comb(CARD_COUNT - len(dead) - 2 * players, 5)
        self._deals, self._weights = _merge_relabelled(deals, weights, dead)
        self._dead = np.uint64(card_mask(dead))
        self._cost = players * _PREFLOP_COST
        self.seconds = len(self._deals) * self._cost
        self.outcomes = np.zeros(1 << players)

    def steps(self) -> Iterator[float]:
        from engine.kernels.evaluator import tables
        from engine.kernels.preflop_boards import count_preflop, rank_lists

        step = max(1, int(_STEP_SECONDS / self._cost))
        for start in range(0, len(self._deals), step):
            rows = slice(start, start + step)
            deals, weights = self._deals[rows], self._weights[rows]
            count_preflop(tables(), rank_lists(), deals, weights, self._dead, self.outcomes)
            yield min(1.0, (start + step) / len(self._deals))


_MERGED_PLAYERS = 5  # so many combos of 11 bits fit into one number


def _merge_relabelled(
    deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]
) -> tuple[NDArray[np.int16], Sums]:
    """Add up the weights of deals that differ only by a relabelling of suits that leaves the dead cards."""
    players = deals.shape[1]
    if players > _MERGED_PLAYERS or len(deals) == 1:
        return deals, weights
    least = np.full(len(deals), np.iinfo(np.int64).max)
    for permutation in permutations(range(4)):
        if set(relabel_suits(dead, permutation)) == set(dead):
            numbers = _relabelled_combos(permutation)[deals]
            least = np.minimum(least, numbers @ (1 << 11 * np.arange(players)))
    _, first, group = np.unique(least, return_index=True, return_inverse=True)
    return deals[first], np.bincount(group, weights).astype(np.float64)


@lru_cache(maxsize=24)
def _relabelled_combos(permutation: tuple[int, ...]) -> NDArray[np.int64]:
    """Give the number of every combo with its suits relabelled: shape (1326,)."""
    suits = np.array(permutation)
    cards = (COMBO_CARDS & ~np.uint8(3)) + suits[COMBO_CARDS & 3]
    low, high = cards.min(axis=1).astype(np.int64), cards.max(axis=1).astype(np.int64)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers
