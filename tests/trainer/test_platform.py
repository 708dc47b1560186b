"""Watches for faults of the platform that would end the app without a word."""

import sys

import pytest
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

CALLS = 1000

# PySide6 6.12.0 under Python 3.11 drops one reference to None per void call: a thousand calls, a thousand
# references. Others come and go (caches, the test runner), so the bound lies far below that and above noise.
NOISE = 100


class Sender(QObject):
    said = Signal(bool)


@pytest.fixture
def painter(qapp: QApplication) -> QPainter:
    return QPainter()


def test_painter_calls_keep_the_references_to_none(painter: QPainter) -> None:
    image = QImage(8, 8, QImage.Format.Format_ARGB32_Premultiplied)
    painter.begin(image)
    colour, place = QColor("#102030"), QRectF(0, 0, 8, 8)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        painter.fillRect(place, colour)
        painter.save()
        painter.restore()
    after = sys.getrefcount(None)
    painter.end()
    assert abs(after - before) < NOISE
    assert image.pixelColor(4, 4) == colour


@pytest.mark.usefixtures("qapp")
def test_signals_keep_the_references_to_booleans() -> None:
    sender = Sender()
    heard: list[bool] = []
    sender.said.connect(heard.append)
    before = sys.getrefcount(True), sys.getrefcount(False)
    for _ in range(CALLS):
        sender.said.emit(True)
        sender.said.emit(False)
    heard.clear()
    after = sys.getrefcount(True), sys.getrefcount(False)
    assert all(abs(new - old) < NOISE for new, old in zip(after, before, strict=True))
