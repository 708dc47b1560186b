import numpy as np
import pytest
from numpy.typing import NDArray

from engine.kernels.jit import kernel
from engine.kernels.rng import RandomState, new_stream, random_below, random_bits

MASK = 2**64 - 1


@kernel
def draw_bits(state: RandomState, out: NDArray[np.uint64]) -> None:
    for i in range(len(out)):
        out[i] = random_bits(state)


@kernel
def count_below(state: RandomState, bound: np.uint64, draws: int, counts: NDArray[np.int64]) -> None:
    for _ in range(draws):
        counts[random_below(state, bound)] += 1


@kernel
def draw_below(state: RandomState, bound: np.uint64, out: NDArray[np.uint64]) -> None:
    for i in range(len(out)):
        out[i] = random_below(state, bound)


def xoshiro(state: list[int], count: int) -> list[int]:
    """xoshiro256++ as its paper defines it, in whole numbers."""

    def rotated(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    answers = []
    s = list(state)
    for _ in range(count):
        answers.append((rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
    return answers


def test_it_is_xoshiro() -> None:
    # The first outputs for the state 1, 2, 3, 4, as the test vectors of other implementations have them.
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    out = np.empty(1000, dtype=np.uint64)
    draw_bits(state, out)
    assert out[:4].tolist() == [41943041, 58720359, 3588806011781223, 3591011842654386]
    assert out.tolist() == xoshiro([1, 2, 3, 4], 1000)


def test_streams_repeat_and_differ() -> None:
    drawn = {}
    for seed, chunk in [(1, 0), (1, 1), (2, 0), (1, 0), (2**128 - 1, 5)]:
        out = np.empty(4, dtype=np.uint64)
        draw_bits(new_stream(seed, chunk), out)
        assert drawn.setdefault((seed, chunk), out.tolist()) == out.tolist()
    assert len({value for values in drawn.values() for value in values}) == 4 * len(drawn)


@pytest.mark.parametrize(
    ("seed", "chunk", "complaint"),
    [(-1, 0, "seed -1 is not"), (2**128, 0, "is not between"), (0, -1, "chunk -1 is below 0")],
)
def test_refuses_what_is_no_seed(seed: int, chunk: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        new_stream(seed, chunk)


@pytest.mark.parametrize("bound", [1, 2, 3, 47, 52, 1000])
def test_bounded_draws_are_even(bound: int) -> None:
    draws = 1_000_000
    counts = np.zeros(bound, dtype=np.int64)
    count_below(new_stream(5, bound), np.uint64(bound), draws, counts)
    expected = draws / bound
    assert counts.sum() == draws
    # Chi-squared has mean bound - 1 and variance 2 (bound - 1).
    chi_squared = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_squared - (bound - 1)) <= 5 * np.sqrt(2 * (bound - 1))


def test_bounded_draws_have_no_bias_where_it_would_be_large() -> None:
    # Of 2^32 values, 3 * 2^30 would fall unevenly without refusal: a third of the numbers twice as often.
    bound, draws = 3 << 30, 300_000
    out = np.empty(draws, dtype=np.uint64)
    draw_below(new_stream(8), np.uint64(bound), out)
    assert int(out.max()) < bound
    thirds = np.bincount(out % np.uint64(3), minlength=3)  # where a biased draw shows
    assert (np.abs(thirds - draws / 3) < 5 * np.sqrt(draws * 2 / 9)).all()
