"""Several ranges dealt at random, jointly: hole cards drawn from each range, given that no card is dealt twice."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache, partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, MOST_OPPONENTS, card_mask, unblocked
from engine.equity.joint import Sums, joint_deals
from engine.equity.parallel import Task

if TYPE_CHECKING:
    from engine.kernels.equity.drawing import DrawLists
    from engine.kernels.equity.sampling import Dealing, JudgedDeals

MAX_PLAYERS = MOST_OPPONENTS + 1
MOST_LISTED_DEALS = 200_000
"""Ranges that clash nearly always are dealt from a list of all deals, if it is no longer: 6 MB with the weights."""

_BOARD_CARDS = 5
_MOST_TRIES = 1 << 62
_PILOT_TRIES = 1 << 16
_PILOT_DEALS = 2000
_FIRST_CHUNK = 2  # after the two that choose the method
_OFTEN = 1 / 8  # of the tries; where more succeed, no other method is better
_RARELY = 1 / 64  # where less succeed, deals are listed if that is possible
_CHUNK_NANOSECONDS = 5e6  # by the pilot's cost; really about 12 ms for ten players, which a new question waits for


class PlayerEquity(Struct, frozen=True):
    """One player's odds, all from 0 to 1: showdowns won alone, tied for best, and the share of the pot.

    The errors are `standard_error`s, for `win` and `tie` or somewhat more; `stderr` is 0 where exact only.
    """

    win: float
    tie: float
    equity: float
    stderr: float
    win_stderr: float = 0.0
    tie_stderr: float = 0.0


Odds: TypeAlias = tuple[PlayerEquity, ...]
"""Everyone's, in the order of the question."""


def standard_error(variance: Sums | float, mean: Sums | float, independent: Sums | float) -> Sums:
    """Return the standard error of a mean of shares of the pot, honest for few deals and for rare wins, too.

    Parameters
    ----------
    variance : ndarray of float64 or float
        Of the mean, as the deals show it: their mean square distance from `mean`, over `independent`.
    mean : ndarray of float64 or float
        0 to 1.
    independent : ndarray of float64 or float
        How many independent deals of equal weight say as much (Kish, 1965, "Survey Sampling"): more than 0.

    Returns
    -------
    ndarray of float64
        More than 0, 0.5 at most.

    Notes
    -----
    What was never seen leaves a scatter of 0, and what is rare is skewed: the truth is further above the mean than
    the scatter says. Empirical Bernstein bounds (Audibert, Munos and Szepesvari, 2009, "Exploration-exploitation
    tradeoff using variance estimates in multi-armed bandits") mend both by adding a term in 1 / n to the usual one
    in 1 / sqrt(n). Their constants hold for any distribution and are wide; these are the least round ones with
    which, for n won-or-lost deals of any chance (n from 2 to 5,000 gone through), an answer is further off than 1,
    2, 3 and 4 standard errors no more than 1.03 times as often as with a normal distribution: 32 %, 4.6 %, 0.27 %
    and 1 in 16,000. After a thousand deals that adds 0.1 % to the error at an even chance, and after 20 wins in as
    many 36 %.

    Examples
    --------
    >>> float(standard_error(0.25 / 10_000, 0.5, 10_000).round(6)), float(standard_error(0, 0, 10_000).round(6))
    (0.005, 0.00026)
    """
    counted = independent + _UNSEEN
    usual = variance * (independent / counted) + 1 / counted**2
    errors: Sums = np.minimum(np.sqrt(usual) + _SKEW * np.abs(1 - 2 * np.asarray(mean)) / counted, 0.5)
    return errors


_UNSEEN: Final = 2  # deals, as in Agresti and Coull's interval, where they are four
_SKEW: Final = 1.6


class RatioSums(NamedTuple):
    """Sums over deals of two numbers, 0 <= y <= x: of x, x * x, y, x * y and y * y, all of one shape."""

    x: Sums
    xx: Sums
    y: Sums
    xy: Sums
    yy: Sums

    def error(self, independent: Sums) -> Sums:
        """Return the `standard_error` of the sum of y over that of x (delta method); 0 where that of x is 0."""
        is_known = self.x > 0
        scale = np.where(is_known, self.x, 1)
        ratio = self.y / scale
        variance = np.maximum(self.yy - 2 * ratio * self.xy + ratio**2 * self.xx, 0) / scale**2
        errors: Sums = np.where(is_known, standard_error(variance, ratio, np.where(is_known, independent, 1)), 0)
        return errors


