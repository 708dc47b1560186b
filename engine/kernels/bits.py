"""Sets kept as the bits of a number, such as the cards that are left."""

import numpy as np

from engine.kernels.jit import kernel

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EACH_BYTE = np.uint64(0x0101010101010101)
_TOP_BITS = np.uint64(0x8080808080808080)
_OTHER_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_DIAGONAL = np.uint64(0x8040201008040201)
_BYTE = np.uint64(255)


@kernel
def nth_set_bit(bits: np.uint64, n: np.uint64) -> np.uint64:
    """Return the place of the n-th set bit of a number that has more than `n`, both from 0, the lowest bit first.

    The sums of set bits up to each byte say which byte holds it, and the same of that byte's bits, one in a byte,
    which bit (Vigna, 2008, "Broadword implementation of rank/select queries", algorithm 2). Nothing is looked up:
    a loop that does nothing else is vectorised.

    Examples
    --------
    >>> nth_set_bit(np.uint64(0b10110), np.uint64(2))
    4
    """
    sums = bits - ((bits >> _ONE) & _ODD)
    sums = (sums & _PAIRS) + ((sums >> np.uint64(2)) & _PAIRS)
    sums = ((sums + (sums >> np.uint64(4))) & _NIBBLES) * _EACH_BYTE
    place = _bytes_below(sums, n) << np.uint64(3)
    rest = n - (((sums << np.uint64(8)) >> place) & _BYTE)
    spread = (((bits >> place) & _BYTE) * _EACH_BYTE) & _DIAGONAL
    spread = (((spread + _OTHER_BITS) | spread) >> np.uint64(7)) & _EACH_BYTE
    return place + _bytes_below(spread * _EACH_BYTE, rest)


@kernel
def _bytes_below(sums: np.uint64, n: np.uint64) -> np.uint64:
    """Count the bytes of `sums`, each at most 64, that are not more than `n`."""
    not_more = (((n * _EACH_BYTE) | _TOP_BITS) - sums) & _TOP_BITS
    return (((not_more >> np.uint64(7)) * _EACH_BYTE) >> np.uint64(56)) & np.uint64(7)


@kernel
def ranks_of_suit(cards: np.uint64) -> np.uint64:
    """Return the ranks of the first suit's cards as 13 bits in a row, of a set of cards."""
    ranks = cards & np.uint64(0x1111111111111111)
    ranks = (ranks | (ranks >> np.uint64(3))) & np.uint64(0x0303030303030303)
    ranks = (ranks | (ranks >> np.uint64(6))) & np.uint64(0x000F000F000F000F)
    ranks = (ranks | (ranks >> np.uint64(12))) & np.uint64(0x000000FF000000FF)
    return (ranks | (ranks >> np.uint64(24))) & np.uint64(0x1FFF)
