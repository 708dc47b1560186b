"""The window of the glossary: terms to search, all or those of a panel, and what each means."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.resources import ResourceError
from trainer.first_steps.glossary_model import PANELS, Term, glossary, terms_found
from trainer.widgets.front import bring_up

_TITLES = {"odds": "Odds calculator"}


class TermsButton(QToolButton):
    """The ? of a window: clicked, or by Shift+F1, its terms are to be explained."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        name = f"Terms of {window.windowTitle()}"
        self.setText("?")
        self.setAutoRaise(True)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} (Shift+F1)")
        QShortcut(QKeySequence("Shift+F1"), window, self.click)


class GlossaryWindow(QDialog):
    """Shows the terms; typing searches, Up and Down go through what is found."""

    shown = Signal(str)  # the name of the term that is shown now

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Glossary")
        self._terms: tuple[Term, ...] = ()
        self._found: tuple[Term, ...] = ()
        self.search = QLineEdit(clearButtonEnabled=True, placeholderText="Search")
        self.search.setAccessibleName("Search the glossary")
        self.search.textChanged.connect(self._on_changed)
        self.search.installEventFilter(self)
        self.panel = QComboBox()
        self.panel.addItem("All terms", "")
        for panel in PANELS:
            self.panel.addItem(_TITLES.get(panel, panel.capitalize()), panel)
        self.panel.setAccessibleName("Terms of a panel")
        self.panel.currentIndexChanged.connect(self._on_changed)
        self.names = QListWidget()
        self.names.setAccessibleName("Terms")
        self.names.currentRowChanged.connect(self._on_row)
        self.text = QTextBrowser()
        self.text.setAccessibleName("What the term means")
        line = self.fontMetrics().lineSpacing()
        for widget in (self.search, self.panel, self.names):
            widget.setFixedWidth(15 * line)
        self.text.setMinimumWidth(22 * line)
        left = QVBoxLayout()
        for widget in (self.search, self.panel, self.names):
            left.addWidget(widget)
        row = QHBoxLayout()
        row.addLayout(left)
        row.addWidget(self.text, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(row, 1)
        layout.addWidget(QLabel("Esc closes; the figures called usual are those of sound players at six seats."))
        self.resize(40 * line, 26 * line)
        try:
            self._terms = glossary()
        except ResourceError as error:
            self.text.setPlainText(str(error))
        self._on_changed()

    def open_for(self, panel: str = "") -> None:
        """Come to the front with the terms of a panel, by default with all."""
        self.search.clear()
        self.panel.setCurrentIndex(max(self.panel.findData(panel), 0))
        bring_up(self)
        self.search.setFocus()

    def _on_changed(self) -> None:
        self._found = terms_found(self._terms, self.search.text(), self.panel.currentData())
        self.names.blockSignals(True)
        self.names.clear()
        self.names.addItems([term.name for term in self._found])
        self.names.blockSignals(False)
        self.names.setCurrentRow(0 if self._found else -1)
        if not self._found and self._terms:
            self.text.setPlainText("No term is called so. A shorter word may find one.")

    def _on_row(self, row: int) -> None:
        if 0 <= row < len(self._found):
            self.text.setMarkdown(self._found[row].page)
            self.shown.emit(self._found[row].name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Up and Down of the search go through the list."""
        is_key = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if watched is self.search and is_key:
            assert isinstance(event, QKeyEvent)
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step:
                row = self.names.currentRow() + step
                self.names.setCurrentRow(min(max(row, 0), self.names.count() - 1))
                return True
        return super().eventFilter(watched, event)
