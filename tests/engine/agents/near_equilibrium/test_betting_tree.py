"""The betting of the small game, against the rules of the real one and the mathematics of the mapping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.near_equilibrium.agent import action_of, seen_place
from engine.agents.near_equilibrium.betting_tree import (
    BLINDS,
    STACK,
    End,
    Place,
    Step,
    betting_tree,
    nearest_place,
    step_for_size,
)
from engine.game.table import Table
from tests.engine.agents.hands import deal, turn_of


def played(place: Place) -> Table:
    """Play the line of a place at a real table with the same blinds and stacks; the small blind has seat 0."""
    table = deal([STACK, STACK], board="AcTd4h7s2c")
    for step in place.line:
        table.apply(action_of(step, turn_of(table)))  # raises if it is not legal
    return table


@pytest.mark.every(20)
@pytest.mark.parametrize("number", range(len(betting_tree())))
def test_each_place_is_a_decision_of_the_real_game_and_is_found_again(number: int) -> None:
    place = betting_tree()[number]
    observation = turn_of(played(place))
    assert (observation.seat, observation.street) == (place.player, place.street)
    assert tuple(view.committed for view in observation.seats) == place.committed
    legal = observation.legal
    assert legal is not None
    assert legal.call_amount == place.to_call
    assert legal.can_raise == bool(place.raises())
    assert (Step.FOLD in place.steps) == (place.to_call > 0)
    seen = seen_place(observation)
    assert seen is not None
    assert seen.place is place


def test_places_are_numbered_and_lead_on() -> None:
    tree = betting_tree()
    assert [place.number for place in tree] == list(range(len(tree)))
    assert tree[0].committed == BLINDS
    led_to = [after for place in tree for after in place.steps.values() if isinstance(after, Place)]
    assert len(led_to) == len(set(map(id, led_to))) == len(tree) - 1
    assert all(after.line[:-1] == place.line for place in tree for after in place.steps.values() if after in led_to)
    for place in tree:
        assert all(after.number > place.number for after in place.steps.values() if isinstance(after, Place))
        assert sorted(place.steps) == list(place.steps)


def test_hands_end_by_a_fold_on_the_river_or_all_in() -> None:
    ends = [after for place in betting_tree() for after in place.steps.values() if isinstance(after, End)]
    for end in ends:
        if end.folder is None:
            assert end.committed[0] == end.committed[1]
            assert end.street == 3 or end.committed[0] == STACK
        else:
            assert end.committed[end.folder] < end.committed[1 - end.folder]


@given(st.sampled_from(betting_tree()), st.floats(0.01, 300))
def test_bets_between_two_sizes_are_mapped_so_that_bluffs_of_each_size_break_even(
    place: Place, size: float
) -> None:
    """A bluff of x pots breaks even if x / (1 + x) of hands fold, as Ganzfried and Sandholm derive the mapping."""
    raises = place.raises()
    if len(raises) < 2 or not place.size_of(raises[0]) <= size < place.size_of(raises[1]):
        return
    drawn = (np.arange(4000) + 0.5) / 4000
    found = [step_for_size(place, size, float(one)) for one in drawn]
    folds = [place.size_of(step) / (1 + place.size_of(step)) for step in found]
    assert np.mean(folds) == pytest.approx(size / (1 + size), abs=1e-3)


@given(st.sampled_from(betting_tree()), st.floats(0.01, 300), st.floats(0, 0.999))
def test_a_size_counts_as_one_next_to_it(place: Place, size: float, drawn: float) -> None:
    raises = place.raises()
    step = step_for_size(place, size, drawn)
    if not raises:
        assert step is Step.CALL
        return
    sizes = [place.size_of(one) for one in raises]
    if size <= sizes[0] or size >= sizes[-1]:
        assert step is (raises[0] if size <= sizes[0] else raises[-1])
    else:
        assert step in raises


@given(st.sampled_from(betting_tree()))
def test_the_place_most_like_a_place_has_its_price_and_chips(place: Place) -> None:
    share = max(place.committed) / STACK
    found = nearest_place(place.street, place.player, share, place.price, is_facing=place.to_call > 0)
    assert (found.street, found.player) == (place.street, place.player)
    assert (max(found.committed), found.to_call) == (max(place.committed), place.to_call)
