"""Keys and clicks of a person at the whole window: they go wherever the last click or dialog left the focus."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QMessageBox, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from engine.game.events import Action, ActionKind, GameKind, raise_to
from engine.game.formats import GameConfig, SeatConfig
from tests.trainer.gestures import (
    PATIENCE,
    click,
    shown_results,
    shown_text,
    strike,
    wait_for_stage,
    wait_until_read,
)
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.new_game.dialog import NewGameDialog
from trainer.play.action_button import ActionButton
from trainer.reading.range_grid import RangeGrid
from trainer.session.types import Stage, ordinal
from trainer.window.main_window import MainWindow

GAME = table("calling station", "tight-passive", "fold", seed=3)


@pytest.fixture
def window(app: App) -> MainWindow:
    app.window.menus.confirm.setChecked(False)
    return app.window


@pytest.fixture
def chosen(window: MainWindow) -> list[Action]:
    actions: list[Action] = []
    window.action_bar.action_chosen.connect(actions.append)
    return actions


def sit_down(qtbot: QtBot, app: App) -> None:
    """Begin a game by the keys alone, as a person who likes the one that is offered, and wait for the turn."""
    begin(qtbot, app, GAME)
    app.window.activateWindow()  # no window manager does it when a dialog closes
    wait_for_turn(qtbot, app)


def wait_for_turn(qtbot: QtBot, app: App) -> None:
    """Wait until the buttons can be pressed."""
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    qtbot.waitUntil(lambda: button(app, "Fold").isEnabled())


def button(app: App, text: str) -> ActionButton:
    found = [one for one in app.window.action_bar.findChildren(ActionButton) if one.text().startswith(text)]
    assert len(found) == 1, [one.text() for one in app.window.action_bar.findChildren(ActionButton)]
    return found[0]


def amount_box(app: App) -> QLineEdit:
    return app.window.action_bar.findChild(QLineEdit)


# What is typed is what is bet


@pytest.mark.parametrize("way", ["R", "Enter", "click"])
def test_a_typed_amount_is_what_is_bet(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action], way: str
) -> None:
    sit_down(qtbot, app)
    box = amount_box(app)
    click(box)
    box.selectAll()
    strike(app, "640")
    assert button(app, "Raise to").text() == "Raise to 640"
    if way == "click":
        click(button(app, "Raise to"))
    else:
        strike(app, "R" if way == "R" else Qt.Key.Key_Return)
    assert chosen == [raise_to(640)]


def test_digits_with_nothing_focused_begin_an_amount(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action]
) -> None:
    sit_down(qtbot, app)
    strike(app, "640R")
    assert chosen == [raise_to(640)]


# Who has the keys


def test_after_a_new_game_the_action_bar_has_the_keys(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action]
) -> None:
    sit_down(qtbot, app)
    reader = window.panels.read_panel.reader
    assert QApplication.focusWidget() is window.action_bar
    before = window.action_bar.model.amount
    strike(app, Qt.Key.Key_Space)
    strike(app, Qt.Key.Key_Up)
    assert QApplication.activePopupWidget() is None
    assert window.panels.read_panel.reader == reader
    assert window.action_bar.model.amount == before + 100
    strike(app, Qt.Key.Key_Down)
    assert window.action_bar.model.amount == before
    strike(app, "C")
    assert chosen[0].kind in (ActionKind.CHECK, ActionKind.CALL)


def grid_of(window: MainWindow) -> RangeGrid:
    return next(tile.grid for tile in window.panels.read_panel._tiles.values() if tile.isVisible())


def visit_ranges(window: MainWindow) -> None:
    click(grid_of(window))


def visit_reader_box(window: MainWindow) -> None:
    """Open its list, and choose what it has already."""
    box = window.panels.read_panel.reader_box
    click(box)
    rows = box.view()
    QTest.mouseMove(rows.viewport(), rows.visualRect(rows.currentIndex()).center())
    QTest.keyClick(rows, Qt.Key.Key_Return)


def visit_floating_dock(window: MainWindow) -> None:
    window.docks.by_name["ranges"].setFloating(True)
    visit_ranges(window)
    visit_reader_box(window)
    click(window.panels.read_panel, QPoint(2, 2))
    QApplication.processEvents()
    assert window.isActiveWindow()


def visit_slider(window: MainWindow) -> None:
    click(window.panels.read_panel.slider)


def visit_dock_tab(window: MainWindow) -> None:
    tabs = next(bar for bar in window.findChildren(QTabBar) if bar.count() == 3)
    click(tabs, tabs.tabRect(2).center())
    click(window.panels.log)


def visit_log(window: MainWindow) -> None:
    window.docks.by_name["log"].raise_()
    QApplication.processEvents()
    for area in window.panels.log.findChildren(QAbstractScrollArea):
        if area.isVisible():
            click(area.viewport())


def visit_reasoning(window: MainWindow) -> None:
    window.docks.by_name["reasoning"].raise_()
    QApplication.processEvents()
    click(window.panels.reasoning.study_button)
    click(window.panels.reasoning.study_button)
    click(window.panels.reasoning)


def visit_table(window: MainWindow) -> None:
    click(window.table)
    click(window.table._buttons[1])


def visit_bar(window: MainWindow) -> None:
    click(window.action_bar._sizes.slider)
    click(window.action_bar._sizes.presets[3])


def visit_dialog(window: MainWindow) -> None:
    next(one for one in window.findChildren(QAction) if one.text() == "&Keys").trigger()
    QTest.keyClick(QGuiApplication.modalWindow(), Qt.Key.Key_Escape)
    window.activateWindow()


def visit_new_game_and_cancel(window: MainWindow) -> None:
    window.open_new_game()
    QTest.keyClick(QGuiApplication.modalWindow(), Qt.Key.Key_Escape)
    window.activateWindow()


VISITS = [
    visit_ranges,
    visit_reader_box,
    visit_floating_dock,
    visit_slider,
    visit_dock_tab,
    visit_log,
    visit_reasoning,
    visit_table,
    visit_bar,
    visit_dialog,
    visit_new_game_and_cancel,
]


@pytest.mark.every(4)
@pytest.mark.parametrize("visit", VISITS)
def test_wherever_the_mouse_was_the_action_bar_has_the_keys(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action], visit: Callable[[MainWindow], None]
) -> None:
    sit_down(qtbot, app)
    panel = window.panels.read_panel
    wait_until_read(qtbot, app)
    visit(window)
    reader, point, amount = panel.reader, panel.slider.value(), window.action_bar.model.amount
    strike(app, Qt.Key.Key_Space)
    strike(app, Qt.Key.Key_Up)
    assert window.action_bar.model.amount == amount + 100
    strike(app, Qt.Key.Key_Down)
    assert window.action_bar.model.amount == amount
    assert (panel.reader, panel.slider.value(), QApplication.activePopupWidget()) == (reader, point, None)
    assert chosen == []
    strike(app, "640R")
    assert chosen == [raise_to(640)]


def test_tab_and_shortcuts_lead_to_controls_that_then_have_their_own_keys(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action]
) -> None:
    sit_down(qtbot, app)
    wait_until_read(qtbot, app)
    reached: list[QWidget] = []
    for _ in range(80):
        strike(app, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in reached:
            break
        reached.append(focused)
    grid = grid_of(window)
    bar = window.action_bar
    for control in (
        window.panels.read_panel.reader_box,
        grid,
        bar._fold,
        bar._raise,
        bar._sizes.field,
        bar._sizes.presets[4],
    ):
        assert control in reached
    grid.setFocus(Qt.FocusReason.TabFocusReason)
    amount, cell = bar.model.amount, grid.focused_cell
    strike(app, Qt.Key.Key_Down)
    assert (bar.model.amount, grid.focused_cell) == (amount, cell + 13), (
        "a grid that one has gone to keeps its arrows"
    )
    strike(app, Qt.Key.Key_Return)
    assert window.panels.read_panel.detail.grid.hasFocus()
    strike(app, Qt.Key.Key_Escape)
    assert grid.hasFocus()
    strike(app, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is bar
    strike(app, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert (
        window.panels.log.isAncestorOf(QApplication.focusWidget())
        or QApplication.focusWidget() is window.panels.log
    )
    strike(app, "C")
    assert chosen[0].kind in (ActionKind.CHECK, ActionKind.CALL), "letters act from anywhere"
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    if app.session is not None and app.session.stage == Stage.YOUR_TURN:
        assert QApplication.focusWidget() is bar, "the next turn takes the keys back"


def test_escape_closes_what_a_click_has_enlarged(qtbot: QtBot, app: App, window: MainWindow) -> None:
    sit_down(qtbot, app)
    wait_until_read(qtbot, app)
    visit_ranges(window)
    assert window.panels.read_panel.detail.isVisible()
    strike(app, Qt.Key.Key_Escape)
    assert not window.panels.read_panel.detail.isVisible()


def test_a_list_opened_by_key_gives_the_keys_back_after_the_choice(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    sit_down(qtbot, app)
    box = window.panels.read_panel.reader_box
    box.setFocus(Qt.FocusReason.TabFocusReason)
    strike(app, Qt.Key.Key_Space)
    assert QApplication.activePopupWidget() is not None
    before = box.currentIndex()
    QTest.keyClick(box.view(), Qt.Key.Key_Down)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    assert box.currentIndex() != before
    assert QApplication.focusWidget() is window.action_bar


def test_a_click_beside_all_controls_ends_typing(qtbot: QtBot, app: App, window: MainWindow) -> None:
    sit_down(qtbot, app)
    strike(app, "6")
    assert amount_box(app).hasFocus()
    click(window.table, QPoint(3, 3))
    assert QApplication.focusWidget() is window.action_bar
    assert amount_box(app).text() == "6", "what is typed stays, and says what is wrong with it"
    assert not button(app, "Raise to").isEnabled()


def test_the_chips_of_a_typed_bet_stand_on_the_table_until_it_is_made(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    sit_down(qtbot, app)

    def mine() -> tuple[str, bool]:
        seat = window.table._model.seats[0]
        return seat.bet, seat.is_preview

    before = mine()
    strike(app, "64")
    assert mine() == before, "64 cannot be bet"
    strike(app, "0")
    assert mine() == ("640", True)
    strike(app, Qt.Key.Key_Escape)
    assert mine() == before
    strike(app, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert mine()[1]
    strike(app, "C")
    assert not mine()[1]


# A running game is not ended unasked, and what has ended goes on at a key


def tiny(kind: GameKind, seats: int = 3, *, stack: int = 200, seed: int = 3) -> GameConfig:
    """A game whose stacks are soon gone, against players who always call."""
    players = (SeatConfig("You", "human"), *(SeatConfig(f"Bot {at}", "calling station") for at in range(1, seats)))
    return GameConfig(kind=kind, seats=players, starting_stack=stack, small_blind=50, big_blind=100, seed=seed)


def begin(qtbot: QtBot, app: App, config: GameConfig) -> None:
    """Begin a game with the dialog's own keys."""
    app.window.activateWindow()
    if QGuiApplication.modalWindow() is None:
        strike(app, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = app.window.dialogs.new_game
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    dialog.fill(config)
    strike(app, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())


def lose_until(qtbot: QtBot, app: App, text: str) -> None:
    """Let the blinds eat the stack in hand after hand, by keys, until a button says a text."""
    bar = app.window.action_bar

    def step() -> bool:
        QApplication.processEvents()
        waiting = [one for one in bar._waits if one.isVisible() and one.isEnabled()]
        if any(one.text() == text for one in waiting):
            return True
        if waiting:
            strike(app, Qt.Key.Key_Space)
        elif bar._fold.isEnabled() and bar.model.offer.decision is not None:
            strike(app, "C" if bar.model.offer.is_check_free else "F")
        return False

    qtbot.waitUntil(step, timeout=PATIENCE)


def test_who_is_out_of_chips_buys_in_again_at_a_key(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app, tiny(GameKind.CASH))
    lose_until(qtbot, app, "Buy in again")
    assert window.action_bar._prompt.text() == "You are out of chips: buy in again, or finish the session."
    strike(app, Qt.Key.Key_Space)
    assert app.session is not None
    result = app.session.results()
    assert result is not None
    assert result.stacks[0] == 200
    qtbot.waitUntil(button(app, "Next hand").isEnabled)
    assert shown_text(window.message) == "You bought 200 and begin the next hand with 200."
    hand = app.session.progress[0]
    strike(app, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: app.session is not None and app.session.progress[0] == hand + 1, timeout=PATIENCE)


def test_who_buys_in_again_is_dealt_in_where_dealing_is_automatic(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app, tiny(GameKind.CASH))
    lose_until(qtbot, app, "Buy in again")
    window.menus.automatic.setChecked(True)
    assert app.session is not None
    hand = app.session.progress[0]
    click(button(app, "Buy in again"))
    qtbot.waitUntil(lambda: app.session is not None and app.session.progress[0] == hand + 1, timeout=PATIENCE)


def test_who_is_out_of_chips_can_end_the_session(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app, tiny(GameKind.CASH))
    lose_until(qtbot, app, "Buy in again")
    click(button(app, "Finish the session"))
    qtbot.waitUntil(lambda: len(shown_results(app)) == 1)
    strike(app, Qt.Key.Key_Space)
    assert shown_results(app) == []
    assert window.action_bar._prompt.text() == "You finished the session."


@pytest.mark.every(2)
@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_out_of_a_tournament_one_hears_the_place_and_plays_another(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action], key: Qt.Key
) -> None:
    begin(qtbot, app, tiny(GameKind.TOURNAMENT, seats=4))
    lose_until(qtbot, app, "New game…")
    assert app.session is not None
    stacks = app.session.results().stacks  # type: ignore[union-attr]
    place = 1 + sum(stacks[seat] > 0 for seat in (1, 2, 3))
    assert f"You finish {ordinal(place)} of 4." in window.action_bar._prompt.text()
    assert len(shown_results(app)) == 1
    strike(app, Qt.Key.Key_Return)
    assert shown_results(app) == []
    strike(app, key)
    dialog = window.dialogs.new_game
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    begin(qtbot, app, GAME)
    wait_for_turn(qtbot, app)
    chosen.clear()
    app.window.activateWindow()
    strike(app, "640R")
    assert chosen == [raise_to(640)], "keys work in the second game as in the first"


