"""How a hand goes on from a moment by the networks of the learned reader: betting, features and choices.

The rules are those of `engine.game.rules`, the features those of `engine.agents.learned.situations`; both are
repeated here because millions of actions are played, and tests hold them equal, action by action.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import fused, kernel

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]
Numbers = NDArray[np.float64]

# Columns of a seat, and places in the vectors of a hand; `LINE + street` is the line on that street.
STACK, BET, COMMITTED, FOLDED, ANSWERED, POSITION, ORDER, ROLE, LINE = 0, 1, 2, 3, 4, 5, 6, 7, 7
ACTED, SEAT_NUMBERS = 11, 12
STREET, TO_ACT, FULL_RAISE, CALLERS, CHECKS, RAISES, RAISER, HAND_NUMBERS = 0, 1, 2, 3, 4, 5, 9, 13
HERO, BIG_BLIND, BUTTON, PRICE, DEAD, MOST_RAISES, IS_TO_TWICE, STAKE_NUMBERS = 0, 1, 2, 3, 4, 5, 6, 7
LAST_SIZE, PREFLOP_TO, SMALL_BLIND, SIZE_NUMBERS = 0, 4, 5, 6

FOLDS, CHECKING, CALLS, SMALL, HUGE, ALL_IN, CHOICES = 0, 1, 2, 3, 6, 7, 8
CONTEXTS, FACING_A_RAISE, AS_RAISER, INTO_RAISER, AFTER_A_CHECKED_STREET = 16, 12, 13, 14, 15


class Net(NamedTuple):
    """What a network makes of situations; the fields are those of `engine.agents.learned.network.Network`.

    Of the network after the flop the features of the board are left out: they are a part of each row.
    """

    situation: Floats
    hidden: Floats
    second_bias: Floats
    output: Floats
    output_bias: Floats
    lowest: Floats
    highest: Floats


class Moment(NamedTuple):
    """A hand at a moment when somebody is to act; places are the seats dealt in, clockwise.

    Attributes
    ----------
    seats : ndarray of int64, shape (places, SEAT_NUMBERS)
        Chips, whether folded, the bet last answered on this street or -1, and what `situations` keeps of a seat.
    hand : ndarray of int64, shape (HAND_NUMBERS,)
        Street, place to act, least raise, calls since the last raise, checks, and for each street the raises and
        the place of the last one, or -1.
    sizes : ndarray of float64, shape (SIZE_NUMBERS,)
        Size of the last raise over the pot by street, the last raise before the flop in big blinds, and the
        feature of the small blind.
    stakes : ndarray of int64, shape (STAKE_NUMBERS,)
        The place whose winnings count, the big blind, the place of the button, what calls before the flop, chips of
        the main pot that are nobody's, how many raises a street has beyond its first bet (0 for any number), and
        whether each is to twice the bet.
    """

    seats: Integers
    hand: Integers
    sizes: Numbers
    stakes: Integers


class Play(NamedTuple):
    """How players choose.

    Attributes
    ----------
    preflop, postflop : Net
    bounds : ndarray of float64, shape (4, 3)
        Between the sizes of raises over the pot: before the flop by raises before (0, 1, 2 and more), after it.
    sizes : ndarray of float64, shape (4, 4)
        What a raise of each size is taken to be, over the pot.
    factors : ndarray of float64, shape (places, CONTEXTS, 2, 8)
        On the odds of each choice, by player, context and whether an overbet is faced.
    overbets : ndarray of float64, shape (2,)
        From which size over the pot a raise before the flop is one, and from which price over it a bet after it.
    leanings : ndarray of float64, shape (places, 3, 8)
        What the strength of a hand, -1 to 1, adds to the log-odds of each choice: before the flop while nobody has
        raised, then, and after the flop.
    average : ndarray of float32, shape (first layer,)
        What an average hand before the flop makes of the first layer, with the bias. With it the log-odds of
        folding are how tight most players are in a spot.
    tightness : ndarray of float64, shape (2,)
        What they usually are before the flop if nobody has raised, and if somebody has.
    where_most_fold : ndarray of float64, shape (places, 2)
        What each player's log-odds of going on have of tightness above that, in the same two cases.
    dear_call : float
        Big blinds; where a call costs more, that counts by the root of how many times less these are.
    """

    preflop: Net
    postflop: Net
    bounds: Numbers
    sizes: Numbers
    factors: Numbers
    leanings: Numbers
    overbets: Numbers
    average: Floats
    tightness: Numbers
    where_most_fold: Numbers
    dear_call: float


class Scratch(NamedTuple):
    """Room for one choice: the situation's features, two layers, and the probabilities."""

    features: Floats
    first: Floats
    second: Floats
    used: NDArray[np.uint64]
    values: Floats
    numbers: Numbers


