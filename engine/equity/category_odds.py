"""What several players end up with at showdown, category by category, and what it wins."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import combinations
from math import comb
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, Card, unblocked
from engine.checks import check_seed
from engine.codec import Vector, frozen_vector
from engine.equity.combos import combo_equities
from engine.equity.exact import merge_relabelled
from engine.equity.joint import Sums, joint_deals, weight_beside
from engine.equity.parallel import Task, check_executor, results_in_order
from engine.equity.sampled_deals import EveryDeal, Keys, Tally, drawn_deals, every_deal_seconds
from engine.equity.sampling import RatioSums
from engine.equity.solve import (
    DEFAULT_SAMPLES,
    EXACT_SECONDS,
    LONGEST_EXACT_SECONDS,
    PREVIEW_DEALS,
    PREVIEW_FROM,
    EquityQuestion,
    Method,
    check_need_not_be_exact,
    live_weights,
)
from engine.strength import Category, categories

if TYPE_CHECKING:
    from engine.kernels.sampling import JudgedDeals

CATEGORY_COUNT: Final = len(Category)

_MOST_LISTED = 300_000
_SURELY_FREE = 1e-6
_BOARD_SECONDS = 1.5e-4  # of two ranges on one complete board
_TASK_BOARDS = 80


class FinalHands(Struct, frozen=True):
    """What each player ends up with at showdown; complete as it stands.

    Attributes
    ----------
    chances : tuple of ndarray of float32, shape (9,), read-only
        For each player, in the order of `engine.strength.Category`, the probability that the best five cards are
        of this category. Sums to 1. Royal flushes are straight flushes.
    wins : tuple of ndarray of float32, shape (9,), read-only
        For each player the part of the pot that is won with it, 0 to 1, ties shared. Sums to the player's equity.
    method : Method
        `EXACT` or `SAMPLED`.
    stderrs : tuple of ndarray of float32, shape (9,), read-only
        Standard errors of the chances; 0 where exact.
    share_stderrs : tuple of ndarray of float32, shape (9,), read-only
        Standard errors of the part of the pot that each category gets when it is held, which is `wins` over
        `chances`; 0 where exact, and where no deal had the category.
    count : int
        Deals sampled, or showdowns counted (those that differ by suits' names only are counted once).
    seconds : float
        Since the question was put.
    is_final : bool
        Whether it is the last one.
    progress : float
        Part of the work done, 0 to 1.
    """

    chances: tuple[Vector, ...]
    wins: tuple[Vector, ...]
    method: Method
    stderrs: tuple[Vector, ...]
    share_stderrs: tuple[Vector, ...]
    count: int
    seconds: float
    is_final: bool
    progress: float


Answers: TypeAlias = Iterator[FinalHands]


def final_hands(question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None) -> Answers:
    """Compute what each player ends up with, step by step.

    Parameters
    ----------
    question : EquityQuestion
        As for `engine.equity.solve.solve`: players block each other's cards, and with `samples` so many deals are
        sampled; with `is_exact` it is counted if that takes no longer than two minutes.
    seed : int
        Of what is sampled, 0 to 2^128 - 1.
    executor : Executor, optional
        Shares out longer work (see `engine.equity.parallel`); the answer is the same with and without.

    Returns
    -------
    iterator of FinalHands
        The first within about 50 ms once the kernels are compiled, the last one final. To cancel, stop iterating.

    Raises
    ------
    EquityError
        At once: if the question has no answer, or no exact one in two minutes. While iterating: if the executor is
        shut down.

    Notes
    -----
    Where deals times boards are few, say known hands or small ranges, every showdown is judged by itself, in about
    0.1 us for two players. Two ranges on a flop, turn or river: for every complete board the weight and the equity
    of each combo (`engine.equity.combos`), 0.1 ms a board and so 0.15 s on a flop. What would take more than a
    second is sampled from the joint distribution as `solve` does.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = final_hands(EquityQuestion(hands, parse_cards("7h 2h Js")))
    >>> last.method.value, last.count
    ('exact', 990)
    >>> round(float(last.chances[0][Category.FLUSH]), 4)  # C(45, 2) - C(36, 2) of them bring a heart
    0.3636
    """
    check_executor(executor)
    check_seed(seed)
    live = live_weights(question)
    budget = LONGEST_EXACT_SECONDS if question.is_exact else EXACT_SECONDS
    work: EveryDeal | _EveryBoard | None = None
    if question.samples is None:
        work = _planned(live, question.board, question.dead, budget)
        if work is None:
            check_need_not_be_exact(question)
    if work is None:
        return _sampled(live, question, seed, question.samples or DEFAULT_SAMPLES, executor)
    return _counted(work, live, question, seed, executor)


def _planned(
    live: Sums, board: Sequence[Card], dead: Sequence[Card], budget: float
) -> "EveryDeal | _EveryBoard | None":
    """Find the cheaper way to count exactly within a budget in seconds, if there is one."""
    boards: _EveryBoard | None = None
    if len(live) == 2 and board:
        # Its weights are differences; where nearly all deals clash, nothing would be left of them.
        beside = live[0] @ weight_beside(live[1])
        boards = _EveryBoard(live, board, dead) if beside > _SURELY_FREE * live.sum(axis=1).prod() else None
    if boards is not None:
        budget = min(budget, boards.seconds)
    # Before the flop one deal stands for at most 24 that differ by suits' names.
    most = budget / every_deal_seconds(1, len(live), board, dead) * (1 if board else 24)
    listed = joint_deals(live, int(min(most, _MOST_LISTED)))
    if listed is not None:
        deals, weights = listed if board else merge_relabelled(*listed, dead)
        every = EveryDeal(deals, weights, board, dead)
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
        """How many there are."""
        first, second = (self._live > 0).astype(np.float64)
        boards = comb(CARD_COUNT - len(self._board) - len(self._dead) - 4, self._missing)
        return boards * round(float(first @ weight_beside(second)))

    def tasks(self, keys: Keys, kinds: int) -> list[Task[Tally]]:
        """Cut the work into tasks; the keys are categories."""
        return [
            partial(_judge_boards, self._live, self._board, self._dead, self._runouts[at : at + _TASK_BOARDS])
            for at in range(0, len(self._runouts), _TASK_BOARDS)
        ]


def _judge_boards(
    live: Sums, board: tuple[Card, ...], dead: tuple[Card, ...], runouts: list[tuple[Card, ...]]
) -> Tally:
    """Add up by category what two ranges hold and win on some complete boards."""
    from engine.kernels.evaluator import strengths_of, tables

    tally = Tally(2, CATEGORY_COUNT)
    cards = np.empty((COMBO_COUNT, 7), dtype=np.uint8)
    cards[:, :2] = COMBO_CARDS
    strengths = np.empty(COMBO_COUNT, dtype=np.int16)
    for runout in runouts:
        complete = (*board, *runout)
        ranges = live * unblocked(runout)
        beside = [weight_beside(other) for other in (ranges[1], ranges[0])]
        weights = np.maximum(ranges * beside, 0)
        if not weights[0].any():
            continue
        cards[:, 2:] = complete
        strengths_of(tables(), cards, strengths)
        ends = categories()[strengths]
        for player, other in enumerate((ranges[1], ranges[0])):
            equities = combo_equities(complete, other, dead)
            tally.sums[0, player] += np.bincount(ends, weights[player], CATEGORY_COUNT)
            tally.sums[2, player] += np.bincount(ends, weights[player] * equities, CATEGORY_COUNT)
    return tally


def _category_keys(judged: "JudgedDeals") -> NDArray[np.int64]:
    return categories()[judged.strengths]


def _counted(
    work: "EveryDeal | _EveryBoard", live: Sums, question: EquityQuestion, seed: int, executor: Executor | None
) -> Answers:
    started = perf_counter()
    preview: FinalHands | None = None
    if work.seconds > PREVIEW_FROM:
        drawn = drawn_deals(live, question.board, question.dead, seed, PREVIEW_DEALS)
        tally = drawn.begun(_category_keys, CATEGORY_COUNT)
        if tally is not None:
            preview = _answer(tally, Method.SAMPLED, tally.deals, started, 0.0)
            yield preview
    total = Tally(len(live), CATEGORY_COUNT)
    tasks = work.tasks(_category_keys, CATEGORY_COUNT)
    for done, tally in enumerate(results_in_order(tasks, executor), 1):
        total.add(tally)
        if preview is not None and done < len(tasks):
            seconds = perf_counter() - started
            yield replace(preview, seconds=seconds, progress=done / len(tasks))
    yield _answer(total, Method.EXACT, work.showdowns, started, 1.0)


def _sampled(live: Sums, question: EquityQuestion, seed: int, deals: int, executor: Executor | None) -> Answers:
    started = perf_counter()
    drawn = drawn_deals(live, question.board, question.dead, seed, deals)
    for total in drawn.tallies(_category_keys, CATEGORY_COUNT, deals, executor):
        yield _answer(total, Method.SAMPLED, total.deals, started, total.deals / deals)


def _answer(total: Tally, method: Method, count: int, started: float, progress: float) -> FinalHands:
    weight, squares, won, _, _ = total.sums
    whole, whole_squares = (
        np.broadcast_to(each.sum(axis=1, keepdims=True), each.shape) for each in (weight, squares)
    )
    numbers: list[Sums] = [weight / whole, won / whole, np.zeros_like(weight), np.zeros_like(weight)]
    if method is Method.SAMPLED:
        numbers[2] = RatioSums(whole, whole_squares, weight, squares, squares).error(whole**2 / whole_squares)
        independent = np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)
        numbers[3] = RatioSums(*total.sums).error(independent)
    chances, wins, stderrs, share_stderrs = (tuple(map(frozen_vector, each)) for each in numbers)
    seconds = perf_counter() - started
    return FinalHands(chances, wins, method, stderrs, share_stderrs, count, seconds, progress >= 1, progress)
