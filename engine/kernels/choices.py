"""The layers of the learned reader's networks.

numpy would do the same, but its matrix products wake all threads of its BLAS, which then spin: on two busy cores a
product of a tenth of a millisecond takes six. And most numbers here are 0: features are mostly one-hot, and half
of what a layer gives is cut off.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel, register_warm_up

Floats = NDArray[np.float32]


@kernel
def add_layer(
    inputs: Floats,
    shift: Floats,
    floor: float,
    weights: Floats,
    bias: Floats,
    values: Floats,
    used: NDArray[np.uint64],
    out: Floats,
) -> None:
    """Write `bias + max(inputs + shift, floor) @ weights`, going over the numbers that are not 0.

    Parameters
    ----------
    inputs : ndarray of float32, shape (n, inputs)
    shift : ndarray of float32, shape (inputs,)
    floor : float
        0 for a rectifier, minus infinity for none.
    weights : ndarray of float32, shape (inputs, outputs)
    bias : ndarray of float32, shape (outputs,)
    values : ndarray of float32, shape (inputs + 4,)
    used : ndarray of uint64, shape (inputs + 4,)
        Both are written over.
    out : ndarray of float32, shape (n, outputs)
    """
    count_of_outputs = weights.shape[1]
    least = np.float32(floor)
    for i in range(len(inputs)):
        count = 0
        for j in range(inputs.shape[1]):
            value = max(inputs[i, j] + shift[j], least)
            used[count] = j
            values[count] = value
            count += value != np.float32(0.0)
        while count & 3 != 0:  # in fours
            values[count] = 0
            used[count] = 0
            count += 1
        for k in range(count_of_outputs):
            out[i, k] = bias[k]
        for at in range(0, count, 4):
            a, b, c, d = used[at], used[at + 1], used[at + 2], used[at + 3]
            first, second, third, fourth = values[at], values[at + 1], values[at + 2], values[at + 3]
            for k in range(count_of_outputs):
                left = first * weights[a, k] + second * weights[b, k]
                out[i, k] += left + (third * weights[c, k] + fourth * weights[d, k])


def _prepare() -> None:
    """Run the kernel once on arguments of the types that the learned reader has."""
    inputs, row, weights = np.ones((1, 8), np.float32), np.ones(8, np.float32), np.ones((8, 8), np.float32)
    out = np.ones((1, 8), np.float32)
    inputs.setflags(write=False)
    add_layer(inputs, row, 0.0, weights, row, np.ones(12, np.float32), np.ones(12, np.uint64), out)


register_warm_up("reading hands", _prepare)
