"""Cards are painted right: colours, sharpness and what is kept."""

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from engine.cards import parse_cards
from trainer.theme import DARK, LIGHT, Theme
from trainer.widgets.cards import ASPECT, card_pixmap, paint_card, paint_card_back, suit_path

pytestmark = pytest.mark.usefixtures("qapp")


def painted(text: str, width: int = 100, *, four_colours: bool = False, is_dimmed: bool = False) -> QImage:
    image = QImage(width, round(width * ASPECT), QImage.Format.Format_ARGB32)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    card = parse_cards(text)[0]
    rect = QRectF(image.rect())
    paint_card(painter, rect, card, LIGHT, four_colours=four_colours, is_dimmed=is_dimmed)
    painter.end()
    return image


def colours(image: QImage) -> dict[str, int]:
    counts: dict[str, int] = {}
    for y in range(image.height()):
        for x in range(image.width()):
            name = image.pixelColor(x, y).name()
            counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.parametrize("width", [16, 24, 38, 100])
@pytest.mark.parametrize("four_colours", [False, True])
@pytest.mark.parametrize("suit", [0, 1, 2, 3])
def test_the_ink_is_the_suits(width: int, four_colours: bool, suit: int) -> None:
    ink = LIGHT.suit_colour(suit, four_colours)
    counts = colours(painted("K" + "cdhs"[suit], width, four_colours=four_colours))
    inks = {LIGHT.suit_colour(other, four) for other in range(4) for four in (False, True)} - {ink}
    assert counts[ink] > 0.06 * width * width
    assert not any(counts.get(other, 0) for other in inks)
    assert counts[LIGHT.card_face] > counts[ink]


def test_all_52_cards_differ() -> None:
    pictures = {bytes(painted(rank + suit, 40).constBits()) for rank in "23456789TJQKA" for suit in "cdhs"}
    assert len(pictures) == 52


@pytest.mark.parametrize("suit", [0, 1, 2, 3])
def test_suits_are_whole_and_symmetrical(suit: int) -> None:
    path = suit_path(suit)
    bounds = path.boundingRect()
    assert bounds.left() >= 0
    assert bounds.right() <= 1
    assert bounds.height() > 0.85
    assert path.contains(QPointF(0.5, 0.66))  # no hole where leaves and stem meet
    for x, y in ((0.3, 0.3), (0.3, 0.6), (0.2, 0.55), (0.4, 0.9), (0.05, 0.05)):
        assert path.contains(QPointF(x, y)) == path.contains(QPointF(1 - x, y)), (x, y)


def test_dimmed_cards_let_the_cloth_through() -> None:
    plain, dimmed = painted("As"), painted("As", is_dimmed=True)
    corner = (50, 10)
    assert plain.pixelColor(*corner).name() == LIGHT.card_face
    assert dimmed.pixelColor(*corner).name() not in (LIGHT.card_face, "#ff00ff")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_backs_show_no_face(theme: Theme) -> None:
    image = QImage(50, 70, QImage.Format.Format_ARGB32)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    paint_card_back(painter, QRectF(image.rect()), theme)
    painter.end()
    assert colours(image)[theme.card_back] > 400


def test_pixmaps_are_sharp(qtbot: QtBot) -> None:
    face, back = (card_pixmap(card, 100, 2.5, LIGHT, False) for card in (51, None))
    assert (face.width(), face.height(), face.devicePixelRatio()) == (100, 140, 2.5)
    assert face.toImage() != back.toImage()
