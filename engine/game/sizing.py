"""Bet sizes in shares of the pot, as players name them."""

from fractions import Fraction
from math import gcd

from engine.game.events import Chips
from engine.game.observation import Observation


class NoRaiseError(ValueError):
    """A bet or raise was sized where none is allowed."""


def pot_fraction_total(observation: Observation, fraction: float | Fraction) -> Chips:
    """Return the street total of a bet or raise of a share of the pot, legal or not, rounded, halves up.

    A pot-sized raise is a call and then a raise of the whole pot as it stands after that call: with blinds 10 and
    20, the first to act calls 20 and raises by the pot of 50, to 70. A `fraction`, at least 0, takes that part of
    it.

    Raises
    ------
    NoRaiseError
        If the seat may not bet or raise now.
    ValueError
        If the fraction is negative or no finite number.

    Source
    ------
    Robert's Rules of Poker, section "No-limit and pot-limit", introduction: the most a pot-limit player can raise
    is "the amount in the pot after the call is made"; into 100 with a bet of 50, that is to 250.
    """
    if not 0 <= fraction < float("inf"):
        raise ValueError(f"A bet of {fraction} pots is none: the share of the pot must be a number from 0 on.")
    legal = observation.legal
    if legal is None or not legal.can_raise:
        raise NoRaiseError(f"Seat {observation.seat} may not bet or raise now.")
    called = observation.me.bet + legal.call_amount
    return called + int(Fraction(fraction) * (observation.pot + legal.call_amount) + Fraction(1, 2))


def raise_to_for_pot_fraction(observation: Observation, fraction: float | Fraction) -> Chips:
    """Return the legal bet or raise, a street total, nearest to a share of the pot; see `pot_fraction_total`."""
    return _nearest_legal(observation, pot_fraction_total(observation, fraction))


def pot_fraction(observation: Observation, total: Chips) -> float:
    """Return which share of the pot a bet or raise to a street total is, of the seat to act.

    The inverse of `pot_fraction_total`: what is put in beyond a call, over the pot as it stands after that call.
    """
    assert observation.legal is not None
    called = observation.legal.call_amount
    return (total - observation.me.bet - called) / max(observation.pot + called, 1)


def in_whole_chips(observation: Observation, total: Chips) -> Chips:
    """Return the legal bet or raise, a street total, nearest to one in the chips that blinds and antes are paid in.

    With blinds 50 and 100 that is a multiple of 50, unless the least or the largest raise is no such. Halves are
    rounded up. The seat must be allowed to raise.
    """
    chip = gcd(observation.small_blind, observation.big_blind, observation.ante) or 1
    return _nearest_legal(observation, (2 * total + chip) // (2 * chip) * chip)


def _nearest_legal(observation: Observation, total: Chips) -> Chips:
    """Return the legal raise nearest to a total, of a seat that may raise."""
    assert observation.legal is not None
    return min(max(total, observation.legal.min_raise_to), observation.legal.max_raise_to)
