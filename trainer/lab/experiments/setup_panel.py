"""Where an experiment is chosen, and how it is run."""

from msgspec import structs
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QStyleOptionComboBox

from engine.agents.value_reasons import capital
from engine.lab.experiments.running import ALL_EXPERIMENTS, MOST_MATCHES
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.setup_model import agents_note, title_of, usual_matches
from trainer.lab.matches.style_list import StyleList
from trainer.lab.setup_model import MOST_SEED
from trainer.lab.setup_panel import FolderField, SetupPanel, processes_box
from trainer.new_game.number_boxes import NumberBox
from trainer.theme import ThemeSource
from trainer.widgets.check_box import CheckBox


class _ExperimentBox(QComboBox):
    """Says which figure or table it is; the list has the whole titles."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = self.currentText().partition(":")[0]

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0))
        super().showPopup()


class ExperimentPanel(SetupPanel[ExperimentsModel]):
    """What is measured, of whom, and how."""

    def __init__(self, theme: ThemeSource, model: ExperimentsModel) -> None:
        super().__init__(theme, model, "Why this cannot be run")
        self.experiment = _ExperimentBox()
        self.paper = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.agents = StyleList()
        self.measured = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.matches = NumberBox(0, MOST_MATCHES, "Matches of each line-up")
        self.is_short = CheckBox("Sh&ort: shows only that it works")
        self.seed = NumberBox(0, MOST_SEED, "Seed of all matches")
        self.workers = processes_box()
        self.folder = FolderField(
            str(model.usual_folder),
            "Folder of finished matches and policies",
            "Where finished matches and policies are kept",
        )
        self._build()
        self._connect((self.matches, self.seed, self.workers))
        self.experiment.activated.connect(self._on_changed)
        self.agents.rows.chosen_changed.connect(self._on_changed)
        self.is_short.toggled.connect(self._on_changed)
        self.folder.edited.connect(self._on_changed)

    def _build(self) -> None:
        for name, experiment in ALL_EXPERIMENTS.items():
            self.experiment.addItem(title_of(name), name)
            self.experiment.setItemData(self.experiment.count() - 1, experiment.PAPER, Qt.ItemDataRole.ToolTipRole)
        self.experiment.setAccessibleName("Experiment")
        self.experiment.setMinimumContentsLength(14)
        self.experiment.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.paper.setAccessibleName("What is measured, and what the paper found")
        self.agents.setAccessibleName("Styles that are measured")
        self.measured.setAccessibleName("Who is measured")
        self.is_short.setToolTip("A few matches of 20 hands, or small networks; about a minute")
        self.seed.setToolTip("The same seed plays the same matches again.")
        self.folder.setToolTip("Finished matches and policies are kept there; experiments share them.")
        self._add("&Experiment", self.experiment)
        self.column.addWidget(self.paper)
        self._add("St&yles measured", self.agents, 1)
        self.column.addWidget(self.measured)
        self._add_form(
            ("&Matches", self.matches),
            (self.is_short,),
            ("See&d", self.seed),
            ("&Processes", self.workers),
            ("&Folder", self.folder),
        )

    def _show_setup(self) -> None:
        setup = self._model.setup
        with QSignalBlocker(self.experiment):
            self.experiment.setCurrentIndex(self.experiment.findData(setup.name))
        self.experiment.setToolTip(title_of(setup.name))
        measured = capital(title_of(setup.name).partition(": ")[2])
        self.paper.setText(f"{measured}. {ALL_EXPERIMENTS[setup.name].PAPER}")
        if set(self.agents.rows.chosen) != set(setup.agents):
            self.agents.rows.choose(setup.agents)
        self.agents.setEnabled(setup.takes_agents)
        self._say_who()
        usual = usual_matches(setup.name)
        self.matches.setSpecialValueText("none" if usual is None else f"as the paper: {usual}")
        self.matches.setEnabled(usual is not None)
        with QSignalBlocker(self.is_short):
            self.is_short.setChecked(setup.is_short)
        self.folder.show_folder(setup.folder)
        self._show_numbers((setup.matches, setup.seed, setup.workers))

    def _say_who(self) -> None:
        self.measured.setText(agents_note(self._model.setup, self._model.folder))

    def _on_progressed(self) -> None:
        super()._on_progressed()
        if not self._model.is_running:  # what a folder lacks has changed
            self._say_who()

    def _on_changed(self) -> None:
        chosen = structs.replace(
            self._model.setup,
            name=self.experiment.currentData(),
            agents=self.agents.rows.chosen,
            matches=self.matches.value(),
            is_short=self.is_short.isChecked(),
            seed=self.seed.value(),
            workers=self.workers.value(),
            folder=self.folder.folder,
        )
        self._model.choose(chosen, self._typing_problem())
