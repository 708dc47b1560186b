"""What the table says of hands made up for the purpose."""

import math
from dataclasses import fields

import pytest
from msgspec.structs import replace

from engine.cards import parse_cards
from engine.game.events import GameKind, Posted, PostKind, SeatStart
from engine.game.rules import TableRules
from engine.game.table import Table
from tests.trainer.scripted_hands import Scribe, two
from trainer.play.table_model import (
    BLIND_LABELS,
    SeatModel,
    TableContext,
    TableModel,
    clockwise_from,
    seat_points,
    table_model,
)
from trainer.session.types import Stage
from trainer.theme import DARK, LIGHT

PLAIN = TableContext()


def seat_of(model: TableModel, seat: int) -> SeatModel:
    return next(state for state in model.seats if state.seat == seat)


def raised_pot() -> Scribe:
    """Three seats; you raise on the button, the small blind calls, the big blind folds."""
    return Scribe(3, button=0).blinds().raise_to(0, 60).call(1).fold(2)


def showdown() -> Scribe:
    hand = raised_pot().deal("Kh 7d 2c").check(1, 0).deal("7c").check(1, 0).deal("Ad").check(1, 0)
    return hand.show(0, "KsKd").show(1, "AsJs").award(0, 0, 140).end()


def test_before_the_flop() -> None:
    model = table_model(raised_pot().thinking(1), PLAIN)
    you, ada, boris = model.seats
    assert (you.name, you.is_you, you.is_button, you.blind) == ("You", True, True, "")
    assert (ada.blind, boris.blind) == ("SB", "BB")
    assert (you.stack, you.bet, you.label, you.label_role) == ("1,940", "60", "raises to 60", "raise_")
    assert (ada.bet, ada.label, ada.label_role) == ("60", "calls 50", "call")
    assert (boris.label, boris.label_role, boris.is_folded) == ("folds", "fold", True)
    assert model.pot == "Pot 140"
    assert model.pots == ()
    assert model.holding == "You have pocket kings"


def test_the_labels_of_blinds_are_those_of_the_blinds_that_a_table_posts() -> None:
    rules = TableRules(small_blind=10, big_blind=20, ante=5, straddle=40)
    seats = [SeatStart(seat, f"P{seat}", 1000) for seat in range(4)]
    table = Table(hand_number=1, kind=GameKind.CASH, seats=seats, button=0, rules=rules, deck=range(52))
    posted = {event.kind for event in table.events if isinstance(event, Posted)}
    assert set(BLIND_LABELS) == posted - {PostKind.ANTE}


def test_a_straddle_is_shown_and_spoken() -> None:
    view = Scribe(4, button=0).blinds().post(3, PostKind.STRADDLE, 40).your_turn()
    seat = seat_of(table_model(view, PLAIN), 3)
    assert (seat.blind, seat.bet) == ("STR", "40")
    assert ", straddle, stack " in seat.spoken


def test_cards_up_and_down() -> None:
    model = table_model(raised_pot().thinking(1), PLAIN)
    assert [(seat.cards, seat.has_backs) for seat in model.seats] == [
        (two("KsKd"), False),
        ((), True),
        ((), False),  # folded
    ]


def test_whose_turn() -> None:
    hand = Scribe(3, button=0).blinds()
    asked = table_model(hand.your_turn(), PLAIN)
    assert [seat.is_to_act for seat in asked.seats] == [True, False, False]
    assert not any(seat.is_thinking for seat in asked.seats)
    waiting = table_model(hand.raise_to(0, 60).thinking(1), PLAIN)
    assert [(seat.is_to_act, seat.is_thinking) for seat in waiting.seats][1] == (True, True)
    shown = table_model(hand.view(Stage.SHOWING, to_act=1), PLAIN)
    assert not any(seat.is_to_act for seat in shown.seats)


def test_labels_last_for_a_street() -> None:
    hand = raised_pot().deal("Kh 7d 2c")
    assert [seat.label for seat in table_model(hand.thinking(1), PLAIN).seats] == ["", "", ""]
    hand.check(1)
    assert seat_of(table_model(hand.your_turn(), PLAIN), 1).label == "checks"


def test_everything_in_big_blinds() -> None:
    model = table_model(raised_pot().thinking(1), TableContext(in_big_blinds=True))
    you, ada, _ = model.seats
    assert (you.stack, you.bet, you.label) == ("97 bb", "3 bb", "raises to 3 bb")
    assert ada.label == "calls 2.5 bb"
    assert model.pot == "Pot 7 bb"


