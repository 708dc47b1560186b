"""Rows of a figure as CSV."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct


class FigureError(ValueError):
    """A figure that cannot be computed, drawn or written; the message says why."""


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
