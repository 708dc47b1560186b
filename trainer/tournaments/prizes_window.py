"""The window of prizes: stacks and prizes are entered, and beside them stands what they are worth."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from engine.tournaments.icm import MOST_PLAYERS
from trainer.first_steps.glossary import TermsButton
from trainer.theme import ThemeSource, open_at
from trainer.tournaments.prizes_model import HEADINGS, NOTE, Entered, PrizesModel
from trainer.widgets.layouts import label_of
from trainer.widgets.text_field import (
    ColouredLabel,
    MarkedLineEdit,
    ShortenedLabel,
    WrappedMessage,
    make_bold,
    plain_tip,
)

_USUAL_SIZE = QSize(1080, 430)
_MEANINGS = (
    "A name, if you like",
    "Chips of a player who is still in",
    "Part of all chips",
    "Mean prize, in the unit of the prizes",
    "Part of all prizes",
)
_MOST_LETTERS = 40


class PrizesWindow(QWidget):
    """Shows what its model says of what is typed here."""

    table_requested = Signal()  # the stacks and prizes of the running tournament are wanted

    def __init__(self, theme: ThemeSource, model: PrizesModel) -> None:
        super().__init__()
        self.setWindowTitle("Prizes (ICM)")
        self.model = model
        self.names = [QLineEdit() for _ in range(MOST_PLAYERS)]
        self.stacks = [MarkedLineEdit(theme) for _ in range(MOST_PLAYERS)]
        self.prizes = MarkedLineEdit(theme)
        self.results = [[QLabel() for _ in range(3)] for _ in range(MOST_PLAYERS)]
        self.needed = [[QLabel() for _ in range(MOST_PLAYERS)] for _ in range(MOST_PLAYERS)]
        self.opponents = [ShortenedLabel(theme, "text_muted") for _ in range(MOST_PLAYERS)]
        self.message = WrappedMessage(theme)
        self.from_table = QPushButton("From the &table")
        self.copy = QPushButton("&Copy")
        self.terms = TermsButton(self)
        self._build(theme)
        model.changed.connect(self._on_changed)
        for field in (*self.names, *self.stacks, self.prizes):
            field.textEdited.connect(self._on_edited)
        self.from_table.clicked.connect(self.table_requested)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(model.text))
        QShortcut(QKeySequence("Esc"), self, self.close)
        open_at(self, _USUAL_SIZE)
        self.show_entered(model.entered)
        self.stacks[0].setFocus()

    def _build(self, theme: ThemeSource) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        for column, (heading, meaning) in enumerate(zip(HEADINGS, _MEANINGS, strict=True)):
            title = ColouredLabel(theme, "text_muted", heading)
            title.setToolTip(meaning)
            title.setAlignment(Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(title, 0, column)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for at in range(MOST_PLAYERS):
            row = at + 1
            self.names[at].setPlaceholderText(f"Player {row}")
            self.names[at].setMaxLength(_MOST_LETTERS)
            self.names[at].setAccessibleName(f"Name of player {row}")
            self.stacks[at].setAlignment(right)
            self.stacks[at].setMaxLength(_MOST_LETTERS)
            self.stacks[at].setAccessibleName(f"Stack of player {row}")
            self.opponents[at].setAlignment(right)
            grid.addWidget(self.names[at], row, 0)
            grid.addWidget(self.stacks[at], row, 1)
            grid.addWidget(self.opponents[at], 0, len(HEADINGS) + at)
            for column, label in enumerate((*self.results[at], *self.needed[at]), start=2):
                label.setAlignment(right)
                grid.addWidget(label, row, column)
            make_bold(self.results[at][1])
            grid.setColumnStretch(len(HEADINGS) + at, 2)
        grid.setColumnStretch(0, 4)
        grid.setColumnStretch(1, 3)
        for column in range(2, len(HEADINGS)):
            grid.setColumnStretch(column, 2)
        note = ColouredLabel(theme, "text_muted", NOTE)
        note.setWordWrap(True)
        self.prizes.setToolTip("Of the places still to be played for, the first first: 50, 30, 20 or 1500 900 600")
        self.prizes.setAccessibleName("Prizes by place")
        self.prizes.setMaxLength(10 * _MOST_LETTERS)
        line = QHBoxLayout()
        line.addWidget(label_of(self.prizes, "&Prizes"))
        line.addWidget(self.prizes, 1)
        for button in (self.from_table, self.copy, self.terms):
            line.addWidget(button)
        whole = QVBoxLayout(self)
        whole.addLayout(line)
        whole.addLayout(grid)
        whole.addWidget(self.message)
        whole.addStretch(1)
        whole.addWidget(note)

    def show_entered(self, entered: Entered) -> None:
        """Put values into the fields, as if they had been typed."""
        for field, text in zip(
            (*self.names, *self.stacks, self.prizes), (*entered.names, *entered.stacks, entered.prizes), strict=True
        ):
            field.setText(text)
        self.model.enter(entered)

    def _on_edited(self) -> None:
        names, stacks = (tuple(field.text() for field in fields) for fields in (self.names, self.stacks))
        self.model.enter(Entered(names, stacks, self.prizes.text()))

    def _on_changed(self) -> None:
        model = self.model
        self.message.setText(model.message)
        self.copy.setEnabled(not model.message)
        for at, row in enumerate(model.rows):
            is_in = bool(row.worth)
            self.opponents[at].setText(model.name(at) if is_in else "")
            for label, text in zip(self.results[at], (row.chips, row.worth, row.share), strict=True):
                label.setText(text)
            for label, text, tip in zip(self.needed[at], row.needed, row.tips, strict=True):
                label.setText(text)
                label.setToolTip(plain_tip(tip))
