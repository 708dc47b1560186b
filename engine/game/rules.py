"""The rules of one hand of no-limit hold'em: who may do what, and who wins which chips.

There are no other rules of betting. Seats here are places 0 to n - 1 in clockwise order; `engine.game.table` gives
them their numbers at the table. The order of calls: `do` while `phase` is `BETTING`; `next_street` after
`STREET_OVER` or `RUN_OUT` (deal the board cards); `award` at `SHOWDOWN` or `FOLDED_OUT`.

Where tables differ, the rules of the Tournament Directors Association (Poker TDA Rules, 2024) decide:

- Rule 43, raise amounts: a raise adds at least the largest full bet or raise of the street, at least a big
  blind; an all-in may be less.
- Rule 47, re-opening the bet: who has already acted may raise again only when facing, since that action, at least
  a full raise, whether by one raise or by several short all-ins together; the least raise is then still the last
  full one.
- Rule 58, non-standard folds: folding when a check is free is binding, so it is legal.
- Rules 20 and 21, odd chips and side pots: each pot is split by itself; odd chips go to the left of the button, one
  per winner (that nobody gets two is from Robert's Rules of Poker).
- Rule 34-B, heads-up: the button posts the small blind, acts first before the flop and last afterwards.
- An ante that the big blind posts for all belongs to the main pot; whoever is short posts the blind first (the 2024
  summit's decision).
- A straddle is a third blind, posted by the seat left of the big blind, which acts last before the flop; it is the
  price to call and the least raise there (Robert's Rules of Poker). There is none at a table of two, nor by a seat
  that it would put all-in.

At some tables (the Texas Hold'em AI Game, V1.0.7, 2017) a raise is to exactly twice the bet, all-in where that is
more than the stack, and so many raises are allowed on each street beyond its first bet; the size of a bet is free.
An all-in of less than twice the bet does not re-open it.

Two points that they leave open are decided so. A big blind that is posted short still makes a full big blind the
price to call, as long as somebody else has chips to play for (Rule 54-B counts short blinds in full, for the
pot limit). A seat is not asked when its answer could not matter: nothing to call, and nobody left with chips to
call a bet.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from operator import index

from msgspec import Struct

from engine.cards import Street
from engine.game.events import Action, ActionKind, Chips
from engine.game.observation import LegalActions

MIN_SEATS = 2
MAX_SEATS = 10


class RulesError(ValueError):
    """Blinds, stacks or seats with which no hand can be played; the message names the value and the rule."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why and what would be allowed."""


