"""How the poker table is painted: felt, seats, cards, chips and labels, as vectors in canvas units."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QRadialGradient,
)

from engine.cards import Card
from trainer.play.table_geometry import HOLDING, LONGEST_LABEL, PILL, TableGeometry
from trainer.play.table_model import SeatModel, TableModel
from trainer.theme import Theme, mixed

SMALLEST_TEXT = 11.5
_HOLDING_TEXT, _HOLDING_ROOM = 13, HOLDING.width() - 20
"""Units, so pixels at the smallest full layout: 8.6 points at 96 dots per inch."""

_STEPPED_BACK = 0.15  # of the felt in the plate of who is out of the hand: all text on it can still be read
_NARROWEST = 0.8
_PREVIEW_OPACITY = 0.6  # of a bet that is set but not made
_BET_TEXT = 12.5
_CHIP_ROOM = 20.0
_Align = Qt.AlignmentFlag
_LINE_FLAGS = {
    align: int(align | _Align.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip)
    for align in (_Align.AlignLeft, _Align.AlignHCenter, _Align.AlignRight)
}
"""How a line of text stands; joining flags costs more than drawing the text."""


@dataclass(frozen=True, slots=True)
class Flight:
    """Chips on their way: from where to where on the canvas, and how much."""

    start: QPointF
    end: QPointF
    amount: str
    chips: int


def flights(before: TableModel, after: TableModel, geometry: TableGeometry) -> tuple[Flight, ...]:
    """Return the chips that move between two views: bets to the pot when a street ends, the pot to who wins it."""
    if [seat.seat for seat in before.seats] != [seat.seat for seat in after.seats]:
        return ()
    moving = []
    for place, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        if was.bet and not any(seat.bet for seat in after.seats) and len(after.board) >= len(before.board):
            chips = _chips_drawn(was.bet_chips, before.big_blind)
            start = geometry.bet(place, _amount_width(was.bet, _BET_TEXT, chips))
            moving.append(Flight(start, geometry.pot, was.bet, chips))
        if now.result and now.result != was.result:
            moving.append(Flight(geometry.pot, geometry.plate(place).center(), now.result, 4))
    return tuple(moving)


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


class TableBrush:
    """Paints parts of a `TableModel` in canvas units."""

    def __init__(
        self,
        painter: QPainter,
        theme: Theme,
        geometry: TableGeometry,
        cards: Callable[[Card | None, int, float, Theme, bool], QPixmap],
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
            self._painter.setOpacity(_PREVIEW_OPACITY if seat.is_preview else 1.0)
            middle = self._geometry.bet(place, _amount_width(seat.bet, _BET_TEXT, stack))
            self._paint_amount(middle, seat.bet, _BET_TEXT, stack)
            self._painter.setOpacity(1.0)
        self._paint_label(place, seat, phase)

    def paint_flights(self, moving: tuple[Flight, ...], progress: float) -> None:
        for flight in moving:
            middle = flight.start + (flight.end - flight.start) * progress
            self._paint_amount(middle, flight.amount, _BET_TEXT, flight.chips)

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
            words = holding_words(model.holding)
            self._text_pill(self._geometry.holding, words, _HOLDING_TEXT, self._theme.felt_text, _HOLDING_ROOM)

    def paint_mark(self, model: TableModel) -> None:
        """Write in the corner what stays true of the whole session."""
        rect, is_on = self._geometry.mark, model.mark_role == "chip"
        fill = QColor(getattr(self._theme, model.mark_role))
        _fill_round(self._painter, rect, rect.height() / 2, fill)
        ink = _ink(self._theme) if is_on else self._theme.text
        room = rect.adjusted(8, 0, -8, 0)
        self._text(room, model.mark, SMALLEST_TEXT, ink, is_bold=is_on, align=_Align.AlignHCenter)

    def _paint_card(self, rect: QRectF, card: Card | None, *, is_dimmed: bool = False) -> None:
        """Draw a card on whole device pixels; the winning five stand out, the rest step back."""
        is_winning = card is not None and card in self._winning
        is_dimmed = is_dimmed or (bool(self._winning) and not is_winning)
        painter = self._painter
        ratio = painter.device().devicePixelRatio()
        pixels = max(1, round(rect.width() * self._geometry.scale * ratio))
        pixmap = self._cards(card, pixels, ratio, self._theme, self._four_colours)
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
        painter.setBrush(mixed(panel, QColor(self._theme.felt), _STEPPED_BACK) if is_absent else panel)
        painter.drawRoundedRect(plate, 9, 9)
        if seat.is_to_act:
            painter.setPen(QPen(QColor(self._theme.chip), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(plate, 9, 9)
        if seat.note:
            self._paint_note(plate)
        self._paint_plate_text(plate.adjusted(7, 4, -7, -5), seat)
        painter.restore()

    def _paint_note(self, plate: QRectF) -> None:
        """Turn down the lower right corner of the plate."""
        corner = plate.bottomRight() - QPointF(1, 1)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(self._theme.chip))
        self._painter.drawPolygon([corner, corner - QPointF(13, 0), corner - QPointF(0, 13)])

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
        text = theme.text_muted if seat.is_folded or seat.is_out else theme.text
        if seat.is_out:
            self._text(rows[0], seat.name, 12.5, text, is_bold=True)
            self._text(rows[1], seat.place or "out", 12.5, theme.text_muted)
            return
        # Names are shorter than most stacks, so that the style, of which the figures take the line, stands by them.
        style = (seat.style if seat.hud else "", SMALLEST_TEXT, theme.text_muted, False)
        result = (seat.result, 12, theme.good, True)
        self._pair(rows[0], (seat.name, 12.5, text, True), result if seat.result else style)
        stack = theme.raise_ if seat.is_all_in else text
        net = (seat.net, 12.5, getattr(theme, seat.net_role), True)
        self._pair(rows[1], (seat.stack, 13, stack, True), net)
        self._text(rows[2], seat.hud or seat.style, SMALLEST_TEXT, theme.text_muted)

    def _pair(self, row: QRectF, left: tuple[str, float, str, bool], right: tuple[str, float, str, bool]) -> None:
        """Write one text at the left and one at the right; the left one keeps its room, at most 70 percent."""
        if not right[0]:
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
        self._painter.setFont(table_font(size, is_bold))
        self._painter.setPen(_colour(colour))
        if squeeze == 1.0:
            self._painter.drawText(rect, _LINE_FLAGS[align], text)
            return
        self._painter.save()
        self._painter.translate(rect.topLeft())
        self._painter.scale(squeeze, 1.0)
        self._painter.drawText(QRectF(0, 0, rect.width() / squeeze, rect.height()), _LINE_FLAGS[align], text)
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
        pill = QRectF(middle.x() - 22, middle.y() - PILL / 2, 44, PILL)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(self._theme.chip))
        self._painter.drawRoundedRect(pill, PILL / 2, PILL / 2)
        for dot in range(3):
            colour = QColor(_ink(self._theme))
            if phase is not None and phase % 3 != dot:
                colour.setAlpha(90)
            self._painter.setBrush(colour)
            self._painter.drawEllipse(QPointF(middle.x() + 11 * (dot - 1), middle.y()), 3, 3)

    def _solid_pill(self, middle: QPointF, text: str, fill: str, ink: str) -> None:
        size = SMALLEST_TEXT
        is_bold = len(text) < 22
        text = label_words(text, size, is_bold=is_bold)
        width = min(_width(text, size, is_bold), LONGEST_LABEL) + 16
        left = min(max(middle.x() - width / 2, 2.0), self._geometry.width - width - 2)
        rect = QRectF(left, middle.y() - PILL / 2, width, PILL)
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(QColor(fill))
        self._painter.drawRoundedRect(rect, PILL / 2, PILL / 2)
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
        width = _amount_width(text, size, chips)
        height = size * 1.6
        rect = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(0, 0, 0, 105))
        self._painter.drawRoundedRect(rect, height / 2, height / 2)
        for chip in range(chips):
            self._paint_chip(QPointF(rect.x() + 15, rect.center().y() + 2 - 3.4 * chip + 1.7 * (chips - 1)))
        text_rect = rect.adjusted(9 + (_CHIP_ROOM if chips else 0), 0, -9, 0)
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
    """Return the application's font with figures of one width, at a size in canvas units."""
    font = QFont()
    font.setPixelSize(max(1, round(size)))
    font.setBold(is_bold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def label_words(text: str, size: float, *, is_bold: bool) -> str:
    """Shorten a made hand to what a label has room for: a clause less reads better than an ellipsis.

    What comes last goes first, the kicker or that it lies on the board; only then the kind before its ranks.
    """
    while "," in text and _NARROWEST * _width(text, size, is_bold) > LONGEST_LABEL:
        is_end_cut = text.endswith(("kicker", "on the board"))
        text = text.rpartition(",")[0] if is_end_cut else text.partition(", ")[2]
    return text


def holding_words(text: str) -> str:
    """Shorten your hand and its draws to the room below the board: what is missed least goes first."""
    for clause in (r", [\w-]+ kicker", " straight draw", r" \+ two overcards"):
        if _NARROWEST * _width(text, _HOLDING_TEXT, False) > _HOLDING_ROOM:
            text = re.sub(clause, "", text)
    return text


@lru_cache(maxsize=64)
def _colour(name: str) -> QColor:
    return QColor(name)


def _ink(theme: Theme) -> str:
    """Return the black of the cards, for signs on light discs and chips."""
    return theme.suit_colour(3, four_colours=False)


@lru_cache(maxsize=2048)
def _fitted(text: str, size: float, is_bold: bool, width: float) -> tuple[str, float]:
    """Return a text cut to a width, and how much it is squeezed to fit."""
    metrics = QFontMetricsF(table_font(size, is_bold))
    squeeze = min(1.0, max(_NARROWEST, width / max(1.0, metrics.horizontalAdvance(text))))
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width / squeeze + 1), squeeze


@lru_cache(maxsize=2048)
def _width(text: str, size: float, is_bold: bool) -> float:
    return QFontMetricsF(table_font(size, is_bold)).horizontalAdvance(text)


def _amount_width(text: str, size: float, chips: int) -> float:
    """Return how wide the strip of an amount is."""
    return _width(text, size, True) + (_CHIP_ROOM if chips else 0) + 18


def _chips_drawn(chips: int, big_blind: int) -> int:
    """One chip for a small bet, up to four for a big one."""
    return 1 + sum(chips >= blinds * big_blind for blinds in (3, 12, 40))
