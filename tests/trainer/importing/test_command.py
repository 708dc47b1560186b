"""`soulread import`, from its arguments to the store."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.engine.hand_histories.told_hands import RUN_TWICE, SIDE_POTS
from trainer.__main__ import main
from trainer.storage.store import Store


def files(folder: Path) -> Path:
    (folder / "hands.txt").write_text(RUN_TWICE + "\n\n" + SIDE_POTS, encoding="utf-8")
    return folder / "hands.txt"


def test_hands_are_imported_and_counted_by_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert main(["import", str(files(tmp_path)), "--data", str(data), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (origin,) = report["origins"]
    counts = {"files": 1, "new": 2, "watched": 1, "turned": 0, "known": 0, "skipped": 0, "refused": 0}
    assert origin == {"origin": "PokerStars"} | counts
    assert set(report["owners"]["PokerStars"]) == {"mofdis", "CrSilva.11", "Lenorina", "templargio"}
    assert main(["import", str(files(tmp_path)), "--data", str(data), "--player", "templargio"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("0 new hands, 1 watched before and yours now, 1 stored before; 1 of 1 file.")
    assert "nobody's own" not in said
    store = Store(data / "soulread.db")
    assert sorted(session.venue.hero for session in store.sessions() if session.venue) == ["Hero", "templargio"]
    store.close()


def test_a_dry_run_stores_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert main(["import", str(files(tmp_path)), "--data", str(data), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("2 new hands (1 watched); 1 of 1 file.")
    assert said.splitlines()[-1].startswith(
        "Nothing was stored. New are all that can be, hands that are stored already"
    )
    assert "Hands of PokerStars are nobody's own; if you played them, --player NAME makes them yours: " in said
    assert not data.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.txt"], "There is no file nowhere.txt."),
        ([], "The following arguments are required: PATH."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", *arguments, "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize(("name", "sentence"), [("notes.txt", "There is no hand"), ("", "There is no file.")])
def test_where_no_hand_is_found_the_exit_code_says_so(
    name: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hands"
    folder.mkdir()
    if name:
        (folder / name).write_text("Nothing of poker.", encoding="utf-8")
    assert main(["import", str(folder), "--data", str(tmp_path / "data")]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(sentence)
    assert "0 new hands" in told.out
    files(folder)
    for _ in range(2):  # stored once, they are known, which is no failure
        assert main(["import", str(folder), "--data", str(tmp_path / "data")]) == 0


def test_while_the_app_owns_the_hands_nothing_is_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = Store(tmp_path / "soulread.db")
    assert main(["import", str(files(tmp_path)), "--data", str(tmp_path)]) == 2
    assert "Nothing can be imported. Soulread is already running" in capsys.readouterr().err
    owner.close()
    assert sqlite3.connect(tmp_path / "soulread.db").execute("SELECT count(*) FROM hands").fetchone() == (0,)