def test_who_wins_a_tournament_hears_so(qtbot: QtBot, app: App, window: MainWindow) -> None:
    heard: set[str] = set()
    for seed in range(20):  # heads-up for two big blinds: about every second one is won
        begin(qtbot, app, tiny(GameKind.TOURNAMENT, seats=2, seed=seed))
        lose_until(qtbot, app, "New game…")
        heard.add(window.action_bar._prompt.text())
        strike(app, Qt.Key.Key_Return)
        if "You finish 1st of 2. You won all the chips." in heard:
            break
    assert "You finish 1st of 2. You won all the chips." in heard


def question(window: MainWindow) -> QMessageBox:
    shown = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(shown) == 1
    return shown[0]


def test_a_running_hand_is_not_ended_without_asking(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action]
) -> None:
    sit_down(qtbot, app)
    first = app.session
    begin(qtbot, app, GAME)
    assert "Hand 1 is still being played" in question(window).text()
    strike(app, Qt.Key.Key_Return)  # of a double press: it stays
    assert app.session is first
    assert first is not None
    assert first.stage == Stage.YOUR_TURN
    strike(app, "640")
    begin(qtbot, app, GAME)
    strike(app, Qt.Key.Key_Escape)
    assert app.session is first
    assert amount_box(app).text() == "640"
    begin(qtbot, app, GAME)
    leave = next(one for one in question(window).buttons() if "End it" in one.text())
    click(leave)
    qtbot.waitUntil(lambda: app.session is not first, timeout=PATIENCE)
    assert len(shown_results(app)) == 1, "the results of the session that was left"
    strike(app, Qt.Key.Key_Return)
    wait_for_turn(qtbot, app)
    app.window.activateWindow()
    strike(app, "640R")
    assert chosen == [raise_to(640)]
    stored = app.store.sessions()
    assert [one.is_finished for one in stored] == [False, True]


