"""A finished hand taken up again in the middle, as a session of its own that is stored nowhere."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import structs

from engine.agents.agent import KnownPlayers
from engine.cards import CARD_COUNT, COMBO_CARDS, Card, HoleCards, Street
from engine.codec import Vector
from engine.game.events import ActionTaken, BoardDealt, GameKind, Posted, PostKind, PublicEvent, Seat, start_of
from engine.game.formats import HUMAN, GameConfig, GameConfigError, SeatConfig
from engine.game.history import observation_at
from engine.game.observation import Observation
from engine.game.rules import IllegalActionError, RulesError
from engine.play import Dealer
from engine.words import listed
from trainer.session.agents import make_agents
from trainer.session.readings import points_of
from trainer.session.record import SessionRecord
from trainer.session.recorded_dealer import RecordedDealer, Step
from trainer.session.resuming import Restored
from trainer.session.standing import Tally
from trainer.storage.store import Store
from trainer.storage.stored import LOST_TIME

_STRANGERS = "soulread"
"""The style of opponents whose own nobody knows."""

_TRIES = 1000


class CannotPlayOnError(ValueError):
    """A hand that cannot be taken up; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class TakenUpHand:
    """A finished hand after so many events, and the opponents' hole cards as far as they are known.

    With `ranges` these are drawn anew, each opponent's from theirs, float32 of shape (1326,), and so are the board
    cards to come. The player's reader reads it as it was read: it begins with what was `known` of the players and
    learns the hands `before`, both asked for in a lane.
    """

    final: Observation
    event_count: int
    styles: Mapping[Seat, str]
    hole_cards: Mapping[Seat, HoleCards]
    ranges: Mapping[Seat, Vector] | None
    seed: int
    known: Callable[[], KnownPlayers] = dict
    before: Callable[[], Iterable[Observation]] = tuple

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is made up, since nobody knows it, a sentence each."""
        opponents = observation_at(self.final, self.event_count).opponents
        unknown = [view.name for view in opponents if self.ranges is None and view.seat not in self.hole_cards]
        strangers = [view.name for view in opponents if view.seat not in self.styles]
        found = []
        if unknown:
            found.append(f"What {listed(unknown)} held is not known and drawn at random.")
        if self.ranges is None and self.final.street < Street.RIVER:
            found.append("Board cards that were not dealt then are drawn at random.")
        if strangers:
            found.append(f"How {listed(strangers)} would go on is not known: Soulread plays for them.")
        return tuple(found)

    @property
    def config(self) -> GameConfig:
        """The game of this one hand, in which the opponents play as their styles do today."""
        started = start_of(self.final.events)
        names = {start.seat: start.name for start in started.seats}
        styles = {seat: style for seat, style in self.styles.items() if style != HUMAN}
        seats = tuple(
            SeatConfig(
                names.get(seat, f"Seat {seat + 1}"),
                HUMAN if seat == self.final.seat else styles.get(seat, _STRANGERS),
            )
            for seat in range(max(names) + 1)
        )
        return GameConfig(
            kind=GameKind.CASH,
            seats=seats,
            starting_stack=max(start.stack for start in started.seats),
            small_blind=started.small_blind,
            big_blind=started.big_blind,
            max_hands=1,
            seed=self.seed,
        )


def take_up(hand: TakenUpHand, store: Store, hero: Seat) -> Restored:
    """Deal the hand again up to its moment; raise CannotPlayOnError if the rules of today lead elsewhere."""
    config, final = hand.config, hand.final
    now = observation_at(final, hand.event_count)
    taken = [event.action for event in now.events if isinstance(event, ActionTaken)]
    started = structs.replace(start_of(final.events), hand_number=1, hands_left=None)
    has_small_blind = any(isinstance(event, Posted) and event.kind is PostKind.SMALL_BLIND for event in now.events)
    agents, deck = make_agents(config, {}), _deck(hand)
    try:
        dealer = Dealer.take_up(config, agents, started, deck, taken, has_small_blind=has_small_blind)
    except (RulesError, IllegalActionError, GameConfigError) as error:
        raise CannotPlayOnError(f"This hand cannot be played on: {error}") from error
    # What is not the same again, such as a blind of who came back, would be another hand.
    if _told_alike(dealer.events) != _told_alike(now.events) or dealer.to_act is None:
        raise CannotPlayOnError("This hand cannot be played on: it began by other rules than ours.")
    record = SessionRecord(store, config, LOST_TIME, dealer.state, hand.known())
    table = RecordedDealer(dealer, record, hero, Tally())
    full = dealer.observe(hero)
    moments = tuple(observation_at(full, count) for count in range(1, len(full.events) + 1))
    step = Step(moments, dealer.to_act, False)
    return Restored(table, Tally(), tuple(hand.before()), None, step, tuple(points_of(full)), (), None)


def _told_alike(events: Sequence[PublicEvent]) -> list[PublicEvent]:
    """Return what happened, antes by seat: who is told first to post theirs depends on who tells it."""
    return sorted(
        events[1:],
        key=lambda one: (0, one.seat) if isinstance(one, Posted) and one.kind is PostKind.ANTE else (1, 0),
    )


def _deck(hand: TakenUpHand) -> list[Card]:
    """Return a deck that deals the known cards of the hand, and all others at random."""
    final, random = hand.final, np.random.default_rng(hand.seed)
    boards = [event.cards for event in final.events[: hand.event_count] if isinstance(event, BoardDealt)]
    board = [card for cards in boards for card in cards]
    if hand.ranges is None:
        board = list(final.board)  # what was dealt later comes again
        known = dict(hand.hole_cards)
    else:
        known = _drawn(hand.ranges, {*board, *final.hole_cards}, random)
    known[final.seat] = final.hole_cards
    used = {*board, *(card for cards in known.values() for card in cards)}
    rest = iter([Card(card) for card in random.permutation(CARD_COUNT).tolist() if card not in used])
    started = start_of(final.events)
    dealt = [start.seat for start in started.seats]
    at = dealt.index(started.button) + 1
    order = dealt[at:] + dealt[:at]
    holes = {seat: known.get(seat) or (next(rest), next(rest)) for seat in order}
    deck = [holes[seat][turn] for turn in range(2) for seat in order]
    return [*deck, *board, *rest]


def _drawn(ranges: Mapping[Seat, Vector], taken: set[Card], random: np.random.Generator) -> dict[Seat, HoleCards]:
    """Draw each opponent's hole cards from their range so that no card is held twice."""
    for _ in range(_TRIES):
        drawn: dict[Seat, HoleCards] = {}
        for seat, weights in ranges.items():
            exact = np.asarray(weights, dtype=np.float64)
            first, second = COMBO_CARDS[random.choice(len(exact), p=exact / exact.sum())].tolist()
            drawn[seat] = (Card(max(first, second)), Card(min(first, second)))
        cards = [card for pair in drawn.values() for card in pair]
        if len({*cards, *taken}) == len(cards) + len(taken):
            return drawn
    raise CannotPlayOnError("The ranges leave no cards that all opponents can hold together.")
