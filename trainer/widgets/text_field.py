"""Typed input that says what is wrong with it: a field that underlines characters, a line of text beneath it."""

from html import escape
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPalette, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy

from trainer.theme import ThemeSource

Meaning = Literal["text", "text_muted", "bad", "good", "warning", "accent", "truth"]

ERROR_DELAY_MS = 400
_WAVE = 2.0
_UNLIMITED = 16777215


def plain_tip(text: str) -> str:
    """Return a tooltip that shows a text as it is, also where a player's name looks like HTML."""
    return f'<p style="white-space: pre">{escape(text)}</p>' if "<" in text else text


def make_bold(label: QLabel) -> None:
    """Write a label in bold letters."""
    font = label.font()
    font.setBold(True)
    label.setFont(font)


def wrapped_height(label: QLabel, text: str, width: int) -> int:
    """Return how high a text is on a label of this width, 0 if there is none."""
    room = QRect(0, 0, max(width, 1), _UNLIMITED)
    return label.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text).height() if text else 0


class ColouredLabel(QLabel):
    """A label in a colour of the theme, named by its meaning."""

    def __init__(
        self, theme: ThemeSource, meaning: Meaning = "text", text: str = "", *, wraps: bool = False
    ) -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText, wordWrap=wraps)
        self._theme = theme
        self._meaning = meaning
        theme.changed.connect(self._on_theme_changed)
        self._apply()

    def set_meaning(self, meaning: Meaning) -> None:
        if meaning != self._meaning:
            self._meaning = meaning
            self._apply()

    def _on_theme_changed(self, _theme: object) -> None:
        self._apply()

    def _apply(self) -> None:
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.WindowText, QColor(getattr(self._theme.theme, self._meaning)))
        self.setPalette(colours)


class ShortenedLabel(ColouredLabel):
    """A coloured label that never asks for width: what does not fit ends in an ellipsis, whole in the tooltip."""

    def __init__(self, theme: ThemeSource, meaning: Meaning = "text") -> None:
        super().__init__(theme, meaning)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._show_tooltip()

    def _show_tooltip(self) -> None:
        is_cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(plain_tip(self.text()) if is_cut else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tooltip()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(self.alignment()), shown)


class WrappedMessage(ColouredLabel):
    """What is wrong, whole: it has as many lines as its text needs at its width, and no place without one."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, "bad", wraps=True)
        self.setMinimumWidth(1)  # a long word asks for no room
        self.hide()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setVisible(bool(text))


class MarkedLineEdit(QLineEdit):
    """A line edit that can underline the characters at fault.

    An error shows once the typing pauses or the field is left, since half a word is always wrong; it goes at once.
    """

    mark_changed = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._mark = (0, 0)
        self.is_marked = False
        self._delay = QTimer(self, singleShot=True, interval=ERROR_DELAY_MS)
        self._delay.timeout.connect(self._show_mark)
        theme.changed.connect(self._on_theme_changed)

    def replace_text(self, text: str) -> None:
        """Put in a text as a user would, so that Ctrl+Z brings the old one back; emits nothing."""
        if text != self.text():
            with QSignalBlocker(self):
                self.selectAll()
                self.insert(text)
                if not self.hasFocus():
                    self.home(False)  # of a long text the beginning says most

    def mark(self, position: int, length: int) -> None:
        """Mark characters as wrong; a length of 0 marks the whole field."""
        self._mark = (position, length)
        if self.is_marked or not self.hasFocus():
            self._show_mark()
        else:
            self._delay.start()

    def unmark(self) -> None:
        """Nothing is wrong any more."""
        self._delay.stop()
        if self.is_marked:
            self.is_marked = False
            self.update()
            self.mark_changed.emit()

    def _show_mark(self) -> None:
        self._delay.stop()
        self.is_marked = True
        self.update()
        self.mark_changed.emit()

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._delay.isActive():
            self._show_mark()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = self._theme.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.is_marked or self.hasFocus():
            painter.setPen(QPen(QColor(theme.bad if self.is_marked else theme.accent), 1.6))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.8, 0.8, -0.8, -0.8), 3, 3)
        if self.is_marked:
            self._paint_mark(painter, QColor(theme.bad))

    def _paint_mark(self, painter: QPainter, colour: QColor) -> None:
        painter.setPen(QPen(colour, 1.4))
        left, right = self._marked_span()
        painter.setClipRect(self.rect().adjusted(4, 0, -4, 0))
        tint = QColor(colour)
        tint.setAlphaF(0.16)
        metrics = self.fontMetrics()
        middle = self.rect().center().y()
        painter.fillRect(QRectF(left, middle - metrics.height() / 2, right - left, metrics.height()), tint)
        base = middle + metrics.height() / 2 + 0.5
        steps = range(int((right - left) / _WAVE) + 2)
        painter.drawPolyline(QPolygonF([QPointF(left + step * _WAVE, base - _WAVE * (step % 2)) for step in steps]))

    def _marked_span(self) -> tuple[float, float]:
        """Where the marked characters begin and end, in pixels; at least one character wide."""
        position, length = self._mark
        metrics, text = self.fontMetrics(), self.text()
        # The cursor's rectangle is the one thing that tells how far the text is scrolled.
        origin = self.cursorRect().center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        if length == 0:
            position, length = 0, len(text)
        left = origin + metrics.horizontalAdvance(text[:position])
        right = origin + metrics.horizontalAdvance(text[: position + length])
        return left, max(right, left + metrics.averageCharWidth())
