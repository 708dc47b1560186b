"""The docks in a window that grows while it opens."""

from dataclasses import replace
from typing import Any

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from trainer.settings import Settings
from trainer.window.docks import Docks


def title_bar(_dock: QDockWidget) -> QWidget:
    return QWidget()


class Frame(QMainWindow):
    def __init__(self, chosen: Settings) -> None:
        super().__init__()
        self.setCentralWidget(QLabel())
        self.docks = Docks(self, {name: QLabel() for name in ("ranges", "reasoning", "log", "meters")}, title_bar)
        self.docks.restore(chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.docks.keep_shares()


def test_a_maximised_window_opens_with_its_docks_as_they_were(qtbot: QtBot) -> None:
    """It opens at its usual size and grows to that at which they were: at each start they grew with it."""
    first = Frame(Settings())
    qtbot.addWidget(first)
    first.resize(400, 300)
    first.show()
    first.showMaximized()
    qtbot.waitUntil(lambda: first.width() > 600)
    before = first.docks.by_name["meters"].width()
    kept: dict[str, Any] = first.docks.record()
    again = Frame(replace(Settings(), **kept))
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.size() == first.size())
    qtbot.waitUntil(lambda: abs(again.docks.by_name["meters"].width() - before) <= 4)
    grown = 2 * again.width()
    again.resize(grown, again.height())
    qtbot.waitUntil(lambda: abs(again.docks.by_name["meters"].width() - 2 * before) <= 8)
