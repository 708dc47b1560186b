"""What the Help menu of the main window opens: keys, glossary, pages, and the folder of the log."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QMainWindow

from engine.resources import read_text
from trainer.first_steps.glossary import GlossaryWindow
from trainer.help import TextDialog, about_text
from trainer.history.fair_deals_model import FAIR_DEALS_PAGE
from trainer.settings import SettingsFile, further_keys
from trainer.theme import ThemeSource
from trainer.window.keys_dialog import KeysDialog


class HelpDialogs(QObject):
    """Opens what tells of the app; `places` are where it keeps what, its log among them, None what it does not."""

    keys_chosen = Signal(object)  # dict: the keys of `settings.DEFAULT_KEYS` that are now in force
    notice = Signal(str)

    def __init__(
        self,
        theme: ThemeSource,
        settings: SettingsFile,
        version: str,
        places: Mapping[str, Path | None],
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._theme, self._settings = theme, settings
        self._version, self._places = version, places
        self._window = window
        self._glossary: GlossaryWindow | None = None

    def open_keys(self) -> None:
        """Show all keys, and take others for those that act."""
        keys = dict(self._settings.settings.keys)
        others = {
            key.toString(): action.text()
            for action in self._window.findChildren(QAction)
            for key in action.shortcuts()
            if key.toString() not in further_keys(keys).values()
        }
        dialog = KeysDialog(self._theme, keys, others, self._window)
        dialog.keys_chosen.connect(self._on_keys_chosen)
        dialog.open()

    def _on_keys_chosen(self, keys: dict[str, str]) -> None:
        self._settings.change(keys=tuple(keys.items()))
        self.keys_chosen.emit(keys)

    def open_glossary(self, panel: str) -> None:
        """Explain the terms of a panel, or of all if it is ""."""
        if self._glossary is None:
            self._glossary = GlossaryWindow(self._window)
        self._glossary.open_for(panel)

    def open_whole_glossary(self) -> None:
        """Explain all terms."""
        self.open_glossary("")

    def open_fair_deals_page(self) -> None:
        """Show in plain words what is proven of the cards and the bots."""
        TextDialog("Fair deals", read_text(FAIR_DEALS_PAGE), self._window, is_markdown=True).open()

    def open_about(self) -> None:
        """Show version, licences and places."""
        TextDialog("About Soulread", about_text(self._version, self._places), self._window).open()

    def open_log_folder(self) -> None:
        """Open the folder of the log, or say where it is."""
        log = self._places["Log"]
        assert log is not None
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(log.parent))):
            self.notice.emit(f"The log is in {log.parent}.")
