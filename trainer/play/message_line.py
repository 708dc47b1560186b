"""The line above the table: what is going on, or sentences with at most one thing to do about each; and a mark."""

import re

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.foreign_text import printable
from trainer.session.amounts import Units
from trainer.session.types import ChipSentence
from trainer.theme import Theme, ThemeSource
from trainer.widgets.layouts import tight

_NOTICE_MILLISECONDS = 12_000
_MOST_SENTENCES = 3
"""Shown at once; those that come later wait until one of them goes."""


class _Sentence(QWidget):
    """One sentence, in as many lines as it needs, what to do about it, and a button that takes it away."""

    answered = Signal(object)
    dismissed = Signal(object)

    def __init__(self, said: str | ChipSentence, action: str) -> None:
        super().__init__()
        self.said = said
        self.text = ""
        self._label = _text_label()
        self.button = QPushButton(action)
        self.button.setVisible(bool(action))
        self.button.clicked.connect(self._on_answered)
        self.dismiss = QToolButton(autoRaise=True)
        self.dismiss.setText("✕")
        self.dismiss.setAccessibleName("Dismiss the message")
        self.dismiss.clicked.connect(self._on_dismissed)
        layout = tight(QHBoxLayout(self))
        layout.addWidget(self._label, 1)
        for widget in (self.button, self.dismiss):
            layout.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_dismissed)

    def write(self, units: Units) -> None:
        """Write its amounts in these units."""
        self.text = "\n".join(map(printable, units.sentence(self.said).split("\n")))
        # The path of a file may be broken after every folder, or it would be cut.
        self._label.setText(re.sub(r"([/\\])(?=\S)", "\\1\u200b", self.text))

    @property
    def asks(self) -> bool:
        """Whether it stays until it is answered."""
        return bool(self.button.text())

    def begin(self) -> None:
        """Let the time run that a sentence without an action is shown."""
        if not self.asks and not self._timer.isActive():
            self._timer.start(_NOTICE_MILLISECONDS)

    def _on_answered(self) -> None:
        self.answered.emit(self)

    def _on_dismissed(self) -> None:
        self.dismissed.emit(self)


def _text_label() -> QLabel:
    label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setAccessibleName("Message")
    return label


class MessageLine(QFrame):
    """Shows a caption, in its place what is being worked on, and in the place of both sentences for a while.

    Sentences stand one below the other, the oldest first, and take as many lines as they need.
    """

    action_triggered = Signal()  # the button of a sentence shown was pressed; the sentence is gone

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._caption = ""
        self._units = Units(1)
        self._progress = ""
        self._sentences: list[_Sentence] = []
        self._usual = _text_label()
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(120)
        self._bar.setAccessibleName("Working")
        self.mark = QToolButton(autoRaise=True)
        self.mark.clicked.connect(self._on_mark)
        self.mark.hide()
        # As high as a sentence with a button, so that the table does not move for a short one.
        self.setMinimumHeight(QPushButton("X").sizeHint().height() + 6)
        self._rows = tight(QVBoxLayout(), self._usual, spacing=2)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 6, 3)
        layout.addLayout(self._rows, 1)
        for widget in (self._bar, self.mark):
            layout.addWidget(widget)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)
        self._show()

    def set_units(self, units: Units) -> None:
        """Write amounts in other units, those of the sentences shown as well."""
        self._units = units
        for sentence in self._sentences:
            sentence.write(units)

    def say(self, said: str | ChipSentence, action: str = "") -> None:
        """Show a sentence; with an action it stays until it is answered. One that is shown is not shown twice."""
        for known in [known for known in self._sentences if known.said == said]:
            self._remove(known)
        sentence = _Sentence(said, action)
        sentence.write(self._units)
        sentence.answered.connect(self._on_answered)
        sentence.dismissed.connect(self._remove)
        self._sentences.append(sentence)
        self._show()

    def set_caption(self, text: str, details: str = "") -> None:
        """Set what is shown while there is no sentence, and its tool tip."""
        self._caption = text
        self._usual.setToolTip(details)
        self._show()

    def set_progress(self, text: str) -> None:
        """Show that something is being worked on; "" when it is done."""
        self._progress = text
        self._show()

    def set_mark(self, text: str, why: str = "") -> None:
        """Show a mark that stays, whatever else is shown, and says why when it is pressed; "" takes it away."""
        self.mark.setText(text)
        self.mark.setToolTip(why)
        self.mark.setAccessibleName(text)
        self.mark.setAccessibleDescription(why)
        self.mark.setVisible(bool(text))

    def drop_questions(self) -> None:
        """Take away the sentences that wait for an answer, which has become needless."""
        for sentence in [sentence for sentence in self._sentences if sentence.asks]:
            self._remove(sentence)

    def _shown(self) -> list[_Sentence]:
        return self._sentences[:_MOST_SENTENCES]

    def _show(self) -> None:
        shown = self._shown()
        for sentence in shown:
            if self._rows.indexOf(sentence) < 0:
                self._rows.addWidget(sentence)
            sentence.begin()
        self._usual.setText(self._progress or self._caption)
        self._usual.setVisible(not shown)
        self._bar.setVisible(bool(self._progress) and not shown)

    def _remove(self, sentence: _Sentence) -> None:
        self._sentences.remove(sentence)
        sentence.hide()
        self._rows.removeWidget(sentence)
        sentence.deleteLater()
        self._show()

    def _on_answered(self, sentence: _Sentence) -> None:
        self._remove(sentence)
        self.action_triggered.emit()

    def _on_mark(self) -> None:
        self.say(self.mark.toolTip())

    def _on_theme_changed(self, theme: Theme) -> None:
        palette = self.mark.palette()
        palette.setColor(QPalette.ColorRole.ButtonText, QColor(theme.warning))
        self.mark.setPalette(palette)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground here: below a style sheet the text would not grow with the window."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.theme.panel))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(self._theme.theme.border))
        painter.end()
