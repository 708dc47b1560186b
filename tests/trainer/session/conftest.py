"""What tests of a session share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from trainer.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "soulread.db")
    yield made
    made.close()
