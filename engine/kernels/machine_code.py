"""Machine code that was kept as an object file, run without the compiler that made it.

numba and its first call take 0.4 s before any kernel runs, even if its machine code is kept: as long as all other
work of a first answer. So beside numba's own files the object file of each kernel is kept together with the name of
the function in it that takes Python's arguments, and here LLVM's loader is given that file. What the code refers to
is Python itself and two small libraries of numba that can be loaded alone: one counts references to arrays and
allocates them, the other makes callable objects. Importing this module loads these.

A file is only written for code that refers to nothing else and keeps no Python constants, and only loaded if the
processor and every name that it refers to are those it was made for. In all other cases numba itself loads or
compiles the kernel; where object files have another format than ELF, always.
"""

import builtins
import ctypes
import importlib.util
import struct
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import msgspec

from engine.kernels.cache import store_bytes, stored_bytes


class StoredCode(msgspec.Struct, frozen=True):
    """The machine code of one kernel for one signature.

    Attributes
    ----------
    wrapper : str
        The function in it that takes a tuple of Python arguments.
    environments : tuple of str
        Variables in it that must point to an environment, which the code asks for constants; these have none.
    externals : tuple of str
        What it refers to.
    code : bytes
        An ELF object file.
    """

    wrapper: str
    environments: tuple[str, ...]
    externals: tuple[str, ...]
    code: bytes


def processor() -> tuple[str, str, str]:
    """Give what machine code is made for: system, processor and its features, as numba states them."""
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def store(name: str, signature: str, made_for: tuple[str, ...], result: Any) -> None:
    """Keep what numba compiled, if it can be run alone.

    Parameters
    ----------
    name, signature : str
        Of the kernel and of its arguments' types.
    made_for : tuple of str
        As `processor`.
    result : numba.core.compiler.CompileResult
    """
    code = result.library._get_compiled_object()
    environments = [result.environment, *result._find_referenced_environments()]
    if not _can_be_read(code) or any(environment.consts for environment in environments):
        return
    stored = StoredCode(
        result.fndesc.llvm_cpython_wrapper_name,
        tuple({environment.env_name for environment in environments}),
        _externals(code),
        code,
    )
    if all(llvm.address_of_symbol(external) for external in stored.externals):
        store_bytes(f"{name}.o", _key(signature, made_for), msgspec.msgpack.encode(stored))


def load(name: str, signature: str) -> Any:
    """Give a kernel as a function of Python, or None if its code is not kept or cannot be run alone.

    The function checks the types of its arguments no further: they must be those of the signature.
    """
    data = stored_bytes(f"{name}.o", _key(signature, processor()))
    if data is None:
        return None
    stored = msgspec.msgpack.decode(data, type=StoredCode)
    if not all(llvm.address_of_symbol(external) for external in stored.externals):
        return None  # LLVM would end the process
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(stored.code))
    engine.finalize_object()
    environment = _dynfunc.Environment(globals())
    for variable in stored.environments:
        if address := engine.get_global_value_address(variable):
            ctypes.c_void_p.from_address(address).value = id(environment)
    address = engine.get_function_address(stored.wrapper)
    module = sys.modules[__name__]
    return _dynfunc.make_function(module, name, "", address, environment, (engine, environment))


def _engine() -> Any:
    """Make a loader; each kernel has its own, for two threads may load at the same time."""
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(reloc="static", codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _key(signature: str, made_for: tuple[str, ...]) -> str:
    return "\n".join([signature, *made_for])


_ELF_HEADER = struct.Struct("<4sBB10xHH")
_X86_64_OBJECT = (b"\x7fELF", 2, 1, 1, 62)  # 64 bits, little-endian, relocatable, x86-64
_SYMBOL_TABLE = 2


def _can_be_read(code: bytes) -> bool:
    return len(code) > 64 and _ELF_HEADER.unpack_from(code) == _X86_64_OBJECT


def _externals(code: bytes) -> tuple[str, ...]:
    """List the names that an ELF object file refers to without defining them."""
    (sections_at,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, sections_at + i * size) for i in range(count)]
    names = []
    for _, kind, _, _, start, length, link, _, _, entry in sections:
        if kind != _SYMBOL_TABLE:
            continue
        texts_at = sections[link][4]
        for at in range(start, start + length, entry):
            text_at, _, _, section = struct.unpack_from("<IBBH", code, at)
            name = code[texts_at + text_at : code.index(b"\0", texts_at + text_at)].decode()
            if section == 0 and name:
                names.append(name)
    return tuple(names)


def _library(name: str) -> ModuleType:
    """Import one of numba's libraries without numba; if numba is imported later, it finds it under this name."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec("numba")
    assert spec is not None
    assert spec.origin is not None
    stem = Path(spec.origin).parent.joinpath(*name.split(".")[1:])
    path = next(path for suffix in EXTENSION_SUFFIXES if (path := Path(f"{stem}{suffix}")).is_file())
    spec = importlib.util.spec_from_file_location(name, path, loader=ExtensionFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    sys.modules[name] = library
    return library


_dynfunc: Any = _library("numba._dynfunc")


def _name_symbols() -> None:
    """Tell LLVM where things are that compiled kernels refer to, as numba does."""
    counting: Any = _library("numba.core.runtime._nrt_python")
    counting.memsys_use_cpython_allocator()
    addresses = {"_Py_NoneStruct": id(None)}
    helpers: Any = _library("numba._helperlib")
    for library in (helpers, _dynfunc):
        addresses |= {f"numba_{name}": address for name, address in library.c_helpers.items()}
    for name, address in counting.c_helpers.items():
        addresses[name if name.startswith("_") else f"NRT_{name}"] = address
    for error in vars(builtins).values():
        if isinstance(error, type) and issubclass(error, BaseException):
            addresses[f"PyExc_{error.__name__}"] = id(error)
    for name, address in addresses.items():
        llvm.add_symbol(name, address)


llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
_engine()  # the first one makes LLVM look for names in the process
_name_symbols()
