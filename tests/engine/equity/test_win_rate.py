"""One hand against predictions: exact where it can be, honest where it is sampled."""

from math import comb, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, Card, combo_of, parse_cards, unblocked
from engine.equity.checks import EquityError
from engine.equity.combos import combo_equities
from engine.equity.snapshot import Method
from engine.equity.win_rate import (
    MOST_BY_DEADLINE,
    Counting,
    _sampled_win_rate,
    equities_by_next_card,
    win_rate,
    win_rate_random,
)
from engine.preflop import equity_against_random
from engine.ranges import Range, parse_range
from tests.reference.equity import counted
from tests.reference.questions import R1, R25, ask, final, weights_by_combo

HERO = (parse_cards("AhKh")[0], parse_cards("AhKh")[1])


def prediction(text: str) -> NDArray[np.float32]:
    weights = parse_range(text).weights
    return (weights / weights.sum()).astype(np.float32)


@pytest.mark.parametrize("board", ["Ks7d2h3c9s", "Ks7d2h3c"])
@pytest.mark.parametrize(
    "texts",
    [
        ("QQ+:0.5,AK,76s,72o:0.1",),
        ("QQ+", "AK,22+:0.5"),
        ("AA,KK", "AA,AQs:0.2", "KK,KQs"),
        ("AsAd", "AsAc,QQ:0.001", "QQ"),
        ("AdKd", "QcQd", "JTs", "9c9d,9h8h:0.5"),
    ],
    ids=["one", "two", "three", "hardly ever possible", "four"],
)
def test_win_rate_is_exact_where_that_is_fast(texts: tuple[str, ...], board: str) -> None:
    ranges = [prediction(text) for text in texts]
    answer = win_rate(HERO, ranges, parse_cards(board), deals=500, seed=0)
    truth = counted(
        [{combo_of(*HERO): 1.0}, *(weights_by_combo(Range(theirs)) for theirs in ranges)], parse_cards(board)
    )
    assert answer.value == pytest.approx(truth.equity[0], rel=1e-8)
    assert (answer.stderr, answer.count, answer.method) == (0, truth.showdowns, Method.EXACT)


@pytest.mark.parametrize(
    ("opponents", "board", "method"),
    [
        (1, "", Method.EXACT),
        (2, "", Method.SAMPLED),
        (1, "Js7s2h", Method.EXACT),
        (2, "Js7s2h", Method.EXACT),
        (3, "Js7s2h", Method.EXACT),
        (4, "Js7s2h", Method.SAMPLED),
        (3, "Js7s2h3c", Method.EXACT),
        (4, "Js7s2h3c", Method.SAMPLED),
        (3, "Js7s2h3c9s", Method.EXACT),
        (9, "Ks7d2h3c9s", Method.SAMPLED),
    ],
)
def test_how_win_rates_against_wide_ranges_are_found(opponents: int, board: str, method: Method) -> None:
    random = np.random.default_rng(0)
    ranges = [random.random(COMBO_COUNT).astype(np.float32) for _ in range(opponents)]
    answer = win_rate(HERO, ranges, parse_cards(board), deals=20_000, seed=0)
    assert answer.method is method
    sampled = _sampled_win_rate(HERO, np.array(ranges), parse_cards(board), 20_000, 1)
    assert abs(answer.value - sampled.value) < 4 * sqrt(answer.stderr**2 + sampled.stderr**2)


@pytest.mark.parametrize(
    "texts", [("QQ+", "AK,22+:0.5"), ("AA,KK", "AA,AQs:0.2", "KK,KQs"), ("AsAd", "AsAc,QQ:0.001", "QQ")]
)
def test_sampled_win_rates_agree(texts: tuple[str, ...]) -> None:
    board = parse_cards("Ks7d2h3c9s")
    live = unblocked((*HERO, *board))
    ranges = np.array([prediction(text) * live for text in texts], dtype=np.float64)
    exact = win_rate(HERO, list(ranges), board, deals=2, seed=0)
    sampled = _sampled_win_rate(HERO, ranges, board, 40_000, 4)
    assert abs(sampled.value - exact.value) < 4 * sampled.stderr + 1e-9
    assert (sampled.count, sampled.method) == (40_000, Method.SAMPLED)


