"""The kernels of evolved policies as plain Python play the hands that their machine code plays."""

import os
import subprocess
import sys

import pytest

SMALL_RUN = """
import numpy as np
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy
from engine.game.format_file import built_in
from engine.kernels.evolved.tree import new_tree
from engine.lab.evolution import deals
np.seterr(over="ignore")
# Counting equities takes Python minutes, and other tests compare it.
deals.fill_chances = lambda evaluator, cards, chances: None
deals.hand_equities = lambda hands, boards: (boards.sum(axis=1, keepdims=True) + hands.sum(axis=2)) % 100 / 100
network = NetworkSettings(steps=2, opponent_width=2, game_width=3, head=(4,), logit_scale=1.0)
weights = np.random.default_rng(3).normal(0, 0.5, network.weights).astype(np.float32)
weights[-10:-8] = -1, 1
tree = new_tree(100)
dealt = deals.deals_of(built_in("heads-up"), 5, 0, 6)
won = deals.play(dealt, "random", StoredPolicy(network, weights).compiled(), tree)
print(won.tolist(), tree.size[0], tree.children.tolist(), tree.counts.tolist(), tree.strengths.round(9).tolist())
"""


@pytest.mark.slow
def test_compiled_and_interpreted_kernels_agree() -> None:
    def run(**settings: str) -> str:
        environment = {**os.environ, **settings}
        return subprocess.run(
            [sys.executable, "-c", SMALL_RUN], env=environment, capture_output=True, text=True, check=True
        ).stdout

    compiled = run()
    assert compiled
    assert compiled == run(NUMBA_DISABLE_JIT="1")
