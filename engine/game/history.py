"""A hand's earlier moments, rebuilt from its public events."""

from dataclasses import dataclass

from engine.cards import CARD_COUNT, Card, HoleCards, Street
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
)
from engine.game.observation import Observation, Pot, SeatView
from engine.game.rules import pots_of


class HistoryError(ValueError):
    """A moment that a hand never had, or events that are no hand; the message says which."""


def observation_at(observation: Observation, event_count: int) -> Observation:
    """Give what the same seat could know after the first events of the hand.

    Parameters
    ----------
    observation : Observation
        Any later one of the hand.
    event_count : int
        How many of its events had happened: 1 (the hand is announced, nothing is posted) to all of them.

    Returns
    -------
    Observation
        With `to_act` and `legal` None, which events alone do not tell, unless all events are asked for: then it
        is the observation itself. While pots are being awarded, `pots` are what is left of them.

    Raises
    ------
    HistoryError
        If the hand had no such moment, or its events do not begin with `HandStarted`.

    Notes
    -----
    Costs some tens of microseconds; the pots are those of the rules' own kernel.
    """
    if not 1 <= event_count <= len(observation.events):
        raise HistoryError(
            f"Hand {observation.hand_number} has {len(observation.events)} events, so no moment {event_count}."
        )
    if event_count == len(observation.events):
        return observation
    events = observation.events[:event_count]
    started = events[0]
    if not isinstance(started, HandStarted):
        raise HistoryError(f"The events of hand {observation.hand_number} do not begin with its start.")
    moment = Moment(started)
    for event in events[1:]:
        moment.add(event)
    return moment.observe(observation.seat, observation.hole_cards)


def verify_finished(observation: Observation) -> None:
    """Raise `HistoryError` unless an observation is of a hand from its start to its end, in itself consistent.

    What was stored can have been damaged and still have the right form.
    """
    hand, events = f"Hand {observation.hand_number}", observation.events
    started, ended = (events[0], events[-1]) if events else (None, None)
    if not isinstance(started, HandStarted) or not isinstance(ended, HandEnded) or started.big_blind < 1:
        raise HistoryError(f"{hand} is not told from its start to its end.")
    dealt = [start.seat for start in started.seats]
    named = {started.button, observation.seat} | {getattr(event, "seat", started.button) for event in events}
    if [view.seat for view in observation.seats] != dealt or len(ended.stacks) != len(dealt) or named - set(dealt):
        raise HistoryError(f"{hand} has a player who was not dealt in.")
    boards = [event.cards for event in events if isinstance(event, BoardDealt)]
    if [len(cards) for cards in boards] != [3, 1, 1][: len(boards)]:
        raise HistoryError(f"{hand} has a board that is none.")
    shown = [event for event in events if isinstance(event, HoleCardsShown)]
    others = [event.hole_cards for event in shown if event.seat != observation.seat]
    cards = [card for group in (observation.hole_cards, *boards, *others) for card in group]
    if len(set(cards)) != len(cards) or not set(cards) <= set(range(CARD_COUNT)):
        raise HistoryError(f"{hand} has a card twice, or one that there is not.")


@dataclass(slots=True)
class _Place:
    """One seat on the way through the events; `stack` is without what it won."""

    seat: Seat
    name: str
    stack: Chips
    bet: Chips = 0
    committed: Chips = 0
    won: Chips = 0
    is_folded: bool = False
    shown: HoleCards | None = None

    def put_in(self, amount: Chips, *, is_bet: bool) -> None:
        self.stack -= amount
        self.committed += amount
        if is_bet:
            self.bet += amount

    def view(self) -> SeatView:
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


class Moment:
    """A hand event by event: after each, what any seat could know, without going through the hand again.

    Parameters
    ----------
    started : HandStarted
        The hand's first event; the others follow by `add`.

    Attributes
    ----------
    started : HandStarted
    events : list of PublicEvent
        Those so far.
    street : Street
    board : tuple of Card
    """

    def __init__(self, started: HandStarted) -> None:
        self.started = started
        self.events: list[PublicEvent] = [started]
        self._places = {start.seat: _Place(start.seat, start.name, start.stack) for start in started.seats}
        self.street = Street.PREFLOP
        self.board: tuple[Card, ...] = ()
        self._awarded: dict[int, Chips] = {}

    def add(self, event: PublicEvent) -> None:
        """Go on by one event."""
        self.events.append(event)
        match event:
            case Posted():
                self._places[event.seat].put_in(event.amount, is_bet=event.kind != PostKind.ANTE)
            case ActionTaken():
                place = self._places[event.seat]
                place.put_in(event.amount, is_bet=True)
                place.is_folded = event.action.kind == ActionKind.FOLD
            case BoardDealt():
                self.street = event.street
                self.board += event.cards
                self._clear_bets()
            case UncalledBetReturned():
                place = self._places[event.seat]
                place.stack += event.amount
                place.committed -= event.amount
                place.bet = max(place.bet - event.amount, 0)
            case HoleCardsShown():
                self._places[event.seat].shown = event.hole_cards
            case PotAwarded():
                self._clear_bets()
                self._places[event.seat].won += event.amount
                self._awarded[event.pot] = self._awarded.get(event.pot, 0) + event.amount
            case _:
                pass  # a mucked hand and the end change nothing that is seen here

    def _clear_bets(self) -> None:
        for place in self._places.values():
            place.bet = 0

    def observe(self, seat: Seat, hole_cards: HoleCards) -> Observation:
        """Give what a seat with these hole cards could know now; `to_act` and `legal` are None.

        Raises
        ------
        HistoryError
            If the seat was not dealt in.
        """
        started = self.started
        if seat not in self._places:
            raise HistoryError(f"Seat {seat} was not dealt into hand {started.hand_number}.")
        return Observation(
            seat=seat,
            hole_cards=hole_cards,
            hand_number=started.hand_number,
            kind=started.kind,
            button=started.button,
            small_blind=started.small_blind,
            big_blind=started.big_blind,
            ante=started.ante,
            street=self.street,
            board=self.board,
            seats=tuple(place.view() for place in self._places.values()),
            pots=self._pots(),
            to_act=None,
            legal=None,
            events=tuple(self.events),
        )

    def live_seats(self) -> tuple[Seat, ...]:
        """Give the seats that have not folded, in rising order."""
        return tuple(seat for seat, place in self._places.items() if not place.is_folded)

    def _pots(self) -> tuple[Pot, ...]:
        """Divide what is in the middle by the rules, less what has been awarded."""
        places = list(self._places.values())
        pots = pots_of(
            [place.stack for place in places],
            [place.committed for place in places],
            [place.is_folded for place in places],
        )
        left = [
            Pot(amount - self._awarded.get(number, 0), tuple(places[winner].seat for winner in winners))
            for number, (amount, winners) in enumerate(pots)
        ]
        return tuple(pot for pot in left if pot.amount > 0)
