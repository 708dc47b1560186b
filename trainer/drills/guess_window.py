"""The window in which ranges are guessed: painted on the grid, or by how much of them is of each kind."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from engine.agents.value_reasons import percents
from engine.cards import class_of, combo_of
from engine.training.guess import KINDS
from trainer.drills.guess_model import GuessModel, Stage
from trainer.drills.spot_panel import SpotPanel
from trainer.first_steps.glossary import TermsButton
from trainer.ranges.editing_model import EMPTY, count_text
from trainer.ranges.paint_grid import PaintGrid
from trainer.reading.range_grid import RangeGrid
from trainer.theme import ThemeSource, open_at, set_text_factor
from trainer.widgets.announcement import announce
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel

_USUAL_SIZE = QSize(1280, 860)
_QUESTION_FACTOR = 1.15
_SPOT_SHARE, _RANGE_SHARE = 5, 3
_SLIDER_STEPS, _START = 100, 25
_HOW_TO = "Drag over the grid, or go by the arrows and paint by Space; digits and the wheel set how often."


class GuessWindow(QWidget):
    """Asks what somebody held at a moment of a stored hand; non-modal, all of it by keys too."""

    def __init__(self, theme: ThemeSource, model: GuessModel) -> None:
        super().__init__()
        self.setWindowTitle("Guess the range")
        self.model = model
        self.spot = SpotPanel(theme)
        self.line = ColouredLabel(theme, "text_muted", wraps=True)
        self.question = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        set_text_factor(self.question, _QUESTION_FACTOR)
        self.grid = PaintGrid(theme)
        least = 13 * self.grid.fontMetrics().height()
        self.grid.setMinimumSize(least, least)  # beside the reader's range, also in a small window
        self.sliders = [QSlider(Qt.Orientation.Horizontal) for _ in KINDS]
        self.shares = [QLabel() for _ in KINDS]
        self.meanings = [ColouredLabel(theme, "text_muted", wraps=True) for _ in KINDS]
        self.ways = Tabs(is_document=True)
        self.ways.addTab(self.grid, "&Paint")
        self.ways.addTab(self._kinds(), "&Kinds")
        self.read = RangeGrid(theme)
        self.read.setAccessibleName("What the reader made of it")
        self.read_title = QLabel("The reader's range, the true hand ringed", wordWrap=True)
        self.verdict = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.painted = ColouredLabel(theme, "text_muted")
        self.about = ColouredLabel(theme, "text_muted", wraps=True)
        self.trend = ColouredLabel(theme, "text_muted", wraps=True)
        self.done = QPushButton("&That is the range (Enter)")
        self.next = QPushButton("&Next (Enter)")
        self.terms = TermsButton(self)
        self.done.clicked.connect(self._on_done)
        self.next.clicked.connect(model.ask)
        self.grid.brush_chosen.connect(self._on_brush)
        self.grid.painted.connect(self._show_done)
        self.grid.suits_requested.connect(self._on_done)
        self.ways.currentChanged.connect(self._show_done)
        self._build()
        model.changed.connect(self._show)
        open_at(self, _USUAL_SIZE)
        self._show()

    def _kinds(self) -> QWidget:
        page = QWidget()
        rows = QGridLayout(page)
        rows.setColumnStretch(1, 1)
        for place, (kind, slider, share) in enumerate(zip(KINDS, self.sliders, self.shares, strict=True)):
            label = label_of(slider, kind.capitalize())
            slider.setRange(0, _SLIDER_STEPS)
            slider.setValue(_START)
            slider.setAccessibleName(f"{kind.capitalize()} hands")
            slider.valueChanged.connect(self._show_shares)
            for column, widget in enumerate((label, slider, share)):
                rows.addWidget(widget, 2 * place, column)
        for place, meaning in enumerate(self.meanings):
            rows.addWidget(meaning, 2 * place + 1, 0, 1, 3)
        rows.setRowStretch(2 * len(KINDS), 1)
        self._show_shares()
        return page

    def _build(self) -> None:
        read = QVBoxLayout()
        read.addWidget(self.read_title)
        read.addWidget(self.read, 1)
        upper = self._upper = QHBoxLayout()
        upper.addWidget(self.spot, _SPOT_SHARE)
        upper.addWidget(self.ways, _RANGE_SHARE)
        upper.addLayout(read)
        foot = tight(QHBoxLayout(), self.done, self.next)
        foot.addStretch(1)
        foot.addWidget(self.terms)
        whole = QVBoxLayout(self)
        whole.addLayout(upper, 1)
        for widget in (self.line, self.question, self.painted, self.verdict, self.about, self.trend):
            whole.addWidget(widget)
        whole.addLayout(foot)

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self.model.in_big_blinds = in_big_blinds
        self.spot.table.set_units(in_big_blinds)
        self._show_question()

    def begin(self) -> None:
        """Ask about a moment, unless one is asked about already."""
        if self.model.stage is Stage.EMPTY:
            self.model.ask()

    def _on_brush(self, weight: float) -> None:
        self.grid.brush = weight

    def _show_shares(self) -> None:
        total = sum(slider.value() for slider in self.sliders)
        parts = percents([slider.value() / total for slider in self.sliders]) if total else ["–"] * len(self.shares)
        for share, part in zip(self.shares, parts, strict=True):
            share.setText(part)

    def _show(self) -> None:
        model = self.model
        is_asking, is_answered = model.stage is Stage.ASKING, model.stage is Stage.ANSWERED
        self._show_question()
        if model.table is not None and model.stage is not Stage.EMPTY:
            self.spot.show_spot(model.table)
        self.spot.setVisible(model.spot is not None)
        self.ways.setEnabled(is_asking)
        if is_asking and model.spot is not None:
            self.grid.show_range(EMPTY, model.spot.dead)
            (self.grid if self.ways.currentWidget() is self.grid else self.sliders[0]).setFocus()
            for label, meaning in zip(self.meanings, model.meanings, strict=True):
                label.setText(meaning)
            announce(self, f"{model.line} {model.question}")
        self.done.setVisible(not is_answered)
        self._show_done()
        self.next.setVisible(is_answered)
        for widget in (self.verdict, self.about, self.read, self.read_title):
            widget.setVisible(is_answered)
        self._upper.setStretch(2, _RANGE_SHARE if is_answered else 0)
        if is_answered and model.spot is not None:
            self.verdict.setText(model.verdict)
            self.about.setText(model.about)
            self.read.show_grid(model.read_grid)
            self.read.set_truth(class_of(combo_of(*model.spot.hole_cards)))
            self.next.setFocus()
            announce(self, model.verdict)
        self.trend.setText(model.trend)

    def _show_question(self) -> None:
        self.line.setText(self.model.line)
        self.line.setVisible(bool(self.model.line))
        self.question.setText(self.model.question)

    def _show_done(self) -> None:
        is_painted = self.ways.currentWidget() is not self.grid or not self.grid.hands.is_empty
        self.done.setEnabled(self.model.stage is Stage.ASKING and is_painted)
        self.painted.setVisible(self.model.stage is Stage.ASKING and self.ways.currentWidget() is self.grid)
        dead = self.model.spot.dead if self.model.spot is not None else ()
        self.painted.setText(_HOW_TO if self.grid.hands.is_empty else count_text(self.grid.hands, dead))

    def _on_done(self) -> None:
        if not self.done.isEnabled():
            return
        if self.ways.currentWidget() is self.grid:
            self.model.take_range(self.grid.hands)
        else:
            self.model.take_kinds([slider.value() for slider in self.sliders])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self.model.stage is Stage.ANSWERED and not event.isAutoRepeat():
            self.model.ask()
        elif is_enter and not event.isAutoRepeat():
            self._on_done()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
