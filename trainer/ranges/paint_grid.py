"""A range as cells: the 13x13 grid to paint on, the combos of one hand class by suit, and a small preview."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from engine.cards import (
    CLASS_COUNT,
    RANKS,
    SUIT_SYMBOLS,
    Card,
    Combo,
    HandClass,
    class_name,
    combos_of_class,
    unblocked,
)
from engine.ranges import Range, class_cells
from trainer.ranges.editing_model import (
    ALL_SUITS,
    EMPTY,
    SuitCell,
    count_text,
    describe_class,
    describe_combo,
    in_suits,
    percent_text,
    stepped,
    suit_cells,
    with_weight,
)
from trainer.theme import Theme, ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.cells import Cells

WHEEL_STEP: Final = 0.05
_WHEEL_NOTCH = 120
_PREVIEW_REACH = 0.6  # of the heat ramp: its far end glares when half the grid is full
_NUMBER_SIDE = 1.7  # cells of so many font heights have room for a second line


class CellGrid(Cells):
    """Square cells that stand for combos, to paint weights on.

    Dragging paints with the brush's weight; begun on a cell of just that weight, or with the right button, it
    erases. The wheel moves a cell's weight. Arrow keys go from cell to cell, space paints or erases, digits choose
    the brush.
    """

    painted = Signal(object)  # the Range, after every cell of a stroke
    stroke_ended = Signal()
    wheeled = Signal(object, int)  # the Range, and the cell
    brush_chosen = Signal(float)
    cell_changed = Signal(str)
    cursor_changed = Signal(int)

    def __init__(self, theme: ThemeSource, side_count: int) -> None:
        super().__init__(theme)
        self._side_count = side_count
        self._dead: tuple[Card, ...] = ()
        self._live = unblocked(())
        self._cursor = 0
        self._hover: int | None = None
        self._stroke: float | None = None
        self._button = Qt.MouseButton.NoButton
        self._last = QPointF()
        self._turned = 0
        self.hands = EMPTY
        self.brush = 1.0
        self.suits = ALL_SUITS

    # ---- what a kind of grid says

    def combos_at(self, cell: int) -> tuple[Combo, ...]:
        """Return the combos that a cell stands for."""
        raise NotImplementedError

    def _gather(self) -> None:
        """Prepare what is painted from `hands`."""

    def _margin(self) -> float:
        """How many cells' sides are left free above and to the left."""
        return 0.0

    # ---- places

    @property
    def cursor_cell(self) -> int:
        """The cell of the keyboard's cursor, which is also the one pressed last."""
        return self._cursor

    @property
    def is_pointed_at(self) -> bool:
        """Whether the mouse is on a cell."""
        return self._hover is not None

    def show_range(self, hands: Range, dead: Sequence[Card] | None = None) -> None:
        """Show a range, and which combos are blocked by dead cards."""
        self.hands = hands
        if dead is not None:
            self._dead = tuple(dead)
            self._live = unblocked(self._dead)
        self._gather()
        self._tell(self._cursor if self._hover is None else self._hover)
        self.update()

    def set_cursor(self, cell: int) -> None:
        """Move the keyboard's cursor."""
        if cell != self._cursor:
            self._cursor = cell
            self.cursor_changed.emit(cell)
            self.update()

    def _shape(self) -> tuple[int, int]:
        return self._side_count, self._side_count

    def _cell_of(self, row: int, column: int) -> int | None:
        cell = super()._cell_of(row, column)
        return cell if cell is not None and self.combos_at(cell) else None

    def _first_cell(self) -> QRectF:
        total = self._side_count + self._margin()
        side = max(min(self.width(), self.height()) / total, 1.0)
        left, top = (self.width() - total * side) / 2, (self.height() - total * side) / 2
        return QRectF(left + self._margin() * side, top + self._margin() * side, side, side)

    def _cells_between(self, start: QPointF, end: QPointF) -> Iterator[int]:
        """Every cell on the way, since a fast mouse reports few places; along a diagonal no neighbours."""
        first, last = self._place_at(start), self._place_at(end)
        rows, columns = last[0] - first[0], last[1] - first[1]
        count = max(abs(rows), abs(columns), 1)
        for i in range(count + 1):
            row, column = first[0] + round(rows * i / count), first[1] + round(columns * i / count)
            if (cell := self._cell_of(row, column)) is not None:
                yield cell

    # ---- painting weights

    def _tell(self, cell: int) -> None:
        text = self.describe(cell)
        self.setAccessibleDescription(text)
        self.cell_changed.emit(text)

    def _chosen_at(self, cell: int) -> tuple[Combo, ...]:
        """Return the combos of a cell that the brush takes."""
        combos = self.combos_at(cell)
        return combos if self.suits == ALL_SUITS else in_suits(combos, self.suits)

    def _begin_stroke(self, cell: int, *, is_erasing: bool) -> None:
        chosen = list(self._chosen_at(cell))
        is_painted = bool(chosen) and bool((self.hands.weights[chosen] == np.float32(self.brush)).all())
        self._stroke = 0.0 if is_erasing or is_painted else self.brush
        self._paint_cells((cell,))

    def _paint_cells(self, cells: Iterable[int]) -> None:
        if self._stroke is None:
            return
        combos = [combo for cell in cells for combo in self._chosen_at(cell)]
        after = with_weight(self.hands, combos, self._stroke)
        if after != self.hands:
            self.show_range(after)
            self.painted.emit(after)

    def _end_stroke(self) -> None:
        if self._stroke is not None:
            self._stroke = None
            self.stroke_ended.emit()

    # ---- Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        button = event.button()
        if cell is None:
            return
        is_choosing = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if button == Qt.MouseButton.MiddleButton or is_choosing:
            self.set_cursor(cell)
        elif button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton) and (
            self._stroke is None or button == self._button
        ):
            self.set_cursor(cell)
            self._button = button
            self._last = event.position()
            self._begin_stroke(cell, is_erasing=button == Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover = self.cell_at(event.position())
        if self._stroke is not None:
            self._paint_cells(list(self._cells_between(self._last, event.position())))
            self._last = event.position()
        if self._hover is not None:
            self._tell(self._hover)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == self._button:
            self._end_stroke()

    def wheelEvent(self, event: QWheelEvent) -> None:
        cell = self.cell_at(event.position())
        self._turned += event.angleDelta().y()
        steps = int(self._turned / _WHEEL_NOTCH)
        self._turned -= steps * _WHEEL_NOTCH
        event.accept()
        if cell is None or not steps or self._stroke is not None:
            return
        self.set_cursor(cell)
        after = stepped(self.hands, self._chosen_at(cell), steps, WHEEL_STEP)
        if after != self.hands:
            self.show_range(after)
            self.wheeled.emit(after, cell)

    def leaveEvent(self, _event: QEvent) -> None:
        self._hover = None
        self._tell(self._cursor)
        self.update()

    def hideEvent(self, _event: QHideEvent) -> None:
        self._end_stroke()  # the button's release will not be heard of

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        # Alt and a letter are mnemonics, Ctrl and a digit may become shortcuts.
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in steps and is_plain:
            self._step(*steps[key])
        elif key == Qt.Key.Key_Space and is_plain:
            self._begin_stroke(self._cursor, is_erasing=False)
            self._end_stroke()
            announce(self, self.describe(self._cursor))
        elif Qt.Key.Key_0 <= key <= Qt.Key.Key_9 and is_plain:
            weight = (key - Qt.Key.Key_0) / 10 or 1.0
            self.brush_chosen.emit(weight)
            announce(self, f"Brush weight {percent_text(weight)}")
        else:
            super().keyPressEvent(event)

    def _step(self, rows: int, columns: int) -> None:
        """Go to the next cell in a direction, if there is one."""
        cell = self._next_cell(rows, columns)
        if cell is not None:
            self._hover = None
            self.set_cursor(cell)
            self._tell(cell)
            announce(self, self.describe(cell))

    def _next_cell(self, rows: int, columns: int) -> int | None:
        """Return the nearest cell in a direction that stands for combos, if there is one."""
        row, column = divmod(self._cursor, self._side_count)
        ahead = (self._cell_of(row + i * rows, column + i * columns) for i in range(1, self._side_count))
        return next((cell for cell in ahead if cell is not None), None)

    def focusInEvent(self, _event: QFocusEvent) -> None:
        self._tell(self._cursor)
        self.update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        self.update()

    def _paint_cell(self, painter: QPainter, rect: QRectF, name: str, weight: float, is_blocked: bool) -> None:
        """Paint what stands in a cell: its fill, name, weight, and a line through what is blocked."""
        theme = self._theme.theme
        side = rect.height()
        if weight > 0:
            high = max(2.0, weight * rect.height())
            fill = QColor(theme.heat[1 if is_blocked else 2])
            painter.fillRect(QRectF(rect.x(), rect.bottom() - high, rect.width(), high), fill)
        has_number = 0 < weight < 1 and not is_blocked and side > _NUMBER_SIDE * self.fontMetrics().height()
        painter.setPen(QColor(theme.text_muted if is_blocked else theme.text))
        font = QFont(self.font())
        font.setPixelSize(max(8, round((0.32 if len(name) < 4 else 0.27) * side)))
        painter.setFont(font)
        part = 0.0 if not name else 0.58 if has_number else 1.0
        upper = QRectF(rect.x(), rect.y(), rect.width(), part * side)
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, name)
        if has_number:
            font.setPixelSize(max(8, round(0.25 * side)))
            painter.setFont(font)
            lower = QRectF(rect.x(), upper.bottom(), rect.width(), rect.bottom() - upper.bottom())
            painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, percent_text(weight))
        if is_blocked:
            painter.setPen(QPen(QColor(theme.text_muted), 1))
            painter.drawLine(rect.topLeft(), rect.bottomRight())

    def _paint_frames(self, painter: QPainter, gap: float) -> None:
        theme = self._theme.theme
        if self._hover is not None:
            painter.setPen(QPen(QColor(theme.text_muted), 1.5))
            painter.drawRect(self.cell_rect(self._hover).adjusted(0.5, 0.5, -gap, -gap))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2.5))
            painter.drawRect(self.cell_rect(self._cursor).adjusted(1, 1, -gap - 0.5, -gap - 0.5))


