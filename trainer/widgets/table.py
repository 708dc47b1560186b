"""The poker table: seats around an oval, board and pots in its middle, painted as vectors.

Everything is laid out on a canvas of at least 760 by 520 units whose scale follows the widget, so the table looks
the same at every size and pixel ratio. What is written comes from `trainer.viewmodels.table`. Each seat is
covered by an invisible button, so that keyboard and screen reader find it and its details.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from PySide6.QtCore import (
    QEasingCurve,
    QElapsedTimer,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QRadialGradient,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QWidget

from engine.cards import Card, HoleCards
from engine.game.events import Seat
from engine.game.statistics import PlayerStatistics
from trainer.session_types import TableView
from trainer.theme import Theme, ThemeSource
from trainer.viewmodels.results import hud_details, hud_line
from trainer.viewmodels.table import SeatModel, TableContext, TableModel, seat_points, table_model
from trainer.widgets.cards import ASPECT, CardPixmaps

MIN_WIDTH, MIN_HEIGHT = 760.0, 520.0
PLATE = QSizeF(148, 56)
SMALLEST_TEXT = 11.5
"""Units, so pixels at the smallest full layout: 8.6 points at 96 dots per inch."""

_CARD = 38.0
_OWN_CARD = 58.0
_BOARD_CARD = 54.0
_TUCK = 9.0
_BET = QSizeF(78, 24)
_HOLDING = QSizeF(344, 24)
_PILL = 18.0
_LONGEST_LABEL = 152.0
_NARROWEST = 0.8
_THINKING_MILLISECONDS = 380
_FLIGHT_MILLISECONDS = 240
_WHEEL_STEP = 120
_Align = Qt.AlignmentFlag


def _around(middle: QPointF, size: QSizeF) -> QRectF:
    return QRectF(middle.x() - size.width() / 2, middle.y() - size.height() / 2, size.width(), size.height())


class TableGeometry:
    """Where everything stands, in canvas units.

    Parameters
    ----------
    seats : int
        2 to 10.
    width, height : float
        Of the widget, in logical pixels.
    """

    def __init__(self, seats: int, width: float, height: float) -> None:
        self.scale = max(0.1, min(width / MIN_WIDTH, height / MIN_HEIGHT))
        self.width, self.height = width / self.scale, height / self.scale
        top = PLATE.height() / 2 + _CARD * ASPECT - _TUCK + 6
        bottom = self.height - PLATE.height() / 2 - _PILL - 2
        self.centre = QPointF(self.width / 2, (top + bottom) / 2)
        self._reach = QPointF(self.width / 2 - PLATE.width() / 2 - 6, (bottom - top) / 2)
        self._points = seat_points(seats)
        # The oval's rim passes behind the plates.
        self.rim = QRectF(30, top - 22, self.width - 60, bottom - top + 40)
        board_y = self.centre.y() - 8 - _BOARD_CARD * ASPECT / 2
        pitch = _BOARD_CARD + 4
        left = self.width / 2 - 2.5 * pitch + 2
        self.board = tuple(QRectF(left + i * pitch, board_y, _BOARD_CARD, _BOARD_CARD * ASPECT) for i in range(5))
        self.pot = QPointF(self.width / 2, board_y - 20)
        self.side_pots = QPointF(self.width / 2, board_y - 46)
        self.holding = QPointF(self.width / 2, board_y + _BOARD_CARD * ASPECT + 17)
        above, below = self.side_pots.y() - 16, self.holding.y() + _HOLDING.height()
        self.middle = QRectF(self.width / 2 - 230, above, 460, below - above)
        self._plates = tuple(self._place_plate(place) for place in range(seats))
        self._groups = tuple(self._place_group(place) for place in range(seats))
        self._bets = tuple(self._place_bet(place) for place in range(seats))

    def plate(self, place: int) -> QRectF:
        """Give the rectangle with a seat's name and stack; place 0 is at the bottom centre."""
        return self._plates[place]

    def _place_plate(self, place: int) -> QRectF:
        x, y = self._points[place]
        return _around(self.centre + QPointF(x * self._reach.x(), y * self._reach.y()), PLATE)

    def cards(self, place: int) -> tuple[QRectF, QRectF]:
        """Give the rectangles of a seat's hole cards, tucked behind the top of its plate."""
        plate = self.plate(place)
        width = _OWN_CARD if place == 0 else _CARD
        height = width * ASPECT
        top = plate.top() - height + _TUCK * width / _CARD
        middle = plate.center().x()
        return QRectF(middle - width - 1, top, width, height), QRectF(middle + 1, top, width, height)

    def group(self, place: int) -> QRectF:
        """Give the rectangle of all that belongs to a seat."""
        return self._groups[place]

    def _place_group(self, place: int) -> QRectF:
        first, second = self.cards(place)
        pill = QRectF(self.label(place).x() - 40, self.label(place).y() - _PILL / 2, 80, _PILL)
        return self.plate(place).united(first).united(second).united(pill)

    def label(self, place: int) -> QPointF:
        """Give the middle of a seat's label, on the lower edge of its plate."""
        plate = self.plate(place)
        return QPointF(plate.center().x(), plate.bottom() + _PILL / 2 - 1)

    def bet(self, place: int) -> QPointF:
        """Give the middle of the chips in front of a seat: towards the centre, clear of all that is its own."""
        return self._bets[place]

    def signs(self, place: int) -> QRectF:
        """Give a rectangle with room for a seat's badges, bet and label."""
        badges = self.group(place).adjusted(-30, -12, 30, 12)
        label = _around(self.label(place), QSizeF(2 * _LONGEST_LABEL, 2 * _PILL))
        return badges.united(label).united(_around(self.bet(place), QSizeF(220, 44)))

    def _place_bet(self, place: int) -> QPointF:
        plate = self.plate(place)
        taken = plate.united(self.cards(place)[0])
        y = self._points[place][1]
        if y < 0:  # its label hangs on the centre's side
            taken.setBottom(plate.bottom() + _PILL)
        elif y > 0.7:  # beside your own, larger cards
            taken.setTop(min(taken.top(), self.cards(0)[0].top()))
        start, way = plate.center(), self.centre - plate.center()
        for step in range(101):
            middle = start + way * (step / 100)
            if not _around(middle, _BET).intersects(taken):
                break
        half = _BET.height() / 2
        board = self.board[0].united(self.board[4]).adjusted(-2, -2, 2, 2)
        holding = _around(self.holding, _HOLDING)
        if y >= 0 and _around(middle, _BET).intersects(board.united(holding)):
            middle.setY(holding.bottom() + half)
        elif _around(middle, _BET).intersects(board):
            middle.setY(board.top() - half)
        return middle

    def badge(self, place: int, *, is_left: bool) -> QPointF:
        """Give the middle of a round badge beside the cards: the button on the right, a blind on the left."""
        first, second = self.cards(place)
        return QPointF(first.left() - 15 if is_left else second.right() + 15, self.plate(place).top() - 14)

    def to_widget(self, rect: QRectF) -> QRect:
        """Give a canvas rectangle in the widget's pixels."""
        s = self.scale
        return QRectF(rect.x() * s, rect.y() * s, rect.width() * s, rect.height() * s).toAlignedRect()


