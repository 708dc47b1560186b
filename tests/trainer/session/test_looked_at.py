"""Which hand the panels show, and what they get of it: without a widget."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.agents.agent import Trace
from engine.codec import pack
from engine.game.events import HandEnded, Seat, end_of
from engine.game.formats import GameConfig
from tests.trainer.gestures import PATIENCE
from tests.trainer.session_driver import STARTED, Player, overwrite, table
from trainer.jobs import Jobs
from trainer.session import readings
from trainer.session.looked_at import _DECISIONS_LANE, LookedAt
from trainer.session.past_hands import LANE, PastHand, PastSession
from trainer.session.session import Session
from trainer.session.types import PointReading, Stage
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

GAME = table("calling station", "loose-aggressive", "tight-passive", seed=3)


@pytest.fixture(autouse=True)
def _no_pause_between_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings leave the window time to paint; here there is none, and two seconds of each test were waited."""
    monkeypatch.setattr(readings, "_PAUSE_MILLISECONDS", 0)


class Patient(Player):
    """Deals no hand by itself: every point is read before the next one, as at a table where somebody thinks."""

    def _go_on(self) -> None:
        pass


class Sitting:
    """A session played by itself for some hands, then with the next hand on the table."""

    def __init__(self, qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt) -> None:
        self.qtbot = qtbot
        self.looked_at = looked_at
        self.session = Session(jobs, store)
        self.live: dict[int, dict[int, PointReading]] = {}
        looked_at.follow(self.session)
        self.session.readings.reading_changed.connect(self._on_reading)

    def _on_reading(self, point: PointReading) -> None:
        self.live.setdefault(point.hand_number, {})[point.event_count] = point

    def play(self, hands: int, config: GameConfig = GAME) -> Player:
        player = Patient(self.session, hands)
        self.session.begin(config, STARTED)
        for number in range(1, hands + 1):
            self.qtbot.waitUntil(lambda number=number: len(player.hands) == number, timeout=PATIENCE)
            self.qtbot.waitUntil(lambda: self.session.readings.is_idle, timeout=PATIENCE)
            if number == hands:
                self.session.view_changed.disconnect(player._on_view)
            self.session.deal()
        stages = (Stage.YOUR_TURN, Stage.HAND_OVER)
        self.qtbot.waitUntil(lambda: self.session.stage in stages, timeout=PATIENCE)
        return player


@pytest.fixture
def looked_at(jobs: Jobs, store: Store) -> Iterator[LookedAt]:
    made = LookedAt(jobs)
    made.past.set_store(store)
    yield made
    made.stop()


@pytest.fixture
def sitting(qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt) -> Iterator[Sitting]:
    made = Sitting(qtbot, jobs, store, looked_at)
    yield made
    made.session.close()


def shown(looked_at: LookedAt) -> int | None:
    return looked_at.observation.hand_number if looked_at.observation is not None else None


def all_read(qtbot: QtBot, looked_at: LookedAt, count: int) -> None:
    qtbot.waitUntil(lambda: len(looked_at.points) == count, timeout=PATIENCE)


def test_back_and_forth_through_the_hands(sitting: Sitting, looked_at: LookedAt) -> None:
    player = sitting.play(3)
    assert looked_at.is_following
    assert looked_at.past.on_table is not None
    assert looked_at.past.on_table.hand_number == 4
    assert [hand.number for hand in looked_at.past.hands] == [1, 2, 3]
    assert looked_at.hand_index == 3
    seen = []
    looked_at.hand_changed.connect(lambda: seen.append(shown(looked_at)))
    looked_at.go_later()
    for _ in range(4):
        looked_at.go_earlier()
    assert seen == [3, 2, 1], "there is none before the first, and none after the one on the table"
    assert looked_at.observation == player.hands[0].observation
    looked_at.go_later()
    looked_at.toggle()
    looked_at.toggle()
    looked_at.go_later()
    assert seen == [3, 2, 1, 2, None, 3, None]