def players_of(outcomes: Sums, pairs: Sums | None = None) -> Odds:
    """Turn outcomes, shape (2 ** players, 2) of weights and their squares, into each player's odds.

    The standard error is `standard_error`, with the variance of a ratio of sums (delta method). Deals that share
    their hole cards are one observation (cluster sampling: Cochran, 1977, "Sampling Techniques", 3rd ed., section
    9A.1): their `pairs`, as of `Chunk`, add the covariances.
    """
    weight, squares = outcomes.T
    total = weight.sum()
    share = _shares(len(outcomes).bit_length() - 1)
    win = weight[1 << np.arange(len(share))] / total
    tie = ((share > 0) & (share < 1)) @ weight / total
    equity = share @ weight / total
    errors = np.zeros((3, len(share)))
    if squares.any():
        alone, most = (share - equity[:, None]) ** 2 @ squares, total**2 / squares.sum()
        scatter, independent, least = alone, most, most
        if pairs is not None and pairs[0, 2] > 0:
            scatter = np.maximum(alone + _covariance(pairs, equity), 0)  # it is below 0 by rounding only
            # Between the number of groups and that of all deals.
            least = total**2 / (squares.sum() + pairs[0, 2])
            independent = np.clip(most * np.divide(alone, scatter, out=alone * 0, where=scatter > 0), least, most)
        errors[0] = standard_error(scatter / total**2, equity, independent)
        # As if the deals that share their hole cards were all won, or tied, by the same players.
        for row, part, is_it in ((1, win, share == 1), (2, tie, (share > 0) & (share < 1))):
            variance = (is_it - part[:, None]) ** 2 @ squares / total**2 * (most / least)
            errors[row] = standard_error(variance, part, least)
    return tuple(PlayerEquity(*row) for row in np.column_stack([win, tie, equity, *errors]).tolist())


def counted_players(outcomes: Sums) -> Odds:
    """Turn outcomes that were counted, shape (2 ** players,), into each player's odds."""
    return players_of(np.column_stack([outcomes, np.zeros_like(outcomes)]))


def _covariance(pairs: Sums, equity: Sums) -> Sums:
    """Add up the products of the differences from the equity over all pairs of `Chunk`: shape (players,)."""
    covariance: Sums = pairs[:, 0] - equity * pairs[:, 1] + equity**2 * pairs[:, 2]
    return covariance


@lru_cache(maxsize=MAX_PLAYERS)
def _shares(players: int) -> Sums:
    """Return each player's share of the pot for each set of winners: shape (players, 2 ** players)."""
    sets = np.arange(1 << players)
    is_in = sets >> np.arange(players)[:, None] & 1
    shares: Sums = is_in / np.maximum(is_in.sum(axis=0), 1)
    return shares


def draw_lists(rows: Iterable[NDArray[np.floating[Any]]]) -> "DrawLists":
    """Make the lists to draw from: the entries of positive weight of each row."""
    from engine.kernels.equity.drawing import DrawLists

    rows = list(rows)
    entries = [np.flatnonzero(row) for row in rows]
    return DrawLists(
        starts=np.cumsum([0, *(len(entry) for entry in entries)]),
        combos=np.concatenate([np.zeros(0, dtype=np.int16), *entries]).astype(np.int16),
        weights=np.concatenate([np.zeros(0), *(row[entry] for row, entry in zip(rows, entries, strict=True))]),
    )


NO_DEALS: Final = np.zeros((0, MAX_PLAYERS), dtype=np.int16)


def _hold_any_two(live: Sums, known: Sequence[int]) -> NDArray[np.bool_]:
    """Return which players hold every combo that nothing certain blocks, all with the same weight."""
    certain = [int(np.bitwise_and.reduce(COMBO_MASK[weights > 0])) for weights in live]
    found = []
    for player, weights in enumerate(live):
        taken = card_mask(known)
        for other, mask in enumerate(certain):
            taken |= mask if other != player else 0
        open_to_all = weights[(COMBO_MASK & np.uint64(taken)) == 0]
        found.append(bool(open_to_all.min() == open_to_all.max()))
    return np.array(found)