class PaintGrid(CellGrid):
    """The 13x13 grid; the height of a cell's fill is the mean weight of its unblocked combos.

    Ctrl with a click, or the middle button, only moves the cursor; Enter asks for its combos (`suits_requested`).
    """

    suits_requested = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, 13)
        self._cells = class_cells(EMPTY.weights)
        self.setAccessibleName(
            "Range grid: arrow keys go from hand to hand, space paints or erases, Enter goes to its suits"
        )

    def combos_at(self, cell: int) -> tuple[Combo, ...]:
        return combos_of_class(HandClass(cell))

    def describe(self, cell: int) -> str:
        return describe_class(cell, self.hands, self._cells, self._live)

    def _gather(self) -> None:
        self._cells = class_cells(self.hands.weights, self._dead)

    def sizeHint(self) -> QSize:
        side = 13 * round(2.4 * self.fontMetrics().height())
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        side = 13 * round(1.7 * self.fontMetrics().height())
        return QSize(side, side)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.suits_requested.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        gap = 1.0 if self._first_cell().width() < 40 else 1.5
        empty, diagonal, offsuit = QColor(theme.panel_raised), QColor(theme.border), QColor(theme.panel)
        for hand_class in range(CLASS_COUNT):
            row, column = divmod(hand_class, 13)
            rect = self.cell_rect(hand_class).adjusted(0, 0, -gap, -gap)
            painter.fillRect(rect, diagonal if row == column else empty if row < column else offsuit)
            is_blocked = self._cells.unblocked[hand_class] == 0
            weight = float(self._cells.mean[hand_class])
            self._paint_cell(painter, rect, class_name(HandClass(hand_class)), weight, bool(is_blocked))
        if not self.hasFocus():
            # Which class the grid by suit shows.
            painter.setPen(QPen(QColor(theme.text_muted), 1.5, Qt.PenStyle.DashLine))
            painter.drawRect(self.cell_rect(self._cursor).adjusted(0.5, 0.5, -gap, -gap))
        self._paint_frames(painter, gap)


