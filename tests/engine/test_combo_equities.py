"""The equity of every combo against the exact counts of each."""

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, combo_of, parse_cards, unblocked
from engine.checks import EquityError
from engine.combo_equities import combo_equities
from engine.ranges import Range, parse_range
from tests.reference.equity import counted
from tests.reference.questions import weights_by_combo


@pytest.mark.parametrize(
    ("board", "hand", "expected"),
    [
        ("Ks7d2h", "2c2s", 0.96655734),
        ("Ks7d2h3c", "2c2s", 0.97793149),
        ("Ks7d2h3c9s", "2c2s", 0.98787879),
        ("Ks7d2h", "AsAh", 0.88811426),
    ],
)
def test_combo_equities_reference_answers(board: str, hand: str, expected: float) -> None:
    values = combo_equities(parse_cards(board))
    assert values[combo_of(*parse_cards(hand))] == pytest.approx(expected, abs=6e-8)
    assert values.dtype == np.float32
    assert not values.flags.writeable


@pytest.mark.parametrize(("board", "dead"), [("Ks7d2h3c", ""), ("KhQhJh2d", "AhAs"), ("5c6c7c8c9c", "2c")])
def test_combo_equities_are_those_of_each_combo(board: str, dead: str) -> None:
    rng = np.random.default_rng(9)
    weights = (rng.random(COMBO_COUNT) * (rng.random(COMBO_COUNT) < 0.05)).astype(np.float32)
    values = combo_equities(parse_cards(board), weights, parse_cards(dead))
    opponent = weights_by_combo(Range(weights))
    for combo in rng.permutation(np.flatnonzero(unblocked(parse_cards(board + dead))))[:12].tolist():
        truth = counted([{combo: 1.0}, opponent], parse_cards(board), parse_cards(dead)).equity[0]
        assert values[combo] == pytest.approx(truth, abs=1e-6)
    assert not values[~unblocked(parse_cards(board + dead))].any()


def test_combo_equities_do_not_depend_on_the_scale_of_the_weights() -> None:
    board = parse_cards("Ks7d2h3c")
    weights = np.random.default_rng(2).random(COMBO_COUNT).astype(np.float32)
    scaled = (weights / 1000).astype(np.float32)
    assert combo_equities(board, scaled) == pytest.approx(combo_equities(board, weights), abs=1e-5)
    ones = np.ones(COMBO_COUNT, dtype=np.float32)
    assert np.array_equal(combo_equities(board, ones), combo_equities(board[::-1]))


def test_combo_equities_without_an_opponent() -> None:
    weights = parse_range("AsAh").weights
    values = combo_equities(parse_cards("Ks7d2h3c9s"), weights)
    assert values[combo_of(*parse_cards("AsKd"))] == 0
    assert values[combo_of(*parse_cards("7c7s"))] == 1
    assert values[combo_of(*parse_cards("3d4d"))] == 0


@pytest.mark.parametrize(("board", "message"), [("", "needs a flop"), ("2c3c", "not 2")])
def test_combo_equities_need_a_flop(board: str, message: str) -> None:
    with pytest.raises(EquityError, match=message):
        combo_equities(parse_cards(board))
