"""The app at a tournament of four."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from engine.game.format_file import built_in
from engine.game.formats import SeatConfig
from tests.trainer.gestures import PATIENCE
from trainer.app import App


@pytest.fixture
def at_table(qtbot: QtBot, app: App) -> Iterator[App]:
    styles = ("human", "nit", "nit", "nit")
    seats = tuple(SeatConfig(f"P{seat}", style) for seat, style in enumerate(styles))
    app.begin(built_in("tournament").game(seats, seed=3))
    qtbot.waitUntil(lambda: app.window.model.view is not None, timeout=PATIENCE)
    yield app
    app.window.prizes.close()
    app.window.push.close()
