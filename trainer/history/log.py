"""A hand in words: the one on the table as it grows, or any earlier one of this and earlier sessions."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListView,
    QMenu,
    QPushButton,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards, suit_of
from engine.game.events import Seat
from engine.game.observation import HandView, Observation
from trainer.history.log_model import LineKind, LogLine, LogMoment, Part, log_lines, log_text
from trainer.history.past_hands_model import HandsModel, SessionsModel
from trainer.session.amounts import Units
from trainer.session.past_hands import PastHand, PastSession
from trainer.theme import Theme, ThemeSource
from trainer.widgets.announcement import announce

_THIN_SPACE = "\u2009"
_NEAR_END = 4  # pixels


class LinesBrowser(QTextBrowser):
    """Read-only lines with a cursor: arrow keys go from line to line, Enter or the menu opens one."""

    line_opened = Signal(object)  # number of the line, from 0, whose odds are wanted

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the end in sight where it was: a hidden tab gets its size only when it is shown."""
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - _NEAR_END
        super().resizeEvent(event)
        if was_at_end:
            bar.setValue(bar.maximum())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        place = event.pos() if is_mouse else self.cursorRect().bottomLeft()
        self.open_menu(self.cursorForPosition(place).blockNumber() if is_mouse else self.line, place)

    def open_menu(self, line: int, place: QPoint) -> None:
        """Open the menu of a line at a place in the viewport: its odds, and what text can be done with."""
        menu = self.createStandardContextMenu(place)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        odds = QAction("&Open in the odds calculator", menu, enabled=bool(self.toPlainText()))
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
    """Shows one hand line by line, and offers every other one of this and earlier sessions."""

    # which of the sessions or hands offered is wanted; `show_sessions`, `show_hands` and `show_hand` answer
    session_chosen = Signal(int)
    hand_chosen = Signal(int)
    odds_requested = Signal(object)  # LogMoment: a line whose odds are wanted

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._in_big_blinds = False
        self._four_colours = False
        self._hand: HandView | None = None
        self._marked = -1
        self._has_results = True
        self._written: tuple[LogLine, ...] = ()
        self._sessions = SessionsModel(self)
        self._hands = HandsModel(self)
        self._build()

    @property
    def text(self) -> str:
        """The hand shown, as plain text."""
        return log_text(self._written)

    def show_hand(self, observation: HandView) -> None:
        """Show a hand as far as its observation goes: another one, or more of the same."""
        self._hand = observation
        self._write()

    def show_sessions(self, sessions: Sequence[PastSession], index: int) -> None:
        """Offer sessions; `index` is the one whose hands are offered."""
        self._sessions.show_sessions(sessions)
        self._session_box.setCurrentIndex(index)
        self._session_box.setEnabled(bool(sessions))

    def show_hands(self, hands: Sequence[PastHand], on_table: HandView | None, index: int) -> None:
        """Offer finished hands and after them the one on the table, if any; `index` is the one shown."""
        self._hands.show_hands(hands, on_table)
        self.mark_hand(index)

    def mark_hand(self, index: int) -> None:
        """Show which of the hands offered is the one shown."""
        self._marked = index
        self._hand_list.setCurrentIndex(self._hands.index(index))

    def set_results_shown(self, is_shown: bool) -> None:
        """Say beside each hand offered what was won or lost in it, or not while one is played again blind."""
        if is_shown != self._has_results:
            self._has_results = is_shown
            self._hands.set_results_shown(is_shown)
            self.mark_hand(self._marked)

    def clear(self) -> None:
        """Show that there is no hand."""
        self._hand, self._written = None, ()
        self._browser.clear()
        self._copy.setEnabled(False)

    def set_units(self, big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = big_blinds
        session = self._session_box.currentIndex()
        self._sessions.set_units(big_blinds)
        self._session_box.setCurrentIndex(session)
        self._hands.set_units(big_blinds)
        self.mark_hand(self._marked)
        self._write()

    def set_four_colours(self, four_colours: bool) -> None:
        """Colour the suits as the four-colour deck does, or as the usual one."""
        self._four_colours = four_colours
        self._rewrite()

    def _build(self) -> None:
        self._session_box = QComboBox()
        self._session_box.setAccessibleName("Session")
        self._session_box.setToolTip("Session whose hands are below")
        self._session_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._session_box.setModel(self._sessions)
        self._session_box.currentTextChanged.connect(self._session_box.setToolTip)  # a narrow one cuts it
        self._session_box.setEnabled(False)
        self._session_box.activated.connect(self.session_chosen)
        # No second box: to open one, Qt measures every line, and there may be thousands.
        self._hand_list = QListView()
        self._hand_list.setAccessibleName("Hands")
        self._hand_list.setToolTip("The hand chosen is shown in all panels")
        self._hand_list.setUniformItemSizes(True)
        self._hand_list.setModel(self._hands)
        self._hand_list.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self._copy = QPushButton("Copy")
        self._copy.setAccessibleName("Copy this hand as text")
        self._copy.setToolTip("Copy this hand as text")
        self._copy.clicked.connect(self.copy)
        self._browser = LinesBrowser(self._theme_source)
        self._browser.line_opened.connect(self._ask)
        hands = QHBoxLayout()
        hands.addWidget(self._hand_list, 1)
        hands.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self._session_box)
        layout.addLayout(hands)
        layout.addWidget(self._browser)
        self._copy.setEnabled(False)

    def copy(self) -> None:
        """Put the hand shown on the clipboard, as plain text."""
        QGuiApplication.clipboard().setText(self.text)

    def ask_odds(self) -> bool:
        """Ask for the odds of the line that the cursor is on; return whether there is one."""
        return self._ask(self._browser.line)

    def _on_row_changed(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() != self._marked:
            self._marked = index.row()
            self.hand_chosen.emit(index.row())

    def _ask(self, line: int) -> bool:
        hand = self._hand
        if hand is None or not 0 <= line < len(self._written):
            return False
        self.odds_requested.emit(LogMoment(hand.events, _own(hand), self._written[line].event_count))
        return True

    def _rewrite(self) -> None:
        self._written = ()
        self._write()

    def _write(self) -> None:
        """Bring the text up to date, adding lines where it can so that the place being read stays."""
        hand = self._hand
        if hand is None:
            return
        units = Units.of(hand, self._in_big_blinds)
        lines = log_lines(hand.events, units, own=_own(hand))
        known = len(self._written)
        is_longer = known > 0 and lines[:known] == self._written
        scroll_bar = self._browser.verticalScrollBar()
        was_at_end = not is_longer or scroll_bar.value() >= scroll_bar.maximum() - _NEAR_END
        if not is_longer:
            self._browser.clear()
            known = 0
        cursor = QTextCursor(self._browser.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for index, line in enumerate(lines[known:], start=known):
            self._write_line(cursor, line, is_first=index == 0)
        if is_longer:
            self._announce(lines[known:])
        self._written = lines
        self._copy.setEnabled(True)
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
        self._rewrite()
        self._browser.mark_line()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = round(QFontMetricsF(self.font()).height()) + 4
        self._hand_list.setFixedHeight(max(3 * line, self.height() // 5))
        self._hand_list.scrollTo(self._hand_list.currentIndex())


def _own(hand: HandView) -> tuple[Seat, HoleCards] | None:
    """Return the viewer's seat and hole cards; None of a hand that was watched."""
    return (hand.seat, hand.hole_cards) if isinstance(hand, Observation) else None
