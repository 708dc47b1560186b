"""Check boxes whose frame is seen in both looks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import opened
from trainer.theme import ThemeSource
from trainer.widgets.check_box import CheckBox, CheckedItems


def has(image: QImage, colour: QColor) -> bool:
    return any(
        image.pixelColor(x, y) == colour for x in range(min(image.width(), 40)) for y in range(image.height())
    )


@pytest.mark.parametrize("look", ["light", "dark"])
def test_an_empty_box_has_a_frame_that_is_seen(qtbot: QtBot, theme: ThemeSource, look: str) -> None:
    theme.choose(look)
    frame = QColor(theme.theme.text_muted)
    box = opened(qtbot, CheckBox(""))
    assert has(box.grab().toImage(), frame)
    items = QStandardItemModel()
    item = QStandardItem("Nit")
    item.setCheckable(True)
    items.appendRow(item)
    items.appendRow(item.clone())
    view = QListView()
    view.setModel(items)
    view.setItemDelegate(CheckedItems(view))
    opened(qtbot, view)
    assert has(view.viewport().grab().toImage(), frame)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(items.index(0, 0)).center())
    inside = view.visualRect(items.index(0, 0))
    box_height = view.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorHeight)
    assert view.visualRect(items.index(1, 0)).top() - inside.top() >= box_height + 3, "boxes do not touch"
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(inside.left() + 9, inside.center().y()))
    assert item.checkState() is Qt.CheckState.Checked
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert box.isChecked()
