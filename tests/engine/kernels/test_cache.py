"""The folder of computed tables; what it does for machine code is in test_jit."""

import subprocess
import sys

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
