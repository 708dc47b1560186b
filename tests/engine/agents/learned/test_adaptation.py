import zlib

import msgspec
import numpy as np
import pytest
from msgspec import structs

from engine.agents.learned.adaptation import (
    CONTEXTS,
    KINDS,
    LEANINGS,
    Adaptation,
    Numbers,
    Spreads,
    _Memory,
    context_of,
    design,
    tilted,
)
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.codec import StoredDataError, pack, unpack
from tests.engine.agents.hands import deal, play

SIX = (10_000,) * 6
ALL = slice(None)
NO_LEANINGS = np.zeros(8)


def opening(word: str) -> Situation:
    return situations(play(deal(SIX), word).events)[0]


def strengths() -> np.ndarray:
    """P(choice | combo) of a made-up model: 200 combos that raise more the better they are, and fold otherwise."""
    raising = np.linspace(0.02, 0.95, 200)
    rows = np.zeros((200, 8))
    rows[:, ActionChoice.FOLD] = 1 - raising
    rows[:, ActionChoice.RAISE_MEDIUM] = raising
    return rows


EVEN = np.full(200, 1 / 200)
BEST_LAST = np.linspace(-1, 1, 200)
"""How strong the combos of `strengths` are."""


def model_of(adaptation: Adaptation, name: str, situation: Situation, rows: Numbers) -> Numbers:
    """P(choice | combo) of such a model for a player as they are known; its last combo is the best."""
    strong = np.linspace(-1, 1, len(rows))
    return tilted(
        rows.astype(np.float32),
        adaptation.tilt(name, situation),
        adaptation.leanings(name)[int(bool(situation.board))],
        strong,
    )


def see(adaptation: Adaptation, name: str, situation: Situation, rows: Numbers, shown: int | slice = ALL) -> None:
    """Learn one choice of a player whose cards were not seen, or were this combo."""
    part = slice(shown, shown + 1) if isinstance(shown, int) else shown
    model = model_of(adaptation, name, situation, rows)[part]
    strong = np.linspace(-1, 1, len(rows))[part]
    adaptation.learn(name, situation, model, np.full(len(model), 1 / len(model)), strong)


def test_contexts_are_told_apart() -> None:
    found = situations(play(deal(SIX, board="Ks7d2h4c9s"), "f 250 900 f f f c | x 300 c | x x | 500 f").events)
    names = [CONTEXTS[context_of(situation)] for situation in found]
    assert names == [
        *("unopened", "unopened", "facing a raise", "facing a 3-bet", "facing a 3-bet", "facing a 3-bet"),
        *("facing a 3-bet", "betting the flop", "betting the flop", "facing a bet on the flop"),
        *("betting the turn", "betting the turn", "betting the river", "facing a bet on the river"),
    ]
    assert CONTEXTS[context_of(situations(play(deal(), "c x").events)[1])] == "may check before the flop"


def test_a_stranger_is_read_as_the_model_says() -> None:
    adaptation = Adaptation()
    assert (adaptation.tilt("somebody", opening("f")) == 0).all()
    assert (adaptation.leanings("somebody") == 0).all()
    assert model_of(adaptation, "somebody", opening("f"), strengths()) == pytest.approx(strengths(), abs=1e-6)


def test_a_tilt_of_one_is_one_in_log_odds() -> None:
    rows = strengths()
    tilt = np.zeros(8)
    tilt[ActionChoice.RAISE_MEDIUM] = 1.0
    moved = tilted(rows.astype(np.float32), tilt, NO_LEANINGS, BEST_LAST)
    before = np.log(rows[:, ActionChoice.RAISE_MEDIUM] / rows[:, ActionChoice.FOLD])
    after = np.log(moved[:, ActionChoice.RAISE_MEDIUM] / moved[:, ActionChoice.FOLD])
    np.testing.assert_allclose(after - before, 1.0, rtol=1e-5)
    assert moved.sum(axis=1) == pytest.approx(1)