class SamplingPlan(Struct, frozen=True):
    """How deals are drawn, as plain numbers and arrays that can be sent to another process.

    Attributes
    ----------
    method : int
        Of `engine.kernels.equity.sampling`.
    board : ndarray of uint8
    dead : int
        Mask of the board and the dead cards.
    together : ndarray of int16, shape (n, players)
    runouts : int
        How many boards are dealt to the same hole cards.
    """

    method: int
    players: int
    board: NDArray[np.uint8]
    dead: int
    lists: "DrawLists"
    together: NDArray[np.int16]
    seed: int
    runouts: int = 1

    @property
    def dealing(self) -> "Dealing":
        """The plan as `engine.kernels.equity.sampling` takes it."""
        from engine.kernels.equity.sampling import Dealing

        return Dealing(self.board, np.uint64(self.dead), self.lists, self.together, self.method, self.players)


class Chunk(NamedTuple):
    """What a part of the sampling gave.

    Attributes
    ----------
    outcomes : ndarray of float64, shape (2 ** players, 2)
        As of `engine.kernels.equity.sampling.sample_deals`.
    pairs : ndarray of float64, shape (players, 3)
        For each player, sums over all ordered pairs of deals that share their hole cards: of the product of the
        shares won, of both shares together, and of 1, all by the square of the weight. 0 if none do.
    """

    outcomes: Sums
    pairs: Sums
    deals: int
    tries: int


def sample_chunk(plan: SamplingPlan, chunk: int, most_deals: int, most_tries: int = _MOST_TRIES) -> Chunk:
    """Sample at most so many deals with a stream of the chunk's own."""
    from engine.kernels.equity.sampling import sample_deals
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream

    state = new_stream(plan.seed, chunk)
    outcomes, pairs = np.zeros((1 << plan.players, 2)), np.zeros((plan.players, 3))
    dealt = tried = 0
    # What is too little for another deal of hole cards with all its run-outs gets hole cards of its own.
    rest = most_deals % plan.runouts
    for runouts, most in ((plan.runouts, most_deals - rest), (1, rest)):
        if most == 0 or tried >= most_tries:
            continue
        part, squares = np.zeros_like(outcomes), np.zeros(plan.players)
        deals, tries = sample_deals(
            tables(),
            state,
            plan.dealing,
            most,
            most_tries - tried,
            part,
            runouts,
            squares,
        )
        outcomes += part
        if runouts > 1:
            pairs += _pairs(part[:, 1], squares, runouts)
        dealt, tried = dealt + deals, tried + tries
    return Chunk(outcomes, pairs, dealt, tried)


def draw_chunk(plan: SamplingPlan, chunk: int, deals: int) -> "Iterator[JudgedDeals]":
    """Draw deals as `engine.kernels.equity.sampling.draw_deals` gives them, with a stream of the chunk's own."""
    from engine.kernels.equity.sampling import draw_deals
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream

    return draw_deals(tables(), new_stream(plan.seed, chunk), plan.dealing, deals)


def _pairs(weight: Sums, squares: Sums, runouts: int) -> Sums:
    """Return the `pairs` of `Chunk` for groups of so many deals: squares of the sums less those of the terms."""
    share, others = _shares(len(squares)), runouts - 1
    pairs = squares - share**2 @ weight, 2 * others * (share @ weight), np.full(len(squares), others * weight.sum())
    return np.column_stack(pairs)