def test_hands_of_a_file_that_is_lost_are_not_taken_for_later_ones(
    qtbot: QtBot, sitting: Sitting, looked_at: LookedAt, store: Store, tmp_path: Path
) -> None:
    """In the new file hands are numbered from 1 again; the one during which that was begun is in no file."""
    player = Player(sitting.session, 2)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        sitting.session.begin(GAME, STARTED)
    overwrite(store, tmp_path / "soulread.db")
    player._wanted = 5
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        sitting.session.deal()
    hands = looked_at.past.finished
    assert [hand.hand_id for hand in hands] == [1, 2, None, 1, 2]
    played = [hand.observation for hand in player.hands]
    assert [hand.read() for hand in hands] == [None, None, *played[2:]]


def test_the_hand_before_has_all_that_it_had(qtbot: QtBot, sitting: Sitting, looked_at: LookedAt) -> None:
    player = sitting.play(2)
    looked_at.go_earlier()
    assert looked_at.open_traces() == player.hands[1].traces
    assert {point.event_count: point for point in looked_at.points} == sitting.live[2]
    with qtbot.waitSignal(looked_at.reading_changed) as answered:
        looked_at.request(looked_at.points[-1].event_count)
    assert answered.args == [looked_at.points[-1]]


def test_a_hand_long_ago_is_read_as_it_was_then(qtbot: QtBot, sitting: Sitting, looked_at: LookedAt) -> None:
    player = sitting.play(5)
    looked_at.look_at(1)
    assert looked_at.points == (), "the readings of two hands are kept"
    assert looked_at.observation == player.hands[1].observation
    with qtbot.waitSignal(looked_at.traces_changed, timeout=PATIENCE):
        pass
    assert [trace.action for trace in looked_at.open_traces()] == [trace.action for trace in player.hands[1].traces]
    all_read(qtbot, looked_at, len(sitting.live[2]))
    for point in looked_at.points:
        then = sitting.live[2][point.event_count]
        assert point.reading.win_rate == then.reading.win_rate
        for now, before in zip(point.reading.predictions, then.reading.predictions, strict=True):
            np.testing.assert_array_equal(now.posterior, before.posterior)


def test_another_reader_reads_the_earlier_hand_anew(qtbot: QtBot, sitting: Sitting, looked_at: LookedAt) -> None:
    sitting.play(2)
    looked_at.go_earlier()
    count = len(looked_at.points)
    looked_at.set_reader("uniform")
    assert looked_at.points == ()
    all_read(qtbot, looked_at, count)
    assert {made.reader for point in looked_at.points for made in point.reading.predictions} == {"uniform"}


def test_a_moment_of_the_earlier_hand_is_looked_up(qtbot: QtBot, sitting: Sitting, looked_at: LookedAt) -> None:
    sitting.play(4)
    looked_at.look_at(0)
    all_read(qtbot, looked_at, len(sitting.live[1]))
    wanted = looked_at.points[-1].observation
    looked_at.go_back()
    looked_at.look_at(0)
    with qtbot.waitSignal(looked_at.looked_up, timeout=PATIENCE) as answered:
        looked_at.look_up(wanted)
    assert answered.args is not None
    assert answered.args[0].observation == wanted


def test_nothing_of_the_running_hand_is_to_be_had(sitting: Sitting, looked_at: LookedAt) -> None:
    player = sitting.play(2)
    assert looked_at.past.on_table is not None
    assert looked_at.open_traces() == ()
    assert all(hand.number < looked_at.past.on_table.hand_number for hand in looked_at.past.hands)
    sitting.session.set_study(True)
    assert looked_at.revealed(), "study mode opens the table"
    looked_at.go_earlier()
    assert looked_at.revealed() == {}, "but not into an earlier hand"
    assert looked_at.open_traces() == player.hands[1].traces


