"""The hands of one session reviewed in their order, from what was known before each; reviews are kept."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from engine.agents.agent import KnownPlayers
from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS
from engine.codec import StoredDataError, pack, unpack
from engine.equity.parallel import results_in_order
from engine.game.observation import Observation
from engine.review.hands import HandReview, Reviewer
from trainer.session.past_hands import PastHand, place_of
from trainer.storage.store import Store

STAMP = "learned 12"
"""Who made a review: the reader, and the version of how decisions are judged."""

_SEED = 0

_DAMAGED = "damaged"
_WATCHED = "watched: none of their decisions are yours"
_FIXED_LIMIT = "with fixed limits: decisions are judged as no-limit ones"


@dataclass(frozen=True, slots=True)
class ReviewedHands:
    """What is reviewed so far of hands, and why others cannot be reviewed, by number of the hand."""

    hands: Sequence[PastHand]
    reviews: dict[int, HandReview]
    skipped: dict[int, str]

    @property
    def count(self) -> int:
        """How many hands there are to review."""
        return len(self.hands) - len(self.skipped)

    @property
    def is_done(self) -> bool:
        """Whether every hand is reviewed."""
        return len(self.reviews) == self.count


class SessionReviewer:
    """Reviews the hands of one session; used on the lane alone, it remembers what it has learned and reviewed."""

    def __init__(
        self, store: Store | None, known: Callable[[], KnownPlayers], *, was_played_elsewhere: bool = False
    ) -> None:
        self._store = store
        self._known = known
        self._strangers = OF_PEOPLE if was_played_elsewhere else OF_PROGRAMS
        self._reviewer: Reviewer | None = None
        self._learned_to = 0  # number of the last hand that the reviewer has gone through
        self._reviews: dict[int, HandReview] = {}
        self._skipped: dict[int, str] = {}

    def review(
        self, hands: Sequence[PastHand], executor: Executor | None = None, *, only: int | None = None
    ) -> Iterator[ReviewedHands]:
        """Review hands in their order, and yield what is reviewed so far, at once and after each.

        With `only` the number of one of them, the others are learned; its review is left to the store.
        """
        wanted = hands if only is None else hands[place_of(hands, only) : place_of(hands, only + 1)]
        self._take_stored([hand for hand in wanted if hand.number not in self._reviews])
        missing = {hand.number for hand in wanted} - self._reviews.keys() - self._skipped.keys()
        yield self._so_far(wanted)
        if not missing:
            return
        # What comes after a hand must not be known when it is judged.
        if self._reviewer is None or min(missing) <= self._learned_to:
            self._reviewer, self._learned_to = Reviewer(_SEED, self._known(), self._strangers), 0
        until = hands[place_of(hands, self._learned_to + 1) : place_of(hands, max(missing) + 1)]
        to_review = (hand for hand in until if hand.number in missing)
        done = results_in_order(self._tasks(until, missing), executor)
        try:
            for hand, review in zip(to_review, done, strict=True):
                if review is not None:
                    self._reviews[hand.number] = review
                    self._keep(hand, review)
                yield self._so_far(wanted)
        finally:  # though nobody waits for it any more
            if only is not None and self._store is not None and all(hand.hand_id is not None for hand in wanted):
                self._reviews.pop(only, None)

    def _so_far(self, hands: Sequence[PastHand]) -> ReviewedHands:
        numbers = [hand.number for hand in hands]
        return ReviewedHands(
            hands,
            {number: self._reviews[number] for number in numbers if number in self._reviews},
            {number: self._skipped[number] for number in numbers if number in self._skipped},
        )

    def _tasks(self, hands: Sequence[PastHand], missing: set[int]) -> Iterator[Callable[[], HandReview | None]]:
        """Yield what reviews each hand that is missing; every hand is learned on the way."""
        assert self._reviewer is not None
        for hand in hands:
            self._learned_to = hand.number
            final = hand.read() if hand.is_no_limit else None
            task: Callable[[], HandReview | None] = _nothing
            if isinstance(final, Observation):
                task = self._reviewer.next(str(hand.number), final)
            elif final is not None:
                self._skipped[hand.number] = _WATCHED
            else:
                self._skipped[hand.number] = _DAMAGED if hand.is_no_limit else _FIXED_LIMIT
            if hand.number in missing:
                yield task

    def _take_stored(self, hands: Sequence[PastHand]) -> None:
        if self._store is None:
            return
        ids = {hand.hand_id: hand.number for hand in hands if hand.hand_id is not None}
        for hand_id, data in self._store.reviews.get(ids, STAMP).items():
            try:
                self._reviews[ids[hand_id]] = unpack(data, HandReview)
            except StoredDataError:  # it is made again
                continue

    def _keep(self, hand: PastHand, review: HandReview) -> None:
        if self._store is not None and hand.hand_id is not None:
            self._store.reviews.put(STAMP, {hand.hand_id: pack(review)})
            cost = sum(decision.loss_bb for decision in review.decisions if not decision.grade.is_good)
            self._store.browse.set_loss(hand.hand_id, cost)


def _nothing() -> None:
    """Return no review, of a hand that cannot be reviewed."""
