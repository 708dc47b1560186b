"""Random numbers inside kernels against those of numpy, number by number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.bulk import numpy_streams
from engine.kernels.bulk.numpy_streams import Stream

SEEDS = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=5)


def pool_of(seed: list[int]) -> numpy_streams.Words:
    words, pool, count = np.zeros(16, np.uint64), np.zeros(4, np.uint64), 0
    for number in seed:
        count = numpy_streams.add_words(np.uint64(number), words, count)
    numpy_streams.mix(words, count, pool)
    return pool


def stream_of(seed: list[int]) -> Stream:
    """Return the generator; called from Python a kernel answers with plain ints."""
    return as_numbers(numpy_streams.stream_of(pool_of(seed)))


def as_numbers(stream: Stream) -> Stream:
    first, second, third, fourth = map(np.uint64, stream)
    return first, second, third, fourth


@given(SEEDS)
def test_a_list_of_numbers_seeds_as_it_seeds_numpy(seed: list[int]) -> None:
    expected = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    assert numpy_streams.first_number(pool_of(seed)) == expected


@given(SEEDS)
def test_fractions_are_those_of_random(seed: list[int]) -> None:
    stream, found = stream_of(seed), []
    for _ in range(5):
        number, after = numpy_streams.next_fraction(stream)
        found.append(number * 2.0**-53)
        stream = as_numbers(after)
    assert found == np.random.default_rng(seed).random(5).tolist()


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 9, 10, 33, 52, 256])
@given(seed=SEEDS)
def test_permutations_are_those_of_permutation(size: int, seed: list[int]) -> None:
    found = np.zeros(size, np.uint8)
    numpy_streams.permute(stream_of(seed), found)
    assert found.tolist() == np.random.default_rng(seed).permutation(size).tolist()
