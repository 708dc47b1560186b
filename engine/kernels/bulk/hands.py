"""Many hands of compiled styles, one after the other, by the compiled rules of betting.

Places are counted from the left of the button, which is the last place: in a match, where all stacks are the same,
every hand then begins as every other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bulk.numpy_streams import add_words, mix, permute, stream_of
from engine.kernels.bulk.styles import ALWAYS, Spot, Styles, decide, decide_always
from engine.kernels.bulk.tempers import UNKNOWN
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key
from engine.kernels.jit import borrowed, fused, kernel
from engine.kernels.playing import (
    BET,
    CALLS,
    COMMITTED,
    DEAD,
    FOLDED,
    FOLDS,
    HAND_NUMBERS,
    RAISER,
    RAISES,
    SEAT_NUMBERS,
    SIZE_NUMBERS,
    SMALL,
    STACK,
    STREET,
    TO_ACT,
    Integers,
    Moment,
    Numbers,
    act,
    deal_street,
    owed,
)

VPIP, PFR, ENTERED, THREE_BET, COULD_THREE_BET, FOLDED_TO_THREE_BET, FACED_THREE_BET = range(7)
C_BET, COULD_C_BET, FOLDED_TO_C_BET, FACED_C_BET, AGGRESSIVE, CALLED = range(7, 13)
SAW_FLOP, AT_SHOWDOWN, WON_SHOWDOWN, DECISIONS, COUNTS = range(13, 18)
"""What is counted of a player, as `engine.game.statistics` defines it; `ENTERED` is a chance of the first two."""

_DECK_STREAM = np.uint64(1)
_NOTHING = np.uint64(0)


class Hands(NamedTuple):
    """What is played; every deck is played once in each rotation.

    Attributes
    ----------
    decks : ndarray of uint8, shape (decks, 52)
    seated : ndarray of int64, shape (decks, rotations, places)
        The style of each place.
    equities : ndarray of float64, shape (decks, 3, places)
        Of each place's hand against a random one on the flop, turn and river; NaN where it is not known yet.
    first : int
        Number of the first hand, 1 or more; that of a deck is the same in every rotation.
    """

    decks: NDArray[np.uint8]
    seated: Integers
    equities: Numbers
    first: int


class Outcome(NamedTuple):
    """What came of it.

    Attributes
    ----------
    stacks : ndarray of int64, shape (decks, rotations, places)
        Chips at the end of the hand.
    pots : ndarray of int64, shape (decks, rotations, 3, places, 2)
        Before the flop, the turn and the river were dealt: chips of the main pot and the side pots, and who could
        win them, bit `p` for place `p`; 0 where there was none.
    counts : ndarray of int64, shape (decks, styles, COUNTS)
    waits : ndarray of int64, shape (decks, 3)
        1 for decks not played yet; afterwards, for the streets of which equities are missing.
    """

    stacks: Integers
    pots: Integers
    counts: Integers
    waits: Integers


class Room(NamedTuple):
    """Written over by every hand.

    Attributes
    ----------
    moment : Moment
    notes : ndarray of int64, shape (places, COUNTS)
        What is counted of the hand.
    strengths : ndarray of int64, shape (places,)
    """

    moment: Moment
    notes: Integers
    strengths: Integers


def new_outcome(seated: Integers, styles: int) -> Outcome:
    """Return room for what comes of hands of so many styles, `seated` as in `Hands`."""
    decks, rotations, places = seated.shape
    return Outcome(
        np.zeros(seated.shape, np.int64),
        np.zeros((decks, rotations, 3, places, 2), np.int64),
        np.zeros((decks, styles, COUNTS), np.int64),
        np.ones((decks, 3), np.int64),
    )


def new_room(start: Moment) -> Room:
    """Return room to play hands that begin so."""
    places = len(start.seats)
    moment = Moment(start.seats.copy(), start.hand.copy(), start.sizes.copy(), start.stakes)
    return Room(moment, np.zeros((places, COUNTS), np.int64), np.zeros(places, np.int64))


@kernel
def deal_decks(spot: Spot, first: int, decks: NDArray[np.uint8]) -> None:
    """Fill `decks`, shape (n, 52), with those of a session's hands from number `first` on."""
    for at in range(len(decks)):
        count = add_words(spot.key[0], spot.words, 0)
        count = add_words(_DECK_STREAM, spot.words, count)
        count = add_words(np.uint64(first + at), spot.words, count)
        mix(spot.words, count, spot.pool)
        permute(stream_of(spot.pool), decks[at])


