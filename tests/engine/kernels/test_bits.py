import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.kernels.bits import nth_set_bit
from engine.kernels.jit import kernel


@kernel
def all_places(bits: np.uint64, count: int, places: NDArray[np.uint64]) -> None:
    for n in range(count):
        places[n] = nth_set_bit(bits, np.uint64(n))


def places_of(bits: int) -> list[int]:
    places = np.zeros(bits.bit_count(), dtype=np.uint64)
    all_places(np.uint64(bits), bits.bit_count(), places)
    return places.tolist()  # type: ignore[no-any-return]


@given(st.integers(1, 2**64 - 1))
def test_every_set_bit(bits: int) -> None:
    assert places_of(bits) == [place for place in range(64) if bits >> place & 1]


@pytest.mark.parametrize("shift", range(0, 64, 8))
def test_every_byte_at_every_place(shift: int) -> None:
    for byte in range(1, 256):
        expected = [shift + place for place in range(8) if byte >> place & 1]
        assert places_of(byte << shift) == expected


def test_all_bits_set() -> None:
    assert places_of(2**64 - 1) == list(range(64))


def test_the_same_without_a_compiler() -> None:
    code = (
        "import numpy as np; from tests.engine.kernels.test_bits import places_of; "
        "print([places_of(bits) for bits in (1, 2**64 - 1, 0x8001F00000000010)])"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([[0], list(range(64)), [4, 44, 45, 46, 47, 48, 63]])
