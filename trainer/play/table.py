"""The poker table: seats around an oval, board and pots in its middle, painted as vectors.

Everything is laid out on a canvas of at least 760 by 520 units whose scale follows the widget, so the table looks
the same at every size and pixel ratio. What is written comes from `trainer.play.table_model`. Each seat is
covered by an invisible button, so that keyboard and screen reader find it and its details.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from textwrap import fill
from typing import Any

from PySide6.QtCore import (
    QEasingCurve,
    QElapsedTimer,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QStyle, QWidget

from engine.cards import HoleCards
from engine.game.events import Seat
from engine.game.statistics import PlayerStatistics
from trainer.play.results_model import hud_details, hud_line
from trainer.play.table_brush import Flight, TableBrush, flights, paint_felt
from trainer.play.table_geometry import MIN_HEIGHT, MIN_WIDTH, TableGeometry
from trainer.play.table_model import SeatModel, TableContext, TableModel, table_model
from trainer.session.types import TableView
from trainer.theme import Theme, ThemeSource
from trainer.widgets.cards import card_pixmap
from trainer.widgets.text_field import plain_tip

LEAST_TABLE = QSize(480, 330)
_TIP_LETTERS, _TIP_ROOM = 84, 1000  # of a note in a line, and in all
_THINKING_MILLISECONDS = 380
_FLIGHT_MILLISECONDS = 240
_WHEEL_STEP = 120
_MOST_CARDS = 400
"""Drawn cards that are kept: of each size, device pixel ratio, deck and theme."""


class TableWidget(QWidget):
    """Shows a `TableView`."""

    seat_clicked = Signal(object)  # a seat was clicked, or Enter pressed on it
    note_requested = Signal(str)  # the note on the player of this name is to be written
    # the mouse wheel was turned over the table by so many notches, away from the user positive
    wheel_turned = Signal(object)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme_source = theme
        self._theme: Theme = theme.theme
        theme.changed.connect(self._on_theme_changed)
        self._view: TableView | None = None
        self._model = TableModel(seats=())
        self._context: dict[str, Any] = {}
        self._four_colours = False
        self._geometry = TableGeometry(2, MIN_WIDTH, MIN_HEIGHT)
        self._cards = lru_cache(_MOST_CARDS)(card_pixmap)
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
        self.setMinimumSize(LEAST_TABLE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Poker table")

    def show_view(self, view: TableView) -> None:
        """Show the table as it stands."""
        self._view = view
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

    def set_notes(self, notes: Mapping[str, str]) -> None:
        """Mark the plates of players, by their names, of whom there is a note, which their tooltips tell."""
        self._context["notes"] = dict(notes)
        self._refresh()

    def set_units(self, big_blinds: bool) -> None:
        """Write every amount in big blinds, or in chips."""
        self._context["in_big_blinds"] = big_blinds
        self._refresh()

    def set_four_colours(self, four_colours: bool) -> None:
        """Use the four-colour deck, or the usual one."""
        self._four_colours = four_colours
        self.update()

    def preview_bet(self, amount: int | None) -> None:
        """Show, faintly, the bet that the user has set but not made."""
        if amount != self._context.get("preview"):
            self._context["preview"] = amount
            self._refresh()

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
        self._model = table_model(self._view, TableContext(**self._context))
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
            button.note_requested.connect(self.note_requested)
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
        """Return the empty table, drawn once per size and theme."""
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
        """Return the board, the seats and what stands before them, each drawn again only where it changed.

        While bots play at full speed most of the table is the same from one view to the next.
        """
        model, geometry = self._model, self._geometry
        look = (self.size(), self.devicePixelRatioF(), self._theme, self._four_colours, len(model.seats))
        if look != self._look:
            self._look = look
            self._parts.clear()
        board = (model.board, model.pot, model.pots, model.holding, model.winning)
        layers = [self._part("board", board, geometry.middle, lambda brush: brush.paint_board(model))]
        if model.mark:
            mark = (model.mark, model.mark_role)
            layers.append(self._part("mark", mark, geometry.mark, lambda brush: brush.paint_mark(model)))
        for place, seat in enumerate(model.seats):
            area = geometry.group(place).adjusted(-12, -12, 12, 12)
            paint = partial(TableBrush.paint_seat, place=place, seat=seat)
            layers.append(self._part(f"seat {place}", (seat, model.winning), area, paint))
        for place, seat in enumerate(model.seats):
            phase = self._phase if seat.is_thinking and self._is_animated else None
            paint = partial(TableBrush.paint_signs, place=place, seat=seat, big_blind=model.big_blind, phase=phase)
            layers.append(self._part(f"signs {place}", (seat, phase), geometry.signs(place), paint))
        return layers

    def _part(
        self, name: str, content: object, area: QRectF, paint: Callable[["TableBrush"], None]
    ) -> tuple[QPointF, QPixmap]:
        """Return a part of the table and where it goes, from the cache if its content is the same as last time."""
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

    def _brush(self, painter: QPainter) -> "TableBrush":
        return TableBrush(
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

    note_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.seat: Seat = 0
        self._shown: SeatModel | None = None
        self._ring = QColor()
        self._has_key_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_seat(self, seat: SeatModel, theme: Theme) -> None:
        """Take on the name and details of a seat."""
        self.seat, self._shown = seat.seat, seat
        self._ring = QColor(theme.warning)
        self.setAccessibleName(f"Seat {seat.seat + 1}: {seat.name}")
        note = seat.note and f"Note: {seat.note}"
        self.setAccessibleDescription(f"{seat.spoken} {seat.hud_details} {note}".strip())
        heading = seat.name + (f", {seat.style}" if seat.style else "")
        lines = note[:_TIP_ROOM].splitlines()  # of a longer one the beginning; the whole is where it is written
        noted = "\n".join(fill(line, _TIP_LETTERS) for line in lines) + "…" * (len(note) > _TIP_ROOM)
        self.setToolTip(plain_tip("\n".join(filter(None, (heading, noted, seat.style_details, seat.hud_details)))))

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

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shown = self._shown
        if shown is None or shown.is_you:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        read = menu.addAction(f"&Range of {shown.name}")
        read.setEnabled(not (shown.is_folded or shown.is_out))  # of whom nothing is read any more
        read.triggered.connect(self.click)
        note = menu.addAction(f"&Note on {shown.name}…")
        note.triggered.connect(lambda: self.note_requested.emit(shown.name))
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Left)  # seats run clockwise, so left is next
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            event.ignore()  # the other keys act on the hand, not on the seat
