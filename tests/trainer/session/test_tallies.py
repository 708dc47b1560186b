"""What the player's reader made of a table, counted while a session is played."""

import logging
import sqlite3
from collections import Counter
from contextlib import closing
from math import log
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from engine.agents.agent import Reader
from engine.agents.calibration import TableTally
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.readers import make_reader
from engine.cards import CARD_COUNT, cards_of, combo_of
from engine.game.events import FOLD, ActionTaken
from engine.game.history import observation_at
from tests.trainer.gestures import PATIENCE
from tests.trainer.session_driver import STARTED, Player, table
from trainer.jobs import Jobs
from trainer.session.readings import LANE
from trainer.session.session import Session
from trainer.session.tallies import Tallies
from trainer.storage.store import Store

GAME = table("loose-aggressive", "calling station", "tight-passive", seed=8)


def begun(qtbot: QtBot, jobs: Jobs, path: Path, hands: int) -> tuple[Session, dict[str, TableTally]]:
    """Play hands of a new session, and return what its readers made of them."""
    session = Session(jobs, Store(path))
    return session, played(qtbot, jobs, session, Player(session, hands))


def resumed(qtbot: QtBot, jobs: Jobs, path: Path, hands: int) -> tuple[Session, dict[str, TableTally]]:
    """Go on with the stored session, for so many hands more."""
    session = Session(jobs, Store(path))
    return session, played(qtbot, jobs, session, Player(session, hands + 1))


def played(qtbot: QtBot, jobs: Jobs, session: Session, player: Player) -> dict[str, TableTally]:
    found: dict[str, TableTally] = {}
    session.readings.judged.connect(lambda tallies: found.update({tally.reader: tally for tally in tallies}))
    stored = session._store.sessions()
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        if stored:
            session.resume(stored[0])
        else:
            session.begin(GAME, STARTED)
    qtbot.waitUntil(lambda: session.readings.is_idle and jobs.is_idle(LANE), timeout=PATIENCE)
    return found


def close(session: Session) -> None:
    session.close()
    session._store.close()


def slow_count(store: Store, reader: Reader) -> tuple[Counter[str], dict[str, float], list[int]]:
    """Count points and losses by street, and all tenths that no tie leaves open, from the hands as stored."""
    points, losses, tenths = Counter[str](), Counter[str](), [0] * 11
    for hand in store.hands(1):
        final = hand.final_observation()
        for count, event in enumerate(final.events, start=1):
            if not isinstance(event, ActionTaken) or event.seat == final.seat or event.action == FOLD:
                continue
            moment, truth = observation_at(final, count), combo_of(*hand.hole_cards[event.seat])
            weights = {
                combo: float(weight)
                for combo, weight in enumerate(reader.predict(moment, event.seat).posterior)
                if not {*cards_of(combo)} & {*moment.board, *moment.hole_cards}
            }
            total = sum(weights.values())
            street = event.street.name.lower()
            points[street] += 1
            losses[street] -= log(weights[truth] / total)
            above = sum(weight for weight in weights.values() if weight > weights[truth]) / total
            level = sum(weight for weight in weights.values() if weight == weights[truth]) / total
            is_open = int(10 * above) != int(10 * min(above + level, 0.999999))
            tenths[10 if is_open else int(10 * above)] += 1
        reader.learn(final.events)
    return points, dict(losses), tenths


def test_the_count_is_that_of_the_stored_hands(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    session, tallies = begun(qtbot, jobs, tmp_path / "soulread.db", hands=12)
    tally = tallies["learned"]
    points, losses, tenths = slow_count(session._store, make_reader("learned", strangers=OF_PROGRAMS))
    assert len(tallies) == 1
    assert (tally.hands, tally.last_hand, tally.points) == (12, 12, points.total())
    assert {name: found.points for name, found in tally.streets.items()} == points
    for name, found in tally.streets.items():
        assert found.loss == pytest.approx(losses[name], rel=1e-4)
    assert tally.at_first.points == points.total()
    assert points.total() > 40
    missing = np.array(tally.at_first.tenths) - tenths[:10]
    assert missing.min() >= 0
    assert missing.sum() == tenths[10] < points.total() / 3
    close(session)


def test_a_resumed_session_goes_on_from_what_was_counted(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    whole, expected = begun(qtbot, jobs, tmp_path / "whole.db", hands=6)
    path = tmp_path / "soulread.db"
    first, before = begun(qtbot, jobs, path, hands=3)
    assert before["learned"].hands == 3
    close(first)
    second, after = resumed(qtbot, jobs, path, hands=3)
    assert after == expected, "also the hand that ended last before, which ends again, is counted once"
    for session in (whole, second):
        close(session)


@pytest.mark.parametrize(
    "damage", ["DELETE FROM memories", "UPDATE memories SET memory = x'00' WHERE part = 'tallies'"]
)
def test_a_session_of_an_earlier_version_or_with_a_damaged_count_is_counted_from_there_on(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "soulread.db"
    first, _ = begun(qtbot, jobs, path, hands=3)
    close(first)
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(damage).rowcount == 1
    with caplog.at_level(logging.ERROR):
        second, after = resumed(qtbot, jobs, path, hands=2)
    assert after["learned"].last_hand == 5
    assert after["learned"].hands == 3, "the last hand before, whose cards are in its decisions, and two more"
    assert second._store.memory(1, "tallies") is not None
    close(second)


def test_every_reader_is_counted_while_it_reads(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    session, found = begun(qtbot, jobs, tmp_path / "soulread.db", hands=2)
    session.readings.set_reader("uniform")
    player = Player(session, 2)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.deal()
    qtbot.waitUntil(lambda: session.readings.is_idle and jobs.is_idle(LANE), timeout=PATIENCE)
    assert {name: (tally.hands, tally.last_hand) for name, tally in found.items()} == {
        "learned": (2, 2),
        "uniform": (2, 4),
    }
    preflop = found["uniform"].streets["preflop"]
    combos = (CARD_COUNT - 2) * (CARD_COUNT - 3) / 2
    assert preflop.loss == pytest.approx(preflop.points * log(combos), rel=1e-5)
    close(session)


def test_a_reader_that_fails_costs_the_count_of_a_hand_and_no_word(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = Session(jobs, Store(tmp_path / "soulread.db"))
    judge = Tallies.judge

    def fail(tallies: Tallies, reader: Reader, final, *rest) -> tuple[TableTally, ...]:  # type: ignore[no-untyped-def]
        if final.hand_number == 1:
            raise ValueError("nothing")
        return judge(tallies, reader, final, *rest)

    monkeypatch.setattr(Tallies, "judge", fail)
    said: list[str] = []
    jobs.failed.connect(said.append)
    player = Player(session, 2)
    with caplog.at_level(logging.CRITICAL):
        found = played(qtbot, jobs, session, player)
    assert (found["learned"].hands, found["learned"].last_hand) == (1, 2)
    assert said == player.notices == []
    close(session)
