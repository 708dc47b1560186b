"""Pot-sized raises against worked examples and against pokerkit's pot-limit rule."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pokerkit import Automation, PotLimitOmahaHoldem, State

from engine.game.observation import LegalActions, Observation
from engine.game.sizing import NoRaiseError, in_whole_chips, pot_fraction, raise_to_for_pot_fraction
from tests.trainer.scripted_hands import Scribe

DEEP = LegalActions(can_check=False, call_amount=50, min_raise_to=100, max_raise_to=2000)


def facing_50_into_100() -> Observation:
    """Three limp for 20 with antes making 100; then the first bets 50."""
    hand = Scribe(3, button=2, stacks=[2000, 2000, 2000], small_blind=10, big_blind=20).blinds()
    hand.raise_to(2, 50).fold(0).call(1).deal("Ks 7d 2h")
    assert sum(hand.committed.values()) == 110
    hand.committed[0] = 0  # leave exactly 100 in the middle
    hand.raise_to(1, 50)
    hand.human = 2
    return hand.observation(to_act=2, legal=DEEP)


def test_the_rule_books_example() -> None:
    """Robert's Rules of Poker: pot 100, a bet of 50; call 50 and raise the pot, 200, for a wager of 250."""
    observation = facing_50_into_100()
    assert observation.pot == 150
    assert raise_to_for_pot_fraction(observation, 1) == 250
    assert pot_fraction(observation, 250) == 1


def test_fractions_are_of_the_pot_after_the_call() -> None:
    observation = facing_50_into_100()
    assert raise_to_for_pot_fraction(observation, Fraction(1, 2)) == 50 + 100
    assert raise_to_for_pot_fraction(observation, 0.75) == 50 + 150
    assert raise_to_for_pot_fraction(observation, Fraction(1, 3)) == 50 + 67  # 66.67, to the nearest chip
    assert raise_to_for_pot_fraction(observation, 0) == DEEP.min_raise_to  # nothing on top is no raise
    assert [pot_fraction(observation, total) for total in (50, 150, 200)] == [0, 0.5, 0.75]


def test_rounds_half_a_chip_up() -> None:
    hand = Scribe(2, button=0, small_blind=1, big_blind=2).blinds().call(0).check(1).deal("Ks 7d 2h")
    hand.committed[0] += 1
    observation = hand.observation(to_act=0, legal=LegalActions(True, 0, 2, 1998))
    assert observation.pot == 5
    assert raise_to_for_pot_fraction(observation, Fraction(1, 2)) == 3


def test_is_clamped_to_what_is_legal() -> None:
    observation = facing_50_into_100()
    short = LegalActions(False, 50, 100, 180)
    assert raise_to_for_pot_fraction(_with(observation, short), 1) == 180
    assert raise_to_for_pot_fraction(_with(observation, short), Fraction(1, 100)) == 100


@pytest.mark.parametrize(
    ("small_blind", "ante", "total", "expected"),
    [
        (10, 0, 163, 160),
        (10, 0, 165, 170),
        (10, 5, 163, 165),
        (0, 0, 151, 160),  # the big blind is 20
        (7, 0, 163, 163),
        (10, 0, 103, 104),  # the least raise
        (10, 0, 9999, 1999),  # all-in
    ],
)
def test_in_the_chips_that_blinds_and_antes_are_paid_in(
    small_blind: int, ante: int, total: int, expected: int
) -> None:
    observation = _with(facing_50_into_100(), LegalActions(False, 50, 104, 1999))
    observation = replace(observation, small_blind=small_blind, ante=ante)
    assert in_whole_chips(observation, total) == expected


def test_no_size_where_no_raise_is_allowed() -> None:
    observation = facing_50_into_100()
    with pytest.raises(NoRaiseError, match="Seat 2 may not bet or raise"):
        raise_to_for_pot_fraction(_with(observation, LegalActions(False, 50, 0, 0)), 1)
    with pytest.raises(NoRaiseError):
        raise_to_for_pot_fraction(_with(observation, None), 1)


@pytest.mark.parametrize("fraction", [-0.5, float("inf"), float("nan")])
def test_refuses_a_share_that_is_none(fraction: float) -> None:
    with pytest.raises(ValueError, match="share of the pot must be a number from 0 on"):
        raise_to_for_pot_fraction(facing_50_into_100(), fraction)


@given(st.lists(st.integers(0, 100), max_size=7), st.integers(2, 6))
def test_agrees_with_pokerkits_pot_limit(choices: list[int], players: int) -> None:
    """At every turn of random betting the pot-sized raise is pokerkit's maximum; Omaha bets as hold'em does."""
    state = pot_limit(players)
    for choice in choices:
        if state.actor_index is None or state.street_index != 0:
            break
        pot_sized = state.pot_completion_betting_or_raising_to_amount
        assert pot_sized is not None
        least, most = state.min_completion_betting_or_raising_to_amount, max(state.stacks) + max(state.bets)
        if least is None:
            break
        legal = LegalActions(state.checking_or_calling_amount == 0, state.checking_or_calling_amount, least, most)
        assert raise_to_for_pot_fraction(seen(state, legal), 1) == pot_sized
        assert pot_fraction(seen(state, legal), pot_sized) == 1
        if choice < 40:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(least + (pot_sized - least) * choice // 100)


def pot_limit(players: int) -> State:
    automations = tuple(
        automation for automation in Automation if automation is not Automation.RUNOUT_COUNT_SELECTION
    )
    return PotLimitOmahaHoldem.create_state(automations, True, 0, (10, 20), 20, 10**9, players)


def seen(state: State, legal: LegalActions) -> Observation:
    """Give pokerkit's chips as the observation of its actor."""
    actor = state.actor_index
    assert actor is not None
    hand = Scribe(len(state.stacks), human=actor)
    hand.bet = dict(enumerate(int(bet) for bet in state.bets))
    hand.committed = dict(hand.bet)
    return hand.observation(to_act=actor, legal=legal)


def _with(observation: Observation, legal: LegalActions | None) -> Observation:
    return replace(observation, legal=legal)
