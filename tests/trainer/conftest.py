"""What tests of the window share: the lanes, a theme, and the whole app, which all end with the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QGraphicsView
from pytestqt.qtbot import QtBot

from engine.kernels.jit import warm_up_steps
from tests.trainer.gestures import PATIENCE
from trainer.app import App
from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.storage.store import Store
from trainer.theme import ThemeSource

SHUTDOWN_SECONDS = 10.0


@pytest.fixture(autouse=True)
def _no_window_is_left(qapp: QApplication) -> Iterator[None]:
    """Destroy what a test opened: Qt would style it again with each window of every later test."""
    yield
    for has_plot in (True, False):  # a window goes before the menus of its plots, which have no parent
        for window in QApplication.topLevelWidgets():
            if window.parent() is None and (window.findChild(QGraphicsView) is not None) == has_plot:
                window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="session", autouse=True)
def _kernels_are_compiled() -> None:
    """Let Soulread compare actions from the first hand on, as it does in all sessions but the very first."""
    for _ in warm_up_steps(at_start=False, is_soon=True):
        pass


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.shutdown(SHUTDOWN_SECONDS)


@pytest.fixture
def settings(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "soulread.ini")


@pytest.fixture
def store() -> Iterator[Store]:
    """A store in memory."""
    made = Store(None)
    yield made
    made.close()


@pytest.fixture
def theme(qapp: QApplication) -> ThemeSource:
    source = ThemeSource()
    source.choose("light")
    return source


def shorten_guard(app: App) -> None:
    """Let keys act at once: how long they are held back is tested with the action bar, and waited for elsewhere."""
    app.window.action_bar._guard.setInterval(1)


@pytest.fixture
def app(qtbot: QtBot, tmp_path: Path) -> Iterator[App]:
    """Show the app, its engine warm, with bots that act at once and without lessons: a second of work a hand."""
    made = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "soulread.log", "0")
    made.settings.change(pace_seconds=0.0)
    made.window.menus.lessons.setChecked(False)
    shorten_guard(made)
    qtbot.addWidget(made.window)
    with qtbot.waitExposed(made.window):
        made.window.show()
    with qtbot.waitSignal(made.ready, timeout=PATIENCE):
        made.start_services()
    yield made
    made.window.odds.close()
    made.close()
