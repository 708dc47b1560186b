import hashlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs

from engine.agents.agent import (
    ActionClass,
    Adjustment,
    Figure,
    Outs,
    PositionGroup,
    Prediction,
    RangeUpdate,
    Reading,
    Thresholds,
    Trace,
    UnderstoodAction,
)
from engine.agents.packed_traces import pack_traces, unpack_traces
from engine.cards import COMBO_COUNT, Card, Street
from engine.codec import StoredDataError, decode, encode, frozen_vector, pack
from engine.equity.snapshot import Estimate, Method
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    ActionTaken,
    GameKind,
    HandStarted,
    SeatStart,
    raise_to,
)
from engine.game.format_file import cash_game
from engine.game.formats import GameConfig, SeatConfig
from engine.game.observation import Observation, Pot, SeatView
from engine.session_state import DealerState, SeatRecord
from tests.conftest import ROOT, on_posix
from tests.engine.agents.stored import of_schema_1
from trainer.storage.schema import SCHEMA_VERSION
from trainer.storage.seal import Key
from trainer.storage.store import Store
from trainer.storage.stored import StoredHand, StoreError, packed

STARTED = datetime(2024, 5, 17, 20, 15)


def game(seed: int) -> GameConfig:
    return cash_game((SeatConfig("Zoë", "human"), SeatConfig("Bob", "random")), seed=seed)


def dealer(hands: int) -> DealerState:
    return DealerState(hands, (SeatRecord(10_000, 10_000), SeatRecord(10_000, 10_000)))


CARDS = {0: (Card(51), Card(3)), 3: (Card(7), Card(8))}


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
        events=(
            HandStarted(4, GameKind.CASH, seats, 3, 5, 10, 0),
            ActionTaken(0, Street.FLOP, CHECK, 0, False, 0, 30, 1000, 0),
            ActionTaken(3, Street.FLOP, raise_to(20), 20, False, 0, 30, 2000, 0),
        ),
    )


class Result(Struct, frozen=True):
    reason: str


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


@given(traces)
def test_traces_survive_storage(trace: Trace) -> None:
    (again,) = unpack_traces(pack_traces((trace,)))
    assert encode(again) == encode(trace)


def test_what_is_stored_is_read_back(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(2))
    first = store.begin_hand(session, 1, dealer(2))
    store.add_action(first, 0, raise_to(30), b"")
    store.add_action(first, 1, FOLD)
    assert [hand.taken for hand in store.hands(session)] == [(raise_to(30), FOLD)]
    store.finish_hand(first, observation(), dealer(3), CARDS)
    second = store.begin_hand(session, 2, dealer(3))
    store.add_action(second, 0, CALL)
    other = store.add_session(STARTED, game(7), dealer(7))
    store.close()

    store = Store(path)
    assert store.file.notice == ""
    assert store.file.is_kept
    newest, oldest = store.sessions()
    assert (newest.session_id, newest.hands, newest.is_finished) == (other, 0, False)
    assert (oldest.session_id, oldest.hands, oldest.started) == (session, 2, STARTED)
    assert decode(oldest.config, GameConfig) == game(0), "the seed is not in the open"
    assert store.config(session) == game(1)
    assert decode(oldest.state, DealerState) == dealer(3)
    hands = store.hands(session)
    assert [(hand.number, hand.taken, hand.is_finished) for hand in hands] == [
        (1, (), True),
        (2, (CALL,), False),
    ]
    assert [hand.number for hand in store.hands(session, after=1)] == [2]
    assert decode(hands[1].state, DealerState) == dealer(3)
    assert hands[0].final_observation() == observation()
    assert hands[0].hole_cards == CARDS

    store.save_memory(session, "table", 1, b"first")
    store.save_memory(session, "table", 2, b"second")
    assert store.memory(session, "table") == (2, b"second")
    assert store.memory(session, "reader") is None
    store.save_state(session, dealer(9))
    store.finish_session(session, Result("done"))
    assert decode(store.sessions()[1].state, DealerState) == dealer(9)
    assert [stored.is_finished for stored in store.sessions()] == [False, True]
    assert decode(store.sessions()[1].config, GameConfig) == game(1), "nothing is to be hidden any more"
    store.close()


