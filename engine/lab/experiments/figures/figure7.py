"""Figure 7 of Li et al. 2017 again: how often a reader's likeliest hand categories hold the true one.

The paper takes the Z = 1, 2, 3 likeliest categories, of four before the flop and eleven after it, and counts how
often the hand that the player really holds is among them. Here any readers are compared on any recorded hands, on
the decision points of `engine.lab.reading` without targets that have just folded. Standard errors are clustered by
hand, also that of a reader's gain over the Markov model on the same points.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Reader
from engine.agents.markov import MarkovReader
from engine.agents.readers import make_reader
from engine.figures.mean import NORMAL_95
from engine.game.phh import RecordedHand
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.picture import Axis, Curve, Marker, Panel, Picture, named
from engine.lab.markov_training import model_of
from engine.lab.reading import STREETS, TOP_Z, Scorer, clustered_stderr

MARKOV = "markov"
_OWN_MARKOV = "markov-own"
"""A Markov model counted from the very file that is scored, from its hands that are not kept apart."""


class TopZ(Struct, frozen=True):
    """How often the true category is among the Z likeliest.

    Attributes
    ----------
    source : str
        The hands' file without its ending.
    street : str
        As in `STREETS`, or "all".
    accuracy, stderr : float or None
        Share of the points, 0-1, None without points; its standard error, None with fewer than two hands.
    rival : str or None
        The Markov model that the reader is compared with, counted from the same file if there is such a one.
    gain, gain_stderr : float or None
        Accuracy less the rival's on the same points.
    """

    source: str
    reader: str
    street: str
    z: int
    points: int
    hands: int
    accuracy: float | None = None
    stderr: float | None = None
    rival: str | None = None
    gain: float | None = None
    gain_stderr: float | None = None


def readers_of(names: Sequence[str], path: str | Path, *, is_apart: bool) -> list[Reader]:
    """Return the readers that are to be compared on a file, without a memory.

    Names are those of registered readers, or `_OWN_MARKOV`, which needs that only hands kept apart are scored.

    Raises
    ------
    UnknownReaderError
        If there is no reader of such a name.
    FigureError
        If `_OWN_MARKOV` would be scored on the hands it was counted from.
    PhhFileError
        If the file cannot be read.
    """
    readers: list[Reader] = []
    for name in names:
        if name == _OWN_MARKOV:
            if not is_apart:
                raise FigureError(f"The reader {_OWN_MARKOV} can only be scored on hands that are kept apart.")
            readers.append(MarkovReader(model_of(path), _OWN_MARKOV))
        else:
            readers.append(make_reader(name))
    return readers


class Comparison:
    """Several readers of different names on the same hands, of which they have no memory; `seed` is that of ties.

    Raises
    ------
    FigureError
        If there is no reader, or two have the same name.

    Examples
    --------
    >>> rows = Comparison("nothing", [make_reader("uniform"), make_reader("markov")]).rows()
    >>> len(rows), rows[0].reader, rows[0].street, rows[0].points
    (30, 'uniform', 'preflop', 0)
    """

    def __init__(self, source: str, readers: Sequence[Reader], seed: int = 0) -> None:
        names = [reader.name for reader in readers]
        if not names:
            raise FigureError("There is no reader to compare.")
        if len(set(names)) < len(names):
            raise FigureError(f"A reader is named twice in {', '.join(names)}.")
        self._source = source
        self._scorers = {reader.name: Scorer(reader, seed) for reader in readers}

    @property
    def points(self) -> int:
        """How many decision points have been scored."""
        return max(len(scorer.points) for scorer in self._scorers.values())

    def score(self, hand: RecordedHand) -> None:
        """Score a hand, and let all readers learn it; a `ReadingError` if an answer is no probabilities."""
        for scorer in self._scorers.values():
            scorer.add(hand)

    def learn(self, hand: RecordedHand) -> None:
        """Let all readers learn a hand without scoring it."""
        for scorer in self._scorers.values():
            scorer.learn(hand)

    def rows(self) -> tuple[TopZ, ...]:
        """Return the accuracies so far by reader, street (in the end all) and Z."""
        ranks = {
            name: np.array([point.category_rank for point in scorer.points if point.is_live])
            for name, scorer in self._scorers.items()
        }
        some = next(iter(self._scorers.values()))
        clusters = np.array([point.hand for point in some.points if point.is_live], dtype=np.int64)
        streets = np.array([point.street for point in some.points if point.is_live], dtype=np.int64)
        rival = _OWN_MARKOV if _OWN_MARKOV in ranks else MARKOV if MARKOV in ranks else None
        rows = []
        for name, of_reader in ranks.items():
            for street in (*STREETS, "all"):
                chosen = streets == STREETS[street] if street in STREETS else np.ones(len(streets), dtype=np.bool_)
                hands = clusters[chosen]
                for z in range(1, TOP_Z + 1):
                    hits = (of_reader[chosen] < z).astype(np.float64)
                    figures = _mean(hits, hands)
                    if rival is not None and name != rival and len(hands):
                        figures += (rival, *_mean(hits - (ranks[rival][chosen] < z), hands))
                    rows.append(TopZ(self._source, name, street, z, len(hands), len(set(hands.tolist())), *figures))
        return tuple(rows)


def _mean(values: NDArray[np.float64], hands: NDArray[np.int64]) -> tuple[Any, ...]:
    """Return the mean and its standard error over hands; None without values."""
    return (float(values.mean()), clustered_stderr(values, hands)) if len(values) else (None, None)


def as_table(rows: Sequence[TopZ]) -> str:
    """Return aligned text: per set of hands and Z the accuracy of each reader and its gain over the rival."""
    streets = (*STREETS, "all")
    found = {(row.source, row.reader, row.z, row.street): row for row in rows}
    first = max(len(_gain_name(row)) for row in rows)
    parts = []
    for source in dict.fromkeys(row.source for row in rows):
        lines = [_line(source, streets, first)]
        readers = list(dict.fromkeys(row.reader for row in rows if row.source == source))
        columns = [found[source, readers[0], 1, street] for street in streets]
        lines.append(_line("decision points", [f"{row.points:,}" for row in columns], first))
        for z in range(1, TOP_Z + 1):
            lines.append(f"top {z}")
            for reader in readers:
                columns = [found[source, reader, z, street] for street in streets]
                lines.append(_line(f"  {reader}", [_share(row.accuracy, row.stderr) for row in columns], first))
                if columns[-1].rival is not None:
                    gains = [_share(row.gain, row.gain_stderr, "+") for row in columns]
                    lines.append(_line(_gain_name(columns[-1]), gains, first))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _gain_name(row: TopZ) -> str:
    return f"  {row.reader} over {row.rival or ''}"


def _line(name: str, cells: Sequence[str], first: int) -> str:
    return (name.ljust(first) + "".join(f"  {cell:>12}" for cell in cells)).rstrip()


def _share(value: float | None, stderr: float | None, sign: str = "-") -> str:
    if value is None:
        return "-"
    error = "" if stderr is None else f" ±{100 * stderr:.1f}"
    return f"{100 * value:{sign}.1f}{error}"


def picture_of(rows: Sequence[TopZ]) -> Picture:
    """Return the figure: a column per set of hands, a line per Z, a curve per reader over streets, bars of 95%."""
    sources = list(dict.fromkeys(row.source for row in rows))
    readers = list(dict.fromkeys(row.reader for row in rows))
    lines = []
    for z in range(1, TOP_Z + 1):
        panels = []
        for source in sources:
            curves = [
                _curve(reader, [row for row in rows if (row.source, row.reader, row.z) == (source, reader, z)], at)
                for at, reader in enumerate(readers)
            ]
            is_first = source == sources[0]
            up = Axis(f"true category in top {z}, %" if is_first else "")
            across = Axis(ticks=named(list(STREETS)))
            title = source if z == 1 else ""
            panels.append(Panel(tuple(curves), across, up, title, has_legend=is_first and z == 1))
        lines.append(tuple(panels))
    return Picture(tuple(lines), 1.2 + 2.6 * len(sources), 6.6)


def _curve(reader: str, rows: Sequence[TopZ], number: int) -> Curve:
    """Return a reader's curve; an empty one still has its name in the legend."""
    known = [(row, row.accuracy) for row in rows if row.street in STREETS and row.accuracy is not None]
    markers = [marker for marker in Marker if marker is not Marker.NONE]
    return Curve(
        tuple(STREETS[row.street] + 0.05 * number for row, _ in known),
        tuple(100 * accuracy for _, accuracy in known),
        reader,
        number,
        marker=markers[number % len(markers)],
        y_errors=tuple(100 * NORMAL_95 * (row.stderr or 0.0) for row, _ in known),
        width=1.0,
    )
