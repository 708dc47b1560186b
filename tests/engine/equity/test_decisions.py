"""The figures of calls and bets: what they are defined to balance, in exact fractions, and known tables."""

from collections.abc import Callable
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.equity.checks import EquityError
from engine.equity.decisions import (
    _break_even_fold_equity,
    _ev_of_call,
    _minimum_defence_frequency,
    _pot_odds,
    _required_equity,
    bet_of_pot,
    figures_of_bet,
    figures_of_call,
)

CHIPS = st.floats(0, 1e9) | st.integers(0, 10**9)
BET = st.floats(1e-3, 1e9) | st.integers(1, 10**9)
SHARE = st.floats(0, 1)


def exactly(*numbers: float) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


@pytest.mark.parametrize(
    ("bet_of_pot", "equity", "defence", "fold_equity"),
    [
        # Of the tables that players learn: bet as a part of the pot.
        (Fraction(1, 4), 1 / 6, 4 / 5, 1 / 5),
        (Fraction(1, 3), 1 / 5, 3 / 4, 1 / 4),
        (Fraction(1, 2), 1 / 4, 2 / 3, 1 / 3),
        (Fraction(2, 3), 2 / 7, 3 / 5, 2 / 5),
        (Fraction(3, 4), 3 / 10, 4 / 7, 3 / 7),
        (Fraction(1), 1 / 3, 1 / 2, 1 / 2),
        (Fraction(2), 2 / 5, 1 / 3, 2 / 3),
    ],
)
def test_known_sizes(bet_of_pot: Fraction, equity: float, defence: float, fold_equity: float) -> None:
    pot, bet = 1200, int(1200 * bet_of_pot)
    call = figures_of_call(pot + bet, bet)
    assert call.required_equity == _required_equity(pot + bet, bet) == pytest.approx(equity, rel=1e-15)
    assert call.defence_frequency == _minimum_defence_frequency(pot, bet) == pytest.approx(defence, rel=1e-15)
    assert call.odds == _pot_odds(pot + bet, bet) == pytest.approx(1 / equity - 1, rel=1e-14)
    assert (call.equity, call.ev) == (None, None)
    own = figures_of_bet(pot, bet)
    assert own.bluff_fold_equity == _break_even_fold_equity(pot, bet) == pytest.approx(fold_equity, rel=1e-15)
    assert own.defence_frequency == call.defence_frequency
    assert (own.equity, own.fold_equity) == (None, None)


@given(CHIPS, BET, SHARE)
def test_a_call_wins_what_it_wins_less_what_it_loses(pot: float, to_call: float, equity: float) -> None:
    pot_f, call_f, equity_f = exactly(pot, to_call, equity)
    expected = equity_f * (pot_f + call_f) - call_f
    assert _ev_of_call(pot, to_call, equity) == pytest.approx(
        float(expected), rel=1e-12, abs=1e-15 * (pot + to_call)
    )


@given(CHIPS, BET)
def test_a_call_at_the_required_equity_wins_nothing(pot: float, to_call: float) -> None:
    needed = _required_equity(pot, to_call)
    assert 0 < needed <= 1
    assert needed == pytest.approx(float(Fraction(to_call) / (Fraction(pot) + Fraction(to_call))), rel=1e-15)
    assert abs(_ev_of_call(pot, to_call, needed)) <= 1e-15 * (pot + to_call)
    assert _ev_of_call(pot, to_call, 1) == pot
    assert _ev_of_call(pot, to_call, 0) == -to_call


@given(CHIPS, BET)
def test_a_bluff_wins_nothing_against_the_minimum_defence(pot: float, bet: float) -> None:
    defence = Fraction(_minimum_defence_frequency(pot, bet))
    won = (1 - defence) * Fraction(pot) - defence * Fraction(bet)
    assert abs(float(won)) <= 1e-15 * (pot + bet)
    assert _break_even_fold_equity(pot, bet) + float(defence) == pytest.approx(1, rel=1e-15)


@given(CHIPS, BET, SHARE)
def test_a_bet_wins_nothing_at_the_break_even_fold_equity(pot: float, bet: float, equity: float) -> None:
    folds = _break_even_fold_equity(pot, bet, equity)
    pot_f, bet_f, equity_f, folds_f = exactly(pot, bet, equity, folds)
    called = equity_f * (pot_f + 2 * bet_f) - bet_f
    won = folds_f * pot_f + (1 - folds_f) * called
    assert 0 <= folds <= 1
    if folds > 0:
        assert abs(float(won)) <= 1e-14 * (pot + bet)
        assert folds <= _break_even_fold_equity(pot, bet) * (1 + 1e-14)
    else:
        assert float(called) >= -1e-14 * (pot + bet)


@given(CHIPS, BET, BET, SHARE)
def test_a_raise_wins_nothing_at_the_break_even_fold_equity(
    rest: float, to_call: float, more: float, equity: float
) -> None:
    pot, raised = rest + to_call, to_call + more
    assume(raised > to_call)
    assume(pot >= to_call)
    folds = _break_even_fold_equity(pot, raised, equity, to_call)
    pot_f, call_f, raised_f, equity_f, folds_f = exactly(pot, to_call, raised, equity, folds)
    # The caller adds what the raise is more than his bet, which lies in the pot already.
    called = equity_f * (pot_f + raised_f + (raised_f - call_f)) - raised_f
    won = folds_f * pot_f + (1 - folds_f) * called
    assert 0 <= folds <= 1
    if folds > 0:
        assert abs(float(won)) <= 1e-13 * (pot + raised)
    else:
        assert float(called) >= -1e-13 * (pot + raised)
    assert figures_of_bet(pot, raised, equity, to_call).fold_equity == folds
    assert _break_even_fold_equity(pot, raised, to_call=to_call) == _break_even_fold_equity(pot, raised)


