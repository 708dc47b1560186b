"""Stories of the whole window, by real clicks and keys."""

import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialogButtonBox,
    QDockWidget,
    QDoubleSpinBox,
    QInputDialog,
    QLabel,
    QMessageBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.agents import styles
from engine.agents.readers import DEFAULT_READER
from engine.game.events import CALL, CHECK, raise_to
from engine.game.format_file import built_in
from engine.game.formats import GameConfig
from engine.game.observation import HandView
from engine.resources import ResourceError
from tests.trainer.gestures import (
    PATIENCE,
    menu_entry,
    play_out,
    press,
    shown_text,
    strike,
    texts,
    type_into,
    wait_for_message,
    wait_for_stage,
    wait_until_read,
)
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.help import TextDialog
from trainer.play.action_button import ActionButton
from trainer.play.results import ResultsDialog
from trainer.ranges.library import RangeLibrary
from trainer.session.session import Session
from trainer.session.types import Stage, TableView
from trainer.theme import DARK, FELTS, LIGHT
from trainer.window.main_window import MainWindow


@pytest.fixture
def window(app: App) -> MainWindow:
    return app.window


def begin(qtbot: QtBot, app: App, config: GameConfig | None = None) -> None:
    app.begin(config or table("calling station", "tight-passive", "fold", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)


def test_the_list_of_hands_comes_back_after_it_was_made_small(window: MainWindow) -> None:
    window.menus.played_hands.trigger()
    listed = window.played_hands
    assert listed is not None
    listed.showMinimized()
    window.menus.played_hands.trigger()
    assert not listed.isMinimized()
    assert listed.isVisible()


def test_from_a_new_game_to_the_next_hand(qtbot: QtBot, app: App, window: MainWindow) -> None:
    assert window.welcome.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = window.dialogs.new_game
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert not window.welcome.isVisible()
    assert app.session is not None
    play_out(qtbot, app)
    wait_for_message(qtbot, app, "hand 1")
    press(qtbot, app, Qt.Key.Key_Space)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert app.session.progress[0] == 2
    wait_for_message(qtbot, app, "hand 2")
    log = window.panels.log.text
    assert "Hand 2" in log or "hand 2" in log


def test_the_line_above_the_table_shows_no_control_character(window: MainWindow) -> None:
    window.message.say("The file a\x1b[2J\u202e cannot be read.\nPlay goes on.")
    assert shown_text(window.message) == "The file a\ufffd[2J\ufffd cannot be read.\nPlay goes on."


def test_a_hand_is_read_metered_and_explained(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    assert app.session is not None
    play_out(qtbot, app, Qt.Key.Key_C)
    wait_until_read(qtbot, app)
    assert window.panels.point is not None
    assert window.panels.read_panel.slider.value() == window.panels.read_panel.slider.maximum()
    window.docks.by_name["reasoning"].raise_()
    qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() > 0)
    assert window.panels.reasoning.decisions.count() == len(app.session.open_traces())
    slider = window.panels.read_panel.slider
    assert slider.maximum() > 3
    assert meter_words(window).startswith("The hand is over.")
    assert not window.panels.meters.scale.isVisible()
    slider.setValue(0)
    assert slider.value() == 0
    assert "you win" in meter_words(window) or "You need" in meter_words(window), "the meters follow the scrubber"
    slider.setValue(slider.maximum())
    assert meter_words(window).startswith("The hand is over.")


def meter_words(window: MainWindow) -> str:
    return "\n".join(label.text() for label in window.panels.meters.findChildren(QLabel) if not label.isHidden())


def test_three_decisions_are_in_sight_in_the_window_as_it_first_opens(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app)
    assert app.session is not None
    play_out(qtbot, app, Qt.Key.Key_C)
    window.resize(1280, 720)
    strike(app, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    decisions = window.panels.reasoning.decisions
    qtbot.waitUntil(lambda: decisions.count() >= 3, timeout=PATIENCE)
    assert decisions.viewport().height() >= 3 * decisions.sizeHintForRow(0)


def test_of_an_earlier_hand_that_all_others_folded_nobodys_range_is_metered(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app, table("tight-passive", seed=1))
    strike(app, "A")
    press(qtbot, app, Qt.Key.Key_R)
    wait_for_stage(qtbot, app, Stage.HAND_OVER)
    press(qtbot, app, Qt.Key.Key_Space)

    def is_metered() -> bool:
        strike(app, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)  # once there is an earlier hand
        return meter_words(window) == "Everybody else folded: the pot is yours."

    qtbot.waitUntil(is_metered, timeout=PATIENCE)


def test_after_an_all_in_the_meters_tell_the_true_equities(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.settings.change(automatic_deal=False)
    app.begin(table("random", seed=3))

    def is_turned_up() -> bool:
        session, view = app.session, window.model.view
        if session is None or view is None:
            return False
        if session.stage == Stage.YOUR_TURN:
            legal = view.observation.legal
            assert legal is not None
            session.act(raise_to(legal.max_raise_to) if legal.can_raise else CALL)
        elif session.stage == Stage.HAND_OVER and all(seat.shown for seat in view.observation.seats):
            return True
        elif session.stage == Stage.HAND_OVER:
            session.deal()
        return False

    qtbot.waitUntil(is_turned_up, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "When the cards were turned up, " in meter_words(window), timeout=PATIENCE)
    assert not window.panels.meters.scale.isVisible()
    wait_until_read(qtbot, app)
    slider = window.panels.read_panel.slider
    slider.setValue(slider.maximum() - 1)
    shown = window.panels.meters.scale.accessibleDescription()
    assert shown.startswith("You "), shown
    assert ", Bot 0 " in shown
    assert window.panels.meters.scale.isVisible()
    assert not window.panels.meters.history.isVisible()


def test_study_mode_opens_the_running_hand_and_closes_it_again(qtbot: QtBot, app: App, window: MainWindow) -> None:
    assert not window.panels.reasoning.study_button.isEnabled(), "no hand is running"
    begin(qtbot, app)
    study = menu_entry(window, "Study mode")
    assert [bool(seat.cards) for seat in window.table._model.seats].count(True) == 1
    window.docks.by_name["reasoning"].raise_()
    corner = window.table._geometry.to_widget(window.table._geometry.mark)
    before = window.table.grab(corner).toImage()
    study.trigger()
    assert window.table.grab(corner).toImage() != before, "a mark on the table"
    assert window.panels.reasoning.study_button.isChecked()
    assert all(seat.cards for seat in window.table._model.seats)
    qtbot.mouseClick(window.panels.reasoning.study_button, Qt.MouseButton.LeftButton)
    assert not study.isChecked()
    assert window.table.grab(corner).toImage() != before, "which stays"
    assert [bool(seat.cards) for seat in window.table._model.seats].count(True) == 1


def test_another_reader_changes_the_panels_at_once_and_is_remembered(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    begin(qtbot, app)
    panel = window.panels.read_panel
    qtbot.waitUntil(lambda: panel.model.shown is not None and bool(panel.model.ranges), timeout=PATIENCE)
    assert {one.prediction.reader for one in panel.model.ranges.values()} == {DEFAULT_READER}
    panel.reader_box.setFocus()
    while panel.reader != "uniform":
        qtbot.keyClick(panel.reader_box, Qt.Key.Key_Down)
    assert app.settings.settings.reader == "uniform"
    qtbot.waitUntil(
        lambda: {one.prediction.reader for one in panel.model.ranges.values()} == {"uniform"}, timeout=PATIENCE
    )
    assert window.panels.point is not None
    assert {one.reader for one in window.panels.point.predictions} == {"uniform"}, "the meters' too"
    # The next session and the next window have it as well; the players at the table do not.
    app.begin(table("calling station", "fold", seed=4))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    qtbot.waitUntil(
        lambda: {one.prediction.reader for one in panel.model.ranges.values()} == {"uniform"}, timeout=PATIENCE
    )
    again = MainWindow(app.theme, app.settings, app.jobs, RangeLibrary(), {"Log": app.settings.path}, "0")
    qtbot.addWidget(again)
    assert again.panels.read_panel.reader == "uniform"
    while app.session is not None and app.session.stage != Stage.HAND_OVER:
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert app.session is not None
    traces = [trace for trace in app.session.open_traces() if trace.reading is not None]
    found = {one.reader for trace in traces for one in trace.reading.predictions if trace.reading}
    assert found == {DEFAULT_READER}


def test_a_point_of_the_hand_before_is_not_asked_of_the_next(
    qtbot: QtBot, app: App, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the first reading of a new hand the ranges go through the one before, which is not on the table."""
    begin(qtbot, app)
    session, panel = app.session, window.panels.read_panel
    assert session is not None
    while session.stage != Stage.HAND_OVER:
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    qtbot.waitUntil(lambda: session.readings.is_idle, timeout=PATIENCE)
    panel.model.forget_readings()  # as another reader does
    asked, gone_to = list[HandView](), list[int]()
    monkeypatch.setattr(session.readings, "request", asked.append)

    def go_back(view: TableView) -> None:
        if view.observation.hand_number == 2 and not gone_to:
            for place in (
                panel.slider.maximum() - 1,
                0,
            ):  # after more events than the new hand has, and after fewer
                panel.slider.setValue(place)
                gone_to.append(panel.model.points[place].event_count)
            assert gone_to[0] > len(view.observation.events) >= gone_to[1]

    session.view_changed.connect(go_back)
    press(qtbot, app, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(gone_to) == 2, timeout=PATIENCE)
    assert asked == []
    qtbot.waitUntil(lambda: panel.model.shown is not None and panel.model.shown.hand_number == 2, timeout=PATIENCE)
    panel.model.forget_readings()
    panel.slider.setValue(0)
    assert [seen.hand_number for seen in asked] == [2]


def test_how_sure_counts_the_hands_of_the_session_as_they_end(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    panel = window.panels.read_panel
    qtbot.mouseClick(panel.sure_button, Qt.MouseButton.LeftButton)
    dialog = panel._calibration
    assert dialog is not None
    bar = dialog.tabs.tabBar()
    assert bar.tabText(0) == "This session"
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
    about = dialog.session_page.about
    assert about.isVisible()
    assert "0 hands of this session" in about.text()
    for hands in ("1 hand", "2 hands"):
        while app.session is not None and app.session.stage != Stage.HAND_OVER:
            press(qtbot, app, Qt.Key.Key_C)
            wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
        qtbot.waitUntil(lambda hands=hands: f": {hands} of this session" in about.text(), timeout=PATIENCE)
        press(qtbot, app, Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    app.begin(table("calling station", "fold", seed=4))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    qtbot.waitUntil(lambda: "0 hands of this session" in about.text(), timeout=PATIENCE)


def test_units_change_everywhere_at_once_and_are_remembered(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    assert "bb" not in window.table._model.seats[0].stack
    qtbot.keyClick(window, Qt.Key.Key_U)
    assert "bb" in window.table._model.seats[0].stack
    assert (
        "bb" in window.action_bar.model.offer.passive_text or window.action_bar.model.offer.passive_text == "Check"
    )
    assert app.settings.settings.big_blinds
    qtbot.keyClick(window, Qt.Key.Key_U)
    assert "bb" not in window.table._model.seats[0].stack


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Four-colour deck", "four_colours", True),
        ("Deal the next hand by itself", "automatic_deal", True),
        ("Ask before big calls", "confirm_big_bets", False),
        ("Bell on your turn", "bell", True),
        ("Bet a share of the pot at once", "bets_presets", True),
        ("Dark", "theme", "dark"),
        ("Blue", "felt", "blue"),
        ("Slow", "pace_seconds", 1.6),
    ],
)
def test_choices_are_kept(app: App, window: MainWindow, text: str, field: str, value: object) -> None:
    menu_entry(window, text).trigger()
    assert getattr(app.settings.settings, field) == value


@pytest.mark.parametrize("pace", [0.0, 0.01])
def test_the_player_is_called_once_for_each_turn(
    qtbot: QtBot, app: App, window: MainWindow, monkeypatch: pytest.MonkeyPatch, pace: float
) -> None:
    app.settings.change(pace_seconds=pace)
    called = Counter[str]()
    monkeypatch.setattr(QApplication, "alert", lambda widget: called.update(["mark"] if widget is window else []))
    monkeypatch.setattr(QApplication, "beep", lambda: called.update(["bell"]))
    begin(qtbot, app)
    assert called == {"mark": 1}, "the bell is off at first"
    menu_entry(window, "Bell on your turn").trigger()
    session, turns = app.session, 0
    assert session is not None
    while turns < 3:
        is_turn = session.stage == Stage.YOUR_TURN
        turns += is_turn
        press(qtbot, app, Qt.Key.Key_C if is_turn else Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    is_next = session.stage == Stage.YOUR_TURN
    assert called == {"mark": 3 + is_next, "bell": 2 + is_next}


def test_the_table_has_the_colour_chosen_now_and_at_the_next_start(
    app: App, window: MainWindow, tmp_path: Path
) -> None:
    def on_the_felt() -> QColor:
        image = window.table.grab().toImage()
        return image.pixelColor(image.width() // 2, image.height() // 4)

    before = on_the_felt()
    menu_entry(window, "Blue").trigger()
    after = on_the_felt()
    assert before.green() > before.blue()
    assert after.blue() > after.green()
    again = App(tmp_path / "soulread.ini", None, tmp_path / "again.log", "0")
    assert again.theme.theme.felt == FELTS["blue"][0]
    assert menu_entry(again.window, "Blue").isChecked()
    again.close()


def test_the_theme_changes_the_whole_window(qtbot: QtBot, app: App, window: MainWindow) -> None:
    menu_entry(window, "Dark").trigger()
    assert app.theme.theme is DARK
    qtbot.waitUntil(lambda: window.palette().window().color().name() == app.theme.theme.window)
    menu_entry(window, "Light").trigger()
    assert app.theme.theme is LIGHT


def test_the_odds_of_this_position_open_with_its_cards(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    qtbot.waitUntil(lambda: window.panels.point is not None, timeout=PATIENCE)
    menu_entry(window, "Odds of this position").trigger()
    odds = window.odds.window
    assert odds is not None
    assert odds.isVisible()
    assert window.panels.point is not None
    opponents = len(window.panels.point.predictions)
    assert len(odds.players.rows) == opponents + 1
    assert odds.players.rows[0].name.text() or odds.players.rows[0].field.text()
    odds.close()


def test_a_hand_without_a_bots_decision_is_not_called_sealed(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """On the button heads-up you act first: folded at once, the bot has decided nothing."""
    window.resize(1280, 800)
    strike(app, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    begin(qtbot, app, table("calling station", seed=3))
    assert any("stay sealed" in text for text in texts(window.panels.reasoning))
    press(qtbot, app, Qt.Key.Key_F)
    wait_for_stage(qtbot, app, Stage.HAND_OVER)
    qtbot.waitUntil(lambda: any("no bot had anything to decide" in one for one in texts(window)), timeout=PATIENCE)
    assert not any("stay sealed" in text for text in texts(window.panels.reasoning))


def shown_results(window: MainWindow) -> ResultsDialog:
    (dialog,) = [dialog for dialog in window.findChildren(ResultsDialog) if dialog.isVisible()]
    return dialog


def test_results_can_be_seen_at_any_time_and_come_at_the_end(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    menu_entry(window, "Results").trigger()
    shown_results(window).close()
    menu_entry(window, "Finish session").trigger()
    assert "ends after this hand" in shown_text(window.message)
    press(qtbot, app, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(ResultsDialog)), timeout=PATIENCE)
    wait_for_stage(qtbot, app, Stage.SESSION_OVER)
    assert not menu_entry(window, "Finish session").isEnabled()
    at_the_end = shown_results(window)
    assert "You finished the session." in texts(at_the_end)
    at_the_end.close()
    qtbot.waitUntil(lambda: not window.findChildren(ResultsDialog), timeout=PATIENCE)
    strike(app, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert "You finished the session." in texts(shown_results(window)), (
        "asked for later they do not say that it runs"
    )
    shown_results(window).close()


def go_all_in(qtbot: QtBot, app: App, config: GameConfig) -> None:
    """Begin heads-up with all chips against who calls, and stop where the board is being dealt card by card."""
    begin(qtbot, app, config)
    session = app.session
    assert session is not None
    session.set_pace(4.0)
    session.act(raise_to(config.starting_stack))
    qtbot.waitUntil(lambda: session.is_hand_decided, timeout=PATIENCE)
    assert session.stage == Stage.SHOWING


def test_results_asked_for_while_the_last_hand_is_shown_come_once(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    """It is shown to its end, by which the session ends, and has its results."""
    go_all_in(qtbot, app, structs.replace(table("calling station", seed=5), max_hands=1))
    menu_entry(window, "Results").trigger()
    wait_for_stage(qtbot, app, Stage.SESSION_OVER)
    assert "The one hand is played." in texts(shown_results(window))
    shown_results(window).close()


def test_a_new_game_costs_no_hand_that_is_decided(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """Of one that is still played it says so."""

    def asked() -> str:
        strike(app, "N", Qt.KeyboardModifier.ControlModifier)
        dialog = window.dialogs.new_game
        assert dialog is not None
        qtbot.waitUntil(dialog.isVisible)
        ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
        qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
        (box,) = window.findChildren(QMessageBox)
        says = f"{box.text()} {box.informativeText()}"
        box.reject()
        qtbot.waitUntil(lambda: not window.findChildren(QMessageBox), timeout=PATIENCE)
        return says

    begin(qtbot, app)
    assert asked().endswith(" This hand will not count.")
    go_all_in(qtbot, app, table("calling station", seed=5))
    assert asked() == "Your session is still running. A new game ends the session and shows its results."


_PROGRAMMERS_WORDS = re.compile(
    r"\(default|\beq\. ?\d|\btop \d|\d[eE]\+\d|per second|[Oo]nly top|\bYou's\b|\b(?:of|by) You\b|rule: |"
    r"\bodds of (?:raising|going)|\bnan\b|_"
)


@pytest.mark.slow
def test_no_sentence_of_a_hand_reads_like_a_program(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """All that can be read of a hand of every style, decision by decision, point by point and range by range."""
    begin(qtbot, app, table("fold", "fold-2017", "calling station", "loose-aggressive", "random", seed=3))
    found = set[str]()
    for _ in range(2):
        assert app.session is not None
        while app.session.stage != Stage.HAND_OVER:
            found |= set(texts(window))
            press(qtbot, app, Qt.Key.Key_C)
            wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
        window.docks.by_name["reasoning"].raise_()
        qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() > 0, timeout=PATIENCE)
        wait_until_read(qtbot, app)
        for row in range(window.panels.reasoning.decisions.count()):
            window.panels.reasoning.decisions.setCurrentRow(row)
            found |= set(texts(window))
        for value in range(window.panels.read_panel.slider.maximum() + 1):
            window.panels.read_panel.slider.setValue(value)
            found |= set(texts(window))
        for seat in list(window.panels.read_panel.model.ranges):
            window.panels.read_panel.open_seat(seat)
            found |= set(texts(window))
        app.session.rebuy()
        press(qtbot, app, Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert len(found) > 300
    assert sorted(text for text in found if _PROGRAMMERS_WORDS.search(text)) == []
    bare = [text for text in found if re.search(r"\d combos\b(?! live| are blocked)", text)]
    assert bare == [], "a number of combos says which: effective or live"


def looks_for_html(window: QWidget, name: str) -> list[str]:
    """Return what shows a name with its angle brackets taken for HTML."""
    labels = [label for label in window.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText]
    tips = [tip for widget in window.findChildren(QWidget) for tip in (widget.toolTip(),)]
    for view in window.findChildren(QTableView):
        model = view.model()
        tips += [
            str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) or "") for row in range(model.rowCount())
        ]
    return [text for text in (*(label.text() for label in labels), *tips) if name in text]


def test_a_name_that_looks_like_html_is_shown_as_it_is(qtbot: QtBot, app: App, window: MainWindow) -> None:
    name = "<b>x</b>"
    config = table("soulread", seed=3)
    bot, you = config.seats
    begin(qtbot, app, structs.replace(config, seats=(structs.replace(bot, name=name), you)))
    assert app.session is not None
    seen, wrong = set[str](), list[str]()
    qtbot.waitUntil(lambda: window.panels.point is not None, timeout=PATIENCE)
    strike(app, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    odds = window.odds.window
    assert odds is not None
    while app.session.stage != Stage.HAND_OVER:
        wait_until_read(qtbot, app)
        seen |= {text for text in texts(window) if name in text}
        wrong += looks_for_html(window, name) + looks_for_html(odds, name)
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    strike(app, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() > 0, timeout=PATIENCE)
    for row in range(window.panels.reasoning.decisions.count()):
        window.panels.reasoning.decisions.setCurrentRow(row)
        wrong += looks_for_html(window, name)
    assert any(f"against {name}'s range" in text for text in seen), "the meters name them"
    assert wrong == []


_COUNTED = "deals|sampled|showdowns|hands|combos|effective combos|observations|decisions"
_CHIPS = re.compile(rf"\d[\d,]*,\d{{3}}\b(?!,\d|\.\d| (?:{_COUNTED}))")
"""A whole number of chips, where every amount has five digits or more; what is counted otherwise says so."""


def chip_amounts(window: QWidget) -> list[str]:
    return sorted({text for text in texts(window) if _CHIPS.search(text)})


def blind_amounts(window: QWidget) -> list[str]:
    return sorted({text for text in texts(window) if re.search(r"\d bb\b(?!/100)", text)})


def test_all_amounts_are_big_blinds_or_none(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """With blinds of five digits: a hand, its study, a top-up, its notice and the results; U turns all at once."""
    config = table("soulread", "calling station", seed=3)
    app.begin(structs.replace(config, small_blind=70_000, big_blind=140_000, starting_stack=14_000_000))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert app.session is not None
    for _ in range(4):  # until chips are gone
        play_out(qtbot, app, Qt.Key.Key_C)
        results = app.session.results()
        assert results is not None
        if results.hero_net[-1] < 0:
            break
        press(qtbot, app, Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert results.hero_net[-1] < 0
    window.docks.by_name["reasoning"].raise_()
    qtbot.waitUntil(lambda: window.panels.reasoning.decisions.count() > 0, timeout=PATIENCE)
    wait_until_read(qtbot, app)
    menu_entry(window, "Top up").trigger()
    window.findChild(QInputDialog).accept()
    qtbot.waitUntil(lambda: "You bought" in shown_text(window.message))
    qtbot.waitUntil(lambda: window.findChild(QInputDialog) is None)
    assert len(chip_amounts(window)) > 10
    assert blind_amounts(window) == []

    window.activateWindow()  # no window manager does it when a dialog closes
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_U)
    assert chip_amounts(window) == []
    assert len(blind_amounts(window)) > 10
    assert " bb" in shown_text(window.message)
    assert "begin the next hand with 100 bb" in shown_text(window.message)

    menu_entry(window, "Results").trigger()
    dialog = window.findChild(ResultsDialog)
    assert chip_amounts(dialog) == []
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClick(dialog, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: not app.settings.settings.big_blinds)
    assert blind_amounts(dialog) == []
    assert blind_amounts(window) == []
    dialog.accept()


def test_a_top_up_is_asked_for_in_the_chosen_units(qtbot: QtBot, app: App, window: MainWindow) -> None:
    app.settings.change(big_blinds=True)
    window.menus.units.setChecked(True)
    begin(qtbot, app, table("tight-passive", "tight-passive", seed=3))
    assert app.session is not None
    for _ in range(12):
        play_out(qtbot, app)
        results = app.session.results()
        assert results is not None
        if results.stacks[1] <= 9_850:
            break
        press(qtbot, app, Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    room = 10_000 - results.stacks[1]
    menu_entry(window, "Top up").trigger()
    dialog = window.findChild(QInputDialog)
    assert dialog.labelText() == f"Big blinds to buy, at most {room / 100:g}:"
    field = dialog.findChild(QDoubleSpinBox)
    type_into(field.lineEdit(), "0.75")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    wait_for_message(qtbot, app, "You bought 0.75 bb and begin the next hand with ")
    results = app.session.results()
    assert results is not None
    assert results.stacks[1] == 10_000 - room + 75


def test_chips_are_bought_between_hands(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    top_up = menu_entry(window, "Top up")
    assert not top_up.isEnabled()
    assert app.session is not None
    for _ in range(12):  # until some chips are gone
        play_out(qtbot, app)
        results = app.session.results()
        assert results is not None
        if results.stacks[1] < 10_000:
            break
        press(qtbot, app, Qt.Key.Key_Space)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert top_up.isEnabled()
    top_up.trigger()
    dialog = window.findChild(QInputDialog)
    dialog.accept()
    qtbot.waitUntil(lambda: "You bought" in shown_text(window.message))
    results = app.session.results()
    assert results is not None
    assert results.stacks[1] == 10_000
    told: list[object] = []
    app.session.notice.connect(told.append)
    menu_entry(window, "Top up").trigger()
    menu_entry(window, "Buy in again").trigger()
    assert list(map(str, told)) == ["Your stack of 10,000 is as large as a buy-in allows (10,000)."] * 2


def test_a_log_folder_that_nothing_can_show_is_named(
    app: App, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    menu_entry(window, "Log folder").trigger()
    assert shown_text(window.message) == f"The log is in {app.settings.path.parent}."


def lose_everything(qtbot: QtBot, app: App, window: MainWindow) -> Session:
    """Go all-in until all chips are lost."""
    begin(qtbot, app, table("calling station", "calling station", "calling station", seed=7))
    session = app.session
    assert session is not None
    for _ in range(60):
        while session.stage == Stage.YOUR_TURN:
            legal = window.action_bar.model.view.observation.legal if window.action_bar.model.view else None
            assert legal is not None
            shove = raise_to(legal.max_raise_to) if legal.can_raise else CHECK if legal.can_check else CALL
            with qtbot.waitSignal(session.view_changed, timeout=PATIENCE):
                session.act(shove)
            wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
        if session.can_rebuy:
            break
        with qtbot.waitSignal(session.view_changed, timeout=PATIENCE):
            session.deal()
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    return session


def test_who_is_broke_buys_in_again_at_one_click(qtbot: QtBot, app: App, window: MainWindow) -> None:
    session = lose_everything(qtbot, app, window)
    buy_in = next(one for one in window.findChildren(ActionButton) if one.text() == "Buy in again")
    qtbot.waitUntil(buy_in.isEnabled)
    qtbot.mouseClick(buy_in, Qt.MouseButton.LeftButton)
    results = session.results()
    assert results is not None
    assert results.stacks[1] == 10_000
    assert not session.can_rebuy


@pytest.mark.parametrize("is_ended", [False, True], ids=["buy in", "end"])
def test_who_is_broke_buys_in_again_also_where_the_last_hand_is_damaged(
    qtbot: QtBot, app: App, window: MainWindow, tmp_path: Path, is_ended: bool
) -> None:
    number, _ = lose_everything(qtbot, app, window).progress
    window.close()
    app.close()
    with closing(sqlite3.connect(tmp_path / "soulread.db")) as database, database:
        database.execute("UPDATE hands SET observation = x'00' WHERE number = ?", (number,))
    again = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "soulread.log", "0")
    qtbot.addWidget(again.window)
    again.window.show()
    with qtbot.waitSignal(again.ready, timeout=PATIENCE):
        again.start_services()
    again.window.menus.resume.trigger()
    wait_for_message(qtbot, again, "You are out of chips: buy in again, or finish")
    assert again.window.menus.rebuy.isEnabled()
    assert again.session is not None

    def offered() -> list[str]:
        return [one.text() for one in again.window.findChildren(ActionButton) if one.isVisible()]

    assert offered() == ["Buy in again", "Finish the session"]
    if is_ended:
        end = next(one for one in again.window.findChildren(ActionButton) if one.text() == "Finish the session")
        qtbot.mouseClick(end, Qt.MouseButton.LeftButton)
        shown_results(again.window).close()
        assert offered() == ["New game…", "Results"]
    else:
        strike(again, Qt.Key.Key_Space)
        wait_for_stage(qtbot, again, Stage.YOUR_TURN, Stage.HAND_OVER)
        assert again.session.progress[0] == number + 1
    again.window.close()
    again.close()


def test_a_click_on_a_seat_opens_its_range(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    qtbot.waitUntil(lambda: window.panels.point is not None, timeout=PATIENCE)
    assert window.panels.point is not None
    seat = window.panels.point.predictions[0].seat
    window.docks.by_name["log"].raise_()
    place = next(at for at, shown in enumerate(window.table._model.seats) if shown.seat == seat)
    qtbot.mouseClick(window.table._buttons[place], Qt.MouseButton.LeftButton)
    assert window.panels.read_panel.detail.seat == seat
    assert window.panels.read_panel.detail.isVisible()


def test_a_missing_resource_is_told_and_the_table_stays_open(
    qtbot: QtBot, app: App, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_style: str) -> None:
        raise ResourceError("The app's file resources/fold_parameters.toml is missing; install the app anew.")

    monkeypatch.setattr(styles, "make_agent", fail)
    app.begin(table("fold"))
    qtbot.waitUntil(lambda: "fold_parameters.toml is missing" in shown_text(window.message), timeout=PATIENCE)
    assert window.welcome.isVisible()
    monkeypatch.undo()
    begin(qtbot, app)
    assert not window.welcome.isVisible()


def test_a_tournament_sells_no_chips(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app, built_in("paper").game(table("random", "random", seed=3).seats, seed=3))
    press(qtbot, app, Qt.Key.Key_F)
    wait_for_stage(qtbot, app, Stage.HAND_OVER, Stage.YOUR_TURN)
    assert not menu_entry(window, "Top up").isEnabled()
    assert not menu_entry(window, "Buy in again").isEnabled()


def test_the_layout_is_remembered_and_can_be_reset(
    qtbot: QtBot, app: App, window: MainWindow, tmp_path: Path
) -> None:
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    docks["meters"].hide()
    docks["log"].setFloating(True)
    window.close()
    again = App(tmp_path / "soulread.ini", None, tmp_path / "log", "0")
    qtbot.addWidget(again.window)
    again.window.show()
    docks = {dock.objectName(): dock for dock in again.window.findChildren(QDockWidget)}
    assert docks["meters"].isHidden()
    assert docks["log"].isFloating()
    menu_entry(again.window, "Reset layout").trigger()
    assert not docks["meters"].isHidden()
    assert not docks["log"].isFloating()
    again.window.close()
    again.close()


def test_docks_keep_their_share_of_a_window_that_grows_and_shrinks(qtbot: QtBot, window: MainWindow) -> None:
    ranges = window.findChild(QDockWidget, "ranges")
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.width() == 1280)
    before = ranges.width()
    window.resize(2560, 1440)
    qtbot.waitUntil(lambda: abs(ranges.width() - 2 * before) <= 4)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: abs(ranges.width() - before) <= 4)


def test_docks_come_to_the_front_by_key(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.panels.reasoning.visibleRegion().isEmpty())
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.panels.reasoning.visibleRegion().isEmpty())


def test_keys_and_about_are_told(window: MainWindow) -> None:
    for text, part in (("Keys", "check or call"), ("About", "Soulread")):
        menu_entry(window, text).trigger()
        box = window.findChildren(TextDialog)[-1]
        assert part in box.label.text()
        box.close()


def test_it_fits_a_small_screen(qtbot: QtBot, app: App, window: MainWindow) -> None:
    window.resize(1280, 720)
    begin(qtbot, app)
    qtbot.waitUntil(lambda: window.panels.point is not None, timeout=PATIENCE)
    assert (window.width(), window.height()) == (1280, 720), "nothing asks for more room"
    assert window.table.width() >= 700
    for widget in (window.action_bar, window.panels.meters, window.panels.read_panel, window.message):
        assert widget.width() >= widget.minimumSizeHint().width()
        assert widget.height() >= widget.minimumSizeHint().height()
        corner = widget.mapTo(window, widget.rect().bottomRight())
        assert window.rect().contains(corner)


def test_every_button_has_a_name(qtbot: QtBot, app: App, window: MainWindow) -> None:
    begin(qtbot, app)
    nameless = [
        button
        for button in window.findChildren(QAbstractButton)
        if not (button.accessibleName() or button.text())
        and not button.objectName().startswith("qt_")
        and not isinstance(button.parent(), QDockWidget)
        and button.isVisible()
    ]
    assert nameless == []
