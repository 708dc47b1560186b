"""What the main window asks about a game: a new one, chips to buy; and its results."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMainWindow, QMessageBox, QWidget

from engine.game.formats import GameConfig
from trainer.jobs import Jobs
from trainer.new_game.dialog import NewGameDialog
from trainer.play.results import ResultsDialog
from trainer.session.types import SessionResult, Stage
from trainer.settings import SettingsFile
from trainer.styles.own_policies import EVOLVED_FOLDER, POLICIES_FOLDER, OwnPolicies
from trainer.styles.own_styles import STYLES_FOLDER, OwnStyles
from trainer.styles.style_editor import StyleEditor
from trainer.styles.style_editor_model import StyleEditorModel
from trainer.styles.style_figures_model import StyleFiguresModel
from trainer.theme import ThemeSource
from trainer.widgets.file_dialogs import ask_for_folder
from trainer.window.window_model import WindowModel

LANE = "policies"

_MOST_SPIN = 2**31 - 1


class GameDialogs(QObject):
    """Opens the dialogs of a game, and ends a running session only if that is wanted."""

    game_chosen = Signal(object)  # GameConfig: a game is to begin now
    units_chosen = Signal(bool)  # whether amounts are to be in big blinds

    def __init__(
        self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, model: WindowModel, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self.new_game: NewGameDialog | None = None
        self._jobs = jobs
        self._styles: tuple[StyleEditorModel, StyleFiguresModel] | None = None
        self._theme = theme
        self._settings = settings
        self._model = model
        self._window = window
        self._described: GameConfig | None = None

    def open_new_game(self) -> None:
        """Ask for a new game."""
        if self.new_game is None:
            self.new_game = NewGameDialog(self._theme, self._settings, self._window)
            self.new_game.game_chosen.connect(self._on_game_described)
            self.new_game.styles_requested.connect(self.open_styles)
            self.new_game.policies_requested.connect(self._ask_for_policies)
        if self.new_game.isVisible():
            self.new_game.raise_()
        else:
            self.new_game.open()

    def open_styles(self) -> None:
        """Edit the player's own styles, above the dialog that seats them if that is open."""
        if self._styles is None:
            styles = OwnStyles(self._settings.path.with_name(STYLES_FOLDER))
            self._styles = StyleEditorModel(styles, self), StyleFiguresModel(self._jobs, self)
        above: QWidget = self._window
        if self.new_game is not None and self.new_game.isVisible():
            above = self.new_game
        editor = StyleEditor(self._theme, *self._styles, above)
        editor.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.new_game is not None:
            editor.finished.connect(self.new_game.seats.read_again)
        editor.open()

    def _ask_for_policies(self) -> None:
        """Ask for a folder of policies, and offer them for every seat."""
        assert self.new_game is not None
        evolved = self._settings.path.with_name(EVOLVED_FOLDER)
        folder = evolved if evolved.is_dir() else Path.home()
        ask_for_folder(self.new_game, "Folder of policies", folder, self._add_policies)

    def _add_policies(self, folder: str) -> None:
        assert self.new_game is not None
        seats, policies = self.new_game.seats, OwnPolicies(self._settings.path.with_name(POLICIES_FOLDER))

        def on_added(styles: tuple[str, ...]) -> None:
            seats.read_again()
            seats.face(styles[0])

        self._jobs.submit(
            LANE, lambda: policies.add(Path(folder)), on_added, on_error=lambda error: seats.say(str(error))
        )

    def _on_game_described(self, config: GameConfig) -> None:
        """Begin a new game, but end a running one only if that is wanted."""
        session = self._model.session
        if session is None or session.config is None or session.stage == Stage.SESSION_OVER:
            self.game_chosen.emit(config)
            return
        hand, _ = session.progress
        is_playing = not session.is_hand_decided
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("New game")
        box.setText(f"Hand {hand} is still being played." if is_playing else "Your session is still running.")
        box.setInformativeText(
            "A new game ends the session and shows its results."
            + (" This hand will not count." if is_playing else "")
        )
        leave = box.addButton("&End it and deal", QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton("&Go on playing", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        leave.clicked.connect(partial(self._on_leave, config))
        box.open()

    def _on_leave(self, described: GameConfig, _checked: bool = False) -> None:
        """End the session, after which the game described begins."""
        session = self._model.session
        if session is not None and session.stage != Stage.SESSION_OVER:
            self._described = described
            session.abandon()
        else:  # it has ended meanwhile
            self.game_chosen.emit(described)

    def take_described(self) -> None:
        """Begin the game for which the session has been ended, if any."""
        described, self._described = self._described, None
        if described is not None:
            self.game_chosen.emit(described)

    def top_up(self) -> None:
        """Ask how many chips to buy."""
        session = self._model.session
        if session is None or (results := session.results()) is None or session.config is None:
            return
        stack = results.stacks[session.hero]
        room = session.config.starting_stack - stack
        if room < 1:
            session.rebuy()  # says why there is nothing to buy
            return
        units = self._model.units(session.config.big_blind)
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Top up")
        if units.in_big_blinds:
            dialog.setInputMode(QInputDialog.InputMode.DoubleInput)
            dialog.setLabelText(f"Big blinds to buy, at most {units.number(room)}:")
            dialog.setDoubleDecimals(2)
            dialog.setDoubleRange(0.01, room / units.big_blind)
            dialog.setDoubleValue(room / units.big_blind)
            dialog.doubleValueSelected.connect(
                lambda blinds: session.top_up(min(max(round(blinds * units.big_blind), 1), room))
            )
        else:
            dialog.setInputMode(QInputDialog.InputMode.IntInput)
            dialog.setLabelText(f"Chips to buy, at most {units.text(room)}:")
            dialog.setIntRange(1, min(room, _MOST_SPIN))
            dialog.setIntValue(min(room, _MOST_SPIN))
            dialog.intValueSelected.connect(session.top_up)
        dialog.open()

    def show_results(self, result: SessionResult) -> None:
        """Show how the session went."""
        dialog = ResultsDialog(
            self._theme, result, self._model.statistics, big_blinds=self._model.in_big_blinds, parent=self._window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.units_chosen.connect(self.units_chosen)
        dialog.open()