def test_a_session_between_two_hands_is_not_ended_without_asking(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    sit_down(qtbot, app)
    lose_until(qtbot, app, "Next hand")
    first = app.session
    begin(qtbot, app, GAME)
    assert "still running" in question(window).text()
    strike(app, Qt.Key.Key_Escape)
    assert app.session is first


def test_who_went_on_playing_gets_no_new_game_later(qtbot: QtBot, app: App, window: MainWindow) -> None:
    sit_down(qtbot, app)
    first = app.session
    begin(qtbot, app, GAME)
    strike(app, Qt.Key.Key_Return)
    window.menus.finish.trigger()
    lose_until(qtbot, app, "New game…")
    strike(app, Qt.Key.Key_Return)
    assert app.session is first


def test_after_a_session_a_new_game_asks_nothing(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app, tiny(GameKind.TOURNAMENT))
    lose_until(qtbot, app, "New game…")
    strike(app, Qt.Key.Key_Return)
    first = app.session
    begin(qtbot, app, GAME)
    assert app.session is not first


def test_new_game_asked_for_twice_opens_once(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.window.activateWindow()
    window.open_new_game()
    window.open_new_game()
    assert len([one for one in window.findChildren(NewGameDialog) if one.isVisible()]) == 1
    strike(app, Qt.Key.Key_Escape)
    window.open_new_game()
    assert len([one for one in window.findChildren(NewGameDialog) if one.isVisible()]) == 1
    strike(app, Qt.Key.Key_Escape)


def test_before_the_first_game_enter_opens_the_dialog(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.window.activateWindow()
    strike(app, Qt.Key.Key_Return)
    assert window.dialogs.new_game is not None
    assert window.dialogs.new_game.isVisible()
    strike(app, Qt.Key.Key_Escape)
    strike(app, Qt.Key.Key_Escape)  # pressed twice it does not lose the keys
    strike(app, Qt.Key.Key_Space)
    assert window.dialogs.new_game.isVisible()
    strike(app, Qt.Key.Key_Escape)


def test_an_all_in_is_asked_for_once_and_a_double_press_is_no_answer(
    qtbot: QtBot, app: App, window: MainWindow, chosen: list[Action], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(window.action_bar.model, "_clock", lambda: now[0])
    window.menus.confirm.setChecked(True)
    sit_down(qtbot, app)
    strike(app, "10000R")
    prompt = window.action_bar._prompt.text()
    assert prompt == "All your chips. R again or Enter goes all-in, Esc takes it back."
    now[0] += 0.2
    strike(app, "R")
    assert chosen == []
    strike(app, Qt.Key.Key_Escape)
    now[0] += 1
    strike(app, Qt.Key.Key_Return)
    assert chosen == [], "it was taken back"
    strike(app, "R")
    click(window.panels.read_panel)
    now[0] += 0.41
    strike(app, Qt.Key.Key_Return)
    assert chosen == [raise_to(10_000)]
