"""How a range hits the board: made hands and draws by combos, and the combos of the rows chosen on the grid."""

from typing import Any

from PySide6.QtCore import (
    QItemSelectionModel,
    QRectF,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.equity.board_hits import HitRow
from engine.ranges import Range
from trainer.charts.chart_values import BoardView
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel, fade
from trainer.reading.range_grid import RangeGrid
from trainer.theme import Theme, ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.tables_model import Index
from trainer.widgets.text_field import ShortenedLabel

_HEADINGS = ("Hand", ">Combos", ">Share", ">Or better", "")
_HEADING_TIPS = (
    "Made hands, the strongest first, then draws; a combo may have several draws",
    "Combos of the range, by weight",
    "Share of the range",
    "Share of the range with this or a better made hand",
    "Share of the range as a bar",
)
_OR_BETTER, _BAR = 3, 4


class _HitsModel(RowsModel):
    """Rows of hits under their headings; a line between made hands and draws holds neither."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_HEADINGS, parent, _HEADING_TIPS)
        self.hits: tuple[HitRow | None, ...] = ()

    def show_view(self, view: BoardView) -> None:
        """Replace all rows."""
        self.hits, texts = view.hits, [(*row, "") for row in view.rows]
        muted = [made] if (made := sum(not hit.is_draw for hit in view.hits)) < len(view.hits) else []
        for row in muted:
            self.hits = (*view.hits[:row], None, *view.hits[row:])
            texts.insert(row, ("Draws", "", "", "", ""))
        self.show_rows(texts, muted=muted)

    def share(self, row: int) -> float:
        """Return a row's share of the range, 0-1."""
        hit = self.hits[row]
        return 0.0 if hit is None else hit.share

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.FontRole and index.isValid() and self.hits[index.row()] is None:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid() and index.column() == _BAR:
            return self.data(self.index(index.row(), 2))
        return super().data(index, role)


class _ShareBar(QStyledItemDelegate):
    """Paints a row's share of the range as a bar."""

    def __init__(self, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        if not isinstance(model, _HitsModel):
            return
        space = QRectF(option.rect).adjusted(3, 4, -3, -4)
        painter.fillRect(
            QRectF(space.x(), space.y(), space.width() * model.share(index.row()), space.height()),
            QColor(self._theme.theme.heat[3]),
        )


class BoardPanel(ChartPanel[BoardView]):
    """The table of hits and the grid of the combos in the rows chosen, or of the whole range."""

    range_chosen = Signal(int, object)  # player, Range

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, BoardView, has_players=True)
        self._shown: tuple[HitRow, ...] | None = None
        self._chosen_names: set[str] = set()
        self.hits = _HitsModel(self)
        self.table = make_table(self.hits, "How the range hits the board", 0)
        self.grid = RangeGrid(theme)
        self.summary = ShortenedLabel(theme)
        self.use = QPushButton("Use as ran&ge")
        self.show_all = QPushButton("Show all")
        self._build_content()
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.use.clicked.connect(self._on_use)
        self.show_all.clicked.connect(self.table.clearSelection)

    def _build_content(self) -> None:
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setItemDelegateForColumn(_BAR, _ShareBar(self._theme, self.table))
        self.table.setToolTip("Choose rows to see their combos on the grid; Ctrl adds a row")
        self.table.horizontalHeader().setMinimumSectionSize(4 * self.fontMetrics().height())
        self.table.setMinimumHeight(7 * self.fontMetrics().height())
        self.grid.setAccessibleName("Combos of the rows chosen")
        self.use.setToolTip("Give the player only the combos of the rows chosen (can be undone)")
        self.show_all.setToolTip("Choose no row: the grid shows the whole range")
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts.setSpacing(6)
        self._parts.addWidget(self.table, 4)
        below = QWidget()
        inner = tight(QVBoxLayout(below), spacing=4)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.summary, 1)
        buttons.addWidget(self.show_all)
        buttons.addWidget(self.use)
        inner.addLayout(buttons)
        inner.addWidget(self.grid, 1)
        self._parts.addWidget(below, 6)
        self.content.addLayout(self._parts, 1)
        self.top.addStretch(1)

    def refresh(self, view: BoardView, *, is_faint: bool) -> None:
        if view.hits is not self._shown:
            self._shown = view.hits
            self._show_hits(view)
        fade(self.table, self._theme.theme, is_faint=is_faint)
        self._show_chosen()

    def _show_hits(self, view: BoardView) -> None:
        """Show the rows, and choose those of the same names again."""
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            self.table.setColumnHidden(_OR_BETTER, not view.is_ordered)
            scrolled = self.table.verticalScrollBar().value()
            self.hits.show_view(view)
            self.table.verticalScrollBar().setValue(scrolled)
            flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
            for row, hit in enumerate(self.hits.hits):
                if hit is not None and hit.name in self._chosen_names:
                    selection.select(self.hits.index(row, 0), flags)

    def _chosen(self) -> tuple[int, ...]:
        """Return the hits chosen, as the view numbers them."""
        if self.view is None:
            return ()
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        chosen = [self.hits.hits[row] for row in sorted(rows)]
        return tuple(at for at, hit in enumerate(self.view.hits) if any(hit is one for one in chosen))

    def _on_selection(self) -> None:
        if self.view is not None:
            self._chosen_names = {self.view.hits[row].name for row in self._chosen()}
            self._show_chosen()

    def _show_chosen(self) -> None:
        view, chosen = self.view, self._chosen()
        if view is None:
            return
        self.grid.show_grid(view.grid(chosen), view.grid(()) if chosen else None)
        self.grid.set_describe(lambda hand_class: view.describe(hand_class, chosen))
        self.summary.setText(view.summary(chosen))
        self.use.setEnabled(bool(chosen))
        self.show_all.setEnabled(bool(chosen))

    def _on_use(self) -> None:
        chosen = self._chosen()
        if self.view is not None and chosen:
            hands: Range = self.view.chosen_range(chosen)
            self.table.clearSelection()
            self.range_chosen.emit(self.view.player, hands)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() > 1.15 * self.height()
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        self._parts.setDirection(direction)

    def _on_theme_changed(self, theme: Theme) -> None:
        super()._on_theme_changed(theme)
        self.table.viewport().update()
