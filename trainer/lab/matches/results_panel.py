"""The results of matches as tables: each style, and each two styles against each other."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QStackedWidget, QTableView, QVBoxLayout, QWidget

from engine.lab.matches.results import MatchResult
from trainer.lab.matches.match_run import LabResult
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.matches.results_model import Rows, columns, difference_columns, difference_rows, notes, rows
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.tables_model import Column
from trainer.widgets.text_field import ColouredLabel

_LEAST_ROWS = 3
_EMPTY = "Choose styles, a format and how much to play, and start: results come with each finished match."
_WAITING = "Results come with each finished match."


class ResultsPanel(QWidget):
    """Fills with the results of a model as they come; sorted as the player chose."""

    def __init__(self, theme: ThemeSource, model: MatchesModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self.styles = _Table(theme, "Results of each style")
        self.pairs = _Table(theme, "Each two styles against each other")
        self.notes = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.notes.setAccessibleName("What the intervals are made of")
        self._pages = QStackedWidget()
        self.empty = ColouredLabel(theme, "text_muted", _EMPTY, wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        page = QWidget()
        layout = tight(QVBoxLayout(page))
        layout.addWidget(self.styles, 30)
        layout.addWidget(self.pairs, 20)
        layout.addWidget(self.notes)
        layout.addStretch(1)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        tight(QVBoxLayout(self), self._pages)
        model.result_changed.connect(self._show_result)
        model.progressed.connect(self._on_progressed)
        theme.changed.connect(self._show_result)
        self._show_result()

    @property
    def height_of_rows(self) -> int:
        """How high it is with all rows in sight."""
        gaps = 3 * self.styles.fontMetrics().height()
        return self.styles.maximumHeight() + self.pairs.maximumHeight() + self.notes.sizeHint().height() + gaps

    def _show_result(self) -> None:
        result = self._model.result
        self._pages.setCurrentIndex(0 if result is None else 1)
        if result is not None:
            self._show_tables(result)

    def _on_progressed(self) -> None:
        self.empty.setText(_WAITING if self._model.is_running else _EMPTY)

    def _show_tables(self, result: LabResult) -> None:
        best = Qt.SortOrder.DescendingOrder if isinstance(result, MatchResult) else Qt.SortOrder.AscendingOrder
        self.styles.show_figures(columns(result), rows(result), best)
        self.pairs.show_figures(difference_columns(result), difference_rows(result), best)
        self.notes.setText(notes(result))


class _Table(QWidget):
    """A table of figures whose columns may change; what is chosen and how it is sorted stays while they do not."""

    def __init__(self, theme: ThemeSource, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._columns: tuple[Column, ...] = ()
        self.figures: ColouredFigures | None = None
        self.view: QTableView | None = None
        self._layout = tight(QVBoxLayout(self))

    def show_figures(self, shown: tuple[Column, ...], cells: Rows, order: Qt.SortOrder) -> None:
        """Show rows of some columns; new columns are sorted by the second one."""
        if shown != self._columns:
            self._make(shown, order)
        assert self.view is not None
        assert self.figures is not None
        chosen, scrolled = self.view.currentIndex(), self.view.verticalScrollBar().value()
        name, column = chosen.siblingAtColumn(0).data(), chosen.column()
        self.figures.show_cells(cells)
        if chosen_now := self._index_of(name, column):
            self.view.setCurrentIndex(chosen_now)
        self.view.verticalScrollBar().setValue(scrolled)
        self._fit(len(cells))

    def _index_of(self, name: str | None, column: int) -> QModelIndex | None:
        """Return where the row of a name is by now."""
        assert self.view is not None
        model = self.view.model()
        rows = [row for row in range(model.rowCount()) if model.index(row, 0).data() == name]
        return model.index(rows[0], column) if rows else None

    def _fit(self, count: int) -> None:
        """Take no more room than so many rows need, and no less than a few do."""
        assert self.view is not None
        line = self.view.verticalHeader().defaultSectionSize()
        around = self.view.horizontalHeader().sizeHint().height() + 2 * self.view.frameWidth()
        self.setMinimumHeight(around + min(count, _LEAST_ROWS) * line)
        self.setMaximumHeight(around + count * line)

    def _make(self, shown: tuple[Column, ...], order: Qt.SortOrder) -> None:
        self._columns = shown
        if self.view is not None:
            self._layout.removeWidget(self.view)
            self.view.deleteLater()
        self.figures = ColouredFigures(shown, self._theme, self)
        self.view = sorted_view(self.figures, self._name, 1)
        self.view.sortByColumn(1, order)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._layout.addWidget(self.view)
        self.setFocusProxy(self.view)
