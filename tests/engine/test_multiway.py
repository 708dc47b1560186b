"""The equity of every combo against several ranges, against listing deals and long sampling."""

from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, combo_of, parse_cards, relabel_suits, unblocked
from engine.checks import EquityError
from engine.combo_equities import combo_equities
from engine.equity import EquityQuestion, solve
from engine.multiway import MultiwayMethod, multiway_equities
from engine.ranges import Range, parse_range
from tests.reference.equity import counted
from tests.reference.multiway import equities_against_two, equities_by_deal
from tests.reference.questions import weights_by_combo

ANY = np.ones(COMBO_COUNT)
R25 = "22+,A2s+,K6s+,Q8s+,J8s+,T8s+,A8o+,KTo+,QTo+,JTo"


def _weights(text: str) -> NDArray[np.float32]:
    return parse_range(text).weights


def _posterior(seed: int) -> NDArray[np.float64]:
    """Give weights as a prediction has them: of every hand class some, of few much."""
    rng = np.random.default_rng(seed)
    return rng.gamma(0.5, size=169)[COMBO_CLASS] * rng.uniform(0.5, 1, COMBO_COUNT)


# ---- against one range ----------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["Ks7d2h", "Ks7d2h3c", "Ks7d2h3c9s"])
def test_one_range_is_counted_exactly(board: str) -> None:
    weights = _posterior(1)
    answer = multiway_equities(parse_cards(board), [weights], parse_cards("Ad"))
    assert answer.method is MultiwayMethod.EXACT
    assert answer.is_exact
    assert np.array_equal(answer.values, combo_equities(parse_cards(board), weights, parse_cards("Ad")))


# ---- against two, counted by all pairs of their combos --------------------------------------------------


@pytest.mark.parametrize(
    ("board", "first", "second", "most"),
    [
        ("Ks7d2h3c9s", ANY, ANY, 0.0003),
        ("KsQs7s2s9d", ANY, _weights(R25), 0.002),
        ("KsQs7s2s9s", ANY, ANY, 0.002),
        ("KsKd7h7c9d", _posterior(2), _posterior(3), 0.002),
        ("TsJsQsKsAs", ANY, ANY, 1e-5),
        ("9h8h7h6d5c", _weights(R25), _weights(R25), 0.002),
        ("Qs7d2h3c9s", _weights("AA,KK"), _weights("AA,KK,AK"), 0.02),
    ],
)
def test_error_against_two_ranges(
    board: str, first: NDArray[np.float64], second: NDArray[np.float64], most: float
) -> None:
    cards = parse_cards(board)
    answer = multiway_equities(cards, [first, second])
    assert not answer.is_exact
    combos = np.random.default_rng(4).permutation(np.flatnonzero(unblocked(cards)))[:40].tolist()
    truth = equities_against_two(cards, first, second, combos)
    assert answer.values[combos] == pytest.approx(truth, abs=most)


def test_ties_of_everyone_are_shared_exactly() -> None:
    for count in range(2, 10):
        values = multiway_equities(parse_cards("TsJsQsKsAs"), [_posterior(i) for i in range(count)]).values
        live = unblocked(parse_cards("TsJsQsKsAs"))
        assert values[live] == pytest.approx(1 / (1 + count), abs=1e-4)
        assert not values[~live].any()


# ---- against several, counted deal by deal --------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "texts", "most"),
    [
        ("Qs7d2h3c9s", ["AA,72s", "AKs,QJs", "KK,98s"], 0.02),
        ("QsQd2h3c9s", ["AA,KK", "AKs,AQs", "KQs,99,33", "TT,22"], 0.03),
        ("KsQs7s2h9d", ["AsTs,As4c,8c8d,JhTh", "AsJs,KhKd,JsTs", "6s5s,QhQd,JhTd"], 0.06),
    ],
)
def test_error_against_small_ranges(board: str, texts: list[str], most: float) -> None:
    ranges = [_weights(text) for text in texts]
    values = multiway_equities(parse_cards(board), ranges).values
    truth, dealt = equities_by_deal(parse_cards(board), ranges)
    assert np.array_equal(values > 0, (truth > 0) & (dealt > 0)) or np.abs(values - truth).max() < most
    assert values == pytest.approx(truth, abs=most)
    assert sqrt(float(((values - truth) ** 2)[dealt > 0].mean())) < most / 3


