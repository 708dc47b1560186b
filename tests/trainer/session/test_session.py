import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from engine.agents.agent import Decision, Trace
from engine.agents.styles import STYLES, Style
from engine.codec import StoredDataError, decode, encode
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    Posted,
    PostKind,
    net_of,
    raise_to,
)
from engine.game.format_file import FORMATS, built_in, cash_game
from engine.game.formats import GameConfig, GameConfigError, SeatConfig
from engine.game.history import observation_at
from engine.game.observation import Observation
from engine.play import Dealer
from engine.session_state import DealerState, SeatRecord
from tests.conftest import ROOT, on_posix
from tests.trainer.gestures import PATIENCE
from tests.trainer.session.keeping import KEPT_EVERY, keep_often
from tests.trainer.session_driver import KILLED_GAME, STARTED, EventsShown, Player, answer, overwrite, table
from tests.trainer.storage.test_store import SCHEMA_1, to_version_2
from trainer.history.log_model import LineKind, log_lines
from trainer.jobs import Jobs
from trainer.play.results_model import result_columns, result_rows
from trainer.session.agents import make_agents, recalled, table_memory
from trainer.session.amounts import Units
from trainer.session.readings import is_reading_point
from trainer.session.session import Session
from trainer.session.standing import Standing, Tally
from trainer.session.types import PointReading, Stage, TableView, ordinal
from trainer.storage.seal import is_sealed
from trainer.storage.store import Store
from trainer.storage.stored import StoredHand, StoredSession, StoreError


