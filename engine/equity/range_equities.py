"""Range against range, combo by combo: the equity of every combo of every player in the joint deal.

`range_equities` answers the questions that `engine.equity.solve.solve` answers, with a number for each combo
instead of one for each player; from its answers come the graph of a range's equities and the equity of each hand
class.
"""

from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from itertools import permutations
from typing import Final, NamedTuple, TypeAlias

import numpy as np
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
from engine.codec import frozen_vector
from engine.equity.checks import EquityError, check_weights
from engine.equity.combos import FEWEST_DEALS, ComboShares, CombosTally, chunks, combo_equities, combos_judge
from engine.equity.exact import plan_count, relabelled_combos
from engine.equity.joint import Sums, joint_marginals, unblocked_weight
from engine.equity.matchups import build_steps, is_ready
from engine.equity.parallel import Task, results_in_order
from engine.equity.question import (
    EXACT_SECONDS,
    LONGEST_EXACT_SECONDS,
    PREVIEW_DEALS,
    EquityQuestion,
    check_question,
    plan_exact,
)
from engine.equity.snapshot import Known, Method, Snapshots, Steps, snapshots

Flags: TypeAlias = NDArray[np.bool_]

_DEFAULT_DEALS: Final = 200_000
"""Deals sampled for each player when nothing else is asked for; each counts for all combos that it leaves."""
LONGEST_SECONDS: Final = 2.0
"""Fewer are sampled where they are estimated to take longer."""

_CURVE_POINTS: Final = 201
_AT_ONCE = 0.03  # what is estimated to take longer, in seconds, comes after a sampled answer
_TASK_SECONDS = 0.012
_MOST_ATTEMPTS = 100  # to deal anything

RangeEquities: TypeAlias = tuple[ComboShares, ...]
"""Everyone's, in the order of the question."""


def range_equities(
    question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None
) -> Snapshots[RangeEquities]:
    """Equity of every combo of every player, step by step.

    Parameters
    ----------
    question, seed, executor
        As for `engine.equity.solve.solve`; `_DEFAULT_DEALS` are sampled by default.

    Returns
    -------
    generator of Snapshot
        The first one comes within about 50 ms once the kernels are compiled. Its count is that of the deals sampled
        for each player, 0 where exact.

    Raises
    ------
    EquityError
        As `solve`; while iterating, too, if no way is found to deal the ranges together.

    Notes
    -----
    Two players: exact, by `engine.equity.combos`, 2 ms on a flop; before the flop from the table of
    `engine.equity.matchups`, 5 ms.

    Several players, or two with dead cards before the flop: every combo in turn is put in the place of its range
    and the question counted exactly (`engine.equity.exact`), once for combos that differ by suits' names only, if
    all of that is estimated to take a second. Otherwise sampled (`engine.equity.combos`): after 20 ms most standard
    errors are about 1 %, and 0.1 % in the end, or after `LONGEST_SECONDS` by estimate.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> ranges = parse_range("AK"), parse_range("QQ,JJ")
    >>> *_, last = range_equities(EquityQuestion(ranges, parse_cards("Ks 7d 2h")))
    >>> equities, _ = class_equities(last.value[0])
    >>> round(float(equities[1]), 4), last.method.value  # AKs
    (0.9148, 'exact')
    """
    live = check_question(question, seed, executor)
    work = _Work(live, question, seed, executor)
    if question.samples is not None:
        steps = work.sample(question.samples)
    elif len(live) == 2 and question.board:
        steps = work.two_on_a_board()
    elif len(live) == 2 and not question.dead:
        steps = work.two_before_the_flop()
    else:
        counts = plan_exact(question, work.planned) if question.is_exact else None
        steps = work.several() if counts is None else work.count(counts)
    return snapshots(steps, work.known, work.known)


class _Count(NamedTuple):
    """An exact count of one combo of one player; `seconds` is what this and all before it are estimated to take."""

    player: int
    combo: int
    seconds: float


_Counted: TypeAlias = tuple[int, int, float, float]
"""Player, combo, and the weight of the deals with it and of the pots won with it."""

_PLAN_SECONDS = 2e-4


