"""The lab's page of experiments: what is run on the left, its figure, numbers and words on the right."""

from engine.lab.experiments.running import ALL_EXPERIMENTS
from trainer.lab.experiments.experiment_run import MakeExperimentRun
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.setup_model import read_experiment
from trainer.lab.experiments.setup_panel import ExperimentPanel
from trainer.lab.figure_panel import FigurePanel
from trainer.lab.page import LabPage
from trainer.lab.run_panel import RunPanel, RunWords
from trainer.lab.running_model import RunOwner
from trainer.lab.saving import FigureExport, Table
from trainer.lab.setup_model import setup_text
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

FOLDER = "experiments"
"""Of finished matches, beside the settings, if no other is chosen."""

_EMPTY = "Choose an experiment and start: its figure has the paper's numbers in it, too."
_OF_FIRST = "The figure comes with the first matches that are finished of every line-up."
_OF_WHOLE = "The figure comes when all policies are evolved and all matches played."

_WORDS = RunWords(start="Play the matches that are not kept yet", stop="End here; what is finished stays")


class ExperimentsPage(LabPage[ExperimentsModel]):
    """What papers measured, measured again."""

    title = "Experiments"

    def __init__(
        self,
        theme: ThemeSource,
        owner: RunOwner,
        settings: SettingsFile,
        make_run: MakeExperimentRun,
    ) -> None:
        setup, folder = read_experiment(settings.settings.lab_experiment), settings.path.with_name(FOLDER)
        model = ExperimentsModel(owner, setup, usual_folder=folder, make_run=make_run)
        super().__init__(theme, model, settings)
        self.setup = ExperimentPanel(theme, self.model)
        self.run = RunPanel(theme, self.model, _WORDS)
        self.shown = FigurePanel(theme, _EMPTY)
        numbers = Table("&Numbers", "Save the numbers", self.model.csv)
        self.export = FigureExport(self, self.shown.figure, (numbers,))
        self.lay_out(self.setup, self.run, self.shown)
        self.model.result_changed.connect(self._show_outcome)

    def _show_outcome(self) -> None:
        outcome, played = self.model.result, self.model.played
        if outcome is None or played is None:
            of_whole = played is not None and played.is_of_ensemble
            self.shown.say(_OF_WHOLE if of_whole else _OF_FIRST)
        else:
            title = ALL_EXPERIMENTS[played.name].TITLE
            self.shown.show_figure(title, outcome.picture, outcome.table, outcome.paragraph)
        self.export.refresh()

    def _remembered(self) -> dict[str, str]:
        return {"lab_experiment": setup_text(self.model.setup)}
