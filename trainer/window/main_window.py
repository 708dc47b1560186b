"""The main window: table and action bar, docks for reading, reasoning and log, menus; wires them to a session."""

from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QGridLayout,
    QInputDialog,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards
from engine.game.events import Action, Seat
from engine.game.statistics import PlayerStatistics
from trainer.calculator.opening import OddsOpener
from trainer.drills.opening import DrillsOpener
from trainer.figures.opening import FiguresOpener
from trainer.first_steps.tour import TOUR, TOUR_HAND, TOUR_PLAYER, TOUR_POSITION, Tour, TourStep
from trainer.history.fair_deals_model import commitment_tip
from trainer.history.panel_title import PanelTitle, PanelUse
from trainer.history.past_hands_model import HandTitle, hand_title
from trainer.jobs import Jobs
from trainer.lab.opening import LabOpener
from trainer.play.action_bar import ActionBar
from trainer.play.action_bar_model import Waiting
from trainer.play.hint import HintPanel
from trainer.play.message_line import MessageLine
from trainer.play.table import LEAST_TABLE, TableWidget
from trainer.ranges.library import RangeLibrary
from trainer.reading.player_notes import PlayerNotes
from trainer.replay.recorded_file import FileReplay, RecordedFile
from trainer.review.opening import ReviewOpener
from trainer.session.looked_at import LookedAt
from trainer.session.past_hands import PastHand, PastSession
from trainer.session.session import Session
from trainer.session.types import ChipSentence, SessionResult, Stage, TableView
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, room_on_screen
from trainer.tournaments.opening import PrizesOpener, PushOpener
from trainer.usual_play.opening import ChartsOpener
from trainer.widgets.dropped import dropped_paths
from trainer.widgets.front import bring_up
from trainer.window.docks import Docks
from trainer.window.game_dialogs import GameDialogs
from trainer.window.help_dialogs import HelpDialogs
from trainer.window.hints import Hints
from trainer.window.menus import BACK_KEY, EARLIER_KEY, LATER_KEY, Menus
from trainer.window.panels import STILL_READ, Panels
from trainer.window.replaying import Replaying
from trainer.window.welcome import Welcome
from trainer.window.window_model import WindowModel

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.history.played_hands import PlayedHandsWindow

_SMALLEST_SIZE, _LARGEST_SIZE = QSize(1280, 720), QSize(1760, 1020)  # of a window opened for the first time
_LOW_WINDOW, _LOW_TABLE = 620, 270  # heights: in such a window the table gives way to a hint
_LOOK_MILLISECONDS = 200  # between two looks whether a panel is in use


