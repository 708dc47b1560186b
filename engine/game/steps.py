"""A hand step by step: what each event did, and pot, stacks and board after it."""

from collections.abc import Sequence

from msgspec import Struct

from engine.cards import STREET_NAMES, Street, format_card
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
)
from engine.game.history import HandState


class Step(Struct, frozen=True):
    """One event of a hand; chips are those after it.

    Attributes
    ----------
    street : str
        The street's name.
    seat : int or None
        Who did it; None where board cards are dealt.
    name : str
        The player's name, or "".
    action : str
        What was posted (`ante`, `small blind`, ...), `fold`, `check`, `call`, `bet`, `raise`, `deal`,
        `uncalled bet`, `show`, `muck` or `win`.
    amount : int
        Chips that moved by it.
    pot : int
        All chips in the middle.
    stacks : tuple of int
        Chips behind, of the seats dealt in, in their order.
    board : str
        The board's cards.
    cards : str
        The hole cards shown, or "".
    """

    street: str
    seat: Seat | None
    name: str
    action: str
    amount: Chips
    pot: Chips
    stacks: tuple[Chips, ...]
    board: str
    cards: str = ""


def steps_of(events: Sequence[PublicEvent]) -> tuple[Step, ...]:
    """Return what happened in a hand, in order; `HistoryError` if the events do not begin with its start."""
    hand = HandState(events[0])
    steps = []
    for event in events[1:]:
        is_first_bet = hand.street is not Street.PREFLOP and not hand.raises
        hand.add(event)
        if not isinstance(event, HandStarted | HandEnded):
            steps.append(_step(event, hand, is_first_bet=is_first_bet))
    return tuple(steps)


_Happening = Posted | ActionTaken | BoardDealt | UncalledBetReturned | HoleCardsShown | HoleCardsMucked | PotAwarded


def _step(event: _Happening, hand: HandState, *, is_first_bet: bool) -> Step:
    action, amount, cards = "", 0, ""
    match event:
        case Posted():
            action, amount = event.kind.value, event.amount
        case ActionTaken():
            is_bet = is_first_bet and event.action.kind is ActionKind.RAISE
            action, amount = "bet" if is_bet else event.action.kind.value, event.amount
        case BoardDealt():
            action = "deal"
        case UncalledBetReturned():
            action, amount = "uncalled bet", event.amount
        case HoleCardsShown():
            action, cards = "show", "".join(map(format_card, event.hole_cards))
        case HoleCardsMucked():
            action = "muck"
        case PotAwarded():
            action, amount = "win", event.amount
    seat = None if isinstance(event, BoardDealt) else event.seat
    states = hand.seats.values()
    return Step(
        street=STREET_NAMES[hand.street],
        seat=seat,
        name=hand.seats[seat].name if seat is not None else "",
        action=action,
        amount=amount,
        pot=hand.pot - sum(state.won for state in states),
        stacks=tuple(state.stack + state.won for state in states),
        board="".join(map(format_card, hand.board)),
        cards=cards,
    )
