"""Where it is chosen what evolves, and how."""

from msgspec import structs
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit

from trainer.lab.evolution.evolution_model import EvolutionModel
from trainer.lab.evolution.setup_model import ALL, CHOICES, plan_words, title_of, words_of
from trainer.lab.setup_model import MOST_SEED
from trainer.lab.setup_panel import FolderField, SetupPanel, processes_box
from trainer.new_game.number_boxes import NumberBox
from trainer.theme import ThemeSource
from trainer.widgets.check_box import CheckBox

_LEAST_LINES = 6


class EvolutionPanel(SetupPanel[EvolutionModel]):
    """What evolves, its settings as text, and where it is kept."""

    def __init__(self, theme: ThemeSource, model: EvolutionModel) -> None:
        super().__init__(theme, model, "Why this cannot be run")
        self.what = QComboBox()
        self.words = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.is_short = CheckBox("Sh&ort: shows only that it works")
        self.settings = QPlainTextEdit(lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.plan = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.seed = NumberBox(0, MOST_SEED, "Seed of the whole run")
        self.workers = processes_box()
        self.folder = FolderField(
            str(model.usual_folder),
            "Folder of policies",
            "Where policies are kept, or were",
        )
        self._build()
        self._connect((self.seed, self.workers))
        self.what.activated.connect(self._on_changed)
        self.is_short.clicked.connect(self._on_short)
        self.settings.textChanged.connect(self._on_changed)
        self.folder.edited.connect(self._on_changed)
        self.folder.entered.connect(model.open)

    def _build(self) -> None:
        for name, targets in CHOICES.items():
            self.what.addItem("All of A*" if name == ALL else title_of(targets[0]), name)
            self.what.setItemData(self.what.count() - 1, words_of(name), Qt.ItemDataRole.ToolTipRole)
        self.what.setAccessibleName("What evolves")
        self.words.setAccessibleName("What that is")
        self.is_short.setToolTip("A small network and few hands; a minute or two for one policy")
        self.settings.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.settings.setAccessibleName("Settings of the run")
        self.settings.setTabChangesFocus(True)
        self.settings.setToolTip("The settings file of the command line; what is left out is as usual.")
        self.settings.setMinimumHeight(_LEAST_LINES * self.fontMetrics().height())
        self.plan.setAccessibleName("How much is played")
        self.seed.setToolTip("The same seed and settings evolve the same policies again.")
        self.folder.line.setToolTip(
            "Of policies and curves; the run of a folder, the command line's too, is shown."
        )
        self._add("&Evolve", self.what)
        self.column.addWidget(self.words)
        self._add("Se&ttings", self.settings, 1)
        self.column.addWidget(self.is_short)
        self.column.addWidget(self.plan)
        self._add_form(("See&d", self.seed), ("&Processes", self.workers), ("&Folder", self.folder))

    def _show_setup(self) -> None:
        setup = self._model.setup
        with QSignalBlocker(self.what):
            self.what.setCurrentIndex(self.what.findData(setup.what))
        self.words.setText(words_of(setup.what))
        with QSignalBlocker(self.is_short):
            self.is_short.setChecked(setup.is_short)
        if self.settings.toPlainText() != setup.shown_text:
            self._write(setup.shown_text)
        self.plan.setText(plan_words(setup))
        self.plan.setVisible(bool(self.plan.text()))
        self.folder.show_folder(setup.folder)
        self._show_numbers((setup.seed, setup.workers))

    def _write(self, text: str) -> None:
        """Put other settings into the field, so that Undo brings back those that were there."""
        with QSignalBlocker(self.settings):
            cursor = QTextCursor(self.settings.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)

    def _on_short(self) -> None:
        self._model.choose(self._model.setup.shortened(self.is_short.isChecked()), self._typing_problem())

    def _on_changed(self) -> None:
        chosen = structs.replace(
            self._model.setup,
            what=self.what.currentData(),
            seed=self.seed.value(),
            workers=self.workers.value(),
            folder=self.folder.folder,
        )
        self._model.choose(chosen.with_text(self.settings.toPlainText()), self._typing_problem())