class Sampler:
    """Deals at random, chunk by chunk; every chunk has a random stream of its own.

    Nothing is computed before `begin`.
    """

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int], seed: int) -> None:
        # The narrowest range first, so that drawing in turn wastes least, and last those who hold any two cards.
        # `players` puts the outcomes back in order.
        is_any = _hold_any_two(live, (*board, *dead))
        size = np.where(is_any, COMBO_COUNT + 1, np.count_nonzero(live, axis=1))
        self._order = np.argsort(size, kind="stable")
        self._players = len(live)
        self._live = live[self._order][: np.count_nonzero(~is_any)]
        self._board = np.array(board, dtype=np.uint8)
        self._dead = card_mask((*board, *dead))
        self._seed = seed
        self.outcomes = np.zeros((1 << len(live), 2))
        self.pairs = np.zeros((len(live), 3))
        self.deals = 0

    def players(self) -> Odds:
        """Return each player's odds so far, in the order of the question."""
        sets = np.arange(len(self.outcomes))
        where = sum((sets >> place & 1) << player for place, player in enumerate(self._order))
        ordered = np.zeros_like(self.outcomes)
        ordered[where] = self.outcomes
        return players_of(ordered, self.pairs[np.argsort(self._order)])

    @property
    def plan(self) -> SamplingPlan:
        """How deals are drawn; chosen by `begin`."""
        return self._plan

    @property
    def chunk_deals(self) -> int:
        """How many deals take about 12 ms; chosen by `begin`."""
        return self._chunk_deals

    @property
    def order(self) -> NDArray[np.int64]:
        """Which player of the question each player of the plan is: shape (players,)."""
        return self._order

    @property
    def listed(self) -> Sums:
        """The weights of the players who do not hold any two cards, in the order of the plan."""
        return self._live

    @property
    def has_dealt(self) -> bool:
        """Whether any deal of positive weight was found yet."""
        return bool(self.outcomes[:, 0].any())

    def begin(self, most_deals: int) -> None:
        """Deal the first chunk, at most so many deals, and choose the method that will err least in a second.

        The costs are estimated from what was drawn, not measured, so that the choice is the same on every machine.
        Deals are kept only where the choice of the method does not depend on what they were. (How many run-outs
        the other chunks deal to the same hole cards does; that leaves their mean what it is.)
        """
        from engine.kernels.equity.sampling import IN_TURN, REJECTING

        # Two run-outs show how much those of the same hole cards have in common.
        runouts = 2 if len(self._board) < _BOARD_CARDS else 1
        self._plan = self._planned(REJECTING, draw_lists(self._live), NO_DEALS, runouts)
        first = sample_chunk(self._plan, 0, most_deals, _PILOT_TRIES)
        accepted = first.deals / (runouts * first.tries)
        drawn = np.count_nonzero(np.count_nonzero(self._live, axis=1) > 1)  # a known hand costs nothing
        choice = self._choose(rejecting_cost(int(drawn), accepted), first)
        if first.deals < most_deals and accepted < _OFTEN:
            joint = joint_deals(self._live, MOST_LISTED_DEALS) if accepted < _RARELY else None
            if joint is not None and joint[1].any():
                self._draw_from(*joint)
                return
            in_turn = self._planned(IN_TURN, self._plan.lists, NO_DEALS, runouts)
            pilot = sample_chunk(in_turn, 1, _PILOT_DEALS)
            choice_in_turn = self._choose(_in_turn_cost(self._live), pilot)
            weight, squares = pilot.outcomes.sum(axis=0)
            error = choice_in_turn.error * pilot.deals * squares
            if first.deals == 0 or (weight > 0 and error < choice.error * weight**2):
                self._settle(in_turn, choice_in_turn)
                return
        self._settle(self._plan, choice)
        self.add(first)

    def tasks(self, samples: int) -> Iterator[Task[Chunk]]:
        """Return the chunks after `begin`, until there are so many deals in all."""
        chunk = _FIRST_CHUNK
        for dealt in range(self.deals, samples, self._chunk_deals):
            yield partial(sample_chunk, self._plan, chunk, min(self._chunk_deals, samples - dealt))
            chunk += 1

    def add(self, chunk: Chunk) -> None:
        """Add what a chunk gave."""
        self.outcomes += chunk.outcomes
        self.pairs += chunk.pairs
        self.deals += chunk.deals

    def after(self, card: int, seed: int) -> "Sampler":
        """Return a sampler of the same deals once this card has come, which draws as `begin` chose for this one."""
        from engine.kernels.equity.sampling import TOGETHER

        later = copy(self)
        later._live = self._live * unblocked([card])
        later._board = np.append(self._board, np.uint8(card))
        later._dead = self._dead | 1 << card
        later._seed = seed
        later.outcomes, later.pairs, later.deals = np.zeros_like(self.outcomes), np.zeros_like(self.pairs), 0
        runouts = self._plan.runouts if len(later._board) < _BOARD_CARDS else 1
        if self._plan.method == TOGETHER:
            deals = self._plan.together
            is_left = ~(COMBO_MASK[deals] & np.uint64(1 << card)).any(axis=1)
            lists, together = draw_lists([self._plan.lists.weights[is_left]]), deals[is_left]
        else:
            lists, together = draw_lists(later._live), NO_DEALS
        later._plan = later._planned(self._plan.method, lists, together, runouts)
        return later

    def _planned(
        self, method: int, lists: "DrawLists", together: NDArray[np.int16], runouts: int = 1
    ) -> SamplingPlan:
        return SamplingPlan(method, self._players, self._board, self._dead, lists, together, self._seed, runouts)

    def _draw_from(self, deals: NDArray[np.int16], weights: Sums) -> None:
        from engine.kernels.equity.sampling import TOGETHER

        # Hole cards from a list cost next to nothing, so every deal gets new ones.
        plan = self._planned(TOGETHER, draw_lists([weights]), deals)
        self._settle(plan, _RunoutChoice(1, _deal_cost(self._players), 0.0))

    def _choose(self, hole_cost: float, pilot: Chunk) -> "_RunoutChoice":
        from engine.kernels.equity.drawing import MOST_RUNOUTS

        most = MOST_RUNOUTS if len(self._board) < _BOARD_CARDS else 1
        return choose_runouts(hole_cost, _deal_cost(self._players), correlation(pilot), most)

    def _settle(self, plan: SamplingPlan, choice: "_RunoutChoice") -> None:
        self._plan = replace(plan, runouts=choice.runouts)
        self._chunk_deals = _deals_of_chunk(choice.cost, choice.runouts)


