"""The composition root: makes services, window and sessions, and starts the engine after the first paint."""

import argparse
import gc
import logging
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QObject, Qt, QTimer, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from engine.codec import StoredDataError
from engine.game.format_file import cash_game
from engine.game.formats import GameConfig, GameConfigError
from engine.kernels.cache import cache_root
from trainer.autoplay import AutoplayRun, ScreenshotRun
from trainer.help import app_icon
from trainer.history.fair_deals import FairDealsDialog
from trainer.history.stored_hands import LANE as STORED_HANDS
from trainer.history.stored_hands import StoredHandsDialog
from trainer.jobs import Jobs, log_uncaught
from trainer.new_game.own_formats import FORMATS_FOLDER
from trainer.new_game.seats_box import default_seats
from trainer.preparation import Preparation
from trainer.ranges.library import RangeLibrary
from trainer.reading.known_players import KnownPlayersDialog
from trainer.session.dealer_jobs import LANE
from trainer.session.playing_on import TakenUpHand
from trainer.session.session import Session
from trainer.session.types import Stage
from trainer.settings import SettingsFile
from trainer.storage.database import takes_long_to_open
from trainer.storage.seal import KEY_FILE
from trainer.storage.store import MEGABYTE, Store
from trainer.storage.stored import StoredSession, StoreError
from trainer.styles.own_styles import STYLES_FOLDER
from trainer.theme import ThemeSource
from trainer.widgets.front import bring_up
from trainer.window.main_window import MainWindow

if TYPE_CHECKING:  # opened on demand
    from trainer.importing.import_dialog import ImportDialog

_log = logging.getLogger(__name__)

RANGES = "ranges.txt"
"""The library of named ranges, next to the database."""

_OPENING = "opening the stored hands"

_SIGNAL_MILLISECONDS = 200


