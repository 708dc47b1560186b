"""The folder of computed tables; what it does for machine code is in test_jit."""

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
