"""`soulread backup` and `soulread restore`, from their arguments to the files."""

from pathlib import Path

import pytest

from tests.trainer.storage.test_store import make_full
from trainer.__main__ import main
from trainer.storage.store import Store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of the app with two sessions of six hands."""
    make_full(tmp_path / "data" / "soulread.db")
    return tmp_path / "data"


def run(command: str, file: Path, data: Path) -> int:
    return main([command, str(file), "--data", str(data)])


def test_hands_are_copied_and_taken_back(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hands.db"
    assert run("backup", file, data) == 0
    assert capsys.readouterr().out == f"12 hands copied into {file}.\n"
    store = Store(data / "soulread.db")
    store.delete_sessions([1])
    store.close()
    assert run("restore", file, data) == 0
    assert capsys.readouterr().out == (
        "12 hands of 2 sessions restored. The stored hands are those of the backup now; those stored before are "
        "kept as soulread.db.before-restore-1.\n"
    )
    store = Store(data / "soulread.db")
    assert [one.hands for one in store.sessions()] == [6, 6]
    store.close()


def test_while_the_app_runs_neither_does_anything(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.db"
    assert run("backup", file, data) == 0
    app = Store(data / "soulread.db")
    capsys.readouterr()
    for command, target in (("backup", tmp_path / "other.db"), ("restore", file)):
        assert run(command, target, data) == 2
        said = capsys.readouterr().err
        assert "Soulread is already running and owns the stored hands" in said
        assert said.count("\n") == 1
    app.close()
    assert sorted(one.name for one in data.iterdir()) == ["soulread.db", "soulread.key"]
    assert not (tmp_path / "other.db").exists()


def test_what_cannot_be_done_is_said_in_a_sentence(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.db"
    file.write_text("mine", encoding="utf-8")
    for command, target, folder, said in (
        ("backup", file, data, "is there already"),
        ("backup", tmp_path / "new.db", tmp_path / "nowhere", "There are no stored hands"),
        ("restore", file, data, "is no backup of Soulread's stored hands"),
        ("restore", tmp_path / "missing.db", data, "There is no file"),
    ):
        assert run(command, target, folder) == 2
        found = capsys.readouterr().err
        assert said in found
        assert found.count("\n") == 1
    assert file.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "nowhere").exists()
