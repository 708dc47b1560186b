"""Where a format is chosen by name, saved as one's own, and deleted again."""

from functools import partial

from msgspec import structs
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import GameConfigError, GameFormat
from trainer.new_game.format_words import summary
from trainer.new_game.own_file_dialogs import ask_name, ask_to_delete
from trainer.new_game.own_files import Offered, OwnFilesError
from trainer.new_game.own_formats import OwnFormats
from trainer.theme import ThemeSource
from trainer.widgets.buttons import dialog_button
from trainer.widgets.layouts import label_of
from trainer.widgets.text_field import WrappedMessage

_CHANGED = "Your own numbers"


class FormatChooser(QVBoxLayout):
    """Formats by name, the one in force in a line, and what is wrong with files of formats."""

    chosen = Signal(object)  # GameFormat

    def __init__(self, theme: ThemeSource, formats: OwnFormats, parent: QWidget) -> None:
        super().__init__()
        self._formats = formats
        self._parent = parent
        self._offered = Offered[GameFormat]((), {}, ())
        self._shown: GameFormat | None = None
        self.names = QComboBox()
        self.names.setAccessibleName("Format")
        self.names.setMinimumContentsLength(18)
        self.names.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.names.activated.connect(self._on_activated)
        tip = f"Save these numbers as a format of your own, a text file in {formats.folder}"
        self.save = dialog_button("Sa&ve as…", self._on_save, tip)
        self.delete = dialog_button("Delete…", self._on_delete, "Delete this format of your own")
        row = QHBoxLayout()
        row.addWidget(label_of(self.names, "&Format"))
        row.addWidget(self.names, 1)
        row.addWidget(self.save)
        row.addWidget(self.delete)
        self._summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._problem = WrappedMessage(theme)
        self._summary.setAccessibleName("What is played")
        self._problem.setAccessibleName("What is wrong with formats")
        self.addLayout(row)
        self.addWidget(self._summary)
        self.addWidget(self._problem)
        self._summary.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._summary.setMinimumHeight(3 * self._summary.fontMetrics().lineSpacing())
        self.read_again()

    def read_again(self) -> None:
        """Offer what there is now, and say what cannot be offered."""
        self._offered = self._formats.offered()
        self._problem.setText(" ".join(self._offered.problems))
        with QSignalBlocker(self.names):
            self.names.clear()
            for one in self._offered.all:
                self.names.addItem(one.name, one)
                self.names.setItemData(self.names.count() - 1, summary(one), Qt.ItemDataRole.ToolTipRole)
        if self._shown is not None:
            self.show_format(self._shown)

    def named(self, numbers: GameFormat) -> GameFormat:
        """Return a format by the name that it is offered by, without a name if it is not offered."""
        unnamed = structs.replace(numbers, name="")
        same = [one for one in self._offered.all if structs.replace(one, name="") == unnamed]
        by_name = [one for one in same if one.name == numbers.name]
        return (by_name or same or [unnamed])[0]

    def show_format(self, game_format: GameFormat) -> None:
        """Show what is in force."""
        self._shown = self.named(game_format)
        names = [one.name for one in self._offered.all]
        with QSignalBlocker(self.names):
            while self.names.count() > len(names):
                self.names.removeItem(self.names.count() - 1)
            if not self._shown.name:
                self.names.addItem(_CHANGED, None)
            self.names.setCurrentIndex(names.index(self._shown.name) if self._shown.name else len(names))
        self._summary.setText(summary(self._shown))
        self.delete.setEnabled(self._shown.name in self._offered.own)

    def _on_activated(self, index: int) -> None:
        if index < len(self._offered.all):
            self.chosen.emit(self._offered.all[index])

    def _on_save(self) -> None:
        """Ask for a name, which is that of the format in force if it is the player's own."""
        if self._shown is None:
            return
        name = self._shown.name if self._shown.name in self._offered.own else ""
        ask_name(self._parent, "Save format", "format", name, self._on_named)

    def _on_named(self, name: str) -> None:
        assert self._shown is not None
        named = structs.replace(self._shown, name=name)
        try:
            named.verify_format()
            self._formats.save(named)
        except (OwnFilesError, GameConfigError) as error:
            self._problem.setText(str(error))
            return
        self._shown = named
        self.read_again()
        self.chosen.emit(named)

    def _on_delete(self) -> None:
        if self._shown is None or self._shown.name not in self._offered.own:
            return
        name = self._shown.name
        ask_to_delete(
            self._parent,
            "format",
            name,
            self._offered.own[name],
            "Games that were played by it stay.",
            partial(self._on_deleted, name),
        )

    def _on_deleted(self, name: str) -> None:
        try:
            self._formats.delete(name)
        except OwnFilesError as error:
            self._problem.setText(str(error))
        else:
            self.read_again()
