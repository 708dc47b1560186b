"""Several ranges dealt at random, jointly: hole cards drawn from each range, given that no card is dealt twice."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, card_mask
from engine.joint import Sums, joint_deals
from engine.parallel import Task

if TYPE_CHECKING:
    from engine.kernels.drawing import DrawLists

MAX_PLAYERS = 10
MOST_LISTED_DEALS = 200_000
"""Ranges that clash nearly always are dealt from a list of all deals, if it is no longer: 6 MB with the weights."""

_MOST_TRIES = 1 << 62
_PILOT_TRIES = 1 << 16
_PILOT_DEALS = 2000
_FIRST_CHUNK = 2  # after the two that choose the method
_OFTEN = 1 / 8  # of the tries; where more succeed, no other method is better
_RARELY = 1 / 64  # where less succeed, deals are listed if that is possible
_CHUNK_NANOSECONDS = 12e6


class PlayerEquity(Struct, frozen=True):
    """One player's odds, all from 0 to 1.

    Attributes
    ----------
    win : float
        Share of the showdowns won alone.
    tie : float
        Share of the showdowns tied for best.
    equity : float
        Share of the pot, ties shared.
    stderr : float
        Standard error of `equity`; 0 where exact.
    """

    win: float
    tie: float
    equity: float
    stderr: float


def players_of(outcomes: Sums, count: int) -> tuple[PlayerEquity, ...]:
    """Turn outcomes, shape (2 ** players, 2) of weights and their squares, into each player's odds.

    The standard error is that of a ratio of sums (delta method); with equal weights it is the usual one. Exact
    sums come with squares of 0.
    """
    weight, squares = outcomes.T
    total = weight.sum()
    share = _shares(len(outcomes).bit_length() - 1)
    win = weight[1 << np.arange(len(share))] / total
    tie = ((share > 0) & (share < 1)) @ weight / total
    equity = share @ weight / total
    variance = (share - equity[:, None]) ** 2 @ squares / total**2 * (count / max(count - 1, 1))
    rows = np.column_stack([win, tie, equity, np.sqrt(variance)])
    return tuple(PlayerEquity(*row) for row in rows.tolist())


@lru_cache(maxsize=MAX_PLAYERS)
def _shares(players: int) -> Sums:
    """Give each player's share of the pot for each set of winners: shape (players, 2 ** players)."""
    sets = np.arange(1 << players)
    is_in = sets >> np.arange(players)[:, None] & 1
    shares: Sums = is_in / np.maximum(is_in.sum(axis=0), 1)
    return shares


def draw_lists(rows: Iterable[NDArray[np.floating[Any]]]) -> "DrawLists":
    """Make the lists to draw from: the entries of positive weight of each row."""
    from engine.kernels.drawing import DrawLists

    rows = list(rows)
    entries = [np.flatnonzero(row) for row in rows]
    return DrawLists(
        starts=np.cumsum([0, *(len(entry) for entry in entries)]),
        combos=np.concatenate([np.zeros(0, dtype=np.int16), *entries]).astype(np.int16),
        weights=np.concatenate([np.zeros(0), *(row[entry] for row, entry in zip(rows, entries, strict=True))]),
    )


NO_DEALS: Final = np.zeros((0, MAX_PLAYERS), dtype=np.int16)


