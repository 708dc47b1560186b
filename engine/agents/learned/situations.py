"""What everybody can see when somebody acts, as numbers: the public half of the learned reader's input.

One pass over a hand's public events gives one `Situation` per action: a row of `SITUATION_FEATURES`, the class of
the action among `ACTION_CLASSES`, and which classes were possible. Nothing here depends on hole cards or on names.

Chips are measured in big blinds or in pots, and enter by `log1p`, so that stacks and blinds of any size give
numbers of the same order. The number of seats dealt in is no feature on purpose: who is still there and who has yet
to act says the same, and carries over to tables of other sizes than those trained on; only heads-up has networks of
its own. Sizes of bets and raises are
increments over the pot after calling, as in the paper's action understanding (Li et al. 2017, sec. 4.1);
`RAISE_BOUNDS` divides them where real hands do: before the flop by the number of raises, since an open, a 3-bet and
a 4-bet have different usual sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import log1p

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine.agents.fold.understand import size_over_pot
from engine.cards import Card, Street
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
)
from engine.game.history import HandState, SeatState
from engine.strength import STRAIGHT_MASKS


class ActionChoice(IntEnum):
    """What a player can do, as the learned reader sees it."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    RAISE_SMALL = 3
    RAISE_MEDIUM = 4
    RAISE_LARGE = 5
    RAISE_HUGE = 6
    ALL_IN = 7


CHOICES = len(ActionChoice)


def chances_of_kinds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return how often one folds, checks or calls, and bets or raises: shape (..., 3), of choices (..., 8)."""
    passive = chances[..., ActionChoice.CHECK : ActionChoice.CALL + 1].sum(axis=-1, dtype=np.float64)
    raising = chances[..., ActionChoice.RAISE_SMALL :].sum(axis=-1, dtype=np.float64)
    return np.stack([chances[..., ActionChoice.FOLD], passive, raising], axis=-1)


RAISE_BOUNDS = {
    (Street.PREFLOP, 0): (0.45, 0.70, 0.95),
    (Street.PREFLOP, 1): (0.85, 1.10, 1.45),
    (Street.PREFLOP, 2): (0.55, 0.75, 0.95),
    (Street.FLOP, 0): (0.40, 0.62, 0.90),
}
"""Bounds between small, medium, large and huge: raises over the pot after calling, by street and raises before.

They lie between the sizes that players use, at about the quartiles of 26,000 bets and raises of pluribus and
bovada_6max. The last entry is for all streets after the flop.
"""

_POSITIONS = ("button", "cutoff", "hijack", "early", "small blind", "big blind")
_LINES = ("none", "check", "check-call", "call", "bet", "raise", "check-raise")
"""How a player can go through a street."""

_PREFLOP_ROLES = ("none", "limped", "raised", "raised again", "called a raise", "checked")


def _names(prefix: str, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{prefix}: {value}" for value in values)


PREFLOP_FEATURES = (
    *_names("position", _POSITIONS),
    *_names("raises faced", ("0", "1", "2", "3 or more")),
    *_names("callers", ("0", "1", "2", "3 or more")),
    *_names("role so far", _PREFLOP_ROLES),
    *_names("raiser", ("nobody", *_POSITIONS)),
    "players in the hand",
    "players yet to act",
    "to call, bb",
    "pot, bb",
    "pot odds",
    "last raise over the pot",
    "last raise to, bb",
    "effective stack, bb",
    "stack, bb",
    "stack over the pot",
    "raiser all-in",
    "call is all-in",
    "small blind, bb",
    "own bet, bb",
    "raiser is in position",
    "effective stack below 15 bb",
    "effective stack below 40 bb",
    "effective stack above 130 bb",
    "last raise to above 2.3 bb",
    "last raise to above 2.8 bb",
    "last raise to above 3.5 bb",
)

POSTFLOP_FEATURES = (
    *_names("street", ("flop", "turn", "river")),
    *_names("players", ("2", "3", "4 or more")),
    *_names("yet to act", ("0", "1", "2 or more")),
    *_names("position", _POSITIONS),
    *_names("raises before the flop", ("0", "1", "2", "3 or more")),
    *_names("role before the flop", _PREFLOP_ROLES),
    *_names("flop line", _LINES),
    *_names("turn line", _LINES),
    *_names("line", _LINES),
    *_names("bets on the flop", ("0", "1", "2 or more")),
    *_names("bets on the turn", ("0", "1", "2 or more")),
    *_names("raises faced", ("0", "1", "2 or more")),
    *_names("last aggressor before", ("nobody", "self", "in position", "out of position")),
    *_names("bettor", ("nobody", "last aggressor before", "another")),
    "bettor is in position",
    "callers of the bet",
    "checks before",
    "bet over the pot",
    "bet below 0.4 pots",
    "bet above 0.62 pots",
    "bet above 0.9 pots",
    "bet above 1.2 pots",
    "pot odds",
    "stack over the pot",
    "stack over the pot below 1",
    "effective stack, bb",
    "pot, bb",
    "somebody all-in",
    "call is all-in",
    "flop bet over the pot",
    "turn bet over the pot",
    "preflop raise to, bb",
    "small blind, bb",
    "board top rank",
    "board second rank",
    "board third rank",
    "board paired",
    "board two pairs or trips",
    *_names("board most of a suit", ("1", "2", "3", "4", "5")),
    "board straights possible",
    "board straight draws possible",
    "new card rank",
    "new card is the highest",
    "new card pairs",
    "new card makes a flush possible",
    "new card adds straights",
)


@dataclass(frozen=True, slots=True)
class Situation:
    """One action and what everybody could see before it.

    Attributes
    ----------
    board : tuple of Card
        As it was, in the order dealt.
    features : ndarray of float32
        One number per `PREFLOP_FEATURES` or `POSTFLOP_FEATURES`.
    possible : ndarray of bool, shape (8,)
        Which choices were possible.
    raises : int
        Bets and raises of the street before it.
    seats : int
        How many were dealt in.
    """

    event_index: int
    seat: Seat
    street: Street
    board: tuple[Card, ...]
    features: NDArray[np.float32]
    choice: ActionChoice
    possible: NDArray[np.bool_]
    raises: int
    seats: int


@dataclass(slots=True)
class Place:
    """A seat's place at the table, and how it went through each street, by number of `_LINES`."""

    state: SeatState
    position: int
    order: int
    preflop: int = 0
    lines: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


