"""Hands of our own table in the form of those that were played elsewhere, to be written for other programs."""

from datetime import datetime
from typing import Final

from msgspec import structs

from engine.cards import HoleCards
from engine.game.events import (
    ActionTaken,
    BoardDealt,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
    start_of,
    with_start,
)
from engine.game.observation import Observation
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.told import Act, Collect, Deal, Muck, Post, Return, Show, Step, ToldHand, ToldSeat

SITE: Final = "Soulread"


def own_hand(final: Observation, number: str, played: datetime, table: str = "") -> ImportedHand:
    """Return a finished hand as its player saw it, with the hole cards that they know, as an `ImportedHand`.

    Seats are numbered from 0, and amounts stay chips. `RefusedError` if it is not over.
    """
    started = start_of(final.events)
    names = _names(started)
    known: dict[Seat, HoleCards] = {view.seat: view.shown for view in final.seats if view.shown}
    known[final.seat] = final.hole_cards
    told = ToldHand(
        site=SITE,
        number=number,
        played=played.replace(microsecond=0, tzinfo=None),
        kind=started.kind,
        table=table,
        scale=1,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
        seats=tuple(ToldSeat(start.seat + 1, names[start.seat], start.stack) for start in started.seats),
        button=started.button + 1,
        hero=names[final.seat],
        hole_cards={names[seat]: cards for seat, cards in known.items()},
        steps=tuple(step for event in final.events if (step := _step(event, names)) is not None),
        rake=0,
    )
    hand = imported(told)
    events = with_start(hand.record.events, hand_number=started.hand_number)
    return structs.replace(hand, record=structs.replace(hand.record, events=events))


def _names(started: HandStarted) -> dict[Seat, str]:
    """Return a name for each seat, no two of them equal."""
    names: dict[Seat, str] = {}
    for start in started.seats:
        is_taken = start.name in names.values() or not start.name
        names[start.seat] = f"{start.name} {start.seat + 1}".strip() if is_taken else start.name
    return names


def _step(event: PublicEvent, names: dict[Seat, str]) -> Step | None:
    match event:
        case Posted():
            return Post(names[event.seat], event.kind, event.amount)
        case ActionTaken():
            return Act(names[event.seat], event.action.kind, total=event.action.raise_to)
        case BoardDealt():
            return Deal(event.cards)
        case HoleCardsShown():
            return Show(names[event.seat], event.hole_cards)
        case HoleCardsMucked():
            return Muck(names[event.seat])
        case UncalledBetReturned():
            return Return(names[event.seat], event.amount)
        case PotAwarded():
            return Collect(names[event.seat], event.amount)
        case _:
            return None
