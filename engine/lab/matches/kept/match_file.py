"""A file that keeps every finished match of a long run, so that the run goes on where it was stopped or killed.

A line for what is played, and one for each finished match, in the order in which they ended: the CRC-32 of what
follows in eight hexadecimal digits, a space, and JSON, whose numbers come back bit for bit. Each line is on the
disk (`fsync`) before the next match is counted. A process that dies while it writes leaves a torn last line, which
is cut off; damage anywhere else is refused. The file is locked while it is open, and its matches are read from it
one at a time: however many there are, they take no memory.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

from msgspec import Struct, structs

from engine.agents.styles import style_name
from engine.codec import StoredDataError, decode, encode
from engine.foreign_text import shortened
from engine.game.events import GameKind
from engine.lab.matches.plan import MAX_MATCHES, MatchPlan
from engine.lab.matches.results import FinishedMatch

_SCHEMA: Final = 1
_LONGEST_LINE: Final = 1 << 28
"""Bytes; the points of readers on 100,000 hands take a tenth of that, any other match some kilobytes."""

_BEYOND: Final = 1 << 40
"""Bytes; no file is so long."""

_NOT_PLAY = ("cli.py", "commands.py", "join", "lab")
"""Of the engine, what changes no hand."""


class MatchFileError(ValueError):
    """A file that cannot keep these matches; the message names it, the value and the rule."""


class _Run(Struct, frozen=True):
    """What all matches of a file have in common."""

    schema: int
    sources: str
    plan: MatchPlan
    readers: tuple[str, ...]


class _Number(Struct, frozen=True):
    number: int


class MatchFile:
    """The finished matches of a run, of which there may be more; made by `open_match_file`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._starts: dict[int, int] = {}

    def __contains__(self, number: int) -> bool:
        """Whether it has a match of the run, counted from 0."""
        return number in self._starts

    def read(self, number: int) -> FinishedMatch:
        """Return a match that it has.

        Raises
        ------
        MatchFileError
            If the line is not what this version writes.
        """
        try:
            self._file.seek(self._starts[number])
            return decode(self._file.readline(_LONGEST_LINE)[9:-1], FinishedMatch)
        except OSError as error:
            raise _cannot("read", self._path, error) from error
        except StoredDataError as error:
            raise MatchFileError(f"Match {number + 1} of {self._path} cannot be read: {error}") from error

    def add(self, match: FinishedMatch) -> None:
        """Keep a match; it is on the disk when this returns.

        Raises
        ------
        MatchFileError
            If it cannot be written.
        """
        try:
            start = self._file.seek(0, os.SEEK_END)
            self._write(match)
        except OSError as error:
            raise _cannot("written", self._path, error) from error
        self._starts[match.number] = start

    def _write(self, value: Struct) -> None:
        data = encode(value)
        self._file.write(b"%08x %s\n" % (crc32(data), data))
        self._file.flush()
        os.fsync(self._file.fileno())

    def begin(self, run: _Run) -> None:
        """Find the matches of a file of this run, or begin one; a torn last line is cut off."""
        self._file.seek(0)
        header = encode(run)
        header = b"%08x %s\n" % (crc32(header), header)
        first = self._file.readline(_LONGEST_LINE)
        if header.startswith(first) and header != first:  # new, or killed while it was
            self._file.truncate(0)
            self._file.seek(0)
            self._write(run)
            return
        if first != header:
            raise MatchFileError(self._what_differs(first, run))
        self._index()

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
            number = MAX_MATCHES if data is None else _number(data)
            if not 0 <= number < MAX_MATCHES:
                raise MatchFileError(
                    f"Line {line_number} of {self._path} is damaged; without it that match is played again."
                )
            self._starts.setdefault(number, start)
            start = after

    def _what_differs(self, first: bytes, run: _Run) -> str:
        data = _checked(first)
        try:
            other = decode(b"" if data is None else data, _Run)
        except StoredDataError:
            return f"{self._path} is no file of matches that this version of Soulread has begun."
        theirs, ours = _as_words(other), _as_words(run)
        what = next((name for name in ours if theirs[name] != ours[name]), None)
        if what is None or run.schema != other.schema or run.sources != other.sources:
            return (
                f"The matches of {self._path} were played by another version of Soulread ({other.sources}, this is "
                f"{run.sources}), whose players may play otherwise; give another file."
            )
        return (
            f"The matches of {self._path} have the {what} {shortened(theirs[what])}, and {shortened(ours[what])} "
            f"is asked for; give another file."
        )


@contextmanager
def open_match_file(path: str | Path, plan: MatchPlan, readers: Sequence[str] = ()) -> Iterator[MatchFile]:
    """Open the file of a run, made if there is none, for this process alone.

    Raises
    ------
    MatchFileError
        If it cannot be opened or written, another process has it open, or it has matches of another plan, of other
        readers, or of another version of Soulread.
    """
    path = Path(path)
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644), "r+b")
    except OSError as error:
        raise _cannot("opened", path, error) from error
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise MatchFileError(f"{path} is no file that can keep matches.")
        try:
            _lock(file)
        except OSError as error:
            raise MatchFileError(f"{path} is in use by another process that plays matches.") from error
        kept = MatchFile(path, file)
        try:
            kept.begin(_Run(_SCHEMA, sources_of_play(), _normal(plan), tuple(readers)))
        except OSError as error:
            raise _cannot("written", path, error) from error
        yield kept


@cache
def sources_of_play() -> str:
    """Return a short hash of all that decides how a hand is played: of the engine's sources and the resources."""
    root = Path(__file__).parents[4]
    digest = hashlib.sha256()
    for folder in (root / "engine", root / "resources"):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            parts = path.relative_to(root).parts
            if parts[0] == "resources" or parts[1] not in _NOT_PLAY:
                digest.update("/".join(parts).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _cannot(be: str, path: Path, error: OSError) -> MatchFileError:
    return MatchFileError(f"{path} cannot be {be}: {error.strerror or error}.")


def _normal(plan: MatchPlan) -> MatchPlan:
    """Return the same plan with nothing left to defaults."""
    is_cash = plan.game.kind == GameKind.CASH
    game = structs.replace(plan.game, starting_stack=plan.starting_stack)
    return structs.replace(plan, hands=plan.decks * plan.rotations if is_cash else None, stack=None, game=game)


def _as_words(run: _Run) -> dict[str, str]:
    """Return what may differ between two runs, by what it is called."""
    plan = run.plan
    names = [style_name(style) for style in plan.styles]
    return {
        "styles": ", ".join(names),
        "seats": str(plan.seats),
        "hands": str(plan.hands),
        "seed": str(plan.seed),
        "seating": plan.seating,
        "readers": ", ".join(run.readers) or "none",
        **{f"format's {field}": str(value) for field, value in structs.asdict(plan.game).items()},
        **{
            f"rules of {name}": f"{crc32(rules.encode()):08x}"
            for name, rules in zip(names, plan.styles, strict=True)
        },
    }


def _checked(line: bytes) -> bytes | None:
    """Return the JSON of a line, None if it is not what was written."""
    data = line[9:-1]
    return data if line == b"%08x %s\n" % (crc32(data), data) else None


def _number(data: bytes) -> int:
    try:
        return decode(data, _Number).number
    except StoredDataError:
        return MAX_MATCHES


def _lock(file: BinaryIO) -> None:
    """Keep other processes from locking a file until it is closed; OSError if one has."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(_BEYOND)  # others may not even read what is locked
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
