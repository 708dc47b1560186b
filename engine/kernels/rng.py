"""Random numbers inside kernels: the generator's state is an array that the caller owns.

The generator is xoshiro256++ (Blackman and Vigna, 2021, "Scrambled linear pseudorandom number generators", ACM
Transactions on Mathematical Software 47). One *stream* belongs to one job and chunk, so what a chunk draws does
not depend on how many threads share the work.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel

RandomState = NDArray[np.uint64]
"""State of a generator: uint64, shape (4,), changed by every draw."""

_MAX_SEED_BITS = 128
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def new_stream(seed: int, chunk: int = 0) -> RandomState:
    """Return the state of an independent generator.

    Parameters
    ----------
    seed : int
        Of the job, 0 to 2^128 - 1.
    chunk : int
        Number of the stream within the job, 0 or more.

    Returns
    -------
    ndarray of uint64, shape (4,)

    Raises
    ------
    ValueError
        If the seed or the chunk is out of its bounds.

    Examples
    --------
    >>> state = new_stream(7, chunk=3)
    >>> 0 <= int(random_below(state, np.uint64(52))) < 52
    True
    """
    if not 0 <= seed < 1 << _MAX_SEED_BITS:
        raise ValueError(f"The seed {seed} is not between 0 and 2^{_MAX_SEED_BITS} - 1.")
    if chunk < 0:
        raise ValueError(f"The chunk {chunk} is below 0.")
    return np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(4, np.uint64).astype(np.uint64)


@kernel
def next_bits(
    s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return 64 random bits and the four parts of the state after them.

    A loop that draws much keeps the state in local variables, which stay in registers: the elements of an array
    are read and written again for each draw, since another array might be the same memory.
    """
    total = s0 + s3
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return result, s0, s1, s2, s3


@kernel
def random_bits(state: RandomState) -> np.uint64:
    """Return 64 random bits."""
    result, state[0], state[1], state[2], state[3] = next_bits(state[0], state[1], state[2], state[3])
    return result


@kernel
def random_below(state: RandomState, bound: np.uint64) -> np.uint64:
    """Return an integer from 0 to `bound - 1`, each as likely as any other; `bound` is 1 to 2^32.

    By multiplication, with the few draws refused that would favour some numbers (Lemire, 2019, "Fast random
    integer generation in an interval", ACM Transactions on Modeling and Computer Simulation 29).
    """
    product = (random_bits(state) >> _HALF) * bound
    if product & _LOW_HALF < bound:
        refused = ((np.uint64(1) << _HALF) - bound) % bound
        while product & _LOW_HALF < refused:
            product = (random_bits(state) >> _HALF) * bound
    return product >> _HALF
