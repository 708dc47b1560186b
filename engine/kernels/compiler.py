"""numba behind the decorators of `engine.kernels.jit`, and its cache made safe.

numba's own cache looks at the file of the function it loads and at nothing else: after an edit in a callee's
file the caller goes on running the old callee. So its files live in the folder of `engine.kernels.cache`, which is
named after a hash of every kernel source. A damaged file is deleted and its kernel compiled anew.
"""

import gc
import hashlib
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, cast

import numba
from numba import _dynfunc, types
from numba.core import sigutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)
from numba.np.numpy_support import as_dtype

from engine.kernels import machine_code
from engine.kernels.cache import HASH_AT_START, cache_folder, is_current

_DIGEST_BYTES = 32

_log = logging.getLogger(__name__)


def dispatcher_of(function: Callable[..., Any], options: dict[str, bool], *, is_kept: bool) -> Any:
    """Give numba's object that compiles a function for the types it is called with from Python.

    Parameters
    ----------
    function : callable
    options : dict
        Of numba.njit.
    is_kept : bool
        Whether machine code goes to the cache folder and comes from there.
    """
    compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=_KernelCompiler, **options)
    dispatcher = compiled(function)
    if is_kept and cache_folder() is not None:
        dispatcher._cache = _KernelCache(function)
    return dispatcher


def dispatcher_of_part(function: Callable[..., Any], options: dict[str, bool]) -> Any:
    """Give numba's object for a function that only kernels call."""
    options = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(nogil=True, pipeline_class=_PartCompiler, **options)(function)


def entry_point(dispatcher: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Compile, or load, for the types of these arguments; gives a function that does not look at types any more."""
    argument_types = tuple(numba.typeof(argument) for argument in arguments)
    with _without_looking_for_garbage():
        return cast(Callable[..., Any], dispatcher.compile(argument_types))


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that only goes into kernels: it is optimised there, and no machine code is made of it alone."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    """Turn a part into code for LLVM that nobody can call but kernels."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state.cr
        # numba knows compiled functions by objects of this kind; calling this one is never tried.
        name = lowered.fndesc.qualname.rpartition(".")[2]
        module = lowered.fndesc.lookup_module()
        entry = _dynfunc.make_function(module, name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=entry)
        return True


_FRONT = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    DeadBranchPrune,  # of what is done only if an argument is None, or only if it is not
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
)


class _KernelCompiler(CompilerBase):  # type: ignore[misc]
    """What numba does to a function, less a dozen passes over features that kernels do not use.

    Those are closures, literal types, `with`, generators, functions inlined by request, arrays
    calculated as a whole without intermediate ones, and a report on types.
    """

    passes: ClassVar[tuple[type, ...]] = (*_FRONT, NativeLowering, NoPythonBackend)

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        for each in self.passes:
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]


class _PartCompiler(_KernelCompiler):
    """The same for a part."""

    passes: ClassVar[tuple[type, ...]] = (*_FRONT, _PartLowering, NoPythonBackend)


@contextmanager
def _without_looking_for_garbage() -> Iterator[None]:
    """Save a quarter of the compiler's time: it leaves little garbage, and much to look through."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def signature_of_types(argument_types: tuple[Any, ...]) -> str | None:
    """Give the text that `engine.kernels.jit.signature_of` gives for arguments of these types, if there is one."""
    texts = [_text_of(argument_type) for argument_type in argument_types]
    return None if None in texts else ", ".join(cast(list[str], texts))


def _text_of(argument_type: Any) -> str | None:
    if isinstance(argument_type, types.Literal):
        return None
    if isinstance(argument_type, types.Array):
        access = "writable" if argument_type.mutable else "read-only"
        dtype = as_dtype(argument_type.dtype)
        text = f"{dtype.str} {argument_type.ndim} {argument_type.layout} {access}"
        return text if argument_type.aligned else None
    if isinstance(argument_type, types.BaseTuple):
        texts = [_text_of(part) for part in argument_type.types]
        if None in texts:
            return None
        kind = argument_type.instance_class if isinstance(argument_type, types.BaseNamedTuple) else tuple
        return f"{kind.__module__}.{kind.__qualname__}({', '.join(cast(list[str], texts))})"
    if isinstance(argument_type, types.Boolean | types.Integer | types.Float):
        return str(as_dtype(argument_type).str)
    return None


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
        python = f"py{sys.version_info[0]}{sys.version_info[1]}"
        self._filename_base = f"{name_of(function)}-{self._lineno}.{python}"


def name_of(function: Callable[..., Any]) -> str:
    """Give the name of a kernel's files."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}".replace("<", "").replace(">", "")


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

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of one signature, in a file of a name that no other signature has.

        numba would number them: of two processes that compile different signatures at the same time, one could
        then load the other's code.
        """
        name = self._data_name(int(hashlib.sha256(str(key).encode()).hexdigest()[:12], 16))
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})

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
            signature = signature_of_types(sigutils.normalize_signature(sig)[0])
            if signature is not None:
                machine_code.store(name_of(self._py_func), signature, data.codegen.magic_tuple(), data)
            super().save_overload(sig, data)
        except Exception as error:  # a full disk, or an index damaged since it was loaded
            _log.warning("The code of %s is not kept: %s", self._name, error)
            self.disable()
