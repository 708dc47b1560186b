import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.choices import add_layer


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
