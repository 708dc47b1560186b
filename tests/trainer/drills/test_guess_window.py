"""Guessing ranges by clicks and keys, about hands that were played and stored; never about a running one."""

import re

import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.cards import combo_of, parse_cards
from engine.game.events import ActionTaken
from tests.trainer.gestures import PATIENCE, play_out, press, wait_for_stage
from tests.trainer.session_driver import table
from tests.trainer.storage.test_imports import hand
from tests.trainer.test_layout import cut
from trainer.app import App
from trainer.drills.guess_model import KIND, NO_HANDS, GuessModel, Stage
from trainer.drills.guess_window import GuessWindow
from trainer.jobs import Jobs
from trainer.ranges.editing_model import count_text
from trainer.session.amounts import Units
from trainer.session.types import Stage as TableStage

GAME = table("calling station", "maniac", "tight-passive", seed=3)


def opened(app: App) -> GuessWindow:
    QTest.keyClick(app.window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    window = app.window.drills.guesses
    assert window is not None
    assert window.isVisible()
    window.activateWindow()
    return window


def play_hands(qtbot: QtBot, app: App, hands: int) -> None:
    """Fold hands, so that most end without the player and none is chosen by its showdown."""
    app.begin(GAME)
    for _ in range(hands):
        play_out(qtbot, app)
        press(qtbot, app, Qt.Key.Key_Space)
    wait_for_stage(qtbot, app, TableStage.YOUR_TURN, TableStage.HAND_OVER)


def asked(qtbot: QtBot, window: GuessWindow) -> None:
    qtbot.waitUntil(lambda: window.model.stage is Stage.ASKING, timeout=PATIENCE)


def amount_of(window: GuessWindow) -> int:
    """Return the chips of the action asked about, as the question has them; 0 for a check."""
    event = window.model.spot.observation.events[-1] if window.model.spot is not None else None
    assert isinstance(event, ActionTaken)
    return event.action.raise_to or event.amount


def test_without_hands_a_sentence_says_what_is_missing(qtbot: QtBot, app: App) -> None:
    window = opened(app)
    qtbot.waitUntil(lambda: window.model.stage is Stage.EMPTY, timeout=PATIENCE)
    assert window.question.text() == NO_HANDS
    assert not window.done.isEnabled()


def test_hands_from_elsewhere_are_not_asked_about(qtbot: QtBot, app: App) -> None:
    """There all hole cards are known only because both players have shown them."""
    told = hand(1, names=("Zoë", "Ann"), text="c x x x x x x x")
    cards = {seat: parse_cards(text) for seat, text in ((0, "AhAc"), (1, "KhKc"))}
    record = structs.replace(told.record, hole_cards=cards)
    assert app.store.imports.add([structs.replace(told, record=record)]).new == 1
    window = opened(app)
    qtbot.waitUntil(lambda: window.model.stage is not Stage.LOADING, timeout=PATIENCE)
    assert window.model.stage is Stage.EMPTY
    assert window.question.text() == NO_HANDS


def test_a_range_is_painted_judged_and_kept(qtbot: QtBot, app: App, jobs: Jobs) -> None:
    play_hands(qtbot, app, 2)
    running = app.session.progress[0] if app.session is not None else 0
    window = opened(app)
    window.resize(1008, 600)
    for number in range(3):
        asked(qtbot, window)
        spot = window.model.spot
        assert spot is not None
        assert spot.observation.hand_number < running, "a hand that is still played"
        assert spot.observation.view(spot.seat).shown is None
        QTest.keyClick(window.grid, Qt.Key.Key_Return)
        assert window.model.stage is Stage.ASKING, "nothing is painted yet"
        assert window.painted.text().startswith("Drag over the grid")
        place = window.grid.cell_rect(0).center().toPoint()
        QTest.mousePress(window.grid, Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseMove(window.grid, place + QPoint(60, 0))
        QTest.mouseRelease(window.grid, Qt.MouseButton.LeftButton, pos=place + QPoint(60, 0))
        assert window.grid.hands.combo_count > 0
        assert window.painted.text().startswith(count_text(window.grid.hands)), "how much it is, as in the editor"
        QTest.keyClick(window.grid, Qt.Key.Key_Return)
        QApplication.processEvents()
        assert window.model.stage is Stage.ANSWERED
        assert window.model.guess is not None
        guess = window.model.guess
        chances = (guess.you.probability, guess.reader.probability, guess.uniform)
        told = re.findall(r"\b1 in ([\d,]+(?:\.\d)?)", window.verdict.text())
        assert [float(one.replace(",", "")) for one in told] == pytest.approx(
            [1 / chance for chance in chances], abs=0.51
        )
        # Of a hand that was left out remains its part of 2% of all hands.
        was_painted = combo_of(*spot.hole_cards) in window.grid.hands.weights.nonzero()[0]
        assert was_painted == (guess.you.probability > 1e-4)
        assert window.trend.text().startswith(f"{number + 1} guess")
        assert not window.painted.isVisible()
        assert cut(window) == []
        assert window.spot.table.width() > 0.9 * window.spot.width(), "nothing stands beside the table"
        assert window.size() == QSize(1008, 600)
        assert window.read.cell_rect(0).width() > 15, "the reader's range can be read"
        QTest.keyClick(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(app.store.records.all(KIND)) == 3, timeout=PATIENCE)
    again = GuessModel(jobs, 1, app.store)
    with qtbot.waitSignal(again.changed, timeout=PATIENCE):
        pass
    assert again.trend == window.model.trend


def test_the_question_has_the_units_of_the_table(qtbot: QtBot, app: App) -> None:
    play_hands(qtbot, app, 2)
    window = opened(app)
    asked(qtbot, window)
    while not amount_of(window):
        window.model.ask()
        asked(qtbot, window)
    spot = window.model.spot
    assert spot is not None
    for in_big_blinds in (False, True):
        assert app.window.menus.units.isChecked() == in_big_blinds
        amount = Units.of(spot.observation, in_big_blinds).text(amount_of(window))
        assert f" {amount}" in window.question.text()
        assert f" {amount}" in window.line.text()
        assert window.line.isVisible()
        app.window.menus.units.trigger()


@pytest.mark.slow
def test_a_range_is_told_by_its_kinds(qtbot: QtBot, app: App) -> None:
    play_hands(qtbot, app, 1)
    window = opened(app)
    asked(qtbot, window)
    window.ways.setCurrentIndex(1)
    window.sliders[0].setFocus()
    QTest.keyClick(window.sliders[0], Qt.Key.Key_End)
    assert window.shares[0].text() == "57%"
    assert cut(window) == []
    QTest.mouseClick(window.done, Qt.MouseButton.LeftButton)
    assert window.model.stage is Stage.ANSWERED
    assert " held " in window.verdict.text()
    assert "Your range has it 1 in " in window.verdict.text()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
