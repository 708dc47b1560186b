"""The policy network: two stacks of LSTM layers, and a head that reads both.

All weights are one vector, so that evolution can cut it anywhere. It holds the layers of the opponent's stack,
those of the game's stack and those of the head, in this order. A layer of `n` inputs and `m` outputs is a matrix of
`n + 1` rows and `m` columns, row by row, the last row the bias; an LSTM layer of `m` cells has as inputs what comes
from below and then its own outputs of the step before, and as outputs the input gates, the forget gates, the values
and the output gates of all cells.

Source of the layers: Hochreiter and Schmidhuber, 1997, "Long short-term memory", with the forget gates of Gers,
Schmidhuber and Cummins, 2000.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.evolved.tree import ACTIONS, OPPONENT_FEATURES
from engine.kernels.jit import kernel

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

GAME_FEATURES = 6
FEATURES = OPPONENT_FEATURES + GAME_FEATURES
"""Those of the opponent come first."""

OUTPUTS = ACTIONS + 1
"""Fold, check or call, raises of seven sizes, and all-in."""

STEPS, LAYERS, OPPONENT_WIDTH, GAME_WIDTH, HEAD = range(5)
"""Places in a shape; from `HEAD` on the widths of the head's hidden layers."""

_MOST = np.float32(4.97)
_ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
_A, _B, _C = np.float32(135135.0), np.float32(17325.0), np.float32(378.0)
_D, _E, _F = np.float32(62370.0), np.float32(3150.0), np.float32(28.0)


class Net(NamedTuple):
    """A network's weights, float32, shape (`weight_count(shape)`,), its shape, and the scale of its features.

    A feature is 0 to 1, and goes in as its distance from 1/2 times the scale.
    """

    weights: Floats
    shape: Integers
    scale: np.float32


class State(NamedTuple):
    """What a network has seen of a hand, and room to think.

    Attributes
    ----------
    rows : ndarray of float32, shape (steps, FEATURES)
        The features of the last decisions.
    seen : ndarray of int64, shape (1,)
        How many decisions there were.
    opponent, opponent_cells, game, game_cells : ndarray of float32, shape (layers, width)
        Outputs and cells of both stacks.
    inputs, outputs : ndarray of float32
        Room for a layer.
    logits : ndarray of float32, shape (OUTPUTS,)
    probabilities : ndarray of float64, shape (OUTPUTS,)
    """

    rows: Floats
    seen: Integers
    opponent: Floats
    opponent_cells: Floats
    game: Floats
    game_cells: Floats
    inputs: Floats
    outputs: Floats
    logits: Floats
    probabilities: NDArray[np.float64]


def weight_count(shape: Integers) -> int:
    """Return how many weights a network of such a shape has."""
    layers, total = int(shape[LAYERS]), 0
    for width, below in ((shape[OPPONENT_WIDTH], OPPONENT_FEATURES), (shape[GAME_WIDTH], GAME_FEATURES)):
        for layer in range(layers):
            total += int((width if layer else below) + width + 1) * 4 * int(width)
    widths = [int(shape[OPPONENT_WIDTH] + shape[GAME_WIDTH]), *map(int, shape[HEAD:]), OUTPUTS]
    return total + sum((inputs + 1) * outputs for inputs, outputs in pairwise(widths))


def new_states(shape: Integers, networks: int) -> State:
    """Return the states of several networks at the beginning of a hand: arrays with one dimension more in front."""
    return State._make(np.stack([array] * networks) for array in new_state(shape))


def new_state(shape: Integers) -> State:
    """Return the state at the beginning of a hand."""
    opponent, game = (
        np.zeros((int(shape[LAYERS]), int(width)), np.float32)
        for width in (shape[OPPONENT_WIDTH], shape[GAME_WIDTH])
    )
    both, most = opponent.shape[1] + game.shape[1], max(opponent.shape[1], game.shape[1])
    room = max(both, 2 * most + FEATURES, 4 * most, OUTPUTS, *map(int, shape[HEAD:]))
    return State(
        np.zeros((int(shape[STEPS]), FEATURES), np.float32),
        np.zeros(1, np.int64),
        opponent,
        opponent.copy(),
        game,
        game.copy(),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(OUTPUTS, np.float32),
        np.zeros(OUTPUTS),
    )


