from dataclasses import dataclass
from math import exp

import pytest

from engine.lab.gains import Gain, GainError, gains_of
from engine.lab.reading import ScoredPoint, clustered_stderr


@dataclass
class Made:
    """Points of one player by (hand, street, hands seen, loss)."""

    rows: list[tuple[int, int, int, float]]

    def points(self, is_live: bool = True) -> list[ScoredPoint]:
        return [
            ScoredPoint(hand, "Ann", seen, street, is_live, exp(-loss), 0, 0, 0, 0, 0, False, False, 0)
            for hand, street, seen, loss in self.rows
        ]


OURS = Made([(0, 0, 0, 6.0), (0, 1, 0, 5.0), (1, 0, 12, 6.5), (2, 3, 1500, 4.0)])
THEIRS = Made([(0, 0, 0, 6.5), (0, 1, 0, 6.0), (1, 0, 12, 6.0), (2, 3, 1500, 4.2)])


def by_group(gains: tuple[Gain, ...]) -> dict[str, Gain]:
    return {gain.group: gain for gain in gains}


def test_gains_are_mean_differences() -> None:
    found = by_group(gains_of(OURS.points(), THEIRS.points()))
    assert found["all"].gain == pytest.approx((0.5 + 1.0 - 0.5 + 0.2) / 4)
    assert found["preflop"].gain == pytest.approx(0.0)
    assert (found["turn"].points, found["turn"].gain) == (0, None)
    assert found["0 to 9 hands seen"].gain == pytest.approx(0.75)
    assert found["10 to 49 hands seen"].gain == pytest.approx(-0.5)
    assert found["1000 or more hands seen"].gain == pytest.approx(0.2)
    assert found["1000 or more hands seen"].stderr is None


def test_errors_are_clustered_by_hand() -> None:
    import numpy as np

    found = by_group(gains_of(OURS.points(), THEIRS.points()))
    expected = clustered_stderr(np.array([0.5, 1.0, -0.5, 0.2]), np.array([0, 0, 1, 2]))
    assert found["all"].stderr == pytest.approx(expected)


def test_folded_targets_do_not_count() -> None:
    assert by_group(gains_of(OURS.points(is_live=False), THEIRS.points(is_live=False)))["all"].points == 0


def test_other_points_are_refused() -> None:
    with pytest.raises(GainError, match="same points"):
        gains_of(OURS.points(), THEIRS.points()[:2])
