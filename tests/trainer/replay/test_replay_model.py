"""A hand gone through step by step, and what is open at each of them."""

import pytest
from pytestqt.qtbot import QtBot

from engine.cards import Street, parse_cards
from engine.game.observation import Observation
from tests.engine.game.hands import act, deal, watched
from trainer.play.table_model import TableContext, TableModel, table_model
from trainer.replay.replay_model import ReplayModel
from trainer.session.types import Stage

CARDS = {0: "AhAc", 1: "KhKc", 2: "QhQc"}
TRUTH = {seat: parse_cards(text) for seat, text in CARDS.items()}
STYLES = {0: "human", 1: "random", 2: "calling station"}


def finished() -> Observation:
    table = deal((1000, 1000, 1000), hole_cards=CARDS, board="2s 5d 7c 9h Js")
    act(table, "r60 c f x x x r100 c x x")
    assert table.is_over
    return table.observe(0)


@pytest.fixture
def model() -> ReplayModel:
    model = ReplayModel()
    model.show_hand(finished(), TRUTH, STYLES, {})  # type: ignore[arg-type]
    return model


def test_every_step_has_its_words(model: ReplayModel) -> None:
    assert [step.label for step in model.steps] == [
        "Preflop: the deal",
        "Preflop: you raise to 60",
        "Preflop: p1 calls 50",
        "Preflop: p2 folds",
        "Flop: 2♠ 5♦ 7♣",
        "Flop: p1 checks",
        "Flop: you check",
        "Turn: 9♥",
        "Turn: p1 checks",
        "Turn: you bet 100",
        "Turn: p1 calls 100",
        "River: J♠",
        "River: p1 checks",
        "River: you check",
        "End: you win 340",
    ]


def test_in_a_watched_hand_nobody_is_you() -> None:
    final, model = watched(finished().events), ReplayModel()
    model.show_hand(final, {1: TRUTH[1]}, {}, {})  # type: ignore[dict-item]
    assert [step.label for step in model.steps if "p0" in step.label] == [
        "Preflop: p0 raises to 60",
        "Flop: p0 checks",
        "Turn: p0 bets 100",
        "River: p0 checks",
        "End: p0 wins 340",
    ]
    assert not any("you" in step.label for step in model.steps)
    faces = [(seat.seat, seat.is_you, seat.cards) for seat in shown(model).seats]
    assert faces == [(0, False, ()), (1, False, TRUTH[1]), (2, False, ())]
    model.set_cards_open(False)
    assert [seat.cards for seat in shown(model).seats] == [()] * 3
    model.go_to(99)
    assert [seat.cards for seat in shown(model).seats] == [TRUTH[0], TRUTH[1], ()], "as the hand has shown them"
    assert shown(model).holding == ""
    assert "your" not in shown(model).spoken.lower()


def shown(model: ReplayModel) -> TableModel:
    return table_model(model.view, TableContext(revealed=model.opened))


def test_the_table_stands_as_it_stood(model: ReplayModel) -> None:
    assert (model.view.stage, model.view.to_act, model.view.observation.pot) == (Stage.THINKING, 0, 30)
    model.go_to(1)
    assert (model.view.to_act, model.view.observation.pot) == (1, 90)
    model.go_to(3)
    assert (model.view.stage, model.view.to_act) == (Stage.SHOWING, None), "the flop comes"
    model.go_to(99)
    assert model.is_at_end
    assert (model.view.stage, model.view.observation) == (Stage.HAND_OVER, finished())
    model.go_to(-1)
    assert model.position == 0


def test_streets_are_gone_to(model: ReplayModel) -> None:
    assert model.streets == (("Preflop", 0), ("Flop", 4), ("Turn", 7), ("River", 11), ("End", 14))
    for street, position in zip((Street.RIVER, Street.FLOP, Street.PREFLOP), (11, 4, 0), strict=True):
        model.go_to_street(street)
        assert model.position == position
    table = deal((1000, 1000))
    act(table, "f")
    model.show_hand(table.observe(0), {}, {}, {})
    assert model.streets == (("Preflop", 0), ("End", 2))
    model.go_to_street(Street.FLOP)
    assert model.position == 0


def test_moments_of_the_hand_are_gone_to(model: ReplayModel) -> None:
    for position, step in enumerate(model.steps):
        model.go_to_event(step.event_count)
        assert model.position == position
    model.go_to_event(1)
    assert model.position == 0, "before the blinds there is nothing to be seen"


def test_blind_shows_what_was_shown(model: ReplayModel) -> None:
    assert model.opened == TRUTH
    model.set_cards_open(False)
    assert model.opened == {}
    model.go_to(len(model.steps))
    assert model.opened == {0: TRUTH[0], 1: TRUTH[1]}, "who folded has shown nothing"


def test_moves_are_told_once(qtbot: QtBot, model: ReplayModel) -> None:
    with qtbot.waitSignal(model.moved):
        model.go_to(2)
    with qtbot.assertNotEmitted(model.moved):
        model.go_to(2)


def test_amounts_follow_the_units(model: ReplayModel) -> None:
    model.go_to(9)
    model.set_units(True)
    assert model.step.label == "Turn: you bet 5 bb"
    assert model.steps[-1].label == "End: you win 17 bb"