def test_error_on_flop_and_turn_against_small_ranges() -> None:
    texts = ["AhKh,8c8d,JhTh", "KsKd,7h7c,Ad9d"]
    for board in ("Kh9h2c", "Kh9h2c7s"):
        ranges = [_weights(text) for text in texts]
        values = multiway_equities(parse_cards(board), ranges).values
        players = [weights_by_combo(Range(weights)) for weights in ranges]
        for hand in ("AsAc", "QhJd", "9c9s", "5h4h") if len(board) == 8 else ("QhJd",):
            combo = int(combo_of(*parse_cards(hand)))
            truth = counted([{combo: 1.0}, *players], parse_cards(board)).equity[0]
            assert values[combo] == pytest.approx(truth, abs=0.01)


# ---- against many, sampled ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "text", "count", "hands", "most"),
    [
        ("Ks7d2h", R25, 5, ("AhAd", "Kc9c", "QsJs"), 0.005),
        ("JsTs8d7s2c", R25, 5, ("9c8c", "As3s", "KhKd"), 0.007),
        ("Ks7d2h3c", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", 9, ("7h7c", "AsKd", "6d5d"), 0.004),
    ],
)
def test_error_against_many_ranges(board: str, text: str, count: int, hands: tuple[str, ...], most: float) -> None:
    values = multiway_equities(parse_cards(board), [_weights(text)] * count).values
    for hand in hands:
        question = EquityQuestion(
            (parse_range(hand), *[parse_range(text)] * count), parse_cards(board), samples=300_000
        )
        *_, last = solve(question, seed=1)
        sampled = last.players[0]
        assert abs(float(values[combo_of(*parse_cards(hand))]) - sampled.equity) < most + 4 * sampled.stderr


# ---- what must not matter -------------------------------------------------------------------------------


def test_order_and_scale_of_the_ranges_do_not_matter() -> None:
    board = parse_cards("JsTs8d7s")
    ranges = [_posterior(1), _posterior(2), ANY, _posterior(1)]
    values = multiway_equities(board, ranges).values
    turned = [ranges[2] * 1e-200, ranges[3] * 1e200, ranges[0], ranges[1] * 7]
    assert multiway_equities(board, turned).values == pytest.approx(values, abs=2e-5)


def test_equal_ranges_are_as_good_as_different_ones() -> None:
    board = parse_cards("JsTs8d7s2c")
    nearly = [_posterior(1) * (1 + 1e-9 * i) + 1e-12 * np.arange(COMBO_COUNT) * i for i in range(4)]
    values = multiway_equities(board, [_posterior(1)] * 4).values
    assert multiway_equities(board, nearly).values == pytest.approx(values, abs=2e-5)


@pytest.mark.parametrize("board", ["KsQs7s2s", "Ks7d2h9c4s"])
def test_suits_can_be_relabelled(board: str) -> None:
    ranges = [_posterior(5), _weights(R25)]
    values = multiway_equities(parse_cards(board), ranges).values
    for permutation in permutations(range(4)):
        combos = np.array([combo_of(*relabel_suits(cards, permutation)) for cards in COMBO_CARDS.tolist()])
        relabelled = []
        for weights in ranges:
            moved = np.zeros(COMBO_COUNT)
            moved[combos] = weights
            relabelled.append(moved)
        again = multiway_equities(relabel_suits(parse_cards(board), permutation), relabelled).values
        assert again[combos] == pytest.approx(values, abs=1e-3)


def test_order_of_the_board_does_not_matter() -> None:
    ranges = [_posterior(5), ANY]
    values = multiway_equities(parse_cards("KsQs7h"), ranges).values
    assert multiway_equities(parse_cards("7hKsQs"), ranges).values == pytest.approx(values, abs=1e-5)


# ---- narrow, clashing and impossible ranges -------------------------------------------------------------


def test_blocked_combos_and_those_that_block_a_range_get_nothing() -> None:
    board, dead = parse_cards("Ks7d2h3c9s"), parse_cards("Qd")
    answer = multiway_equities(board, [_weights("AsAh"), ANY], dead)
    values, holds = answer.values, (COMBO_CARDS[:, :, None] == np.array(parse_cards("AsAh"))).any(axis=(1, 2))
    assert not values[~unblocked((*board, *dead))].any()
    assert not values[holds].any()
    assert (values[unblocked((*board, *dead)) & ~holds] > 0).any()
    assert values.dtype == np.float32
    assert not values.flags.writeable
    assert values.min() >= 0
    assert values.max() <= 1


def test_combos_beside_which_the_ranges_cannot_be_dealt_together_get_nothing() -> None:
    board = parse_cards("Qs7d2h3c9s")
    values = multiway_equities(board, [_weights("AA"), _weights("AK"), ANY]).values
    _, dealt = equities_by_deal(board, [_weights("AA"), _weights("AK")])
    assert not values[dealt == 0].any()
    assert values[combo_of(*parse_cards("AsAh"))] == 0
    assert values[combo_of(*parse_cards("QhQd"))] > 0.9


