"""How a temper plays, compiled: the rules of `engine.agents.rule_based.temper`, figure for figure.

After the flop it goes by equities that the caller finds: where one is not known yet the answer is `UNKNOWN`, and
the caller asks again with it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key
from engine.kernels.jit import kernel
from engine.kernels.playing import (
    BET,
    BIG_BLIND,
    BUTTON,
    CALLS,
    CHECKING,
    COMMITTED,
    DEAD,
    FOLDED,
    FOLDS,
    RAISES,
    SMALL,
    STACK,
    STREET,
    Moment,
    Numbers,
    owed,
    raise_bounds,
)

UNKNOWN = -1
"""The kind of an action that waits for an equity."""

PLAYED, RAISED = 0, 10
"""Columns of a temper: the share of hands played by place, from the left of the button, and the share raised."""

THREE_BET, CALL_RAISE, FOUR_BET, CALL_THREE_BET, STACK_OFF, SHORT_STACK_OFF, OPEN_BB = range(11, 18)
BET_FROM, RAISE_FROM, CALL_FLOOR, CALL_SLOPE, BLUFF, SEMI_BLUFF, BET_SIZE, SIZING, GOES_ON_WITH = range(18, 27)
TEMPER_NUMBERS = 27

USUAL_SIZE, LEAST_SIZE, ALL_IN_SIZE = range(3)
NO_HOLDING, NOTHING, SOMETHING, STRONG = -1, 0, 1, 2

SIZE_BITS = np.uint64(63)
"""A size over the pot is a whole number of parts of 2^-63."""

_BIG_SHARE_OF_STACK, _SHORT_STACK_BB, _HALF_OF_STACK = 0.25, 12.0, 0.5
_MOST_CALLED_FROM, _FLOP_DRAW_ODDS, _TURN_DRAW_ODDS = 0.97, 0.33, 0.25
_STRONG_BET_FROM, _STRONG_BET_FACTOR = 0.85, 1.5
_RANKS, _ACE = 13, 12
_LAST_TWO_PAIR, _LAST_TRIPS, _LAST_STRAIGHT, _LAST_FLUSH, _LAST_QUADS = 4995, 5853, 5863, 7140, 7452
_WHEEL, _FIVE = 0b1000000001111, 0b11111


class Hand(NamedTuple):
    """What a place holds.

    Attributes
    ----------
    cards : ndarray of uint8, shape (7,)
        Hole cards, then the board.
    known : int
        How many of them are known.
    share : float
        Before the flop, the share of hands at least as strong.
    equity : float
        After it, against a random hand; NaN where it is not known.
    """

    cards: NDArray[np.uint8]
    known: int
    share: float
    equity: float


@kernel
def play_temper(
    moment: Moment, place: int, numbers: Numbers, hand: Hand, drawn: float, evaluator: EvaluatorTables
) -> tuple[int, int, float]:
    """Return what a temper does in a place whose turn it is: the kind, the total and the size over the pot.

    A total of 0 for a raise asks for that size. `drawn` is the decision's random number.
    """
    seats = moment.seats
    level = np.int64(0)
    for other in range(len(seats)):
        level = max(level, seats[other, BET])
    to_call = int(min(level - seats[place, BET], seats[place, STACK]))
    if moment.hand[STREET] == 0:
        kind, total = _play_preflop(moment, place, numbers, hand.share, to_call)
        return kind, total, 0.0
    least, most = raise_bounds(moment, place)
    fixed = int(least if numbers[SIZING] == LEAST_SIZE else most if numbers[SIZING] == ALL_IN_SIZE else 0)
    opponents = -1
    for other in range(len(seats)):
        opponents += seats[other, FOLDED] == 0
    opponents = max(opponents, 1)
    if to_call > 0:
        kind = _answer_bet(moment, place, numbers, hand, to_call, opponents, evaluator)
        return kind, fixed, min(1.0, numbers[BET_SIZE])
    if most == 0:
        return CHECKING, 0, 0.0
    if np.isnan(hand.equity):
        return UNKNOWN, 0, 0.0
    if hand.equity >= _multiway_cut(numbers[BET_FROM], opponents):
        factor = _STRONG_BET_FACTOR if hand.equity >= _STRONG_BET_FROM else 1.0
        return SMALL, fixed, min(1.0, numbers[BET_SIZE] * factor)
    chance = numbers[BLUFF]
    if numbers[SEMI_BLUFF] != chance and draw(hand, evaluator) == STRONG:
        chance = numbers[SEMI_BLUFF]
    if drawn < chance / opponents:
        return SMALL, fixed, min(1.0, numbers[BET_SIZE])
    return CHECKING, 0, 0.0


@kernel
def _play_preflop(moment: Moment, place: int, numbers: Numbers, share: float, to_call: int) -> tuple[int, int]:
    """Return kind and total of an action before the flop."""
    seats, before = moment.seats, moment.hand[RAISES]
    stack, bet, big_blind = seats[place, STACK], seats[place, BET], moment.stakes[BIG_BLIND]
    if before == 0:
        raises, calls = numbers[PLAYED + place] * numbers[RAISED], numbers[PLAYED + place]
    elif before == 1:
        raises, calls = numbers[THREE_BET], numbers[CALL_RAISE]
    else:
        raises, calls = numbers[FOUR_BET], numbers[CALL_THREE_BET]
    deepest = np.int64(0)
    for other in range(len(seats)):
        if other != place and seats[other, FOLDED] == 0:
            deepest = max(deepest, seats[other, STACK] + seats[other, BET])
    is_short = min(stack + bet, deepest) / big_blind < _SHORT_STACK_BB
    stack_off = numbers[SHORT_STACK_OFF] if is_short else numbers[STACK_OFF]
    if before > 0 and to_call >= _BIG_SHARE_OF_STACK * stack:
        calls = min(calls, stack_off)
    least, most = raise_bounds(moment, place)
    can_check = owed(moment, place) == 0
    if share <= raises and most > 0:
        total = _preflop_total(moment, place, numbers, least, most)
        if total - bet < _BIG_SHARE_OF_STACK * stack or share <= stack_off:
            if numbers[SIZING] == USUAL_SIZE and total - bet >= _HALF_OF_STACK * stack:
                total = most
            return SMALL, total
    if share <= max(calls, raises) or (can_check and before == 0):
        return (CHECKING, 0) if can_check else (CALLS, 0)
    return (CHECKING, 0) if can_check else (FOLDS, 0)


@kernel
def _preflop_total(moment: Moment, place: int, numbers: Numbers, least: int, most: int) -> int:
    """Return the street total of an open, or of a further raise."""
    seats, big_blind = moment.seats, moment.stakes[BIG_BLIND]
    if numbers[SIZING] != USUAL_SIZE:
        return least if numbers[SIZING] == LEAST_SIZE else most
    limpers, total = 0, np.int64(0)
    for other in range(len(seats)):
        total = max(total, 3 * seats[other, BET])
        limpers += other != place and seats[other, FOLDED] == 0 and seats[other, BET] == big_blind
    if moment.hand[RAISES] == 0:
        button = moment.stakes[BUTTON]
        is_big_blind = place == (button + (1 if len(seats) == 2 else 2)) % len(seats)
        limpers -= 0 if is_big_blind else 1
        total = np.int64(np.rint((numbers[OPEN_BB] + max(limpers, 0)) * big_blind))
    if total < least:
        return least
    return int(total) if total < most else most


@kernel
def _answer_bet(
    moment: Moment,
    place: int,
    numbers: Numbers,
    hand: Hand,
    to_call: int,
    opponents: int,
    evaluator: EvaluatorTables,
) -> int:
    """Return the kind of an action after the flop with a bet to call."""
    seats, street = moment.seats, moment.hand[STREET]
    reach, winnable = seats[place, COMMITTED] + to_call, moment.stakes[DEAD]
    for other in range(len(seats)):
        winnable += min(seats[other, COMMITTED], reach)
    odds = to_call / (winnable + to_call)
    _, most = raise_bounds(moment, place)
    goes_by_holding = numbers[GOES_ON_WITH] != NO_HOLDING
    if np.isnan(hand.equity) and (most > 0 or not goes_by_holding):
        return UNKNOWN
    missing = (1 - numbers[RAISE_FROM]) * 0.5 ** max(0, moment.hand[RAISES + street] - 1)
    if most > 0 and hand.equity >= _multiway_cut(1 - missing, opponents):
        return SMALL
    if goes_by_holding:
        return CALLS if holding(hand, evaluator) >= numbers[GOES_ON_WITH] else FOLDS
    called_from = min(_MOST_CALLED_FROM, numbers[CALL_FLOOR] + numbers[CALL_SLOPE] * odds)
    if hand.equity >= _multiway_cut(called_from, opponents):
        return CALLS
    draw_odds = _FLOP_DRAW_ODDS if street == 1 else _TURN_DRAW_ODDS
    if odds <= draw_odds and draw(hand, evaluator) == STRONG:
        return CALLS
    return FOLDS


@kernel
def _multiway_cut(cut: float, opponents: int) -> float:
    """Return where a cut point of a two-player pot lies against several opponents."""
    return float((cut / (cut + (1 - cut) * opponents)) ** (1 / opponents))


@kernel
def _strength(cards: NDArray[np.uint8], first: int, end: int, evaluator: EvaluatorTables) -> int:
    """Return the strength of some cards in a row."""
    key, mask = START_KEY, np.uint64(0)
    for at in range(first, end):
        key += evaluator.card_key[cards[at]]
        mask += evaluator.card_mask[cards[at]]
    return strength_of_key(evaluator.row_offset, evaluator.rank_strength, evaluator.flush_strength, key, mask)


@kernel
def is_straight_or_flush(strength: int) -> bool:
    """Tell whether a strength is that of a straight or a flush, straight flushes included."""
    return _LAST_TRIPS < strength <= _LAST_FLUSH or strength > _LAST_QUADS


@kernel
def holding(hand: Hand, evaluator: EvaluatorTables) -> int:
    """Return what hole cards make of the board, as `engine.agents.rule_based.holdings` does."""
    cards = hand.cards
    one, other = cards[0] >> 2, cards[1] >> 2
    highest, has_one, has_other = 0, one == other, one == other
    for at in range(2, hand.known):
        rank = cards[at] >> 2
        highest = max(highest, rank)
        has_one |= rank == one
        has_other |= rank == other
    made = _strength(cards, 0, hand.known, evaluator)
    if hand.known == 7 and _strength(cards, 2, 7, evaluator) == made:
        made = 0
    if not has_one and not has_other:
        if is_straight_or_flush(made):
            return STRONG
        return max(draw(hand, evaluator), SOMETHING if one == _ACE or other == _ACE else NOTHING)
    best = max(one if has_one else 0, other if has_other else 0)
    if (has_one and has_other and one != other) or best >= highest or made > _LAST_TWO_PAIR:
        return STRONG
    return max(draw(hand, evaluator), SOMETHING)


@kernel
def draw(hand: Hand, evaluator: EvaluatorTables) -> int:
    """Return `STRONG` for a draw to a flush or to two ranks of a straight, `SOMETHING` for one rank."""
    cards, count = hand.cards, hand.known
    if count == 7:
        return NOTHING
    made = _strength(cards, 0, count, evaluator)
    if made > _LAST_STRAIGHT:
        return NOTHING
    board, held = 0, 0
    for at in range(count):
        bit = 1 << (cards[at] >> 2)
        held |= bit
        board |= bit if at >= 2 else 0
    for at in range(2):
        of_suit = 0
        for other in range(count):
            of_suit += cards[other] & 3 == cards[at] & 3
        if of_suit == 4:
            return STRONG
    if made > _LAST_TRIPS:
        return NOTHING
    makers = 0
    for rank in range(_RANKS):
        bit = 1 << rank
        if held & bit == 0:
            best = _best_straight(held | bit)
            makers += best & ~(board | bit) != 0
    return STRONG if makers > 1 else SOMETHING if makers else NOTHING


@kernel
def _best_straight(ranks: int) -> int:
    """Return the highest straight among ranks as a set of ranks, 0 for none."""
    for lowest in range(_RANKS - 5, -1, -1):
        if (ranks >> lowest) & _FIVE == _FIVE:
            return _FIVE << lowest
    return _WHEEL if ranks & _WHEEL == _WHEEL else 0
