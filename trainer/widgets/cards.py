"""Playing cards as vectors: sharp at every size, the suits drawn as paths so that no font can lack them.

Sizes are logical pixels; a card is 5 wide by 7 high.
"""

from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap, QTransform

from engine.cards import RANKS, rank_of, suit_of
from trainer.theme import Theme

ASPECT = 1.4
"""Height of a card over its width."""

_BIG_SUIT_FROM_HEIGHT = 30.0


@cache
def suit_path(suit: int) -> QPainterPath:
    """Return the outline of a suit (0-3: clubs, diamonds, hearts, spades) in the unit square, y downwards."""
    return (_club, _diamond, _heart, _spade)[suit]()


def paint_suit(painter: QPainter, rect: QRectF, suit: int, colour: QColor) -> None:
    """Fill a suit into a rectangle."""
    place = QTransform.fromTranslate(rect.x(), rect.y()).scale(rect.width(), rect.height())
    painter.fillPath(place.map(suit_path(suit)), colour)


def paint_card(
    painter: QPainter, rect: QRectF, card: int, theme: Theme, *, four_colours: bool, is_dimmed: bool = False
) -> None:
    """Draw a card face (0-51) into a rectangle of any proportion; four colours: green clubs, blue diamonds."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_dimmed:
        painter.setOpacity(painter.opacity() * 0.4)
    _paint_blank(painter, rect, QColor(theme.card_face), QColor(theme.card_edge))
    ink = QColor(theme.suit_colour(suit_of(card), four_colours))
    w, h = rect.width(), rect.height()
    pad = 0.09 * w
    if h < _BIG_SUIT_FROM_HEIGHT:  # too small for three signs: the rank above its suit
        _paint_rank(
            painter, QRectF(rect.x() + pad, rect.y() + 0.07 * h, w - 2 * pad, 0.42 * h), card, ink, "centre"
        )
        side = min(0.62 * w, 0.38 * h)
        paint_suit(
            painter, QRectF(rect.center().x() - side / 2, rect.y() + 0.56 * h, side, side), suit_of(card), ink
        )
    else:
        _paint_rank(painter, QRectF(rect.x() + pad, rect.y() + 0.075 * h, 0.56 * w, 0.31 * h), card, ink, "left")
        small, big = 0.27 * w, 0.54 * w
        paint_suit(painter, QRectF(rect.x() + pad, rect.y() + 0.44 * h, small, small), suit_of(card), ink)
        corner = QRectF(rect.right() - pad - big, rect.bottom() - 0.075 * h - big, big, big)
        paint_suit(painter, corner, suit_of(card), ink)
    painter.restore()


def paint_card_back(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Draw the back of a card: a plain field with a lattice inside a light frame."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_blank(painter, rect, QColor(theme.card_face), QColor(theme.card_edge))
    margin = max(1.5, 0.06 * rect.width())
    inner = rect.adjusted(margin, margin, -margin, -margin)
    field = QPainterPath()
    field.addRoundedRect(inner, 0.07 * rect.width(), 0.07 * rect.width())
    base = QColor(theme.card_back)
    painter.fillPath(field, base)
    painter.setClipPath(field)
    painter.setPen(QPen(base.lighter(135), max(0.5, 0.025 * rect.width())))
    step = inner.width() / 5
    for i in range(-9, 10):
        x = inner.center().x() + i * step
        painter.drawLine(
            QPointF(x - inner.height() / 2, inner.top()), QPointF(x + inner.height() / 2, inner.bottom())
        )
        painter.drawLine(
            QPointF(x + inner.height() / 2, inner.top()), QPointF(x - inner.height() / 2, inner.bottom())
        )
    painter.restore()


def card_pixmap(card: int | None, pixels: int, ratio: float, theme: Theme, four_colours: bool) -> QPixmap:
    """Draw a card, or a back for None, so many device pixels wide, its device pixel ratio set."""
    drawn = QPixmap(pixels, round(pixels * ASPECT))
    drawn.setDevicePixelRatio(ratio)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    whole = QRectF(0, 0, drawn.width() / ratio, drawn.height() / ratio)
    if card is None:
        paint_card_back(painter, whole, theme)
    else:
        paint_card(painter, whole, card, theme, four_colours=four_colours)
    painter.end()
    return drawn


def _paint_blank(painter: QPainter, rect: QRectF, face: QColor, edge: QColor) -> None:
    line = max(0.6, 0.018 * rect.width())
    inner = rect.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    radius = 0.11 * rect.width()
    painter.setPen(QPen(edge, line))
    painter.setBrush(face)
    painter.drawRoundedRect(inner, radius, radius)


def _paint_rank(painter: QPainter, rect: QRectF, card: int, ink: QColor, align: str) -> None:
    """Fit the rank's outline to the height, and squeeze it where it is too wide (the ten)."""
    outline = _rank_path(rank_of(card))
    bounds = outline.boundingRect()
    capital = _rank_path(RANKS.index("A")).boundingRect().height()
    high = rect.height() / max(capital, 0.88 * bounds.height())  # J and Q reach below the line in many fonts
    wide = min(high, rect.width() / bounds.width())
    left = rect.x() if align == "left" else rect.center().x() - wide * bounds.width() / 2
    place = QTransform.fromTranslate(left, rect.top()).scale(wide, high).translate(-bounds.x(), -bounds.y())
    painter.fillPath(place.map(outline), ink)