def test_sessions_of_earlier_runs_can_be_chosen(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt, sitting: Sitting
) -> None:
    player = sitting.play(3)
    sitting.session.close()  # with the fourth hand on the table
    again = LookedAt(jobs)
    again.past.set_store(store)
    qtbot.waitUntil(lambda: len(again.past.sessions) == 1, timeout=PATIENCE)
    assert again.past.sessions[0].started == STARTED
    assert again.past.sessions[0].config == GAME
    assert again.past.session_index == -1
    with qtbot.waitSignal(again.traces_changed, timeout=PATIENCE):
        again.choose_session(0)
    assert again.past.session_index == 0
    assert [hand.number for hand in again.past.hands] == [1, 2, 3], "not the one that was never finished"
    assert again.observation == player.hands[2].observation
    assert [trace.action for trace in again.open_traces()] == [trace.action for trace in player.hands[2].traces]
    all_read(qtbot, again, len(sitting.live[3]))
    rates = {point.event_count: point.reading.win_rate for point in again.points}
    assert rates == {count: point.reading.win_rate for count, point in sitting.live[3].items()}
    again.stop()
    # At a new table they are there as well, and the way back to it.
    new = Sitting(qtbot, jobs, store, looked_at)
    new.play(1, table("fold", "calling station", seed=8))
    qtbot.waitUntil(lambda: len(looked_at.past.sessions) == 2, timeout=PATIENCE)
    assert looked_at.past.sessions[0].session_id is None
    assert looked_at.past.session_index == 0
    looked_at.choose_session(1)
    qtbot.waitUntil(lambda: shown(looked_at) == 3, timeout=PATIENCE)
    assert looked_at.past.chosen is not None
    looked_at.go_later()
    assert shown(looked_at) == 3, "its last hand leads to no other session"
    looked_at.choose_session(0)
    assert looked_at.is_following
    assert [hand.number for hand in looked_at.past.hands] == [1]
    new.session.close()


def test_a_resumed_session_has_its_hands_before(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt, sitting: Sitting
) -> None:
    player = sitting.play(3)
    sitting.session.close()
    resumed = Session(jobs, store)
    looked_at.follow(resumed)
    resumed.resume(store.sessions()[0])
    qtbot.waitUntil(lambda: [hand.number for hand in looked_at.past.hands] == [1, 2, 3], timeout=PATIENCE)
    looked_at.look_at(0)
    assert looked_at.observation == player.hands[0].observation
    resumed.close()


@pytest.mark.parametrize("is_left", [False, True], ids=["looked elsewhere", "left for another"])
def test_hands_before_a_session_was_resumed_are_listed_there_whatever_is_chosen_meanwhile(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt, sitting: Sitting, is_left: bool
) -> None:
    player = sitting.play(3)
    sitting.session.close()
    reading, read = Event(), list[object]()
    resumed, other = Session(jobs, store), Session(jobs, store)
    looked_at.follow(resumed)
    jobs.submit(LANE, reading.wait, read.append)  # the lane is busy
    resumed.resume(store.sessions()[0])
    qtbot.waitUntil(lambda: looked_at.past.on_table is not None, timeout=PATIENCE)
    if is_left:
        looked_at.follow(other)
        looked_at.past.on_table = player.hands[-1].observation
    else:
        looked_at.past.open(1)
    reading.set()
    jobs.submit(LANE, lambda: None, read.append)
    qtbot.waitUntil(lambda: len(read) == 2, timeout=PATIENCE)
    looked_at.go_back()
    assert [hand.number for hand in looked_at.past.hands] == ([] if is_left else [1, 2, 3])
    resumed.close()


