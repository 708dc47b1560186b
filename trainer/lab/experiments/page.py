"""The lab's page of experiments: what is run on the left, its figure, numbers and words on the right."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QMenu, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from engine.lab.experiments.running import EXPERIMENTS
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.figure_view import FigureView
from trainer.lab.experiments.setup_model import experiment_text, read_experiment
from trainer.lab.experiments.setup_panel import ExperimentPanel
from trainer.lab.page import LabPage
from trainer.lab.run_panel import RunPanel
from trainer.lab.running_model import RunOwner
from trainer.lab.saving import SVG, Saving
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

FOLDER = "experiments"
"""Of finished matches, beside the settings, if no other is chosen."""

_EMPTY = "Choose an experiment and start: its figure comes with the first matches, and the paper's numbers in it."


class ExperimentsPage(LabPage):
    """What papers measured, measured again. Without `settings` nothing is remembered."""

    def __init__(
        self,
        theme: ThemeSource,
        owner: RunOwner,
        *,
        settings: SettingsFile | None = None,
        make_run: MakeExperimentRun = ExperimentRun,
    ) -> None:
        super().__init__(theme)
        self._settings = settings
        setup = read_experiment(settings.settings.lab_experiment) if settings is not None else None
        folder = settings.path.with_name(FOLDER) if settings is not None else Path.home() / FOLDER
        self.model = ExperimentsModel(owner, setup, usual_folder=folder, make_run=make_run)
        self.setup = ExperimentPanel(theme, self.model)
        self.run = RunPanel(theme, self.model, starts_anew=False)
        self.figure = FigureView(theme, _EMPTY)
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.table = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.paragraph = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.tabs = QTabWidget(documentMode=True)
        self.export = ExperimentExport(self, self.model, self.figure)
        self._build()
        self.model.outcome_changed.connect(self._show_outcome)
        self.model.progressed.connect(self._on_progressed)

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
        self.lay_out(self.setup, self.run, self.export, shown)

    def _show_outcome(self) -> None:
        outcome, shown = self.model.outcome, self.model.shown
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

    def _on_progressed(self) -> None:
        if self.model.is_running:
            self.say("")
            self.remember()

    def stop(self) -> None:
        """End the run; finished matches stay."""
        self.model.stop()

    def remember(self) -> None:
        """Remember what is chosen."""
        if self._settings is not None:
            self._settings.change(lab_experiment=experiment_text(self.model.setup))


class ExperimentExport(Saving):
    """Writes the numbers of a model as CSV, and its figure as it is on the screen."""

    def __init__(self, window: QWidget, model: ExperimentsModel, figure: FigureView) -> None:
        super().__init__(window)
        self._model = model
        self._figure = figure
        menu = QMenu(self.button)
        self.rows = menu.addAction("Numbers as &CSV …\tCtrl+S", self.save_numbers)
        menu.addSeparator()
        self.as_png = menu.addAction("Figure as PN&G …", self._on_png)
        self.as_svg = menu.addAction("Figure as S&VG …", self._on_svg)
        self.button.setMenu(menu)
        self.refresh()

    def refresh(self) -> None:
        """Enable what there is."""
        for part in (self.button, self.rows, self.as_png, self.as_svg):
            part.setEnabled(not self._figure.is_empty)

    def save_numbers(self) -> None:
        """Ask where to, and write the numbers, if there are any."""
        if self.rows.isEnabled():
            self.save_text(self._model.csv(), "Save the numbers")

    def _on_png(self) -> None:
        self.save_picture(self._figure.pixmap(), "Save the figure")

    def _on_svg(self) -> None:
        data = self._figure.svg()
        self.ask("Save the figure", SVG, lambda name: self.write(data, name))
