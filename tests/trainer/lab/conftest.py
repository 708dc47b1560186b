"""What tests of the lab's pages share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

Saves = Callable[[str], None]


@pytest.fixture
def save_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Saves:
    """Answer the next file dialog with a name."""

    def answer(name: str) -> None:
        def choose(dialog: QFileDialog) -> None:
            dialog.fileSelected.emit(str(tmp_path / name))
            dialog.close()

        monkeypatch.setattr(QFileDialog, "open", choose)

    return answer
