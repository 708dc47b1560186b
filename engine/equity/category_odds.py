"""The categories of hand that players end up with at showdown, and what they win.

Where `solve` adds deals up by who won them, they are added up here by what each player ends up with: a *key* of
every player in every deal, the category of the best five cards.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, Card, card_mask, unblocked
from engine.codec import Vector, frozen_vector
from engine.equity.combos import combo_equities
from engine.equity.exact import merge_relabelled
from engine.equity.joint import Sums, joint_deals, unblocked_weight
from engine.equity.parallel import Task, results_in_order, steps
from engine.equity.question import (
    DEFAULT_SAMPLES,
    PREVIEW_DEALS,
    PREVIEW_FROM,
    EquityQuestion,
    check_question,
    plan_exact,
)
from engine.equity.sampling import RatioSums, Sampler, SamplingPlan, draw_chunk
from engine.equity.snapshot import Known, Method, Snapshots, Steps, snapshots
from engine.strength import Category, categories

if TYPE_CHECKING:
    from engine.kernels.equity.sampling import JudgedDeals

_CATEGORY_COUNT: Final = len(Category)

_MOST_LISTED = 300_000
_SURELY_FREE = 1e-6
_BOARD_SECONDS = 1.5e-4  # of two ranges on one complete board
_TASK_BOARDS = 80
_FIRST_CHUNK: Final = 2  # after the two with which the sampler chooses its method
_OF_SAMPLED: Final = 4  # a deal that is added up one by one takes so many times as long
_BLOCK = 1 << 15  # showdowns judged at once
_TASK_SHOWDOWNS = 1 << 18
_SHOWDOWN_COST = 3.5e-8  # and as much again for each player; in seconds on one core of a 2.6 GHz EPYC

_Keys: TypeAlias = "Callable[[JudgedDeals], NDArray[np.int64]]"
"""Returns the key of every player in every deal: int64, shape (players, n). A top-level function."""


class CategoryOdds(Struct, frozen=True):
    """What one player ends up with at showdown, by `engine.strength.Category`; royal flushes are straight flushes.

    Attributes
    ----------
    chances : ndarray of float32, shape (9,), read-only
        The probability that the best five cards are of this category. Sums to 1.
    wins : ndarray of float32, shape (9,), read-only
        The part of the pot that is won with it, 0 to 1, ties shared. Sums to the player's equity.
    chance_stderrs : ndarray of float32, shape (9,), read-only
        Standard errors of the chances; 0 where exact.
    share_stderrs : ndarray of float32, shape (9,), read-only
        Standard errors of the part of the pot that each category gets when it is held, which is `wins` over
        `chances`; 0 where exact, and where no deal had the category.
    """

    chances: Vector
    wins: Vector
    chance_stderrs: Vector
    share_stderrs: Vector


def category_odds(
    question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None
) -> Snapshots[tuple[CategoryOdds, ...]]:
    """Odds of the categories that the players end up with, and what these win, step by step.

    Parameters
    ----------
    question, seed, executor
        As for `engine.equity.solve.solve`.

    Returns
    -------
    generator of Snapshot
        Its value has the players in the order of the question. The first comes within about 50 ms once the kernels
        are compiled.

    Raises
    ------
    EquityError
        As `solve`.

    Notes
    -----
    Where deals times boards are few, every showdown is judged by itself. Two ranges on a flop, turn or river: for
    every complete board the weight and the equity of each combo, 0.15 s on a flop. What would take more than a
    second is sampled from the joint distribution as `solve` does.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = category_odds(EquityQuestion(hands, parse_cards("7h 2h Js")))
    >>> last.method.value, last.count
    ('exact', 990)
    >>> round(float(last.value[0].chances[Category.FLUSH]), 4)  # C(45, 2) - C(36, 2) of them bring a heart
    0.3636
    """
    live = check_question(question, seed, executor)
    board, dead = question.board, question.dead
    total = _Tally(len(live), _CATEGORY_COUNT)
    work = plan_exact(question, lambda budget: _plan(live, board, dead, budget))
    if work is None:
        deals = question.samples or DEFAULT_SAMPLES

        def sampling() -> Steps:
            tasks = _sampled_deals(live, board, dead, seed, deals).tasks(_category_keys, _CATEGORY_COUNT, deals)
            for tally in results_in_order(tasks, executor):
                total.add(tally)
                yield total.deals / deals

        return snapshots(sampling(), partial(_sampled, total), partial(_sampled, total))
    preview = _Tally(len(live), _CATEGORY_COUNT)

    def counting() -> Steps:
        if work.seconds > PREVIEW_FROM:
            sampled = _sampled_deals(live, board, dead, seed, PREVIEW_DEALS)
            for task in sampled.tasks(_category_keys, _CATEGORY_COUNT, sampled.chunk):
                preview.add(task())
            yield 0.0
        yield from steps(work.tasks(_category_keys, _CATEGORY_COUNT), total.add, executor)

    def final() -> Known[tuple[CategoryOdds, ...]]:
        return Known(_odds(total, is_exact=True), Method.EXACT, work.showdowns)

    return snapshots(counting(), final, partial(_sampled, preview))


def _category_keys(judged: "JudgedDeals") -> NDArray[np.int64]:
    return categories()[judged.strengths]


def _sampled(total: "_Tally") -> Known[tuple[CategoryOdds, ...]] | None:
    return Known(_odds(total, is_exact=False), Method.SAMPLED, total.deals) if total.has_dealt else None


def _odds(total: "_Tally", *, is_exact: bool) -> tuple[CategoryOdds, ...]:
    weight, squares, won, _, _ = total.sums
    whole, whole_squares = (
        np.broadcast_to(each.sum(axis=1, keepdims=True), each.shape) for each in (weight, squares)
    )
    chance_errors, share_errors = np.zeros((2, *weight.shape))
    if not is_exact:
        chance_errors = RatioSums(whole, whole_squares, weight, squares, squares).error(whole**2 / whole_squares)
        independent = np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)
        share_errors = RatioSums(*total.sums).error(independent)
    columns = weight / whole, won / whole, chance_errors, share_errors
    return tuple(CategoryOdds(*map(frozen_vector, rows)) for rows in zip(*columns, strict=True))


# ---- adding up ------------------------------------------------------------------------------------------


class _Tally:
    """Weighted sums by player and key, float64 (5, players, keys): w, w^2, w share, w^2 share, w^2 share^2."""

    def __init__(self, players: int, keys: int) -> None:
        self.sums = np.zeros((5, players, keys))
        self.deals = 0

    @property
    def has_dealt(self) -> bool:
        """Whether there was any deal of positive weight."""
        return bool(self.sums[0, 0].any())

    def add(self, other: "_Tally") -> None:
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


class _SampledDeals(Struct, frozen=True):
    """Deals drawn from the joint distribution as `solve` draws them, `chunk` of them in about 12 ms."""

    plan: SamplingPlan
    order: NDArray[np.int64]
    chunk: int

    def tasks(self, keys: _Keys, kinds: int, deals: int) -> Iterator[Task[_Tally]]:
        """Cut so many deals into tasks, each with a random stream of its own, the first a short one."""
        sizes = chain([max(64, self.chunk // 4)], iter(lambda: self.chunk, None))
        dealt = 0
        for number, size in enumerate(sizes, _FIRST_CHUNK):
            if dealt >= deals:
                return
            most = min(size, deals - dealt)
            yield partial(_deal_chunk, self, keys, kinds, number, most)
            dealt += most


def _sampled_deals(live: Sums, board: Sequence[int], dead: Sequence[int], seed: int, deals: int) -> _SampledDeals:
    """Choose how to draw deals: all again at a clash, in turn or from a list (see `Sampler`)."""
    sampler = Sampler(live, board, dead, seed)
    sampler.begin(deals)
    return _SampledDeals(sampler.plan, sampler.order, max(64, sampler.chunk_deals // _OF_SAMPLED))


def _deal_chunk(drawn: _SampledDeals, keys: _Keys, kinds: int, chunk: int, deals: int) -> _Tally:
    tally = _Tally(drawn.plan.players, kinds)
    for judged in draw_chunk(drawn.plan, chunk, deals):
        tally.add_deals(judged, keys(judged), judged.weights)
    tally.sums = tally.sums[:, np.argsort(drawn.order)]
    tally.deals = deals
    return tally


# ---- all of them ----------------------------------------------------------------------------------------


def _every_deal_seconds(deals: int, players: int, board: Sequence[int], dead: Sequence[int]) -> float:
    """Estimate what judging so many deals on all boards costs."""
    boards = comb(CARD_COUNT - len(board) - len(dead) - 2 * players, 5 - len(board))
    return deals * boards * (players + 1) * _SHOWDOWN_COST


class _EveryDeal:
    """All deals of a list (int16, shape (n, players), without clashes) on all boards, one by one."""

    def __init__(self, deals: NDArray[np.int16], weights: Sums, board: Sequence[int], dead: Sequence[int]) -> None:
        players = deals.shape[1]
        masks = np.bitwise_or.reduce(COMBO_MASK[deals], axis=1)
        certain = int(np.bitwise_and.reduce(masks)) | card_mask((*board, *dead))
        self._deck = np.array([card for card in range(CARD_COUNT) if not certain >> card & 1], dtype=np.uint8)
        self._missing = 5 - len(board)
        self._board = np.array(board, dtype=np.uint8)
        self._deals, self._weights = deals, weights
        self.showdowns = len(deals) * comb(CARD_COUNT - len(board) - len(dead) - 2 * players, self._missing)
        self.seconds = _every_deal_seconds(len(deals), players, board, dead)

    def tasks(self, keys: _Keys, kinds: int) -> list[Task[_Tally]]:
        """Cut the work into tasks."""
        # Before the flop a task has the boards of one lowest card.
        firsts = range(len(self._deck) - 4) if self._missing == 5 else (None,)
        tasks: list[Task[_Tally]] = []
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
    keys: _Keys,
    kinds: int,
) -> _Tally:
    """Add up deals on all boards, or on those whose lowest card stands at a place of the deck."""
    from engine.kernels.equity.sampling import judge_deals
    from engine.kernels.evaluator import tables

    evaluator = tables()
    if first is None:
        runouts, runout_keys = _runouts(deck, missing, evaluator.card_key)
    else:
        runouts, runout_keys = _runouts(deck[first + 1 :], missing - 1, evaluator.card_key)
        runouts = runouts | np.uint64(1 << int(deck[first]))
        runout_keys = runout_keys + evaluator.card_key[deck[first]]
    masks = np.bitwise_or.reduce(COMBO_MASK[deals], axis=1)
    tally = _Tally(deals.shape[1], kinds)
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
    """Return the masks and the sums of the keys of all sets of so many cards of a deck."""
    masks, keys = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint64)
    last = np.full(1, -1)
    card_masks, deck_keys = np.uint64(1) << deck.astype(np.uint64), card_key[deck]
    for _ in range(missing):
        more = len(deck) - 1 - last
        rows = np.repeat(np.arange(len(last)), more)
        last = np.arange(len(rows)) - np.repeat(np.cumsum(more) - more, more) + last[rows] + 1
        masks, keys = masks[rows] | card_masks[last], keys[rows] + deck_keys[last]
    return masks, keys


# ---- which way ------------------------------------------------------------------------------------------


def _plan(
    live: Sums, board: Sequence[Card], dead: Sequence[Card], budget: float
) -> "_EveryDeal | _EveryBoard | None":
    """Find the cheaper way to count exactly within a budget in seconds, if there is one."""
    boards: _EveryBoard | None = None
    if len(live) == 2 and board:
        # Its weights are differences; where nearly all deals clash, nothing would be left of them.
        possible = live[0] @ unblocked_weight(live[1])
        boards = _EveryBoard(live, board, dead) if possible > _SURELY_FREE * live.sum(axis=1).prod() else None
    if boards is not None:
        budget = min(budget, boards.seconds)
    # Before the flop one deal stands for at most 24 that differ by suits' names.
    most = budget / _every_deal_seconds(1, len(live), board, dead) * (1 if board else 24)
    listed = joint_deals(live, int(min(most, _MOST_LISTED)))
    if listed is not None:
        deals, weights = listed if board else merge_relabelled(*listed, dead)
        every = _EveryDeal(deals, weights, board, dead)
        if every.seconds <= budget:
            return every
    return boards


class _EveryBoard:
    """Two ranges on a flop, turn or river: on every complete board, every combo of both."""

    def __init__(self, live: Sums, board: Sequence[Card], dead: Sequence[Card]) -> None:
        self._live, self._board, self._dead = live, tuple(board), tuple(dead)
        self._missing = 5 - len(board)
        deck = [Card(card) for card in range(CARD_COUNT) if card not in (*board, *dead)]
        self._runouts = list(combinations(deck, self._missing))
        self.seconds = len(self._runouts) * _BOARD_SECONDS

    @property
    def showdowns(self) -> int:
        first, second = (self._live > 0).astype(np.float64)
        boards = comb(CARD_COUNT - len(self._board) - len(self._dead) - 4, self._missing)
        return boards * round(float(first @ unblocked_weight(second)))

    def tasks(self, keys: _Keys, kinds: int) -> list[Task[_Tally]]:
        return [
            partial(_judge_boards, self._live, self._board, self._dead, self._runouts[at : at + _TASK_BOARDS])
            for at in range(0, len(self._runouts), _TASK_BOARDS)
        ]


def _judge_boards(
    live: Sums, board: tuple[Card, ...], dead: tuple[Card, ...], runouts: list[tuple[Card, ...]]
) -> _Tally:
    """Add up by category what two ranges hold and win on some complete boards."""
    from engine.kernels.evaluator import strengths_of, tables

    tally = _Tally(2, _CATEGORY_COUNT)
    cards = np.empty((COMBO_COUNT, 7), dtype=np.uint8)
    cards[:, :2] = COMBO_CARDS
    strengths = np.empty(COMBO_COUNT, dtype=np.int16)
    for runout in runouts:
        complete = (*board, *runout)
        ranges = live * unblocked(runout)
        left = [unblocked_weight(other) for other in (ranges[1], ranges[0])]
        weights = np.maximum(ranges * left, 0)
        if not weights[0].any():
            continue
        cards[:, 2:] = complete
        strengths_of(tables(), cards, strengths)
        ends = categories()[strengths]
        for player, other in enumerate((ranges[1], ranges[0])):
            equities = combo_equities(complete, other, dead)
            tally.sums[0, player] += np.bincount(ends, weights[player], _CATEGORY_COUNT)
            tally.sums[2, player] += np.bincount(ends, weights[player] * equities, _CATEGORY_COUNT)
    return tally
