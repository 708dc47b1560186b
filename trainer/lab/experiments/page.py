"""The lab's page of experiments: what is run on the left, its figure, numbers and words on the right."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from engine.lab.experiments.running import EXPERIMENTS
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.setup_model import experiment_text, read_experiment
from trainer.lab.experiments.setup_panel import ExperimentPanel
from trainer.lab.figure_view import FigureView
from trainer.lab.page import LabPage
from trainer.lab.run_panel import RunPanel, RunWords
from trainer.lab.running_model import RunOwner
from trainer.lab.saving import FigureExport, Table
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

FOLDER = "experiments"
"""Of finished matches, beside the settings, if no other is chosen."""

_EMPTY = "Choose an experiment and start: its figure comes with the first matches, and the paper's numbers in it."

_WORDS = RunWords(start="Play the matches that are not kept yet", stop="End here; finished matches stay")


class ExperimentsPage(LabPage[ExperimentsModel]):
    """What papers measured, measured again."""

    def __init__(
        self,
        theme: ThemeSource,
        owner: RunOwner,
        *,
        settings: SettingsFile | None = None,
        make_run: MakeExperimentRun = ExperimentRun,
    ) -> None:
        setup = read_experiment(settings.settings.lab_experiment) if settings is not None else None
        folder = settings.path.with_name(FOLDER) if settings is not None else Path.home() / FOLDER
        model = ExperimentsModel(owner, setup, usual_folder=folder, make_run=make_run)
        super().__init__(theme, model, settings)
        self.setup = ExperimentPanel(theme, self.model)
        self.run = RunPanel(theme, self.model, _WORDS)
        self.figure = FigureView(theme, _EMPTY)
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.table = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.paragraph = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.tabs = QTabWidget(documentMode=True)
        self.export = FigureExport(self, self.figure, (Table("&Numbers", "Save the numbers", self.model.csv),))
        self._build()
        self.model.result_changed.connect(self._show_outcome)

    def _build(self) -> None:
        self.table.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.table.setAccessibleName("Numbers with standard errors")
        self.table.setTabChangesFocus(True)
        self.title.setAccessibleName("What is shown")
        self.paragraph.setAccessibleName("What agrees with the paper")
        self.paragraph.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.tabs.setAccessibleName("Figure and numbers")
        self.tabs.addTab(self.figure, "Figure")
        self.tabs.addTab(self.table, "Numbers")
        shown = QWidget()
        whole = QVBoxLayout(shown)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.title)
        whole.addWidget(self.tabs, 1)
        whole.addWidget(self.paragraph)
        self.lay_out(self.setup, self.run, shown)

    def _show_outcome(self) -> None:
        outcome, shown = self.model.result, self.model.played
        if outcome is None or shown is None:
            self.figure.say("The figure comes with the first matches that are finished of every line-up.")
            self.title.clear()
            self.table.clear()
            self.paragraph.clear()
        else:
            self.title.setText(EXPERIMENTS[shown.name].TITLE)
            self.figure.show_picture(outcome.picture, outcome.paragraph)
            scrolled = self.table.verticalScrollBar().value()
            self.table.setPlainText(outcome.table)
            self.table.verticalScrollBar().setValue(scrolled)
            self.paragraph.setText(outcome.paragraph)
        self.export.refresh()

    def _remembered(self) -> dict[str, str]:
        return {"lab_experiment": experiment_text(self.model.setup)}
