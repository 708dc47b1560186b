"""The learned reader's arithmetic: layers of a network, and Bayes' rule.

numpy would do the same, but its matrix products wake all threads of its BLAS, which then spin: on two busy cores a
product of a tenth of a millisecond takes six. And most numbers here are 0: features are mostly one-hot, and half
of what a layer gives is cut off.
"""

from math import exp

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel, register_warm_up

CHOICE_COUNT = 8

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


@kernel
def share_out(numbers: Floats, possible: NDArray[np.bool_]) -> None:
    """Turn each row's numbers into probabilities of the choices that are possible, proportional to exp(number).

    Parameters
    ----------
    numbers : ndarray of float32, shape (n, 8)
        Takes the probabilities, which sum to 1.
    possible : ndarray of bool, shape (8,)
        One of them at least.
    """
    for i in range(len(numbers)):
        largest = np.float32(-np.inf)
        for k in range(CHOICE_COUNT):
            if possible[k]:
                largest = max(largest, numbers[i, k])
        total = np.float32(0.0)
        for k in range(CHOICE_COUNT):
            # What is common to a row is taken off so that no exponential is too large.
            value = np.float32(exp(numbers[i, k] - largest)) if possible[k] else np.float32(0.0)
            numbers[i, k] = value
            total += value
        for k in range(CHOICE_COUNT):
            numbers[i, k] /= total


@kernel
def weigh_choice(
    probabilities: Floats,
    factors: NDArray[np.float64],
    exponent: float,
    choice: int,
    live: NDArray[np.bool_],
    weights: NDArray[np.float64],
    likelihood: Floats,
) -> float:
    """Do Bayes' rule for one choice: multiply a range by P(choice | combo), and give its mean.

    Parameters
    ----------
    probabilities : ndarray of float32, shape (n, 8)
        P(choice | combo) of the model.
    factors : ndarray of float64, shape (8,)
        On the odds of each choice: what is known of the player. Rows are scaled to sum to 1 again.
    exponent : float
        Of the probability that is taken; 1 takes it as it is.
    choice : int
        0 to 7.
    live : ndarray of bool, shape (n,)
        Combos that nothing blocks now.
    weights : ndarray of float64, shape (n,)
        The range before, of any sum above 0; takes the products, 0 for blocked combos.
    likelihood : ndarray of float32, shape (n,)
        Takes P(choice | combo) to the exponent; 0 for blocked combos.

    Returns
    -------
    float
        The mean of the likelihood over the live part of the range before.
    """
    before = after = 0.0
    for i in range(len(weights)):
        odds = 0.0
        for k in range(CHOICE_COUNT):
            odds += probabilities[i, k] * factors[k]
        likely = probabilities[i, choice] * factors[choice] / odds if live[i] else 0.0
        if exponent != 1.0:
            likely = likely**exponent
        if live[i]:
            before += weights[i]
        weights[i] *= likely
        after += weights[i]
        likelihood[i] = likely
    return after / before


def _prepare() -> None:
    """Run every kernel once on arguments of the types that the learned reader has."""
    inputs, live = np.ones((1, CHOICE_COUNT), dtype=np.float32), np.ones(1, dtype=np.bool_)
    inputs.setflags(write=False)
    rows, row, weights = np.ones((1, 8), np.float32), np.ones(8, np.float32), np.ones((8, 8), np.float32)
    add_layer(inputs, row, 0.0, weights, row, np.ones(12, np.float32), np.ones(12, np.uint64), rows)
    share_out(rows, np.ones(8, dtype=np.bool_))
    weigh_choice(inputs, np.ones(8), 1.0, 0, live, np.ones(1), np.ones(1, np.float32))


register_warm_up("reading hands", _prepare)
