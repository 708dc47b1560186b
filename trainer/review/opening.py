"""Opens the window of the review, and shows the line after a hand."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engine.review.hands import HandReview
from trainer.jobs import Jobs
from trainer.review.lesson_line import LessonLine
from trainer.review.reviews import Reviews
from trainer.session.looked_at import LookedAt
from trainer.session.past_hands import place_of
from trainer.session.session import Session
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.review.window import ReviewWindow


class ReviewOpener(WindowOpener):
    """Owns the one window of the review, and `line`, which shows lessons."""

    replay_requested = Signal(int)  # the hand looked at or just ended, from after so many of its events
    drill_requested = Signal(object, int)  # as of the window

    def __init__(self, theme: ThemeSource, jobs: Jobs, looked_at: LookedAt, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._looked_at = looked_at
        self._in_big_blinds = False
        self.reviews = Reviews(jobs, looked_at.past, self)
        self.line = LessonLine()
        self.window: ReviewWindow | None = None
        self.reviews.lesson_found.connect(self.line.show_lesson)
        self.line.review_requested.connect(self.open_at)

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self.line.clear()
        self.reviews.follow(session)
        session.hand_finished.connect(self.line.clear)

    @Slot()
    def open(self) -> "ReviewWindow":
        """Bring the review to the front, and review the session that is listed."""
        from trainer.review.window import ReviewWindow

        if self.window is None:
            self.window = ReviewWindow(self._theme, self.reviews)
            self.window.set_units(self._in_big_blinds)
            self.window.hand_requested.connect(self._on_hand)
            self.window.replay_requested.connect(self._on_replay)
            self.window.drill_requested.connect(self.drill_requested)
            self.window.terms.clicked.connect(lambda: self.terms_requested.emit("review"))
        bring_up(self.window)
        self.window.begin()
        return self.window

    def open_at(self, review: HandReview) -> None:
        """Open the review at the lesson of a hand of the table."""
        if self._looked_at.past.chosen is not None:
            self._looked_at.go_back()
        window = self.open()
        if review.lesson is not None:
            window.choose(review, review.lesson)

    def set_lessons(self, is_on: bool) -> None:
        """Tell a lesson after each hand, or none."""
        self.reviews.gives_lessons = is_on
        self.line.keep_room(is_on)
        if not is_on:
            self.line.clear()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        self.line.set_units(in_big_blinds)
        if self.window is not None:
            self.window.set_units(in_big_blinds)

    def close(self) -> None:
        self.reviews.stop()
        super().close()

    def _on_replay(self, number: int, event_count: int) -> None:
        """Show a hand in the panels, and replay it."""
        self._on_hand(number)
        ended = self._looked_at.past.ended_on_table
        if not self._looked_at.is_following or (ended is not None and ended.number == number):
            self.replay_requested.emit(event_count)

    def _on_hand(self, number: int) -> None:
        """Show a hand in the panels."""
        hands = self._looked_at.past.hands
        at = place_of(hands, number)
        if at < len(hands) and hands[at].number == number:
            self._looked_at.look_at(at)
        else:  # the one on the table
            self._looked_at.go_back()
