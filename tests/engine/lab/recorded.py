"""Recorded hands played at our own table, for tests of what reads them."""

import random

from engine.cards import CARD_COUNT, Card
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, SeatStart, raise_to
from engine.game.phh import RecordedHand
from engine.game.rules import TableRules
from engine.game.table import Table


def random_hand(seed: int, seats: int = 6) -> RecordedHand:
    """Play a hand of cards and actions by chance, more passive than not, so that many see a flop."""
    chance = random.Random(seed)
    deck = [Card(card) for card in range(CARD_COUNT)]
    chance.shuffle(deck)
    names = tuple(f"name {(seat + seed) % seats}" for seat in range(seats))
    table = Table(
        hand_number=seed,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, name, 5000) for seat, name in enumerate(names)],
        button=seats - 1,
        rules=TableRules(50, 100),
        deck=deck,
    )
    while (legal := table.legal_actions()) is not None:
        passive = CHECK if legal.can_check else CALL
        choices: list[Action] = [passive, passive, passive, CHECK if legal.can_check else FOLD]
        if legal.can_raise:
            sizes = (legal.min_raise_to, min(2 * legal.min_raise_to, legal.max_raise_to))
            choices.append(raise_to(chance.choice(sizes)))
        table.apply(chance.choice(choices))
    cards = tuple(table.private_event(seat).hole_cards for seat in range(seats))
    return RecordedHand("", names, cards, table.events)
