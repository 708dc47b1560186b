"""A match recorded for keeping: every finished hand in PHH, with what our player saw and why it acted.

docs/join.md describes the file; a hand that was cut off is dropped when it is read, or opened to go on.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.agents.played_hand import FIELD, PlayedHand, packed, played_hand
from engine.foreign_text import shortened
from engine.game.phh import PhhFileError, fields_of, sections
from engine.game.phh_text import phh_text

_END: Final = b"'\n\n"
"""How every whole hand ends; within one there is no empty line."""

_log = logging.getLogger(__name__)


class RecordError(ValueError):
    """A file that cannot be written or is no record of ours; the message says why in one sentence."""


class Recorder:
    """Appends finished hands to a `.phhs` file, new or written by a recorder before.

    `RecordError` if the file cannot be written, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._number, end = _whole_hands(path)
            self._file = path.open("ab", buffering=0)
            if path.is_file():
                self._file.truncate(end)
        except OSError as error:
            raise RecordError(f"The file {path} cannot be written: {error.strerror or error}.") from error

    def append(self, hand: PlayedHand) -> None:
        """Write a hand; `RecordError` if it cannot be written, for instance because the disk is full."""
        self._number += 1
        text = f"[{self._number}]\n{phh_text(hand.observation)}{FIELD} = '{packed(hand)}'\n\n"
        left = text.encode()
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise RecordError(f"The file {self._path} cannot be written: {error.strerror or error}.") from error

    def close(self) -> None:
        """Make sure that all is on the disk, and close the file."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:  # a pipe, for instance
            _log.info("%s could not be synchronised: %s.", self._path, error.strerror or error)
        self._file.close()


def read_record(path: str | Path) -> Iterator[PlayedHand]:
    """Yield the hands of a record in their order; a last one that was cut off is left out.

    `RecordError` on the first step if the file cannot be read; later at a hand that is none of ours.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "match.phhs")
    ...     Recorder(path).close()
    ...     list(read_record(path))
    []
    """
    held: list[tuple[str, bytes]] = []
    try:
        for section in sections(Path(path)):
            if held:
                yield _read_hand(path, *held.pop())
            held.append(section)
    except PhhFileError as error:
        raise RecordError(str(error)) from error
    if held and held[0][1].endswith(_END):
        yield _read_hand(path, *held[0])


def _read_hand(path: str | Path, name: str, text: bytes) -> PlayedHand:
    where = f"Hand {name} of {path}"
    try:
        fields_of(text)
        found = played_hand(text)
    except ValueError as error:
        raise RecordError(
            f"{where} is damaged: {shortened(' '.join(str(error).split()).rstrip('.'), 200)}."
        ) from error
    if found is None:
        raise RecordError(f"{where} was not recorded by us: it has no field {FIELD}.")
    return found


def _whole_hands(path: Path) -> tuple[int, int]:
    """Return how many whole hands a record has, and where the last one ends; 0 without a file."""
    if not path.is_file():
        return 0, 0
    number = end = at = headers = 0
    before = b""
    with path.open("rb") as file:
        for line in file:
            at += len(line)
            headers += line.startswith(b"[")
            if line == b"\n" and before.startswith(FIELD.encode()) and before.endswith(_END[:2]):
                number, end, headers = number + 1, at, 0
            before = line
    if headers > 1 or (at and not number):
        raise RecordError(f"The file {path} holds something else: name a new file, or a record to go on with.")
    return number, end
