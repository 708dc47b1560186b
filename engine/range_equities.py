"""Range against range, combo by combo: what every combo of every player is worth in the joint deal.

`range_equities` answers the questions that `engine.equity.solve` answers, with a number for each combo instead of
one for each player; from its answers come the graph of a range's equities and the equity of each hand class.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import permutations
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_COUNT,
    Card,
    relabel_suits,
    unblocked,
)
from engine.checks import EquityError, check_seed, check_weights, is_whole
from engine.codec import Vector, frozen_vector
from engine.combo_equities import combo_equities
from engine.counting import plan_count, weight_beside
from engine.drawn_deals import Tally, drawn_deals
from engine.equity import (
    EXACT_SECONDS,
    LONGEST_EXACT_SECONDS,
    PREVIEW_DEALS,
    EquityQuestion,
    Method,
    check_need_not_be_exact,
    live_weights,
)
from engine.heads_up import build_steps, is_ready
from engine.joint import Sums
from engine.joint_weights import joint_weights
from engine.multiway import multiway_equities
from engine.parallel import Task, check_executor, results_in_order
from engine.preflop_counting import relabelled_combos

if TYPE_CHECKING:
    from engine.kernels.sampling import JudgedDeals

Flags: TypeAlias = NDArray[np.bool_]

DEFAULT_DEALS: Final = 4_000_000
"""Deals sampled when nothing else is asked for."""

_FEW_COMBOS = 100  # of each range: deals by default tell more of so few than the model
_MODEL_ERROR = 0.003  # of a combo's equity between such ranges, at least
_AT_ONCE = 0.03  # what is estimated to take longer, in seconds, comes after a sampled or modelled answer
_TASK_SECONDS = 0.012
_MODEL_SECONDS = (1.5e-4, 1e-3, 1.5e-2)  # of `multiway_equities` for a player, by the number of cards missing


class ComboShares(Struct, frozen=True):
    """One player's range, combo by combo.

    Attributes
    ----------
    weights : ndarray of float32, shape (1326,), read-only
        Probability that the player holds the combo, given that all players can be dealt together. Sums to 1.
    equities : ndarray of float32, shape (1326,), read-only
        Share of the pot with that combo, 0 to 1, ties shared; 0 where the weight is 0.
    """

    weights: Vector
    equities: Vector


class RangeEquities(Struct, frozen=True):
    """An answer, complete as it stands.

    Attributes
    ----------
    players : tuple of ComboShares
        In the order of the question.
    method : Method
        `EXACT`, `SAMPLED`, or `MODEL`: nearly exact, see `engine.multiway` and `engine.joint_weights`.
    stderr : float
        Of what is sampled the standard error of a combo's equity: the root of the mean square over all players'
        combos by weight. Otherwise 0.
    count : int
        Deals sampled; otherwise 0.
    seconds : float
        Since the question was put.
    is_final : bool
        Whether it is the last one.
    progress : float
        Part of the work done, 0 to 1.
    """

    players: tuple[ComboShares, ...]
    method: Method
    stderr: float
    count: int
    seconds: float
    is_final: bool
    progress: float


Answers: TypeAlias = Iterator[RangeEquities]


def range_equities(question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None) -> Answers:
    """Compute the equity of every combo of every player, step by step.

    Parameters
    ----------
    question : EquityQuestion
        As for `engine.equity.solve`. With `samples` it is sampled; with `is_exact` counted, if that takes no longer
        than two minutes. `DEFAULT_DEALS` are sampled where neither is asked for and nothing else answers.
    seed : int
        Of what is sampled, 0 to 2^128 - 1.
    executor : Executor, optional
        Shares out longer work (see `engine.parallel`); the answer is the same with and without.

    Returns
    -------
    iterator of RangeEquities
        The first within about 50 ms once the kernels are compiled, the last one final. To cancel, stop iterating.

    Raises
    ------
    EquityError
        At once: if the question has no answer, or no exact one in two minutes. While iterating: if the executor is
        shut down.

    Notes
    -----
    Two players: exact, by `engine.combo_equities` against what is left of the other range beside each combo, 2 ms
    on a flop; before the flop from the table of `engine.heads_up`, 5 ms (counted first, in half a second, if it is
    not there yet).

    Several players: every combo in turn is put in the place of its range and the question counted exactly
    (`engine.counting`), once for combos that differ by suits' names only, if all of that is estimated to take a
    second. Otherwise on a board by the model of `engine.multiway`, whose root mean square error is 0.0001 to 0.002
    in ordinary situations; weights by `engine.joint_weights`. Between ranges of the same few cards it errs by up to
    0.01 (five of AA-TT, AK and AQs on a turn), so if none has more than 100 combos deals are sampled as well.

    Several players before the flop, or two with dead cards: sampled from the joint distribution as `solve` does.
    Deals that differ by suits' names only count together. A combo so rare that no deal has it gets the weight 0.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> ranges = parse_range("AK"), parse_range("QQ,JJ")
    >>> *_, last = range_equities(EquityQuestion(ranges, parse_cards("Ks 7d 2h")))
    >>> equities, _ = class_equities(last.players[0])
    >>> round(float(equities[1]), 4), last.method.value  # AKs
    (0.9148, 'exact')
    """
    check_executor(executor)
    check_seed(seed)
    live = live_weights(question)
    work = _Work(live, question.board, question.dead, seed, executor)
    if question.samples is not None:
        return work.sampled(question.samples)
    if len(live) == 2 and question.board:
        return work.two_on_a_board()
    if len(live) == 2 and not question.dead:
        return work.two_before_the_flop()
    counts = work.planned(LONGEST_EXACT_SECONDS) if question.is_exact else None
    if counts is not None:
        return work.counted(counts)
    check_need_not_be_exact(question)
    return work.several()


class _Count(NamedTuple):
    """An exact count of one combo of one player; `seconds` is what this and all before it are estimated to take."""

    player: int
    combo: int
    seconds: float


_Counted: TypeAlias = tuple[int, int, float, float]
"""Player, combo, and the weight of the deals with it and of the pots won with it."""

_PLAN_SECONDS = 2e-4


class _Work:
    """A question that has been checked, and the ways to answer it."""

    def __init__(
        self, live: Sums, board: Sequence[Card], dead: Sequence[Card], seed: int, executor: Executor | None
    ) -> None:
        self._live, self._board, self._dead = live, tuple(board), tuple(dead)
        self._seed, self._executor = seed, executor
        self._started = perf_counter()
        self._orbit = _suit_orbits(live, self._board, self._dead)

    def several(self) -> Answers:
        """More than two players, or dead cards before the flop."""
        counts = self.planned(_AT_ONCE)
        if counts is not None:
            yield from self.counted(counts)
            return
        if not self._board:
            preview = self._preview()
            yield from self._again(preview, 0.0)
            counts = self.planned(EXACT_SECONDS)
            yield from self.sampled(DEFAULT_DEALS) if counts is None else self.counted(counts, preview)
            return
        if len(self._live) * _MODEL_SECONDS[5 - len(self._board)] > _AT_ONCE:
            yield from self._again(self._preview(), 0.0)
        weights, equities = joint_weights(self._live), self._modelled()
        modelled = self._answer(weights, equities, Method.MODEL)
        yield modelled
        counts = self.planned(EXACT_SECONDS)
        if counts is not None:
            yield from self.counted(counts, modelled)
        elif np.count_nonzero(self._live, axis=1).max() > _FEW_COMBOS:
            yield self._answer(weights, equities, Method.MODEL, is_final=True)
        else:
            for sample in self.sampled(DEFAULT_DEALS):
                is_better = sample.is_final or sample.stderr < _MODEL_ERROR
                yield from [sample] if is_better else self._again(modelled, sample.progress)

    # ---- two players ------------------------------------------------------------------------------------

    def two_on_a_board(self) -> Answers:
        weights = joint_weights(self._live)
        equities = [
            _equities_beside(self._board, self._dead, mine > 0, theirs)
            for mine, theirs in zip(weights, self._live[::-1], strict=True)
        ]
        yield self._answer(weights, np.array(equities), Method.EXACT, is_final=True)

    def two_before_the_flop(self) -> Answers:
        if not is_ready():
            preview = self._preview()
            yield from self._again(preview, 0.0)
            for done in build_steps():
                yield from self._again(preview, done)
        first, second = self._live
        equities = [combo_equities((), other) for other in (second, first)]
        yield self._answer(joint_weights(self._live), np.array(equities), Method.EXACT, is_final=True)

    # ---- counted ----------------------------------------------------------------------------------------

    def planned(self, budget: float) -> list["_Count"] | None:
        """Plan to count every combo that differs by more than suits' names, or None if that takes too long."""
        whole = plan_count(self._live, self._board, self._dead, budget)
        # What depends on the number of deals is spent once for each player.
        if whole is None or len(self._live) * whole.seconds > 4 * budget:
            return None
        counts: list[_Count] = []
        seconds = 0.0
        for player, weights in enumerate(self._live):
            for combo in np.unique(self._orbit[weights > 0]).tolist():
                counting = plan_count(_with_one(self._live, player, combo), self._board, self._dead, budget)
                seconds += _PLAN_SECONDS + (budget if counting is None else counting.seconds)
                if seconds > budget:
                    return None
                counts.append(_Count(player, combo, seconds))
        return counts

    def counted(self, counts: list["_Count"], meanwhile: RangeEquities | None = None) -> Answers:
        """Count; until that is done repeat what was known before, or a sampled preview if it takes long."""
        if meanwhile is None and counts[-1].seconds > _AT_ONCE:
            meanwhile = self._preview()
            yield from self._again(meanwhile, 0.0)
        tasks = self._count_tasks(counts)
        weight, won = np.zeros((2, *self._live.shape))
        for done, sums in enumerate(results_in_order(tasks, self._executor), 1):
            for player, combo, dealt, share in sums:
                weight[player, combo], won[player, combo] = dealt, share
            if done < len(tasks):
                yield from self._again(meanwhile, done / len(tasks))
        weight, won = weight[:, self._orbit], won[:, self._orbit]
        weight[self._live == 0] = 0
        equities = np.divide(won, weight, out=np.zeros_like(won), where=weight > 0)
        yield self._answer(weight / weight.sum(axis=1, keepdims=True), equities, Method.EXACT, is_final=True)

    def _count_tasks(self, counts: list["_Count"]) -> list[Task[list["_Counted"]]]:
        tasks: list[Task[list[_Counted]]] = []
        parts = (np.array([count.seconds for count in counts]) / _TASK_SECONDS).astype(np.int64)
        for part in np.unique(parts):
            chosen = [counts[i][:2] for i in np.flatnonzero(parts == part)]
            tasks.append(partial(_count_combos, self._live, chosen, self._board, self._dead))
        return tasks

    # ---- modelled and sampled ---------------------------------------------------------------------------

    def _modelled(self) -> Sums:
        """Give every combo's equity by the model, once for players of the same range."""
        firsts = {row.tobytes(): player for player, row in reversed(list(enumerate(self._live)))}
        tasks = [
            partial(_model, self._board, np.delete(self._live, player, axis=0), self._dead)
            for player in firsts.values()
        ]
        found = dict(zip(firsts, results_in_order(tasks, self._executor), strict=True))
        return np.array([found[row.tobytes()] for row in self._live], dtype=np.float64)

    def sampled(self, deals: int) -> Answers:
        """Sample so many deals."""
        drawn = drawn_deals(self._live, self._board, self._dead, self._seed, deals)
        for total in drawn.tallies(_combo_keys, COMBO_COUNT, deals, self._executor):
            yield self._of_tally(total, deals)

    def _preview(self) -> RangeEquities | None:
        """Sample a little, in the calling thread; None if nothing was dealt."""
        drawn = drawn_deals(self._live, self._board, self._dead, self._seed, PREVIEW_DEALS)
        tally = drawn.begun(_combo_keys, COMBO_COUNT)
        return None if tally is None else self._of_tally(tally, tally.deals)

    def _of_tally(self, total: Tally, deals: int) -> RangeEquities:
        # Deals with suits relabelled, where that leaves the question what it is, are as likely.
        sums = np.zeros_like(total.sums)
        shape = (-1, COMBO_COUNT)
        for row, merged in zip(total.sums.reshape(shape), sums.reshape(shape), strict=True):
            merged[:] = np.bincount(self._orbit, row, COMBO_COUNT)
        weight, squares, won, squares_won, squares_won_twice = sums
        equities = np.divide(won, weight, out=np.zeros_like(won), where=weight > 0)
        scatter = np.maximum(squares_won_twice - 2 * equities * squares_won + equities**2 * squares, 0)
        stderr = _mean_error(weight, squares, scatter)
        size = np.bincount(self._orbit, minlength=COMBO_COUNT)[self._orbit]
        weights = weight[:, self._orbit] / size
        # Within an orbit all combos have the same weight in a range.
        weights /= weights.sum(axis=1, keepdims=True)
        is_final = total.deals >= deals
        answer = self._answer(weights, equities[:, self._orbit], Method.SAMPLED, is_final=is_final)
        return replace(answer, stderr=stderr, count=total.deals, progress=total.deals / deals)

    # ---- answers ----------------------------------------------------------------------------------------

    def _answer(self, weights: Sums, equities: Sums, method: Method, *, is_final: bool = False) -> RangeEquities:
        held = [frozen_vector(mine) for mine in weights]  # what is less than 1e-45 is now 0
        # Beside weights of many magnitudes, sums that should be 0 or all are off by rounding.
        players = tuple(
            ComboShares(mine, frozen_vector(np.where(mine > 0, share, 0)))
            for mine, share in zip(held, np.clip(equities, 0, 1), strict=True)
        )
        seconds = perf_counter() - self._started
        return RangeEquities(players, method, 0.0, 0, seconds, is_final, float(is_final))

    def _again(self, answer: RangeEquities | None, progress: float) -> Answers:
        """Give what was known before, if anything was, while there is nothing better."""
        if answer is not None:
            seconds = perf_counter() - self._started
            yield replace(answer, seconds=seconds, is_final=False, progress=progress)


