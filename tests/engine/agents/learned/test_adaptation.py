from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.learned.adaptation import Adaptation, _Memory
from engine.agents.learned.beliefs import _OF_HIDDEN_CARDS, PlayerBelief, Spreads
from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.agents.learned.tilts import (
    CONTEXTS,
    KINDS,
    LEANINGS,
    OFTEN,
    PARTS,
    STAGES,
    STRONG,
    USUAL_TIGHTNESS,
    WHERE_MOST_FOLD,
    Choice,
    Numbers,
    context_of,
    design,
    design_of,
    leaning_design,
    leaning_factors,
    stage_of,
    strengths_on,
    tilted,
)
from engine.cards import Card
from engine.codec import StoredDataError, pack, unpack
from tests.engine.agents.hands import deal, play

SIX = (10_000,) * 6
NO_TILT = np.zeros(8)


@cache
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


def leaned(rows: Numbers, leanings: Numbers, strong: Numbers, tilt: Numbers = NO_TILT) -> Numbers:
    """P(choice | combo) of such a model with a tilt and leanings."""
    plain = tilted(rows.astype(np.float32), tilt)
    return plain * leaning_factors(plain, leanings, by_choice(strong))


def by_choice(strong: Numbers) -> Numbers:
    """How strong combos are for each choice, if not given as that: the same for all."""
    return strong if strong.ndim == 2 else np.repeat(strong[:, None], 8, axis=1)


def choice_of(situation: Situation, rows: Numbers, strong: Numbers, tightness: float | None = None) -> Choice:
    """A choice in a spot in which most are so tight, by default as tight as usual."""
    if tightness is None:
        tightness = USUAL_TIGHTNESS[min(situation.raises, 1)]
    return Choice(situation, design_of(situation, tightness), rows.astype(np.float32), by_choice(strong))


def tilt_of(adaptation: Adaptation, name: str, situation: Situation) -> Numbers:
    """The tilt of a player where most are as tight as usual."""
    return adaptation.tilt(name, design(context_of(situation)))


def model_of(adaptation: Adaptation, name: str, situation: Situation, rows: Numbers) -> Numbers:
    """P(choice | combo) of such a model for a player as they are known; its last combo is the best."""
    strong, tilt = np.linspace(-1, 1, len(rows)), tilt_of(adaptation, name, situation)
    return leaned(rows, adaptation.leanings(name)[stage_of(situation)], strong, tilt)


def see(
    adaptation: Adaptation,
    name: str,
    situation: Situation,
    rows: Numbers,
    shown: int | None = None,
    tightness: float | None = None,
) -> None:
    """Learn one choice of a player whose cards were not seen, or were this combo."""
    choice = choice_of(situation, rows, np.linspace(-1, 1, len(rows)), tightness)
    usual, other = adaptation.as_usual_and_unusual(name, choice)
    if shown is None:
        adaptation.learn(name, choice, (usual, other), np.full(len(rows), 1 / len(rows)))
    else:
        both = usual[shown : shown + 1], other[shown : shown + 1]
        adaptation.learn(name, choice.with_only(shown), both, np.ones(1))


def alike(spread: float) -> tuple[float, float]:
    """The same for usual and for unusual players."""
    return spread, spread


def test_contexts_are_told_apart() -> None:
    found = situations(play(deal(SIX, board="Ks7d2h4c9s"), "f 250 900 f f f c | x 300 c | x x | 500 f").events)
    names = [CONTEXTS[context_of(situation)] for situation in found]
    assert names == [
        *("unopened", "unopened", "facing a raise"),
        *("facing a 3-bet cold", "facing a 3-bet cold", "facing a 3-bet cold", "facing a 3-bet"),
        *("betting into the last raiser", "betting as the last raiser", "facing a bet on the flop"),
        *(
            "betting into the last raiser",
            "betting as the last raiser",
            "betting the river",
            "facing a bet after a checked street",
        ),
    ]
    assert CONTEXTS[context_of(situations(play(deal(), "c x").events)[1])] == "may check before the flop"
    limped = situations(play(deal(SIX), "c f f f f 400 c").events)
    assert CONTEXTS[context_of(limped[-1])] == "facing a raise after limping"
    checked = situations(play(deal(SIX, board="Ks7d2h4c9s"), "f f f f c x | 200 c | x x | 200 c").events)
    assert [CONTEXTS[context_of(checked[at])] for at in (7, 11)] == ["facing a bet after a checked street"] * 2
    raised = situations(play(deal(SIX, board="Ks7d2h"), "f f f f c x | 200 500 900 c").events)
    assert [CONTEXTS[context_of(one)] for one in raised[-4:]] == [
        *("betting the flop", "facing a bet after a checked street"),
        *("facing a raise after the flop", "facing a raise after the flop"),
    ]