def new_scratch(features: int, first: int, second: int) -> Scratch:
    """Return room for networks of these sizes."""
    most = max(features, first) + 4
    return Scratch(
        np.zeros(features, np.float32),
        np.zeros(first, np.float32),
        np.zeros(second, np.float32),
        np.zeros(most, np.uint64),
        np.zeros(most, np.float32),
        np.zeros(CHOICES),
    )


@fused
def pot_of(moment: Moment) -> int:
    """Return all chips in the middle."""
    return _pot_of(moment.seats, moment.stakes)


@fused
def _pot_of(seats: Integers, stakes: Integers) -> int:
    pot = stakes[DEAD]
    for place in range(len(seats)):
        pot += seats[place, COMMITTED]
    return int(pot)


@fused
def owed(moment: Moment, place: int) -> int:
    """Return the chips up to the largest bet, before the flop at least its price while others have chips."""
    return _owed(moment.seats, moment.hand, moment.stakes, place)


@fused
def _owed(seats: Integers, hand: Integers, stakes: Integers, place: int) -> int:
    """Do as `owed` with the arrays themselves: taking one out of a tuple costs as much as looking at each seat."""
    level = np.int64(0)
    for other in range(len(seats)):
        level = max(level, seats[other, BET])
    if hand[STREET] == 0 and level < stakes[PRICE]:
        for other in range(len(seats)):
            if other != place and seats[other, STACK] > 0 and seats[other, FOLDED] == 0:
                level = stakes[PRICE]
                break
    return int(level - seats[place, BET])


@fused
def _next_to_act(seats: Integers, hand: Integers, stakes: Integers, after: int) -> int:
    """Return the next place with a decision to make on this street; -1 if there is none."""
    places = len(seats)
    live = able = 0
    for place in range(places):
        if seats[place, FOLDED] == 0:
            live += 1
            able += seats[place, STACK] > 0
            if able > 1:  # no more is asked
                break
    if live > 1:
        for step in range(1, places + 1):
            place = after + step
            if place >= places:
                place -= places
            if seats[place, FOLDED] != 0 or seats[place, STACK] == 0:
                continue
            if (seats[place, ANSWERED] < 0 and able > 1) or _owed(seats, hand, stakes, place) > 0:
                return place
    return -1


@fused
def _reach_of_others(seats: Integers, place: int) -> int:
    """Return the most that another place still in the hand can have in front on this street."""
    reach = np.int64(0)
    for other in range(len(seats)):
        if other != place and seats[other, FOLDED] == 0:
            reach = max(reach, seats[other, STACK] + seats[other, BET])
    return int(reach)


@fused
def raise_bounds(moment: Moment, place: int) -> tuple[int, int]:
    """Return the least and the largest total of a raise; 0 and 0 if none is allowed."""
    seats, hand, _, stakes = moment
    street = hand[STREET]
    to_match = _owed(seats, hand, stakes, place)
    level, stack = seats[place, BET] + to_match, seats[place, STACK]
    raises = hand[RAISES + street] - (1 if street > 0 else 0)
    if stack <= to_match or 0 < stakes[MOST_RAISES] <= raises:
        return 0, 0
    can_be_called = _reach_of_others(seats, place) > level
    answered, full = seats[place, ANSWERED], hand[FULL_RAISE]
    is_to_twice = stakes[IS_TO_TWICE] != 0
    re_opens_from = max(answered, stakes[BIG_BLIND]) if is_to_twice else full
    if not can_be_called or (answered >= 0 and level - answered < re_opens_from):
        return 0, 0
    total = stack + seats[place, BET]
    if is_to_twice and level > 0:
        twice = int(min(2 * level, total))
        return twice, twice
    return int(min(level + full, total)), int(total)