def _combo_keys(judged: "JudgedDeals") -> NDArray[np.int64]:
    return judged.combos.astype(np.int64)


def _equities_beside(board: tuple[Card, ...], dead: tuple[Card, ...], held: Flags, theirs: Sums) -> Sums:
    """Give the equities against a range on a flop, turn or river, right for all combos that are held."""
    values = np.array(combo_equities(board, theirs, dead), dtype=np.float64)
    # What a combo leaves of a range of many magnitudes is lost in the sums, unless what it blocks is taken out.
    doubtful = held & (weight_beside(theirs) < _LEAST_LEFT * theirs.sum())
    while doubtful.any():
        times = np.bincount(COMBO_CARDS[doubtful].ravel(), minlength=CARD_COUNT)
        times[np.bincount(COMBO_CARDS[theirs > 0].ravel(), minlength=CARD_COUNT) == 0] = 0
        is_open = unblocked([int(times.argmax())])
        of_card = doubtful & ~is_open
        values[of_card] = _equities_beside(board, dead, of_card, theirs * is_open)[of_card]
        doubtful &= is_open
    return values


_LEAST_LEFT = 1e-6  # of a range; of more the sums of `combo_equities` give equities within 1e-5


def _model(board: tuple[Card, ...], others: Sums, dead: tuple[Card, ...]) -> Vector:
    return multiway_equities(board, list(others), dead).values