@pytest.mark.parametrize("bots", [["calling station"], ["calling station", "fold"]])
def test_a_resumed_session_of_two_tells_why_its_bot_decided(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt, bots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(qtbot, jobs, store, looked_at)
    sitting.play(3, table(*bots))
    sitting.session.close()
    stored = {hand_id: store.traces(hand_id) for _, hand_id in store.finished_hands(store.sessions()[0].session_id)}
    first, damaged, last = stored
    read = store.traces

    def traces(hand_id: int) -> tuple[Trace, ...]:
        if hand_id == damaged:
            raise StoreError("Stored hands could not be read: damaged.")
        return read(hand_id)

    monkeypatch.setattr(store, "traces", traces)
    told: list[tuple[Trace, ...]] = []
    looked_at.decisions_before.connect(told.append)
    resumed = Session(jobs, store)
    looked_at.follow(resumed)
    resumed.resume(store.sessions()[0])
    qtbot.waitUntil(lambda: len(looked_at.past.hands) == 3, timeout=PATIENCE)
    done: list[None] = []
    jobs.submit(_DECISIONS_LANE, lambda: None, done.append)  # after whatever is read there
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    assert told == ([(stored[first][0], stored[last][0])] if len(bots) == 1 else [])
    resumed.close()


def test_what_is_not_stored_is_there_as_long_as_the_app_runs(
    qtbot: QtBot, jobs: Jobs, looked_at: LookedAt, tmp_path: Path
) -> None:
    store = Store(tmp_path / "full.db")
    sitting = Sitting(qtbot, jobs, store, looked_at)
    store.close()
    player = sitting.play(4)
    assert sitting.session.table.session_id is None
    looked_at.look_at(0)
    assert looked_at.observation == player.hands[0].observation
    all_read(qtbot, looked_at, len(sitting.live[1]))
    assert looked_at.open_traces() == ()
    sitting.session.close()


def test_hands_that_bots_played_are_shown_with_all_that_is_open(
    qtbot: QtBot, looked_at: LookedAt, sitting: Sitting
) -> None:
    played = sitting.play(3)
    truth = {Seat(1): played.hands[0].observation.hole_cards}
    hands = tuple(
        PastHand(at, None, lambda hand=hand: hand.observation, lambda hand=hand: hand.traces, lambda: truth)  # type: ignore[misc]
        for at, hand in enumerate(played.hands, start=1)
    )
    match = PastSession(None, STARTED, None, 3, "match 7")
    with qtbot.waitSignal(looked_at.traces_changed, timeout=PATIENCE):
        looked_at.show_match(match, hands, 1)
    assert looked_at.observation == played.hands[1].observation
    assert looked_at.open_traces() == played.hands[1].traces
    assert looked_at.truth == truth
    assert looked_at.past.sessions[looked_at.past.session_index] == match
    with qtbot.waitSignal(looked_at.traces_changed, timeout=PATIENCE):
        looked_at.go_later()
    assert shown(looked_at) == 3
    looked_at.go_back()
    assert looked_at.is_following
    assert looked_at.truth == {}
    assert looked_at.past.session_index == 0
    looked_at.choose_session(looked_at.past.sessions.index(match))
    assert shown(looked_at) == 3, "the match can be gone back to"


def test_a_damaged_hand_says_so_and_the_others_stay(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt, sitting: Sitting
) -> None:
    player = sitting.play(3)
    sitting.session.close()
    damage(store, 2)
    again = LookedAt(jobs)
    told: list[str] = []
    again.notice.connect(told.append)
    again.past.set_store(store)
    qtbot.waitUntil(lambda: len(again.past.sessions) == 1, timeout=PATIENCE)
    again.choose_session(0)
    qtbot.waitUntil(lambda: shown(again) == 3, timeout=PATIENCE)
    again.look_at(1)
    assert told == ["Hand 2 is damaged and cannot be read."]
    assert shown(again) == 3
    again.go_earlier()
    assert shown(again) == 1, "it is passed over"
    assert again.observation == player.hands[0].observation
    again.look_at(2)
    with qtbot.waitSignal(again.reading_changed, timeout=PATIENCE):
        pass
    again.stop()


def damage(store: Store, number: int) -> None:
    """Let a stored hand have one stack more at its end than players: still of the right form."""
    (hand,) = (hand for hand in store.hands(1) if hand.number == number)
    final = hand.final_observation()
    ended = end_of(final.events)
    events = (*final.events[:-1], HandEnded((1, *ended.stacks)))
    data = pack(structs.replace(final, events=events))
    store.file.insert("UPDATE hands SET observation = ? WHERE number = ?", (data, number))


def test_a_session_without_a_finished_hand_is_told(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt
) -> None:
    first = Session(jobs, store)
    first.begin(GAME, STARTED)
    qtbot.waitUntil(lambda: first.stage in (Stage.YOUR_TURN, Stage.THINKING), timeout=PATIENCE)
    first.close()
    qtbot.waitUntil(lambda: bool(store.sessions()[0].hands), timeout=PATIENCE)
    looked_at.past.set_store(store)
    qtbot.waitUntil(lambda: len(looked_at.past.sessions) == 1, timeout=PATIENCE)
    with qtbot.waitSignal(looked_at.notice, timeout=PATIENCE) as told:
        looked_at.choose_session(0)
    assert told.args == ["No hand of that session was played to its end."]
    assert looked_at.is_following


def test_a_session_that_is_deleted_is_shown_no_longer(
    qtbot: QtBot, jobs: Jobs, store: Store, sitting: Sitting, looked_at: LookedAt
) -> None:
    sitting.play(2)
    sitting.session.close()
    later = LookedAt(jobs)
    later.past.set_store(store)
    qtbot.waitUntil(lambda: len(later.past.sessions) == 1, timeout=PATIENCE)
    later.choose_session(0)
    qtbot.waitUntil(lambda: shown(later) == 2, timeout=PATIENCE)
    (session,) = store.sessions()
    store.delete_sessions([session.session_id])
    later.past.set_store(store)
    qtbot.waitUntil(lambda: later.past.sessions == (), timeout=PATIENCE)
    assert shown(later) is None
    assert not later.past.hands
    assert later.past.session_index == -1
    later.stop()


def test_one_earlier_session_can_be_chosen_after_another(
    qtbot: QtBot, jobs: Jobs, store: Store, sitting: Sitting
) -> None:
    sitting.play(2)
    sitting.session.close()
    second = Sitting(qtbot, jobs, store, sitting.looked_at)
    second.play(1, table("fold", "calling station", seed=8))
    second.session.close()
    later = LookedAt(jobs)
    listed: list[int] = []
    later.past.hands_changed.connect(lambda: listed.append(later.hand_index))
    later.past.set_store(store)
    qtbot.waitUntil(lambda: len(later.past.sessions) == 2, timeout=PATIENCE)
    later.choose_session(1)
    qtbot.waitUntil(lambda: shown(later) == 2, timeout=PATIENCE)
    later.choose_session(0)
    qtbot.waitUntil(lambda: shown(later) == 1, timeout=PATIENCE)
    assert listed == [2, 1]
    assert later.hand_index == 0
    later.stop()


def test_decisions_that_are_read_late_belong_to_their_hand(
    qtbot: QtBot, jobs: Jobs, store: Store, looked_at: LookedAt
) -> None:
    """A hand that is left before they are read wants them no more, and another reader leaves them as they are."""
    Sitting(qtbot, jobs, store, looked_at).play(2)
    kept = {hand.number: hand for hand in looked_at.past.hands}
    fresh = LookedAt(jobs)
    fresh.past.set_store(store)
    qtbot.waitUntil(lambda: bool(fresh.past.sessions), timeout=PATIENCE)
    with qtbot.waitSignal(fresh.hand_changed, timeout=PATIENCE):
        fresh.open_hand(1, 2)
    release = Event()
    jobs.submit(LANE, release.wait, lambda _done: None)
    fresh.go_earlier()
    left = fresh._earlier
    assert left is not None
    qtbot.waitUntil(lambda: not left._pause.isActive(), timeout=PATIENCE)
    fresh.set_reader("uniform")
    fresh.go_later()
    fresh.set_reader("learned")
    with qtbot.waitSignal(left.destroyed, timeout=PATIENCE):
        pass
    release.set()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert fresh.observation is not None
    assert fresh.observation.hand_number == 2
    hand_id = kept[2].hand_id
    assert hand_id is not None
    assert len(fresh.open_traces()) == len(store.traces(hand_id)) > 0
    fresh.stop()