@kernel
def begin_hand(states: State) -> None:
    """Let several networks forget the hand before (`new_states`)."""
    for at in range(len(states.seen)):
        states.seen[at, 0] = 0
        _forget(states.opponent[at])
        _forget(states.opponent_cells[at])
        _forget(states.game[at])
        _forget(states.game_cells[at])


@kernel
def _forget(values: Floats) -> None:
    for layer in range(values.shape[0]):
        for at in range(values.shape[1]):
            values[layer, at] = _ZERO


@kernel
def think(net: Net, state: State, features: Floats) -> None:
    """Take in the features of one more decision of the hand, shape (FEATURES,), and write the logits.

    The stacks see the last decisions in order, as many as the shape has steps, from a state of zeros.
    """
    rows, count = state.rows, state.seen[0]
    steps = len(rows)
    state.seen[0] = count + 1
    if count < steps:
        for at in range(FEATURES):
            rows[count, at] = features[at]
        _step(net, state, rows[count])
    else:
        for at in range(FEATURES):
            for row in range(1, steps):
                rows[row - 1, at] = rows[row, at]
            rows[steps - 1, at] = features[at]
        _forget(state.opponent)
        _forget(state.opponent_cells)
        _forget(state.game)
        _forget(state.game_cells)
        for row in range(steps):
            _step(net, state, rows[row])
    _run_head(net, state)


@kernel
def _step(net: Net, state: State, features: Floats) -> None:
    """Let both stacks take one step."""
    start = np.uint64(0)
    for stack in range(2):
        if stack == 0:
            hidden, cells, first, count = state.opponent, state.opponent_cells, 0, OPPONENT_FEATURES
        else:
            hidden, cells, first, count = state.game, state.game_cells, OPPONENT_FEATURES, GAME_FEATURES
        inputs, outputs, width = state.inputs, state.outputs, hidden.shape[1]
        for at in range(count):
            inputs[at] = (features[first + at] - _HALF) * net.scale
        for layer in range(len(hidden)):
            own, memory = hidden[layer], cells[layer]
            for at in range(width):
                inputs[count + at] = own[at]
            start = _add_layer(net.weights, start, inputs, count + width, outputs, 4 * width)
            _pass_gates(outputs, own, memory, width)
            for at in range(width):
                inputs[at] = own[at]
            count = width


@kernel
def _pass_gates(gates: Floats, own: Floats, memory: Floats, width: int) -> None:
    """Write the outputs and the cells of an LSTM layer."""
    _bend(gates[: 2 * width], _HALF)
    _bend(gates[2 * width : 3 * width], _ONE)
    _bend(gates[3 * width : 4 * width], _HALF)
    taken, kept = gates[:width], gates[width : 2 * width]
    values, shown = gates[2 * width : 3 * width], gates[3 * width : 4 * width]
    # The logistic function is half a hyperbolic tangent of half the number, and a half.
    for at in range(width):
        memory[at] = (_HALF + _HALF * kept[at]) * memory[at] + (_HALF + _HALF * taken[at]) * values[at]
        own[at] = memory[at]
    _bend(own, _ONE)
    for at in range(width):
        own[at] *= _HALF + _HALF * shown[at]