@fused
def act(moment: Moment, place: int, kind: int, total: int) -> None:
    """Let a place fold, check, call or raise to a total (any kind from `SMALL` on), and find who is next."""
    seats, hand, sizes, stakes = moment
    street, raises = hand[STREET], hand[RAISES + hand[STREET]]
    to_match = _owed(seats, hand, stakes, place)
    to_call = min(to_match, seats[place, STACK])
    level = seats[place, BET] + to_match
    paid = np.int64(0)
    if kind == FOLDS:
        seats[place, FOLDED] = 1
    elif kind == CHECKING:
        hand[CHECKS] += 1
    elif kind == CALLS:
        hand[CALLERS] += 1
        paid = to_call
    else:
        hand[FULL_RAISE] = max(hand[FULL_RAISE], total - level)
        total = min(total, max(_reach_of_others(seats, place), level))  # what nobody can match would come back
        pot = _pot_of(seats, stakes)
        sizes[LAST_SIZE + street] = (total - seats[place, BET] - to_call) / max(pot + to_call, 1)
        if street == 0:
            sizes[PREFLOP_TO] = total / stakes[BIG_BLIND]
        hand[RAISES + street] += 1
        hand[RAISER + street] = place
        hand[CALLERS] = 0
        paid = total - seats[place, BET]
        level = total
    seats[place, STACK] -= paid
    seats[place, COMMITTED] += paid
    seats[place, BET] += paid
    seats[place, ANSWERED] = level
    seats[place, ACTED] += 1
    _note_line(seats, street, place, kind, raises)
    hand[TO_ACT] = _next_to_act(seats, hand, stakes, place)


@fused
def _note_line(seats: Integers, street: int, place: int, kind: int, raises: int) -> None:
    """Note how the place goes through the street, as `situations` does."""
    if street == 0:
        if kind >= SMALL:
            seats[place, ROLE] = 3 if seats[place, ROLE] in (2, 3) else 2
        elif kind == CALLS:
            seats[place, ROLE] = 4 if raises else 1
        elif kind == CHECKING:
            seats[place, ROLE] = 5
        return
    before = seats[place, LINE + street]
    line = before
    if kind == CHECKING:
        line = 1
    elif kind == CALLS:
        line = 2 if before in (1, 2) else before if before >= 4 else 3
    elif kind >= SMALL:
        line = 6 if before in (1, 2, 6) else 5 if raises else 4
    seats[place, LINE + street] = line


@fused
def deal_street(moment: Moment) -> None:
    """Go on to the next street."""
    seats, hand, _, stakes = moment
    hand[STREET] += 1
    hand[FULL_RAISE] = stakes[BIG_BLIND]
    hand[CALLERS] = hand[CHECKS] = 0
    for place in range(len(seats)):
        seats[place, BET] = seats[place, ACTED] = 0
        seats[place, ANSWERED] = -1
    hand[TO_ACT] = _next_to_act(seats, hand, stakes, stakes[BUTTON])


@kernel
def _describe_preflop(moment: Moment, place: int, pot: int, to_call: int, features: Floats) -> None:
    """Write the features of the situation of the place to act, `PREFLOP_FEATURES`."""
    seats, hand, sizes = moment.seats, moment.hand, moment.sizes
    big_blind = float(moment.stakes[BIG_BLIND])
    raises, raiser = hand[RAISES], hand[RAISER]
    others = waiting = 0
    deepest = np.int64(0)
    for other in range(len(seats)):
        if other != place and seats[other, FOLDED] == 0:
            others += 1
            waiting += seats[other, ACTED] == 0
            deepest = max(deepest, seats[other, STACK] + seats[other, BET])
    stack, bet = seats[place, STACK], seats[place, BET]
    effective = min(stack + bet, deepest) / big_blind
    raise_to = sizes[PREFLOP_TO] if raises else 0.0
    features[:] = 0
    features[seats[place, POSITION]] = 1
    features[6 + min(raises, 3)] = 1
    features[10 + min(hand[CALLERS], 3)] = 1
    features[14 + seats[place, ROLE]] = 1
    features[20 + (0 if raiser < 0 else seats[raiser, POSITION] + 1)] = 1
    features[27] = (others + 1) / 6
    features[28] = waiting / 6
    features[29] = np.log1p(to_call / big_blind)
    features[30] = np.log1p(pot / big_blind)
    features[31] = to_call / max(pot + to_call, 1)
    features[32] = min(sizes[LAST_SIZE], 3.0)
    features[33] = np.log1p(raise_to)
    features[34] = np.log1p(effective) - 4
    features[35] = np.log1p(stack / big_blind) - 4
    features[36] = np.log1p(stack / max(pot, 1)) - 3
    features[37] = raiser >= 0 and seats[raiser, STACK] == 0
    features[38] = 0 < to_call == stack
    features[39] = sizes[SMALL_BLIND]
    features[40] = bet / big_blind
    features[41] = raiser >= 0 and seats[raiser, ORDER] > seats[place, ORDER]
    features[42] = effective < 15
    features[43] = effective < 40
    features[44] = effective > 130
    features[45] = raise_to > 2.3
    features[46] = raise_to > 2.8
    features[47] = raise_to > 3.5