def test_holding_names_the_hand_and_its_draws() -> None:
    hand = Scribe(2, button=0, hole_cards="AhJh").blinds().call(0).check(1).deal("Th 4h Jd")
    assert table_model(hand.thinking(1), PLAIN).holding == "You have a pair of jacks, ace kicker + flush draw"
    hand.check(1).fold(0)
    assert table_model(hand.thinking(1), PLAIN).holding == ""


def test_side_pots() -> None:
    hand = Scribe(3, button=0, stacks=[500, 100, 300]).blinds().raise_to(0, 200).call(1).raise_to(2, 300)
    model = table_model(hand.your_turn(), PLAIN)
    assert model.pots == ("Main 300", "Side 300")
    assert model.pot == "Pot 600"
    ada = seat_of(model, 1)
    assert (ada.stack, ada.is_all_in, ada.label) == ("all-in", True, "calls 90, all-in")


def test_antes_are_in_the_pot_but_not_in_front() -> None:
    hand = Scribe(2, button=0, ante=5)
    hand.post(0, PostKind.ANTE, 5).post(1, PostKind.ANTE, 5).blinds()
    model = table_model(hand.your_turn(), PLAIN)
    assert (model.pot, [seat.bet for seat in model.seats]) == ("Pot 40", ["10", "20"])


def test_showdown() -> None:
    model = table_model(showdown().view(Stage.HAND_OVER), PLAIN)
    you, ada, boris = model.seats
    assert (you.result, you.net, you.net_role) == ("wins 140", "+80", "good")
    assert (ada.result, ada.net, ada.net_role) == ("", "−60", "bad")
    assert ada.label == "two pair, aces and sevens, king kicker"
    assert (boris.net, boris.label) == ("−20", "")
    assert ada.cards == two("AsJs")
    assert model.winning == frozenset(parse_cards("Ks Kd Kh 7d 7c"))
    assert model.pot == "Pot 140"  # still there to be read once it has been paid out
    assert model.holding == "You have a full house, kings full of sevens"


def test_a_showdown_names_the_kicker_that_decides() -> None:
    hand = Scribe(2, button=0, hole_cards="5c3c").blinds().call(0).check(1).deal("9c 2h Kd").check(1, 0)
    hand.deal("8c").check(1, 0).deal("9s").check(1, 0).show(1, "7d6h").show(0, "5c3c").award(1, 0, 40).end()
    model = table_model(hand.view(Stage.HAND_OVER), PLAIN)
    assert seat_of(model, 1).label == "a pair of nines, K-8-7 kicker"
    assert model.holding == "You have a pair of nines, K-8-5 kicker"


def test_a_pot_won_without_showdown_shows_no_cards() -> None:
    hand = Scribe(3, button=0).blinds().raise_to(0, 60).fold(1).raise_to(2, 200).fold(0)
    hand.give_back(2, 140).award(2, 0, 130).end()
    model = table_model(hand.view(Stage.HAND_OVER), PLAIN)
    winner = seat_of(model, 2)
    assert (winner.label, winner.result, winner.net) == ("", "wins 130", "+70")
    assert (winner.cards, winner.has_backs) == ((), True)
    assert model.winning == frozenset()


def test_mucked_cards_are_gone() -> None:
    hand = raised_pot().deal("Kh 7d 2c").check(1, 0).deal("7c").check(1, 0).deal("Ad").check(1, 0)
    hand.show(0, "KsKd").muck(1).award(0, 0, 140).end()
    ada = seat_of(table_model(hand.view(Stage.HAND_OVER), PLAIN), 1)
    assert (ada.label, ada.has_backs, ada.cards) == ("mucks", False, ())


def test_split_pot_names_both_winners() -> None:
    hand = Scribe(2, button=0, hole_cards="AhKd").blinds().call(0).check(1).deal("Ks 7d 2h")
    hand.check(1, 0).deal("7c").check(1, 0).deal("Jd").check(1, 0)
    hand.show(1, "AcKc").show(0, "AhKd").award(1, 0, 20).award(0, 0, 20).end()
    model = table_model(hand.view(Stage.HAND_OVER), PLAIN)
    assert [seat.result for seat in model.seats] == ["wins 20", "wins 20"]
    assert model.winning == frozenset(parse_cards("Ac Kc Ah Kd Ks 7d 7c Jd")) - frozenset(parse_cards("Jd"))


