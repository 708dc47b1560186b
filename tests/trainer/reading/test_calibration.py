import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot

from engine.agents.calibration import Calibration, CalibrationTable
from engine.resources import ResourceError
from trainer.reading import calibration_model as calibration
from trainer.reading.calibration import CalibrationDialog
from trainer.theme import ThemeSource

OVERCONFIDENT = (0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.13, 0.26)
TABLES = (
    CalibrationTable(
        "paper",
        "pluribus",
        800,
        {"preflop": Calibration(900, (0.1,) * 10, 6.1, 0.01), "flop": Calibration(400, OVERCONFIDENT, 7.2, 0.02)},
    ),
    CalibrationTable("paper", "bovada_6max", 700, {"river": Calibration(100, OVERCONFIDENT, 8.0, 0.1)}),
)


def opened(qtbot: QtBot, theme: ThemeSource, reader: str = "paper") -> CalibrationDialog:
    made = CalibrationDialog(theme, reader)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made._are_plots_drawn, timeout=20_000)
    return made


@pytest.fixture
def dialog(qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch) -> CalibrationDialog:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: TABLES)
    return opened(qtbot, theme)


def texts(dialog: CalibrationDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_each_set_has_a_tab_with_four_diagrams(dialog: CalibrationDialog) -> None:
    tabs = dialog.findChild(QTabWidget)
    assert isinstance(tabs, QTabWidget)
    assert [tabs.tabText(index) for index in range(tabs.count())] == ["Pluribus", "Bovada"]
    assert [len(page.plots) for page in dialog.pages] == [4, 4]
    assert not dialog.grab().isNull()
    assert "Narrows 1,225 hands to the worth of 446 ± 4." in texts(dialog)
    assert "Worse than knowing nothing: 1,081 hands" in texts(dialog)
    assert dialog.windowTitle() == "How sure is this? Reader: Paper"


def test_the_bars_are_the_shares_and_their_colour_says_which_lie_in_the_band(
    dialog: CalibrationDialog, theme: ThemeSource
) -> None:
    band, bars, _ = dialog.pages[0]._pieces[1]
    assert [height / 100 for height in bars.opts["height"]] == pytest.approx(OVERCONFIDENT)
    assert band.getRegion() == pytest.approx((8, 12))
    for kind in ("light", "dark"):
        theme.choose(kind)
        inside, outside = QColor(theme.theme.call), QColor(theme.theme.raise_)
        assert bars.opts["brushes"] == [outside] * 4 + [inside] * 4 + [outside] * 2
        assert dialog.pages[0].plots[1].backgroundBrush().color() == QColor(theme.theme.panel)


def test_the_axis_holds_every_bar(dialog: CalibrationDialog) -> None:
    for page in dialog.pages:
        for plot in page.plots:
            _, (low, high) = plot.viewRange()
            assert low == 0
            assert high > 26


def test_diagrams_can_be_heard(dialog: CalibrationDialog) -> None:
    plot = dialog.pages[0].plots[1]
    assert plot.accessibleName() == "Calibration, flop"
    assert "the likeliest first: 4, 5, 6" in plot.accessibleDescription()


def test_closed_by_its_button(qtbot: QtBot, dialog: CalibrationDialog) -> None:
    button = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Close")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_a_reader_never_measured_has_a_sentence_and_no_diagram(
    qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: TABLES)
    made = opened(qtbot, theme, "markov")
    assert made.pages == []
    assert texts(made) == "How often the reader 'Markov' is right has not been measured."
    theme.choose("dark")


def test_a_damaged_file_has_its_sentence(qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ResourceError("The app's file resources/reading_calibration.json holds no calibration: x")

    monkeypatch.setattr(calibration, "shipped_calibrations", fail)
    assert "holds no calibration" in texts(opened(qtbot, theme))
