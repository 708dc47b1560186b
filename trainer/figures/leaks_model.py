"""Leaks of the person over all reviewed hands: kinds of decisions that cost clearly more than nothing."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.codec import StoredDataError, unpack
from engine.review.hands import HandReview
from engine.review.session import SessionReview, session_review
from engine.review.words import leak_cells, rate_words
from engine.words import counted
from trainer.figures.hands import PlayerHands, Summary
from trainer.jobs import Jobs
from trainer.review.review_model import HEADING_TIPS, HEADINGS, DecisionRow, decision_cells
from trainer.review.session_reviewer import STAMP
from trainer.storage.store import Store

READING = "leaks"
"""A lane."""

MOST_HANDS: Final = 5000
"""The newest that are reviewed; some 12 kilobytes each."""

MOST_LISTED: Final = 100
"""Decisions."""

_AT_A_TIME = 200
_COLUMNS = 3, 4, 5, 7, 8, 9, 0
"""Of a review's decisions, those that are listed."""

LISTED: Final = tuple(HEADINGS[at] for at in _COLUMNS)
LISTED_TIPS: Final = tuple(HEADING_TIPS[at] for at in _COLUMNS)

_ONLY_YOURS = "Your own decisions alone are reviewed."
_NOT_REVIEWED = (
    "None of these hands is reviewed: Tools > Review of this session reviews all of a session, "
    "View > Lesson after each hand every hand as it ends."
)


class Reviewed(NamedTuple):
    """What the reviews of the newest hands come to, and their decisions; so many hands are looked at by now."""

    review: SessionReview | None = None
    decisions: tuple["StoredDecision", ...] = ()
    read: int = 0
    of: int = 0


class StoredDecision(NamedTuple):
    """A decision, and the number of its session in the store."""

    session_id: int
    row: DecisionRow

    @property
    def loss_bb(self) -> float:
        """What it cost, in big blinds."""
        return self.row.decision.loss_bb


class LeaksModel(QObject):
    """Reads the reviews of a summary's hands while somebody looks; lists decisions, the dearest first."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.reviewed = Reviewed()
        self.listed: tuple[StoredDecision, ...] = ()
        self.leak: tuple[str, ...] = ()  # the kind that is listed, any if ()
        self.why_not = ""

    def count(self, store: Store, summary: Summary) -> None:
        """Read the reviews of a summary's player in the place of those before."""
        self.reviewed, self.why_not, self.leak = Reviewed(), "", ()
        own = summary.own
        if own is None or not own.are_the_persons:
            self._jobs.cancel(READING)
            self.why_not = _ONLY_YOURS if own is not None else ""
        else:
            self._jobs.submit(
                READING, partial(_steps, store, own), self._on_read, on_error=self._on_error, newest_wins=True
            )
        self._list()

    def stop(self) -> None:
        """Read no further."""
        self._jobs.cancel(READING)

    def choose(self, leak: tuple[str, ...]) -> None:
        """List the decisions of a leak, or the dearest of all with ()."""
        if leak != self.leak:
            self.leak = leak
            self._list()

    def headline(self) -> str:
        """Say how good the decisions were, and how many."""
        reviewed, review = self.reviewed, self.reviewed.review
        if self.why_not:
            return self.why_not
        if review is None:
            return f"Reading reviews: {reviewed.read:,} of {counted(reviewed.of, 'hand')}." if reviewed.of else ""
        if review.accuracy is None:
            return _NOT_REVIEWED
        newest = "The newest " if review.hands == MOST_HANDS else ""
        lost = rate_words(review.loss).replace("-", "−")
        return (
            f"{newest}{counted(review.hands, 'reviewed hand')} with {counted(review.decisions, 'decision')}: "
            f"{review.accuracy:.0%} best or fine, decisions cost {lost}."
        )

    def leaks(self) -> list[tuple[str, ...]]:
        """Return a row of a review's leaks for each."""
        return [leak_cells(leak) for leak in self.reviewed.review.leaks] if self.reviewed.review is not None else []

    def about_listed(self) -> str:
        """Say what is listed."""
        if not self.listed:
            return ""
        what = f"Leak: {', '.join(self.leak)}" if self.leak else "Of all decisions"
        return f"{what}, the dearest first; Enter or a double click replays one."

    def listed_cells(self) -> list[tuple[str, ...]]:
        """Return a row of `LISTED` for each decision."""
        cells = [decision_cells(one.row, in_big_blinds=True) for one in self.listed]
        return [tuple(of_row[at] for at in _COLUMNS) for of_row in cells]

    def _list(self) -> None:
        found = [
            one
            for one in self.reviewed.decisions
            if (self.leak in one.row.decision.spot.kinds if self.leak else not one.row.decision.grade.is_good)
        ]
        self.listed = tuple(sorted(found, key=lambda one: -one.loss_bb)[:MOST_LISTED])
        self.changed.emit()

    def _on_read(self, reviewed: Reviewed) -> None:
        self.reviewed = reviewed
        self._list()

    def _on_error(self, error: Exception) -> None:
        self.why_not = str(error)
        self.changed.emit()


def _steps(store: Store, own: PlayerHands) -> Iterator[Reviewed]:
    """Read the newest reviews first, and yield how many hands are looked at; StoreError if the file fails."""
    ids, sessions = own.hand_ids()[::-1].tolist(), own.sessions()[::-1].tolist()
    reviews, of_session = list[HandReview](), list[int]()
    for begin in range(0, len(ids), _AT_A_TIME):
        some = ids[begin : begin + _AT_A_TIME]
        stored = store.reviews.get(some, STAMP)
        for hand_id, session in zip(some, sessions[begin : begin + _AT_A_TIME], strict=True):
            if hand_id in stored and len(reviews) < MOST_HANDS:
                with suppress(StoredDataError):
                    reviews.append(unpack(stored[hand_id], HandReview))
                    of_session.append(session)
        if len(reviews) == MOST_HANDS:
            break
        yield Reviewed(read=begin + len(some), of=len(ids))
    decisions = tuple(
        StoredDecision(session, DecisionRow(int(review.name), review, decision))
        for session, review in zip(of_session, reviews, strict=True)
        for decision in review.decisions
    )
    yield Reviewed(session_review(reviews), decisions, len(ids), len(ids))
