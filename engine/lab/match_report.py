"""A match's result as a table for people, and as JSON."""

from typing import Any

import msgspec

from engine.agents.styles import style_label
from engine.lab.matches import MatchResult, StyleResult, WinRate

NORMAL_95 = 1.959964
"""So many standard errors to each side hold 95% of a normal distribution."""

_HEADINGS = ("Style", "Hands", "bb/100", "Std. error", "95% interval", "VPIP", "PFR", "AF", "ms/decision")


def interval(rate: WinRate) -> tuple[float, float]:
    """Give the 95% confidence interval of a win rate in big blinds per 100 hands.

    That of a normal distribution, which win rates follow over some hundred decks; of a few decks it is too short.

    Examples
    --------
    >>> interval(WinRate(bb_per_100=10.0, stderr=20.0))
    (-29.19928, 49.19928)
    """
    margin = NORMAL_95 * rate.stderr
    return rate.bb_per_100 - margin, rate.bb_per_100 + margin


def as_json(result: MatchResult) -> str:
    """Give a result as one JSON object.

    Returns
    -------
    str
        `styles`, `differences`, `seats`, `rotations`, `decks`, `hands`, `seed`. Units are those of `StyleResult`:
        big blinds per 100 hands, chips, shares 0-1, seconds.
    """
    whole = {
        "styles": [
            {
                "style": style.style,
                "hands": style.hands,
                "net": style.net,
                **_rate_fields(style.win_rate),
                "vpip": style.vpip,
                "pfr": style.pfr,
                "aggression": style.aggression,
                "decisions": style.decisions,
                "decision_seconds": style.decision_seconds,
            }
            for style in result.styles
        ],
        "differences": [
            {"style": one.style, "other": one.other, **_rate_fields(one.rate)} for one in result.differences
        ],
        "seats": result.plan.seats,
        "rotations": result.plan.rotations,
        "decks": result.decks,
        "hands": result.hands,
        "seed": result.plan.seed,
    }
    return msgspec.json.encode(whole).decode()


def as_table(result: MatchResult) -> str:
    """Give a result as lines of text: a row per style, more than two styles compared with each other, the hands."""
    rows: list[tuple[str, ...]] = [_HEADINGS, *(_style_row(style) for style in result.styles)]
    if len(result.styles) > 2:
        rows += [
            (f"{style_label(one.style)} less {style_label(one.other)}", "", *_rate_cells(one.rate), "", "", "", "")
            for one in result.differences
        ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    deals = f"{result.decks:,} decks, each in {result.plan.rotations} rotations"
    return "\n".join([*lines, f"{deals}: {result.hands:,} hands of {result.plan.seats} seats"])


def _rate_fields(rate: WinRate) -> dict[str, Any]:
    return {"bb_per_100": rate.bb_per_100, "stderr": rate.stderr, "interval": interval(rate)}


def _rate_cells(rate: WinRate) -> tuple[str, str, str]:
    low, high = interval(rate)
    return f"{rate.bb_per_100:+.1f}", f"±{rate.stderr:.1f}", f"{low:+.1f} to {high:+.1f}"


def _style_row(style: StyleResult) -> tuple[str, ...]:
    return (
        style_label(style.style),
        f"{style.hands:,}",
        *_rate_cells(style.win_rate),
        *("-" if share is None else f"{100 * share:.1f}%" for share in (style.vpip, style.pfr)),
        "-" if style.aggression is None else f"{style.aggression:.2f}",
        f"{1000 * style.decision_seconds:.2f}",
    )
