"""What everybody sees of a hand, and what one seat knows beyond it."""

import pytest
from msgspec import structs

from engine.game.observation import HandView, seen_from
from tests.engine.game.hands import act, deal, watched


def test_a_player_knows_what_everybody_sees_and_their_own_cards() -> None:
    table = deal((1000,) * 3, hole_cards={1: "KhKc"})
    act(table, "r60 c f x r100 c x x x x")
    seen = watched(table.events)
    for seat in table.seats:
        own = table.observe(seat)
        assert {name: getattr(own, name) for name in HandView.__struct_fields__} == structs.asdict(seen)
        assert seen_from(seen, seat, own.hole_cards) == own
        assert (own.viewer, own.own_cards, own.me) == (seat, own.hole_cards, seen.view(seat))
        assert own.opponents == tuple(view for view in seen.opponents if view.seat != seat)


def test_who_watches_has_no_seat_no_cards_and_no_opponent_less() -> None:
    table = deal((1000,) * 3)
    act(table, "r60 c f")
    seen = watched(table.events)
    assert (seen.viewer, seen.own_cards, seen.me) == (None, (), None)
    assert [view.seat for view in seen.opponents] == [0, 1]
    with pytest.raises(ValueError, match=r"^Seat 7 was not dealt into hand 1\.$"):
        seen.view(7)


def test_opponents_can_have_in_front_what_the_deepest_who_is_in_has() -> None:
    table = deal((5000, 1000, 300))
    assert table.to_act is not None
    assert table.observe(table.to_act).reach_of_opponents == 1000
    act(table, "c f x")
    assert [table.observe(seat).reach_of_opponents for seat in table.seats] == [280, 4980, 4980]
