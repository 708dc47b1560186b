"""Counting showdowns exactly: which way is cheapest for a question, what it would cost, and its steps.

The callers have checked the cards; `live` is always each player's weights without what can never be dealt:
float64, shape (players, 1326).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from itertools import pairwise, permutations
from math import comb, inf, prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_PAIR, PAIR_COUNT, card_mask, relabel_suits
from engine.equity.joint import MOST_JOINT_DEALS, Sums, joint_deals, unblocked_weight
from engine.equity.matchups import (
    BOARDS,
    HeadsUpTable,
    deals_of_matchups,
    heads_up_table,
    is_ready,
    weights_of_matchups,
)
from engine.equity.parallel import Task, steps

# The cost estimates that decide, in seconds, measured on one core of a 2.6 GHz EPYC (rounded up).
_SWEEP_SECONDS = (5e-5, 2e-4, 3e-3)  # of both sweeps, by the number of cards missing
_CALL_COST = 2e-5  # of counting by classes, whatever it is
_DEAL_COST = 3e-9  # per deal added up, and time that it is
_CLASS_COST = 8e-9  # per class of a player and kind of cards to come
_JUDGE_COST = 2e-9  # per class of deals and kind of cards to come; twice that with flushes
_BOARDS_COST = 1e-4  # per player of a deal: all 1,712,304 boards (two players)
_RANKS_COST = 1e-4  # per two pairs of ranks of two players: all boards for all their suits
_LOOKUP_COST = 2e-8  # per two combos in the table

_MOST_CLASSES = 4_000_000  # of deals, in one task: 32 MB
_STEP_SECONDS = 0.012


class ExactCount(Protocol):
    """An exact count that has been planned but not carried out, with its estimated cost in seconds.

    Attributes
    ----------
    outcomes : ndarray of float64, shape (2 ** players,)
        After the last step: the weight of the showdowns that exactly this set of players won, player 0 being bit 0.
    showdowns : int
        After the last step: how many of positive weight there were.
    """

    seconds: float
    outcomes: Sums
    showdowns: int

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        """Count, about 12 ms of one core a step; returns the part done, 0 to 1.

        A long count is cut into tasks (see `engine.equity.parallel`), which the executor does if there is one.
        """


def plan_count(live: Sums, board: Sequence[int], dead: Sequence[int], budget: float) -> ExactCount | None:
    """Find the way to count exactly within a budget in seconds, if there is one.

    On a flop, turn or river deals are counted by classes; two players whatever it costs, by a sweep of all combos
    where that is faster. Before the flop: see `_plan_preflop`.
    """
    if not board:
        return _plan_preflop(live, dead, budget)
    if len(live) == 2:
        budget = _SWEEP_SECONDS[5 - len(board)]
    seconds = _class_seconds(live, board, min(budget, _STEP_SECONDS), budget)
    if seconds <= budget:
        return _ClassCounting(live, board, dead, seconds)
    return _SweepCounting(live, board, dead) if len(live) == 2 else None


class _SweepCounting:
    """Two players on a flop, turn or river: every combo of one against the range of the other."""

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int]) -> None:
        self._live, self._board, self._dead = live, board, dead
        self.seconds = _SWEEP_SECONDS[5 - len(board)]
        self.outcomes = np.zeros(4)
        self.showdowns = 0

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        from engine.kernels.equity.sweep import sweep_range

        mine, theirs = self._live
        won = mine @ sweep_range(self._board, self._dead, theirs, 0.0)[0] / 2
        tied = mine @ sweep_range(self._board, self._dead, theirs, 1.0)[0] - 2 * won
        # Of the boards, those that hold none of the four hole cards.
        runouts = comb(CARD_COUNT - len(self._board) - len(self._dead) - 4, 5 - len(self._board))
        total = runouts * (mine @ unblocked_weight(theirs))
        self.outcomes[1:] = np.maximum([won, total - won - tied, tied], 0)
        pairs = (mine > 0).astype(np.float64) @ unblocked_weight((theirs > 0).astype(np.float64))
        self.showdowns = runouts * round(pairs)
        yield 1.0


class _ClassCounting:
    """Any players on a flop, turn or river: their deals by the ranks that decide, and by suit where flushes are."""

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int], seconds: float) -> None:
        players = len(live)
        # The widest range is gone through fastest, and the next widest is the one that tasks are cut by.
        order = np.argsort(np.count_nonzero(live, axis=1), kind="stable")
        self._order = np.concatenate([order[-2:-1], order[:-2], order[-1:]])
        self._live = live
        self._board = np.array(board, dtype=np.uint8)
        self._dead = np.uint64(card_mask(dead))
        self.seconds = seconds
        self._runouts = comb(CARD_COUNT - len(board) - len(dead) - 2 * players, 5 - len(board))
        self.outcomes = np.zeros(1 << players)
        self.showdowns = 0

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        yield from steps(self.tasks(), self.add, executor)
        np.maximum(self.outcomes, 0, out=self.outcomes)

    def tasks(self) -> list[Task[tuple[Sums, int]]]:
        bounds = [0, PAIR_COUNT]
        if self.seconds > _STEP_SECONDS:
            # The first player's pairs of ranks in parts with about equally many combos.
            pairs = np.sort(COMBO_PAIR[np.flatnonzero(self._live[self._order[0]])])
            parts = min(PAIR_COUNT, int(self.seconds / _STEP_SECONDS) + 1)
            starts = pairs[np.arange(1, parts) * len(pairs) // parts]
            bounds = [0, *np.unique(starts[starts > pairs[0]]).tolist(), PAIR_COUNT]
        return [
            partial(_count_part, self._live, self._order, self._board, self._dead, first, stop)
            for first, stop in pairwise(bounds)
        ]

    def add(self, counted: tuple[Sums, int]) -> None:
        self.outcomes += counted[0]
        self.showdowns += counted[1] * self._runouts


def _count_part(
    live: Sums, order: NDArray[np.int64], board: NDArray[np.uint8], dead: np.uint64, first: int, stop: int
) -> tuple[Sums, int]:
    """Return the outcomes of the deals with some pairs of ranks of the first player, and the number of deals."""
    from engine.kernels.equity.showdown import count_showdowns
    from engine.kernels.evaluator import tables

    outcomes = np.zeros(1 << len(live))
    deals = count_showdowns(tables(), live, order, board, dead, first, stop, outcomes)
    return outcomes, deals


def _class_seconds(live: Sums, board: Sequence[int], enough: float, budget: float) -> float:
    """Estimate what counting by classes costs: too much if below `enough`, and infinite if surely over a budget."""
    sizes: list[int] = np.count_nonzero(live, axis=1).tolist()
    missing = 5 - len(board)
    shown = [sum(card & 3 == suit for card in board) for suit in range(4)]
    suits = [suit for suit in range(4) if shown[suit] + missing >= 3]
    deals = prod(sizes)
    # As if all combos were of different classes.
    kinds = _ITEMS[missing] * (len(suits) + 1)
    most = (
        _CALL_COST
        + deals * (len(suits) + 1) * _DEAL_COST
        + kinds * (sum(sizes) * _CLASS_COST + deals * _JUDGE_COST)
    )
    if most < enough:
        return most
    if deals * _DEAL_COST > budget:
        return inf
    combos = [np.flatnonzero(weights) for weights in live]
    seconds = _CALL_COST
    for suit in (-1, *suits):
        found = [np.flatnonzero(np.bincount(_COMBO_CLASSES[suit][chosen], minlength=_CLASSES)) for chosen in combos]
        counts = [len(classes) for classes in found]
        if prod(sorted(counts)[:-2]) * max(counts) * 4 > _MOST_CLASSES:
            return inf
        seconds += deals * _DEAL_COST
        in_suit = [_CARDS_IN_SUIT[classes] for classes in found]
        for more in range(max(0, 3 - shown[suit]), missing + 1) if suit >= 0 else [0]:
            need = max(0, 5 - shown[suit] - more) if suit >= 0 else 0
            judged = prod(counts) - prod(int((held < need).sum()) for held in in_suit)
            if judged > 0:
                kinds = comb(13, more) * comb(12 + missing - more, missing - more)
                seconds += kinds * (sum(counts) * _CLASS_COST + judged * _JUDGE_COST * (2 if suit >= 0 else 1))
    return seconds


_ITEMS = (1, 26, 338)  # of `engine.kernels.equity.showdown`, by the number of cards missing
_CLASSES = 4 * PAIR_COUNT


def _combo_classes() -> NDArray[np.int64]:
    """Return every combo's class as `kernels.equity.showdown` forms them: by suit, and last regardless of it."""
    suits = COMBO_CARDS.astype(np.int64) & 3
    rows = []
    for suit in (0, 1, 2, 3, -1):
        high, low = suits[:, 0] == suit, suits[:, 1] == suit
        is_pair = (COMBO_CARDS[:, 0] >> 2) == (COMBO_CARDS[:, 1] >> 2)
        # Of a pair it does not matter which card is in the suit.
        rows.append(4 * COMBO_PAIR.astype(np.int64) + np.where(is_pair, high | low, 2 * high + low))
    return np.array(rows)