def _hold_any_two(live: Sums, known: Sequence[int]) -> NDArray[np.bool_]:
    """Tell which players hold every combo that nothing certain blocks, all with the same weight."""
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
        Of `engine.kernels.sampling`.
    players : int
    board : ndarray of uint8
    dead : int
        Mask of the board and the dead cards.
    lists : DrawLists
    together : ndarray of int16, shape (n, players)
    seed : int
    """

    method: int
    players: int
    board: NDArray[np.uint8]
    dead: int
    lists: "DrawLists"
    together: NDArray[np.int16]
    seed: int


class Chunk(NamedTuple):
    """What a part of the sampling gave.

    Attributes
    ----------
    outcomes : ndarray of float64, shape (2 ** players, 2)
        As of `engine.kernels.sampling.sample_deals`.
    deals, tries : int
    """

    outcomes: Sums
    deals: int
    tries: int


def sample_chunk(plan: SamplingPlan, chunk: int, most_deals: int, most_tries: int = _MOST_TRIES) -> Chunk:
    """Sample at most so many deals with a stream of the chunk's own."""
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream
    from engine.kernels.sampling import sample_deals

    outcomes = np.zeros((1 << plan.players, 2))
    deals, tries = sample_deals(
        tables(),
        new_stream(plan.seed, chunk),
        plan.board,
        np.uint64(plan.dead),
        plan.lists,
        plan.together,
        plan.method,
        plan.players,
        most_deals,
        most_tries,
        outcomes,
    )
    return Chunk(outcomes, deals, tries)


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
        self.deals = 0

    def players(self) -> tuple[PlayerEquity, ...]:
        """Give each player's odds so far, in the order of the question."""
        sets = np.arange(len(self.outcomes))
        where = sum((sets >> place & 1) << player for place, player in enumerate(self._order))
        ordered = np.zeros_like(self.outcomes)
        ordered[where] = self.outcomes
        return players_of(ordered, self.deals)

    @property
    def has_dealt(self) -> bool:
        """Whether any deal of positive weight was found yet."""
        return bool(self.outcomes[:, 0].any())

    def begin(self, most_deals: int) -> None:
        """Deal the first chunk, at most so many deals, and choose the method that will err least in a second.

        The costs are estimated from what was drawn, not measured, so that the choice is the same on every machine.
        Deals are kept only where the choice does not depend on what they were.
        """
        from engine.kernels.sampling import IN_TURN, REJECTING

        self._plan = self._planned(REJECTING, draw_lists(self._live), NO_DEALS)
        first = sample_chunk(self._plan, 0, most_deals, _PILOT_TRIES)
        cost = rejecting_cost(len(self._live), self._players, first.deals / first.tries)
        if first.deals < min(most_deals, _OFTEN * first.tries):
            rare = first.deals < _RARELY * first.tries
            joint = joint_deals(self._live, MOST_LISTED_DEALS) if rare else None
            if joint is not None and joint[1].any():
                self._draw_from(*joint)
                return
            in_turn = self._planned(IN_TURN, self._plan.lists, NO_DEALS)
            cost_in_turn = in_turn_cost(self._live, self._players)
            pilot = sample_chunk(in_turn, 1, _PILOT_DEALS)
            weight, squares = pilot.outcomes.sum(axis=0)
            if first.deals == 0 or (weight > 0 and cost_in_turn * pilot.deals * squares < cost * weight**2):
                self._plan, self._chunk_deals = in_turn, _deals_of_chunk(cost_in_turn)
                return
        self._chunk_deals = _deals_of_chunk(cost)
        self.add(first)

    def tasks(self, samples: int) -> Iterator[Task[Chunk]]:
        """Give the chunks after `begin`, until there are so many deals in all."""
        chunk = _FIRST_CHUNK
        for dealt in range(self.deals, samples, self._chunk_deals):
            yield partial(sample_chunk, self._plan, chunk, min(self._chunk_deals, samples - dealt))
            chunk += 1

    def add(self, chunk: Chunk) -> None:
        """Add what a chunk gave."""
        self.outcomes += chunk.outcomes
        self.deals += chunk.deals

    def _planned(self, method: int, lists: "DrawLists", together: NDArray[np.int16]) -> SamplingPlan:
        return SamplingPlan(method, self._players, self._board, self._dead, lists, together, self._seed)

    def _draw_from(self, deals: NDArray[np.int16], weights: Sums) -> None:
        from engine.kernels.sampling import TOGETHER

        self._plan = self._planned(TOGETHER, draw_lists([weights]), deals)
        self._chunk_deals = _deals_of_chunk(_deal_cost(self._players))


# What deals cost in nanoseconds, on one core of a 2.6 GHz EPYC. Their ratios decide between methods.


def rejecting_cost(lists: int, players: int, accepted: float) -> float:
    """Estimate what a deal costs if all draw anew when any two clash, and this part of the tries succeeds."""
    if accepted == 0:
        return inf
    stages = (lists + 1) // 2
    # As if each two players drawn left the same part of the tries.
    pairs: float = sum(accepted ** (stage / stages) for stage in range(stages))
    return 3.5 * pairs / accepted + _deal_cost(players)


def in_turn_cost(live: Sums, players: int) -> float:
    """Estimate what a deal costs if one player after another draws from what is left of the range."""
    looked_up = 0
    for player in range(1, len(live)):
        is_same = np.array_equal(live[player], live[player - 1])
        looked_up += 2 * player - 1 if is_same else player**2
    return 12 * len(live) + 1.3 * looked_up + _deal_cost(players)


def _deal_cost(players: int) -> float:
    return 8 + 3 * players


def _deals_of_chunk(cost: float) -> int:
    return max(64, int(_CHUNK_NANOSECONDS / cost)) if cost < inf else 64