class Phase(IntEnum):
    """What comes next in a hand."""

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
    big_blind_ante : int
        What the big blind posts for all, 0 or more.
    straddle : int
        0, or at least twice the big blind.
    counts_bets : bool
        Whether the first bet of a street is one of `max_raises`.
    raises_to_twice : bool
        Whether a raise is to exactly twice the bet.
    """

    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    max_raises: int = 0
    big_blind_ante: Chips = 0
    straddle: Chips = 0
    counts_bets: bool = True
    raises_to_twice: bool = False

    def verify(self) -> None:
        """Raise `RulesError` if these are no stakes to play for."""
        if self.small_blind < 1:
            raise RulesError(f"The small blind must be at least 1 chip, not {self.small_blind}.")
        if self.big_blind < self.small_blind:
            raise RulesError(
                f"The big blind ({self.big_blind}) must not be below the small blind ({self.small_blind})."
            )
        if (ante := min(self.ante, self.big_blind_ante)) < 0:
            raise RulesError(f"The ante must not be negative, and it is {ante}.")
        if self.straddle and self.straddle < 2 * self.big_blind:
            raise RulesError(
                f"A straddle must be at least twice the big blind ({2 * self.big_blind}), not {self.straddle}."
            )
        if self.max_raises < 0:
            raise RulesError(f"The cap on raises must not be negative, and it is {self.max_raises}.")


class Award(Struct, frozen=True):
    """What one seat wins of one pot; pot 0 is the main pot."""

    place: int
    pot: int
    amount: Chips


class Turn(Struct, frozen=True):
    """A turn to act, as the rules of raising look at it.

    Attributes
    ----------
    stack, bet : int
        Chips behind, and in front on this street.
    owed : int
        Chips up to the bet to be matched, also beyond the stack.
    answered : int
        The bet that the player answered or made in their latest action on this street, -1 before that.
    others_reach : int
        The most that another live player can have in front on this street; 0 with nobody else.
    raises : int
        Bets and raises on this street.
    full_raise : int
        The least amount by which a raise must exceed the bet: the largest full bet or raise of the street.
    """

    street: Street
    stack: Chips
    bet: Chips
    owed: Chips
    answered: Chips
    others_reach: Chips
    raises: int
    full_raise: Chips


def legal_actions_at(rules: TableRules, turn: Turn) -> LegalActions:
    """Return what a player may do at a turn."""
    total, to_call = turn.stack + turn.bet, min(turn.owed, turn.stack)
    if why_no_raise(rules, turn) is not None:
        return LegalActions(turn.owed == 0, to_call, 0, 0)
    level = turn.bet + turn.owed
    if rules.raises_to_twice and level:
        twice = min(2 * level, total)
        return LegalActions(turn.owed == 0, to_call, twice, twice)
    return LegalActions(turn.owed == 0, to_call, min(level + turn.full_raise, total), total)  # TDA Rule 43


def why_no_raise(rules: TableRules, turn: Turn, amount: Callable[[Chips], str] = str) -> str | None:
    """Say in one sentence why a player may not bet or raise any amount at a turn; None if they may."""
    level = turn.bet + turn.owed
    if turn.stack <= turn.owed:
        return f"A raise needs more than the {amount(turn.stack)} to call, and that is all there is."
    is_bet_free = not rules.counts_bets and turn.street != Street.PREFLOP
    if 0 < rules.max_raises <= turn.raises - is_bet_free:
        if rules.max_raises == 1:
            return f"Only one {'bet or raise' if rules.counts_bets else 'raise'} is allowed on a street."
        what = "bets and raises" if rules.counts_bets else "raises"
        return f"No more than {rules.max_raises} {what} are allowed on a street."
    if turn.others_reach <= level:
        return "A raise makes no sense: nobody else has chips to call it."
    full = max(turn.answered, rules.big_blind) if rules.raises_to_twice else turn.full_raise
    if turn.answered >= 0 and level - turn.answered < full:  # TDA Rule 47
        least = f"less than a full raise ({amount(full)})"
        return f"The raise before was {least}, so who has already acted may only call or fold."
    return None


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
        places = len(stacks)
        self.rules = rules
        self.players = places
        self.button = button
        self.street = Street.PREFLOP
        self.phase = Phase.BETTING
        self.to_act: int | None = None
        self.aggressor: int | None = None
        """Place of the last bet or raise on this street."""
        self.small_blind_place: int | None = (button + 1) % places if has_small_blind else None
        self.big_blind_place = (button + 2 if has_small_blind else button + 1) % places
        if places == 2:
            self.small_blind_place, self.big_blind_place = button, 1 - button
        self._stacks = list(stacks)
        self._behind = tuple(stacks)
        self._bets = [0] * places
        self._committed = [0] * places
        self._is_folded = [False] * places
        self._uncalled: tuple[int, Chips] | None = None
        # The bet that a place answered or made in its latest action on this street, or -1 before that.
        self._answered = [-1] * places
        self._price = rules.big_blind  # what calls before the flop
        # The least amount by which a raise must exceed the bet: the largest full bet or raise of the street.
        self._full_raise = rules.big_blind
        self._raises = 0  # bets and raises on this street
        self.posted_for_all: Chips = 0
        """Chips of the main pot that are nobody's: an ante posted for all, blinds posted dead."""
        self.straddle_place: int | None = None
        if is_posted:
            self._post_all()
        self._ask_next(self.big_blind_place if self.straddle_place is None else self.straddle_place)

    def _post_all(self) -> None:
        """Post antes, blinds and a straddle."""
        rules, big_blind = self.rules, self.big_blind_place
        for place in range(self.players):
            self.post(place, min(rules.ante, self._stacks[place]), is_ante=True)
        for blind_place, blind in ((self.small_blind_place, rules.small_blind), (big_blind, rules.big_blind)):
            if blind_place is not None:
                self.post(blind_place, min(blind, self._stacks[blind_place]))
        self.post(big_blind, min(rules.big_blind_ante, self._stacks[big_blind]), is_for_all=True)
        first = (big_blind + 1) % self.players
        if rules.straddle and self.players > 2 and self._stacks[first] > rules.straddle:
            self.straddle_place = first
            self.post(first, rules.straddle)
            self._price = self._full_raise = rules.straddle

    @property
    def stacks(self) -> tuple[Chips, ...]:
        """Each place's chips behind, with what it has won."""
        return tuple(self._stacks)

    @property
    def behind(self) -> tuple[Chips, ...]:
        """Each place's chips behind, winnings apart."""
        return self._behind if self.phase == Phase.AWARDED else self.stacks

    @property
    def bets(self) -> tuple[Chips, ...]:
        """What each place has put in on this street, antes apart."""
        return tuple(self._bets)

    @property
    def committed(self) -> tuple[Chips, ...]:
        """What each place has put in during the hand, without an ante for all."""
        return tuple(self._committed)

    @property
    def is_folded(self) -> tuple[bool, ...]:
        """Whether each place has folded."""
        return tuple(self._is_folded)

    @property
    def pot(self) -> Chips:
        """All chips in the middle, this street's bets included."""
        return sum(self.committed) + self.posted_for_all

    @property
    def uncalled(self) -> tuple[int, Chips] | None:
        """Who got how much of an uncalled bet back when the betting of this street ended."""
        return None if self.phase == Phase.BETTING else self._uncalled

    def post(self, place: int, amount: Chips, *, is_ante: bool = False, is_for_all: bool = False) -> None:
        """Post an ante of one's own, a live blind, or what is for all: an ante, a dead blind."""
        if is_for_all:
            self._stacks[place] -= amount
            self.posted_for_all += amount
        else:
            self._put_in(place, amount, is_bet=not is_ante)

    def ask_first(self) -> None:
        """Find who acts first, after everything is posted one by one: whoever comes after the largest blind."""
        places = [(self.big_blind_place + distance) % self.players for distance in range(self.players)]
        self._ask_next(max(places, key=self._bets.__getitem__))

    def legal_actions(self) -> LegalActions | None:
        """Return what the place to act may do, or None when nobody is to act; a fold is always legal."""
        return None if self.to_act is None else legal_actions_at(self.rules, self._turn(self.to_act))

    @property
    def to_call(self) -> Chips:
        """Chips the place to act would add to call, not more than its stack."""
        return 0 if self.to_act is None else min(self._owed(self.to_act), self._stacks[self.to_act])

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
        reason = self._why_not(action.kind, total)
        if reason is not None:
            raise IllegalActionError(reason)

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
        place = self.to_act
        assert place is not None
        level = self._bets[place] + self._owed(place)
        if action.kind == ActionKind.FOLD:
            self._is_folded[place] = True
        elif action.kind == ActionKind.RAISE:
            total = index(action.raise_to)
            # A short all-in leaves the size of a full raise as it is.
            self._full_raise = max(self._full_raise, total - level)
            self._raises += 1
            self.aggressor = place
            self._put_in(place, total - self._bets[place])
            level = total
        else:
            self._put_in(place, self.to_call)
        self._answered[place] = level
        self._ask_next(place)

    def next_street(self) -> None:
        """Go on to the next street after the board cards are dealt; in a run-out nobody is asked."""
        self.street = Street(self.street + 1)
        self.aggressor = self._uncalled = None
        self._full_raise, self._raises = self.rules.big_blind, 0
        self._bets = [0] * self.players
        self._answered = [-1] * self.players
        if self.phase == Phase.STREET_OVER:
            self._ask_next(self.button)
        elif self.street == Street.RIVER:
            self.phase, self.to_act = Phase.SHOWDOWN, None

    def pots(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        """Return each pot's chips and the places that can win it, the main pot first; none once awarded."""
        return () if self.phase == Phase.AWARDED else self._pots()

    def award(self, strengths: Sequence[int]) -> tuple[Award, ...]:
        """Divide the pots by the strength of each place's hand, higher is better, and end the hand.

        Folded places do not count. Awards are the last side pot first; within a pot clockwise from the button.
        """
        assert self.phase in (Phase.SHOWDOWN, Phase.FOLDED_OUT)
        awards = self.awards(strengths)
        self._behind = self.stacks
        for award in awards:
            self._stacks[award.place] += award.amount
        self._bets = [0] * self.players
        self.phase = Phase.AWARDED
        return awards

    def awards(self, strengths: Sequence[int]) -> tuple[Award, ...]:
        """Return what `award` would now, the hand unchanged."""
        awards = []
        for pot, (chips, places) in reversed(list(enumerate(self._pots()))):
            # At another's table all may be folded, and a pot nobody's.
            best = max((strengths[place] for place in places), default=0)
            winners = [place for place in self.clockwise() if place in places and strengths[place] == best]
            shares = shares_of(chips, len(winners))
            awards += [Award(place, pot, share) for place, share in zip(winners, shares, strict=True)]
        return tuple(award for award in awards if award.amount)

    def _pots(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        return pots_of(self._stacks, self._committed, self._is_folded, self.posted_for_all)

    def clockwise(self) -> tuple[int, ...]:
        """Return all places in order, from the left of the button to the button."""
        return tuple((self.button + 1 + step) % self.players for step in range(self.players))

    def _why_not(self, kind: ActionKind, total: Chips) -> str | None:
        """Say in one sentence why the place to act may not do this; None if it may."""
        legal = self.legal_actions()
        assert legal is not None
        assert self.to_act is not None
        if kind == ActionKind.FOLD:
            return None
        if kind == ActionKind.CHECK:
            return None if legal.can_check else f"A check is not possible with {legal.call_amount} to call."
        if kind == ActionKind.CALL:
            return None if legal.call_amount else "There is nothing to call: check instead."
        if not legal.can_raise:
            return why_no_raise(self.rules, self._turn(self.to_act))
        if total != legal.max_raise_to < self._stacks[self.to_act] + self._bets[self.to_act]:
            return f"A raise is to twice the bet, to {legal.max_raise_to}."
        if total > legal.max_raise_to:
            return f"Raise to at most {legal.max_raise_to}, which is all-in."
        if total >= legal.min_raise_to:
            return None
        if legal.min_raise_to == legal.max_raise_to:
            return f"The only raise possible is all-in, to {legal.max_raise_to}."
        rules, full = self.rules, self._full_raise
        of_blinds = {rules.straddle: f"the straddle is {full}", rules.big_blind: f"the big blind is {full}"}
        reason = of_blinds.get(full, f"the last full raise was {full}")
        return f"Raise to at least {legal.min_raise_to} ({reason}), or all-in {legal.max_raise_to}."

    def _turn(self, place: int) -> Turn:
        """Return what the rules of raising ask of a place."""
        others = [
            self._stacks[other] + self._bets[other]
            for other, folded in enumerate(self._is_folded)
            if other != place and not folded
        ]
        return Turn(
            street=self.street,
            stack=self._stacks[place],
            bet=self._bets[place],
            owed=self._owed(place),
            answered=self._answered[place],
            others_reach=max(others, default=0),
            raises=self._raises,
            full_raise=self._full_raise,
        )

    def _put_in(self, place: int, amount: Chips, *, is_bet: bool = True) -> None:
        self._stacks[place] -= amount
        self._committed[place] += amount
        if is_bet:
            self._bets[place] += amount

    def _owed(self, place: int) -> Chips:
        """Chips up to the largest bet, before the flop at least a big blind while somebody else has chips."""
        level = max(self._bets)
        if self.street == Street.PREFLOP and any(
            other != place and stack > 0 and not self._is_folded[other] for other, stack in enumerate(self._stacks)
        ):
            level = max(level, self._price)
        return level - self._bets[place]

    def _ask_next(self, after: int) -> None:
        """Find the next place with a decision to make, or end the street."""
        live = [place for place in range(self.players) if not self._is_folded[place]]
        with_chips = [place for place in live if self._stacks[place] > 0]
        self._uncalled, self.phase, self.to_act = None, Phase.BETTING, None
        if len(live) > 1:
            for place in sorted(with_chips, key=lambda place: (place - after - 1) % self.players):
                if (self._answered[place] < 0 and len(with_chips) > 1) or self._owed(place) > 0:
                    self.to_act = place
                    return
        self._return_uncalled()
        if len(live) == 1:
            self.phase = Phase.FOLDED_OUT
        elif self.street == Street.RIVER:
            self.phase = Phase.SHOWDOWN
        else:
            self.phase = Phase.STREET_OVER if len(with_chips) > 1 else Phase.RUN_OUT

    def _return_uncalled(self) -> None:
        """Give back what one place has put in beyond what anybody else has."""
        second, most = sorted(self._committed)[-2:]
        owner = self._committed.index(most)
        if most > second and not self._is_folded[owner]:
            excess = most - second
            self._uncalled = owner, excess
            self._stacks[owner] += excess
            self._committed[owner] -= excess
            self._bets[owner] = max(self._bets[owner] - excess, 0)


def pots_of(
    stacks: Sequence[Chips], committed: Sequence[Chips], is_folded: Sequence[bool], dead: Chips = 0
) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
    """Return each pot's chips and the places that can win it, the main pot first.

    A pot ends where a live place is all-in. By place: chips behind
    without winnings, chips put in during the hand, and whether it has folded; `dead` are chips of the main pot that
    nobody here put in for themselves.
    """
    live = [place for place, folded in enumerate(is_folded) if not folded]
    tops = sorted({committed[place] for place in live if stacks[place] == 0 and committed[place]})
    pots: list[tuple[Chips, tuple[int, ...]]] = []
    below = 0
    for top in (*tops, max(committed)):
        chips = sum(max(min(put_in, top) - below, 0) for put_in in committed)
        places = tuple(place for place in live if stacks[place] > 0 or (top in tops and committed[place] >= top))
        if chips and pots and not places:  # what only those have put in who folded since
            pots[-1] = pots[-1][0] + chips, pots[-1][1]
        elif chips:
            pots.append((chips, places))
        below = top
    if dead:
        main, places = pots[0] if pots else (0, tuple(live))
        pots[:1] = [(main + dead, places)]
    return tuple(pots)


def shares_of(chips: Chips, winners: int) -> tuple[Chips, ...]:
    """Return what each winner of a pot gets, clockwise from the left of the button (TDA Rule 20)."""
    share, odd = divmod(chips, max(winners, 1))
    return tuple(share + (number < odd) for number in range(winners))


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
        return super().pot + self.dead

    def pots(self) -> tuple[tuple[Chips, tuple[int, ...]], ...]:
        """Return the pots; dead chips are the main pot's."""
        pots = super().pots()
        return tuple(
            (amount + (0 if number else self.dead), places) for number, (amount, places) in enumerate(pots)
        )

    def place_blinds(self, small_blind: int | None, big_blind: int | None) -> None:
        """Name who owes the blinds, where a server lets others post them; no big blind leaves it as it is."""
        self.small_blind_place = small_blind
        if big_blind is not None:
            self.big_blind_place = big_blind

    def set_price_to_call(self, price: Chips, *, is_least_raise: bool = True) -> None:
        """Set what calls before the flop, and the least raise, where a short big blind makes no full one."""
        self._price = price
        if is_least_raise:
            self._full_raise = price

    def give_turn(self, place: int) -> None:
        """Let a place act out of turn, after the street was over or after it folded, because the server asks it."""
        self.phase, self.to_act = Phase.BETTING, place
        if self._is_folded[place]:
            self._is_folded[place] = False
            self._answered[place] = -1

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
        if stack is not None:
            self._stacks[place] = stack
        if committed is not None:
            self._committed[place] = committed
        if bet is not None:
            self._bets[place] = bet
        if is_folded is not None:
            self._is_folded[place] = is_folded

    def pay(self, action: Action, chips: Chips) -> None:
        """Check or call with other chips than are owed, as a server does that counts a blind or bet otherwise."""
        place = self.to_act
        assert place is not None
        bet = self._bets[place]
        self._bets[place] += self._owed(place) - chips
        self._apply(action)
        self._bets[place] = bet + chips

    def allow_raise(self, total: Chips) -> bool:
        """Let the place to act raise beyond the cap, by less than the least, or when closed.

        Return whether it can now; not where nobody is left with chips to call it.
        """
        place, least = self.to_act, self._full_raise
        assert place is not None
        if why_no_raise(self.rules, self._turn(place)) is not None:
            self._answered[place] = -1
            if self.rules.max_raises:
                self._raises = self.rules.max_raises - 1
        self._full_raise = min(least, total - self._bets[place] - self.to_call)
        is_allowed = self.can(Action(ActionKind.RAISE, total))
        if not is_allowed:
            self._full_raise = least
        return is_allowed

    def end_street(self, *, is_run_out: bool = False) -> None:
        """End the betting of a street that our rules go on with, because the server deals."""
        able = sum(stack > 0 and not folded for stack, folded in zip(self._stacks, self._is_folded, strict=True))
        self.to_act = None
        self.phase = Phase.RUN_OUT if is_run_out or able < 2 else Phase.STREET_OVER

    def end(self, stacks: Sequence[Chips]) -> None:
        """End the hand with the stacks that the server gives."""
        self._behind = self.behind
        self._stacks = list(stacks)
        self._bets = [0] * self.players
        self.phase, self.to_act = Phase.AWARDED, None
