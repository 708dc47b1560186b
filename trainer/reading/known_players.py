"""The dialog of the players remembered: whether that is wished, who they are, and forgetting them."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import SeatConfig
from trainer.jobs import Jobs
from trainer.reading.known_players_model import (
    HEADING_TIPS,
    HEADINGS,
    KnownRow,
    known_rows,
    question,
    summary,
)
from trainer.settings import SettingsFile
from trainer.storage.players import PlayerStore
from trainer.widgets.rows import RowsModel, make_table

_LANE = "players known"


class KnownPlayersDialog(QDialog):
    """Lists the players remembered with what is known of them; forgets those chosen, or all, after asking once."""

    def __init__(
        self,
        players: PlayerStore,
        settings: SettingsFile,
        jobs: Jobs,
        is_playing: Callable[[], bool],
        parent: QWidget | None = None,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        super().__init__(parent)
        self._players = players
        self._settings = settings
        self._jobs = jobs
        self._is_playing = is_playing
        self._now = now
        self._rows: tuple[KnownRow, ...] = ()
        self._is_closed = False
        self.setWindowTitle("Players known")
        self.remember = QCheckBox("&Remember players between sessions")
        self.remember.setChecked(settings.settings.remember_players)
        self.remember.toggled.connect(self._on_remember)
        self.summary = QLabel(wordWrap=True)
        self.summary.setAccessibleName("Who is remembered")
        self._model = RowsModel(HEADINGS, self, HEADING_TIPS)
        self.table = make_table(self._model, "Players remembered", stretched=len(HEADINGS) - 1)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.details = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.details.setAccessibleName("What is known of the chosen player")
        self.details.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.forget = QPushButton("&Forget the chosen players…")
        self.forget.clicked.connect(self._on_forget)
        self.forget_all = QPushButton("Forget &all…")
        self.forget_all.clicked.connect(self._on_forget_all)
        for button in (self.forget, self.forget_all):
            button.setAutoDefault(False)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.forget)
        buttons.addWidget(self.forget_all)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.remember)
        layout.addWidget(self.summary)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.details)
        layout.addLayout(buttons)
        self.resize(820, 440)
        self._on_selection()
        self._submit(lambda: known_rows(players.all()))

    def _submit(self, work: Callable[[], tuple[KnownRow, ...]]) -> None:
        self._jobs.submit(_LANE, work, self._on_read, on_error=self._on_error)

    def _on_read(self, rows: tuple[KnownRow, ...]) -> None:
        if self._is_closed:  # and its widgets may be gone
            return
        self._rows = rows
        self._model.show_rows([row.texts for row in rows], tips=[row.details for row in rows])
        self._show_summary()
        if rows:
            self.table.selectRow(0)
        self._on_selection()

    def _show_summary(self) -> None:
        self.summary.setText(summary(len(self._rows), is_on=self.remember.isChecked()))

    def _chosen(self) -> list[KnownRow]:
        return [self._rows[index.row()] for index in self.table.selectionModel().selectedRows()]

    def _on_selection(self) -> None:
        chosen = self._chosen()
        self.forget.setEnabled(bool(chosen))
        self.forget_all.setEnabled(bool(self._rows))
        self.details.setText(chosen[0].details if len(chosen) == 1 else "")

    def _on_remember(self, is_on: bool) -> None:
        self._settings.change(remember_players=is_on)
        self._players.is_on = is_on
        self._show_summary()

    def _on_forget(self) -> None:
        self._ask(self._chosen(), is_all=False)

    def _on_forget_all(self) -> None:
        self._ask(self._rows, is_all=True)

    def _ask(self, chosen: Sequence[KnownRow], *, is_all: bool) -> None:
        text = question(chosen, is_all=is_all, is_playing=self._is_playing())
        buttons = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
        box = QMessageBox(QMessageBox.Icon.Question, "Forget players", text, buttons, self)
        box.setTextFormat(Qt.TextFormat.PlainText)  # a name may look like HTML
        box.setDefaultButton(QMessageBox.StandardButton.No)
        if box.exec() == QMessageBox.StandardButton.Yes:
            players, seats, now = self._players, [row.seat for row in chosen], self._now()
            self._submit(lambda: _forgotten(players, seats, now))

    def _on_error(self, error: Exception) -> None:
        if not self._is_closed:
            self.summary.setText(str(error))

    def done(self, result: int) -> None:
        self._is_closed = True
        super().done(result)


def _forgotten(players: PlayerStore, seats: Sequence[SeatConfig], now: datetime) -> tuple[KnownRow, ...]:
    players.forget(seats, now)
    return known_rows(players.all())
