"""The line after a hand: the one decision that mattered most, if there is a lesson in it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from engine.review.hands import HandReview
from trainer.review.review_model import lesson_text
from trainer.widgets.announcement import announce


class LessonLine(QWidget):
    """Hidden unless there is a lesson; a click opens the review at that decision."""

    review_requested = Signal(object)  # HandReview

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review: HandReview | None = None
        self._in_big_blinds = False
        self.button = QPushButton()
        self.button.setFlat(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip("Open the review at this decision")
        self.button.setAccessibleName("Lesson of the hand")
        self.button.clicked.connect(self._on_clicked)
        self.close_button = QToolButton(autoRaise=True)
        self.close_button.setText("✕")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setAccessibleName("Close the lesson")
        self.close_button.setToolTip("Close the lesson; View > Lesson after each hand switches them off")
        self.close_button.clicked.connect(self.clear)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 0)
        layout.addStretch(1)
        layout.addWidget(self.button)
        layout.addWidget(self.close_button)
        layout.addStretch(1)
        self.hide()

    def show_lesson(self, review: HandReview) -> None:
        """Show the lesson of a hand."""
        self._review = review
        self._write()
        self.show()
        announce(self, self.button.text())

    def clear(self) -> None:
        """Show nothing."""
        self._review = None
        self.hide()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        self._write()

    def _write(self) -> None:
        if self._review is not None:
            self.button.setText(lesson_text(self._review, in_big_blinds=self._in_big_blinds))

    def _on_clicked(self) -> None:
        if self._review is not None:
            self.review_requested.emit(self._review)
