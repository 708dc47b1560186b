"""The window of short stacks: what everybody has is entered, and the grid says who goes all-in with which hands."""

from itertools import pairwise

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.tournaments.push_or_fold import FEWEST_PLAYERS, MOST_PLAYERS
from trainer.first_steps.glossary import TermsButton
from trainer.theme import ThemeSource, open_at
from trainer.tournaments.push_model import NOTE, Entered, PushModel, same_players
from trainer.widgets.action_chart import ActionChart
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import MarkedLineEdit

_USUAL_SIZE = QSize(1000, 690)
_HINT = "Point at a hand, or walk with the arrow keys."
_MOST_LETTERS = 200


class _AnteBox(QDoubleSpinBox):
    """Big blinds, without noughts behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(3)
        self.setSingleStep(0.1)
        self.setSuffix(" bb")

    def textFromValue(self, value: float) -> str:
        return f"{value:g}"


class PushWindow(QWidget):
    """Shows what its model says of what is entered here."""

    table_requested = Signal()  # the hand at the table is wanted

    def __init__(self, theme: ThemeSource, model: PushModel) -> None:
        super().__init__()
        self.setWindowTitle("Push or fold")
        self.model = model
        self.asked = QWidget()
        self.chart = ActionChart(theme, self.asked, _HINT, NOTE)
        self.stacks, self.prizes = MarkedLineEdit(theme), MarkedLineEdit(theme)
        self.players, self.position, self.faced = QComboBox(), QComboBox(), QComboBox()
        self.ante, self.big_blind_ante = _AnteBox(), _AnteBox()
        self.from_table = QPushButton("From the &table")
        self.terms = TermsButton(self)
        self._small_blind_bb = Entered().small_blind_bb
        self._build()
        self._connect()
        open_at(self, _USUAL_SIZE)
        self.stacks.setFocus()
        self._show_entered(model.entered)

    def _build(self) -> None:
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
            self.players.addItem(str(players), players)
        self.ante.setMaximum(1.0)
        self.big_blind_ante.setMaximum(10.0)
        for line in (self.stacks, self.prizes):
            line.setMaxLength(_MOST_LETTERS)
        self.prizes.setPlaceholderText("none: for chips")
        form = QFormLayout()
        rows: tuple[tuple[str, QWidget, str], ...] = (
            ("&Stacks, bb", self.stacks, "One for all, or each in the order of acting, the big blind's last"),
            ("&Players", self.players, "Of one stack; several stacks are as many players"),
            ("&Ante", self.ante, "What everybody posts"),
            ("B&ig blind ante", self.big_blind_ante, "What the big blind posts for all"),
            ("Pri&zes", self.prizes, "Of the places still to be played for, the first first: 50 30 20"),
            ("&You sit", self.position, "Whose hands are shown"),
            ("&Before you", self.faced, "Who has gone all-in when it is your turn; all others have folded"),
        )
        for caption, shown, tip in rows:
            shown.setToolTip(tip)
            shown.setAccessibleName(caption.replace("&", ""))
            form.addRow(caption, shown)
        self.from_table.setToolTip("Stacks, blinds and prizes of the hand that is being played")
        buttons = tight(QHBoxLayout(), self.from_table, self.chart.copy, self.terms)
        tight(QVBoxLayout(self.asked), form, buttons)
        QVBoxLayout(self).addWidget(self.chart)
        order = (*(shown for _, shown, _ in rows), self.from_table, self.chart.copy, self.terms, self.chart.grid)
        for one, following in pairwise(order):
            self.setTabOrder(one, following)

    def _connect(self) -> None:
        self.model.changed.connect(self._on_changed)
        self.model.game_changed.connect(self._show_players)
        self.stacks.textEdited.connect(self._on_edited)
        self.prizes.textEdited.connect(self._on_edited)
        self.players.activated.connect(self._on_edited)
        self.ante.valueChanged.connect(self._on_edited)
        self.big_blind_ante.valueChanged.connect(self._on_edited)
        self.position.activated.connect(lambda at: self.model.choose(at, ()))
        self.position.activated.connect(self._show_players)
        self.faced.activated.connect(lambda at: self.model.choose(self.model.player, self.model.faced[at]))
        self.from_table.clicked.connect(self.table_requested)
        QShortcut(QKeySequence("Esc"), self, self.close)

    def _show_entered(self, entered: Entered) -> None:
        """Show what is entered in the fields."""
        fields = (self.stacks, self.prizes, self.players, self.ante, self.big_blind_ante)
        for field in fields:
            field.blockSignals(True)
        self.stacks.setText(entered.stacks)
        self.prizes.setText(entered.prizes)
        self.players.setCurrentIndex(self.players.findData(entered.players))
        self.ante.setValue(entered.ante_bb)
        self.big_blind_ante.setValue(entered.big_blind_ante_bb)
        self._small_blind_bb = entered.small_blind_bb
        for field in fields:
            field.blockSignals(False)
        self.players.setEnabled(same_players(entered))

    def show_table(self) -> None:
        """Show in the fields what the model has taken from the table."""
        self._show_entered(self.model.entered)

    def _on_edited(self) -> None:
        entered = Entered(
            self.stacks.text(),
            self.players.currentData() or FEWEST_PLAYERS,
            self.ante.value(),
            self.big_blind_ante.value(),
            self._small_blind_bb,
            self.prizes.text(),
        )
        self.players.setEnabled(same_players(entered))
        self.model.enter(entered)

    def _show_players(self) -> None:
        """Show who sits where, and who can be in before the player."""
        model = self.model
        self.players.setCurrentIndex(self.players.findData(len(model.positions)))
        for box, texts, at in (
            (self.position, model.positions, model.player),
            (self.faced, model.faced_words, model.faced.index(model.before)),
        ):
            box.clear()
            box.addItems(list(texts))
            box.setCurrentIndex(at)

    def _on_changed(self) -> None:
        self.chart.show_view(self.model.view, self.model.message)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.enter(self.model.entered)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.stop()
        super().closeEvent(event)