def _one_hot(value: int, count: int) -> list[float]:
    row = [0.0] * count
    row[min(value, count - 1)] = 1.0
    return row


def raise_bounds(street: Street, raises: int) -> tuple[float, float, float]:
    """Return the bounds between small, medium, large and huge raises over the pot, by the raises before."""
    return RAISE_BOUNDS[(street, min(raises, 2)) if street is Street.PREFLOP else (Street.FLOP, 0)]


def raise_choice(street: Street, raises: int, size: float) -> ActionChoice:
    """Return which choice a raise of a size over the pot is, if it is not all-in."""
    return ActionChoice(ActionChoice.RAISE_SMALL + sum(size > bound for bound in raise_bounds(street, raises)))


def situations(events: Sequence[PublicEvent]) -> tuple[Situation, ...]:
    """Describe every action of a hand, finished or not, as everybody could see it.

    In the order of the actions; each follows from the events before it, and the action from its own event. A
    `HistoryError` if the events do not begin with `HandStarted`. Some 15 microseconds an action.
    """
    if not events:
        return ()
    follower = HandFollower(events[0])
    for event in events[1:]:
        follower.take(event)
    return tuple(follower.situations)


class HandFollower:
    """Follows one hand as everybody sees it: the `situations` of its actions so far.

    Attributes
    ----------
    situations : list of Situation
    hand : HandState
    places : dict of int to Place
        By seat.
    last_size : list of float
        Size of each street's last raise over the pot.
    preflop_to : float
        The last raise before the flop in big blinds; 1 without one.
    small_blind : float
        The feature of the small blind.
    unmatched : int
        Chips of this street's last raise that nobody could match. They come back, and count as still behind.
    """

    def __init__(self, started: PublicEvent) -> None:
        self.situations: list[Situation] = []
        self.hand = HandState(started)
        started = self.hand.started
        self._big_blind = max(started.big_blind, 1)
        self.small_blind = 10 * (started.small_blind / self._big_blind - 0.45)
        seats = [start.seat for start in started.seats]
        ordered = [seat for seat in seats if seat > started.button] + [
            seat for seat in seats if seat <= started.button
        ]
        if len(seats) == 2:
            # The button posts the small blind and acts last from the flop on.
            positions = {ordered[0]: 5, ordered[1]: 4}
        else:
            from_button = {seat: len(ordered) - 1 - at for at, seat in enumerate(ordered)}
            positions = {seat: min(from_button[seat], 3) for seat in ordered}
        states = self.hand.seats
        self.places = {seat: Place(states[seat], positions[seat], order) for order, seat in enumerate(ordered)}
        self.last_size = [0.0, 0.0, 0.0, 0.0]
        self.preflop_to = 1.0
        self.unmatched: Chips = 0
        self._board_numbers: list[float] = []

    def take(self, event: PublicEvent) -> None:
        """Take in the hand's next event."""
        hand = self.hand
        match event:
            case ActionTaken():
                matched = hand.matched(event)
                if self.unmatched:
                    matched = structs.replace(matched, pot=event.pot - self.unmatched)
                self.situations.append(self._situation(len(hand.events), matched))
                self._act(matched)
                self.unmatched += event.action.raise_to - matched.action.raise_to
            case Posted(seat=seat, kind=kind) if not kind.is_ante and len(self.places) > 2:
                self.places[seat].position = 4 if kind is PostKind.SMALL_BLIND else 5
            case BoardDealt():
                self.unmatched = 0
                self._board_numbers = board_numbers(hand.board, hand.board + event.cards)
            case _:
                pass  # what comes after the last action is no action's situation
        hand.add(event)

    def _effective(self, place: Place) -> int:
        """Return the chips that the place can still win or lose to the deepest other player."""
        return min(place.state.stack + place.state.bet, self.hand.reach_of_others(place.state.seat))

    def _is_all_in(self, state: SeatState) -> bool:
        """Whether a player has no chips behind."""
        return state.stack == 0 and not (self.unmatched and state.seat == self.hand.raisers[self.hand.street][-1])

    def _act(self, event: ActionTaken) -> None:
        kind, street = event.action.kind, self.hand.street
        if kind is ActionKind.RAISE:
            self.last_size[street] = size_over_pot(event)
            if street is Street.PREFLOP:
                self.preflop_to = event.action.raise_to / self._big_blind
        self._note_line(self.places[event.seat], kind)

    def _aggressor(self, street: int) -> Place | None:
        """Return who made the last bet or raise of a street."""
        raisers = self.hand.raisers[street]
        return self.places[raisers[-1]] if raisers else None

    def _note_line(self, place: Place, kind: ActionKind) -> None:
        street, raises = self.hand.street, self.hand.raises
        if street is Street.PREFLOP:
            if kind is ActionKind.RAISE:
                place.preflop = 3 if place.preflop in (2, 3) else 2
            elif kind is ActionKind.CALL:
                place.preflop = 4 if raises else 1
            elif kind is ActionKind.CHECK:
                place.preflop = 5
            return
        before = place.lines[street]
        if kind is ActionKind.CHECK:
            line = 1
        elif kind is ActionKind.CALL:
            line = 2 if before in (1, 2) else before if before in (4, 5, 6) else 3
        elif kind is ActionKind.RAISE:
            line = 6 if before in (1, 2, 6) else 5 if raises else 4
        else:
            line = before
        place.lines[street] = line

    def _situation(self, index: int, event: ActionTaken) -> Situation:
        hand, place = self.hand, self.places[event.seat]
        others = [state for state in hand.seats.values() if not state.is_folded and state is not place.state]
        describe = self._preflop if hand.street is Street.PREFLOP else self._postflop
        choice, possible = self._choice(event, others)
        return Situation(
            event_index=index,
            seat=event.seat,
            street=hand.street,
            board=hand.board,
            features=np.array(describe(place, event, others), dtype=np.float32),
            choice=choice,
            possible=possible,
            raises=hand.raises,
            seats=len(self.places),
        )

    def _choice(self, event: ActionTaken, others: Sequence[SeatState]) -> tuple[ActionChoice, NDArray[np.bool_]]:
        kind = event.action.kind
        possible = np.zeros(CHOICES, dtype=np.bool_)
        possible[[ActionChoice.FOLD, ActionChoice.CALL] if event.to_call else [ActionChoice.CHECK]] = True
        street, raises = self.hand.street, self.hand.raises
        after_call = max(event.pot + event.to_call, 1)
        most = (event.stack - event.to_call) / after_call
        if most > 0 and any(other.stack > 0 for other in others):
            possible[ActionChoice.ALL_IN] = True
            for at, lower in enumerate((0.0, *raise_bounds(street, raises))):
                possible[ActionChoice.RAISE_SMALL + at] = lower < most
        if kind is ActionKind.RAISE:
            choice = raise_choice(street, raises, size_over_pot(event))
            if event.is_all_in or event.action.raise_to >= self.hand.reach_of_others(event.seat):
                choice = ActionChoice.ALL_IN
        else:
            choice = ActionChoice[kind.name]
        possible[choice] = True
        return choice, possible

    def _preflop(self, place: Place, event: ActionTaken, others: Sequence[SeatState]) -> list[float]:
        bb, raises = self._big_blind, self.hand.raises
        raiser = self._aggressor(Street.PREFLOP)
        effective = self._effective(place) / bb
        raise_to_bb = self.preflop_to if raises else 0.0
        return [
            *_one_hot(place.position, 6),
            *_one_hot(raises, 4),
            *_one_hot(self.hand.callers, 4),
            *_one_hot(place.preflop, 6),
            *_one_hot(0 if raiser is None else raiser.position + 1, 7),
            (len(others) + 1) / 6,
            sum(other.last_action is None for other in others) / 6,
            log1p(event.to_call / bb),
            log1p(event.pot / bb),
            event.to_call / max(event.pot + event.to_call, 1),
            min(self.last_size[0], 3.0),
            log1p(raise_to_bb),
            log1p(effective) - 4,
            log1p(event.stack / bb) - 4,
            log1p(event.stack / max(event.pot, 1)) - 3,
            float(raiser is not None and self._is_all_in(raiser.state)),
            float(0 < event.to_call == event.stack),
            self.small_blind,
            event.bet / bb,
            float(raiser is not None and raiser.order > place.order),
            float(effective < 15),
            float(effective < 40),
            float(effective > 130),
            float(raise_to_bb > 2.3),
            float(raise_to_bb > 2.8),
            float(raise_to_bb > 3.5),
        ]

    def _postflop(self, place: Place, event: ActionTaken, others: Sequence[SeatState]) -> list[float]:
        bb, street, hand = self._big_blind, self.hand.street, self.hand
        raises, pot = hand.raises, max(event.pot, 1)
        on_flop, on_turn = len(hand.raisers[Street.FLOP]), len(hand.raisers[Street.TURN])
        bettor, before = self._aggressor(street), self._aggressor(street - 1)
        size = self.last_size[street] if raises else 0.0
        effective = self._effective(place)
        spr = max(effective - place.state.bet, 0) / pot
        flop, turn = place.lines[Street.FLOP], place.lines[Street.TURN]
        yet_to_act = sum(other.last_action is None and other.stack > 0 for other in others)
        aggressor = 0 if before is None else 1 if before is place else 2 if before.order > place.order else 3
        return [
            *_one_hot(street - 1, 3),
            *_one_hot(len(others) - 1, 3),
            *_one_hot(yet_to_act, 3),
            *_one_hot(place.position, 6),
            *_one_hot(len(hand.raisers[Street.PREFLOP]), 4),
            *_one_hot(place.preflop, 6),
            *_one_hot(flop if street > Street.FLOP else 0, 7),
            *_one_hot(turn if street > Street.TURN else 0, 7),
            *_one_hot(place.lines[street], 7),
            *_one_hot(on_flop if street > Street.FLOP else 0, 3),
            *_one_hot(on_turn if street > Street.TURN else 0, 3),
            *_one_hot(raises, 3),
            *_one_hot(aggressor, 4),
            *_one_hot(0 if bettor is None else 1 if bettor is before else 2, 3),
            float(bettor is not None and bettor.order > place.order),
            hand.callers / 2 if raises else 0.0,
            hand.checks / 2,
            min(size, 3.0),
            float(raises > 0 and size < 0.4),
            float(size > 0.62),
            float(size > 0.9),
            float(size > 1.2),
            event.to_call / (pot + event.to_call),
            log1p(spr) - 1,
            float(spr < 1),
            log1p(effective / bb) - 4,
            log1p(pot / bb) - 2,
            float(any(map(self._is_all_in, others))),
            float(0 < event.to_call == event.stack),
            min(self.last_size[Street.FLOP], 3.0) if street > Street.FLOP else 0.0,
            min(self.last_size[Street.TURN], 3.0) if street > Street.TURN else 0.0,
            log1p(self.preflop_to) - 1,
            self.small_blind,
            *self._board_numbers,
        ]


