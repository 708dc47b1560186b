"""How far an opponent is from each known style (eq. 2), and what policies against each of them do together (eq. 3).

A *style vector* is what is known of a player at a node: how often hands through it come to a showdown, how strong
the hands shown there are, and how often the player folds, checks or calls and raises by each size. The distance of
two players at a node is that of their vectors (eq. 2). Only nodes where the opponent acts are compared, since
elsewhere the actions are the owner's, and only those that both have seen often enough (`LEAST_VISITS`).

The paper adds the distances of the nodes on the way of the running hand, stage by stage (`BY_STAGE`). That way is
short, or empty where the owner acts first, so it hardly tells styles apart; and who goes by other styles on other
streets plays hands that none of the policies would. Elsewhere here all nodes count, each by how often the opponent
was there. A node that a style has not tells nothing of that style: it is taken as far as the others are on the
average.

Opponents change. What was seen is forgotten by a constant factor a hand: each hand counts that much more than the
one before, and numbers are shrunk together now and then.

Source: "An opponent modelling and strategy integration framework for Texas Hold'em AI", eq. 2 and 3. Which nodes
count and how much, forgetting, and the test of confidence are ours; `docs/evolution.md` has what they bring.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.evolved.tree import (
    ACTIONS,
    BIG_BLIND_ROOT,
    NOT_THERE,
    ROOTS,
    SHOWDOWNS,
    SHOWN,
    SMALL_BLIND_ROOT,
    Counts,
    Tree,
    below,
    learn_path,
)
from engine.kernels.jit import kernel

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

LEAST_VISITS = 15
"""Hands through a node from which on its vector is compared."""

_OF_SHOWDOWNS, _OF_STRENGTH, _OF_ACTIONS, VECTOR = 0, 1, 2, 2 + ACTIONS
"""Places in a style vector: the rate of showdowns, the mean strength, and the frequency of each action."""

_VISITS, _SHOWDOWNS, _SHOWN, _STRENGTH, _ACTIONS, _SEEN = 0, 1, 2, 3, 4, 4 + ACTIONS
"""Places in what is counted at a node."""

UNKNOWN = -1.0
"""In the place of a strength that was never shown, or of a distance."""

ALONE, AVERAGE, MIXED, SAFE, BY_STAGE = range(5)
"""How policies decide: the first alone, all but the last alike, by their styles' distances (eq. 3), so where enough
is known and else the last, and by distances of the running hand on its present street (eq. 2 by the letter)."""

_LARGEST = 1e9
"""Of a hand's weight, beyond which everything is divided by it."""


class Library(NamedTuple):
    """Known styles: trees of the nodes that were seen often when each was played.

    Attributes
    ----------
    children : ndarray of int32, shape (styles, nodes, ACTIONS)
        As of `Tree`, the roots first.
    vectors : ndarray of float32, shape (styles, nodes, VECTOR)
        The strength -1 where none was shown.
    """

    children: Counts
    vectors: NDArray[np.float32]


class Likeness(NamedTuple):
    """An opponent beside each style of a library, node by node of the tree that is learned.

    Attributes
    ----------
    places : ndarray of int32, shape (nodes, styles)
        The node in each style's tree, `NOT_THERE` if it has none.
    seen : ndarray of float64, shape (nodes, 13)
        Visits, showdowns, hands shown, the sum of their strengths, and each action, all as hands are weighted.
    distances : ndarray of float64, shape (nodes, styles)
        Of the vectors when the node was last visited.
    counted : ndarray of float64, shape (nodes,)
        The weight with which the node is in the totals.
    totals : ndarray of float64, shape (styles + 1,)
        Sums of weighted distances, and last of the weights.
    weight, growth : ndarray of float64, shape (1,)
        What the next hand counts, and by what that grows a hand, 1 or more.
    """

    places: Counts
    seen: Numbers
    distances: Numbers
    counted: Numbers
    totals: Numbers
    weight: Numbers
    growth: Numbers


