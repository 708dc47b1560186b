"""Tiles: one opponent's range with its figures, and many of them laid out so that their grids are largest."""

from dataclasses import dataclass
from textwrap import fill

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QWidget,
)

from engine.agents.value_reasons import capital, rounded_parts
from engine.cards import HoleCards
from trainer.reading.range_grid import SIDE, RangeGrid
from trainer.reading.range_menu import RangeMenu
from trainer.reading.range_model import (
    EFFECTIVE_TIP,
    POSITION_SHORT,
    SHARE_NAMES,
    OpponentRange,
    Truth,
    share_texts,
)
from trainer.theme import Theme, ThemeSource, ink_on
from trainer.widgets.painted import FittedToFont, Painted

_GAP = 5
_SIDE_TEXT = 10.7  # least width of the text next to a grid, in line heights
_TALL_TILE = 12  # from this height in lines on, a tile has three lines of text above its grid, otherwise two
_MOST_LINES = 5  # a sentence that would take more lines in a narrow tile is left to the enlarged view

_BAR = 0.93  # height of the shares' bar with its gaps, in lines


def side_text(metrics: QFontMetricsF) -> float:
    """Return the least width in pixels of the text next to a grid."""
    return _SIDE_TEXT * metrics.height()


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a tile puts its grid and its text."""

    grid: QRect
    text: QRectF
    is_text_right: bool


class RangeTile(Painted):
    """One opponent: name, last action, effective combos, the grid, and the shares of kinds of hands."""

    chosen = Signal(object)  # seat
    cell_hovered = Signal(object, object)  # seat, hand class or None
    odds_requested = Signal(object)  # RangeAsked
    all_odds_requested = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._range: OpponentRange | None = None
        self._truth: Truth | None = None
        self._text_layer: QPixmap | None = None
        self.menu: RangeMenu | None = None
        self.grid = RangeGrid(theme, self)
        self.grid.cell_hovered.connect(self._on_cell_hovered)
        self.grid.cell_activated.connect(self._on_cell_activated)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_range(self, opponent: OpponentRange) -> None:
        """Show an opponent's range as it is at the end."""
        self._range = opponent
        self.grid.show_grid(opponent.grid())
        self.grid.set_even_words(opponent.even_words)
        self.grid.set_describe(self._describe)
        name = f"{opponent.name}, {opponent.position}" if opponent.position else opponent.name
        spoken = f"{name}, {opponent.last_action}, {opponent.effective:,.0f} effective combos"
        self.setAccessibleName(spoken)
        self.grid.setAccessibleName(f"Range: {spoken}")
        self.setToolTip("\n".join(filter(None, (self._shares_text(), fill(EFFECTIVE_TIP, 84)))))
        self._repaint_text()

    def set_truth(self, hole_cards: HoleCards | None) -> None:
        """Mark the hand that was really held, or none."""
        self._truth = self._range.truth(hole_cards) if hole_cards and self._range else None
        self.grid.set_truth(self._truth.hand_class if self._truth else None)
        self._repaint_text()

    def _repaint_text(self) -> None:
        self._text_layer = None
        self.update()

    def _describe(self, hand_class: int) -> str:
        return self._range.details(hand_class).lines if self._range else ""

    def _shares_text(self) -> str:
        if self._range is None or self._range.shares is None:
            return ""
        pairs = zip(SHARE_NAMES, share_texts(self._range.shares), strict=True)
        return ", ".join(f"{name} {share}" for name, share in pairs)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._repaint_text()

    def _on_cell_hovered(self, hand_class: int | None) -> None:
        if self._range is not None:
            self.cell_hovered.emit(self._range.seat, hand_class)

    def _on_cell_activated(self, _hand_class: int) -> None:
        if self._range is not None:
            self.chosen.emit(self._range.seat)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._range is not None:
            self.chosen.emit(self._range.seat)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._range is None:
            return
        cell, place = self.grid.cell_of_menu(event)
        self.menu = RangeMenu(self._range, None, cell, self)
        self.menu.odds_requested.connect(self.odds_requested)
        self.menu.all_odds_requested.connect(self.all_odds_requested)
        self.menu.popup(place)

    # Layout and painting

    @staticmethod
    def header_lines(height: float, metrics: QFontMetricsF) -> int:
        """Return how many lines of text a tile has above its grid."""
        return 3 if height >= _TALL_TILE * metrics.height() else 2

    @classmethod
    def _sides(cls, width: float, height: float, metrics: QFontMetricsF) -> tuple[float, float]:
        """Return how large a grid gets in a tile of a size with its text above, and with its text next to it."""
        line = metrics.height()
        above = min(width, height - (cls.header_lines(height, metrics) + _BAR) * line)
        return above, min(height, width - side_text(metrics))

    @classmethod
    def grid_side(cls, width: float, height: float, metrics: QFontMetricsF) -> float:
        """Return how large a grid gets in a tile of a size, with its text where there is more room."""
        return max(cls._sides(width, height, metrics))

    def _places(self) -> _Places:
        metrics = QFontMetricsF(self.font())
        width, height = self.width(), self.height()
        above, right = self._sides(width, height, metrics)
        header = (self.header_lines(height, metrics) + _BAR) * metrics.height()
        if right >= above:
            side = int(right)
            return _Places(QRect(0, 0, side, side), QRectF(side + 10, 0, width - side - 10, height), True)
        side = int(above)
        # Text and grid share their left edge when the tile is wider than the grid.
        left = (width - side) // 2
        return _Places(
            QRect(left, int(header), side, side), QRectF(max(0, left - 14), 0, min(width, side + 28), header), False
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.grid.setGeometry(self._places().grid)
        self._text_layer = None

    def _fit_to_font(self) -> None:
        self.grid.setGeometry(self._places().grid)
        self._repaint_text()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._range is None:
            return
        ratio = self.devicePixelRatioF()
        if self._text_layer is None or self._text_layer.devicePixelRatio() != ratio:
            # Kept, since the grid repaints this widget under it at every move of the mouse.
            self._text_layer = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
            self._text_layer.setDevicePixelRatio(ratio)
            self._text_layer.fill(Qt.GlobalColor.transparent)
            layer = QPainter(self._text_layer)
            layer.setFont(self.font())
            self._paint_text(layer)
            layer.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._text_layer)
        painter.end()

    def _paint_text(self, painter: QPainter) -> None:
        places = self._places()
        if places.is_text_right:
            self._paint_right(painter, places.text)
        else:
            self._paint_above(painter, places.text)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def _line(self, painter: QPainter, box: QRectF, text: str, colour: str) -> None:
        painter.setPen(QColor(colour))
        elided = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)

    def _name_line(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        theme = self._theme.theme
        painter.setFont(self._bold())
        metrics = QFontMetricsF(painter.font())
        name = metrics.elidedText(self._range.name, Qt.TextElideMode.ElideRight, box.width())
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        used = metrics.horizontalAdvance(name) + 6
        painter.setFont(self.font())
        position = self._range.position
        if QFontMetricsF(self.font()).horizontalAdvance(position) > box.width() - used:
            position = POSITION_SHORT[position]
        if box.width() - used > 20:
            self._line(painter, box.adjusted(used, 0, 0, 0), position, theme.text_muted)

    def _paint_above(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        theme, height = self._theme.theme, QFontMetricsF(self.font()).height()
        line = QRectF(box.x(), box.y(), box.width(), height)
        self._name_line(painter, line)
        second, third = line.translated(0, height), line.translated(0, 2 * height)
        lines = self.header_lines(self.height(), QFontMetricsF(self.font()))
        action = f"{self._range.last_action}, {self._range.effective:,.0f} effective"
        if lines == 3 or QFontMetricsF(self.font()).horizontalAdvance(action) > box.width():
            action = self._range.last_action  # the tool tip has the number as well
        if self._truth:
            self._line(painter, third if lines == 3 else second, self._truth.short, theme.truth)
        if lines == 3 or not self._truth:
            self._line(painter, second, action, theme.text_muted)
        if lines == 3 and not self._truth:
            self._line(painter, third, self._effective(third), theme.text)
        if self._range.shares:
            self._paint_bar(painter, QRectF(box.x(), box.y() + lines * height, box.width(), 0.8 * height))
        below = self.grid.geometry().bottom() + 5
        self._paint_sentence(painter, QRectF(box.x(), below, box.width(), self.height() - below))

    def _effective(self, box: QRectF) -> str:
        """Return the effective combos in the fullest words that there is room for."""
        assert self._range is not None
        number, metrics = f"{self._range.effective:,.0f}", QFontMetricsF(self.font())
        words = ("effective combos", "effective", "combos")
        texts = [f"{number} {one}" for one in words]
        return next((text for text in texts if metrics.horizontalAdvance(text) <= box.width()), texts[-1])

    def _paint_sentence(self, painter: QPainter, box: QRectF) -> None:
        """Write what the newest action did, if all of it has room."""
        assert self._range is not None
        sentence = self._range.sentence(len(self._range.steps) - 1)
        painter.setPen(QColor(self._theme.theme.text_muted))
        needed = painter.boundingRect(box, int(Qt.TextFlag.TextWordWrap), sentence)
        room = min(box.height(), _MOST_LINES * QFontMetricsF(painter.font()).lineSpacing() + 1)
        if 0 < needed.height() <= room and needed.width() <= box.width():
            painter.drawText(box, int(Qt.TextFlag.TextWordWrap), sentence)

    def _paint_right(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        theme, height = self._theme.theme, QFontMetricsF(self.font()).height()
        line = QRectF(box.x(), box.y(), box.width(), height)
        self._name_line(painter, line)
        self._line(painter, line.translated(0, height), self._range.last_action, theme.text_muted)
        third = line.translated(0, 2 * height)
        self._line(painter, third, self._effective(third), theme.text)
        top = 3 * height + 4
        if self._range.shares:
            self._paint_bar(painter, QRectF(box.x(), box.y() + top, box.width(), 0.93 * height))
            top += round(1.2 * height)
            lines = len(SHARE_NAMES) * height
            if box.height() > top + lines:
                self._paint_share_lines(painter, line.translated(0, top))
                top += lines + 4
        rest = box.adjusted(0, top, 0, 0)
        if self._truth and rest.height() > 2 * height:
            painter.setPen(QColor(theme.truth))
            used = painter.drawText(rest, int(Qt.TextFlag.TextWordWrap), capital(self._truth.text))
            rest = rest.adjusted(0, used.height() + 6, 0, 0)
        self._paint_sentence(painter, rest)

    def _paint_share_lines(self, painter: QPainter, line: QRectF) -> None:
        assert self._range is not None
        assert self._range.shares is not None
        theme, height = self._theme.theme, line.height()
        for index, (name, share) in enumerate(zip(SHARE_NAMES, share_texts(self._range.shares), strict=True)):
            row = line.translated(0, index * height)
            sign = 0.64 * height
            painter.fillRect(
                QRectF(row.x(), row.y() + (height - sign) / 2, sign, sign), QColor(theme.shares[index])
            )
            self._line(painter, row.adjusted(1.7 * sign, 0, 0, 0), name, theme.text)
            painter.setPen(QColor(theme.text))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(row.x(), row.y(), min(row.width(), 10.3 * height), height), right, share)

    def _paint_bar(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        assert self._range.shares is not None
        metrics = QFontMetricsF(self.font())
        left = box.x()
        shares = self._range.shares
        for index, (share, rounded) in enumerate(zip(shares, rounded_parts(shares), strict=True)):
            part = QRectF(left, box.y(), share * box.width(), box.height())
            colour = QColor(self._theme.theme.shares[index])
            painter.fillRect(part, colour)
            text = f"{rounded:.0f}"
            if metrics.horizontalAdvance(text) + 4 <= part.width():
                painter.setPen(ink_on(colour))
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, text)
            left = part.right()


class TileArea(FittedToFont):
    """Lays tiles out in the number of columns that makes their grids largest."""

    def __init__(self) -> None:
        super().__init__()
        self.tiles: list[RangeTile] = []

    def arrange(self) -> None:
        count = len(self.tiles)
        if not count:
            return
        metrics = QFontMetricsF(self.font())

        def cell_size(columns: int) -> tuple[int, int]:
            """Return the size of a cell in whole pixels, then how few columns there are."""
            rows = -(-count // columns)
            width, height = (self.width() + _GAP) / columns - _GAP, (self.height() + _GAP) / rows - _GAP
            return int(RangeTile.grid_side(width, height, metrics)) // SIDE, -columns

        columns = max(range(1, count + 1), key=cell_size)
        rows = -(-count // columns)
        width, height = (self.width() + _GAP) / columns, (self.height() + _GAP) / rows
        for index, tile in enumerate(self.tiles):
            row, column = divmod(index, columns)
            tile.setGeometry(round(column * width), round(row * height), int(width - _GAP), int(height - _GAP))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def _fit_to_font(self) -> None:
        self.arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 110)
