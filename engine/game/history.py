"""A hand's earlier moments, rebuilt from its public events."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec import structs

from engine.cards import CARD_COUNT, Card, HoleCards, Street
from engine.game.events import (
    CALL,
    CHECK,
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
    raise_to,
)
from engine.game.observation import HandView, LegalActions, Observation, Pot, SeatView, seen_from, view_from
from engine.game.rules import TableRules, Turn, legal_actions_at, pots_of, why_no_raise

_View = TypeVar("_View", Observation, HandView)


class HistoryError(ValueError):
    """A moment that a hand never had, or events that are no hand; the message says which."""


def rules_of(started: HandStarted) -> TableRules:
    """Return the stakes of a hand by its first event."""
    return TableRules(
        started.small_blind,
        started.big_blind,
        started.ante,
        started.max_raises,
        started.big_blind_ante,
        started.straddle,
        counts_bets=False,
        raises_to_twice=started.raises_to_twice,
    )


def observation_at(observation: _View, event_count: int) -> _View:
    """Return what the same seat could know after the first events of the hand, or whoever watched it.

    Parameters
    ----------
    observation : Observation or HandView
        Any later one of the hand.
    event_count : int
        How many of its events had happened: 1 (the hand is announced, nothing is posted) to all of them.

    Returns
    -------
    Observation or HandView
        With `to_act` and `legal` None unless all events are asked for: then the observation itself. While pots are
        being awarded, `pots` are what is left of them.

    Raises
    ------
    HistoryError
        If the hand had no such moment, or its events do not begin with `HandStarted`.
    """
    if not 1 <= event_count <= len(observation.events):
        raise HistoryError(
            f"Hand {observation.hand_number} has {len(observation.events)} events, so no moment {event_count}."
        )
    if event_count == len(observation.events):
        return observation
    hand = HandState.after(observation.events[:event_count])
    seen = hand.view()
    if isinstance(observation, Observation):
        seen = hand.observe(observation.seat, observation.hole_cards)
    return structs.replace(seen, currency=observation.currency) if observation.currency else seen


def decided_next(observation: Observation) -> tuple[PublicEvent, ...]:
    """Return the events with what the observer does now: a check or call, which stands for whatever it is.

    So a decision to come is described as those before it. `HistoryError` if they are not to act.
    """
    me, legal = observation.me, observation.legal
    if legal is None:
        raise HistoryError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
    taken = ActionTaken(
        seat=me.seat,
        street=observation.street,
        action=CHECK if legal.can_check else CALL,
        amount=legal.call_amount,
        is_all_in=legal.call_amount == me.stack,
        to_call=legal.call_amount,
        pot=observation.pot,
        stack=me.stack,
        bet=me.bet,
    )
    return (*observation.events, taken)


def verify_finished(observation: HandView) -> None:
    """Raise `HistoryError` unless what is seen is of a hand from its start to its end, in itself consistent.

    What was stored can have been damaged and still have the right form.
    """
    hand, events = f"Hand {observation.hand_number}", observation.events
    started, ended = (events[0], events[-1]) if events else (None, None)
    if not isinstance(started, HandStarted) or not isinstance(ended, HandEnded) or started.big_blind < 1:
        raise HistoryError(f"{hand} is not told from its start to its end.")
    dealt = [start.seat for start in started.seats]
    named = {started.button, *(getattr(event, "seat", started.button) for event in events)}
    named |= {observation.seat} if isinstance(observation, Observation) else set()
    if [view.seat for view in observation.seats] != dealt or len(ended.stacks) != len(dealt) or named - set(dealt):
        raise HistoryError(f"{hand} has a player who was not dealt in.")
    boards = [event.cards for event in events if isinstance(event, BoardDealt)]
    if [len(cards) for cards in boards] != [3, 1, 1][: len(boards)]:
        raise HistoryError(f"{hand} has a board that is none.")
    shown = [event for event in events if isinstance(event, HoleCardsShown)]
    others = [event.hole_cards for event in shown if event.seat != observation.viewer]
    cards = [card for group in (observation.own_cards, *boards, *others) for card in group]
    if len(set(cards)) != len(cards) or not set(cards) <= set(range(CARD_COUNT)):
        raise HistoryError(f"{hand} has a card twice, or one that there is not.")


@dataclass(slots=True)
class SeatState:
    """One seat at a moment of a hand; `stack` is chips behind without what it won.

    `bet`, `last_action` and `answered`, the bet that its latest action matched or made (-1 before one), are of this
    street, `committed` of the hand as in `SeatView`, and `blind` the live one that it posted.
    """

    seat: Seat
    name: str
    stack: Chips
    bet: Chips = 0
    answered: Chips = -1
    committed: Chips = 0
    won: Chips = 0
    blind: PostKind | None = None
    last_action: ActionTaken | None = None
    is_folded: bool = False
    is_mucked: bool = False
    shown: HoleCards | None = None

    def view(self) -> SeatView:
        """Return what everybody sees of the seat."""
        return SeatView(
            seat=self.seat,
            name=self.name,
            stack=self.stack + self.won,
            bet=self.bet,
            committed=self.committed,
            is_folded=self.is_folded,
            is_all_in=self.stack == 0 and not self.is_folded,
            shown=self.shown,
        )


class HandState:
    """A hand event by event: what everybody has seen of it so far. All that replays events does so by this.

    Attributes
    ----------
    seats : dict of int to SeatState
        In rising order.
    pot : int
        All chips put in, without those that came back uncalled.
    raisers : list of four lists of int
        Who bet or raised on each street, in order.
    callers, checks : int
        Calls since the last bet or raise of this street, and checks on it.

    Raises
    ------
    HistoryError
        If the first event is no `HandStarted`.
    """

    def __init__(self, started: PublicEvent) -> None:
        if not isinstance(started, HandStarted):
            raise HistoryError("The events of the hand do not begin with its start.")
        self.started = started
        self.events: list[PublicEvent] = [started]
        self.street = Street.PREFLOP
        self.board: tuple[Card, ...] = ()
        self.seats = {start.seat: SeatState(start.seat, start.name, start.stack) for start in started.seats}
        self.pot: Chips = started.splash
        self.raisers: list[list[Seat]] = [[] for _ in Street]
        self.callers = self.checks = 0
        self._awarded: dict[int, Chips] = {}
        self._dead: Chips = started.splash
        self._full_raise = max(started.straddle, started.big_blind)
        self._rules = rules_of(started)

    @classmethod
    def after(cls, events: Sequence[PublicEvent]) -> "HandState":
        """Return the hand after all of these events, the first of which starts it."""
        hand = cls(events[0])
        for event in events[1:]:
            hand.add(event)
        return hand

    @property
    def raises(self) -> int:
        """Bets and raises of this street."""
        return len(self.raisers[self.street])

    def live_seats(self) -> tuple[Seat, ...]:
        """Return the seats that have not folded, in rising order."""
        return tuple([seat for seat, state in self.seats.items() if not state.is_folded])

    def clockwise(self) -> tuple[int, ...]:
        """Return the places in `seats` in order, from the left of the button."""
        first = sum(seat <= self.started.button for seat in self.seats)
        return (*range(first, len(self.seats)), *range(first))

    def add(self, event: PublicEvent) -> None:
        """Go on by one event."""
        self.events.append(event)
        match event:
            case ActionTaken():
                self._act(event)
            case Posted(seat=seat, amount=amount, kind=kind) if kind.is_for_all:
                self.seats[seat].stack -= amount
                self.pot += amount
                self._dead += amount
            case Posted(seat=seat, amount=amount, kind=kind):
                self._put_in(seat, amount)
                if not kind.is_ante:
                    self.seats[seat].bet += amount
                    self.seats[seat].blind = kind
            case BoardDealt():
                self.street = event.street
                self.board += event.cards
                self.callers = self.checks = 0
                self._full_raise = self.started.big_blind
                for state in self.seats.values():
                    state.bet, state.last_action, state.answered = 0, None, -1
            case UncalledBetReturned(seat=seat, amount=amount):
                self._put_in(seat, -amount)
                state = self.seats[seat]
                state.bet = max(state.bet - amount, 0)
            case HoleCardsShown():
                self.seats[event.seat].shown = event.hole_cards
            case HoleCardsMucked():
                self.seats[event.seat].is_mucked = True
            case PotAwarded():
                for state in self.seats.values():
                    state.bet = 0
                self.seats[event.seat].won += event.amount
                self._awarded[event.pot] = self._awarded.get(event.pot, 0) + event.amount
            case _:
                pass  # the end changes nothing that is seen here

    def _put_in(self, seat: Seat, amount: Chips) -> None:
        state = self.seats[seat]
        self.pot += amount
        state.stack -= amount
        state.committed += amount

    def _act(self, event: ActionTaken) -> None:
        state, kind = self.seats[event.seat], event.action.kind
        state.answered = event.bet + event.to_call
        if event.amount:
            self._put_in(event.seat, event.amount)
            state.bet += event.amount
        state.is_folded = kind is ActionKind.FOLD
        state.last_action = event
        if kind is ActionKind.RAISE:
            self._full_raise = max(self._full_raise, event.action.raise_to - state.answered)
            state.answered = event.action.raise_to
            self.raisers[self.street].append(event.seat)
            self.callers = 0
        elif kind is ActionKind.CALL:
            self.callers += 1
        elif kind is ActionKind.CHECK:
            self.checks += 1

    def reach_of_others(self, seat: Seat) -> Chips:
        """Return the most that another player still in the hand can have in front on this street."""
        others = [
            state.stack + state.bet for other, state in self.seats.items() if other != seat and not state.is_folded
        ]
        return max(others, default=0)

    def matched(self, event: ActionTaken) -> ActionTaken:
        """Return the next action without what nobody can match: 16,700 into who has 900 left are a bet of 900."""
        total = max(self.reach_of_others(event.seat), event.bet + event.to_call)
        if event.action.raise_to <= total:
            return event
        return structs.replace(event, action=raise_to(total), amount=total - event.bet)

    def legal_actions_of(self, event: ActionTaken) -> LegalActions:
        """Return what the player whose action comes next might have done, by the rules of `engine.game.rules`."""
        return legal_actions_at(self._rules, self._turn(event.seat, event.stack, event.bet, event.to_call))

    def why_no_raise(self, me: SeatView, to_call: Chips, amount: Callable[[Chips], str] = str) -> str | None:
        """Say in one sentence why the rules let a player with so much to call not raise now; None if they do."""
        return why_no_raise(self._rules, self._turn(me.seat, me.stack, me.bet, to_call), amount)

    def _turn(self, seat: Seat, stack: Chips, bet: Chips, owed: Chips) -> Turn:
        return Turn(
            street=self.street,
            stack=stack,
            bet=bet,
            owed=owed,
            answered=self.seats[seat].answered,
            others_reach=self.reach_of_others(seat),
            raises=self.raises,
            full_raise=self._full_raise,
        )

    def view(self) -> HandView:
        """Return what everybody sees now; `to_act` is None."""
        seats = tuple(state.view() for state in self.seats.values())
        return view_from(self.events, self.street, self.board, seats, self._pots())

    def observe(self, seat: Seat, hole_cards: HoleCards) -> Observation:
        """Return what a seat with these hole cards could know now; `to_act` and `legal` are None.

        `HistoryError` if the seat was not dealt in.
        """
        if seat not in self.seats:
            raise HistoryError(f"Seat {seat} was not dealt into hand {self.started.hand_number}.")
        return seen_from(self.view(), seat, hole_cards)

    def pots_by_place(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        """Return each pot's chips, whole, and the places in `seats` that can win it; the main pot first."""
        states = list(self.seats.values())
        return pots_of(
            [state.stack for state in states],
            [state.committed for state in states],
            [state.is_folded for state in states],
            self._dead,
        )

    def _pots(self) -> tuple[Pot, ...]:
        """Divide what is in the middle by the rules, less what has been awarded."""
        states = list(self.seats.values())
        left = [
            Pot(amount - self._awarded.get(number, 0), tuple(states[winner].seat for winner in winners))
            for number, (amount, winners) in enumerate(self.pots_by_place())
        ]
        return tuple(pot for pot in left if pot.amount > 0)


def moments(events: Iterable[PublicEvent]) -> Iterator[tuple[PublicEvent, HandState]]:
    """Yield each event after the start of a hand, and the hand before it; no events are no hand.

    The state is the same object each time; it takes the event in when the next one is asked for. `HistoryError` if
    the events do not begin with the start of a hand.
    """
    rest = iter(events)
    for started in rest:
        hand = HandState(started)
        for event in rest:
            yield event, hand
            hand.add(event)
