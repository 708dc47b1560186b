"""The read panel: what every opponent may hold at any point of the hand, and what made it so."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QSlider,
    QStackedLayout,
    QStyle,
    QStyleOptionSlider,
    QStylePainter,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards
from engine.game.events import Seat
from trainer.session_types import PointReading
from trainer.theme import Theme, ThemeSource, ink_on
from trainer.viewmodels.read import (
    POSITION_SHORT,
    SHARE_NAMES,
    STREET_NAMES,
    HandPoint,
    OpponentRange,
    Truth,
    effective_combos,
    figure_line,
    hand_points,
    opponent_ranges,
    percent,
    trust_line,
)
from trainer.viewmodels.rows import RowsModel
from trainer.widgets.range_grid import SIDE, HeatLegend, RangeGrid

_GAP = 5
_HINT = "Point at a cell, or use the arrow keys. A click or Enter enlarges."
_MOST_LINES = 5
"""A sentence that would take more lines in a narrow tile is left to the enlarged view."""
_SIDE_TEXT = 150
"""Least width in pixels of the text beside a grid."""


def make_table(model: RowsModel, name: str, stretched: int) -> QTableView:
    """Give a compact read-only table of a model; `stretched` is the column that takes the spare width."""
    table = QTableView()
    table.setModel(model)
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setMinimumSectionSize(12)
    table.verticalHeader().setDefaultSectionSize(round(QFontMetricsF(table.font()).height()) + 5)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
    return table


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a tile puts its grid and its text."""

    grid: QRect
    text: QRectF
    is_beside: bool


