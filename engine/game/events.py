"""What can happen at a table: actions that a seat chooses, and events that the table announces.

Public events are all that everybody sees; hole cards reach their owner as `HoleCardsDealt`, which no
`Observation` of another seat can hold. A hand is its tuple of public events: hand log, hand history,
opponent models and resuming a session all read that one list.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, structs

from engine.cards import Card, HoleCards, Street

Seat = int
Chips = int


class ActionKind(StrEnum):
    """The kinds of action; a bet and a raise are one kind, as in the rules that govern them."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"


class Action(Struct, frozen=True):
    """What a seat does when asked; `raise_to` is its street total after a bet or raise, otherwise 0."""

    kind: ActionKind
    raise_to: Chips = 0


FOLD = Action(ActionKind.FOLD)
CHECK = Action(ActionKind.CHECK)
CALL = Action(ActionKind.CALL)


def raise_to(total: Chips) -> Action:
    """Return the bet or raise that puts `total` chips in front of the seat on this street."""
    return Action(ActionKind.RAISE, total)


class GameKind(StrEnum):
    """Cash game or tournament; agents weigh survival only in the second."""

    CASH = "cash"
    TOURNAMENT = "tournament"


class SeatStart(Struct, frozen=True):
    """A seat that is dealt in, with its stack before any ante or blind, in chips.

    `reserve` is what it can still buy in a tournament once it is out of chips, 0 where nobody says.
    """

    seat: Seat
    name: str
    stack: Chips
    reserve: Chips = 0


class TournamentStage(Struct, frozen=True):
    """What is left of a tournament when a hand begins, as `HandStarted` tells it."""

    hands_left: int | None = None
    payouts: tuple[int, ...] = ()


NO_TOURNAMENT = TournamentStage()


class HandStarted(Struct, frozen=True, tag=True):
    """A new hand. `seats` are the seats dealt in, in rising order; `ante` is what each of them owes.

    `hands_left` is how many hands of a tournament are to be played after this one, at these blinds; None where it
    has no last hand, or nobody knows. `payouts` are the shares of its prizes by place, in percent; empty where it
    has none, or nobody says. `max_raises` are allowed on each street beyond its first bet, 0 for any
    number; each is to exactly twice the bet if `raises_to_twice`. A `straddle` is posted after the big blind, and a
    `big_blind_ante` for all by the big blind, as far as that has the chips; 0 for none. A `splash` is what the
    house has put into the main pot.
    """

    hand_number: int
    kind: GameKind
    seats: tuple[SeatStart, ...]
    button: Seat
    small_blind: Chips
    big_blind: Chips
    ante: Chips
    hands_left: int | None = None
    max_raises: int = 0
    raises_to_twice: bool = False
    straddle: Chips = 0
    big_blind_ante: Chips = 0
    splash: Chips = 0
    payouts: tuple[int, ...] = ()


class PostKind(StrEnum):
    """Why chips were posted."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    STRADDLE = "straddle"
    BIG_BLIND_ANTE = "big blind ante"
    DEAD_BLIND = "dead blind"

    @property
    def is_for_all(self) -> bool:
        """Whether it is the main pot's and nobody's: the big blind's ante for all, or a blind posted dead."""
        return self in (PostKind.BIG_BLIND_ANTE, PostKind.DEAD_BLIND)

    @property
    def is_ante(self) -> bool:
        """Whether it counts for no bet: each player's ante, or what is for all."""
        return self is PostKind.ANTE or self.is_for_all


class Posted(Struct, frozen=True, tag=True):
    """A forced bet; `amount` may be short of what is owed when `is_all_in`."""

    seat: Seat
    kind: PostKind
    amount: Chips
    is_all_in: bool


class ActionTaken(Struct, frozen=True, tag=True):
    """A seat acted. All chip figures are those of the moment before the action, except `amount`.

    Attributes
    ----------
    amount : int
        Chips moved from the stack to the pot by this action.
    is_all_in : bool
        Whether the seat has no chips behind after it.
    to_call : int
        Chips the seat would have had to add to call, not more than its stack.
    pot : int
        All chips in the middle, this street's bets included.
    stack, bet : int
        The seat's chips behind, and in front of it on this street.
    """

    seat: Seat
    street: Street
    action: Action
    amount: Chips
    is_all_in: bool
    to_call: Chips
    pot: Chips
    stack: Chips
    bet: Chips


class BoardDealt(Struct, frozen=True, tag=True):
    """New board cards: three for the flop, one for the turn and river."""

    street: Street
    cards: tuple[Card, ...]


class UncalledBetReturned(Struct, frozen=True, tag=True):
    """The part of a bet that nobody called goes back."""

    seat: Seat
    amount: Chips


class HoleCardsShown(Struct, frozen=True, tag=True):
    """A seat turned its hole cards up, at showdown or before an all-in run-out."""

    seat: Seat
    hole_cards: HoleCards


class HoleCardsMucked(Struct, frozen=True, tag=True):
    """A seat that was beaten threw its hole cards away unseen at showdown."""

    seat: Seat


class PotAwarded(Struct, frozen=True, tag=True):
    """A seat wins all or a share of a pot; pot 0 is the main pot, 1 the first side pot."""

    seat: Seat
    pot: int
    amount: Chips


class HandEnded(Struct, frozen=True, tag=True):
    """The hand is over; `stacks` are the seats' chips after it, in the order of `HandStarted.seats`."""

    stacks: tuple[Chips, ...]


PublicEvent = (
    HandStarted
    | Posted
    | ActionTaken
    | BoardDealt
    | UncalledBetReturned
    | HoleCardsShown
    | HoleCardsMucked
    | PotAwarded
    | HandEnded
)
"""What everybody at the table sees."""


def start_of(events: Sequence[PublicEvent]) -> HandStarted:
    """Return the first event of a hand."""
    started = events[0]
    assert isinstance(started, HandStarted)
    return started


def end_of(events: Sequence[PublicEvent]) -> HandEnded:
    """Return the last event of a finished hand."""
    ended = events[-1]
    assert isinstance(ended, HandEnded)
    return ended


def net_of(events: Sequence[PublicEvent]) -> dict[Seat, Chips]:
    """Return what each seat dealt in won or lost in a finished hand."""
    stacks = zip(start_of(events).seats, end_of(events).stacks, strict=True)
    return {start.seat: stack - start.stack for start, stack in stacks}


def with_start(events: Sequence[PublicEvent], **fields: Any) -> tuple[PublicEvent, ...]:
    """Return the events of a hand with other values of these fields of the first one."""
    return (structs.replace(start_of(events), **fields), *events[1:])


class HoleCardsDealt(Struct, frozen=True, tag=True):
    """A seat's own hole cards: seen by that seat alone."""

    seat: Seat
    hole_cards: HoleCards
