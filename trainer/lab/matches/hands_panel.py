"""The hands of a match to choose from, any of which the panels of the main window show."""

from PySide6.QtCore import QModelIndex, QSignalBlocker, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from trainer.lab.matches.hands_model import LabHands, player_label
from trainer.lab.matches.matches_model import MatchesModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import label_of
from trainer.widgets.rows import show_in_rows
from trainer.widgets.tables_model import SORT_ROLE
from trainer.widgets.text_field import ShortenedLabel


class HandsPanel(QWidget):
    """Lists one match's hands, sorted by a click on a heading; Enter or a double click opens one."""

    opened = Signal(object, object, int)  # PastSession, its PastHands, and which of them

    def __init__(self, theme: ThemeSource, model: MatchesModel, hands: LabHands) -> None:
        super().__init__()
        self._model = model
        self.hands = hands
        self.match = QSpinBox(minimum=1, maximum=1)
        self.list = QPushButton("&List its hands")
        self.seen_by = QComboBox()
        self.open = QPushButton("&Open")
        self.status = ShortenedLabel(theme, "text_muted")
        self.view = QTableView()
        self._proxy = QSortFilterProxyModel(self)
        self._build()
        model.result_changed.connect(self._on_result)
        hands.changed.connect(self._on_hands)
        self.list.clicked.connect(self._on_list)
        self.open.clicked.connect(self.open_current)
        self.view.activated.connect(self._open_row)
        self._on_result()
        self._on_hands()

    def _build(self) -> None:
        line = QHBoxLayout()
        self.match.setAccessibleName("Match")
        self.seen_by.setAccessibleName("Player whose view of the hand is shown")
        self.seen_by.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list.setToolTip("Plays the match again, which makes the same hands")
        self.open.setToolTip("Show the hand in the panels of the main window, with every decision (Enter)")
        for text, widget in (("Ma&tch", self.match), ("Seen &by", self.seen_by)):
            line.addWidget(label_of(widget, text))
            line.addWidget(widget)
            if widget is self.match:
                line.addWidget(self.list)
        line.addWidget(self.open)
        line.addWidget(self.status, 1)
        self._proxy.setSourceModel(self.hands.table)
        self._proxy.setSortRole(SORT_ROLE)
        view = self.view
        show_in_rows(view, self._proxy, "Hands of the match")
        view.setSortingEnabled(True)
        view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setAlternatingRowColors(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 7)
        header = view.horizontalHeader()
        line_height = view.fontMetrics().height()
        for column, lines in enumerate((5, 6, 15, 5, 20)):
            header.resizeSection(column, lines * line_height)
        header.setSectionResizeMode(4, QHeaderView.ResizeMode.Stretch)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(6, 6, 6, 6)
        whole.addLayout(line)
        whole.addWidget(view, 1)

    def open_current(self) -> None:
        """Open the hand that is chosen, or else the first one listed."""
        index = self.view.currentIndex()
        self._open_row(index if index.isValid() else self._proxy.index(0, 0))

    def _open_row(self, index: QModelIndex) -> None:
        if index.isValid():
            row = self._proxy.mapToSource(index).row()
            self.opened.emit(*self.hands.to_open(row, self.seen_by.currentData()))

    def _on_list(self) -> None:
        if self._model.played is not None:
            self.hands.list_match(self._model.played, self.match.value() - 1)
            self.view.setFocus()

    def _on_result(self) -> None:
        matches = self._model.matches
        self.match.setMaximum(max(matches, 1))
        for widget in (self.match, self.list):
            widget.setEnabled(matches > 0)
        if self.hands.setup is not None and self.hands.setup != self._model.played:
            self.hands.clear()
        self._on_hands()

    def _on_hands(self) -> None:
        players = self.hands.players
        if [self.seen_by.itemData(at) for at in range(self.seen_by.count())] != list(players):
            chosen = self.seen_by.currentData()
            with QSignalBlocker(self.seen_by):
                self.seen_by.clear()
                for name in players:
                    self.seen_by.addItem(player_label(name), name)
                self.seen_by.setCurrentIndex(max(self.seen_by.findData(chosen), 0))
        has_hands = self.hands.table.rowCount() > 0
        self.open.setEnabled(has_hands)
        self.seen_by.setEnabled(has_hands)
        empty = "Hands are of finished matches." if not self._model.matches else "List the hands of a match."
        self.status.setText(self.hands.text() or empty)
