"""All players of the question, a row each, under one head."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from trainer.calculator.odds_model import OddsModel
from trainer.calculator.player_row import OddsHead, OddsRow
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.painted import FittedToFont

_LARGEST_PREVIEW = 8  # lines of text


class PlayerRows(FittedToFont):
    """As many rows as the model has players; they scroll. Requests name the row."""

    cards_requested = Signal(int)
    range_requested = Signal(int)
    library_requested = Signal(int)
    question_pasted = Signal(str)

    def __init__(self, theme: ThemeSource, model: OddsModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self.rows: list[OddsRow] = []
        self.add = QPushButton("&Add player")
        self._head = OddsHead(theme)
        self._rows_layout = QVBoxLayout()
        self.area = QScrollArea(widgetResizable=True)
        self._build()
        self._fit_to_font()
        self.add.clicked.connect(self.add_player)

    def _build(self) -> None:
        whole = tight(QVBoxLayout(self), self._head, spacing=0)
        content = QWidget()
        inner = tight(QVBoxLayout(content))
        self._rows_layout.setSpacing(0)
        inner.addLayout(self._rows_layout)
        inner.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addStretch(1)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(content)
        self.area.verticalScrollBar().rangeChanged.connect(self._on_scroll_range)
        whole.addWidget(self.area, 1)

    def _fit_to_font(self) -> None:
        self.area.setMinimumHeight(8 * self.fontMetrics().height())

    @property
    def tab_order(self) -> list[QWidget]:
        return [*(part for row in self.rows for part in row.tab_order), self.add]

    def refresh(self) -> None:
        count = len(self._model.entered.rows)
        while len(self.rows) > count:
            gone = self.rows.pop()
            self._rows_layout.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.rows) < count:
            self._add_row()
        for row in self.rows:
            row.refresh()
        self.add.setEnabled(self._model.entry.can_add)

    def _add_row(self) -> None:
        index = len(self.rows)
        row = OddsRow(self._theme, self._model, index)
        row.pick.clicked.connect(lambda: self.cards_requested.emit(index))
        row.preview.clicked.connect(lambda: self.range_requested.emit(index))
        row.library_requested.connect(lambda: self.library_requested.emit(index))
        row.field.question_pasted.connect(self.question_pasted)
        row.field.left.connect(lambda step: self._on_field_left(index, step))
        self.rows.append(row)
        self._rows_layout.addWidget(row)

    def refresh_odds(self) -> None:
        """Show the results."""
        for row in self.rows:
            row.refresh_odds()

    def fit_previews(self, window_width: int) -> None:
        """Let the previews of the ranges use the height that few players leave."""
        line = self.fontMetrics().height()
        usual, spare = 3.0 * line, self.area.viewport().height() - 2.2 * line
        side = min(max(spare / len(self.rows) - 0.7 * line, usual), _LARGEST_PREVIEW * line, window_width / 9)
        whole = 13 * max(int(side - 4) // 13, 1) + 4  # each cell as large as the others, within the frame
        self._head.set_preview_side(whole)
        for row in self.rows:
            row.set_preview_side(whole)

    def focus_row(self, index: int) -> None:
        """Go to the field of a row."""
        self.rows[index].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_row(self, index: int) -> None:
        self.focus_row(index)
        self.area.ensureWidgetVisible(self.rows[index])

    def row_of(self, widget: QWidget | None) -> int:
        """Return the row that a widget is in, the first for any other."""
        here = (row.index for row in self.rows if widget is not None and row.isAncestorOf(widget))
        return next(here, 0)

    def add_player(self) -> None:
        if self._model.entry.can_add:
            self._model.entry.add_player()
            self._show_row(-1)

    def _on_field_left(self, index: int, step: int) -> None:
        self._show_row(min(max(index + step, 0), len(self.rows) - 1))

    def _on_scroll_range(self, _least: int, most: int) -> None:
        bar = self.area.verticalScrollBar().sizeHint().width() if most > 0 else 0
        self._head.setContentsMargins(0, 0, bar, 0)