def _with_one(live: Sums, player: int, combo: int) -> Sums:
    """Give the weights with a single combo for one player."""
    one = live.copy()
    one[player] = 0
    one[player, combo] = live[player, combo]
    return one


def _count_combos(
    live: Sums, chosen: list[tuple[int, int]], board: tuple[Card, ...], dead: tuple[Card, ...]
) -> list[_Counted]:
    """Count the showdowns of some combos, each (player, combo), against all that the others may hold."""
    counted: list[_Counted] = []
    sets = np.arange(1 << len(live))
    per_winner = 1 / np.maximum(np.bitwise_count(sets), 1)
    for player, combo in chosen:
        counting = plan_count(_with_one(live, player, combo), board, dead, LONGEST_EXACT_SECONDS)
        assert counting is not None  # it was planned before
        for _ in counting.steps():
            pass
        won = float(counting.outcomes @ ((sets >> player & 1) * per_winner))
        counted.append((player, combo, float(counting.outcomes.sum()), won))
    return counted


def _mean_error(weight: Sums, squares: Sums, scatter: Sums) -> float:
    """Give the root mean square standard error of the combos' equities by weight; see `Tally` for the sums.

    A combo's is that of a ratio of sums (delta method). What was dealt but once has the variance of all others.
    """
    count = np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)
    is_known = count > 1.5
    rest = 1 - 1 / np.maximum(count, 1.5)
    spread = (squares * rest)[is_known].sum()
    pooled = scatter[is_known].sum() / spread if spread > 0 else _MOST_VARIANCE
    variance = np.where(is_known, scatter / np.where(is_known, weight**2 * rest, 1), pooled / np.maximum(count, 1))
    return sqrt(float((weight * variance).sum() / weight.sum()))


