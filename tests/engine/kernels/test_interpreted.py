"""The kernels as plain Python give what their machine code gives."""

import os
import subprocess
import sys

import pytest

SMALL_RUN = """
import numpy as np
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.kernels.drawing import DrawLists
from engine.kernels.sampling import *
from engine.kernels.heads_up import count_matchups
from engine.kernels.hero import share_of_hero
from engine.kernels.preflop_boards import count_preflop, rank_lists
from engine.kernels.showdown import count_showdowns
from engine.kernels.sweep import sweep_range
np.seterr(over="ignore")
board = np.array([[47, 21, 2, 4, 31], [47, 43, 39, 4, 35]], dtype=np.uint8)
live = np.zeros((2, 1326))
live[0, [1325, 1300, 5]] = live[1, [1000, 900, 5]] = 1, 0.5, 2
weights = np.arange(1326) / 1326
won = np.zeros(2)
worth, beside = sweep_range([47, 43, 39, 4], [0], weights, 1.0)
judged, dealt = np.zeros(4), np.zeros((4, 2))
count_showdowns(tables(), live, np.arange(2), board[0, :4], np.uint64(1), 0, 91, judged)
hand, ranges = np.array([51, 50], dtype=np.uint8), np.random.default_rng(1).random((3, 1326))
shares = np.array([share_of_hero(tables(), hand, board[0], 0, False, ranges[:count]) for count in (1, 2, 3)])
lists = DrawLists(np.array([0, 40, 80]), np.arange(80, dtype=np.int16), np.arange(1, 81) / 80)
for method in (REJECTING, IN_TURN, IN_TURN_OR_ANY):
    dealing = Dealing(board[0, :3], np.uint64(1 << 47 | 1 << 21 | 1 << 2), lists,
                      np.zeros((0, 2), dtype=np.int16), method, 2)
    sample_deals(tables(), new_stream(1), dealing, 20, 20, dealt, 2, won)
deals, counted = np.array([[1325, 1000], [700, 36]], dtype=np.int16), np.zeros(4)
count_preflop(tables().flush_strength, rank_lists(), deals, np.ones(2), np.uint64(2), counted)
arrays = worth, beside, judged, shares, dealt, won, counted, count_matchups(deals)
print(repr([float(sum(array.ravel() * np.arange(1, array.size + 1))) for array in arrays]))
"""


@pytest.mark.slow
def test_compiled_and_interpreted_kernels_agree() -> None:
    def run(**settings: str) -> list[float]:
        environment = {**os.environ, **settings}
        done = subprocess.run(
            [sys.executable, "-c", SMALL_RUN], env=environment, capture_output=True, text=True, check=True
        )
        return [float(number) for number in done.stdout.strip("[]\n ").split(",")]

    compiled = run()  # with no other setting than the tests' own it finds their code
    assert compiled == pytest.approx(run(NUMBA_DISABLE_JIT="1"), rel=1e-12)
    assert all(compiled)
