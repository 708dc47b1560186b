"""Sums and products of four float64 at once, for kernels that go over the four suits of a rank.

numba does not turn such short loops into vector instructions: the compiler cannot know that two arrays do not
overlap, and its pass that joins single statements is off. Here each call is a few instructions where the machine
has AVX, twice as many elsewhere, and one statement for numba to compile. Nothing is checked: arrays are flat,
C-ordered float64, and elements `at` to `at + 3` exist.

With `NUMBA_DISABLE_JIT=1` the same names do the same in numpy.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

_DOUBLE = ir.DoubleType()
_FOUR = ir.VectorType(_DOUBLE, 4)


def add_scaled4(
    target: NDArray[np.float64], at: int, factor: float, source: NDArray[np.float64], start: int
) -> None:
    """Add `factor` times four elements of `source` to four of `target`."""
    target[at : at + 4] += factor * source[start : start + 4]


def set_scaled4(
    target: NDArray[np.float64], at: int, factor: float, source: NDArray[np.float64], start: int
) -> None:
    """Set four elements of `target` to `factor` times four of `source`."""
    target[at : at + 4] = factor * source[start : start + 4]


def add_product4(
    target: NDArray[np.float64],
    at: int,
    factor: float,
    left: NDArray[np.float64],
    left_at: int,
    right: NDArray[np.float64],
    right_at: int,
) -> None:
    """Add `factor` times the products of four elements of `left` and of `right` to four of `target`."""
    target[at : at + 4] += factor * (left[left_at : left_at + 4] * right[right_at : right_at + 4])


def dot4(left: NDArray[np.float64], left_at: int, right: NDArray[np.float64], right_at: int) -> float:
    """Give the sum of four products, (0 + 1) + (2 + 3)."""
    four = left[left_at : left_at + 4] * right[right_at : right_at + 4]
    return float((four[0] + four[1]) + (four[2] + four[3]))


def _address(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), _FOUR.as_pointer())


def _splat(builder: Any, number: Any) -> Any:
    four = ir.Constant(_FOUR, ir.Undefined)
    for lane in range(4):
        four = builder.insert_element(four, number, ir.Constant(ir.IntType(32), lane))
    return four


def _build_scaled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    source = _address(context, builder, signature.args[3], arguments[3], arguments[4])
    return builder.fmul(_splat(builder, arguments[2]), builder.load(source, align=8))


def _build_set_scaled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    target = _address(context, builder, signature.args[0], arguments[0], arguments[1])
    builder.store(_build_scaled(context, builder, signature, arguments), target, align=8)
    return context.get_dummy_value()


def _build_add_scaled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    target = _address(context, builder, signature.args[0], arguments[0], arguments[1])
    product = _build_scaled(context, builder, signature, arguments)
    builder.store(builder.fadd(builder.load(target, align=8), product), target, align=8)
    return context.get_dummy_value()


def _build_product(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    left, right = (
        builder.load(_address(context, builder, signature.args[i], arguments[i], arguments[i + 1]), align=8)
        for i in (len(arguments) - 4, len(arguments) - 2)
    )
    return builder.fmul(left, right)


def _build_add_product(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    target = _address(context, builder, signature.args[0], arguments[0], arguments[1])
    product = builder.fmul(_splat(builder, arguments[2]), _build_product(context, builder, signature, arguments))
    builder.store(builder.fadd(builder.load(target, align=8), product), target, align=8)
    return context.get_dummy_value()


def _build_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    product = _build_product(context, builder, signature, arguments)
    lanes = [builder.extract_element(product, ir.Constant(ir.IntType(32), lane)) for lane in range(4)]
    return builder.fadd(builder.fadd(lanes[0], lanes[1]), builder.fadd(lanes[2], lanes[3]))


if not numba.config.DISABLE_JIT:
    _at = types.intp

    @intrinsic  # type: ignore[untyped-decorator]
    def _add_scaled4(_typing: Any, target: Any, at: Any, factor: Any, source: Any, start: Any) -> Any:
        return types.void(target, _at, types.float64, source, _at), _build_add_scaled

    @intrinsic  # type: ignore[untyped-decorator]
    def _set_scaled4(_typing: Any, target: Any, at: Any, factor: Any, source: Any, start: Any) -> Any:
        return types.void(target, _at, types.float64, source, _at), _build_set_scaled

    @intrinsic  # type: ignore[untyped-decorator]
    def _add_product4(
        _typing: Any, target: Any, at: Any, factor: Any, left: Any, left_at: Any, right: Any, right_at: Any
    ) -> Any:
        return types.void(target, _at, types.float64, left, _at, right, _at), _build_add_product

    @intrinsic  # type: ignore[untyped-decorator]
    def _dot4(_typing: Any, left: Any, left_at: Any, right: Any, right_at: Any) -> Any:
        return types.float64(left, _at, right, _at), _build_dot

    add_scaled4, set_scaled4, add_product4, dot4 = _add_scaled4, _set_scaled4, _add_product4, _dot4
