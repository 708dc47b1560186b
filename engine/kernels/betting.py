"""The rules of one hand of no-limit hold'em over one small array: who may do what, and who wins which chips.

A hand is an int64 array of `STATE_SIZE` numbers, addressed by the constants below. Seats here are places
0 to n - 1 in clockwise order, whatever numbers they carry at the table. `engine.game.rules` wraps this for
typed callers and bulk self-play may loop it; there are no other rules of betting.

The order of calls: `start`; then `apply` while `PHASE` is `BETTING`; `next_street` after `STREET_OVER` or
`RUN_OUT` (deal the board cards); `award` at `SHOWDOWN` or `FOLDED_OUT`. Nothing is allocated, nothing raised:
`apply` and `refusal` return a status code. A call takes some tens of microseconds, which is nothing beside a player
who thinks.

Where tables differ, the rules of the Tournament Directors Association (Poker TDA Rules, 2024) decide:

- Rule 43, raise amounts: a raise adds at least the largest full bet or raise of the street, at least a big
  blind; an all-in may be less.
- Rule 47, re-opening the bet: who has already acted may raise again only when facing, since that action, at least
  a full raise, whether by one raise or by several short all-ins together; the least raise is then still the last
  full one.
- Rule 58, non-standard folds: folding when a check is free is binding, so it is legal.
- Rules 20 and 21, odd chips and side pots: each pot is split by itself; odd chips go to the left of the button, one
  per winner (that nobody gets two is from Robert's Rules of Poker).
- Rule 34-B, heads-up: the button posts the small blind, acts first before the flop and last afterwards.

Two points that they leave open are decided so. A big blind that is posted short still makes a full big blind the
price to call, as long as somebody else has chips to play for (Rule 54-B counts short blinds in full, for the
pot limit). A seat is not asked when its answer could not matter: nothing to call, and nobody left with chips to
call a bet.
"""

import numpy as np
from numpy.typing import NDArray

MAX_SEATS = 10

# One number each.
PLAYERS, BUTTON, SMALL_BLIND_SEAT, BIG_BLIND_SEAT, BIG_BLIND, MAX_RAISES = range(6)
STREET, PHASE, TO_ACT = 6, 7, 8
FULL_RAISE = 9
"""The least amount by which a raise must exceed the bet: the largest full bet or raise of the street."""
RAISES = 10
"""Bets and raises on this street."""
AGGRESSOR = 11
"""Seat of the last bet or raise on this street, or -1."""
UNCALLED_SEAT, UNCALLED_AMOUNT = 12, 13
"""Who got how much of an uncalled bet back in the last call; -1 if nobody."""

# One number per seat, `MAX_SEATS` apart.
STACK, BET, COMMITTED, IS_FOLDED = 14, 24, 34, 44
LEVEL_ANSWERED = 54
"""The bet that a seat answered or made in its latest action on this street, or -1 before that."""
STATE_SIZE = 64

# Phases.
BETTING, STREET_OVER, RUN_OUT, SHOWDOWN, FOLDED_OUT, AWARDED = range(6)

# Kinds of action.
FOLD, CHECK, CALL, RAISE = range(4)

# Status codes.
OK, NOBODY_TO_ACT, NO_SUCH_KIND, CANNOT_CHECK, NOTHING_TO_CALL, CANNOT_RAISE, RAISE_TOO_SMALL, RAISE_TOO_BIG = (
    range(8)
)

# What `legal` fills in.
CAN_CHECK, CALL_AMOUNT, MIN_RAISE_TO, MAX_RAISE_TO, TO_CALL = range(5)
LEGAL_SIZE = 5

State = NDArray[np.int64]


