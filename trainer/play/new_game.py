"""The dialog that describes a session before it begins."""

import secrets
from dataclasses import dataclass
from itertools import groupby

from msgspec import structs
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QShowEvent,
    QStandardItem,
    QStandardItemModel,
    QValidator,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.agents.styles import SOULREAD, STYLES, registered_name
from engine.codec import StoredDataError, decode, encode
from engine.foreign_text import printable, shortened
from engine.game.events import GameKind
from engine.game.format_file import built_in, cash_game
from engine.game.formats import HUMAN, GameConfig, GameConfigError, GameFormat, SeatConfig, parse_level
from engine.game.rules import MAX_SEATS, MIN_SEATS
from trainer.play.format_chooser import FormatChooser
from trainer.play.own_formats import OwnFormats
from trainer.session.amounts import AmountTextError, Units
from trainer.settings import SettingsFile
from trainer.theme import Theme, ThemeSource

FORMATS_FOLDER = "formats"
"""Beside the settings."""

_FLAGS = {
    "is_big_blind_ante": None,
    "raises_to_twice": None,
    "does_rebuy_bots": GameKind.CASH,
    "does_reset_stacks": GameKind.CASH,
    "doubles_each_lap": GameKind.TOURNAMENT,
    "ends_at_half": GameKind.TOURNAMENT,
}
"""Fields of a format that are true or false, each with the kind of game that it is for, if only one."""

_MOST_CHIPS = 10**9
_BOT_NAMES = ("Ada", "Bruno", "Chiara", "Deng", "Elif", "Farid", "Greta", "Hugo", "Imani", "Jaro")
_HERO_NAME = "You"
_DEFAULT_SEATS = 6
_OTHER_STYLES = ("loose-aggressive", "tight-passive", "calling station", "adapter", "fit-or-fold")
_SHOWN_STYLES = 20  # rows of the drop-down before it scrolls
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_RANDOM_SEED_BITS = 63  # fewer could be tried out one by one, against the cards of hands that are over


@dataclass(frozen=True, slots=True)
class _SeatRow:
    """The widgets of one seat."""

    label: QLabel
    name: QLineEdit
    style: QComboBox

    def show(self, is_shown: bool) -> None:
        for widget in (self.label, self.name, self.style):
            widget.setVisible(is_shown)


