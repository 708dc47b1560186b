"""The kernels as plain Python give what their machine code gives."""

import os
import subprocess
import sys

import pytest

SMALL_RUN = """
import numpy as np
from engine.cards import COMBO_CARDS
from engine.kernels import playing, rollouts
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.kernels.equity.drawing import DrawLists
from engine.kernels.equity.sampling import *
from engine.kernels.equity.heads_up import count_matchups
from engine.kernels.equity.hero import share_of_hero
from engine.kernels.equity.preflop_boards import count_preflop, rank_lists
from engine.kernels.equity.showdown import count_showdowns
from engine.kernels.equity.sweep import sweep_range
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
shares = np.array([share_of_hero(tables(), hand, board[0], ranges[:count])[0] for count in (1, 2, 3)])
lists = DrawLists(np.array([0, 40, 80]), np.arange(80, dtype=np.int16), np.arange(1, 81) / 80)
for method in (REJECTING, IN_TURN, IN_TURN_OR_ANY):
    dealing = Dealing(board[0, :3], np.uint64(1 << 47 | 1 << 21 | 1 << 2), lists,
                      np.zeros((0, 2), dtype=np.int16), method, 2)
    sample_deals(tables(), new_stream(1), dealing, 20, 20, dealt, 2, won)
deals, counted = np.array([[1325, 1000], [700, 36]], dtype=np.int16), np.zeros(4)
count_preflop(tables().flush_strength, rank_lists(), deals, np.ones(2), np.uint64(2), counted)
draw = np.random.default_rng(2)
def net_of(features):
    shapes = (features, 8), (8, 8), 8, (8, 8), 8, features, features
    parts = [draw.normal(size=shape).astype(np.float32) for shape in shapes]
    return playing.Net(*parts[:5], -abs(parts[5]), abs(parts[6]))
seats = np.zeros((3, playing.SEAT_NUMBERS), np.int64)
seats[:, :5] = [[95, 5, 5, 0, -1], [290, 10, 10, 0, -1], [200, 0, 0, 0, -1]]
moments = []
for _ in range(3):
    hand = np.zeros(playing.HAND_NUMBERS, np.int64)
    hand[playing.TO_ACT], hand[playing.FULL_RAISE], hand[playing.RAISER:] = 2, 10, -1
    stakes = np.array([2, 10, 2, 10, 3, 4, 0])
    moments.append(playing.Moment(seats.copy(), hand, np.ones(playing.SIZE_NUMBERS), stakes))
model = playing.Play(net_of(48), net_of(81), draw.random((4, 3)), draw.random((4, 4)),
                     draw.random((3, playing.CONTEXTS, 2, 8)), draw.normal(size=(3, 3, 8)), np.ones(2),
                     draw.normal(size=8).astype(np.float32), np.ones(2), draw.normal(size=(3, 2)), 30.0)
dealt_out = rollouts.Deals(draw.normal(size=(9, 8)).astype(np.float32), draw.random(9).astype(np.float32),
                           draw.integers(9, size=(40, 3, 4)).astype(np.int32), np.zeros((40, 2, 3), np.int16))
combos = np.tile([1325, 700, 36], (40, 1))
runouts, cards = np.tile(board[0], (40, 1)), np.array(COMBO_CARDS)
rollouts.run_out(tables(), combos, runouts, 0, cards, np.uint64(1), dealt_out.finals)
played = np.zeros((2, 40, rollouts.RESULTS))
rollouts.roll_out(moments[0], (moments[1], moments[2]), model, dealt_out, np.array([[playing.CALLS, 0],
                  [playing.SMALL, 40]]), np.uint64(1), playing.new_scratch(81, 8, 8), played)
arrays = played, worth, beside, judged, shares, dealt, won, counted, count_matchups(deals)
print(repr([float(sum(array.ravel() * np.arange(1, array.size + 1))) for array in arrays]))
"""


def test_compiled_and_interpreted_kernels_agree() -> None:
    def run(**settings: str) -> list[float]:
        environment = {**os.environ, **settings}
        done = subprocess.run(
            [sys.executable, "-c", SMALL_RUN], env=environment, capture_output=True, text=True, check=True
        )
        return [float(number) for number in done.stdout.strip("[]\n ").split(",")]

    compiled = run()  # with no other setting than the tests' own it finds their code
    interpreted = run(NUMBA_DISABLE_JIT="1")
    assert compiled[0] == pytest.approx(interpreted[0], rel=1e-7)  # networks are in float32
    assert compiled == pytest.approx([compiled[0], *interpreted[1:]], rel=1e-12)
    assert all(compiled)
