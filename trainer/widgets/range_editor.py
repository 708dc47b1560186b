"""A range as a grid to paint on, as text, and as the best x percent of all hands, all three in step."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
    QUndoCommand,
    QUndoStack,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QDialog,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.cards import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, Card, HandClass, class_name, combos_of_class
from engine.ranges import ClassCells, Range, RangeTextError, class_cells, format_range, parse_range, top_range
from trainer.theme import ThemeSource
from trainer.widgets.text_field import ColouredLabel, MarkedLineEdit, ShortenedLabel

EMPTY = Range(np.zeros(COMBO_COUNT, dtype=np.float32))
_PER_PERCENT = 10
_PREVIEW_REACH = 0.6  # of the heat ramp: its far end glares when half the grid is full
_MERGED_TYPING, _MERGED_SLIDING = 1, 2


def describe_class(hand_class: int, cells: ClassCells) -> str:
    """Say what a range holds of a hand class: `AKs: 3 of 4 combos, weight 75%`."""
    size = len(combos_of_class(HandClass(hand_class)))
    live = int(cells.unblocked[hand_class])
    blocked = f", {size - live} blocked" if live < size else ""
    weight = f"weight {100 * float(cells.mean[hand_class]):.0f}%"
    return f"{class_name(HandClass(hand_class))}: {live} combos{blocked}, {weight}"


class PaintGrid(QWidget):
    """The 13x13 grid; the height of a cell's fill is the mean weight of its unblocked combos.

    Dragging paints with the brush's weight. A drag that begins on a cell which has just that weight, or one with
    the right button, erases. Arrow keys go from cell to cell, space paints or erases.

    Signals
    -------
    painted : Range
        The range after every cell of a stroke.
    stroke_ended
    cell_changed : str
        What the cell under the mouse or the keyboard's cursor holds.
    """

    painted = Signal(object)
    stroke_ended = Signal()
    cell_changed = Signal(str)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dead: tuple[Card, ...] = ()
        self._cells = class_cells(EMPTY.weights)
        self._cursor = 0
        self._hover = -1
        self._stroke: float | None = None
        self.hands = EMPTY
        self.brush = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Range grid: arrow keys go from hand to hand, space paints or erases")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme_changed)

    def show_range(self, hands: Range, dead: Sequence[Card] | None = None) -> None:
        """Show a range, and which combos are blocked by dead cards."""
        self.hands = hands
        if dead is not None:
            self._dead = tuple(dead)
        self._cells = class_cells(hands.weights, self._dead)
        self._tell(self._hover if self._hover >= 0 else self._cursor)
        self.update()

    def cell_rect(self, hand_class: int) -> QRectF:
        """Give the place of a hand class, in logical pixels."""
        side, left, top = self._frame()
        row, column = divmod(hand_class, 13)
        return QRectF(left + column * side, top + row * side, side, side)

    def class_at(self, place: QPointF) -> int:
        """Give the hand class at a point, or -1."""
        side, left, top = self._frame()
        column, row = int((place.x() - left) // side), int((place.y() - top) // side)
        return 13 * row + column if 0 <= row < 13 and 0 <= column < 13 else -1

    def _frame(self) -> tuple[float, float, float]:
        side = min(self.width(), self.height()) / 13
        return side, (self.width() - 13 * side) / 2, (self.height() - 13 * side) / 2

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def _tell(self, hand_class: int) -> None:
        text = describe_class(hand_class, self._cells)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            self.cell_changed.emit(text)

    def _begin_stroke(self, hand_class: int, *, is_erasing: bool) -> None:
        weight = float(self.hands.weights[list(combos_of_class(HandClass(hand_class)))].min())
        self._stroke = 0.0 if is_erasing or weight == np.float32(self.brush) else self.brush
        self._paint_class(hand_class)

    def _paint_class(self, hand_class: int) -> None:
        if self._stroke is None or hand_class < 0:
            return
        weights = self.hands.weights.copy()
        weights[hand_class == COMBO_CLASS] = self._stroke
        if not np.array_equal(weights, self.hands.weights):
            self.show_range(Range(weights))
            self.painted.emit(self.hands)

    def _end_stroke(self) -> None:
        if self._stroke is not None:
            self._stroke = None
            self.stroke_ended.emit()

    # ---- Qt

    def sizeHint(self) -> QSize:
        side = 13 * round(2.4 * self.fontMetrics().height())
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        side = 13 * round(1.7 * self.fontMetrics().height())
        return QSize(side, side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hand_class = self.class_at(event.position())
        if hand_class >= 0 and event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self._cursor = hand_class
            self._begin_stroke(hand_class, is_erasing=event.button() == Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover = self.class_at(event.position())
        self._paint_class(self._hover)
        if self._hover >= 0:
            self._tell(self._hover)
        self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._end_stroke()

    def leaveEvent(self, _event: QEvent) -> None:
        self._hover = -1
        self._tell(self._cursor)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -13, Qt.Key.Key_Down: 13}
        key = Qt.Key(event.key())
        if key in steps:
            row, column = divmod(self._cursor, 13)
            if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
                column = min(max(column + steps[key], 0), 12)
            else:
                row = min(max(row + steps[key] // 13, 0), 12)
            self._cursor, self._hover = 13 * row + column, -1
            self._tell(self._cursor)
            self.update()
        elif key == Qt.Key.Key_Space:
            self._begin_stroke(self._cursor, is_erasing=False)
            self._end_stroke()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, _event: QFocusEvent) -> None:
        self._tell(self._cursor)
        self.update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        side = self._frame()[0]
        font = QFont(self.font())
        font.setPixelSize(max(8, round(0.34 * side)))
        painter.setFont(font)
        empty, diagonal = QColor(theme.panel_raised), QColor(theme.border)
        fill, ink, faint = QColor(theme.heat[2]), QColor(theme.text), QColor(theme.text_muted)
        gap = 1.0 if side < 40 else 1.5
        for hand_class in range(CLASS_COUNT):
            row, column = divmod(hand_class, 13)
            rect = self.cell_rect(hand_class).adjusted(0, 0, -gap, -gap)
            painter.fillRect(rect, diagonal if row == column else empty if row < column else QColor(theme.panel))
            weight = float(self._cells.mean[hand_class])
            if weight > 0:
                high = max(2.0, weight * rect.height())
                painter.fillRect(QRectF(rect.x(), rect.bottom() - high, rect.width(), high), fill)
            is_blocked = self._cells.unblocked[hand_class] == 0
            painter.setPen(faint if is_blocked else ink)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, class_name(HandClass(hand_class)))
            if is_blocked:
                painter.setPen(QPen(faint, 1))
                painter.drawLine(rect.topLeft(), rect.bottomRight())
        self._paint_frames(painter, gap)

    def _paint_frames(self, painter: QPainter, gap: float) -> None:
        theme = self._theme.theme
        if self._hover >= 0:
            painter.setPen(QPen(QColor(theme.text_muted), 1.5))
            painter.drawRect(self.cell_rect(self._hover).adjusted(0.5, 0.5, -gap, -gap))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2.5))
            painter.drawRect(self.cell_rect(self._cursor).adjusted(1, 1, -gap - 0.5, -gap - 0.5))


class RangePreview(QAbstractButton):
    """A small picture of a range, coloured by weight against the largest; a click opens the editor."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._levels = np.zeros((13, 16), dtype=np.uint8)  # lines of an image are padded to four bytes
        self._is_empty = True
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_range(self, hands: Range | None, dead: Sequence[Card] = ()) -> None:
        """Show a range without its blocked combos, or nothing."""
        self._is_empty = hands is None
        means = class_cells((hands or EMPTY).weights, dead).mean
        levels = np.zeros((13, 16), dtype=np.uint8)
        # Against the largest, and by the root: one combo of twelve would be as good as invisible in proportion.
        largest = max(float(means.max()), 1e-9)
        levels[:, :13] = np.ceil(255 * np.sqrt(means / largest)).reshape(13, 13)
        self._levels = levels
        self.update()

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def sizeHint(self) -> QSize:
        side = round(2.9 * self.fontMetrics().height())
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        image = QImage(self._levels.data, 13, 13, 16, QImage.Format.Format_Indexed8)
        image.setColorTable([theme.heat_colour(_PREVIEW_REACH * level / 255).rgb() for level in range(256)])
        rect = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.setOpacity(0.5 if self._is_empty else 1.0)
        painter.drawImage(rect, image)
        painter.setOpacity(1.0)
        is_lit = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(theme.accent if is_lit else theme.border), 2 if self.hasFocus() else 1))
        painter.drawRect(rect)


