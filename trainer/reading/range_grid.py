"""A range as a 13x13 heatmap: pairs on the diagonal, suited hands above it, offsuit below.

Qt scales a 13x13 image; names and lines are pixmaps shared by all grids of one size: nine repaint in a millisecond.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QImage,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPixmapCache,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.cards import class_name
from engine.words import listed
from trainer.reading.range_model import SHARE_NAMES, GridView
from trainer.theme import Theme, ThemeSource, ink_on
from trainer.widgets.cells import NavigableCells
from trainer.widgets.painted import Painted

SIDE = 13
_SMALLEST_POINTS = 8.5
_SMALLEST_PAIR = 5.5  # in points, where a cell holds its name and a number below it
_FAINT = 0.2  # of the shade that the rest of a range would have
_NOTCH_CELL = 13  # cells narrower than this many pixels show no notch for partly blocked classes
_DARK_INK, _LIGHT_INK, _MUTED_INK = range(3)
_MUTED_BELOW = 10  # names of cells below this 255th of the largest are muted, so that the range itself stands out
_FULL_SIZES = np.array(
    [6 if row == column else 4 if row < column else 12 for row in range(SIDE) for column in range(SIDE)]
)


class RangeGrid(NavigableCells):
    """Shows one range; its cells are hand classes."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._grid: GridView | None = None
        self._whole: GridView | None = None
        self._truth: int | None = None
        self._numbers = False
        self._describe: Callable[[int], str] | None = None
        self._even_words = "every hand alike"
        self._pixels = np.zeros((SIDE, SIDE), dtype=np.uint32)
        self._image = QImage(self._pixels.data, SIDE, SIDE, 4 * SIDE, QImage.Format.Format_RGB32)
        self._overlay: QPixmap | None = None
        self.setAccessibleName("Range")
        self._take_colours()

    def show_grid(self, grid: GridView | None, whole: GridView | None = None) -> None:
        """Show a range, or an empty grid; of a part of a range with the rest of the whole faintly behind it."""
        self._grid = grid
        self._whole = whole
        self._take_colours()

    def set_even_words(self, words: str) -> None:
        """Say this instead of drawing a range in which all hands are alike."""
        if words != self._even_words:
            self._even_words = words
            self._overlay = None
            self.update()

    def set_describe(self, describe: Callable[[int], str] | None) -> None:
        """Set the source of a cell's text, for the tool tip and the screen reader."""
        self._describe = describe
        self._announce_focused()

    def set_truth(self, hand_class: int | None) -> None:
        """Ring the class that was really held, or none."""
        if hand_class != self._truth:
            self._truth = hand_class
            self.update()

    def set_numbers(self, is_shown: bool) -> None:
        """Write each cell's value in percent of the largest below its name, where there is room for both."""
        if is_shown != self._numbers:
            self._numbers = is_shown
            self._overlay = None
            self.update()

    def describe(self, cell: int) -> str:
        return self._describe(cell) if self._describe else class_name(cell)

    def cell_of_menu(self, event: QContextMenuEvent) -> tuple[int | None, QPoint]:
        """Return the class a menu is asked for (by key that with the focus; None outside) and where it opens."""
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            return self.cell_at(self.mapFromGlobal(event.globalPos())), event.globalPos()
        if not self.hasFocus():
            return None, self.mapToGlobal(self.rect().center())
        return self._focused, self.mapToGlobal(self.cell_rect(self._focused).center().toPoint())

    def _shape(self) -> tuple[int, int]:
        return SIDE, SIDE

    def _first_cell(self) -> QRectF:
        """Return where the first cell is, so that cells are whole device pixels."""
        ratio = self.devicePixelRatioF()
        cell = max(int(min(self.width(), self.height()) * ratio) // SIDE, 1) / ratio
        left, top = ((extent - SIDE * cell) / 2 for extent in (self.width(), self.height()))
        return QRectF(round(left * ratio) / ratio, round(top * ratio) / ratio, cell, cell)

    def _take_colours(self) -> None:
        colours, self._inks = _ramp(self._theme.theme)
        blocked = QColor(self._theme.theme.heat_blocked).rgb()
        if self._grid is None:
            self._pixels[:] = blocked
            self._shades = np.zeros(SIDE * SIDE, dtype=np.intp)
        else:
            values = np.zeros_like(self._grid.values) if self._is_even else self._grid.values
            if self._whole is not None:
                values = np.maximum(values, _FAINT * self._whole.values)
            self._shades = np.rint(np.clip(values, 0, 1) * 255).astype(np.intp)
            self._pixels.reshape(-1)[:] = np.where(self._grid.live > 0, colours[self._shades], blocked)
        self._overlay = None
        self.update()

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._take_colours()

    @property
    def _is_even(self) -> bool:
        return self._grid is not None and self._whole is None and self._grid.is_even

    # Painting

    def _font(self, cell: float, least: float = _SMALLEST_POINTS, lines: int = 1) -> QFont:
        """Return the font of so many lines in a cell: as large as fits, but not below the least size in points."""
        font = QFont(self.font())
        font.setPointSizeF(least)
        font.setStretch(QFont.Stretch.Condensed)
        while font.pointSizeF() < 30:
            font.setPointSizeF(font.pointSizeF() + 0.5)
            metrics = QFontMetricsF(font, self)
            if metrics.horizontalAdvance("QTo") >= 0.8 * cell or lines * metrics.ascent() > 0.9 * cell:
                font.setPointSizeF(font.pointSizeF() - 0.5)
                break
        return font

    def _labels(self, cell: float) -> str:
        """Return what fits into a cell: names, with numbers if they are wanted, or ranks on the diagonal."""
        if self._is_even:
            return "even"
        if self._numbers and self._fits(self._font(cell, _SMALLEST_PAIR, 2), cell, 2):
            return "both"
        return "names" if self._fits(self._font(cell), cell, 1) else "ranks"

    def _fits(self, font: QFont, cell: float, lines: int) -> bool:
        metrics = QFontMetricsF(font, self)
        return metrics.horizontalAdvance("QTo") <= cell - 1 and lines * metrics.ascent() <= cell - 2

    def paintEvent(self, _event: QPaintEvent) -> None:
        first = self._first_cell()
        cell = first.width()
        side = SIDE * cell
        if self._overlay is None or self._overlay.width() != round(side * self.devicePixelRatioF()):
            self._overlay = self._make_overlay(cell)
        painter = QPainter(self)
        painter.drawImage(QRectF(first.x(), first.y(), side, side), self._image)
        painter.drawPixmap(first.topLeft(), self._overlay)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_marks(painter, cell)
        painter.end()

    def _make_overlay(self, cell: float) -> QPixmap:
        """Draw all that lies over the colours: lines, labels, hatches and notches."""
        labels = "none" if self._grid is None else self._labels(cell)
        overlay = self._blank(cell)
        painter = QPainter(overlay)
        if labels == "names":
            self._paint_runs(painter, cell)
        else:
            painter.drawPixmap(0, 0, self._layer("none", cell, _DARK_INK))
        if labels == "both":
            self._paint_pairs(painter, cell)
        if self._grid is not None:
            painter.drawPixmap(0, 0, self._blocked_layer(self._grid, cell))
        if labels == "ranks":
            self._paint_ranks(painter, cell)
        elif labels == "even":
            self._paint_even(painter, SIDE * cell)
        painter.end()
        return overlay

    def _paint_runs(self, painter: QPainter, cell: float) -> None:
        """Copy lines and names, each stretch of a row from the layer of its ink."""
        ratio = self.devicePixelRatioF()
        layers = [self._layer("names", cell, ink) for ink in (_DARK_INK, _LIGHT_INK, _MUTED_INK)]
        for row, first, last, ink in _runs(self._inks[self._shades].reshape(SIDE, SIDE)):
            source = QRectF(first * cell * ratio, row * cell * ratio, (last - first) * cell * ratio, cell * ratio)
            target = QRectF(first * cell, row * cell, (last - first) * cell, cell)
            painter.drawPixmap(target, layers[ink], source)

    def _paint_pairs(self, painter: QPainter, cell: float) -> None:
        """Write each name with its number below it."""
        assert self._grid is not None
        painter.setFont(self._font(cell, _SMALLEST_PAIR, 2))
        for hand_class in np.flatnonzero(self._grid.live).tolist():
            row, column = divmod(hand_class, SIDE)
            painter.setPen(self._ink(int(self._inks[self._shades[hand_class]])))
            half = QRectF(column * cell - 4, row * cell, cell + 8, cell / 2 + 1)
            painter.drawText(half, Qt.AlignmentFlag.AlignCenter, class_name(hand_class))
            number = f"{100 * self._grid.values[hand_class]:.0f}"
            painter.drawText(half.translated(0, cell / 2 - 1), Qt.AlignmentFlag.AlignCenter, number)

    def _paint_ranks(self, painter: QPainter, cell: float) -> None:
        """Write the ranks along the diagonal, as many of them as stand clear of each other."""
        painter.setFont(self._font(cell))
        metrics = QFontMetricsF(painter.font(), self)
        extent = metrics.ascent() - metrics.descent() + 4
        plate = QColor(self._theme.theme.panel)
        plate.setAlpha(215)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in range(0, SIDE, math.ceil(extent / cell)):
            middle = (place + 0.5) * cell
            box = QRectF(0, 0, extent, extent)
            box.moveCenter(QPointF(middle, middle))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(plate)
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(QColor(self._theme.theme.text))
            painter.drawText(
                box.adjusted(-4, -4, 4, 4), Qt.AlignmentFlag.AlignCenter, class_name(place * (SIDE + 1))[0]
            )

    def _paint_even(self, painter: QPainter, side: float) -> None:
        """Say why there is nothing to see."""
        font = QFont(self.font())
        box = QRectF(2, 0, side - 4, side)
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        words = QFontMetricsF(font, self).boundingRect(box, flags, self._even_words)
        plate = QColor(self._theme.theme.panel)
        plate.setAlpha(235)
        painter.fillRect(words.adjusted(-5, -3, 5, 3), plate)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.theme.text_muted))
        painter.drawText(box, flags, self._even_words)

    def _ink(self, ink: int) -> QColor:
        if ink == _MUTED_INK:
            return QColor(self._theme.theme.text_muted)
        return ink_on(QColor(Qt.GlobalColor.white if ink == _DARK_INK else Qt.GlobalColor.black))

    def _layer(self, labels: str, cell: float, ink: int) -> QPixmap:
        """Return lines and labels in one ink, from the cache that all grids share."""
        ratio = self.devicePixelRatioF()
        theme = self._theme.theme
        key = f"range-grid {labels} {cell} {ratio} {ink} {theme.panel} {theme.text_muted} {self.font().family()}"
        layer = QPixmap()
        if not QPixmapCache.find(key, layer):
            layer = self._blank(cell)
            painter = QPainter(layer)
            self._draw_lines(painter, cell)
            painter.setFont(self._font(cell))
            painter.setPen(self._ink(ink))
            for hand_class in range(SIDE * SIDE if labels == "names" else 0):
                row, column = divmod(hand_class, SIDE)
                box = QRectF(column * cell - 4, row * cell, cell + 8, cell)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, class_name(hand_class))
            painter.end()
            QPixmapCache.insert(key, layer)
        return layer

    def _blank(self, cell: float) -> QPixmap:
        ratio = self.devicePixelRatioF()
        extent = round(SIDE * cell * ratio)
        layer = QPixmap(extent, extent)
        layer.setDevicePixelRatio(ratio)
        layer.fill(Qt.GlobalColor.transparent)
        return layer

    def _draw_lines(self, painter: QPainter, cell: float) -> None:
        if cell < 5:
            return
        width = 1 / self.devicePixelRatioF() if cell < 16 else 1.0
        for index in range(1, SIDE):
            painter.fillRect(QRectF(index * cell, 0, width, SIDE * cell), QColor(self._theme.theme.panel))
            painter.fillRect(QRectF(0, index * cell, SIDE * cell, width), QColor(self._theme.theme.panel))

    def _blocked_layer(self, grid: GridView, cell: float) -> QPixmap:
        """Return hatches and notches, from the cache: every opponent's grid has the same until a card is dealt."""
        theme, ratio = self._theme.theme, self.devicePixelRatioF()
        blockers = grid.live.tobytes().hex() + grid.own_blocked.tobytes().hex()
        key = f"range-grid blocked {cell} {ratio} {theme.accent} {theme.text_muted} {blockers}"
        layer = QPixmap()
        if QPixmapCache.find(key, layer):
            return layer
        layer = self._blank(cell)
        painter = QPainter(layer)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        hatch = QBrush(QColor(theme.text_muted), Qt.BrushStyle.BDiagPattern)
        size = min(max(0.2 * cell, 3.5), 8.0)
        for hand_class in np.flatnonzero(grid.live < _FULL_SIZES).tolist():
            row, column = divmod(hand_class, SIDE)
            box = QRectF(column * cell, row * cell, cell, cell)
            if grid.live[hand_class] == 0:
                painter.fillRect(box, hatch)
            elif cell >= _NOTCH_CELL:
                painter.setBrush(QColor(theme.accent if grid.own_blocked[hand_class] else theme.text_muted))
                corner = box.bottomRight()
                painter.drawPolygon(QPolygonF([corner, corner - QPointF(size, 0), corner - QPointF(0, size)]))
        painter.end()
        QPixmapCache.insert(key, layer)
        return layer

    def _paint_marks(self, painter: QPainter, cell: float) -> None:
        self._paint_outlines(painter, gap=0)
        theme = self._theme.theme
        if self._truth is not None:
            width = min(max(2.0, 0.11 * cell), 3.0)
            grow = width / 2 if cell < 18 else 0.0
            ring = self.cell_rect(self._truth).adjusted(-grow, -grow, grow, grow)
            radius = 0.25 * cell
            painter.setPen(QPen(QColor(theme.panel), width + 2))
            painter.drawRoundedRect(ring, radius, radius)
            painter.setPen(QPen(QColor(theme.truth), width))
            painter.drawRoundedRect(ring, radius, radius)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(260, 260)

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * SIDE, 4 * SIDE)

    def _fit_to_font(self) -> None:
        self._overlay = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._overlay = None
        super().resizeEvent(event)


