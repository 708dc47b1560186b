"""The tour: begun by mouse or menu, gone through by keys, left at any time, and no key reaches the table below."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken
from tests.trainer.gestures import PATIENCE, wait_for_stage
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.first_steps.tour import TOUR, Tour
from trainer.replay.recorded_file import LANE
from trainer.session.types import Stage


def running(app: App) -> Tour | None:
    return next((tour for tour in app.window.findChildren(Tour) if tour.isVisible()), None)


@pytest.fixture
def tour(qtbot: QtBot, app: App) -> Tour:
    """Begun by the button on the empty table."""
    app.window.activateWindow()
    qtbot.mouseClick(app.window.welcome.tour, Qt.MouseButton.LeftButton)
    found = running(app)
    assert found is not None
    return found


def test_it_is_gone_through_by_keys_and_ends(qtbot: QtBot, app: App, tour: Tour) -> None:
    seen = [tour.text.text()]
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Right, *[Qt.Key.Key_Return] * (len(TOUR) - 4)):
        qtbot.keyClick(tour, key)
        seen.append(tour.text.text())
    assert seen == [text for _, text in TOUR]
    assert tour.next.text() == "Done"
    qtbot.keyClick(tour, Qt.Key.Key_Left)
    assert tour.text.text() == TOUR[-2][1]
    qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert running(app) is None


def test_its_hand_is_replayed_and_read(qtbot: QtBot, app: App, tour: Tour) -> None:
    window = app.window
    qtbot.waitUntil(lambda: window.replaying.is_on, timeout=PATIENCE)
    final = window.looked_at.observation
    assert final is not None
    assert {seat.name for seat in final.seats} >= {"You", "Chiara"}
    qtbot.waitUntil(lambda: bool(window.looked_at.points), timeout=PATIENCE)
    qtbot.keyClick(tour, Qt.Key.Key_Return)
    moment = window.replaying.view.model.observation
    assert moment.street is Street.TURN
    last = moment.events[-1]
    assert isinstance(last, ActionTaken)
    assert last.action.kind is ActionKind.RAISE, "as the words say, Chiara has bet the turn"
    assert len(window.looked_at.past.sessions) == 1
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    assert running(app) is None
    assert not window.replaying.is_on
    # The window is as it was before.
    assert not window.looked_at.past.sessions
    assert not window.docks.by_name["ranges"].visibleRegion().isEmpty()


def test_each_step_brings_up_its_panel_and_lies_in_the_window(qtbot: QtBot, app: App, tour: Tour) -> None:
    for name, _ in TOUR:
        if name:
            assert not app.window.docks.by_name[name].visibleRegion().isEmpty()
        assert tour.rect().contains(tour.bubble.geometry())
        on_top = [widget for widget in app.window.children() if isinstance(widget, QWidget)][-1]
        assert on_top is tour, "or panels that are painted again hide what is said"
        qtbot.keyClick(tour, Qt.Key.Key_Return)
    assert running(app) is None


def test_during_a_session_no_key_reaches_the_table(qtbot: QtBot, app: App) -> None:
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    assert app.session is not None
    before = app.session.progress
    app.window.menus.tour.trigger()
    tour = running(app)
    assert tour is not None
    for key in (Qt.Key.Key_F, Qt.Key.Key_C, Qt.Key.Key_R):
        qtbot.keyClick(tour, key)
    assert app.session.progress == before
    qtbot.mouseClick(tour.skip, Qt.MouseButton.LeftButton)
    assert running(app) is None
    assert isinstance(tour.skip, QPushButton)
    assert app.session.progress == before


def test_who_skips_it_at_once_sees_no_hand_of_it(qtbot: QtBot, app: App, tour: Tour) -> None:
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: app.jobs.is_idle(LANE), timeout=PATIENCE)
    assert not app.window.replaying.is_on
    assert app.window.welcome.isVisible()
