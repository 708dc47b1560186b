"""Scripted hands: the chosen cards are dealt, the spot is what the script says, and the chips add up."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Street
from engine.game.observation import Observation
from engine.game.table import Table
from engine.training import spots
from engine.training.spots import Setting

seeds = st.integers(0, 2**32 - 1)
after_the_flop = st.sampled_from([Street.FLOP, Street.TURN, Street.RIVER])


def checked(setting: Setting, spot: Observation) -> None:
    """Check what is true of every spot."""
    shown = [card for view in spot.opponents if view.shown for card in view.shown]
    cards = [*spot.hole_cards, *spot.board, *shown]
    assert len(set(cards)) == len(cards)
    assert spot.pot + sum(view.stack for view in spot.seats) == sum(setting.stacks)
    assert {view.seat for view in spot.seats if view.is_live} == set(setting.in_hand)


@pytest.mark.parametrize("players", range(2, 11))
def test_positions_have_different_names_and_end_at_the_button(players: int) -> None:
    names = spots.positions(players)
    assert len(set(names)) == len(names) == players
    assert names[-1] == "BTN"
    assert names[0] == ("BB" if players == 2 else "SB")


@given(seed=seeds, street=after_the_flop, fraction=st.sampled_from([0.25, 0.5, 1.0, 2.0]))
def test_a_bet_is_faced_on_its_street(seed: int, street: Street, fraction: float) -> None:
    rng = np.random.default_rng(seed)
    setting = spots.any_setting(rng)
    cards, board = spots.draw_cards(rng, 7), ()
    hole_cards, board = (cards[0], cards[1]), cards[2:]
    spot = spots.to_bet(
        setting,
        spots.deal(setting, rng, {setting.you: hole_cards}, board),
        street,
        (0.5,) * (street - 1) + (fraction,),
    )
    checked(setting, spot)
    assert (spot.street, spot.to_act, spot.board) == (street, setting.you, board[: 2 + street])
    assert set(spot.hole_cards) == set(hole_cards)
    assert spot.legal is not None
    bet = spot.legal.call_amount
    assert bet > 0
    before = spot.pot - bet
    assert abs(bet - fraction * before) <= 50 or bet == spot.view(setting.others[0]).bet


@given(seed=seeds, street=after_the_flop)
def test_a_raise_and_a_check_are_what_the_player_sees(seed: int, street: Street) -> None:
    rng = np.random.default_rng(seed)
    setting = spots.any_setting(rng)
    raised = spots.to_raise(setting, spots.deal(setting, rng, {}), street, (0.5, 1.0))
    checked(setting, raised)
    assert (raised.street, raised.to_act, spots.raises_on_street(raised)) == (street, setting.you, 2)
    free = spots.to_check(setting, spots.deal(setting, rng, {}), street)
    checked(setting, free)
    assert free.legal is not None
    assert (free.street, free.legal.can_check) == (street, True)


@given(seed=seeds, street=st.sampled_from([Street.PREFLOP, Street.FLOP, Street.TURN]), others=st.integers(1, 3))
def test_in_an_all_in_all_cards_lie_open_and_no_further_card(seed: int, street: Street, others: int) -> None:
    rng = np.random.default_rng(seed)
    setting = spots.any_setting(rng, others=others)
    spot = spots.all_in(setting, spots.deal(setting, rng, {}), street)
    checked(setting, spot)
    assert len(spot.board) == (0, 3, 4)[street]
    assert all(view.shown and view.is_all_in for view in spot.seats if view.is_live)


@given(seed=seeds)
def test_somebody_is_all_in_before_the_flop_and_nobody_is_left_to_act(seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = spots.any_setting(rng, is_in_big_blind=True)
    spot = spots.to_all_in(setting, spots.deal(setting, rng, {}))
    checked(setting, spot)
    assert spot.to_act == setting.you
    assert [view.is_all_in for view in spot.opponents] == [True]


def test_the_same_seed_deals_the_same() -> None:
    def dealt(seed: int) -> Table:
        rng = np.random.default_rng(seed)
        return spots.deal(spots.any_setting(rng), rng, {})

    assert dealt(4).observe(0) == dealt(4).observe(0)
    drawn: Callable[[int], object] = lambda seed: dealt(seed).observe(0).hole_cards  # noqa: E731
    assert len({drawn(seed) for seed in range(20)}) > 15
    assert all(0 <= card < CARD_COUNT for seed in range(5) for card in dealt(seed).observe(0).hole_cards)
