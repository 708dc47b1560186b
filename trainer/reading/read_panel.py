"""The read panel: what every opponent may hold at any point of the hand, and what made it so."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.agents.calibration import TableTally
from engine.cards import HoleCards
from engine.game.events import Seat
from trainer.reading.calibration import CalibrationDialog
from trainer.reading.point_slider import PointSlider
from trainer.reading.range_detail import RangeDetail
from trainer.reading.range_grid import HeatLegend
from trainer.reading.range_model import (
    OpponentRange,
    reader_choices,
    trust_line,
)
from trainer.reading.range_tiles import RangeTile, TileArea
from trainer.reading.reading_model import ReadingModel
from trainer.session.types import PointRanges
from trainer.theme import ThemeSource
from trainer.widgets.painted import FittedToFont
from trainer.widgets.text_field import ShortenedLabel, make_bold

_TALL = 33  # from this height in lines on, what is said of a class has room for three of them
_WRAPPED = int(Qt.TextFlag.TextWordWrap)
_HINT = "Point at a cell, or go to a grid by Tab and use the arrow keys. A click or Enter enlarges."


class ReadPanel(FittedToFont):
    """Shows every live opponent's range at the newest point of the hand, or at any earlier one.

    `point_requested` asks for a reading that is not at hand, which `show_point` answers.
    """

    point_requested = Signal(object)  # event count
    odds_requested = Signal(object)  # PointRanges
    range_odds_requested = Signal(object)  # RangeAsked
    point_chosen = Signal(object)  # event count, or None to follow the hand
    reader_chosen = Signal(str)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._calibration: CalibrationDialog | None = None
        self._tallies: dict[str, TableTally] = {}
        self.model = ReadingModel()
        self._tiles: dict[Seat, RangeTile] = {}
        self._make_controls()
        self._lay_out()
        self.model.moved.connect(self._on_moved)
        self.model.shown_changed.connect(self._on_shown)
        self.model.truth_changed.connect(self._on_truth)
        self.model.point_requested.connect(self.point_requested)
        self.model.point_chosen.connect(self.point_chosen)
        self.clear()

    def _make_controls(self) -> None:
        self.all_button = self._button("← All", "Back to all opponents", "Back to all opponents (Esc)")
        self.all_button.clicked.connect(self._on_detail_closed)
        self.all_button.hide()
        self._point = ShortenedLabel(self._theme)
        self._point.setAccessibleName("Point of the hand")
        make_bold(self._point)
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
        self.slider.valueChanged.connect(self.model.go_to)
        self._cell_text = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._cell_text.setAccessibleName("The class pointed at")
        self._cell_text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._trust = QLabel(wordWrap=True)
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
        self._empty = QLabel(
            textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True
        )
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
        self._fit_to_font()

    def _fit_to_font(self) -> None:
        """Keep the lines around the grids low: these need every pixel of a small screen."""
        line = QFontMetricsF(self._cell_text.font()).lineSpacing()
        self.sure_button.setMaximumHeight(round(line) + 2)
        self.reader_box.setMaximumHeight(self.odds_button.sizeHint().height())
        lines = 3 if self.height() >= _TALL * line else 2
        self._cell_text.setFixedHeight(round(lines * line) + 1)

    # Setters

    def show_point(self, point: PointRanges) -> None:
        """Take a reading: the newest of the hand, or an earlier one that was asked for."""
        self.model.take(point)

    def set_truth(self, truth: Mapping[Seat, HoleCards], hand_number: int | None = None) -> None:
        """Mark the hands that were really held, by seat; they stay marked until the next hand."""
        self.model.set_truth(truth, hand_number)

    def show_tallies(self, tallies: Sequence[TableTally]) -> None:
        """Take what each reader has made of the table of the session until now."""
        self._tallies = {tally.reader: tally for tally in tallies}
        if self._calibration is not None and self._calibration.isVisible():
            self._calibration.show_session(self._tallies.get(self._calibration.reader))

    def set_units(self, big_blinds: bool) -> None:
        self.model.set_units(big_blinds)

    def set_reader(self, name: str) -> None:
        """Show which reader reads, by its registered name; the default one if there is no such reader."""
        with QSignalBlocker(self.reader_box):
            self.reader_box.setCurrentIndex(max(self.reader_box.findData(name), 0))
        self._show_trust()

    @property
    def reader(self) -> str:
        return str(self.reader_box.currentData())

    def open_seat(self, seat: Seat) -> None:
        """Enlarge an opponent's range, if it is read at the point shown."""
        if seat in self.model.ranges:
            self._open_detail(seat)

    def set_live(self, is_live: bool) -> None:
        """Name the newest point: of the hand on the table it moves on, of an earlier hand it is the end."""
        self.live_button.setText("Live" if is_live else "End")
        self.live_button.setAccessibleName("Follow the hand" if is_live else "End of the hand")
        tip = "Back to the newest point, and follow the hand" if is_live else "To the last point of the hand"
        self.live_button.setToolTip(tip)

    def say(self, text: str) -> None:
        """Say why there is nothing to see yet."""
        if self.model.shown is None:
            self._empty.setText(text)

    def clear(self) -> None:
        self._empty.setText("The opponents' ranges appear here with the first hand.")
        self._pages.setCurrentWidget(self._empty)
        self.model.clear()

    # Showing

    def _on_shown(self) -> None:
        self.odds_button.setEnabled(True)
        ranges = self.model.ranges
        if not ranges:
            self._empty.setText("Nobody is left to read.")
            self._pages.setCurrentWidget(self._empty)
            return
        self.setUpdatesEnabled(False)
        self._show_tiles(tuple(ranges.values()))
        if not self._refresh_detail():
            self._pages.setCurrentWidget(self._area)
        self.setUpdatesEnabled(True)

    def _refresh_detail(self) -> bool:
        """Show the enlarged range again, if there is one and it is still read."""
        is_there = self._pages.currentWidget() is self.detail and self.detail.seat in self.model.ranges
        if is_there and self.detail.seat is not None:
            self._open_detail(self.detail.seat)
        return is_there

    def _on_truth(self) -> None:
        for seat, tile in self._tiles.items():
            tile.set_truth(self.model.truth_of(seat))
        self._refresh_detail()

    def _show_tiles(self, opponents: tuple[OpponentRange, ...]) -> None:
        shown = []
        for opponent in opponents:
            tile = self._tiles.get(opponent.seat) or self._make_tile(opponent.seat)
            tile.show_range(opponent)
            tile.set_truth(self.model.truth_of(opponent.seat))
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
        self.detail.show_range(self.model.ranges[seat], self.model.truth_of(seat))
        if self._pages.currentWidget() is not self.detail:
            small, large = self._tiles[seat].grid, self.detail.grid
            is_cell_meant = small.current is not None  # and not the words around the grid
            has_keys = small.hasFocus()  # a click leaves the keys where they are
            self._pages.setCurrentWidget(self.detail)
            if is_cell_meant:
                self.detail.show_cell(small.focused_cell)
            if has_keys:
                large.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_trust(self) -> None:
        self.reader_box.setMinimumContentsLength(len(self.reader_box.currentText()))
        short, full = trust_line(self.reader)
        self._trust.setText(short)
        self._trust.setToolTip(f"{short} {full}")
        self._trust.setAccessibleDescription(full)

    def _on_reader_changed(self, _index: int) -> None:
        self._show_trust()
        self.model.forget_readings()  # they are another reader's
        self.reader_chosen.emit(self.reader)

    def _on_sure_clicked(self) -> None:
        if self._calibration is not None:
            self._calibration.close()
            self._calibration.deleteLater()
        shown = self.model.shown
        self._calibration = CalibrationDialog(
            self._theme,
            self.reader,
            self._tallies.get(self.reader),
            self,
            is_heads_up=shown is not None and len(shown.observation.seats) == 2,
        )
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
        has_keys = focused is not None and self.isAncestorOf(focused)
        self._pages.setCurrentWidget(self._area)
        if has_keys and seat in self._tiles:
            self._tiles[seat].grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_hovered(self, seat: Seat, hand_class: int | None) -> None:
        opponent = self.model.ranges.get(seat)
        if opponent is None or hand_class is None:
            self._cell_text.setText(_HINT)
        else:
            self._cell_text.setText(self._fitted(f"{opponent.name}, {opponent.details(hand_class).text}"))

    def _fitted(self, text: str) -> str:
        """Return as many whole sentences of a text as have room below the grids; its first in any case."""
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
        """Ask for the odds of the point shown; return whether there is one."""
        if self.model.shown is not None:
            self.odds_requested.emit(self.model.shown)
        return self.model.shown is not None

    # Going back and forth

    def _on_moved(self) -> None:
        model = self.model
        with QSignalBlocker(self.slider):
            self.slider.show_points(model.points)
            self.slider.setValue(model.position)
        self.slider.setEnabled(model.last > 0)
        self.back_button.setEnabled(model.position > 0)
        self.forward_button.setEnabled(model.position < model.last)
        self.live_button.setChecked(model.is_live)
        self.live_button.setEnabled(bool(model.points))
        self.odds_button.setEnabled(model.shown is not None)
        self._point.setText(model.label)
        if model.shown is None:
            self._cell_text.setText(_HINT)

    def _on_back(self) -> None:
        self.model.go_to(self.model.position - 1)

    def _on_forward(self) -> None:
        self.model.go_to(self.model.position + 1)

    def _on_live(self) -> None:
        self.model.go_to(self.model.last)
        self.live_button.setChecked(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_to_font()

    def minimumSizeHint(self) -> QSize:
        return QSize(300, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(500, 430)