def test_a_runout_may_take_all_of_a_range() -> None:
    """Then the other runouts still count, whichever is looked at first."""
    board = parse_cards("Qs7d2h3c")
    for text in ("AcAd", "AhAs", "AdAs"):
        ranges = [_weights(text), _weights("KhKs")]
        values = multiway_equities(board, ranges).values
        players = [weights_by_combo(Range(weights)) for weights in ranges]
        for hand in ("QhQd", "7h7s"):
            combo = int(combo_of(*parse_cards(hand)))
            truth = counted([{combo: 1.0}, *players], board).equity[0]
            assert values[combo] == pytest.approx(truth, abs=1e-5)


def test_one_combo_ranges_leave_nothing_to_approximate() -> None:
    board = parse_cards("Ks9d2h3c9s")
    ranges = [_weights("QsQh"), _weights("AsAh"), _weights("8d7d")]
    truth, _ = equities_by_deal(board, ranges)
    assert multiway_equities(board, ranges).values == pytest.approx(truth, abs=1e-6)


def test_what_a_combo_leaves_of_a_range_counts_however_little_it_is() -> None:
    board = parse_cards("Ks7d2h3c9s")
    mostly = _weights("AsAh") + 1e-7 * _weights("QJ,88").astype(np.float64)
    values = multiway_equities(board, [mostly, _weights(R25)]).values
    hand = int(combo_of(*parse_cards("AsAd")))
    truth = equities_against_two(board, mostly, _weights(R25), [hand])
    assert values[hand] == pytest.approx(truth[0], abs=0.003)


@pytest.mark.parametrize("text", ["AsQs,KdQd,7c6c:0.01", "2sQs,3dQd,7c6c:0.01"])
def test_both_cards_of_a_combo_may_leave_little_of_a_range(text: str) -> None:
    board, ranges = parse_cards("5h4h8c"), [_weights(text), _weights("JhTh,9h8h")]
    values = multiway_equities(board, ranges).values
    players = [weights_by_combo(Range(weights)) for weights in ranges]
    for hand in ("AsKd", "3d2s", "AsKs"):
        combo = int(combo_of(*parse_cards(hand)))
        truth = counted([{combo: 1.0}, *players], board).equity[0]
        assert values[combo] == pytest.approx(truth, abs=0.01)


@pytest.mark.parametrize(
    ("board", "ranges", "dead", "message"),
    [
        ("", [ANY, ANY], "", "needs a flop"),
        ("2c3c", [ANY, ANY], "", "not 2"),
        ("2c3c4c", [], "", "1 to 9 ranges, not 0"),
        ("2c3c4c", [ANY] * 10, "", "1 to 9 ranges, not 10"),
        ("2c3c4c", [ANY, np.zeros(COMBO_COUNT)], "", "Range 2 is empty"),
        ("2c3c4c", [_weights("2c2d"), ANY], "", "Range 1 has only combos"),
        ("2c3c4c", [ANY, _weights("AsAh")], "As", "Range 2 has only combos"),
        ("2c3c4c", [ANY, ANY], "4c", "also|and among|4c"),
        ("2c3c4c", [ANY[:5], ANY], "", "Range 1 has 1326 weights"),
        ("2c3c4c", [ANY, -ANY], "", "not negative"),
        ("2c3c4c", [ANY, np.where(np.arange(COMBO_COUNT) == 7, np.nan, 1)], "", "nan"),
        ("2c3c4c", [np.where(np.arange(COMBO_COUNT) == 0, np.inf, 1), ANY], "", "inf"),
        ("2c3c4c", [ANY.astype(str), ANY], "", "numbers as weights"),
        ("2c3c4c", [_weights("AsAh"), _weights("AsKs")], "", "cannot|No cards can be dealt"),
        ("2c3c4c", [_weights("AA"), _weights("AA"), _weights("AK")], "", "No cards can be dealt to the 3 ranges"),
    ],
)
def test_what_is_refused(board: str, ranges: list[Any], dead: str, message: str) -> None:
    with pytest.raises(EquityError, match=message):
        multiway_equities(parse_cards(board), ranges, parse_cards(dead))


def test_too_many_dead_cards_are_refused() -> None:
    board = parse_cards("2c3c4c")
    dead = [card for card in range(COMBO_COUNT) if card < 52 and card not in board][:30]
    with pytest.raises(EquityError, match="Too many cards are dead"):
        multiway_equities(board, [ANY] * 9, dead)
