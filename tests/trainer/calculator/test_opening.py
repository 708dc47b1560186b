"""The calculator opened from everywhere, by real clicks and keys, and what it never tells of a running hand."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import Card, combo_of, format_cards
from engine.ranges import Range, parse_range
from tests.trainer import samples
from tests.trainer.gestures import PATIENCE, opened, press, shown_text, wait_for_stage
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.calculator.opening import OddsOpener
from trainer.calculator.opening_model import NOBODY_LEFT, opening_of_range
from trainer.calculator.window import OddsWindow
from trainer.history.log import HandLog, LinesBrowser
from trainer.history.log_model import LogMoment
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.reading.range_menu import RangeMenu
from trainer.reading.range_tiles import RangeTile
from trainer.reading.read_panel import ReadPanel
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.session.types import Stage
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.window.main_window import MainWindow

OWN = (samples.HERO, (samples.HOLE_CARDS[0], samples.HOLE_CARDS[1]))


def ask_menu(widget: QWidget, place: QPoint, reason: QContextMenuEvent.Reason) -> None:
    """Ask for a context menu as Qt does: from the widget under the mouse, or from that with the focus."""
    QApplication.sendEvent(widget, QContextMenuEvent(reason, place, widget.mapToGlobal(place)))


def entry(menu: QMenu | None, text: str) -> QAction:
    assert menu is not None
    found = [action for action in menu.actions() if action.text().replace("&", "").startswith(text)]
    assert len(found) == 1, [action.text() for action in menu.actions()]
    return found[0]


# ---- lines of the log --------------------------------------------------------------------------------------


@pytest.fixture
def log(qtbot: QtBot, theme: ThemeSource) -> HandLog:
    made = HandLog(theme)
    made.resize(420, 400)
    opened(qtbot, made)
    made.show_hand(samples.observe(samples.play(2)))
    return made


def lines(log: HandLog) -> LinesBrowser:
    found = log.findChild(LinesBrowser)
    assert isinstance(found, LinesBrowser)
    return found


def test_enter_opens_the_line_that_the_cursor_is_on(qtbot: QtBot, log: HandLog) -> None:
    browser = lines(log)
    browser.setFocus()
    with qtbot.waitSignal(log.odds_requested) as asked:
        qtbot.keyClick(browser, Qt.Key.Key_Return)
    assert asked.args == [LogMoment(samples.play(2), OWN, len(samples.play(2)))], "the newest line at first"
    for _ in range(3):
        qtbot.keyClick(browser, Qt.Key.Key_Up)
    with qtbot.waitSignal(log.odds_requested) as asked:
        qtbot.keyClick(browser, Qt.Key.Key_Return)
    assert asked.args is not None
    assert asked.args[0].event_count == len(samples.play(2)) - 3
    marks = browser.extraSelections()
    assert len(marks) == 1, "the line is shaded while the keys act on it"


def test_the_menu_of_a_line_by_mouse_and_by_key(qtbot: QtBot, log: HandLog) -> None:
    browser = lines(log)
    browser.setFocus()
    browser.verticalScrollBar().setValue(0)
    ask_menu(browser.viewport(), QPoint(30, 4), QContextMenuEvent.Reason.Mouse)
    with qtbot.waitSignal(log.odds_requested) as asked:
        entry(browser.menu, "Open in the odds calculator").trigger()
    assert asked.args is not None
    assert asked.args[0].event_count == 1, "the heading, though the cursor is on the last line"
    assert browser.menu is not None
    browser.menu.close()
    ask_menu(browser.viewport(), QPoint(30, 4), QContextMenuEvent.Reason.Keyboard)
    with qtbot.waitSignal(log.odds_requested) as asked:
        entry(browser.menu, "Open in the odds calculator").trigger()
    assert asked.args is not None
    assert asked.args[0].event_count == len(samples.play(2))
    browser.menu.close()


def test_where_there_are_no_odds_it_is_said_and_nothing_opens(
    theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    opener = OddsOpener(theme, SettingsFile(tmp_path / "soulread.ini"), jobs, RangeLibrary())
    said: list[str] = []
    opener.refused.connect(said.append)
    opener.open_moment(LogMoment(samples.play(2), OWN, 1))
    opener.open_with(None)
    assert said == ["There is nothing to count odds of before the blinds are posted.", NOBODY_LEFT]
    assert opener.window is None


# ---- heatmaps ----------------------------------------------------------------------------------------------


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeSource) -> ReadPanel:
    made = ReadPanel(theme)
    made.resize(900, 600)
    opened(qtbot, made)
    made.show_point(samples.readings(2)[-1])
    return made


def tile(panel: ReadPanel) -> RangeTile:
    return next(found for found in panel.findChildren(RangeTile) if found.isVisible())


def test_a_tile_asks_against_its_range_a_class_of_it_or_all(qtbot: QtBot, panel: ReadPanel) -> None:
    ada = tile(panel)
    kings = ada.grid.cell_rect(14).center().toPoint()
    ask_menu(ada.grid, kings, QContextMenuEvent.Reason.Mouse)
    texts = [action.text().replace("&", "") for action in ada.menu.actions() if action.text()] if ada.menu else []
    assert texts == ["Odds against Ada's range", "Odds against Ada's KK", "Odds against all", "Copy range as text"]
    with qtbot.waitSignal(panel.range_odds_requested) as asked:
        entry(ada.menu, "Odds against Ada's range").trigger()
    assert asked.args is not None
    opening = opening_of_range(asked.args[0])
    assert opening is not None
    assert opening.names == ("You", "Ada")
    with qtbot.waitSignal(panel.range_odds_requested) as asked:
        entry(ada.menu, "Odds against Ada's KK").trigger()
    assert asked.args is not None
    assert set(np.flatnonzero(asked.args[0].weights)) <= set(np.flatnonzero(parse_range("KK").weights))
    with qtbot.waitSignal(panel.odds_requested) as asked:
        entry(ada.menu, "Odds against all").trigger()
    assert asked.args == [samples.readings(2)[-1]]
    entry(ada.menu, "Copy range as text").trigger()
    copied = parse_range(QGuiApplication.clipboard().text())
    whole = opening.players[1]
    assert isinstance(whole, Range)
    assert np.allclose(copied.weights, whole.weights, atol=1e-5)
    assert ada.menu is not None
    ada.menu.close()


def test_by_key_the_menu_is_of_the_cell_that_the_arrows_stand_on(qtbot: QtBot, panel: ReadPanel) -> None:
    ada = tile(panel)
    ada.grid.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(ada.grid, key)
    ask_menu(ada.grid, QPoint(1, 1), QContextMenuEvent.Reason.Keyboard)
    assert entry(ada.menu, "Odds against Ada's KK").isEnabled()
    assert ada.menu is not None
    ada.menu.close()


def test_the_enlarged_range_is_asked_about_as_it_is_shown(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.open_seat(1)
    panel.detail.chain_table.selectRow(0)
    ask_menu(panel.detail.grid, QPoint(3, 3), QContextMenuEvent.Reason.Mouse)
    with qtbot.waitSignal(panel.range_odds_requested) as asked:
        entry(panel.detail.menu, "Odds against Ada's range").trigger()
    assert asked.args is not None
    prior = asked.args[0].weights
    assert len(set(prior[prior > 0].tolist())) == 1, "the prior of the samples takes all combos alike"
    assert panel.detail.menu is not None
    panel.detail.menu.close()


def test_the_keys_of_the_panel_ask_for_the_point_shown(qtbot: QtBot, panel: ReadPanel) -> None:
    with qtbot.waitSignal(panel.odds_requested) as asked:
        assert panel.ask_odds()
    assert asked.args == [samples.readings(2)[-1]]
    panel.clear()
    assert not panel.ask_odds()


# ---- decisions ----------------------------------------------------------------------------------------------


def test_a_decision_and_its_ranges_are_asked_about(qtbot: QtBot, theme: ThemeSource) -> None:
    reasoning = ReasoningPanel(theme)
    reasoning.resize(900, 700)
    qtbot.addWidget(reasoning)
    reasoning.show()
    assert not reasoning.odds_button.isVisible()
    assert not reasoning.ask_odds()
    trace = samples.trace(2)
    reasoning.show_traces((trace,), {})
    with qtbot.waitSignal(reasoning.odds_requested) as asked:
        qtbot.mouseClick(reasoning.odds_button, Qt.MouseButton.LeftButton)
    assert asked.args == [trace]
    reasoning.stages.setCurrentIndex(2)
    shown = next(found for found in reasoning.findChildren(RangeTile) if found.isVisible())
    ask_menu(shown, QPoint(2, 2), QContextMenuEvent.Reason.Mouse)
    with qtbot.waitSignal(reasoning.range_odds_requested) as asked:
        entry(shown.menu, "Odds against Ada's range").trigger()
    assert asked.args is not None
    opening = opening_of_range(asked.args[0])
    assert opening is not None
    assert opening.players[0] == format_cards(trace.observation.hole_cards)
    with qtbot.waitSignal(reasoning.odds_requested) as asked:
        entry(shown.menu, "Odds against all").trigger()
    assert isinstance(shown.menu, RangeMenu)
    shown.menu.close()


# ---- the whole window ---------------------------------------------------------------------------------------


@pytest.fixture
def app(app: App, qtbot: QtBot) -> App:
    """Show the app with a hand at which it is the person's turn."""
    app.begin(table("calling station", "tight-passive", "fold", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    return app


@pytest.fixture
def window(app: App) -> MainWindow:
    return app.window


def play_on(qtbot: QtBot, app: App, key: Qt.Key) -> None:
    press(qtbot, app, key)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)


def hidden_cards(app: App) -> dict[int, tuple[Card, Card]]:
    """Give what the dealer alone knows."""
    assert app.session is not None
    dealer = app.session._dealer
    seats = [view.seat for view in app.session._moments[-1].seats if view.seat != app.session.hero]
    return {seat: dealer.private_event(seat).hole_cards for seat in seats}


def calculator(window: MainWindow) -> OddsWindow:
    assert window.odds.window is not None
    return window.odds.window


def open_line(qtbot: QtBot, window: MainWindow, line: int) -> OddsWindow | None:
    """Open a line of the log by its number, and wait for the calculator; None if it is refused."""
    opened: list[str] = []
    window.odds.refused.connect(opened.append)
    before = None if window.odds.window is None else window.odds.window.model.entered
    if window.odds.window is not None:
        window.odds.window.model.entry.set_question(())
        before = window.odds.window.model.entered
    window.panels.log._ask(line)
    qtbot.waitUntil(
        lambda: bool(opened) or (window.odds.window is not None and window.odds.window.model.entered != before),
        timeout=PATIENCE,
    )
    window.odds.refused.disconnect(opened.append)
    return None if opened else window.odds.window


def test_no_line_of_the_running_hand_reveals_a_hidden_card(qtbot: QtBot, app: App, window: MainWindow) -> None:
    own = format_cards(app.session._moments[-1].hole_cards) if app.session is not None else ""
    hidden = hidden_cards(app)
    assert len(hidden) == 3
    for line in range(len(window.panels.log._written)):
        odds = open_line(qtbot, window, line)
        if odds is None:
            continue
        rows = odds.model.entered.rows
        assert rows[0].name == "You"
        assert rows[0].text == own
        assert odds.model.entered.dead.cards == ()
        for row in rows[1:]:
            assert not row.hole_cards, "nobody else's hand is known"
            assert row.hands is not None
            for cards in hidden.values():  # a range that knew them would leave out what they block
                for card in cards:
                    assert any(row.hands.weights[combo_of(card, other)] for other in range(52) if other != card)


def test_decisions_stay_sealed_until_the_hand_is_over(qtbot: QtBot, app: App, window: MainWindow) -> None:
    window.docks.by_name["reasoning"].raise_()
    assert not window.panels.reasoning.odds_button.isVisible()
    assert app.session is not None
    app.session.set_study(True)
    traces = app.session.open_traces()
    assert traces
    app.session.set_study(False)
    window.odds.open_decision(traces[0])  # as if a panel still held it
    assert window.odds.window is None
    assert "sealed until the hand is over" in shown_text(window.message)
    while app.session.stage is not Stage.HAND_OVER:
        play_on(qtbot, app, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: window.panels.reasoning.odds_button.isVisible(), timeout=PATIENCE)
    qtbot.mouseClick(window.panels.reasoning.odds_button, Qt.MouseButton.LeftButton)
    row = window.panels.reasoning.decisions.currentRow()
    trace = window.panels.reasoning._traces[row]
    assert calculator(window).model.entered.rows[0].text == format_cards(trace.observation.hole_cards)
    assert calculator(window).model.entered.rows[0].name == trace.observation.me.name


def test_a_line_of_an_earlier_hand_opens_with_its_chips(qtbot: QtBot, app: App, window: MainWindow) -> None:
    assert app.session is not None
    while app.session.stage is not Stage.HAND_OVER:
        play_on(qtbot, app, Qt.Key.Key_C)
    last = app.session._moments[-1]
    told = len(window.panels.log._written)
    play_on(qtbot, app, Qt.Key.Key_Space)
    assert app.session.progress[0] == 2
    qtbot.keyClick(window, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert len(window.panels.log._written) == told
    browser = lines(window.panels.log)
    window.docks.by_name["log"].raise_()
    qtbot.waitUntil(browser.isVisible)
    browser.setFocus()
    qtbot.keyClick(browser, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.odds.window is not None, timeout=PATIENCE)
    model = calculator(window).model
    assert model.entered.board.cards == last.board
    assert model.entered.rows[0].text == format_cards(last.hole_cards)
    shown = {view.name: format_cards(view.shown) for view in last.seats if view.shown and view.seat != last.seat}
    for row in model.entered.rows[1:]:
        assert bool(row.hole_cards) == (row.name in shown), "who mucked keeps his secret"
        assert row.text == shown.get(row.name, row.text)


def test_a_point_opens_with_the_pot_in_the_chosen_units(qtbot: QtBot, app: App, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.panels.point is not None, timeout=PATIENCE)
    point = window.panels.point
    assert point is not None
    window.menus.units.setChecked(True)
    window.odds.open_point(point)
    odds = calculator(window)
    pot, big_blind = sum(view.committed for view in point.observation.seats), point.observation.big_blind
    assert odds.model.entered.pot == pytest.approx(pot / big_blind)
    assert odds.model.entered.pot < pot
    window.menus.units.setChecked(False)
    window.odds.open_point(point)
    assert odds.model.entered.pot == pot


def test_the_question_before_comes_back_by_undo_and_the_window_to_the_front(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    window.odds.open().model.entry.set_question(["AA", "KK"])
    calculator(window).showMinimized()
    session = app.session
    assert session is not None
    qtbot.waitUntil(lambda: session.readings.is_idle and window.panels.point is not None, timeout=PATIENCE)
    point = window.panels.point
    assert point is not None
    window.odds.open_point(point)
    odds = calculator(window)
    assert not odds.isMinimized()
    assert odds.isVisible()
    assert odds.model.entered.rows[0].name == "You"
    assert odds.model.entered.pot == point.observation.pot
    odds.model.entry.undo_stack.undo()
    assert [row.text for row in odds.model.entered.rows] == ["AA", "KK"]
    assert odds.model.entered.pot is None
    odds.model.entry.undo_stack.redo()
    for row, prediction in zip(odds.model.entered.rows[1:], point.predictions, strict=True):
        assert isinstance(row.hands, Range)
        wanted = prediction.posterior / prediction.posterior.max()
        assert np.allclose(row.hands.weights, wanted, rtol=5e-3, atol=1e-5)


def test_study_mode_tells_the_cards_of_who_folded(qtbot: QtBot, app: App, window: MainWindow) -> None:
    assert app.session is not None
    app.session.set_study(True)
    hidden = hidden_cards(app)
    folded: list[int] = []
    while app.session.stage is not Stage.HAND_OVER and not folded:
        seats = app.session._moments[-1].seats
        folded = [view.seat for view in seats if view.is_folded and view.seat != app.session.hero]
        if not folded:
            play_on(qtbot, app, Qt.Key.Key_C)
    assert folded, "with this seed somebody folds"

    def has_read_the_fold() -> bool:
        point = window.panels.point
        return point is not None and all(view.is_folded for view in point.observation.seats if view.seat in folded)

    qtbot.waitUntil(has_read_the_fold, timeout=PATIENCE)
    assert window.panels.point is not None
    window.odds.open_point(window.panels.point)
    rows = {row.name: row for row in calculator(window).model.entered.rows}
    for view in window.panels.point.observation.seats:
        if view.seat in folded:
            assert rows[view.name].is_folded
            assert rows[view.name].text == format_cards(hidden[view.seat])
        elif view.seat != app.session.hero:
            assert not rows[view.name].hole_cards, "of who is in the hand the range stands"
