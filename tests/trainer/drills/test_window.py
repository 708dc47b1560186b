"""The drills by keys and clicks alone: choose, answer, read why, open the odds calculator, see the results."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.game.events import ActionKind, ActionTaken
from engine.game.observation import Observation
from engine.training.exercise import Drill, Exercise
from tests.trainer.drills.test_drills_model import Memory, asked, right
from tests.trainer.gestures import PATIENCE, click, opened
from tests.trainer.test_layout import cut
from trainer.app import App
from trainer.calculator.opening_model import OddsOpening
from trainer.drills.drills_model import DrillsModel, Stage
from trainer.drills.window import DrillsWindow
from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

KEPT: list[DrillsWindow] = []
"""In the app the window stays until the end. Python must not forget its parts before Qt has destroyed them here."""


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path) -> DrillsWindow:
    settings = SettingsFile(tmp_path / "soulread.ini")
    made = DrillsWindow(theme, DrillsModel(jobs, 3, records=Memory()), settings)
    KEPT.append(made)
    opened(qtbot, made)
    made.activateWindow()
    return made


def key(window: DrillsWindow, pressed: Qt.Key) -> None:
    """Press a key where the window has its focus."""
    QTest.keyClick(window.windowHandle(), pressed)
    QApplication.processEvents()


def number_key(number: int) -> Qt.Key:
    return Qt.Key(Qt.Key.Key_0 + number)


def begin(qtbot: QtBot, window: DrillsWindow, drill: Drill) -> Exercise:
    key(window, number_key(list(Drill).index(drill) + 2))
    return asked(qtbot, window.model)


def test_a_number_is_typed_and_entered_and_then_enter_goes_on(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.POT_ODDS)
    assert window.page.question.text() == exercise.question
    assert exercise.number is not None
    for sign in f"{exercise.number.value:.1f}":
        key(window, Qt.Key(ord(sign)))
    key(window, Qt.Key.Key_Return)
    assert window.model.stage is Stage.ANSWERED
    assert window.page.verdict.text().startswith("Right: 100 points.")
    assert exercise.explanation[0] in window.page.why.text()
    key(window, Qt.Key.Key_Return)
    assert asked(qtbot, window.model) is not exercise
    assert window.page.number.text() == ""
    assert window.page.number.hasFocus()
    assert not window.page.verdict.isVisible()


def test_what_is_no_number_is_asked_again(qtbot: QtBot, window: DrillsWindow) -> None:
    begin(qtbot, window, Drill.POT_ODDS)
    for sign in "AB":
        key(window, Qt.Key(ord(sign)))
    key(window, Qt.Key.Key_Return)
    assert window.model.stage is Stage.ASKING
    assert "“ab” is no number" in window.page.hint.text().lower()


def test_choices_have_keys_and_arrows(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.AHEAD)
    key(window, number_key(int(right(exercise)) + 1))
    assert window.model.answers[-1].points == 100
    key(window, Qt.Key.Key_Space)
    exercise = asked(qtbot, window.model)
    for _ in exercise.choices:  # to the last one, where further ones lead nowhere
        key(window, Qt.Key.Key_Down)
        key(window, Qt.Key.Key_Right)
    for _ in range(len(exercise.choices) - 1 - int(right(exercise))):
        key(window, Qt.Key.Key_Left)
    key(window, Qt.Key.Key_Return)
    assert [one.points for one in window.model.answers] == [100, 100]


def test_a_key_that_stands_for_no_choice_does_nothing(qtbot: QtBot, window: DrillsWindow) -> None:
    begin(qtbot, window, Drill.AHEAD)
    key(window, Qt.Key.Key_9)
    key(window, Qt.Key.Key_Return)
    key(window, Qt.Key.Key_O)
    assert (window.model.stage, window.model.answers) == (Stage.ASKING, [])


def test_a_choice_is_clicked(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.BLUFF_CATCHING)
    assert not window.page.spot.range.isVisible()
    click(window.page.choices[int(right(exercise))])
    assert window.page.verdict.text().startswith("Right: 100 points.")
    assert window.page.spot.range.isVisible()
    click(window.page.next)
    assert window.model.stage in (Stage.LOADING, Stage.ASKING)


def test_o_opens_the_spot_in_the_odds_calculator(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.BLUFF_CATCHING)
    asked_for: list[OddsOpening] = []
    window.odds_requested.connect(asked_for.append)
    key(window, Qt.Key.Key_1)
    key(window, Qt.Key.Key_O)
    (opening,) = asked_for
    assert opening.players[1] == next(iter(exercise.ranges.values()))
    assert opening.to_call == exercise.observation.legal.call_amount if exercise.observation.legal else False


def test_c_asks_for_the_chart_of_a_decision_and_only_there(qtbot: QtBot, window: DrillsWindow) -> None:
    asked_for: list[Observation] = []
    window.chart_requested.connect(asked_for.append)
    exercise = begin(qtbot, window, Drill.BLUFF_CATCHING)
    key(window, Qt.Key.Key_C)
    assert not asked_for
    key(window, Qt.Key.Key_1)
    key(window, Qt.Key.Key_C)
    click(window.page.chart)
    assert asked_for == [exercise.observation] * 2
    key(window, Qt.Key.Key_Escape)
    key(window, Qt.Key.Key_Escape)
    begin(qtbot, window, Drill.AHEAD)
    key(window, Qt.Key.Key_1)
    assert window.page.odds.isVisible()
    assert not window.page.chart.isVisible()
    key(window, Qt.Key.Key_C)
    assert len(asked_for) == 2


def test_esc_leads_to_the_results_then_to_the_choice_and_out(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.AHEAD)
    key(window, number_key(int(right(exercise)) + 1))
    key(window, Qt.Key.Key_Escape)
    assert window.pages.currentWidget() is window.results
    assert "1 of 1 right" in window.results.summary.text()
    key(window, Qt.Key.Key_Escape)
    assert window.pages.currentWidget() is window.choosing
    assert "1 answer, 100 points" in window.choosing.standing[4].text()
    key(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_enter_begins_everything_and_after_the_results_another_set(qtbot: QtBot, window: DrillsWindow) -> None:
    key(window, Qt.Key.Key_Return)
    exercise = asked(qtbot, window.model)
    window.model.take_answer(right(exercise))
    key(window, Qt.Key.Key_Escape)
    key(window, Qt.Key.Key_Return)
    asked(qtbot, window.model)
    assert window.model.answers == []


@pytest.mark.parametrize("drill", [Drill.OUTS, Drill.KINDS, Drill.BLUFF_CATCHING])
def test_nothing_is_cut(qtbot: QtBot, window: DrillsWindow, drill: Drill) -> None:
    window.resize(1000, 640)
    assert cut(window) == []
    exercise = begin(qtbot, window, drill)
    assert cut(window) == []
    window.model.take_answer(right(exercise))
    assert cut(window) == []
    window.model.stop()
    assert cut(window) == []


def test_what_was_done_before_is_told_where_a_range_hangs_on_it(qtbot: QtBot, window: DrillsWindow) -> None:
    exercise = begin(qtbot, window, Drill.BLUFF_CATCHING)
    assert window.page.line.isVisible()
    line = window.page.line.text()
    actions = [event for event in exercise.observation.events if isinstance(event, ActionTaken)]
    done = [event for event in actions if event.action.kind is not ActionKind.FOLD]
    assert line.count(", ") + line.count(": ") == len(done)
    assert [word for word in ("Preflop:", "Flop:", "Turn:", "River:") if word in line.split()] == [
        "Preflop:",
        "Flop:",
        "Turn:",
        "River:",
    ]
    for pressed in (Qt.Key.Key_Escape, Qt.Key.Key_Escape):
        key(window, pressed)
    begin(qtbot, window, Drill.AHEAD)
    assert not window.page.line.isVisible()


@pytest.mark.parametrize(("drill", "is_alone"), [(Drill.OUTS, True), (Drill.BLUFF_CATCHING, False)])
def test_a_table_has_the_room_that_no_range_will_need(
    qtbot: QtBot, window: DrillsWindow, drill: Drill, is_alone: bool
) -> None:
    window.resize(1100, 760)
    exercise = begin(qtbot, window, drill)
    table, spot = window.page.spot.table, window.page.spot
    qtbot.waitUntil(lambda: (table.width() > 0.9 * spot.width()) == is_alone)
    width = table.width()
    window.model.take_answer(right(exercise))
    QApplication.processEvents()
    assert abs(table.width() - width) < 8, "the answer moves nothing to the side"
    assert spot.range.isVisible() is not is_alone


def test_the_menu_opens_the_drills_and_the_calculator_takes_their_spot(qtbot: QtBot, app: App) -> None:
    QTest.keyClick(app.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    window = app.window.drills.window
    assert window is not None
    assert window.isVisible()
    window.model.start(Drill.EQUITY)
    exercise = asked(qtbot, window.model)
    window.model.take_answer(right(exercise))
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_O)
    assert app.window.odds.window is not None
    rows = app.window.odds.window.model.entered.rows
    assert len([row for row in rows if row.text]) >= 2
    qtbot.waitUntil(lambda: bool(app.store.records.all("drill topic")), timeout=PATIENCE)
