"""What is stored is read back, or refused with a sentence, whatever stands in its place."""

import subprocess
import sys
import zlib

import msgspec
import numpy as np
import pytest

from engine.agents.agent import Trace
from engine.codec import StoredDataError, decode, encode, pack, unpack
from engine.equity.snapshot import Estimate, Method
from engine.game.formats import GameConfig
from tests.hostile import refusal

ESTIMATE = Estimate(0.5, Method.EXACT)


def test_numbers_of_numpy_are_stored_as_numbers_and_what_has_no_form_is_refused() -> None:
    assert decode(encode([np.int64(3), np.float32(0.5)]), list[float]) == [3, 0.5]
    assert unpack(pack([np.int64(3), np.float32(0.5)]), list[float]) == [3, 0.5]
    with pytest.raises(NotImplementedError, match="object has no stored form"):
        encode(object())


def test_both_forms_are_read_back() -> None:
    assert decode(encode(ESTIMATE), Estimate) == unpack(pack(ESTIMATE), Estimate) == ESTIMATE


@pytest.mark.parametrize("kind", [Trace, GameConfig, Estimate])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"value":' + "[" * 100_000,
        '{"' + "x" * 100_000 + '":1}',
        '{"\\u001b[2J\\u202e":1}',
        "1e999999",
        "9" * 100_000,
        "NaN",
        "\udcff",
    ],
    ids=lambda text: text[:9].encode("unicode_escape").decode(),
)
def test_hostile_json_is_refused_with_a_sentence(text: str, kind: type) -> None:
    data = text.encode(errors="surrogateescape")
    assert refusal(StoredDataError, lambda: decode(data, kind)) is not None


@pytest.mark.parametrize(
    "packed",
    [
        b"\x91" * 100_000,
        b"\x81\xa1a" * 100_000,
        b"\xc1",
        b"\xdf\xff\xff\xff\xff",
        msgspec.msgpack.encode({"x" * 9999: 1}),
    ],
    ids=lambda packed: packed[:6].hex(),
)
@pytest.mark.parametrize("kind", [Trace, GameConfig, Estimate])
def test_hostile_packed_data_is_refused_with_a_sentence(packed: bytes, kind: type) -> None:
    assert refusal(StoredDataError, lambda: unpack(zlib.compress(packed), kind)) is not None
    assert refusal(StoredDataError, lambda: unpack(packed, kind)) is not None


# In a process of its own, since without the lock it dies of a segmentation fault at one of the first types.
FIRST_READS = """
import sys
from threading import Barrier, Thread
import msgspec
from engine.codec import decode
sys.setswitchinterval(1e-6)
for number in range(100):
    fields = [(f"x{i}", tuple[msgspec.defstruct(f"Inner{i}", [("a", int)] ), ...]) for i in range(30)]
    kind = msgspec.defstruct("Outer", fields)
    data = msgspec.json.encode({name: [] for name, _ in fields})
    barrier = Barrier(4)
    threads = [Thread(target=lambda: (barrier.wait(), decode(data, kind))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_may_read_a_type_for_the_first_time_at_once() -> None:
    assert subprocess.run([sys.executable, "-c", FIRST_READS], timeout=120, check=False).returncode == 0
