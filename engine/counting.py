"""Counting showdowns exactly: which way is cheapest for a question, what it would cost, and its steps.

The callers have checked the cards; `live` is always each player's weights without what can never be dealt:
float64, shape (players, 1326).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, card_mask
from engine.joint import MOST_JOINT_DEALS, Sums, joint_deals
from engine.parallel import Task, steps
from engine.preflop_counting import plan_preflop

# The cost estimates that decide, in seconds, measured on one core of a 2.6 GHz EPYC (rounded up).
_STRENGTH_COST = 8e-9  # per combo and board
_SHOWDOWN_COST = 2e-9  # per player, deal and board

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

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        """Count, about 12 ms of one core a step; gives the part done, 0 to 1.

        A long count is cut into tasks (see `engine.parallel`), which the executor does if there is one.
        """


def plan_count(live: Sums, board: Sequence[int], dead: Sequence[int], budget: float) -> Counting | None:
    """Find the way to count exactly within a budget in seconds, if there is one.

    Two players on a flop, turn or river: a sweep of all combos, whatever it costs (about 15 ms). More players:
    every deal on every board. Before the flop: see `engine.preflop_counting.plan_preflop`.
    """
    if not board:
        return plan_preflop(live, dead, budget)
    if len(live) == 2:
        return _SweepCounting(live, board, dead)
    joint = joint_deals(live, MOST_JOINT_DEALS)
    if joint is None:
        return None
    counting = _BoardCounting(*joint, board, dead)
    return counting if counting.seconds <= budget else None


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
        self._shares = np.zeros(2)  # of the first player: what was won and what was tied
        self.outcomes = np.zeros(4)
        self.showdowns = 0

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        yield from steps(self.tasks(), self.add, executor)
        mine, theirs = self._live
        total = self._runouts * (mine @ weight_beside(theirs))
        win, tie = self._shares
        self.outcomes[1:] = np.maximum([win, total - win - tie, tie], 0)
        pairs = (mine > 0).astype(np.float64) @ weight_beside((theirs > 0).astype(np.float64))
        self.showdowns = self._runouts * round(pairs)

    def tasks(self) -> list[Task[Sums]]:
        step = max(1, int(len(self._boards) * _STEP_SECONDS / self.seconds))
        mine, theirs = self._live
        return [
            partial(_sweep, self._boards[start : start + step], self._dead, mine, theirs)
            for start in range(0, len(self._boards), step)
        ]

    def add(self, shares: Sums) -> None:
        self._shares += shares


def _sweep(boards: NDArray[np.uint8], dead: np.uint64, mine: Sums, theirs: Sums) -> Sums:
    """Give the weight of what one range wins and ties against another on some boards: shape (2,)."""
    from engine.kernels.evaluator import tables
    from engine.kernels.sweep import sweep_boards

    won, tied = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    sweep_boards(tables(), boards, dead, theirs, won, tied)
    return np.array([mine @ won, mine @ tied])


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

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        return steps(self.tasks(), self.add, executor)

    def tasks(self) -> list[Task[tuple[Sums, int]]]:
        step = max(1, int(len(self._boards) * _STEP_SECONDS / self.seconds))
        return [
            partial(_judge, self._boards[start : start + step], self._deals, self._weights, self._combos)
            for start in range(0, len(self._boards), step)
        ]

    def add(self, counted: tuple[Sums, int]) -> None:
        self.outcomes += counted[0]
        self.showdowns += counted[1]


def _judge(
    boards: NDArray[np.uint8], deals: NDArray[np.int16], weights: Sums, combos: NDArray[np.int16]
) -> tuple[Sums, int]:
    """Give the outcomes of all deals on some boards, and how many showdowns there were."""
    from engine.kernels.evaluator import tables
    from engine.kernels.showdown import judge_deals

    outcomes = np.zeros(1 << deals.shape[1])
    showdowns = judge_deals(tables(), boards, deals, weights, combos, outcomes)
    return outcomes, showdowns
