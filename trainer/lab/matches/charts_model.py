"""Chip curves and rank histograms as charts show them, and the curves as CSV."""

import csv
from dataclasses import dataclass
from io import StringIO

from engine.agents.styles import style_label
from engine.agents.value_reasons import percents
from engine.figures.mean import Mean, mean_interval
from engine.lab.matches.counted.curves import CurvePoint
from engine.lab.matches.results import MatchResult
from trainer.lab.matches.match_run import LabResult


@dataclass(frozen=True, slots=True)
class Line:
    """A style's curve: hands, what it had won by then, and between which limits the true value lies."""

    name: str
    hands: tuple[float, ...]
    won: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CurvesView:
    """Curves with the names of their axes, and all in words."""

    lines: tuple[Line, ...]
    across: str
    up: str
    words: str


@dataclass(frozen=True, slots=True)
class PlacesView:
    """Of each style the share of its players, 0-1, that took each place; and all in words."""

    names: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    words: str


def curves_view(result: LabResult, *, is_adjusted: bool) -> CurvesView:
    """Return the curves; `is_adjusted` has the luck of the board of a cash game taken out."""
    is_cash = isinstance(result, MatchResult)
    unit = result.plan.game.big_blind if is_cash else 1
    lines = tuple(
        _line(style_label(style), at, result.curve, unit, is_adjusted=is_adjusted and is_cash)
        for at, style in enumerate(result.plan.styles)
    )
    up = "Big blinds won" if is_cash else "Chips won in a tournament"
    across = "Hands played, all matches one after another" if is_cash else "Hands of a tournament"
    return CurvesView(lines, across, up, _ends(lines, "big blinds" if is_cash else "chips"))


def places_view(result: LabResult) -> PlacesView | None:
    """Return how often each place was taken; None of a cash game, which has none."""
    if isinstance(result, MatchResult):
        return None
    names = tuple(style_label(style.style) for style in result.styles)
    shares = tuple(tuple(count / style.players for count in style.places) for style in result.styles)
    words = "; ".join(
        f"{name}: {', '.join(f'{share} at place {place}' for place, share in enumerate(percents(of_style), 1))}"
        for name, of_style in zip(names, shares, strict=True)
    )
    return PlacesView(names, shares, words)


def curves_csv(result: LabResult) -> str:
    """Write the curves as CSV, in chips: a row for each point of each style."""
    out = StringIO()
    write = csv.writer(out).writerow
    write(
        (
            "hands",
            "style",
            "chips",
            "low_95",
            "high_95",
            "without_luck",
            "without_luck_low_95",
            "without_luck_high_95",
        )
    )
    for point in result.curve:
        for at, style in enumerate(result.plan.styles):
            adjusted = _cells(point.adjusted[at]) if point.adjusted else ("", "", "")
            write((point.hands, style_label(style), *_cells(point.chips[at]), *adjusted))
    return out.getvalue()


def places_csv(result: LabResult) -> str:
    """Write how many players of each style took each place, as CSV; "" of a cash game."""
    if isinstance(result, MatchResult):
        return ""
    out = StringIO()
    write = csv.writer(out).writerow
    write(("style", "players", *(f"place_{place}" for place in range(1, result.plan.seats + 1))))
    for style in result.styles:
        write((style_label(style.style), style.players, *style.places))
    return out.getvalue()


def _line(name: str, at: int, curve: tuple[CurvePoint, ...], unit: int, *, is_adjusted: bool) -> Line:
    """Return a curve from nothing on."""
    hands, won, low, high = [0.0], [0.0], [0.0], [0.0]
    for point in curve:
        mean = (point.adjusted if is_adjusted else point.chips)[at]
        limits = mean_interval(mean) or (mean.value, mean.value)
        hands.append(float(point.hands))
        won.append(mean.value / unit)
        low.append(limits[0] / unit)
        high.append(limits[1] / unit)
    return Line(name, tuple(hands), tuple(won), tuple(low), tuple(high))


def _ends(lines: tuple[Line, ...], unit: str) -> str:
    ends = (f"{line.name} {line.won[-1]:+,.0f} {unit}".replace("-", "−") for line in lines)
    return f"After {lines[0].hands[-1]:,.0f} hands: {', '.join(ends)}" if lines else ""


def _cells(mean: Mean) -> tuple[float | str, float | str, float | str]:
    low, high = mean_interval(mean) or ("", "")
    return mean.value, low, high
