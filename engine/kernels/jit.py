"""The decorators of all kernels, how their machine code is kept, and warming them up.

numba's own cache looks at the file of the function it loads and at nothing else: after an edit in a callee's
file the caller goes on running the old callee. So the machine code lives in the folder of `engine.kernels.cache`,
which is named after a hash of every kernel source. A damaged file is deleted and its kernel compiled anew.
"""

import gc
import hashlib
import importlib
import logging
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from engine.kernels.cache import HASH_AT_START, cache_folder, is_current

P = ParamSpec("P")
R = TypeVar("R")

_DIGEST_BYTES = 32

# Keys and random numbers wrap around 2^64 on purpose; as plain Python, numpy would warn of each.
if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")

_log = logging.getLogger(__name__)


class _Locator:
    """Where numba finds the files of one kernel."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._py_file = __file__  # named in a warning by numba when something cannot be cached

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return HASH_AT_START

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    """Names the files by module, function and line, whatever the working directory (as a frozen app needs)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        folder = cache_folder()
        assert folder is not None
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(folder)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        python = f"py{sys.version_info[0]}{sys.version_info[1]}"
        self._filename_base = f"{name}-{self._lineno}.{python}".replace("<", "").replace(">", "")


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """Cache files that end in a digest of themselves: loading damaged machine code would kill the process."""

    def _dump(self, value: object) -> bytes:
        data = cast(bytes, super()._dump(value))
        return data + hashlib.sha256(data).digest()

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()
        if hashlib.sha256(data[:-_DIGEST_BYTES]).digest() != data[-_DIGEST_BYTES:]:
            raise ValueError("its digest is wrong")
        return super()._load_data(name)  # unpickling stops before the digest

    def delete(self) -> None:
        """Remove the index and the code of every signature."""
        prefix = Path(self._index_path).name.removesuffix("nbi")
        for path in Path(self._cache_path).iterdir():
            if path.name.startswith(prefix):
                path.unlink(missing_ok=True)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, for which no file and no failure is fatal."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=HASH_AT_START,
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not is_current():
            return None
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # unpickling rubbish can raise anything
            _log.warning("Compiling %s anew, its cached code is damaged: %s", self._name, error)
            try:
                self._cache_file.delete()
            except OSError:
                self.disable()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if not is_current():
            return
        try:
            super().save_overload(sig, data)
        except Exception as error:  # a full disk, or an index damaged since it was loaded
            _log.warning("The code of %s is not kept: %s", self._name, error)
            self.disable()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, without the interpreter lock, and keep the code for later runs.

    Kernels take and return arrays, tuples of arrays and numbers. They raise nothing, start no thread and use no
    value that can change from outside this folder except through their arguments.

    Notes
    -----
    With `NUMBA_DISABLE_JIT=1` this gives the function back as it is.

    Examples
    --------
    >>> @kernel
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double(21)
    42
    """
    return _compile(function, {})


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel so small that it becomes part of every kernel that calls it, in its inner loop.

    As `kernel`, and it allocates no array, for it counts no references: numba's counting of the arrays in a named
    tuple, atomic and not always optimised away, would cost ten times the look-up that such a function does
    (109 against 544 million hands a second in `engine.kernels.evaluator`).
    """
    return _compile(function, {"forceinline": True, "_nrt": False})


def _compile(function: Callable[P, R], options: dict[str, bool]) -> Callable[P, R]:
    compiled = numba.njit(nogil=True, **options)(function)
    # Only this folder's sources are in the hash: a kernel from elsewhere, as in a test, is never stored.
    is_hashed = function.__module__.rpartition(".")[0] == __package__
    if compiled is not function and is_hashed and cache_folder() is not None:
        compiled._cache = _KernelCache(function)
    return cast(Callable[P, R], compiled)


_warm_up_calls: dict[str, Callable[[], object]] = {}


def register_warm_up(name: str, call: Callable[[], object]) -> None:
    """Add a tiny real call that compiles, or loads, kernels of the app.

    A kernel module registers its calls when it is imported, with arguments of the very types that the app uses.

    Parameters
    ----------
    name : str
        What is being prepared, as a progress line would say it. A second call of that name replaces the first.
    call : callable
        Takes nothing; its answer is dropped.
    """
    _warm_up_calls[name] = call


def warm_up(progress: Callable[[int, int, str], None] | None = None) -> None:
    """Compile every kernel of the app, or load it from the cache folder.

    Imports all modules of this folder and runs what they registered. Seconds when nothing is cached, a few
    tenths of a second otherwise. To be called in a worker thread: another thread's first call of a kernel waits
    for numba's compiler lock.

    Parameters
    ----------
    progress : callable, optional
        Called with the number of calls done, their total and the name of the next one ("" at the end).
    """
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
    calls = list(_warm_up_calls.items())
    is_collecting = gc.isenabled()
    gc.disable()  # a quarter of the compiler's time goes into looking for garbage that is hardly there
    try:
        for done, (name, call) in enumerate(calls):
            if progress is not None:
                progress(done, len(calls), name)
            call()
    finally:
        if is_collecting:
            gc.enable()
    if progress is not None:
        progress(len(calls), len(calls), "")
