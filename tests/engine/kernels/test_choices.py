import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.choices import add_layer, share_out, weigh_choice


def run_layer(
    inputs: np.ndarray, shift: np.ndarray, floor: float, weights: np.ndarray, bias: np.ndarray
) -> np.ndarray:
    """Run the kernel over an output of sevens, which are to be written over."""
    out = np.full((len(inputs), weights.shape[1]), 7, dtype=np.float32)
    given = inputs.view()
    given.setflags(write=False)
    count = inputs.shape[1] + 4
    add_layer(given, shift, floor, weights, bias, np.empty(count, np.float32), np.empty(count, np.uint64), out)
    return out


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 5),
    st.integers(1, 9),
    st.sampled_from([1, 7, 8, 9, 31, 33, 64]),
    st.floats(0, 1),
    st.booleans(),
)
def test_a_layer_is_its_formula(seed: int, n: int, ins: int, outs: int, zeros: float, rectifies: bool) -> None:
    generator = np.random.default_rng(seed)

    def numbers(*shape: int) -> np.ndarray:
        return generator.standard_normal(shape).astype(np.float32)

    inputs, shift = numbers(n, ins), numbers(ins)
    inputs[generator.random(inputs.shape) < zeros] = 0
    shift *= rectifies
    weights, bias = numbers(ins, outs), numbers(outs)
    found = run_layer(inputs, shift, 0.0 if rectifies else -np.inf, weights, bias)
    active = inputs.astype(np.float64) + shift
    expected = bias + (np.maximum(active, 0) if rectifies else active) @ weights
    np.testing.assert_allclose(found, expected, atol=2e-5)


def test_a_row_of_nothing_gives_the_bias() -> None:
    bias = np.arange(8, dtype=np.float32)
    zeros, weights = np.zeros((2, 5), np.float32), np.full((5, 8), 3, np.float32)
    found = run_layer(zeros, np.full(5, -1, np.float32), 0.0, weights, bias)
    assert (found == bias).all()


@given(
    st.lists(st.floats(-3e4, 3e4, width=32), min_size=8, max_size=8),
    st.lists(st.booleans(), min_size=8, max_size=8).filter(any),
)
def test_probabilities_are_those_of_softmax(numbers: list[float], possible: list[bool]) -> None:
    """Also of numbers whose exponentials no float can hold, and of impossible choices far above all others."""
    row, mask = np.array([numbers], dtype=np.float32), np.array(possible)
    share_out(row, mask)
    given = np.array(numbers, dtype=np.float32).astype(np.float64)[mask]
    odds = np.exp(given - given.max())
    np.testing.assert_allclose(row[0, mask], odds / odds.sum(), atol=1e-6)
    assert (row[0, ~mask] == 0).all()


@pytest.mark.parametrize("exponent", [1.0, 0.7])
@pytest.mark.parametrize("n", [1, 2, 169, 1326])
def test_a_range_is_weighed_by_bayes_rule(n: int, exponent: float) -> None:
    generator = np.random.default_rng(n)
    probabilities = generator.dirichlet(np.ones(8), n).astype(np.float32)
    probabilities.setflags(write=False)
    factors, live = np.exp(generator.standard_normal(8)), generator.random(n) < 0.8
    live[0] = True
    weights = 10.0 ** generator.uniform(-9, 3, n)
    for choice in range(8):
        tilted = probabilities * factors
        expected = live * (tilted[:, choice] / tilted.sum(axis=1)) ** exponent
        after, likelihood = weights.copy(), np.empty(n, dtype=np.float32)
        mean = weigh_choice(probabilities, factors, exponent, choice, live, after, likelihood)
        np.testing.assert_allclose(likelihood, expected, rtol=1e-6)
        np.testing.assert_allclose(after, weights * expected, rtol=1e-12)
        assert mean == pytest.approx((weights * expected).sum() / weights[live].sum(), rel=1e-12)
