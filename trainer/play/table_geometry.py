"""Where everything stands on the poker table, in the units of a canvas that follows the widget's size."""

from math import copysign

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF

from trainer.play.table_model import seat_points
from trainer.widgets.cards import ASPECT

MIN_WIDTH, MIN_HEIGHT = 760.0, 520.0
PLATE = QSizeF(148, 56)
HOLDING = QSizeF(344, 24)
PILL = 18.0
LONGEST_LABEL = 152.0
_CARD = 38.0
_OWN_CARD = 58.0
_BOARD_CARD = 54.0
_TUCK = 9.0
_BET = QSizeF(78, 24)
_BESIDE = 0.7  # of the way down or up; seats beyond stand below or above the table's middle


def _around(middle: QPointF, size: QSizeF) -> QRectF:
    return QRectF(middle.x() - size.width() / 2, middle.y() - size.height() / 2, size.width(), size.height())


class TableGeometry:
    """Where everything stands, in canvas units, for 2 to 10 seats; width and height in logical pixels."""

    def __init__(self, seats: int, width: float, height: float) -> None:
        self.scale = max(0.1, min(width / MIN_WIDTH, height / MIN_HEIGHT))
        self.width, self.height = width / self.scale, height / self.scale
        top = PLATE.height() / 2 + _CARD * ASPECT - _TUCK + 6
        bottom = self.height - PLATE.height() / 2 - PILL - 2
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
        self.mark = QRectF(6, 6, 132, PILL)
        self.holding = QPointF(self.width / 2, board_y + _BOARD_CARD * ASPECT + 17)
        above, below = self.side_pots.y() - 16, self.holding.y() + HOLDING.height()
        self.middle = QRectF(self.width / 2 - 230, above, 460, below - above)
        self._plates = tuple(self._place_plate(place) for place in range(seats))
        self._groups = tuple(self._place_group(place) for place in range(seats))
        self._bets = tuple(self._place_bet(place) for place in range(seats))

    def plate(self, place: int) -> QRectF:
        """Return the rectangle with a seat's name and stack; place 0 is at the bottom centre."""
        return self._plates[place]

    def _place_plate(self, place: int) -> QRectF:
        x, y = self._points[place]
        return _around(self.centre + QPointF(x * self._reach.x(), y * self._reach.y()), PLATE)

    def cards(self, place: int) -> tuple[QRectF, QRectF]:
        """Return the rectangles of a seat's hole cards, tucked behind the top of its plate."""
        plate = self.plate(place)
        width = _OWN_CARD if place == 0 else _CARD
        height = width * ASPECT
        top = plate.top() - height + _TUCK * width / _CARD
        middle = plate.center().x()
        return QRectF(middle - width - 1, top, width, height), QRectF(middle + 1, top, width, height)

    def group(self, place: int) -> QRectF:
        """Return the rectangle of all that belongs to a seat."""
        return self._groups[place]

    def _place_group(self, place: int) -> QRectF:
        first, second = self.cards(place)
        pill = QRectF(self.label(place).x() - 40, self.label(place).y() - PILL / 2, 80, PILL)
        return self.plate(place).united(first).united(second).united(pill)

    def label(self, place: int) -> QPointF:
        """Return the middle of a seat's label, on the lower edge of its plate."""
        plate = self.plate(place)
        return QPointF(plate.center().x(), plate.bottom() + PILL / 2 - 1)

    def bet(self, place: int, width: float = 0.0) -> QPointF:
        """Return the middle of the chips in front of a seat: towards the centre, clear of all that is its own.

        A wide amount beside its plate goes further in, since it has no room to grow on both sides.
        """
        beyond = max(0.0, width - _BET.width()) / 2 if abs(self._points[place][1]) < _BESIDE else 0.0
        return self._bets[place] - QPointF(copysign(beyond, self._points[place][0]), 0)

    def signs(self, place: int) -> QRectF:
        """Return a rectangle with room for a seat's badges, bet and label."""
        badges = self.group(place).adjusted(-30, -12, 30, 12)
        label = _around(self.label(place), QSizeF(2 * LONGEST_LABEL, 2 * PILL))
        return badges.united(label).united(_around(self.bet(place), QSizeF(220, 44)))

    def _place_bet(self, place: int) -> QPointF:
        plate = self.plate(place)
        taken = plate.united(self.cards(place)[0])
        y = self._points[place][1]
        if y < 0:  # its label hangs on the centre's side
            taken.setBottom(plate.bottom() + PILL)
        elif y > _BESIDE:  # next to your own, larger cards
            taken.setTop(min(taken.top(), self.cards(0)[0].top()))
        start, way = plate.center(), self.centre - plate.center()
        for step in range(101):
            middle = start + way * (step / 100)
            if not _around(middle, _BET).intersects(taken):
                break
        half = _BET.height() / 2
        board = self.board[0].united(self.board[4]).adjusted(-2, -2, 2, 2)
        holding = _around(self.holding, HOLDING)
        if y >= 0 and _around(middle, _BET).intersects(board.united(holding)):
            middle.setY(holding.bottom() + half)
        elif _around(middle, _BET).intersects(board):
            middle.setY(board.top() - half)
        return middle

    def badge(self, place: int, *, is_left: bool) -> QPointF:
        """Return the middle of a round badge beside the cards: the button on the right, a blind on the left."""
        first, second = self.cards(place)
        return QPointF(first.left() - 15 if is_left else second.right() + 15, self.plate(place).top() - 14)

    def to_widget(self, rect: QRectF) -> QRect:
        """Return a canvas rectangle in the widget's pixels."""
        s = self.scale
        return QRectF(rect.x() * s, rect.y() * s, rect.width() * s, rect.height() * s).toAlignedRect()
