"""In and out of the odds window: copy, paste, files, and what is dropped on it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from engine.foreign_text import shortened
from trainer.calculator.field import is_whole_question
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.question_file import ENDING, QuestionFileError, read_question_file, write_question_file
from trainer.widgets.file_dialogs import ask_to_open, ask_to_save

_FILTER = f"Questions (*{ENDING});;Text files (*.txt);;All files (*)"
_FORMS = (
    ("As &text", "text", "Ctrl+Shift+C"),
    ("As &Markdown", "markdown", "Ctrl+Shift+M"),
    ("As &CSV", "csv", ""),
    ("As &JSON", "json", ""),
)


class OddsExchange(QObject):
    """Takes whole questions in and gives questions and results out.

    `said` reports one sentence: what could not be done, or what was; "" once something new is done.
    """

    said = Signal(str, bool)

    def __init__(self, window: QWidget, model: OddsModel) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self.folder = Path.home()
        self.copy = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.open = self._button("&Open…", "Open a question from a file (Ctrl+O)", self._on_open)
        self.save = self._button("&Save…", "Save the question as a file (Ctrl+S)", self._on_save)
        self.paste = self._button("Pas&te", "Paste a whole question (Ctrl+Shift+V)", self.take_clipboard)
        self._build_copy()
        for key, act in (
            ("Ctrl+O", self._on_open),
            ("Ctrl+S", self._on_save),
            ("Ctrl+Shift+V", self.take_clipboard),
        ):
            self._action(key, act)

    def _button(self, text: str, tip: str, act: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _action(self, key: str, act: Callable[[], object]) -> None:
        action = QAction(self._window)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _checked=False: act())
        self._window.addAction(action)

    def _build_copy(self) -> None:
        self.copy.setText("Cop&y")
        self.copy.setAccessibleName("Copy the results or the question")
        self.copy.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(self.copy)
        self.results = [
            menu.addAction(text, QKeySequence(key), partial(self._on_copy, form)) for text, form, key in _FORMS
        ]
        menu.addSeparator()
        self.line = menu.addAction("Question as one &line", QKeySequence("Ctrl+Shift+L"), self._on_copy_line)
        self.copy.setMenu(menu)

    def refresh(self) -> None:
        has_odds = self._model.run.snapshot is not None and not self._model.run.is_stale
        has_line = bool(self._model.entered.taking_part)
        for action in self.results:
            action.setEnabled(has_odds)
        self.line.setEnabled(has_line)
        self.copy.setEnabled(has_odds or has_line)
        self.save.setEnabled(has_line)

    # ---- out

    def _on_copy(self, form: str) -> None:
        self._put(self._model.report(form), f"The results are on the clipboard as {_WORDS[form]}.")

    def _on_copy_line(self) -> None:
        self._put(self._model.entry.line(), "The question is on the clipboard as one line.")

    def _put(self, text: str, said: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self.said.emit(said, True)

    def _on_save(self) -> None:
        if self._model.entry.line():
            ending = ENDING.removeprefix(".")
            ask_to_save(self._window, "Save the question", self.folder, _FILTER, self.save_as, ending=ending)

    def save_as(self, name: str) -> None:
        """Write the question to a file, or say why that cannot be done."""
        path = Path(name)
        try:
            write_question_file(path, self._model.entry.line())
        except QuestionFileError as error:
            self.said.emit(str(error), False)
            return
        self.folder = path.parent
        self.said.emit(f"Saved as {shortened(path.name)}.", True)

    # ---- in

    def _on_open(self) -> None:
        ask_to_open(self._window, "Open a question", self.folder, _FILTER, self.take_file)

    def take_file(self, name: str) -> None:
        """Take the question of a file, or say what is wrong with it."""
        path = Path(name)
        try:
            line = read_question_file(path)
        except QuestionFileError as error:
            self.said.emit(str(error), False)
            return
        self.folder = path.parent
        self.take_line(line, f"{shortened(path.name)} holds no question")

    def take_clipboard(self) -> None:
        self.take_line(QGuiApplication.clipboard().text())

    def take_line(self, line: str, what: str = "This is no question") -> None:
        """Take a question in one line, or say what is wrong with it; then nothing is changed."""
        try:
            self._model.entry.take_line(line)
        except ValueError as error:
            self.said.emit(f"{what}: {error}", False)
            return
        self.said.emit("", True)

    def can_take(self, data: QMimeData) -> bool:
        """Return whether something dragged may be a question."""
        if data.hasUrls():
            return len(data.urls()) == 1 and data.urls()[0].isLocalFile()
        return data.hasText() and is_whole_question(data.text())

    def take_dropped(self, data: QMimeData) -> None:
        """Take what was dropped: a file, or text."""
        if data.hasUrls():
            self.take_file(data.urls()[0].toLocalFile())
        else:
            self.take_line(data.text())


_WORDS = {"text": "text", "markdown": "Markdown", "csv": "CSV", "json": "JSON"}
