"""A backup holds what was stored, and nothing of it is lost whatever is restored."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from engine.codec import StoredDataError
from engine.game.events import CALL
from tests.trainer.storage.test_imports import hand
from tests.trainer.storage.test_store import (
    CARDS,
    STARTED,
    cut_short,
    damage_everything,
    damage_the_middle,
    dealer,
    empty,
    game,
    leave_one_byte,
    make_full,
    observation,
    replace_by_another,
    to_version_2,
)
from trainer.storage.schema import SCHEMA_VERSION
from trainer.storage.store import Store
from trainer.storage.stored import StoreError


@pytest.fixture
def backup(path: Path, tmp_path: Path) -> Path:
    """Of two sessions of six hands, the last of each running."""
    make_full(path)
    store = Store(path)
    store.file.backup(tmp_path / "backup.db")
    store.close()
    return tmp_path / "backup.db"


def numbers(store: Store) -> list[tuple[int, int]]:
    return sorted((one.session_id, one.hands) for one in store.sessions())


def test_a_backup_is_read_elsewhere_and_shows_nothing_that_is_hidden(backup: Path, tmp_path: Path) -> None:
    """Without the key every hand that has ended is there, and no session can be gone on with."""
    elsewhere = tmp_path / "elsewhere" / "soulread.db"
    elsewhere.parent.mkdir()
    backup.rename(elsewhere)
    store = Store(elsewhere)
    assert store.file.notice == (
        "Stored sessions were sealed with a key that is not there any more: they cannot be resumed."
    )
    assert numbers(store) == [(1, 6), (2, 6)]
    hands = store.hands(1)
    assert [one.is_finished for one in hands] == [True] * 5 + [False]
    assert hands[0].final_observation() == observation()
    assert hands[0].hole_cards == CARDS
    with pytest.raises(StoredDataError, match="key"):
        store.config(1)
    store.close()


def test_play_goes_on_while_a_backup_is_made(path: Path, tmp_path: Path) -> None:
    """What another thread stores meanwhile is in the copy or not, but never half; the copy is one sound file."""
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    noise = bytes(range(256)) * 400
    for number in range(1, 200):
        store.finish_hand(store.begin_hand(session, number, dealer(0)), observation(), dealer(1), CARDS, noise)
    played = list[int]()
    is_done = False

    def play() -> None:
        number = 200
        while not is_done:
            store.finish_hand(store.begin_hand(session, number, dealer(0)), observation(), dealer(1), CARDS, noise)
            played.append(number)
            number += 1

    thread = Thread(target=play)
    thread.start()
    store.file.backup(tmp_path / "backup.db")
    is_done = True
    thread.join()
    store.close()
    assert played, "hands ended while the copy was made"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["backup.db", "data"]
    assert (tmp_path / "backup.db").stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(tmp_path / "backup.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        query = "SELECT count(*), count(*) FILTER (WHERE observation IS NULL) FROM hands"
        hands, running = database.execute(query).fetchone()
    assert hands >= 199
    assert running <= 1


def test_a_restored_backup_takes_its_place_at_the_next_start(path: Path, backup: Path) -> None:
    """Until then nothing changes; the key is the same, so a session goes on; what was stored since is kept."""
    store = Store(path)
    store.delete_sessions([1])
    store.imports.add([hand(1)])
    assert store.file.prepare_restore(backup) == (12, 2)
    assert numbers(store) == [(2, 6), (3, 1)]
    store.close()
    store = Store(path)
    assert store.file.notice == (
        "The stored hands are those of the backup now; "
        "those stored before are kept as soulread.db.before-restore-1."
    )
    assert numbers(store) == [(1, 6), (2, 6)]
    assert store.config(1) == game(1)
    store.add_action(store.hands(1)[-1].hand_id, 3, CALL)
    store.close()
    store = Store(path)
    assert store.file.notice == ""
    store.close()
    assert {file.name for file in path.parent.iterdir()} == {
        "soulread.db",
        "soulread.db.before-restore-1",
        "soulread.key",
    }
    path.with_name("soulread.db.before-restore-1").rename(path)
    store = Store(path)
    assert numbers(store) == [(2, 6), (3, 1)]
    store.close()


def test_what_another_app_owns_is_not_restored_under_it(path: Path, backup: Path) -> None:
    store = Store(path)
    store.file.prepare_restore(backup)
    other = Store(path)  # SQLite's lock is per connection
    assert other.file.why_not_stored.startswith("Soulread is already running")
    other.close()
    store.add_session(STARTED, game(3), dealer(0))
    assert len(numbers(store)) == 3
    store.close()
    store = Store(path)
    assert len(numbers(store)) == 2
    store.close()


@pytest.mark.parametrize("there", ["everything", "set aside", "nothing"])
def test_a_restore_that_broke_off_goes_on(path: Path, backup: Path, there: str) -> None:
    """Killed before the first renaming, between them, and where there is no database yet."""
    store = Store(path)
    store.file.prepare_restore(backup)
    store.close()
    if there == "set aside":
        path.rename(path.with_name("soulread.db.before-restore-1"))
        path.with_name("soulread.db-wal").write_bytes(b"of what is set aside")
    elif there == "nothing":
        path.unlink()
    store = Store(path)
    assert numbers(store) == [(1, 6), (2, 6)]
    store.close()
    kept = {file.name for file in path.parent.iterdir()}
    assert ("soulread.db-wal.before-restore-1" in kept) is (there == "set aside")


def test_a_damaged_database_is_no_obstacle_to_a_restore(path: Path, backup: Path) -> None:
    store = Store(path)
    store.file.prepare_restore(backup)
    store.close()
    damage_everything(path)
    before = path.read_bytes()
    store = Store(path)
    assert numbers(store) == [(1, 6), (2, 6)]
    store.close()
    assert path.with_name("soulread.db.before-restore-1").read_bytes() == before


def make_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def drop_played(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE played")


def lose_a_session(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM sessions WHERE id = 1")


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_everything, "backup.db is no backup of Soulread's stored hands."),
        (empty, "backup.db is no backup of Soulread's stored hands."),
        (leave_one_byte, "backup.db is no backup of Soulread's stored hands."),
        (replace_by_another, "backup.db is no backup of Soulread's stored hands."),
        (cut_short, "backup.db is damaged and is not restored"),
        (damage_the_middle, "backup.db is damaged and is not restored"),
        (drop_played, "backup.db is damaged and is not restored: its tables are not as they should be."),
        (lose_a_session, "backup.db is damaged and is not restored: a row belongs to one that is not there."),
        (make_newer, f"backup.db was written by a newer Soulread (version {SCHEMA_VERSION + 1} of its form)."),
        (remove, "There is no file backup.db."),
    ],
)
def test_what_is_no_sound_backup_changes_nothing(
    path: Path, backup: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(backup)
    given = backup.read_bytes() if backup.exists() else b""
    store = Store(path)
    with pytest.raises(StoreError) as refused:
        store.file.prepare_restore(backup)
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith(".")
    assert numbers(store) == [(1, 6), (2, 6)]
    store.close()
    assert {file.name for file in path.parent.iterdir()} == {"soulread.db", "soulread.key"}
    assert not backup.exists() or backup.read_bytes() == given
    store = Store(path)
    assert store.file.notice == ""
    store.close()


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(path: Path, backup: Path) -> None:
    store = Store(path)
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("UPDATE hands SET traces = NULL")
        database.execute("DELETE FROM actions")
    to_version_2(backup, store.file.key)
    assert store.file.prepare_restore(backup) == (12, 2)
    store.close()
    store = Store(path)
    assert numbers(store) == [(1, 6), (2, 6)]
    assert store.config(1) == game(1)
    store.close()


def test_a_copy_that_cannot_be_written_is_said_in_a_sentence(path: Path, tmp_path: Path) -> None:
    make_full(path)
    store = Store(path)
    (tmp_path / "file").write_text("")
    for target, said in ((tmp_path / "file" / "x.db", "cannot be written"), (path, "the stored hands themselves")):
        with pytest.raises(StoreError, match=said) as refused:
            store.file.backup(target)
        assert str(refused.value).count(". ") == 0
    assert store.config(1) == game(1)
    store.close()
    nothing = Store(None)
    with pytest.raises(StoreError, match="Nothing is stored"):
        nothing.file.backup(tmp_path / "x.db")
    nothing.close()
    assert not (tmp_path / "x.db").exists()
