"""Figures of a player over many hands: what they do, what they win, and how well that is known."""

from collections.abc import Mapping
from enum import StrEnum
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import HandClass
from engine.figures.mean import NORMAL_95, Mean
from engine.figures.seat_hands import SHARES, SeatHands, is_showdown
from engine.game.statistics import PlayerStatistics, Ratio
from engine.game.summary import POSITIONS

HANDS_TO_ESTIMATE = 500
"""With fewer nothing is said about how many hands are needed: how much hands vary is not known well enough."""

KNOWN_TO = 5.0
"""Big blinds per 100 hands to each side that a win rate is known to when it is called known."""


_ROUNDING = 1e-12
"""Of a mean square: a variance below is none."""


class Line(StrEnum):
    """What is followed hand by hand, in big blinds.

    What was won in hands that the player went to showdown with, and in the others; what was won without the luck of
    the boards that were dealt when all were all-in; and without the luck of all boards. Above folding is how much
    more was won than if each hand had been folded at once, which costs what was posted; all-in adjusted.
    """

    NET = "net"
    SHOWDOWN = "showdown"
    NON_SHOWDOWN = "non-showdown"
    ALL_IN = "all-in adjusted"
    VALUE = "value-adjusted"
    ABOVE_FOLDING = "above folding"


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
    return figures_from(sums_of(rows, np.zeros(1, np.int64))[0])


def sums_of(rows: SeatHands, starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what figures follow from, summed up over runs of hands; sums of several runs are added.

    Parameters
    ----------
    rows : ndarray of SEAT_HAND
    starts : ndarray of int64, shape (runs,)
        Where each run begins, rising, the first at 0; it ends where the next begins.

    Returns
    -------
    ndarray of float64, shape (runs, sums)
    """
    columns: list[NDArray[np.generic]] = [np.ones(len(rows)), rows["aggressive"], rows["calls"], rows["net"]]
    for flags in ("chances", "done"):
        columns += [rows[flags] >> bit & 1 for bit in range(len(SHARES))]
    for line in Line:
        values = values_of(rows, line)
        is_missing = np.isnan(values)
        known = np.where(is_missing, 0.0, values)
        columns += [known, known**2, is_missing]
    found = np.empty((len(starts), len(columns)))
    for at, column in enumerate(columns):
        np.add.reduceat(column, starts, dtype=np.float64, out=found[:, at])
    return found


def figures_from(sums: NDArray[np.float64]) -> PlayerFigures:
    """Return the figures that sums of one hand or more, of shape (sums,), come to."""
    hands, aggressive, calls, net = (int(value) for value in sums[:4])
    chances, done = sums[4 : 4 + len(SHARES)], sums[4 + len(SHARES) : 4 + 2 * len(SHARES)]
    of_lines = sums[4 + 2 * len(SHARES) :].reshape(len(Line), 3)
    rates = {}
    for line, (total, squares, missing) in zip(Line, of_lines.tolist(), strict=True):
        if not missing:
            mean = total / hands
            variance = max(squares - hands * mean**2, 0.0) / (hands - 1) if hands > 1 else 0.0
            # Of hands that all came to the same no more than rounding is left.
            error = 100 * sqrt(variance / hands) if variance > _ROUNDING * squares / hands else 0.0
            rates[line] = Mean(100 * mean, error if hands > 1 else None, hands)
    counts = PlayerStatistics(
        hands=hands,
        aggression=Ratio(aggressive, calls),
        net=net,
        net_bb=float(of_lines[0, 0]),
        **{name: Ratio(int(done[at]), int(chances[at])) for at, name in enumerate(SHARES)},
    )
    return PlayerFigures(counts, rates)


def by_position(rows: SeatHands) -> dict[str, PlayerFigures]:
    """Return a player's figures at each position where they have been, in the order of `POSITIONS`."""
    return {POSITIONS[at]: figures for at, figures in by_key(rows, rows["position"]).items()}


def by_hand_class(rows: SeatHands, classes: NDArray[np.integer]) -> dict[HandClass, PlayerFigures]:
    """Return a player's figures with each hand class that they have held, in rising order.

    `classes`, shape (hands,), are those of their hole cards, -1 where these are not known.
    """
    is_known = classes >= 0
    return {HandClass(at): figures for at, figures in by_key(rows[is_known], classes[is_known]).items()}


def by_key(rows: SeatHands, keys: NDArray[np.integer]) -> dict[int, PlayerFigures]:
    """Return the figures of the hands of each key, in rising order; `keys` has shape (hands,), none below 0."""
    order = np.argsort(keys, kind="stable")
    rows, keys = rows[order], keys[order]
    starts = np.flatnonzero(np.diff(keys.astype(np.int64), prepend=-1))
    sums = sums_of(rows, starts)
    return {key: figures_from(each) for key, each in zip(keys[starts].tolist(), sums, strict=True)}


def values_of(rows: SeatHands, line: Line) -> NDArray[np.float64]:
    """Return what each hand adds to a line, in big blinds; NaN where it takes cards that are not known."""
    if line in (Line.SHOWDOWN, Line.NON_SHOWDOWN):
        counts = is_showdown(rows) == (line is Line.SHOWDOWN)
        return np.where(counts, rows["net_bb"], 0.0)
    if line is Line.ABOVE_FOLDING:
        return np.asarray(rows["all_in_bb"] + rows["posted_bb"], np.float64)
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