# ---- what deals cost and tell ---------------------------------------------------------------------------


def correlation(chunk: Chunk) -> float:
    """Estimate how much of the variance of what is won is due to the hole cards, 0 to 1.

    That is the correlation of two deals with the same hole cards, of all players together. So as not to trust few
    deals, it is no lower than its own standard error may be.
    """
    weight, squares = chunk.outcomes.T
    if not chunk.pairs[0, 2] > 0:
        return 1.0
    share = _shares(len(chunk.pairs))
    equity = share @ weight / weight.sum()
    scatter = ((share - equity[:, None]) ** 2 @ squares).sum() / squares.sum()
    if scatter == 0:
        return 1.0
    covariance = _covariance(chunk.pairs, equity).sum() / chunk.pairs[0, 2]
    return float(min(max(covariance / scatter, 1 / sqrt(chunk.deals)), 1.0))


class _RunoutChoice(NamedTuple):
    """Boards dealt to the same hole cards, the cost of a deal, and that of one independent deal, in nanoseconds."""

    runouts: int
    cost: float
    error: float


def choose_runouts(hole_cost: float, board_cost: float, common: float, most: int) -> _RunoutChoice:
    """Choose how many run-outs of the same hole cards err least in the same time.

    With `k` of them a deal costs `hole_cost / k + board_cost`, and its variance counts `1 + (k - 1) * common` times
    (the design effect of clusters: Kish, 1965, "Survey Sampling", section 5.4). Of what errs as little within 3 %,
    which is less than the costs are known, the fewest are chosen.

    Examples
    --------
    >>> choose_runouts(40, 30, 0.05, 8).runouts, choose_runouts(40, 30, 0.7, 8).runouts
    (4, 1)
    """
    costs = [hole_cost / runouts + board_cost for runouts in range(1, most + 1)]
    errors = [cost * (1 + others * common) for others, cost in enumerate(costs)]
    chosen = next(others for others, error in enumerate(errors) if error <= 1.03 * min(errors))
    return _RunoutChoice(chosen + 1, costs[chosen], errors[chosen])


# In nanoseconds, on one core of a 2.6 GHz EPYC. Their ratios decide between methods.


def rejecting_cost(lists: int, accepted: float) -> float:
    """Estimate what hole cards cost if all draw again when any two clash, and this part of the tries succeeds."""
    if accepted == 0:
        return inf
    stages = (lists + 1) // 2
    # As if each two players drawn left the same part of the tries.
    pairs: float = sum(accepted ** (stage / stages) for stage in range(stages))
    return 4.0 * pairs / accepted


def _in_turn_cost(live: Sums) -> float:
    """Estimate what hole cards cost if one player after another draws from what is left of the range."""
    looked_up = 0
    for player in range(1, len(live)):
        is_same = np.array_equal(live[player], live[player - 1])
        looked_up += 2 * player - 1 if is_same else player**2
    return 12 * len(live) + 1.3 * looked_up


def _deal_cost(players: int) -> float:
    """Estimate what a board and the showdown cost."""
    return 9 + 2 * players


def _deals_of_chunk(cost: float, runouts: int) -> int:
    deals = int(_CHUNK_NANOSECONDS / cost) if cost < inf else 0
    return max(64, deals - deals % runouts)