def test_a_stranger_is_read_as_the_model_says() -> None:
    adaptation = Adaptation()
    assert (tilt_of(adaptation, "somebody", opening("f")) == 0).all()
    assert (adaptation.leanings("somebody") == 0).all()
    assert model_of(adaptation, "somebody", opening("f"), strengths()) == pytest.approx(strengths(), abs=1e-6)


def test_a_tilt_of_one_is_one_in_log_odds() -> None:
    rows = strengths()
    tilt = np.zeros(8)
    tilt[ActionChoice.RAISE_MEDIUM] = 1.0
    moved = tilted(rows.astype(np.float32), tilt)
    before = np.log(rows[:, ActionChoice.RAISE_MEDIUM] / rows[:, ActionChoice.FOLD])
    after = np.log(moved[:, ActionChoice.RAISE_MEDIUM] / moved[:, ActionChoice.FOLD])
    np.testing.assert_allclose(after - before, 1.0, rtol=1e-5)
    assert moved.sum(axis=1) == pytest.approx(1)


def test_a_leaning_of_one_is_one_in_log_odds_for_the_best_and_minus_one_for_the_worst() -> None:
    rows, leanings = strengths(), np.zeros(8)
    leanings[ActionChoice.RAISE_MEDIUM] = 1.0
    moved = leaned(rows, leanings, BEST_LAST)
    before = np.log(rows[:, ActionChoice.RAISE_MEDIUM] / rows[:, ActionChoice.FOLD])
    after = np.log(moved[:, ActionChoice.RAISE_MEDIUM] / moved[:, ActionChoice.FOLD])
    np.testing.assert_allclose(after - before, BEST_LAST, atol=1e-5)
    assert moved.sum(axis=1) == pytest.approx(1)


@pytest.mark.every(4)
@pytest.mark.parametrize(("true_tilt", "sees_cards"), [(1.0, False), (-0.8, False), (1.0, True), (0.0, True)])
def test_tilts_of_a_simulated_player_are_found(true_tilt: float, sees_cards: bool) -> None:
    """A player who differs from the model by a known tilt plays 3,000 hands; the mean settles on it."""
    generator = np.random.default_rng(5)
    of_none = {"size": alike(1e-6), "player": alike(1e-6), "often": alike(1e-6), "leaning": alike(1e-6)}
    of_all = {"population": 1e-6, "population_often": 1e-6, "population_leaning": 1e-6}
    wide = Spreads(style=alike(1.0), **of_none, **of_all)
    adaptation, model = Adaptation(wide), strengths()
    tilt = np.where(np.arange(8) == ActionChoice.RAISE_MEDIUM, true_tilt, 0.0)
    truth = tilted(model.astype(np.float32), tilt)
    for _ in range(3000):
        combo = generator.integers(200)
        raises = generator.random() < truth[combo, ActionChoice.RAISE_MEDIUM]
        situation = opening("250" if raises else "f")
        see(adaptation, "Ada", situation, model, int(combo) if sees_cards else None)
    tilt = tilt_of(adaptation, "Ada", opening("f"))
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
    assert tilt_of(shown, "Ada", situation)[medium] > tilt_of(hidden, "Ada", situation)[medium] > 0


def test_what_is_learned_of_one_player_hardly_touches_another() -> None:
    adaptation, model = Adaptation(), strengths()
    for _ in range(200):
        see(adaptation, "Ada", opening("250"), model)
    medium = ActionChoice.RAISE_MEDIUM
    ada, bob = (tilt_of(adaptation, name, opening("f"))[medium] for name in ("Ada", "Bob"))
    assert 0 < bob < ada / 2
    assert (adaptation.choices("Ada"), adaptation.choices("Bob")) == (200, 0)


