"""What seats did and won is counted once for each hand, and goes with it."""

import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest

from engine.cards import HoleCards, combo_of, parse_cards
from engine.figures.player_figures import Line, figures_of
from engine.figures.seat_hands import seat_hands
from tests.engine.game.hands import act, deal
from tests.trainer.storage.test_store import STARTED, dealer, game
from trainer.storage.store import Store

HOLDINGS = {0: "AhAc", 1: "KhKc"}
BOARD = "2s 5d 7c 9h Js"


def cards() -> dict[int, HoleCards]:
    found = {}
    for seat, text in HOLDINGS.items():
        first, second = parse_cards(text)
        found[seat] = (first, second)
    return found


def play(store: Store, session: int, number: int, text: str = "r1000 c", *, is_open: bool = True) -> int:
    hand = store.begin_hand(session, number, dealer(number - 1))
    table = deal((1000, 1000), hole_cards=HOLDINGS, board=BOARD)
    act(table, text)
    ended = datetime(2026, 2, number, 23, 59)
    store.finish_hand(hand, table.observe(0), dealer(number), cards() if is_open else {}, ended=ended)
    return hand


def count_all(store: Store) -> None:
    store.seat_hands.count(store.seat_hands.missing())


def test_hands_are_counted_once_and_read_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "soulread.db")
    session = store.add_session(STARTED, game(1), dealer(0))
    hands = [play(store, session, number) for number in (1, 2)]
    store.begin_hand(session, 3, dealer(2))  # which is still played
    assert store.seat_hands.missing() == hands
    assert len(store.seat_hands.all().seats) == 0
    count_all(store)
    assert store.seat_hands.missing() == []
    store.close()
    store = Store(tmp_path / "soulread.db")
    found = store.seat_hands.all()
    table = deal((1000, 1000), hole_cards=HOLDINGS, board=BOARD)
    act(table, "r1000 c")
    expected = seat_hands(table.events, list(cards().values()))
    assert found.seats.tobytes() == expected.tobytes() * 2
    assert found.counts.tolist() == [2, 2]
    assert found.sessions.tolist() == [session, session]
    assert [date.fromordinal(day) for day in found.days.tolist()] == [date(2026, 2, 1), date(2026, 2, 2)]
    own = combo_of(*cards()[0])
    assert found.combos.tolist() == [own, own]
    store.close()


def test_what_an_earlier_version_counted_otherwise_is_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    hands = [play(store, session, number) for number in (1, 2)]
    count_all(store)
    before = store.seat_hands.all().seats.tobytes()
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE seat_hands SET counted = substr(counted, 1, 43 * seats) WHERE hand = ?", hands[:1])
    store = Store(path)
    assert len(store.seat_hands.all().counts) == 1
    assert store.seat_hands.missing() == hands[:1]
    count_all(store)
    assert store.seat_hands.all().seats.tobytes() == before
    store.close()


def test_cards_that_are_not_stored_leave_only_what_takes_them_open(store: Store) -> None:
    session = store.add_session(STARTED, game(1), dealer(0))
    play(store, session, 1, "r60 c x x x r100 f", is_open=False)
    count_all(store)
    figures = figures_of(store.seat_hands.all().seats)
    assert Line.VALUE not in figures.rates
    assert figures.rates[Line.ALL_IN].value == figures.rates[Line.NET].value
    store.close()


def test_deleted_sessions_take_their_counts_along(store: Store) -> None:
    first, second = (store.add_session(STARTED, game(seed), dealer(0)) for seed in (1, 2))
    play(store, first, 1)
    play(store, second, 1)
    count_all(store)
    store.delete_sessions([first])
    assert store.seat_hands.all().sessions.tolist() == [second]
    store.close()


def test_damaged_hands_are_left_out_and_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    good, bad, twice = (play(store, session, number) for number in (1, 2, 3))
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE hands SET observation = x'00' WHERE id = ?", (bad,))
        two_cards = '{"0":[51,50],"1":[51,50]}'
        database.execute("UPDATE hands SET hole_cards = ? WHERE id = ?", (two_cards, twice))
    store = Store(path)
    assert store.seat_hands.missing() == [good, bad, twice]
    count_all(store)
    assert store.seat_hands.missing() == []
    assert len(store.seat_hands.all().counts) == 1
    store.close()


def test_after_a_salvage_they_are_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    hand = play(store, session, 1)
    count_all(store)
    before = store.seat_hands.all().seats.tobytes()
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE seat_hands")
    store = Store(path)
    assert "were damaged" in store.file.notice
    assert store.seat_hands.missing() == [hand]
    count_all(store)
    assert store.seat_hands.all().seats.tobytes() == before
    store.close()


@pytest.mark.slow
def test_many_hands_are_read_without_unpacking_one(store: Store) -> None:
    session = store.add_session(STARTED, game(1), dealer(0))
    play(store, session, 1)
    count_all(store)

    def fill(database: sqlite3.Connection) -> None:
        more = "(WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n)"
        for table, columns in (("hands", "i, session, i"), ("played", "i, session, i"), ("seat_hands", "i")):
            names = [row[1].decode() for row in database.execute(f"PRAGMA table_info({table})")]
            others = ", ".join(names[columns.count(",") + 1 :])
            database.execute(f"INSERT INTO {table} SELECT {columns}, {others} FROM {table}, {more}")
        database.execute("UPDATE hands SET observation = x'00'")

    store.file.write(fill)
    assert store.seat_hands.missing() == []
    found = store.seat_hands.all()
    assert len(found.seats) == 400_000
    assert np.unique(found.seats["net"]).tolist() == [-1000, 1000]
    store.close()