_COMBO_CLASSES = _combo_classes()
_CARDS_IN_SUIT = np.array([0, 1, 1, 2] * PAIR_COUNT)


# ---- before the flop -------------------------------------------------------------------------------------


def _plan_preflop(
    live: Sums, dead: Sequence[int], budget: float
) -> "_HeadsUpLookup | _HeadsUpCounting | _PreflopCounting | None":
    """Find the way to count exactly before the flop within a budget in seconds, if there is one.

    Two players with no card dead: from the table of all matchups if it is ready, otherwise matchup by matchup.
    Others: all boards for every deal that differs by more than a relabelling of suits.
    """
    players = len(live)
    counting: _HeadsUpLookup | _HeadsUpCounting | _PreflopCounting
    if players == 2 and not dead:
        counting = _HeadsUpLookup(live, heads_up_table()) if is_ready() else _HeadsUpCounting(live)
    else:
        # One deal stands for at most 24 relabelled ones.
        joint = joint_deals(live, min(MOST_JOINT_DEALS, int(24 * budget / (players * _BOARDS_COST))))
        if joint is None:
            return None
        counting = _PreflopCounting(*joint, dead)
    return counting if counting.seconds <= budget else None


class _HeadsUpLookup:
    """Two players with no card dead, from the table of all matchups."""

    def __init__(self, live: Sums, table: HeadsUpTable) -> None:
        self._live, self._table = live, table
        self.seconds = float(_LOOKUP_COST * np.count_nonzero(live, axis=1).prod())
        self.outcomes = np.zeros(4)
        self.showdowns = BOARDS * _deals_of_two(live)

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        win, tie, lose = self._table.range_odds(*self._live)
        self.outcomes[1:] = win, lose, tie
        yield 1.0


