"""How compiled styles choose: the same rules and random numbers as those of `engine.agents.rule_based`.

A style is a row: what kind it is, and its numbers. Which function decides is a switch on the kind: every function
is known to the compiler, and the code can be kept, which a function handed in as an argument forbids.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT
from engine.kernels.bulk.numpy_streams import (
    Words,
    add_words,
    first_number,
    high_product,
    mix,
    next_fraction,
    stream_of,
)
from engine.kernels.bulk.tempers import BLUFF, SEMI_BLUFF, SIZE_BITS, TEMPER_NUMBERS, Hand, play_temper
from engine.kernels.evaluator import EvaluatorTables
from engine.kernels.jit import fused, kernel
from engine.kernels.playing import (
    BET,
    CALLS,
    CHECKING,
    FOLDS,
    SMALL,
    STACK,
    STREET,
    Integers,
    Moment,
    Numbers,
    owed,
    pot_of,
    raise_bounds,
)

FOLDER, CALLER, POT_RAISER, RANDOM, TEMPER = range(5)
ALWAYS = RANDOM
"""How many kinds, the first, always do the same."""

RANDOM_FOLDS, RANDOM_CALLS = 0, 1
"""Columns of a random style: how often it folds, and from which drawn number on it raises."""

STYLE_NUMBERS = TEMPER_NUMBERS

_AGENT_STREAM, _DECISION_STREAM = np.uint64(2), np.uint64(2)
_FRACTION_BITS = np.uint64(53)
FRACTION = 1.0 / 9007199254740992.0
"""A random number of `two_fractions` times this is from 0 to 1."""

_SIZE_PARTS = 9223372036854775808.0
_ONE = np.uint64(1)


class Styles(NamedTuple):
    """The styles that play.

    Attributes
    ----------
    kinds : ndarray of int64, shape (n,)
    numbers : ndarray of float64, shape (n, STYLE_NUMBERS)
        The columns are those of the kind.
    shares : ndarray of float64, shape (1326,)
        Before the flop, the share of hands at least as strong as each combo.
    evaluator : EvaluatorTables
    """

    kinds: Integers
    numbers: Numbers
    shares: Numbers
    evaluator: EvaluatorTables


class Spot(NamedTuple):
    """What a decision goes by but the betting.

    Attributes
    ----------
    key : ndarray of uint64, shape (3,)
        For random numbers: seed of the session, number of the hand from 1 on, and decisions so far.
    cards : ndarray of uint8, shape (52,)
        The deck.
    equities : ndarray of float64, shape (3, places)
        Of each place's hand against a random one on the flop, turn and river; NaN where it is not known.
    hand : ndarray of uint8, shape (7,)
        Room for the cards of a place.
    words, pool : ndarray of uint64, shapes (8,) and (4,)
        Room for `numpy_streams.mix`.
    """

    key: Words
    cards: NDArray[np.uint8]
    equities: Numbers
    hand: NDArray[np.uint8]
    words: Words
    pool: Words


def new_spot(seed: int, places: int) -> Spot:
    """Return the beginning of a session."""
    return Spot(
        key=np.array([seed, 0, 0], np.uint64),
        cards=np.zeros(CARD_COUNT, np.uint8),
        equities=np.zeros((3, places)),
        hand=np.zeros(7, np.uint8),
        words=np.zeros(8, np.uint64),
        pool=np.zeros(4, np.uint64),
    )


@fused
def decide_always(moment: Moment, place: int, kind: int) -> tuple[int, int]:
    """Return what one of the first `ALWAYS` kinds does in a place whose turn it is, as `decide`.

    It takes the betting alone: handing all that `decide` takes from kernel to kernel costs more than the decision.
    """
    to_call = owed(moment, place)
    if kind == POT_RAISER:
        total = _sized_total(moment, place, _ONE << SIZE_BITS)
        if total > 0:
            return SMALL, total
    if to_call == 0:
        return CHECKING, 0
    return (FOLDS, 0) if kind == FOLDER else (CALLS, 0)


@kernel
def decide(moment: Moment, place: int, styles: Styles, style: int, spot: Spot) -> tuple[int, int]:
    """Return what a style does in a place whose turn it is: the kind, or `UNKNOWN`, and a raise's street total."""
    numbers = styles.numbers[style]
    if styles.kinds[style] == TEMPER:
        return _decide_temper(moment, place, styles, numbers, spot)
    is_free = owed(moment, place) == 0
    first, second = two_fractions(spot)
    drawn, size = first * FRACTION, second << (SIZE_BITS - _FRACTION_BITS)
    if drawn < numbers[RANDOM_FOLDS]:
        return (CHECKING, 0) if is_free else (FOLDS, 0)
    total = _sized_total(moment, place, size) if drawn >= numbers[RANDOM_CALLS] else 0
    if total > 0:
        return SMALL, total
    return (CHECKING, 0) if is_free else (CALLS, 0)


@kernel
def _decide_temper(moment: Moment, place: int, styles: Styles, numbers: Numbers, spot: Spot) -> tuple[int, int]:
    """Return the kind and the street total of a temper's action."""
    places, street = len(moment.seats), moment.hand[STREET]
    cards, hand = spot.cards, spot.hand
    hand[0], hand[1] = cards[place], cards[places + place]
    count, share, equity, drawn = 2, 0.0, 0.0, 1.0
    if street == 0:
        high, low = np.int64(max(hand[0], hand[1])), np.int64(min(hand[0], hand[1]))
        share = styles.shares[high * (high - 1) // 2 + low]
    else:
        count = 4 + street
        for at in range(2, count):
            hand[at] = cards[2 * places + at - 2]
        equity = spot.equities[street - 1, place]
        if numbers[BLUFF] > 0 or numbers[SEMI_BLUFF] > 0:
            drawn = two_fractions(spot)[0] * FRACTION
    held = Hand(hand, count, share, equity)
    kind, total, size = play_temper(moment, place, numbers, held, drawn, styles.evaluator)
    if kind == SMALL and total == 0:
        total = _sized_total(moment, place, np.uint64(size * _SIZE_PARTS))
    return kind, total


@fused
def _sized_total(moment: Moment, place: int, size: np.uint64) -> int:
    """Return the legal street total nearest to a size over the pot, times 2^63; 0 if no raise is allowed."""
    least, most = raise_bounds(moment, place)
    if most == 0:
        return 0
    seats = moment.seats
    to_call = int(min(owed(moment, place), seats[place, STACK]))
    total = seats[place, BET] + to_call + _part(size, pot_of(moment) + to_call)
    return int(min(max(total, least), most))


@kernel
def two_fractions(spot: Spot) -> tuple[np.uint64, np.uint64]:
    """Return the two random numbers of a decision, times 2^53."""
    key, words, pool = spot.key, spot.words, spot.pool
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


@fused
def _part(fraction: np.uint64, chips: int) -> int:
    """Return a fraction, times 2^63, of chips, rounded, halves up."""
    low = fraction * np.uint64(chips)
    high = high_product(fraction, np.uint64(chips))
    half = _ONE << (SIZE_BITS - _ONE)
    if low + half < low:
        high += _ONE
    return int((high << _ONE) | ((low + half) >> SIZE_BITS))
