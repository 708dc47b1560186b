import shutil
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from engine.agents.agent import (
    ActionClass,
    Adjustment,
    Estimate,
    Figure,
    Method,
    Outs,
    PositionGroup,
    Prediction,
    RangeUpdate,
    Reading,
    Thresholds,
    Trace,
    UnderstoodAction,
)
from engine.cards import COMBO_COUNT, Card, Street
from engine.codec import StoredDataError, decode, encode, frozen_vector
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, HandStarted, SeatStart, raise_to
from engine.game.observation import Observation, Pot, SeatView
from trainer.store import SCHEMA_VERSION, Store, StoredHand, StoreError, pack_trace, unpack_trace

STARTED = datetime(2024, 5, 17, 20, 15)


class Game(Struct, frozen=True):
    """Stands for whatever describes a game or a dealer: the store only sees its JSON."""

    seed: int
    name: str = "Zoë"


def observation() -> Observation:
    seats = (SeatStart(0, "Ann", 1000), SeatStart(3, "Bob", 2000))
    return Observation(
        seat=0,
        hole_cards=(Card(51), Card(3)),
        hand_number=4,
        kind=GameKind.CASH,
        button=3,
        small_blind=5,
        big_blind=10,
        ante=0,
        street=Street.FLOP,
        board=(Card(1), Card(2), Card(5)),
        seats=tuple(SeatView(s.seat, s.name, s.stack, 0, 0, False, False, None) for s in seats),
        pots=(Pot(30, (0, 3)),),
        to_act=None,
        legal=None,
        events=(HandStarted(4, GameKind.CASH, seats, 3, 5, 10, 0),),
    )


unit = st.floats(0, 1)
estimates = st.builds(Estimate, unit, st.sampled_from(Method), unit, st.integers(0, 2**62))
figures = st.builds(Figure, st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False), unit, unit)
vectors = st.integers(0, 2**32 - 1).map(
    lambda seed: frozen_vector(np.random.default_rng(seed).random(COMBO_COUNT, dtype=np.float32))
)
understood = st.builds(
    UnderstoodAction,
    *(st.integers(0, 300), st.integers(0, 9), st.sampled_from(Street), st.sampled_from(ActionClass), unit),
    *(st.sampled_from(PositionGroup), st.integers(2, 10), st.integers(0, 9), st.booleans(), st.booleans(), unit),
)
updates = st.builds(
    RangeUpdate, understood, st.just((Card(1), Card(2), Card(3))), vectors, unit, st.tuples(figures), st.none()
)
predictions = st.builds(Prediction, st.integers(0, 9), st.text(max_size=8), vectors, st.tuples(updates), vectors)
readings = st.builds(
    Reading,
    st.lists(predictions, max_size=3).map(tuple),
    *(estimates, estimates, st.none() | st.builds(Outs, st.just((Card(7),)), unit), unit, unit),
    st.integers(0, 2**63 - 1),
)
thresholds = st.builds(Thresholds, unit, unit, unit)
actions = st.sampled_from([FOLD, CHECK, CALL]) | st.integers(1, 10**9).map(raise_to)
traces = st.builds(
    Trace,
    style=st.text(max_size=10),
    seed=st.integers(0, 2**63 - 1),
    observation=st.just(observation()),
    reading=st.none() | readings,
    base=st.none() | thresholds,
    adjustments=st.lists(
        st.builds(Adjustment, st.text(max_size=5), st.tuples(figures), thresholds), max_size=2
    ).map(tuple),
    figures=st.lists(figures, max_size=2).map(tuple),
    rule=st.text(max_size=10),
    action=actions,
)


EMPTY = Trace(style="a", seed=5, observation=observation(), rule="r", action=CHECK)


@given(traces)
@settings(max_examples=25)
def test_traces_survive_storage(trace: Trace) -> None:
    again = unpack_trace(pack_trace(trace))
    assert encode(again) == encode(trace)
    assert again.action == trace.action
    if trace.reading is not None and again.reading is not None:
        for before, after in zip(trace.reading.predictions, again.reading.predictions, strict=True):
            np.testing.assert_array_equal(before.posterior, after.posterior)


@pytest.mark.parametrize("data", [b"", b"rubbish", pack_trace(EMPTY)[:-9]])
def test_a_damaged_trace_is_told(data: bytes) -> None:
    with pytest.raises(StoredDataError, match="trace"):
        unpack_trace(data)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "soulread.db"


def test_what_is_stored_is_read_back(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, Game(1), Game(2))
    first = store.begin_hand(session, 1, Game(2))
    store.add_action(first, 0, raise_to(30), b"")
    store.add_action(first, 1, FOLD)
    store.finish_hand(first, observation(), Game(3))
    second = store.begin_hand(session, 2, Game(3))
    store.add_action(second, 0, CALL)
    other = store.add_session(STARTED, Game(7), Game(7))
    store.close()

    store = Store(path)
    assert store.notice == ""
    assert store.is_kept
    newest, oldest = store.sessions()
    assert (newest.session_id, newest.hands, newest.is_finished) == (other, 0, False)
    assert (oldest.session_id, oldest.hands, oldest.started) == (session, 2, STARTED)
    assert decode(oldest.config, Game) == Game(1)
    assert decode(oldest.state, Game) == Game(3)
    hands = store.hands(session)
    assert [(hand.number, hand.actions, hand.is_finished) for hand in hands] == [
        (1, (raise_to(30), FOLD), True),
        (2, (CALL,), False),
    ]
    assert decode(hands[1].state, Game) == Game(3)
    assert hands[0].final_observation() == observation()

    store.save_state(session, Game(9))
    store.finish_session(session, Game(10))
    assert decode(store.sessions()[1].state, Game) == Game(9)
    assert [stored.is_finished for stored in store.sessions()] == [False, True]
    store.close()


