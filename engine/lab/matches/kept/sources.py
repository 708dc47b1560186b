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

from engine.agents.evolved.own_policies import files_of
from engine.agents.styles import STYLES, make_agent, registered_name

_ROOT: Final = Path(__file__).parents[4]
_PLAYING: Final = "engine.lab.matches.playing"
_OWN_STYLES: Final = "engine.agents.style_file"
_STYLES: Final = "engine.agents.styles"
_NAME_ALL: Final = (_STYLES, "engine.lab.experiments.contestants")
"""They import every agent; nobody plays for that."""

_FORMATS: Final = "formats/"

_READ_BY_NOBODY: Final = (".png", ".svg", ".md", ".phh", ".py", ".pyc")
"""Endings of resources that no decision is made with."""


def sources_of_play(styles: Iterable[str] | None = None, *, modules: Sequence[str] = (), root: Path = _ROOT) -> str:
    """Return twelve hexadecimal digits that change whenever a match might be played or counted otherwise.

    Parameters
    ----------
    styles : iterable of str, optional
        Who plays, as `make_agent` takes them; without, every registered style.
    modules : sequence of str
        Others that the matches depend on, by their dotted names.
    root : Path
        Of the sources.

    Raises
    ------
    UnknownStyleError, UnknownReaderError, StyleFileError
        If a style or its reader has no such name, or a file of a policy is none.
    """
    playing = tuple(dict.fromkeys(STYLES if styles is None else styles))
    policies = b"".join(sha256(_policy(file)).digest() for style in playing for file in files_of(style))
    return _hashed(playing, tuple(modules), policies, root)


def _policy(path: Path) -> bytes:
    """Return the content of a policy's file, which may be another one tomorrow; what is none makes no agent."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


@cache
def _hashed(styles: tuple[str, ...], modules: tuple[str, ...], policies: bytes, root: Path) -> str:
    digest = sha256(policies)
    for name in sorted(_reached(styles, modules, root)):
        digest.update(name.encode() + (_digest_of_styles(styles, root) if name == _STYLES else _digest(name, root)))
    digest.update(_digest_of_resources(root))
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
                waiting += _imports(name, root)
    return found


def _name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts)


def _path(name: str, root: Path) -> Path:
    return root.joinpath(*name.split(".")).with_suffix(".py")


@cache
def _imports(name: str, root: Path) -> frozenset[str]:
    """Return the modules of the engine that a module imports."""
    found = set[str]()
    for node in ast.walk(_tree(name, root)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(one for one in found if one.startswith("engine.") and _path(one, root).is_file())


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


def _digested(tree: ast.AST) -> bytes:
    return sha256(ast.dump(tree).encode()).digest()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _digest_of_styles(styles: tuple[str, ...], root: Path) -> bytes:
    """Return that of the module of the styles, with the entries of some alone."""
    rest, entries = _styles_apart(root)
    playing = {registered_name(style).partition(":")[0] for style in styles}
    return sha256(rest + b"".join(entries[name] for name in sorted(playing & entries.keys()))).digest()


@cache
def _styles_apart(root: Path) -> tuple[bytes, dict[str, bytes]]:
    """Return the digest of the module without its table, and those of the table's entries.

    If the table is not written out entry by entry, all of it is of the rest.
    """
    body: list[ast.stmt] = []
    entries: dict[str, bytes] = {}
    for node in _tree(_STYLES, root).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "STYLES":
            table = node.value
            if isinstance(table, ast.Dict) and len(table.keys) == len(STYLES):
                entries = {name: _digested(entry) for name, entry in zip(STYLES, table.values, strict=True)}
                continue
        body.append(node)
    return _digested(ast.Module(body, [])), entries


@cache
def _digest_of_resources(root: Path) -> bytes:
    """Return that of all but formats, which are data of the matches, and of what no decision is made with."""
    digest = sha256()
    folder = root / "resources"
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.suffix not in _READ_BY_NOBODY and not name.startswith(_FORMATS):
            digest.update(name.encode() + sha256(_content(path)).digest())
    return digest.digest()


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return repr(tomllib.loads(data.decode())).encode() if path.suffix == ".toml" else data
