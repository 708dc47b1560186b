"""Cells in rows and columns, painted by one widget: where they are, what they say, how the keys move."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trainer.theme import ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.painted import Painted
from trainer.widgets.text_field import plain_tip


class Cells(Painted):
    """Equal cells that can be pointed at, each with its text as a tool tip."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def describe(self, cell: int) -> str:
        """Say what a cell holds; "" if there is nothing to say."""
        raise NotImplementedError

    def _first_cell(self) -> QRectF:
        """Return where the first cell is; the others follow without gaps."""
        raise NotImplementedError

    def _shape(self) -> tuple[int, int]:
        """Return the number of rows and of columns."""
        raise NotImplementedError

    def _place_of(self, cell: int) -> tuple[int, int]:
        return divmod(cell, self._shape()[1])

    def _cell_of(self, row: int, column: int) -> int | None:
        """Return the cell in a row and column, None if there is none."""
        rows, columns = self._shape()
        return columns * row + column if 0 <= row < rows and 0 <= column < columns else None

    def cell_rect(self, cell: int) -> QRectF:
        """Return where a cell is painted, in the widget's coordinates."""
        first = self._first_cell()
        row, column = self._place_of(cell)
        return first.translated(column * first.width(), row * first.height())

    def cell_at(self, position: QPointF | QPoint) -> int | None:
        """Return the cell painted at a position, None outside them."""
        return self._cell_of(*self._place_at(position))

    def _place_at(self, position: QPointF | QPoint) -> tuple[int, int]:
        """Return row and column of a position, which may lie outside."""
        first = self._first_cell()
        row = int((position.y() - first.y()) // first.height())
        return row, int((position.x() - first.x()) // first.width())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(event.pos())
            text = "" if cell is None else self.describe(cell)
            if cell is not None and text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self, self.cell_rect(cell).toAlignedRect())
                return True
            QToolTip.hideText()
        return super().event(event)


class NavigableCells(Cells):
    """Cells that are looked at: by mouse, or with the arrow keys, Home and End; Enter or Space activates one."""

    cell_hovered = Signal(object)  # the cell under the mouse or with the focus; None when there is neither
    cell_activated = Signal(object)  # the cell

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._hovered: int | None = None
        self._focused = 0

    @property
    def current(self) -> int | None:
        """The cell under the mouse, else that with the focus."""
        return self._hovered if self._hovered is not None else self._focused if self.hasFocus() else None

    @property
    def focused_cell(self) -> int:
        """The cell that the arrow keys stand on."""
        return self._focused

    def set_focused_cell(self, cell: int) -> None:
        """Let the arrow keys stand on a cell."""
        self._focused = cell
        self._announce_focused()
        self.update()

    def _announce_focused(self) -> None:
        # Nobody hears of a cell before these have the focus, and describing one can cost more than painting all.
        if self.hasFocus():
            text = self.describe(self._focused)
            self.setAccessibleDescription(text)
            announce(self, text)

    def _hover(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.update()
            self.cell_hovered.emit(self.current)

    def _paint_outlines(self, painter: QPainter, gap: float) -> None:
        """Outline the cell under the mouse and that with the focus; `gap` is left free between cells."""
        theme = self._theme.theme
        painter.setBrush(Qt.BrushStyle.NoBrush)
        focused = self._focused if self.hasFocus() else None
        for cell, colour, width in ((self._hovered, theme.text, 1.5), (focused, theme.accent, 2.0)):
            if cell is not None:
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRect(self.cell_rect(cell).adjusted(0.5, 0.5, -0.5 - gap, -0.5 - gap))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.cell_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and cell is not None:
            self.set_focused_cell(cell)
            self.cell_activated.emit(cell)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._announce_focused()
        self._focus_changed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focus_changed()

    def _focus_changed(self) -> None:
        self.update()
        if self._hovered is None:
            self.cell_hovered.emit(self.current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows, columns = self._shape()
        row, column = self._place_of(self._focused)
        key = event.key()
        moves = {
            Qt.Key.Key_Left: (row, max(column - 1, 0)),
            Qt.Key.Key_Right: (row, min(column + 1, columns - 1)),
            Qt.Key.Key_Up: (max(row - 1, 0), column),
            Qt.Key.Key_Down: (min(row + 1, rows - 1), column),
            Qt.Key.Key_Home: (0, 0),
            Qt.Key.Key_End: (rows - 1, columns - 1),
        }
        # Ctrl and Alt with a key are shortcuts and mnemonics.
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            super().keyPressEvent(event)
        elif key in moves:
            cell = self._cell_of(*moves[Qt.Key(key)])
            if cell is not None:
                self._hovered = None
                self.set_focused_cell(cell)
                self.cell_hovered.emit(cell)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.cell_activated.emit(self._focused)
        else:
            super().keyPressEvent(event)
