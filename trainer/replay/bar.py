"""The bar under a replayed hand: its timeline, the ways through it, and the player's note and tags."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import STREET_NAMES, Street
from trainer.reading.point_slider import PointSlider
from trainer.replay.replay_model import ReplayModel
from trainer.storage.notes import HandNote
from trainer.theme import ThemeSource
from trainer.widgets.check_box import CheckBox
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import make_bold, plain_tip

_STEP_MILLISECONDS = 1000
_LONGEST_NOTE = 2000
_LONGEST_TAGS = 200
_PLAY_ON = "Take your seat at this point of the hand; what comes of it counts nowhere"
_WATCHED = "This hand was watched: none of its seats is yours to play on from"


class ReplayBar(QWidget):
    """Shows a `ReplayModel`'s step and moves it."""

    back_requested = Signal()
    note_written = Signal(object)  # HandNote
    play_on_requested = Signal(bool)  # from the step shown; whether with fresh cards

    def __init__(self, theme: ThemeSource, model: ReplayModel) -> None:
        super().__init__()
        self.model = model
        self._timer = QTimer(self, interval=_STEP_MILLISECONDS)
        self._timer.timeout.connect(self._on_tick)
        self.label = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.label.setAccessibleName("Step of the hand")
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        make_bold(self.label)
        self.count = QLabel()
        self.count.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.slider = PointSlider(theme)
        self.slider.setAccessibleName("Timeline of the hand")
        self.slider.valueChanged.connect(model.go_to)
        self.first = self._button("|◀", "First step", "First step (Home)", lambda: model.go_to(0))
        self.before = self._button("◀", "Step before", "Step before (Left)", lambda: self.step_by(-1))
        self.play = self._button("▶▶", "Play the hand", "Play the hand, a step a second (P)", self.toggle_playing)
        self.play.setCheckable(True)
        self.after = self._button("▶", "Next step", "Next step (Right)", lambda: self.step_by(1))
        self.last = self._button("▶|", "Last step", "Last step (End)", lambda: model.go_to(len(model.steps)))
        self.streets: dict[str, QToolButton] = {}
        for key, street in enumerate(Street, start=1):
            name = STREET_NAMES[street]
            to = f"To the {name.lower()}"
            self.streets[name] = self._button(name, to, f"{to} ({key})", partial(model.go_to_street, street))
        self.cards = CheckBox("Hole &cards")
        self.cards.setToolTip("Show everybody's hole cards and why the bots act, or play the hand again blind (C)")
        self.cards.setChecked(model.are_cards_open)
        self.cards.toggled.connect(model.set_cards_open)
        self.play_on = QToolButton()
        self.play_on.setText("Pla&y on")
        self.play_on.setAccessibleName("Play on from here")
        self.play_on.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.play_on)
        self.same_cards = menu.addAction("With the &same cards")
        self.same_cards.triggered.connect(lambda: self.play_on_requested.emit(False))
        self.fresh_cards = menu.addAction("With &fresh cards, the opponents' from their ranges")
        self.fresh_cards.triggered.connect(lambda: self.play_on_requested.emit(True))
        self.play_on.setMenu(menu)
        self.back = QPushButton("&Back to the game")
        self.back.setToolTip("Back to the table (Esc)")
        self.back.clicked.connect(self.back_requested)
        self.note = self._field("Note", "Note to this hand", _LONGEST_NOTE)
        self.tags = self._field("Tags", "Tags, with commas between", _LONGEST_TAGS)
        self._notes = QWidget()
        self._can_write = False
        self._found = self._written = HandNote()
        self._lay_out()
        model.changed.connect(self._on_changed)
        model.moved.connect(self._on_moved)

    def _button(self, sign: str, name: str, tip: str, slot: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setText(sign)
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.clicked.connect(lambda: slot())
        return button

    def _field(self, name: str, hint: str, longest: int) -> QLineEdit:
        field = QLineEdit(maxLength=longest)
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        field.editingFinished.connect(self._on_written)
        return field

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.label, 1)
        head.addWidget(self.count)
        head.addSpacing(10)
        head.addWidget(self.cards)
        head.addWidget(self.play_on)
        ways = QHBoxLayout()
        ways.setSpacing(1)
        for button in (self.first, self.before, self.play, self.after, self.last):
            ways.addWidget(button)
        ways.addSpacing(6)
        for button in self.streets.values():
            ways.addWidget(button)
        ways.addStretch(1)
        ways.addWidget(self.back)
        self.about = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.about.setAccessibleName("Where the hand was played")
        self.about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        notes = tight(QHBoxLayout(self._notes))
        notes.addWidget(self.note, 2)
        notes.addWidget(self.tags, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 2, 8, 4)
        whole.setSpacing(2)
        whole.addLayout(head)
        whole.addWidget(self.slider)
        whole.addLayout(ways)
        whole.addWidget(self.about)
        whole.addWidget(self._notes)

    # Shown

    def show_about(self, text: str) -> None:
        """Say where the hand was played and what is not to be seen in it; nothing of one that was played here."""
        self.about.setText(text)
        self.about.setVisible(bool(text))

    def show_note(self, note: HandNote | None, tags: Sequence[str] = ()) -> None:
        """Show what is written to the hand, None if nothing can be; `tags` are offered to choose from.

        Until the end of a hand that is played again blind it would tell too much.
        """
        self._can_write = note is not None
        self._found = self._written = note or HandNote()
        self._show_notes()
        self.note.setText(self._written.note)
        self.tags.setText(", ".join(self._written.tags))
        completer = QCompleter(list(tags), self.tags, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        self.tags.setCompleter(completer)

    def _show_notes(self) -> None:
        is_blind = not (self.model.are_cards_open or self.model.is_at_end)
        self._notes.setVisible(self._can_write and not (is_blind and self._found != HandNote()))

    def keep_note(self) -> None:
        """Hand on what is written and not handed on yet."""
        self._on_written()

    def stop(self) -> None:
        """Play no more."""
        self._timer.stop()
        self.play.setChecked(False)

    def step_by(self, steps: int) -> None:
        """Go some steps on, or back."""
        self.model.go_to(self.model.position + steps)

    def toggle_playing(self) -> None:
        """Play the hand step by step, from its beginning if it has ended; or stop."""
        is_playing = not self._timer.isActive()
        if is_playing and self.model.is_at_end:
            self.model.go_to(0)
        self.play.setChecked(is_playing)
        (self._timer.start if is_playing else self._timer.stop)()

    def _on_tick(self) -> None:
        self.step_by(1)
        if self.model.is_at_end:
            self.stop()

    def _on_changed(self) -> None:
        model = self.model
        with QSignalBlocker(self.slider):
            self.slider.show_points(model.steps)
        dealt = dict(model.streets)
        for name, button in self.streets.items():
            button.setEnabled(name in dealt)
        self._on_moved()

    def _on_moved(self) -> None:
        model = self.model
        if not model.steps:
            return
        with QSignalBlocker(self.slider):
            self.slider.setValue(model.position)
        self.label.setText(model.step.label)
        self.label.setToolTip(plain_tip(model.step.label))
        self.slider.setAccessibleDescription(model.step.label)
        self.count.setText(f"{model.position + 1} of {len(model.steps)}")
        for button in (self.first, self.before):
            button.setEnabled(model.position > 0)
        for button in (self.after, self.last):
            button.setEnabled(not model.is_at_end)
        is_watched = model.observation.viewer is None
        self.play_on.setEnabled(model.decider is not None and not is_watched)
        self.play_on.setToolTip(_WATCHED if is_watched else _PLAY_ON)
        with QSignalBlocker(self.cards):
            self.cards.setChecked(model.are_cards_open)
        self._show_notes()

    def _on_written(self) -> None:
        tags = tuple(dict.fromkeys(filter(None, (tag.strip() for tag in self.tags.text().split(",")))))
        note = HandNote(self.note.text().strip(), tags)
        if note != self._written:
            self._written = note
            self.note_written.emit(note)
