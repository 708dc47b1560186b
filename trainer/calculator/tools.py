"""The line of tools above the question: undo and redo, in and out, and a fresh start."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShortcut, QUndoStack
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from trainer.calculator.field import redo_keys, undo_keys
from trainer.widgets.layouts import tight


class OddsTools(QWidget):
    """Buttons for undo and redo, which follow a stack, others given, one that clears, and the last."""

    clear_requested = Signal()

    def __init__(
        self, window: QWidget, stack: QUndoStack, others: tuple[QToolButton, ...], last: QToolButton
    ) -> None:
        super().__init__()
        self.undo = self._button("&Undo", stack.undo)
        self.redo = self._button("R&edo", stack.redo)
        self.clear = self._button("Clear all", self.clear_requested.emit)
        line = tight(QHBoxLayout(self), self.undo, self.redo, spacing=6)
        line.addSpacing(10)
        for button in others:
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(self.clear)
        line.addWidget(last)
        for button in (self.undo, self.redo):
            button.setEnabled(False)
        stack.canUndoChanged.connect(self.undo.setEnabled)
        stack.canRedoChanged.connect(self.redo.setEnabled)
        stack.undoTextChanged.connect(self._on_undo_text)
        stack.redoTextChanged.connect(self._on_redo_text)
        for keys, act in ((undo_keys(), stack.undo), (redo_keys(), stack.redo)):
            for key in keys:
                QShortcut(key, window, act)
        self._on_undo_text("")
        self._on_redo_text("")

    def _button(self, text: str, act: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _on_undo_text(self, text: str) -> None:
        _name_step(self.undo, f"Undo {text}".strip(), "Ctrl+Z")

    def _on_redo_text(self, text: str) -> None:
        _name_step(self.redo, f"Redo {text}".strip(), "Ctrl+Y")


def _name_step(button: QToolButton, name: str, key: str) -> None:
    button.setAccessibleName(name)
    button.setToolTip(f"{name} ({key})")
