"""What the pages of the lab share: what is chosen and its run on the left, what comes of it on the right."""

from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from trainer.lab.page_model import PageModel
from trainer.lab.run_panel import RunPanel
from trainer.lab.saving import Saving
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel

_LEAST_SIZE = QSize(480, 320)  # what does not fit scrolls
_SETUP_LINES = 20  # width of the setup, in lines of text

M = TypeVar("M", bound=PageModel[Any, Any, Any])


class LabPage(QWidget, Generic[M]):
    """A page; `notice` has the last message."""

    title: ClassVar[str]
    export: Saving

    def __init__(self, theme: ThemeSource, model: M, settings: SettingsFile) -> None:
        super().__init__()
        self.model = model
        self._settings = settings
        self._note = ""
        self.notice = ColouredLabel(theme, "text_muted", wraps=True)
        self.notice.setAccessibleName("Message")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)

    def lay_out(self, setup: QWidget, run: RunPanel, shown: QWidget) -> None:
        """Put everything in its place."""
        outer = tight(QVBoxLayout(self))
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
        column.addWidget(setup, 1)
        column.addWidget(run)
        right = QWidget()
        results = QVBoxLayout(right)
        results.setContentsMargins(4, 0, 0, 0)
        line = QHBoxLayout()
        line.addWidget(self.notice, 1)
        line.addWidget(self.export.button)
        results.addLayout(line)
        results.addWidget(shown, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        width = _SETUP_LINES * self.fontMetrics().height()
        self.splitter.setSizes([width, max(self.width() - width, width)])
        whole.addWidget(self.splitter)
        self.setMinimumSize(_LEAST_SIZE)
        self.export.said.connect(self.say)
        self.model.progressed.connect(self._on_progressed)

    def say(self, text: str, is_good: bool = True) -> None:
        """Show a message."""
        self.notice.set_meaning("text_muted" if is_good else "bad")
        self.notice.setText(text)

    def stop(self) -> None:
        """End what is on its way; what is finished stays."""
        self.model.stop()

    def remember(self) -> None:
        """Remember what is chosen."""
        self._settings.change(**self._remembered())

    def _remembered(self) -> dict[str, str]:
        """Return the settings that change."""
        raise NotImplementedError

    def _on_progressed(self) -> None:
        if self.model.is_running:
            self.remember()
        if self.model.is_running or self.model.note != self._note:
            self._note = self.model.note
            self.say(self._note)