@kernel
def draw_orders(spot: Spot, first: int, orders: NDArray[np.uint8]) -> None:
    """Fill `orders`, shape (n, styles), with the orders round the table for a match's decks from `first` on."""
    for at in range(len(orders)):
        count = add_words(spot.key[0], spot.words, 0)
        count = add_words(np.uint64(first + at), spot.words, count)
        mix(spot.words, count, spot.pool)
        permute(stream_of(spot.pool), orders[at])


@kernel
def play_hands(start: Moment, hands: Hands, styles: Styles, spot: Spot, room: Room, outcome: Outcome) -> None:
    """Play every deck that waits in each rotation, from `start` on, where the blinds are posted.

    A deck that lacks equities waits on.
    """
    start, room = _borrowed_moment(start), _borrowed_room(room)
    styles, spot = _borrowed_styles(styles), _borrowed_spot(spot)
    hands = Hands(borrowed(hands.decks), borrowed(hands.seated), borrowed(hands.equities), hands.first)
    outcome = Outcome(
        borrowed(outcome.stacks), borrowed(outcome.pots), borrowed(outcome.counts), borrowed(outcome.waits)
    )
    for deck in range(len(hands.decks)):
        waits = outcome.waits[deck]
        if waits[0] + waits[1] + waits[2] > 0:
            waits[:] = 0
            outcome.counts[deck] = 0
            for at in range(2 * len(start.seats) + 5):
                spot.cards[at] = hands.decks[deck, at]
            for street in range(3):
                for place in range(len(start.seats)):
                    spot.equities[street, place] = hands.equities[deck, street, place]
            spot.key[1] = np.uint64(hands.first + deck)
            _play_deck(start, hands.seated[deck], styles, spot, room, outcome, deck)


@fused
def _borrowed_moment(moment: Moment) -> Moment:
    """Return a moment whose arrays are not counted."""
    return Moment(borrowed(moment.seats), borrowed(moment.hand), borrowed(moment.sizes), borrowed(moment.stakes))


@fused
def _borrowed_room(room: Room) -> Room:
    """Return room whose arrays are not counted."""
    return Room(_borrowed_moment(room.moment), borrowed(room.notes), borrowed(room.strengths))


@fused
def _borrowed_styles(styles: Styles) -> Styles:
    """Return styles whose arrays are not counted."""
    tables = styles.evaluator
    evaluator = EvaluatorTables(
        borrowed(tables[0]), borrowed(tables[1]), borrowed(tables[2]), borrowed(tables[3]), borrowed(tables[4])
    )
    return Styles(borrowed(styles.kinds), borrowed(styles.numbers), borrowed(styles.shares), evaluator)


@fused
def _borrowed_spot(spot: Spot) -> Spot:
    """Return a spot whose arrays are not counted."""
    return Spot(
        borrowed(spot.key),
        borrowed(spot.cards),
        borrowed(spot.equities),
        borrowed(spot.hand),
        borrowed(spot.words),
        borrowed(spot.pool),
    )


@fused
def _play_deck(
    start: Moment, seated: Integers, styles: Styles, spot: Spot, room: Room, outcome: Outcome, deck: int
) -> None:
    """Play a deck in each rotation."""
    moment, notes, strengths = room
    counts, are_strengths_known = outcome.counts[deck], False
    for rotation in range(len(seated)):
        begin(start, moment, notes)
        if not _play(moment, styles, seated[rotation], spot, notes, outcome.pots[deck, rotation]):
            outcome.waits[deck, moment.hand[STREET] - 1] = 1
            continue
        if return_uncalled(moment) > 1 and not are_strengths_known:
            fill_strengths(spot.cards, styles.evaluator, strengths)
            are_strengths_known = True
        stacks = outcome.stacks[deck, rotation]
        settle(moment, strengths, notes, stacks)
        for place in range(len(stacks)):
            stacks[place] += moment.seats[place, STACK]
            for at in range(COUNTS):
                counts[seated[rotation, place], at] += notes[place, at]


