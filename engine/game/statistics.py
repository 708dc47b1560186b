"""What every player counts about every other: how often who did what, from the public events of finished hands.

The definitions are those of the usual trackers (PokerTracker, Hold'em Manager), stated at each field. Each is a
count with the number of chances, so that 1 of 2 and 50 of 100 can be distinguished.
"""

from collections.abc import Mapping, Sequence
from operator import add

from msgspec import Struct
from msgspec.structs import astuple

from engine.cards import Street
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    PublicEvent,
    Seat,
)
from engine.game.history import HandState, moments


class Ratio(Struct, frozen=True):
    """How often something was done, out of how many chances."""

    done: int = 0
    chances: int = 0

    @property
    def value(self) -> float | None:
        """The share, or None without a chance; of `aggression` it may exceed 1."""
        return self.done / self.chances if self.chances else None

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.done + other.done, self.chances + other.chances)


class PlayerStatistics(Struct, frozen=True):
    """The counts of one player; those of several hands are added with `+`.

    Attributes
    ----------
    hands : int
        Hands dealt in.
    vpip : Ratio
        Voluntarily put money in the pot: called or raised before the flop. Posting is not voluntary, and a big
        blind that checks put nothing in. A hand is a chance if the player was asked before the flop, so a walk,
        or being all-in with a blind, is none.
    pfr : Ratio
        Raised before the flop, in whatever round; chances as for `vpip`.
    three_bet : Ratio
        Raised when first asked after exactly one raise by somebody else. No chance without chips to raise with or
        somebody with chips left to raise.
    fold_to_three_bet : Ratio
        Folded, having made the first raise, when next asked after exactly one more.
    c_bet : Ratio
        Continuation bet: bet the flop, having made the last raise before it, when asked before anybody has bet.
    fold_to_c_bet : Ratio
        Folded the flop when asked after a continuation bet that nobody has raised.
    aggression : Ratio
        Bets and raises after the flop, to calls after it; its `value` is the aggression factor.
    went_to_showdown : Ratio
        Was in at the showdown, of the flops seen (all-in before the flop counts as seeing it).
    won_at_showdown : Ratio
        Won any chips at the showdown, of the showdowns gone to.
    net : int
        Chips won less chips lost.
    net_bb : float
        The same in big blinds of the hand they were won or lost in.
    """

    hands: int = 0
    vpip: Ratio = Ratio()
    pfr: Ratio = Ratio()
    three_bet: Ratio = Ratio()
    fold_to_three_bet: Ratio = Ratio()
    c_bet: Ratio = Ratio()
    fold_to_c_bet: Ratio = Ratio()
    aggression: Ratio = Ratio()
    went_to_showdown: Ratio = Ratio()
    won_at_showdown: Ratio = Ratio()
    net: Chips = 0
    net_bb: float = 0.0

    @property
    def bb_per_100(self) -> float | None:
        """Big blinds won per 100 hands, or None before the first."""
        return 100 * self.net_bb / self.hands if self.hands else None

    def __add__(self, other: "PlayerStatistics") -> "PlayerStatistics":
        return PlayerStatistics(*map(add, astuple(self), astuple(other)))


def count_hand(events: Sequence[PublicEvent]) -> dict[Seat, PlayerStatistics]:
    """Return what one hand adds to the counts of each seat dealt in.

    `ValueError` if the events are no whole hand, from `HandStarted` to `HandEnded`.
    """
    if not events or not isinstance(events[0], HandStarted) or not isinstance(events[-1], HandEnded):
        raise ValueError("Statistics are counted from whole hands, from HandStarted to HandEnded.")
    counter = _HandCounter(events[0])
    for event, hand in moments(events):
        counter.count(event, hand)
    return counter.result(hand, events[-1])


class Statistics:
    """The counts of a session by seat, going on from earlier ones."""

    def __init__(self, by_seat: Mapping[Seat, PlayerStatistics] | None = None) -> None:
        self._seats = dict(by_seat or {})

    def add(self, events: Sequence[PublicEvent]) -> None:
        """Count one finished hand; see `count_hand`."""
        for seat, counts in count_hand(events).items():
            self._seats[seat] = self._seats.get(seat, PlayerStatistics()) + counts

    def by_seat(self) -> dict[Seat, PlayerStatistics]:
        """Return the counts so far of every seat that was ever dealt in."""
        return dict(self._seats)