_MOST_VARIANCE = 0.25  # of a share of the pot


def _suit_orbits(live: Sums, board: tuple[Card, ...], dead: tuple[Card, ...]) -> NDArray[np.int64]:
    """Give for every combo the first of those that the question cannot tell from it: int64, shape (1326,).

    They differ by a relabelling of suits that leaves the board, the dead cards and every range as they are.
    """
    orbit = np.arange(COMBO_COUNT)
    for permutation in permutations(range(4)):
        is_kept = all(set(relabel_suits(cards, permutation)) == set(cards) for cards in (board, dead))
        if is_kept:
            renamed = relabelled_combos(permutation)
            if np.array_equal(live[:, renamed], live):
                orbit = np.minimum(orbit, renamed)
    return orbit


# ---- pictures -------------------------------------------------------------------------------------------


def equity_curve(shares: ComboShares, points: int = 201) -> NDArray[np.float64]:
    """Give the equity at each quantile of a range, best first: the equity distribution graph.

    Parameters
    ----------
    shares : ComboShares
    points : int
        How many quantiles, 2 or more, evenly from 0 (the best combo) to 1 (the worst).

    Returns
    -------
    ndarray of float64, shape (points,)
        Equities, 0 to 1, none higher than the one before it.

    Raises
    ------
    EquityError
        If the weights are no weights or all 0, or there are fewer than 2 points.

    Examples
    --------
    >>> weights, equities = np.zeros((2, 1326))
    >>> weights[:4], equities[:4] = 0.25, (0.125, 0.75, 0.5, 0.5)
    >>> equity_curve(ComboShares(frozen_vector(weights), frozen_vector(equities)), 5).tolist()
    [0.75, 0.75, 0.5, 0.5, 0.125]
    """
    if not is_whole(points) or points < 2:
        raise EquityError(f"A curve has 2 points or more, not {points!r}.")
    weights, equities = _checked_shares(shares)
    held = np.flatnonzero(weights)
    order = held[np.argsort(-equities[held], kind="stable")]
    reached = np.cumsum(weights[order])
    # A combo reaches from the end of the one before it to its own; that of 0.3 may come out a little off.
    place = np.searchsorted(reached / reached[-1], np.linspace(0, 1, points) - 1e-9)
    curve: NDArray[np.float64] = equities[order[place]]
    return curve


