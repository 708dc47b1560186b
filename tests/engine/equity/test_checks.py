"""Every public function of the engine refuses bad input in one sentence that names the value and the rule."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.cards import (
    COMBO_COUNT,
    cards_of,
    class_name,
    class_of,
    combo_of,
    combos_of_class,
    format_card,
    make_card,
    parse_cards,
    rank_of,
    suit_of,
)
from engine.equity.checks import EquityError
from engine.equity.combos import combo_equities
from engine.equity.matchups import preflop_equities, range_odds
from engine.equity.question import EquityQuestion
from engine.equity.solve import solve
from engine.equity.win_rate import win_rate, win_rate_random
from engine.lab.preflop_table import sample_class
from engine.preflop import class_ranking, equity_against_random, stderr_against_random
from engine.ranges import Range, parse_range
from engine.strength import best_five, category_of, describe, draws, strength

FLOP = parse_cards("Ks7d2h")
HAND: Any = parse_cards("AhKh")
ANY = np.ones(COMBO_COUNT)
ACES = parse_range("AA").weights


def with_weight(value: float) -> Any:
    weights = np.ones(COMBO_COUNT)
    weights[1325] = value  # AsAh
    return weights


BAD_WEIGHTS: list[tuple[Any, str]] = [
    (np.ones(1325), r"1326 weights.*\(1325,\)"),
    (np.ones((2, 1326)), r"1326 weights.*\(2, 1326\)"),
    (np.ones(1326, dtype=complex), "complex128"),
    (np.array(["1"] * 1326), "numbers as weights, not <U1"),
    (np.array([None] * 1326), "numbers as weights, not object"),
    (with_weight(np.nan), "AsAh is nan|nan of AsAh"),
    (with_weight(np.inf), "AsAh is inf|inf of AsAh"),
    (with_weight(-0.5), r"AsAh is -0\.5|-0\.5 of AsAh"),
]

TAKES_WEIGHTS: dict[str, Callable[[Any], object]] = {
    "Range": Range,
    "combo_equities": lambda weights: combo_equities(FLOP, weights),
    "combo_equities before the flop": lambda weights: combo_equities((), weights),
    "combo_equities on a river": lambda weights: combo_equities(parse_cards("Ks7d2h3c9s"), weights),
    "win_rate": lambda weights: win_rate(HAND, [weights], FLOP, deals=10, seed=0),
    "win_rate of several": lambda weights: win_rate(HAND, [ANY, ANY, ANY, weights], (), deals=10, seed=0),
    "range_odds": lambda weights: range_odds(ANY, weights),
    "range_odds, first": lambda weights: range_odds(weights, ANY),
    "preflop_equities": preflop_equities,
}


@pytest.mark.parametrize("function", TAKES_WEIGHTS.values(), ids=TAKES_WEIGHTS)
@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS, ids=[message for _, message in BAD_WEIGHTS])
def test_bad_weights(function: Callable[[Any], object], weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        function(weights)
    assert str(raised.value).count("\n") == 0


BAD_BOARDS: list[tuple[Any, str]] = [
    ((1, 2), "3, 4 or 5 cards|flop or turn"),
    ((1, 2, 3, 4, 5, 6), "3, 4 or 5 cards|flop or turn"),
    ((1, 2, 52), "52 is no card|no card: 52"),
    ((1, 2, -1), "-1 is no card"),
    ((1, 2, 1), "2d is twice (on|in) the board|2d stands there twice"),
    ((1, 2, 3.0), r"3\.0 is no card"),
]

TAKES_BOARD: dict[str, Callable[[Any], object]] = {
    "solve": lambda board: solve(EquityQuestion((Range(ACES), Range(ANY)), board)),
    "combo_equities": lambda board: combo_equities(board, ANY),
    "combo_equities against any two": combo_equities,
    "win_rate": lambda board: win_rate(HAND, [ANY], board, deals=10, seed=0),
    "win_rate_random": lambda board: win_rate_random(HAND, 2, board, deals=10, seed=0),
    "describe": lambda board: describe(HAND, board),
    "draws": lambda board: draws(HAND, board),
}


@pytest.mark.parametrize("function", TAKES_BOARD.values(), ids=TAKES_BOARD)
@pytest.mark.parametrize(("board", "message"), BAD_BOARDS, ids=[str(board) for board, _ in BAD_BOARDS])
def test_bad_boards(function: Callable[[Any], object], board: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(board)


BAD_HANDS: list[tuple[Any, str]] = [
    ((50, 50), "As|Ah"),
    ((50, 52), "52 is no card|no card: 52"),
    ((50, -1), "-1 is no card"),
    ((50,), "two|2 "),
    ((50, FLOP[0]), "Ks"),
    ((50, 4.0), r"4\.0 is no card"),
]

TAKES_HAND: dict[str, Callable[[Any], object]] = {
    "win_rate": lambda hand: win_rate(hand, [ANY], FLOP, deals=10, seed=0),
    "win_rate_random": lambda hand: win_rate_random(hand, 2, FLOP, deals=10, seed=0),
    "describe": lambda hand: describe(hand, FLOP),
    "draws": lambda hand: draws(hand, FLOP),
}


@pytest.mark.parametrize("function", TAKES_HAND.values(), ids=TAKES_HAND)
@pytest.mark.parametrize(("hand", "message"), BAD_HANDS, ids=[str(hand) for hand, _ in BAD_HANDS])
def test_bad_hands(function: Callable[[Any], object], hand: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(hand)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: combo_equities(FLOP, ANY, FLOP[:1]), "Ks is on the board and among the dead cards"),
        (lambda: combo_equities(FLOP, ANY, tuple(range(3, 48, 1))), "is on the board and among|cannot be dealt"),
        (lambda: solve(EquityQuestion((Range(ACES), Range(ACES), Range(ACES)))), "No cards can be dealt"),
        (
            lambda: solve(EquityQuestion((Range(ACES), Range(ANY)), dead=tuple(range(44)))),
            "Too many cards are dead",
        ),  # type: ignore[arg-type]
        (lambda: solve(EquityQuestion((Range(ACES), Range(ANY)), samples=1)), "At least 2 deals"),
        (lambda: solve(EquityQuestion((Range(ACES), Range(ANY))), seed=-1), "seed -1"),
        (lambda: win_rate(HAND, [], FLOP, deals=10, seed=0), "1 to 9 opponents, not 0"),
        (lambda: win_rate_random(HAND, 10, FLOP, deals=10, seed=0), "1 to 9 opponents, not 10"),
        (lambda: range_odds(parse_range("AsAh").weights, parse_range("AsAh").weights), "cannot|dealt"),
    ],
)
def test_what_cannot_be_dealt(call: Callable[[], object], message: str) -> None:
    with pytest.raises(EquityError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: equity_against_random(0), "not 0"),
        (lambda: stderr_against_random(10), "not 10"),
        (lambda: class_ranking(-1), "not -1"),
        (lambda: strength((1, 2, 3, 4)), "not 4"),
        (lambda: best_five((1, 2, 3, 4, 4)), "3c stands there twice"),
        (lambda: category_of(7463), "7463 is no strength"),
    ],
)
def test_other_numbers(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


NO_WHOLE_NUMBERS: list[Any] = [0.5, 2.5, np.float64(3), float("nan"), float("inf"), "2", None, 1j]

TAKES_NUMBER: dict[str, Callable[[Any], object]] = {
    "solve, samples": lambda n: solve(EquityQuestion((Range(ACES), Range(ANY)), samples=n or 0.5)),
    "solve, seed": lambda n: solve(EquityQuestion((Range(ACES), Range(ANY))), seed=n),
    "win_rate, deals": lambda n: win_rate(HAND, [ANY] * 5, FLOP, deals=n, seed=0),
    "win_rate, seed": lambda n: win_rate(HAND, [ANY] * 5, FLOP, deals=10, seed=n),
    "win_rate_random, opponents": lambda n: win_rate_random(HAND, n, FLOP, deals=10, seed=0),
    "win_rate_random, deals": lambda n: win_rate_random(HAND, 5, FLOP, deals=n, seed=0),
    "win_rate_random, seed": lambda n: win_rate_random(HAND, 5, FLOP, deals=10, seed=n),
    "equity_against_random": equity_against_random,
    "class_ranking": class_ranking,
    "sample_class": lambda n: sample_class(n, 0, 10),
    "sample_class, seed": lambda n: sample_class(0, n, 10),
    "sample_class, deals": lambda n: sample_class(0, 0, n),
    "category_of": category_of,
    "cards_of": cards_of,
    "class_of": class_of,
    "class_name": class_name,
    "combos_of_class": combos_of_class,
    "combo_of": lambda n: combo_of(n, 51),
    "format_card": format_card,
    "rank_of": rank_of,
    "suit_of": suit_of,
    "make_card": lambda n: make_card(n, 0),
    "make_card, suit": lambda n: make_card(0, n),
}


@pytest.mark.parametrize("function", TAKES_NUMBER.values(), ids=TAKES_NUMBER)
@pytest.mark.parametrize("number", NO_WHOLE_NUMBERS, ids=str)
def test_numbers_that_are_not_whole(function: Callable[[Any], object], number: Any) -> None:
    with pytest.raises(ValueError, match=r"whole|no combo|no strength|1 to 9"):
        function(number)


@pytest.mark.parametrize("function", TAKES_NUMBER.values(), ids=TAKES_NUMBER)
def test_numbers_out_of_bounds(function: Callable[[Any], object]) -> None:
    for number in (-1, 10**40):
        with pytest.raises(ValueError, match=f"{number}|{number:,}"):
            function(number)


NO_SEQUENCES: list[Any] = [None, 5, {1, 2, 3}, "Ks7d2h"]

TAKES_SEQUENCE: dict[str, Callable[[Any], object]] = {
    **TAKES_BOARD,
    **{f"{name}, hand": function for name, function in TAKES_HAND.items() if name not in ("describe", "draws")},
    "combo_equities, dead": lambda cards: combo_equities(FLOP, ANY, cards),
    "combo_equities against any two, dead": lambda cards: combo_equities(FLOP, None, cards),
    "win_rate, ranges": lambda ranges: win_rate(HAND, ranges, FLOP, deals=10, seed=0),
    "solve, players": lambda players: solve(EquityQuestion(players)),
    "solve, dead": lambda cards: solve(EquityQuestion((Range(ACES), Range(ANY)), dead=cards)),
}


@pytest.mark.parametrize("function", TAKES_SEQUENCE.values(), ids=TAKES_SEQUENCE)
@pytest.mark.parametrize("values", NO_SEQUENCES, ids=str)
def test_what_is_no_sequence(function: Callable[[Any], object], values: Any) -> None:
    with pytest.raises(ValueError, match=r"come in a sequence|is no card|are two hole cards"):
        function(values)


def test_a_kept_answer_does_not_hide_bad_cards() -> None:
    combo_equities(FLOP)
    with pytest.raises(EquityError, match=r"47\.0 is no card"):
        combo_equities(tuple(float(card) for card in FLOP))  # type: ignore[arg-type]


@pytest.mark.parametrize("factor", [1e308, 1e150, 1e-150, 1e-310])
def test_the_scale_of_weights_changes_nothing(factor: float) -> None:
    weights = np.where(parse_range("22+,A2s+").weights > 0, factor, 0)
    plain = (weights > 0).astype(np.float64)
    assert np.array_equal(combo_equities(FLOP, weights), combo_equities(FLOP, plain))
    assert win_rate(HAND, [weights] * 2, FLOP, deals=10, seed=0).value == pytest.approx(
        win_rate(HAND, [plain] * 2, FLOP, deals=10, seed=0).value, rel=1e-12
    )
    assert preflop_equities(weights) == pytest.approx(preflop_equities(plain), rel=1e-6)


def test_weights_whose_products_cannot_be_added_up() -> None:
    with pytest.raises(EquityError, match=r"1e\+308 and 1\.0 are too large"):
        range_odds(ANY * 1e308, ANY)
