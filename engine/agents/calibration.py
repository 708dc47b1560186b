"""How far a reader can be trusted: how often the truth fell into each tenth of its probability.

`engine.lab` counts it on recorded hands and writes `resources/reading_calibration.json`; the app shows it.
"""

from pathlib import Path

from msgspec import Struct

from engine.codec import StoredDataError, decode, encode
from engine.resources import ResourceError, read_text

_CALIBRATION_SCHEMA = 1
CALIBRATION_FILE = "reading_calibration.json"
DECILES = 10


class Calibration(Struct, frozen=True):
    """How often the truth lies in each tenth of the mass, likeliest first, and what a reader loses, in nats.

    True probabilities give a tenth everywhere, up to a standard error of `sqrt(0.09 / points)`. Too much in the
    last tenths is overconfidence. `log_loss` is the mean of `-ln p(true combo)`, its `stderr` one over hands; None
    without points, or with a single hand.
    """

    points: int
    deciles: tuple[float, ...] | None = None
    log_loss: float | None = None
    stderr: float | None = None


class CalibrationTable(Struct, frozen=True):
    """A reader's calibration on a file of hands, over targets that have not folded; by street, and "all"."""

    reader: str
    source: str
    hands: int
    streets: dict[str, Calibration]


class _CalibrationFile(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    tables: tuple[CalibrationTable, ...]


def shipped_calibrations() -> tuple[CalibrationTable, ...]:
    """Return the tables that ship with the app, one per reader and file of hands.

    Raises a `ResourceError` if the file is missing or not what this version writes.
    """
    return _decoded(read_text(CALIBRATION_FILE).encode(), f"The app's file resources/{CALIBRATION_FILE}")


def read_calibrations(path: Path) -> tuple[CalibrationTable, ...]:
    """Return the tables of a file, none if there is no such file.

    Raises a `ResourceError` if it cannot be read or is not what this version writes.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ResourceError(f"The file {path} cannot be read: {error.strerror}.") from error
    return _decoded(data, f"The file {path}")


def write_calibration(path: Path, table: CalibrationTable) -> None:
    """Put a table into a file, in place of an earlier one of the same reader and source.

    Raises a `ResourceError` if the file holds something else or cannot be written.
    """
    others = [
        other for other in read_calibrations(path) if (other.reader, other.source) != (table.reader, table.source)
    ]
    tables = sorted([*others, table], key=lambda one: (one.reader, one.source))
    try:
        path.write_bytes(encode(_CalibrationFile(_CALIBRATION_SCHEMA, tuple(tables))) + b"\n")
    except OSError as error:
        raise ResourceError(f"The file {path} cannot be written: {error.strerror}.") from error


def _decoded(data: bytes, what: str) -> tuple[CalibrationTable, ...]:
    try:
        file = decode(data, _CalibrationFile)
    except StoredDataError as error:
        raise ResourceError(f"{what} holds no calibration: {error}") from error
    if file.schema != _CALIBRATION_SCHEMA:
        raise ResourceError(f"{what} has the version {file.schema}, and this program reads {_CALIBRATION_SCHEMA}.")
    for table in file.tables:
        for street, found in table.streets.items():
            deciles = found.deciles
            if deciles is not None and not (len(deciles) == DECILES and abs(sum(deciles) - 1) < 1e-6):
                raise ResourceError(f"{what} has no {DECILES} shares of 1 on the {street} of {table.source}.")
    return file.tables
