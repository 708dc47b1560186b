"""The feature extractor of evolved policies: a tree of public states, and what was counted below each.

A node is a place of decision, the owner's or the opponent's, reached by a sequence of actions. Bets and raises are
told apart by their size over the pot alone, so a sequence is a word over nine letters. Two trees stand side by
side, for hands in which the owner has the small blind and the big blind. A hand adds to the nodes on its way when
it is over, and makes those that are new.

Source: "An opponent modelling and strategy integration framework for Texas Hold'em AI", section on the feature
extractor. The paper names what a node tells; how it is counted is ours.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel
from engine.kernels.playing import BET, FOLDS, SMALL, STACK, Integers, Moment, owed, pot_of

Floats = NDArray[np.float32]
Counts = NDArray[np.int32]

FOLD_ACTION, PASSIVE_ACTION, RAISE_ACTION, ACTIONS = 0, 1, 2, 9
"""What leads from a node to another: a fold, a check or call, and raises of seven sizes from `RAISE_ACTION` on."""

SIZE_BOUNDS = (1, 3, 6, 10, 16, 32)
"""Between the sizes of raises over the pot, in eighths; a size on a bound belongs to the smaller."""

VISITS, FOLDS_BELOW, SHOWDOWNS, SHOWN, COUNTS = range(5)
"""Columns of a node: hands through it, those that ended by the opponent's fold and at a showdown, and the showdowns
at which the opponent's hand was seen."""

SMALL_BLIND_ROOT, BIG_BLIND_ROOT, ROOTS = 0, 1, 2
"""The first nodes: before the first action of hands in which the owner has that blind."""

NOT_THERE = -1
"""In the place of a node that the tree has not."""

MOST_NODES = 60_000
MOST_PATH = 64
"""So many decisions of a hand are told apart; what comes after them is in the last."""

FREQUENCY, FOLD_RATE, SHOWDOWN_RATE, STRENGTH, OPPONENT_FEATURES = range(5)
"""Features of the opponent at a node."""

_USUAL_RATE, _USUAL_STRENGTH, _WEIGHT = 0.3, 0.6, 2.0
"""What a rate and a mean are taken for before anything is seen, and as how many hands that counts."""


class Tree(NamedTuple):
    """A tree of up to `len(stages)` nodes, the first `size[0]` of which are in use.

    Attributes
    ----------
    children : ndarray of int32, shape (nodes, ACTIONS)
        The node that an action leads to, 0 for none.
    actions : ndarray of int32, shape (nodes, ACTIONS)
        How often each action was taken there, by whoever was to act.
    counts : ndarray of int32, shape (nodes, COUNTS)
    strengths : ndarray of float64, shape (nodes,)
        Sum of the equities against a random hand, on the whole board, of the opponent's hands that were seen.
    stages : ndarray of int32, shape (nodes,)
        Twice the stage (street, and 4 more in the big blind), and 1 more where the opponent is to act.
    size : ndarray of int64, shape (1,)
    """

    children: Counts
    actions: Counts
    counts: Counts
    strengths: NDArray[np.float64]
    stages: Counts
    size: Integers


def new_tree(capacity: int = MOST_NODES) -> Tree:
    """Return an empty tree with room for so many nodes, at least the two roots."""
    tree = Tree(
        np.zeros((capacity, ACTIONS), np.int32),
        np.zeros((capacity, ACTIONS), np.int32),
        np.zeros((capacity, COUNTS), np.int32),
        np.zeros(capacity),
        np.zeros(capacity, np.int32),
        np.zeros(1, np.int64),
    )
    clear_tree(tree)
    return tree


@kernel
def clear_tree(tree: Tree) -> None:
    """Forget everything but the roots."""
    tree.size[0] = 0
    _add_node(tree, 0)
    _add_node(tree, 2 * 4 + 1)