class SuitGrid(CellGrid):
    """The 4, 6 or 12 combos of one hand class: rows and columns are the suits of the cards; Enter or Esc leaves."""

    left = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, 4)
        self._hand_class = -1
        self._places: dict[int, SuitCell] = {}
        self.show_class(0)

    def show_class(self, hand_class: int) -> None:
        """Show the combos of another class."""
        if hand_class == self._hand_class:
            return
        self._hand_class = hand_class
        self._places = {4 * cell.row + cell.column: cell for cell in suit_cells(hand_class)}
        self._hover = None
        self._cursor = min(self._places)
        self.setAccessibleName(
            f"Combos of {class_name(HandClass(hand_class))} by suit: arrow keys go from combo to combo, space "
            "paints or erases, Enter goes back"
        )
        self.setAccessibleDescription(self.describe(self._cursor))
        self.update()

    def combos_at(self, cell: int) -> tuple[Combo, ...]:
        place = self._places.get(cell)
        return () if place is None else (place.combo,)

    def describe(self, cell: int) -> str:
        combo = self._places[cell].combo
        return describe_combo(combo, float(self.hands.weights[combo]), is_blocked=not self._live[combo])

    def _chosen_at(self, cell: int) -> tuple[Combo, ...]:
        return self.combos_at(cell)  # one combo is chosen by hand: no filter of suits applies

    def _next_cell(self, rows: int, columns: int) -> int | None:
        cell = super()._next_cell(rows, columns)
        if cell is not None:
            return cell
        # Suited hands lie on a diagonal: where no combo is straight ahead, the next in reading order is.
        order = sorted(self._places)
        at = order.index(self._cursor) + rows + columns
        return order[at] if 0 <= at < len(order) else None

    def _margin(self) -> float:
        return 0.7

    def sizeHint(self) -> QSize:
        side = round(4.7 * 2.3 * self.fontMetrics().height())
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        side = round(4.7 * 1.6 * self.fontMetrics().height())
        return QSize(side, side)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        gap = 1.5
        self._paint_heads(painter)
        for cell, place in self._places.items():
            rect = self.cell_rect(cell).adjusted(0, 0, -gap, -gap)
            painter.fillRect(rect, QColor(theme.panel_raised))
            weight = float(self.hands.weights[place.combo])
            self._paint_cell(painter, rect, "", weight, not self._live[place.combo])
        self._paint_frames(painter, gap)

    def _paint_heads(self, painter: QPainter) -> None:
        first = self._first_cell()
        side, left, top = first.width(), first.x(), first.y()
        row, column = divmod(self._hand_class, 13)
        high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
        font = QFont(self.font())
        font.setPixelSize(max(8, round(min(0.34 * side, 1.1 * self.fontMetrics().height()))))
        painter.setFont(font)
        painter.setPen(QColor(self._theme.theme.text))
        margin = self._margin() * side
        for i, symbol in enumerate(SUIT_SYMBOLS[::-1]):
            column_label = QRectF(left + i * side, top - margin, side, margin)
            row_label = QRectF(left - margin, top + i * side, margin, side)
            painter.drawText(column_label, Qt.AlignmentFlag.AlignCenter, low + symbol)
            painter.drawText(row_label, Qt.AlignmentFlag.AlignCenter, high + symbol)


