"""Four at once against one by one."""

import os
import subprocess
import sys

import numpy as np
import pytest

from engine.kernels.jit import kernel
from engine.kernels.vector import (
    add_masked4,
    add_product4,
    add_scaled4,
    dot4,
    pass4,
    set_difference4,
    set_scaled4,
    sum_square4,
)


@kernel
def every_function(target: np.ndarray, left: np.ndarray, right: np.ndarray) -> float:
    add_scaled4(target, 1, 0.5, left, 2)
    add_product4(target, 5, -2.0, left, 0, right, 3)
    set_scaled4(target, 9, 3.0, right, 1)
    add_masked4(target, 18, left, 0, 0.25, right, 2)
    set_difference4(target, 22, 0.75, left, 3, -2.0, right, 1)
    sum_square4(target, 26, left, 0, 2)
    total = dot4(left, 3, right, 2)
    pass4(target, 13, 0.5, left, 1, 2.0, right, 4)
    return total


@pytest.mark.slow  # compiling them takes seconds; what test_sweep counts is counted by them
def test_every_function() -> None:
    left, right = np.random.default_rng(1).integers(-9, 9, (2, 10)).astype(np.float64)
    target = np.arange(34.0)
    expected, passed = target.copy(), right.copy()
    square = np.array([left[row : row + 4] for row in (0, 2, 4, 6)])
    for i in range(4):
        expected[22 + i] = 0.75 - left[3 + i] - 2 * right[1 + i]
        expected[26 + i], expected[30 + i] = square[i].sum(), square[:, i].sum()
        expected[1 + i] += 0.5 * left[2 + i]
        expected[5 + i] -= 2 * left[i] * right[3 + i]
        expected[9 + i] = 3 * right[1 + i]
        expected[18 + i] += left[i] * (0.25 - right[2 + i])
        passed[4 + i] += expected[13 + i] + 0.5 * left[1 + i]
        expected[13 + i] += 2.5 * left[1 + i]
    total = sum(left[3 + i] * right[2 + i] for i in range(4))
    assert every_function(target, left, right) == total
    assert np.array_equal(target, expected)
    assert np.array_equal(right, passed)


def test_the_same_without_machine_code() -> None:
    code = f"import sys; sys.path.insert(0, {os.getcwd()!r}); import tests.engine.kernels.test_vector as t; "
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", code + "t.test_every_function()"], env=environment, check=True)
