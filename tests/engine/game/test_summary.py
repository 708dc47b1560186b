"""What a hand came to, from hands whose result anybody can see, and what seats are called."""

import pytest
from msgspec import structs

from engine.cards import Street
from engine.game.events import HandEnded, HandStarted
from engine.game.summary import POSITIONS, HandSummary, positions, positions_between, summary_of
from tests.engine.game.hands import act, deal, watched

BOARD = "2s 5d 7c 9h Js"
BEST_FIRST = {0: "AhAc", 1: "KhKc", 2: "QhQc", 3: "ThTc"}


def summaries(text: str, seats: int = 4) -> list[HandSummary]:
    table = deal((1000,) * seats, hole_cards={seat: BEST_FIRST[seat] for seat in range(seats)}, board=BOARD)
    act(table, text)
    assert table.is_over
    return [summary_of(table.observe(seat)) for seat in range(seats)]


def test_a_walk() -> None:
    walk = HandSummary("BB", 4, 0, Street.PREFLOP, went_to_showdown=False, pot=1.0, net=0.5)
    found = summaries("f f f")
    assert found[2] == walk
    assert [one.position for one in found] == ["BTN", "SB", "BB", "CO"]
    assert [one.net for one in found] == [0, -0.5, 0.5, 0]


def test_a_three_bet_pot_that_ends_on_the_flop() -> None:
    found = summaries("f r60 r180 f c x r100 f")
    button, small_blind = found[:2]
    assert (button.raises, button.street, button.went_to_showdown) == (2, Street.FLOP, False)
    assert button.pot == (180 + 180 + 20) / 20
    assert (button.net, small_blind.net, found[2].net) == (200 / 20, -180 / 20, -1)


def test_a_watched_hand_has_nobodys_place_and_result() -> None:
    table = deal((1000,) * 3)
    act(table, "f r60 r180 c x x x x x x")
    own, seen = summary_of(table.observe(1)), summary_of(watched(table.events))
    assert seen == structs.replace(own, position="", went_to_showdown=False, net=0.0)


def test_a_showdown_all_in_before_the_flop_deals_all_streets() -> None:
    button, big_blind = summaries("r1000 c", seats=2)
    assert (button.position, big_blind.position) == ("BTN", "BB"), "heads-up the button posts the small blind"
    assert button.street is Street.RIVER
    assert button.went_to_showdown
    assert big_blind.went_to_showdown
    assert (button.pot, button.net, big_blind.net) == (100, 50, -50)


def test_who_folds_was_in_at_no_showdown() -> None:
    assert [one.went_to_showdown for one in summaries("c f c x x x x x x x x x x")] == [False, True, True, True], (
        "the button has folded"
    )


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        (2, "BTN BB"),
        (3, "BTN SB BB"),
        (4, "BTN SB BB CO"),
        (5, "BTN SB BB HJ CO"),
        (6, "BTN SB BB UTG HJ CO"),
        (7, "BTN SB BB UTG LJ HJ CO"),
        (8, "BTN SB BB UTG UTG+1 LJ HJ CO"),
        (9, "BTN SB BB UTG UTG+1 UTG+2 LJ HJ CO"),
        (10, "BTN SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO"),
    ],
)
def test_seats_are_named_from_the_button(seats: int, names: str) -> None:
    for button in range(seats):
        found = positions(deal((1000,) * seats, button=button).events)
        assert [found[(button + step) % seats] for step in range(seats)] == names.split()
        assert list(found) == sorted(found)
        assert set(found.values()) <= set(POSITIONS)


def test_a_big_blind_whose_chips_all_went_for_the_ante_is_one_all_the_same() -> None:
    assert positions(deal((3000, 40), button=0, ante=50).events) == {0: "BTN", 1: "BB"}
    names = positions(deal((3000, 3000, 40, 3000, 3000, 3000), button=0, ante=50).events)
    assert list(names.values()) == ["BTN", "SB", "BB", "UTG", "HJ", "CO"]
    ten = positions(deal((3000, 3000, 40, *(3000,) * 7), button=0, ante=50).events)
    assert list(ten.values()) == ["BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO"]


def test_a_small_blind_whose_chips_all_went_for_the_ante_is_one_all_the_same() -> None:
    names = positions(deal((3000, 40, 3000, 3000), button=0, ante=50).events)
    assert list(names.values()) == ["BTN", "SB", "BB", "CO"]


def test_eight_seats_between_have_their_names_in_the_order_of_acting() -> None:
    names = positions_between(8)
    assert list(names) == sorted(names, key=POSITIONS.index)
    assert names[:4] == POSITIONS[:4]
    assert [names.count(late) for late in ("LJ", "HJ", "CO")] == [1, 1, 1]


def test_without_a_small_blind_the_seats_before_the_button_keep_their_names() -> None:
    table = deal({0: 1000, 2: 1000, 3: 1000, 4: 1000}, button=0, has_small_blind=False)
    assert positions(table.events) == {0: "BTN", 2: "BB", 3: "HJ", 4: "CO"}


def test_what_is_no_hand_is_refused() -> None:
    events = deal((1000, 1000)).events
    with pytest.raises(ValueError, match="whole hand"):
        summary_of(deal((1000, 1000)).observe(0))
    for wrong in ((), events[1:], (HandEnded(()),)):
        with pytest.raises(ValueError, match="Places"):
            positions(wrong)
    assert isinstance(events[0], HandStarted)