@dataclass(frozen=True, slots=True)
class Flight:
    """Chips on their way: from where to where on the canvas, and how much."""

    start: QPointF
    end: QPointF
    amount: str
    chips: int


def flights(before: TableModel, after: TableModel, geometry: TableGeometry) -> tuple[Flight, ...]:
    """Give the chips that move between two views: bets to the pot when a street ends, the pot to who wins it."""
    if [seat.seat for seat in before.seats] != [seat.seat for seat in after.seats]:
        return ()
    moving = []
    for place, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        if was.bet and not any(seat.bet for seat in after.seats) and len(after.board) >= len(before.board):
            chips = _chips_drawn(was.bet_chips, before.big_blind)
            moving.append(Flight(geometry.bet(place), geometry.pot, was.bet, chips))
        if now.result and now.result != was.result:
            moving.append(Flight(geometry.pot, geometry.plate(place).center(), now.result, 4))
    return tuple(moving)


class TableWidget(QWidget):
    """Shows a `TableView`.

    Signals
    -------
    seat_clicked : int
        A seat was clicked, or Enter pressed on it.
    wheel_turned : int
        The mouse wheel was turned over the table by so many notches, away from the user positive.
    """

    seat_clicked = Signal(object)
    wheel_turned = Signal(object)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme_source = theme
        self._theme: Theme = theme.theme
        theme.changed.connect(self._on_theme_changed)
        self._view: TableView | None = None
        self._model = TableModel(seats=())
        self._context: dict[str, Any] = {}
        self._names: dict[Seat, str] = {}
        self._four_colours = False
        self._geometry = TableGeometry(2, MIN_WIDTH, MIN_HEIGHT)
        self._cards = CardPixmaps()
        self._felt: QPixmap | None = None
        self._buttons: list[SeatButton] = []
        self._wheel_rest = 0
        self._phase = 0
        self._is_animated = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) > 0
        self._timer = QTimer(self)
        self._timer.setInterval(_THINKING_MILLISECONDS)
        self._timer.timeout.connect(self._on_phase)
        self._flights: tuple[Flight, ...] = ()
        self._parts: dict[str, tuple[object, QPixmap]] = {}
        self._look: object = None
        self._measures: tuple[int, int, int] | None = None
        self._flight = QVariantAnimation(self)
        self._flight.setDuration(_FLIGHT_MILLISECONDS)
        self._flight.setStartValue(0.0)
        self._flight.setEndValue(1.0)
        self._flight.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._flight.valueChanged.connect(self._on_flight)
        self._flight.finished.connect(self._on_landed)
        self._since_view = QElapsedTimer()
        self.setMinimumSize(480, 330)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Poker table")

    @property
    def model(self) -> TableModel:
        """What is shown."""
        return self._model

    def show_view(self, view: TableView) -> None:
        """Show the table as it stands."""
        self._view = view
        self._names |= {state.seat: state.name for state in view.observation.seats}
        before = self._model
        self._refresh()
        # Views that come faster than chips can fly (instant pace, skipping) are shown as they are.
        is_calm = self._since_view.isValid() and self._since_view.elapsed() > _FLIGHT_MILLISECONDS
        self._since_view.start()
        self._land()
        if self._is_animated and self.isVisible() and is_calm:
            self._flights = flights(before, self._model, self._geometry)
            if self._flights:
                self._flight.start()

    def set_statistics(self, statistics: Mapping[Seat, PlayerStatistics]) -> None:
        """Show each seat's statistics on its plate, in full in its tooltip."""
        self._context["huds"] = {
            seat: (hud_line(figures), hud_details(figures)) for seat, figures in statistics.items()
        }
        self._refresh()

    def set_units(self, big_blinds: bool) -> None:
        """Write every amount in big blinds, or in chips."""
        self._context["in_big_blinds"] = big_blinds
        self._refresh()

    def set_four_colours(self, four_colours: bool) -> None:
        """Use the four-colour deck, or the usual one."""
        self._four_colours = four_colours
        self.update()

    def set_revealed(self, hole_cards: Mapping[Seat, HoleCards]) -> None:
        """Show these opponents' cards, marked as study mode's; an empty mapping hides them again."""
        self._context["revealed"] = dict(hole_cards)
        self._refresh()

    def set_animated(self, is_animated: bool) -> None:
        """Let things move, or keep them still (reduced motion, instant pace)."""
        self._is_animated = is_animated
        if not is_animated:
            self._land()
        self._run_timer()
        self.update()

    def _refresh(self) -> None:
        if self._view is None:
            return
        self._model = table_model(self._view, TableContext(names=self._names, **self._context))
        self.setAccessibleDescription(self._model.spoken)
        self._lay_out()
        self._run_timer()
        self.update()

    def _lay_out(self) -> None:
        count = max(2, len(self._model.seats))
        measures = (count, self.width(), self.height())
        if measures != self._measures:
            self._measures, self._geometry = measures, TableGeometry(*measures)
        while len(self._buttons) < len(self._model.seats):
            button = SeatButton(self)
            button.clicked.connect(self._on_seat_clicked)
            button.show()
            self._buttons.append(button)
        while len(self._buttons) > len(self._model.seats):
            self._buttons.pop().deleteLater()
        for place, (button, seat) in enumerate(zip(self._buttons, self._model.seats, strict=True)):
            button.show_seat(seat, self._theme)
            button.setGeometry(self._geometry.to_widget(self._geometry.group(place).adjusted(-4, -2, 4, 2)))

    def _run_timer(self) -> None:
        is_needed = self._is_animated and self.isVisible() and any(seat.is_thinking for seat in self._model.seats)
        if is_needed and not self._timer.isActive():
            self._timer.start()
        elif not is_needed:
            self._timer.stop()

    def _on_phase(self) -> None:
        self._phase += 1
        for place, seat in enumerate(self._model.seats):
            if seat.is_thinking:
                middle = self._geometry.label(place)
                self.update(self._geometry.to_widget(QRectF(middle.x() - 60, middle.y() - 12, 120, 24)))

    def _on_flight(self, _progress: float) -> None:
        self.update()

    def _on_landed(self) -> None:
        self._flights = ()
        self.update()

    def _land(self) -> None:
        self._flight.stop()
        self._flights = ()

    def _on_seat_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, SeatButton):
            self.seat_clicked.emit(button.seat)

    def _on_theme_changed(self, theme: Theme) -> None:
        self._theme = theme
        self._felt = None
        self._lay_out()
        self.update()

    def _felt_pixmap(self) -> QPixmap:
        """Give the empty table, drawn once per size and theme."""
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        if self._felt is None or self._felt.size() != size:
            self._felt = QPixmap(size)
            self._felt.setDevicePixelRatio(ratio)
            self._felt.fill(QColor(self._theme.window))
            painter = QPainter(self._felt)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self._geometry.scale, self._geometry.scale)
            paint_felt(painter, self._geometry.rim, self._theme)
            painter.end()
        return self._felt

    def _layers(self) -> list[tuple[QPointF, QPixmap]]:
        """Give the board, the seats and what stands before them, each drawn anew only where it changed.

        While bots play at full speed most of the table is the same from one view to the next.
        """
        model, geometry = self._model, self._geometry
        look = (self.size(), self.devicePixelRatioF(), self._theme, self._four_colours, len(model.seats))
        if look != self._look:
            self._look = look
            self._parts.clear()
        board = (model.board, model.pot, model.pots, model.holding, model.winning)
        layers = [self._part("board", board, geometry.middle, lambda brush: brush.paint_board(model))]
        for place, seat in enumerate(model.seats):
            area = geometry.group(place).adjusted(-12, -12, 12, 12)
            paint = partial(_TableBrush.paint_seat, place=place, seat=seat)
            layers.append(self._part(f"seat {place}", (seat, model.winning), area, paint))
        for place, seat in enumerate(model.seats):
            phase = self._phase if seat.is_thinking and self._is_animated else None
            paint = partial(_TableBrush.paint_signs, place=place, seat=seat, big_blind=model.big_blind, phase=phase)
            layers.append(self._part(f"signs {place}", (seat, phase), geometry.signs(place), paint))
        return layers

    def _part(
        self, name: str, content: object, area: QRectF, paint: Callable[["_TableBrush"], None]
    ) -> tuple[QPointF, QPixmap]:
        """Give a part of the table and where it goes, from the cache if its content is the same as last time."""
        # On whole pixels, so that a part from the cache looks like one drawn in place.
        rect, ratio = self._geometry.to_widget(area), self.devicePixelRatioF()
        known = self._parts.get(name)
        if known is None or known[0] != content:
            pixmap = QPixmap(rect.size() * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.translate(-QPointF(rect.topLeft()))
            paint(self._brush(painter))
            painter.end()
            known = self._parts[name] = (content, pixmap)
        return QPointF(rect.topLeft()), known[1]

    def _brush(self, painter: QPainter) -> "_TableBrush":
        return _TableBrush(
            painter, self._theme, self._geometry, self._cards, self._four_colours, self._model.winning
        )

    def sizeHint(self) -> QSize:
        return QSize(900, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(QPoint(0, 0), self._felt_pixmap())
        for corner, pixmap in self._layers():
            painter.drawPixmap(corner, pixmap)
        if self._flights:
            self._brush(painter).paint_flights(self._flights, float(self._flight.currentValue()))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._felt = None
        self._lay_out()
        super().resizeEvent(event)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._run_timer()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        self._wheel_rest += delta.y() or delta.x()  # some systems turn Shift and wheel sideways
        steps = int(self._wheel_rest / _WHEEL_STEP)
        self._wheel_rest -= steps * _WHEEL_STEP
        if steps:
            self.wheel_turned.emit(steps)
        event.accept()


class SeatButton(QAbstractButton):
    """An invisible button over one seat: its name and details for keyboard, mouse and screen reader."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.seat: Seat = 0
        self._ring = QColor()
        self._has_key_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_seat(self, seat: SeatModel, theme: Theme) -> None:
        """Take on the name and details of a seat."""
        self.seat = seat.seat
        self._ring = QColor(theme.warning)
        self.setAccessibleName(f"Seat {seat.seat + 1}: {seat.name}")
        self.setAccessibleDescription(f"{seat.spoken} {seat.hud_details}".strip())
        heading = seat.name + (f", {seat.style}" if seat.style else "")
        self.setToolTip("\n".join(filter(None, (heading, seat.style_details, seat.hud_details))))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_key_focus:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._ring, 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the seat if a key led here, not when the window merely opens."""
        self._has_key_focus = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._has_key_focus = False
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Left)  # seats run clockwise, so left is next
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            event.ignore()  # the other keys act on the hand, not on the seat


def paint_felt(painter: QPainter, rim: QRectF, theme: Theme) -> None:
    """Draw an empty table: a wooden edge, the cloth, and the line that bets are pushed over."""
    radius = 0.49 * min(rim.width(), rim.height())
    wood = QLinearGradient(rim.topLeft(), rim.bottomLeft())
    edge = QColor(theme.felt_edge)
    for stop, colour in ((0.0, edge.lighter(150)), (0.5, edge), (1.0, edge.darker(140))):
        wood.setColorAt(stop, colour)
    _fill_round(painter, rim.translated(0, 3).adjusted(-1, -1, 1, 1), radius, QColor(0, 0, 0, 45))
    _fill_round(painter, rim, radius, wood)
    cloth_rect = rim.adjusted(15, 15, -15, -15)
    _fill_round(painter, cloth_rect.adjusted(-2, -2, 2, 2), radius - 13, edge.darker(170))
    cloth = QRadialGradient(cloth_rect.center(), 0.62 * cloth_rect.width())
    felt = QColor(theme.felt)
    for stop, colour in ((0.0, felt.lighter(112)), (0.65, felt), (1.0, felt.darker(122))):
        cloth.setColorAt(stop, colour)
    _fill_round(painter, cloth_rect, radius - 15, cloth)
    line = QColor(theme.felt_text)
    line.setAlpha(34)
    painter.setPen(QPen(line, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = cloth_rect.adjusted(52, 44, -52, -44)
    painter.drawRoundedRect(inner, 0.49 * inner.height(), 0.49 * inner.height())


def _fill_round(painter: QPainter, rect: QRectF, radius: float, brush: Any) -> None:
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    painter.fillPath(path, brush)


class _TableBrush:
    """Paints parts of a `TableModel` in canvas units."""

    def __init__(
        self,
        painter: QPainter,
        theme: Theme,
        geometry: TableGeometry,
        cards: CardPixmaps,
        four_colours: bool,
        winning: frozenset[Card],
    ) -> None:
        self._painter = painter
        self._theme = theme
        self._geometry = geometry
        self._cards = cards
        self._four_colours = four_colours
        self._winning = winning
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.scale(geometry.scale, geometry.scale)

    def paint_signs(self, place: int, seat: SeatModel, big_blind: int, phase: int | None) -> None:
        """Draw what stands before a seat: button and blind, bet, label; `phase` moves the thinking dots."""
        self._paint_badges(place, seat)
        if seat.bet:
            stack = _chips_drawn(seat.bet_chips, big_blind)
            self._paint_amount(self._geometry.bet(place), seat.bet, 12.5, stack)
        self._paint_label(place, seat, phase)

    def paint_flights(self, moving: tuple[Flight, ...], progress: float) -> None:
        for flight in moving:
            middle = flight.start + (flight.end - flight.start) * progress
            self._paint_amount(middle, flight.amount, 12.5, flight.chips)

    def paint_board(self, model: TableModel) -> None:
        slot = QColor(self._theme.felt_text)
        slot.setAlpha(30)
        for rect in self._geometry.board[len(model.board) :]:
            self._painter.setPen(QPen(slot, 1))
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            self._painter.drawRoundedRect(rect, 6, 6)
        for rect, card in zip(self._geometry.board, model.board, strict=False):
            self._paint_card(rect, card)
        if model.pot:
            self._paint_amount(self._geometry.pot, model.pot, 15, 0)
        if model.pots:
            self._text_pill(self._geometry.side_pots, "  ·  ".join(model.pots), 12, self._theme.felt_text, 420)
        if model.holding:
            self._paint_holding(model.holding)

    def _paint_holding(self, words: str) -> None:
        room = _HOLDING.width() - 20
        if _NARROWEST * _width(words, 13, False) > room:
            words = re.sub(r", \w+ kicker", "", words)
        self._text_pill(self._geometry.holding, words, 13, self._theme.felt_text, room)

    def _paint_card(self, rect: QRectF, card: Card | None, *, is_dimmed: bool = False) -> None:
        """Draw a card on whole device pixels; the winning five stand out, the rest step back."""
        is_winning = card is not None and card in self._winning
        is_dimmed = is_dimmed or (bool(self._winning) and not is_winning)
        painter = self._painter
        ratio = painter.device().devicePixelRatio()
        scale = self._geometry.scale
        pixmap = self._cards.pixmap(card, rect.width() * scale, ratio, self._theme, four_colours=self._four_colours)
        lift = -4.0 if is_winning else 0.0
        corner = painter.worldTransform().map(rect.topLeft() + QPointF(0, lift))
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio), pixmap)
        painter.restore()
        if is_dimmed:
            veil = QColor(self._theme.felt)
            veil.setAlpha(135)
            _fill_round(painter, rect, 0.11 * rect.width(), veil)
        if is_winning:
            painter.setPen(QPen(QColor(self._theme.chip), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.translated(0, lift).adjusted(-1, -1, 1, 1), 7, 7)

    def paint_seat(self, place: int, seat: SeatModel) -> None:
        painter = self._painter
        painter.save()
        for rect, card in zip(self._geometry.cards(place), seat.cards or (None, None), strict=True):
            if seat.cards or seat.has_backs:
                self._paint_card(rect, card, is_dimmed=seat.is_folded)
        is_absent = seat.is_folded or seat.is_out
        plate = self._geometry.plate(place)
        if seat.is_to_act:
            self._paint_ring(plate)
        panel = QColor(self._theme.panel)
        painter.setPen(QPen(QColor(self._theme.border), 1))
        # Opaque even where it steps back, or the cards behind it would shine through the text.
        painter.setBrush(_blended(panel, QColor(self._theme.felt), 0.3) if is_absent else panel)
        painter.drawRoundedRect(plate, 9, 9)
        painter.setOpacity(0.8 if is_absent else 1.0)
        if seat.is_to_act:
            painter.setPen(QPen(QColor(self._theme.chip), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(plate, 9, 9)
        self._paint_plate_text(plate.adjusted(9, 4, -9, -5), seat)
        painter.restore()

    def _paint_ring(self, plate: QRectF) -> None:
        """Draw a soft glow under the plate, seen at a glance."""
        glow = QColor(self._theme.chip)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for width, alpha in ((15, 28), (10, 46), (6, 80)):
            glow.setAlpha(alpha)
            self._painter.setPen(QPen(glow, width))
            self._painter.drawRoundedRect(plate, 9, 9)

    def _paint_plate_text(self, area: QRectF, seat: SeatModel) -> None:
        theme = self._theme
        line = area.height() / 3
        rows = [QRectF(area.x(), area.y() + i * line, area.width(), line) for i in range(3)]
        if seat.is_out:
            self._text(rows[0], seat.name, 12.5, theme.text, is_bold=True)
            self._text(rows[1], "out", 12.5, theme.text_muted)
            return
        self._pair(rows[0], (seat.name, 12.5, theme.text, True), (seat.result, 12, theme.good, True))
        right = (seat.net, 12.5, getattr(theme, seat.net_role), True) if seat.net else None
        style = (seat.style, SMALLEST_TEXT, theme.text_muted, False)
        stack = theme.raise_ if seat.is_all_in else theme.text
        self._pair(rows[1], (seat.stack, 13, stack, True), right or (style if seat.hud else None))
        self._text(rows[2], seat.hud or seat.style, SMALLEST_TEXT, theme.text_muted)

    def _pair(
        self,
        row: QRectF,
        left: tuple[str, float, str, bool],
        right: tuple[str, float, str, bool] | None,
    ) -> None:
        """Write one text at the left and one at the right; the left one keeps its room, at most 70 percent."""
        if right is None or not right[0]:
            self._text(row, left[0], left[1], left[2], is_bold=left[3])
            return
        room = min(_width(left[0], left[1], left[3]), 0.7 * row.width())
        first = QRectF(row.x(), row.y(), room + 1, row.height())
        second = QRectF(first.right() + 5, row.y(), row.right() - first.right() - 5, row.height())
        self._text(first, left[0], left[1], left[2], is_bold=left[3])
        self._text(second, right[0], right[1], right[2], is_bold=right[3], align=_Align.AlignRight)

    def _text(
        self,
        rect: QRectF,
        text: str,
        size: float,
        colour: str,
        *,
        is_bold: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        """Write a line; where it is too long it is squeezed a little and then cut with an ellipsis."""
        if not text:
            return
        text, squeeze = _fitted(text, size, is_bold, rect.width())
        room = rect.width() / squeeze
        flags = align | _Align.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
        self._painter.save()
        self._painter.setFont(table_font(size, is_bold))
        self._painter.setPen(QColor(colour))
        self._painter.translate(rect.topLeft())
        self._painter.scale(squeeze, 1.0)
        self._painter.drawText(QRectF(0, 0, room, rect.height()), int(flags), text)
        self._painter.restore()

    def _paint_badges(self, place: int, seat: SeatModel) -> None:
        theme = self._theme
        if seat.is_button:
            self._disc(self._geometry.badge(place, is_left=False), "D", theme.card_face, _ink(theme))
        if seat.blind:
            self._disc(self._geometry.badge(place, is_left=True), seat.blind, theme.panel_raised, theme.text)

    def _disc(self, middle: QPointF, text: str, fill: str, ink: str) -> None:
        self._painter.setPen(QPen(QColor(self._theme.card_edge), 1))
        self._painter.setBrush(QColor(fill))
        self._painter.drawEllipse(middle, 11, 11)
        rect = QRectF(middle.x() - 11, middle.y() - 11, 22, 22)
        self._text(rect, text, 11.5, ink, is_bold=True, align=_Align.AlignHCenter)

    def _paint_label(self, place: int, seat: SeatModel, phase: int | None) -> None:
        middle = self._geometry.label(place)
        if seat.is_thinking:
            self._paint_dots(middle, phase)
        elif seat.is_to_act:
            self._solid_pill(middle, "your turn", self._theme.chip, _ink(self._theme))
        elif seat.label and not seat.is_out:
            self._solid_pill(middle, seat.label, self._theme.panel_raised, getattr(self._theme, seat.label_role))

    def _paint_dots(self, middle: QPointF, phase: int | None) -> None:
        """Three dots, one of them bright in turn; all alike where nothing may move."""
        pill = QRectF(middle.x() - 22, middle.y() - _PILL / 2, 44, _PILL)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(self._theme.chip))
        self._painter.drawRoundedRect(pill, _PILL / 2, _PILL / 2)
        for dot in range(3):
            colour = QColor(_ink(self._theme))
            if phase is not None and phase % 3 != dot:
                colour.setAlpha(90)
            self._painter.setBrush(colour)
            self._painter.drawEllipse(QPointF(middle.x() + 11 * (dot - 1), middle.y()), 3, 3)

    def _solid_pill(self, middle: QPointF, text: str, fill: str, ink: str) -> None:
        size = SMALLEST_TEXT
        is_bold = len(text) < 22
        if "," in text and _NARROWEST * _width(text, size, is_bold) > _LONGEST_LABEL:
            # A clause less reads better than an ellipsis: the kicker, or the kind before its ranks.
            text = text.rpartition(",")[0] if text.endswith("kicker") else text.partition(", ")[2]
        width = min(_width(text, size, is_bold), _LONGEST_LABEL) + 16
        left = min(max(middle.x() - width / 2, 2.0), self._geometry.width - width - 2)
        rect = QRectF(left, middle.y() - _PILL / 2, width, _PILL)
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(QColor(fill))
        self._painter.drawRoundedRect(rect, _PILL / 2, _PILL / 2)
        self._text(rect.adjusted(8, 0, -8, 0), text, size, ink, is_bold=is_bold, align=_Align.AlignHCenter)

    def _text_pill(self, middle: QPointF, text: str, size: float, ink: str, room: float) -> None:
        """Write a line on the cloth, on a darker strip so that it reads against it."""
        width = min(_width(text, size, False), room) + 20
        rect = QRectF(middle.x() - width / 2, middle.y() - size * 0.85, width, size * 1.7)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(0, 0, 0, 80))
        self._painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        self._text(rect.adjusted(9, 0, -9, 0), text, size, ink, align=_Align.AlignHCenter)

    def _paint_amount(self, middle: QPointF, text: str, size: float, chips: int) -> None:
        """Write an amount on a dark strip, with a small stack of chips before it."""
        room = 20.0 if chips else 0.0
        width = _width(text, size, True) + room + 18
        height = size * 1.6
        rect = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(0, 0, 0, 105))
        self._painter.drawRoundedRect(rect, height / 2, height / 2)
        for chip in range(chips):
            self._paint_chip(QPointF(rect.x() + 15, rect.center().y() + 2 - 3.4 * chip + 1.7 * (chips - 1)))
        text_rect = rect.adjusted(9 + room, 0, -9, 0)
        self._text(text_rect, text, size, self._theme.felt_text, is_bold=True, align=_Align.AlignHCenter)

    def _paint_chip(self, middle: QPointF) -> None:
        """Draw a chip seen a little from above."""
        chip = QColor(self._theme.chip)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(chip.darker(165))
        self._painter.drawEllipse(middle + QPointF(0, 2), 8, 4.6)
        self._painter.setBrush(chip)
        self._painter.drawEllipse(middle, 8, 4.6)
        self._painter.setPen(QPen(chip.lighter(165), 1))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawEllipse(middle, 5, 2.7)


@lru_cache(maxsize=64)
def table_font(size: float, is_bold: bool = False) -> QFont:
    """Give the application's font with figures of one width, at a size in canvas units."""
    font = QFont()
    font.setPixelSize(max(1, round(size)))
    font.setBold(is_bold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _blended(colour: QColor, other: QColor, share: float) -> QColor:
    """Mix a share of another colour into one."""
    return QColor.fromRgbF(
        (1 - share) * colour.redF() + share * other.redF(),
        (1 - share) * colour.greenF() + share * other.greenF(),
        (1 - share) * colour.blueF() + share * other.blueF(),
    )


def _ink(theme: Theme) -> str:
    """Give the black of the cards, for signs on light discs and chips."""
    return theme.suit_colour(3, four_colours=False)


@lru_cache(maxsize=2048)
def _fitted(text: str, size: float, is_bold: bool, width: float) -> tuple[str, float]:
    """Give a text cut to a width, and how much it is squeezed to fit."""
    metrics = QFontMetricsF(table_font(size, is_bold))
    squeeze = min(1.0, max(_NARROWEST, width / max(1.0, metrics.horizontalAdvance(text))))
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width / squeeze + 1), squeeze


@lru_cache(maxsize=2048)
def _width(text: str, size: float, is_bold: bool) -> float:
    return QFontMetricsF(table_font(size, is_bold)).horizontalAdvance(text)


def _chips_drawn(chips: int, big_blind: int) -> int:
    """One chip for a small bet, up to four for a big one."""
    return 1 + sum(chips >= blinds * big_blind for blinds in (3, 12, 40))
