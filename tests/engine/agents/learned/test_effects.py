import numpy as np
import pytest

from engine.agents.explain import explain_chain
from engine.agents.learned.combo_features import POSTFLOP_COMBO_FEATURES, PREFLOP_COMBO_FEATURES
from engine.agents.learned.effects import _columns, effects_of
from engine.agents.posterior import chain_of
from engine.agents.readers import make_reader
from engine.cards import CLASS_COUNT, COMBO_COUNT, class_name, class_of, combo_of, combos_of_class, parse_cards
from engine.game.events import ActionTaken
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


@pytest.mark.parametrize(
    ("words", "hand", "group"),
    [
        ("250 f c | x 300 1200", "QJs", "backdoor draws"),  # one of four is a flush draw
        ("250 f c | x 300 1200", "AJo", "backdoor draws"),
        ("250 f c | x 300 c | x", "QJs", "few draws"),
        ("250 f c | x 300 c | x", "65s", "draws"),
        ("250 f c | x 300 c | x", "AJo", "lack of draws"),
    ],
)
def test_draws_are_named_by_what_most_combos_have(words: str, hand: str, group: str) -> None:
    observation = play(deal((10_000,) * 3, board="Ks7s2d4c9h"), words).observe(0)
    events = observation.events
    prediction = make_reader("learned").predict(observation, 2)
    combos = combos_of_class(next(one for one in range(CLASS_COUNT) if class_name(one) == hand))
    effects = effects_of(prediction.updates[-1], events, combos, prediction.prior)
    assert group in effects


def test_the_average_hand_has_no_effects() -> None:
    """All 1,326 combos together, each by the range, are the average hand itself."""
    observation = table().observe(0)
    update = make_reader("learned").predict(observation, 2).updates[0]
    prior = np.full(COMBO_COUNT, 1 / COMBO_COUNT, dtype=np.float32)
    effects = effects_of(update, observation.events, range(COMBO_COUNT), prior)
    assert list(effects.values()) == pytest.approx([0.0] * len(effects), abs=1e-4)


@pytest.mark.parametrize("cards", ["AhAd", "QsJs", "7h7c"])
def test_effects_add_up_to_how_much_likelier_the_hand_makes_it(cards: str) -> None:
    observation = table().observe(0)
    prediction = make_reader("learned-fixed").predict(observation, 2)
    for update in (prediction.updates[0], prediction.updates[-1]):
        effects = effects_of(update, observation.events, [combo_of(*parse_cards(cards))], prediction.prior)
        usual = float(prediction.prior.astype(float) @ update.likelihood)
        expected = np.log(float(update.likelihood[combo_of(*parse_cards(cards))]) / usual)
        # The range is sampled.
        assert sum(effects.values()) == pytest.approx(expected, abs=0.25)


SPOTS = {
    "open": ((10_000,) * 6, ("250", "300", "350", "400")),
    "open from the button": ((10_000,) * 6, ("f f f 250", "f f f 300")),
    "open, deep": ((20_000,) * 6, ("250", "350")),
    "open, short": ((2_000,) * 6, ("200", "250", "2000")),
    "3-bet": ((10_000,) * 6, ("250 750", "f f 250 850", "f f f 250 f 1000")),
    "4-bet": ((10_000,) * 6, ("f f 250 850 f f 2000", "f f 250 850 f f 2500")),
    "heads-up open": ((10_000,) * 2, ("250", "300")),
}


@pytest.mark.parametrize("spot", SPOTS)
def test_no_player_laughs_at_what_speaks_for_a_raise(spot: str) -> None:
    stacks, lines = SPOTS[spot]
    for words in lines:
        hand = play(deal(stacks), words)
        events = hand.observe(0).events
        raiser = [event.seat for event in events if isinstance(event, ActionTaken)][-1]
        observation = hand.observe(next(view.seat for view in hand.observe(0).seats if view.seat != raiser))
        prediction = make_reader("learned-fixed").predict(observation, raiser)
        for name in ("AA", "KK", "QQ", "AKs", "72o", "83o"):
            hand_class = next(one for one in range(CLASS_COUNT) if class_name(one) == name)
            text = explain_chain(chain_of(prediction, combos_of_class(hand_class), observation.events))[-1]
            is_trash = name.endswith("o")
            assert ("that is likelier" if is_trash else "less likely") not in text, (words, text)
            assert not (is_trash and "its pair" in text), text


def test_a_class_that_the_range_does_not_hold_counts_evenly() -> None:
    observation = table().observe(0)
    update = make_reader("learned").predict(observation, 2).updates[0]
    aces = combos_of_class(class_of(combo_of(*parse_cards("AsAd"))))
    without = np.full(COMBO_COUNT, 1.0, dtype=np.float32)
    without[list(aces)] = 0
    assert effects_of(update, observation.events, aces, without)["pair"] != 0
