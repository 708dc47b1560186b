"""The innermost loops against what they are in numpy, and the whole as plain Python."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.kernels import multiway
from engine.kernels.jit import kernel

COUNT = 3
SIZE = 4096


def _work() -> Any:
    work = np.random.default_rng(1).random(SIZE).astype(np.float32)
    for i in range(COUNT):  # the second item is a pair, the sums of its rows and columns are the same
        work[652 + 16 * i : 656 + 16 * i] = work[648 + 16 * i : 652 + 16 * i]
    return work


ITEMS = np.array(
    [[4, 0, 600, 700, 800, 900, 0, 0], [8, 8, 648, 748, 816, 916, 0, 0], [48, 4, 696, 796, 832, 932, 0, 0]]
)
TIMES = np.array([1, 2, 3])


@kernel
def lay_range(work: Any, ranges: Any) -> None:
    multiway._lay_range(work, ranges, 1326, 64, 32, 8, np.float64(0.5))


@kernel
def sum_tiles(work: Any, step: int) -> None:
    multiway._sum_tiles(work, 3, 64, 256, 8, 4, step, 512, 1024, np.float32(0.5), 2048)


@kernel
def add_weights(work: Any, items: Any) -> None:
    multiway._add_weights(work, items, 0, 3, 3, 128, np.float32(0.25))


@kernel
def add_products(work: Any, items: Any, times: Any) -> None:
    multiway._add_products(work, items, times, 0, 3, 3, 128, 320, 384, np.float32(0.5), np.float32(2))


@kernel
def add_moving_products(work: Any, items: Any, times: Any) -> None:
    multiway._add_moving_products(
        work, items, times, 0, 3, 3, 128, 320, 384, np.float32(0.5), np.float32(2), np.float32(0.3), np.float32(1)
    )


@kernel
def card_factors(work: Any, times: Any) -> None:
    multiway._card_factors(work, times, 3, 0, 192, 256, 448, 512, 576, 640)


CASES: list[tuple[Callable[..., None], str, tuple[Any, ...], tuple[Any, ...]]] = [
    (sum_tiles, "_sum_tiles", (64,), (3, 64, 256, 8, 4, 64, 512, 1024, 0.5, 2048)),
    (sum_tiles, "_sum_tiles", (0,), (3, 64, 256, 8, 4, 0, 512, 1024, 0.5, 2048)),
    (add_weights, "_add_weights", (ITEMS,), (ITEMS, 0, 3, 3, 128, 0.25)),
    (add_products, "_add_products", (ITEMS, TIMES), (ITEMS, TIMES, 0, 3, 3, 128, 320, 384, 0.5, 2.0)),
    (
        add_moving_products,
        "_add_moving_products",
        (ITEMS, TIMES),
        (ITEMS, TIMES, 0, 3, 3, 128, 320, 384, 0.5, 2.0, 0.3, 1.0),
    ),
    (card_factors, "_card_factors", (TIMES,), (TIMES, 3, 0, 192, 256, 448, 512, 576, 640)),
]


@pytest.mark.parametrize(("compiled", "name", "arguments", "in_numpy"), CASES)
def test_machine_code_does_what_numpy_does(
    monkeypatch: pytest.MonkeyPatch,
    compiled: Callable[..., None],
    name: str,
    arguments: tuple[Any, ...],
    in_numpy: tuple[Any, ...],
) -> None:
    function = getattr(multiway, name)
    before, work, expected = _work(), _work(), _work().astype(np.float64)
    compiled(work, *arguments)
    for other in ("_add_weights", "_add_products"):  # one is made of these
        monkeypatch.setattr(multiway, other, getattr(multiway, other).plain)
    function.plain(expected, *in_numpy)
    assert work == pytest.approx(expected, rel=1e-4, abs=1e-4)
    changed = np.abs(expected - before) > 1e-3
    assert changed.any()
    assert np.array_equal(work[expected == before], before[expected == before])


def test_machine_code_lays_out_a_range() -> None:
    function: Any = multiway._lay_range
    ranges = np.random.default_rng(3).random((2, 1326))
    work, expected = (np.zeros(SIZE, dtype=np.float32) for _ in range(2))
    for array in (work, expected):
        array[8:60] = np.arange(52) % 5 > 0
    lay_range(work, ranges)
    function.plain(expected, ranges, 1326, 64, 32, 8, np.float64(0.5))
    assert np.array_equal(work, expected)
    assert np.count_nonzero(work[64:]) > 800


WHOLE = """
import numpy as np
from engine.cards import unblocked
from engine.kernels.multiway import sweep_together
board = (47, 43, 39, 4, 35)
ranges = np.random.default_rng(1).random((2, 1326))
values, is_narrow = sweep_together(board, (3,), ranges, 1 / (ranges @ unblocked((*board, 3))), np.array([2, 1]))
print(repr(values.tolist()), flush=True)
"""


def test_compiled_and_interpreted_sweeps_agree() -> None:
    def run(disable_jit: str) -> list[float]:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit}
        done = subprocess.run(
            [sys.executable, "-c", WHOLE], env=environment, capture_output=True, text=True, check=True
        )
        return [float(number) for number in done.stdout.strip("[]\n ").split(",")]

    compiled = run("0")
    assert compiled == pytest.approx(run("1"), abs=2e-6)
    assert max(compiled) > 0.9


def test_tiles_hold_every_combo_once_and_pairs_twice() -> None:
    lanes = {(place >> 4, lane) for place, lane in zip(multiway._PLACES, multiway._MIRRORED, strict=True)}
    lanes |= {(place >> 4, place & 15) for place in multiway._PLACES}
    assert len(set(multiway._PLACES.tolist())) == 1326
    assert len(lanes) == 1326 + 78
