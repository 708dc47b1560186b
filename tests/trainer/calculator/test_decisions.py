"""The decision tab as a user meets it: typing amounts, choosing presets and players, reading figures by key."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import PATIENCE, opened, rows_of, tool_tip, type_into
from trainer.calculator.decisions import DecisionPanel, FigureTable
from trainer.calculator.run_model import RunState
from trainer.calculator.window import OddsWindow
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.settings import SettingsFile
from trainer.theme import DARK, LIGHT, ThemeSource

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, jobs: Jobs, settings: SettingsFile) -> OddsWindow:
    made = opened(qtbot, OddsWindow(ThemeSource(), jobs, settings, RangeLibrary()))
    made.panels.setCurrentWidget(made.decision)
    return made


@pytest.fixture
def panel(window: OddsWindow) -> DecisionPanel:
    return window.decision


def finished(qtbot: QtBot, window: OddsWindow) -> None:
    qtbot.waitUntil(lambda: window.model.run.state is RunState.FINISHED, timeout=PATIENCE)


def figures(section: FigureTable) -> dict[str, tuple[str, ...]]:
    return {row[0]: (row[1], row[2]) for row in rows_of(section.table)}


def test_a_call_is_figured_while_it_is_typed(window: OddsWindow, panel: DecisionPanel, qtbot: QtBot) -> None:
    assert window.panels.isVisible()
    assert panel.hint.text().startswith("Enter the pot")
    assert not panel.call.isVisible()
    window.model.entry.set_question(["AhKh", "QsQd"])
    type_into(panel.amounts["pot"].field, "150")
    QTest.keyClick(panel.amounts["pot"].field, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is panel.amounts["to_call"].field
    type_into(panel.amounts["to_call"].field, "50")
    finished(qtbot, window)
    # Of 1,712,304 boards 787,966 are won and 6,732 split: 46.2145% of a final pot of 200, less the call.
    assert panel.verdict.text() == "Calling wins +42.43 on average"
    assert panel.bar.accessibleDescription() == "has 46.2%, needs 25.0%"
    assert figures(panel.call)["EV of the call"] == ("+42.43", "46.2% × 150 − 53.8% × 50")
    assert not panel.hint.isVisible()
    assert not panel.bet.isVisible()
    assert (window.model.entered.pot, window.model.entered.to_call) == (150.0, 50.0)


def test_bad_amounts_are_marked_explained_and_lose_nothing(panel: DecisionPanel, window: OddsWindow) -> None:
    row = panel.amounts["pot"]
    meaning = row.line.text()
    type_into(row.field, "150")
    QTest.keyClicks(row.field, "x")
    assert not row.field.is_marked, "not while it is being typed"
    QTest.keyClick(row.field, Qt.Key.Key_Tab)
    assert row.field.is_marked
    assert row.line.text() == "This is no amount, such as 150, 12.5 or 1,500. Used instead: 150."
    assert row.field.accessibleDescription() == row.line.text()
    assert row.field.text() == "150x"
    assert window.model.entered.pot == 150.0
    row.field.setFocus()
    QTest.keyClick(row.field, Qt.Key.Key_Backspace)
    assert not row.field.is_marked
    assert row.line.text() == meaning
    type_into(panel.amounts["to_call"].field, "200")
    QTest.keyClick(panel.amounts["to_call"].field, Qt.Key.Key_Tab)
    assert row.line.text() == "The pot holds the bet to be called, so it is at least 200."


def test_presets_fill_the_bet(panel: DecisionPanel, qtbot: QtBot) -> None:
    assert not any(button.isEnabled() for button in panel.presets)
    type_into(panel.amounts["pot"].field, "100")
    assert [button.text() for button in panel.presets] == ["⅓", "½", "⅔", "¾", "Pot", "2×"]
    bets = []
    for button in panel.presets:
        qtbot.mouseClick(button, LEFT)
        bets.append(panel.amounts["bet"].field.text())
    assert bets == ["33", "50", "67", "75", "100", "200"]
    assert panel.bet.isVisible()
    assert figures(panel.bet)["Folds needed, bluff"] == ("66.7%", "200 ÷ (100 + 200)")


def test_another_players_decision(window: OddsWindow, panel: DecisionPanel, qtbot: QtBot) -> None:
    window.model.entry.set_question(
        ["AhKh", "QsQd", "random"], "Kd 7c 2s", names=["You", "Ada", "Boris"], pot=150.0, to_call=50.0
    )
    finished(qtbot, window)
    assert [panel.player.itemText(i) for i in range(panel.player.count())] == ["You", "Ada", "Boris"]
    assert panel.player.currentText() == "You"
    own = figures(panel.call)["Equity"]
    panel.player.setFocus()
    QTest.keyClick(panel.player, Qt.Key.Key_Down)
    assert panel.player.currentText() == "Ada"
    assert figures(panel.call)["Equity"] != own
    window.model.entry.remove_player(0)
    assert panel.player.currentText() == "Ada"


def test_outs_are_drawn_and_listed(window: OddsWindow, panel: DecisionPanel, qtbot: QtBot) -> None:
    window.model.entry.set_question(["8h7h", "AhKd"], "Kh 2h 5c", "9h")
    qtbot.waitUntil(lambda: panel.outs.table.isVisible(), timeout=PATIENCE)
    assert figures(panel.outs)["Next card"] == (f"{800 / 46:.1f}%", "16%")
    assert figures(panel.outs)["By the river"] == (f"{100 - 100 * 38 * 37 / (46 * 45):.1f}%", "32%")
    assert panel.out_cards.isVisible()
    assert "Ah (in Player 2's hand)" in panel.out_cards.accessibleDescription()
    number = next(i for i, out in enumerate(panel.model.outs().cards) if out.holder)
    place = panel.out_cards.rect_of(number).center().toPoint()
    assert tool_tip(panel.out_cards, place) == "Cannot come: it is in Player 2's hand"
    window.model.entry.set_player_text(0, "QQ+")
    assert panel.outs_line.text() == "Outs are counted for a hand; this player holds a range"
    assert not panel.out_cards.isVisible()


def test_outs_take_as_many_lines_as_they_need(window: OddsWindow, panel: DecisionPanel, qtbot: QtBot) -> None:
    window.model.entry.set_question(["8h7h", "AsKd"], "Kh 9h 5c")
    qtbot.waitUntil(lambda: panel.out_cards.isVisible(), timeout=PATIENCE)
    assert not panel.out_cards.rect_of(0).isEmpty()
    count = len(panel.model.outs().cards)
    one_line = panel.out_cards.heightForWidth(10_000)
    narrow = panel.out_cards.heightForWidth(round(3.5 * one_line))
    assert narrow > one_line
    last = panel.out_cards.rect_of(count - 1)
    assert panel.out_cards.rect().contains(last.toRect().topLeft() + QPoint(1, 1))


def test_how_a_figure_is_computed_is_told_by_key_and_by_mouse(
    window: OddsWindow, panel: DecisionPanel, qtbot: QtBot
) -> None:
    window.model.entry.set_question(["AhKh", "QsQd"], pot=150.0, to_call=50.0)
    finished(qtbot, window)
    table = panel.call.table
    assert not panel.call.meaning.isVisible()
    table.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(table, key)
    index = table.currentIndex()
    name = index.siblingAtColumn(0).data()
    assert panel.call.meaning.isVisible()
    assert panel.call.meaning.text().startswith(f"{name}: ")
    assert index.data(Qt.ItemDataRole.ToolTipRole) == panel.call.meaning.text()
    assert index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == panel.call.meaning.text()
    window.model.entry.set_amounts(pot=160.0, to_call=50.0)
    assert table.currentIndex().row() == index.row(), "the row stays chosen while the figures change"
    assert "160" in panel.call.meaning.text()


def test_every_table_is_as_high_as_its_rows(window: OddsWindow, panel: DecisionPanel, qtbot: QtBot) -> None:
    window.model.entry.set_question(["8h7h", "AsKd"], "Kh 2h 5c", pot=150.0, to_call=50.0, bet=200.0)
    finished(qtbot, window)
    qtbot.waitUntil(lambda: panel.outs.table.isVisible(), timeout=PATIENCE)
    for section in (panel.call, panel.bet, panel.outs):
        last = section.table.model().index(section.table.model().rowCount() - 1, 0)
        assert section.table.viewport().rect().contains(section.table.visualRect(last)), section.heading.text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_theme_and_fits_a_narrow_panel(
    window: OddsWindow, panel: DecisionPanel, qtbot: QtBot, scheme: str
) -> None:
    window.players._theme.choose(scheme)
    window.model.entry.set_question(["8h7h", "AsKd"], "Kh 2h 5c", pot=150.0, to_call=50.0)
    finished(qtbot, window)
    panel.resize(480, 560)
    theme = DARK if scheme == "dark" else LIGHT
    assert panel.verdict.palette().windowText().color().name() == theme.good
    assert not panel.horizontalScrollBar().isVisible()
    assert panel.widget().minimumSizeHint().width() <= 480
    bar = panel.bar.grab().toImage()
    assert {bar.pixelColor(x, 6).name() for x in range(bar.width())} >= {theme.heat[3], theme.panel_raised}
    window.players._theme.choose("system")


def test_every_control_has_a_name(panel: DecisionPanel) -> None:
    controls = [panel.player, *(row.field for row in panel.amounts.values()), *panel.presets]
    tables = [section.table for section in (panel.call, panel.bet, panel.outs)]
    names = [control.accessibleName() for control in [*controls, *tables, panel.bar, panel.out_cards]]
    assert all(names)
    assert len(set(names)) == len(names)
