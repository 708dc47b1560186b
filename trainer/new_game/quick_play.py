"""Quick play: a button for each level, which says who sits there before it is pressed."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QGroupBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from engine.agents.styles import style_label
from trainer.new_game.levels import LEVELS, OpponentLevel, level_words

_INVITATION = (
    "Six seats, 100 big blinds, and the cards fall at once (Alt+1 to Alt+5). "
    "Point at a level to see who sits there, or describe a game of your own below."
)


class QuickPlay(QGroupBox):
    """Offers `LEVELS`; pointing at one, or going to it by Tab, tells about it."""

    chosen = Signal(object)  # OpponentLevel

    def __init__(self) -> None:
        super().__init__("Quick play, from easy to hard")
        self.words = QLabel(_INVITATION, wordWrap=True)
        self.words.setMinimumHeight(3 * self.words.fontMetrics().lineSpacing())
        self.words.setAccessibleName("What to expect at the level")
        self.buttons = [self._button(number, level) for number, level in enumerate(LEVELS, start=1)]
        row = QHBoxLayout()
        for button in self.buttons:
            row.addWidget(button, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(self.words)

    def _button(self, number: int, level: OpponentLevel) -> QPushButton:
        button = QPushButton(f"&{number}  {level.title}", autoDefault=False)
        button.setAccessibleDescription(f"{_players(level)}. {level_words(level)}")
        button.clicked.connect(lambda _checked=False: self.chosen.emit(level))
        button.installEventFilter(self)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in self.buttons and event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            level = LEVELS[self.buttons.index(watched)]
            self.words.setText(f"{_players(level)}.\n{level_words(level)}")
        elif watched in self.buttons and event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut):
            self.words.setText(_INVITATION)
        return super().eventFilter(watched, event)


def _players(level: OpponentLevel) -> str:
    return ", ".join(map(style_label, level.styles))
