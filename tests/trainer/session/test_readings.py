from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.agents import readers, reading
from engine.agents.agent import Reading
from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS, Spreads
from engine.agents.styles import make_agent
from engine.game.events import ActionTaken, BoardDealt, Chips, Posted, PublicEvent, Seat, raise_to
from engine.game.observation import Observation
from engine.play import Dealer
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.played import play_hand
from tests.trainer.gestures import PATIENCE
from tests.trainer.scripted_hands import Scribe
from tests.trainer.session_driver import answer, table
from trainer.jobs import Jobs
from trainer.session.readings import LANE, Readings, points_of
from trainer.session.types import HintPoint, PointRanges, PointReading, RunOutPoint

PERSON = 1


@pytest.fixture(scope="module")
def hand() -> Observation:
    styles = ("calling station", "loose-aggressive", "calling station")
    config = table(*styles, seed=3)
    dealer = Dealer(config, {seat: make_agent(style) for seat, style in zip((0, 2, 3), styles, strict=True)})
    play_hand(dealer, answer)
    return dealer.observe(PERSON)


def followed(jobs: Jobs, reader: str = "") -> tuple[Readings, list[PointReading]]:
    """Give readings, and a list of the points that come with their win rates."""
    readings, read = Readings(jobs, 5, reader=reader), list[PointReading]()
    readings.reading_changed.connect(lambda point: read.append(point) if has_win_rate(point) else None)
    return readings, read


def has_win_rate(point: PointRanges) -> bool:
    return isinstance(point, PointReading)


def all_read(qtbot: QtBot, readings: Readings) -> None:
    qtbot.waitUntil(lambda: readings.is_idle, timeout=PATIENCE)


def test_the_ranges_of_a_point_come_while_its_win_rate_is_held_up(
    qtbot: QtBot, jobs: Jobs, hand: Observation, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_count, count = Event(), reading.reading

    def held_up(*arguments: Any) -> Reading:
        assert may_count.wait(PATIENCE / 1000)
        return count(*arguments)

    monkeypatch.setattr(reading, "reading", held_up)
    readings, found = Readings(jobs, 5), list[PointRanges]()
    readings.reading_changed.connect(found.append)
    point = next(points_of(hand))
    with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE):
        readings.add([point])
    assert not may_count.is_set()
    assert not readings.is_idle
    assert [has_win_rate(one) for one in found] == [False]
    assert [made.seat for made in found[0].predictions] == [view.seat for view in point.opponents]
    may_count.set()
    all_read(qtbot, readings)
    assert [has_win_rate(one) for one in found] == [False, True]
    assert found[1].predictions is found[0].predictions, "so the panel that shows them has nothing to paint"


def test_the_points_are_the_deal_each_action_and_each_street(hand: Observation) -> None:
    points = list(points_of(hand))
    assert isinstance(points[0].events[-1], Posted)
    assert all(isinstance(point.events[-1], ActionTaken | BoardDealt) for point in points[1:])
    changes = [event for event in hand.events if isinstance(event, ActionTaken | BoardDealt)]
    assert len(points) == 1 + len(changes)


@pytest.mark.parametrize(("was_played_elsewhere", "strangers"), [(True, OF_PEOPLE), (False, OF_PROGRAMS)])
def test_strangers_are_taken_for_programs_but_in_hands_played_elsewhere(
    qtbot: QtBot, jobs: Jobs, hand: Observation, was_played_elsewhere: bool, strangers: Spreads
) -> None:
    readings, found = Readings(jobs, 5, was_played_elsewhere=was_played_elsewhere), list[PointRanges]()
    readings.reading_changed.connect(found.append)
    point = list(points_of(hand))[-1]
    readings.add([point])
    all_read(qtbot, readings)
    expected = readers.make_reader(strangers=strangers).read(point)
    assert [list(made.posterior) for made in found[-1].predictions] == [list(made.posterior) for made in expected]


def test_the_newest_point_comes_first_and_none_is_left_out(qtbot: QtBot, jobs: Jobs, hand: Observation) -> None:
    readings, read = followed(jobs)
    points = list(points_of(hand))
    readings.add(points)
    all_read(qtbot, readings)
    assert [point.event_count for point in read] == sorted((len(p.events) for p in points), reverse=True)


