"""What tests of the commands that read recorded hands share."""

from pathlib import Path

import pytest

from tests.engine.game.test_phh import PLURIBUS, UNCALLED, record


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    path = tmp_path / "some.phhs"
    path.write_text(f"[1]\n{PLURIBUS}[2]\n{record(UNCALLED)}", encoding="utf-8")
    return path
