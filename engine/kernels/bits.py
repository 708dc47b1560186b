"""Sets kept as the bits of a number, such as the cards that are left."""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EACH_BYTE = np.uint64(0x0101010101010101)
_TOP_BITS = np.uint64(0x8080808080808080)
_BYTE = np.uint64(255)


def _places_in_bytes() -> NDArray[np.uint8]:
    """Give, at `8 * byte + n`, the place of the n-th set bit of a byte: shape (2048,)."""
    places = np.zeros((256, 8), dtype=np.uint8)
    for byte in range(256):
        found = [bit for bit in range(8) if byte >> bit & 1]
        places[byte, : len(found)] = found
    return places.ravel()


_PLACE = _places_in_bytes()


@kernel
def nth_set_bit(bits: np.uint64, n: np.uint64) -> np.uint64:
    """Return the place of the n-th set bit of a number that has more than `n`, both from 0, the lowest bit first.

    The sums of set bits up to each byte say which byte holds it (Vigna, 2008, "Broadword implementation of
    rank/select queries", algorithm 2).

    Examples
    --------
    >>> nth_set_bit(np.uint64(0b10110), np.uint64(2))
    4
    """
    sums = bits - ((bits >> _ONE) & _ODD)
    sums = (sums & _PAIRS) + ((sums >> np.uint64(2)) & _PAIRS)
    sums = ((sums + (sums >> np.uint64(4))) & _NIBBLES) * _EACH_BYTE
    before = (((n * _EACH_BYTE) | _TOP_BITS) - sums) & _TOP_BITS
    place = ((((before >> np.uint64(7)) * _EACH_BYTE) >> np.uint64(56)) << np.uint64(3)) & np.uint64(56)
    rest = n - (((sums << np.uint64(8)) >> place) & _BYTE)
    byte = (bits >> place) & _BYTE
    return place + np.uint64(_PLACE[((byte << np.uint64(3)) + rest) & np.uint64(2047)])
