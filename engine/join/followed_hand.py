"""A hand at somebody else's table, told by messages: the same `Observation` that our own table gives.

The rules' own kernel follows chips, pots, turns, streets and all-ins (`engine.game.replay`). Where the server
says otherwise, its figure wins: the state is corrected so that what it says is possible, a `Disagreement` with both
sides is kept and logged, and play goes on.

Two things are no disagreement, since servers differ there in when they tell, not in what: a check where nobody can
bet any more is left out, and an uncalled bet may be returned at once, as here, or with the pots. Nor is what a
server is known to do by rules of its own (`HouseRules`).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, structs

from engine.cards import BOARD_SIZE, Card, HoleCards, Street, format_card, format_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    Chips,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
    SeatStart,
    UncalledBetReturned,
)
from engine.game.observation import LegalActions, Observation, Pot, SeatView
from engine.game.replay import ToldHand
from engine.game.rules import MAX_SEATS, MIN_SEATS, Phase
from engine.join.awards import awards_by_cards, shared_out

_log = logging.getLogger(__name__)

_ANY_STACK = 1 << 60


class FollowError(ValueError):
    """What cannot be part of the hand, such as a card that is dealt twice; the message says why."""


class ForcedPost(Struct, frozen=True):
    """What a seat had to post, as the server said; `amount` is what it did post, in chips."""

    seat: Seat
    kind: PostKind
    amount: Chips


class HouseRules(Struct, frozen=True):
    """What a server is known to do otherwise than our rules; it is followed without a word.

    Attributes
    ----------
    takes_any_bet : bool
        Whether it takes any bet and raise that a stack pays: less than the least raise, after as many as there may
        be, when it is closed, more than anybody can call, and by a player who has no opponent left to call it; and
        a fold there.
    awards : callable
        Who wins what, from the hand and the known cards by place; None where they do not tell.
    """

    takes_any_bet: bool = False
    awards: Callable[[ToldHand, Mapping[int, HoleCards]], tuple[PotAwarded, ...] | None] = awards_by_cards


_OUR_RULES = HouseRules()


class Disagreement(Struct, frozen=True):
    """A figure that the server gives otherwise than our rules; `what` names it."""

    what: str
    ours: str
    theirs: str


class FollowedHand:
    """One hand, message by message.

    Parameters
    ----------
    hand_number : int
    kind : GameKind
    seats : sequence of SeatStart
        2 to 10 players dealt in, clockwise in rising order of seat number, with their stacks before any post. The
        names are those by which opponents are remembered.
    button : int
        One of these seats. Who acts first after the flop is the next one clockwise, so where a table's own button
        says otherwise, give the seat before that one.
    small_blind, big_blind, ante : int
        The stakes in chips, whatever is posted; the least raise is a big blind.
    own_seat : int
    hole_cards : tuple of two Card, optional
        Our own; `hold` gives them later.
    posts : sequence of ForcedPost, optional
        Everything posted, in the server's order: a blind may be missing or short, straddles may follow. Those of
        our rules by default. Where nobody posts a big blind, the price to call is the largest post.
    max_raises : int
        Bets and raises allowed per street, 0 for any number.
    first_to_act : int, optional
        Who acts first before the flop, where that is not the seat after the largest post.
    price_to_call : int, optional
        What a seat must have put in to call before the flop, and the least raise there, where that is no big blind:
        at some tables a short big blind makes no full one.
    rules : HouseRules, optional
        What the server does otherwise than our rules.

    Attributes
    ----------
    disagreements : list of Disagreement
        In the order in which they came up.
    is_logged : bool
        Whether they are logged, too.

    Raises
    ------
    FollowError
        If seats, stacks, button, blinds, posts or cards are impossible.

    Examples
    --------
    >>> hand = FollowedHand(
    ...     hand_number=1,
    ...     kind=GameKind.CASH,
    ...     seats=[SeatStart(0, "ann", 1000), SeatStart(1, "bob", 1000)],
    ...     button=0,
    ...     small_blind=10,
    ...     big_blind=20,
    ...     own_seat=1,
    ...     hole_cards=(Card(51), Card(50)),
    ... )
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
        *,
        hand_number: int,
        kind: GameKind,
        seats: Sequence[SeatStart],
        button: Seat,
        small_blind: Chips,
        big_blind: Chips,
        own_seat: Seat,
        ante: Chips = 0,
        hole_cards: HoleCards | None = None,
        posts: Sequence[ForcedPost] | None = None,
        max_raises: int = 0,
        first_to_act: Seat | None = None,
        price_to_call: Chips | None = None,
        rules: HouseRules = _OUR_RULES,
    ) -> None:
        self._rules = rules
        self.is_logged = True
        numbers = [start.seat for start in seats]
        _check_start(seats, (button, own_seat), small_blind, big_blind, ante)
        self.disagreements: list[Disagreement] = []
        self.own_seat = own_seat
        self._places = {seat: place for place, seat in enumerate(numbers)}
        self._own_cards: HoleCards | None = None
        self._shown: dict[int, HoleCards] = {}
        self._told_awards: dict[int, Chips] | None = None
        self._is_discarded = False
        self._returned: dict[int, Chips] = {}
        self._behind: list[Chips] | None = None
        self._hand = ToldHand(
            HandStarted(hand_number, kind, tuple(seats), button, small_blind, big_blind, ante),
            has_small_blind=posts is None or any(post.kind is PostKind.SMALL_BLIND for post in posts),
            max_raises=max_raises,
        )
        if hole_cards is not None:
            self.hold(hole_cards)
        if price_to_call is not None:
            kernels = self._hand.kernels
            self._hand.state[kernels.BIG_BLIND] = self._hand.state[kernels.FULL_RAISE] = price_to_call
        self._post(self._usual_posts() if posts is None else posts)
        if first_to_act is not None and self.phase is Phase.BETTING:
            self._hand.state[self._hand.kernels.TO_ACT] = self._place(first_to_act)

    # What is so

    @property
    def hand_number(self) -> int:
        """The number of the hand."""
        return self._hand.started.hand_number

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """The hand so far, `HandStarted` first."""
        return tuple(self._hand.events)

    @property
    def board(self) -> tuple[Card, ...]:
        """The board so far."""
        return self._hand.board

    @property
    def street(self) -> Street:
        """The street being played."""
        return self._hand.street

    @property
    def phase(self) -> Phase:
        """What comes next by our rules."""
        return self._hand.phase

    @property
    def is_over(self) -> bool:
        """Whether `end` was called."""
        return self._behind is not None

    @property
    def to_act(self) -> Seat | None:
        """The seat to act by our rules, or None."""
        place = self._hand.to_act
        return None if place is None else self._seat(place)

    @property
    def stacks(self) -> dict[Seat, Chips]:
        """Chips behind, by seat; after the end with what was won."""
        return self._by_seat(self._hand.kernels.STACK)

    @property
    def bets(self) -> dict[Seat, Chips]:
        """Chips put in on this street, by seat."""
        return self._by_seat(self._hand.kernels.BET)

    @property
    def committed(self) -> dict[Seat, Chips]:
        """Chips put in during the whole hand, by seat, without what was returned."""
        return self._by_seat(self._hand.kernels.COMMITTED)

    @property
    def folded(self) -> frozenset[Seat]:
        """The seats that have folded."""
        return frozenset(
            seat for seat, is_folded in self._by_seat(self._hand.kernels.IS_FOLDED).items() if is_folded
        )

    @property
    def pot(self) -> Chips:
        """All chips put in so far, without what was returned."""
        return sum(self._hand.per_place(self._hand.kernels.COMMITTED)) + self._hand.dead

    @property
    def shown(self) -> dict[Seat, HoleCards]:
        """Hole cards that were shown, by seat."""
        return {self._seat(place): cards for place, cards in self._shown.items()}

    def observe(self) -> Observation:
        """Give all that our seat may know now.

        Raises
        ------
        FollowError
            If our hole cards are not known yet.
        """
        if self._own_cards is None:
            raise FollowError("Our hole cards are not known yet.")
        hand, kernels, started = self._hand, self._hand.kernels, self._hand.started
        stacks, bets, committed = map(hand.per_place, (kernels.STACK, kernels.BET, kernels.COMMITTED))
        is_folded = list(map(bool, hand.per_place(kernels.IS_FOLDED)))
        behind = self._behind or stacks
        to_act = self.to_act
        return Observation(
            seat=self.own_seat,
            hole_cards=self._own_cards,
            hand_number=started.hand_number,
            kind=started.kind,
            button=started.button,
            small_blind=started.small_blind,
            big_blind=started.big_blind,
            ante=started.ante,
            street=hand.street,
            board=hand.board,
            seats=tuple(
                SeatView(
                    seat=start.seat,
                    name=start.name,
                    stack=stacks[place],
                    bet=bets[place],
                    committed=committed[place],
                    is_folded=is_folded[place],
                    is_all_in=not is_folded[place] and behind[place] == 0,
                    shown=self._shown.get(place),
                )
                for place, start in enumerate(started.seats)
            ),
            pots=() if self.is_over else self._hand.pots(),
            to_act=to_act,
            legal=_legal_actions(hand.legal()) if to_act == self.own_seat else None,
            events=self.events,
        )

    # What is told

    def hold(self, cards: HoleCards) -> None:
        """Take our own hole cards.

        Raises
        ------
        FollowError
            If a card is known to be elsewhere, or stands twice.
        """
        place = self._place(self.own_seat)
        self._check_new(cards, but=place)
        ordered = _higher_first(cards)
        if self._own_cards is not None and self._own_cards != ordered:
            self._disagree("our hole cards", format_cards(self._own_cards), format_cards(ordered))
        self._own_cards = ordered

    def ask(self, seat: Seat) -> bool:
        """Give the turn to the seat that the server asks.

        Returns
        -------
        bool
            Whether there is anything to decide. There is not where the seat can only check: without chips, out of
            the hand, or with nobody left who could call a bet and nothing to call.
        """
        self._check_running()
        place, hand, kernels = self._place(seat), self._hand, self._hand.kernels
        if hand.to_act == place:
            return True
        live = [other for other, is_folded in enumerate(hand.per_place(kernels.IS_FOLDED)) if not is_folded]
        stacks, bets = hand.per_place(kernels.STACK), hand.per_place(kernels.BET)
        if place not in live or len(live) == 1 or not stacks[place]:
            return False
        others = [other for other in live if other != place]
        if not any(stacks[other] or bets[other] > bets[place] for other in others):
            return False
        self._give_turn(place)
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
        """Take a seat's action, as the server told it.

        Parameters
        ----------
        seat : int
        kind : ActionKind, optional
            What the server called it; without it the chips decide. Chips win over words: a raise that only calls
            is a call. A call with nothing to call is a check.
        put_in, street_total, hand_total : int, optional
            One of them at most: chips that the action added, or the seat's total on this street or in this hand
            after it. Needed for a raise; a call without them is what our rules say.

        Raises
        ------
        FollowError
            If the seat was not dealt in, the hand is over, or a raise comes without its amount.
        """
        self._check_running()
        place, hand, kernels = self._place(seat), self._hand, self._hand.kernels
        bet = hand.per_place(kernels.BET)[place]
        if hand_total is not None:
            street_total = hand_total - hand.per_place(kernels.COMMITTED)[place] + bet
        if street_total is not None:
            put_in = street_total - bet
        if put_in is None and kind in (None, ActionKind.RAISE):
            raise FollowError("A bet or raise needs its amount.")
        if put_in is not None and put_in < 0:
            self._disagree(f"chips of {self._name(place)} on this street", bet, bet + put_in)
            put_in = 0
        if hand.phase is not Phase.BETTING and put_in and put_in >= self._returned.get(place, 0):
            put_in -= self._returned.get(place, 0)  # what came back still lies there by the server's count
        if hand.phase is not Phase.BETTING and not put_in and kind is not ActionKind.FOLD:
            return  # nobody is left who could be called by a bet
        if self._rules.takes_any_bet and hand.phase in (Phase.RUN_OUT, Phase.SHOWDOWN, Phase.FOLDED_OUT):
            self._act_alone(place, kind, put_in)
            return
        self._give_turn(place)
        if kind is ActionKind.FOLD:
            hand.take(ActionKind.FOLD)
        else:
            self._put_in(place, kind, put_in)
        self._note_returned()

    def all_in(self, seat: Seat) -> None:
        """Take a seat's action that put in all its chips, whether that is a call or a raise.

        Raises
        ------
        FollowError
            As `act`.
        """
        self.act(seat, put_in=self.stacks.get(seat, 0))

    def deal(self, cards: Sequence[Card]) -> None:
        """Take new board cards, those of one street or of several.

        Raises
        ------
        FollowError
            If a card is known to be elsewhere, there are too few or too many, or the hand is over.
        """
        self._check_running()
        hand = self._hand
        self._check_new(cards)
        sizes = [BOARD_SIZE[street] for street in Street if BOARD_SIZE[street] > len(hand.board)]
        board = (*hand.board, *cards)
        if len(board) not in sizes:
            raise FollowError(f"{len(cards)} cards cannot follow a board of {len(hand.board)}.")
        for size in sizes[: sizes.index(len(board)) + 1]:
            if hand.phase not in (Phase.STREET_OVER, Phase.RUN_OUT):
                self._end_street()
            hand.deal(board[len(hand.board) : size])
            # The kernels know the price to call before the flop as a big blind; the least bet is a real one.
            hand.state[hand.kernels.FULL_RAISE] = hand.started.big_blind

    def deal_up_to(self, board: Sequence[Card]) -> None:
        """Take the whole board as it is now; nothing happens if it is known.

        Raises
        ------
        FollowError
            As `deal`, or if it does not begin with the board as it was.
        """
        known = self._hand.board
        if tuple(board[: len(known)]) != known:
            raise FollowError(f"The board was {format_cards(known)} and is now {format_cards(tuple(board))}.")
        if len(board) > len(known):
            self.deal(board[len(known) :])

    def show(self, seat: Seat, cards: HoleCards) -> None:
        """Take hole cards that everybody sees, of whoever was dealt in; those known are not told again.

        Raises
        ------
        FollowError
            If a card is known to be elsewhere, or the hand is over.
        """
        self._check_running()
        place = self._place(seat)
        self._check_new(cards, but=place)
        ordered = _higher_first(cards)
        if seat == self.own_seat:
            self.hold(ordered)
        if self._shown.get(place) != ordered:
            self._shown[place] = ordered
            self._hand.events.append(HoleCardsShown(seat, ordered))

    def muck(self, seat: Seat) -> None:
        """Take it that a seat threw its cards away unseen at showdown.

        Raises
        ------
        FollowError
            If the seat was not dealt in or the hand is over.
        """
        self._check_running()
        self._place(seat)
        self._hand.events.append(HoleCardsMucked(seat))

    def award(self, seat: Seat, amount: Chips) -> None:
        """Take what a seat wins, all pots together or one after another; `end` gives it out.

        Raises
        ------
        FollowError
            If the seat was not dealt in, the amount is negative or the hand is over.
        """
        self._check_running()
        if amount < 0:
            raise FollowError(f"Nobody wins {amount} chips.")
        place = self._place(seat)
        awards = self._told_awards or {}
        self._told_awards = awards | {place: awards.get(place, 0) + amount}

    def discard_pot(self) -> None:
        """Take it that nobody wins what is in the middle, where even the last player has folded."""
        self._check_running()
        for place in list(self._returned):
            self._lose_returned(place)
        self._told_awards, self._is_discarded = {}, True

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
        """Compare the server's figures with ours, and take over those that differ.

        Parameters
        ----------
        seat : int, optional
            Whose figures; not needed for the pot.
        stack, bet, committed : int, optional
            Its chips behind, put in on this street, and in the whole hand.
        is_folded : bool, optional
            Whether it has folded.
        pot : int, optional
            All chips put in so far. What is not ours is dead money of the main pot from then on, so check seats
            first.

        Returns
        -------
        bool
            Whether all agreed. An uncalled bet counts as returned or as still in the middle, as it suits.

        Raises
        ------
        FollowError
            If the seat was not dealt in.
        """
        agreed = True
        hand, kernels = self._hand, self._hand.kernels
        if seat is not None:
            place = self._place(seat)
            back, name = self._returned.get(place, 0), self._name(place)
            for what, index, theirs, sign in (
                ("stack", kernels.STACK, stack, -1),
                ("chips in this hand", kernels.COMMITTED, committed, 1),
                ("chips on this street", kernels.BET, bet, 1),
            ):
                ours = int(hand.state[index + place])
                if theirs is None or theirs in (ours, ours + sign * back):
                    continue
                agreed = False
                self._disagree(f"{what} of {name}", ours, theirs)
                hand.state[index + place] = theirs
                if index == kernels.COMMITTED and bet is None:
                    hand.state[kernels.BET + place] = max(hand.state[kernels.BET + place] + theirs - ours, 0)
            if is_folded is not None and is_folded != bool(hand.state[kernels.IS_FOLDED + place]):
                agreed = False
                self._disagree(f"whether {name} has folded", not is_folded, is_folded)
                hand.state[kernels.IS_FOLDED + place] = is_folded
        if pot is not None and pot not in (self.pot, self.pot + sum(self._returned.values())):
            agreed = False
            self._disagree("the pot", self.pot, pot)
            hand.dead += pot - self.pot
        return agreed

    def end(self, stacks: Mapping[Seat, Chips] | None = None) -> None:
        """Give out the pots and finish the hand.

        Parameters
        ----------
        stacks : mapping of int to int, optional
            The chips of some or all seats afterwards, as the server says. Without them, and without `award`, the
            pots go to the best hands as far as they are known.

        Raises
        ------
        FollowError
            If the hand is over already or a seat was not dealt in.
        """
        self._check_running()
        hand, kernels = self._hand, self._hand.kernels
        final = {self._place(seat): chips for seat, chips in (stacks or {}).items()}
        if hand.phase not in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            self._disagree("what comes next", hand.phase.name.lower().replace("_", " "), "the hand is over")
            hand.state[kernels.TO_ACT] = -1
        before = hand.per_place(kernels.STACK)
        pots = self._hand.pots()
        theirs = self._told_awards
        if theirs is None and final:
            theirs = {place: max(chips - before[place], 0) for place, chips in final.items()}
        is_whole = self._told_awards is not None
        ours = () if self._is_discarded else self._our_awards(theirs, is_whole=is_whole)
        awards = self._agreed_awards(ours, theirs, pots, is_whole=is_whole)
        hand.events += awards
        after = list(before)
        for award in awards:
            after[self._place(award.seat)] += award.amount
        for place, chips in final.items():
            if chips != after[place]:
                self._disagree(f"stack of {self._name(place)} after the hand", after[place], chips)
                after[place] = chips
        hand.state[kernels.STACK : kernels.STACK + len(after)] = after
        hand.state[kernels.BET : kernels.BET + len(after)] = 0
        hand.state[kernels.PHASE] = kernels.AWARDED
        hand.events.append(HandEnded(tuple(after)))
        self._behind = before

    # How it is followed

    def _place(self, seat: Seat) -> int:
        if seat not in self._places:
            raise FollowError(f"Seat {seat} was not dealt into hand {self.hand_number}.")
        return self._places[seat]

    def _seat(self, place: int) -> Seat:
        return self._hand.started.seats[place].seat

    def _name(self, place: int) -> str:
        return self._hand.started.seats[place].name

    def _by_seat(self, what: int) -> dict[Seat, int]:
        return {self._seat(place): number for place, number in enumerate(self._hand.per_place(what))}

    def _check_running(self) -> None:
        if self.is_over:
            raise FollowError(f"Hand {self.hand_number} is over.")

    def _check_new(self, cards: Sequence[Card], but: int | None = None) -> None:
        """Refuse a card that is known to be elsewhere than at the place `but`."""
        known = dict.fromkeys(self._hand.board, "on the board")
        own = self._places[self.own_seat]
        holders = self._shown | ({own: self._own_cards} if self._own_cards else {})
        known |= {
            card: f"{self._name(place)}'s" for place, pair in holders.items() if place != but for card in pair
        }
        for number, card in enumerate(cards):
            if card in known or card in cards[:number]:
                raise FollowError(f"The {format_card(card)} is {known.get(card, 'told')} already.")

    def _known_cards(self) -> dict[int, HoleCards]:
        """Give the hole cards that were shown, and our own."""
        own = {} if self._own_cards is None else {self._places[self.own_seat]: self._own_cards}
        return self._shown | own

    def _disagree(self, what: str, ours: object, theirs: object) -> None:
        self.disagreements.append(Disagreement(what, str(ours), str(theirs)))
        if not self.is_logged:
            return
        _log.warning("Hand %d, %s: %s by our count, %s by the server's.", self.hand_number, what, ours, theirs)

    def _usual_posts(self) -> list[ForcedPost]:
        """Give what our rules make everybody post, in the order in which a table announces it."""
        hand, kernels, started = self._hand, self._hand.kernels, self._hand.started
        count, button = len(started.seats), self._places[started.button]
        behind = [start.stack - min(started.ante, start.stack) for start in started.seats]
        clockwise = [(button + 1 + step) % count for step in range(count)]
        posts = [
            ForcedPost(self._seat(place), PostKind.ANTE, started.seats[place].stack - behind[place])
            for place in clockwise
        ]
        for kind, index, blind in (
            (PostKind.SMALL_BLIND, kernels.SMALL_BLIND_SEAT, started.small_blind),
            (PostKind.BIG_BLIND, kernels.BIG_BLIND_SEAT, started.big_blind),
        ):
            place = int(hand.state[index])
            posts.append(ForcedPost(self._seat(place), kind, min(blind, behind[place])))
        return posts

    def _post(self, posts: Sequence[ForcedPost]) -> None:
        hand, kernels = self._hand, self._hand.kernels
        blinds = {post.kind: self._place(post.seat) for post in posts}
        if PostKind.BIG_BLIND in blinds:
            hand.state[kernels.BIG_BLIND_SEAT] = blinds[PostKind.BIG_BLIND]
        hand.state[kernels.SMALL_BLIND_SEAT] = blinds.get(PostKind.SMALL_BLIND, -1)
        for post in posts:
            place = self._place(post.seat)
            stack = hand.per_place(kernels.STACK)[place]
            if not 0 <= post.amount <= stack:
                raise FollowError(f"{self._name(place)} cannot post {post.amount} of {stack} chips.")
            hand.post(place, post.kind, post.amount)
        if PostKind.BIG_BLIND not in blinds:
            hand.state[kernels.BIG_BLIND] = max(hand.per_place(kernels.BET))
        hand.ask_first()
        self._note_returned()

    def _note_returned(self) -> None:
        """Remember whose bet came back, since a server may return it later."""
        kernels, state = self._hand.kernels, self._hand.state
        if self.phase is not Phase.BETTING and state[kernels.UNCALLED_SEAT] >= 0:
            self._returned = {int(state[kernels.UNCALLED_SEAT]): int(state[kernels.UNCALLED_AMOUNT])}

    def _give_turn(self, place: int) -> None:
        """Let a place act, whoever is to act by our rules."""
        hand, kernels = self._hand, self._hand.kernels
        turn = hand.to_act
        if turn != place and not (self._rules.takes_any_bet and not hand.state[kernels.STACK + place]):
            ours = "nobody's" if turn is None else f"{self._name(turn)}'s"
            self._disagree("whose turn it is", ours, f"{self._name(place)}'s")
        if turn is None:
            self._take_back()
        hand.state[kernels.PHASE], hand.state[kernels.TO_ACT] = kernels.BETTING, place
        if hand.state[kernels.IS_FOLDED + place]:
            hand.state[kernels.IS_FOLDED + place] = 0
            hand.state[kernels.LEVEL_ANSWERED + place] = -1

    def _act_alone(self, place: int, kind: ActionKind | None, put_in: Chips | None) -> None:
        """Bet or fold where nobody can call: the bet is as if it came back at once."""
        hand, kernels = self._hand, self._hand.kernels
        if kind is not ActionKind.FOLD:
            self._returned[place] = self._returned.get(place, 0) + (put_in or 0)
        elif hand.phase is not Phase.FOLDED_OUT:
            # What has come back is lost after all, by the server's count.
            back, seat = self._returned.pop(place, 0), self._seat(place)
            hand.state[kernels.STACK + place] -= back
            hand.state[kernels.COMMITTED + place] += back
            hand.events[:] = [
                event
                for event in hand.events
                if not (isinstance(event, UncalledBetReturned) and event.seat == seat)
            ]
            hand.state[kernels.PHASE], hand.state[kernels.TO_ACT] = kernels.BETTING, place
            hand.take(ActionKind.FOLD)
            if self.phase is Phase.BETTING or self.phase is Phase.STREET_OVER:
                hand.state[kernels.PHASE], hand.state[kernels.TO_ACT] = kernels.RUN_OUT, -1

    def _lose_returned(self, place: int) -> None:
        """Take what has come back to a place into the middle: who folds after it loses that, too."""
        hand, kernels = self._hand, self._hand.kernels
        back, seat = self._returned.pop(place, 0), self._seat(place)
        hand.state[kernels.STACK + place] -= back
        hand.state[kernels.COMMITTED + place] += back
        hand.events[:] = [
            event for event in hand.events if not isinstance(event, UncalledBetReturned) or event.seat != seat
        ]

    def _take_back(self) -> None:
        """Put a bet that has just come back as uncalled into the middle again: the street is not over yet."""
        hand, kernels = self._hand, self._hand.kernels
        returned = self._returned if isinstance(hand.events[-1], UncalledBetReturned) else {}
        for place, amount in returned.items():
            hand.state[kernels.STACK + place] -= amount
            hand.state[kernels.BET + place] += amount
            hand.state[kernels.COMMITTED + place] += amount
            hand.events.pop()
        self._returned = {}

    def _put_in(self, place: int, kind: ActionKind | None, put_in: Chips | None) -> None:
        """Check, call or raise by the chips put in, where the rules allow it or not."""
        hand, kernels = self._hand, self._hand.kernels
        stack, bet = hand.per_place(kernels.STACK)[place], hand.per_place(kernels.BET)[place]
        if put_in is None:
            put_in = 0 if kind is ActionKind.CHECK else hand.legal()[kernels.CALL_AMOUNT]
        if put_in > stack:
            self._disagree(f"stack of {self._name(place)}", stack, put_in)
            hand.state[kernels.STACK + place] = put_in
        owed = hand.legal()[kernels.TO_CALL]
        really = ActionKind.CHECK if not put_in else ActionKind.CALL if put_in <= owed else ActionKind.RAISE
        if kind not in (None, really) and (kind, really) != (ActionKind.CALL, ActionKind.CHECK):
            self._disagree(f"{self._name(place)}'s action", really, kind)
        if really is ActionKind.RAISE:
            self._raise(place, bet + put_in, owed)
        elif put_in == owed:
            hand.take(really)
        else:
            self._disagree(f"chips for {self._name(place)} to call", owed, put_in)
            self._owe(place, really, put_in)

    def _owe(self, place: int, kind: ActionKind, owed: Chips) -> None:
        """Check or call with fewer chips than our rules ask for."""
        hand, kernels = self._hand, self._hand.kernels
        bet, stack = int(hand.state[kernels.BET + place]), int(hand.state[kernels.STACK + place])
        hand.state[kernels.STACK + place] = _ANY_STACK  # what is owed, whether it can be paid or not
        hand.state[kernels.BET + place] += hand.legal()[kernels.TO_CALL] - owed
        hand.state[kernels.STACK + place] = stack
        at = len(hand.events)
        status = hand.take(kind)
        assert status == kernels.OK
        hand.state[kernels.BET + place] = bet + owed
        event = hand.events[at]
        assert isinstance(event, ActionTaken)
        hand.events[at] = structs.replace(event, bet=bet)

    def _raise(self, place: int, total: Chips, owed: Chips) -> None:
        """Raise, although the cap, the least raise or an unopened bet may forbid it."""
        hand, kernels = self._hand, self._hand.kernels
        state = hand.state
        *_, least, most, _ = hand.legal()
        if hand.take(ActionKind.RAISE, total) == kernels.OK:
            return
        name = self._name(place)
        if most and not self._rules.takes_any_bet:
            self._disagree(f"least raise of {name}", least, total)
        if not most:
            if not self._rules.takes_any_bet:
                self._disagree(f"most chips in front of {name}", int(state[kernels.BET + place]) + owed, total)
            state[kernels.LEVEL_ANSWERED + place] = -1
            if state[kernels.MAX_RAISES]:
                state[kernels.RAISES] = state[kernels.MAX_RAISES] - 1
        full_raise = int(state[kernels.FULL_RAISE])
        level = int(state[kernels.BET + place]) + owed
        state[kernels.FULL_RAISE] = min(full_raise, total - level)
        if hand.take(ActionKind.RAISE, total) == kernels.OK:
            return
        # Nobody can call it: it is as if the excess came back at once.
        state[kernels.FULL_RAISE] = full_raise
        hand.take(ActionKind.CALL if owed else ActionKind.CHECK)
        self._returned = {place: total - level}

    def _end_street(self) -> None:
        """Go on to the next street, which the server has dealt, although by our rules it is not over."""
        hand, kernels = self._hand, self._hand.kernels
        turn = hand.to_act
        ours = hand.phase.name.lower().replace("_", " ") if turn is None else f"{self._name(turn)} is to act"
        self._disagree("what comes next", ours, "another street")
        able = sum(
            stack > 0 and not is_folded
            for stack, is_folded in zip(
                hand.per_place(kernels.STACK), hand.per_place(kernels.IS_FOLDED), strict=True
            )
        )
        hand.state[kernels.TO_ACT] = -1
        hand.state[kernels.PHASE] = kernels.STREET_OVER if able > 1 else kernels.RUN_OUT

    def _our_awards(self, theirs: Mapping[int, Chips] | None, *, is_whole: bool) -> tuple[PotAwarded, ...] | None:
        """Give the awards by the house's rule, or by the usual one where only that is what the server says."""
        rules = dict.fromkeys((self._rules.awards, awards_by_cards))
        found = [awards(self._hand, self._known_cards()) for awards in rules]
        for ours in found:
            if ours is not None and not self._differences(ours, theirs or {}, is_whole=is_whole):
                return ours
        return found[0]

    def _differences(
        self, ours: Sequence[PotAwarded], theirs: Mapping[int, Chips], *, is_whole: bool
    ) -> dict[int, tuple[Chips, Chips]]:
        """Give what who wins by us and by the server, where that is not the same but for an uncalled bet."""
        won = dict.fromkeys(range(len(self._places)), 0)
        for award in ours:
            won[self._places[award.seat]] += award.amount
        return {
            place: (won[place], theirs.get(place, 0))
            for place in (won if is_whole else theirs)
            if theirs.get(place, 0) - won[place] not in (0, self._returned.get(place, 0))
        }

    def _agreed_awards(
        self,
        ours: tuple[PotAwarded, ...] | None,
        theirs: Mapping[int, Chips] | None,
        pots: Sequence[Pot],
        *,
        is_whole: bool,
    ) -> tuple[PotAwarded, ...]:
        """Give the awards by our rules if the server agrees, otherwise the server's, shared out over the pots.

        `theirs` names everybody who wins if `is_whole`, otherwise only those of whom the server said something.
        """
        if theirs is None:
            if ours is None:
                self._disagree("the pot", self.pot, "nothing said")
            return ours or ()
        if ours is not None:
            wrong = self._differences(ours, theirs, is_whole=is_whole)
            if not wrong:
                return ours
            for place, (mine, other) in wrong.items():
                self._disagree(f"what {self._name(place)} wins", mine, other)
        return shared_out({self._seat(place): chips for place, chips in theirs.items()}, pots)


