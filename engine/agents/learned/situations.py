"""What everybody can see when somebody acts, as numbers: the public half of the learned reader's input.

One pass over a hand's public events gives one `Situation` per action: a row of `SITUATION_FEATURES`, the class of
the action among `ACTION_CLASSES`, and which classes were possible. Nothing here depends on hole cards or on names.

Chips are measured in big blinds or in pots, and enter by `log1p`, so that stacks and blinds of any size give
numbers of the same order. The number of seats dealt in is left out on purpose: who is still there and who has yet
to act says the same, and carries over to tables of other sizes than those trained on. Sizes of bets and raises are
increments over the pot after calling, as in the paper's action understanding (Li et al. 2017, sec. 4.1);
`RAISE_BOUNDS` divides them where real hands do: before the flop by the number of raises, since an open, a 3-bet and
a 4-bet have different usual sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import log1p

import numpy as np
from numpy.typing import NDArray

from engine.agents.fold.understand import size_over_pot
from engine.cards import Card, Street
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    HandStarted,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
)
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
    event_index : int
        Which of the hand's events it is.
    seat, street
        Who acted and when.
    board : tuple of Card
        As it was, in the order dealt.
    features : ndarray of float32
        One number per `PREFLOP_FEATURES` or `POSTFLOP_FEATURES`.
    choice : ActionChoice
        What was done.
    possible : ndarray of bool, shape (8,)
        What could have been done.
    raises : int
        Bets and raises of the street before it.
    """

    event_index: int
    seat: Seat
    street: Street
    board: tuple[Card, ...]
    features: NDArray[np.float32]
    choice: ActionChoice
    possible: NDArray[np.bool_]
    raises: int


@dataclass(slots=True)
class _Place:
    seat: Seat
    stack: int
    position: int
    order: int
    bet: int = 0
    is_folded: bool = False
    preflop: int = 0
    lines: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    has_acted: bool = False


def _one_hot(value: int, count: int) -> list[float]:
    row = [0.0] * count
    row[min(value, count - 1)] = 1.0
    return row


def raise_bounds(street: Street, raises: int) -> tuple[float, float, float]:
    """Give the bounds between small, medium, large and huge raises over the pot."""
    return RAISE_BOUNDS[(street, min(raises, 2)) if street is Street.PREFLOP else (Street.FLOP, 0)]


def situations(events: Sequence[PublicEvent]) -> tuple[Situation, ...]:
    """Describe every action of a hand as everybody could see it.

    Parameters
    ----------
    events : sequence of PublicEvent
        A hand from `HandStarted` on, finished or not.

    Returns
    -------
    tuple of Situation
        In the order of the actions; each follows from the events before it (and the action from its own event).

    Raises
    ------
    ValueError
        If the events do not begin with `HandStarted`.

    Notes
    -----
    Some 15 microseconds an action.
    """
    started = events[0] if events else None
    if not isinstance(started, HandStarted):
        raise ValueError("The events of a hand begin with its start.")
    follower = HandFollower(started)
    for event in events[1:]:
        follower.take(event)
    return tuple(follower.situations)


