"""Kills a process at random moments while it imports, plays or migrates an old file; then all must be there.

    python -m tests.trainer.storage.kills 500

A kill is of a fork, so a hundred take seconds. The process killed tells by a pipe what it was told is stored.
"""

import os
import random
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine.game.events import CALL
from tests.engine.game.hands import act, deal
from tests.trainer.storage.test_imports import hand
from tests.trainer.storage.test_notes import to_version
from tests.trainer.storage.test_store import CARDS, STARTED, dealer, game
from trainer.storage.store import Store

Tell = Callable[[int], None]

IMPORTED = [hand(number, minutes=number / 2) for number in range(4000)]
_BATCH = 40
_OLD_HANDS = 400


def import_hands(path: Path, tell: Tell) -> None:
    """Import all hands from the first on; tell how many were stored or known."""
    store = Store(path)
    for begin in range(0, len(IMPORTED), _BATCH):
        counts = store.imports.add(IMPORTED[begin : begin + _BATCH])
        assert counts.new + counts.known == _BATCH
        tell(begin + _BATCH)
    store.close()


def check_import(path: Path, told: int) -> int:
    """Check what is there after at least so many hands; return how many there are."""
    store = Store(path)
    assert store.file.notice == "", store.file.notice
    stored = {one.hand_id: one for session in store.sessions() for one in store.hands(session.session_id)}
    details = {}
    numbers = list(stored)
    for begin in range(0, len(numbers), 500):
        details |= store.imports.details(numbers[begin : begin + 500])
    assert len(details) == len(stored) >= told
    assert len(stored) % _BATCH == 0, "a batch is stored whole or not at all"
    assert {one.number for one in details.values()} == {str(number) for number in range(len(stored))}
    assert set(store.browse.played.now().hand.tolist()) == set(stored)
    for one in random.sample(sorted(stored), min(20, len(stored))):
        expected = IMPORTED[int(details[one].number)].final
        assert expected is not None
        assert stored[one].final_observation().events[1:] == expected.events[1:]
    assert all(one.is_finished for one in store.sessions())
    store.close()
    return len(stored)


def play(path: Path, tell: Tell) -> None:
    """Play hands of a session; tell how many actions and ends were stored, of which each hand has five."""
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    table = deal((1000, 1000), hole_cards={0: "AhAc", 1: "KhKc"})
    act(table, "f")
    for number in range(1, 10_000):
        running = store.begin_hand(session, number, dealer(number - 1))
        for position in range(4):
            store.add_action(running, position, CALL, b"x" * 300)
            tell(5 * (number - 1) + position + 1)
        store.finish_hand(running, table.observe(0), dealer(number), CARDS, b"x" * 1500)
        tell(5 * number)


def check_play(path: Path, told: int) -> int:
    """Check the last session after at least so many steps; return how many there are."""
    store = Store(path)
    assert store.file.notice == "", store.file.notice
    sessions = store.sessions()
    hands = store.hands(sessions[0].session_id) if sessions else ()
    assert all(one.is_finished and one.final_observation() for one in hands[:-1])
    steps = sum(5 if one.is_finished else len(one.taken) for one in hands)
    assert told <= steps <= told + 1, "what was told is there, and at most the step on its way"
    store.delete_sessions([one.session_id for one in sessions])
    store.close()
    return steps


def migrate(path: Path, tell: Tell) -> None:
    """Open a file of the version before."""
    Store(path).close()
    tell(1)


def check_migration(path: Path, told: int) -> int:
    """Check that all hands are there, in the old form or the new one."""
    with closing(sqlite3.connect(path)) as database:
        version = int(database.execute("PRAGMA user_version").fetchone()[0])
    assert not told or version > 5
    store = Store(path)
    assert store.file.notice == "", store.file.notice
    (session,) = store.sessions()
    assert [one.final_observation().hand_number for one in store.hands(session.session_id)] == [1] * _OLD_HANDS
    assert len(store.browse.played.now().hand) == _OLD_HANDS
    assert store.config(session.session_id) == game(1)
    store.close()
    return version


def old_file(path: Path) -> None:
    """Write a file of version 5."""
    store = Store(path)
    session = store.add_session(STARTED, game(1), dealer(0))
    for number in range(1, _OLD_HANDS + 1):
        table = deal((1000, 1000))
        act(table, "f")
        store.finish_hand(store.begin_hand(session, number, dealer(0)), table.observe(0), dealer(number), CARDS)
    store.close()
    to_version(path, 5)


def killed(work: Callable[[Path, Tell], None], path: Path, seconds: float) -> tuple[int, bool]:
    """Do work in a process that is killed after so long; return what it told last, and whether it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            work(path, lambda told: os.write(writing, told.to_bytes(4, "big")) and None)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writing)
    until, told, part = time.monotonic() + seconds, bytearray(), b"-"
    while part and (left := until - time.monotonic()) > 0:
        if select.select([reading], [], [], left)[0]:
            part = os.read(reading, 1 << 16)
            told += part
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while part := os.read(reading, 1 << 16):
        told += part
    os.close(reading)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL), "the work itself failed"
    whole = len(told) // 4 * 4
    return int.from_bytes(told[whole - 4 : whole], "big") if whole else 0, status != 0


def main(kills: int) -> None:
    """Kill so often, a third each, and print how often work was killed on its way and what was there then."""
    draw = random.Random(11)
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as name:
        folder = Path(name)
        old = folder / "old" / "soulread.db"
        old_file(old)
        done, found = Counter[str](), Counter[str]()
        for turn in range(kills):
            match turn % 3:
                case 0:
                    path = folder / "import" / "soulread.db"
                    told, was_killed = killed(import_hands, path, draw.random() * 0.3)
                    stored = check_import(path, told)
                    found["hands imported"] += stored
                    done["importing"] += was_killed
                    if stored == len(IMPORTED):
                        shutil.rmtree(path.parent)
                case 1:
                    path = folder / "play" / "soulread.db"
                    told, was_killed = killed(play, path, draw.random() * 0.1)
                    found["steps of play"] += check_play(path, told)
                    done["playing"] += was_killed
                case _:
                    path = folder / "migration" / "soulread.db"
                    shutil.rmtree(path.parent, ignore_errors=True)
                    shutil.copytree(old.parent, path.parent)
                    told, was_killed = killed(migrate, path, draw.random() * 0.12)
                    found[
                        f"still of version {version}" if (version := check_migration(path, told)) == 5 else "new"
                    ] += 1
                    done["migrating"] += was_killed
    assert sum(done.values()) > 0
    sys.stdout.write(f"{sum(done.values())} killed on their way: {dict(done)}; {dict(found)}; nothing lost\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
