"""Heads-up hands of other stack depths than those recorded, for training.

The recorded heads-up hands were played 200 big blinds deep. What they say of shorter stacks is derived:

- *The same hand with less behind* (`at_depth`): players are taken to choose as they did while the chips behind
  hardly matter: a raise that takes half of the raiser's chips or more is all-in, and the hand is followed no
  further than to that, to a call of a third of the chips, or to less than 1.5 pots behind after the flop.
- *Push or fold* (`pushed_hands`): the fewer big blinds there are, the more often the button goes all-in or folds,
  always with 8 and less, never with 25 and more. Who pushes and who calls is the logit equilibrium of that game
  (McKelvey and Palfrey 1995, "Quantal Response Equilibria for Normal Form Games") by exact equities: an action is
  likelier by a factor of e for each `_TEMPERATURE` big blinds that it is worth more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, CLASS_COUNT, COMBO_CLASS, COMBO_MASK, Street, combo_of
from engine.equity.matchups import heads_up_table
from engine.game.events import (
    CALL,
    FOLD,
    ActionKind,
    ActionTaken,
    GameKind,
    PublicEvent,
    SeatStart,
    raise_to,
    start_of,
)
from engine.game.phh import RecordedHand
from engine.game.rules import TableRules
from engine.game.table import Table

Numbers = NDArray[np.float64]

_ALL_IN_FROM, _CALLS_UP_TO, _POTS_BEHIND = 1 / 2, 1 / 3, 1.5
_PUSHES_ONLY, _PUSHES_NEVER = 8.0, 25.0
_SHALLOWEST = 2.0
_TEMPERATURE = 0.2
_DEPTHS = np.array([2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0])
_ROUNDS = 200


def share_pushed(depth: float) -> float:
    """Return in which share of hands the button is taken to push or fold with so many big blinds, 0-1."""
    return float(np.clip((_PUSHES_NEVER - depth) / (_PUSHES_NEVER - _PUSHES_ONLY), 0, 1))


def shallower(hand: RecordedHand, generator: np.random.Generator) -> RecordedHand | None:
    """Return a heads-up hand with stacks of a random depth, by logarithm; None where the button would push."""
    started = start_of(hand.events)
    deepest = min(seat.stack for seat in started.seats) / started.big_blind
    depth = float(np.exp(generator.uniform(np.log(_PUSHES_ONLY), np.log(deepest))))
    if generator.random() < share_pushed(depth):
        return None
    return at_depth(hand, round(depth * started.big_blind))


def at_depth(hand: RecordedHand, stack: int) -> RecordedHand:
    """Return a heads-up hand as it would have begun with both stacks of so many chips, not more than they were."""
    started = start_of(hand.events)
    less = {seat.seat: seat.stack - stack for seat in started.seats}
    seats = tuple(SeatStart(seat.seat, seat.name, stack) for seat in started.seats)
    found: list[PublicEvent] = [msgspec.structs.replace(started, seats=seats)]
    for event in hand.events[1:]:
        if not isinstance(event, ActionTaken):
            found.append(event)
            continue
        behind = event.stack - less[event.seat]
        is_call = event.action.kind is ActionKind.CALL
        if event.street > Street.PREFLOP and behind < _POTS_BEHIND * event.pot:
            break
        if event.to_call >= behind or (is_call and event.amount > _CALLS_UP_TO * behind):
            break
        if event.action.kind is ActionKind.RAISE and event.amount >= _ALL_IN_FROM * behind:
            all_in = raise_to(event.bet + behind)
            found.append(msgspec.structs.replace(event, action=all_in, amount=behind, is_all_in=True, stack=behind))
            break
        found.append(msgspec.structs.replace(event, stack=behind))
    return msgspec.structs.replace(hand, events=tuple(found))


@dataclass(frozen=True)
class PushOrFold:
    """Who goes all-in on the button, and who calls it in the big blind.

    Attributes
    ----------
    push, call : ndarray of float64, shape (169,)
        The probability of each hand class.
    """

    push: Numbers
    call: Numbers


def push_or_fold(depth: float) -> PushOrFold:
    """Return the logit equilibrium of pushing or folding with blinds of a half and one and so many big blinds."""
    deals, won = _matchups()
    all_in = depth * (2 * won - deals)
    push, call = np.full(CLASS_COUNT, 0.5), np.full(CLASS_COUNT, 0.5)
    for _ in range(_ROUNDS):
        push = (push + _logit((deals @ (1 - call) + all_in @ call) / deals.sum(axis=1) + 0.5)) / 2
        call = (call + _logit((all_in @ push) / (deals @ push) + 1)) / 2
    return PushOrFold(push, call)


@cache
def _matchups() -> tuple[Numbers, Numbers]:
    """Return how many deals of each two classes there are, and how many of them the first wins, ties half."""
    of_class = np.eye(CLASS_COUNT)[COMBO_CLASS]
    is_free = ((COMBO_MASK[:, None] & COMBO_MASK) == 0).astype(np.float64)
    return of_class.T @ is_free @ of_class, of_class.T @ heads_up_table().equities() @ of_class


def _logit(gains: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-gains / _TEMPERATURE)))


def pushed_hands(count: int, generator: np.random.Generator) -> Iterator[RecordedHand]:
    """Return so many hands of push or fold, of depths as likely as the button is to play so at them."""
    solved = [push_or_fold(depth) for depth in _DEPTHS]
    rules = TableRules(50, 100)
    while count:
        depth = float(np.exp(generator.uniform(np.log(_SHALLOWEST), np.log(_PUSHES_NEVER))))
        if generator.random() >= share_pushed(depth):
            continue
        count -= 1
        stack = round(100 * depth)
        play = solved[int(np.abs(np.log(_DEPTHS / depth)).argmin())]
        deck = generator.permutation(CARD_COUNT).tolist()
        seats = (SeatStart(0, "big blind", stack), SeatStart(1, "button", stack))
        table = Table(hand_number=1, kind=GameKind.CASH, seats=seats, button=1, rules=rules, deck=deck)
        cards = tuple(table.private_event(seat).hole_cards for seat in (0, 1))
        big_blind, button = (COMBO_CLASS[combo_of(*hole_cards)] for hole_cards in cards)
        if generator.random() >= play.push[button]:
            table.apply(FOLD)
        else:
            table.apply(raise_to(stack))
            table.apply(CALL if generator.random() < play.call[big_blind] else FOLD)
        yield RecordedHand("push or fold", ("big blind", "button"), cards, table.events)