@pytest.fixture(autouse=True)
def _memories_are_kept_often(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_often(monkeypatch)


@pytest.fixture
def session(jobs: Jobs, store: Store) -> Iterator[Session]:
    session = Session(jobs, store)
    yield session
    session.close()


def play(qtbot: QtBot, session: Session, config: GameConfig, hands: int) -> Player:
    player = Player(session, hands)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.begin(config, STARTED)
    return player


def resume(qtbot: QtBot, session: Session, stored: StoredSession, hands: int) -> Player:
    player = Player(session, hands)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.resume(stored)
    return player


def wait_for_stage(qtbot: QtBot, session: Session, stage: Stage) -> None:
    qtbot.waitUntil(lambda: session.stage == stage, timeout=PATIENCE)


def test_hands_are_played_and_shown_event_by_event(qtbot: QtBot, session: Session) -> None:
    player = play(qtbot, session, table("fold", "tight-passive", "loose-aggressive"), hands=3)
    assert [hand.observation.hand_number for hand in player.hands] == [1, 2, 3]
    assert tuple(player.events) == tuple(event for hand in player.hands for event in hand.observation.events)
    for view in player.views:
        assert view.observation.seat == 1, "the screen is fed by the person's observation"
    for hand in player.hands:
        assert sum(net_of(hand.observation.events).values()) == 0
        bots = [e for e in hand.observation.events if isinstance(e, ActionTaken) and e.seat != 1]
        assert [trace.action for trace in hand.traces] == [event.action for event in bots]
    results = session.results()
    assert results is not None
    assert sum(results.stacks.values()) == sum(results.bought_in.values())
    assert len(results.hero_net) == 3
    assert results.hero_net[-1] == results.stacks[1] - results.bought_in[1]


def actions_of(hand: StoredHand) -> tuple[Action, ...]:
    if not hand.is_finished:
        return hand.taken
    return tuple(event.action for event in hand.final_observation().events if isinstance(event, ActionTaken))


def test_every_action_is_stored_before_it_is_shown(qtbot: QtBot, session: Session, store: Store) -> None:
    missing = []
    shown: list[Action] = []

    def compare(event: object) -> None:
        if isinstance(event, HandStarted):
            shown.clear()
        elif isinstance(event, ActionTaken | HandEnded):
            hand = store.hands(store.sessions()[0].session_id)[-1]
            if isinstance(event, ActionTaken):
                shown.append(event.action)
            if actions_of(hand)[: len(shown)] != tuple(shown):
                missing.append(event)
            if isinstance(event, HandEnded) and not hand.is_finished:
                missing.append(event)

    player = Player(session, 2)
    EventsShown(session).event_shown.connect(compare)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.begin(table("fold", "calling station"), STARTED)
    assert missing == []
    stored = store.hands(store.sessions()[0].session_id)
    assert [hand.final_observation() for hand in stored] == [hand.observation for hand in player.hands]
    assert store.traces(stored[1].hand_id)[0].action == player.hands[1].traces[0].action


def test_an_illegal_action_is_refused_in_a_sentence(qtbot: QtBot, session: Session) -> None:
    session.begin(table("calling station"), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    before = session.progress
    with qtbot.waitSignal(session.notice, timeout=PATIENCE) as told:
        session.act(raise_to(10**9))
    assert "at most" in told.args[0]
    with qtbot.waitSignal(session.notice) as told:
        session.top_up(1)
    assert told.args == ["Chips can be bought between hands only."]
    assert session.stage == Stage.YOUR_TURN
    assert session.progress == before
    session.act(FOLD)
    wait_for_stage(qtbot, session, Stage.HAND_OVER)


def test_events_are_paced_and_can_be_skipped(qtbot: QtBot, session: Session) -> None:
    stages = []
    session.view_changed.connect(lambda view: stages.append(view.stage))
    session.begin(table("calling station", "calling station", "calling station", seed=3), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.set_pace(4.0)
    with qtbot.waitSignal(session.view_changed, timeout=3_500) as shown:
        session.act(FOLD)
    assert shown.args[0].observation.events[-1].action == FOLD, "one's own action is shown at once"
    assert session.stage in (Stage.THINKING, Stage.SHOWING), "at this pace the hand cannot be over yet"
    with qtbot.waitSignal(session.hand_finished, timeout=3_500):  # one event alone would stand for 4 seconds
        session.skip()
    assert session.stage == Stage.HAND_OVER
    assert Stage.SHOWING in stages or Stage.THINKING in stages


def test_a_bot_that_fails_checks_or_folds_and_the_session_goes_on(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        style = "broken"

        def decide(
            self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
        ) -> Decision:
            sentence = f"no idea with {observation.hole_cards}"
            raise RuntimeError(sentence)

        def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
            raise RuntimeError("no memory")

    monkeypatch.setitem(STYLES, "broken", Style("Broken", "Fails.", Broken))
    player = play(qtbot, session, table("broken", "broken", "calling station"), hands=2)
    assert len(player.hands) == 2
    done = {
        (event.action.kind, event.to_call > 0)
        for hand in player.hands
        for event in hand.observation.events
        if isinstance(event, ActionTaken) and event.seat in (0, 2)
    }
    assert done <= {(ActionKind.CHECK, False), (ActionKind.FOLD, True)}
    assert done
    assert any("Bot 0 could not decide and folded." in notice for notice in player.notices)
    assert "RuntimeError" in caplog.text
    assert "no memory" in caplog.text
    assert not [text for text in (*player.notices, caplog.text) if "no idea" in text], (
        "what an agent fails with may tell its cards"
    )


@pytest.mark.parametrize(("is_prepared", "rules"), [(False, {"usual"}), (True, {"value"})])
def test_while_values_would_wait_for_the_compiler_soulread_does_what_most_would(
    is_prepared: bool, rules: set[str], qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.kernels.jit.is_prepared", lambda: is_prepared)
    player = play(qtbot, session, table("soulread", "soulread"), 1)
    assert {trace.rule for trace in player.hands[0].traces} == rules


def test_traces_and_cards_are_sealed_but_for_study_mode(qtbot: QtBot, session: Session) -> None:
    session.begin(table("calling station", "calling station", "calling station", seed=3), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    view: list[object] = []
    session.view_changed.connect(view.append)
    assert session.open_traces() == ()
    assert session.revealed() == {}
    session.set_study(True)
    assert view, "the table is shown anew"
    assert set(session.revealed()) == {0, 1, 2, 3}
    traces = session.open_traces()
    assert all(trace.observation.seat != 1 for trace in traces)
    session.set_study(False)
    assert session.open_traces() == ()
    session.act(FOLD)
    wait_for_stage(qtbot, session, Stage.HAND_OVER)
    assert len(session.open_traces()) >= len(traces)
    assert session.revealed() == {}


def test_every_point_of_a_hand_is_read(qtbot: QtBot, session: Session) -> None:
    points: dict[tuple[int, int], PointReading] = {}
    session.readings.reading_changed.connect(lambda p: points.__setitem__((p.hand_number, p.event_count), p))
    player = play(qtbot, session, table("fold", "loose-aggressive"), hands=1)
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    events = player.hands[0].observation.events
    changing = [
        count
        for count, event in enumerate(events, start=1)
        if isinstance(event, ActionTaken | BoardDealt)
        or (isinstance(event, Posted) and not isinstance(events[count], Posted))
    ]
    assert sorted(count for _, count in points) == changing
    for (_, count), point in points.items():
        assert point.observation.events == events[:count]
        assert is_reading_point(point.observation)
        assert len(point.reading.predictions) == len(point.observation.opponents)
        assert all(sum(shares) == pytest.approx(1, abs=1e-6) for shares in point.shares.values())
    with qtbot.waitSignal(session.readings.reading_changed, timeout=PATIENCE) as answered:
        session.readings.request(observation_at(player.hands[0].observation, changing[0]))
    assert answered.args[0].event_count == changing[0]


def test_the_next_hand_is_dealt_by_itself_if_wished(qtbot: QtBot, session: Session) -> None:
    numbers = []
    session.automatic.want(True)
    session.hand_finished.connect(lambda hand: numbers.append(hand.observation.hand_number))
    session.view_changed.connect(lambda view: session.act(FOLD) if view.stage == Stage.YOUR_TURN else None)
    session.begin(table("tight-passive"), STARTED)
    qtbot.waitUntil(lambda: len(numbers) >= 3, timeout=PATIENCE)
    assert numbers[:3] == [1, 2, 3]


def all_in(session: Session) -> Callable[[object], None]:
    def shove(view: object) -> None:
        stage, legal = view.stage, view.observation.legal  # type: ignore[attr-defined]
        if stage == Stage.YOUR_TURN:
            session.act(raise_to(legal.max_raise_to) if legal.can_raise else CHECK if legal.can_check else CALL)

    return shove


def test_who_is_broke_buys_in_again_or_stays_out(qtbot: QtBot, session: Session) -> None:
    notices: list[str] = []
    session.notice.connect(notices.append)
    session.view_changed.connect(all_in(session))
    session.begin(table("calling station", "calling station", "calling station", seed=7), STARTED)
    wait_for_stage(qtbot, session, Stage.HAND_OVER)
    for _ in range(60):
        results = session.results()
        assert results is not None
        if results.stacks[1] == 0:
            break
        session.deal()
        wait_for_stage(qtbot, session, Stage.HAND_OVER)
    played = session.progress
    session.deal()
    assert session.progress == played, "without chips there is no next hand"
    assert "out of chips" in notices[-1]
    session.top_up(10**7)
    assert "between 1 and 10000" in notices[-1]
    session.rebuy()
    results = session.results()
    assert results is not None
    assert results.stacks[1] == 10_000
    session.rebuy()
    assert str(notices[-1]) == "Your stack of 10,000 is as large as a buy-in allows (10,000)."
    assert sum(results.stacks.values()) == sum(results.bought_in.values())
    session.deal()
    wait_for_stage(qtbot, session, Stage.HAND_OVER)
    assert session.progress[0] == played[0] + 1


def test_who_is_broke_after_the_last_hand_is_sold_no_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hand follows in which they could be played, as where a finished hand was played on."""
    config = replace(table("random", seed=4), max_hands=2)
    dealer = Dealer(config, make_agents(config, {}))
    standing = Standing(dealer, 1)
    bot, hero = dealer.state.seats
    broke = replace(bot, stack=2 * bot.stack), replace(hero, stack=0)
    for played, must_rebuy, ending in (
        (1, True, "Only Bot 0 has chips left."),
        (2, False, "All 2 hands are played."),
    ):
        monkeypatch.setattr(dealer, "_state", DealerState(played, broke))
        assert (standing.must_rebuy, standing.ending(played)) == (must_rebuy, ending)


@pytest.mark.parametrize("is_left", [False, True], ids=["asked for results", "left"])
def test_a_hand_that_is_decided_counts_though_it_is_still_shown(
    qtbot: QtBot, session: Session, is_left: bool
) -> None:
    """Chips have moved; the hand is shown to its end, or the figures would tell what the table does not yet."""
    session.begin(table("calling station", seed=5), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.set_pace(4.0)
    session.act(raise_to(session.config.starting_stack))  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: session.is_hand_decided, timeout=PATIENCE)
    assert session.stage == Stage.SHOWING
    if is_left:
        with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
            session.abandon()
        (results,) = ended.args
    else:
        results = session.results()
        assert session.stage == Stage.HAND_OVER
    assert results.hands == 1
    assert results.hero_net == (results.stacks[1] - results.bought_in[1],) != (0,)


def test_where_stacks_are_reset_nobody_is_out(qtbot: QtBot, session: Session) -> None:
    players = table("calling station", seed=6)
    config = replace(built_in("heads-up").game(players.seats, seed=6), max_hands=6)
    session.view_changed.connect(all_in(session))
    session.hand_finished.connect(lambda _: QTimer.singleShot(0, session.deal))
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.begin(config, STARTED)
    result = ended.args[0]
    assert result.reason == "All 6 hands are played."
    assert len(result.hero_net) == 6
    assert result.stacks[1] - result.bought_in[1] == result.hero_net[-1]
    assert [column.title for column in result_columns(result)] == ["Player", "Net", "bb/100", "Hands"]
    assert {len(row) for row in result_rows(result, {}, Units(100))} == {4}


def test_a_tournament_ends_for_who_is_out(qtbot: QtBot, session: Session, store: Store) -> None:
    config = replace(table("calling station", "calling station", seed=6), kind=GameKind.TOURNAMENT, rebuys=1)
    session.view_changed.connect(all_in(session))
    session.hand_finished.connect(lambda _: QTimer.singleShot(0, session.deal))
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.begin(config, STARTED)
    result = ended.args[0]
    assert session.stage == Stage.SESSION_OVER
    assert result.stacks[1] == 0 or sum(result.stacks.values()) == result.stacks[1]
    assert sum(result.stacks.values()) == sum(result.bought_in.values())
    assert store.sessions()[0].is_finished


def test_blinds_rise_as_they_are_said_to_and_prizes_are_won(qtbot: QtBot, session: Session) -> None:
    players = table("calling station", "calling station", "calling station", seed=16)
    tournament = built_in("tournament").game(players.seats, seed=16)
    views: list[TableView] = []
    session.view_changed.connect(views.append)
    player = Player(session, 5)
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.begin(replace(tournament, hands_per_level=2, max_hands=5), STARTED)
    assert len(player.hands) == 5
    said = {}
    for view in views:
        level = view.next_level
        assert (level is None) == (view.stage == Stage.SESSION_OVER)
        if level is None:
            continue
        said[view.observation.hand_number, view.stage == Stage.HAND_OVER] = (
            view.observation.big_blind,
            level.rules.big_blind,
            level.hands,
        )
    over = [said[number, True] for number in range(1, 5)]
    running = [said[number, False] for number in range(1, 6)]
    assert running == [(20, 30, 2), (20, 30, 1), (30, 50, 2), (30, 50, 1), (50, 100, 2)]
    assert over == [(20, 30, 1), (20, 30, 0), (30, 50, 1), (30, 50, 0)]
    result = ended.args[0]
    assert sum(result.prizes.values()) == pytest.approx(4)
    own = result.prizes[session.hero]
    assert (f" and win {own:.2f} buy-ins" in result.reason) == (own > 0)


def test_who_is_out_of_a_tournament_is_told_the_place(qtbot: QtBot, session: Session) -> None:
    players = table("calling station", "calling station", "calling station", seed=16)
    config = replace(players, kind=GameKind.TOURNAMENT, rebuys=0)
    places: list[dict[int, int]] = []
    names: list[dict[int, str]] = []
    notices: list[str] = []
    session.notice.connect(notices.append)
    session.view_changed.connect(lambda view: places.append(view.places))
    session.view_changed.connect(lambda view: names.append(view.names))
    session.view_changed.connect(all_in(session))
    session.hand_finished.connect(lambda _: QTimer.singleShot(0, session.deal))
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.begin(config, STARTED)
    result = ended.args[0]
    own = result.places[session.hero]
    assert result.reason.startswith(f"You finish {ordinal(own)} of 4. ") or " and " in result.reason
    out = {seat: place for seat, place in result.places.items() if not result.stacks[seat]}
    assert places[-1] == out != {}
    assert places[0] == {}
    assert names[-1] == {0: "Bot 0", 1: "You", 2: "Bot 1", 3: "Bot 2"}, "also of those who are out"
    for seat in out.keys() - {session.hero}:
        told = [notice for notice in notices if result.names[seat] in notice]
        assert len(told) == 1
        assert told[0].endswith(f" {ordinal(out[seat])}.")


def test_who_lose_their_last_chips_together_share_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(table("random", "random", "random", seed=4), kind=GameKind.TOURNAMENT, rebuys=0)
    dealer = Dealer(config, make_agents(config, {}))
    standing = Standing(dealer, 1)
    (record, *_) = dealer.state.seats
    gone = replace(record, stack=0, out_in_hand=1, last_stack=500)
    winner = replace(record, stack=4 * record.stack)
    monkeypatch.setattr(dealer, "_state", DealerState(1, (gone, gone, gone, winner)))
    assert standing.places_news() == [], "the player's own place is told with the end"
    assert standing.places == {0: 2, 1: 2, 2: 2}
    assert standing.ending(1) == "You, Bot 0 and Bot 1 finish 2nd of 4. You lost your last chips in hand 1."
    monkeypatch.setattr(dealer, "_state", DealerState(1, (record, gone, record, replace(gone, last_stack=9))))
    first_out = (
        "You finish 3rd of 4. You lost your last chips in hand 1. The others are placed by their chips of then."
    )
    assert standing.ending(1) == first_out


def test_the_results_remember_that_study_mode_was_on(qtbot: QtBot, session: Session) -> None:
    views: list[TableView] = []
    session.view_changed.connect(views.append)
    session.begin(table("calling station"), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    results = session.results()
    assert results is not None
    assert not results.was_study
    session.set_study(True)
    assert (views[-1].is_study, views[-1].was_study) == (True, True)
    session.set_study(False)
    assert (views[-1].is_study, views[-1].was_study) == (False, True)
    results = session.results()
    assert results is not None
    assert results.was_study


def test_finishing_waits_for_the_end_of_the_hand(qtbot: QtBot, session: Session, store: Store) -> None:
    session.begin(table("calling station"), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.finish()
    assert session.stage == Stage.YOUR_TURN
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.act(FOLD)
    assert ended.args[0].hands == 1
    assert store.sessions()[0].is_finished
    session.deal()
    assert session.stage == Stage.SESSION_OVER


def test_a_tournament_that_is_over_says_so_though_it_was_to_be_finished(qtbot: QtBot, session: Session) -> None:
    config = replace(table("calling station", seed=4), kind=GameKind.TOURNAMENT, rebuys=0)
    session.view_changed.connect(lambda view: session.finish() if view.stage == Stage.YOUR_TURN else None)
    session.view_changed.connect(all_in(session))
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.begin(config, STARTED)
    assert ended.args[0].reason == "You finish 2nd of 2. You lost your last chips in hand 1."


@pytest.mark.parametrize("kind", GameKind)
def test_who_leaves_a_tournament_hears_that_its_places_are_as_they_stand(
    qtbot: QtBot, session: Session, kind: GameKind
) -> None:
    """After eight hands the leader was shown to be 1st and to win three buy-ins, without a word."""
    payouts = (100,) if kind is GameKind.TOURNAMENT else ()
    config = replace(table("always-fold", "always-fold", seed=4), kind=kind, rebuys=0, payouts=payouts)
    session.begin(config, STARTED)
    qtbot.waitUntil(lambda: session.stage in (Stage.YOUR_TURN, Stage.HAND_OVER), timeout=PATIENCE)
    result = session.results()
    assert result is not None
    assert not result.is_over
    # The winner takes all, so that prizes are worth as much as the chips.
    assert result.prizes == pytest.approx(
        {seat: stack / config.starting_stack for seat, stack in result.stacks.items()} if payouts else {}
    )
    assert result.reason.endswith("places are by the chips as they stand.") == (kind is GameKind.TOURNAMENT)
    with qtbot.waitSignal(session.session_finished, timeout=PATIENCE) as ended:
        session.abandon()
    said = " The tournament is not over: places are by the chips as they stand."
    assert ended.args[0].reason == f"You left the session for another one.{said * (kind is GameKind.TOURNAMENT)}"


def test_a_table_needs_exactly_one_person(session: Session) -> None:
    bots = replace(table("random"), seats=(SeatConfig("A", "random"), SeatConfig("B", "random")))
    with pytest.raises(GameConfigError, match="Exactly one seat"):
        session.begin(bots, STARTED)


def test_a_session_that_is_stored_nowhere_says_why(jobs: Jobs, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "soulread.db")
    session = Session(jobs, store)
    assert session.table.why_not_stored == store.file.notice != ""
    session.close()
    store.close()


@pytest.mark.parametrize("name", FORMATS)
def test_a_session_of_every_format_is_read_shown_and_resumed_in_the_middle(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = Session(jobs, store)
    played = built_in(name)
    styles = ("tight-passive", "calling station", "sticky")[: played.most_seats - 1]
    points: list[PointReading] = []
    session.readings.reading_changed.connect(points.append)
    config = played.game(table(*styles).seats, seed=4)
    player = play(qtbot, session, config, hands=3)
    session.view_changed.disconnect(player._on_view)
    session.deal()
    qtbot.waitUntil(lambda: session.stage in (Stage.YOUR_TURN, Stage.HAND_OVER), timeout=PATIENCE)
    before = player.hands[-1].observation if session.stage == Stage.HAND_OVER else session._moments[-1]
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    assert points[-1].hand_number == session.progress[0]
    for point in points:
        posts = [event.kind for event in point.observation.events if isinstance(event, Posted)]
        assert (PostKind.STRADDLE in posts) == (name == "cash-straddle")
    state = session._dealer.state
    session.close()
    store.close()

    store = Store(path)
    again = Session(jobs, store)
    views: list[TableView] = []
    again.view_changed.connect(views.append)
    again.resume(store.sessions()[0])
    qtbot.waitUntil(lambda: bool(views), timeout=PATIENCE)
    assert again.config == config
    assert again._dealer.state == state
    if views[-1].stage == Stage.YOUR_TURN:
        assert views[-1].observation == before
    log = log_lines(views[-1].observation.events, Units(config.big_blind))
    posts = [line.text for line in log if line.kind is LineKind.POST]
    assert any("big blind ante" in text for text in posts) == (name == "cash-ante")
    assert any("the straddle, 200" in text for text in posts) == (name == "cash-straddle")
    assert any("raises to twice the bet, at most 4 raises a street" in text for text in posts) == (
        name == "contest"
    )
    again.close()
    store.close()


def test_when_storing_fails_play_goes_on(
    qtbot: QtBot, session: Session, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("This could not be stored: the disk is full.")

    monkeypatch.setattr(store, "add_action", fail)
    marks: list[str] = []
    session.table.storing_changed.connect(marks.append)
    assert session.table.why_not_stored == ""
    player = play(qtbot, session, table("random"), hands=2)
    assert len(player.hands) == 2
    sentence = "This could not be stored: the disk is full. Play goes on, but is not stored any more."
    assert [notice for notice in player.notices if "disk is full" in notice] == [sentence]
    assert session.table.why_not_stored == sentence, "it lasts longer than the line above the table"
    assert marks == [sentence]


def test_at_the_limit_hands_are_stored_without_traces_and_it_is_said(
    qtbot: QtBot, session: Session, store: Store
) -> None:
    marks: list[str] = []
    session.table.storing_changed.connect(marks.append)
    player = play(qtbot, session, table("random", "calling station"), hands=1)
    assert store.traces(1)
    store.limit = store.file.size
    player._wanted = 3
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.deal()
    assert [len(store.traces(hand.hand_id)) > 0 for hand in store.hands(1)] == [True, False, False]
    (said,) = [notice for notice in player.notices if "Game > Stored hands" in notice]
    assert session.table.why_not_stored == said
    store.limit = 10**9
    player._wanted = 4
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.deal()
    assert store.traces(store.hands(1)[-1].hand_id)
    assert session.table.why_not_stored == ""
    assert marks == [said, ""]


def test_damage_while_a_session_runs_is_told_and_storing_goes_on(
    qtbot: QtBot, session: Session, store: Store, tmp_path: Path
) -> None:
    """Even where nothing of the file reads any more: the session is stored anew from the next hand on."""
    player = play(qtbot, session, table("random", "calling station"), hands=2)
    overwrite(store, tmp_path / "soulread.db")
    player._wanted = 4
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.deal()
    assert store.file.repairs == 1
    assert [notice for notice in player.notices if "damaged" in notice] == [store.file.notice]
    assert session.table.why_not_stored == ""
    (stored,) = store.sessions()
    assert [hand.number for hand in store.hands(stored.session_id)] == [4]
    assert store.config(stored.session_id) == session.config


def readable(data: bytes) -> Iterator[bytes]:
    """Give all bytes, and whatever zlib stream begins anywhere among them."""
    yield data
    for at in range(len(data)):
        if data[at] == 0x78:
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(data[at:])


def written(folder: Path) -> bytes:
    """Give everything on the disk but the key."""
    return b"\0".join(
        path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".key"
    )


def test_nothing_on_the_disk_gives_cards_away_while_the_hand_is_played(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    folder, seed = tmp_path / "data", 8_765_432_109_876_543_210
    store = Store(folder / "soulread.db", tmp_path / "soulread.key")
    session = Session(jobs, store)
    session.begin(table("fold", "calling station", "fold", seed=seed), STARTED)
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.set_study(True)
    traces, cards = session.open_traces(), session.revealed()
    assert traces, "a bot has decided"
    on_disk = list(readable(written(folder)))
    seeds = [seed, *(trace.seed for trace in traces)]
    forms = [form for one in seeds for form in (b"%d" % one, one.to_bytes(8, "big"), one.to_bytes(8, "little"))]
    for data in on_disk:
        assert not [form for form in forms if form in data], "neither the session's seed nor a decision's"
        assert b'"hole_cards"' not in data
        for seat, (first, second) in cards.items():
            assert b"[%d,%d]" % (first, second) not in data, f"the cards of seat {seat}, as JSON"
            assert bytes((0x92, first, second)) not in data, f"the cards of seat {seat}, packed"
        for trace in traces:
            assert trace.rule.encode() not in data

    # Whoever has the database alone cannot deal the hand again.
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    other = Store(copy / "soulread.db")
    (stolen,) = other.sessions()
    assert stolen.hands == 1
    with pytest.raises(StoredDataError, match="key"):
        other.config(stolen.session_id)
    with pytest.raises(StoreError, match="key"):
        other.traces(1)
    assert decode(stolen.config, GameConfig).seed == 0
    guess = Dealer(decode(stolen.config, GameConfig), {})
    guess.start_hand()
    assert guess.private_event(0).hole_cards != cards[0]
    other.close()

    # When it is over everything of this hand is open, and nothing of the next ones.
    session.act(FOLD)
    wait_for_stage(qtbot, session, Stage.HAND_OVER)
    assert store.hands(1)[0].hole_cards == cards
    open_ones = list(readable(written(folder)))
    assert any(trace.rule.encode() in data for trace in traces for data in open_ones)
    assert not any(b"%d" % seed in data for data in open_ones)
    session.finish()
    session.close()
    store.close()
    assert b"%d" % seed in written(folder), "with the session the seed is no secret any more"


def rows_of(folder: Path, copy: Path) -> dict[str, list[tuple[object, ...]]]:
    """Give all rows of a copy of the database, which is locked itself."""
    shutil.copytree(folder, copy)
    tables = ("sessions", "hands", "actions", "memories")
    with closing(sqlite3.connect(copy / "soulread.db")) as database:
        return {name: database.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in tables}


def test_while_a_hand_runs_only_public_actions_and_sealed_bytes_are_written(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    """All else was there before the hand: neither a memory nor the dealer's state knows of it, resumed or not."""
    folder, key = tmp_path / "data", tmp_path / "soulread.key"
    store = Store(folder / "soulread.db", key)
    session = Session(jobs, store)
    player = play(qtbot, session, table("fold", "loose-aggressive", "tight-passive"), hands=KEPT_EVERY + 2)
    session.view_changed.disconnect(player._on_view)
    session.view_changed.connect(player.views.append)
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    before = rows_of(folder, tmp_path / "before")
    assert before["memories"]
    session.deal()
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    running = rows_of(folder, tmp_path / "running")
    assert running["sessions"] == before["sessions"]
    assert running["memories"] == before["memories"]
    *ended, (_, _, number, state, *hidden) = running["hands"]
    assert ended == before["hands"]
    assert session.commitment is not None
    assert (number, state) == (KEPT_EVERY + 3, before["sessions"][0][4])
    assert hidden == [None, None, None, session.commitment.hand, None]
    events = player.views[-1].observation.events
    public = [event.action for event in events if isinstance(event, ActionTaken)]
    assert [decode(str(action).encode(), Action) for _, _, action, _ in running["actions"]] == public
    traces = [trace for *_, trace in running["actions"]]
    assert traces
    assert all(isinstance(trace, bytes) and is_sealed(trace) for trace in traces)
    session.close()
    store.close()

    memories = []
    for name in ("before", "running"):
        # Learned anew, what the agents know is stored once more, here in the middle of the hand.
        store = Store(tmp_path / name / "soulread.db", key)
        store.file.write(lambda database: database.execute("DELETE FROM memories"))
        session = Session(jobs, store)
        session.resume(store.sessions()[0])
        wait_for_stage(qtbot, session, Stage.HAND_OVER if name == "before" else Stage.YOUR_TURN)
        memories.append(store.memory(1, "table"))
        session.close()
        store.close()
    assert memories[0] is not None
    assert memories[0] == memories[1]


def test_a_session_with_damaged_cards_and_actions_is_resumed_before_the_damage(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    """What the agents cannot learn from the damaged hand they do without; the running hand goes on."""
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = Session(jobs, store)
    player = play(qtbot, session, table("fold", "loose-aggressive", "tight-passive"), hands=4)
    session.view_changed.disconnect(player._on_view)
    session.deal()
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.close()
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE hands SET hole_cards = '{' WHERE number = 2")
        (count,) = database.execute("SELECT count(*) FROM actions").fetchone()
        assert count
        database.execute("UPDATE actions SET action = '{' WHERE position = ?", (count - 1,))
    store = Store(path)
    session = Session(jobs, store)
    again = resume(qtbot, session, store.sessions()[0], hands=2)
    assert [hand.observation.hand_number for hand in again.hands] == [5, 6]
    assert again.notices == []
    assert [hand.number for hand in store.hands(1)] == [1, 2, 3, 4, 5, 6]
    assert all(hand.is_finished for hand in store.hands(1))
    session.close()
    store.close()


def test_damaged_hands_and_traces_are_told_and_the_session_goes_on(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = Session(jobs, store)
    play(qtbot, session, table("loose-aggressive", "tight-passive"), hands=3)
    session.close()
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE hands SET observation = x'00' WHERE number = 2")
        database.execute("UPDATE hands SET traces = x'00' WHERE number = 3")
    store = Store(path)
    session = Session(jobs, store)
    again = resume(qtbot, session, store.sessions()[0], hands=2)
    assert [hand.observation.hand_number for hand in again.hands] == [3, 4]
    assert "Hand 2 is damaged and left out." in again.notices
    assert any(notice.startswith("Stored hands could not be read: ") for notice in again.notices)
    session.close()
    store.close()


@on_posix
def test_nobody_else_may_read_the_files(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    store = Store(folder / "soulread.db")
    session = Session(jobs, store)
    play(qtbot, session, table("random"), hands=1)
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert modes == dict.fromkeys(("soulread.db", "soulread.db-wal", "soulread.key"), "0o600")
    assert folder.stat().st_mode & 0o777 == 0o700
    session.close()
    store.close()


def test_a_resumed_session_decides_as_one_that_went_on(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    """Past the hand from which memories are kept, and some more that are learned anew."""
    config = table("fold", "fold-2017", "loose-aggressive", "fold:paper-tuned", seed=9)
    before, after = KEPT_EVERY + 3, 4
    whole = Session(jobs, Store(None))
    undisturbed = play(qtbot, whole, config, hands=before + after)
    first = Session(jobs, Store(tmp_path / "soulread.db"))
    play(qtbot, first, config, hands=before)
    qtbot.waitUntil(lambda: first.readings.is_idle, timeout=PATIENCE)
    first.close()
    first._store.close()

    store = Store(tmp_path / "soulread.db")
    assert store.memory(1, "table") is not None
    second = Session(jobs, store)
    player = Player(second, after + 1)
    said: list[str] = []
    second.table.progressed.connect(said.append)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        second.resume(store.sessions()[0])
    assert said[0] == "Remembering hand 1 of 3", "not of all of them"
    assert [hand.observation for hand in player.hands[1:]] == [
        hand.observation for hand in undisturbed.hands[before:]
    ]
    for ours, theirs in zip(player.hands, undisturbed.hands[before - 1 :], strict=True):
        assert [encode(trace) for trace in ours.traces] == [encode(trace) for trace in theirs.traces]
    assert second.results() == whole.results()
    assert second._tally.statistics.by_seat() == whole._tally.statistics.by_seat()
    qtbot.waitUntil(lambda: second.readings.is_idle and whole.readings.is_idle, timeout=PATIENCE)
    mine, other = second.readings._reader, whole.readings._reader
    assert mine._reader().memory() == other._reader().memory(), "the player's reader has learned the same, too"
    for session in (second, whole):
        session.close()
    store.close()


def test_a_session_of_the_first_version_goes_on(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    """Its streams were not keyed and no hole cards were stored: it is dealt on as it was begun."""
    config = table("fold", "calling station", seed=4)
    stack = config.starting_stack
    old = Dealer.restore(config, DealerState(0, (SeatRecord(stack, stack),) * 3), make_agents(config, {}))
    with closing(sqlite3.connect(tmp_path / "soulread.db")) as database, database:
        database.executescript(SCHEMA_1)
        for number in (1, 2, 3):
            old._state = replace(old.state, has_keyed_streams=False)
            state = encode(old.state)[:-1] + b',"config":' + encode(config) + b"}"
            old.start_hand()
            position = 0
            while (seat := old.to_act) is not None and not (number == 3 and seat == 1 and position > 0):
                action = answer(old.observe(1)) if seat == 1 else old.decide().action
                old.apply(action)
                row = (number, position, encode(action).decode(), None)
                database.execute("INSERT INTO actions VALUES (?, ?, ?, ?)", row)
                position += 1
            final = encode(old.observe(1)).decode() if number < 3 else None
            database.execute("INSERT INTO hands VALUES (?, 1, ?, ?, ?)", (number, number, state.decode(), final))
        row = (encode(config).decode(), state.decode())
        database.execute("INSERT INTO sessions VALUES (1, '2024-05-17T20:15:00', ?, ?, NULL)", row)
    assert old.to_act == 1
    store = Store(tmp_path / "soulread.db")
    session = Session(jobs, store)
    player = Player(session, 2)
    session.view_changed.disconnect(player._on_view)
    session.resume(store.sessions()[0])
    wait_for_stage(qtbot, session, Stage.YOUR_TURN)
    session.set_study(True)
    assert session.revealed() == {seat: old.private_event(seat).hole_cards for seat in range(3)}
    session.act(answer(old.observe(1)))
    old.apply(answer(old.observe(1)))
    session.view_changed.connect(player._on_view)
    qtbot.waitUntil(lambda: len(player.hands) == 1, timeout=PATIENCE)
    while (seat := old.to_act) is not None:
        old.apply(answer(old.observe(1)) if seat == 1 else old.decide().action)
    assert player.hands[0].observation == old.observe(1), "its bots remember the hands before"
    qtbot.waitUntil(lambda: len(player.hands) == 2, timeout=PATIENCE)
    assert decode(store.sessions()[0].state, DealerState).has_keyed_streams
    session.close()
    store.close()


def test_a_session_of_when_fold_was_called_soulread_goes_on_with_fold(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    """With what it had learned, and not with the agent that has the name now."""
    config, path = table("fold", "fold:uniform", "random", seed=9), tmp_path / "soulread.db"
    whole = Session(jobs, Store(None))
    undisturbed = play(qtbot, whole, config, hands=KEPT_EVERY + 2)
    whole.close()
    store = Store(path)
    first = Session(jobs, store)
    play(qtbot, first, config, hands=KEPT_EVERY + 1)
    qtbot.waitUntil(lambda: first.readings.is_idle, timeout=PATIENCE)
    first.close()
    store.close()
    to_version_2(path, store.file.key)
    store = Store(path)
    assert store.memory(1, "table") is not None
    second = Session(jobs, store)
    player = resume(qtbot, second, store.sessions()[0], hands=2)
    assert set(player.views[-1].styles.values()) == {"human", "fold", "fold:uniform", "random"}
    ours, theirs = player.hands[-1], undisturbed.hands[-1]
    assert [encode(trace) for trace in ours.traces] == [encode(trace) for trace in theirs.traces]
    second.close()
    store.close()


def test_memories_that_are_damaged_are_learned_anew(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    config = table("fold", "fold-2017", seed=9)
    whole = Session(jobs, Store(None))
    undisturbed = play(qtbot, whole, config, hands=KEPT_EVERY + 2)
    whole.close()
    store = Store(tmp_path / "soulread.db")
    first = Session(jobs, store)
    play(qtbot, first, config, hands=KEPT_EVERY + 1)
    first.close()
    store.save_memory(1, "table", KEPT_EVERY, b"rubbish")
    store.save_memory(1, "reader ", KEPT_EVERY, b"rubbish")
    second = Session(jobs, store)
    player = resume(qtbot, second, store.sessions()[0], hands=2)
    ours, theirs = player.hands[-1], undisturbed.hands[-1]
    assert [encode(trace) for trace in ours.traces] == [encode(trace) for trace in theirs.traces]
    assert [notice for notice in player.notices if "cannot be read" in notice] == []
    second.close()
    store.close()


@pytest.mark.every(3)
@on_posix
@pytest.mark.parametrize("turn", [1, 4, 9])
def test_after_a_kill_the_session_goes_on_as_if_nothing_had_been(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, turn: int
) -> None:
    path = tmp_path / "killed.db"
    killed = subprocess.run(
        [sys.executable, "-m", "tests.trainer.session_driver", str(path), str(turn)],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=300,
    )
    assert killed.returncode == -9, killed.stderr
    whole = Session(jobs, Store(None))
    undisturbed = play(qtbot, whole, KILLED_GAME, hands=6)
    whole.close()

    store = Store(path)
    assert store.file.notice == ""
    (stored,) = store.sessions()
    session = Session(jobs, store)
    before = len([hand for hand in store.hands(stored.session_id) if hand.is_finished])
    player = resume(qtbot, session, stored, hands=6 - before)
    assert [hand.observation for hand in player.hands] == [h.observation for h in undisturbed.hands[before:]]
    assert [h.traces for h in player.hands[1:]] != []
    assert player.hands[0].traces[-1].seed == undisturbed.hands[before].traces[-1].seed
    assert len(player.hands[0].traces) == len(undisturbed.hands[before].traces)
    ours, theirs = session.results(), whole.results()
    assert ours is not None
    assert theirs is not None
    assert (ours.stacks, ours.hero_net) == (theirs.stacks, theirs.hero_net)
    session.close()
    store.close()


@pytest.mark.every(4)
@pytest.mark.parametrize("shown", [7, 23, 58, 91])
def test_killed_at_any_moment_it_goes_on_at_the_last_action_shown(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, shown: int
) -> None:
    """The kill comes from outside, whatever the process is just doing, after so many actions were seen."""
    path = tmp_path / "killed.db"
    killed = subprocess.Popen(
        [sys.executable, "-m", "tests.trainer.session_driver", str(path), "100000", "tell"],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    lines = [killed.stdout.readline().split() for _ in range(shown)]
    killed.kill()
    lines += [line.split() for line in killed.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    killed.wait(60)
    killed.stdout.close()
    seen = [(int(number), kind) for number, kind in lines]
    store = Store(path)
    assert store.file.notice == ""
    (stored,) = store.sessions()
    kept = [(hand.number, action.kind) for hand in store.hands(stored.session_id) for action in actions_of(hand)]
    assert kept[: len(seen)] == seen, "each action shown is stored"
    session = Session(jobs, store)
    player = resume(qtbot, session, stored, hands=2)
    assert player.hands[0].observation.hand_number == max(number for number, _ in kept)
    assert len(player.hands) == 2
    session.close()
    store.close()


def test_a_session_between_two_hands_is_resumed_there(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = Session(jobs, store)
    first = play(qtbot, session, table("fold", "tight-passive"), hands=2)
    session.close()
    store.close()

    store = Store(path)
    again = Session(jobs, store)
    player = Player(again, 2)
    with qtbot.waitSignal(again.hand_finished, timeout=PATIENCE):  # the one on the table
        again.resume(store.sessions()[0])
    assert player.views[-1].observation == first.hands[-1].observation
    assert again.open_traces()[0].action == first.hands[-1].traces[0].action
    results, before = again.results(), session.results()
    assert results is not None
    assert before is not None
    assert (results.stacks, results.hero_net) == (before.stacks, before.hero_net)
    assert b'"human_net"' in encode(results), "earlier versions stored it by this name"
    qtbot.waitUntil(lambda: len(player.hands) == 2, timeout=PATIENCE)
    assert [hand.observation.hand_number for hand in player.hands] == [2, 3]
    again.close()
    store.close()


def test_a_stored_session_that_cannot_be_read_is_refused(qtbot: QtBot, jobs: Jobs, store: Store) -> None:
    first = Session(jobs, store)
    play(qtbot, first, table("random"), hands=1)
    first.close()
    stored = store.sessions()[0]
    second = Session(jobs, store)
    with pytest.raises(StoreError, match="not stored any more"):
        second.resume(replace(stored, session_id=77))
    second.close()
    third = Session(jobs, store)
    with qtbot.waitSignal(third.notice, timeout=PATIENCE) as told:
        third.resume(replace(stored, state=b"{}"))
    assert "The stored DealerState cannot be read" in told.args[0]
    assert third.config is None
    third.close()


def test_automatic_dealing_can_be_held_and_the_person_deals_all_the_same(qtbot: QtBot, session: Session) -> None:
    session.automatic.want(True)
    session.automatic.hold(True)
    session.begin(table("calling station", "fold"), STARTED)
    for number in (1, 2):

        def is_over(number: int = number) -> bool:
            if session.stage == Stage.YOUR_TURN:
                session.act(FOLD)
            return session.stage == Stage.HAND_OVER and session.progress[0] == number

        qtbot.waitUntil(is_over, timeout=PATIENCE)
        assert session.automatic.is_waiting
        assert not session.automatic._timer.isActive()
        if number == 1:
            session.deal()
    session.automatic.hold(False)
    qtbot.waitUntil(lambda: session.progress[0] == 3, timeout=PATIENCE)
    assert not session.automatic.is_waiting


def test_the_memory_of_a_table_stores_the_players_chips_by_the_name_of_earlier_versions() -> None:
    memory = table_memory({}, Tally(hero_net=(10, -20)))
    assert b"human_net" in zlib.decompress(memory)
    config = cash_game((SeatConfig("You", "human"), SeatConfig("Bob", "random")))
    assert list(recalled(config, (2, memory), {})[1].hero_net) == [10, -20]


def test_more_chips_than_there_can_be_are_left_out_with_what_is_stored_beside_them() -> None:
    stored = zlib.decompress(table_memory({}, Tally(hero_net=(2**63 - 1,))))
    number = (2**63 - 1).to_bytes(8, "big")
    assert stored.count(number) == 1
    config = cash_game((SeatConfig("You", "human"), SeatConfig("Bob", "random")))
    for more, last_hand in ((number, 2), ((2**63).to_bytes(8, "big"), 0)):
        memory = zlib.compress(stored.replace(number, more))
        assert recalled(config, (2, memory), {})[1].last_hand == last_hand
