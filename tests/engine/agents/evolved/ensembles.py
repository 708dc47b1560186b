"""Policies by lot that decide together, of which tests ask everything but how well they play."""

from functools import cache

import numpy as np

from engine.agents.evolved.ensemble import Ensemble, MixingNumbers, MixingRule
from engine.agents.evolved.library import StyleLibrary
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy
from engine.agents.evolved.stored_tree import StoredTree, stored_tree
from engine.game.format_file import built_in
from engine.kernels.evolved.tree import new_tree
from engine.lab.evolution.deals import deals_of, play

STYLES = ("o1", "o2", "o6")
GAME = built_in("heads-up")


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
