"""The odds window as a user meets it: typing, clicking, picking, painting, cancelling, copying."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.cards import COMBO_COUNT, format_combo, parse_cards
from engine.equity.question import EquityQuestion
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot
from engine.ranges import parse_range
from tests.hostile import is_fit_to_be_shown
from tests.trainer.gestures import PATIENCE, opened, type_into
from trainer.calculator.field import OddsField
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import RunState
from trainer.calculator.window import OddsWindow
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.settings import SettingsFile
from trainer.theme import DARK, LIGHT, ThemeSource

LEFT = Qt.MouseButton.LeftButton
LIMIT = 10.0


class Engine:
    """An engine that never ends by itself: snapshot after snapshot, until nobody listens."""

    def __init__(self) -> None:
        self.closed = threading.Event()
        self.next = threading.Semaphore(1)

    def __call__(self, question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        return self._snapshots(len(question.players))

    def _snapshots(self, players: int) -> Iterator[EquitySnapshot]:
        try:
            count = 0
            while self.next.acquire(timeout=LIMIT):
                count += 1000
                odds = PlayerEquity(0.25, 0.1, 0.3, 0.02)
                yield Snapshot((odds,) * players, Method.SAMPLED, count, 0.5, False, 0.4)
        finally:
            self.closed.set()


@pytest.fixture
def window(qtbot: QtBot, jobs: Jobs, settings: SettingsFile) -> OddsWindow:
    return opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary()))


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = Engine()
    yield made
    made.next.release(100)


@pytest.fixture
def endless(qtbot: QtBot, jobs: Jobs, engine: Engine, settings: SettingsFile) -> OddsWindow:
    return opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary(), OddsModel(jobs, engine)))


def wait_for(qtbot: QtBot, window: OddsWindow, state: RunState) -> None:
    qtbot.waitUntil(lambda: window.model.run.state is state, timeout=PATIENCE)  # the first run may compile


def click(qtbot: QtBot, button: QWidget) -> None:
    qtbot.mouseClick(button, LEFT)


def line(window: OddsWindow, index: int) -> tuple[str, str, str, str]:
    row = window.players.rows[index]
    return row.win.text(), row.tie.text(), row.equity.text(), row.error.text()


def test_it_opens_ready_to_type_and_says_what_is_missing(window: OddsWindow) -> None:
    assert len(window.players.rows) == 2
    assert QApplication.focusWidget() is window.players.rows[0].field
    assert window.controls.result.text() == "Enter the hands or ranges of at least two players."
    assert not window.controls.run.isEnabled()
    assert not window.exchange.copy.isEnabled()
    assert line(window, 0) == ("–", "–", "–", "")
    assert not window.isModal()


def test_typing_two_hands_gives_their_exact_odds(window: OddsWindow, qtbot: QtBot) -> None:
    type_into(window.players.rows[0].field, "AhKh")
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_Tab)
    type_into(window.players.rows[1].field, "QsQd")
    wait_for(qtbot, window, RunState.FINISHED)
    # E1 of the reference answers: 787,966 won, 917,606 lost and 6,732 tied of 1,712,304 boards.
    assert line(window, 0) == ("46.02%", "0.39%", "46.21%", "exact")
    assert line(window, 1) == ("53.59%", "0.39%", "53.79%", "exact")
    assert re.fullmatch(r"Exact: all 1,712,304 deals in [^,]*s", window.controls.result.text())
    assert window.players.rows[0].what.text() == "hand · AhKh"
    assert window.players.rows[0].equity.accessibleName() == "Player 1, equity: 46.21%"
    assert window.players.rows[0].bar.accessibleDescription() == "equity 46.21%"
    assert window.controls.run.text() == "&Run"


def test_a_board_changes_the_odds(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"])
    type_into(window.board.field, "Ks 7d 2h 3c 9s")
    wait_for(qtbot, window, RunState.FINISHED)
    assert line(window, 0)[:3] == ("100.00%", "0.00%", "100.00%"), "a pair of kings beats a pair of queens"
    assert window.controls.result.text().startswith("Exact: the one deal in ")


def test_an_error_is_marked_and_explained_under_its_field_and_the_odds_stay(
    window: OddsWindow, qtbot: QtBot
) -> None:
    window.model.entry.set_question(["AhKh", "QQ"])
    wait_for(qtbot, window, RunState.FINISHED)
    before = line(window, 0)
    row = window.players.rows[1]
    type_into(row.field, "")
    row.field.end(False)
    QTest.keyClicks(row.field, ", zz")
    assert not row.message.isVisible(), "half a word is not complained about while it is typed"
    qtbot.waitUntil(lambda: row.field.is_marked)
    assert row.message.text() == ("'zz' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%. Used instead: QQ.")
    assert row.field.accessibleDescription() == row.message.text()
    left, right = row.field._marked_span()
    metrics = row.field.fontMetrics()
    assert right - left == pytest.approx(
        metrics.horizontalAdvance("QQ, zz") - metrics.horizontalAdvance("QQ, "), abs=2
    )
    assert row.mapTo(window, row.message.pos()).y() > row.mapTo(window, row.field.pos()).y()
    assert line(window, 0) == before
    for _ in range(4):
        QTest.keyClick(row.field, Qt.Key.Key_Backspace)
    assert not row.field.is_marked
    assert not row.message.isVisible()
    assert row.what.text() == "6 combos · 0.5%"


def test_leaving_a_field_shows_its_error_at_once(window: OddsWindow) -> None:
    type_into(window.board.field, "Kx")
    window.dead.field.setFocus()
    assert window.board.field.is_marked
    assert window.board.message.text() == "'Kx' is no card: 'x' is no suit (c d h s)."


def test_a_card_that_lies_elsewhere_is_marked_and_the_odds_stay(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, window, RunState.FINISHED)
    type_into(window.dead.field, "Kh")
    qtbot.waitUntil(lambda: window.dead.field.is_marked)
    assert window.dead.message.text() == "The Kh is in Player 1's hand."
    assert line(window, 0)[2] == "46.21%"
    type_into(window.players.rows[0].field, "AcKc")
    assert window.dead.message.text() == "", "now it is free"
    assert window.model.entered.dead.cards == parse_cards("Kh")


def test_what_cannot_be_dealt_together_is_told_at_the_rows(
    window: OddsWindow, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    window.model.entry.set_question(["AA", "KK", "AA", "AA"])
    wait_for(qtbot, window, RunState.FAILED)
    assert not [record for record in caplog.records if record.exc_info], "it is no fault of the program"
    assert window.players.rows[0].message.isVisible()
    assert window.players.rows[0].message.text() == window.controls.result.text()
    assert not window.players.rows[1].message.isVisible()


def test_players_come_and_go(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AA", "KK"])
    click(qtbot, window.players.add)
    assert QApplication.focusWidget() is window.players.rows[2].field
    QTest.keyClicks(window.players.rows[2].field, "QQ")
    click(qtbot, window.players.rows[0].remove)
    assert [row.field.text() for row in window.players.rows] == ["KK", "QQ"]
    assert [row.name.text() for row in window.players.rows] == ["Player 1", "Player 2"]
    assert not window.players.rows[0].remove.isEnabled()
    for _ in range(8):
        QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert len(window.players.rows) == 10
    assert not window.players.add.isEnabled()
    click(qtbot, window.tools.clear)
    assert [row.field.text() for row in window.players.rows] == ["", ""]


def test_cancel_keeps_the_partial_result_and_says_so(endless: OddsWindow, engine: Engine, qtbot: QtBot) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, endless, RunState.RUNNING)
    assert endless.controls.run.text() == "&Cancel"
    assert endless.controls.progress.value() == 400
    click(qtbot, endless.controls.run)
    assert endless.model.run.state is RunState.STOPPED, "at once, whatever the worker does"
    assert endless.controls.run.text() == "&Run"
    assert line(endless, 0) == ("25.00%", "10.00%", "30.00%", "±2.00%")
    assert endless.controls.result.text().startswith("Partial, stopped by you: 1,000 deals sampled")
    engine.next.release()
    assert engine.closed.wait(LIMIT), "the worker stops at its next snapshot"


def test_escape_cancels_and_f5_runs_again(endless: OddsWindow, engine: Engine, qtbot: QtBot) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, endless, RunState.RUNNING)
    QTest.keyClick(endless, Qt.Key.Key_Escape)
    assert endless.model.run.state is RunState.STOPPED
    assert endless.isVisible()
    engine.next.release(2)
    QTest.keyClick(endless, Qt.Key.Key_F5)
    wait_for(qtbot, endless, RunState.RUNNING)


def type_deals(qtbot: QtBot, window: OddsWindow, text: str) -> None:
    qtbot.mouseClick(window.controls.samples.findChild(QLineEdit), LEFT)
    window.controls.samples.selectAll()
    QTest.keyClicks(window.controls.samples, text)


@pytest.mark.parametrize("how", ["run", "run on", "F5", "F6", "Alt+R"])
def test_a_typed_number_of_deals_is_run_at_once(
    endless: OddsWindow, engine: Engine, how: str, qtbot: QtBot
) -> None:
    model, controls = endless.model, endless.controls
    model.entry.take_line("AhKh | QsQd | samples 5000")
    wait_for(qtbot, endless, RunState.RUNNING)
    model.run.pause()
    type_deals(qtbot, endless, "20000")
    if how in ("run", "run on"):
        click(qtbot, controls.run if how == "run" else controls.pause)
    elif how == "Alt+R":
        QTest.keyClick(endless, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    else:
        QTest.keyClick(endless, Qt.Key.Key_F5 if how == "F5" else Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: model.run.state is RunState.WAITING, timeout=PATIENCE)
    assert model.entered.samples == 20_000
    engine.next.release(2)  # the question before may take one
    wait_for(qtbot, endless, RunState.RUNNING)


def test_cancel_cancels_whatever_is_typed(endless: OddsWindow, qtbot: QtBot) -> None:
    endless.model.entry.take_line("AhKh | QsQd | samples 5000")
    wait_for(qtbot, endless, RunState.RUNNING)
    type_deals(qtbot, endless, "20000")
    click(qtbot, endless.controls.run)
    assert endless.model.run.state is RunState.STOPPED
    assert endless.model.entered.samples == 20_000


def test_closing_stops_the_run(endless: OddsWindow, engine: Engine, qtbot: QtBot) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, endless, RunState.RUNNING)
    endless.close()
    engine.next.release()
    assert engine.closed.wait(LIMIT)


def test_snapshots_refine_the_line(endless: OddsWindow, engine: Engine, qtbot: QtBot) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    qtbot.waitUntil(lambda: "1,000 deals" in endless.controls.result.text())
    seen: set[int] = set()

    def has_refined() -> bool:
        engine.next.release()
        shown = re.fullmatch(
            r"So far: ([\d,]+) deals sampled, 40% of the work done, 0.50 s, .* per second",
            endless.controls.result.text(),
        )
        assert shown is not None
        seen.add(int(shown[1].replace(",", "")))
        return len(seen) >= 3

    qtbot.waitUntil(has_refined)
    assert min(seen) == 1000


def test_the_method_and_the_number_of_deals(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"])
    assert not window.controls.samples.isEnabled()
    window.controls.method.setFocus()
    QTest.keyClick(window.controls.method, Qt.Key.Key_End)
    assert window.controls.samples.isEnabled()
    window.controls.samples.setValue(5_000)
    wait_for(qtbot, window, RunState.FINISHED)
    assert window.controls.result.text().startswith("Sampled: 5,000 deals in ")
    assert line(window, 0)[3].startswith("±")
    QTest.keyClick(window.controls.method, Qt.Key.Key_Up)
    wait_for(qtbot, window, RunState.FINISHED)
    assert window.controls.result.text().startswith("Exact: all 1,712,304 deals")


def test_picking_a_board(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"])
    click(qtbot, window.board.pick)
    buttons = window.picker.buttons
    ah, ks = parse_cards("Ah Ks")
    assert not buttons[ah].isEnabled()
    assert buttons[ah].accessibleDescription() == "in Player 1's hand"
    click(qtbot, buttons[ks])
    assert window.controls.result.text() == "The flop needs 2 more cards."
    for card in parse_cards("7d 2h"):
        click(qtbot, buttons[card])
    window.picker.close()
    assert window.board.field.text() == "Ks 7d 2h"
    wait_for(qtbot, window, RunState.FINISHED)
    # 45 cards left for turn and river: 990 run-outs.
    assert window.controls.result.text().startswith("Exact: all 990 deals")


def test_a_click_on_a_board_place_replaces_that_card(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AA", "QQ"], "Ks 7d 2h")
    assert window.board.slots is not None
    click(qtbot, window.board.slots.slots[1])
    click(qtbot, window.picker.buttons[parse_cards("8d")[0]])
    window.picker.close()
    assert window.board.field.text() == "Ks 8d 2h"


def test_picking_hole_cards_waits_for_the_second(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AA", "QsQd"])
    click(qtbot, window.players.rows[0].pick)
    ah, kh = parse_cards("Ah Kh")
    click(qtbot, window.picker.buttons[ah])
    assert window.players.rows[0].field.text() == "AA"
    click(qtbot, window.picker.buttons[kh])
    assert window.players.rows[0].field.text() == "AhKh"
    window.picker.close()


def test_picking_dead_cards(window: OddsWindow, qtbot: QtBot) -> None:
    click(qtbot, window.dead.pick)
    for card in parse_cards("2c 3c 4c 5c 6c 7c"):
        click(qtbot, window.picker.buttons[card])
    window.picker.close()
    assert window.dead.field.text() == "2c 3c 4c 5c 6c 7c"


def menu_actions(button: QWidget) -> list[str]:
    assert isinstance(button, QAbstractButton)
    menu = button.menu()  # type: ignore[attr-defined]
    return [action.text() for action in menu.actions()]


def test_random_boards_and_taking_streets_back(window: OddsWindow) -> None:
    deal = next(b for b in window.findChildren(QAbstractButton) if b.text() == "Random")
    clear = next(b for b in window.findChildren(QAbstractButton) if b.text() == "Clear")
    assert menu_actions(deal) == [
        "Up to the flop (3 cards)",
        "Up to the turn (4 cards)",
        "Up to the river (5 cards)",
    ]
    assert menu_actions(clear) == ["All", "Turn and river", "River"]
    deal.menu().actions()[2].trigger()  # type: ignore[attr-defined]
    five = window.model.entered.board.cards
    assert len(five) == 5
    clear.menu().actions()[1].trigger()  # type: ignore[attr-defined]
    assert window.model.entered.board.cards == five[:3]
    assert parse_cards(window.board.field.text()) == five[:3]


def test_painting_a_range_follows_at_once(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QQ"], "Ks 7d 2h", names=["Anna", "Bo"])
    click(qtbot, window.players.rows[1].preview)
    editor = window.ranges.editor
    assert editor.windowTitle() == "Range of Bo"
    assert not editor.isModal()
    cell = editor.grid.cell_rect(0).center()
    qtbot.mouseClick(editor.grid, LEFT, pos=QPoint(round(cell.x()), round(cell.y())))
    assert parse_range(window.players.rows[1].field.text()) == parse_range("AA,QQ")
    assert window.players.rows[1].what.text() == "12 combos · 0.9%"
    wait_for(qtbot, window, RunState.FINISHED)
    window.model.entry.set_question(["AA", "KK"])
    assert not editor.isVisible(), "an editor does not outlive its row"


def test_undo_in_a_field_brings_back_what_a_picker_replaced(window: OddsWindow, qtbot: QtBot) -> None:
    field = window.players.rows[0].field
    type_into(field, "22+")
    click(qtbot, window.players.rows[0].pick)
    for card in parse_cards("Ah Kh"):
        click(qtbot, window.picker.buttons[card])
    window.picker.close()
    assert field.text() == "AhKh"
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.model.entered.rows[0].hands == parse_range("22+")


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_copying(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, window, RunState.FINISHED)
    for action, form in zip(window.exchange.results, ("text", "markdown", "csv", "json"), strict=True):
        action.trigger()
        assert clipboard() == window.model.report(form) != ""
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_L, CTRL | SHIFT)
    assert clipboard() == "AhKh | QsQd"
    assert "on the clipboard" in window.notice.text()
    window.model.entry.set_question(["AA"])
    assert window.notice.text() == ""
    assert window.exchange.copy.isEnabled()
    assert not window.exchange.results[0].isEnabled()


def test_results_can_be_copied_once_they_are_of_this_question(
    endless: OddsWindow, engine: Engine, qtbot: QtBot
) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, endless, RunState.RUNNING)
    assert endless.exchange.results[0].isEnabled()
    endless.model.entry.set_board_text("Ks 7d 2h")
    assert not endless.exchange.results[0].isEnabled()
    assert endless.exchange.line.isEnabled()
    engine.next.release(2)  # the question before may take one
    wait_for(qtbot, endless, RunState.RUNNING)
    assert endless.exchange.results[0].isEnabled()


CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_a_long_range_is_pasted_whole(endless: OddsWindow) -> None:
    text = ", ".join(f"{format_combo(combo)}:0.{combo + 1000:018d}" for combo in range(COMBO_COUNT))
    assert len(text) > 32767, "as many as a text field of Qt takes by itself"
    field = endless.players.rows[0].field
    QGuiApplication.clipboard().setText(text)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_V, CTRL)
    assert endless.model.entered.rows[0].hands == parse_range(text)
    field.selectAll()
    QGuiApplication.clipboard().setText(text + ", random" * 3000)
    QTest.keyClick(field, Qt.Key.Key_V, CTRL)
    error = endless.model.entered.rows[0].error
    assert error is not None
    assert error.message.startswith("A range has 50,000 characters at most, and this has")


@pytest.mark.parametrize("place", ["row", "board", "dead", "window"])
def test_a_whole_question_can_be_pasted_anywhere(window: OddsWindow, place: str) -> None:
    window.model.entry.set_question(["22", "33"])
    QGuiApplication.clipboard().setText("Anna = AhKh | QQ | board Ks7d2h\n")
    fields = {"row": window.players.rows[1].field, "board": window.board.field, "dead": window.dead.field}
    if place == "window":
        QTest.keyClick(window, Qt.Key.Key_V, CTRL | SHIFT)
    else:
        fields[place].setFocus()
        QTest.keyClick(fields[place], Qt.Key.Key_V, CTRL)
    assert [row.field.text() for row in window.players.rows] == ["AhKh", "QQ"]
    assert window.players.rows[0].name.text() == "Anna"
    assert window.board.field.text() == "Ks 7d 2h"
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_Z, CTRL)
    assert [row.field.text() for row in window.players.rows] == ["22", "33"]


@pytest.mark.parametrize(
    "text", ["AhKh | \x1b[2Jzz\u202e", "AhKh | [50" + " " * 100_000, "\x1b[2J\u202e | AA" * 200]
)
def test_a_hostile_question_is_told_in_a_sentence_fit_to_be_shown(window: OddsWindow, text: str) -> None:
    window.model.entry.set_question(["22", "33"])
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_V, CTRL)
    assert window.notice.isVisible()
    assert is_fit_to_be_shown(window.notice.text())
    assert [row.field.text() for row in window.players.rows] == ["22", "33"]


def test_a_bad_question_is_told_and_nothing_is_lost(window: OddsWindow) -> None:
    window.model.entry.set_question(["22", "33"])
    QGuiApplication.clipboard().setText("AhKh | zz")
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_V, CTRL)
    assert window.notice.isVisible()
    assert window.notice.text() == "This is no question: 'zz' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%."
    assert [row.field.text() for row in window.players.rows] == ["22", "33"]
    QGuiApplication.clipboard().setText("44")
    window.players.rows[0].field.selectAll()
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_V, CTRL)
    assert window.players.rows[0].field.text() == "44", "what is no question is pasted as ever"
    assert not window.notice.isVisible()


def test_cards_between_bars_are_cards(window: OddsWindow) -> None:
    QGuiApplication.clipboard().setText("Ks|7d|2h")
    window.board.field.setFocus()
    QTest.keyClick(window.board.field, Qt.Key.Key_V, CTRL)
    assert window.model.entered.board.cards == parse_cards("Ks7d2h")
    QGuiApplication.clipboard().setText("AA|KK")
    QTest.keyClick(window.board.field, Qt.Key.Key_V, CTRL)
    assert [row.field.text() for row in window.players.rows] == ["AA", "KK"]


def test_saving_and_opening(window: OddsWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.model.entry.set_question(["AhKh", "22+"], "Ks 7d 2h", names=["Anna", "Bo"])
    line = window.model.entry.line()
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_S, CTRL)
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()
    path = tmp_path / "flop.odds.txt"
    window.exchange.save_as(str(path))
    assert window.notice.text() == "Saved as flop.odds.txt."
    click(qtbot, window.tools.clear)
    window.exchange.take_file(str(path))
    assert window.model.entry.line() == line
    window.model.entry.undo_stack.undo()
    assert window.model.entry.line() == ""
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\x00")
    for name, said in (
        (bad, "bad.txt is no text file."),
        (tmp_path / "gone.txt", "gone.txt cannot be read: No such file or directory."),
        (tmp_path / "\x1b[2J\u202e.txt", "\ufffd[2J\ufffd.txt cannot be read: No such file or directory."),
    ):
        window.model.entry.set_question(["AA", "KK"])
        window.exchange.take_file(str(name))
        assert window.notice.text() == said
        assert window.model.entry.line() == "AA | KK"
    window.exchange.save_as(str(tmp_path / "no folder" / "a.odds.txt"))
    assert window.notice.text().startswith("a.odds.txt cannot be written: ")


def test_dropping_a_file_or_a_line(window: OddsWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.odds.txt"
    path.write_text("AA | KK\n")
    file, text, other = QMimeData(), QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(path))])
    text.setText("QQ | JJ")
    other.setText("QQ")
    assert window.exchange.can_take(file)
    assert window.exchange.can_take(text)
    assert not window.exchange.can_take(other)
    for data, line_now in ((file, "AA | KK"), (text, "QQ | JJ")):
        place, action, no_key = QPointF(5, 5), Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        entering = QDragEnterEvent(place.toPoint(), action, data, LEFT, no_key)
        window.dragEnterEvent(entering)
        assert entering.isAccepted()
        window.dropEvent(QDropEvent(place, action, data, LEFT, no_key))
        assert window.model.entry.line() == line_now


def test_a_field_leaves_files_and_whole_questions_to_the_window_and_takes_other_text(window: OddsWindow) -> None:
    window.model.entry.set_question(["AA", ""])
    (field, *_) = window.findChildren(OddsField)
    file, text, hand = QMimeData(), QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile("a.odds.txt")])
    text.setText("QQ | JJ")
    hand.setText("KK")
    for data, is_taken in ((file, False), (text, False), (hand, True)):
        place, action, no_key = QPointF(5, 5), Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        for event in (
            QDragEnterEvent(place.toPoint(), action, data, LEFT, no_key),
            QDragMoveEvent(place.toPoint(), action, data, LEFT, no_key),
            QDropEvent(place, action, data, LEFT, no_key),
        ):
            field.event(event)
            assert event.isAccepted() == is_taken
    assert "KK" in field.text()


def test_the_size_and_the_last_question_come_back(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, settings: SettingsFile
) -> None:
    first = opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary()))
    first.resize(700, 480)
    first.model.entry.set_question(["AhKh", "22+,A2s+"], "Ks 7d 2h", names=["Anna, the first", ""])
    line = first.model.entry.line()
    first.close()
    again = SettingsFile(tmp_path / "soulread.ini")
    assert again.notice == ""
    second = opened(qtbot, OddsWindow(ThemeSource(), jobs, again, RangeLibrary()))
    assert second.size() == QSize(700, 480)
    assert second.model.entry.line() == line
    second.model.entry.undo_stack.undo()
    assert [row.field.text() for row in second.players.rows] == ["", ""]


def test_a_last_question_that_cannot_be_read_is_passed_over(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, caplog: pytest.LogCaptureFixture, settings: SettingsFile
) -> None:
    settings.change(odds_question="AA | zz")
    window = opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary()))
    assert window.model.entry.line() == ""
    assert "The last question cannot be read" in caplog.text


def test_undo_and_redo_by_key_and_button(window: OddsWindow, qtbot: QtBot) -> None:
    assert not window.tools.undo.isEnabled()
    type_into(window.players.rows[0].field, "AhKh")
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_Tab)
    type_into(window.players.rows[1].field, "QQ")
    click(qtbot, window.tools.clear)
    assert window.tools.undo.accessibleName() == "Undo clear all"
    field = window.players.rows[0].field
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert [row.field.text() for row in window.players.rows] == ["AhKh", "QQ"]
    QTest.keyClick(window.players.rows[1].field, Qt.Key.Key_Z, CTRL)
    assert [row.field.text() for row in window.players.rows] == ["AhKh", ""]
    click(qtbot, window.tools.undo)
    assert [row.field.text() for row in window.players.rows] == ["", ""]
    assert not window.tools.undo.isEnabled()
    QTest.keyClick(field, Qt.Key.Key_Y, CTRL)
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL | SHIFT)
    click(qtbot, window.tools.redo)
    assert [row.field.text() for row in window.players.rows] == ["", ""]
    assert not window.tools.redo.isEnabled()


def test_undo_reaches_the_number_of_deals(window: OddsWindow) -> None:
    window.controls.method.setCurrentIndex(2)
    edit = window.controls.samples.findChild(QLineEdit)
    assert edit is not None
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "5000")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert window.model.entered.samples == 5000
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert window.controls.method.currentIndex() == 0
    assert window.model.entered.samples is None


def test_the_menu_of_a_field_undoes_the_windows_steps(window: OddsWindow) -> None:
    window.model.entry.set_question(["AA", "KK"])
    menu = window.players.rows[0].field._make_menu()
    undo = next(action for action in menu.actions() if action.text().startswith("Undo"))
    undo.trigger()
    assert window.players.rows[0].field.text() == ""
    menu.deleteLater()


def test_a_hand_is_folded_and_comes_back(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QsQd", "random"])
    row = window.players.rows[1]

    def entry(start: str) -> QAction:
        row.menu.aboutToShow.emit()
        return next(action for action in row.menu.actions() if action.text().replace("&", "").startswith(start))

    entry("Fold").trigger()
    assert row.what.text() == "folded hand · QsQd"
    wait_for(qtbot, window, RunState.FINISHED)
    assert line(window, 1)[0] == "–"
    assert line(window, 2)[0] != "–"
    entry("Bring back").trigger()
    assert row.what.text() == "hand · QsQd"
    entry("Random hand").trigger()
    assert len(window.model.entered.rows[1].hole_cards) == 2
    entry("Move up").trigger()
    assert window.players.rows[0].field.text() != "AhKh"
    assert not entry("Duplicate").isEnabled()


def name_dialog(window: OddsWindow, index: int) -> QInputDialog:
    row = window.players.rows[index]
    row.menu.aboutToShow.emit()
    next(action for action in row.menu.actions() if action.text().startswith("&Name")).trigger()
    dialog = window.findChild(QInputDialog)
    assert dialog is not None
    return dialog


def test_naming_a_player(window: OddsWindow) -> None:
    dialog = name_dialog(window, 1)
    dialog.setTextValue("Bo")
    dialog.accept()
    assert window.players.rows[1].name.text() == "Bo"


def test_a_name_is_not_given_to_a_player_of_another_question(window: OddsWindow) -> None:
    window.model.entry.set_question(["AA", "KK"])
    dialog = name_dialog(window, 1)
    window.model.entry.set_question(["22", "33"], names=["Ann", "Cy"])  # as the table does
    dialog.setTextValue("Bo")
    dialog.accept()
    assert [row.name for row in window.model.entered.rows] == ["Ann", "Cy"]


def test_pause_and_run_on(endless: OddsWindow, engine: Engine, qtbot: QtBot) -> None:
    assert not endless.controls.pause.isEnabled()
    endless.model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, endless, RunState.RUNNING)
    click(qtbot, endless.controls.pause)
    assert endless.model.run.state is RunState.PAUSED
    assert endless.controls.pause.text() == "Run o&n"
    assert endless.controls.progress.value() == 400
    assert line(endless, 0)[2] == "30.00%"
    engine.next.release(3)
    QTest.keyClick(endless, Qt.Key.Key_F6)
    wait_for(qtbot, endless, RunState.RUNNING)
    assert endless.controls.pause.text() == "&Pause"


def test_no_two_controls_have_the_same_mnemonic(endless: OddsWindow, qtbot: QtBot) -> None:
    endless.model.entry.set_question(["AhKh", "QsQd"])
    keys: list[str] = []
    labelled: list[QAbstractButton | QLabel] = []
    labelled += endless.findChildren(QAbstractButton)
    labelled += endless.findChildren(QLabel)
    for widget in labelled:
        if widget.isVisible() and widget.window() is endless and "&" in widget.text():
            keys.append(widget.text().partition("&")[2][0].upper())
    assert len(keys) >= 12
    assert len(keys) == len(set(keys)), keys
    assert "N" not in keys, "kept for running on"


def test_every_control_has_a_name_and_can_be_reached_by_tab(window: OddsWindow) -> None:
    window.model.entry.set_question(["AhKh", "QsQd", "random"])
    controls = [
        child
        for child in window.findChildren(QWidget)
        if isinstance(child, QAbstractButton | QLineEdit | QComboBox | QAbstractSpinBox)
        and child.isVisible()
        and child.window() is window
        and not isinstance(child.parent(), QAbstractSpinBox)
    ]
    for control in controls:
        name = control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else "")
        assert name, control
    reached: set[QWidget] = set()
    for _ in range(3 * len(controls)):
        focus = QApplication.focusWidget()
        assert focus is not None
        reached.add(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    missed = [c.accessibleName() for c in controls if c.isEnabled() and c not in reached]
    assert missed == []


def test_tab_goes_on_as_one_reads_and_arrows_from_player_to_player(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AA", "KK"])
    window.model.entry.add_player()
    qtbot.waitUntil(window.players.rows[2].isVisible)
    window.players.rows[1].field.setFocus()
    reached = []
    for _ in range(5):
        focus = QApplication.focusWidget()
        assert focus is not None
        reached.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    row = window.players.rows[1]
    assert reached == [row.field, row.preview, row.pick, row.more, row.remove]
    assert QApplication.focusWidget() is window.players.rows[2].field
    QTest.keyClick(window.players.rows[2].field, Qt.Key.Key_Up)
    QTest.keyClick(window.players.rows[1].field, Qt.Key.Key_Up)
    assert QApplication.focusWidget() is window.players.rows[0].field
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_Up)
    QTest.keyClick(window.players.rows[0].field, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is window.players.rows[1].field


def test_the_range_editor_follows_what_is_typed_and_undone(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QQ"])
    click(qtbot, window.players.rows[1].preview)
    type_into(window.players.rows[1].field, "JJ+")
    assert window.ranges.editor.model.hands == parse_range("JJ+")
    steps = window.model.entry.undo_stack.count()
    window.model.entry.undo_stack.undo()
    assert window.ranges.editor.model.hands == parse_range("QQ")
    assert window.model.entry.undo_stack.count() == steps, "what is undone can be redone"


def test_panels_stand_beside_the_players(window: OddsWindow) -> None:
    assert window.panels.isVisible()
    assert window.panels.count() >= 7
    assert window.panels.mapTo(window, QPoint(0, 0)).x() > window.players.mapTo(window, QPoint(0, 0)).x()


@pytest.mark.every(3)
@pytest.mark.parametrize(("width", "height"), [(760, 560), (1240, 660), (640, 360)])
def test_it_fits_small_screens_and_follows_the_theme(window: OddsWindow, width: int, height: int) -> None:
    window.model.entry.set_question(["AhKh", *["22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+"] * 9], "Ks 7d 2h")
    window.resize(width, height)
    assert (window.width(), window.height()) == (width, height)
    row = window.players.rows[0]
    assert row.remove.geometry().right() <= row.width()
    assert window.players.area.horizontalScrollBar().maximum() == 0
    theme = window.players._theme
    pictures = []
    for look in (LIGHT, DARK):
        theme.theme = look
        theme.changed.emit(look)
        pictures.append(row.bar.grab().toImage())
        assert window.players.rows[1].what.palette().windowText().color().name() == look.text_muted
    assert pictures[0] != pictures[1]


def test_a_percentage_means_the_same_in_a_row_and_in_the_editor(window: OddsWindow, qtbot: QtBot) -> None:
    window.players.rows[0].preview.click()
    qtbot.waitUntil(window.ranges.editor.isVisible)
    window.ranges.editor.field.clear()
    qtbot.keyClicks(window.ranges.editor.field, "15%")
    assert window.players.rows[0].field.text() == "15%"
    window.ranges.editor.ranking_box.setCurrentIndex(5)
    assert window.players.rows[0].field.text() == "15%"
    assert window.model.entered.rows[0].hands == parse_range("15%", opponents=6)
    window.model.entry.set_player_text(1, "15%")
    assert window.model.entered.rows[1].hands == window.model.entered.rows[0].hands
    for _ in range(3):
        window.model.entry.undo_stack.undo()
    assert (window.ranges.editor.model.ranking, window.ranges.editor.ranking_box.currentIndex()) == (1, 0)


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key wherever the focus is."""
    target = QApplication.activePopupWidget() or QApplication.focusWidget()
    assert target is not None
    QTest.keyClick(target, key, modifier)


