"""What a figure shows, as data: whoever paints it, matplotlib for files or the window, reads this alone.

Numbers of the paper have the colour `PAPER`, black on paper; ours have those of their number.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct


class Named(StrEnum):
    """Colours that mean something."""

    PAPER = "paper"
    GREY = "grey"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"


Colour = int | Named
"""One with a meaning, or by number one of those that tell players apart."""


class Stroke(StrEnum):
    """How a line goes from point to point."""

    NONE = ""
    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"


class Marker(StrEnum):
    """What stands at a point."""

    NONE = ""
    DOT = "dot"
    SQUARE = "square"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    STAR = "star"


class Axis(Struct, frozen=True):
    """An axis: what it measures, its ticks as pairs of a value and its name (none: as whoever paints it likes)."""

    label: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    is_log: bool = False
    is_reversed: bool = False
    low: float | None = None
    high: float | None = None


class Curve(Struct, frozen=True):
    """Points, joined by a line or not, with errors along either axis, or as a band about the line.

    An empty name is left out of the legend; `width` is that of the line in points.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    name: str = ""
    colour: Colour = 0
    stroke: Stroke = Stroke.SOLID
    marker: Marker = Marker.DOT
    x_errors: tuple[float, ...] = ()
    y_errors: tuple[float, ...] = ()
    band: tuple[float, ...] = ()
    width: float = 1.5


class Level(Struct, frozen=True):
    """A straight line across everything at a value of the axis up, or if `is_upright` of that across."""

    at: float
    name: str = ""
    colour: Colour = Named.GREY
    stroke: Stroke = Stroke.DOTTED
    is_upright: bool = False


class Zone(Struct, frozen=True):
    """All between two values of the axis up."""

    low: float
    high: float
    name: str = ""
    colour: Colour = Named.PAPER


class Bars(Struct, frozen=True):
    """Bars to the right, one at each whole number from 0 of the axis up, from `starts` on (none: 0)."""

    widths: tuple[float, ...]
    colours: tuple[Colour, ...]
    name: str = ""
    starts: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()


class Cells(Struct, frozen=True):
    """A table of coloured cells, row 0 at the top: of each a share 0-1, None to leave it empty, and its words."""

    shares: tuple[tuple[float | None, ...], ...]
    words: tuple[tuple[str, ...], ...]


Mark = Curve | Level | Zone | Bars | Cells


class Panel(Struct, frozen=True):
    """One pair of axes with what stands between them; `weight` is its share of the width of its line."""

    marks: tuple[Mark, ...]
    across: Axis = Axis()
    up: Axis = Axis()
    title: str = ""
    has_legend: bool = True
    weight: float = 1.0


class Picture(Struct, frozen=True):
    """Panels in lines one below another, as many in each.

    Attributes
    ----------
    width, height : float
        Inches on paper.
    weights : tuple of float
        Shares of the lines in the height; empty if all are alike.
    has_shared_legend : bool
        Whether one legend above stands for all panels, rather than one in each that has any.
    """

    lines: tuple[tuple[Panel, ...], ...]
    width: float
    height: float
    weights: tuple[float, ...] = ()
    has_shared_legend: bool = False


def named(names: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Return the ticks of an axis of names.

    >>> named(["nit", "maniac"])
    ((0.0, 'nit'), (1.0, 'maniac'))
    """
    return tuple((float(at), name) for at, name in enumerate(names))


def legend_of(panel: Panel) -> list[tuple[str, Mark]]:
    """Return what a legend of a panel names, in its order."""
    return [(mark.name, mark) for mark in panel.marks if not isinstance(mark, Cells) and mark.name]
