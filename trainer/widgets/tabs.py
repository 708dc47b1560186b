"""Tabs of which the chosen one is told from the others in both looks."""

from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QTabBar, QTabWidget

_LINE = 2


class _Bar(QTabBar):
    """Draws a line along the top of the chosen tab; Qt's shades hardly differ in the dark look."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        chosen = self.tabRect(self.currentIndex()).adjusted(2, 0, -2, 0)
        painter = QPainter(self)
        painter.fillRect(
            chosen.adjusted(0, 0, 0, _LINE - chosen.height()), self.palette().color(QPalette.ColorRole.Highlight)
        )
        painter.end()


class Tabs(QTabWidget):
    """Pages with tabs above them."""

    def __init__(self, *, is_document: bool = False) -> None:
        super().__init__()
        self.setTabBar(_Bar())
        self.setDocumentMode(is_document)