@kernel
def _describe_postflop(moment: Moment, place: int, pot: int, to_call: int, features: Floats) -> None:
    """Write the features of the situation of the place to act, `POSTFLOP_FEATURES` without those of the board."""
    seats, hand, sizes = moment.seats, moment.hand, moment.sizes
    big_blind, street = float(moment.stakes[BIG_BLIND]), hand[STREET]
    raises, bettor, before = hand[RAISES + street], hand[RAISER + street], hand[RAISER + street - 1]
    others = waiting = 0
    deepest, is_all_in = np.int64(0), False
    for other in range(len(seats)):
        if other != place and seats[other, FOLDED] == 0:
            others += 1
            waiting += seats[other, ACTED] == 0 and seats[other, STACK] > 0
            deepest = max(deepest, seats[other, STACK] + seats[other, BET])
            is_all_in |= seats[other, STACK] == 0
    stack, order = seats[place, STACK], seats[place, ORDER]
    effective = min(stack + seats[place, BET], deepest)
    size = sizes[LAST_SIZE + street] if raises else 0.0
    over_pot = max(effective - seats[place, BET], 0) / max(pot, 1)
    aggressor = 0
    if before >= 0:
        aggressor = 1 if before == place else 2 if seats[before, ORDER] > order else 3
    features[:] = 0
    features[street - 1] = 1
    features[3 + min(others - 1, 2)] = 1
    features[6 + min(waiting, 2)] = 1
    features[9 + seats[place, POSITION]] = 1
    features[15 + min(hand[RAISES], 3)] = 1
    features[19 + seats[place, ROLE]] = 1
    features[25 + (seats[place, LINE + 1] if street > 1 else 0)] = 1
    features[32 + (seats[place, LINE + 2] if street > 2 else 0)] = 1
    features[39 + seats[place, LINE + street]] = 1
    features[46 + (min(hand[RAISES + 1], 2) if street > 1 else 0)] = 1
    features[49 + (min(hand[RAISES + 2], 2) if street > 2 else 0)] = 1
    features[52 + min(raises, 2)] = 1
    features[55 + aggressor] = 1
    features[59 + (0 if bettor < 0 else 1 if bettor == before else 2)] = 1
    features[62] = bettor >= 0 and seats[bettor, ORDER] > order
    features[63] = hand[CALLERS] / 2 if raises else 0.0
    features[64] = hand[CHECKS] / 2
    features[65] = min(size, 3.0)
    features[66] = raises > 0 and size < 0.4
    features[67] = size > 0.62
    features[68] = size > 0.9
    features[69] = size > 1.2
    features[70] = to_call / (max(pot, 1) + to_call)
    features[71] = np.log1p(over_pot) - 1
    features[72] = over_pot < 1
    features[73] = np.log1p(effective / big_blind) - 4
    features[74] = np.log1p(pot / big_blind) - 2
    features[75] = is_all_in
    features[76] = 0 < to_call == stack
    features[77] = min(sizes[LAST_SIZE + 1], 3.0) if street > 1 else 0.0
    features[78] = min(sizes[LAST_SIZE + 2], 3.0) if street > 2 else 0.0
    features[79] = np.log1p(sizes[PREFLOP_TO]) - 1
    features[80] = sizes[SMALL_BLIND]


@kernel
def _forward(net: Net, row: Floats, scratch: Scratch) -> None:
    """Write the numbers of the choices for a combo's part of the first layer and the situation's features."""
    first, second, numbers = scratch.first, scratch.second, scratch.numbers
    used, values = scratch.used, scratch.values
    count = 0
    for j in range(len(net.situation)):
        value = min(max(scratch.features[j], net.lowest[j]), net.highest[j])
        used[count], values[count] = j, value
        count += value != np.float32(0.0)
    for k in range(len(first)):
        first[k] = row[k]
    _add_rows(net.situation, used, values, count, first)
    count = 0
    for j in range(len(first)):
        value = first[j]
        used[count], values[count] = j, value
        count += value > np.float32(0.0)
    for k in range(len(second)):
        second[k] = net.second_bias[k]
    _add_rows(net.hidden, used, values, count, second)
    for k in range(CHOICES):
        numbers[k] = net.output_bias[k]
    for j in range(len(second)):
        value = second[j]
        if value > np.float32(0.0):
            for k in range(CHOICES):
                numbers[k] += value * net.output[j, k]


