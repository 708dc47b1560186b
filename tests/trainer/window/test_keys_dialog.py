"""Keys chosen by a person: a field is clicked, a key pressed, and the table obeys it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from engine.game.events import CALL, CHECK
from tests.trainer.gestures import PATIENCE, wait_for_stage
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.session.types import Stage
from trainer.settings import DEFAULT_KEYS, SettingsFile, further_keys
from trainer.window.keys_dialog import KeysDialog
from trainer.window.main_window import MainWindow


@pytest.fixture
def window(app: App) -> MainWindow:
    return app.window


def open_keys(qtbot: QtBot, window: MainWindow) -> KeysDialog:
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(KeysDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def press(
    dialog: KeysDialog, intent: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Click the field of an intent and press a key."""
    field = dialog.fields[intent]
    QTest.mouseClick(field.childAt(field.rect().center()), Qt.MouseButton.LeftButton)
    assert field.hasFocus()
    QTest.keyClick(field, key, modifiers)


def test_a_key_that_is_pressed_acts_at_once_and_is_kept(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    dialog = open_keys(qtbot, window)
    press(dialog, "call", Qt.Key.Key_X)
    assert "<b>X</b></td><td>check or call" in dialog.label.text(), "the list says so"
    assert dialog.fields["call"].keySequence().toString() == "X"
    QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Close), Qt.MouseButton.LeftButton)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert SettingsFile(app.settings.path).settings.key("call") == "X"
    with qtbot.assertNotEmitted(window.action_bar.action_chosen):
        qtbot.keyClick(window, Qt.Key.Key_C)
    with qtbot.waitSignal(window.action_bar.action_chosen, timeout=PATIENCE) as chosen:
        qtbot.keyClick(window, Qt.Key.Key_X)
    assert chosen.args[0] in (CHECK, CALL)


@pytest.mark.parametrize(
    ("key", "modifiers", "sentence"),
    [
        (Qt.Key.Key_C, Qt.KeyboardModifier.NoModifier, "C is the key of “Check or call”."),
        (Qt.Key.Key_U, Qt.KeyboardModifier.NoModifier, "U is the key of “Amounts in big blinds”."),
        (Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier, "Ctrl+N is the key of “New game”."),
        (Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier, "Alt+1 does not do: keys with Ctrl or Alt"),
        (Qt.Key.Key_5, Qt.KeyboardModifier.NoModifier, "5 does not do: it types"),
        (Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier, "5 does not do: it types"),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier, "Shift+Up does not do: it types or changes"),
        (Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier, "F1 is the key of “Keys”."),
    ],
)
def test_a_key_that_is_taken_is_refused_in_a_sentence(
    qtbot: QtBot, app: App, window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier, sentence: str
) -> None:
    dialog = open_keys(qtbot, window)
    press(dialog, "fold", key, modifiers)
    assert sentence in dialog.news.text()
    assert dialog.fields["fold"].keySequence().toString() == "F", "it shows the one in force"
    assert dict(app.settings.settings.keys) == DEFAULT_KEYS
    dialog.close()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_frame_of_a_field_is_seen(qtbot: QtBot, app: App, window: MainWindow, look: str) -> None:
    app.theme.choose(look)
    dialog = open_keys(qtbot, window)
    image = dialog.fields["raise"].grab().toImage()
    across = [image.pixelColor(x, image.height() // 2).lightness() for x in range(4)]
    inside = QColor(app.theme.theme.panel).lightness()
    assert max(abs(lightness - inside) for lightness in across) > 60
    dialog.close()


def test_esc_enter_and_tab_are_the_dialogs(qtbot: QtBot, app: App, window: MainWindow) -> None:
    dialog = open_keys(qtbot, window)
    press(dialog, "fold", Qt.Key.Key_Tab)
    assert dialog.fields["fold"].keySequence().toString() == "F"
    press(dialog, "call", Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dict(app.settings.settings.keys) == DEFAULT_KEYS


def test_esc_closes_the_keys_that_were_just_opened(qtbot: QtBot, window: MainWindow) -> None:
    dialog = open_keys(qtbot, window)
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_defaults_come_back(qtbot: QtBot, app: App, window: MainWindow) -> None:
    dialog = open_keys(qtbot, window)
    press(dialog, "fold", Qt.Key.Key_H)
    assert "hint: what every action" not in dialog.label.text(), "the key of the hint folds now"
    assert window.menus.hint.shortcut().isEmpty()
    QTest.mouseClick(dialog.defaults, Qt.MouseButton.LeftButton)
    assert dict(app.settings.settings.keys) == DEFAULT_KEYS
    assert dialog.fields["fold"].keySequence().toString() == "F"
    assert window.menus.hint.shortcut().toString() == "H"
    dialog.close()


def test_letters_chosen_for_something_else_are_free() -> None:
    assert further_keys(DEFAULT_KEYS) == {"bet": "B", "all_in": "A", "hint": "H"}
    assert further_keys({**DEFAULT_KEYS, "fold": "A"}) == {"bet": "B", "all_in": "", "hint": "H"}