class MainWindow(QMainWindow):
    """Everything of a session on one screen."""

    # GameConfig: a new game was described; whoever owns sessions begins one and calls `show_session`
    game_chosen = Signal(object)
    resume_requested = Signal()  # the session that was offered is to go on
    stored_hands_requested = Signal()  # what is stored is to be shown
    known_players_requested = Signal()  # who is remembered is to be shown
    fair_deals_requested = Signal()  # what binds the dealer is to be shown
    import_requested = Signal(object)  # tuple of Path: these are to be imported, or what is chosen then

    def __init__(
        self,
        theme: ThemeSource,
        settings: SettingsFile,
        jobs: Jobs,
        library: RangeLibrary,
        places: Mapping[str, Path | None],
        version: str,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._settings = settings
        self._revealed: dict[Seat, HoleCards] = {}
        self._titles: list[PanelTitle] = []
        self._jobs = jobs
        self.played_hands: PlayedHandsWindow | None = None
        self.setAcceptDrops(True)
        self._title: HandTitle | None = None
        self.setWindowTitle("Soulread")
        self.model = WindowModel()
        self.odds = OddsOpener(theme, settings, jobs, library, self)
        self.looked_at = LookedAt(jobs, self)
        self.odds.follow(self.looked_at)
        self.lab = LabOpener(theme, settings, jobs, self)
        self.review = ReviewOpener(theme, jobs, self.looked_at, self)
        self.drills = DrillsOpener(theme, settings, jobs, self)
        self.figures = FiguresOpener(theme, settings, jobs, self)
        self.prizes = PrizesOpener(theme, jobs, self)
        self.push = PushOpener(theme, jobs, self)
        self.drills.odds_requested.connect(self.odds.open_with)
        self.drills.review_requested.connect(self.review.open)
        self.review.drill_requested.connect(self.drills.open_at)
        self.review.replay_requested.connect(self._on_reviewed_decision)

        self.message = MessageLine(theme)
        self.table = TableWidget(theme)
        self.notes = PlayerNotes(jobs, self)
        self.welcome = Welcome(theme)
        self.action_bar = ActionBar(theme)
        self.hint_panel = HintPanel(theme)
        self.hints = Hints(self.hint_panel, self.model, self)
        self.panels = Panels(theme, self.looked_at, self.odds, self)
        self.charts = ChartsOpener(theme, settings, jobs, self.panels.moment, self)
        self.drills.chart_requested.connect(self.charts.open_exercise)
        self.files = FileReplay(jobs, self)
        self.replaying = Replaying(theme, self.looked_at, self.panels, self)
        self._build_centre()
        panels = self.panels
        shown = {
            "ranges": panels.read_panel,
            "reasoning": panels.reasoning,
            "log": panels.log,
            "meters": panels.meters,
        }
        self.docks = Docks(self, shown, self._title_bar)
        self._panel_use = PanelUse(tuple(self.docks.by_name.values()))
        self._look_timer = QTimer(self, interval=_LOOK_MILLISECONDS)
        self._look_timer.timeout.connect(self._hold_deal)
        self.dialogs = GameDialogs(theme, settings, jobs, self.model, self)
        self.help = HelpDialogs(theme, settings, version, places, self)
        self.menus = Menus(self, self.docks.by_name)
        self._connect(jobs)
        self._connect_menus()
        self._apply_settings()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self.action_bar)  # a click next to all controls ends typing
        self.docks.restore(settings.settings)
        self.welcome.setFocus()

    def _build_centre(self) -> None:
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        stage = QWidget()
        grid = QGridLayout(stage)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(self.table, 0, 0)
        grid.addWidget(self.welcome, 0, 0, Qt.AlignmentFlag.AlignCenter)
        self._running = QWidget()
        running = QVBoxLayout(self._running)
        running.setContentsMargins(0, 0, 0, 0)
        running.setSpacing(0)
        running.addWidget(stage, 1)
        running.addWidget(self._offers())
        running.addWidget(self.hint_panel)
        running.addWidget(self.action_bar)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._running)
        self._pages.addWidget(self.replaying.view)
        layout.addWidget(self.message)
        layout.addWidget(self._pages, 1)
        self.setCentralWidget(centre)

    def _offers(self) -> QWidget:
        """Return the lines that offer something; a hint has their room while it is shown."""
        offers = QWidget()
        lines = QVBoxLayout(offers)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addWidget(self.review.line)
        lines.addWidget(self.drills.line)
        self.hints.shown.connect(offers.setHidden)
        return offers

    def _title_bar(self, dock: QDockWidget) -> PanelTitle:
        title = PanelTitle(self._theme, dock, (EARLIER_KEY, LATER_KEY, BACK_KEY))
        title.earlier_requested.connect(self.looked_at.go_earlier)
        title.later_requested.connect(self.looked_at.go_later)
        title.back_requested.connect(self.looked_at.go_back)
        title.help_requested.connect(lambda: self.help.open_glossary(dock.objectName()))
        self._titles.append(title)
        return title

    def _connect(self, jobs: Jobs) -> None:
        self.welcome.new_game_requested.connect(self.open_new_game)
        self.welcome.resume_requested.connect(self._on_resume)
        self.welcome.tour_requested.connect(self.start_tour)
        self.welcome.tour_declined.connect(self._on_tour_declined)
        self.message.action_triggered.connect(self._on_resume)
        self.table.seat_clicked.connect(self._on_seat_clicked)
        self.table.note_requested.connect(self.notes.ask)
        self.notes.changed.connect(lambda: self.table.set_notes(self.notes.by_name))
        self.notes.notice.connect(self.message.say)
        self.table.wheel_turned.connect(self.action_bar.turn_wheel)
        self.action_bar.action_chosen.connect(self._on_action_chosen)
        self.action_bar.hint_requested.connect(self.hints.toggle)
        self.action_bar.waiting_chosen.connect(self._on_waiting_chosen)
        self.action_bar.amount_chosen.connect(self.table.preview_bet)
        self.action_bar.amount_chosen.connect(self.hints.set_amount)
        self.docks.by_name["reasoning"].visibilityChanged.connect(self.panels.set_reasoning_shown)
        self.panels.hand_shown.connect(self._hold_deal)
        self.panels.read_panel.model.shown_changed.connect(self.charts.follow)
        self.replaying.switched.connect(self._on_replay_switched)
        self.replaying.notice.connect(self.message.say)
        self.files.opened.connect(self._on_recorded_hand)
        self.files.player_wanted.connect(self._on_player_wanted)
        self.files.notice.connect(self.message.say)
        self.files.progressed.connect(self.message.set_progress)
        self.panels.read_panel.reader_chosen.connect(self._on_reader_chosen)
        self.panels.reasoning.study_requested.connect(self.menus.study.setChecked)
        self.menus.study.enabledChanged.connect(self.panels.reasoning.study_button.setEnabled)
        self.dialogs.game_chosen.connect(self.game_chosen)
        self.dialogs.units_chosen.connect(self.menus.units.setChecked)
        self.looked_at.notice.connect(self.message.say)
        self.looked_at.past.hands_changed.connect(self._show_title)
        self.help.keys_chosen.connect(self._on_keys_chosen)
        self.help.notice.connect(self.message.say)
        self.odds.refused.connect(self.message.say)
        for opener in (
            self.odds,
            self.lab,
            self.figures,
            self.review,
            self.drills,
            self.prizes,
            self.push,
            self.charts,
        ):
            opener.terms_requested.connect(self.help.open_glossary)
        self.lab.hand_opened.connect(self._on_lab_hand)
        self.figures.replay_requested.connect(self._on_played_hand)
        jobs.failed.connect(self.message.say)

    def _connect_menus(self) -> None:
        menus, looked_at = self.menus, self.looked_at
        for action, slot in (
            (menus.new_game, self.open_new_game),
            (menus.styles, self.dialogs.open_styles),
            (menus.resume, self._on_resume),
            (menus.top_up, self.dialogs.top_up),
            (menus.rebuy, self._on_rebuy),
            (menus.results, self._on_results),
            (menus.finish, self._on_finish),
            (menus.stored_hands, self.stored_hands_requested),
            (menus.known_players, self.known_players_requested),
            (menus.fair_deals, self.fair_deals_requested),
            (menus.import_hands, self._on_import),
            (menus.fair_deals_page, self.help.open_fair_deals_page),
            (menus.glossary, self.help.open_whole_glossary),
            (menus.tour, self.start_tour),
            (menus.quit, self.close),
            (menus.reset_layout, self.docks.arrange),
            (menus.earlier, looked_at.go_earlier),
            (menus.later, looked_at.go_later),
            (menus.back, looked_at.toggle),
            (menus.replay, self.replaying.start),
            (menus.played_hands, self.open_played_hands),
            (menus.recorded_hands, self._on_recorded_hands),
            (menus.hint, self.hints.toggle),
            (menus.odds, self.odds.open),
            (menus.odds_here, self._on_odds_here),
            (menus.prizes, self.prizes.open),
            (menus.push, self.push.open),
            (menus.charts, self.charts.open),
            (menus.chart_here, self.charts.open_at_table),
            (menus.drills, self.drills.open),
            (menus.guesses, self.drills.open_guesses),
            (menus.figures, self.figures.open),
            (menus.review, self.review.open),
            (menus.lab, self.lab.open),
            (menus.keys, self.help.open_keys),
            (menus.log_folder, self.help.open_log_folder),
            (menus.about, self.help.open_about),
        ):
            action.triggered.connect(slot)
        for name, action in menus.switches.items():
            action.toggled.connect(partial(self._on_switched, name))
        menus.units.toggled.connect(self._on_units)
        menus.four_colours.toggled.connect(self._on_four_colours)
        menus.automatic.toggled.connect(self._on_automatic)
        menus.confirm.toggled.connect(self.action_bar.set_confirm_big)
        menus.bets_presets.toggled.connect(self.action_bar.set_bets_presets)
        menus.lessons.toggled.connect(self.review.set_lessons)
        menus.offer_guesses.toggled.connect(self.drills.set_offers)
        menus.study.toggled.connect(self._on_study)
        menus.themes.triggered.connect(self._on_theme)
        menus.felts.triggered.connect(self._on_felt)
        menus.paces.triggered.connect(self._on_pace)
        menus.docks.triggered.connect(self._on_dock_chosen)

    def _apply_settings(self) -> None:
        chosen = self._settings.settings
        self.menus.show_settings(chosen)
        self.review.set_lessons(chosen.lessons)
        self.drills.set_offers(chosen.offer_guesses)
        if chosen.pace_seconds == 0:
            self.table.set_animated(False)
        self.panels.read_panel.set_reader(chosen.reader)
        self.looked_at.set_reader(self.panels.read_panel.reader)
        self.action_bar.set_keys(dict(chosen.keys))
        self.action_bar.set_confirm_big(chosen.confirm_big_bets)
        self.action_bar.set_bets_presets(chosen.bets_presets)
        self.menus.show_model(self.model)
        self._show_title()

    # A session

    def show_session(self, session: Session) -> None:
        """Wire a session to all widgets, and let go of the one before."""
        before = self.model.session
        if before is not None:
            before.close()
            before.deleteLater()
        self.model.begin(session)
        self.table.set_statistics({})
        self.panels.follow(session)
        self.hints.follow(session)
        self.review.follow(session)
        self.drills.follow(session)
        self.prizes.follow(session)
        self.push.follow(session)
        self._panel_use.turn_to_table()
        self.menus.study.setChecked(False)
        self.message.drop_questions()
        self.action_bar.clear()
        self._take_tour_answer()
        self.welcome.hide()
        session.view_changed.connect(self._on_view)
        session.hand_finished.connect(self._update_actions)
        session.hand_finished.connect(self._show_title)
        session.session_finished.connect(self._on_session_finished)
        session.table.storing_changed.connect(self.show_storing)
        self.show_storing(session.table.why_not_stored)
        session.statistics_changed.connect(self._on_statistics)
        session.notice.connect(self._on_notice)
        session.table.progressed.connect(self.message.set_progress)
        session.committed.connect(self._write_message)
        session.set_pace(self._settings.settings.pace_seconds)
        session.automatic.want(self._settings.settings.automatic_deal)
        self._update_actions()

    def offer_resume(self, text: str, *, is_asked: bool) -> None:
        """Make the last session available in menu and welcome; with is_asked say so in a sentence as well."""
        self.message.drop_questions()  # of a session that is offered no more
        self.model.resume_text = text
        self.welcome.resume.setText(f"&Resume the session {text}")
        self.welcome.resume.setVisible(bool(text))
        if is_asked and text:
            self.message.say(f"Resume the session {text}?", "Resume")
        self._update_actions()

    def offer_tour(self) -> None:
        """Offer the tour on the empty table, until it is taken or declined or a game is begun."""
        self.welcome.offer_tour(True)
        self.welcome.setFocus()

    def show_storing(self, why_not: str) -> None:
        """Mark that nothing is stored as long as that is so, with the reason; "" takes the mark away."""
        self.message.set_mark("Not stored" if why_not else "", why_not)

    def open_new_game(self) -> None:
        """Ask for a new game."""
        self.dialogs.open_new_game()

    def _on_view(self, view: TableView) -> None:
        before, self.model.view = self.model.view, view
        if view.stage is Stage.YOUR_TURN and (
            before is None or (before.stage, before.observation.events) != (view.stage, view.observation.events)
        ):
            self._call()
        revealed = self.model.session.revealed() if self.model.session is not None else {}
        if revealed != self._revealed:
            self._revealed = revealed
            self.table.set_revealed(revealed)
        self.table.show_view(view)
        self.action_bar.show_view(view)
        self.hints.show_view(view)
        self.panels.show_view(view, is_study=self.menus.study.isChecked())
        self.charts.follow()
        self._hold_deal()
        self._update_actions()

    def _call(self) -> None:
        """Call the player by a mark in the task bar, where another window is in front, and by the bell."""
        QApplication.alert(self)
        if self._settings.settings.bell:
            QApplication.beep()

    def _on_statistics(self, statistics: dict[Seat, PlayerStatistics]) -> None:
        self.model.statistics = statistics
        self.table.set_statistics(statistics)

    def _on_notice(self, sentence: str | ChipSentence) -> None:
        if self.model.config is None:  # it could not even begin
            self.welcome.show()
            self.welcome.setFocus()
        self._update_actions()
        self._offer_without_hand()
        self.message.say(sentence)

    def _on_session_finished(self, result: SessionResult) -> None:
        self._update_actions()
        self._offer_without_hand()
        # How a hand ends that is played on is seen on the table, which results would hide.
        if self.model.view is None or not self.model.view.is_played_on:
            self.dialogs.show_results(result)
        self.dialogs.take_described()

    def _offer_without_hand(self) -> None:
        """Offer what can be done where no hand is on the table: that of a resumed session may be damaged."""
        session = self.model.session
        if session is None or self.model.view is not None:
            return
        if session.can_rebuy or session.stage == Stage.SESSION_OVER:
            self.action_bar.show_no_hand(is_over=not session.can_rebuy)

    def _update_actions(self) -> None:
        self.menus.show_model(self.model)

    def _write_message(self) -> None:
        """Write the line above the table for the hand shown, in the chosen units."""
        if self.model.view is not None:
            self.message.set_units(self.model.units(self.model.view.observation.big_blind))
            hint = f"{self._title.hint}   " if self._title is not None and self._title.hint else ""
            bound = self.model.session.commitment if self.model.session is not None else None
            self.message.set_caption(hint + self.model.caption(), commitment_tip(bound))

    def _hold_deal(self) -> None:
        """Let automatic dealing wait while the panels show an earlier hand or they, menus or dialogs are in use."""
        session = self.model.session
        if session is not None:
            session.automatic.hold(not self.looked_at.is_following or self._panel_use.is_used())
        is_waiting = self.model.stage == Stage.HAND_OVER and self.menus.automatic.isChecked()
        if is_waiting != self._look_timer.isActive():
            (self._look_timer.start if is_waiting else self._look_timer.stop)()
        self._show_title()

    def _show_title(self) -> None:
        """Say in titles, menu and the line above the table which hand the panels show."""
        session, key = self.model.session, self._settings.settings.key("next")
        is_held = session is not None and session.automatic.is_waiting
        title = hand_title(self.looked_at, self.model.stage, is_deal_held=is_held, deal_key=key)
        if title != self._title:
            self._title = title
            for bar in self._titles:
                bar.show_title(title)
            self.menus.show_title(title)
        is_hand_shown, ended = bool(title.shown), self.looked_at.past.ended_on_table
        self.menus.replay.setEnabled(is_hand_shown or bool(title.earlier) or ended is not None)
        for action in (self.menus.odds_here, self.menus.chart_here):
            action.setEnabled(is_hand_shown or self.model.view is not None)
        self._write_message()

    # Intents

    def _on_seat_clicked(self, seat: Seat) -> None:
        self.looked_at.go_back()
        self.docks.bring_up("ranges")
        self.panels.read_panel.open_seat(seat)

    def _on_dock_chosen(self, chosen: QAction) -> None:
        # By its keys, and not the menu, it takes the focus as well.
        self.docks.bring_up(chosen.data(), with_focus=bool(QGuiApplication.keyboardModifiers()))

    def _on_action_chosen(self, action: Action) -> None:
        self._panel_use.turn_to_table()
        if self.model.session is not None:
            self.model.session.act(action)

    def _on_waiting_chosen(self, chosen: Waiting) -> None:
        self._panel_use.turn_to_table()
        session = self.model.session
        assert session is not None
        {
            Waiting.SKIP_TO_TURN: session.skip,
            Waiting.SKIP_TO_END: session.skip,
            Waiting.DEAL: session.deal,
            Waiting.BUY_IN: session.rebuy,
            Waiting.FINISH: session.finish,
            Waiting.NEW_GAME: self.open_new_game,
            Waiting.RESULTS: self._on_results,
        }[chosen]()

    def _on_resume(self) -> None:
        if self.model.resume_text:
            self.resume_requested.emit()

    def _on_rebuy(self) -> None:
        if self.model.session is not None:
            self.model.session.rebuy()

    def _on_finish(self) -> None:
        if self.model.session is not None:
            self.model.session.finish()

    def _on_results(self) -> None:
        session, was_running = self.model.session, self.model.is_running
        result = session.results() if session is not None else None
        # What is decided is shown to its end for them; if that ends the session they have come by themselves.
        if result is not None and self.model.is_running == was_running:
            self.dialogs.show_results(result)

    def _on_switched(self, name: str, is_on: bool) -> None:
        self._settings.change(**{name: is_on})

    def _on_units(self, in_big_blinds: bool) -> None:
        self.model.in_big_blinds = in_big_blinds
        self.table.set_units(in_big_blinds)
        self.replaying.view.set_units(in_big_blinds)
        self.action_bar.set_units(in_big_blinds)
        self.panels.set_units(in_big_blinds)
        self.hints.show_units()
        self.review.set_units(in_big_blinds)
        self.drills.set_units(in_big_blinds)
        self._write_message()

    def _on_four_colours(self, is_on: bool) -> None:
        self.table.set_four_colours(is_on)
        self.replaying.view.table.set_four_colours(is_on)
        self.panels.set_four_colours(is_on)
        self.odds.set_four_colours(is_on)
        self.drills.set_four_colours(is_on)

    def _on_theme(self, action: QAction) -> None:
        self._settings.change(theme=action.data())
        self._theme.choose(action.data())

    def _on_felt(self, action: QAction) -> None:
        self._settings.change(felt=action.data())
        self._theme.choose_felt(action.data())

    def _on_pace(self, action: QAction) -> None:
        self._settings.change(pace_seconds=float(action.data()))
        self.table.set_animated(float(action.data()) > 0)
        if self.model.session is not None:
            self.model.session.set_pace(float(action.data()))

    def _on_reader_chosen(self, name: str) -> None:
        self._settings.change(reader=name)
        self.looked_at.set_reader(name)
        if self.model.session is not None:
            self.model.session.readings.set_reader(name)

    def _on_automatic(self, is_on: bool) -> None:
        if self.model.session is not None:
            self.model.session.automatic.want(is_on)
        self._hold_deal()

    def _on_study(self, is_on: bool) -> None:
        self.panels.set_study(is_on)
        if self.model.session is not None:
            self.model.session.set_study(is_on)

    def _on_odds_here(self) -> None:
        if not self.panels.ask_odds():
            self.message.say(STILL_READ)

    def _on_lab_hand(self, match: PastSession, hands: tuple[PastHand, ...], index: int) -> None:
        """Show a hand that bots have played in the lab, and come to the front."""
        self.looked_at.show_match(match, hands, index)
        bring_up(self)

    def open_played_hands(self) -> None:
        """Bring the list of all hands played to the front."""
        from trainer.history.played_hands import PlayedHandsWindow

        if self.played_hands is None:
            self.played_hands = PlayedHandsWindow(self._theme, self._jobs)
            self.played_hands.hand_opened.connect(self._on_played_hand)
        if self.looked_at.past.store is not None:
            self.played_hands.set_store(self.looked_at.past.store)
        bring_up(self.played_hands)

    def _on_import(self) -> None:
        self.import_requested.emit(())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.import_requested.emit(dropped_paths(event))

    def show_imported(self) -> None:
        """Offer the sessions that an import has added, and list their hands where the list is open."""
        if self.looked_at.past.store is not None:
            self.looked_at.past.set_store(self.looked_at.past.store)
        if self.played_hands is not None and self.played_hands.isVisible():
            self.open_played_hands()

    def _on_recorded_hands(self) -> None:
        """Ask for a file of recorded hands."""
        name, _ = QFileDialog.getOpenFileName(self, "Recorded hands", "", "Recorded hands (*.phhs *.phh);;All (*)")
        if name:
            self.files.read(Path(name), asks=True)

    def _on_player_wanted(self, file: RecordedFile) -> None:
        """Ask through whose eyes the hands of a file are to be seen."""
        title, label = "Recorded hands", f"Hands of {file.path.name} as seen by"
        name, is_chosen = QInputDialog.getItem(self, title, label, list(file.players), editable=False)
        if is_chosen:
            self.files.show(file, name)

    def _on_recorded_hand(self, session: PastSession, hands: tuple[PastHand, ...], index: int) -> None:
        self.looked_at.show_match(session, hands, index)
        self.replaying.start()

    def _on_played_hand(self, session_id: int, number: int, event_count: int = 0) -> None:
        """Replay a stored hand from after so many of its events, and come to the front."""
        self.replaying.open_hand(session_id, number, event_count)
        bring_up(self)

    def _on_reviewed_decision(self, event_count: int) -> None:
        """Replay the hand looked at, or the one that has just ended, from a decision, and come to the front."""
        self.replaying.start()
        self.replaying.view.model.go_to_event(event_count)
        bring_up(self)

    def _on_replay_switched(self, is_on: bool) -> None:
        """Show a hand played again in the place of the table, or the table again."""
        page = self.replaying.view if is_on else self._running
        self._pages.setCurrentWidget(page)
        keys = page if is_on else self.action_bar
        self.setFocusProxy(keys)
        keys.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_keys_chosen(self, keys: dict[str, str]) -> None:
        self.action_bar.set_keys(keys)
        self.menus.show_settings(self._settings.settings)
        self._show_title()

    def _take_tour_answer(self) -> None:
        """Never offer the tour by itself again."""
        self._settings.change(offers_tour=False)
        self.welcome.offer_tour(False)

    def _on_tour_declined(self) -> None:
        self._take_tour_answer()
        self.open_new_game()

    def start_tour(self) -> None:
        """Replay the hand of the tour, and say a few words of each part of the window."""
        self._take_tour_answer()
        self.files.read(Path(str(files("resources").joinpath("pages", TOUR_HAND))), TOUR_PLAYER)
        steps = [
            TourStep(self.docks.by_name[name], text, partial(self._bring_up_in_tour, name))
            if name
            else TourStep(self._pages, text)
            for name, text in TOUR
        ]
        tour = Tour(self._theme, steps, self)
        tour.ended.connect(self._on_tour_ended)
        tour.start()

    def _on_tour_ended(self) -> None:
        self.files.cancel()
        self.replaying.leave()
        self.looked_at.past.forget_match()
        self.docks.bring_up("ranges")

    def _bring_up_in_tour(self, name: str) -> None:
        self.docks.bring_up(name)
        if self.replaying.is_on:
            self.replaying.view.model.go_to(TOUR_POSITION)

    def sizeHint(self) -> QSize:
        """Most of the screen, but not more than is of use."""
        available = self.screen().availableSize() * 0.85
        return available.boundedTo(_LARGEST_SIZE).expandedTo(_SMALLEST_SIZE).boundedTo(room_on_screen(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc close the hint, or what a click has enlarged, if nobody else had a use for it."""
        if event.key() != Qt.Key.Key_Escape or not (self.hints.close() or self.panels.close_enlarged()):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._theme.fit_text(self.size())
        self.table.setMinimumHeight(_LOW_TABLE if self.height() < _LOW_WINDOW else LEAST_TABLE.height())
        self.docks.keep_shares()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settings.change(**self.docks.record())
        self.odds.close()
        self.lab.close()
        self.review.close()
        self.drills.close()
        self.figures.close()
        self.prizes.close()
        self.push.close()
        self.charts.close()
        self._look_timer.stop()
        if self.played_hands is not None:
            self.played_hands.close()
        self.looked_at.stop()
        if self.model.session is not None:
            self.model.session.close()
        super().closeEvent(event)
