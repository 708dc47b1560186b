"""The folder in which everything is kept that the kernels' sources decide: machine code and computed tables.

The folder is `kernels-<hash>` in the user's cache folder, or in the one that `SOULREAD_CACHE_DIR` names. The hash
covers every kernel source, the versions of what compiles them and its settings, so nothing stale can be found
there; and a process whose sources change under it neither reads nor writes it any more. A damaged file is made
anew, and without a writable folder everything is made in memory. None of this is ever an error.

Importing this module does not import numba, so that a stored table can answer without waiting for a compiler.
"""

import hashlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

import numpy as np
import platformdirs
from numpy.typing import NDArray

KEPT_FOLDERS = 2
"""How many folders of other versions are left beside the one in use."""

_COMPILERS = ("numba", "llvmlite", "numpy")
_DIGEST_BYTES = 32
_UNFINISHED = ".tmp"
_UNFINISHED_SECONDS = 3600

_log = logging.getLogger(__name__)


def cache_root() -> Path:
    """Give the folder that holds everything Soulread can compute again: `SOULREAD_CACHE_DIR` or the user's."""
    return Path(os.environ.get("SOULREAD_CACHE_DIR") or platformdirs.user_cache_dir("soulread"))


def sources_hash() -> str:
    """Give a hash of all that compiled kernels depend on, as the files are at this moment.

    It covers every source in this folder, `engine/cards.py` (whose constants kernels may use) and the versions
    of Python, numba, llvmlite and numpy. In a frozen app, which has no source files, the executable stands for
    them.
    """
    folder = Path(__file__).parent
    paths = sorted(folder.glob("*.py"))
    paths = [*paths, folder.parent / "cards.py", *_version_files()] if paths else [Path(sys.executable)]
    digest = hashlib.sha256(sys.version.encode())
    for path in paths:
        stat = path.stat()
        digest.update(path.name.encode() + _file_digest(path, stat.st_mtime_ns, stat.st_size))
    return digest.hexdigest()[:20]


@cache
def _version_files() -> tuple[Path, ...]:
    """Find the files that state the compilers' versions, without importing what takes long."""
    found = []
    for name in _COMPILERS:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        names = ("_version.py", "version.py", "__init__.py")
        found.append(next(path for path in (package / name for name in names) if path.is_file()))
    return tuple(found)


@cache
def _file_digest(path: Path, _modified: int, _size: int) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _settings() -> str:
    """Give what numba was told by the environment or a file: some of it changes the code that it makes."""
    told = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    told = [line for line in told if line.partition("=")[0] not in _HARMLESS_SETTINGS]
    file = Path(".numba_config.yaml")
    return "\n".join([*told, file.read_text(encoding="utf-8") if file.is_file() else ""])


_HARMLESS_SETTINGS = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS")

HASH_AT_START = sources_hash()
"""The hash of the sources that this process runs."""

_SETTINGS_AT_START = _settings()


def is_current() -> bool:
    """Tell whether the sources are still those that this process runs; otherwise the folder is not its own."""
    return sources_hash() == HASH_AT_START


@cache
def cache_folder() -> Path | None:
    """Give the folder of this version's machine code, made if need be, or None if it cannot be written."""
    version = hashlib.sha256(f"{HASH_AT_START}\n{_SETTINGS_AT_START}".encode()).hexdigest()[:20]
    folder = cache_root() / f"kernels-{version}"
    try:
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError as error:
        _log.info("Kernels are compiled in memory: %s cannot be written (%s).", folder, error)
        return None
    if is_new:
        _remove_old_folders(folder)
    _remove_unfinished_files(folder)
    return folder


def _remove_old_folders(current: Path) -> None:
    """Delete the least recently used folders of other versions; one that is still in use only compiles anew."""
    try:
        others = [path for path in current.parent.glob("kernels-*") if path.is_dir() and path != current]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    for path in others[KEPT_FOLDERS:]:
        shutil.rmtree(path, ignore_errors=True)


def _remove_unfinished_files(folder: Path) -> None:
    """Delete what processes left behind that were killed while they wrote, after an hour."""
    with suppress(OSError):
        for path in folder.glob(f"*{_UNFINISHED}"):
            if time.time() - path.stat().st_mtime > _UNFINISHED_SECONDS:
                path.unlink(missing_ok=True)


def cached_arrays(
    name: str, compute: Callable[[], dict[str, NDArray[np.generic]]]
) -> dict[str, NDArray[np.generic]]:
    """Give arrays that only the sources of this folder decide: from the cache folder, or computed and kept there.

    Parameters
    ----------
    name : str
        Of the file, `.npz` apart.
    compute : callable
        Gives the arrays by name. It is called when they are not kept yet or their file is damaged.

    Returns
    -------
    dict of str to ndarray
        Read-only.
    """
    arrays = stored_arrays(name)
    if arrays is None:
        arrays = compute()
        store_arrays(name, arrays)
    return arrays


def stored_arrays(name: str) -> dict[str, NDArray[np.generic]] | None:
    """Give the read-only arrays kept under a name, or None where there are none or they are damaged."""
    path = _path_of(f"{name}.npz")
    arrays = _load_arrays(path) if path is not None and path.is_file() else None
    return arrays if arrays is None else _read_only(arrays)


def store_arrays(name: str, arrays: dict[str, NDArray[np.generic]]) -> None:
    """Make arrays read-only and keep them under a name, if the folder can be written.

    Other processes see the old file or the new one, never a part: whoever is killed meanwhile leaves no damage.
    """
    path = _path_of(f"{name}.npz")
    if path is not None:
        _write(path, lambda file: np.savez(file, allow_pickle=False, **arrays))
    _read_only(arrays)


def stored_bytes(name: str, key: str) -> bytes | None:
    """Give what is kept under a name and a key, or None where it is not or its file is damaged."""
    path = _path_of(_keyed_name(name, key))
    if path is None or not path.is_file():
        return None
    try:
        data = path.read_bytes()
        if data[:_DIGEST_BYTES] == _digest_of(key, data[_DIGEST_BYTES:]):
            return data[_DIGEST_BYTES:]
        _log.warning("%s is damaged and made anew.", path.name)
        path.unlink()
    except OSError as error:
        _log.warning("%s cannot be used: %s", path.name, error)
    return None


def store_bytes(name: str, key: str, data: bytes) -> None:
    """Keep data under a name and a key, if the folder can be written; no reader ever sees a part of it."""
    path = _path_of(_keyed_name(name, key))
    if path is not None:
        _write(path, lambda file: file.write(_digest_of(key, data) + data))


def _keyed_name(name: str, key: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}-{hashlib.sha256(key.encode()).hexdigest()[:12]}{dot}{suffix}"


def _digest_of(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest()


def _path_of(file_name: str) -> Path | None:
    folder = cache_folder() if is_current() else None
    return None if folder is None else folder / file_name


def _read_only(arrays: dict[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def _load_arrays(path: Path) -> dict[str, NDArray[np.generic]] | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return dict(stored)  # zipfile checks the CRC of each array
    except Exception as error:  # zipfile, zlib and numpy each have their own words for a damaged file
        _log.warning("Computing %s anew, it is damaged: %s", path.name, error)
        return None


def _write(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file beside the old one and put it in its place."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_UNFINISHED, delete=False) as file:
            temporary = Path(file.name)
            write(file)
        temporary.replace(path)
    except OSError as error:
        _log.warning("%s is not kept: %s", path.name, error)
        if temporary is not None:
            temporary.unlink(missing_ok=True)
