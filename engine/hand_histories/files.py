"""Hand histories in files, folders and pasted text: which kind each is, and its hands one after another.

Nothing is lost without a word: every hand of a text, which may have hands of several kinds, and every file of which
nothing is known, is either an `ImportedHand` or `NotImported` with its reason.
"""

import codecs
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from engine.foreign_text import shortened
from engine.game.phh import PhhFileError, sections, sections_in
from engine.hand_histories import (
    acpc_log,
    bovada,
    full_tilt,
    open_hand_history,
    pacific,
    partypoker,
    pokerstars,
    winamax,
)
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.phh_file import SITE, is_phh, read_phh
from engine.hand_histories.told import NotImportedError, RefusedError, ToldHand, split_at

KINDS: Final = (
    "the texts of PokerStars, GGPoker, PartyPoker, 888, Winamax, Bovada and Full Tilt, ACPC logs, PHH and Open "
    "Hand History"
)
"""What can be read, for a sentence."""

MOST_FILES: Final = 200_000
"""Of a folder; what is beyond that is left out, and said."""

_CHUNK = 1_000_000
_HEAD = 4_000
_LONGEST_HAND = 200_000  # characters; real hands have 3,000
_LONGEST_LINE = 4_000
_PHH_SUFFIXES = (".phh", ".phhs")
_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


class NotImported(Struct, frozen=True):
    """A hand, or a file, that is not imported: the kind of its text, "" if unknown, what it is called, and why.

    `is_refused` tells that it was read, and that what it tells cannot have been so.
    """

    origin: str
    name: str
    reason: str
    is_refused: bool = False


class _Kind(NamedTuple):
    """A kind of text: how a hand begins, how hands are cut and read; `site_of` tells who wrote the text of one."""

    site_of: Callable[[str], str]
    header: re.Pattern[str]
    hands_of: Callable[[str], Iterator[str]]
    told_hand: Callable[[str], ToldHand]
    longest_line: int


def _headed(
    site_of: Callable[[str], str] | str,
    header: re.Pattern[str],
    told_hand: Callable[[str], ToldHand],
    longest_line: int = _LONGEST_LINE,
) -> _Kind:
    """Return a kind whose hands begin with a header each, written by one site or by whom the text names."""
    return _Kind(
        site_of=(lambda _: site_of) if isinstance(site_of, str) else site_of,
        header=header,
        hands_of=partial(split_at, header),
        told_hand=told_hand,
        longest_line=longest_line,
    )


_KINDS: Final = (
    _headed(pokerstars.site_of, pokerstars.HEADER, pokerstars.told_hand),
    _headed("PartyPoker", partypoker.HEADER, partypoker.told_hand),
    _headed("888poker", pacific.HEADER, pacific.told_hand),
    _headed("Winamax", winamax.HEADER, winamax.told_hand),
    _headed("Bovada", bovada.HEADER, bovada.told_hand),
    _headed("Full Tilt", full_tilt.HEADER, full_tilt.told_hand),
    _Kind(lambda _: "ACPC", acpc_log.HEADER, acpc_log.hands_of, acpc_log.told_hand, _LONGEST_LINE),
    # An object may be all in one line.
    _headed("Open Hand History", open_hand_history.HEADER, open_hand_history.told_hand, _LONGEST_HAND),
)


class HandFileError(ValueError):
    """A file or folder that cannot be read at all; the message says why in one sentence."""


def hand_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files that are named and those in the folders that are named, each once, in order.

    A folder within them that cannot be read is among the files: that it cannot be is said where it is read.

    Raises
    ------
    HandFileError
        If there is nothing of a name, it cannot be looked at, or there are more than 200,000 files.
    """
    found: dict[Path, None] = {}
    for path in paths:
        try:
            if not path.exists():
                raise HandFileError(f"There is no file {path}.")
            inside = _files_in(path) if path.is_dir() else iter((path,))
            found |= dict.fromkeys(sorted(islice(inside, MOST_FILES + 1)))
        except OSError as error:
            raise HandFileError(f"{path} cannot be read: {error.strerror}.") from error
        if len(found) > MOST_FILES:
            raise HandFileError(f"{path} has more than {MOST_FILES:,} files; import its folders one by one.")
    return list(found)


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and those within it, without links and what is hidden; and unreadable folders."""
    unread: list[Path] = []

    def note(error: OSError) -> None:
        if error.filename == str(folder):
            raise error
        unread.append(Path(error.filename))

    for where, folders, names in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = (Path(where, name) for name in names if not name.startswith("."))
        yield from (file for file in files if not file.is_symlink() and file.is_file())
    yield from unread


