"""A hand at somebody else's table, followed by its messages: the same `Observation` that our own table makes.

docs/join.md says what counts as no disagreement with the server; `HouseRules` says what else.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.cards import BOARD_SIZE, Card, HoleCards, Street, format_card, format_cards
from engine.game.events import ActionKind, Chips, HandStarted, Seat
from engine.game.observation import Observation
from engine.game.rules import MAX_SEATS, MIN_SEATS, Phase
from engine.join.corrected_hand import CorrectedHand, Disagreement, FollowError, ForcedPost, HouseRules


class FollowedHand:
    """One hand, message by message.

    Parameters
    ----------
    started : HandStarted
        2 to 10 players dealt in, clockwise in rising order of seat number, with their stacks before any post.
        The next seat clockwise from the button acts first after the flop. The stakes are what is owed; the
        least raise is a big blind.
    own_seat : int
    hole_cards : tuple of two Card, optional
        Our own; or `hold` takes them later.
    posts : sequence of ForcedPost, optional
        Everything posted, in the server's order; those of our rules by default. Where nobody posts a big
        blind, the price to call is the largest post.
    first_to_act : int, optional
        Who acts first before the flop, where that is not the seat after the largest post.
    price_to_call : int, optional
        What calls before the flop, and the least raise there, where a short big blind makes no full one.
    house : HouseRules

    Raises
    ------
    FollowError
        If the hand is impossible. What changes it later raises it for a seat that was not dealt in, a card that is
        known to be elsewhere, too few or too many board cards, a raise without its amount, and after the end.

    Examples
    --------
    >>> from engine.game.events import GameKind, SeatStart
    >>> seats = (SeatStart(0, "ann", 1000), SeatStart(1, "bob", 1000))
    >>> started = HandStarted(1, GameKind.CASH, seats, button=0, small_blind=10, big_blind=20, ante=0)
    >>> hand = FollowedHand(started, own_seat=1, hole_cards=(Card(51), Card(50)))
    >>> hand.act(0, ActionKind.CALL)
    >>> hand.observe().legal
    LegalActions(can_check=True, call_amount=0, min_raise_to=40, max_raise_to=1000)
    >>> hand.act(1, ActionKind.RAISE, street_total=60)
    >>> hand.act(0, ActionKind.FOLD)
    >>> hand.end({0: 980, 1: 1020})
    >>> hand.disagreements
    []
    """

    def __init__(
        self,
        started: HandStarted,
        own_seat: Seat,
        *,
        hole_cards: HoleCards | None = None,
        posts: Sequence[ForcedPost] | None = None,
        first_to_act: Seat | None = None,
        price_to_call: Chips | None = None,
        house: HouseRules | None = None,
    ) -> None:
        _check_start(started, own_seat)
        self.own_seat = own_seat
        self._own_cards: HoleCards | None = None
        self._is_discarded = False
        self._hand = CorrectedHand(started, house or HouseRules(), posts, price_to_call)
        if hole_cards is not None:
            self.hold(hole_cards)
        if first_to_act is not None and self.phase is Phase.BETTING:
            self._hand.betting.give_turn(self._hand.place(first_to_act))

    # What is so

    @property
    def disagreements(self) -> list[Disagreement]:
        """Where the server and our rules differ, in the order in which it came up."""
        return self._hand.disagreements

    @property
    def is_logged(self) -> bool:
        """Whether disagreements are logged."""
        return self._hand.is_logged

    def stop_logging(self) -> None:
        """Log no disagreement from now on."""
        self._hand.is_logged = False

    @property
    def hand_number(self) -> int:
        """The number of the hand."""
        return self._hand.started.hand_number

    @property
    def board(self) -> tuple[Card, ...]:
        """The board so far."""
        return self._hand.board

    @property
    def street(self) -> Street:
        """The street being played."""
        return self._hand.betting.street

    @property
    def phase(self) -> Phase:
        """What comes next by our rules."""
        return self._hand.betting.phase

    @property
    def is_over(self) -> bool:
        """Whether `end` was called."""
        return self.phase is Phase.AWARDED

    @property
    def to_act(self) -> Seat | None:
        """The seat to act by our rules, or None."""
        place = self._hand.betting.to_act
        return None if place is None else self._hand.seat(place)

    @property
    def stacks(self) -> dict[Seat, Chips]:
        """Chips behind, by seat; after the end with what was won."""
        return self._by_seat(self._hand.betting.stacks)

    @property
    def bets(self) -> dict[Seat, Chips]:
        """Chips put in on this street, by seat."""
        return self._by_seat(self._hand.betting.bets)

    @property
    def committed(self) -> dict[Seat, Chips]:
        """Chips put in during the whole hand, by seat, without what was returned."""
        return self._by_seat(self._hand.betting.committed)

    @property
    def folded(self) -> frozenset[Seat]:
        """The seats that have folded."""
        return frozenset(
            seat for seat, is_folded in self._by_seat(self._hand.betting.is_folded).items() if is_folded
        )

    @property
    def pot(self) -> Chips:
        """All chips put in so far, without what was returned."""
        return self._hand.betting.pot

    def observe(self) -> Observation:
        """Return all that our seat may know now; `FollowError` if our hole cards are not known yet."""
        if self._own_cards is None:
            raise FollowError("Our hole cards are not known yet.")
        return self._hand.observe(self.own_seat, self._own_cards)

    # What the server says

    def hold(self, cards: HoleCards) -> None:
        """Take our own hole cards."""
        self._check_new(cards, but=self._hand.place(self.own_seat))
        ordered = _higher_first(cards)
        if self._own_cards is not None and self._own_cards != ordered:
            self._hand.disagree("our hole cards", format_cards(self._own_cards), format_cards(ordered))
        self._own_cards = ordered

    def ask(self, seat: Seat) -> bool:
        """Give the turn to the seat that the server asks, and return whether there is anything to decide.

        There is not where the seat has no chips or has folded, or nobody could call its bet and nothing is to
        call.
        """
        self._check_running()
        place, betting = self._hand.place(seat), self._hand.betting
        if betting.to_act == place:
            return True
        stacks, bets = betting.stacks, betting.bets
        others = [other for other, is_folded in enumerate(betting.is_folded) if not is_folded and other != place]
        if betting.is_folded[place] or not stacks[place]:
            return False
        if not any(stacks[other] or bets[other] > bets[place] for other in others):
            return False
        self._hand.give_turn(place)
        return True

    def act(
        self,
        seat: Seat,
        kind: ActionKind | None = None,
        *,
        put_in: Chips | None = None,
        street_total: Chips | None = None,
        hand_total: Chips | None = None,
    ) -> None:
        """Take a seat's action, as the server says it, in chips by at most one of the amounts.

        Chips win over words: a raise that only calls is a call, and without a word they decide. A call with
        nothing to call is a check. A raise needs an amount; a call without one is what our rules say.

        Parameters
        ----------
        seat : int
        kind : ActionKind, optional
        put_in, street_total, hand_total : int, optional
            Chips that the action added, or the seat's total on this street or in this hand after it.
        """
        self._check_running()
        place, betting = self._hand.place(seat), self._hand.betting
        bet = betting.bets[place]
        if hand_total is not None:
            street_total = hand_total - betting.committed[place] + bet
        if street_total is not None:
            put_in = street_total - bet
        if put_in is None and kind in (None, ActionKind.RAISE):
            raise FollowError("A bet or raise needs its amount.")
        if put_in is not None and put_in < 0:
            self._hand.disagree(f"chips of {self._hand.name(place)} on this street", bet, bet + put_in)
            put_in = 0
        self._hand.act(place, kind, put_in)

    def deal(self, cards: Sequence[Card]) -> None:
        """Take new board cards, those of one street or of several."""
        self._check_running()
        self._check_new(cards)
        hand = self._hand
        sizes = [BOARD_SIZE[street] for street in Street if BOARD_SIZE[street] > len(hand.board)]
        board = (*hand.board, *cards)
        if len(board) not in sizes:
            raise FollowError(f"{len(cards)} cards cannot follow a board of {len(hand.board)}.")
        for size in sizes[: sizes.index(len(board)) + 1]:
            if self.phase not in (Phase.STREET_OVER, Phase.RUN_OUT):
                hand.end_street()
            hand.deal(board[len(hand.board) : size])

    def deal_up_to(self, board: Sequence[Card]) -> None:
        """Take the whole board as it is now; nothing happens if it is known."""
        known = self._hand.board
        if tuple(board[: len(known)]) != known:
            raise FollowError(f"The board was {format_cards(known)} and is now {format_cards(tuple(board))}.")
        if len(board) > len(known):
            self.deal(board[len(known) :])

    def show(self, seat: Seat, cards: HoleCards) -> None:
        """Take hole cards that everybody sees, of whoever was dealt in; known ones change nothing."""
        self._check_running()
        place = self._hand.place(seat)
        self._check_new(cards, but=place)
        ordered = _higher_first(cards)
        if seat == self.own_seat:
            self.hold(ordered)
        if self._hand.shown.get(place) != ordered:
            self._hand.show(place, ordered)

    def award(self, seat: Seat, amount: Chips) -> None:
        """Take what a seat wins, all pots together or one after another; `end` gives it out."""
        self._check_running()
        if amount < 0:
            raise FollowError(f"Nobody wins {amount} chips.")
        place, won = self._hand.place(seat), self._hand.won or {}
        self._hand.won = won | {place: won.get(place, 0) + amount}

    def discard_pot(self) -> None:
        """Let nobody win what is in the middle, where even the last player has folded."""
        self._check_running()
        self._hand.discard_pot()
        self._is_discarded = True

    def check(
        self,
        seat: Seat | None = None,
        *,
        stack: Chips | None = None,
        bet: Chips | None = None,
        committed: Chips | None = None,
        is_folded: bool | None = None,
        pot: Chips | None = None,
    ) -> bool:
        """Compare the server's figures with ours, take over those that differ, and return whether all agreed.

        Parameters
        ----------
        seat : int, optional
            Whose figures; not needed for the pot.
        stack, bet, committed : int, optional
            Its chips behind, put in on this street, and in the whole hand; an uncalled bet may be returned or not.
        is_folded : bool, optional
        pot : int, optional
            All chips put in so far; what is not ours is dead money of the main pot, so check seats first.
        """
        before, hand, betting = len(self.disagreements), self._hand, self._hand.betting
        if seat is not None:
            place = hand.place(seat)
            returned, name = hand.returned.get(place, 0), hand.name(place)
            if _differs(stack, betting.stacks[place], -returned):
                hand.disagree(f"stack of {name}", betting.stacks[place], stack)
                betting.correct(place, stack=stack)
            if committed is not None and _differs(committed, betting.committed[place], returned):
                hand.disagree(f"chips in this hand of {name}", betting.committed[place], committed)
                moved = max(betting.bets[place] + committed - betting.committed[place], 0)
                betting.correct(place, committed=committed, bet=moved if bet is None else None)
            if _differs(bet, betting.bets[place], returned):
                hand.disagree(f"chips on this street of {name}", betting.bets[place], bet)
                betting.correct(place, bet=bet)
            if is_folded is not None and is_folded != betting.is_folded[place]:
                hand.disagree(f"whether {name} has folded", not is_folded, is_folded)
                betting.correct(place, is_folded=is_folded)
        if pot is not None and pot not in (self.pot, self.pot + sum(hand.returned.values())):
            hand.disagree("the pot", self.pot, pot)
            betting.dead += pot - self.pot
        return len(self.disagreements) == before

    def end(self, stacks: Mapping[Seat, Chips] | None = None) -> None:
        """Award the pots and finish the hand with the server's stacks of some or all seats.

        Without them, and without `award`, the pots go to the best hands as far as they are known.
        """
        self._check_running()
        final = {self._hand.place(seat): chips for seat, chips in (stacks or {}).items()}
        self._hand.end(self._known_cards(), final, is_discarded=self._is_discarded)

    def _by_seat(self, numbers: Sequence[int]) -> dict[Seat, int]:
        return dict(zip(self._hand.places, numbers, strict=True))

    def _check_running(self) -> None:
        if self.is_over:
            raise FollowError(f"Hand {self.hand_number} is over.")

    def _check_new(self, cards: Sequence[Card], but: int | None = None) -> None:
        """Refuse a card that is known to be elsewhere than at the place `but`."""
        known = dict.fromkeys(self._hand.board, "on the board")
        known |= {
            card: f"{self._hand.name(place)}'s"
            for place, pair in self._known_cards().items()
            if place != but
            for card in pair
        }
        for number, card in enumerate(cards):
            if card in known or card in cards[:number]:
                raise FollowError(f"The {format_card(card)} is {known.get(card, 'told')} already.")

    def _known_cards(self) -> dict[int, HoleCards]:
        """Return the hole cards that were shown, and our own, by place."""
        own = {} if self._own_cards is None else {self._hand.place(self.own_seat): self._own_cards}
        return self._hand.shown | own


def _differs(theirs: Chips | None, ours: Chips, returned: Chips) -> bool:
    """Whether a server's figure is not ours; an uncalled bet counts as returned or not, as it suits."""
    return theirs is not None and theirs not in (ours, ours + returned)


