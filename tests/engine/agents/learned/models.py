"""Small random networks, so that tests of the reader need no trained model."""

import numpy as np

from engine.agents.learned.combo_features import POSTFLOP_COMBO_FEATURES, PREFLOP_COMBO_FEATURES
from engine.agents.learned.network import Model, Network, Networks, TableLikelihoods, at_work
from engine.agents.learned.situations import CHOICES, POSTFLOP_FEATURES, PREFLOP_FEATURES


def random_networks(seed: int = 1, first: int = 12, second: int = 7) -> Networks:
    generator = np.random.default_rng(seed)

    def layer(*shape: int) -> np.ndarray:
        return (generator.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    def network(combos: int, situation: int) -> Network:
        return Network(
            layer(combos, first),
            layer(situation, first),
            layer(first),
            layer(first, second),
            layer(second),
            layer(second, CHOICES),
            layer(CHOICES),
            np.full(situation, -9, np.float32),
            np.full(situation, 9, np.float32),
        )

    return Networks(
        network(len(PREFLOP_COMBO_FEATURES), len(PREFLOP_FEATURES)),
        network(len(POSTFLOP_COMBO_FEATURES), len(POSTFLOP_FEATURES)),
    )


def random_model(seed: int = 1) -> Model:
    return Model(random_networks(seed), random_networks(seed + 1000))


def random_likelihoods(seed: int = 1) -> TableLikelihoods:
    return at_work(random_model(seed))
