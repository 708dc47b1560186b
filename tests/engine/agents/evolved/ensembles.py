"""Policies by lot that decide together, of which tests ask all but how well they play; a folder of good ones."""

from functools import cache
from pathlib import Path
from shutil import copy

import numpy as np

from engine.agents.evolved.ensemble import Ensemble, MixingNumbers, MixingRule
from engine.agents.evolved.library import StyleLibrary
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy
from engine.agents.evolved.stored_tree import StoredTree, stored_tree
from engine.agents.rule_based.pool import POOL
from engine.game.format_file import built_in
from engine.kernels.evolved.tree import new_tree
from engine.lab.evolution.deals import deals_of, play

STYLES = ("o1", "o2", "o6")
GAME = built_in("heads-up")
SHIPPED = Path(__file__).parents[4] / "resources" / "evolved"


def policy_by_lot(seed: int) -> StoredPolicy:
    """Return a policy that seldom folds, so that hands are long."""
    network = NetworkSettings(steps=2, opponent_width=3, game_width=4, head=(5,), logit_scale=1.0)
    weights = np.random.default_rng(seed).normal(0, 0.5, network.weights).astype(np.float32)
    weights[-10:-8] = -1, 1
    return StoredPolicy(network, weights)


@cache
def tree_by_lot(style: str) -> StoredTree:
    tree = new_tree()
    play(deals_of(GAME, 12, 0, 600), style, policy_by_lot(0).compiled(), tree)
    return stored_tree(tree)


def ensemble_by_lot(rule: MixingRule, numbers: MixingNumbers | None = None) -> Ensemble:
    policies = {style: policy_by_lot(seed) for seed, style in enumerate(STYLES, 1)}
    library = StyleLibrary(1200, 1, {style: tree_by_lot(style) for style in STYLES})
    return Ensemble(policies, policy_by_lot(9), library, rule, numbers or MixingNumbers())


def shipped_folder(folder: Path) -> Path:
    """Write the policies that ship into a folder as `soulread evolve all` does its own, and return it."""
    folder.mkdir()
    for style in POOL:
        copy(SHIPPED / f"{style}.policy", folder / f"exploiter-{style}.policy")
    for name in ("base.policy", "styles.library"):
        copy(SHIPPED / name, folder)
    return folder
