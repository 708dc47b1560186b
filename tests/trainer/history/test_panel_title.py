"""Stories of the hand that the panels show: the running one or an earlier one, by real clicks and keys."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from engine.game.formats import GameConfig
from tests.trainer.gestures import (
    PATIENCE,
    menu_entry,
    play_out,
    press,
    shown_text,
    wait_for_message,
    wait_for_stage,
    wait_until_read,
)
from tests.trainer.session_driver import table
from tests.trainer.test_layout import SMALL, USUAL, cut, sized
from trainer.app import App
from trainer.history.panel_title import PanelTitle
from trainer.history.past_hands_model import HandTitle
from trainer.session.types import Stage
from trainer.window.main_window import MainWindow

GAME = table("calling station", "tight-passive", "fold", seed=3)


CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(app: App) -> MainWindow:
    QCursor.setPos(app.window.table.mapToGlobal(QPoint(20, 20)))
    return app.window


def begin(qtbot: QtBot, app: App, config: GameConfig = GAME) -> None:
    app.begin(config)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)


def deal(qtbot: QtBot, app: App) -> None:
    press(qtbot, app, Qt.Key.Key_Space)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)


def test_a_second_game_begins_with_a_log_of_its_own(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    play_out(qtbot, app)
    deal(qtbot, app)
    play_out(qtbot, app)
    begin(qtbot, app, table("calling station", "loose-aggressive", "tight-passive", "fold", "fold", seed=4))
    assert "Hand 2" not in window.panels.log.text
    assert window.panels.log.text.startswith("Hand 1\n")
    play_out(qtbot, app)
    assert window.panels.log.text.count("Hand 1") == 1
    assert "Bot 4" in window.panels.log.text


def titles(window: MainWindow) -> list[PanelTitle]:
    """The titles of all panels, those of one dock area in no order."""
    return sorted(window.findChildren(PanelTitle), key=lambda title: title._name)


def seen_title(window: MainWindow) -> PanelTitle:
    """The title of the panel in front, of those above the meters."""
    return next(title for title in titles(window)[::-1] if not title.visibleRegion().isEmpty())


def click(qtbot: QtBot, widget: QWidget) -> None:
    assert widget.isVisible()
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def panel_words(window: MainWindow) -> str:
    """Everything that tells which hand the panels show."""
    window.docks.by_name["reasoning"].raise_()
    QApplication.processEvents()
    decisions = window.panels.reasoning.decisions
    reasons = [decisions.item(row).text() for row in range(decisions.count())]
    return "\n".join(
        [
            window.panels.log.text,
            window.panels.read_panel._point.text(),
            *reasons,
            window.panels.meters._verdict.text(),
        ]
    )


def test_the_hand_before_opens_in_all_panels_and_the_table_goes_on(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app)
    play_out(qtbot, app, Qt.Key.Key_C)
    wait_until_read(qtbot, app)
    points = window.panels.read_panel.slider.maximum()
    window.panels.read_panel.slider.setValue(points - 1)
    window.panels.read_panel.slider.setValue(points)
    was = panel_words(window)
    decisions = window.panels.reasoning.decisions.count()
    assert decisions > 0
    assert not seen_title(window).earlier.isVisible(), "there is no hand before the first one"
    deal(qtbot, app)
    assert window.panels.log.text.startswith("Hand 2\n")
    click(qtbot, seen_title(window).earlier)
    assert [title._label.text() for title in titles(window)] == 4 * ["Hand 1"]
    assert window.panels.read_panel.slider.maximum() == points
    qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() == decisions)
    shown = panel_words(window)
    assert shown.splitlines()[:-1] == was.splitlines()[:-1], "the meters show the last point in place of the end"
    # Meanwhile the second hand is played by the same keys, and nothing of it reaches the panels.
    assert app.session is not None
    if app.session.stage == Stage.YOUR_TURN:
        wait_for_message(qtbot, app, "your turn; the panels show hand 1")
        assert seen_title(window).back.text() == "Your turn: hand 2"
    play_out(qtbot, app, Qt.Key.Key_C)
    assert app.session.progress[0] == 2
    assert panel_words(window) == shown
    click(qtbot, seen_title(window).back)
    assert window.panels.log.text.startswith("Hand 2\n")
    assert "You" in window.panels.log.text.splitlines()[-1] or "Result" in window.panels.log.text.splitlines()[-1]
    wait_until_read(qtbot, app)
    assert window.panels.point is not None
    assert window.panels.read_panel.model._hand_number == 2
    assert [title._label.text() for title in titles(window)] == ["Log", "Meters", "Ranges", "Reasoning"]


def test_keys_go_to_earlier_hands_and_back(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    for _ in range(3):
        play_out(qtbot, app)
        deal(qtbot, app)
    told = []
    for key in (
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_B,
        Qt.Key.Key_B,
        Qt.Key.Key_B,
    ):
        qtbot.keyClick(window, key, CTRL)
        told.append(window.panels.log.text.splitlines()[0])
    assert told == ["Hand 3", "Hand 2", "Hand 3", "Hand 4", "Hand 3", "Hand 4"]
    assert not window.menus.later.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_PageUp, CTRL)
    # Wherever the keyboard is, also in text that has a use for such keys.
    window.docks.by_name["log"].raise_()
    browser = window.panels.log._browser
    qtbot.waitUntil(browser.isVisible)
    browser.setFocus()
    qtbot.keyClick(browser, Qt.Key.Key_PageUp, CTRL)
    assert window.panels.log.text.startswith("Hand 2\n")
    qtbot.keyClick(browser, Qt.Key.Key_B, CTRL)
    assert window.panels.log.text.startswith("Hand 4\n")
    qtbot.waitUntil(lambda: app.session is not None and app.session.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    amount = window.action_bar.findChild(QLineEdit)
    amount.setFocus()
    qtbot.keyClick(amount, Qt.Key.Key_PageUp, CTRL)
    assert window.panels.log.text.startswith("Hand 3\n")


def test_a_hand_chosen_in_the_log_shows_in_all_panels(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    for _ in range(3):
        play_out(qtbot, app)
        deal(qtbot, app)
    window.docks.by_name["log"].raise_()
    hands = window.panels.log.findChild(QListView)
    qtbot.waitUntil(hands.isVisible)
    assert hands.model().rowCount() == 4
    hands.scrollToTop()
    place = hands.visualRect(hands.model().index(0, 0)).center()
    qtbot.mouseClick(hands.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.panels.log.text.startswith("Hand 1\n")
    assert "being read" in window.panels.read_panel._empty.text()
    qtbot.waitUntil(lambda: window.panels.read_panel.model._hand_number == 1, timeout=PATIENCE)
    qtbot.keyClick(hands, Qt.Key.Key_Down)
    assert window.panels.log.text.startswith("Hand 2\n")
    qtbot.keyClick(hands, Qt.Key.Key_End)
    assert window.panels.log.text.startswith("Hand 4\n")
    assert window.looked_at.is_following
    # A click on a seat at the table means the hand on the table, too.
    qtbot.keyClick(hands, Qt.Key.Key_Up)
    assert not window.looked_at.is_following
    qtbot.mouseClick(window.table._buttons[0], Qt.MouseButton.LeftButton)
    assert window.looked_at.is_following


def test_the_scrubber_and_the_meters_go_through_the_earlier_hand(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app)
    for _ in range(3):
        play_out(qtbot, app, Qt.Key.Key_C)
        deal(qtbot, app)
    qtbot.keyClick(window, Qt.Key.Key_PageUp, CTRL)
    qtbot.keyClick(window, Qt.Key.Key_PageUp, CTRL)
    qtbot.keyClick(window, Qt.Key.Key_PageUp, CTRL)
    final = window.looked_at.observation
    assert final is not None
    assert final.hand_number == 1
    qtbot.waitUntil(lambda: window.panels.read_panel.model.shown is not None, timeout=PATIENCE)
    window.panels.read_panel.setFocus()
    for _ in range(window.panels.read_panel.slider.maximum()):
        qtbot.keyClick(window.panels.read_panel, Qt.Key.Key_Left, CTRL)
    qtbot.waitUntil(
        lambda: (
            window.panels.read_panel.model.shown is not None
            and window.panels.read_panel.model.shown.event_count == 3
        ),
        timeout=PATIENCE,
    )
    verdict = window.panels.meters._verdict  # comes after the ranges, with the win rate
    qtbot.waitUntil(lambda: "You need" in verdict.text() or "Nothing to call" in verdict.text(), timeout=PATIENCE)
    point = window.panels.read_panel.model.shown
    assert point is not None
    assert point.observation.events == final.events[:3]


def test_the_next_hand_waits_while_an_earlier_one_is_shown(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    play_out(qtbot, app)
    deal(qtbot, app)
    play_out(qtbot, app)
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    menu_entry(window, "Deal the next hand by itself").trigger()
    assert app.session is not None
    assert app.session.automatic.is_waiting
    wait_for_message(qtbot, app, "The next hand waits while you look; Space deals.")
    press(qtbot, app, Qt.Key.Key_Space)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert app.session.progress[0] == 3
    assert window.panels.log.text.startswith("Hand 1\n"), "the panels stay where they are"
    play_out(qtbot, app)
    assert app.session.progress[0] == 3
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    qtbot.waitUntil(lambda: app.session is not None and app.session.progress[0] > 3, timeout=PATIENCE)


def fold(qtbot: QtBot, app: App) -> None:
    """Press F until it is taken, and return before anything comes of it."""
    session = app.session
    assert session is not None
    qtbot.waitUntil(lambda: session.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    wait_until_read(qtbot, app)  # until then nothing of the ranges can have the keyboard

    def is_taken() -> bool:
        qtbot.keyClick(app.window, Qt.Key.Key_F)
        return session.table.is_busy

    qtbot.waitUntil(is_taken, timeout=PATIENCE)


def test_the_next_hand_waits_while_a_panel_is_used(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    menu_entry(window, "Deal the next hand by itself").trigger()
    session = app.session
    assert session is not None
    uses = (
        (
            lambda: QTest.mouseMove(window.panels.meters, QPoint(30, 30)),
            lambda: QTest.mouseMove(window.table, QPoint(9, 9)),
        ),
        (window.panels.read_panel.slider.setFocus, window.action_bar.setFocus),
    )
    for use, leave in uses:
        fold(qtbot, app)
        number = session.progress[0]
        use()
        qtbot.waitUntil(lambda: session.automatic.is_waiting, timeout=PATIENCE)
        assert seen_title(window)._label.text() == "Ranges: the next hand waits"
        wait_for_message(qtbot, app, "The next hand waits while you look; Space deals.")
        assert session.progress[0] == number
        leave()
        qtbot.waitUntil(lambda number=number: session.progress[0] > number, timeout=PATIENCE)


def test_the_next_hand_waits_for_a_menu_and_a_dialog(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    session = app.session
    assert session is not None
    for _ in range(3):  # until chips are gone
        play_out(qtbot, app)
        if session.results().stacks[session.hero] < GAME.starting_stack:
            break
        deal(qtbot, app)
    number = session.progress[0]
    session.set_pace(0.4)
    menu_entry(window, "Deal the next hand by itself").trigger()

    def is_held() -> bool:
        return session.automatic.is_waiting or session.progress[0] > number

    qtbot.keyClick(window.menuBar(), Qt.Key.Key_G, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    qtbot.waitUntil(is_held, timeout=PATIENCE)
    qtbot.keyClick(menu, Qt.Key.Key_T)
    dialog = window.findChild(QInputDialog)
    assert QApplication.activePopupWidget() is None
    for _ in range(2):
        qtbot.waitSignal(window._look_timer.timeout, timeout=PATIENCE).wait()
    assert session.automatic.is_waiting
    assert session.progress[0] == number
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    wait_for_message(qtbot, app, "You bought ")
    qtbot.waitUntil(lambda: session.progress[0] > number, timeout=PATIENCE)
    assert session.results().bought_in[session.hero] > GAME.starting_stack


def test_a_mouse_or_keyboard_left_lying_in_a_panel_holds_nothing(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app)
    menu_entry(window, "Deal the next hand by itself").trigger()
    session = app.session
    assert session is not None
    qtbot.waitUntil(lambda: session.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    QTest.mouseMove(window.panels.meters, QPoint(30, 30))
    window.panels.read_panel.slider.setFocus()
    number = session.progress[0]
    fold(qtbot, app)
    qtbot.waitUntil(lambda: session.progress[0] > number, timeout=PATIENCE)


def test_hands_of_an_earlier_run_are_opened_before_anything_is_played(
    qtbot: QtBot, app: App, window: MainWindow, tmp_path: Path
) -> None:
    begin(qtbot, app)
    play_out(qtbot, app)
    first = window.panels.log.text
    deal(qtbot, app)
    window.close()
    app.close()
    again = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "log", "0")
    qtbot.addWidget(again.window)
    again.window.show()
    with qtbot.waitSignal(again.ready, timeout=PATIENCE):
        again.start_services()
    box = again.window.panels.log.findChild(QComboBox)
    qtbot.waitUntil(lambda: box.count() == 1, timeout=PATIENCE)
    again.window.docks.by_name["log"].raise_()
    qtbot.waitUntil(box.isVisible)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(again.window.panels.log.text.strip()), timeout=PATIENCE)
    assert again.window.panels.log.text == first
    assert again.window.panels.log.findChild(QListView).model().rowCount() == 1, (
        "the unfinished hand is not offered"
    )
    qtbot.waitUntil(lambda: again.window.panels.read_panel.model._hand_number == 1, timeout=PATIENCE)
    assert all(title._label.text().startswith("Hand 1 of ") for title in titles(again.window))
    again.window.close()
    again.close()


@pytest.mark.every(4)
@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_the_longest_title_is_not_cut(qtbot: QtBot, app: App, window: MainWindow, size: QSize, theme: str) -> None:
    sized(qtbot, window, size)
    menu_entry(window, theme).trigger()
    begin(qtbot, app)
    play_out(qtbot, app)
    deal(qtbot, app)
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    long = HandTitle("Hand 12345 of Nov ’19", "Hand 12344", "Hand 12346", "Your turn: hand 12345")
    for title in titles(window):
        title.show_title(long)
    for name in ("reasoning", "log", "ranges"):
        window.docks.by_name[name].raise_()
        QApplication.processEvents()
        left = [line for line in cut(window) if line.startswith(("QLabel 'What", "QToolButton", "PanelTitle"))]
        assert not left, "\n".join([name, *left])
    back, ink = seen_title(window).back, app.theme.theme.accent
    place = QPoint(2, back.height() // 2)
    assert back.grab().toImage().pixelColor(place).name() == app.theme.theme.accent_text, f"not {ink} on {ink}"


def test_the_odds_of_an_earlier_decision_open(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    play_out(qtbot, app, Qt.Key.Key_C)
    deal(qtbot, app)
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    window.docks.by_name["reasoning"].raise_()
    qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() > 0)
    click(qtbot, window.panels.reasoning.odds_button)
    assert window.odds.window is not None, shown_text(window.message)
    trace = window.panels.reasoning._traces[window.panels.reasoning.decisions.currentRow()]
    assert trace in window.looked_at.open_traces()
    assert window.odds.window.model.entered.rows[0].hole_cards == trace.observation.hole_cards
