"""The first session of a new user, from the first dialog to the next start, by the keys that reach the window."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from engine.agents.style_file import parse_style
from engine.agents.styles import style_label
from engine.game.events import ActionTaken, raise_to
from engine.game.formats import HUMAN
from engine.game.observation import Observation
from tests.trainer.conftest import shorten_guard
from tests.trainer.gestures import (
    PATIENCE,
    click,
    shown_button,
    shown_results,
    strike,
    texts,
    wait_for_message,
    wait_for_stage,
)
from trainer.app import App
from trainer.session.types import SessionResult, Stage
from trainer.styles.style_editor import StyleEditor

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], App]]:
    """Open the app over the same files as a start does, with bots that act at once."""
    made: list[App] = []

    def start() -> App:
        app = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "soulread.log", "0")
        made.append(app)
        app.settings.change(pace_seconds=0.0)
        shorten_guard(app)
        qtbot.addWidget(app.window)
        with qtbot.waitExposed(app.window):
            app.window.show()
        with qtbot.waitSignal(app.ready, timeout=PATIENCE):
            app.start_services()
        app.window.activateWindow()
        app.invite()
        if app.window.welcome.no_tour.isVisible():  # at the very first start
            click(app.window.welcome.no_tour)
        return app

    yield start
    for app in made:
        app.window.close()
        app.close()


def describe_heads_up(qtbot: QtBot, app: App, *, stack: str, style: str = "RAN") -> None:
    """Describe a game against one player, by default of random actions, in the dialog that is open, and deal."""
    dialog = app.window.dialogs.new_game
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    strike(app, Qt.Key.Key_S, ALT)
    strike(app, "2")
    strike(app, Qt.Key.Key_Y, ALT)  # your seat; from there over your name and the bot's to its style
    for _ in range(3):
        strike(app, Qt.Key.Key_Tab)
    strike(app, style)
    strike(app, Qt.Key.Key_T, ALT)
    strike(app, stack)
    strike(app, Qt.Key.Key_E, ALT)
    strike(app, "3")
    chosen = dialog.config()
    assert style_label(chosen.seats[1].style).upper().startswith(style)
    assert chosen.seats[0].style == HUMAN
    assert (chosen.starting_stack, chosen.seed) == (int(stack), 3)
    strike(app, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())


def seen(app: App) -> Observation:
    assert app.window.model.view is not None
    return app.window.model.view.observation


def wait_for_turn(qtbot: QtBot, app: App) -> None:
    """Wait until the player may act, dealing the next hand where one has ended."""

    def is_my_turn() -> bool:
        assert app.session is not None
        bar = app.window.action_bar
        if app.session.stage == Stage.HAND_OVER and bar._waits[0].isEnabled() and not app.session.can_rebuy:
            strike(app, Qt.Key.Key_Space)
        return app.session.can_rebuy or (app.session.stage == Stage.YOUR_TURN and bar._call.isEnabled())

    qtbot.waitUntil(is_my_turn, timeout=PATIENCE)


def go_all_in(qtbot: QtBot, app: App) -> None:
    """Set all-in, press R, and R once more when asked."""
    hand, before = seen(app).hand_number, len(seen(app).events)
    if app.window.action_bar.model.can_raise:
        strike(app, Qt.Key.Key_5, ALT)
        strike(app, "RR")  # the second of a double press
        assert len(seen(app).events) == before
        assert "R again or Enter" in app.window.action_bar._prompt.text()
        key = "R"
    else:
        key = "C"

    def has_acted() -> bool:
        if (seen(app).hand_number, len(seen(app).events)) == (hand, before):
            strike(app, key)
        return (seen(app).hand_number, len(seen(app).events)) != (hand, before)

    qtbot.waitUntil(has_acted, timeout=PATIENCE)


def lose_everything(qtbot: QtBot, app: App) -> None:
    """Go all-in hand after hand until the chips are gone; the seed says that they once are."""
    assert app.session is not None
    while not app.session.can_rebuy:
        go_all_in(qtbot, app)
        wait_for_stage(qtbot, app, Stage.HAND_OVER, Stage.YOUR_TURN)
        wait_for_turn(qtbot, app)


def results(app: App) -> SessionResult:
    assert app.session is not None
    given = app.session.results()
    assert given is not None
    return given


def test_the_first_session_of_a_new_user(qtbot: QtBot, start: Callable[[], App]) -> None:
    app = start()
    window = app.window
    describe_heads_up(qtbot, app, stack="800")
    assert app.session is not None
    window.activateWindow()

    # A bet is typed, and is what is bet.
    wait_for_turn(qtbot, app)
    assert QApplication.focusWidget() is window.action_bar
    strike(app, "350R")
    qtbot.waitUntil(lambda: any(isinstance(event, ActionTaken) and event.seat == 0 for event in seen(app).events))
    mine = next(event for event in seen(app).events if isinstance(event, ActionTaken) and event.seat == 0)
    assert mine.action == raise_to(350)

    # All-ins, until the chips are gone; then in again at a key, and out again.
    wait_for_turn(qtbot, app)
    lose_everything(qtbot, app)
    assert results(app).stacks[0] == 0
    assert "out of chips" in window.action_bar._prompt.text()
    qtbot.waitUntil(window.action_bar._waits[0].isEnabled)
    strike(app, Qt.Key.Key_Space)
    assert results(app).stacks[0] == 800
    wait_for_turn(qtbot, app)
    lose_everything(qtbot, app)
    first_hands = results(app).hands

    # The session ends at a click, its results are shown, and a second game begins by keys.
    end = window.action_bar._waits[1]
    qtbot.waitUntil(end.isEnabled)
    click(end)
    qtbot.waitUntil(lambda: len(shown_results(app)) == 1)
    strike(app, Qt.Key.Key_Escape)
    assert shown_results(app) == []
    assert app.session.stage == Stage.SESSION_OVER
    qtbot.waitUntil(window.action_bar._waits[0].isEnabled)
    window.activateWindow()
    strike(app, Qt.Key.Key_Return)
    describe_heads_up(qtbot, app, stack="9000")
    window.activateWindow()
    wait_for_turn(qtbot, app)
    assert seen(app).hand_number == 1
    strike(app, "450")
    strike(app, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: seen(app).me.stack <= 9000 - 450)
    wait_for_turn(qtbot, app)

    # The window is closed in the middle of a hand, and the next start goes on there.
    stage = (seen(app).hand_number, seen(app).events)
    window.close()
    app.close()
    again = start()
    wait_for_message(qtbot, again, "Resume the session")
    click(shown_button(again.window.message))
    wait_for_stage(qtbot, again, Stage.YOUR_TURN)
    assert (seen(again).hand_number, seen(again).events) == stage
    stored = again.store.sessions()
    assert [(one.hands, one.is_finished) for one in stored] == [(1, False), (first_hands, True)]


def test_a_style_of_ones_own_is_made_and_seated_and_goes_on_without_its_file(
    qtbot: QtBot, start: Callable[[], App], tmp_path: Path
) -> None:
    app = start()
    dialog = app.window.dialogs.new_game
    assert dialog is not None
    strike(app, Qt.Key.Key_O, ALT)
    qtbot.waitUntil(lambda: len(dialog.findChildren(StyleEditor)) == 1)
    (editor,) = dialog.findChildren(StyleEditor)
    strike(app, Qt.Key.Key_G, ALT)  # aggression
    strike(app, Qt.Key.Key_End)
    strike(app, Qt.Key.Key_S, ALT)
    qtbot.waitUntil(lambda: len(editor.findChildren(QInputDialog)) == 1)
    strike(app, "LEO")
    strike(app, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not editor.model.is_changed)
    editor.activateWindow()  # no window manager does it when a dialog closes
    strike(app, Qt.Key.Key_L, ALT)
    qtbot.waitUntil(lambda: not dialog.findChildren(StyleEditor))
    dialog.activateWindow()
    assert parse_style(tmp_path.joinpath("styles", "leo.toml").read_text()).aggression == 100
    describe_heads_up(qtbot, app, stack="800", style="LEO")
    wait_for_turn(qtbot, app)
    assert any("leo" in text for text in texts(app.window.table))
    go_all_in(qtbot, app)
    wait_for_stage(qtbot, app, Stage.HAND_OVER)
    played = results(app)
    app.window.close()
    app.close()

    shutil.rmtree(tmp_path / "styles")
    again = start()
    wait_for_message(qtbot, again, "Resume the session")
    again.resume()
    wait_for_stage(qtbot, again, Stage.HAND_OVER)
    assert results(again).stacks == played.stacks
    assert again.session is not None
    again.session.rebuy()
    again.session.deal()
    wait_for_turn(qtbot, again)
    go_all_in(qtbot, again)
    wait_for_stage(qtbot, again, Stage.HAND_OVER)
    assert results(again).hands == 2