class RangeTile(QWidget):
    """One opponent: name, last action, effective combos, the grid, and the shares of kinds of hands.

    Signals
    -------
    chosen : int
        The seat, when the tile is clicked or Enter is pressed in its grid.
    cell_hovered : int, int or None
        Seat and hand class under the mouse or of the focus cell.
    """

    chosen = Signal(object)
    cell_hovered = Signal(object, object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._range: OpponentRange | None = None
        self._step: int | None = None
        self._truth: Truth | None = None
        self.grid = RangeGrid(theme, self)
        self.grid.cell_hovered.connect(self._on_cell_hovered)
        self.grid.cell_activated.connect(self._on_cell_activated)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self._on_theme_changed)

    def show_range(self, opponent: OpponentRange, step: int | None = None) -> None:
        """Show an opponent's range, at the end or after one of its steps."""
        self._range, self._step = opponent, step
        self.grid.show_grid(opponent.grid(step))
        self.grid.set_describe(self._describe)
        name = f"{opponent.name}, {opponent.position}" if opponent.position else opponent.name
        spoken = f"{name}, {opponent.last_action}, {opponent.effective:.0f} effective combos"
        self.setAccessibleName(spoken)
        self.grid.setAccessibleName(f"Range of {spoken}")
        self.setToolTip(self._shares_text())
        self.update()

    def set_truth(self, hole_cards: HoleCards | None) -> None:
        """Mark the hand that was really held, or none."""
        self._truth = self._range.truth(hole_cards) if hole_cards and self._range else None
        self.grid.set_truth(self._truth.hand_class if self._truth else None)
        self.update()

    def _describe(self, hand_class: int) -> str:
        return self._range.details(hand_class, self._step).lines if self._range else ""

    def _shares_text(self) -> str:
        if self._range is None or self._range.shares is None:
            return ""
        pairs = zip(SHARE_NAMES, self._range.shares, strict=True)
        return ", ".join(f"{name} {percent(share)}" for name, share in pairs)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self.update()

    def _on_cell_hovered(self, hand_class: int | None) -> None:
        if self._range is not None:
            self.cell_hovered.emit(self._range.seat, hand_class)

    def _on_cell_activated(self, _hand_class: int) -> None:
        if self._range is not None:
            self.chosen.emit(self._range.seat)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._range is not None:
            self.chosen.emit(self._range.seat)

    # Layout and painting

    @staticmethod
    def header_height(metrics: QFontMetricsF) -> float:
        """Give the height of the text above a grid."""
        return 3 * metrics.height() + 13

    @classmethod
    def grid_side(cls, width: float, height: float, metrics: QFontMetricsF) -> float:
        """Give how large a grid gets in a tile of a size, with its text where there is more room."""
        above = min(width, height - cls.header_height(metrics))
        return max(above, min(height, width - _SIDE_TEXT))

    def _places(self) -> _Places:
        metrics = QFontMetricsF(self.font())
        header = self.header_height(metrics)
        width, height = self.width(), self.height()
        above, beside = min(width, height - header), min(height, width - _SIDE_TEXT)
        if beside >= above:
            side = int(beside)
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

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._range is None:
            return
        painter = QPainter(self)
        places = self._places()
        if places.is_beside:
            self._paint_beside(painter, places.text)
        else:
            self._paint_above(painter, places.text)
        painter.end()

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
        self._line(painter, line.translated(0, height), self._range.last_action, theme.text_muted)
        third = line.translated(0, 2 * height)
        if self._truth:
            self._line(painter, third, self._truth.short, theme.truth)
        else:
            self._line(painter, third, f"{self._range.effective:.0f} combos", theme.text)
        if self._range.shares:
            self._paint_bar(painter, QRectF(box.x(), box.y() + 3 * height, box.width(), 11))
        below = self.grid.geometry().bottom() + 5
        self._paint_sentence(painter, QRectF(box.x(), below, box.width(), self.height() - below))

    def _paint_sentence(self, painter: QPainter, box: QRectF) -> None:
        """Write what the newest action did, if all of it has room."""
        assert self._range is not None
        sentence = self._range.sentence(len(self._range.steps) - 1 if self._step is None else self._step)
        painter.setPen(QColor(self._theme.theme.text_muted))
        needed = painter.boundingRect(box, int(Qt.TextFlag.TextWordWrap), sentence)
        room = min(box.height(), _MOST_LINES * QFontMetricsF(painter.font()).lineSpacing() + 1)
        if 0 < needed.height() <= room and needed.width() <= box.width():
            painter.drawText(box, int(Qt.TextFlag.TextWordWrap), sentence)

    def _paint_beside(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        theme, height = self._theme.theme, QFontMetricsF(self.font()).height()
        line = QRectF(box.x(), box.y(), box.width(), height)
        self._name_line(painter, line)
        self._line(painter, line.translated(0, height), self._range.last_action, theme.text_muted)
        effective = f"{self._range.effective:.0f} effective combos"
        self._line(painter, line.translated(0, 2 * height), effective, theme.text)
        top = 3 * height + 4
        if self._range.shares:
            self._paint_bar(painter, QRectF(box.x(), box.y() + top, box.width(), 13))
            top += 17
            if box.height() > top + 4 * height:
                self._paint_share_lines(painter, line.translated(0, top))
                top += 4 * height + 4
        rest = box.adjusted(0, top, 0, 0)
        if self._truth and rest.height() > 2 * height:
            painter.setPen(QColor(theme.truth))
            used = painter.drawText(rest, int(Qt.TextFlag.TextWordWrap), _capital(self._truth.text))
            rest = rest.adjusted(0, used.height() + 6, 0, 0)
        self._paint_sentence(painter, rest)

    def _paint_share_lines(self, painter: QPainter, line: QRectF) -> None:
        assert self._range is not None
        assert self._range.shares is not None
        theme, height = self._theme.theme, line.height()
        for index, (name, share) in enumerate(zip(SHARE_NAMES, self._range.shares, strict=True)):
            row = line.translated(0, index * height)
            painter.fillRect(QRectF(row.x(), row.y() + (height - 9) / 2, 9, 9), QColor(theme.shares[index]))
            self._line(painter, row.adjusted(15, 0, 0, 0), name, theme.text)
            painter.setPen(QColor(theme.text))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(row.x(), row.y(), min(row.width(), 130), height), right, percent(share))

    def _paint_bar(self, painter: QPainter, box: QRectF) -> None:
        assert self._range is not None
        assert self._range.shares is not None
        metrics = QFontMetricsF(self.font())
        left = box.x()
        for index, share in enumerate(self._range.shares):
            part = QRectF(left, box.y(), share * box.width(), box.height())
            colour = QColor(self._theme.theme.shares[index])
            painter.fillRect(part, colour)
            text = f"{100 * share:.0f}"
            if metrics.horizontalAdvance(text) + 4 <= part.width():
                painter.setPen(ink_on(colour))
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, text)
            left = part.right()