def _preview_levels(hands: Range, dead: Sequence[Card] = ()) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return what a preview shows of each class: shape (13, 16), 0-255, the last three columns unused."""
    means = class_cells(hands.weights, dead).mean
    levels = np.zeros((13, 16), dtype=np.uint8)  # lines of an image are padded to four bytes
    # Against the largest, and by the root: one combo of twelve would be as good as invisible in proportion.
    largest = max(float(means.max()), 1e-9)
    levels[:, :13] = np.ceil(255 * np.sqrt(means / largest)).reshape(13, 13)
    return levels


def _image(levels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], theme: Theme) -> QImage:
    """Return an image of 13x13 pixels; it needs `levels` as long as it lives."""
    image = QImage(levels.data, 13, 13, 16, QImage.Format.Format_Indexed8)
    image.setColorTable(_colour_table(theme))
    return image


@lru_cache(maxsize=2)
def _colour_table(theme: Theme) -> list[int]:
    return [theme.heat_colour(_PREVIEW_REACH * level / 255).rgb() for level in range(256)]


def preview_pixmap(hands: Range, theme: Theme, side: int, ratio: float) -> QPixmap:
    """Paint a range as a small square preview, its side in logical pixels."""
    levels = _preview_levels(hands)
    pixels = round(side * ratio)
    preview = QPixmap.fromImage(_image(levels, theme)).scaled(pixels, pixels)
    preview.setDevicePixelRatio(ratio)
    return preview


_PREVIEW_LINES = 2.9  # of text, as high as a small preview is


class RangePreview(QAbstractButton):
    """A preview of a range, coloured by weight against the largest; a click opens the editor."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._levels = _preview_levels(EMPTY)
        self._is_empty = True
        self._side = round(_PREVIEW_LINES * self.fontMetrics().height())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_range(self, hands: Range | None, dead: Sequence[Card] = ()) -> None:
        """Show a range without its blocked combos, or nothing."""
        self._is_empty = hands is None
        self._levels = _preview_levels(hands or EMPTY, dead)
        self.setAccessibleDescription("no range" if hands is None else count_text(hands, dead))
        self.update()

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()

    def set_side(self, side: int) -> None:
        """Take another size, in pixels."""
        if side != self._side:
            self._side = side
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme.theme
        painter = QPainter(self)
        rect = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.setOpacity(0.5 if self._is_empty else 1.0)
        painter.drawImage(rect, _image(self._levels, theme))
        painter.setOpacity(1.0)
        is_lit = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(theme.accent if is_lit else theme.border), 2 if self.hasFocus() else 1))
        painter.drawRect(rect)
