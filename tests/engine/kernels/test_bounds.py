"""No kernel reads or writes outside its arrays: the other tests once more, on code that checks every index.

numba's own checks stop at what Python calls out of range; an index below zero counts from the end, for kernels too.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

HERE = Path(__file__).parent
# What compiles kernels in processes of its own, or none of the engine's.
WITHOUT = ("test_bounds", "test_cache", "test_interpreted", "test_jit")


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "NUMBA_BOUNDSCHECK": "1", "SOULREAD_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)}


@pytest.mark.slow
def test_indexes_are_checked_when_numba_is_told_to(tmp_path: Path) -> None:
    program = """
import numpy as np
from engine.kernels.jit import kernel
@kernel
def read(numbers, at):
    return numbers[at]
read(np.zeros(3), 3)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "IndexError" in done.stderr


def test_all_callers_are_there() -> None:
    assert [name for name in CALLERS if not (HERE.parent / name).is_file()] == []


@pytest.mark.long
def test_no_kernel_leaves_its_arrays(tmp_path: Path) -> None:
    kernels = [path for path in sorted(HERE.rglob("test_*.py")) if path.stem not in WITHOUT]
    callers = [HERE.parent / name for name in CALLERS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, [*kernels, *callers])],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


CALLERS = (
    "test_preflop.py",
    *(f"equity/test_{name}.py" for name in ("checks", "combos", "joint", "matchups", "solve", "win_rate")),
)
