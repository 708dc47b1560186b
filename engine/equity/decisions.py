"""What a call and a bet need to break even: pot odds, required equity, EV, defence and fold equity.

Plain arithmetic on chips, exact but for rounding. The pot is what lies in the middle before the player acts: for a
call it holds the bet that is to be called, for a bet it does not. A showdown follows at once, or no more bets do:
chips won or lost on later streets, implied odds, are not in these figures.

Sources: David Sklansky, The Theory of Poker (1999), on pot odds and on the semi-bluff; Bill Chen and Jerrod
Ankenman, The Mathematics of Poker (2006), on half-street games, for alpha = bet / (pot + bet), the share of hands
that may fold to a bet.
"""

from math import isfinite

import numpy as np
from msgspec import Struct

from engine.equity.checks import EquityError


class CallFigures(Struct, frozen=True):
    """What a call is measured by.

    Attributes
    ----------
    pot : float
        Chips in the middle before the call, with the bet that is to be called.
    odds : float
        Pot odds: chips to be won for each chip called, `pot / to_call`.
    required_equity : float
        Equity at which the call breaks even, 0-1.
    defence_frequency : float
        Share of hands that must not fold, or any two cards profit from the bet, 0-1, taking all that is to be
        called as the bet.
    ev : float or None
        Chips that the call wins on average with the caller's `equity`, 0-1, if that is known; a fold is 0.
    """

    pot: float
    to_call: float
    odds: float
    required_equity: float
    defence_frequency: float
    equity: float | None = None
    ev: float | None = None


class BetFigures(Struct, frozen=True):
    """What a bet is measured by.

    Attributes
    ----------
    bluff_fold_equity : float
        How often all others have to fold for a hand that never wins when called, 0-1.
    defence_frequency : float
        How often they must not fold then, so that such a bet wins nothing, 0-1.
    fold_equity : float or None
        How often all others have to fold with the bettor's `equity` when called, if that is known, 0-1; 0 if the
        bet wins even if always called.
    """

    pot: float
    bet: float
    bluff_fold_equity: float
    defence_frequency: float
    equity: float | None = None
    fold_equity: float | None = None


# ---- calls ----------------------------------------------------------------------------------------------


def _pot_odds(pot: float, to_call: float) -> float:
    """Return how many chips there are to win for each chip called: pot / to_call."""
    return _quotient(_checked_chips(pot, "pot"), _checked_bet(to_call, "call"))


def _required_equity(pot: float, to_call: float) -> float:
    """Return the equity at which a call breaks even: to_call / (pot + to_call) (Sklansky 1999)."""
    pot, to_call = _checked_chips(pot, "pot"), _checked_bet(to_call, "call")
    return _share(to_call, pot)


def _ev_of_call(pot: float, to_call: float, equity: float) -> float:
    """Return the chips that a call wins on average: equity (pot + to_call) - to_call; a fold wins 0."""
    pot, to_call = _checked_chips(pot, "pot"), _checked_bet(to_call, "call")
    equity = _checked_equity(equity)
    # The same, summed so that two large amounts are never subtracted: what is won less what is lost.
    return equity * pot - (1 - equity) * to_call


def _minimum_defence_frequency(pot: float, bet: float) -> float:
    """Return 1 - alpha = pot / (pot + bet) (Chen and Ankenman 2006); all who may call share it."""
    pot, bet = _checked_chips(pot, "pot"), _checked_bet(bet, "bet")
    return _share(pot, bet)


def figures_of_call(pot: float, to_call: float, equity: float | None = None) -> CallFigures:
    """Return all that a call is measured by; amounts in chips, the pot with the bet that is to be called.

    Raises
    ------
    EquityError
        If a number is no such amount, or the pot is smaller than the bet.

    Examples
    --------
    >>> figures_of_call(150, 50, 0.3).ev
    10.0
    """
    odds = _pot_odds(pot, to_call)
    _check_pot_holds(pot, to_call)
    return CallFigures(
        pot=pot,
        to_call=to_call,
        odds=odds,
        required_equity=_required_equity(pot, to_call),
        defence_frequency=_minimum_defence_frequency(pot - to_call, to_call),
        equity=equity,
        ev=None if equity is None else _ev_of_call(pot, to_call, equity),
    )


# ---- bets -----------------------------------------------------------------------------------------------


