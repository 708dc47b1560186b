"""All that one seat may know: a type that cannot hold another seat's hidden cards.

It is what everybody sees of the hand, a `HandView`, and what the seat alone knows. `view_from` builds the first by
naming each field. It holds only numbers, names and tuples, no way back to the table, and another seat's cards only
as the public event in which they were shown. Of a hand that somebody watched there is no more than that.
"""

from collections.abc import Sequence

from msgspec import Struct, structs

from engine.cards import Card, HoleCards, Street
from engine.game.events import Chips, GameKind, HandStarted, Posted, PublicEvent, Seat, start_of


class LegalActions(Struct, frozen=True):
    """What the seat to act may do; the one answer to "is this legal", computed by the rules.

    Folding is always legal. `call_amount` is at most the stack, 0 with nothing to call. `min_raise_to` and
    `max_raise_to` bound a bet or raise as a street total; both are 0 if none is allowed. The most is all-in, unless
    raises are to twice the bet.
    """

    can_check: bool
    call_amount: Chips
    min_raise_to: Chips
    max_raise_to: Chips

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is allowed."""
        return self.max_raise_to > 0


class SeatView(Struct, frozen=True):
    """What everybody sees of a seat that was dealt in.

    Chips are behind, in front on this street, and put in during the whole hand: antes, blinds and `bet` included,
    but not an ante that the big blind posts for all, which is nobody's.
    """

    seat: Seat
    name: str
    stack: Chips
    bet: Chips
    committed: Chips
    is_folded: bool
    is_all_in: bool
    shown: HoleCards | None

    @property
    def is_live(self) -> bool:
        """Whether the seat can still win the pot."""
        return not self.is_folded


class Pot(Struct, frozen=True):
    """A main or side pot, this street's bets included, and the seats that can win it."""

    amount: Chips
    seats: tuple[Seat, ...]


class HandView(Struct, frozen=True, kw_only=True):
    """What everybody sees of a hand at one moment; the stakes are as in `HandStarted`.

    Attributes
    ----------
    seats : tuple of SeatView
        Every seat dealt in, in rising order of seat number.
    pots : tuple of Pot
        Main pot first; their sum is all chips in the middle.
    to_act : int or None
        The seat asked to act, None when the hand is over or cards are being run out.
    events : tuple of PublicEvent
        The hand so far, from `HandStarted` on.
    currency : str
        ISO code of the money of which a chip is a hundredth; "" where chips are just chips.
    """

    hand_number: int
    kind: GameKind
    button: Seat
    small_blind: Chips
    big_blind: Chips
    ante: Chips
    street: Street
    board: tuple[Card, ...]
    seats: tuple[SeatView, ...]
    pots: tuple[Pot, ...]
    to_act: Seat | None
    events: tuple[PublicEvent, ...]
    currency: str = ""

    @property
    def viewer(self) -> Seat | None:
        """The seat that sees the hand so; None of a hand that was watched."""
        return None

    @property
    def own_cards(self) -> tuple[Card, ...]:
        """The viewer's hole cards; none of a hand that was watched."""
        return ()

    @property
    def me(self) -> SeatView | None:
        """The viewer's own view; None of a hand that was watched."""
        return None

    @property
    def pot(self) -> Chips:
        """All chips in the middle, this street's bets included."""
        return sum(pot.amount for pot in self.pots)

    @property
    def dead(self) -> Chips:
        """Chips of the main pot that are nobody's: an ante posted for all, blinds posted dead, a splash."""
        started = self.events[0]
        splash = started.splash if isinstance(started, HandStarted) else 0
        posted = (event for event in self.events if isinstance(event, Posted) and event.kind.is_for_all)
        return splash + sum(event.amount for event in posted)

    @property
    def opponents(self) -> tuple[SeatView, ...]:
        """The seats other than the viewer's that can still win the pot."""
        viewer = self.viewer
        return tuple(view for view in self.seats if view.is_live and view.seat != viewer)

    @property
    def reach_of_opponents(self) -> Chips:
        """The most that an opponent can have in front on this street; 0 without one."""
        return max((view.stack + view.bet for view in self.opponents), default=0)

    def view(self, seat: Seat) -> SeatView:
        """Return the public view of a seat; `ValueError` if it was not dealt in."""
        for view in self.seats:
            if view.seat == seat:
                return view
        raise ValueError(f"Seat {seat} was not dealt into hand {self.hand_number}.")


class Observation(HandView, frozen=True, kw_only=True):
    """All that `seat` may know at one moment of a hand.

    Attributes
    ----------
    legal : LegalActions or None
        What this seat may do; None unless it is its turn.
    """

    seat: Seat
    hole_cards: HoleCards
    legal: LegalActions | None

    @property
    def viewer(self) -> Seat:
        """The observing seat."""
        return self.seat

    @property
    def own_cards(self) -> HoleCards:
        """Its hole cards."""
        return self.hole_cards

    @property
    def me(self) -> SeatView:
        """The observing seat's own view."""
        return self.view(self.seat)


def view_from(
    events: Sequence[PublicEvent],
    street: Street,
    board: tuple[Card, ...],
    seats: tuple[SeatView, ...],
    pots: tuple[Pot, ...],
    to_act: Seat | None = None,
) -> HandView:
    """Return what everybody sees after these events, the first of which starts the hand."""
    started = start_of(events)
    return HandView(
        hand_number=started.hand_number,
        kind=started.kind,
        button=started.button,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
        street=street,
        board=board,
        seats=seats,
        pots=pots,
        to_act=to_act,
        events=tuple(events),
    )


def seen_from(view: HandView, seat: Seat, hole_cards: HoleCards, legal: LegalActions | None = None) -> Observation:
    """Return what a seat with these hole cards knows where everybody sees this."""
    return Observation(seat=seat, hole_cards=hole_cards, legal=legal, **structs.asdict(view))
