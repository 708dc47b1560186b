"""Exact counts before the flop: all boards for every deal, or every matchup of two hands."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, card_mask, relabel_suits
from engine.joint import Sums
from engine.parallel import Task, steps

# The cost estimate that decides, in seconds, measured on one core of a 2.6 GHz EPYC (rounded up).
PREFLOP_COST = 3e-4  # per player of a deal before the flop: all 1,712,304 boards (two players)
_STEP_SECONDS = 0.012


class PreflopCounting:
    """Any players before the flop: all boards for every deal that differs by more than its suits' names."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]) -> None:
        players = deals.shape[1]
        self.showdowns = len(deals) * comb(CARD_COUNT - len(dead) - 2 * players, 5)
        self._deals, self._weights = _merge_relabelled(deals, weights, dead)
        self._dead = np.uint64(card_mask(dead))
        self._cost = players * PREFLOP_COST
        self.seconds = len(self._deals) * self._cost
        self.outcomes = np.zeros(1 << players)

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        """Count, about 12 ms of one core a step; gives the part done, 0 to 1."""
        return steps(self.tasks(), self.add, executor)

    def tasks(self) -> list[Task[Sums]]:
        """Cut the count into tasks that each give outcomes."""
        step = max(1, int(_STEP_SECONDS / self._cost))
        return [
            partial(_count, self._deals[start : start + step], self._weights[start : start + step], self._dead)
            for start in range(0, len(self._deals), step)
        ]

    def add(self, outcomes: Sums) -> None:
        """Add the outcomes of a task."""
        self.outcomes += outcomes


def _count(deals: NDArray[np.int16], weights: Sums, dead: np.uint64) -> Sums:
    """Give the outcomes of some deals on all boards."""
    from engine.kernels.evaluator import tables
    from engine.kernels.preflop_boards import count_preflop, rank_lists

    outcomes = np.zeros(1 << deals.shape[1])
    count_preflop(tables(), rank_lists(), deals, weights, dead, outcomes)
    return outcomes


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