def test_a_point_asked_for_comes_before_the_missing_ones_and_is_known_afterwards(
    qtbot: QtBot, jobs: Jobs, hand: Observation
) -> None:
    readings, read = followed(jobs)
    points = list(points_of(hand))
    readings.add(points)
    readings.request(points[1])
    all_read(qtbot, readings)
    assert read[0].observation == points[1]
    assert len(read) == len(points)
    readings.request(points[1])
    assert read[-1] is read[0], "at once, and not reckoned again"


def test_a_point_of_any_hand_is_looked_up_beside_those_of_the_running_one(
    qtbot: QtBot, jobs: Jobs, hand: Observation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (readings, read), looked_up = followed(jobs), list[PointRanges]()
    readings.looked_up.connect(looked_up.append)
    points = list(points_of(hand))
    readings.add(points[:2])
    all_read(qtbot, readings)
    shown = len(read)
    readings.look_up(points[1])
    assert looked_up == [next(point for point in read if point.observation == points[1])], "known, so at once"
    readings.begin_hand()
    readings.look_up(points[0])
    readings.look_up(points[-1])
    qtbot.waitUntil(lambda: len(looked_up) == 2, timeout=PATIENCE)
    assert looked_up[1].observation == points[-1], "only the newest one asked for"
    assert len(read) == shown, "the panels do not follow"
    readings.look_up(points[0])
    readings.stop()
    told = list[str]()
    readings.failed.connect(told.append)

    def fail(*_: object) -> None:
        raise RuntimeError("the stars are wrong")

    monkeypatch.setattr(reading, "range_shares", fail)
    readings.look_up(points[2])
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE)
    assert told == ["This moment cannot be read: the stars are wrong"]
    assert len(looked_up) == 2


def test_the_same_seed_reads_the_same(qtbot: QtBot, jobs: Jobs, hand: Observation) -> None:
    rates = []
    for _ in range(2):
        readings = Readings(jobs, 5)
        with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE, check_params_cb=has_win_rate) as read:
            readings.request(next(points_of(hand)))
        rates.append(read.args[0].reading.win_rate)
    assert rates[0] == rates[1]


def test_a_reader_that_fails_is_told_once_a_hand(
    qtbot: QtBot, jobs: Jobs, hand: Observation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the stars are wrong")

    readings, told = Readings(jobs, 5), list[str]()
    readings.failed.connect(told.append)
    monkeypatch.setattr(reading, "reading", fail)
    points = list(points_of(hand))
    for point in points[:3]:
        readings.add([point])
        all_read(qtbot, readings)
    assert told == ["This hand cannot be read: the stars are wrong"]
    readings.begin_hand()
    monkeypatch.undo()
    with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE):
        readings.add(points[:1])


def readers_of(read: Sequence[PointRanges]) -> set[str]:
    return {prediction.reader for point in read for prediction in point.predictions}


def test_another_reader_reads_every_point_of_the_hand_anew(qtbot: QtBot, jobs: Jobs, hand: Observation) -> None:
    readings, read = followed(jobs, "paper")
    points = list(points_of(hand))
    readings.add(points)
    all_read(qtbot, readings)
    assert readers_of(read) == {"paper"}
    read.clear()
    readings.set_reader("uniform")
    all_read(qtbot, readings)
    assert readers_of(read) == {"uniform"}
    assert sorted(point.event_count for point in read) == sorted(len(point.events) for point in points)
    read.clear()
    readings.set_reader("uniform")
    assert readings.is_idle, "nothing is to be done"
    readings.request(points[0])
    assert readers_of(read) == {"uniform"}


@pytest.mark.parametrize("is_stored", [False, True])
def test_another_reader_knows_the_hands_before(
    qtbot: QtBot, jobs: Jobs, hand: Observation, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    """Those in the store are read from there, and those alone: a session may have thousands."""
    learned: list[int] = []

    class Listener(readers.UniformReader):
        name = "listener"

        def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
            learned.append(len(events))

    monkeypatch.setitem(readers.READERS, "listener", lambda *_: Listener())
    readings = Readings(jobs, 5, reader="paper")
    if is_stored:
        readings.read_again(lambda: [hand, hand], lambda: True)
    readings.remember([hand, hand])
    readings.set_reader("listener")
    with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE):
        readings.add(list(points_of(hand))[:1])
    assert learned == [len(hand.events)] * 2


