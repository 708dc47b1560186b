"""Kinds of decisions, by hands that say what they are."""

import pytest

from engine.cards import Street
from engine.review.spots import Spot, spot_of
from tests.engine.agents.hands import deal, play, turn_of


@pytest.mark.parametrize(
    ("words", "spot"),
    [
        ("", Spot(Street.PREFLOP, "UTG", "nobody in", "", "50-120 bb deep")),
        ("c f f", Spot(Street.PREFLOP, "BTN", "limps", "", "50-120 bb deep")),
        ("f f 250", Spot(Street.PREFLOP, "BTN", "a raise", "", "50-120 bb deep")),
        ("f f f 250 900", Spot(Street.PREFLOP, "BB", "a 3-bet", "", "50-120 bb deep")),
        ("f f f 250 900 2000", Spot(Street.PREFLOP, "BTN", "a 4-bet or more", "", "50-120 bb deep")),
        ("f f f 250 f c", Spot(Street.FLOP, "BB", "no bet", "raised", "50-120 bb deep")),
        ("f f f 250 900 f c | 1000", Spot(Street.FLOP, "BTN", "a bet", "3-bet", "50-120 bb deep")),
        ("f f f f c x | 100 300", Spot(Street.FLOP, "SB", "a raise", "limped", "50-120 bb deep")),
    ],
)
def test_spots(words: str, spot: Spot) -> None:
    assert spot_of(turn_of(play(deal([10_000] * 6), words))) == spot


def test_the_depth_goes_by_the_deepest_who_is_still_in() -> None:
    stacks = [10_000, 1_900, 30_000, 10_000, 10_000, 10_000]
    assert spot_of(turn_of(play(deal(stacks), "f f f"))).depth == "50-120 bb deep"
    assert spot_of(turn_of(play(deal(stacks), "f f f f"))).depth == "under 20 bb deep"


def test_every_decision_is_of_kinds_by_street_position_what_is_faced_pot_and_depth() -> None:
    kinds = Spot(Street.RIVER, "CO", "a bet", "3-bet", "20-50 bb deep").kinds
    assert {("on the river",), ("CO",), ("a bet on the river",), ("3-bet pot",), ("20-50 bb deep",)} <= set(kinds)
