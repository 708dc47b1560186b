"""Starts and stops the run of a page, and says how far it is."""

from typing import Any, NamedTuple

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout

from trainer.lab.page_model import PageModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.painted import FittedToFont
from trainer.widgets.text_field import ColouredLabel

_STEPS = 1000


class RunWords(NamedTuple):
    """What the buttons do; with "" for `go_on` there is no such button, for starting goes on with what is kept."""

    start: str
    stop: str
    go_on: str = ""


class RunPanel(FittedToFont):
    """The run of a model: Start, Continue, Stop, a bar and a line of words."""

    def __init__(self, theme: ThemeSource, model: PageModel[Any, Any, Any], words: RunWords) -> None:
        super().__init__()
        self._model = model
        self.start = QPushButton("Sta&rt")
        self.start.setToolTip(f"{words.start} (F5)")
        self.go_on = QPushButton("&Continue")
        self.go_on.setVisible(bool(words.go_on))
        self.go_on.setToolTip(f"{words.go_on} (F6)")
        self.stop = QPushButton("Stop")
        self.stop.setToolTip(f"{words.stop} (Esc)")
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How much is done")
        self.words = ColouredLabel(theme, wraps=True)
        self.words.setAccessibleName("How far it is")
        whole = tight(QVBoxLayout(self), spacing=6)
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
