"""The hidden truth of one hand: the deck, every seat's hole cards, the betting; what each seat may see of it.

Only `engine.play` and tests hold a `Table`. Everything else gets the public events that each change returns,
and the `Observation` of one seat.
"""

from collections.abc import Sequence
from itertools import pairwise

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, HoleCards, Street
from engine.game.events import (
    NO_TOURNAMENT,
    Action,
    Chips,
    GameKind,
    HandStarted,
    HoleCardsDealt,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
    SeatStart,
    TournamentStage,
)
from engine.game.observation import LegalActions, Observation
from engine.game.public_hand import PublicHand
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
    seats : sequence of SeatStart
        2 to 10 seats dealt in, in rising order of seat number; the button is one of them.
    deck : sequence of Card
        All 52 cards in the order in which they are dealt.
    has_small_blind : bool
        False for a dead small blind (see `engine.play`).
    stage : TournamentStage, optional
        What is left of the tournament.

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
        stage: TournamentStage = NO_TOURNAMENT,
    ) -> None:
        numbers = [start.seat for start in seats]
        if any(low >= high for low, high in pairwise(numbers)):
            raise RulesError(f"Seats must stand in rising order, and these are {numbers}.")
        if button not in numbers:
            raise RulesError(f"The button must be at a seat dealt in, and {button} is none of {numbers}.")
        if sorted(deck) != list(range(CARD_COUNT)):
            raise RulesError("A deck must hold each of the 52 cards once.")
        self._betting = betting = Betting(
            rules,
            [start.stack for start in seats],
            numbers.index(button),
            has_small_blind=has_small_blind,
        )
        self._places = {seat: place for place, seat in enumerate(numbers)}
        count = len(numbers)
        self._hole_cards: dict[int, HoleCards] = {}
        for turn, place in enumerate(betting.clockwise()):
            first, second = deck[turn], deck[count + turn]
            self._hole_cards[place] = (first, second) if first > second else (second, first)
        self._board = tuple(deck[2 * count : 2 * count + 5])
        started = HandStarted(
            hand_number=hand_number,
            kind=kind,
            seats=tuple(seats),
            button=button,
            small_blind=rules.small_blind,
            big_blind=rules.big_blind,
            ante=rules.ante,
            hands_left=stage.hands_left,
            max_raises=rules.max_raises,
            raises_to_twice=rules.raises_to_twice,
            straddle=0 if betting.straddle_place is None else rules.straddle,
            big_blind_ante=rules.big_blind_ante,
            payouts=stage.payouts,
        )
        self._hand = PublicHand(started, betting)
        self._announce_posts()
        self._go_on()

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """All public events so far, `HandStarted` first."""
        return tuple(self._hand.events)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats dealt in, in rising order."""
        return tuple(self._places)

    @property
    def button(self) -> Seat:
        """The seat of the button."""
        return self._hand.started.button

    @property
    def to_act(self) -> Seat | None:
        """The seat asked to act, or None when the hand is over."""
        place = self._betting.to_act
        return None if place is None else self._hand.seat(place)

    @property
    def is_over(self) -> bool:
        """Whether the pots are awarded."""
        return self._betting.phase == Phase.AWARDED

    @property
    def big_blind_seat(self) -> Seat:
        """The seat that owed the big blind."""
        return self._hand.seat(self._betting.big_blind_place)

    @property
    def stacks(self) -> dict[Seat, Chips]:
        """Chips behind, by seat."""
        return dict(zip(self._places, self._betting.stacks, strict=True))

    def legal_actions(self) -> LegalActions | None:
        """Return what the seat to act may do, or None when the hand is over."""
        return self._betting.legal_actions()

    def apply(self, action: Action) -> tuple[PublicEvent, ...]:
        """Take the action of the seat to act, and return the events up to the next decision or the hand's end.

        `IllegalActionError` if the rules do not allow it; nothing has changed then.
        """
        first_new = len(self._hand.events)
        self._hand.take(action)
        self._go_on()
        return tuple(self._hand.events[first_new:])

    def private_event(self, seat: Seat) -> HoleCardsDealt:
        """Return the hole cards of a seat, for that seat alone; `ValueError` if it was not dealt in."""
        return HoleCardsDealt(seat, self._hole_cards[self._place(seat)])

    def observe(self, seat: Seat) -> Observation:
        """Return all that a seat may know now, even after folding; `ValueError` if it was not dealt in."""
        return self._hand.observe(seat, self._hole_cards[self._place(seat)])

    def _place(self, seat: Seat) -> int:
        if seat not in self._places:
            raise ValueError(f"Seat {seat} was not dealt into this hand.")
        return self._places[seat]

    def _announce_posts(self) -> None:
        """Announce what the rules have made everybody post."""
        betting, hand = self._betting, self._hand
        rules, seats = betting.rules, hand.started.seats
        owed = [(place, PostKind.ANTE, rules.ante) for place in betting.clockwise()]
        owed.append((betting.big_blind_place, PostKind.BIG_BLIND_ANTE, betting.posted_for_all))
        if betting.small_blind_place is not None:
            owed.append((betting.small_blind_place, PostKind.SMALL_BLIND, rules.small_blind))
        owed.append((betting.big_blind_place, PostKind.BIG_BLIND, rules.big_blind))
        if betting.straddle_place is not None:
            owed.append((betting.straddle_place, PostKind.STRADDLE, rules.straddle))
        behind = [start.stack for start in seats]
        for place, kind, chips in owed:
            posted = min(chips, behind[place])
            behind[place] -= posted
            if posted:
                hand.events.append(Posted(hand.seat(place), kind, posted, not behind[place]))
        hand.announce_uncalled()

    def _go_on(self) -> None:
        """Announce what follows until somebody has to act or the hand is over."""
        betting, hand = self._betting, self._hand
        while betting.phase in (Phase.STREET_OVER, Phase.RUN_OUT):
            if betting.phase == Phase.RUN_OUT and not hand.shown:
                self._show_all()
            hand.deal(self._board[len(hand.board) : BOARD_SIZE[Street(betting.street + 1)]])
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

    def _show_all(self) -> None:
        for place in self._showdown_order():
            self._hand.show(place, self._hole_cards[place])

    def _end(self) -> None:
        betting, hand = self._betting, self._hand
        strengths = [0] * betting.players
        if betting.phase == Phase.SHOWDOWN:
            from engine.strength import strength

            live = self._showdown_order()
            for place in live:
                strengths[place] = strength(self._hole_cards[place] + self._board)
            if not hand.shown and not all(betting.stacks[place] for place in live):
                self._show_all()
            elif not hand.shown:
                best = 0
                for place in live:
                    if strengths[place] >= best:
                        best = strengths[place]
                        hand.show(place, self._hole_cards[place])
                    else:
                        hand.muck(place)
        hand.award(strengths)
        assert sum(betting.stacks) == sum(start.stack for start in hand.started.seats)
