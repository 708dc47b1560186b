"""A chart of what is done with every hand: the grid, and beside it what is asked, and the answer in numbers."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from trainer.theme import Theme, ThemeSource
from trainer.widgets.action_chart_model import ActionView
from trainer.widgets.action_grid import ActionGrid, action_colours
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel, ShortenedLabel, WrappedMessage, make_bold

_MOST_KINDS = 3
_CHIP_PIXELS = 14
_WORKING = "Being worked out…"


class ActionChart(QWidget):
    """Shows one view, below what is asked, which is the caller's; `copy` takes it as text."""

    def __init__(self, theme: ThemeSource, asked: QWidget, hint: str, about: str) -> None:
        super().__init__()
        self._theme, self._hint = theme, hint
        self._view: ActionView | None = None
        self.grid = ActionGrid(theme)
        self.title = ShortenedLabel(theme)
        make_bold(self.title)
        self.chips, self.names, self.shares = ([QLabel() for _ in range(_MOST_KINDS)] for _ in range(3))
        self.note = ColouredLabel(theme, "text_muted", wraps=True)
        self.detail = ColouredLabel(theme, "text", wraps=True)
        self.message = WrappedMessage(theme)
        self.copy = QPushButton("&Copy")
        self.copy.setToolTip("As text, with ranges for the calculator and other programs; weights in steps of 5%")
        totals = QGridLayout()
        for row, labels in enumerate(zip(self.chips, self.names, self.shares, strict=True)):
            for column, label in enumerate(labels):
                totals.addWidget(label, row, column)
            labels[0].setFixedSize(_CHIP_PIXELS, _CHIP_PIXELS)
            labels[2].setAlignment(Qt.AlignmentFlag.AlignRight)
        totals.setColumnStretch(1, 1)
        side = QVBoxLayout()
        side.addWidget(asked)
        side.addSpacing(8)
        side.addWidget(self.title)
        side.addLayout(totals)
        side.addWidget(self.note)
        side.addSpacing(8)
        side.addWidget(self.detail)
        side.addWidget(self.message)
        side.addStretch(1)
        side.addWidget(ColouredLabel(theme, "text_muted", about, wraps=True))
        whole = tight(QHBoxLayout(self), self.grid, side)
        whole.setStretch(0, 3)
        whole.setStretch(1, 2)
        self.copy.clicked.connect(self._on_copy)
        self.grid.cell_hovered.connect(self._on_cell)
        theme.changed.connect(self._on_theme_changed)
        self.show_view(None)

    def show_view(self, view: ActionView | None, message: str = "") -> None:
        """Show a view, or none and why there is none: it is being worked out, if nothing is said."""
        self._view = view
        self.grid.show_view(view)
        if view is not None and view.own is not None:
            self.grid.set_focused_cell(view.own)
        self.message.setText(message)
        self.copy.setEnabled(view is not None)
        self.title.setText(view.title if view is not None else "")
        self.note.setText(view.note if view is not None else "")
        self.note.setVisible(bool(self.note.text()))
        totals = view.totals if view is not None else ()
        for row, labels in enumerate(zip(self.chips, self.names, self.shares, strict=True)):
            for label in labels:
                label.setVisible(row < len(totals))
            if row < len(totals):
                self.names[row].setText(totals[row].name)
                self.shares[row].setText(totals[row].text)
        self._on_theme_changed(self._theme.theme)
        self._on_cell(self.grid.current)

    def _on_theme_changed(self, theme: Theme) -> None:
        if self._view is not None:
            colours = action_colours(theme, can_check=self._view.can_check)
            for chip, total in zip(self.chips, self._view.totals, strict=False):
                chip.setStyleSheet(f"background: {colours[total.kind].name()}")

    def _on_cell(self, cell: int | None) -> None:
        view = self._view
        if view is not None and cell is None:
            cell = view.own
        if view is None or cell is None:
            self.detail.setText(self._hint if view is not None else "" if self.message.text() else _WORKING)
        else:
            self.detail.setText("\n".join((view.describe(cell), *view.combos(cell))))

    def _on_copy(self) -> None:
        if self._view is not None:
            QGuiApplication.clipboard().setText(self._view.text)
