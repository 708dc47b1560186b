"""The main window: table and action bar, docks for reading, reasoning and log, menus; wires them to a session."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QColor,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QGridLayout,
    QInputDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.cards import HoleCards
from engine.game.events import Action, Chips, GameKind, Seat
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics
from trainer.calculator.opening import OddsOpener
from trainer.help import TextDialog, about_text, keys_text
from trainer.history.log import HandLog
from trainer.history.panel_title import PanelTitle, PanelUse
from trainer.history.past_hands_model import HandTitle, hand_title
from trainer.jobs import Jobs
from trainer.play.action_bar import ActionBar
from trainer.play.action_bar_model import Waiting
from trainer.play.message_line import MessageLine
from trainer.play.meters import MetersPanel
from trainer.play.new_game import NewGameDialog
from trainer.play.results import ResultsDialog
from trainer.play.table import TableWidget
from trainer.ranges.library import RangeLibrary
from trainer.reading.range_model import hand_points
from trainer.reading.read_panel import ReadPanel
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.session.amounts import Units
from trainer.session.looked_at import LookedAt
from trainer.session.session import Session
from trainer.session.types import (
    ChipSentence,
    FinishedHand,
    PointRanges,
    RunOutPoint,
    SessionResult,
    Stage,
    TableView,
)
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, room_on_screen, set_text_factor

PACES = (("&Instant", 0.0), ("&Fast", 0.4), ("&Normal", 0.8), ("&Slow", 1.6), ("&Very slow", 4.0))
THEME_NAMES = (("&System", "system"), ("&Light", "light"), ("&Dark", "dark"))
_SMALLEST_SIZE, _LARGEST_SIZE = QSize(1280, 720), QSize(1760, 1020)  # of a window opened for the first time
_DOCKS_SHARE = 0.42  # of the width; of their height the meters take the share below
_METERS_SHARE = 0.26
_STATE_VERSION = 1
_MOST_SPIN = 2**31 - 1
_EARLIER_KEY, _LATER_KEY, _BACK_KEY = "Ctrl+PgUp", "Ctrl+PgDown", "Ctrl+B"
_LOOK_MILLISECONDS = 200  # between two looks whether a panel is in use


class Welcome(QFrame):
    """Invites to a game while the table is empty.

    Signals
    -------
    new_game_requested, resume_requested
    """

    new_game_requested = Signal()
    resume_requested = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        title = QLabel("Take a seat")
        set_text_factor(title, 1.7)
        text = QLabel("Play no-limit hold'em against players who read hands,\nand watch what they read.")
        new_game = QPushButton("&New game…")
        new_game.setDefault(True)
        new_game.clicked.connect(self.new_game_requested)
        self.setFocusProxy(new_game)
        self.resume = QPushButton("&Resume")
        self.resume.setAutoDefault(True)
        self.resume.clicked.connect(self.resume_requested)
        self.resume.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 22, 28, 22)
        layout.setSpacing(12)
        for widget in (title, text, new_game, self.resume):
            layout.addWidget(widget)
        self._theme = theme

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground here: below a style sheet the text would not grow with the window."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._theme.theme.border))
        painter.setBrush(QColor(self._theme.theme.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.end()


class MainWindow(QMainWindow):
    """Everything of a session on one screen.

    Signals
    -------
    game_chosen : GameConfig
        A new game was described; whoever owns sessions begins one and calls `show_session`.
    resume_requested
        The session that was offered is to go on.
    stored_hands_requested
        What is stored is to be shown.
    """

    game_chosen = Signal(object)
    resume_requested = Signal()
    stored_hands_requested = Signal()

    def __init__(
        self,
        theme: ThemeSource,
        settings: SettingsFile,
        jobs: Jobs,
        log_folder: Path,
        version: str = "",
        library: RangeLibrary | None = None,
        places: Mapping[str, Path | None] | None = None,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self._log_folder = log_folder
        self._version = version
        self._places = places or {"Log": log_folder}
        self._session: Session | None = None
        self._view: TableView | None = None
        self._point: PointRanges | None = None
        self._statistics: dict[Seat, PlayerStatistics] = {}
        self._revealed: dict[Seat, HoleCards] = {}
        self._resume_text = ""
        self._new_game: NewGameDialog | None = None
        self._described: GameConfig | None = None
        self._panel: HandLog | ReasoningPanel | ReadPanel | None = None
        self.setWindowTitle("Soulread")
        self.odds = OddsOpener(theme, settings, jobs, self, library)
        self.looked_at = LookedAt(jobs, self)
        self.odds.follow(self.looked_at)

        self.message = MessageLine(theme)
        self.table = TableWidget(theme)
        self.welcome = Welcome(theme)
        self.action_bar = ActionBar(theme)
        self.read_panel = ReadPanel(theme)
        self.reasoning = ReasoningPanel(theme)
        self.log = HandLog(theme)
        self.meters = MetersPanel(theme)
        self._build_centre()
        self._is_reasoning_shown = self._are_traces_stale = False
        self._traces_timer = QTimer(self)
        self._traces_timer.setSingleShot(True)
        self._traces_timer.timeout.connect(self._on_traces_due)
        self._docks = self._build_docks()
        self._titles = self._build_titles()
        self._title: HandTitle | None = None
        self._panel_use = PanelUse(tuple(self._docks.values()))
        self._look_timer = QTimer(self)
        self._look_timer.setInterval(_LOOK_MILLISECONDS)
        self._look_timer.timeout.connect(self._hold_deal)
        self._meters_size = self._docks["meters"].size()
        self._settled_size = QSize()
        self._docks["meters"].installEventFilter(self)
        self._docks["reasoning"].visibilityChanged.connect(self._on_reasoning_shown)
        self._build_menus()
        self._connect()
        self._apply_settings()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self.action_bar)  # a click beside all controls ends typing
        self._restore_layout()
        self.welcome.setFocus()

    # Parts

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
        layout.addWidget(self.message)
        layout.addWidget(stage, 1)
        layout.addWidget(self.action_bar)
        self.setCentralWidget(centre)

    def _build_docks(self) -> dict[str, QDockWidget]:
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        docks = {}
        for name, title, widget in (
            ("ranges", "Ranges", self.read_panel),
            ("reasoning", "Reasoning", self.reasoning),
            ("log", "Log", self.log),
            ("meters", "Meters", self.meters),
        ):
            dock = QDockWidget(title, self)
            dock.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # for the action bar to take back
            dock.setObjectName(name)
            dock.setWidget(widget)
            docks[name] = dock
        self._arrange(docks)
        return docks

    def _build_titles(self) -> list[PanelTitle]:
        titles = []
        for dock in self._docks.values():
            title = PanelTitle(self._theme, dock, (_EARLIER_KEY, _LATER_KEY, _BACK_KEY))
            title.earlier_requested.connect(self.looked_at.go_earlier)
            title.later_requested.connect(self.looked_at.go_later)
            title.back_requested.connect(self.looked_at.go_back)
            dock.setTitleBarWidget(title)
            titles.append(title)
        return titles

    def _arrange(self, docks: dict[str, QDockWidget]) -> None:
        right = Qt.DockWidgetArea.RightDockWidgetArea
        for dock in docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        QApplication.sendPostedEvents(self, QEvent.Type.LayoutRequest)  # or their old tabs would stay in the window
        self.addDockWidget(right, docks["ranges"])
        self.tabifyDockWidget(docks["ranges"], docks["reasoning"])
        self.tabifyDockWidget(docks["reasoning"], docks["log"])
        self.addDockWidget(right, docks["meters"], Qt.Orientation.Vertical)
        for dock in docks.values():
            dock.show()
        docks["ranges"].raise_()
        pair = [docks["ranges"], docks["meters"]]
        width, meters = round(_DOCKS_SHARE * self.width()), round(_METERS_SHARE * self.height())
        self.resizeDocks(pair, [width, width], Qt.Orientation.Horizontal)
        self.resizeDocks(pair, [self.height() - meters, meters], Qt.Orientation.Vertical)

    def _build_menus(self) -> None:
        game = self.menuBar().addMenu("&Game")
        self.new_game_action = self._action(game, "&New game…", self.open_new_game, "Ctrl+N")
        self.resume_action = self._action(game, "&Resume", self._on_resume)
        game.addSeparator()
        self.top_up_action = self._action(game, "&Top up…", self._on_top_up, "Ctrl+T")
        self.rebuy_action = self._action(game, "&Buy in again", self._on_rebuy)
        self.results_action = self._action(game, "Re&sults", self._on_results, "Ctrl+R")
        self.finish_action = self._action(game, "&Finish session", self._on_finish)
        game.addSeparator()
        self._action(game, "Stored &hands…", self.stored_hands_requested.emit)
        self._action(game, "&Quit", self.close, "Ctrl+Q")

        view = self.menuBar().addMenu("&View")
        self.units_action = self._switch(view, "Amounts in &big blinds", self._on_units, "U")
        self.four_colours_action = self._switch(view, "&Four-colour deck", self._on_four_colours)
        self._themes = self._choices(view.addMenu("&Theme"), THEME_NAMES, self._on_theme)
        self._paces = self._choices(view.addMenu("&Pace of the bots"), PACES, self._on_pace)
        self.automatic_action = self._switch(view, "Deal the next hand by &itself", self._on_automatic)
        self.confirm_action = self._switch(view, "Ask before big &calls and all-ins", self._on_confirm)
        self.study_action = self._switch(view, "&Study mode (opens all cards)", self._on_study, "Ctrl+D")
        view.addSeparator()
        for number, dock in enumerate(self._docks.values(), start=1):
            show = QAction(dock.windowTitle(), self)
            show.setShortcut(QKeySequence(f"Ctrl+{number}"))
            show.setData(dock.objectName())
            show.triggered.connect(self._on_dock_chosen)
            view.addAction(show)
        self._action(view, "&Reset layout", self._on_reset_layout)
        view.addSeparator()
        self.earlier_action = self._action(
            view, "&Earlier hand in the panels", self.looked_at.go_earlier, _EARLIER_KEY
        )
        self.later_action = self._action(view, "&Later hand in the panels", self.looked_at.go_later, _LATER_KEY)
        self.back_action = self._action(view, "&Hand before, and back", self.looked_at.toggle, _BACK_KEY)

        tools = self.menuBar().addMenu("T&ools")
        self._action(tools, "&Odds calculator", self.odds.open, "Ctrl+O")
        self.odds_here_action = self._action(tools, "Odds of &this position", self._on_odds_here, "Ctrl+Shift+O")

        help_menu = self.menuBar().addMenu("&Help")
        self._action(help_menu, "&Keys", self._on_keys, "F1")
        self._action(help_menu, "&Log folder", self._on_log_folder)
        self._action(help_menu, "&About", self._on_about)

    def _action(self, menu: QMenu, text: str, slot: Callable[[], object], key: str = "") -> QAction:
        action = QAction(text, self)
        if key:
            action.setShortcut(QKeySequence(key))
        action.triggered.connect(slot)
        menu.addAction(action)
        return action

    def _switch(self, menu: QMenu, text: str, slot: Callable[[bool], None], key: str = "") -> QAction:
        action = QAction(text, self)
        action.setCheckable(True)
        if key:
            action.setShortcut(QKeySequence(key))
        action.toggled.connect(slot)
        menu.addAction(action)
        return action

    def _choices(
        self, menu: QMenu, choices: tuple[tuple[str, object], ...], slot: Callable[[QAction], None]
    ) -> QActionGroup:
        group = QActionGroup(self)
        for text, value in choices:
            action = QAction(text, group)
            action.setCheckable(True)
            action.setData(value)
            menu.addAction(action)
        group.triggered.connect(slot)
        return group

    def _connect(self) -> None:
        self.welcome.new_game_requested.connect(self.open_new_game)
        self.welcome.resume_requested.connect(self._on_resume)
        self.message.action_triggered.connect(self._on_message_answered)
        self.table.seat_clicked.connect(self._on_seat_clicked)
        self.table.wheel_turned.connect(self.action_bar.turn_wheel)
        self.action_bar.action_chosen.connect(self._on_action_chosen)
        self.action_bar.waiting_chosen.connect(self._on_waiting_chosen)
        self.action_bar.amount_chosen.connect(self.table.preview_bet)
        self.looked_at.hand_changed.connect(self._on_hand_looked_at)
        self.looked_at.reading_changed.connect(self._on_earlier_reading)
        self.looked_at.run_out_changed.connect(self.meters.show_run_out)
        self.looked_at.traces_changed.connect(self._show_traces)
        self.looked_at.learned.connect(self._on_learned)
        self.looked_at.past.sessions_changed.connect(self._on_sessions_changed)
        self.looked_at.past.hands_changed.connect(self._on_hands_changed)
        self.looked_at.notice.connect(self.message.say)
        self.log.session_chosen.connect(self.looked_at.choose_session)
        self.log.hand_chosen.connect(self.looked_at.look_at)
        self.read_panel.point_requested.connect(self.looked_at.request)
        self.read_panel.odds_requested.connect(self.odds.open_point)
        self.read_panel.range_odds_requested.connect(self.odds.open_range)
        self.log.odds_requested.connect(self.odds.open_moment)
        self.reasoning.odds_requested.connect(self.odds.open_decision)
        self.reasoning.range_odds_requested.connect(self.odds.open_range)
        self.odds.refused.connect(self.message.say)
        self.read_panel.point_chosen.connect(self._on_point_chosen)
        self.read_panel.reader_chosen.connect(self._on_reader_chosen)
        self.reasoning.study_requested.connect(self.study_action.setChecked)
        self._jobs.failed.connect(self.message.say)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def _apply_settings(self) -> None:
        chosen = self._settings.settings
        self.units_action.setChecked(chosen.big_blinds)
        self.four_colours_action.setChecked(chosen.four_colours)
        self.automatic_action.setChecked(chosen.automatic_deal)
        self.confirm_action.setChecked(chosen.confirm_big_bets)
        if chosen.pace_seconds == 0:
            self.table.set_animated(False)
        self.read_panel.set_reader(chosen.reader)
        self.looked_at.set_reader(self.read_panel.reader)
        self.action_bar.set_keys(dict(chosen.keys))
        self.action_bar.set_confirm_big(chosen.confirm_big_bets)
        for group, value in ((self._themes, chosen.theme), (self._paces, chosen.pace_seconds)):
            for action in group.actions():
                action.setChecked(action.data() == value)
        self._update_actions()

    # Layout

    def sizeHint(self) -> QSize:
        """Most of the screen, but not more than is of use."""
        available = self.screen().availableSize() * 0.85
        return available.boundedTo(_LARGEST_SIZE).expandedTo(_SMALLEST_SIZE).boundedTo(room_on_screen(self))

    def _restore_layout(self) -> None:
        chosen = self._settings.settings
        if not (chosen.window_geometry and self.restoreGeometry(QByteArray(chosen.window_geometry))):
            self.resize(self.sizeHint())
        if not (chosen.window_state and self.restoreState(QByteArray(chosen.window_state), _STATE_VERSION)):
            self._arrange(self._docks)

    def _on_reset_layout(self) -> None:
        self._arrange(self._docks)

    def _on_dock_chosen(self) -> None:
        sender = self.sender()
        assert isinstance(sender, QAction)
        dock = self._docks[str(sender.data())]
        dock.show()
        dock.raise_()
        if QGuiApplication.keyboardModifiers():  # its keys, and not the menu
            dock.widget().setFocus(Qt.FocusReason.ShortcutFocusReason)

    # A session

    def show_session(self, session: Session) -> None:
        """Wire a session to all widgets, and let go of the one before."""
        if self._session is not None:
            self._session.close()
            self._session.deleteLater()
        self._session = session
        self._view = self._point = None
        self._on_statistics({})
        self.looked_at.follow(session)
        self._panel_use.turn_to_table()
        self.study_action.setChecked(False)
        self.message.drop_questions()
        self.action_bar.clear()
        self.welcome.hide()
        session.view_changed.connect(self._on_view)
        session.readings.reading_changed.connect(self._on_reading)
        session.readings.run_out_changed.connect(self._on_run_out)
        session.hand_finished.connect(self._on_hand_finished)
        session.session_finished.connect(self._on_session_finished)
        session.storing_changed.connect(self.show_storing)
        self.show_storing(session.why_not_stored)
        session.statistics_changed.connect(self._on_statistics)
        session.notice.connect(self._on_notice)
        session.progressed.connect(self.message.set_progress)
        session.set_pace(self._settings.settings.pace_seconds)
        session.readings.set_reader(self.read_panel.reader)
        session.automatic.want(self._settings.settings.automatic_deal)
        self._update_actions()

    def offer_resume(self, text: str, *, is_asked: bool) -> None:
        """Make the last session available in menu and welcome; with is_asked say so in a sentence as well."""
        self._resume_text = text
        self.welcome.resume.setText(f"&Resume the session {text}")
        self.welcome.resume.setVisible(bool(text))
        if is_asked and text:
            self.message.say(f"Resume the session {text}?", "Resume")
        self._update_actions()

    @Slot(str)
    def show_storing(self, why_not: str) -> None:
        """Mark that nothing is stored as long as that is so, with the reason; "" takes the mark away."""
        self.message.set_mark("Not stored" if why_not else "", why_not)

    @Slot(object)
    def _on_view(self, view: TableView) -> None:
        before, self._view = self._view, view
        observation = view.observation
        revealed = self._session.revealed() if self._session is not None else {}
        if revealed != self._revealed:
            self._revealed = revealed
            self.table.set_revealed(revealed)
        self.table.show_view(view)
        self.action_bar.show_view(view)
        is_new = before is None or before.observation.hand_number != observation.hand_number
        if is_new:
            self._point = None
        if view.stage == Stage.YOUR_TURN:
            self._panel = None
        if self.looked_at.is_following:
            if is_new:
                self.reasoning.clear()
            self._show_hand(observation)
            if self.study_action.isChecked() or view.stage == Stage.HAND_OVER:
                self._show_traces()
        self._hold_deal()
        self._update_actions()

    def _units(self, big_blind: Chips) -> Units:
        return Units(big_blind, self._settings.settings.big_blinds)

    def _write_message(self) -> None:
        """Write the line above the table for the hand shown, in the chosen units."""
        if self._view is not None:
            self.message.set_units(self._units(self._view.observation.big_blind))
            hint = f"{self._title.hint}   " if self._title is not None and self._title.hint else ""
            self.message.set_caption(hint + self._caption(self._view))

    def _caption(self, view: TableView) -> str:
        observation = view.observation
        kind = "Cash game" if observation.kind == GameKind.CASH else "Tournament"
        units = self._units(observation.big_blind)
        blinds = f"{units.number(observation.small_blind)}/{units.text(observation.big_blind)}"
        ante = f", ante {units.text(observation.ante)}" if observation.ante else ""
        return f"{kind} {blinds}{ante}   ·   hand {observation.hand_number}"

    # The hand that the panels show

    def _show_hand(self, observation: Observation) -> None:
        """Tell a hand in the panels as far as its observation goes."""
        self.log.show_hand(observation)
        self.meters.follow(observation)
        truth = {
            seat.seat: seat.shown for seat in observation.seats if seat.shown and seat.seat != observation.seat
        }
        if truth:
            self.read_panel.set_truth(truth, observation.hand_number)

    @Slot()
    def _on_hand_looked_at(self) -> None:
        """Show all that is known of another hand, or of the one on the table again."""
        looked_at = self.looked_at
        for panel in (self.read_panel, self.meters, self.reasoning, self.log):
            panel.clear()
        self.read_panel.set_live(looked_at.is_following)
        if not looked_at.is_following:
            self.reasoning.clear("No decisions of this hand are stored.")
        observation = looked_at.observation or looked_at.on_table
        if observation is not None:
            self._show_hand(observation)
            self._on_point_chosen(None)
            self._on_learned(0)
            for point in looked_at.points:
                self.read_panel.show_point(point)
                self.meters.show_point(point)
            for run_out in looked_at.run_outs:
                self.meters.show_run_out(run_out)
            self._show_traces()
        self.log.mark_hand(looked_at.hand_index)
        self._hold_deal()

    @Slot(object)
    def _on_earlier_reading(self, point: PointRanges) -> None:
        self.read_panel.show_point(point)
        self.meters.show_point(point)

    @Slot(object)
    def _on_learned(self, count: int) -> None:
        final, wanted = self.looked_at.observation, self.looked_at.hands_to_learn
        if final is not None:
            before = f"\n{count:,} of the {wanted:,} hands before it are remembered." if wanted else ""
            self.read_panel.say(f"Hand {final.hand_number} is being read.{before}")

    @Slot(object)
    def _on_point_chosen(self, event_count: int | None) -> None:
        """Let the meters follow the ranges; of an earlier hand they show its last point rather than its end."""
        final = self.looked_at.observation
        if final is not None and event_count is None:
            event_count = hand_points(final)[-1].event_count
        self.meters.look_at(event_count)

    @Slot()
    def _on_sessions_changed(self) -> None:
        self.log.show_sessions(self.looked_at.past.sessions, self.looked_at.past.session_index)

    @Slot()
    def _on_hands_changed(self) -> None:
        looked_at = self.looked_at
        on_table = looked_at.on_table if looked_at.is_of_table else None
        self.log.show_hands(looked_at.hands, on_table, looked_at.hand_index)

    @Slot()
    def _hold_deal(self) -> None:
        """Let automatic dealing wait while the panels show an earlier hand or are in use, and say so."""
        session = self._session
        if session is not None:
            session.automatic.hold(not self.looked_at.is_following or self._panel_use.is_used())
        is_waiting = session is not None and session.stage == Stage.HAND_OVER and self.automatic_action.isChecked()
        if is_waiting != self._look_timer.isActive():
            (self._look_timer.start if is_waiting else self._look_timer.stop)()
        self._show_title()

    def _show_title(self) -> None:
        """Say in titles, menu and the line above the table which hand the panels show."""
        session, key = self._session, self._settings.settings.key("next")
        stage = session.stage if session is not None else Stage.SESSION_OVER
        is_held = session is not None and session.automatic.is_waiting
        title = hand_title(self.looked_at, stage, is_deal_held=is_held, deal_key=key)
        if title != self._title:
            self._title = title
            for bar in self._titles:
                bar.show_title(title)
            self.earlier_action.setEnabled(bool(title.earlier))
            self.later_action.setEnabled(bool(title.later))
            self.back_action.setEnabled(bool(title.back or title.earlier))
        self._write_message()

    def _show_traces(self) -> None:
        """Bring the reasoning up to date soon, or when its dock comes to the front: it takes most of a frame."""
        if self._is_reasoning_shown:
            self._traces_timer.start(0)
        else:
            self._are_traces_stale = True

    def _on_reasoning_shown(self, is_shown: bool) -> None:
        self._is_reasoning_shown = is_shown
        if is_shown and self._are_traces_stale:
            self._on_traces_due()

    def _on_traces_due(self) -> None:
        self._are_traces_stale = False
        observation = self.looked_at.observation or self.looked_at.on_table
        if observation is not None:
            names = {seat.seat: seat.name for seat in observation.seats}
            traces = self.looked_at.open_traces()
            self.reasoning.show_traces(traces, names)
            is_over = self._view is not None and self._view.stage in (Stage.HAND_OVER, Stage.SESSION_OVER)
            if is_over and self.looked_at.is_following and not traces:
                self.reasoning.clear("In this hand no bot had anything to decide.")

    @Slot(object)
    def _on_reading(self, point: PointRanges) -> None:
        if self._view is not None and point.hand_number == self._view.observation.hand_number:
            if self._point is None or point.event_count >= self._point.event_count:
                self._point = point
            if self.looked_at.is_following:
                self.read_panel.show_point(point)
                self.meters.show_point(point)

    @Slot(object)
    def _on_run_out(self, point: RunOutPoint) -> None:
        if self.looked_at.is_following:
            self.meters.show_run_out(point)

    @Slot(object)
    def _on_hand_finished(self, _hand: FinishedHand) -> None:
        if self.looked_at.is_following:
            self._show_traces()
        self._update_actions()

    @Slot(object)
    def _on_statistics(self, statistics: dict[Seat, PlayerStatistics]) -> None:
        self._statistics = statistics
        self.table.set_statistics(statistics)

    @Slot(object)
    def _on_notice(self, sentence: str | ChipSentence) -> None:
        session = self._session
        assert session is not None
        if session.config is None:  # it could not even begin
            self.welcome.show()
            self.welcome.setFocus()
        self.message.say(sentence)

    @Slot(object)
    def _on_session_finished(self, result: SessionResult) -> None:
        self._update_actions()
        self._show_results(result)
        described, self._described = self._described, None
        if described is not None:
            self.game_chosen.emit(described)

    def _update_actions(self) -> None:
        session = self._session
        stage = session.stage if session is not None else Stage.SESSION_OVER
        config = session.config if session is not None else None
        is_running = session is not None and stage != Stage.SESSION_OVER
        is_between = is_running and stage == Stage.HAND_OVER and config is not None
        is_cash = config is not None and config.kind == GameKind.CASH
        self.top_up_action.setEnabled(is_between and is_cash)
        self.rebuy_action.setEnabled(is_between and is_cash)
        self.results_action.setEnabled(config is not None)
        self.finish_action.setEnabled(is_running)
        self.study_action.setEnabled(is_running)
        self.resume_action.setEnabled(bool(self._resume_text) and not is_running)
        self.resume_action.setText(f"&Resume the session {self._resume_text}" if self._resume_text else "&Resume")
        self.odds_here_action.setEnabled(self._view is not None)

    # Intents

    @Slot()
    def _on_message_answered(self) -> None:
        if self._resume_text:
            self.resume_requested.emit()

    @Slot(object)
    def _on_seat_clicked(self, seat: Seat) -> None:
        self.looked_at.go_back()
        self._docks["ranges"].show()
        self._docks["ranges"].raise_()
        self.read_panel.open_seat(seat)

    @Slot()
    def open_new_game(self) -> None:
        """Ask for a new game."""
        if self._new_game is not None and self._new_game.isVisible():
            self._new_game.raise_()
            return
        if self._new_game is None:
            self._new_game = NewGameDialog(self._theme, self._settings, self)
            self._new_game.game_chosen.connect(self._on_game_described)
        self._new_game.open()

    @Slot(object)
    def _on_game_described(self, config: GameConfig) -> None:
        """Begin a new game, but end a running one only if that is wanted."""
        session = self._session
        if session is None or session.config is None or session.stage == Stage.SESSION_OVER:
            self.game_chosen.emit(config)
            return
        hand, _ = session.progress
        is_playing = session.stage != Stage.HAND_OVER
        box = QMessageBox(self)
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
        session = self._session
        if session is not None and session.stage != Stage.SESSION_OVER:
            self._described = described
            session.abandon()
        else:  # it has ended meanwhile
            self.game_chosen.emit(described)

    @Slot(object)
    def _on_action_chosen(self, action: Action) -> None:
        self._panel_use.turn_to_table()
        if self._session is not None:
            self._session.act(action)

    @Slot(object)
    def _on_waiting_chosen(self, chosen: Waiting) -> None:
        self._panel_use.turn_to_table()
        session = self._session
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

    @Slot()
    def _on_resume(self) -> None:
        if self._resume_text:
            self.resume_requested.emit()

    @Slot()
    def _on_top_up(self) -> None:
        session = self._session
        if session is None or (results := session.results()) is None or session.config is None:
            return
        stack = results.stacks[session.human]
        room = session.config.starting_stack - stack
        if room < 1:
            session.rebuy()  # says why there is nothing to buy
            return
        units = self._units(session.config.big_blind)
        dialog = QInputDialog(self)
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

    @Slot()
    def _on_rebuy(self) -> None:
        if self._session is not None:
            self._session.rebuy()

    @Slot()
    def _on_finish(self) -> None:
        if self._session is not None:
            self._session.finish()

    @Slot()
    def _on_results(self) -> None:
        if self._session is not None and (result := self._session.results()) is not None:
            self._show_results(result)

    def _show_results(self, result: SessionResult) -> None:
        units = self._settings.settings.big_blinds
        dialog = ResultsDialog(self._theme, result, self._statistics, big_blinds=units, parent=self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.units_chosen.connect(self.units_action.setChecked)
        dialog.open()

    def _on_units(self, in_big_blinds: bool) -> None:
        self._settings.change(big_blinds=in_big_blinds)
        self.table.set_units(in_big_blinds)
        self.action_bar.set_units(in_big_blinds)
        self.log.set_units(in_big_blinds)
        self.read_panel.set_units(in_big_blinds)
        self.reasoning.set_units(in_big_blinds)
        self._write_message()

    def _on_four_colours(self, is_on: bool) -> None:
        self._settings.change(four_colours=is_on)
        self.table.set_four_colours(is_on)
        self.log.set_four_colours(is_on)
        self.reasoning.set_four_colours(is_on)
        self.odds.set_four_colours(is_on)

    def _on_theme(self, action: QAction) -> None:
        self._settings.change(theme=action.data())
        self._theme.choose(action.data())

    def _on_pace(self, action: QAction) -> None:
        self._settings.change(pace_seconds=float(action.data()))
        self.table.set_animated(float(action.data()) > 0)
        if self._session is not None:
            self._session.set_pace(float(action.data()))

    @Slot(str)
    def _on_reader_chosen(self, name: str) -> None:
        self._settings.change(reader=name)
        self.looked_at.set_reader(name)
        if self._session is not None:
            self._session.readings.set_reader(name)

    def _on_automatic(self, is_on: bool) -> None:
        self._settings.change(automatic_deal=is_on)
        if self._session is not None:
            self._session.automatic.want(is_on)
        self._hold_deal()

    def _on_confirm(self, is_on: bool) -> None:
        self._settings.change(confirm_big_bets=is_on)
        self.action_bar.set_confirm_big(is_on)

    def _on_study(self, is_on: bool) -> None:
        self.reasoning.set_study(is_on)
        if self._session is not None:
            self._session.set_study(is_on)
            self._show_traces()

    # Odds

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Note which panel was gone to last, by click or key."""
        for panel in (self.log, self.reasoning, self.read_panel):
            if now is not None and panel.isAncestorOf(now):
                self._panel = panel

    @Slot()
    def _on_odds_here(self) -> None:
        """Ask about the log, decision or point last gone to since the turn began; else the newest point."""
        if self._panel is not None and self._panel.ask_odds():
            return
        if self._point is not None:
            self.odds.open_point(self._point)
        elif self._view is not None:
            self.message.say("This position is still being read; try again in a moment.")

    # Help

    def _on_keys(self) -> None:
        TextDialog("Keys", keys_text(dict(self._settings.settings.keys)), self).open()

    def _on_about(self) -> None:
        TextDialog("About Soulread", about_text(self._version, self._places), self).open()

    def _on_log_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_folder))):
            self.message.say(f"The log is in {self._log_folder}.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember the share of the window that the person gives the docks."""
        if event.type() == QEvent.Type.Resize and self.size() == self._settled_size:
            self._meters_size = self._docks["meters"].size()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc close what a click has enlarged, if nobody else had a use for it."""
        backs = (self.read_panel.all_button, self.reasoning.prediction.back_button)
        shown = [button for button in backs if button.isVisible()]
        if event.key() == Qt.Key.Key_Escape and shown:
            shown[0].click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the docks' share of the window, which Qt would give to the table alone.

        The meters stand for their column: of the docks above them all but one are hidden behind its tab.
        """
        super().resizeEvent(event)
        self._theme.fit_text(self.size())
        before, self._settled_size = self._settled_size, self.size()
        meters = self._docks["meters"]
        if not before.isEmpty() and meters.isVisible() and not meters.isFloating():
            width = round(self._meters_size.width() * self.width() / before.width())
            height = round(self._meters_size.height() * self.height() / before.height())
            self.resizeDocks([meters], [width], Qt.Orientation.Horizontal)
            self.resizeDocks([meters], [height], Qt.Orientation.Vertical)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settings.change(
            window_geometry=self.saveGeometry().data(), window_state=self.saveState(_STATE_VERSION).data()
        )
        self.odds.close()
        self._look_timer.stop()
        self.looked_at.stop()
        if self._session is not None:
            self._session.close()
        super().closeEvent(event)