def test_a_reader_that_is_no_more_is_the_default_one(qtbot: QtBot, jobs: Jobs, hand: Observation) -> None:
    readings = Readings(jobs, 5, reader="of an older version")
    with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE, check_params_cb=has_win_rate) as read:
        readings.request(next(points_of(hand)))
    assert readers_of([read.args[0]]) == {readers.DEFAULT_READER}


def test_an_all_in_is_counted_out_as_soon_as_the_cards_lie_open(qtbot: QtBot, jobs: Jobs) -> None:
    """On the turn two kings of 44 unseen cards beat aces, so 1 of 22; on the river it is known."""
    hand = Scribe(2, hole_cards="KdKc").blinds().call(0).check(1).deal("2c7d9h").check(1).check(0).deal("Js")
    hand.raise_to(1, hand.stack[1]).call(0)
    moments = [hand.observation(), hand.show(1, "AsAh").observation(), hand.show(0, "KdKc").observation()]
    moments += [hand.deal("Kh").observation(), hand.award(0, 0, 4000).observation(), hand.end().observation()]
    readings, found = Readings(jobs, 5), list[RunOutPoint]()
    readings.run_out_changed.connect(found.append)
    readings.add(moments)
    all_read(qtbot, readings)
    qtbot.waitUntil(lambda: len(found) == 2, timeout=PATIENCE)
    assert [point.event_count for point in found] == [len(moments[2].events), len(moments[3].events)]
    assert found[0].pots[0].amount == 4000
    assert found[0].pots[0].equities == {0: pytest.approx(1 / 22), 1: pytest.approx(21 / 22)}
    assert found[1].pots[0].equities == {0: 1.0, 1: 0.0}


def test_open_cards_of_other_pots_are_dead_in_a_side_pot(qtbot: QtBot, jobs: Jobs) -> None:
    """Queens against aces need one of two queens of the 42 cards that nobody holds; the kings are nobody's outs."""
    hand = Scribe(3, stacks=(500, 1000, 1000), hole_cards="KdKc").blinds()
    hand.call(0, 1).check(2).deal("2c7d9h").check(1, 2, 0).deal("Js").raise_to(1, 980).call(2, 0)
    hand.show(0, "KdKc").show(1, "AsAh").show(2, "QsQh")
    readings = Readings(jobs, 5)
    with qtbot.waitSignal(readings.run_out_changed, timeout=PATIENCE) as told:
        readings.add([hand.observation()])
    main, side = told.args[0].pots
    assert (main.amount, side.amount) == (1500, 1000)
    assert main.equities == {0: pytest.approx(2 / 42), 1: pytest.approx(38 / 42), 2: pytest.approx(2 / 42)}
    assert side.equities == {1: pytest.approx(40 / 42), 2: pytest.approx(2 / 42)}


def test_a_side_pot_that_nobody_else_can_win_is_ones_own(qtbot: QtBot, jobs: Jobs) -> None:
    """Ada is all-in for 60, Boris folds with 100 in: 80 chips lie in a side pot of nobody but you."""
    hand = Scribe(3, stacks=(2000, 60, 2000), hole_cards="KdKc").blinds().raise_to(0, 100).call(1, 2)
    hand.deal("2c7d9h").check(2).raise_to(0, 100).fold(2).give_back(0, 100).show(0, "KdKc").show(1, "AsAh")
    readings = Readings(jobs, 5)
    with qtbot.waitSignal(readings.run_out_changed, timeout=PATIENCE) as told:
        readings.add([hand.observation()])
    main, side = told.args[0].pots
    assert (main.amount, side.amount) == (180, 80)
    assert main.equities.keys() == {0, 1}
    assert side.equities == {0: 1.0}


