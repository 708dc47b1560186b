"""A session begins with what earlier ones have learned of its players."""

from datetime import timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.agents.learned.habits import Habit, habits_of
from engine.agents.soulread import agent as soulread
from engine.cards import Street
from engine.codec import encode
from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from tests.trainer import session_driver
from tests.trainer.gestures import PATIENCE
from tests.trainer.session.keeping import KEPT_EVERY, keep_often
from tests.trainer.session_driver import STARTED, Player, table
from trainer.jobs import Jobs
from trainer.session.agents import known_players
from trainer.session.looked_at import LookedAt
from trainer.session.record import known_at_start
from trainer.session.session import Session
from trainer.session.types import PointRanges, PointReading, Stage
from trainer.storage.store import Store

LATER = STARTED + timedelta(days=1)


def loose(observation: Observation) -> Action:
    """Play every hand: open it by the least raise, else call what does not cost the stack."""
    legal = observation.legal
    assert legal is not None
    if legal.can_raise and not observation.board and legal.min_raise_to == 2 * observation.big_blind:
        return raise_to(legal.min_raise_to)
    if legal.can_check:
        return CHECK
    return CALL if legal.call_amount <= observation.me.stack // 10 else FOLD


@pytest.fixture(autouse=True)
def play_loosely(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_often(monkeypatch)
    monkeypatch.setattr(session_driver, "answer", loose)


def played(
    qtbot: QtBot, jobs: Jobs, store: Store, config: GameConfig, hands: int, days: int = 0
) -> tuple[Session, Player]:
    session = Session(jobs, store)
    player = Player(session, hands)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.begin(config, STARTED + timedelta(days=days))
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    return session, player


def choices_known(session: Session) -> dict[str, int]:
    """From how many choices of each player the bots have learned."""
    return {name: player.choices for name, player in known_players(session.table.dealer.agents).items()}


def test_the_player_is_known_in_the_next_session_until_forgotten(qtbot: QtBot, jobs: Jobs, store: Store) -> None:
    config = table("calling station", "fold", seed=1)
    first = played(qtbot, jobs, store, config, hands=15)[0]
    assert first.known == {}
    first.finish()
    learned = store.players.known(config.seats)
    assert set(learned) == {"You", "Bot 0", "Bot 1"}
    # The only bot that learns learns nothing of itself, the player's own reader of everybody.
    of_bots = choices_known(first)
    assert of_bots == {name: player.choices for name, player in learned.items() if name != "Bot 1"}
    odds = {found.habit: found for found in habits_of(learned["You"])}
    assert odds[Habit.ENTERING].odds > 1.2, "every hand was played"

    second = Session(jobs, store)
    second.begin(config, LATER)
    qtbot.waitUntil(lambda: second.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    qtbot.waitUntil(lambda: second.readings.is_idle, timeout=PATIENCE)
    assert second.known == learned
    assert choices_known(second) == {name: player.choices for name, player in learned.items()}, "the bots know them"
    updates = [update for point in readings_of(second) for update in point.predictions[0].updates]
    counts = {figure.count for update in updates for figure in update.figures}
    assert counts == {learned["Bot 0"].choices}, "the panels know the bot"

    store.players.forget([player.seat for player in store.players.all()], LATER + timedelta(hours=1))
    third = Session(jobs, store)
    third.begin(config, LATER + timedelta(days=1))
    qtbot.waitUntil(lambda: third.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    assert third.known == {}
    assert choices_known(third) == {}
    for session in (first, second, third):
        session.close()
    store.close()


def readings_of(session: Session) -> list[PointReading]:
    return list(session.readings._cache.values())


def test_another_style_of_the_same_name_is_a_stranger(qtbot: QtBot, jobs: Jobs, store: Store) -> None:
    first, _ = played(qtbot, jobs, store, table("calling station", seed=5), hands=3)
    assert {player.seat.style for player in store.players.all()} == {"human", "calling station"}
    second, _ = played(qtbot, jobs, store, table("tight-passive", seed=5), hands=1)
    assert set(second.known) == {"You"}
    for session in (first, second):
        session.close()
    store.close()


def test_switched_off_a_session_begins_with_nothing_and_keeps_nothing(
    qtbot: QtBot, jobs: Jobs, store: Store
) -> None:
    config = table("fold", seed=8)
    first, _ = played(qtbot, jobs, store, config, hands=3)
    before = store.players.all()
    store.players.is_on = False
    second, _ = played(qtbot, jobs, store, config, hands=5, days=1)
    assert second.known == {}
    assert store.players.all() == before
    for session in (first, second):
        session.close()
    store.close()


@pytest.mark.parametrize(
    ("styles", "hands"),
    [
        (("fold", "loose-aggressive"), 3),
        (("fold", "loose-aggressive"), KEPT_EVERY + 2),
        (("soulread",), KEPT_EVERY + 2),
    ],
)
def test_a_resumed_session_goes_on_from_what_it_began_with(
    qtbot: QtBot,
    jobs: Jobs,
    store: Store,
    tmp_path: Path,
    styles: tuple[str, ...],
    hands: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever has been learned or forgotten since; what is kept then is not applied a second time."""
    monkeypatch.setattr(soulread, "_DEALS", dict.fromkeys(Street, 1))
    config = table(*styles, seed=9)
    earlier, _ = played(qtbot, jobs, store, config, hands=6)
    other = Store(None)
    other.players.keep(config.seats, store.players.known(config.seats), STARTED)
    whole, undisturbed = played(qtbot, jobs, other, config, hands=hands + 2, days=1)
    assert whole.known
    first, _ = played(qtbot, jobs, store, config, hands=hands, days=1)
    assert first.known == whole.known
    for session in (earlier, first):
        session.close()
    number = max(stored.session_id for stored in store.sessions())
    assert known_at_start(store, number) == whole.known
    store.players.forget([player.seat for player in store.players.all()], LATER + timedelta(hours=1))
    store.close()

    store = Store(tmp_path / "soulread.db")
    second = Session(jobs, store)
    player = Player(second, 3)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        second.resume(store.sessions()[0])
    for ours, theirs in zip(player.hands[1:], undisturbed.hands[hands:], strict=True):
        assert [encode(trace) for trace in ours.traces] == [encode(trace) for trace in theirs.traces]
    learned: list[object] = []
    for session in (second, whole):  # the last hand is learned before this
        jobs.submit(session.readings._lane, lambda: True, learned.append)
    qtbot.waitUntil(lambda: len(learned) == 2, timeout=PATIENCE)
    readers = [session.readings._reader._reader() for session in (second, whole)]
    assert readers[0].memory() == readers[1].memory()
    assert store.players.all() == (), "who was forgotten meanwhile stays so"
    for session in (second, whole):
        session.close()
    store.close()


def test_an_earlier_hand_is_read_as_it_was_with_what_was_known_then(qtbot: QtBot, jobs: Jobs, store: Store) -> None:
    config = table("calling station", seed=5)
    first, _ = played(qtbot, jobs, store, config, hands=4)
    second, _ = played(qtbot, jobs, store, config, hands=1, days=1)
    live = {point.event_count: point for point in readings_of(second)}
    second.finish()
    second.close()
    looked_at = LookedAt(jobs)
    looked_at.past.set_store(store)
    qtbot.waitUntil(lambda: len(looked_at.past.sessions) == 2, timeout=PATIENCE)
    found: list[PointReading] = []

    def take(point: PointRanges) -> None:
        if isinstance(point, PointReading):
            found.append(point)

    looked_at.reading_changed.connect(take)
    looked_at.choose_session(0)
    qtbot.waitUntil(lambda: len(found) == len(live), timeout=PATIENCE)
    for point in found:
        (ours,), (theirs,) = point.predictions, live[point.event_count].predictions
        assert (ours.posterior == theirs.posterior).all()
    assert any(point.predictions[0].updates for point in found)
    looked_at.stop()
    first.close()
    store.close()
