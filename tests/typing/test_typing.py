"""mypy refuses what `blind_agents.py` does: an agent cannot be given the table."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_mypy_rejects_an_agent_that_would_see_the_table() -> None:
    """About 4 s without mypy's cache, half a second with it."""
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "tests/typing/blind_agents.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
