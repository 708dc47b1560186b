"""Notes, reviews and small records: written, read back, and kept over earlier versions and damage."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct

from engine.codec import decode, pack
from tests.engine.game.hands import act, deal
from tests.trainer.storage.test_store import CARDS, STARTED, dealer, game, observation
from trainer.storage.browse import HandFilter
from trainer.storage.notes import HandNote
from trainer.storage.schema import LOST_NOTES, SCHEMA_VERSION
from trainer.storage.store import Store
from trainer.storage.stored import StoredHand, StoreError


class Guess(Struct, frozen=True):
    text: str


def begin(path: Path, hands: int = 3) -> tuple[Store, list[int]]:
    """A session of so many finished hands, with the numbers that the store gave them."""
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    numbers = []
    for number in range(1, hands + 1):
        numbers.append(store.begin_hand(session, number, dealer(number - 1)))
        table = deal((1000, 1000))
        act(table, "f")
        store.finish_hand(numbers[-1], table.observe(0), dealer(number), CARDS, b"traces")
    return store, numbers


def test_notes_and_tags_are_read_back(path: Path) -> None:
    store, (first, second, _) = begin(path)
    assert store.notes.note(first) == HandNote()
    note = HandNote("Too thin a value bet.\nAsk Zoë", ("river", "Über"))
    store.notes.set(first, note)
    store.notes.set(second, HandNote("", ("bluff", "river")))
    store.close()
    store = Store(path)
    assert store.notes.note(first) == note
    assert store.notes.tags() == ("bluff", "river", "Über")
    store.notes.set(second, HandNote())
    assert store.notes.tags() == ("river", "Über")
    with pytest.raises(StoreError):
        store.notes.set(999, note)
    store.close()


def test_a_damaged_note_costs_no_other(path: Path) -> None:
    store, (first, second, third) = begin(path)
    for number in (first, second, "00ff", "11ee"):
        store.notes.set(number, HandNote("note", (f"tag {number}",)))
    store.file.insert("UPDATE notes SET tags = '[\"cut' WHERE hand = ?", (first,))
    store.file.insert("UPDATE records SET value = '{\"note' WHERE name = ?", ("00ff",))
    for number in (first, "00ff"):
        with pytest.raises(StoreError):
            store.notes.note(number)
    assert store.notes.note(second).tags == (f"tag {second}",)
    assert store.notes.tags(with_recorded=True) == ("tag 11ee", f"tag {second}")
    assert [hand.hand_id for hand in store.browse.rows([first, second, third])] == [second, third]
    assert store.browse.find(HandFilter(tag=f"tag {second}")).hand_ids.tolist() == [second]
    assert store.file.repairs == 0, "the file itself is sound"
    store.notes.set(first, HandNote("again"))
    assert store.notes.note(first) == HandNote("again")
    store.close()


def test_records_and_reviews_are_read_back(path: Path) -> None:
    store, (first, second, third) = begin(path)
    for name in ("b", "a"):
        store.records.put("guess", name, Guess(name))
    store.records.put("guess", "b", Guess("better"))
    store.records.put("tour", "a", Guess("other kind"))
    assert [(name, decode(value, Guess).text) for name, value in store.records.all("guess").items()] == [
        ("b", "better"),
        ("a", "a"),
    ]
    store.records.delete("guess", "b")
    assert list(store.records.all("guess")) == ["a"]
    assert list(store.records.all("tour")) == ["a"]
    store.reviews.put("one", {first: b"1", second: b"2"})
    store.reviews.put("two", {first: b"other"})
    assert store.reviews.get([first, second, third], "one") == {first: b"1", second: b"2"}
    assert store.reviews.get(range(2000), "two") == {first: b"other"}
    store.close()


def test_what_belongs_to_a_session_goes_with_it(path: Path) -> None:
    store, (first, *_) = begin(path)
    store.notes.set(first, HandNote("", ("river",)))
    store.reviews.put("one", {first: b"1"})
    store.records.put("guess", "a", Guess("stays"))
    store.delete_sessions([1])
    assert store.notes.tags() == ()
    assert store.reviews.get([first], "one") == {}
    assert list(store.records.all("guess")) == ["a"]
    store.close()
    again = Store(path)
    assert again.file.notice == ""
    again.close()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


def to_version(path: Path, version: int) -> None:
    """Make a file as version 3, 4 or 5 wrote it."""
    since = {6: ("people", "seat_hands", "imported", "venues"), 5: ("notes", "reviews", "records", "played")}
    since[4] = ("players",)
    with closing(sqlite3.connect(path)) as database, database:
        for table in (table for number, tables in since.items() if number > version for table in tables):
            database.execute(f"DROP TABLE {table}")
        if version == 5:
            database.execute("CREATE TABLE seat_hands (hand INTEGER PRIMARY KEY, counted BLOB NOT NULL)")
            database.execute("INSERT INTO seat_hands SELECT id, x'00' FROM hands")
        else:
            for column in ("commitment", "opening"):
                database.execute(f"ALTER TABLE hands DROP COLUMN {column}")
        for hand_id, observation in database.execute(
            "SELECT id, observation FROM hands WHERE observation IS NOT NULL"
        ).fetchall():
            final = StoredHand(hand_id, 0, b"", (), observation, {}).final_observation()
            database.execute("UPDATE hands SET observation = ? WHERE id = ?", (pack(final), hand_id))
        database.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", [3, 4, 5])
def test_hands_of_earlier_versions_are_listed(path: Path, version: int) -> None:
    """Version 3 knew no players, version 4 none of what came with 5, and that no imported hands."""
    store, _ = begin(path)
    store.notes.set(2, HandNote("kept"))
    store.close()
    listed = rows(path, "SELECT * FROM played")
    to_version(path, version)
    store = Store(path)
    assert store.file.notice == ""
    assert len(store.hands(1)) == 3
    assert store.seat_hands.missing() == [hand.hand_id for hand in store.hands(1)], "they are counted again"
    assert store.notes.note(2) == HandNote("kept" if version == 5 else "")
    store.notes.set(1, HandNote("new"))
    store.close()
    assert rows(path, "SELECT * FROM played") == listed
    assert len(listed) == 3
    assert rows(path, "PRAGMA user_version") == [(SCHEMA_VERSION,)]


def test_what_is_no_whole_hand_is_stored_and_not_listed(path: Path) -> None:
    store, _ = begin(path, hands=0)
    hand = store.begin_hand(1, 1, dealer(0))
    store.finish_hand(hand, observation(), dealer(1), CARDS)
    assert len(store.hands(1)) == 1
    store.close()
    assert rows(path, "SELECT * FROM played") == []


def test_damage_loses_neither_notes_nor_records(path: Path) -> None:
    """One after the other every page is overwritten; what the player has written goes only with its own page."""
    store, numbers = begin(path, hands=30)
    for number in numbers:
        store.notes.set(number, HandNote(f"note of {number}", ("tag",)))
        store.records.put("guess", str(number), Guess("kept"))
        store.reviews.put("one", {number: b"review"})
    store.file.write(lambda database: database.execute("UPDATE played SET loss = hand, ended = '2026-01-02'"))
    store.close()
    sound, key = path.read_bytes(), path.with_suffix(".key").read_bytes()
    pages = len(sound) // 4096
    found_notes, found_records, found_losses = [], [], []
    for page in range(pages):
        for file in path.parent.iterdir():
            file.unlink()
        path.with_suffix(".key").write_bytes(key)
        path.write_bytes(sound[: 4096 * page] + b"\xa5" * 4096 + sound[4096 * (page + 1) :])
        store = Store(path)
        stored = {hand.hand_id for session in store.sessions() for hand in store.hands(session.session_id)}
        lost = store.records.all(LOST_NOTES)
        notes = [number for number in stored if store.notes.note(number).note == f"note of {number}"]
        assert not {str(number) for number in stored} & lost.keys()
        assert all(decode(text, HandNote).tags == ("tag",) for text in lost.values())
        found_notes.append(len(notes) + len(lost))
        found_records.append(len(store.records.all("guess")))
        store.close()
        losses = rows(path, "SELECT hand FROM played WHERE loss = hand AND ended = '2026-01-02'")
        found_losses.append(len(losses) == len(stored))
    assert found_notes.count(30) >= pages - 1
    assert found_records.count(30) >= pages - 1
    assert found_losses.count(True) >= pages - 1
