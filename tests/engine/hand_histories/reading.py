"""What tests ask of hands that were read."""

import re
from collections.abc import Callable
from typing import Protocol

from engine.cards import Card
from engine.game.events import BoardDealt, HandStarted, Posted, PostKind, end_of, start_of
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.told import ToldHand, split_at


class Parser(Protocol):
    """A module that reads one kind of text."""

    HEADER: re.Pattern[str]
    told_hand: Callable[[str], ToldHand]


def read(parser: Parser, text: str) -> ImportedHand:
    """Return the one hand of a text."""
    (hand,) = split_at(parser.HEADER, text)
    return imported(parser.told_hand(hand))


def started(hand: ImportedHand) -> HandStarted:
    first = start_of(hand.record.events)
    return first


def stacks_after(hand: ImportedHand) -> dict[str, int]:
    """Return what each player has at the end."""
    last = end_of(hand.record.events)
    return dict(zip(hand.record.players, last.stacks, strict=True))


def board_of(hand: ImportedHand) -> tuple[Card, ...]:
    return tuple(card for event in hand.record.events if isinstance(event, BoardDealt) for card in event.cards)


def posts_of(hand: ImportedHand, name: str) -> list[tuple[PostKind, int]]:
    """Return what a player posted."""
    seat = hand.record.players.index(name)
    return [(one.kind, one.amount) for one in hand.record.events if isinstance(one, Posted) and one.seat == seat]
