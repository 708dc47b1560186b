"""A drop-down of all styles that can sit at a table: those of the app in groups, and the player's own."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox

from engine.agents.evolved.own_policies import files_of
from engine.agents.style_file import OwnStyle, description, is_style_text, style_text
from engine.agents.styles import POLICIES, STYLES, StyleGroup, registered_name, style_of
from engine.game.formats import HUMAN

_SHOWN_STYLES = 20  # rows before it scrolls


def add_heading(choice: QComboBox, text: str) -> None:
    """Add the name of a group to a drop-down, which cannot be chosen."""
    item = QStandardItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    font = choice.font()
    font.setBold(True)
    item.setFont(font)
    model = choice.model()
    assert isinstance(model, QStandardItemModel)
    model.appendRow(item)


class StyleChoice(QComboBox):
    """The player themselves, or a style; the data of an entry is what a seat's style is called."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMaxVisibleItems(_SHOWN_STYLES)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(max(len(one.title) for one in STYLES.values()))
        self.offer(())
        self.currentIndexChanged.connect(self._describe)

    @property
    def style_chosen(self) -> str:
        """What the seat's style is called."""
        return str(self.currentData())

    def offer(self, own: Sequence[OwnStyle], policies: Sequence[str] = ()) -> None:
        """Offer the player's own styles and policies too, and go on with the one chosen, as it is saved now."""
        chosen = self.style_chosen
        with QSignalBlocker(self):
            self.clear()
            self.addItem("You", HUMAN)
            for group, styles in groupby((STYLES | POLICIES).items(), lambda item: item[1].group):
                add_heading(self, group)
                for key, made in styles:
                    self._add(made.title, key, made.description)
            if own:
                add_heading(self, StyleGroup.OWN)
            for one in own:
                self._add(one.name, style_text(one), description(one))
            for at, style in enumerate(policies):
                self._add_policies(style, is_first=not at)
            self.choose(chosen)

    def choose(self, style: str) -> None:
        """Choose a style; one of the player's own that is saved no more is offered as long as it is chosen."""
        at = self._own_at(style) if is_style_text(style) else self.findData(registered_name(style))
        if at < 0 and files_of(style):
            self._add_policies(style, is_first=self.findText(StyleGroup.EVOLVED_BY_YOU) < 0)
            at = self.count() - 1
        self.setCurrentIndex(max(at, 0))
        self._describe()

    def _add_policies(self, style: str, *, is_first: bool) -> None:
        """Offer policies of the player's own, whatever has become of their files."""
        made = style_of(style)
        assert made is not None
        if is_first:
            add_heading(self, made.group)
        folder = files_of(style)[0].parent
        self._add(made.title, style, f"{made.description} In {folder}.")

    def _own_at(self, text: str) -> int:
        """Return where the style of this text is, or the one that is saved by its name now."""
        own = style_of(text)
        at = self.findData(text)
        if at >= 0 or own is None:
            return at
        names = [self.itemText(at) if is_style_text(str(self.itemData(at))) else "" for at in range(self.count())]
        if own.title in names:
            return names.index(own.title)
        if not any(names):
            add_heading(self, StyleGroup.OWN)
        self._add(own.title, text, f"{own.description} It is not saved among your styles.")
        return self.count() - 1

    def _add(self, title: str, style: str, words: str) -> None:
        self.addItem(title, style)
        self.setItemData(self.count() - 1, words, Qt.ItemDataRole.ToolTipRole)

    def _describe(self) -> None:
        words = self.currentData(Qt.ItemDataRole.ToolTipRole)
        self.setToolTip(words or "You play this seat.")
