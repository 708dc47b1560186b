"""The rows that can still be read in a damaged SQLite file, page by page, without SQLite.

SQLite finds a row by the schema on the first page and by the pages between it and the row; one wrong byte in these
hides all rows behind it. But every page that holds rows can be read by itself. So each page of the file is looked
at, as the write-ahead log has it if that has it, and every row whose own bytes make sense is given.

Source: sqlite.org, "Database File Format".
"""

import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PAGE_BYTES = 4096
"""Of all our files; what the file itself says of it may be what is damaged."""

_FILE_HEADER, _LOG_HEADER, _FRAME_HEADER = 100, 32, 24
_ROWS_PAGE = 0x0D
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_ROW_ERRORS = (IndexError, ValueError, struct.error, OverflowError)

Value = None | int | float | bytes
"""Text as its bytes."""


class Row(NamedTuple):
    """A row of whatever table."""

    number: int
    values: tuple[Value, ...]


def rows(path: Path) -> Iterator[Row]:
    """Return all rows that can be read, in the order of their pages; raise OSError if the file cannot be."""
    pages = _Pages(path)
    for number in pages.numbers():
        page = pages.page(number)
        start = _FILE_HEADER if number == 1 else 0
        if len(page) < PAGE_BYTES or page[start] != _ROWS_PAGE:
            continue
        (count,) = struct.unpack_from(">H", page, start + 3)
        for at in range(min(count, PAGE_BYTES // 4)):
            with suppress(*_ROW_ERRORS):
                (cell,) = struct.unpack_from(">H", page, start + 8 + 2 * at)
                yield _row(pages, page, cell)


class _Pages:
    """The pages of a file, the newest of each."""

    def __init__(self, path: Path) -> None:
        self._file = path.read_bytes()
        self._log: dict[int, bytes] = {}
        with suppress(OSError):
            self._read_log(path.with_name(path.name + "-wal").read_bytes())

    def _read_log(self, data: bytes) -> None:
        """Take the frames of the log's own run, up to the last whole transaction."""
        waiting: dict[int, bytes] = {}
        salts = data[16:24]
        for at in range(_LOG_HEADER, len(data) - _FRAME_HEADER - PAGE_BYTES + 1, _FRAME_HEADER + PAGE_BYTES):
            number, size_after_commit = struct.unpack_from(">II", data, at)
            if data[at + 8 : at + 16] != salts:
                break
            waiting[number] = data[at + _FRAME_HEADER : at + _FRAME_HEADER + PAGE_BYTES]
            if size_after_commit:
                self._log |= waiting
                waiting = {}

    def numbers(self) -> list[int]:
        return sorted({*range(1, len(self._file) // PAGE_BYTES + 1), *self._log})

    def page(self, number: int) -> bytes:
        found = self._log.get(number)
        return self._file[(number - 1) * PAGE_BYTES : number * PAGE_BYTES] if found is None else found


def _row(pages: _Pages, page: bytes, at: int) -> Row:
    """Read the row that begins there; raises one of `_ROW_ERRORS` if that makes no sense."""
    size, at = _varint(page, at)
    number, at = _varint(page, at)
    here = _local_bytes(size)
    payload = page[at : at + here]
    if here < size:
        (further,) = struct.unpack_from(">I", page, at + here)
        parts, seen = [payload], set[int]()
        missing = size - here
        while missing > 0:
            more = pages.page(further)
            if further in seen or len(more) < PAGE_BYTES:
                raise ValueError("the row does not go on")
            seen.add(further)
            parts.append(more[4 : 4 + missing])
            missing -= len(parts[-1])
            (further,) = struct.unpack_from(">I", more)
        payload = b"".join(parts)
    if len(payload) != size:
        raise ValueError("the row is cut short")
    return Row(number, tuple(_values(payload)))


def _local_bytes(size: int) -> int:
    """How many bytes of a row stand on its own page, the others on pages of their own."""
    most = PAGE_BYTES - 35
    if size <= most:
        return size
    least = (PAGE_BYTES - 12) * 32 // 255 - 23
    wanted = least + (size - least) % (PAGE_BYTES - 4)
    return wanted if wanted <= most else least


def _values(payload: bytes) -> Iterator[Value]:
    header, at = _varint(payload, 0)
    kinds = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    for kind in kinds:
        if kind == 0:
            yield None
            continue
        if kind in (8, 9):
            yield kind - 8
            continue
        size = (kind - 12) // 2 if kind >= 12 else 8 if kind == 7 else _INTEGER_BYTES[kind]
        found = payload[at : at + size]
        if len(found) != size:
            raise ValueError("a value is cut short")
        at += size
        if kind >= 12:
            yield found
        elif kind == 7:
            yield float(struct.unpack(">d", found)[0])
        else:
            yield int.from_bytes(found, "big", signed=True)
    if at != len(payload):
        raise ValueError("the row has more bytes than values")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins there and where it ends."""
    value = 0
    for byte in data[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