@cache
def _rank_path(rank: int) -> QPainterPath:
    """Return the outline of a rank's sign in the application's font, on the base line, at a nominal size."""
    font = QFont()
    font.setPixelSize(100)
    font.setBold(True)
    path = QPainterPath()
    path.addText(0, 0, font, "10" if RANKS[rank] == "T" else RANKS[rank])
    return path


def _diamond() -> QPainterPath:
    path = QPainterPath(QPointF(0.5, 0.0))
    for control, end in (
        ((0.66, 0.27), (0.88, 0.5)),
        ((0.66, 0.73), (0.5, 1.0)),
        ((0.34, 0.73), (0.12, 0.5)),
        ((0.34, 0.27), (0.5, 0.0)),
    ):
        path.quadTo(QPointF(*control), QPointF(*end))
    return path


def _heart() -> QPainterPath:
    path = QPainterPath(QPointF(0.5, 0.97))
    path.cubicTo(QPointF(0.42, 0.80), QPointF(0.03, 0.62), QPointF(0.03, 0.32))
    path.cubicTo(QPointF(0.03, 0.02), QPointF(0.41, -0.03), QPointF(0.5, 0.25))
    path.cubicTo(QPointF(0.59, -0.03), QPointF(0.97, 0.02), QPointF(0.97, 0.32))
    path.cubicTo(QPointF(0.97, 0.62), QPointF(0.58, 0.80), QPointF(0.5, 0.97))
    return path


def _spade() -> QPainterPath:
    path = QPainterPath(QPointF(0.5, 0.02))
    path.cubicTo(QPointF(0.58, 0.20), QPointF(0.97, 0.38), QPointF(0.97, 0.63))
    path.cubicTo(QPointF(0.97, 0.88), QPointF(0.65, 0.90), QPointF(0.55, 0.71))
    path.lineTo(0.45, 0.71)
    path.cubicTo(QPointF(0.35, 0.90), QPointF(0.03, 0.88), QPointF(0.03, 0.63))
    path.cubicTo(QPointF(0.03, 0.38), QPointF(0.42, 0.20), QPointF(0.5, 0.02))
    return _joined(path, _stem().toReversed())


def _club() -> QPainterPath:
    path = QPainterPath()
    for x, y, radius in ((0.5, 0.25, 0.225), (0.25, 0.57, 0.225), (0.75, 0.57, 0.225), (0.5, 0.5, 0.14)):
        path.addEllipse(QPointF(x, y), radius, radius)
    return _joined(path, _stem())


def _joined(path: QPainterPath, other: QPainterPath) -> QPainterPath:
    """Lay one outline over another; `united` would turn the curves of a unit-sized path into corners."""
    path.addPath(other)
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _stem() -> QPainterPath:
    path = QPainterPath(QPointF(0.46, 0.60))
    path.quadTo(QPointF(0.46, 0.86), QPointF(0.30, 0.98))
    path.lineTo(0.70, 0.98)
    path.quadTo(QPointF(0.54, 0.86), QPointF(0.54, 0.60))
    path.closeSubpath()
    return path
