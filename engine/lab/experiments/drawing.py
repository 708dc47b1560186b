"""Pictures as files by matplotlib, which is an optional extra."""

from pathlib import Path
from typing import Any, Final

from engine.lab.experiments.files import FigureError
from engine.lab.experiments.picture import (
    Axis,
    Bars,
    Cells,
    Colour,
    Curve,
    Level,
    Mark,
    Marker,
    Named,
    Panel,
    Picture,
    Stroke,
    Zone,
    legend_of,
)

_DOTS_PER_INCH: Final = 110
_SMALL: Final = 8
"""Points of the letters of a legend."""

_NAMES: Final = 4
"""In a line of a legend above all panels."""

_COLOURS: Final = {
    Named.PAPER: "black",
    Named.GREY: "grey",
    Named.FOLD: "#9aa0a6",
    Named.CHECK: "#8ab6e8",
    Named.CALL: "#4f9d69",
    Named.RAISE: "#d1495b",
}
_STROKES: Final = {Stroke.NONE: "none", Stroke.SOLID: "-", Stroke.DASHED: "--", Stroke.DOTTED: ":"}
_MARKERS: Final = {
    Marker.NONE: "",
    Marker.DOT: "o",
    Marker.SQUARE: "s",
    Marker.DIAMOND: "D",
    Marker.TRIANGLE: "^",
    Marker.STAR: "v",
}


def check_drawing(path: str | Path, otherwise: str = "") -> None:
    """Raise a `FigureError` unless matplotlib is there and can write such a file; `otherwise` ends its sentence."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise FigureError(f"Drawing needs matplotlib: pip install 'soulread[lab]'{otherwise}.") from None
    if Path(path).suffix[1:] not in FigureCanvasBase.get_supported_filetypes():
        raise FigureError(f"The figure {path} cannot be drawn: its name must end in .png, .svg or .pdf.")


def save(picture: Picture, path: str | Path) -> None:
    """Write a picture, the same bytes for the same picture; a `FigureError` if that cannot be done."""
    import matplotlib

    figure = _drawn(picture)
    undated = {"Date": None} if Path(path).suffix == ".svg" else None
    try:
        with matplotlib.rc_context({"svg.hashsalt": "soulread", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=_DOTS_PER_INCH, metadata=undated)
    except OSError as error:
        raise FigureError(f"The figure {path} cannot be written: {error.strerror}.") from error


def _drawn(picture: Picture) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(picture.width, picture.height), layout="constrained")
    grid = figure.subplots(
        len(picture.lines),
        len(picture.lines[0]),
        squeeze=False,
        width_ratios=[panel.weight for panel in picture.lines[0]],
        height_ratios=picture.weights or None,
    )
    for line, panels in zip(grid, picture.lines, strict=True):
        for axes, panel in zip(line, panels, strict=True):
            _draw_panel(axes, panel, has_legend=panel.has_legend and not picture.has_shared_legend)
    if picture.has_shared_legend:
        handles, labels = grid[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=_NAMES, fontsize=_SMALL + 1)
    return figure


def _draw_panel(axes: Any, panel: Panel, *, has_legend: bool) -> None:
    for mark in panel.marks:
        _draw_mark(axes, mark)
    _set_axis(axes, panel.across, "x")
    _set_axis(axes, panel.up, "y")
    if panel.title:
        axes.set_title(panel.title, fontsize=10)
    if not any(isinstance(mark, Bars | Cells) for mark in panel.marks):
        axes.grid(alpha=0.3)
    if has_legend and legend_of(panel):
        axes.legend(fontsize=_SMALL)


def _set_axis(axes: Any, axis: Axis, which: str) -> None:
    if axis.is_log:
        getattr(axes, f"set_{which}scale")("log")
        axes.minorticks_off()
    if axis.ticks:
        values, names = zip(*axis.ticks, strict=True)
        is_slanted = which == "x" and max(map(len, names)) > _SMALL
        turned = {"rotation": 35, "ha": "right"} if is_slanted else {}
        getattr(axes, f"set_{which}ticks")(values, names, fontsize=_SMALL, **turned)
    limits = {end: value for end, value in (("left", axis.low), ("right", axis.high)) if value is not None}
    if which == "y":
        limits = {{"left": "bottom", "right": "top"}[end]: value for end, value in limits.items()}
    if limits:
        getattr(axes, f"set_{which}lim")(**limits)
    if axis.is_reversed:
        getattr(axes, f"{which}axis").set_inverted(True)
    getattr(axes, f"set_{which}label")(axis.label)


def _draw_mark(axes: Any, mark: Mark) -> None:
    if isinstance(mark, Cells):
        _draw_cells(axes, mark)
    elif isinstance(mark, Bars):
        axes.barh(
            range(len(mark.widths)),
            mark.widths,
            left=mark.starts or 0,
            height=0.72,
            color=[_colour(colour) for colour in mark.colours],
            label=mark.name or None,
            xerr=mark.errors or None,
            error_kw={"ecolor": "#333333", "elinewidth": 0.8, "capsize": 2},
        )
    elif isinstance(mark, Zone):
        axes.axhspan(mark.low, mark.high, color=_colour(mark.colour), alpha=0.12, label=mark.name or None)
    elif isinstance(mark, Level):
        draw = axes.axvline if mark.is_upright else axes.axhline
        style = {"color": _colour(mark.colour), "linestyle": _STROKES[mark.stroke], "linewidth": 0.9}
        draw(mark.at, label=mark.name or None, **style)
    else:
        _draw_curve(axes, mark)


def _draw_curve(axes: Any, curve: Curve) -> None:
    colour = _colour(curve.colour)
    axes.errorbar(
        curve.x,
        curve.y,
        yerr=curve.y_errors or None,
        xerr=curve.x_errors or None,
        color=colour,
        linestyle=_STROKES[curve.stroke],
        linewidth=curve.width,
        elinewidth=1,
        marker=_MARKERS[curve.marker],
        markersize=4,
        capsize=2,
        label=curve.name or None,
    )
    if curve.band:
        low, high = ([y + sign * e for y, e in zip(curve.y, curve.band, strict=True)] for sign in (-1, 1))
        axes.fill_between(curve.x, low, high, color=colour, alpha=0.15, linewidth=0)


def _draw_cells(axes: Any, cells: Cells) -> None:
    shares = [[float("nan") if share is None else share for share in line] for line in cells.shares]
    # Its ends, too dark to write on, stay unused.
    axes.imshow(shares, cmap="RdYlGn", vmin=-0.4, vmax=1.4, aspect="auto")
    for row, line in enumerate(cells.words):
        for column, words in enumerate(line):
            axes.text(column, row, words, ha="center", va="center", fontsize=_SMALL - 1, color="#111111")


def _colour(colour: Colour) -> str:
    return _COLOURS[colour] if isinstance(colour, Named) else f"C{colour}"
