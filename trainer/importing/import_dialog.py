"""The dialog that imports hands: what is chosen, pasted or dropped, how far it is, and what came of it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from engine.codec import StoredDataError, decode
from engine.foreign_text import shortened
from engine.hand_histories.files import KINDS
from trainer.importing.run import ImportReport, OriginReport, import_files, import_text, summary
from trainer.jobs import Job, Jobs
from trainer.storage.store import Store
from trainer.storage.stored import StoreError
from trainer.theme import open_at
from trainer.widgets.buttons import dialog_button
from trainer.widgets.dropped import dropped_paths
from trainer.widgets.rows import RowsModel, make_table

LANE = "importing"
_USUAL_SIZE = QSize(820, 600)
_OWNERS = "owner of imported hands"
_MOST_NAMES = 200
_FILTER = "Hand histories (*.txt *.log *.phh *.phhs *.json *.ohh *.xml);;All files (*)"
_ORIGIN_HEADINGS = ("Site", ">Files", ">New", ">Watched", ">Yours now", ">There before", ">Left out")
_REASON_HEADINGS = (">Hands", "Why they are left out", "The first")


class Owner(Struct, frozen=True):
    """Whose hands those of a site are that it gives to nobody, if they played them; by all their names there."""

    names: tuple[str, ...]


class ImportDialog(QDialog):
    """Imports hands beside the game, which goes on; closed, it stops, and what is stored stays."""

    hands_imported = Signal()  # there are more hands in the store
    hands_wanted = Signal()  # the list of all hands is to be shown

    def __init__(self, store: Store, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._jobs = jobs
        self._job: Job | None = None
        self._again: Callable[[], Iterator[ImportReport]] | None = None
        self._asked = ""  # the site of which it is asked whose hands they are
        self._answered = set[str]()  # sites of which it was asked since the import was begun
        self._report: ImportReport | None = None
        self.folder = Path.home()
        self.setWindowTitle("Import hands")
        self.setAcceptDrops(True)
        intro = QLabel(
            f"Drop files or folders here, or choose them: {KINDS}. No-limit hold'em is taken; hands that "
            "are stored already stay as they are. Hands that are nobody's own are kept as watched.",
            wordWrap=True,
        )
        self.files = dialog_button("&Files…", self._on_files)
        self.folders = dialog_button(
            "F&older…", self._on_folder, "Imports all files in a folder and in those within it"
        )
        self.paste = dialog_button(
            "&Paste", self._on_paste, "Imports the hands in the text on the clipboard (Ctrl+V)"
        )
        QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self, self._on_paste)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Files read")
        self.stop = dialog_button("&Stop", self._on_stop)
        self.said = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.said.setAccessibleName("What has been imported")
        self._origins = RowsModel(_ORIGIN_HEADINGS, self)
        self.origins = make_table(self._origins, "Imported by site", stretched=0)
        self._reasons = RowsModel(_REASON_HEADINGS, self)
        self.reasons = make_table(self._reasons, "Left out by reason", stretched=2)
        self.question = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.owner = QComboBox(editable=True)
        self.owner.setAccessibleName("Whose hands they are")
        self.take = dialog_button(
            "&Take them", self._on_take, "Makes the hands yours in which this player's hole cards are known"
        )
        self.none = dialog_button("&None of them", self._on_none, "Leaves all of them watched")
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        self.show_hands = close.addButton("Show the &hands", QDialogButtonBox.ButtonRole.ActionRole)
        self.show_hands.clicked.connect(self._on_show_hands)
        self.show_hands.setAutoDefault(False)
        choosing = QHBoxLayout()
        for widget in (self.files, self.folders, self.paste):
            choosing.addWidget(widget)
        choosing.addWidget(self.progress, 1)
        choosing.addWidget(self.stop)
        choosing.addStretch()
        owning = QHBoxLayout()
        owning.addWidget(self.owner, 1)
        owning.addWidget(self.take)
        owning.addWidget(self.none)
        layout = QVBoxLayout(self)
        layout.addWidget(intro)
        layout.addLayout(choosing)
        layout.addWidget(self.said)
        layout.addWidget(self.origins, 1)
        layout.addWidget(self.reasons, 2)
        layout.addWidget(self.question)
        layout.addLayout(owning)
        layout.addStretch()
        layout.addWidget(close)
        open_at(self, _USUAL_SIZE)
        self._show_report(None)
        if store.file.why_not_stored:
            self.said.setText(f"Nothing can be imported. {store.file.why_not_stored}")
            for button in (self.files, self.folders, self.paste):
                button.setEnabled(False)

    # What is imported

    def take_paths(self, paths: Sequence[Path]) -> None:
        """Import files and folders."""
        if paths and self.files.isEnabled():
            self.folder = paths[0] if paths[0].is_dir() else paths[0].parent
            imports, owners = self._store.imports, self._owners
            self._answered.clear()
            self._begin(lambda: import_files(paths, imports, owners()))

    def _on_files(self) -> None:
        self._choose("Import hands", QFileDialog.FileMode.ExistingFiles)

    def _on_folder(self) -> None:
        self._choose("Import a folder of hands", QFileDialog.FileMode.Directory)

    def _choose(self, title: str, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self, title, str(self.folder), _FILTER)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(mode)
        dialog.filesSelected.connect(lambda names: self.take_paths([Path(name) for name in names]))
        dialog.open()

    def _on_paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self.said.setText("There is no text on the clipboard.")
        elif self.files.isEnabled():
            imports, owners = self._store.imports, self._owners
            self._answered.clear()
            self._begin(lambda: import_text(text, imports, owners()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.files.isEnabled() and event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.take_paths(dropped_paths(event))
        event.acceptProposedAction()

    def _owners(self) -> dict[str, tuple[str, ...]]:
        """Return whose hands those of each site are that it gives to nobody, as the player has said."""
        owners = {}
        for site, data in self._store.records.all(_OWNERS).items():
            try:
                owners[site] = decode(data, Owner).names
            except StoredDataError:
                continue
        return owners

    # How far it is

    def _begin(self, steps: Callable[[], Iterator[ImportReport]]) -> None:
        self._again = steps
        self.progress.setRange(0, 0)
        self.said.setText("Reading…")
        self._job = self._jobs.submit(LANE, steps, self._on_report, on_error=self._on_failed)
        self._show_running()

    def _on_report(self, report: ImportReport) -> None:
        if self._job is None:
            return
        if report.is_done:
            self._job = None
        self.progress.setRange(0, report.files)
        self.progress.setValue(report.files_done)
        self.progress.setFormat("%v of %m files")
        self._show_report(report)
        if report.is_done and (report.new or report.turned):
            self.hands_imported.emit()

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.said.setText(str(error))
        self._show_running()

    def _on_stop(self) -> None:
        self._stop()
        self.said.setText(f"Stopped; what is imported stays, and importing again goes on. {self.said.text()}")
        self._show_running()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.hands_imported.emit()

    def _show_report(self, report: ImportReport | None) -> None:
        if report is not None:
            self.said.setText(summary(report))
            self._origins.show_rows(
                [(one.origin or "Unknown", *(f"{count:,}" for count in _counts(one))) for one in report.origins]
            )
            reasons = [(f"{one.count:,}", shortened(one.reason, 200), one.first) for one in report.reasons[:1000]]
            self._reasons.show_rows(reasons, tips=[f"{one.reason} ({one.first})" for one in report.reasons[:1000]])
            self.origins.resizeColumnsToContents()
            self.reasons.resizeColumnsToContents()
        self.origins.setVisible(report is not None)
        self.reasons.setVisible(report is not None and bool(report.reasons))
        self._report = report
        self._ask()
        self._show_running()

    def _ask(self) -> None:
        """Ask whose hands those of the next site are, once the import has ended."""
        report = self._report
        sites = report.owners if report is not None and report.is_done else {}
        site = self._asked = next((one for one in sites if one not in self._answered), "")
        for widget in (self.question, self.owner, self.take, self.none):
            widget.setVisible(bool(site))
        if site:
            self.question.setText(
                f"Are hands of {site} yours? The text gives them to nobody. Those that you played become yours; all"
                " others stay watched."
            )
            self.owner.clear()
            self.owner.addItems(sites[site][:_MOST_NAMES])

    def _show_running(self) -> None:
        is_running = self._job is not None
        for button in (self.files, self.folders, self.paste):
            button.setEnabled(not is_running and not self._store.file.why_not_stored)
        for widget in (self.progress, self.stop):
            widget.setVisible(is_running)

    def _on_show_hands(self) -> None:
        """Show the list of all hands, and get out of its way unless hands are still coming."""
        self.hands_wanted.emit()
        if self._job is None:
            self.accept()

    def _on_take(self) -> None:
        """Remember whose hands they are, and import again those that were nobody's."""
        name, site = self.owner.currentText().strip(), self._asked
        if not name or self._again is None or self._job is not None:
            return
        names = self._owners().get(site, ())
        try:
            self._store.records.put(_OWNERS, site, Owner((*(one for one in names if one != name), name)))
        except StoreError as error:
            self.said.setText(str(error))
            return
        self._answered.add(site)
        self._begin(self._again)

    def _on_none(self) -> None:
        """Leave the hands of a site watched."""
        self._answered.add(self._asked)
        self._ask()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        self._stop()
        super().done(result)


def _counts(origin: OriginReport) -> tuple[int, ...]:
    """Return what stands under the headings of counts."""
    return origin.files, origin.new, origin.watched, origin.turned, origin.known, origin.left_out
