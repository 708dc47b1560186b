import pytest

from engine import resources
from engine.resources import ResourceError, read_text


def test_reads_what_ships() -> None:
    assert read_text("preflop_equity.csv").startswith("#")


def test_names_a_missing_file() -> None:
    with pytest.raises(ResourceError, match=r"resources/no_such_file\.toml is missing; install the app anew"):
        read_text("no_such_file.toml")


def test_names_a_file_that_is_no_text(monkeypatch, tmp_path) -> None:
    (tmp_path / "broken.csv").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "folder.csv").mkdir()
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    for name in ("broken.csv", "folder.csv"):
        with pytest.raises(ResourceError, match=f"resources/{name} cannot be read"):
            read_text(name)
