"""The random numbers of `np.random.default_rng` inside kernels, bit for bit.

A session's deck and a style's draws come from `default_rng` with a list of whole numbers as its seed. NumPy mixes
the list by `SeedSequence` (O'Neill, 2015, "Developing a seed_seq alternative") and draws by PCG64 (O'Neill, 2014,
"PCG: a family of simple fast space-efficient statistically good algorithms for random number generation",
XSL-RR 128/64). NumPy keeps both as they are (NEP 19); the order in which `permutation` draws may change with a
version, and a test compares each.

A generator is four numbers: its state and its increment, each in two halves of 64 bits.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import fused, kernel

Words = NDArray[np.uint64]
"""Numbers of 32 bits, each in one element of 64."""

Stream = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""State and increment of a generator, the high half of each first."""

POOL = 4

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MIX_SHIFT = np.uint64(16)
_FIRST_KEY, _KEY_FACTOR = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_FIRST_OUT, _OUT_FACTOR = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_MIX_LEFT, _MIX_RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_FACTOR_HIGH, _FACTOR_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ROTATION, _WORD_BITS = np.uint64(58), np.uint64(63)
_FRACTION_SHIFT = np.uint64(11)


@fused
def add_words(number: np.uint64, words: Words, count: int) -> int:
    """Write a number's words, as `SeedSequence` takes it, behind so many others; return how many there are then."""
    words[count] = number & _LOW_HALF
    if number >> _HALF == _ZERO:
        return count + 1
    words[count + 1] = number >> _HALF
    return count + 2


@fused
def mix(words: Words, count: int, pool: Words) -> None:
    """Fill `pool`, shape (4,), with what `SeedSequence` makes of the first `count` words."""
    key = _FIRST_KEY
    for at in range(POOL):
        value = (words[at] if at < count else _ZERO) ^ key
        key = (key * _KEY_FACTOR) & _LOW_HALF
        value = (value * key) & _LOW_HALF
        pool[at] = value ^ (value >> _MIX_SHIFT)
    for source in range(max(POOL, count)):
        for target in range(POOL):
            if source == target:
                continue
            value = (pool[source] if source < POOL else words[source]) ^ key
            key = (key * _KEY_FACTOR) & _LOW_HALF
            value = (value * key) & _LOW_HALF
            value ^= value >> _MIX_SHIFT
            mixed = (_MIX_LEFT * pool[target] - _MIX_RIGHT * value) & _LOW_HALF
            pool[target] = mixed ^ (mixed >> _MIX_SHIFT)


@fused
def _state_number(pool: Words, at: int, key: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return 64 bits of `SeedSequence.generate_state`, from the pool's words `at` and next, and the key after."""
    number = _ZERO
    for half in range(2):
        value = pool[at + half] ^ key
        key = (key * _OUT_FACTOR) & _LOW_HALF
        value = (value * key) & _LOW_HALF
        number |= (value ^ (value >> _MIX_SHIFT)) << (_HALF * np.uint64(half))
    return number, key


@fused
def first_number(pool: Words) -> np.uint64:
    """Return the first 64 bits of `SeedSequence.generate_state` for a pool made by `mix`."""
    return _state_number(pool, 0, _FIRST_OUT)[0]


@fused
def high_product(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return the upper 64 bits of a product of 128."""
    low = (one & _LOW_HALF) * (other & _LOW_HALF)
    first = (one >> _HALF) * (other & _LOW_HALF) + (low >> _HALF)
    second = (one & _LOW_HALF) * (other >> _HALF) + (first & _LOW_HALF)
    return (one >> _HALF) * (other >> _HALF) + (first >> _HALF) + (second >> _HALF)


@fused
def _step(high: np.uint64, low: np.uint64, more_high: np.uint64, more_low: np.uint64) -> Stream:
    """Return the generator one step on."""
    new_high = high_product(low, _FACTOR_LOW) + high * _FACTOR_LOW + low * _FACTOR_HIGH + more_high
    new_low = low * _FACTOR_LOW + more_low
    if new_low < more_low:
        new_high += _ONE
    return new_high, new_low, more_high, more_low


@fused
def stream_of(pool: Words) -> Stream:
    """Return `np.random.default_rng` for a pool made by `mix`."""
    high, key = _state_number(pool, 0, _FIRST_OUT)
    low, key = _state_number(pool, 2, key)
    more_high, key = _state_number(pool, 0, key)
    more_low, key = _state_number(pool, 2, key)
    more_high = (more_high << _ONE) | (more_low >> _WORD_BITS)
    more_low = (more_low << _ONE) | _ONE
    # From 0 the first step leads to the increment.
    low += more_low
    high += more_high
    if low < more_low:
        high += _ONE
    return _step(high, low, more_high, more_low)


@fused
def next_number(stream: Stream) -> tuple[np.uint64, Stream]:
    """Return the generator's next 64 bits, and the generator after them."""
    stream = _step(stream[0], stream[1], stream[2], stream[3])
    mixed, turns = stream[0] ^ stream[1], stream[0] >> _ROTATION
    return (mixed >> turns) | (mixed << ((np.uint64(64) - turns) & _WORD_BITS)), stream


@fused
def next_fraction(stream: Stream) -> tuple[np.uint64, Stream]:
    """Return `Generator.random()` times 2^53, and the generator after it."""
    number, stream = next_number(stream)
    return number >> _FRACTION_SHIFT, stream


@kernel
def permute(stream: Stream, out: NDArray[np.uint8]) -> None:
    """Fill `out`, shape (n,) with n from 2 to 256, with `Generator.permutation(n)`.

    NumPy draws with as many bits as the place needs, and again where that is beyond the place. Here a draw that is
    refused swaps a card with itself: a branch that no processor foresees would cost more.
    """
    for card in range(len(out)):
        out[card] = card
    at, mask = np.uint64(len(out) - 1), _ONE
    while mask < at:
        mask = (mask << _ONE) | _ONE
    while at > _ZERO:
        number, stream = next_number(stream)
        for _ in range(2):
            drawn = number & mask
            is_taken = np.uint64(drawn <= at)
            target = drawn if is_taken else at
            swapped = out[at]
            out[at] = out[target]
            out[target] = swapped
            # At 0 the mask is 0 too, and what is left of the number does nothing.
            at -= is_taken & np.uint64(at > _ZERO)
            mask >>= np.uint64(mask >> _ONE >= at)
            number >>= _HALF