def start(
    state: State,
    stacks: NDArray[np.int64],
    antes: NDArray[np.int64],
    button: int,
    has_small_blind: bool,
    small_blind: int,
    big_blind: int,
    max_raises: int,
) -> None:
    """Post antes and blinds and find who acts first.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
        Overwritten.
    stacks, antes : ndarray of int64, shape (n,), n = 2 to 10
        Chips of each seat, all positive, and what each owes before the blinds.
    button : int
        Seat of the button.
    has_small_blind : bool
        False when the seat that owes the small blind is empty (a dead small blind): the first seat left of
        the button then posts the big blind. Without meaning heads-up.
    small_blind, big_blind : int
    max_raises : int
        Bets and raises allowed per street, 0 for any number.
    """
    players = len(stacks)
    state[:] = 0
    state[PLAYERS] = players
    state[BUTTON] = button
    state[BIG_BLIND] = big_blind
    state[MAX_RAISES] = max_raises
    state[FULL_RAISE] = big_blind
    state[AGGRESSOR] = -1
    for seat in range(players):
        ante = min(antes[seat], stacks[seat])
        state[STACK + seat] = stacks[seat] - ante
        state[COMMITTED + seat] = ante
        state[LEVEL_ANSWERED + seat] = -1
    if players == 2:
        small_blind_seat = button
        big_blind_seat = 1 - button
    elif has_small_blind:
        small_blind_seat = (button + 1) % players
        big_blind_seat = (button + 2) % players
    else:
        small_blind_seat = -1
        big_blind_seat = (button + 1) % players
    state[SMALL_BLIND_SEAT] = small_blind_seat
    state[BIG_BLIND_SEAT] = big_blind_seat
    if small_blind_seat >= 0:
        _put_in(state, small_blind_seat, min(small_blind, state[STACK + small_blind_seat]))
    _put_in(state, big_blind_seat, min(big_blind, state[STACK + big_blind_seat]))
    _ask_next(state, big_blind_seat)


def post(state: State, seat: int, amount: int) -> None:
    """Post a further live blind: a straddle, or the big blind of who comes back; then find who acts first.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
        As `start` or `post` left it; changed.
    seat, amount : int
        Who posts how much, not more than its stack. The seat still has its turn, the largest blind acts last,
        and a raise adds at least a big blind.
    """
    _put_in(state, seat, amount)
    players = state[PLAYERS]
    last = state[BIG_BLIND_SEAT]
    for distance in range(1, players):
        other = (state[BIG_BLIND_SEAT] + distance) % players
        if state[BET + other] > state[BET + last]:
            last = other
    _ask_next(state, last)


def legal(state: State, out: NDArray[np.int64]) -> None:
    """Find what the seat to act may do.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
    out : ndarray of int64, shape (LEGAL_SIZE,)
        Filled in: 1 or 0 for a check, chips to add for a call, least and greatest street total of a bet or raise
        (0 and 0 if none is allowed), and the chips to call. All 0 when nobody is to act. A fold is always
        legal.
    """
    out[:] = 0
    seat = state[TO_ACT]
    if seat < 0:
        return
    stack = state[STACK + seat]
    bet = state[BET + seat]
    level = _level(state, seat)
    owed = max(level - bet, 0)
    out[CAN_CHECK] = 1 if owed == 0 else 0
    out[CALL_AMOUNT] = min(owed, stack)
    out[TO_CALL] = min(owed, stack)
    if stack <= owed or (state[MAX_RAISES] > 0 and state[RAISES] >= state[MAX_RAISES]):
        return
    answered = state[LEVEL_ANSWERED + seat]
    if answered >= 0 and level - answered < state[FULL_RAISE]:  # TDA Rule 47
        return
    for other in range(state[PLAYERS]):
        if other != seat and state[IS_FOLDED + other] == 0 and state[STACK + other] + state[BET + other] > level:
            out[MIN_RAISE_TO] = min(level + state[FULL_RAISE], stack + bet)  # TDA Rule 43
            out[MAX_RAISE_TO] = stack + bet
            return


def refusal(legal_actions: NDArray[np.int64], kind: int, raise_to: int) -> int:
    """Return the status code of an action: `OK`, or why it is not legal.

    `legal_actions` is what `legal` filled in for a seat to act; `raise_to` counts for a bet or raise only.
    """
    if kind == FOLD:
        return OK
    if kind == CHECK:
        return OK if legal_actions[CAN_CHECK] == 1 else CANNOT_CHECK
    if kind == CALL:
        return OK if legal_actions[CALL_AMOUNT] > 0 else NOTHING_TO_CALL
    if kind != RAISE:
        return NO_SUCH_KIND
    if legal_actions[MAX_RAISE_TO] == 0:
        return CANNOT_RAISE
    if raise_to < legal_actions[MIN_RAISE_TO]:
        return RAISE_TOO_SMALL
    if raise_to > legal_actions[MAX_RAISE_TO]:
        return RAISE_TOO_BIG
    return OK


