"""The same hand in pokerkit, step by step beside our table, with every difference that is pokerkit's explained.

pokerkit 0.7.7 departs from the rules of the Tournament Directors Association (TDA, 2024) in the ways that
`Difference` lists. Where one of them arises, `TournamentDirectorsState` answers by the rule instead, computed
here from pokerkit's own chips and not from our kernels, so the hand goes on in both and is compared to its end.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pokerkit import Automation, Mode, NoLimitTexasHoldem, StandardHighHand, State

from engine.cards import format_cards
from engine.game.events import (
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    Seat,
)
from engine.game.observation import LegalActions
from engine.game.table import Table


class Difference(StrEnum):
    """How pokerkit departs, and what we do."""

    SHORT_BIG_BLIND = "a big blind posted short lowers pokerkit's price of a call and of a raise"
    """At a table, and here, the price stays a full big blind while somebody else has chips to play for."""
    REOPENING = "pokerkit takes short all-ins for a full raise when they are none, or sums them up anew"
    """It sums up short all-ins since the last full raise for all players alike and measures them by the largest
    wager of the street, even if that was itself short; TDA Rule 47 asks what each player faces since his own last
    action, against a full bet or raise."""
    EQUAL_BLINDS = "heads-up with equal blinds pokerkit lets the big blind act first before the flop"
    """It takes the last of the largest posts for the big blind, and that is the button. TDA Rule 34: the button
    acts first."""
    FREE_FOLD = "pokerkit refuses a fold when a check is free"
    """TDA Rule 58 calls it non-standard but binding."""
    STRADDLE = "pokerkit's least raise above a straddle adds a big blind"
    """A straddle is a blind (Robert's Rules of Poker), so the least raise doubles it."""
    VAIN_QUESTION = "pokerkit asks a player who has nothing to call and nobody left to bet against"
    ODD_CHIPS = "pokerkit gives all odd chips of a split pot to one player"
    """TDA Rule 20, played one chip per winner, first to the left of the button."""
    MERGED_POTS = "pokerkit merges side pots once a beaten all-in player is out, and then splits"
    """TDA Rule 21: each side pot is split separately."""
    ALL_IN_ORDER = "before the flop, without a raise, pokerkit turns all-in hands up from the first to act"
    """No rule orders all-in hands (TDA Rule 16); we always begin left of the button."""


class RememberedHighHand(StandardHighHand):  # type: ignore[misc]
    """pokerkit's evaluation, asked once instead of some thirty times per showdown, which took most of the time."""

    @classmethod
    def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> StandardHighHand:
        return _evaluate(tuple(hole_cards), tuple(board_cards))


@lru_cache(maxsize=256)
def _evaluate(hole_cards: tuple[Any, ...], board_cards: tuple[Any, ...]) -> StandardHighHand:
    return StandardHighHand.from_game(hole_cards, board_cards)


class TournamentDirectorsState(State):  # type: ignore[misc]
    """pokerkit's state with TDA answers; `is_plain` gives its own back."""

    is_plain: bool
    big_blind: int
    straddle: int
    full_raise: int
    answered: list[int | None]
    street_of_answers: int

    @classmethod
    def adopt(cls, state: State, big_blind: int, straddle: int) -> "TournamentDirectorsState":
        state.__class__ = cls
        state.hand_types = (RememberedHighHand,)
        state.is_plain = False
        state.big_blind = big_blind
        state.straddle = straddle
        state.street_of_answers = -1
        return state

    def open_street(self) -> None:
        if self.street_of_answers != self.street_index:
            self.street_of_answers = self.street_index
            self.full_raise = self.straddle or self.big_blind if self.street_index == 0 else self.big_blind
            self.answered = [None] * self.player_count

    def has_opponent_with_chips(self, player: int) -> bool:
        return any(self.statuses[other] and self.stacks[other] for other in self.player_indices if other != player)

    def price(self) -> int:
        """Give the street total to call: the highest bet, before the flop a full big blind."""
        highest: int = max(self.bets)
        if self.street_index == 0 and self.has_opponent_with_chips(self.actor_index):
            return max(highest, self.big_blind)
        return highest

    def verify_folding(self) -> None:
        if self.is_plain:
            super().verify_folding()
        elif not self.actor_indices:
            raise ValueError("nobody is to act")

    @property
    def checking_or_calling_amount(self) -> int | None:
        if self.is_plain or not self.actor_indices:
            return super().checking_or_calling_amount
        player = self.actor_index
        return min(self.stacks[player], self.price() - self.bets[player])

    @property
    def min_completion_betting_or_raising_to_amount(self) -> int | None:
        if self.is_plain or not self.actor_indices:
            return super().min_completion_betting_or_raising_to_amount
        player = self.actor_index
        return min(self.stacks[player] + self.bets[player], self.price() + self.full_raise)

    def _verify_completion_betting_or_raising(self) -> None:
        if self.is_plain:
            super()._verify_completion_betting_or_raising()
        elif not self.actor_indices:
            raise ValueError("nobody is to act")
        else:
            player, price = self.actor_index, self.price()
            answered = self.answered[player]
            if self.stacks[player] + self.bets[player] <= price:
                raise ValueError("covered")
            if answered is not None and price - answered < self.full_raise:
                raise ValueError("not reopened")
            if not any(
                self.statuses[other] and self.stacks[other] + self.bets[other] > price
                for other in self.player_indices
                if other != player
            ):
                raise ValueError("nobody can call")

    def legal(self) -> tuple[int, int, int]:
        """Give the amount to call, the least and the greatest raise (0 if none is allowed)."""
        if not self.can_complete_bet_or_raise_to():
            return self.checking_or_calling_amount or 0, 0, 0
        return (
            self.checking_or_calling_amount or 0,
            self.min_completion_betting_or_raising_to_amount or 0,
            self.max_completion_betting_or_raising_to_amount or 0,
        )

    def plain_legal(self) -> tuple[int, int, int]:
        """Give what pokerkit itself says."""
        self.is_plain = True
        try:
            return self.legal()
        finally:
            self.is_plain = False

    def take(self, action: Action) -> None:
        player, price = self.actor_index, self.price()
        if action.kind == ActionKind.RAISE:
            increment = action.raise_to - price
            biggest = self.completion_betting_or_raising_amount
            self.complete_bet_or_raise_to(action.raise_to)
            self.answered[player] = action.raise_to
            self.full_raise = max(self.full_raise, increment)
            # Above a short big blind pokerkit would count the missing part as raised.
            self.completion_betting_or_raising_amount = max(biggest, increment)
            return
        self.answered[player] = price
        if action.kind == ActionKind.FOLD:
            self.fold()
        else:
            self.check_or_call()


class PokerkitHand:
    """One hand in pokerkit, fed with the actions of our table and compared with it at every step."""

    def __init__(self, table: Table, counts: Counter[Difference]) -> None:
        self.table = table
        self.counts: set[Difference] = set()
        self.total = counts
        observation = table.observe(table.seats[0])
        self.seats = self._left_of_button_first(table.seats, observation.button)
        starts = {start.seat: start.stack for start in observation.events[0].seats}  # type: ignore[union-attr]
        blinds: Sequence[int] = (observation.small_blind, observation.big_blind)
        self.has_small_blind = len(self.seats) == 2 or self.seats[1] == table.big_blind_seat
        if not self.has_small_blind:
            blinds = (observation.big_blind, 0)
        posted = {event.kind: event.amount for event in table.events if isinstance(event, Posted)}
        straddle = posted.get(PostKind.STRADDLE, 0)
        if straddle:
            blinds = (*blinds[: 1 + self.has_small_blind], straddle)
        # By ours a short big blind posts the blind first, so pokerkit is asked for the ante that it then had.
        for_all = posted.get(PostKind.BIG_BLIND_ANTE, 0)
        payer = 1 if len(self.seats) == 2 else self.seats.index(table.big_blind_seat)  # heads-up written backwards
        antes = {payer: for_all} if for_all else observation.ante
        state = NoLimitTexasHoldem.create_state(
            (
                Automation.ANTE_POSTING,
                Automation.BET_COLLECTION,
                Automation.BLIND_OR_STRADDLE_POSTING,
                Automation.HAND_KILLING,
                Automation.CHIPS_PULLING,
            ),
            not for_all,
            antes,
            tuple(blinds),
            observation.big_blind,
            tuple(starts[seat] for seat in self.seats),
            len(self.seats),
            mode=Mode.TOURNAMENT,
        )
        self.state = TournamentDirectorsState.adopt(state, observation.big_blind, straddle)
        for _ in range(2):
            for _ in self.seats:
                seat = self.seats[self.state.hole_dealee_index]
                held = len(self.state.hole_cards[self.state.hole_dealee_index])
                card = table.private_event(seat).hole_cards[held]
                self._quietly(self.state.deal_hole, format_cards([card]))
        self.state.open_street()
        if len(self.seats) == 2 and observation.small_blind == observation.big_blind:
            self._let_the_button_begin()
        self.pots: tuple[tuple[int, tuple[Seat, ...]], ...] = ()
        self._follow(table.events)

    def _let_the_button_begin(self) -> None:
        actors = self.state.actor_indices
        if len(actors) == 2 and actors[0] == 0:
            actors.rotate(1)
            self.state.opener_index = 1
            self.counts.add(Difference.EQUAL_BLINDS)

    @staticmethod
    def _left_of_button_first(seats: Sequence[Seat], button: Seat) -> tuple[Seat, ...]:
        at = seats.index(button) + 1
        return tuple(seats[at:]) + tuple(seats[:at])

    @staticmethod
    def _quietly(call: Any, *arguments: Any) -> Any:
        """Call pokerkit without its warnings about cards that it would not have chosen itself."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return call(*arguments)

    def compare_question(self) -> None:
        """Check that both ask the same seat the same question."""
        state, table = self.state, self.table
        assert table.to_act == self.seats[state.actor_index]
        legal = table.legal_actions()
        assert legal is not None
        ours = self._triple(legal)
        assert ours == state.legal(), (ours, state.legal(), table.events)
        plain = self._quietly(state.plain_legal)
        if plain != ours:
            self.counts.add(self._why_legal_differs(plain, ours))
        view = table.observe(self.seats[0])
        assert view.pot == state.total_pot_amount
        assert [s.stack for s in view.seats] == [state.stacks[self.seats.index(s.seat)] for s in view.seats]
        if not any(state.bets):
            assert [(pot.amount, pot.seats) for pot in view.pots] == self._pots()

    @staticmethod
    def _triple(legal: LegalActions) -> tuple[int, int, int]:
        assert legal.can_check == (legal.call_amount == 0)
        assert legal.can_raise == (legal.max_raise_to > 0)
        assert legal.min_raise_to <= legal.max_raise_to
        return legal.call_amount, legal.min_raise_to, legal.max_raise_to

    def _why_legal_differs(self, plain: tuple[int, int, int], ours: tuple[int, int, int]) -> Difference:
        state = self.state
        if state.street_index == 0 and max(state.bets) < state.big_blind:
            assert plain[0] <= ours[0]
            return Difference.SHORT_BIG_BLIND
        if state.street_index == 0 and state.full_raise == state.straddle and plain[::2] == ours[::2]:
            assert plain[1] < ours[1] == min(ours[2], state.price() + state.straddle)
            return Difference.STRADDLE
        # What remains may concern nothing but whether a player who has acted may raise again.
        assert state.answered[state.actor_index] is not None
        assert plain[0] == ours[0]
        assert (plain[2] == 0) != (ours[2] == 0)
        short = [amount for amount in self._raises() if amount[1] < amount[2]]
        assert short, "no short all-in, so nothing to differ about"
        return Difference.REOPENING

    def _raises(self) -> list[tuple[Seat, int, int]]:
        """Every bet or raise of this street: seat, amount above the bet before, size of a full one then."""
        street = self.table.observe(self.seats[0]).street
        level = (self.state.straddle or self.state.big_blind) if street == 0 else 0
        full, found = max(self.state.big_blind, level), []
        for event in self.table.events:
            is_raise = isinstance(event, ActionTaken) and event.action.kind == ActionKind.RAISE
            if is_raise and event.street == street:  # type: ignore[union-attr]
                total = event.action.raise_to  # type: ignore[union-attr]
                found.append((event.seat, total - level, full))  # type: ignore[union-attr]
                full, level = max(full, total - level), total
        return found

    def take(self, action: Action) -> None:
        """Take an action in both."""
        if action.kind == ActionKind.FOLD and self.state.price() <= self.state.bets[self.state.actor_index]:
            self.counts.add(Difference.FREE_FOLD)
        self._quietly(self.state.take, action)
        self._follow(self.table.apply(action))

    def _follow(self, events: Sequence[PublicEvent]) -> None:
        """Bring pokerkit to our next decision or to the end of the hand."""
        state = self.state
        board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
        order: list[tuple[Seat, bool]] = []
        while state.status:
            state.open_street()
            if state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_board():
                count = 3 if state.street_index == 1 else 1
                cards, board = board[:count], board[count:]
                assert len(cards) == count, "our table dealt fewer cards"
                self._quietly(state.deal_board, format_cards(cards))
            elif state.actor_index is not None:
                if self.table.to_act is not None and self.table.to_act == self.seats[state.actor_index]:
                    break
                assert state.price() <= state.bets[state.actor_index]
                assert not state.has_opponent_with_chips(state.actor_index)
                self.counts.add(Difference.VAIN_QUESTION)
                state.check_or_call()
            elif state.showdown_index is not None:
                if not self.pots:
                    self.pots = tuple(self._pots())
                seat = self.seats[state.showdown_index]
                order.append((seat, bool(state.show_or_muck_hole_cards().hole_cards)))
            elif state.can_push_chips():
                self._end(events)
        assert not board, "our table dealt more cards"
        shown = [
            (event.seat, isinstance(event, HoleCardsShown))
            for event in events
            if isinstance(event, HoleCardsShown | HoleCardsMucked)
        ]
        if order != shown:
            assert sorted(order) == sorted(shown)
            raised = any(
                isinstance(event, ActionTaken) and event.action.kind == ActionKind.RAISE
                for event in self.table.events
            )
            assert not raised
            assert all(is_shown for _, is_shown in shown)
            assert isinstance(events[-1], type(self.table.events[-1]))
            self.counts.add(Difference.ALL_IN_ORDER)
            left_of_button = [seat for seat in self.seats if seat in {s for s, _ in shown}]
            assert [seat for seat, _ in shown] == left_of_button

    def _pots(self) -> list[tuple[int, tuple[Seat, ...]]]:
        return [(pot.amount, tuple(sorted(self.seats[i] for i in pot.player_indices))) for pot in self.state.pots]

    def _end(self, events: Sequence[PublicEvent]) -> None:
        """Compare what everybody wins."""
        state = self.state
        live = [i for i in state.player_indices if state.statuses[i]]
        contested = len(self.pots) > 0
        expected = dict(zip(self.seats, state.stacks, strict=True))
        if not contested:
            (winner,) = live
            expected[self.seats[winner]] += state.total_pot_amount
        odd_chips = 0
        splits = []
        hands = {self.seats[i]: state.get_hand(i, 0, 0) for i in live} if contested else {}
        for amount, seats in self.pots:
            in_it = [seat for seat in self.seats if seat in seats and seat in hands]
            best = max(hands[seat] for seat in in_it)
            winners = [seat for seat in in_it if hands[seat] == best]
            share, odd = divmod(amount, len(winners))
            odd_chips = max(odd_chips, odd)
            splits.append((winners, odd))
            for place, seat in enumerate(winners):
                expected[seat] += share + (place < odd)
        awarded = Counter[int]()
        for event in events:
            if isinstance(event, PotAwarded):
                awarded[event.pot] += event.amount
        if contested:
            assert [awarded[pot] for pot in range(len(self.pots))] == [amount for amount, _ in self.pots]
        assert self.table.stacks == expected
        while state.can_push_chips():
            state.push_chips()
        plain = dict(zip(self.seats, state.stacks, strict=True))
        assert sum(plain.values()) == sum(expected.values())
        if plain != expected:
            is_merged = any(first[0] == second[0] and (first[1] or second[1]) for first, second in pairwise(splits))
            assert odd_chips > 1 or is_merged, (plain, expected, self.pots)
            assert all(abs(plain[seat] - expected[seat]) < 10 * len(self.pots) for seat in plain)
            self.counts.add(Difference.ODD_CHIPS if odd_chips > 1 else Difference.MERGED_POTS)

    def close(self) -> None:
        """Check that both are at the end and note this hand's differences."""
        assert not self.state.status
        assert self.table.is_over
        self.total.update(self.counts)
