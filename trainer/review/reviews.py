"""Reviews of the session that is listed, and of each hand of the table, on a lane of their own."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from time import monotonic

from msgspec import structs
from PySide6.QtCore import QObject, Signal

from trainer.jobs import Job, Jobs
from trainer.review.review_model import ReviewView, review_view
from trainer.review.session_reviewer import ReviewedHands, SessionReviewer
from trainer.session.past_hands import PastHand, PastHands, PastSession
from trainer.session.session import Session
from trainer.session.types import FinishedHand

LANE = "review"
_PAUSES = 10.0
"""Times as long as it took to make what is shown, until it is made again."""

MOST_WAITING = 20
"""Hands of the table that wait for their review; where they are played faster, the oldest are left to who asks."""


class Reviews(QObject):
    """Reviews the session whose hands are listed, and each hand of the table as it ends."""

    listed_changed = Signal()  # another session is listed, and what was asked for is stopped
    hand_added = Signal()  # a hand has ended at the table, which is listed
    changed = Signal(object)  # ReviewView of the session asked for
    lesson_found = Signal(object)  # HandReview of a hand at the table that there is something to learn from
    failed = Signal(str)  # one sentence

    def __init__(self, jobs: Jobs, past: PastHands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gives_lessons = True
        self._jobs = jobs
        self._past = past
        self._at_table: SessionReviewer | None = None
        self._of_chosen: SessionReviewer | None = None
        self._listed = self._what_is_listed()
        self._job: Job | None = None
        self._lessons: deque[Job] = deque()  # the last ones, done or not
        past.hands_changed.connect(self._on_hands_changed)

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        session.hand_finished.connect(self._on_hand_finished)

    @property
    def hands(self) -> Sequence[PastHand]:
        """The finished hands of the session that is listed, the last one at the table too."""
        return self._past.finished

    @property
    def session(self) -> PastSession | None:
        """The session that is listed."""
        at = self._past.session_index
        return self._past.sessions[at] if at >= 0 else None

    @property
    def is_working(self) -> bool:
        """Whether what was asked for is still being reviewed."""
        return self._job is not None

    def request(self) -> None:
        """Review all hands of the session that is listed, and answer by `changed`."""
        self.stop()
        reviewer, hands, executor = self._reviewer(), self.hands, self._jobs.executor
        self._job = self._jobs.submit(
            LANE, lambda: _views(reviewer.review(hands, executor)), self._on_view, on_error=self._on_error
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
        if self._of_chosen is None:
            store = None if chosen.match else self._past.store
            self._of_chosen = SessionReviewer(
                store, self._past.known_at_start(), was_played_elsewhere=chosen.was_played_elsewhere
            )
        return self._of_chosen

    def _reviewer_at_table(self) -> SessionReviewer:
        if self._at_table is None:
            self._at_table = SessionReviewer(self._past.store, self._past.known_at_start())
        return self._at_table

    def _what_is_listed(self) -> tuple[Session | None, PastSession | None, Sequence[PastHand]]:
        """Return what tells the session that is listed from others; a match may be the same, seen by another."""
        chosen = self._past.chosen
        return self._past.session, chosen, self._past.hands if chosen is not None else ()

    def _on_hands_changed(self) -> None:
        listed = self._what_is_listed()
        if listed == self._listed:
            return
        self.stop()
        if listed[0] is not self._listed[0]:  # another session is on the table
            self._jobs.cancel(LANE)  # lessons of the one before
            self._lessons.clear()
            self._at_table = None
        self._listed, self._of_chosen = listed, None
        self.listed_changed.emit()

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        if self._past.chosen is not None:
            return
        if self.gives_lessons:
            reviewer, hands, number = self._reviewer_at_table(), self.hands, hand.observation.hand_number
            on_result = partial(self._on_reviewed, number)
            self._lessons.append(self._jobs.submit(LANE, lambda: reviewer.review(hands, only=number), on_result))
            if len(self._lessons) > MOST_WAITING:
                self._lessons.popleft().cancel()
        self.hand_added.emit()

    def _on_view(self, view: ReviewView) -> None:
        if view.found.is_done:
            self._job = None
        self.changed.emit(view)

    def _on_reviewed(self, number: int, found: ReviewedHands) -> None:
        review, session = found.reviews.get(number), self._past.session
        if review is None or session is None or not self.gives_lessons:
            return
        # Of a hand that is played on what was decided before is no lesson of this time.
        made = tuple(one for one in review.decisions if one.event_count >= session.taken_up_at)
        if (review := structs.replace(review, decisions=made)).lesson is not None:
            self.lesson_found.emit(review)

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.failed.emit(f"The review broke off: {error}")


def _views(reviewed: Iterator[ReviewedHands]) -> Iterator[ReviewView]:
    """Yield what is shown of reviews so far, rarely enough that making it holds nothing up."""
    due = 0.0
    for found in reviewed:
        begun = monotonic()
        if begun >= due or found.is_done:
            view = review_view(found)
            due = begun + (1 + _PAUSES) * (monotonic() - begun)
            yield view
