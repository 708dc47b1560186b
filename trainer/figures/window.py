"""The window of figures: filters, every player in a table, and one of them by position and hand by hand."""

from PySide6.QtCore import QItemSelection, QModelIndex, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import SeatConfig
from trainer.figures.figure_tables import PLAYER_COLUMNS, POSITION_COLUMNS, player_rows, position_rows
from trainer.figures.figures_model import FiguresModel, headline
from trainer.figures.filters import Filters
from trainer.figures.graph import FiguresGraph
from trainer.figures.leaks_tab import LeaksTab
from trainer.figures.over_time_tab import OverTimeTab
from trainer.figures.starting_hands_tab import StartingHandsTab
from trainer.figures.usual_tab import UsualTab
from trainer.first_steps.glossary import TermsButton
from trainer.lab.saving import Saving
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, open_at
from trainer.widgets.sorted_table import ColouredFigures, sorted_view
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel, ShortenedLabel

_USUAL_SIZE = QSize(1240, 800)
_EMPTY = "No stored hands yet: figures begin with the first hand that you finish."


class FiguresWindow(QWidget):
    """Shows what a model counts; closed, it stops counting, and what is counted stays."""

    def __init__(self, theme: ThemeSource, model: FiguresModel, settings: SettingsFile) -> None:
        super().__init__()
        self.setWindowTitle("Figures")
        self.model = model
        self._settings = settings
        self._shown: tuple[SeatConfig, ...] = ()
        self.filters = Filters()
        self.players = ColouredFigures(PLAYER_COLUMNS, theme, self)
        self.table = sorted_view(self.players, "Figures of every player", 2)
        self.positions = ColouredFigures(POSITION_COLUMNS, theme, self)
        self.position_table = sorted_view(self.positions, "Figures by position", 0)
        self.headline = ColouredLabel(theme, "text", wraps=True)
        self.graph = FiguresGraph(theme)
        self.starting_hands = StartingHandsTab(theme, model.starting_hands)
        self.over_time = OverTimeTab(theme, model.over_time)
        self.leaks = LeaksTab(theme, model.leaks)
        self.usual = UsualTab(theme, model.tendencies)
        self.tabs = Tabs(is_document=True)
        self.status = ShortenedLabel(theme, "text_muted")
        self.progress = QProgressBar()
        self.stop = QPushButton("Sto&p")
        self.go_on = QPushButton("&Count on")
        self.export = _Export(self, model, self.graph)
        self.terms = TermsButton(self)
        self._build()
        model.progressed.connect(self._on_progress)
        model.book_changed.connect(self._on_book)
        model.summary_changed.connect(self._on_summary)
        theme.changed.connect(self._on_summary)
        self.tabs.currentChanged.connect(self._count_looked_at)
        self.filters.chosen.connect(model.choose)
        self.over_time.span_chosen.connect(self.filters.choose_time)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.stop.clicked.connect(model.stop)
        self.export.said.connect(self._on_said)
        model.starting_hands.changed.connect(self.export.refresh)
        QShortcut(QKeySequence("Ctrl+S"), self, self.export.save_numbers)
        QShortcut(QKeySequence("Esc"), self, self.close)
        open_at(self, _USUAL_SIZE)
        self.restoreGeometry(settings.settings.figures_geometry)
        self.table.setFocus()
        self._on_progress()

    def _build(self) -> None:
        self.headline.setAccessibleName("What the player has won")
        for view in (self.table, self.position_table):
            view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
            view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tabs.setAccessibleName("One player")
        self.tabs.addTab(self.graph, "Graph")
        self.tabs.addTab(self.position_table, "By position")
        self.tabs.addTab(self.starting_hands, "By starting hand")
        self.tabs.addTab(self.over_time, "Over time")
        self.tabs.addTab(self.leaks, "Leaks")
        self.tabs.addTab(self.usual, "Beside usual play")
        lower = QWidget()
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 4, 0, 0)
        below.addWidget(self.headline)
        below.addWidget(self.tabs, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.table)
        splitter.addWidget(lower)
        splitter.setSizes([230, 510])
        splitter.setChildrenCollapsible(False)
        self.progress.setTextVisible(False)
        self.progress.setMaximumWidth(180)
        line = QHBoxLayout()
        line.addWidget(self.status, 1)
        for widget in (self.progress, self.stop, self.go_on, self.export.button, self.terms):
            line.addWidget(widget)
        whole = QVBoxLayout(self)
        whole.addWidget(self.filters)
        whole.addWidget(splitter, 1)
        whole.addLayout(line)

    def _on_progress(self) -> None:
        model = self.model
        for widget in (self.progress, self.stop):
            widget.setVisible(model.is_counting)
        self.go_on.setVisible((model.was_stopped or model.why_failed != "") and not model.is_counting)
        self.progress.setRange(0, model.most)
        self.progress.setValue(model.done)
        self.status.setText(model.progress_text())
        is_all_counted = not model.is_counting and model.done == model.most
        if is_all_counted and model.book is not None and not model.book.hands:
            self.headline.setText(_EMPTY)

    def _on_book(self) -> None:
        if self.model.book is not None:
            self.filters.show_book(self.model.book)

    def _on_summary(self) -> None:
        summary = self.model.summary
        if summary is None:
            return
        self._shown, rows = player_rows(summary)
        self.players.show_cells(rows)
        self.positions.show_cells(position_rows(summary))
        has_hands = self.model.book is not None and self.model.book.hands > 0
        self.headline.setText(headline(summary) if has_hands else "")
        self.graph.show_lines(summary.lines)
        if summary.player is not None:
            row = self.table.model().index(self._row_of(self._shown.index(summary.player)), 0)
            self.table.selectionModel().blockSignals(True)
            self.table.setCurrentIndex(row)
            self.table.selectionModel().blockSignals(False)
        self.export.refresh()
        self._count_looked_at()
        self._on_progress()

    def _count_looked_at(self) -> None:
        """Count what takes long only where somebody looks at it."""
        if self.tabs.currentWidget() is self.usual:
            self.model.count_tendencies()
        elif self.tabs.currentWidget() is self.leaks:
            self.model.count_leaks()

    def _row_of(self, row: int) -> int:
        """Return where a row stands as the table is sorted."""
        proxy = self.table.model()
        names = [proxy.mapToSource(proxy.index(at, 0)).row() for at in range(proxy.rowCount())]  # type: ignore[attr-defined]
        return names.index(row)

    def _on_selected(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        if indexes:
            self.model.choose_player(self._shown[_source_row(self.table, indexes[0])])

    def _on_said(self, sentence: str, _is_good: bool) -> None:
        self.status.setText(sentence)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.stop()
        self._settings.change(figures_geometry=self.saveGeometry().data())
        super().closeEvent(event)


def _source_row(view: QTableView, index: QModelIndex) -> int:
    row: int = view.model().mapToSource(index).row()  # type: ignore[attr-defined]
    return row


class _Export(Saving):
    """Writes the figures and the lines of the player shown."""

    def __init__(self, window: QWidget, model: FiguresModel, graph: FiguresGraph) -> None:
        super().__init__(window)
        self._model, self._graph = model, graph
        menu = QMenu(self.button)
        menu.addAction("Figures as &CSV…\tCtrl+S", self.save_numbers)
        menu.addAction("&Lines as CSV…", self._on_lines)
        self._classes = menu.addAction("Starting &hands as CSV…", self._on_classes)
        menu.addSeparator()
        menu.addAction("Graph as PN&G…", self._on_png)
        menu.addAction("Graph as S&VG…", self._on_svg)
        self.button.setMenu(menu)
        self.refresh()

    def refresh(self) -> None:
        summary = self._model.summary
        self.button.setEnabled(summary is not None and summary.player is not None)
        self._classes.setEnabled(self._model.starting_hands.summed is not None)

    def save_numbers(self) -> None:
        if self.button.isEnabled():
            self.save_text(self._model.numbers_csv(), "Save the figures")

    def _on_lines(self) -> None:
        self.save_text(self._model.lines_csv(), "Save the lines")

    def _on_classes(self) -> None:
        self.save_text(self._model.starting_hands.csv(), "Save the starting hands")

    def _on_png(self) -> None:
        self.save_picture(self._graph.picture(), "Save the graph")

    def _on_svg(self) -> None:
        self.save_svg(self._graph.svg(), "Save the graph")
