"""The decorators of all kernels, and warming them up.

A kernel is a function over arrays and numbers that becomes machine code when it is first called. Importing this
module does not import numba: a kernel whose machine code is kept is loaded by `engine.kernels.machine_code`, and
only what has to be compiled waits for `engine.kernels.compiler`.
"""

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import attrgetter
from operator import call as _call
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from engine.kernels.cache import cache_folder

P = ParamSpec("P")
R = TypeVar("R")

IS_INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels stay plain functions of Python, as numba's setting says."""

# Keys and random numbers wrap around 2^64 on purpose; as plain Python, numpy would warn of each.
if IS_INTERPRETED:
    np.seterr(over="ignore")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, without the interpreter lock, and keep the code for later runs.

    Kernels take and return arrays, tuples of arrays and numbers. They raise nothing, start no thread and use no
    value that can change from outside this folder except through their arguments.

    Notes
    -----
    A kernel whose name begins with an underscore is taken for a part of others: it can be called from Python, but
    is then compiled once more for that.

    With `NUMBA_DISABLE_JIT=1` this gives the function back as it is.

    Examples
    --------
    >>> @kernel
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double(21)
    42
    """
    return function if IS_INTERPRETED else cast(Callable[P, R], Kernel(function))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel so small that it becomes part of every kernel that calls it, in its inner loop.

    As `kernel`, and it allocates no array, for it counts no references: numba's counting of the arrays in a named
    tuple, atomic and not always optimised away, would cost ten times the look-up that such a function does
    (109 against 544 million hands a second in `engine.kernels.evaluator`).
    """
    return function if IS_INTERPRETED else cast(Callable[P, R], _InlinedKernel(function))


