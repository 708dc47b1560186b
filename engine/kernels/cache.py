"""The folder in which everything is kept that the kernels' sources decide: machine code and computed tables.

The folder is `kernels-<hash>` in the user's cache folder, or in the one that `SOULREAD_CACHE_DIR` names. The hash
covers every kernel source, so nothing stale is found there: numba itself looks at a kernel's own file alone, and
after an edit in a callee's file would run the old callee. A damaged file is deleted and made again, and without a
writable folder everything is made in memory. None of this is ever an error.

Importing this module does not import numba, so that a stored table can answer without waiting for a compiler.
"""

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import IO

import numpy as np
import platformdirs
from numpy.typing import NDArray

KEPT_FOLDERS = 2
"""How many folders of other versions are kept next to the one in use."""

_LEAST_FREE = 64 << 20
"""Bytes of room on the disk below which no machine code is kept; all of it takes less than a tenth of that."""

_DIGESTS = "digests.txt"

_log = logging.getLogger(__name__)


def cache_root() -> Path:
    """Return the folder that holds everything Soulread can compute again: `SOULREAD_CACHE_DIR` or the user's."""
    return Path(os.environ.get("SOULREAD_CACHE_DIR") or platformdirs.user_cache_dir("soulread"))


def sources_hash() -> str:
    """Return a hash of every source in and below this folder and of `engine/cards.py`, as they are now."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in (*sorted(folder.rglob("*.py")), folder.parent / "cards.py"):
        stat = path.stat()
        digest.update(
            path.relative_to(folder.parent).as_posix().encode() + _file_digest(path, stat.st_mtime_ns, stat.st_size)
        )
    return digest.hexdigest()


@cache
def _file_digest(path: Path, _modified: int, _size: int) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _settings() -> str:
    """Return what the environment tells numba: some of it changes the code that it makes."""
    names = sorted(name for name in os.environ if name.startswith("NUMBA_") and name not in _OUR_SETTINGS)
    return "\n".join(f"{name}={os.environ[name]}" for name in names)


_OUR_SETTINGS = ("NUMBA_CACHE_DIR", "NUMBA_SLP_VECTORIZE")
_HASH_AT_START, _SETTINGS_AT_START = sources_hash(), _settings()


def _is_current() -> bool:
    """Return whether the sources are still those that this process runs; otherwise the folder is not its own."""
    return sources_hash() == _HASH_AT_START


@cache
def cache_folder() -> Path | None:
    """Return the folder of this version, made if need be, or None if it cannot be written."""
    version = hashlib.sha256(f"{_HASH_AT_START}\n{_SETTINGS_AT_START}".encode()).hexdigest()[:20]
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
    return folder


def _remove_old_folders(current: Path) -> None:
    """Delete the least recently used folders of other versions; one that is still in use only compiles again."""
    try:
        others = [path for path in current.parent.glob("kernels-*") if path.is_dir() and path != current]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    for path in others[KEPT_FOLDERS:]:
        shutil.rmtree(path, ignore_errors=True)


# ---- machine code ---------------------------------------------------------------------------------------


def code_folder() -> Path | None:
    """Return the folder where numba may keep machine code, without damaged files, or None if it may not.

    Loading damaged machine code would end the process. So when this process ends the digests of all code are
    kept, and a file that has another one at the next start is deleted: numba then compiles it again.
    """
    folder = cache_folder()
    if folder is None or shutil.disk_usage(folder).free < _LEAST_FREE:
        return None
    _delete_damaged(folder)
    atexit.register(_keep_digests, folder)
    return folder


def _delete_damaged(folder: Path) -> None:
    found = _digests(folder)
    try:
        lines = (folder / _DIGESTS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return  # no process has ended yet
    for digest, _, name in (line.partition(" ") for line in lines):
        if name in found and found[name] != digest:
            # Damaged, or written by a process that has not ended: which of them cannot be told.
            _log.warning("%s is not as it was kept, its kernel is compiled again.", name)
            with suppress(OSError):
                (folder / name).unlink()


def _digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of machine code by its path in the folder."""
    digests = {}
    for path in folder.rglob("*.nb?"):
        with suppress(OSError):  # another process has deleted it
            digests[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return digests


def _keep_digests(folder: Path) -> None:
    """Keep the digests of all machine code; code of sources that changed meanwhile is not kept at all."""
    if not _is_current():
        shutil.rmtree(folder, ignore_errors=True)
        return
    kept: dict[str, str] | None = None
    # A process that ended meanwhile has kept later digests than these: whoever writes last looks once more.
    while folder.is_dir() and kept != (found := _digests(folder)):
        kept = found
        lines = "".join(f"{digest} {name}\n" for name, digest in found.items()).encode()
        _write(folder / _DIGESTS, partial(_write_bytes, lines))


def _write_bytes(content: bytes, file: IO[bytes]) -> None:
    file.write(content)


# ---- tables ---------------------------------------------------------------------------------------------


def cached_arrays(
    name: str, compute: Callable[[], dict[str, NDArray[np.generic]]]
) -> dict[str, NDArray[np.generic]]:
    """Return arrays that only the sources of this folder decide: from the cache folder, or computed and kept there.

    Parameters
    ----------
    name : str
        Of the file, `.npz` apart.
    compute : callable
        Returns the arrays by name. It is called when they are not kept yet or their file is damaged.

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
    """Return the read-only arrays kept under a name, or None where there are none or they are damaged."""
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


def _path_of(file_name: str) -> Path | None:
    folder = cache_folder() if _is_current() else None
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
        _log.warning("Computing %s again, it is damaged: %s", path.name, error)
        return None


def _write(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file next to the old one and put it in its place."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            temporary = Path(file.name)
            write(file)
        temporary.replace(path)
    except OSError as error:
        _log.warning("%s is not kept: %s", path.name, error)
        if temporary is not None:
            temporary.unlink(missing_ok=True)