@kernel
def _add_rows(weights: Floats, used: NDArray[np.uint64], values: Floats, count: int, out: Floats) -> None:
    """Add rows of weights times values to `out`, in fours; `used` and `values` have room for three more."""
    while count & 3 != 0:
        used[count], values[count] = 0, 0
        count += 1
    for at in range(0, count, 4):
        a, b, c, d = used[at], used[at + 1], used[at + 2], used[at + 3]
        first, second, third, fourth = values[at], values[at + 1], values[at + 2], values[at + 3]
        for k in range(len(out)):
            left = first * weights[a, k] + second * weights[b, k]
            out[k] += left + (third * weights[c, k] + fourth * weights[d, k])


@kernel
def choose(moment: Moment, play: Play, row: Floats, strength: float, scratch: Scratch) -> None:
    """Write the probability of each choice of the place to act into `scratch.numbers`.

    `row` is the part of the first layer that its combo and the board make, with the bias, and `strength` the share
    of hands that are weaker, 0-1.
    """
    seats, hand, numbers = moment.seats, moment.hand, scratch.numbers
    place, street = hand[TO_ACT], hand[STREET]
    pot = pot_of(moment)
    to_call = int(min(owed(moment, place), seats[place, STACK]))
    raises = hand[RAISES + street]
    _, most = raise_bounds(moment, place)
    largest = (seats[place, STACK] - to_call) / max(pot + to_call, 1)
    looser = 0.0
    if street == 0:
        features = scratch.features[: len(play.preflop.situation)]
        _describe_preflop(moment, place, pot, to_call, features)
        kind, context = min(raises, 2), min(raises, 2) if to_call > 0 else 5
        is_raised = min(raises, 1)
        slope = play.where_most_fold[place, is_raised]
        if to_call > 0 and slope != 0.0:
            _forward(play.preflop, play.average, scratch)
            _leave_possible(numbers, play.bounds[kind], to_call, most, largest)
            counts = np.sqrt(min(play.dear_call * moment.stakes[BIG_BLIND] / to_call, 1.0))
            looser = slope * counts * (_log_odds_of_folding(numbers) - play.tightness[is_raised])
        _forward(play.preflop, row, scratch)
        if to_call > 0 and raises > 0 and 0 < seats[place, ROLE] < 5:  # came in by a call or a raise
            context += 2
    else:
        features = scratch.features[: len(play.postflop.situation)]
        _describe_postflop(moment, place, pot, to_call, features)
        _forward(play.postflop, row, scratch)
        kind, before = 3, hand[RAISER + street - 1]
        if to_call > 0:
            context = FACING_A_RAISE if raises > 1 else street + 8
            has_checked = seats[place, LINE + street - 1] == 1 if street > 1 else seats[place, ROLE] == 5
            if raises == 1 and has_checked:
                context = AFTER_A_CHECKED_STREET
        elif before == place:
            context = AS_RAISER
        else:
            is_into = before >= 0 and seats[before, ORDER] > seats[place, ORDER]
            context = INTO_RAISER if is_into else street + 5
    top = _leave_possible(numbers, play.bounds[kind], to_call, most, largest)
    if street == 0:
        price = moment.sizes[LAST_SIZE] if raises else _USUAL_PRICES[0]
    else:
        price = to_call / float(max(pot - to_call, 1))
    factors = play.factors[place, context, 1 if price > play.overbets[min(street, 1)] else 0]
    total, leanings = 0.0, play.leanings[place, 2 if street else min(raises, 1)]
    strong = very_strong = 2 * strength - 1
    if street:
        strong, very_strong = strength + strength**4 - 1, strength**2 + strength**8 - 1
    for choice in range(CHOICES):
        if numbers[choice] > _IMPOSSIBLE:
            number = numbers[choice] - top + leanings[choice] * (strong if choice < HUGE else very_strong)
            if choice == FOLDS:
                number -= looser
            numbers[choice] = np.exp(number) * factors[choice]
        else:
            numbers[choice] = 0.0
        total += numbers[choice]
    if to_call > 0:
        # Before the flop all-ins against small pots are a matter of the networks.
        total += _fold_soundly(numbers, price if street else min(price, _USUAL_PRICES[1]), strength)
        part = 1.0
        if street == 0 and raises >= _FOUR_BET:
            part = _FOLDS_TO_FOUR_BETS ** (raises - _FOUR_BET + 1)
        elif street == 0 and context == _AFTER_LIMPING:
            part = max(to_call / (play.dear_call * moment.stakes[BIG_BLIND]), 1.0)
        total += (part - 1) * numbers[FOLDS]
        numbers[FOLDS] *= part
    for choice in range(CHOICES):
        numbers[choice] /= total
    if 0 < most < seats[place, STACK] + seats[place, BET]:
        only = ALL_IN
        if most < _reach_of_others(seats, place):
            size = (most - seats[place, BET] - to_call) / (pot + to_call)
            only = SMALL
            for bound in play.bounds[kind]:
                only += size > bound
        _raise_only(numbers, only)


