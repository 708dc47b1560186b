"""The button that writes the hands of a list into a file, how far that is, and what came of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from engine.hand_histories.export import BY_ENDING, FORMS
from trainer.exporting.run import ExportReport, export_hands, summary
from trainer.jobs import Job, Jobs
from trainer.storage.store import Store
from trainer.widgets.file_dialogs import ask_to_save
from trainer.widgets.layouts import tight

LANE: Final = "exporting"

_NAMES: Final = {
    "phh": "Poker Hand History, nothing is lost",
    "ohh": "Open Hand History",
    "pokerstars": "Text of PokerStars",
    "csv": "Table with a row for each hand",
}


class ExportBar(QWidget):
    """Writes the hands that are listed, or those chosen among them, beside whatever else goes on.

    `message`, which says how far it is and what came of it, stands where the window puts it.
    """

    def __init__(
        self, jobs: Jobs, listed: Callable[[], Sequence[int]], chosen: Callable[[], Sequence[int]]
    ) -> None:
        super().__init__()
        self._jobs = jobs
        self._listed, self._chosen = listed, chosen
        self._store: Store | None = None
        self._job: Job | None = None
        self.folder = Path.home()
        self.button = QPushButton("E&xport")
        self.button.setToolTip("Writes hands into a file for other programs")
        menu = QMenu(self.button)
        self.all_listed = menu.addAction("", lambda: self._ask(self._listed()))
        self.only_chosen = menu.addAction("", lambda: self._ask(self._chosen()))
        menu.aboutToShow.connect(self._offer)
        self.button.setMenu(menu)
        self.stop = QPushButton("&Stop")
        self.stop.setToolTip("Writes nothing")
        self.stop.clicked.connect(self._on_stop)
        self.stop.hide()
        self.message = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.message.setAccessibleName("What has been written")
        self.message.hide()
        tight(QHBoxLayout(self), self.button, self.stop)

    def set_store(self, store: Store) -> None:
        """Take the store whose hands are listed."""
        self._store = store

    def _offer(self) -> None:
        for action, what, count in (
            (self.all_listed, "&All hands listed", len(self._listed())),
            (self.only_chosen, "&Chosen hands", len(self._chosen())),
        ):
            action.setText(f"{what} ({count:,})…")
            action.setEnabled(count > 0)

    def _ask(self, hand_ids: Sequence[int]) -> None:
        """Ask for the file, whose form follows from how its name ends, or else from the filter that is chosen."""
        filters = {f"{_NAMES[form]} (*{ending})": form for form, ending in FORMS.items()}

        def write(name: str) -> None:
            path = Path(name)
            form = BY_ENDING.get(path.suffix.lower(), filters[dialog.selectedNameFilter()])
            self.write(hand_ids, path, form)

        def follow(name: str) -> None:
            dialog.setDefaultSuffix(FORMS[filters[name]])

        dialog = ask_to_save(self, "Export hands", self.folder, ";;".join(filters), write)
        dialog.filterSelected.connect(follow)
        follow(next(iter(filters)))

    def write(self, hand_ids: Sequence[int], path: Path, form: str) -> None:
        """Write hands, by their numbers in the store."""
        store = self._store
        if store is None:
            return
        self.folder = path.parent
        self._job = self._jobs.submit(
            LANE,
            lambda: export_hands(store, hand_ids, path, form),
            lambda report: self._on_report(report, path),
            on_error=self._on_failed,
        )
        self._show_running()
        self._say("Writing …")

    def _on_report(self, report: ExportReport, path: Path) -> None:
        if report.is_done:
            self._job = None
        self._show_running()
        self._say(summary(report, path))

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._show_running()
        self._say(str(error))

    def _on_stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._show_running()
        self._say("Stopped; nothing is written.")

    def _say(self, sentence: str) -> None:
        self.message.setText(sentence)
        self.message.show()

    def _show_running(self) -> None:
        is_running = self._job is not None
        self.button.setVisible(not is_running)
        self.stop.setVisible(is_running)
