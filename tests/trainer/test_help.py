"""Keys, as they are in every window, and what the app says of itself."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QGroupBox,
    QLabel,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.ranges import parse_range
from engine.training.exercise import Drill
from tests.trainer.gestures import PATIENCE, wait_for_stage
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.calculator.window import OddsWindow
from trainer.drills.drills_model import Stage as DrillStage
from trainer.help import LAB_KEYS, LICENCES, ODDS_KEYS, TABLE_KEYS, TextDialog
from trainer.session.types import Stage
from trainer.settings import further_keys
from trainer.window.main_window import MainWindow

# Pressed where they are handled by the widget that has the focus, so no shortcuts that could be listed.
_NO_KEYS = ("wheel", "arrows", "digits", "same key", "right click")
_HANDLED = {"Up", "Down", "Enter", "Return", "Esc", "Space", "Backspace", "Tab", "Menu"}


def keys_named(keys: tuple[tuple[str, str], ...], chosen: Mapping[str, str]) -> set[str]:
    """Give every key of a list as Qt writes it; what is no key, such as the wheel, is left out."""
    named = (name.strip() for entry, _ in keys for name in entry.format(**chosen).split(","))
    found = (QKeySequence(name) for name in named if name not in _NO_KEYS)
    return {key.toString() for key in found if not key.isEmpty()}


@pytest.fixture
def window(app: App) -> MainWindow:
    return app.window


def own_widgets(window: QWidget) -> Iterator[QWidget]:
    """Give a window and what is in it, menus too, without windows that it opened."""
    yield window
    for widget in window.findChildren(QWidget):
        if widget.window() is window or isinstance(widget, QMenu):
            yield widget


def shown_texts(window: QWidget) -> Iterator[str]:
    """Give every text of a window whose `&` makes an Alt key of it now."""
    for widget in own_widgets(window):
        if not widget.isVisible():
            continue
        if isinstance(widget, QMenuBar):
            yield from (action.text() for action in widget.actions() if action.isVisible())
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(index) for index in range(widget.count()))
        elif isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy() is not None):
            yield widget.text()
        elif isinstance(widget, QGroupBox):
            yield widget.title()


def alt_keys(texts: Iterator[str]) -> dict[str, list[str]]:
    """Give the texts by their Alt key."""
    found: dict[str, list[str]] = {}
    for text in texts:
        key = QKeySequence.mnemonic(text).toString()
        if key:
            found.setdefault(key, []).append(text)
    return found


def clashes(window: QWidget) -> dict[str, list[str]]:
    """Give Alt keys that two things of a window or a menu answer to."""
    found = {key: texts for key, texts in alt_keys(shown_texts(window)).items() if len(texts) > 1}
    for menu in window.findChildren(QMenu):
        for key, texts in alt_keys(action.text() for action in menu.actions()).items():
            if len(texts) > 1:
                found[f"{menu.title()}: {key}"] = texts
    return found


def shortcuts(window: QWidget) -> list[str]:
    """Give every key that works anywhere in a window, once for each that answers to it."""
    keys: list[QKeySequence] = []
    for widget in own_widgets(window):
        keys += [key for action in widget.findChildren(QAction, options=Qt.FindChildOption.FindDirectChildrenOnly)
                 for key in action.shortcuts()]  # fmt: skip
        for shortcut in widget.findChildren(QShortcut, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if shortcut.context() == Qt.ShortcutContext.WindowShortcut:
                keys += shortcut.keys()
        is_button = isinstance(widget, QAbstractButton) and widget.isVisible()
        if is_button and widget.shortcut() != QKeySequence.mnemonic(widget.text()):
            keys.append(widget.shortcut())
    return [key.toString() for key in keys if not key.isEmpty()]


def dialogs(qtbot: QtBot, app: App, window: MainWindow) -> Iterator[QWidget]:
    """Open every window and dialog, one after another."""
    yield window
    window.offer_resume("of this morning", is_asked=True)
    yield window
    window.offer_resume("", is_asked=False)
    window.open_new_game()
    assert window.dialogs.new_game is not None
    yield window.dialogs.new_game
    window.dialogs.open_styles()
    yield from opened(window.dialogs.new_game)
    window.dialogs.new_game.reject()
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    yield window
    window.menus.results.trigger()
    yield from opened(window)
    qtbot.mouseClick(window.panels.read_panel.sure_button, Qt.MouseButton.LeftButton)
    yield from opened(window)
    for text in ("&Keys", "&About", "&Players known…", "Fair &deals…", "&Fair deals"):
        next(action for action in window.findChildren(QAction) if action.text() == text).trigger()
        yield from opened(window)
    odds = odds_of(window)
    for index in range(odds.panels.count()):
        odds.panels.setCurrentIndex(index)
        yield odds
    odds.ranges.editor.open_for("Range of Anna", parse_range("AA"), ())
    yield odds.ranges.editor
    odds.ranges.editor.open_library()
    yield odds.ranges.editor.library_dialog
    odds.ranges.editor.library_dialog.close()
    odds.ranges.editor.close()
    drills = window.drills.open()
    yield drills
    drills.model.start(Drill.AHEAD)
    qtbot.waitUntil(lambda: drills.model.stage is DrillStage.ASKING, timeout=PATIENCE)
    drills.model.take_answer(0)
    yield drills
    drills.model.stop()
    yield drills
    drills.close()
    yield window.figures.open()
    window.figures.close()
    lab = window.lab.open()
    lab.tabs.setCurrentWidget(lab.experiments)
    yield lab
    lab.tabs.setCurrentWidget(lab.matches)
    for index in range(lab.matches.tabs.count()):
        lab.matches.tabs.setCurrentIndex(index)
        yield lab


def odds_of(window: MainWindow) -> OddsWindow:
    return window.odds.open()


def opened(window: QWidget) -> Iterator[QWidget]:
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            yield dialog
            dialog.close()


def test_every_alt_key_is_there_once(qtbot: QtBot, app: App, window: MainWindow) -> None:
    seen = [(shown.windowTitle(), clashes(shown)) for shown in dialogs(qtbot, app, window)]
    assert len(seen) > 12
    assert [(title, found) for title, found in seen if found] == []


def test_no_key_has_two_meanings_in_a_window(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    for shown in (window, odds_of(window), window.lab.open()):
        found = [key for key in shortcuts(shown) if key != "Esc"]  # Esc closes whatever is open in the focus
        assert sorted({key for key in found if found.count(key) > 1}) == []


def test_f1_tells_the_keys_that_there_are(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    keys = dict(app.settings.settings.keys)
    chosen = keys | further_keys(keys)
    standard = QKeySequence.StandardKey
    others = {key.toString() for each in (standard.Undo, standard.Redo) for key in QKeySequence.keyBindings(each)}
    for shown, keys in ((window, TABLE_KEYS), (odds_of(window), ODDS_KEYS), (window.lab.open(), LAB_KEYS)):
        there, told = set(shortcuts(shown)) - _HANDLED, keys_named(keys, chosen) - _HANDLED
        assert there - told - others == set(), "keys that F1 does not tell"
        assert told - there == set(), "keys that F1 tells and nothing answers to"


def test_f1_tells_the_keys_that_the_player_chose(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.settings.change(keys=(("fold", "X"), ("call", "C"), ("raise", "R"), ("next", "Return")))
    qtbot.keyClick(window, Qt.Key.Key_F1)
    box = window.findChild(TextDialog)
    assert "<b>X</b></td><td>fold" in box.label.text()
    assert "<b>Return, Enter</b></td><td>next hand" in box.label.text()
    box.close()


def test_about_tells_version_licences_and_places(qtbot: QtBot, app: App, window: MainWindow) -> None:
    next(action for action in window.findChildren(QAction) if action.text() == "&About").trigger()
    box = window.findChild(TextDialog)
    text = box.label.text()
    for part in ("Soulread", "LGPL", "numpy", "MIT licence", str(app.settings.path), "soulread.db", "soulread.log"):
        assert part in text
    assert "not installed" not in text
    assert box.label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    box.close()


def test_about_names_all_that_the_app_is_made_of() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split(r"[<>=\[;]", entry)[0] for entry in project["project"]["dependencies"]}
    assert set(LICENCES) == needed


def test_every_window_has_the_icon_of_the_app(qtbot: QtBot, app: App, window: MainWindow) -> None:
    for shown in (window, odds_of(window)):
        icon = shown.windowIcon()
        assert not icon.isNull()
        picture = icon.pixmap(64, 64).toImage()
        assert picture.pixelColor(32, 10) != picture.pixelColor(32, 36), "more than a plain square"
