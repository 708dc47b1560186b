"""Writing a file in one go: either all of it is there afterwards, or what was there before."""

import os
import shutil
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside the old one and put it in its place; links and permissions stay what they were.

    Not by QSaveFile: on a full disk its `write` may take a part and report no error.

    Raises
    ------
    OSError
        If that is not possible; nothing is left behind then.
    """
    path = path.resolve()  # a link stays one
    beside = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # there may be no old one
            shutil.copymode(path, beside)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
