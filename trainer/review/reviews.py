"""Reviews of the hands of a session, one after another, on a lane of their own; reviews are kept."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.agents.agent import KnownPlayers
from engine.codec import StoredDataError, pack, unpack
from engine.equity.parallel import results_in_order
from engine.review.hands import HandReview, Reviewer
from trainer.jobs import Job, Jobs
from trainer.session.past_hands import PastHand, PastHands
from trainer.session.session import Session
from trainer.session.types import FinishedHand
from trainer.storage.store import Store

LANE = "review"
STAMP = "learned 1"
"""Who made a review: the reader, and the version of how decisions are judged."""

_SEED = 0


class ReviewedHands(NamedTuple):
    """The reviews so far, by number of the hand, and how many hands there are."""

    reviews: dict[int, HandReview]
    hands: int

    @property
    def is_done(self) -> bool:
        """Whether every hand is reviewed."""
        return len(self.reviews) == self.hands


class SessionReviewer:
    """Reviews the hands of one session; used on the lane alone, it remembers what it has learned and reviewed."""

    def __init__(self, store: Store | None, known: Callable[[], KnownPlayers]) -> None:
        self._store = store
        self._known = known
        self._reviewer: Reviewer | None = None
        self._learned: list[int] = []
        self._reviews: dict[int, HandReview] = {}

    def review(
        self, hands: Sequence[PastHand], executor: Executor | None = None, *, only: int | None = None
    ) -> Iterator[ReviewedHands]:
        """Review hands in their order, and yield all reviews so far, at once and after each.

        With `only` the number of one of them, the others are learned.
        """
        self._take_stored([hand for hand in hands if hand.number not in self._reviews])
        wanted = {hand.number for hand in hands} if only is None else {only}
        missing = sorted(wanted - set(self._reviews))
        damaged: set[int] = set()
        yield self._so_far(wanted, damaged)
        if not missing:
            return
        if self._reviewer is None or not set(self._learned).isdisjoint(missing):
            self._reviewer, self._learned = Reviewer(_SEED, self._known()), []
        until = [hand for hand in hands if hand.number <= missing[-1]]
        to_review = (hand for hand in until if hand.number in missing)
        done = results_in_order(self._tasks(until, set(missing), damaged), executor)
        for hand, review in zip(to_review, done, strict=True):
            if review is not None:
                self._reviews[hand.number] = review
                self._keep(hand, review)
            yield self._so_far(wanted, damaged)

    def _so_far(self, numbers: set[int], damaged: set[int]) -> ReviewedHands:
        found = {number: self._reviews[number] for number in sorted(numbers) if number in self._reviews}
        return ReviewedHands(found, len(numbers - damaged))

    def _tasks(
        self, hands: Sequence[PastHand], missing: set[int], damaged: set[int]
    ) -> Iterator[Callable[[], HandReview | None]]:
        """Yield what reviews each hand that is missing; every hand is learned on the way."""
        assert self._reviewer is not None
        for hand in hands:
            if hand.number in self._learned:
                continue
            final = hand.read()
            task: Callable[[], HandReview | None] = _nothing
            if final is None:
                damaged.add(hand.number)
            else:
                task = self._reviewer.next(str(hand.number), final)
                self._learned.append(hand.number)
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
    """Return no review, of a hand that is damaged."""


class Reviews(QObject):
    """Reviews the session whose hands are listed, and each hand of the table as it ends."""

    changed = Signal(object)  # ReviewedHands of the session asked for
    lesson_found = Signal(object)  # HandReview of a hand at the table that there is something to learn from
    failed = Signal(str)  # one sentence

    def __init__(self, jobs: Jobs, past: PastHands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gives_lessons = True
        self._jobs = jobs
        self._past = past
        self._at_table: SessionReviewer | None = None
        self._of_chosen: tuple[int | None, SessionReviewer] | None = None
        self._finished: PastHand | None = None
        self._job: Job | None = None

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self.stop()
        self._at_table = None
        self._finished = None
        session.hand_finished.connect(self._on_hand_finished)

    @property
    def hands(self) -> tuple[PastHand, ...]:
        """The finished hands of the session that is listed, the last one at the table too."""
        hands, last = self._past.hands, self._finished
        if self._past.chosen is not None or last is None or last.number in {hand.number for hand in hands}:
            return hands
        return (*hands, last)

    def request(self) -> None:
        """Review all hands of the session that is listed, and answer by `changed`."""
        self.stop()
        reviewer, hands, executor = self._reviewer(), self.hands, self._jobs.executor
        self._job = self._jobs.submit(
            LANE, lambda: reviewer.review(hands, executor), self.changed.emit, on_error=self._on_error
        )

    def stop(self) -> None:
        """Review nothing more of what was asked for; what is reviewed is kept."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _reviewer(self) -> SessionReviewer:
        chosen = self._past.chosen
        if chosen is None:
            return self._reviewer_at_table()
        if self._of_chosen is None or self._of_chosen[0] != chosen.session_id or chosen.match:
            store = None if chosen.match else self._past.store
            self._of_chosen = chosen.session_id, SessionReviewer(store, self._past.known_at_start())
        return self._of_chosen[1]

    def _reviewer_at_table(self) -> SessionReviewer:
        if self._at_table is None:
            self._at_table = SessionReviewer(self._past.store, self._past.known_at_start())
        return self._at_table

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        final = hand.observation
        self._finished = PastHand(final.hand_number, hand.hand_id, lambda: final)
        if self.gives_lessons and self._past.chosen is None:
            reviewer, hands, number = self._reviewer_at_table(), self.hands, final.hand_number
            self._jobs.submit(
                LANE,
                lambda: reviewer.review(hands, only=number),
                partial(self._on_reviewed, number),
                on_error=self._on_error,
            )

    def _on_reviewed(self, number: int, found: ReviewedHands) -> None:
        review = found.reviews.get(number)
        if review is not None and review.lesson is not None and self.gives_lessons:
            self.lesson_found.emit(review)

    def _on_error(self, error: Exception) -> None:
        self.failed.emit(f"The review broke off: {error}")
