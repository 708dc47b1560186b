"""Figure 10 of Li et al. 2017 again: the chips of eight players over the hands of 1, 10 and 100 matches."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import is_clear, mean_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, in_words
from engine.lab.experiments.figures.tables_of_eight import lineup, records_of_eight, tasks_of_eight
from engine.lab.experiments.picture import Axis, Curve, Marker, Panel, Picture
from engine.lab.experiments.records import CURVE_STEP, START, MatchRecord, Task

TITLE = "Figure 10: chips of eight players over the hands of 1, 10 and 100 matches"
PAPER = "In the paper FOLD's lead is stable in the mean of 100 matches, and a single match says little."
MATCHES = 100

_AVERAGED = (1, 10, 100)
_SHOWN_HANDS = 100  # lie between two lines of the table

Curves = NDArray[np.float64]
"""Chips left, shape (matches, players, points)."""


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent with the seven programs."""
    return tasks_of_eight(setting, setting.agents, setting.count(MATCHES))


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Return the mean curve of each player after 1, 10, 100 matches, or as many as there are."""
    count = setting.count(MATCHES)
    curves: dict[str, Curves] = {}
    for agent in setting.agents:
        played = records_of_eight(setting, agent, count, records)
        curves[agent] = START + np.array(
            [[one.of(player).curve for player in lineup(agent)] for one in played], float
        )
    sizes = sorted({min(size, count) for size in _AVERAGED})
    rows = [row for agent, of_agent in curves.items() for size in sizes for row in _rows(agent, of_agent[:size])]
    words = " ".join([PAPER, *(_sentence(agent, of_agent, sizes) for agent, of_agent in curves.items())])
    return Outcome(tuple(rows), _table(curves, sizes), words, _picture(curves, sizes))


def _stderr(curves: Curves) -> Curves:
    """Return the standard error of the mean over matches, shape (players, points); 0 of a single one."""
    count = len(curves)
    error: Curves = curves.std(axis=0, ddof=1) / count**0.5 if count > 1 else np.zeros(curves.shape[1:])
    return error


def _rows(agent: str, curves: Curves) -> list[Row]:
    count, means, errors = len(curves), curves.mean(axis=0), _stderr(curves)
    return [
        Row(
            agent,
            player,
            "",
            "chips left",
            CURVE_STEP * (point + 1),
            float(means[at, point]),
            float(errors[at, point]) if count > 1 else None,
            count,
        )
        for at, player in enumerate(lineup(agent))
        for point in range(curves.shape[2])
    ]


def _table(curves: Mapping[str, Curves], sizes: list[int]) -> str:
    parts = []
    for agent, of_agent in curves.items():
        points = of_agent.shape[2]
        shown = list(range(_SHOWN_HANDS // CURVE_STEP - 1, points, _SHOWN_HANDS // CURVE_STEP)) or [points - 1]
        rows = [["chips left after hand", *(f"{CURVE_STEP * (point + 1):,}" for point in shown)]]
        for size in sizes:
            means = of_agent[:size].mean(axis=0)
            cells = [f"{means[0, point]:,.0f}" for point in shown]
            rows.append([f"{style_label(agent)}, {_matches(size)}", *cells])
        best = 1 + of_agent[:, 1:].mean(axis=0)[:, -1].argmax()
        means = of_agent.mean(axis=0)
        cells = [f"{means[best, point]:,.0f}" for point in shown]
        rows.append([f"best other, {style_label(lineup(agent)[best])}", *cells])
        parts.append(aligned(rows))
    return "\n\n".join(parts)


def _sentence(agent: str, curves: Curves, sizes: list[int]) -> str:
    name, count = style_label(agent), sizes[-1]
    means = curves.mean(axis=0)
    leads = means[0] > means[1:].max(axis=0)
    single = float((curves[:, 0, -1] > curves[:, 1:, -1].max(axis=1)).mean())
    if leads[-1]:
        behind = np.flatnonzero(~leads)
        since = CURVE_STEP * (int(behind[-1]) + 2 if len(behind) else 1)
        apart = mean_of((curves[:, 0, -1] - curves[:, 1 + means[1:, -1].argmax(), -1]).tolist())
        how = f"leads from hand {since:,} on to the end, there by {in_words(apart, 0)} chips" + (
            ", as in the paper" if is_clear(apart) else ", which is no sure lead"
        )
    else:
        first = lineup(agent)[int(means[:, -1].argmax())]
        how = f"ends behind {style_label(first)}, unlike in the paper"
    return (
        f"In the mean of {_matches(count)} {name} {how}; a single match it ends as the only leader in {single:.0%} "
        "of all."
    )


def _matches(count: int) -> str:
    return f"{count} match" + ("es" if count > 1 else "")


def _picture(curves: Mapping[str, Curves], sizes: list[int]) -> Picture:
    measured = " / ".join(map(style_label, curves))
    lines = tuple(
        tuple(_panel(agent, measured, of_agent[:size], is_first=size == sizes[0]) for size in sizes)
        for agent, of_agent in curves.items()
    )
    return Picture(lines, max(4.4 * len(sizes), 8.8), 3.8 * len(curves) + 0.4, has_shared_legend=True)


def _panel(agent: str, measured: str, curves: Curves, *, is_first: bool) -> Panel:
    hands = tuple(float(CURVE_STEP * point) for point in range(curves.shape[2] + 1))
    means, errors = curves.mean(axis=0), _stderr(curves)
    marks = tuple(
        Curve(
            hands,
            (float(START), *means[at].tolist()),
            style_label(player) if at else measured,
            at,
            marker=Marker.NONE,
            band=(0.0, *errors[at].tolist()) if len(curves) > 1 else (),
            width=1.1 if at else 2.6,
        )
        for at, player in enumerate(lineup(agent))
    )
    up = f"chips left, with {style_label(agent)}" if is_first else ""
    return Panel(marks, Axis("hands"), Axis(up), _matches(len(curves)))
