import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from engine.equity import matchups
from engine.game.events import FOLD, ActionTaken
from engine.kernels import jit
from engine.ranges import parse_range
from tests.engine.agents.evolved.ensembles import shipped_folder
from tests.trainer.gestures import PATIENCE, shown_button, shown_text, strike, wait_for_message, wait_for_stage
from tests.trainer.session_driver import answer, table
from tests.trainer.storage.kills import old_file
from trainer.app import App
from trainer.first_steps.tour import Tour
from trainer.history.stored_hands import LANE, StoredHandsDialog
from trainer.session.playing_on import TakenUpHand
from trainer.session.types import Stage, TableView
from trainer.storage import database
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

MakeApp = Callable[[], App]


@pytest.fixture
def make_app(qtbot: QtBot, tmp_path: Path) -> Iterator[MakeApp]:
    made: list[App] = []

    def make() -> App:
        app = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "log" / "soulread.log", "0")
        made.append(app)
        qtbot.addWidget(app.window)
        app.window.show()
        return app

    yield make
    for app in made:
        app.close()


def start(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.ready, timeout=PATIENCE):
        app.start_services()


def started(qtbot: QtBot, make_app: MakeApp) -> App:
    app = make_app()
    start(qtbot, app)
    return app


def play_hands(qtbot: QtBot, app: App, hands: int) -> None:
    """Play from the table on until so many more hands are over."""
    session = app.session
    assert session is not None

    def act(view: TableView) -> None:
        if view.stage == Stage.YOUR_TURN:
            session.act(answer(view.observation))

    session.set_pace(0)
    session.view_changed.connect(act)
    for played in range(hands):
        if played or session.stage == Stage.HAND_OVER:
            session.deal()
        elif session.stage == Stage.YOUR_TURN:
            session.act(FOLD)
        with qtbot.waitSignal(session.hand_finished, timeout=PATIENCE):
            pass
    session.view_changed.disconnect(act)


