"""One hand's betting by the rules, and the public events that its steps make."""

from collections.abc import Sequence

from engine.cards import BOARD_SIZE, Card, HoleCards
from engine.game.events import (
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
    UncalledBetReturned,
)
from engine.game.observation import Observation, Pot, SeatView, seen_from, view_from
from engine.game.rules import Award, Betting, CorrectedBetting


class PublicHand:
    """The betting of one hand and its public events; the cards come from a deck, a record or another's table.

    Players are places, which index `HandStarted.seats`, clockwise; `shown` are the hole cards shown, by place.
    """

    def __init__(self, started: HandStarted, betting: Betting) -> None:
        self.started = started
        self.betting = betting
        self.events: list[PublicEvent] = [started]
        self.board: tuple[Card, ...] = ()
        self.shown: dict[int, HoleCards] = {}

    def seat(self, place: int) -> Seat:
        """Return the number of a place's seat."""
        return self.started.seats[place].seat

    def post(self, place: int, kind: PostKind, amount: Chips) -> None:
        """Post an ante or a live blind of at most the stack; no chips are no post."""
        if amount:
            self.betting.post(place, amount, is_ante=kind.is_ante, is_for_all=kind.is_for_all)
            self.events.append(Posted(self.seat(place), kind, amount, self.betting.stacks[place] == 0))

    def ask_first(self) -> None:
        """Find who acts first, after everything is posted."""
        self.betting.ask_first()
        self.announce_uncalled()

    def take(self, action: Action, *, chips: Chips | None = None) -> None:
        """Take the action of the place to act; `chips` is what a call or check costs by `CorrectedBetting.pay`.

        `IllegalActionError` if the rules do not allow it; nothing has changed then.
        """
        betting = self.betting
        place, street, pot = betting.to_act, betting.street, betting.pot
        to_call = betting.to_call if chips is None else chips
        stacks, bets = betting.stacks, betting.bets
        if chips is None:
            betting.do(action)
        else:
            assert isinstance(betting, CorrectedBetting)
            betting.pay(action, chips)
        assert place is not None
        amount = {ActionKind.RAISE: action.raise_to - bets[place], ActionKind.CALL: to_call}.get(action.kind, 0)
        self.events.append(
            ActionTaken(
                seat=self.seat(place),
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
        self.announce_uncalled()

    def announce_uncalled(self) -> None:
        """Announce the uncalled bet that the last step has returned, if any."""
        if self.betting.uncalled:
            place, amount = self.betting.uncalled
            self.events.append(UncalledBetReturned(self.seat(place), amount))

    def deal(self, cards: Sequence[Card]) -> None:
        """Begin the next street with as many cards as belong to it."""
        self.betting.next_street()
        self.board += tuple(cards)
        assert len(self.board) == BOARD_SIZE[self.betting.street]
        self.events.append(BoardDealt(self.betting.street, tuple(cards)))

    def show(self, place: int, cards: HoleCards) -> None:
        """Turn up the hole cards of a place."""
        self.shown[place] = cards
        self.events.append(HoleCardsShown(self.seat(place), cards))

    def muck(self, place: int) -> None:
        """Throw the hole cards of a place away unseen."""
        self.events.append(HoleCardsMucked(self.seat(place)))

    def award(self, strengths: Sequence[int]) -> None:
        """Divide the pots by the strengths of the places' hands, those of folded places aside, and end the hand."""
        self.events += self.announced(self.betting.award(strengths))
        self.events.append(HandEnded(self.betting.stacks))

    def announced(self, awards: Sequence[Award]) -> tuple[PotAwarded, ...]:
        """Return awards as the events that announce them."""
        return tuple(PotAwarded(self.seat(award.place), award.pot, award.amount) for award in awards)

    def pots(self) -> tuple[Pot, ...]:
        """Return the main pot and the side pots; none once awarded."""
        return tuple(Pot(amount, tuple(map(self.seat, places))) for amount, places in self.betting.pots())

    def observe(self, seat: Seat, hole_cards: HoleCards) -> Observation:
        """Return all that a seat dealt in may know now: what is public, and these hole cards of its own."""
        betting = self.betting
        to_act = None if betting.to_act is None else self.seat(betting.to_act)
        views = tuple(
            SeatView(
                seat=start.seat,
                name=start.name,
                stack=betting.stacks[place],
                bet=betting.bets[place],
                committed=betting.committed[place],
                is_folded=betting.is_folded[place],
                is_all_in=not betting.is_folded[place] and betting.behind[place] == 0,
                shown=self.shown.get(place),
            )
            for place, start in enumerate(self.started.seats)
        )
        legal = betting.legal_actions() if to_act == seat else None
        view = view_from(self.events, betting.street, self.board, views, self.pots(), to_act)
        return seen_from(view, seat, hole_cards, legal)
