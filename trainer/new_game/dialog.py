"""The dialog that describes a session before it begins."""

import secrets

from msgspec import structs
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.agents.evolved.own_policies import files_of
from engine.agents.styles import seats_problem
from engine.codec import StoredDataError, decode, encode
from engine.foreign_text import printable, shortened
from engine.game.events import GameKind
from engine.game.format_file import built_in, cash_game
from engine.game.formats import HUMAN, GameConfig, GameConfigError, GameFormat, parse_level
from trainer.new_game.format_chooser import FormatChooser
from trainer.new_game.levels import OpponentLevel
from trainer.new_game.number_boxes import ENTER, MOST_CHIPS, ChipsBox, NumberBox, StraddleBox
from trainer.new_game.own_formats import FORMATS_FOLDER, OwnFormats
from trainer.new_game.quick_play import QuickPlay
from trainer.new_game.seats_box import SeatsBox, default_seats, seats_against
from trainer.session.amounts import Units
from trainer.settings import SettingsFile
from trainer.styles.own_policies import POLICIES_FOLDER, OwnPolicies
from trainer.styles.own_styles import STYLES_FOLDER, OwnStyles
from trainer.theme import ThemeSource, room_on_screen
from trainer.widgets.check_box import CheckBox
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.text_field import ColouredLabel

_FLAGS = {
    "is_big_blind_ante": None,
    "raises_to_twice": None,
    "does_rebuy_bots": GameKind.CASH,
    "does_reset_stacks": GameKind.CASH,
    "doubles_each_lap": GameKind.TOURNAMENT,
    "ends_at_half": GameKind.TOURNAMENT,
}
"""Fields of a format that are true or false, each with the kind of game that it is for, if only one."""

_DEFAULT_SEATS = 6
_LINES_BELOW = 7  # of text, as high as what is wrong and the buttons below the choices
_RANDOM_SEED_BITS = 63  # fewer could be tried out one by one, against the cards of hands that are over