def test_designs_name_every_kind() -> None:
    designs = [design(context, overbet=overbet) for context in range(len(CONTEXTS)) for overbet in (False, True)]
    tight = [design_of(situation, 9.0) for situation in situations(play(deal(SIX), "250 f").events)]
    together = sum(np.abs(one).sum(axis=0) for one in (*designs, *tight))
    # Where one may check there is no folding to be loose about.
    tilts = set(np.flatnonzero(together == 0)) - set(range(len(KINDS))[STRONG])
    assert {KINDS[at] for at in tilts} == {
        f"looseness, {name}" for name in CONTEXTS if name.startswith(("betting", "may check"))
    }
    of_stages = np.array([leaning_design(stage).any(axis=0) for stage in range(STAGES)])
    assert (of_stages.sum(axis=0) == 1).all()


def test_no_choice_is_of_both_parts_of_a_hand() -> None:
    assert sorted(np.concatenate(PARTS)) == list(range(len(KINDS)))
    for context in range(len(CONTEXTS)):
        for overbet in (False, True):
            assert not design(context, overbet=overbet)[:, PARTS[int(context < 6)]].any()
    for stage, context in enumerate((0, 1, 7)):
        used = np.flatnonzero(leaning_design(stage).any(axis=0)) + STRONG.start
        assert set(used) <= set(PARTS[int(stage == 2)])
        # More often is with the same choices as with strong hands.
        assert np.array_equal(design(context)[:, OFTEN], leaning_design(stage))


def test_learning_twice_gives_the_same() -> None:
    both = []
    for _ in range(2):
        adaptation, model = Adaptation(), strengths()
        for at in range(20):
            see(adaptation, "Ada", opening("250" if at % 3 else "f"), model)
        both.append(adaptation.numbers("Ada"))
    assert np.array_equal(both[0], both[1])


def test_one_step_is_that_of_the_full_matrices() -> None:
    """Against (C^-1 + I)^-1 and the gradient over all kinds, combo by combo and inverted as they stand."""
    spreads = Spreads()
    situation, model = opening("250"), strengths()
    combos = np.random.default_rng(3).dirichlet(np.ones(200))
    adaptation = Adaptation(spreads)
    strong = BEST_LAST[:, None] ** np.array([1, 1, 1, 1, 3, 1, 5, 1])
    adaptation.learn("Ada", choice_of(situation, model, strong), (model, model), combos)
    tilt = design(context_of(situation))
    chosen = combos * model[:, situation.choice] / (combos @ model[:, situation.choice])
    slopes, gradient = np.zeros((8, len(KINDS))), np.zeros(len(KINDS))
    for combo, probabilities in enumerate(model):
        rows = tilt.copy()
        rows[:, STRONG] = strong[combo][:, None] * leaning_design(0)
        moved = probabilities[:, None] * (rows - probabilities @ rows)
        slopes += combos[combo] * moved
        gradient += chosen[combo] * moved[situation.choice] / probabilities[situation.choice]
    # Of an unusual player hidden cards say less of leanings.
    less = np.ones(len(KINDS))
    less[STRONG] = _OF_HIDDEN_CARDS
    steps = []
    for of_all, scale in ((spreads.of_population(), 1), (spreads.of_player(0), 1), (spreads.of_player(1), less)):
        scaled = slopes * scale
        information = scaled.T @ np.diag(1 / np.maximum(combos @ model, 1e-6)) @ scaled
        steps.append(np.linalg.inv(np.diag(of_all**-2.0) + information) @ (gradient * scale))
    unusual = 1 / (1 + np.exp(-spreads.unusual))
    expected = steps[0] + (1 - unusual) * steps[1] + unusual * steps[2]
    np.testing.assert_allclose(adaptation.numbers("Ada"), expected, rtol=1e-9, atol=1e-12)


def test_who_plays_in_a_way_of_their_own_is_found_out() -> None:
    """Three play as the model says, another folds the best hands and raises the worst; cards are seen."""
    generator, model = np.random.default_rng(2), np.zeros((200, 8))
    raising = np.linspace(0.2, 0.8, 200)
    model[:, ActionChoice.FOLD], model[:, ActionChoice.RAISE_MEDIUM] = 1 - raising, raising
    adaptation = Adaptation()
    for _ in range(150):
        for name in ("Ada", "Bob", "Dan", "Eve"):
            raises = 1 - raising if name == "Bob" else raising
            combo = int(generator.integers(200))
            word = "250" if generator.random() < raises[combo] else "f"
            see(adaptation, name, opening(word), model, combo)
    share = adaptation.share_of_unusual
    stranger = PlayerBelief(Spreads()).shares[1]
    assert share("Ada") < stranger == share("Cid") < 0.1
    assert share("Bob") > 0.99
    raise_medium = ActionChoice.RAISE_MEDIUM
    leanings = [adaptation.leanings(name)[0, raise_medium] for name in ("Ada", "Bob")]
    assert leanings[1] < -1 < leanings[0] < 0.7


