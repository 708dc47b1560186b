"""The actions of the main window, in its menus and at their keys."""

from collections.abc import Mapping

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu

from trainer.history.past_hands_model import HandTitle
from trainer.session.types import Stage
from trainer.settings import Settings, further_keys
from trainer.window.window_model import WindowModel

EARLIER_KEY, LATER_KEY, BACK_KEY = "Ctrl+PgUp", "Ctrl+PgDown", "Ctrl+B"
_PACES = (("&Instant", 0.0), ("&Fast", 0.4), ("&Normal", 0.8), ("&Slow", 1.6), ("&Very slow", 4.0))
_THEMES = (("&System", "system"), ("&Light", "light"), ("&Dark", "dark"))
_FELTS = (("&Green", "green"), ("&Blue", "blue"), ("&Red", "red"), ("Gr&ey", "grey"))


class Menus:
    """Builds the menu bar of a window; what an action does is for the window to say.

    `switches` are by the names of their settings. The data of the actions of `themes`, `felts` and `paces` are the
    settings, of `docks` the names of the docks.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window = window
        game = window.menuBar().addMenu("&Game")
        self.new_game = self._action(game, "&New game…", "Ctrl+N")
        self.resume = self._action(game, "&Resume")
        game.addSeparator()
        self.top_up = self._action(game, "&Top up…", "Ctrl+T")
        self.rebuy = self._action(game, "&Buy in again")
        self.results = self._action(game, "Re&sults", "Ctrl+R")
        self.finish = self._action(game, "&Finish session")
        game.addSeparator()
        self.played_hands = self._action(game, "Hands p&layed", "Ctrl+H")
        self.import_hands = self._action(game, "&Import hands…", "Ctrl+I")
        self.recorded_hands = self._action(game, "Re&corded hands…")
        self.stored_hands = self._action(game, "Stored &hands…")
        self.known_players = self._action(game, "&Players known…")
        self.styles = self._action(game, "Your st&yles…")
        self.fair_deals = self._action(game, "Fair &deals…")
        self.quit = self._action(game, "&Quit", "Ctrl+Q")

        view = window.menuBar().addMenu("&View")
        self.units = self._switch(view, "Amounts in &big blinds", "U")
        self.four_colours = self._switch(view, "&Four-colour deck")
        self.themes = self._choices(view.addMenu("&Theme"), _THEMES)
        self.felts = self._choices(view.addMenu("T&able"), _FELTS)
        self.paces = self._choices(view.addMenu("&Pace of the bots"), _PACES)
        self.automatic = self._switch(view, "Deal the next hand by &itself")
        self.confirm = self._switch(view, "Ask before big &calls and all-ins")
        self.bell = self._switch(view, "Bell on yo&ur turn")
        self.bets_presets = self._switch(view, "Bet a share of the pot at &once")
        self.lessons = self._switch(view, "Lesso&n after each hand")
        self.offer_guesses = self._switch(view, "&Guess a range after some hands")
        self.switches = {
            "big_blinds": self.units,
            "four_colours": self.four_colours,
            "automatic_deal": self.automatic,
            "confirm_big_bets": self.confirm,
            "bell": self.bell,
            "bets_presets": self.bets_presets,
            "lessons": self.lessons,
            "offer_guesses": self.offer_guesses,
        }
        self.study = self._switch(view, "&Study mode (opens all cards)", "Ctrl+D")
        view.addSeparator()
        self.docks = QActionGroup(window)
        for number, (name, dock) in enumerate(docks.items(), start=1):
            show = self._action(view, dock.windowTitle(), f"Ctrl+{number}")
            show.setData(name)
            self.docks.addAction(show)
        self.reset_layout = self._action(view, "&Reset layout")
        view.addSeparator()
        self.earlier = self._action(view, "&Earlier hand in the panels", EARLIER_KEY)
        self.later = self._action(view, "&Later hand in the panels", LATER_KEY)
        self.back = self._action(view, "&Hand before, and back", BACK_KEY)
        self.replay = self._action(view, "Repla&y the hand", "Ctrl+P")

        tools = window.menuBar().addMenu("T&ools")
        self.hint = self._action(tools, "&Hint for your turn")
        self.odds = self._action(tools, "&Odds calculator", "Ctrl+O")
        self.odds_here = self._action(tools, "Odds of &this position", "Ctrl+Shift+O")
        self.charts = self._action(tools, "Preflop &charts", "Ctrl+K")
        self.chart_here = self._action(tools, "What is &usual here", "Ctrl+Shift+K")
        self.prizes = self._action(tools, "&Prizes (ICM)", "Ctrl+Shift+P")
        self.push = self._action(tools, "Pu&sh or fold", "Ctrl+Shift+F")
        tools.addSeparator()
        self.drills = self._action(tools, "&Drills", "Ctrl+E")
        self.guesses = self._action(tools, "&Guess the range", "Ctrl+G")
        self.figures = self._action(tools, "&Figures of all players", "Ctrl+F")
        self.review = self._action(tools, "Re&view of this session", "Ctrl+Shift+R")
        self.lab = self._action(tools, "&Lab: styles against each other", "Ctrl+L")

        help_menu = window.menuBar().addMenu("&Help")
        self.keys = self._action(help_menu, "&Keys", "F1")
        self.tour = self._action(help_menu, "&Tour of two minutes")
        self.glossary = self._action(help_menu, "&Glossary", "Shift+F1")
        self.fair_deals_page = self._action(help_menu, "&Fair deals")
        self.log_folder = self._action(help_menu, "&Log folder")
        self.about = self._action(help_menu, "&About")

    def show_settings(self, chosen: Settings) -> None:
        """Check what is chosen."""
        for name, action in self.switches.items():
            action.setChecked(getattr(chosen, name))
        self.hint.setShortcut(QKeySequence(further_keys(dict(chosen.keys))["hint"]))
        for group, value in (
            (self.themes, chosen.theme),
            (self.felts, chosen.felt),
            (self.paces, chosen.pace_seconds),
        ):
            for action in group.actions():
                action.setChecked(action.data() == value)

    def show_model(self, model: WindowModel) -> None:
        """Enable what can be done now."""
        self.top_up.setEnabled(model.can_buy)
        self.rebuy.setEnabled(model.can_buy)
        self.results.setEnabled(model.config is not None)
        self.finish.setEnabled(model.is_running)
        self.study.setEnabled(model.is_running)
        self.resume.setEnabled(bool(model.resume_text) and not model.is_running)
        self.resume.setText(f"&Resume the session {model.resume_text}" if model.resume_text else "&Resume")
        self.hint.setEnabled(model.stage is Stage.YOUR_TURN)

    def show_title(self, title: HandTitle) -> None:
        """Enable the ways to other hands."""
        self.earlier.setEnabled(bool(title.earlier))
        self.later.setEnabled(bool(title.later))
        self.back.setEnabled(bool(title.back or title.earlier))

    def _action(self, menu: QMenu, text: str, key: str = "") -> QAction:
        action = QAction(text, self._window)
        if key:
            action.setShortcut(QKeySequence(key))
        menu.addAction(action)
        return action

    def _switch(self, menu: QMenu, text: str, key: str = "") -> QAction:
        action = self._action(menu, text, key)
        action.setCheckable(True)
        return action

    def _choices(self, menu: QMenu, choices: tuple[tuple[str, object], ...]) -> QActionGroup:
        group = QActionGroup(self._window)
        for text, value in choices:
            action = group.addAction(self._switch(menu, text))
            action.setData(value)
        return group
