"""A match recorded for keeping: every finished hand in PHH, with what our player saw and why it acted.

docs/join.md describes the file; a hand that was cut off is dropped when it is opened to go on.
"""

import logging
import os
from pathlib import Path
from typing import Final

from engine.agents.played_hand import FIELD, PlayedHand, packed
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
