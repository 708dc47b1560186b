"""The typed front of the rules of betting: do an action, ask whether it can be done, or learn why not.

The rules themselves, and which rulebook decides where tables differ, are in `engine.kernels.betting`. Seats here
are places 0 to n - 1 in clockwise order; `engine.game.table` gives them their numbers at the table.
"""

from collections.abc import Sequence
from enum import IntEnum
from operator import index

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import Street
from engine.game.events import Action, ActionKind, Chips
from engine.game.observation import LegalActions
from engine.kernels import betting as kernels

MIN_SEATS = 2
MAX_SEATS = 10

_ANY_STACK = 1 << 60

_KINDS = (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL, ActionKind.RAISE)


class RulesError(ValueError):
    """Blinds, stacks or seats with which no hand can be played; the message names the value and the rule."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why and what would be allowed."""


class Phase(IntEnum):
    """What comes next in a hand; the numbers are those of `engine.kernels.betting`."""

    BETTING = 0
    STREET_OVER = 1
    RUN_OUT = 2
    SHOWDOWN = 3
    FOLDED_OUT = 4
    AWARDED = 5


class TableRules(Struct, frozen=True):
    """The stakes of a hand, in chips.

    Attributes
    ----------
    small_blind, big_blind : int
        At least 1, the small blind not above the big blind.
    ante : int
        What every seat posts before the blinds, 0 or more.
    max_raises : int
        Bets and raises allowed on each street, 0 for any number.
    """

    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    max_raises: int = 0

    def verify(self) -> None:
        """Raise `RulesError` if these are no stakes to play for."""
        if self.small_blind < 1:
            raise RulesError(f"The small blind must be at least 1 chip, not {self.small_blind}.")
        if self.big_blind < self.small_blind:
            raise RulesError(
                f"The big blind ({self.big_blind}) must not be below the small blind ({self.small_blind})."
            )
        if self.ante < 0:
            raise RulesError(f"The ante must not be negative, and it is {self.ante}.")
        if self.max_raises < 0:
            raise RulesError(f"The cap on raises must not be negative, and it is {self.max_raises}.")


class Award(Struct, frozen=True):
    """What one seat wins of one pot; pot 0 is the main pot."""

    place: int
    pot: int
    amount: Chips


