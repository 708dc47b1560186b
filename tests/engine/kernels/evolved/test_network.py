"""The policy network against the formulas of an LSTM in numpy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.kernels.evolved.network import (
    FEATURES,
    OUTPUTS,
    Net,
    begin_hand,
    fill_probabilities,
    new_state,
    new_states,
    output_at,
    state_at,
    think,
    weight_count,
)
from engine.kernels.evolved.tree import OPPONENT_FEATURES

Numbers = NDArray[np.float64]
WIDTH = st.integers(1, 9)
SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 3), WIDTH, WIDTH, st.lists(WIDTH, max_size=3))


def logistic(values: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-values))


def reference(weights: Numbers, shape: NDArray[np.int64], rows: Numbers) -> Numbers:
    """Return the logits for rows of scaled features, all of which the network sees."""
    at = 0

    def matrix(inputs: int, outputs: int) -> Numbers:
        nonlocal at
        at += (inputs + 1) * outputs
        return weights[at - (inputs + 1) * outputs : at].reshape(inputs + 1, outputs)

    layers, last = int(shape[1]), []
    for below, width in ((rows[:, :OPPONENT_FEATURES], shape[2]), (rows[:, OPPONENT_FEATURES:], shape[3])):
        for _ in range(layers):
            layer = matrix(below.shape[1] + width, 4 * width)
            own, cells, above = np.zeros(width), np.zeros(width), []
            for row in below:
                taken, kept, values, shown = np.split(np.concatenate((row, own, [1.0])) @ layer, 4)
                cells = logistic(kept) * cells + logistic(taken) * np.tanh(values)
                own = logistic(shown) * np.tanh(cells)
                above.append(own)
            below = np.array(above)
        last.append(below[-1])
    values = np.concatenate(last)
    widths = [len(values), *shape[4:], OUTPUTS]
    for number, (inputs, outputs) in enumerate(pairwise(widths)):
        values = np.append(np.tanh(values) if number else values, 1.0) @ matrix(inputs, outputs)
    assert at == len(weights)
    return values


@settings(max_examples=30)
@given(SHAPES, st.integers(1, 9), st.integers(0, 2**32))
def test_the_network_is_two_stacks_of_lstm_layers_and_a_head(
    shape: tuple[int, int, int, int, list[int]], decisions: int, seed: int
) -> None:
    """In each decision of a hand, those that it begins to forget too, and in the next hand."""
    random = np.random.default_rng(seed)
    numbers = np.array([*shape[:4], *shape[4]], np.int64)
    weights = random.normal(0, 0.5, weight_count(numbers)).astype(np.float32)
    net, states = Net(weights, numbers, np.float32(3.0)), new_states(numbers, 1)
    state = state_at(states, 0)
    for _ in range(2):
        begin_hand(states)
        rows = random.random((decisions, FEATURES)).astype(np.float32)
        for decision in range(decisions):
            think(net, state, rows[decision])
            seen = 3.0 * (rows[max(0, decision + 1 - shape[0]) : decision + 1].astype(np.float64) - 0.5)
            assert state.logits == pytest.approx(reference(weights.astype(np.float64), numbers, seen), abs=2e-3)


@given(st.integers(0, 2**32), st.booleans(), st.booleans(), st.floats(0, 1, exclude_max=True))
def test_a_choice_is_drawn_from_the_softmax_of_what_is_legal(
    seed: int, can_fold: bool, can_raise: bool, drawn: float
) -> None:
    state = new_state(np.array([1, 1, 1, 1], np.int64))
    state.logits[:] = np.random.default_rng(seed).normal(0, 1, OUTPUTS)
    fill_probabilities(state, 4.0, can_fold, can_raise)
    output = output_at(state.probabilities, drawn)
    legal = np.array([can_fold, True, *[can_raise] * 8])
    odds = np.where(legal, np.exp(4.0 * state.logits.astype(np.float64)), 0.0)
    assert state.probabilities == pytest.approx(odds / odds.sum(), rel=1e-5)
    assert legal[output]
    passed = np.cumsum(state.probabilities)
    assert output == 1 or ((output == 0 or passed[output - 1] <= drawn) and drawn < passed[output])