@kernel
def _leave_possible(numbers: Numbers, bounds: Numbers, to_call: int, most: int, largest: float) -> float:
    """Set the numbers of choices that are not possible to next to nothing, and return the largest number left."""
    top = _IMPOSSIBLE
    for choice in range(CHOICES):
        if choice < SMALL:
            is_possible = (choice != CHECKING) == (to_call > 0)
        elif choice == ALL_IN:
            is_possible = most > 0
        else:
            is_possible = most > 0 and (choice == SMALL or bounds[choice - SMALL - 1] < largest)
        if not is_possible:
            numbers[choice] = _IMPOSSIBLE
        top = max(top, numbers[choice])
    return top


@kernel
def _log_odds_of_folding(numbers: Numbers) -> float:
    """Return them of the choices left by `_leave_possible`, of which folding is one."""
    odds = 0.0
    for choice in range(CHOICES):
        if choice != FOLDS and numbers[choice] > _IMPOSSIBLE:
            odds += np.exp(numbers[choice] - numbers[FOLDS])
    return float(-np.log(odds))


@kernel
def _raise_only(numbers: Numbers, only: int) -> None:
    """Take all raises for the only one allowed."""
    for choice in range(SMALL, CHOICES):
        if choice != only:
            numbers[only] += numbers[choice]
            numbers[choice] = 0.0


@kernel
def choose_each(
    moment: Moment, play: Play, rows: Floats, strengths: Numbers, scratch: Scratch, out: Numbers
) -> None:
    """Write what `choose` does for every row and its strength into `out`, shape (n, 8)."""
    for at in range(len(rows)):
        choose(moment, play, rows[at], strengths[at], scratch)
        for choice in range(CHOICES):
            out[at, choice] = scratch.numbers[choice]


_IMPOSSIBLE = -1e30
_USUAL_PRICES = (0.33, 1.3)
_MOST_BY_PRICE = 3.0
_HARDLY_FOLDS, _NEVER_FOLDS = 0.985, 0.998
_AFTER_LIMPING = 3
"""The context of who has limped and faces a raise: where that is dear, the odds of folding are so many times more.

Put all-in for 100 big blinds heads-up limpers of fourteen styles folded 100 of 108 times, where 0.78 were believed.
"""

_FOUR_BET, _FOLDS_TO_FOUR_BETS = 3, 0.25
"""With each raise before the flop from the third on the odds of folding are this part of what the networks say.

Few real hands have such raises, and who folds to them is learned from few players. By the networks alone 84
raises into more than 8 big blinds, in 8,640 hands at six seats of programs, were worth 13 of them each, and lost
27. With a quarter for the third raise and all later ones, 19 all-ins in 6,000 hands were worth 23 and lost 39.
"""


@kernel
def _fold_soundly(numbers: Numbers, price: float, strength: float) -> float:
    """Change the odds of folding where real hands taught little, and return by how much.

    Beyond the usual prices, a bet over the pot, they go with the price, as those that make a bluff break even do;
    and the best hands do not fold.
    """
    factor = 1.0
    if price < _USUAL_PRICES[0]:
        factor = price / _USUAL_PRICES[0]
    elif price > _USUAL_PRICES[1]:
        factor = min(price / _USUAL_PRICES[1], _MOST_BY_PRICE)
    factor *= min(max((_NEVER_FOLDS - strength) / (_NEVER_FOLDS - _HARDLY_FOLDS), 0.0), 1.0)
    before = numbers[FOLDS]
    numbers[FOLDS] = before * factor
    return float(numbers[FOLDS] - before)
