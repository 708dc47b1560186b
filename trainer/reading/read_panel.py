"""The read panel: what every opponent may hold at any point of the hand, and what made it so."""

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QStackedLayout,
    QStyle,
    QStyleOptionSlider,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards
from engine.game.events import Seat
from trainer.reading.calibration import CalibrationDialog
from trainer.reading.range_detail import RangeDetail
from trainer.reading.range_grid import HeatLegend
from trainer.reading.range_model import (
    STREET_NAMES,
    HandPoint,
    OpponentRange,
    hand_points,
    opponent_ranges,
    reader_choices,
    trust_line,
)
from trainer.reading.range_tiles import RangeTile, TileArea
from trainer.session.types import PointRanges
from trainer.theme import ThemeSource

_TALL = 33
"""From this height in lines on, what is said of a class has room for three of them."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap)
_HINT = "Point at a cell, or go to a grid by Tab and use the arrow keys. A click or Enter enlarges."


class PointSlider(QSlider):
    """A slider over the points of a hand, with the streets written where they begin."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._streets: tuple[tuple[int, str], ...] = ()
        self.setPageStep(1)
        self.setSingleStep(1)
        self.setAccessibleName("Points of the hand")
        self._fit_height()

    def _fit_height(self) -> None:
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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_height()


