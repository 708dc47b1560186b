"""Figure 11 of the ensemble paper again: what four agents win from O random while they play."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.commands import aligned
from engine.lab.evolution.run import Job
from engine.lab.experiments.ensemble.ensemble_experiment import MBB, Measured, sets_made_by
from engine.lab.experiments.ensemble.matches import O_RANDOM, POINT_HANDS, Match
from engine.lab.experiments.ensemble.sets import A_AVE, A_BASE, A_INT, A_STAR, PolicySet
from engine.lab.experiments.ensemble.table3 import PAPER_ROWS, label, matches_with
from engine.lab.experiments.experiment import Outcome, Row, Setting
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture, Stroke
from engine.words import listed

TITLE = "Figure 11: what four agents win from O random while they play"
PAPER = (
    "In the paper A* is ahead of the base and that of A-int and A-ave while they play; its figure prints no "
    "numbers but the means of table 3."
)
TAKES_SETS = True

AVERAGED: Final = 5_000
"""Hands over whose winnings a point is the mean, the last ones."""

FOUR: Final = (A_STAR, A_BASE, A_INT, A_AVE)

_SHOWN = 5_000  # hands between two lines of the table

Points = NDArray[np.float64]
"""Big blinds a hand, shape (sets, points)."""


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return nothing beside the sets."""
    return []


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return the matches with O random of table 3."""
    return [(match, one) for one in sets for agent in FOUR for match in matches_with(setting, one, agent, O_RANDOM)]


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return the mean over the last hands, every so many hands, over matches and sets."""
    points = {agent: _points(setting, measured, agent) for agent in FOUR}
    hands = [AVERAGED + POINT_HANDS * at for at in range(next(iter(points.values())).shape[1])]
    return Outcome(
        tuple(_rows(points, hands)),
        _table(points, hands),
        f"{PAPER} {_sentences(points, hands)} {sets_made_by(measured)}",
        _picture(points, hands),
    )


def _points(setting: Setting, measured: Measured, agent: str) -> Points:
    window = np.ones(AVERAGED // POINT_HANDS) / (AVERAGED // POINT_HANDS)
    of_sets = []
    for one in measured.sets:
        curves = [measured.played[match].curve for match in matches_with(setting, one, agent, O_RANDOM)]
        of_sets.append(np.convolve(np.mean(curves, axis=0), window, "valid"))
    return np.array(of_sets)


def _error(points: Points) -> Points:
    error: Points = points.std(axis=0, ddof=1) / len(points) ** 0.5
    return error


def _rows(points: dict[str, Points], hands: list[int]) -> list[Row]:
    measure = f"mbb a hand over the last {AVERAGED:,} hands; count: sets"
    return [
        Row(agent, agent, O_RANDOM, measure, at, MBB * float(value), MBB * float(error), len(found))
        for agent, found in points.items()
        for at, value, error in zip(hands, found.mean(axis=0), _error(found), strict=True)
    ]


def _table(points: dict[str, Points], hands: list[int]) -> str:
    rows = [["mbb a hand up to hand", *map(label, points)]]
    for at, hand in enumerate(hands):
        if hand % _SHOWN == 0:
            cells = [
                f"{MBB * found[:, at].mean():,.0f} ± {MBB * _error(found)[at]:,.0f}" for found in points.values()
            ]
            rows.append([f"{hand:,}", *cells])
    return aligned(rows)


def _sentences(points: dict[str, Points], hands: list[int]) -> str:
    parts = []
    for agent, other in pairwise(FOUR):
        ahead = (points[agent].mean(axis=0) > points[other].mean(axis=0)).mean()
        parts.append(f"{label(agent)} is ahead of {label(other)} at {ahead:.0%}")
    first = {agent: MBB * found[:, 0].mean() for agent, found in points.items()}
    last = {agent: MBB * found[:, -1].mean() for agent, found in points.items()}
    star = f"A* wins {first[A_STAR]:,.0f} in the first {AVERAGED:,} hands and {last[A_STAR]:,.0f} in the last"
    return f"Of the {len(hands)} points {listed(parts)} of them. {star}, up to hand {hands[-1]:,}."


def _picture(points: dict[str, Points], hands: list[int]) -> Picture:
    ours = tuple(
        Curve(
            tuple(map(float, hands)),
            tuple(found.mean(axis=0).tolist()),
            label(agent),
            number,
            marker=Marker.NONE,
            band=tuple(_error(found).tolist()),
        )
        for number, (agent, found) in enumerate(points.items())
    )
    paper = tuple(
        Level(PAPER_ROWS[agent][-1] / MBB, f"{label(agent)}, mean", number, Stroke.DASHED)
        for number, agent in enumerate(points)
    )
    zero = Level(0.0, "", Named.GREY)
    high = max(row[-1] for row in PAPER_ROWS.values()) / MBB + 0.5
    return Picture(
        (
            (
                Panel((*ours, zero), Axis("hands"), Axis(f"big blinds a hand, last {AVERAGED:,} hands"), "ours"),
                Panel(
                    (*paper, zero),
                    Axis(ticks=((0.0, " "),), low=0.0, high=1.0),
                    Axis(low=-2.0, high=high),
                    "the paper's means",
                    weight=0.4,
                ),
            ),
        ),
        11,
        4.4,
    )
