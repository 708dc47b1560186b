"""A hand at another's table, in which players do what the server lets them do, and where that is not by our rules.

The rules follow chips, pots, turns, streets and all-ins (`engine.game.rules`). Where the server says otherwise its
figure counts: a correction makes what it says possible, and a `Disagreement` with both sides is kept and logged.
"""

import logging
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from engine.cards import HoleCards
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    Chips,
    HandEnded,
    HandStarted,
    PostKind,
    PotAwarded,
    Seat,
    UncalledBetReturned,
    raise_to,
)
from engine.game.public_hand import PublicHand
from engine.game.rules import CorrectedBetting, Phase, TableRules
from engine.join.awards import awards_by_cards, shared_out

_log = logging.getLogger(__name__)


class FollowError(ValueError):
    """What cannot be part of the hand, such as a card that is dealt twice; the message says why."""


class ForcedPost(Struct, frozen=True):
    """What a seat had to post, and the chips that it did post."""

    seat: Seat
    kind: PostKind
    amount: Chips


class HouseRules(Struct, frozen=True):
    """What a server is known to do otherwise than our rules; it is no disagreement.

    Attributes
    ----------
    takes_any_bet : bool
        Whether any bet, raise and fold counts that the stack allows: too small, too many, closed, or with
        nobody to call.
    awards : callable
        Who wins what, from the hand and the known cards by place; None where they do not say.
    max_raises : int
        Bets and raises allowed per street, 0 for any number.
    """

    takes_any_bet: bool = False
    awards: Callable[[PublicHand, Mapping[int, HoleCards]], tuple[PotAwarded, ...] | None] = awards_by_cards
    max_raises: int = 0


class Disagreement(Struct, frozen=True):
    """A figure that the server gives otherwise than our rules; `what` names it."""

    what: str
    ours: str
    theirs: str


