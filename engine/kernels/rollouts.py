"""Hands played out from a moment many times, every action of one player on the same deals.

Whatever ends the hand at a choice (a fold that leaves one player, a call that leads to the showdown) is counted by
its probability and not drawn; only how the hand goes on is drawn. That leaves each mean as it is and takes out most
of the noise. The draws of a player's n-th choice on a street are the same for all actions (common random numbers).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.playing import (
    ACTED,
    ALL_IN,
    BET,
    BIG_BLIND,
    CALLS,
    CHECKING,
    CHOICES,
    COMMITTED,
    CONTEXTS,
    DEAD,
    FOLDED,
    FOLDS,
    FULL_RAISE,
    HAND_NUMBERS,
    HERO,
    PRICE,
    RAISER,
    RAISES,
    SEAT_NUMBERS,
    SIZE_NUMBERS,
    SMALL,
    STACK,
    STAKE_NUMBERS,
    STREET,
    TO_ACT,
    Floats,
    Integers,
    Moment,
    Net,
    Numbers,
    Play,
    Scratch,
    act,
    choose,
    choose_each,
    deal_street,
    new_scratch,
    owed,
    pot_of,
    raise_bounds,
)

VALUE, SQUARE, ALL_FOLD, CALLED, EQUITY, LATER, RESULTS = 0, 1, 2, 3, 4, 5, 6
"""What a rollout gives: chips won from here on and their square, and probabilities.

