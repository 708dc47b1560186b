"""A file that keeps every finished match of a long run, so that the run goes on where it was stopped or killed.

A line for what all its matches have in common, and one for each finished match, in the order in which they ended:
the CRC-32 of what follows in eight hexadecimal digits, a space, and JSON, whose numbers come back bit for bit. Each
line is on the disk (`fsync`) before the next match is counted. A process that dies while it writes leaves a torn
last line, which is cut off; damage anywhere else is refused. The file is locked while it is open, and its matches
are read from it one at a time: however many there are, they take no memory.
"""

import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, ClassVar, Final, Generic, TypeVar
from zlib import crc32

from msgspec import Struct

from engine.codec import StoredDataError, decode, encode

_LONGEST_LINE: Final = 1 << 28
"""Bytes; the points of readers on 100,000 hands take a tenth of that, any other match some kilobytes."""

_BEYOND: Final = 1 << 40
"""Bytes; no file is so long."""

K = TypeVar("K")
M = TypeVar("M", bound=Struct)


class MatchFileError(ValueError):
    """A file that cannot keep these matches; the message names it, the value and the rule."""


class Form(ABC, Generic[K, M]):
    """What a file keeps: matches of a type, each by a key, and what they have in common.

    Attributes
    ----------
    header : Struct
        What the matches have in common.
    match : type
        Of the matches.
    another : str
        What to give in the place of a file that is refused, as "another file".
    """

    header: Struct
    match: type[M]
    another: ClassVar[str]

    @abstractmethod
    def key(self, match: M) -> K:
        """Return what a match goes by."""

    @abstractmethod
    def key_in(self, data: bytes) -> K:
        """Return the same from the JSON of a match.

        Raises
        ------
        StoredDataError
            If it is none.
        OtherVersionError
            If another version has played a match that is asked for.
        """

    @abstractmethod
    def name(self, key: K) -> str:
        """Return what a match is called in a sentence that it begins."""

    @abstractmethod
    def what_differs(self, header: bytes) -> str:
        """Return how the header of another file differs, as "have the seed 1, and 2 is asked for".

        Raises
        ------
        StoredDataError
            If it is none.
        OtherVersionError
            If another version has begun that file.
        """


class OtherVersionError(ValueError):
    """Matches of another version of Soulread, by the stamps of both."""

    def __init__(self, theirs: str, ours: str) -> None:
        super().__init__(theirs, ours)
        self.theirs, self.ours = theirs, ours


class MatchFile(Mapping[K, M]):
    """The finished matches of a file by their keys, which may be more than are asked for; by `opened_file`."""

    def __init__(self, path: Path, file: BinaryIO, form: Form[K, M]) -> None:
        self._path = path
        self._file = file
        self._form = form
        self._starts: dict[K, int] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._starts

    def __iter__(self) -> Iterator[K]:
        return iter(self._starts)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, key: K) -> M:
        """Return a match that it has.

        Raises
        ------
        MatchFileError
            If the line is not what this version writes.
        """
        start = self._starts[key]
        try:
            self._file.seek(start)
            return decode(self._file.readline(_LONGEST_LINE)[9:-1], self._form.match)
        except OSError as error:
            raise _cannot("read", self._path, error) from error
        except StoredDataError as error:
            raise MatchFileError(f"{self._form.name(key)} of {self._path} cannot be read: {error}") from error

    def add(self, match: M) -> None:
        """Keep a match; it is on the disk when this returns.

        Raises
        ------
        MatchFileError
            If it cannot be written.
        """
        try:
            start = self._file.seek(0, os.SEEK_END)
            self._write(_line(match))
        except OSError as error:
            raise _cannot("written", self._path, error) from error
        self._starts.setdefault(self._form.key(match), start)

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def begin(self, *, is_anew: bool = False) -> None:
        """Find the matches of a file of this form, or begin one; a torn last line is cut off."""
        if is_anew:
            self._file.truncate(0)
        self._file.seek(0)
        header = _line(self._form.header)
        first = self._file.readline(_LONGEST_LINE)
        try:
            if header.startswith(first) and header != first:  # new, or killed while it was
                self._file.truncate(0)
                self._file.seek(0)
                self._write(header)
            elif first == header:
                self._index()
            else:
                raise MatchFileError(self._refusal(first))
        except OtherVersionError as error:
            raise MatchFileError(
                f"The matches of {self._path} were played by another version of Soulread ({error.theirs}, this is "
                f"{error.ours}), whose players may play otherwise; give {self._form.another}."
            ) from error

    def _index(self) -> None:
        end = os.fstat(self._file.fileno()).st_size
        start, line_number = self._file.tell(), 1
        while line := self._file.readline(_LONGEST_LINE):
            line_number += 1
            after = start + len(line)
            data = _checked(line)
            if data is None and after == end:
                self._file.truncate(start)
                return
            try:
                key = self._form.key_in(b"" if data is None else data)
            except StoredDataError:
                raise MatchFileError(
                    f"Line {line_number} of {self._path} is damaged; without it that match is played again."
                ) from None
            self._starts.setdefault(key, start)
            start = after

    def _refusal(self, first: bytes) -> str:
        try:
            what = self._form.what_differs(_checked(first) or b"")
        except StoredDataError:
            return f"{self._path} is no file of matches that this version of Soulread has begun."
        return f"The matches of {self._path} {what}; give {self._form.another}."


@contextmanager
def opened_file(path: str | Path, form: Form[K, M], *, is_anew: bool = False) -> Iterator[MatchFile[K, M]]:
    """Open a file of matches, made if there is none, for this process alone; `is_anew` drops whatever it has.

    Raises
    ------
    MatchFileError
        If it cannot be opened or written, another process has it open, or it has matches of another form or of
        another version of Soulread.
    """
    path = Path(path)
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644), "r+b")
    except OSError as error:
        raise _cannot("opened", path, error) from error
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise MatchFileError(f"{path} is no file that can keep matches.")
        try:
            _lock(file)
        except OSError as error:
            raise MatchFileError(f"{path} is in use by another process that plays matches.") from error
        kept = MatchFile(path, file, form)
        try:
            kept.begin(is_anew=is_anew)
        except OSError as error:
            raise _cannot("written", path, error) from error
        yield kept
    finally:
        # Every line was written when it was added; what is left is of one that could not be, which has been said.
        with suppress(OSError):
            file.close()


def _cannot(be: str, path: Path, error: OSError) -> MatchFileError:
    return MatchFileError(f"{path} cannot be {be}: {error.strerror or error}.")


def _line(value: Struct) -> bytes:
    data = encode(value)
    return b"%08x %s\n" % (crc32(data), data)


def _checked(line: bytes) -> bytes | None:
    """Return the JSON of a line, None if it is not what was written."""
    data = line[9:-1]
    return data if line == b"%08x %s\n" % (crc32(data), data) else None


def _lock(file: BinaryIO) -> None:
    """Keep other processes from locking a file until it is closed; OSError if one has."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(_BEYOND)  # others may not even read what is locked
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