def deferred(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that can wait: until it has been called often it runs as Python.

    As `kernel`. For functions that take microseconds even in Python and that only a loop over millions of hands
    needs faster: compiling them must not hold up the start. Kept machine code is used at once.
    """
    return function if IS_INTERPRETED else cast(Callable[P, R], _DeferredKernel(function))


class Kernel:
    """A kernel: called from Python it runs machine code, and inside other kernels numba compiles it with them.

    Parameters
    ----------
    function : callable

    Attributes
    ----------
    py_func : callable
        The function as it was written.
    """

    _options: ClassVar[dict[str, bool]] = {}

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = self.py_func = function
        self.__name__, self.__qualname__ = function.__name__, function.__qualname__
        self.__module__, self.__doc__ = function.__module__, function.__doc__
        # Only this folder's sources are in the hash: a kernel from elsewhere, as in a test, is never stored.
        self._is_kept = function.__module__.rpartition(".")[0] == __package__
        self._is_part = function.__name__.startswith("_")
        self._arity = function.__code__.co_argcount
        self._functions: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self._last: tuple[tuple[Any, ...], Callable[..., Any]] = ((), function)
        self._keys_of: tuple[Callable[[Any], Any], ...] = ()
        self._dispatcher: Any = None
        self._dispatcher_of_part: Any = None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run it, on machine code for the types of these arguments."""
        if named or len(arguments) != self._arity:
            bound = inspect.signature(self.py_func).bind(*arguments, **named)
            bound.apply_defaults()
            arguments = bound.args
        # Nearly always the types are those of the call before; this way finding that out takes half a microsecond.
        try:
            key = tuple(map(_call, self._keys_of, arguments))
        except AttributeError:
            key = ()
        last_key, function = self._last
        if key != last_key or not key:
            function = self._find(arguments)
        return function(*arguments)

    def _find(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Give the machine code for these arguments, and have it at hand for the next call."""
        keys_of = tuple(_key_function(argument) for argument in arguments)
        key = tuple(map(_call, keys_of, arguments))
        function = self._functions.get(key)
        if function is None:
            function = self._functions[key] = self._load(arguments) or self._compile(arguments)
        self._last = key, function
        self._keys_of = keys_of
        return function

    @property
    def dispatcher(self) -> Any:
        """The object of numba that compiles this kernel for calls from Python."""
        if self._dispatcher is None:
            from engine.kernels.compiler import dispatcher_of

            options = {name: value for name, value in self._options.items() if name != "forceinline"}
            self._dispatcher = dispatcher_of(self.py_func, options, is_kept=self._is_kept)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for when another kernel calls this one."""
        if not self._is_part:
            return self.dispatcher._numba_type_
        if self._dispatcher_of_part is None:
            from engine.kernels.compiler import dispatcher_of_part

            self._dispatcher_of_part = dispatcher_of_part(self.py_func, self._options)
        return self._dispatcher_of_part._numba_type_

    def _load(self, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
        signature = signature_of(arguments)
        if not self._is_kept or signature is None or cache_folder() is None:
            return None
        from engine.kernels import machine_code

        name = f"{self.__module__.rpartition('.')[2]}.{self.__qualname__}"
        return cast("Callable[..., Any] | None", machine_code.load(name, signature))

    def _compile(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        from engine.kernels.compiler import entry_point

        return entry_point(self.dispatcher, arguments)


class _InlinedKernel(Kernel):
    """A kernel that is only ever part of others, except where a test calls it."""

    _options: ClassVar[dict[str, bool]] = {"forceinline": True, "_nrt": False}

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._is_part = True


class _DeferredKernel(Kernel):
    """A kernel that runs as Python until compiling it is worth while."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._calls = 0
        self._not_kept: set[str | None] = set()

    def _find(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        if _is_compiling_deferred.get():
            return super()._find(arguments)
        self._calls += 1
        # What is a part of others is compiled with them, however often it is called from Python meanwhile.
        if self._calls > _OFTEN and not self._is_part:
            return super()._find(arguments)
        signature = signature_of(arguments)
        if signature not in self._not_kept:
            if self._load(arguments) is not None:
                return super()._find(arguments)
            self._not_kept.add(signature)
        return self.py_func


_OFTEN = 2_000
# Of each thread alone: while one prepares, another must not wait for the compiler.
_is_compiling_deferred = ContextVar("is_compiling_deferred", default=False)


@contextmanager
def compiling_deferred() -> Iterator[None]:
    """Compile deferred kernels when they are called, as those that register them for warming up want it."""
    before = _is_compiling_deferred.set(True)
    try:
        yield
    finally:
        _is_compiling_deferred.reset(before)


_array_key = attrgetter("dtype", "ndim", "flags.num")


def _key_function(argument: Any) -> Callable[[Any], Any]:
    """Give the function that tells what machine code for such an argument depends on."""
    if type(argument) is np.ndarray:
        return _array_key
    return _tuple_key if isinstance(argument, tuple) else type


def _tuple_key(argument: Any) -> Any:
    """Tell it for a tuple; the tables that go into most calls are remembered."""
    kind = type(argument)
    last, key = _last_tuples.get(kind, (None, None))
    if last is not argument:
        if not issubclass(kind, tuple):
            return kind
        key = (kind, *[_key_function(part)(part) for part in argument])
        _last_tuples[kind] = argument, key
    return key


_last_tuples: dict[type, tuple[Any, Any]] = {}


def signature_of(arguments: tuple[Any, ...]) -> str | None:
    """Write down the types of arguments, or None if there is one that stored machine code cannot take."""
    texts = [_text_of(argument) for argument in arguments]
    return None if None in texts else ", ".join(cast(list[str], texts))


def _text_of(argument: Any) -> str | None:
    kind = type(argument)
    if kind is np.ndarray:
        flags = argument.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        access = "writable" if flags.writeable else "read-only"
        return f"{argument.dtype.str} {argument.ndim} {layout} {access}" if flags.aligned else None
    if issubclass(kind, tuple):
        texts = [_text_of(part) for part in argument]
        if None in texts:
            return None
        return f"{kind.__module__}.{kind.__qualname__}({', '.join(cast(list[str], texts))})"
    if kind in (bool, int, float):
        return str(np.dtype(kind).str)
    if issubclass(kind, np.bool_ | np.integer | np.floating):
        return str(argument.dtype.str)
    return None


class _WarmUp(NamedTuple):
    call: Callable[[], object]
    is_at_start: bool
    is_soon: bool


_warm_ups: dict[str, _WarmUp] = {}


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
        Whether a window that has just opened needs it, or the first question about equity; what builds tables or
        answers rare questions can wait until nothing else is to be done.
    is_soon : bool
        Whether it comes before the others of those that wait: the first flop needs it.
    """
    _warm_ups[name] = _WarmUp(call, at_start, is_soon)


def warm_up(progress: Callable[[int, int, str], None] | None = None, *, at_start: bool | None = None) -> None:
    """Compile kernels of the app, or load them from the cache folder.

    Imports all modules of this folder and runs what they registered. Seconds when nothing is cached, a few
    hundredths of a second otherwise. To be called in a worker thread: another thread's first call of a kernel that
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


def warm_up_steps(*, at_start: bool | None = None) -> Iterator[tuple[int, int, str]]:
    """Do what `warm_up` does, kernel by kernel: gives before each call what `progress` is called with."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name not in _NOT_KERNELS:
            importlib.import_module(f"{__package__}.{module.name}")
    chosen = [(name, one) for name, one in _warm_ups.items() if at_start in (None, one.is_at_start)]
    chosen.sort(key=lambda named: (not named[1].is_at_start, not named[1].is_soon))
    warm_ups = [(name, one.call) for name, one in chosen]
    for done, (name, call) in enumerate(warm_ups):
        yield done, len(warm_ups), name
        call()
    yield len(warm_ups), len(warm_ups), ""


_NOT_KERNELS = ("cache", "compiler", "jit", "machine_code")
