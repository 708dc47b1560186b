"""Trees of the feature extractor as they are stored, and the style vectors in them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.codec import StoredDataError

if TYPE_CHECKING:
    from engine.kernels.evolved.likeness import Library, Likeness, Mixing
    from engine.kernels.evolved.tree import Tree


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


class StoredLikeness(Struct, frozen=True):
    """What `Likeness` counts of the nodes in use, each field the little-endian bytes of that array."""

    seen: bytes
    distances: bytes
    counted: bytes
    totals: bytes
    weight: float


def stored_likeness(likeness: "Likeness", nodes: int) -> StoredLikeness:
    """Return a likeness as it is stored, for a tree with so many nodes; nothing of one that knows no styles."""
    if not likeness.distances.shape[1]:
        return StoredLikeness(b"", b"", b"", b"", 1.0)
    parts = likeness.seen[:nodes], likeness.distances[:nodes], likeness.counted[:nodes], likeness.totals
    seen, distances, counted, totals = (part.astype("<f8").tobytes() for part in parts)
    return StoredLikeness(seen, distances, counted, totals, float(likeness.weight[0]))


def restore_likeness(stored: StoredLikeness, tree: "Tree", mixing: "Mixing") -> None:
    """Write a stored likeness into that of a tree.

    Raises
    ------
    StoredDataError
        If it is damaged, or of other styles or another tree.
    """
    from engine.kernels.evolved.likeness import place_nodes

    likeness, nodes = mixing.likeness, int(tree.size[0])
    if not likeness.distances.shape[1]:
        return
    for name in ("seen", "distances", "counted", "totals"):
        array = getattr(likeness, name)
        part = array if name == "totals" else array[:nodes]
        try:
            found = np.frombuffer(getattr(stored, name), "<f8").reshape(part.shape)
        except ValueError as error:
            raise StoredDataError("What is known of an opponent is of other styles or another tree.") from error
        if not np.isfinite(found).all():
            raise StoredDataError("What is known of an opponent has numbers that are not finite.")
        part[:] = found
    if not 1 <= stored.weight < float("inf"):
        raise StoredDataError(f"A hand counts 1 or more, not {stored.weight}.")
    likeness.weight[0] = stored.weight
    place_nodes(tree, mixing.library, likeness)


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


def library_of(trees: "Sequence[Tree]") -> "Library":
    """Return trees of known styles as distances take them, cut to the nodes that were seen often enough."""
    from engine.kernels.evolved.likeness import LEAST_VISITS, UNKNOWN, VECTOR, Library
    from engine.kernels.evolved.tree import ACTIONS, SHOWN

    cut = [pruned(tree, LEAST_VISITS) for tree in trees]
    most = max(int(tree.size[0]) for tree in cut)
    children = np.zeros((len(cut), most, ACTIONS), np.int32)
    vectors = np.zeros((len(cut), most, VECTOR), np.float32)
    for style, tree in enumerate(cut):
        nodes = int(tree.size[0])
        children[style, :nodes] = tree.children
        vectors[style, :nodes] = style_vectors(tree)
        vectors[style, :nodes][tree.counts[:, SHOWN] == 0, 1] = UNKNOWN
    return Library(children, vectors)


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