def _slider(most: int) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setMaximum(most)
    slider.setPageStep(most // 20)
    return slider


class _Change(QUndoCommand):
    """One step of editing: from a range to another. Typing and sliding merge with what came just before."""

    def __init__(self, editor: "RangeEditor", text: str, before: Range, after: Range, merged: int = -1) -> None:
        super().__init__(text)
        self._editor, self._before, self._after, self._merged = editor, before, after, merged

    def id(self) -> int:
        return self._merged

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change):
            return False
        self._after = other._after
        return True

    def redo(self) -> None:
        self._editor.apply(self._after)

    def undo(self) -> None:
        self._editor.apply(self._before)


class RangeEditor(QDialog):
    """Edits one range; non-modal, every change is told at once and can be undone.

    Signals
    -------
    range_changed : Range
    """

    range_changed = Signal(object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModal(False)
        self._theme = theme
        self._is_typing = False
        self._is_sliding = False
        self._error = ""
        self._before_stroke: Range | None = None
        self.hands = EMPTY
        self.undo_stack = QUndoStack(self)
        self.grid = PaintGrid(theme)
        self.field = MarkedLineEdit(theme)
        self.message = ShortenedLabel(theme, "bad")
        self.count = QLabel()
        self.cell = ColouredLabel(theme, "text_muted")
        self.weight = QSpinBox(minimum=0, maximum=100, value=100, suffix="%")
        self.weight_slider = _slider(100)
        self.top = QDoubleSpinBox(decimals=1, maximum=100.0, singleStep=1.0, suffix="%")
        self.top_slider = _slider(100 * _PER_PERCENT)
        self.weight_slider.setValue(100)
        self._build()
        self._connect()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setSpacing(6)
        self.resize(560, 680)
        layout.addWidget(self.field)
        layout.addWidget(self.message)
        layout.addWidget(self.grid, 1)
        line = QHBoxLayout()
        line.addWidget(self.cell, 1)
        line.addWidget(self.count)
        layout.addLayout(line)
        form = QGridLayout()
        for row, (text, slider, box) in enumerate(
            (("&Brush weight", self.weight_slider, self.weight), ("Best &hands", self.top_slider, self.top))
        ):
            label = QLabel(text)
            label.setBuddy(box)
            box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.UpDownArrows)
            form.addWidget(label, row, 0)
            form.addWidget(slider, row, 1)
            form.addWidget(box, row, 2)
        layout.addLayout(form)
        layout.addLayout(self._build_buttons())
        self.field.setPlaceholderText("22+, A2s+, KTs-K8s, AhKh, 15%, AA:0.5 …")
        for widget, name in (
            (self.field, "Range as text"),
            (self.weight, "Weight of the brush in percent"),
            (self.weight_slider, "Weight of the brush in percent"),
            (self.top, "Best hands, percent of all"),
            (self.top_slider, "Best hands, percent of all"),
        ):
            widget.setAccessibleName(name)

    def _build_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.undo_button = self._button("&Undo", self.undo_stack.undo)
        self.redo_button = self._button("&Redo", self.undo_stack.redo)
        for key, step in (
            (QKeySequence.StandardKey.Undo, self.undo_stack.undo),
            (QKeySequence.StandardKey.Redo, self.undo_stack.redo),
        ):
            for sequence in QKeySequence.keyBindings(key):
                QShortcut(sequence, self, step)
        self.clear_button = self._button("&Clear", self._on_clear)
        self.all_button = self._button("&All", self._on_all)
        for button in (self.undo_button, self.redo_button, self.clear_button, self.all_button):
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(self._button("&Done", self.accept))
        return line

    def _button(self, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    def _connect(self) -> None:
        self.grid.painted.connect(self._on_painted)
        self.grid.stroke_ended.connect(self._on_stroke_ended)
        self.grid.cell_changed.connect(self.cell.setText)
        self.field.textEdited.connect(self._on_text_edited)
        self.field.mark_changed.connect(self._on_mark_changed)
        self.weight.valueChanged.connect(self._on_weight)
        self.weight_slider.valueChanged.connect(self.weight.setValue)
        self.top_slider.valueChanged.connect(self._on_top_slid)
        self.top.valueChanged.connect(self._on_top)
        self.undo_stack.canUndoChanged.connect(self.undo_button.setEnabled)
        self.undo_stack.canRedoChanged.connect(self.redo_button.setEnabled)

    def open_for(self, title: str, hands: Range | None, dead: Sequence[Card]) -> None:
        """Show a range to edit, forgetting the steps of the one before."""
        self.setWindowTitle(title)
        self.undo_stack.clear()
        self.undo_button.setEnabled(False)
        self.redo_button.setEnabled(False)
        self.hands = hands or EMPTY
        self.grid.show_range(self.hands, dead)
        self._show(is_top_shown=True)
        self.show()
        self.raise_()
        self.activateWindow()
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def apply(self, hands: Range) -> None:
        """Put a range in force; the undo stack's way in."""
        self.grid.show_range(hands)
        self._take(hands)

    def _take(self, hands: Range) -> None:
        if hands != self.hands:
            self.hands = hands
            self._show(is_top_shown=not self._is_sliding)
            self.range_changed.emit(hands)

    def _show(self, *, is_top_shown: bool) -> None:
        hands = self.hands
        if not self._is_typing:
            self.field.setText(format_range(hands))
            self.field.setCursorPosition(0)
            self._set_message("")
        combos = hands.combo_count
        shown = f"{combos:,.0f}" if combos == round(combos) else f"{combos:,.1f}"
        self.count.setText(f"{shown} combos · {100 * hands.fraction:.1f}%")
        if is_top_shown:
            with QSignalBlocker(self.top), QSignalBlocker(self.top_slider):
                self.top.setValue(100 * hands.fraction)
                self.top_slider.setValue(round(100 * _PER_PERCENT * hands.fraction))

    def _push(self, text: str, after: Range, merged: int = -1) -> None:
        if after != self.hands:
            self.undo_stack.push(_Change(self, text, self.hands, after, merged))

    def _on_painted(self, hands: Range) -> None:
        if self._before_stroke is None:
            self._before_stroke = self.hands
        self._take(hands)

    def _on_stroke_ended(self) -> None:
        before, self._before_stroke = self._before_stroke, None
        if before is not None and before != self.hands:
            self.undo_stack.push(_Change(self, "paint", before, self.hands))

    def _on_text_edited(self, text: str) -> None:
        try:
            hands = parse_range(text)
        except RangeTextError as error:
            self._error = str(error)
            self.field.mark(error.position, error.length)
            self._on_mark_changed()
            return
        self._set_message("")
        self._is_typing = True
        self._push("type", hands, _MERGED_TYPING)
        self._is_typing = False

    def _set_message(self, text: str) -> None:
        self._error = text
        if not text:
            self.field.unmark()
        self._on_mark_changed()

    def _on_mark_changed(self) -> None:
        self.message.setText(self._error if self.field.is_marked else "")

    def _on_weight(self, percent: int) -> None:
        self.grid.brush = percent / 100
        self.weight_slider.setValue(percent)

    def _on_top_slid(self, steps: int) -> None:
        self.top.setValue(steps / _PER_PERCENT)

    def _on_top(self, percent: float) -> None:
        with QSignalBlocker(self.top_slider):
            self.top_slider.setValue(round(percent * _PER_PERCENT))
        self._is_sliding = True
        self._push("best hands", top_range(percent / 100), _MERGED_SLIDING)
        self._is_sliding = False

    def _on_clear(self) -> None:
        self._push("clear", EMPTY)

    def _on_all(self) -> None:
        self._push("all hands", parse_range("random"))
