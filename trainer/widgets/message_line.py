"""The line above the table: what is going on, or a sentence with at most one thing to do about it."""

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QToolButton

from trainer.session_types import ChipSentence
from trainer.theme import Theme, ThemeSource
from trainer.viewmodels.amounts import Units

_NOTICE_MILLISECONDS = 12_000


class MessageLine(QFrame):
    """Shows a caption, in its place what is being worked on, and in the place of both a sentence for a while.

    Signals
    -------
    action_triggered
        The button of the sentence shown was pressed.
    """

    action_triggered = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._caption = ""
        self._units = Units(1)
        self._said: str | ChipSentence = ""
        self._progress = ""
        self._text = QLabel()
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text.setAccessibleName("Message")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(120)
        self._bar.setAccessibleName("Working")
        self.button = QPushButton()
        self.button.clicked.connect(self.action_triggered)
        self.dismiss = QToolButton()
        self.dismiss.setText("✕")
        self.dismiss.setAutoRaise(True)
        self.dismiss.setAccessibleName("Dismiss the message")
        self.dismiss.clicked.connect(self.clear)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 6, 2)
        layout.addWidget(self._text, 1)
        for widget in (self._bar, self.button, self.dismiss):
            layout.addWidget(widget)
        self.setFixedHeight(self.button.sizeHint().height() + 6)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear)
        self._is_message = False
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)
        self.clear()

    @property
    def text(self) -> str:
        """What is shown."""
        return self._text.text()

    def set_units(self, units: Units) -> None:
        """Write amounts in other units, those of the sentence shown as well."""
        self._units = units
        if self._is_message:
            self._set_text(units.sentence(self._said))

    def say(self, sentence: str | ChipSentence, action: str = "") -> None:
        """Show a sentence; with an action it stays until it is answered."""
        self._is_message = True
        self._said = sentence
        self._set_text(self._units.sentence(sentence))
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.dismiss.show()
        if action:
            self._timer.stop()
        else:
            self._timer.start(_NOTICE_MILLISECONDS)

    def set_caption(self, text: str) -> None:
        """Set what is shown while there is no sentence."""
        self._caption = text
        if not self._is_message:
            self.clear()

    def set_progress(self, text: str) -> None:
        """Show that something is being worked on; "" when it is done."""
        self._progress = text
        self._bar.setVisible(bool(text))
        if not self._is_message:
            self.clear()

    @Slot()
    def clear(self) -> None:
        """Take the sentence away."""
        self._timer.stop()
        self._is_message = False
        self._set_text(self._progress or self._caption)
        self._bar.setVisible(bool(self._progress))
        self.button.hide()
        self.dismiss.hide()

    def _set_text(self, text: str) -> None:
        self._text.setText(text)
        self._text.setToolTip(text)

    def _on_theme_changed(self, theme: Theme) -> None:
        self.setStyleSheet(f"MessageLine {{ background: {theme.panel}; border-bottom: 1px solid {theme.border}; }}")
