"""Policies against styles on shared deals, shared out over an executor: with the same payoffs for any of them."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.evolved.policy import NetworkSettings, StoredPolicy
from engine.agents.rule_based.pool import POOL
from engine.game.format_file import built_in
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end

if TYPE_CHECKING:  # kernels take a second, and the lab's window imports this
    from engine.lab.evolution.deals import Deals

Numbers = NDArray[np.float64]

GAME = built_in("heads-up")
"""What is played: 200 big blinds, and stacks reset after every hand, as in the paper."""

_TASKS = 8
"""Of a generation: a multiple of usual numbers of cores, each long enough to be worth sending."""


class Payoffs(NamedTuple):
    """Big blinds won per hand: means, and standard errors over pairs of hands, shape (policies, styles) each."""

    mean: Numbers
    stderr: Numbers


class DealSource:
    """Deals of a seed, block by block; the next ones are made while the ones asked for are played."""

    def __init__(self, seed: int, pairs: int, sharing: Sharing) -> None:
        self._seed, self._pairs, self._sharing = seed, pairs, sharing
        self._next: tuple[int, Future[Deals]] | None = None

    def block(self, number: int, *, is_last: bool = False) -> "Deals":
        """Return a block of deals, counted from 0."""
        executor = self._sharing.executor
        if executor is None:
            return self._make(number)()
        if self._next is None or self._next[0] != number:
            self._next = number, executor.submit(self._make(number))
        deals = self._sharing.result(self._next[1])
        self._next = None if is_last else (number + 1, executor.submit(self._make(number + 1)))
        return deals

    def _make(self, number: int) -> "Callable[[], Deals]":
        from engine.lab.evolution.deals import deals_of

        return partial(deals_of, GAME, self._seed, number * self._pairs, self._pairs)


def warm_up() -> None:
    """Compile what evaluations take, so that processes find it compiled."""
    from engine.lab.evolution.deals import deals_of

    network = NetworkSettings(steps=1, opponent_width=1, game_width=1, head=())
    weights = np.zeros((1, network.weights), np.float32)
    payoffs(weights, network, (next(iter(POOL)),), deals_of(GAME, 0, 0, 2))


def payoffs(
    weights: NDArray[np.float32],
    network: NetworkSettings,
    rivals: Sequence[str],
    deals: "Deals",
    sharing: Sharing = ALONE,
) -> Payoffs:
    """Return what policies win, each with an empty tree against each style, all on the same deals.

    Parameters
    ----------
    weights : ndarray of float32, shape (policies, weights)
    """
    mean = np.zeros((len(weights), len(rivals)))
    stderr = np.zeros_like(mean)
    cuts = np.array_split(np.arange(len(weights)), min(_TASKS, len(weights)))
    tasks = [partial(_played, int(cut[0]), weights[cut], network, tuple(rivals), deals) for cut in cuts]
    for first, found in as_they_end(tasks, sharing):
        mean[first : first + len(found.mean)], stderr[first : first + len(found.mean)] = found
    return Payoffs(mean, stderr)


def _played(
    first: int, weights: NDArray[np.float32], network: NetworkSettings, rivals: tuple[str, ...], deals: "Deals"
) -> tuple[int, Payoffs]:
    """Return what some policies win, the first of them being number `first`."""
    from engine.kernels.evolved.tree import clear_tree, new_tree
    from engine.lab.evolution.deals import play

    tree, big_blind = new_tree(), deals.betting.rules.big_blind
    mean = np.zeros((len(weights), len(rivals)))
    stderr = np.zeros_like(mean)
    for at, row in enumerate(weights):
        policy = StoredPolicy(network, np.ascontiguousarray(row)).compiled()
        for number, rival in enumerate(rivals):
            clear_tree(tree)
            of_pairs = play(deals, rival, policy, tree).mean(axis=1) / big_blind
            mean[at, number] = of_pairs.mean()
            stderr[at, number] = of_pairs.std(ddof=1) / np.sqrt(len(of_pairs))
    return first, Payoffs(mean, stderr)
