"""A short hash of what decides how hands are played and counted: the code that plays, and its resources.

Code counts as its syntax tree without docstrings, so that words may change. It is that of the modules which those
that play import, one after another, in functions too. Which agents play is not asked of the modules that name all
of them, but of the agents: each counts with its whole folder, and its entry among the styles.
"""

import ast
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from engine.agents.styles import STYLES, make_agent, registered_name

_ROOT: Final = Path(__file__).parents[4]
_PLAYING: Final = "engine.lab.matches.playing"
_OWN_STYLES: Final = "engine.agents.style_file"
_STYLES: Final = "engine.agents.styles"
_NAME_ALL: Final = (_STYLES, "engine.lab.experiments.contestants")
"""They import every agent; nobody plays for that."""

_READ_BY_NOBODY: Final = (".png", ".svg", ".md", ".py", ".pyc")
"""Endings of resources that no decision is made with."""


def sources_of_play(
    styles: Iterable[str] | None = None, *, modules: Sequence[str] = (), more: bytes = b"", root: Path = _ROOT
) -> str:
    """Return twelve hexadecimal digits that change whenever a match might be played or counted otherwise.

    Parameters
    ----------
    styles : iterable of str, optional
        Who plays, as `make_agent` takes them; without, every registered style.
    modules : sequence of str
        Others that the matches depend on, by their dotted names.
    more : bytes
        What else they depend on.
    root : Path
        Of the sources.

    Raises
    ------
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.
    """
    playing = tuple(dict.fromkeys(STYLES if styles is None else styles))
    return _hashed(playing, tuple(modules), more, root)


@cache
def _hashed(styles: tuple[str, ...], modules: tuple[str, ...], more: bytes, root: Path) -> str:
    digest = sha256(more)
    for name in sorted(_reached(styles, modules, root)):
        if name == _STYLES:
            digest.update(_digested(_with_entries_of(_tree(name, root), styles)))
        else:
            digest.update(name.encode() + _digest(name, root))
    for path in sorted((root / "resources").iterdir()):  # formats are data of the matches
        if path.is_file() and path.suffix not in _READ_BY_NOBODY:
            digest.update(path.name.encode() + sha256(_content(path)).digest())
    return digest.hexdigest()[:12]


def _reached(styles: tuple[str, ...], modules: tuple[str, ...], root: Path) -> set[str]:
    """Return all modules of the engine that hands of these styles may pass through."""
    waiting, found = [_PLAYING, _OWN_STYLES, *modules], set[str]()
    for style in styles:
        for one in type(make_agent(style)).__mro__:
            folder = root.joinpath(*one.__module__.split(".")[:-1])
            if one.__module__.startswith("engine."):
                waiting += [_name(path, root) for path in folder.glob("*.py")]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name not in _NAME_ALL or name in modules:
                waiting += [imported for imported in _imports(name, root) if _path(imported, root).is_file()]
    return found


def _name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts)


def _path(name: str, root: Path) -> Path:
    return root.joinpath(*name.split(".")).with_suffix(".py")


@cache
def _imports(name: str, root: Path) -> frozenset[str]:
    """Return what a module imports of the engine, names of its modules among others."""
    found = set[str]()
    for node in ast.walk(_tree(name, root)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(one for one in found if one.startswith("engine."))


@cache
def _tree(name: str, root: Path) -> ast.Module:
    """Return a module without comments, docstrings and other texts that nobody uses."""
    tree = ast.parse(_path(name, root).read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
    return tree


@cache
def _digest(name: str, root: Path) -> bytes:
    return _digested(_tree(name, root))


def _digested(tree: ast.Module) -> bytes:
    return sha256(ast.dump(tree).encode()).digest()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _with_entries_of(tree: ast.Module, styles: tuple[str, ...]) -> ast.Module:
    """Return the module of the styles with the entries of some alone; whole if its table is not written out."""
    playing = {registered_name(style).partition(":")[0] for style in styles}
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "STYLES":
            table = node.value
            if not isinstance(table, ast.Dict) or len(table.keys) != len(STYLES):
                return tree
            body += [ast.Expr(entry) for name, entry in zip(STYLES, table.values, strict=True) if name in playing]
        else:
            body.append(node)
    return ast.Module(body, [])


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return repr(tomllib.loads(data.decode())).encode() if path.suffix == ".toml" else data
