"""The window of short stacks by real keys and clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.cards import CLASS_COUNT, class_name, class_of, combo_of
from engine.game.events import GameKind, HandStarted, SeatStart
from engine.ranges import parse_range
from engine.tournaments.push_or_fold import PushGame, game_of, solve
from tests.trainer.gestures import PATIENCE, choose_by_keys, opened, strike, type_into
from trainer.app import App
from trainer.jobs import Jobs
from trainer.theme import ThemeSource
from trainer.tournaments.push_model import LANE, NO_HAND, PushModel, entered_of
from trainer.tournaments.push_window import PushWindow

SHIFTED = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
CELLS = {class_name(cell): cell for cell in range(CLASS_COUNT)}


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> PushWindow:
    return opened(qtbot, PushWindow(theme, PushModel(jobs)))


def wait_for(qtbot: QtBot, window: PushWindow, title: str) -> None:
    qtbot.waitUntil(lambda: window.chart.title.text() == title, timeout=PATIENCE)


def test_one_stack_is_that_of_all(qtbot: QtBot, window: PushWindow) -> None:
    wait_for(qtbot, window, "UTG with 10 bb: nobody is in")
    choose_by_keys(window.players, "2")
    wait_for(qtbot, window, "BTN with 10 bb: nobody is in")
    type_into(window.stacks, "12.5")
    wait_for(qtbot, window, "BTN with 12.5 bb: nobody is in")
    assert window.chart.names[0].text() == "All-in"
    expected = 100 * next(solve(PushGame(stacks_bb=(12.5, 12.5)), 1, 10_000)).pushing(0).fraction

    def shown() -> float:
        return float(window.chart.shares[0].text().partition("%")[0])

    qtbot.waitUntil(lambda: abs(shown() - expected) < 3, timeout=PATIENCE)


def test_stacks_and_prizes_of_each_are_typed(qtbot: QtBot, window: PushWindow) -> None:
    type_into(window.stacks, "8, 12.5/5 20")
    assert not window.players.isEnabled()
    type_into(window.prizes, "60 40")
    choose_by_keys(window.position, "BB")
    assert window.faced.itemText(0) == "CO all-in"
    choose_by_keys(window.faced, "BTN and SB all-in")
    wait_for(qtbot, window, "BB with 20 bb: BTN and SB go all-in")
    assert window.model.game == PushGame(stacks_bb=(8, 12.5, 5, 20), prizes=(60, 40))
    assert window.chart.names[0].text() == "Call"
    window.chart.grid.setFocus()
    QTest.keyClick(window.chart.grid, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: window.chart.detail.text().startswith("AA: call 100%"), timeout=PATIENCE)


def test_tab_goes_through_the_fields_as_they_stand(qtbot: QtBot, window: PushWindow) -> None:
    window.stacks.setFocus()
    fields = (window.players, window.ante, window.big_blind_ante, window.prizes, window.position, window.faced)
    for field in fields:
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        assert window.focusWidget() is field
    type_into(window.stacks, "8 12.5 5")
    assert window.players.currentText() == "3"


@pytest.mark.parametrize(
    ("stacks", "prizes", "said"),
    [
        ("x", "", "A stack is no number such as 12.5: 'x'."),
        ("", "", "Push or fold is for 2 to 9 players, not 0."),
        ("5 0", "", "A stack is 0.1 to 1000 big blinds, not 0 (BB)."),
        ("5 5", "one", "A prize is no number such as 12.5: 'one'."),
        ("5 5", "1 2", "Place 1 wins 1 and place 2 more, 2."),
        ("5 " * 12, "", "Push or fold is for 2 to 9 players, not 10."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_old_stays(
    qtbot: QtBot, window: PushWindow, jobs: Jobs, stacks: str, prizes: str, said: str
) -> None:
    wait_for(qtbot, window, "UTG with 10 bb: nobody is in")
    window.stacks.selectAll()
    QTest.keyClick(window.stacks, Qt.Key.Key_Delete)
    QTest.keyClicks(window.stacks, stacks)
    QTest.keyClicks(window.prizes, prizes)
    assert window.chart.message.text() == said
    assert window.chart.message.isVisible()
    assert window.chart.title.text() == window.chart.note.text() == ""
    assert not window.chart.copy.isEnabled()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert window.chart.message.text() == said
    type_into(window.prizes, "")
    QTest.keyClick(window.prizes, Qt.Key.Key_Delete)
    type_into(window.stacks, "7")
    qtbot.waitUntil(lambda: window.chart.title.text().endswith(" with 7 bb: nobody is in"), timeout=PATIENCE)


def test_the_range_is_copied(qtbot: QtBot, window: PushWindow) -> None:
    wait_for(qtbot, window, "UTG with 10 bb: nobody is in")
    qtbot.mouseClick(window.chart.copy, Qt.MouseButton.LeftButton)
    title, range_line = QGuiApplication.clipboard().text().splitlines()
    assert title == "UTG with 10 bb: nobody is in"
    assert parse_range(range_line.partition(": ")[2]).weights[parse_range("AA").weights > 0].all()


def test_nothing_is_worked_out_behind_a_closed_window(qtbot: QtBot, window: PushWindow, jobs: Jobs) -> None:
    wait_for(qtbot, window, "UTG with 10 bb: nobody is in")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isVisible() and jobs.is_idle(LANE), timeout=PATIENCE)
    deals = window.chart.note.text()
    window.show()
    qtbot.waitUntil(lambda: window.chart.note.text() not in (deals, ""), timeout=PATIENCE)


def test_the_hand_at_the_table_is_taken(qtbot: QtBot, at_table: App) -> None:
    strike(at_table, "F", SHIFTED)
    window = at_table.window.push.window
    assert window is not None
    qtbot.mouseClick(window.from_table, Qt.MouseButton.LeftButton)
    assert at_table.window.model.view is not None
    own = at_table.window.model.view.own
    started = own.events[0]
    assert isinstance(started, HandStarted)
    entered, order = entered_of(started)
    assert (window.stacks.text(), window.prizes.text()) == (entered.stacks, "50 30 20")
    assert window.position.currentIndex() == order.index(own.seat)
    name = window.position.currentText()
    qtbot.waitUntil(lambda: window.chart.title.text().startswith(f"{name} with"), timeout=PATIENCE)
    hand = class_name(class_of(combo_of(*own.hole_cards)))
    assert window.chart.detail.text().startswith(f"{hand}: ")


def test_without_a_hand_there_is_no_table_to_take(qtbot: QtBot, app: App) -> None:
    window = app.window.push.open()
    qtbot.mouseClick(window.from_table, Qt.MouseButton.LeftButton)
    assert window.chart.message.text() == NO_HAND
    app.window.push.close()


@pytest.mark.parametrize(
    ("seats", "button", "order"),
    [((0, 1), 0, (0, 1)), ((2, 5), 5, (5, 2)), ((0, 1, 4), 1, (1, 4, 0)), ((0, 2, 3, 7), 3, (2, 3, 7, 0))],
)
def test_the_order_of_acting_is_from_the_left_of_the_big_blind(
    seats: tuple[int, ...], button: int, order: tuple[int, ...]
) -> None:
    """Of two the button is the small blind and first, of three it is first, too."""
    started = HandStarted(
        hand_number=1,
        kind=GameKind.TOURNAMENT,
        seats=tuple(SeatStart(seat, f"P{seat}", 100 * (seat + 1)) for seat in seats),
        button=button,
        small_blind=40,
        big_blind=100,
        ante=10,
        big_blind_ante=0,
        payouts=(50, 30, 20),
    )
    game, found = game_of(started)
    assert found == order
    assert game.stacks_bb == tuple(seat + 1.0 for seat in order)
    assert (game.small_blind_bb, game.ante_bb) == (0.4, 0.1)
    assert game.prizes == (50.0, 30.0, 20.0)[: len(seats)]
