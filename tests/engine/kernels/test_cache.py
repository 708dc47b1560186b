"""The folder of computed tables; what it does for machine code is in test_jit."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine.kernels import cache


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """An empty folder in place of the real one."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    return tmp_path


def test_arrays_come_back_read_only(folder) -> None:
    assert cache.stored_arrays("squares") is None
    cache.store_arrays("squares", {"squares": np.arange(5) ** 2})
    arrays = cache.stored_arrays("squares")
    assert arrays is not None
    assert arrays["squares"].tolist() == [0, 1, 4, 9, 16]
    assert not arrays["squares"].flags.writeable
    assert [path.name for path in folder.iterdir()] == ["squares.npz"]


@pytest.mark.parametrize("content", [b"", b"PK\\x03\\x04", b"some text\\n" * 50])
def test_a_damaged_table_is_computed_again(folder, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "squares.npz").write_bytes(content)
    assert cache.stored_arrays("squares") is None
    assert "damaged" in caplog.text
    arrays = cache.cached_arrays("squares", lambda: {"squares": np.arange(3) ** 2})
    assert arrays["squares"].tolist() == [0, 1, 4]
    again = cache.stored_arrays("squares")
    assert again is not None
    assert again["squares"].tolist() == [0, 1, 4]


def test_a_table_of_objects_is_refused(folder, caplog: pytest.LogCaptureFixture) -> None:
    """Such a file could run anything when it is unpickled."""
    np.savez(folder / "squares.npz", squares=np.array([{"a": 1}], dtype=object))
    assert cache.stored_arrays("squares") is None
    assert "damaged" in caplog.text


def test_a_folder_that_vanished_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "gone")
    cache.store_arrays("squares", {"squares": np.arange(5) ** 2})
    assert cache.stored_arrays("squares") is not None


@pytest.fixture
def at_exit(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Collect what is to be done when the process ends."""
    found: list[Callable[[], object]] = []
    register = SimpleNamespace(register=lambda call, *arguments: found.append(lambda: call(*arguments)))
    monkeypatch.setattr(cache, "atexit", register)
    return found


@pytest.fixture
def code(folder: Path, at_exit: list[Callable[[], object]]) -> list[Path]:
    """Two files of code, of which the digests are kept."""
    files = [folder / "kernels" / name for name in ("caller.nbc", "caller.nbi")]
    files[0].parent.mkdir()
    for file in files:
        file.write_bytes(b"machine code" * 9)
    assert cache.code_folder() == folder
    at_exit.pop()()
    return files


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def turn_a_byte(data: bytes) -> bytes:
    return data[:40] + bytes([data[40] ^ 0xFF]) + data[41:]


@pytest.mark.parametrize("damage", [cut, turn_a_byte, lambda _: b"", lambda _: b"text\n" * 50])
@pytest.mark.parametrize("number", [0, 1])
def test_damaged_code_is_deleted(
    folder: Path, code: list[Path], number: int, damage, caplog: pytest.LogCaptureFixture
) -> None:
    code[number].write_bytes(damage(code[number].read_bytes()))
    assert cache.code_folder() == folder
    assert [file.exists() for file in code] == [number == 1, number == 0]
    assert [code[number].name in message and "not as it was kept" in message for message in caplog.messages] == [
        True
    ]


@pytest.mark.parametrize("damage", [cut, lambda _: b"", lambda _: b"text\n" * 50])
def test_damaged_digests_are_written_again(
    folder: Path, code: list[Path], at_exit: list[Callable[[], object]], damage
) -> None:
    digests = folder / "digests.txt"
    whole = digests.read_bytes()
    digests.write_bytes(damage(whole))
    assert cache.code_folder() == folder
    assert all(file.exists() for file in code)
    at_exit.pop()()
    assert digests.read_bytes() == whole


def test_a_process_that_ends_beside_another_keeps_no_older_digests(
    folder: Path, code: list[Path], at_exit: list[Callable[[], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one writes its code and digests after this one has read the code, before it writes."""
    assert cache.code_folder() == folder
    found, others = cache._digests, [b"later machine code"]

    def read_before_the_other_ends(at: Path) -> dict[str, str]:
        digests = found(at)
        if others:
            code[1].write_bytes(others.pop())
        return digests

    monkeypatch.setattr(cache, "_digests", read_before_the_other_ends)
    at_exit.pop()()
    assert not others
    assert cache.code_folder() == folder
    assert all(file.exists() for file in code)


def test_on_a_full_disk_no_code_is_kept(
    folder: Path, at_exit: list[Callable[[], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    assert cache.code_folder() is None
    assert at_exit == []
    assert list(folder.iterdir()) == []