@kernel
def _run_head(net: Net, state: State) -> None:
    """Write the logits for the last layers of both stacks."""
    inputs, outputs, shape = state.inputs, state.outputs, net.shape
    opponent, game = state.opponent[len(state.opponent) - 1], state.game[len(state.game) - 1]
    count = len(opponent) + len(game)
    for at in range(len(opponent)):
        inputs[at] = opponent[at]
    for at in range(len(game)):
        inputs[len(opponent) + at] = game[at]
    start = np.uint64(len(net.weights) - _head_weights(shape, count))
    for layer in range(HEAD, len(shape)):
        width = shape[layer]
        start = _add_layer(net.weights, start, inputs, count, outputs, width)
        _bend(outputs[:width], _ONE)
        for at in range(width):
            inputs[at] = outputs[at]
        count = width
    _add_layer(net.weights, start, inputs, count, state.logits, OUTPUTS)


@kernel
def _head_weights(shape: Integers, inputs: int) -> int:
    """Return how many weights the head has."""
    total = 0
    for layer in range(HEAD, len(shape)):
        total += (inputs + 1) * shape[layer]
        inputs = shape[layer]
    return int(total + (inputs + 1) * OUTPUTS)


@kernel
def _add_layer(
    weights: Floats, start: np.uint64, inputs: Floats, count: int, outputs: Floats, width: int
) -> np.uint64:
    """Write bias plus inputs times weights of a layer that begins at `start`; return where the next one begins."""
    columns = np.uint64(width)
    bias = start + np.uint64(count) * columns
    for k in range(columns):
        outputs[k] = weights[bias + k]
    at = 0
    while at + 4 <= count:
        a, b, c, d = inputs[at], inputs[at + 1], inputs[at + 2], inputs[at + 3]
        second = start + columns
        third = second + columns
        fourth = third + columns
        for k in range(columns):
            left = a * weights[start + k] + b * weights[second + k]
            outputs[k] += left + (c * weights[third + k] + d * weights[fourth + k])
        start = fourth + columns
        at += 4
    while at < count:
        a = inputs[at]
        for k in range(columns):
            outputs[k] += a * weights[start + k]
        start += columns
        at += 1
    return bias + columns


@kernel
def _bend(values: Floats, scale: np.float32) -> None:
    """Put the hyperbolic tangents of values times a scale in their place, off by less than 0.0001.

    By a continued fraction: multiplications and divisions alone, several at a time, the same on all machines. The
    division is numpy's, which no check for 0 keeps from that.
    """
    for at in range(len(values)):
        x = min(max(values[at] * scale, -_MOST), _MOST)
        square = x * x
        above = x * (_A + square * (_B + square * (_C + square)))
        values[at] = np.divide(above, _A + square * (_D + square * (_E + square * _F)))


@kernel
def fill_probabilities(state: State, scale: float, can_fold: bool, can_raise: bool) -> None:
    """Write the probabilities of all outputs.

    They go by the logits times `scale` (softmax), without a fold where checking is free and raises where none is
    allowed.
    """
    logits, probabilities = state.logits, state.probabilities
    top = logits[1]
    if can_fold:
        top = max(top, logits[0])
    if can_raise:
        for at in range(2, OUTPUTS):
            top = max(top, logits[at])
    total = 0.0
    for at in range(OUTPUTS):
        is_possible = can_fold if at == 0 else can_raise or at == 1
        probabilities[at] = np.exp(scale * (logits[at] - top)) if is_possible else 0.0
        total += probabilities[at]
    for at in range(OUTPUTS):
        probabilities[at] /= total


@kernel
def output_at(probabilities: NDArray[np.float64], drawn: float) -> int:
    """Return the output that a drawn number from 0 to 1 falls on; checking or calling if rounding leaves a gap."""
    passed = 0.0
    for at in range(OUTPUTS):
        passed += probabilities[at]
        if drawn < passed:
            return at
    return 1


@kernel
def state_at(states: State, at: int) -> State:
    """Return the state of one of several networks."""
    return State(
        states.rows[at],
        states.seen[at],
        states.opponent[at],
        states.opponent_cells[at],
        states.game[at],
        states.game_cells[at],
        states.inputs[at],
        states.outputs[at],
        states.logits[at],
        states.probabilities[at],
    )
