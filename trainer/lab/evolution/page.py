"""The lab's page of evolution: what evolves on the left, how it comes on on the right."""

from trainer.jobs import Jobs
from trainer.lab.evolution.courses_model import paragraph_of, picture_of
from trainer.lab.evolution.evolution_model import EvolutionModel
from trainer.lab.evolution.evolution_run import MakeEvolutionRun
from trainer.lab.evolution.setup_model import read_evolution
from trainer.lab.evolution.setup_panel import EvolutionPanel
from trainer.lab.figure_panel import FigurePanel
from trainer.lab.page import LabPage
from trainer.lab.run_panel import RunPanel, RunWords
from trainer.lab.running_model import RunOwner
from trainer.lab.saving import FigureExport, Table
from trainer.lab.setup_model import setup_text
from trainer.settings import SettingsFile
from trainer.styles.own_policies import EVOLVED_FOLDER
from trainer.theme import ThemeSource

_EMPTY = "Choose what evolves and start, or choose the folder of a run: its curves grow with every generation."

_WORDS = RunWords(start="Evolve, from the last kept generation on", stop="End here; finished generations stay")


class EvolutionPage(LabPage[EvolutionModel]):
    """Policies evolved against styles."""

    title = "Evolution"

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        owner: RunOwner,
        settings: SettingsFile,
        make_run: MakeEvolutionRun,
    ) -> None:
        setup, folder = read_evolution(settings.settings.lab_evolution), settings.path.with_name(EVOLVED_FOLDER)
        model = EvolutionModel(owner, jobs, setup, usual_folder=folder, make_run=make_run)
        super().__init__(theme, model, settings)
        self.setup = EvolutionPanel(theme, self.model)
        self.run = RunPanel(theme, self.model, _WORDS)
        self.shown = FigurePanel(theme, _EMPTY)
        curves = Table("&Curves", "Save the curves", self.model.curves)
        tests = Table("Final &tests", "Save the final tests", self.model.final_tests)
        self.export = FigureExport(self, self.shown.figure, (curves, tests))
        self.lay_out(self.setup, self.run, self.shown)
        self.model.result_changed.connect(self._show_courses)
        self.model.open_last()

    def _show_courses(self) -> None:
        courses = self.model.result
        if courses is None:
            self.shown.say("Curves begin with the first generation." if self.model.is_running else _EMPTY)
        else:
            paragraph = paragraph_of(courses)
            table = self.model.table() or "What was won comes with the final tests."
            self.shown.show_figure(self.model.title(), picture_of(courses), table, paragraph)
        self.export.refresh()

    def _remembered(self) -> dict[str, str]:
        return {"lab_evolution": setup_text(self.model.setup)}