def test_after_the_end_nothing_is_told_any_more(qtbot: QtBot, jobs: Jobs) -> None:
    """A second game deletes the readings of the first one while its all-in is still on the way."""
    hand = Scribe(2, stacks=(2000, 2000), hole_cards="KdKc").blinds().raise_to(0, 2000).call(1)
    hand.show(1, "AsAh").show(0, "KdKc")
    readings = Readings(jobs, 5)
    readings.remember([hand.observation()])
    readings.add([hand.observation()])
    readings.stop()
    with qtbot.assertNotEmitted(readings.run_out_changed), qtbot.assertNotEmitted(readings.learned):
        qtbot.waitUntil(lambda: jobs.is_idle(readings._lane), timeout=PATIENCE)
        QApplication.processEvents()  # what is delivered last


@pytest.mark.parametrize(
    ("hole_cards", "least", "most"), [("AsAh", 0.78, 0.90), ("7s2h", 0.15, 0.35), ("8s7s", 0.33, 0.43)]
)
def test_before_the_flop_the_price_is_set_beside_the_equity_against_the_raiser(
    qtbot: QtBot, jobs: Jobs, hole_cards: str, least: float, most: float
) -> None:
    """On the button against a raise to three blinds under the gun a call needs 40%: as everybody knows it.

    The raise to 60 leaves 60 to win 90. Against the raiser's range aces are 80-odd, seven-deuce has no business
    there, and suited connectors fall a little short.
    """
    hand = Scribe(6, hole_cards=hole_cards, human=0, button=0).blinds().raise_to(3, 60).fold(4, 5)
    readings = Readings(jobs, 5)
    with qtbot.waitSignal(readings.reading_changed, timeout=PATIENCE, check_params_cb=has_win_rate) as told:
        readings.add([hand.observation(to_act=0)])
    point = told.args[0]
    assert point.against == (3,)
    assert point.reading.pot_odds == pytest.approx(60 / 150)
    assert least < point.win.value < most
    # Nobody is taken to fold who is to be beaten: against all five it would be far from that.
    assert point.reading.win_rate.value < point.win.value


def test_hands_are_learned_one_by_one_until_nobody_needs_them(qtbot: QtBot, jobs: Jobs, hand: Observation) -> None:
    gone_through: list[int] = []

    def hands() -> Iterator[Observation]:
        for number in range(100_000):
            gone_through.append(number)
            yield hand

    readings, told = Readings(jobs, 5, reader="paper", lane="looking back"), list[int]()
    readings.learned.connect(told.append)
    readings.learn(hands())
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE)
    readings.stop()
    qtbot.waitUntil(lambda: jobs.is_idle("looking back"), timeout=PATIENCE)
    assert told[0] >= 1
    assert len(gone_through) < 100_000


def test_a_reader_chosen_before_the_first_hand_is_not_loaded(jobs: Jobs) -> None:
    """While it is, the bots load what they share with it, and neither may find the other half done."""
    readings = Readings(jobs)
    readings.set_reader("uniform")
    assert readings.reader == "uniform"
    assert jobs.is_idle(LANE)


def test_a_hint_knows_how_they_answered_the_players_own_bets(qtbot: QtBot, jobs: Jobs) -> None:
    """After ten bets of the flop that were folded to more folds are expected than after as many calls."""
    observation = turn_of(play(deal(board="Kc9d4s2h7c"), "300 c | x"))
    bets = {}
    for answers in ("f", "c | x x | x x"):
        readings, found = Readings(jobs, 5), list[HintPoint]()
        readings.hint_changed.connect(found.append)
        final = play(deal(board="Kc9d4s2h7c"), f"300 c | x 300 {answers}").observe(observation.seat)
        readings.remember([replace(final, hand_number=number) for number in range(1, 11)])
        readings.request_hint(observation, Chips(300))
        qtbot.waitUntil(lambda found=found: bool(found) and found[-1].is_done, timeout=PATIENCE)
        values = found[-1].values
        assert values is not None
        bet = values.of(raise_to(300))
        assert bet is not None
        bets[answers] = bet.all_fold
        ((answer,),) = [of for of, one in zip(found[-1].answers, values.actions, strict=True) if one is bet]
        assert answer.folds == pytest.approx(bet.all_fold, abs=0.03)
    assert bets["f"] > bets["c | x x | x x"] + 0.2