def test_traces_come_back_in_order(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(2))
    hand = store.begin_hand(session, 1, dealer(2))
    made = [Trace(style="a", seed=seed, observation=observation(), rule="r", action=CHECK) for seed in (5, 6)]
    store.add_action(hand, 0, CHECK, pack_traces((made[0],)))
    store.add_action(hand, 1, CALL)
    store.add_action(hand, 2, CHECK, pack_traces((made[1],)))
    assert store.traces(hand) == tuple(made)
    store.finish_hand(hand, observation(), dealer(3), CARDS, pack_traces(made))
    assert store.traces(hand) == tuple(made)
    store.close()


def test_the_words_of_stored_hands_stay_what_they_are() -> None:
    """Hands that were stored are read by these very bytes."""
    words = (ROOT / "resources" / "observation_words.txt").read_bytes()
    assert hashlib.sha256(words).hexdigest() == "b26801e50890f8f78328450d765c5baabe464263cb7ffbb7148d68f1a6f34506"
    assert StoredHand(1, 4, b"", (), PACKED_OBSERVATION, {}).final_observation() == observation()


def test_observations_of_all_versions_are_read() -> None:
    for form in (encode(observation()), pack(observation()), packed(observation())):
        assert StoredHand(1, 4, b"", (), form, {}).final_observation() == observation()
        with pytest.raises(StoredDataError):
            StoredHand(1, 4, b"", (), form[:-9], {}).final_observation()


PACKED_OBSERVATION = bytes.fromhex(
    "03c3d55d3735d43146efad9be0eaac1ba33776d1daba58baea86485d751d231d53bc3d74c7bc3cd46637117d65cc3e16719d"
    "57a7fc24e44e1df5ec4274e7aa914a0584b70d748cc17d3e6af5f430628ba4f0c5dfefc21248d8bb4124a40cda7782066886"
    "c1d8006bda25bead475ccbc80865a68964a721277560b90000"
)
"""Of `observation()`, as it was stored when hands began to be stored so."""


def test_damage_in_a_running_hand_costs_what_comes_after_it(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(2))
    hand = store.begin_hand(session, 1, dealer(2))
    store.add_action(hand, 0, CHECK, b"rubbish")
    store.add_action(hand, 1, CALL)
    store.add_action(hand, 3, CALL)
    assert [stored.taken for stored in store.hands(session)] == [(CHECK, CALL)], "an action is missing"
    with pytest.raises(StoreError, match="The stored trace cannot be unpacked"):
        store.traces(hand)
    store.close()


_KILLED = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
from engine.game.events import CALL
from tests.trainer.storage.test_store import dealer, game
from trainer.storage.store import Store

store = Store(Path(sys.argv[1]))
session = store.add_session(datetime(2024, 5, 17), game(1), dealer(2))
hand = store.begin_hand(session, 1, dealer(2))
for position in range(17):
    store.add_action(hand, position, CALL, b"x" * 10000)
