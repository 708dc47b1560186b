"""What one reader gains on another on the same decision points, by street and by how well the target is known.

A gain is the log-loss of the other reader less that of the first, in nats; more is better. Differences on the same
points have far smaller standard errors than the losses themselves.
"""

from collections.abc import Iterator, Sequence
from math import log

import numpy as np
from msgspec import Struct

from engine.lab.reading import FLOOR, STREETS, ScoredPoint, clustered_stderr

HANDS_SEEN = (0, 10, 50, 200, 1000)
"""From how many hands of a target that were learned before each group of points begins."""


class GainError(ValueError):
    """Scores that are not of the same points."""


class Gain(Struct, frozen=True):
    """What a reader gains on another on some live points.

    Attributes
    ----------
    group : str
        A street, "all", or such as "10 to 49 hands seen".
    points : int
    gain : float or None
        In nats per point; None without points.
    stderr : float or None
        Clustered by hand; None with fewer than two hands.
    """

    group: str
    points: int
    gain: float | None = None
    stderr: float | None = None


def gains_of(points: Sequence[ScoredPoint], others: Sequence[ScoredPoint]) -> tuple[Gain, ...]:
    """Compare two readers point by point, on live points.

    Parameters
    ----------
    points, others : sequence of ScoredPoint
        Of the same hands in the same order, by two readers.

    Returns
    -------
    tuple of Gain
        By street, all, and by hands seen.

    Raises
    ------
    GainError
        If the points are not the same.

    Examples
    --------
    >>> [gain.group for gain in gains_of([], [])][:5]
    ['preflop', 'flop', 'turn', 'river', 'all']
    """
    if [_place(point) for point in points] != [_place(point) for point in others]:
        raise GainError("The two readers were not scored on the same points.")
    live = [(ours, theirs) for ours, theirs in zip(points, others, strict=True) if ours.is_live]
    found = []
    for group, chosen in _groups([ours for ours, _ in live]):
        pairs = [pair for pair, is_in in zip(live, chosen, strict=True) if is_in]
        if not pairs:
            found.append(Gain(group, 0))
            continue
        values = np.array([_loss(theirs) - _loss(ours) for ours, theirs in pairs])
        hands = np.array([ours.hand for ours, _ in pairs], dtype=np.int64)
        found.append(Gain(group, len(pairs), float(values.mean()), clustered_stderr(values, hands)))
    return tuple(found)


def _place(point: ScoredPoint) -> tuple[int, str, int, bool]:
    return point.hand, point.player, point.street, point.is_live


def _loss(point: ScoredPoint) -> float:
    return -log(max(point.probability, FLOOR))


def _groups(points: Sequence[ScoredPoint]) -> Iterator[tuple[str, list[bool]]]:
    for name, street in STREETS.items():
        yield name, [point.street == street for point in points]
    yield "all", [True] * len(points)
    for least, most in zip(HANDS_SEEN, (*HANDS_SEEN[1:], None), strict=True):
        name = f"{least} or more hands seen" if most is None else f"{least} to {most - 1} hands seen"
        yield name, [least <= point.hands_seen and (most is None or point.hands_seen < most) for point in points]
