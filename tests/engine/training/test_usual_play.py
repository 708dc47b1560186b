"""What players usually do: against counts of recorded hands, in every spot there is, and its command."""

import json
import re
import tomllib
from collections import Counter

import numpy as np
import pytest

from engine.cards import CLASS_COUNT, COMBO_CLASS, Street, cards_of, combo_of, parse_cards, unblocked
from engine.cli import main
from engine.game.events import ActionTaken
from engine.game.history import decided_next
from engine.game.summary import positions
from engine.ranges import parse_range
from engine.training import spots
from engine.training.spots import any_setting, deal, to_bet
from engine.training.usual_play import (
    Facing,
    Population,
    PreflopSpot,
    SpotError,
    faced_at,
    preflop_events,
    usual_play,
)
from tests.conftest import SHARED

_SIX = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
_FILES = {Population.PROFESSIONALS: "pluribus.phhs", Population.SMALL_STAKES: "bovada_6max.phhs"}
_ENOUGH, _OFF, _OFF_WHERE_CALLED = 150, 0.04, 0.07
"""Decisions of a spot that are compared, and how far shares may be off beyond two standard errors of the count.

All first raises are counted, of 2 to 3 big blinds and more, where the chart has one to 2.5. Who has called a raise
is nothing that the networks see.
"""


def every_spot(seats: int) -> list[PreflopSpot]:
    return [
        PreflopSpot(seats=seats, position=position, facing=facing, other=other, caller=caller)
        for position in spots.positions(seats)
        for facing, other, caller in faced_at(seats, position)
    ]


@pytest.mark.shared
@pytest.mark.parametrize("population", Population)
def test_players_do_so_as_often_as_they_did_in_recorded_hands(population: Population) -> None:
    """Counted without our code, of hands of six in which all are known by their place."""
    decisions: Counter[tuple[str, Facing, str, str]] = Counter()
    done: Counter[tuple[str, Facing, str, str, str]] = Counter()
    text = (SHARED / "data" / "hands" / _FILES[population]).read_text("utf-8")
    for hand in tomllib.loads(text).values():
        if len(hand["starting_stacks"]) == 6:
            for place, facing, other, caller, what in _first_decisions(hand["actions"]):
                decisions[place, facing, other, caller] += 1
                done[place, facing, other, caller, what] += 1
    compared = 0
    for (place, facing, other, caller), count in decisions.items():
        if count < _ENOUGH:
            continue
        spot = PreflopSpot(position=place, facing=facing, other=other, caller=caller, population=population)
        expected = usual_play(preflop_events(spot)).totals
        for what, share in zip(("f", "cc", "cbr"), expected, strict=True):
            counted = done[place, facing, other, caller, what] / count
            error = np.sqrt(share * (1 - share) / count)
            off = _OFF_WHERE_CALLED if caller else _OFF
            assert abs(counted - share) < off + 2 * error, (spot, what, counted, share)
        compared += 1
    assert compared > 20


def _first_decisions(actions: list[str]) -> list[tuple[str, Facing, str, str, str]]:
    """Give who decided what before the flop while nobody had come in, or one, or one had raised and one called."""
    found = []
    facing, entered, caller = Facing.NOBODY, "", ""
    for action in actions:
        if action.startswith("d db"):
            break
        who, what = action.split()[:2]
        if what not in ("f", "cc", "cbr"):
            continue
        place = _SIX[int(who[1:]) - 1]
        if facing is Facing.NOBODY and place == "BB":
            break
        found.append((place, facing, entered, caller, what))
        if what != "f":
            if facing is Facing.RAISE and what == "cc" and not caller:
                caller = place
            elif facing is Facing.NOBODY:
                facing, entered = Facing.RAISE if what == "cbr" else Facing.LIMP, place
            else:
                break
    return found


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_spot_is_played_to_by_the_rules(seats: int) -> None:
    for spot in every_spot(seats):
        events = preflop_events(spot)
        taken = [event for event in events if isinstance(event, ActionTaken)]
        assert positions(events)[taken[-1].seat] == spot.position
        assert sum(event.action.raise_to > 0 for event in taken) == spot.facing.raises
        came_in = [positions(events)[event.seat] for event in taken[:-1] if event.amount]
        assert came_in[-1:] == ([spot.caller or spot.other] if spot.other else [])
        assert not spot.caller or came_in == [spot.other, spot.caller]
        play = usual_play(events)
        assert play.shares.sum(axis=1) == pytest.approx(1)
        assert play.reach.sum() == pytest.approx(1)
        assert play.can_check == (spot.facing is Facing.LIMP and spot.position == "BB")
        assert not play.can_check or not play.totals[0]