def read_file(path: Path) -> Iterator[ImportedHand | NotImported]:
    """Yield the hands of a file in its order, whatever site or program wrote it.

    Raises
    ------
    HandFileError
        On any step, if the file cannot be read.
    """
    if path.suffix.lower() in _PHH_SUFFIXES:
        try:
            yield from _phh_hands(sections(path))
        except PhhFileError as error:
            raise HandFileError(str(error)) from error
        return
    try:
        yield from _hands(text_of(path), path.name)
    except OSError as error:
        raise HandFileError(f"The file {path} cannot be read: {error.strerror}.") from error


def _phh_hands(sections: Iterator[tuple[str, bytes]]) -> Iterator[ImportedHand | NotImported]:
    for name, hand in read_phh(sections):
        if isinstance(hand, ImportedHand):
            yield hand
        else:
            yield NotImported(SITE, name, str(hand), isinstance(hand, RefusedError))


def read_text(text: str) -> Iterator[ImportedHand | NotImported]:
    """Yield the hands of a text, such as one that was pasted."""
    if is_phh(text[:_HEAD]):
        return _phh_hands(sections_in(io.BytesIO(text.encode(errors="replace"))))
    return _hands(iter((text,)), "The text")


def text_of(path: Path) -> Iterator[str]:
    """Yield the text of a file in pieces: UTF-8, UTF-16 by its mark, or else Windows-1252; OSError if it fails."""
    decoder = None
    with path.open("rb") as file:
        start = file.read(_CHUNK)
        encoding = next((name for mark, name in _MARKS.items() if start.startswith(mark)), "")
        for part in chain((start,), iter(lambda: file.read(_CHUNK), b"")):
            if decoder is None and (encoding or not part.isascii()):
                # The first piece that is more than ASCII tells which of the two it is.
                encoding = encoding or ("utf-8" if _is_utf8(part) else "cp1252")
                decoder = codecs.getincrementaldecoder(encoding)("replace")
            yield part.decode("ascii") if decoder is None else decoder.decode(part)
        if decoder is not None:
            yield decoder.decode(b"", final=True)


def _is_utf8(start: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def _hands(parts: Iterator[str], name: str) -> Iterator[ImportedHand | NotImported]:
    """Yield the hands of a text that comes in pieces."""
    waiting, kind = "", None
    for part in parts:
        waiting += part.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
        if kind is None and not _is_known(waiting):
            break
        if texts := [*_texts(waiting)]:
            # The last hand may go on in the next piece.
            *whole, (kind, waiting) = texts
            yield from (_read_hand(text, of_kind, name) for of_kind, text in whole)
        waiting = waiting[:_LONGEST_HAND]
    if kind is not None:
        yield _read_hand(waiting, kind, name)
    else:
        what = "It is empty." if not waiting.strip() else "It is no hand history of a kind that is known here."
        yield NotImported("", shortened(name), what)


def _is_known(text: str) -> bool:
    """Tell by its beginning whether a text has hands of any kind."""
    head = text.lstrip()[:_HEAD]
    return any(kind.header.search(head) for kind in _KINDS)


def _texts(text: str) -> Iterator[tuple[_Kind, str]]:
    """Yield the text of each hand with its kind; what stands before the first is none."""
    begins = sorted((found.start(), at) for at, kind in enumerate(_KINDS) for found in kind.header.finditer(text))
    runs = [(begin, at) for (_, before), (begin, at) in pairwise([(0, -1), *begins]) if at != before]
    for (begin, at), (end, _) in pairwise([*runs, (len(text), -1)]):
        kind = _KINDS[at]
        yield from ((kind, hand) for hand in kind.hands_of(text[begin:end]))


def _read_hand(text: str, kind: _Kind, name: str) -> ImportedHand | NotImported:
    try:
        if len(text) >= _LONGEST_HAND or max(map(len, text.split("\n"))) > kind.longest_line:
            raise NotImportedError("It is longer than any hand.")
        return imported(kind.told_hand(text))
    except NotImportedError as error:
        what = shortened(f"{name}: {text.lstrip().partition(chr(10))[0]}", 120)
        return NotImported(kind.site_of(text), what, str(error), isinstance(error, RefusedError))
