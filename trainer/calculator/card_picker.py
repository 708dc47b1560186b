"""Choosing cards by mouse, keys or typing (`a`, then `h`): a grid of the deck, and slots that show a choice."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.cards import RANKS, SUITS, Card, format_card, make_card, rank_of, suit_of
from trainer.theme import ThemeSource
from trainer.widgets.cards import ASPECT, paint_card
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel, make_bold

RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_ROW_SUITS = (3, 2, 1, 0)  # spades on top, as hand histories and most grids list them
_SLOT_LIMIT = 5


def card_name(card: int) -> str:
    """Say a card in words, for a screen reader: `ace of spades`."""
    return f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


class CardButton(QAbstractButton):
    """One card of the grid, or one slot of a choice; its width is in heights of the font."""

    def __init__(self, theme: ThemeSource, width_em: float = 2.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._width_em = width_em
        self.card: Card | None = None
        self.is_active = False
        self.four_colours = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_card(self, card: Card | None, *, is_active: bool = False) -> None:
        """Show a card, or an empty place; an active place is the one that is filled next."""
        self.card, self.is_active = card, is_active
        self.update()

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def sizeHint(self) -> QSize:
        width = round(self._width_em * self.fontMetrics().height())
        return QSize(width, round(width * ASPECT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        if self.card is None:
            pen = QPen(QColor(theme.accent if self.is_active else theme.text_muted), 1.2, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawRoundedRect(rect, 0.11 * rect.width(), 0.11 * rect.width())
        else:
            is_faint = not self.isEnabled()
            paint_card(painter, rect, self.card, theme, four_colours=self.four_colours, is_dimmed=is_faint)
            if is_faint:
                painter.setPen(QPen(QColor(theme.text_muted), 1.5))
                painter.drawLine(rect.topLeft() + QPointF(3, 3), rect.bottomRight() - QPointF(3, 3))
        if self.hasFocus() or self.isChecked() or self.is_active or (self.underMouse() and self.isEnabled()):
            is_strong = self.hasFocus() or self.isChecked()
            painter.setPen(QPen(QColor(theme.accent), 2.4 if is_strong else 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.2, 1.2, -1.2, -1.2), 4, 4)
        if self.isChecked():
            tint = QColor(theme.accent)
            tint.setAlphaF(0.28)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawRoundedRect(rect, 4, 4)


class CardSlots(QWidget):
    """A row of places for cards, such as the five of a board; `slot_clicked` counts from 0."""

    slot_clicked = Signal(int)

    def __init__(self, theme: ThemeSource, count: int, name: str, width_em: float = 2.0) -> None:
        super().__init__()
        self._name = name
        layout = tight(QHBoxLayout(self), spacing=2)
        self.slots = tuple(CardButton(theme, width_em, self) for _ in range(count))
        for number, slot in enumerate(self.slots):
            slot.clicked.connect(lambda _checked=False, n=number: self.slot_clicked.emit(n))
            layout.addWidget(slot)
        self.show_cards(())

    def show_cards(self, cards: Sequence[Card], active: int | None = None) -> None:
        """Show cards in their order, and which place is filled next."""
        for number, slot in enumerate(self.slots):
            card = cards[number] if number < len(cards) else None
            slot.show_card(card, is_active=number == active)
            content = "empty" if card is None else card_name(card)
            slot.setAccessibleName(f"{self._name}, card {number + 1}: {content}")
            slot.setToolTip(f"{content}; click to choose" if card is None else card_name(card))

    def set_four_colours(self, is_on: bool) -> None:
        for slot in self.slots:
            slot.four_colours = is_on
            slot.update()


class CardPicker(QFrame):
    """A popup with the whole deck: taken cards are grey, a chosen card moves on to the next empty place."""

    cards_changed = Signal(object)  # tuple of Card
    closed = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName("Card picker")
        self.cards: tuple[Card, ...] = ()
        self.place = 0
        self._theme = theme
        self._capacity = 5
        self._used: Mapping[Card, str] = {}
        self._typed_rank = ""
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._chosen = QLabel()
        self._slots = CardSlots(theme, _SLOT_LIMIT, "Chosen", 1.8)
        self._slots.slot_clicked.connect(self._on_slot_clicked)
        self.buttons: dict[Card, CardButton] = {}
        self._build()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(8)
        top = QHBoxLayout()
        make_bold(self._title)
        top.addWidget(self._title)
        top.addWidget(self._slots)
        top.addWidget(self._chosen, 1)
        self._clear = QPushButton("C&lear")
        self._clear.setAccessibleName("Clear the chosen cards")
        self._clear.clicked.connect(self._on_clear)
        self._done = QPushButton("&Done")
        self._done.clicked.connect(self.close)
        for button in (self._clear, self._done):
            button.setAutoDefault(False)
            top.addWidget(button)
        layout.addLayout(top)
        grid = QGridLayout()
        grid.setSpacing(1)
        for row, suit in enumerate(_ROW_SUITS):
            for column in range(len(RANKS)):
                grid.addWidget(self._card_button(make_card(len(RANKS) - 1 - column, suit)), row, column)
        layout.addLayout(grid)
        hint = ColouredLabel(
            self._theme, "text_muted", "Or type a card, such as a h; backspace takes the last one back."
        )
        layout.addWidget(hint)

    def _card_button(self, card: Card) -> CardButton:
        button = CardButton(self._theme, 2.3, self)
        button.show_card(card)
        button.setCheckable(True)
        button.setAccessibleName(card_name(card))
        button.clicked.connect(lambda _checked=False: self.toggle(card))
        button.installEventFilter(self)
        self.buttons[card] = button
        return button

    def open_for(
        self,
        title: str,
        cards: Sequence[Card],
        capacity: int,
        used: Mapping[Card, str],
        below: QWidget,
        place: int | None = None,
    ) -> None:
        """Open below a widget; up to five of `capacity` cards are shown as places, `used` says where others are."""
        self._title.setText(title)
        self._capacity, self._used = capacity, used
        self._slots.setVisible(capacity <= _SLOT_LIMIT)
        for number, slot in enumerate(self._slots.slots):
            slot.setVisible(number < capacity)
        self.cards = tuple(cards)
        self.place = len(cards) if place is None else min(place, len(cards))
        self._typed_rank = ""
        self._show()
        self.adjustSize()
        self.move(self._place_below(below))
        self.show()
        self.move(self._place_below(below))  # again, for showing settles the fonts and so the size
        first = next((button for button in self.buttons.values() if button.isEnabled()), None)
        ace = self.buttons[make_card(12, 3)]
        target = ace if ace.isEnabled() else first
        if target is not None:
            target.setFocus(Qt.FocusReason.PopupFocusReason)

    def set_four_colours(self, is_on: bool) -> None:
        self._slots.set_four_colours(is_on)
        for button in self.buttons.values():
            button.four_colours = is_on
            button.update()

    def toggle(self, card: Card) -> None:
        """Take a card back if it is chosen; otherwise put it in the active place and move on."""
        if card in self._used:
            return
        if card in self.cards:
            at = self.cards.index(card)
            self._choose((*self.cards[:at], *self.cards[at + 1 :]), at)
        elif self.place < len(self.cards):
            cards = (*self.cards[: self.place], card, *self.cards[self.place + 1 :])
            self._choose(cards, len(cards))
        elif len(self.cards) < self._capacity:
            self._choose((*self.cards, card), len(self.cards) + 1)

    def _choose(self, cards: tuple[Card, ...], place: int) -> None:
        self.cards, self.place = cards, place
        self._show()
        self.cards_changed.emit(cards)

    def _show(self) -> None:
        self._slots.show_cards(self.cards, self.place)
        count = "" if self._capacity <= _SLOT_LIMIT else f"{len(self.cards)} chosen"
        self._chosen.setText(f"type {self._typed_rank} …" if self._typed_rank else count)
        self._clear.setEnabled(bool(self.cards))
        for card, button in self.buttons.items():
            button.setEnabled(card not in self._used)
            button.setChecked(card in self.cards)
            where = self._used.get(card, "chosen" if card in self.cards else "")
            button.setAccessibleDescription(where)
            button.setToolTip(f"{card_name(card)}{', ' + where if where else ''}")

    def _on_slot_clicked(self, number: int) -> None:
        self.place = min(number, len(self.cards))
        self._show()

    def _on_clear(self) -> None:
        self._choose((), 0)

    def _place_below(self, widget: QWidget) -> QPoint:
        corner = widget.mapToGlobal(QPoint(0, widget.height() + 2))
        screen = QGuiApplication.screenAt(corner) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        x = max(room.left(), min(corner.x(), room.left() + room.width() - self.width()))
        y = corner.y()
        if y + self.height() > room.top() + room.height():
            y = widget.mapToGlobal(QPoint(0, 0)).y() - self.height() - 2
        return QPoint(x, max(room.top(), y))

    def _move_focus(self, button: CardButton, key: int) -> None:
        """Go to the next card that can be chosen in the direction of an arrow key."""
        assert button.card is not None
        column, row = len(RANKS) - 1 - rank_of(button.card), _ROW_SUITS.index(suit_of(button.card))
        step_x, step_y = _ARROWS[key]
        for _ in range(len(RANKS)):
            column, row = column + step_x, row + step_y
            if not (0 <= column < len(RANKS) and 0 <= row < len(_ROW_SUITS)):
                return
            target = self.buttons[make_card(len(RANKS) - 1 - column, _ROW_SUITS[row])]
            if target.isEnabled():
                target.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _type(self, letter: str) -> bool:
        """Take a typed letter: a rank first, then a suit."""
        rank = "T" if letter == "1" else letter.upper()
        if self._typed_rank and letter.lower() in SUITS:
            card = make_card(RANKS.index(self._typed_rank), SUITS.index(letter.lower()))
            self._typed_rank = ""
            self._show()
            if card in self._used:
                self._chosen.setText(f"{format_card(card)} is {self._used[card]}")
            elif card not in self.cards:
                self.toggle(card)
                self.buttons[card].setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        if rank in RANKS:
            self._typed_rank = rank
            self._show()
            return True
        return False

    # ---- Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and isinstance(watched, CardButton)
        ):
            if event.key() in _ARROWS:
                self._move_focus(watched, event.key())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                watched.click()
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace:
            if self._typed_rank:
                self._typed_rank = ""
                self._show()
            elif self.cards:
                self._choose(self.cards[:-1], len(self.cards) - 1)
        elif not (event.text() and self._type(event.text())):
            super().keyPressEvent(event)
            if event.key() == Qt.Key.Key_Escape:
                self.close()

    def hideEvent(self, _event: QHideEvent) -> None:
        self.closed.emit()


_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
