"""Figures of many hands, against sums made hand by hand and what statistics is known of them."""

from math import sqrt
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import class_of, combo_of
from engine.figures.mean import Mean
from engine.figures.player_figures import (
    HANDS_TO_ESTIMATE,
    Line,
    by_hand_class,
    by_position,
    figures_of,
    hands_to_know,
    values_of,
)
from engine.figures.seat_hands import SEAT_HAND, SeatHands, seat_hands
from engine.game.phh import RecordedHand
from engine.game.statistics import PlayerStatistics, count_hand
from engine.game.summary import positions
from tests.engine.lab.recorded import random_hand


def of_player(name: str, hands: list[RecordedHand]) -> SeatHands:
    rows = [seat_hands(hand.events, hand.hole_cards)[hand.players.index(name)] for hand in hands]
    return np.array(rows, SEAT_HAND)


def counted(name: str, hands: list[RecordedHand]) -> PlayerStatistics:
    total = PlayerStatistics()
    for hand in hands:
        total += count_hand(hand.events)[hand.players.index(name)]
    return total


@given(seed=st.integers(0, 2**32), count=st.integers(1, 8))
def test_figures_are_the_sums_of_the_hands(seed: int, count: int) -> None:
    hands = [random_hand(seed + number, 4) for number in range(count)]
    rows, total = of_player("name 1", hands), counted("name 1", hands)
    figures = figures_of(rows)
    assert figures.counts.net_bb == pytest.approx(total.net_bb)
    for field in PlayerStatistics.__struct_fields__:
        if field != "net_bb":
            assert getattr(figures.counts, field) == getattr(total, field), field
    nets = [count_hand(hand.events)[hand.players.index("name 1")].net_bb for hand in hands]
    rate = figures.rates[Line.NET]
    assert rate.value == pytest.approx(100 * mean(nets))
    assert rate.observations == count
    if count == 1:
        assert rate.stderr is None
    else:
        assert rate.stderr == pytest.approx(100 * stdev(nets) / sqrt(count))
    assert figures.rates[Line.SHOWDOWN].value + figures.rates[Line.NON_SHOWDOWN].value == pytest.approx(rate.value)


def test_positions_share_out_all_hands() -> None:
    hands = [random_hand(number, 6) for number in range(40)]
    rows = of_player("name 2", hands)
    found = by_position(rows)
    expected: dict[str, list[RecordedHand]] = {}
    for hand in hands:
        expected.setdefault(positions(hand.events)[hand.players.index("name 2")], []).append(hand)
    assert list(found) == ["UTG", "HJ", "CO", "BTN", "SB", "BB"]
    for position, figures in found.items():
        total = counted("name 2", expected[position])
        assert (figures.counts.hands, figures.counts.net) == (len(expected[position]), total.net)
        assert figures.counts.vpip == total.vpip


def test_hand_classes_share_out_the_hands_whose_cards_are_known() -> None:
    hands = [random_hand(number, 6) for number in range(400)]
    rows = of_player("name 2", hands)
    own = [hand.hole_cards[hand.players.index("name 2")] for hand in hands]
    classes = np.array([class_of(combo_of(*cards)) if cards is not None else -1 for cards in own])
    classes[:40] = -1
    found = by_hand_class(rows, classes)
    expected: dict[int, list[RecordedHand]] = {}
    for hand, hand_class in zip(hands[40:], classes[40:].tolist(), strict=True):
        expected.setdefault(hand_class, []).append(hand)
    assert list(found) == sorted(expected)
    for hand_class, figures in found.items():
        total = counted("name 2", expected[hand_class])
        assert (figures.counts.hands, figures.counts.net) == (total.hands, total.net)
        assert figures.counts.vpip == total.vpip


def test_the_lines_part_showdowns_from_other_hands() -> None:
    hands = [random_hand(number, 3) for number in range(30)]
    rows = of_player("name 0", hands)
    showdown, other = values_of(rows, Line.SHOWDOWN), values_of(rows, Line.NON_SHOWDOWN)
    for hand, at, without in zip(hands, showdown.tolist(), other.tolist(), strict=True):
        counts = count_hand(hand.events)[hand.players.index("name 0")]
        assert (at, without) == ((counts.net_bb, 0) if counts.went_to_showdown.done else (0, counts.net_bb))
    assert showdown.any()
    assert other.any()


def test_lines_that_take_unknown_cards_are_left_out() -> None:
    rows = of_player("name 0", [random_hand(number, 3) for number in range(5)])
    rows["value_bb"][2] = np.nan
    assert Line.VALUE not in figures_of(rows).rates
    assert Line.ALL_IN in figures_of(rows).rates


def test_after_so_many_hands_the_rate_is_known() -> None:
    """Of hands that vary so, as many as it says have an interval of five big blinds to each side."""
    spread_bb, hands = 9.0, 2500
    needed = hands_to_know(Mean(4.0, 100 * spread_bb / sqrt(hands), hands))
    assert needed is not None
    error = 100 * spread_bb / sqrt(needed)
    assert NormalDist(0, error).cdf(5) - NormalDist(0, error).cdf(-5) == pytest.approx(0.95, abs=1e-4)


def test_of_few_hands_or_of_equal_ones_nothing_is_said() -> None:
    assert hands_to_know(Mean(4.0, 50.0, HANDS_TO_ESTIMATE - 1)) is None
    assert hands_to_know(Mean(4.0, 50.0, HANDS_TO_ESTIMATE)) is not None
    assert hands_to_know(Mean(0.0, 0.0, 10_000)) is None
    assert hands_to_know(Mean(0.0, None, 1)) is None


@pytest.mark.slow
def test_intervals_hold_the_true_rate_also_of_few_hands() -> None:
    """Of hands drawn from many that were played by chance, whose rate is known, 95% of intervals hold it."""
    from engine.figures.mean import mean_interval

    rows = np.concatenate([seat_hands(hand.events, hand.hole_cards) for hand in map(random_hand, range(1500))])
    lot = np.random.default_rng(1)
    truth = figures_of(rows).rates[Line.VALUE].value
    for count in (20, 100, 500):
        held = 0
        for _ in range(400):
            limits = mean_interval(figures_of(rows[lot.integers(len(rows), size=count)]).rates[Line.VALUE])
            assert limits is not None
            held += limits[0] <= truth <= limits[1]
        assert held / 400 >= 0.95 - 4 * sqrt(0.95 * 0.05 / 400)