def _check_start(started: HandStarted, own_seat: Seat) -> None:
    numbers = [start.seat for start in started.seats]
    if not MIN_SEATS <= len(numbers) <= MAX_SEATS:
        raise FollowError(f"A hand needs {MIN_SEATS} to {MAX_SEATS} players, not {len(numbers)}.")
    if any(low >= high for low, high in pairwise(numbers)):
        raise FollowError(f"Seats must stand in rising order, and these are {numbers}.")
    for seat in (started.button, own_seat):
        if seat not in numbers:
            raise FollowError(f"The button and our seat must be dealt in, and {seat} is none of {numbers}.")
    for start in started.seats:
        if start.stack < 1:
            raise FollowError(f"Every player dealt in needs chips, and {start.name} has {start.stack}.")
    small_blind, big_blind, ante = started.small_blind, started.big_blind, started.ante
    if not 0 <= small_blind <= big_blind or big_blind < 1 or ante < 0:
        raise FollowError(f"No hand is played with blinds of {small_blind} and {big_blind} and an ante of {ante}.")


def _higher_first(cards: HoleCards) -> HoleCards:
    if len(cards) != 2:
        raise FollowError(f"There are two hole cards, not {len(cards)}.")
    first, second = cards
    return (first, second) if first > second else (second, first)
