"""The window of charts by real keys and clicks: spots that are chosen, and decisions of the table."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.agents.value_reasons import rounded_parts
from engine.cards import CLASS_COUNT, class_name, class_of, combo_of
from engine.ranges import parse_range
from engine.training.exercise import Drill
from engine.training.usual_play import Facing, Population, PreflopSpot, preflop_events, usual_play
from tests.trainer.drills.test_window import begin
from tests.trainer.gestures import (
    PATIENCE,
    choose_by_keys,
    menu_entry,
    opened,
    press,
    strike,
    tool_tip,
    wait_for_stage,
    wait_until_read,
)
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.jobs import Jobs
from trainer.session.types import Stage
from trainer.theme import ThemeSource
from trainer.usual_play.usual_play_model import LANE, NOBODY_ACTED, UsualPlayModel
from trainer.usual_play.window import UsualPlayWindow
from trainer.widgets.action_grid import action_colours

SHIFTED = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
CELLS = {class_name(cell): cell for cell in range(CLASS_COUNT)}


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> UsualPlayWindow:
    made = opened(qtbot, UsualPlayWindow(theme, UsualPlayModel(jobs)))
    wait_for_chart(qtbot, jobs)
    return made


def wait_for_chart(qtbot: QtBot, jobs: Jobs) -> None:
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)


def shown_shares(window: UsualPlayWindow) -> dict[str, str]:
    return {
        name.text(): share.text()
        for name, share in zip(window.chart.names, window.chart.shares, strict=True)
        if name.isVisible()
    }


def expected_shares(spot: PreflopSpot) -> list[str]:
    totals = usual_play(preflop_events(spot)).totals[::-1]
    return [f"{part:.1f}%" for part in rounded_parts(totals.tolist(), 1)]


def test_a_spot_is_chosen_by_keys(qtbot: QtBot, window: UsualPlayWindow, jobs: Jobs) -> None:
    assert window.chart.title.text() == "UTG: nobody is in"
    choose_by_keys(window.position, "BB")
    assert window.faced.findText("nobody is in") < 0
    choose_by_keys(window.faced, "BTN raises to 2.5 bb")
    choose_by_keys(window.population, "Online, small stakes")
    window.opening.setFocus()
    QTest.keyClick(window.opening, Qt.Key.Key_Up)
    window.stack.setFocus()
    QTest.keyClick(window.stack, Qt.Key.Key_Down)
    wait_for_chart(qtbot, jobs)
    assert window.chart.title.text() == "BB: BTN raises to 3 bb"
    spot = PreflopSpot(
        position="BB",
        facing=Facing.RAISE,
        other="BTN",
        stack_bb=90,
        opening_bb=3,
        population=Population.SMALL_STAKES,
    )
    assert shown_shares(window) == dict(zip(("Raise", "Call", "Fold"), expected_shares(spot), strict=True))


def test_tab_goes_through_the_fields_as_they_stand(qtbot: QtBot, window: UsualPlayWindow, jobs: Jobs) -> None:
    choose_by_keys(window.position, "BB")
    choose_by_keys(window.faced, "BTN raises to 2.5 bb")
    window.seats.setFocus()
    for field in (window.position, window.faced, window.stack, window.opening, window.population, window.at_table):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        assert window.focusWidget() is field


def test_what_does_not_fit_a_smaller_table_becomes_what_does(
    qtbot: QtBot, window: UsualPlayWindow, jobs: Jobs
) -> None:
    choose_by_keys(window.faced, "you raise to 2.5 bb, BTN 3-bets")
    choose_by_keys(window.seats, "2")
    wait_for_chart(qtbot, jobs)
    assert window.chart.title.text() == "BTN: nobody is in"
    assert not window.population.isEnabled()
    assert window.stack.minimum() == 8
    assert [window.position.itemText(at) for at in range(window.position.count())] == ["BTN", "BB"]
    choose_by_keys(window.position, "BB")
    choose_by_keys(window.faced, "BTN calls the big blind")
    wait_for_chart(qtbot, jobs)
    assert set(shown_shares(window)) == {"Raise", "Check"}


def test_what_stacks_do_not_allow_is_said(qtbot: QtBot, window: UsualPlayWindow, jobs: Jobs) -> None:
    choose_by_keys(window.seats, "2")
    choose_by_keys(window.faced, "you raise to 2.5 bb, BB 3-bets")
    for field, text in ((window.stack, "8"), (window.opening, "10")):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
    wait_for_chart(qtbot, jobs)
    assert window.chart.message.text() == "With 8 big blinds all are in before a 3-bet."
    assert not shown_shares(window)
    assert not window.chart.copy.isEnabled()


def test_cells_are_painted_as_their_hands_are_played(qtbot: QtBot, window: UsualPlayWindow) -> None:
    """Under the gun aces are raised and seven-two is folded, whatever else."""
    fold, _, raised = action_colours(window.chart._theme.theme, can_check=False)
    picture = window.chart.grid.grab().toImage()
    ratio = picture.devicePixelRatio()
    for name, colour in (("AA", raised), ("72o", fold)):
        corner = window.chart.grid.cell_rect(CELLS[name]).topLeft().toPoint() + QPoint(3, 3)
        assert QColor(picture.pixel(corner * ratio)) == colour


def test_a_cell_is_described_by_mouse_and_keys(qtbot: QtBot, window: UsualPlayWindow) -> None:
    place = window.chart.grid.cell_rect(CELLS["72o"]).center().toPoint()
    assert tool_tip(window.chart.grid, place) == "72o: raise 0%, call 0%, fold 100%"
    qtbot.mouseMove(window.chart.grid, place)
    assert window.chart.detail.text() == "72o: raise 0%, call 0%, fold 100%"
    window.chart.grid.setFocus()
    QTest.keyClick(window.chart.grid, Qt.Key.Key_Home)
    assert window.chart.detail.text() == "AA: raise 100%, call 0%, fold 0%"


def test_ranges_are_copied_as_they_are_typed_elsewhere(qtbot: QtBot, window: UsualPlayWindow) -> None:
    qtbot.mouseClick(window.chart.copy, Qt.MouseButton.LeftButton)
    title, raised, called, _ = QGuiApplication.clipboard().text().splitlines()
    assert title == "UTG: nobody is in"
    hands = parse_range(raised.partition(": ")[2])
    assert hands == usual_play(preflop_events(PreflopSpot(position="UTG"))).range_of(2)
    assert called.startswith("Call 0.1%:")


@pytest.fixture
def at_table(qtbot: QtBot, app: App) -> Iterator[App]:
    app.begin(table("calling station", seed=5))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    yield app
    app.window.charts.close()


def test_the_decision_at_the_table_is_followed_until_a_spot_is_wanted(qtbot: QtBot, at_table: App) -> None:
    strike(at_table, "K", SHIFTED)
    window = at_table.window.charts.window
    assert window is not None
    assert at_table.session is not None
    view = at_table.window.model.view
    assert view is not None
    own = view.own
    qtbot.waitUntil(lambda: window.chart.title.text() == "Hand 1, your decision before the flop", timeout=PATIENCE)
    assert not window.form.isEnabled()
    cell = class_of(combo_of(*own.hole_cards))
    assert window.chart.detail.text().startswith(f"{class_name(cell)}: ")
    press(qtbot, at_table, Qt.Key.Key_C)
    wait_for_stage(qtbot, at_table, Stage.YOUR_TURN)
    wait_until_read(qtbot, at_table)
    qtbot.waitUntil(lambda: window.chart.title.text() == "Hand 1, your decision on the flop", timeout=PATIENCE)
    assert {"Bet", "Check"} >= set(shown_shares(window))
    board = at_table.window.model.view.own.board
    on_board = class_of(combo_of(*board[:2]))
    assert window.model.view is not None
    assert len(window.model.view.combos(on_board)) < 6
    qtbot.mouseClick(window.at_table, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.chart.title.text() == "UTG: nobody is in", timeout=PATIENCE)
    assert window.form.isEnabled()
    press(qtbot, at_table, Qt.Key.Key_C)
    wait_for_stage(qtbot, at_table, Stage.YOUR_TURN)
    wait_until_read(qtbot, at_table)
    assert window.chart.title.text() == "UTG: nobody is in"


def test_an_earlier_point_is_that_of_its_action(qtbot: QtBot, at_table: App) -> None:
    window = at_table.window.charts.open()
    press(qtbot, at_table, Qt.Key.Key_C)
    wait_for_stage(qtbot, at_table, Stage.YOUR_TURN)
    wait_until_read(qtbot, at_table)
    qtbot.mouseClick(window.at_table, Qt.MouseButton.LeftButton)
    panel, titles = at_table.window.panels.read_panel, []
    while panel.model.position > 0:
        wait_until_read(qtbot, at_table)
        wait_for_chart(qtbot, at_table.window._jobs)
        titles.append(window.chart.title.text())
        qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    wait_until_read(qtbot, at_table)
    assert titles[0] == "Hand 1, your decision on the flop"
    assert any(title.startswith("Hand 1, preflop: you c") for title in titles), titles
    assert window.chart.message.text() == NOBODY_ACTED


def test_the_decision_of_an_exercise_stays_while_the_table_goes_on(qtbot: QtBot, at_table: App) -> None:
    drills = at_table.window.drills.open()
    exercise = begin(qtbot, drills, Drill.BLUFF_CATCHING)
    QTest.keyClick(drills, Qt.Key.Key_1)
    QTest.keyClick(drills, Qt.Key.Key_C)
    window = at_table.window.charts.window
    assert window is not None
    title = f"Exercise, your decision on the {exercise.observation.street.name.lower()}"
    qtbot.waitUntil(lambda: window.chart.title.text() == title, timeout=PATIENCE)
    press(qtbot, at_table, Qt.Key.Key_C)
    wait_for_stage(qtbot, at_table, Stage.YOUR_TURN)
    wait_until_read(qtbot, at_table)
    wait_for_chart(qtbot, at_table.window._jobs)
    assert window.chart.title.text() == title


def test_without_a_hand_there_is_no_decision(qtbot: QtBot, app: App) -> None:
    assert not menu_entry(app.window, "What is usual here").isEnabled()
    window = app.window.charts.open()
    qtbot.mouseClick(window.at_table, Qt.MouseButton.LeftButton)
    assert window.chart.message.text() == NOBODY_ACTED
    wait_for_chart(qtbot, app.window._jobs)
    assert window.chart.message.isVisible()
    assert not shown_shares(window)
    app.window.charts.close()