@given(CHIPS, BET, st.floats(0.01, 10))
def test_a_bet_of_a_share_of_the_pot(rest: float, to_call: float, fraction: float) -> None:
    pot = rest + to_call
    called = Fraction(pot) + Fraction(to_call)
    expected = Fraction(to_call) + Fraction(fraction) * called
    assert bet_of_pot(pot, fraction, to_call) == pytest.approx(float(expected), rel=1e-12)
    assert bet_of_pot(100, 0.5) == 50
    # Into 100 with a bet of 50, a raise of the pot is to 250 in all (Robert's Rules of Poker).
    assert bet_of_pot(150, 1, 50) == 250


def test_refuses_a_raise_that_is_none() -> None:
    for call in (_break_even_fold_equity, figures_of_bet):
        with pytest.raises(EquityError, match="A raise puts in more than the call of 50, so not 50"):
            call(150, 50, 0.2, 50)
        with pytest.raises(EquityError, match="The pot of 20 holds the bet to be called"):
            call(20, 100, 0.2, 50)
        with pytest.raises(EquityError, match="The call is a number of chips from 0 on"):
            call(100, 100, 0.2, -1)
    with pytest.raises(EquityError, match="share of the pot is a number above 0, not 0"):
        bet_of_pot(100, 0)
    with pytest.raises(EquityError, match="share of the pot is a finite number"):
        bet_of_pot(100, float("inf"))


# Half of an amount is exact down to 1e-307.
@given(CHIPS.filter(lambda pot: pot == 0 or pot > 1e-200), BET, SHARE, st.sampled_from([0.5, 2.0, 1024.0]))
def test_chips_may_be_counted_in_any_unit(pot: float, bet: float, equity: float, unit: float) -> None:
    assert _required_equity(pot * unit, bet * unit) == _required_equity(pot, bet)
    assert _minimum_defence_frequency(pot * unit, bet * unit) == _minimum_defence_frequency(pot, bet)
    assert _break_even_fold_equity(pot * unit, bet * unit, equity) == _break_even_fold_equity(pot, bet, equity)
    assert _ev_of_call(pot * unit, bet * unit, equity) == pytest.approx(
        unit * _ev_of_call(pot, bet, equity), rel=1e-12
    )


def test_figures_with_an_equity() -> None:
    assert figures_of_call(150, 50, 0.3).ev == _ev_of_call(150, 50, 0.3) == 10
    figures = figures_of_bet(100, 100, 0.2)
    assert figures.fold_equity == _break_even_fold_equity(100, 100, 0.2) == pytest.approx(2 / 7)
    assert figures_of_bet(100, 100, 0.34).fold_equity == 0


def test_numbers_of_numpy_are_numbers() -> None:
    assert _ev_of_call(np.float32(150), np.int64(50), np.float64(0.3)) == pytest.approx(10)


# ---- bad input

BAD_BETS = [0, -1, -0.5, nan, inf, -inf, True, "50", None, 10**400]
BAD_CHIPS = [-1, nan, inf, True, "50", None, 10**400]
BAD_SHARES = [-0.01, 1.01, nan, inf, True, "0.5", [0.5]]


def is_one_sentence(text: str) -> bool:
    return text.endswith(".") and "\n" not in text and ". " not in text


@pytest.mark.parametrize("bad", BAD_BETS)
@pytest.mark.parametrize(
    "function",
    [
        _pot_odds,
        _required_equity,
        _minimum_defence_frequency,
        _break_even_fold_equity,
        figures_of_call,
        figures_of_bet,
        lambda pot, bet: _ev_of_call(pot, bet, 0.5),
    ],
)
def test_refuses_what_is_no_bet(function: Callable[[float, float], object], bad: float) -> None:
    with pytest.raises(EquityError, match=r"^The (bet|call) is a (finite )?number") as caught:
        function(100, bad)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("bad", BAD_CHIPS)
@pytest.mark.parametrize(
    "function", [_pot_odds, _required_equity, _minimum_defence_frequency, _break_even_fold_equity]
)
def test_refuses_what_is_no_pot(function: Callable[[float, float], object], bad: float) -> None:
    with pytest.raises(EquityError, match=r"^The pot is a (finite )?number") as caught:
        function(bad, 50)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("bad", BAD_SHARES)
@pytest.mark.parametrize("function", [_ev_of_call, _break_even_fold_equity, figures_of_call, figures_of_bet])
def test_refuses_what_is_no_equity(function: Callable[[float, float, float], object], bad: float) -> None:
    with pytest.raises(EquityError, match=r"^The equity is a (finite )?number") as caught:
        function(100, 50, bad)
    assert is_one_sentence(str(caught.value))


def test_refuses_a_pot_without_the_bet_and_odds_beyond_all_numbers() -> None:
    with pytest.raises(EquityError, match="The pot of 20 holds the bet to be called, so it cannot be less than 50"):
        figures_of_call(20, 50)
    with pytest.raises(EquityError, match="too large beside the call"):
        _pot_odds(1e308, 1e-10)
