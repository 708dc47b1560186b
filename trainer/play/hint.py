"""The hint for the player's own turn, above the buttons that act."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from trainer.play.hint_model import HintView
from trainer.reasoning.value_table import READABLE, ValueTable
from trainer.theme import ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.text_field import make_bold, plain_tip

_LEAST_ROWS = 2


class HintPanel(QWidget):
    """A sentence, what every action is worth, and by which model; hidden until it is asked for."""

    closed = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.setAccessibleName("Hint")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.sentence = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.sentence.setAccessibleName("Hint")
        make_bold(self.sentence)
        self.model = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.model.setAccessibleName("Made by which model")
        self.model.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for label in (self.sentence, self.model):
            label.setTextInteractionFlags(READABLE)
        self.values = ValueTable(theme, least_rows=_LEAST_ROWS)
        self.values.table.setAccessibleName("What every action is worth to you")
        self.close_button = QToolButton()
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName("Close the hint")
        self.close_button.setToolTip("Close the hint (Esc)")
        self.close_button.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(self.sentence, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._whole = whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 4, 12, 0)
        whole.setSpacing(3)
        whole.addLayout(head)
        whole.addWidget(self.values)
        whole.addWidget(self.model)
        self.hide()

    def show_hint(self, view: HintView, *, is_done: bool) -> None:
        """Show a hint as far as it goes; a screen reader says it when it is done."""
        self.sentence.setText(view.sentence)
        self.values.show_view(view.table)
        self.model.setText(view.model)
        self.model.setVisible(bool(view.model))
        self.model.setToolTip(plain_tip(view.about_model) if view.about_model else "")
        self.model.setAccessibleDescription(view.about_model)
        self.show()
        self.updateGeometry()
        if is_done:
            announce(self, view.sentence)

    # Its height depends on its width, but a layout would then take the whole height of the table for the least.

    def hasHeightForWidth(self) -> bool:
        return False

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._whole.totalHeightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        spare = self.values.spare_height if self.values.isVisibleTo(self) else 0
        return QSize(0, self.sizeHint().height() - spare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
