"""The line after a hand: the one decision that mattered most, if there is a lesson in it."""

from PySide6.QtCore import Signal

from engine.review.hands import HandReview
from trainer.review.review_model import lesson_text
from trainer.widgets.offer_line import OfferLine


class LessonLine(OfferLine):
    """Hidden unless there is a lesson; a click opens the review at that decision."""

    review_requested = Signal(object)  # HandReview

    def __init__(self) -> None:
        super().__init__(
            "lesson", "Open the review at this decision", "View > Lesson after each hand switches them off"
        )
        self._review: HandReview | None = None
        self._in_big_blinds = False
        self.taken.connect(self._on_taken)

    def show_lesson(self, review: HandReview) -> None:
        """Show the lesson of a hand."""
        self._review = review
        self.offer(lesson_text(review, in_big_blinds=self._in_big_blinds))

    def clear(self) -> None:
        """Show nothing."""
        self._review = None
        super().clear()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        if self._review is not None:
            self.button.setText(lesson_text(self._review, in_big_blinds=in_big_blinds))

    def _on_taken(self) -> None:
        if self._review is not None:
            self.review_requested.emit(self._review)