class TileArea(QWidget):
    """Lays tiles out in the number of columns that makes their grids largest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles: list[RangeTile] = []

    def arrange(self) -> None:
        """Place the tiles anew."""
        count = len(self.tiles)
        if not count:
            return
        metrics = QFontMetricsF(self.font())

        def worth(columns: int) -> tuple[int, int]:
            """Give the size of a cell in whole pixels, then how few columns there are."""
            rows = -(-count // columns)
            width, height = (self.width() + _GAP) / columns - _GAP, (self.height() + _GAP) / rows - _GAP
            return int(RangeTile.grid_side(width, height, metrics)) // SIDE, -columns

        columns = max(range(1, count + 1), key=worth)
        rows = -(-count // columns)
        width, height = (self.width() + _GAP) / columns, (self.height() + _GAP) / rows
        for index, tile in enumerate(self.tiles):
            row, column = divmod(index, columns)
            tile.setGeometry(round(column * width), round(row * height), int(width - _GAP), int(height - _GAP))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 160)


class RangeDetail(QWidget):
    """One range enlarged: the chain of updates and the combos of the class pointed at.

    Signals
    -------
    closed
        Asked to go back to all opponents.
    cell_hovered : int, int or None
        Seat and hand class under the mouse or of the focus cell.
    """

    closed = Signal()
    cell_hovered = Signal(object, object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._range: OpponentRange | None = None
        self._step: int | None = None
        self._cell: int | None = None
        self.grid = RangeGrid(theme)
        self.grid.cell_hovered.connect(self._on_cell_hovered)
        self.grid.cell_activated.connect(self._on_cell_activated)
        self._title = QLabel()
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._chain = RowsModel(("Street", "Action", ">Mean P", ">Combos"), self)
        self.chain_table = make_table(self._chain, "Chain of updates", 1)
        self.chain_table.selectionModel().currentRowChanged.connect(self._on_step_chosen)
        self._combos = RowsModel(("Combo", ">Now", ">Prior", ">P(action)"), self)
        self.combo_table = make_table(self._combos, "Combos of the class", 0)
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setAccessibleName("What the action did to the range")
        self._held = QLabel()
        self._held.setAccessibleName("The hand really held")
        self._held.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._held.hide()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)
        self._lay_out()
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.closed.emit).setContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut
        )

    def _lay_out(self) -> None:
        self._tables = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._tables.setSpacing(4)
        self._tables.addWidget(self.chain_table, 3)
        self._tables.addWidget(self.combo_table, 3)
        beside = QVBoxLayout()
        beside.setSpacing(3)
        beside.addWidget(self._title)
        beside.addLayout(self._tables, 1)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.addWidget(self.grid, 1)
        self._body.addLayout(beside, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(3)
        whole.addLayout(self._body, 1)
        whole.addWidget(self._held)
        whole.addWidget(self._sentence)

    def _on_theme_changed(self, theme: Theme) -> None:
        palette = self._held.palette()
        palette.setColor(self._held.foregroundRole(), QColor(theme.truth))
        self._held.setPalette(palette)

    @property
    def seat(self) -> Seat | None:
        """Whose range is shown."""
        return self._range.seat if self._range else None

    def show_range(self, opponent: OpponentRange, hole_cards: HoleCards | None) -> None:
        """Show an opponent's range after its last step, and the hand really held if known."""
        self._range = opponent
        truth = opponent.truth(hole_cards) if hole_cards else None
        self.grid.set_truth(truth.hand_class if truth else None)
        self.grid.set_describe(self._describe)
        self.grid.setAccessibleName(f"Range of {opponent.name}")
        parts = [opponent.name, opponent.position, f"{opponent.effective:.0f} combos"]
        self._title.setText("  ·  ".join(part for part in parts if part))
        self._held.setText(_capital(truth.text) if truth else "")
        self._held.setVisible(truth is not None)
        steps = opponent.steps
        rows = [
            (
                step.street,
                step.words,
                f"{step.update.mean_likelihood:.2f}" if step.update else "",
                f"{effective_combos(step.after):.0f}",
            )
            for step in steps
        ]
        tips = [
            "\n".join(figure_line(figure) for figure in step.update.figures) if step.update else "The prior"
            for step in steps
        ]
        self._chain.show_rows(rows, tips=tips)
        self.chain_table.selectRow(len(steps) - 1)
        self._show_step(None)

    def _show_step(self, step: int | None) -> None:
        assert self._range is not None
        self._step = step
        self.grid.show_grid(self._range.grid(step))
        self._sentence.setText(self._range.sentence(len(self._range.steps) - 1 if step is None else step))
        self._show_combos()

    def _show_combos(self) -> None:
        assert self._range is not None
        if self._cell is None:
            self._cell = int(self._range.grid(self._step).sums.argmax())
        details = self._range.details(self._cell, self._step)
        self._combos.show_rows(
            [
                (
                    row.text,
                    "blocked" if row.is_blocked else percent(row.share),
                    "" if row.is_blocked else percent(row.prior),
                    "" if row.likelihood is None else f"{row.likelihood:.2f}",
                )
                for row in details.combos
            ],
            muted=[index for index, row in enumerate(details.combos) if row.is_blocked],
        )
        self.combo_table.setAccessibleName(f"Combos of {details.title}")

    def _describe(self, hand_class: int) -> str:
        return self._range.details(hand_class, self._step).text if self._range else ""

    def describe_cell(self, hand_class: int) -> str:
        """Give the text of a class at the step shown."""
        return self._describe(hand_class)

    def _on_step_chosen(self, index: QModelIndex, _previous: QModelIndex) -> None:
        if index.isValid() and self._range is not None:
            last = len(self._range.steps) - 1
            self._show_step(None if index.row() == last else index.row())

    def _on_cell_hovered(self, hand_class: int | None) -> None:
        if hand_class is not None and self._range is not None:
            self._cell = hand_class
            self._show_combos()
        self.cell_hovered.emit(self.seat, hand_class)

    def _on_cell_activated(self, _hand_class: int) -> None:
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() > 1.05 * self.height()
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._tables.setDirection(direction.TopToBottom if is_wide else direction.LeftToRight)
        self._body.setStretch(0, 1 if is_wide else 2)
        self.grid.setMaximumWidth(max(self.height() - 36, 120) if is_wide else 16777215)


