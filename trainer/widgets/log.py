"""The hand in words: the running hand as it grows, and every earlier hand of the session to look back on."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards, suit_of
from engine.game.events import HandStarted, PublicEvent, Seat
from engine.game.observation import Observation
from trainer.theme import Theme, ThemeSource
from trainer.viewmodels.amounts import Units
from trainer.viewmodels.log import LineKind, LogLine, Part, log_lines, log_text
from trainer.viewmodels.odds_opening import LogMoment
from trainer.widgets.announcement import announce

_KEPT_HANDS = 1000
_THIN_SPACE = "\u2009"


class LinesBrowser(QTextBrowser):
    """Read-only lines with a cursor: arrow keys go from line to line, Enter or the menu opens one.

    Signals
    -------
    line_opened : int
        Number of the line, from 0, whose odds are wanted.
    """

    line_opened = Signal(object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.menu: QMenu | None = None
        self.setAccessibleName("Hand in words")
        self.setAccessibleDescription("Enter opens the odds of the line that the cursor is on.")
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.cursorPositionChanged.connect(self.mark_line)

    @property
    def line(self) -> int:
        """The line that the cursor is on, from 0."""
        return self.textCursor().blockNumber()

    def mark_line(self) -> None:
        """Shade the line that the keys act on, while they do."""
        marks = []
        if self.hasFocus():
            mark = QTextEdit.ExtraSelection()
            mark.format.setBackground(QColor(self._theme.theme.panel_raised))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            mark.cursor = self.textCursor()
            mark.cursor.clearSelection()
            marks.append(mark)
        self.setExtraSelections(marks)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.mark_line()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.mark_line()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.line_opened.emit(self.line)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        place = event.pos() if is_mouse else self.cursorRect().bottomLeft()
        self.open_menu(self.cursorForPosition(place).blockNumber() if is_mouse else self.line, place)

    def open_menu(self, line: int, place: QPoint) -> None:
        """Open the menu of a line at a place in the viewport: its odds, and what text can be done with."""
        menu = self.createStandardContextMenu(place)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        odds = QAction("&Open in the odds calculator", menu)
        odds.setEnabled(bool(self.toPlainText()))
        odds.triggered.connect(lambda: self.line_opened.emit(line))
        for action in menu.actions():
            if action.objectName() == "link-copy":  # there are no links
                menu.removeAction(action)
        first = menu.actions()[0] if menu.actions() else None
        menu.insertAction(first, odds)  # type: ignore[arg-type]
        if first is not None:
            menu.insertSeparator(first)
        self.menu = menu
        menu.popup(self.viewport().mapToGlobal(place))


class HandLog(QWidget):
    """Tells hands line by line; follows the running one unless an earlier one is being read.

    Signals
    -------
    odds_requested : LogMoment
        A line whose odds are wanted.
    """

    odds_requested = Signal(object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._in_big_blinds = False
        self._four_colours = False
        self._hands: dict[int, _Hand] = {}
        self._written: tuple[LogLine, ...] = ()
        self._written_hand: int | None = None
        self._build()

    @property
    def text(self) -> str:
        """The hand shown, as plain text."""
        return log_text(self._written)

    def add_event(self, event: PublicEvent) -> None:
        """Tell one more event of the running hand; a `HandStarted` opens the next one."""
        if isinstance(event, HandStarted):
            self._take(event.hand_number, (event,), None)
        elif self._hands:
            number = max(self._hands)
            hand = self._hands[number]
            if hand.events[-1] is not event:
                self._take(number, (*hand.events, event), hand.own)

    def show_hand(self, observation: Observation) -> None:
        """Tell a hand as far as its observation goes; it becomes the newest, or replaces what was told of it."""
        own = (observation.seat, observation.hole_cards)
        self._take(observation.hand_number, observation.events, own)

    def clear(self) -> None:
        """Forget every hand: a new session begins."""
        self._hands.clear()
        self._chooser.clear()
        self._written, self._written_hand = (), None
        self._browser.clear()
        self._show_buttons()

    def set_units(self, big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = big_blinds
        self._write_anew()

    def set_four_colours(self, four_colours: bool) -> None:
        """Colour the suits as the four-colour deck does, or as the usual one."""
        self._four_colours = four_colours
        self._write_anew()

    def _build(self) -> None:
        self._chooser = QComboBox()
        self._chooser.setAccessibleName("Hand")
        self._chooser.setMinimumWidth(110)
        self._chooser.currentIndexChanged.connect(self._on_chosen)
        self._earlier = self._arrow(Qt.ArrowType.LeftArrow, "Earlier hand")
        self._earlier.clicked.connect(self._on_earlier)
        self._later = self._arrow(Qt.ArrowType.RightArrow, "Later hand")
        self._later.clicked.connect(self._on_later)
        self._copy = QPushButton("Copy")
        self._copy.setAccessibleName("Copy this hand as text")
        self._copy.setToolTip("Copy this hand as text")
        self._copy.clicked.connect(self.copy)
        self._browser = LinesBrowser(self._theme_source)
        self._browser.line_opened.connect(self._on_line_opened)
        header = QHBoxLayout()
        for widget in (self._earlier, self._chooser, self._later):
            header.addWidget(widget)
        header.addStretch(1)
        header.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(header)
        layout.addWidget(self._browser)
        self._show_buttons()

    def copy(self) -> None:
        """Put the hand shown on the clipboard, as plain text."""
        QGuiApplication.clipboard().setText(self.text)

    def ask_odds(self) -> bool:
        """Ask for the odds of the line that the cursor is on; tell whether there is one."""
        return self._ask(self._browser.line)

    def _on_line_opened(self, line: int) -> None:
        self._ask(line)

    def _ask(self, line: int) -> bool:
        hand = None if self._written_hand is None else self._hands[self._written_hand]
        if hand is None or hand.own is None or not 0 <= line < len(self._written):
            return False
        self.odds_requested.emit(LogMoment(hand.events, hand.own, self._written[line].event_count))
        return True

    def _arrow(self, arrow: Qt.ArrowType, name: str) -> QToolButton:
        button = QToolButton()
        button.setArrowType(arrow)
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def _take(self, number: int, events: tuple[PublicEvent, ...], own: tuple[Seat, HoleCards] | None) -> None:
        is_new = number not in self._hands
        follows = self._written_hand is None or self._written_hand == max(self._hands)
        if is_new and number <= max(self._hands, default=number - 1):
            self.clear()  # hand numbers only rise within a session
            follows = True
        self._hands[number] = _Hand(events, own)
        if is_new:
            self._offer(number)
        if follows and (is_new or self._written_hand == number):
            self._chooser.setCurrentIndex(self._chooser.findData(number))
            self._write(number, announces=True)
        elif self._written_hand == number:
            self._write(number, announces=False)
        self._show_buttons()

    def _offer(self, number: int) -> None:
        self._chooser.blockSignals(True)
        self._chooser.addItem(f"Hand {number}", number)
        if len(self._hands) > _KEPT_HANDS:
            del self._hands[min(self._hands)]
            self._chooser.removeItem(0)
        self._chooser.blockSignals(False)

    def _on_chosen(self, index: int) -> None:
        number = self._chooser.itemData(index)
        if number is not None and number != self._written_hand:
            self._write(number, announces=False)
        self._show_buttons()

    def _on_earlier(self) -> None:
        self._chooser.setCurrentIndex(max(0, self._chooser.currentIndex() - 1))

    def _on_later(self) -> None:
        self._chooser.setCurrentIndex(min(self._chooser.count() - 1, self._chooser.currentIndex() + 1))

    def _show_buttons(self) -> None:
        index, count = self._chooser.currentIndex(), self._chooser.count()
        self._earlier.setEnabled(index > 0)
        self._later.setEnabled(0 <= index < count - 1)
        self._copy.setEnabled(count > 0)

    def _write_anew(self) -> None:
        if self._written_hand is not None:
            number, self._written_hand = self._written_hand, None
            self._write(number, announces=False)

    def _write(self, number: int, *, announces: bool) -> None:
        """Bring the text up to date, adding lines where it can so that the place being read stays."""
        hand = self._hands[number]
        start = hand.events[0]
        units = Units(start.big_blind if isinstance(start, HandStarted) else 1, self._in_big_blinds)
        lines = log_lines(hand.events, units, own=hand.own)
        known = len(self._written)
        is_longer = number == self._written_hand and lines[:known] == self._written
        scroll_bar = self._browser.verticalScrollBar()
        was_at_end = not is_longer or scroll_bar.value() >= scroll_bar.maximum() - 4
        if not is_longer:
            self._browser.clear()
            known = 0
        cursor = QTextCursor(self._browser.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for index, line in enumerate(lines[known:], start=known):
            self._write_line(cursor, line, is_first=index == 0)
        if announces and is_longer:
            self._announce(lines[known:])
        self._written, self._written_hand = lines, number
        if was_at_end:
            scroll_bar.setValue(scroll_bar.maximum())

    def _write_line(self, cursor: QTextCursor, line: LogLine, *, is_first: bool) -> None:
        block = QTextBlockFormat()
        block.setTopMargin(0 if is_first else 9 if line.kind is LineKind.STREET else 2)
        if is_first:
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        for part in line.parts:
            text = part.text if part.card is None else f"{_THIN_SPACE}{part.text}{_THIN_SPACE}"
            cursor.insertText(text, self._format(line, part))

    def _format(self, line: LogLine, part: Part) -> QTextCharFormat:
        theme = self._theme_source.theme
        text_format = QTextCharFormat()
        if line.kind in (LineKind.HAND, LineKind.STREET) and part.role == "text":
            text_format.setFontWeight(QFont.Weight.Bold)
        if part.card is None:
            text_format.setForeground(QColor(getattr(theme, part.role)))
        else:
            text_format.setForeground(QColor(theme.suit_colour(suit_of(part.card), self._four_colours)))
            text_format.setBackground(QColor(theme.card_face))
            text_format.setFontWeight(QFont.Weight.Bold)
        return text_format

    def _announce(self, lines: tuple[LogLine, ...]) -> None:
        if lines:
            announce(self._browser, ". ".join(line.text for line in lines))

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._write_anew()
        self._browser.mark_line()


class _Hand:
    """What is known of one hand."""

    def __init__(self, events: tuple[PublicEvent, ...], own: tuple[Seat, HoleCards] | None) -> None:
        self.events = events
        self.own = own