def test_a_leaning_of_one_is_one_in_log_odds_for_the_best_and_minus_one_for_the_worst() -> None:
    rows, leanings = strengths(), np.zeros(8)
    leanings[ActionChoice.RAISE_MEDIUM] = 1.0
    moved = tilted(rows.astype(np.float32), np.zeros(8), leanings, BEST_LAST)
    before = np.log(rows[:, ActionChoice.RAISE_MEDIUM] / rows[:, ActionChoice.FOLD])
    after = np.log(moved[:, ActionChoice.RAISE_MEDIUM] / moved[:, ActionChoice.FOLD])
    np.testing.assert_allclose(after - before, BEST_LAST, atol=1e-5)
    assert moved.sum(axis=1) == pytest.approx(1)


@pytest.mark.every(4)
@pytest.mark.parametrize(("true_tilt", "sees_cards"), [(1.0, False), (-0.8, False), (1.0, True), (0.0, True)])
def test_tilts_of_a_simulated_player_are_found(true_tilt: float, sees_cards: bool) -> None:
    """A player who differs from the model by a known tilt plays 3,000 hands; the mean settles on it."""
    generator = np.random.default_rng(5)
    wide = Spreads(population=1e-6, style=1.0, size=1e-6, player=1e-6, leaning=1e-6, player_leaning=1e-6)
    adaptation, model = Adaptation(wide), strengths()
    tilt = np.where(np.arange(8) == ActionChoice.RAISE_MEDIUM, true_tilt, 0.0)
    truth = tilted(model.astype(np.float32), tilt, NO_LEANINGS, BEST_LAST)
    for _ in range(3000):
        combo = generator.integers(200)
        raises = generator.random() < truth[combo, ActionChoice.RAISE_MEDIUM]
        situation = opening("250" if raises else "f")
        see(adaptation, "Ada", situation, model, int(combo) if sees_cards else ALL)
    tilt = adaptation.tilt("Ada", opening("f"))
    # Several standard errors of 3,000 hands: an hidden hand informs of the tilt by its mean alone.
    assert tilt[ActionChoice.RAISE_MEDIUM] - tilt[ActionChoice.FOLD] == pytest.approx(true_tilt, abs=0.25)


def test_shown_hands_count_more() -> None:
    """A raise with the worst hand says more of a player when the hand is seen."""
    model = strengths()
    shown, hidden = Adaptation(), Adaptation()
    situation = opening("250")
    see(shown, "Ada", situation, model, 0)
    see(hidden, "Ada", situation, model)
    medium = ActionChoice.RAISE_MEDIUM
    assert shown.tilt("Ada", situation)[medium] > hidden.tilt("Ada", situation)[medium] > 0


def test_what_is_learned_of_one_player_hardly_touches_another() -> None:
    adaptation, model = Adaptation(), strengths()
    for _ in range(200):
        adaptation.learn("Ada", opening("250"), model, EVEN, BEST_LAST)
    medium = ActionChoice.RAISE_MEDIUM
    ada, bob = (adaptation.tilt(name, opening("f"))[medium] for name in ("Ada", "Bob"))
    assert 0 < bob < ada / 2
    assert (adaptation.choices("Ada"), adaptation.choices("Bob")) == (200, 0)


def test_designs_name_every_kind() -> None:
    together = sum(
        np.abs(design(context, overbet=overbet)).sum(axis=0)
        for context in range(len(CONTEXTS))
        for overbet in (False, True)
    )
    # Where one may check there is no folding to be loose about.
    idle = {KINDS[at] for at in np.flatnonzero(together == 0)}
    assert idle == {f"looseness, {name}" for name in CONTEXTS if name.startswith(("betting", "may check"))}


def test_learning_twice_gives_the_same() -> None:
    both = []
    for _ in range(2):
        adaptation, model = Adaptation(), strengths()
        for at in range(20):
            adaptation.learn("Ada", opening("250" if at % 3 else "f"), model, EVEN, BEST_LAST)
        both.append(adaptation.numbers("Ada"))
    assert np.array_equal(both[0], both[1])


