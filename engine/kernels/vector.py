"""Sums and products of four float64 in a row, for kernels that go over the four suits of a rank.

Each function reads all that it needs before it writes: the compiler cannot know that two arrays do not overlap, and
only so makes one instruction of four. Places are unsigned, for numba lets signed ones count from the end. Nothing
is checked: arrays are flat, C-ordered float64, and elements `at` to `at + 3` exist.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel

Floats = NDArray[np.float64]

_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)


@kernel
def _set4(target: Floats, at: np.uint64, a: float, b: float, c: float, d: float) -> None:
    target[at] = a
    target[at + _1] = b
    target[at + _2] = c
    target[at + _3] = d


@kernel
def set_scaled4(target: Floats, at: int, factor: float, source: Floats, start: int) -> None:
    """Set four elements of `target` to `factor` times four of `source`."""
    i, j = np.uint64(at), np.uint64(start)
    a, b, c, d = source[j], source[j + _1], source[j + _2], source[j + _3]
    _set4(target, i, factor * a, factor * b, factor * c, factor * d)


@kernel
def add_scaled4(target: Floats, at: int, factor: float, source: Floats, start: int) -> None:
    """Add `factor` times four elements of `source` to four of `target`."""
    i, j = np.uint64(at), np.uint64(start)
    a, b = target[i] + factor * source[j], target[i + _1] + factor * source[j + _1]
    c, d = target[i + _2] + factor * source[j + _2], target[i + _3] + factor * source[j + _3]
    _set4(target, i, a, b, c, d)


@kernel
def add_product4(
    target: Floats, at: int, factor: float, left: Floats, left_at: int, right: Floats, right_at: int
) -> None:
    """Add `factor` times the products of four elements of `left` and of `right` to four of `target`."""
    i, j, k = np.uint64(at), np.uint64(left_at), np.uint64(right_at)
    a, b = target[i] + factor * (left[j] * right[k]), target[i + _1] + factor * (left[j + _1] * right[k + _1])
    c = target[i + _2] + factor * (left[j + _2] * right[k + _2])
    d = target[i + _3] + factor * (left[j + _3] * right[k + _3])
    _set4(target, i, a, b, c, d)


@kernel
def add_masked4(
    target: Floats, at: int, mask: Floats, mask_at: int, number: float, less: Floats, less_at: int
) -> None:
    """Add a number less four elements of `less`, times a mask, to four of `target`."""
    i, j, k = np.uint64(at), np.uint64(mask_at), np.uint64(less_at)
    a, b = target[i] + mask[j] * (number - less[k]), target[i + _1] + mask[j + _1] * (number - less[k + _1])
    c = target[i + _2] + mask[j + _2] * (number - less[k + _2])
    d = target[i + _3] + mask[j + _3] * (number - less[k + _3])
    _set4(target, i, a, b, c, d)


@kernel
def dot4(left: Floats, left_at: int, right: Floats, right_at: int) -> float:
    """Return the sum of four products, (0 + 1) + (2 + 3)."""
    j, k = np.uint64(left_at), np.uint64(right_at)
    front = left[j] * right[k] + left[j + _1] * right[k + _1]
    return front + (left[j + _2] * right[k + _2] + left[j + _3] * right[k + _3])  # type: ignore[no-any-return]


@kernel
def pass4(
    total: Floats, at: int, before: float, weights: Floats, start: int, after: float, seen: Floats, seen_at: int
) -> None:
    """Add `before` times weights to a total, the total to `seen`, and `after` times the weights to the total."""
    i, j, k = np.uint64(at), np.uint64(start), np.uint64(seen_at)
    w, x, y, z = weights[j], weights[j + _1], weights[j + _2], weights[j + _3]
    a, b = total[i] + before * w, total[i + _1] + before * x
    c, d = total[i + _2] + before * y, total[i + _3] + before * z
    e, f, g, h = seen[k] + a, seen[k + _1] + b, seen[k + _2] + c, seen[k + _3] + d
    _set4(total, i, a + after * w, b + after * x, c + after * y, d + after * z)
    _set4(seen, k, e, f, g, h)


@kernel
def set_difference4(
    target: Floats, at: int, number: float, less: Floats, less_at: int, factor: float, more: Floats, more_at: int
) -> None:
    """Set four of `target` to a number less four of `less` plus `factor` times four of `more`."""
    i, j, k = np.uint64(at), np.uint64(less_at), np.uint64(more_at)
    a, b = number - less[j] + factor * more[k], number - less[j + _1] + factor * more[k + _1]
    c, d = number - less[j + _2] + factor * more[k + _2], number - less[j + _3] + factor * more[k + _3]
    _set4(target, i, a, b, c, d)


@kernel
def sum_square4(sums: Floats, at: int, source: Floats, first: int, width: int) -> None:
    """Set four elements to the sums of four rows of four, `width` apart, and the next four to those of columns."""
    i, j, k = np.uint64(at), np.uint64(first), np.uint64(width)
    a, b, c, d = source[j], source[j + _1], source[j + _2], source[j + _3]
    j += k
    e, f, g, h = source[j], source[j + _1], source[j + _2], source[j + _3]
    j += k
    t, m, n, o = source[j], source[j + _1], source[j + _2], source[j + _3]
    j += k
    p, q, r, s = source[j], source[j + _1], source[j + _2], source[j + _3]
    _set4(sums, i, (a + b) + (c + d), (e + f) + (g + h), (t + m) + (n + o), (p + q) + (r + s))
    _set4(sums, i + np.uint64(4), (a + e) + (t + p), (b + f) + (m + q), (c + g) + (n + r), (d + h) + (o + s))
