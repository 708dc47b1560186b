import numpy as np
import pytest

from engine.agents.learned.combo_features import POSTFLOP_COMBO_FEATURES, PREFLOP_COMBO_FEATURES
from engine.agents.learned.effects import _columns, effects_of
from engine.agents.readers import make_reader
from engine.cards import COMBO_COUNT, class_of, combo_of, combos_of_class, parse_cards
from engine.game.table import Table
from tests.engine.agents.hands import deal, play


def table() -> Table:
    return play(deal((10_000,) * 3, board="Ks7s2d4c9h"), "250 f c | x 300 1200")


@pytest.mark.parametrize("is_preflop", [True, False])
def test_every_feature_is_in_one_group(is_preflop: bool) -> None:
    names = PREFLOP_COMBO_FEATURES if is_preflop else POSTFLOP_COMBO_FEATURES
    found = np.sort(np.concatenate(list(_columns(is_preflop).values())))
    assert found.tolist() == list(range(len(names)))


def test_effects_say_what_moves_a_hand() -> None:
    observation = table().observe(0)
    prediction = make_reader("learned").predict(observation, 2)
    check_raise = prediction.updates[-1]
    before = prediction.prior
    set_of_sevens = effects_of(check_raise, observation.events, [combo_of(*parse_cards("7h7c"))], before)
    assert next(iter(set_of_sevens)) in {"made hand", "equity"}
    assert set_of_sevens["made hand"] > 0
    draw = effects_of(check_raise, observation.events, [combo_of(*parse_cards("AsQs"))], before)
    assert draw["draws"] > 0
    strongest = [abs(effect) for effect in draw.values()]
    assert strongest == sorted(strongest, reverse=True)


def test_the_average_hand_has_no_effects() -> None:
    """All 1,326 combos together, each by the range, are the average hand itself."""
    observation = table().observe(0)
    update = make_reader("learned").predict(observation, 2).updates[0]
    prior = np.full(COMBO_COUNT, 1 / COMBO_COUNT, dtype=np.float32)
    effects = effects_of(update, observation.events, range(COMBO_COUNT), prior)
    assert list(effects.values()) == pytest.approx([0.0] * len(effects), abs=1e-4)


def test_a_class_that_the_range_does_not_hold_counts_evenly() -> None:
    observation = table().observe(0)
    update = make_reader("learned").predict(observation, 2).updates[0]
    aces = combos_of_class(class_of(combo_of(*parse_cards("AsAd"))))
    without = np.full(COMBO_COUNT, 1.0, dtype=np.float32)
    without[list(aces)] = 0
    assert effects_of(update, observation.events, aces, without)["pair"] != 0
