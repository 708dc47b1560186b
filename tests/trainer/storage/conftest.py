"""What tests of the store share."""

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the database is, in a folder that is not there yet."""
    return tmp_path / "data" / "soulread.db"
