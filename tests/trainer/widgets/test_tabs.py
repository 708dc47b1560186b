"""The chosen tab is told from the others in both looks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import opened
from trainer.theme import ThemeSource
from trainer.widgets.tabs import Tabs


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("is_document", [False, True])
def test_the_chosen_tab_alone_has_a_line(qtbot: QtBot, theme: ThemeSource, look: str, is_document: bool) -> None:
    theme.choose(look)
    tabs = Tabs(is_document=is_document)
    for title in ("Matches", "Experiments"):
        tabs.addTab(QLabel(title), title)
    opened(qtbot, tabs)

    def lined() -> list[bool]:
        image, bar = tabs.tabBar().grab().toImage(), tabs.tabBar()
        tops = [bar.tabRect(at).center().x() for at in range(bar.count())]
        return [
            any(image.pixelColor(x, y) == QColor(theme.theme.accent) for y in range(image.height())) for x in tops
        ]

    assert lined() == [True, False]
    qtbot.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=tabs.tabBar().tabRect(1).center())
    assert lined() == [False, True]