class HandFollower:
    """Follows one hand and knows, at any moment, what everybody has seen of it.

    Parameters
    ----------
    started : HandStarted
        The hand's first event.

    Attributes
    ----------
    situations : list of Situation
        Of the actions so far.
    """

    def __init__(self, started: HandStarted) -> None:
        self.situations: list[Situation] = []
        self._count = 1
        self._big_blind = max(started.big_blind, 1)
        self._small_blind = 10 * (started.small_blind / self._big_blind - 0.45)
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
        stacks = {start.seat: start.stack for start in started.seats}
        self._places = {
            seat: _Place(seat, stacks[seat], positions[seat], order) for order, seat in enumerate(ordered)
        }
        self._street = Street.PREFLOP
        self._board: tuple[Card, ...] = ()
        self._pot = 0
        self._level = 0
        self._raises = [0, 0, 0, 0]
        self._callers = 0
        self._checks = 0
        self._last_size = [0.0, 0.0, 0.0, 0.0]
        self._preflop_to = 1.0
        self._aggressor: _Place | None = None  # of this street
        self._last_aggressor: _Place | None = None  # of the last street that had one
        self._board_numbers: list[float] = []

    def take(self, event: PublicEvent) -> None:
        """Take in the hand's next event."""
        if isinstance(event, ActionTaken):
            self.situations.append(self._situation(self._count, event))
        self._add(event)
        self._count += 1

    def _add(self, event: PublicEvent) -> None:
        match event:
            case Posted(seat=seat, amount=amount, kind=kind):
                place = self._places[seat]
                place.stack -= amount
                self._pot += amount
                if kind is not PostKind.ANTE:
                    place.bet += amount
                    self._level = max(self._level, place.bet)
                    if len(self._places) > 2:
                        place.position = 4 if kind is PostKind.SMALL_BLIND else 5
            case ActionTaken():
                self._act(event)
            case BoardDealt():
                self._deal(event)
            case _:
                pass  # what comes after the last action is no action's situation

    def _act(self, event: ActionTaken) -> None:
        place, kind = self._places[event.seat], event.action.kind
        if kind is ActionKind.RAISE:
            self._last_size[self._street] = size_over_pot(event)
            self._aggressor = place
            if self._street is Street.PREFLOP:
                self._preflop_to = event.action.raise_to / self._big_blind
        self._note_line(place, kind)
        place.stack -= event.amount
        place.bet += event.amount
        place.has_acted = True
        self._pot += event.amount
        self._level = max(self._level, place.bet)
        if kind is ActionKind.RAISE:
            self._raises[self._street] += 1
            self._callers = 0
        elif kind is ActionKind.CALL:
            self._callers += 1
        elif kind is ActionKind.CHECK:
            self._checks += 1
        else:
            place.is_folded = True

    def _note_line(self, place: _Place, kind: ActionKind) -> None:
        if self._street is Street.PREFLOP:
            if kind is ActionKind.RAISE:
                place.preflop = 3 if place.preflop in (2, 3) else 2
            elif kind is ActionKind.CALL:
                place.preflop = 4 if self._raises[0] else 1
            elif kind is ActionKind.CHECK:
                place.preflop = 5
            return
        before = place.lines[self._street]
        if kind is ActionKind.CHECK:
            line = 1
        elif kind is ActionKind.CALL:
            line = 2 if before in (1, 2) else before if before in (4, 5, 6) else 3
        elif kind is ActionKind.RAISE:
            line = 6 if before in (1, 2, 6) else 5 if self._raises[self._street] else 4
        else:
            line = before
        place.lines[self._street] = line

    def _deal(self, event: BoardDealt) -> None:
        if self._aggressor is not None:
            self._last_aggressor = self._aggressor
        else:
            self._last_aggressor = None if self._street is not Street.PREFLOP else self._last_aggressor
        self._aggressor = None
        self._street = event.street
        before = self._board
        self._board = before + event.cards
        self._callers = self._checks = self._level = 0
        for place in self._places.values():
            place.bet = 0
            place.has_acted = False
        self._board_numbers = board_numbers(before, self._board)

    def _situation(self, index: int, event: ActionTaken) -> Situation:
        place = self._places[event.seat]
        live = [other for other in self._places.values() if not other.is_folded]
        others = [other for other in live if other is not place]
        row = (
            self._preflop(place, event, live)
            if self._street is Street.PREFLOP
            else self._postflop(place, event, live)
        )
        choice, possible = self._choice(event, others)
        return Situation(
            event_index=index,
            seat=event.seat,
            street=self._street,
            board=self._board,
            features=np.array(row, dtype=np.float32),
            choice=choice,
            possible=possible,
            raises=self._raises[self._street],
        )

    def _choice(self, event: ActionTaken, others: Sequence[_Place]) -> tuple[ActionChoice, NDArray[np.bool_]]:
        kind = event.action.kind
        possible = np.zeros(CHOICES, dtype=np.bool_)
        possible[[ActionChoice.FOLD, ActionChoice.CALL] if event.to_call else [ActionChoice.CHECK]] = True
        bounds = raise_bounds(self._street, self._raises[self._street])
        after_call = max(event.pot + event.to_call, 1)
        most = (event.stack - event.to_call) / after_call
        if most > 0 and any(other.stack > 0 for other in others):
            possible[ActionChoice.ALL_IN] = True
            for at, lower in enumerate((0.0, *bounds)):
                possible[ActionChoice.RAISE_SMALL + at] = lower < most
        if kind is ActionKind.RAISE:
            size = size_over_pot(event)
            choice = ActionChoice(ActionChoice.RAISE_SMALL + sum(size > bound for bound in bounds))
            if event.is_all_in:
                choice = ActionChoice.ALL_IN
        else:
            choice = ActionChoice[kind.name]
        possible[choice] = True
        return choice, possible

    def _effective(self, place: _Place, others: Sequence[_Place]) -> int:
        """Give the chips that the place can still win or lose to the deepest other player."""
        deepest = max((other.stack + other.bet for other in others if other is not place), default=0)
        return min(place.stack + place.bet, deepest)

    def _preflop(self, place: _Place, event: ActionTaken, live: Sequence[_Place]) -> list[float]:
        bb, raises = self._big_blind, self._raises[0]
        raiser = self._aggressor
        effective = self._effective(place, live) / bb
        raise_to_bb = self._preflop_to if raises else 0.0
        return [
            *_one_hot(place.position, 6),
            *_one_hot(raises, 4),
            *_one_hot(self._callers, 4),
            *_one_hot(place.preflop, 6),
            *_one_hot(0 if raiser is None else raiser.position + 1, 7),
            len(live) / 6,
            sum(not other.has_acted for other in live if other is not place) / 6,
            log1p(event.to_call / bb),
            log1p(event.pot / bb),
            event.to_call / max(event.pot + event.to_call, 1),
            min(self._last_size[0], 3.0),
            log1p(raise_to_bb),
            log1p(effective) - 4,
            log1p(event.stack / bb) - 4,
            log1p(event.stack / max(event.pot, 1)) - 3,
            float(raiser is not None and raiser.stack == 0),
            float(0 < event.to_call == event.stack),
            self._small_blind,
            event.bet / bb,
            float(raiser is not None and raiser.order > place.order),
            float(effective < 15),
            float(effective < 40),
            float(effective > 130),
            float(raise_to_bb > 2.3),
            float(raise_to_bb > 2.8),
            float(raise_to_bb > 3.5),
        ]

    def _postflop(self, place: _Place, event: ActionTaken, live: Sequence[_Place]) -> list[float]:
        bb, street = self._big_blind, self._street
        raises, pot = self._raises[street], max(event.pot, 1)
        bettor, before = self._aggressor, self._last_aggressor
        size = self._last_size[street] if raises else 0.0
        effective = self._effective(place, live)
        spr = max(effective - place.bet, 0) / pot
        flop, turn = place.lines[Street.FLOP], place.lines[Street.TURN]
        yet_to_act = sum(not other.has_acted and other.stack > 0 for other in live if other is not place)
        aggressor = 0 if before is None else 1 if before is place else 2 if before.order > place.order else 3
        return [
            *_one_hot(street - 1, 3),
            *_one_hot(len(live) - 2, 3),
            *_one_hot(yet_to_act, 3),
            *_one_hot(place.position, 6),
            *_one_hot(self._raises[0], 4),
            *_one_hot(place.preflop, 6),
            *_one_hot(flop if street > Street.FLOP else 0, 7),
            *_one_hot(turn if street > Street.TURN else 0, 7),
            *_one_hot(place.lines[street], 7),
            *_one_hot(self._raises[Street.FLOP] if street > Street.FLOP else 0, 3),
            *_one_hot(self._raises[Street.TURN] if street > Street.TURN else 0, 3),
            *_one_hot(raises, 3),
            *_one_hot(aggressor, 4),
            *_one_hot(0 if bettor is None else 1 if bettor is before else 2, 3),
            float(bettor is not None and bettor.order > place.order),
            self._callers / 2 if raises else 0.0,
            self._checks / 2,
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
            float(any(other.stack == 0 for other in live if other is not place)),
            float(0 < event.to_call == event.stack),
            min(self._last_size[Street.FLOP], 3.0) if street > Street.FLOP else 0.0,
            min(self._last_size[Street.TURN], 3.0) if street > Street.TURN else 0.0,
            log1p(self._preflop_to) - 1,
            self._small_blind,
            *self._board_numbers,
        ]


def straight_windows(ranks: int, missing: int) -> int:
    """Count the straights of which a set of ranks (13 bits, bit 0 the deuce) lacks at most `missing` ranks."""
    return int((np.bitwise_count(STRAIGHT_MASKS & ~ranks) <= missing).sum())


def board_numbers(before: tuple[Card, ...], board: tuple[Card, ...]) -> list[float]:
    """Describe a board and what its newest card changed; the last fields of `POSTFLOP_FEATURES`."""
    ranks = sorted((card >> 2 for card in board), reverse=True)
    distinct = sorted(set(ranks), reverse=True)
    pairs = len(ranks) - len(distinct)
    suits = max(sum(card & 3 == suit for card in board) for suit in range(4))
    bits = sum(1 << rank for rank in distinct)
    straights, draws = straight_windows(bits, 2), straight_windows(bits, 3)
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
        (straights - straight_windows(old_bits, 2)) / 4,
    ]
