"""Alt and a letter do one thing in each window, whatever is open: every visible widget of it is looked at."""

from collections import defaultdict
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QGroupBox,
    QLabel,
    QMenu,
    QMenuBar,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.game.events import GameKind
from engine.game.format_file import cash_game
from tests.trainer.gestures import PATIENCE, press, strike, wait_for_stage
from trainer.app import App
from trainer.new_game.dialog import NewGameDialog
from trainer.new_game.seats_box import default_seats
from trainer.session.types import Stage

KEPT: list[App] = []
"""Windows stay until the end. Python must not forget their parts before Qt has destroyed them here."""


def clashes(window: QWidget) -> list[str]:
    """Give what stands for more than one thing in a window, as it is shown now, or in one of its menus."""
    QApplication.processEvents()
    widgets = [one for one in window.findChildren(QWidget) if one.window() is window and one.isVisible()]
    groups = [[text for widget in widgets for text in texts_of(widget)]]
    groups += [[action.text() for action in menu.actions()] for menu in window.findChildren(QMenu)]
    found = []
    for group in groups:
        by_key = defaultdict(list)
        for text in group:
            by_key[QKeySequence.mnemonic(text).toString()].append(text)
        found += [f"{window.windowTitle()}: {same}" for key, same in by_key.items() if key and len(same) > 1]
    return found


def texts_of(widget: QWidget) -> list[str]:
    """Give the texts of a widget in which a letter can be marked."""
    if isinstance(widget, QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QGroupBox):
        return [widget.title()]
    if isinstance(widget, QLabel):
        return [widget.text()] if widget.buddy() is not None else []
    if isinstance(widget, QTabBar):
        return [widget.tabText(index) for index in range(widget.count()) if widget.isTabVisible(index)]
    return [action.text() for action in widget.actions()] if isinstance(widget, QMenuBar) else []


def pages(window: QWidget) -> Iterator[None]:
    """Turn to each page of a window."""
    yield
    for tabs in window.findChildren(QTabWidget):
        for index in range(tabs.count()):
            tabs.setCurrentIndex(index)
            yield
    if isinstance(window, NewGameDialog):
        window.kind.setCurrentIndex(window.kind.findData(GameKind.TOURNAMENT))
        yield


def test_no_letter_stands_for_two_things(qtbot: QtBot, app: App) -> None:
    KEPT.append(app)
    window = app.window
    window.offer_resume("of 28 May", is_asked=True)
    window.offer_tour()
    found = clashes(window)
    odds = window.odds.open()
    openers = (
        window.open_new_game,
        window.dialogs.open_styles,
        window.open_played_hands,
        window.odds.open,
        lambda: odds.ranges.edit(0),
        lambda: odds.ranges.open_library(0),
        window.drills.open,
        window.drills.open_guesses,
        window.figures.open,
        window.review.open,
        window.lab.open,
        app.open_fair_deals,
        app.open_stored_hands,
        app.open_known_players,
        app.open_import,
    )
    odds.close()
    for opener in openers:
        before = {top for top in QApplication.topLevelWidgets() if top.isVisible()}
        opener()
        opened = [top for top in QApplication.topLevelWidgets() if top.isVisible() and top not in before]
        assert opened, opener
        for one in opened:
            for _ in pages(one):
                found += clashes(one)
            one.close()
    assert not found, "\n".join(found)


def test_no_letter_stands_for_two_things_at_the_table_or_in_a_replay(qtbot: QtBot, app: App) -> None:
    app.begin(cash_game(default_seats(3), seed=5))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    while app.session is not None and app.session.stage is Stage.YOUR_TURN:
        press(qtbot, app, Qt.Key.Key_F)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert not clashes(app.window)
    strike(app, "P", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: app.window.replaying.is_on, timeout=PATIENCE)
    assert not clashes(app.window)