class _Choices(QScrollArea):
    """All that can be chosen, as high as it asks for; only where the screen is too low for that it scrolls."""

    def __init__(self, choices: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self._choices = choices
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def sizeHint(self) -> QSize:
        return self._bounded(self._choices.sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._bounded(self._choices.minimumSizeHint())

    def _bounded(self, size: QSize) -> QSize:
        most = room_on_screen(self).height() - _LINES_BELOW * self.fontMetrics().lineSpacing()
        if size.height() <= most:
            return size
        return QSize(size.width() + self.verticalScrollBar().sizeHint().width(), most)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for more or less as rows come and go."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class NewGameDialog(QDialog):
    """Seats, stakes, length and seed of a session; begins with the last choice and a new seed.

    What cannot be played is said in one sentence, and cannot be begun. Enter deals wherever the focus is, with what
    is typed there; Space presses buttons. Opened again it holds what it held, with a new seed after a game.
    """

    game_chosen = Signal(object)  # GameConfig
    styles_requested = Signal()  # the player's own are to be edited
    policies_requested = Signal()  # such as the player has evolved are to be added

    def __init__(self, theme: ThemeSource, settings: SettingsFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New game")
        self._settings = settings
        self._base = built_in("cash")
        self.formats = FormatChooser(theme, OwnFormats(settings.path.with_name(FORMATS_FOLDER)), self)
        policies = OwnPolicies(settings.path.with_name(POLICIES_FOLDER))
        self.seats = SeatsBox(theme, OwnStyles(settings.path.with_name(STYLES_FOLDER)), policies)
        self.seats.changed.connect(self._on_changed)
        self.seats.styles_requested.connect(self.styles_requested)
        self.seats.policies_requested.connect(self.policies_requested)
        self._is_filling = False
        self._is_dealt = False

        self.quick_play = QuickPlay()
        self.quick_play.chosen.connect(self._on_level)
        choices = QWidget(self)
        rows = tight(QVBoxLayout(choices), self.quick_play)
        columns = QHBoxLayout()
        columns.addWidget(self.seats, 3)
        columns.addWidget(self._make_stakes(), 2)
        rows.addLayout(columns)
        layout = QVBoxLayout(self)
        area = _Choices(choices)
        layout.addWidget(area, 1)
        self._problem = ColouredLabel(theme, "bad", wraps=True)
        self._problem.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._problem.setAccessibleName("What is wrong with these settings")
        layout.addWidget(self._problem)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("&Deal")
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout.addWidget(self._buttons)
        self._ok.setDefault(True)  # only now does it have a dialog to be the default of

        for button in self.findChildren(QAbstractButton):
            button.installEventFilter(self)
        self.fill(self._last_choice())
        area.setWidget(choices)  # only now, or it would ask for room for the rows of both kinds of game

    def _make_stakes(self) -> QGroupBox:
        box = QGroupBox("Game")
        self._form = form = QFormLayout(box)
        self.kind = QComboBox()
        self.kind.addItem("Cash game", GameKind.CASH)
        self.kind.addItem("Tournament", GameKind.TOURNAMENT)
        self.kind.setAccessibleName("Cash game or tournament")
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.starting_stack = ChipsBox()
        self.small_blind = NumberBox(0, MOST_CHIPS, "Small blind in chips")
        self.big_blind = NumberBox(0, MOST_CHIPS, "Big blind in chips")
        self.ante = ChipsBox()
        self.levels, self.payouts = QLineEdit(), QLineEdit()
        self.rebuys = NumberBox(0, 100, "Rebuys of each player")
        self.does_rebuy_bots = CheckBox("Bots buy in again")
        self.does_reset_stacks = CheckBox("The same stacks every hand")
        self.is_big_blind_ante = CheckBox("by the big blind for all")
        self.doubles_each_lap = CheckBox("Blinds double every lap of the button")
        self.ends_at_half = CheckBox("Ends when half of the players are out")
        self.straddle = StraddleBox()
        self.max_raises = NumberBox(0, 1000, "Raises allowed on a street")
        self.max_raises.setSpecialValueText("any number")
        self.raises_to_twice = CheckBox("each to twice the bet")
        self.max_hands = NumberBox(0, 1_000_000, "Hands until the session ends")
        self.max_hands.setSpecialValueText("no limit")
        self.depth_label = QLabel()
        self.depth_label.setAccessibleName("Starting stack in other units")
        self.seed = QLineEdit()
        self.seed.setAccessibleName("Seed of the cards")
        self.seed.setToolTip("The same seed and the same play give the same cards again.")
        longest = str(2**_RANDOM_SEED_BITS - 1)
        self.seed.setMinimumWidth(self.seed.fontMetrics().horizontalAdvance(longest + "00"))
        new_seed = QPushButton("Dra&w")
        new_seed.setAccessibleName("Draw another seed")
        new_seed.setAutoDefault(False)
        new_seed.clicked.connect(self._on_new_seed)
        self.formats.chosen.connect(self._fill_format)
        form.addRow(self.formats)
        form.addRow("&Kind", self.kind)
        self.hands_per_level = NumberBox(0, 1_000_000, "Hands of each level")
        self.hands_per_level.setSpecialValueText("never")
        for field, name, what in (
            (self.levels, "Further levels", "Small blind/big blind, or small/big/ante, with commas between"),
            (self.payouts, "Prizes by place in percent", "Shares that sum to 100, with commas between"),
        ):
            field.setAccessibleName(name)
            field.setToolTip(what)
            field.setPlaceholderText("none")
            field.textChanged.connect(self._on_changed)
        _add_row(form, "&Blinds", self.small_blind, self.big_blind)
        _add_row(form, "&Ante", self.ante, self.is_big_blind_ante)
        form.addRow("St&raddle", self.straddle)
        _add_row(form, "S&tack", self.starting_stack, self.depth_label)
        form.addRow("", self.does_reset_stacks)
        form.addRow("", self.does_rebuy_bots)
        form.addRow("&Rebuys", self.rebuys)
        form.addRow("&Levels", self.levels)
        form.addRow("Each lasts", self.hands_per_level)
        form.addRow("", self.doubles_each_lap)
        form.addRow("&Prizes, %", self.payouts)
        form.addRow("", self.ends_at_half)
        _add_row(form, "Ra&ises", self.max_raises, self.raises_to_twice)
        form.addRow("&Hands", self.max_hands)
        _add_row(form, "S&eed", self.seed, new_seed, 0)
        for spin in box.findChildren(NumberBox):
            spin.valueChanged.connect(self._on_changed)
            spin.lineEdit().textChanged.connect(self._on_changed)
        for box_to_check in box.findChildren(CheckBox):
            box_to_check.toggled.connect(self._on_changed)
        self.seed.textChanged.connect(self._on_changed)
        return box

    def fill(self, config: GameConfig) -> None:
        """Show a game."""
        self.seats.fill(config.seats)
        self.seed.setText(str(config.seed))
        self._fill_format(config.format)

    def _fill_format(self, config: GameFormat) -> None:
        """Show what is played, and as many seats as it takes."""
        self._base = config
        self.seats.limit(config.least_seats, config.most_seats)
        self._is_filling = True
        self.kind.setCurrentIndex(self.kind.findData(config.kind))
        self.starting_stack.setValue(config.starting_stack)
        self.small_blind.setValue(config.small_blind)
        self.big_blind.setValue(config.big_blind)
        self.ante.setValue(config.ante)
        self.rebuys.setValue(config.rebuys)
        self.straddle.setValue(config.straddle)
        self.max_raises.setValue(config.max_raises)
        for name in _FLAGS:
            getattr(self, name).setChecked(getattr(config, name))
        self.max_hands.setValue(config.max_hands or 0)
        self.levels.setText(", ".join(map(str, config.levels)))
        self.levels.setCursorPosition(0)
        self.hands_per_level.setValue(config.hands_per_level)
        self.payouts.setText(", ".join(map(str, config.payouts)))
        self._is_filling = False
        self._on_kind_changed()

    def config(self) -> GameConfig:
        """Return the game as chosen. Raise GameConfigError if it cannot be played."""
        text = self.seed.text().strip()
        if not (text.isascii() and text.isdigit()):
            raise GameConfigError(f"The seed must be a whole number from 0 on, not '{shortened(text)}'.")
        # Python reads no number of thousands of digits.
        chosen = self.formats.named(self._format()).game(self.seats.seats(), seed=int(text.lstrip("0")[:40] or "0"))
        chosen.verify()
        if problem := seats_problem((seat.style for seat in chosen.seats), len(chosen.seats)):
            raise GameConfigError(f"{problem} Set Seats to fewer, or choose another style.")
        files = (file for seat in chosen.seats for file in files_of(seat.style))
        if (missing := next((file for file in files if not file.is_file()), None)) is not None:
            raise GameConfigError(f"There is no file {missing} any more. Choose another style.")
        return chosen

    def _format(self) -> GameFormat:
        """Return what is to be played by the numbers on the screen. Raise GameConfigError if one is none."""
        for spin in self.findChildren(NumberBox):
            spin.verify()
        is_cash = self.kind.currentData() == GameKind.CASH
        return GameFormat(
            name=self._base.name,
            least_seats=self._base.least_seats,
            most_seats=self._base.most_seats,
            kind=GameKind(self.kind.currentData()),
            starting_stack=self.starting_stack.value(),
            small_blind=self.small_blind.value(),
            big_blind=self.big_blind.value(),
            ante=self.ante.value(),
            rebuys=0 if is_cash else self.rebuys.value(),
            straddle=self.straddle.value() if is_cash else 0,
            max_raises=self.max_raises.value(),
            max_hands=self.max_hands.value() or None,
            levels=() if is_cash else tuple(map(parse_level, _listed(self.levels.text()))),
            hands_per_level=0 if is_cash else self.hands_per_level.value(),
            payouts=() if is_cash else tuple(map(_percent, _listed(self.payouts.text()))),
            **{
                name: getattr(self, name).isChecked()
                for name, kind in _FLAGS.items()
                if kind in (None, self.kind.currentData())
            },
        )

    def _last_choice(self) -> GameConfig:
        seed = secrets.randbits(_RANDOM_SEED_BITS)
        text = self._settings.settings.last_game
        if text:
            try:
                last = decode(text.encode(), GameConfig)
                last.verify()
            except (StoredDataError, GameConfigError):
                pass  # a style or rule of another version: the preset stands in
            else:
                return structs.replace(last, seed=seed)
        return cash_game(default_seats(_DEFAULT_SEATS), seed=seed)

    def _on_kind_changed(self) -> None:
        is_cash = self.kind.currentData() == GameKind.CASH
        of_cash: tuple[QWidget, ...] = (self.straddle, self.does_rebuy_bots, self.does_reset_stacks)
        of_tournament = (self.rebuys, self.levels, self.hands_per_level, self.doubles_each_lap, self.payouts)
        for field in (*of_cash, *of_tournament, self.ends_at_half):
            self._form.setRowVisible(field, is_cash == (field in of_cash))
        self._on_changed()

    def _on_new_seed(self) -> None:
        self.seed.setText(str(secrets.randbits(_RANDOM_SEED_BITS)))

    def _on_changed(self) -> None:
        if self._is_filling:
            return
        units = Units(max(self.big_blind.value(), 1), self._settings.settings.big_blinds)
        chips = (
            (self.starting_stack, "Starting stack"),
            (self.ante, "Ante of each player"),
            (self.straddle, "Straddle"),
        )
        for field, name in chips:
            field.set_units(units)
            field.setAccessibleName(f"{name} in {'big blinds' if units.in_big_blinds else 'chips'}")
        for box, step in (
            (self.starting_stack, units.big_blind),
            (self.straddle, units.big_blind),
            (self.ante, max(units.big_blind // 10, 1)),
        ):
            if box.singleStep() != step:  # Qt writes the number anew, also while it is typed
                box.setSingleStep(step)
        stack = self.starting_stack.value()
        if units.in_big_blinds:
            self.depth_label.setText(f"= {stack:,} chips")
        else:
            self.depth_label.setText(f"= {Units(units.big_blind, True).number(stack)} big blinds")
        are_numbers = False
        try:
            self.formats.show_format(self._format())
            are_numbers = True
            self.config()
        except GameConfigError as error:
            self._problem.setText(str(error))
            self._ok.setEnabled(False)
        else:
            self._problem.setText("")
            self._ok.setEnabled(True)
        self.formats.save.setEnabled(are_numbers)  # or those from before the mistake would be saved

    def accept(self) -> None:
        """Take the game; a click that comes before the sentence about a mistake does nothing."""
        try:
            chosen = self.config()
        except GameConfigError as error:
            self._problem.setText(str(error))
            return
        # Without its seed, by which the cards of the game could be known.
        self._settings.change(last_game=encode(structs.replace(chosen, seed=0)).decode())
        self._is_dealt = True
        super().accept()
        self.game_chosen.emit(chosen)

    def _on_level(self, level: OpponentLevel) -> None:
        """Deal at a table of six who are easy or hard to beat."""
        name = next((seat.name for seat in self.seats.seats() if seat.style == HUMAN), "")
        seats = seats_against(level.styles)
        if name and name not in {seat.name for seat in seats}:
            seats = (structs.replace(seats[0], name=name), *seats[1:])
        self.fill(cash_game(seats, seed=secrets.randbits(_RANDOM_SEED_BITS)))
        self.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Enter deal even from a button: some desktops press with it whatever has the focus."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in ENTER:
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():  # of an Enter that opened the dialog and is still held
            self.accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.formats.read_again()
        self.seats.read_again()
        if self._is_dealt:
            self._is_dealt = False
            self._on_new_seed()
        self._ok.setFocus()


def _add_row(form: QFormLayout, text: str, field: QWidget, other: QWidget, stretch: int = 1) -> None:
    """Add a field with a label that leads to it, and what stands beside it."""
    row = QHBoxLayout()
    row.addWidget(field, 1)
    row.addWidget(other, stretch)
    form.addRow(label_of(field, text), row)


def _listed(text: str) -> list[str]:
    """Return the parts of a text with commas between."""
    return [part.strip() for part in printable(text).split(",")] if text.strip() else []


def _percent(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise GameConfigError(f"A prize is a whole number of percent, not '{shortened(text)}'.")
    return int(text)
