"""Writing files: in one go, so that either all of it is there or what was there before; and for one user alone."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700


def write_whole(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a new file and put it in the place of the old one, as `whole_file` does; raise OSError if it cannot."""
    with whole_file(path, is_private=is_private) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of the old one at the end; links and permissions stay as they were.

    Not by QSaveFile: on a full disk its `write` may take a part and report no error. With `is_private` only the
    user may read it, whatever the permissions were. Whatever is raised meanwhile, the old file stays and nothing
    else is left behind; OSError if it cannot be written.
    """
    path = path.resolve()  # a link stays one
    new = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        if is_private:
            new.unlink(missing_ok=True)
            make_private_file(new)
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not is_private:
            with suppress(FileNotFoundError):  # there may be no old one
                shutil.copymode(path, new)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def make_private_folder(path: Path) -> None:
    """Make a folder that only the user may look into; one that is there stays as it is. Raise OSError."""
    path.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER)


def make_private_file(path: Path) -> None:
    """Let only the user read a file, made empty if there is none; raise OSError only if it cannot be made."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, _PRIVATE_FILE))
    with suppress(OSError):  # another user's file, or a disk without permissions
        path.chmod(_PRIVATE_FILE)


def is_open_to_others(path: Path) -> bool:
    """Whether others than the user may read or write a file; not if there is none."""
    try:
        return bool(path.stat().st_mode & 0o077)
    except OSError:
        return False


def folders_from(usual: Path) -> Iterator[Path]:
    """Return a folder, and then those beside it that stand in for it, one after another.

    >>> from itertools import islice
    >>> [folder.name for folder in islice(folders_from(Path("evolved")), 3)]
    ['evolved', 'evolved-2', 'evolved-3']
    """
    yield usual
    yield from (usual.with_name(f"{usual.name}-{number}") for number in count(2))
