"""A line below the table that offers something, and is hidden while there is nothing to offer."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from trainer.widgets.announcement import announce


class OfferLine(QWidget):
    """Shows a sentence to click on; what is offered is called `what`, and can be switched off as `switch` says."""

    taken = Signal()  # the sentence was clicked on

    def __init__(self, what: str, tip: str, switch: str) -> None:
        super().__init__()
        self.button = QPushButton(flat=True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip(tip)
        self.button.setAccessibleName(f"{what.capitalize()} of the hand")
        self.button.clicked.connect(self.taken)
        self.close_button = QToolButton(autoRaise=True)
        self.close_button.setText("✕")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setAccessibleName(f"Close the {what}")
        self.close_button.setToolTip(f"Close the {what}; {switch}")
        self.close_button.clicked.connect(self.clear)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 0)
        layout.addStretch(1)
        layout.addWidget(self.button)
        layout.addWidget(self.close_button)
        layout.addStretch(1)
        self.hide()

    def offer(self, sentence: str) -> None:
        """Show a sentence, and say it."""
        self.button.setText(sentence)
        self.show()
        announce(self, sentence)

    def keep_room(self, is_kept: bool) -> None:
        """Keep the room of a sentence while there is none, so that nothing moves when one comes."""
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(is_kept)
        self.setSizePolicy(policy)

    def clear(self) -> None:
        """Show nothing."""
        self.hide()
