"""What a call and a bet have to be worth: pot odds, required equity, EV, defence and fold equity, outs.

Plain arithmetic on chips, exact but for rounding. The pot is what lies in the middle before the player acts: for a
call it holds the bet that is to be called, for a bet it does not. A showdown follows at once, or no more bets do:
chips won or lost on later streets, implied odds, are not in these figures.

Sources: David Sklansky, The Theory of Poker (1999), on pot odds and on the semi-bluff; Bill Chen and Jerrod
Ankenman, The Mathematics of Poker (2006), on half-street games, for alpha = bet / (pot + bet), the share of hands
that may fold to a bet; Phil Gordon, Little Green Book (2005), for the rule of 2 and 4; Li et al. (2017), eq. 29,
for outs.
"""

from collections.abc import Sequence
from math import comb, isfinite

import numpy as np
from msgspec import Struct

from engine.cards import CARD_COUNT, Card, HoleCards, format_card
from engine.checks import EquityError, check_cards, check_sequence


class CallFigures(Struct, frozen=True):
    """What a call is measured by.

    Attributes
    ----------
    pot : float
        Chips in the middle before the call, with the bet that is to be called.
    to_call : float
        Chips that the call costs.
    odds : float
        Pot odds: chips to be won for each chip called, `pot / to_call`.
    required_equity : float
        Equity at which the call breaks even, 0-1.
    defence_frequency : float
        Share of hands that must not fold, or any two cards profit from the bet, 0-1, taking all that is to be
        called as the bet.
    equity : float or None
        The caller's, if known, 0-1.
    ev : float or None
        Chips that the call wins on average with that equity; a fold is 0.
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
    pot : float
        Chips in the middle before the bet.
    bet : float
        Chips bet.
    bluff_fold_equity : float
        How often all others have to fold for a hand that never wins when called, 0-1.
    defence_frequency : float
        How often they must not fold then, so that such a bet wins nothing, 0-1.
    equity : float or None
        The bettor's when called, if known, 0-1.
    fold_equity : float or None
        How often all others have to fold with that equity, 0-1; 0 if the bet wins even if always called.
    """

    pot: float
    bet: float
    bluff_fold_equity: float
    defence_frequency: float
    equity: float | None = None
    fold_equity: float | None = None


class OutFigures(Struct, frozen=True):
    """Outs, and what they are worth by the exact chance and by the rule of 2 and 4.

    Attributes
    ----------
    cards : tuple of Card
        The outs, by eq. 29 of Li et al. (2017).
    next_card : float
        Exact chance that the next card is one of them, 0-1.
    by_river : float
        Exact chance that at least one of the cards to come is, 0-1.
    rule_next_card : float
        By the rule of 2: 2 % for each out, 0-1.
    rule_by_river : float
        By the rule of 4 on a flop: 4 % for each out, 0-1, no more than 1; by the rule of 2 on a turn.
    """

    cards: tuple[Card, ...]
    next_card: float
    by_river: float
    rule_next_card: float
    rule_by_river: float


# ---- calls ----------------------------------------------------------------------------------------------


def pot_odds(pot: float, to_call: float) -> float:
    """Give how many chips there are to win for each chip called: pot / to_call.

    Parameters
    ----------
    pot : float
        Chips before the call, with the bet that is to be called; not negative.
    to_call : float
        Chips, more than 0.

    Raises
    ------
    EquityError
        If a number is no such amount.

    Examples
    --------
    >>> pot_odds(150, 50)
    3.0
    """
    return _quotient(_checked_chips(pot, "pot"), _checked_bet(to_call, "call"))


def required_equity(pot: float, to_call: float) -> float:
    """Give the equity at which a call breaks even: to_call / (pot + to_call) (Sklansky 1999).

    Parameters and errors as for `pot_odds`.

    Returns
    -------
    float
        Above 0 to 1.

    Examples
    --------
    >>> required_equity(150, 50)
    0.25
    """
    pot, to_call = _checked_chips(pot, "pot"), _checked_bet(to_call, "call")
    return _share(to_call, pot)