def _check_start(
    seats: Sequence[SeatStart], named: tuple[Seat, Seat], small_blind: Chips, big_blind: Chips, ante: Chips
) -> None:
    numbers = [start.seat for start in seats]
    if not MIN_SEATS <= len(numbers) <= MAX_SEATS:
        raise FollowError(f"A hand needs {MIN_SEATS} to {MAX_SEATS} players, not {len(numbers)}.")
    if any(low >= high for low, high in pairwise(numbers)):
        raise FollowError(f"Seats must stand in rising order, and these are {numbers}.")
    for seat in named:
        if seat not in numbers:
            raise FollowError(f"The button and our seat must be dealt in, and {seat} is none of {numbers}.")
    for start in seats:
        if start.stack < 1:
            raise FollowError(f"Every player dealt in needs chips, and {start.name} has {start.stack}.")
    if not 0 <= small_blind <= big_blind or big_blind < 1 or ante < 0:
        raise FollowError(f"No hand is played with blinds of {small_blind} and {big_blind} and an ante of {ante}.")


def _higher_first(cards: HoleCards) -> HoleCards:
    if len(cards) != 2:
        raise FollowError(f"There are two hole cards, not {len(cards)}.")
    first, second = cards
    return (first, second) if first > second else (second, first)


def _legal_actions(numbers: Sequence[int]) -> LegalActions:
    can_check, call_amount, least, most, _ = numbers
    return LegalActions(bool(can_check), call_amount, least, most)
