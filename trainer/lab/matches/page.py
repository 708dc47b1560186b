"""The lab's page of matches: what is played on the left, what it comes to on the right."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter

from trainer.jobs import Jobs
from trainer.lab.matches.charts import CurvesChart, PlacesChart
from trainer.lab.matches.charts_model import curves_view, places_view
from trainer.lab.matches.export import LabExport
from trainer.lab.matches.hands_model import LabHands
from trainer.lab.matches.hands_panel import HandsPanel
from trainer.lab.matches.match_run import MakeRun
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.matches.results_panel import ResultsPanel
from trainer.lab.matches.setup_model import read_setup
from trainer.lab.matches.setup_panel import MatchPanel
from trainer.lab.page import LabPage
from trainer.lab.run_panel import RunPanel, RunWords
from trainer.lab.running_model import RunOwner
from trainer.lab.setup_model import setup_text
from trainer.new_game.own_formats import FORMATS_FOLDER, OwnFormats
from trainer.settings import SettingsFile
from trainer.styles.own_policies import POLICIES_FOLDER, OwnPolicies
from trainer.styles.own_styles import STYLES_FOLDER, OwnStyles
from trainer.theme import ThemeSource
from trainer.widgets.tabs import Tabs

MATCHES = "lab.matches"
"""The finished matches of the last run, beside the settings."""

_WORDS = RunWords(
    start="Play the matches from the first one on",
    stop="End here; finished matches stay",
    go_on="Go on with the matches that are finished of just this",
)


class MatchesPage(LabPage[MatchesModel]):
    """Styles against each other; everything works by keyboard too."""

    title = "Matches"

    # PastSession, its PastHands, and which of them the panels are to show
    hand_opened = Signal(object, object, int)

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        owner: RunOwner,
        settings: SettingsFile,
        make_run: MakeRun,
    ) -> None:
        super().__init__(theme, _model(owner, settings, make_run), settings)
        formats = OwnFormats(settings.path.with_name(FORMATS_FOLDER))
        styles = OwnStyles(settings.path.with_name(STYLES_FOLDER))
        policies = OwnPolicies(settings.path.with_name(POLICIES_FOLDER))
        self.setup = MatchPanel(theme, self.model, formats, styles, policies)
        self.run = RunPanel(theme, self.model, _WORDS)
        self.results = ResultsPanel(theme, self.model)
        self.curves = CurvesChart(theme)
        self.places = PlacesChart(theme)
        self.hands = HandsPanel(theme, self.model, LabHands(jobs))
        self.tabs = Tabs(is_document=True)
        self.export = LabExport(self, self.model, self.curves, self.places)
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self._fitted: tuple[str, ...] = ()
        self._build()
        self._connect()

    def _build(self) -> None:
        self.tabs.setAccessibleName("Charts and hands")
        for page, title in ((self.curves, "Chip curves"), (self.places, "Places"), (self.hands, "Hands")):
            self.tabs.addTab(page, title)
        self.upright.addWidget(self.results)
        self.upright.addWidget(self.tabs)
        self.upright.setChildrenCollapsible(False)
        self.upright.setStretchFactor(0, 1)
        self.upright.setStretchFactor(1, 1)
        self.lay_out(self.setup, self.run, self.upright)

    def _connect(self) -> None:
        self.model.result_changed.connect(self._show_charts)
        self.curves.adjusted.toggled.connect(self._show_charts)
        self.hands.opened.connect(self.hand_opened)

    def _fit_results(self, styles: tuple[str, ...]) -> None:
        """Give the results of other styles than before the room that their rows need, but no more than half."""
        if styles == self._fitted:
            return
        self._fitted = styles
        height = self.upright.height()
        wanted = min(self.results.height_of_rows, height // 2)
        self.upright.setSizes([wanted, height - wanted])

    def _show_charts(self) -> None:
        result = self.model.result
        if result is None:
            self.curves.say("Curves begin with the first match that is finished.")
            self.places.say("Places come with the first tournament that is finished.")
        else:
            self.curves.adjusted.setVisible(bool(result.curve and result.curve[0].adjusted))
            self.curves.show_view(curves_view(result, is_adjusted=self.curves.adjusted.isChecked()))
            places = places_view(result)
            if places is None:
                self.places.say("Places are of tournaments; in a cash game nobody is ranked.")
            else:
                self.places.show_view(places)
            self._fit_results(tuple(row.style for row in result.styles))
        self.export.refresh()

    def stop(self) -> None:
        super().stop()
        self.hands.hands.stop()

    def _remembered(self) -> dict[str, str]:
        kept = self.model.kept
        return {"lab_setup": setup_text(self.model.setup), "lab_kept": setup_text(kept) if kept is not None else ""}


def _model(owner: RunOwner, settings: SettingsFile, make_run: MakeRun) -> MatchesModel:
    """Return a model that goes on from what is remembered."""
    chosen = settings.settings
    return MatchesModel(
        owner,
        read_setup(chosen.lab_setup),
        file=settings.path.with_name(MATCHES),
        kept=read_setup(chosen.lab_kept) if chosen.lab_kept else None,
        make_run=make_run,
    )