def apply(state: State, scratch: NDArray[np.int64], kind: int, raise_to: int) -> int:
    """Take the action of the seat to act and find who is next.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
        Changed, unless the action is refused.
    scratch : ndarray of int64, shape (LEGAL_SIZE,)
        Overwritten.
    kind, raise_to : int
        The action; `raise_to` is the street total of a bet or raise.

    Returns
    -------
    int
        A status code.
    """
    seat = state[TO_ACT]
    if seat < 0:
        return NOBODY_TO_ACT
    legal(state, scratch)
    status = refusal(scratch, kind, raise_to)
    if status != OK:
        return status
    level = _level(state, seat)
    if kind == FOLD:
        state[IS_FOLDED + seat] = 1
    elif kind == RAISE:
        # A short all-in leaves the size of a full raise as it is.
        state[FULL_RAISE] = max(state[FULL_RAISE], raise_to - level)
        state[RAISES] += 1
        state[AGGRESSOR] = seat
        _put_in(state, seat, raise_to - state[BET + seat])
        level = raise_to
    else:
        _put_in(state, seat, scratch[CALL_AMOUNT])
    state[LEVEL_ANSWERED + seat] = level
    _ask_next(state, seat)
    return OK


def next_street(state: State) -> None:
    """Begin the next street, after `STREET_OVER` or `RUN_OUT`; in a run-out nobody is asked."""
    players = state[PLAYERS]
    state[STREET] += 1
    state[FULL_RAISE] = state[BIG_BLIND]
    state[RAISES] = 0
    state[AGGRESSOR] = -1
    state[UNCALLED_SEAT] = -1
    for seat in range(players):
        state[BET + seat] = 0
        state[LEVEL_ANSWERED + seat] = -1
    if state[PHASE] == STREET_OVER:
        _ask_next(state, state[BUTTON])
    elif state[STREET] == 3:
        state[PHASE] = SHOWDOWN


def pots(state: State, amounts: NDArray[np.int64], seats: NDArray[np.int64]) -> int:
    """Divide the chips in the middle, this street's bets included, into main pot and side pots.

    A pot ends where a live seat is all-in; pots that the same seats can win are one.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
    amounts : ndarray of int64, shape (MAX_SEATS,)
        Filled with the chips of each pot, the main pot first.
    seats : ndarray of int64, shape (MAX_SEATS,)
        Filled with a bit set of the seats that can win each pot.

    Returns
    -------
    int
        The number of pots.
    """
    players = state[PLAYERS]
    count = 0
    below = np.int64(0)
    while True:
        top = np.int64(-1)
        for seat in range(players):
            put_in = state[COMMITTED + seat]
            is_all_in = state[STACK + seat] == 0 and state[IS_FOLDED + seat] == 0
            if is_all_in and put_in > below and (top < 0 or put_in < top):
                top = put_in
        amount = np.int64(0)
        winners = np.int64(0)
        for seat in range(players):
            put_in = state[COMMITTED + seat]
            amount += max((put_in if top < 0 else min(put_in, top)) - below, 0)
            if state[IS_FOLDED + seat] == 0 and (state[STACK + seat] > 0 or (top >= 0 and put_in >= top)):
                winners |= np.int64(1) << seat
        if amount > 0:
            if count > 0 and (winners == seats[count - 1] or winners == 0):
                amounts[count - 1] += amount
            else:
                amounts[count] = amount
                seats[count] = winners
                count += 1
        if top < 0:
            return count
        below = top


