"""Files of experiments: the finished matches of a folder, and rows of a figure as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from engine.codec import decode
from engine.game.formats import GameFormat
from engine.lab.matches.kept.match_file import Form, K, M, MatchFile, MatchFileError, opened_file

_SCHEMA: Final = 1


class FigureError(ValueError):
    """A figure that cannot be computed, drawn or written; the message says why."""


class _Header(Struct, frozen=True):
    """What all matches of a file have in common, whatever experiments they are of."""

    schema: int
    game: GameFormat


class FolderForm(Form[K, M]):
    """What a file of a folder of experiments keeps: matches of one game."""

    another = "another folder"

    def __init__(self, game: GameFormat) -> None:
        self.header = _Header(_SCHEMA, game)

    def what_differs(self, header: bytes) -> str:
        """Return that the game differs, or the form itself."""
        decode(header, _Header)
        return "are of another form, or another game"


@contextmanager
def opened_in_folder(path: Path, form: FolderForm[K, M]) -> Iterator[MatchFile[K, M]]:
    """Open a file of matches, made with its folder if there is none, for this process alone.

    Raises
    ------
    MatchFileError
        As of `opened_file`, or if there can be no such folder.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MatchFileError(f"{path} cannot be opened: {error.strerror}.") from error
    with opened_file(path, form) as file:
        yield file


def as_csv(rows: Sequence[Struct]) -> str:
    """Return rows of one type as CSV with a line of names; fractions have five decimals, nothing is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if rows:
        writer.writerow(rows[0].__struct_fields__)
    for row in rows:
        values = msgspec.structs.astuple(row)
        writer.writerow([f"{value:.5f}" if isinstance(value, float) else value for value in values])
    return text.getvalue()


def write_csv(rows: Sequence[Struct], path: str | Path) -> None:
    """Write rows as CSV; a `FigureError` if the file cannot be written."""
    try:
        Path(path).write_text(as_csv(rows), encoding="utf-8")
    except OSError as error:
        raise FigureError(f"The file {path} cannot be written: {error.strerror}.") from error
