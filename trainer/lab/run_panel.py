"""Starts and stops matches, and says how far they are."""

from typing import Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout

from trainer.theme import ThemeSource
from trainer.widgets.painted import FittedToFont
from trainer.widgets.text_field import ColouredLabel

_STEPS = 1000


class Played(Protocol):
    """What is played, as a view model of the lab has it."""

    setup_changed: SignalInstance
    progressed: SignalInstance

    @property
    def is_running(self) -> bool: ...
    @property
    def can_start(self) -> bool: ...
    @property
    def can_go_on(self) -> bool: ...
    @property
    def share(self) -> float: ...
    @property
    def problem(self) -> str: ...
    def text(self) -> str: ...
    def start(self) -> None: ...
    def go_on(self) -> None: ...
    def stop(self) -> None: ...


class RunPanel(FittedToFont):
    """The run of a model: Start, Continue, Stop, a bar and a line of words.

    Without `starts_anew` there is no Continue, for what is started goes on with what is kept.
    """

    def __init__(self, theme: ThemeSource, model: Played, *, starts_anew: bool = True) -> None:
        super().__init__()
        self._model = model
        self.start = QPushButton("Sta&rt")
        begin = (
            "Play the matches from the first one on" if starts_anew else "Play the matches that are not kept yet"
        )
        self.start.setToolTip(f"{begin} (F5)")
        self.go_on = QPushButton("&Continue")
        self.go_on.setVisible(starts_anew)
        self.go_on.setToolTip("Go on with the matches that are finished of just this (F6)")
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("End here; finished matches stay (Esc)")
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How much has been played")
        self.words = ColouredLabel(theme)
        self.words.setWordWrap(True)
        self.words.setAccessibleName("How far the matches are")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        line = QHBoxLayout()
        line.addWidget(self.start, 1)
        line.addWidget(self.go_on, 1)
        line.addWidget(self.stop, 1)
        whole.addLayout(line)
        whole.addWidget(self.bar)
        whole.addWidget(self.words)
        self._fit_to_font()
        self.start.clicked.connect(model.start)
        self.go_on.clicked.connect(model.go_on)
        self.stop.clicked.connect(model.stop)
        model.progressed.connect(self._show)
        model.setup_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        model = self._model
        self.start.setEnabled(model.can_start)
        self.go_on.setEnabled(model.can_go_on)
        self.stop.setEnabled(model.is_running)
        self.bar.setValue(round(_STEPS * model.share))
        self.words.set_meaning("bad" if model.problem else "text")
        self.words.setText(model.text())

    def _fit_to_font(self) -> None:
        self.bar.setFixedHeight(max(4, self.fontMetrics().height() // 3))
