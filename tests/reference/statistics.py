"""A player's counts in one hand, slow and obvious: lists of what was done, without a hand's state.

Written from the definitions of the trackers, as `PlayerStatistics` states them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import Street
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Posted,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
    end_of,
    start_of,
)

FOLD, CALL, RAISE = ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE


class Counts(NamedTuple):
    """Pairs of done and chances; of aggression bets and raises, and calls."""

    vpip: tuple[int, int]
    pfr: tuple[int, int]
    three_bet: tuple[int, int]
    fold_to_three_bet: tuple[int, int]
    c_bet: tuple[int, int]
    fold_to_c_bet: tuple[int, int]
    went_to_showdown: tuple[int, int]
    won_at_showdown: tuple[int, int]
    aggression: tuple[int, int]
    net: int


def counts_of(events: Sequence[PublicEvent], seat: Seat) -> Counts:
    """Return what one seat did in a hand."""
    started, ended = start_of(events), end_of(events)
    actions = [event for event in events if isinstance(event, ActionTaken)]
    preflop, flop = ([one for one in actions if one.street is street] for street in (Street.PREFLOP, Street.FLOP))
    own = [one for one in preflop if one.seat == seat]
    kinds = [one.action.kind for one in own]
    three_bets, folds = [], []
    for at, one in enumerate(preflop):
        raisers = [before.seat for before in preflop[:at] if before.action.kind is RAISE]
        if one.seat == seat and len(raisers) == 1 and raisers[0] != seat and _could_raise(events, one):
            three_bets.append(one.action.kind is RAISE)
        if one.seat == seat and len(raisers) == 2 and raisers[0] == seat and raisers[1] != seat:
            folds.append(one.action.kind is FOLD)
    last_raisers = [one.seat for one in preflop if one.action.kind is RAISE][-1:]
    c_bets, c_folds = [], []
    for at, one in enumerate(flop):
        raisers = [before.seat for before in flop[:at] if before.action.kind is RAISE]
        if one.seat == seat and last_raisers == [seat] and not raisers:
            c_bets.append(one.action.kind is RAISE)
        if one.seat == seat and len(raisers) == 1 and raisers == last_raisers and raisers != [seat]:
            c_folds.append(one.action.kind is FOLD)
    folded_on = [one.street for one in actions if one.seat == seat and one.action.kind is FOLD]
    has_flop = any(isinstance(event, BoardDealt) for event in events)
    saw_flop = has_flop and Street.PREFLOP not in folded_on
    others = {start.seat for start in started.seats} - {seat}
    gone = {one.seat for one in actions if one.action.kind is FOLD}
    is_showdown = not folded_on and bool(others - gone)
    has_won = any(isinstance(event, PotAwarded) and event.seat == seat and event.amount for event in events)
    later = [one.action.kind for one in actions if one.seat == seat and one.street is not Street.PREFLOP]
    place = [start.seat for start in started.seats].index(seat)
    return Counts(
        vpip=(int(CALL in kinds or RAISE in kinds), int(bool(kinds))),
        pfr=(int(RAISE in kinds), int(bool(kinds))),
        three_bet=_ever(three_bets),
        fold_to_three_bet=_ever(folds),
        c_bet=_ever(c_bets),
        fold_to_c_bet=_ever(c_folds),
        went_to_showdown=(int(is_showdown), int(saw_flop)),
        won_at_showdown=(int(is_showdown and has_won), int(is_showdown)),
        aggression=(later.count(RAISE), later.count(CALL)),
        net=ended.stacks[place] - started.seats[place].stack,
    )


def _ever(taken: list[bool]) -> tuple[int, int]:
    return int(any(taken)), int(bool(taken))


def _could_raise(events: Sequence[PublicEvent], asked: ActionTaken) -> bool:
    """Whether the seat had more than a call, and anybody else who was still in had chips to answer a raise."""
    started = start_of(events)
    before = events[: next(at for at, event in enumerate(events) if event is asked)]
    bets = {start.seat: 0 for start in started.seats}
    stacks = {start.seat: start.stack for start in started.seats}
    folded = set()
    for event in before:
        if isinstance(event, Posted):
            stacks[event.seat] -= event.amount
            bets[event.seat] += 0 if event.kind.is_ante else event.amount
        elif isinstance(event, ActionTaken):
            stacks[event.seat] -= event.amount
            bets[event.seat] += event.amount
            folded |= {event.seat} if event.action.kind is FOLD else set()
        elif isinstance(event, UncalledBetReturned):
            stacks[event.seat] += event.amount
            bets[event.seat] -= event.amount
    level = max(bets.values())
    answers = [seat for seat in bets if seat not in folded | {asked.seat} and bets[seat] + stacks[seat] > level]
    return asked.stack > asked.to_call and bool(answers)
