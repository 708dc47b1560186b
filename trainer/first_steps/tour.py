"""The tour: a hand that is played again, and short words beside one part of the window after another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from trainer.theme import ThemeSource

TOUR_HAND, TOUR_PLAYER = "tour.phh", "You"
"""The recorded hand in resources/pages, and through whose eyes it is seen."""

TOUR_POSITION = 12
"""The step of that hand which the panels are explained by: Chiara bets the turn."""

_GAP = 10


TOUR = (
    (
        "",
        "A hand of the paper that FOLD comes from: you hold A♥ J♥ on the button, and Chiara opens from the "
        "first seat. It is played again here, step by step; your own hands can be, too.",
    ),
    (
        "ranges",
        "Chiara has bet the turn. This is what she may hold, in all 169 classes of hands: the fuller the colour, "
        "the likelier. Each of her actions changes it by Bayes' rule. Point at a cell to see why it is as likely.",
    ),
    (
        "meters",
        "What your hand is worth against these ranges, and against random hands. The line is what a call needs: "
        "a bar beyond it calls with profit.",
    ),
    (
        "log",
        "Every action in words. Choose a line to see the ranges of that moment; "
        "above are the hands of all sessions.",
    ),
    (
        "reasoning",
        "Why a bot acted as it did, in its own numbers, once a hand is over. No bot has played this hand, "
        "so there is nothing of it here.",
    ),
    (
        "",
        "At the table F folds, C checks or calls, R bets or raises, and H tells what every action is worth. Under "
        "each name stand VPIP, PFR, 3-bets, aggression and showdowns: point at a seat, and they are explained.",
    ),
    (
        "ranges",
        "The ? of a panel explains its terms, Shift+F1 all of them, and F1 tells the keys. "
        "Game > Fair deals shows that nobody chose the cards.",
    ),
    (
        "",
        "That was all. Game > New game has five tables from easy to hard: Alt+1 to Alt+5, and the cards fall.",
    ),
)
"""Which dock each step is about, "" for the middle of the window, and what is said."""


@dataclass(frozen=True, slots=True)
class TourStep:
    """A part of the window, how it is brought up, and what is said of it."""

    target: QWidget
    text: str
    bring_up: Callable[[], object] | None = None


class Tour(QWidget):
    """Lies over a window until it is gone through or left: Enter, Space and Right go on, Left back, Esc ends it."""

    ended = Signal()

    def __init__(self, theme: ThemeSource, steps: Sequence[TourStep], window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._steps = tuple(steps)
        self.at = 0
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Tour")
        self.bubble = QFrame(self)
        self.bubble.setAutoFillBackground(True)
        self.bubble.setFrameShape(QFrame.Shape.StyledPanel)
        self.text = QLabel(wordWrap=True)
        self.text.setAccessibleName("What is shown")
        self.count = QLabel()
        self.skip = self._button("Skip (Esc)", self._end)
        self.back = self._button("◀ Back", lambda: self._go(-1))
        self.next = self._button("Next ▶", lambda: self._go(1))
        row = QHBoxLayout()
        for widget in (self.count, self.skip, self.back, self.next):
            row.addWidget(widget)
        row.insertStretch(1)
        self._rows = QVBoxLayout(self.bubble)
        self._rows.addWidget(self.text)
        self._rows.addLayout(row)
        self.bubble.setFixedWidth(24 * self.fontMetrics().lineSpacing())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        window.installEventFilter(self)

    def _button(self, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    def start(self) -> None:
        """Show the first step."""
        self.show()
        self.setFocus()
        self._show_step()

    def _go(self, step: int) -> None:
        if self.at + step == len(self._steps):
            self._end()
        elif self.at + step >= 0:
            self.at += step
            self._show_step()

    def _end(self) -> None:
        self.close()
        self.ended.emit()

    def _show_step(self) -> None:
        step = self._steps[self.at]
        if step.bring_up is not None:
            step.bring_up()
        self.raise_()  # Qt raises the dock that is brought up, and the table, above all else in the window
        self.text.setText(step.text)
        self.count.setText(f"{self.at + 1} of {len(self._steps)}")
        self.back.setEnabled(self.at > 0)
        self.next.setText("Done" if self.at + 1 == len(self._steps) else "Next ▶")
        self.setAccessibleDescription(step.text)
        self._place()

    def _target(self) -> QRect:
        target = self._steps[self.at].target
        return QRect(target.mapTo(self._window, QPoint(0, 0)), target.size())

    def _place(self) -> None:
        """Put the words beside what they are about, where there is room, and all of them into the window."""
        self.setGeometry(self._window.rect())
        self.bubble.setFixedHeight(self._rows.heightForWidth(self.bubble.width()))
        target, size = self._target(), self.bubble.size()
        places = (
            QPoint(target.left() - size.width() - _GAP, target.top()),
            QPoint(target.right() + _GAP, target.top()),
            QPoint(target.left(), target.bottom() + _GAP),
            QPoint(target.left(), target.top() - size.height() - _GAP),
        )
        room = self.rect()
        fitting = [place for place in places if room.contains(QRect(place, size))]
        self.bubble.move(fitting[0] if fitting else target.center() - self.bubble.rect().center())
        self.update()

    def event(self, event: QEvent) -> bool:
        """Let no key be a shortcut of the window below."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keep the keys, which the hand that is being opened would take."""
        super().focusOutEvent(event)
        if self.isVisible() and self.isActiveWindow():
            QTimer.singleShot(0, self, self.setFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take every key: none of them is to act at the table below."""
        match event.key():
            case Qt.Key.Key_Escape:
                self._end()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space | Qt.Key.Key_Right:
                self._go(1)
            case Qt.Key.Key_Left:
                self._go(-1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        target = self._target()
        painter.setClipRegion(QRegion(self.rect()) - QRegion(target))
        painter.fillRect(self.rect(), QColor(0, 0, 0, 110))
        painter.setClipping(False)
        painter.setPen(QPen(QColor(self._theme.theme.accent), 3))
        painter.drawRect(target.adjusted(1, 1, -2, -2))
        painter.end()
