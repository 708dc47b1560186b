"""How the odds are computed and how far they are: method, deals, progress, result, pause and run."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import run_controls
from trainer.theme import ThemeSource, set_text_factor
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.painted import FittedToFont
from trainer.widgets.text_field import ColouredLabel

_DEFAULT_SAMPLES = 1_000_000
_PROGRESS_STEPS = 1000


class RunPanel(FittedToFont):
    """The run of the question on screen."""

    def __init__(self, theme: ThemeSource, model: OddsModel) -> None:
        super().__init__()
        self._model = model
        self.progress = QProgressBar()
        self.result = ColouredLabel(theme)
        self.method = QComboBox()
        self.samples = QSpinBox(minimum=2, maximum=1_000_000_000, value=_DEFAULT_SAMPLES)
        self.pause = QPushButton("&Pause")
        self.run = QPushButton("&Run")
        self._build()
        self._fit_to_font()
        self.method.currentIndexChanged.connect(self._on_method)
        self.samples.valueChanged.connect(self._on_method)
        self.run.clicked.connect(self._on_run)
        self.pause.clicked.connect(self.pause_or_go_on)
        for button in (self.run, self.pause):
            # A click that took the focus from a typed number would start its run first, and then stop it.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _build(self) -> None:
        whole = tight(QVBoxLayout(self), spacing=8)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _PROGRESS_STEPS)
        self.progress.setAccessibleName("Progress of the run")
        self.result.setWordWrap(True)
        set_text_factor(self.result, 1.15, is_bold=False)
        self.result.setAccessibleName("Result")
        self.method.addItems(["Automatic", "Exact", "Sampled"])
        self.method.setAccessibleName("Method: automatic, exact or sampled")
        self.samples.setAccessibleName("Number of deals to sample")
        self.samples.setSingleStep(100_000)
        self.samples.setGroupSeparatorShown(True)
        self.samples.setKeyboardTracking(False)
        line = QHBoxLayout()
        for text, widget in (("&Method", self.method), ("Dea&ls", self.samples)):
            line.addWidget(label_of(widget, text))
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self.pause)
        line.addWidget(self.run)
        whole.addWidget(self.progress)
        whole.addWidget(self.result)
        whole.addLayout(line)

    def _fit_to_font(self) -> None:
        self.progress.setFixedHeight(max(4, self.fontMetrics().height() // 3))

    @property
    def tab_order(self) -> list[QWidget]:
        return [self.method, self.samples, self.pause, self.run]

    def refresh(self) -> None:
        entered = self._model.entered
        with QSignalBlocker(self.method), QSignalBlocker(self.samples):
            self.method.setCurrentIndex(1 if entered.is_exact else 0 if entered.samples is None else 2)
            if entered.samples is not None:
                self.samples.setValue(min(entered.samples, self.samples.maximum()))
        self.samples.setEnabled(entered.samples is not None)

    def refresh_odds(self) -> None:
        """Show how far the run is, and what can be done with it."""
        controls = run_controls(self._model.run)
        self.result.setText(self._model.run_text())
        self.result.set_meaning(controls.meaning)
        self.progress.setValue(round(_PROGRESS_STEPS * self._model.progress))
        for button, text, tip, is_on in (
            (self.run, controls.run, controls.run_tip, controls.can_run),
            (self.pause, controls.pause, controls.pause_tip, controls.can_pause),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setEnabled(is_on)

    def start(self) -> None:
        """Compute from the beginning, with the number of deals as it is typed."""
        if not self._takes_typed():
            self._model.run.start()

    def pause_or_go_on(self) -> None:
        """Leave a run that is going on, or else go on, or run another number of deals if one is typed."""
        if self._model.run.is_busy or not self._takes_typed():
            self._model.run.pause_or_go_on()

    def _on_run(self) -> None:
        is_running = self._model.run.is_busy
        if not self._takes_typed() or is_running:
            self._model.run.start_or_stop()

    def _takes_typed(self) -> bool:
        """Take a number of deals that is typed but not entered; return whether it is a new one, which runs now."""
        before = self._model.entered
        self.samples.interpretText()
        return self._model.entered is not before

    def _on_method(self) -> None:
        choice = self.method.currentIndex()
        self._model.entry.set_method(is_exact=choice == 1, samples=self.samples.value() if choice == 2 else None)
