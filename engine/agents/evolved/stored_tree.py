"""Trees of the feature extractor as they are stored, and the style vectors in them."""

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.codec import StoredDataError

if TYPE_CHECKING:
    from engine.kernels.evolved.tree import Tree

STYLE_NUMBERS = 11
"""Showdown rate, mean strength, and how often each of the nine actions was taken."""


class StoredTree(Struct, frozen=True):
    """The nodes of a tree in use, each field the little-endian bytes of that array of `Tree`."""

    nodes: int
    children: bytes
    actions: bytes
    counts: bytes
    strengths: bytes
    stages: bytes


def stored_tree(tree: "Tree") -> StoredTree:
    """Return a tree as it is stored."""
    nodes = int(tree.size[0])
    parts = (array[:nodes] for array in (tree.children, tree.actions, tree.counts, tree.strengths, tree.stages))
    return StoredTree(nodes, *(part.astype(part.dtype.newbyteorder("<")).tobytes() for part in parts))


def tree_of(stored: StoredTree, capacity: int | None = None) -> "Tree":
    """Return a stored tree with room for so many nodes, by default for those that it has.

    Raises
    ------
    StoredDataError
        If it is damaged or has more nodes.
    """
    from engine.kernels.evolved.tree import ACTIONS, COUNTS, MOST_NODES, ROOTS, new_tree

    nodes = stored.nodes
    room = nodes if capacity is None else capacity
    if not ROOTS <= nodes <= min(room, MOST_NODES):
        raise StoredDataError(f"A tree has {ROOTS} to {min(room, MOST_NODES):,} nodes, not {nodes:,}.")
    try:
        children, actions = (_array(data, (nodes, ACTIONS)) for data in (stored.children, stored.actions))
        counts, stages = _array(stored.counts, (nodes, COUNTS)), _array(stored.stages, (nodes,))
        strengths = np.frombuffer(stored.strengths, "<f8").reshape(nodes)
    except ValueError as error:
        raise StoredDataError("A tree's arrays have not as many nodes as it says.") from error
    made = np.sort(children[children > 0])
    # Each node but the roots is made once, by an earlier one.
    is_sound = np.array_equal(made, np.arange(ROOTS, nodes)) and (children >= 0).all()
    is_later = ((children == 0) | (children > np.arange(nodes)[:, None])).all()
    is_counted = (actions >= 0).all() and (counts >= 0).all() and (stages >= 0).all() and (stages < 16).all()
    if not (is_sound and is_later and is_counted and np.isfinite(strengths).all()):
        raise StoredDataError("A tree's nodes do not hang together.")
    tree = new_tree(room)
    return _filled(tree, children, actions, counts, strengths, stages)


def _array(data: bytes, shape: tuple[int, ...]) -> NDArray[np.int32]:
    return np.frombuffer(data, "<i4").reshape(shape)


def pruned(tree: "Tree", least: int) -> "Tree":
    """Return the part of a tree that at least so many hands went through, the roots in any case."""
    from engine.kernels.evolved.tree import ROOTS, VISITS, new_tree

    nodes = int(tree.size[0])
    is_kept = tree.counts[:nodes, VISITS] >= least
    is_kept[:ROOTS] = True
    numbers = np.cumsum(is_kept, dtype=np.int32) - 1
    smaller = new_tree(int(is_kept.sum()))
    children = tree.children[:nodes][is_kept]
    kept = (array[:nodes][is_kept] for array in (tree.actions, tree.counts, tree.strengths, tree.stages))
    return _filled(smaller, np.where((children > 0) & is_kept[children], numbers[children], 0), *kept)


def _filled(tree: "Tree", *arrays: NDArray[Any]) -> "Tree":
    """Return a tree with these nodes, its arrays in the order of their fields."""
    nodes = len(arrays[0])
    tree.children[:nodes], tree.actions[:nodes], tree.counts[:nodes] = arrays[:3]
    tree.strengths[:nodes], tree.stages[:nodes] = arrays[3:]
    tree.size[0] = nodes
    return tree


def style_vectors(tree: "Tree") -> NDArray[np.float64]:
    """Return what the nodes tell of how is played below them.

    Returns
    -------
    ndarray of float64, shape (nodes, 11)
        Showdowns per visit, mean strength of the opponent's hands that were seen, 0 if none was, and how often each
        of the nine actions of `Tree.actions` was taken, per visit; zeros for a node without visits.
    """
    from engine.kernels.evolved.tree import SHOWDOWNS, SHOWN, VISITS

    nodes = int(tree.size[0])
    counts = tree.counts[:nodes].astype(np.float64)
    visits = np.maximum(counts[:, VISITS], 1)
    mean = tree.strengths[:nodes] / np.maximum(counts[:, SHOWN], 1)
    return np.column_stack((counts[:, SHOWDOWNS] / visits, mean, tree.actions[:nodes] / visits[:, None]))