def _straight_windows(ranks: int, missing: int) -> int:
    """Count the straights of which a set of ranks (13 bits, bit 0 the deuce) lacks at most `missing` ranks."""
    return int((np.bitwise_count(STRAIGHT_MASKS & ~ranks) <= missing).sum())


def board_numbers(before: tuple[Card, ...], board: tuple[Card, ...]) -> list[float]:
    """Describe a board and what its newest card changed; the last fields of `POSTFLOP_FEATURES`."""
    ranks = sorted((card >> 2 for card in board), reverse=True)
    distinct = sorted(set(ranks), reverse=True)
    pairs = len(ranks) - len(distinct)
    suits = max(sum(card & 3 == suit for card in board) for suit in range(4))
    bits = sum(1 << rank for rank in distinct)
    straights, draws = _straight_windows(bits, 2), _straight_windows(bits, 3)
    numbers = [
        ranks[0] / 12,
        (distinct[1] if len(distinct) > 1 else distinct[0]) / 12,
        (distinct[2] if len(distinct) > 2 else distinct[-1]) / 12,
        float(pairs > 0),
        float(pairs > 1),
        *_one_hot(suits - 1, 5),
        straights / 4,
        draws / 8,
    ]
    if len(before) < 3:
        return [*numbers, 0.0, 0.0, 0.0, 0.0, 0.0]
    new = board[-1] >> 2
    old = [card >> 2 for card in before]
    old_suits = max(sum(card & 3 == suit for card in before) for suit in range(4))
    old_bits = sum(1 << rank for rank in set(old))
    return [
        *numbers,
        new / 12,
        float(new > max(old)),
        float(new in old),
        float(suits >= 3 and suits > old_suits),
        (straights - _straight_windows(old_bits, 2)) / 4,
    ]
