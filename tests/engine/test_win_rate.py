"""One hand against predictions: exact where it can be, honest where it is sampled."""

from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, combo_of, parse_cards
from engine.checks import EquityError
from engine.equity import Method
from engine.preflop import equity_against_random
from engine.ranges import Range, parse_range
from engine.win_rate import win_rate, win_rate_random
from tests.reference.equity import counted
from tests.reference.questions import R1, R25, ask, final, weights_by_combo

HERO = (parse_cards("AhKh")[0], parse_cards("AhKh")[1])


def prediction(text: str) -> NDArray[np.float32]:
    weights = parse_range(text).weights
    return (weights / weights.sum()).astype(np.float32)


@pytest.mark.parametrize("board", ["Ks7d2h3c9s", "Ks7d2h3c"])
def test_win_rate_against_one_prediction_is_exact(board: str) -> None:
    theirs = prediction("QQ+:0.5,AK,76s,72o:0.1")
    answer = win_rate(HERO, [theirs], parse_cards(board), deals=500, seed=0)
    truth = counted([{combo_of(*HERO): 1.0}, weights_by_combo(Range(theirs))], parse_cards(board))
    assert answer.value == pytest.approx(truth.equity[0], abs=1e-7)
    assert (answer.stderr, answer.count, answer.method) == (0, truth.showdowns, Method.EXACT)


@pytest.mark.parametrize(
    "texts",
    [("QQ+", "AK,22+:0.5"), ("AA,KK", "AA,AQs:0.2", "KK,KQs"), ("AsAd", "AsAc,QQ:0.001", "QQ")],
    ids=["wide", "narrow", "hardly ever possible"],
)
def test_win_rate_against_several_predictions(texts: tuple[str, ...]) -> None:
    board = parse_cards("Ks7d2h3c9s")
    ranges = [parse_range(text) for text in texts]
    truth = counted([{combo_of(*HERO): 1.0}, *(weights_by_combo(hands) for hands in ranges)], board)
    answer = win_rate(HERO, [prediction(text) for text in texts], board, deals=40_000, seed=4)
    assert abs(answer.value - truth.equity[0]) < 4 * answer.stderr + 1e-9
    assert (answer.count, answer.method) == (40_000, Method.SAMPLED)


def test_win_rate_is_reproducible_and_honest() -> None:
    theirs = [prediction(R25), prediction(R1)]
    runs = [win_rate(HERO, theirs, parse_cards("Js7s2h"), deals=400, seed=seed) for seed in range(200)]
    assert runs[3] == win_rate(HERO, theirs, parse_cards("Js7s2h"), deals=400, seed=3)
    spread = np.std([run.value for run in runs], ddof=1)
    assert spread / np.mean([run.stderr for run in runs]) == pytest.approx(1, abs=4 / sqrt(2 * 199))


def test_win_rate_before_the_flop() -> None:
    # AhKh against QQ and KK by the heads-up counts of each: 12 and 6 live combos.
    exact = final(ask("AhKh", "QQ+"))
    answer = win_rate(HERO, [prediction("QQ+")], (), deals=200_000, seed=8)
    assert abs(answer.value - exact.players[0].equity) < 4 * answer.stderr


def test_predictions_that_contradict_each_other_still_get_an_answer() -> None:
    board = parse_cards("Ks7d2h3c9s")
    aces = prediction("AcAd")
    nothing = np.zeros(COMBO_COUNT, dtype=np.float32)
    against_any = win_rate_random(HERO, 1, board, deals=2, seed=0)
    assert win_rate(HERO, [nothing], board, deals=500, seed=0) == against_any
    # One has the aces, the other any two cards: the aces always win against a pair of kings.
    both = win_rate(HERO, [aces, aces], board, deals=500, seed=0)
    assert (both.value, both.method) == (0, Method.SAMPLED)
    one = win_rate(HERO, [nothing, prediction("4s5d")], board, deals=20_000, seed=0)
    two = win_rate(HERO, [prediction("random"), prediction("4s5d")], board, deals=20_000, seed=1)
    assert abs(one.value - two.value) < 4 * sqrt(one.stderr**2 + two.stderr**2)


def test_win_rate_against_random_hands() -> None:
    flop = parse_cards("Ks7d2h")
    exact = win_rate_random(HERO, 1, flop, deals=2, seed=0)
    assert exact.method is Method.EXACT
    assert exact.value == pytest.approx(final(ask("AhKh", "random", board="Ks7d2h")).players[0].equity, abs=1e-6)
    assert exact.count == final(ask("AhKh", "random", board="Ks7d2h")).count
    table = win_rate_random(HERO, 3, (), deals=2, seed=0)
    assert table.value == equity_against_random(3)[combo_of(*HERO)]
    assert table.method is Method.TABLE
    assert 0 < table.stderr < 0.001
    several = win_rate_random(HERO, 3, flop, deals=20_000, seed=1)
    sampled = final(ask("AhKh", "random", "random", "random", board="Ks7d2h", samples=100_000)).players[0]
    assert abs(several.value - sampled.equity) < 4 * sqrt(several.stderr**2 + sampled.stderr**2)


@pytest.mark.parametrize(
    ("hand", "opponents", "board", "deals", "message"),
    [
        ("AhKh", 0, "", 500, "1 to 9 opponents, not 0"),
        ("AhKh", 10, "", 500, "1 to 9 opponents, not 10"),
        ("AhKh", 2, "Ah2c3c", 500, "The card Ah is in AhKh and on the board"),
        ("AhKh", 2, "2c3c", 500, "not 2"),
        ("AhKh", 2, "", 1, "At least 2 deals"),
    ],
)
def test_win_rate_refuses(hand: str, opponents: int, board: str, deals: int, message: str) -> None:
    first, second = parse_cards(hand)
    everything = [np.ones(COMBO_COUNT, dtype=np.float32)] * opponents
    with pytest.raises(EquityError, match=message):
        win_rate((first, second), everything, parse_cards(board), deals=deals, seed=0)
    with pytest.raises(EquityError, match=message):
        win_rate_random((first, second), opponents, parse_cards(board), deals=deals, seed=0)