class PointSlider(QSlider):
    """A slider over the points of a hand, with the streets written where they begin."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._streets: tuple[tuple[int, str], ...] = ()
        self.setPageStep(1)
        self.setSingleStep(1)
        self.setAccessibleName("Points of the hand")
        self.setMinimumHeight(2 * round(QFontMetricsF(self.font()).height()) + 3)

    def show_points(self, points: tuple[HandPoint, ...]) -> None:
        """Take the points of the hand."""
        first: dict[str, int] = {}
        for index, point in enumerate(points):
            first.setdefault(STREET_NAMES[point.street], index)
        self._streets = tuple((index, name) for name, index in first.items())
        self.setMaximum(max(len(points) - 1, 0))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetricsF(self.font())
        length = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
        span = self.width() - length
        painter.setPen(QColor(self._theme.theme.text_muted))
        free = -1.0
        for index, name in self._streets:
            at = length / 2 + QStyle.sliderPositionFromValue(self.minimum(), max(self.maximum(), 1), index, span)
            painter.drawLine(QPointF(at, 2), QPointF(at, self.height() - metrics.height() - 1))
            width = metrics.horizontalAdvance(name)
            left = min(max(at - 4, 0), self.width() - width)
            if left > free:
                painter.drawText(QPointF(left, self.height() - metrics.descent()), name)
                free = left + width + 4
        painter.end()
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        option.subControls = QStyle.SubControl.SC_SliderGroove | QStyle.SubControl.SC_SliderHandle
        option.rect = self.rect().adjusted(0, 0, 0, -round(metrics.height()))
        styled = QStylePainter(self)
        styled.drawComplexControl(QStyle.ComplexControl.CC_Slider, option)
        styled.end()


class ReadPanel(QWidget):
    """Shows every live opponent's range at the newest point of the hand, or at any earlier one.

    Signals
    -------
    point_requested : int
        Event count of a point whose reading is not at hand; `show_point` answers.
    odds_requested : PointReading
        The point shown, for the calculator.
    point_chosen : int or None
        Event count of the point the player went to; None when he follows the hand again.
    """

    point_requested = Signal(object)
    odds_requested = Signal(object)
    point_chosen = Signal(object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._readings: dict[int, PointReading] = {}
        self._points: tuple[HandPoint, ...] = ()
        self._hand_number: int | None = None
        self._wanted: int | None = None
        self._shown: PointReading | None = None
        self._ranges: dict[Seat, OpponentRange] = {}
        self._truth: dict[Seat, HoleCards] = {}
        self._tiles: dict[Seat, RangeTile] = {}
        self._make_controls()
        self._lay_out()
        self.clear()

    def _make_controls(self) -> None:
        self.all_button = self._button("← All", "Back to all opponents", "Back to all opponents (Esc)")
        self.all_button.clicked.connect(self._on_detail_closed)
        self.all_button.hide()
        self._point = QLabel()
        self._point.setAccessibleName("Point of the hand")
        self._point.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        font = self._point.font()
        font.setBold(True)
        self._point.setFont(font)
        self.numbers_button = self._button(
            "%", "Numbers in the cells", "Write numbers into the cells (Ctrl+Shift+N)"
        )
        self.numbers_button.setCheckable(True)
        self.numbers_button.toggled.connect(self._on_numbers_toggled)
        self.odds_button = self._button(
            "Odds…", "Open in the odds calculator", "Open this point in the odds calculator"
        )
        self.odds_button.clicked.connect(self._on_odds_clicked)
        self.back_button = self._button("◀", "Earlier point of the hand", "Back one action (Ctrl+Left)")
        self.back_button.clicked.connect(self._on_back)
        self.forward_button = self._button("▶", "Later point of the hand", "Forward one action (Ctrl+Right)")
        self.forward_button.clicked.connect(self._on_forward)
        self.live_button = self._button("Live", "Follow the hand", "Back to the newest point, and follow the hand")
        self.live_button.setCheckable(True)
        self.live_button.clicked.connect(self._on_live)
        self.slider = PointSlider(self._theme)
        self.slider.valueChanged.connect(self._on_slider_moved)
        self._cell_text = QLabel(wordWrap=True)
        self._cell_text.setAccessibleName("The class pointed at")
        self._cell_text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._trust = QLabel()
        self._trust.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._trust.setAccessibleName("Reader")

        # Not the buttons' own shortcuts: those act only after a tenth of a second of animation.
        QShortcut(QKeySequence("Ctrl+Left"), self, self._on_back)
        QShortcut(QKeySequence("Ctrl+Right"), self, self._on_forward)
        QShortcut(QKeySequence("Ctrl+Shift+N"), self, self.numbers_button.toggle)

    @staticmethod
    def _button(text: str, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.setAutoRaise(True)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.all_button)
        head.addWidget(self._point, 1)
        head.addWidget(self.numbers_button)
        head.addWidget(self.odds_button)
        scrub = QHBoxLayout()
        for widget in (self.back_button, self.slider, self.forward_button, self.live_button):
            scrub.addWidget(widget, 1 if widget is self.slider else 0)
        self._area = TileArea()
        self.detail = RangeDetail(self._theme)
        self.detail.closed.connect(self._on_detail_closed)
        self.detail.cell_hovered.connect(self._on_cell_hovered)
        self._empty = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._pages = QStackedLayout()
        for page in (self._empty, self._area, self.detail):
            self._pages.addWidget(page)
        self._pages.currentChanged.connect(self._on_page_changed)
        self._legend = HeatLegend(self._theme)
        self._cell_text.setFixedHeight(round(2 * QFontMetricsF(self._cell_text.font()).lineSpacing()) + 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(6, 4, 6, 4)
        whole.setSpacing(2)
        whole.addLayout(head)
        whole.addLayout(self._pages, 1)
        whole.addWidget(self._cell_text)
        whole.addLayout(scrub)
        whole.addWidget(self._legend)
        whole.addWidget(self._trust)

    # Setters

    def show_point(self, point: PointReading) -> None:
        """Take a reading: the newest of the hand, or an earlier one that was asked for."""
        if point.hand_number != self._hand_number:
            self._forget()
            self._hand_number = point.hand_number
        points = hand_points(point.observation)
        if len(points) >= len(self._points):
            self._points = points
        index = self._index_of(point.event_count)
        self._readings[index] = point
        self._sync_slider()
        if index == (len(self._points) - 1 if self._wanted is None else self._wanted):
            self._show(point, index)

    def set_truth(self, truth: Mapping[Seat, HoleCards]) -> None:
        """Mark the hands that were really held, by seat; they stay marked until the next hand."""
        self._truth = dict(truth)
        for seat, tile in self._tiles.items():
            tile.set_truth(self._truth.get(seat))
        if self.detail.seat in self._ranges and self._pages.currentWidget() is self.detail:
            self._open_detail(self.detail.seat)

    def clear(self) -> None:
        """Show that there is no hand."""
        self._forget()
        self._empty.setText("The opponents' ranges appear here with the first hand.")
        self._pages.setCurrentWidget(self._empty)
        self._point.setText("")
        self._trust.setText("")
        self._sync_slider()

    def _forget(self) -> None:
        self._readings.clear()
        self._points = ()
        self._hand_number = self._wanted = self._shown = None
        self._truth = {}
        self._ranges = {}
        self._cell_text.setText(_HINT)

    def _index_of(self, event_count: int) -> int:
        return max((i for i, point in enumerate(self._points) if point.event_count <= event_count), default=0)

    # Showing

    def _show(self, point: PointReading, index: int) -> None:
        self._shown = point
        opponents = opponent_ranges(point)
        self._ranges = {opponent.seat: opponent for opponent in opponents}
        self._point.setText(self._points[index].label)
        self._point.setToolTip(self._points[index].label)
        self.odds_button.setEnabled(True)
        if not opponents:
            self._empty.setText("Nobody is left to read.")
            self._pages.setCurrentWidget(self._empty)
            return
        short, full = trust_line(opponents[0].reader)
        self._trust.setText(short)
        self._trust.setToolTip(full)
        self._trust.setAccessibleDescription(full)
        self.setUpdatesEnabled(False)
        self._show_tiles(opponents)
        if self._pages.currentWidget() is self.detail and self.detail.seat in self._ranges:
            self._open_detail(self.detail.seat)
        else:
            self._pages.setCurrentWidget(self._area)
        self.setUpdatesEnabled(True)

    def _show_tiles(self, opponents: tuple[OpponentRange, ...]) -> None:
        shown = []
        for opponent in opponents:
            tile = self._tiles.get(opponent.seat) or self._make_tile(opponent.seat)
            tile.show_range(opponent)
            tile.set_truth(self._truth.get(opponent.seat))
            tile.show()
            shown.append(tile)
        for tile in self._tiles.values():
            if tile not in shown:
                tile.hide()
        if shown != self._area.tiles:
            self._area.tiles = shown
            self._area.arrange()

    def _make_tile(self, seat: Seat) -> RangeTile:
        tile = RangeTile(self._theme, self._area)
        tile.grid.set_numbers(self.numbers_button.isChecked())
        tile.chosen.connect(self._open_detail)
        tile.cell_hovered.connect(self._on_cell_hovered)
        self._tiles[seat] = tile
        return tile

    def _open_detail(self, seat: Seat) -> None:
        self.detail.show_range(self._ranges[seat], self._truth.get(seat))
        if self._pages.currentWidget() is not self.detail:
            self._pages.setCurrentWidget(self.detail)
            self.detail.grid.set_focused_cell(self._tiles[seat].grid.focused_cell)
            self.detail.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_page_changed(self, _index: int) -> None:
        is_detail = self._pages.currentWidget() is self.detail
        self.all_button.setVisible(is_detail)
        self._legend.setVisible(not is_detail)

    def _on_detail_closed(self) -> None:
        seat = self.detail.seat
        self._pages.setCurrentWidget(self._area)
        if seat in self._tiles:
            self._tiles[seat].grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_hovered(self, seat: Seat, hand_class: int | None) -> None:
        opponent = self._ranges.get(seat)
        if opponent is None or hand_class is None:
            self._cell_text.setText(_HINT)
        elif self._pages.currentWidget() is self.detail:
            self._cell_text.setText(self.detail.describe_cell(hand_class))
        else:
            self._cell_text.setText(f"{opponent.name}, {opponent.details(hand_class).text}")

    def _on_numbers_toggled(self, is_shown: bool) -> None:
        for tile in self._tiles.values():
            tile.grid.set_numbers(is_shown)
        self.detail.grid.set_numbers(is_shown)

    def _on_odds_clicked(self) -> None:
        if self._shown is not None:
            self.odds_requested.emit(self._shown)

    # Going back and forth

    def _sync_slider(self) -> None:
        last = max(len(self._points) - 1, 0)
        position = last if self._wanted is None else min(self._wanted, last)
        self.slider.blockSignals(True)
        self.slider.show_points(self._points)
        self.slider.setValue(position)
        self.slider.blockSignals(False)
        self.slider.setEnabled(last > 0)
        self.back_button.setEnabled(position > 0)
        self.forward_button.setEnabled(position < last)
        self.live_button.setChecked(self._wanted is None)
        self.live_button.setEnabled(bool(self._points))
        self.odds_button.setEnabled(self._shown is not None)

    def _go_to(self, index: int) -> None:
        last = len(self._points) - 1
        if last < 0:
            return
        index = min(max(index, 0), last)
        self._wanted = None if index == last else index
        self._sync_slider()
        self._point.setText(self._points[index].label)
        self.point_chosen.emit(None if self._wanted is None else self._points[index].event_count)
        if index in self._readings:
            self._show(self._readings[index], index)
        else:
            self.point_requested.emit(self._points[index].event_count)

    def _position(self) -> int:
        return len(self._points) - 1 if self._wanted is None else self._wanted

    def _on_back(self) -> None:
        self._go_to(self._position() - 1)

    def _on_forward(self) -> None:
        self._go_to(self._position() + 1)

    def _on_live(self) -> None:
        self._go_to(len(self._points) - 1)
        self.live_button.setChecked(True)

    def _on_slider_moved(self, value: int) -> None:
        self._go_to(value)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, 260)

    def sizeHint(self) -> QSize:
        return QSize(500, 430)
