"""The innermost loops against what they are in numpy, and the whole as plain Python."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.kernels import multiway
from engine.kernels import multiway_lanes as lanes
from engine.kernels.jit import kernel
from engine.kernels.walks import walks_over

COUNT = 3
SIZE = 8192
ITEMS = np.array(
    [
        [4, 0, 600, 700, 800, 900, 1000, 0],
        [8, 8, 648, 748, 816, 916, 1032, 0],
        [48, 4, 696, 796, 832, 932, 1064, 0],
    ]
)
TIMES = np.array([1, 2, 3])
MATES, SHARES, SPARE, ALIVE, DEAD = 2048, 4600, 4700, 4800, 4864


def _work() -> Any:
    work = np.random.default_rng(1).random(SIZE).astype(np.float32)
    for i in range(COUNT):  # the second item is a pair, the sums of its rows and columns are the same
        work[652 + 16 * i : 656 + 16 * i] = work[648 + 16 * i : 652 + 16 * i]
    work[112:128] = 20  # the sums of all combos, of which a card's are a part
    work[ALIVE:DEAD] = np.arange(64) % 4 > 0
    work[DEAD : DEAD + 64] = np.arange(64) % 4 == 0
    return work


@kernel
def lay_range(work: Any, ranges: Any) -> None:
    lanes.lay_range(work, ranges, 1326, 64, 32, 8, np.float64(0.5))


@kernel
def sum_tiles(work: Any, step: int) -> None:
    lanes.sum_tiles(work, 3, 64, 256, 8, 4, step, 512, 1024, np.float32(0.5), 2048)


@kernel
def add_weights(work: Any, items: Any) -> None:
    lanes.add_weights(work, items, 0, 3, 3, 128, np.float32(0.25))


@kernel
def add_mates(work: Any, items: Any) -> None:
    lanes.add_mates(work, items, 0, 3, 3, 2048, np.float32(0.25))


@kernel
def add_products(work: Any, items: Any, times: Any) -> None:
    lanes.add_products(work, items, times, 0, 3, 3, 128, 384, 1, 2, np.float32(0.5), np.float32(2))


@kernel
def add_moving_products(work: Any, items: Any, times: Any) -> None:
    lanes.add_moving_products(
        work, items, times, 0, 3, 3, 128, 384, 1, 2, np.float32(0.5), np.float32(2), np.float32(0.3), np.float32(1)
    )


@kernel
def find_factors(work: Any, items: Any, times: Any, first: int, second: int, fresh: int) -> None:
    lanes.find_factors(
        work, items, times, 0, 3, 3, 128, 2048, 4600, np.float32(0.5), 4928, 5120, 5184, 4700, 4800, 4864, first,
        second, np.float32(1.5), fresh,
    )  # fmt: skip


def _factors(first: int, second: int, fresh: int) -> tuple[Any, ...]:
    in_numpy = (ITEMS, TIMES, 0, 3, 3, 128, MATES, SHARES, 0.5, 4928, 5120, 5184, SPARE, ALIVE, DEAD, first, second)
    return find_factors, "find_factors", (ITEMS, TIMES, first, second, fresh), (*in_numpy, 1.5, fresh)


CASES: list[tuple[Any, ...]] = [
    (sum_tiles, "sum_tiles", (64,), (3, 64, 256, 8, 4, 64, 512, 1024, 0.5, 2048)),
    (sum_tiles, "sum_tiles", (0,), (3, 64, 256, 8, 4, 0, 512, 1024, 0.5, 2048)),
    (add_weights, "add_weights", (ITEMS,), (ITEMS, 0, 3, 3, 128, 0.25)),
    (add_mates, "add_mates", (ITEMS,), (ITEMS, 0, 3, 3, MATES, 0.25)),
    (add_products, "add_products", (ITEMS, TIMES), (ITEMS, TIMES, 0, 3, 3, 128, 384, 1, 2, 0.5, 2.0)),
    (
        add_moving_products,
        "add_moving_products",
        (ITEMS, TIMES),
        (ITEMS, TIMES, 0, 3, 3, 128, 384, 1, 2, 0.5, 2.0, 0.3, 1.0),
    ),
    _factors(4, 12, 3),
    _factors(12, 12, 3),
    _factors(52, 52, 3),
    _factors(4, 12, 1),
    _factors(4, 52, 0),
]


@pytest.mark.parametrize(("compiled", "name", "arguments", "in_numpy"), CASES)
def test_machine_code_does_what_numpy_does(
    monkeypatch: pytest.MonkeyPatch,
    compiled: Callable[..., None],
    name: str,
    arguments: tuple[Any, ...],
    in_numpy: tuple[Any, ...],
) -> None:
    function = getattr(lanes, name)
    before, work, expected = _work(), _work(), _work().astype(np.float64)
    compiled(work, *arguments)
    for other in ("add_weights", "add_products"):  # one is made of these
        monkeypatch.setattr(lanes, other, getattr(lanes, other).plain)
    function.plain(expected, *in_numpy)
    work[SPARE + 65 : SPARE + 68] = expected[SPARE + 65 : SPARE + 68]  # only there for the machine code
    assert work == pytest.approx(expected, rel=1e-4, abs=1e-4)
    changed = np.abs(expected - before) > 1e-3
    assert changed.any()
    assert np.array_equal(work[expected == before], before[expected == before])


def test_machine_code_lays_out_a_range() -> None:
    function: Any = lanes.lay_range
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


@pytest.mark.parametrize("board", [(47, 43, 5), (47, 43, 39, 4), (47, 43, 39, 5), (47, 43, 39, 5, 4)])
def test_nothing_is_read_that_was_not_written(board: tuple[int, ...]) -> None:
    """The arrays that kernels work in are not cleared before."""
    ranges, times = np.random.default_rng(1).random((2, 1326)), np.array([1, 2])
    known = np.uint64(sum(1 << card for card in board))
    walks, codes, _ = walks_over(tuple(sorted(board)), int(known))
    answers = []
    for rubbish in (0, 77):
        work = np.full(multiway._regions(2).size, np.nan if rubbish else 0, dtype=np.float32)
        items = np.full((multiway.MOST_ITEMS, 8), rubbish)
        notes = np.full((multiway.NOTES, multiway.MOST_ITEMS), rubbish)
        won, dealt = np.zeros(1326), np.zeros(1326)
        multiway.lay_out_ranges(ranges, 1 / ranges.sum(axis=1), times, known, 8, items, work)
        multiway.sweep_ranges(walks, codes, times, items, notes, work, won, dealt)
        answers.append((won, dealt))
    assert np.array_equal(answers[0], answers[1])
    assert np.isfinite(answers).all()


def test_tiles_hold_every_combo_once_and_pairs_twice() -> None:
    held = {(place >> 4, lane) for place, lane in zip(lanes.PLACES, lanes.MIRRORED, strict=True)}
    held |= {(place >> 4, place & 15) for place in lanes.PLACES}
    assert len(set(lanes.PLACES.tolist())) == 1326
    assert len(held) == 1326 + 78


def test_machine_code_goes_through_an_item_of_one_combo(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at nothing but the combo, where numpy goes through its tile."""
    suit, items = 2, ITEMS.copy()
    items[0, 7] = lanes.ONE_LANE + (suit << lanes.LANE_SHIFT)
    before = _work()
    slot, tile, mask = (int(items[0, field]) for field in (2, 3, 4))
    for i in range(COUNT):
        weight = before[tile + 16 * i + 5 * suit]
        before[slot + 16 * i : slot + 16 * (i + 1)] = 0
        before[[slot + 16 * i + place for place in (suit, 4 + suit, 8)]] = weight
    alone = before[mask + 5 * suit]
    before[mask : mask + 16] = 0
    before[mask + 5 * suit] = alone
    work, expected = before.copy(), before.astype(np.float64)
    add_moving_products(work, items, TIMES)
    function: Any = lanes.add_moving_products
    for other in ("add_weights", "add_products"):
        monkeypatch.setattr(lanes, other, getattr(lanes, other).plain)
    function.plain(expected, items, TIMES, 0, 3, 3, 128, 384, 1, 2, 0.5, 2.0, 0.3, 1.0)
    assert work == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert work[900 + 5 * suit] > before[900 + 5 * suit] + 1e-3
