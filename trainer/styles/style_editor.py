"""Where a style of the player's own is made: sliders, a line that sums it up, and what it is measured to do."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from engine.agents.rule_based.temper import Sizing
from engine.agents.style_file import Answers, OwnStyle
from engine.agents.styles import STYLE_ENDING, STYLES, StyleGroup
from trainer.new_game.own_file_dialogs import ask_name, ask_to_delete
from trainer.new_game.style_choice import add_heading
from trainer.styles.style_editor_model import BEGINNINGS, StyleEditorModel
from trainer.styles.style_figures_model import TABLES, StyleFiguresModel
from trainer.styles.style_sliders import AFTER_THE_FLOP, BEFORE_THE_FLOP, Number, NumberRow
from trainer.theme import ThemeSource
from trainer.widgets.buttons import dialog_button
from trainer.widgets.check_box import CheckBox
from trainer.widgets.file_dialogs import ask_to_open, ask_to_save
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.text_field import ColouredLabel

_FILTER = f"Styles (*{STYLE_ENDING});;All files (*)"


_SIZINGS: Final = {Sizing.USUAL: "its usual ones", Sizing.LEAST: "as small as allowed", Sizing.ALL_IN: "all-in"}
_ANSWERS: Final = {
    Answers.BY_PRICE: "what the price allows",
    Answers.SOMETHING: "a pair, an ace or a draw",
    Answers.STRONG: "strong hands alone",
}


class StyleEditor(QDialog):
    """Edits one style after another; what is made goes on in the model when the dialog is closed."""

    def __init__(
        self, theme: ThemeSource, model: StyleEditorModel, figures: StyleFiguresModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Styles of your own")
        self.model = model
        self.figures = figures
        self.folder = Path.home()
        self.rows: dict[str, NumberRow] = {}
        self.names = QComboBox()
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.message = ColouredLabel(theme, "bad", wraps=True)
        self.progress = ColouredLabel(theme, "text_muted", wraps=True)
        self.values: list[ColouredLabel] = []
        layout = QVBoxLayout(self)
        layout.addLayout(self._build_top())
        layout.addWidget(self.summary)
        columns = QHBoxLayout()
        before = self._build_numbers("Before the flop", BEFORE_THE_FLOP)
        self._build_same(before)
        columns.addWidget(before, 1)
        right = QVBoxLayout()
        after = self._build_numbers("After the flop", AFTER_THE_FLOP)
        self._build_choices(after)
        right.addWidget(after)
        right.addWidget(self._build_figures(theme))
        right.addStretch()
        columns.addLayout(right, 1)
        layout.addLayout(columns, 1)
        layout.addWidget(self.message)
        layout.addLayout(self._build_bottom())
        line = self.fontMetrics().lineSpacing()
        self.summary.setMinimumHeight(2 * line)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.summary.setAccessibleName("How it plays")
        self.message.setMinimumHeight(2 * line)
        self.message.setAccessibleName("What was done, or could not be")
        for key, act in ((QKeySequence.StandardKey.Undo, model.undo), (QKeySequence.StandardKey.Redo, model.redo)):
            QShortcut(QKeySequence(key), self, act)
        model.changed.connect(self._on_changed)
        model.said.connect(self._on_said)
        figures.changed.connect(self._on_figures)
        self._on_changed()
        self._on_figures()

    # ---- parts

    def _build_top(self) -> QHBoxLayout:
        self.names.setAccessibleName("Style")
        self.names.setMinimumContentsLength(24)
        self.names.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.names.setMaxVisibleItems(24)
        self.names.activated.connect(self._on_activated)
        self.save = dialog_button("&Save", self._on_save, "Save these numbers as a style, a text file")
        self.save_as = dialog_button("Save &as…", self._on_save_as, "Save them by another name")
        self.rename = dialog_button("&Rename…", self._on_rename, "Give the style another name")
        self.delete = dialog_button("&Delete…", self._on_delete, "Delete this style of your own")
        self.undo = dialog_button("&Undo", self.model.undo, "Take the last change back (Ctrl+Z)")
        self.redo = dialog_button("Red&o", self.model.redo, "Make it again (Ctrl+Shift+Z)")
        row = QHBoxLayout()
        row.addWidget(label_of(self.names, "St&yle"))
        row.addWidget(self.names, 1)
        for button in (self.save, self.save_as, self.rename, self.delete, self.undo, self.redo):
            row.addWidget(button)
        return row

    def _build_numbers(self, title: str, numbers: dict[str, Number]) -> QGroupBox:
        box = QGroupBox(title)
        grid = QGridLayout(box)
        grid.setColumnStretch(1, 1)
        for at, (field, number) in enumerate(numbers.items()):
            row = self.rows[field] = NumberRow(field, number)
            row.changed.connect(lambda value, field=field: self.model.set_number(field, value))
            label = label_of(row.slider, number.label)
            label.setToolTip(row.slider.toolTip())
            grid.addWidget(label, at, 0)
            grid.addWidget(row, at, 1)
        return box

    def _build_same(self, box: QGroupBox) -> None:
        grid = box.layout()
        assert isinstance(grid, QGridLayout)
        self.is_same = CheckBox("As many &hands at smaller tables")
        self.is_same.setToolTip("Else it plays 1.5 times as many at tables of 3 and 4, heads-up 2.4 times as many")
        self.is_same.clicked.connect(lambda is_same: self.model.choose(is_same_at_all_tables=is_same))
        grid.addWidget(self.is_same, grid.rowCount(), 0, 1, 2)

    def _build_choices(self, box: QGroupBox) -> None:
        grid = box.layout()
        assert isinstance(grid, QGridLayout)
        self.sizings, self.answers = QComboBox(), QComboBox()
        for choice, words, label, name in (
            (self.sizings, _SIZINGS, "Si&zes", "Sizes of bets and raises"),
            (self.answers, _ANSWERS, "Calls &bets with", "What it calls bets with after the flop"),
        ):
            for value, text in words.items():
                choice.addItem(text, value)
            choice.setAccessibleName(name)
            choice.setToolTip(name)
            at = grid.rowCount()
            grid.addWidget(label_of(choice, label), at, 0)
            grid.addWidget(choice, at, 1)
        self.sizings.activated.connect(lambda _at: self.model.choose(sizing=Sizing(self.sizings.currentData())))
        self.answers.activated.connect(lambda _at: self.model.choose(answers=Answers(self.answers.currentData())))

    def _build_figures(self, theme: ThemeSource) -> QGroupBox:
        box = QGroupBox("Measured")
        layout = QVBoxLayout(box)
        self.tables = QComboBox()
        self.tables.setAccessibleName("Table at which it is measured")
        for seats in TABLES:
            self.tables.addItem("heads-up" if seats == 2 else f"{seats} seats", seats)
        self.tables.setCurrentIndex(self.tables.findData(self.figures.seats))
        self.tables.activated.connect(lambda _at: self.figures.set_seats(int(self.tables.currentData())))
        top = tight(QHBoxLayout(), label_of(self.tables, "&Measured at"), self.tables)
        top.addStretch()
        layout.addLayout(top)
        grid = QGridLayout()
        for at, view in enumerate(self.figures.views):
            title, value = QLabel(view.title), ColouredLabel(theme)
            for shown in (title, value):
                shown.setToolTip(view.help)
            value.setAccessibleName(view.title)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.values.append(value)
            grid.addWidget(title, at % 3, 2 * (at // 3))
            grid.addWidget(value, at % 3, 2 * (at // 3) + 1)
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        layout.addLayout(grid)
        self.progress.setAccessibleName("How far it is measured")
        self.progress.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.progress.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.progress)
        return box

    def _build_bottom(self) -> QHBoxLayout:
        self.copy = dialog_button(
            "&Copy text", self._on_copy, "Put the style on the clipboard as text, to share it"
        )
        self.paste = dialog_button("&Paste text", self._on_paste, "Take a style from the clipboard")
        self.take = dialog_button("&Import…", self._on_import, "Take a style from a file")
        self.give = dialog_button("E&xport…", self._on_export, "Write the style to a file anywhere")
        self.leave = dialog_button("C&lose", self.close, "Back to where you were")
        row = QHBoxLayout()
        for button in (self.copy, self.paste, self.take, self.give):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(self.leave)
        return row

    # ---- what there is

    def _on_changed(self) -> None:
        style = self.model.style
        for field, row in self.rows.items():
            row.show_number(getattr(style, field))
        self.rows["calls_down"].setEnabled(style.answers is Answers.BY_PRICE)
        self.rows["bet_size"].setEnabled(style.sizing is Sizing.USUAL)
        self.rows["open_size"].setEnabled(style.sizing is Sizing.USUAL)
        self.sizings.setCurrentIndex(self.sizings.findData(style.sizing))
        self.answers.setCurrentIndex(self.answers.findData(style.answers))
        self.is_same.setChecked(style.is_same_at_all_tables)
        self.summary.setText(self.model.summary)
        self._show_names(style)
        self.save.setEnabled(self.model.is_changed)
        self.delete.setEnabled(self.model.saved is not None)
        self.undo.setEnabled(self.model.can_undo)
        self.redo.setEnabled(self.model.can_redo)
        self.figures.show_style(style)

    def _show_names(self, style: OwnStyle) -> None:
        with QSignalBlocker(self.names):
            self.names.clear()
            add_heading(self.names, StyleGroup.OWN)
            for one in self.model.offered.all:
                is_edited = one.name == style.name and self.model.is_changed
                self.names.addItem(f"{one.name} (changed)" if is_edited else one.name, one.name)
            if self.model.saved is None:
                self.names.addItem(f"{style.name} (not saved)", style.name)
            self.names.setCurrentIndex(self.names.findData(style.name))
            add_heading(self.names, "Begin with the numbers of")
            for key in BEGINNINGS:
                self.names.addItem(STYLES[key].title)
                at = self.names.count() - 1
                self.names.setItemData(at, key, Qt.ItemDataRole.UserRole + 1)
                self.names.setItemData(at, STYLES[key].description, Qt.ItemDataRole.ToolTipRole)

    def _on_figures(self) -> None:
        for label, view in zip(self.values, self.figures.views, strict=True):
            label.setText(view.text)
            label.set_meaning("text" if self.figures.is_current else "text_muted")
        self.progress.setText(self.figures.progress)

    def _on_said(self, sentence: str, is_good: bool) -> None:
        self.message.set_meaning("good" if is_good else "bad")
        self.message.setText(sentence)

    # ---- what is done

    def _on_activated(self, at: int) -> None:
        begun = self.names.itemData(at, Qt.ItemDataRole.UserRole + 1)
        if begun is not None:
            self.model.begin_with(str(begun))
        else:
            self.model.open(str(self.names.itemData(at)))

    def _on_save(self) -> None:
        if self.model.saved is not None:
            self.model.save_as(self.model.style.name)
        else:
            self._on_save_as()

    def _on_save_as(self) -> None:
        ask_name(self, "Save style", "style", self.model.style.name, self.model.save_as)

    def _on_rename(self) -> None:
        ask_name(self, "Rename style", "style", self.model.style.name, self.model.rename)

    def _on_delete(self) -> None:
        name = self.model.style.name
        path = self.model.offered.own.get(name)
        if path is not None:
            ask_to_delete(self, "style", name, path, "Games that it has played in stay.", self.model.delete)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.text())
        self._on_said(f"'{self.model.style.name}' is on the clipboard as text.", True)

    def _on_paste(self) -> None:
        self.model.take_text(QGuiApplication.clipboard().text())

    def _on_import(self) -> None:
        ask_to_open(self, "Import a style", self.folder, _FILTER, self.take_file)

    def _on_export(self) -> None:
        ask_to_save(self, "Export the style", self.folder, _FILTER, self.write_file, ending=STYLE_ENDING)

    def take_file(self, name: str) -> None:
        """Take the style of a file, or say what is wrong with it."""
        if self.model.take_file(Path(name)):
            self.folder = Path(name).parent

    def write_file(self, name: str) -> None:
        """Write the style to a file, or say why that cannot be done."""
        if self.model.write_file(Path(name)):
            self.folder = Path(name).parent

    # ---- Qt

    def reject(self) -> None:
        """Close, but ask first what is to become of numbers that are not saved."""
        if not self.model.is_unsaved_work:
            super().reject()
            return
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Styles of your own")
        box.setText(f"'{self.model.style.name}' is not saved as it is now.")
        save = box.addButton("&Save it", QMessageBox.ButtonRole.AcceptRole)
        drop = box.addButton("&Drop the changes", QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton("&Go on", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(stay)
        save.clicked.connect(lambda _checked=False: self._leave(self.model.save_as(self.model.style.name)))
        drop.clicked.connect(self._on_drop)
        box.open()

    def _on_drop(self) -> None:
        self.model.discard()
        self._leave(True)

    def _leave(self, is_done: bool) -> None:
        if is_done:
            super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.read_again()
        self.figures.set_on(True)
        self.names.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.figures.set_on(False)