def test_who_answers_a_3_bet_has_what_they_raise_first() -> None:
    first = usual_play(preflop_events(PreflopSpot(position="UTG")))
    then = usual_play(preflop_events(PreflopSpot(position="UTG", facing=Facing.THREE_BET, other="BTN")))
    raised = first.reach * first.shares[:, 2]
    # Not the very same: what is answered is a raise to 2.5 big blinds.
    assert np.corrcoef(then.reach, raised)[0, 1] > 0.98
    assert then.reach[first.shares[:, 2] < 0.01].sum() < 0.02


def test_a_usual_opening_range_is_tighter_in_front_than_on_the_button() -> None:
    """As every book has it: no class is raised less on the button, and the best hands always."""
    early, late = (
        np.bincount(COMBO_CLASS, usual_play(preflop_events(PreflopSpot(position=place))).shares[:, 2], CLASS_COUNT)
        for place in ("UTG", "BTN")
    )
    assert (late > early - 0.5).all()
    hands = usual_play(preflop_events(PreflopSpot(position="UTG"))).range_of(2)
    assert (hands.weights[parse_range("TT+,AQs+,AK").weights > 0] > 0.9).all()
    assert (hands.weights[parse_range("72o,93o,J4o").weights > 0] == 0).all()


def test_after_the_flop_nobody_has_what_lies_on_the_board() -> None:
    setting = any_setting(np.random.default_rng(5), is_in_big_blind=True)
    board = parse_cards("Qh 8s 3s 2d Kc")
    hand = {setting.you: cards_of(combo_of(*parse_cards("QsJs")))}
    spot = to_bet(setting, deal(setting, np.random.default_rng(6), hand, board), Street.FLOP, (0.5,) * 3)
    play = usual_play(decided_next(spot))
    assert not play.reach[~unblocked(spot.board)].any()
    strong, weak = (combo_of(*parse_cards(text)) for text in ("8d8c", "7d4c"))
    assert play.shares[strong, 0] < 0.05 < 0.5 < play.shares[weak, 0]


@pytest.mark.parametrize(
    ("spot", "said"),
    [
        (PreflopSpot(seats=7), "of 2 to 6 players, not of 7"),
        (PreflopSpot(position="LJ"), "the positions are UTG, HJ, CO, BTN, SB, BB, not LJ"),
        (PreflopSpot(position="BB"), "BB wins the pot where nobody is in"),
        (PreflopSpot(position="UTG", facing=Facing.RAISE, other="BTN"), "UTG can have no raise of BTN"),
        (PreflopSpot(position="CO", facing=Facing.RAISE, other="HJ", caller="UTG"), "HJ, called by UTG, before"),
        (PreflopSpot(stack_bb=20), "Stacks at a table of 6 must be 40 to 300 big blinds here, not 20"),
        (PreflopSpot(stack_bb=float("nan")), "not nan"),
        (PreflopSpot(opening_bb=1), "The first raise must be 2 to 10 big blinds here, not 1"),
        (
            PreflopSpot(seats=2, facing=Facing.THREE_BET, other="BB", stack_bb=8, opening_bb=10),
            "With 8 big blinds all are in before a 3-bet",
        ),
    ],
)
def test_what_is_no_spot_is_refused(spot: PreflopSpot, said: str) -> None:
    with pytest.raises(SpotError, match=re.escape(said)):
        preflop_events(spot)


def test_the_command_prints_ranges_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflop", "btn", "--facing", "raise", "co", "--open", "3"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == "BTN: CO raises to 3 bb:"
    assert [line.split()[0] for line in lines] == ["raise", "call", "fold"]
    assert sum(float(line.split()[1].rstrip("%")) for line in lines) == pytest.approx(100, abs=0.2)
    assert main(["preflop", "bb", "--facing", "raise", "co", "--caller", "btn"]) == 0
    assert capsys.readouterr().out.startswith("BB: CO raises to 2.5 bb, BTN calls:")
    assert main(["preflop", "BB", "--facing", "limp", "SB", "--like", "small stakes", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["spot"]["population"] == "small stakes"
    assert found["shares"]["fold"] == 0
    assert parse_range(found["ranges"]["check"]).combo_count > parse_range(found["ranges"]["raise"]).combo_count


def test_the_command_refuses_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflop", "BB", "--facing", "5-bet", "SB"]) == 2
    assert capsys.readouterr() == ("", "One faces a limp, raise, 3-bet or 4-bet, not 5-bet.\n")