@fused
def begin(start: Moment, moment: Moment, notes: Integers) -> None:
    """Set a moment to what another one is, with nothing noted."""
    for place in range(len(start.seats)):
        for at in range(SEAT_NUMBERS):
            moment.seats[place, at] = start.seats[place, at]
        for at in range(COUNTS):
            notes[place, at] = 0
    for at in range(HAND_NUMBERS):
        moment.hand[at] = start.hand[at]
    for at in range(SIZE_NUMBERS):
        moment.sizes[at] = start.sizes[at]


@fused
def _play(moment: Moment, styles: Styles, seated: Integers, spot: Spot, notes: Integers, pots: Integers) -> bool:
    """Play a hand up to the end of its betting, or all its boards; return whether no equity was missing."""
    seats, hand, kinds, key = moment.seats, moment.hand, styles.kinds, spot.key
    places, first_raiser, decisions = len(seats), -1, 0
    pots[:] = 0
    while True:
        place = hand[TO_ACT]
        if place >= 0:
            key[2] = np.uint64(decisions)
            decisions += 1
            style = seated[place]
            if kinds[style] < ALWAYS:
                kind, total = decide_always(moment, place, kinds[style])
            else:
                kind, total = decide(moment, place, styles, style, spot)
            if kind == UNKNOWN:
                return False
            _note(moment, place, kind, first_raiser, notes)
            if kind >= SMALL and hand[STREET] == 0 and hand[RAISES] == 0:
                first_raiser = place
            act(moment, place, kind, total)
            continue
        if return_uncalled(moment) == 1 or hand[STREET] == 3:
            return True
        if hand[STREET] == 0:
            for other in range(places):
                notes[other, SAW_FLOP] = 1 - seats[other, FOLDED]
        _note_pots(moment, pots[hand[STREET]])
        deal_street(moment)


@fused
def _note(moment: Moment, place: int, kind: int, first_raiser: int, notes: Integers) -> None:
    """Note an action before it is taken."""
    hand, seats = moment.hand, moment.seats
    notes[place, DECISIONS] += 1
    is_raise, is_fold = kind >= SMALL, kind == FOLDS
    if hand[STREET] > 0:
        notes[place, AGGRESSIVE] += is_raise
        notes[place, CALLED] += kind == CALLS
        if hand[STREET] == 1 and hand[RAISES] > 0:
            aggressor = hand[RAISER]
            if hand[RAISES + 1] == 0 and aggressor == place:
                notes[place, COULD_C_BET] = 1
                notes[place, C_BET] |= is_raise
            elif hand[RAISES + 1] == 1 and hand[RAISER + 1] == aggressor and aggressor != place:
                notes[place, FACED_C_BET] = 1
                notes[place, FOLDED_TO_C_BET] |= is_fold
        return
    notes[place, ENTERED] = 1
    notes[place, VPIP] |= is_raise or kind == CALLS
    notes[place, PFR] |= is_raise
    if hand[RAISES] == 1 and first_raiser != place:
        level, is_open = np.int64(0), False
        for other in range(len(seats)):
            level = max(level, seats[other, BET])
        for other in range(len(seats)):
            is_open |= (
                other != place and seats[other, FOLDED] == 0 and seats[other, STACK] + seats[other, BET] > level
            )
        if is_open and seats[place, STACK] > owed(moment, place):
            notes[place, COULD_THREE_BET] = 1
            notes[place, THREE_BET] |= is_raise
    elif hand[RAISES] == 2 and first_raiser == place != hand[RAISER]:
        notes[place, FACED_THREE_BET] = 1
        notes[place, FOLDED_TO_THREE_BET] |= is_fold


