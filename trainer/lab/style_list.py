"""The styles to choose from for a match, in their groups, the player's own among them."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from engine.agents.style_file import OwnStyle, description, is_style_text, style_text
from engine.agents.styles import STYLES, style_of

_OWN = "Your own"
_STYLE_ROLE = Qt.ItemDataRole.UserRole
_LEAST_ROWS = 6


class StyleList(QListWidget):
    """Each style is chosen by Space or a click on its box."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Styles that play")
        self.offer(())

    def offer(self, own: Sequence[OwnStyle]) -> None:
        """Offer the player's own styles too; those chosen stay chosen, as they are saved now."""
        chosen = self.chosen()
        with QSignalBlocker(self):
            self.clear()
            for group, styles in groupby(STYLES.items(), lambda item: item[1].group):
                self._add_heading(group)
                for name, style in styles:
                    self._add(name, style.title, style.description)
            if own:
                self._add_heading(_OWN)
            for one in own:
                self._add(style_text(one), one.name, description(one))
        self.choose(chosen)

    def choose(self, styles: Sequence[str]) -> None:
        """Choose just these; one of the player's own that is saved no more is offered as long as it is chosen."""
        with QSignalBlocker(self):
            chosen = {self._offered(style) for style in styles}
            for item in self._items():
                is_chosen = item.data(_STYLE_ROLE) in chosen
                item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)

    def chosen(self) -> tuple[str, ...]:
        """Return the styles that are chosen, in the order offered."""
        return tuple(item.data(_STYLE_ROLE) for item in self._items() if item.checkState() is Qt.CheckState.Checked)

    def _offered(self, style: str) -> str:
        """Return what a style is called in the list; one of the player's own goes by its name there."""
        items = self._items()
        own = style_of(style)
        if own is None or not is_style_text(style) or any(item.data(_STYLE_ROLE) == style for item in items):
            return style
        same = [item for item in items if is_style_text(item.data(_STYLE_ROLE)) and item.text() == own.title]
        if same:
            return str(same[0].data(_STYLE_ROLE))
        if not any(is_style_text(item.data(_STYLE_ROLE)) for item in items):
            self._add_heading(_OWN)
        self._add(style, own.title, f"{own.description} It is not saved among your styles.")
        return style

    def _add_heading(self, text: str) -> None:
        """Add the name of a group, which cannot be chosen."""
        item = QListWidgetItem(text, self)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = item.font()
        font.setBold(True)
        item.setFont(font)

    def _add(self, style: str, title: str, words: str) -> None:
        item = QListWidgetItem(title, self)
        item.setData(_STYLE_ROLE, style)
        item.setToolTip(words)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        item.setFlags(flags)
        item.setCheckState(Qt.CheckState.Unchecked)

    def _items(self) -> list[QListWidgetItem]:
        items = (self.item(row) for row in range(self.count()))
        return [item for item in items if item.data(_STYLE_ROLE) is not None]

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(10 * line, _LEAST_ROWS * line)
