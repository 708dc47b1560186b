"""Check boxes whose frame is seen in both looks; Qt's is hardly lighter than the ground in the dark one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
)

from trainer.widgets.tables_model import Index

_BETWEEN = 4


def _frame(painter: QPainter, box: QRect, colours: QPalette) -> None:
    painter.setPen(colours.placeholderText().color())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0, 0, -1, -1))


class CheckBox(QCheckBox):
    """A check box with words."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        _frame(
            QPainter(self),
            self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self),
            self.palette(),
        )


class CheckedItems(QStyledItemDelegate):
    """Items with check boxes, of a list; they leave room between one box and the next."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(0, _BETWEEN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        if drawn.features & QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator:
            box = drawn.widget.style().subElementRect(
                QStyle.SubElement.SE_ItemViewItemCheckIndicator, drawn, drawn.widget
            )
            painter.save()
            _frame(painter, box, drawn.palette)
            painter.restore()