def default_seats(count: int, hero_seat: int = 0) -> tuple[SeatConfig, ...]:
    """Return a table with the player at one seat; every other bot is Soulread, the rest are of other styles."""
    styles = [SOULREAD if at % 2 == 0 else _OTHER_STYLES[at // 2] for at in range(len(_BOT_NAMES))]
    bots = [SeatConfig(name, style) for name, style in zip(_BOT_NAMES, styles, strict=True)]
    bots.insert(hero_seat, SeatConfig(_HERO_NAME, HUMAN))
    return tuple(bots[:count])


class NewGameDialog(QDialog):
    """Seats, stakes, length and seed of a session; begins with the last choice and a new seed.

    What cannot be played is said in one sentence, and cannot be begun. Enter deals wherever the focus is, with what
    is typed there; Space presses buttons. Opened again it holds what it held, with a new seed after a game.
    """

    game_chosen = Signal(object)  # GameConfig

    def __init__(self, theme: ThemeSource, settings: SettingsFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New game")
        self._settings = settings
        self._base = built_in("cash")
        self.formats = FormatChooser(OwnFormats(settings.path.with_name(FORMATS_FOLDER)), self)
        self._rows: list[_SeatRow] = []
        self._is_filling = False
        self._is_dealt = False

        layout = QVBoxLayout(self)
        columns = QHBoxLayout()
        columns.addWidget(self._make_seats(), 3)
        columns.addWidget(self._make_stakes(), 2)
        layout.addLayout(columns)
        self._problem = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._problem.setAccessibleName("What is wrong with these settings")
        layout.addWidget(self._problem)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("Deal")
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout.addWidget(self._buttons)
        self._ok.setDefault(True)  # only now does it have a dialog to be the default of

        for button in self.findChildren(QAbstractButton):
            button.installEventFilter(self)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)
        self.fill(self._last_choice())

    def _make_seats(self) -> QGroupBox:
        box = QGroupBox("Players")
        layout = QVBoxLayout(box)
        top = QHBoxLayout()
        self.seat_count = _NumberBox(MIN_SEATS, MAX_SEATS, "Number of seats")
        self.seat_count.valueChanged.connect(self._on_seat_count_changed)
        self.seat_count.lineEdit().textChanged.connect(self._on_changed)
        self.hero_seat = QComboBox()
        self.hero_seat.setAccessibleName("Your seat")
        self.hero_seat.setToolTip("Where you sit; the button starts at a random seat.")
        self.hero_seat.currentIndexChanged.connect(self._on_hero_seat_changed)
        fields: tuple[tuple[str, QWidget], ...] = (("&Seats", self.seat_count), ("&Your seat", self.hero_seat))
        for text, field in fields:
            label = QLabel(text)
            label.setBuddy(field)
            top.addWidget(label)
            top.addWidget(field)
        top.addStretch()
        layout.addLayout(top)
        grid = QGridLayout()
        for seat in range(MAX_SEATS):
            row = self._make_row(seat)
            for column, widget in enumerate((row.label, row.name, row.style)):
                grid.addWidget(widget, seat, column)
            self._rows.append(row)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        layout.addLayout(grid)
        layout.addStretch()
        return box

    def _make_row(self, seat: int) -> _SeatRow:
        name = QLineEdit()
        name.setMaxLength(24)
        name.setMinimumWidth(name.fontMetrics().averageCharWidth() * 18)
        name.setAccessibleName(f"Name at seat {seat + 1}")
        name.textChanged.connect(self._on_changed)
        style = QComboBox()
        style.setAccessibleName(f"Style of seat {seat + 1}")
        style.addItem("You", HUMAN)
        _add_styles(style)
        style.currentIndexChanged.connect(self._on_style_changed)
        return _SeatRow(QLabel(str(seat + 1)), name, style)

    def _make_stakes(self) -> QGroupBox:
        box = QGroupBox("Game")
        self._form = form = QFormLayout(box)
        self.kind = QComboBox()
        self.kind.addItem("Cash game", GameKind.CASH)
        self.kind.addItem("Tournament", GameKind.TOURNAMENT)
        self.kind.setAccessibleName("Cash game or tournament")
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.starting_stack = _ChipsBox()
        self.small_blind = _NumberBox(0, _MOST_CHIPS, "Small blind in chips")
        self.big_blind = _NumberBox(0, _MOST_CHIPS, "Big blind in chips")
        self.ante = _ChipsBox()
        self.levels, self.payouts = QLineEdit(), QLineEdit()
        self.rebuys = _NumberBox(0, 100, "Rebuys of each player")
        self.does_rebuy_bots = QCheckBox("Bots buy in again")
        self.does_reset_stacks = QCheckBox("The same stacks every hand")
        self.is_big_blind_ante = QCheckBox("by the big blind for all")
        self.doubles_each_lap = QCheckBox("Blinds double every lap of the button")
        self.ends_at_half = QCheckBox("Ends when half of the players are out")
        self.straddle = _NumberBox(0, _MOST_CHIPS, "Straddle in chips")
        self.straddle.setSpecialValueText("none")
        self.max_raises = _NumberBox(0, 1000, "Raises allowed on a street")
        self.max_raises.setSpecialValueText("any number")
        self.raises_to_twice = QCheckBox("each to twice the bet")
        self.max_hands = _NumberBox(0, 1_000_000, "Hands until the session ends")
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
        self.hands_per_level = _NumberBox(0, 1_000_000, "Hands of each level")
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
        form.addRow("Stra&ddle", self.straddle)
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
        for spin in box.findChildren(_NumberBox):
            spin.valueChanged.connect(self._on_changed)
            spin.lineEdit().textChanged.connect(self._on_changed)
        for box_to_check in box.findChildren(QCheckBox):
            box_to_check.toggled.connect(self._on_changed)
        self.seed.textChanged.connect(self._on_changed)
        return box

    def fill(self, config: GameConfig) -> None:
        """Show a game, keeping the last seats' names and styles for seats it does not have."""
        self._is_filling = True
        taken = {seat.name for seat in config.seats}
        spare = (seat for seat in default_seats(MAX_SEATS + 1)[1:] if seat.name not in taken)
        for row, seat in zip(self._rows, (*config.seats, *spare), strict=False):
            row.name.setText(seat.name)
            row.style.setCurrentIndex(max(row.style.findData(registered_name(seat.style)), 0))
        self._wanted_seats = len(config.seats)
        self.seat_count.setValue(self._wanted_seats)
        self._show_rows()
        hero = next((at for at, seat in enumerate(config.seats) if seat.style == HUMAN), 0)
        self.hero_seat.setCurrentIndex(hero)
        self._is_filling = False
        self._seat_hero()
        self.seed.setText(str(config.seed))
        self._fill_format(config.format)

    def _fill_format(self, config: GameFormat) -> None:
        """Show what is played, and as many seats as it takes."""
        self._base = config
        wanted = self._wanted_seats  # also by the next format, if this one takes fewer or more
        self.seat_count.setValue(min(max(wanted, config.least_seats), config.most_seats))
        self._wanted_seats = wanted
        self._is_filling = True
        self.kind.setCurrentIndex(self.kind.findData(config.kind))
        self.starting_stack.setValue(min(config.starting_stack, _MOST_CHIPS))
        self.small_blind.setValue(min(config.small_blind, _MOST_CHIPS))
        self.big_blind.setValue(min(config.big_blind, _MOST_CHIPS))
        self.ante.setValue(min(config.ante, _MOST_CHIPS))
        self.rebuys.setValue(config.rebuys)
        self.straddle.setValue(min(config.straddle, _MOST_CHIPS))
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
        for spin in self.findChildren(_NumberBox):
            spin.verify()
        text = self.seed.text().strip()
        if not (text.isascii() and text.isdigit()):
            raise GameConfigError(f"The seed must be a whole number from 0 on, not '{shortened(text)}'.")
        seats = tuple(
            SeatConfig(printable(row.name.text()).strip(), str(row.style.currentData()))
            for row in self._rows[: self.seat_count.value()]
        )
        # Python reads no number of thousands of digits.
        chosen = self.formats.named(self._format()).game(seats, seed=int(text.lstrip("0")[:40] or "0"))
        chosen.verify()
        return chosen

    def _format(self) -> GameFormat:
        """Return what is to be played by the numbers on the screen."""
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

    def _show_rows(self) -> None:
        count = self.seat_count.value()
        for seat, row in enumerate(self._rows):
            row.show(seat < count)
        was_filling, self._is_filling = self._is_filling, True
        chosen = self.hero_seat.currentIndex()
        self.hero_seat.clear()
        self.hero_seat.addItems([str(seat + 1) for seat in range(count)])
        self.hero_seat.setCurrentIndex(min(max(chosen, 0), count - 1))
        self._is_filling = was_filling

    def _seat_hero(self) -> None:
        """Let exactly the chosen seat be the player's; a bot that sat there takes the player's old seat."""
        hero = self.hero_seat.currentIndex()
        was_filling, self._is_filling = self._is_filling, True
        old = next(
            (at for at, row in enumerate(self._rows) if at != hero and row.style.currentData() == HUMAN), None
        )
        here = self._rows[hero]
        if old is not None:
            there = self._rows[old]
            mine, bot = there.name.text(), here.name.text()
            there.name.setText(bot)
            here.name.setText(mine)
            is_bot_here = here.style.currentData() != HUMAN
            there.style.setCurrentIndex(here.style.currentIndex() if is_bot_here else here.style.findData(SOULREAD))
        here.style.setCurrentIndex(here.style.findData(HUMAN))
        for seat, row in enumerate(self._rows):
            row.style.setEnabled(seat != hero)
        self._is_filling = was_filling
        self._on_changed()

    def _on_seat_count_changed(self) -> None:
        if not self._is_filling:
            self._wanted_seats = self.seat_count.value()
            self._show_rows()
            self._seat_hero()

    def _on_hero_seat_changed(self) -> None:
        if not self._is_filling:
            self._seat_hero()

    def _on_style_changed(self) -> None:
        if self._is_filling:
            return
        chosen = [at for at, row in enumerate(self._rows) if row.style.currentData() == HUMAN]
        moved = [at for at in chosen if at != self.hero_seat.currentIndex()]
        if moved:
            self.hero_seat.setCurrentIndex(moved[0])
        self._on_changed()

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
        for field, name in ((self.starting_stack, "Starting stack"), (self.ante, "Ante of each player")):
            field.set_units(units)
            field.setAccessibleName(f"{name} in {'big blinds' if units.in_big_blinds else 'chips'}")
        stack = self.starting_stack.value()
        if units.in_big_blinds:
            self.depth_label.setText(f"= {stack:,} chips")
        else:
            self.depth_label.setText(f"= {Units(units.big_blind, True).number(stack)} big blinds")
        for row in self._rows:
            made = STYLES.get(str(row.style.currentData()))
            row.style.setToolTip(made.description if made is not None else "You play this seat.")
        try:
            self.formats.show_format(self._format())
            self.config()
        except GameConfigError as error:
            self._problem.setText(str(error))
            self._ok.setEnabled(False)
        else:
            self._problem.setText("")
            self._ok.setEnabled(True)

    def _on_theme_changed(self, theme: Theme) -> None:
        self._problem.setStyleSheet(f"color: {theme.bad};")
        self.formats.set_theme(theme)

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Enter deal even from a button: some desktops press with it whatever has the focus."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _ENTER:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():  # of an Enter that opened the dialog and is still held
            self.accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.formats.read_again()
        if self._is_dealt:
            self._is_dealt = False
            self._on_new_seed()
        self._ok.setFocus()


def _add_styles(choice: QComboBox) -> None:
    """Add all styles to a drop-down, each group under its name, which cannot be chosen."""
    heading = choice.font()
    heading.setBold(True)
    model = choice.model()
    assert isinstance(model, QStandardItemModel)
    for group, styles in groupby(STYLES.items(), lambda item: item[1].group):
        item = QStandardItem(group)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(heading)
        model.appendRow(item)
        for key, made in styles:
            choice.addItem(made.title, key)
            choice.setItemData(choice.count() - 1, made.description, Qt.ItemDataRole.ToolTipRole)
    choice.setMaxVisibleItems(_SHOWN_STYLES)


def _add_row(form: QFormLayout, text: str, field: QWidget, other: QWidget, stretch: int = 1) -> None:
    """Add a field with a label that leads to it, and what stands beside it."""
    label = QLabel(text)
    label.setBuddy(field)
    row = QHBoxLayout()
    row.addWidget(field, 1)
    row.addWidget(other, stretch)
    form.addRow(label, row)


def _listed(text: str) -> list[str]:
    """Return the parts of a text with commas between."""
    return [part.strip() for part in printable(text).split(",")] if text.strip() else []


def _percent(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise GameConfigError(f"A prize is a whole number of percent, not '{shortened(text)}'.")
    return int(text)


class _NumberBox(QSpinBox):
    """A number to type; text that is none of its numbers stays, where Qt would put back the number before."""

    _kind = "a whole number"

    def __init__(self, least: int, most: int, name: str) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setAccessibleName(name)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def verify(self) -> None:
        """Raise GameConfigError if what is typed is none of its numbers."""
        if not self.hasAcceptableInput():
            least, most = self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
            typed = f", not '{self.cleanText()}'" if self.cleanText() else ""
            raise GameConfigError(f"{self.accessibleName()}: {self._kind} from {least} to {most}{typed}.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not self.hasAcceptableInput():
            event.ignore()  # the dialog says what is wrong
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.hasAcceptableInput():
            super().focusOutEvent(event)
        else:
            self.lineEdit().event(event)
            self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        if self.hasAcceptableInput():
            super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        if self.hasAcceptableInput():
            super().showEvent(event)


class _ChipsBox(_NumberBox):
    """Chips to type, written and read in the units chosen for the whole window."""

    _kind = "an amount"

    def __init__(self) -> None:
        self._units = Units(1)
        super().__init__(0, _MOST_CHIPS, "")

    def set_units(self, units: Units) -> None:
        """Write the same chips in other units."""
        if units != self._units:
            self._units = units
            self.setSuffix(units.suffix)

    def textFromValue(self, value: int) -> str:
        return self._units.number(value)

    def valueFromText(self, text: str) -> int:
        try:
            return self._units.parse(text)
        except AmountTextError:
            return self.value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        try:
            is_amount = self._units.parse(text) <= self.maximum()
        except AmountTextError:
            is_amount = False
        return QValidator.State.Acceptable if is_amount else QValidator.State.Intermediate, text, position
