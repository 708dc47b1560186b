"""Posteriors are products, and chains multiply out.

Against the predictions of readers, and of hand-made ones of every awkward kind.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.agent import ActionClass, PositionGroup, Prediction, RangeUpdate, UnderstoodAction
from engine.agents.fold.understand import understand
from engine.agents.learned.effects import effects_of
from engine.agents.posterior import (
    EXPLAINERS,
    Chain,
    FeatureEffect,
    boards_at,
    chain_of,
    effective_combos,
    posterior_of,
    uniform_prior,
)
from engine.agents.readers import make_reader
from engine.cards import (
    CLASS_COUNT,
    COMBO_COUNT,
    Combo,
    Street,
    combo_of,
    combos_of_class,
    parse_cards,
    unblocked,
)
from engine.codec import Vector, decode, encode, frozen_vector
from engine.equity.checks import EquityError
from engine.game.events import PublicEvent
from engine.game.observation import Observation
from tests.engine.agents.hands import combo, deal, play, turn_of


def action(street: Street = Street.FLOP) -> UnderstoodAction:
    return UnderstoodAction(3, 1, street, ActionClass.CHECK, 0.0, PositionGroup.LATE, 2, 0, False, False, 95.0)


def update(likelihood: np.ndarray, replaces: int | None = None) -> RangeUpdate:
    return RangeUpdate(action(), (), frozen_vector(likelihood), 0.5, (), replaces)


def predicted(prior: Vector, *updates: RangeUpdate, reader: str = "paper") -> Prediction:
    return Prediction(1, reader, prior, updates, posterior_of(prior, updates))


def live_prior(cards: str = "AhJh Ac Td 4h") -> Vector:
    live = unblocked(parse_cards(cards)).astype(np.float64)
    return frozen_vector(live / live.sum())


def multiplied(chain: Chain) -> float:
    return chain.prior * prod(one.likelihood / one.mean for one in chain.factors if one.counts)


def check_multiplies_out(prediction: Prediction, events: Sequence[PublicEvent] = ()) -> None:
    """Every combo's and every class's chain ends where the prediction does."""
    every: list[tuple[Combo, ...]] = [(Combo(combo),) for combo in range(COMBO_COUNT)]
    every += [combos_of_class(hand_class) for hand_class in range(CLASS_COUNT)]
    for combos in every:
        chain = chain_of(prediction, combos, events)
        index = list(combos)
        assert len(chain.factors) == len(prediction.updates)
        assert chain.prior == pytest.approx(float(prediction.prior[index].sum(dtype=float)), rel=1e-6)
        assert multiplied(chain) == pytest.approx(chain.posterior, rel=1e-12, abs=0)
        # 1326 float32 roundings apart.
        assert chain.posterior == pytest.approx(float(prediction.posterior[index].sum(dtype=float)), rel=2e-6)
        for factor in chain.factors:
            assert 0 <= factor.likelihood <= 1
            assert 0 <= factor.mean <= 1
            assert 0 <= factor.average <= 1


def river() -> Observation:
    """A hand with a check-raise, so that an action is replaced, and with actions that are not weighed."""
    table = play(
        deal([10_000] * 3, hole_cards={0: "Kd9d"}, board="AcTd4d7s2c", names=("Hero", "Ann", "Bob")),
        "300 c c | x 200 700 c f | x x | 900",
    )
    return turn_of(table)


@pytest.mark.parametrize("name", ["paper", "uniform"])
def test_chains_of_a_readers_predictions_multiply_out(name: str) -> None:
    observation = river()
    found = make_reader(name).read(observation)
    assert found
    for prediction in found:
        check_multiplies_out(prediction, observation.events)


def test_the_hand_has_a_replaced_update() -> None:
    replaced = [one.replaces for found in make_reader("paper").read(river()) for one in found.updates]
    assert any(index is not None for index in replaced)


def test_updates_that_are_replaced_do_not_count() -> None:
    prior, rng = live_prior(), np.random.default_rng(3)
    checks, bets, raises = (rng.random(COMBO_COUNT) for _ in range(3))
    prediction = predicted(prior, update(checks), update(bets, replaces=0), update(raises, replaces=1))
    check_multiplies_out(prediction)
    kings = chain_of(prediction, combos_of_class(14), ())
    assert [factor.counts for factor in kings.factors] == [False, False, True]
    # The one that stands is weighed against the range that the others left alone.
    assert kings.factors[2].mean == pytest.approx(float(prior.astype(float) @ raises), rel=1e-6)
    assert kings.factors[0].ratio == 1.0


def test_an_action_thought_impossible_is_left_out() -> None:
    prior = live_prior()
    rng = np.random.default_rng(5)
    nothing = predicted(prior, update(rng.random(COMBO_COUNT)), update(np.zeros(COMBO_COUNT)), update(prior > 0))
    check_multiplies_out(nothing)
    factor = chain_of(nothing, [combo_of(*parse_cards("KsKd"))], ()).factors[1]
    assert (factor.mean, factor.counts) == (0.0, False)


def test_blocked_and_excluded_combos() -> None:
    prior = live_prior()
    kings = np.isin(np.arange(COMBO_COUNT), combos_of_class(14))
    prediction = predicted(prior, update(np.where(kings, 0.0, 0.4)), update(np.where(kings, 0.9, 0.3)))
    check_multiplies_out(prediction)
    blocked = chain_of(prediction, [combo_of(*parse_cards("AhKh"))], ())
    assert (blocked.prior, blocked.posterior) == (0.0, 0.0)
    excluded = chain_of(prediction, combos_of_class(14), ())
    assert excluded.prior > 0
    assert excluded.posterior == 0
    assert [factor.likelihood for factor in excluded.factors] == pytest.approx([0.0, 0.9])


def test_the_averages_are_over_the_range_before_and_over_all_possible_hands() -> None:
    prior = live_prior()
    first, second = (np.linspace(start, 0.9, COMBO_COUNT) for start in (0.1, 0.5))
    prediction = predicted(prior, update(first), update(second))
    one, two = chain_of(prediction, combos_of_class(0), ()).factors
    live = prior > 0
    assert one.mean == pytest.approx(first[live].mean(), rel=1e-5)
    assert one.average == pytest.approx(first[live].mean(), rel=1e-5)
    assert two.mean == pytest.approx((first * second)[live].sum() / first[live].sum(), rel=1e-5)
    assert two.average == pytest.approx(second[live].mean(), rel=1e-5)
    aces = [combo for combo in combos_of_class(0) if live[combo]]
    assert two.likelihood == pytest.approx(np.average(second[aces], weights=first[aces]), rel=1e-5)


@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.sampled_from([0.0, 5.0, 20.0]))
def test_random_predictions_multiply_out(seed: int, count: int, spread: float) -> None:
    """Likelihoods over many magnitudes, with zeros, and any update replaced by any later one."""
    rng = np.random.default_rng(seed)
    prior = frozen_vector(live_prior() * rng.random(COMBO_COUNT))
    updates = [
        update(
            np.exp(-spread * rng.random(COMBO_COUNT)) * (rng.random(COMBO_COUNT) > 0.2),
            int(rng.integers(index)) if index and rng.random() < 0.4 else None,
        )
        for index in range(count)
    ]
    prediction = predicted(prior, *updates)
    for hand_class in rng.choice(CLASS_COUNT, 12, replace=False).tolist():
        combos = combos_of_class(hand_class)
        chain = chain_of(prediction, combos, ())
        assert multiplied(chain) == pytest.approx(chain.posterior, rel=1e-12, abs=0)
        expected = float(prediction.posterior[list(combos)].sum(dtype=float))
        assert chain.posterior == pytest.approx(expected, rel=2e-6, abs=1e-37)


def test_effects_come_from_the_readers_explainer(monkeypatch: pytest.MonkeyPatch) -> None:
    prior, rng = live_prior(), np.random.default_rng(9)
    seen: list[Vector] = []

    def effects(
        of: RangeUpdate, events: Sequence[PublicEvent], combos: Sequence[Combo], before: Vector
    ) -> tuple[FeatureEffect, ...]:
        seen.append(before)
        assert combos == combos_of_class(14)
        assert any(of is one for one in prediction.updates)
        return FeatureEffect("kicker", 0.1), FeatureEffect("made hand", -0.7)

    monkeypatch.setitem(EXPLAINERS, "marionette", effects)
    likelihoods = [rng.random(COMBO_COUNT) for _ in range(3)]
    updates = (update(likelihoods[0]), update(likelihoods[1]), update(likelihoods[2], replaces=1))
    prediction = predicted(prior, *updates, reader="marionette")
    factors = chain_of(prediction, combos_of_class(14), ()).factors
    strongest = (FeatureEffect("made hand", -0.7), FeatureEffect("kicker", 0.1))
    assert [factor.effects for factor in factors] == [strongest, (), strongest]
    np.testing.assert_allclose(seen[0], prior, atol=1e-9)
    np.testing.assert_allclose(seen[1], posterior_of(prior, updates[:1]), atol=1e-9)
    assert seen[1].dtype == np.float32


def test_readers_without_an_explainer_have_no_effects() -> None:
    prediction = predicted(live_prior(), update(np.full(COMBO_COUNT, 0.5)))
    assert chain_of(prediction, combos_of_class(3), ()).factors[0].effects == ()


def test_the_learned_readers_effects_are_its_own() -> None:
    observation = river()
    prediction = make_reader("learned").read(observation)[0]
    combos = combos_of_class(14)
    factor = chain_of(prediction, combos, observation.events).factors[0]
    expected = effects_of(prediction.updates[0], observation.events, combos, prediction.prior)
    assert {effect.name: effect.effect for effect in factor.effects} == pytest.approx(expected, abs=1e-5)
    assert factor.effects


def test_a_chain_is_stored_as_it_is() -> None:
    observation = river()
    prediction = make_reader("paper").read(observation)[0]
    chain = chain_of(prediction, combos_of_class(14), observation.events)
    assert decode(encode(chain), Chain) == chain


@pytest.mark.parametrize(
    ("combos", "sentence"),
    [
        ([], "at least one combo"),
        ([1326], "1326 is no combo"),
        ([-1], "-1 is no combo"),
        ([2.0], "2.0 is no combo"),
        ([5, 5], "stands twice"),
        ("AA", "come in a sequence"),
    ],
)
def test_what_is_no_set_of_combos_is_refused(combos: Sequence[Combo], sentence: str) -> None:
    prediction = predicted(live_prior())
    with pytest.raises(EquityError, match=sentence):
        chain_of(prediction, combos, ())


def test_a_prediction_before_any_action_is_its_prior() -> None:
    observation = river()
    prior = uniform_prior(observation)
    chain = chain_of(predicted(prior), combos_of_class(14), observation.events)
    assert chain.factors == ()
    assert chain.prior == chain.posterior


# The product of streets


def test_the_papers_worked_example() -> None:
    """Eqs. 18-24 with all 990 combos of the river; the paper's own slip in psi_2 put right.

    We hold Ah Jh; board Ac Td 4h Qc 5c. psi_1 = Ad Tc: 0.01, 0.006, 0.024, 0.005; psi_2 = Ks Jc: 0.002, 0.03,
    0.024, 0.03. Their products are 7.2e-9 and 4.32e-8; of a total of 2e-5 that is 0.036% and 0.216%.
    """
    live = unblocked(parse_cards("AcTd4hQc5c AhJh"))
    assert live.sum() == 990
    first, second = combo("AdTc"), combo("KsJc")
    streets = {first: (0.01, 0.006, 0.024, 0.005), second: (0.002, 0.03, 0.024, 0.03)}
    rest = (2e-5 - 7.2e-9 - 4.32e-8) / 988
    likelihoods = []
    for street in range(4):
        # The others share what is left of the total: on the first street all of it, then certainty.
        values = np.where(live, rest if street == 0 else 1.0, 0.0)
        for psi, factors in streets.items():
            values[psi] = factors[street]
        likelihoods.append(update(values))
    posterior = posterior_of(frozen_vector(live / 990), likelihoods)
    assert posterior.sum() == pytest.approx(1.0, abs=1e-6)
    assert posterior[first] == pytest.approx(0.00036, rel=1e-5)
    assert posterior[second] == pytest.approx(0.00216, rel=1e-5)
    assert (posterior[~live] == 0).all()


def test_a_street_follows_bayes_rule() -> None:
    # Eqs. 12-14: with a uniform prior the posterior is the likelihood, normalised.
    live = unblocked(parse_cards("AcTd4h AhJh"))
    likelihood = np.where(live, np.random.default_rng(1).random(COMBO_COUNT), 0)
    posterior = posterior_of(frozen_vector(live / live.sum()), [update(likelihood)])
    assert np.allclose(posterior, likelihood / likelihood.sum(), atol=1e-7)


def test_the_product_does_not_depend_on_the_order() -> None:
    random = np.random.default_rng(2)
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    updates = [update(random.random(COMBO_COUNT)) for _ in range(4)]
    assert np.allclose(posterior_of(prior, updates), posterior_of(prior, updates[::-1]), atol=1e-9)


def test_a_replaced_update_does_not_count() -> None:
    random = np.random.default_rng(3)
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    check, bet = random.random(COMBO_COUNT), random.random(COMBO_COUNT)
    both = posterior_of(prior, [update(check), update(bet)])
    replaced = posterior_of(prior, [update(check), update(bet, replaces=0)])
    assert np.allclose(replaced, bet / bet.sum(), atol=1e-7)
    assert not np.allclose(both, replaced, atol=1e-5)


def test_an_action_thought_impossible_is_skipped_and_the_range_stays() -> None:
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    some = np.zeros(COMBO_COUNT)
    some[:10] = 1
    posterior = posterior_of(prior, [update(some), update(np.zeros(COMBO_COUNT))])
    assert posterior.sum() == pytest.approx(1)
    assert posterior[:10].sum() == pytest.approx(1)


def test_boards_are_those_of_the_moment() -> None:
    table = play(deal(board="AcTd4hQc5c"), "300 c | x 300 900 c | 1200")
    boards = boards_at(table.events)
    sizes = [len(boards[action.event_index]) for action in understand(table.events)]
    assert sizes == [0, 0, 3, 3, 3, 3, 4]


def test_effective_combos_counts_equals_as_themselves() -> None:
    assert effective_combos(np.full(37, 0.2)) == pytest.approx(37)
    assert effective_combos(np.zeros(5)) == 0
    assert 1 < effective_combos(np.array([0.9, 0.1])) < 2