os.kill(os.getpid(), signal.SIGKILL)
"""


@on_posix
def test_a_kill_loses_nothing(path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", _KILLED, str(path)], capture_output=True, timeout=300, cwd=ROOT)
    assert ended.returncode == -9, ended.stderr
    store = Store(path)
    assert store.file.notice == ""
    (hand,) = store.hands(store.sessions()[0].session_id)
    assert hand.taken == (CALL,) * 17
    store.close()


def test_a_repeated_hand_number_is_refused_and_changes_nothing(path: Path) -> None:
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(2))
    store.begin_hand(session, 1, dealer(2))
    with pytest.raises(StoreError, match="could not be stored"):
        store.begin_hand(session, 1, dealer(5))
    (hand,) = store.hands(session)
    assert isinstance(hand, StoredHand)
    assert decode(hand.state, DealerState) == dealer(2)
    store.close()


def make_full(path: Path, hands: int = 6) -> None:
    """Two sessions of so many hands, the last of each running."""
    store = Store(path)
    for seed in (1, 2):
        session = store.add_session(STARTED, game(seed), dealer(0))
        for number in range(1, hands + 1):
            hand = store.begin_hand(session, number, dealer(number - 1))
            for position in range(3):
                store.add_action(hand, position, FOLD, bytes(range(256)) * 4 * position)
            if number < hands:
                noise = random.Random(number).randbytes(3000)
                store.finish_hand(hand, observation(), dealer(number), CARDS, noise)
                store.save_memory(session, "table", number, noise * 3)
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


def empty(path: Path) -> None:
    path.write_bytes(b"")


def leave_one_byte(path: Path) -> None:
    path.write_bytes(b"S")


def go_on(path: Path) -> Store:
    """Open whatever is there, store more, and find it again."""
    store = Store(path)
    assert store.file.is_kept, store.file.notice
    assert store.file.why_not_stored == ""
    session = store.add_session(STARTED, game(7), dealer(0))
    hand = store.begin_hand(session, 1, dealer(0))
    store.add_action(hand, 0, CALL)
    store.close()
    again = Store(path)
    assert again.file.notice == ""
    assert again.sessions()[0].session_id == session
    assert again.config(session) == game(7)
    assert [hand.taken for hand in again.hands(session)] == [(CALL,)]
    return again


@pytest.mark.parametrize(
    "damage",
    [damage_everything, damage_the_middle, cut_short, drop_a_table, replace_by_another, empty, leave_one_byte],
)
def test_a_damaged_file_is_set_aside_whole(path: Path, damage: Callable[[Path], None]) -> None:
    make_full(path)
    damage(path)
    before = path.read_bytes()
    path.with_name("soulread.db-wal").write_bytes(b"left over")
    store = Store(path)
    assert store.file.notice.endswith("the old file is kept as soulread.db.damaged-1.")
    store.close()
    aside = path.with_name("soulread.db.damaged-1")
    assert aside.read_bytes() == before
    if os.name == "posix":
        assert aside.stat().st_mode & 0o777 == 0o600
    go_on(path).close()


def saved(path: Path) -> tuple[int, int, str]:
    """Open a file; give how many finished hands there are, how many running ones, and what is said."""
    store = Store(path)
    hands = [hand for session in store.sessions() for hand in store.hands(session.session_id)]
    for hand in hands:
        if hand.is_finished:
            assert hand.final_observation() == observation()
    notice = store.file.notice
    store.close()
    return sum(hand.is_finished for hand in hands), sum(not hand.is_finished for hand in hands), notice


def test_one_wrong_byte_in_the_schema_costs_nothing_but_a_sentence(path: Path) -> None:
    """The case that switched storing off for good: SQLite's own words about it are no text then."""
    make_full(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"CREATE TABLE hands") + 13
    data[at] = 0xFF
    path.write_bytes(data)
    hands, running, notice = saved(path)
    assert (hands, running) == (10, 2)
    assert notice == (
        "The stored hands were damaged: 12 hands of 2 sessions could be read and are in a new file; "
        "the old file is kept as soulread.db.damaged-1."
    )
    store = go_on(path)
    assert [store.config(number) for number in (1, 2)] == [game(1), game(2)]
    assert store.hands(1)[-1].taken == (FOLD,) * 3
    assert store.memory(2, "table") is not None
    store.close()


def test_a_damaged_action_or_card_costs_no_other_hand(path: Path) -> None:
    """The running hand goes on before the damage, and what is stored then takes its place."""
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(2))
    first = store.begin_hand(session, 1, dealer(2))
    store.finish_hand(first, observation(), dealer(3), CARDS)
    running = store.begin_hand(session, 2, dealer(3))
    for position, action in enumerate((CALL, CHECK, FOLD, CALL)):
        store.add_action(running, position, action)
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE actions SET action = 'x' WHERE position = 2")
        database.execute("UPDATE hands SET hole_cards = '{' WHERE number = 1")
    store = Store(path)
    ended, other = store.hands(session)
    assert (ended.final_observation(), ended.hole_cards) == (observation(), {})
    assert other.taken == (CALL, CHECK)
    store.add_action(running, 2, raise_to(50))
    assert store.hands(session)[1].taken == (CALL, CHECK, raise_to(50))
    store.close()


