"""Sums and products of four float64 at once, for kernels that go over the four suits of a rank.

numba does not turn such short loops into vector instructions: the compiler cannot know that two arrays do not
overlap, and its pass that joins single statements is off. Here each call is a few instructions where the machine
has AVX, twice as many elsewhere, and one statement for numba to compile. Nothing is checked: arrays are flat,
C-ordered float64, and elements `at` to `at + 3` exist.

Outside of kernels the same functions do the same in numpy. Importing this module does not import numba.
"""

import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")


class _Instruction(Generic[P, R]):
    """A function of Python for which kernels get instructions.

    Parameters
    ----------
    function : callable
        Takes factors, and arrays each followed by a place in it; gives a float or nothing.
    write : callable
        Writes the instructions: takes LLVM's builder and, in the same order, each factor spread to four and the
        address of the four elements of each array; gives the answer, if any.
    """

    def __init__(self, function: Callable[P, R], write: Callable[..., Any]) -> None:
        self.__wrapped__, self.__doc__, self.__name__ = function, function.__doc__, function.__name__
        self._write = write
        self._intrinsic: Any = None

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self.__wrapped__(*arguments, **named)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for when a kernel calls this."""
        from numba.core.registry import cpu_target

        if self._intrinsic is None:
            self._intrinsic = self._make_intrinsic()
            cpu_target.typing_context.refresh()  # it looks for new ones only then
        return cpu_target.typing_context.resolve_value_type(self._intrinsic)

    def _make_intrinsic(self) -> Any:
        from numba import types
        from numba.extending import intrinsic

        signature = inspect.signature(self.__wrapped__)
        answer = types.float64 if signature.return_annotation is float else types.void

        def typed(_context: Any, *given: Any) -> Any:
            return answer(*(types.intp if isinstance(one, types.Integer) else one for one in given)), self._build

        context = inspect.Parameter("_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        # numba wants to know how many arguments there are.
        typed.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[context, *signature.parameters.values()]
        )
        return intrinsic(typed)

    def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir
        from numba import types

        four = ir.VectorType(ir.DoubleType(), 4)
        operands = []
        for i, kind in enumerate(signature.args):
            if isinstance(kind, types.Array):
                data = context.make_array(kind)(context, builder, arguments[i]).data
                place = builder.gep(data, [arguments[i + 1]])
                operands.append(builder.bitcast(place, four.as_pointer()))
            elif isinstance(kind, types.Float):
                factor = ir.Constant(four, ir.Undefined)
                for lane in range(4):
                    factor = builder.insert_element(factor, arguments[i], ir.Constant(ir.IntType(32), lane))
                operands.append(factor)
        answer = self._write(builder, *operands)
        return context.get_dummy_value() if answer is None else answer


def _written_by(write: Callable[..., Any]) -> Callable[[Callable[P, R]], _Instruction[P, R]]:
    return lambda function: _Instruction(function, write)


def _load(builder: Any, place: Any) -> Any:
    return builder.load(place, align=8)


def _write_set_scaled(builder: Any, target: Any, factor: Any, source: Any) -> None:
    builder.store(builder.fmul(factor, _load(builder, source)), target, align=8)


@_written_by(_write_set_scaled)
def set_scaled4(
    target: NDArray[np.float64], at: int, factor: float, source: NDArray[np.float64], start: int
) -> None:
    """Set four elements of `target` to `factor` times four of `source`."""
    target[at : at + 4] = factor * source[start : start + 4]


def _write_add_scaled(builder: Any, target: Any, factor: Any, source: Any) -> None:
    scaled = builder.fmul(factor, _load(builder, source))
    builder.store(builder.fadd(_load(builder, target), scaled), target, align=8)


@_written_by(_write_add_scaled)
def add_scaled4(
    target: NDArray[np.float64], at: int, factor: float, source: NDArray[np.float64], start: int
) -> None:
    """Add `factor` times four elements of `source` to four of `target`."""
    target[at : at + 4] += factor * source[start : start + 4]


def _write_add_product(builder: Any, target: Any, factor: Any, left: Any, right: Any) -> None:
    product = builder.fmul(factor, builder.fmul(_load(builder, left), _load(builder, right)))
    builder.store(builder.fadd(_load(builder, target), product), target, align=8)


@_written_by(_write_add_product)
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


def _write_add_masked(
    builder: Any, target: Any, mask: Any, number: Any, left: Any, factor: Any, right: Any
) -> None:
    value = builder.fsub(number, _load(builder, left))
    value = builder.fadd(value, builder.fmul(factor, _load(builder, right)))
    value = builder.fmul(_load(builder, mask), value)
    builder.store(builder.fadd(_load(builder, target), value), target, align=8)


@_written_by(_write_add_masked)
def add_masked4(
    target: NDArray[np.float64],
    at: int,
    mask: NDArray[np.float64],
    mask_at: int,
    number: float,
    left: NDArray[np.float64],
    left_at: int,
    factor: float,
    right: NDArray[np.float64],
    right_at: int,
) -> None:
    """Add to four of `target`, times a mask, a number less four of `left` plus `factor` times four of `right`."""
    value = number - left[left_at : left_at + 4] + factor * right[right_at : right_at + 4]
    target[at : at + 4] += mask[mask_at : mask_at + 4] * value


def _write_dot(builder: Any, left: Any, right: Any) -> Any:
    from llvmlite import ir

    product = builder.fmul(_load(builder, left), _load(builder, right))
    lanes = [builder.extract_element(product, ir.Constant(ir.IntType(32), lane)) for lane in range(4)]
    return builder.fadd(builder.fadd(lanes[0], lanes[1]), builder.fadd(lanes[2], lanes[3]))


@_written_by(_write_dot)
def dot4(left: NDArray[np.float64], left_at: int, right: NDArray[np.float64], right_at: int) -> float:
    """Give the sum of four products, (0 + 1) + (2 + 3)."""
    four = left[left_at : left_at + 4] * right[right_at : right_at + 4]
    return float((four[0] + four[1]) + (four[2] + four[3]))


def _write_pass(builder: Any, total: Any, before: Any, weights: Any, after: Any, seen: Any) -> None:
    weight, old = _load(builder, weights), _load(builder, total)
    between = builder.fadd(old, builder.fmul(before, weight))
    builder.store(builder.fadd(_load(builder, seen), between), seen, align=8)
    builder.store(builder.fadd(between, builder.fmul(after, weight)), total, align=8)


@_written_by(_write_pass)
def pass4(
    total: NDArray[np.float64],
    at: int,
    before: float,
    weights: NDArray[np.float64],
    start: int,
    after: float,
    seen: NDArray[np.float64],
    seen_at: int,
) -> None:
    """Add `before` times weights to a total, the total to `seen`, and `after` times the weights to the total."""
    total[at : at + 4] += before * weights[start : start + 4]
    seen[seen_at : seen_at + 4] += total[at : at + 4]
    total[at : at + 4] += after * weights[start : start + 4]


def _write_set_beside(builder: Any, target: Any, number: Any, left: Any, factor: Any, right: Any) -> None:
    value = builder.fsub(number, _load(builder, left))
    value = builder.fadd(value, builder.fmul(factor, _load(builder, right)))
    builder.store(value, target, align=8)


@_written_by(_write_set_beside)
def set_beside4(
    target: NDArray[np.float64],
    at: int,
    number: float,
    left: NDArray[np.float64],
    left_at: int,
    factor: float,
    right: NDArray[np.float64],
    right_at: int,
) -> None:
    """Set four of `target` to a number less four of `left` plus `factor` times four of `right`."""
    target[at : at + 4] = number - left[left_at : left_at + 4] + factor * right[right_at : right_at + 4]


def _write_sum_square(builder: Any, by_row: Any, by_column: Any, *places: Any) -> None:
    from llvmlite import ir

    def shuffled(left: Any, right: Any, lanes: list[int]) -> Any:
        return builder.shuffle_vector(left, right, ir.Constant(ir.VectorType(ir.IntType(32), 4), lanes))

    rows = [_load(builder, place) for place in places]
    columns = builder.fadd(builder.fadd(rows[0], rows[1]), builder.fadd(rows[2], rows[3]))
    halves = []
    for i in (0, 2):
        even, odd = (shuffled(rows[i], rows[i + 1], [lane, 4 + lane, lane + 2, lane + 6]) for lane in (0, 1))
        halves.append(builder.fadd(even, odd))
    sums = builder.fadd(shuffled(halves[0], halves[1], [0, 1, 4, 5]), shuffled(halves[0], halves[1], [2, 3, 6, 7]))
    builder.store(sums, by_row, align=8)
    builder.store(columns, by_column, align=8)


@_written_by(_write_sum_square)
def sum_square4(
    by_row: NDArray[np.float64],
    row_at: int,
    by_column: NDArray[np.float64],
    column_at: int,
    first: NDArray[np.float64],
    first_at: int,
    second: NDArray[np.float64],
    second_at: int,
    third: NDArray[np.float64],
    third_at: int,
    fourth: NDArray[np.float64],
    fourth_at: int,
) -> None:
    """Set four elements to the sums of four rows of four, and four others to the sums of their columns."""
    rows = np.stack(
        [
            first[first_at : first_at + 4],
            second[second_at : second_at + 4],
            third[third_at : third_at + 4],
            fourth[fourth_at : fourth_at + 4],
        ]
    )
    by_row[row_at : row_at + 4] = (rows[:, 0] + rows[:, 1]) + (rows[:, 2] + rows[:, 3])
    by_column[column_at : column_at + 4] = (rows[0] + rows[1]) + (rows[2] + rows[3])