def test_study_mode_reveals_only_whom_it_is_told() -> None:
    context = TableContext(revealed={1: two("QsQd")})
    model = table_model(Scribe(3, button=0).blinds().your_turn(), context)
    assert [seat.cards for seat in model.seats] == [two("KsKd"), two("QsQd"), ()]


def test_seats_run_clockwise_from_your_own() -> None:
    hand = Scribe([1, 3, 4, 7], human=4, button=1)
    view = replace(hand.view(Stage.SHOWING, is_out=(5,)), names={5: "Elena"})
    assert clockwise_from(view, 4) == (4, 5, 7, 1, 3)
    model = table_model(view, PLAIN)
    out = seat_of(model, 5)
    assert (out.name, out.is_out, out.stack, out.has_backs) == ("Elena", True, "", False)
    assert out.spoken == "Elena is out of the game."
    assert seat_of(table_model(replace(view, names={}), PLAIN), 5).name == "Seat 6"


def test_who_is_out_of_a_tournament_has_a_place() -> None:
    hand = showdown()
    view = replace(hand.view(Stage.SHOWING, is_out=(5,)), places={5: 4, 2: 3}, names={5: "Elena"})
    model = table_model(view, PLAIN)
    assert (seat_of(model, 5).place, seat_of(model, 5).spoken) == ("4th", "Elena finished 4th.")
    assert seat_of(model, 2).stack == "3rd"
    assert "finishes 3rd" in seat_of(model, 2).spoken


def test_study_mode_leaves_a_mark() -> None:
    view = showdown().view(Stage.SHOWING)
    assert table_model(view, TableContext()).mark == ""
    studied = table_model(replace(view, is_study=True, was_study=True), TableContext())
    assert (studied.mark, studied.mark_role) == ("Study mode is on", "chip")
    assert "Study mode is on" in studied.spoken
    later = table_model(replace(view, was_study=True), TableContext())
    assert later.mark == "Study mode was on"


def test_spoken_for_the_ear() -> None:
    hand = raised_pot().deal("Kh 7d 2c").raise_to(1, 70)
    model = table_model(hand.your_turn(), PLAIN)
    assert model.spoken == (
        "Flop: king of hearts, seven of diamonds, two of clubs. Pot 210. "
        "You have a set of kings, seven kicker with king of spades, king of diamonds. "
        "Ada bets 70. Your turn: 70 to call."
    )
    assert seat_of(model, 1).spoken == "Ada, FOLD, small blind, stack 1,870, 70 in front, bets 70."
    assert seat_of(model, 2).spoken == "Boris, Calling station, big blind, stack 1,980, folded."


def test_huds_come_with_their_details() -> None:
    context = TableContext(huds={1: ("24/18", "VPIP 24 % (12/50)")})
    ada = seat_of(table_model(raised_pot().thinking(1), context), 1)
    assert (ada.hud, ada.hud_details) == ("24/18", "VPIP 24 % (12/50)")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_colour_role_is_a_field_of_the_theme(theme: object) -> None:
    for hand in (raised_pot(), showdown()):
        for seat in table_model(hand.view(Stage.SHOWING), PLAIN).seats:
            for role in (seat.label_role, seat.net_role):
                assert getattr(theme, role).startswith("#")
    assert {"label_role", "net_role"} <= {field.name for field in fields(SeatModel)}


@pytest.mark.parametrize("count", range(2, 11))
def test_seats_stand_evenly_around(count: int) -> None:
    points = seat_points(count)
    assert points[0] == pytest.approx((0, 1), abs=1e-9)  # your own at the bottom centre, y downwards
    assert all(abs(x) ** 2.9 + abs(y) ** 2.9 == pytest.approx(1) for x, y in points)
    mirrored = [(-x, y) for x, y in [points[0], *reversed(points[1:])]]
    assert [value for point in points for value in point] == pytest.approx(
        [value for point in mirrored for value in point], abs=0.02
    )
    assert points[1][0] < 0 or count == 2  # the next seat is on your left
    gaps = [
        math.hypot(1.5 * (x1 - x0), y1 - y0)
        for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True)
    ]
    assert count < 6 or max(gaps) < 1.35 * min(gaps)