class App(QObject):
    """Everything that runs, made once; without `database_path` no hand or range is stored."""

    ready = Signal()  # the engine is warm and the store is open
    failed = Signal(str)  # the engine cannot be used, in a sentence
    _warming = Signal(str)
    _read = Signal(object)  # how many rows of an earlier version are read

    def __init__(self, settings_path: Path, database_path: Path | None, log_path: Path, version: str = "") -> None:
        super().__init__()
        self.settings = SettingsFile(settings_path)
        self.theme = ThemeSource(self)
        self.theme.choose(self.settings.settings.theme)
        self.theme.choose_felt(self.settings.settings.felt)
        self.jobs = Jobs(self)
        self.store = Store(None)
        self.session: Session | None = None  # the one on the table
        self.has_failed = False  # whether an exception came up that nobody caught
        self._database_path = database_path
        self._key_path = settings_path.with_name(KEY_FILE)
        self._offered: StoredSession | None = None
        self._is_warm = self._is_opening = False  # whether the stored hands are brought up to date in a lane
        self._waiting: Callable[[], None] | None = None
        self._importing: ImportDialog | None = None
        ranges_path = database_path.with_name(RANGES) if database_path is not None else None
        self.library = RangeLibrary(ranges_path)
        places = {
            "Settings": settings_path,
            "Hands": database_path,
            "Ranges": ranges_path,
            "Formats": settings_path.with_name(FORMATS_FOLDER),
            "Styles": settings_path.with_name(STYLES_FOLDER),
            "Log": log_path,
            "Cache": cache_root(),
        }
        QApplication.setWindowIcon(app_icon())
        self.window = MainWindow(self.theme, self.settings, self.jobs, self.library, places, version)
        self.window.game_chosen.connect(self.begin)
        self.window.resume_requested.connect(self.resume)
        self.window.replaying.play_on_requested.connect(self.play_on)
        self.window.stored_hands_requested.connect(self.open_stored_hands)
        self.window.known_players_requested.connect(self.open_known_players)
        self.window.fair_deals_requested.connect(self.open_fair_deals)
        self.window.import_requested.connect(self.open_import)
        self._warming.connect(self.window.message.set_progress)
        self._preparation = Preparation(self.jobs, self)
        self._preparation.progressed.connect(self.window.message.set_progress)

    def start_services(self) -> None:
        """Warm the kernels up in the worker and open the store; to be called after the first paint."""
        self.jobs.submit(LANE, self._warm_up, self._on_warm, on_error=self._on_not_warm)
        path, key_path = self._database_path, self._key_path
        if path is not None and takes_long_to_open(path):
            self._is_opening = True
            self._read.connect(self._on_read)
            self.jobs.submit(
                _OPENING,
                lambda: Store(path, key_path, self._read.emit),
                self._on_opened,
                on_error=self._on_not_opened,
            )
        else:
            self._take_store(Store(path, key_path))

    def _on_read(self, rows: int) -> None:
        self.window.message.set_progress(f"Bringing the stored hands up to date: {rows:,} rows")

    def _on_opened(self, store: Store) -> None:
        self._is_opening = False
        self.window.message.set_progress("")
        self._take_store(store)
        if self._is_warm:
            self.ready.emit()
        if self._waiting is not None:
            self._waiting()

    def _on_not_opened(self, error: Exception) -> None:
        self.window.message.say(f"The stored hands could not be opened: {error}")
        self._on_opened(Store(None))

    def _waits(self, wanted: Callable[[], None]) -> bool:
        """Put off what needs the stored hands until these are open; the last thing wanted is done then."""
        if self._is_opening:
            self._waiting = wanted
            self.window.message.say("The stored hands are brought up to date first; then it goes on.")
        return self._is_opening

    def _take_store(self, store: Store) -> None:
        self.store.close()
        self.store = store
        self.store.limit = self.settings.settings.stored_megabytes * MEGABYTE
        self.store.players.is_on = self.settings.settings.remember_players
        self.window.looked_at.past.set_store(self.store)
        self.window.drills.set_store(self.store)
        self.window.figures.store = self.store
        self.window.notes.set_store(self.store)
        for sentence in self.notices():
            self.window.message.say(sentence)
        self.window.show_storing(self.store.file.why_not_stored)
        self._look_for_unfinished()

    def notices(self) -> list[str]:
        """Return what was wrong with the user's files, a sentence each."""
        return [sentence for sentence in (self.settings.notice, self.store.file.notice) if sentence]

    def _warm_up(self) -> None:
        from engine.kernels.jit import warm_up

        def tell(done: int, total: int, name: str) -> None:
            self._warming.emit(f"Preparing the engine: {name} ({done + 1} of {total})" if name else "")

        self._warming.emit("Preparing the engine")
        warm_up(tell, at_start=True)
        # What the compiler left behind stays for good; looking through it took 70 ms of each full collection.
        gc.freeze()

    def _on_warm(self, _nothing: object) -> None:
        self.window.message.set_progress("")
        self._is_warm = True
        if not self._is_opening:
            self.ready.emit()
        self._preparation.start()

    def _on_not_warm(self, error: Exception) -> None:
        self.window.message.set_progress("")
        sentence = f"The engine could not be prepared: {error}"
        self.window.message.say(sentence)
        self.failed.emit(sentence)

    def _on_played_on(self, played: Session, _result: object) -> None:
        """Offer the session before, unless a new game has begun on the table."""
        if self.session is played:
            self._look_for_unfinished()

    def _look_for_unfinished(self) -> None:
        try:
            self._offered = self.store.resumable()
        except StoreError as error:
            self.window.message.say(str(error))
            return
        self.window.offer_resume(_when(self._offered), is_asked=True)

    def invite(self) -> None:
        """Ask for a new game; but where a session can be resumed the window has said so, and at first is a tour."""
        if self._is_opening:
            self._waiting = self.invite
            return
        if self._offered is not None:
            return
        if self.settings.settings.offers_tour:
            self.window.offer_tour()
        else:
            self.window.open_new_game()

    def begin(self, config: GameConfig) -> None:
        """Begin a new session; the one before can be resumed later."""
        if self._waits(lambda: self.begin(config)):
            return
        session = Session(self.jobs, self.store, self)
        self._show(session)
        try:
            session.begin(config, datetime.now())
        except GameConfigError as error:
            self.window.message.say(str(error))

    def resume(self) -> None:
        """Go on with the session that was offered."""
        offered = self._offered
        if offered is None:
            return
        session = Session(self.jobs, self.store, self)
        self._show(session)
        try:
            session.resume(offered)
        except (StoreError, StoredDataError, GameConfigError) as error:
            session.notice.emit(f"That session cannot be resumed: {error}")

    def play_on(self, hand: TakenUpHand) -> None:
        """Play a finished hand on, as a session that is stored nowhere; then offer the one before again."""
        session = Session(self.jobs, Store(None), self)
        self._show(session)
        session.session_finished.connect(partial(self._on_played_on, session))
        session.table.restored.connect(partial(self._on_taken_up, hand))
        session.table.failed.connect(self._look_for_unfinished)
        try:
            session.play_on(hand, datetime.now())
        except GameConfigError as error:
            session.notice.emit(f"This hand cannot be played on: {error}")
            self._look_for_unfinished()

    def _on_taken_up(self, hand: TakenUpHand, _restored: object) -> None:
        self.window.message.say("This hand is played on by itself: it is not stored and counts nowhere.")
        if hand.assumptions:
            self.window.message.say(" ".join(hand.assumptions))

    def open_stored_hands(self) -> None:
        """Open the dialog of the stored hands."""
        if self._waits(self.open_stored_hands):
            return
        dialog = StoredHandsDialog(self.store, self.settings, self.jobs, self._stored_on_table, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._on_stored_hands_closed)
        dialog.open()

    def open_import(self, paths: Sequence[Path] = ()) -> None:
        """Open the dialog that imports hands, beside the game, which goes on, and begin with some files."""
        if self._waits(lambda: self.open_import(paths)):
            return
        from trainer.importing.import_dialog import ImportDialog  # not on the start path

        if self._importing is None:
            self._importing = ImportDialog(self.store, self.jobs, self.window)
            self._importing.hands_imported.connect(self.window.show_imported)
            self._importing.hands_wanted.connect(self.window.open_played_hands)
        bring_up(self._importing)
        self._importing.take_paths(paths)

    def open_known_players(self) -> None:
        """Open the dialog of the players remembered."""
        if self._waits(self.open_known_players):
            return
        dialog = KnownPlayersDialog(self.store, self.settings, self.jobs, self._is_playing, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def open_fair_deals(self) -> None:
        """Open the dialog of what binds the dealer, beside the game, which goes on, and of earlier sessions."""
        if self._waits(self.open_fair_deals):
            return
        dialog = FairDealsDialog(self.theme, self.jobs, self.store, self.session, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.page_requested.connect(self.window.help.open_fair_deals_page)
        dialog.show()

    def _is_playing(self) -> bool:
        return self.session is not None and self.session.stage != Stage.SESSION_OVER

    def _stored_on_table(self) -> int | None:
        return self.session.table.session_id if self.session is not None else None

    def _on_stored_hands_closed(self) -> None:
        """Offer what is left, once what was to be deleted is."""
        self.jobs.submit(STORED_HANDS, lambda: None, self._offer_stored)

    def _offer_stored(self, _nothing: None) -> None:
        """Offer the sessions whose hands can be looked at and, where one was offered, what can be resumed."""
        self.window.looked_at.past.set_store(self.store)
        if self._offered is not None:
            self._look_for_unfinished()

    def _show(self, session: Session) -> None:
        self.session, self._offered = session, None
        self.window.show_session(session)
        self.window.offer_resume("", is_asked=False)

    def close(self) -> None:
        """Stop all work and close the store."""
        self._preparation.stop()
        self.window.lab.close()
        if self.session is not None:
            self.session.close()
        self.jobs.shutdown()
        self.store.close()


def _when(stored: StoredSession | None) -> str:
    if stored is None:
        return ""
    return f"of {stored.started:%d %B, %H:%M} (hand {stored.hands})"


def run(options: argparse.Namespace, settings_path: Path, database_path: Path, log_path: Path, version: str) -> int:
    """Open the window, or play by itself, and return the exit code; `options` are those of `trainer.__main__`."""
    qt = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(qt, QApplication)
    qt.setApplicationName("Soulread")
    qt.setDesktopFileName("soulread")
    if options.autoplay is not None and options.data is None:
        # Playing by itself leaves no trace in the user's own settings and hands.
        with tempfile.TemporaryDirectory(prefix="soulread-") as folder:
            return _run(qt, options, Path(folder, "soulread.ini"), None, log_path, version)
    return _run(qt, options, settings_path, database_path, log_path, version)


def _run(
    qt: QApplication,
    options: argparse.Namespace,
    settings_path: Path,
    database_path: Path | None,
    log_path: Path,
    version: str,
) -> int:
    qInstallMessageHandler(_log_qt)
    log_uncaught(_log)
    app = App(settings_path, database_path, log_path, version)
    _report_errors(app, log_path)
    timer = _quit_on_signals(qt)
    app.window.show()
    qt.processEvents()
    if options.time_startup:
        sys.stdout.write(f"window shown after {time.perf_counter() - options.started:.2f} s\n")
        sys.stdout.flush()
    QTimer.singleShot(0, app, app.start_services)
    if (replay := options.replay) is not None:
        app.window.files.read(replay.file, replay.player, replay.hand)
    script: AutoplayRun | ScreenshotRun | None = None
    if options.autoplay is not None:
        config = cash_game(default_seats(options.players or 6), seed=options.seed or 0)
        script = AutoplayRun(app, config, options.autoplay, options.screenshot)
    elif options.screenshot is not None:
        script = ScreenshotRun(app, options.screenshot)
    elif options.replay is not None:
        pass  # nobody asks for a game
    else:
        QTimer.singleShot(0, app, app.invite)
    try:
        code = qt.exec()
    finally:
        timer.stop()
        app.close()
    return script.code if script is not None else code


def _log_qt(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    levels = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
    logging.getLogger("qt").log(levels.get(kind, logging.WARNING), "%s", text)


def _quit_on_signals(qt: QApplication) -> QTimer:
    """Let Ctrl+C end the event loop; the timer gives Python a moment to see the signal."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        qt.quit()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    timer = QTimer()
    timer.timeout.connect(_see_signals)
    timer.start(_SIGNAL_MILLISECONDS)
    return timer


def _see_signals() -> None:
    pass


def _report_errors(app: App, log_path: Path) -> None:
    """Show exceptions that nobody caught where the user is looking; the log has the rest."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        app.has_failed = True
        app.window.message.say(f"Something went wrong ({error}); the details are in {log_path}.")

    sys.excepthook = hook