@kernel
def _add_node(tree: Tree, stage: int) -> int:
    """Add a node with nothing counted; return its number."""
    node = int(tree.size[0])
    for action in range(ACTIONS):
        tree.children[node, action] = tree.actions[node, action] = 0
    for at in range(COUNTS):
        tree.counts[node, at] = 0
    tree.strengths[node] = 0.0
    tree.stages[node] = stage
    tree.size[0] = node + 1
    return node


@kernel
def action_of_size(extra: int, pot: int) -> int:
    """Return the action of a raise by `extra` beyond a call, with `pot` in the middle after that call."""
    action = RAISE_ACTION
    for bound in SIZE_BOUNDS:
        action += 8 * extra > bound * pot
    return action


@kernel
def action_of(moment: Moment, place: int, kind: int, total: int) -> int:
    """Return the action of a choice of a place that is to act: its kind, and a raise's street total."""
    if kind < SMALL:
        return FOLD_ACTION if kind == FOLDS else PASSIVE_ACTION
    to_call = int(min(owed(moment, place), moment.seats[place, STACK]))
    extra = total - moment.seats[place, BET] - to_call
    return action_of_size(int(extra), pot_of(moment) + to_call)


@kernel
def below(tree: Tree, node: int, action: int) -> int:
    """Return the node that an action leads to from a node; `NOT_THERE` if there is none, or no such node."""
    if node == NOT_THERE:
        return NOT_THERE
    child = int(tree.children[node, action])
    return child if child > 0 else NOT_THERE


@kernel
def find_node(tree: Tree, root: int, path: Integers, length: int) -> int:
    """Return the node that the first actions of a hand lead to from a root, `NOT_THERE` if there is none."""
    node = root
    for at in range(length):
        node = below(tree, node, path[at, 0])
    return node


@kernel
def learn_path(tree: Tree, path: Integers, length: int, ending: int, strength: float) -> None:
    """Count a finished hand.

    Parameters
    ----------
    path : ndarray of int64, shape (MOST_PATH, 2)
        Of each decision, the action that was taken and the node's stage as in `Tree`.
    length : int
        Of how many, 1 or more.
    ending : int
        `FOLDS_BELOW` after the opponent's fold, `VISITS` after the owner's, `SHOWDOWNS` after a showdown at which
        the opponent's hand was not seen, and `SHOWN` after one at which it was.
    strength : float
        Of the hand that was seen.
    """
    node = BIG_BLIND_ROOT if path[0, 1] >= 2 * 4 else SMALL_BLIND_ROOT
    for at in range(length):
        action = path[at, 0]
        tree.actions[node, action] += 1
        tree.counts[node, VISITS] += 1
        tree.counts[node, FOLDS_BELOW] += ending == FOLDS_BELOW
        tree.counts[node, SHOWDOWNS] += ending >= SHOWDOWNS
        if ending == SHOWN:
            tree.counts[node, SHOWN] += 1
            tree.strengths[node] += strength
        if at + 1 == length:
            return
        child = int(tree.children[node, action])
        if child == 0:
            if tree.size[0] == len(tree.stages):
                return
            child = _add_node(tree, path[at + 1, 1])
            tree.children[node, action] = child
        node = child


@kernel
def opponent_features(tree: Tree, node: int, root: int, out: Floats) -> None:
    """Write the four features of the opponent at a node into the first places of `out`.

    Rates and the mean begin at what is usual, which counts like two hands.
    """
    visits = folds = showdowns = shown = 0
    strength = 0.0
    if node != NOT_THERE:
        counts = tree.counts[node]
        visits, folds = counts[VISITS], counts[FOLDS_BELOW]
        showdowns, shown = counts[SHOWDOWNS], counts[SHOWN]
        strength = tree.strengths[node]
    out[FREQUENCY] = visits / max(tree.counts[root, VISITS], 1)
    out[FOLD_RATE] = (folds + _WEIGHT * _USUAL_RATE) / (visits + _WEIGHT)
    out[SHOWDOWN_RATE] = (showdowns + _WEIGHT * _USUAL_RATE) / (visits + _WEIGHT)
    out[STRENGTH] = (strength + _WEIGHT * _USUAL_STRENGTH) / (shown + _WEIGHT)