class _HeadsUpCounting:
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
        return steps(self.tasks(), self.add, executor)

    def tasks(self) -> list[Task[Sums]]:
        bounds = [*self._starts[:: int(_STEP_SECONDS / _RANKS_COST)].tolist(), len(self._deals)]
        return [
            partial(_count_matchups, self._deals[start:stop], self._weights[start:stop])
            for start, stop in pairwise(bounds)
        ]

    def add(self, outcomes: Sums) -> None:
        self.outcomes += outcomes


def _count_matchups(deals: NDArray[np.int16], weights: Sums) -> Sums:
    """Return the outcomes of some matchups, weighted by how often they are dealt so and the other way round."""
    from engine.kernels.equity.heads_up import count_matchups

    wins, ties = count_matchups(deals).T
    losses = BOARDS - wins - ties
    straight, flipped = weights.T
    win, lose = straight @ wins + flipped @ losses, straight @ losses + flipped @ wins
    return np.array([0, win, lose, (straight + flipped) @ ties])


def _deals_of_two(live: Sums) -> int:
    """Return how many pairs of combos of two ranges have no card in common."""
    first, second = live > 0
    by_card = [np.bincount(COMBO_CARDS[combos].ravel(), minlength=CARD_COUNT) for combos in (first, second)]
    # A combo that both have is among the pairs with a card in common twice, once for each card.
    sharing = by_card[0] @ by_card[1] - np.count_nonzero(first & second)
    return int(np.count_nonzero(first) * np.count_nonzero(second) - sharing)


class _PreflopCounting:
    """Any players before the flop: all boards for every deal that differs by more than its suits' names."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, dead: Sequence[int]) -> None:
        players = deals.shape[1]
        self.showdowns = len(deals) * comb(CARD_COUNT - len(dead) - 2 * players, 5)
        self._deals, self._weights = merge_relabelled(deals, weights, dead)
        self._dead = np.uint64(card_mask(dead))
        self._cost = players * _BOARDS_COST
        self.seconds = len(self._deals) * self._cost
        self.outcomes = np.zeros(1 << players)

    def steps(self, executor: Executor | None = None) -> Iterator[float]:
        return steps(self.tasks(), self.add, executor)

    def tasks(self) -> list[Task[Sums]]:
        step = max(1, int(_STEP_SECONDS / self._cost))
        return [
            partial(
                _count_deals, self._deals[start : start + step], self._weights[start : start + step], self._dead
            )
            for start in range(0, len(self._deals), step)
        ]

    def add(self, outcomes: Sums) -> None:
        self.outcomes += outcomes


def _count_deals(deals: NDArray[np.int16], weights: Sums, dead: np.uint64) -> Sums:
    """Return the outcomes of some deals on all boards."""
    from engine.kernels.equity.preflop_boards import count_preflop, rank_lists
    from engine.kernels.evaluator import tables

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
    """Return the number of every combo with its suits relabelled: shape (1326,)."""
    suits = np.array(permutation)
    cards = (COMBO_CARDS & ~np.uint8(3)) + suits[COMBO_CARDS & 3]
    low, high = cards.min(axis=1).astype(np.int64), cards.max(axis=1).astype(np.int64)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers
