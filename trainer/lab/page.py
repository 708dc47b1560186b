"""What the pages of the lab share: what is chosen and its run on the left, what comes of it on the right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from trainer.lab.run_panel import RunPanel
from trainer.lab.saving import Saving
from trainer.theme import ThemeSource
from trainer.widgets.text_field import ColouredLabel

_LEAST_SIZE = QSize(480, 320)  # what does not fit scrolls
_SETUP_LINES = 20  # width of the setup, in lines of text


class LabPage(QWidget):
    """A page; `notice` has the last message."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.notice = ColouredLabel(theme, "text_muted")
        self.notice.setAccessibleName("Message")
        self.notice.setWordWrap(True)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)

    def lay_out(self, setup: QWidget, run: RunPanel, export: Saving, shown: QWidget) -> None:
        """Put everything in its place."""
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
        column.addWidget(setup, 1)
        column.addWidget(run)
        right = QWidget()
        results = QVBoxLayout(right)
        results.setContentsMargins(4, 0, 0, 0)
        line = QHBoxLayout()
        line.addWidget(self.notice, 1)
        line.addWidget(export.button)
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
        export.said.connect(self.say)

    def say(self, text: str, is_good: bool = True) -> None:
        """Show a message."""
        self.notice.set_meaning("text_muted" if is_good else "bad")
        self.notice.setText(text)
