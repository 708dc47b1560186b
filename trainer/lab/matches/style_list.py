"""The styles to choose from for a match, in their groups, the player's own among them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QListView

from engine.agents.style_file import OwnStyle, description, is_style_text, style_text
from engine.agents.styles import POLICIES, STYLES, style_of
from trainer.widgets.check_box import CheckedItems
from trainer.widgets.tables_model import ROOT, Index

_OWN = "Your own"
_LEAST_ROWS = 6


class _Row(NamedTuple):
    """A style, or without one the name of a group."""

    title: str
    style: str = ""
    words: str = ""


class StyleRows(QAbstractListModel):
    """Styles that can be checked, below the names of their groups."""

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []
        self._chosen: set[str] = set()
        self.offer(())

    @property
    def chosen(self) -> tuple[str, ...]:
        """The styles that are chosen, in the order offered."""
        return tuple(row.style for row in self._rows if row.style in self._chosen)

    def offer(self, own: Sequence[OwnStyle], policies: Sequence[str] = ()) -> None:
        """Offer the player's own styles and policies too; those chosen stay chosen, as they are saved now."""
        chosen = self.chosen
        self.beginResetModel()
        self._rows = []
        for group, styles in groupby((STYLES | POLICIES).items(), lambda item: item[1].group):
            self._rows.append(_Row(group))
            self._rows += [_Row(style.title, name, style.description) for name, style in styles]
        if own:
            self._rows.append(_Row(_OWN))
        self._rows += [_Row(one.name, style_text(one), description(one)) for one in own]
        made = [(style, one) for style in policies if (one := style_of(style)) is not None]
        for at, (style, one) in enumerate(made):
            self._rows += [] if at else [_Row(one.group)]
            self._rows.append(_Row(one.title, style, one.description))
        self.endResetModel()
        self.choose(chosen)

    def choose(self, styles: Sequence[str]) -> None:
        """Choose just these; one of the player's own that is saved no more is offered as long as it is chosen."""
        self.beginResetModel()
        self._chosen = {self._offered(style) for style in styles}
        self.endResetModel()

    def _offered(self, style: str) -> str:
        """Return what a style is called here; one of the player's own goes by its name."""
        own = style_of(style)
        if own is None or not is_style_text(style) or any(row.style == style for row in self._rows):
            return style
        same = [row.style for row in self._rows if is_style_text(row.style) and row.title == own.title]
        if same:
            return same[0]
        if not any(row.title == _OWN for row in self._rows):
            self._rows.append(_Row(_OWN))
        self._rows.append(_Row(own.title, style, f"{own.description} It is not saved among your styles."))
        return style

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not self._rows[index.row()].style:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole and row.words:
            return row.words
        if role == Qt.ItemDataRole.CheckStateRole and row.style:
            return Qt.CheckState.Checked if row.style in self._chosen else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.FontRole and not row.style:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.CheckStateRole:
            return False
        style = self._rows[index.row()].style
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._chosen.add(style)
        else:
            self._chosen.discard(style)
        self.dataChanged.emit(index, index, [role])
        self.chosen_changed.emit()
        return True


class StyleList(QListView):
    """Each style is chosen by Space or a click on its box."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = StyleRows(self)
        self.setItemDelegate(CheckedItems(self))
        self.setModel(self.rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName("Styles that play")

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(10 * line, _LEAST_ROWS * line)
