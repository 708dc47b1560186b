"""The window of charts: a spot is chosen, or taken from the table, and the grid says what is usually done there."""

from itertools import pairwise

from msgspec import structs
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.training.usual_play import (
    FEWEST_SEATS,
    LEAST_OPENING_BB,
    MOST_OPENING_BB,
    MOST_SEATS,
    Facing,
    Population,
    depths,
)
from trainer.first_steps.glossary import TermsButton
from trainer.theme import ThemeSource, open_at
from trainer.usual_play.usual_play_model import NOTE, UsualPlayModel
from trainer.widgets.action_chart import ActionChart
from trainer.widgets.layouts import tight

_USUAL_SIZE = QSize(1000, 690)
_HINT = "Point at a hand, or walk with the arrow keys. A cell is as full as its hands get here often."
_AT_TABLE, _BACK = "The decision at the &table", "Back to the spo&t"
_POPULATIONS = {
    Population.PROFESSIONALS: "Pluribus and professionals",
    Population.SMALL_STAKES: "Online, small stakes",
}


class UsualPlayWindow(QWidget):
    """Shows what its model says of the spot chosen here."""

    table_requested = Signal()  # the decision that the table is at is wanted

    def __init__(self, theme: ThemeSource, model: UsualPlayModel) -> None:
        super().__init__()
        self.setWindowTitle("Charts")
        self.model = model
        self.asked = QWidget()
        self.chart = ActionChart(theme, self.asked, _HINT, NOTE)
        self.seats, self.position, self.faced, self.population = (QComboBox() for _ in range(4))
        self.stack, self.opening = QSpinBox(), QDoubleSpinBox()
        self.form = QWidget()  # of the spot
        self.at_table = QPushButton(_AT_TABLE)
        self.terms = TermsButton(self)
        self._build()
        self._connect()
        open_at(self, _USUAL_SIZE)
        self.position.setFocus()
        model.ask(model.spot)
        self._show_spot()

    def _build(self) -> None:
        for seats in range(MOST_SEATS, FEWEST_SEATS - 1, -1):
            self.seats.addItem(str(seats), seats)
        self.population.addItems(list(_POPULATIONS.values()))
        self.stack.setSuffix(" bb")
        self.stack.setSingleStep(10)
        self.opening.setSuffix(" bb")
        self.opening.setRange(LEAST_OPENING_BB, MOST_OPENING_BB)
        self.opening.setDecimals(1)
        self.opening.setSingleStep(0.5)
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        rows: tuple[tuple[str, QWidget, str], ...] = (
            ("&Players", self.seats, "Dealt in; all who do not act are taken to fold"),
            ("&You sit", self.position, "Your position"),
            ("&Before you", self.faced, "What has happened when it is your turn"),
            ("&Stacks", self.stack, "Everybody's, before the blinds"),
            ("First &raise to", self.opening, "3-bets are to three times that, from the blinds to four times"),
            ("Play &of", self.population, "Whose hands were recorded; heads-up there are DeepStack's alone"),
        )
        for caption, field, tip in rows:
            field.setToolTip(tip)
            field.setAccessibleName(caption.replace("&", ""))
            form.addRow(caption, field)
        buttons = tight(QHBoxLayout(), self.at_table, self.chart.copy, self.terms)
        tight(QVBoxLayout(self.asked), self.form, buttons)
        QVBoxLayout(self).addWidget(self.chart)
        order = (*(field for _, field, _ in rows), self.at_table, self.chart.copy, self.terms, self.chart.grid)
        for one, following in pairwise(order):
            self.setTabOrder(one, following)

    def _connect(self) -> None:
        self.model.changed.connect(self._on_changed)
        self.seats.activated.connect(self._on_edited)
        self.position.activated.connect(self._on_edited)
        self.population.activated.connect(self._on_edited)
        self.faced.activated.connect(self._on_faced)
        self.stack.valueChanged.connect(self._on_edited)
        self.opening.valueChanged.connect(self._on_edited)
        self.at_table.clicked.connect(self._on_at_table)
        QShortcut(QKeySequence("Esc"), self, self.close)

    def _show_spot(self) -> None:
        """Show what is asked about in the fields."""
        spot = self.model.spot
        fields = (self.seats, self.position, self.faced, self.stack, self.opening, self.population)
        for field in fields:
            field.blockSignals(True)
        self.seats.setCurrentIndex(self.seats.findData(spot.seats))
        self.position.clear()
        self.position.addItems(self.model.positions)
        self.position.setCurrentText(spot.position)
        self.faced.clear()
        self.faced.addItems(self.model.faced)
        self.faced.setCurrentIndex(self.model.faced_at)
        self.stack.setRange(*depths(spot.seats))
        self.stack.setValue(round(spot.stack_bb))
        self.opening.setValue(spot.opening_bb)
        self.opening.setEnabled(spot.facing not in (Facing.NOBODY, Facing.LIMP))
        self.population.setCurrentText(_POPULATIONS[spot.population])
        self.population.setEnabled(spot.seats > FEWEST_SEATS)
        for field in fields:
            field.blockSignals(False)

    def _on_edited(self) -> None:
        self.model.ask(
            structs.replace(
                self.model.spot,
                seats=self.seats.currentData(),
                position=self.position.currentText(),
                stack_bb=self.stack.value(),
                opening_bb=self.opening.value(),
                population=tuple(_POPULATIONS)[self.population.currentIndex()],
            )
        )
        self._show_spot()

    def _on_faced(self, index: int) -> None:
        self.model.choose_faced(index)
        self._show_spot()

    def _on_at_table(self) -> None:
        if self.model.is_spot:
            self.table_requested.emit()
        else:
            self.model.ask(self.model.spot)

    def _on_changed(self) -> None:
        self.form.setEnabled(self.model.is_spot)
        self.at_table.setText(_AT_TABLE if self.model.is_spot else _BACK)
        self.chart.show_view(self.model.view, self.model.message)
