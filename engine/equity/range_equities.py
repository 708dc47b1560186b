"""Range against range, combo by combo: what every combo of every player is worth in the joint deal.

`range_equities` answers the questions that `engine.equity.solve.solve` answers, with a number for each combo
instead of one for each player; from its answers come the graph of a range's equities and the equity of each hand
class.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import permutations
from time import perf_counter
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct, field
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
from engine.equity.combos import FEWEST_DEALS, CombosTally, chunks, combo_equities, combos_judge
from engine.equity.exact import plan_count, relabelled_combos
from engine.equity.joint import Sums, joint_marginals, weight_beside
from engine.equity.matchups import build_steps, is_ready
from engine.equity.parallel import Task, check_executor, results_in_order
from engine.equity.sampling import NO_DEAL
from engine.equity.solve import (
    EXACT_SECONDS,
    LONGEST_EXACT_SECONDS,
    PREVIEW_DEALS,
    EquityQuestion,
    Method,
    check_need_not_be_exact,
    live_weights,
)

Flags: TypeAlias = NDArray[np.bool_]

DEFAULT_DEALS: Final = 200_000
"""Deals sampled for each player when nothing else is asked for; each tells of all combos that it leaves."""
LONGEST_SECONDS: Final = 2.0
"""Fewer are sampled where they are estimated to take longer."""

_AT_ONCE = 0.03  # what is estimated to take longer, in seconds, comes after a sampled answer
_TASK_SECONDS = 0.012
_MOST_ATTEMPTS = 100  # to deal anything

_NO_ERRORS: Final = frozen_vector(np.zeros(COMBO_COUNT))
_NO_CLASS_ERRORS: Final = frozen_vector(np.zeros(CLASS_COUNT))


class ComboShares(Struct, frozen=True):
    """One player's range, combo by combo.

    Attributes
    ----------
    weights : ndarray of float32, shape (1326,), read-only
        Probability that the player holds the combo, given that all players can be dealt together. Sums to 1. 0 also
        for a combo so rare that no deal of a sample leaves it.
    equities : ndarray of float32, shape (1326,), read-only
        Share of the pot with that combo, 0 to 1, ties shared; 0 where the weight is 0.
    stderrs : ndarray of float32, shape (1326,), read-only
        Standard error of each equity; where there is an equity, 0 only if it is exact.
    class_stderrs, class_weight_stderrs : ndarray of float32, shape (169,), read-only
        Standard errors of what `class_equities` gives: combos of a class are not independent of one another.
    stderr : float
        Standard error of the equity of the whole range.
    """

    weights: Vector
    equities: Vector
    stderrs: Vector = field(default_factory=lambda: _NO_ERRORS)
    class_stderrs: Vector = field(default_factory=lambda: _NO_CLASS_ERRORS)
    class_weight_stderrs: Vector = field(default_factory=lambda: _NO_CLASS_ERRORS)
    stderr: float = 0.0

    @property
    def equity(self) -> float:
        """Of the whole range."""
        return float(self.weights.astype(np.float64) @ self.equities)


class RangeEquities(Struct, frozen=True):
    """An answer, complete as it stands.

    Attributes
    ----------
    players : tuple of ComboShares
        In the order of the question.
    method : Method
        `EXACT` or `SAMPLED`.
    count : int
        Deals sampled for each player; 0 where exact.
    seconds : float
        Since the question was put.
    is_final : bool
        Whether it is the last one.
    progress : float
        Part of the work done, 0 to 1.
    """

    players: tuple[ComboShares, ...]
    method: Method
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
        As for `engine.equity.solve.solve`. With `samples` it is sampled; with `is_exact` counted, if that takes no
        longer than two minutes. `DEFAULT_DEALS` are sampled where neither is asked for and nothing else answers.
    seed : int
        Of what is sampled, 0 to 2^128 - 1.
    executor : Executor, optional
        Shares out longer work (see `engine.equity.parallel`); the answer is the same with and without.

    Returns
    -------
    iterator of RangeEquities
        The first within about 50 ms once the kernels are compiled, the last one final. To cancel, stop iterating.

    Raises
    ------
    EquityError
        At once: if the question has no answer, or no exact one in two minutes. While iterating: if the executor is
        shut down, or no way is found to deal the ranges together.

    Notes
    -----
    Two players: exact, by `engine.equity.combos` against what is left of the other range beside each combo, 2 ms
    on a flop; before the flop from the table of `engine.equity.matchups`, 5 ms (counted first, in half a second,
    if it is not there yet).

    Several players, or two with dead cards before the flop: every combo in turn is put in the place of its range
    and the question counted exactly (`engine.equity.exact`), once for combos that differ by suits' names only, if
    all of that is estimated to take a second. Otherwise sampled (`engine.equity.combos`): a deal of the
    others and of the board tells of all combos that it leaves, so after 20 ms most standard errors are about 1 %,
    and 0.1 % in the end. With `samples` no more are drawn than take `LONGEST_SECONDS` by estimate.

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
        preview = None
        if counts is None:
            # Planning takes longer than a first sample where it finds that a second is not enough.
            preview = self._preview()
            yield from self._again(preview, 0.0)
            counts = self.planned(EXACT_SECONDS)
        yield from self.sampled(DEFAULT_DEALS) if counts is None else self.counted(counts, preview)

    # ---- two players ------------------------------------------------------------------------------------

    def two_on_a_board(self) -> Answers:
        weights = joint_marginals(self._live)
        equities = [
            _equities_beside(self._board, self._dead, mine > 0, theirs)
            for mine, theirs in zip(weights, self._live[::-1], strict=True)
        ]
        yield self._exact(weights, np.array(equities))

    def two_before_the_flop(self) -> Answers:
        if not is_ready():
            preview = self._preview()
            yield from self._again(preview, 0.0)
            for done in build_steps():
                yield from self._again(preview, done)
        first, second = self._live
        equities = [combo_equities((), other) for other in (second, first)]
        yield self._exact(joint_marginals(self._live), np.array(equities))

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
        yield self._exact(weight / weight.sum(axis=1, keepdims=True), equities)

    def _count_tasks(self, counts: list["_Count"]) -> list[Task[list["_Counted"]]]:
        tasks: list[Task[list[_Counted]]] = []
        parts = (np.array([count.seconds for count in counts]) / _TASK_SECONDS).astype(np.int64)
        for part in np.unique(parts):
            chosen = [counts[i][:2] for i in np.flatnonzero(parts == part)]
            tasks.append(partial(_count_combos, self._live, chosen, self._board, self._dead))
        return tasks

    # ---- sampled ----------------------------------------------------------------------------------------

    def sampled(self, most: int) -> Answers:
        """Sample so many deals, or as many as take `LONGEST_SECONDS`."""
        firsts = {row.tobytes(): player for player, row in reversed(list(enumerate(self._live)))}
        judges = {
            # The seeds of the players differ from one another and from that of the question.
            row: combos_judge(
                self._live, player, self._orbit, self._board, self._dead, self._seed ^ (player + 1) << 120
            )
            for row, player in firsts.items()
        }
        tallies = {row: CombosTally(judge) for row, judge in judges.items()}
        seconds = sum(judge.seconds for judge in judges.values())
        most = min(most, max(FEWEST_DEALS, int(LONGEST_SECONDS / seconds)))
        cut = list(chunks(most, seconds))
        tasks = (partial(judge.judged, number, size) for number, size in cut for judge in judges.values())
        results = results_in_order(tasks, self._executor)
        deals = 0
        for _, size in cut:
            for tally in tallies.values():
                tally.add(next(results))
            deals += size
            if all(tally.has_dealt for tally in tallies.values()):
                yield self._of_tallies([tallies[row.tobytes()] for row in self._live], deals, deals / most)
        # Few deals may leave a player nothing; then more are drawn.
        more = 0
        while not all(tally.has_dealt for tally in tallies.values()):
            more += 1
            if more > _MOST_ATTEMPTS:
                raise EquityError(NO_DEAL)
            for row, judge in judges.items():
                tallies[row].add(judge.judged(cut[-1][0] + more, FEWEST_DEALS))
        if more:
            deals += more * FEWEST_DEALS
            yield self._of_tallies([tallies[row.tobytes()] for row in self._live], deals, 1.0)

    def _of_tallies(self, tallies: Sequence[CombosTally], deals: int, progress: float) -> RangeEquities:
        players = []
        for tally in tallies:
            *vectors, stderr = tally.estimates()
            weights, equities, stderrs, class_stderrs, class_weight_stderrs = map(frozen_vector, vectors)
            players.append(ComboShares(weights, equities, stderrs, class_stderrs, class_weight_stderrs, stderr))
        seconds = perf_counter() - self._started
        return RangeEquities(tuple(players), Method.SAMPLED, deals, seconds, progress == 1, progress)

    def _preview(self) -> RangeEquities | None:
        """Sample a little; None if nothing was dealt."""
        try:
            return next(self.sampled(PREVIEW_DEALS))
        except EquityError:
            return None

    # ---- answers ----------------------------------------------------------------------------------------

    def _exact(self, weights: Sums, equities: Sums) -> RangeEquities:
        held = [frozen_vector(mine) for mine in weights]  # what is less than 1e-45 is now 0
        # Beside weights of many magnitudes, sums that should be 0 or all are off by rounding.
        players = tuple(
            ComboShares(mine, frozen_vector(np.where(mine > 0, share, 0)))
            for mine, share in zip(held, np.clip(equities, 0, 1), strict=True)
        )
        seconds = perf_counter() - self._started
        return RangeEquities(players, Method.EXACT, 0, seconds, True, 1.0)

    def _again(self, answer: RangeEquities | None, progress: float) -> Answers:
        """Give what was known before, if anything was, while there is nothing better."""
        if answer is not None:
            seconds = perf_counter() - self._started
            yield replace(answer, seconds=seconds, is_final=False, progress=progress)


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


def equity_curve(shares: ComboShares, points: int = 201, errors: float = 0.0) -> NDArray[np.float64]:
    """Give the equity at each quantile of a range, best first: the equity distribution graph.

    Parameters
    ----------
    shares : ComboShares
    points : int
        How many quantiles, 2 or more, evenly from 0 (the best combo) to 1 (the worst).
    errors : float
        How many standard errors each combo's equity is moved by before they are put in order, from 0 to 1 at most.

    Returns
    -------
    ndarray of float64, shape (points,)
        Equities, 0 to 1, none higher than the one before it.

    Raises
    ------
    EquityError
        If the weights are no weights or all 0, or there are fewer than 2 points.

    Notes
    -----
    Which sampled combo comes out best is partly chance, so the best end of their curve is too high as a rule, and
    its worst end too low. The curves of -2 and 2 errors are an honest band: if every combo is within its
    interval, so is every quantile, whatever the true order. It leaves out what the places err, and combos that no
    deal left, which have no weight.

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
    equities = np.clip(equities + errors * check_weights(shares.stderrs, "A range's errors"), 0, 1)
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