class _HandCounter:
    """Notes each seat's chances and deeds in one hand by the name of the statistic."""

    def __init__(self, started: HandStarted) -> None:
        self._done: dict[Seat, dict[str, int]] = {start.seat: {} for start in started.seats}
        self._chances: dict[Seat, dict[str, int]] = {start.seat: {} for start in started.seats}
        self._saw_flop: set[Seat] = set()

    def count(self, event: PublicEvent, hand: HandState) -> None:
        match event:
            case ActionTaken():
                self._count_action(event, hand)
            case BoardDealt(street=Street.FLOP):
                self._saw_flop = set(hand.live_seats())

    def _count_action(self, event: ActionTaken, hand: HandState) -> None:
        seat, kind = event.seat, event.action.kind
        if event.street is Street.PREFLOP:
            self._count_preflop(event, hand)
            return
        if event.street is Street.FLOP:
            self._count_flop(event, hand)
        if kind is ActionKind.RAISE:
            self._done[seat]["aggression"] = self._done[seat].get("aggression", 0) + 1
        elif kind is ActionKind.CALL:
            self._chances[seat]["aggression"] = self._chances[seat].get("aggression", 0) + 1

    def _count_preflop(self, event: ActionTaken, hand: HandState) -> None:
        seat, kind = event.seat, event.action.kind
        self._note(seat, "vpip", kind in (ActionKind.CALL, ActionKind.RAISE))
        self._note(seat, "pfr", kind is ActionKind.RAISE)
        match hand.raisers[Street.PREFLOP]:
            case [first] if first != seat and _can_be_raised(event, hand):
                self._note(seat, "three_bet", kind is ActionKind.RAISE)
            case [first, second] if first == seat != second:
                self._note(seat, "fold_to_three_bet", kind is ActionKind.FOLD)

    def _count_flop(self, event: ActionTaken, hand: HandState) -> None:
        seat, kind = event.seat, event.action.kind
        aggressor = hand.raisers[Street.PREFLOP][-1:]
        raisers = hand.raisers[Street.FLOP]
        if not raisers and [seat] == aggressor:
            self._note(seat, "c_bet", kind is ActionKind.RAISE)
        elif raisers and raisers == aggressor != [seat]:
            self._note(seat, "fold_to_c_bet", kind is ActionKind.FOLD)

    def _note(self, seat: Seat, name: str, is_done: bool) -> None:
        """Note the hand's one chance of something, and whether it was taken then or at a later turn."""
        self._chances[seat][name] = 1
        if is_done:
            self._done[seat][name] = 1

    def _ratio(self, seat: Seat, name: str) -> Ratio:
        return Ratio(self._done[seat].get(name, 0), self._chances[seat].get(name, 0))

    def result(self, hand: HandState, ended: HandEnded) -> dict[Seat, PlayerStatistics]:
        results = {}
        # Who showed says nothing: elsewhere cards of who folded or won unseen may be shown, and losers left out.
        live = hand.live_seats()
        at_showdown = live if len(live) > 1 else ()
        for start, stack in zip(hand.started.seats, ended.stacks, strict=True):
            seat, net = start.seat, stack - start.stack
            is_at_showdown, has_won = seat in at_showdown, hand.seats[seat].won > 0
            results[seat] = PlayerStatistics(
                hands=1,
                vpip=self._ratio(seat, "vpip"),
                pfr=self._ratio(seat, "pfr"),
                three_bet=self._ratio(seat, "three_bet"),
                fold_to_three_bet=self._ratio(seat, "fold_to_three_bet"),
                c_bet=self._ratio(seat, "c_bet"),
                fold_to_c_bet=self._ratio(seat, "fold_to_c_bet"),
                aggression=self._ratio(seat, "aggression"),
                went_to_showdown=Ratio(int(is_at_showdown), int(seat in self._saw_flop)),
                won_at_showdown=Ratio(int(is_at_showdown and has_won), int(is_at_showdown)),
                net=net,
                net_bb=net / hand.started.big_blind,
            )
        return results


def _can_be_raised(event: ActionTaken, hand: HandState) -> bool:
    """Whether the actor has chips for a raise and somebody else has chips to answer it."""
    level = max(state.bet for state in hand.seats.values())
    return event.stack > event.to_call and any(
        state.stack + state.bet > level and not state.is_folded and state.seat != event.seat
        for state in hand.seats.values()
    )