@fused
def return_uncalled(moment: Moment) -> int:
    """Give back what one place has put in beyond all others, after a street; return how many have not folded."""
    seats = moment.seats
    owner, most, second, live = 0, np.int64(-1), np.int64(-1), 0
    for place in range(len(seats)):
        live += seats[place, FOLDED] == 0
        put_in = seats[place, COMMITTED]
        if put_in > most:
            owner, most, second = place, put_in, most
        elif put_in > second:
            second = put_in
    if seats[owner, FOLDED] == 0:
        seats[owner, STACK] += most - second
        seats[owner, COMMITTED] = second
    return live


@fused
def _next_pot(moment: Moment, below: int) -> tuple[int, int, int]:
    """Return the pot above chips of each place: where it ends, its chips and who can win it, 0s for none."""
    seats = moment.seats
    top, highest = np.int64(0), np.int64(0)
    for place in range(len(seats)):
        if seats[place, FOLDED] == 0:
            put_in = seats[place, COMMITTED]
            highest = max(highest, put_in)
            if put_in > below and (top == 0 or put_in < top):
                top = put_in
    chips, winners = np.int64(moment.stakes[DEAD] if below == 0 else 0), np.int64(0)
    if top == 0:
        return 0, 0, 0
    for place in range(len(seats)):
        put_in = seats[place, COMMITTED]
        # What only those have put in who folded since goes to the last pot.
        chips += max(put_in - below, 0) if top == highest else max(min(put_in, top) - below, 0)
        if seats[place, FOLDED] == 0 and put_in >= top:
            winners |= np.int64(1) << place
    return int(top), int(chips), int(winners)


@fused
def _note_pots(moment: Moment, pots: Integers) -> None:
    """Write chips and possible winners of each pot, the main pot first."""
    below = 0
    for at in range(len(pots)):
        below, pots[at, 0], pots[at, 1] = _next_pot(moment, below)
        if below == 0:
            return


@fused
def fill_strengths(cards: NDArray[np.uint8], evaluator: EvaluatorTables, strengths: Integers) -> None:
    """Write the strength of each place's hand on the whole board."""
    card_key, card_mask, row_offset, rank_strength, flush_strength = evaluator
    places = len(strengths)
    board_key, board_mask = START_KEY, _NOTHING
    for at in range(2 * places, 2 * places + 5):
        board_key += card_key[cards[at]]
        board_mask += card_mask[cards[at]]
    for place in range(places):
        one, other = cards[place], cards[places + place]
        strengths[place] = strength_of_key(
            row_offset,
            rank_strength,
            flush_strength,
            board_key + card_key[one] + card_key[other],
            board_mask + card_mask[one] + card_mask[other],
        )


@fused
def settle(moment: Moment, strengths: Integers, notes: Integers, won: Integers) -> None:
    """Write the chips that each place wins, and note who won at the showdown."""
    seats = moment.seats
    places, live = len(seats), 0
    won[:] = 0
    for place in range(places):
        live += seats[place, FOLDED] == 0
    below, chips, can_win = _next_pot(moment, 0)
    while below > 0:
        best, winners = np.int64(-1), 0
        for place in range(places):
            if (can_win >> place) & 1:
                strength = strengths[place] if live > 1 else np.int64(0)
                if strength > best:
                    best, winners = strength, 1
                elif strength == best:
                    winners += 1
        share, odd = chips, 0
        if winners > 1:
            share, odd = chips // winners, chips % winners
        for place in range(places):
            if (can_win >> place) & 1 and (live == 1 or strengths[place] == best):
                won[place] += share + (odd > 0)
                odd -= odd > 0
        below, chips, can_win = _next_pot(moment, below)
    if live > 1:
        for place in range(places):
            if seats[place, FOLDED] == 0:
                notes[place, AT_SHOWDOWN] = 1
                notes[place, WON_SHOWDOWN] = won[place] > 0
