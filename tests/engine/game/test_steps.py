"""A hand step by step, from one whose chips anybody can follow, and of all others what must hold of each step."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.styles import make_agent
from engine.game.events import end_of, start_of
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.history import HistoryError
from engine.game.steps import steps_of
from engine.play import Dealer
from tests.engine.game.hands import act, deal
from tests.engine.played import play_hand


def test_every_step_of_a_hand() -> None:
    table = deal((1000, 500), hole_cards={0: "AhAc", 1: "KhKc"}, board="2s 5d 7c 9h Js")
    act(table, "c x x r40 r480 c")
    steps = steps_of(table.events)
    assert [(step.name, step.action, step.amount, step.pot, step.stacks) for step in steps] == [
        ("p0", "small blind", 10, 10, (990, 500)),
        ("p1", "big blind", 20, 30, (990, 480)),
        ("p0", "call", 10, 40, (980, 480)),
        ("p1", "check", 0, 40, (980, 480)),
        ("", "deal", 0, 40, (980, 480)),
        ("p1", "check", 0, 40, (980, 480)),
        ("p0", "bet", 40, 80, (940, 480)),
        ("p1", "raise", 480, 560, (940, 0)),
        ("p0", "call", 440, 1000, (500, 0)),
        ("p1", "show", 0, 1000, (500, 0)),
        ("p0", "show", 0, 1000, (500, 0)),
        ("", "deal", 0, 1000, (500, 0)),
        ("", "deal", 0, 1000, (500, 0)),
        ("p0", "win", 1000, 0, (1500, 0)),
    ]
    assert [step.street for step in steps] == ["Preflop"] * 4 + ["Flop"] * 7 + ["Turn", "River", "River"]
    assert [step.board for step in steps if step.action == "deal"] == ["2s5d7c", "2s5d7c9h", "2s5d7c9hJs"]
    assert [step.cards for step in steps if step.cards] == ["KhKc", "AhAc"]


def test_a_bet_that_nobody_calls_comes_back() -> None:
    table = deal((1000, 1000))
    act(table, "r60 f")
    assert [(step.action, step.amount, step.pot) for step in steps_of(table.events)][2:] == [
        ("raise", 50, 80),
        ("fold", 0, 80),
        ("uncalled bet", 40, 40),
        ("win", 40, 0),
    ]


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_no_chip_is_lost_on_the_way(seed: int, players: int) -> None:
    seats = tuple(SeatConfig(f"p{seat}", "random") for seat in range(players))
    dealer = Dealer(cash_game(seats, seed=seed), {seat: make_agent("random") for seat in range(players)})
    events = play_hand(dealer, lambda observation: None)  # type: ignore[arg-type, return-value]
    started, ended = start_of(events), end_of(events)
    steps = steps_of(events)
    assert len(steps) == len(events) - 2
    chips = sum(start.stack for start in started.seats)
    assert {step.pot + sum(step.stacks) for step in steps} == {chips}
    assert (steps[-1].pot, steps[-1].stacks) == (0, ended.stacks)
    boards = [step.board for step in steps]
    assert all(later.startswith(earlier) for earlier, later in pairwise(boards))


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(HistoryError):
        steps_of(deal((1000, 1000)).events[1:])
