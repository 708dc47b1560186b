"""What a decision cost: known blunders are flagged and known good ones not; the best of noise costs nothing."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.agent import ActionValue, Values
from engine.agents.learned.reader import LearnedReader
from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.review.decision import GRADE_BOUNDS, Grade, ReviewedDecision, _loss, reviewed
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.review.decisions import decided
from tests.engine.review.known_spots import BAD, GOOD, Known


def review_of(known: Known) -> ReviewedDecision:
    seen, action = known.decision()
    reader = LearnedReader()
    return reviewed(seen, action, reader.read(seen), reader, seed=1)


@pytest.mark.every(6)
@pytest.mark.parametrize("known", BAD, ids=lambda known: f"{known.rule}: {known.hole_cards}")
def test_known_blunders_are_flagged(known: Known) -> None:
    decision = review_of(known)
    assert decision.grade in (Grade.MISTAKE, Grade.BLUNDER)
    assert decision.best != decision.action


@pytest.mark.every(6)
@pytest.mark.parametrize("known", GOOD, ids=lambda known: f"{known.rule}: {known.hole_cards}")
def test_known_good_decisions_are_not(known: Known) -> None:
    assert review_of(known).grade.is_good


def test_the_same_seed_gives_the_same_review() -> None:
    known = GOOD[0]
    assert review_of(known) == review_of(known)


def test_a_call_that_ends_the_hand_costs_what_the_equity_says() -> None:
    """All-in on the river against a range that is known: folding a sure winner costs the pot."""
    decision = review_of(BAD[0])
    call = decision.values.of(CALL)
    assert call is not None
    assert call.value == pytest.approx(decision.pot_bb * decision.big_blind, rel=0.01)
    assert decision.loss_bb >= call.value / decision.big_blind


@pytest.mark.parametrize(
    ("loss", "stderr", "grade"),
    [
        (3.0, 1.6, Grade.FINE),  # within noise
        (0.4, 0.01, Grade.FINE),
        (0.5, 0.01, Grade.FINE),  # what is clear of noise is less
        (0.53, 0.01, Grade.INACCURACY),
        (1.53, 0.01, Grade.MISTAKE),
        (4.0, 1.9, Grade.FINE),
        (4.0, 1.7, Grade.INACCURACY),
        (8.0, 1.9, Grade.BLUNDER),
    ],
)
def test_grades_go_by_the_pot_and_are_clear_of_noise(loss: float, stderr: float, grade: Grade) -> None:
    assert decided(loss, stderr).grade is grade


def test_a_loss_that_the_model_may_err_by_is_none() -> None:
    known = structs.replace(decided(3.0, 0.1), stderr=2.9)
    assert known.grade is Grade.MISTAKE
    assert structs.replace(known, stderr=3.1).grade is Grade.FINE


def test_a_loss_that_may_be_the_models_is_no_blunder() -> None:
    known = decided(6.0, 2.9, deals_stderr=0.1)
    assert known.grade is Grade.BLUNDER
    assert decided(6.0, 3.1, deals_stderr=0.1).grade is Grade.MISTAKE


def test_the_best_action_is_best_though_rounding_leaves_a_loss() -> None:
    rounded = decided(7.1e-17, 0.0, action=FOLD)
    assert rounded.action == rounded.best
    assert not rounded.is_clear
    assert rounded.grade is Grade.BEST


def test_before_the_flop_a_loss_is_graded_against_a_few_big_blinds_at_least() -> None:
    least = GRADE_BOUNDS[Grade.INACCURACY] * 4
    assert decided(least - 0.01, 0.0, pot_bb=1.5).grade is Grade.FINE
    assert decided(least, 0.0, pot_bb=1.5).grade is Grade.INACCURACY
    assert decided(0.0, 0.0, action=FOLD).grade is Grade.BEST


@given(loss=st.floats(-5, 60), stderr=st.floats(0, 5), pot=st.floats(0.1, 200))
def test_the_share_that_is_told_is_the_one_that_is_graded(loss: float, stderr: float, pot: float) -> None:
    decision = decided(loss, stderr, pot_bb=pot)
    reached = [grade for grade, bound in GRADE_BOUNDS.items() if decision.share >= bound]
    # All of the error is of the deals here, and what is left of the loss is clear of it.
    assert decision.grade is (reached[-1] if reached else Grade.FINE)


def test_the_share_is_of_the_pot_less_what_may_be_noise() -> None:
    assert decided(3.0, 0.5, pot_bb=10).share == pytest.approx(0.2)
    assert decided(3.0, 0.5, pot_bb=1.5).share == pytest.approx(0.5)
    assert decided(1.0, 0.7).share == 0.0


# The best of noise


def values_with(means: Sequence[float], stderr: float, usual: Sequence[float]) -> Values:
    actions = [FOLD, CALL, *(raise_to(300 + 100 * at) for at in range(len(means) - 2))]
    found = tuple(
        ActionValue(
            action=action,
            value=mean,
            stderr=stderr,
            behind=max(means) - mean,
            behind_stderr=stderr,
            all_fold=0.0,
            called_equity=None,
            later=0.0,
            usual=often,
            guard=0.0,
            samples=1000,
        )
        for action, mean, often in zip(actions, means, usual, strict=True)
    )
    return Values(found, 1000, pair_errors=(stderr,) * (len(found) * (len(found) - 1) // 2))


def losses(true: Sequence[float], taken: Action, usual: Sequence[float]) -> np.ndarray:
    """Return what comes out when every value is measured on two halves with noise of 100 chips each."""
    seen = turn_of(play(deal([10_000] * 2), "300"))
    random, found = np.random.default_rng(3), []
    for _ in range(2000):
        first, second = (
            np.array(true) + random.normal(0, 100, len(true)) * (np.arange(len(true)) > 0) for _ in "ab"
        )
        half, whole = values_with(first, 100, usual), values_with((first + second) / 2, 100 / 2**0.5, usual)
        found.append(_loss(half, whole, taken, seen)[1])
    return np.array(found)


def test_among_actions_that_are_worth_the_same_none_costs_anything() -> None:
    found = losses([0] * 8, CALL, [0.125] * 8)
    assert abs(found.mean()) < 4 * found.std() / len(found) ** 0.5
    # The best on all deals would have seemed to be worth a standard error more.
    assert found.mean() < 20


def test_what_is_clearly_better_costs_what_it_is_worth_more() -> None:
    found = losses([0, 0, 2000, 0, 0, 0, 0, 0], CALL, [0.125] * 8)
    assert found.mean() == pytest.approx(2000, abs=4 * found.std() / len(found) ** 0.5 + 0.25 * 2000)


def test_a_rarer_action_has_to_be_worth_more() -> None:
    usual = [0.3, 0.3, *[0.3 * np.exp(-3.0)] * 6]
    true = [0, 0, 2000, 0, 0, 0, 0, 0]
    rare, common = losses(true, CALL, usual), losses(true, CALL, [0.3] * 8)
    # Three factors of e, each a tenth of what the raise is worth, which is more than the pot.
    assert common.mean() - rare.mean() == pytest.approx(0.3 * 2000, rel=0.1)


@pytest.mark.parametrize(
    ("values", "taken", "best"),
    [
        ([0, 20, -900], raise_to(300), FOLD),  # what most do of what cannot be told apart
        ([0, 400, -900], raise_to(300), CALL),
        ([0, 20, -900], FOLD, FOLD),
        ([0, 20, -900], CALL, CALL),
    ],
)
def test_what_is_advised_is_what_most_do_of_what_is_as_good(
    values: list[float], taken: Action, best: Action
) -> None:
    seen = turn_of(play(deal([10_000] * 2), "300"))
    found = values_with(values, 100, [0.9, 0.05, 0.05])
    half = values_with(values, 140, [0.9, 0.05, 0.05])
    assert _loss(half, found, taken, seen)[0] == best


def test_folding_where_checking_is_free_is_compared() -> None:
    seen = turn_of(play(deal([10_000] * 2, hole_cards={1: "AcAd"}, board="Ah8s2d"), "300 c"))
    reader = LearnedReader()
    decision = reviewed(seen, FOLD, reader.read(seen), reader, seed=1)
    check = decision.values.of(CHECK)
    assert check is not None
    assert decision.loss_bb * seen.big_blind >= check.value - 3 * check.stderr
    assert decision.grade is Grade.BLUNDER
