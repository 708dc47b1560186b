"""Exact counts before the flop: two players matchup by matchup, more of them deal by deal.

`live` is each player's weights without what can never be dealt: float64, shape (players, 1326).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from itertools import pairwise, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, card_mask, relabel_suits
from engine.equity.heads_up import BOARDS, HeadsUpTable, heads_up_table, is_ready
from engine.equity.joint import MOST_JOINT_DEALS, Sums, joint_deals
from engine.equity.matchups import deals_of_matchups, weights_of_matchups
from engine.equity.parallel import Task, steps

# The cost estimates that decide, in seconds, measured on one core of a 2.6 GHz EPYC (rounded up).
_DEAL_COST = 1e-4  # per player of a deal: all 1,712,304 boards (two players)
_RANKS_COST = 1e-4  # per two pairs of ranks of two players: all boards for all their suits
_LOOKUP_COST = 2e-8  # per two combos in the table
_STEP_SECONDS = 0.012


def plan_preflop(
    live: Sums, dead: Sequence[int], budget: float
) -> "HeadsUpLookup | HeadsUpCounting | PreflopCounting | None":
    """Find the way to count exactly before the flop within a budget in seconds, if there is one.

    Two players with no card dead: from the table of all matchups if it is ready, otherwise matchup by matchup.
    Others: all boards for every deal that differs by more than a relabelling of suits.
    """
    players = len(live)
    counting: HeadsUpLookup | HeadsUpCounting | PreflopCounting
    if players == 2 and not dead:
        counting = HeadsUpLookup(live, heads_up_table()) if is_ready() else HeadsUpCounting(live)
    else:
        # One deal stands for at most 24 relabelled ones.
        joint = joint_deals(live, min(MOST_JOINT_DEALS, int(24 * budget / (players * _DEAL_COST))))
        if joint is None:
            return None
        counting = PreflopCounting(*joint, dead)
    return counting if counting.seconds <= budget else None


class HeadsUpLookup:
    """Two players with no card dead, from the table of all matchups."""

    def __init__(self, live: Sums, table: HeadsUpTable) -> None:
        self._live, self._table = live, table
        self.seconds = float(_LOOKUP_COST * np.count_nonzero(live, axis=1).prod())
        self.outcomes = np.zeros(4)
        self.showdowns = BOARDS * _deals_of_two(live)

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        """Look everything up in one step; gives 1."""
        win, tie, lose = self._table.range_odds(*self._live)
        self.outcomes[1:] = win, lose, tie
        yield 1.0


class HeadsUpCounting:
    """Two players with no card dead, without the table: every matchup once, those of the same ranks together."""

    def __init__(self, live: Sums) -> None:
        weights = weights_of_matchups(*live)
        matchups = np.unique(np.flatnonzero(weights) >> 1)  # what is not dealt costs nothing
        self._deals, self._weights = deals_of_matchups(matchups), weights[matchups]
        ranks = (COMBO_CARDS[self._deals] >> 2).reshape(-1, 4)
        self._starts = np.flatnonzero(np.append(True, (ranks[1:] != ranks[:-1]).any(axis=1)))
        self.seconds = len(self._starts) * _RANKS_COST
        self.outcomes = np.zeros(4)
        self.showdowns = BOARDS * _deals_of_two(live)

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        """Count, about 12 ms of one core a step; gives the part done, 0 to 1."""
        return steps(self.tasks(), self.add, executor)

    def tasks(self) -> list[Task[Sums]]:
        """Cut the count into tasks that each give outcomes."""
        bounds = [*self._starts[:: int(_STEP_SECONDS / _RANKS_COST)].tolist(), len(self._deals)]
        return [
            partial(_count_matchups, self._deals[start:stop], self._weights[start:stop])
            for start, stop in pairwise(bounds)
        ]

    def add(self, outcomes: Sums) -> None:
        """Add the outcomes of a task."""
        self.outcomes += outcomes


def _count_matchups(deals: NDArray[np.int16], weights: Sums) -> Sums:
    """Give the outcomes of some matchups, weighted by how often they are dealt so and the other way round."""
    from engine.kernels.heads_up import count_matchups

    wins, ties = count_matchups(deals).T
    losses = BOARDS - wins - ties
    straight, flipped = weights.T
    win, lose = straight @ wins + flipped @ losses, straight @ losses + flipped @ wins
    return np.array([0, win, lose, (straight + flipped) @ ties])


def _deals_of_two(live: Sums) -> int:
    """Give how many pairs of combos of two ranges have no card in common."""
    first, second = live > 0
    by_card = [np.bincount(COMBO_CARDS[combos].ravel(), minlength=CARD_COUNT) for combos in (first, second)]
    # A combo that both have is among the pairs with a card in common twice, once for each card.
    sharing = by_card[0] @ by_card[1] - np.count_nonzero(first & second)
    return int(np.count_nonzero(first) * np.count_nonzero(second) - sharing)


class PreflopCounting:
    """Any players before the flop: all boards for every deal that differs by more than its suits' names."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]) -> None:
        players = deals.shape[1]
        self.showdowns = len(deals) * comb(CARD_COUNT - len(dead) - 2 * players, 5)
        self._deals, self._weights = merge_relabelled(deals, weights, dead)
        self._dead = np.uint64(card_mask(dead))
        self._cost = players * _DEAL_COST
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
    count_preflop(tables().flush_strength, rank_lists(), deals, weights, dead, outcomes)
    return outcomes


_MERGED_PLAYERS = 5  # so many combos of 11 bits fit into one number


def merge_relabelled(
    deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]
) -> tuple[NDArray[np.int16], Sums]:
    """Add up the weights of deals that differ only by a relabelling of suits that leaves the dead cards."""
    players = deals.shape[1]
    if players > _MERGED_PLAYERS or len(deals) == 1:
        return deals, weights
    least = np.full(len(deals), np.iinfo(np.int64).max)
    for permutation in permutations(range(4)):
        if set(relabel_suits(dead, permutation)) == set(dead):
            numbers = relabelled_combos(permutation)[deals]
            least = np.minimum(least, numbers @ (1 << 11 * np.arange(players)))
    _, first, group = np.unique(least, return_index=True, return_inverse=True)
    return deals[first], np.bincount(group, weights).astype(np.float64)


@lru_cache(maxsize=24)
def relabelled_combos(permutation: tuple[int, ...]) -> NDArray[np.int64]:
    """Give the number of every combo with its suits relabelled: shape (1326,)."""
    suits = np.array(permutation)
    cards = (COMBO_CARDS & ~np.uint8(3)) + suits[COMBO_CARDS & 3]
    low, high = cards.min(axis=1).astype(np.int64), cards.max(axis=1).astype(np.int64)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers
