"""Text fields of the odds window: they share its undo stack, and know a whole question when it is pasted."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QUndoStack,
)
from PySide6.QtWidgets import QMenu

from engine.cards import CardTextError, parse_cards
from engine.equity.notation import BAR
from trainer.theme import ThemeSource
from trainer.widgets.text_field import MarkedLineEdit

_LONGEST_TEXT = 1_000_000  # what is longer than a range may be is refused by name, and not cut

_NO_KEY, _KEYPAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier


def undo_keys() -> tuple[QKeySequence, ...]:
    """Return the keys that undo on this platform."""
    return _keys(QKeySequence.StandardKey.Undo, "Ctrl+Z")


def redo_keys() -> tuple[QKeySequence, ...]:
    """Return the keys that redo on this platform, and those of the others."""
    return _keys(QKeySequence.StandardKey.Redo, "Ctrl+Y", "Ctrl+Shift+Z")


def _keys(standard: QKeySequence.StandardKey, *more: str) -> tuple[QKeySequence, ...]:
    keys = (*QKeySequence.keyBindings(standard), *map(QKeySequence, more))
    return tuple({key.toString(): key for key in keys}.values())


def is_whole_question(text: str) -> bool:
    """Return whether a text is a whole question: it has bars, and not only between single cards."""
    return BAR in text and not all(map(_is_card, text.split(BAR)))


def _is_card(text: str) -> bool:
    try:
        return len(parse_cards(text)) == 1
    except CardTextError:
        return False


class UndoElsewhere(QObject):
    """An event filter that leaves the keys of undo and redo to the window of a text field."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys = (*undo_keys(), *redo_keys())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_theirs = QKeySequence(event.keyCombination()) in self._keys
        if is_theirs:
            event.ignore()
        return is_theirs


class OddsField(MarkedLineEdit):
    """A marked field without a history of its own; `left` is -1 for the arrow up and 1 for down."""

    question_pasted = Signal(str)
    left = Signal(int)

    def __init__(self, theme: ThemeSource, undo_stack: QUndoStack) -> None:
        super().__init__(theme)
        self.setMaxLength(_LONGEST_TEXT)
        self._undo_stack = undo_stack
        self._filter = UndoElsewhere(self)
        self.installEventFilter(self._filter)

    def replace_text(self, text: str) -> None:
        """Put in a text; emits nothing."""
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.home(False)  # of a long text the beginning says most

    def _on_paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        if is_whole_question(text):
            self.question_pasted.emit(text)
        else:
            self.paste()

    def _make_menu(self) -> QMenu:
        """Return the field's own menu, with the window's undo and redo in place of the field's."""
        menu = self.createStandardContextMenu()
        stack = self._undo_stack
        for name, label, is_on, act in (
            ("edit-undo", f"Undo {stack.undoText()}", stack.canUndo(), stack.undo),
            ("edit-redo", f"Redo {stack.redoText()}", stack.canRedo(), stack.redo),
            ("edit-paste", "Paste", bool(QGuiApplication.clipboard().text()), self._on_paste),
        ):
            own = next((action for action in menu.actions() if action.objectName() == name), None)
            if own is not None:
                replacement = menu.addAction(label.strip(), act)
                replacement.setEnabled(is_on)
                menu.insertAction(own, replacement)
                menu.removeAction(own)
        return menu

    # ---- Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self._on_paste()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and event.modifiers() in (_NO_KEY, _KEYPAD):
            self.left.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self._make_menu()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not self._leave_to_window(event):
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not self._leave_to_window(event):
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if not self._leave_to_window(event):
            super().dropEvent(event)

    def _leave_to_window(self, event: QDropEvent) -> bool:
        data = event.mimeData()
        is_theirs = data.hasUrls() or is_whole_question(data.text())
        if is_theirs:
            event.ignore()
        return is_theirs