def test_win_rate_is_reproducible_and_honest() -> None:
    theirs = [prediction(text) for text in (R25, R1, R1, R25)]
    runs = [win_rate(HERO, theirs, parse_cards("Js7s2h"), deals=400, seed=seed) for seed in range(200)]
    assert runs[3] == win_rate(HERO, theirs, parse_cards("Js7s2h"), deals=400, seed=3)
    spread = np.std([run.value for run in runs], ddof=1)
    assert spread / np.mean([run.stderr for run in runs]) == pytest.approx(1, abs=4 / sqrt(2 * 199))


def test_win_rate_before_the_flop() -> None:
    # AhKh against QQ and KK by the heads-up counts of each: 6 and 3 live combos.
    exact = final(ask("AhKh", "QQ+"))
    answer = win_rate(HERO, [prediction("QQ+")], (), deals=2, seed=8)
    assert answer.value == pytest.approx(exact.value[0].equity, rel=1e-12)
    assert (answer.count, answer.method) == (exact.count, Method.EXACT)
    three = final(ask("AhKh", "QcQd", "7s6s"))
    both = win_rate(HERO, [prediction("QcQd"), prediction("7s6s")], (), deals=2, seed=8)
    assert both.value == pytest.approx(three.value[0].equity, rel=1e-12)
    assert (both.count, both.method) == (three.count, Method.EXACT)


def test_predictions_that_contradict_each_other_still_get_an_answer() -> None:
    board = parse_cards("Ks7d2h3c9s")
    aces = prediction("AcAd")
    nothing = np.zeros(COMBO_COUNT, dtype=np.float32)
    against_any = win_rate_random(HERO, 1, board, deals=2, seed=0)
    assert win_rate(HERO, [nothing], board, deals=500, seed=0) == against_any
    # One has the aces, the other any two cards: the aces always win against a pair of kings.
    both = win_rate(HERO, [aces, aces], board, deals=500, seed=0)
    assert (both.value, both.method) == (0, Method.SAMPLED)
    one = win_rate(HERO, [nothing, prediction("4s5d")], board, deals=2, seed=0)
    two = win_rate(HERO, [prediction("random"), prediction("4s5d")], board, deals=2, seed=1)
    assert one == two


def test_weights_of_any_scale_give_the_same() -> None:
    board, theirs = parse_cards("Ks7d2h"), [prediction(R25), prediction("AK,QQ+")]
    plain = win_rate(HERO, theirs, board, deals=2, seed=0)
    for scale in (1e-30, 1e30):
        scaled = win_rate(HERO, [weights * np.float32(scale) for weights in theirs], board, deals=2, seed=0)
        assert scaled.value == pytest.approx(plain.value, rel=1e-6)
        assert (scaled.count, scaled.method) == (plain.count, plain.method)


def test_win_rate_against_random_hands() -> None:
    flop = parse_cards("Ks7d2h")
    exact = win_rate_random(HERO, 1, flop, deals=2, seed=0)
    assert exact.method is Method.EXACT
    assert exact.value == pytest.approx(final(ask("AhKh", "random", board="Ks7d2h")).value[0].equity, abs=1e-6)
    assert exact.count == final(ask("AhKh", "random", board="Ks7d2h")).count
    before = win_rate_random(HERO, 1, (), deals=2, seed=0)
    assert before.value == pytest.approx(0.6704, abs=0.00005)
    assert (before.stderr, before.count, before.method) == (0, 1225 * comb(48, 5), Method.EXACT)
    table = win_rate_random(HERO, 3, (), deals=2, seed=0)
    assert table.value == equity_against_random(3)[combo_of(*HERO)]
    assert table.method is Method.TABLE
    assert 0 < table.stderr < 0.001
    for opponents, method in ((2, Method.EXACT), (4, Method.SAMPLED)):
        several = win_rate_random(HERO, opponents, flop, deals=20_000, seed=1)
        sampled = final(ask("AhKh", *["random"] * opponents, board="Ks7d2h", samples=100_000)).value[0]
        assert several.method is method
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


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(169), "Opponent 2's range has 1326 weights, one for each combo, not the shape"),
        (np.full(COMBO_COUNT, np.nan), "The weight of 2d2c is nan"),
        (np.full(COMBO_COUNT, -1.0), "The weight of 2d2c is -1.0: weights are finite and not negative"),
        (np.full(COMBO_COUNT, np.inf), "The weight of 2d2c is inf"),
    ],
)
def test_win_rate_refuses_what_is_no_range(weights: NDArray[np.float64], message: str) -> None:
    with pytest.raises(EquityError, match=message):
        win_rate(HERO, [np.ones(COMBO_COUNT), weights], (), deals=500, seed=0)  # type: ignore[list-item]