class Betting:
    """The betting of one hand: who has put in what, who is to act, who wins which pot.

    Parameters
    ----------
    rules : TableRules
    stacks : sequence of int
        Chips of each place before the hand, 2 to 10 of them, clockwise, all positive.
    button : int
        Place of the button.
    has_small_blind : bool
        False for a dead small blind (see `engine.play`): the seat left of the button posts the big blind.
    is_posted : bool
        Whether antes and blinds are posted as the rules say. Otherwise comes one `post` after another, then
        `ask_first`, and the small blind and ante of the stakes do not count.

    Raises
    ------
    RulesError
        If a stack, a blind or the number of places is impossible.

    Examples
    --------
    >>> betting = Betting(TableRules(10, 20), [1000, 1000, 35], button=0)
    >>> betting.to_act, betting.legal_actions()
    (0, LegalActions(can_check=False, call_amount=20, min_raise_to=40, max_raise_to=1000))
    """

    def __init__(
        self,
        rules: TableRules,
        stacks: Sequence[Chips],
        button: int,
        *,
        has_small_blind: bool = True,
        is_posted: bool = True,
    ) -> None:
        if is_posted:
            rules.verify()
        if not MIN_SEATS <= len(stacks) <= MAX_SEATS:
            raise RulesError(f"A hand needs {MIN_SEATS} to {MAX_SEATS} players, not {len(stacks)}.")
        if min(stacks) < 1:
            raise RulesError(f"Every player dealt in needs chips, and one has {min(stacks)}.")
        if not 0 <= button < len(stacks):
            raise RulesError(f"The button must stand at one of the {len(stacks)} places, not at {button}.")
        self.rules = rules
        self._state = np.zeros(kernels.STATE_SIZE, np.int64)
        self._legal = np.zeros(kernels.LEGAL_SIZE, np.int64)
        kernels.start(
            self._state,
            np.array(stacks, np.int64),
            np.full(len(stacks), rules.ante if is_posted else 0, np.int64),
            button,
            has_small_blind,
            rules.small_blind if is_posted else 0,
            rules.big_blind if is_posted else 0,
            rules.max_raises,
        )
        self._state[kernels.BIG_BLIND] = self._state[kernels.FULL_RAISE] = rules.big_blind
        self._refresh()

    def _refresh(self) -> None:
        kernels.legal(self._state, self._legal)
        numbers: list[int] = self._state.tolist()
        players = numbers[kernels.PLAYERS]
        self.players = players
        self.button = numbers[kernels.BUTTON]
        self.street = Street(numbers[kernels.STREET])
        self.phase = Phase(numbers[kernels.PHASE])
        self.to_act = numbers[kernels.TO_ACT] if self.phase == Phase.BETTING else None
        self.stacks = tuple(numbers[kernels.STACK : kernels.STACK + players])
        if self.phase != Phase.AWARDED:
            self.behind = self.stacks
        self.bets = tuple(numbers[kernels.BET : kernels.BET + players])
        self.committed = tuple(numbers[kernels.COMMITTED : kernels.COMMITTED + players])
        self.is_folded = tuple(map(bool, numbers[kernels.IS_FOLDED : kernels.IS_FOLDED + players]))
        self.aggressor = numbers[kernels.AGGRESSOR] if numbers[kernels.AGGRESSOR] >= 0 else None
        self.small_blind_place = (
            numbers[kernels.SMALL_BLIND_SEAT] if numbers[kernels.SMALL_BLIND_SEAT] >= 0 else None
        )
        self.big_blind_place = numbers[kernels.BIG_BLIND_SEAT]
        self.uncalled = (
            (numbers[kernels.UNCALLED_SEAT], numbers[kernels.UNCALLED_AMOUNT])
            if numbers[kernels.UNCALLED_SEAT] >= 0 and self.phase != Phase.BETTING
            else None
        )
        self._full_raise = numbers[kernels.FULL_RAISE]
        self._raises = numbers[kernels.RAISES]

    @property
    def pot(self) -> Chips:
        """All chips in the middle, this street's bets included."""
        return sum(self.committed)

    def post(self, place: int, amount: Chips, *, is_ante: bool = False) -> None:
        """Post an ante or a live blind of at most the stack, where not all was posted at once."""
        self._state[kernels.STACK + place] -= amount
        self._state[kernels.COMMITTED + place] += amount
        if not is_ante:
            self._state[kernels.BET + place] += amount
        self._refresh()

    def ask_first(self) -> None:
        """Find who acts first, after everything is posted one by one."""
        kernels.post(self._state, self.big_blind_place, 0)
        self._refresh()

    def legal_actions(self) -> LegalActions | None:
        """Return what the place to act may do, or None when nobody is to act."""
        if self.to_act is None:
            return None
        can_check, call_amount, min_raise_to, max_raise_to, _ = self._legal.tolist()
        return LegalActions(bool(can_check), call_amount, min_raise_to, max_raise_to)

    @property
    def to_call(self) -> Chips:
        """Chips the place to act would add to call, not more than its stack."""
        return int(self._legal[4])

    def verify(self, action: Action) -> None:
        """Raise `IllegalActionError` unless the place to act may do this now."""
        if self.to_act is None:
            raise IllegalActionError(
                "The hand is over; nobody is to act."
                if self.phase == Phase.AWARDED
                else "Cards are being dealt; nobody is to act."
            )
        try:
            total = index(action.raise_to)
        except TypeError:
            raise IllegalActionError(
                f"A bet is a whole number of chips, and {action.raise_to!r} is none."
            ) from None
        if total and action.kind != ActionKind.RAISE:
            raise IllegalActionError(f"A {action.kind} carries no amount, and this one has {total}.")
        status = kernels.refusal(self._legal, _KINDS.index(action.kind), total)
        if status != kernels.OK:
            raise IllegalActionError(self._explain(status))

    def can(self, action: Action) -> bool:
        """Whether the place to act may do this now."""
        try:
            self.verify(action)
        except IllegalActionError:
            return False
        return True

    def do(self, action: Action) -> None:
        """Take the action of the place to act; `IllegalActionError` if it may not, and nothing has changed."""
        self.verify(action)
        self._apply(action)

    def _apply(self, action: Action) -> None:
        status = kernels.apply(self._state, self._legal, _KINDS.index(action.kind), index(action.raise_to))
        assert status == kernels.OK
        self._refresh()

    def next_street(self) -> None:
        """Go on to the next street after the board cards are dealt."""
        assert self.phase in (Phase.STREET_OVER, Phase.RUN_OUT)
        kernels.next_street(self._state)
        self._refresh()

    def pots(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        """Return each pot's chips and the places that can win it, the main pot first; none once awarded."""
        return () if self.phase == Phase.AWARDED else _pots(self._state)

    def award(self, strengths: Sequence[int]) -> tuple[Award, ...]:
        """Divide the pots by the strength of each place's hand, higher is better, and end the hand.

        Folded places do not count. Awards are the last side pot first; within a pot clockwise from the button.
        """
        assert self.phase in (Phase.SHOWDOWN, Phase.FOLDED_OUT)
        awards = self._award(self._state, strengths)
        self._refresh()
        return awards

    def awards(self, strengths: Sequence[int]) -> tuple[Award, ...]:
        """Return what `award` would now, the hand unchanged."""
        return self._award(self._state.copy(), strengths)

    def _award(self, state: NDArray[np.int64], strengths: Sequence[int]) -> tuple[Award, ...]:
        amounts, seats = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
        shares = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
        count = kernels.award(state, np.array(strengths, np.int64), amounts, seats, shares)
        won: list[list[int]] = shares.tolist()
        return tuple(
            Award(place, pot, won[pot][place])
            for pot in reversed(range(count))
            for place in self.clockwise()
            if won[pot][place]
        )

    def clockwise(self) -> tuple[int, ...]:
        """Return all places in order, from the left of the button to the button."""
        return tuple((self.button + 1 + step) % self.players for step in range(self.players))

    def _explain(self, status: int) -> str:
        """Say in one sentence why an action of the place to act was refused."""
        legal = self.legal_actions()
        assert legal is not None
        if status == kernels.CANNOT_CHECK:
            return f"A check is not possible with {legal.call_amount} to call."
        if status == kernels.NOTHING_TO_CALL:
            return "There is nothing to call: check instead."
        if status == kernels.CANNOT_RAISE:
            return self._explain_no_raise()
        if status == kernels.RAISE_TOO_BIG:
            return f"Raise to at most {legal.max_raise_to}, which is all-in."
        if legal.min_raise_to == legal.max_raise_to:
            return f"The only raise possible is all-in, to {legal.max_raise_to}."
        reason = (
            f"the big blind is {self._full_raise}"
            if self._full_raise == self.rules.big_blind
            else f"the last full raise was {self._full_raise}"
        )
        return f"Raise to at least {legal.min_raise_to} ({reason}), or all-in {legal.max_raise_to}."

    def _explain_no_raise(self) -> str:
        place = self.to_act
        assert place is not None
        if self.stacks[place] <= self.to_call:
            return f"A raise needs more than the {self.to_call} to call, and that is all there is."
        if 0 < self.rules.max_raises <= self._raises:
            return f"No more than {self.rules.max_raises} bets and raises are allowed on a street."
        level = self.bets[place] + self.to_call
        if all(
            folded or other == place or stack + bet <= level
            for other, (folded, stack, bet) in enumerate(zip(self.is_folded, self.stacks, self.bets, strict=True))
        ):
            return "A raise makes no sense: nobody else has chips to call it."
        return (
            f"The raise before was less than a full raise ({self._full_raise}), "
            "so who has already acted may only call or fold."
        )


def pots_of(
    stacks: Sequence[Chips], committed: Sequence[Chips], is_folded: Sequence[bool]
) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
    """Return each pot's chips and the places that can win it, the main pot first.

    By place: chips behind without winnings, chips put in during the hand, and whether it has folded.
    """
    state = np.zeros(kernels.STATE_SIZE, np.int64)
    state[kernels.PLAYERS] = len(stacks)
    for start, numbers in ((kernels.STACK, stacks), (kernels.COMMITTED, committed), (kernels.IS_FOLDED, is_folded)):
        state[start : start + len(numbers)] = numbers
    return _pots(state)


def _pots(state: NDArray[np.int64]) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
    amounts, seats = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
    count = kernels.pots(state, amounts, seats)
    return tuple(
        (amount, tuple(place for place in range(MAX_SEATS) if bits >> place & 1))
        for amount, bits in zip(amounts[:count].tolist(), seats[:count].tolist(), strict=True)
    )


class CorrectedBetting(Betting):
    """Betting at another's table, where what the server says counts, whether our rules allow it or not.

    Nothing is posted yet. `dead` are chips of the main pot that nobody here put in, which a server counts.
    """

    def __init__(
        self, rules: TableRules, stacks: Sequence[Chips], button: int, *, has_small_blind: bool = True
    ) -> None:
        self.dead: Chips = 0
        super().__init__(rules, stacks, button, has_small_blind=has_small_blind, is_posted=False)

    @property
    def pot(self) -> Chips:
        """All chips in the middle, the dead ones included."""
        return sum(self.committed) + self.dead

    def pots(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        """Return the pots; dead chips are the main pot's."""
        pots = super().pots()
        return tuple(
            (amount + (0 if number else self.dead), places) for number, (amount, places) in enumerate(pots)
        )

    def place_blinds(self, small_blind: int | None, big_blind: int | None) -> None:
        """Name who owes the blinds, where a server lets others post them; no big blind leaves it as it is."""
        self._state[kernels.SMALL_BLIND_SEAT] = -1 if small_blind is None else small_blind
        if big_blind is not None:
            self._state[kernels.BIG_BLIND_SEAT] = big_blind
        self._refresh()

    def set_price_to_call(self, price: Chips, *, is_least_raise: bool = True) -> None:
        """Set what calls before the flop, and the least raise, where a short big blind makes no full one."""
        self._state[kernels.BIG_BLIND] = price
        if is_least_raise:
            self._state[kernels.FULL_RAISE] = price
        self._refresh()

    def next_street(self) -> None:
        """Go on to the next street, whose least bet is a big blind, whatever called before the flop."""
        kernels.next_street(self._state)
        self._state[kernels.FULL_RAISE] = self.rules.big_blind
        self._refresh()

    def give_turn(self, place: int) -> None:
        """Let a place act out of turn, after the street was over or after it folded, because the server asks it."""
        self._state[kernels.PHASE], self._state[kernels.TO_ACT] = kernels.BETTING, place
        if self._state[kernels.IS_FOLDED + place]:
            self._state[kernels.IS_FOLDED + place] = 0
            self._state[kernels.LEVEL_ANSWERED + place] = -1
        self._refresh()

    def correct(
        self,
        place: int,
        *,
        stack: Chips | None = None,
        committed: Chips | None = None,
        bet: Chips | None = None,
        is_folded: bool | None = None,
    ) -> None:
        """Take over a server's figures of a place where they differ from ours; None leaves a figure as it is."""
        for start, theirs in (
            (kernels.STACK, stack),
            (kernels.COMMITTED, committed),
            (kernels.BET, bet),
            (kernels.IS_FOLDED, is_folded),
        ):
            if theirs is not None:
                self._state[start + place] = theirs
        self._refresh()

    def pay(self, action: Action, chips: Chips) -> None:
        """Check or call with other chips than are owed, as a server does that counts a blind or bet otherwise."""
        place = self._state[kernels.TO_ACT]
        bet, stack = int(self._state[kernels.BET + place]), int(self._state[kernels.STACK + place])
        self._state[kernels.STACK + place] = _ANY_STACK  # what is owed, whether it can be paid or not
        kernels.legal(self._state, self._legal)
        self._state[kernels.BET + place] += self._legal[kernels.TO_CALL] - chips
        self._state[kernels.STACK + place] = stack
        self._apply(action)
        self._state[kernels.BET + place] = bet + chips
        self._refresh()

    def allow_raise(self, total: Chips) -> bool:
        """Let the place to act raise beyond the cap, by less than the least, or when closed.

        Return whether it can now; not where nobody is left with chips to call it.
        """
        state, place, least = self._state, self._state[kernels.TO_ACT], self._full_raise
        if not self._legal[kernels.MAX_RAISE_TO]:
            state[kernels.LEVEL_ANSWERED + place] = -1
            if state[kernels.MAX_RAISES]:
                state[kernels.RAISES] = state[kernels.MAX_RAISES] - 1
        state[kernels.FULL_RAISE] = min(least, total - state[kernels.BET + place] - self.to_call)
        self._refresh()
        is_allowed = self.can(Action(ActionKind.RAISE, total))
        if not is_allowed:
            state[kernels.FULL_RAISE] = least
            self._refresh()
        return is_allowed

    def end_street(self, *, is_run_out: bool = False) -> None:
        """End the betting of a street that our rules go on with, because the server deals."""
        able = sum(stack > 0 and not folded for stack, folded in zip(self.stacks, self.is_folded, strict=True))
        self._state[kernels.TO_ACT] = -1
        self._state[kernels.PHASE] = kernels.RUN_OUT if is_run_out or able < 2 else kernels.STREET_OVER
        self._refresh()

    def end(self, stacks: Sequence[Chips]) -> None:
        """End the hand with the stacks that the server gives."""
        self._state[kernels.STACK : kernels.STACK + self.players] = stacks
        self._state[kernels.BET : kernels.BET + self.players] = 0
        self._state[kernels.PHASE] = kernels.AWARDED
        self._refresh()
