"""The window of named ranges: search, load, keep the range being edited under a name, import and export."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.foreign_text import printable, shortened
from engine.ranges import Range
from trainer.ranges.editing_model import count_text
from trainer.ranges.library import BUILT_IN, Imported, NamedRange, RangeLibrary, RangeLibraryError
from trainer.ranges.paint_grid import preview_pixmap
from trainer.theme import ThemeSource
from trainer.widgets.buttons import dialog_button
from trainer.widgets.file_dialogs import ask_to_open, ask_to_save
from trainer.widgets.front import bring_up
from trainer.widgets.layouts import label_of
from trainer.widgets.text_field import ShortenedLabel

T = TypeVar("T")

_SCREEN_PART = 0.9
_ENTRY = Qt.ItemDataRole.UserRole
_FILES = "Ranges (*.txt);;All files (*)"
_NO_GROUP = "Without a group"


class RangeLibraryDialog(QDialog):
    """Named ranges in their groups, with a preview of each; loading one (`range_chosen`) closes it."""

    range_chosen = Signal(object)  # Range

    def __init__(self, theme: ThemeSource, library: RangeLibrary, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModal(False)
        self.setWindowTitle("Range library")
        self._theme = theme
        self._hands: Range | None = None
        self.library = library
        self.search = QLineEdit(clearButtonEnabled=True)
        self.tree = QTreeWidget()
        self.name = QLineEdit()
        self.group = QComboBox(editable=True)
        self.message = ShortenedLabel(theme, "text_muted")
        self.load_button = dialog_button("&Load", self._on_load)
        self.save_button = dialog_button("&Save", self._on_save)
        self.rename_button = dialog_button("&Rename", self._on_rename)
        self.delete_button = dialog_button("&Delete", self._on_delete)
        self.undo_button = dialog_button("&Undo", self._on_undo)
        self.redo_button = dialog_button("Red&o", self._on_redo)
        self.files = QPushButton("&Files")
        self._build()
        self._connect()

    def _build(self) -> None:
        line = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setSpacing(6)
        self.search.setPlaceholderText("Search names, groups and ranges")
        self.search.setAccessibleName("Search the library")
        self.tree.setAccessibleName("Ranges: Enter loads one, Del deletes it")
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Name", "Size"])
        self.tree.headerItem().setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        side = 13 * max(2, round(2 * line / 13))  # whole pixels for each cell
        self.tree.setIconSize(QSize(side, side))
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.message)
        form = QGridLayout()
        for row, (text, field, what) in enumerate(
            (("&Name", self.name, "Name of the range"), ("&Group", self.group, "Group of the range"))
        ):
            field.setAccessibleName(what)
            form.addWidget(label_of(field, text), row, 0)
            form.addWidget(field, row, 1)
        form.addWidget(self.save_button, 0, 2)
        form.addWidget(self.rename_button, 1, 2)
        form.setColumnStretch(1, 1)
        layout.addLayout(form)
        layout.addLayout(self._build_buttons())
        self.resize(QSize(36 * line, 34 * line).boundedTo(self.screen().availableSize() * _SCREEN_PART))

    def _build_buttons(self) -> QHBoxLayout:
        menu = QMenu(self.files)
        menu.addAction("&Import…", self._on_import)
        menu.addAction("&Export…", self._on_export)
        self.files.setMenu(menu)
        self.files.setAutoDefault(False)
        self.files.setAccessibleName("Import and export files of ranges")
        buttons = QHBoxLayout()
        for button in (self.undo_button, self.redo_button, self.delete_button, self.files):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.load_button)
        buttons.addWidget(dialog_button("&Close", self.reject))
        self.load_button.setToolTip("Put the chosen range in the place of the one being edited (Enter)")
        self.save_button.setToolTip("Keep the range being edited under this name")
        self.rename_button.setToolTip("Give the chosen range this name and group")
        return buttons

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search)
        self.search.returnPressed.connect(self._on_load)
        self.tree.currentItemChanged.connect(self._on_current)
        self.tree.itemActivated.connect(self._on_activated)
        self.name.textChanged.connect(self._show_buttons)
        self.name.returnPressed.connect(self._on_save)
        self.group.editTextChanged.connect(self._show_buttons)
        self._theme.changed.connect(self._on_theme_changed)
        for key, step in (
            (QKeySequence.StandardKey.Undo, self._on_undo),
            (QKeySequence.StandardKey.Redo, self._on_redo),
        ):
            for sequence in QKeySequence.keyBindings(key):
                QShortcut(sequence, self.tree, step, context=Qt.ShortcutContext.WidgetShortcut)

    # ---- for others

    def open_for(self, hands: Range | None) -> None:
        """Show the library as its file is now; `hands` can be saved, without it ranges can only be loaded."""
        self.library.reload()
        self.set_range(hands)
        self._fill()
        if problems := self.library.problems:
            self._say_problems(problems)
        bring_up(self)
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.selectAll()

    def set_range(self, hands: Range | None) -> None:
        """Take the range that Save keeps."""
        self._hands = hands
        self._show_buttons()

    def current(self) -> NamedRange | None:
        """Return the chosen range."""
        item = self.tree.currentItem()
        entry = None if item is None or item.isHidden() else item.data(0, _ENTRY)
        return entry if isinstance(entry, NamedRange) else None

    def choose(self, group: str, name: str) -> bool:
        """Move to a range, and return whether there is one of this name."""
        for item in self._items():
            entry = item.data(0, _ENTRY)
            if (entry.group, entry.name) == (group, name):
                self.tree.setCurrentItem(item)
                return True
        return False

    def import_from(self, path: Path) -> None:
        """Take over the ranges of a file and say what came of it."""
        if (imported := self._tried(lambda: self.library.import_file(path))) is not None:
            self._fill()
            self._say_imported(path, imported)

    def export_to(self, path: Path) -> None:
        """Write the user's ranges to a file."""
        if (count := self._tried(lambda: self.library.export_file(path))) is not None:
            self._say(f"{count} {'range' if count == 1 else 'ranges'} written to {shortened(path.name)}.")

    # ---- what is shown

    def _items(self) -> list[QTreeWidgetItem]:
        return [item for head in self._heads() for item in _children(head)]

    def _heads(self) -> list[QTreeWidgetItem]:
        return _children(self.tree.invisibleRootItem())

    def _fill(self) -> None:
        """Show all ranges again, the chosen one and the folded groups as they were."""
        chosen = self.current()
        folded = {head.text(0) for head in self._heads() if not head.isExpanded()}
        groups: dict[str, list[NamedRange]] = {}
        for entry in self.library.entries:
            groups.setdefault(entry.group, []).append(entry)
        order = sorted(groups, key=lambda name: (name == BUILT_IN, name.casefold(), name))
        with QSignalBlocker(self.tree):
            self.tree.clear()
            for group in order:
                head = QTreeWidgetItem([group or _NO_GROUP, f"{len(groups[group])}"])
                head.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.tree.addTopLevelItem(head)
                head.addChildren([self._item(entry) for entry in groups[group]])
                head.setExpanded(head.text(0) not in folded)
        with QSignalBlocker(self.group):
            text = self.group.currentText()
            self.group.clear()
            self.group.addItems(["", *self.library.groups])
            self.group.setEditText(text)
        self._on_search(self.search.text())
        if chosen is not None:
            self.choose(chosen.group, chosen.name)
        self._show_buttons()

    def _item(self, entry: NamedRange) -> QTreeWidgetItem:
        side, ratio = self.tree.iconSize().width(), self.devicePixelRatioF()
        size = count_text(entry.hands)
        item = QTreeWidgetItem([entry.name, size])
        item.setData(0, _ENTRY, entry)
        icon = QIcon()
        preview = preview_pixmap(entry.hands, self._theme.theme, side, ratio)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # not tinted, as Qt would
            icon.addPixmap(preview, mode)
        item.setIcon(0, icon)
        item.setToolTip(0, entry.text)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{entry.name}, {size}")
        return item

    def _on_search(self, text: str) -> None:
        words = text.casefold().split()
        first: QTreeWidgetItem | None = None
        for head in self._heads():
            for item in _children(head):
                entry = item.data(0, _ENTRY)
                found = f"{entry.group} {entry.name} {entry.text}".casefold()
                item.setHidden(not all(word in found for word in words))
                if first is None and not item.isHidden():
                    first = item
            head.setHidden(all(item.isHidden() for item in _children(head)))
            if words and not head.isHidden():
                head.setExpanded(True)  # what is found is to be seen
        if words and self.current() is None and first is not None:
            self.tree.setCurrentItem(first)
        self._show_buttons()

    def _on_current(self, *_items: object) -> None:
        entry = self.current()
        if entry is not None:
            self.name.setText(entry.name)
            self.group.setEditText("" if entry.is_built_in else entry.group)
            self._say(entry.text or "No combo")
        self._show_buttons()

    def _show_buttons(self, *_texts: object) -> None:
        entry, name = self.current(), self.name.text().strip()
        group = self.group.currentText()
        is_own = entry is not None and not entry.is_built_in
        is_same = entry is not None and (entry.group, entry.name) == (
            " ".join(group.split()),
            " ".join(name.split()),
        )
        self.load_button.setEnabled(entry is not None)
        self.delete_button.setEnabled(is_own)
        self.rename_button.setEnabled(is_own and bool(name) and not is_same)
        self.save_button.setEnabled(bool(name) and self._hands is not None)
        self.save_button.setText("Re&place" if name and self.library.find(group, name) is not None else "&Save")
        self.undo_button.setEnabled(self.library.can_undo)
        self.redo_button.setEnabled(self.library.can_redo)

    def _say(self, text: str, *, is_bad: bool = False) -> None:
        self.message.set_meaning("bad" if is_bad else "text_muted")
        shown = printable(text)
        self.message.setText(shown)
        self.message.setAccessibleName(shown)

    def _say_problems(self, problems: tuple[str, ...]) -> None:
        more = f" ({len(problems) - 1} more such lines)" if len(problems) > 1 else ""
        self._say(f"{problems[0]}{more}", is_bad=True)
        self.message.setToolTip("\n".join(problems[:30]))

    def _say_imported(self, path: Path, imported: Imported) -> None:
        count = len(imported.added)
        text = f"{count} {'range' if count == 1 else 'ranges'} added from {shortened(path.name)}"
        if imported.already_there:
            text += f", {imported.already_there} there already"
        if imported.problems:
            lines = "line is" if len(imported.problems) == 1 else "lines are"
            text += f", {len(imported.problems)} {lines} no range: {imported.problems[0]}"
        self._say(text, is_bad=bool(imported.problems))
        if imported.problems:
            self.message.setToolTip("\n".join(imported.problems[:30]))

    def _on_theme_changed(self, _theme: object) -> None:
        if self.isVisible():
            self._fill()

    # ---- what the user does

    def _tried(self, act: Callable[[], T]) -> T | None:
        """Do what can fail; say why and return None if it did."""
        try:
            return act()
        except RangeLibraryError as error:
            self._say(str(error), is_bad=True)
            return None

    def _on_load(self) -> None:
        entry = self.current()
        if entry is not None:
            self.range_chosen.emit(entry.hands)
            self.accept()

    def _on_activated(self, item: QTreeWidgetItem, _column: int) -> None:
        if isinstance(item.data(0, _ENTRY), NamedRange):
            self._on_load()

    def _on_save(self) -> None:
        hands, group, name = self._hands, self.group.currentText(), self.name.text()
        if hands is None or not name.strip():
            return
        self._settle(lambda: self.library.save(group, name, hands), "kept")

    def _on_rename(self) -> None:
        entry, group, name = self.current(), self.group.currentText(), self.name.text()
        if entry is not None:
            self._settle(lambda: self.library.rename(entry, group, name), "renamed")

    def _settle(self, act: Callable[[], NamedRange], what: str) -> None:
        """Change the library, and move to what came out."""
        entry = self._tried(act)
        if entry is not None:
            self.search.clear()
            self._fill()
            self.choose(entry.group, entry.name)
            self._say(f"'{entry.name}' is {what}.")

    def _on_delete(self) -> None:
        entry = self.current()
        if entry is None:
            return
        try:
            self.library.delete(entry)
        except RangeLibraryError as error:
            self._say(str(error), is_bad=True)
            return
        self._fill()
        self._say(f"'{entry.name}' is deleted; Undo brings it back.")

    def _on_undo(self) -> None:
        self._step(self.library.can_undo, self.library.undo)

    def _on_redo(self) -> None:
        self._step(self.library.can_redo, self.library.redo)

    def _step(self, is_possible: bool, act: Callable[[], None]) -> None:
        if not is_possible:
            return
        self._say("")
        self._tried(act)
        self._fill()

    def _on_import(self) -> None:
        ask_to_open(self, "Import ranges", "", _FILES, lambda name: self.import_from(Path(name)))

    def _on_export(self) -> None:
        def export(name: str) -> None:
            self.export_to(Path(name))

        ask_to_save(self, "Export ranges", "", _FILES, export, ending="txt", name="ranges.txt")

    # ---- Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.tree.hasFocus():
            self._on_delete()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)


def _children(head: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = [head.child(i) for i in range(head.childCount())]
    return [child for child in children if child is not None]