def _break_even_fold_equity(pot: float, bet: float, equity: float = 0.0, to_call: float = 0.0) -> float:
    """Return how often all others have to fold for a bet or raise to break even.

    With fold equity f the bet wins f pot + (1 - f) (equity (pot + 2 bet - to_call) - bet), one caller calling all
    of it (the semi-bluff of Sklansky 1999). That is 0 at f = loss / (loss + pot), where the bet loses
    loss = bet - equity (pot + 2 bet - to_call) when called; without equity, at alpha = bet / (pot + bet).
    """
    pot, bet, equity = _checked_chips(pot, "pot"), _checked_bet(bet, "bet"), _checked_equity(equity)
    to_call = _checked_chips(to_call, "call")
    _check_raise(pot, bet, to_call)
    loss = (1 - 2 * equity) * bet - equity * (pot - to_call)
    return _share(loss, pot) if loss > 0 else 0.0


def figures_of_bet(pot: float, bet: float, equity: float | None = None, to_call: float = 0.0) -> BetFigures:
    """Return all that a bet or raise is measured by.

    Parameters
    ----------
    pot : float
        Chips before the bet, not negative; before a raise it holds the bet that is raised.
    bet : float
        Chips, more than 0; for a raise all that it puts in, the call included, so more than `to_call`.
    equity : float, optional
        Of the bettor when called, 0-1.
    to_call : float
        Chips that a call would cost, of those in the pot: 0 for a bet, not for a raise.

    Raises
    ------
    EquityError
        If a number is no such amount, or no equity, or the raise is no larger than the call.

    Examples
    --------
    >>> figures_of_bet(100, 50).bluff_fold_equity == 1 / 3
    True
    """
    return BetFigures(
        pot=pot,
        bet=bet,
        bluff_fold_equity=_break_even_fold_equity(pot, bet, to_call=to_call),
        defence_frequency=_minimum_defence_frequency(pot, bet),
        equity=equity,
        fold_equity=None if equity is None else _break_even_fold_equity(pot, bet, equity, to_call),
    )


def bet_of_pot(pot: float, fraction: float, to_call: float = 0.0) -> float:
    """Return the chips that a bet or raise of a share of the pot puts in: to_call + fraction (pot + to_call).

    A raise is a call and then that share of the pot as it stands after the call (Robert's Rules of Poker, section
    "No-limit and pot-limit").

    Parameters
    ----------
    pot, to_call : float
        As for `figures_of_bet`.
    fraction : float
        Share of the pot, more than 0.

    Raises
    ------
    EquityError
        If a number is no such amount.

    Examples
    --------
    >>> bet_of_pot(100, 0.5), bet_of_pot(150, 1, to_call=50)
    (50.0, 250.0)
    """
    pot, to_call = _checked_chips(pot, "pot"), _checked_chips(to_call, "call")
    fraction = _checked(fraction, "The share of the pot")
    if fraction <= 0:
        raise EquityError(f"The share of the pot is a number above 0, not {fraction:g}.")
    return to_call + fraction * (pot + to_call)


# ---- checks ---------------------------------------------------------------------------------------------


def _checked(value: float, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise EquityError(f"{what} is a number, not {value!r}.")
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not isfinite(number):
        raise EquityError(f"{what} is a finite number, not {value}.")
    return number


def _checked_chips(value: float, what: str) -> float:
    number = _checked(value, f"The {what}")
    if number < 0:
        raise EquityError(f"The {what} is a number of chips from 0 on, not {number:g}.")
    return number


def _checked_bet(value: float, what: str) -> float:
    number = _checked(value, f"The {what}")
    if number <= 0:
        raise EquityError(f"The {what} is a number of chips above 0, not {number:g}.")
    return number


def _check_pot_holds(pot: float, to_call: float) -> None:
    if pot < to_call:
        raise EquityError(f"The pot of {pot:g} holds the bet to be called, so it cannot be less than {to_call:g}.")


def _check_raise(pot: float, bet: float, to_call: float) -> None:
    _check_pot_holds(pot, to_call)
    if bet <= to_call:
        raise EquityError(f"A raise puts in more than the call of {to_call:g}, so not {bet:g}.")


def _checked_equity(value: float) -> float:
    number = _checked(value, "The equity")
    if not 0 <= number <= 1:
        raise EquityError(f"The equity is a number from 0 to 1, not {number:g}.")
    return number


def _share(part: float, rest: float) -> float:
    """Return part / (part + rest) without a sum that overflows; not both are 0."""
    larger = max(part, rest)
    part, rest = part / larger, rest / larger
    return part / (part + rest)


def _quotient(pot: float, to_call: float) -> float:
    odds = pot / to_call
    if not isfinite(odds):
        raise EquityError(f"The pot {pot:g} is too large beside the call {to_call:g}.")
    return odds
