"""Sets kept as the bits of a number, such as the cards that are left."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import IS_INTERPRETED, inlined

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EACH_BYTE = np.uint64(0x0101010101010101)
_TOP_BITS = np.uint64(0x8080808080808080)
_BYTE = np.uint64(255)

_SLOW_DEPOSITS = ("bdver4", "znver1", "znver2")
"""AMD's processors before 2020 have the instruction, in microcode that takes hundreds of cycles."""


def _places_in_bytes() -> NDArray[np.uint8]:
    """Give, at `8 * byte + n`, the place of the n-th set bit of a byte: shape (2048,)."""
    places = np.zeros((256, 8), dtype=np.uint8)
    for byte in range(256):
        found = [bit for bit in range(8) if byte >> bit & 1]
        places[byte, : len(found)] = found
    return places.ravel()


_PLACE = _places_in_bytes()


@inlined
def nth_set_bit_by_bytes(bits: np.uint64, n: np.uint64) -> np.uint64:
    """Give what `nth_set_bit` gives, on any machine.

    The sums of set bits up to each byte say which byte holds it (Vigna, 2008, "Broadword implementation of
    rank/select queries", algorithm 2).

    Examples
    --------
    >>> nth_set_bit_by_bytes(np.uint64(0b10110), np.uint64(2))
    4
    """
    sums = bits - ((bits >> _ONE) & _ODD)
    sums = (sums & _PAIRS) + ((sums >> np.uint64(2)) & _PAIRS)
    sums = ((sums + (sums >> np.uint64(4))) & _NIBBLES) * _EACH_BYTE
    before = (((n * _EACH_BYTE) | _TOP_BITS) - sums) & _TOP_BITS
    place = ((((before >> np.uint64(7)) * _EACH_BYTE) >> np.uint64(56)) << np.uint64(3)) & np.uint64(56)
    rest = n - (((sums << np.uint64(8)) >> place) & _BYTE)
    byte = (bits >> place) & _BYTE
    return place + np.uint64(_PLACE[((byte << np.uint64(3)) + rest) & np.uint64(2047)])


class _ByProcessor:
    """A function of kernels for which the compiler chooses the processor's own instructions if there are any."""

    def __call__(self, bits: np.uint64, n: np.uint64) -> np.uint64:
        return nth_set_bit_by_bytes(bits, n)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for when a kernel calls it."""
        return _by_processor()._numba_type_


@cache
def _by_processor() -> Any:
    """Give the function as numba compiles it: two instructions where the processor can deposit bits."""
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    portable: Any = nth_set_bit_by_bytes

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, processor, features = context.codegen().magic_tuple()
        if "+bmi2" not in features.split(",") or processor in _SLOW_DEPOSITS:
            return context.compile_internal(builder, portable.py_func, signature, arguments)
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        chosen = builder.call(deposit, [builder.shl(word(1), arguments[1]), arguments[0]])
        return builder.cttz(chosen, ir.IntType(1)(1))

    @intrinsic  # type: ignore[untyped-decorator]
    def deposit(_typing_context: Any, bits: Any, n: Any) -> Any:
        return types.uint64(types.uint64, types.uint64), generate

    return numba.njit(nogil=True, forceinline=True, _nrt=False)(lambda bits, n: deposit(bits, n))


nth_set_bit = nth_set_bit_by_bytes if IS_INTERPRETED else _ByProcessor()
"""Give the place of the n-th set bit of a number that has more than `n`, both counted from 0, the lowest bit first.

Like an inlined kernel it takes and gives `uint64`. It is the same on every machine.
"""
