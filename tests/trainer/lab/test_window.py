"""The lab by clicks and keys: a match in real processes, its results, charts, hands and files."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QTableView
from pytestqt.qtbot import QtBot

from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.game.events import HandStarted
from engine.game.format_file import built_in
from tests.trainer.gestures import PATIENCE, opened
from tests.trainer.lab.samples import SETUP, inline_run
from trainer.app import App
from trainer.jobs import Jobs
from trainer.lab.setup_model import LabSetup
from trainer.lab.window import LabWindow
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton


LABS: list[LabWindow] = []
"""In the app a lab stays until the end. Python must not forget its parts before Qt has destroyed them here."""


def kept(qtbot: QtBot, window: LabWindow) -> LabWindow:
    LABS.append(window)
    return opened(qtbot, window)


def lab(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, setup: LabSetup = SETUP, settings: SettingsFile | None = None
) -> LabWindow:
    window = kept(qtbot, LabWindow(theme, jobs, settings=settings, make_run=inline_run()))
    window.model.choose(setup)
    return window


def played(qtbot: QtBot, window: LabWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: not window.model.is_running, timeout=PATIENCE)
    assert window.model.result is not None


def check(qtbot: QtBot, window: LabWindow, *titles: str) -> None:
    """Choose just these styles, by keys."""
    styles = window.setup.styles
    styles.setFocus()
    for row in range(styles.rows.rowCount()):
        index = styles.rows.index(row)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is not None and (Qt.CheckState(state) is Qt.CheckState.Checked) is not (index.data() in titles):
            styles.setCurrentIndex(index)
            qtbot.keyClick(styles, Qt.Key.Key_Space)


def texts(view: QTableView | None) -> list[list[str]]:
    assert view is not None
    model = view.model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_a_match_is_played_watched_and_looked_into(qtbot: QtBot, app: App) -> None:
    window = app.window
    window.menus.lab.trigger()
    lab = window.lab.window
    assert lab is not None
    kept(qtbot, lab)
    check(qtbot, lab, "Random", "Tight-passive")
    assert lab.setup.chosen.text() == "2 styles chosen, 2 seats"
    lab.setup.matches.setValue(4)
    lab.setup.hands.setValue(30)
    qtbot.mouseClick(lab.run.start, LEFT)
    assert not lab.setup.isEnabled()
    qtbot.waitUntil(lambda: not lab.model.is_running, timeout=PATIENCE)
    assert lab.run.words.text() == "Finished: 4 of 4 matches, 120 hands."
    assert {row[0] for row in texts(lab.results.styles.view)} == {"Random", "Tight-passive"}
    assert [row[5] for row in texts(lab.results.styles.view)] == ["120", "120"]
    assert [row[0] for row in texts(lab.results.pairs.view)] == ["Tight-passive – Random"]

    lab.tabs.setCurrentWidget(lab.hands)
    lab.hands.match.setValue(3)
    qtbot.mouseClick(lab.hands.list, LEFT)
    qtbot.waitUntil(lambda: not lab.hands.hands.is_listing, timeout=PATIENCE)
    assert len(texts(lab.hands.view)) == 30
    lab.hands.seen_by.setCurrentIndex(lab.hands.seen_by.findText("Random"))
    lab.hands.view.selectRow(4)
    qtbot.keyClick(lab.hands.view, Qt.Key.Key_Return)
    looked_at = window.looked_at
    assert looked_at.observation is not None
    assert looked_at.observation.hand_number == 5
    assert looked_at.observation.me.name == "Random"
    qtbot.waitUntil(lambda: bool(looked_at.open_traces()), timeout=PATIENCE)
    assert set(looked_at.truth) == {0, 1}
    (name,) = {seat.name for seat in looked_at.observation.seats} - {"Random"}
    assert name == "Tight-passive"
    started = looked_at.observation.events[0]
    assert isinstance(started, HandStarted)
    qtbot.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert looked_at.observation.hand_number == 6
    assert looked_at.observation.me.name == "Random", "wherever they sit"
    looked_at.stop()
    app._preparation.stop()
    qtbot.waitUntil(lambda: app.jobs.is_quiet(apart_from=""), timeout=PATIENCE)


def test_a_match_is_stopped_by_key_and_keeps_what_is_finished(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = kept(qtbot, LabWindow(theme, jobs, make_run=inline_run(2)))
    window.model.choose(SETUP)
    qtbot.mouseClick(window.run.start, LEFT)
    qtbot.waitUntil(lambda: window.model.result is not None, timeout=PATIENCE)
    assert window.run.stop.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.model.is_running, timeout=PATIENCE)
    assert window.run.words.text() == "Stopped: 2 of 3 matches, 16 hands."
    assert len(texts(window.results.styles.view)) == 2
    assert window.run.start.isEnabled()
    assert window.hands.match.maximum() == 2


def test_a_stopped_match_goes_on_after_a_new_start_of_the_app(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    path = tmp_path / "soulread.ini"
    window = kept(qtbot, LabWindow(theme, jobs, settings=SettingsFile(path), make_run=inline_run(2)))
    window.model.choose(SETUP)
    assert not window.run.go_on.isEnabled()
    qtbot.mouseClick(window.run.start, LEFT)
    qtbot.waitUntil(lambda: window.model.result is not None and window.model.result.matches == 2, timeout=PATIENCE)
    window.close()
    qtbot.waitUntil(lambda: not window.model.is_running, timeout=PATIENCE)
    again = kept(qtbot, LabWindow(theme, jobs, settings=SettingsFile(path), make_run=inline_run()))
    qtbot.mouseClick(again.run.go_on, LEFT)
    qtbot.waitUntil(lambda: not again.model.is_running, timeout=PATIENCE)
    assert again.run.words.text() == "Finished: 3 of 3 matches, 24 hands."
    assert not again.run.go_on.isEnabled()


def test_closing_the_window_stops_the_match(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = kept(qtbot, LabWindow(theme, jobs, make_run=inline_run(0)))
    window.model.start()
    window.close()
    qtbot.waitUntil(lambda: not window.model.is_running, timeout=PATIENCE)


def test_what_cannot_be_played_is_said_before_anything_starts(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = lab(qtbot, theme, jobs)
    check(qtbot, window, "Always call")
    assert window.setup.problem.isVisible()
    assert window.setup.problem.text() == "A match takes two styles or more, and only 1 is chosen."
    assert not window.run.start.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert not window.model.is_running
    check(qtbot, window, "Always call", "Random")
    assert not window.setup.problem.isVisible()
    window.setup.matches.lineEdit().selectAll()
    qtbot.keyClick(window.setup.matches, Qt.Key.Key_Backspace)
    assert window.setup.problem.text() == "Matches: a whole number from 1 to 100,000."
    assert not window.run.start.isEnabled()


def test_a_tournament_has_places_and_no_number_of_hands(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = lab(qtbot, theme, jobs, LabSetup(("always-fold", "always-call"), built_in("paper"), matches=2))
    assert not window.setup.hands.isEnabled()
    assert "600 hands" in window.setup.summary.text()
    played(qtbot, window)
    assert [row[0] for row in texts(window.results.styles.view)] == ["Always call", "Always fold"], "the best first"
    assert not window.places.is_empty
    assert "at place 1" in window.places.plot.accessibleDescription()
    assert not window.curves.adjusted.isVisible()
    played_cash = lab(qtbot, theme, jobs)
    played(qtbot, played_cash)
    assert played_cash.places.message.text() == "Places are of tournaments; in a cash game nobody is ranked."


def test_tables_sort_by_a_click_on_a_heading_and_keep_it(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = lab(qtbot, theme, jobs, LabSetup(("always-fold", "always-call", "random"), matches=3, hands=30))
    played(qtbot, window)
    view = window.results.styles.view
    assert view is not None
    header = view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(6) + 5, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)
    order = [row[6] for row in texts(view)]
    shares = [float(text.rstrip("%")) for text in order]
    assert shares == sorted(shares) or shares == sorted(shares, reverse=True)
    chosen = texts(view)[1][0]
    view.selectRow(1)
    window.model.result_changed.emit()
    assert [row[6] for row in texts(view)] == order
    assert view.currentIndex().siblingAtColumn(0).data() == chosen


def test_curves_are_redrawn_as_they_are_wanted(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    window = lab(qtbot, theme, jobs, LabSetup(("random", "always-call"), matches=2, hands=30))
    assert window.curves.is_empty
    played(qtbot, window)
    assert window.curves.adjusted.isVisible()
    words = window.curves.plot.accessibleDescription()
    assert words.startswith("After 60 hands: Random ")
    qtbot.mouseClick(window.curves.adjusted, LEFT, pos=QPoint(8, window.curves.adjusted.height() // 2))
    assert window.curves.plot.accessibleDescription() != words
    before = window.curves.picture().toImage()
    theme.choose("dark")
    assert window.curves.picture().toImage() != before


Saves = Callable[[str], None]


@pytest.fixture
def save_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Saves:
    """Answer the next file dialog with a name."""

    def answer(name: str) -> None:
        def choose(dialog: QFileDialog) -> None:
            dialog.fileSelected.emit(str(tmp_path / name))
            dialog.close()

        monkeypatch.setattr(QFileDialog, "open", choose)

    return answer


def test_results_are_saved_as_csv_and_png(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, save_as: Saves
) -> None:
    window = lab(qtbot, theme, jobs, LabSetup(("always-fold", "always-call"), built_in("paper"), matches=2))
    export = window.export
    assert not export.button.isEnabled()
    played(qtbot, window)
    save_as("results.csv")
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.notice.text() == "Saved as results.csv."
    with (tmp_path / "results.csv").open(newline="") as file:
        assert [row["style"] for row in csv.DictReader(file)] == ["Always fold", "Always call", "Always fold"]
    for action, name in ((export.curve_rows, "curves.csv"), (export.place_rows, "places.csv")):
        save_as(name)
        action.trigger()
        assert (tmp_path / name).read_text(encoding="utf-8").count("\n") > 2
    for action, name in ((export.curve_picture, "curves.png"), (export.place_picture, "places.png")):
        save_as(name)
        action.trigger()
        assert QImage(str(tmp_path / name)).width() > 200
    save_as("no folder/results.csv")
    export.table.trigger()
    assert window.notice.text() == "results.csv cannot be written: No such file or directory."


def test_a_setup_is_remembered_and_styles_of_ones_own_are_offered(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    fish = style_text(nearest_style("Fish", TEMPERS["calling station"][0]))
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "fish.toml").write_text(fish, encoding="utf-8")
    path = tmp_path / "soulread.ini"
    window = lab(qtbot, theme, jobs, SETUP, SettingsFile(path))
    check(qtbot, window, "Fish", "Random")
    window.close()
    again = kept(qtbot, LabWindow(theme, jobs, settings=SettingsFile(path), make_run=inline_run()))
    assert again.model.setup.styles == ("random", fish)
    assert again.model.setup.hands == SETUP.hands
    (tmp_path / "styles" / "fish.toml").unlink()
    again.setup.read_own()
    assert again.setup.styles.rows.chosen == ("random", fish), "offered as long as it is chosen"
    played(qtbot, again)
    assert {row[0] for row in texts(again.results.styles.view)} == {"Random", "Fish"}
