"""How compiled styles choose: the same rules and random numbers as those of `engine.agents.rule_based`.

A style is a row: what kind it is, and its numbers. Which function decides is a switch on the kind: every function
is known to the compiler, and the code can be kept, which a function handed in as an argument forbids.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels.jit import kernel
from engine.kernels.numpy_streams import (
    Words,
    add_words,
    first_number,
    high_product,
    mix,
    next_fraction,
    stream_of,
)
from engine.kernels.playing import (
    BET,
    CALLS,
    CHECKING,
    FOLDS,
    SMALL,
    STACK,
    Integers,
    Moment,
    Numbers,
    owed,
    pot_of,
    raise_bounds,
)

FOLDER, CALLER, POT_RAISER, RANDOM = range(4)

RANDOM_FOLDS, RANDOM_CALLS, STYLE_NUMBERS = 0, 1, 2
"""Columns of a random style: how often it folds, and from which drawn number on it raises."""

_AGENT_STREAM, _DECISION_STREAM = np.uint64(2), np.uint64(2)
_FRACTION_BITS = np.uint64(53)
_FRACTION = 1.0 / 9007199254740992.0
_ONE = np.uint64(1)


class Styles(NamedTuple):
    """The styles that play.

    Attributes
    ----------
    kinds : ndarray of int64, shape (n,)
    numbers : ndarray of float64, shape (n, STYLE_NUMBERS)
    """

    kinds: Integers
    numbers: Numbers


class Spot(NamedTuple):
    """Where random numbers of a hand come from.

    Attributes
    ----------
    key : ndarray of uint64, shape (3,)
        Seed of the session, number of the hand from 1 on, and decisions so far.
    words, pool : ndarray of uint64, shapes (8,) and (4,)
        Room for `numpy_streams.mix`.
    """

    key: Words
    words: Words
    pool: Words


def new_spot(seed: int) -> Spot:
    """Return the beginning of a session."""
    return Spot(np.array([seed, 0, 0], np.uint64), np.zeros(8, np.uint64), np.zeros(4, np.uint64))


@kernel
def decide(moment: Moment, place: int, styles: Styles, style: int, spot: Spot) -> tuple[int, int]:
    """Return what a style does in a place whose turn it is: the kind, and the street total of a raise."""
    kind = styles.kinds[style]
    to_call = owed(moment, place)
    passive, calling = (FOLDS, CALLS) if to_call > 0 else (CHECKING, CHECKING)
    if kind == FOLDER:
        return passive, 0
    if kind == CALLER:
        return calling, 0
    size = _ONE << _FRACTION_BITS
    if kind == RANDOM:
        drawn, size = _two_fractions(spot)
        if drawn * _FRACTION < styles.numbers[style, RANDOM_FOLDS]:
            return passive, 0
        if drawn * _FRACTION < styles.numbers[style, RANDOM_CALLS]:
            return calling, 0
    least, most = raise_bounds(moment, place)
    if most == 0:
        return calling, 0
    to_call = int(min(to_call, moment.seats[place, STACK]))
    total = moment.seats[place, BET] + to_call + _part(size, pot_of(moment) + to_call)
    return SMALL, int(min(max(total, least), most))


@kernel
def _two_fractions(spot: Spot) -> tuple[np.uint64, np.uint64]:
    """Return the two random numbers of a decision, times 2^53."""
    key, words, pool = spot
    count = add_words(key[0], words, 0)
    count = add_words(_AGENT_STREAM, words, count)
    count = add_words(key[1], words, count)
    count = add_words(key[2], words, count)
    mix(words, count, pool)
    count = add_words(first_number(pool) >> _ONE, words, 0)
    count = add_words(_DECISION_STREAM, words, count)
    mix(words, count, pool)
    first, stream = next_fraction(stream_of(pool))
    return first, next_fraction(stream)[0]


@kernel
def _part(fraction: np.uint64, chips: int) -> int:
    """Return a fraction, times 2^53, of chips, rounded, halves up."""
    low = fraction * np.uint64(chips)
    high = high_product(fraction, np.uint64(chips))
    half = _ONE << (_FRACTION_BITS - _ONE)
    if low + half < low:
        high += _ONE
    return int((high << (np.uint64(64) - _FRACTION_BITS)) | ((low + half) >> _FRACTION_BITS))
