"""What is dropped on a window."""

from pathlib import Path

from PySide6.QtGui import QDropEvent


def dropped_paths(event: QDropEvent) -> tuple[Path, ...]:
    """Return the files and folders that are dropped, or about to be."""
    return tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
