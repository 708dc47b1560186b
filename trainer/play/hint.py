"""The hint for the player's own turn, above the buttons that act."""

from PySide6.QtCore import QMargins, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from trainer.play.hint_model import HintView
from trainer.reasoning.value_table import READABLE, ValueTable
from trainer.theme import ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.text_field import make_bold, plain_tip, wrapped_height

_LEAST_ROWS = 2
_FEWEST_LINES = 2
_MARGINS = QMargins(12, 4, 12, 0)
_SPACING = 3


class HintPanel(QWidget):
    """A sentence, what every action is worth, and by which model; hidden until it is asked for."""

    closed = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.setAccessibleName("Hint")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._said = ""
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
        head.setSpacing(_SPACING)
        head.addWidget(self.sentence, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MARGINS)
        whole.setSpacing(_SPACING)
        whole.addLayout(head)
        whole.addWidget(self.values)
        whole.addWidget(self.model)
        self.hide()

    def show_hint(self, view: HintView, *, is_done: bool) -> None:
        """Show a hint as far as it goes; a screen reader says it when it is done."""
        self._said = view.sentence
        self.values.show_view(view.table)
        self.model.setText(view.model)
        self.model.setToolTip(plain_tip(view.about_model) if view.about_model else "")
        self.model.setAccessibleDescription(view.about_model)
        self.show()
        self._fit()
        self.updateGeometry()
        if is_done:
            announce(self, view.sentence)

    def _fit(self) -> None:
        """Leave out what there is no room for: by which model, and at last the end of a long sentence."""
        height, values = self.height(), self.values
        is_model_shown = height >= self._height(self._said, values.height_for(self._width, least=True))
        self.model.setVisible(bool(self.model.text()) and is_model_shown)
        is_whole = height >= self._height(self._said, values.minimumHeight(), has_model=False)
        self.sentence.setText(self._said if is_whole else self._in_short())
        self.sentence.setToolTip("" if is_whole else plain_tip(self._said))
        self.sentence.setAccessibleDescription("" if is_whole else self._said)

    @property
    def _width(self) -> int:
        return self.width() - _MARGINS.left() - _MARGINS.right()

    def _height_of(self, said: str) -> int:
        return wrapped_height(self.sentence, said, self._width - self.close_button.sizeHint().width() - _SPACING)

    def _in_short(self) -> str:
        """Return as much of the sentence as stands on a few lines."""
        most, words, end = _FEWEST_LINES * self.sentence.fontMetrics().lineSpacing(), self._said.split(), ""
        while words and self._height_of(" ".join(words) + end) > most:
            words, end = words[:-1], " …"
        return " ".join(words) + end

    def _height(self, said: str, values: int, *, has_model: bool = True) -> int:
        """Return how high it is with a sentence and with the values so high."""
        parts = [max(self._height_of(said), self.close_button.sizeHint().height())]
        if not self.values.isHidden():
            parts.append(values)
        if has_model and self.model.text():
            parts.append(wrapped_height(self.model, self.model.text(), self._width))
        return _MARGINS.top() + sum(parts) + _SPACING * (len(parts) - 1)

    # Its height depends on its width, but a layout would then take the whole height of the table for the least.

    def hasHeightForWidth(self) -> bool:
        return False

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height(self._said, self.values.height_for(self._width)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height(self._in_short(), self.values.minimumHeight(), has_model=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
