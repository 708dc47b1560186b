"""The folder of computed tables; what it does for machine code is in test_jit."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from engine.kernels import cache
from tests.conftest import ROOT


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """An empty folder in place of the real one."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    return tmp_path


def test_the_cache_needs_no_numba() -> None:
    program = "import sys; import engine.kernels.cache; print('numba' in sys.modules, 'llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_arrays_come_back_read_only(folder) -> None:
    assert cache.stored_arrays("squares") is None
    cache.store_arrays("squares", {"squares": np.arange(5) ** 2})
    arrays = cache.stored_arrays("squares")
    assert arrays is not None
    assert arrays["squares"].tolist() == [0, 1, 4, 9, 16]
    assert not arrays["squares"].flags.writeable
    assert [path.name for path in folder.iterdir()] == ["squares.npz"]


def test_unfinished_files_go_when_they_are_old(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("SOULREAD_CACHE_DIR", str(tmp_path))
    folder = cache.cache_folder.__wrapped__()
    assert folder is not None
    for name, age in (("new.tmp", 60), ("old.tmp", 2 * 3600), ("old.npz", 2 * 3600)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age, time.time() - age))
    cache.cache_folder.__wrapped__()
    assert {path.name for path in folder.iterdir()} == {"new.tmp", "old.npz"}


def test_bytes_come_back_under_their_own_key_only(folder) -> None:
    cache.store_bytes("code.o", "one key", b"machine code")
    assert cache.stored_bytes("code.o", "one key") == b"machine code"
    assert cache.stored_bytes("code.o", "another key") is None
    (mine,) = folder.iterdir()
    cache.store_bytes("code.o", "another key", b"other code")
    (other,) = (path for path in folder.iterdir() if path != mine)
    other.write_bytes(mine.read_bytes())
    assert cache.stored_bytes("code.o", "another key") is None, "the digest covers the key"


@pytest.mark.parametrize("left", [0, 10, 31, 32, 40])
def test_a_truncated_file_is_deleted(folder, left: int, caplog: pytest.LogCaptureFixture) -> None:
    cache.store_bytes("code.o", "key", b"machine code")
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:left])
    assert cache.stored_bytes("code.o", "key") is None
    assert "damaged" in caplog.text
    assert not list(folder.iterdir())


@pytest.mark.parametrize("content", [b"", b"PK\\x03\\x04", b"some text\\n" * 50])
def test_a_damaged_table_is_computed_anew(folder, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
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
