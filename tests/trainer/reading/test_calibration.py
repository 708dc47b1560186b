import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from engine.agents.calibration import Calibration, CalibrationTable, JudgedPoint, TableTally
from engine.resources import ResourceError
from trainer.reading import calibration_model as calibration
from trainer.reading.calibration import CalibrationDialog, _SourcePage
from trainer.reading.calibration_model import LEAST_HANDS
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


def opened(
    qtbot: QtBot, theme: ThemeSource, reader: str = "paper", tally: TableTally | None = None
) -> CalibrationDialog:
    made = CalibrationDialog(theme, reader, tally)
    qtbot.addWidget(made)
    made.show()
    wait_for_plots(qtbot, made)
    return made


def wait_for_plots(qtbot: QtBot, dialog: CalibrationDialog) -> None:
    qtbot.waitUntil(lambda: all(one.plot is not None for one in shown(dialog).diagrams), timeout=20_000)


def shown(dialog: CalibrationDialog) -> _SourcePage:
    page = dialog.tabs.currentWidget()
    assert isinstance(page, _SourcePage)
    return page


def choose(qtbot: QtBot, dialog: CalibrationDialog, title: str) -> _SourcePage:
    """Click a tab."""
    bar = dialog.tabs.tabBar()
    (index,) = [at for at in range(bar.count()) if bar.tabText(at) == title]
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
    wait_for_plots(qtbot, dialog)
    return shown(dialog)


def tally(hands: int, reader: str = "paper") -> TableTally:
    made = TableTally(reader)
    for number in range(1, hands + 1):
        made = made.add(number, [("flop", JudgedPoint(0.01, 0.05)), ("flop", JudgedPoint(0.01, 0.95))])
    return made


def bars(page: _SourcePage, index: int) -> list[float]:
    pieces = page.diagrams[index]._pieces
    assert pieces is not None
    return [round(float(height), 6) for height in pieces[1].opts["height"]]


@pytest.fixture
def dialog(qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch) -> CalibrationDialog:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: TABLES)
    return opened(qtbot, theme)


def texts(dialog: CalibrationDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_each_set_has_a_tab_with_four_diagrams(qtbot: QtBot, dialog: CalibrationDialog) -> None:
    tabs = dialog.tabs
    assert [tabs.tabText(index) for index in range(tabs.count())] == ["This session", "Pluribus", "Bovada"]
    for title in ("Pluribus", "Bovada"):
        assert len(choose(qtbot, dialog, title).diagrams) == 4
    assert not dialog.grab().isNull()
    assert "Narrows 1,225 hands to the worth of 446 ± 4." in texts(dialog)
    assert "Worse than knowing nothing: 1,081 hands" in texts(dialog)
    assert dialog.windowTitle() == "How sure is this? Reader: Paper"


def test_the_bars_are_the_shares_and_their_colour_says_which_lie_in_the_band(
    dialog: CalibrationDialog, theme: ThemeSource
) -> None:
    diagram = dialog.pages[0].diagrams[1]
    assert diagram._pieces is not None
    band, bars, _ = diagram._pieces
    assert [height / 100 for height in bars.opts["height"]] == pytest.approx(OVERCONFIDENT)
    assert band.getRegion() == pytest.approx((8, 12))
    for kind in ("light", "dark"):
        theme.choose(kind)
        inside, outside = QColor(theme.theme.call), QColor(theme.theme.raise_)
        assert bars.opts["brushes"] == [outside] * 4 + [inside] * 4 + [outside] * 2
        assert diagram.plot.backgroundBrush().color() == QColor(theme.theme.panel)


def test_the_axis_holds_every_bar_and_its_error(qtbot: QtBot, dialog: CalibrationDialog) -> None:
    for title in ("Pluribus", "Bovada"):
        for diagram in choose(qtbot, dialog, title).diagrams:
            _, (low, high) = diagram.plot.viewRange()
            assert low == 0
            assert high > 26 + 100 * diagram.view.stderr


def test_diagrams_can_be_heard(dialog: CalibrationDialog) -> None:
    plot = dialog.pages[0].diagrams[1].plot
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
    assert "How often the reader 'Markov' is right has not been measured. What the reader believed" in texts(made)
    assert made.tabs.tabText(0) == "This session"
    theme.choose("dark")


def test_a_damaged_file_has_its_sentence(qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ResourceError("The app's file resources/reading_calibration.json holds no calibration: x")

    monkeypatch.setattr(calibration, "shipped_calibrations", fail)
    assert "holds no calibration" in texts(opened(qtbot, theme))


def test_a_session_is_shown_first_once_it_says_something(
    qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: TABLES)
    few = opened(qtbot, theme, tally=tally(LEAST_HANDS - 2))
    assert shown(few) is few.pages[0]
    page = choose(qtbot, few, "This session")
    assert "2 more hands are needed" in page.about.text()
    assert not any(diagram.plot.isVisible() for diagram in page.diagrams)
    made = opened(qtbot, theme, tally=tally(LEAST_HANDS))
    assert shown(made) is made.session_page
    # A plot that was just made is seen with the next layout.
    qtbot.waitUntil(lambda: all(diagram.plot.isVisible() for diagram in made.session_page.diagrams))
    assert bars(made.session_page, 1) == [50, *[0] * 8, 50]


def test_the_session_goes_on_while_it_is_looked_at(
    qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: TABLES)
    made = opened(qtbot, theme, tally=tally(LEAST_HANDS - 1))
    page, after = choose(qtbot, made, "This session"), tally(LEAST_HANDS)
    made.show_session(after)
    after = after.add(LEAST_HANDS + 1, [("flop", JudgedPoint(0.01, 0.55)), ("flop", JudgedPoint(0.01, 0.55))])
    made.show_session(after)
    qtbot.waitUntil(lambda: "11 hands of this session, 22 predictions" in page.about.text())
    assert all(diagram.plot.isVisible() for diagram in page.diagrams)
    assert bars(page, 1) == bars(page, 4) == pytest.approx([1000 / 22, 0, 0, 0, 0, 200 / 22, 0, 0, 0, 1000 / 22])
    assert page.diagrams[1].words.text().startswith("22 predictions, log-loss 4.61")
    made.show_session(None)
    qtbot.waitUntil(lambda: "0 hands of this session" in page.about.text())
    assert not page.diagrams[1].plot.isVisible(), "another session has begun"
