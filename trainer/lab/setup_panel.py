"""What the pages of the lab have in common where a run is chosen."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import GameConfigError
from engine.lab.matches.workers import MOST_WORKERS
from trainer.lab.page_model import PageModel
from trainer.lab.setup_model import spare_cores
from trainer.new_game.number_boxes import NumberBox
from trainer.theme import ThemeSource
from trainer.widgets.file_dialogs import ask_for_folder
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.text_field import WrappedMessage

M = TypeVar("M", bound=PageModel[Any, Any, Any])


class SetupPanel(QWidget, Generic[M]):
    """Shows the setup of a model and changes it; what cannot be run is said below it.

    Whoever inherits puts its fields into `column`, and then calls `_connect`.
    """

    def __init__(self, theme: ThemeSource, model: M, problem_name: str) -> None:
        super().__init__()
        self._model = model
        self._boxes: tuple[NumberBox, ...] = ()
        self.problem = WrappedMessage(theme)
        self.problem.setAccessibleName(problem_name)
        self.column = tight(QVBoxLayout(self), spacing=6)

    def _connect(self, boxes: Iterable[NumberBox]) -> None:
        """Show the setup, and take what is entered into these."""
        self._boxes = tuple(boxes)
        self._show_setup()
        self._model.setup_changed.connect(self._show_setup)
        self._model.progressed.connect(self._on_progressed)
        for box in self._boxes:
            box.valueChanged.connect(self._on_changed)
            box.lineEdit().textChanged.connect(self._on_changed)

    def _add(self, text: str, field: QWidget, stretch: int = 0) -> None:
        """Put a field below its name, whose mnemonic leads to it."""
        self.column.addWidget(label_of(field, text))
        self.column.addWidget(field, stretch)

    def _add_form(self, *rows: tuple[str, QWidget] | tuple[QWidget]) -> None:
        """Put fields beside their names, below all others, and then why it cannot be run."""
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for row in rows:
            form.addRow(*row)
        self.column.addLayout(form)
        self.column.addWidget(self.problem)

    def _show_setup(self) -> None:
        raise NotImplementedError

    def _on_changed(self) -> None:
        raise NotImplementedError

    def _show_numbers(self, values: Sequence[int]) -> None:
        """Show what the boxes are to have, and why it cannot be run."""
        for box, value in zip(self._boxes, values, strict=True):
            if box.value() != value:
                with QSignalBlocker(box):
                    box.setValue(value)
        self.problem.setText(self._model.refusal)

    def _typing_problem(self) -> str:
        """Say what is wrong with what is typed, or ""."""
        for box in self._boxes:
            try:
                box.verify()
            except GameConfigError as error:
                return str(error)
        return ""

    def _on_progressed(self) -> None:
        self.setEnabled(not self._model.is_running)


class FolderField(QWidget):
    """A folder, typed or chosen; while nothing is typed, the usual one is shown."""

    edited = Signal()
    entered = Signal()  # whole, by Return, by leaving the field, or chosen

    def __init__(self, usual: str, name: str, title: str) -> None:
        super().__init__()
        self._usual, self._title = usual, title
        self.line = QLineEdit()
        self.line.setAccessibleName(name)
        self.line.setPlaceholderText(usual)
        self.choose = QPushButton("…")
        self.choose.setAccessibleName("Choose the folder")
        self.choose.setToolTip("Choose the folder")
        self.choose.setMaximumWidth(3 * self.fontMetrics().height())
        place = tight(QHBoxLayout(self))
        place.addWidget(self.line, 1)
        place.addWidget(self.choose)
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self.edited)
        self.line.editingFinished.connect(self.entered)
        self.choose.clicked.connect(self._on_choose)

    @property
    def folder(self) -> str:
        """What is typed or chosen, "" for the usual one."""
        return self.line.text().strip()

    def show_folder(self, folder: str) -> None:
        """Show another one."""
        if self.folder != folder:
            self.line.setText(folder)

    def _on_choose(self) -> None:
        ask_for_folder(self, self._title, self.folder or self._usual, self._on_chosen)

    def _on_chosen(self, folder: str) -> None:
        self.line.setText(folder)
        self.edited.emit()
        self.entered.emit()


def processes_box() -> NumberBox:
    """Return the field for how many processes work."""
    box = NumberBox(0, MOST_WORKERS, "Processes", f"all cores but one: {spare_cores()}")
    box.setToolTip("They share the work; the results are the same for any number.")
    return box
