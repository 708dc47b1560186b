"""A range as a grid to paint on, as text, and as the best x percent of all hands, all three in step."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.cards import MOST_OPPONENTS, SUIT_SYMBOLS, Card, HandClass, class_name
from engine.preflop import DEALS
from engine.ranges import Range
from engine.words import counted
from trainer.ranges.editing_model import (
    EMPTY,
    EVERYTHING,
    SUIT_NAMES,
    RangeEditing,
    count_text,
    inverted,
    same_for_all_suits,
    scaled_up,
)
from trainer.ranges.library import PLAIN_RANGES, RangeLibrary
from trainer.ranges.library_window import RangeLibraryDialog
from trainer.ranges.paint_grid import CellGrid, PaintGrid, SuitGrid
from trainer.theme import ThemeSource
from trainer.widgets.buttons import dialog_button
from trainer.widgets.check_box import CheckBox
from trainer.widgets.front import bring_up
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.text_field import MarkedLineEdit, ShortenedLabel

_PER_PERCENT = 10
_SCREEN_PART = 0.9
_LONGEST_TEXT = 1_000_000  # a range of 1326 different weights takes 25,000 characters
_RANKING_SOURCE = (
    "Hands are ordered by their equity before the flop when all hands are shown down against so many random ones: "
    f"exactly against one, by {DEALS // 1_000_000} million deals of each hand against more. "
    "15% in the text means the best hands of this order, too."
)


def _slider(most: int) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setMaximum(most)
    slider.setPageStep(most // 20)
    return slider


class RangeEditor(QDialog):
    """Edits one range; non-modal, every change takes effect at once and can be undone.

    The best hands are the best against `ranking` random hands, 1 to 9.
    """

    def __init__(
        self,
        theme: ThemeSource,
        library: RangeLibrary,
        ranking: int = 1,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setModal(False)
        self._theme = theme
        self._library_dialog: RangeLibraryDialog | None = None
        self._library = library
        self.model = RangeEditing(ranking)
        self.grid = PaintGrid(theme)
        self.suits = SuitGrid(theme)
        self.suits_title = QLabel()
        self.field = MarkedLineEdit(theme)
        self.message = ShortenedLabel(theme, "bad")
        self.count = QLabel()
        self.cell = ShortenedLabel(theme, "text_muted")
        self.weight = QSpinBox(minimum=0, maximum=100, value=100, suffix="%")
        self.weight_slider = _slider(100)
        self.suit_buttons = [CheckBox() for _ in SUIT_SYMBOLS]
        self.bottom = QDoubleSpinBox(decimals=1, maximum=100.0, singleStep=1.0, suffix="%")
        self.top = QDoubleSpinBox(decimals=1, maximum=100.0, singleStep=1.0, suffix="%")
        self.bottom_slider = _slider(100 * _PER_PERCENT)
        self.top_slider = _slider(100 * _PER_PERCENT)
        self.ranking_box = QComboBox()
        self.weight_slider.setValue(100)
        self._build()
        self._connect()
        self._on_cursor(self.grid.cursor_cell)
        line = self.fontMetrics().height()
        self.resize(QSize(60 * line, 43 * line).boundedTo(self.screen().availableSize() * _SCREEN_PART))

    # ---- parts

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setSpacing(6)
        middle = QHBoxLayout()
        middle.setSpacing(14)
        layout.addLayout(self._build_text())
        layout.addWidget(self.message)
        layout.addLayout(middle, 1)
        left = QVBoxLayout()
        left.setSpacing(4)
        line = QHBoxLayout()
        line.addWidget(self.cell, 1)
        line.addWidget(self.count)
        left.addWidget(self.grid, 1)
        left.addLayout(line)
        middle.addLayout(left, 3)
        middle.addLayout(self._build_side(), 2)
        layout.addLayout(self._build_buttons())
        QWidget.setTabOrder(self.field, self.library_button)
        QWidget.setTabOrder(self.library_button, self.grid)
        self._name_controls()

    def _build_text(self) -> QHBoxLayout:
        self.field.setMaxLength(_LONGEST_TEXT)
        self.field.setPlaceholderText("22+, A2s+, KTs-K8s, AhKh, 15%, AA:0.5 …")
        self.library_button = dialog_button("&Library", self.open_library)
        self.library_button.setToolTip("Named ranges: take one, or keep this one (Ctrl+L)")
        QShortcut(QKeySequence("Ctrl+L"), self, self.open_library)
        line = QHBoxLayout()
        line.addWidget(self.field, 1)
        line.addWidget(self.library_button)
        return line

    def _name_controls(self) -> None:
        for widget, name in (
            (self.field, "Range as text"),
            (self.weight, "Weight of the brush in percent"),
            (self.weight_slider, "Weight of the brush in percent"),
            (self.bottom, "Best hands, from this percent of all"),
            (self.bottom_slider, "Best hands, from this percent of all"),
            (self.top, "Best hands, percent of all"),
            (self.top_slider, "Best hands, percent of all"),
            (self.ranking_box, "Best against how many opponents"),
        ):
            widget.setAccessibleName(name)
        for box in (self.weight, self.top, self.bottom):
            box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.UpDownArrows)
        for box in (self.top, self.bottom):
            box.setKeyboardTracking(False)  # half a number would move the other bound, and be written out

    def _build_side(self) -> QVBoxLayout:
        side = tight(QVBoxLayout(), self.suits_title, spacing=6)
        side.addWidget(self.suits, 1)
        side.addSpacing(8)
        form = QGridLayout()
        form.setVerticalSpacing(6)
        form.setColumnStretch(1, 1)
        self._add_slider(form, 0, "&Brush weight", self.weight_slider, self.weight)
        form.addWidget(label_of(self.suit_buttons[-1], "Brush &suits"), 1, 0)
        form.addLayout(self._build_suit_buttons(), 1, 1, 1, 2)
        form.setRowMinimumHeight(2, 8)
        self._add_slider(form, 3, "Best &hands to", self.top_slider, self.top)
        self._add_slider(form, 4, "Best hands &from", self.bottom_slider, self.bottom)
        label = label_of(self.ranking_box, "Best a&gainst")
        form.addWidget(label, 5, 0)
        form.addWidget(self.ranking_box, 5, 1, 1, 2)
        for count in range(1, MOST_OPPONENTS + 1):
            self.ranking_box.addItem(counted(count, "opponent"))
        self.ranking_box.setCurrentIndex(self.model.ranking - 1)
        for widget in (label, self.ranking_box):
            widget.setToolTip(f"<p>{_RANKING_SOURCE}</p>")
        self.ranking_box.setAccessibleDescription(_RANKING_SOURCE)
        side.addLayout(form)
        return side

    def _add_slider(
        self, form: QGridLayout, row: int, text: str, slider: QSlider, box: QSpinBox | QDoubleSpinBox
    ) -> None:
        label = label_of(box, text)
        slider.setMinimumWidth(6 * self.fontMetrics().height())
        for column, widget in enumerate((label, slider, box)):
            form.addWidget(widget, row, column)

    def _build_suit_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(self.fontMetrics().height())
        for suit in reversed(range(len(SUIT_SYMBOLS))):
            button = self.suit_buttons[suit]
            button.setText(SUIT_SYMBOLS[suit])
            button.setChecked(True)
            button.setAccessibleName(f"The brush paints {SUIT_NAMES[suit]}")
            button.setToolTip(f"The grid's brush and the groups of Add take {SUIT_NAMES[suit]}")
            button.toggled.connect(self._on_suits)
            line.addWidget(button)
        line.addStretch(1)
        return line

    def _build_buttons(self) -> QHBoxLayout:
        line, model = QHBoxLayout(), self.model
        self.undo_button = dialog_button("&Undo", self.model.undo_stack.undo)
        self.redo_button = dialog_button("&Redo", self.model.undo_stack.redo)
        for key, step in (
            (QKeySequence.StandardKey.Undo, self.model.undo_stack.undo),
            (QKeySequence.StandardKey.Redo, self.model.undo_stack.redo),
        ):
            for sequence in QKeySequence.keyBindings(key):
                QShortcut(sequence, self, step)
        self.clear_button = dialog_button("&Clear", partial(model.change, "clear", EMPTY))
        self.all_button = dialog_button("&All", partial(model.change, "all hands", EVERYTHING))
        self.invert_button = dialog_button("&Invert", partial(model.change_all, "invert", inverted))
        self.add_button = self._menu_button("Add ha&nds", "Add hands to the range with the brush's weight")
        for name, text in PLAIN_RANGES:
            self._menu_action(self.add_button, f"{name}  ({_shortened(text)})", partial(model.add, text))
        self.change_button = self._menu_button("&More", "Change the whole range")
        for text, slot in (
            ("Remove &blocked combos", model.remove_blocked),
            ("Keep only the brush's &suits", model.keep_suits),
            (
                "Same weight for &all suits",
                partial(model.change_all, "same for all suits", same_for_all_suits),
            ),
            ("Scale the largest weight to &100%", partial(model.change_all, "scale weights", scaled_up)),
        ):
            self._menu_action(self.change_button, text, slot)
        for button in (self.undo_button, self.redo_button, self.clear_button, self.all_button, self.invert_button):
            line.addWidget(button)
        for button in (self.add_button, self.change_button):
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(dialog_button("&Done", self.accept))
        return line

    def _menu_button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, autoDefault=False)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setMenu(QMenu(button))
        return button

    def _menu_action(self, button: QPushButton, text: str, slot: Callable[[], None]) -> None:
        button.menu().addAction(text).triggered.connect(lambda _checked=False: slot())

    def _connect(self) -> None:
        model = self.model
        grids: tuple[CellGrid, ...] = (self.grid, self.suits)
        for grid in grids:
            grid.painted.connect(model.paint)
            grid.stroke_ended.connect(model.end_stroke)
            grid.brush_chosen.connect(model.set_brush)
            grid.cell_changed.connect(self._on_cell_changed)
        self.grid.wheeled.connect(self._on_wheeled)
        self.suits.wheeled.connect(self._on_suit_wheeled)
        self.grid.cursor_changed.connect(self._on_cursor)
        self.grid.suits_requested.connect(self._on_suits_requested)
        self.suits.left.connect(self._on_suits_left)
        self.field.textEdited.connect(model.type)
        self.field.mark_changed.connect(self._on_mark_changed)
        self.weight.valueChanged.connect(self._on_weight)
        self.weight_slider.valueChanged.connect(self.weight.setValue)
        self.top_slider.valueChanged.connect(self._on_top_slid)
        self.top.valueChanged.connect(model.slide_high)
        self.bottom_slider.valueChanged.connect(self._on_bottom_slid)
        self.bottom.valueChanged.connect(model.slide_low)
        self.ranking_box.currentIndexChanged.connect(self._on_ranking)
        stack = model.undo_stack
        stack.canUndoChanged.connect(self.undo_button.setEnabled)
        stack.canRedoChanged.connect(self.redo_button.setEnabled)
        stack.undoTextChanged.connect(self._on_undo_text)
        stack.redoTextChanged.connect(self._on_redo_text)
        model.changed.connect(self._on_changed)

    # ---- for others

    def open_for(self, title: str, hands: Range | None, dead: Sequence[Card]) -> None:
        """Show a range to edit, forgetting the steps of the one before."""
        self.setWindowTitle(title)
        self.undo_button.setEnabled(False)
        self.redo_button.setEnabled(False)
        for grid in (self.grid, self.suits):
            grid.show_range(hands or EMPTY, dead)
        self.model.open(hands or EMPTY, dead)
        bring_up(self)
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_library(self) -> None:
        """Show the named ranges; one that is loaded takes the place of the range, as one step."""
        self.library_dialog.open_for(self.model.hands)

    @property
    def library_dialog(self) -> RangeLibraryDialog:
        """The window of named ranges, made when first asked for."""
        if self._library_dialog is None:
            self._library_dialog = RangeLibraryDialog(self._theme, self._library, self)
            self._library_dialog.range_chosen.connect(partial(self.model.change, "load"))
        return self._library_dialog

    # ---- what is shown

    def _on_changed(self) -> None:
        model = self.model
        for grid in (self.grid, self.suits):
            grid.brush = model.brush
            if grid.hands != model.hands:
                grid.show_range(model.hands)
        self.grid.suits = model.suits
        if self.field.text() != model.text:
            self.field.setText(model.text)
            self.field.setCursorPosition(0)
        if model.error is None:
            self.field.unmark()
        else:
            self.field.mark(model.error.position, model.error.length)
        self._on_mark_changed()
        self.count.setText(count_text(model.hands, model.dead))
        self._show_numbers()
        if self._library_dialog is not None:
            self._library_dialog.set_range(model.hands)

    def _show_numbers(self) -> None:
        model = self.model
        boxes = (self.bottom, self.bottom_slider, model.low), (self.top, self.top_slider, model.high)
        for box, slider, percent in boxes:
            with QSignalBlocker(box), QSignalBlocker(slider):
                box.setValue(percent)
                slider.setValue(round(_PER_PERCENT * percent))
        weight = round(100 * model.brush)
        with QSignalBlocker(self.weight), QSignalBlocker(self.weight_slider), QSignalBlocker(self.ranking_box):
            self.weight_slider.setValue(weight)
            if self.weight.value() != weight:  # or what is being typed would be written out
                self.weight.setValue(weight)
            self.ranking_box.setCurrentIndex(model.ranking - 1)
        for suit, button in enumerate(self.suit_buttons):
            with QSignalBlocker(button):
                button.setChecked(suit in model.suits)

    def _on_mark_changed(self) -> None:
        error = self.model.error
        self.message.setText(str(error) if error is not None and self.field.is_marked else "")
        self.field.setAccessibleDescription(self.message.text())

    def _on_cell_changed(self, _text: str) -> None:
        # The keyboard's cell is described wherever the mouse is on none.
        is_suit = self.suits.is_pointed_at or (self.suits.hasFocus() and not self.grid.is_pointed_at)
        self.cell.setText((self.suits if is_suit else self.grid).accessibleDescription())

    def _on_undo_text(self, text: str) -> None:
        self.undo_button.setToolTip(f"Undo: {text}" if text else "")

    def _on_redo_text(self, text: str) -> None:
        self.redo_button.setToolTip(f"Redo: {text}" if text else "")

    def _on_cursor(self, hand_class: int) -> None:
        self.suits.show_class(hand_class)
        self.suits_title.setText(f"{class_name(HandClass(hand_class))} by suit")

    # ---- what the user does

    def _on_wheeled(self, hands: Range, cell: int) -> None:
        self.model.change("change a weight", hands, ("wheel", cell))

    def _on_suit_wheeled(self, hands: Range, cell: int) -> None:
        self.model.change("change a weight", hands, ("wheel", self.grid.cursor_cell, cell))

    def _on_suits_requested(self) -> None:
        self.suits.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_suits_left(self) -> None:
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_weight(self, percent: int) -> None:
        self.model.set_brush(percent / 100)

    def _on_suits(self, _is_on: bool) -> None:
        self.model.set_suits(suit for suit, button in enumerate(self.suit_buttons) if button.isChecked())

    def _on_top_slid(self, steps: int) -> None:
        self.top.setValue(steps / _PER_PERCENT)

    def _on_bottom_slid(self, steps: int) -> None:
        self.bottom.setValue(steps / _PER_PERCENT)

    def _on_ranking(self, index: int) -> None:
        self.model.choose_ranking(index + 1)


def _shortened(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:23]}…"
