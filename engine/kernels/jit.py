"""The decorator of all kernels, and warming them up.

Importing this module imports numba, which takes 0.3 s: whoever can do without kernels, or must not wait for them,
imports theirs where they are called.
"""

import gc
import importlib
import os
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cache import code_folder

P = ParamSpec("P")
R = TypeVar("R")
Kind = TypeVar("Kind", bound=np.generic)

_FOLDER = code_folder()
if _FOLDER is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(_FOLDER)
# Four numbers in a row, such as the suits of a rank, are added by one instruction.
os.environ.setdefault("NUMBA_SLP_VECTORIZE", "1")

import numba  # noqa: E402 - it reads its settings when it is imported
from numba import carray  # noqa: E402
from numba.extending import overload  # noqa: E402

# Keys and random numbers wrap around 2^64 on purpose; as plain Python, numpy would warn of each.
if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, without the interpreter lock, and keep the code for later runs.

    Kernels take and return arrays, tuples of arrays and numbers. They raise nothing, start no thread and use no
    value that can change from outside this folder except through their arguments. From Python each is called with
    arguments of the same types every time: other types would be compiled once more.

    Notes
    -----
    With `NUMBA_DISABLE_JIT=1` this returns the function as it is.

    Examples
    --------
    >>> @kernel
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double(21)
    42
    """
    return _compiled(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel as a part of each kernel that calls it.

    For a long kernel that one other calls: the compiler would take it through all its steps twice, alone and again
    where it is called. Python can call it too, and has it compiled for itself.
    """
    return _compiled(function, inline="always")


def fused(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel, and repeat its machine code wherever another kernel calls it.

    For a short kernel that is called all the time: handing on a tuple of arrays costs more than such a kernel does.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[P, R], *, inline: str = "never", forceinline: bool = False) -> Callable[P, R]:
    # The folder's name covers this package alone: a kernel from elsewhere, as in a test, is not kept.
    is_kept = _FOLDER is not None and Path(function.__code__.co_filename).is_relative_to(Path(__file__).parent)
    # Nobody calls kernels from C, and the way to do so takes time to compile.
    options = {"inline": inline, "forceinline": forceinline, "no_cfunc_wrapper": True}
    return cast(Callable[P, R], numba.njit(function, nogil=True, cache=is_kept, **options))


def borrowed(array: NDArray[Kind]) -> NDArray[Kind]:
    """Return a C-contiguous array as it is, without its references being counted.

    Whoever calls a kernel holds its arguments until it returns. Still numba counts a reference up and down again,
    in 10 ns, each time an array is taken out of a tuple or handed on: most of the time of a kernel that takes many
    steps with tuples of arrays. Such a kernel borrows its arguments first, and returns none of them.
    """
    return array


@overload(borrowed)  # type: ignore[untyped-decorator]
def _borrowed(array: NDArray[Kind]) -> Callable[[NDArray[Kind]], Any]:
    """Compile it as an array at the same address, which belongs to nobody."""
    from cffi import FFI  # for compiling alone

    ffi = FFI()

    def at_its_address(array: NDArray[Kind]) -> Any:
        return carray(ffi.from_buffer(array), array.shape, array.dtype)

    return at_its_address


class _WarmUp(NamedTuple):
    call: Callable[[], object]
    is_at_start: bool
    is_soon: bool


_warm_ups: dict[str, _WarmUp] = {}
_MARK = "prepared"  # a file next to the code: everything up to the first flop has been compiled
_is_prepared = False


def register_warm_up(
    name: str, call: Callable[[], object], *, at_start: bool = True, is_soon: bool = False
) -> None:
    """Add a tiny real call that compiles, or loads, kernels of the app.

    A kernel module registers its calls when it is imported, with arguments of the very types that the app uses.

    Parameters
    ----------
    name : str
        What is being prepared, as a progress line would say it. A second call of that name replaces the first.
    call : callable
        Takes nothing; its answer is dropped.
    at_start : bool
        Whether the first cards dealt need it; all else can wait until nothing else is to be done.
    is_soon : bool
        Whether it comes before the others of those that wait: the first flop needs it.
    """
    _warm_ups[name] = _WarmUp(call, at_start, is_soon)


def warm_up(progress: Callable[[int, int, str], None] | None = None, *, at_start: bool | None = None) -> None:
    """Compile kernels of the app, or load them from the cache folder.

    Imports all modules of this folder and runs what they registered. Seconds when nothing is cached, a few
    tenths of a second otherwise. To be called in a worker thread: another thread's first call of a kernel that
    is not cached waits for numba's compiler lock.

    Parameters
    ----------
    progress : callable, optional
        Called with the number of calls done, their total and the name of the next one ("" at the end).
    at_start : bool, optional
        Whether to prepare what is needed at the start, or the rest; both by default.
    """
    for step in warm_up_steps(at_start=at_start):
        if progress is not None:
            progress(*step)


def is_prepared() -> bool:
    """Return whether nothing up to the first flop is left to compile, here or because an earlier run kept it."""
    return _is_prepared or (_FOLDER is not None and (_FOLDER / _MARK).is_file())


def warm_up_steps(*, at_start: bool | None = None, is_soon: bool | None = None) -> Iterator[tuple[int, int, str]]:
    """Do what `warm_up` does, call by call, of those with `is_soon` if it is given.

    Yields before each call what `progress` is called with.
    """
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}."):
        importlib.import_module(module.name)
    chosen = [
        (name, one)
        for name, one in _warm_ups.items()
        if at_start in (None, one.is_at_start) and is_soon in (None, one.is_soon)
    ]
    chosen.sort(key=lambda named: (not named[1].is_at_start, not named[1].is_soon))
    for done, (name, one) in enumerate(chosen):
        yield done, len(chosen), name
        _call_without_collecting(one.call)
    if at_start is not True and is_soon is not False:
        _note_prepared()
    yield len(chosen), len(chosen), ""


def _note_prepared() -> None:
    """Note for this process and later ones that the first flop needs no compiler."""
    global _is_prepared
    _is_prepared = True
    if _FOLDER is not None:
        with suppress(OSError):
            (_FOLDER / _MARK).touch()


def _call_without_collecting(call: Callable[[], object]) -> None:
    """Save a quarter of the compiler's time: it leaves little garbage, and much to look through."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        call()
    finally:
        if was_on:
            gc.enable()
