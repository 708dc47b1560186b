"""Files of a figure: its rows as CSV, and its drawing by matplotlib, which is an optional extra."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

DOTS_PER_INCH = 110


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


def check_drawing(path: str | Path, otherwise: str = "") -> None:
    """Raise a `FigureError` unless matplotlib is there and can write such a file; `otherwise` ends its sentence."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise FigureError(f"Drawing needs matplotlib: pip install 'soulread[lab]'{otherwise}.") from None
    if Path(path).suffix[1:] not in FigureCanvasBase.get_supported_filetypes():
        raise FigureError(f"The figure {path} cannot be drawn: its name must end in .png, .svg or .pdf.")


def blank_figure(width: float, height: float) -> Any:
    """Return an empty matplotlib figure of so many inches, whose parts make room for each other."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: str | Path) -> None:
    """Write a matplotlib figure, the same bytes for the same figure; a `FigureError` if that cannot be done."""
    import matplotlib

    undated = {"Date": None} if Path(path).suffix == ".svg" else None
    try:
        with matplotlib.rc_context({"svg.hashsalt": "soulread", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=DOTS_PER_INCH, metadata=undated)
    except OSError as error:
        raise FigureError(f"The figure {path} cannot be written: {error.strerror}.") from error
