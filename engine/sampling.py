"""Several ranges dealt at random, jointly: hole cards drawn from each range, given that no card is dealt twice."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, card_mask
from engine.joint import MOST_JOINT_DEALS, Sums, joint_deals
from engine.parallel import Task

if TYPE_CHECKING:
    from engine.kernels.sampling import DrawLists

MAX_PLAYERS = 10
STEP_DRAWS = 400_000  # of hole cards per step of sampling, 5 to 15 ms
_MOST_TRIES = 1 << 62
_LEAST_ACCEPTED = 1 / 64  # of the tries; below it, whole deals are listed or drawn in turn instead


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
    weight = outcomes[:, 0]
    total = weight.sum()
    sets = np.arange(len(weight))
    size = np.array([int(members).bit_count() for members in sets])
    correction = count / max(count - 1, 1)
    players = []
    for player in range(len(weight).bit_length() - 1):
        is_in = sets >> player & 1 == 1
        share = is_in / np.maximum(size, 1)
        equity = float(weight @ share / total)
        variance = outcomes[:, 1] @ (share - equity) ** 2 / total**2 * correction
        players.append(
            PlayerEquity(
                win=float(weight[1 << player] / total),
                tie=float(weight[is_in & (size > 1)].sum() / total),
                equity=equity,
                stderr=sqrt(float(variance)),
            )
        )
    return tuple(players)


def draw_lists(rows: Iterable[NDArray[np.floating[Any]]]) -> "DrawLists":
    """Make the lists to draw from: the entries of positive weight of each row."""
    from engine.kernels.sampling import DrawLists, fill_draw_lists

    rows = list(rows)
    entries = [np.flatnonzero(row) for row in rows]
    weights = np.concatenate([np.zeros(0), *(row[entry] for row, entry in zip(rows, entries, strict=True))])
    lists = DrawLists(
        starts=np.cumsum([0, *(len(entry) for entry in entries)]),
        combos=np.concatenate([np.zeros(0, dtype=np.int16), *entries]).astype(np.int16),
        weights=weights.astype(np.float64),
        threshold=np.zeros(len(weights)),
        other=np.zeros(len(weights), dtype=np.int64),
    )
    fill_draw_lists(lists)
    return lists


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


def sample_chunk(plan: SamplingPlan, chunk: int, most_deals: int, most_tries: int) -> tuple[Sums, int]:
    """Sample with a stream of the chunk's own; gives outcomes, shape (2 ** players, 2), and the number of deals."""
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream
    from engine.kernels.sampling import sample_deals

    outcomes = np.zeros((1 << plan.players, 2))
    deals, _ = sample_deals(
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
    return outcomes, deals


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
        """Deal the first chunk, at most so many deals, and choose the method by it."""
        from engine.kernels.sampling import REJECTING

        tries = STEP_DRAWS // self._players
        self._plan = self._planned(REJECTING, draw_lists(self._live), NO_DEALS)
        outcomes, deals = sample_chunk(self._plan, 0, most_deals, tries)
        self._chunk_deals = max(deals, 1)
        if deals < min(most_deals, _LEAST_ACCEPTED * tries):
            self._change_method()
        else:
            self.add((outcomes, deals))

    def tasks(self, samples: int) -> Iterator[Task[tuple[Sums, int]]]:
        """Give the chunks after the first, until there are so many deals in all."""
        dealt, chunk = self.deals, 1
        while dealt < samples:
            deals = min(self._chunk_deals, samples - dealt)
            yield partial(sample_chunk, self._plan, chunk, deals, _MOST_TRIES)
            dealt += deals
            chunk += 1

    def add(self, sampled: tuple[Sums, int]) -> None:
        """Add what a chunk gave."""
        self.outcomes += sampled[0]
        self.deals += sampled[1]

    def _planned(self, method: int, lists: "DrawLists", together: NDArray[np.int16]) -> SamplingPlan:
        return SamplingPlan(method, self._players, self._board, self._dead, lists, together, self._seed)

    def _change_method(self) -> None:
        """Stop rejecting, for hardly any try succeeds."""
        from engine.kernels.sampling import IN_TURN, TOGETHER

        joint = joint_deals(self._live, MOST_JOINT_DEALS)
        self._chunk_deals = STEP_DRAWS // self._players
        if joint is None:
            self._plan = self._planned(IN_TURN, self._plan.lists, NO_DEALS)
            self._chunk_deals = max(20, 20 * STEP_DRAWS // len(self._plan.lists.combos))
        else:
            self._plan = self._planned(TOGETHER, draw_lists(joint[1][None]), joint[0])