def ev_of_call(pot: float, to_call: float, equity: float) -> float:
    """Give the chips that a call wins on average, against 0 for a fold: equity (pot + to_call) - to_call.

    Parameters
    ----------
    pot, to_call : float
        As for `pot_odds`.
    equity : float
        Of the caller, 0-1.

    Raises
    ------
    EquityError
        If a number is no such amount, or no equity.

    Examples
    --------
    >>> ev_of_call(150, 50, 0.3)
    10.0
    """
    pot, to_call = _checked_chips(pot, "pot"), _checked_bet(to_call, "call")
    equity = _checked_equity(equity)
    # The same, summed so that two large amounts are never subtracted: what is won less what is lost.
    return equity * pot - (1 - equity) * to_call


def minimum_defence_frequency(pot: float, bet: float) -> float:
    """Give how often one must not fold to a bet, or any two cards profit from it: pot / (pot + bet).

    That is 1 - alpha (Chen and Ankenman 2006); all who may call share it.

    Parameters
    ----------
    pot : float
        Chips before the bet, not negative.
    bet : float
        Chips, more than 0.

    Returns
    -------
    float
        0 to below 1.

    Raises
    ------
    EquityError
        If a number is no such amount.

    Examples
    --------
    >>> minimum_defence_frequency(100, 50) == 2 / 3
    True
    """
    pot, bet = _checked_chips(pot, "pot"), _checked_bet(bet, "bet")
    return _share(pot, bet)


def figures_of_call(pot: float, to_call: float, equity: float | None = None) -> CallFigures:
    """Give all that a call is measured by.

    Parameters
    ----------
    pot, to_call : float
        As for `pot_odds`; a pot that holds the bet is no smaller than it.
    equity : float, optional
        Of the caller, 0-1.

    Raises
    ------
    EquityError
        If a number is no such amount, or the pot is smaller than the bet.

    Examples
    --------
    >>> figures_of_call(150, 50, 0.3).ev
    10.0
    """
    odds = pot_odds(pot, to_call)
    _check_pot_holds(pot, to_call)
    return CallFigures(
        pot=pot,
        to_call=to_call,
        odds=odds,
        required_equity=required_equity(pot, to_call),
        defence_frequency=minimum_defence_frequency(pot - to_call, to_call),
        equity=equity,
        ev=None if equity is None else ev_of_call(pot, to_call, equity),
    )


# ---- bets -----------------------------------------------------------------------------------------------


def break_even_fold_equity(pot: float, bet: float, equity: float = 0.0, to_call: float = 0.0) -> float:
    """Give how often all others have to fold for a bet or raise to break even.

    With fold equity f the bet wins f pot + (1 - f) (equity (pot + 2 bet - to_call) - bet), one caller calling all
    of it (the semi-bluff of Sklansky 1999). That is 0 at f = loss / (loss + pot), where the bet loses
    loss = bet - equity (pot + 2 bet - to_call) when called; without equity, at alpha = bet / (pot + bet).

    Parameters
    ----------
    pot : float
        Chips before the bet, not negative; before a raise it holds the bet that is raised.
    bet : float
        Chips, more than 0; for a raise all that it puts in, the call included, so more than `to_call`.
    equity : float
        Of the bettor when called, 0-1.
    to_call : float
        Chips that a call would cost, of those in the pot: 0 for a bet, not for a raise.

    Returns
    -------
    float
        0-1; 0 if a call loses nothing.

    Raises
    ------
    EquityError
        If a number is no such amount, or no equity, or the raise is no larger than the call.

    Examples
    --------
    >>> break_even_fold_equity(100, 100), round(break_even_fold_equity(100, 100, 0.2), 4)
    (0.5, 0.2857)
    >>> round(break_even_fold_equity(150, 200, 0.2, to_call=50), 4)  # 200 into 150, called with 150 more
    0.4
    """
    pot, bet, equity = _checked_chips(pot, "pot"), _checked_bet(bet, "bet"), _checked_equity(equity)
    to_call = _checked_chips(to_call, "call")
    _check_raise(pot, bet, to_call)
    loss = (1 - 2 * equity) * bet - equity * (pot - to_call)
    return _share(loss, pot) if loss > 0 else 0.0


def figures_of_bet(pot: float, bet: float, equity: float | None = None, to_call: float = 0.0) -> BetFigures:
    """Give all that a bet or raise is measured by; parameters and errors as for `break_even_fold_equity`.

    Examples
    --------
    >>> figures_of_bet(100, 50).bluff_fold_equity == 1 / 3
    True
    """
    return BetFigures(
        pot=pot,
        bet=bet,
        bluff_fold_equity=break_even_fold_equity(pot, bet, to_call=to_call),
        defence_frequency=minimum_defence_frequency(pot, bet),
        equity=equity,
        fold_equity=None if equity is None else break_even_fold_equity(pot, bet, equity, to_call),
    )