def class_equities(shares: ComboShares) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the equity and the weight of each hand class.

    Parameters
    ----------
    shares : ComboShares

    Returns
    -------
    equities : ndarray of float64, shape (169,)
        The mean over the class's combos by weight; nan where there are none.
    weights : ndarray of float64, shape (169,)
        Probability that the player holds the class.

    Raises
    ------
    EquityError
        If the weights are no weights or all 0.

    Examples
    --------
    >>> weights, equities = np.zeros((2, 1326))
    >>> weights[-2:], equities[-2:] = 0.5, (0.8, 0.7)  # AsAd and AsAh
    >>> means, parts = class_equities(ComboShares(frozen_vector(weights), frozen_vector(equities)))
    >>> round(float(means[0]), 4), float(parts[0]), float(means[1])
    (0.75, 1.0, nan)
    """
    weights, equities = _checked_shares(shares)
    total: Sums = np.bincount(COMBO_CLASS, weights, CLASS_COUNT).astype(np.float64)
    won = np.bincount(COMBO_CLASS, weights * equities, CLASS_COUNT)
    means = np.divide(won, total, out=np.full(CLASS_COUNT, np.nan), where=total > 0)
    return means, total


def _checked_shares(shares: ComboShares) -> tuple[Sums, Sums]:
    weights, equities = check_weights(shares.weights), check_weights(shares.equities, "A range's equities")
    if not weights.any():
        raise EquityError("A range without any weight has no equity.")
    return weights, equities
