"""The equity of every combo against the exact counts of each."""

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, combo_of, parse_cards, unblocked
from engine.equity.checks import EquityError
from engine.equity.combos import combo_equities
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


@pytest.mark.every(3)
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


def test_combo_equities_before_the_flop() -> None:
    weights = parse_range("AsAh").weights
    equities = combo_equities((), weights)
    assert equities[combo_of(*parse_cards("AdAc"))] == pytest.approx(0.5)
    assert equities[combo_of(*parse_cards("AsKs"))] == 0
    assert equities[combo_of(*parse_cards("QdQs"))] == pytest.approx(0.19, abs=0.01)
    assert np.array_equal(combo_equities(()), combo_equities((), np.ones(COMBO_COUNT)))


@pytest.mark.parametrize("text", ["Ks7d2h3c", "Ks7d2h3c9s"])
def test_weights_may_be_of_any_size(text: str) -> None:
    board = parse_cards(text)
    weights = parse_range("22+,A2s+:0.5").weights.astype(np.float64)
    expected = combo_equities(board, weights)
    for scale in (1e-300, 1e305):
        assert combo_equities(board, weights * scale) == pytest.approx(expected, abs=1e-6)
    assert np.array_equal(combo_equities(board, np.full(COMBO_COUNT, 5e-324)), combo_equities(board))


@pytest.mark.parametrize(
    ("board", "dead", "message"),
    [
        ("2c3c", "", "not 2"),
        ("2c3c4c5c6c7c", "", "not 6"),
        ("2c3c4c", "4c", "4c is on the board and"),
        ("", "4c", "Before the flop every card"),
        (
            "Kc3d4c",
            "".join(f"{rank}{suit}" for rank in "56789TJQA2" for suit in "cdhs") + "KhKsKd3c",
            "cannot be dealt",
        ),
    ],
)
def test_combo_equities_refuse_cards(board: str, dead: str, message: str) -> None:
    for weights in (None, np.ones(COMBO_COUNT)):
        with pytest.raises(EquityError, match=message):
            combo_equities(parse_cards(board), weights, parse_cards(dead))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(1325), "1326 weights"),
        (np.full(COMBO_COUNT, np.nan), "finite"),
        (np.full(COMBO_COUNT, np.inf), "finite"),
        (np.full(COMBO_COUNT, -1.0), "not negative"),
        (np.full(COMBO_COUNT, 1j), "numbers as weights"),
    ],
)
def test_combo_equities_refuse_weights(weights: np.ndarray, message: str) -> None:
    for board in ("Ks7d2h", "Ks7d2h3c9s"):
        with pytest.raises(EquityError, match=message):
            combo_equities(parse_cards(board), weights)


@pytest.mark.parametrize("kind", [bool, np.int8, np.float16, np.float32, np.float64])
def test_weights_of_a_river_may_be_any_numbers(kind: type) -> None:
    board, weights = parse_cards("Ks7d2h3c9s"), np.arange(COMBO_COUNT) % 3 > 0
    expected = combo_equities(board, weights.astype(np.float64))
    given = np.repeat(weights.astype(kind), 2)[::2]
    given.setflags(write=False)
    assert np.array_equal(combo_equities(board, given), expected)
    assert not combo_equities(board, given).flags.writeable
    cards = [np.uint8(card) for card in board]
    assert np.array_equal(combo_equities(cards, given), expected)