class Mixing(NamedTuple):
    """How policies decide together: one for each style of the library, in its order, then the safe one.

    Attributes
    ----------
    rule : int
        `ALONE`, `AVERAGE`, `MIXED`, `SAFE` or `BY_STAGE`.
    temperature : float
        What distances are multiplied with before the softmax of eq. 3.
    least_decisions : float
        Decisions of the opponent that distances must rest on, for `SAFE`.
    library : Library
    likeness : Likeness
        The opponent so far.
    """

    rule: int
    temperature: float
    least_decisions: float
    library: Library
    likeness: Likeness


def alone() -> Mixing:
    """Return how one policy decides, which knows no styles."""
    library = Library(np.zeros((0, ROOTS, ACTIONS), np.int32), np.zeros((0, ROOTS, VECTOR), np.float32))
    return Mixing(ALONE, 1.0, 0.0, library, new_likeness(ROOTS, 0, 1.0))


def new_likeness(nodes: int, styles: int, growth: float) -> Likeness:
    """Return an opponent of whom nothing was seen, for a tree with room for so many nodes."""
    likeness = Likeness(
        np.full((nodes, styles), NOT_THERE, np.int32),
        np.zeros((nodes, _SEEN)),
        np.zeros((nodes, styles)),
        np.zeros(nodes),
        np.zeros(styles + 1),
        np.ones(1),
        np.full(1, growth),
    )
    likeness.places[SMALL_BLIND_ROOT], likeness.places[BIG_BLIND_ROOT] = SMALL_BLIND_ROOT, BIG_BLIND_ROOT
    return likeness


@kernel
def learn_hand(tree: Tree, mixing: Mixing, path: Integers, length: int, ending: int, strength: float) -> None:
    """Count a finished hand in the tree, as `learn_path` does, and in the likeness if there are styles."""
    learn_path(tree, path, length, ending, strength)
    if len(mixing.library.children) > 0:
        _learn_likeness(tree, mixing.library, mixing.likeness, path, length, ending, strength)


@kernel
def _learn_likeness(
    tree: Tree, library: Library, likeness: Likeness, path: Integers, length: int, ending: int, strength: float
) -> None:
    """Count a hand that the tree has learned."""
    node = BIG_BLIND_ROOT if path[0, 1] >= 2 * 4 else SMALL_BLIND_ROOT
    weight = likeness.weight[0]
    for at in range(length):
        action = path[at, 0]
        if path[at, 1] % 2 == 1:
            seen = likeness.seen[node]
            seen[_VISITS] += weight
            seen[_ACTIONS + action] += weight
            if ending >= SHOWDOWNS:
                seen[_SHOWDOWNS] += weight
            if ending == SHOWN:
                seen[_SHOWN] += weight
                seen[_STRENGTH] += weight * strength
            _compare(library, likeness, node)
        child = below(tree, node, action)
        if at + 1 == length or child == NOT_THERE:
            break
        _place(library, likeness, node, action, child)
        node = child
    likeness.weight[0] = weight * likeness.growth[0]
    if likeness.weight[0] > _LARGEST:
        _shrink(likeness)


@kernel
def _place(library: Library, likeness: Likeness, node: int, action: int, child: int) -> None:
    """Find the place of a node below another one in each style's tree."""
    for style in range(len(library.children)):
        place = likeness.places[node, style]
        found = library.children[style, place, action] if place != NOT_THERE else 0
        likeness.places[child, style] = found if found > 0 else NOT_THERE


@kernel
def place_nodes(tree: Tree, library: Library, likeness: Likeness) -> None:
    """Find the places of all nodes of a tree that was learned before."""
    for node in range(tree.size[0]):
        for action in range(ACTIONS):
            child = below(tree, node, action)
            if child != NOT_THERE:
                _place(library, likeness, node, action, child)


@kernel
def _shrink(likeness: Likeness) -> None:
    """Divide all that is counted by the weight of a hand."""
    by = likeness.weight[0]
    for node in range(len(likeness.counted)):
        likeness.counted[node] /= by
        for at in range(_SEEN):
            likeness.seen[node, at] /= by
    for at in range(len(likeness.totals)):
        likeness.totals[at] /= by
    likeness.weight[0] = 1.0