def test_a_deadline_is_used_up_in_whole_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by a second per look; the count alone gives the same answer again."""
    ranges, board = [prediction("22+,A2s+,KTs+")] * 5, parse_cards("Ks7d2h")

    def sampled(deals: int, deadline: float | None = None) -> tuple[float, float, int]:
        clock = iter(range(10_000))
        monkeypatch.setattr("engine.equity.win_rate.monotonic", lambda: float(next(clock)))
        answer = win_rate(HERO, ranges, board, deals=deals, seed=3, deadline=deadline)
        assert answer.method is Method.SAMPLED
        return answer.value, answer.stderr, answer.count

    assert sampled(1500, deadline=3.5)[2] == 12_000
    assert sampled(12_000) == sampled(1500, deadline=3.5)
    assert sampled(1500, deadline=0.0) == sampled(1500)  # no time at all
    assert sampled(1500, deadline=0.5)[2] == 4_000  # one step, whatever it takes
    longest = sampled(1500, deadline=9_000.0)
    assert longest[2] == MOST_BY_DEADLINE
    assert longest[1] <= 0.5 / sqrt(MOST_BY_DEADLINE)
    many = sampled(40_000)
    assert abs(longest[0] - many[0]) < 4 * sqrt(longest[1] ** 2 + many[1] ** 2)


def test_what_is_exact_needs_no_deadline() -> None:
    ranges, board = [prediction("QQ+")], parse_cards("Ks7d2h")
    answer = win_rate(HERO, ranges, board, deals=500, seed=0, deadline=0.0)
    assert answer == win_rate(HERO, ranges, board, deals=500, seed=0)


@pytest.mark.parametrize("board", ["Js7s2h", "Js7s2s", "JhJd2c", "Qh7h2h", "Js7s2h3c", "Qh7h2h6h"])
def test_equities_after_each_card_are_those_of_all_hands_bit_for_bit(board: str) -> None:
    found = equities_by_next_card(HERO, parse_cards(board))
    assert found.dtype == np.float32
    blocked = [*HERO, *parse_cards(board)]
    assert np.isnan(found[blocked]).all()
    for card in sorted({*map(Card, range(CARD_COUNT))} - {*blocked}):
        assert found[card] == combo_equities((*parse_cards(board), card))[combo_of(*HERO)]


@pytest.mark.parametrize("board", ["", "Js7s2h3c9s"])
def test_no_next_card_but_on_a_flop_or_turn(board: str) -> None:
    with pytest.raises(EquityError, match=f"not on a board of {len(board) // 2} cards"):
        equities_by_next_card(HERO, parse_cards(board))


def test_a_tie_may_count_for_nothing() -> None:
    royal, ranges = parse_cards("AsKsQsJsTs"), [prediction("22+"), prediction("72o")]
    assert win_rate(HERO, ranges, royal, deals=500, seed=1).value == pytest.approx(1 / 3)
    alone = win_rate(HERO, ranges, royal, deals=500, seed=1, counting=Counting(shares_ties=False))
    assert (alone.value, alone.method, alone.count) == (0.0, Method.SAMPLED, 500)


def test_drawing_one_opponent_after_another_is_not_the_joint_distribution() -> None:
    # The second has the ace of spades, so the first has queens, and kings win; drawn first, aces are as likely.
    kings = (parse_cards("KhKd")[0], parse_cards("KhKd")[1])
    ranges, board = [prediction("AsAc,QsQc"), prediction("AsTd")], parse_cards("8c5h2s2c3d")
    joint, in_turn = (
        win_rate(kings, ranges, board, deals=4000, seed=2, counting=Counting(is_exact=False, is_joint=is_joint))
        for is_joint in (True, False)
    )
    assert joint.value == win_rate(kings, ranges, board, deals=4000, seed=2).value == 1
    assert abs(in_turn.value - 0.5) <= 5 * in_turn.stderr
