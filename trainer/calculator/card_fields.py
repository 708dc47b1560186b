"""The board and the dead cards in the odds window: places, text, buttons, and what is wrong."""

from PySide6.QtGui import QResizeEvent, QUndoStack
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QPushButton, QWidget

from trainer.calculator.card_picker import CardSlots
from trainer.calculator.field import OddsField
from trainer.calculator.input_model import CardField, FieldError
from trainer.theme import ThemeSource
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.painted import FittedToFont
from trainer.widgets.text_field import MarkedLineEdit, WrappedMessage

_LINES_APART, _APART = 3, 14


def show_error(field: MarkedLineEdit, error: FieldError | None) -> None:
    """Mark or unmark a field."""
    if error is None:
        field.unmark()
    else:
        field.mark(error.position, error.length)


class CardsPanel(FittedToFont):
    """The board or the dead cards: places if any, the text, a picker, and what is wrong below."""

    def __init__(self, theme: ThemeSource, undo_stack: QUndoStack, title: str, name: str, slot_count: int) -> None:
        super().__init__()
        self.slots = CardSlots(theme, slot_count, name, 2.3) if slot_count else None
        self.field = OddsField(theme, undo_stack)
        self.field.setAccessibleName(f"{name} as text")
        self.pick = QPushButton("Cards")
        self.pick.setAccessibleName(f"{name}: choose cards")
        self.buttons = QHBoxLayout()
        self.message = WrappedMessage(theme)
        self._error: FieldError | None = None
        self._clash = ""
        label = label_of(self.field, title)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(_LINES_APART)
        layout.setHorizontalSpacing(8)
        self.buttons.setSpacing(6)
        if self.slots is not None:
            layout.addWidget(self.slots, 0, 0, 2, 1)
        first = 0 if self.slots is not None else 1  # an empty column would have its spacing, too
        for column, widget in enumerate((label, self.field, self.pick), start=1):
            layout.addWidget(widget, 0, column)
        layout.addLayout(self.buttons, 1, 1, 1, 3)
        layout.addWidget(self.message, 2, first, 1, 4 - first)
        layout.setRowStretch(3, 1)
        layout.setColumnStretch(2, 1)
        self._fit_to_font()
        self.field.mark_changed.connect(self._show_message)

    def add_button(self, button: QPushButton) -> None:
        self.buttons.addWidget(button)
        self._fit_to_font()

    def _fit_to_font(self) -> None:
        """Let buttons be as narrow as their text allows, and the text field hold a few cards."""
        metrics = self.fontMetrics()
        self.field.setMinimumWidth(8 * metrics.horizontalAdvance("0"))
        for button in (self.pick, *self._buttons()):
            margins = 1.6 if button.menu() is None else 2.6
            width = metrics.horizontalAdvance(button.text()) + margins * metrics.height()
            button.setMinimumWidth(round(width))

    def _buttons(self) -> list[QPushButton]:
        items = [self.buttons.itemAt(at) for at in range(self.buttons.count())]
        widgets = [item.widget() for item in items if item is not None]
        return [button for button in widgets if isinstance(button, QPushButton)]

    @property
    def tab_order(self) -> list[QWidget]:
        slots = self.slots.slots if self.slots is not None else ()
        return [*slots, self.field, self.pick, *self._buttons()]

    def refresh(self, state: CardField, clash: str) -> None:
        self._error, self._clash = state.error, clash
        self.field.replace_text(state.text)
        if self.slots is not None:
            self.slots.show_cards(state.cards)
        show_error(self.field, state.error)
        self._show_message()

    def _show_message(self) -> None:
        is_shown = self._error is not None and self.field.is_marked
        text = self._error.message if is_shown and self._error is not None else self._clash
        self.message.setText(text)
        self.field.setAccessibleDescription(text)


class CardsLine(QWidget):
    """The board beside the dead cards; above them where the two would cramp each other."""

    def __init__(self, board: CardsPanel, dead: CardsPanel) -> None:
        super().__init__()
        self._panels = (board, dead)
        self._layout = tight(QHBoxLayout(self))
        self._layout.addWidget(board, 3)
        self._layout.addWidget(dead, 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _APART + sum(panel.sizeHint().width() for panel in self._panels)
        self._layout.setSpacing(_APART if is_wide else _LINES_APART)
        self._layout.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)
