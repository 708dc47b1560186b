"""The hidden truth of one hand: the deck, every seat's hole cards, the betting; what each seat may see of it.

Only `engine.play` and tests hold a `Table`. Everything else gets the public events that each change returns,
and the `Observation` of one seat.
"""

from collections.abc import Sequence
from itertools import pairwise

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, HoleCards
from engine.game.events import (
    Action,
    ActionTaken,
    BoardDealt,
    Chips,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsDealt,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
    SeatStart,
    UncalledBetReturned,
)
from engine.game.observation import LegalActions, Observation, Pot, SeatView
from engine.game.rules import Betting, Phase, RulesError, TableRules


class Table:
    """One hand of no-limit hold'em.

    Hole cards are dealt one at a time, clockwise from the left of the button, in two rounds; the board follows.
    No card is burned: in a shuffled deck that changes nothing.

    The showdown goes by the rules of the Tournament Directors Association (2024). Rule 16: once a player is
    all-in and all betting is complete, every live hand is turned up, before any further card is dealt.
    Rule 17: otherwise the last to bet or raise on the river shows first, or, if all checked, the first seat
    left of the button, and so on clockwise; a seat that cannot win any more throws its cards away unseen.

    Parameters
    ----------
    hand_number : int
    kind : GameKind
    seats : sequence of SeatStart
        2 to 10 seats dealt in, in rising order of seat number.
    button : int
        Seat of the button; one of those dealt in.
    rules : TableRules
    deck : sequence of Card
        All 52 cards in the order in which they are dealt.
    has_small_blind : bool
        False for a dead small blind (see `engine.play`).

    Raises
    ------
    RulesError
        If seats, stacks, blinds, button or deck are impossible.
    """

    def __init__(
        self,
        *,
        hand_number: int,
        kind: GameKind,
        seats: Sequence[SeatStart],
        button: Seat,
        rules: TableRules,
        deck: Sequence[Card],
        has_small_blind: bool = True,
    ) -> None:
        numbers = [start.seat for start in seats]
        if any(low >= high for low, high in pairwise(numbers)):
            raise RulesError(f"Seats must stand in rising order, and these are {numbers}.")
        if button not in numbers:
            raise RulesError(f"The button must be at a seat dealt in, and {button} is none of {numbers}.")
        if sorted(deck) != list(range(CARD_COUNT)):
            raise RulesError("A deck must hold each of the 52 cards once.")
        self._betting = Betting(
            rules,
            [start.stack for start in seats],
            numbers.index(button),
            has_small_blind=has_small_blind,
        )
        self._rules = rules
        self._seats = tuple(numbers)
        self._starts = tuple(seats)
        self._places = {seat: place for place, seat in enumerate(numbers)}
        self._board_size = 0
        self._shown: dict[int, HoleCards] = {}
        count = len(numbers)
        self._hole_cards: dict[int, HoleCards] = {}
        for turn, place in enumerate(self._betting.clockwise()):
            first, second = deck[turn], deck[count + turn]
            self._hole_cards[place] = (first, second) if first > second else (second, first)
        self._board = tuple(deck[2 * count : 2 * count + 5])
        self._events: list[PublicEvent] = [
            HandStarted(
                hand_number=hand_number,
                kind=kind,
                seats=self._starts,
                button=button,
                small_blind=rules.small_blind,
                big_blind=rules.big_blind,
                ante=rules.ante,
            )
        ]
        self._announce_posts()
        self._go_on()

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """All public events so far, `HandStarted` first."""
        return tuple(self._events)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats dealt in, in rising order."""
        return self._seats

    @property
    def to_act(self) -> Seat | None:
        """The seat asked to act, or None when the hand is over."""
        place = self._betting.to_act
        return None if place is None else self._seats[place]

    @property
    def is_over(self) -> bool:
        """Whether the pots are awarded."""
        return self._betting.phase == Phase.AWARDED

    @property
    def big_blind_seat(self) -> Seat:
        """The seat that owed the big blind."""
        return self._seats[self._betting.big_blind_place]

    @property
    def stacks(self) -> dict[Seat, Chips]:
        """Chips behind, by seat."""
        return dict(zip(self._seats, self._betting.stacks, strict=True))

    def legal_actions(self) -> LegalActions | None:
        """Give what the seat to act may do, or None when the hand is over."""
        return self._betting.legal_actions()

    def verify(self, action: Action) -> None:
        """Raise `IllegalActionError` unless the seat to act may do this now."""
        self._betting.verify(action)

    def can(self, action: Action) -> bool:
        """Tell whether the seat to act may do this now."""
        return self._betting.can(action)

    def apply(self, action: Action) -> tuple[PublicEvent, ...]:
        """Take the action of the seat to act.

        Returns
        -------
        tuple of PublicEvent
            Everything that follows up to the next decision or the end of the hand, in the order in which a
            dealer announces it.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it; nothing has changed then.
        """
        betting = self._betting
        place, street, to_call = betting.to_act, betting.street, betting.to_call
        stacks, bets, pot = betting.stacks, betting.bets, sum(betting.committed)
        betting.do(action)
        assert place is not None
        # An uncalled bet that came back at once was still made.
        returned = betting.uncalled[1] if betting.uncalled and betting.uncalled[0] == place else 0
        amount = stacks[place] - betting.stacks[place] + returned
        first_new = len(self._events)
        self._events.append(
            ActionTaken(
                seat=self._seats[place],
                street=street,
                action=action,
                amount=amount,
                is_all_in=amount == stacks[place],
                to_call=to_call,
                pot=pot,
                stack=stacks[place],
                bet=bets[place],
            )
        )
        self._go_on()
        return tuple(self._events[first_new:])

    def private_event(self, seat: Seat) -> HoleCardsDealt:
        """Give the hole cards of a seat, for that seat alone.

        Raises
        ------
        ValueError
            If the seat was not dealt in.
        """
        return HoleCardsDealt(seat, self._hole_cards[self._place(seat)])

    def observe(self, seat: Seat) -> Observation:
        """Give all that a seat may know now, whether it is still in the hand or not.

        Raises
        ------
        ValueError
            If the seat was not dealt in.
        """
        betting = self._betting
        place = self._place(seat)
        started = self._events[0]
        assert isinstance(started, HandStarted)
        return Observation(
            seat=seat,
            hole_cards=self._hole_cards[place],
            hand_number=started.hand_number,
            kind=started.kind,
            button=started.button,
            small_blind=started.small_blind,
            big_blind=started.big_blind,
            ante=started.ante,
            street=betting.street,
            board=self._board[: self._board_size],
            seats=tuple(
                SeatView(
                    seat=other.seat,
                    name=other.name,
                    stack=betting.stacks[at],
                    bet=betting.bets[at],
                    committed=betting.committed[at],
                    is_folded=betting.is_folded[at],
                    is_all_in=self._is_all_in(at),
                    shown=self._shown.get(at),
                )
                for at, other in enumerate(self._starts)
            ),
            pots=tuple(
                Pot(amount, tuple(self._seats[winner] for winner in winners)) for amount, winners in betting.pots()
            ),
            to_act=self.to_act,
            legal=betting.legal_actions() if betting.to_act == place else None,
            events=tuple(self._events),
        )

    def _place(self, seat: Seat) -> int:
        if seat not in self._places:
            raise ValueError(f"Seat {seat} was not dealt into this hand.")
        return self._places[seat]

    def _is_all_in(self, place: int) -> bool:
        """Whether a seat has no chips to bet with any more, its winnings of this hand aside."""
        betting = self._betting
        return not betting.is_folded[place] and betting.committed[place] == self._starts[place].stack

    def _announce_posts(self) -> None:
        betting = self._betting
        for place in betting.clockwise():
            ante = min(self._rules.ante, self._starts[place].stack)
            if ante:
                is_all_in = ante == self._starts[place].stack
                self._events.append(Posted(self._seats[place], PostKind.ANTE, ante, is_all_in))
        for blind, kind, place_or_none in (
            (self._rules.small_blind, PostKind.SMALL_BLIND, betting.small_blind_place),
            (self._rules.big_blind, PostKind.BIG_BLIND, betting.big_blind_place),
        ):
            if place_or_none is None:
                continue
            start = self._starts[place_or_none]
            behind = start.stack - min(self._rules.ante, start.stack)
            if behind:
                self._events.append(Posted(start.seat, kind, min(blind, behind), blind >= behind))

    def _go_on(self) -> None:
        """Announce what follows until somebody has to act or the hand is over."""
        betting = self._betting
        if betting.uncalled:
            place, amount = betting.uncalled
            self._events.append(UncalledBetReturned(self._seats[place], amount))
        while betting.phase in (Phase.STREET_OVER, Phase.RUN_OUT):
            if betting.phase == Phase.RUN_OUT and not self._shown:
                self._show_all()
            betting.next_street()
            size = BOARD_SIZE[betting.street]
            self._events.append(BoardDealt(betting.street, self._board[self._board_size : size]))
            self._board_size = size
        if betting.phase in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            self._end()

    def _showdown_order(self) -> list[int]:
        """Live places, the last aggressor of this street first (TDA Rule 17)."""
        betting = self._betting
        order = list(betting.clockwise())
        if betting.aggressor is not None:
            at = order.index(betting.aggressor)
            order = order[at:] + order[:at]
        return [place for place in order if not betting.is_folded[place]]

    def _show(self, place: int) -> None:
        self._shown[place] = self._hole_cards[place]
        self._events.append(HoleCardsShown(self._seats[place], self._hole_cards[place]))

    def _show_all(self) -> None:
        for place in self._showdown_order():
            self._show(place)

    def _end(self) -> None:
        betting = self._betting
        strengths = [0] * betting.players
        if betting.phase == Phase.SHOWDOWN:
            from engine.strength import strength

            live = self._showdown_order()
            for place in live:
                strengths[place] = strength(self._hole_cards[place] + self._board)
            if not self._shown and any(self._is_all_in(place) for place in live):
                self._show_all()
            elif not self._shown:
                best = 0
                for place in live:
                    if strengths[place] >= best:
                        best = strengths[place]
                        self._show(place)
                    else:
                        self._events.append(HoleCardsMucked(self._seats[place]))
        for award in betting.award(strengths):
            self._events.append(PotAwarded(self._seats[award.place], award.pot, award.amount))
        assert sum(betting.stacks) == sum(start.stack for start in self._starts)
        self._events.append(HandEnded(betting.stacks))