def award(
    state: State,
    strengths: NDArray[np.int64],
    amounts: NDArray[np.int64],
    seats: NDArray[np.int64],
    shares: NDArray[np.int64],
) -> int:
    """Divide every pot among its best hands and add the chips to the stacks.

    Parameters
    ----------
    state : ndarray of int64, shape (STATE_SIZE,)
        At `SHOWDOWN` or `FOLDED_OUT`; changed.
    strengths : ndarray of int64, shape (n,)
        Strength of each seat's hand, higher is better; those of folded seats do not count.
    amounts, seats : ndarray of int64, shape (MAX_SEATS,)
        Filled in as by `pots`.
    shares : ndarray of int64, shape (MAX_SEATS, MAX_SEATS)
        Filled with the chips that each seat (second axis) wins of each pot (first axis).

    Returns
    -------
    int
        The number of pots.
    """
    players = state[PLAYERS]
    count = pots(state, amounts, seats)
    shares[:, :] = 0
    for pot in range(count):
        best = np.int64(-1)
        winners = 0
        for seat in range(players):
            if (seats[pot] >> seat) & 1:
                if strengths[seat] > best:
                    best = strengths[seat]
                    winners = 0
                if strengths[seat] == best:
                    winners += 1
        share = amounts[pot] // winners
        odd = amounts[pot] - share * winners
        for place in range(players):
            seat = (state[BUTTON] + 1 + place) % players
            if (seats[pot] >> seat) & 1 and strengths[seat] == best:
                shares[pot, seat] = share
                if odd > 0:  # TDA Rule 20
                    shares[pot, seat] += 1
                    odd -= 1
                state[STACK + seat] += shares[pot, seat]
    for seat in range(players):
        state[BET + seat] = 0
    state[PHASE] = AWARDED
    return count


def _put_in(state: State, seat: int, amount: int) -> None:
    state[STACK + seat] -= amount
    state[BET + seat] += amount
    state[COMMITTED + seat] += amount


def _level(state: State, seat: int) -> int:
    """Return the street total that `seat` must match: the largest bet, before the flop at least a big blind."""
    level = 0
    has_opponent = False
    for other in range(state[PLAYERS]):
        level = max(level, state[BET + other])
        if other != seat and state[IS_FOLDED + other] == 0 and state[STACK + other] > 0:
            has_opponent = True
    if has_opponent and state[STREET] == 0:
        level = max(level, state[BIG_BLIND])
    return level


def _ask_next(state: State, after: int) -> None:
    """Set `TO_ACT` to the next seat with a decision to make, or end the street."""
    players = state[PLAYERS]
    live = 0
    with_chips = 0
    for seat in range(players):
        if state[IS_FOLDED + seat] == 0:
            live += 1
            if state[STACK + seat] > 0:
                with_chips += 1
    state[UNCALLED_SEAT] = -1
    state[PHASE] = BETTING
    if live > 1:
        for distance in range(1, players + 1):
            seat = (after + distance) % players
            if state[IS_FOLDED + seat] == 1 or state[STACK + seat] == 0:
                continue
            is_fresh = state[LEVEL_ANSWERED + seat] < 0 and with_chips > 1
            if is_fresh or state[BET + seat] < _level(state, seat):
                state[TO_ACT] = seat
                return
    state[TO_ACT] = -1
    _return_uncalled(state)
    if live == 1:
        state[PHASE] = FOLDED_OUT
    elif state[STREET] == 3:
        state[PHASE] = SHOWDOWN
    elif with_chips > 1:
        state[PHASE] = STREET_OVER
    else:
        state[PHASE] = RUN_OUT


def _return_uncalled(state: State) -> None:
    """Give back what one seat has put in beyond what anybody else has."""
    most = 0
    second = 0
    owner = -1
    for seat in range(state[PLAYERS]):
        put_in = state[COMMITTED + seat]
        if put_in > most:
            second = most
            most = put_in
            owner = seat
        elif put_in > second:
            second = put_in
    if most > second and state[IS_FOLDED + owner] == 0:
        excess = most - second
        state[UNCALLED_SEAT] = owner
        state[UNCALLED_AMOUNT] = excess
        state[STACK + owner] += excess
        state[COMMITTED + owner] -= excess
        state[BET + owner] = max(state[BET + owner] - excess, 0)