class _Work:
    """A question that has been checked, the ways to answer it, and what is known so far."""

    def __init__(self, live: Sums, question: EquityQuestion, seed: int, executor: Executor | None) -> None:
        self._live, self._board, self._dead = live, tuple(question.board), tuple(question.dead)
        self._seed, self._executor = seed, executor
        self._orbit = _suit_orbits(live, self._board, self._dead)
        self._known: Known[RangeEquities] | None = None

    def known(self) -> Known[RangeEquities] | None:
        return self._known

    def several(self) -> Steps:
        """More than two players, or dead cards before the flop."""
        counts = self.planned(_AT_ONCE)
        if counts is None:
            # Planning takes longer than a first sample where it finds that a second is not enough.
            self._preview()
            yield 0.0
            counts = self.planned(EXACT_SECONDS)
        yield from self.sample(_DEFAULT_DEALS) if counts is None else self.count(counts)

    # ---- two players ------------------------------------------------------------------------------------

    def two_on_a_board(self) -> Steps:
        weights = joint_marginals(self._live)
        equities = [
            _equities_against(self._board, self._dead, mine > 0, theirs)
            for mine, theirs in zip(weights, self._live[::-1], strict=True)
        ]
        self._set_exact(weights, np.array(equities))
        yield 1.0

    def two_before_the_flop(self) -> Steps:
        if not is_ready():
            self._preview()
            yield 0.0
            yield from build_steps()
        first, second = self._live
        equities = [combo_equities((), other) for other in (second, first)]
        self._set_exact(joint_marginals(self._live), np.array(equities))

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

    def count(self, counts: list["_Count"]) -> Steps:
        """Count, after a sampled preview if that takes long."""
        if self._known is None and counts[-1].seconds > _AT_ONCE:
            self._preview()
            yield 0.0
        tasks = self._count_tasks(counts)
        weight, won = np.zeros((2, *self._live.shape))
        for done, sums in enumerate(results_in_order(tasks, self._executor), 1):
            for player, combo, dealt, share in sums:
                weight[player, combo], won[player, combo] = dealt, share
            yield done / len(tasks)
        weight, won = weight[:, self._orbit], won[:, self._orbit]
        weight[self._live == 0] = 0
        equities = np.divide(won, weight, out=np.zeros_like(won), where=weight > 0)
        self._set_exact(weight / weight.sum(axis=1, keepdims=True), equities)

    def _count_tasks(self, counts: list["_Count"]) -> list[Task[list["_Counted"]]]:
        tasks: list[Task[list[_Counted]]] = []
        parts = (np.array([count.seconds for count in counts]) / _TASK_SECONDS).astype(np.int64)
        for part in np.unique(parts):
            chosen = [counts[i][:2] for i in np.flatnonzero(parts == part)]
            tasks.append(partial(_count_combos, self._live, chosen, self._board, self._dead))
        return tasks

    # ---- sampled ----------------------------------------------------------------------------------------

    def sample(self, most: int) -> Steps:
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
            self._set_sampled(tallies, deals)
            yield deals / most
        # Few deals may leave a player nothing; then more are drawn.
        for more in range(1, _MOST_ATTEMPTS + 1):
            if all(tally.has_dealt for tally in tallies.values()):
                return
            for row, judge in judges.items():
                tallies[row].add(judge.judged(cut[-1][0] + more, FEWEST_DEALS))
            self._set_sampled(tallies, deals + more * FEWEST_DEALS)

    def _preview(self) -> None:
        """Sample a little."""
        with closing(self.sample(PREVIEW_DEALS)) as steps:
            for _ in steps:
                if self._known is not None:
                    return

    # ---- answers ----------------------------------------------------------------------------------------

    def _set_sampled(self, tallies: dict[bytes, CombosTally], deals: int) -> None:
        if not all(tally.has_dealt for tally in tallies.values()):
            return
        players = tuple(tallies[row.tobytes()].shares() for row in self._live)
        self._known = Known(players, Method.SAMPLED, deals)

    def _set_exact(self, weights: Sums, equities: Sums) -> None:
        held = [frozen_vector(mine) for mine in weights]  # what is less than 1e-45 is now 0
        # With weights of many magnitudes, sums that should be 0 or all are off by rounding.
        players = tuple(
            ComboShares(mine, frozen_vector(np.where(mine > 0, share, 0)))
            for mine, share in zip(held, np.clip(equities, 0, 1), strict=True)
        )
        self._known = Known(players, Method.EXACT, 0)


def _equities_against(board: tuple[Card, ...], dead: tuple[Card, ...], held: Flags, theirs: Sums) -> Sums:
    """Return the equities against a range on a flop, turn or river, right for all combos that are held."""
    values = np.array(combo_equities(board, theirs, dead), dtype=np.float64)
    # What a combo leaves of a range of many magnitudes is lost in the sums, unless what it blocks is taken out.
    doubtful = held & (unblocked_weight(theirs) < _LEAST_LEFT * theirs.sum())
    while doubtful.any():
        times = np.bincount(COMBO_CARDS[doubtful].ravel(), minlength=CARD_COUNT)
        times[np.bincount(COMBO_CARDS[theirs > 0].ravel(), minlength=CARD_COUNT) == 0] = 0
        is_open = unblocked([int(times.argmax())])
        of_card = doubtful & ~is_open
        values[of_card] = _equities_against(board, dead, of_card, theirs * is_open)[of_card]
        doubtful &= is_open
    return values


_LEAST_LEFT = 1e-6  # of a range; of more the sums of `combo_equities` give equities within 1e-5


def _with_one(live: Sums, player: int, combo: int) -> Sums:
    """Return the weights with a single combo for one player."""
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
    """Return for every combo the first of those that the question cannot tell from it: int64, shape (1326,).

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


# ---- charts ---------------------------------------------------------------------------------------------


def equity_curve(shares: ComboShares, errors: float = 0.0) -> NDArray[np.float64]:
    """Return the equity at each quantile of a range, best first: the equity distribution graph.

    Parameters
    ----------
    errors : float
        How many standard errors each combo's equity is moved by before they are put in order, from 0 to 1 at most.

    Returns
    -------
    ndarray of float64, shape (201,)
        Equities, 0 to 1, none higher than the one before it, evenly from the best combo to the worst.

    Raises
    ------
    EquityError
        If the weights are no weights or all 0.

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
    >>> equity_curve(ComboShares(frozen_vector(weights), frozen_vector(equities)))[::50].tolist()
    [0.75, 0.75, 0.5, 0.5, 0.125]
    """
    weights, equities = _checked_shares(shares)
    equities = np.clip(equities + errors * check_weights(shares.stderrs, "A range's errors"), 0, 1)
    held = np.flatnonzero(weights)
    order = held[np.argsort(-equities[held], kind="stable")]
    reached = np.cumsum(weights[order])
    # A combo reaches from the end of the one before it to its own; that of 0.3 may come out a little off.
    place = np.searchsorted(reached / reached[-1], np.linspace(0, 1, _CURVE_POINTS) - 1e-9)
    curve: NDArray[np.float64] = equities[order[place]]
    return curve


def class_equities(shares: ComboShares) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the equity and the weight of each hand class.

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
