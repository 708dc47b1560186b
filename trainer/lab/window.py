"""The lab's window: styles against each other, the experiments of papers, and evolution."""

from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trainer.first_steps.glossary import TermsButton
from trainer.jobs import Jobs
from trainer.lab.evolution.evolution_run import EvolutionRun, MakeEvolutionRun
from trainer.lab.evolution.page import EvolutionPage
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.page import ExperimentsPage
from trainer.lab.matches.match_run import MakeRun, MatchRun
from trainer.lab.matches.page import MatchesPage
from trainer.lab.page import LabPage
from trainer.lab.running_model import RunOwner
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, open_at
from trainer.widgets.layouts import tight
from trainer.widgets.tabs import Tabs

_USUAL_SIZE = QSize(1200, 780)


class LabWindow(QWidget):
    """The pages of the lab, of which one plays at a time; non-modal, everything in it works by keyboard too.

    Closed, it stops what is played; what is there by then is shown again when it is opened.
    """

    # PastSession, its PastHands, and which of them the panels are to show
    hand_opened = Signal(object, object, int)

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        settings: SettingsFile,
        *,
        make_run: MakeRun = MatchRun,
        make_experiment: MakeExperimentRun = ExperimentRun,
        make_evolution: MakeEvolutionRun = EvolutionRun,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Lab")
        self._settings = settings
        self.owner = RunOwner(jobs)
        self.matches = MatchesPage(theme, jobs, self.owner, settings, make_run)
        self.experiments = ExperimentsPage(theme, self.owner, settings, make_experiment)
        self.evolution = EvolutionPage(theme, jobs, self.owner, settings, make_evolution)
        self.pages: tuple[LabPage[Any], ...] = (self.matches, self.experiments, self.evolution)
        self.tabs = Tabs(is_document=True)
        self.tabs.setAccessibleName("Matches, experiments and evolution")
        for page in self.pages:
            self.tabs.addTab(page, page.title)
        self.terms = TermsButton(self)
        self.tabs.setCornerWidget(self.terms)
        tight(QVBoxLayout(self), self.tabs)
        self.matches.hand_opened.connect(self.hand_opened)
        for key, act in (
            ("F5", lambda: self.page.model.start()),
            ("F6", lambda: self.page.model.go_on()),
            ("Esc", lambda: self.page.stop()),
            ("Ctrl+S", lambda: self.page.export.save_numbers()),
        ):
            QShortcut(QKeySequence(key), self, act)
        open_at(self, _USUAL_SIZE)
        self.restoreGeometry(settings.settings.lab_geometry)

    @property
    def page(self) -> LabPage[Any]:
        """The page that is seen, whose keys these are."""
        return self.pages[self.tabs.currentIndex()]

    def closeEvent(self, event: QCloseEvent) -> None:
        for page in self.pages:
            page.stop()
            page.remember()
        self._settings.change(lab_geometry=self.saveGeometry().data())
        super().closeEvent(event)
