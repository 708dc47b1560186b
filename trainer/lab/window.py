"""The lab's window: what is played on the left, what it comes to on the right."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QTabWidget, QVBoxLayout, QWidget

from trainer.jobs import Jobs
from trainer.lab.charts import CurvesChart, PlacesChart
from trainer.lab.charts_model import curves_view, places_view
from trainer.lab.export import LabExport
from trainer.lab.hands_model import LabHands
from trainer.lab.hands_panel import HandsPanel
from trainer.lab.lab_model import LabModel, MakeRun
from trainer.lab.results_panel import ResultsPanel
from trainer.lab.run import MatchRun
from trainer.lab.run_panel import RunPanel
from trainer.lab.setup_model import read_setup, setup_text
from trainer.lab.setup_panel import SetupPanel
from trainer.new_game.own_formats import FORMATS_FOLDER, OwnFormats
from trainer.settings import SettingsFile
from trainer.styles.own_styles import STYLES_FOLDER, OwnStyles
from trainer.theme import ThemeSource, open_at
from trainer.widgets.text_field import ColouredLabel

MATCHES = "lab.matches"
"""The finished matches of the last run, beside the settings."""

_USUAL_SIZE = QSize(1200, 760)
_LEAST_SIZE = QSize(480, 320)  # what does not fit scrolls
_SETUP_LINES = 20  # width of the setup, in lines of text


class LabWindow(QWidget):
    """Styles against each other; non-modal, everything in it works by keyboard too.

    Closed, it stops what is played; what is there by then is shown again when it is opened. Without `settings`
    nothing is remembered.
    """

    # PastSession, its PastHands, and which of them the panels are to show
    hand_opened = Signal(object, object, int)

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        *,
        settings: SettingsFile | None = None,
        make_run: MakeRun = MatchRun,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Lab")
        self._settings = settings
        self.model = _model(jobs, settings, make_run)
        formats = styles = None
        if settings is not None:
            formats = OwnFormats(settings.path.with_name(FORMATS_FOLDER))
            styles = OwnStyles(settings.path.with_name(STYLES_FOLDER))
        self.setup = SetupPanel(theme, self.model, formats, styles)
        self.run = RunPanel(theme, self.model)
        self.results = ResultsPanel(theme, self.model)
        self.curves = CurvesChart(theme)
        self.places = PlacesChart(theme)
        self.hands = HandsPanel(theme, self.model, LabHands(jobs))
        self.tabs = QTabWidget(documentMode=True)
        self.export = LabExport(self, self.model, self.curves, self.places)
        self.notice = ColouredLabel(theme, "text_muted")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self._build()
        self._connect()
        open_at(self, _USUAL_SIZE)
        if settings is not None:
            self.restoreGeometry(settings.settings.lab_geometry)

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer.addWidget(scroll)
        content = QWidget()
        scroll.setWidget(content)
        whole = QVBoxLayout(content)
        whole.setContentsMargins(8, 8, 8, 8)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 4, 0)
        column.addWidget(self.setup, 1)
        column.addWidget(self.run)
        self.tabs.setAccessibleName("Charts and hands")
        for page, title in ((self.curves, "Chip curves"), (self.places, "Places"), (self.hands, "Hands")):
            self.tabs.addTab(page, title)
        right = QWidget()
        results = QVBoxLayout(right)
        results.setContentsMargins(4, 0, 0, 0)
        line = QHBoxLayout()
        line.addWidget(self.notice, 1)
        line.addWidget(self.export.button)
        self.notice.setAccessibleName("Message")
        self.notice.setWordWrap(True)
        results.addLayout(line)
        self.upright.addWidget(self.results)
        self.upright.addWidget(self.tabs)
        self.upright.setChildrenCollapsible(False)
        self.upright.setStretchFactor(0, 1)
        self.upright.setStretchFactor(1, 1)
        results.addWidget(self.upright, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        width = _SETUP_LINES * self.fontMetrics().height()
        self.splitter.setSizes([width, max(self.width() - width, width)])
        whole.addWidget(self.splitter)
        self.setMinimumSize(_LEAST_SIZE)

    def _connect(self) -> None:
        self.model.result_changed.connect(self._show_charts)
        self.model.progressed.connect(self._on_progressed)
        self.curves.adjusted.toggled.connect(self._show_charts)
        self.export.said.connect(self._on_said)
        self.hands.opened.connect(self.hand_opened)
        for key, act in (("F5", self.model.start), ("F6", self.model.go_on), ("Esc", self._on_escape)):
            QShortcut(QKeySequence(key), self, act)

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
        self.export.refresh()

    def _on_progressed(self) -> None:
        if self.model.is_running:
            self._on_said("", True)
            self._remember()

    def _on_said(self, text: str, is_good: bool) -> None:
        self.notice.set_meaning("text_muted" if is_good else "bad")
        self.notice.setText(text)

    def _on_escape(self) -> None:
        self.model.stop()
        self.hands.hands.stop()

    def _remember(self) -> None:
        """Remember what is chosen, and what the matches are of that are kept."""
        if self._settings is not None:
            kept = self.model.kept
            self._settings.change(
                lab_setup=setup_text(self.model.setup), lab_kept=setup_text(kept) if kept is not None else ""
            )

    def closeEvent(self, event: QCloseEvent) -> None:
        self._on_escape()
        self._remember()
        if self._settings is not None:
            self._settings.change(lab_geometry=self.saveGeometry().data())
        super().closeEvent(event)


def _model(jobs: Jobs, settings: SettingsFile | None, make_run: MakeRun) -> LabModel:
    """Return a model that goes on from what is remembered."""
    if settings is None:
        return LabModel(jobs, make_run=make_run)
    chosen = settings.settings
    return LabModel(
        jobs,
        read_setup(chosen.lab_setup),
        file=settings.path.with_name(MATCHES),
        kept=read_setup(chosen.lab_kept) if chosen.lab_kept else None,
        make_run=make_run,
    )
