"""How much ranges weigh; the shares are tested with the whole, in `tests.engine.test_multiway`."""

import numpy as np
import pytest

from engine.cards import unblocked
from engine.kernels.multiway_shares import weigh_ranges


def test_ranges_are_weighed_without_what_is_blocked() -> None:
    ranges = np.random.default_rng(2).random((3, 1326))
    known, totals = np.uint64(1 << 51 | 1 << 17 | 1), np.empty(3)
    assert weigh_ranges(ranges, known, totals)
    assert totals == pytest.approx(ranges @ unblocked((51, 17, 0)))
    ranges[1] = ~unblocked((51, 17, 0))
    assert weigh_ranges(ranges, known, totals)
    assert totals[1] == 0


@pytest.mark.parametrize("weight", [-1e-9, np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("combo", [0, 1, 777, 1325])
def test_weights_that_cannot_be_added_are_noticed(weight: float, combo: int) -> None:
    ranges = np.ones((2, 1326))
    ranges[1, combo] = weight
    assert not weigh_ranges(ranges, np.uint64(0), np.empty(2))


def test_ranges_of_next_to_nothing_are_noticed() -> None:
    for weight in (0.0, 1e-200):
        assert not weigh_ranges(np.full((1, 1326), weight), np.uint64(0), np.empty(1))
