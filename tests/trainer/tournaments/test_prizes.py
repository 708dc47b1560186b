"""The window of prizes by real keys and clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine.game.format_file import built_in
from engine.game.formats import SeatConfig
from tests.trainer.gestures import opened, strike, tool_tip, type_into
from trainer.app import App
from trainer.jobs import Jobs
from trainer.theme import ThemeSource
from trainer.tournaments.prizes_model import EMPTY, PrizesModel, entered_of
from trainer.tournaments.prizes_window import PrizesWindow

WAIT = 20_000  # milliseconds; no kernel is compiled for this
SHIFTED = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> PrizesWindow:
    return opened(qtbot, PrizesWindow(theme, PrizesModel(jobs)))


def shown(labels: list[QLabel]) -> list[str]:
    return [label.text() for label in labels]


def test_stacks_and_prizes_are_typed_by_keys_alone(qtbot: QtBot, window: PrizesWindow) -> None:
    """Harville by hand: the first of 50, 30 and 20 chips is second with 0.3 * 50/70 + 0.2 * 50/80."""
    assert window.message.text() == EMPTY
    window.stacks[0].setFocus()
    for stack in ("5,000", "3000", "2 000"):
        with qtbot.waitSignal(window.model.changed, timeout=WAIT):
            QTest.keyClicks(window.focusWidget(), stack)
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    with qtbot.waitSignal(window.model.changed, timeout=WAIT):
        type_into(window.prizes, "70 30")
    qtbot.waitUntil(lambda: window.results[0][1].text() == "45.18", timeout=WAIT)
    second = 0.3 * 5 / 7 + 0.2 * 5 / 8
    assert shown(window.results[0]) == ["50.0%", "45.18", f"{0.7 * 0.5 + 0.3 * second:.1%}"]
    assert shown(window.opponents[:4]) == ["Player 1", "Player 2", "Player 3", ""]
    assert shown(window.needed[3]) == [""] * 10
    assert not window.message.isVisible()


def test_a_premium_is_told_in_words(qtbot: QtBot, window: PrizesWindow) -> None:
    for stack in window.stacks[:3]:
        type_into(stack, "10")
    type_into(window.names[0], "Ann")
    type_into(window.names[2], "<b>")
    type_into(window.prizes, "1, 1")
    qtbot.waitUntil(lambda: window.needed[0][2].text() == "66.7%", timeout=WAIT)
    assert shown(window.needed[0][:3]) == ["–", "66.7%", "66.7%"]
    tip = tool_tip(window.needed[0][1], window.needed[0][1].rect().center())
    assert tip == "Ann needs 66.7% all-in with Player 2: a risk premium of 16.7 points"
    assert window.opponents[2].text() == "<b>"


def test_who_has_no_chips_is_out(qtbot: QtBot, window: PrizesWindow) -> None:
    """A stack of 0 was refused, in the third row as that of player 2 where the second was empty."""
    for field, stack in zip(window.stacks, ("5000", "0", "3000"), strict=False):
        type_into(field, stack)
    type_into(window.prizes, "70 30")
    qtbot.waitUntil(lambda: window.results[0][1].text() == "55.00", timeout=WAIT)
    assert shown(window.results[1]) == ["", "", ""]
    assert window.message.text() == ""


@pytest.mark.parametrize(
    ("stacks", "prizes", "said"),
    [
        (("10", "x"), "1", "The stack of Player 2 is no number such as 1500 or 12.5: 'x'."),
        (("10", "0"), "1", EMPTY),
        (("10", "10"), "1 2", "Place 1 wins 1 and place 2 more, 2."),
        (("10", "10"), "one", "A prize is no number such as 1500 or 12.5: 'one'."),
        (("10", "10"), "3 2 1", "There are 3 prizes for 2 players"),
        (("10", ""), "1", EMPTY),
        (("10", "10"), " ,", EMPTY),
    ],
)
def test_what_is_wrong_is_said_and_nothing_old_stays(
    qtbot: QtBot, window: PrizesWindow, stacks: tuple[str, str], prizes: str, said: str
) -> None:
    for field in window.stacks[:2]:
        type_into(field, "10")
    type_into(window.prizes, "1")
    qtbot.waitUntil(lambda: window.results[0][1].text() == "0.50", timeout=WAIT)
    for field, text in zip(window.stacks, stacks, strict=False):
        type_into(field, text)
        if not text:
            QTest.keyClick(field, Qt.Key.Key_Delete)
    type_into(window.prizes, prizes)
    qtbot.waitUntil(lambda: said in window.message.text(), timeout=WAIT)
    assert window.message.isVisible()
    assert shown(window.results[0]) == ["", "", ""]
    assert not window.copy.isEnabled()


def test_all_of_it_is_copied(qtbot: QtBot, window: PrizesWindow) -> None:
    for field in window.stacks[:2]:
        type_into(field, "10")
    type_into(window.prizes, "1")
    qtbot.waitUntil(lambda: window.copy.isEnabled(), timeout=WAIT)
    qtbot.mouseClick(window.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Player\tStack\tChips\tWorth\tPrizes\tAll-in with Player 1\tAll-in with Player 2",
        "Player 1\t10\t50.0%\t0.50\t50.0%\t–\t50.0%",
        "Player 2\t10\t50.0%\t0.50\t50.0%\t50.0%\t–",
    ]


def test_the_running_tournament_is_taken_once_and_when_asked(qtbot: QtBot, at_table: App) -> None:
    strike(at_table, "P", SHIFTED)
    window = at_table.window.prizes.window
    assert window is not None
    qtbot.waitUntil(lambda: bool(window.results[3][1].text()), timeout=WAIT)
    assert [field.text() for field in window.names[:5]] == ["P0", "P1", "P2", "P3", ""]
    assert [field.text() for field in window.stacks[:5]] == ["1500"] * 4 + [""]
    assert window.prizes.text() == "50, 30, 20"
    assert shown(window.results[0]) == ["25.0%", "25.00", "25.0%"]
    type_into(window.stacks[0], "9000")
    at_table.window.prizes.open()
    assert window.stacks[0].text() == "9000"
    qtbot.mouseClick(window.from_table, Qt.MouseButton.LeftButton)
    assert window.stacks[0].text() == "1500"


def test_who_is_out_plays_for_no_prize() -> None:
    seats = tuple(SeatConfig(name, "nit") for name in ("Ann", "Bob", "Cid", "Dee"))
    config = built_in("tournament").game(seats, seed=3)
    entered = entered_of(config, {0: 3000, 1: 0, 2: 3000, 3: 0})
    assert entered is not None
    assert (entered.names[:3], entered.stacks[:3], entered.prizes) == (
        ("Ann", "Cid", ""),
        ("3000", "3000", ""),
        "50, 30",
    )
    assert entered_of(config, {0: 6000, 1: 0, 2: 0, 3: 0}) is None
    assert entered_of(built_in("cash").game(seats, seed=3), {0: 3000, 1: 3000}) is None


def test_without_a_tournament_there_is_no_table_to_take(qtbot: QtBot, app: App) -> None:
    window = app.window.prizes.open()
    type_into(window.stacks[0], "9000")
    qtbot.mouseClick(window.from_table, Qt.MouseButton.LeftButton)
    assert window.message.text() == "No tournament with prizes is being played at the table."
    assert window.stacks[0].text() == "9000"
    window.close()
