"""The library of styles: for each, the tree that its exploiter learned of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.agents.evolved.stored_tree import StoredTree, tree_of
from engine.agents.style_file import StyleFileError
from engine.codec import StoredDataError, pack, unpack

if TYPE_CHECKING:
    from engine.kernels.evolved.tree import Tree

LIBRARY_ENDING = ".library"
_VERSION = 1
_MOST_BYTES = 100_000_000
"""Of a file, and of what it unpacks to: eight trees with all nodes that they can have take half of that."""


class LibraryFileError(StyleFileError):
    """A library that cannot be used; the message names the file and the rule in one sentence."""


class StyleLibrary(Struct, frozen=True):
    """What was seen of each style.

    Attributes
    ----------
    hands : int
        How many each exploiter played against its style.
    least : int
        Nodes that fewer hands went through are left out.
    trees : dict of str to StoredTree
        By the name of the style.
    origin : str
        Where it is from, in words.
    """

    hands: int
    least: int
    trees: dict[str, StoredTree]
    origin: str = ""
    version: int = _VERSION

    def tree(self, style: str) -> "Tree":
        """Return the tree of a style; `KeyError` for one that is not in it."""
        return tree_of(self.trees[style])


def library_bytes(library: StyleLibrary) -> bytes:
    """Return what a library's file holds; the same library gives the same bytes."""
    return pack(library)


def read_library(path: str | Path) -> StyleLibrary:
    """Read a library's file.

    Raises
    ------
    LibraryFileError
        If it cannot be read, is none, or one of another version.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise LibraryFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    return parse_library(data, str(path))


def parse_library(data: bytes, name: str) -> StyleLibrary:
    """Return the library that bytes hold; errors, as of `read_library`, call it by the name."""
    try:
        library = unpack(data[:_MOST_BYTES], StyleLibrary, _MOST_BYTES)
        for style in library.trees:
            library.tree(style)
    except StoredDataError as error:
        raise LibraryFileError(f"{name} is no library of styles: {error}") from error
    if library.version != _VERSION:
        raise LibraryFileError(f"{name} is a library of another version of Soulread; this one reads {_VERSION}.")
    return library