All others fold before the player acts again; somebody does not; the latter times the equity then; the betting goes
on upon a later street.
"""

_LEAST_WEIGHT = 0.03


class Deals(NamedTuple):
    """What everybody holds in each sample, and what comes.

    Attributes
    ----------
    rows : ndarray of float32, shape (n, first layer)
        What combos on boards make of the first layer, with the bias.
    weaker : ndarray of float32, shape (n,)
        Share of weaker hands, 0-1, of the same combos.
    row_of : ndarray of int32, shape (samples, places, 4)
        Which row it is on each street.
    finals : ndarray of int16, shape (samples, boards, places)
        Strengths at the showdown: first on the sample's own run-out, then on others, for hands that are run out.
    """

    rows: Floats
    weaker: Floats
    row_of: NDArray[np.int32]
    finals: NDArray[np.int16]


@kernel
def _random(seed: np.uint64) -> float:
    """Return a number from 0 to 1 that a seed stands for (Steele, Lea and Flood 2014, SplitMix)."""
    mixed = seed + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return (mixed >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def winnings(seats: Integers, hero: int, strengths: NDArray[np.int16], dead: int) -> float:
    """Return the chips that a player who has not folded gets at the showdown, by the sums that all put in.

    `dead` are chips of the main pot that nobody put in.
    """
    places = len(seats)
    below, won = np.int64(0), 0.0
    highest = np.int64(0)
    for place in range(places):
        if seats[place, FOLDED] == 0:
            highest = max(highest, seats[place, COMMITTED])
    while below < seats[hero, COMMITTED]:
        top = np.int64(1) << np.int64(60)
        for place in range(places):
            if seats[place, FOLDED] == 0 and seats[place, COMMITTED] > below:
                top = min(top, seats[place, COMMITTED])
        pot, best, winners = np.int64(dead if below == 0 else 0), -1, 0
        for place in range(places):
            put_in = seats[place, COMMITTED]
            # What only those have put in who folded since goes to the last pot.
            pot += max(put_in - below, 0) if top == highest and put_in > top else max(min(put_in, top) - below, 0)
            if seats[place, FOLDED] == 0 and put_in >= top:
                if strengths[place] > best:
                    best, winners = strengths[place], 1
                elif strengths[place] == best:
                    winners += 1
        if strengths[hero] == best:
            won += pot / winners
        below = top
    return won


@kernel
def _at_showdown(moment: Moment, finals: NDArray[np.int16]) -> tuple[float, float]:
    """Return the mean and the mean square of the chips got, with those behind less `finals`' own moment's stack."""
    hero, dead = moment.stakes[HERO], moment.stakes[DEAD]
    if moment.hand[STREET] == 3:
        won = winnings(moment.seats, hero, finals[0], dead)
        return won, won * won
    mean = square = 0.0
    for board in range(len(finals)):
        won = winnings(moment.seats, hero, finals[board], dead)
        mean += won
        square += won * won
    return mean / len(finals), square / len(finals)


@kernel
def _equity(moment: Moment, finals: NDArray[np.int16]) -> float:
    """Return the share of the boards that a player wins against all who have not folded, ties shared."""
    seats, hero = moment.seats, moment.stakes[HERO]
    boards = 1 if moment.hand[STREET] == 3 else len(finals)
    total = 0.0
    for board in range(boards):
        own, ties, is_best = finals[board, hero], 1, True
        for place in range(len(seats)):
            if place != hero and seats[place, FOLDED] == 0:
                is_best &= finals[board, place] <= own
                ties += finals[board, place] == own
        if is_best:
            total += 1.0 / ties
    return total / boards


@kernel
def _copy(source: Moment, target: Moment) -> None:
    """Set a moment to what another one is."""
    for place in range(len(source.seats)):
        for at in range(SEAT_NUMBERS):
            target.seats[place, at] = source.seats[place, at]
    for at in range(HAND_NUMBERS):
        target.hand[at] = source.hand[at]
    for at in range(SIZE_NUMBERS):
        target.sizes[at] = source.sizes[at]


@kernel
def _live(seats: Integers) -> tuple[int, int]:
    """Return how many have not folded, and how many of them have chips left."""
    live = able = 0
    for place in range(len(seats)):
        if seats[place, FOLDED] == 0:
            live += 1
            able += seats[place, STACK] > 0
    return live, able


@kernel
def _total_of(moment: Moment, play: Play, place: int, choice: int) -> int:
    """Return the legal total of a raise of one of the sizes."""
    seats, hand = moment.seats, moment.hand
    least, most = raise_bounds(moment, place)
    if choice == ALL_IN:
        return most
    pot, to_call = pot_of(moment), owed(moment, place)
    kind = 3 if hand[STREET] else min(hand[RAISES], 2)
    size = play.sizes[kind, choice - SMALL]
    total = int(seats[place, BET] + to_call + size * (pot + to_call))
    return min(max(total, least), most)


@kernel
def _ends(before: Moment, after: Moment, place: int, kind: int) -> bool:
    """Whether a check or call leads to the showdown without another choice; `after` is then the hand at its end."""
    seats = before.seats
    if before.hand[STREET] < 3:
        able = 0
        for other in range(len(seats)):
            able += seats[other, FOLDED] == 0 and seats[other, STACK] > 0
        if able > 2 and seats[place, STACK] > owed(before, place):
            return False
    _copy(before, after)
    act(after, place, kind, 0)
    if after.hand[TO_ACT] >= 0:
        return False
    return after.hand[STREET] == 3 or _live(after.seats)[1] < 2


@kernel
def _go_on(
    moment: Moment,
    spare: Moment,
    play: Play,
    deals: Deals,
    sample: int,
    seed: np.uint64,
    scratch: Scratch,
    out: Numbers,
) -> None:
    """Play a sample out from a moment, and add its results to `out`, shape (RESULTS,)."""
    seats, hand, numbers = moment.seats, moment.hand, scratch.numbers
    hero, street_of_root = moment.stakes[HERO], hand[STREET]
    finals = deals.finals[sample]
    weight, is_answered = 1.0, False
    while True:
        place = hand[TO_ACT]
        if not is_answered and (place < 0 or place == hero):
            is_answered = True
            if _live(seats)[0] > 1:
                out[CALLED] += weight
                out[EQUITY] += weight * _equity(moment, finals)
        if place < 0:
            live, able = _live(seats)
            if live == 1 or able < 2 or hand[STREET] == 3:
                mean, square = _at_showdown(moment, finals)
                _add(
                    out,
                    weight,
                    mean + seats[hero, STACK],
                    square + 2 * mean * seats[hero, STACK] + float(seats[hero, STACK]) ** 2,
                )
                return
            deal_street(moment)
            if hand[STREET] == street_of_root + 1:
                out[LATER] += weight
            continue
        row = deals.row_of[sample, place, hand[STREET]]
        choose(moment, play, deals.rows[row], deals.weaker[row], scratch)
        live = _live(seats)[0]
        rest = 1.0
        if numbers[FOLDS] > 0 and (place == hero or live == 2):
            got = float(seats[hero, STACK])
            if place != hero:
                got += pot_of(moment)
                if not is_answered:
                    out[ALL_FOLD] += weight * numbers[FOLDS]
            _add(out, weight * numbers[FOLDS], got, got * got)
            rest -= numbers[FOLDS]
            numbers[FOLDS] = 0
        kind = CALLS if numbers[CALLS] > 0 else CHECKING
        if numbers[kind] > 0 and _ends(moment, spare, place, kind):
            mean, square = _at_showdown(spare, finals)
            behind = float(spare.seats[hero, STACK])
            _add(out, weight * numbers[kind], mean + behind, square + 2 * mean * behind + behind * behind)
            if not is_answered:
                out[CALLED] += weight * numbers[kind]
                out[EQUITY] += weight * numbers[kind] * _equity(spare, finals)
            rest -= numbers[kind]
            numbers[kind] = 0
        weight *= max(rest, 0.0)
        drawn = _random(seed + np.uint64(1009 * place + 101 * hand[STREET] + 11 * seats[place, ACTED]))
        if weight < _LEAST_WEIGHT:
            if drawn * _LEAST_WEIGHT >= weight:
                return
            drawn *= _LEAST_WEIGHT / weight
            weight = _LEAST_WEIGHT
        left = drawn * rest
        chosen = -1
        for choice in range(CHOICES):
            if numbers[choice] > 0:
                chosen = choice
                left -= numbers[choice]
                if left < 0:
                    break
        act(moment, place, chosen, _total_of(moment, play, place, chosen) if chosen >= SMALL else 0)


@kernel
def _add(out: Numbers, weight: float, mean: float, square: float) -> None:
    """Add an end of the hand of some probability."""
    out[VALUE] += weight * mean
    out[SQUARE] += weight * square


@kernel
def roll_out(
    start: Moment,
    work: tuple[Moment, Moment],
    play: Play,
    deals: Deals,
    actions: Integers,
    seed: np.uint64,
    scratch: Scratch,
    out: Numbers,
) -> None:
    """Play every action out on every sample.

    Parameters
    ----------
    start : Moment
        The player whose winnings count is to act.
    work : two Moments
        Of the same shapes, written over.
    actions : ndarray of int64, shape (n, 2)
        Kind, `CALLS`, `CHECKING` or from `SMALL` on a raise, and its street total.
    out : ndarray of float64, shape (n, samples, RESULTS)
        Chips against folding at once.
    """
    moment, spare = work
    hero = start.stakes[HERO]
    behind = float(start.seats[hero, STACK])
    for at in range(len(actions)):
        for sample in range(len(deals.row_of)):
            _copy(start, moment)
            found = out[at, sample]
            found[:] = 0
            act(moment, hero, actions[at, 0], actions[at, 1])
            _go_on(moment, spare, play, deals, sample, seed + np.uint64(65537 * sample), scratch, found)
            # From chips at the end to chips more than now.
            found[SQUARE] += behind * behind - 2 * behind * found[VALUE]
            found[VALUE] -= behind


@kernel
def run_out(
    evaluator: EvaluatorTables,
    combos: Integers,
    runouts: NDArray[np.uint8],
    known: int,
    cards: NDArray[np.uint8],
    seed: np.uint64,
    finals: NDArray[np.int16],
) -> None:
    """Write the strengths of all players' hands at showdowns into `finals`, shape (samples, boards, places).

    The first board is the sample's own of `runouts`, shape (samples, 5); of the others the first `known` cards are
    the same, and the rest are drawn from what nobody holds. `combos` has shape (samples, places), -1 for
    nobody; `cards` are those of each combo, shape (1326, 2).
    """
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    for sample in range(len(combos)):
        held = np.uint64(0)
        for place in range(combos.shape[1]):
            if combos[sample, place] >= 0:
                for at in range(2):
                    held |= np.uint64(1) << np.uint64(cards[combos[sample, place], at])
        for board in range(finals.shape[1]):
            used, board_key, board_mask = held, START_KEY, np.uint64(0)
            for at in range(5):
                card = np.int64(runouts[sample, at])
                tries = 0
                while at >= known and board > 0:
                    draw = seed + np.uint64(((sample * 64 + board) * 8 + at) * 64 + tries)
                    card = np.int64(_random(draw) * 52)
                    tries += 1
                    if (used >> np.uint64(card)) & np.uint64(1) == np.uint64(0):
                        break
                used |= np.uint64(1) << np.uint64(card)
                board_key += card_key[card]
                board_mask += card_mask[card]
            for place in range(combos.shape[1]):
                combo = combos[sample, place]
                if combo >= 0:
                    key, mask = board_key, board_mask
                    for at in range(2):
                        key += card_key[cards[combo, at]]
                        mask += card_mask[cards[combo, at]]
                    finals[sample, board, place] = strength_of_key(
                        evaluator.row_offset, evaluator.rank_strength, evaluator.flush_strength, key, mask
                    )


def _prepare() -> None:
    """Play tiny hands out on arguments of the types that the app uses."""
    row, zeros = np.zeros(8, np.float32), np.zeros(81, np.float32)
    square = np.zeros((8, 8), np.float32)
    after = Net(np.zeros((81, 8), np.float32), square, row, square, row, zeros, zeros)
    before = Net(np.zeros((48, 8), np.float32), square, row, square, row, zeros[:48], zeros[:48])
    factors, leanings = np.ones((2, CONTEXTS, 2, CHOICES)), np.zeros((2, 3, CHOICES))
    sizes, two = (np.ones((4, 3)), np.ones((4, 4))), np.ones(2)
    play = Play(before, after, *sizes, factors, leanings, two, row, two, np.ones((2, 2)), 1.0)
    moments, stakes = [], np.zeros(STAKE_NUMBERS, np.int64)
    stakes[BIG_BLIND] = stakes[PRICE] = 10
    for _ in range(3):
        seats = np.zeros((2, SEAT_NUMBERS), np.int64)
        seats[:, :5] = [[95, 5, 5, 0, -1], [90, 10, 10, 0, -1]]
        hand = np.zeros(HAND_NUMBERS, np.int64)
        hand[FULL_RAISE], hand[RAISER:] = 10, -1
        moments.append(Moment(seats, hand, np.ones(SIZE_NUMBERS), stakes))
    scratch = new_scratch(81, 8, 8)
    choose(moments[1], play, row, 0.5, scratch)
    choose_each(moments[1], play, row[None].copy(), np.full(1, 0.5), scratch, np.zeros((1, CHOICES)))
    deals = Deals(
        row[None].copy(),
        row[:1].copy(),
        np.zeros((1, 2, 4), np.int32),
        np.zeros((1, 2, 2), np.int16),
    )
    combos, boards = np.array([[0, 1325]]), np.array([[8, 12, 16, 20, 24]], np.uint8)
    run_out(tables(), combos, boards, 0, np.array(COMBO_CARDS), np.uint64(1), deals.finals)
    actions = np.array([[CALLS, 0], [SMALL, 20]])
    results = np.zeros((2, 1, RESULTS))
    roll_out(moments[0], (moments[1], moments[2]), play, deals, actions, np.uint64(1), scratch, results)


register_warm_up("the value of actions", _prepare, at_start=False, is_soon=True)