def test_one_step_is_that_of_the_full_matrices() -> None:
    """Against (C^-1 + I)^-1 and the gradient over all kinds, inverted as they stand."""
    spreads = Spreads()
    prior = np.full(len(KINDS), spreads.player)
    prior[:4], prior[4:6] = spreads.style, spreads.size
    situation, model = opening("250"), strengths()
    combos = np.random.default_rng(3).dirichlet(np.ones(200))
    adaptation = Adaptation(spreads)
    adaptation.learn("Ada", situation, model, combos, BEST_LAST)
    rows = design(context_of(situation))
    mean = combos @ model
    slopes = np.diag(mean) - model.T @ np.diag(combos) @ model
    information = rows.T @ slopes @ np.diag(1 / np.maximum(mean, 1e-6)) @ slopes @ rows
    chosen = combos * model[:, situation.choice] / mean[situation.choice]
    gradient = rows.T @ (np.eye(8)[situation.choice] - chosen @ model)
    expected = sum(
        np.linalg.inv(np.diag(spread**-2.0) + information) @ gradient
        for spread in (np.full(len(KINDS), spreads.population), prior)
    )
    np.testing.assert_allclose(adaptation.numbers("Ada"), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("shown", "message"),
    [(b"8 bytes.", "8 bytes where"), (np.full((9, 8), np.nan).tobytes(), "numbers that are none")],
)
def test_a_memory_of_other_numbers_is_refused_and_changes_nothing(shown: bytes, message: str) -> None:
    adaptation = Adaptation()
    before = adaptation.memory()
    with pytest.raises(StoredDataError, match=message):
        adaptation.recall(pack(structs.replace(unpack(before, _Memory), shown=shown)))
    assert adaptation.memory() == before


def test_a_memory_of_an_earlier_version_says_nothing_of_leanings() -> None:
    adaptation = Adaptation()
    adaptation.learn_shown("Ada", np.eye(2, 3), 2)
    stored = structs.asdict(unpack(adaptation.memory(), _Memory))
    del stored["shown"], stored["shown_players"], stored["counts"]
    earlier = {**stored, "sharpness": bytes(16), "certainty": bytes(32)}
    adaptation.recall(zlib.compress(msgspec.msgpack.encode(earlier)))
    assert adaptation.memory() == Adaptation().memory()


@pytest.mark.parametrize(("true_sharpness", "found"), [(0.5, 0.5), (1.0, 1.0), (2.0, 1.0)])
def test_sharpness_goes_to_where_shown_hands_are_likeliest(true_sharpness: float, found: float) -> None:
    """Hole cards drawn from likelihoods to a known power; never sharper than the likelihoods are."""
    generator = np.random.default_rng(3)
    adaptation = Adaptation(Spreads(sharpness=1.0))
    for _ in range(600):
        features = np.vstack((np.zeros(50), generator.normal(0, 1.5, 50)))
        shares = np.exp(true_sharpness * features[1])
        adaptation.learn_shown("Ada", features, int(generator.choice(50, p=shares / shares.sum())))
    shown = adaptation.corrections("Ada")
    assert shown[1] == pytest.approx(found, abs=0.1)
    # Nothing was said before the flop, nor of any leaning, so nothing was learned of it.
    np.testing.assert_allclose(np.delete(shown, 1), [1.0] + [0.0] * len(LEANINGS), atol=1e-9)


@pytest.mark.parametrize("sees_cards", [True, False])
def test_leanings_of_a_simulated_player_are_found(sees_cards: bool) -> None:
    """A player who raises the better hands more often than the model knows, and no more hands in all.

    Both of one player, and of a stranger as far as players have it in common.
    """
    generator, true_leaning = np.random.default_rng(7), 1.5
    wide = Spreads(leaning=1.0, player_leaning=1.0)
    adaptation, model = Adaptation(wide), np.zeros((200, 8))
    model[:, [ActionChoice.FOLD, ActionChoice.RAISE_MEDIUM]] = 0.5
    leanings = np.where(np.arange(8) == ActionChoice.RAISE_MEDIUM, true_leaning, 0.0)
    truth = tilted(model.astype(np.float32), np.zeros(8), leanings, BEST_LAST)
    at = 2 + LEANINGS.index("raising before the flop")
    for _ in range(1500):
        combo = int(generator.integers(200))
        raises = generator.random() < truth[combo, ActionChoice.RAISE_MEDIUM]
        see(adaptation, "Ada", opening("250" if raises else "f"), model, combo if sees_cards else ALL)
    ada, bob = adaptation.corrections("Ada")[at], adaptation.corrections("Bob")[at]
    if sees_cards:
        assert ada == pytest.approx(true_leaning, abs=0.3)
        assert 0.3 < bob < ada
    else:  # how often alone says nothing of with what, as often as the model has it
        assert abs(ada) < 0.3
