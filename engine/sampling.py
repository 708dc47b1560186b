"""Several ranges dealt at random, jointly: hole cards drawn from each range, given that no card is dealt twice."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, card_mask
from engine.joint import MOST_JOINT_DEALS, Sums, joint_deals

if TYPE_CHECKING:
    from engine.kernels.sampling import DrawLists

MAX_PLAYERS = 10
STEP_DRAWS = 400_000  # of hole cards per step of sampling, 5 to 15 ms
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


class Sampler:
    """Deals at random, step by step; every step has a random stream of its own."""

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int], seed: int) -> None:
        from engine.kernels.sampling import REJECTING

        # The narrowest range first, so that drawing in turn wastes least, and last those who hold any two cards.
        # `players` puts the outcomes back in order.
        is_any = _hold_any_two(live, (*board, *dead))
        size = np.where(is_any, COMBO_COUNT + 1, np.count_nonzero(live, axis=1))
        self._order = np.argsort(size, kind="stable")
        self._players = len(live)
        self._live = live[self._order][: np.count_nonzero(~is_any)]
        self._board = np.array(board, dtype=np.uint8)
        self._dead = np.uint64(card_mask((*board, *dead)))
        self._seed = seed
        self._chunk = 0
        self._method = REJECTING
        self._lists = draw_lists(self._live)
        self._together = NO_DEALS
        self.outcomes = np.zeros((1 << len(live), 2))
        self.deals = 0

    def players(self) -> tuple[PlayerEquity, ...]:
        """Give each player's odds so far, in the order of the question."""
        sets = np.arange(len(self.outcomes))
        where = sum((sets >> place & 1) << player for place, player in enumerate(self._order))
        ordered = np.zeros_like(self.outcomes)
        ordered[where] = self.outcomes
        return players_of(ordered, self.deals)

    def step(self, most_deals: int) -> None:
        """Deal some more, at most so many."""
        from engine.kernels.sampling import IN_TURN, REJECTING

        tries = STEP_DRAWS // self._players
        if self._method == IN_TURN:
            tries = max(20, 20 * STEP_DRAWS // len(self._lists.combos))
        deals = self._deal(most_deals, tries)
        if self._method == REJECTING and self._chunk == 1 and deals < min(most_deals, _LEAST_ACCEPTED * tries):
            self._change_method()
            self.outcomes[:] = 0
        else:
            self.deals += deals

    def _deal(self, most_deals: int, tries: int) -> int:
        from engine.kernels.evaluator import tables
        from engine.kernels.rng import new_stream
        from engine.kernels.sampling import sample_deals

        stream = new_stream(self._seed, self._chunk)
        self._chunk += 1
        deals, _ = sample_deals(
            tables(),
            stream,
            self._board,
            self._dead,
            self._lists,
            self._together,
            self._method,
            self._players,
            most_deals,
            tries,
            self.outcomes,
        )
        return deals

    def _change_method(self) -> None:
        """Stop rejecting, for hardly any try succeeds."""
        from engine.kernels.sampling import IN_TURN, TOGETHER

        joint = joint_deals(self._live, MOST_JOINT_DEALS)
        if joint is None:
            self._method = IN_TURN
        else:
            self._method = TOGETHER
            self._together = joint[0]
            self._lists = draw_lists(joint[1][None])
