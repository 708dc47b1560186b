"""The dialog of the stored hands: what they take, how much they may, and sessions to be deleted."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.foreign_text import shortened
from engine.words import counted
from trainer.history.stored_hands_model import HEADINGS, StoredRow, megabytes, question, stored_rows, summary
from trainer.jobs import Jobs
from trainer.settings import LEAST_STORED_MEGABYTES, MOST_STORED_MEGABYTES, SettingsFile
from trainer.storage.store import MEGABYTE, Store
from trainer.storage.stored import StoredSession
from trainer.theme import open_at
from trainer.widgets.buttons import dialog_button
from trainer.widgets.file_dialogs import ask_to_open, ask_to_save
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.rows import RowsModel, make_table

LANE = "stored hands"
_USUAL_SIZE = QSize(760, 460)
_BACKUPS = "Stored hands (*.db);;All files (*)"
_Found = tuple[tuple[StoredSession, ...], dict[int, int], int]


class StoredHandsDialog(QDialog):
    """Lists the stored sessions with what each takes; deletes those chosen, but `on_table`, after asking once."""

    def __init__(
        self,
        store: Store,
        settings: SettingsFile,
        jobs: Jobs,
        on_table: Callable[[], int | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._settings = settings
        self._jobs = jobs
        self._on_table = on_table
        self._is_closed = False
        self._rows: tuple[StoredRow, ...] = ()
        self._size = 0
        self.setWindowTitle("Stored hands")
        self.summary = QLabel(wordWrap=True)
        self.summary.setAccessibleName("What the stored hands take")
        self.limit = QSpinBox()
        self.limit.setRange(LEAST_STORED_MEGABYTES, MOST_STORED_MEGABYTES)
        self.limit.setGroupSeparatorShown(True)
        self.limit.setSuffix(" MB")
        self.limit.setSingleStep(100)
        self.limit.setValue(settings.settings.stored_megabytes)
        self.limit.setAccessibleName("Room for stored hands in megabytes")
        self.limit.valueChanged.connect(self._on_limit)
        self._model = RowsModel(HEADINGS, self)
        self.table = make_table(self._model, "Stored sessions", HEADINGS.index("Played"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.delete = dialog_button("&Delete the chosen sessions…", self._on_delete)
        self.back_up = dialog_button("&Back up…", self._on_back_up)
        self.restore = dialog_button("&Restore…", self._on_restore)
        for button in (self.back_up, self.restore):
            button.setEnabled(store.file.is_kept)
        self.said = QLabel(wordWrap=True)
        self.said.setAccessibleName("What has come of it")
        self.said.hide()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        limit_row = tight(QHBoxLayout(), label_of(self.limit, "They &may take"), self.limit)
        limit_row.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.delete)
        buttons.addStretch(1)
        buttons.addWidget(self.back_up)
        buttons.addWidget(self.restore)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.summary)
        layout.addLayout(limit_row)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.said)
        layout.addLayout(buttons)
        open_at(self, _USUAL_SIZE)
        self._on_selection()
        self.finished.connect(self._on_finished)
        self.read()

    def read(self) -> None:
        """Show what is stored now."""
        store = self._store
        self._jobs.submit(LANE, lambda: _found(store), self._on_read, on_error=self._on_error)

    def _on_finished(self) -> None:
        self._is_closed = True

    def _on_read(self, found: _Found) -> None:
        if self._is_closed:  # and its widgets may be gone
            return
        sessions, sizes, self._size = found
        self._rows = stored_rows(sessions, sizes, self._on_table())
        muted = [at for at, row in enumerate(self._rows) if row.is_on_table]
        tips = [row.texts[HEADINGS.index("Played")] for row in self._rows]  # the column that may be cut
        self._model.show_rows([row.texts for row in self._rows], muted=muted, tips=tips)
        self._show_summary()
        self._on_selection()

    def _show_summary(self) -> None:
        self.summary.setText(summary(self._size, self.limit.value() * MEGABYTE, is_kept=self._store.file.is_kept))

    def _chosen(self) -> list[StoredRow]:
        chosen = [self._rows[index.row()] for index in self.table.selectionModel().selectedRows()]
        return [row for row in chosen if not row.is_on_table]

    def _on_selection(self) -> None:
        self.delete.setEnabled(bool(self._chosen()))

    def _on_limit(self, megabytes: int) -> None:
        self._settings.change(stored_megabytes=megabytes)
        self._store.limit = megabytes * MEGABYTE
        self._show_summary()

    def _on_delete(self) -> None:
        chosen = self._chosen()
        buttons = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
        answer = QMessageBox.question(
            self, "Delete sessions", question(chosen), buttons, QMessageBox.StandardButton.No
        )
        if answer == QMessageBox.StandardButton.Yes:
            store, numbers = self._store, [row.session_id for row in chosen]
            self.delete.setEnabled(False)
            self.summary.setText("Deleting…")
            self._jobs.submit(LANE, lambda: _deleted(store, numbers), self._on_read, on_error=self._on_error)

    # Copies

    def _on_back_up(self) -> None:
        title, name = "Back up the stored hands", f"soulread-{date.today().isoformat()}.db"
        ask_to_save(self, title, Path.home(), _BACKUPS, self._write, ending="db", name=name)

    def _write(self, name: str) -> None:
        self._say("Copying…")
        store = self._store
        self._jobs.submit(LANE, lambda: _backed_up(store, Path(name)), self._say, on_error=self._on_refused)

    def _on_restore(self) -> None:
        ask_to_open(self, "Restore the stored hands", Path.home(), _BACKUPS, self._read_back)

    def _read_back(self, name: str) -> None:
        self._say("Checking the copy…")
        store = self._store
        self._jobs.submit(LANE, lambda: _to_restore(store, Path(name)), self._say, on_error=self._on_refused)

    def _on_refused(self, error: Exception) -> None:
        self._say(str(error))

    def _say(self, sentence: str) -> None:
        if not self._is_closed:
            self.said.setText(sentence)
            self.said.show()

    def _on_error(self, error: Exception) -> None:
        if not self._is_closed:
            self.summary.setText(str(error))


def _backed_up(store: Store, path: Path) -> str:
    store.file.backup(path)
    return f"Copied into {shortened(path.name)}, {megabytes(path.stat().st_size)}."


def _to_restore(store: Store, path: Path) -> str:
    hands, sessions = store.file.prepare_restore(path)
    will_be = f"{counted(hands, 'hand')} of {counted(sessions, 'session')} will be there"
    kept = "The hands stored until then are kept in a file beside them."
    return f"{will_be} when Soulread is started next. {kept}"


def _found(store: Store) -> _Found:
    return store.sessions(), store.sizes(), store.file.size


def _deleted(store: Store, numbers: list[int]) -> _Found:
    store.delete_sessions(numbers)
    return _found(store)