def bet_of_pot(pot: float, fraction: float, to_call: float = 0.0) -> float:
    """Give the chips that a bet or raise of a share of the pot puts in: to_call + fraction (pot + to_call).

    A raise is a call and then that share of the pot as it stands after the call (Robert's Rules of Poker, section
    "No-limit and pot-limit").

    Parameters
    ----------
    pot, to_call : float
        As for `break_even_fold_equity`.
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


# ---- outs -----------------------------------------------------------------------------------------------


def figures_of_outs(hole_cards: HoleCards, board: Sequence[Card], dead: Sequence[Card] = ()) -> OutFigures | None:
    """Give the outs of a hand on a flop or turn, and what they are worth.

    Parameters
    ----------
    hole_cards : tuple of two Card
    board : sequence of Card
        3 or 4 cards for outs to come.
    dead : sequence of Card
        Cards that will not come; what an out is does not depend on them.

    Returns
    -------
    OutFigures or None
        None before the flop and on the river, and for a hand that is not behind: outs are cards that bring a hand
        behind a random one most of what it lacks (`engine.agents.fold.predict.outs_of_hand`, with the numbers of
        the app). About 4 ms for a new flop.

    Raises
    ------
    EquityError
        If there are not two hole cards and 0, 3, 4 or 5 on the board, all different and none of them dead, or all
        others are.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> flush_draw = figures_of_outs(parse_cards("8h7h"), parse_cards("Kh 2h 5c"))
    >>> len(flush_draw.cards), round(flush_draw.by_river, 3), flush_draw.rule_by_river
    (9, 0.35, 0.36)
    """
    from engine.agents.fold.parameters import default_parameters
    from engine.agents.fold.predict import outs_of_hand

    check_sequence(hole_cards, "Hole cards")
    if len(hole_cards) != 2:
        raise EquityError(f"There are two hole cards, not {len(hole_cards)}.")
    check_cards(board, dead)
    check_cards((), hole_cards)
    for known, where in ((board, "on the board"), (dead, "dead")):
        if shared := [card for card in hole_cards if card in known]:
            raise EquityError(f"The card {format_card(shared[0])} is among the hole cards and {where}.")
    outs = outs_of_hand(hole_cards, board, default_parameters().prediction)
    if outs is None:
        return None
    return chances_of_outs([card for card in outs.cards if card not in dead], len(board), len(dead))


def chances_of_outs(outs: Sequence[Card], board_size: int, dead_count: int = 0) -> OutFigures:
    """Give what outs are worth, by whatever rule they were found.

    Exactly, with n outs among u unseen cards: n / u for the next card, 1 - C(u - n, 2) / C(u, 2) for two cards.

    Parameters
    ----------
    outs : sequence of Card
        All different.
    board_size : int
        3 or 4 cards.
    dead_count : int
        Cards out of play, none of them an out.

    Raises
    ------
    EquityError
        If the board is no flop or turn, there are more outs than unseen cards or one twice, or no card is left to
        come.
    """
    if isinstance(board_size, bool) or board_size not in (3, 4):
        raise EquityError(f"Outs are for a board of 3 or 4 cards, not {board_size!r}.")
    check_cards((), outs)
    unseen, to_come = CARD_COUNT - 2 - board_size - dead_count, 5 - board_size
    count = len(outs)
    if unseen < to_come:
        raise EquityError(f"{to_come} cards are to come, and {max(unseen, 0)} are left.")
    if count > unseen:
        raise EquityError(f"There are {unseen} unseen cards, so there cannot be {count} outs.")
    runouts = comb(unseen, to_come)
    return OutFigures(
        cards=tuple(outs),
        next_card=count / unseen,
        by_river=(runouts - comb(unseen - count, to_come)) / runouts,
        rule_next_card=min(2 * count / 100, 1.0),
        rule_by_river=min(2 * to_come * count / 100, 1.0),
    )


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
    """Give part / (part + rest) without a sum that overflows; not both are 0."""
    larger = max(part, rest)
    part, rest = part / larger, rest / larger
    return part / (part + rest)


def _quotient(pot: float, to_call: float) -> float:
    odds = pot / to_call
    if not isfinite(odds):
        raise EquityError(f"The pot {pot:g} is too large beside the call {to_call:g}.")
    return odds
