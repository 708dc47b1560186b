"""Deals of several ranges one by one, drawn at random or all of them, and what they add up to by player and kind.

`engine.equity.sampling` adds deals up by who won them. Here they are added up by what each player holds, or ends
up with: a *key* of every player in every deal, such as the category of the best five cards. The callers have
checked the cards; `live` is always each player's weights without what can never be dealt: float64, shape (players,
1326).
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain
from math import comb
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_MASK, card_mask
from engine.checks import EquityError
from engine.equity.joint import Sums
from engine.equity.parallel import Task, results_in_order
from engine.equity.sampling import NO_DEAL, Sampler, SamplingPlan, draw_chunk

if TYPE_CHECKING:
    from engine.kernels.sampling import JudgedDeals

Keys: TypeAlias = "Callable[[JudgedDeals], NDArray[np.int64]]"
"""Tells the key of every player in every deal: int64, shape (players, n). A top-level function."""

_FIRST_CHUNK: Final = 2  # after the two with which the sampler chooses its method
_OF_SAMPLED: Final = 4  # a deal that is added up one by one takes so many times as long
_BLOCK = 1 << 15  # showdowns judged at once
_TASK_SHOWDOWNS = 1 << 18
_SHOWDOWN_COST = 3.5e-8  # and as much again for each player; in seconds on one core of a 2.6 GHz EPYC


# ---- adding up ------------------------------------------------------------------------------------------


class Tally:
    """Sums over deals by player and key.

    Parameters
    ----------
    players, keys : int

    Attributes
    ----------
    sums : ndarray of float64, shape (5, players, keys)
        Of the weights of the deals; of their squares; of the weights times the share of the pot; of their squares
        times that share; of their squares times its square.
    deals : int
    """

    def __init__(self, players: int, keys: int) -> None:
        self.sums = np.zeros((5, players, keys))
        self.deals = 0

    @property
    def has_dealt(self) -> bool:
        """Whether there was any deal of positive weight."""
        return bool(self.sums[0, 0].any())

    def add(self, other: "Tally") -> None:
        """Add what another one holds."""
        self.sums += other.sums
        self.deals += other.deals

    def add_deals(self, judged: "JudgedDeals", keys: NDArray[np.int64], weights: Sums | None) -> None:
        """Add deals: their keys, shape (players, n), and their weights, or None if each weighs 1."""
        _, players, kinds = self.sums.shape
        size = players * kinds
        flat = keys + kinds * np.arange(players)[:, None]
        is_best = judged.strengths == judged.best
        share = 1 / is_best.sum(axis=0)
        winning = flat[is_best]  # player by player
        shares = np.broadcast_to(share, is_best.shape)[is_best]
        sums = self.sums.reshape(5, size)
        if weights is None:
            counted = np.bincount(flat.ravel(), minlength=size)
            won = np.bincount(winning, shares, size)
            rows = counted, counted, won, won, np.bincount(winning, shares * shares, size)
        else:
            squares = weights * weights
            heavy, heavy_squares = (np.broadcast_to(each, flat.shape) for each in (weights, squares))
            won_squares = heavy_squares[is_best] * shares
            rows = (
                np.bincount(flat.ravel(), heavy.ravel(), size),
                np.bincount(flat.ravel(), heavy_squares.ravel(), size),
                np.bincount(winning, heavy[is_best] * shares, size),
                np.bincount(winning, won_squares, size),
                np.bincount(winning, won_squares * shares, size),
            )
        for total, row in zip(sums, rows, strict=True):
            total += row
        self.deals += keys.shape[1]


# ---- at random ------------------------------------------------------------------------------------------


class DrawnDeals(Struct, frozen=True):
    """How deals are drawn from the joint distribution, as `engine.equity.solve.solve` draws them.

    Attributes
    ----------
    plan : SamplingPlan
    order : ndarray of int64, shape (players,)
        Which player of the question each player of the plan is.
    chunk : int
        Deals that are drawn and added up in about 12 ms.
    """

    plan: SamplingPlan
    order: NDArray[np.int64]
    chunk: int

    def tasks(self, keys: Keys, kinds: int, deals: int) -> Iterator[Task[Tally]]:
        """Cut so many deals into tasks, each with a random stream of its own, the first a short one."""
        sizes = chain([max(64, self.chunk // 4)], iter(lambda: self.chunk, None))
        dealt = 0
        for number, size in enumerate(sizes, _FIRST_CHUNK):
            if dealt >= deals:
                return
            most = min(size, deals - dealt)
            yield partial(_draw_chunk, self, keys, kinds, number, most)
            dealt += most

    def tallies(self, keys: Keys, kinds: int, deals: int, executor: Executor | None = None) -> Iterator[Tally]:
        """Deal so many; gives the sums so far after each task, once there is any deal.

        Raises
        ------
        EquityError
            At the end, if there was none.
        """
        total = Tally(self.plan.players, kinds)
        for tally in results_in_order(self.tasks(keys, kinds, deals), executor):
            total.add(tally)
            if total.has_dealt:
                yield total
        if not total.has_dealt:
            raise EquityError(NO_DEAL)

    def begun(self, keys: Keys, kinds: int) -> Tally | None:
        """Deal for about 12 ms, in the calling thread; None if there was no deal."""
        total = Tally(self.plan.players, kinds)
        for task in self.tasks(keys, kinds, self.chunk):
            total.add(task())
        return total if total.has_dealt else None


def drawn_deals(live: Sums, board: Sequence[int], dead: Sequence[int], seed: int, deals: int) -> DrawnDeals:
    """Choose how to draw deals: all anew at a clash, in turn or from a list (see `Sampler`)."""
    sampler = Sampler(live, board, dead, seed)
    sampler.begin(deals)
    return DrawnDeals(sampler.plan, sampler.order, max(64, sampler.chunk_deals // _OF_SAMPLED))


def _draw_chunk(drawn: DrawnDeals, keys: Keys, kinds: int, chunk: int, deals: int) -> Tally:
    tally = Tally(drawn.plan.players, kinds)
    for judged in draw_chunk(drawn.plan, chunk, deals):
        tally.add_deals(judged, keys(judged), judged.weights)
    tally.sums = tally.sums[:, np.argsort(drawn.order)]
    tally.deals = deals
    return tally


# ---- all of them ----------------------------------------------------------------------------------------


def every_deal_seconds(deals: int, players: int, board: Sequence[int], dead: Sequence[int]) -> float:
    """Estimate what judging so many deals on all boards costs."""
    boards = comb(CARD_COUNT - len(board) - len(dead) - 2 * players, 5 - len(board))
    return deals * boards * (players + 1) * _SHOWDOWN_COST


class EveryDeal:
    """All deals of a list on all boards, one by one.

    Parameters
    ----------
    deals : ndarray of int16, shape (n, players)
        Without clashes.
    weights : ndarray of float64, shape (n,)
    board, dead : sequence of Card

    Attributes
    ----------
    showdowns : int
        How many there are.
    seconds : float
        What they are estimated to cost.
    """

    def __init__(self, deals: NDArray[np.int16], weights: Sums, board: Sequence[int], dead: Sequence[int]) -> None:
        players = deals.shape[1]
        masks = np.bitwise_or.reduce(COMBO_MASK[deals], axis=1)
        certain = int(np.bitwise_and.reduce(masks)) | card_mask((*board, *dead))
        self._deck = np.array([card for card in range(CARD_COUNT) if not certain >> card & 1], dtype=np.uint8)
        self._missing = 5 - len(board)
        self._board = np.array(board, dtype=np.uint8)
        self._deals, self._weights = deals, weights
        self.showdowns = len(deals) * comb(CARD_COUNT - len(board) - len(dead) - 2 * players, self._missing)
        self.seconds = every_deal_seconds(len(deals), players, board, dead)

    def tasks(self, keys: Keys, kinds: int) -> list[Task[Tally]]:
        """Cut the work into tasks."""
        # Before the flop a task has the boards of one lowest card.
        firsts = range(len(self._deck) - 4) if self._missing == 5 else (None,)
        tasks: list[Task[Tally]] = []
        for first in firsts:
            boards = comb(len(self._deck), self._missing) if first is None else comb(len(self._deck) - first - 1, 4)
            step = max(1, _TASK_SHOWDOWNS // boards)
            for start in range(0, len(self._deals), step):
                part = slice(start, start + step)
                deals, weights = self._deals[part], self._weights[part]
                tasks.append(
                    partial(_judge_all, deals, weights, self._board, self._deck, self._missing, first, keys, kinds)
                )
        return tasks


def _judge_all(
    deals: NDArray[np.int16],
    weights: Sums,
    board: NDArray[np.uint8],
    deck: NDArray[np.uint8],
    missing: int,
    first: int | None,
    keys: Keys,
    kinds: int,
) -> Tally:
    """Add up deals on all boards, or on those whose lowest card stands at a place of the deck."""
    from engine.kernels.evaluator import tables
    from engine.kernels.sampling import judge_deals

    evaluator = tables()
    if first is None:
        runouts, runout_keys = _runouts(deck, missing, evaluator.card_key)
    else:
        runouts, runout_keys = _runouts(deck[first + 1 :], missing - 1, evaluator.card_key)
        runouts = runouts | np.uint64(1 << int(deck[first]))
        runout_keys = runout_keys + evaluator.card_key[deck[first]]
    masks = np.bitwise_or.reduce(COMBO_MASK[deals], axis=1)
    tally = Tally(deals.shape[1], kinds)
    step = max(1, _BLOCK // len(runouts))
    for start in range(0, len(deals), step):
        for at in range(0, len(runouts), _BLOCK):
            part = runouts[at : at + _BLOCK]
            rows, columns = np.nonzero((masks[start : start + step, None] & part) == 0)
            if len(rows) == 0:
                continue
            combos, columns = deals[start + rows].T, at + columns
            judged = judge_deals(evaluator, board, combos, runout_keys[columns], runouts[columns])
            tally.add_deals(judged, keys(judged), weights[start + rows])
    return tally


def _runouts(
    deck: NDArray[np.uint8], missing: int, card_key: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give the masks and the sums of the keys of all sets of so many cards of a deck."""
    masks, keys = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint64)
    last = np.full(1, -1)
    card_masks, deck_keys = np.uint64(1) << deck.astype(np.uint64), card_key[deck]
    for _ in range(missing):
        more = len(deck) - 1 - last
        rows = np.repeat(np.arange(len(last)), more)
        last = np.arange(len(rows)) - np.repeat(np.cumsum(more) - more, more) + last[rows] + 1
        masks, keys = masks[rows] | card_masks[last], keys[rows] + deck_keys[last]
    return masks, keys