def test_a_file_of_an_earlier_version_is_brought_up_to_date_beside_the_window(
    qtbot: QtBot, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wanted meanwhile comes after it, so that no game is played that is not stored."""
    path = tmp_path / "soulread.db"
    old_file(path)
    monkeypatch.setattr(database, "_QUICKLY_READ", 0)
    monkeypatch.setattr(database, "_TOLD_ROWS", 50)
    may_go_on = threading.Event()
    refill = database.refill

    def slow(*arguments: Any) -> tuple[int, int]:
        assert may_go_on.wait(PATIENCE / 1000)
        return refill(*arguments)

    monkeypatch.setattr(database, "refill", slow)
    app = make_app()
    lines, is_ready = list[str](), list[bool]()
    app._read.connect(lambda _rows: lines.append(app.window.message._progress))
    app.ready.connect(lambda: is_ready.append(True))
    app.start_services()
    app.open_stored_hands()
    app.begin(table("random", seed=5))
    assert app.session is None
    assert app.store.sessions() == ()
    wait_for_message(qtbot, app, "The stored hands are brought up to date first; then it goes on.")
    qtbot.waitUntil(lambda: app._is_warm, timeout=PATIENCE)
    assert not is_ready
    may_go_on.set()
    qtbot.waitUntil(lambda: app.session is not None, timeout=PATIENCE)
    assert is_ready
    assert lines[-1].startswith("Bringing the stored hands up to date: ")
    qtbot.waitUntil(lambda: len(app.store.sessions()) == 2, timeout=PATIENCE)
    assert app.store.file.notice == ""
    assert [one.hands for one in app.store.sessions()][-1] > 100


def test_the_engine_warms_up_with_a_progress_line(qtbot: QtBot, make_app: MakeApp) -> None:
    app = make_app()
    lines = []
    app._warming.connect(lines.append)
    start(qtbot, app)
    assert lines[0] == "Preparing the engine"
    assert any("reading hands" in line for line in lines)
    assert shown_text(app.window.message) == ""


def test_the_first_start_offers_the_tour_and_nothing_lies_above_it(qtbot: QtBot, make_app: MakeApp) -> None:
    """Who has taken it is not asked again, nor who has begun a game."""
    app = started(qtbot, make_app)
    app.invite()
    assert app.window.dialogs.new_game is None
    welcome = app.window.welcome
    assert welcome.no_tour.isVisible()
    assert welcome.tour.isDefault()
    qtbot.mouseClick(welcome.tour, Qt.MouseButton.LeftButton)
    (tour,) = app.window.findChildren(Tour)
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    assert not welcome.no_tour.isVisible()
    app.close()
    again = started(qtbot, make_app)
    again.invite()
    assert not again.window.welcome.no_tour.isVisible()
    assert again.window.dialogs.new_game is not None
    again.settings.change(offers_tour=True)
    again.window.dialogs.new_game.reject()
    again.begin(table("random"))
    assert not again.settings.settings.offers_tour


def test_a_start_invites_to_a_new_game(qtbot: QtBot, make_app: MakeApp) -> None:
    app = started(qtbot, make_app)
    app.invite()
    qtbot.mouseClick(app.window.welcome.no_tour, Qt.MouseButton.LeftButton)
    assert not app.settings.settings.offers_tour
    dialog = app.window.dialogs.new_game
    assert dialog is not None
    assert dialog.isVisible()
    assert app.window.welcome.isVisible()
    dialog.reject()


def test_an_unfinished_session_is_offered_and_goes_on(qtbot: QtBot, make_app: MakeApp) -> None:
    app = started(qtbot, make_app)
    app.begin(table("tight-passive", "calling station"))
    play_hands(qtbot, app, 2)
    assert app.session is not None
    before = app.session.results()
    app.close()

    again = started(qtbot, make_app)
    again.invite()
    assert again.window.dialogs.new_game is None, "a session to resume is offered instead"
    assert shown_text(again.window.message).startswith("Resume the session of ")
    assert shown_text(again.window.message).endswith("(hand 2)?")
    shown_button(again.window.message).click()
    qtbot.waitUntil(lambda: again.session is not None and again.session.stage == Stage.HAND_OVER, timeout=PATIENCE)
    assert again.session is not None
    after = again.session.results()
    assert before is not None
    assert after is not None
    assert (after.stacks, after.hands) == (before.stacks, 2)
    play_hands(qtbot, again, 1)
    assert again.session.progress[0] == 3
    again.session.finish()
    again.close()

    last = started(qtbot, make_app)
    assert shown_text(last.window.message) == "", "a finished session is not offered"


def test_a_hand_played_on_and_left_for_a_new_game_offers_nothing_over_it(qtbot: QtBot, make_app: MakeApp) -> None:
    """The session before would take the place of the new one, which nobody was asked about."""
    app = started(qtbot, make_app)
    app.begin(table("calling station", "random"))
    play_hands(qtbot, app, 1)
    before = app.session
    assert before is not None
    assert app.window.model.view is not None
    final = app.window.model.view.own
    own = [
        at for at, event in enumerate(final.events) if isinstance(event, ActionTaken) and event.seat == final.seat
    ]
    app.play_on(TakenUpHand(final, own[0], {}, {}, None, 1))
    played_on = app.session
    assert played_on is not None
    assert played_on is not before
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    app.window.dialogs._on_leave(table("random", seed=2))
    qtbot.waitUntil(lambda: app.session is not played_on, timeout=PATIENCE)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    new = app.session
    assert not shown_text(app.window.message).startswith("Resume")
    app.resume()
    assert app.session is new


def test_a_session_on_the_table_is_not_offered_for_resuming(qtbot: QtBot, make_app: MakeApp) -> None:
    """Also where an earlier one was offered, and the stored hands have been looked at since."""
    app = started(qtbot, make_app)
    app.begin(table("random"))
    play_hands(qtbot, app, 1)
    app.close()
    again = started(qtbot, make_app)
    again.begin(table("random", seed=2))
    play_hands(qtbot, again, 1)
    again.open_stored_hands()
    (dialog,) = again.window.findChildren(StoredHandsDialog)
    dialog.reject()  # before its sessions are read
    qtbot.waitUntil(lambda: again.jobs.is_idle(LANE), timeout=PATIENCE)
    assert not again.window.model.resume_text
    assert "Resume" not in shown_text(again.window.message)


def test_a_session_that_has_been_deleted_is_offered_no_more(
    qtbot: QtBot, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = started(qtbot, make_app)
    for hands in (2, 1):
        app.begin(table("random", seed=hands))
        play_hands(qtbot, app, hands)
    app.close()
    again = started(qtbot, make_app)
    assert shown_text(again.window.message).endswith("(hand 1)?")
    for offered in ("(hand 2)?", ""):
        again.open_stored_hands()
        dialog = again.window.findChildren(StoredHandsDialog)[-1]
        qtbot.waitUntil(lambda dialog=dialog: dialog.table.model().rowCount() > 0, timeout=PATIENCE)  # type: ignore[misc]
        dialog.table.selectRow(0)
        monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
        dialog.delete.click()
        dialog.reject()
        qtbot.waitUntil(lambda: again.jobs.is_idle(LANE), timeout=PATIENCE)
        assert shown_text(again.window.message).count("Resume") == bool(offered)
        assert shown_text(again.window.message).endswith(offered)


def test_damaged_files_are_told_where_the_user_is_looking(qtbot: QtBot, make_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "soulread.db").write_bytes(b"rubbish" * 1000)
    app = started(qtbot, make_app)
    assert "soulread.db.damaged-1" in shown_text(app.window.message)
    assert (tmp_path / "soulread.db.damaged-1").read_bytes() == b"rubbish" * 1000
    app.close()

    (tmp_path / "soulread.ini").write_bytes(b"\0\1\2")
    second = started(qtbot, make_app)
    assert "soulread.ini.damaged-1" in shown_text(second.window.message)


def test_damaged_settings_and_a_damaged_database_are_both_told(
    qtbot: QtBot, make_app: MakeApp, tmp_path: Path
) -> None:
    (tmp_path / "soulread.db").write_bytes(b"rubbish" * 1000)
    (tmp_path / "soulread.ini").write_bytes(b"\0\1\2")
    app = started(qtbot, make_app)
    shown = [label.text() for label in app.window.message.findChildren(QLabel) if label.isVisible()]
    assert len(shown) == 2
    assert "soulread.ini.damaged-1" in shown[0]
    assert "soulread.db.damaged-1" in shown[1]
    app.begin(table("fold"))
    assert len(shown_text(app.window.message).split("\n")) == 2, "a new session takes no sentence away"


def test_a_second_instance_is_marked_as_not_stored_for_good(
    qtbot: QtBot, make_app: MakeApp, tmp_path: Path
) -> None:
    first = Store(tmp_path / "soulread.db")
    app = started(qtbot, make_app)
    mark = app.window.message.mark
    assert mark.isVisible()
    assert mark.text() == "Not stored"
    assert "already running" in mark.toolTip()
    for dismiss in app.window.message.findChildren(QToolButton):
        if dismiss.accessibleName() == "Dismiss the message":
            qtbot.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert shown_text(app.window.message) == ""
    app.begin(table("fold"))
    play_hands(qtbot, app, 1)
    assert mark.isVisible(), "not a passing message"
    qtbot.mouseClick(mark, Qt.MouseButton.LeftButton)
    assert "already running" in shown_text(app.window.message)
    first.close()


def test_a_disk_that_fills_up_is_marked(qtbot: QtBot, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = started(qtbot, make_app)
    assert not app.window.message.mark.isVisible()
    app.begin(table("fold"))
    play_hands(qtbot, app, 1)

    def fail(*_values: object) -> None:
        raise StoreError("This could not be stored: database or disk is full.")

    monkeypatch.setattr(Store, "begin_hand", fail)
    play_hands(qtbot, app, 1)
    assert app.window.message.mark.isVisible()
    assert "disk is full" in app.window.message.mark.toolTip()


@pytest.mark.parametrize("keys", [(Qt.Key.Key_Tab, Qt.Key.Key_Return), (Qt.Key.Key_R,)], ids=["Tab Enter", "Alt+R"])
def test_a_session_is_resumed_by_keys(qtbot: QtBot, make_app: MakeApp, keys: tuple[Qt.Key, ...]) -> None:
    app = started(qtbot, make_app)
    app.begin(table("random"))
    play_hands(qtbot, app, 1)
    app.close()
    again = started(qtbot, make_app)
    for key in keys:
        is_alone = len(keys) == 1
        strike(again, key, Qt.KeyboardModifier.AltModifier if is_alone else Qt.KeyboardModifier.NoModifier)
    qtbot.waitUntil(lambda: again.session is not None, timeout=PATIENCE)
    assert not again.window.welcome.isVisible()


def test_a_session_whose_policies_are_gone_says_so_and_is_resumed_when_they_are_back(
    qtbot: QtBot, make_app: MakeApp, tmp_path: Path
) -> None:
    folder = shipped_folder(tmp_path / "mine")
    app = started(qtbot, make_app)
    app.begin(table(f"a*:{folder}"))
    play_hands(qtbot, app, 2)
    app.close()
    folder.rename(tmp_path / "away")
    without = started(qtbot, make_app)
    without.resume()
    wait_for_message(qtbot, without, f"{folder / 'exploiter-o1.policy'} cannot be read: No such file or directory.")
    without.close()
    (tmp_path / "away").rename(folder)
    back = started(qtbot, make_app)
    back.resume()
    wait_for_stage(qtbot, back, Stage.YOUR_TURN, Stage.HAND_OVER)


def test_earlier_hands_are_offered_as_soon_as_there_are_some(qtbot: QtBot, make_app: MakeApp) -> None:
    app = started(qtbot, make_app)
    menus = app.window.menus
    assert not menus.replay.isEnabled()
    assert not menus.earlier.isEnabled()
    app.begin(table("random"))
    play_hands(qtbot, app, 2)
    app.close()
    again = started(qtbot, make_app)
    again.resume()
    qtbot.waitUntil(again.window.menus.replay.isEnabled, timeout=PATIENCE)
    qtbot.waitUntil(again.window.menus.earlier.isEnabled, timeout=PATIENCE)


def test_a_stored_session_that_is_broken_is_refused_in_a_sentence(
    qtbot: QtBot, make_app: MakeApp, tmp_path: Path
) -> None:
    app = started(qtbot, make_app)
    app.begin(table("random"))
    play_hands(qtbot, app, 1)
    app.close()
    with closing(sqlite3.connect(tmp_path / "soulread.db")) as database, database:
        database.execute("""UPDATE sessions SET config = '{"kind": "cash"}'""")

    again = started(qtbot, make_app)
    again.resume()
    assert shown_text(again.window.message).startswith("That session cannot be resumed:")
    assert again.window.welcome.isVisible(), "a game can be begun where the eyes are"
    again.begin(table("random"))
    play_hands(qtbot, again, 1)


def test_an_engine_that_cannot_start_is_told(
    qtbot: QtBot, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_progress: object, *, at_start: bool) -> None:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(jit, "warm_up", fail)
    app = make_app()
    with qtbot.waitSignal(app.failed, timeout=PATIENCE):
        app.start_services()
    assert shown_text(app.window.message) == "The engine could not be prepared: no compiler"


def test_closing_while_bots_think_does_not_hang(qtbot: QtBot, make_app: MakeApp) -> None:
    app = make_app()
    app.start_services()
    app.begin(table("fold", "fold", "fold", "fold"))
    app.window.close()
    app.close()


def test_the_rest_is_prepared_once_the_engine_is_ready(qtbot: QtBot, make_app: MakeApp) -> None:
    app = make_app()
    with qtbot.waitSignal(app._preparation.finished, timeout=PATIENCE):
        app.start_services()
    assert matchups.is_ready()
    assert shown_text(app.window.message) == ""


def test_closing_during_the_preparation_does_not_hang(
    qtbot: QtBot, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, gate = threading.Event(), threading.Event()

    def steps() -> Iterator[float]:
        begun.set()
        gate.wait(PATIENCE / 1000)
        yield 1.0

    monkeypatch.setattr(matchups, "build_steps", steps)
    app = started(qtbot, make_app)
    qtbot.waitUntil(begun.is_set, timeout=PATIENCE)
    app.close()
    gate.set()


def test_named_ranges_and_the_ranking_are_kept_for_the_next_start(make_app: MakeApp, tmp_path: Path) -> None:
    first = make_app()
    editor = first.window.odds.open().ranges.editor
    editor.open_for("Anna", parse_range("AA"), ())
    editor.library_dialog.library.save("Cash", "Open", parse_range("22+"))
    editor.ranking_box.setCurrentIndex(5)
    assert (tmp_path / "ranges.txt").read_text() == "[Cash]\nOpen = 22+\n"
    first.window.close()
    again = make_app().window.odds.open().ranges.editor
    assert again.model.ranking == 6
    assert again.ranking_box.currentText() == "6 opponents"
    assert again.library_dialog.library.own[0].hands == parse_range("22+")