def test_a_whole_question_without_a_mouse(window: OddsWindow, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClicks(QApplication.focusWidget(), "AhKh")
    press(Qt.Key.Key_Down)
    QTest.keyClicks(QApplication.focusWidget(), "QQ+")
    press(Qt.Key.Key_N, control)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.players.rows[2].field)
    press(Qt.Key.Key_L, control)
    qtbot.waitUntil(window.ranges.library.search.hasFocus)
    QTest.keyClicks(window.ranges.library.search, "Suited aces")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.players.rows[2].field.text() == "A2s+")
    qtbot.waitUntil(window.players.rows[2].field.hasFocus)
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Space)  # the picture of the range opens the editor on its grid
    qtbot.waitUntil(window.ranges.editor.grid.hasFocus)
    press(Qt.Key.Key_Space)  # aces are painted
    press(Qt.Key.Key_Escape)
    assert window.model.entered.rows[2].hands == parse_range("AA,A2s+")
    window.activateWindow()  # as window managers do when another window closes
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    press(Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(QApplication.focusWidget(), "Ks 7d 2h")
    wait_for(qtbot, window, RunState.FINISHED)
    before = window.model.entry.line()
    press(Qt.Key.Key_L, control | Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.clipboard().text() == before == "AhKh | QQ+ | AA,A2s+ | board Ks7d2h"
    press(Qt.Key.Key_Z, control)
    assert window.model.entry.line() == "AhKh | QQ+ | AA,A2s+"
    press(Qt.Key.Key_Y, control)
    assert window.model.entry.line() == before


def test_few_players_have_large_pictures_of_their_ranges(window: OddsWindow) -> None:
    window.resize(1240, 900)
    window.model.entry.set_question(["AA", "KK"])
    large = window.players.rows[0].preview.sizeHint().width()
    window.model.entry.set_question(["random"] * 10)
    small = window.players.rows[0].preview.sizeHint().width()
    assert large > 1.5 * small
    assert small >= 13 * 2


def test_the_library_of_a_row_follows_it_and_goes_with_it(window: OddsWindow, qtbot: QtBot) -> None:
    window.model.entry.set_question(["AhKh", "QQ", "JJ"])
    window.players.rows[2]._fill_menu()
    entry = next(action for action in window.players.rows[2].menu.actions() if "Library" in action.text())
    entry.trigger()
    qtbot.waitUntil(window.ranges.library.isVisible)
    type_into(window.players.rows[2].field, "TT+")
    window.ranges.library.name.setText("Mine")
    click(qtbot, window.ranges.library.save_button)
    saved = window.ranges.library.library.find("", "Mine")
    assert saved is not None
    assert saved.hands == parse_range("TT+")
    window.model.entry.remove_player(2)
    assert not window.ranges.library.isVisible()


def test_beside_a_large_picture_the_words_have_a_line_of_their_own(
    qtbot: QtBot, jobs: Jobs, settings: SettingsFile
) -> None:
    window = opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary()))
    row = window.players.rows[0]
    line = row.fontMetrics().height()
    row.set_preview_side(6 * line)
    qtbot.waitUntil(lambda: row.what.y() > row.win.geometry().bottom())
    row.set_preview_side(3 * line)
    qtbot.waitUntil(lambda: row.what.geometry().center().y() in range(row.win.y(), row.win.geometry().bottom() + 1))