class CorrectedHand(PublicHand):
    """The betting and public events of a hand at another's table, corrected by what its server says.

    Parameters are those of `engine.join.followed_hand.FollowedHand`; `FollowError` if a post is impossible.

    Attributes
    ----------
    disagreements : list of Disagreement
        In the order in which they came up; `is_logged` says whether they are logged, too.
    returned : dict of int to int
        Uncalled bets that came back, by place: a server may return them later.
    won : dict of int to int, or None
        What the server says that places win; None if it says nothing.
    """

    betting: CorrectedBetting

    def __init__(
        self,
        started: HandStarted,
        house: HouseRules,
        posts: Sequence[ForcedPost] | None = None,
        price_to_call: Chips | None = None,
    ) -> None:
        self.places = {start.seat: place for place, start in enumerate(started.seats)}
        betting = CorrectedBetting(
            TableRules(started.small_blind, started.big_blind, started.ante, house.max_raises),
            [start.stack for start in started.seats],
            self.places[started.button],
            has_small_blind=posts is None or any(post.kind is PostKind.SMALL_BLIND for post in posts),
        )
        super().__init__(started, betting)
        self.house = house
        self.disagreements: list[Disagreement] = []
        self.is_logged = True
        self.returned: dict[int, Chips] = {}
        self.won: dict[int, Chips] | None = None
        if price_to_call is not None:
            betting.set_price_to_call(price_to_call)
        self._post(self._usual_posts() if posts is None else posts)

    def place(self, seat: Seat) -> int:
        """Return the place of a seat; `FollowError` if it was not dealt in."""
        if seat not in self.places:
            raise FollowError(f"Seat {seat} was not dealt into hand {self.started.hand_number}.")
        return self.places[seat]

    def name(self, place: int) -> str:
        """Return the name of the player at a place."""
        return self.started.seats[place].name

    def disagree(self, what: str, ours: object, theirs: object) -> None:
        """Keep, and log, that the server gives a figure otherwise than our rules."""
        self.disagreements.append(Disagreement(what, str(ours), str(theirs)))
        if self.is_logged:
            number = self.started.hand_number
            _log.warning("Hand %d, %s: %s by our count, %s by the server's.", number, what, ours, theirs)

    def _usual_posts(self) -> list[ForcedPost]:
        """Return what our rules make everybody post, in the order in which a table announces it."""
        betting, started = self.betting, self.started
        antes = [min(started.ante, start.stack) for start in started.seats]
        posts = [ForcedPost(self.seat(place), PostKind.ANTE, antes[place]) for place in betting.clockwise()]
        for kind, place, blind in (
            (PostKind.SMALL_BLIND, betting.small_blind_place, started.small_blind),
            (PostKind.BIG_BLIND, betting.big_blind_place, started.big_blind),
        ):
            assert place is not None  # nobody is dead where nothing is said
            posts.append(ForcedPost(self.seat(place), kind, min(blind, started.seats[place].stack - antes[place])))
        return posts

    def _post(self, posts: Sequence[ForcedPost]) -> None:
        blinds = {post.kind: self.place(post.seat) for post in posts}
        big_blind = blinds.get(PostKind.BIG_BLIND)
        self.betting.place_blinds(blinds.get(PostKind.SMALL_BLIND), big_blind)
        for post in posts:
            place = self.place(post.seat)
            stack = self.betting.stacks[place]
            if not 0 <= post.amount <= stack:
                raise FollowError(f"{self.name(place)} cannot post {post.amount} of {stack} chips.")
            self.post(place, post.kind, post.amount)
        if big_blind is None:
            self.betting.set_price_to_call(max(self.betting.bets), is_least_raise=False)
        self.ask_first()
        self._note_returned()

    def _note_returned(self) -> None:
        if self.betting.uncalled:
            self.returned = dict([self.betting.uncalled])

    def give_turn(self, place: int) -> None:
        """Let a place act, whoever is to act by our rules."""
        betting, turn = self.betting, self.betting.to_act
        if turn != place and (betting.stacks[place] or not self.house.takes_any_bet):
            ours = "nobody's" if turn is None else f"{self.name(turn)}'s"
            self.disagree("whose turn it is", ours, f"{self.name(place)}'s")
        if turn is None:
            # A bet that has just come back as uncalled is in the middle again: the street is not over yet.
            if isinstance(self.events[-1], UncalledBetReturned):
                for other, amount in self.returned.items():
                    betting.post(other, amount)
                    self.events.pop()
            self.returned = {}
        betting.give_turn(place)

    def act(self, place: int, kind: ActionKind | None, put_in: Chips | None) -> None:
        """Take a place's action by the chips it puts in, which count more than what the server calls it."""
        betting, returned = self.betting, self.returned.get(place, 0)
        if betting.phase is not Phase.BETTING:
            if put_in and put_in >= returned:
                put_in -= returned  # what came back still lies there by the server's count
            if not put_in and kind is not ActionKind.FOLD:
                return  # nobody is left who could be called by a bet
        if self.house.takes_any_bet and betting.phase in (Phase.RUN_OUT, Phase.SHOWDOWN, Phase.FOLDED_OUT):
            self._act_alone(place, kind, put_in)
            return
        self.give_turn(place)
        if kind is ActionKind.FOLD:
            self.take(FOLD)
        else:
            self._put_in(place, kind, put_in)
        self._note_returned()

    def _act_alone(self, place: int, kind: ActionKind | None, put_in: Chips | None) -> None:
        """Bet or fold where nobody can call: the bet is as if it came back at once."""
        betting = self.betting
        if kind is not ActionKind.FOLD:
            self.returned[place] = self.returned.get(place, 0) + (put_in or 0)
        elif betting.phase is not Phase.FOLDED_OUT:
            self.lose_returned(place)
            betting.give_turn(place)
            self.take(FOLD)
            if betting.phase in (Phase.BETTING, Phase.STREET_OVER):
                betting.end_street(is_run_out=True)

    def lose_returned(self, place: int) -> None:
        """Take what has come back to a place into the middle: who folds after it loses that, too."""
        self.betting.post(place, self.returned.pop(place, 0), is_ante=True)
        seat = self.seat(place)
        self.events[:] = [
            event for event in self.events if not isinstance(event, UncalledBetReturned) or event.seat != seat
        ]

    def _put_in(self, place: int, kind: ActionKind | None, put_in: Chips | None) -> None:
        """Check, call or raise by the chips put in, whether the rules allow it or not."""
        betting = self.betting
        if put_in is None:
            put_in = 0 if kind is ActionKind.CHECK else betting.to_call
        if put_in > betting.stacks[place]:
            self.disagree(f"stack of {self.name(place)}", betting.stacks[place], put_in)
            betting.correct(place, stack=put_in)
        owed = betting.to_call
        action = CHECK if not put_in else CALL if put_in <= owed else raise_to(betting.bets[place] + put_in)
        if kind not in (None, action.kind) and (kind, action.kind) != (ActionKind.CALL, ActionKind.CHECK):
            self.disagree(f"{self.name(place)}'s action", action.kind, kind)
        if action.kind is ActionKind.RAISE:
            self._raise(place, action)
        elif put_in == owed:
            if betting.can(action):  # a place without chips, asked all the same, can do nothing
                self.take(action)
        else:
            self.disagree(f"chips for {self.name(place)} to call", owed, put_in)
            self.take(action, chips=put_in)

    def _raise(self, place: int, action: Action) -> None:
        """Raise, although the cap, the least raise or an unopened bet may forbid it."""
        betting, name, total = self.betting, self.name(place), action.raise_to
        if betting.can(action):
            self.take(action)
            return
        legal = betting.legal_actions()
        assert legal is not None
        level = betting.bets[place] + betting.to_call
        if not self.house.takes_any_bet:
            if legal.can_raise:
                self.disagree(f"least raise of {name}", legal.min_raise_to, total)
            else:
                self.disagree(f"most chips in front of {name}", level, total)
        if betting.allow_raise(total):
            self.take(action)
            return
        # Nobody can call it: it is as if the excess came back at once.
        self.take(CALL if betting.to_call else CHECK)
        self.returned = {place: total - level}

    def end_street(self) -> None:
        """Go on to the next street, which the server has dealt, although by our rules it is not over."""
        turn = self.betting.to_act
        ours = self._next_words() if turn is None else f"{self.name(turn)} is to act"
        self.disagree("what comes next", ours, "another street")
        self.betting.end_street()

    def _next_words(self) -> str:
        return self.betting.phase.name.lower().replace("_", " ")

    def discard_pot(self) -> None:
        """Let nobody win what is in the middle."""
        for place in list(self.returned):
            self.lose_returned(place)
        self.won = {}

    def end(self, cards: Mapping[int, HoleCards], final: Mapping[int, Chips], *, is_discarded: bool) -> None:
        """Award the pots, none if `is_discarded`, by cards known by place; `final` are the server's stacks."""
        if self.betting.phase not in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            self.disagree("what comes next", self._next_words(), "the hand is over")
        after = list(self.betting.stacks)
        theirs = self.won
        if theirs is None and final:
            theirs = {place: max(chips - after[place], 0) for place, chips in final.items()}
        awards = self._agreed_awards(() if is_discarded else self._our_awards(cards, theirs), theirs)
        self.events += awards
        for award in awards:
            after[self.places[award.seat]] += award.amount
        for place, chips in final.items():
            if chips != after[place]:
                self.disagree(f"stack of {self.name(place)} after the hand", after[place], chips)
                after[place] = chips
        self.betting.end(after)
        self.events.append(HandEnded(tuple(after)))

    def _our_awards(
        self, cards: Mapping[int, HoleCards], theirs: Mapping[int, Chips] | None
    ) -> tuple[PotAwarded, ...] | None:
        """Return the awards by the house's rule, or by the usual one where only that is what the server says."""
        found = [awards(self, cards) for awards in dict.fromkeys((self.house.awards, awards_by_cards))]
        for ours in found:
            if ours is not None and not self._differences(ours, theirs or {}):
                return ours
        return found[0]

    def _differences(
        self, ours: Sequence[PotAwarded], theirs: Mapping[int, Chips]
    ) -> dict[int, tuple[Chips, Chips]]:
        """Return by place what is won by us and by the server, where that differs beyond uncalled bets."""
        won = dict.fromkeys(range(self.betting.players), 0)
        for award in ours:
            won[self.places[award.seat]] += award.amount
        return {
            place: (won[place], theirs.get(place, 0))
            for place in (theirs if self.won is None else won)
            if theirs.get(place, 0) - won[place] not in (0, self.returned.get(place, 0))
        }

    def _agreed_awards(
        self, ours: tuple[PotAwarded, ...] | None, theirs: Mapping[int, Chips] | None
    ) -> tuple[PotAwarded, ...]:
        """Return the awards by our rules if the server agrees, otherwise the server's, shared out over the pots."""
        if theirs is None:
            if ours is None:
                self.disagree("the pot", self.betting.pot, "nothing said")
            return ours or ()
        if ours is not None:
            wrong = self._differences(ours, theirs)
            if not wrong:
                return ours
            for place, (mine, other) in wrong.items():
                self.disagree(f"what {self.name(place)} wins", mine, other)
        return shared_out({self.seat(place): chips for place, chips in theirs.items()}, self.pots())