def test_traces_come_back_in_order(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, Game(1), Game(2))
    hand = store.begin_hand(session, 1, Game(2))
    made = [Trace(style="a", seed=seed, observation=observation(), rule="r", action=CHECK) for seed in (5, 6)]
    store.add_action(hand, 0, CHECK, pack_trace(made[0]))
    store.add_action(hand, 1, CALL)
    store.add_action(hand, 2, CHECK, pack_trace(made[1]))
    assert store.traces(hand) == tuple(made)
    store.close()


_KILLED = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
from msgspec import Struct
from engine.game.events import CALL
from trainer.store import Store

class Game(Struct, frozen=True):
    seed: int

store = Store(Path(sys.argv[1]))
session = store.add_session(datetime(2024, 5, 17), Game(1), Game(2))
hand = store.begin_hand(session, 1, Game(2))
for position in range(17):
    store.add_action(hand, position, CALL, b"x" * 10000)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_loses_nothing(path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", _KILLED, str(path)], capture_output=True, timeout=60)
    assert ended.returncode == -9, ended.stderr
    store = Store(path)
    assert store.notice == ""
    (hand,) = store.hands(store.sessions()[0].session_id)
    assert hand.actions == (CALL,) * 17
    store.close()


def test_a_repeated_hand_number_is_refused_and_changes_nothing(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, Game(1), Game(2))
    store.begin_hand(session, 1, Game(2))
    with pytest.raises(StoreError, match="could not be stored"):
        store.begin_hand(session, 1, Game(5))
    (hand,) = store.hands(session)
    assert isinstance(hand, StoredHand)
    assert decode(hand.state, Game) == Game(2)
    store.close()


def make_full(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, Game(1), Game(2))
    hand = store.begin_hand(session, 1, Game(2))
    for position in range(50):
        store.add_action(hand, position, Action(FOLD.kind), bytes(range(256)) * 40)
    store.close()


def damage_everything(path: Path) -> None:
    path.write_bytes(b"no database " * 1000)


def damage_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:-4096] = b"\xa5" * (len(data) - 8192)
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:10000])


def drop_a_table(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("DROP TABLE actions")
    database.close()


def replace_by_another(path: Path) -> None:
    path.unlink()
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE songs (name)")
    database.close()


@pytest.mark.parametrize(
    "damage", [damage_everything, damage_the_middle, cut_short, drop_a_table, replace_by_another]
)
def test_a_damaged_file_is_set_aside_whole(path: Path, damage: object) -> None:
    make_full(path)
    assert callable(damage)
    damage(path)
    before = path.read_bytes()
    path.with_name("soulread.db-wal").write_bytes(b"left over")
    store = Store(path)
    assert "soulread.db.damaged-1" in store.notice
    assert store.is_kept
    assert store.sessions() == ()
    assert path.with_name("soulread.db.damaged-1").read_bytes() == before
    store.add_session(STARTED, Game(1), Game(2))
    store.close()
    again = Store(path)
    assert again.notice == ""
    assert len(again.sessions()) == 1
    again.close()


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    make_full(path)
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    before = path.read_bytes()
    store = Store(path)
    assert "newer" in store.notice
    assert not store.is_kept
    store.add_session(STARTED, Game(1), Game(2))
    assert len(store.sessions()) == 1
    store.close()
    assert path.read_bytes() == before
    assert list(path.parent.glob("*damaged*")) == []


_SECOND = """
import sys
from pathlib import Path
from trainer.store import Store
store = Store(Path(sys.argv[1]))
print(store.is_kept, store.notice)
print(store.why_not_stored)
"""


def test_a_second_app_is_told_and_harms_nothing(path: Path) -> None:
    store = Store(path)
    store.add_session(STARTED, Game(1), Game(2))
    second = subprocess.run([sys.executable, "-c", _SECOND, str(path)], capture_output=True, text=True, timeout=60)
    assert second.stdout.startswith("False Soulread is already running"), second.stderr
    first, marked = second.stdout.splitlines()
    assert marked == first.removeprefix("False "), "the reason lasts"
    assert store.why_not_stored == ""
    store.add_session(STARTED, Game(3), Game(4))
    store.close()
    store = Store(path)
    assert len(store.sessions()) == 2
    store.close()


def test_an_unusable_folder_leaves_the_app_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "soulread.db")
    assert not store.is_kept
    assert "not stored" in store.why_not_stored
    store.close()
    folder = tmp_path / "soulread.db"
    folder.mkdir()
    store = Store(folder)
    assert not store.is_kept
    assert "not stored" in store.notice
    store.close()
    shutil.rmtree(folder)


def test_in_memory_by_choice_says_nothing() -> None:
    store = Store(None)
    assert (store.notice, store.why_not_stored) == ("", "")
    assert not store.is_kept
    store.close()


def test_a_closed_store_says_so() -> None:
    store = Store(None)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.add_session(STARTED, Game(1), Game(2))
    with pytest.raises(StoreError, match="closed"):
        store.sessions()
