"""What the player has written of others, by their names."""

from functools import partial

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QPlainTextEdit, QWidget

from engine.codec import StoredDataError, decode
from trainer.jobs import Jobs
from trainer.storage.records import RecordStore
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

_LANE = "notes on players"
_KIND = "note on a player"


class PlayerNote(Struct, frozen=True):
    """A note as it is stored."""

    note: str


class PlayerNotes(QObject):
    """The notes, read when the stored hands are opened and kept as they are written."""

    changed = Signal()
    notice = Signal(str)  # why a note could not be kept

    def __init__(self, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._window = window
        self._records: RecordStore | None = None
        self.by_name: dict[str, str] = {}

    def set_store(self, store: Store) -> None:
        """Read what was written before; what is written now goes there."""
        self._records = store.records
        self._jobs.submit(_LANE, partial(_read, store.records), self._on_read, on_error=self._on_error)

    def ask(self, name: str) -> QInputDialog:
        """Open the note on a player to be written; an empty one is none."""
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Note")
        dialog.setLabelText(f"Note on {name}")
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setTextValue(self.by_name.get(name, ""))
        for field in dialog.findChildren(QPlainTextEdit):
            field.setTabChangesFocus(True)
            field.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        dialog.textValueSelected.connect(partial(self.write, name))
        dialog.open()
        return dialog

    def write(self, name: str, text: str) -> None:
        """Keep a note in the place of the one before."""
        note = text.strip()
        if note == self.by_name.get(name, ""):
            return
        self.by_name[name] = note
        if not note:
            del self.by_name[name]
        self.changed.emit()
        if self._records is not None:
            work = partial(_write, self._records, name, note)
            self._jobs.submit(_LANE, work, lambda _done: None, on_error=self._on_error)

    def _on_read(self, found: dict[str, str]) -> None:
        self.by_name = found | self.by_name
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        if not isinstance(error, StoreError):
            raise error
        self.notice.emit(f"Notes on players are not kept: {error}")


def _read(records: RecordStore) -> dict[str, str]:
    """Return the note of each name, without damaged ones."""
    found = {}
    for name, value in records.all(_KIND).items():
        try:
            found[name] = decode(value, PlayerNote).note
        except StoredDataError:
            continue
    return found


def _write(records: RecordStore, name: str, note: str) -> None:
    if note:
        records.put(_KIND, name, PlayerNote(note))
    else:
        records.delete(_KIND, name)
