"""Hands written down action by action, with folds, all-ins and side pots, for the tests of what the table shows.

A `Scribe` only keeps the books of a hand that its caller makes up; it knows no rule, so that what is expected of a
view model never comes from the engine that feeds it.
"""

from collections.abc import Sequence

from engine.cards import Card, HoleCards, Street, parse_cards
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    SeatStart,
    UncalledBetReturned,
    raise_to,
)
from engine.game.observation import LegalActions, Observation, Pot, SeatView
from trainer.session.types import Stage, TableView

NAMES = ("You", "Ada", "Boris", "Chloé", "Dmitri", "Elena", "Farid", "Greta", "Hiro", "Inés")
STYLES = (
    "human",
    "fold",
    "calling station",
    "tight-passive",
    "loose-aggressive",
    "fold",
    "random",
    "tight-passive",
    "fold",
    "calling station",
)


def two(text: str) -> HoleCards:
    first, second = parse_cards(text)
    return first, second


class Scribe:
    """Writes one hand; every method adds an event and keeps stacks, bets and board up to date."""

    def __init__(
        self,
        seats: int | Sequence[int] = 3,
        *,
        stacks: Sequence[int] | None = None,
        hole_cards: str = "KsKd",
        human: int = 0,
        button: int = 0,
        small_blind: int = 10,
        big_blind: int = 20,
        ante: int = 0,
        kind: GameKind = GameKind.CASH,
        hand_number: int = 12,
    ) -> None:
        self.seats = list(range(seats)) if isinstance(seats, int) else list(seats)
        starts = list(stacks) if stacks is not None else [2000] * len(self.seats)
        self.human = human
        self.hole_cards = two(hole_cards)
        self.stack = dict(zip(self.seats, starts, strict=True))
        self.bet = dict.fromkeys(self.seats, 0)
        self.committed = dict.fromkeys(self.seats, 0)
        self.folded: set[int] = set()
        self.shown: dict[int, HoleCards] = {}
        self.board: tuple[Card, ...] = ()
        self.street = Street.PREFLOP
        self.is_awarded = False
        self.start = HandStarted(
            hand_number,
            kind,
            tuple(SeatStart(seat, NAMES[seat], self.stack[seat]) for seat in self.seats),
            button,
            small_blind,
            big_blind,
            ante,
        )
        self.events: list[PublicEvent] = [self.start]

    def post(self, seat: int, kind: PostKind, amount: int) -> "Scribe":
        self.events.append(Posted(seat, kind, amount, amount == self.stack[seat]))
        self._put(seat, amount)
        if kind is PostKind.ANTE:
            self.bet[seat] = 0
        return self

    def blinds(self) -> "Scribe":
        """Post both blinds, left of the button, or on it heads-up."""
        at = self.seats.index(self.start.button)
        first = at if len(self.seats) == 2 else at + 1
        small, big = (self.seats[(first + step) % len(self.seats)] for step in (0, 1))
        self.post(small, PostKind.SMALL_BLIND, self.start.small_blind)
        return self.post(big, PostKind.BIG_BLIND, self.start.big_blind)

    def fold(self, *seats: int) -> "Scribe":
        for seat in seats:
            self._act(seat, FOLD, 0)
            self.folded.add(seat)
        return self

    def check(self, *seats: int) -> "Scribe":
        for seat in seats:
            self._act(seat, CHECK, 0)
        return self

    def call(self, *seats: int) -> "Scribe":
        for seat in seats:
            self._act(seat, CALL, self._to_call(seat))
        return self

    def raise_to(self, seat: int, total: int) -> "Scribe":
        return self._act(seat, raise_to(total), total - self.bet[seat])

    def deal(self, text: str) -> "Scribe":
        cards = parse_cards(text)
        self.street = Street(self.street + 1)
        self.board += cards
        self.bet = dict.fromkeys(self.seats, 0)
        self.events.append(BoardDealt(self.street, cards))
        return self

    def give_back(self, seat: int, amount: int) -> "Scribe":
        self._put(seat, -amount)
        self.events.append(UncalledBetReturned(seat, amount))
        return self

    def show(self, seat: int, text: str) -> "Scribe":
        self.shown[seat] = two(text)
        self.events.append(HoleCardsShown(seat, self.shown[seat]))
        return self

    def muck(self, seat: int) -> "Scribe":
        self.events.append(HoleCardsMucked(seat))
        return self

    def award(self, seat: int, pot: int, amount: int) -> "Scribe":
        self.is_awarded = True
        self.bet = dict.fromkeys(self.seats, 0)
        self.stack[seat] += amount
        self.events.append(PotAwarded(seat, pot, amount))
        return self

    def end(self) -> "Scribe":
        self.events.append(HandEnded(tuple(self.stack.values())))
        return self

    def pots(self) -> tuple[Pot, ...]:
        """Layer the chips by what the live seats put in, as side pots are."""
        if self.is_awarded:
            return ()
        pots: list[Pot] = []
        below = 0
        for level in sorted({self.committed[seat] for seat in self.seats if seat not in self.folded}):
            amount = sum(min(max(chips - below, 0), level - below) for chips in self.committed.values())
            members = tuple(s for s in self.seats if s not in self.folded and self.committed[s] >= level)
            is_capped = any(self.stack[seat] == 0 and self.committed[seat] == below for seat in self.seats)
            if pots and not is_capped:
                pots[-1] = Pot(pots[-1].amount + amount, pots[-1].seats)
            elif amount:
                pots.append(Pot(amount, members))
            below = level
        return tuple(pots)

    def observation(
        self, *, to_act: int | None = None, legal: LegalActions | None = None, human: int | None = None
    ) -> Observation:
        seat = self.human if human is None else human
        if legal is None and to_act == seat:
            to_call = self._to_call(seat)
            most = self.bet[seat] + self.stack[seat]
            least = min(max(self.bet.values()) + max(to_call, self.start.big_blind), most)
            can_raise = self.stack[seat] > to_call
            legal = LegalActions(to_call == 0, to_call, least if can_raise else 0, most if can_raise else 0)
        return Observation(
            seat=seat,
            hole_cards=self.hole_cards,
            hand_number=self.start.hand_number,
            kind=self.start.kind,
            button=self.start.button,
            small_blind=self.start.small_blind,
            big_blind=self.start.big_blind,
            ante=self.start.ante,
            street=self.street,
            board=self.board,
            seats=tuple(self._view(seat) for seat in self.seats),
            pots=self.pots(),
            to_act=to_act,
            legal=legal,
            events=tuple(self.events),
        )

    def view(
        self,
        stage: Stage,
        *,
        to_act: int | None = None,
        legal: LegalActions | None = None,
        is_out: tuple[int, ...] = (),
    ) -> TableView:
        observation = self.observation(to_act=to_act, legal=legal)
        styles = {seat: STYLES[seat] for seat in (*self.seats, *is_out)}
        return TableView(stage, observation, to_act, styles, is_out)

    def your_turn(self, legal: LegalActions | None = None) -> TableView:
        return self.view(Stage.YOUR_TURN, to_act=self.human, legal=legal)

    def thinking(self, seat: int) -> TableView:
        return self.view(Stage.THINKING, to_act=seat)

    def _view(self, seat: int) -> SeatView:
        is_all_in = self.stack[seat] == 0 and seat not in self.folded
        return SeatView(
            seat,
            NAMES[seat],
            self.stack[seat],
            self.bet[seat],
            self.committed[seat],
            seat in self.folded,
            is_all_in,
            self.shown.get(seat),
        )

    def _to_call(self, seat: int) -> int:
        return min(max(self.bet.values()) - self.bet[seat], self.stack[seat])

    def _act(self, seat: int, action: Action, amount: int) -> "Scribe":
        self.events.append(
            ActionTaken(
                seat,
                self.street,
                action,
                amount,
                amount > 0 and amount == self.stack[seat],
                self._to_call(seat),
                sum(self.committed.values()),
                self.stack[seat],
                self.bet[seat],
            )
        )
        self._put(seat, amount)
        return self

    def _put(self, seat: int, amount: int) -> None:
        self.stack[seat] -= amount
        self.bet[seat] += amount
        self.committed[seat] += amount