class HeatLegend(Painted):
    """Says what the grids' colours and marks mean; boxes are so many line heights wide."""

    _SIGNS = (
        ("heat", "0 – likeliest", 4),
        ("hatch", "blocked", 1),
        ("notch", "partly", 1),
        ("ring", "held", 1),
        *((str(kind), name, 1) for kind, name in enumerate(SHARE_NAMES)),
    )

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the range grids")
        text = (
            "Colour: mean probability of a class's live combos, against the likeliest class. "
            "Hatched: no combo is live. Corner: some combos are blocked, in colour by your own cards. "
            f"Ring: the hand really held. Bar: the range's shares of {listed(SHARE_NAMES)} hands."
        )
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self._fit_to_font()

    def _fit_to_font(self) -> None:
        """Put the signs into as many lines as they need."""
        metrics = QFontMetricsF(self.font())
        line, side = round(metrics.height()) + 2, round(0.78 * metrics.height())
        self._boxes: list[tuple[str, str, QRectF, QRectF]] = []
        left, top = 0.0, 0.0
        for kind, text, sides in self._SIGNS:
            width, advance = sides * side, metrics.horizontalAdvance(text) + 1
            if left + width + 3 + advance > self.width() and left > 0:
                left, top = 0.0, top + line
            box = QRectF(left + 0.5, top + (line - side) / 2, width, side)
            self._boxes.append((kind, text, box, QRectF(box.right() + 3, top, advance, line)))
            left = box.right() + 3 + advance + 8
        self.setFixedHeight(round(top) + line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_to_font()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme.theme
        for kind, text, box, space in self._boxes:
            self._paint_sign(painter, kind, box, theme)
            painter.setPen(QColor(theme.text_muted))
            painter.drawText(space, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _paint_sign(self, painter: QPainter, kind: str, box: QRectF, theme: Theme) -> None:
        painter.setPen(QPen(QColor(theme.border), 1))
        if kind == "heat":
            gradient = QLinearGradient(box.topLeft(), box.topRight())
            for index, colour in enumerate(theme.heat):
                gradient.setColorAt(index / (len(theme.heat) - 1), QColor(colour))
            painter.setBrush(gradient)
            painter.drawRect(box)
            return
        if kind == "ring":
            painter.setPen(QPen(QColor(theme.truth), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 3, 3)
            return
        fill = {"hatch": theme.heat_blocked, "notch": theme.heat[1]}.get(kind)
        painter.setBrush(QColor(fill or theme.shares[int(kind)]))
        painter.drawRect(box)
        if kind == "hatch":
            painter.fillRect(box, QBrush(QColor(theme.text_muted), Qt.BrushStyle.BDiagPattern))
        elif kind == "notch":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            corner = box.bottomRight()
            painter.drawPolygon(QPolygonF([corner, corner - QPointF(6, 0), corner - QPointF(0, 6)]))


def _runs(inks: NDArray[np.uint8]) -> Iterator[tuple[int, int, int, int]]:
    """Return row, first, past-the-last column and ink of each run of one ink."""
    for row in range(SIDE):
        edges = [0, *(np.flatnonzero(np.diff(inks[row])) + 1).tolist(), SIDE]
        for first, last in pairwise(edges):
            yield row, first, last, int(inks[row, first])


@cache
def _ramp(theme: Theme) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Return 256 heat colours and the ink of text on each."""
    colours = [theme.heat_colour(index / 255) for index in range(256)]
    inks = np.array([ink_on(colour).lightness() > 128 for colour in colours], dtype=np.uint8)
    inks[:_MUTED_BELOW] = _MUTED_INK
    return np.array([colour.rgb() for colour in colours], dtype=np.uint32), inks
