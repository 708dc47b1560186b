"""A hand that somebody tells, recorded or at another's table: its betting by our rules, and its public events.

`engine.game.table` deals a hand; here the cards, the posts and the actions come from outside, one by one, and each
becomes the event that our own table would have announced.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.cards import BOARD_SIZE, Card, Street
from engine.game.events import (
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandStarted,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    UncalledBetReturned,
)
from engine.game.observation import Pot
from engine.game.rules import Phase

STREETS: Final = tuple(Street)
KINDS: Final = (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL, ActionKind.RAISE)
"""In the order of their numbers in `engine.kernels.betting`."""


class ToldHand:
    """The betting of one hand, told from outside. Players are places, which index `HandStarted.seats`, clockwise.

    After the posts, one by one, comes `ask_first`; then `take`, and `deal` when a street is over.

    Parameters
    ----------
    started : HandStarted
        Its seats must be 2 to 10 with chips, the button among them, and the big blind at least 1 chip.
    has_small_blind : bool
        False for a dead small blind.
    max_raises : int
        Bets and raises allowed per street, 0 for any number.

    Attributes
    ----------
    started : HandStarted
    state : ndarray of int64, shape (STATE_SIZE,)
        The array of `engine.kernels.betting`.
    events : list of PublicEvent
        The hand so far, from `started` on.
    board : tuple of Card
    dead : int
        Chips in the middle that nobody here put in; 0 unless another's table says so.
    """

    def __init__(self, started: HandStarted, *, has_small_blind: bool = True, max_raises: int = 0) -> None:
        from engine.kernels import betting as kernels  # numba: off the start path

        self.kernels = kernels
        self.started = started
        self.events: list[PublicEvent] = [started]
        self.board: tuple[Card, ...] = ()
        self.dead: Chips = 0
        count = len(started.seats)
        self.state = np.zeros(kernels.STATE_SIZE, np.int64)
        self._legal = np.zeros(kernels.LEGAL_SIZE, np.int64)
        stacks = np.array([start.stack for start in started.seats], np.int64)
        button = [start.seat for start in started.seats].index(started.button)
        # What is owed is posted one by one: it may differ from what the rules would take.
        kernels.start(self.state, stacks, np.zeros(count, np.int64), button, has_small_blind, 0, 0, max_raises)
        self.state[kernels.BIG_BLIND] = self.state[kernels.FULL_RAISE] = started.big_blind

    @property
    def phase(self) -> Phase:
        """What comes next."""
        return Phase(int(self.state[self.kernels.PHASE]))

    @property
    def street(self) -> Street:
        """The street being played."""
        return Street(int(self.state[self.kernels.STREET]))

    @property
    def to_act(self) -> int | None:
        """The place to act, or None."""
        kernels = self.kernels
        return int(self.state[kernels.TO_ACT]) if self.state[kernels.PHASE] == kernels.BETTING else None

    def per_place(self, what: int) -> list[int]:
        """Give one number per place: `STACK`, `BET`, `COMMITTED` or `IS_FOLDED` of the kernels."""
        numbers: list[int] = self.state[what : what + len(self.started.seats)].tolist()
        return numbers

    def legal(self) -> tuple[int, ...]:
        """Give what the place to act may do, in the kernels' order."""
        self.kernels.legal(self.state, self._legal)
        return tuple(self._legal.tolist())

    def post(self, place: int, kind: PostKind, amount: Chips) -> None:
        """Post an ante or a live blind of at most the stack; nothing is announced of no chips."""
        kernels, state = self.kernels, self.state
        if not amount:
            return
        state[kernels.STACK + place] -= amount
        state[kernels.COMMITTED + place] += amount
        if kind is not PostKind.ANTE:
            state[kernels.BET + place] += amount
        self.events.append(
            Posted(self.started.seats[place].seat, kind, amount, bool(state[kernels.STACK + place] == 0))
        )

    def ask_first(self) -> None:
        """Find who acts first, when all is posted."""
        self.kernels.post(self.state, int(self.state[self.kernels.BIG_BLIND_SEAT]), 0)
        self._return_uncalled()

    def take(self, kind: ActionKind, total: Chips = 0) -> int:
        """Take the action of the place to act; `total` is the street total of a bet or raise.

        Returns
        -------
        int
            A status code of the kernels; unless it is `OK` nothing has changed.
        """
        kernels = self.kernels
        before: list[int] = self.state.tolist()
        place = before[kernels.TO_ACT]
        if place < 0 or before[kernels.PHASE] != kernels.BETTING:
            return int(kernels.NOBODY_TO_ACT)
        *_, to_call = self.legal()
        call_amount = int(self._legal[kernels.CALL_AMOUNT])
        status = kernels.apply(self.state, self._legal, KINDS.index(kind), total)
        if status != kernels.OK:
            return int(status)
        stack, bet = before[kernels.STACK + place], before[kernels.BET + place]
        amount = {ActionKind.RAISE: total - bet, ActionKind.CALL: call_amount}.get(kind, 0)
        self.events.append(
            ActionTaken(
                seat=self.started.seats[place].seat,
                street=STREETS[before[kernels.STREET]],
                action=Action(kind, total if kind is ActionKind.RAISE else 0),
                amount=amount,
                is_all_in=amount == stack,
                to_call=to_call,
                pot=sum(before[kernels.COMMITTED : kernels.COMMITTED + len(self.started.seats)]) + self.dead,
                stack=stack,
                bet=bet,
            )
        )
        self._return_uncalled()
        return int(status)

    def deal(self, cards: Sequence[Card]) -> None:
        """Begin the next street with as many cards as belong to it."""
        self.kernels.next_street(self.state)
        assert len(self.board) + len(cards) == BOARD_SIZE[self.street]
        self.board += tuple(cards)
        self.events.append(BoardDealt(self.street, tuple(cards)))

    def pots(self) -> tuple[Pot, ...]:
        """Divide the chips in the middle into main pot and side pots; dead chips are the main pot's."""
        kernels, seats = self.kernels, self.started.seats
        amounts, winners = np.zeros(kernels.MAX_SEATS, np.int64), np.zeros(kernels.MAX_SEATS, np.int64)
        count = kernels.pots(self.state, amounts, winners)
        if count:
            amounts[0] += self.dead
        return tuple(
            Pot(int(amounts[pot]), tuple(start.seat for at, start in enumerate(seats) if winners[pot] >> at & 1))
            for pot in range(count)
        )

    def award(self, strengths: Sequence[int]) -> tuple[PotAwarded, ...]:
        """Divide the pots by the strengths of the places' hands; those of folded places do not count.

        Returns
        -------
        tuple of PotAwarded
            The last side pot first, within a pot clockwise from the button; they are not announced yet.
        """
        kernels, count = self.kernels, len(self.started.seats)
        amounts, seats = np.zeros(kernels.MAX_SEATS, np.int64), np.zeros(kernels.MAX_SEATS, np.int64)
        shares = np.zeros((kernels.MAX_SEATS, kernels.MAX_SEATS), np.int64)
        pots = kernels.award(self.state, np.array(strengths, np.int64), amounts, seats, shares)
        won: list[list[int]] = shares.tolist()
        button = int(self.state[kernels.BUTTON])
        return tuple(
            PotAwarded(self.started.seats[place].seat, pot, won[pot][place])
            for pot in reversed(range(pots))
            for place in ((button + 1 + step) % count for step in range(count))
            if won[pot][place]
        )

    def _return_uncalled(self) -> None:
        kernels, state = self.kernels, self.state
        if state[kernels.PHASE] != kernels.BETTING and state[kernels.UNCALLED_SEAT] >= 0:
            seat = self.started.seats[state[kernels.UNCALLED_SEAT]].seat
            self.events.append(UncalledBetReturned(seat, int(state[kernels.UNCALLED_AMOUNT])))
