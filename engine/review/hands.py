"""Hands reviewed one after another: the reader learns each after its decisions were judged, as at the table.

So every decision is judged by what was known of the table before its hand. What the reader knows then goes with the
hand to whoever judges it: how many workers there are changes nothing.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import partial

from msgspec import Struct, structs

from engine.agents.agent import KnownPlayers
from engine.agents.learned.beliefs import OF_PEOPLE, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread.survival import kept_lead
from engine.cards import BOARD_SIZE, Card, HoleCards
from engine.equity.parallel import results_in_order
from engine.figures.board_luck import board_luck, run_out_luck
from engine.game.events import Action, ActionTaken, HoleCardsShown, net_of
from engine.game.history import HandState, moments
from engine.game.observation import Observation
from engine.review.decision import ReviewedDecision, reviewed


class HandReview(Struct, frozen=True, kw_only=True):
    """A finished hand with every decision of its player judged.

    Attributes
    ----------
    name : str
        Of the hand.
    learned : int
        Hands of this table that the reader had learned before.
    hole_cards, board : tuple of Card
        The player's, and all that was dealt.
    net_bb : float
        What the player won, in big blinds.
    all_in_bb : float
        The same without the luck of the cards that came when nobody could bet any more
        (`engine.figures.board_luck.run_out_luck`), by the cards that were shown; NaN if those do not tell.
    settled_bb : float
        What they would have won in the mean after their last decision, as that was judged, in place of what came of
        it; without a decision what they won.
    """

    name: str
    learned: int
    hole_cards: HoleCards
    board: tuple[Card, ...]
    net_bb: float
    all_in_bb: float
    settled_bb: float
    decisions: tuple[ReviewedDecision, ...]

    def board_at(self, decision: ReviewedDecision) -> tuple[Card, ...]:
        """Return the board that lay when a decision was made."""
        return self.board[: BOARD_SIZE[decision.spot.street]]

    @property
    def loss_bb(self) -> float:
        """What the decisions cost together, in big blinds; by noise it may be below 0."""
        return sum(decision.loss_bb for decision in self.decisions)

    @property
    def lesson(self) -> ReviewedDecision | None:
        """The decision that cost most, of those that something can be said against; None without any."""
        bad = [decision for decision in self.decisions if not decision.grade.is_good]
        return max(bad, key=lambda decision: decision.loss_bb, default=None)


class Reviewer:
    """Reviews the hands of one player at one table in their order, from what is known of the others before."""

    def __init__(self, seed: int, known: KnownPlayers | None = None, strangers: Spreads = OF_PEOPLE) -> None:
        self._seed, self._strangers = seed, strangers
        self._reader = LearnedReader(strangers=strangers)
        self._reader.meet(known or {})
        self._learned = 0

    def next(self, name: str, hand: Observation) -> "partial[HandReview]":
        """Take the next finished hand, as its player saw it; what is returned reviews it when it is called."""
        task = partial(_review, name, hand, self._seed, self._learned, self._reader.memory(), self._strangers)
        learn_hand(self._reader, hand)
        self._learned += 1
        return task


def review_hands(
    hands: Iterable[tuple[str, Observation]], seed: int, executor: Executor | None = None
) -> Iterator[HandReview]:
    """Review hands of one player, each with its name, in their order; to stop, cease to iterate.

    Parameters
    ----------
    hands : iterable of (str, Observation)
        Finished, as the player saw them.
    seed : int
        The same hands and seed give the same reviews.
    executor : concurrent.futures.Executor, optional
        Shares the hands out, with the same reviews. A hand takes 0.2 to 1 s.
    """
    reviewer = Reviewer(seed)
    return results_in_order((reviewer.next(name, hand) for name, hand in hands), executor)


def decisions_of(hand: Observation) -> Iterator[tuple[Observation, Action]]:
    """Yield every decision of a hand's observer: what they saw when they were to act, and what they did.

    While a lead is to be kept by folding (`engine.agents.soulread.survival`) there is nothing to decide.
    """
    for event, state in moments(hand.events):
        if isinstance(event, ActionTaken) and event.seat == hand.seat:
            seen = state.observe(hand.seat, hand.hole_cards)
            seen = structs.replace(seen, to_act=hand.seat, legal=state.legal_actions_of(event))
            if not kept_lead(seen):
                yield seen, event.action


def learn_hand(reader: LearnedReader, hand: Observation) -> None:
    """Let a reader learn a finished hand as its player saw it, beginning with what came of their bets."""
    learn_own_bets(reader, hand)
    reader.learn(hand.events, hand.seat)


def learn_own_bets(reader: LearnedReader, hand: Observation) -> None:
    """Let a reader learn how opponents answered the bets of a finished hand's player, before the hand itself."""
    from engine.agents.soulread.answers import learn_answers

    learn_answers(reader, hand, decisions_of(hand))


def _review(name: str, hand: Observation, seed: int, learned: int, memory: bytes, strangers: Spreads) -> HandReview:
    reader = LearnedReader(strangers=strangers)
    reader.recall(memory)
    place = [view.seat for view in hand.seats].index(hand.seat)
    start = HandState(hand.events[0]).seats[hand.seat].stack
    net = settled = float(net_of(hand.events)[hand.seat])
    shown = {event.seat: event.hole_cards for event in hand.events if isinstance(event, HoleCardsShown)}
    known = shown | {hand.seat: hand.hole_cards}
    luck = board_luck(hand.events, [known.get(view.seat) for view in hand.seats])
    decisions = []
    for seen, action in decisions_of(hand):
        decision = reviewed(seen, action, reader.read(seen), reader, seed)
        worth = decision.values.of(action)
        settled = seen.me.stack - start + (worth.value if worth is not None else 0.0)
        decisions.append(decision)
    return HandReview(
        name=name,
        learned=learned,
        hole_cards=hand.hole_cards,
        board=hand.board,
        net_bb=net / hand.big_blind,
        all_in_bb=(net - float(run_out_luck(hand.events, luck)[place])) / hand.big_blind,
        settled_bb=settled / hand.big_blind,
        decisions=tuple(decisions),
    )