class ReadPanel(QWidget):
    """Shows every live opponent's range at the newest point of the hand, or at any earlier one.

    Signals
    -------
    point_requested : int
        Event count of a point whose reading is not at hand; `show_point` answers.
    odds_requested : PointRanges
        The point shown, for the calculator.
    range_odds_requested : OddsOpening
        One range of it, for the calculator.
    point_chosen : int or None
        Event count of the point the player went to; None when he follows the hand again.
    reader_chosen : str
        Registered name of another reader that the player wants; new readings answer.
    """

    point_requested = Signal(object)
    odds_requested = Signal(object)
    range_odds_requested = Signal(object)
    point_chosen = Signal(object)
    reader_chosen = Signal(str)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._calibration: CalibrationDialog | None = None
        self._readings: dict[int, PointRanges] = {}
        self._in_big_blinds = False
        self._points: tuple[HandPoint, ...] = ()
        self._hand_number: int | None = None
        self._wanted: int | None = None
        self._shown: PointRanges | None = None
        self._ranges: dict[Seat, OpponentRange] = {}
        self._truth: dict[Seat, HoleCards] = {}
        self._truth_hand: int | None = None
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
        self.odds_button.clicked.connect(self.ask_odds)
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
        self._trust.setAccessibleName("How far to trust the reader")
        self.reader_box = QComboBox()
        for name, title in reader_choices():
            self.reader_box.addItem(title, name)
        self.reader_box.setAccessibleName("Reader")
        self.reader_box.setToolTip("Who reads the hands shown here; the players at the table are not affected")
        self.reader_box.currentIndexChanged.connect(self._on_reader_changed)
        self.sure_button = self._button(
            "How sure is this?", "How sure is this?", "How often this reader was right, street by street"
        )
        self.reader_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.sure_button.clicked.connect(self._on_sure_clicked)

        # Not the buttons' own shortcuts: those act only after a tenth of a second of animation.
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._on_detail_closed)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
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
        head.addWidget(self.reader_box)
        head.addWidget(self.numbers_button)
        head.addWidget(self.odds_button)
        scrub = QHBoxLayout()
        for widget in (self.back_button, self.slider, self.forward_button, self.live_button):
            scrub.addWidget(widget, 1 if widget is self.slider else 0)
        self._area = TileArea()
        self.detail = RangeDetail(self._theme)
        self.detail.closed.connect(self._on_detail_closed)
        self.detail.cell_hovered.connect(self._on_cell_hovered)
        self.detail.odds_requested.connect(self.range_odds_requested)
        self.detail.all_odds_requested.connect(self.ask_odds)
        self._empty = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._pages = QStackedLayout()
        for page in (self._empty, self._area, self.detail):
            self._pages.addWidget(page)
        self._pages.currentChanged.connect(self._on_page_changed)
        self._legend = HeatLegend(self._theme)
        foot = QHBoxLayout()
        foot.addWidget(self._trust, 1)
        foot.addWidget(self.sure_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(6, 4, 6, 4)
        whole.setSpacing(2)
        whole.addLayout(head)
        whole.addLayout(self._pages, 1)
        whole.addWidget(self._cell_text)
        whole.addLayout(scrub)
        whole.addWidget(self._legend)
        whole.addLayout(foot)
        self._show_trust()
        self._fit_heights()

    def _fit_heights(self) -> None:
        """Keep the lines around the grids low: these need every pixel of a small screen."""
        self.sure_button.setMaximumHeight(self._trust.sizeHint().height() + 2)
        self.reader_box.setMaximumHeight(self.odds_button.sizeHint().height())
        line = QFontMetricsF(self._cell_text.font()).lineSpacing()
        lines = 3 if self.height() >= _TALL * line else 2
        self._cell_text.setFixedHeight(round(lines * line) + 1)

    # Setters

    def show_point(self, point: PointRanges) -> None:
        """Take a reading: the newest of the hand, or an earlier one that was asked for."""
        if point.hand_number != self._hand_number:
            self._forget()
            self._hand_number = point.hand_number
        points = hand_points(point.observation, self._in_big_blinds)
        if len(points) >= len(self._points):
            self._points = points
        index = self._index_of(point.event_count)
        self._readings[index] = point
        self._sync_slider()
        if index == (len(self._points) - 1 if self._wanted is None else self._wanted):
            self._show(point, index)

    def set_truth(self, truth: Mapping[Seat, HoleCards], hand_number: int | None = None) -> None:
        """Mark the hands that were really held, by seat; they stay marked until the next hand.

        Parameters
        ----------
        truth : mapping of int to two Card
        hand_number : int, optional
            Whose truth it is, the hand shown by default. With bots in a hurry a hand can be over before its first
            reading arrives: then its truth waits for it.
        """
        self._truth = dict(truth)
        self._truth_hand = self._hand_number if hand_number is None else hand_number
        for seat, tile in self._tiles.items():
            tile.set_truth(self._truth_of(seat))
        if self.detail.seat in self._ranges and self._pages.currentWidget() is self.detail:
            self._open_detail(self.detail.seat)

    def set_units(self, big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = big_blinds
        if not self._readings:
            return
        latest = self._readings[max(self._readings)]
        points = hand_points(latest.observation, big_blinds)
        self._points = points + self._points[len(points) :]
        label = self._points[min(self._position(), len(points) - 1)].label
        self._point.setText(label)
        self._point.setToolTip(label)

    def set_reader(self, name: str) -> None:
        """Show which reader reads, by its registered name; the default one if there is no such reader."""
        self.reader_box.blockSignals(True)
        self.reader_box.setCurrentIndex(max(self.reader_box.findData(name), 0))
        self.reader_box.blockSignals(False)
        self._show_trust()

    @property
    def reader(self) -> str:
        """Registered name of the reader that is chosen."""
        return str(self.reader_box.currentData())

    def _truth_of(self, seat: Seat) -> HoleCards | None:
        return self._truth.get(seat) if self._truth_hand == self._hand_number else None

    def open_seat(self, seat: Seat) -> None:
        """Enlarge an opponent's range, if it is read at the point shown."""
        if seat in self._ranges:
            self._open_detail(seat)

    def set_live(self, is_live: bool) -> None:
        """Name the newest point: of the hand on the table it moves on, of an earlier hand it is the end."""
        self.live_button.setText("Live" if is_live else "End")
        self.live_button.setAccessibleName("Follow the hand" if is_live else "End of the hand")
        tip = "Back to the newest point, and follow the hand" if is_live else "To the last point of the hand"
        self.live_button.setToolTip(tip)

    def say(self, text: str) -> None:
        """Say why there is nothing to see yet."""
        if self._shown is None:
            self._empty.setText(text)

    def clear(self) -> None:
        """Show that there is no hand."""
        self._forget()
        self._truth = {}
        self._truth_hand = None
        self._empty.setText("The opponents' ranges appear here with the first hand.")
        self._pages.setCurrentWidget(self._empty)
        self._point.setText("")
        self._sync_slider()

    def _forget(self) -> None:
        self._readings.clear()
        self._points = ()
        self._hand_number = self._wanted = self._shown = None
        self._ranges = {}
        self._cell_text.setText(_HINT)

    def _index_of(self, event_count: int) -> int:
        return max((i for i, point in enumerate(self._points) if point.event_count <= event_count), default=0)

    # Showing

    def _show(self, point: PointRanges, index: int) -> None:
        before, self._shown = self._shown, point
        if (
            before is not None
            and before.event_count == point.event_count
            and before.predictions is point.predictions
        ):
            return  # its win rates have come
        opponents = opponent_ranges(point)
        self._ranges = {opponent.seat: opponent for opponent in opponents}
        self._point.setText(self._points[index].label)
        self._point.setToolTip(self._points[index].label)
        self.odds_button.setEnabled(True)
        if not opponents:
            self._empty.setText("Nobody is left to read.")
            self._pages.setCurrentWidget(self._empty)
            return
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
            tile.set_truth(self._truth_of(opponent.seat))
            tile.show()
            shown.append(tile)
        for tile in self._tiles.values():
            if tile not in shown:
                tile.hide()
        if shown != self._area.tiles:
            self._area.tiles = shown
            self._area.arrange()
            chain: list[QWidget] = [self.odds_button, *(tile.grid for tile in shown), self.back_button]
            for earlier, later in pairwise(chain):
                QWidget.setTabOrder(earlier, later)

    def _make_tile(self, seat: Seat) -> RangeTile:
        tile = RangeTile(self._theme, self._area)
        tile.grid.set_numbers(self.numbers_button.isChecked())
        tile.chosen.connect(self._open_detail)
        tile.cell_hovered.connect(self._on_cell_hovered)
        tile.odds_requested.connect(self.range_odds_requested)
        tile.all_odds_requested.connect(self.ask_odds)
        self._tiles[seat] = tile
        return tile

    def _open_detail(self, seat: Seat) -> None:
        self.detail.show_range(self._ranges[seat], self._truth_of(seat))
        if self._pages.currentWidget() is not self.detail:
            small, large = self._tiles[seat].grid, self.detail.grid
            is_cell_meant = small.current is not None  # and not the words around the grid
            is_walked = small.hasFocus()  # a click leaves the keys where they are
            self._pages.setCurrentWidget(self.detail)
            if is_cell_meant:
                self.detail.show_cell(small.focused_cell)
            if is_walked:
                large.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_trust(self) -> None:
        self.reader_box.setMinimumContentsLength(len(self.reader_box.currentText()))
        short, full = trust_line(self.reader)
        self._trust.setText(short)
        self._trust.setToolTip(f"{short} {full}")
        self._trust.setAccessibleDescription(full)

    def _on_reader_changed(self, _index: int) -> None:
        self._show_trust()
        self._readings.clear()  # they are another reader's
        self.reader_chosen.emit(self.reader)

    def _on_sure_clicked(self) -> None:
        if self._calibration is not None:
            self._calibration.close()
            self._calibration.deleteLater()
        self._calibration = CalibrationDialog(self._theme, self.reader, self)
        self._calibration.show()

    def _on_page_changed(self, _index: int) -> None:
        is_detail = self._pages.currentWidget() is self.detail
        self.all_button.setVisible(is_detail)
        self._escape.setEnabled(is_detail)
        self._legend.setVisible(not is_detail)
        self._cell_text.setVisible(not is_detail)  # the enlarged view says more, in its own place
        self._cell_text.setText(_HINT)

    def _on_detail_closed(self) -> None:
        seat, focused = self.detail.seat, QApplication.focusWidget()
        is_walked = focused is not None and self.isAncestorOf(focused)
        self._pages.setCurrentWidget(self._area)
        if is_walked and seat in self._tiles:
            self._tiles[seat].grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_hovered(self, seat: Seat, hand_class: int | None) -> None:
        opponent = self._ranges.get(seat)
        if opponent is None or hand_class is None:
            self._cell_text.setText(_HINT)
        else:
            self._cell_text.setText(self._fitted(f"{opponent.name}, {opponent.details(hand_class).text}"))

    def _fitted(self, text: str) -> str:
        """Give as many whole sentences of a text as have room below the grids; its first in any case."""
        room, metrics = self._cell_text.contentsRect(), self._cell_text.fontMetrics()
        sentences = text.split(". ")
        shown = text
        while len(sentences) > 1 and metrics.boundingRect(room, _WRAPPED, shown).height() > room.height():
            sentences.pop()
            shown = ". ".join(sentences) + "."
        return shown

    def _on_numbers_toggled(self, is_shown: bool) -> None:
        for tile in self._tiles.values():
            tile.grid.set_numbers(is_shown)
        self.detail.grid.set_numbers(is_shown)

    @Slot()
    def ask_odds(self) -> bool:
        """Ask for the odds of the point shown; tell whether there is one."""
        if self._shown is not None:
            self.odds_requested.emit(self._shown)
        return self._shown is not None

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_heights()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_heights()

    def minimumSizeHint(self) -> QSize:
        return QSize(300, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(500, 430)
