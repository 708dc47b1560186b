"""The dialog shows, sorts, copies and draws what the view model says."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from engine.game.statistics import PlayerStatistics, Ratio
from tests.trainer.gestures import rows_of
from trainer.play.results import ResultsDialog
from trainer.session.types import SessionResult
from trainer.theme import ThemeSource

RESULT = SessionResult(
    reason="Boris lost his last chips.",
    hands=3,
    names={0: "You", 1: "Ada"},
    stacks={0: 1700, 1: 2300},
    bought_in={0: 2000, 1: 2000},
    big_blind=20,
    hero_net=(100, 60, -300),
)


@pytest.fixture
def dialog(qtbot: QtBot, theme: ThemeSource) -> ResultsDialog:
    made = ResultsDialog(theme, RESULT, {1: PlayerStatistics(hands=3, vpip=Ratio(2, 3))})
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made._plot is not None, timeout=20_000)
    return made


def results(dialog: ResultsDialog) -> QTableView:
    return next(view for view in dialog.findChildren(QTableView) if view.accessibleName() == "Results per player")


def test_opens_with_the_best_on_top_and_sorts_by_a_click(qtbot: QtBot, dialog: ResultsDialog) -> None:
    view = results(dialog)
    assert [row[:2] for row in rows_of(view)] == [["Ada", "+300"], ["You", "−300"]]
    header = view.horizontalHeader()
    x = header.sectionViewportPosition(1) + 10
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
    assert [row[0] for row in rows_of(view)] == ["You", "Ada"]


def test_the_curve_starts_at_nothing_and_follows_the_units(qtbot: QtBot, dialog: ResultsDialog) -> None:
    hands, nets = dialog._curve.getData()
    assert list(hands) == [0, 1, 2, 3]
    assert list(nets) == [0, 100, 60, -300]
    box = dialog.findChild(QCheckBox)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert list(dialog._curve.getData()[1]) == [0, 5, 3, -15]
    assert dialog._plot.getAxis("left").labelText == "Your net, bb"
    assert dialog._plot.getAxis("bottom").labelText == "Hand"
    assert rows_of(results(dialog))[0][1] == "+15 bb"


def test_the_axis_marks_whole_hands_alone(dialog: ResultsDialog) -> None:
    axis = dialog._plot.getAxis("bottom")
    for ends, hands in (((0, 3), {0, 1, 2, 3}), ((0.6, 2.4), {1, 2}), ((0, 100), {0, 20, 40, 60, 80, 100})):
        dialog._plot.setXRange(*ends, padding=0)
        marked = {place for _, places in axis.tickValues(*axis.range, dialog._plot.width()) for place in places}
        assert hands <= marked
        assert all(place == int(place) for place in marked)


def test_the_whole_curve_comes_back_after_zooming(qtbot: QtBot, dialog: ResultsDialog) -> None:
    dialog._plot.setXRange(1, 2, padding=0)
    button = next(found for found in dialog.findChildren(QPushButton) if found.text() == "Whole session")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    (left, right), _ = dialog._plot.viewRange()
    assert left <= 0
    assert right >= 3


def test_copies_every_figure(qtbot: QtBot, dialog: ResultsDialog) -> None:
    button = next(found for found in dialog.findChildren(QPushButton) if found.text() == "Copy")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Boris lost his last chips.\nYour result: −300 in 3 hands")
    assert "67%  2/3" in text
    assert "+300" in text


def test_colours_follow_the_theme(dialog: ResultsDialog, theme: ThemeSource) -> None:
    view = results(dialog)
    for choice in ("light", "dark"):
        theme.choose(choice)
        ink = view.model().index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
        assert ink == QColor(theme.theme.good)
        assert dialog._plot.backgroundBrush().color() == QColor(theme.theme.panel)


def test_tables_and_plot_have_names(dialog: ResultsDialog) -> None:
    names = {view.accessibleName() for view in dialog.findChildren(QTableView)}
    assert names == {"Results per player", "Statistics per player, with counts"}
    assert dialog._plot.accessibleName() == "Your net after each hand"
    assert "−300 in 3 hands" in dialog._plot.accessibleDescription()