@pytest.mark.every(4)
@pytest.mark.parametrize("part", range(4))
def test_every_byte_of_the_first_pages_may_be_wrong(path: Path, part: int) -> None:
    """Header, schema and the first pages of rows, position by position, damaged in one of four ways."""
    make_full(path)
    sound = path.read_bytes()
    key = path.with_suffix(".key").read_bytes()
    changes = (lambda byte: byte ^ 0x01, lambda byte: byte ^ 0x80, lambda byte: 0xFF, lambda byte: 0x00)
    positions = [*range(120), *range(120, 4096, 11), *range(4096, 6 * 4096, 43), 11230, 11750, 20423]
    lost = set[tuple[int, int, str]]()
    for turn, at in enumerate(positions):
        changed = changes[turn % 4](sound[at])
        if changed == sound[at] or turn // 4 % 4 != part:
            continue
        for file in path.parent.iterdir():
            file.unlink()
        path.with_suffix(".key").write_bytes(key)
        path.write_bytes(sound[:at] + bytes([changed]) + sound[at + 1 :])
        store = Store(path)
        assert store.file.is_kept, (at, store.file.notice)
        hands = 0
        for session in store.sessions():
            for hand in store.hands(session.session_id):
                with suppress(StoredDataError):
                    hands += hand.is_finished and hand.final_observation().hand_number == 4
        if hands < 8:
            lost.add((at, hands, store.file.notice))
        store.close()
        if turn % 30 == 0 and "sealed" not in store.file.notice:  # as they are by a byte of a seed
            go_on(path).close()
    assert not lost, "one byte costs the rows of one page at most"


