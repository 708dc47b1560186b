"""The hands of a match, played again: as they were, in a table that sorts, and as the panels need them."""

import pytest
from msgspec import structs
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from engine.game.events import end_of, start_of
from engine.game.format_file import built_in
from engine.lab.matches.several import hands_of_match
from tests.trainer.gestures import PATIENCE
from trainer.jobs import Jobs
from trainer.lab.matches import hands_model
from trainer.lab.matches.hands_model import LabHands, player_label
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.widgets.tables_model import SORT_ROLE

SETUP = MatchesSetup(("random", "tight-passive"), matches=3, hands=20, seed=4)


def listed(qtbot: QtBot, jobs: Jobs, setup: MatchesSetup, number: int) -> LabHands:
    hands = LabHands(jobs)
    hands.list_match(setup, number)
    qtbot.waitUntil(lambda: not hands.is_listing, timeout=PATIENCE)
    return hands


def test_all_hands_are_listed_with_what_they_came_to(qtbot: QtBot, jobs: Jobs, qtmodeltester: ModelTester) -> None:
    hands = listed(qtbot, jobs, SETUP, 1)
    qtmodeltester.check(hands.table)
    assert hands.text() == "20 hands."
    assert sorted(hands.players) == ["random", "tight-passive"]
    for row, (hand, _) in enumerate(hands_of_match(SETUP.plan, 1)):
        ended = end_of(hand.events)
        won = max(ended.stacks) - 10_000
        assert hands.table.index(row, 2).data(SORT_ROLE) == won
        assert hands.table.index(row, 0).data() == str(row + 1)
        winner = player_label(hand.players[ended.stacks.index(max(ended.stacks))])
        assert hands.table.index(row, 2).data().startswith(f"{winner} +")
        assert hands.table.index(row, 2).data().endswith(" bb")
    dealt = hands.table.index(0, 4).data()
    assert "Random " in dealt
    assert "Tight-passive " in dealt


def test_a_hand_is_opened_as_one_of_the_players_saw_it(qtbot: QtBot, jobs: Jobs) -> None:
    hands = listed(qtbot, jobs, SETUP, 2)
    played = list(hands_of_match(SETUP.plan, 2))
    match, past, index = hands.to_open(7, "tight-passive")
    assert (match.match, match.hands, len(past), index) == ("match 3, seen by Tight-passive", 20, 20, 7)
    hand, traces = played[7]
    final = past[7].read()
    assert final is not None
    assert final.hand_number == past[7].number == 8
    assert final.me.name == "Tight-passive"
    assert final.hole_cards == hand.hole_cards[hand.players.index("tight-passive")]
    assert final.events[1:] == hand.events[1:]
    assert past[7].truth() == dict(enumerate(hand.hole_cards))
    assert past[7].traces is not None
    assert past[7].traces() == traces
    _, others, _ = hands.to_open(7, "random")
    other = others[7].read()
    assert other is not None
    assert other.seat != final.seat


def test_tournaments_are_opened_one_by_one(qtbot: QtBot, jobs: Jobs) -> None:
    setup = MatchesSetup(("shover", "tight-passive"), built_in("paper"), matches=1)
    hands = listed(qtbot, jobs, setup, 0)
    numbers = [hand.hand.events[0].hand_number for hand in hands_of_match(setup.plan, 0)]  # type: ignore[union-attr]
    second = numbers.index(1, 1)
    assert hands.table.index(second, 0).data() == f"{second + 1} (2)"
    match, past, index = hands.to_open(second, "shover")
    assert match.match == "match 1, tournament 2, seen by Shover"
    assert (index, len(past)) == (0, len(numbers) - second)


def test_who_was_not_dealt_in_sees_it_as_the_first_who_was(qtbot: QtBot, jobs: Jobs) -> None:
    setup = MatchesSetup(("shover", "maniac", "random"), built_in("paper"), matches=1, seed=1)
    hands = listed(qtbot, jobs, setup, 0)
    row, hand = next(
        (row, hand) for row, (hand, _) in enumerate(hands_of_match(setup.plan, 0)) if len(hand.players) == 2
    )
    gone = ({"shover", "maniac", "random"} - set(hand.players)).pop()
    _, past, index = hands.to_open(row, gone)
    final = past[index].read()
    assert final is not None
    started = start_of(final.events)
    assert final.seat == started.seats[0].seat
    assert set(past[index].truth()) == {start.seat for start in started.seats}


def test_more_than_is_kept_is_not_listed(qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_model, "MOST_HANDS", 6)
    assert listed(qtbot, jobs, SETUP, 0).text() == "The first 6 hands; more are not kept."


def test_a_match_that_cannot_be_played_again_says_so(
    qtbot: QtBot, jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    hands = listed(qtbot, jobs, structs.replace(SETUP, styles=("random", "no such style")), 0)
    assert hands.text().startswith("The match cannot be played again: There is no style 'no such style'")
    caplog.clear()


def test_players_are_named_by_their_styles() -> None:
    assert [player_label(name) for name in ("random", "calling station 2", "fold:uniform", "always-call 1")] == [
        *("Random", "Calling station 2", "FOLD (uniform)", "Always call 1")
    ]