def test_the_spread_of_a_tilt_is_that_of_draws_from_both_beliefs() -> None:
    generator, player = np.random.default_rng(3), PlayerBelief(Spreads())
    for at, belief in enumerate(player.beliefs):
        belief.mean = generator.normal(at, 1, len(KINDS))
    player.odds = 0.7
    row = design(CONTEXTS.index("facing a bet on the turn"), overbet=True)[ActionChoice.CALL]
    is_unusual = generator.random(200_000) < player.shares[1]
    drawn = [generator.multivariate_normal(one.mean, one.covariance(), 200_000) @ row for one in player.beliefs]
    assert player.spread(row) == pytest.approx(np.where(is_unusual, drawn[1], drawn[0]).std(), rel=0.01)


@pytest.mark.parametrize(("words", "is_raised"), [("f", 0), ("250 f", 1)])
def test_who_plays_alike_wherever_most_fold_is_found_out(words: str, is_raised: int) -> None:
    """In spots in which the model folds anything from 12% to 88% of hands, this player always folds half."""
    generator, adaptation = np.random.default_rng(9), Adaptation()
    folding = situations(play(deal(SIX), words).events)[-1]
    raising = situations(play(deal(SIX), words.replace("f", "900")).events)[-1]
    for _ in range(600):
        tightness = generator.uniform(-2, 2)
        model = np.zeros((9, 8))
        model[:, ActionChoice.FOLD] = 1 / (1 + np.exp(-tightness))
        model[:, raising.choice] = 1 - model[:, ActionChoice.FOLD]
        taken = raising if generator.random() < 0.5 else folding
        see(adaptation, "Ada", taken, model, tightness=USUAL_TIGHTNESS[is_raised] + tightness)
    ada = adaptation.numbers("Ada")[WHERE_MOST_FOLD]
    # 1 would undo the model's slope entirely.
    assert ada[is_raised] == pytest.approx(1, abs=0.25)
    assert ada[1 - is_raised] == 0
    assert abs(tilt_of(adaptation, "Ada", folding)).max() < 0.5


@pytest.mark.parametrize(
    ("sharpness", "message"),
    [(b"8 bytes.", "8 bytes where"), (np.full(6, np.nan).tobytes(), "numbers that are none")],
)
def test_a_memory_of_other_numbers_is_refused_and_changes_nothing(sharpness: bytes, message: str) -> None:
    adaptation = Adaptation()
    before = adaptation.memory()
    with pytest.raises(StoredDataError, match=message):
        adaptation.recall(pack(structs.replace(unpack(before, _Memory), sharpness=sharpness)))
    assert adaptation.memory() == before


def test_a_memory_of_an_earlier_version_is_refused() -> None:
    """The hands are learned from again then."""
    earlier = {"population": bytes(8 * 29 * 28), "players": {}, "choices": {}, "shown": bytes(8 * 72), "counts": {}}
    with pytest.raises(StoredDataError):
        Adaptation().recall(pack(earlier))


@cache
def bet_of_the_flop() -> Situation:
    bet = situations(play(deal(board="Ks7d2h"), "250 c | x 300 f").events)[3]
    assert bet.choice is ActionChoice.RAISE_MEDIUM
    return bet


def shown_bet(likelihoods: Numbers, strong: Numbers | None = None) -> Choice:
    """A bet of the flop that combos make with such probabilities."""
    probabilities = np.zeros((len(likelihoods), 8), np.float32)
    probabilities[:, ActionChoice.RAISE_MEDIUM], probabilities[:, ActionChoice.CHECK] = likelihoods, 1 - likelihoods
    return choice_of(bet_of_the_flop(), probabilities, np.zeros(len(likelihoods)) if strong is None else strong)