@pytest.mark.every(4)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_what_is_left_of_a_file_cut_short_is_saved(path: Path, share: float) -> None:
    make_full(path, hands=30)
    data = path.read_bytes()
    for length in (int(share * len(data)), int(share * len(data)) // 4096 * 4096, int(share * len(data)) + 1):
        for file in path.parent.glob("soulread.db*"):
            file.unlink()
        path.write_bytes(data[:length])
        hands, _, notice = saved(path)
        assert "damaged" in notice
        # Of 58 hands of about 4.5 kB each, which follow the first pages of all tables and what was learned.
        assert hands >= 50 * (share - 0.4) / 0.6
        go_on(path).close()


def test_garbage_in_place_of_pages_costs_only_these(path: Path) -> None:
    make_full(path, hands=30)
    sound = path.read_bytes()
    pages = len(sound) // 4096
    for seed in range(12):
        draw = random.Random(seed)
        data = bytearray(sound)
        for page in draw.sample(range(pages), 3):
            data[4096 * page : 4096 * (page + 1)] = draw.randbytes(4096)
        for file in path.parent.glob("soulread.db*"):
            file.unlink()
        path.write_bytes(data)
        hands, _, notice = saved(path)
        assert "could be read" in notice
        assert hands >= 58 - 3 * 8, "a page of rows has the beginnings of a few hands"
        go_on(path).close()


_KILLED_FULL = """
import os, signal, sys
from pathlib import Path
from tests.trainer.storage.test_store import make_full
from trainer.storage.store import Store

class Unclosed(Store):
    def close(self):
        os.kill(os.getpid(), signal.SIGKILL)

import tests.trainer.storage.test_store as tests
tests.Store = Unclosed
make_full(Path(sys.argv[1]))
"""


@on_posix
def test_a_damaged_write_ahead_log_is_no_obstacle(path: Path) -> None:
    """After a kill everything is in the log alone; what is whole in it comes back."""
    ended = subprocess.run(
        [sys.executable, "-c", _KILLED_FULL, str(path)], capture_output=True, timeout=300, cwd=ROOT
    )
    assert ended.returncode == -9, ended.stderr
    log = path.with_name("soulread.db-wal")
    kept = {file: file.read_bytes() for file in path.parent.iterdir()}
    draw = random.Random(5)
    for at in [0, 1, 8, 16, 24, 31, 32, 36, 40, 60, *(draw.randrange(len(kept[log])) for _ in range(40))]:
        for file in path.parent.iterdir():
            file.unlink()
        for file, data in kept.items():
            file.write_bytes(data)
        damaged = bytearray(kept[log])
        damaged[at] ^= 0x40
        log.write_bytes(damaged)
        path.with_name("soulread.db-shm").write_bytes(draw.randbytes(32768))
        store = Store(path)
        assert store.file.is_kept, store.file.notice
        store.close()
        go_on(path).close()
    for file, data in kept.items():
        file.write_bytes(data)
    path.write_bytes(b"")  # the log alone is left
    store = Store(path)
    assert "12 hands of 2 sessions could be read" in store.file.notice
    store.close()


def test_damage_found_while_running_is_mended_at_once(path: Path) -> None:
    make_full(path, hands=30)
    store = Store(path)
    assert store.file.notice == ""
    data = bytearray(path.read_bytes())
    page = 4096 * (len(data) // 4096 // 2)
    data[page : page + 3 * 4096] = b"\xa5" * (3 * 4096)
    with path.open("r+b") as file:  # the same file, as a bad disk would
        file.write(data)
    store.file.read(
        lambda database: database.execute("PRAGMA shrink_memory").fetchall()
    )  # so that it is read again
    hands = [hand.number for session in (1, 2) for hand in store.hands(session)]
    assert store.file.repairs == 1
    assert "could be read and are in a new file" in store.file.notice
    assert 40 < len(hands) < 60
    hand = store.begin_hand(1, 31, dealer(30))
    store.add_action(hand, 0, CALL)
    store.close()
    again = Store(path)
    assert again.file.notice == ""
    assert again.hands(1)[-1].taken == (CALL,)
    again.close()


def test_hands_whose_session_is_lost_are_kept_as_an_ended_one(path: Path) -> None:
    make_full(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"2024-05-17T20:15:00")
    page = at // 4096 * 4096
    data[page : page + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    store = Store(path)
    assert [(one.is_finished, one.hands) for one in store.sessions()] == [(True, 5), (True, 5)]
    assert [
        seat.name for seat in decode(store.sessions()[0].config, GameConfig).seats if seat.style == "human"
    ] == ["Ann"]
    store.close()


@pytest.mark.parametrize("spoilt", [1, 5])
def test_hands_of_a_lost_session_need_not_all_make_sense(path: Path, spoilt: int) -> None:
    """The first tells nothing of the game, or none does: then nothing is lost that could be looked at."""
    make_full(path)
    with closing(sqlite3.connect(path)) as database, database:
        rows = database.execute("SELECT id, observation FROM hands WHERE session = 1 AND number < 6").fetchall()
        for hand, observation in rows[:spoilt]:
            final = StoredHand(0, 0, b"", (), observation, {}).final_observation()
            empty = pack(structs.replace(final, events=()))
            database.execute("UPDATE hands SET observation = ? WHERE id = ?", (empty, hand))
        database.execute("DELETE FROM sessions WHERE id = 1")
    store = Store(path)
    assert len(rows) == 5
    assert "could be read and are in a new file" in store.file.notice
    assert [one.session_id for one in store.sessions()] == ([2, 1] if spoilt == 1 else [2])
    store.close()


@on_posix
def test_a_file_of_the_first_version_is_taken_over(path: Path) -> None:
    """What the first version wrote, its seed and traces in the open: all of it is there, and no secret any more."""
    path.parent.mkdir()
    database = sqlite3.connect(path)
    database.executescript(SCHEMA_1)
    config, seed = game(8_765_432_109), b"8765432109"
    state = encode(dealer(1))[:-1] + b',"config":' + encode(config) + b"}"
    trace = Trace(style="a", seed=5, observation=observation(), rule="r", action=CHECK)
    old = zlib.compress(encode(trace), 1)
    with database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(
            "INSERT INTO sessions VALUES (3, '2024-05-17T20:15:00', ?, ?, NULL)",
            (encode(config).decode(), state.decode()),
        )
        final = encode(observation()).decode()
        database.execute("INSERT INTO hands VALUES (5, 3, 1, ?, ?)", (state.decode(), final))
        database.execute("INSERT INTO hands VALUES (6, 3, 2, ?, NULL)", (state.decode(),))
        for hand in (5, 6):
            database.execute("INSERT INTO actions VALUES (?, 0, ?, ?)", (hand, encode(CHECK).decode(), old))
            database.execute("INSERT INTO actions VALUES (?, 1, ?, NULL)", (hand, encode(CALL).decode()))
    database.close()
    path.chmod(0o644)
    assert seed in path.read_bytes()
    store = Store(path)
    assert (store.file.notice, store.file.is_kept) == ("", True)
    (session,) = store.sessions()
    assert (session.session_id, session.started, session.hands, session.is_finished) == (3, STARTED, 2, False)
    assert store.config(3) == config
    first, second = store.hands(3)
    assert first.final_observation() == observation()
    assert second.taken == (CHECK, CALL)
    assert decode(second.state, DealerState) == dealer(1)
    assert store.traces(first.hand_id) == store.traces(second.hand_id) == (trace,)
    on_disk = b"".join(file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".key")
    assert seed not in on_disk
    assert old not in on_disk
    assert path.stat().st_mode & 0o777 == 0o600
    store.close()
    assert {file.name for file in path.parent.iterdir()} == {"soulread.db", "soulread.key"}
    go_on(path).close()


def to_version_2(path: Path, key: Key) -> None:
    """Make a file as version 2 wrote it, in which FOLD was called Soulread, of one that FOLD has played in."""
    old = path.with_name("old.db")
    with closing(sqlite3.connect(old)) as database:
        database.executescript(SCHEMA_2)
        database.execute("ATTACH ? AS later", (str(path),))
        with database:
            database.execute(
                "INSERT INTO sessions SELECT id, started, config, seed, state, result FROM later.sessions"
            )
            for table in ("hands", "actions", "memories"):
                columns = ", ".join(row[1] for row in database.execute(f"PRAGMA main.table_info({table})"))
                database.execute(f"INSERT INTO {table} SELECT {columns} FROM later.{table}")
            for sign in '":':
                names = f'"style":"fold{sign}', f'"style":"soulread{sign}'
                database.execute("UPDATE sessions SET config = replace(config, ?, ?)", names)
            for hand, traces in database.execute("SELECT id, traces FROM hands WHERE traces NOT NULL").fetchall():
                database.execute("UPDATE hands SET traces = ? WHERE id = ?", (of_schema_1(traces), hand))
            for row, trace in database.execute("SELECT rowid, trace FROM actions WHERE trace NOT NULL").fetchall():
                sealed = key.seal(of_schema_1(key.open(trace)))
                database.execute("UPDATE actions SET trace = ? WHERE rowid = ?", (sealed, row))
    old.replace(path)


_NO_ROOM = """
import resource, sys
from pathlib import Path
from trainer.storage.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
store = Store(Path(sys.argv[1]))
print(store.file.is_kept, store.file.notice)
store.close()
"""


@on_posix
def test_a_full_disk_leaves_a_file_of_an_earlier_version_as_it_is(path: Path) -> None:
    """One sentence says so, and with room again nothing is missing."""
    make_full(path, hands=30)
    store = Store(path)
    key = store.file.key
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE hands SET traces = NULL")
        database.execute("DELETE FROM actions")
    to_version_2(path, key)
    before = path.read_bytes()
    assert len(before) > 60_000
    ended = subprocess.run(
        [sys.executable, "-c", _NO_ROOM, str(path)], capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert ended.stdout.startswith(f"False The stored hands in {path} cannot be used ("), ended.stderr
    assert ended.stdout.endswith("; this session is not stored.\n")
    assert path.read_bytes()[100:] == before[100:], "all but the mark of the write-ahead log in its header"
    assert sorted(file.name for file in path.parent.iterdir()) == ["soulread.db", "soulread.key"]
    assert saved(path) == (58, 2, "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is read-only for everybody")
def test_a_folder_that_cannot_be_written_is_said_in_a_sentence() -> None:
    store = Store(Path("/proc/soulread/soulread.db"))
    assert store.file.notice.startswith("The stored hands in /proc/soulread/soulread.db cannot be used (")
    assert store.file.notice.endswith("; this session is not stored.")
    assert store.file.notice == store.file.why_not_stored
    store.close()


def test_sessions_of_when_fold_was_called_soulread_are_folds(path: Path) -> None:
    """A running one and one that has ended; what is begun from now on keeps the name."""
    seats = [SeatConfig("Zoë", "human")] + [
        SeatConfig(f"Bot {at}", style) for at, style in enumerate(("fold", "fold:uniform", "fold-2017", "random"))
    ]
    config = cash_game(tuple(seats), seed=8_765_432_109)
    trace = Trace(style="fold", seed=5, observation=observation(), rule="r", action=CHECK)
    store = Store(path)
    for _ in range(2):
        session = store.add_session(STARTED, config, dealer(2))
        store.save_memory(session, "table", 1, b"learned")
        for number in (1, 2):
            hand = store.begin_hand(session, number, dealer(number))
            store.add_action(hand, 0, CHECK, pack_traces((trace,)))
            if number == 1:
                store.finish_hand(hand, observation(), dealer(2), CARDS, pack_traces((trace,)))
    store.finish_session(1, Result("done"))
    key = store.file.key
    store.close()
    to_version_2(path, key)
    assert b'"soulread"' in path.read_bytes()

    store = Store(path)
    assert (store.file.notice, store.file.is_kept) == ("", True)
    assert [decode(one.config, GameConfig).seats for one in store.sessions()] == [config.seats] * 2
    assert [store.config(session) for session in (1, 2)] == [config, config]
    for session in (1, 2):
        assert store.memory(session, "table") == (1, b"learned")
        assert [hand.is_finished for hand in store.hands(session)] == [True, False]
        for hand in store.hands(session):
            assert [structs.replace(found, schema=2) for found in store.traces(hand.hand_id)] == [trace]
    new = structs.replace(
        config, seats=tuple(SeatConfig(at.name, at.style.replace("fold", "soulread")) for at in seats)
    )
    store.add_session(STARTED, new, dealer(0))
    store.close()
    path.write_bytes(b"\0" + path.read_bytes()[1:])  # damaged: what it has follows from its rows alone
    store = Store(path)
    assert "could be read" in store.file.notice
    assert [store.config(session).seats for session in (1, 2, 3)] == [config.seats, config.seats, new.seats]
    store.close()


SCHEMA_2 = """
PRAGMA application_id = 0x536F756C;
PRAGMA user_version = 2;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,          -- ISO 8601, local time
    config TEXT NOT NULL,           -- the game, JSON; its seed is 0 while the session can be resumed
    seed BLOB,                      -- the seed, sealed; NULL when the session has ended
    state TEXT NOT NULL,            -- the dealer between two hands, JSON
    result TEXT                     -- how it went, JSON; NULL while it can be resumed
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,            -- the dealer before the hand, JSON; '' when it has ended
    hole_cards TEXT,                -- of every seat dealt in, JSON; NULL while it runs
    observation BLOB,               -- the person's at the end, packed, with all public events; NULL while it runs
    traces BLOB,                    -- why the bots acted as they did, packed; NULL while it runs
    UNIQUE (session, number)
);
CREATE TABLE actions (              -- of the running hand
    hand INTEGER NOT NULL REFERENCES hands (id),
    position INTEGER NOT NULL,      -- 0, 1, 2 ... within the hand
    action TEXT NOT NULL,           -- JSON
    trace BLOB,                     -- why, sealed; NULL for the person
    PRIMARY KEY (hand, position)
);
CREATE TABLE memories (             -- what was learned in a session, so that it needs not be played again
    session INTEGER NOT NULL REFERENCES sessions (id),
    part TEXT NOT NULL,             -- whose
    hand INTEGER NOT NULL,          -- number of the last hand in it
    memory BLOB NOT NULL,
    PRIMARY KEY (session, part)
);
"""


SCHEMA_1 = """
PRAGMA application_id = 0x536F756C;
PRAGMA user_version = 1;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,          -- ISO 8601, local time
    config TEXT NOT NULL,           -- the game, JSON
    state TEXT NOT NULL,            -- the dealer between two hands, JSON
    result TEXT                     -- how it went, JSON; NULL while it can be resumed
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,            -- the dealer before the hand, JSON: with the actions it gives the whole hand
    observation TEXT,               -- the human's at the end, all public events included; NULL while it runs
    UNIQUE (session, number)
);
CREATE TABLE actions (
    hand INTEGER NOT NULL REFERENCES hands (id),
    position INTEGER NOT NULL,      -- 0, 1, 2 ... within the hand
    action TEXT NOT NULL,           -- JSON
    trace BLOB,                     -- why, zlib-compressed JSON; NULL for the human
    PRIMARY KEY (hand, position)
);
"""


def test_without_its_key_a_running_session_is_lost_and_its_hands_are_not(path: Path) -> None:
    make_full(path)
    path.with_suffix(".key").unlink()
    store = Store(path)
    assert (
        store.file.notice
        == "Stored sessions were sealed with a key that is not there any more: they cannot be resumed."
    )
    assert store.file.is_kept
    with pytest.raises(StoredDataError, match="key"):
        store.config(1)
    assert store.hands(1)[0].final_observation() == observation()
    store.finish_session(1, Result("ended"))
    assert [session.is_finished for session in store.sessions()] == [False, True]
    store.close()
    path.with_suffix(".key").write_bytes(b"too short")
    store = Store(path)
    assert "key" in store.file.notice
    assert path.with_name("soulread.key.damaged-1").read_bytes() == b"too short"
    store.close()


def test_deleting_sessions_makes_the_file_smaller(path: Path) -> None:
    make_full(path, hands=80)
    store = Store(path)
    before, sizes = store.file.size, store.sizes()
    assert set(sizes) == {1, 2}
    assert sum(sizes.values()) == pytest.approx(before, abs=2)
    assert sizes[1] == pytest.approx(sizes[2], rel=0.01)
    store.limit = before
    assert store.is_full
    store.delete_sessions([1])
    assert not store.is_full
    assert store.file.size < 0.6 * before
    assert path.stat().st_size == store.file.size
    assert [session.session_id for session in store.sessions()] == [2]
    assert len(store.hands(2)) == 80
    store.close()
    again = Store(path)
    assert again.file.notice == ""
    again.close()


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    make_full(path)
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.execute("ALTER TABLE hands ADD COLUMN weather TEXT")
    database.close()
    before = path.read_bytes()
    store = Store(path)
    assert "newer" in store.file.notice
    assert not store.file.is_kept
    store.add_session(STARTED, game(1), dealer(2))
    assert len(store.sessions()) == 1
    store.close()
    assert path.read_bytes() == before
    assert list(path.parent.glob("*damaged*")) == []


_SECOND = """
import sys
from pathlib import Path
from trainer.storage.store import Store
store = Store(Path(sys.argv[1]))
print(store.file.is_kept, store.file.notice)
print(store.file.why_not_stored)
"""


def test_a_second_app_is_told_and_harms_nothing(path: Path) -> None:
    store = Store(path)
    store.add_session(STARTED, game(1), dealer(2))
    second = subprocess.run([sys.executable, "-c", _SECOND, str(path)], capture_output=True, text=True, timeout=300)
    assert second.stdout.startswith("False Soulread is already running"), second.stderr
    first, marked = second.stdout.splitlines()
    assert marked == first.removeprefix("False "), "the reason lasts"
    assert store.file.why_not_stored == ""
    store.add_session(STARTED, game(3), dealer(4))
    store.close()
    store = Store(path)
    assert len(store.sessions()) == 2
    store.close()


def test_an_unusable_folder_leaves_the_app_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "soulread.db")
    assert not store.file.is_kept
    assert "not stored" in store.file.why_not_stored
    store.close()
    folder = tmp_path / "soulread.db"
    folder.mkdir()
    store = Store(folder)
    assert not store.file.is_kept
    assert "not stored" in store.file.notice
    store.close()
    shutil.rmtree(folder)


def test_in_memory_by_choice_says_nothing(store: Store) -> None:
    assert (store.file.notice, store.file.why_not_stored) == ("", "")
    assert not store.file.is_kept
    store.close()


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.add_session(STARTED, game(1), dealer(2))
    with pytest.raises(StoreError, match="closed"):
        store.sessions()
