"""Where an experiment is chosen, and how it is run."""

from msgspec import structs
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import GameConfigError
from engine.lab.experiments.running import EXPERIMENTS, MOST_MATCHES
from engine.lab.matches.workers import MOST_WORKERS
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.setup_model import MOST_SEED, agents_note, usual_matches
from trainer.lab.matches.setup_model import spare_cores
from trainer.lab.matches.style_list import StyleList
from trainer.new_game.number_boxes import NumberBox
from trainer.theme import ThemeSource
from trainer.widgets.check_box import CheckBox
from trainer.widgets.text_field import ColouredLabel


class ExperimentPanel(QWidget):
    """Shows the setup of a model and changes it; what cannot be run is said below it."""

    def __init__(self, theme: ThemeSource, model: ExperimentsModel) -> None:
        super().__init__()
        self._model = model
        self.experiment = QComboBox()
        self.paper = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.agents = StyleList(theme)
        self.measured = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.matches = NumberBox(0, MOST_MATCHES, "Matches of each line-up")
        self.is_short = CheckBox(theme, "Sh&ort: shows only that it works")
        self.seed = NumberBox(0, MOST_SEED, "Seed of all matches")
        self.workers = NumberBox(0, MOST_WORKERS, "Processes")
        self.folder = QLineEdit()
        self.choose_folder = QPushButton("…")
        self.problem = ColouredLabel(theme, "bad")
        self._boxes = (self.matches, self.seed, self.workers)
        self._build()
        self._show_setup()
        model.setup_changed.connect(self._show_setup)
        model.progressed.connect(self._on_progressed)
        self.experiment.activated.connect(self._on_changed)
        self.agents.rows.chosen_changed.connect(self._on_changed)
        self.is_short.toggled.connect(self._on_changed)
        self.folder.textEdited.connect(self._on_changed)
        self.choose_folder.clicked.connect(self._on_choose_folder)
        for box in self._boxes:
            box.valueChanged.connect(self._on_changed)
            box.lineEdit().textChanged.connect(self._on_changed)

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        for name, experiment in EXPERIMENTS.items():
            self.experiment.addItem(experiment.TITLE, name)
            self.experiment.setItemData(self.experiment.count() - 1, experiment.PAPER, Qt.ItemDataRole.ToolTipRole)
        self.experiment.setAccessibleName("Experiment")
        self.experiment.setMinimumContentsLength(14)
        self.experiment.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.paper.setAccessibleName("What the paper found")
        self.agents.setAccessibleName("Styles that are measured")
        self.measured.setAccessibleName("Who is measured")
        self.is_short.setToolTip("A few matches of 20 hands, in about a minute")
        self.seed.setToolTip("The same seed plays the same matches again.")
        self.workers.setSpecialValueText(f"all cores but one: {spare_cores()}")
        self.workers.setToolTip("They share the matches; the results are the same for any number.")
        self.folder.setAccessibleName("Folder of finished matches")
        self.folder.setToolTip("Every finished match is kept there; experiments share them.")
        self.folder.setPlaceholderText(str(self._model.usual_folder))
        self.choose_folder.setAccessibleName("Choose the folder")
        self.choose_folder.setToolTip("Choose the folder")
        self.problem.setAccessibleName("Why this cannot be run")
        self.problem.setWordWrap(True)
        for text, buddy in (("&Experiment", self.experiment), ("St&yles measured", self.agents)):
            label = QLabel(text)
            label.setBuddy(buddy)
            whole.addWidget(label)
            whole.addWidget(buddy, 1 if buddy is self.agents else 0)
            if buddy is self.experiment:
                whole.addWidget(self.paper)
        whole.addWidget(self.measured)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        place = QHBoxLayout()
        place.addWidget(self.folder, 1)
        place.addWidget(self.choose_folder)
        form.addRow("&Matches", self.matches)
        form.addRow(self.is_short)
        form.addRow("See&d", self.seed)
        form.addRow("&Processes", self.workers)
        label = QLabel("&Folder")
        label.setBuddy(self.folder)
        form.addRow(label, place)
        self.choose_folder.setMaximumWidth(3 * self.fontMetrics().height())
        whole.addLayout(form)
        whole.addWidget(self.problem)

    def _show_setup(self) -> None:
        setup = self._model.setup
        with QSignalBlocker(self.experiment):
            self.experiment.setCurrentIndex(self.experiment.findData(setup.name))
        self.experiment.setToolTip(EXPERIMENTS[setup.name].TITLE)
        self.paper.setText(EXPERIMENTS[setup.name].PAPER)
        if set(self.agents.rows.chosen) != set(setup.agents):
            self.agents.rows.choose(setup.agents)
        self.agents.setEnabled(setup.takes_agents)
        self.measured.setText(agents_note(setup))
        usual = usual_matches(setup.name)
        self.matches.setSpecialValueText("none" if usual is None else f"as the paper: {usual}")
        self.matches.setEnabled(usual is not None)
        for box, value in zip(self._boxes, (setup.matches, setup.seed, setup.workers), strict=True):
            if box.value() != value:
                with QSignalBlocker(box):
                    box.setValue(value)
        with QSignalBlocker(self.is_short):
            self.is_short.setChecked(setup.is_short)
        if self.folder.text() != setup.folder:
            self.folder.setText(setup.folder)
        self.problem.setText(self._model.refusal)
        self.problem.setVisible(bool(self._model.refusal))

    def _on_changed(self) -> None:
        chosen = structs.replace(
            self._model.setup,
            name=self.experiment.currentData(),
            agents=self.agents.rows.chosen,
            matches=self.matches.value(),
            is_short=self.is_short.isChecked(),
            seed=self.seed.value(),
            workers=self.workers.value(),
            folder=self.folder.text().strip(),
        )
        self._model.choose(chosen, self._typing_problem())

    def _typing_problem(self) -> str:
        """Say what is wrong with what is typed, or ""."""
        for box in self._boxes:
            try:
                box.verify()
            except GameConfigError as error:
                return str(error)
        return ""

    def _on_choose_folder(self) -> None:
        dialog = QFileDialog(self, "Where finished matches are kept", str(self._model.folder))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_folder)
        dialog.open()

    def _on_folder(self, folder: str) -> None:
        self.folder.setText(folder)
        self._on_changed()

    def _on_progressed(self) -> None:
        self.setEnabled(not self._model.is_running)