@kernel
def _compare(library: Library, likeness: Likeness, node: int) -> None:
    """Write the distances at a node, and put them in the place of earlier ones in the totals."""
    seen, distances, totals = likeness.seen[node], likeness.distances[node], likeness.totals
    styles = len(distances)
    for style in range(styles):
        totals[style] -= likeness.counted[node] * distances[style]
    totals[styles] -= likeness.counted[node]
    likeness.counted[node] = 0.0
    if seen[_VISITS] < LEAST_VISITS * likeness.weight[0]:
        return
    known, total = 0, 0.0
    for style in range(styles):
        place = likeness.places[node, style]
        distances[style] = UNKNOWN
        if place != NOT_THERE:
            distances[style] = _distance(seen, library.vectors[style, place])
            total += distances[style]
            known += 1
    if known == 0:
        for style in range(styles):
            distances[style] = 0.0
        return
    likeness.counted[node] = seen[_VISITS]
    for style in range(styles):
        if distances[style] == UNKNOWN:
            distances[style] = total / known
        totals[style] += seen[_VISITS] * distances[style]
    totals[styles] += seen[_VISITS]


@kernel
def _distance(seen: Numbers, vector: NDArray[np.float32]) -> float:
    """Return the distance of what was seen at a node to a style's vector there (eq. 2, one node)."""
    visits = seen[_VISITS]
    total = (seen[_SHOWDOWNS] / visits - vector[_OF_SHOWDOWNS]) ** 2
    if seen[_SHOWN] > 0.0 and vector[_OF_STRENGTH] != UNKNOWN:
        total += (seen[_STRENGTH] / seen[_SHOWN] - vector[_OF_STRENGTH]) ** 2
    for action in range(ACTIONS):
        total += (seen[_ACTIONS + action] / visits - vector[_OF_ACTIONS + action]) ** 2
    return float(np.sqrt(total))


@kernel
def add_node_distances(mixing: Mixing, node: int, distances: Numbers) -> None:
    """Add the distances at a node of the opponent's to those of the running hand, shape (styles,) (eq. 2)."""
    if node == NOT_THERE or mixing.likeness.counted[node] <= 0.0:
        return
    for style in range(len(distances)):
        distances[style] += mixing.likeness.distances[node, style]


@kernel
def add_path_distances(
    tree: Tree, mixing: Mixing, root: int, path: Integers, length: int, street: int, distances: Numbers
) -> None:
    """Add the distances at all nodes of the opponent's on a street of a path, as of `learn_path`."""
    node = root
    for at in range(length):
        if path[at, 1] % 2 == 1 and path[at, 1] // 2 % 4 == street:
            add_node_distances(mixing, node, distances)
        node = below(tree, node, path[at, 0])


@kernel
def policy_shares(mixing: Mixing, distances: Numbers, shares: Numbers) -> float:
    """Write how much each policy decides, shape (policies,), summing to 1, and the distances, shape (styles,).

    By `BY_STAGE` the distances are those that were added up of the running hand. Returns on how many of the
    opponent's decisions the distances rest, as far as they are not forgotten.
    """
    styles = len(distances)
    shares[:] = 0.0
    if mixing.rule == ALONE:
        shares[0] = 1.0
        return 0.0
    totals = mixing.likeness.totals
    decisions = totals[styles] / mixing.likeness.weight[0]
    if mixing.rule != BY_STAGE:
        for style in range(styles):
            distances[style] = totals[style] / totals[styles] if decisions > 0.0 else 0.0
    if mixing.rule == SAFE and decisions < mixing.least_decisions:
        shares[styles] = 1.0
        return float(decisions)
    nearest, total = distances.min(), 0.0
    for style in range(styles):
        if mixing.rule == AVERAGE:
            shares[style] = 1.0
        else:
            shares[style] = np.exp(-mixing.temperature * (distances[style] - nearest))
        total += shares[style]
    for style in range(styles):
        shares[style] /= total
    return float(decisions)