@pytest.mark.parametrize(("true_sharpness", "found"), [(0.5, 0.5), (1.0, 1.0), (2.0, 1.0)])
def test_sharpness_goes_to_where_shown_hands_are_likeliest(true_sharpness: float, found: float) -> None:
    """Hole cards drawn from likelihoods to a known power; never sharper than the likelihoods are."""
    generator = np.random.default_rng(3)
    adaptation = Adaptation(Spreads(sharpness=1.0))
    for _ in range(600):
        features = generator.normal(0, 1.5, 50)
        likelihoods = np.exp(features - features.max())
        shares = likelihoods**true_sharpness
        combo = int(generator.choice(50, p=shares / shares.sum()))
        adaptation.learn_shown("Ada", [shown_bet(likelihoods)], np.ones(50, bool), combo)
    assert adaptation.sharpness("Ada")[1] == pytest.approx(found, abs=0.1)
    # Nothing was said before the flop, nor of any leaning, so nothing was learned of it.
    assert adaptation.sharpness("Ada")[0] == pytest.approx(1)
    assert not adaptation.numbers("Ada").any()


def test_shown_cards_lean_a_range_to_what_was_shown() -> None:
    """Hands that all bet alike by the model, while this player bets the better ones more."""
    generator = np.random.default_rng(11)
    adaptation = Adaptation(Spreads(population_leaning=1e-6, leaning=alike(3.0), sharpness=1e-6))
    likelihoods, strong, live = np.full(200, 0.5), np.linspace(-1, 1, 200), np.ones(200, bool)
    live[150:] = False  # the best quarter is blocked by the board
    shares = np.where(live, 1 / (1 + np.exp(-1.5 * strong)), 0)
    for _ in range(1500):
        combo = int(generator.choice(200, p=shares / shares.sum()))
        adaptation.learn_shown("Ada", [shown_bet(likelihoods, strong)], live, combo)
    numbers = adaptation.numbers("Ada")[STRONG]
    bets = numbers[LEANINGS.index("betting less than 0.6 pots after the flop")]
    checks = numbers[LEANINGS.index("checking after the flop")]
    assert bets - checks == pytest.approx(1.5, abs=0.4)
    assert not adaptation.numbers("Ada")[: STRONG.start].any(), "how often they bet was not looked at"
    assert not adaptation.numbers("Bob")[: STRONG.start].any()


@given(st.lists(st.integers(0, 51), min_size=3, max_size=5, unique=True))
def test_strengths_rise_with_the_share_of_weaker_hands_from_minus_one_to_one(cards: list[int]) -> None:
    for board in ((), tuple(map(Card, cards))):
        strong, weaker = strengths_on(board), shares_weaker(board)
        order = np.argsort(weaker)
        assert (np.diff(strong[order], axis=0) >= 0).all()
        assert -1 <= strong.min() <= strong.max() <= 1
        large = strong[:, ActionChoice.RAISE_HUGE :]
        assert (large == large[:, :1]).all()
        assert (strong[:, : ActionChoice.RAISE_HUGE] == strong[:, :1]).all()
        # The best tenth stands out the more for large bets.
        tenth, better = (np.interp(at, weaker[order], strong[order, 0]) for at in (0.9, 1.0))
        large_tenth, large_better = (np.interp(at, weaker[order], large[order, 0]) for at in (0.9, 1.0))
        assert (large_better - large_tenth > better - tenth + 0.05) == bool(board)


@pytest.mark.parametrize("sees_cards", [True, False])
def test_leanings_of_a_simulated_player_are_found(sees_cards: bool) -> None:
    """A player who raises the better hands more often than the model knows, and no more hands in all.

    Both of one player, and of a stranger as far as players have it in common.
    """
    generator, true_leaning = np.random.default_rng(7), 1.5
    wide = Spreads(population_leaning=1.0, leaning=alike(1.0))
    adaptation, model = Adaptation(wide), np.zeros((200, 8))
    model[:, [ActionChoice.FOLD, ActionChoice.RAISE_MEDIUM]] = 0.5
    leanings = np.where(np.arange(8) == ActionChoice.RAISE_MEDIUM, true_leaning, 0.0)
    truth = leaned(model, leanings, BEST_LAST)
    at = STRONG.start + LEANINGS.index("opening before the flop")
    for _ in range(1500):
        combo = int(generator.integers(200))
        raises = generator.random() < truth[combo, ActionChoice.RAISE_MEDIUM]
        see(adaptation, "Ada", opening("250" if raises else "f"), model, combo if sees_cards else None)
    ada, bob = adaptation.numbers("Ada")[at], adaptation.numbers("Bob")[at]
    if sees_cards:
        assert ada == pytest.approx(true_leaning, abs=0.3)
        assert 0.3 < bob < ada
    else:  # how often alone says nothing of with what, as often as the model has it
        assert abs(ada) < 0.3
