"""The window of charts: a spot is chosen, or taken from the table, and the grid says what is usually done there."""

from msgspec import structs
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
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
from trainer.theme import Theme, ThemeSource, open_at
from trainer.usual_play.usual_play_model import NOTE, ORDER, UsualPlayModel
from trainer.widgets.action_grid import ActionGrid, action_colours
from trainer.widgets.text_field import ColouredLabel, ShortenedLabel, WrappedMessage, make_bold

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
        self._theme = theme
        self.grid = ActionGrid(theme)
        self.seats, self.position, self.faced, self.population = (QComboBox() for _ in range(4))
        self.stack, self.opening = QSpinBox(), QDoubleSpinBox()
        self.form = QWidget()  # of the spot
        self.at_table = QPushButton(_AT_TABLE)
        self.copy = QPushButton("&Copy")
        self.terms = TermsButton(self)
        self.title = ShortenedLabel(theme)
        self.chips = [QLabel() for _ in ORDER]
        self.names, self.shares = ([QLabel() for _ in ORDER] for _ in range(2))
        self.detail = ColouredLabel(theme, "text", wraps=True)
        self.message = WrappedMessage(theme)
        self.note = ColouredLabel(theme, "text_muted", NOTE, wraps=True)
        self._build()
        self._connect()
        theme.changed.connect(self._on_theme_changed)
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
        for caption, field, tip in (
            ("&Players", self.seats, "Dealt in; all who do not act are taken to fold"),
            ("&You sit", self.position, "Your position"),
            ("&Before you", self.faced, "What has happened when it is your turn"),
            ("&Stacks", self.stack, "Everybody's, before the blinds"),
            ("First &raise to", self.opening, "3-bets are to three times that, from the blinds to four times"),
            ("Play &of", self.population, "Whose hands were recorded; heads-up there are DeepStack's alone"),
        ):
            field.setToolTip(tip)
            field.setAccessibleName(caption.replace("&", ""))
            form.addRow(caption, field)
        make_bold(self.title)
        totals = QGridLayout()
        for row, widgets in enumerate(zip(self.chips, self.names, self.shares, strict=True)):
            for column, widget in enumerate(widgets):
                totals.addWidget(widget, row, column)
            widgets[0].setFixedSize(14, 14)
            widgets[2].setAlignment(Qt.AlignmentFlag.AlignRight)
        totals.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        for button in (self.at_table, self.copy, self.terms):
            buttons.addWidget(button)
        self.copy.setToolTip("The ranges as text, for the calculator and other programs; weights in steps of 5%")
        side = QVBoxLayout()
        side.addWidget(self.form)
        side.addLayout(buttons)
        side.addSpacing(8)
        side.addWidget(self.title)
        side.addLayout(totals)
        side.addSpacing(8)
        side.addWidget(self.detail)
        side.addWidget(self.message)
        side.addStretch(1)
        side.addWidget(self.note)
        whole = QHBoxLayout(self)
        whole.addWidget(self.grid, 3)
        whole.addLayout(side, 2)

    def _connect(self) -> None:
        self.model.changed.connect(self._on_changed)
        self.seats.activated.connect(self._on_edited)
        self.position.activated.connect(self._on_edited)
        self.population.activated.connect(self._on_edited)
        self.faced.activated.connect(self._on_faced)
        self.stack.valueChanged.connect(self._on_edited)
        self.opening.valueChanged.connect(self._on_edited)
        self.at_table.clicked.connect(self._on_at_table)
        self.copy.clicked.connect(self._on_copy)
        self.grid.cell_hovered.connect(self._on_cell)
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
        view = self.model.view
        self.form.setEnabled(self.model.is_spot)
        self.at_table.setText(_AT_TABLE if self.model.is_spot else _BACK)
        self.grid.show_view(view)
        if view is not None and view.own is not None:
            self.grid.set_focused_cell(view.own)
        self.message.setText(self.model.message)
        self.copy.setEnabled(view is not None)
        self.title.setText(view.title if view is not None else "")
        self.note.setText(f"{NOTE} {view.note}".strip() if view is not None else NOTE)
        totals = view.totals() if view is not None else ()
        for row, labels in enumerate(zip(self.chips, self.names, self.shares, strict=True)):
            for label in labels:
                label.setVisible(row < len(totals))
            if row < len(totals):
                self.names[row].setText(totals[row].name)
                self.shares[row].setText(totals[row].percent)
        self._on_theme_changed(self._theme.theme)
        self._on_cell(self.grid.current)

    def _on_theme_changed(self, theme: Theme) -> None:
        view = self.model.view
        if view is not None:
            colours = action_colours(theme, can_check=view.can_check)
            for chip, kind in zip(self.chips, view.kinds, strict=False):
                chip.setStyleSheet(f"background: {colours[kind].name()}")

    def _on_cell(self, cell: int | None) -> None:
        view = self.model.view
        if view is not None and cell is None:
            cell = view.own
        if view is None or cell is None:
            self.detail.setText(_HINT if view is not None else "")
        else:
            self.detail.setText("\n".join((view.describe(cell), *view.combos(cell))))

    def _on_copy(self) -> None:
        if self.model.view is not None:
            QGuiApplication.clipboard().setText(self.model.view.text)
