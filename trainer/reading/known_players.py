"""The dialog of the players remembered: whether that is wished, who they are, learning and forgetting."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from engine.game.formats import SeatConfig
from trainer.jobs import Job, Jobs
from trainer.reading.known_players_model import (
    HEADING_TIPS,
    HEADINGS,
    KnownRow,
    known_rows,
    question,
    summary,
)
from trainer.reading.learning import Progress, learn_from_file, learn_stored_hands
from trainer.settings import SettingsFile
from trainer.storage.players import Change, PlayerStore
from trainer.storage.store import Store
from trainer.widgets.buttons import dialog_button
from trainer.widgets.check_box import CheckBox
from trainer.widgets.file_dialogs import ask_to_open
from trainer.widgets.layouts import tight
from trainer.widgets.rows import RowsModel, make_table

_LANE = "players known"
_LEARNING = "learning of players"
_FILTER = "Hands (*.phhs *.phh);;All files (*)"


class KnownPlayersDialog(QDialog):
    """Lists the players remembered with what is known of them.

    Learns more of them from the hands stored or from a file, which can be stopped and undone; forgets those chosen,
    or all, after asking once. Closed, it stops learning.
    """

    def __init__(
        self,
        store: Store,
        settings: SettingsFile,
        jobs: Jobs,
        is_playing: Callable[[], bool],
        parent: QWidget | None = None,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._players = store.players
        self._settings = settings
        self._jobs = jobs
        self._is_playing = is_playing
        self._now = now
        self._rows: tuple[KnownRow, ...] = ()
        self._is_closed = False
        self._learning: Job | None = None
        self._is_keeping = False  # what was learned
        self._changes: list[tuple[Change, ...]] = []  # to be undone, the last first
        self.folder = Path.home()
        self.setWindowTitle("Players known")
        self.remember = CheckBox("&Remember players between sessions")
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
        self.forget = dialog_button("&Forget the chosen players…", self._on_forget)
        self.forget_all = dialog_button("Forget &all…", self._on_forget_all)
        self.learn_stored = dialog_button(
            "Learn from &stored hands",
            self._on_learn_stored,
            "Counts all hands stored on this machine again; none counts twice.",
        )
        self.learn_file = dialog_button(
            "&Learn from a file…",
            self._on_learn_file,
            "Learns the hands of a .phhs or .phh file; those learned before do not count again.",
        )
        self.undo = dialog_button(
            "&Undo learning",
            self._on_undo,
            "Takes the last learning back but of players of whom more was learned since.",
        )
        self.stop = dialog_button("S&top", self._on_stop)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Hands learned")
        self.said = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.said.setAccessibleName("What has been learned")
        self._lay_out()
        self.resize(820, 520)
        self._on_selection()
        self._show_learning()
        self._read()

    def _lay_out(self) -> None:
        learning = QHBoxLayout()
        for widget in (self.learn_stored, self.learn_file, self.undo):
            learning.addWidget(widget)
        learning.addWidget(self.progress, 1)
        learning.addWidget(self.stop)
        learning.addStretch()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        buttons = tight(QHBoxLayout(), self.forget, self.forget_all)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.remember)
        layout.addWidget(self.summary)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.details)
        layout.addLayout(learning)
        layout.addWidget(self.said)
        layout.addLayout(buttons)

    def _read(self) -> None:
        players = self._players
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
        self._show_learning()

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

    # Learning

    def _on_learn_stored(self) -> None:
        store = self._store
        self._learn(lambda: learn_stored_hands(store))

    def _on_learn_file(self) -> None:
        ask_to_open(self, "Learn from a file", self.folder, _FILTER, self.take_file)

    def take_file(self, name: str) -> None:
        """Learn the hands of a file, or say what is wrong with it."""
        store, path, now = self._store, Path(name), self._now()
        self.folder = path.parent
        self._learn(lambda: learn_from_file(store, path, now))

    def _learn(self, steps: Callable[[], Iterator[Progress]]) -> None:
        self.said.clear()
        self.progress.setRange(0, 0)
        self._learning = self._jobs.submit(_LEARNING, steps, self._on_progress, on_error=self._on_learning_failed)
        self._show_learning()

    def _on_progress(self, progress: Progress) -> None:
        if self._is_closed:
            return
        self.progress.setRange(0, progress.most)
        self.progress.setValue(progress.done)
        self.progress.setFormat("%v of %m hands")
        self.said.setText(f"{progress.done:,} hands looked at so far.")
        found, say, players = progress.players, progress.say, self._players
        if found is not None:
            self._learning, self._is_keeping = None, True
            self._show_learning()
            self._jobs.submit(
                _LANE,
                lambda: players.learn(found),
                lambda changes: self._on_learned(changes, say(len(changes))),
                on_error=self._on_learning_failed,
            )

    def _on_learned(self, changes: tuple[Change, ...], said: str) -> None:
        if self._is_closed:
            return
        self._is_keeping = False
        self.said.setText(said)
        if changes:
            self._changes.append(changes)
            self._read()
        self._show_learning()

    def _on_learning_failed(self, error: Exception) -> None:
        if not self._is_closed:
            self._learning, self._is_keeping = None, False
            self.said.setText(str(error))
            self._show_learning()

    def _on_stop(self) -> None:
        self._stop()
        self.said.setText("Stopped: nothing has changed.")
        self._show_learning()

    def _stop(self) -> None:
        if self._learning is not None:
            self._learning.cancel()
            self._learning = None

    def _on_undo(self) -> None:
        players, changes = self._players, self._changes.pop()
        self._show_learning()

        def undo() -> tuple[KnownRow, ...]:
            players.undo(changes)
            return known_rows(players.all())

        self.said.setText("What was learned last is taken back.")
        self._submit(undo)

    def _show_learning(self) -> None:
        is_learning = self._learning is not None
        is_free = not (is_learning or self._is_keeping)
        for button in (self.learn_stored, self.learn_file):
            button.setEnabled(is_free and self.remember.isChecked())
        self.undo.setEnabled(is_free and bool(self._changes))
        for widget in (self.progress, self.stop):
            widget.setVisible(is_learning)

    def done(self, result: int) -> None:
        self._stop()
        self._is_closed = True
        super().done(result)


def _forgotten(players: PlayerStore, seats: Sequence[SeatConfig], now: datetime) -> tuple[KnownRow, ...]:
    players.forget(seats, now)
    return known_rows(players.all())
