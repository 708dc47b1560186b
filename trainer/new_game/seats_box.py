"""Who sits where in a game that is to begin: names and styles, and the player's own seat."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from engine.agents.styles import SOULREAD
from engine.foreign_text import printable
from engine.game.formats import HUMAN, SeatConfig
from engine.game.rules import MAX_SEATS, MIN_SEATS
from trainer.new_game.number_boxes import NumberBox
from trainer.new_game.style_choice import StyleChoice
from trainer.styles.own_policies import OwnPolicies
from trainer.styles.own_styles import OwnStyles
from trainer.theme import ThemeSource
from trainer.widgets.buttons import dialog_button
from trainer.widgets.layouts import label_of
from trainer.widgets.text_field import WrappedMessage

_BOT_NAMES = ("Ada", "Bruno", "Chiara", "Deng", "Elif", "Farid", "Greta", "Hugo", "Imani", "Jaro")
_HERO_NAME = "You"
_OTHER_STYLES = ("loose-aggressive", "tight-passive", "calling station", "adapter", "fit-or-fold")


def default_seats(count: int) -> tuple[SeatConfig, ...]:
    """Return a table with the player first; every other bot is Soulread, the rest are of other styles."""
    styles = [SOULREAD if at % 2 == 0 else _OTHER_STYLES[at // 2] for at in range(len(_BOT_NAMES))]
    return seats_against(styles)[:count]


def seats_against(styles: Sequence[str]) -> tuple[SeatConfig, ...]:
    """Return a table with the player first, and then bots of these styles in order, at most ten."""
    bots = (SeatConfig(name, style) for name, style in zip(_BOT_NAMES, styles, strict=False))
    return (SeatConfig(_HERO_NAME, HUMAN), *bots)


@dataclass(frozen=True, slots=True)
class _SeatRow:
    """The widgets of one seat."""

    label: QLabel
    name: QLineEdit
    style: StyleChoice

    def show(self, is_shown: bool) -> None:
        for widget in (self.label, self.name, self.style):
            widget.setVisible(is_shown)


class SeatsBox(QGroupBox):
    """As many seats as wanted, exactly one of them the player's."""

    changed = Signal()
    styles_requested = Signal()
    policies_requested = Signal()

    def __init__(self, theme: ThemeSource, styles: OwnStyles, policies: OwnPolicies) -> None:
        super().__init__("Players")
        self._styles, self._policies = styles, policies
        self._is_filling = False
        self._wanted = MIN_SEATS  # also by the next format, if this one takes fewer or more
        layout = QVBoxLayout(self)
        top = QHBoxLayout()
        self.seat_count = NumberBox(MIN_SEATS, MAX_SEATS, "Number of seats")
        self.seat_count.valueChanged.connect(self._on_seat_count_changed)
        self.seat_count.lineEdit().textChanged.connect(self._on_changed)
        self.hero_seat = QComboBox()
        self.hero_seat.setAccessibleName("Your seat")
        self.hero_seat.setToolTip("Where you sit; the button starts at a random seat.")
        self.hero_seat.currentIndexChanged.connect(self._on_hero_seat_changed)
        fields: tuple[tuple[str, QWidget], ...] = (("&Seats", self.seat_count), ("&Your seat", self.hero_seat))
        for text, field in fields:
            label = label_of(field, text)
            top.addWidget(label)
            top.addWidget(field)
        top.addStretch()
        layout.addLayout(top)
        grid = QGridLayout()
        self._rows = [self._make_row(seat) for seat in range(MAX_SEATS)]
        for seat, row in enumerate(self._rows):
            for column, widget in enumerate((row.label, row.name, row.style)):
                grid.addWidget(widget, seat, column)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        layout.addLayout(grid)
        own = dialog_button(
            "Y&our styles…", self.styles_requested.emit, "Make styles of your own, and see how they play"
        )
        tip = "Seat policies that you have evolved: choose the folder of soulread evolve or of the Lab"
        evolved = dialog_button("Ow&n policies…", self.policies_requested.emit, tip)
        below = QHBoxLayout()
        below.addStretch()
        below.addWidget(evolved)
        below.addWidget(own)
        layout.addLayout(below)
        self._problem = WrappedMessage(theme)
        self._problem.setAccessibleName("What is wrong with styles")
        layout.addWidget(self._problem)
        layout.addStretch()
        self.read_again()

    def _make_row(self, seat: int) -> _SeatRow:
        name = QLineEdit(maxLength=24)
        name.setMinimumWidth(name.fontMetrics().averageCharWidth() * 18)
        name.setAccessibleName(f"Name at seat {seat + 1}")
        name.textChanged.connect(self._on_changed)
        style = StyleChoice(f"Style of seat {seat + 1}")
        style.currentIndexChanged.connect(self._on_style_changed)
        return _SeatRow(QLabel(str(seat + 1)), name, style)

    def seats(self) -> tuple[SeatConfig, ...]:
        """Return the seats as chosen; whether they can be played is up to the game's own checks."""
        return tuple(
            SeatConfig(printable(row.name.text()).strip(), row.style.style_chosen)
            for row in self._rows[: self.seat_count.value()]
        )

    def fill(self, seats: tuple[SeatConfig, ...]) -> None:
        """Show seats, keeping the last names and styles for seats that these do not have."""
        self._is_filling = True
        taken = {seat.name for seat in seats}
        spare = (seat for seat in default_seats(MAX_SEATS + 1)[1:] if seat.name not in taken)
        for row, seat in zip(self._rows, (*seats, *spare), strict=False):
            row.name.setText(seat.name)
            row.style.choose(seat.style)
        self._wanted = len(seats)
        self.seat_count.setValue(self._wanted)
        self._show_rows()
        self.hero_seat.setCurrentIndex(next((at for at, seat in enumerate(seats) if seat.style == HUMAN), 0))
        self._is_filling = False
        self._seat_hero()

    def face(self, style: str) -> None:
        """Seat the player and one bot of a style alone."""
        name = next(seat.name for seat in self.seats() if seat.style == HUMAN)
        hero, bot = seats_against([style])
        self.fill((structs.replace(hero, name=name or hero.name), bot))

    def limit(self, least: int, most: int) -> None:
        """Show as many seats as are wanted and a format takes."""
        wanted = self._wanted
        self.seat_count.setValue(min(max(wanted, least), most))
        self._wanted = wanted

    def read_again(self) -> None:
        """Offer the player's own styles that there are now, and say what cannot be offered."""
        offered, policies = self._styles.offered(), self._policies.offered()
        for row in self._rows:
            row.style.offer(offered.all, policies)
        self.say(" ".join(offered.problems))
        self._on_changed()

    def say(self, problem: str) -> None:
        """Say what is wrong with styles or policies; "" for nothing."""
        self._problem.setText(problem)

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
            (at for at, row in enumerate(self._rows) if at != hero and row.style.style_chosen == HUMAN), None
        )
        here = self._rows[hero]
        if old is not None:
            there = self._rows[old]
            mine, bot = there.name.text(), here.name.text()
            there.name.setText(bot)
            here.name.setText(mine)
            there.style.choose(here.style.style_chosen if here.style.style_chosen != HUMAN else SOULREAD)
        here.style.choose(HUMAN)
        for seat, row in enumerate(self._rows):
            row.style.setEnabled(seat != hero)
        self._is_filling = was_filling
        self._on_changed()

    def _on_seat_count_changed(self) -> None:
        if not self._is_filling:
            self._wanted = self.seat_count.value()
            self._show_rows()
            self._seat_hero()

    def _on_hero_seat_changed(self) -> None:
        if not self._is_filling:
            self._seat_hero()

    def _on_style_changed(self) -> None:
        if self._is_filling:
            return
        chosen = [at for at, row in enumerate(self._rows) if row.style.style_chosen == HUMAN]
        moved = [at for at in chosen if at != self.hero_seat.currentIndex()]
        if moved:
            self.hero_seat.setCurrentIndex(moved[0])
        self._on_changed()

    def _on_changed(self) -> None:
        if not self._is_filling:
            self.changed.emit()
