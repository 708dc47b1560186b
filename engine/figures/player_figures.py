"""Figures of a player over many hands: what they do, what they win, and how well that is known."""

from collections.abc import Mapping
from enum import StrEnum
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.figures.mean import NORMAL_95, Mean
from engine.figures.seat_hands import SHARES, SeatHands, is_showdown, share_of
from engine.game.statistics import PlayerStatistics, Ratio
from engine.game.summary import POSITIONS

HANDS_TO_ESTIMATE = 500
"""With fewer nothing is said about how many hands are needed: how much hands vary is not known well enough."""

KNOWN_TO = 5.0
"""Big blinds per 100 hands to each side that a win rate is known to when it is called known."""


class Line(StrEnum):
    """What is followed hand by hand, in big blinds.

    What was won in hands that the player went to showdown with, and in the others; what was won without the luck of
    the boards that were dealt when all were all-in; and without the luck of all boards.
    """

    NET = "net"
    SHOWDOWN = "showdown"
    NON_SHOWDOWN = "non-showdown"
    ALL_IN = "all-in adjusted"
    VALUE = "value-adjusted"


class PlayerFigures(Struct, frozen=True):
    """What a player did and won over hands.

    Attributes
    ----------
    counts : PlayerStatistics
        Sums over the hands.
    rates : mapping of Line to Mean
        Big blinds per 100 hands, the standard error as of hands that are independent of each other. A line is
        missing if a hand lacks the hole cards that it takes.
    """

    counts: PlayerStatistics
    rates: Mapping[Line, Mean]


def figures_of(rows: SeatHands) -> PlayerFigures:
    """Return the figures of a player over one hand or more."""
    rates = {}
    for line in Line:
        values = values_of(rows, line)
        if not np.isnan(values).any():
            error = 100 * float(values.std(ddof=1)) / sqrt(len(rows)) if len(rows) > 1 else None
            rates[line] = Mean(100 * float(values.mean()), error, len(rows))
    counts = PlayerStatistics(
        hands=len(rows),
        aggression=Ratio(int(rows["aggressive"].sum(dtype=np.int64)), int(rows["calls"].sum(dtype=np.int64))),
        net=int(rows["net"].sum()),
        net_bb=float(rows["net_bb"].sum()),
        **{name: share_of(rows, name) for name in SHARES},
    )
    return PlayerFigures(counts, rates)


def by_position(rows: SeatHands) -> dict[str, PlayerFigures]:
    """Return a player's figures at each position where they have been, in the order of `POSITIONS`."""
    return {
        name: figures_of(rows[rows["position"] == at])
        for at, name in enumerate(POSITIONS)
        if (rows["position"] == at).any()
    }


def values_of(rows: SeatHands, line: Line) -> NDArray[np.float64]:
    """Return what each hand adds to a line, in big blinds; NaN where it takes cards that are not known."""
    if line in (Line.SHOWDOWN, Line.NON_SHOWDOWN):
        counts = is_showdown(rows) == (line is Line.SHOWDOWN)
        return np.where(counts, rows["net_bb"], 0.0)
    field = {Line.NET: "net_bb", Line.ALL_IN: "all_in_bb", Line.VALUE: "value_bb"}[line]
    return np.asarray(rows[field], np.float64)


def hands_to_know(rate: Mean) -> int | None:
    """Return after how many hands a win rate is known to `KNOWN_TO` to each side, with 95% confidence.

    None before `HANDS_TO_ESTIMATE`, and where all hands came to the same. The number follows from how much hands
    so far vary, which is itself known roughly: of 500 hands of one player it is out by a third in the mean.

    >>> hands_to_know(Mean(value=8.0, stderr=25.0, observations=1600))
    153658
    """
    if rate.observations < HANDS_TO_ESTIMATE or not rate.stderr:
        return None
    return round(rate.observations * (NORMAL_95 * rate.stderr / KNOWN_TO) ** 2)
